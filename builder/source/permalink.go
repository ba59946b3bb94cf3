package source

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// permalink is a pattern of the addresses of pages of Hugo, and which pages have it.
type permalink struct {
	pattern string
	target  target
}

// patternOf returns the pattern of the address of a page of Hugo; "" where there is none.
func (r *hugoRules) patternOf(page, code string) string {
	patterns, ok := r.patterns[code]
	if !ok {
		patterns = r.patterns[""]
	}
	for _, p := range patterns {
		if p.target.reaches(page, code) {
			return p.pattern
		}
	}
	return ""
}

// fillPermalink fills in the tokens of a permalink pattern such as /:year/:title/. It asks for
// their values by what is behind the colon, with brackets: "sections[1:]". It returns "" where the
// value of one is not certain.
func fillPermalink(pattern string, value func(token string) (text string, certain bool)) string {
	certain := true
	filled := regexp.MustCompile(`:[A-Za-z0-9_]*(\[[a-z0-9:]+\])?`).ReplaceAllStringFunc(pattern, func(token string) string {
		text, ok := value(token[1:])
		certain = certain && ok
		return text
	})
	if !certain {
		return ""
	}
	p := path.Join("/", filled)
	if strings.HasSuffix(filled, "/") && p != "/" {
		p += "/"
	}
	return p
}

// dateToken returns the layout of the part of a date that a token of Hugo, Jekyll or Hexo stands
// for; "" where it stands for none.
func dateToken(token string) string {
	for _, t := range [...]struct{ name, layout string }{
		{"year", "2006"}, {"short_year", "06"}, {"month", "01"}, {"i_month", "1"}, {"short_month", "Jan"}, {"long_month", "January"},
		{"monthname", "January"}, {"day", "02"}, {"i_day", "2"}, {"y_day", "002"}, {"weekdayname", "Monday"},
		{"hour", "15"}, {"minute", "04"}, {"second", "05"},
	} {
		if t.name == token {
			return t.layout
		}
	}
	return ""
}

// permalink fills in a pattern of Hugo; on other sites, such as those of Hexo, one in front matter.
func (s *Site) permalink(pattern string, file *candidate) string {
	if strings.Contains(pattern, "{") { // a template of Eleventy
		return ""
	}
	if s.generator != hugo {
		return fillPermalink(pattern, func(token string) (string, bool) { return s.plainToken(token, file) })
	}
	p := fillPermalink(pattern, func(token string) (string, bool) { return s.hugoToken(token, file) })
	if p = s.rules.hugo.path(p); p != "" && path.Ext(p) == "" && !strings.HasSuffix(p, "/") {
		p += "/"
	}
	return p
}

// plainToken returns what a token stands for on a site of Hexo, or of no known generator, and
// whether that is certain.
func (s *Site) plainToken(token string, file *candidate) (string, bool) {
	if layout := dateToken(token); layout != "" {
		return file.Published.In(s.TimeZone).Format(layout), !file.Published.IsZero()
	}
	folders, slug := s.within(file), strings.Trim(file.meta.slug.Text, "-")
	switch token {
	case "section":
		return strings.Join(folders[:min(1, len(folders))], ""), true
	case "sections":
		return strings.Join(folders, "/"), len(folders) <= 1
	case "slug", "title":
		return slug, slug != ""
	case "filename", "contentbasename":
		return file.name.base, true
	case "slugorfilename", "slugorcontentbasename":
		return cmp.Or(slug, file.name.base), true
	}
	return "", false
}

// hugoToken returns what a token of Hugo stands for, and whether that is certain.
func (s *Site) hugoToken(token string, file *candidate) (string, bool) {
	dated := !file.Published.IsZero() || !file.unread && !s.rules.hugo.machineDates // without a date, Hugo has the first day of the year 1
	if token == "year" {
		return strconv.Itoa(file.meta.date.Year()), dated
	}
	if layout := dateToken(token); layout != "" {
		return file.meta.date.Format(layout), dated
	}
	folders := s.within(file)
	for i := range folders { // Hugo writes sections in lower case
		folders[i] = strings.ToLower(folders[i])
	}
	if list, ok := strings.CutPrefix(token, "sections["); ok {
		return strings.Join(sliced(s.sections(file, folders), strings.TrimSuffix(list, "]")), "/"), true
	}
	slug, name := hugoName(strings.Trim(file.meta.slug.Text, "-")), hugoName(file.name.stem)
	switch token {
	case "section":
		return strings.Join(folders[:min(1, len(folders))], ""), true
	case "sections":
		return strings.Join(s.sections(file, folders), "/"), true
	case "weekday":
		return strconv.Itoa(int(file.meta.date.Weekday())), dated
	case "yearday":
		return strconv.Itoa(file.meta.date.YearDay()), dated
	case "slug", "title":
		if slug == "" || token == "title" {
			slug = hugoName(file.meta.title)
		}
		return slug, slug != "" || !file.unread
	case "filename", "contentbasename":
		return name, true
	case "slugorfilename", "slugorcontentbasename":
		return cmp.Or(slug, name), true
	}
	// Any other token may be a layout of package time, except one such as sectionslug.
	if odd := time.Date(2019, 11, 9, 23, 1, 42, 1, time.UTC); !strings.HasPrefix(token, "sectionslug") && odd.Format(token) != token {
		return file.meta.date.Format(token), dated
	}
	return "", false
}

// sections returns the sections of a page of Hugo: its folders, down to the last that has an
// _index.md; the first folder needs none.
func (s *Site) sections(file *candidate, folders []string) []string {
	code := s.rules.languageCode(file.Path, file.name)
	for n := len(folders); n > 1; n-- {
		if s.rules.hugo.sections[pageName{strings.Join(folders[:n], "/"), code}] {
			return folders[:n]
		}
	}
	return folders[:min(1, len(folders))]
}

// sliced returns the part of a list that Hugo's 1, last, 1:, :last or 1:3 stands for, without
// elements that the list does not have.
func sliced(list []string, part string) []string {
	index := func(s string, absent int) int {
		n, err := strconv.Atoi(s)
		switch {
		case s == "":
			return absent
		case s == "last":
			return len(list) - 1
		case err != nil:
			return len(list)
		}
		return min(n, len(list))
	}
	from, to, isRange := strings.Cut(part, ":")
	first := index(from, 0)
	behind := min(first+1, len(list))
	if isRange {
		behind = index(to, len(list))
	}
	return list[max(0, min(first, behind)):max(0, behind)]
}

// jekyllPermalink fills in a pattern of Jekyll, or one of its styles.
func (s *Site) jekyllPermalink(pattern string, file *candidate) string {
	switch pattern {
	case "date":
		pattern = "/:categories/:year/:month/:day/:title.html"
	case "pretty":
		pattern = "/:categories/:year/:month/:day/:title/"
	case "none":
		pattern = "/:categories/:title.html"
	case "ordinal":
		pattern = "/:categories/:year/:y_day/:title.html"
	case "weekdate":
		return ""
	}
	return fillPermalink(pattern, func(token string) (string, bool) { return s.jekyllToken(token, file) })
}

// jekyllToken returns what a token of Jekyll stands for, and whether that is certain.
func (s *Site) jekyllToken(token string, file *candidate) (string, bool) {
	stem, base := file.name.stem, file.name.base
	if file.name.bundle {
		stem, base = "index", "index"
	}
	slug := cmp.Or(file.meta.slug.Text, base)
	if layout := dateToken(token); layout != "" {
		return file.Published.In(s.TimeZone).Format(layout), !file.Published.IsZero()
	}
	kind := s.rules.kindOf(file.Path, file.name)
	switch token {
	case "": // a colon
		return ":", true
	case "title":
		return slugOf(slug, "._~!$&'()+,;=@"), true
	case "slug":
		return strings.ToLower(slugOf(slug, "")), true
	case "name":
		return strings.ToLower(slugOf(stem, "")), true
	case "basename":
		return stem, true
	case "collection":
		return kind, true
	case "path":
		_, p, ok := strings.Cut("/"+file.Path, "/_"+kind+"/")
		return strings.TrimSuffix(p, path.Ext(p)), ok
	case "categories":
		categories := slices.Clone(file.meta.categories)
		for i := range categories {
			categories[i] = strings.ToLower(categories[i])
		}
		return strings.Join(dedupe(categories), "/"), true
	case "output_ext":
		return ".html", true
	}
	return "", false
}

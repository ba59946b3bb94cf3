package source

import (
	"cmp"
	"path"
	"regexp"
	"strings"
	"unicode"
)

// fillPermalink fills in the tokens of a permalink pattern such as /:year/:title/. It calls value
// with what follows the colon, including brackets: "sections[1:]". It returns "" if the value of
// any token is not certain.
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

// dateToken returns the layout for the part of a date that a token of Hugo, Jekyll or Hexo stands
// for, or "" if it stands for none.
func dateToken(token string) string {
	for _, t := range [...]struct{ name, layout string }{
		{"year", "2006"}, {"short_year", "06"}, {"month", "01"}, {"i_month", "1"}, {"short_month", "Jan"}, {"long_month", "January"},
		{"monthname", "January"}, {"day", "02"}, {"i_day", "2"}, {"y_day", "002"}, {"weekdayname", "Monday"}, {"long_day", "Monday"}, {"short_day", "Mon"},
		{"hour", "15"}, {"minute", "04"}, {"second", "05"},
	} {
		if t.name == token {
			return t.layout
		}
	}
	return ""
}

// permalink fills in a pattern of Hugo or, on other sites, such as those of Hexo, a pattern in
// front matter. It returns "" if the value is not certain.
func (s *Site) permalink(pattern string, file *candidate) string {
	if strings.Contains(pattern, "{") { // a template of Eleventy
		return ""
	}
	if s.generator != hugo {
		return fillPermalink(pattern, func(token string) (string, bool) { return s.plainToken(token, file) })
	}
	return s.rules.hugo.path(fillPermalink(pattern, func(token string) (string, bool) { return s.hugoToken(token, file) }))
}

// plainToken returns what a token stands for on a site of Hexo, or of no known generator, and
// whether that is certain.
func (s *Site) plainToken(token string, file *candidate) (string, bool) {
	if layout := dateToken(token); layout != "" {
		return file.Published.In(s.TimeZone).Format(layout), !file.Published.IsZero()
	}
	folders, slug := s.foldersOf(file), strings.Trim(file.meta.slug.Text, "-")
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

// slugOf returns the letters and digits of a text, and the characters in kept, with a hyphen in
// place of each run of other characters between them.
func slugOf(text, kept string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune(kept, r)
	}), "-")
}

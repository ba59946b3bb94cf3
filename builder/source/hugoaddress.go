package source

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"newsstand/builder/source/frontmatter"
)

// hugoAddress returns the address that Hugo gives a page, by "URL management" of its documentation,
// or "" if it is not certain.
func (s *Site) hugoAddress(file *candidate) string {
	u := &s.rules
	if !s.isFirstHTML(file) {
		return ""
	}
	address := func(p string) string { return s.host(file.code) + escapeAddress("/"+s.languagePrefix(file.code)+p) }
	folders := s.foldersOf(file)
	if file.name.section { // the address is that of its folder
		p := strings.Trim(u.hugo.path(path.Join(folders...)), "/")
		if p == "" && len(folders) > 0 {
			return ""
		}
		return address(strings.TrimPrefix(p+"/", "/"))
	}
	stem := file.name.stem
	at, _ := u.folderOf(file.Path)
	_, isMounted := u.mounted[file.Path]
	switch dir := path.Dir(file.Path); {
	case !file.name.bundle || isMounted:
	case dir == at.dir && len(folders) > 0: // the folder itself is mounted by Hugo
		stem, folders = folders[len(folders)-1], folders[:len(folders)-1]
	case dir != ".":
		stem = path.Base(dir)
	}
	section := ""
	if len(folders) > 0 {
		section = strings.ToLower(strings.ReplaceAll(folders[0], " ", "-"))
	}
	if pattern := u.hugo.patternOf(u.pageName(file.Path, file.name).page, file.code); pattern != "" {
		p := s.permalink(pattern, file)
		if p == "" {
			return ""
		}
		if p != "/" || strings.Contains(pattern, "/") { // a pattern of which nothing is left does not count
			return address(u.hugo.ending(strings.Trim(p, "/"), section))
		}
	}
	if slug := strings.Trim(file.meta.slug.Text, "-"); slug != "" {
		stem = hyphenate(slug)
	}
	p := path.Join(append(slices.Clone(folders), stem)...)
	if p = u.hugo.path(p); p == "" {
		return ""
	}
	p = strings.Trim(p, "/")
	if stem == "index" && !file.name.bundle { // from a slug; Hugo takes it for the name of a file in that folder
		p = strings.TrimSuffix(p, stem)
	} else {
		p = u.hugo.ending(p, section)
	}
	return address(p)
}

// isFirstHTML reports whether HTML is the first format in which Hugo makes a page. The address of
// the page is that of the first format; the path of any other is not known here.
func (s *Site) isFirstHTML(file *candidate) bool {
	outputs := file.meta.outputs
	if len(outputs) == 0 {
		outputs = s.rules.hugo.outputs
	}
	return len(outputs) == 0 || strings.EqualFold(outputs[0], "html")
}

// ending adds the end to the path of a page of Hugo: a slash, or .html if the site or the page's
// section has ugly URLs. The path of the home page stays empty.
func (r *hugoRules) ending(p, section string) string {
	if p == "" {
		return ""
	}
	if r.ugly || r.uglySections[section] {
		return p + ".html"
	}
	return p + "/"
}

// path returns a path as Hugo writes it in an address: with only letters, digits and a few other
// characters. It returns "" if the path may be escaped already.
func (r *hugoRules) path(p string) string {
	if hasEscape(p) {
		return ""
	}
	if r.noAccents {
		p = norm.NFC.String(strings.Map(func(c rune) rune {
			if unicode.Is(unicode.Mn, c) {
				return -1
			}
			return c
		}, norm.NFD.String(p)))
	}
	if r.keepCase {
		p = hyphenate(p)
	} else {
		p = strings.ToLower(p)
	}
	p = strings.Map(func(c rune) rune {
		switch {
		case hugoKeeps(c):
			return c
		case unicode.IsSpace(c):
			return '-'
		}
		return -1
	}, p)
	for strings.Contains(p, "//") { // no character of a folder's name was kept
		p = strings.ReplaceAll(p, "//", "/")
	}
	return strings.ReplaceAll(p, "#", "%23")
}

// hugoKeeps reports whether Hugo keeps a character in addresses.
func hugoKeeps(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("./\\_#+~-@", r)
}

// hugoName returns a slug, a title or a file's name as Hugo puts it in place of a token of a
// pattern. Hugo unescapes it like a part of a query, and takes a # at its end for an empty
// fragment.
func hugoName(s string) string {
	name, _ := url.QueryUnescape(hyphenate(s)) // each % that hyphenate leaves begins an escape
	return strings.TrimSuffix(hyphenate(name), "#")
}

// hyphenate joins words by hyphens, unless there is one between them already. It leaves out the
// characters that Hugo does not keep, except those of an escape such as %20.
func hyphenate(s string) string {
	var b strings.Builder
	space, last := false, '-' // whether a hyphen is due, and the character that was written last
	for i, r := range s {
		switch {
		case hugoKeeps(r) || isEscape(s[i:]):
			if space && r != '-' {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			space, last = false, r
		case unicode.IsSpace(r):
			space = space || last != '-'
		}
	}
	return b.String()
}

// permalinks returns the permalink patterns of a site, or those of a language, which replace
// the site's. The configuration has a list, of which the first pattern that reaches a page counts,
// or a table by sections. If two sections of a table hold a page, Hugo picks one at random; here
// the inner one counts.
func (r *hugoRules) permalinks(v frontmatter.Value) (patterns []permalink) {
	p := inner(v, "permalinks")
	for _, item := range p.Items {
		patterns = append(patterns, permalink{textOf(item, "pattern"), r.newTarget(inner(item, "target"))})
	}
	sections := slices.Concat(p.Fields, inner(p, "page").Fields)
	slices.SortStableFunc(sections, func(a, b frontmatter.Field) int { return strings.Count(b.Key, "/") - strings.Count(a.Key, "/") })
	for _, f := range sections {
		if f.Value.Kind != frontmatter.Text {
			continue
		}
		pages := "/*" // those of no section
		if section := strings.Trim(f.Key, " /"); section != "" {
			pages = "/{" + section + "," + section + "/**}"
		}
		patterns = append(patterns, permalink{f.Value.Text, target{{"path", globs(pages)}}})
	}
	return patterns
}

// permalink is a pattern for addresses of Hugo's pages, and the pages that it applies to.
type permalink struct {
	pattern string
	target  target
}

// patternOf returns the pattern for the address of a page of Hugo, or "" if there is none.
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

// hugoToken returns what a token of Hugo stands for, and whether that is certain.
func (s *Site) hugoToken(token string, file *candidate) (string, bool) {
	dated := !file.Published.IsZero() || !file.pathOnly && !s.rules.hugo.machineDates // without a date, Hugo uses the first day of the year 1
	if token == "year" {
		return strconv.Itoa(file.meta.date.Year()), dated
	}
	if layout := dateToken(token); layout != "" {
		return file.meta.date.Format(layout), dated
	}
	folders := s.foldersOf(file)
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
		return slug, slug != "" || !file.pathOnly
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
// _index.md. The first folder needs none.
func (s *Site) sections(file *candidate, folders []string) []string {
	code := s.rules.languageCode(file.Path, file.name)
	for n := len(folders); n > 1; n-- {
		if s.rules.hugo.sections[pageName{strings.Join(folders[:n], "/"), code}] {
			return folders[:n]
		}
	}
	return folders[:min(1, len(folders))]
}

// sliced returns the part of a list that Hugo's 1, last, 1:, :last or 1:3 stands for. Indices
// beyond the end of the list are cut off.
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
	after := min(first+1, len(list))
	if isRange {
		after = index(to, len(list))
	}
	return list[max(0, min(first, after)):max(0, after)]
}

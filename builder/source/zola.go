package source

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/builder/source/frontmatter"
)

// zolaRules are what only the rules of a site of Zola have.
type zolaRules struct {
	ignoredContent []*regexp.Regexp
	slugs          slugs // how the slugs of addresses are made
}

// ignores reports whether ignored_content names a file, whose path is that within the content
// folder. Zola matches it from the root of the disk.
func (r *zolaRules) ignores(p string) bool {
	return slices.ContainsFunc(r.ignoredContent, func(re *regexp.Regexp) bool { return re.MatchString("/site/content/" + p) })
}

// zola reads what Zola's configuration says about publication.
func (r *siteReader) zola(v frontmatter.Value) {
	u := &r.site.rules
	u.folders = []articleFolder{{dir: "content"}}
	r.place()
	u.defaultLanguage = strings.ToLower(cmp.Or(textOf(v, "default_language"), "en"))
	u.addLanguage(u.defaultLanguage, u.defaultLanguage)
	for _, f := range inner(v, "languages").Fields {
		u.addLanguage(f.Key, f.Key)
	}
	for _, pattern := range scalars(inner(v, "ignored_content")) {
		if re, err := regexp.Compile(globExpression(strings.ReplaceAll(pattern, "*", "**"))); err == nil { // Zola's * matches slashes, too
			u.zola.ignoredContent = append(u.zola.ignoredContent, re)
		}
	}
	u.flavour.Emojis = flagOf(v, "markdown", "render_emoji")
	slugify, _ := v.Get("slugify")
	paths := textOf(slugify, "paths")
	u.zola.slugs = slugs{keepDates: flagOf(slugify, "paths_keep_dates"), safe: paths == "safe", off: paths == "off"}
	u.flavour.Slugs = cmp.Or(textOf(slugify, "anchors"), "on") == "on"
	r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "base_url"), u.defaultLanguage)
	r.authors(v, "author")
	u.setDates(zola)
}

// zolaAddress follows "Page" of Zola's documentation. It is "" where a slug needs
// transliteration.
func (s *Site) zolaAddress(file *namedFile, m meta) string {
	slug := m.slug.Text
	if slug == "" && s.rules.zola.slugs.keepDates {
		slug = file.name.stem
	}
	if slug = s.rules.zola.slugs.of(cmp.Or(slug, file.name.base)); slug == "" {
		return ""
	}
	p := path.Join(append(slices.Clone(file.name.folders), slug)...) + "/"
	if file.name.language != "" && strings.ToLower(file.name.language) != s.rules.defaultLanguage {
		p = file.name.language + "/" + p
	}
	return s.BaseURL + escapeAddress("/"+p)
}

// slugs says how Zola makes the slug, the last part of an address.
type slugs struct {
	keepDates bool
	safe, off bool // whether only characters that a path may not hold are taken out, or none
}

// of returns the slug of a name; "" where Zola transliterates letters of it, by a table that is not
// known here.
func (r slugs) of(name string) string {
	switch {
	case r.off:
		return name
	case r.safe:
		return strings.Map(func(c rune) rune {
			if strings.ContainsRune(`<>:"/\|?*`, c) {
				return -1
			}
			return c
		}, strings.TrimRight(name, " ."))
	case strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf }):
		return ""
	}
	return strings.ToLower(slugOf(name, ""))
}

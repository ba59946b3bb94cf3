package source

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// zolaRules are the rules that only a site of Zola has.
type zolaRules struct {
	ignoredContent expressions
	keepDates      bool   // whether addresses include the dates in names of files
	slugify        string // what slugs, the last parts of addresses, leave out: "safe" is what a path may not hold, "off" nothing, else all but letters and digits
}

// ignores reports whether ignored_content names the file at p, a path within the content folder.
// Zola matches the absolute path, so a prefix stands for what is above the content folder.
func (r *zolaRules) ignores(p string) bool {
	return r.ignoredContent.match("/site/content/" + p)
}

// zola reads what Zola's configuration says about publication.
func (r *siteReader) zola(v frontmatter.Value) {
	u := &r.site.rules
	u.folders = []articleFolder{{dir: "content"}}
	r.locateFolders()
	u.defaultLanguage = strings.ToLower(cmp.Or(textOf(v, "default_language"), "en"))
	u.addLanguage(u.defaultLanguage, u.defaultLanguage)
	for _, f := range inner(v, "languages").Fields {
		u.addLanguage(f.Key, f.Key)
	}
	for _, pattern := range scalars(inner(v, "ignored_content")) {
		u.zola.ignoredContent.add(fnmatchExpression(pattern))
	}
	u.flavour.Emojis = flagOf(v, "markdown", "render_emoji")
	shortcodes := []string{"templates/shortcodes"}
	if folder := path.Join("themes", textOf(v, "theme"), "templates/shortcodes"); fs.ValidPath(folder) {
		shortcodes = append(shortcodes, folder)
	}
	u.dialect.Shown = r.shownParameters(shortcodes, dialect.ShownByZola)
	slugify := inner(v, "slugify")
	u.zola.keepDates, u.zola.slugify = flagOf(slugify, "paths_keep_dates"), textOf(slugify, "paths")
	if cmp.Or(textOf(slugify, "anchors"), "on") == "on" {
		u.flavour.IDs = markdown.ZolaIDs
	}
	r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "base_url"), u.defaultLanguage)
	r.authors(v, "author")
	u.setDates(zola)
}

// zolaAddress returns the address that Zola gives a page, by "Page" of its documentation, or "" if
// the slug needs transliteration.
func (s *Site) zolaAddress(file *candidate) string {
	slug := file.meta.slug.Text
	if slug == "" && s.rules.zola.keepDates {
		slug = file.name.stem
	}
	if slug = s.rules.zola.slug(cmp.Or(slug, file.name.base)); slug == "" {
		return ""
	}
	p := path.Join(append(slices.Clone(file.name.folders), slug)...) + "/"
	if file.name.language != "" && strings.ToLower(file.name.language) != s.rules.defaultLanguage {
		p = file.name.language + "/" + p
	}
	return s.BaseURL + escapeAddress("/"+p)
}

// slug returns the slug of a name, or "" if Zola would transliterate its letters, by a table that
// is not known here.
func (r *zolaRules) slug(name string) string {
	switch {
	case r.slugify == "off":
		return name
	case r.slugify == "safe":
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

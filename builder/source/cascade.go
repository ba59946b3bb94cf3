package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// cascade is front matter that the configuration or a page, usually a section page, hands down.
type cascade struct {
	language string // of the page that hands it down; "" means all languages
	table    frontmatter.Value
	sites    bool // whether it names the languages to which it is handed down
	target   target
}

// target selects the pages of Hugo that a cascade or a permalink pattern applies to: those that
// meet all of its conditions.
type target []condition

// condition is met by a page if one of the globs matches the page's value of key, which is path,
// kind, lang, environment or sites.
type condition struct {
	key   string
	globs expressions
}

func (r *hugoRules) newCascade(language string, table frontmatter.Value) cascade {
	at, ok := table.Get("target")
	if !ok {
		at = inner(table, "_target") // before Hugo 0.156
	}
	return cascade{language: language, table: table, sites: at.Has("sites"), target: r.newTarget(at)}
}

func (r *hugoRules) newTarget(v frontmatter.Value) (t target) {
	for _, f := range v.Fields {
		key, patterns := strings.ToLower(f.Key), []string{f.Value.Text}
		switch key {
		case "path", "kind", "lang", "environment":
		case "sites":
			if patterns = r.languages(scalars(inner(f.Value, "matrix", "languages"))); len(patterns) == 0 { // of languages that are not built, Hugo takes no notice
				continue
			}
		default:
			continue
		}
		t = append(t, condition{key, globs(patterns...)})
	}
	return t
}

// inherit adds to the front matter of a document what its own cascade, the section pages above it
// and the site hand down, as Hugo does: the document's own keys win, then what the nearest page
// hands down. It adds only tags, categories and the keys that decide publication and address, so
// that an article's text depends on no other file. It reports whether it added tags or categories.
func (s *scanner) inherit(file *candidate, doc *frontmatter.Document) (tagged bool) {
	u := &s.Site.rules
	own, has := doc.Meta.Get("cascade")
	if s.Site.generator != hugo || !has && len(s.cascade) == 0 && len(u.cascade) == 0 {
		return false
	}
	page, params := u.pageName(file.Path, file.name).page, inner(doc.Meta, "params")
	for _, c := range s.cascadesOn(file, own) {
		if !c.target.reaches(page, file.code) {
			continue
		}
		for _, f := range slices.Concat(inner(c.table, "params").Fields, c.table.Fields) {
			key := strings.ToLower(f.Key)
			isTags := key == "tags" || key == "categories"
			if isInherited(key) && !doc.Meta.Has(f.Key) && !(isTags && params.Has(f.Key)) {
				doc.Meta.Fields = append(doc.Meta.Fields, f)
				tagged = tagged || isTags
			}
		}
	}
	return tagged
}

// cascadesOn returns the cascades that may hand front matter down to a file, the nearest first: its
// own, those of the section pages above it, and those of the site.
func (s *scanner) cascadesOn(file *candidate, own frontmatter.Value) (cascades []cascade) {
	for _, table := range items(own) {
		cascades = append(cascades, s.Site.rules.hugo.newCascade(file.code, table))
	}
	for dir := path.Dir(s.Site.rules.pagePath(file.Path)); ; dir = path.Dir(dir) {
		for _, c := range s.cascade[dir] {
			if c.language == file.code || c.sites { // a page hands down to its own language and to those that it names
				cascades = append(cascades, c)
			}
		}
		if dir == "." {
			break
		}
	}
	for _, c := range s.Site.rules.cascade {
		if c.language == "" || c.language == file.code {
			cascades = append(cascades, c)
		}
	}
	return cascades
}

// isInherited reports whether inherit hands a key down.
func isInherited(key string) bool {
	switch key {
	case "draft", "url", "headless", "build", "_build", "tags", "categories", "sites", "outputs",
		"date", "publishdate", "pubdate", "published", "lastmod", "modified", "expirydate", "unpublishdate":
		return true
	}
	return false
}

// reaches reports whether a page in the language code meets all conditions. page is its path, as in
// pageName.
func (t target) reaches(page, code string) bool {
	has := map[string]string{"path": "/" + page, "kind": "page", "lang": code, "environment": "production", "sites": code}
	return !slices.ContainsFunc(t, func(of condition) bool { return !of.globs.match(has[of.key]) })
}

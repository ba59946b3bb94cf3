package source

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// defaults are values of front matter that the configuration, or a data file of Eleventy, gives to
// the files below a path. In Jekyll they may be limited to files of one kind.
type defaults struct {
	path, kind string // "" means all files
	values     []frontmatter.Field
}

// addDefaults adds the front matter that a file gives to all files of a folder, whose path ends
// with a slash, or to one other file. It adds it to the digest of the settings, too, as articles
// depend on it.
func (r *siteReader) addDefaults(d defaults) {
	for _, f := range d.values {
		fmt.Fprintf(r.key, "%q %q %q\n", d.path, f.Key, appendValue(nil, f.Value))
	}
	u := &r.site.rules
	switch {
	case len(d.values) == 0:
	case d.path == "", strings.HasSuffix(d.path, "/"): // "" is the content folder
		u.defaults = append(u.defaults, d)
	default:
		if u.ofFile == nil {
			u.ofFile = map[string][]defaults{}
		}
		u.ofFile[d.path] = append(u.ofFile[d.path], d)
	}
}

// covers reports whether the defaults apply to the file at p. Jekyll also accepts the path of a
// file relative to its collections_dir, which is short.
func (d defaults) covers(p, short, kind string) bool {
	if d.kind != "" && d.kind != kind {
		return false
	}
	if !strings.Contains(d.path, "*") {
		return strings.HasPrefix(p, d.path) || strings.HasPrefix(short, d.path)
	}
	for at := p; at != "."; at = path.Dir(at) {
		if ok, _ := path.Match(d.path, at); ok {
			return true
		}
	}
	return false
}

// fillIn adds to a document the front matter that the defaults give it, except summaries meant for
// more than this file: a summary for many articles says nothing about this one. Tables under the
// same key are merged, as Jekyll and Eleventy do. A key without a value takes nothing away from a
// document of Jekyll, but from a page it does.
func (s *Site) fillIn(p string, name nameOfPath, doc *frontmatter.Document) {
	kind, short := s.rules.kindOf(p, name), p
	if s.generator == jekyll && kind != "pages" && s.rules.inBase(p) {
		short = path.Join(s.rules.folders[0].dir, s.rules.relative(p))
	}
	var given []frontmatter.Field
	from := map[string]defaults{} // by key: the most specific defaults that gave a value
	for _, d := range slices.Concat(s.rules.defaults, s.rules.ofFile[p]) {
		if !d.covers(p, short, kind) {
			continue
		}
		for _, f := range d.values {
			key := strings.ToLower(f.Key)
			before, i := from[key], indexOfKey(given, key)
			switch {
			case isSummary(key) && d.path != p:
				continue
			case i < 0:
				given = append(given, f)
			case len(d.path) < len(before.path), len(d.path) == len(before.path) && d.kind == "" && before.kind != "": // the more specific defaults win
				given[i].Value = merge(f.Value, given[i].Value)
				continue
			default:
				given[i] = frontmatter.Field{Key: f.Key, Value: merge(given[i].Value, f.Value), Line: f.Line, Column: f.Column}
			}
			from[key] = d
		}
	}
	for _, f := range given {
		i := indexOfKey(doc.Meta.Fields, f.Key)
		switch {
		case i < 0:
			doc.Meta.Fields = append(doc.Meta.Fields, f)
		case doc.Meta.Fields[i].Value.Kind == frontmatter.Null && s.generator == jekyll && kind != "pages": // a mere key
			doc.Meta.Fields[i].Value = f.Value
		case f.Key == "categories" && s.generator == jekyll && kind != "pages": // Jekyll adds these up
			all := frontmatter.Value{Kind: frontmatter.List, Line: f.Line, Column: f.Column}
			for _, name := range slices.Concat(inJekyll(f.Value), inJekyll(doc.Meta.Fields[i].Value)) {
				all.Items = append(all.Items, frontmatter.Value{Kind: frontmatter.Text, Text: name})
			}
			doc.Meta.Fields[i].Value = all
		default:
			doc.Meta.Fields[i].Value = merge(f.Value, doc.Meta.Fields[i].Value)
		}
	}
}

package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// cascade is a table that a section page hands down, with the language of the page.
type cascade struct {
	language string
	table    frontmatter.Value
}

// addCascade adds to a document what it, the section pages above it and the site hand
// down, as Hugo does: the nearest wins, and what the document says itself goes first.
// Only keys that decide about publication and address are handed down, so that an article's
// text depends on no other file.
func (s *scanner) addCascade(p, code string, name nameOfPath, doc *frontmatter.Document) {
	site := &s.folder.Site
	own, has := doc.Meta.Get("cascade")
	if site.generator != hugo || !has && len(s.cascade) == 0 && len(site.rules.cascade) == 0 {
		return
	}
	tables := cascadeTables(own)
	page := site.rules.page(p)
	for dir := path.Dir(page); ; dir = path.Dir(dir) {
		for _, c := range s.cascade[dir] {
			// A page hands down to its own language, and to those that it names.
			if target := cascadeTarget(c.table); c.language == code || target.Has("sites") {
				tables = append(tables, c.table)
			}
		}
		if dir == "." {
			break
		}
	}
	for _, c := range site.rules.cascade {
		if c.language == "" || c.language == code {
			tables = append(tables, c.table)
		}
	}
	// What it is called has no language and no ending.
	if dir := "/" + path.Dir(page); name.bundle {
		page = dir
	} else {
		page = path.Join(dir, strings.ToLower(name.stem))
	}
	page = strings.ReplaceAll(page, " ", "-")
	for _, t := range tables {
		if !reaches(t, page, code) {
			continue
		}
		params, _ := t.Get("params")
		for _, f := range slices.Concat(params.Fields, t.Fields) {
			if handedDown(strings.ToLower(f.Key)) && !doc.Meta.Has(f.Key) {
				doc.Meta.Fields = append(doc.Meta.Fields, f)
			}
		}
	}
}

// cascadeTables returns the tables of the key cascade, which holds one or a list.
func cascadeTables(v frontmatter.Value) []frontmatter.Value {
	switch v.Kind {
	case frontmatter.Table:
		return []frontmatter.Value{v}
	case frontmatter.List:
		return v.Items
	}
	return nil
}

func cascadeTarget(cascade frontmatter.Value) frontmatter.Value {
	target, ok := cascade.Get("target")
	if !ok {
		target, _ = cascade.Get("_target") // before Hugo 0.156
	}
	return target
}

// handedDown reports whether a cascade hands a key down here.
func handedDown(key string) bool {
	switch key {
	case "draft", "url", "headless", "build", "_build", "date", "publishdate", "pubdate", "published", "lastmod", "modified", "expirydate", "unpublishdate":
		return true
	}
	return false
}

// reaches reports whether a cascade's target, if it has one, is the page of this path
// and language.
func reaches(cascade frontmatter.Value, page, code string) bool {
	for _, f := range cascadeTarget(cascade).Fields {
		switch strings.ToLower(f.Key) {
		case "path":
			if !matchGlob(f.Value.Text, page) {
				return false
			}
		case "kind":
			if !matchGlob(f.Value.Text, "page") {
				return false
			}
		case "lang":
			if !matchGlob(f.Value.Text, code) {
				return false
			}
		case "environment":
			if !matchGlob(f.Value.Text, "production") {
				return false
			}
		case "sites":
			languages := f.Value
			for _, key := range []string{"matrix", "languages"} {
				languages, _ = languages.Get(key)
			}
			found := len(scalars(languages)) == 0
			for _, pattern := range scalars(languages) {
				found = found || matchGlob(pattern, code)
			}
			if !found {
				return false
			}
		}
	}
	return true
}

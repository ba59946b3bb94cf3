package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/script"
)

// astro reads the file in which Astro defines its content collections: their folders, and the files
// in them. Pages are in src/pages. Collections without a loader are in src/content; if all have a
// loader, other files there are not shown. If the definitions are not all written out, any folder
// may have articles.
func (r *siteReader) astro() {
	if len(r.site.dateLayouts) == 0 { // as JavaScript reads them
		r.site.dateLayouts = withClocks("1/2/2006", "1-2-2006", "1 2 2006", "1.2.2006", "2006.1.2")
	}
	p, ok := r.program("src/content.config", "src/content/config")
	if !ok {
		return
	}
	collections := p.Export("collections")
	if files, known := r.collections(p, collections, collectionFiles); known {
		dirs := []string{"src/pages"}
		if len(collections.Fields) == 0 || slices.ContainsFunc(files, func(c collection) bool { return len(c.patterns) == 0 }) {
			dirs = append(dirs, "src/content")
		}
		r.setCollections(dirs, files)
	}
}

// nuxt reads the file in which Nuxt Content defines its collections, if there is one. A collection
// has the files that its source names in the folder content, or in another one. If the definitions
// are not all written out, any folder may have articles.
func (r *siteReader) nuxt() {
	p, ok := r.program("content.config")
	if !ok {
		return
	}
	if files, known := r.collections(p, inner(p.Default(), "collections"), sourceFiles); known && len(files) > 0 {
		r.setCollections(nil, files)
	}
}

// collections returns the files of all collections that a program defines; filesOf returns those of
// one. If they are not all written out, known is false, and a warning is reported, because notes
// beside the site's pages then count as articles.
func (r *siteReader) collections(p program, of script.Value, filesOf func(script.Value) ([]collection, bool)) (files []collection, known bool) {
	if of.Kind != script.Object || len(of.Items) > 0 {
		return nil, false
	}
	for _, f := range of.Fields {
		own, known := filesOf(f.Value)
		if !known {
			r.report(p.path, frontmatter.Value{Line: f.Line, Column: f.Column}, Warning,
				"which files the collection "+f.Key+" has is computed, so any folder may hold articles",
				"run builder list to see what is published, and write draft: true into the front matter of what should not be")
			return nil, false
		}
		files = append(files, own...)
	}
	return files, true
}

// sourceFiles returns the files of a collection of Nuxt Content. known reports whether they are
// written out.
func sourceFiles(of script.Value) (files []collection, known bool) {
	source := inner(of, "source")
	sources := []script.Value{source}
	if source.Kind == script.List {
		sources = source.Items
	}
	for _, source := range sources {
		if _, elsewhere := source.Get("repository"); elsewhere { // its files belong to another project
			continue
		}
		if source.Kind == script.Text {
			files = append(files, collection{"content", []string{source.Text}})
			continue
		}
		patterns, known := inner(source, "include").Texts()
		if exclude, ok := source.Get("exclude"); ok {
			left, all := exclude.Texts()
			for _, pattern := range left {
				patterns = append(patterns, "!"+pattern)
			}
			known = known && all
		}
		dir := "content"
		if cwd, ok := source.Get("cwd"); ok {
			dir, known = fromRoot("", cwd.Text), known && cwd.Kind == script.Text
		}
		if !known {
			return nil, false
		}
		files = append(files, collection{dir, patterns})
	}
	return files, true
}

// A collection is a content collection: the files in a folder that the patterns name. Patterns that
// begin with ! leave files out.
type collection struct {
	dir      string // "" if the patterns begin at the root of the project
	patterns []string
}

// setCollections sets the folders that hold articles: dirs, and those of the collections. In the
// latter, only the files of collections are articles.
func (r *siteReader) setCollections(dirs []string, collections []collection) {
	var others ignoreLines // leave out the collections' folders, and so keep all other files
	var own []ignoreLines
	for _, c := range collections {
		if c.dir != "" {
			dirs = append(dirs, c.dir)
			others.leaveOut("/" + c.dir + "/**")
		}
		kept, left := ignoreLinesOf("/**"), ignoreLines{}
		for _, pattern := range c.patterns {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			whole, plain := path.Join(c.dir, pattern), !strings.Contains(pattern, "(")
			switch {
			case leaves && plain:
				left.leaveOut("/" + whole)
			case leaves: // a pattern with brackets is not understood, and leaves nothing out
			case plain:
				kept.keep("/" + whole)
			default:
				kept.keep("/" + path.Join(c.dir, "**"))
			}
			if i := strings.IndexAny(whole, "*?[{(!+@"); i >= 0 && !leaves && c.dir == "" {
				dirs = append(dirs, path.Dir(whole[:i]+"x"))
			}
		}
		own = append(own, append(kept, left...))
	}
	if slices.Contains(dirs, ".") {
		return
	}
	r.setFolders(dirs)
	r.site.rules.sets = append(own, others)
}

// collectionFiles returns the files of one of Astro's collections. A collection without a loader
// has no patterns. known reports whether the files are written out.
func collectionFiles(of script.Value) (files []collection, known bool) {
	loader, ok := of.Get("loader")
	switch {
	case !ok && of.Name == "defineCollection":
		return []collection{{}}, true
	case loader.Name == "docsLoader": // of Starlight
		return []collection{{"src/content/docs", []string{"**"}}}, true
	case loader.Name == "file", loader.Name == "i18nLoader": // of data
		return nil, true
	case loader.Name != "glob": // only the program knows the files
		return nil, false
	}
	patterns, known := inner(loader, "pattern").Texts()
	base, ok := loader.Get("base")
	return []collection{{fromRoot("", base.Text), patterns}}, known && (!ok || base.Kind == script.Text)
}

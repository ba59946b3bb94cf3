package source

import "newsstand/builder/source/script"

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

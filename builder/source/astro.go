package source

import (
	"slices"

	"newsstand/builder/source/script"
)

// astro reads the file in which Astro defines its content collections: their folders, and the files
// in them. Pages are in src/pages. Collections without a loader are in src/content; if all have a
// loader, other files there are not shown. If the definitions are not all written out, any folder
// may have articles.
func (r *siteReader) astro() {
	r.datesBy(datesOfJavaScript())
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

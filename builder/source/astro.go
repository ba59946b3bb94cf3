package source

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"newsstand/builder/source/frontmatter"
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
	for _, f := range collections.Fields {
		r.draftsUnlessSaid(f)
	}
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

// draftsUnlessSaid adds the defaults by which a collection's files are drafts if they do not say
// otherwise, as the schema draft: z.boolean().default(true) has it. A default that publishes adds
// nothing.
func (r *siteReader) draftsUnlessSaid(collection script.Field) {
	var values []frontmatter.Field
	for _, key := range []string{"draft", "isDraft", "is_draft", "published", "isPublished", "is_published", "publish", "isPublish"} {
		keepsBack := strconv.FormatBool(strings.HasSuffix(strings.ToLower(key), "draft"))
		v := inner(collection.Value, "schema", key)
		if last := len(v.Items) - 1; last >= 0 && strings.HasSuffix("."+v.Name, ".default") && v.Items[last].Text == keepsBack {
			values = append(values, under(key, frontmatter.Value{Kind: frontmatter.Boolean, Text: keepsBack}).Fields...)
		}
	}
	files, known := collectionFiles(collection.Value)
	if len(values) == 0 || !known || !r.inside {
		return
	}
	for _, c := range files {
		dirs := []string{cmp.Or(c.dir, "src/content/"+collection.Key)}
		if c.dir == "" && len(c.patterns) > 0 {
			dirs = nil
			for _, pattern := range c.patterns {
				if !strings.HasPrefix(pattern, "!") {
					dirs = append(dirs, fixedDir(pattern))
				}
			}
		}
		for _, dir := range dirs {
			r.addDefaults(defaults{path: strings.TrimPrefix(path.Clean(dir)+"/", "./"), values: values})
		}
	}
}

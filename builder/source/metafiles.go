package source

import (
	"path"
	"slices"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// metaFiles adds the front matter that Nikola and Nanoc have in files of their own, which have one
// ending: a.meta of Nikola is for a.md, and for its translation a.fr.md where there is no
// a.fr.meta; a.yaml of Nanoc is for a.md.
func (r *siteReader) metaFiles(paths []string) {
	ending := r.site.rules.metaFiles
	if ending == "" {
		return
	}
	for _, p := range paths {
		if !dialect.IsMarkdown(p) {
			continue
		}
		stem := withoutExt(p)
		names := []string{stem + ending}
		if ending == ".meta" {
			names = append(names, withoutExt(stem)+ending)
		}
		i := slices.IndexFunc(names, func(name string) bool { return isAmong(paths, name) })
		if i < 0 {
			continue
		}
		data, err := readOptional(r.content, names[i])
		meta, ok := metaOf(names[i], data)
		if err != nil || !ok {
			r.report(p, frontmatter.Value{}, Error, "its front matter in "+path.Base(names[i])+" cannot be read, which may say that it is a draft",
				"mend it, and keep it in a regular file; until then, the article is not published")
			meta = under("draft", frontmatter.Value{Kind: frontmatter.Boolean, Text: "true"})
		}
		r.addDefaults(defaults{path: p, values: meta.Fields})
	}
}

// metaOf reads a file that is nothing but front matter: YAML by its name, else lines such as ..
// title: A walk, or front matter between fences.
func metaOf(name string, data []byte) (meta frontmatter.Value, ok bool) {
	if path.Ext(name) == ".yaml" {
		meta, se := frontmatter.ParseTable(name, data)
		return meta, se == nil
	}
	doc, se := frontmatter.Parse(data)
	return doc.Meta, se == nil && len(doc.Meta.Fields) > 0
}

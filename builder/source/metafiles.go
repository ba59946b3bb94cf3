package source

import (
	"path"
	"slices"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// metaFiles adds the front matter that Nikola and Nanoc keep in separate files. Nikola's a.meta is
// for a.md, and for its translation a.fr.md if there is no a.fr.meta; Nanoc's a.yaml is for a.md.
// An article whose file of front matter cannot be read is treated as a draft.
func (r *siteReader) metaFiles(paths []string) {
	ending := r.site.rules.metaFiles
	if ending == "" {
		return
	}
	for _, p := range paths {
		if !dialect.IsMarkdown(p) && !(r.site.rules.html && isHTML(p)) {
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
			r.report(p, frontmatter.Value{}, Error, "its front matter in "+path.Base(names[i])+", which may say that it is a draft, cannot be read",
				"fix it, and keep it in a regular file; until then, the article is not published")
			meta = under("draft", frontmatter.Value{Kind: frontmatter.Boolean, Text: "true"})
		}
		r.addDefaults(defaults{path: p, values: meta.Fields})
	}
}

// folderFiles adds the front matter that a file gives to all files of its folder. Titles, dates and
// tags are left out, as of Eleventy's data files.
func (r *siteReader) folderFiles(paths []string) {
	if len(r.site.rules.folderFiles) == 0 {
		return
	}
	for _, p := range paths {
		if dir, name := path.Split(p); slices.Contains(r.site.rules.folderFiles, name) {
			r.dataFile(p, dir, false)
		}
	}
}

// metaOf reads a file that holds only front matter: YAML if its name ends in .yaml, else lines such
// as ".. title: A walk", or front matter between fences.
func metaOf(name string, data []byte) (meta frontmatter.Value, ok bool) {
	if path.Ext(name) == ".yaml" {
		meta, se := frontmatter.ParseTable(name, data)
		return meta, se == nil
	}
	doc, se := frontmatter.Parse(data)
	return doc.Meta, se == nil && len(doc.Meta.Fields) > 0
}

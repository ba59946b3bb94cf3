package source

import "cmp"

// nanoc reads in which folders Nanoc has its items, if there is a configuration of it. A program,
// which is not run, decides what becomes of the items. Most such programs fill in ERB templates
// before they turn Markdown into HTML.
func (r *siteReader) nanoc() (found bool) {
	v, found := r.table(r.root, "nanoc.yaml")
	if !found {
		return false
	}
	var dirs []string
	for _, source := range inner(v, "data_sources").Items {
		dirs = append(dirs, cmp.Or(textOf(source, "content_dir"), "content"))
	}
	switch {
	case len(dirs) == 0:
		r.setBase("content")
	case len(dirs) == 1:
		r.setBase(dirs[0])
	case r.inside:
		r.setFolders(dirs)
	}
	r.site.rules.dialect.ERB, r.site.rules.metaFiles = true, ".yaml"
	return true
}

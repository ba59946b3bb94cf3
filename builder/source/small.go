package source

import (
	"cmp"
	"strings"
)

// smallProject reads the configuration of one of several programs, if there is one: the folder of
// the articles, and what is left out of it.
func (r *siteReader) smallProject() (found bool) {
	for _, c := range [...]struct {
		name    string
		folder  []string // the keys that lead to the folder
		usual   string   // the folder, if there are no such keys
		exclude string   // the key of what is left out
		data    []string // see rules.folderFiles
	}{
		{"retype.yml", []string{"input"}, ".", "exclude", []string{"index.yml"}},
		{"cecil.yml", []string{"pages", "dir"}, "pages", "", nil},
		{"_cobalt.yml", []string{"source"}, ".", "ignore", nil},
		{"metalsmith.json", []string{"source"}, "src", "ignore", nil},
		{"marmite.yaml", []string{"content_path"}, "content", "", nil},
		{"soupault.toml", []string{"settings", "site_dir"}, "site", "", nil},
	} {
		v, ok := r.table(r.root, c.name)
		if !ok {
			continue
		}
		u := &r.site.rules
		r.setBase(cmp.Or(textOf(v, c.folder...), c.usual))
		u.folderFiles = c.data
		u.retype = c.name == "retype.yml"
		u.ignore(ignoreLinesOf(strings.Join(scalars(inner(v, c.exclude)), "\n")))
		r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "url"), "")
		r.site.note(c.name)
		return true
	}
	return false
}

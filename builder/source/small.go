package source

import (
	"cmp"
	"path"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/script"
)

// rspress reads the configuration of Rspress, if there is one: the folder of its pages, and what is
// left out of it, if they are written out.
// https://rspress.rs/api/config/config-basic
func (r *siteReader) rspress() (found bool) {
	p, ok := r.program("rspress.config")
	if !ok {
		return false
	}
	root := "docs"
	if said := inner(p.Default(), "root"); said.Kind == script.Text {
		root = fromRoot("", said.Text)
	}
	r.setBase(root)
	excluded, _ := r.patterns(p, inner(p.Default(), "route"), "exclude")
	var lines ignoreLines
	for _, pattern := range excluded {
		lines.leaveOut("/" + strings.TrimPrefix(pattern, "/"))
	}
	u := &r.site.rules
	u.ignore(lines)
	u.rooted, u.pageEndings = true, []string{"", ".html"}
	r.common(inner(p.Default(), "title").Text, inner(p.Default(), "description").Text, "", "")
	return true
}

// grav looks for an installation of Grav, or its folder user: the pages are in one folder of it. In
// dates with slashes the month is first, in others the day; the time of day may stand before them.
// https://learn.getgrav.org/17/content/headers#date
func (r *siteReader) grav() (found bool) {
	for _, at := range []string{"", "user"} {
		if r.inside && isFile(r.root, path.Join(at, "config/system.yaml")) && isDir(r.root, path.Join(at, "pages")) {
			r.setBase(path.Join(at, "pages"))
			if days := []string{"1/2/2006", "2-1-2006", "2.1.2006"}; len(r.site.dateLayouts) == 0 {
				r.site.dateLayouts = withClocks(days...)
				for _, day := range days {
					r.site.dateLayouts = append(r.site.dateLayouts, "15:04 "+day, day+" 3:04pm")
				}
			}
			return true
		}
	}
	return false
}

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
		data := r.file(r.root, c.name)
		v, se := frontmatter.ParseTable(c.name, data)
		switch {
		case data == nil:
			continue
		case se != nil:
			r.fail(unreadable(c.name, se))
			return false
		}
		u := &r.site.rules
		r.setBase(cmp.Or(textOf(v, c.folder...), c.usual))
		u.folderFiles = c.data
		u.retype = c.name == "retype.yml"
		var lines ignoreLines
		for _, pattern := range scalars(inner(v, c.exclude)) {
			lines.leaveOut(pattern)
		}
		u.ignore(lines)
		r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "url"), "")
		r.site.note(c.name)
		return true
	}
	return false
}

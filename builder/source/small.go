package source

import (
	"cmp"
	"path"
	"strings"

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
	switch root, ok := p.Default().Get("root"); {
	case !ok:
		r.setBase("docs")
	case root.Kind == script.Text:
		r.setBase(fromRoot("", root.Text))
	default:
		r.warnOfComputed(p, root, "root", "write root as a text in quotes at its place")
	}
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

// grav looks for an installation of Grav, or its folder user: the pages are in one folder of it.
func (r *siteReader) grav() (found bool) {
	for _, at := range []string{"", "user"} {
		config := path.Join(at, "config/system.yaml")
		if r.inside && isFile(r.root, config) && isDir(r.root, path.Join(at, "pages")) {
			v, _ := r.table(r.root, config)
			r.setBase(path.Join(at, "pages"))
			r.zone(textOf(v, "timezone"))
			r.datesBy(gravLayouts(textOf(v, "pages", "dateformat", "default")))
			return true
		}
	}
	return false
}

// gravLayouts returns the layouts of dates. In those with slashes the month is first, in others the
// day, unless the site's format has it the other way round. The time of day may stand before them.
// https://learn.getgrav.org/17/content/headers#date
func gravLayouts(format string) (layouts []string) {
	days := []string{"1/2/2006", "2-1-2006", "2.1.2006"}
	switch {
	case strings.Contains(format, "d/m"):
		days = append([]string{"2/1/2006"}, days...)
	case strings.Contains(format, "m-d-"):
		days = append([]string{"1-2-2006"}, days...)
	}
	layouts = withClocks(days...)
	for _, day := range days {
		layouts = append(layouts, "15:04 "+day, day+" 3:04pm", day+" 3:04 pm", "3:04pm "+day, "3:04 pm "+day)
	}
	return layouts
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

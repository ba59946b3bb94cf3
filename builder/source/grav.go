package source

import (
	"path"
	"strings"
)

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

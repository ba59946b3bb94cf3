package source

import (
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

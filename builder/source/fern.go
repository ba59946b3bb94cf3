package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// fern reads the configuration of Fern, if there is one: only the pages that the navigation names
// are on the site. Each product and each version may have a file of its own.
// https://buildwithfern.com/learn/docs/configuration/navigation
func (r *siteReader) fern() (found bool) {
	for _, at := range []string{"", "fern"} {
		if !r.inside || !isFile(r.root, path.Join(at, "fern.config.json")) || !isFile(r.root, path.Join(at, "docs.yml")) || r.hasOtherProgram() {
			continue
		}
		lines := ignoreLinesOf("*")
		r.fernPages(path.Join(at, "docs.yml"), map[string]bool{}, &lines)
		r.site.rules.ignore(lines)
		return true
	}
	return false
}

// fernPages adds lines that keep what a file of Fern's navigation names. read has the files that
// were read.
func (r *siteReader) fernPages(name string, read map[string]bool, lines *ignoreLines) {
	if read[name] || !fs.ValidPath(name) {
		return
	}
	read[name] = true
	v, _ := r.table(r.root, name)
	if title := textOf(v, "title"); title != "" {
		r.common(title, "", "", "")
	}
	r.fernItems(name, v, read, lines)
}

// fernItems does so for a value in the file, at any depth. Hidden pages have an address, but are in
// no list and not found; others are only for some viewers.
func (r *siteReader) fernItems(name string, v frontmatter.Value, read map[string]bool, lines *ignoreLines) {
	viewers, limited := v.Get("viewers")
	if flagOf(v, "hidden") || limited && !slices.Contains(scalars(viewers), "everyone") {
		return
	}
	for _, f := range v.Fields {
		target := path.Join(path.Dir(name), f.Value.Text)
		switch {
		case f.Value.Kind != frontmatter.Text:
		case f.Key == "path" && (strings.HasSuffix(target, ".yml") || strings.HasSuffix(target, ".yaml")):
			r.fernPages(target, read, lines)
		case f.Key == "path", f.Key == "changelog", f.Key == "folder": // the latter two are folders of pages
			lines.keep("/" + globOf(target))
		}
		r.fernItems(name, f.Value, read, lines)
	}
	for _, item := range v.Items {
		r.fernItems(name, item, read, lines)
	}
}

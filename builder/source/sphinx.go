package source

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// sphinx reads the configuration of Sphinx, if one lies in the content folder and lists an
// extension that reads Markdown. It may leave files out, even all but some.
func (r *siteReader) sphinx() (found bool) {
	const name = "conf.py"
	data := r.file(r.root, name)
	if !regexp.MustCompile(`["'](?:myst_parser|myst_nb|recommonmark)["']`).Match(data) {
		return false
	}
	files := []string{"include_patterns", "exclude_patterns"}
	said := pythonConstants(data, append(files, "project", "html_title", "html_baseurl", "language", "author"))
	r.common(cmp.Or(textOf(said, "html_title"), textOf(said, "project")), "", textOf(said, "html_baseurl"), textOf(said, "language"))
	r.authors(said, "author")
	r.warnOfPython(name, data, said, files)
	u := &r.site.rules
	if patterns := scalars(inner(said, files[0])); len(patterns) > 0 {
		u.ignore(onlyLines(patterns))
	}
	u.ignore(sphinxLines(scalars(inner(said, files[1]))))
	u.flavour.Math = dollars(true)
	r.site.note(name)
	return true
}

// jupyterBook reads the configuration of Jupyter Book 1, if it lies in the content folder beside a
// table of contents. The book also has the files that this lacks, unless it is said not to.
func (r *siteReader) jupyterBook() (found bool) {
	const name = "_config.yml"
	files, found := r.contents()
	if !found {
		return false
	}
	v, _ := r.table(r.root, name)
	r.common(textOf(v, "title"), "", textOf(v, "html", "baseurl"), textOf(v, "sphinx", "config", "language"))
	r.authors(v, "author")
	u := &r.site.rules
	if flagOf(v, "only_build_toc_files") {
		u.ignore(onlyLines(files))
	}
	u.ignore(sphinxLines(scalars(inner(v, "exclude_patterns"))))
	u.flavour.Math = dollars(true)
	r.site.note(name)
	return true
}

// myst reads the configuration of MyST, which is that of Jupyter Book 2, too, if it lies in the
// content folder. A table of contents, which may also be that of Jupyter Book 1, names all files of
// the site. Files may be left out of what it names by patterns, or of the folder.
func (r *siteReader) myst() (found bool) {
	const name = "myst.yml"
	v, found := r.table(r.root, name)
	if !found {
		return false
	}
	project := inner(v, "project")
	r.common(cmp.Or(textOf(v, "site", "title"), textOf(project, "title")), textOf(project, "description"), "", "")
	r.authors(project, "authors")
	u := &r.site.rules
	files := filesOf(inner(project, "toc"))
	if len(files) == 0 {
		files, _ = r.contents()
	}
	if len(files) > 0 {
		u.ignore(onlyLines(files))
	}
	for _, pattern := range scalars(inner(project, "exclude")) {
		u.ignore(ignoreLinesOf("/" + pattern))
	}
	u.flavour.Math = dollars(true)
	r.site.note(name)
	return true
}

// contents returns the files that the table of contents of Jupyter Book 1 names, if there is one.
func (r *siteReader) contents() (files []string, found bool) {
	const name = "_toc.yml"
	data := r.file(r.root, name)
	if data == nil {
		return nil, false
	}
	v, se := frontmatter.ParseTable(name, data)
	if list, notList := frontmatter.ParseList(data); se != nil && notList == nil { // as before its version 0.11
		v, se = list, nil
	}
	if se != nil {
		r.fail(unreadable(name, se))
	}
	return filesOf(v), true
}

// filesOf returns the files that a table of contents of MyST or Jupyter Book names, at any depth,
// some by patterns.
func filesOf(v frontmatter.Value) (files []string) {
	for _, f := range v.Fields {
		switch f.Key {
		case "file", "root", "pattern", "glob":
			files = append(files, scalars(f.Value)...)
		default:
			files = append(files, filesOf(f.Value)...)
		}
	}
	for _, item := range v.Items {
		files = append(files, filesOf(item)...)
	}
	return files
}

// onlyLines returns lines that leave out all but some files, or what patterns name. A table of
// contents may name files without their ending.
func onlyLines(files []string) ignoreLines {
	lines := ignoreLinesOf("*")
	for _, p := range files {
		if p = path.Join("/", p); !dialect.IsMarkdown(p) && !strings.ContainsAny(p, "*?[") {
			p += ".*"
		}
		lines.keep(p)
	}
	return lines
}

// sphinxLines returns lines that leave out what patterns of Sphinx name. Each matches a file or a
// folder by its whole path, and **/ at least one folder.
func sphinxLines(patterns []string) (lines ignoreLines) {
	for _, pattern := range patterns {
		if rest, deep := strings.CutPrefix(pattern, "**/"); deep {
			pattern = "*/**/" + rest
		}
		lines.leaveOut("/" + pattern)
	}
	return lines
}

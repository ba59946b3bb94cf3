package source

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

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
	said := pythonConstants(data, slices.Concat(files, assetKeys(), []string{"external_toc_path", "project", "html_title", "html_baseurl", "language", "author"}))
	r.common(cmp.Or(textOf(said, "html_title"), textOf(said, "project")), "", textOf(said, "html_baseurl"), textOf(said, "language"))
	r.authors(said, "author")
	r.warnOfPython(name, data, said, files)
	u := &r.site.rules
	if patterns := scalars(inner(said, files[0])); len(patterns) > 0 {
		lines := ignoreLinesOf("*")
		for _, pattern := range patterns {
			lines.match(sphinxExpression(pattern), true)
		}
		u.ignore(lines)
	}
	// With sphinx-external-toc, a table of contents may name all pages, as in Jupyter Book.
	if regexp.MustCompile(`(?m)^external_toc_exclude_missing[ \t]*=[ \t]*True\b`).Match(data) {
		if c, found := r.contents(cmp.Or(textOf(said, "external_toc_path"), contentsName)); found {
			u.ignore(c.onlyLines(sphinxExpression))
		}
	}
	u.ignore(sphinxLines(said))
	u.flavour.Math = dollars(true)
	r.site.note(name)
	return true
}

// jupyterBook reads the configuration of Jupyter Book 1, if it lies in the content folder beside a
// table of contents. The book also has the files that this lacks, unless it is said not to.
func (r *siteReader) jupyterBook() (found bool) {
	const name = "_config.yml"
	c, found := r.contents(contentsName)
	if !found {
		return false
	}
	v, _ := r.table(r.root, name)
	r.common(textOf(v, "title"), "", textOf(v, "html", "baseurl"), textOf(v, "sphinx", "config", "language"))
	r.authors(v, "author")
	u := &r.site.rules
	if flagOf(v, "only_build_toc_files") {
		u.ignore(c.onlyLines(sphinxExpression))
	}
	u.ignore(sphinxLines(v))
	u.ignore(sphinxLines(inner(v, "sphinx", "config"))) // settings of Sphinx itself
	u.flavour.Math = dollars(true)
	r.site.note(name)
	return true
}

// myst reads the configuration of MyST, which is that of Jupyter Book 2, too, if it lies in the
// content folder. A table of contents, which may also be that of Jupyter Book 1, names all files of
// the site. Files may be left out of the folder, or of what it names by patterns.
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
	c := contentsOf(inner(project, "toc"))
	if c.isEmpty() {
		c, _ = r.contents(contentsName)
	}
	var lines ignoreLines
	if !c.isEmpty() {
		lines = c.onlyLines(mystExpression)
	}
	for _, pattern := range scalars(inner(project, "exclude")) {
		lines.leaveOut(path.Join("/", pattern))
	}
	c.keepFiles(&lines)
	u.ignore(lines)
	u.flavour.Math = dollars(true)
	r.site.note(name)
	return true
}

// contentsName is the name of a table of contents, unless the configuration gives it another.
const contentsName = "_toc.yml"

// contents reads the table of contents of Jupyter Book 1, if there is one.
func (r *siteReader) contents(name string) (c bookContents, found bool) {
	if name = path.Clean(name); !fs.ValidPath(name) {
		return c, false
	}
	data := r.file(r.root, name)
	if data == nil {
		return c, false
	}
	v, se := frontmatter.ParseTable(name, data)
	if list, notList := frontmatter.ParseList(data); se != nil && notList == nil { // as before its version 0.11
		v, se = list, nil
	}
	if se != nil {
		r.fail(unreadable(name, se))
	}
	return contentsOf(v), true
}

// bookContents are the files that a table of contents of MyST or Jupyter Book names, and the
// patterns by which it names others. Both may lack the ending of the files.
type bookContents struct{ files, patterns []string }

// contentsOf returns what a table of contents names, at any depth.
func contentsOf(v frontmatter.Value) (c bookContents) {
	for _, f := range v.Fields {
		switch f.Key {
		case "file", "root":
			c.files = append(c.files, scalars(f.Value)...)
		case "pattern", "glob":
			c.patterns = append(c.patterns, scalars(f.Value)...)
		default:
			c.add(contentsOf(f.Value))
		}
	}
	for _, item := range v.Items {
		c.add(contentsOf(item))
	}
	return c
}

func (c *bookContents) add(more bookContents) {
	c.files, c.patterns = append(c.files, more.files...), append(c.patterns, more.patterns...)
}

func (c bookContents) isEmpty() bool { return len(c.files)+len(c.patterns) == 0 }

// onlyLines returns lines that leave out all but what the table of contents names. expression makes
// a regular expression of a pattern.
func (c bookContents) onlyLines(expression func(pattern string) string) ignoreLines {
	lines := ignoreLinesOf("*")
	for _, pattern := range c.patterns {
		lines.match(withAnyEnding(expression(inRoot(pattern))), true)
	}
	c.keepFiles(&lines)
	return lines
}

// keepFiles adds lines that keep the files that the table of contents names one by one.
func (c bookContents) keepFiles(lines *ignoreLines) {
	for _, name := range c.files {
		lines.match(withAnyEnding("^"+regexp.QuoteMeta(inRoot(name))+"$"), true)
	}
}

// inRoot returns a path without a beginning such as ./ that stands for the folder of the site.
func inRoot(p string) string { return strings.TrimPrefix(path.Join("/", p), "/") }

// withAnyEnding makes an expression that matches whole paths also match them with an ending.
func withAnyEnding(expression string) string {
	return strings.TrimSuffix(expression, "$") + `(?:\.[^./]*)?$`
}

// assetKeys returns the keys of Sphinx's configuration for folders whose files are no pages.
func assetKeys() []string { return []string{"templates_path", "html_static_path", "html_extra_path"} }

// sphinxLines returns lines that leave out what a configuration of Sphinx leaves out. Each of its
// patterns matches a file or a folder by its whole path.
func sphinxLines(said frontmatter.Value) (lines ignoreLines) {
	for _, key := range append(assetKeys(), "exclude_patterns") {
		for _, pattern := range scalars(inner(said, key)) {
			lines.match(strings.TrimSuffix(sphinxExpression(strings.TrimSuffix(pattern, "/")), "$")+"(?:/.*)?$", false)
		}
	}
	return lines
}

// sphinxExpression returns a pattern of Sphinx as a regular expression. It has no braces, and what
// **/ matches is at least one folder.
func sphinxExpression(pattern string) string {
	return globExpression(strings.NewReplacer(`\`, `\\`, "{", `\{`, "}", `\}`).Replace(pattern))
}

// mystExpression returns a pattern of MyST as a regular expression.
func mystExpression(pattern string) string {
	return globExpression(strings.ReplaceAll(pattern, "**/", "{,**/}"))
}

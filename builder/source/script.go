package source

import (
	"io/fs"
	"path"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/script"
)

// A program is a configuration in JavaScript or TypeScript. It is not run: only values that are
// written out in it are known.
type program struct {
	path   string // from the content folder
	source []byte // nil if it cannot be read
	fault  error  // why it cannot be read
	*script.Program
}

// program reads the first file with one of these names and an extension of JavaScript or
// TypeScript. ok is false if there is none. A program that cannot be read or parsed counts as
// empty, with a warning.
func (r *siteReader) program(names ...string) (p program, ok bool) {
	name := scriptOf(r.root, names...)
	if name == "" {
		return p, false
	}
	source, err := readOptional(r.root, name)
	parsed, mistake := script.Parse(name, source)
	p = program{r.fromContent(name), source, err, parsed}
	const hint = "fix it; until then, the site is read as if it said nothing"
	if err != nil {
		r.report(p.path, frontmatter.Value{}, Warning, err.Error(), hint)
	}
	if mistake != nil {
		r.report(p.path, frontmatter.Value{Line: mistake.Line, Column: mistake.Column}, Warning,
			"the configuration cannot be read: "+mistake.What, hint)
	}
	return p, true
}

// scriptOf returns the name of the first file with one of these names and an extension of
// JavaScript or TypeScript, or "" if there is none.
func scriptOf(fsys fs.FS, names ...string) string {
	for _, name := range names {
		for _, ending := range []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"} {
			if _, err := fs.Stat(fsys, name+ending); !isAbsent(err) {
				return name + ending
			}
		}
	}
	return ""
}

// patterns returns the texts of a list that says which files are pages. If they are not all written
// out, known is false, and a warning is reported.
func (r *siteReader) patterns(p program, of script.Value, key string) (texts []string, known bool) {
	v, ok := of.Get(key)
	if !ok {
		return nil, true
	}
	if texts, known = v.Texts(); !known {
		r.warnOfComputed(p, v, key, "write "+key+" as a list of texts in quotes at its place, or keep what it leaves out in another folder")
	}
	return texts, known
}

// warnOfComputed warns of a key whose value is not written out.
func (r *siteReader) warnOfComputed(p program, v script.Value, key, hint string) {
	r.report(p.path, frontmatter.Value{Line: v.Line, Column: v.Column}, Warning, key+" is not written out, and is not known here", hint)
}

// fromRoot returns, from the root of the project, the path that the configuration in the folder at
// writes as said.
func fromRoot(at, said string) string {
	if path.IsAbs(said) { // as path.join(__dirname, …) makes it; its root is the project
		return strings.TrimPrefix(path.Clean(said), "/")
	}
	return path.Join(at, said)
}

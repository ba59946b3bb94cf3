package source

import (
	"bytes"
	"regexp"
	"strings"
)

// middleman reads the configuration of Middleman, on which Slate is built. It is a program, which
// is not run: only its source folder and the files that it ignores are known, if they are written
// out. Compass has a configuration of the same name.
func (r *siteReader) middleman() (found bool) {
	const name = "config.rb"
	data := r.file(r.root, name)
	if !regexp.MustCompile(`(?m)^\s*(?:activate\s+:\w|configure\s+:build|page\s+["'/]|\w+\.configure\(self\b)`).Match(data) {
		return false
	}
	said := func(call string) (texts []string) {
		for _, m := range regexp.MustCompile(`(?m)^\s*`+call+`[\s(]+["']/?([^"'\n]+)["']`).FindAllSubmatch(data, -1) {
			texts = append(texts, string(m[1]))
		}
		return texts
	}
	dirs := append([]string{"source"}, said(`set[\s(]+:source,`)...)
	r.setBase(dirs[len(dirs)-1])
	u := &r.site.rules
	var expressions []string // that match paths; a.html means a.html.md, too
	for _, pattern := range said("ignore") {
		expressions = append(expressions, fnmatchExpression(pattern))
	}
	for _, m := range regexp.MustCompile(`(?m)^\s*ignore[\s(]+/((?:[^/\\\n]|\\.)+)/`).FindAllSubmatch(data, -1) {
		expressions = append(expressions, string(m[1]))
	}
	var ignored ignoreLines
	for _, expression := range expressions {
		if whole, ok := strings.CutSuffix(expression, "$"); ok {
			expression = whole + `(?:\.\w+)*$`
		}
		ignored.match(expression, false)
	}
	u.ignore(ignored)
	u.middleman, u.dialect.Textual, u.flavour.Lenient, u.flavour.Tildes = true, true, true, true
	u.dialect.Unspaced = bytes.Contains(data, []byte(":redcarpet"))
	r.site.note(name)
	return true
}

// withoutERB returns a path without the ending that makes Middleman run ERB templates in a file.
func (r *rules) withoutERB(p string) string {
	if r.middleman {
		return strings.TrimSuffix(p, ".erb")
	}
	return p
}

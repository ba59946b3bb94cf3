package source

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// readByPython notes that Python-Markdown renders the texts.
func (r *rules) readByPython() {
	r.dialect.Python, r.dialect.Unspaced, r.flavour.Lenient, r.flavour.LastNames, r.flavour.Tildes = true, true, true, true, true
}

// pythonConstants returns the constants with these names that a program in Python sets, in
// unindented lines, to a text or to a list or table of texts. Other constants are left out.
func pythonConstants(program []byte, names []string) frontmatter.Value {
	constants := frontmatter.Value{Kind: frontmatter.Table}
	constant := regexp.MustCompile(
		`(?m)^(` + strings.Join(names, "|") + `)(?:[ \t]*:[^=\n]*)?[ \t]*=[ \t]*([rRuU]?["']|[\[{(])(.*(?:\n(?:[ \t#\])}].*)?)*)`,
	)
	for _, m := range constant.FindAllSubmatch(program, -1) {
		v, ok := valueOfYAML(yamlOfPython(slices.Concat(m[2], m[3])))
		if ok && !slices.ContainsFunc(v.Items, isName) {
			constants = merge(constants, under(string(m[1]), v)) // the last assignment counts
		}
	}
	return constants
}

// yamlOfPython rewrites a Python string, list, tuple or dict as YAML. Other expressions become
// invalid YAML, or text without quotes.
func yamlOfPython(literal []byte) []byte {
	token := regexp.MustCompile(`[rRuU]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*|[()\n]`)
	escaped := regexp.MustCompile(`\\([\\"'])`)
	return token.ReplaceAllFunc(literal, func(t []byte) []byte {
		switch t[0] {
		case '(':
			return []byte("[")
		case ')':
			return []byte("]")
		case '\n':
			return []byte("\n ")
		case '#':
			return nil
		}
		quote := bytes.IndexAny(t, `"'`)
		text := t[quote+1 : len(t)-1]
		if !bytes.ContainsAny(t[:quote], "rR") {
			text = escaped.ReplaceAll(text, []byte("$1"))
		}
		return slices.Concat([]byte("'"), bytes.ReplaceAll(text, []byte("'"), []byte("''")), []byte("'"))
	})
}

// warnOfPython warns of keys whose value is not written out in a program in Python.
func (r *siteReader) warnOfPython(at string, program []byte, said frontmatter.Value, keys []string) {
	assignment := regexp.MustCompile(`(?m)^([ \t]*)(` + strings.Join(keys, "|") + `)\b[ \t]*(\.\w+\(|\[|[+|]?=|:)`)
	for _, m := range assignment.FindAllSubmatchIndex(program, -1) {
		key, how := string(program[m[4]:m[5]]), string(program[m[6]:m[7]])
		v, known := said.Get(key)
		if known && m[2] == m[3] && (how == "=" || how == ":") && (v.Kind == frontmatter.Table) == (key == "DEFAULT_METADATA") {
			continue
		}
		r.report(at, frontmatter.Value{Line: 1 + bytes.Count(program[:m[4]], []byte("\n")), Column: 1 + m[3] - m[2]}, Warning,
			key+" is not written out, and is not known here",
			"write it at the margin, with its texts in quotes, or status: draft into what is not to be published")
	}
}

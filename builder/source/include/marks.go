package include

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mark is a mark in a text, from begin to end.
type mark struct {
	begin, end  int
	form        Forms
	files       []file
	beside      bool                     // whether the file is looked for beside the text only
	rebased     bool                     // whether relative links in the file begin at its folder, not at that of the text
	indent      string                   // of the lines of what is included, after the first
	shape       func(text string) string // makes of what is included what stands in the place of the mark; nil if that is the same
	isComponent bool                     // whether the name of the file is that of a component of MDX
	text        string                   // without files: what the mark shows
}

// file is a file that a mark names, or a part of it.
type file struct {
	name     string
	part     func(text string) (string, bool)
	verbatim bool // whether marks in the file are text
}

// syntax is one way to write a mark.
type syntax struct {
	form    Forms
	word    string // that each such mark has; most texts lack it, and this is seen more quickly
	pattern *regexp.Regexp
	inCode  bool // whether the mark is replaced in code, too
	read    markReader
}

// markReader makes a mark of the groups that its pattern has found; ok is false if it is none.
type markReader func(groups []string) (m mark, ok bool)

// syntaxesOf returns the ways to write marks of some forms. Patterns may begin with the indentation
// of the line.
func syntaxesOf(forms Forms) (of []syntax) {
	const tagEnd = `((?:[^%]|%[^}])*?)-?%\}`
	r := reader{parameters: regexp.MustCompile(`([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'{}]+))`)}
	add := func(form Forms, word, pattern string, inCode bool, read markReader) {
		if forms&form != 0 {
			of = append(of, syntax{form, word, regexp.MustCompile(pattern), inCode, read})
		}
	}
	add(Snippets, "8<-", `(?m:^)[ \t]*(;?)(-+8<-+[ \t]+(?:"([^"\n]+)"|'([^'\n]+)'))[ \t\r]*(?m:$)`, true, escapable(snippet))
	add(Snippets, "8<-", `(?m:^)[ \t]*(;?)(-+8<-+[ \t\r]*\n((?:.*\n)*?)[ \t]*-+8<-+)[ \t\r]*(?m:$)`, true, escapable(snippetBlock))
	add(Braces, "{!", `(\\?)(\{!\s*([^{}\n]+?)\s*!(?:\s*lines=([\d ,-]+))?\})`, true, escapable(braces))
	add(Braces, "{*", `(?m:^)[ \t]*\{\*[ \t]*([^\s{}]+)((?:[ \t]+\w+\[[^{}\[\]\n]*\])*)[ \t]*\*\}[ \t\r]*(?m:$)`, false, variants)
	add(Book, "{{", `(\\?)(\{\{\s*#(\w+)(?:\s([^{}\n]*))?\}\})`, true, escapable(ofBook))
	add(Liquid, "include", `\{%-?\s*include(_relative|_cached)?\s+((?:\{\{[^{}]*\}\}|[^\s%"'{])+)(\s`+tagEnd+`|-?%\})`, true, r.liquid)
	add(Quoted, "include", `\{%-?\s*include(-markdown)?\s+(?:"([^"\n]+)"|'([^'\n]+)')`+tagEnd, true, r.quoted)
	add(Comments, "@include", `<!--\s*@include:\s*([^\n]+?)\s*-->`, true, comment)
	add(Comments, "<<<", `(?m:^)[ \t]*<<<[ \t]*([@./~][^\n]*)`, false, listing)
	add(Comments, "@[code", `@\[code([^\]\n]*)\]\(([^()\n]+)\)`, false, listingOfVuePress)
	add(Imports, "<include", `<include(?:\s+[^<>]*)?>([^<>\n]+)</include>`, false, simple(apart))
	add(Imports, "::include", `::include\[([^\]\n]+)\]`, false, simple(apart))
	add(DocFX, "[!", `\[!(?:include|INCLUDE|Include)[ \t]*\[[^\]\n]*\]\(([^)\s]+)[^)\n]*\)[ \t]*\]`, false, simple(nil))
	add(MyST, "include}", "(?m:^)[ \\t]*(?:`{3,}|~{3,}|:{3,})\\{(include|literalinclude)\\}[ \\t]*(\\S+)[ \\t\\r]*\\n((?:[ \\t]*:[\\w-]+:.*\\n)*)\\s*(?:`{3,}|~{3,}|:{3,})", false, ofMyST)
	add(Shortcodes, "{{", `\{\{[<%]\s*(?:include|includeFile|include-file|include-html|readfile|readFile)\s+(?:(?:file|src|path)\s*=\s*)?(?:["']([^"'\n]+)["']|([\w./-]+\.\w+))([^{}]*?)/?\s*[>%]\}\}`, true, r.shortcode)
	add(Imports, "import", `<([A-Z]\w*)((?:\s(?:[^<>"'{}]|"[^"]*"|'[^']*'|\{[^{}]*\})*?)?)\s*(?:/>|>\s*</([A-Z]\w*)>)`, false, r.component)
	return of
}

// marks returns the marks of a text, in their order.
func (x *Expander) marks(text string) (all []mark) {
	possible := slices.DeleteFunc(slices.Clone(x.syntaxes), func(s syntax) bool { return !strings.Contains(text, s.word) })
	if len(possible) == 0 {
		return nil
	}
	codes := codesOf(text)
	raws := rawsOf(text)
	for _, s := range possible {
		for _, at := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
			m, ok := s.read(groupsOf(text, at))
			if !ok || !s.inCode && isIn(codes, at[0]) || s.form&(Liquid|Quoted) != 0 && isIn(raws, at[0]) {
				continue
			}
			if s.form == Snippets && m.text != "" && !isIn(codes, at[0]) { // what is shown is read as Markdown, which knows the mark, too
				m.text = `\` + m.text
			}
			m.form, m.begin, m.end = s.form, at[0], at[1]
			for text[m.begin] == ' ' || text[m.begin] == '\t' {
				m.begin++
			}
			before := strings.TrimRight(text[:m.begin], " \t")
			if m.form&(Snippets|Braces|Quoted|Comments|MyST) != 0 && (before == "" || strings.HasSuffix(before, "\n")) {
				m.indent = text[len(before):m.begin]
			}
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b mark) int { return cmp.Compare(a.begin, b.begin) })
	return withImports(text, all)
}

// reader reads marks with parameters.
type reader struct{ parameters *regexp.Regexp }

// parametersOf reads parameters, such as x="text". known is whether all of them are texts, numbers
// or truth values, and not variables.
func (r reader) parametersOf(s string) (values map[string]string, known bool) {
	values, known = map[string]string{}, true
	if !strings.Contains(s, "=") {
		return values, known
	}
	for _, m := range r.parameters.FindAllStringSubmatch(s, -1) {
		values[m[1]] = strings.NewReplacer(`\"`, `"`, `\'`, "'").Replace(cmp.Or(m[2], m[3], m[4]))
		if m[4] != "" && m[4] != "true" && m[4] != "false" && strings.Trim(m[4], "-0123456789.") != "" {
			delete(values, m[1])
			known = false
		}
	}
	return values, known
}

// rawsOf returns where the tags of a text are shown as they are.
func rawsOf(text string) [][]int {
	if !strings.Contains(text, "endraw") {
		return nil
	}
	return regexp.MustCompile(`(?s)\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}`).FindAllStringIndex(text, -1)
}

// isTemplate reports whether a file of this name is a template of Eleventy.
func isTemplate(name string) bool {
	return slices.Contains([]string{".njk", ".liquid", ".html", ".webc"}, path.Ext(name))
}

// runs reports whether a template has tags that run: what they make only the whole site could tell.
func runs(text string) bool {
	at := 0
	for _, raw := range append(rawsOf(text), []int{len(text), len(text)}) {
		if outside := text[at:raw[0]]; strings.Contains(outside, "{{") || strings.Contains(outside, "{%") {
			return true
		}
		at = raw[1]
	}
	return false
}

// isIn reports whether an index is in one of the ranges, which are in their order.
func isIn(ranges [][]int, at int) bool {
	i, _ := slices.BinarySearchFunc(ranges, at, func(r []int, at int) int { return cmp.Compare(r[1], at+1) })
	return i < len(ranges) && ranges[i][0] <= at
}

func groupsOf(text string, at []int) []string {
	groups := make([]string, len(at)/2)
	for i := range groups {
		if begin := at[2*i]; begin >= 0 {
			groups[i] = text[begin:at[2*i+1]]
		}
	}
	return groups
}

// codesOf returns where the fenced code of a text is, without the first character of its fence: a
// mark of MyST begins there.
func codesOf(text string) (codes [][]int) {
	at, fence, began := 0, "", 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " \t>")
		marks := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		if marks == "" {
			marks = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "~"))]
		}
		switch {
		case len(marks) < 3:
		case fence == "":
			fence, began = marks, at
		case strings.HasPrefix(marks, fence) && strings.TrimSpace(trimmed) == marks:
			codes = append(codes, []int{began + 1, at})
			fence = ""
		}
		at += len(line)
	}
	if fence != "" {
		codes = append(codes, []int{began + 1, len(text)})
	}
	return codes
}

// simple returns the reader of a mark that says nothing but the name of a file.
func simple(shape func(text string) string) markReader {
	return func(groups []string) (mark, bool) {
		return mark{rebased: true, shape: shape, files: []file{{name: strings.TrimSpace(groups[1]), part: whole}}}, true
	}
}

// apart makes of a text a block of its own.
func apart(text string) string { return "\n\n" + text + "\n\n" }

// escapable returns the reader of a mark that is text, namely its second group, if the first one, a
// sign before it, is not empty.
func escapable(read markReader) markReader {
	return func(groups []string) (mark, bool) {
		if groups[1] != "" {
			return mark{text: groups[2]}, true
		}
		return read(groups)
	}
}

func snippet(groups []string) (mark, bool) {
	name := strings.TrimSpace(cmp.Or(groups[3], groups[4]))
	if strings.HasPrefix(name, ";") { // switched off
		return mark{}, true
	}
	return mark{files: []file{snippetFile(name)}}, true
}

func snippetBlock(groups []string) (mark, bool) {
	var m mark
	for name := range strings.Lines(groups[3]) {
		if name = strings.TrimSpace(name); name != "" && !strings.HasPrefix(name, ";") {
			m.files = append(m.files, snippetFile(name))
		}
	}
	return m, true
}

// snippetFile reads the name of a file of PyMdown's snippets, which may end in lines or in the name
// of a section.
func snippetFile(name string) file {
	f := file{name: name, part: whole}
	if strings.Contains(name, "://") {
		return f
	}
	if before, part, found := strings.Cut(name, ":"); found {
		f.name, f.part = before, func(text string) (string, bool) {
			if lines, ok := ranges(part, ":"); ok {
				return lines(text)
			}
			mark := func(word string) string {
				return `-+8<-+[ \t]+\[[ \t]*` + word + `[ \t]*:[ \t]*` + regexp.QuoteMeta(part) + `[ \t]*\]`
			}
			return section(text, mark("start"), mark("end"))
		}
	}
	inner := f.part
	f.part = func(text string) (string, bool) {
		text, ok := inner(text)
		return withoutLines(text, "8<-", `-+8<-+[ \t]+\[[ \t]*(?:start|end)[ \t]*:`), ok
	}
	return f
}

func braces(groups []string) (mark, bool) {
	name, _, _ := strings.Cut(strings.TrimLeft(groups[3], "+->"), "|") // how mdx_include reads the file, and its encoding
	name, slice, _ := strings.Cut(name, "[ln:")
	lines, _ := ranges(strings.Join(strings.Fields(strings.TrimRight(slice, "] ")+" "+groups[4]), ","), "-")
	return mark{files: []file{{name: strings.TrimSpace(name), part: lines}}}, true
}

// variants reads {* a.py ln[1:3,8] hl[2] *}, where ln are the lines to show and hl those to mark.
func variants(groups []string) (mark, bool) {
	_, list, _ := strings.Cut(groups[2], "ln[")
	list, _, _ = strings.Cut(list, "]")
	lines, _ := ranges(strings.ReplaceAll(list, " ", ""), ":")
	return listingOf(groups[1], path.Ext(groups[1]), lines)
}

func ofBook(groups []string) (mark, bool) {
	words := strings.Fields(groups[4])
	var m mark
	switch word := groups[3]; {
	case word == "title" || word == "template":
		return m, true
	case len(words) == 0 || word != "include" && word != "rustdoc_include" && word != "playground" && word != "playpen":
		return m, false // such as {{#if}} of Handlebars
	case word == "playground" || word == "playpen":
		m.shape = func(text string) string { return fenced("rust", text) }
	}
	name, part, _ := strings.Cut(words[0], ":")
	m.files = []file{{name: name, verbatim: path.Ext(name) != ".md", part: func(text string) (string, bool) {
		if lines, ok := ranges(part, ":"); ok {
			return lines(text)
		}
		anchor := `:\s*` + regexp.QuoteMeta(part) + `(?:[^\w-]|$)`
		text, ok := section(text, "ANCHOR"+anchor, "ANCHOR_END"+anchor)
		return withoutLines(text, "ANCHOR", `ANCHOR(?:_END)?:`), ok
	}}}
	return m, true
}

func (r reader) quoted(groups []string) (mark, bool) {
	options, _ := r.parametersOf(groups[4])
	name := cmp.Or(groups[2], groups[3])
	m := mark{rebased: groups[1] != "", files: []file{{name: name, part: func(text string) (string, bool) {
		part, found := between(text, options["start"], options["end"])
		return part, found && !(isTemplate(name) && runs(part))
	}}}}
	if offset, err := strconv.Atoi(options["heading-offset"]); err == nil {
		m.shape = func(text string) string { return withLevels(text, offset) }
	}
	return m, true
}

func comment(groups []string) (mark, bool) {
	name, lines, _ := strings.Cut(groups[1], "{")
	name, region, _ := strings.Cut(name, "#")
	return mark{files: []file{{name: strings.TrimSpace(name), part: regionOrLines(region, strings.TrimSuffix(strings.TrimSpace(lines), "}"))}}}, true
}

// listing reads <<< a.js#region{2,4 js} [title] of VitePress, where the numbers are lines that are
// highlighted.
func listing(groups []string) (mark, bool) {
	name := strings.TrimSpace(groups[1])
	if strings.HasSuffix(name, "]") {
		name, _, _ = strings.Cut(name, "[")
	}
	name, options, _ := strings.Cut(name, "{")
	name, region, _ := strings.Cut(strings.TrimSpace(name), "#")
	language := path.Ext(name)
	for word := range strings.FieldsSeq(strings.Trim(options, "{} ")) {
		if strings.Trim(word, "0123456789,-") != "" {
			language = word
		}
	}
	return listingOf(name, language, regionOrLines(strings.TrimSpace(region), ""))
}

// listingOfVuePress reads @[code{1-3} js](a.js), where the numbers are the lines to show. It also
// reads @[code lang=js transclude={1-3}](a.js) and @[code transcludeWith=mark](a.js), which shows
// what stands between lines with the mark.
// https://www.npmjs.com/package/markdown-it-vuepress-code-snippet-enhanced
func listingOfVuePress(groups []string) (mark, bool) {
	name, region, _ := strings.Cut(groups[2], "#")
	lines, options, _ := strings.Cut(groups[1], " ")
	language, border := "", ""
	for option := range strings.FieldsSeq(options) {
		switch key, value, given := strings.Cut(option, "="); {
		case !given && language == "":
			language, _, _ = strings.Cut(option, "{")
		case key == "lang":
			language = value
		case key == "transclude":
			lines = value
		case key == "transcludeWith":
			border = regexp.QuoteMeta(value) + `(?:\W|$)`
		case given && key != "highlight": // it makes something of the file that is not known here
			return mark{}, false
		}
	}
	lines = strings.Trim(lines, "{}")
	if strings.Trim(lines, "0123456789,-") != "" {
		return mark{}, false
	}
	part := regionOrLines(region, lines)
	if border != "" {
		part = func(text string) (string, bool) { return section(text, border, border) }
	}
	return listingOf(name, cmp.Or(language, path.Ext(name)), part)
}

func listingOf(name, language string, part func(string) (string, bool)) (mark, bool) {
	language, _, _ = strings.Cut(strings.TrimPrefix(language, "."), ":")
	return mark{
		files: []file{{name: name, verbatim: true, part: func(text string) (string, bool) {
			text, ok := part(text)
			return dedented(text), ok
		}}},
		shape: func(text string) string { return fenced(language, text) },
	}, true
}

// component reads a component of MDX, whose name stands for that of its file.
func (r reader) component(groups []string) (mark, bool) {
	properties, _ := r.parametersOf(groups[2])
	return mark{files: []file{{name: groups[1], part: func(text string) (string, bool) {
		places := regexp.MustCompile(`\{\s*props\.(\w+)\s*\}`)
		left := maxBytes
		return places.ReplaceAllStringFunc(text, func(found string) string {
			value := properties[places.FindStringSubmatch(found)[1]]
			if left -= len(value); left < 0 {
				return ""
			}
			return value
		}), true
	}}}, shape: apart, isComponent: true, rebased: true}, groups[3] == "" || groups[3] == groups[1]
}

// withImports gives components the names of the files from which a text imports them, and leaves
// out those that it imports from no Markdown.
func withImports(text string, marks []mark) []mark {
	files := map[string]string{}
	if slices.ContainsFunc(marks, func(m mark) bool { return m.isComponent }) {
		for _, m := range regexp.MustCompile(`(?m)^import\s+([A-Z]\w*)\s+from\s+['"]([^'"\n]+\.mdx?)['"]`).FindAllStringSubmatch(text, -1) {
			files[m[1]] = m[2]
		}
	}
	return slices.DeleteFunc(marks, func(m mark) bool {
		if m.isComponent {
			m.files[0].name = files[m.files[0].name]
		}
		return m.isComponent && m.files[0].name == ""
	})
}

func ofMyST(groups []string) (mark, bool) {
	options := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^[ \t]*:([\w-]+):[ \t]*(.*?)[ \t\r]*$`).FindAllStringSubmatch(groups[3], -1) {
		options[m[1]] = strings.Trim(m[2], `"'`) // the values are those of YAML
	}
	m := mark{files: []file{{name: groups[2], part: func(text string) (string, bool) {
		if lines, ok := ranges(options["lines"], "-"); ok {
			text, _ = lines(text)
		}
		return between(text, options["start-after"], options["end-before"])
	}}}}
	if groups[1] == "literalinclude" {
		m.files[0].verbatim = true
		m.shape = func(text string) string { return fenced(options["language"], text) }
	}
	return m, true
}

func (r reader) shortcode(groups []string) (mark, bool) {
	m := mark{files: []file{{name: cmp.Or(groups[1], groups[2]), part: whole}}} // which needs no quotes
	if options, _ := r.parametersOf(groups[3]); options["code"] == "true" || options["lang"] != "" {
		m.files[0].verbatim = true
		m.shape = func(text string) string { return fenced(options["lang"], text) }
	}
	return m, true
}

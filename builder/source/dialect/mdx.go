package dialect

import (
	"bytes"
	"html"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"newsstand/builder/source/markdown"
	"newsstand/builder/source/script"
)

// setApart puts blank lines between the HTML tags at both ends of a line of MDX and the text
// between and after them: to MDX that text is Markdown, to other programs it would be HTML. The
// line has been written; it begins at from in out. <p> is dropped: Markdown makes paragraphs by
// itself. An inline or void tag that begins a block and is alone on its line is set apart as well.
func (t *reader) setApart(from int, begins bool) {
	line := string(t.out.Bytes()[from:])
	n := len(indentOf(line))
	for _, marker := markerOf(line[n:], 0); marker > 0; _, marker = markerOf(line[n:], 0) {
		n += marker
		n += len(indentOf(line[n:]))
	}
	before, text := line[:n], strings.TrimSpace(line[n:])
	isItem := strings.TrimSpace(before) != ""
	opening, paragraph, text := tagsBefore(text)
	closing, ends, text := tagsAfter(text)
	switch {
	case !paragraph && !ends && opening == "":
		begins = begins || strings.HasPrefix(text, "</") || bytes.HasSuffix(t.out.Bytes()[:from], []byte("\n\n")) // after a tag that was set apart
		name, length := tagOf(text)
		isTag := begins && length > 0 && length == len(text) && (markdown.IsVoid(name) || !markdown.BeginsLine(name))
		if isTag || name == "iframe" && strings.HasSuffix(text, "</iframe>") {
			t.out.WriteByte('\n')
		}
		return
	case text == "" && isItem: // the lines that follow are in the item
		t.out.WriteByte('\n')
		return
	case text != "" && opening+closing != "" && strings.ContainsAny(text, "*_`[~"):
		space := quotesOf(before)
		text = "\n\n" + space + text + "\n\n" + space
	}
	t.out.Truncate(from)
	if paragraph && !isItem {
		t.out.WriteByte('\n')
	}
	t.out.WriteString(before + opening + text + closing + "\n")
	if ends || text == "" {
		t.out.WriteByte('\n')
	}
}

// tagsBefore cuts block tags off the front of a text, and drops <p>; paragraph is whether there was
// a <p>.
func tagsBefore(s string) (tags string, paragraph bool, rest string) {
	var all strings.Builder
	for {
		name, length := tagOf(s)
		if !holdsMarkdown(name) {
			return all.String(), paragraph, s
		}
		if name == "p" {
			paragraph = true
		} else {
			all.WriteString(s[:length])
		}
		s = strings.TrimLeft(s[length:], " \t")
	}
}

// tagsAfter does the same as tagsBefore with end tags at the end of a text; ends is whether there
// are any.
func tagsAfter(s string) (tags string, ends bool, rest string) {
	var all []string // the last one first
	for {
		at := max(0, strings.LastIndex(s, "</"))
		name, length := tagOf(s[at:])
		if !holdsMarkdown(name) || at+length < len(s) {
			slices.Reverse(all)
			return strings.Join(all, ""), ends, s
		}
		if ends = true; name != "p" {
			all = append(all, s[at:])
		}
		s = strings.TrimRight(s[:at], " \t")
	}
}

// holdsMarkdown reports whether an HTML element is a block that may hold Markdown in MDX.
func holdsMarkdown(name string) bool {
	switch a := atom.Lookup([]byte(name)); a {
	case atom.Pre, atom.Hr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return false
	case atom.Thead, atom.Tbody, atom.Tfoot, atom.Th, atom.Td, atom.Form, atom.Fieldset, atom.Dialog:
		return true
	default:
		return markdown.BeginsLine(name)
	}
}

// imports skips imports and exports of MDX, which end at a blank line outside of brackets, and
// imports of components in other Markdown, which end with their paragraph. It reports whether line
// begins such statements.
func (t *reader) imports(line string) bool {
	if t.Generator != Plain || !strings.HasPrefix(line, "import ") && !(t.MDX && strings.HasPrefix(line, "export ")) {
		return false
	}
	if t.MDX && t.vain < maxVainBytes {
		text := line + t.following[:min(len(t.following), shortStatementBytes)]
		length, closed := script.Statements(text)
		if !closed || length == len(text) {
			text = line + t.following
			length, closed = script.Statements(text)
		}
		if !closed {
			t.vain += len(text)
		}
		t.skip = length - len(line)
		return true
	}
	more := 0
	for next := range strings.Lines(t.following) {
		if strings.TrimSpace(next) == "" {
			break
		}
		more += len(next)
	}
	if !t.MDX && !t.pattern(onlyImports).MatchString(line+t.following[:more]) {
		return false
	}
	t.skip = more
	return true
}

// shortStatementBytes is how many bytes of imports and exports are read at first: most are shorter,
// and a text may have many.
const shortStatementBytes = 1 << 10

// onlyImports matches a paragraph that is nothing but imports.
const onlyImports = `^(?:import\s+(?:[\w$\s{},*]+\s+from\s+)?(?:'[^'\n]+'|"[^"\n]+");?\s*)+$`

// formula writes a TeX formula in MDX as it is, because its braces are not expressions, and returns
// its length.
func (t *reader) formula() int {
	if !t.MDX {
		return 0
	}
	length := 0
	if rest := t.rest(); strings.HasPrefix(rest, "$$") { // which may have several lines
		isFence := strings.TrimSpace(t.line) == "$$"
		length = t.ahead(0, func(s string) int { return formulaLength(s, "$$", isFence) })
	} else {
		length = max(0, formulaLength(rest, "$", false))
	}
	t.out.WriteString(t.next(length))
	return length
}

// formulaLength returns the length of the formula that a text begins with, including its two marks;
// 0 if it is none, and unfinished if the second mark is missing. isFence is whether the first mark
// is alone on its line.
func formulaLength(s, mark string, isFence bool) int {
	inner, _, closed := strings.Cut(s[len(mark):], mark)
	switch {
	case !closed:
		return unfinished
	case isFence, strings.Contains(inner, `\`), strings.Contains(inner, "_{"), strings.Contains(inner, "^{"):
	case mark == "$" || hasBlankLine(inner): // sums of money, or signs of a price far from each other
		return 0
	}
	return len(inner) + 2*len(mark)
}

// expression reads an expression of MDX and returns its length. It writes only texts that are
// written out in it, and texts of the front matter, as in {frontMatter.title} of Docusaurus,
// {frontmatter.title} of Astro or {title} of mdsvex.
func (t *reader) expression() int {
	if !t.MDX || t.atHeadingID() {
		return 0
	}
	length := t.ahead(0, closing)
	if length == 0 {
		return 0
	}
	inner := t.next(length)[1 : length-1]
	shown := stringIn(inner)
	if object, key, _ := strings.Cut(strings.TrimSpace(inner), "."); strings.EqualFold(object, "frontmatter") {
		shown = asMarkdown(t.own(key))
	} else if t.Svelte && shown == "" && key == "" { // the keys of the front matter are variables
		shown = asMarkdown(t.own(object))
	}
	if shown != "" {
		t.out.WriteString(shown)
	} else if text := templateIn(inner); text != "" {
		t.lines(text)
	}
	return length
}

// lines writes a text that a component may show line by line, such as a listing or a diagram: as
// code if it stands alone, and within a paragraph as text.
func (t *reader) lines(text string) {
	const mostTag = 256 // bytes of an opening tag <pre> and the tags after it
	tail := t.out.Bytes()[max(0, t.out.Len()-mostTag):]
	line := strings.TrimSpace(string(t.lastLine()))
	_, _, other := tagsBefore(line)
	switch {
	case bytes.LastIndex(tail, []byte("<pre")) > bytes.LastIndex(tail, []byte("</pre")):
		t.out.WriteString(html.EscapeString(text))
	case other != "" || !strings.Contains(text, "\n"):
		t.out.WriteString(asMarkdown(strings.Join(strings.Fields(text), " ")))
	default:
		indent := "\n" + strings.Repeat(" ", t.code.container().column)
		code := "<pre><code>" + html.EscapeString(strings.Trim(text, "\n")) + "</code></pre>"
		t.out.WriteString(strings.ReplaceAll("\n\n"+code+"\n\n", "\n", indent))
		t.from = t.out.Len()
	}
}

// templateIn returns the text of an expression that is nothing but a template literal, such as
// {`…`}; "" for any other, and for one into which the program puts other texts.
func templateIn(expression string) string {
	s := strings.TrimSpace(expression)
	if len(s) < 2 || s[0] != '`' || s[len(s)-1] != '`' {
		return ""
	}
	s = s[1 : len(s)-1]
	if strings.TrimSpace(s) == "" {
		return ""
	}
	unescaped := strings.NewReplacer(`\\`, "", "\\`", "", `\$`, "").Replace(s)
	if strings.Contains(unescaped, "`") || strings.Contains(unescaped, "${") {
		return ""
	}
	return strings.NewReplacer(`\\`, `\`, "\\`", "`", `\$`, "$").Replace(s)
}

// stringIn returns the text of an expression that is nothing but a string; "" for any other.
func stringIn(expression string) string {
	s := strings.TrimSpace(expression)
	n := len(s)
	if n < 2 || strings.IndexByte("\"'`", s[0]) < 0 || s[n-1] != s[0] || strings.ContainsAny(s[1:n-1], s[:1]+"$\\\n") {
		return ""
	}
	return s[1 : n-1]
}

// addressIn returns the address that an expression is known to give: a string, or the argument of
// Docusaurus's require('./a.png').default or useBaseUrl('/a.png'); "" for any other expression.
func addressIn(expression string) string {
	s := strings.TrimSuffix(strings.TrimSpace(expression), ".default")
	if inner, closed := strings.CutSuffix(s, ")"); closed {
		s = strings.TrimPrefix(strings.TrimPrefix(inner, "require("), "useBaseUrl(")
	}
	return stringIn(s)
}

// closing returns the length of the JavaScript in braces that s begins with; unfinished if the
// braces do not close.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"', '\'', '`':
			if i > 0 && s[i] == '\'' && markdown.IsLetterOrDigit(s[i-1]) { // an apostrophe within a text
				continue
			}
			i += quoted(s[i:])
		}
	}
	return unfinished
}

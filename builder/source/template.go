package source

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"newsstand/builder/source/frontmatter"
)

// templates takes the template code of generators out of Markdown. What stands between
// tags is text and stays. Code blocks and code spans stay byte for byte, but for the
// escapes of the generator itself: there it would show them otherwise, too.
//
//	Hugo     {{< x >}} {{% x %}}; {{</* x */>}} shows {{< x >}}, in code as well; highlight
//	         becomes a fenced block, figure a picture, ref and relref the path of a file
//	Jekyll   {% x %} {{ x }} {: x} {::comment} x {:/}; what is between raw and endraw stays, comments go,
//	         highlight becomes a fenced block, link and post_url the path of a file, and
//	         {{ "text" | relative_url }} its text, {{ page.title }} that of the front matter;
//	         tags of raw go from code as well
//	Zola     {{ x() }} {% x() %} … {% end %} {# x #}; {{/* x() */}} and {%/* x() */%} show
//	         themselves without the slashes and stars, in code as well
//	plain    all of these and {/* x */}; in .mdx files import and export lines,
//	         {expressions} and <Components>; the links and comments of notes, see note
//
// The marks that other Markdown dialects set at boxes and the like become what readers
// see of them; see mark.
type templates struct {
	generator generator
	mdx       bool
	rawInCode bool              // whether tags of raw go from code, too
	isHTML    bool              // whether it is HTML, not Markdown
	line      int               // of the file, on which the body begins
	meta      frontmatter.Value // the front matter
	problems  []Problem

	markdown []byte          // all of it
	names    map[string]bool // of the links that it gives an address; nil until one is asked for

	pairs    []pair // of the generator
	out      bytes.Buffer
	code     codeLines
	raw      bool      // whether {% raw %} is open
	listing  bool      // whether a tag that becomes a fenced block is open
	rawCode  codeLines // the blocks of code within raw
	verbatim bool      // whether the line is code in which tags run
	comment  bool      // whether the line before was a paragraph that is only a comment so far
	// following is what stands behind the line, as far as the end of a tag is looked for;
	// skip is how much of it belongs to a tag that the line began.
	following string
	skip      int
	vain      int  // how many bytes were read for nothing; see maxVainBytes
	ruled     bool // whether the line before was of a table that has the line below its head
	columns   int  // of the line before, if it was the head of a table
	boxes     int  // how many boxes of indented lines are open
	html      openHTML
}

// strip returns the Markdown without template code.
func (t *templates) strip(markdown []byte) []byte {
	t.pairs = t.generator.pairs()
	if t.generator == jekyll && textOf(t.meta, "render_with_liquid") == "false" {
		t.pairs, t.rawInCode = []pair{{"{:", "}"}}, false
	}
	if t.mdx && bytes.Contains(markdown, []byte("mdx-code-block")) { // which Docusaurus shows as what it is
		for _, fence := range []string{"````", "```"} {
			block := regexp.MustCompile("(?ms)^ *" + fence + "mdx-code-block\\r?\\n(.*?)^ *" + fence + "[ ]*\\r?$")
			markdown = block.ReplaceAll(markdown, []byte("\n$1"))
		}
	}
	noBrace := bytes.IndexByte(markdown, '{') < 0 // as most have none
	has := func(needle string) bool {
		return !(noBrace && strings.Contains(needle, "{")) && bytes.Contains(markdown, []byte(needle))
	}
	if !t.mdx && !slices.ContainsFunc(t.needles(), has) && !bytes.HasPrefix(markdown, []byte("import ")) && !(t.generator == plain && hasComponent(markdown)) {
		return markdown
	}
	t.markdown = markdown
	s := string(markdown)
	t.out.Grow(len(s))
	t.code = codeLines{blank: true}
	number := t.line - 1
	at := 0
	for line := range strings.Lines(s) {
		number++
		at += len(line)
		t.following = s[at:min(len(s), at+maxTagBytes)]
		if t.skip >= len(line) {
			t.skip -= len(line)
			continue
		}
		line = line[t.skip:]
		if t.skip > 0 && strings.TrimSpace(line) == "" && len(bytes.TrimSpace(t.lastLine())) > 0 { // the end of a line, not a blank one
			t.skip = 0
			t.out.WriteString(line)
			continue
		}
		if t.skip = 0; t.boxes > 0 {
			line = t.unindent(line)
		}
		text := t.code.fence == ""
		begins := text && (t.code.blank || t.comment)
		t.comment = begins && isComment(line)
		t.code.fencedOnly = t.mdx || t.generator == jekyll && t.html.open > 0 || t.html.components > 0
		if t.isHTML {
			t.inline(line, number)
			continue
		}
		isCode := !t.raw && !t.listing && t.code.is(line)
		if !t.raw {
			t.rawCode = codeLines{blank: true}
		}
		t.verbatim = t.listing || t.raw && t.rawCode.is(line)
		line = t.code.toLeft(line)
		switch {
		case t.verbatim:
			t.inline(line, number)
		case isCode:
			if t.mdx && text {
				t.out.WriteByte('\n') // MDX needs no blank line behind a tag of HTML
			}
			t.codeLine(line)
		case begins && t.imports(line):
			t.out.WriteString("\n")
		default:
			from := t.out.Len()
			if t.generator == jekyll {
				line = t.row(line, begins)
			}
			if (t.generator == jekyll || t.generator == plain) && (strings.HasPrefix(line, "<") || t.html.open > 0) {
				line = markdownApart(line)
			}
			t.inline(t.mark(line), number)
			if t.generator == plain && strings.HasPrefix(strings.TrimSpace(line), ":::") { // which ends what is before it
				t.code.blank = true
			}
			switch {
			case t.mdx:
				t.setApart(from, begins)
			case (t.generator == jekyll || t.generator == plain) && t.html.add(line):
				t.out.WriteByte('\n') // which ends the HTML for others
			}
		}
	}
	return t.out.Bytes()
}

// maxTagBytes is how far behind the line on which a tag begins its end is looked for.
const maxTagBytes = 64 << 10

// needles are what Markdown has that is not left as it is.
func (t *templates) needles() []string {
	n := []string{"[!"}
	for _, p := range t.pairs {
		n = append(n, p.open)
	}
	switch t.generator {
	case hugo:
		n = append(n, "\n{")
	case jekyll:
		n = append(n, "<", "|")
	case plain:
		n = append(n, "\n{", "){", "]{", "*{", "_{", "`{", "}{", " {.", "{/*", "={", ":::", "!!! ", "??? ", "=== ", "\nimport ", " markdown", "[toc]", "[TOC]", "[[", "%%", "==", "^", "<<< ")
	}
	return n
}

// unindent takes the indentation of the open boxes from a line, and closes those that it
// is not within.
func (t *templates) unindent(line string) string {
	if strings.TrimSpace(line) == "" {
		return line
	}
	open := 0
	for ; open < t.boxes; open++ {
		rest, ok := strings.CutPrefix(line, "    ")
		if !ok {
			if rest, ok = strings.CutPrefix(line, "\t"); !ok {
				break
			}
		}
		line = rest
	}
	t.boxes = open
	return line
}

// imports passes over imports and exports of MDX, which end at a line that is blank and
// within no brackets, and over those of components into other Markdown, which end with their paragraph.
func (t *templates) imports(line string) bool {
	if t.generator != plain || !strings.HasPrefix(line, "import ") && !(t.mdx && strings.HasPrefix(line, "export ")) {
		return false
	}
	length, depth := 0, 0
	for next, rest := line, t.following; next != ""; {
		if (depth <= 0 || !t.mdx) && strings.TrimSpace(next) == "" {
			break
		}
		for _, c := range next {
			switch c {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				depth--
			}
		}
		length += len(next)
		end := strings.IndexByte(rest, '\n') + 1
		if end == 0 {
			end = len(rest)
		}
		next, rest = rest[:end], rest[end:]
	}
	if !t.mdx && !onlyImports(line+t.following[:length-len(line)]) {
		return false
	}
	t.skip = length - len(line)
	return true
}

// isComment reports whether a line is nothing but comments of HTML or MDX.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "<!--") && strings.HasSuffix(line, "-->") || strings.HasPrefix(line, "{/*") && strings.HasSuffix(line, "*/}")
}

// onlyImports reports whether a paragraph is nothing but imports.
func onlyImports(s string) bool {
	return regexp.MustCompile(`^(?:import\s+(?:[\w$\s{},*]+\s+from\s+)?(?:'[^'\n]+'|"[^"\n]+");?\s*)+$`).MatchString(s)
}

// codeLine writes a line of code, with the generator's own escapes undone.
func (t *templates) codeLine(line string) {
	switch t.generator {
	case hugo:
		if !strings.Contains(line, "/*") && !strings.Contains(line, "*/") {
			break
		}
		line = strings.NewReplacer("{{</*", "{{<", "*/>}}", ">}}", "{{%/*", "{{%", "*/%}}", "%}}").Replace(line)
	case zola:
		if !strings.Contains(line, "/*") && !strings.Contains(line, "*/") {
			break
		}
		line = strings.NewReplacer("{{/*", "{{", "*/}}", "}}", "{%/*", "{%", "*/%}", "%}").Replace(line)
	}
	if t.rawInCode && strings.Contains(line, "{%") && strings.Contains(line, "raw") {
		without := rawTag().ReplaceAllString(line, "")
		if without != line && strings.TrimSpace(without) == "" {
			return
		}
		line = without
	}
	t.out.WriteString(line)
}

func rawTag() *regexp.Regexp { return regexp.MustCompile(`\{%-?\s*(?:end)?raw\s*-?%\}`) }

// pair is how a piece of template code begins and ends.
type pair struct{ open, close string }

// pairs are those of template code; longer beginnings first.
func (g generator) pairs() []pair {
	shortcode := []pair{{"{{</*", "*/>}}"}, {"{{%/*", "*/%}}"}, {"{{<", ">}}"}, {"{{%", "%}}"}}
	escaped := []pair{{"{{/*", "*/}}"}, {"{%/*", "*/%}"}}
	liquid := []pair{{"{%", "%}"}, {"{{", "}}"}}
	switch g {
	case hugo:
		return shortcode
	case jekyll:
		return append(liquid, pair{"{:", "}"})
	case zola:
		return append(append(escaped, liquid...), pair{"{#", "#}"})
	}
	return slices.Concat(shortcode, escaped, liquid, []pair{{"{:", "}"}, {"{#", "#}"}, {"{/*", "*/}"}})
}

// inline writes a line of text without its template code.
func (t *templates) inline(line string, number int) {
	begin := "`{<"
	if t.generator == plain {
		begin = "\\`{<[%=^$"
	}
	for at := 0; at < len(line); {
		if n := strings.IndexAny(line[at:], begin); n != 0 {
			if n < 0 { // as in most lines
				n = len(line) - at
			}
			t.out.WriteString(line[at : at+n])
			at += n
			continue
		}
		switch c := line[at]; {
		case c == '\\' && t.isEscape(line[at:]):
			t.out.WriteString(line[at : at+2])
			at += 2
			continue
		case c == '`' && !t.isHTML && !t.verbatim:
			n := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
			ticks := line[at : at+n]
			end := strings.Index(line[at+n:], ticks)
			if end < 0 {
				end = t.codeBehind(line[at+n:], ticks)
			}
			if end < 0 {
				t.out.WriteString(ticks)
				at += n
				continue
			}
			span := line[at:min(len(line), at+2*n+end)]
			if more := 2*n + end - len(span); more > 0 {
				span += t.following[:more]
			}
			t.codeLine(span)
			at = t.pass(line, at, 2*n+end)
			continue
		case c == '{':
			length := t.tag(line, at, number)
			if length == 0 && t.mdx && !t.raw && !t.verbatim {
				length = t.ahead(line[at:], t.expression)
			}
			if length == 0 && t.generator == plain && !t.raw && !t.verbatim {
				length = attributesLength(line, at)
			}
			if length > 0 {
				at = t.pass(line, at, length)
				continue
			}
		case t.verbatim:
		case c == '$' && t.mdx && !t.raw:
			if length := t.math(line[at:]); length > 0 {
				t.out.WriteString((line[at:] + t.following)[:length])
				at = t.pass(line, at, length)
				continue
			}
		case c == '<' && t.generator == plain && !t.raw:
			if strings.HasPrefix(line[at:], "<!--") {
				if length := t.commentOfLines(line, at); length > 0 {
					at = t.pass(line, at, length)
					continue
				}
				break
			}
			if length := t.ahead(line[at:], t.element); length > 0 {
				at = t.pass(line, at, length)
				continue
			}
		case t.generator == plain && !t.raw:
			if length := t.note(line, at); length > 0 {
				at = t.pass(line, at, length)
				continue
			}
		}
		t.out.WriteByte(line[at])
		at++
	}
}

// math returns the length of the formula of TeX that a text of MDX begins with, whose braces are its own.
func (t *templates) math(s string) int {
	mark := s[:len(s)-len(strings.TrimPrefix(strings.TrimPrefix(s, "$"), "$"))]
	read := func(s string) int {
		inner, _, closed := strings.Cut(s[len(mark):], mark)
		switch {
		case !closed:
			return unfinished
		case !strings.Contains(inner, `\`) && !strings.Contains(inner, "_{") && !strings.Contains(inner, "^{"): // sums of money
			return 0
		}
		return len(inner) + 2*len(mark)
	}
	if mark == "$$" { // which may have several lines
		return t.ahead(s, read)
	}
	return max(0, read(s))
}

// commentOfLines passes over a comment of HTML that goes on in the next lines, whose marks are none:
// a box that is commented out would take its end with it. It returns 0 for any other.
func (t *templates) commentOfLines(line string, at int) int {
	if strings.Contains(line[at:], "-->") {
		return 0
	}
	begins := strings.Trim(line[:at], " \t>-*+.)0123456789") == ""
	length := t.ahead(line[at:], func(s string) int {
		end := strings.Index(s, "-->")
		if end < 0 || !begins && !t.mdx && hasBlankLine(s[:end]) { // within a paragraph, it would be text
			return unfinished
		}
		return end + len("-->")
	})
	if length > 0 {
		t.out.WriteString("<!---->") // which parts what is around it
	}
	return length
}

// codeBehind returns where a span of code ends that goes on behind the rest of its line, -1 where
// its paragraph ends before.
func (t *templates) codeBehind(rest, ticks string) int {
	read := len(rest)
	for line := range strings.Lines(t.following) {
		if t.vain >= maxVainBytes || beginsBlock(strings.TrimSpace(line)) {
			break
		}
		if end := strings.Index(line, ticks); end >= 0 {
			return read + end
		}
		read += len(line)
		t.vain += len(line)
	}
	return -1
}

// beginsBlock reports whether a line, without white space around it, ends the paragraph before it.
func beginsBlock(line string) bool {
	return line == "" || strings.IndexByte("#>|:", line[0]) >= 0 || markerOf(line) > 0 || fenceOf(line) != ""
}

// isEscape reports whether the backslash that a text begins with makes text of the mark behind
// it. It is none before what others than MDX run, whatever stands before it.
func (t *templates) isEscape(s string) bool {
	if len(s) < 2 || strings.IndexByte("\\`{<", s[1]) < 0 {
		return false
	}
	return t.mdx || !strings.HasPrefix(s[1:], "{{") && !strings.HasPrefix(s[1:], "{%")
}

// unfinished says that a piece of template code does not end in the text that was read.
const unfinished = -1

// maxVainBytes is how much of a file is read in vain for the ends of what is never closed, before
// such is text: a file may have an unclosed brace in every line, or in one line very many. It takes a tenth of a second.
const maxVainBytes = 64 << 20

// ahead reads the rest of a line, and where that is not enough what follows it, too.
func (t *templates) ahead(rest string, read func(string) int) int {
	if t.vain >= maxVainBytes {
		return 0
	}
	n := read(rest)
	if n == unfinished {
		if n = read(rest + t.following); n <= 0 {
			t.vain += len(rest) + len(t.following)
		}
	}
	return max(0, n)
}

// pass goes on behind a piece of template code, on this line or a later one.
func (t *templates) pass(line string, at, length int) int {
	at += length
	t.skip = max(0, at-len(line))
	return at
}

// tag returns the length of the template code at this place, 0 where there is none, and
// writes what is shown of it.
func (t *templates) tag(line string, at, number int) int {
	for _, p := range t.pairs {
		if !strings.HasPrefix(line[at:], p.open) {
			continue
		}
		rest := line[at+len(p.open):]
		if t.raw && (p.open != "{%" || !strings.HasPrefix(strings.TrimLeft(rest, "- \t\r\n"), "endraw")) {
			return 0
		}
		end := unfinished
		if t.vain < maxVainBytes {
			end = strings.Index(rest, p.close)
		}
		if end < 0 {
			if p.open == "{#" && isHeadingID(line[at:]) {
				return 0
			}
			end = t.ahead(rest, func(s string) int { return endOf(s, p) }) - len(p.close)
			if end < 0 && isTag(p) && t.generator != plain {
				t.problems = append(t.problems, Problem{Line: number, Column: at + 1, Severity: Warning,
					What: fmt.Sprintf("the template tag %s is not closed", p.open), Hint: "close it with " + p.close + ", or put it into backquotes if it is meant as text"})
				return len(line) - at
			}
			if end < 0 {
				return 0
			}
			rest += t.following
		}
		inner := rest[:end]
		if p.open == "{:" && (t.isHTML || t.listing || !isAttributeList(line[:at], inner)) {
			return 0
		}
		length := len(p.open) + end + len(p.close)
		word, parameters := strings.TrimSpace(strings.Trim(inner, "-")), ""
		if closed, ok := strings.CutPrefix(word, "/"); ok { // as in {{< / note >}}
			word = "/" + strings.TrimLeft(closed, " \t\r\n")
		}
		if i := strings.IndexFunc(word, unicode.IsSpace); i > 0 {
			word, parameters = word[:i], word[i:]
		}
		switch {
		case strings.HasSuffix(p.open, "/*") && p.open != "{/*":
			t.out.WriteString(strings.TrimSuffix(p.open, "/*") + inner + strings.TrimPrefix(p.close, "*/"))
		case p.open == "{{":
			t.address(cmp.Or(literal(inner), t.own(inner)), rest[end+len(p.close):])
		case p.open == "{:" && !t.mdx && slices.Contains(strings.Fields(inner), "toc"): // which no MDX has
			t.dropItem()
		case p.open == "{%" && word == "comment", p.open == "{:" && word == ":comment" && !strings.HasSuffix(inner, "/"):
			if t.vain >= maxVainBytes {
				break
			}
			behind := t.behind(line, at+length)
			if close := endOfComment(p).FindStringIndex(behind); close != nil {
				length += close[1]
			} else {
				t.vain += len(behind)
			}
		case !isTag(p):
		case word == "highlight" && t.isHTML:
			behind := t.behind(line, at+length)
			if close := regexp.MustCompile(`\{[%{<-]+\s*(?:/|end)\s*highlight\s*[%}>-]+\}`).FindStringIndex(behind); close != nil {
				t.out.WriteString("<pre><code>" + html.EscapeString(strings.TrimRight(strings.TrimLeft(behind[:close[0]], "\r\n"), " \t\r\n")) + "</code></pre>")
				length += close[1]
			}
		case word == "highlight" || word == "/highlight" || word == "endhighlight" || t.generator == plain && (word == "codeblock" || word == "endcodeblock"):
			t.fence(word, parameters, rest[end+len(p.close):])
		case word == "figure" && t.generator == hugo:
			t.figure(parameters)
		case word == "ref" || word == "relref" || word == "link" || word == "post_url":
			t.address(t.reference(word, strings.TrimSpace(parameters)), rest[end+len(p.close):])
		case p.open != "{%":
		case word == "raw":
			t.raw = true
		case word == "endraw":
			t.raw = false
		}
		return length
	}
	return 0
}

// behind is what stands behind a place, which may lie behind the line.
func (t *templates) behind(line string, at int) string { return (line + t.following)[at:] }

// isTag tells tags and shortcodes from expressions and attributes.
func isTag(p pair) bool {
	return p.open == "{%" || strings.HasPrefix(p.open, "{{<") || strings.HasPrefix(p.open, "{{%")
}

// fence writes the beginning or the end of a fenced block in place of a tag; behind is
// what stands behind that.
func (t *templates) fence(word, parameters, behind string) {
	line := t.lastLine()
	text := bytes.TrimLeft(line, " ")
	indent := string(line[:len(line)-len(text)])
	if len(text) > 0 || t.html.open > 0 { // in HTML, it needs a blank line before
		t.out.WriteString("\n" + indent)
	}
	t.out.WriteString("`````````") // more than any within
	t.listing = word == "highlight" || word == "codeblock"
	if t.listing {
		language, _, _ := strings.Cut(strings.TrimSpace(parameters), " ")
		t.out.WriteString(strings.TrimPrefix(strings.Trim(language, `"'`), "lang:"))
	}
	if line, _, _ := strings.Cut(behind, "\n"); strings.TrimSpace(line) != "" {
		t.out.WriteString("\n" + indent)
	}
}

// address writes what a tag stands for, which may be the address of a link; behind is what stands behind the tag.
func (t *templates) address(s, behind string) {
	line, _, _ := strings.Cut(behind, "\n")
	if s == "" && strings.TrimSpace(line) == "" && bytes.HasSuffix(bytes.TrimRight(t.lastLine(), " "), []byte("]:")) {
		s = "<>" // without any, [name]: would be text
	}
	t.out.WriteString(s)
}

// reference is the path of the file that a link of Jekyll or Hugo names, from the folder of
// the content or from the file; "" where only the whole site tells which file it is.
func (t *templates) reference(word, file string) string {
	switch {
	case t.generator == jekyll && strings.Contains(file, "{"):
		return ""
	case t.generator == jekyll && word == "link":
		return "/" + strings.TrimPrefix(file, "/")
	case t.generator == jekyll && word == "post_url":
		return "/_posts/" + strings.TrimPrefix(file, "/") + ".md"
	case t.generator != hugo || word != "ref" && word != "relref":
		return ""
	}
	file = shortcode(file).either("path", "")
	page, fragment, found := strings.Cut(file, "#")
	if found {
		fragment = "#" + fragment
	}
	if page != "" && page[0] != '/' && page[0] != '.' {
		return ""
	}
	page = strings.TrimSuffix(strings.TrimSuffix(page, "/_index.md"), "/")
	if page != "" && !isMarkdown(page) {
		page += ".md"
	}
	return page + fragment
}

// figure writes the picture and the words of Hugo's own shortcode.
func (t *templates) figure(parameters string) {
	p := shortcode(parameters)
	words := strings.TrimSpace(p["title"] + " " + p["caption"])
	alt := p["alt"]
	if alt == words {
		alt = ""
	}
	switch src := p.either("src", ""); {
	case src == "":
	case t.isHTML:
		t.out.WriteString(`<img src="` + html.EscapeString(src) + `" alt="` + html.EscapeString(alt) + `"> `)
		words = html.EscapeString(words)
	default:
		t.out.WriteString("![" + strings.NewReplacer("[", "", "]", "").Replace(alt) + "](<" + src + ">) ")
	}
	t.out.WriteString(words)
}

// parameters are those of a shortcode by name; the first that has none is "".
type parameters map[string]string

func (p parameters) either(name, other string) string { return cmp.Or(p[name], p[other]) }

// shortcode reads the parameters of a shortcode of Hugo.
func shortcode(s string) parameters {
	p := parameters{}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		name := ""
		if i := strings.IndexAny(s, "=\"` \t\r\n"); i > 0 && s[i] == '=' {
			name, s = s[:i], s[i+1:]
		}
		var v string
		switch {
		case strings.HasPrefix(s, `"`) || strings.HasPrefix(s, "`"):
			v, s, _ = strings.Cut(s[1:], s[:1])
		default:
			i := strings.IndexFunc(s+" ", unicode.IsSpace)
			v, s = s[:i], s[min(i+1, len(s)):]
		}
		if _, given := p[name]; !given {
			p[name] = v
		}
	}
	return p
}

// own is what {{ page.title }} shows, of Jekyll, and of others {{ title }} and {{ $frontmatter.title }}:
// a text of the front matter.
func (t *templates) own(inner string) string {
	name := strings.TrimSpace(strings.Trim(inner, "-"))
	key, isPage := strings.CutPrefix(name, "page.")
	switch {
	case t.generator == plain:
		key = strings.TrimPrefix(key, "$frontmatter.")
	case t.generator != jekyll || !isPage:
		return ""
	}
	text := textOf(t.meta, key)
	if strings.Contains(text, "{") { // which would be template code
		return ""
	}
	return text
}

// literal is what {{ "text" }} shows, as it is or made an address of the site.
func literal(inner string) string {
	inner = strings.TrimSpace(strings.Trim(inner, "-"))
	if inner == "" || inner[0] != '"' && inner[0] != '\'' {
		return ""
	}
	text, filters, closed := strings.Cut(inner[1:], inner[:1])
	filter, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(filters), "|")), " ")
	switch filter {
	case "", "relative_url", "absolute_url", "url", "prepend:", "|":
		if closed {
			return text
		}
	}
	return ""
}

// lastLine is what is written of the line so far.
func (t *templates) lastLine() []byte {
	written := t.out.Bytes()
	return written[bytes.LastIndexByte(written, '\n')+1:]
}

// dropItem takes back the line before this one if it is an item of a list: kramdown puts
// the table of contents in its place.
func (t *templates) dropItem() {
	written, broken := bytes.CutSuffix(t.out.Bytes(), []byte("\n"))
	item := bytes.LastIndexByte(written, '\n') + 1
	if broken && markerOf(string(bytes.TrimLeft(written[item:], " "))) > 0 {
		t.out.Truncate(item)
	}
}

// endOf returns the end of the template code that s is the inside of. What gives no more
// than a value stands within a paragraph: else it is text, and the end that of another.
func endOf(s string, p pair) int {
	end := strings.Index(s, p.close)
	if end < 0 || (p.open == "{{" || p.open == "{:") && hasBlankLine(s[:end]) {
		return unfinished
	}
	return end + len(p.close)
}

// hasBlankLine reports whether there is an empty line within a text.
func hasBlankLine(s string) bool {
	_, s, _ = strings.Cut(s, "\n")
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" && strings.HasSuffix(line, "\n") {
			return true
		}
	}
	return false
}

// endOfComment is how a comment ends that begins as p: with Liquid's end only, or with kramdown's.
func endOfComment(p pair) *regexp.Regexp {
	if p.open == "{:" {
		return regexp.MustCompile(`\{:/(?:comment)?\}`)
	}
	return regexp.MustCompile(`\{%-?\s*endcomment\s*-?%\}`)
}

// isAttributeList reports whether {: and what is within it belong to the block or the span before, as
// kramdown has it. Behind text it does not, as in {:status => "sent"} of Ruby; but there, too, a list
// that some author has set one space too far goes.
func isAttributeList(before, inner string) bool {
	if strings.Trim(before, " \t>-*+.|0123456789") == "" || strings.ContainsRune(")]*_`>~$}", rune(before[len(before)-1])) {
		return true
	}
	inner = strings.TrimSpace(inner)
	return inner == "" || strings.IndexByte(".#:/", inner[0]) >= 0 || strings.Contains(inner, "=") && !strings.Contains(inner, "=>")
}

// isHeadingID reports whether a text begins with the id of a heading, {#id}.
func isHeadingID(s string) bool {
	end := strings.IndexByte(s[:min(len(s), maxAttributesBytes)], '}')
	return end > 0 && !strings.ContainsAny(s[:end], " \t\n")
}

// expression returns the length of the expression of MDX that a text begins with, and
// writes it where it is only a string.
func (t *templates) expression(s string) int {
	length := closing(s)
	if length == unfinished {
		return unfinished
	}
	inner := strings.TrimSpace(s[1 : length-1])
	if n := len(inner); n > 1 && strings.IndexByte("\"'`", inner[0]) >= 0 && inner[n-1] == inner[0] && !strings.ContainsAny(inner[1:n-1], inner[:1]+"$\\\n") {
		t.out.WriteString(inner[1 : n-1])
	}
	return length
}

// closing returns where the braces that open at the beginning of s close, or unfinished.
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
			if i > 0 && s[i] == '\'' && isLetterOrDigit(s[i-1]) { // an apostrophe within a text
				continue
			}
			i += quoted(s[i:])
		}
	}
	return unfinished
}

// quoted returns how far behind the quotation mark that s begins with the next one is; 0
// where it is only an apostrophe.
func quoted(s string) int {
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 || s[0] != '`' && strings.IndexByte(s[1:1+end], '\n') >= 0 {
		return 0
	}
	return end + 1
}

// element returns the length of a tag of a component, which goes, or of one that is HTML
// only as JSX has it, which is written as HTML has it: without expressions, and with an end
// where it is <div />. It returns 0 for all else.
func (t *templates) element(s string) int {
	name := strings.TrimPrefix(s[1:], "/")
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	behind := strings.TrimLeft(name, letters+".")
	component := name != "" && 'A' <= name[0] && name[0] <= 'Z' || t.mdx && (strings.HasPrefix(name, ">") || strings.Contains(name[:len(name)-len(behind)], "-"))
	if !component && len(behind) == len(name) || behind == "" || !strings.ContainsRune(" \t\r\n/>", rune(behind[0])) {
		return 0
	}
	written, from := "", 0 // what is kept, and where what is not yet looked at begins
	for i := len(s) - len(behind); i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			if end := strings.IndexByte(s[i+1:], c); s[i-1] == '=' && end >= 0 && !hasBlankLine(s[i:i+1+end]) { // which may have several lines
				i += end + 1
				continue
			}
			i += quoted(s[i:])
		case '{':
			n := closing(s[i:])
			if n == unfinished {
				return unfinished
			}
			written += strings.TrimRight(strings.TrimRight(s[from:i], letters+":="), " \t\r\n")
			i += n - 1
			from = i + 1
		case '\n':
			if component && t.mdx {
				continue
			}
			if line, _, broken := strings.Cut(s[i+1:], "\n"); broken && strings.TrimSpace(line) == "" {
				return 0
			}
		case '<':
			return 0
		case '>':
			void := component || s[1] == '/' || s[i-1] != '/' || isVoid(s[1:len(s)-len(behind)])
			switch {
			case component && !t.mdx && strings.Contains(s[:i], "\n"):
				if s[1] != '/' && s[i-1] != '/' && len(bytes.TrimSpace(t.lastLine())) == 0 { // openHTML counts those of one line
					t.html.components++
				}
			case component && (t.mdx || from > 0):
			case from == 0 && void && !(t.mdx && strings.Contains(s[:i], "\n")): // others would see a quote in a line that is its end
				return 0
			case void:
				t.out.WriteString(collapse(written + s[from:i+1]))
			default: // to HTML it would be open
				t.out.WriteString(collapse(written+s[from:i-1]) + "></" + s[1:len(s)-len(behind)] + ">")
			}
			return i + 1
		}
	}
	return unfinished
}

// isVoid reports whether an element of HTML has no end.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

package dialect

import (
	"bytes"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/source/markdown"
)

// reader reads one text.
type reader struct {
	Dialect
	forms    []form
	marks    [256]bool       // the characters with which inline syntax may begin
	source   []byte          // the whole text
	names    map[string]bool // the names that source has link definitions for; nil until one is asked for
	patterns map[string]*regexp.Regexp
	out      bytes.Buffer
	from     int // where in out the line that is being written begins; after the words of a component, where the rest of the line does
	unclosed []Unclosed

	// The line that is being read, from at on, and the text after it, in which ends are searched
	// for.
	number    int    // of the line, from 1
	whole     string // the line as its author wrote it
	line      string // what is read of it: without the indentation of boxes, and with block syntax replaced
	at        int
	following string
	skip      int // how many bytes of following belong to what began on the line, and are not read again
	vain      int // how many bytes were searched for ends in vain; see maxVainBytes

	// What the line is in.
	code         codeLines
	raw          bool      // whether {% raw %} is open
	rawCode      codeLines // the code blocks within raw
	listing      bool      // whether a tag that becomes fenced code is open
	textTabs     bool      // whether the tabs of Docsy hold text, not code
	verbatim     bool      // whether the line is code, or in <pre>, and tags in it run
	preformatted bool      // whether a <pre> is open
	headed       bool      // whether the line before was a heading or a rule, or a tag of MDX
	comment      bool      // whether the paragraph so far is nothing but a comment
	boxes        []int     // how far the open boxes with indented contents are indented, the innermost last
	slashes      int       // how many blocks that begin with /// are open
	enclosed     []string  // the signs that end the open components of Retype, the innermost last
	containers   []int     // how far the open ::: containers are indented, the innermost last
	columns      []int     // how far the text of the open rows and columns of DocFX is indented, the innermost last
	html         openHTML
	bodies       int  // how many shortcodes of Zola with a body are open
	htmlBlock    bool // whether the line before is in an HTML block, in a text of Hugo or Zola
	table        table
	tabs         tabs
	vPre         vPre
	parted       int               // where in the line the last component that is a block of its own begins
	comments     int               // where in the line the last comment ends; see commentOfLines
	below        []string          // paragraphs to be written below the line
	owned        int               // how many bytes of front matter and of variables were shown; see maxOwnBytes
	assigned     map[string]string // by name: the texts that {% assign %} gave to variables; "" if that is not known
}

// read reads a text line by line.
func (t *reader) read(text string) {
	end := 0
	for line := range strings.Lines(text) {
		end += len(line)
		t.number++
		t.whole, t.following = line, text[end:min(len(text), end+maxTagBytes)]
		if t.skip >= len(line) {
			t.skip -= len(line)
			continue
		}
		rest := line[t.skip:]
		ended := t.skip > 0 // whether something that began on an earlier line ends on this one
		switch t.skip = 0; {
		case ended && strings.TrimSpace(rest) == "" && len(bytes.TrimSpace(t.lastLine())) > 0: // it ends a line with text, and is not a blank line
			t.out.WriteString(rest)
		case t.HTML:
			t.inline(rest)
		default:
			t.block(t.unindent(rest))
		}
	}
}

// lineKind is the kind of a line of Markdown.
type lineKind uint8

const (
	textLine     lineKind = iota
	codeLine              // code, of which the program reads nothing but escapes
	languageLine          // the first line of code, if it names the language
	verbatimLine          // code, or in <pre>, in which tags run
)

// block reads a line of Markdown: code, an import, the beginning of a container, or text.
func (t *reader) block(line string) {
	outside := t.code.fence == "" // of a fence that began on an earlier line
	begins := outside && (t.code.blank || t.comment)
	mayImport := begins || outside && t.headed && t.MDX
	trimmed := strings.TrimSpace(line)
	t.comment = begins && isComment(line)
	t.headed = outside && (endsItself(trimmed) || t.MDX && isElement(trimmed))
	inPre := t.preformatted
	kind := t.kindOf(line)
	t.verbatim = kind == verbatimLine
	if !inPre {
		line = t.code.toLeft(line)
	}
	switch {
	case kind == verbatimLine:
		t.inline(line)
	case kind == languageLine:
	case kind == codeLine:
		if t.MDX && outside {
			t.out.WriteByte('\n') // MDX needs no blank line between an HTML tag and a fence
		}
		t.codeText(line)
	case mayImport && t.imports(line):
		t.out.WriteByte('\n')
	case t.Generator == Plain && (t.documented(line, trimmed) || t.slashed(line, trimmed) || t.enclosing(line, trimmed) ||
		t.shownFiles(trimmed) || t.container(line, trimmed, begins)):
	default:
		t.text(line, begins)
	}
}

// kindOf returns the kind of a line of Markdown. It must be called with all lines in order.
func (t *reader) kindOf(line string) lineKind {
	isTag := func() bool { return strings.HasPrefix(strings.TrimLeft(line, " \t"), "<") } // it is not code, even if it holds Markdown
	inHTML := t.html.open > 0 && (t.Generator == Jekyll || t.Python && (!t.html.markdown || isTag()))
	t.code.fencedOnly = t.MDX || t.Fenced || inHTML || t.html.components > 0
	wasCode := t.code.fence != "" || t.code.indented
	marks := line
	if wasCode && t.RawInCode && strings.Contains(line, "raw") { // a fence may end after {% endraw %}
		marks = t.withoutRaw(line)
	}
	isCode := !t.raw && !t.listing && !t.preformatted && t.code.is(marks)
	if isCode && t.code.indented && t.bodies > 0 && (isTag() || t.isZolaTag(line)) { // its body is indented as the shortcode is
		isCode = false
	}
	if !t.raw {
		t.rawCode = codeLines{blank: true}
	}
	switch {
	case t.listing, t.raw && t.rawCode.is(line), isCode && t.Generator == Hugo:
		return verbatimLine
	case isCode && t.Headed && !wasCode && t.code.indented && namesLanguage(line):
		return languageLine
	case isCode:
		return codeLine
	case t.preformat(line):
		return verbatimLine
	}
	return textLine
}

// preformat is called with each line that is not code. It reports whether the line is in a <pre>
// block, which begins with a tag at the beginning of a line and holds no Markdown, except in MDX. A
// <pre> without an end tag begins no block: a quote or a list may end it anywhere.
func (t *reader) preformat(line string) bool {
	is := t.preformatted
	if !is && !t.MDX && strings.Contains(line, "<") {
		name, _ := tagOf(strings.TrimLeft(line, listAndQuote))
		is = name == "pre"
	}
	more := is && !strings.Contains(line, "</pre>")
	if more && !t.preformatted && (t.vain >= maxVainBytes || !strings.Contains(t.following, "</pre>")) {
		t.vain += len(t.following)
		return false
	}
	t.preformatted = more
	if is {
		t.code.blank = true // a block may begin after it
		t.html.add(line)
	}
	return is
}

// text reads a line of text; begins is whether a block may begin with it.
func (t *reader) text(line string, begins bool) {
	t.from = t.out.Len()
	knowsHTML := t.Generator == Jekyll || t.Generator == Plain
	if t.Generator == Jekyll {
		line = t.row(line, begins)
	}
	t.table.open = (t.Generator == Jekyll || t.Python) && t.inTable(line)
	if knowsHTML && (strings.HasPrefix(line, "<") || t.html.open > 0) {
		line = t.markdownApart(line)
	}
	if t.Generator == Hugo || t.Generator == Zola {
		line = t.ofBlock(line)
	}
	if (t.Generator == Jekyll || t.Python) && t.definesBelowNote(line) {
		t.out.WriteByte('\n')
	}
	t.inline(t.mark(line))
	trimmed := strings.TrimSpace(line)
	if written := t.out.Bytes(); isValue(trimmed) && t.skip == 0 &&
		len(bytes.TrimSpace(written[t.from:])) == 0 && len(lastOf(written[:t.from])) > 0 {
		t.out.Truncate(t.from) // a blank line would end the paragraph
	}
	if t.Generator == Plain && isContainer(trimmed) { // which ends the block before it
		t.code.blank = true
	}
	switch {
	case t.MDX:
		t.setApart(t.from, begins)
	case knowsHTML && t.html.add(line), (t.Generator == Jekyll || t.Python) && t.endsHTML(line):
		t.out.WriteByte('\n') // a blank line ends the HTML for other programs
	}
	for _, paragraph := range t.below {
		t.out.WriteString(paragraph)
	}
	t.below = nil
}

// definesBelowNote reports whether a line defines a link directly below the first line of a
// footnote. kramdown ends the footnote there, and Python-Markdown finds definitions in any line.
// For goldmark it would be text of the footnote, and the links would be none.
func (t *reader) definesBelowNote(line string) bool {
	if !strings.HasPrefix(line, "[") {
		return false
	}
	above := lastOf(t.out.Bytes())
	return bytes.HasPrefix(above, []byte("[^")) && bytes.Contains(above, []byte("]:")) && markdown.LinkName([]byte(line)) != ""
}

// isValue reports whether a line, without white space around it, is nothing but a value of Liquid
// or Nunjucks.
func isValue(line string) bool {
	inner, ok := between(line, "{{", "}}")
	return ok && inner != "" && strings.IndexByte("<%/#", inner[0]) < 0 && !strings.Contains(inner, "{{")
}

// between returns a text without begin at its beginning and end at its end; ok is whether it has
// both.
func between(text, begin, end string) (inner string, ok bool) {
	text, begins := strings.CutPrefix(text, begin)
	inner, ends := strings.CutSuffix(text, end)
	return inner, begins && ends
}

// ofBlock keeps indented HTML of Hugo and Zola from being shown as code. A line with nothing but a
// shortcode or a statement may leave only a blank line or the end of a listing, which ends the HTML
// block that it stands in, so that an indented line of HTML below it would be code. ofBlock returns
// such an indented line, within a block or at its beginning, without its indentation; any other as
// it is.
func (t *reader) ofBlock(line string) string {
	text := strings.TrimLeft(line, " \t")
	isBlank := strings.TrimSpace(text) == ""
	_, length := tagOf(text)
	column := t.code.container().column
	if (t.htmlBlock || length > 0 || t.isZolaTag(line)) && !isBlank && indentation(line) >= column+4 {
		if before := lastOf(t.out.Bytes()); len(before) == 0 || bytes.HasPrefix(before, []byte("```")) {
			line = strings.Repeat(" ", column) + text
		}
	}
	t.htmlBlock = !isBlank && (t.htmlBlock || length > 0)
	return line
}

// inline reads a line of text, or the rest of one. Syntax that begins in it may end on a later
// line.
func (t *reader) inline(line string) {
	t.line, t.at, t.parted, t.comments = line, 0, 0, 0
	if strings.Contains(line, "<!--") {
		t.comments = strings.LastIndex(line, "-->")
	}
	for t.at < len(line) {
		begin := t.at
		for t.at < len(line) && !t.marks[line[t.at]] {
			t.at++
		}
		t.out.WriteString(line[begin:t.at])
		if t.at == len(line) { // as in most lines
			break
		}
		written := t.out.Len()
		n := t.piece()
		switch {
		case n == 0:
			t.out.WriteByte(line[t.at])
			n = 1
		case t.out.Len() == written && !t.raw && !t.verbatim && !t.HTML:
			n += t.closeUp(n)
		}
		t.at += n
	}
	t.skip = max(0, t.at-len(line))
}

// closeUp repairs the emphasis around the next n bytes, of which nothing is shown. Delimiters that
// now enclose nothing, or have a space inside, would become text, and adjacent delimiters would be
// read as one. closeUp returns how many bytes after the n it drops as well.
func (t *reader) closeUp(n int) (more int) {
	for {
		before, after := t.lastLine(), t.textAfter(n+more)
		before, after = before[max(0, len(before)-maxEmphasisBytes):], after[:min(len(after), maxEmphasisBytes)]
		marked := bytes.TrimRight(before, "*_~")
		opened := string(before[len(marked):])
		text := strings.TrimLeft(after, " \t")
		closed := leading(text, "*_~")
		begins := opened != "" && beginsWord(marked)
		switch {
		case begins && closed != "" && opened[len(opened)-1] == closed[0]:
			t.out.Truncate(t.out.Len() - 1)
			more += len(after) - len(text) + 1
			continue
		case begins && text != "" && text[0] != '\n' && text[0] != '\r':
			more += len(after) - len(text)
		case closed != "" && len(text) == len(after) && endsWord(text[len(closed):]):
			if within := bytes.TrimRight(before, " \t"); bytes.Contains(within, []byte(closed)) {
				t.out.Truncate(t.out.Len() - (len(before) - len(within)))
			}
		case len(before) > 0 && after != "" && before[len(before)-1] == after[0] && strings.IndexByte("*~`", after[0]) >= 0:
			// Otherwise the end of one emphasis, or code span, and the beginning of another would
			// be read as one delimiter.
			t.out.WriteString("<!-- -->")
		}
		return more
	}
}

// maxEmphasisBytes is how many bytes before and after what is not shown closeUp searches for
// emphasis delimiters.
const maxEmphasisBytes = 200

// beginsWord reports whether a text ends with what may precede a word: white space, including
// non-breaking spaces as in French and Russian, or opening punctuation.
func beginsWord(s []byte) bool {
	r, _ := utf8.DecodeLastRune(s)
	return len(s) == 0 || r == '|' || unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pi)
}

// endsWord reports whether a text begins with what may follow a word: white space or closing
// punctuation.
func endsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || strings.ContainsRune(".,;:!?|。，、；：！？", r) || unicode.IsSpace(r) || unicode.In(r, unicode.Pe, unicode.Pf)
}

// piece reads the piece of syntax that begins with the mark at the current position: it writes what
// is shown of it and returns its length; 0 if the mark is text. Raw and verbatim text holds only
// tags and escapes; raw text holds code spans as well.
func (t *reader) piece() int {
	onlyTags := t.raw || t.verbatim
	switch c := t.line[t.at]; {
	case c == '{':
		if n := t.tag(); n > 0 || onlyTags {
			return n
		}
		if n := t.expression(); n > 0 {
			return n
		}
		if n := t.role(); n > 0 {
			return n
		}
		return t.attributes()
	case c == '`':
		return t.codeSpan()
	case c == '\\':
		return t.escape()
	case onlyTags:
		return 0
	case c == '$':
		return t.formula()
	case c == '<' && t.ERB && strings.HasPrefix(t.rest(), "<%"):
		return t.tag()
	case c == '<':
		if n := t.commentOfLines(); n > 0 || t.Generator != Plain {
			return n
		}
		return t.element()
	case t.Generator != Plain && strings.HasPrefix(t.rest(), "[["):
		return t.noteLink()
	case t.Generator != Plain:
		return 0
	case c == ':':
		return t.inlineComponent()
	case c == '+':
		return t.keys()
	case c == '[' && strings.HasPrefix(t.rest(), "[!"):
		return t.docfx()
	}
	return t.note()
}

// rest returns what is left of the line.
func (t *reader) rest() string { return t.line[t.at:] }

// next returns the n bytes from the current position on, which may reach into following.
func (t *reader) next(n int) string {
	if rest := t.rest(); n > len(rest) {
		return rest + t.following[:n-len(rest)]
	}
	return t.rest()[:n]
}

// textAfter returns what follows the next n bytes: the rest of the line, or, if they end on a
// later line, all of following that is left.
func (t *reader) textAfter(n int) string {
	if rest := t.rest(); n > len(rest) {
		return t.following[n-len(rest):]
	}
	return t.rest()[n:]
}

// column returns where the current position is in the line as its author wrote it, in characters
// from 1.
func (t *reader) column() int {
	return utf8.RuneCountInString(t.whole[:max(0, len(t.whole)-len(t.rest()))]) + 1
}

// lastLine returns what is written of the line so far, or the last maxLastBytes of that.
func (t *reader) lastLine() []byte {
	written := t.out.Bytes()
	written = written[max(0, len(written)-maxLastBytes):]
	return written[bytes.LastIndexByte(written, '\n')+1:]
}

// lastOf returns the last line of a text, without white space around it.
func lastOf(text []byte) []byte {
	text = bytes.TrimSuffix(text, []byte("\n"))
	return bytes.TrimSpace(text[bytes.LastIndexByte(text, '\n')+1:])
}

// maxLastBytes bounds lastLine: a whole text may be one line.
const maxLastBytes = 4 << 10

// unfinished is returned instead of a length if the syntax that begins a text does not end in it.
const unfinished = -1

const (
	// maxTagBytes is how many bytes after the line on which a piece of syntax begins are searched
	// for its end.
	maxTagBytes = 64 << 10
	// maxVainBytes is how many bytes of a file may be searched for ends in vain before no more ends
	// are searched for: a file may have an unclosed brace on every line, or very many on one.
	// Searching that many takes a tenth of a second.
	maxVainBytes = 64 << 20
	// patternCost is how many bytes are searched for a word in the time of one in which a pattern
	// is.
	patternCost = 16
)

// ahead calls read with what is left of the line after the next n bytes, and, if that returns
// unfinished, again with following appended. It returns the length that read returns, or 0.
func (t *reader) ahead(n int, read func(string) int) int {
	if t.vain >= maxVainBytes {
		return 0
	}
	after := t.textAfter(n)
	length := read(after)
	if length == unfinished {
		if n <= len(t.rest()) {
			after += t.following
			length = read(after)
		}
		if length <= 0 {
			t.vain += len(after)
		}
	}
	return max(0, length)
}

// until returns the text between the next n bytes and the first match of the pattern tag, and the
// length of text and match together; nothing if there is no match. Every match has word in it,
// which is quicker to search for.
func (t *reader) until(n int, word, tag string) (text string, length int) {
	matched := 0 // bytes
	length = t.ahead(n, func(after string) int {
		if strings.Contains(after, word) {
			if end := t.pattern(tag).FindStringIndex(after); end != nil {
				text = after[:end[0]]
				return end[1]
			}
			matched = len(after)
		}
		return unfinished
	})
	if length == 0 {
		t.vain += patternCost * matched
	}
	return text, length
}

// mostPatterns is how many compiled patterns are kept for a text, whose tags may have very many
// names.
const mostPatterns = 100

// pattern returns a compiled regular expression, and keeps it for the rest of the text.
func (t *reader) pattern(expression string) *regexp.Regexp {
	if known := t.patterns[expression]; known != nil {
		return known
	}
	compiled := regexp.MustCompile(expression)
	if t.patterns == nil {
		t.patterns = map[string]*regexp.Regexp{}
	}
	if len(t.patterns) < mostPatterns {
		t.patterns[expression] = compiled
	}
	return compiled
}

// endsLine reports whether only white space follows the next n bytes on their line.
func (t *reader) endsLine(n int) bool {
	after := t.textAfter(n)
	after = strings.TrimLeftFunc(after, func(r rune) bool { return r != '\n' && unicode.IsSpace(r) })
	return after == "" || after[0] == '\n'
}

// hasBlankLine reports whether there is a blank line within a text.
func hasBlankLine(s string) bool {
	_, s, _ = strings.Cut(s, "\n")
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) == "" && strings.HasSuffix(line, "\n") {
			return true
		}
	}
	return false
}

// onlyOf reports whether the beginning of a line is short and consists of nothing but marks, the
// characters of block markers.
func onlyOf(before, marks string) bool {
	return len(before) <= maxAttributesBytes && strings.Trim(before, marks) == ""
}

// isEscaped reports whether a backslash escapes the character at the current position, which is
// then text.
func (t *reader) isEscaped() bool {
	before := t.line[:t.at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// escape writes a backslash and the mark that it escapes, and returns their length. Except in MDX,
// a backslash does not escape {{ and {%: template code runs whatever stands before it.
func (t *reader) escape() int {
	after := t.rest()[1:]
	if after == "" || strings.IndexByte("\\`{<", after[0]) < 0 || !t.MDX && (strings.HasPrefix(after, "{{") || strings.HasPrefix(after, "{%")) {
		return 0
	}
	t.out.WriteString(t.rest()[:2])
	return 2
}

// beginsBlock reports whether a line, without white space around it, ends the paragraph before it.
func beginsBlock(line string) bool {
	return line == "" || strings.IndexByte("#>|:", line[0]) >= 0 || isItem(line) || fenceOf(line) != ""
}

// endsItself reports whether a line, without white space around it, is a heading, a rule or the
// underline of a heading, so that no paragraph goes on after it.
func endsItself(line string) bool {
	return line != "" && (line[0] == '#' || strings.IndexByte("-*_=", line[0]) >= 0 && strings.Trim(line, "-*_= ") == "")
}

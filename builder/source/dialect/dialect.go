package dialect

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Generator is the program that a text was written for.
type Generator uint8

// The programs that have template languages of their own; Plain are all others.
const (
	Plain Generator = iota
	Hugo
	Jekyll
	Zola
)

func (g Generator) String() string { return [...]string{"plain", "hugo", "jekyll", "zola"}[g] }

// Dialect is how a program reads a text.
type Dialect struct {
	Generator Generator
	MDX       bool                    // whether its Markdown is MDX
	Svelte    bool                    // whether it is that of mdsvex, with components of Svelte in place of those of JSX; it has MDX, too
	Vue       bool                    // whether it is a template of Vue, whose attributes may be @click and #slot
	HTML      bool                    // whether it is HTML, not Markdown
	Textual   bool                    // whether no template language runs in it: braces are text
	RawInCode bool                    // whether raw tags are dropped from code, too
	ERB       bool                    // whether it has templates of ERB
	Fenced    bool                    // whether only fences make code: indentation makes none
	Python    bool                    // whether Python-Markdown reads it, for which all within an element of HTML is HTML, however far it is indented
	Headed    bool                    // whether the first line of indented code may name its language, as :::go
	Spans     bool                    // whether code spans may name their language, as `#!go x := 1`
	Keys      bool                    // whether ++ctrl+c++ are keys, as with pymdownx.keys
	Links     bool                    // whether [[links]] between notes are links with Hugo or Jekyll, too
	Root      string                  // the path of the site, which {{ site.baseurl }} of Jekyll and the filter relative_url put before others; "" where there is none
	TextFirst bool                    // whether the text of a link between notes stands before the page, as in [[text|page]]
	Logseq    bool                    // whether it is a page of Logseq
	Own       func(key string) string // returns a text of the front matter, "" where it has none; nil without front matter
}

// Unclosed is a tag without an end, at which the program would stop with an error.
type Unclosed struct {
	Line, Column int // from 1, the column in characters
	Open, Close  string
}

// Strip returns a text without what only its program understands, and the tags in it that have no
// end.
func (d Dialect) Strip(text []byte) ([]byte, []Unclosed) {
	t := reader{Dialect: d, forms: d.Generator.forms(), code: codeLines{blank: true}}
	if d.Textual || d.Generator == Jekyll && t.own("render_with_liquid") == "false" {
		t.forms, t.RawInCode = []form{kramdown()}, false
	}
	if d.ERB {
		t.forms = append(t.forms, form{"<%", "%>", remark})
	}
	if d.Logseq {
		text = []byte(withoutProperties(string(text)))
	}
	if d.Generator == Plain {
		text = admonished(text)
	}
	if d.MDX {
		text = unwrapped(text)
	} else if !t.mayNeedReading(text) {
		return text, nil
	}
	t.source = text
	t.out.Grow(len(text))
	t.read(string(text))
	return t.out.Bytes(), t.unclosed
}

// IsMarkdown reports whether a file of this name has Markdown, or MDX or mdsvex.
func IsMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".mdown", ".svx":
		return true
	}
	return false
}

// reader reads one text.
type reader struct {
	Dialect
	forms    []form
	source   []byte          // all of it
	names    map[string]bool // for which source has link definitions; nil until one is asked for
	patterns map[string]*regexp.Regexp
	out      bytes.Buffer
	from     int // where in out the line begins that is being written; behind the words of a component, where the rest of it does
	unclosed []Unclosed

	// The line that is read, from at on, and the text behind it in which ends are looked for.
	number    int    // of the line, from 1
	whole     string // the line as its author wrote it
	line      string // what is read of it: without indentation, or with marks replaced
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
	components   []int     // how far the open ::: containers are indented, the innermost last
	html         openHTML
	htmlBlock    bool // whether the line before is of a block of HTML, in a text of Hugo or Zola
	table        table
	tabs         tabs
	parted       int      // where in the line the last component begins that is a block of its own
	comments     int      // where in the line the last comment ends; see commentOfLines
	below        []string // paragraphs to be written below the line
	owned        int      // how many bytes of front matter were shown; see maxOwnBytes
}

// mayNeedReading reports whether a text may have anything that is not common Markdown. Most have
// nothing of the kind.
func (t *reader) mayNeedReading(text []byte) bool {
	noBrace := bytes.IndexByte(text, '{') < 0
	has := func(mark string) bool {
		return !(noBrace && strings.Contains(mark, "{")) && bytes.Contains(text, []byte(mark))
	}
	if slices.ContainsFunc(t.forms, func(f form) bool { return has(f.open) }) {
		return true
	}
	for _, syntax := range [...]struct {
		known bool
		marks []string
	}{
		{true, []string{"[!"}},
		{t.Generator == Hugo, []string{"\n{"}},
		{t.Generator == Jekyll, []string{"<", "|", "*["}},
		{t.Generator == Plain, []string{
			"\n{", "){", "]{", "*{", "_{", "`{", "}{", ":{", " {.", "={", "{:", " [#", // attributes
			":::", "\n::", " ::", "@tab", "!!! ", "??? ", "???+ ", "/// ", "=== ", // boxes and tabs
			"[[", "%%", "==", "^", // notes
			"{/*", "\nimport ", " markdown", "[toc]", "[TOC]", "<<< ", "-8<-", "*[",
		}},
		{t.Keys, []string{"++"}},
		{t.Vue, []string{" @", " #"}},
		{t.Links, []string{"[["}},
		{t.Headed || t.Spans, []string{"#!"}},
		{t.Python, []string{"<"}},
		{t.Fenced, []string{"    ", "\t"}},
	} {
		if syntax.known && slices.ContainsFunc(syntax.marks, has) {
			return true
		}
	}
	if bytes.HasPrefix(text, []byte("import ")) || bytes.HasPrefix(text, []byte("::")) {
		return true
	}
	return t.Generator == Plain && (hasComponent(text) || hasSizedPicture(text) || !noBrace && directive().Match(text))
}

// read reads a text line by line.
func (t *reader) read(text string) {
	behind := 0
	for line := range strings.Lines(text) {
		behind += len(line)
		t.number++
		t.whole, t.following = line, text[behind:min(len(text), behind+maxTagBytes)]
		if t.skip >= len(line) {
			t.skip -= len(line)
			continue
		}
		rest := line[t.skip:]
		ended := t.skip > 0 // whether something that began on a line before ends on this one
		switch t.skip = 0; {
		case ended && strings.TrimSpace(rest) == "" && len(bytes.TrimSpace(t.lastLine())) > 0: // it ends a line that is written, and is not a blank one
			t.out.WriteString(rest)
		case t.HTML:
			t.inline(rest)
		default:
			t.block(t.unindent(rest))
		}
	}
}

// directive matches what may be an inline component.
func directive() *regexp.Regexp { return regexp.MustCompile(`:[a-z][a-z0-9-]*(?:\[.*\])?\{`) }

// lineKind is what a line of Markdown is.
type lineKind uint8

const (
	textLine     lineKind = iota
	codeLine              // code, of which the program reads nothing but escapes
	languageLine          // the first line of code, where it names the language
	verbatimLine          // code, or in <pre>, in which tags run
)

// block reads a line of Markdown: code, an import, the beginning of a container, or text.
func (t *reader) block(line string) {
	outside := t.code.fence == "" // of a fence that began on a line before
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
	case t.documented(line), t.slashed(line), t.shownFiles(line), t.component(line, begins):
	default:
		t.text(line, begins)
	}
}

// kindOf returns what a line of Markdown is. It is called with all lines in their order.
func (t *reader) kindOf(line string) lineKind {
	inHTML := t.html.open > 0 && (t.Generator == Jekyll || t.Python && !t.html.markdown)
	t.code.fencedOnly = t.MDX || t.Fenced || inHTML || t.html.components > 0
	wasCode := t.code.fence != "" || t.code.indented
	isCode := !t.raw && !t.listing && !t.preformatted && t.code.is(line)
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

// namesLanguage reports whether codehilite takes the first line of a code block for the name of its
// language, as :::go or #!go, and not for code, as #!/bin/sh.
func namesLanguage(line string) bool {
	text := strings.TrimSpace(line)
	rest, named := strings.CutPrefix(text, "#!")
	if !named {
		rest = strings.TrimLeft(text, ":")
		named = len(text)-len(rest) >= 2
	}
	return named && (rest == "" || rest[0] != '/' && rest[0] != ' ')
}

// preformat is called with each line that is not code. It reports whether the line is in a <pre>
// block, which begins with a tag at the beginning of a line and has no Markdown in it, except in
// MDX. Without an end tag it is no block: a quote or a list may end it anywhere.
func (t *reader) preformat(line string) bool {
	is := t.preformatted
	if !is && !t.MDX && strings.Contains(line, "pre") {
		name, length := tagOf(strings.TrimLeft(line, listAndQuote))
		is = name == "pre" && length > 0
	}
	more := is && !strings.Contains(line, "</pre>")
	if more && !t.preformatted && (t.vain >= maxVainBytes || !strings.Contains(t.following, "</pre>")) {
		t.vain += len(t.following)
		return false
	}
	t.preformatted = more
	if is {
		t.code.blank = true // a block may begin behind it
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
	if knowsHTML && (strings.HasPrefix(line, "<") || t.html.open > 0) {
		line = markdownApart(line)
	}
	if t.Generator == Hugo || t.Generator == Zola {
		line = t.ofBlock(line)
	}
	t.inline(t.mark(line))
	if written := t.out.Bytes(); isValue(strings.TrimSpace(line)) && t.skip == 0 &&
		len(bytes.TrimSpace(written[t.from:])) == 0 && len(lastOf(written[:t.from])) > 0 {
		t.out.Truncate(t.from) // a blank line would end the paragraph
	}
	if t.Generator == Plain && isContainer(strings.TrimSpace(line)) { // which ends the block before it
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

// isValue reports whether a line, without white space around it, is nothing but a value of Liquid
// or Nunjucks, in a paragraph or HTML.
func isValue(line string) bool {
	inner, ok := between(line, "{{", "}}")
	return ok && inner != "" && strings.IndexByte("<%/#", inner[0]) < 0 && !strings.Contains(inner, "{{")
}

// between returns what stands between the beginning and the end of a text; ok is false unless these
// are begin and end.
func between(text, begin, end string) (inner string, ok bool) {
	text, begins := strings.CutPrefix(text, begin)
	inner, ends := strings.CutSuffix(text, end)
	return inner, begins && ends
}

// ofBlock keeps indented HTML of Hugo and Zola from being shown as code. Of a line with nothing but
// a shortcode or a statement, a blank line or the end of a listing may be all that is written: that
// ends the block of HTML that it stands in, and indented tags below it would be code. ofBlock
// returns such a line, be it within a block or the first of one, without its indentation; any other
// as it is.
func (t *reader) ofBlock(line string) string {
	text := strings.TrimLeft(line, " \t")
	isBlank := strings.TrimSpace(text) == ""
	_, length := tagOf(text)
	column := t.code.container().column
	if (t.htmlBlock || length > 0) && !isBlank && indentation(line) >= column+4 {
		if before := lastOf(t.out.Bytes()); len(before) == 0 || bytes.HasPrefix(before, []byte("```")) {
			line = strings.Repeat(" ", column) + text
		}
	}
	t.htmlBlock = !isBlank && (t.htmlBlock || length > 0)
	return line
}

// codeText writes code, with the program's own escapes resolved, and without raw tags if RawInCode.
func (t *reader) codeText(code string) {
	if t.Generator != Plain && (strings.Contains(code, "/*") || strings.Contains(code, "*/")) {
		var undone []string
		for _, f := range t.forms {
			if f.kind == shown {
				undone = append(undone, f.open, f.bareOpen(), f.close, f.bareClose())
			}
		}
		code = strings.NewReplacer(undone...).Replace(code)
	}
	if t.RawInCode && strings.Contains(code, "{%") && strings.Contains(code, "raw") {
		without := t.withoutRaw(code)
		if without != code && strings.TrimSpace(without) == "" {
			return
		}
		code = without
	}
	t.out.WriteString(code)
}

// withoutRaw returns code without the tags that begin and end raw. Between two of these, another
// one that begins it is text.
func (t *reader) withoutRaw(code string) string {
	tags := t.pattern(rawTag).FindAllStringIndex(code, -1)
	ends := func(tag []int) bool { return strings.Contains(code[tag[0]:tag[1]], "endraw") }
	last := len(tags) - 1
	for last >= 0 && !ends(tags[last]) {
		last--
	}
	var without strings.Builder
	from, isRaw := 0, false
	for i, tag := range tags {
		if isRaw && !ends(tag) {
			continue
		}
		without.WriteString(code[from:tag[0]])
		from, isRaw = tag[1], !ends(tag) && i < last
	}
	return without.String() + code[from:]
}

// inline reads a line of text, or the rest of one. What begins in it may end on a later line.
func (t *reader) inline(line string) {
	marks := "`{<"
	if t.Generator == Plain {
		marks = "\\`{<[%=^$:"
	} else if t.Links {
		marks += "["
	}
	if t.Keys {
		marks += "+"
	}
	t.line, t.at, t.parted, t.comments = line, 0, 0, 0
	if strings.Contains(line, "<!--") {
		t.comments = strings.LastIndex(line, "-->")
	}
	for t.at < len(line) {
		n := strings.IndexAny(line[t.at:], marks)
		if n < 0 { // as in most lines
			n = len(line) - t.at
		}
		t.out.WriteString(line[t.at : t.at+n])
		if t.at += n; t.at == len(line) {
			break
		}
		written := t.out.Len()
		switch n = t.piece(); {
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

// closeUp mends the emphasis around the next n bytes, of which nothing is shown: delimiters would
// be text where nothing, or a space, is left inside of them, and be read as one with delimiters
// next to them. It returns how many bytes behind the n it drops as well.
func (t *reader) closeUp(n int) (more int) {
	for {
		before, behind := t.lastLine(), t.shortlyBehind(n+more)
		before, behind = before[max(0, len(before)-maxEmphasisBytes):], behind[:min(len(behind), maxEmphasisBytes)]
		marked := bytes.TrimRight(before, "*_~")
		opened := string(before[len(marked):])
		text := strings.TrimLeft(behind, " \t")
		closed := text[:len(text)-len(strings.TrimLeft(text, "*_~"))]
		begins := opened != "" && (len(marked) == 0 || bytes.IndexByte([]byte(" \t([|"), marked[len(marked)-1]) >= 0)
		switch {
		case begins && closed != "" && opened[len(opened)-1] == closed[0]:
			t.out.Truncate(t.out.Len() - 1)
			more += len(behind) - len(text) + 1
			continue
		case begins && text != "" && text[0] != '\n' && text[0] != '\r':
			more += len(behind) - len(text)
		case closed != "" && len(text) == len(behind) && endsWord(text[len(closed):]):
			if within := bytes.TrimRight(before, " \t"); bytes.Contains(within, []byte(closed)) {
				t.out.Truncate(t.out.Len() - (len(before) - len(within)))
			}
		case len(before) > 0 && behind != "" && before[len(before)-1] == behind[0] && strings.IndexByte("*~`", behind[0]) >= 0:
			// Otherwise the end of one emphasis, or code span, and the beginning of another would
			// be read as one delimiter.
			t.out.WriteString("<!-- -->")
		}
		return more
	}
}

// maxEmphasisBytes is how far before and behind what is not shown closeUp looks for emphasis
// delimiters.
const maxEmphasisBytes = 200

// endsWord reports whether a text begins with what may follow a word: white space or closing
// punctuation.
func endsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || strings.ContainsRune(" \t\r\n.,;:!?)]|。，、；：！？）」』】", r)
}

// piece reads the piece of syntax that begins with the mark at this place: it writes what is shown
// of it and returns its length, 0 where the mark is text. In raw and verbatim text there are only
// tags, escapes and, in raw, code spans.
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
		return t.directive()
	case c == '+':
		return t.keys()
	}
	return t.note()
}

// rest is what is left of the line.
func (t *reader) rest() string { return t.line[t.at:] }

// next is the next n bytes from this place on, which may reach into following.
func (t *reader) next(n int) string {
	if rest := t.rest(); n > len(rest) {
		return rest + t.following[:n-len(rest)]
	}
	return t.rest()[:n]
}

// shortlyBehind is what follows the next n bytes: the rest of the line, or more where they end
// behind it.
func (t *reader) shortlyBehind(n int) string {
	if rest := t.rest(); n > len(rest) {
		return t.following[n-len(rest):]
	}
	return t.rest()[n:]
}

// column is where this place is in the line as its author wrote it, in characters from 1.
func (t *reader) column() int {
	return utf8.RuneCountInString(t.whole[:max(0, len(t.whole)-len(t.rest()))]) + 1
}

// lastLine is what is written of the line so far, or the last maxLastBytes of it.
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

// unfinished is returned instead of a length where what begins does not end in the text that was
// read.
const unfinished = -1

const (
	// maxTagBytes is how far behind the line on which a piece begins its end is looked for.
	maxTagBytes = 64 << 10
	// maxVainBytes is how many bytes of a file are searched for ends in vain before no more ends
	// are looked for: a file may have an unclosed brace on every line, or very many on one. The
	// search takes a tenth of a second.
	maxVainBytes = 64 << 20
)

// ahead calls read with the rest of the line from n bytes behind this place on; where that returns
// unfinished, with following, too. It returns the length that read returns, or 0.
func (t *reader) ahead(n int, read func(string) int) int {
	if t.vain >= maxVainBytes {
		return 0
	}
	behind := t.shortlyBehind(n)
	length := read(behind)
	if length == unfinished {
		if n <= len(t.rest()) {
			behind += t.following
			length = read(behind)
		}
		if length <= 0 {
			t.vain += len(behind)
		}
	}
	return max(0, length)
}

// isEscaped reports whether the character at this place stands behind a backslash, and so is text.
func (t *reader) isEscaped() bool {
	before := t.line[:t.at]
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 1
}

// codeSpan writes a code span, which may end on a later line, and returns its length.
func (t *reader) codeSpan() int {
	if t.HTML || t.verbatim || t.isEscaped() {
		return 0
	}
	rest := t.rest()
	ticks := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
	end := -1
	if t.vain < maxVainBytes {
		end = ticksIn(rest[len(ticks):], len(ticks))
	}
	if end < 0 {
		t.vain += len(rest)
		end = t.codeBehind(rest[len(ticks):], ticks)
	}
	if end < 0 {
		t.out.WriteString(ticks)
		return len(ticks)
	}
	length := 2*len(ticks) + end
	span := rest[:min(len(rest), length)]
	span += t.following[:length-len(span)]
	if t.Generator == Hugo && strings.Contains(span, "{{") {
		span = t.pattern(shortcodeTag).ReplaceAllString(span, "")
	}
	if t.Spans {
		span = t.pattern("^(`+)(?::{3,}|#!)[\\w#.+-]*\\s+").ReplaceAllString(span, "$1")
	}
	if text, language, ok := strings.Cut(span, "{:"); ok && t.Generator == Plain { // `code{:js}` of Nextra
		name := strings.TrimRight(language, "`")
		if isKind(strings.TrimSuffix(name, "}")) && strings.HasSuffix(name, "}") && text != ticks && !strings.HasSuffix(text, " ") {
			span = text + ticks
		}
	}
	t.codeText(span)
	return length
}

// codeBehind returns where a code span ends that goes on behind the rest of its line, -1 where
// its paragraph ends first.
func (t *reader) codeBehind(rest, ticks string) int {
	read := len(rest)
	for line := range strings.Lines(t.following) {
		if t.vain >= maxVainBytes || beginsBlock(strings.TrimSpace(line)) {
			break
		}
		if end := ticksIn(line, len(ticks)); end >= 0 {
			return read + end
		}
		read += len(line)
		t.vain += len(line)
	}
	return -1
}

// ticksIn returns where in a text a run of exactly count backquotes begins; -1 where there is none.
func ticksIn(s string, count int) int {
	for at := 0; ; {
		next := strings.IndexByte(s[at:], '`')
		if next < 0 {
			return -1
		}
		at += next
		behind := strings.TrimLeft(s[at:], "`")
		if n := len(s) - at - len(behind); n == count {
			return at
		}
		at = len(s) - len(behind)
	}
}

// beginsBlock reports whether a line, without white space around it, ends the paragraph before it.
func beginsBlock(line string) bool {
	return line == "" || strings.IndexByte("#>|:", line[0]) >= 0 || isItem(line) || fenceOf(line) != ""
}

// endsItself reports whether a line, without white space around it, is a heading, a rule or the
// underline of a heading, so that no paragraph goes on behind it.
func endsItself(line string) bool {
	return line != "" && (line[0] == '#' || strings.Trim(line, "-*_= ") == "")
}

// isElement reports whether a line of MDX, without white space around it, is nothing but a tag.
func isElement(line string) bool {
	return strings.HasPrefix(line, "<") && new(element).read(line, true) == len(line)
}

// escape writes a backslash and the mark that it escapes, and returns their length. Except in MDX,
// a backslash does not escape {{ and {%: template code runs whatever stands before it.
func (t *reader) escape() int {
	behind := t.rest()[1:]
	if behind == "" || strings.IndexByte("\\`{<", behind[0]) < 0 || !t.MDX && (strings.HasPrefix(behind, "{{") || strings.HasPrefix(behind, "{%")) {
		return 0
	}
	t.out.WriteString(t.rest()[:2])
	return 2
}

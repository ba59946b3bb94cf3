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
	HTML      bool                    // whether it is HTML, not Markdown
	RawInCode bool                    // whether tags of raw go from code, too
	Own       func(key string) string // a text of the front matter, "" where it has none; nil where there is none
}

// Unclosed is a tag that has no end, at which the program stops.
type Unclosed struct {
	Line, Column int // from 1, the column in characters
	Open, Close  string
}

// Strip returns a text without what only its program understands.
func (d Dialect) Strip(text []byte) ([]byte, []Unclosed) {
	t := reader{Dialect: d, forms: d.Generator.forms(), code: codeLines{blank: true}}
	if d.Generator == Jekyll && t.own("render_with_liquid") == "false" {
		t.forms, t.RawInCode = []form{kramdown()}, false
	}
	if d.MDX {
		text = unwrapped(text)
	} else if !t.concerns(text) {
		return text, nil
	}
	t.source = text
	t.out.Grow(len(text))
	t.read(string(text))
	return t.out.Bytes(), t.unclosed
}

// IsMarkdown reports whether a file of this name has Markdown, or MDX.
func IsMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".mdown":
		return true
	}
	return false
}

// reader reads one text.
type reader struct {
	Dialect
	forms    []form
	source   []byte          // all of it
	names    map[string]bool // of the links that it gives an address; nil until one is asked for
	out      bytes.Buffer
	from     int // where in out the line begins, or what is left of it behind paragraphs of their own
	unclosed []Unclosed

	// What is read: the line from at on, and what follows it, as far as an end is looked for.
	number    int    // of the line, from 1
	whole     string // the line as its author wrote it
	line      string // what is left of it
	at        int
	following string
	skip      int // how much of what follows belongs to what the line began
	vain      int // how many bytes were read for nothing; see maxVainBytes

	// In what the line stands.
	code         codeLines
	raw          bool      // whether {% raw %} is open
	rawCode      codeLines // the blocks of code within raw
	listing      bool      // whether a tag that becomes a fenced block is open
	verbatim     bool      // whether the line is code in which tags run
	preformatted bool      // whether a <pre> is open
	headed       bool      // whether the line before was a heading or a rule
	comment      bool      // whether the line before was a paragraph that is only a comment so far
	boxes        int       // how many boxes of indented lines are open
	components   []int     // how far the boxes between lines of colons that are open are indented, the innermost last
	html         openHTML
	table        table
	tabs         tabs
	parted       int      // where in the line the last component begins that was a block of its own
	comments     int      // where in the line the last comment ends; see commentOfLines
	below        []string // paragraphs that stand below the line
	owned        int      // how many bytes of the front matter were shown; see maxOwnBytes
}

// concerns reports whether anything of a text is not common Markdown, as nothing is in most.
func (t *reader) concerns(text []byte) bool {
	needles := []string{"[!"}
	for _, f := range t.forms {
		needles = append(needles, f.open)
	}
	switch t.Generator {
	case Hugo:
		needles = append(needles, "\n{")
	case Jekyll:
		needles = append(needles, "<", "|", "*[")
	case Plain:
		needles = append(needles, "\n{", "){", "]{", "*{", "_{", "`{", "}{", ":{", " {.", "{/*", "={", ":::", "\n::", " ::", "@tab", " [#", "{:", "!!! ", "??? ", "=== ", "\nimport ", " markdown", "[toc]", "[TOC]", "[[", "%%", "==", "^", "<<< ", "*[", "-8<-")
	}
	noBrace := bytes.IndexByte(text, '{') < 0
	has := func(needle string) bool {
		return !(noBrace && strings.Contains(needle, "{")) && bytes.Contains(text, []byte(needle))
	}
	return slices.ContainsFunc(needles, has) || bytes.HasPrefix(text, []byte("import ")) || bytes.HasPrefix(text, []byte("::")) || t.Generator == Plain && (hasComponent(text) || hasSizedPicture(text) || !noBrace && directive().Match(text))
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
		ended := t.skip > 0 // whether something of a line before did
		switch t.skip = 0; {
		case ended && strings.TrimSpace(rest) == "" && len(bytes.TrimSpace(t.lastLine())) > 0: // the end of a line, not a blank one
			t.out.WriteString(rest)
		case t.HTML:
			t.inline(rest)
		default:
			t.block(t.unindent(rest))
		}
	}
}

// directive matches what may be a component within a line.
func directive() *regexp.Regexp { return regexp.MustCompile(`:[a-z][a-z0-9-]*(?:\[.*\])?\{`) }

// block reads a line of Markdown by what it is.
func (t *reader) block(line string) {
	isText := t.code.fence == ""
	begins := isText && (t.code.blank || t.comment)
	t.comment = begins && isComment(line)
	headed := t.headed && t.MDX
	t.headed = isText && endsItself(strings.TrimSpace(line))
	t.code.fencedOnly = t.MDX || t.Generator == Jekyll && t.html.open > 0 || t.html.components > 0
	isCode := !t.raw && !t.listing && !t.preformatted && t.code.is(line)
	if !t.raw {
		t.rawCode = codeLines{blank: true}
	}
	t.verbatim = t.listing || t.raw && t.rawCode.is(line) || isCode && t.Generator == Hugo || !isCode && t.preformat(line)
	switch line = t.code.toLeft(line); {
	case t.verbatim:
		t.inline(line)
	case isCode:
		if t.MDX && isText {
			t.out.WriteByte('\n') // MDX needs no blank line behind a tag of HTML
		}
		t.codeText(line)
	case (begins || headed && isText) && t.imports(line):
		t.out.WriteByte('\n')
	case t.documented(line), t.component(line, begins):
	default:
		t.text(line, begins)
	}
}

// preformat is told of each line that is no code. It reports whether the line is in a block that a tag <pre> at the beginning of one
// begins: there is no Markdown in it, but for MDX. One without an end is none: a quote or a list may end it anywhere.
func (t *reader) preformat(line string) bool {
	is := t.preformatted
	if !is && !t.MDX && strings.Contains(line, "pre") {
		name, length := tagOf(strings.TrimLeft(line, listAndQuote))
		is = name == "pre" && length > 0
	}
	more := is && !strings.Contains(line, "</pre>")
	if more && !t.preformatted {
		if t.vain >= maxVainBytes || !strings.Contains(t.following, "</pre>") {
			t.vain += len(t.following)
			return false
		}
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
	t.inline(t.mark(line))
	if t.Generator == Plain && isContainer(strings.TrimSpace(line)) { // which ends what is before it
		t.code.blank = true
	}
	switch {
	case t.MDX:
		t.setApart(t.from, begins)
	case knowsHTML && t.html.add(line), t.Generator == Jekyll && t.endsHTML(line):
		t.out.WriteByte('\n') // which ends the HTML for others
	}
	for _, paragraph := range t.below {
		t.out.WriteString(paragraph)
	}
	t.below = nil
}

// codeText writes code, with the program's own escapes undone.
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
		without := rawTag().ReplaceAllString(code, "")
		if without != code && strings.TrimSpace(without) == "" {
			return
		}
		code = without
	}
	t.out.WriteString(code)
}

// inline reads a line of text, or what is left of one, to its end and as far behind it as it goes on.
func (t *reader) inline(line string) {
	marks := "`{<"
	if t.Generator == Plain {
		marks = "\\`{<[%=^$:"
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

// closeUp mends the emphasis around what stood in the next n bytes, of which nothing is shown: its marks would be text where
// they have nothing between them, or a space within, or stand beside those of another. It returns how much behind them it takes along.
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
			t.out.WriteString("<!-- -->") // lest what ends one emphasis, or code, and what begins another be read as one mark
		}
		return more
	}
}

// maxEmphasisBytes is how much on either side of what is not shown is looked at for the marks of emphasis.
const maxEmphasisBytes = 200

// endsWord reports whether what a text begins with stands behind words, not before them.
func endsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || strings.ContainsRune(" \t\r\n.,;:!?)]|。，、；：！？）」』】", r)
}

// piece returns the length of the mark, or of what begins with it, at this place, and writes what is
// shown of it; 0 where it is text. In raw, and in code in which they run, there are tags only.
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
	case c == '<':
		if n := t.commentOfLines(); n > 0 || t.Generator != Plain {
			return n
		}
		return t.element()
	case t.Generator != Plain:
		return 0
	case c == ':':
		return t.directive()
	}
	return t.note()
}

// rest is what is left of the line.
func (t *reader) rest() string { return t.line[t.at:] }

// next is the next n bytes from this place on, and behind what follows these; both may lie behind the line.
func (t *reader) next(n int) string {
	if rest := t.rest(); n > len(rest) {
		return rest + t.following[:n-len(rest)]
	}
	return t.rest()[:n]
}

func (t *reader) behind(n int) string {
	if rest := t.rest(); n > len(rest) {
		return t.following[n-len(rest):]
	}
	return t.rest()[n:] + t.following
}

// shortlyBehind is some of what follows the next n bytes: the rest of the line they end on, or more.
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

// lastLine is what is written of the line so far, or the end of that.
func (t *reader) lastLine() []byte {
	written := t.out.Bytes()
	written = written[max(0, len(written)-maxLastBytes):]
	return written[bytes.LastIndexByte(written, '\n')+1:]
}

// maxLastBytes is how much of what is written is looked at for the line: it may be one of the whole text.
const maxLastBytes = 4 << 10

// unfinished says that what is looked for does not end in the text that was read.
const unfinished = -1

const (
	// maxTagBytes is how far behind the line on which a piece begins its end is looked for.
	maxTagBytes = 64 << 10
	// maxVainBytes is how much of a file is read in vain for the ends of what is never closed, before
	// such is text: a file may have an unclosed brace in every line, or in one line very many. It takes a tenth of a second.
	maxVainBytes = 64 << 20
)

// ahead reads the rest of a line from n bytes behind this place on, and where that is not enough what follows it, too.
func (t *reader) ahead(n int, read func(string) int) int {
	if t.vain >= maxVainBytes {
		return 0
	}
	rest := t.rest()[n:]
	length := read(rest)
	if length == unfinished {
		if length = read(rest + t.following); length <= 0 {
			t.vain += len(rest) + len(t.following)
		}
	}
	return max(0, length)
}

// codeSpan writes a span of code, which may end on a later line.
func (t *reader) codeSpan() int {
	if t.HTML || t.verbatim {
		return 0
	}
	rest := t.rest()
	ticks := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
	end := ticksIn(rest[len(ticks):], len(ticks))
	if end < 0 {
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
		span = shortcodeTag().ReplaceAllString(span, "")
	}
	if text, language, ok := strings.Cut(span, "{:"); ok && t.Generator == Plain { // in which Nextra shows it
		name := strings.TrimRight(language, "`")
		if isKind(strings.TrimSuffix(name, "}")) && strings.HasSuffix(name, "}") && text != ticks && !strings.HasSuffix(text, " ") {
			span = text + ticks
		}
	}
	t.codeText(span)
	return length
}

// codeBehind returns where a span of code ends that goes on behind the rest of its line, -1 where
// its paragraph ends before.
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

// ticksIn is where in a text so many backquotes stand, no more and no fewer; -1 where they do not.
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

// endsItself reports whether a line, without white space around it, is a heading, a rule or the line below a heading, so that
// no paragraph goes on behind it.
func endsItself(line string) bool {
	return line != "" && (line[0] == '#' || strings.Trim(line, "-*_= ") == "")
}

// escape writes a backslash that makes text of the mark behind it, and that. It does not before what
// others than MDX run, whatever stands before it.
func (t *reader) escape() int {
	behind := t.rest()[1:]
	if behind == "" || strings.IndexByte("\\`{<", behind[0]) < 0 || !t.MDX && (strings.HasPrefix(behind, "{{") || strings.HasPrefix(behind, "{%")) {
		return 0
	}
	t.out.WriteString(t.rest()[:2])
	return 2
}

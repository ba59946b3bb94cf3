package article

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// inline makes the texts of paragraphs, one after the other: words and marks.
type inline struct {
	pieces []piece
	words  []byte // of the pieces
	out    []byte
	// spaced is whether white space comes before what follows.
	spaced bool
	// seen is how many bytes of the words continuesAddress has looked at, and address whether the
	// last of these words has an address.
	seen    int
	address bool
	// waiting are the marks that have begun and have no text yet.
	waiting []*mark
	open    []*mark
}

// piece is a part of the words, which are Markdown, or the begin or end of a mark.
type piece struct {
	from, to   int
	begin, end *mark
}

// mark is a pair of delimiters: emphasis or a link.
type mark struct {
	before, after string
	dropped       bool
	written       bool
}

// breakMark is a line break that stays one.
const breakMark = "\\\n"

// oneLine returns elements as Markdown on one line, which is overwritten by the next call.
func (w *inline) oneLine(nodes []*node) []byte {
	line := w.paragraph(nodes)
	for i := range line {
		if line[i] == '\n' {
			line[i-1], line[i] = ' ', ' '
		}
	}
	return line
}

func (w *inline) addAll(nodes []*node) {
	for _, n := range nodes {
		w.add(n)
	}
}

// add adds an element or a text.
func (w *inline) add(n *node) {
	switch n.tag {
	case "":
		w.text(n.text)
	case "strong", "b":
		w.marked("**", "**", n)
	case "em", "i", "cite", "dfn":
		w.marked("*", "*", n)
	case "del", "s":
		w.marked("~~", "~~", n)
	case "q":
		w.text("\"")
		w.addAll(n.children)
		w.text("\"")
	case "code", "tt", "samp":
		if w.continuesAddress() { // of which the first backquote would be a part, and the code text
			w.text(n.words())
		} else {
			w.put(codeSpan(n.words()))
		}
	case "pre":
		w.spaced = true
		w.put(codeSpan(n.words()))
		w.spaced = true
	case "br":
		w.spaced = false
		if len(w.pieces) > 0 {
			w.write(breakMark)
		}
	case "img":
		if src := n.attribute("src"); src != "" {
			w.put("![" + string(appendText(nil, trimSpace(n.attribute("alt")), true)) + "](" + destination(src) + title(n) + ")")
		} else {
			w.text(n.attribute("alt"))
		}
	case "input": // the box of an item of a task list
		if strings.Contains(n.attributes, "checked") {
			w.put("[x]")
		} else {
			w.put("[ ]")
		}
	case "audio", "video":
		w.media(n)
	case "a":
		w.link(n)
	default:
		if isBlock(n.tag) {
			w.spaced = true
		}
		w.addAll(n.children)
		if isBlock(n.tag) {
			w.spaced = true
		}
	}
}

// continuesAddress reports whether what follows is in one word with an address that many programs
// make a link of, up to the next space. It looks at each of the words once.
func (w *inline) continuesAddress() bool {
	from := max(0, w.seen-len("://")) // an address may begin before
	if space := bytes.LastIndexAny(w.words[w.seen:], " \n"); space >= 0 {
		w.address, from = false, w.seen+space+1
	}
	word := bytes.ToLower(w.words[from:])
	w.address = w.address || bytes.Contains(word, []byte("://")) || bytes.Contains(word, []byte("www."))
	w.seen = len(w.words)
	return w.address && !w.spaced
}

// link adds a link, or its words where it leads nowhere.
func (w *inline) link(n *node) {
	href := n.attribute("href")
	switch label, isNote := footnote(href); {
	case n.hasClass("footnote-backref"):
	case n.hasClass("footnote-ref") && isNote:
		w.put("[^" + label + "]")
	case href == "":
		w.addAll(n.children)
	default:
		w.marked("[", "]("+destination(href)+title(n)+")", n)
	}
}

// media adds a link to what would be played.
func (w *inline) media(n *node) {
	src := n.attribute("src")
	for _, c := range n.children {
		if c.tag == "source" && src == "" {
			src = c.attribute("src")
		}
	}
	if src != "" {
		w.put("[" + n.tag + "](" + destination(src) + ")")
		w.spaced = true
	}
	w.addAll(n.children)
}

// text adds words.
func (w *inline) text(s string) {
	words := trimSpace(s)
	if words == "" {
		w.spaced = w.spaced || s != ""
		return
	}
	w.spaced = w.spaced || isSpace(s[0])
	w.begin()
	from := len(w.words)
	w.words = appendText(w.words, words, slices.ContainsFunc(w.open, (*mark).isLink))
	w.pieces = append(w.pieces, piece{from: from, to: len(w.words)})
	w.spaced = isSpace(s[len(s)-1])
}

// trimSpace takes white space off both ends.
func trimSpace(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// MarkdownLine returns a text as one line of Markdown that means nothing but itself, at the
// beginning of a block as in a heading or the text of a link.
func MarkdownLine(s string) string {
	return string(escapeHeading(escapeStart(appendText(nil, trimSpace(s), true))))
}

// appendText appends a text without white space at its ends. White space within becomes
// one space each, and what Markdown would take for something else is escaped.
func appendText(b []byte, s string, inLink bool) []byte {
	const kinds = "" + // of what is ASCII: 1 at which there may be something to do
		"00000000011111000000000000000000" + // white space
		"01000010001000000000000000001000" + // ! & * <
		"00000000000000000000000000011101" + // [ \ ] _
		"10000000000000000000000000010010" // ` { ~
	from, before := 0, byte(0) // where what is not written yet begins; what is before a byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c >= utf8.RuneSelf || kinds[c] == '0') && (c^' ')|(before^' ') != 0 { // no branch tells a space from a letter
			before = c
			continue
		}
		before = 0
		if isSpace(c) {
			b = append(b, s[from:i]...)
			if s[i-1] != ' ' {
				b = append(b, ' ')
			}
			for from = i + 1; isSpace(s[from]); from++ {
			}
			i = from - 1
			continue
		}
		escape := false
		switch c {
		case '`', '*', '[', '~', '{': // {{ and {% are template code elsewhere
			escape = true
		case '<': // to programs older than CommonMark, such as Python-Markdown, a tag follows after a backslash, too
			b = append(append(b, s[from:i]...), "&lt;"...)
			from = i + 1
		case ']':
			escape = inLink
		case '\\':
			escape = i+1 == len(s) || s[i+1] < utf8.RuneSelf && isMarked(rune(s[i+1]))
		case '_': // within a word it means nothing
			left, _ := utf8.DecodeLastRuneInString(s[:i])
			right, _ := utf8.DecodeRuneInString(s[i+1:])
			escape = !isWord(left) || !isWord(right)
		case '&':
			escape = isEntity(s[i:])
		case '!': // a link may follow
			escape = i+1 == len(s)
		}
		if escape {
			b = append(append(b, s[from:i]...), '\\')
			from = i
		}
	}
	return append(b, s[from:]...)
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

// put adds Markdown that is not empty, with the marks that begin before it.
func (w *inline) put(markdown string) {
	if markdown != "" {
		w.begin()
		w.write(markdown)
		w.spaced = false
	}
}

// begin adds what comes before words: a space, and the marks that begin.
func (w *inline) begin() {
	if n := len(w.pieces); w.spaced && n > 0 && string(w.wordsOf(w.pieces[n-1])) != breakMark {
		w.write(" ")
	}
	for _, m := range w.waiting {
		m.written = true
		w.pieces = append(w.pieces, piece{begin: m})
	}
	w.waiting = w.waiting[:0]
}

// write adds a piece of words.
func (w *inline) write(markdown string) {
	from := len(w.words)
	w.words = append(w.words, markdown...)
	w.pieces = append(w.pieces, piece{from: from, to: len(w.words)})
}

func (w *inline) wordsOf(p piece) []byte { return w.words[p.from:p.to] }

func (m *mark) isLink() bool { return m.before == "[" }

// marked adds the words of an element between marks; white space goes outside of them,
// where Markdown wants it.
func (w *inline) marked(before, after string, n *node) {
	if slices.ContainsFunc(w.open, func(m *mark) bool { return m.before == before }) {
		w.addAll(n.children)
		return
	}
	m := &mark{before: before, after: after}
	w.open, w.waiting = append(w.open, m), append(w.waiting, m)
	w.addAll(n.children)
	w.open = w.open[:len(w.open)-1]
	if m.written {
		w.pieces = append(w.pieces, piece{end: m})
		return
	}
	w.waiting = w.waiting[:len(w.waiting)-1]
}

// paragraph returns elements as Markdown, whose only line breaks are those that stay. It
// is overwritten by the next call.
func (w *inline) paragraph(nodes []*node) []byte {
	w.pieces, w.words, w.spaced, w.open, w.waiting = w.pieces[:0], w.words[:0], false, w.open[:0], w.waiting[:0]
	w.seen, w.address = 0, false
	w.addAll(nodes)
	w.dropMarks()
	w.out = w.out[:0]
	for _, p := range w.pieces {
		switch {
		case p.begin == nil && p.end == nil:
			w.out = append(w.out, w.wordsOf(p)...)
		case p.begin != nil && !p.begin.dropped:
			w.out = append(w.out, p.begin.before...)
		case p.end != nil && !p.end.dropped:
			w.out = append(w.out, p.end.after...)
		}
	}
	out := w.out
	for bytes.HasSuffix(out, []byte(breakMark)) {
		out = out[:len(out)-len(breakMark)]
	}
	return out
}

// dropMarks drops those marks that Markdown would not take for one where they stand, as in
// a**"b"**c.
func (w *inline) dropMarks() {
	for i, p := range w.pieces {
		switch {
		case p.begin != nil && !p.begin.isLink():
			before, after := w.neighbour(i, -1), w.neighbour(i, 1)
			if i > 0 && w.pieces[i-1].end != nil && !w.pieces[i-1].end.isLink() || isMarked(after) && !isMarked(before) && !unicode.IsSpace(before) {
				p.begin.dropped = true
			}
		case p.end != nil && !p.end.isLink():
			before, after := w.neighbour(i, -1), w.neighbour(i, 1)
			if isMarked(before) && !isMarked(after) && !unicode.IsSpace(after) {
				p.end.dropped = true
			}
		}
	}
}

// neighbour is the first character on one side of a piece that is not of emphasis.
func (w *inline) neighbour(i, step int) rune {
	for i += step; i >= 0 && i < len(w.pieces); i += step {
		switch p := w.pieces[i]; {
		case p.begin != nil && p.begin.isLink(), p.end != nil && p.end.isLink():
			return '['
		case p.from == p.to:
		case step < 0:
			r, _ := utf8.DecodeLastRune(w.wordsOf(p))
			return r
		default:
			r, _ := utf8.DecodeRune(w.wordsOf(p))
			return r
		}
	}
	return ' '
}

// isMarked reports whether CommonMark counts a character as punctuation.
func isMarked(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// codeSpan returns a text as code within a line.
func codeSpan(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r", " "), "\n", " ")
	if strings.TrimSpace(s) == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s)+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// destination returns an address as a link has it.
func destination(address string) string {
	var b strings.Builder
	from := 0 // where what is not written yet begins
	for i := range len(address) {
		escaped := ""
		switch c := address[i]; {
		case c <= ' ' || c == '"' || c == '<' || c == '>' || c == '\\' || c == '`' || c == 0x7f:
			escaped = fmt.Sprintf("%%%02X", c)
		case c == '&' && isEntity(address[i:]): // to goldmark, it would be a character after a backslash, too
			escaped = "&amp;"
		case c == '(' || c == ')' || c == '*' || c == '_' || c == '[' || c == ']':
			escaped = "\\" + address[i:i+1]
		default:
			continue
		}
		b.WriteString(address[from:i])
		b.WriteString(escaped)
		from = i + 1
	}
	if from == 0 {
		return address
	}
	b.WriteString(address[from:])
	return b.String()
}

// title returns the title of a link or a picture, with what is before it.
func title(n *node) string {
	words := trimSpace(n.attribute("title"))
	if words == "" {
		return ""
	}
	return ` "` + strings.ReplaceAll(string(appendText(nil, words, true)), `"`, `\"`) + `"`
}

// isEntity reports whether s begins with what may be a character of HTML.
func isEntity(s string) bool {
	name, _, ended := strings.Cut(s[:min(len(s), 40)], ";")
	return ended && len(name) > 1 && !strings.ContainsFunc(name[1:], func(r rune) bool {
		return r != '#' && (r < '0' || '9' < r) && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r)
	})
}

func isWord(r rune) bool { return unicode.In(r, unicode.L, unicode.M, unicode.N) }

// escapeStart keeps a line of text from beginning another block.
func escapeStart(line []byte) []byte {
	at := -1
	digits := len(line) - len(bytes.TrimLeft(line, "0123456789"))
	switch {
	case len(line) == 0:
	case line[0] == '#' || line[0] == '>' || line[0] == '=' || line[0] == '|' || line[0] == ':':
		at = 0
	case line[0] == '+' || line[0] == '-':
		if len(line) == 1 || line[1] == ' ' || line[1] == '-' || line[1] == '+' || line[1] == '|' || line[1] == ':' {
			at = 0
		}
	case digits > 0 && digits <= 9 && digits < len(line) && (line[digits] == '.' || line[digits] == ')'):
		if digits+1 == len(line) || line[digits+1] == ' ' {
			at = digits
		}
	case bytes.HasPrefix(line, []byte("[^")):
		if end := bytes.Index(line, []byte("]:")); end > 0 && !bytes.ContainsAny(line[:end], " \\") {
			at = end + 1
		}
	}
	if at < 0 {
		return line
	}
	return slices.Insert(line, at, '\\')
}

// escapeHeading keeps a # at the end of a heading from being taken for its end.
func escapeHeading(line []byte) []byte {
	if at := len(bytes.TrimRight(line, "#")); at < len(line) && line[max(0, at-1)] != '\\' {
		return slices.Insert(line, at, '\\')
	}
	return line
}

// escapeCell keeps a text within its cell of a table.
func escapeCell(line []byte) []byte { return bytes.ReplaceAll(line, []byte("|"), []byte("\\|")) }

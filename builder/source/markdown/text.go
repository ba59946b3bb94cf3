package markdown

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"newsstand/builder/article"
)

// finisher gathers the HTML and the text of a document: it makes addresses absolute and
// replaces iframes by links. It is given each tag and text in order.
type finisher struct {
	resolve func(string) string // makes an address absolute
	out     Rendered
	html    []byte
	text    []byte

	block     textBlock
	pre       int       // how many <pre> are open
	skip      int       // how many skipTag are open, whose contents are left out of the text
	skipTag   atom.Atom // the element that is left out; see noText
	list      int       // how many lists and tables are open
	inHeading bool
	headingAt int       // where in html the title begins
	belowText bool      // whether a paragraph precedes it
	title     atom.Atom // the level of the heading that is the title so far; H2 without out.Heading if no heading of the second level may be the title any more
	blocks    int       // how many blocks were written
	notes     bool      // whether the footnotes have begun
	summary   int       // how many bytes out.Paragraphs hold
	aside     bool      // whether words are those of a link within the page, or stand for a picture or a frame
	apart     bool      // whether a picture, a frame or a tag that was not kept stands between the words of the block and the next ones
}

// textBlock is a block of the text that is being read.
type textBlock struct {
	tag      atom.Atom // of its element
	text     []byte
	own      bool     // whether it has any words that are not aside
	pictures [][2]int // where in the text of a heading the words are that stand for pictures
	cell     bool     // whether the row of a table has a cell already
	cellAt   int      // where the text of the cell begins
	rowEnd   int      // where the text of the row ends, without empty cells at its end
}

// newline begins a line.
func (b *textBlock) newline() {
	if len(b.text) == 0 || b.text[len(b.text)-1] == '\n' {
		return
	}
	b.text = append(bytes.TrimRight(b.text, " \u00a0"), '\n') // the no-break space keeps the arrow of a note on its line
}

// endCell ends a cell of a table.
func (b *textBlock) endCell() {
	if len(bytes.TrimSpace(b.text[min(b.cellAt, len(b.text)):])) > 0 {
		b.rowEnd = len(b.text)
	}
}

// endRow ends a row of a table, and drops the empty cells at its end: Markdown fills rows up with
// these, and writes an empty row if a table has no head.
func (b *textBlock) endRow() {
	if end := min(b.rowEnd, len(b.text)); len(bytes.Trim(b.text[end:], " |")) == 0 {
		b.text = b.text[:end]
	}
}

// finisher returns a finisher that writes into the buffers.
func (b *buffers) finisher(resolve func(string) string) finisher {
	return finisher{resolve: harmless(resolve), html: b.html[:0], text: b.text[:0], block: textBlock{text: b.block[:0]}}
}

// end ends the document of the buffers' finisher.
func (b *buffers) end(f *finisher) Rendered {
	r := f.end()
	b.html, b.text, b.block = f.html, f.text, f.block.text
	return r
}

// tokens reads sanitised HTML.
func (f *finisher) tokens(sanitised []byte) {
	z := html.NewTokenizer(bytes.NewReader(sanitised))
	var frame []byte // what is in an iframe: a fallback that is left out, unless the iframe has no end
	inFrame := false
	for {
		switch z.Next() {
		case html.ErrorToken:
			f.plain(frame)
			return
		case html.TextToken:
			if inFrame {
				frame = z.Raw() // up to the end of the iframe, or of the HTML
				continue
			}
			f.plain(z.Raw())
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			inFrame = t.DataAtom == atom.Iframe
			f.start(t)
		case html.EndTagToken:
			t := z.Token()
			frame, inFrame = nil, false
			if slices.Contains(setApart(), t.Data) {
				f.apart = true
				continue
			}
			if t.DataAtom != atom.Iframe && (t.DataAtom == atom.Br || !IsVoid(t.Data)) { // </br> is read as a line break
				f.html = append(f.html, t.String()...)
				f.closed(t.DataAtom)
			}
		}
	}
}

// plain adds escaped text.
func (f *finisher) plain(raw []byte) {
	if f.apart {
		f.html = keepApart(f.html, raw)
	}
	f.html = append(f.html, raw...)
	if f.skip == 0 {
		f.words([]byte(html.UnescapeString(string(raw))))
	}
}

// end ends the document.
func (f *finisher) end() Rendered {
	f.flush()
	front := len(f.html) - len(bytes.TrimLeftFunc(f.html, unicode.IsSpace))
	if content := bytes.TrimSpace(f.html); len(content) > 0 {
		f.out.HTML = string(append(content, '\n')) // as a line ending was trimmed, or there is room for one
	}
	for i := range f.out.headingHTML {
		f.out.headingHTML[i] = max(0, f.out.headingHTML[i]-front)
	}
	f.out.Text = string(f.text)
	return f.out
}

// words adds text of the document to the block.
func (f *finisher) words(s []byte) {
	b := &f.block
	b.own = b.own || !f.aside && bytes.ContainsFunc(s, isLetterOrNumber)
	if f.pre > 0 {
		b.text = append(b.text, s...)
		return
	}
	if n := len(b.text); n == 0 || b.text[n-1] == '\n' || b.text[n-1] == ' ' {
		s = trimFront(s)
	} else if f.apart {
		b.text = keepApart(b.text, s)
	}
	f.apart = f.apart && len(s) == 0
	from, before := 0, byte(0) // where the run that is appended as it is begins, and the byte before c
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && (c^' ')|(before^' ') != 0 || c < ' ' && c != '\t' && c != '\n' && c != '\r' { // without a branch on whether c is a space
			before = c
			continue
		}
		b.text = append(b.text, s[from:i]...)
		if i == 0 || s[i-1] != ' ' {
			b.text = append(b.text, ' ')
		}
		from, before = len(s)-len(trimFront(s[i:])), 0
		i = from - 1
	}
	b.text = append(b.text, s[from:]...)
}

// placeholder adds words that stand for a picture or a frame.
func (f *finisher) placeholder(s []byte) {
	before, from := f.aside, len(f.block.text)
	f.aside, f.apart = true, true
	f.words(s)
	f.aside, f.apart = before, true
	if f.inHeading {
		f.block.pictures = append(f.block.pictures, [2]int{from, len(f.block.text)})
	}
}

// keepApart returns a text with a space after it if its last word would run into the first word of
// s, because the tag between them was not kept.
func keepApart(text, s []byte) []byte {
	last, _ := utf8.DecodeLastRune(text)
	first, _ := utf8.DecodeRune(s)
	if isLetterOrNumber(last) && isLetterOrNumber(first) {
		return append(text, ' ')
	}
	return text
}

func isLetterOrNumber(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// trimFront takes white space off the front of a text.
func trimFront(s []byte) []byte {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || s[0] == '\r') {
		s = s[1:]
	}
	return s
}

// start writes a sanitised start tag.
func (f *finisher) start(t html.Token) {
	switch {
	case t.DataAtom == atom.Iframe:
		f.frame(t)
		return
	case t.DataAtom == atom.Input:
		f.input(t)
		return
	case slices.Contains(setApart(), t.Data):
		f.apart = true
		return
	}
	f.endReading(t.DataAtom)
	f.opens(t.DataAtom, attribute(t, "class"), attribute(t, "alt"))
	if t.DataAtom == atom.A {
		f.linkBegins(attribute(t, "href"))
	}
	if f.skip > 0 && t.DataAtom == f.skipTag && t.Type == html.StartTagToken {
		f.skip++
	}
	if f.skip == 0 && t.Type == html.StartTagToken && noText(t.DataAtom, attribute(t, "class")) {
		f.skip, f.skipTag = 1, t.DataAtom
	}
	f.write(t)
}

// opens does what a start tag does to the text. It is called before the tag is written.
func (f *finisher) opens(tag atom.Atom, class, alt string) {
	switch tag {
	case atom.Pre:
		f.flush()
		f.pre++
	case atom.Br:
		if f.skip == 0 {
			f.block.newline()
		}
	case atom.Img:
		if f.skip == 0 {
			f.placeholder([]byte(alt))
		}
	case atom.Td, atom.Th:
		if f.block.cell {
			f.words([]byte(" | "))
		}
		f.block.cell, f.block.cellAt = true, len(f.block.text)
	}
	if isBlock(tag) && f.list == 0 || tag == atom.Pre {
		f.flush()
		f.block.tag = tag
	} else if isLine(tag) || isBlock(tag) {
		f.block.newline()
		f.block.cell, f.block.rowEnd = false, len(f.block.text)
	}
	f.notes = f.notes || class == "footnotes"
	switch tag {
	case atom.Ul, atom.Ol, atom.Dl, atom.Table:
		f.list++
		f.block.tag = tag
	case atom.H1, atom.H2:
		f.headingBegins(tag)
	}
}

// linkBegins notes the address of a link.
func (f *finisher) linkBegins(address string) { f.aside = strings.HasPrefix(address, "#") }

// headingBegins decides whether a heading is the title: the first one of the first level, or else
// one of the second level that begins the document, if no other follows. The first one of the first
// level is not the title if text precedes it and another one follows: both are parts, like the
// Summary and the Motivation of an RFC.
func (f *finisher) headingBegins(tag atom.Atom) {
	switch {
	case f.title == atom.H1 && tag == atom.H1 && f.belowText:
		f.out.Heading = ""
	case f.title == atom.H1:
	case tag == atom.H1 || f.title == 0 && len(bytes.TrimSpace(f.html)) == 0: // nothing precedes it, not even the tag of a quote around it
		f.inHeading, f.headingAt, f.title, f.belowText = true, len(f.html), tag, len(f.out.Paragraphs) > 0
	default:
		f.out.Heading, f.title = "", atom.H2
	}
}

// noText reports whether an element is left out of the text: numbers and arrows of footnotes,
// and the readings of words (<rt>).
func noText(tag atom.Atom, class string) bool {
	return strings.HasPrefix(class, "footnote-backref") || strings.HasPrefix(class, "footnote-ref") || tag == atom.Rt || tag == atom.Rp
}

// endReading ends the reading of a word (<rt>, or <rp> around it), whose end tag may be missing, at
// a tag that cannot be in it.
func (f *finisher) endReading(tag atom.Atom) {
	inReading := f.skipTag == atom.Rt || f.skipTag == atom.Rp
	if inReading && (tag == atom.Ruby || tag == atom.Rt || tag == atom.Rp || isBlock(tag) || isLine(tag)) {
		f.skip = 0
	}
}

// closed does what an end tag does to the text. It is called after the tag is written.
func (f *finisher) closed(tag atom.Atom) {
	if f.skip > 0 && tag == f.skipTag {
		f.skip--
	}
	f.endReading(tag)
	switch tag {
	case atom.A:
		f.aside = false
	case atom.Pre:
		f.pre = max(0, f.pre-1)
		f.flush()
	case atom.Td, atom.Th:
		f.block.endCell()
	case atom.Tr:
		f.block.endRow()
	case atom.Ul, atom.Ol, atom.Dl, atom.Table:
		if f.list = max(0, f.list-1); f.list == 0 {
			f.flush()
		}
	case atom.H1, atom.H2:
		if f.inHeading && tag == f.title {
			f.inHeading = false
			f.out.Heading = f.heading()
			f.out.HeadingFirst = f.blocks == 0
			f.out.headingHTML = [2]int{f.headingAt, len(f.html)}
			at := len(f.text)
			f.flush()
			f.out.headingText = [2]int{at, len(f.text)}
			return
		}
	}
	if isBlock(tag) && f.list == 0 {
		f.flush()
	}
}

// heading returns the text of the heading that ends. It leaves out what describes the pictures in
// it, as programs do when they make titles of headings, unless the heading has nothing else.
func (f *finisher) heading() string {
	own := slices.Clone(f.block.text)
	for _, p := range slices.Backward(f.block.pictures) {
		own = slices.Replace(own, min(p[0], len(own)), min(p[1], len(own)), ' ')
	}
	if !bytes.ContainsFunc(own, isLetterOrNumber) {
		own = f.block.text
	}
	return string(bytes.Join(bytes.Fields(own), []byte(" "))) // it may have line breaks
}

// flush ends a block of text.
func (f *finisher) flush() {
	b := f.block
	f.block = textBlock{text: b.text[:0]}
	s := b.text
	if b.tag == atom.Pre {
		s = bytes.Trim(s, "\n")
	} else {
		s = bytes.TrimSpace(s)
	}
	if len(bytes.TrimSpace(s)) == 0 {
		return
	}
	if len(f.text) > 0 {
		f.text = append(f.text, "\n\n"...)
	}
	f.text = append(f.text, s...)
	f.blocks++
	switch b.tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre, atom.Table, atom.Figcaption, atom.Caption, atom.Summary:
	default:
		if !b.own || f.notes || f.summary > utf8.UTFMax*article.MaxSummaryRunes { // enough for any summary
			return
		}
		f.summary += len(s)
		f.out.Paragraphs = append(f.out.Paragraphs, strings.ReplaceAll(string(s), "\n", " "))
	}
}

// frame writes a link in place of an iframe.
func (f *finisher) frame(t html.Token) {
	src := f.resolve(attribute(t, "src"))
	if !strings.HasPrefix(src, "https://") && !strings.HasPrefix(src, "http://") {
		return
	}
	f.html = append(f.html, `<a href="`+html.EscapeString(src)+`">`+html.EscapeString(src)+`</a>`...)
	f.placeholder([]byte(src))
}

// input writes an input that is a box of a task list, and no other.
func (f *finisher) input(t html.Token) {
	if attribute(t, "type") != "" { // the policy lets through no other type
		f.box(slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "checked" }))
	}
}

// box writes the box of an item of a task list.
func (f *finisher) box(checked bool) {
	f.html = append(f.html, `<input type="checkbox" disabled=""`...)
	if checked {
		f.html = append(f.html, ` checked=""`...)
	}
	f.html = append(f.html, '>')
}

// write writes a tag with its addresses made absolute. A link without one, which would lead to the
// page that shows it, is left without.
func (f *finisher) write(t html.Token) {
	for i := range t.Attr {
		switch a := &t.Attr[i]; a.Key {
		case "href", "src", "poster", "cite":
			a.Val = f.resolve(a.Val)
		case "srcset":
			a.Val = f.srcset(a.Val)
		}
	}
	t.Attr = slices.DeleteFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "href" && a.Val == "" })
	if (t.DataAtom == atom.Audio || t.DataAtom == atom.Video) &&
		!slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "controls" }) {
		t.Attr = append(t.Attr, html.Attribute{Key: "controls"})
	}
	f.html = append(f.html, t.String()...)
}

// srcset resolves each address in a srcset, which the policy has not checked. An address ends at
// white space, and may have commas in it.
func (f *finisher) srcset(s string) string {
	const space = " \t\r\n\f"
	var kept []string
	for s = strings.TrimLeft(s, space+","); s != ""; s = strings.TrimLeft(s, space+",") {
		address, size := s, ""
		if end := strings.IndexAny(s, space); end >= 0 {
			address, s = s[:end], s[end:]
		} else {
			s = ""
		}
		if bare := strings.TrimRight(address, ","); bare != address {
			address = bare
		} else {
			size, s, _ = strings.Cut(s, ",")
			size = strings.Trim(size, space)
		}
		u, err := url.Parse(address)
		if err != nil || address == "" || u.Scheme != "" && u.Scheme != "http" && u.Scheme != "https" {
			continue
		}
		kept = append(kept, strings.TrimSpace(f.resolve(address)+" "+size))
	}
	return strings.Join(kept, ", ")
}

func attribute(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

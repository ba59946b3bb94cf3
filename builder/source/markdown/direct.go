package markdown

import (
	"bytes"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	emojiast "github.com/yuin/goldmark-emoji/ast"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// direct writes the HTML and the text of a document in one walk over its syntax tree. It writes,
// byte for byte, what rendering, sanitising and finishing would write, and gives up if it cannot be
// sure of that: at attributes, and at incomplete HTML. The policy allows all tags that direct
// writes by itself, and sanitises the author's HTML, so nothing unsafe is written.
type direct struct {
	finisher
	*Renderer
	source []byte
	buf    bytes.Buffer // for text with character references
	odd    bool         // whether there was a reference to a character that HTML reads as another
}

// directly renders a document without the sanitiser; ok is false if the document needs it.
func (c *Renderer) directly(document ast.Node, source []byte, resolve func(string) string) (r Rendered, ok bool) {
	if bytes.IndexByte(source, '\r') >= 0 || bytes.IndexByte(source, 0) >= 0 { // HTML reads these characters as others
		return r, false
	}
	own := c.buffers.Get().(*buffers)
	defer c.buffers.Put(own)
	d := direct{Renderer: c, source: source, finisher: own.finisher(resolve)}
	if !d.children(document) || d.odd {
		return r, false
	}
	return own.end(&d.finisher), true
}

// children writes all within a node. Like all methods that write a node, it reports whether it is
// sure of what it wrote.
func (d *direct) children(n ast.Node) bool {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if !d.node(c) {
			return false
		}
	}
	return true
}

// element writes an element without attributes and all within it.
func (d *direct) element(tag atom.Atom, n ast.Node) bool {
	d.open(tag)
	ok := d.children(n)
	d.close(tag)
	return ok
}

// ownLine writes an element without attributes on a line of its own, and all within it.
func (d *direct) ownLine(tag atom.Atom, n ast.Node) bool {
	d.open(tag)
	return d.rest(tag, n)
}

// block writes an element without attributes and all within it on lines of their own.
func (d *direct) block(tag atom.Atom, n ast.Node) bool {
	d.open(tag)
	return d.inside(tag, n)
}

// inside writes what follows the start tag of a block.
func (d *direct) inside(tag atom.Atom, n ast.Node) bool {
	d.line()
	return d.rest(tag, n)
}

// rest writes all within an element that is open, its end tag, and the end of the line.
func (d *direct) rest(tag atom.Atom, n ast.Node) bool {
	ok := d.children(n)
	d.close(tag)
	d.line()
	return ok
}

func (d *direct) open(tag atom.Atom) { d.openWith(tag, "", "") }

// openWith writes a start tag with one attribute, unless that has no name.
func (d *direct) openWith(tag atom.Atom, key, value string) {
	class := ""
	if key == "class" {
		class = value
	}
	d.opens(tag, class, "")
	d.html = append(append(d.html, '<'), tag.String()...)
	if key != "" {
		d.attribute(key, value)
	}
	d.html = append(d.html, '>')
}

func (d *direct) close(tag atom.Atom) {
	d.html = append(append(append(d.html, "</"...), tag.String()...), '>')
	d.closed(tag)
}

// line ends a line of the HTML.
func (d *direct) line() {
	d.html = append(d.html, '\n')
	if d.skip == 0 {
		d.words([]byte{'\n'})
	}
}

// text writes text without character references, escaped.
func (d *direct) text(s []byte) {
	if d.apart {
		d.html = keepApart(d.html, s)
	}
	const escaped = 1<<'&' | 1<<'\'' | 1<<'<' | 1<<'>' | 1<<'"' // as bits
	from := 0
	for i, c := range s {
		if uint64(escaped)>>c&1 != 0 {
			d.html = append(append(d.html, s[from:i]...), escapes(c)...)
			from = i + 1
		}
	}
	d.html = append(d.html, s[from:]...)
	if d.skip == 0 {
		d.words(s)
	}
}

// escapes returns how html.EscapeString writes a byte; "" for one that it does not escape.
func escapes(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '\'':
		return "&#39;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	}
	return ""
}

// attribute writes an attribute.
func (d *direct) attribute(name, value string) {
	d.html = append(append(append(d.html, ' '), name...), `="`...)
	d.html = append(append(d.html, html.EscapeString(value)...), '"')
}

// resolved returns the text of Markdown source: character references and backslash escapes are
// resolved.
func (d *direct) resolved(s []byte) []byte {
	if bytes.IndexByte(s, '&') < 0 && bytes.IndexByte(s, '\\') < 0 {
		return s
	}
	d.buf.Reset()
	w := bufWriter{&d.buf}
	rendererhtml.DefaultWriter.Write(w, s)
	d.odd = d.odd || bytes.IndexByte(d.buf.Bytes(), '\r') >= 0
	return []byte(html.UnescapeString(d.buf.String()))
}

// bufWriter makes a buffer a util.BufWriter, which goldmark writes to.
type bufWriter struct{ *bytes.Buffer }

func (bufWriter) Buffered() int { return 0 }
func (bufWriter) Flush() error  { return nil }

// node writes a node and all within it.
func (d *direct) node(n ast.Node) bool {
	switch n := n.(type) { // those whose attributes are checked elsewhere or are not written
	case *ast.Text:
		return d.textNode(n)
	case *emojiast.Emoji:
		return d.emoji(n)
	case *ast.Heading:
		return d.heading(n)
	case *extast.FootnoteLink:
		return d.footnoteMark(n)
	case *extast.FootnoteBacklink:
		d.text([]byte("\u00a0"))
		d.footnoteLink("#"+footnoteRef(n.Index, n.RefIndex), "footnote-backref", "\u21a9\ufe0e")
		return true
	}
	if n.Attributes() != nil {
		return false
	}
	switch n := n.(type) {
	case *ast.Paragraph:
		return d.ownLine(atom.P, n)
	case *ast.TextBlock:
		return d.textBlock(n)
	case *ast.List:
		return d.list(n)
	case *ast.ListItem:
		return d.item(n)
	case *ast.Blockquote:
		return d.block(atom.Blockquote, n)
	case *ast.FencedCodeBlock:
		language := n.Language(d.source)
		return !bytes.ContainsAny(language, "&\\ \t\n\f") && d.code(n, string(language))
	case *ast.CodeBlock:
		return d.code(n, "")
	case *ast.HTMLBlock:
		return d.raw(htmlOf(n, d.source))
	case *ast.ThematicBreak:
		d.open(atom.Hr)
		d.line()
		return true
	case *ast.LinkReferenceDefinition:
		return true
	case *extast.Table:
		return d.block(atom.Table, n)
	case *extast.TableHeader:
		return d.tableHeader(n)
	case *extast.TableRow:
		return d.tableRow(n)
	case *extast.TableCell:
		return d.tableCell(n)
	case *extast.FootnoteList:
		return d.footnotes(n)
	case *extast.Footnote:
		return d.footnote(n)
	case *extast.DefinitionList:
		return d.block(atom.Dl, n)
	case *extast.DefinitionTerm:
		return d.ownLine(atom.Dt, n)
	case *extast.DefinitionDescription:
		return d.description(n)
	}
	return d.span(n)
}

// span writes an inline node.
func (d *direct) span(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Emphasis:
		if n.Level == 2 {
			return d.element(atom.Strong, n)
		}
		return d.element(atom.Em, n)
	case *ast.Link:
		return d.link(n, string(util.URLEscape(n.Destination, true)), n.Title)
	case *ast.AutoLink:
		return d.autoLink(n)
	case *ast.Image:
		return d.image(n)
	case *ast.CodeSpan:
		return d.codeSpan(n)
	case *ast.RawHTML:
		return d.raw(n.Segments.Value(d.source))
	case *marked:
		return d.element(atom.Lookup([]byte(n.element)), n)
	case *extast.Strikethrough:
		return d.element(atom.Del, n)
	case *extast.TaskCheckBox:
		d.box(n.IsChecked)
		d.text([]byte(" "))
		return true
	}
	return false
}

func (d *direct) textNode(n *ast.Text) bool {
	s := n.Segment.Value(d.source)
	if n.IsRaw() {
		d.text(s)
		return true
	}
	d.text(d.resolved(s))
	if n.HardLineBreak() {
		d.open(atom.Br)
	}
	if n.HardLineBreak() || n.SoftLineBreak() {
		d.line()
	}
	return true
}

func (d *direct) emoji(n *emojiast.Emoji) bool {
	if !n.Value.IsUnicode() { // a picture of GitHub's
		return false
	}
	d.text([]byte(string(n.Value.Unicode)))
	return true
}

// footnoteRef returns the id of a reference to a footnote: of the first one, if again is 0, or of a
// later one.
func footnoteRef(index, again int) string {
	if again == 0 {
		return "fnref:" + strconv.Itoa(index)
	}
	return "fnref" + strconv.Itoa(again) + ":" + strconv.Itoa(index)
}

func (d *direct) footnoteMark(n *extast.FootnoteLink) bool {
	d.openWith(atom.Sup, "id", footnoteRef(n.Index, n.RefIndex))
	index := strconv.Itoa(n.Index)
	d.footnoteLink("#fn:"+index, "footnote-ref", index)
	d.close(atom.Sup)
	return true
}

func (d *direct) footnotes(n *extast.FootnoteList) bool {
	d.openWith(atom.Div, "class", "footnotes")
	d.line()
	d.open(atom.Hr)
	d.line()
	ok := d.block(atom.Ol, n)
	d.close(atom.Div)
	d.line()
	return ok
}

func (d *direct) footnote(n *extast.Footnote) bool {
	d.openWith(atom.Li, "id", "fn:"+strconv.Itoa(n.Index))
	return d.inside(atom.Li, n)
}

func (d *direct) textBlock(n *ast.TextBlock) bool {
	ok := d.children(n)
	if n.NextSibling() != nil && n.FirstChild() != nil {
		d.line()
	}
	return ok
}

func (d *direct) list(n *ast.List) bool {
	tag, key := atom.Ul, ""
	if n.IsOrdered() {
		tag = atom.Ol
		if n.Start != 1 {
			key = "start"
		}
	}
	d.openWith(tag, key, strconv.Itoa(n.Start))
	return d.inside(tag, n)
}

func (d *direct) item(n *ast.ListItem) bool {
	d.open(atom.Li)
	if first := n.FirstChild(); first != nil {
		if _, ok := first.(*ast.TextBlock); !ok {
			d.line()
		}
	}
	return d.rest(atom.Li, n)
}

func (d *direct) description(n *extast.DefinitionDescription) bool {
	d.open(atom.Dd)
	if !n.IsTight {
		d.line()
	}
	return d.rest(atom.Dd, n)
}

func (d *direct) tableHeader(n *extast.TableHeader) bool {
	d.open(atom.Thead)
	d.line()
	ok := d.block(atom.Tr, n)
	d.close(atom.Thead)
	d.line()
	if n.NextSibling() != nil {
		d.open(atom.Tbody)
		d.line()
	}
	return ok
}

func (d *direct) tableRow(n *extast.TableRow) bool {
	ok := d.block(atom.Tr, n)
	if n.Parent().LastChild() == n {
		d.close(atom.Tbody)
		d.line()
	}
	return ok
}

func (d *direct) tableCell(n *extast.TableCell) bool {
	tag := atom.Td
	if n.Parent().Kind() == extast.KindTableHeader {
		tag = atom.Th
	}
	key := ""
	if n.Alignment != extast.AlignNone {
		key = "align"
	}
	d.openWith(tag, key, n.Alignment.String())
	return d.rest(tag, n)
}

func (d *direct) autoLink(n *ast.AutoLink) bool {
	address := string(util.URLEscape(n.URL(d.source), false))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(address), "mailto:") {
		address = "mailto:" + address
	}
	return d.link(n, address, nil)
}

func (d *direct) codeSpan(n *ast.CodeSpan) bool {
	d.open(atom.Code)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		s := c.(*ast.Text).Segment.Value(d.source)
		line, broken := bytes.CutSuffix(s, []byte("\n"))
		d.text(line)
		if broken {
			d.text([]byte(" "))
		}
	}
	d.close(atom.Code)
	return true
}

// htmlOf returns the HTML of a block.
func htmlOf(n *ast.HTMLBlock, source []byte) []byte {
	raw := n.Lines().Value(source)
	if n.HasClosure() {
		raw = append(raw[:len(raw):len(raw)], n.ClosureLine.Value(source)...)
	}
	return raw
}

// heading writes a heading with its id. It gives up at other attributes, which the policy may not
// allow.
func (d *direct) heading(n *ast.Heading) bool {
	tag := [...]atom.Atom{0, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}[n.Level]
	key, value := "", ""
	for _, a := range n.Attributes() {
		id, isText := a.Value.([]byte)
		if string(a.Name) != "id" || !isText || len(n.Attributes()) > 1 || !isID(id) {
			return false
		}
		key, value = "id", string(id)
	}
	d.openWith(tag, key, value)
	return d.rest(tag, n)
}

// isID reports whether the policy allows an id.
func isID(id []byte) bool {
	return len(id) > 0 && !bytes.ContainsFunc(id, func(r rune) bool {
		return !strings.ContainsRune("_:.-", r) && !unicode.In(r, unicode.L, unicode.N, unicode.M) && (r < utf8.RuneSelf || !unicode.In(r, unicode.P, unicode.S))
	})
}

// link writes a link to an address; title may be nil.
func (d *direct) link(n ast.Node, address string, title []byte) bool {
	d.opens(atom.A, "", "")
	d.linkBegins(address)
	d.html = append(d.html, "<a"...)
	d.address("href", address)
	if title != nil {
		d.attribute("title", string(d.resolved(title)))
	}
	d.html = append(d.html, '>')
	if auto, is := n.(*ast.AutoLink); is {
		d.text(auto.Label(d.source))
	} else if !d.children(n) {
		return false
	}
	d.close(atom.A)
	return true
}

// footnoteLink writes a link from or to a footnote, whose words are left out of the text.
func (d *direct) footnoteLink(address, class, words string) {
	d.opens(atom.A, class, "")
	d.skip, d.skipTag = 1, atom.A
	d.html = append(d.html, "<a"...)
	d.attribute("href", d.resolve(address))
	d.attribute("class", class)
	d.html = append(d.html, '>')
	d.text([]byte(words))
	d.close(atom.A)
}

// address writes an attribute with an address, if the policy allows it.
func (d *direct) address(name, address string) {
	address = strings.TrimSpace(address)
	if isPlainAddress(address) {
		d.attribute(name, address)
		return
	}
	u, err := url.Parse(address)
	if err != nil || strings.ContainsAny(address, " \t\n") || u.Scheme != "" && !slices.Contains(schemes(), u.Scheme) {
		return
	}
	if address = u.String(); address != "" {
		address = d.resolve(address)
	}
	if address != "" {
		d.attribute(name, address)
	}
}

// isPlainAddress reports whether an address of the web is absolute and in its simplest form,
// as most are: neither parsing nor resolving would change it.
func isPlainAddress(s string) bool {
	rest, ok := strings.CutPrefix(s, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(s, "http://")
	}
	if !ok || rest == "" || !IsLetterOrDigit(rest[0]) {
		return false
	}
	for i := range len(rest) {
		switch c := rest[i]; {
		case IsLetterOrDigit(c), c == '-', c == '_':
		case c == '#' && i+1 < len(rest):
			return !strings.ContainsFunc(
				rest[i+1:],
				func(r rune) bool { return r != '-' && r != '_' && (r >= utf8.RuneSelf || !IsLetterOrDigit(byte(r))) },
			)
		case (c == '.' || c == '/') && rest[i-1] != '/':
		default:
			return false
		}
	}
	return true
}

func (d *direct) image(n *ast.Image) bool {
	alt, ok := d.alt(nil, n)
	if !ok {
		return false
	}
	d.opens(atom.Img, "", string(alt))
	d.html = append(d.html, "<img"...)
	d.address("src", string(util.URLEscape(n.Destination, true)))
	d.attribute("alt", string(alt))
	if n.Title != nil {
		d.attribute("title", string(d.resolved(n.Title)))
	}
	d.html = append(d.html, '>')
	return true
}

// alt appends the alternative text of an image; ok is false if it gave up.
func (d *direct) alt(alt []byte, n ast.Node) ([]byte, bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			s := c.Segment.Value(d.source)
			if c.IsRaw() {
				alt = append(alt, s...)
				continue
			}
			alt = append(alt, d.resolved(s)...)
			if c.HardLineBreak() {
				return nil, false
			}
			if c.SoftLineBreak() {
				alt = append(alt, '\n')
			}
		default:
			var ok bool
			if alt, ok = d.alt(alt, c); !ok {
				return nil, false
			}
		}
	}
	return alt, true
}

// code writes a block of code.
func (d *direct) code(n ast.Node, language string) bool {
	d.open(atom.Pre)
	key := ""
	if language != "" && isClass(language) {
		key = "class"
	}
	d.openWith(atom.Code, key, "language-"+language)
	lines := n.Lines()
	for i := range lines.Len() {
		line := lines.At(i)
		d.text(line.Value(d.source))
	}
	d.close(atom.Code)
	d.close(atom.Pre)
	d.line()
	return true
}

// isClass reports whether the policy allows the class "language-" + s.
func isClass(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r) && (r < '0' || '9' < r) && !strings.ContainsRune("_+#.-", r)
	})
}

// raw writes a fragment of the author's HTML, sanitised. It gives up if sanitising the fragment
// alone might give another result than sanitising the whole document.
func (d *direct) raw(fragment []byte) bool {
	clean, ok := d.clean(fragment)
	if ok {
		d.tokens(clean)
	}
	return ok
}

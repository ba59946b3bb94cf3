package source

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// codeClass matches the classes that say something to whoever shows an article: the
// language of code, and footnotes.
func codeClass() *regexp.Regexp {
	return regexp.MustCompile(`^(?:language-[\w+#.-]+|highlight|footnotes?|footnote-(?:ref|backref)|task-list-item|contains-task-list|math|mermaid|note|warning|tip)(?:\s+[\w-]+)*$`)
}

// finisher goes through sanitised HTML once: addresses become absolute, iframes become
// links, and the text is taken out.
type finisher struct {
	resolve func(string) string // makes an address absolute
	out     rendered
	html    bytes.Buffer
	text    strings.Builder

	pre        int    // depth of <pre>
	skip       int    // depth of what is no text for a reader
	skipTag    string // the element that began it
	block      strings.Builder
	blockTag   atom.Atom // of the block that is being read
	list       int
	cell       bool
	inHeading  bool
	headingAt  int
	blocks     int  // that were written
	notes      bool // whether the footnotes have begun
	done       bool
	paragraphs []string
}

// finish goes through the HTML.
func finish(sanitised []byte, resolve func(string) string) rendered {
	f := finisher{resolve: resolve}
	f.html.Grow(len(sanitised) + len(sanitised)/8)
	z := html.NewTokenizer(bytes.NewReader(sanitised))
	for {
		switch z.Next() {
		case html.ErrorToken:
			f.flush()
			f.out.html = strings.TrimSpace(f.html.String()) + "\n"
			if f.out.html == "\n" {
				f.out.html = ""
			}
			f.out.text = f.text.String()
			f.out.paragraphs = f.paragraphs
			return f.out
		case html.TextToken:
			raw := z.Raw()
			f.html.Write(raw)
			if f.skip == 0 {
				f.words(html.UnescapeString(string(raw)))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			f.start(z.Token())
		case html.EndTagToken:
			f.end(z.Token())
		}
	}
}

// words adds text of the document to the block.
func (f *finisher) words(s string) {
	if f.pre > 0 {
		f.block.WriteString(s)
		return
	}
	space := f.block.Len() == 0 || strings.HasSuffix(f.block.String(), "\n") || strings.HasSuffix(f.block.String(), " ")
	for _, r := range s {
		if r == ' ' || r == '\n' || r == '\t' || r == '\r' {
			if !space {
				f.block.WriteByte(' ')
			}
			space = true
			continue
		}
		f.block.WriteRune(r)
		space = false
	}
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Aside, atom.Header, atom.Footer, atom.Main, atom.Nav, atom.Blockquote, atom.Pre, atom.Ul, atom.Ol, atom.Dl,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Figure, atom.Figcaption, atom.Details, atom.Summary, atom.Table, atom.Hr, atom.Address, atom.Caption, atom.Center:
		return true
	}
	return false
}

// isLine is an element that begins a line within its block.
func isLine(a atom.Atom) bool {
	switch a {
	case atom.Li, atom.Tr, atom.Dt, atom.Dd:
		return true
	}
	return false
}

func (f *finisher) start(t html.Token) {
	switch t.DataAtom {
	case atom.Iframe:
		f.link(t)
		return
	case atom.Pre:
		f.flush()
		f.pre++
	case atom.Br:
		if f.skip == 0 {
			f.newline()
		}
	case atom.Img:
		if f.skip == 0 {
			f.words(attribute(t, "alt"))
		}
	case atom.Td, atom.Th:
		if f.cell {
			f.words(" | ")
		}
		f.cell = true
	}
	if isBlock(t.DataAtom) && f.list == 0 || t.DataAtom == atom.Pre {
		f.flush()
		f.blockTag = t.DataAtom
	} else if isLine(t.DataAtom) || isBlock(t.DataAtom) {
		f.newline()
		f.cell = false
	}
	f.notes = f.notes || attribute(t, "class") == "footnotes"
	switch t.DataAtom {
	case atom.Ul, atom.Ol, atom.Dl, atom.Table:
		f.list++
		f.blockTag = t.DataAtom
	case atom.H1:
		if f.out.heading == "" && !f.done {
			f.inHeading, f.headingAt = true, f.html.Len()
		}
	}
	if f.skip > 0 && t.Data == f.skipTag && t.Type == html.StartTagToken {
		f.skip++
	}
	if f.skip == 0 && t.Type == html.StartTagToken && noText(t) {
		f.skip, f.skipTag = 1, t.Data
	}
	f.write(t)
}

// noText is true for what a reader of plain text has no use for: numbers and arrows of
// footnotes.
func noText(t html.Token) bool {
	class := attribute(t, "class")
	return strings.HasPrefix(class, "footnote-backref") || strings.HasPrefix(class, "footnote-ref") || t.DataAtom == atom.Rt || t.DataAtom == atom.Rp
}

func (f *finisher) end(t html.Token) {
	if t.DataAtom == atom.Iframe {
		return
	}
	f.html.WriteString(t.String())
	if f.skip > 0 && t.Data == f.skipTag {
		f.skip--
	}
	switch t.DataAtom {
	case atom.Pre:
		f.pre = max(0, f.pre-1)
		f.flush()
	case atom.Ul, atom.Ol, atom.Dl, atom.Table:
		if f.list = max(0, f.list-1); f.list == 0 {
			f.flush()
		}
	case atom.H1:
		if f.inHeading {
			f.inHeading, f.done = false, true
			f.out.heading = strings.TrimSpace(f.block.String())
			f.out.headingFirst = f.blocks == 0
			f.out.headingHTML = [2]int{f.headingAt, f.html.Len()}
			at := f.text.Len()
			f.flush()
			f.out.headingText = [2]int{at, f.text.Len()}
			return
		}
	}
	if isBlock(t.DataAtom) && f.list == 0 {
		f.flush()
	}
}

// newline begins a line in the block.
func (f *finisher) newline() {
	s := f.block.String()
	if s == "" || strings.HasSuffix(s, "\n") {
		return
	}
	f.block.Reset()
	f.block.WriteString(strings.TrimRight(s, " "))
	f.block.WriteByte('\n')
}

// flush ends a block of text.
func (f *finisher) flush() {
	s := f.block.String()
	f.block.Reset()
	tag := f.blockTag
	f.blockTag = 0
	f.cell = false
	if tag == atom.Pre {
		s = strings.Trim(s, "\n")
	} else {
		s = strings.TrimSpace(s)
	}
	if strings.TrimSpace(s) == "" {
		return
	}
	if f.text.Len() > 0 {
		f.text.WriteString("\n\n")
	}
	f.text.WriteString(s)
	f.blocks++
	switch tag {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Pre, atom.Table, atom.Figcaption, atom.Caption, atom.Summary:
	default:
		if f.notes {
			return
		}
		f.paragraphs = append(f.paragraphs, strings.ReplaceAll(s, "\n", " "))
	}
}

// link writes a link instead of an iframe.
func (f *finisher) link(t html.Token) {
	src := f.resolve(attribute(t, "src"))
	if !isWebAddress(src) {
		return
	}
	f.html.WriteString(`<a href="` + html.EscapeString(src) + `">` + html.EscapeString(src) + `</a>`)
	f.words(src)
}

// write writes a tag with its addresses made absolute.
func (f *finisher) write(t html.Token) {
	for i := range t.Attr {
		switch a := &t.Attr[i]; a.Key {
		case "href", "src", "poster", "cite":
			a.Val = f.resolve(a.Val)
		case "srcset":
			a.Val = f.srcset(a.Val)
		}
	}
	if t.DataAtom == atom.Audio || t.DataAtom == atom.Video {
		if !slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "controls" }) {
			t.Attr = append(t.Attr, html.Attribute{Key: "controls"})
		}
	}
	f.html.WriteString(t.String())
}

// srcset resolves each address of a list of images. The policy has not looked into it.
func (f *finisher) srcset(s string) string {
	var kept []string
	for candidate := range strings.SplitSeq(s, ",") {
		address, size, _ := strings.Cut(strings.TrimSpace(candidate), " ")
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

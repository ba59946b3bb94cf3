package markdown

import (
	"bytes"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prose is a fast parser of plain text, which makes up most of any text: goldmark would look for an
// address at each space, and make a node of each part. prose leaves to goldmark all that may be
// more than plain text, and trailing spaces.
type prose struct {
	emoji bool // whether a colon may begin an emoji
	math  math
	marks []Mark
}

// Trigger implements parser.InlineParser: a space triggers at the beginning of a line, too.
func (prose) Trigger() []byte { return []byte{' '} }

// Parse implements parser.InlineParser.
func (p prose) Parse(_ ast.Node, block goldmarktext.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if segment.Padding != 0 || segment.ForceNewline || segment.Start > 0 && block.Source()[segment.Start-1] == '\\' {
		return nil
	}
	end := p.end(line[:min(len(line), mostOfProse)])
	n := min(end, proseLength(line[:min(len(line), end+1)])) // with the colon that an address may have there
	whole := n == len(line) || line[n] == '\n'
	for whole && n > 0 && util.IsSpace(line[n-1]) {
		n--
	}
	if n == 0 {
		return nil
	}
	node := ast.NewTextSegment(segment.WithStop(segment.Start + n))
	if whole = whole && (n == len(line) || line[n] == '\n'); whole {
		node.SetSoftLineBreak(n < len(line))
		block.AdvanceLine()
	} else {
		block.Advance(n)
	}
	return node
}

// end returns where in a text an emoji, a formula or a mark may begin, or the length of the text.
func (p prose) end(text []byte) int {
	text = text[:p.math.index(text)]
	for _, m := range p.marks {
		if at := bytes.IndexByte(text, m.Sign); at >= 0 {
			text = text[:at]
		}
	}
	if colon := bytes.IndexByte(text, ':'); p.emoji && colon >= 0 {
		return colon
	}
	return len(text)
}

// mostOfName is how many bytes goldmark allows before the @ of an email address.
const mostOfName = 64

// mostOfProse is how many bytes of a line are read at once: a line may have very many parts that
// look like addresses.
const mostOfProse = 4 << 10

// proseLength returns the length of the plain text that a line begins with, or of a part of that
// text.
func proseLength(line []byte) int {
	const kinds = "" + // of ASCII characters: 1 for one that may be more than text
		"00000000001000000000000000000000" + // the end of the line
		"01000000001000000000000000001000" + // ! * <
		"10000000000000000000000000011101" + // @ [ \ ] _
		"10000000000000000000000000000010" // ` ~
	n, most := 0, min(len(line), mostOfProse)
	for n < most && (line[n] >= utf8.RuneSelf || kinds[line[n]] == '0' || line[n] == '!' && !bytes.HasPrefix(line[n+1:], []byte("["))) {
		n++
	}
	plain := line[:n]
	if bytes.IndexByte(plain, ':') >= 0 || bytes.Contains(plain, []byte("www.")) {
		if mayBeAddress(plain) {
			return 0
		}
		for i, c := range plain {
			if (c == ' ' || c == '(') && mayBeAddress(plain[i+1:]) {
				return i
			}
		}
	}
	if n == len(line) {
		return n
	}
	begin := max(0, n-1) // where an address may begin, or one that began before ends
	for begin > 0 && plain[begin] != ' ' && plain[begin] != '\t' && plain[begin] != '(' {
		begin--
	}
	if n == most || bytes.IndexByte(line[n:min(len(line), max(n, begin+mostOfName+2))], '@') >= 0 {
		return begin
	}
	return n
}

// mayBeAddress reports whether a text begins like an address of the web.
func mayBeAddress(s []byte) bool {
	if len(s) == 0 {
		return false
	}
	switch s[0] {
	case 'h':
		return bytes.HasPrefix(s, []byte("http:")) || bytes.HasPrefix(s, []byte("https:"))
	case 'f':
		return bytes.HasPrefix(s, []byte("ftp:"))
	case 'w':
		return bytes.HasPrefix(s, []byte("www."))
	}
	return false
}

package source

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// prose is a parser of plain text, which most of any text is: goldmark asks for an address at
// each of its spaces, and makes a node of each part. It takes nothing from goldmark that may be
// more, and leaves the blanks at the end of a line.
type prose struct{}

// Extend implements goldmark.Extender.
func (p prose) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(p, 0)))
}

// Trigger implements parser.InlineParser: a space stands for the beginning of a line, too.
func (prose) Trigger() []byte { return []byte{' '} }

// Parse implements parser.InlineParser.
func (prose) Parse(_ ast.Node, block goldmarktext.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if segment.Padding != 0 || segment.ForceNewline || segment.Start > 0 && block.Source()[segment.Start-1] == '\\' {
		return nil
	}
	n := proseLength(line)
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

// mostOfName is how long what stands before the @ of an address may be for goldmark.
const mostOfName = 64

// proseLength is the length of the plain text that a line begins with.
func proseLength(line []byte) int {
	const ( // the bits of all at which there may be something to do
		low  = 1<<'\n' | 1<<' ' | 1<<'!' | 1<<'(' | 1<<'*' | 1<<'<'
		high = 1<<('@'-64) | 1<<('['-64) | 1<<('\\'-64) | 1<<(']'-64) | 1<<('_'-64) | 1<<('`'-64) | 1<<('~'-64)
	)
	if mayBeAddress(line) {
		return 0
	}
	begin := 0 // where an address may begin
	for i, c := range line {
		if (uint64(low)>>c|uint64(high)>>(c-64))&1 == 0 { // most are letters
			continue
		}
		switch c {
		case ' ', '(':
			if mayBeAddress(line[i+1:]) {
				return i
			}
			begin = i
			continue
		case '!':
			if i+1 == len(line) || line[i+1] != '[' {
				continue
			}
		}
		if bytes.IndexByte(line[i:min(len(line), max(i, begin+mostOfName+2))], '@') >= 0 {
			return begin
		}
		return i
	}
	return len(line)
}

// mayBeAddress reports whether a text begins like an address of the web.
func mayBeAddress(s []byte) bool {
	if len(s) == 0 {
		return false
	}
	switch s[0] {
	case 'h':
		return bytes.HasPrefix(s, []byte("http"))
	case 'f':
		return bytes.HasPrefix(s, []byte("ftp:"))
	case 'w':
		return bytes.HasPrefix(s, []byte("www."))
	}
	return false
}

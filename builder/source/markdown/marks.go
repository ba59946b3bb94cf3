package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Mark is a sign that turns the text between two of it into an element, as in H~2~O and x^2^, or
// the text between two pairs of it.
type Mark struct {
	Sign     byte
	One, Two string // the elements that one sign and two signs make; "" if they make none
	Spaces   bool   // whether there may be spaces between single signs
}

// Trigger implements parser.InlineParser.
func (m Mark) Trigger() []byte { return []byte{m.Sign} }

// Parse implements parser.InlineParser.
func (m Mark) Parse(_ ast.Node, block goldmarktext.Reader, context parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	if before == rune(m.Sign) { // otherwise each of many signs would be counted anew
		return nil
	}
	line, segment := block.PeekLine()
	scanned := line
	if m.Spaces && m.One != "" && len(line) > 1 && bytes.IndexByte([]byte("+-'"), line[1]) >= 0 { // Hugo reads them as letters, as in x^-1^
		scanned = append([]byte{m.Sign, 'x'}, line[2:]...)
	}
	d := parser.ScanDelimiter(scanned, before, 1, m)
	if d == nil || m.element(d.OriginalLength) == "" {
		return nil
	}
	if d.OriginalLength == 1 && !m.Spaces {
		end := bytes.IndexAny(line[1:], string(m.Sign)+" \t\n")
		d.CanOpen = end > 0 && line[1+end] == m.Sign
		d.CanClose = !util.IsSpaceRune(before)
	}
	d.Segment = segment.WithStop(segment.Start + d.OriginalLength)
	block.Advance(d.OriginalLength)
	context.PushDelimiter(d)
	return d
}

// element returns the element that this many signs make; "" if they make none.
func (m Mark) element(signs int) string {
	switch signs {
	case 1:
		return m.One
	case 2:
		return m.Two
	}
	return ""
}

// IsDelimiter implements parser.DelimiterProcessor.
func (m Mark) IsDelimiter(b byte) bool { return b == m.Sign }

// CanOpenCloser implements parser.DelimiterProcessor.
func (m Mark) CanOpenCloser(opener, closer *parser.Delimiter) bool {
	return opener.Char == closer.Char && opener.OriginalLength == closer.OriginalLength
}

// OnMatch implements parser.DelimiterProcessor.
func (m Mark) OnMatch(signs int) ast.Node { return &marked{element: m.element(signs)} }

// marked is an element that a Mark made. It has the node kind of struck-out text, so that one
// renderer serves both.
type marked struct {
	extast.Strikethrough
	element string
}

// markRenderer renders struck-out text, and the elements that a Mark made.
type markRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (markRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extast.KindStrikethrough, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "<del>"
		if m, ok := n.(*marked); ok {
			tag = "<" + m.element + ">"
		}
		if !entering {
			tag = "</" + tag[1:]
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
}

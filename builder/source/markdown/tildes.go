package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
)

// twoTildes strikes out what stands between two tildes only, as kramdown and markdown-it do. With
// those of GitHub, in "1~2 days, or 3~4", which is how ranges are written in East Asia, the middle
// would be struck out, and its numbers joined.
type twoTildes struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (t twoTildes) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	if line, _ := reader.PeekLine(); !bytes.HasPrefix(line, []byte("~~")) {
		return nil
	}
	return t.InlineParser.Parse(block, reader, context)
}

package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
)

// twoTildes strikes out only what stands between double tildes, as kramdown and markdown-it do.
// GitHub also allows single ones: in "1~2 days, or 3~4", as ranges are written in East Asia, these
// would strike out the middle and join the numbers.
type twoTildes struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (t twoTildes) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	if line, _ := reader.PeekLine(); !bytes.HasPrefix(line, []byte("~~")) {
		return nil
	}
	return t.InlineParser.Parse(block, reader, context)
}

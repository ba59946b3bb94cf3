package markdown

import (
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// lenient takes asterisks for emphasis delimiters wherever no space forbids it, as programs older than CommonMark do. In
// CommonMark, **Note:**text has no emphasis, because the closing delimiter stands between punctuation and a letter, as is
// usual in Chinese and Japanese, which have no spaces.
type lenient struct{ parser.InlineParser }

// Extend implements goldmark.Extender.
func (l lenient) Extend(m goldmark.Markdown) { m.Parser().AddOptions(l) }

// SetParserOption implements parser.Option.
func (lenient) SetParserOption(c *parser.Config) {
	for i, p := range c.InlineParsers {
		switch p.Value {
		case parser.NewEmphasisParser():
			c.InlineParsers[i].Value = lenient{parser.NewEmphasisParser()}
		case parser.NewLinkParser():
			c.InlineParsers[i].Value = spacedLinks{parser.NewLinkParser()}
		}
	}
}

// Parse implements parser.InlineParser.
func (l lenient) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	before := reader.PrecendingCharacter()
	n := l.InlineParser.Parse(block, reader, context)
	if d, ok := n.(*parser.Delimiter); ok && d.Char == '*' {
		line, _ := reader.PeekLine()
		d.CanOpen = len(line) > 0 && !util.IsSpaceRune(util.ToRune(line, 0))
		d.CanClose = !util.IsSpaceRune(before)
		if d.OriginalLength == 4 { // the end of one emphasis and the beginning of another, as in **one****two**
			d.OriginalLength = 2
		}
	}
	return n
}

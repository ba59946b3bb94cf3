package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// math leaves formulas of TeX between $$ and $$ as they are: in these, backslashes, underscores and asterisks are TeX's own.
type math struct{}

// formulaMark is what a formula stands between.
const formulaMark = "$$"

// Extend implements goldmark.Extender.
func (m math) Extend(markdown goldmark.Markdown) {
	markdown.Parser().AddOptions(parser.WithInlineParsers(util.Prioritized(m, 0)))
}

// Trigger implements parser.InlineParser.
func (math) Trigger() []byte { return []byte{formulaMark[0]} }

// Parse implements parser.InlineParser.
func (math) Parse(parent ast.Node, block goldmarktext.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if !bytes.HasPrefix(line, []byte(formulaMark)) {
		return nil
	}
	number, position := block.Position()
	var before []ast.Node // the lines of the formula but the last
	for from := len(formulaMark); line != nil; from = 0 {
		if end := bytes.Index(line[from:], []byte(formulaMark)); end >= 0 {
			end += from + len(formulaMark)
			for _, n := range before {
				parent.AppendChild(parent, n)
			}
			block.Advance(end)
			return ast.NewRawTextSegment(segment.WithStop(segment.Start + end))
		}
		before = append(before, ast.NewRawTextSegment(segment))
		block.AdvanceLine()
		line, segment = block.PeekLine()
	}
	block.SetPosition(number, position)
	return nil
}

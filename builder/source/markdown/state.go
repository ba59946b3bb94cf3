package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// state is what the parsers of a document share: what they count and find. They get it from
// goldmark as the parser.IDs of the document.
type state struct {
	used       map[string]int // the ids of headings
	marks      markCount
	unclosed   unclosed
	rawTexts   []*ast.RawHTML // the tags of elements with raw text in the block that is being parsed; see tagsInText
	linked     bool           // whether a link in HTML is open in that block
	notes      int            // how many footnotes there are
	compared   int            // how many names of footnotes were compared with references; see fewNotes
	emptyCells int            // how many cells the rows of tables leave out; see fewCells
}

// stateOf returns the state of the document that is being parsed.
func stateOf(context parser.Context) *state { return context.IDs().(*state) }

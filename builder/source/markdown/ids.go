package markdown

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
)

// headingIDs makes the ids of headings as GitHub does, in any script. As all parsers of a document
// get it from goldmark, it also has what these count and find.
type headingIDs struct {
	used       map[string]int
	marks      marks
	unclosed   unclosed
	scripts    []*ast.RawHTML // of the block that is being parsed; see tagsInText
	notes      int            // how many footnotes there are
	compared   int            // how many names of footnotes were compared with references; see fewNotes
	emptyCells int            // how many cells the rows of tables leave out; see fewCells
}

// Generate implements goldmark's parser.IDs.
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(value)))
	if id == "" {
		id = "section"
	}
	unique := id
	for n := h.used[id]; h.used[unique] > 0; n++ { // the second is a-1
		unique = fmt.Sprintf("%s-%d", id, n)
		h.used[id] = n + 1
	}
	h.used[unique]++
	return []byte(unique)
}

// Put implements goldmark's parser.IDs.
func (h *headingIDs) Put(value []byte) { h.used[string(value)]++ }

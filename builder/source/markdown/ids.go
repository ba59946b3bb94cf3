package markdown

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
)

// IDs is how the ids of headings are made of their words.
type IDs uint8

// The ways of making ids.
const (
	GitHubIDs IDs = iota // as GitHub does, in any script
	ZolaIDs              // only letters of ASCII, digits and single hyphens
	PythonIDs            // as the extension toc of Python-Markdown does; see pythonSlug
)

// state is what the parsers of a document have in common: what they count and find. It reaches
// them as what goldmark asks for the ids of headings.
type state struct {
	used       map[string]int // the ids of headings
	marks      markCount
	unclosed   unclosed
	scripts    []*ast.RawHTML // of the block that is being parsed; see tagsInText
	linked     bool           // whether a link in HTML is open in that block
	notes      int            // how many footnotes there are
	compared   int            // how many names of footnotes were compared with references; see fewNotes
	emptyCells int            // how many cells the rows of tables leave out; see fewCells
}

// stateOf returns the state of the document that is being parsed.
func stateOf(context parser.Context) *state { return context.IDs().(*state) }

// Generate implements parser.IDs: it makes the ids of headings as GitHub does, in any script.
func (s *state) Generate(value []byte, _ ast.NodeKind) []byte {
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
	return s.unique(id, "-")
}

// unique returns an id, with a number behind a separator where another heading has it already or
// it is "".
func (s *state) unique(id, separator string) []byte {
	unique := id
	for n := max(1, s.used[id]); unique == "" || s.used[unique] > 0; n++ { // the second is a-1
		unique = fmt.Sprintf("%s%s%d", id, separator, n)
		s.used[id] = n + 1
	}
	s.used[unique]++
	return []byte(unique)
}

// Put implements parser.IDs.
func (s *state) Put(value []byte) { s.used[string(value)]++ }

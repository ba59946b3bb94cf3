package markdown

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
)

// tagsInText is a parser of the tags in a text. A start tag such as <title>, after which HTML reads
// all up to the end tag as text, is text itself if the paragraph has no end tag: its author writes
// about the tag, and otherwise all up to the end of the article would be in the element.
type tagsInText struct{ parser.InlineParser }

// Parse implements parser.InlineParser.
func (t tagsInText) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	n := t.InlineParser.Parse(block, reader, context)
	if tag, ok := n.(*ast.RawHTML); ok {
		s := stateOf(context)
		switch name, ends := nameOf(tag, reader.Source()); {
		case name == "a":
			s.linked = !ends && bytes.Contains(bytes.ToLower(tag.Segments.Value(reader.Source())), []byte("href"))
		case hasRawText(name) && name != "iframe": // endFrames adds its end tag
			s.rawTexts = append(s.rawTexts, tag)
		}
	}
	return n
}

// CloseBlock implements parser.CloseBlocker.
func (tagsInText) CloseBlock(_ ast.Node, reader goldmarktext.Reader, context parser.Context) {
	stateOf(context).linked = false
	tags := &stateOf(context).rawTexts
	var ended []string
	for _, tag := range slices.Backward(*tags) {
		name, ends := nameOf(tag, reader.Source())
		switch {
		case slices.Contains(ended, name):
		case ends:
			ended = append(ended, name)
		default:
			for i := range tag.Segments.Len() {
				tag.Parent().InsertBefore(tag.Parent(), tag, ast.NewRawTextSegment(tag.Segments.At(i)))
			}
			tag.Parent().RemoveChild(tag.Parent(), tag)
		}
	}
	*tags = (*tags)[:0]
}

// nameOf returns the name of the element that a tag begins or ends.
func nameOf(tag *ast.RawHTML, source []byte) (name string, ends bool) {
	first := tag.Segments.At(0)
	s, ends := bytes.CutPrefix(first.Value(source)[1:], []byte("/"))
	end := bytes.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	return strings.ToLower(string(s[:max(0, end)])), ends
}

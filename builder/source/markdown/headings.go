package markdown

import (
	"strings"

	emojiast "github.com/yuin/goldmark-emoji/ast"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// headings makes the ids of headings from the words that readers see: goldmark itself would also
// use the addresses of links and the marks of emphasis.
type headings struct {
	ids      IDs  // see Flavour
	pictures bool // see Flavour
}

// Transform implements parser.ASTTransformer.
func (h headings) Transform(document *ast.Document, reader goldmarktext.Reader, context parser.Context) {
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if heading, ok := n.(*ast.Heading); ok && entering {
			h.identify(heading, reader.Source(), stateOf(context))
		}
		if n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
}

// identify gives a heading its id, unless it has one.
func (h headings) identify(heading *ast.Heading, source []byte, s *state) {
	if id, has := heading.AttributeString("id"); has {
		if id, ok := id.([]byte); ok {
			s.Put(id)
		}
		return
	}
	var words strings.Builder
	writeWords(&words, heading, source, !h.pictures)
	var id []byte
	switch h.ids {
	case ZolaIDs:
		id = s.Generate([]byte(slug(words.String())), ast.KindHeading)
	case HugoIDs:
		id = s.unique(hugoSlug(words.String()), "-")
	case BlackfridayIDs:
		id = s.unique(blackfridaySlug(words.String()), "-")
	case HexoIDs:
		id = s.unique(hexoSlug(words.String()), "-")
	case HexoLowerIDs:
		id = s.unique(strings.ToLower(hexoSlug(words.String())), "-")
	case PythonIDs:
		id = s.unique(pythonSlug(words.String()), "_")
	default:
		id = s.Generate([]byte(words.String()), ast.KindHeading)
	}
	heading.SetAttributeString("id", id)
}

// writeWords writes the words within a node, and the names of emojis if they are named.
func writeWords(b *strings.Builder, n ast.Node, source []byte, named bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			s := c.Segment.Value(source)
			if !c.IsRaw() {
				s = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(s)))
			}
			b.Write(s)
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(c.Label(source))
		case *emojiast.Emoji:
			if named {
				b.Write(c.ShortName)
			}
		default:
			writeWords(b, c, source, named)
		}
	}
}

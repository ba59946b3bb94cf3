package markdown

import (
	"strings"

	"github.com/gosimple/unidecode"
	emojiast "github.com/yuin/goldmark-emoji/ast"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// headings gives headings their ids by the words that readers see: goldmark itself would take the
// address of a link and the marks of emphasis for words.
type headings struct {
	slugs bool // see Flavour
}

// Transform implements parser.ASTTransformer.
func (h headings) Transform(document *ast.Document, reader goldmarktext.Reader, context parser.Context) {
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if heading, ok := n.(*ast.Heading); ok && entering {
			h.identify(heading, reader.Source(), context.IDs())
		}
		if n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
}

// identify gives a heading its id, unless it has one.
func (h headings) identify(heading *ast.Heading, source []byte, ids parser.IDs) {
	if id, has := heading.AttributeString("id"); has {
		if id, ok := id.([]byte); ok {
			ids.Put(id)
		}
		return
	}
	var words strings.Builder
	writeWords(&words, heading, source)
	s := words.String()
	if h.slugs {
		s = slug(s)
	}
	heading.SetAttributeString("id", ids.Generate([]byte(s), ast.KindHeading))
}

// writeWords writes the words within a node, and the name of an emoji.
func writeWords(b *strings.Builder, n ast.Node, source []byte) {
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
		case *ast.String:
			b.Write(c.Value)
		case *ast.AutoLink:
			b.Write(c.Label(source))
		case *emojiast.Emoji:
			b.Write(c.ShortName)
		default:
			writeWords(b, c, source)
		}
	}
}

// slug returns words in the form in which Zola has ids: letters of ASCII and digits, joined by
// single hyphens.
func slug(s string) string {
	words := strings.FieldsFunc(unidecode.Unidecode(s), func(r rune) bool { return r >= 0x80 || !IsLetterOrDigit(byte(r)) })
	return strings.ToLower(strings.Join(words, "-"))
}

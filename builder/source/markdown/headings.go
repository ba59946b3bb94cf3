package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/unidecode"
	emojiast "github.com/yuin/goldmark-emoji/ast"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/unicode/norm"
)

// headings gives headings their ids by the words that readers see: goldmark itself would take the
// address of a link and the marks of emphasis for words.
type headings struct {
	ids IDs // see Flavour
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
	writeWords(&words, heading, source)
	var id []byte
	switch h.ids {
	case ZolaIDs:
		id = s.Generate([]byte(slug(words.String())), ast.KindHeading)
	case PythonIDs:
		id = s.unique(pythonSlug(words.String()), "_")
	default:
		id = s.Generate([]byte(words.String()), ast.KindHeading)
	}
	heading.SetAttributeString("id", id)
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

// pythonSlug returns words in the form in which the extension toc of Python-Markdown has ids:
// letters of ASCII, without their accents, digits, underscores and single hyphens. It is "" where
// there are none.
func pythonSlug(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= utf8.RuneSelf, r != '_' && r != '-' && !unicode.IsSpace(r) && !IsLetterOrDigit(byte(r)):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "-")
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	return s
}

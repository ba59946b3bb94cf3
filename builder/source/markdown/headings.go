package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"strings"
	"unicode"

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
	if source := reader.Source(); bytes.Contains(source, []byte("](#")) || bytes.Contains(source, []byte("]: #")) {
		followFragments(document, source, stateOf(context).used)
	}
}

// followFragments lets links lead to the headings of their article that they mean. Each program
// makes its own ids, and authors keep links when they change it, or write them by hand:
// #Promise.all leads to the heading with the id promiseall, and so do its words if its id is given,
// unless something else has that very id.
func followFragments(document *ast.Document, source []byte, used map[string]int) {
	var headings []*ast.Heading
	var html []byte
	lost := map[string][]*ast.Link{} // the links that lead to no heading, by their fragment
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			headings = append(headings, n)
		case *ast.Link:
			fragment, within := bytes.CutPrefix(n.Destination, []byte("#"))
			if name, err := url.PathUnescape(string(fragment)); within && err == nil && used[name] == 0 {
				lost[name] = append(lost[name], n)
			}
		case *ast.RawHTML:
			html = append(html, n.Segments.Value(source)...)
		case *ast.HTMLBlock:
			html = append(html, htmlOf(n, source)...)
		}
		return ast.WalkContinue, nil
	})
	if len(lost) == 0 {
		return
	}
	for _, m := range regexp.MustCompile(`(?i)(?:id|name)\s*=\s*["']?([^"'\s>]+)`).FindAllSubmatch(html, -1) {
		delete(lost, string(m[1]))
	}
	ids := idsByLetters(headings, source)
	for fragment, links := range lost {
		if id := ids[lettersOf(fragment)]; id != nil {
			for _, link := range links {
				link.Destination = append([]byte("#"), id...)
			}
		}
	}
}

// idsByLetters returns the ids of headings by what lettersOf returns of the id, or else of the
// words of the heading. Of two with the same letters the first counts.
func idsByLetters(headings []*ast.Heading, source []byte) map[string][]byte {
	ids := map[string][]byte{}
	for _, ofWords := range []bool{false, true} {
		for _, heading := range headings {
			id, _ := heading.AttributeString("id")
			given, _ := id.([]byte)
			name := string(given)
			if ofWords {
				var words strings.Builder
				writeWords(&words, heading, source, false)
				name = words.String()
			}
			if key := lettersOf(name); key != "" && ids[key] == nil {
				ids[key] = given
			}
		}
	}
	return ids
}

// lettersOf returns the letters of an id, in lower case, its digits, and the signs that tell C++
// from C#.
func lettersOf(id string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || r == '+' || r == '#' {
			return unicode.ToLower(r)
		}
		return -1
	}, id)
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

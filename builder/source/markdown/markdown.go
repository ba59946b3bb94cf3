package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark-emoji"
	"github.com/yuin/goldmark-emoji/definition"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Renderer turns Markdown or HTML into what is published. It is safe for concurrent use.
type Renderer struct {
	markdown  goldmark.Markdown
	lastNames bool // as in its Flavour
	policy    *bluemonday.Policy
	buffers   sync.Pool // of *buffers

	startTag, addressIn *regexp.Regexp // a start tag, and an attribute of it with an address; see escapeSpaces

	plainTags sync.Map     // whether an element isPlain, by its name
	fragments sync.Map     // clean fragments, by what the author wrote
	unknown   atomic.Int64 // how many short fragments were not among them
}

// buffers are memory that is reused from article to article.
type buffers struct {
	html, text, block []byte // of a finisher
}

// Flavour is how the Markdown of a program differs from GitHub's CommonMark.
type Flavour struct {
	Emojis    bool // whether :smile: is an emoji, by GitHub's names
	Pictures  bool // whether emojis are pictures, and no words of a heading's id
	Lenient   bool // whether emphasis may begin and end between a letter and punctuation, and any address may have spaces; see lenient and spacedLinks
	Spaced    bool // whether strong emphasis may end after a space, as in **Note: **text; only with Lenient
	Breaks    bool // whether each line end within a paragraph is a break
	Names     bool // whether names of links may be defined elsewhere; see spacedLinks
	LastNames bool // whether the last definition of a link's name holds, and not the first
	IDs       IDs  // how the ids of headings are made
	Tildes    bool // whether only two tildes strike text out, and single ones do not
	Math      []Formula
	Marks     []Mark

	Protocol string // the protocol of an address without one, such as www.example.org; "" is http
}

// New returns a renderer.
func New(f Flavour) *Renderer {
	return &Renderer{
		markdown:  newMarkdown(f, parser.WithInlineParsers(util.Prioritized(prose{f.Emojis, f.Math, f.Marks}, 0))),
		lastNames: f.LastNames,
		policy:    newPolicy(),
		buffers:   sync.Pool{New: func() any { return new(buffers) }},
		startTag:  regexp.MustCompile(`<[A-Za-z](?:[^<>"']|"[^"]*"|'[^']*')*>`),
		addressIn: regexp.MustCompile(`(?i)\s(?:href|src)\s*=\s*(?:"[^"<>]*"|'[^'<>]*')`),
	}
}

// icons has the emojis and the icons of Material for MkDocs, such as :material-check: and
// :octicons-tag-16:, which it knows by the beginnings of their names. Icons show no text.
type icons struct{ definition.Emojis }

// Get implements definition.Emojis.
func (i icons) Get(name string) (*definition.Emoji, bool) {
	for _, set := range []string{"material-", "octicons-", "fontawesome-", "simple-"} {
		if strings.HasPrefix(name, set) {
			return &definition.Emoji{Name: name, ShortNames: []string{name}}, true
		}
	}
	return i.Emojis.Get(name)
}

// newMarkdown returns goldmark with all that a flavour needs; more are further options.
func newMarkdown(f Flavour, more ...parser.Option) goldmark.Markdown {
	extensions := []goldmark.Extender{
		// The policy allows no style attribute, with which columns would be aligned otherwise.
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
		extension.Strikethrough, extension.TaskList, extension.Footnote, extension.DefinitionList,
	}
	if f.Emojis {
		extensions = append(extensions, emoji.New(emoji.WithEmojis(icons{definition.Github()}), emoji.WithRenderingMethod(emoji.Unicode)))
	}
	options := append(more,
		parser.WithAttribute(),
		parser.WithInlineParsers(util.Prioritized(linkify{extension.NewLinkifyParser(), f.Protocol}, 999)), // goldmark's own priority
		parser.WithASTTransformers(util.Prioritized(headings{f.IDs, f.Pictures}, 0), util.Prioritized(lineEnds{f.Breaks}, 0)),
		instead(parser.NewLinkParser(), spacedLinks{parser.NewLinkParser(), f.Lenient, f.Names}),
		instead(parser.NewRawHTMLParser(), tagsInText{parser.NewRawHTMLParser()}),
		instead(parser.NewFencedCodeBlockParser(), languages{parser.NewFencedCodeBlockParser()}),
	)
	if f.Lenient {
		options = append(options,
			instead(parser.NewHTMLBlockParser(), blocksOfHTML{parser.NewHTMLBlockParser()}),
			instead(parser.NewEmphasisParser(), lenient{parser.NewEmphasisParser(), f.Spaced}),
		)
	}
	if f.Tildes {
		options = append(options, instead(extension.NewStrikethroughParser(), twoTildes{extension.NewStrikethroughParser()}))
	}
	for _, m := range f.Marks {
		options = append(options, parser.WithInlineParsers(util.Prioritized(m, 600))) // after the parser of struck-out text
	}
	if len(f.Math) > 0 {
		options = append(options,
			parser.WithInlineParsers(util.Prioritized(math(f.Math), 0)),
			parser.WithBlockParsers(util.Prioritized(mathBlock{f.Math}, 0)),
		)
	}
	// Authors may write raw HTML; the policy removes what may harm readers.
	m := goldmark.New(goldmark.WithExtensions(extensions...), goldmark.WithRendererOptions(rendererhtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(markRenderer{}, 0))))
	m.Parser().AddOptions(append(options, bounds()...)...)
	return m
}

// HTML renders an article in HTML; resolve makes an address absolute.
func (c *Renderer) HTML(text []byte, resolve func(string) string) Rendered {
	own := c.buffers.Get().(*buffers)
	defer c.buffers.Put(own)
	f := own.finisher(resolve)
	f.tokens(c.sanitised(text))
	return own.end(&f)
}

// Markdown renders an article in Markdown; resolve makes an address absolute.
func (c *Renderer) Markdown(source []byte, resolve func(string) string) Rendered {
	document := parse(c.markdown, source, c.lastNames)
	r, ok := c.directly(document, source, resolve)
	if !ok {
		r = c.sanitise(document, source, resolve)
	}
	r.Cut = cutOf(document)
	return r
}

// parse parses Markdown; lastNames is that of its flavour.
func parse(markdown goldmark.Markdown, source []byte, lastNames bool) ast.Node {
	context := parser.NewContext(parser.WithIDs(&state{used: map[string]int{}}))
	if lastNames {
		context = lastDefinitions{context, map[string]parser.Reference{}}
	}
	return markdown.Parser().Parse(goldmarktext.NewReader(source), parser.WithContext(context))
}

// sanitise renders a document with whatever HTML its author wrote, and removes what may
// harm readers.
func (c *Renderer) sanitise(document ast.Node, source []byte, resolve func(string) string) Rendered {
	var rendered bytes.Buffer
	if err := c.markdown.Renderer().Render(&rendered, source, document); err != nil {
		panic(err) // goldmark's renderers do not fail to write into a buffer
	}
	return c.HTML(rendered.Bytes(), resolve)
}

// change is an option that changes the parsers that were added so far.
type change func(*parser.Config)

// SetParserOption implements parser.Option.
func (c change) SetParserOption(parsers *parser.Config) { c(parsers) }

// instead replaces one of goldmark's parsers, each of which is a single value, with another parser.
func instead(of, with any) parser.Option {
	return change(func(c *parser.Config) {
		for _, parsers := range []util.PrioritizedSlice{c.BlockParsers, c.InlineParsers, c.ParagraphTransformers} {
			for i, p := range parsers {
				if p.Value == of {
					parsers[i].Value = with
				}
			}
		}
	})
}

// Rendered is an article in all its forms.
type Rendered struct {
	HTML, Text   string
	Heading      string   // the text of the heading that may be the title
	HeadingFirst bool     // whether no text precedes it
	Paragraphs   []string // those for a summary, without paragraphs of nothing but pictures, frames or links within the page
	Cut          Cut

	headingHTML [2]int // where the heading begins and ends in HTML
	headingText [2]int // and in Text
}

// WithoutHeading returns both forms without the heading that became the title.
func (r *Rendered) WithoutHeading() (content, text string) {
	return strings.TrimLeft(r.HTML[:r.headingHTML[0]]+r.HTML[r.headingHTML[1]:], "\n"),
		strings.TrimLeft(r.Text[:r.headingText[0]]+r.Text[r.headingText[1]:], "\n")
}

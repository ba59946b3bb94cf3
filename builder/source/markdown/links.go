package markdown

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// Definitions returns the link definitions in Markdown, and the first lines of its footnotes,
// each as a paragraph of its own.
func Definitions(text []byte) []byte {
	definitions := []byte("\n\n")
	for line := range bytes.Lines(text) {
		if LinkName(line) != "" || bytes.HasPrefix(line, []byte("[^")) && bytes.Contains(line, []byte("]:")) {
			definitions = append(append(definitions, line...), '\n')
		}
	}
	return definitions
}

// LinkName returns the name, in lower case, in a line of Markdown that is a link definition,
// [name]: address "title"; "" for any other line.
func LinkName(line []byte) string {
	text := bytes.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || !bytes.HasPrefix(text, []byte("[")) || bytes.HasPrefix(text, []byte("[^")) {
		return ""
	}
	name, rest, found := bytes.Cut(text[1:], []byte("]:"))
	address, title, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	if !found || len(address) == 0 || (address[0] == '<') != (address[len(address)-1] == '>') || bytes.ContainsAny(name, "[]") {
		return ""
	}
	if title = bytes.TrimSpace(title); len(title) > 0 {
		quotes := string(title[0]) + string(title[len(title)-1])
		if len(title) == 1 || !strings.Contains(`"" '' ()`, quotes) || bytes.ContainsAny(title[1:len(title)-1], quotes) {
			return ""
		}
	}
	return strings.ToLower(string(bytes.TrimSpace(name)))
}

// Link is a link in a text.
type Link struct {
	Address string
	Text    string // as Markdown without marks: punctuation is escaped
}

// Links returns the links in Markdown, in order. It finds none in comments and code.
func Links(text []byte) (links []Link) {
	punctuation := regexp.MustCompile(`[[:punct:]]`)
	ast.Walk(parse(newMarkdown(Flavour{}), text, false), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			var words strings.Builder
			writeWords(&words, link, text, true)
			links = append(links, Link{string(util.UnescapePunctuations(link.Destination)), punctuation.ReplaceAllString(words.String(), `\$0`)})
		}
		return ast.WalkContinue, nil
	})
	return links
}

// lastDefinitions is a context in which the last definition of a link's name holds.
type lastDefinitions struct {
	parser.Context
	all map[string]parser.Reference
}

// AddReference implements parser.Context.
func (c lastDefinitions) AddReference(r parser.Reference) { c.all[util.ToLinkReference(r.Label())] = r }

// Reference implements parser.Context.
func (c lastDefinitions) Reference(label string) (parser.Reference, bool) {
	r, found := c.all[label]
	return r, found
}

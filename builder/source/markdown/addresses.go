package markdown

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
)

// linkify is goldmark's parser of bare addresses in a text. An address that names no protocol gets
// protocol, or http if that is empty. Within <a href> it finds no addresses: HTML has no links
// within links, so browsers would follow the address that is shown, not the href.
type linkify struct {
	parser.InlineParser
	protocol string
}

// Parse implements parser.InlineParser.
func (l linkify) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	if stateOf(context).linked {
		return nil
	}
	n := l.InlineParser.Parse(block, reader, context)
	if link, ok := n.(*ast.AutoLink); ok && link.Protocol != nil && l.protocol != "" {
		link.Protocol = []byte(l.protocol)
	}
	return n
}

// spacedLinks is a parser of links whose addresses may have spaces, as in [text](a b.png "title"):
// in CommonMark a space ends an address, and such a link is text. Unless any is set, only an
// address that begins like a path or a web address may have spaces, because words in brackets are
// not an address, and a title in brackets stays a title, as in CommonMark. If named is set, names
// may be defined elsewhere, as by a plugin that collects them from all pages: [text][name] and
// [name][] that the text does not define become links without an address.
type spacedLinks struct {
	parser.InlineParser
	any, named bool
}

// heldSpace stands for a space in an address while goldmark reads it.
const heldSpace = 0

// Parse implements parser.InlineParser.
func (s spacedLinks) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	line, segment := reader.PeekLine()
	if from, to := spacedAddress(line); to > 0 && (s.any || isPath(line[from:to]) && !hasTitle(line[from:to])) {
		reader = spacedReader{reader, segment.Start + from, segment.Start + to}
	}
	if s.named && beginsName(line) {
		context = definedElsewhere{context}
	}
	n := s.InlineParser.Parse(block, reader, context)
	switch link := n.(type) {
	case *ast.Link:
		link.Destination = withSpaces(link.Destination)
	case *ast.Image:
		link.Destination = withSpaces(link.Destination)
	}
	return n
}

// CloseBlock implements parser.CloseBlocker.
func (s spacedLinks) CloseBlock(block ast.Node, reader goldmarktext.Reader, context parser.Context) {
	s.InlineParser.(parser.CloseBlocker).CloseBlock(block, reader, context)
}

// definedElsewhere is a context with a definition without an address for each name that the text
// does not define.
type definedElsewhere struct{ parser.Context }

// Reference implements parser.Context.
func (d definedElsewhere) Reference(label string) (parser.Reference, bool) {
	if defined, ok := d.Context.Reference(label); ok {
		return defined, true
	}
	return parser.NewReference([]byte(label), nil, nil), true
}

// beginsName reports whether a line begins with the ][name] or ][] of a link; the name may end on
// the next line. A number or one letter is an index, as in x[i][0].
func beginsName(line []byte) bool {
	name, opened := bytes.CutPrefix(line, []byte("]["))
	if !opened { // so that the end is not looked for after each bracket
		return false
	}
	name, _, _ = bytes.Cut(name, []byte("]"))
	return len(name) == 0 || len(name) > 1 && name[0] != '^' && (name[0] == '_' || IsLetterOrDigit(name[0]) && name[0] > '9')
}

// isPath reports whether an address begins like a path or a web address.
func isPath(address []byte) bool {
	return slices.ContainsFunc(
		[]string{"/", "./", "../", "http://", "https://"},
		func(start string) bool { return bytes.HasPrefix(address, []byte(start)) },
	)
}

// hasTitle reports whether only a title in brackets follows the first space of an address.
func hasTitle(address []byte) bool {
	_, title, _ := bytes.Cut(address, []byte(" "))
	title = bytes.TrimLeft(title, " ")
	return bytes.HasPrefix(title, []byte("(")) && bytes.IndexByte(title, ')') == len(title)-1
}

func withSpaces(address []byte) []byte {
	return bytes.ReplaceAll(address, []byte{heldSpace}, []byte{' '})
}

// spacedReader replaces the spaces of an address, between two places in the source, with heldSpace.
// It cuts the line off one byte after the address, as far as goldmark looks for its end: a line may
// have very many links, and must not be copied whole for each.
type spacedReader struct {
	goldmarktext.Reader
	from, to int
}

// PeekLine implements text.Reader.
func (r spacedReader) PeekLine() ([]byte, goldmarktext.Segment) {
	line, segment := r.Reader.PeekLine()
	if from, to := max(0, r.from-segment.Start), min(len(line), r.to-segment.Start); from < to {
		held := bytes.ReplaceAll(line[from:to], []byte{' '}, []byte{heldSpace})
		line = slices.Concat(line[:from], held, line[to:min(len(line), to+1)])
	}
	return line, segment
}

// maxAddressBytes is the greatest length of an address with spaces, together with the title of its
// link.
const maxAddressBytes = 1000

// spacedAddress returns where the address with spaces begins and ends in a line that begins with
// the ]( of a link; to is 0 if there is no such address.
func spacedAddress(line []byte) (from, to int) {
	line = line[:min(len(line), maxAddressBytes)]
	if !bytes.HasPrefix(line, []byte("](")) {
		return 0, 0
	}
	end := len("](")
	for open := 1; open > 0; end++ {
		if end == len(line) {
			return 0, 0
		}
		switch line[end] {
		case '(':
			open++
		case ')':
			open--
		case '\n', '<', '>', '[', ']', '`':
			return 0, 0
		case '\\':
			if c := line[min(end+1, len(line)-1)]; c < utf8.RuneSelf && !IsLetterOrDigit(c) { // an escape, not a folder of Windows
				return 0, 0
			}
		}
	}
	address := bytes.TrimRight(line[:end-1], " ")
	if n := len(address) - 1; address[n] == '"' || address[n] == '\'' { // it has a title
		quote := bytes.IndexByte(address, address[n])
		if quote == n || address[quote-1] != ' ' {
			return 0, 0
		}
		address = bytes.TrimRight(address[:quote], " ")
	}
	from = len(address) - len(bytes.TrimLeft(address[len("]("):], " "))
	if bytes.IndexByte(address[from:], ' ') < 0 || bytes.IndexByte(address, '"') >= 0 {
		return 0, 0
	}
	return from, len(address)
}

package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// lenient reads asterisks as emphasis delimiters unless a space forbids it, as programs older than
// CommonMark do. In CommonMark, **Note:**text has no emphasis, because the closing delimiter stands
// between punctuation and a letter, as is usual in Chinese and Japanese, which have no spaces.
type lenient struct {
	parser.InlineParser
	spaced bool // see Flavour
}

// Parse implements parser.InlineParser.
func (l lenient) Parse(block ast.Node, reader goldmarktext.Reader, context parser.Context) ast.Node {
	before := reader.PrecendingCharacter()
	n := l.InlineParser.Parse(block, reader, context)
	if d, ok := n.(*parser.Delimiter); ok && d.Char == '*' {
		line, _ := reader.PeekLine()
		d.CanOpen = len(line) > 0 && !util.IsSpaceRune(util.ToRune(line, 0))
		d.CanClose = !util.IsSpaceRune(before) || l.spaced && d.OriginalLength == 2 && isStrong(reader.Source()[:d.Segment.Start])
		if d.OriginalLength == 4 { // the end of one emphasis and the beginning of another, as in **one****two**
			d.OriginalLength = 2
		}
	}
	return n
}

// maxLineBytes is how long a line may be in which strong emphasis ends after a space: otherwise
// each of very many asterisks would be compared with all before it.
const maxLineBytes = 1 << 12

// isStrong reports whether strong emphasis is open at the end of a text, on its last line.
func isStrong(text []byte) bool {
	near := text[max(0, len(text)-maxLineBytes):]
	begin := bytes.LastIndexByte(near, '\n') + 1
	if begin == 0 && len(near) < len(text) {
		return false
	}
	line := near[begin:]
	at := bytes.LastIndex(line, []byte("**"))
	return bytes.Count(line, []byte("**"))%2 == 1 && at+2 < len(line) && !util.IsSpace(line[at+2])
}

// blocksOfHTML is a parser of HTML blocks, which the tag of an inline element does not begin, even
// if it is alone on its line. In CommonMark, the text below such a <br> is not Markdown.
type blocksOfHTML struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (b blocksOfHTML) Open(parent ast.Node, reader goldmarktext.Reader, context parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); startsInLine(line) {
		return nil, parser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, context)
}

// startsInLine reports whether a line starts with the tag of an inline element.
func startsInLine(line []byte) bool {
	name := bytes.TrimPrefix(bytes.TrimPrefix(bytes.TrimLeft(line, " "), []byte("<")), []byte("/"))
	end := bytes.IndexFunc(name, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })
	switch strings.ToLower(string(name[:max(0, end)])) {
	case "a", "abbr", "b", "big", "br", "cite", "code", "del", "em", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "tt", "u", "var":
		return true
	}
	return false
}

package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
)

// languages is a parser of fenced code that finds the language even if more is written with it, as
// in js{1,3} of VitePress and Gatsby, js:line-numbers, rust,ignore of mdBook, { .py title="a" } of
// MkDocs and {r} of R Markdown. CommonMark takes everything up to a space for the language.
type languages struct{ parser.BlockParser }

// Open implements parser.BlockParser.
func (l languages) Open(parent ast.Node, reader goldmarktext.Reader, context parser.Context) (ast.Node, parser.State) {
	n, state := l.BlockParser.Open(parent, reader, context)
	if block, ok := n.(*ast.FencedCodeBlock); ok && block.Info != nil {
		s := &block.Info.Segment
		from, to := languageOf(s.Value(reader.Source()))
		s.Start, s.Stop = s.Start+from, s.Start+to
	}
	return n, state
}

// languageOf returns where the language begins and ends in what is written after a fence.
func languageOf(info []byte) (from, to int) {
	if info[0] != '{' {
		if end := bytes.IndexAny(info, "{:,="); end > 0 && !bytes.HasPrefix(info[end:], []byte(`="`)) { // an attribute alone
			return 0, end
		}
		return 0, len(info)
	}
	from = 1 + len(info[1:]) - len(bytes.TrimLeft(info[1:], " ."))
	end := bytes.IndexAny(info[from:], " ,}=")
	if end <= 0 || info[from+end] == '=' || !IsLetterOrDigit(info[from]) { // attributes alone
		return 0, len(info)
	}
	return from, from + end
}

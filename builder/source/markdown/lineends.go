package markdown

import (
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	goldmarktext "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// lineEnds turns each line end within a paragraph into a break, if breaks is set, as some programs
// do. Otherwise it joins lines that end within Chinese or Japanese, which have no spaces: browsers
// show a line end as a space, and a search would not find a word that goes on in the next line.
// (Korean has spaces.)
type lineEnds struct{ breaks bool }

// Transform implements parser.ASTTransformer.
func (l lineEnds) Transform(document *ast.Document, reader goldmarktext.Reader, _ parser.Context) {
	source := reader.Source()
	if !l.breaks && !mayBeUnspaced(source) {
		return
	}
	ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		text, ok := n.(*ast.Text)
		if !ok || !entering || !text.SoftLineBreak() {
			return ast.WalkContinue, nil
		}
		if l.breaks {
			text.SetHardLineBreak(true)
		} else if isChineseOrJapanese(lastRune(text, source)) && isChineseOrJapanese(firstRune(text.NextSibling(), source)) {
			text.SetSoftLineBreak(false)
		}
		return ast.WalkContinue, nil
	})
}

// lastRune returns the last character, apart from white space, of the text that a node ends with,
// or that the node before ends with if that text is empty; utf8.RuneError if there is no such text.
func lastRune(n ast.Node, source []byte) rune {
	for n != nil {
		text, ok := n.(*ast.Text)
		if !ok {
			n = n.LastChild()
			continue
		}
		if value := util.TrimRightSpace(text.Segment.Value(source)); len(value) > 0 {
			last, _ := utf8.DecodeLastRune(value)
			return last
		}
		n = n.PreviousSibling()
	}
	return utf8.RuneError
}

// firstRune returns the first character of the text that a node begins with; utf8.RuneError if it
// begins with something else.
func firstRune(n ast.Node, source []byte) rune {
	for ; n != nil; n = n.FirstChild() {
		if text, ok := n.(*ast.Text); ok {
			first, _ := utf8.DecodeRune(text.Segment.Value(source))
			return first
		}
	}
	return utf8.RuneError
}

// mayBeUnspaced reports whether a text may have Chinese or Japanese in it; it is false for most
// texts without. It looks at the first bytes of characters in UTF-8.
func mayBeUnspaced(source []byte) bool {
	for _, c := range source {
		if c >= 0xE3 && (c <= 0xE9 || c >= 0xEF) {
			return true
		}
	}
	return false
}

// isChineseOrJapanese reports whether r is a letter or a punctuation mark of Chinese or Japanese.
func isChineseOrJapanese(r rune) bool {
	return 0x3000 <= r && r <= 0x30FF || 0xFF01 <= r && r <= 0xFF9F || unicode.Is(unicode.Han, r)
}

package dialect

import (
	"iter"
	"strings"
	"unicode"

	"newsstand/builder/source/markdown"
)

// codeLines tells lines of code from lines of text without parsing the Markdown: it knows fenced
// and indented blocks, even within lists and quotes.
type codeLines struct {
	// fencedOnly is whether only fences make code, and indentation does not. A line is then to be
	// moved left by shift columns, so that other programs do not take it for indented code, either.
	fencedOnly bool
	shift      int
	least      int    // the column of the list item that the line is in; the line is not moved left of it
	fence      string // of the open block
	quotes     int    // how many quotes the last line was in
	items      []item // the open items, the innermost last
	bare       bool   // whether the last line ended with the marker of the innermost
	blank      bool   // whether the last line was blank, a heading or the end of a fence: indented code may begin
	indented   bool   // whether the last line was indented code
}

// item is a list item: the column at which its text begins, and by how many columns it is moved
// left.
type item struct{ column, shift int }

// is reports whether a line is code. It must be called with all lines in order.
func (c *codeLines) is(line string) bool {
	if c.fence != "" {
		if c.isFenced(line) {
			return true
		}
		c.fence, c.blank = "", true // the quote or list item that the fence is in has ended
	}
	line, quotes := unquote(line, len(line))
	if quotes > c.quotes && !c.blank && strings.TrimSpace(line) == "" { // the > ends a tag of several lines
		return false
	}
	if quotes != c.quotes {
		c.items, c.bare, c.blank, c.quotes = nil, false, c.blank || quotes > c.quotes, quotes
	}
	at := indentation(line)
	text := strings.TrimLeft(line, " \t")
	if strings.TrimSpace(text) == "" {
		if c.blank = true; c.bare { // no item begins with two blank lines
			c.items, c.bare = c.items[:len(c.items)-1], false
		}
		return false
	}
	begins := c.blank || c.indented
	c.blank, c.indented, c.bare = false, false, false
	for len(c.items) > 0 && at < c.container().column && (begins || isItem(text) || isHeading(text) || fenceOf(text) != "") {
		c.items = c.items[:len(c.items)-1]
	}
	within := c.container()
	c.shift, c.least = within.shift, max(0, within.column-within.shift) // an empty item may lie left of the one before it
	if at >= within.column+4 {
		if c.indented = begins && !c.fencedOnly; c.indented {
			return true
		}
		if c.fencedOnly {
			c.shift += at - within.column
		}
	}
	text = c.open(text, at, begins)
	c.fence, c.blank = fenceOf(text), isHeading(text) || !begins && isUnderline(text)
	return c.fence != ""
}

// isUnderline reports whether a line makes a heading of the text above it.
func isUnderline(text string) bool {
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	return len(text) >= 3 && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "")
}

// open opens the list items that begin with a text at a column, and returns what follows their
// markers; begins is whether a block may begin there.
func (c *codeLines) open(text string, at int, begins bool) string {
	for width, length := markerOf(text, at); length > 0; width, length = markerOf(text, at) {
		at += width
		text = text[length:]
		c.items = append(c.items, item{at, c.shift})
	}
	if width := emptyItem(text, at); width > 0 && (begins || len(c.items) > 0) { // else it may underline a heading
		c.items, c.bare = append(c.items, item{at + width, c.shift}), true
	}
	return text
}

// isFenced reports whether a line is in the block that is open, or ends it.
func (c *codeLines) isFenced(line string) bool {
	inner, quotes := unquote(line, c.quotes)
	at, column := indentation(inner), c.container().column
	text := strings.TrimRightFunc(strings.TrimLeft(inner, " \t"), unicode.IsSpace)
	if quotes != c.quotes || at < column && text != "" {
		return false
	}
	if endsFence(text, c.fence) && (c.fencedOnly || at < column+4) {
		c.fence, c.blank = "", true
	}
	return true
}

// container is the innermost open item; without one, the document or the quote.
func (c *codeLines) container() item {
	if len(c.items) == 0 {
		return item{}
	}
	return c.items[len(c.items)-1]
}

// toLeft moves a line left by shift columns, but not out of the list item that it is in.
func (c *codeLines) toLeft(line string) string {
	if c.shift == 0 {
		return line
	}
	return strings.Repeat(" ", max(c.least, indentation(line)-c.shift)) + strings.TrimLeft(line, " \t")
}

// indentation returns the width of the white space at the front of a line, in columns.
func indentation(line string) int { return spaceAt(line, 0) }

// indentOf returns the white space at the front of a line.
func indentOf(line string) string { return leading(line, " \t") }

// leading returns the longest beginning of a text that consists of nothing but some characters.
func leading(text, characters string) string {
	return text[:len(text)-len(strings.TrimLeft(text, characters))]
}

// spaceAt returns the width of the white space at the front of a text that begins at a column. Tab
// stops are four columns apart.
func spaceAt(text string, column int) int {
	at := column
	for _, c := range []byte(text) {
		switch c {
		case ' ':
			at++
		case '\t':
			at += 4 - at%4
		default:
			return at - column
		}
	}
	return at - column
}

// unquote cuts quote markers off the front of a line, at most the given number of them, and counts
// them.
func unquote(line string, most int) (rest string, quotes int) {
	for rest = line; quotes < most; quotes++ {
		text := strings.TrimLeft(rest, " ")
		if len(rest)-len(text) > 3 || !strings.HasPrefix(text, ">") {
			break
		}
		rest = strings.TrimPrefix(text[1:], " ")
	}
	return rest, quotes
}

// isItem reports whether a line begins with a list marker.
func isItem(s string) bool {
	_, length := markerOf(s, 0)
	return length > 0
}

// markerOf returns the width in columns of the list marker that a text at a column begins with,
// together with the space after it, and its length in bytes, which differs because a tab is up to
// four columns wide. Both are 0 if there is no marker.
func markerOf(s string, column int) (width, length int) {
	if s == "" || markdown.IsLetterOrDigit(s[0]) && s[0] > '9' { // most lines
		return 0, 0
	}
	n := len(leading(s, digits))
	if n == len(s) || n > 9 || n == 0 && !strings.ContainsRune("-*+", rune(s[0])) || n > 0 && s[n] != '.' && s[n] != ')' {
		return 0, 0
	}
	n++
	space := spaceAt(s[n:], column+n)
	if space == 0 || strings.TrimLeft(s[n:], " \t\r\n") == "" {
		return 0, 0
	}
	if space > 4 { // the text is indented code
		return n + 1, n + 1
	}
	return n + space, n + len(indentOf(s[n:]))
}

// emptyItem returns the width in columns of a list marker at a column without text after it, whose
// text begins on the next line, and of the space that it stands for; 0 if s is anything else.
func emptyItem(s string, column int) int {
	marker := strings.TrimRight(s, " \t\r\n")
	if marker == "" || len(marker) > 10 || strings.IndexByte("-*+.)", marker[len(marker)-1]) < 0 {
		return 0
	}
	width, length := markerOf(marker+" a", column)
	if length <= len(marker) {
		return 0
	}
	return width
}

// fenceOf returns the code fence that a line begins with; "" if there is none.
func fenceOf(s string) string {
	if s == "" || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := len(leading(s, s[:1]))
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return ""
	}
	return s[:n]
}

// endsFence reports whether a line, without white space around it, ends the code that a fence
// began.
func endsFence(trimmed, fence string) bool {
	return len(trimmed) >= len(fence) && strings.Trim(trimmed, fence[:1]) == ""
}

// Lines yields the lines of Markdown, and whether each is code. The contents of the tag highlight
// of Jekyll or Hexo, of codeblock of Hexo, and of the shortcodes highlight and code of Hugo are
// code, too, if the tag has an end.
func Lines(markdown string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		code := codeLines{blank: true}
		at, tag := 0, "" // where the next line begins, and the tag that holds this one
		unended := map[string]bool{}
		for line := range strings.Lines(markdown) {
			at += len(line)
			isCode := tag != "" || code.is(line)
			switch {
			case !isCode:
				if opened := codeTagOf(line); opened != "" && !unended[opened] {
					if isCode = hasEndTag(markdown[at:], opened); isCode {
						tag = opened
					}
					unended[opened] = !isCode
				}
			case tag != "" && endsTag(line, tag):
				tag = ""
			}
			if !yield(line, isCode) {
				return
			}
		}
	}
}

// codeTagOf returns the name of the tag with which a line begins, if what it holds is code and it
// does not end on this line; else "".
func codeTagOf(line string) string {
	line = strings.TrimSpace(line)
	for _, open := range []string{"{%", "{{<", "{{%"} {
		tag, ok := strings.CutPrefix(line, open)
		if !ok {
			continue
		}
		switch word, _ := cutWord(strings.TrimLeft(tag, "-")); word {
		case "highlight", "code", "codeblock":
			if !endsTag(tag, word) {
				return word
			}
		}
	}
	return ""
}

// hasEndTag reports whether a line of a text has the end of the tag of this name. It reads no
// further than to that: a text may have a thousand such tags.
func hasEndTag(text, name string) bool {
	for line := range strings.Lines(text) {
		if endsTag(line, name) {
			return true
		}
	}
	return false
}

// endsTag reports whether a line has the end of the tag of this name.
func endsTag(line, name string) bool {
	if !strings.Contains(line, "{") { // like most lines
		return false
	}
	dense := strings.NewReplacer(" ", "", "-", "").Replace(line)
	return strings.Contains(dense, "{%end"+name) || strings.Contains(dense, "{{</"+name) || strings.Contains(dense, "{{%/"+name)
}

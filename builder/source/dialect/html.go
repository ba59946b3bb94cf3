package dialect

import (
	"bytes"
	"strings"

	"newsstand/builder/source/markdown"
)

// openHTML counts the open HTML blocks. To kramdown all that stands in one is HTML, however far it
// is indented, unless its author asks for Markdown, as in <div markdown="1">. A component, such as
// <TabItem>, always holds Markdown.
type openHTML struct {
	open       int
	components int
	markdown   bool // whether the author asks for Markdown in one of them
}

// add is called with each line of text. It reports whether the line is a tag after which Markdown
// is to be read.
func (h *openHTML) add(line string) bool {
	line = strings.TrimSpace(line)
	isTag := strings.HasPrefix(line, "<") && strings.HasSuffix(line, ">")
	if h.open == 0 && !strings.HasPrefix(line, "<") {
		return false
	}
	if isTag && isComponent(strings.TrimPrefix(line[1:], "/")) {
		switch {
		case line[1] == '/':
			h.components = max(0, h.components-1)
		case !strings.HasSuffix(line, "/>") && !strings.Contains(line, "</"):
			h.components++
		}
		return true
	}
	head, _, _ := strings.Cut(line, ">")
	h.markdown = h.markdown || isTag && strings.Contains(line, " markdown=") || strings.HasPrefix(line, "<") && wantsMarkdown(head)
	wanted := h.markdown
	h.count(line)
	h.markdown = h.markdown && h.open > 0
	return wanted && isTag
}

// count counts the blocks that begin and end on a line.
func (h *openHTML) count(line string) {
	comment := false
	for _, part := range strings.Split(line, "<")[1:] {
		if comment = comment || strings.HasPrefix(part, "!--"); comment {
			comment = !strings.Contains(part, "-->")
			continue
		}
		tag, _, _ := strings.Cut(part, ">")
		name, closes := strings.CutPrefix(tag, "/")
		if strings.HasSuffix(tag, "/") { // it is closed at once, as <div/>
			continue
		}
		switch leading(name, smallLetters) {
		case "div", "section", "article", "aside", "header", "footer", "main", "nav", "table", "ul", "ol", "dl", "details", "figure", "form", "html", "body", "center":
			if closes {
				h.open = max(0, h.open-1)
			} else {
				h.open++
			}
		}
	}
}

// endsHTML reports whether a line ends with the end tag of an HTML block, or is an <hr>, and text
// follows. To kramdown and Python-Markdown that text is Markdown, because the tag ends the block;
// in CommonMark only a blank line does.
func (t *reader) endsHTML(line string) bool {
	line = strings.TrimSpace(line)
	if !strings.HasSuffix(line, ">") { // like most lines
		return false
	}
	line = strings.TrimSpace(line[strings.LastIndexByte(line, '\n')+1:]) // markdownApart may have made several
	at := strings.LastIndex(line, "</")
	if name, _ := tagOf(line); name == "hr" {
		at = 0
	}
	if at < 0 || t.html.open > 0 || strings.HasPrefix(line, ">") || isItem(line) ||
		line[0] != '<' && strings.Contains(line, "|") { // the row of a table
		return false
	}
	name, length := tagOf(line[at:])
	next, _, _ := strings.Cut(t.following, "\n")
	text := strings.TrimSpace(next)
	isBlock := markdown.BeginsLine(name) || line[0] == '<' && (name == "iframe" || name == "video" || name == "audio")
	return at+length == len(line) && isBlock && indentation(next) < 4 && text != "" && text[0] != '<'
}

// markdownApart returns a line such as <p markdown="1">text</p> with blank lines around the text,
// so that other programs read it as Markdown, too; also if it has only one of the two tags, that of
// a <div> whose text goes on. The lines stay in their list item. Any other line it returns as it
// is.
func (t *reader) markdownApart(line string) string {
	trimmed := strings.TrimSpace(line)
	indent := strings.Repeat(" ", t.code.least)
	if t.html.markdown && t.html.open == 1 && !strings.HasPrefix(trimmed, "<") {
		if text, closed := strings.CutSuffix(trimmed, "</div>"); closed && !strings.Contains(text, "<div") {
			return strings.TrimSuffix(strings.TrimRight(line, " \t\r\n"), "</div>") + "\n\n" + indent + "</div>\n"
		}
	}
	name, length := tagOf(trimmed)
	if length == 0 {
		return line
	}
	head := trimmed[:length-1]
	text, closed := strings.CutSuffix(trimmed[length:], "</"+name+">")
	if !wantsMarkdown(head) || strings.Contains(head, ` markdown="0"`) || strings.Contains(text, "<"+name) {
		return line
	}
	begun := indent + head + ">\n\n" + indent + strings.TrimSpace(text) + "\n"
	switch name {
	case "p", "div", "aside", "section", "figcaption", "blockquote", "summary", "td", "th", "li", "dt", "dd":
		if closed && (name[0] != 't' || strings.ContainsAny(text, "*_`[:")) { // cells without Markdown stay in their row
			return begun + "\n" + indent + "</" + name + ">\n"
		}
		if name == "div" && text != "" && !strings.Contains(text, "</div>") {
			return begun
		}
	}
	return line
}

// wantsMarkdown reports whether a tag, without its >, has the attribute markdown: with a value, as
// kramdown has it, or without one, as Python-Markdown allows.
func wantsMarkdown(head string) bool {
	return strings.Contains(head, " markdown=") || hasWord(head, "markdown")
}

// hasWord reports whether a tag, without its >, has this word as an attribute without a value.
func hasWord(head, word string) bool {
	before, _, found := strings.Cut(head+" ", " "+word+" ")
	return found && strings.Count(before, `"`)%2 == 0 // otherwise the word is in a value
}

// hasComponent reports whether Markdown may hold the tag of a component.
func hasComponent(markdown []byte) bool {
	_, after, _ := bytes.Cut(markdown, []byte("<"))
	for tag := range bytes.SplitSeq(after, []byte("<")) {
		if isComponent(string(tag[:min(len(tag), maxNameBytes)])) {
			return true
		}
	}
	return false
}

// maxNameBytes is how many bytes of a name are looked at to see whether it is that of a component.
const maxNameBytes = 20

// isComponent reports whether a text begins with the name of a component, such as VPTeamPage, and
// not with that of an HTML element in capital letters.
func isComponent(s string) bool {
	name := leading(s[:min(len(s), maxNameBytes)], letters)
	return name != "" && 'A' <= name[0] && name[0] <= 'Z' && strings.ContainsAny(name, smallLetters)
}

// isComment reports whether a line begins as a comment of HTML or MDX does, and ends as one or does
// not end it.
func isComment(line string) bool {
	line = strings.TrimSpace(line)
	for _, marks := range [][2]string{{"<!--", "-->"}, {"{/*", "*/}"}} {
		if strings.HasPrefix(line, marks[0]) {
			return strings.HasSuffix(line, marks[1]) || !strings.Contains(line, marks[1])
		}
	}
	return false
}

// tagOf returns the name and the length of the HTML tag that a text begins with; both are zero if
// there is none.
func tagOf(s string) (name string, length int) {
	name, isTag := strings.CutPrefix(s, "<")
	if !isTag { // like most texts
		return "", 0
	}
	name = leading(strings.TrimPrefix(name, "/"), smallLetters+digits)
	if name == "" {
		return "", 0
	}
	for i := 1 + len(name); i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i += quoted(s[i:])
		case '>':
			return name, i + 1
		}
	}
	return "", 0
}

// commentOfLines skips an HTML comment that ends on a later line, and returns its length; 0 for any
// other comment. Marks in it are not read: a container that is commented out could drop the end of
// the comment.
func (t *reader) commentOfLines() int {
	rest := t.rest()
	if !strings.HasPrefix(rest, "<!--") || t.comments >= t.at+len("<!") {
		return 0
	}
	begins := onlyOf(t.line[:t.at], listAndQuote)
	length := t.ahead(0, func(s string) int {
		end := strings.Index(s, "-->")
		if end < 0 || !begins && !t.MDX && hasBlankLine(s[:end]) { // within a paragraph, no comment has a blank line
			return unfinished
		}
		return end + len("-->")
	})
	if length > 0 {
		t.out.WriteString("<!---->") // it separates what is around it
	}
	return length
}

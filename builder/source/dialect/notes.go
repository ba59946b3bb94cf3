package dialect

import (
	"bytes"
	"net/url"
	"path"
	"strings"
	"time"
	"unicode"

	"newsstand/builder/source/markdown"
)

// NoteOf returns the page that a link between notes names by the address that it has if
// Dialect.Found is set: [[Page]], percent-encoded.
func NoteOf(address string) (page string, ok bool) {
	const opens, closes = "%5B%5B", "%5D%5D"
	page, ok = strings.CutPrefix(address, opens)
	page, closed := strings.CutSuffix(page, closes)
	page, err := url.PathUnescape(page)
	return page, ok && closed && err == nil
}

// maxLinkBytes is the greatest length of a link between notes.
const maxLinkBytes = 1000

// note reads the syntax of note-taking programs, such as Obsidian, at the current position: it
// writes what a reader sees of it, and returns its length; 0 if there is none.
//
//	[[Page]] [[Page|text]] [[Page#Heading]]   its text, or a link (see Dialect.Found): only the whole folder tells where the page is
//	![[picture.png]] ![[Page]]                nothing, and the name of the page
//	%% a comment %%                           nothing, on however many lines
//	==text==                                  <mark>text</mark>
//	![text|200](a.png) ![text](a.png =200x100)   ![text](a.png)
//	text ^name                                text
func (t *reader) note() int {
	before := t.before()
	switch rest := t.rest(); {
	case before == '\\':
		return 0
	case strings.HasPrefix(rest, "[["):
		return t.noteLink()
	case rest[0] == '[' && before == '!':
		return t.sizedPicture()
	case strings.HasPrefix(rest, "%%"):
		return t.noteComment()
	case strings.HasPrefix(rest, "=="):
		return t.highlighted()
	case rest[0] == '^' && (before == ' ' || before == 0 || strings.HasSuffix(t.line[:t.at], "]]")): // the last after an embedded file
		return blockNameLength(rest)
	}
	return 0
}

// before returns the byte before the current position; 0 at the beginning of the line.
func (t *reader) before() byte {
	if t.at == 0 {
		return 0
	}
	return t.line[t.at-1]
}

// near returns what stands before the current position on the line, as far back as a link may be
// long.
func (t *reader) near() string { return t.line[max(0, t.at-maxLinkBytes):t.at] }

// blockNameLength returns the length of the name of a block, with its ^, at the end of a line; 0 if
// it is none.
func blockNameLength(rest string) int {
	if len(rest) > maxLinkBytes {
		return 0
	}
	name := strings.TrimRight(rest[1:], " \r\n")
	if len(name) < 2 || strings.Trim(name, letters+digits+"-") != "" ||
		strings.Trim(name, digits) == "" {
		return 0
	}
	return 1 + len(name)
}

// noteLink writes a link between notes, or its text, and returns the length of the link; 0 if there
// is none. Brackets around a name with a link definition, a footnote, a shell test, a character
// class or an index are no such link: directly after a letter, only a link with a text is one. A
// name without letters is one if it is a day, as in daily notes, and always in Logseq.
func (t *reader) noteLink() int {
	rest := t.rest()
	inner, _, closed := strings.Cut(rest[2:min(len(rest), maxLinkBytes)], "]]")
	after := rest[min(len(rest), len(inner)+4):]
	switch {
	case !closed, inner == "", strings.ContainsAny(inner, "[]\n"),
		!strings.ContainsFunc(inner, unicode.IsLetter) && !isDay(inner) && !t.Logseq,
		strings.HasPrefix(after, "("), strings.HasPrefix(after, "]") && !t.inBracket(),
		inner[0] == '^', isTest(inner), isClass(inner), t.isNamed(inner),
		markdown.IsLetterOrDigit(t.before()) && (!strings.Contains(inner, "|") || strings.Contains(inner, "||")):
		return 0
	}
	shown := t.linkText(inner)
	page, _, _ := strings.Cut(strings.TrimRight(strings.Split(inner, "|")[0], "\\ "), "#")
	if written, is := bytes.CutSuffix(t.out.Bytes(), []byte("!")); is && t.before() == '!' {
		t.out.Truncate(len(written))
		if path.Ext(page) != "" {
			shown = ""
		}
	} else if t.Found && page != "" && shown != "" && shown[len(shown)-1] != '\\' && !t.inBracket() && !t.inOther() {
		shown = `<a href="` + url.PathEscape("[["+page+"]]") + `">` + shown + "</a>" // Markdown would be text within HTML
	}
	t.out.WriteString(shown)
	return len(rest) - len(after)
}

// inBracket reports whether a bracket is open at the current position. It may be closed directly
// after a link, as in [see [[Page]]].
func (t *reader) inBracket() bool {
	before := t.near()
	return strings.Count(before, "[") > strings.Count(before, "]")
}

// inOther reports whether the current position is in a tag or a link of HTML, in mathematics, or
// where the address of a link or a link definition begins, and so where no link can be.
func (t *reader) inOther() bool {
	before := t.near()
	inLink := strings.LastIndex(before, "<a ") > strings.LastIndex(before, "</a>")
	inMath := strings.Count(before, "$$")%2 == 1 || strings.Count(strings.ReplaceAll(before, "$$", ""), "$")%2 == 1
	return t.inTag() || inLink || inMath
}

// inTag reports whether the current position is in a tag of HTML, or where the address of a link or
// a link definition begins.
func (t *reader) inTag() bool {
	before := t.near()
	_, tag, found := strings.Cut(before[max(0, strings.LastIndexByte(before, '<')):], "<")
	isAddress := func(s string) bool { // but a footnote is none
		return strings.HasSuffix(s, "](") || strings.HasSuffix(s, "]:") && !strings.Contains(s, "[^")
	}
	return found && !strings.Contains(tag, ">") && tag != "" && markdown.IsLetterOrDigit(tag[0]) || isAddress(strings.TrimRight(before, " <"))
}

// isTest reports whether the text between [[ and ]] is a test in a shell: it begins with a space,
// and has an operator or a variable.
func isTest(inner string) bool {
	return strings.TrimLeft(inner, " \t") != inner &&
		(strings.ContainsAny(inner, "=$\"<>&!") || strings.Contains(inner, "||") || strings.HasPrefix(strings.TrimSpace(inner), "-"))
}

// isClass reports whether the text between [[ and ]] names a character class of a regular
// expression, as in [[:alnum:]].
func isClass(inner string) bool {
	return len(inner) > 1 && strings.HasPrefix(inner, ":") && strings.HasSuffix(inner, ":")
}

// isDay reports whether a link between notes names a day, such as 2024-02-20.
func isDay(link string) bool {
	page, _, _ := strings.Cut(link, "|")
	_, err := time.Parse(time.DateOnly, page)
	return err == nil
}

// sizedPicture writes a picture without its size, which follows a | in its alternative text or,
// with markdown-it-imsize, its address. It returns how many bytes it has read; 0 if there is no
// size.
func (t *reader) sizedPicture() int {
	rest := t.rest()
	rest = rest[:min(len(rest), maxLinkBytes)]
	inner, after, closed := strings.Cut(rest[1:], "](")
	address, _, ends := strings.Cut(after, ")")
	if !closed || strings.Contains(inner, "]") || strings.HasSuffix(t.line[:t.at], `\!`) {
		return 0
	}
	text, where := inner, address
	if bar := strings.LastIndexByte(inner, '|'); bar >= 0 && bar < len(inner)-1 && strings.Trim(inner[bar+1:], ofSize) == "" {
		text = strings.TrimSuffix(inner[:bar], `\`)
	}
	if size := strings.LastIndex(address, " ="); ends && size > 0 && isSize(strings.TrimRight(address[size+2:], " ")) {
		where = address[:size]
	}
	if text == inner && where == address {
		return 0
	}
	t.out.WriteString("[" + text + "](" + where)
	return len("[](") + len(inner) + len(address)
}

// ofSize are the characters of the size of a picture.
const ofSize = "0123456789x"

// isSize reports whether a text is the width and height of a picture, one of which may be missing.
func isSize(s string) bool {
	width, height, found := strings.Cut(s, "x")
	return found && width+height != "" && strings.Trim(width+height, digits) == ""
}

// hasSizedPicture reports whether a text may have a picture with a size.
func hasSizedPicture(text []byte) bool {
	for {
		before, after, found := bytes.Cut(text, []byte("]("))
		if !found {
			return false
		}
		if bytes.HasSuffix(bytes.TrimRight(before, ofSize), []byte("|")) || bytes.Contains(after[:min(len(after), maxLinkBytes)], []byte(" =")) {
			return true
		}
		text = after
	}
}

// isNamed reports whether the Markdown has a link definition of this name.
func (t *reader) isNamed(name string) bool {
	if t.names == nil {
		t.names = map[string]bool{}
		for line := range bytes.Lines(t.source) {
			t.names[markdown.LinkName(line)] = true
		}
	}
	return t.names[strings.ToLower(name)]
}

// noteComment returns the length of a comment; 0 if there is none. Only one that begins a line may
// end on a later line.
func (t *reader) noteComment() int {
	rest := t.rest()
	if t.vain >= maxVainBytes || markdown.IsLetterOrDigit(t.before()) && !(len(rest) > 2 && markdown.IsLetterOrDigit(rest[2])) { // 100%%
		return 0
	}
	if onlyOf(t.line[:t.at], " \t") {
		return t.ahead(0, commentLength)
	}
	n := commentLength(rest[:min(len(rest), maxTagBytes)])
	if n == unfinished {
		t.vain += len(rest)
	}
	return max(0, n)
}

// commentLength returns the length of the comment that a text begins with; unfinished if it does
// not end. Marks between a space and a word, as in %%i, do not end it.
func commentLength(s string) int {
	for at := 2; ; {
		n := strings.Index(s[at:], "%%")
		if n < 0 {
			return unfinished
		}
		before := s[at+n-1]
		if at += n + 2; at == len(s) || !markdown.IsLetterOrDigit(s[at]) || before != ' ' && before != '\n' {
			return at
		}
	}
}

// highlighted writes ==text== as <mark>, unless the equals signs are operators or end within code,
// and returns its length. It writes only the text of links between notes in it.
func (t *reader) highlighted() int {
	rest := t.rest()
	inner, after, closed := strings.Cut(rest[2:], "==")
	isOperand := func(c byte) bool { return markdown.IsLetterOrDigit(c) || c == '=' || c == '!' }
	if !closed || inner == "" || strings.Contains(inner, "=") || strings.TrimSpace(inner) != inner || isOperand(t.before()) ||
		strings.Count(inner, "`")%2 == 1 || after != "" && isOperand(after[0]) {
		return 0
	}
	inner = t.pattern(`\[\[[^][\n]+\]\]`).ReplaceAllStringFunc(inner, func(link string) string { return t.linkText(link[2 : len(link)-2]) })
	t.out.WriteString("<mark>" + inner + "</mark>")
	return len(rest) - len(after)
}

// linkText returns the text that is shown of a link between notes.
func (t *reader) linkText(inner string) string {
	page, shown, found := strings.Cut(strings.ReplaceAll(inner, `\|`, "|"), "|")
	if found {
		if t.TextFirst {
			shown = page
		}
		return strings.TrimSpace(shown)
	}
	page, heading, _ := strings.Cut(strings.TrimSpace(page), "#")
	switch {
	case heading == "" || page != "" && heading[0] == '^':
		return page
	case page == "":
		return heading
	}
	return page + " > " + heading
}

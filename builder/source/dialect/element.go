package dialect

import (
	"bytes"
	"slices"
	"strings"

	"newsstand/builder/source/markdown"
)

// element reads the tag of a component, of which it keeps only the words in the attributes
// (words.go), or an HTML tag in the syntax of JSX, which it writes in that of HTML: without
// expressions, and with an end tag for <div />. It returns the length of the tag; 0 for a tag that
// stays as it is, and for other text.
func (t *reader) element() int {
	var e element
	length := t.ahead(0, func(s string) int { return e.read(s, t.MDX) })
	if length == 0 {
		t.vain += e.vain
		return 0
	}
	if more := t.unseen(&e, length); more > 0 {
		return length + more
	}
	if t.Svelte && strings.Contains(e.kept, "{") { // Svelte runs expressions even in quotes
		e.kept, e.computed = t.pattern(`\{[^{}]*\}`).ReplaceAllString(e.kept, ""), true
	}
	if t.Vue && strings.ContainsAny(e.kept, "@#") { // to CommonMark, a tag with such an attribute is text
		e.kept = t.pattern(`\s+[^\s"'=<>]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?`).ReplaceAllStringFunc(e.kept, func(attribute string) string {
			if strings.ContainsAny(strings.TrimLeft(attribute, " \t\r\n\f")[:1], "@#") {
				e.computed = true
				return ""
			}
			return attribute
		})
	}
	ends := e.component || e.closes || !e.closed || markdown.IsVoid(e.name) // whether HTML reads the tag in the same way
	t.tabs.add(&e)
	t.vPre.add(&e, func() bool {
		_, found := t.until(length, "</"+e.name, "</"+e.name)
		return found > 0
	})
	isBadge := t.badge(&e)
	words := t.words(&e, length)
	switch {
	case e.component && !t.MDX && e.broken:
		if !e.closes && !e.closed && len(bytes.TrimSpace(t.lastLine())) == 0 { // openHTML counts only tags on one line
			t.html.components++
		}
	case e.component && (t.MDX || e.computed || e.closed && t.inHeading() || isBadge || words != nil):
	case !e.computed && ends && !(t.MDX && e.broken): // a tag of MDX on several lines is joined: a line of > would be a quote
		return 0
	case ends:
		t.out.WriteString(oneLine(e.kept))
	default: // in HTML, <div /> would stay open
		t.out.WriteString(oneLine(strings.TrimSuffix(e.kept, "/>")) + "></" + e.name + ">")
	}
	t.paragraphs(words)
	return length
}

// unseen returns the length of the contents and the end tag that follow an opening tag of length
// bytes, if readers do not see them: imports and braces in scripts and styles are not Markdown, and
// <include> of Fumadocs holds the name of a file. It returns 0 for other tags.
func (t *reader) unseen(e *element, length int) (more int) {
	if !t.MDX || e.closes || e.closed || !slices.Contains([]string{"script", "style", "svelte:head", "include"}, e.name) {
		return 0
	}
	_, more = t.until(length, "</"+e.name, `</`+e.name+`\s*>`)
	return more
}

// element is a tag that begins or ends a component or an element of HTML.
type element struct {
	name      string
	component bool
	closes    bool        // </name>
	closed    bool        // <name/>
	broken    bool        // whether it spans several lines
	computed  bool        // whether there are expressions in it
	titled    bool        // whether it has a title, even a computed one
	vain      int         // how many bytes were read before it turned out not to be a tag
	kept      string      // the tag without its expressions
	texts     []attribute // the attributes that are texts and may be shown
	lists     []attribute // the attributes of <Tabs> that are expressions, as they are written
}

// attribute is an attribute of an element, with its text or expression.
type attribute struct{ name, text string }

const (
	smallLetters = "abcdefghijklmnopqrstuvwxyz"
	letters      = smallLetters + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
	nameLetters  = letters + digits + "-_" // of names of elements and attributes
)

// read reads the tag that a text begins with, and returns its length; 0 if there is none, and
// unfinished if the text ends within it.
func (e *element) read(s string, mdx bool) int {
	inner, closes := strings.CutPrefix(s[1:], "/")
	ofName := nameLetters + "."
	if mdx {
		ofName = nameLetters + ".:"
	}
	*e = element{name: leading(inner, ofName), closes: closes}
	after := inner[len(e.name):]
	e.component = inner != "" && 'A' <= inner[0] && inner[0] <= 'Z' || mdx && (strings.HasPrefix(inner, ">") || strings.ContainsAny(e.name, "-:."))
	if !e.component && e.name == "" || strings.HasSuffix(e.name, ":") || after == "" || !strings.ContainsRune(" \t\r\n/>", rune(after[0])) {
		return 0
	}
	var kept strings.Builder
	from := 0 // all before it is in kept already, or is an expression
	for i := len(s) - len(after); i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			n := quotedValue(s, i, e.component && mdx)
			e.add(s[:i], s[i+1:max(i+1, i+n)])
			i += n
		case '{':
			length := closing(s[i:])
			if length == unfinished {
				return unfinished
			}
			if !mdx && s[i-1] != '=' && strings.IndexByte("{%#", s[i+1]) >= 0 { // a tag of a template
				kept.WriteString(s[from:i])
			} else {
				expression := s[i+1 : i+length-1]
				e.computed = true
				e.add(s[:i], stringIn(expression))
				if e.name == "Tabs" {
					e.lists = append(e.lists, attribute{nameBefore(s[:i]), expression})
				}
				kept.WriteString(withoutExpression(s[from:i], expression))
			}
			i += length - 1
			from = i + 1
		case '\n':
			if line, _, broken := strings.Cut(s[i+1:], "\n"); broken && strings.TrimSpace(line) == "" && !(e.component && mdx) {
				e.vain = i
				return 0
			}
		case '<':
			e.vain = i
			return 0
		case '>':
			kept.WriteString(s[from : i+1])
			e.kept, e.closed, e.broken = kept.String(), s[i-1] == '/' && !endsUnquoted(s[:i-1]), strings.Contains(s[:i], "\n")
			return i + 1
		}
	}
	return unfinished
}

// withoutExpression returns the part of a tag before an expression without the name of the
// attribute whose value that is or, if that is known to be an address, with the address in quotes.
func withoutExpression(before, expression string) string {
	attribute := before[strings.LastIndexAny(before, " \t\r\n")+1:]
	if address := addressIn(expression); address != "" && (attribute == "src=" || attribute == "href=") {
		return before + `"` + strings.ReplaceAll(address, `"`, "&quot;") + `"`
	}
	return strings.TrimRight(strings.TrimRight(before, nameLetters+":="), " \t\r\n")
}

// endsUnquoted reports whether the beginning of a tag ends within a value without quotes, of which
// a slash is a part: <a href=b/> is not closed.
func endsUnquoted(tag string) bool {
	word := tag[strings.LastIndexAny(tag, " \t\r\n")+1:]
	return strings.Contains(word, "=") && strings.IndexByte(`"'}`, word[len(word)-1]) < 0
}

// quotedValue returns how many bytes after the quotation mark at s[at], in a tag, the closing one
// is; 0 if the mark is only an apostrophe. A value may span several lines; blank says whether blank
// ones are allowed.
func quotedValue(s string, at int, blank bool) int {
	if end := strings.IndexByte(s[at+1:], s[at]); s[at-1] == '=' && end >= 0 && (blank || !hasBlankLine(s[at:at+1+end])) {
		return end + 1
	}
	return quoted(s[at:])
}

// quoted returns how many bytes after the quotation mark that s begins with the closing one is; 0
// if the mark is only an apostrophe, without a closing one on its line.
func quoted(s string) int {
	end := strings.IndexByte(s[1:], s[0])
	if end < 0 || s[0] != '`' && strings.IndexByte(s[1:1+end], '\n') >= 0 {
		return 0
	}
	return end + 1
}

// oneLine returns s as one line, with single spaces in place of its white space.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\r\n\u00a0", r) }), " ")
}

// add is called with the text of an attribute, and with all of the tag before it. It keeps texts
// that may be shown.
func (e *element) add(before, text string) {
	name := nameBefore(before)
	e.titled = e.titled || name == "title"
	if !e.component || name == "" || strings.Contains(text, "{{") || name != "caption" && e.isUnseen() {
		return
	}
	if text = oneLine(text); text != "" {
		e.texts = append(e.texts, attribute{name, asMarkdown(text)})
	}
}

// nameBefore returns the name of the attribute whose value follows this beginning of a tag; "" if
// none does.
func nameBefore(value string) string {
	tag, isValue := strings.CutSuffix(value, "=")
	rest := strings.TrimRight(tag, nameLetters)
	if !isValue || !strings.ContainsRune(" \t\r\n", rune(rest[len(rest)-1])) {
		return ""
	}
	return tag[len(rest):]
}

// is reports whether an element has one of these names.
func (e *element) is(names ...string) bool { return slices.Contains(names, e.name) }

// text returns the text of an attribute; "" if the element does not have it.
func (e *element) text(name string) string {
	for _, a := range e.texts {
		if a.name == name {
			return a.text
		}
	}
	return ""
}

// isUnseen reports whether the title of a component is not part of the text: it describes a
// picture, is the tooltip of a link, names the file of a code block, as the title of fenced code
// does, or is the title of the whole page.
func (e *element) isUnseen() bool {
	name := strings.ToLower(e.name)
	switch name {
	case "head", "meta", "seo", "layout":
		return true
	}
	kinds := []string{"image", "img", "picture", "photo", "screenshot", "video", "audio", "youtube", "vimeo", "iframe", "embed", "player", "icon", "qr"}
	return slices.ContainsFunc(kinds, func(kind string) bool { return strings.Contains(name, kind) }) ||
		strings.HasSuffix(name, "link") || strings.HasSuffix(name, "code") || strings.HasSuffix(name, "codeblock")
}

// isElement reports whether a line of MDX, without white space around it, is nothing but a tag.
func isElement(line string) bool {
	return strings.HasPrefix(line, "<") && new(element).read(line, true) == len(line)
}

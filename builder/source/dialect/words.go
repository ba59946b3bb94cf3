package dialect

import (
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// words are what readers see of the attributes of a component, each as a paragraph of Markdown: of
// <Card title="Install" href="/install"> it is **Install**. Which attributes are shown, only the component knows. But
// these mean the same to Docusaurus, Starlight, Mintlify, Nextra and Fumadocs, and to what is made like theirs:
//
//	title heading header question label summary   in bold, as the title of a box
//	name                                          so, too, where there is a description of it, or of <ParamField>
//	path query body                               and <ResponseField> of Mintlify, which have it between their tags,
//	                                              and of <File> and <Folder>
//	subtitle description caption                  plain
//	type                                          in bold, of an <Aside> or <Admonition> without a title
//
// Tabs have those that tabs.go finds. There are none of a component within a sentence, a heading or the cell of a table, where a
// title is mostly what is seen on pointing at it; but of a badge, see [reader.badge]. length is that of the tag.
func (t *reader) words(e *element, length int) []string {
	label := t.tabs.label(e)
	if len(e.texts) == 0 && label == "" || t.out.Len()-t.from > maxAttributesBytes {
		return nil
	}
	words := e.words(label)
	if len(words) == 0 || e.inSentence(t.shortlyBehind(length)) || !t.apart() {
		return nil
	}
	return words
}

// words are those of the attributes, or the label that a tab has from elsewhere.
func (e *element) words(label string) (words []string) {
	if label != "" {
		return []string{"**" + label + "**"}
	}
	isField := e.is("ParamField", "ResponseField", "File", "Folder")
	isNamed := isField || e.text("description") != ""
	for _, a := range e.texts {
		switch a.name {
		case "name", "path", "query", "body":
			if !isNamed || !isField && a.name != "name" {
				continue
			}
			fallthrough
		case "title", "heading", "header", "question", "label", "summary":
			words = append(words, "**"+a.text+"**")
		case "subtitle", "description", "caption":
			if fenceOf(a.text) != "" { // all behind it would be code
				a.text = `\` + a.text
			}
			words = append(words, a.text)
		case "type":
			if e.is("Aside", "Admonition") && isBox(a.text) && !e.titled {
				words = append(words, "**"+Capital(a.text)+"**")
			}
		}
	}
	return words
}

// apart reports whether a block begins at this place: nothing is before it in its line, or only components are, of which
// the last one ends there. Then the line is ended, and another one of the same list or quote begun.
func (t *reader) apart() bool {
	if before := t.lastLine(); len(before) <= maxIndentBytes && onlyOf(string(before), listAndQuote) {
		t.parted = t.at
		return true
	}
	before := strings.TrimRight(t.line[max(0, t.at-maxAttributesBytes):t.at], " \t")
	end := strings.LastIndex(before, "</")
	begin := strings.IndexByte(t.line, '<')
	if end < 0 || begin > maxIndentBytes || !strings.HasSuffix(before, ">") || !isComponent(before[end+2:]) || !isComponent(t.line[begin+1:]) || !onlyOf(t.line[:begin], listAndQuote) ||
		!t.onlyComponents(t.line[max(begin, t.parted):t.at]) {
		return false
	}
	t.parted = t.at
	within := t.within(t.line[:begin])
	t.out.WriteString("\n" + strings.TrimRight(within, " \t") + "\n" + within)
	t.from, t.code.least = t.out.Len()-len(within), len(within)
	return true
}

// onlyComponents reports whether a short text stands within components as a whole.
func (t *reader) onlyComponents(s string) bool {
	depth := 0
	for s = strings.TrimSpace(s); s != "" && len(s) <= maxAttributesBytes; {
		var e element
		length := 0
		if s[0] == '<' {
			length = max(0, e.read(s, t.MDX))
		}
		switch {
		case length == 0 && depth == 0:
			return false
		case length == 0:
			length = 1
		case e.closes:
			depth = max(0, depth-1)
		case !e.closed && !isVoid(e.name):
			depth++
		}
		if s = s[length:]; depth == 0 {
			s = strings.TrimLeft(s, " \t")
		}
	}
	return s == ""
}

// listAndQuote are the characters of the marks of lists and quotes.
const listAndQuote = " \t>-*+.)0123456789"

// within is what the lines begin with that are as deep in lists and quotes as one that begins so.
func (t *reader) within(before string) string {
	if strings.TrimSpace(before) == "" { // no item begins here
		return before[:min(len(before), t.code.least)]
	}
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, before)
}

// badge writes what is seen of <Badge text="New" />, in a sentence, too; that of a heading is a paragraph
// below, as programs leave it out of the heading's id. It reports whether it is one.
func (t *reader) badge(e *element) bool {
	text := e.text("text")
	if !e.closed || !strings.HasSuffix(e.name, "Badge") || text == "" {
		return false
	}
	switch {
	case t.isHeading():
		before := t.line[:len(t.line)-len(strings.TrimLeft(t.line, listAndQuote))]
		within := t.within(before[:min(len(before), maxIndentBytes)])
		blank := strings.TrimRight(within, " \t") + "\n"
		t.below = append(t.below, blank+within+text+"\n"+blank)
	case strings.HasPrefix(strings.TrimSpace(t.line[:min(len(t.line), maxAttributesBytes)]), "|"):
		t.out.WriteString(strings.ReplaceAll(text, "|", `\|`))
	default:
		t.out.WriteString(text)
	}
	return true
}

// isHeading reports whether the line is a heading.
func (t *reader) isHeading() bool {
	text := strings.TrimLeft(t.line[:min(len(t.line), maxAttributesBytes)], listAndQuote)
	behind := strings.TrimLeft(text, "#")
	return len(behind) < len(text) && behind != "" && (behind[0] == ' ' || behind[0] == '\t')
}

// inSentence reports whether text goes on behind an element in the same line.
func (e *element) inSentence(behind string) bool {
	behind, _, _ = strings.Cut(behind[:min(len(behind), maxAttributesBytes)], "\n")
	if !e.closed {
		_, behind, _ = strings.Cut(behind, "</"+e.name+">")
	}
	behind = strings.TrimSpace(behind)
	return behind != "" && behind[0] != '<'
}

// add is told of an attribute that is a text, and of all that is before the text. It keeps what may be shown.
func (e *element) add(before, text string) {
	name := nameBefore(before)
	text = oneLine(text)
	e.titled = e.titled || name == "title"
	if !e.component || name == "" || text == "" || strings.Contains(text, "{{") || name != "caption" && e.isUnseen() {
		return
	}
	e.texts = append(e.texts, attribute{name, asMarkdown(text)})
}

// addList is told of an attribute that is an expression. It keeps what <Tabs> says of its tabs.
func (e *element) addList(before, expression string) {
	if name := nameBefore(before); e.name == "Tabs" && name != "" {
		e.lists = append(e.lists, attribute{name, expression})
	}
}

// nameBefore is the name of the attribute whose value all of this stands before, "" where it is none.
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

// text is that of an attribute, "" where it has none.
func (e *element) text(name string) string {
	for _, a := range e.texts {
		if a.name == name {
			return a.text
		}
	}
	return ""
}

// isUnseen reports whether a component is of those whose title stands in the place of a picture, is seen on pointing
// at a link, names the file of code, as the title of a fenced block does, or is that of the whole page.
func (e *element) isUnseen() bool {
	switch e.name {
	case "Head", "Meta", "SEO", "Seo", "Layout":
		return true
	}
	for _, kind := range [...]string{"Image", "Img", "Picture", "Photo", "Screenshot", "Video", "Audio", "YouTube", "Youtube", "Vimeo", "IFrame", "Iframe", "Embed", "Player", "Icon"} {
		if strings.Contains(e.name, kind) {
			return true
		}
	}
	return strings.HasSuffix(e.name, "Link") || strings.HasSuffix(e.name, "Code") || strings.HasSuffix(e.name, "CodeBlock")
}

// asMarkdown returns the text of an attribute as Markdown. Marks are left as they are, as the authors of components mostly
// have them read; but of HTML stays only what marks up words, lest it swallow what is behind it.
func asMarkdown(text string) string {
	parts := strings.Split(text, "`")
	for i, part := range parts {
		if isCode := i%2 == 1 && len(parts)%2 == 1; isCode {
			continue
		}
		from := 0
		var b strings.Builder
		for at := range len(part) {
			if part[at] != '<' {
				continue
			}
			if name, _ := tagOf(part[at:min(len(part), at+maxAttributesBytes)]); !marksWords(name) {
				b.WriteString(part[from:at] + "&lt;")
				from = at + 1
			}
		}
		parts[i] = b.String() + part[from:]
	}
	return strings.Join(parts, "`")
}

// marksWords reports whether an element of HTML marks up words.
func marksWords(name string) bool {
	switch atom.Lookup([]byte(name)) {
	case atom.A, atom.B, atom.Br, atom.Code, atom.Em, atom.I, atom.Kbd, atom.Strong:
		return true
	}
	return false
}

// paragraphs writes paragraphs of their own before what is left of the line, as deep as that is in lists and quotes.
func (t *reader) paragraphs(words []string) {
	if len(words) == 0 {
		return
	}
	begin := t.out.Len() - len(t.lastLine())
	before := string(t.lastLine())
	within := t.within(before)
	if strings.TrimSpace(before) == "" {
		t.out.Truncate(begin)
		t.out.WriteString("\n" + within)
	}
	for _, w := range words {
		t.out.WriteString(w + "\n" + strings.TrimRight(within, " \t") + "\n" + within)
	}
	t.from = t.out.Len() - len(within)
}

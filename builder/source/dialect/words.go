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
//	path query body                               and <ResponseField> of Mintlify, which have it between their tags
//	subtitle description caption                  plain
//
// There are none of a component within a sentence, a heading or the cell of a table, where a title is mostly
// what is seen on pointing at it. length is that of the tag.
func (t *reader) words(e *element, length int) (words []string) {
	if len(e.texts) == 0 || t.out.Len()-t.from > maxAttributesBytes || !onlyOf(string(t.lastLine()), " \t>-*+.)0123456789") || e.inSentence(t.shortlyBehind(length)) {
		return nil
	}
	isField := e.name == "ParamField" || e.name == "ResponseField"
	isNamed := isField || slices.ContainsFunc(e.texts, func(a attribute) bool { return a.name == "description" })
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
		}
	}
	return words
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
	tag := strings.TrimSuffix(before, "=")
	rest := strings.TrimRight(tag, nameLetters)
	name := tag[len(rest):]
	text = oneLine(text)
	if !e.component || tag == before || name == "" || !strings.ContainsRune(" \t\r\n", rune(rest[len(rest)-1])) ||
		text == "" || strings.Contains(text, "{{") || name != "caption" && e.isUnseen() {
		return
	}
	e.texts = append(e.texts, attribute{name, asMarkdown(text)})
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
			if name, _ := tagOf(part[at:]); !marksWords(name) {
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
	if strings.TrimSpace(before) == "" { // no item begins here
		before = before[:min(len(before), t.code.least)]
		t.out.Truncate(begin)
		t.out.WriteString("\n" + before)
	}
	within := strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, before)
	for _, w := range words {
		t.out.WriteString(w + "\n" + strings.TrimRight(within, " \t") + "\n" + within)
	}
	t.from = t.out.Len() - len(within)
}

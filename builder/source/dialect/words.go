package dialect

import (
	"strings"

	"golang.org/x/net/html/atom"

	"newsstand/builder/source/markdown"
)

// words returns what readers see of the attributes of a component, each as a paragraph of Markdown:
// **Install** for <Card title="Install" href="/install">. Only the component knows which attributes
// it shows, but these mean the same in Docusaurus, Starlight, Mintlify, Nextra and Fumadocs, and in
// components made like theirs:
//
//	title heading header question label summary   in bold, as the title of a box
//	name                                          in bold, if there is a description
//	name path query body                          in bold, of <ParamField> and <ResponseField> of Mintlify, which have
//	                                              the description between their tags, and of <File> and <Folder>
//	subtitle description caption                  plain
//	type                                          in bold, of an <Aside> or <Admonition> without a title
//
// Tabs may have labels that tabs.go finds. A component within a sentence, a heading or the cell of
// a table has no words: there a title is mostly a tooltip. For badges, see [reader.badge]. length
// is the length of the tag.
func (t *reader) words(e *element, length int) []string {
	words := e.words(t.tabs.label(e))
	if len(words) == 0 || t.out.Len()-t.from > maxAttributesBytes || e.inSentence(t.textAfter(length)) || !t.apart() {
		return nil
	}
	return words
}

// words returns the words in the attributes, or, if <Tabs> gives the tab a label, only that.
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
			if fenceOf(a.text) != "" { // a fence: all after it would be code
				a.text = `\` + a.text
			}
			words = append(words, a.text)
		case "type":
			if e.is("Aside", "Admonition") && isBox(a.text) && !e.titled {
				words = append(words, "**"+capital(a.text)+"**")
			}
		}
	}
	return words
}

// apart reports whether a block begins at the current position: there is nothing before it on its
// line, or only whole components. After components, it ends the line that is being written and
// begins another one in the same list or quote.
func (t *reader) apart() bool {
	if before := t.lastLine(); len(before) <= maxIndentBytes && onlyOf(string(before), listAndQuote) {
		t.parted = t.at
		return true
	}
	before := strings.TrimRight(t.line[max(0, t.at-maxAttributesBytes):t.at], " \t")
	end := strings.LastIndex(before, "</")
	begin := strings.IndexByte(t.line, '<')
	if end < 0 || begin > maxIndentBytes || !strings.HasSuffix(before, ">") || !isComponent(before[end+2:]) || !isComponent(t.line[begin+1:]) ||
		!onlyOf(t.line[:begin], listAndQuote) ||
		!t.onlyComponents(t.line[max(begin, t.parted):t.at]) {
		return false
	}
	t.parted = t.at
	within := t.within(t.line[:begin])
	t.out.WriteString("\n" + strings.TrimRight(within, " \t") + "\n" + within)
	t.from, t.code.least = t.out.Len()-len(within), len(within)
	return true
}

// onlyComponents reports whether a short text is nothing but components and their contents.
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
		case !e.closed && !markdown.IsVoid(e.name):
			depth++
		}
		if s = s[length:]; depth == 0 {
			s = strings.TrimLeft(s, " \t")
		}
	}
	return s == ""
}

// listAndQuote are the characters of list and quote markers.
const listAndQuote = " \t>-*+.)0123456789"

// within returns what the next lines have to begin with to be in the same lists and quotes as a
// line that begins with before.
func (t *reader) within(before string) string {
	if strings.TrimSpace(before) == "" { // no item begins here
		return before[:min(len(before), t.code.least)]
	}
	return quotesOf(before)
}

// quotesOf returns the beginning of a line with spaces in place of all but its quote markers and
// tabs.
func quotesOf(before string) string {
	return strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, before)
}

// badge writes the text of <Badge text="New" />, even within a sentence. In a heading it becomes a
// paragraph below, because programs leave it out of the heading's id. It reports whether the
// element is a badge.
func (t *reader) badge(e *element) bool {
	text := e.text("text")
	if !e.closed || !strings.HasSuffix(e.name, "Badge") || text == "" {
		return false
	}
	if !t.inHeading() {
		t.out.WriteString(t.inRow(text))
		return true
	}
	before := leading(t.line, listAndQuote)
	within := t.within(before[:min(len(before), maxIndentBytes)])
	blank := strings.TrimRight(within, " \t") + "\n"
	t.below = append(t.below, blank+within+text+"\n"+blank)
	return true
}

// inRow returns text with its bars escaped if the line is the row of a table.
func (t *reader) inRow(text string) string {
	if strings.HasPrefix(strings.TrimSpace(t.line[:min(len(t.line), maxAttributesBytes)]), "|") {
		return strings.ReplaceAll(text, "|", `\|`)
	}
	return text
}

// inSentence reports whether text goes on after an element in the same line.
func (e *element) inSentence(after string) bool {
	after, _, _ = strings.Cut(after[:min(len(after), maxAttributesBytes)], "\n")
	if !e.closed {
		_, after, _ = strings.Cut(after, "</"+e.name+">")
	}
	after = strings.TrimSpace(after)
	return after != "" && after[0] != '<'
}

// asMarkdown returns the text of an attribute as Markdown. Marks of Markdown stay, since most
// components read them; of HTML only inline tags stay, since others might swallow what follows
// them.
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

// withinText returns Markdown that changes nothing of what follows it at the front of a line: it
// neither begins a block of code nor defines a link or a footnote.
func withinText(text string) string {
	if fenceOf(text) != "" || strings.HasPrefix(text, "[") && strings.Contains(text, "]:") {
		return `\` + text
	}
	return text
}

// marksWords reports whether an HTML element marks up words within a line.
func marksWords(name string) bool {
	switch atom.Lookup([]byte(name)) {
	case atom.A, atom.B, atom.Br, atom.Code, atom.Del, atom.Em, atom.I, atom.Kbd, atom.Mark, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.U:
		return true
	}
	return false
}

// paragraphs writes words as paragraphs before the rest of the line, in the same lists and quotes.
func (t *reader) paragraphs(words []string) {
	if len(words) == 0 {
		return
	}
	before := string(t.lastLine())
	within := t.within(before)
	if strings.TrimSpace(before) == "" {
		t.out.Truncate(t.out.Len() - len(before))
		t.out.WriteString("\n" + within)
	}
	for _, w := range words {
		t.out.WriteString(withinText(w) + "\n" + strings.TrimRight(within, " \t") + "\n" + within)
	}
	t.from = t.out.Len() - len(within)
}

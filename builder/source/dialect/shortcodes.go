package dialect

import (
	"bytes"
	"cmp"
	"html"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// shortcode writes what is shown of a shortcode of Hugo. It returns how many bytes after the tag it
// has read as well.
func (t *reader) shortcode(f form, word, parameters string, length int) (more int) {
	name, ends := strings.CutPrefix(word, "/")
	show := func() {
		t.shortcodeWords(word, parametersOf(strings.TrimSuffix(strings.TrimSpace(parameters), "/")), length)
	}
	switch {
	case word == "tabpane":
		t.textTabs = strings.Contains(parameters, "text=true")
	case mayHoldCode(word):
		if more = t.codeShortcode(word, name, parameters, length); more == 0 && !t.listing && !ends && len(t.Shown[word]) > 0 {
			show()
		}
		return more
	case word == "rawhtml" && f.open == "{{<":
		return t.rawHTML(word, length)
	case t.verbatim: // verbatim text shows nothing of the others
	case word == "figure":
		t.figure(parameters)
	case word == "youtube":
		t.video("https://www.youtube.com/embed/", parameters)
	case word == "vimeo":
		t.video("https://player.vimeo.com/video/", parameters)
	case word == "details":
		t.details(parameters, length)
	case word == "/tabs":
		t.tabs = t.tabs[:max(0, len(t.tabs)-1)]
	case !ends:
		show()
	}
	if name == "mermaid" || name == "tab" && f.open == "{{<" && !t.textTabs {
		return t.codeShortcode(word, name, parameters, length)
	}
	return 0
}

// endOfShortcode returns a pattern that matches the end tag of a shortcode of Hugo.
func endOfShortcode(name string) string {
	return `\{\{[<%]\s*/\s*` + regexp.QuoteMeta(name) + `\s*[%>]\}\}`
}

// codeShortcode reads a shortcode of Hugo that may hold code, or its end tag: one whose name says
// so, mermaid, which many themes have, or a tab of Docsy with a header or a language. It leaves it
// alone if it stands within a line, or holds a fence or, unless it names its language, another
// shortcode.
func (t *reader) codeShortcode(word, name, parameters string, length int) (more int) {
	ends := word != name
	if ends != t.listing && !t.HTML {
		return 0
	}
	p := parametersOf(parameters)
	if !ends {
		code, found := t.until(length, name, endOfShortcode(name))
		if found == 0 || strings.Contains(code, "```") || strings.Contains(code, "~~~") || p["lang"] == "" && t.pattern(shortcodeTag).MatchString(code) ||
			name == "tab" && p["header"]+p["lang"] == "" || len(bytes.TrimSpace(t.lastLine())) > 0 ||
			name != "tab" && !t.endsLine(length) {
			return 0
		}
	}
	language := p["lang"]
	if name == "mermaid" {
		language = name
	}
	return t.listingTag(word, name, language, length)
}

// rawHTML writes the HTML between the tags of rawhtml, a shortcode of many sites, whose first tag
// has length bytes, so that no indentation and no blank line within makes Markdown of it: Hugo does
// not render what is between {{< and >}}. It leaves preformatted text alone.
func (t *reader) rawHTML(name string, length int) (more int) {
	if t.HTML || len(bytes.TrimSpace(t.lastLine())) > 0 || !t.endsLine(length) {
		return 0
	}
	inner, more := t.until(length, name, endOfShortcode(name))
	t.vain += len(inner) // of a thousand of these, only one may end
	inner = strings.TrimSpace(t.pattern(shortcodeTag).ReplaceAllString(inner, ""))
	if !strings.HasPrefix(inner, "<") || strings.Contains(inner, "<pre") {
		return 0
	}
	for line := range strings.Lines(inner) {
		if line = strings.TrimSpace(line); line != "" {
			t.out.WriteString(line + "\n")
		}
	}
	t.out.WriteByte('\n')
	return more
}

// figure writes the picture, title and caption of Hugo's shortcode figure.
func (t *reader) figure(parameters string) {
	p := parametersOf(parameters)
	for key, value := range p {
		if strings.Contains(value, "{{") {
			p[key] = t.pattern(shortcodeTag).ReplaceAllString(value, "")
		}
	}
	words := strings.TrimSpace(p["title"] + " " + p["caption"])
	alt := p["alt"]
	if alt == words {
		alt = ""
	}
	switch src := p.firstOr("src"); {
	case src == "":
	case t.HTML:
		t.out.WriteString(`<img src="` + html.EscapeString(src) + `" alt="` + html.EscapeString(alt) + `"> `)
		words = html.EscapeString(words)
	default:
		t.out.WriteString(picture(src, alt) + " ")
	}
	t.out.WriteString(words)
}

// picture returns a picture in Markdown.
func picture(src, alt string) string {
	return "![" + strings.NewReplacer("[", "", "]", "").Replace(alt) + "](<" + src + ">)"
}

// video writes the player of Hugo's shortcodes youtube and vimeo. address is that of the player, up
// to the id of the video.
func (t *reader) video(address, parameters string) {
	if id := parametersOf(parameters).firstOr("id"); id != "" && strings.Trim(id, nameLetters) == "" {
		t.out.WriteString(`<!----><iframe src="` + address + id + `"></iframe>`) // after a comment, the next line is Markdown
	}
}

// details writes the summary of Hugo's shortcode details, whose tag has length bytes. Themes call
// it title, or give it no name.
func (t *reader) details(parameters string, length int) {
	p := parametersOf(parameters)
	summary := oneLine(cmp.Or(p["summary"], p["title"], p[""]))
	switch {
	case summary == "":
	case t.HTML || t.htmlBlock:
		t.out.WriteString(html.EscapeString(summary) + " ")
	case t.endsLine(length): // what follows is a block of its own
		t.out.WriteString(bold(summary) + "\n")
	default:
		t.out.WriteString(bold(summary) + " ")
	}
}

// shortcodeWords writes what readers see of the parameters of a theme's shortcode, whose tag has
// length bytes, as words does for the attributes of a component. They mean the same in Docsy,
// Relearn, Hugo Book, Hextra, Doks, Blowfish, FixIt and Hinode, some of which give no name to the
// first or second. The parameter text is shown even within a sentence, unless the shortcode has
// contents on its line: then it is their tooltip.
func (t *reader) shortcodeWords(word string, p parameters, length int) {
	e := element{name: word, component: true}
	switch word {
	case "tabs":
		t.tabs = append(t.tabs, tabList{items: strings.Split(p["items"], ",")}) // which Hextra gives to its tabs in this order
	case "tab":
		p["title"] = cmp.Or(p["title"], p["name"], p[""], t.tabs.item())
	case "expand":
		p["title"] = cmp.Or(p["title"], p[""])
	case "admonition", "notice": // their first parameter is the kind of box
		p["title"] = cmp.Or(p["title"], p["1"])
	}
	for _, name := range []string{"title", "heading", "header", "question", "label", "summary", "name", "subtitle", "description", "caption", "text"} {
		if value := p[name]; !isSwitch(value) {
			e.add(" "+name+"=", value)
		}
	}
	words, text := e.words(""), e.text("text")
	shown := t.shownWords(word, p)
	if len(words) == 0 && text == "" && len(shown) == 0 {
		return
	}
	after, holds := t.restOfLine(word, length)
	if holds {
		text = ""
	}
	if text != "" {
		words = append(words, text)
	}
	isBlock := after == "" && t.apart()
	switch {
	case t.HTML || t.htmlBlock:
		t.out.WriteString(asMarkdown(strings.NewReplacer("**", "", "`", "").Replace(strings.Join(union(words, shown), " "))) + " ")
	case isBlock:
		t.paragraphs(union(words, shown))
	default:
		if text != "" {
			shown = union([]string{text}, shown)
		}
		t.out.WriteString(t.inRow(withinText(strings.Join(shown, " "))))
		if holds && len(shown) > 0 {
			t.out.WriteByte(' ')
		}
	}
}

// isSwitch reports whether a value of a parameter turns something on or off.
func isSwitch(value string) bool { return value == "true" || value == "false" }

// shownWords returns the words of the parameters that the site's own template of a shortcode shows,
// where these are text.
func (t *reader) shownWords(word string, p parameters) (words []string) {
	if len(t.Shown[word]) == 0 || t.inTag() || t.inAddress() {
		return nil
	}
	for _, name := range t.Shown[word] {
		if value := oneLine(p[name]); value != "" && !isSwitch(value) && !strings.Contains(value, "{{") {
			words = append(words, asMarkdown(value))
		}
	}
	return words
}

// inAddress reports whether the address of a link goes on at the current position.
func (t *reader) inAddress() bool {
	before := t.near()
	at := strings.LastIndex(before, "](")
	return at >= 0 && !strings.Contains(before[at:], ")")
}

// union returns words, and those of more that are not among them, in bold or not.
func union(words, more []string) []string {
	for _, word := range more {
		if !slices.Contains(words, word) && !slices.Contains(words, "**"+word+"**") {
			words = append(words, word)
		}
	}
	return words
}

// includeWords does the same for an include of Jekyll that is still here: its file is that of a
// theme, or more than the parameters decides what it shows. One in a tag or an address is a part of
// that.
func (t *reader) includeWords(tag string, length int) {
	if t.inTag() {
		return
	}
	file, rest := cutWord(tag)
	name, _, _ := strings.Cut(path.Base(file), ".")
	p := parameters{}
	for _, m := range t.pattern(`(?s)([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`).FindAllStringSubmatch(rest, -1) {
		p[m[1]] = strings.ReplaceAll(m[2], `\"`, `"`) + strings.ReplaceAll(m[3], `\'`, "'")
	}
	t.shortcodeWords(name, p, length)
}

// restOfLine returns the rest of the line after a shortcode whose tag has n bytes, and whether the
// shortcode has contents on the line, which are not part of that rest.
func (t *reader) restOfLine(word string, n int) (rest string, holds bool) {
	rest = t.textAfter(n)
	rest, _, _ = strings.Cut(rest[:min(len(rest), maxAttributesBytes)], "\n")
	var end []int
	switch {
	case t.Generator == Hugo && strings.Contains(rest, "/"):
		end = t.pattern(endOfShortcode(word)).FindStringIndex(rest)
	case t.Generator == Zola && strings.HasPrefix(t.rest(), "{%") && strings.Contains(rest, "end"):
		end = t.pattern(zolaEnd).FindStringIndex(rest)
	}
	if end != nil {
		rest, holds = rest[end[1]:], strings.TrimSpace(rest[:end[0]]) != ""
	}
	return strings.TrimSpace(rest), holds
}

// parameters are the parameters of a shortcode by name; those without a name are under "", "1", "2"
// and so on.
type parameters map[string]string

// firstOr returns the parameter with this name, or else the first one without a name.
func (p parameters) firstOr(name string) string { return cmp.Or(p[name], p[""]) }

// parametersOf reads the parameters of a shortcode of Hugo.
func parametersOf(s string) parameters {
	p := parameters{}
	unnamed := 0
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		name, value := "", ""
		if i := strings.IndexAny(s, "=\"` \t\r\n"); i > 0 {
			if rest, named := strings.CutPrefix(strings.TrimSpace(s[i:]), "="); named { // spaces may surround the sign
				name, s = s[:i], strings.TrimSpace(rest)
			}
		}
		switch {
		case strings.HasPrefix(s, `"`):
			own, end := unquoted(s)
			if end == 0 {
				own, end = s[1:], len(s)-1
			}
			value, s = own, s[end+1:]
		case strings.HasPrefix(s, "`"):
			value, s, _ = strings.Cut(s[1:], "`")
		default:
			end := strings.IndexFunc(s, unicode.IsSpace)
			if end < 0 {
				end = len(s)
			}
			value, s = s[:end], s[end:]
		}
		if name == "" {
			if unnamed > 0 {
				name = strconv.Itoa(unnamed)
			}
			unnamed++
		}
		if _, given := p[name]; !given {
			p[name] = value
		}
	}
	return p
}

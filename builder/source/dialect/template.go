package dialect

import (
	"bytes"
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// form describes how one kind of template code begins and ends.
type form struct {
	open, close string
	kind        kind
}

// kind says what a form of template code is for.
type kind uint8

const (
	shown      kind = iota // an escape: shows itself without its slashes and stars
	shortcode              // of Hugo
	statement              // of Liquid, Tera or Nunjucks
	value                  // gives a text; within a paragraph
	attributes             // of kramdown: an attribute list of the block or span before, a remark, or the place of a table of contents
	remark                 // shows nothing
)

// forms returns the forms of a program, those with longer opening delimiters first.
func (g Generator) forms() []form {
	shortcodes := []form{{"{{</*", "*/>}}", shown}, {"{{%/*", "*/%}}", shown}, {"{{<", ">}}", shortcode}, {"{{%", "%}}", shortcode}}
	escaped := []form{{"{{/*", "*/}}", shown}, {"{%/*", "*/%}", shown}}
	liquid := []form{{"{%", "%}", statement}, {"{{", "}}", value}}
	tera := form{"{#", "#}", remark}
	switch g {
	case Hugo:
		return shortcodes
	case Jekyll:
		return append(liquid, kramdown())
	case Zola:
		return append(append(escaped, liquid...), tera)
	}
	return slices.Concat(shortcodes, escaped, liquid, []form{kramdown(), tera, {"{/*", "*/}", remark}})
}

func kramdown() form { return form{"{:", "}", attributes} }

// bareOpen and bareClose are the delimiters that an escape shows.
func (f form) bareOpen() string  { return strings.TrimSuffix(f.open, "/*") }
func (f form) bareClose() string { return strings.TrimPrefix(f.close, "*/") }

// isTag reports whether a form is a statement or, escaped or not, a shortcode of Hugo.
func (f form) isTag() bool {
	return f.kind == statement || strings.HasPrefix(f.open, "{{<") || strings.HasPrefix(f.open, "{{%")
}

// end returns where template code ends whose opening delimiter precedes s, or unfinished. Values
// in braces and attribute lists must end within their paragraph: otherwise they are text, and the
// closing delimiter belongs to something else.
func (f form) end(s string) int {
	if f.kind == attributes {
		s = s[:min(len(s), maxAttributesBytes)]
	}
	end := strings.Index(s, f.close)
	if end < 0 || (f.open == "{{" || f.kind == attributes) && hasBlankLine(s[:end]) {
		return unfinished
	}
	if f.kind == shortcode && strings.IndexByte(s[:end], '"') >= 0 {
		if end := f.endOutsideQuotes(s[:min(len(s), maxQuotedBytes)]); end > 0 {
			return end
		}
	}
	return end + len(f.close)
}

// opensAgain reports whether the opening delimiter is found again on a later line of what seemed to
// be template code: the closing delimiter belongs to that one, and what precedes it is text.
func (f form) opensAgain(code string) bool {
	_, below, _ := strings.Cut(code, "\n")
	return strings.Contains(below, f.open)
}

// endOutsideQuotes returns where a shortcode ends outside of quotes; 0 if it does not, or a quote
// is left open.
func (f form) endOutsideQuotes(s string) int {
	for at := 0; at < len(s); {
		switch {
		case strings.HasPrefix(s[at:], f.close):
			return at + len(f.close)
		case s[at] == '"':
			_, n := unquoted(s[at:])
			if n == 0 {
				return 0
			}
			at += n
		}
		at++
	}
	return 0
}

// maxQuotedBytes is the greatest length of a shortcode that may have its closing delimiter within
// quotes, too.
const maxQuotedBytes = 4 << 10

// unquoted returns the text in the quotes that s begins with, and where the closing quote is;
// nothing if that is not on the line.
func unquoted(s string) (value string, end int) {
	for end = 1; end < len(s) && s[end] != '\n'; end++ {
		switch s[end] {
		case '"':
			return strings.ReplaceAll(s[1:end], `\"`, `"`), end
		case '\\':
			end++
		}
	}
	return "", 0
}

// opened returns the form of the template code that begins at the current position; ok is false if
// none does.
func (t *reader) opened() (f form, ok bool) {
	rest := t.rest()
	i := slices.IndexFunc(t.forms, func(f form) bool { return strings.HasPrefix(rest, f.open) })
	if i < 0 {
		return f, false
	}
	f = t.forms[i]
	switch {
	case t.raw:
		return f, f.kind == statement && strings.HasPrefix(strings.TrimLeft(rest[len(f.open):], "- \t\r\n"), "endraw")
	case t.Generator == Plain && t.isEscaped(), f.open == "{#" && isHeadingID(rest):
		return f, false
	}
	return f, true
}

// tag reads the template code at the current position and returns its length; 0 if there is none.
func (t *reader) tag() int {
	f, ok := t.opened()
	if !ok {
		return 0
	}
	rest := t.rest()
	if t.vPre.isOpen() && f.kind != attributes && f.kind != remark {
		braces := leading(rest, "{")
		t.out.WriteString(braces)
		return len(braces)
	}
	end := t.ahead(len(f.open), func(s string) int {
		end := f.end(s)
		if t.Generator == Plain && f.kind == statement && end > 0 && f.opensAgain(s[:end]) {
			return unfinished
		}
		return end
	})
	if end == 0 {
		if !f.isTag() || t.Generator == Plain {
			return 0
		}
		t.unclosed = append(t.unclosed, Unclosed{t.number, t.column(), f.open, f.close})
		return len(rest)
	}
	length := len(f.open) + end
	inner := t.next(length)[len(f.open) : length-len(f.close)]
	switch f.kind {
	case shown:
		t.out.WriteString(f.bareOpen() + inner + f.bareClose())
	case remark:
		if strings.TrimSpace(inner) == "truncate" { // the mark after the summary of a post of Docusaurus, which has two forms
			t.out.WriteString("<!-- truncate -->")
		}
	case value:
		name := strings.TrimSpace(strings.Trim(inner, "-"))
		if t.zolaShortcode(inner, length) {
			return length
		}
		text := cmp.Or(t.literal(name), t.ownValue(name))
		if text == "" && t.leadsElsewhere(name) {
			length += t.restOfAddress(length)
		}
		t.address(text, length)
	case attributes:
		if t.HTML || t.listing || !isKramdownList(t.line[:t.at], inner) {
			return 0
		}
		length += t.kramdownList(inner, length)
	case shortcode, statement:
		length += t.command(f, inner, length)
	}
	return length
}

// command writes what is shown of a tag of length bytes. It returns how many bytes after the tag it
// has read as well.
func (t *reader) command(f form, inner string, length int) (more int) {
	word, parameters := cutWord(inner)
	switch {
	case t.zolaShortcode(inner, length):
		return 0
	case word == "highlight" || word == "endhighlight" || word == "/highlight":
		return t.listingTag(word, "highlight", parameters, length)
	case t.Generator == Plain && f.kind == statement && t.hexoTag(word, parameters):
		return 0
	case word == "ref" || word == "relref" || word == "link" || word == "post_url":
		t.address(t.reference(word, strings.TrimSpace(parameters)), length)
		return 0
	case t.Generator == Hugo && word == "param":
		t.address(t.ownText(parametersOf(parameters)[""]), length)
		return 0
	case t.Generator == Hugo && (word == "comment" || word == "private" || strings.HasSuffix(word, ".inline")) && !strings.HasSuffix(strings.TrimSpace(inner), "/"):
		_, more = t.until(length, word, endOfShortcode(word)) // a note by the author or for the author alone, or a template
		return more
	case t.Generator == Hugo:
		return t.shortcode(f, word, parameters, length)
	case f.kind == statement:
		return t.statement(word, parameters, length)
	}
	return 0
}

// statement writes what is shown of a statement of Liquid, Tera or Nunjucks.
func (t *reader) statement(word, parameters string, length int) (more int) {
	switch {
	case word == "comment":
		_, more = t.until(length, "endcomment", endOfTag("comment"))
		return more
	case word == "raw" || word == "endraw":
		t.raw = word == "raw"
	case word == "assign":
		t.assign(parameters)
	case t.Generator == Zola: // its statements show nothing
	case mayHoldCode(word):
		return t.codeTag(word, parameters, length)
	case t.Generator == Jekyll && strings.HasPrefix(word, "include"):
		t.includeWords(parameters, length)
	case t.Generator == Jekyll: // nor do those of Liquid
	case (word == "set" || word == "capture") && !t.listing && t.holdsCode(parameters, length):
		return t.listingTag(word, word, "", length)
	case (word == "endset" || word == "endcapture") && t.listing:
		return t.listingTag(word, strings.TrimPrefix(word, "end"), "", length)
	case word == "embed": // of GitBook
		t.out.WriteString(frame(parametersOf(parameters)["url"]))
	case word == "tab": // of GitBook
		if title := parametersOf(parameters)["title"]; title != "" {
			t.paragraphs([]string{"**" + asMarkdown(oneLine(title)) + "**"})
		}
	}
	return 0
}

// mayHoldCode reports whether the first word of a tag, or of its end tag, or the name of a variable
// says that code stands between the two tags. Tabs of code hold the tabs, or only their labels.
func mayHoldCode(word string) bool {
	word = strings.ToLower(word)
	return strings.Contains(word, "code") && !strings.HasSuffix(word, "tabs")
}

// endOfTag returns a pattern that matches the end tag of a tag.
func endOfTag(name string) string { return `\{%-?\s*end` + regexp.QuoteMeta(name) + `\s*-?%\}` }

// codeTag reads a tag whose name says that code stands between it and its end tag, such as
// codeblock of Hexo and Octopress, which names the language after lang:.
func (t *reader) codeTag(word, parameters string, length int) (more int) {
	name, ends := strings.CutPrefix(word, "end")
	if ends != t.listing && !t.HTML {
		return 0
	}
	if !ends {
		code, found := t.until(length, "end"+name, endOfTag(name))
		if found == 0 || t.pattern(openFence).MatchString(code) { // as in codetabs, which has several
			return 0
		}
	}
	_, language, _ := strings.Cut(parameters, " lang:") // the others name none
	return t.listingTag(word, name, language, length)
}

// cutWord cuts the contents of a tag into the first word and the rest.
func cutWord(inner string) (word, parameters string) {
	word = strings.TrimSpace(strings.Trim(inner, "-"))
	if closed, ok := strings.CutPrefix(word, "/"); ok { // as in {{< / note >}}
		word = "/" + strings.TrimLeft(closed, " \t\r\n")
	}
	if i := strings.IndexFunc(word, unicode.IsSpace); i > 0 {
		return word[:i], word[i:]
	}
	return word, ""
}

const (
	// shortcodeTag matches a shortcode of Hugo that is not escaped.
	shortcodeTag = `(?s)\{\{(?:<(?:[^/]|/[^*]).*?>|%(?:[^/]|/[^*]).*?%)\}\}`
	// openFence matches the beginning of a fence.
	openFence = "(?m)^[ \t]*(?:```|~~~)"
	// rawTag matches a tag that begins or ends raw.
	rawTag = `\{%-?\s*(?:end)?raw\s*-?%\}`
)

// listingTag writes the opening or closing fence of a code block in place of a tag of this name, or
// of its end tag. In HTML, it writes the whole block in place of the opening tag, and returns how
// many bytes after that belong to the block.
func (t *reader) listingTag(word, name, parameters string, length int) (more int) {
	begins := word == name
	if t.HTML {
		if !begins {
			return 0
		}
		code, more := t.until(length, name, `\{[%{<-]+\s*(?:/|end)\s*`+name+`\s*[%}>-]+\}`)
		if more > 0 {
			t.out.WriteString("<pre><code>" + html.EscapeString(strings.TrimRight(strings.TrimLeft(code, "\r\n"), " \t\r\n")) + "</code></pre>")
		}
		return more
	}
	line := t.lastLine()
	text := bytes.TrimLeft(line, " ")
	if column := t.code.container().column; t.htmlBlock && len(text) == 0 && len(line) >= column+4 { // which would turn the fence into code
		t.out.Truncate(t.out.Len() - (len(line) - column))
		line = line[:column]
	}
	indent := string(line[:min(len(line)-len(text), maxIndentBytes)])
	before := bytes.TrimRight(t.out.Bytes()[:t.out.Len()-len(line)], " \t\r\n")
	if len(text) > 0 || t.html.open > 0 || begins && bytes.HasSuffix(before, []byte(">")) { // in HTML and after it, a fence needs a blank line before it
		t.out.WriteString("\n" + indent)
	}
	t.out.WriteString("`````````") // more than any fence within
	if t.listing = begins; begins {
		language, _, _ := strings.Cut(strings.TrimSpace(parameters), " ")
		t.out.WriteString(strings.Trim(language, `"'`))
	}
	if !t.endsLine(length) {
		t.out.WriteString("\n" + indent)
	}
	return 0
}

// holdsCode reports whether the block of text between a tag of length bytes that names a variable,
// as {% set name %}, and its end tag is code: the name of the variable says so, or the filter
// highlight gets it.
func (t *reader) holdsCode(parameters string, length int) bool {
	name := strings.TrimSpace(strings.TrimSuffix(parameters, "-"))
	if strings.TrimLeft(name, nameLetters) != "" {
		return false // as in {% set name = "x" %}
	}
	if mayHoldCode(name) {
		return true
	}
	before, found := t.until(length, "highlight", `\{\{-?\s*`+name+`\s*\|\s*highlight\b`)
	t.vain += len(before) // many blocks may stand before one filter
	return found > 0
}

// maxIndentBytes bounds the indentation of code blocks and the like: otherwise each of many on one
// line would be indented further than the last.
const maxIndentBytes = 100

// address writes s in place of a tag of length bytes, perhaps as the address of a link.
func (t *reader) address(s string, length int) {
	if s == "" {
		before := bytes.TrimRight(t.lastLine(), " ")
		isDefinition := t.endsLine(length) && bytes.HasSuffix(before, []byte("]:"))
		if isDefinition || bytes.HasSuffix(before, []byte("](")) && strings.HasPrefix(t.textAfter(length), " ") {
			s = "<>" // without an address, [name]: would be text, and the title of a link its address
		}
	}
	t.out.WriteString(s)
}

// reference returns the path of the file that a tag of Jekyll or Hugo links to, as a link to
// Markdown has it; "" if that is not known.
func (t *reader) reference(word, file string) string {
	switch {
	case t.Generator == Jekyll && strings.Contains(file, "{"):
		return ""
	case t.Generator == Jekyll && word == "link":
		return "/" + strings.TrimPrefix(file, "/")
	case t.Generator == Jekyll && word == "post_url":
		return "/_posts/" + strings.TrimPrefix(file, "/") + ".md"
	case t.Generator != Hugo || word != "ref" && word != "relref":
		return ""
	}
	file = parametersOf(file).firstOr("path")
	page, fragment, found := strings.Cut(file, "#")
	if found {
		fragment = "#" + fragment
	}
	page = strings.TrimSuffix(strings.TrimSuffix(page, "/_index.md"), "/")
	if page != "" && !IsMarkdown(page) {
		page += ".md"
	}
	return page + fragment
}

// assign notes the text that a tag of Liquid, such as {% assign name = "text" %}, gives a variable,
// unless it begins with a tag of HTML, which would have to be read like those of the text.
func (t *reader) assign(parameters string) {
	name, value, _ := strings.Cut(parameters, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	text := ""
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := between(value, quote, quote); ok && !strings.HasPrefix(inner, "<") && !strings.ContainsAny(inner, quote+"{") {
			text = inner
		}
	}
	if t.assigned == nil {
		t.assigned = map[string]string{}
	}
	t.assigned[name] = text
}

// ownValue returns the text that {{ name }} shows after assign, the text of the front matter that
// {{ page.title }} shows, or that of the site's configuration that {{ site.name }} of Jekyll shows;
// in Plain texts, also {{ title }}, {{ $frontmatter.title }} or <%= current_page.data.title %>. It
// returns "" for other values.
func (t *reader) ownValue(name string) string {
	if text := t.assigned[name]; text != "" && t.owned <= maxOwnBytes {
		t.owned += len(text)
		return text
	}
	key, isPage := strings.CutPrefix(name, "page.")
	switch {
	case t.Generator == Jekyll && strings.HasPrefix(name, "site."):
		return t.ownText(name)
	case t.Generator == Plain:
		key = strings.TrimPrefix(strings.TrimPrefix(key, "$frontmatter."), "current_page.data.")
	case t.Generator != Jekyll || !isPage:
		return ""
	}
	return t.ownText(key)
}

// ownText returns a text of the front matter; "" if it may be template code.
func (t *reader) ownText(key string) string {
	if text := t.own(key); !strings.Contains(text, "{") {
		return text
	}
	return ""
}

// own returns a text of the front matter; "" if too much of it was shown already.
func (t *reader) own(key string) string {
	if t.Own == nil || t.owned > maxOwnBytes {
		return ""
	}
	text := t.Own(key)
	t.owned += len(text)
	return text
}

// maxOwnBytes is about how many bytes of front matter and of variables are shown: a text may ask
// for a long title many times.
const maxOwnBytes = 1 << 20

// leadsElsewhere reports whether an unknown value is most likely an address on another site: one
// that the site names, as {{ site.repo }}, unless the name is like that of the site's own address
// or a path. Jekyll shows nothing for a name that its configuration does not have, so with it only
// what comes from elsewhere counts.
func (t *reader) leadsElsewhere(name string) bool {
	if !strings.HasPrefix(name, "site.") { // most values, for which no pattern need be compiled
		return false
	}
	names, own := `^site\.[\w.-]+$`, `(?i)ur[li]|base|root|path|home|host|domain|prefix|origin`
	switch t.Generator {
	case Jekyll:
		names, own = `^site\.(?:github|data)\.[\w.-]+$`, `\.(?:base_?)?url$`
	case Zola:
		return false
	}
	return t.pattern(names).MatchString(name) && !t.pattern(own).MatchString(name)
}

// restOfAddress returns the length of what follows a tag of length bytes in the address of a link
// or picture that begins with the tag; 0 if none does.
func (t *reader) restOfAddress(length int) int {
	before := bytes.TrimSpace(t.lastLine())
	isDefinition := bytes.HasPrefix(before, []byte("[")) && bytes.HasSuffix(before, []byte("]:"))
	begins := func(mark string) bool { return bytes.HasSuffix(before, []byte(mark)) }
	if !isDefinition && !slices.ContainsFunc([]string{"](", `href="`, "href='", `src="`, "src='"}, begins) {
		return 0
	}
	return len(t.pattern(`^(?:\{\{[^{}\n]*\}\}|\([^\s()]*\)|[^\s()<>"'])*`).FindString(t.textAfter(length)))
}

// literal returns the text of {{ "text" }}, with or without filters that make it an address, and
// the path of the site for {{ site.baseurl }} of Jekyll; "" for other values.
func (t *reader) literal(inner string) string {
	switch {
	case t.Generator == Jekyll && (inner == "site.baseurl" || inner == "site.github.url"):
		return t.Root
	case inner == "" || inner[0] != '"' && inner[0] != '\'':
		return ""
	}
	text, filters, closed := strings.Cut(inner[1:], inner[:1])
	first, more, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(filters), "|"), "|")
	name, parameter, _ := strings.Cut(strings.TrimSpace(first), " ")
	isAddress := false
	switch name {
	case "relative_url", "absolute_url", "url":
		isAddress = true
	case "prepend:":
		isAddress = strings.TrimSpace(parameter) == "site.baseurl" || strings.Contains(more, "site.baseurl")
	case "", "|":
	default:
		return ""
	}
	if !closed {
		return ""
	}
	if isAddress && (t.Generator == Jekyll || strings.HasPrefix(text, "/")) && !strings.Contains(text, "://") {
		return t.Root + "/" + strings.TrimPrefix(text, "/")
	}
	return text
}

package dialect

import (
	"strings"
	"unicode"
)

// container is called with each line of text and keeps track of the open ::: containers. If the
// line begins one that has properties in YAML, as in Nuxt, container writes the line and what
// readers see of the properties, skips the YAML, and reports true.
func (t *reader) container(line, trimmed string, begins bool) bool {
	if !isContainer(trimmed) {
		return false
	}
	if m := t.docfxMark(trimmed); m.length > 0 {
		t.indents(m)
		return false
	}
	if strings.Trim(trimmed, ":") == "" {
		t.containers = t.containers[:max(0, len(t.containers)-1)]
		t.vPre.ends(len(t.containers))
		return false
	}
	if strings.HasPrefix(trimmed, "::tab ") { // which the next one ends
		return false
	}
	t.containers = append(t.containers, indentation(t.whole))
	t.vPre.begins(trimmed, len(t.containers))
	fields, length := propertiesOf(t.following)
	if length == 0 {
		return false
	}
	t.text(line, begins)
	t.skip = length
	indent := indentOf(line)
	for _, field := range fields {
		switch key, value, _ := strings.Cut(field, ":"); strings.Trim(key, `"'`) {
		case "title", "label":
			t.out.WriteString(paragraph(indent, asMarkdown(valueOnLine(value))))
		case "description":
			t.out.WriteString("\n" + indent + asMarkdown(valueOnLine(value)) + "\n\n")
		}
	}
	return true
}

// propertiesOf returns the outermost fields of the YAML between --- lines that a text begins with,
// and the length of the YAML with these lines; 0 if there is none.
func propertiesOf(text string) (fields []string, length int) {
	indent := -1
	for line := range strings.Lines(text) {
		length += len(line)
		trimmed := strings.TrimSpace(line)
		key, _, isField := strings.Cut(strings.TrimPrefix(trimmed, ":"), ":") // :key is an expression
		key = strings.Trim(key, `"'`)
		switch {
		case trimmed == "---" && indent < 0:
			indent = indentation(line)
		case trimmed == "---":
			return fields, length
		case indent < 0:
			return nil, 0
		case trimmed == "" || indentation(line) > indent || trimmed[0] == '-' || trimmed[0] == '#':
		case !isField || key == "" || strings.TrimLeft(key, nameLetters+".") != "":
			return nil, 0
		default:
			fields = append(fields, trimmed)
		}
	}
	return nil, 0
}

// valueOnLine returns the text of a YAML value that is plain or quoted; "" for any other, such as a
// list.
func valueOnLine(value string) string {
	value = strings.TrimSpace(value)
	if value != "" && strings.IndexByte("|>[{&*!", value[0]) >= 0 {
		return ""
	}
	return strings.Trim(value, `"'`)
}

// containerTitle returns what readers see of a line of colons that begins or ends a container.
func containerTitle(line, trimmed string) string {
	if !isContainer(trimmed) {
		return line
	}
	rest := strings.TrimLeft(trimmed, ": {.")
	if strings.HasSuffix(rest, ":::") { // Pandoc allows them at the end, for looks
		rest = strings.TrimRight(rest, ": ")
	}
	after := strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' })
	kind := rest[:len(rest)-len(after)]
	if kind == "" && rest != "" && rest[0] != '[' {
		return line
	}
	title := strings.TrimSpace(after)
	if strings.HasPrefix(after, "#") { // VuePress gives tabs an id
		_, title, _ = strings.Cut(title, " ")
	}
	switch end := bracketed(title); {
	case end > 0 && (end == len(title)-1 || strings.HasPrefix(strings.TrimLeft(title[end+1:], " "), "{")):
		title = title[1:end]
	case end < 0 && strings.HasPrefix(title, "["):
		title = title[1:]
	case strings.Contains(title, `title="`), strings.Contains(title, `label="`):
		_, label, _ := strings.Cut(title, `label="`)
		if _, said, ok := strings.Cut(title, `title="`); ok {
			label = said
		}
		title, _, _ = strings.Cut(label, `"`)
	default:
		if title = withoutList(title); !strings.Contains(title, "{") && strings.Contains(title, "}") {
			_, title, _ = strings.Cut(title, "}")
		}
		title = strings.TrimSpace(title)
	}
	switch {
	case title == "" && isBox(kind):
		title = capital(kind)
	case kind == "message" && title == "alert": // in Zenn, alert is a colour
		title = ""
	}
	return paragraph(line[:strings.Index(line, ":")], title)
}

// withoutList cuts an attribute list off a title. A brace within a word or a formula, as in
// \mathbb{R}, begins none.
func withoutList(title string) string {
	for at := range len(title) {
		if title[at] == '{' && (at == 0 || title[at-1] == ' ' || at+1 < len(title) && strings.IndexByte(".#:", title[at+1]) >= 0) {
			return title[:at]
		}
	}
	return title
}

// isContainer reports whether a line begins or ends a container: with three or more colons, or with
// the two of Nuxt, which stand alone or before a name that only [text] or {attributes} may follow.
// The docs of Statamic write the title of a tab after its name: ::tab blade.
func isContainer(trimmed string) bool {
	rest := strings.TrimLeft(trimmed, ":")
	if colons := len(trimmed) - len(rest); colons != 2 {
		return colons > 2
	}
	name, _, _ := strings.Cut(rest, "{")
	name, _, _ = strings.Cut(name, "[")
	return rest == "" || strings.HasPrefix(rest, "tab ") ||
		isKind(strings.TrimRight(name, digits)) && (name == rest || strings.HasSuffix(rest, "]") || strings.HasSuffix(rest, "}"))
}

// inlineComponent reads an inline component of Nuxt or a similar program, and returns its length.
// It writes nothing for :name{attributes}, or :name alone in Nuxt, and the text for
// :name[text]{attributes}.
func (t *reader) inlineComponent() int {
	if t.at > 0 && strings.IndexByte(" \t([*_>|", t.line[t.at-1]) < 0 {
		return 0
	}
	if n := t.docfx(); n > 0 {
		return n
	}
	rest := t.rest()
	rest = rest[:min(len(rest), maxAttributesBytes)]
	name := len(leading(rest[1:], smallLetters+digits+"-"))
	text, attributes := "", rest[1+name:]
	if t.Nuxt && name > 0 && strings.Contains(smallLetters, rest[1:2]) && (attributes == "" || strings.IndexByte(" \t\r\n", attributes[0]) >= 0) {
		return 1 + name
	}
	if end := bracketed(attributes); end > 0 {
		text, attributes = attributes[1:end], attributes[end+1:]
	}
	end := strings.IndexByte(attributes, '}') + 1
	if name == 0 || !strings.HasPrefix(attributes, "{") || end == 0 || strings.Contains(attributes[1:end], "{") {
		return 0
	}
	t.out.WriteString(text)
	return len(rest) - len(attributes) + end
}

// bracketed returns where the bracket that a text begins with closes; -1 if it does not, or there
// is none. Links and code may stand between the brackets.
func bracketed(s string) int {
	if !strings.HasPrefix(s, "[") {
		return -1
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		case '`':
			i += spanLength(s[i:]) - 1
		}
	}
	return -1
}

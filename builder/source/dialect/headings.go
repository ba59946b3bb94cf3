package dialect

import (
	"slices"
	"strings"
)

// HasHeading reports whether Markdown has a heading that is taken for the title: one of the first
// level, or the only one of the second if it begins the text; unspaced is whether a heading needs
// no space after its #.
func HasHeading(body string, unspaced bool) bool {
	text, begun, begins := false, false, false // whether the last line may be an underlined heading, whether there was any text so far, and whether a ## heading began it
	for line, isCode := range Lines(body) {
		if isCode {
			text, begun = false, true
			continue
		}
		if unspaced && line[0] == '#' {
			line = spaced(line)
		}
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "# ") || strings.HasPrefix(line, "<h1") || text && line != "" && strings.Trim(line, "=") == "" {
			return true
		}
		if strings.HasPrefix(line, "## ") {
			begins = !begun
		}
		text = line != ""
		begun = begun || text && !isComment(line)
	}
	return begins
}

// isHeading reports whether a line, without the space before it, is a heading that begins with #:
// such a line never continues the paragraph above it.
func isHeading(s string) bool {
	after := strings.TrimLeft(s, "#")
	return len(after) < len(s) && len(s)-len(after) <= 6 && (after == "" || strings.IndexByte(" \t\r\n", after[0]) >= 0)
}

// inHeading reports whether the line is a heading.
func (t *reader) inHeading() bool {
	return isHeading(strings.TrimLeft(t.line[:min(len(t.line), maxAttributesBytes)], listAndQuote))
}

// spaced returns a heading with a space after its #.
func spaced(line string) string {
	hashes := leading(line, "#")
	text := line[len(hashes):]
	if len(hashes) > 6 || strings.TrimLeft(text, " \t\r\n") != text {
		return line
	}
	return hashes + " " + text
}

// heading returns a line that begins with # in the form that all programs read: with its id in
// braces after it. If the line is the name of a slot, it returns a blank line.
func (t *reader) heading(line, trimmed string) string {
	if name, _, _ := strings.Cut(trimmed[1:], "{"); len(t.containers) > 0 && isKind(name) { // #slot: its text follows
		return "\n"
	}
	open := strings.LastIndex(trimmed, " {")
	if list := strings.Replace(trimmed[open+1:], "{:", "{", 1); open > 0 && line[0] == '#' && t.isAttributes(list) {
		words := strings.Fields(list[1 : len(list)-1])
		switch {
		case words[0][0] == '#' && strings.ContainsAny(words[0][1:], "!#$%&'()*+,/;<=>?@[\\]^`|~"): // other programs have no such ids
			return trimmed[:open] + "\n"
		case list != trimmed[open+1:] || slices.ContainsFunc(words, isDatum): // nor colons and attributes without values
			list = "{" + strings.Join(slices.DeleteFunc(words, func(word string) bool { return word[0] != '#' && !strings.HasPrefix(word, "id=") }), " ") + "}"
		}
		return strings.TrimSuffix(trimmed[:open]+" "+strings.ReplaceAll(list, "'", `"`), " {}") + "\n" // nor single quotes
	}
	for _, marks := range [...][2]string{{" [#", "]"}, {` \{#`, "}"}, {"%{#", "}%"}} { // Nextra and Fumadocs; Docusaurus, where a bare brace would begin JavaScript; VitePress, with the delimiters of markdown-it-attrs that Pinia sets
		before, id, _ := strings.Cut(trimmed, marks[0])
		id, ok := strings.CutSuffix(id, marks[1])
		if id = strings.TrimSuffix(id, `\`); ok && strings.TrimLeft(id, nameLetters) == "" && strings.Trim(id, digits) != "" {
			return strings.TrimRight(before, " ") + " {#" + id + "}\n"
		}
	}
	return line
}

// atHeadingID reports whether the rest of the line is nothing but the id, {#id}, of the heading
// that the line is.
func (t *reader) atHeadingID() bool {
	id := strings.TrimSpace(t.rest())
	return isHeadingID(id) && strings.HasPrefix(id, "{#") && strings.IndexByte(id, '}') == len(id)-1 &&
		strings.HasPrefix(strings.TrimLeft(t.line, " "), "#")
}

// isHeadingID reports whether a text begins with the id of a heading, {#id}.
func isHeadingID(s string) bool {
	end := strings.IndexByte(s[:min(len(s), maxAttributesBytes)], '}')
	return end > 0 && s[end-1] != '#' && !strings.ContainsAny(s[1:end], " \t\n{\"|")
}

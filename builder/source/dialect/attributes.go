package dialect

import (
	"bytes"
	"slices"
	"strings"

	"newsstand/builder/source/markdown"
)

// attributes returns the length of the attribute list at the current position if it follows a link,
// a picture or another span, if it follows a space or punctuation and ends the line, or if it ends
// a cell of a table that has a text; 0 otherwise. A list that a space sets off at the end of a
// heading is kept: the heading's id is read from it.
func (t *reader) attributes() int {
	rest := t.rest()
	end := strings.IndexByte(rest[:min(len(rest), maxAttributesBytes)], '}') + 1
	if t.Generator != Plain || t.at == 0 || end == 0 || !t.isAttributes(rest[:end]) {
		return 0
	}
	switch before := t.line[t.at-1]; before {
	case '*', '}':
		if !isDatum(strings.Fields(rest[1 : end-1])[0]) { // **{data-dir}** is a name, \frac{a}{data-size} a formula
			return end
		}
	case ')', ']', '`':
		return end
	case '_':
		if strings.ContainsAny(rest[1:2], ".#") || strings.Contains(rest[:end], `"`) || endsEmphasis(t.line[:t.at-1]) {
			return end
		}
	case ':': // after an icon, as in :material-check:{ .green }
		if name := strings.TrimRight(t.line[:t.at-1], smallLetters+digits+"_+-"); strings.HasSuffix(name, ":") && len(name) < t.at-1 {
			return end
		}
	case '{', '\\':
	default:
		after := strings.TrimLeft(rest[end:], " \t\r\n")
		if rest[1] == '.' && strings.HasPrefix(after, "|") && isRow(t.line) {
			if strings.HasSuffix(strings.TrimRight(t.near(), " \t"), "|") { // alone in its cell, it is a JSONPath, say
				return 0
			}
			return end
		}
		if !markdown.IsLetterOrDigit(before) && rest[1] == '.' && after == "" &&
			strings.TrimLeft(t.line, " ")[0] != '#' {
			return end
		}
	}
	return 0
}

// isAttributes reports whether a text is nothing but an attribute list. Only that of
// Python-Markdown may begin with an attribute without a value.
func (t *reader) isAttributes(trimmed string) bool {
	inner, ok := between(trimmed, "{", "}")
	if !ok || strings.ContainsAny(inner, "{}") {
		return false
	}
	words := strings.Fields(inner)
	if len(words) == 0 {
		return false
	}
	key, _, assigned := strings.Cut(strings.Replace(words[0], ":", "", 1), "=") // eleventy:widths="300"
	return len(words[0]) > 1 && (words[0][0] == '.' || words[0][0] == '#' || assigned && isKind(key) || t.Python && isDatum(words[0]))
}

// isDatum reports whether a word is an attribute without a value, such as data-search-exclude.
func isDatum(word string) bool { return strings.HasPrefix(word, "data-") && isKind(word) }

// endsEmphasis reports whether the underscore after a text ends emphasis. In a formula it does not,
// but precedes an index, as in \sum_{i=0}.
func endsEmphasis(text string) bool {
	text = strings.TrimRight(text, "_") // bold ends with two
	begin := strings.LastIndexByte(text, '_')
	inner := text[begin+1:]
	return begin >= 0 && (begin == 0 || !markdown.IsLetterOrDigit(text[begin-1])) && inner != "" && strings.IndexByte(" {", inner[0]) < 0 &&
		!strings.ContainsAny(inner, `\$`)
}

// kramdownList reads {:inner}, which has length bytes. It returns how many bytes after it are
// dropped as well.
func (t *reader) kramdownList(inner string, length int) (more int) {
	word, _ := cutWord(inner)
	switch {
	case !t.MDX && slices.Contains(strings.Fields(inner), "toc"): // MDX has no {:toc}
		t.dropItem()
	case word == ":comment" && !strings.HasSuffix(inner, "/"):
		_, more = t.until(length, "{:/", `\{:/(?:comment)?\}`)
	}
	return more
}

// isKramdownList reports whether {:inner} is an attribute list of kramdown for the block or span
// before it. After text it must look like one, since authors may put a list one space too far away:
// Ruby code such as {:status => "sent"} does not.
func isKramdownList(before, inner string) bool {
	if onlyOf(before, " \t>-*+.|0123456789") || strings.ContainsRune(")]*_`>~$}", rune(before[len(before)-1])) {
		return true
	}
	inner = strings.TrimSpace(inner)
	return inner == "" || strings.IndexByte(".#:/", inner[0]) >= 0 || strings.Contains(inner, "=") && !strings.Contains(inner, "=>")
}

// dropItem removes the line before this one from out if it is a list item: kramdown puts
// the table of contents in its place.
func (t *reader) dropItem() {
	written, broken := bytes.CutSuffix(t.out.Bytes(), []byte("\n"))
	if !broken {
		return
	}
	item := bytes.LastIndexByte(written, '\n') + 1
	if isItem(string(bytes.TrimLeft(written[item:], " "))) {
		t.out.Truncate(item)
	}
}

// maxAttributesBytes is the greatest length of an attribute list, or of the id of a heading.
const maxAttributesBytes = 1000

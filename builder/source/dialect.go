package source

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark returns a line of text without the marks of Markdown's dialects. What a reader
// sees of them stays: the title of a box, or its kind where it has none.
//
//	everywhere   > [!NOTE] Title
//	Hugo         {.class #id key="value"}
//	plain        the same, also at the end of a line; ::: note Title and :::note[Title]; !!! note "Title", ??? note
//	             and === "Title" before indented lines; [[toc]]; <<< file
func (t *templates) mark(line string) string {
	trimmed := strings.TrimSpace(line)
	if i := strings.Index(line, "[!"); i > 0 {
		return alert(line, i)
	}
	if (t.generator == hugo || t.generator == plain) && isAttributes(trimmed) {
		return "\n"
	}
	if t.generator != plain || trimmed == "" {
		return line
	}
	switch trimmed[0] {
	case '<':
		if strings.HasPrefix(trimmed, "<<< ") && strings.ContainsRune("@./", rune(trimmed[4])) { // VitePress shows a file
			return "\n"
		}
	case ':':
		return container(line, trimmed)
	case '[':
		for _, contents := range [...]string{"[toc]", "[[toc]]", "[[_toc_]]"} {
			if strings.EqualFold(trimmed, contents) {
				return "\n"
			}
		}
	case '!', '?', '=':
		if title, ok := box(trimmed); ok {
			t.boxes++
			return paragraph("", title)
		}
	}
	return line
}

// row returns a line of a table of kramdown as other Markdown has it: the line below the head
// may have + between its columns, and such lines may also begin the table and part its rows.
func (t *templates) row(line string, begins bool) string {
	isRule := strings.Contains(line, "-") && strings.Trim(line, "|-:+ \t\r\n") == ""
	first, rest, _ := strings.Cut(t.following, "\n")
	columns := t.columns
	t.columns = 0
	switch {
	case isRule && columns > columnsOf(line): // to other Markdown it is none
		t.ruled = true
		return line[:indentationBytes(line)] + "|" + strings.Repeat("--|", columns) + "\n"
	case !isRow(line):
		t.ruled = false
	case begins && isRule && isRow(first):
		t.head(first+"\n", rest)
		return ""
	case begins && !isRule:
		if t.head(line, t.following); !t.ruled {
			t.columns = columnsOf(line)
		}
	case isRule && t.ruled:
		return ""
	case isRule:
		t.ruled = true
		return strings.ReplaceAll(line, "+", "|")
	}
	return line
}

// head writes the head that a table needs before its first row.
func (t *templates) head(row, following string) {
	head := tableHead(row, following)
	t.out.WriteString(head)
	t.ruled = head != ""
}

// tableHead returns an empty head for the table that a paragraph of kramdown is, where it has none:
// other Markdown knows no table without.
func tableHead(line, following string) string {
	columns, n := 0, 0 // most of any line: other Markdown drops what is more
	for row := range strings.Lines(line + following) {
		row = strings.TrimSpace(row)
		if n++; n <= 2 && strings.ContainsAny(row, "|+") && strings.Trim(row, "|-:+ \t") == "" { // the line below a head
			return ""
		}
		if row == "" {
			break
		}
		columns = max(columns, columnsOf(row))
	}
	indent := line[:indentationBytes(line)]
	return indent + "|" + strings.Repeat("  |", columns) + "\n" + indent + "|" + strings.Repeat("--|", columns) + "\n"
}

// columnsOf counts the cells of a row.
func columnsOf(row string) int {
	return strings.Count(strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(row), "|"), "|"), "|") + 1
}

// isRow reports whether a line is one of a table, with lines at both ends.
func isRow(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && line[0] == '|' && line[len(line)-1] == '|'
}

// paragraph is the title of a box as a paragraph of its own.
func paragraph(indent, title string) string {
	if title == "" {
		return "\n"
	}
	return "\n" + indent + "**" + title + "**\n\n"
}

// alert reads the first line of GitHub's alerts, which others allow a title; at is where
// its kind begins.
func alert(line string, at int) string {
	before := line[:at]
	kind, title, found := strings.Cut(line[at+len("[!"):], "]")
	if !found || !strings.Contains(before, ">") || strings.Trim(before, " \t>-*+.)0123456789") != "" || !isKind(kind) {
		return line
	}
	if title != "" && strings.ContainsRune("([:", rune(title[0])) { // a link
		return line
	}
	if title = strings.TrimSpace(strings.TrimLeft(title, "+-")); title == "" {
		title = capital(kind)
	}
	quote := strings.Map(func(r rune) rune {
		if r == '>' || r == '\t' {
			return r
		}
		return ' '
	}, before)
	return before + "**" + title + "**\n" + strings.TrimRight(quote, " ") + "\n"
}

// container reads the line that begins or ends a box between lines of colons.
func container(line, trimmed string) string {
	rest := strings.TrimLeft(trimmed, ":")
	if len(trimmed)-len(rest) < 3 {
		return line
	}
	rest = strings.TrimLeft(rest, " {.")
	kind := rest
	if i := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' }); i >= 0 {
		kind = rest[:i]
	}
	if kind == "" && rest != "" && rest[0] != '[' {
		return line
	}
	title := strings.TrimSpace(rest[len(kind):])
	switch {
	case strings.HasPrefix(title, "["):
		title, _, _ = strings.Cut(title[1:], "]")
	case strings.Contains(title, `title="`):
		_, title, _ = strings.Cut(title, `title="`)
		title, _, _ = strings.Cut(title, `"`)
	default:
		if title, _, _ = strings.Cut(title, "{"); strings.Contains(title, "}") {
			_, title, _ = strings.Cut(title, "}")
		}
		title = strings.TrimSpace(title)
	}
	if title == "" && isBox(kind) {
		title = capital(kind)
	}
	return paragraph(line[:strings.Index(line, ":")], title)
}

// isBox reports whether readers see the kind of a box that has no title.
func isBox(kind string) bool {
	switch kind {
	case "note", "info", "tip", "hint", "important", "warning", "caution", "danger", "success", "details":
		return true
	}
	return false
}

// box reads the line before the indented lines of a box or a tab.
func box(trimmed string) (title string, ok bool) {
	kind, quoted, titled := strings.Cut(strings.TrimSuffix(trimmed, `"`), ` "`)
	if titled && !strings.HasSuffix(trimmed, `"`) {
		return "", false
	}
	mark, kind, _ := strings.Cut(kind, " ")
	switch mark {
	case "!!!", "???", "???+":
		classes := strings.Fields(kind)
		if len(classes) == 0 || slices.ContainsFunc(classes, func(class string) bool { return !isKind(class) }) {
			return "", false
		}
		kind = classes[0]
		if !titled && len(classes) > 1 && slices.ContainsFunc(classes[1:], func(class string) bool { return class != "inline" && class != "end" }) {
			return "", false // a sentence
		}
	case "===", "===!", "===+":
		if !titled {
			return "", false
		}
	default:
		return "", false
	}
	if titled {
		return quoted, true
	}
	return capital(kind), true
}

// isKind reports whether a word may be the kind of a box.
func isKind(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' })
}

// capital is a word with a capital letter and otherwise small ones.
func capital(word string) string {
	word = strings.ToLower(word)
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// isAttributes reports whether a line is only the attributes of the block above it.
func isAttributes(trimmed string) bool {
	inner, opened := strings.CutPrefix(trimmed, "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !opened || !closed || strings.ContainsAny(inner, "{}") {
		return false
	}
	words := strings.Fields(inner)
	if len(words) == 0 {
		return false
	}
	key, _, assigned := strings.Cut(words[0], "=")
	return len(words[0]) > 1 && (words[0][0] == '.' || words[0][0] == '#' || assigned && isKind(key))
}

// attributesLength returns the length of the attributes that stand at this place behind a
// link, a picture or another span, or behind a block, at the end of its last line; 0 where
// there are none. Those of a heading are left: its id is read from them.
func attributesLength(line string, at int) int {
	if at == 0 {
		return 0
	}
	end := strings.IndexByte(line[at:min(len(line), at+maxAttributesBytes)], '}') + 1
	if end == 0 || !isAttributes(line[at:at+end]) {
		return 0
	}
	switch line[at-1] {
	case ')', ']', '*', '_', '`', '}':
		return end
	case ' ':
		if line[at+1] == '.' && strings.TrimSpace(line[at+end:]) == "" && strings.TrimLeft(line, " ")[0] != '#' {
			return end
		}
	}
	return 0
}

// maxAttributesBytes is how long attributes, or the id of a heading, are at most.
const maxAttributesBytes = 1000

// maxLinkBytes is how long a link between notes is at most.
const maxLinkBytes = 1000

// note returns the length of the mark that programs for notes, such as Obsidian, know at this
// place, 0 where there is none, and writes what a reader sees of it.
//
//	[[Page]] [[Page|text]] [[Page#Heading]]   its text: where the page is, only the whole folder tells
//	![[picture.png]] ![[Page]]                nothing, and the name of the page
//	%% a comment %%                           nothing, on however many lines
//	==text==                                  <mark>text</mark>
//	text ^name                                text
func (t *templates) note(line string, at int) int {
	if at > 0 && line[at-1] == '\\' {
		return 0
	}
	switch rest := line[at:]; {
	case strings.HasPrefix(rest, "[["):
		return t.noteLink(line, at)
	case strings.HasPrefix(rest, "%%"):
		return t.noteComment(line, at)
	case strings.HasPrefix(rest, "=="):
		return t.highlighted(line, at)
	case rest[0] == '^' && (at == 0 || line[at-1] == ' '):
		name := strings.TrimRight(rest[1:], " \r\n")
		if len(name) < 2 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" || strings.Trim(name, "0123456789") == "" {
			return 0
		}
		return 1 + len(name)
	}
	return 0
}

// noteLink writes the text of a link between notes. A name in brackets that the file gives an
// address, a footnote, a test of a shell and an index are none.
func (t *templates) noteLink(line string, at int) int {
	rest := line[at:]
	inner, _, closed := strings.Cut(rest[2:min(len(rest), maxLinkBytes)], "]]")
	behind := rest[min(len(rest), len(inner)+4):]
	switch {
	case !closed || strings.ContainsAny(inner, "[]\n") || !strings.ContainsFunc(inner, unicode.IsLetter) || behind != "" && strings.IndexByte("(]", behind[0]) >= 0,
		inner[0] == '^' || strings.TrimSpace(inner) != inner || at > 0 && isLetterOrDigit(line[at-1]) || t.isNamed(inner):
		return 0
	}
	written := t.out.Bytes()
	if strings.HasSuffix(line[:at], "!") && len(written) > 0 && written[len(written)-1] == '!' {
		t.out.Truncate(len(written) - 1)
		if page, _, _ := strings.Cut(inner, "|"); path.Ext(strings.TrimRight(page, "\\")) != "" {
			inner = ""
		}
	}
	t.out.WriteString(linkText(inner))
	return len(rest) - len(behind)
}

// isNamed reports whether the Markdown says what a link of this name leads to.
func (t *templates) isNamed(name string) bool {
	if t.names == nil {
		t.names = map[string]bool{}
		for line := range bytes.Lines(t.markdown) {
			t.names[linkName(line)] = true
		}
	}
	return t.names[strings.ToLower(name)]
}

// noteComment passes over a comment. One that begins a line may end on a later one.
func (t *templates) noteComment(line string, at int) int {
	rest := line[at:]
	if t.vain >= maxVainBytes || at > 0 && isLetterOrDigit(line[at-1]) && !(len(rest) > 2 && isLetterOrDigit(rest[2])) { // 100%%
		return 0
	}
	if strings.TrimSpace(line[:at]) == "" {
		return t.ahead(rest, commentLength)
	}
	n := commentLength(rest[:min(len(rest), maxTagBytes)])
	if n == unfinished {
		t.vain += len(rest)
	}
	return max(0, n)
}

// commentLength is how long a comment is that the text begins with. Marks that stand before a
// word, as in %%i, do not end it.
func commentLength(s string) int {
	for at := 2; ; {
		n := strings.Index(s[at:], "%%")
		if n < 0 {
			return unfinished
		}
		before := s[at+n-1]
		if at += n + 2; at == len(s) || !isLetterOrDigit(s[at]) || before != ' ' && before != '\n' {
			return at
		}
	}
}

// highlighted writes a text between equals signs, which are no operators.
func (t *templates) highlighted(line string, at int) int {
	rest := line[at:]
	inner, behind, closed := strings.Cut(rest[2:], "==")
	isOperand := func(c byte) bool { return isLetterOrDigit(c) || c == '=' || c == '!' }
	if !closed || inner == "" || strings.Contains(inner, "=") || strings.TrimSpace(inner) != inner || at > 0 && isOperand(line[at-1]) || behind != "" && isOperand(behind[0]) {
		return 0
	}
	t.out.WriteString("<mark>" + inner + "</mark>")
	return len(rest) - len(behind)
}

// linkText is what a link between notes is shown as.
func linkText(inner string) string {
	page, shown, found := strings.Cut(strings.ReplaceAll(inner, `\|`, "|"), "|")
	if found {
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

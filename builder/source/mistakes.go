package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// strayDraft returns where the beginning of a text, whose first line is the given one of the file,
// says that the article is a draft, as the front matter should: it may be without fences, with
// wrong ones, or below a heading. It is nil where the text does not. begins tells whether nothing
// but such a front matter stands before it; it may be only where the text is the whole file.
func strayDraft(text []byte, line int, whole bool) (e *frontmatter.Error, begins bool) {
	const mostLines, mostBytes = 40, 4 << 10
	text = text[:min(len(text), mostBytes)]
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	if !has("raft") && !has("RAFT") && !has("ublished") && !has("UBLISHED") { // most articles, which need not be looked at line by line
		return nil, false
	}
	last, shown := line+mostLines, false
	begins = whole
	for l, isCode := range dialect.Lines(string(text)) {
		if line == last {
			break
		}
		s := strings.TrimSpace(l)
		if strings.HasPrefix(s, "{{<") || strings.HasPrefix(s, "{{%") || strings.HasPrefix(s, "{%") { // its template may show the text as code
			dense := strings.ReplaceAll(s, " ", "")
			shown = !strings.Contains(dense, "{{</") && !strings.Contains(dense, "{{%/") && !strings.HasSuffix(dense, "/>}}") &&
				!strings.Contains(dense, "{%end")
		}
		isShown := shown || isCode && !begins || strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t")
		if field := draftIn(s); field != "" && !isShown {
			otherwise := "put it in a block of code"
			if begins {
				otherwise = "write draft: false there"
			}
			return strayKey(line, field, "keeps nothing back", "; if readers are to see the line, "+otherwise), begins
		}
		begins = begins && isOfHead(l)
		line++
	}
	return nil, false
}

// draftIn returns the field of a line by which an article is a draft, "" where there is none. In
// JSON, or what was meant as that, a line may have several.
func draftIn(line string) string {
	fields := []string{line}
	if strings.HasPrefix(line, "{") {
		fields = strings.Split(strings.Trim(line, "{}"), ",")
	}
	if i := slices.IndexFunc(fields, saysDraft); i >= 0 && len(line) <= 200 {
		return fields[i]
	}
	return ""
}

// isOfHead reports whether a line may be one of a front matter, or was meant as its fence: signs
// with at most a word behind them, such as ----, *** and ```yaml, or dashes of several kinds: some
// systems make —- of --- as it is typed, and others \---.
func isOfHead(line string) bool {
	s := strings.TrimSpace(line)
	if strings.Trim(s, `{}-–—\`) == "" || strings.HasPrefix(line, " ") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "<!--") {
		return true
	}
	sign, size := utf8.DecodeRuneInString(s)
	word := strings.TrimSpace(strings.TrimLeft(s, string(sign)))
	isFence := sign != '#' && !unicode.IsLetter(sign) && strings.HasPrefix(s[size:], string(sign)) && strings.TrimFunc(word, unicode.IsLetter) == ""
	at := strings.IndexAny(s, ":=：")
	return isFence || at > 0 && !strings.ContainsAny(strings.TrimSpace(s[:at]), " \t")
}

// strayTitle returns where one of the first lines of a text, whose first line is the given one of
// the file, has a title as a front matter has it. heads tells whether nothing but such a front
// matter stands before it, no comment and no mark of a merge: then a heading below it is no better
// title.
func strayTitle(text []byte, line int) (e *frontmatter.Error, heads bool) {
	heads = true
	for first := range 5 {
		l, rest, _ := bytes.Cut(text, []byte("\n"))
		if at := bytes.IndexAny(l, ":="); at > 0 && len(l) <= 200 &&
			strings.EqualFold(strings.Trim(string(l[:at]), " \t{\"'“”\u200b\ufeff"), "title") {
			return strayKey(line+first, string(l), "is no title", ""), heads && !bytes.HasPrefix(l[at:], []byte("::")) // a field of notes
		}
		heads = heads && isOfHead(string(l)) && !bytes.HasPrefix(l, []byte("<"))
		text = rest
	}
	return nil, false
}

func strayKey(line int, field, does, otherwise string) *frontmatter.Error {
	return &frontmatter.Error{Line: line, Column: 1, What: fmt.Sprintf("%q stands in the text, where it %s", strings.TrimSpace(field), does),
		Hint: `begin the file with the front matter, between two lines "---"` + otherwise}
}

// saysDraft reports whether a line is nothing but a key with a value by which an article is a
// draft.
func saysDraft(line string) bool {
	at := strings.IndexAny(line, ":=：")
	if at < 0 {
		return false
	}
	const signs = " \t\"'“”,;：\u00a0\u200b\ufeff"
	key, value := strings.Trim(line[:at], signs), strings.Trim(line[at:], signs+":=")
	switch strings.ToLower(key) {
	case "draft":
		return strings.EqualFold(value, "true") || strings.EqualFold(value, "yes")
	case "published":
		return strings.EqualFold(value, "false") || strings.EqualFold(value, "no")
	}
	return false
}

// part is a part of a text between two marks, such as a comment or a script.
type part struct{ begin, end string }

func (p part) isElement() bool { return strings.HasPrefix(p.end, "</") }

// beginsWith reports whether the part begins where a line does.
func (p part) beginsWith(line string) bool {
	rest, ok := strings.CutPrefix(line, p.begin)
	return ok && (!p.isElement() || rest == "" || strings.IndexByte("> \r\n", rest[0]) >= 0)
}

// unended returns where a comment, a script or another element begins that has no end in a text,
// whose first line is the given one of the file. To Markdown and to browsers the rest of the text
// is a part of it.
func unended(text []byte, line int) *frontmatter.Error {
	parts := []part{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"},
		{"<script", "</script>"}, {"<style", "</style>"}, {"<title", "</title>"}, {"<noscript", "</noscript>"},
	}
	lastIsOpen := func(p part) bool {
		if !bytes.Contains(text, []byte(p.begin)) { // as in most; LastIndex looks at each byte
			return false
		}
		return !bytes.Contains(text[bytes.LastIndex(text, []byte(p.begin)):], []byte(p.end))
	}
	if !slices.ContainsFunc(parts, lastIsOpen) { // most texts need not be read
		return nil
	}
	var open part
	at := 0 // the line where it begins
	for l, isCode := range dialect.Lines(string(text)) {
		l = strings.TrimLeft(l, " ")
		if open.begin == "" && !isCode {
			if i := slices.IndexFunc(parts, func(p part) bool { return p.beginsWith(l) }); i >= 0 {
				open, at = parts[i], line
				l = l[len(open.begin):]
			}
		}
		if open.begin != "" && (strings.Contains(l, open.end) || open.isElement() && strings.HasSuffix(strings.TrimSpace(l), "/>")) { // the latter in MDX
			open = part{}
		}
		line++
	}
	what := "the " + open.begin
	switch {
	case open.begin == "":
		return nil
	case open.begin == "<!--":
		what = "the comment"
	case open.isElement():
		what += ">"
	}
	return &frontmatter.Error{Line: at, Column: 1, What: what + " that begins here has no end, so that readers get nothing of the text below",
		Hint: "put " + open.end + " behind it"}
}

// unmerged finds a text in which Git has left two versions of a passage, between lines with <<<<<<<
// and >>>>>>>, for its author to choose. It returns the mistake at the first of these lines, and
// nil where there are none, or only in code, as in an article about Git. line is that of the file
// in which the text begins.
func unmerged(text []byte, line int) *frontmatter.Error {
	if !bytes.Contains(text, []byte("<<<<<<< ")) || !bytes.Contains(text, []byte("\n>>>>>>> ")) { // most texts need not be read
		return nil
	}
	begin := 0 // the line of the first mark; 0 before it
	for l, isCode := range dialect.Lines(string(text)) {
		switch {
		case isCode:
		case begin == 0 && strings.HasPrefix(l, "<<<<<<< "):
			begin = line
		case begin > 0 && strings.HasPrefix(l, ">>>>>>> "):
			return frontmatter.Unmerged(begin)
		}
		line++
	}
	return nil
}

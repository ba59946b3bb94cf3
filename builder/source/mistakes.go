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

// strayDraft returns the mistake of a text whose beginning says that the article is a draft, which
// only front matter can say, or nil if the text does not say it. Usually front matter lacks fences,
// has wrong ones, or stands below a heading. line is the number in the file of the text's first
// line. begins reports whether only what looks like front matter stands before that place; it is
// true only if the text is the whole file.
func strayDraft(text []byte, line int, whole bool) (e *frontmatter.Error, begins bool) {
	const mostLines, mostBytes = 40, 4 << 10
	text = text[:min(len(text), mostBytes)]
	has := func(word string) bool { return bytes.Contains(text, []byte(word)) }
	if !has("raft") && !has("RAFT") && !has("ublished") && !has("UBLISHED") { // most articles, which need not be read line by line
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
			return strayKey(line, field, "does not hold the article back", "; if readers are to see the line, "+otherwise), begins
		}
		begins = begins && isOfHead(l)
		line++
	}
	return nil, false
}

// draftIn returns the field of a line that makes an article a draft, or "" if there is none. A line
// of JSON, or of what was meant as JSON, may have several fields.
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

// isOfHead reports whether a line may belong to front matter, or was meant as its fence: a repeated
// sign with at most a word after it, such as ----, *** or ```yaml, or dashes of several kinds, as
// some systems turn --- into —- while it is typed, and others into \---.
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

// strayTitle returns the mistake of a text that has a title as front matter writes it in one of its
// first 5 lines, or nil if there is none. line is the number in the file of the text's first line.
// heads reports whether only what looks like front matter, without comments and marks of a merge,
// stands before the title; then a heading below it is not a better title.
func strayTitle(text []byte, line int) (e *frontmatter.Error, heads bool) {
	heads = true
	for first := range 5 {
		l, rest, _ := bytes.Cut(text, []byte("\n"))
		if at := bytes.IndexAny(l, ":="); at > 0 && len(l) <= 200 &&
			strings.EqualFold(strings.Trim(string(l[:at]), " \t{\"'“”\u200b\ufeff"), "title") {
			return strayKey(line+first, string(l), "is not a title", ""), heads && !bytes.HasPrefix(l[at:], []byte("::")) // title:: is a field of notes
		}
		heads = heads && isOfHead(string(l)) && !bytes.HasPrefix(l, []byte("<"))
		text = rest
	}
	return nil, false
}

func strayKey(line int, field, does, otherwise string) *frontmatter.Error {
	return &frontmatter.Error{Line: line, Column: 1, What: fmt.Sprintf("%q is in the text, where it %s", strings.TrimSpace(field), does),
		Hint: `begin the file with the front matter, between two lines "---"` + otherwise}
}

// saysDraft reports whether a line is nothing but a key and a value that make an article a draft.
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

// beginsWith reports whether a line begins with the part's first mark.
func (p part) beginsWith(line string) bool {
	rest, ok := strings.CutPrefix(line, p.begin)
	return ok && (!p.isElement() || rest == "" || strings.IndexByte("> \r\n", rest[0]) >= 0)
}

// unended returns the mistake of a text in which a comment, a script or another element has no end,
// or nil if all have one. Markdown and browsers take the rest of the text for a part of it. line is
// the number in the file of the text's first line.
func unended(text []byte, line int) *frontmatter.Error {
	parts := []part{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"},
		{"<script", "</script>"}, {"<style", "</style>"}, {"<title", "</title>"}, {"<noscript", "</noscript>"},
	}
	lastIsOpen := func(p part) bool {
		if !bytes.Contains(text, []byte(p.begin)) { // as in most texts; this is quicker than LastIndex, which looks at each byte
			return false
		}
		return !bytes.Contains(text[bytes.LastIndex(text, []byte(p.begin)):], []byte(p.end))
	}
	if !slices.ContainsFunc(parts, lastIsOpen) { // most texts need not be read
		return nil
	}
	var open part
	at := 0 // the line where open begins
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
	return &frontmatter.Error{Line: at, Column: 1, What: what + " that begins here has no end, so readers see none of the text below",
		Hint: "put " + open.end + " after it"}
}

// unmerged returns the mistake of a text in which Git has left two versions of a passage, between
// lines with <<<<<<< and >>>>>>>, for its author to choose from. It returns nil if there are no
// such lines, or only in code, as in an article about Git. line is the number in the file of the
// text's first line.
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

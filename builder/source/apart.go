package source

import (
	"newsstand/builder/source/markdown"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"
)

// setApart sets the tags of HTML at both ends of a line of MDX, which is written from there,
// apart from what stands between and behind them: for MDX that is Markdown, for others it is
// HTML. <p> goes: Markdown makes paragraphs by itself. So is a picture, a link, or another tag that
// stands within paragraphs, where it begins one on a line of its own.
func (t *templates) setApart(from int, begins bool) {
	line := string(t.out.Bytes()[from:])
	before := line[:indentationBytes(line)]
	for n := markerOf(line[len(before):]); n > 0; n = markerOf(line[len(before):]) {
		before = line[:len(before)+n]
		before += line[len(before) : len(before)+indentationBytes(line[len(before):])]
	}
	text := strings.TrimSpace(line[len(before):])
	isItem := strings.TrimSpace(before) != ""
	opening, paragraph, text := tagsBefore(text)
	closing, ends, text := tagsBehind(text)
	switch {
	case !paragraph && !ends && opening == "":
		if name, length := tagOf(text); begins && length > 0 && length == len(text) && (isVoid(name) || !markdown.BeginsLine(name)) {
			t.out.WriteByte('\n')
		}
		return
	case text == "" && isItem: // what follows is in it
		t.out.WriteByte('\n')
		return
	case text != "" && opening+closing != "" && strings.ContainsAny(text, "*_`[~"):
		space := strings.Map(func(r rune) rune {
			if r == '\t' {
				return r
			}
			return ' '
		}, before)
		text = "\n\n" + space + text + "\n\n" + space
	}
	t.out.Truncate(from)
	if paragraph && !isItem {
		t.out.WriteByte('\n')
	}
	t.out.WriteString(before + opening + text + closing + "\n")
	if ends || text == "" {
		t.out.WriteByte('\n')
	}
}

// indentationBytes is how many bytes of white space a line begins with.
func indentationBytes(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// tagsBefore cuts the tags of blocks off the front of a text, and those of paragraphs from them.
func tagsBefore(s string) (tags string, paragraph bool, rest string) {
	var all strings.Builder
	for {
		name, length := tagOf(s)
		if !holdsMarkdown(name) {
			return all.String(), paragraph, s
		}
		if name == "p" {
			paragraph = true
		} else {
			all.WriteString(s[:length])
		}
		s = strings.TrimLeft(s[length:], " \t")
	}
}

// tagsBehind does so with those that end blocks, at the end of a text; ends is whether there are any.
func tagsBehind(s string) (tags string, ends bool, rest string) {
	var all []string // the last one first
	for {
		at := max(0, strings.LastIndex(s, "</"))
		name, length := tagOf(s[at:])
		if !holdsMarkdown(name) || at+length < len(s) {
			slices.Reverse(all)
			return strings.Join(all, ""), ends, s
		}
		if ends = true; name != "p" {
			all = append(all, s[at:])
		}
		s = strings.TrimRight(s[:at], " \t")
	}
}

// tagOf returns the name and the length of the tag of HTML that a text begins with; of none both
// are zero.
func tagOf(s string) (name string, length int) {
	name, isTag := strings.CutPrefix(s, "<")
	name = strings.TrimPrefix(name, "/")
	name = name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz0123456789"))]
	if !isTag || name == "" {
		return "", 0
	}
	for i := 1 + len(name); i < len(s); i++ {
		switch s[i] {
		case '"', '\'':
			i += quoted(s[i:])
		case '>':
			return name, i + 1
		}
	}
	return "", 0
}

// holdsMarkdown reports whether an element of HTML stands by itself, and may hold Markdown for MDX.
func holdsMarkdown(name string) bool {
	switch a := atom.Lookup([]byte(name)); a {
	case atom.Pre, atom.Hr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return false
	case atom.Thead, atom.Tbody, atom.Tfoot, atom.Th, atom.Td, atom.Form, atom.Fieldset, atom.Dialog:
		return true
	default:
		return markdown.BeginsLine(name)
	}
}

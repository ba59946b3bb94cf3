package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// templates takes the template code of generators out of Markdown. What stands between
// tags is text and stays. Code blocks and code spans stay byte for byte, but for the
// escapes of the generator itself: there it would show them otherwise, too.
//
//	Hugo     {{< x >}} {{% x %}}; {{</* x */>}} shows {{< x >}}, in code as well
//	Jekyll   {% x %} {{ x }} {: x}; what is between raw and endraw stays, comments go,
//	         highlight becomes a fenced block; tags of raw go from code as well
//	Zola     {{ x() }} {% x() %} … {% end %} {# x #}
//	plain    all of these, and in .mdx files import and export lines, {expressions} and
//	         <Components>
type templates struct {
	generator generator
	mdx       bool
	line      int // of the file, on which the body begins
	problems  []Problem

	out bytes.Buffer
}

// strip returns the Markdown without template code.
func (t *templates) strip(markdown []byte) []byte {
	if !t.mdx && !slices.ContainsFunc(t.pairs(), func(p pair) bool { return bytes.Contains(markdown, []byte(p.open)) }) {
		return markdown
	}
	s := string(markdown)
	t.out.Grow(len(s))
	fence := ""
	raw := false
	blank, indented, list, esm := true, false, false, false
	number := t.line - 1
	comment := "" // how the comment that is open ends
	at := 0
	for line := range strings.Lines(s) {
		number++
		at += len(line)
		trimmed := strings.TrimLeft(line, " \t")
		indent := len(line) - len(trimmed) + 3*strings.Count(line[:len(line)-len(trimmed)], "\t")
		switch {
		case comment != "":
			_, rest, found := strings.Cut(line, comment)
			if !found {
				t.out.WriteString("\n")
				continue
			}
			comment = ""
			line = rest
		case fence != "":
			if f := fenceOf(trimmed); indent < 4 && len(f) >= len(fence) && f[0] == fence[0] && strings.TrimSpace(trimmed[len(f):]) == "" {
				fence = ""
			}
			t.code(line)
			continue
		case indent < 4 && fenceOf(trimmed) != "" && !raw:
			fence = fenceOf(trimmed)
			t.code(line)
			blank = false
			continue
		case indent >= codeIndent(list) && (blank || indented) && strings.TrimSpace(line) != "":
			indented = true
			t.code(line)
			continue
		}
		blank, indented = strings.TrimSpace(line) == "", false
		if indent == 0 && !blank || isItem(trimmed) {
			list = isItem(trimmed)
		}
		if t.mdx {
			if esm = !blank && (esm || strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ")); esm {
				t.out.WriteString("\n")
				continue
			}
		}
		comment = t.inline(line, s[at:min(len(s), at+maxTagBytes)], number, &raw)
	}
	return t.out.Bytes()
}

// codeIndent is the indentation of a code block: within a list, text is indented too.
func codeIndent(list bool) int {
	if list {
		return 8
	}
	return 4
}

// isItem reports whether a line begins an item of a list.
func isItem(s string) bool {
	rest := strings.TrimLeft(s, "0123456789")
	if rest == s {
		return strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "* ") || strings.HasPrefix(s, "+ ")
	}
	return strings.HasPrefix(rest, ". ") || strings.HasPrefix(rest, ") ")
}

// maxTagBytes is how far behind the line on which a tag begins its end is looked for.
const maxTagBytes = 64 << 10

// fenceOf returns the fence that a line begins with.
func fenceOf(s string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 && (c == "~" || !strings.Contains(s[n:], "`")) {
			return s[:n]
		}
	}
	return ""
}

// code writes a line of code, with the generator's own escapes undone.
func (t *templates) code(line string) {
	switch t.generator {
	case hugo:
		line = strings.NewReplacer("{{</*", "{{<", "*/>}}", ">}}", "{{%/*", "{{%", "*/%}}", "%}}").Replace(line)
	case jekyll:
		for _, tag := range []string{"{% raw %}", "{% endraw %}", "{%raw%}", "{%endraw%}", "{%- raw -%}", "{%- endraw -%}"} {
			if strings.TrimSpace(line) == tag {
				return
			}
			line = strings.ReplaceAll(line, tag, "")
		}
	}
	t.out.WriteString(line)
}

// pair is how a piece of template code begins and ends.
type pair struct{ open, close string }

// pairs are those of the generator; longer beginnings first.
func (t *templates) pairs() []pair {
	shortcode := []pair{{"{{</*", "*/>}}"}, {"{{%/*", "*/%}}"}, {"{{<", ">}}"}, {"{{%", "%}}"}}
	liquid := []pair{{"{%", "%}"}, {"{{", "}}"}}
	switch t.generator {
	case hugo:
		return shortcode
	case jekyll:
		return append(liquid, pair{"{:", "}"})
	case zola:
		return append(liquid, pair{"{#", "#}"})
	}
	return append(append(shortcode, liquid...), pair{"{:", "}"})
}

// inline writes a line of text without its template code, and returns how a comment or
// tag ends that the line leaves open. What follows the line is looked at for that end.
func (t *templates) inline(line, following string, number int, raw *bool) (comment string) {
	for at := 0; at < len(line); {
		switch c := line[at]; {
		case c == '`':
			n := len(line[at:]) - len(strings.TrimLeft(line[at:], "`"))
			ticks := line[at : at+n]
			end := strings.Index(line[at+n:], ticks)
			if end < 0 {
				t.out.WriteString(ticks)
				at += n
				continue
			}
			t.code(line[at : at+2*n+end])
			at += 2*n + end
			continue
		case c == '{':
			if next, open := t.tag(line, following, at, number, raw); next > at {
				if at = next; open != "" {
					if _, rest, found := strings.Cut(line[at:], open); found { // a comment of one line
						at = len(line) - len(rest)
						continue
					}
					t.out.WriteString("\n")
					return open
				}
				continue
			}
			if t.mdx && !*raw {
				if end := closing(line[at:]); end > 0 {
					at += end
					continue
				}
			}
		case c == '<' && t.mdx:
			if end := component(line[at:]); end > 0 {
				at += end
				continue
			}
		}
		n := 1 + plainLength(line[at+1:])
		t.out.WriteString(line[at : at+n])
		at += n
	}
	return ""
}

// plainLength is the length of text with nothing that may begin code or a tag.
func plainLength(s string) int {
	if n := strings.IndexAny(s, "`{<"); n >= 0 {
		return n
	}
	return len(s)
}

// tag passes over the template code at this place and returns where it ends; open is how
// a comment ends that it began.
func (t *templates) tag(line, following string, at, number int, raw *bool) (next int, open string) {
	for _, p := range t.pairs() {
		if !strings.HasPrefix(line[at:], p.open) {
			continue
		}
		end := strings.Index(line[at+len(p.open):], p.close)
		if end < 0 {
			if p.open == "{:" || p.open == "{{" || p.open == "{#" || *raw { // {#id} of a heading
				return at, ""
			}
			if strings.Contains(following, p.close) {
				return len(line), p.close
			}
			t.problems = append(t.problems, Problem{Line: number, Column: at + 1, Severity: Warning,
				What: fmt.Sprintf("the template tag %s is not closed", p.open), Hint: "close it with " + p.close + ", or put it into backquotes if it is meant as text"})
			return len(line), ""
		}
		inner := line[at+len(p.open) : at+len(p.open)+end]
		next = at + len(p.open) + end + len(p.close)
		word := strings.Trim(strings.TrimSpace(strings.Trim(inner, "-")), " ")
		if *raw && !(p.open == "{%" && word == "endraw") {
			return at, ""
		}
		switch {
		case strings.HasSuffix(p.open, "/*"):
			t.out.WriteString(strings.TrimSuffix(p.open, "/*") + inner + strings.TrimPrefix(p.close, "*/"))
		case p.open != "{%":
		case word == "raw":
			*raw = true
		case word == "endraw":
			*raw = false
		case word == "comment":
			return next, "endcomment %}"
		case word == "highlight" || strings.HasPrefix(word, "highlight "):
			language, _, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(word, "highlight")), " ")
			t.out.WriteString("```" + language)
		case word == "endhighlight":
			t.out.WriteString("```")
		}
		return next, ""
	}
	return at, ""
}

// closing returns where the braces that open at the beginning of s close on its line.
func closing(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// component returns where the tag of a component ends that s begins with, 0 where it
// begins with none.
func component(s string) int {
	name := strings.TrimPrefix(s[1:], "/")
	if name != "" && name[0] != '>' && (name[0] < 'A' || 'Z' < name[0]) {
		return 0
	}
	depth, quote := 0, byte(0)
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '>' && depth == 0:
			return i + 1
		}
	}
	return 0
}

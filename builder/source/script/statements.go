package script

import "strings"

// Statements returns the length of the imports and exports that a text of MDX begins with: up to an
// empty line outside of brackets. It does not parse them: it skips strings, template literals and
// comments, and counts brackets. If these seem not to close, perhaps because one is part of a
// regular expression, closed is false, and the length is up to the first empty line. closed is also
// false if a template literal or a comment has no end. If closed is true, and the length is not
// that of the whole text, it does not depend on what follows.
func Statements(text string) (length int, closed bool) {
	depth, line, blank := 0, 0, -1 // line and blank are where the current line and the first empty one begin
	open := false                  // whether a template or a comment has no end
	comments := true               // whether a comment with an end may follow
	for i := 0; i < len(text); i++ {
		n := 0 // how many more bytes belong to what begins at i
		switch text[i] {
		case '\n':
			if strings.TrimSpace(text[line:i]) == "" {
				if depth <= 0 {
					return line, !open
				}
				if blank < 0 {
					blank = line
				}
			}
			line = i + 1
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		case '"', '\'':
			if n = quoted(text[i:], text[i:i+1]); strings.Contains(text[i:i+n], "\n") {
				n = 0 // an apostrophe
			}
		case '`':
			n = quoted(text[i:], "`")
			open = open || n == 0
		case '/':
			switch {
			case strings.HasPrefix(text[i:], "//"):
				if n = strings.IndexByte(text[i:], '\n'); n < 0 {
					n = len(text) - i
				}
			case strings.HasPrefix(text[i:], "/*") && comments:
				if n = quoted(text[i+1:], "*/"); n == 0 {
					open, comments = true, false
				} else {
					n++
				}
			}
		}
		i += max(0, n-1)
	}
	if depth > 0 && blank >= 0 {
		return blank, false
	}
	return len(text), depth <= 0 && !open
}

// quoted returns the length of a text up to and including the first mark after its first character;
// 0 if there is none.
func quoted(text, mark string) int {
	end := strings.Index(text[1:], mark)
	if end < 0 {
		return 0
	}
	return 1 + end + len(mark)
}

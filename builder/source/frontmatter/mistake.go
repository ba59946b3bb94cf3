package frontmatter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

const keyOnALine = `write one "key: value" on a line, with a space after the colon`

// Unmerged returns the mistake of a conflict marker, which Git leaves where it could not merge two
// versions of a file; line is that of the file.
func Unmerged(line int) *Error {
	return &Error{line, 1, "two versions of the file are not merged",
		"choose between the two, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>"}
}

// unmerged returns the mistake of the first conflict marker in a text whose first line is the given
// line of the file; nil if there is none.
func unmerged(text []byte, line int) *Error {
	for ; len(text) > 0; line++ {
		var l []byte
		if l, text = cutLine(text); bytes.HasPrefix(l, []byte("<<<<<<< ")) || bytes.HasPrefix(l, []byte(">>>>>>> ")) {
			return Unmerged(line)
		}
	}
	return nil
}

// oddSign returns the hint for a mistake in lines with a character that looks like another one, or
// is invisible; "" if there is none.
func oddSign(lines []byte) string {
	const of = " of the keyboard in place of "
	for _, r := range string(lines) {
		switch {
		case r == '\u00a0' || r == '\u3000' || r == '\u202f':
			return fmt.Sprintf("write the plain space%sthe other one (%U)", of, r)
		case unicode.Is(unicode.Cf, r):
			return fmt.Sprintf("remove the invisible character %U: write the key and what is around it again", r)
		case r == '：':
			return "write the plain colon" + of + "“：”"
		case r == '＝':
			return "write the plain equals sign" + of + "“＝”"
		case isOddQuote(r):
			return `write plain quotes, " or ', in place of ` + string(r)
		}
	}
	return ""
}

// OddQuotes has the typographic quotation marks, which no notation of front matter knows.
const OddQuotes = "“”„«»‘’"

func isOddQuote(r rune) bool { return strings.ContainsRune(OddQuotes, r) }

// flowMistake returns where the first list or table in brackets on a line is wrong, and how to put
// it right; hint is "" if that is not clear.
func flowMistake(line string) (at int, hint string) {
	begin := len(line) - len(valueOf(line))
	if m := margin(line); m < len(line) && strings.IndexByte("[{", line[m]) >= 0 {
		begin = m
	}
	var open []int // where the brackets that are not closed yet begin
	var quote byte // that is open
	wants := false // whether an item has ended, so that a comma must follow
	empty := true  // whether there is nothing after the last comma
	for i := begin; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == '\\' && quote == '"' || c == quote && c == '\'' && strings.HasPrefix(line[i+1:], "'") {
				i++
			} else if c == quote {
				quote, wants = 0, true
			}
		case c == ' ' || c == '\t':
		case c == '#' && strings.IndexByte(" ,[{", line[max(0, i-1)]) >= 0:
			return i, "put what begins with # in quotes: it is a comment to YAML"
		case c == ',' && empty:
			return i, "remove the comma"
		case c == ',':
			wants, empty = false, true
		case c == ']' || c == '}':
			if len(open) > 0 {
				if begins := line[open[len(open)-1]]; (begins == '[') != (c == ']') {
					return i, "close it with " + string(begins+2) // in ASCII, the one that closes is the next but one
				}
				open = open[:len(open)-1]
			}
			wants, empty = true, false
		case wants && c != ':' && len(open) == 0:
			return i, "let nothing follow the bracket that closes a value"
		case wants && c != ':':
			return i, "put a comma before it"
		case c == '[' || c == '{':
			open, empty = append(open, i), true
		default:
			if wants, empty = false, false; (c == '"' || c == '\'') && strings.IndexByte("[{, :", line[max(0, i-1)]) >= 0 {
				quote = c
			}
		}
	}
	if len(open) == 0 {
		return 0, ""
	}
	return open[0], "close the bracket that is opened here"
}

// reserved returns where a value on a line begins with a character that no value of YAML may begin
// with; -1 if none does.
func reserved(line string) int {
	for i := range len(line) {
		if strings.IndexByte("@`%>|", line[i]) < 0 {
			continue
		}
		if before := strings.TrimRight(line[:i], " "); before == "" || strings.IndexByte(":-[{,\"'", before[len(before)-1]) >= 0 {
			return i
		}
	}
	return -1
}

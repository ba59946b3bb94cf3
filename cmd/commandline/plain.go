package commandline

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns a text that others wrote as it may be shown on a terminal: characters that would
// control the terminal, or reorder what stands beside them (Trojan Source, CVE-2021-42574), are
// shown by their numbers, as are bytes that are not UTF-8. Ends of lines and tabs stay.
func Plain(text string) string {
	if utf8.ValidString(text) && !strings.ContainsFunc(text, commands) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case commands(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteRune(r)
		}
		text = text[size:]
	}
	return b.String()
}

// PlainLine returns a text as [Plain] does, in one line: CI takes some lines for commands, and a
// table ends a column at a tab.
func PlainLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Plain(text))
}

// commands reports whether a terminal does anything with a character but show it: control
// characters, and embeddings, overrides and isolates of the bidirectional algorithm (UAX #9, 2).
// The marks of that algorithm stay: Hebrew and Arabic need them.
func commands(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

package analysis

import (
	"strings"
	"unicode/utf8"
)

// WithoutLetter takes a letter of Hangul from the end of a text that is no syllable yet: it is being typed, as in "설ㅊ" for 설치.
func WithoutLetter(text string) string {
	last, size := utf8.DecodeLastRuneInString(text)
	rest := text[:len(text)-size]
	if before, _ := utf8.DecodeLastRuneInString(rest); !isHangulLetter(last) || isHangulLetter(before) || rest == "" { // "ㅋㅋ" is laughter
		return text
	}
	return strings.TrimRight(rest, " ")
}

// isHangulLetter reports whether r is a letter of Hangul that stands alone.
func isHangulLetter(r rune) bool { return 0x3131 <= r && r <= 0x318E }

// WithoutFinal returns a text without the last letter of the syllable of Hangul that ends it, "" where that has no third one. While
// one types, it is the first letter of the next syllable: 릴릿 becomes 릴리스.
func WithoutFinal(text string) string {
	const first, last, finals = 0xAC00, 0xD7A3, 28 // syllables are in the order of their letters
	r, size := utf8.DecodeLastRuneInString(text)
	if r < first || r > last || (r-first)%finals == 0 {
		return ""
	}
	return text[:len(text)-size] + string(r-(r-first)%finals)
}

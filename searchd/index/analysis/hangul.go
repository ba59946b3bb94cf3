package analysis

import (
	"strings"
	"unicode/utf8"
)

// WithoutLetter removes a letter of Hangul that is not yet a syllable from the end of a text, as in
// "설ㅊ" while someone types 설치.
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

// A syllable of Hangul is a first letter, a vowel and perhaps a final letter; Unicode orders
// syllables by the numbers of these. A vowel or a final may be made of two letters.
const (
	firstSyllable, lastSyllable = 0xAC00, 0xD7A3

	finals = 28 // 0 is none
	vowels = 21
)

// GoingOn returns what a text that ends with a syllable of Hangul may become as it is typed: with a
// final letter or a longer vowel (설저 becomes 설정, 화 환), or without the part of the final that will
// begin the next syllable (릴릿 becomes 릴리스, 싫 실행). It returns nil for other texts.
func GoingOn(text string) (later []string) {
	r, size := utf8.DecodeLastRuneInString(text)
	if r < firstSyllable || r > lastSyllable {
		return nil
	}
	before, final := text[:len(text)-size], (r-firstSyllable)%finals
	open := r - final
	add := func(r rune) { later = append(later, before+string(r)) }
	switch one, two := doubled(final); {
	case two:
		add(open + one)
	case final > 0:
		add(open)
		for other := range rune(finals) {
			if one, two := doubled(other); two && one == final {
				add(open + other)
			}
		}
	default:
		first, last := rune(0), rune(0) // the vowels that begin with this one, relative to it
		switch vowel := (r - firstSyllable) / finals % vowels; vowel {
		case 8, 13: // ㅗ, ㅜ
			first, last = 1, 3
		case 18: // ㅡ
			first, last = 1, 1
		}
		for r := open + 1; r < open+finals; r++ {
			add(r)
		}
		for r := open + first*finals; first > 0 && r < open+(last+1)*finals; r++ {
			add(r)
		}
	}
	return later
}

// doubled returns the first of the two letters of a final, and whether the final has two.
func doubled(final rune) (first rune, two bool) {
	const giyeok, nieun, rieul, bieup = 1, 4, 8, 17
	switch {
	case final == 3: // ㄳ
		return giyeok, true
	case final == 5, final == 6: // ㄵ, ㄶ
		return nieun, true
	case 9 <= final && final <= 15: // ㄺ to ㅀ
		return rieul, true
	case final == 18: // ㅄ
		return bieup, true
	}
	return 0, false
}

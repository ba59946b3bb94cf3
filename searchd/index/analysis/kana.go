package analysis

import (
	"slices"
	"strings"
)

// OtherKana returns a text with its words of Hiragana in Katakana, and the reverse; "" if it has
// none. It leaves alone a word that touches letters of the other Kana or of Han, because Hiragana
// after those is mostly grammar, and a word of fewer than three letters.
func OtherKana(text string) string {
	if !strings.ContainsFunc(text, isKana) {
		return ""
	}
	letters, found := []rune(text), false
	for at := 0; at < len(letters); at++ {
		start := at
		for at < len(letters) && ClassOf(letters[at]) == Unspaced {
			at++
		}
		found = toOtherKana(letters[start:at]) || found
	}
	if !found {
		return ""
	}
	return string(letters)
}

// toOtherKana rewrites a word in the other Kana, if it has at least three letters, all of the same
// Kana, and reports whether it did.
func toOtherKana(word []rune) bool {
	const apart = 'ァ' - 'ぁ'
	if len(word) < 3 || slices.ContainsFunc(word, func(r rune) bool { return !isKana(r) }) {
		return false
	}
	away := rune(0)
	for _, r := range word {
		to := rune(apart)
		switch {
		case isLong(r):
			continue
		case r >= 'ァ':
			to = -apart
		}
		if away+to == 0 {
			return false
		}
		away = to
	}
	for i, r := range word {
		if !isLong(r) {
			word[i] += away
		}
	}
	return away != 0
}

// isKana reports whether r is a letter that both Hiragana and Katakana have, or the sign for a long
// vowel.
func isKana(r rune) bool { return 'ぁ' <= r && r <= 'ゖ' || 'ァ' <= r && r <= 'ヶ' || r == 'ー' }

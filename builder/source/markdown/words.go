package markdown

import (
	"unicode"
	"unicode/utf8"
)

// CountWords counts runs of letters and digits. In scripts without spaces, it counts two letters as
// one word, because they take about as long to read.
func CountWords(s string) int {
	const kinds = "" + // of ASCII characters: 1 for letters and digits, 2 for those that may stand within a word
		"00000000000000000000000000000000" +
		"00000002000002201111111111000000" + // ' - . and digits
		"01111111111111111111111111100002" + // letters and _
		"01111111111111111111111111100000"
	var words, unspaced, within uint64
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf { // most are
			i++
			kind := uint64(kinds[c]) // without a branch, which would take twice the time
			words += kind & 1 &^ within
			within = kind&1 | within&(kind>>1)
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case 0x2000 <= r && r <= 0x206F: // punctuation, such as English quotes and dashes
			if r != '’' { // an apostrophe does not end a word
				within = 0
			}
		case isUnspaced(r):
			unspaced, within = unspaced+1, 0
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			words, within = words+1-within, 1
		case unicode.IsMark(r):
			// within a word, if one has begun
		default:
			within = 0
		}
	}
	return int(words + (unspaced+1)/2)
}

func isUnspaced(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || // most of Han
		r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// IsLetterOrDigit reports whether a byte is a letter or a digit of ASCII.
func IsLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

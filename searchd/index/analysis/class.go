package analysis

import (
	"unicode"
	"unicode/utf8"
)

// Class is the part that a character plays in words.
type Class uint8

const (
	Other      Class = iota // in no word
	Spaced                  // a letter or digit of a script with spaces between words: Latin, Cyrillic, Arabic, Devanagari…
	Unspaced                // a letter of a script without them: Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar
	Diacritic               // a mark on the character before it
	Pictograph              // a word of its own, such as an emoji
)

// ClassOf returns the class of a character. Halfwidth and fullwidth forms have the class of what
// they stand for. The characters of which most texts consist are told by their numbers: in the
// tables of Unicode, which have the same for them, it takes four times as long.
func ClassOf(r rune) Class {
	switch {
	case r < utf8.RuneSelf:
		if asciiAlnum(byte(r)) {
			return Spaced
		}
		return Other
	case 0x00C0 <= r && r <= 0x024F: // Latin
		if r == '×' || r == '÷' {
			return Other
		}
		return Spaced
	case 0x0400 <= r && r <= 0x0481, // Cyrillic
		0x0621 <= r && r <= 0x063F, 0x0641 <= r && r <= 0x064A, // Arabic
		0x0904 <= r && r <= 0x0939: // Devanagari
		return Spaced
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA, // Han, Hangul, Kana
		0x0E01 <= r && r <= 0x0E30, r == 0x0E32, 0x0E40 <= r && r <= 0x0E46: // Thai
		return Unspaced
	case 0x093E <= r && r <= 0x094D, // the vowels of Devanagari after a letter
		0x0E34 <= r && r <= 0x0E3A, 0x0E47 <= r && r <= 0x0E4E: // the marks of Thai
		return Diacritic
	case 0x3000 <= r && r <= 0x3003, 0x3008 <= r && r <= 0x3011, 0xFF08 <= r && r <= 0xFF0F, 0xFF1A <= r && r <= 0xFF1F, // punctuation of East Asia
		0x2000 <= r && r <= 0x205F: // other punctuation
		return Other
	}
	return classInTables(r)
}

// classInTables is ClassOf by the tables of Unicode and what they do not tell.
func classInTables(r rune) Class {
	switch {
	case isAm(r), isMarkAlone(r):
		return Diacritic
	case r == '♭': // of music: B♭ is typed Bb
		return Spaced
	case r == 'ʼ', r == 'º', r == 'ª': // letters to Unicode; the last two are of ordinals (1º, n.º), and often typed for the sign of degrees
		return Other
	case r >= 0x0E00 && isUnspaced(r):
		if unicode.IsMark(r) || r == 'ﾞ' || r == 'ﾟ' || 0x1160 <= r && r <= 0x11FF { // also decomposed Hangul
			return Diacritic
		}
		if unicode.IsDigit(r) {
			return Spaced
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return Unspaced
		}
		return Other
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return Spaced
	case unicode.IsMark(r):
		return Diacritic
	case r >= 0x2190 && unicode.Is(unicode.So, r):
		return Pictograph
	}
	return Other
}

const (
	noBreakSpace       = '\u00A0'
	thinSpace          = '\u2009'
	narrowSpace        = '\u202F' // also a no-break space
	softHyphen         = '\u00AD'
	acute              = '\u00B4' // the accent alone
	middleDot          = '\u00B7'
	hyphen             = '\u2010'
	unbrokenHyphen     = '\u2011'
	zeroWidthSpace     = '\u200B'
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
	virama             = '\u1039' // of Burmese; the next consonant goes under the one before
	coeng              = '\u17D2' // the same of Khmer
	fractionSlash      = '\u2044'
	wordJoiner         = '\u2060'
	turnedComma        = '\u02BB' // of Uzbek and Hawaiian; many type an apostrophe
	variationSelector  = '\uFE0F'
	byteOrderMark      = '\uFEFF'
	maqaf              = '\u05BE' // the Hebrew hyphen
	arabicPoint        = '\u066B' // before decimals
	arabicThousands    = '\u066C' // the separator
)

// isJoiner reports whether r joins the parts of a word.
func isJoiner(r rune) bool {
	switch r {
	case '.', '_', '&', middleDot:
		return true
	}
	return isHyphen(r) || isApostrophe(r)
}

func isHyphen(r rune) bool {
	switch r {
	case '-', hyphen, unbrokenHyphen, maqaf:
		return true
	}
	return false
}

// isApostrophe reports whether r joins parts as an apostrophe does ("don't", "l'école", "об’єкт"),
// or the letters of Hebrew abbreviations. Many people type another quotation mark, or an accent,
// instead.
func isApostrophe(r rune) bool {
	switch r {
	case '\'', '’', 'ʼ', '‘', '`', acute, '׳', '״':
		return true
	}
	return false
}

func asciiLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func asciiDigit(c byte) bool  { return '0' <= c && c <= '9' }
func asciiAlnum(c byte) bool  { return asciiLetter(c) || asciiDigit(c) }

// isMarkAlone reports whether folding leaves nothing of r, though Unicode does not call it a mark:
// it is invisible, or a letter to Unicode that only lengthens another (Arabic's tatweel), tells it
// from others (the sign of the Uzbek oʻ) or shows a mark alone.
func isMarkAlone(r rune) bool {
	return r == softHyphen || r == turnedComma || r == wordJoiner || r == byteOrderMark || r == 0x037A || r == 0x0640 || 0xFC5E <= r && r <= 0xFC63 ||
		0xFCF2 <= r && r <= 0xFCF4 ||
		0xFE70 <= r && r <= 0xFE7F
}

// isUnspaced reports whether r is of a script that writes no spaces between words, or (Hangul) none
// between a word and its particles.
func isUnspaced(r rune) bool {
	switch {
	case r <= 0x0EFF: // Thai, Lao
		return true
	case 0x1000 <= r && r <= 0x109F, // Myanmar
		0x1100 <= r && r <= 0x11FF, // Hangul Jamo
		0x1780 <= r && r <= 0x17FF, // Khmer
		0x2E80 <= r && r <= 0x2FDF, // radicals
		0x3005 <= r && r <= 0x3007,
		0x3040 <= r && r <= 0x31FF, // Kana, Bopomofo, Hangul
		0x3400 <= r && r <= 0x4DBF, // Han
		0x4E00 <= r && r <= 0x9FFF,
		0xAC00 <= r && r <= 0xD7FF, // Hangul
		0xF900 <= r && r <= 0xFAFF,
		0xFF66 <= r && r <= 0xFFDC, // halfwidth Kana and Hangul
		0x1B000 <= r && r <= 0x1B16F,
		0x20000 <= r && r <= 0x3FFFF:
		return true
	}
	return false
}

// isAm reports whether r is the vowel am of Thai or Lao. To Unicode it is a letter, but it begins
// with a mark on the character before, and belongs to that as a whole.
func isAm(r rune) bool { return r == 0x0E33 || r == 0x0EB3 }

// amOf returns the vowel am for the two characters that many people type for it; 0 for others.
func amOf(mark, vowel rune) rune {
	if mark == 0x0E4D && vowel == 0x0E32 || mark == 0x0ECD && vowel == 0x0EB2 {
		return vowel + 1
	}
	return 0
}

// isKatakana reports whether r is a letter of Katakana, or the sign for a long vowel.
func isKatakana(r rune) bool {
	return 0x30A1 <= r && r <= 0x30FA || 0xFF66 <= r && r <= 0xFF9F || isLong(r)
}

// isLong reports whether r is the sign for a long vowel.
func isLong(r rune) bool { return r == 'ー' || r == 'ｰ' }

// Ties reports whether a character is shown as one with the character before it, although it is no
// diacritic: a consonant of Khmer or Burmese under another, or what belongs to the emoji before it
// (https://www.unicode.org/reports/tr29/, grapheme clusters).
func Ties(before, after rune) bool {
	return before == coeng || before == virama || before == zeroWidthJoiner || after == zeroWidthJoiner ||
		isSkinTone(after) || isRegional(before) && isRegional(after)
}

// isSkinTone reports whether r sets the skin tone of the emoji before it.
func isSkinTone(r rune) bool { return 0x1F3FB <= r && r <= 0x1F3FF }

func isRegional(r rune) bool { return 0x1F1E6 <= r && r <= 0x1F1FF }

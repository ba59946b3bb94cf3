package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Lower returns a word in lower case and compatibility form (NFKC), with its accents,
// in the memory of buf.
func Lower(s string, buf []byte) []byte {
	buf = buf[:0]
	for i := range len(s) {
		c := s[i]
		if c >= utf8.RuneSelf {
			return lowerUnicode(s, buf[:0])
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf = append(buf, c)
	}
	return buf
}

// compatible returns what replaces a letter before NFKC, which would make a lone accent a space,
// and ŀ an l and a dot: coŀlegi is col·legi.
func compatible(r rune) rune {
	switch r {
	case acute:
		return '\''
	case 'ŀ', 'Ŀ':
		return 'l'
	}
	return r
}

func lowerUnicode(s string, buf []byte) []byte {
	if isLoweredThai(s) {
		return append(buf, s...)
	}
	for _, r := range s {
		if !composed(r) {
			if !norm.NFKC.IsNormalString(s) {
				s = norm.NFKC.String(strings.Map(compatible, s))
			}
			break
		}
	}
	before := rune(0)
	for i, r := range s {
		if am := amOf(before, r); am > 0 { // also if NFKC took it apart
			buf = append(buf[:len(buf)-utf8.RuneLen(before)], string(am)...)
			continue
		}
		before = r
		if 0x3041 <= r && r <= 0xD7A3 { // without case
			buf = utf8.AppendRune(buf, r)
			continue
		}
		if isSkinTone(r) {
			continue
		}
		switch r {
		case 'İ': // its lower case is two characters, and no one types the second
			r = 'i'
		case 'ς':
			r = 'σ'
		case '×': // after a number
			r = 'x'
		case '♯': // after a letter, as in C#
			r = '#'
		case '♭':
			r = 'b'
		case arabicPoint:
			r = '.'
		case hyphen, unbrokenHyphen:
			r = '-'
		case fractionSlash: // also of ½
			r = '/'
		case softHyphen, zeroWidthSpace, zeroWidthNonJoiner, zeroWidthJoiner, wordJoiner, turnedComma, variationSelector, byteOrderMark, arabicThousands, 'ـ': // also the Arabic tatweel
			continue
		default:
			if (r == '"' || r == middleDot || isApostrophe(r)) && IsInner(s, i) {
				continue
			}
			r = unicode.ToLower(r)
		}
		buf = utf8.AppendRune(buf, r)
	}
	return buf
}

// composed reports whether r is one of the common characters that NFKC never changes:
// most words have no others, and need not be normalised.
func composed(r rune) bool {
	switch {
	case r < utf8.RuneSelf, 0x4E00 <= r && r <= 0x9FFF, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA, 0xAC00 <= r && r <= 0xD7A3:
		return true
	case 0x00C0 <= r && r <= 0x017E:
		return r < 0x0132 || r > 0x0133 && r < 0x013F || r > 0x0140 && r != 0x0149
	}
	return 0x0400 <= r && r <= 0x045F || 0x0621 <= r && r <= 0x064A
}

// isLoweredThai reports whether a text is all Thai, without what lowering changes: the vowel am,
// and marks below that follow a tone, which NFKC moves before it.
func isLoweredThai(s string) bool {
	before := rune(0)
	for _, r := range s {
		tone := 0x0E48 <= before && before <= 0x0E4B
		if r < 0x0E01 || r > 0x0E5B || isAm(r) || r == 0x0E3A || r == 0x0E4D || tone && (r == 0x0E38 || r == 0x0E39) {
			return false
		}
		before = r
	}
	return true
}

// Fold removes from a word in lower case what people leave out when they type: accents of Latin,
// Greek and Cyrillic letters, vowel points of Hebrew and Arabic. Marks of other scripts are letters
// in their own right and stay. Traditional Chinese becomes simplified, and digits of any script 0
// to 9.
func Fold(lowered []byte, buf []byte) []byte {
	buf = buf[:0]
	for i, c := range lowered {
		if c >= utf8.RuneSelf {
			return foldUnicode(string(lowered), append(buf[:0], lowered[:i]...), i)
		}
		buf = append(buf, c)
	}
	return buf
}

func foldUnicode(s string, buf []byte, from int) []byte {
	for _, r := range s[from:] {
		switch {
		case r < utf8.RuneSelf:
			buf = append(buf, byte(r))
		case r < 0x0530 || 0x1E00 <= r && r <= 0x1FFF:
			if spelled := spelledOut(r); spelled != "" {
				buf = append(buf, spelled...)
				continue
			}
			if unicode.Is(unicode.Mn, r) {
				continue
			}
			var one [utf8.UTFMax]byte
			letter := one[:utf8.EncodeRune(one[:], r)]
			if parts := norm.NFD.Properties(letter).Decomposition(); parts != nil {
				r, _ = utf8.DecodeRune(parts)
			}
			buf = utf8.AppendRune(buf, r)
		case r < 0x0700: // Armenian, Hebrew, Arabic
			switch {
			case unicode.Is(unicode.Mn, r):
				continue
			case r == 'أ' || r == 'إ' || r == 'آ' || r == 'ٱ':
				r = 'ا'
			case r == 'ؤ': // as in سؤال, which is also written سوال
				r = 'و'
			case r == 'ى' || r == 'ی':
				r = 'ي'
			case r == 'ة' || r == 'ہ' || r == 'ۂ': // the last two of Urdu
				r = 'ه'
			case r == 'ک':
				r = 'ك'
			}
			buf = utf8.AppendRune(buf, european(r))
		case r == 'ৎ': // as in texts from before Unicode had the letter, without the invisible sign that follows there
			buf = append(buf, "ত্"...)
		case 'ൺ' <= r && r <= 'ൿ': // likewise
			buf = append(buf, [...]string{"ണ്", "ന്", "ര്", "ല്", "ള്", "ക്"}[r-'ൺ']...)
		case firstHan <= r && r <= lastHan:
			buf = appendSimplified(buf, r)
		default:
			buf = utf8.AppendRune(buf, european(r))
		}
	}
	return buf
}

// european returns the digit 0 to 9 for a digit of any script; other characters stay as they are.
func european(r rune) rune {
	if unicode.IsDigit(r) {
		for _, tens := range unicode.Digit.R16 { // each begins with a zero
			if r <= rune(tens.Hi) {
				return '0' + (r-rune(tens.Lo))%10
			}
		}
	}
	return r
}

// spelledOut returns how people type a letter that has no decomposition and is not on their
// keyboard; "" for other letters.
func spelledOut(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'ə':
		return "e"
	case 'ɓ':
		return "b"
	case 'đ', 'ð', 'ɗ':
		return "d"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	case 'ƙ':
		return "k"
	case 'ł':
		return "l"
	case 'ŋ':
		return "n"
	case 'ŧ':
		return "t"
	case 'þ':
		return "th"
	case 'ƴ':
		return "y"
	case 'ґ':
		return "г"
	}
	return ""
}

// joined returns a compound in lower case without its joiners ("hotswap", "nodejs"), except those
// between digits ("4.0" is not 40), which it writes as most people type them.
func joined(lowered []byte, buf []byte) []byte {
	buf = buf[:0]
	for at := 0; at < len(lowered); {
		r, size := utf8.DecodeRune(lowered[at:])
		end := at + size
		switch {
		case at == 0 || !isJoiner(r):
			buf = append(buf, lowered[at:end]...)
		case asciiDigit(lowered[at-1]) && end < len(lowered) && asciiDigit(lowered[end]):
			switch {
			case r == middleDot:
				r = '.'
			case r == maqaf:
				r = '-'
			case isApostrophe(r):
				r = '\''
			}
			buf = utf8.AppendRune(buf, r)
		}
		at = end
	}
	return buf
}

// Written returns a word in lower case as people write it: with the final form of the Greek sigma
// at its end.
func Written(lowered string) string {
	begin, ends := strings.CutSuffix(lowered, "σ")
	if before, _ := utf8.DecodeLastRuneInString(begin); ends && unicode.IsLetter(before) {
		return begin + "ς"
	}
	return lowered
}

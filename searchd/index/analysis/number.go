package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// number reads a number whose thousands are set apart: up to three digits, of which the first is
// not 0, then groups of three, all after the same separator, and perhaps decimals. It is found
// without the separators. Its parts are its groups; the last has also the decimals, and letters
// that follow directly:
//
//	10,000.50      10 | 000.50     found by 10000.50, and by 10000
//	10,000-fold    10 | 000 | fold
//	10,000km       10 | 000km
//	10.000         10.000          one part, since the separator is a dot; see mayBeVersion
//	1,2,300        not a number but a list, like 4,100,200,3000
//
// It returns where the last part begins, and whether the word goes on after the number. If there is
// no such number, it reads nothing, and the word goes on from here.
func (t *Tokenizer) number() (begin int, goesOn bool) {
	start := t.at
	groups, separator := t.thousands()
	if len(groups) < 2 {
		return start, true
	}
	last := &groups[len(groups)-1]
	whole := last.End
	last.End = t.decimals(whole)
	ends, goesOn := t.numberEnds(last.End, separator)
	if !ends || separator == "." && mayBeVersion(t.Text[start:whole]) {
		return start, true
	}
	if separator == "." {
		*last = Span{start, last.End}
		groups = groups[:0]
	} else {
		groups = groups[:len(groups)-1]
	}
	t.at, t.thousandsEnd, t.Parts = last.End, whole, groups
	return last.Start, goesOn
}

// thousands returns the groups of digits of a number that may begin here, and their separator;
// fewer than two groups if there is none.
func (t *Tokenizer) thousands() (groups []Span, separator string) {
	start := t.at
	at := t.digits(start)
	if at-start > 3 || t.Text[start] == '0' {
		return nil, ""
	}
	r, size := utf8.DecodeRuneInString(t.Text[at:])
	switch r {
	case ',', '.', '_', '\'', '’', noBreakSpace, narrowSpace, thinSpace:
	default:
		return nil, ""
	}
	separator = t.Text[at : at+size]
	if strings.HasSuffix(t.Text[:start], separator) && asciiDigit(byteAt(t.Text, start-size-1)) {
		return nil, "" // within such a number or list; it would be read again from each group on
	}
	groups = append(t.Parts, Span{start, at})
	for strings.HasPrefix(t.Text[at:], separator) && asciiDigit(byteAt(t.Text, at+size)) {
		group := at + size
		if at = t.digits(group); at-group != 3 {
			return nil, ""
		}
		groups = append(groups, Span{group, at})
	}
	return groups, separator
}

// decimals returns where the decimals of a number end, if there are any at a place; else the place.
// There may be several dots.
func (t *Tokenizer) decimals(at int) int {
	for byteAt(t.Text, at) == '.' && asciiDigit(byteAt(t.Text, at+1)) {
		at = t.digits(at + 1)
	}
	return at
}

// numberEnds reports whether a number whose thousands are set apart may end at a place, and whether
// its word goes on there: with letters, directly ("10,000km", "10,000×") or after an apostrophe or
// a hyphen ("10.000'den", "10,000-fold"; but "10,000-20,000" is two words).
func (t *Tokenizer) numberEnds(at int, separator string) (ends, goesOn bool) {
	after, size := utf8.DecodeRuneInString(t.Text[at:])
	switch class := ClassOf(after); {
	case t.times(at):
		return true, true
	case isFraction(after):
		return true, false
	case class == Diacritic, isNotSeen(after, t.Text[at+size:]):
		return false, false
	case class == Spaced:
		letter := unicode.IsLetter(after) // not a digit of another script
		return letter, letter
	case !isJoiner(after) || !t.letterAt(at+size):
		return true, false
	case isApostrophe(after) || isHyphen(after):
		next, _ := utf8.DecodeRuneInString(t.Text[at+size:])
		return true, unicode.IsLetter(next)
	}
	by, _ := utf8.DecodeRuneInString(separator) // with two kinds of joiners it is a name: "1_000.md"
	return !isJoiner(by), false
}

// fraction reads a fraction, a ratio or a date, with slashes between its numbers: "1/2", "24/7",
// "05/31/2018". Its parts are the numbers. A sign such as ½ is a word of its own, even after a
// number, and is found by what people type for it. A path is not a fraction, nor is "1/2nd".
// fraction returns where the last part begins, and whether the word goes on. If there is no
// fraction, it goes on from here.
func (t *Tokenizer) fraction() (begin int, goesOn bool) {
	begin = t.at
	if r, size := utf8.DecodeRuneInString(t.Text[begin:]); isFraction(r) {
		t.at += size
		return begin, false
	}
	if before, _ := utf8.DecodeLastRuneInString(t.Text[:begin]); before == '/' || before == fractionSlash { // within a path
		return begin, true
	}
	end := t.digits(begin)
	for begin < end && end < len(t.Text) {
		r, size := utf8.DecodeRuneInString(t.Text[end:])
		next := t.digits(end + size)
		if r != '/' && r != fractionSlash || next == end+size {
			break
		}
		t.Parts = append(t.Parts, Span{begin, end})
		begin, end = end+size, next
	}
	if len(t.Parts) == 0 || !t.endsAt(end) {
		t.Parts = t.Parts[:0]
		return t.at, true
	}
	t.at = end
	return begin, false
}

// endsAt reports whether a fraction ends at a place, after its digits: no letter, decimals,
// thousands, further slash or sign of times follows.
func (t *Tokenizer) endsAt(at int) bool {
	r, size := utf8.DecodeRuneInString(t.Text[at:])
	switch class := ClassOf(r); {
	case class == Spaced && !isFraction(r), class == Diacritic, isNotSeen(r, t.Text[at+size:]), t.times(at), r == '/', r == fractionSlash:
		return false
	}
	return !isJoiner(r) && r != ',' || isHyphen(r) || !t.letterAt(at+size) // 3/4-inch
}

// isFraction reports whether r is the sign of a fraction, such as ½.
func isFraction(r rune) bool {
	return '¼' <= r && r <= '¾' || '⅐' <= r && r <= '⅞' || r == '↉'
}

// mayBeVersion reports whether a number whose thousands are set apart by dots may also be a
// version, or have decimals after its dot: it has fewer than five digits, and does not end with
// three zeros ("3.141" may, "10.000" and "3.000" may not).
func mayBeVersion(number string) bool {
	return len(number) < len("10.000") && !strings.HasSuffix(number, ".000")
}

// digits returns where the digits at a place end.
func (t *Tokenizer) digits(at int) int {
	for at < len(t.Text) && asciiDigit(t.Text[at]) {
		at++
	}
	return at
}

// times reports whether at a place, after a number, there is the sign for which most people type an
// x: "1920×1080", "10×".
func (t *Tokenizer) times(at int) bool {
	text, ok := strings.CutPrefix(t.Text[at:], "×")
	if !ok || !asciiDigit(byteAt(t.Text, at-1)) {
		return false
	}
	after, more := utf8.DecodeRuneInString(text)
	return more == 0 || after < utf8.RuneSelf && !asciiLetter(byte(after)) || ClassOf(after) == Other
}

// figuresOf returns the digits of a number.
func figuresOf(number string, buf []byte) []byte {
	buf = buf[:0]
	for i := range len(number) {
		if asciiDigit(number[i]) {
			buf = append(buf, number[i])
		}
	}
	return buf
}

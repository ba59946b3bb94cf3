package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Beginnings are the ways in which wanted words may begin. Searching a text for these is quicker
// than reading word after word, because no processor predicts where words end.
//
// The search is shift-or (Baeza-Yates and Gonnet 1992) for groups of words, on three places: the
// byte before a word, its first and its second. Each byte has, for each place, a bit for each
// group, which is 0 if a word of the group may have the byte there.
type Beginnings struct {
	places [256]uint64
	thirds [256]uint32 // likewise for the third byte of a word, which is only checked if the others match
	groups []beginning // in the order of Add; if there are more than wordGroups, some share a bit
}

// beginning is the first letter of a folded form, and the two bytes after it.
type beginning struct {
	first         rune
	second, third byte
}

// Where the bits of each place begin. Those of the second byte are the highest: in a state below
// noneFound, one of them is 0.
const (
	wordGroups = 21

	placeBefore = 64 - 3*wordGroups
	placeFirst  = placeBefore + wordGroups
	placeSecond = placeFirst + wordGroups

	groupBits = 1<<wordGroups - 1
	noneFound = groupBits << placeSecond
	noneBegun = noneFound | groupBits<<placeFirst
)

// NewBeginnings returns beginnings of no words.
func NewBeginnings() *Beginnings {
	b := &Beginnings{}
	b.Reset()
	return b
}

// Reset removes all words.
func (b *Beginnings) Reset() {
	b.groups = b.groups[:0]
	for c := range b.places {
		b.places[c], b.thirds[c] = groupBits<<placeFirst, 0
		if asciiAlnum(byte(c)) {
			b.places[c] |= groupBits << placeBefore
		}
		if c < utf8.RuneSelf && !isJoiner(rune(c)) { // bytes of other scripts may be of joiners, accents and invisible characters
			b.places[c] |= groupBits << placeSecond
			b.thirds[c] = groupBits
		}
	}
}

// Add lets words begin like a folded form, in any spelling except those of [Spellings]: in
// capitals, with accents, in another width. If loose, words may differ in their third letter.
func (b *Beginnings) Add(form string, loose bool) {
	r, size := utf8.DecodeRuneInString(form)
	one := beginning{r, byteAt(form, size), byteAt(form, size+1)}
	if loose || one.third == one.second { // words may have the letter once or twice
		one.third = ' '
	}
	if slices.Contains(b.groups, one) {
		return
	}
	group := len(b.groups) % wordGroups
	b.groups = append(b.groups, one)
	b.letFirst(group, r)
	if ClassOf(r) != Spaced || strings.Contains(form, "/") { // also the forms of pictographs, such as ⒝; and ½ after a number
		b.let(placeBefore+group, 0, utf8.RuneSelf-1)
	}
	second, third := one.second, one.third
	if !asciiAlnum(form[0]) || !asciiAlnum(second) || asciiDigit(form[0]) { // also the thousands of a number that are set apart
		b.let(placeSecond+group, 0, utf8.RuneSelf-1)
		third = ' '
	}
	for _, c := range [...]byte{second, upperByte(second), alike(second), upperByte(alike(second))} {
		b.let(placeSecond+group, c, c)
		b.thirds[c] &^= 1 << group // the third byte after a hyphen, or after a first letter of two bytes
	}
	for c := range b.thirds {
		if l := lowByte(byte(c)); !asciiAlnum(third) || l == third || l == alike(third) || l == 'e' { // Mueller for Müller
			b.thirds[c] &^= 1 << group
		}
	}
}

// let allows the bytes of a range for the place and the group that a bit stands for.
func (b *Beginnings) let(bit int, from, to byte) {
	for c := int(from); c <= int(to); c++ {
		b.places[c] &^= 1 << bit
	}
}

// letFirst lets words of a group begin with a folded letter, in any spelling.
func (b *Beginnings) letFirst(group int, r rune) {
	let := func(from, to byte) { b.let(placeFirst+group, from, to) }
	for _, variant := range [...]rune{r, unicode.ToUpper(r), unicode.ToTitle(r)} {
		c := string(variant)[0]
		let(c, c)
	}
	switch {
	case r < 0x0370: // Latin; also Latin Extended Additional, and letters and digits of other forms
		let(0xC2, 0xCD)
		let(0xE1, 0xE2)
		if unicode.IsDigit(r) { // those of other scripts
			let(0xD9, 0xDF)
			let(0xE0, 0xE1)
			let(0xEA, 0xEA)
		}
	case r < 0x0530 || 0x1F00 <= r && r <= 0x1FFF: // Greek, Cyrillic; the micro sign
		let(0xC2, 0xC2)
		let(0xCD, 0xD4)
		let(0xE1, 0xE1)
		if r < 0x0400 { // the ohm sign and its like
			let(0xE2, 0xE2)
		}
	case r < 0x0800: // Hebrew, Arabic: a stem may begin elsewhere than the word
		let(0xD6, 0xDF)
		if 0x05D0 <= r && r <= 0x05D3 { // the signs of alef to dalet in mathematics
			let(0xE2, 0xE2)
		}
	case isUnspaced(r): // parts of Hangul, radicals
		let(0xE1, 0xE3)
	}
	let(0xEF, 0xF0) // compatibility forms
}

// alike returns y for i, and i for y: a stem may have one and its word the other ("dying", "die").
func alike(c byte) byte {
	switch c = lowByte(c); c {
	case 'i':
		return 'y'
	case 'y':
		return 'i'
	}
	return c
}

// upperByte returns a letter in upper case; other bytes stay as they are.
func upperByte(c byte) byte {
	if asciiLetter(c) {
		return c &^ 0x20
	}
	return c
}

// lowByte returns a letter in lower case; other bytes stay as they are.
func lowByte(c byte) byte {
	if asciiLetter(c) {
		return c | 0x20
	}
	return c
}

// byteAt returns a byte of a text, or a blank if the place is outside it.
func byteAt(text string, at int) byte {
	if at < 0 || at >= len(text) {
		return ' '
	}
	return text[at]
}

// Has reports whether a word that begins at a place may be wanted.
func (b *Beginnings) Has(text string, at int) bool {
	return b.goesOn(text, at, b.places[text[at]]<<wordGroups|b.places[byteAt(text, at+1)])
}

// goesOn reports whether the third byte of a word at a place fits a group whose other bytes match,
// given the state after the second.
func (b *Beginnings) goesOn(text string, at int, state uint64) bool {
	return uint32(state>>placeSecond)|b.thirds[byteAt(text, at+2)] < groupBits
}

// find returns the first place, from at on, where a wanted word may begin, or the end of the text.
func (b *Beginnings) find(text string, at int) int {
	state := noneBegun | b.places[byteAt(text, at-1)]
	i := at
	for ; i+4 <= len(text); i += 4 { // four states that do not wait for each other take half the time
		next := text[i : i+4]
		w, x, y, z := b.places[next[0]], b.places[next[1]], b.places[next[2]], b.places[next[3]]
		wx, yz := w<<wordGroups|x, y<<wordGroups|z
		states := [...]uint64{state<<wordGroups | w, state<<(2*wordGroups) | wx, wx<<wordGroups | y, wx<<(2*wordGroups) | yz}
		if state = states[3]; states[0]&states[1]&states[2]&states[3] >= noneFound {
			continue
		}
		for k, one := range states {
			if one < noneFound && b.begins(text, i+k-1, one) {
				return i + k - 1
			}
		}
	}
	for ; i < len(text); i++ {
		if state = state<<wordGroups | b.places[text[i]]; state < noneFound && b.begins(text, i-1, state) {
			return i - 1
		}
	}
	if last := len(text) - 1; last >= at && b.Has(text, last) && startsWord(text, last) {
		return last
	}
	return len(text)
}

// begins reports whether a wanted word may begin at a place, given the state after its second byte.
// If its first byte is not ASCII, the third says nothing.
func (b *Beginnings) begins(text string, at int, state uint64) bool {
	return (text[at] >= utf8.RuneSelf || b.goesOn(text, at, state)) && startsWord(text, at)
}

// startsWord reports whether the letter at a place starts a word: nothing before it belongs to the
// same word.
func startsWord(text string, at int) bool {
	if text[at] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(text[at:]); ClassOf(r) != Spaced || isFraction(r) {
			return true
		}
	}
	for at > 0 {
		c := text[at-1]
		if c == '.' && at > 1 && asciiDigit(text[at-2]) {
			return !asciiDigit(text[at]) // 1.2 is one word
		}
		if c < utf8.RuneSelf && !IsInner(text, at-1) {
			return !asciiAlnum(c)
		}
		r, size := utf8.DecodeLastRuneInString(text[:at])
		switch class := ClassOf(r); {
		case isFraction(r):
			return true
		case class == Spaced, r == '×' && asciiDigit(text[at]) && asciiDigit(byteAt(text, at-size-1)):
			return false
		case class == Diacritic, // of the letter before
			isNotSeen(r, text[at:]), IsInner(text, at-size):
			at -= size
		default:
			return true
		}
	}
	return true
}

package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// script says how words are found in a run of characters.
type script uint8

const (
	spaced   script = iota // words are separated: Latin, Cyrillic, Arabic, Devanagari…
	unspaced               // words are not separated: Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar
	symbol                 // one picture, such as an emoji
)

// span is a range of bytes.
type span struct{ start, end int }

// word is one unit that the tokenizer found. Its parts are what a reader may take for
// words of their own: the letters between joiners ("hot-swap"), or the characters of
// an unspaced run. The parts are valid until the next word.
type word struct {
	span
	script script
	parts  []span
}

// tokenizer finds the words of a text. The same code reads articles, queries and the
// text for an excerpt.
//
// A word is a run of letters, digits and marks. Parts of it may be held together by
// one joiner, such as . _ - ' & between two letters or digits ("node.js", "don't"); a dot
// between digits holds them together as one part ("v1.2"). A dot, @ or # before and + or #
// behind a word belong to it ("C++", ".NET", "@user").
//
// What is not seen, such as the soft hyphen, stands in a word without ending it. A run of an unspaced script
// goes on behind a place where a line may be broken, and behind the dot between the names of a foreigner in Chinese or
// Japanese.
type tokenizer struct {
	text string
	at   int
	part []span
	// begins, if not nil, says how words may begin. Those that begin otherwise are passed
	// over, which saves most of the time of an excerpt.
	begins *beginnings
}

// next returns the next word; ok is false at the end.
func (t *tokenizer) next() (w word, ok bool) {
	for t.at < len(t.text) {
		if t.begins != nil {
			if t.at = t.begins.find(t.text, t.at); t.at == len(t.text) {
				break
			}
		}
		c := t.text[t.at]
		if c < utf8.RuneSelf {
			switch {
			case asciiAlnum(c):
				return t.spacedWord(t.at), true
			case (c == '.' || c == '@' || c == '#') && t.at+1 < len(t.text) && asciiLetter(t.text[t.at+1]) && t.atBoundary():
				return t.spacedWord(t.at), true
			}
			t.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		switch classOf(r) {
		case spacedLetter:
			return t.spacedWord(t.at), true
		case unspacedLetter:
			return t.unspacedRun(), true
		case pictograph:
			return t.pictograph(), true
		}
		t.at += size
	}
	return word{}, false
}

// beginnings are the ways in which words that are looked for may begin. To look for these is quicker than to pass
// over words one by one, whose ends no processor foresees.
//
// It is shift-or (Baeza-Yates and Gonnet 1992) for groups of words, on the byte before a word and its first. For
// each of these places there is a bit for each group, which is 0 where a byte may stand there.
type beginnings struct {
	places [256]uint64
	thirds [256]uint32 // the bits of the third byte of a word, which is asked when the others are found
	groups []beginning // more than wordGroups share theirs
}

// beginning is the first letter of a folded form, and the first bytes behind it.
type beginning struct {
	first         rune
	second, third byte
}

// The bits of the places. Those of the last are the highest: a state below noneFound has one that is 0.
const (
	wordGroups = 21

	placeBefore = 64 - 3*wordGroups
	placeFirst  = placeBefore + wordGroups
	placeSecond = placeFirst + wordGroups

	groupBits = 1<<wordGroups - 1
	noneFound = groupBits << placeSecond
	noneBegun = noneFound | groupBits<<placeFirst
)

// newBeginnings returns those of no words.
func newBeginnings() *beginnings {
	b := &beginnings{}
	b.reset()
	return b
}

func (b *beginnings) reset() {
	b.groups = b.groups[:0]
	for c := range b.places {
		b.places[c], b.thirds[c] = groupBits<<placeFirst, 0
		if asciiAlnum(byte(c)) {
			b.places[c] |= groupBits<<placeBefore | groupBits<<placeSecond
			b.thirds[c] = groupBits
		}
	}
}

// addForm lets words begin as a folded form does, in any spelling: in capitals, with accents, in
// another width. Loose ones have only the first two letters of it.
func (b *beginnings) addForm(form string, loose bool) {
	r, size := utf8.DecodeRuneInString(form)
	one := beginning{r, byteAt(form, size), byteAt(form, size+1)}
	if loose || one.third == one.second { // it may be doubled or not
		one.third = ' '
	}
	if slices.Contains(b.groups, one) {
		return
	}
	group := len(b.groups) % wordGroups
	b.groups = append(b.groups, one)
	let := func(place int, from, to byte) {
		for c := int(from); c <= int(to); c++ {
			b.places[c] &^= 1 << (place + group)
		}
	}
	for _, variant := range [...]rune{r, unicode.ToUpper(r), unicode.ToTitle(r)} {
		c := string(variant)[0]
		let(placeFirst, c, c)
	}
	switch {
	case r < 0x0370: // Latin; also Latin Extended Additional, and letters and digits of other forms
		let(placeFirst, 0xC2, 0xCD)
		let(placeFirst, 0xE1, 0xE2)
		if unicode.IsDigit(r) { // those of other scripts
			let(placeFirst, 0xD9, 0xDF)
			let(placeFirst, 0xE0, 0xE1)
			let(placeFirst, 0xEA, 0xEA)
		}
	case r < 0x0530 || 0x1F00 <= r && r <= 0x1FFF: // Greek, Cyrillic; the micro sign
		let(placeFirst, 0xC2, 0xC2)
		let(placeFirst, 0xCD, 0xD4)
		let(placeFirst, 0xE1, 0xE1)
		if r < 0x0400 { // the ohm sign and its like
			let(placeFirst, 0xE2, 0xE2)
		}
	case r < 0x0800: // Hebrew, Arabic: a stem may begin elsewhere than the word
		let(placeFirst, 0xD6, 0xDF)
		if 0x05D0 <= r && r <= 0x05D3 { // the signs of alef to dalet in mathematics
			let(placeFirst, 0xE2, 0xE2)
		}
	case isUnspaced(r): // parts of Hangul, radicals
		let(placeFirst, 0xE1, 0xE3)
	}
	let(placeFirst, 0xEF, 0xF0) // compatibility forms
	if isPair(form) {
		let(placeBefore, 0, utf8.RuneSelf-1)
	}
	second, third := one.second, one.third
	if !asciiAlnum(form[0]) || !asciiAlnum(second) {
		let(placeSecond, 0, utf8.RuneSelf-1)
		third = ' '
	}
	for _, c := range [...]byte{second, upperByte(second), alike(second), upperByte(alike(second))} {
		let(placeSecond, c, c)
		b.thirds[c] &^= 1 << group // behind a hyphen, or a first letter of two bytes
	}
	for c := range b.thirds {
		if l := lowByte(byte(c)); !asciiAlnum(third) || l == third || l == alike(third) || l == 'e' { // Mueller for Müller
			b.thirds[c] &^= 1 << group
		}
	}
}

// alike is the other one of i and y: a stem may change between them ("dying", "die").
func alike(c byte) byte {
	switch c = lowByte(c); c {
	case 'i':
		return 'y'
	case 'y':
		return 'i'
	}
	return c
}

// upperByte is a letter in upper case, or a digit.
func upperByte(c byte) byte {
	if asciiLetter(c) {
		return c &^ 0x20
	}
	return c
}

// lowByte is a letter in lower case, or a digit.
func lowByte(c byte) byte {
	if asciiLetter(c) {
		return c | 0x20
	}
	return c
}

// byteAt is a byte of a text, or a blank before and behind it.
func byteAt(text string, at int) byte {
	if at < 0 || at >= len(text) {
		return ' '
	}
	return text[at]
}

// has reports whether a word that begins at a place may be wanted.
func (b *beginnings) has(text string, at int) bool {
	found := b.places[text[at]]<<wordGroups | b.places[byteAt(text, at+1)]
	return uint32(found>>placeSecond)|b.thirds[byteAt(text, at+2)] < groupBits
}

// find returns where from at on a wanted word may begin, or the end of the text.
func (b *beginnings) find(text string, at int) int {
	state := noneBegun | b.places[byteAt(text, at-1)]
	i := at
	for ; i+4 <= len(text); i += 4 { // four states that do not wait for each other take half the time
		next := text[i : i+4]
		a, b, c, d := b.places[next[0]], b.places[next[1]], b.places[next[2]], b.places[next[3]]
		ab, cd := a<<wordGroups|b, c<<wordGroups|d
		states := [...]uint64{state<<wordGroups | a, state<<(2*wordGroups) | ab, ab<<wordGroups | c, ab<<(2*wordGroups) | cd}
		if state = states[3]; states[0]&states[1]&states[2]&states[3] >= noneFound {
			continue
		}
		for k, one := range states {
			if one < noneFound && startsWord(text, i+k-1) {
				return i + k - 1
			}
		}
	}
	for ; i < len(text); i++ {
		if state = state<<wordGroups | b.places[text[i]]; state < noneFound && startsWord(text, i-1) {
			return i - 1
		}
	}
	if last := len(text) - 1; last >= at && b.has(text, last) && startsWord(text, last) {
		return last
	}
	return len(text)
}

// startsWord reports whether a letter is not within a word.
func startsWord(text string, at int) bool {
	if text[at] >= utf8.RuneSelf {
		if r, _ := utf8.DecodeRuneInString(text[at:]); classOf(r) != spacedLetter {
			return true
		}
	}
	for at > 0 {
		c := text[at-1]
		if c < utf8.RuneSelf {
			return !asciiAlnum(c)
		}
		r, size := utf8.DecodeLastRuneInString(text[:at])
		switch classOf(r) {
		case spacedLetter:
			return false
		case diacritic: // of the letter before
			at -= size
		default:
			return true
		}
	}
	return true
}

// atBoundary reports whether a word may begin here with a sign: after white space or
// an opening bracket, so that "e.g.", "a.b" and "x#y" are none.
func (t *tokenizer) atBoundary() bool {
	if t.at == 0 {
		return true
	}
	switch t.text[t.at-1] {
	case ' ', '\n', '\t', '\r', '(', '[', '{', '"', '\'', '/', ',', ';', ':', '-':
		return true
	}
	return false
}

// spacedWord reads a word of a script with spaces. It begins at start, perhaps with a sign.
func (t *tokenizer) spacedWord(start int) word {
	t.part = t.part[:0]
	if c := t.text[t.at]; c == '.' || c == '@' || c == '#' {
		t.at++
	}
	begin := t.at
	for t.at < len(t.text) {
		c := t.text[t.at]
		if c < utf8.RuneSelf {
			if asciiAlnum(c) {
				t.at++
				continue
			}
			if c == '.' && t.at > begin && asciiDigit(t.text[t.at-1]) && t.at+1 < len(t.text) && asciiDigit(t.text[t.at+1]) {
				t.at++ // 1.2 is one word
				continue
			}
			if (isJoiner(rune(c)) || c == '"' && t.inHebrew()) && t.letterAt(t.at+1) {
				t.part = append(t.part, span{begin, t.at})
				t.at++
				begin = t.at
				continue
			}
			break
		}
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		switch kind := classOf(r); {
		case kind == spacedLetter || kind == diacritic:
			t.at += size
			continue
		case (isJoiner(r) || r == zeroWidthNonJoiner && t.arabicAt(t.at+size)) && t.letterAt(t.at+size):
			t.part = append(t.part, span{begin, t.at})
			t.at += size
			begin = t.at
			continue
		case r == zeroWidthJoiner || r == zeroWidthNonJoiner:
			t.at += size
			continue
		}
		break
	}
	t.part = append(t.part, span{begin, t.at})
	// C++, C#, F#: signs that end the word, not the sentence.
	if end := t.at; end < len(t.text) && (t.text[end] == '+' || t.text[end] == '#') && end-begin <= 2 {
		for end < len(t.text) && end-t.at < 2 && t.text[end] == t.text[t.at] {
			end++
		}
		if !t.letterAt(end) && (t.text[t.at] == '#' || end-t.at == 2) {
			t.at = end
			t.part = append(t.part[:0], span{start, end})
		}
	}
	return word{span{start, t.at}, spaced, t.part}
}

// letterAt reports whether a letter or digit of a spaced script begins there.
func (t *tokenizer) letterAt(at int) bool {
	if at >= len(t.text) {
		return false
	}
	if c := t.text[at]; c < utf8.RuneSelf {
		return asciiAlnum(c)
	}
	r, _ := utf8.DecodeRuneInString(t.text[at:])
	return classOf(r) == spacedLetter
}

// inHebrew reports whether a sign stands between Hebrew letters, as the one of abbreviations does, which mostly is
// typed as a quotation mark.
func (t *tokenizer) inHebrew() bool {
	before, _ := utf8.DecodeLastRuneInString(t.text[:t.at])
	behind, _ := utf8.DecodeRuneInString(t.text[t.at+1:])
	return unicode.Is(unicode.Hebrew, before) && unicode.Is(unicode.Hebrew, behind)
}

// arabicAt reports whether an Arabic letter stands there. Before one, Persian joins the parts of a word by a non-joiner
// where others leave a space, or nothing.
func (t *tokenizer) arabicAt(at int) bool {
	r, _ := utf8.DecodeRuneInString(t.text[at:])
	return unicode.Is(unicode.Arabic, r)
}

// unspacedRun reads a run of one kind of unspaced script; its parts are its characters,
// each with the marks that belong to it.
func (t *tokenizer) unspacedRun() word {
	t.part = t.part[:0]
	start := t.at
	for t.at < len(t.text) {
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		class := classOf(r)
		if (class == diacritic || zeroWidthSpace <= r && r <= zeroWidthJoiner) && len(t.part) > 0 {
			t.at += size
			t.part[len(t.part)-1].end = t.at
			continue
		}
		if class != unspacedLetter {
			if t.namesAround(r, size) {
				t.at += size
				continue
			}
			break
		}
		t.part = append(t.part, span{t.at, t.at + size})
		t.at += size
	}
	return word{span{start, t.at}, unspaced, t.part}
}

// namesAround reports whether a character is the dot between names in Chinese and Japanese.
func (t *tokenizer) namesAround(r rune, size int) bool {
	switch r {
	case '·', '・', '･':
		before, _ := utf8.DecodeRuneInString(t.text[t.part[len(t.part)-1].start:])
		behind, _ := utf8.DecodeRuneInString(t.text[t.at+size:])
		return isHanOrKana(before) && isHanOrKana(behind)
	}
	return false
}

// isHanOrKana reports whether r is a letter of Chinese or Japanese.
func isHanOrKana(r rune) bool {
	return (0x3005 <= r && r <= 0x30FF || 0x3400 <= r && r <= 0x9FFF || 0xFF66 <= r && r <= 0xFF9F) && classOf(r) == unspacedLetter
}

// neighbours is the character i of an unspaced run with the one behind it, as lower does, without what stands between them.
func (w *word) neighbours(text string, i int, buf []byte) []byte {
	one, next := w.parts[i], w.parts[min(i+1, len(w.parts)-1)]
	if one.end >= next.start {
		return lower(text[one.start:next.end], buf)
	}
	return lowerUnicode(text[next.start:next.end], lower(text[one.start:one.end], buf))
}

// pictograph reads one emoji with its modifiers: skin tones, variation selectors, what
// zero width joiners tie to it, the second half of a flag.
func (t *tokenizer) pictograph() word {
	start := t.at
	first, size := utf8.DecodeRuneInString(t.text[t.at:])
	t.at += size
	flag := isRegional(first)
	for t.at < len(t.text) {
		r, size := utf8.DecodeRuneInString(t.text[t.at:])
		switch {
		case r == zeroWidthJoiner:
			t.at += size
			if next, size := utf8.DecodeRuneInString(t.text[t.at:]); classOf(next) == pictograph {
				t.at += size
			}
			continue
		case r == variationSelector || 0x1F3FB <= r && r <= 0x1F3FF, classOf(r) == diacritic:
			t.at += size
			continue
		case flag && isRegional(r):
			flag = false
			t.at += size
			continue
		}
		break
	}
	t.part = append(t.part[:0], span{start, t.at})
	return word{span{start, t.at}, symbol, t.part}
}

const (
	softHyphen         = '\u00AD'
	hyphen             = '\u2010'
	unbrokenHyphen     = '\u2011'
	zeroWidthSpace     = '\u200B'
	zeroWidthNonJoiner = '\u200C'
	zeroWidthJoiner    = '\u200D'
	wordJoiner         = '\u2060'
	variationSelector  = '\uFE0F'
	byteOrderMark      = '\uFEFF'
	maqaf              = '\u05BE' // the Hebrew hyphen
)

// isJoiner reports whether r holds the parts of one word together.
func isJoiner(r rune) bool {
	switch r {
	case '.', '_', '-', '&', '·', hyphen, unbrokenHyphen, maqaf: // the middle dot is Catalan
		return true
	}
	return isApostrophe(r)
}

// isApostrophe reports whether r joins what is left of words ("don't", "l'école", "об’єкт"), or the letters of Hebrew
// abbreviations.
func isApostrophe(r rune) bool {
	switch r {
	case '\'', '’', 'ʼ', 'ʻ', '׳', '״':
		return true
	}
	return false
}

func asciiLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func asciiDigit(c byte) bool  { return '0' <= c && c <= '9' }
func asciiAlnum(c byte) bool  { return asciiLetter(c) || asciiDigit(c) }

type class uint8

const (
	other class = iota
	spacedLetter
	unspacedLetter
	diacritic
	pictograph
)

// classOf sorts a character. Halfwidth and fullwidth forms are with what they stand for.
func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if asciiAlnum(byte(r)) {
			return spacedLetter
		}
		return other
	case 0x00C0 <= r && r <= 0x024F: // Latin
		if r == '×' || r == '÷' {
			return other
		}
		return spacedLetter
	case 0x0400 <= r && r <= 0x0481, 0x0621 <= r && r <= 0x063F, 0x0641 <= r && r <= 0x064A, 0x0904 <= r && r <= 0x0939: // Cyrillic, Arabic, Devanagari
		return spacedLetter
	case 0x4E00 <= r && r <= 0x9FFF, 0xAC00 <= r && r <= 0xD7A3, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA: // Han, Hangul, Kana
		return unspacedLetter
	case isMarkAlone(r):
		return diacritic
	case r == 'ʼ' || r == 'ʻ': // letters to Unicode
		return other
	case r < 0x0E00: // the rest of Latin, Greek, Cyrillic, Hebrew, Arabic, Indic
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return spacedLetter
		}
		if unicode.IsMark(r) {
			return diacritic
		}
		return other
	case 0x2000 <= r && r <= 0x206F: // punctuation
		return other
	case isUnspaced(r):
		if unicode.IsMark(r) || r == 'ﾞ' || r == 'ﾟ' || 0x1160 <= r && r <= 0x11FF { // also decomposed Hangul
			return diacritic
		}
		if unicode.IsDigit(r) {
			return spacedLetter
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unspacedLetter
		}
		return other
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return spacedLetter
	case unicode.IsMark(r):
		return diacritic
	case r >= 0x2190 && unicode.Is(unicode.So, r):
		return pictograph
	}
	return other
}

// isMarkAlone reports whether r is not seen, or is what Unicode has for a letter, though it only lengthens one (Arabic's tatweel)
// or shows a mark without one: nothing is left of it in a folded word.
func isMarkAlone(r rune) bool {
	return r == softHyphen || r == wordJoiner || r == byteOrderMark || r == 0x037A || r == 0x0640 || 0xFC5E <= r && r <= 0xFC63 || 0xFCF2 <= r && r <= 0xFCF4 || 0xFE70 <= r && r <= 0xFE7F
}

// isUnspaced reports whether r is of a script that writes no spaces between words, or
// (Hangul) puts particles behind them without one.
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

func isRegional(r rune) bool { return 0x1F1E6 <= r && r <= 0x1F1FF }

// lower returns a word in lower case and compatibility form (NFKC), with its accents.
// The buffer is used where it is needed.
func lower(s string, buf []byte) []byte {
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

func lowerUnicode(s string, buf []byte) []byte {
	for _, r := range s {
		if !composed(r) {
			if !norm.NFKC.IsNormalString(s) {
				s = norm.NFKC.String(s)
			}
			break
		}
	}
	for _, r := range s {
		if 0x3041 <= r && r <= 0xD7A3 { // without case
			buf = utf8.AppendRune(buf, r)
			continue
		}
		switch r {
		case 'İ': // its lower case is two characters, and no one types the second
			r = 'i'
		case 'ς':
			r = 'σ'
		case hyphen, unbrokenHyphen:
			r = '-'
		case softHyphen, zeroWidthSpace, zeroWidthNonJoiner, zeroWidthJoiner, wordJoiner, variationSelector, byteOrderMark, 'ـ': // also the Arabic tatweel
			continue
		default:
			r = unicode.ToLower(r)
		}
		buf = utf8.AppendRune(buf, r)
	}
	return buf
}

// composed reports whether r is one of the common characters that NFKC leaves alone
// wherever they stand, which spares most words the look at the tables.
func composed(r rune) bool {
	switch {
	case r < utf8.RuneSelf, 0x4E00 <= r && r <= 0x9FFF, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA, 0xAC00 <= r && r <= 0xD7A3:
		return true
	case 0x00C0 <= r && r <= 0x017E:
		return r < 0x0132 || r > 0x0133 && r < 0x013F || r > 0x0140 && r != 0x0149
	}
	return 0x0400 <= r && r <= 0x045F || 0x0621 <= r && r <= 0x064A
}

// fold takes from a word in lower case what people leave out when they type: accents of
// Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic. Marks of other scripts are
// letters in their own right and stay.
func fold(lowered []byte, buf []byte) []byte {
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
			case r == 'ى' || r == 'ی':
				r = 'ي'
			case r == 'ة':
				r = 'ه'
			case r == 'ک':
				r = 'ك'
			}
			buf = utf8.AppendRune(buf, european(r))
		default:
			buf = utf8.AppendRune(buf, european(r))
		}
	}
	return buf
}

// european returns the digit 0 to 9 for one of any script, and other characters as they are.
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

// spelledOut is how a letter without a decomposition is typed by those who lack it.
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
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ı':
		return "i"
	case 'þ':
		return "th"
	case 'ħ':
		return "h"
	}
	return ""
}

// joined appends the form of a compound without its joiners ("hotswap", "nodejs"), but
// with those between digits ("4.0" is not 40). lowered is the whole compound.
func joined(lowered []byte, buf []byte) []byte {
	buf = buf[:0]
	for at := 0; at < len(lowered); {
		r, size := utf8.DecodeRune(lowered[at:])
		end := at + size
		between := at > 0 && asciiDigit(lowered[at-1]) && end < len(lowered) && asciiDigit(lowered[end])
		if at == 0 || between && r < utf8.RuneSelf || !isJoiner(r) && r != '"' {
			buf = append(buf, lowered[at:end]...)
		}
		at = end
	}
	return buf
}

// stands reports whether part i of a word stands for itself: the "s" of "Bob's", the "t" of
// "don't" and the "l" of "l'école" do not. None of "it's" does.
func (w *word) stands(text string, i int) bool {
	if len(w.parts) == 1 {
		return true
	}
	p := w.parts[i]
	if runes(text[p.start:p.end]) > maxClitic {
		return true
	}
	apostrophe := func(r rune, _ int) bool { return isApostrophe(r) || r == '"' }
	switch i {
	case 0:
		return !apostrophe(utf8.DecodeRuneInString(text[p.end:]))
	case len(w.parts) - 1:
		if !apostrophe(utf8.DecodeLastRuneInString(text[:p.start])) {
			return true
		}
	default:
		return true
	}
	// Nothing is elided before one letter: "soʻz", "ім'я", "צה\"ל".
	return runes(text[p.start:p.end]) > 1 && elides(text[w.parts[i-1].start:w.parts[i-1].end]) && !isClitic(text[p.start:p.end])
}

// maxClitic is how many letters a part may have that does not stand for itself.
const maxClitic = 2

// elides reports whether a part is an article or the like, after which a word follows however short it is: "l'or", "dell'UE".
func elides(part string) bool {
	return runes(part) <= maxClitic || strings.HasSuffix(part, "ll") || strings.HasSuffix(part, "LL")
}

// isClitic reports whether a part is one that English puts behind words as short as those.
func isClitic(part string) bool {
	switch strings.ToLower(part) {
	case "d", "ll", "m", "re", "s", "t", "ve":
		return true
	}
	return false
}

package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Span is a range of bytes.
type Span struct{ Start, End int }

// Shifted returns the span as it is in a text with so many more bytes before it.
func (s Span) Shifted(bytes int) Span { return Span{s.Start + bytes, s.End + bytes} }

// Tokenizer finds the words of a text, one after another, for articles, queries and excerpts.
//
// A word is a run of letters, digits and marks. A single joiner, such as . _ - ' &, between two
// letters or digits joins the parts of a word ("node.js", "don't"); but digits with a dot between
// them are one part ("v1.2"). A slash joins numbers, as parts ("1/2"). A dot, @ or # before a word,
// and + or # after it, belong to it ("C++", ".NET", "@user").
//
// An apostrophe in a word of Cyrillic or Hebrew joins no parts, nor does the dot of Catalan between
// two l ("col·legi"), and invisible characters, such as the soft hyphen, do not end a word. A run
// of an unspaced script continues after a zero width space, and after the dot between the names of
// a foreigner in Chinese or Japanese.
type Tokenizer struct {
	Text string // the caller may cut it anywhere after the current word
	// Only, if not nil, says how words may begin. Other words are skipped, which saves most of the
	// time of an excerpt.
	Only *Beginnings

	// The current word, which [Tokenizer.Next] found.
	Span
	Class Class // Spaced, Unspaced or Pictograph
	// Parts are what a reader may take for separate words: the letters between joiners
	// ("hot-swap"), or the characters of an unspaced run. They are valid until the next word.
	Parts []Span

	at                   int
	thousandsEnd         int    // in a number whose thousands are set apart: the end of these, before decimals; else 0
	low, lowered, folded []byte // reused for each word
}

// Reset starts another text, and reuses the memory.
func (t *Tokenizer) Reset(text string) {
	*t = Tokenizer{Text: text, Parts: t.Parts, low: t.low, lowered: t.lowered, folded: t.folded}
}

// Next finds the next word, and reports whether there is one.
func (t *Tokenizer) Next() bool {
	t.thousandsEnd = 0
	for t.at < len(t.Text) {
		if t.Only != nil {
			from := t.at
			if t.at = t.Only.find(t.Text, from); t.at == len(t.Text) {
				break
			}
			t.at = t.beforeApostrophe(from)
		}
		c := t.Text[t.at]
		if c < utf8.RuneSelf {
			if asciiAlnum(c) || (c == '.' || c == '@' || c == '#') && t.at+1 < len(t.Text) && asciiLetter(t.Text[t.at+1]) && t.atBoundary() {
				t.spacedWord()
				return true
			}
			t.at++
			continue
		}
		r, size := utf8.DecodeRuneInString(t.Text[t.at:])
		switch ClassOf(r) {
		case Spaced:
			t.spacedWord()
			return true
		case Unspaced:
			t.unspacedRun()
			return true
		case Pictograph:
			t.pictograph()
			return true
		}
		t.at += size
	}
	return false
}

// beforeApostrophe returns where to begin reading for the word at t.at: t.at or, if an apostrophe
// joins it to earlier letters, the beginning of these, but not before from. The earlier letters
// decide whether it is a word: "or" in "l'or" is one, the "t" of "won't" is not.
func (t *Tokenizer) beforeApostrophe(from int) int {
	apostrophe, size := utf8.DecodeLastRuneInString(t.Text[from:t.at])
	if !isApostrophe(apostrophe) {
		return t.at
	}
	begin, at := t.at, t.at-size
	for at > from {
		r, size := utf8.DecodeLastRuneInString(t.Text[from:at])
		class := ClassOf(r)
		ofWord := class == Spaced || class == Diacritic || isNotSeen(r, t.Text[at:]) || !startsWord(t.Text, at) // such as the dot of 1.000'den
		if isFraction(r) || !ofWord {
			break
		}
		at -= size
		if class == Spaced {
			begin = at
		}
	}
	return begin
}

// atBoundary reports whether a word may begin here with a sign: after white space, some punctuation
// or an unspaced script; but not within "e.g.", "a.b" or "x#y".
func (t *Tokenizer) atBoundary() bool {
	if t.at == 0 {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(t.Text[:t.at])
	switch before {
	case '(', '[', '{', '"', '\'', '/', ',', ';', ':', '-':
		return true
	}
	return unicode.IsSpace(before) || ClassOf(before) == Unspaced ||
		before >= utf8.RuneSelf && unicode.IsPunct(before) && !isJoiner(before) && before != '…'
}

// spacedWord reads a word of a script with spaces, which may begin with a sign.
func (t *Tokenizer) spacedWord() {
	start := t.at
	t.Parts = t.Parts[:0]
	c := t.Text[t.at]
	if c == '.' || c == '@' || c == '#' {
		t.at++
	}
	begin, goesOn := t.at, true
	if asciiDigit(c) || c >= utf8.RuneSelf {
		begin, goesOn = t.fraction()
	}
	if asciiDigit(c) && goesOn {
		begin, goesOn = t.number()
	}
	for goesOn && t.at < len(t.Text) {
		c := t.Text[t.at]
		if c < utf8.RuneSelf {
			if asciiAlnum(c) {
				t.at++
				continue
			}
			if c == '.' && t.at > begin && asciiDigit(t.Text[t.at-1]) && t.at+1 < len(t.Text) && asciiDigit(t.Text[t.at+1]) {
				t.at++ // 1.2 is one word
				continue
			}
			if IsInner(t.Text, t.at) {
				t.at++
				continue
			}
			if isJoiner(rune(c)) && t.letterAt(t.at+1) {
				t.Parts = append(t.Parts, Span{begin, t.at})
				t.at++
				begin = t.at
				continue
			}
			break
		}
		r, size := utf8.DecodeRuneInString(t.Text[t.at:])
		switch kind := ClassOf(r); {
		case isFraction(r):
		case kind == Spaced || kind == Diacritic, t.times(t.at), IsInner(t.Text, t.at):
			t.at += size
			continue
		case isJoiner(r) && t.letterAt(t.at+size), r == zeroWidthNonJoiner && joinsArabic(t.Text[t.at+size:]):
			t.Parts = append(t.Parts, Span{begin, t.at})
			t.at += size
			begin = t.at
			continue
		case isNotSeen(r, t.Text[t.at+size:]):
			t.at += size
			continue
		}
		break
	}
	t.Parts = append(t.Parts, Span{begin, t.at})
	t.signs()
	t.Span, t.Class = Span{start, t.at}, Spaced
}

// signs adds to the last part of a word the signs after it that belong to it: C++, C#, F#.
func (t *Tokenizer) signs() {
	end, last := t.at, &t.Parts[len(t.Parts)-1]
	if after := end + len("♯"); strings.HasPrefix(t.Text[end:], "♯") && end-last.Start <= 2 && !t.letterAt(after) { // C♯ is typed C#
		t.at, last.End = after, after
		return
	}
	if end == len(t.Text) || t.Text[end] != '+' && t.Text[end] != '#' || end-last.Start > 2 {
		return
	}
	for end < len(t.Text) && end-t.at < 2 && t.Text[end] == t.Text[t.at] {
		end++
	}
	plus := t.Text[t.at] == '+'
	if end-t.at == 2 && plus && (!t.letterAt(end) || asciiDigit(t.Text[end])) || !plus && !t.letterAt(end) { // C++11
		t.at, last.End = end, end
	}
}

// letterAt reports whether a letter or digit of a spaced script begins at a place. The sign of a
// fraction does not count, since nothing joins it to others.
func (t *Tokenizer) letterAt(at int) bool {
	if at >= len(t.Text) {
		return false
	}
	if c := t.Text[at]; c < utf8.RuneSelf {
		return asciiAlnum(c)
	}
	r, _ := utf8.DecodeRuneInString(t.Text[at:])
	return ClassOf(r) == Spaced && !isFraction(r)
}

// IsInner reports whether the sign at a place of a text belongs to the word around it: an
// apostrophe in Cyrillic or Hebrew, where it marks a sound and joins no words ("об'єкт", "ג'ירפה");
// the dot between two l of Catalan ("col·legi"); the sign of Hebrew abbreviations, for which most
// people type a quotation mark; or the point or thousands separator of a number in the digits of
// another script ("१.५", "۱٫۵").
func IsInner(text string, at int) bool {
	r, size := utf8.DecodeRuneInString(text[at:])
	number := r == '.' || r == arabicPoint || r == arabicThousands
	if r != '"' && r != middleDot && !number && !isApostrophe(r) {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+size:])
	if number {
		return before >= utf8.RuneSelf && unicode.IsDigit(before) && unicode.IsDigit(after)
	}
	if r == middleDot {
		return before|0x20 == 'l' && after|0x20 == 'l'
	}
	both := func(script *unicode.RangeTable) bool {
		return unicode.Is(script, before) && unicode.Is(script, after) && ClassOf(after) == Spaced
	}
	return both(unicode.Hebrew) || r != '"' && both(unicode.Cyrillic)
}

// joinsArabic reports whether a zero width non-joiner before a text joins parts of a word, as
// before an Arabic letter: Persian has it where some people type a space, or nothing.
func joinsArabic(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.Is(unicode.Arabic, r) && ClassOf(r) == Spaced
}

// isNotSeen reports whether r, followed by the text after, only says how the letters around it are
// drawn.
func isNotSeen(r rune, after string) bool {
	return r == zeroWidthJoiner || r == zeroWidthNonJoiner && !joinsArabic(after)
}

// unspacedRun reads a run of unspaced scripts. Its parts are its characters, each with the marks
// that belong to it.
func (t *Tokenizer) unspacedRun() {
	t.Parts = t.Parts[:0]
	start := t.at
	before := rune(0)
	for t.at < len(t.Text) {
		r, size := utf8.DecodeRuneInString(t.Text[t.at:])
		class := ClassOf(r)
		ofLast := class == Diacritic || zeroWidthSpace <= r && r <= zeroWidthJoiner || amOf(before, r) > 0
		before = r
		if ofLast && len(t.Parts) > 0 {
			t.at += size
			t.Parts[len(t.Parts)-1].End = t.at
			continue
		}
		if class != Unspaced {
			if t.namesAround(r, size) {
				t.at += size
				continue
			}
			break
		}
		t.Parts = append(t.Parts, Span{t.at, t.at + size})
		t.at += size
	}
	t.Span, t.Class = Span{start, t.at}, Unspaced
}

// Shown returns a span of characters of an unspaced run with those that are shown as one with its
// first and its last.
func (t *Tokenizer) Shown(at Span) Span {
	tied := func(place int) bool {
		before, _ := utf8.DecodeLastRuneInString(t.Text[:place])
		after, _ := utf8.DecodeRuneInString(t.Text[place:])
		return Ties(before, after)
	}
	part := func(place int) int {
		n, _ := slices.BinarySearchFunc(t.Parts, place, func(p Span, place int) int { return p.Start - place })
		return n
	}
	for at.Start > t.Start && tied(at.Start) {
		at.Start = t.Parts[part(at.Start)-1].Start
	}
	for at.End < t.End && tied(at.End) {
		at.End = t.Parts[part(at.End)].End
	}
	return at
}

// namesAround reports whether a character is the dot between names in Chinese and Japanese.
func (t *Tokenizer) namesAround(r rune, size int) bool {
	switch r {
	case '·', '・', '･':
		before, _ := utf8.DecodeRuneInString(t.Text[t.Parts[len(t.Parts)-1].Start:])
		after, _ := utf8.DecodeRuneInString(t.Text[t.at+size:])
		return IsHanOrKana(before) && IsHanOrKana(after)
	}
	return false
}

// IsHanOrKana reports whether r is a letter of Chinese or Japanese.
func IsHanOrKana(r rune) bool {
	return (0x3005 <= r && r <= 0x30FF || 0x3400 <= r && r <= 0x9FFF || 0xFF66 <= r && r <= 0xFF9F) && ClassOf(r) == Unspaced
}

// pictograph reads one emoji with its modifiers: skin tones, variation selectors, what
// zero width joiners tie to it, the second half of a flag.
func (t *Tokenizer) pictograph() {
	start := t.at
	first, size := utf8.DecodeRuneInString(t.Text[t.at:])
	t.at += size
	flag := isRegional(first)
	for t.at < len(t.Text) {
		r, size := utf8.DecodeRuneInString(t.Text[t.at:])
		switch {
		case r == zeroWidthJoiner:
			t.at += size
			if next, size := utf8.DecodeRuneInString(t.Text[t.at:]); ClassOf(next) == Pictograph {
				t.at += size
			}
			continue
		case r == variationSelector, isSkinTone(r), ClassOf(r) == Diacritic:
			t.at += size
			continue
		case flag && isRegional(r):
			flag = false
			t.at += size
			continue
		}
		break
	}
	t.Parts = append(t.Parts[:0], Span{start, t.at})
	t.Span, t.Class = Span{start, t.at}, Pictograph
}

package index

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// The automata select terms of a dictionary: those that are a few edits away from a word, and those
// that fold to a word.

// nowhere is the state from which no term can be reached.
const nowhere = -1

// typoAutomaton accepts the terms that are at most a number of edits away from a word. An edit
// inserts, deletes or replaces a letter, or swaps two neighbours. It rejects terms that cannot be
// meant: terms with other digits or dots than the word (2.1 is no typo of 2.2), and pairs of
// unspaced characters, which outnumber the words of a site in Chinese. It fails when the context of
// the search ends, because many terms may be tried before one is accepted.
//
// It fills a table of edit distances (optimal string alignment: Damerau and Levenshtein's, but no
// letter is edited twice) with a row for each letter of a term and a column for each letter of the
// word; in each row it fills only the band around the diagonal where the edits may be few enough
// (Ukkonen 1985). Terms come in ascending order, so each shares its first rows with the term before
// it, and these rows are kept. A state is the number of bytes of the term so far, which is also the
// index of its row.
type typoAutomaton struct {
	word   []rune
	most   int    // the most edits that are accepted
	digits string // the digits of the word and its dots, in order
	rows   []typoRow
	ctx    context.Context
	steps  int // bytes so far; ctx is checked at every 256th
}

// typoRow is the row of a state: what is known of a term up to that state. A term is read byte by
// byte, so its last letter may be incomplete.
type typoRow struct {
	letters int  // the number of complete letters
	last    rune // the last letter, as far as it was read
	wants   int  // how many bytes the last letter lacks
	whole   int  // the state after the last complete letter
	before  int  // the state after the complete letter before that
	digits  int  // how many of the word's digits and dots it has had
	// costs has, at 1+n, the edits from the complete letters to the first n letters of the word.
	// Only the band is filled, and one cell on each side of it, which says too many edits.
	costs [maxTermLetters + 3]uint8
}

func newTypoAutomaton(ctx context.Context, word string, edits int) *typoAutomaton {
	a := &typoAutomaton{word: []rune(word), most: edits, digits: digitsOf(word), ctx: ctx, rows: make([]typoRow, 1, 2*len(word))}
	tooMany := uint8(edits + 1)
	first := &a.rows[0].costs
	first[0] = tooMany
	for j := range min(len(a.word), edits) + 1 {
		first[1+j], first[2+j] = uint8(j), tooMany
	}
	return a
}

// digitsOf returns the digits of a word and its dots, in order.
func digitsOf(word string) string {
	return strings.Map(func(r rune) rune {
		if r != '.' && (r < '0' || r > '9') {
			return -1
		}
		return r
	}, word)
}

func (a *typoAutomaton) Start() int               { return 0 }
func (a *typoAutomaton) CanMatch(state int) bool  { return state != nowhere }
func (a *typoAutomaton) WillAlwaysMatch(int) bool { return false }
func (a *typoAutomaton) IsMatch(state int) bool {
	row := &a.rows[state]
	return row.wants == 0 && row.digits == len(a.digits) && a.edits(state) <= a.most
}

// edits returns the edit distance between the word and the term that led to a state, or most+1 if
// it is larger than most.
func (a *typoAutomaton) edits(state int) int {
	row := &a.rows[state]
	if apart := row.letters - len(a.word); apart < -a.most || apart > a.most {
		return a.most + 1
	}
	return int(row.costs[1+len(a.word)])
}

func (a *typoAutomaton) Accept(state int, b byte) int {
	if a.steps++; a.steps&0xFF == 0 {
		must(a.ctx.Err())
	}
	if state == 0 && beginsPair(b) {
		return nowhere
	}
	next := state + 1
	if next == len(a.rows) {
		a.rows = append(a.rows, typoRow{})
	}
	from, to := &a.rows[state], &a.rows[next]
	if to.digits = from.digits; isDigit(b) || b == '.' {
		if to.digits == len(a.digits) || a.digits[to.digits] != b {
			return nowhere
		}
		to.digits++
	}
	letter, wants := rune(b), 0
	switch {
	case from.wants > 0:
		letter, wants = from.last<<6|rune(b&0x3F), from.wants-1
	case b >= 0xF0:
		letter, wants = rune(b&0x07), 3
	case b >= 0xE0:
		letter, wants = rune(b&0x0F), 2
	case b >= 0xC0:
		letter, wants = rune(b&0x1F), 1
	}
	to.last, to.wants = letter, wants
	to.letters, to.whole, to.before = from.letters, from.whole, from.before
	if wants > 0 {
		return next
	}
	last := &a.rows[from.whole]
	before := &a.rows[last.before]
	to.letters, to.whole, to.before = last.letters+1, next, from.whole
	if !a.compare(before, last, to) {
		return nowhere
	}
	return next
}

// compare fills the costs of the row of a complete letter from those of the two letters before it.
// It reports whether a term that continues from this row may still be accepted.
func (a *typoAutomaton) compare(before, last, to *typoRow) bool {
	letter, tooMany := to.last, uint8(a.most+1)
	least, first, final := tooMany, max(0, to.letters-a.most), min(len(a.word), to.letters+a.most)
	to.costs[first] = tooMany
	for j := first; j <= final; j++ {
		cost := tooMany
		switch {
		case j == 0:
			cost = uint8(to.letters)
		case a.word[j-1] == letter:
			cost = last.costs[j]
		default:
			cost = min(tooMany, 1+min(last.costs[j], last.costs[1+j], to.costs[j]))
			if j > 1 && a.word[j-2] == letter && a.word[j-1] == last.last && last.letters > 0 {
				cost = min(cost, 1+before.costs[j-1])
			}
		}
		to.costs[1+j] = cost
		least = min(least, cost)
	}
	to.costs[final+2] = tooMany
	return least < tooMany
}

// beginsPair reports whether a byte begins the UTF-8 form of a character of Kana, Han or Hangul,
// which the index has in pairs, and not that of a letter of spaced words.
func beginsPair(b byte) bool { return 0xE3 <= b && b <= 0xED && b != 0xEA }

// spellingAutomaton accepts the terms that fold to a word. A state is the number of bytes of the
// term so far, as in typoAutomaton.
type spellingAutomaton struct {
	word string
	rows []spellingRow
}

// spellingRow is what is known of a term up to a state.
type spellingRow struct {
	folded int    // how many bytes of the word the complete letters fold to
	letter []byte // the incomplete letter after them
}

func newSpellingAutomaton(word string) *spellingAutomaton {
	return &spellingAutomaton{word, make([]spellingRow, 1)}
}

func (a *spellingAutomaton) Start() int               { return 0 }
func (a *spellingAutomaton) CanMatch(state int) bool  { return state != nowhere }
func (a *spellingAutomaton) WillAlwaysMatch(int) bool { return false }
func (a *spellingAutomaton) IsMatch(state int) bool {
	return state != nowhere && a.rows[state].folded == len(a.word) && len(a.rows[state].letter) == 0
}

func (a *spellingAutomaton) Accept(state int, b byte) int {
	from, next := a.rows[state], state+1
	letter := append(slices.Clone(from.letter), b)
	if utf8.FullRune(letter) {
		folded := analysis.Fold(letter, nil)
		if !strings.HasPrefix(a.word[from.folded:], string(folded)) {
			return nowhere
		}
		from.folded, letter = from.folded+len(folded), nil
	}
	a.rows = append(a.rows[:next], spellingRow{from.folded, letter})
	return next
}

package index

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"math/bits"
	"slices"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// A sequence is the words of an article in order; other engines keep positions in their postings
// instead. Phrases are searched in it because unpacking and reading a text takes some twenty times
// as long, and thousands of articles may have the words of a phrase.
//
// It begins with how its codes were made: their width, the number of salts, and the salts. The
// codes of the words follow, and a zero code ends each of the texts. The code of a form is a hash
// of it with the salt of its group. Salts are chosen so that no two forms of the article have the
// same code, as "hash and displace" makes a perfect hash (Belazzougui, Botelho and Dietzfelbinger
// 2009). So if the postings tell that an article has all words of a phrase, their codes next to
// each other can only be the phrase.
type sequence []byte

// Widths of codes, in bytes.
const (
	minCodeWidth = 2
	maxCodeWidth = 4
)

const (
	// groupForms is how many forms share a salt: few enough that codes of two bytes do for some
	// thousand forms.
	groupForms = 16
	// maxSalts bounds the number of salts, and each salt is below it.
	maxSalts = 255
)

// spread is 2⁶⁴ divided by the golden ratio: multiplying a hash by it moves all bits upwards
// (Knuth, 6.4).
const spread = 0x9E3779B97F4A7C15

// coding is a way to code forms.
type coding struct {
	width int
	salts []byte
}

// group returns the group of a form by its hash.
func (c coding) group(hash uint64) int {
	group, _ := bits.Mul64(bits.RotateLeft64(hash, 32)*spread, uint64(len(c.salts))) // by other bits of the hash than the code
	return int(group)
}

// code returns the code of a form by its hash. It is never zero.
func (c coding) code(hash uint64) uint32 {
	salt := uint64(c.salts[c.group(hash)])
	code, _ := bits.Mul64(hash*(spread*(2*salt+1)), 1<<(8*c.width)-1)
	return uint32(code + 1)
}

// appendCode appends the bytes of a code.
func (c coding) appendCode(b []byte, code uint32) []byte {
	var all [maxCodeWidth]byte
	binary.BigEndian.PutUint32(all[:], code)
	return append(b, all[maxCodeWidth-c.width:]...)
}

// hashForm returns the 64-bit FNV-1a hash of a form, which is the same on every machine.
func hashForm(form []byte) uint64 {
	hash := fnv.New64a()
	hash.Write(form)
	return hash.Sum64()
}

// sequencer makes the sequences of articles, one after another, and remembers their forms. The
// place of a form is its number in the table plus one.
type sequencer struct {
	forms     *table
	hashes    []uint64 // of forms, by number
	frequent  frequent
	common    []string          // by place: the form, if it is frequent; else ""
	terms     *fieldTerms       // of fieldPairs; see pair and word
	pairs     map[[2]int]uint32 // the terms of neighbours that are both frequent, by their places
	tokenizer analysis.Tokenizer
	// characters are the places of the characters that were met last. The last bits of a code point
	// choose its slot.
	characters [1 << 12]struct {
		character rune
		at        int
	}

	// The following fields are about the current article.
	here       []int    // the places of its forms
	met        []bool   // whether a form is among them, by place
	order      []int    // the places of the forms of its texts; 0 ends a text
	last       int      // the last element of order
	neighbours []uint64 // the hashes of neighbours that are not both frequent
	codes      []uint32 // by place
	groups     [][]int  // of places
	seen       codeSet
}

func newSequencer(f frequent, terms *fieldTerms) *sequencer {
	return &sequencer{
		forms:    newTable(),
		frequent: f,
		common:   []string{""},
		met:      []bool{true},
		codes:    []uint32{0},
		terms:    terms,
		pairs:    map[[2]int]uint32{},
	}
}

// reset removes all forms.
func (s *sequencer) reset() {
	s.next()
	s.forms.reset()
	clear(s.pairs)
	clear(s.characters[:])
	s.hashes, s.common, s.met, s.codes = s.hashes[:0], s.common[:1], s.met[:1], s.codes[:1]
}

// next begins another article.
func (s *sequencer) next() {
	for _, at := range s.here {
		s.met[at] = false
	}
	s.here, s.order, s.last, s.neighbours = s.here[:0], s.order[:0], 0, s.neighbours[:0]
}

// follow adds the next form of a text.
func (s *sequencer) follow(at int) {
	s.meet(at)
	s.order = append(s.order, at)
	switch {
	case s.common[s.last] != "" && s.common[at] != "":
		s.pair([2]int{s.last, at})
	case s.last > 0:
		s.neighbours = append(s.neighbours, hashPair(s.hashes[s.last-1], s.hashes[at-1]))
	}
	s.last = at
}

// end ends a text.
func (s *sequencer) end() {
	s.order, s.last = append(s.order, 0), 0
}

// pair counts the term of two neighbours that are both frequent.
func (s *sequencer) pair(places [2]int) {
	n, known := s.pairs[places]
	if !known {
		n = s.terms.number([]byte(pairTerm(s.common[places[0]], s.common[places[1]])))
		s.pairs[places] = n
	}
	s.terms.count(n, 1)
}

// meet adds a form to those that get a code. It need not be in the sequence.
func (s *sequencer) meet(at int) {
	if !s.met[at] {
		s.met[at] = true
		s.here = append(s.here, at)
	}
}

// each visits the forms of a text by which phrases are compared.
func (s *sequencer) each(text string, visit func(at int)) {
	t := &s.tokenizer
	for t.Reset(text); t.Next(); {
		s.word(t, visit)
	}
}

// word visits the forms of the tokenizer's current word. It counts as terms those that are only
// parts of a word and not words themselves, because they have no other term.
func (s *sequencer) word(t *analysis.Tokenizer, visit func(at int)) {
	for i := range t.Parts {
		if t.Class == analysis.Unspaced {
			visit(s.character(t, i))
			continue
		}
		at := s.place(t.Folded(i))
		if t.Class == analysis.Spaced && !t.Stands(i) {
			s.terms.count(s.terms.number(s.forms.at(uint32(at-1))), 1)
		}
		visit(at)
	}
}

// character returns the place of a character of an unspaced run. Nearly all are among a few
// thousand characters, so few have to be folded again.
func (s *sequencer) character(t *analysis.Tokenizer, part int) int {
	text := t.Text[t.Parts[part].Start:t.Parts[part].End]
	r, size := utf8.DecodeRuneInString(text)
	if size < len(text) {
		return s.place(t.Folded(part)) // it has marks
	}
	met := &s.characters[int(r)%len(s.characters)]
	if met.character != r {
		met.character, met.at = r, s.place(t.Folded(part))
	}
	return met.at
}

// place returns the place of a form.
func (s *sequencer) place(folded []byte) int {
	n, added := s.forms.number(folded)
	if added {
		common := ""
		if s.frequent[string(folded)] {
			common = string(folded)
		}
		s.hashes, s.common = append(s.hashes, hashForm(folded)), append(s.common, common)
		s.met, s.codes = append(s.met, false), append(s.codes, 0)
	}
	return int(n) + 1
}

// value returns the value of fieldOrder: the size of the neighbours (4 bytes), the neighbours, and
// the sequence of what was added. It is empty if there is no sequence.
func (s *sequencer) value() []byte {
	order := s.sequence()
	if len(order) == 0 {
		return nil
	}
	near := newNeighbours(s.neighbours)
	value := binary.BigEndian.AppendUint32(nil, uint32(len(near)))
	return append(append(value, near...), order...)
}

// splitOrder is the inverse of value.
func splitOrder(value []byte) (neighbours, sequence) {
	size, rest := binary.BigEndian.Uint32(value), value[4:]
	return neighbours(rest[:size]), sequence(rest[size:])
}

// sequence returns the sequence of what was added. It is empty if no salts are found, for example
// because two forms have the same hash; then phrases are searched in the text.
func (s *sequencer) sequence() sequence {
	for width := minCodeWidth; width <= maxCodeWidth; width++ {
		c := coding{width, make([]byte, min(len(s.here)/groupForms+1, maxSalts))}
		if !s.encode(c) {
			continue
		}
		made := append(make(sequence, 0, 2+len(c.salts)+width*len(s.order)), byte(width), byte(len(c.salts)))
		made = append(made, c.salts...)
		for _, at := range s.order {
			made = c.appendCode(made, s.codes[at])
		}
		return made
	}
	return nil
}

// encode chooses the salts and makes the codes of all forms, and reports whether all codes differ.
func (s *sequencer) encode(c coding) bool {
	s.seen.empty(len(s.here))
	for len(s.groups) < len(c.salts) {
		s.groups = append(s.groups, nil)
	}
	for g := range c.salts {
		s.groups[g] = s.groups[g][:0]
	}
	for _, at := range s.here {
		g := c.group(s.hashes[at-1])
		s.groups[g] = append(s.groups[g], at)
	}
	for g := range c.salts {
		for !s.encodeGroup(c, s.groups[g]) {
			if c.salts[g]++; c.salts[g] == maxSalts {
				return false
			}
		}
		for _, at := range s.groups[g] {
			s.seen.add(s.codes[at])
		}
	}
	return true
}

// encodeGroup makes the codes of the forms of a group, and reports whether they differ from each
// other and from all earlier ones.
func (s *sequencer) encodeGroup(c coding, group []int) bool {
	for i, at := range group {
		code := c.code(s.hashes[at-1])
		if s.seen.has(code) || slices.ContainsFunc(group[:i], func(other int) bool { return s.codes[other] == code }) {
			return false
		}
		s.codes[at] = code
	}
	return true
}

// codeSet is a set of codes that can be emptied quickly.
type codeSet struct {
	slots []uint64 // by the low bits of a code: the round in which it was added (upper 32 bits), and the code
	round uint64
}

// empty removes all codes, and makes room for as many codes as most.
func (s *codeSet) empty(most int) {
	if s.round++; len(s.slots) < 2*most {
		s.slots = make([]uint64, 4<<bits.Len(uint(most)))
	}
}

// place returns the slot in which a code is, or would be.
func (s *codeSet) place(code uint32) int {
	at := int(code) & (len(s.slots) - 1)
	for s.slots[at]>>32 == s.round && uint32(s.slots[at]) != code {
		at = (at + 1) & (len(s.slots) - 1)
	}
	return at
}

func (s *codeSet) has(code uint32) bool { return s.slots[s.place(code)] == s.round<<32|uint64(code) }

func (s *codeSet) add(code uint32) { s.slots[s.place(code)] = s.round<<32 | uint64(code) }

// has reports whether the forms with some hashes are next to each other in the sequence. It looks
// for the rarest first, whose index in the phrase is given.
func (q sequence) has(hashes []uint64, rarest int) bool {
	end := 2 + int(q[1])
	c := coding{int(q[0]), q[2:end]}
	var few [8 * maxCodeWidth]byte
	wanted := few[:0]
	for _, hash := range hashes {
		wanted = c.appendCode(wanted, c.code(hash))
	}
	codes, before := q[end:], rarest*c.width
	for at := before; at < len(codes); at++ {
		next := bytes.IndexByte(codes[at:], wanted[before])
		if next < 0 {
			return false
		}
		at += next
		if first := at - before; bytes.HasPrefix(codes[first:], wanted) && first%c.width == 0 {
			return true
		}
	}
	return false
}

// frequent is a set of folded words that are in too many articles to read all their sequences. Two
// neighbours that are both frequent are a term, which answers a phrase of the two at once, and
// narrows down a longer phrase. The words are chosen when an index is built; no answer depends on
// the choice.
type frequent map[string]bool

const (
	// A word is frequent if more than one in frequentShare articles has it. English has some three
	// hundred such words, and every fourth pair of neighbours in an article is a pair of them.
	frequentShare = 5
	// maxFrequent bounds the words for which pairs are written, in case a site repeats itself.
	maxFrequent = 400
)

// frequentOf chooses the frequent words of a site from a sample of its texts.
func frequentOf(texts []string) frequent {
	found := map[string]int{}
	s := newSequencer(nil, newFieldTerms())
	for _, text := range texts {
		s.next()
		s.each(text, s.meet)
		for _, at := range s.here {
			if form := s.forms.at(uint32(at - 1)); !isUnspaced(sharing(form)) { // pairs of characters are terms anyway
				found[string(form)]++
			}
		}
	}
	least := max(rareArticles, len(texts)/frequentShare)
	words := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(found[b]-found[a], cmp.Compare(a, b)) })
	chosen := frequent{}
	for _, word := range words[:min(len(words), maxFrequent)] {
		if found[word] > least {
			chosen[word] = true
		}
	}
	return chosen
}

// pairTerm returns the term of two neighbours.
func pairTerm(first, second string) string { return first + " " + second }

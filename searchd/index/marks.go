package index

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// marksOf returns the marks of a document's text. They are valid until the next call.
func (m *marker) marksOf(doc uint32, text string) []mark {
	m.read(doc)
	if marks, ok := m.seen[doc]; ok {
		return marks
	}
	m.want(doc)
	marks := m.marks(text)
	m.wanted = m.wanted[:0]
	return marks
}

// read says which document the following texts belong to. Their words have stems in its language
// only, because in another language other words may have the same stems.
func (m *marker) read(doc uint32) {
	m.doc = doc
	m.langs, m.all = m.langs[:0], false
	codes := ""
	for _, l := range m.finder.langs {
		if len(m.finder.langs) == 1 || m.finder.written[l.Code].has(doc) {
			m.langs = append(m.langs, l)
			m.all = m.all || l.BeginsOtherwise()
			codes += l.Code + " "
		}
	}
	if m.asked = m.askedIn[codes]; m.asked == nil {
		m.asked = map[string]metWord{}
		m.askedIn[codes] = m.asked
	}
}

// maxKeptMarks is how many marks keep stores. A page of articles has a few hundred; texts that
// repeat the words of the query throughout are read twice.
const maxKeptMarks = 10_000

// keep stores the marks of a document for later calls of marksOf, unless there are too many, and
// returns them.
func (m *marker) keep(doc uint32, marks []mark) []mark {
	at := len(m.kept)
	if at+len(marks) > maxKeptMarks {
		return marks
	}
	m.kept = append(m.kept, marks...)
	m.seen[doc] = m.kept[at:len(m.kept):len(m.kept)]
	return m.seen[doc]
}

// marks returns the matching places of a text, in order. They are valid until the next call.
func (m *marker) marks(text string) []mark {
	m.found, m.until = m.found[:0], 0
	t := &m.tokenizer
	t.Reset(text)
	if !m.all {
		t.Only = m.begins
	}
	end := len(text)
	for len(m.found) < maxMarks && t.Next() && t.Start < end {
		first := len(m.found)
		m.word(t)
		for len(m.found) > first && m.found[len(m.found)-1].Start >= end {
			m.found = m.found[:len(m.found)-1]
		}
		found := len(m.found) > first
		if found {
			first = m.settle(first)
		}
		slow := m.all && t.Start > enoughSlowBytes && m.tells()
		if len(m.wanted) > 0 && (slow || found && m.enough(first)) {
			m.wanted = m.wanted[:0]
			end = readOn(t)
		}
	}
	m.settle(len(m.found))
	return m.found
}

// word marks what matches in the tokenizer's current word.
func (m *marker) word(t *analysis.Tokenizer) {
	switch {
	case t.Class == analysis.Unspaced:
		m.run(t)
	case t.Class == analysis.Pictograph:
		if means, ok := m.pairs[string(analysis.Lower(t.Text[t.Start:t.End], m.low))]; ok {
			m.add(t.Span, means)
		}
	case t.Simple():
		m.part(t.Text, t.Span)
	default:
		m.compound(t)
	}
}

// readOn lets the tokenizer read only enoughBytes further, to the end of a word, and returns the
// place from which on marks are dropped.
func readOn(t *analysis.Tokenizer) int {
	end := min(len(t.Text), t.End+enoughBytes)
	if white := strings.IndexAny(t.Text[end:], " \n"); white >= 0 { // no word extends across it
		t.Text = t.Text[:end+white]
	}
	return end
}

// enoughBytes is how many bytes are read after a passage that shows all of the query that the text
// has. A better passage may follow, but few articles keep their best for the end.
const enoughBytes = 2000

// enoughSlowBytes is how far a text is read in which all words must be read, if it has shown a word
// of the query by then: reading all words takes ten times as long, and a page may have a hundred
// texts of books.
const enoughSlowBytes = 64 << 10

// maxMarks ends the reading of a text that repeats the words of the query again and again: that
// many marks show it well enough, and each takes memory.
const maxMarks = 10_000

// want sets wanted to the clauses that a document has, except optional ones.
func (m *marker) want(doc uint32) {
	f := m.finder
	m.wanted, m.last = m.wanted[:0], m.last[:0]
	for i, c := range f.query.clauses {
		m.last = append(m.last, -passageRunes)
		if !c.optional && f.having[i].has(doc) {
			m.wanted = append(m.wanted, i)
		}
	}
}

// enough reports whether the marks from index from on complete a passage with all wanted clauses.
func (m *marker) enough(from int) bool {
	for _, one := range m.found[from:] {
		for clause := one.first; clause <= one.last; clause++ {
			m.last[clause] = one.Start
		}
	}
	end := m.found[len(m.found)-1].End
	return !slices.ContainsFunc(m.wanted, func(i int) bool { return end-m.last[i] > passageRunes })
}

// settle drops the mark before index from if it is of an optional word that neither leans on an
// earlier mark nor leads to the next one: "the" is worth a mark only beside a word that tells more,
// or in a run of optional words, in the order of the query, that ends beside one. The marks that
// led to it are dropped, too. settle returns the new index of the mark at from.
func (m *marker) settle(from int) int {
	if from == 0 || !m.optional(from-1) || m.leans(from-1) || m.touches(from) && (!m.optional(from) || m.follows(from)) {
		return from
	}
	first := from - 1
	for m.touches(first) && m.follows(first) {
		first--
	}
	m.found = append(m.found[:first], m.found[from:]...)
	return first
}

// tells reports whether a mark is of a word that is not optional. So is the first mark, or one of
// few that lead to it.
func (m *marker) tells() bool {
	for i := range m.found {
		if !m.optional(i) {
			return true
		}
	}
	return false
}

// leans reports whether the mark at i touches the one before it, and that is of a word that is not
// optional, or comes directly before in the query and leans itself.
func (m *marker) leans(i int) bool {
	return m.touches(i) && (!m.optional(i-1) || m.follows(i) && m.leans(i-1))
}

// touches reports whether at most one byte is between the mark at i and the one before it.
func (m *marker) touches(i int) bool {
	return 0 < i && i < len(m.found) && m.found[i].Start-m.found[i-1].End <= 1
}

// follows reports whether the word of the mark at i comes directly after that of the mark before it
// in the query.
func (m *marker) follows(i int) bool { return m.found[i].first == m.found[i-1].last+1 }

func (m *marker) optional(i int) bool { return m.finder.query.clauses[m.found[i].clause].optional }

// compound marks a word of several parts: as a whole, if that matches; otherwise its smaller
// compounds and its parts, as far as they match; otherwise as a whole by its beginning (see begun).
func (m *marker) compound(t *analysis.Tokenizer) {
	begun := nothing
	if whole := t.Whole(); whole != nil && t.Start >= m.until {
		m.folded = analysis.Fold(whole, m.folded)
		if m.add(t.Span, m.meaningOfWhole(m.folded)) {
			return
		}
		begun = m.begun(m.folded)
	}
	before, next := len(m.found), 0 // next: the first part that is not marked yet
	parts := func(end int) {
		for ; next < len(t.Parts) && t.Parts[next].Start < end; next++ {
			if t.Stands(next) {
				m.part(t.Text, t.Parts[next])
			}
		}
	}
	t.Compounds(func(whole []byte, at analysis.Span) {
		m.folded = analysis.Fold(whole, m.folded)
		means, ok := m.known[string(m.folded)]
		if parts(at.Start); ok && m.add(at, means) {
			for next < len(t.Parts) && t.Parts[next].Start < at.End {
				next++
			}
		}
	})
	parts(t.End)
	if len(m.found) == before {
		m.add(t.Span, begun)
	}
}

// add marks a place if its meaning counts in the document, and reports whether it does.
func (m *marker) add(at analysis.Span, means meaning) bool {
	if means == nothing || !m.counts(means) {
		return false
	}
	m.found = append(m.found, mark{at, means})
	return true
}

// counts reports whether a meaning counts in the current document: a loose one does only if the
// document has no full form of its clause.
func (m *marker) counts(means meaning) bool {
	return !means.loose || m.finder.loose[means.clause].has(m.doc)
}

// meaningOfWhole returns the meaning of a compound as one folded word. That word may be a stem:
// borrowcheck, of borrow-check, is the stem of borrowchecker.
func (m *marker) meaningOfWhole(folded []byte) meaning {
	if means, ok := m.known[string(folded)]; ok {
		return means
	}
	for _, l := range m.langs {
		if means, ok := m.stems[stem{l.Code, string(folded)}]; ok {
			return means
		}
	}
	if means, ok := m.alike[string(folded)]; ok {
		return means
	}
	return nothing
}

// part marks a part of a word if it matches, or the words from it on that have a meaning together.
func (m *marker) part(text string, p analysis.Span) {
	if p.Start < m.until || !m.mayMatch(text, p) {
		return
	}
	word := text[p.Start:p.End]
	met, ok := m.asked[word]
	if !ok {
		met = m.meet(word)
		m.remember(word, met)
	}
	if met.begins && m.speaks(text, p) {
		return
	}
	m.add(p, met.meaning)
}

// maxAsked bounds the words that are remembered for a set of languages. A page of articles has a
// few hundred that begin like the query; with "0x" in the query, a dump of addresses has any
// number.
const maxAsked = 10_000

// remember stores what is known of a word, unless the word is so long that it will hardly occur
// again.
func (m *marker) remember(word string, met metWord) {
	if tooLong(word) {
		return
	}
	if len(m.asked) == maxAsked {
		clear(m.asked)
	}
	m.asked[strings.Clone(word)] = met
}

// meet works out the meaning of a word that is not remembered.
func (m *marker) meet(word string) (met metWord) {
	m.low = analysis.Lower(word, m.low)
	m.folded = analysis.Fold(m.low, m.folded)
	_, met.begins = m.spoken[string(m.folded)]
	var ok bool
	if met.meaning, ok = m.known[string(m.folded)]; !ok {
		met.meaning = m.ask(m.low, m.folded)
	}
	return met
}

// speaks marks the words from p on if they have a meaning together, and reports whether they do.
func (m *marker) speaks(text string, p analysis.Span) bool {
	m.low = analysis.Lower(text[p.Start:p.End], m.low)
	m.folded = analysis.Fold(m.low, m.folded)
	before := len(m.found)
	for _, one := range m.spoken[string(m.folded)] {
		if m.follow(text, p.Start, one) {
			m.until = m.found[len(m.found)-1].End
			return true
		}
		m.found = m.found[:before]
	}
	return false
}

// follow marks the words of a text from a place on while they are the spoken ones, and reports
// whether it has met all of these.
func (m *marker) follow(text string, at int, one spoken) bool {
	t := &m.ahead
	n := 0
	for t.Reset(text[at:]); t.Next(); {
		for i, p := range t.Parts {
			if string(t.Folded(i)) != one.words[n] {
				return false
			}
			m.found = append(m.found, mark{p.Shifted(at), one.meaning})
			if n++; n == len(one.words) {
				return true
			}
		}
	}
	return false
}

// mayMatch reports whether a part of a word may match the query, judging by how it begins.
func (m *marker) mayMatch(text string, p analysis.Span) bool {
	if m.all {
		return true
	}
	if text[p.Start] < utf8.RuneSelf {
		return m.begins.Has(text, p.Start)
	}
	// Stemmers leave the first letter alone, except those for which all is set, those of Arabic and
	// Hebrew, which remove prefixes, and that of Hindi, which treats some vowels as the same. Words
	// in these scripts have such stems in articles in any language. (For Dutch, see mayBegin.)
	r, size := utf8.DecodeRuneInString(text[p.Start:])
	if 0x0590 <= r && r < 0x0800 || 0x0904 <= r && r <= 0x0914 || r == 0x0972 {
		return true
	}
	may, ok := m.firsts[r]
	if !ok {
		m.low = analysis.Lower(text[p.Start:p.Start+size], m.low)
		m.folded = analysis.Fold(m.low, m.folded)
		folded, _ := utf8.DecodeRune(m.folded)
		may = m.runes[folded]
		m.firsts[r] = may
	}
	return may
}

// ask returns the meaning of a form that was not searched itself: as a version, by its stem, as a
// correction, or by its beginning.
func (m *marker) ask(lowered, folded []byte) meaning {
	if tooLong(lowered) { // which is not in the index
		return nothing
	}
	for _, version := range analysis.Versions(string(lowered)) {
		if means, ok := m.stems[stem{inAll, version}]; ok {
			return means
		}
	}
	for _, l := range m.langs {
		if text := l.Stem(lowered); text != "" {
			means, ok := m.stems[stem{l.Code, text}]
			if itself, is := m.stems[stem{l.Code, string(folded)}]; is && (!ok || means.loose) { // see snapshot.stem
				means, ok = itself, true
			}
			if ok {
				return means
			}
		}
	}
	if means, ok := m.alike[string(folded)]; ok {
		return means
	}
	return m.begun(folded)
}

// begun returns the meaning of a folded form that begins like the last word of the query, or is a
// version that begins with a number of the query, if these were searched.
func (m *marker) begun(folded []byte) meaning {
	if m.finder.begins != "" && bytes.HasPrefix(folded, []byte(m.finder.begins)) {
		return m.meaningOfLast()
	}
	for _, i := range m.finder.numbers {
		for _, one := range m.finder.query.clauses[i].versions() {
			if bytes.HasPrefix(folded, []byte(one)) {
				return looseMeaningOf(i)
			}
		}
	}
	return nothing
}

// meaningOfLast returns the meaning of the words that the last clause may become while it is typed.
func (m *marker) meaningOfLast() meaning { return looseMeaningOf(len(m.finder.query.clauses) - 1) }

// run marks the characters of an unspaced run that belong to a pair of the query.
func (m *marker) run(t *analysis.Tokenizer) {
	from := len(m.found)
	for i, p := range t.Parts {
		if r, _ := utf8.DecodeRuneInString(t.Text[p.Start:]); r < 0xFF00 && !(m.pairLow[byte(r)] && m.runes[r]) { // halfwidth forms begin otherwise
			continue
		}
		if span, means, ok := m.pairAt(t, i); ok && m.counts(means) {
			m.lay(mark{span, means})
		}
	}
	m.dropFragments(t.Text, from)
	end := 0
	for i := from; i < len(m.found); i++ { // what is shown as one character is marked as one
		at := t.Shown(m.found[i].Span)
		at.Start = min(max(at.Start, end), at.End)
		m.found[i].Span, end = at, at.End
	}
}

// pairAt returns the pair of the query that begins with a character of a run, or that character if
// it is a clause alone.
func (m *marker) pairAt(t *analysis.Tokenizer, part int) (span analysis.Span, means meaning, ok bool) {
	span = t.Parts[part]
	if part+1 < len(t.Parts) {
		if means, ok = m.pairs[string(t.Neighbours(part))]; ok {
			return analysis.Span{Start: span.Start, End: t.Parts[part+1].End}, means, true
		}
	}
	m.low = analysis.Lower(t.Text[span.Start:span.End], m.low)
	means, ok = m.pairs[string(m.low)]
	return span, means, ok
}

// lay adds the mark of a pair, except for what is marked already, since pairs overlap. The pieces
// of a run touch, and are rendered as one mark; each counts for its own clause in a passage.
func (m *marker) lay(at mark) {
	if n := len(m.found); n > 0 && m.found[n-1].End >= at.Start {
		before := &m.found[n-1]
		if before.clause == at.clause {
			before.End = max(before.End, at.End)
			return
		}
		at.Start = before.End
	}
	if at.Start < at.End {
		m.found = append(m.found, at)
	}
}

// dropFragments drops the marks of an unspaced run, from index from on, that are fragments.
func (m *marker) dropFragments(text string, from int) {
	kept := m.found[:from]
	for i := from; i < len(m.found); {
		end := i + 1
		for end < len(m.found) && m.found[end-1].End >= m.found[end].Start {
			end++
		}
		if piece := m.found[i:end]; !m.fragment(text, piece) {
			kept = append(kept, piece...)
		}
		i = end
	}
	m.found = kept
}

// fragment reports whether marks that touch are only a piece of a longer word of the query, which
// says nothing within another word: a lone pair of Katakana, Thai, Lao, Khmer or Burmese (two
// characters of Han are a word), or an ending in Katakana or Hangul that the words of the query and
// of the text have in common (オーケストレーション, アプリケーション; 오픈소스, 리소스).
func (m *marker) fragment(text string, piece []mark) bool {
	first := piece[0]
	part := text[first.Start:piece[len(piece)-1].End]
	if !m.overlaps(first.clause) || m.says(part) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(part)
	letter := 0x0E00 <= r && r <= 0x0EFF || 0x1000 <= r && r <= 0x109F || 0x1780 <= r && r <= 0x17FF || 0x30A0 <= r && r <= 0x30FF
	if letter && len(piece) == 1 {
		return true
	}
	q := &m.finder.query
	return analysis.EndsWord(text, first.Start, part) && analysis.EndsWord(q.text, q.clauses[first.clause].Start, part)
}

// says reports whether a text was searched as an equivalent of clauses, such as a synonym.
func (m *marker) says(text string) bool {
	if len(m.finder.said) == 0 {
		return false
	}
	key := titleKey(text)
	return slices.ContainsFunc(m.finder.said, func(one said) bool { return one.text == key })
}

// overlaps reports whether a clause shares a character with the one before or after it, as the
// pairs of a longer run do.
func (m *marker) overlaps(clause int) bool {
	all := m.finder.query.clauses
	return clause > 0 && all[clause-1].End > all[clause].Start || clause+1 < len(all) && all[clause+1].Start < all[clause].End
}

package index

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// mark is a place in a text that matches the query.
type mark struct {
	analysis.Span
	meaning
}

// meaning is what a form of a word means: a clause of the query, and all clauses that it stands for. These are more than the one
// where it is a compound in the query, or otherwise several of its words.
type meaning struct{ clause, first, last int }

// meaningOf is the meaning of a form of a clause.
func meaningOf(clause int) meaning { return meaning{clause, clause, clause} }

// nothing is the meaning of other words.
var nothing = meaningOf(-1)

// marker finds what matches a query, as the search did. It learns from the finder the forms that were looked for, and asks of
// each word of a text which of them it is; but most words begin like none of these, and are passed over unread (see
// [analysis.Beginnings]), and what a word means is asked once.
type marker struct {
	finder  *finder
	widened int // that of the finder when the marker was begun

	// What is looked for.
	known   map[string]meaning   // by folded form
	stems   map[string]int       // clause by language code, a space, stem
	pairs   map[string]int       // clause by two characters of an unspaced script
	spoken  map[string][]spoken  // by the first of the words
	quoted  []*matcher           // the phrases of the query
	weight  []float32            // of a clause
	begins  *analysis.Beginnings // how a form may begin, in any spelling
	runes   map[rune]bool        // the other characters that one may begin with
	pairLow [256]bool            // the low bytes of the first characters of pairs, asked before the map

	// What was found of documents and words so far.
	langs   []*analysis.Language          // in which words of the document that is read have stems
	asked   map[string]metWord            // by word as it is written in langs. It grows with the words that are met
	askedIn map[string]map[string]metWord // by the codes of langs
	firsts  map[rune]bool                 // by the first character of a word as it is written: whether one of runes stands there
	seen    map[uint32][]mark             // by document, for which the marks are asked again
	kept    []mark                        // those of seen

	// What is used for one text after another.
	wanted      []int // clauses that are looked for until a passage has them all; nil: the whole text is read
	last        []int // by clause: the last place with it
	tokenizer   analysis.Tokenizer
	ahead       analysis.Tokenizer
	until       int // where words end that were marked before they were met
	low, folded []byte
	found       []mark
	at, count   []int  // of densest
	plain, html []byte // of render
}

// metWord is what is known of a word: its meaning, and whether it may be the first of several that have one.
type metWord struct {
	meaning
	begins bool
}

// spoken are words that mean something next to each other.
type spoken struct {
	words []string // folded
	meaning
}

// marker returns a marker of what was searched so far.
func (f *finder) marker() *marker {
	m := &f.scratch.marker
	if m.finder != f || m.widened != f.widened {
		m.begin(f)
	}
	return m
}

// begin makes it the marker of what a finder searched so far. Its memory is used again.
func (m *marker) begin(f *finder) {
	m.finder, m.widened = f, f.widened
	m.reset()
	for _, p := range f.query.phrases {
		m.quoted = append(m.quoted, newMatcher(p, 0, nil))
	}
	for i := range f.query.clauses {
		m.learnClause(i)
	}
	for _, one := range f.later {
		m.learnPair(one, len(f.query.clauses)-1)
	}
	for _, one := range f.said {
		m.learnSaid(one)
	}
}

// reset empties what was learnt of another query, and found by that.
func (m *marker) reset() {
	m.known, m.stems, m.pairs, m.spoken = emptied(m.known), emptied(m.stems), emptied(m.pairs), emptied(m.spoken)
	m.quoted, m.weight, m.pairLow = m.quoted[:0], m.weight[:0], [256]bool{}
	if m.begins == nil {
		m.begins = analysis.NewBeginnings()
	}
	m.begins.Reset()
	if m.askedIn == nil {
		m.askedIn = map[string]map[string]metWord{}
	}
	for codes, asked := range m.askedIn {
		m.askedIn[codes] = emptied(asked)
	}
	m.runes, m.firsts, m.seen, m.kept = emptied(m.runes), emptied(m.firsts), emptied(m.seen), m.kept[:0]
}

// learnClause learns the forms in which a clause was looked for.
func (m *marker) learnClause(i int) {
	f, c := m.finder, &m.finder.query.clauses[i]
	m.weight = append(m.weight, m.weigh(i))
	stems := f.stems(c)
	if c.stems || c.quoted && !isPair(c.folded) {
		m.learn(c.folded, meaningOf(i), stems)
	} else {
		m.learnPair(c.lowered, i)
		for _, one := range c.spellings {
			if one != c.lowered {
				m.learnPair(one, i)
			}
		}
	}
	if c.whole != "" && !c.optional { // else its marks would be dropped: on-line
		m.learn(c.whole, meaning{i, i, f.query.lastOf(c.whole, i)}, nil)
	}
	for _, one := range stems {
		m.stems[one.language+" "+one.text] = i
		if one.language == inAll {
			m.mayBegin(one.text, stems)
			m.mayBegin("v"+one.text, nil)
		}
	}
	if i < len(f.typos) {
		for _, t := range f.typos[i].forms {
			m.learn(t.term, meaningOf(i), f.typos[i].stems)
		}
		for _, one := range f.typos[i].stems {
			m.stems[one.language+" "+one.text] = i
		}
	}
}

// learnSaid learns what says clauses otherwise.
func (m *marker) learnSaid(one said) {
	means := meaning{one.last, one.first, one.last}
	switch words := strings.Fields(one.text); {
	case len(words) == 1 && isPair(words[0]):
		m.learnRun(words[0], one.last)
	case len(words) == 1:
		m.learn(words[0], means, nil)
	default:
		m.spoken[words[0]] = append(m.spoken[words[0]], spoken{words, means})
		m.mayBegin(words[0], nil)
	}
}

// emptied returns an empty map: the same, unless it was so large that to empty it takes longer than to make one.
func emptied[K comparable, V any](all map[K]V) map[K]V {
	const large = 1000
	if all == nil || len(all) > large {
		return map[K]V{}
	}
	clear(all)
	return all
}

// weigh is the weight of a clause in a passage: its rarity, and little where it is optional.
func (m *marker) weigh(i int) float32 {
	w := 0.1 + m.finder.snapshot.idf(m.finder.most[i])
	if m.finder.query.clauses[i].optional {
		w = 0.05
	}
	return w
}

func (m *marker) learn(form string, means meaning, stems []stem) {
	if _, ok := m.known[form]; !ok {
		m.known[form] = means
	}
	m.mayBegin(form, stems)
}

func (m *marker) learnPair(form string, clause int) {
	m.pairs[form] = clause
	r, _ := utf8.DecodeRuneInString(form)
	m.pairLow[byte(r)] = true
	m.mayBegin(form, nil)
}

// learnRun learns the pairs of a folded run of an unspaced script that says a clause otherwise.
func (m *marker) learnRun(folded string, clause int) {
	for _, u := range unitsOf(folded) {
		for _, t := range u.terms {
			for _, one := range analysis.Spellings(t.text, every) {
				if _, ok := m.pairs[one]; !ok {
					m.learnPair(one, clause)
				}
			}
		}
	}
}

// mayBegin notes that a form is looked for, and words with its stems.
func (m *marker) mayBegin(form string, stems []stem) {
	r, _ := utf8.DecodeRuneInString(form)
	m.runes[r] = true
	m.begins.Add(form, slices.ContainsFunc(stems, stem.loose))
}

// loose reports whether words with a stem may differ in their third letter, as "use" and "using". Longer stems of all stemmers
// but Stempel, which learnt its rules, begin as their words do.
func (s stem) loose() bool { return len(s.text) < 4 || s.language == "pl" }

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

// read makes the texts that follow those of a document, whose words have stems in its language: in that of another, other words
// may have the same.
func (m *marker) read(doc uint32) {
	s := m.finder.snapshot
	m.langs = m.langs[:0]
	codes := ""
	for _, l := range s.langs {
		if len(s.langs) == 1 || s.written[l.Code].has(doc) {
			m.langs = append(m.langs, l)
			codes += l.Code + " "
		}
	}
	if m.asked = m.askedIn[codes]; m.asked == nil {
		m.asked = map[string]metWord{}
		m.askedIn[codes] = m.asked
	}
}

// keep keeps the marks of a document, for which they are asked again.
func (m *marker) keep(doc uint32, marks []mark) []mark {
	at := len(m.kept)
	m.kept = append(m.kept, marks...)
	m.seen[doc] = m.kept[at:len(m.kept):len(m.kept)]
	return m.seen[doc]
}

// marks returns the places of a text that match, in their order. They are valid until
// the next call.
func (m *marker) marks(text string) []mark {
	m.found, m.until = m.found[:0], 0
	t := &m.tokenizer
	t.Reset(text)
	t.Only = m.begins
	end := len(text)
	for t.Next() && t.Start < end {
		before := len(m.found)
		switch {
		case t.Class == analysis.Unspaced:
			m.run(t)
		case t.Class == analysis.Pictograph:
			if clause, ok := m.pairs[string(analysis.Lower(text[t.Start:t.End], m.low))]; ok {
				m.found = append(m.found, mark{t.Span, meaningOf(clause)})
			}
		case t.Simple():
			m.part(text, t.Span)
		default:
			m.compound(t)
		}
		for len(m.found) > before && m.found[len(m.found)-1].Start >= end {
			m.found = m.found[:len(m.found)-1]
		}
		if len(m.found) == before {
			continue
		}
		before = m.settle(before)
		if len(m.wanted) > 0 && m.enough(before) {
			end = min(len(text), t.End+enoughBytes)
			if white := strings.IndexAny(text[end:], " \n"); white >= 0 { // no word goes on behind it
				t.Text = text[:end+white]
			}
			m.wanted = m.wanted[:0]
		}
		if len(m.found) >= maxMarks {
			break
		}
	}
	m.settle(len(m.found))
	return m.found
}

// enoughBytes is how much of a text is read behind a passage that shows all of the query that the text
// has: perhaps there is a better one, but few articles keep their best for the end.
const enoughBytes = 2000

// maxMarks ends the reading of a text that says the words of the query again and again: it shows them
// well enough, and each mark takes memory.
const maxMarks = 10_000

// want notes the clauses that a document has.
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

// enough reports whether the marks from one on end a passage with all clauses that are wanted.
func (m *marker) enough(from int) bool {
	for _, one := range m.found[from:] {
		for clause := one.first; clause <= one.last; clause++ {
			m.last[clause] = one.Start
		}
	}
	end := m.found[len(m.found)-1].End
	return !slices.ContainsFunc(m.wanted, func(i int) bool { return end-m.last[i] > passageRunes })
}

// settle drops the mark before from where it is of an optional word that does not touch
// another one: "the" is worth a mark only beside a word that tells more. It returns where those from there on begin then.
func (m *marker) settle(from int) int {
	if from == 0 || !m.optional(from-1) {
		return from
	}
	for _, i := range [...]int{from - 1, from} { // the gaps before and behind it
		if i > 0 && i < len(m.found) && m.found[i].Start-m.found[i-1].End <= 1 && !(m.optional(i-1) && m.optional(i)) {
			return from
		}
	}
	m.found = append(m.found[:from-1], m.found[from:]...)
	return from - 1
}

func (m *marker) optional(i int) bool { return m.finder.query.clauses[m.found[i].clause].optional }

func (m *marker) compound(t *analysis.Tokenizer) {
	begun := false
	if whole := t.Whole(); whole != nil && t.Start >= m.until {
		m.folded = analysis.Fold(whole, m.folded)
		means, ok := m.known[string(m.folded)]
		for _, l := range m.langs { // borrow-check is the stem of borrowchecker
			if stemmed, is := m.stems[l.Code+" "+string(m.folded)]; is && !ok {
				means, ok = meaningOf(stemmed), true
			}
		}
		if ok {
			m.found = append(m.found, mark{t.Span, means})
			return
		}
		begun = m.begun()
	}
	number := 0 // where that is marked, its end
	if figures, span := t.Figures(); figures != nil {
		if means, ok := m.known[string(figures)]; ok {
			m.found = append(m.found, mark{span, means})
			number = span.End
		}
	}
	before := len(m.found)
	for i, p := range t.Parts {
		if t.Stands(i) && p.Start >= number {
			m.part(t.Text, p)
		}
	}
	if begun && len(m.found) == before {
		m.found = append(m.found, mark{t.Span, meaningOf(len(m.finder.query.clauses) - 1)})
	}
}

func (m *marker) part(text string, p analysis.Span) {
	if p.Start < m.until {
		return
	}
	if text[p.Start] < utf8.RuneSelf {
		if !m.begins.Has(text, p.Start) {
			return
		}
	} else if !m.mayMatch(text[p.Start:p.End]) {
		return
	}
	one, ok := m.asked[text[p.Start:p.End]]
	if !ok {
		m.low = analysis.Lower(text[p.Start:p.End], m.low)
		m.folded = analysis.Fold(m.low, m.folded)
		_, one.begins = m.spoken[string(m.folded)]
		if one.meaning, ok = m.known[string(m.folded)]; !ok {
			one.meaning = m.ask()
		}
		m.asked[strings.Clone(text[p.Start:p.End])] = one
	}
	if one.begins && m.speaks(text, p) {
		return
	}
	if one.meaning != nothing {
		m.found = append(m.found, mark{p, one.meaning})
	}
}

// speaks marks the words from p on if they mean something next to each other, and reports whether they do.
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

// follow marks the words of a text from a place on as long as they are those that are spoken, and reports whether all are there.
func (m *marker) follow(text string, at int, one spoken) bool {
	t := &m.ahead
	n := 0
	for t.Reset(text[at:]); t.Next(); {
		for i, p := range t.Parts {
			if string(t.Folded(i)) != one.words[n] {
				return false
			}
			m.found = append(m.found, mark{analysis.Span{Start: at + p.Start, End: at + p.End}, one.meaning})
			if n++; n == len(one.words) {
				return true
			}
		}
	}
	return false
}

// mayMatch reports whether a word may be one of the query by its first letter. Stemmers
// leave that alone, but for those of Arabic and its like, which take prefixes off, and that of Hindi, to which vowels are alike.
func (m *marker) mayMatch(word string) bool {
	r, size := utf8.DecodeRuneInString(word)
	if 0x0590 <= r && r < 0x0800 || 0x0904 <= r && r <= 0x0914 || r == 0x0972 {
		return true
	}
	may, ok := m.firsts[r]
	if !ok {
		m.low = analysis.Lower(word[:size], m.low)
		m.folded = analysis.Fold(m.low, m.folded)
		folded, _ := utf8.DecodeRune(m.folded)
		may = m.runes[folded]
		m.firsts[r] = may
	}
	return may
}

// ask finds the meaning of a form that is met the first time.
func (m *marker) ask() meaning {
	if len(m.low) > maxTermBytes { // it is not in the index
		return nothing
	}
	for _, version := range analysis.Versions(string(m.low)) {
		if clause, ok := m.stems[inAll+" "+version]; ok {
			return meaningOf(clause)
		}
	}
	for _, l := range m.langs {
		if stem := l.Stem(m.low); stem != "" {
			if clause, ok := m.stems[l.Code+" "+stem]; ok {
				return meaningOf(clause)
			}
		}
	}
	if m.begun() {
		return meaningOf(len(m.finder.query.clauses) - 1)
	}
	return nothing
}

// begun reports whether the form begins with the beginning of a word that was searched.
func (m *marker) begun() bool {
	return m.finder.begins != "" && bytes.HasPrefix(m.folded, []byte(m.finder.begins))
}

// run marks the characters of an unspaced run that are in a pair of the query.
func (m *marker) run(t *analysis.Tokenizer) {
	begun := len(m.found)
	for i := range t.Parts {
		if r, _ := utf8.DecodeRuneInString(t.Text[t.Parts[i].Start:]); r < 0xFF00 && !(m.pairLow[byte(r)] && m.runes[r]) { // halfwidth forms begin otherwise
			continue
		}
		end := i
		clause, ok := -1, false
		if i+1 < len(t.Parts) {
			if clause, ok = m.pairs[string(t.Neighbours(i))]; ok {
				end = i + 1
			}
		}
		if !ok {
			m.low = analysis.Lower(t.Text[t.Parts[i].Start:t.Parts[i].End], m.low)
			if clause, ok = m.pairs[string(m.low)]; !ok {
				continue
			}
		}
		at := mark{analysis.Span{Start: t.Parts[i].Start, End: t.Parts[end].End}, meaningOf(clause)}
		if n := len(m.found); n > 0 && m.found[n-1].End >= at.Start {
			// Pairs overlap; what is marked as one piece counts for each clause in the passage.
			if m.found[n-1].clause == clause {
				m.found[n-1].End = max(m.found[n-1].End, at.End)
				continue
			}
			at.Start = m.found[n-1].End
			if at.Start >= at.End {
				continue
			}
		}
		m.found = append(m.found, at)
	}
	m.dropFragments(t.Text, begun)
}

// dropFragments drops lone pairs of Katakana, Thai, Lao, Khmer and Burmese that are part of a longer word in the query:
// two of their letters in another word say nothing. (In Han, two are a word.)
func (m *marker) dropFragments(text string, from int) {
	kept := m.found[:from]
	for i := from; i < len(m.found); i++ {
		one := m.found[i]
		r, _ := utf8.DecodeRuneInString(text[one.Start:])
		alone := (i == from || m.found[i-1].End < one.Start) && (i+1 == len(m.found) || one.End < m.found[i+1].Start)
		letter := 0x0E00 <= r && r <= 0x0EFF || 0x1000 <= r && r <= 0x109F || 0x1780 <= r && r <= 0x17FF || 0x30A0 <= r && r <= 0x30FF
		if alone && letter && m.overlaps(one.clause) && !m.says(text[one.Start:one.End]) {
			continue
		}
		kept = append(kept, one)
	}
	m.found = kept
}

// says reports whether a text is what says a clause otherwise.
func (m *marker) says(text string) bool {
	key := titleKey(text)
	return slices.ContainsFunc(m.finder.said, func(one said) bool { return one.text == key })
}

// overlaps reports whether a clause shares a character with one beside it: it is a pair
// of a longer run.
func (m *marker) overlaps(clause int) bool {
	all := m.finder.query.clauses
	return clause > 0 && all[clause-1].End > all[clause].Start || clause+1 < len(all) && all[clause+1].Start < all[clause].End
}

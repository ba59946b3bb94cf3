package index

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/article"
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
	finder *finder
	known  map[string]meaning  // by folded form
	asked  map[string]metWord  // by word as it is written in langs. It grows with the words that are met
	stems  map[string]int      // clause by language code, a space, stem
	pairs  map[string]int      // clause by two characters of an unspaced script
	spoken map[string][]spoken // by the first of the words
	quoted []*matcher          // the phrases of the query
	weight []float32           // of a clause
	// widened is that of the finder when the marker was begun.
	widened int
	begins  *analysis.Beginnings          // how a form may begin, in any spelling
	runes   map[rune]bool                 // the other characters that one may begin with
	firsts  map[rune]bool                 // by the first character of a word as it is written: whether one of runes stands there
	pairLow [256]bool                     // the low bytes of the first characters of pairs, asked before the map
	langs   []*analysis.Language          // in which words of the document have stems
	askedIn map[string]map[string]metWord // by the codes of langs
	seen    map[uint32][]mark             // by document, for which the marks are asked again
	kept    []mark                        // those of seen

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

// begin makes it the marker of what a finder searched so far. Its memory is used again.
func (m *marker) begin(f *finder) {
	m.finder, m.widened = f, f.widened
	m.known, m.stems, m.pairs, m.spoken = emptied(m.known), emptied(m.stems), emptied(m.pairs), emptied(m.spoken)
	if m.askedIn == nil {
		m.askedIn = map[string]map[string]metWord{}
	}
	for codes, asked := range m.askedIn {
		m.askedIn[codes] = emptied(asked)
	}
	m.runes, m.firsts, m.seen, m.kept = emptied(m.runes), emptied(m.firsts), emptied(m.seen), m.kept[:0]
	m.pairLow = [256]bool{}
	if m.begins == nil {
		m.begins = analysis.NewBeginnings()
	}
	m.begins.Reset()
	m.quoted = m.quoted[:0]
	for _, p := range f.query.phrases {
		m.quoted = append(m.quoted, newMatcher(p, 0, nil))
	}
	m.weight = m.weight[:0]
	for i, c := range f.query.clauses {
		m.weight = append(m.weight, m.weigh(i))
		stems := f.stems(&c)
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
	for _, one := range f.later {
		m.learnPair(one, len(f.query.clauses)-1)
	}
	for _, said := range f.said {
		means := meaning{said.last, said.first, said.last}
		if words := strings.Fields(said.text); len(words) == 1 && isPair(words[0]) {
			m.learnRun(words[0], said.last)
		} else if len(words) == 1 {
			m.learn(words[0], means, nil)
		} else {
			m.spoken[words[0]] = append(m.spoken[words[0]], spoken{words, means})
			m.mayBegin(words[0], nil)
		}
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

// excerpt renders the passage of a text that shows most of the query; ok is false where none
// shows anything.
func (m *marker) excerpt(text string, marks []mark) (ok bool) {
	if len(marks) == 0 {
		return false
	}
	var phrase analysis.Span
	if len(m.quoted) > 0 {
		marks = slices.Clone(marks) // what is around a phrase is read into the same memory
	}
	for _, p := range m.quoted {
		at, stands := p.phrase.find(text, p.first)
		if !stands {
			continue
		}
		if beside := m.around(text, at); len(beside) > 0 { // none, where it is part of what is read as another word
			marks, phrase = beside, at
			break
		}
	}
	first, last := m.densest(text, marks, phrase)
	start, end := passage(text, marks[first].Start, marks[last].End)
	for first > 0 && marks[first-1].Start >= start {
		first--
	}
	for last+1 < len(marks) && marks[last+1].End <= end {
		last++
	}
	m.renderWithin(text, start, end, marks[first:last+1])
	return true
}

// renderWithin renders a passage with dots between its blocks, if there is room for them.
func (m *marker) renderWithin(text string, start, end int, marks []mark) {
	m.render(text, start, end, marks, " · ")
	if runes(sharing(m.plain)) > article.MaxExcerptRunes {
		m.render(text, start, end, marks, " ")
	}
}

// around returns the marks in and beside a place of a text. The reading of the text may have ended before it.
func (m *marker) around(text string, at analysis.Span) []mark {
	const beside = utf8.UTFMax * passageRunes // in bytes
	start, end := 0, len(text)
	if before := at.Start - beside; before > 0 {
		start = before + 1 + strings.IndexAny(text[before:at.Start], " \n") // to the beginning of a word
		for !utf8.RuneStart(text[start]) {
			start++
		}
	}
	if behind := at.End + beside; behind < end {
		if white := strings.LastIndexAny(text[at.End:behind], " \n"); white >= 0 {
			behind = at.End + white
		}
		for end = behind; !utf8.RuneStart(text[end]); {
			end--
		}
	}
	marks := m.marks(text[start:end])
	for i := range marks {
		marks[i].Start, marks[i].End = marks[i].Start+start, marks[i].End+start
	}
	return marks
}

// densest returns the first and last mark of the passage that shows most: with the phrase at a place, if there is one. It looks
// at one passage for each mark, from that to the last that there is room for, and counts in passing what each has.
func (m *marker) densest(text string, marks []mark, phrase analysis.Span) (first, last int) {
	begins, ends := len(marks), len(marks)
	if phrase.End > 0 {
		begins = slices.IndexFunc(marks, func(one mark) bool { return one.End > phrase.Start })
		ends = begins
	}
	for ends+1 < len(marks) && marks[ends+1].Start < phrase.End {
		ends++
	}
	at := append(m.at[:0], 0) // in characters
	for i := 1; i < len(marks); i++ {
		apart := marks[i].Start - marks[i-1].Start
		if apart <= utf8.UTFMax*passageRunes { // farther ones are in no passage together
			apart = runes(text[marks[i-1].Start:marks[i].Start])
		}
		at = append(at, at[i-1]+apart)
	}
	m.at = at
	count := m.count[:0]
	for range m.weight {
		count = append(count, 0)
	}
	m.count = count
	best, score := float32(-1), float32(0) // the score is that of the clauses in the passage, each once
	end := 0                               // behind the last mark of the passage
	for i := range marks {
		for end < len(marks) && at[end]-at[i]+runes(text[marks[end].Start:marks[end].End]) <= passageRunes {
			for c := marks[end].first; c <= marks[end].last; c++ {
				if count[c] == 0 {
					score += m.weight[c]
				}
				count[c]++
			}
			end++
		}
		near := float32(0) // words of the query next to each other show that it was meant so
		for j := i; j < end; j++ {
			if j > i && marks[j].first == marks[j-1].last+1 && marks[j].Start-marks[j-1].End <= 2 {
				near += float32(0.3 * m.weight[marks[j].first])
			}
			for c := marks[j].first + 1; c <= marks[j].last; c++ {
				near += float32(0.3 * m.weight[c])
			}
		}
		s := score + near + float32(0.02*float32(end-i))
		if i <= begins && ends < end {
			s += withPhrase
		}
		within := i > 0 && marks[i-1].End == marks[i].Start // what is marked as one piece
		if end > i && s > best && !within {
			best, first, last = s, i, end-1
		}
		if end == i { // a match longer than a passage
			end++
			continue
		}
		for c := marks[i].first; c <= marks[i].last; c++ {
			if count[c]--; count[c] == 0 {
				score -= m.weight[c]
			}
		}
	}
	return first, last
}

// withPhrase is what a phrase of the query is worth in a passage: more than all else.
const withPhrase = 10_000

// passageRunes is the room for marks in an excerpt: the ellipses at both ends need two.
const passageRunes = article.MaxExcerptRunes - 2

// leadRunes is how far before the first match an excerpt may begin.
const leadRunes = 80

// passage extends a range to whole words, from the beginning of a sentence where that is
// near, to at most passageRunes.
func passage(text string, start, end int) (int, int) {
	room := passageRunes - runes(text[start:end])
	if room < 0 {
		return start, start + byteOf(text[start:], passageRunes)
	}
	// Back to the sentence, or else to a word that leaves room behind.
	word, sentence, at := -1, -1, start
	for n := 0; n < min(room, leadRunes) && at > 0; n++ {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if endsSentence(r) && (startsAfter(text, at) || r >= 0x3000 || r == '\n') {
			sentence = at
			break
		}
		at -= size
		if unicode.IsSpace(r) {
			if n < leadRunes/2 {
				word = at + size
			}
		}
	}
	if at == 0 {
		sentence = 0
	}
	begin := start
	switch {
	case sentence >= 0:
		begin = sentence
	case word >= 0:
		begin = word
	case runes(text[at:start]) <= leadRunes/4: // an unspaced script, or part of a long word
		begin = nextWord(text, at, start)
	}
	for begin < start {
		r, size := utf8.DecodeRuneInString(text[begin:])
		if !unicode.IsSpace(r) {
			break
		}
		begin += size
	}
	room -= runes(text[begin:start])
	// Forward as far as there is room, to the end of a word.
	limit := end + byteOf(text[end:], room)
	if limit == len(text) {
		return begin, limit
	}
	if cut := strings.LastIndexFunc(text[end:limit], unicode.IsSpace); cut > 0 {
		return begin, end + cut
	}
	for limit > end { // an unspaced script, or one very long word
		r, _ := utf8.DecodeRuneInString(text[limit:])
		if c := analysis.ClassOf(r); c != analysis.Diacritic && c != analysis.Spaced {
			break
		}
		_, size := utf8.DecodeLastRuneInString(text[:limit])
		limit -= size
	}
	return begin, limit
}

// endsSentence reports whether a sentence or block may end with r.
func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', '\n', '…', '。', '！', '？', '।', '؟', '۔', '።', '։', '។', '။':
		return true
	}
	return false
}

func startsAfter(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsSpace(r)
}

// nextWord is the first place from one to another where a word begins; to where none does.
func nextWord(text string, from, to int) int {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	within := analysis.ClassOf(before) == analysis.Spaced
	for i, r := range text[from:to] {
		switch analysis.ClassOf(r) {
		case analysis.Diacritic:
		case analysis.Other:
			within = false
		case analysis.Spaced:
			if within {
				continue
			}
			return from + i
		default:
			return from + i
		}
	}
	return to
}

// byteOf is the length in bytes of the first n characters of s.
func byteOf(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// render makes of text[start:end] one line, with an ellipsis where a sentence was cut,
// and the same with the marks as HTML. The separator stands between a heading, or whatever
// ends without a full stop, and the next block.
func (m *marker) render(text string, start, end int, marks []mark, separator string) {
	const opening, closing = "<mark>", "</mark>"
	m.plain, m.html = m.plain[:0], m.html[:0]
	if before, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text[:start], " \t")); start > 0 && !endsSentence(before) {
		m.plain, m.html = append(m.plain, "…"...), append(m.html, "…"...)
	}
	write := func(start, end int, separator string) {
		from := len(m.plain)
		m.plain = appendLine(m.plain, text[start:end], separator)
		m.html = append(m.html, html.EscapeString(sharing(m.plain[from:]))...)
	}
	at := start
	for _, one := range marks {
		if one.Start < at || one.End > end {
			continue
		}
		write(at, one.Start, separator)
		if begun := bytes.TrimSuffix(m.html, []byte(closing)); len(begun) < len(m.html) {
			m.html = begun // it goes on
		} else {
			m.html = append(m.html, opening...)
		}
		write(one.Start, one.End, " ")
		m.html = append(m.html, closing...)
		at = one.End
	}
	from := len(m.plain)
	m.plain = appendLine(m.plain, text[at:end], separator)
	m.plain = m.plain[:from+len(bytes.TrimRight(m.plain[from:], " "))]
	if r, _ := utf8.DecodeLastRune(m.plain[from:]); end < len(text) && !endsSentence(r) {
		m.plain = append(m.plain, "…"...)
	}
	m.html = append(m.html, html.EscapeString(sharing(m.plain[from:]))...)
}

// appendLine adds a text with every run of white space as one space, and an empty line after what
// ends no sentence as the separator.
func appendLine(b []byte, text, separator string) []byte {
	spaces, lines := 0, 0
	last := ' '
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		begin := at
		at += size
		if unicode.IsSpace(r) {
			if spaces++; r == '\n' {
				lines++
			}
			continue
		}
		b = appendSpace(b, spaces, lines, last, separator)
		spaces, lines = 0, 0
		for at < len(text) && ' ' < text[at] && text[at] < utf8.RuneSelf {
			at++
		}
		b = append(b, text[begin:at]...)
		last, _ = utf8.DecodeLastRune(b)
	}
	return appendSpace(b, spaces, lines, last, separator)
}

// appendSpace adds what stands for white space behind a character.
func appendSpace(b []byte, spaces, lines int, behind rune, separator string) []byte {
	switch {
	case spaces == 0:
		return b
	case lines > 1 && !endsSentence(behind) && behind != ':':
		return append(b, separator...)
	}
	return append(b, ' ')
}

// body writes the answer.
func (o *outcome) body(q Query) ([]byte, error) {
	body := &o.scratch.body
	body.Reset()
	head, err := article.Encode(article.SearchResult{
		Count: len(o.hits), Total: o.total, Limit: q.Limit, Revision: o.snapshot.revision, Suggestion: o.suggestion, Articles: []article.Hit{},
	})
	if err != nil {
		return nil, err
	}
	const tail = "]}\n"
	body.Write(bytes.TrimSuffix(head, []byte(tail)))
	m := o.marker()
	for i, h := range o.hits {
		if err := o.ctx.Err(); err != nil {
			return nil, err
		}
		if i > 0 {
			body.WriteByte(',')
		}
		got, err := o.stored(h.doc)
		if err != nil {
			return nil, err
		}
		if !m.excerpt(got.text, m.marksOf(h.doc, got.text)) {
			meta, err := got.meta()
			if err != nil {
				return nil, err
			}
			start, end := passage(meta.Summary, 0, 0)
			m.renderWithin(meta.Summary, start, end, m.marks(meta.Summary))
		}
		body.Write(got.hit)
		for _, more := range [...]struct{ key, value string }{{"excerpt", sharing(m.plain)}, {"excerpt_html", sharing(m.html)}, {"digest", got.digest}} {
			body.WriteString(`,"` + more.key + `":`)
			body.Write(article.AppendString(body.AvailableBuffer(), more.value))
		}
		body.WriteByte('}')
	}
	body.WriteString(tail)
	return bytes.Clone(body.Bytes()), nil // it belongs to the next search
}

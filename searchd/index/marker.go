package index

import (
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

// meaning is what a form of a word stands for in the query: a clause, and the range of clauses,
// first to last, that it covers. It covers several if it is a compound of the query, or a synonym
// of several of its words. A loose meaning, of the beginning of a word or a typo, counts only in
// articles that have nothing better.
type meaning struct {
	clause, first, last int
	loose               bool
}

// meaningOf returns the meaning of a form of a clause.
func meaningOf(clause int) meaning { return meaning{clause, clause, clause, false} }

// looseMeaningOf returns the meaning of a form that only resembles the clause.
func looseMeaningOf(clause int) meaning { return meaning{clause, clause, clause, true} }

// nothing is the meaning of words that do not match.
var nothing = meaningOf(-1)

// marker is the highlighter: it finds the places of a text that match the query, by the rules of
// the search. It learns from the finder which forms were searched, and compares the words of the
// text with them. Most words begin like none of these forms and are skipped unread (see
// [analysis.Beginnings]); the meaning of any other word is worked out once.
type marker struct {
	finder  *finder
	widened int // finder.widened when the marker learnt from it

	// What to look for.
	known   map[string]meaning // by folded form
	alike   map[string]meaning // loose meanings of corrections, by folded form
	stems   map[stem]meaning
	pairs   map[string]meaning   // by two characters of an unspaced script
	spoken  map[string][]spoken  // by the first of the words
	quoted  []*matcher           // the phrases of the query
	weight  []float32            // by clause
	phrased []bool               // by clause: whether it occurs in phrases only
	begins  *analysis.Beginnings // how a form may begin, in any spelling
	runes   map[rune]bool        // the characters that a folded form may begin with
	pairLow [256]bool            // the low bytes of the first characters of pairs, asked before the map

	// What is known of documents and words so far.
	doc     uint32                        // the document that is read
	langs   []*analysis.Language          // languages in which the words of this document have stems
	all     bool                          // whether all its words are read, since a matching word may begin like no form
	asked   map[string]metWord            // words met in documents in langs, as they are written
	askedIn map[string]map[string]metWord // asked for each set of langs, by their codes
	firsts  map[rune]bool                 // by the first character of a word as it is written: whether runes has its folded form
	seen    map[uint32][]mark             // the marks stored by keep, by document
	kept    []mark                        // the memory of seen

	// Working memory for one text after another.
	wanted      []int // clauses to look for until a passage has them all; if empty, the whole text is read
	last        []int // by clause: where it was last found
	tokenizer   analysis.Tokenizer
	ahead       analysis.Tokenizer
	until       int // the end of the words that speaks has marked ahead of the tokenizer
	low, folded []byte
	found       []mark
	at, count   []int  // of places and densest
	joined      []bool // of adjoining: by clause
	plain, html []byte // of render
}

// metWord is what is known of a word: its meaning, and whether it may begin a sequence of spoken
// words.
type metWord struct {
	meaning
	begins bool
}

// spoken are words that have a meaning when they are next to each other.
type spoken struct {
	words []string // folded
	meaning
}

// marker returns the marker of this search, which knows everything searched so far.
func (f *finder) marker() *marker {
	m := &f.scratch.marker
	if m.finder != f || m.widened != f.widened {
		m.begin(f)
	}
	return m
}

// begin makes m learn from a finder everything searched so far, and reuses its memory.
func (m *marker) begin(f *finder) {
	m.finder, m.widened = f, f.widened
	m.reset()
	for _, p := range f.query.phrases {
		m.quoted = append(m.quoted, newMatcher(p, 0, nil))
	}
	for i := range f.query.clauses {
		m.learnClause(i)
	}
	for i := range f.typos {
		m.learnTypos(i)
	}
	for _, i := range f.numbers {
		for _, one := range f.query.clauses[i].versions() {
			m.mayBegin(one, nil)
		}
	}
	for _, one := range f.later {
		m.learnPair(one, m.meaningOfLast())
	}
	for _, one := range f.said {
		m.learnSaid(one)
	}
}

// reset empties what was learnt and found before.
func (m *marker) reset() {
	m.known, m.alike, m.stems, m.pairs, m.spoken = emptied(m.known), emptied(m.alike), emptied(m.stems), emptied(m.pairs), emptied(m.spoken)
	m.quoted, m.weight, m.phrased, m.pairLow = m.quoted[:0], m.weight[:0], m.phrased[:0], [256]bool{}
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

// learnClause learns the forms by which a clause was searched.
func (m *marker) learnClause(i int) {
	f, c := m.finder, &m.finder.query.clauses[i]
	m.weight, m.phrased = append(m.weight, m.weigh(i)), append(m.phrased, f.query.onlyQuoted(i))
	stems := f.stems(c)
	if c.stems || c.quoted && !isUnspaced(c.folded) {
		m.learn(c.folded, meaningOf(i), stems)
	} else {
		m.learnPair(c.lowered, meaningOf(i))
		for _, one := range c.spellings {
			m.learnPair(one, meaningOf(i))
		}
	}
	if c.whole != "" && !c.optional { // a mark of an optional clause, such as the "on" of on-line, would be dropped
		m.learn(c.whole, meaning{i, i, f.query.lastOf(c.whole, i), false}, nil)
	}
	for _, one := range stems {
		m.learnStem(one, meaningOf(i))
		if one.language == inAll {
			m.mayBegin(one.text, stems)
			m.mayBegin("v"+one.text, nil)
		}
	}
}

// learnTypos learns the possible corrections of a clause.
func (m *marker) learnTypos(i int) {
	t := &m.finder.typos[i]
	for _, one := range slices.Concat(t.forms, t.within) {
		if _, ok := m.alike[one.term]; !ok {
			m.alike[one.term] = looseMeaningOf(i)
		}
		m.mayBegin(one.term, t.stems)
	}
	for _, one := range t.stems {
		m.learnStem(one, looseMeaningOf(i))
	}
}

func (m *marker) learnStem(s stem, means meaning) {
	if known, ok := m.stems[s]; !ok || known.loose || !means.loose {
		m.stems[s] = means
	}
}

// learnSaid learns a text that stands for clauses, such as a synonym.
func (m *marker) learnSaid(one said) {
	means := meaning{one.last, one.first, one.last, false}
	switch words := strings.Fields(one.text); {
	case len(words) == 1 && isUnspaced(words[0]):
		m.learnRun(words[0], one.last)
	case len(words) == 1:
		m.learn(words[0], means, one.stems)
		for _, form := range one.stems {
			if known, ok := m.stems[form]; !ok || known.loose {
				m.learnStem(form, means)
			}
		}
	default:
		m.spoken[words[0]] = append(m.spoken[words[0]], spoken{words, means})
		m.mayBegin(words[0], nil)
	}
}

// emptied returns an empty map: the same one, unless it is so large that clearing it takes longer
// than making another.
func emptied[K comparable, V any](all map[K]V) map[K]V {
	const large = 1000
	if all == nil || len(all) > large {
		return map[K]V{}
	}
	clear(all)
	return all
}

// weigh returns the weight of a clause in a passage: the rarer the higher, and little if it is
// optional.
func (m *marker) weigh(i int) float32 {
	if m.finder.query.clauses[i].optional {
		return 0.05
	}
	return 0.1 + m.finder.idf(m.finder.most[i])
}

func (m *marker) learn(form string, means meaning, stems []stem) {
	if _, ok := m.known[form]; !ok {
		m.known[form] = means
	}
	m.mayBegin(form, stems)
}

func (m *marker) learnPair(form string, means meaning) {
	if known, ok := m.pairs[form]; !ok || known.loose || !means.loose {
		m.pairs[form] = means
	}
	r, _ := utf8.DecodeRuneInString(form)
	m.pairLow[byte(r)] = true
	m.mayBegin(form, nil)
}

// learnRun learns the pairs of a folded run of an unspaced script that stands for a clause.
func (m *marker) learnRun(folded string, clause int) {
	for _, u := range unitsOf(folded) {
		for _, t := range u.terms {
			for _, one := range analysis.Spellings(t.text, every) {
				if _, ok := m.pairs[one]; !ok {
					m.learnPair(one, meaningOf(clause))
				}
			}
		}
	}
}

// mayBegin lets words be read that begin like a form, since they may match it or its stems.
func (m *marker) mayBegin(form string, stems []stem) {
	r, _ := utf8.DecodeRuneInString(form)
	m.runes[r] = true
	m.begins.Add(form, slices.ContainsFunc(stems, stem.loose))
	if one, many := analysis.Irregular(form); len(stems) > 0 && one != "" { // mice does not begin like mouse
		m.begins.Add(one, false)
		m.begins.Add(many, false)
	}
	for _, s := range stems {
		if s.language == "nl" { // gebouwd does not begin like bouwen
			m.begins.Add("ge", false)
			m.begins.Add(s.text, s.loose())
		}
	}
}

// loose reports whether words with a stem may differ in their third letter, as "use" and "using"
// do. Longer stems begin as their words do, except in Polish, whose stemmer, Stempel, has rules
// that were learnt from data.
func (s stem) loose() bool { return len(s.text) < 4 || s.language == "pl" }

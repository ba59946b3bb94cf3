package index

import (
	"bytes"
	"math"
	"slices"

	"newsstand/searchd/index/analysis"
)

// phrase returns, in ascending order, the documents in which the forms of a phrase are next to each
// other: in the title, the summary, a tag or the text.
func (s view) phrase(p phrase) []uint32 {
	docs := newBitmap(s.docs)
	s.withPhrase(p, s.docs, docs)
	return docs.list()
}

// withPhrase fills a set with the documents that have a phrase. Where the words alone do not tell,
// their texts are looked into; with more than most such documents the set is left empty.
func (s view) withPhrase(p phrase, most int, into *bitmap) {
	switch m := s.withWords(p, into); {
	case m == nil:
	case into.count() > most:
		clear(into.words)
	default:
		s.leave(into, func(d uint32) bool { return s.have(d, m) })
	}
}

// maxWordForWord is the most documents with all words of a query, as it has them, that are searched
// for the query word for word: the words of a name are not that common. Each takes a visit to
// memory, or to the disk if the index is larger than the memory. Three times as many rank 35 judged
// collections the same, and find the headings of 9,740 articles by 0.0007 of the mean reciprocal
// rank better; 200, worse by 0.002.
const maxWordForWord = 300

// wordForWord rewards the documents that have a text, which is that of the query or its correction,
// word for word: those that answer "what is vue", on a site about Vue, are neither the ones with
// the rarest word nor those that repeat one. The text counts as a word that each has once: a long
// article may only mention in passing what a short one is about. A longer text counts as more: its
// words score more without it, and whoever pastes a sentence looks for where it is from.
// wordForWord reports whether any article has it so.
func (f *finder) wordForWord(text string) (said bool) {
	if len(f.query.clauses) < 2 || len(f.query.phrases)+len(f.query.not) > 0 {
		return false
	}
	docs, words := f.scratch.set(), unitsOf(text)
	f.withPhrase(words, maxWordForWord, docs)
	n := docs.count()
	if n > 0 {
		once := &postings{found: n, set: docs, times: slices.Repeat([]uint8{1}, n)}
		f.steps = append(f.steps, step{clause: wholeQuery, way: wayPhrase, postings: once, count: n, weight: weightWords * max(1, float32(len(words))/questionWords) * f.idf(n)})
	}
	return n > 0
}

// withWords fills a set with the documents that have all words of a phrase, and all its neighbours
// that are terms; with none if each word is too long for the index. The matcher tells which of them
// have the phrase; it is nil if all have it, or if there are none.
func (s view) withWords(p phrase, into *bitmap) *matcher {
	into.fill()
	having := newBitmap(s.docs) // the documents with the terms at hand
	require := func(terms ...term) (found int) {
		must(s.ctx.Err())
		clear(having.words)
		for _, t := range terms {
			for _, one := range s.spellings(t.text) {
				docs := s.read(t.field, one)
				docs.addTo(having)
				found += docs.found
			}
		}
		into.and(having)
		return found
	}
	pairs, least, rarest := 0, math.MaxInt, 0
	for _, common := range [...]bool{false, true} { // the postings of frequent words take longest to read
		for i, u := range p {
			if into.empty() {
				return nil
			}
			if s.frequent[u.form] != common {
				continue
			}
			if common && i > 0 && s.frequent[p[i-1].form] {
				require(term{fieldPairs, pairTerm(p[i-1].form, u.form)})
				pairs++
			}
			if len(u.terms) == 0 {
				continue
			}
			if found := require(u.terms...); found < least {
				rarest, least = i, found
			}
		}
	}
	if least == math.MaxInt { // no word is a term
		clear(into.words)
	}
	if len(p) == 1 || len(p) == 2 && pairs == 1 {
		return nil
	}
	return newMatcher(p, rarest, s.frequent)
}

// matcher finds a phrase in articles that have its words. It is immutable.
type matcher struct {
	phrase phrase
	hashes []uint64             // of its forms
	pairs  []uint64             // hashes of its neighbours, except those that are terms
	rarest int                  // the index of its rarest form
	told   bool                 // whether each article with its terms has all its forms
	first  *analysis.Beginnings // how its first word may begin; other words are skipped until it is found
}

func newMatcher(p phrase, rarest int, f frequent) *matcher {
	m := &matcher{phrase: p, told: true, rarest: rarest}
	for i, u := range p {
		m.hashes = append(m.hashes, hashForm([]byte(u.form)))
		m.told = m.told && u.told
		if i > 0 && !(f[p[i-1].form] && f[u.form]) {
			m.pairs = append(m.pairs, hashPair(m.hashes[i-1], m.hashes[i]))
		}
	}
	if p[0].form != "" {
		m.first = analysis.NewBeginnings()
		for _, one := range analysis.Spellings(p[0].form, every) {
			m.first.Add(one, false)
		}
	}
	return m
}

// in reports whether the phrase is in a text.
func (m *matcher) in(text string) bool {
	_, ok := m.phrase.find(text, m.first)
	return ok
}

// have reports whether a document with the words of a phrase has the phrase.
func (s *snapshot) have(doc uint32, m *matcher) bool {
	if value := s.order(doc); len(value) > 0 { // else only the text can tell
		near, order := splitOrder(value)
		has := near.mayHave(m.pairs) && order.has(m.hashes, m.rarest)
		if !has || m.told {
			return has
		}
	}
	return s.stored(doc, anew).has(m.in)
}

// order returns the value of fieldOrder of a document.
func (s *snapshot) order(doc uint32) []byte {
	segment, local := s.segmentOf(doc)
	return s.orders()[segment].at(local)
}

// has reports whether a phrase is in the text, title, summary or a tag.
func (g stored) has(in func(text string) bool) bool {
	if in(g.text) {
		return true
	}
	// Without escapes, whatever is in a field is in the JSON too, and to search that first is much
	// quicker.
	if !bytes.ContainsRune(g.hit, '\\') && !in(sharing(g.hit)) {
		return false
	}
	meta := g.meta()
	return in(meta.Title) || in(meta.Summary) || slices.ContainsFunc(meta.Tags, in)
}

// find returns the first place of the phrase in a text, if there is one. First says how its first
// word may begin; nil means in any way.
func (p phrase) find(text string, first *analysis.Beginnings) (at analysis.Span, ok bool) {
	type run struct{ forms, start int }
	t := analysis.Tokenizer{Text: text, Only: first}
	var runs []run // the places where the phrase may have begun, and how many of its forms were met since
	for t.Next() {
		for i, part := range t.Parts {
			folded := t.Folded(i)
			runs = append(runs, run{0, part.Start})
			kept := runs[:0]
			for _, r := range runs {
				if p[r.forms].form != string(folded) {
					continue
				}
				if r.forms++; r.forms == len(p) {
					return analysis.Span{Start: r.start, End: part.End}, true
				}
				kept = append(kept, r)
			}
			runs = kept
		}
		if t.Only = nil; len(runs) == 0 {
			t.Only = first
		}
	}
	return analysis.Span{}, false
}

// say returns the documents that have a text, such as a synonym: a word or a phrase.
func (f *finder) say(text string) *postings {
	p := unitsOf(text)
	if word := len(p) == 1 || len(p) == 2 && len(p[1].terms) == 0 && isUnspaced(p[1].form); word && len(p[0].terms) > 0 {
		return f.spelled(p[0].terms[0].field, f.spellings(p[0].terms[0].text), "")
	}
	docs := f.phrase(p)
	const onceOrTwice = 0.5 // the impact of a word that occurs once or twice
	return &postings{found: len(docs), docs: docs, impact: slices.Repeat([]float32{onceOrTwice}, len(docs))}
}

package index

import (
	"iter"
	"math"
	"math/bits"
	"slices"
)

// postings are the documents that have a term, and either how often each has it (the frequency of
// the term, in BM25), or its impact there. They do not change once they are complete.
type postings struct {
	found  int       // how many documents
	docs   []uint32  // the documents, ascending; nil if set is given
	set    *bitmap   // the documents, if they are many
	times  []uint8   // by place among the documents: how often, weighted, at most 255; nil in a field without frequencies
	impact []float32 // from 0 to 1: the part of BM25 that depends on the document; nil if times are given
}

// setShare is the number of documents of which more than one must have a term for a set to take
// less room than a list: a bit for every document, against 32 for each one that has the term.
const setShare = 32

// newPostings takes a set of documents and, by document, how often each has the term; all is the
// number of documents of the index. It keeps neither, and resets times to 0.
func newPostings(set *bitmap, times []float32, all int) *postings {
	p := &postings{found: set.count()}
	p.times = make([]uint8, 0, p.found)
	if p.found > all/setShare {
		p.set = &bitmap{slices.Clone(set.words)}
	} else {
		p.docs = set.list()
	}
	for _, d := range p.all() {
		p.times = append(p.times, uint8(min(times[d], math.MaxUint8)))
		times[d] = 0
	}
	return p
}

// add adds a document that comes after all others, and how often it has the term.
func (p *postings) add(doc uint32, times uint8) {
	p.found++
	if p.set != nil {
		p.set.add(doc)
	} else {
		p.docs = append(p.docs, doc)
	}
	if p.times != nil {
		p.times = append(p.times, times)
	}
}

// newImpacts takes a set of documents and their impacts, by document. It keeps the set, and resets
// the impacts to 0.
func newImpacts(set *bitmap, impact []float32) *postings {
	p := &postings{found: set.count(), set: set}
	p.impact = make([]float32, 0, p.found)
	for d := range set.all() {
		p.impact = append(p.impact, impact[d])
		impact[d] = 0
	}
	return p
}

// bytes returns the memory that the postings take.
func (p *postings) bytes() int {
	n := 4*len(p.docs) + len(p.times) + 4*len(p.impact)
	if p.set != nil {
		n += 8 * len(p.set.words)
	}
	return n
}

// all visits the documents, each with its place among them.
func (p *postings) all() iter.Seq2[int, uint32] {
	return func(yield func(int, uint32) bool) {
		if p.set == nil {
			for at, d := range p.docs {
				if !yield(at, d) {
					return
				}
			}
			return
		}
		at := 0
		for w, word := range p.set.words {
			for ; word != 0; word &= word - 1 {
				if !yield(at, uint32(64*w+bits.TrailingZeros64(word))) {
					return
				}
				at++
			}
		}
	}
}

// addTo adds the documents to a set.
func (p *postings) addTo(b *bitmap) {
	if p.set == nil {
		b.addDocs(p.docs)
	} else {
		b.or(p.set)
	}
}

// in returns the documents as a set, which must not be changed: their own, or one that empty makes,
// filled with them.
func (p *postings) in(empty func() *bitmap) *bitmap {
	if p.set != nil {
		return p.set
	}
	b := empty()
	b.addDocs(p.docs)
	return b
}

// weigh adds the worth of the term to the scores, by document, of the documents within a set.
// Damping is by document, too, and not yet multiplied by smoothing.
func (p *postings) weigh(scores, damping []float32, smoothing, weight float32, within *bitmap) {
	times, impact := p.times, p.impact
	if p.set == nil {
		for at, d := range p.docs {
			if within.has(d) {
				scores[d] += worth(times, impact, at, float32(smoothing*damping[d]), weight)
			}
		}
		return
	}
	before := 0 // the number of documents in earlier words of the set
	for w, word := range p.set.words {
		both := word & within.words[w]
		if both == word { // usual on the last rung, where there is most to do
			for ; word != 0; word &= word - 1 {
				d := 64*w + bits.TrailingZeros64(word)
				scores[d] += worth(times, impact, before, float32(smoothing*damping[d]), weight)
				before++
			}
			continue
		}
		for ; both != 0; both &= both - 1 {
			at := before + bits.OnesCount64(word&(both&-both-1))
			d := 64*w + bits.TrailingZeros64(both)
			scores[d] += worth(times, impact, at, float32(smoothing*damping[d]), weight)
		}
		before += bits.OnesCount64(word)
	}
}

// read returns the documents with a term.
func (s view) read(field, term string) *postings {
	if p, ok := s.postings.get(field + term); ok {
		return p
	}
	p := s.decode(field, term)
	s.postings.put(field+term, p, p.bytes())
	return p
}

// collect adds the documents with any of the terms to a set.
func (s view) collect(into *bitmap, field string, terms ...string) {
	for _, term := range terms {
		s.read(field, term).addTo(into)
	}
}

// decode reads the postings of a term from the segments of the engine as whole lists, which is many
// times quicker than one document after another through the engine's searcher.
func (s view) decode(field, term string) *postings {
	r := s.termReader()
	p := r.read(s.ctx, field, term)
	s.readers.Put(r)
	return p
}

// stem returns the documents that have a word with one of these stems, and adds up how often. A
// word that is its own stem is in fieldWords only, so both fields are read. Of the stems in a
// language, only the first is read in fieldWords: the second is the word of the query itself, whose
// stem is the first.
func (f *finder) stem(stems []stem) *postings {
	key := "s*" // no term of fieldStems is kept on its own
	for _, one := range stems {
		key += one.term() + "\x00"
	}
	if p, ok := f.postings.get(key); ok {
		return p
	}
	found, times := f.scratch.set(), f.scratch.scores
	count := func(p *postings, in *bitmap) {
		for at, d := range p.all() {
			if in == nil || in.has(d) {
				found.add(d)
				times[d] += float32(p.times[at])
			}
		}
	}
	for _, one := range stems {
		count(f.decode(fieldStems, one.term()), nil)
	}
	bare := slices.CompactFunc(slices.Clone(stems), func(a, b stem) bool { return a.language == b.language })
	for i, one := range bare {
		if slices.ContainsFunc(bare[:i], func(other stem) bool { return other.text == one.text }) {
			continue
		}
		var in *bitmap
		if f.written != nil {
			in = f.scratch.set()
			for _, other := range bare[i:] {
				if other.text == one.text {
					in.or(f.written[other.language])
				}
			}
		}
		count(f.read(fieldWords, one.text), in)
	}
	p := newPostings(found, times, f.docs)
	f.postings.put(key, p, p.bytes())
	return p
}

// stem is a stem of a word in one language.
type stem struct{ language, text string }

// term returns the term of a stem in fieldStems.
func (s stem) term() string { return s.language + " " + s.text }

// inAll stands for the language of stems that a word has in all languages: see analysis.Versions.
const inAll = "*"

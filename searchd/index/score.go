package index

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
)

// hit is a document that was found.
type hit struct {
	doc   uint32
	rung  Rung
	score float32
}

// standing is what the clauses say of one document.
type standing struct {
	score   float32
	matched uint16 // clauses that are not optional
	last    uint16 // the clause that matched it last, counted from 1; 0: nothing touched it; or noClause
	rung    Rung   // the worst of the clauses
}

// noClause stands for what touches a document without being a match of a clause.
const noClause = 1<<16 - 1

// scores accumulates the standings. There is one for each document of the index; only
// those that were touched are cleared.
type scores struct {
	docs     []standing
	need     uint16   // clauses that are not optional
	touched  []uint32 // documents, in the order of their first clause
	complete []uint32 // those that have all clauses
}

// scoresPool keeps accumulators for the next search.
type scoresPool struct{ pool sync.Pool }

func (p *scoresPool) get(docs, need int) *scores {
	s, ok := p.pool.Get().(*scores)
	if !ok || len(s.docs) < docs {
		s = &scores{docs: make([]standing, docs)}
	}
	s.need = uint16(need)
	return s
}

func (p *scoresPool) put(s *scores) {
	for _, d := range s.touched {
		s.docs[d] = standing{}
	}
	s.touched, s.complete = s.touched[:0], s.complete[:0]
	p.pool.Put(s)
}

// add counts the documents of one form of a clause. Better forms come before. Damping is
// the length of each document, as BM25 has it.
func (s *scores) add(clause int, optional bool, r Rung, weight float32, p *postings, damping []float32) {
	stamp := uint16(clause + 1)
	for i, d := range p.docs {
		one := &s.docs[d]
		if one.last != stamp {
			if one.last == 0 {
				s.touched = append(s.touched, d)
				one.last = noClause
			}
			if !optional {
				one.last = stamp
				if one.matched++; one.matched == s.need {
					s.complete = append(s.complete, d)
				}
				if one.rung < r {
					one.rung = r
				}
			}
		}
		if p.impact != nil {
			one.score += float32(weight * p.impact[i])
		} else {
			times := float32(p.times[i])
			one.score += weight * times / (times + damping[d])
		}
	}
}

// best returns the first n of the hits: by rung, score, date (newest first) and id.
func (s *snapshot) best(hits []hit, n int) ([]hit, error) {
	if n <= 0 || len(hits) == 0 {
		return nil, nil
	}
	if len(hits) > n {
		hits = atLeast(hits, nth(hits, n))
	}
	slices.SortFunc(hits, compareHits)
	for i := 0; i < len(hits) && i < n; {
		end := i + 1
		for end < len(hits) && compareHits(hits[i], hits[end]) == 0 {
			end++
		}
		if end-i > 1 {
			if err := s.breakTies(hits[i:end]); err != nil {
				return nil, err
			}
		}
		i = end
	}
	return hits[:min(n, len(hits))], nil
}

// compareHits orders by rung and score.
func compareHits(a, b hit) int {
	if a.rung != b.rung {
		return cmp.Compare(a.rung, b.rung)
	}
	return cmp.Compare(b.score, a.score)
}

// nth returns a hit that ranks like the n-th: the last of a heap of the n best.
func nth(hits []hit, n int) hit {
	heap := append(make([]hit, 0, n), hits[:n]...) // the worst first
	down := func(i int) {
		for {
			worst := i
			for _, child := range [...]int{2*i + 1, 2*i + 2} {
				if child < n && compareHits(heap[child], heap[worst]) > 0 {
					worst = child
				}
			}
			if worst == i {
				return
			}
			heap[i], heap[worst] = heap[worst], heap[i]
			i = worst
		}
	}
	for i := n/2 - 1; i >= 0; i-- {
		down(i)
	}
	for _, h := range hits[n:] {
		if compareHits(h, heap[0]) < 0 {
			heap[0] = h
			down(0)
		}
	}
	return heap[0]
}

// atLeast keeps the hits that rank like h or better.
func atLeast(hits []hit, h hit) []hit {
	kept := hits[:0]
	for _, one := range hits {
		if compareHits(one, h) <= 0 {
			kept = append(kept, one)
		}
	}
	return kept
}

// breakTies sorts hits of equal score.
func (s *snapshot) breakTies(hits []hit) error {
	type key struct {
		hit
		published int64
		id        string
	}
	reader, err := s.reader.DocValueReader([]string{fieldRow})
	if err != nil {
		return err
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(a.doc, b.doc) }) // columns are read in this order
	keys := make([]key, len(hits))
	for i, h := range hits {
		r, err := readRow(reader, h.doc)
		if err != nil {
			return err
		}
		id, err := s.id(h.doc)
		if err != nil {
			return err
		}
		keys[i] = key{h, r.published, id}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(b.published, a.published), cmp.Compare(a.id, b.id))
	})
	for i, k := range keys {
		hits[i] = k.hit
	}
	return nil
}

// bitmap is a set of documents.
type bitmap struct {
	words []uint64
	docs  int
}

func newBitmap(docs int) *bitmap { return &bitmap{make([]uint64, (docs+63)/64), docs} }

func (b *bitmap) has(d uint32) bool { return b.words[d/64]&(1<<(d%64)) != 0 }

func (b *bitmap) addAll(docs []uint32) {
	for _, d := range docs {
		b.words[d/64] |= 1 << (d % 64)
	}
}

func (b *bitmap) removeAll(docs []uint32) {
	for _, d := range docs {
		b.words[d/64] &^= 1 << (d % 64)
	}
}

func (b *bitmap) and(other *bitmap) {
	for i := range b.words {
		b.words[i] &= other.words[i]
	}
}

func (b *bitmap) or(other *bitmap) {
	for i := range b.words {
		b.words[i] |= other.words[i]
	}
}

func (b *bitmap) fill() {
	for i := range b.words {
		b.words[i] = ^uint64(0)
	}
}

// list returns the documents, ascending.
func (b *bitmap) list() []uint32 {
	var docs []uint32
	for i, w := range b.words {
		for ; w != 0; w &= w - 1 {
			docs = append(docs, uint32(64*i+bits.TrailingZeros64(w)))
		}
	}
	return docs
}

func (b *bitmap) count() int {
	n := 0
	for _, w := range b.words {
		n += bits.OnesCount64(w)
	}
	return n
}

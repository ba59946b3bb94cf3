package index

import (
	"bytes"
	"cmp"
	"context"
	"iter"
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

// scratch is the working memory of one search.
type scratch struct {
	docs     int
	scores   []float32 // by document; 0 between two uses
	sets     []*bitmap // those before used are in use
	used     int
	texts    []byte // of the documents that the search keeps
	kept     int    // how many bytes it keeps
	document []byte // the one that is read and not kept
	read     map[uint32]stored
	marker   marker
	body     bytes.Buffer
}

// scratchPool keeps working memory for the next searches. What a sync.Pool keeps is lost when memory is collected,
// and to make it anew is most of what there is to collect.
type scratchPool struct {
	mu   sync.Mutex
	free []*scratch
}

func (p *scratchPool) get(docs int) *scratch {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n := len(p.free); n > 0; n = len(p.free) {
		s := p.free[n-1]
		if p.free = p.free[:n-1]; s.docs == docs { // of this revision
			return s
		}
	}
	return &scratch{docs: docs, scores: make([]float32, docs), read: map[uint32]stored{}}
}

// put keeps working memory, but no more than so many searches take.
func (p *scratchPool) put(s *scratch, most int) {
	s.used, s.texts, s.kept = 0, s.texts[:0], 0
	clear(s.read)
	s.marker.finder = nil // and the snapshot behind it
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < most {
		p.free = append(p.free, s)
	}
}

// set returns an empty set, until the end of the search.
func (s *scratch) set() *bitmap {
	if s.used == len(s.sets) {
		s.sets = append(s.sets, newBitmap(s.docs))
	}
	b := s.sets[s.used]
	s.used++
	clear(b.words)
	return b
}

// maxReadBytes is how much of documents a search keeps, to read each once: a page of long ones. Of
// longer ones, which may have megabytes, some are read twice.
const maxReadBytes = 4 << 20

// room returns so many bytes for a document: until the end of the search, or where it keeps enough of them already,
// until the next one is read.
func (s *scratch) room(n int) []byte {
	if s.kept+n <= maxReadBytes {
		s.kept += n
		if at := len(s.texts); n <= cap(s.texts)-at {
			s.texts = s.texts[:at+n]
			return s.texts[at:]
		}
		s.texts = make([]byte, n, max(n, min(2*cap(s.texts), maxReadBytes))) // those before are in use
		return s.texts
	}
	s.document = slices.Grow(s.document[:0], n)
	return s.document[:n]
}

// top takes the scores of candidates, all of one rung, and returns the first n hits, and those that
// tie with the last of them, in the order of documents.
func (s *scratch) top(candidates *bitmap, rung Rung, n int, boosts []float32) []hit {
	best := make([]float32, 0, n) // a heap, the lowest score first
	var hits []hit                // that were among the first when they were met
	for d := range candidates.all() {
		score := s.scores[d] * boosts[d]
		s.scores[d] = 0
		switch {
		case len(best) < n:
			best = append(best, score)
			for i := len(best) - 1; i > 0 && best[i] < best[(i-1)/2]; i = (i - 1) / 2 {
				best[i], best[(i-1)/2] = best[(i-1)/2], best[i]
			}
		case n == 0 || score < best[0]:
			continue
		case score > best[0]:
			best[0] = score
			sift(best)
		}
		hits = append(hits, hit{d, rung, score})
	}
	return slices.DeleteFunc(hits, func(h hit) bool { return h.score < best[0] })
}

// sift puts the first of a heap in its place.
func sift(heap []float32) {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if heap[child] < heap[least] {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}

// best returns the first n of the hits: by rung, score, date (newest first) and id.
func (s *snapshot) best(ctx context.Context, hits []hit, n int) ([]hit, error) {
	if n <= 0 || len(hits) == 0 {
		return nil, nil
	}
	slices.SortFunc(hits, compareHits)
	for i := 0; i < len(hits) && i < n; {
		end := i + 1
		for end < len(hits) && compareHits(hits[i], hits[end]) == 0 {
			end++
		}
		if end-i > 1 {
			if err := s.breakTies(ctx, hits[i:end], n-i); err != nil {
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

// breakTies puts the first n of hits of equal score in their order. There may be as many as documents; so
// the ids, which take longest to read, are only read of those whose dates leave it open.
func (s *snapshot) breakTies(ctx context.Context, hits []hit, n int) error {
	type key struct {
		hit
		published int64
		id        string
	}
	keys := make([]key, len(hits))
	for i, h := range hits {
		published, err := s.published(ctx, h.doc)
		if err != nil {
			return err
		}
		keys[i] = key{hit: h, published: published}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Compare(b.published, a.published) })
	for i := 0; i < min(n, len(keys)); {
		end := i + 1
		for end < len(keys) && keys[end].published == keys[i].published {
			end++
		}
		if end-i > 1 {
			for j := i; j < end; j++ {
				if j&0xFF == 0xFF && ctx.Err() != nil {
					return ctx.Err()
				}
				id, err := s.id(keys[j].doc)
				if err != nil {
					return err
				}
				keys[j].id = id
			}
			slices.SortFunc(keys[i:end], func(a, b key) int { return cmp.Compare(a.id, b.id) })
		}
		i = end
	}
	for i, k := range keys {
		hits[i] = k.hit
	}
	return nil
}

// bitmap is a set of documents.
type bitmap struct{ words []uint64 }

func newBitmap(docs int) *bitmap { return &bitmap{make([]uint64, (docs+63)/64)} }

func (b *bitmap) has(d uint32) bool { return b.words[d/64]&(1<<(d%64)) != 0 }

func (b *bitmap) add(d uint32) { b.words[d/64] |= 1 << (d % 64) }

func (b *bitmap) addDocs(docs []uint32) {
	for _, d := range docs {
		b.add(d)
	}
}

func (b *bitmap) removeDocs(docs []uint32) {
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

func (b *bitmap) remove(other *bitmap) {
	for i := range b.words {
		b.words[i] &^= other.words[i]
	}
}

func (b *bitmap) fill() {
	for i := range b.words {
		b.words[i] = ^uint64(0)
	}
}

// all returns the documents, ascending.
func (b *bitmap) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, w := range b.words {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(64*i + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// list returns the documents, ascending.
func (b *bitmap) list() []uint32 {
	docs := make([]uint32, 0, b.count())
	for d := range b.all() {
		docs = append(docs, d)
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

func (b *bitmap) empty() bool {
	for _, w := range b.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// rank is the number of documents before one.
func (b *bitmap) rank(d uint32) int {
	n := 0
	for _, w := range b.words[:d/64] {
		n += bits.OnesCount64(w)
	}
	return n + bits.OnesCount64(b.words[d/64]&(1<<(d%64)-1))
}

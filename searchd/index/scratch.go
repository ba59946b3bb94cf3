package index

import (
	"slices"
	"sync"
)

// scratch is the working memory of one search.
type scratch struct {
	docs     int
	scores   []float32 // by document; 0 between uses
	sets     []*bitmap
	used     int    // how many of sets, from the first on, are in use
	texts    []byte // the memory of the documents in read
	kept     int    // how many bytes the documents in read have
	document []byte // the memory of one document that is not in read
	read     map[uint32]stored
	marker   marker
	hits     []hit // see top
}

// scratchPool keeps working memory for later searches in the same revision. A sync.Pool would lose
// it at each garbage collection, and this memory is most of the garbage there would be.
type scratchPool struct {
	mu   sync.Mutex
	free []*scratch
}

func (p *scratchPool) get(docs int) *scratch {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		s := p.free[n-1]
		p.free = p.free[:n-1]
		return s
	}
	return &scratch{docs: docs, scores: make([]float32, docs), read: map[uint32]stored{}}
}

// put keeps the working memory of a search, unless the pool has as many as most already.
func (p *scratchPool) put(s *scratch, most int) {
	s.used, s.texts, s.kept = 0, s.texts[:0], 0
	clear(s.read)
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < most {
		p.free = append(p.free, s)
	}
}

// any returns a set with any documents, which the caller may use until the end of the search.
func (s *scratch) any() *bitmap {
	if s.used == len(s.sets) {
		s.sets = append(s.sets, newBitmap(s.docs))
	}
	s.used++
	return s.sets[s.used-1]
}

// set returns an empty set, which the caller may use until the end of the search.
func (s *scratch) set() *bitmap {
	b := s.any()
	clear(b.words)
	return b
}

// copyOf returns a copy of a set, which the caller may use until the end of the search.
func (s *scratch) copyOf(other *bitmap) *bitmap {
	b := s.any()
	copy(b.words, other.words)
	return b
}

// full returns the set of all documents, which the caller may use until the end of the search.
func (s *scratch) full() *bitmap {
	b := s.any()
	b.fill()
	return b
}

// maxReadBytes is how many bytes of documents a search keeps, so that it reads each once: those of
// a page of long documents. If they are longer still, some are read twice.
const maxReadBytes = 4 << 20

// room returns n bytes for a document. They are valid until the end of the search or, once the
// search keeps maxReadBytes, until the next document is read.
func (s *scratch) room(n int) []byte {
	if s.kept+n <= maxReadBytes {
		s.kept += n
		if at := len(s.texts); n <= cap(s.texts)-at {
			s.texts = s.texts[:at+n]
			return s.texts[at:]
		}
		s.texts = make([]byte, n, max(n, min(2*cap(s.texts), maxReadBytes))) // the memory before is still in use
		return s.texts
	}
	s.document = slices.Grow(s.document[:0], n)
	return s.document[:n]
}

// stored returns a document. It is valid until the next call.
func (f *finder) stored(doc uint32) stored {
	if got, ok := f.scratch.read[doc]; ok {
		return got
	}
	kept := f.scratch.kept
	got := f.snapshot.stored(doc, f.scratch.room)
	if f.scratch.kept > kept {
		f.scratch.read[doc] = got
	}
	return got
}

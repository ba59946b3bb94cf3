package index

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"
)

// termReader reads the postings of one term after another. A snapshot keeps its readers, because
// opening a dictionary takes longer than looking up a term.
type termReader struct {
	snapshot *snapshot
	opened   map[string][]*dictionary // by field: the dictionary of each segment, or nil if it has none
	iterator vellum.FSTIterator
	term     []byte
	lists    []numberedList
	docs     []uint32
	levels   []uint8
}

// dictionary is the terms of a field in a segment.
type dictionary struct {
	*vellum.FST
	reader *vellum.Reader
}

// termReader returns a reader; the caller puts it back into readers.
func (s *snapshot) termReader() *termReader {
	if r, ok := s.readers.Get().(*termReader); ok {
		return r
	}
	return &termReader{snapshot: s, opened: map[string][]*dictionary{}}
}

// accepted visits the terms of a dictionary that have a prefix and that an automaton accepts; nil
// accepts all. They are in ascending order, and each is valid until the next one. The engine's own
// way would start a goroutine for each segment.
func (r *termReader) accepted(ctx context.Context, d *dictionary, prefix string, a vellum.Automaton) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if d == nil {
			return
		}
		end := []byte(prefix + "\xFF") // no term has this byte
		for n, err := 1, r.iterator.Reset(d.FST, []byte(prefix), end, a); !ended(err); n, err = n+1, r.iterator.Next() {
			if n&0xFF == 0 {
				must(ctx.Err())
			}
			if term, _ := r.iterator.Current(); !yield(term) {
				return
			}
		}
	}
}

// ended reports whether err says that an iterator has no more terms. Any other error is damage.
func ended(err error) bool {
	if errors.Is(err, vellum.ErrIteratorDone) {
		return true
	}
	must(damaged(err))
	return false
}

// read returns the documents with a term.
func (r *termReader) read(ctx context.Context, field, term string) *postings {
	r.term, r.lists = append(r.term[:0], term...), r.lists[:0]
	dictionaries := r.open(field)
	most, first := 0, uint32(0) // how many documents there may be, and the number of the segment's first document
	for i, segment := range r.snapshot.reader.Segments() {
		must(ctx.Err())
		if dictionaries[i] != nil {
			list, ok, err := dictionaries[i].reader.Get(r.term)
			must(damaged(err))
			if ok {
				l := r.snapshot.layouts[i]
				n := l.count(list)
				r.lists = append(r.lists, numberedList{l, list, n, first, segment.Deleted()})
				most += n
			}
		}
		first += uint32(segment.FullSize())
	}
	p := &postings{}
	if most > r.snapshot.docs/setShare {
		p.set = newBitmap(r.snapshot.docs)
	} else {
		p.docs = make([]uint32, 0, most)
	}
	if isCounted(field) {
		p.times = make([]uint8, 0, most)
	}
	for _, one := range r.lists {
		r.add(p, one)
	}
	return p
}

// numberedList is a list of a segment whose documents are numbered on from first; some may be
// deleted.
type numberedList struct {
	*layout
	list    uint64
	docs    int // how many documents, deleted ones included
	first   uint32
	deleted *roaring.Bitmap // nil if none is
}

// add adds the documents of a list to postings, except deleted ones. A list without these is added
// as a whole.
func (r *termReader) add(p *postings, in numberedList) {
	if isOne(in.list) || in.deleted != nil {
		r.docs, r.levels = in.layout.list(r.docs[:0], r.levels[:0], in.list)
		for i, doc := range r.docs {
			if in.deleted == nil || !in.deleted.Contains(doc) {
				p.add(in.first+doc, timesOf(r.levels[i]))
			}
		}
		return
	}
	all := in.docList(in.list)
	var levels []byte
	switch {
	case p.set == nil:
		p.docs, levels = all.appendTo(p.docs, in.first)
	case all.words > 0:
		levels = p.set.addBits(in.first, all)
	default:
		r.docs, levels = all.appendTo(r.docs[:0], in.first)
		p.set.addDocs(r.docs)
	}
	p.found += in.docs
	if p.times != nil {
		p.times = appendTimes(p.times, levels, in.docs)
	}
}

// open returns the dictionaries of a field, one for each segment; nil for one without the field.
func (r *termReader) open(field string) []*dictionary {
	if opened := r.opened[field]; opened != nil {
		return opened
	}
	opened := make([]*dictionary, len(r.snapshot.layouts))
	for i, l := range r.snapshot.layouts {
		if terms := l.dictionary(field); terms != nil {
			reader, err := terms.Reader()
			must(damaged(err))
			opened[i] = &dictionary{terms, reader}
		}
	}
	r.opened[field] = opened
	return opened
}

// terms returns at most n terms of a field with a prefix, sorted. Terms of deleted articles stay in
// the files for a while; they are left out, since they must not take the place of others.
func (s view) terms(field, prefix string, n int) (terms []string) {
	r := s.termReader()
	defer s.readers.Put(r)
	for _, d := range r.open(field) {
		found := 0
		for text := range r.accepted(s.ctx, d, prefix, nil) {
			term := string(text)
			if !s.lives(field, term) {
				continue
			}
			terms = append(terms, term)
			if found++; found == n {
				break
			}
		}
	}
	slices.Sort(terms) // a term may be in several segments
	terms = slices.Compact(terms)
	return terms[:min(n, len(terms))]
}

// lives reports whether an article that is not deleted has a term.
func (s view) lives(field, term string) bool {
	return !s.deletions || s.read(field, term).found > 0
}

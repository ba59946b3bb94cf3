package index

import (
	"bytes"
	"cmp"
	"errors"
	"iter"
	"math"
	"os"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
)

// MergeUsing writes the documents of some segments, except those dropped, to one segment, and
// returns their new numbers. If it meets damage, it also calls the configuration's whenDamaged.
func (*segments) MergeUsing(
	from []segment.Segment,
	drops []*roaring.Bitmap,
	path string,
	closing chan struct{},
	_ segment.StatsReporter,
	config map[string]any,
) (numbers [][]uint64, size uint64, err error) {
	err = guard(func() { numbers, size = merge(from, drops, path, closing) }) // not wrapped: the engine compares some errors
	if tell, ok := config[whenDamaged].(func(error)); ok && errors.Is(err, ErrDamaged) {
		tell(err)
	}
	return numbers, size, err
}

// whenDamaged is the key, in the engine's configuration of segments, of a func(error) that is
// called when a merge meets damage.
const whenDamaged = "newsstand damaged"

// merge writes a whole file, or none. It copies the stored documents and their sequences as they
// are, and concatenates the lists of each term.
func merge(from []segment.Segment, drops []*roaring.Bitmap, path string, closing chan struct{}) (numbers [][]uint64, size uint64) {
	m := merger{closing: closing}
	for i, s := range from {
		p := m.newPart(s, drops[i])
		m.parts = append(m.parts, p)
		m.docs += p.kept
	}
	file := got(os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600))
	whole := false
	defer func() {
		if !whole {
			file.Close()
			os.Remove(path)
		}
	}()
	w := newSegmentWriter(file, m.docs)
	m.write(w)
	must(file.Sync())
	must(file.Close())
	whole = true
	for _, p := range m.parts {
		numbers = append(numbers, p.numbers)
	}
	return numbers, w.before
}

// merger merges parts into one segment.
type merger struct {
	parts   []*part
	docs    int // of all parts, without those dropped
	closing chan struct{}
}

// part is a segment to be merged.
type part struct {
	*layout
	kept    int      // how many documents are not dropped
	numbers []uint64 // by document: its new number, or dropped
	left    uint64   // the end of what leave has dropped from memory
}

// leaveBytes is how much of a file is read before it is dropped from memory: a merge reads whole
// files, once each, which would fill memory.
const leaveBytes = 8 << 20

// leave drops a file from memory up to a place, if leaveBytes of it have been read since the last
// time.
func (p *part) leave(at uint64) {
	if p.mapped && at >= p.left+leaveBytes {
		forget(p.data, p.left, at)
		p.left = at
	}
}

// dropped is the number of a document that is not in the merged segment.
const dropped = math.MaxUint64

// newPart returns the part for a segment. Its documents are numbered on from those of the parts
// before.
func (m *merger) newPart(s segment.Segment, drops *roaring.Bitmap) *part {
	if file, ok := s.(segment.PersistedSegment); ok {
		// Otherwise the new file might have wrong bytes with a right checksum.
		must(verifySegment(file.Path(), func(time.Duration) error { return m.closed(0) }))
	}
	l := newLayout(s)
	p := &part{layout: l, numbers: make([]uint64, l.places.docs)}
	for doc := range p.numbers {
		p.numbers[doc] = dropped
		if drops == nil || !drops.Contains(uint32(doc)) {
			p.numbers[doc] = uint64(m.docs + p.kept)
			p.kept++
		}
	}
	return p
}

func (m *merger) write(w *segmentWriter) {
	var begins []uint64
	for _, p := range m.parts {
		for doc, number := range p.numbers {
			must(cmp.Or(w.err, m.closed(doc)))
			if number != dropped {
				begin, end := p.storedOf(doc)
				begins = append(begins, w.at())
				w.write(p.data[begin:end])
				p.leave(end)
			}
		}
	}
	at := places{docs: m.docs, stored: w.stored(nil, begins)}
	at.fields = w.eachField(func(name string) iter.Seq[[]byte] {
		m.forget()
		m.terms(w, name)
		if name == fieldOrder || name == fieldRow {
			return m.column(name)
		}
		return nil
	})
	m.forget()
	w.end(at)
	must(w.err)
}

// closed returns an error if the engine is closing. It only looks at each 256th n.
func (m *merger) closed(n int) error {
	if n&0xFF == 0 {
		select {
		case <-m.closing:
			return segment.ErrClosed
		default:
		}
	}
	return nil
}

// forget drops all files from memory.
func (m *merger) forget() {
	for _, p := range m.parts {
		if p.mapped {
			forget(p.data, 0, uint64(len(p.data)))
		}
	}
}

// terms merges the terms of a field.
func (m *merger) terms(w *segmentWriter, field string) {
	var segments []*layout
	for _, p := range m.parts {
		segments = append(segments, p.layout)
	}
	var docs []uint32
	var levels []uint8
	n := 0
	for e := range entries(segments, field) {
		must(cmp.Or(w.err, m.closed(n)))
		n++
		docs, levels = docs[:0], levels[:0]
		for _, in := range e.lists {
			docs, levels = m.parts[in.segment].append(docs, levels, in.list)
		}
		w.term(e.term, docs, levels)
	}
}

// append adds the new numbers and the levels of those documents of a list that are not dropped.
func (p *part) append(docs []uint32, levels []uint8, list uint64) ([]uint32, []uint8) {
	at := len(docs)
	docs, levels = p.list(docs, levels, list)
	for i := at; i < len(docs); i++ {
		if number := p.numbers[docs[i]]; number != dropped {
			docs[at], levels[at] = uint32(number), levels[i]
			at++
		}
	}
	return docs[:at], levels[:at]
}

// column returns the values of a column.
func (m *merger) column(field string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, p := range m.parts {
			values := p.column(field)
			for doc, number := range p.numbers {
				if number != dropped && !yield(values.at(doc)) {
					return
				}
				p.leave(values.ends[doc])
			}
		}
	}
}

// entry is a term of a field, with the place of its list in each segment that has it. It is valid
// until the next entry.
type entry struct {
	term  []byte
	lists []listIn
}

// listIn is a segment, by number, and the place of a list in it.
type listIn struct {
	segment int
	list    uint64
}

// entries visits the terms of a field in all segments, in ascending order.
func entries(segments []*layout, field string) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		var e entry
		for open := termsOf(segments, field); len(open) > 0; {
			e.term, e.lists = append(e.term[:0], least(open)...), e.lists[:0]
			if open = e.take(open); !yield(e) {
				return
			}
		}
	}
}

// terms are the remaining terms of a segment.
type terms struct {
	*vellum.FSTIterator
	segment int
}

// termsOf returns the terms of a field in each segment that has some.
func termsOf(segments []*layout, field string) (open []terms) {
	for i, l := range segments {
		if dictionary := l.dictionary(field); dictionary != nil {
			if first, err := dictionary.Iterator(nil, nil); !ended(err) {
				open = append(open, terms{first, i})
			}
		}
	}
	return open
}

// least returns the least of the remaining terms of all segments.
func least(open []terms) []byte {
	first, _ := open[0].Current()
	for _, t := range open[1:] {
		if term, _ := t.Current(); bytes.Compare(term, first) < 0 {
			first = term
		}
	}
	return first
}

// take adds the lists of the entry's term from all segments, advances these, and returns those that
// have more terms.
func (e *entry) take(open []terms) (still []terms) {
	still = open[:0]
	for _, t := range open {
		if term, list := t.Current(); bytes.Equal(term, e.term) {
			e.lists = append(e.lists, listIn{t.segment, list})
			if ended(t.Next()) {
				continue
			}
		}
		still = append(still, t)
	}
	return still
}

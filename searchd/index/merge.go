package index

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/golang/snappy"
)

// Merge is MergeUsing without settings.
func (p *segments) Merge(
	from []segment.Segment,
	drops []*roaring.Bitmap,
	path string,
	closing chan struct{},
	report segment.StatsReporter,
) ([][]uint64, uint64, error) {
	return p.MergeUsing(from, drops, path, closing, report, nil)
}

// MergeUsing writes the documents of some segments, without those dropped, as one segment, and
// returns their new numbers. Where it meets damage, it calls what the configuration has for that.
func (*segments) MergeUsing(
	from []segment.Segment,
	drops []*roaring.Bitmap,
	path string,
	closing chan struct{},
	_ segment.StatsReporter,
	config map[string]any,
) (numbers [][]uint64, size uint64, err error) {
	err = guard(func() error {
		numbers, size, err = merge(from, drops, path, closing)
		return err // as it is: the engine compares some errors
	})
	if tell, ok := config[whenDamaged].(func(error)); ok && errors.Is(err, ErrDamaged) {
		tell(err)
	}
	return numbers, size, err
}

// whenDamaged is the key, in the engine's configuration of segments, of a func(error) that is
// called when a merge meets damage.
const whenDamaged = "newsstand damaged"

// merge writes a whole file, or leaves none. It copies what is stored of documents and their
// sequences as they are, and puts the lists of a term one behind another.
func merge(from []segment.Segment, drops []*roaring.Bitmap, path string, closing chan struct{}) (_ [][]uint64, size uint64, err error) {
	m := merger{closing: closing}
	for i, s := range from {
		p, err := m.newPart(s, drops[i])
		if err != nil {
			return nil, 0, err
		}
		m.parts = append(m.parts, p)
		m.docs += p.kept
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, 0, err
	}
	whole := false
	defer func() {
		if !whole {
			file.Close()
			os.Remove(path)
		}
	}()
	w := newSegmentWriter(file)
	if err := m.write(w); err != nil {
		return nil, 0, err
	}
	if err := file.Sync(); err != nil {
		return nil, 0, err
	}
	if err := file.Close(); err != nil {
		return nil, 0, err
	}
	whole = true
	var numbers [][]uint64
	for _, p := range m.parts {
		numbers = append(numbers, p.numbers)
	}
	return numbers, w.before, nil
}

// merger merges parts into one segment.
type merger struct {
	parts   []*part
	docs    int // of all parts, without those dropped
	closing chan struct{}
	err     error // of reading a column
}

// part is a segment that is merged.
type part struct {
	*layout
	kept    int      // how many documents are not dropped
	numbers []uint64 // the new numbers, by document; dropped where it has none
	left    uint64   // up to where leave has dropped the file from memory
}

// leaveBytes is how much of a file is read before it is dropped from memory: a merge reads whole
// files once, which would fill memory.
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

// newPart returns the part of a segment, whose documents are numbered on from those of the parts
// before.
func (m *merger) newPart(s segment.Segment, drops *roaring.Bitmap) (*part, error) {
	if file, ok := s.(segment.PersistedSegment); ok {
		// Else the new file might have wrong bytes, and the right checksum.
		err := verifySegment(file.Path(), func(time.Duration) error { return m.closed(0) })
		if err != nil {
			return nil, err
		}
	}
	l, err := newLayout(s)
	if err != nil {
		return nil, err
	}
	p := &part{layout: l, numbers: make([]uint64, l.places.docs)}
	for doc := range p.numbers {
		p.numbers[doc] = dropped
		if drops == nil || !drops.Contains(uint32(doc)) {
			p.numbers[doc] = uint64(m.docs + p.kept)
			p.kept++
		}
	}
	return p, nil
}

func (m *merger) write(w *segmentWriter) error {
	var begins []uint64
	for _, p := range m.parts {
		for doc, number := range p.numbers {
			if err := cmp.Or(w.err, m.closed(doc)); err != nil {
				return err
			}
			if number != dropped {
				begin, end := p.storedOf(doc)
				begins = append(begins, w.at())
				w.write(p.data[begin:end])
				p.leave(end)
			}
		}
	}
	at := places{docs: m.docs, stored: w.stored(nil, begins)}
	var err error
	at.fields, err = w.eachField(func(name string) (*column, error) {
		m.forget()
		switch name {
		case fieldLength:
			return nil, m.lengths(w)
		case fieldOrder:
			return &column{values: m.orders()}, m.terms(w, name)
		case fieldRow:
			return &column{values: m.rows(), packed: true}, m.terms(w, name)
		default:
			return nil, m.terms(w, name)
		}
	})
	m.forget()
	if err = cmp.Or(m.err, err); err != nil {
		return err
	}
	w.end(at)
	return w.err
}

// closed returns an error where the engine closes. It only looks at each 256th n.
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

// lengths writes the one list of fieldLength.
func (m *merger) lengths(w *segmentWriter) error {
	var docs, norms []uint32
	for _, p := range m.parts {
		lengths, err := p.lengths()
		if err != nil {
			return err
		}
		for doc, length := range lengths {
			if number := p.numbers[doc]; number != dropped {
				docs, norms = append(docs, uint32(number)), append(norms, length)
			}
		}
	}
	w.term(nil, docs, nil, norms)
	return nil
}

// terms merges the terms of a field.
func (m *merger) terms(w *segmentWriter, field string) error {
	var segments []*layout
	for _, p := range m.parts {
		segments = append(segments, p.layout)
	}
	var docs []uint32
	var levels []uint8
	n := 0
	for e, err := range entries(segments, field) {
		if err != nil {
			return err
		}
		if err := cmp.Or(w.err, m.closed(n)); err != nil {
			return err
		}
		n++
		docs, levels = docs[:0], levels[:0]
		for _, in := range e.lists {
			if docs, levels, err = m.parts[in.segment].append(docs, levels, in.list); err != nil {
				return err
			}
		}
		w.term(e.term, docs, levels, nil)
	}
	return w.err
}

// append adds the new numbers of the documents of a list that are not dropped, and their levels.
func (p *part) append(docs []uint32, levels []uint8, list uint64) ([]uint32, []uint8, error) {
	at := len(docs)
	docs, levels, err := p.list(docs, levels, list)
	if err != nil {
		return nil, nil, err
	}
	for i := at; i < len(docs); i++ {
		if int(docs[i]) >= len(p.numbers) {
			return nil, nil, fmt.Errorf("%w: a list has a document that the segment has not", ErrDamaged)
		}
		if number := p.numbers[docs[i]]; number != dropped {
			docs[at], levels[at] = uint32(number), levels[i]
			at++
		}
	}
	return docs[:at], levels[:at], nil
}

// orders returns the values of fieldOrder, whose column is not packed.
func (m *merger) orders() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, p := range m.parts {
			f := p.fields[fieldOrder]
			begin := uint64(0)
			for doc, end := range p.ends(f) {
				if p.numbers[doc] != dropped && !yield(p.data[f.first+begin:f.first+end]) {
					return
				}
				begin = end
				p.leave(f.first + end)
			}
		}
	}
}

// rows returns the values of fieldRow, whose column is packed. An error is kept in m.err.
func (m *merger) rows() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, p := range m.parts {
			f := p.fields[fieldRow]
			begin := f.first
			for _, end := range p.ends(f) {
				count := p.uvarint(&begin)
				var docs, ends []uint64
				for range count {
					docs, ends = append(docs, p.uvarint(&begin)), append(ends, p.uvarint(&begin))
				}
				together, err := snappy.Decode(nil, p.data[begin:f.first+end])
				if err != nil {
					m.err = damaged(err)
					return
				}
				at := uint64(0)
				for i, doc := range docs {
					if p.numbers[doc] != dropped && !yield(together[at:ends[i]-1]) {
						return
					}
					at = ends[i]
				}
				begin = f.first + end
			}
		}
	}
}

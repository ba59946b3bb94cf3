package index

import (
	"encoding/binary"
	"fmt"
	"slices"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
	"github.com/pierrec/lz4/v4"
)

// layout locates and reads the parts of a segment's file; see segmentWriter for the format.
//
// A file had the right checksum when it was last read as a whole. If it has rotted since, methods
// panic (see guard), but never allocate more memory than the size of the file justifies.
type layout struct {
	data   []byte
	mapped bool // whether data is a mapped file
	places places
	fields map[string]fieldPlaces
}

// fieldPlaces are the places of a field that has terms: where its column begins and ends, and where
// its dictionary begins.
type fieldPlaces struct{ first, last, dictionary uint64 }

func newLayout(s segment.Segment) *layout {
	l := &layout{fields: map[string]fieldPlaces{}}
	switch s := s.(type) {
	case *memorySegment:
		l.data, l.places = s.file, s.places
	case *fileSegment:
		l.data, l.mapped, l.places = s.Data(), true, places{docs: int(s.NumDocs()), stored: s.StoredIndexOffset(), fields: s.SectionsIndexOffset()}
	default:
		must(fmt.Errorf("%w: a segment is a %T", ErrDamaged, s))
	}
	if docs := uint64(l.places.docs); docs > uint64(len(l.data))/8 || l.places.stored > uint64(len(l.data))-8*docs {
		must(fmt.Errorf("%w: a segment of %d bytes says that it has %d documents", ErrDamaged, len(l.data), docs))
	}
	at := l.places.fields
	for range l.uvarint(&at) { // fields
		place := binary.BigEndian.Uint64(l.data[at:])
		at += 8
		length := l.uvarint(&place)
		name := string(l.data[place : place+length])
		place += length
		l.uvarint(&place) // options
		l.uvarint(&place) // the number of sections, which is 1; its kind, 2 bytes, follows
		if address := binary.BigEndian.Uint64(l.data[place+2:]); address > 0 {
			l.fields[name] = fieldPlaces{l.uvarint(&address), l.uvarint(&address), l.uvarint(&address)}
		}
	}
	return l
}

// uvarint reads a number and moves at past it.
func (l *layout) uvarint(at *uint64) uint64 {
	v, n := binary.Uvarint(l.data[*at:])
	if n <= 0 {
		must(fmt.Errorf("%w: there is no number at %d", ErrDamaged, *at))
	}
	*at += uint64(n)
	return v
}

// dictionary returns the terms of a field, or nil if it has none.
func (l *layout) dictionary(field string) *vellum.FST {
	f, ok := l.fields[field]
	if !ok {
		return nil
	}
	at := f.dictionary
	size := l.uvarint(&at)
	dictionary, err := vellum.Load(l.data[at : at+size])
	must(damaged(err))
	return dictionary
}

// damaged wraps an error of reading mapped files as ErrDamaged.
func damaged(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// list appends the documents of a list, and the levels of how often each has the term.
func (l *layout) list(docs []uint32, levels []uint8, list uint64) ([]uint32, []uint8) {
	if isOne(list) {
		doc, norm := zap.FSTValDecode1Hit(list)
		return append(docs, uint32(doc)), append(levels, uint8(norm-1))
	}
	all := l.docList(list)
	docs, packed := all.appendTo(docs, 0)
	if packed == nil {
		return docs, append(levels, make([]uint8, all.n)...)
	}
	for _, two := range packed {
		levels = append(levels, two&0xF, two>>4)
	}
	return docs, levels[:len(levels)-all.n%2]
}

// count returns how many documents a list has.
func (l *layout) count(list uint64) int {
	if isOne(list) {
		return 1
	}
	return l.docList(list).n
}

// isOne reports whether a list is a single document, which is encoded in the number that is
// otherwise the place of the list.
func isOne(list uint64) bool { return list&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit }

// storedOf returns where the stored fields of a document begin and end.
func (l *layout) storedOf(doc int) (begin, end uint64) {
	begin = binary.BigEndian.Uint64(l.data[l.places.stored+8*uint64(doc):])
	end = begin
	sizes := l.uvarint(&end) + l.uvarint(&end)
	return begin, end + sizes
}

// document unpacks the stored fields of a document into memory that room returns; see
// inversion.store.
func (l *layout) document(doc int, room func(bytes int) []byte) stored {
	at, end := l.storedOf(doc)
	places := l.uvarint(&at)
	l.uvarint(&at) // the size of the rest
	begin := at + places
	begin += l.uvarint(&at) // the id
	var sizes [2]uint64     // of the text, and of the digest and the hit
	for i := range sizes {
		for range 3 { // field, kind and place
			l.uvarint(&at)
		}
		sizes[i] = l.uvarint(&at)
		l.uvarint(&at) // the number of positions in an array, which is 0
	}
	packed, size := l.data[begin:end], sizes[0]+sizes[1]
	if sizes[1] <= digestHex || max(sizes[0], sizes[1], size) > maxUnpacked*uint64(len(packed)) {
		must(fmt.Errorf("%w: document %d has no hit", ErrDamaged, doc))
	}
	data := room(int(size))
	if n, err := lz4.UncompressBlock(packed, data); err != nil || n != len(data) {
		must(fmt.Errorf("%w: document %d is %d bytes for %d (%v)", ErrDamaged, doc, n, len(data), err))
	}
	text, hit := data[:sizes[0]], data[sizes[0]:]
	return stored{digestPrefix + string(hit[:digestHex]), hit[digestHex:], sharing(text)}
}

// pack packs the stored fields of a document with LZ4 into buf, which it may grow. Snappy, which
// the engine uses, takes three times as long to unpack, which was a sixth of the time of a search.
func pack(buf, data []byte) []byte {
	most := lz4.CompressBlockBound(len(data))
	buf = slices.Grow(buf[:0], most)[:most]
	n, _ := lz4.CompressBlock(data, buf, nil) // fails only if the buffer is too small
	return buf[:n]
}

// maxUnpacked is the most bytes that a byte packed with LZ4 can stand for.
const maxUnpacked = 255

// column is the values of a field, one for each document. They stay in the file until they are
// needed.
type column struct {
	data  []byte // of the file
	first uint64 // where the first value begins
	ends  []uint64
}

func (l *layout) column(field string) column {
	f := l.fields[field]
	at := f.last - 16 - binary.BigEndian.Uint64(l.data[f.last-16:])
	values := binary.BigEndian.Uint64(l.data[f.last-8:])
	c := column{l.data, f.first, make([]uint64, len(l.data[f.first:f.last][:values]))} // each end takes a byte at least
	for i := range c.ends {
		c.ends[i] = f.first + l.uvarint(&at)
	}
	return c
}

// at returns the value of a document.
func (c column) at(doc int) []byte {
	begin := c.first
	if doc > 0 {
		begin = c.ends[doc-1]
	}
	return c.data[begin:c.ends[doc]]
}

package index

import (
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"io"
	"iter"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
)

// segments makes the engine's segments out of inversions, and merges them. The files have the parts
// of zap's. zap opens them, and reads their ids for the engine; all else is read by this package.
// zap itself writes its files by way of maps of the terms of each article and a bitmap and
// frequencies for each term, which takes some five times as long. Of the methods inherited from
// zap, the engine calls only Version.
type segments struct{ zap.ZapPlugin }

// Type returns the name by which the engine finds this way to make segments.
func (*segments) Type() string { return "newsstand" }

// NewUsing returns a segment of documents, which must be all those of one inversion.
func (*segments) NewUsing(documents []index.Document, config map[string]any) (segment.Segment, uint64, error) {
	of := documents[0].(*document).of
	file := make(memory, 0, 3*len(of.stored)) // the file is rarely larger
	w := newSegmentWriter(&file, len(of.ids))
	at := of.write(w)
	if w.err != nil {
		return nil, 0, w.err
	}
	stats := config[segment.StatsKey].(*segment.Stats) // the engine's
	made, err := zap.InitSegmentBase(file, w.sum, chunkMode, uint64(at.docs), at.stored, at.fields, config, stats)
	return &memorySegment{made, file, at}, uint64(len(file)), err
}

// OpenUsing maps the file of a segment.
func (p *segments) OpenUsing(path string, config map[string]any) (opened segment.Segment, err error) {
	err = guard(func() { opened = &fileSegment{got(p.ZapPlugin.OpenUsing(path, config)).(*zap.Segment)} })
	if tell, ok := config[whenUnopened].(func(error)); ok && err != nil {
		tell(err)
	}
	return opened, err
}

// whenUnopened is the key, in the engine's configuration of segments, of a func(error) that is
// called when a file cannot be opened.
const whenUnopened = "newsstand unopened"

// fileSegment is a segment whose file is mapped. Its own methods guard the reads that the engine
// does in goroutines of its own.
type fileSegment struct{ *zap.Segment }

// DocNumbers returns the documents of those ids that the segment has.
func (s *fileSegment) DocNumbers(ids []string) (docs *roaring.Bitmap, err error) {
	err = guard(func() { docs = got(s.Segment.DocNumbers(ids)) })
	return docs, err
}

// memorySegment is a segment that is not yet in a file.
type memorySegment struct {
	*zap.SegmentBase
	file   memory
	places places
}

// places is what the end of a segment's file says about the segment.
type places struct {
	docs           int
	stored, fields uint64 // where the lists of documents and of fields are
}

// memory is a file in memory. A bytes.Buffer would double its size as it grows: the first fill of a
// large index took 130 MB more.
type memory []byte

func (m *memory) Write(b []byte) (int, error) {
	*m = append(*m, b...)
	return len(b), nil
}

// chunkMode is zap's number for a way to cut the frequencies of a term into chunks. No term has
// any.
const chunkMode = 1025

// segmentWriter writes the file of a segment as zap 17 does, without the kinds of fields that are
// not needed here; zap.md in github.com/blevesearch/zapx describes the format. Numbers are uvarints
// if no width is given, else big endian. The file has, in this order:
//
//	documents   for each: the size of what describes its values, and the size of the values; then both (see inversion.store)
//	            where each of them begins, 8 bytes; 0, since none is part of another
//	fields      for each that has terms:
//	              for each term, unless only one document has it: its list (see docList)
//	              dictionary: its size, and a vellum FST from terms to the places of their lists; or, if only one document has the
//	              term, to its number and one more than the level, with a bit that says so (zap's "1-hit")
//	              column, if it has one: values; where each value ends, counted from the first; the size of these numbers, 8 bytes,
//	              and how many they are, 8 bytes
//	              address: where the column begins and ends, and where the dictionary begins
//	names       for each field: the size of its name, and the name; its options; 1, the number of its sections; the kind of this section,
//	            2 bytes, and the address of the field, 8 bytes
//	            the number of fields, and where the name of each is, 8 bytes
//	end         see segmentWriter.end
//
// Four things are this package's own, and not read by zap itself: lists in place of zap's bitmaps,
// frequencies and norms, a level in place of the norm of a "1-hit", values in a column in place of
// zap's chunks of them, and how the values of documents are packed (see pack). The writer keeps its
// first error.
type segmentWriter struct {
	to     io.Writer
	docs   int    // how many documents the segment has
	buf    []byte // bytes that are not yet written
	before uint64 // how many bytes were written before those in buf
	sum    uint32 // the CRC-32 of the bytes written
	err    error

	dictionary *vellum.Builder
	fst        memory
}

// newSegmentWriter returns a writer of a segment of so many documents.
func newSegmentWriter(to io.Writer, docs int) *segmentWriter {
	return &segmentWriter{to: to, docs: docs}
}

// bufferBytes is how many bytes are gathered before they are written.
const bufferBytes = 1 << 20

// at returns the place in the file of the next byte.
func (w *segmentWriter) at() uint64 { return w.before + uint64(len(w.buf)) }

func (w *segmentWriter) write(b []byte) {
	w.buf = append(w.buf, b...)
	w.flush(bufferBytes)
}

func (w *segmentWriter) uvarint(values ...uint64) {
	for _, v := range values {
		w.buf = binary.AppendUvarint(w.buf, v)
	}
}

func (w *segmentWriter) uint64(v uint64) { w.buf = binary.BigEndian.AppendUint64(w.buf, v) }

// flush writes the gathered bytes, if there are at least so many. After an error it drops them.
func (w *segmentWriter) flush(least int) {
	if len(w.buf) < least {
		return
	}
	if w.err == nil {
		w.sum = crc32.Update(w.sum, crc32.IEEETable, w.buf)
		_, w.err = w.to.Write(w.buf)
	}
	w.before += uint64(len(w.buf))
	w.buf = w.buf[:0]
}

// stored writes the stored values of all documents, which come first in a file, and then where each
// document begins. It returns the place of the latter.
func (w *segmentWriter) stored(documents []byte, begins []uint64) (at uint64) {
	w.write(documents)
	at = w.at()
	for _, begin := range begins {
		w.uint64(begin)
	}
	w.uvarint(0) // no document is part of another
	return at
}

// term adds the next term, in ascending order, of the field that is being written, and the
// documents that have it. Levels, unless nil, say how often each has it.
func (w *segmentWriter) term(term []byte, docs []uint32, levels []uint8) {
	if len(docs) == 0 || w.err != nil {
		return
	}
	if w.dictionary == nil {
		if w.dictionary, w.err = vellum.New(&w.fst, nil); w.err != nil {
			return
		}
	}
	if len(docs) == 1 {
		norm := uint64(1)
		if levels != nil {
			norm += uint64(levels[0])
		}
		w.err = cmp.Or(w.err, w.dictionary.Insert(term, zap.FSTValEncode1Hit(uint64(docs[0]), norm)))
		return
	}
	if !slices.ContainsFunc(levels, func(l uint8) bool { return l > 0 }) {
		levels = nil
	}
	at := w.at()
	w.buf = appendList(w.buf, docs, levels, w.docs)
	w.flush(bufferBytes)
	w.err = cmp.Or(w.err, w.dictionary.Insert(term, at))
}

// endField ends a field that has terms, and writes its column, unless values is nil. It returns the
// address of the field; 0 if no term was added.
func (w *segmentWriter) endField(values iter.Seq[[]byte]) (address uint64) {
	if w.dictionary == nil || w.err != nil {
		return 0
	}
	if w.err = w.dictionary.Close(); w.err != nil {
		return 0
	}
	dictionary := w.at()
	w.uvarint(uint64(len(w.fst)))
	w.write(w.fst)
	w.fst = w.fst[:0]
	w.err = w.dictionary.Reset(&w.fst)
	first, last := noColumn, noColumn
	if values != nil {
		first = w.at()
		w.column(values)
		last = w.at()
	}
	address = w.at()
	w.uvarint(first, last, dictionary)
	return address
}

// noColumn stands for the place of a column if a field has none.
const noColumn = ^uint64(0)

// column writes the values of a field, one for each document, in their order.
func (w *segmentWriter) column(values iter.Seq[[]byte]) {
	begin := w.at()
	var ends []uint64
	for value := range values {
		w.write(value)
		ends = append(ends, w.at()-begin)
	}
	where := w.at()
	w.uvarint(ends...)
	w.uint64(w.at() - where)
	w.uint64(uint64(len(ends)))
}

// fieldAt is what the list of fields says about a field.
type fieldAt struct {
	name    string
	options index.FieldIndexingOptions
	address uint64 // 0: it has no terms
}

// eachField writes the fields that have terms, and then the list of all fields, whose place it
// returns. For each field, write adds its terms and returns the values of its column, or nil.
func (w *segmentWriter) eachField(write func(name string) iter.Seq[[]byte]) (at uint64) {
	fields := indexFields()
	for i, f := range fields {
		if f.options&index.IndexField != 0 {
			fields[i].address = w.endField(write(f.name))
		}
	}
	var places []uint64
	for _, f := range fields {
		places = append(places, w.at())
		w.uvarint(uint64(len(f.name)))
		w.write([]byte(f.name))
		w.uvarint(uint64(f.options), 1) // the number of sections
		w.buf = binary.BigEndian.AppendUint16(w.buf, zap.SectionInvertedTextIndex)
		w.uint64(f.address)
	}
	at = w.at()
	w.uvarint(uint64(len(fields)))
	for _, place := range places {
		w.uint64(place)
	}
	w.flush(0)
	return at
}

// end writes the last bytes of a file, which zap adds to a segment in memory when it writes it. The
// last of them are the CRC-32 of all other bytes.
func (w *segmentWriter) end(at places) {
	w.buf = binary.BigEndian.AppendUint32(w.buf, 0) // the length of the name of an encryption
	w.uint64(uint64(at.docs))
	w.uint64(at.stored)
	w.uint64(at.fields)
	w.buf = binary.BigEndian.AppendUint32(w.buf, chunkMode)
	w.buf = binary.BigEndian.AppendUint32(w.buf, zap.Version)
	w.flush(0)
	w.buf = binary.BigEndian.AppendUint32(w.buf, w.sum)
	w.flush(0)
}

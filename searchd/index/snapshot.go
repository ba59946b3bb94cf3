package index

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// snapshot is one revision of the index. It does not change; it is closed when the last
// search in it ends.
type snapshot struct {
	reader *scorch.IndexSnapshot
	refs   int // guarded by Index.mu
	docs   int // one more than the largest document number
	// deletions is true where the files still have words of articles that are gone.
	deletions bool
	revision  string
	state     []byte // nil: no whole revision yet
	site      site
	totals    totals
	langs     []*language // of the articles, by code
	damping   []float32   // by document: its length, as BM25 weighs it against how often a word is there
	postings  *cache[*postings]
	answers   *cache[Answer]
	pool      *scoresPool // shared by all snapshots of an index
}

// take returns the newest state of the engine as a snapshot with one reference.
func (x *Index) take() (*snapshot, error) {
	reader, err := x.engine.Reader()
	if err != nil {
		return nil, err
	}
	s := &snapshot{reader: reader.(*scorch.IndexSnapshot), refs: 1, postings: newCache[*postings](postingsBytes), answers: newCache[Answer](answersBytes), pool: &x.pool}
	if err := s.load(x.languages); err != nil {
		s.reader.Close()
		return nil, err
	}
	return s, nil
}

func (s *snapshot) load(languages *languages) error {
	for _, segment := range s.reader.Segments() {
		s.docs += int(segment.FullSize())
		s.deletions = s.deletions || segment.Deleted() != nil
	}
	kept, err := s.reader.GetInternal([]byte(keyHead))
	if err != nil || kept == nil {
		return err
	}
	h, err := parseHead(kept)
	if err != nil {
		return err
	}
	s.revision, s.state, s.totals = h.Revision, h.State, h.Totals
	if n, err := s.reader.DocCount(); err != nil || int(n) != s.totals.Articles {
		return fmt.Errorf("%w: it has %d articles and should have %d (%v)", ErrDamaged, n, s.totals.Articles, err)
	}
	for _, code := range s.totals.sortedLanguages() {
		s.langs = append(s.langs, languages.of(code))
	}
	if err := s.measure(); err != nil {
		return err
	}
	return s.settle(h.Settings)
}

// acquire returns the current snapshot; the caller releases it.
func (x *Index) acquire() *snapshot {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.current.refs++
	return x.current
}

func (x *Index) release(s *snapshot) {
	x.mu.Lock()
	s.refs--
	last := s.refs == 0
	x.mu.Unlock()
	if last {
		s.reader.Close() // only ever says that it was closed before
	}
}

// find returns the number of the document of an article.
func (s *snapshot) find(id string) (doc uint32, ok bool, err error) {
	internal, err := s.reader.InternalID(id)
	if err != nil || internal == nil {
		return 0, false, err
	}
	return uint32(internal.Value()), true, nil
}

// id is the inverse of find.
func (s *snapshot) id(doc uint32) (string, error) {
	return s.reader.ExternalID(index.NewIndexInternalID(nil, uint64(doc)))
}

// row returns the row of a document.
func (s *snapshot) row(doc uint32) (row, error) {
	reader, err := s.reader.DocValueReader([]string{fieldRow})
	if err != nil {
		return row{}, err
	}
	return readRow(reader, doc)
}

func readRow(reader index.DocValueReader, doc uint32) (r row, err error) {
	found := false
	visitErr := reader.VisitDocValues(index.NewIndexInternalID(nil, uint64(doc)), func(_ string, term []byte) {
		found = true
		r, err = parseRow(string(term))
	})
	switch {
	case visitErr != nil:
		return r, visitErr
	case !found:
		return r, fmt.Errorf("%w: document %d has no row", ErrDamaged, doc)
	}
	return r, err
}

// each visits the rows of all documents.
func (s *snapshot) each(visit func(doc uint32, r row) error) error {
	reader, err := s.reader.DocValueReader([]string{fieldRow})
	if err != nil {
		return err
	}
	ids, err := s.reader.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer ids.Close()
	for {
		internal, err := ids.Next()
		if err != nil || internal == nil {
			return err
		}
		doc := uint32(internal.Value())
		r, err := readRow(reader, doc)
		if err != nil {
			return err
		}
		if err := visit(doc, r); err != nil {
			return err
		}
	}
}

// verify sees that the articles that are not deleted are those that the head counts.
func (s *snapshot) verify() error {
	if s.state == nil {
		return nil
	}
	var sum uint64
	err := s.each(func(_ uint32, r row) error {
		sum ^= r.sum()
		return nil
	})
	if err == nil && sum != s.totals.Digests {
		err = fmt.Errorf("%w: it has other articles than its head says", ErrDamaged)
	}
	return err
}

// stored is what a hit is made of.
type stored struct {
	digest string
	hit    []byte // JSON of the article without its bodies, without the closing brace
	text   string
}

func (s *snapshot) stored(doc uint32) (got stored, err error) {
	segments := s.reader.Segments()
	local := uint64(doc)
	at := 0
	for ; at < len(segments) && local >= uint64(segments[at].FullSize()); at++ {
		local -= uint64(segments[at].FullSize())
	}
	if at == len(segments) {
		return got, fmt.Errorf("%w: there is no document %d", ErrDamaged, doc)
	}
	err = segments[at].VisitDocument(local, func(name string, _ byte, value []byte, _ []uint64) bool {
		switch name {
		case fieldHit:
			if len(value) > digestHex {
				got.digest, got.hit = digestPrefix+string(value[:digestHex]), append([]byte(nil), value[digestHex:]...)
			}
		case fieldContent:
			got.text = string(value)
		}
		return true
	})
	if err == nil && got.hit == nil {
		err = fmt.Errorf("%w: document %d has no hit", ErrDamaged, doc)
	}
	return got, err
}

// postings are the documents that have a term, ascending, and either how often, or how much
// that weighs.
type postings struct {
	docs   []uint32
	times  []uint8   // weighted, at most 255; nil in a field without frequencies
	impact []float32 // from 0 to 1: the part of BM25 that depends on the document; nil where times are given
}

// Parameters of BM25 (Robertson and Zaragoza 2009): how soon more of the same word stops
// to count, and how much long texts are held down.
const (
	bm25K = 1.0
	bm25B = 0.75
)

// read returns the documents with a term.
func (s *snapshot) read(ctx context.Context, field, term string) (*postings, error) {
	if p, ok := s.postings.get(field + term); ok {
		return p, nil
	}
	p, err := s.decode(ctx, field, term)
	if err != nil {
		return nil, err
	}
	s.postings.put(field+term, p, p.bytes())
	return p, nil
}

// decode reads the postings of a term from the segments of the engine: as sets, which is many
// times quicker than one after another through its searcher.
func (s *snapshot) decode(ctx context.Context, field, term string) (*postings, error) {
	counts := field == fieldWords || field == fieldStems || field == fieldBegins
	p := &postings{}
	first := uint32(0) // document of the segment
	for _, part := range s.reader.Segments() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		at := len(p.docs)
		dict, err := part.Segment().Dictionary(field)
		if err != nil {
			return nil, err
		}
		if p.docs, err = appendDocs(p.docs, first, dict, term, part.Deleted()); err != nil {
			return nil, err
		}
		if found := p.docs[at:]; counts && len(found) > 0 {
			p.times = append(p.times, slices.Repeat([]uint8{1}, len(found))...)
			if err := countTimes(p.times[at:], found, first, part, oftenTerm(field, term)); err != nil {
				return nil, err
			}
		}
		first += uint32(part.FullSize())
	}
	return p, nil
}

// countTimes sets how often a term is in each of the documents of a segment.
func countTimes(times []uint8, docs []uint32, first uint32, part *scorch.SegmentSnapshot, term string) error {
	dict, err := part.Segment().Dictionary(fieldOften)
	if err != nil {
		return err
	}
	var more []uint32
	all := dict.AutomatonIterator(nil, []byte(term+"\x01"), []byte(term+" "))
	for {
		entry, err := all.Next()
		if err != nil || entry == nil {
			return err
		}
		if more, err = appendDocs(more[:0], first, dict, entry.Term, part.Deleted()); err != nil {
			return err
		}
		rest, at := docs, 0
		for _, d := range more {
			skip, ok := gallop(rest, d)
			if !ok {
				return fmt.Errorf("%w: document %d has a word often and not once", ErrDamaged, d)
			}
			at += skip
			rest = rest[skip:]
			times[at] = entry.Term[len(entry.Term)-1]
		}
	}
}

// gallop finds d among ascending documents, in steps that double: it is near the beginning
// where many are looked for, and few are far apart.
func gallop(docs []uint32, d uint32) (at int, ok bool) {
	end := 1
	for end < len(docs) && docs[end] < d {
		at, end = end, 2*end
	}
	found, ok := slices.BinarySearch(docs[at:min(end+1, len(docs))], d)
	return at + found, ok
}

// appendDocs appends the documents of a segment with a term, without those that are deleted.
func appendDocs(docs []uint32, first uint32, dict segment.TermDictionary, term string, deleted *roaring.Bitmap) ([]uint32, error) {
	list, err := dict.PostingsList([]byte(term), deleted, nil)
	if err != nil {
		return nil, err
	}
	set, ok := list.Iterator(false, false, false, nil).(segment.OptimizablePostingsIterator)
	if !ok { // the list of no documents
		return docs, nil
	}
	if only, ok := set.DocNum1Hit(); ok {
		return append(docs, first+uint32(only)), nil
	}
	if set.ActualBitmap() == nil {
		return docs, nil
	}
	at := len(docs)
	docs = slices.Grow(docs, int(set.ActualBitmap().GetCardinality()))
	docs = docs[:at+set.ActualBitmap().ManyIterator().NextMany(docs[at:cap(docs)])]
	if first > 0 {
		for i := range docs[at:] {
			docs[at+i] += first
		}
	}
	return docs, nil
}

// measure reads the length of every document: from the postings of the one term of its field,
// which is quicker than their columns.
func (s *snapshot) measure() error {
	reader, err := s.reader.TermFieldReader(context.Background(), nil, fieldLength, true, true, false)
	if err != nil {
		return err
	}
	defer reader.Close()
	average := 1.0
	if s.totals.Articles > 0 {
		average = max(1, float64(s.totals.Length)/float64(s.totals.Articles))
	}
	s.damping = make([]float32, s.docs)
	var one index.TermFieldDoc
	for {
		next, err := reader.Next(one.Reset())
		if err != nil || next == nil {
			return err
		}
		length := math.Round(1 / (next.Norm * next.Norm)) // the engine gives one over the square root
		s.damping[next.ID.Value()] = float32(bm25K * (1 - bm25B + bm25B*length/average))
	}
}

// stem returns the documents that have a word with one of these stems, which are by
// language code: those with another form of it, and those with the stem itself, which is
// only among the words.
func (s *snapshot) stem(ctx context.Context, stems []stem) (*postings, error) {
	key := "s*" // no field of the index
	for _, one := range stems {
		key += one.language + " " + one.text + "\x00"
	}
	if p, ok := s.postings.get(key); ok {
		return p, nil
	}
	all := &postings{}
	for i, one := range stems {
		p, err := s.decode(ctx, fieldStems, one.language+" "+one.text)
		if err != nil {
			return nil, err
		}
		all = merge(all, p)
		if slices.ContainsFunc(stems[:i], func(other stem) bool { return other.text == one.text }) {
			continue
		}
		if p, err = s.read(ctx, fieldWords, one.text); err != nil {
			return nil, err
		}
		all = merge(all, p)
	}
	s.postings.put(key, all, all.bytes())
	return all, nil
}

// stem is a stem of a word in one language.
type stem struct{ language, text string }

// merge adds up how often two terms are in each document.
func merge(a, b *postings) *postings {
	if len(a.docs) == 0 {
		return b
	}
	if len(b.docs) == 0 {
		return a
	}
	n := len(a.docs) + len(b.docs)
	m := &postings{docs: make([]uint32, 0, n), times: make([]uint8, 0, n)}
	i, j := 0, 0
	for i < len(a.docs) && j < len(b.docs) {
		switch d, e := a.docs[i], b.docs[j]; {
		case d < e:
			m.docs, m.times = append(m.docs, d), append(m.times, a.times[i])
			i++
		case e < d:
			m.docs, m.times = append(m.docs, e), append(m.times, b.times[j])
			j++
		default:
			m.docs, m.times = append(m.docs, d), append(m.times, uint8(min(int(a.times[i])+int(b.times[j]), 255)))
			i, j = i+1, j+1
		}
	}
	m.docs, m.times = append(m.docs, a.docs[i:]...), append(m.times, a.times[i:]...)
	m.docs, m.times = append(m.docs, b.docs[j:]...), append(m.times, b.times[j:]...)
	return m
}

// bytes is the memory of the postings.
func (p *postings) bytes() int { return 4*len(p.docs) + len(p.times) + 4*len(p.impact) }

// idf is the weight of a term by its rarity (BM25's, never negative).
func (s *snapshot) idf(found int) float32 {
	n, all := float64(found), float64(s.totals.Articles)
	return float32(math.Log(1 + (all-n+0.5)/(n+0.5)))
}

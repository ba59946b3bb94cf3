package index

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// snapshot is one revision of the index. It does not change; it is closed when the last
// search in it ends.
type snapshot struct {
	reader  *scorch.IndexSnapshot
	layouts []*layout // of its segments
	refs    int       // guarded by Index.mu
	docs    int       // one more than the largest document number
	// deletions is true where the files still have words of articles that are gone.
	deletions bool
	revision  string
	state     []byte // nil: no whole revision yet
	site      site
	totals    totals
	frequent  frequent
	langs     []*analysis.Language // of the articles, by code
	// written are, by language code, the articles that may have a word of that language as its own
	// stem: those in it and, of English, those in languages without stems, which borrow its words.
	// Nil where all are in one language.
	written  map[string]*bitmap
	damping  []float32 // by document: its length, as BM25 weighs it against how often a word is there
	dates    []atomic.Pointer[dates]
	postings *cache[*postings]
	answers  *answers
	readers  sync.Pool // of *termReader
	orders   func() []orders
	pool     *scratchPool // shared by all snapshots of an index
	// processors is how many a search may take.
	processors int
}

// take returns the newest state of the engine as a snapshot with one reference.
func (x *Index) take() (*snapshot, error) {
	reader, err := x.engine.Reader()
	if err != nil {
		return nil, err
	}
	s := &snapshot{
		reader:     reader.(*scorch.IndexSnapshot),
		refs:       1,
		postings:   newCache[*postings](postingsBytes),
		answers:    newAnswers(),
		pool:       &x.pool,
		processors: x.processors,
	}
	s.orders = sync.OnceValue(s.findOrders)
	if err := guard(func() error { return s.load(x.languages) }); err != nil {
		s.reader.Close()
		return nil, err
	}
	return s, nil
}

func (s *snapshot) load(languages *analysis.Languages) error {
	for _, segment := range s.reader.Segments() {
		layout, err := newLayout(segment.Segment())
		if err != nil {
			return err
		}
		s.layouts = append(s.layouts, layout)
		s.docs += int(segment.FullSize())
		s.deletions = s.deletions || segment.Deleted() != nil && !segment.Deleted().IsEmpty()
	}
	kept, err := s.reader.GetInternal([]byte(keyHead))
	if err != nil || kept == nil {
		return err
	}
	h, err := parseHead(kept)
	if err != nil {
		return err
	}
	s.revision, s.state, s.totals, s.frequent = h.Revision, h.State, h.Totals, h.Frequent
	if n, err := s.reader.DocCount(); err != nil || int(n) != s.totals.Articles {
		return fmt.Errorf("%w: it has %d articles and should have %d (%v)", ErrDamaged, n, s.totals.Articles, err)
	}
	for _, code := range slices.Sorted(maps.Keys(s.totals.Languages)) {
		s.langs = append(s.langs, languages.Of(code))
	}
	if err := s.divide(languages); err != nil {
		return err
	}
	if err := s.measure(); err != nil {
		return err
	}
	return s.readSettings(h.Settings)
}

// divide fills written, where articles are in several languages.
func (s *snapshot) divide(languages *analysis.Languages) error {
	if len(s.langs) < 2 {
		return nil
	}
	tags, err := s.terms(context.Background(), fieldFacets, languageTerm(""), maxTags)
	if err != nil {
		return err
	}
	s.written = map[string]*bitmap{}
	for _, l := range s.langs {
		s.written[l.Code] = newBitmap(s.docs)
	}
	all := newBitmap(s.docs)
	all.fill()
	s.written[inAll] = all
	for _, tag := range tags {
		if in := s.written[languages.Of(strings.TrimPrefix(tag, languageTerm(""))).Code]; in != nil { // an article that is gone may have been the last in its language
			if err := s.collect(context.Background(), in, fieldFacets, tag); err != nil {
				return err
			}
		}
	}
	if english := s.written["en"]; english != nil {
		for _, l := range s.langs {
			if !l.Stemmed() {
				english.or(s.written[l.Code])
			}
		}
	}
	return nil
}

// maxTags bounds the language tags of a site, of which there are some 8,000.
const maxTags = 10_000

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
		return 0, false, damaged(err)
	}
	return uint32(internal.Value()), true, nil
}

// id is the inverse of find.
func (s *snapshot) id(doc uint32) (string, error) {
	id, err := s.reader.ExternalID(index.NewIndexInternalID(nil, uint64(doc)))
	return id, damaged(err)
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
		return r, damaged(visitErr)
	case !found:
		return r, fmt.Errorf("%w: document %d has no row", ErrDamaged, doc)
	}
	return r, err
}

// dates are the dates of publication of documents whose rows are packed together. All are kept when
// one is asked for: to unpack a thousand rows for each of the hits that tie took longer than to
// find the hits.
type dates [packedDocs]int64

// published is when the article of a document was published.
func (s *snapshot) published(ctx context.Context, doc uint32) (int64, error) {
	at := &s.dates[doc/packedDocs]
	if kept := at.Load(); kept != nil {
		return kept[doc%packedDocs], nil
	}
	if err := ctx.Err(); err != nil { // to read the others takes a while
		return 0, err
	}
	reader, err := s.reader.DocValueReader([]string{fieldRow})
	if err != nil {
		return 0, err
	}
	var all dates
	for i := range all {
		other := doc/packedDocs*packedDocs + uint32(i)
		if int(other) >= s.docs {
			break
		}
		r, err := readRow(reader, other)
		if err != nil {
			return 0, err
		}
		all[i] = r.published
	}
	at.Store(&all)
	return all[doc%packedDocs], nil
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
			return damaged(err)
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

// verify checks by their digests that the articles that are not deleted are those of which the head
// tells. Now and then it calls rest with how long it worked since, and returns its error.
func (s *snapshot) verify(rest func(time.Duration) error) error {
	if s.state == nil {
		return nil
	}
	const piece = 1000
	var sum uint64
	rows, began := 0, time.Now()
	err := s.each(func(_ uint32, r row) error {
		sum ^= r.sum()
		if rows++; rows%piece == 0 {
			if err := rest(time.Since(began)); err != nil {
				return err
			}
			began = time.Now()
		}
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
	hit    []byte // the JSON of the article without its bodies and the closing brace
	text   string
}

// meta is what the article is besides its text.
func (g *stored) meta() (m article.Meta, err error) {
	if err := json.Unmarshal(append(g.hit[:len(g.hit):len(g.hit)], '}'), &m); err != nil {
		return m, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, nil
}

// stored unpacks a document into memory that room returns.
func (s *snapshot) stored(doc uint32, room func(bytes int) []byte) (got stored, err error) {
	local := int(doc)
	for _, l := range s.layouts {
		if local < l.places.docs {
			return l.document(local, room)
		}
		local -= l.places.docs
	}
	return got, fmt.Errorf("%w: there is no document %d", ErrDamaged, doc)
}

// anew returns memory that nobody else has.
func anew(bytes int) []byte { return make([]byte, bytes) }

// sharing returns bytes as a text without copying them; it is valid as long as they are.
func sharing(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Parameters of BM25 (Robertson and Zaragoza 2009): how soon more of the same word stops
// to count, and how much long texts are held down.
const (
	bm25K = 1.2
	bm25B = 0.8
)

// shortWords is the average length, in weighted words, below which articles are short: most words
// of a note stand there once, and more of the same say less than in a longer text. (Searches of
// short messages do best with hardly any weight on them.)
const shortWords = 200

// saturation is bm25K for articles of an average length: half of it for the shortest.
func saturation(average float64) float64 {
	return bm25K * min(max(average/shortWords, 0.5), 1)
}

// measure reads the length of every document, for its damping.
func (s *snapshot) measure() error {
	average := 1.0
	if s.totals.Articles > 0 {
		average = max(1, float64(s.totals.Length)/float64(s.totals.Articles))
	}
	k := saturation(average)
	s.damping, s.dates = make([]float32, 0, s.docs), make([]atomic.Pointer[dates], (s.docs+packedDocs-1)/packedDocs)
	for _, l := range s.layouts {
		lengths, err := l.lengths()
		if err != nil {
			return err
		}
		for _, length := range lengths {
			s.damping = append(s.damping, float32(k*(1-bm25B+bm25B*float64(length)/average)))
		}
	}
	return nil
}

// idf is the weight of a term by its rarity (BM25's, never negative).
func (s *snapshot) idf(found int) float32 {
	n, all := float64(found), float64(s.totals.Articles)
	return float32(math.Log(1 + (all-n+0.5)/(n+0.5)))
}

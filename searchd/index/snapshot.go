package index

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unsafe"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// snapshot is one revision of the index. It does not change, and is closed when the last search in
// it ends.
type snapshot struct {
	reader  *scorch.IndexSnapshot
	layouts []*layout // of its segments
	refs    int       // guarded by Index.mu
	docs    int       // one more than the largest document number
	// deletions is true if the files still have words of deleted articles.
	deletions bool
	revision  string
	state     []byte // nil: no whole revision yet
	site      site
	totals    totals
	frequent  frequent
	langs     []*analysis.Language // of the articles, by code
	// written has, by language code, the articles whose words may be their own stems in that
	// language: those in the language and, for English, those in languages without stems, whose
	// English words have English stems. It is nil if all articles are in one language.
	written  map[string]*bitmap
	damping  []float32 // by document; see measure
	postings *cache[*postings]
	answers  *answers
	readers  sync.Pool       // of *termReader
	rows     []column        // by segment: fieldRow
	orders   func() []column // by segment: fieldOrder
	pool     scratchPool
	// processors is how many processors a search may use.
	processors int
}

// view is a snapshot for one search, which ends with the error of ctx when its time is over.
type view struct {
	*snapshot
	ctx       context.Context
	explained bool // whether a trace is kept
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
		processors: x.processors,
	}
	s.orders = sync.OnceValue(func() []column { return s.columns(fieldOrder) })
	if err := guard(func() { view{snapshot: s, ctx: context.Background()}.load(x.languages) }); err != nil {
		s.reader.Close()
		return nil, err
	}
	return s, nil
}

func (s view) load(languages *analysis.Languages) {
	for _, segment := range s.reader.Segments() {
		s.layouts = append(s.layouts, newLayout(segment.Segment()))
		s.docs += int(segment.FullSize())
		s.deletions = s.deletions || segment.Deleted() != nil && !segment.Deleted().IsEmpty()
	}
	s.rows = s.columns(fieldRow)
	kept := got(s.reader.GetInternal([]byte(keyHead)))
	if kept == nil {
		return
	}
	h := got(parseHead(kept))
	s.revision, s.state, s.totals, s.frequent = h.Revision, h.State, h.Totals, h.Frequent
	if n, err := s.reader.DocCount(); err != nil || int(n) != s.totals.Articles {
		must(fmt.Errorf("%w: it has %d articles and should have %d (%v)", ErrDamaged, n, s.totals.Articles, err))
	}
	for _, code := range slices.Sorted(maps.Keys(s.totals.Languages)) {
		s.langs = append(s.langs, languages.Of(code))
	}
	s.divide(languages)
	s.measure()
	s.readSettings(h.Settings)
}

// divide fills written, if articles are in several languages.
func (s view) divide(languages *analysis.Languages) {
	if len(s.langs) < 2 {
		return
	}
	s.written = map[string]*bitmap{}
	for _, l := range s.langs {
		s.written[l.Code] = newBitmap(s.docs)
	}
	all := newBitmap(s.docs)
	all.fill()
	s.written[inAll] = all
	for _, tag := range s.terms(fieldFacets, languageTerm(""), maxTags) {
		if in := s.written[languages.Of(strings.TrimPrefix(tag, languageTerm(""))).Code]; in != nil { // else the last article in its language is deleted
			s.collect(in, fieldFacets, tag)
		}
	}
	if english := s.written["en"]; english != nil {
		for _, l := range s.langs {
			if !l.Stemmed() {
				english.or(s.written[l.Code])
			}
		}
	}
}

// maxTags bounds the language tags of a site; there are some 8,000 in the world.
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
		s.reader.Close() // its only error is that it was closed before
	}
}

// find returns the number of the document of an article.
func (s *snapshot) find(id string) (doc uint32, ok bool) {
	internal, err := s.reader.InternalID(id)
	must(damaged(err))
	if internal == nil {
		return 0, false
	}
	return uint32(internal.Value()), true
}

// id returns the id of the article of a document.
func (s *snapshot) id(doc uint32) string {
	id, err := s.reader.ExternalID(index.NewIndexInternalID(nil, uint64(doc)))
	must(damaged(err))
	return id
}

// columns returns the columns of a field, one for each segment.
func (s *snapshot) columns(field string) (all []column) {
	for _, l := range s.layouts {
		all = append(all, l.column(field))
	}
	return all
}

// row returns the row of a document.
func (s *snapshot) row(doc uint32) row {
	segment, local := s.segmentOf(doc)
	return s.rows[segment].at(local)
}

// live visits the documents that are not deleted, with their rows.
func (s *snapshot) live() iter.Seq2[uint32, row] {
	return func(yield func(uint32, row) bool) {
		first := uint32(0)
		for i, segment := range s.reader.Segments() {
			for doc := range roaring.Values(segment.DocNumbersLive()) {
				if !yield(first+doc, s.rows[i].at(int(doc))) {
					return
				}
			}
			first += uint32(segment.FullSize())
		}
	}
}

// verify checks, by their digests, that the articles that are not deleted are those that the head
// was written for. After each thousand it calls rest with the time they took, and ends with its
// error.
func (s *snapshot) verify(rest func(time.Duration) error) {
	if s.state == nil {
		return
	}
	const piece = 1000
	var sum uint64
	rows, began := 0, time.Now()
	for _, r := range s.live() {
		sum ^= r.sum()
		if rows++; rows%piece == 0 {
			must(rest(time.Since(began)))
			began = time.Now()
		}
	}
	if sum != s.totals.Digests {
		must(fmt.Errorf("%w: it has other articles than its head says", ErrDamaged))
	}
}

// stored is what the answer needs of a document.
type stored struct {
	digest string
	hit    []byte // the JSON of the article without its bodies and the closing brace
	text   string
}

// meta returns the article without its bodies.
func (g stored) meta() (m article.Meta) {
	must(damaged(json.Unmarshal(append(g.hit[:len(g.hit):len(g.hit)], '}'), &m)))
	return m
}

// segmentOf returns the segment of a document, by index, and its number there.
func (s *snapshot) segmentOf(doc uint32) (segment, local int) {
	for local = int(doc); local >= s.layouts[segment].places.docs; segment++ {
		local -= s.layouts[segment].places.docs
	}
	return segment, local
}

// stored unpacks a document into memory that room returns.
func (s *snapshot) stored(doc uint32, room func(bytes int) []byte) stored {
	segment, local := s.segmentOf(doc)
	return s.layouts[segment].document(local, room)
}

// anew returns memory that nobody else uses.
func anew(bytes int) []byte { return make([]byte, bytes) }

// sharing returns bytes as a string without copying them; it is valid until they change.
func sharing(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

package index

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/searchd/index/analysis"
)

// invertAll returns the inversion of some articles, and its segment.
func invertAll(t testing.TB, frequent frequent, articles ...article.Article) (*inversion, *memorySegment) {
	t.Helper()
	v := newInversion(analysis.NewLanguages(), frequent)
	return v, invertInto(t, v, articles...)
}

// invertInto adds articles to an inversion, and returns its segment.
func invertInto(t testing.TB, v *inversion, articles ...article.Article) *memorySegment {
	t.Helper()
	for digest, line := range feed(t, articles...) {
		if _, err := v.add(digest, line); err != nil {
			t.Fatal(err)
		}
	}
	s, size, err := new(segments).NewUsing([]index.Document{&document{of: v}}, map[string]any{segment.StatsKey: &segment.Stats{}})
	if err != nil {
		t.Fatal(err)
	}
	made := s.(*memorySegment)
	if size != uint64(len(made.file)) {
		t.Errorf("a segment of %d bytes is said to have %d", len(made.file), size)
	}
	return made
}

// An inversion that is reused makes the same segment as a new one.
func TestAnInversionIsFilledAgain(t *testing.T) {
	articletest.WithoutRace(t)
	frequent := frequent{"swap": true, "index": true, "the": true, "same": true, "of": true}
	again := newInversion(analysis.NewLanguages(), frequent)
	for seed := range rounds(8) {
		r := rand.New(rand.NewPCG(23, uint64(seed)))
		articles := randomSite{r}.articles()
		if seed%2 == 0 {
			articles = append(articles, unusual()...)
		}
		_, want := invertAll(t, frequent, articles...)
		if got := invertInto(t, again, articles...); !bytes.Equal(got.file, want.file) {
			t.Errorf("seed %d: not the same segment", seed)
		}
		again.reset()
	}
}

// unusual are articles in which some field has nothing, much, or something rare.
func unusual() []article.Article {
	many := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	all := []article.Article{
		note("empty", "", "", ""), note("title", "en", "Only a title", ""), note("text", "en", "", "only a text"),
		note("same", "en", "Same", strings.Repeat("same ", 100_000)), note("long", "en", "Long", strings.Repeat("x", 1<<20)),
		note("different", "en", "Different", many(20_000, "w%d ")), note("emoji", "en", "🙂", "🙂🙃 👩‍👩‍👧 🇦🇶 \U0010FFFF"),
		note("zero", "en", "Nul\x00byte", "before\x00behind \x01 \x02 \x7f \u00ff"), note("broken", "en", "Not UTF-8: \xff\xfe", "\xc3\x28 \xed\xa0\x80 end\xff"),
		note("joiners", "en", "\u200d\u200c\ufeff", "\u0301 \u0301a a\u0301\u0301\u0301"), note("0", "x-"+strings.Repeat("y", 300), "0", "0"),
		note("cut", "en", strings.Repeat("ÄÖ", 200), strings.Repeat("語", 500)), note("symbols", "en", "?!", "— … ,,, ;"),
	}
	tagged := note("tagged", "en", "Tagged", "tags")
	tagged.Tags = []string{"", " ", "a", "a", "Á", strings.Repeat("t", 70_000), "\x00", "\u00ff", many(500, "%d ")}
	return append(all, tagged)
}

// live returns the articles that a segment still has.
func live(articles []article.Article, drops *roaring.Bitmap) (all []article.Article) {
	for i, a := range articles {
		if !drops.Contains(uint32(i)) {
			all = append(all, a)
		}
	}
	return all
}

// A merge of segments, or of merges, is byte for byte the segment that is written from the
// remaining articles in the same order; and the new numbers are those of the articles.
func TestAMergeIsWhatIsWrittenAtOnce(t *testing.T) {
	articletest.WithoutRace(t)
	frequent := frequent{"swap": true, "index": true, "the": true, "same": true, "of": true}
	for seed := range rounds(8) {
		r := rand.New(rand.NewPCG(17, uint64(seed)))
		site := randomSite{r}
		pool := site.articles()
		switch seed % 4 {
		case 0:
			pool = append(pool, unusual()...)
		case 1:
			for i := range 2000 {
				pool = append(pool, note(fmt.Sprint("n", i), "en", "Number", fmt.Sprint("number n", i%7)))
			}
		}
		r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
		dir := t.TempDir()
		part := 0
		// build makes a segment of some articles, by at most so many merges, and returns the
		// articles that remain.
		var build func(articles []article.Article, depth int) (segment.Segment, []article.Article)
		build = func(articles []article.Article, depth int) (segment.Segment, []article.Article) {
			path := filepath.Join(dir, fmt.Sprint(part))
			part++
			if depth == 0 || len(articles) < 2 {
				_, s := invertAll(t, frequent, articles...)
				if r.IntN(2) == 0 {
					return s, articles
				}
				if err := s.Persist(path); err != nil {
					t.Fatal(err)
				}
				return opened(t, path), articles
			}
			var from []segment.Segment
			var drops []*roaring.Bitmap
			var left []article.Article
			var want [][]uint64
			for rest := articles; len(rest) > 0; {
				n := 1 + r.IntN(len(rest))
				s, has := build(rest[:n], depth-1)
				rest = rest[n:]
				share := []int{0, 2, 10, 100}[r.IntN(4)]
				gone := roaring.New()
				for i := range has {
					if share > 0 && r.IntN(share) == 0 {
						gone.Add(uint32(i))
					}
				}
				if len(left) == 0 && len(rest) == 0 && len(live(has, gone)) == 0 {
					gone.Clear() // the engine merges no segment of which nothing remains
				}
				want = append(want, mergedNumbers(len(has), gone, uint64(len(left))))
				left = append(left, live(has, gone)...)
				if gone.IsEmpty() {
					gone = nil
				}
				from, drops = append(from, s), append(drops, gone)
			}
			if len(left) == 0 {
				return build(articles, 0)
			}
			numbers, size, err := new(segments).MergeUsing(from, drops, path, nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(numbers, want) {
				t.Fatalf("seed %d: the numbers are %v, want %v", seed, numbers, want)
			}
			_, fresh := invertAll(t, frequent, left...)
			if err := errors.Join(fresh.Persist(path+".fresh"), verifySegment(path, unresting)); err != nil {
				t.Fatal(err)
			}
			if merged, want := bytesOf(t, path), bytesOf(t, path+".fresh"); !bytes.Equal(merged, want) || size != uint64(len(merged)) {
				t.Fatalf("seed %d: %d articles in %d parts: the merge has %d bytes (%d are reported), a new segment %d", seed, len(left), len(from), len(merged), size, len(want))
			}
			return opened(t, path), left
		}
		build(pool, 2)
	}
}

// mergedNumbers returns the numbers that n documents have after a merge: those that remain are
// numbered from next on.
func mergedNumbers(n int, gone *roaring.Bitmap, next uint64) []uint64 {
	numbers := make([]uint64, n)
	for i := range numbers {
		if numbers[i] = dropped; !gone.Contains(uint32(i)) {
			numbers[i] = next
			next++
		}
	}
	return numbers
}

func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// opened returns a segment file as the engine opens it.
func opened(t testing.TB, path string) segment.Segment {
	t.Helper()
	s, err := new(segments).OpenUsing(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// plainDocument is an article in the form from which zap's own way makes segments.
type plainDocument struct {
	document
	fields []*plainField
}

type plainField struct {
	name    string
	options index.FieldIndexingOptions
	value   []byte
	terms   index.TokenFrequencies
}

func (d *plainDocument) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

func (f *plainField) Name() string                                     { return f.name }
func (f *plainField) Value() []byte                                    { return f.value }
func (f *plainField) ArrayPositions() []uint64                         { return nil }
func (f *plainField) EncodedFieldType() byte                           { return 't' }
func (f *plainField) Analyze()                                         {}
func (f *plainField) Options() index.FieldIndexingOptions              { return f.options }
func (f *plainField) AnalyzedLength() int                              { return len(f.terms) }
func (f *plainField) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.terms }
func (f *plainField) NumPlainTextBytes() uint64                        { return 0 }

// plain returns the documents of an inversion, one by one.
func (v *inversion) plain(articles []article.Article) (all []index.Document) {
	rows := slices.Collect(v.rows.all())
	for doc, a := range articles {
		d := &plainDocument{document: document{id: v.ids[doc]}}
		for _, f := range indexFields() {
			field := &plainField{name: f.name, options: f.options, terms: index.TokenFrequencies{}}
			add := func(term []byte) {
				one := &index.TokenFreq{Term: term}
				one.SetFrequency(1)
				field.terms[string(term)] = one
			}
			switch f.name {
			case "_id":
				field.value = []byte(v.ids[doc])
				add(field.value)
			case fieldContent:
				field.value = []byte(string([]rune(a.ContentText))) // as JSON has text that is not UTF-8
			case fieldHit:
				field.value = []byte(row(rows[doc]).digest())
			case fieldOrder, fieldRow:
				add(nil)
			default:
				terms := v.terms[f.name]
				for _, n := range terms.had[terms.begin(doc):terms.ends[doc]] {
					add(bytes.Clone(terms.at(n)))
				}
			}
			d.fields = append(d.fields, field)
		}
		all = append(all, d)
	}
	return all
}

// A file of this package has the same as zap's own file of the same articles: fields and ids, which
// zap reads, and terms and the documents that have them. Stored values and columns are those
// written.
func TestZapReadsWhatItWouldHaveWritten(t *testing.T) {
	articletest.WithoutRace(t)
	sites := [][]article.Article{unusual(), unusual()[:1], commonWords()}
	var many []article.Article
	for i := range 2*1024 + 7 {
		many = append(many, note(fmt.Sprint("n", i), "en", fmt.Sprint("Number ", i%50), fmt.Sprint("one of many, and n", i)))
	}
	sites = append(sites, many, many[:1024], many[:1025])
	if *thorough { // long lists
		var most []article.Article
		for i := range 140_000 {
			most = append(most, note(fmt.Sprint("n", i), "en", fmt.Sprint("Number ", i%50), fmt.Sprint("one of many, and n", i)))
		}
		sites = append(sites, most)
	}
	for seed := range rounds(5) {
		sites = append(sites, randomSite{rand.New(rand.NewPCG(19, uint64(seed)))}.articles())
	}
	for n, articles := range sites {
		v, ours := invertAll(t, frequentOf([]string{"the same text is not often"}), articles...)
		made, _, err := new(zap.ZapPlugin).New(v.plain(articles))
		if err != nil {
			t.Fatal(err)
		}
		theirs := made.(*zap.SegmentBase)
		path := filepath.Join(t.TempDir(), "segment")
		if err := ours.Persist(path); err != nil {
			t.Fatal(err)
		}
		columns := map[string][][]byte{fieldOrder: slices.Collect(v.sequences.all()), fieldRow: slices.Collect(v.rows.all())}
		for how, ours := range map[string]segment.Segment{"in memory": ours, "in a file": opened(t, path)} {
			if ours.Count() != theirs.Count() || !reflect.DeepEqual(ours.Fields(), theirs.Fields()) {
				t.Fatalf("site %d %s: %d documents with %v, want %d with %v", n, how, ours.Count(), ours.Fields(), theirs.Count(), theirs.Fields())
			}
			for _, field := range theirs.Fields() {
				got, want := postingsIn(ours, field), postingsOf(t, theirs, field)
				if !maps.EqualFunc(got, want, slices.Equal) {
					t.Errorf("site %d %s: field %s has %d terms, want %d, or other documents", n, how, field, len(got), len(want))
				}
			}
			for doc := 0; doc < len(articles); doc += 1 + len(articles)/200 {
				for field, want := range columns {
					if got := newLayout(ours).column(field).at(doc); !bytes.Equal(got, want[doc]) {
						t.Fatalf("site %d %s: document %d has in the column %s %q, want %q", n, how, doc, field, got, want[doc])
					}
				}
				got, want := storedIn(t, ours, doc), storedIn(t, theirs, doc)
				if got["_id"] != want["_id"] || got[fieldContent] != want[fieldContent] || !strings.HasPrefix(got[fieldHit], want[fieldHit]+`{"id":"`+got["_id"]+`"`) {
					t.Fatalf("site %d %s: stored of document %d is %.200q, want %.200q", n, how, doc, got, want)
				}
			}
			var ids []string
			for _, a := range articles[:(len(articles)+1)/2] {
				ids = append(ids, a.ID)
			}
			got, err := ours.DocNumbers(append(ids, "none", ""))
			if err != nil {
				t.Fatal(err)
			}
			if want, _ := theirs.DocNumbers(ids); !got.Equals(want) {
				t.Errorf("site %d %s: the ids are those of %v, want %v", n, how, got, want)
			}
		}
	}
}

// postingsIn returns the documents of all terms of a field of this package's segment.
func postingsIn(s segment.Segment, field string) map[string][]uint64 {
	all := map[string][]uint64{}
	l := newLayout(s)
	for e := range entries([]*layout{l}, field) {
		docs, _ := l.list(nil, nil, e.lists[0].list)
		for _, d := range docs {
			all[string(e.term)] = append(all[string(e.term)], uint64(d))
		}
	}
	return all
}

// postingsOf returns the documents of all terms of a field of zap's segment.
func postingsOf(t *testing.T, s segment.Segment, field string) map[string][]uint64 {
	t.Helper()
	all := map[string][]uint64{}
	dictionary, err := s.Dictionary(field)
	if err != nil {
		t.Fatal(err)
	}
	terms := dictionary.AutomatonIterator(nil, nil, nil)
	for {
		e, err := terms.Next()
		if err != nil {
			t.Fatal(err)
		}
		if e == nil {
			return all
		}
		list, err := dictionary.PostingsList([]byte(e.Term), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if contains, err := dictionary.Contains([]byte(e.Term)); err != nil || !contains {
			t.Errorf("%s: %q is contained: %v %v", field, e.Term, contains, err)
		}
		docs := []uint64{}
		for next := list.Iterator(false, false, false, nil); ; {
			p, err := next.Next()
			if err != nil {
				t.Fatal(err)
			}
			if p == nil {
				break
			}
			docs = append(docs, p.Number())
		}
		all[e.Term] = docs
	}
}

// storedIn returns the stored values of a document, by field. Those of this package are packed in
// its own way.
func storedIn(t *testing.T, s segment.Segment, doc int) map[string]string {
	t.Helper()
	values := map[string]string{}
	_, theirs := s.(*zap.SegmentBase)
	if !theirs {
		got := newLayout(s).document(doc, anew)
		values[fieldContent], values[fieldHit] = got.text, strings.TrimPrefix(got.digest, digestPrefix)+string(got.hit)
	}
	err := s.VisitStoredFields(uint64(doc), func(field string, typ byte, value []byte, pos []uint64) bool {
		values[field] = string(value)
		return theirs // here the id is first, and not packed
	})
	if err != nil {
		t.Fatal(err)
	}
	id, err := s.DocID(uint64(doc))
	if err != nil || string(id) != values["_id"] {
		t.Errorf("document %d has the id %q, stored %q: %v", doc, id, values["_id"], err)
	}
	return values
}

// unresting never rests, and lets the reading go on to the end.
func unresting(time.Duration) error { return nil }

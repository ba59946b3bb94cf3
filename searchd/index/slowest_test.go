package index

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"newsstand/builder/article"
)

var (
	slowestTime     = flag.Duration("slowest", 0, "search for the slowest query for so `long`")
	slowestArticles = flag.Int("slowest-articles", 20_000, "among so many `articles`")
	slowestIndex    = flag.String("slowest-index", "", "in a copy of the index in this `folder`, with the words and texts of its articles")
)

// hardArticles returns articles that are hard to search, and their words. Common words are in all
// of them, some are long, and there are scripts without spaces, and words that differ by one
// letter.
func hardArticles(n int) ([]article.Article, *vocabulary) {
	v := newVocabulary(20_000)
	var all []article.Article
	for i := range n {
		words := 150
		if i%1000 == 0 {
			words = 50_000
		}
		text := v.text(words) + ". the a of " + v.han(60) + ". " + v.cyrillic(20) + "."
		a := note(fmt.Sprintf("d%06d", i), "en", v.text(5), text)
		a.Summary = "" // no builder makes a summary of 50,000 words
		all = append(all, a)
	}
	return all, v
}

func (v *vocabulary) han(n int) string {
	var b strings.Builder
	for range n {
		b.WriteRune(rune(0x4e00 + v.zipf.Uint64()%3000))
	}
	return b.String()
}

func (v *vocabulary) cyrillic(n int) string {
	var b strings.Builder
	for range n {
		for k := 5 + v.random.IntN(12); k > 0; k-- {
			b.WriteRune(rune('а' + v.random.IntN(12)))
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// hardQuery returns a query of one of the kinds that should be slow. It must still be cut by legal.
func (v *vocabulary) hardQuery() string {
	r := v.random
	common := func() string { return v.words[r.IntN(60)] }
	some := func() string { return v.words[r.IntN(len(v.words))] }
	mistyped := func() string {
		w := some() + some()
		at := r.IntN(len(w))
		return w[:at] + "x" + w[at:]
	}
	many := func(word func() string, between string) string {
		words := make([]string, 1+r.IntN(64))
		for i := range words {
			words[i] = word()
		}
		return strings.Join(words, between)
	}
	if len(v.texts) > 0 && r.IntN(3) == 0 {
		return v.passage()
	}
	switch r.IntN(14) {
	case 0:
		return many(common, " ")
	case 1:
		return many(mistyped, " ")
	case 2:
		return `"` + common() + " " + common() + `"`
	case 3:
		return many(func() string { return `"` + common() + " " + common() + `"` }, " ")
	case 4:
		return common() + " " + many(func() string { return `-"` + common() + " " + common() + `"` }, " ")
	case 5:
		return v.han(1 + r.IntN(512))
	case 6:
		return many(func() string { return `"` + v.han(2+r.IntN(3)) + `"` }, " ")
	case 7:
		return v.cyrillic(1 + r.IntN(30))
	case 8:
		return many(func() string { return some()[:2] }, []string{" ", "-", "."}[r.IntN(3)])
	case 9:
		return many(common, "-")
	case 10:
		return common() + " " + some()[:2+r.IntN(3)]
	case 11:
		return strings.Repeat(string(rune('a'+r.IntN(26))), 1+r.IntN(512))
	case 12:
		return many(func() string { return string(rune('a' + r.IntN(26))) }, " ")
	default:
		return many(func() string { return "-" + common() }, " ") + " the"
	}
}

// passage returns a piece of one of the texts, with quotation marks and minuses here and there.
func (v *vocabulary) passage() string {
	r := v.random
	text := v.texts[r.IntN(len(v.texts))]
	text = text[r.IntN(len(text)+1):]
	text = strings.ToValidUTF8(text, "")
	words := strings.Fields(text)
	words = words[:min(len(words), 1+r.IntN(64))]
	for i := range words {
		switch r.IntN(20) {
		case 0:
			words[i] = `"` + words[i]
		case 1:
			words[i] += `"`
		case 2:
			words[i] = "-" + words[i]
		}
	}
	return strings.Join(words, " ")
}

// mutate changes a query a little, or joins it with another.
func (v *vocabulary) mutate(q, other string) string {
	r := v.random
	words, others := strings.Fields(q), strings.Fields(other)
	if len(words) == 0 || len(others) == 0 {
		return v.hardQuery()
	}
	switch r.IntN(5) {
	case 0:
		return strings.Join(append(words[:r.IntN(len(words)+1):len(words)], others[r.IntN(len(others)):]...), " ")
	case 1:
		words[r.IntN(len(words))] = v.words[r.IntN(len(v.words))]
	case 2:
		return q + " " + v.hardQuery()
	case 3:
		words[r.IntN(len(words))] += string(rune('a' + r.IntN(26)))
	default:
		r.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	}
	return strings.Join(words, " ")
}

// legal cuts a text to the length that a caller may send.
func legal(text string) string {
	words := strings.Fields(text)
	text = strings.Join(words[:min(len(words), article.MaxQueryTerms)], " ")
	if utf8.RuneCountInString(text) > article.MaxQueryRunes {
		text = strings.TrimSpace(string([]rune(text)[:article.MaxQueryRunes]))
	}
	return text
}

// cost is what a query takes when the caches are empty.
type cost struct {
	query     Query
	took      time.Duration
	allocated uint64        // bytes, most of which can be collected while it runs
	held      uint64        // the most bytes that it held at a time, not counting what it left in the caches
	late      time.Duration // how long it goes on after its time is over
}

// forget empties the caches of the current snapshot.
func (x *Index) forget() {
	x.current.postings, x.current.answers = newCache[*postings](postingsBytes), newAnswers()
	x.current.pool = scratchPool{}
}

// cached returns the memory of the caches of the current snapshot.
func (x *Index) cached() uint64 { return uint64(x.current.postings.bytes + x.current.answers.bytes) }

// inUse returns the memory of the objects that the last collection found in use. Objects allocated
// during that collection count, too, but garbage does not: there is more of it, the less processor
// time the collector gets.
func inUse() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// held returns the most memory that a query holds at a time: the heap is collected again and again
// while it runs.
func (x *Index) held(t *testing.T, q Query, limit time.Duration) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(2)) // so that goroutines that allocate must help to finish a collection
	x.forget()
	runtime.GC()
	before, most := inUse(), uint64(0)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.Search(ctx, q)
	}()
	for {
		select {
		case <-done:
			return most
		default:
			runtime.GC()
			if now := inUse(); now > before+x.cached() {
				most = max(most, now-before-x.cached())
			}
		}
	}
}

// TestSlowest searches for the slowest query, and for the one that needs most memory. It fails if
// one holds more than a query may, or goes on after its time is over. It is run by make slowest.
// What it found is in BenchmarkSlowest.
func TestSlowest(t *testing.T) {
	if *slowestTime == 0 {
		t.Skip("it is for make slowest, or the flag -slowest")
	}
	x, v := slowestOf(t)
	v.random = rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	const patience = 2 * time.Second        // a query that takes longer is slow enough
	const lateness = 200 * time.Millisecond // if twice in a row, no other program took the processor
	measure := func(q Query) cost {
		x.forget()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		if _, err := x.Search(ctx, q); err != nil && ctx.Err() == nil {
			t.Fatalf("%+v: %v", q, err)
		}
		c := cost{query: q, took: time.Since(began)}
		runtime.ReadMemStats(&after)
		c.allocated = after.TotalAlloc - before.TotalAlloc
		c.held = x.held(t, q, patience)
		x.forget()
		limit := time.Duration(v.random.Int64N(int64(c.took)))
		ctx, cancel = context.WithTimeout(t.Context(), limit)
		defer cancel()
		began = time.Now()
		x.Search(ctx, q)
		c.late = max(0, time.Since(began)-limit)
		return c
	}
	var worst, latest, largest []cost
	keep := func(list []cost, c cost, by func(a, b cost) int) []cost {
		list = append(list, c)
		slices.SortFunc(list, by)
		return list[:min(len(list), 20)]
	}
	n := 0
	for began := time.Now(); time.Since(began) < *slowestTime; n++ {
		query := v.hardQuery()
		if n > 200 && n%4 != 0 {
			of := [][]cost{worst, latest, largest}[v.random.IntN(3)]
			query = v.mutate(of[v.random.IntN(len(of))].query.Text, of[v.random.IntN(len(of))].query.Text)
		}
		c := measure(Query{Text: legal(query), Limit: 100, Offset: v.random.IntN(2) * article.MaxOffset})
		worst = keep(worst, c, func(a, b cost) int { return cmp.Compare(b.took, a.took) })
		latest = keep(latest, c, func(a, b cost) int { return cmp.Compare(b.late, a.late) })
		largest = keep(largest, c, func(a, b cost) int { return cmp.Compare(b.held, a.held) })
	}
	for what, list := range map[string][]cost{"slowest": worst, "cancelled last": latest, "largest": largest} {
		for _, c := range list[:min(5, len(list))] {
			again := measure(c.query) // once more, since the machine does other things as well
			if min(c.held, again.held) > queryBytes {
				t.Errorf("%q held %d MB, want %d at most", c.query.Text, min(c.held, again.held)>>20, queryBytes>>20)
			}
			if late := min(c.late, again.late); late > lateness {
				t.Errorf("%q went on for %v after its time was over", c.query.Text, late)
			}
			t.Logf("%s: %v, %v again; %.1f and %.1f MB held, %d MB allocated; %v and %v late: offset %d, %s", what, c.took, again.took,
				float64(c.held)/(1<<20), float64(again.held)/(1<<20), c.allocated>>20, c.late, again.late, c.query.Offset, c.query.Text)
		}
	}
	t.Logf("%d queries", n)
}

// slowestOf returns the index that the flags choose, and its words.
func slowestOf(t *testing.T) (*Index, *vocabulary) {
	if *slowestIndex == "" {
		all, v := hardArticles(*slowestArticles)
		began := time.Now()
		x := indexOf(t, all...)
		t.Logf("%d articles in %v", len(all), time.Since(began))
		return x, v
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(*slowestIndex)); err != nil {
		t.Fatal(err)
	}
	x := open(t, dir)
	dict, err := x.current.reader.FieldDict(fieldWords)
	if err != nil {
		t.Fatal(err)
	}
	defer dict.Close()
	type counted struct {
		word  string
		count uint64
	}
	var words []counted
	for e, err := dict.Next(); e != nil && err == nil; e, err = dict.Next() {
		if len(e.Term) > 1 && !isUnspaced(e.Term) {
			words = append(words, counted{e.Term, e.Count})
		}
	}
	slices.SortFunc(words, func(a, b counted) int { return cmp.Compare(b.count, a.count) })
	v := newVocabulary(1)
	v.words = nil
	for _, w := range words {
		v.words = append(v.words, w.word)
	}
	for range 1000 {
		v.texts = append(v.texts, x.current.stored(uint32(v.random.IntN(x.current.docs)), anew).text)
	}
	t.Logf("%d articles, %d words", x.Articles(), len(v.words))
	return x, v
}

// BenchmarkSlowest runs the queries that TestSlowest found, with empty caches.
func BenchmarkSlowest(b *testing.B) {
	all, v := hardArticles(1000)
	x := open(b, b.TempDir())
	update(b, x, "r1", all)
	many := func(n int, word func(int) string) string {
		words := make([]string, n)
		for i := range words {
			words[i] = word(i)
		}
		return strings.Join(words, " ")
	}
	for _, kind := range []struct{ name, query string }{
		{"phrase of common words", `"` + v.words[10] + " " + v.words[20] + `"`},
		{"without phrases of common words", v.words[10] + many(30, func(i int) string { return ` -"` + v.words[i] + " " + v.words[i+1] + `"` })},
		{"typos of long words", mistypes(v, 30)},
		{"typos of long Cyrillic words", many(20, func(i int) string { return fmt.Sprintf("авгдежзиклабвгдежз%c", 'а'+i) })},
		{"common words", many(64, func(i int) string { return v.words[i] })},
		{"Chinese", v.han(512)},
	} {
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x.forget()
				if _, err := x.Search(b.Context(), Query{Text: legal(kind.query), Limit: 10}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

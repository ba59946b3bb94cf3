package index

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// queryBytes is the most memory that one query may hold, not counting the caches.
const queryBytes = 32 << 20

// padding returns text that is quick to index, because its words are too long for the index.
func padding(bytes int) string {
	return strings.Repeat(strings.Repeat("x", 1000)+" ", bytes/1001)
}

// Whatever the articles are, a query holds little of them at a time. What it remembered of words
// once had no bound: 87 MB for 600,000 addresses.
func TestAQueryHoldsLittle(t *testing.T) {
	articletest.WithoutRace(t)
	for name, site := range map[string]struct {
		articles func(i int) article.Article
		n        int
		query    Query
	}{
		"long texts": {func(i int) article.Article {
			return note(fmt.Sprint("a", i), "en", "Long", "word "+padding(1<<20))
		}, 60, Query{Text: "word", Limit: 100}},
		"a word that is everywhere, beside one that is far away": {func(i int) article.Article {
			return note(fmt.Sprint("a", i), "en", "Often", strings.Repeat("a b ", 200_000)+padding(2000)+" rare")
		}, 12, Query{Text: "a b rare", Limit: 12}},
		"long words that begin like the query": {func(i int) article.Article {
			var words strings.Builder
			for j := range 1000 {
				fmt.Fprintf(&words, "xx%d%s ", 1000*i+j, strings.Repeat("x", 1000))
			}
			return note(fmt.Sprint("a", i), "en", "Long", words.String()+"xxy")
		}, 60, Query{Text: "xxy", Limit: 100}},
		"many words that begin like the query": {func(i int) article.Article {
			var words strings.Builder
			for j := range 30_000 {
				fmt.Fprintf(&words, "0x%d ", 30_000*i+j)
			}
			return note(fmt.Sprint("a", i), "en", "Long", words.String()+"0xy")
		}, 12, Query{Text: "0xy", Limit: 100}},
		"a title that many have, without one of its words": {func(i int) article.Article {
			return note(fmt.Sprint("a", i), "en", "Release notes", "word "+padding(1<<20))
		}, 60, Query{Text: "release -notes", Limit: 10}},
	} {
		var all []article.Article
		for i := range site.n {
			a := site.articles(i)
			a.Summary = "" // a real one is short
			all = append(all, a)
		}
		x := indexOf(t, all...)
		if err := x.engine.ForceMerge(t.Context(), nil); err != nil { // otherwise the memory of a merge would count
			t.Fatal(err)
		}
		const most = queryBytes / 2 // the queries that make slowest finds hold twice as much
		held := x.held(t, site.query, time.Minute)
		for range 2 { // what is allocated while the collector marks counts as held: on a busy machine, some MB
			if held > most {
				held = min(held, x.held(t, site.query, time.Minute))
			}
		}
		if held > most {
			t.Errorf("%s: it held %d MB, want %d at most", name, held>>20, most>>20)
		} else {
			t.Logf("%s: %d kB", name, held>>10)
		}
	}
}

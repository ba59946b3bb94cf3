package index

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// The same articles and settings give the same bytes: from an index that was made of them in
// any order, from one that had other articles before, and after a restart.
func TestHistoryDoesNotMatter(t *testing.T) {
	for seed := range rounds(5) {
		r := randomSite{rand.New(rand.NewPCG(11, uint64(seed)))}
		dir := t.TempDir()
		x, err := Open(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		restart := func() {
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			if x, err = Open(dir, 0); err != nil {
				t.Fatal(err)
			}
		}
		now := map[string]article.Article{}
		list := func() []article.Article {
			var all []article.Article
			for _, id := range slices.Sorted(maps.Keys(now)) {
				all = append(all, now[id])
			}
			return all
		}
		apply := func(x *Index, put []article.Article, gone []string, settings article.SearchSettings) {
			u := Update{Revision: "r", State: []byte("s"), Put: feed(t, put...), Delete: gone, Settings: settings}
			if err := x.Update(context.Background(), u); err != nil {
				t.Fatal(err)
			}
		}
		var settings article.SearchSettings
		for round := range 2 + r.IntN(20) {
			var put []article.Article
			var gone []string
			for _, n := range r.Perm(40)[:1+r.IntN(12)] {
				id := fmt.Sprintf("d%d", n)
				if _, ok := now[id]; ok && len(now) > 1 && r.IntN(3) == 0 {
					gone = append(gone, id)
					delete(now, id)
					continue
				}
				now[id] = r.article(id)
				put = append(put, now[id])
			}
			settings = r.settings(list())
			apply(x, put, gone, settings)
			if round%7 == 6 {
				restart()
			}
		}
		all := list()
		fresh := open(t, t.TempDir())
		shuffled := slices.Clone(all)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		apply(fresh, shuffled, nil, settings)

		var queries []Query
		for range 60 {
			queries = append(queries, r.ask(all))
		}
		same := func(when string) {
			t.Helper()
			for _, q := range queries {
				got, err := x.Search(context.Background(), q)
				if err != nil {
					t.Fatal(err)
				}
				want, err := fresh.Search(context.Background(), q)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got.Body, want.Body) {
					t.Fatalf("seed %d, %s, %+v:\n%s\nfresh\n%s", seed, when, q, got.Body, want.Body)
				}
			}
		}
		same("after updates")
		restart()
		r.Shuffle(len(queries), func(i, j int) { queries[i], queries[j] = queries[j], queries[i] })
		same("after a restart, in another order")
		digests := map[string]string{}
		err = x.Digests(func(id, digest string) error {
			digests[id] = digest
			return nil
		})
		if err != nil || len(digests) != len(all) || x.Articles() != len(all) {
			t.Fatalf("%d digests of %d articles, want %d: %v", len(digests), x.Articles(), len(all), err)
		}
		for _, a := range all {
			line, err := article.Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			if digests[a.ID] != article.Digest(line) {
				t.Errorf("digest of %s: %s", a.ID, digests[a.ID])
			}
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Words and titles of articles that are gone stay in the files for a while. They take no
// place among those that are looked at.
func TestWhatIsGoneTakesNoPlace(t *testing.T) {
	many := func(n int, form string) string {
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf(form, i))
		}
		return strings.Join(words, " ")
	}
	kept := []article.Article{
		note("word", "en", "Other", "It is abcdzzz."),
		note("title", "en", "News zzz", "Said once."),
		note("text", "en", "The news", "News and news and more news."),
		note("variant", "en-ZZ", "Other", "A variant."),
	}
	gone := []article.Article{note("gone", "en", "Other", many(maxPrefixTerms+10, "abcd%05d"))}
	for i := range maxTitles + 10 {
		gone = append(gone, note(fmt.Sprintf("gone%d", i), "en", fmt.Sprintf("News a%d", i), "Gone."))
	}
	x, fresh := open(t, t.TempDir()), open(t, t.TempDir())
	update(t, x, "r0", append(gone, kept...))
	var ids []string
	for _, a := range gone {
		ids = append(ids, a.ID)
	}
	update(t, x, "r1", nil, ids...)
	update(t, fresh, "r1", kept)
	for _, q := range []Query{{Text: "abcd"}, {Text: "news"}, {Text: "variant", Languages: []string{"en"}}} {
		q.Limit = 10
		got, err := x.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fresh.Search(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Body, want.Body) || got.Total == 0 {
			t.Errorf("%s:\n%s\nfresh\n%s", q.Text, got.Body, want.Body)
		}
	}
	if got := search(t, x, "news", 1); got.Articles[0].ID != "title" {
		t.Errorf("%s is first, though the title of another begins so", got.Articles[0].ID)
	}
}

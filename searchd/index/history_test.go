package index

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// The same articles and settings give the same bytes: from an index that was built of them in any
// order, from one that had other articles before, and after a restart.
func TestHistoryDoesNotMatter(t *testing.T) {
	for seed := range rounds(5) {
		r := randomSite{rand.New(rand.NewPCG(11, uint64(seed)))}
		dir := t.TempDir()
		x := unclosed(t, dir)
		x.batchBytes = 500 << r.IntN(6) // the first update may be several segments
		restart := func() {
			shut(t, x)
			x = unclosed(t, dir)
		}
		now := map[string]article.Article{}
		list := func() []article.Article {
			var all []article.Article
			for _, id := range slices.Sorted(maps.Keys(now)) {
				all = append(all, now[id])
			}
			return all
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
			updateWith(t, x, settings, "r", put, gone...)
			if r.IntN(5) == 0 {
				x.merge(t)
			}
			if round%7 == 6 {
				restart()
			}
		}
		all := list()
		fresh := open(t, t.TempDir())
		shuffled := slices.Clone(all)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		updateWith(t, fresh, settings, "r", shuffled)

		var queries []Query
		for range 60 {
			queries = append(queries, r.ask(all))
		}
		same := func(when string) {
			t.Helper()
			for _, q := range queries {
				if got, want := body(t, x, q), body(t, fresh, q); got != want {
					t.Fatalf("seed %d, %s, %+v:\n%s\nfresh\n%s", seed, when, q, got, want)
				}
			}
		}
		same("after updates")
		x.merge(t)
		same("merged")
		restart()
		r.Shuffle(len(queries), func(i, j int) { queries[i], queries[j] = queries[j], queries[i] })
		same("after a restart, in another order")
		digests := map[string]string{}
		err := x.Digests(func(id, digest string) error {
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
		shut(t, x)
	}
}

// body returns the answer of an index.
func body(t *testing.T, x *Index, q Query) string {
	t.Helper()
	answer, err := x.Search(t.Context(), q)
	if err != nil {
		t.Fatalf("search %+v: %v", q, err)
	}
	return string(answer.Body)
}

// merge lets the engine merge what it can and takes the result into use, without the cached
// answers.
func (x *Index) merge(t *testing.T) {
	t.Helper()
	if err := x.engine.ForceMerge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := x.refresh(func(int, int) bool { return true }); err != nil {
		t.Fatal(err)
	}
	x.current.answers = newAnswers()
}

// Words and titles of deleted articles stay in the files for a while. They do not count towards the
// limits on how many words and titles are looked up.
func TestDeletedTermsTakeNoPlace(t *testing.T) {
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
		if got, want := body(t, x, q), body(t, fresh, q); got != want || strings.Contains(got, `"total":0,`) {
			t.Errorf("%s:\n%s\nfresh\n%s", q.Text, got, want)
		}
	}
	if got := search(t, x, "news", 1); got.Articles[0].ID != "title" {
		t.Errorf("%s is first, although the title of another article begins with the query", got.Articles[0].ID)
	}
}

// Articles with a field that is empty, long or unusual are found alike whether they were written
// together or one by one, with other articles that came and went, merged or not, and after a
// restart. An index without articles works, too.
func TestUnusualArticlesHaveNoHistory(t *testing.T) {
	articletest.WithoutRace(t)
	all := unusual()
	kept := live(all, roaring.BitmapOf(0, 3))
	dir := t.TempDir()
	x := unclosed(t, dir)
	none, fresh := open(t, t.TempDir()), open(t, t.TempDir())
	update(t, none, "r", nil)
	update(t, fresh, "r", kept)
	var queries []Query
	for _, a := range all {
		for _, text := range []string{a.Title, a.ContentText, strings.Join(a.Tags, " ")} {
			words := strings.Fields(strings.ToValidUTF8(text, "\uFFFD"))
			for _, word := range words[:min(len(words), 3)] {
				word = string([]rune(word)[:min(len([]rune(word)), 100)])
				queries = append(queries, Query{Text: word}, Query{Text: `"` + word + `"`}, Query{Text: "only same w1 -" + word}, Query{Text: "only", Tags: []string{word}}, Query{Text: word, Languages: []string{a.Language}})
			}
			queries = append(queries, Query{Text: string([]rune(text)[:min(len([]rune(text)), 60)])})
		}
	}
	for _, text := range []string{"w19999", "w199", "w19", "sam", "saem", "smae same same", `"same same"`, `"w17 w18 w19"`, "x", "\x00", "ÿ", "🇦🇶", "👩‍👩‍👧", "語", "語語語", "a b c d e f g", "nul byte"} {
		queries = append(queries, Query{Text: text}, Query{Text: text, Offset: 1})
	}
	same := func(x, as *Index, when string) {
		t.Helper()
		for _, q := range queries {
			q.Limit = 20
			if got, want := body(t, x, q), body(t, as, q); got != want {
				t.Errorf("%s, %.100q %q:\n%.500s\nfresh\n%.500s", when, q.Text, q.Tags, got, want)
			}
		}
	}
	update(t, x, "r", all[:1])
	update(t, x, "r", nil, all[0].ID)
	same(x, none, "emptied")
	found := 0
	for _, q := range queries {
		if q.Limit = 1; len(q.Tags) == 0 && search(t, fresh, q.Text, 1).Total > 0 {
			found++
		}
	}
	if found < len(queries)/3 {
		t.Errorf("only %d of %d queries find something", found, len(queries))
	}
	for _, a := range all {
		update(t, x, "r", []article.Article{note(a.ID, "de", "Another", "only the same w1")})
		update(t, x, "r", []article.Article{a})
	}
	update(t, x, "r", nil, all[0].ID, all[3].ID, "never there")
	same(x, fresh, "one by one")
	x.merge(t)
	same(x, fresh, "merged")
	shut(t, x)
	x = unclosed(t, dir)
	same(x, fresh, "opened again")
	var gone []string
	for _, a := range kept {
		gone = append(gone, a.ID)
	}
	update(t, x, "r", nil, gone...)
	same(x, none, "emptied again")
	x.merge(t)
	update(t, x, "r", kept)
	same(x, fresh, "filled again")
	shut(t, x)
}

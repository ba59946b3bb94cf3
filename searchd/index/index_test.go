package index

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// note is a short article in a language.
func note(id, language, title, text string) article.Article {
	return article.Article{
		Meta:        article.Meta{ID: id, Title: title, Summary: text, Language: language, Authors: []article.Author{}, Tags: []string{}},
		ContentHTML: "<p>" + html.EscapeString(text) + "</p>", ContentText: text,
	}
}

// feed yields articles as their lines in the corpus.
func feed(t testing.TB, articles ...article.Article) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, a := range articles {
			line, err := article.Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(article.Digest(line), line) {
				return
			}
		}
	}
}

// open opens an index until the test ends.
func open(t testing.TB, dir string) *Index {
	t.Helper()
	x := unclosed(t, dir)
	t.Cleanup(func() { shut(t, x) })
	return x
}

// unclosed opens an index that the test must close.
func unclosed(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func shut(t testing.TB, x *Index) {
	t.Helper()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func update(t testing.TB, x *Index, revision string, articles []article.Article, gone ...string) {
	t.Helper()
	updateWith(t, x, article.SearchSettings{}, revision, articles, gone...)
}

// indexOf opens an index of some articles until the test ends.
func indexOf(t testing.TB, articles ...article.Article) *Index {
	t.Helper()
	x := open(t, t.TempDir())
	update(t, x, "r1", articles)
	return x
}

// updateWith updates the articles and the settings.
func updateWith(t testing.TB, x *Index, settings article.SearchSettings, revision string, articles []article.Article, gone ...string) {
	t.Helper()
	u := Update{Revision: revision, Put: feed(t, articles...), Delete: gone, Settings: settings, State: []byte("state of " + revision)}
	if err := x.Update(context.Background(), u); err != nil {
		t.Fatal(err)
	}
}

func search(t testing.TB, x *Index, text string, limit int) article.SearchResult {
	t.Helper()
	answer, err := x.Search(context.Background(), Query{Text: text, Limit: limit})
	if err != nil {
		t.Fatalf("search %q: %v", text, err)
	}
	var r article.SearchResult
	if err := json.Unmarshal(answer.Body, &r); err != nil {
		t.Fatalf("search %q: %v in %s", text, err, answer.Body)
	}
	return r
}

// rank returns what Rank finds, without the total.
func rank(t testing.TB, x *Index, q Query) []Ranked {
	t.Helper()
	found, _, err := x.Rank(t.Context(), q)
	if err != nil {
		t.Fatalf("rank %+v: %v", q, err)
	}
	return found
}

func idsOf(all []Ranked) string {
	var ids []string
	for _, one := range all {
		ids = append(ids, one.ID)
	}
	return strings.Join(ids, " ")
}

func told(all []Ranked) string {
	var each []string
	for _, one := range all {
		each = append(each, fmt.Sprintf("%s(%s)", one.ID, one.Rung))
	}
	return strings.Join(each, " ")
}

// wantStrictly is like wantFound, but for all articles that have all words in some full form, in
// the order of their ids.
func wantStrictly(t *testing.T, x *Index, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		found := rank(t, x, Query{Text: query, Limit: 10})
		found = slices.DeleteFunc(found, func(one Ranked) bool { return one.Rung > strict })
		if got := sorted(idsOf(found)); got != want {
			t.Errorf("%s: found %q with all words, want %q", query, got, want)
		}
	}
}

func ids(r article.SearchResult) string {
	var all []string
	for _, h := range r.Articles {
		all = append(all, h.ID)
	}
	return strings.Join(all, " ")
}

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// searches are queries to a small site and what they find: "query => ids" in this order, or
// "query ~> ids" in any order.
type searches struct {
	name     string
	articles []article.Article
	queries  []string
}

// wantSearches searches each site for each of its queries.
func wantSearches(t *testing.T, all []searches) {
	t.Helper()
	for _, site := range all {
		t.Run(site.name, func(t *testing.T) {
			x := indexOf(t, site.articles...)
			for _, q := range site.queries {
				query, want, ordered := strings.Cut(q, " => ")
				if !ordered {
					query, want, _ = strings.Cut(q, " ~> ")
				}
				r := search(t, x, query, 10)
				got := ids(r)
				if !ordered {
					got, want = sorted(got), sorted(want)
				}
				if got != want {
					t.Errorf("%s: got %q, want %q", query, got, want)
				}
				if r.Count != len(r.Articles) || r.Total < r.Count || r.Revision != "r1" || r.Limit != 10 {
					t.Errorf("%s: count %d, total %d, limit %d, revision %s for %d articles", query, r.Count, r.Total, r.Limit, r.Revision, len(r.Articles))
				}
			}
		})
	}
}

// wantFound searches each query, and compares the ids of the articles found, in order and up to the
// limit.
func wantFound(t *testing.T, x *Index, limit int, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		if got := ids(search(t, x, query, limit)); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

// wantFirst searches each query, and compares the ids of as many articles as are wanted, in order.
func wantFirst(t *testing.T, x *Index, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %q, want first %q", query, got, want)
		}
	}
}

// wantExcerpts compares the excerpts, in HTML and by id, of all articles that a query finds.
func wantExcerpts(t *testing.T, x *Index, query string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, h := range search(t, x, query, 10).Articles {
		got[h.ID] = h.ExcerptHTML
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %q, want %q", query, got, want)
	}
}

// others returns articles among which the words of a few others are rare.
func others() (all []article.Article) {
	for i := range 20 {
		all = append(all, note(fmt.Sprint("other-", i), "en", "Other", "something else"))
	}
	return all
}

// commonWords returns fifty articles that "common word" finds.
func commonWords() (all []article.Article) {
	for i := range 50 {
		all = append(all, note(fmt.Sprintf("d%d", i), "en", fmt.Sprintf("Title %d", i), fmt.Sprintf("common word number%d", i)))
	}
	return all
}

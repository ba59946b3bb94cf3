package index

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"newsstand/builder/article"
)

// What people type, and which articles they expect to see, in which order.
func TestSearch(t *testing.T) {
	wantSearches(t, []searches{
		{"the ladder", []article.Article{
			note("all", "en", "One", "An atomic swap of two indexes while searches run."),
			note("stem", "en", "Two", "They swapped atomically what they had, and atoms too."),
			note("begin", "en", "Three", "The atomic swapfile is full."),
			note("typo", "en", "Four", "An atomik swap."),
			note("some", "en", "Five", "A swap of seats."),
			note("none", "en", "Six", "Nothing of the kind."),
		}, []string{
			"atomic swap => all stem begin typo some",
			"ATOMIC   swap! => all stem begin typo some",
			"swap atomic => all stem typo begin some",
			"atomci => begin all stem",
			"atomic => begin all stem typo",
			"atomic sw => begin all stem typo some",
			"nothing kind => none",
			"xyzzy => ",
			"??? => ",
			" => ",
			"-swap ~> all stem begin typo some", "-swap -atomic ~> all stem begin typo some", `-"swap of" ~> all some stem typo`, "- => ", "-? => ",
		}},
		{"scores end with their query", []article.Article{
			note("a", "en", "What we're", "A word among many others, of which there are quite a few more."),
			note("b", "en", "Other", "A word and others."),
			note("c", "en", "Other", "A re word."),
		}, []string{
			"word => c b a", "re => c", "re => c", "re => c", "word a => b a c",
		}},
	})
}

// Of two articles with the same words, the one that has them in a heading comes first. The text of
// whole headings counts, and nothing else of the HTML.
func TestHeadings(t *testing.T) {
	const text = "A swap of seats, R&D and walks."
	with := func(id, content string) article.Article {
		a := note(id, "en", "Other", text)
		a.ContentHTML = content
		return a
	}
	x := indexOf(t,
		note("a-text", "en", "Other", text),
		with("b-none", `<hr><header>swap R&amp;D walk</header><h7>swap</h7><p>swap seats</p><h`),
		with("c-open", `<h2>swap R&amp;D walk`),
		with("d-first", `<h2 id="swap">A <em>sw</em>ap</h2><p>of seats</p><h3>R&amp;D</h3>`),
		with("e-second", `<hr><h1 id="walk">Seats</h1><h6>Walks</h6>`),
	)
	wantFound(t, x, 10, map[string]string{
		"swap":  "d-first a-text b-none c-open e-second",
		"r&d":   "d-first a-text b-none c-open e-second",
		"walks": "e-second a-text b-none c-open d-first",
		"seats": "e-second a-text b-none c-open d-first",
	})
}

func TestAWordSaidTwiceCountsTwice(t *testing.T) {
	x := indexOf(t,
		note("cat", "en", "One", "cat house"),
		note("dog", "en", "Two", "dog house"),
		note("lion", "en", "Other", "lion den"),
	)
	wantFound(t, x, 1, map[string]string{
		"a dog or a cat or a puppy, best a dog":  "dog",
		"a dog or a cat or a kitten, best a cat": "cat",
	})
}

func TestTiesGoToTheNewerThenTheLowerID(t *testing.T) {
	var all []article.Article
	for i, id := range []string{"c", "a", "d", "b", "z"} {
		n := note(id, "en", "Same", "same words")
		switch {
		case i < 2:
			n.DatePublished = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		case i == 4: // an article with a date comes before one without
			n.DatePublished = time.Date(1911, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		all = append(all, n)
	}
	x := indexOf(t, all...)
	if got := ids(search(t, x, "words", 10)); got != "a c z b d" {
		t.Errorf("got %s, want a c z b d", got)
	}
	if got := ids(search(t, x, "words", 3)); got != "a c z" {
		t.Errorf("got %s, want a c z", got)
	}
	answer, err := x.Search(context.Background(), Query{Text: "words", Limit: 2, Offset: 1})
	if err != nil || !bytes.Contains(answer.Body, []byte(`"id":"c"`)) || !bytes.Contains(answer.Body, []byte(`"count":2`)) || answer.Total != 5 {
		t.Errorf("from the second: %s %v", answer.Body, err)
	}
}

// Someone who pastes the address of an article looks for that article, whichever other articles
// have its words.
func TestAddresses(t *testing.T) {
	at := func(id, url string) article.Article {
		a := note(id, "en", "Other", "See https://example.org/guide/install and the guide, install it by https, example and org.")
		a.URL = url
		return a
	}
	x := indexOf(t,
		at("install", "https://example.org/guide/install/"), at("page", "https://example.org/?p=12"), at("other", "https://example.org/?p=13"), at("cafe", "https://example.org/caf%C3%A9"),
		at("wide", "https://example.org/guide%EF%BC%88%E5%85%A5%E9%96%80%EF%BC%89"),
		at("twin-1", "https://example.org/twin"), at("twin-2", "https://example.org/twin"), at("none", ""),
	)
	for query, want := range map[string]string{
		"https://example.org/guide/install/": "install", "https://example.org/guide/install": "install", "http://www.Example.org/guide/install/#first": "install",
		"https://example.org/guide/install/?utm_source=x": "install", "https://example.org/?p=12": "page", "https://example.org/café": "cafe",
		"https://example.org/guide（入門）": "wide", "https://example.org/guide%EF%BC%88%E5%85%A5%E9%96%80%EF%BC%89": "wide", "Https://example.org/guide/install": "install",
		"https://example.org/twin": "", "https://example.org/guide": "", "example.org/guide/install": "", "see https://example.org/guide/install": "",
	} {
		found := rank(t, x, Query{Text: query, Limit: 10})
		got := ""
		if len(found) > 0 && found[0].Rung == pinned {
			got = found[0].ID
		}
		if got != want {
			t.Errorf("%s: first is %v, want %q", query, found[:min(len(found), 1)], want)
		}
	}
}

// A word that is too long for the index is in no article, so excluding it excludes nothing,
// whatever else the query has.
func TestExcludingAWordThatIsTooLong(t *testing.T) {
	tagged := note("a", "en", "A", "word")
	tagged.Tags = []string{"t"}
	x := indexOf(t, tagged)
	long := strings.Repeat("x", maxTermLetters+1)
	for _, q := range []Query{
		{Text: "word -" + long},
		{Text: "word -other -" + long},
		{Text: "word -" + long, Tags: []string{"t"}},
		{Text: `word -"` + long + " " + long + `"`, Tags: []string{"t"}},
	} {
		q.Limit = 10
		if found := rank(t, x, q); len(found) != 1 {
			t.Errorf("%+v: %d found, want 1", q, len(found))
		}
	}
}

func TestFilters(t *testing.T) {
	a, b, c := note("a", "en", "x", "word"), note("b", "de", "x", "word"), note("c", "en-GB", "x", "word")
	a.Tags, b.Tags = []string{"Go", "Über uns"}, []string{"go"}
	x := indexOf(t, a, b, c)
	for _, test := range []struct {
		query Query
		total int
	}{
		{Query{Tags: []string{"go"}}, 2},
		{Query{Tags: []string{"uber uns"}}, 1},
		{Query{Tags: []string{"go", "none"}, Languages: []string{"de"}}, 1},
		{Query{Languages: []string{"en-gb", "de"}}, 2},
		{Query{Languages: []string{"en"}}, 2}, // en-GB is English
		{Query{Languages: []string{"EN"}, Tags: []string{"GO"}}, 1},
		{Query{Languages: []string{"fr"}}, 0},
		{Query{Languages: []string{"e"}}, 0},
	} {
		test.query.Text, test.query.Limit = "word", 10
		answer, err := x.Search(context.Background(), test.query)
		if err != nil || answer.Total != test.total {
			t.Errorf("%+v: total %d %v, want %d", test.query, answer.Total, err, test.total)
		}
	}
}

// No query and no article makes a search fail.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"swap", `"a b" -c`, "C++ .NET 🚀", "人工智能", "l'été", "\u202Ea\u0301", "- \" -\"", "a.b-c_d'e", "ﬁ İ ß"} {
		f.Add(s, s+" and some text around. "+s)
	}
	x := open(f, f.TempDir()) // one for all, because building an index takes a hundred times as long as searching it
	f.Fuzz(func(t *testing.T, query, text string) {
		if !utf8.ValidString(query) || !utf8.ValidString(text) || len(query) > 2000 || len(text) > 20000 {
			t.Skip()
		}
		update(t, x, "r1", []article.Article{note("a", "en", query, text), note("b", "ja", "", query)})
		r := search(t, x, query, 10)
		for _, h := range r.Articles {
			wellFormed(t, h)
		}
	})
}

var marks = regexp.MustCompile("</?mark>")

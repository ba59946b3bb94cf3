package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// leave asks about each document, from any number of goroutines, and removes exactly those that may
// not stay. An error in one of them is an error of the search, and does not end the program.
func TestLeave(t *testing.T) {
	docs := newBitmap(10_000)
	for d := uint32(0); d < 10_000; d += 3 {
		docs.add(d)
	}
	third := func(d uint32) bool {
		if d%3 != 0 {
			t.Errorf("%d is asked about, but is not in the set", d)
		}
		return d%2 == 0
	}
	s := &snapshot{processors: 3}
	view{snapshot: s, ctx: t.Context()}.leave(docs, third)
	for d := range uint32(10_000) {
		if docs.has(d) != (d%6 == 0) {
			t.Fatalf("%d stays: %v", d, docs.has(d))
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	failed := errors.New("failed")
	for _, test := range []struct {
		ctx  context.Context
		may  func(d uint32) bool
		want error
	}{
		{ended, third, context.Canceled},
		{t.Context(), func(d uint32) bool { must(failed); return true }, failed},
		{t.Context(), func(uint32) bool { panic("a page that is not there") }, ErrDamaged},
	} {
		if err := guard(func() { view{snapshot: s, ctx: test.ctx}.leave(docs, test.may) }); !errors.Is(err, test.want) {
			t.Errorf("leave: %v, want %v", err, test.want)
		}
	}
}

// TestWordForWord shows that small words help to find the article that has a query as typed, beside
// others with the other words in their titles, and also if the query has a typo.
func TestWordForWord(t *testing.T) {
	all := []article.Article{note("introduction", "en", "Introduction", "What is Vue? What framework is it? It builds upon the web.")}
	for i := range 30 {
		all = append(all, note(fmt.Sprintf("page%d", i), "en", fmt.Sprintf("Page %d", i), "Vue is a tool, and what it does with components and the tools of Vue is here. A framework is a framework is a framework."))
	}
	x := indexOf(t, all...)
	for _, query := range []string{"what is vue", "What is Vue?", "what framwork is it"} {
		if found := rank(t, x, Query{Text: query, Limit: 3}); len(found) == 0 || found[0].ID != "introduction" {
			t.Errorf("%q finds %v", query, found)
		}
	}
}

// A sentence finds the article that it was copied from before others that have all of its words and
// repeat them, also in the title, and also if nearly all are small words.
func TestSentences(t *testing.T) {
	for from, test := range map[string]struct{ language, sentence, repeating, title string }{
		"English":  {"en", "If this is not what we want of it, then we can do that soon.", "What we want is this. We can do what we want, soon or not, if it is what we then want. That is it.", "What we want"},
		"Russian":  {"ru", "Если это не то, чего мы хотим, то скоро мы можем это изменить.", "Мы хотим изменить это. Чего мы хотим, мы можем. Не то, если скоро. Мы можем изменить то, чего хотим.", "Чего мы хотим"},
		"Japanese": {"ja", "ページがスクロールしても、ここで使われている座標は変わらない。", "ページがスクロールします。座標はページがスクロールしても変わらない。ここで座標は使われている。ページがここで変わらない。", "ページがスクロール"},
	} {
		all := []article.Article{note("copied", test.language, "1", test.sentence)}
		for i := range 30 {
			all = append(all, note(fmt.Sprintf("page%d", i), test.language, fmt.Sprint(test.title, " ", i), strings.Repeat(test.repeating+" ", 3)))
		}
		x := indexOf(t, all...)
		if found := rank(t, x, Query{Text: test.sentence, Limit: 3}); len(found) == 0 || found[0].ID != "copied" {
			t.Errorf("%s: found %v, want the article with the sentence", from, found)
		}
	}
}

// A long article that has the query word for word in passing is not before a short one that is
// about it.
func TestWordForWordInPassing(t *testing.T) {
	all := []article.Article{
		note("client", "en", "How to use it", "This line marks what the client runs of the code."),
		note("server", "en", "How it works", "The client code calls it. "+
			strings.Repeat("What runs on a server is code that answers the client with what it was asked for. ", 20)+
			strings.Repeat("Here is what a server does with the data. ", 80)),
	}
	for i := range 30 {
		all = append(all, note(fmt.Sprintf("page%d", i), "en", fmt.Sprintf("Page %d", i), "Here is what a tool does with components."))
	}
	x := indexOf(t, all...)
	if r := search(t, x, "client code", 2); ids(r) != "client server" {
		t.Errorf("found %q, want the short article first", ids(r))
	}
}

package index

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"newsstand/builder/article"
)

// A time limit ends a search inside the index.
func TestSearchEndsInTime(t *testing.T) {
	x := indexOf(t, note("a", "en", "A", "first"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{Text: "first", Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// asked is a context that counts how often Err is called, in any goroutine. It ends at the call of
// a given number, unless that is 0.
type asked struct {
	context.Context
	times atomic.Int64
	ends  int
}

func (a *asked) Err() error {
	if int(a.times.Add(1)) == a.ends {
		return context.Canceled
	}
	return a.Context.Err()
}

// looks returns how often a search checks its context.
func looks(t *testing.T, x *Index, query string, limit int) int {
	t.Helper()
	ctx := &asked{Context: t.Context()}
	if _, err := x.Search(ctx, Query{Text: query, Limit: limit}); err != nil {
		t.Fatal(err)
	}
	return int(ctx.times.Load())
}

// All words of a site are read once for all unknown words of a query, not once for each of them: a
// question in a language that the site does not have was not answered in time.
func TestUnknownWordsAreLookedForTogether(t *testing.T) {
	var words strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&words, "x%dx ", i)
	}
	x := indexOf(t, note("a", "en", "A", words.String()))
	one, more := looks(t, x, "verwaltung", 10), looks(t, x, "wie funktioniert eigentlich unsere finanzverwaltung heutzutage genau", 10)
	if more > 2*one {
		t.Errorf("a query of unknown words checked its context %d times, one word %d times", more, one)
	}
}

// Wherever a search checks its context, the end of the context is not reported as damage.
func TestSearchEndsAtEachCheck(t *testing.T) {
	all := []article.Article{note("a", "en", "Compliance", "The compliance of open source databases."), note("b", "en", "Other", "They comply with databases.")}
	x := indexOf(t, all...)
	for _, query := range []string{"compli", "databse", "plianc", "opensource data bases", `"open source" databases -banks`, "node.js 5gb"} {
		for ends := 1; ; ends++ {
			x.forget()
			ctx := &asked{Context: t.Context(), ends: ends}
			_, err := x.Search(ctx, Query{Text: query, Limit: 10})
			if int(ctx.times.Load()) < ends {
				break
			}
			if !errors.Is(err, context.Canceled) || errors.Is(err, ErrDamaged) {
				t.Errorf("%q that ends at check %d: %v", query, ends, err)
			}
		}
	}
}

// A search checks its context before everything that takes long, so that it does not go on when
// nobody waits for it.
func TestSearchChecksItsContext(t *testing.T) {
	v := newVocabulary(1000)
	x := indexOf(t, note("a", "en", "A", v.text(1000)))
	for name, query := range map[string]string{
		"typos":   mistypes(v, 40),
		"phrases": strings.Repeat(`"`+v.words[0]+" "+v.words[1]+`" -"`+v.words[2]+" "+v.words[3]+`" `, 10),
	} {
		want := len(strings.Fields(query)) / 2
		for _, limit := range []int{1, 2} { // the second time, what the search reads is in memory
			if n := looks(t, x, query, limit); n < want {
				t.Errorf("%s, limit %d: it checked its context %d times, want %d or more", name, limit, n, want)
			}
		}
	}
}

// A mistyped word is compared with all words that may begin like it.
func TestSearchAmongManyWordsChecksItsContext(t *testing.T) {
	v := newVocabulary(20_000)
	x := indexOf(t, note("a", "en", "A", strings.Join(v.words, " ")))
	if none, one := looks(t, x, "zzz", 10), looks(t, x, "batexdikolu", 10); one < none+10 {
		t.Errorf("it checked its context %d times, and %d times for a word that is not compared with others", one, none)
	}
}

// Any number of articles may be alike. Then only date and id decide their order, and each may have
// a title that differs from the query only by a minus.
func TestSearchAmongLikeArticlesChecksItsContext(t *testing.T) {
	var all []article.Article
	for i := range 3000 {
		all = append(all, note(fmt.Sprint("a", i), "en", "Release notes", "word"))
	}
	x := indexOf(t, all...)
	for query, want := range map[string]int{"word": len(all) / 128, "release -notes": len(all)} {
		if n := looks(t, x, query, 10); n < want {
			t.Errorf("%s: it checked its context %d times, want %d or more", query, n, want)
		}
	}
}

// mistypes returns n words that no article has.
func mistypes(v *vocabulary, n int) string {
	var all []string
	for _, w := range v.words[:n] {
		all = append(all, w[:2]+"x"+w[2:]+w)
	}
	return strings.Join(all, " ")
}

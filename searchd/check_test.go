package searchd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"newsstand/builder"
	"newsstand/builder/article"
)

// checked is the report over a published folder.
func checked(t *testing.T, source string) Report {
	t.Helper()
	l, _ := opened(t, source, "")
	load(t, l)
	r, err := l.Check(t.Context())
	must(t, err)
	return r
}

// figures says of each check how many queries were asked, how many stood behind equals, how many
// could not be made, and which articles were not where they should be.
func figures(r Report) string {
	var b strings.Builder
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "%s %d/%d/%d", c.Name, c.Asked, c.Tied, c.Left)
		for _, o := range c.Offenders {
			fmt.Fprintf(&b, " %s:%d>%d", o.Article, o.Rank, o.Want)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A check tells how far it is, from the index to the last question.
func TestCheckTellsHowFarItIs(t *testing.T) {
	source := t.TempDir()
	publish(t, source, anArticle("one", "the gopher"), anArticle("two", "the walrus"))
	var told []string
	live, err := Open(t.Context(), Options{Source: source, Progress: func(what string, done, total int) {
		told = append(told, fmt.Sprintf("%s: %d of %d", what, done, total))
	}})
	must(t, err)
	defer live.Close()
	load(t, live)
	if _, err := live.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"read into the index: 2 of 2", "read: 1 of 2", "read: 2 of 2", "asked for: 1 of 2", "asked for: 2 of 2"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

// A check that is given up reads nothing more: of a large site it read all articles first.
func TestCheckEndsWhenItIsGivenUp(t *testing.T) {
	source := t.TempDir()
	publish(t, source, anArticle("one", "the gopher"))
	l, _ := opened(t, source, "")
	load(t, l)
	l.options.Progress = func(what string, done, _ int) { t.Errorf("%d articles are %s", done, what) }
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestCheck(t *testing.T) {
	walrus := anArticle("walrus", "The walrus has tusks of two feet and swims below the ice of the north.")
	walrus.Title, walrus.Tags = "The life of the walrus", []string{"animals", "C++", "???"}
	gopher := anArticle("gopher", "A gopher digs tunnels of many yards and stores its food in pouches.")
	gopher.Title, gopher.Tags = "Gophers underground", []string{"animals"}
	twin := anArticle("twin", "A twin of the article about gophers that says other things altogether.")
	twin.Title = "Gophers Underground"
	short := anArticle("short", "Few words.")
	short.Title = "It is so"
	hidden := anArticle("hidden", "Nobody is to find this text by a search, whatever its words may be.")
	source := t.TempDir()
	publishWith(t, source, article.SearchSettings{
		Articles: []article.ArticleSettings{{ID: "hidden", Exclude: true}, {ID: "short", Pin: []string{"Gophers underground"}}},
		Tests: []article.SearchTest{
			{Query: "tusks", Expect: []string{"walrus"}, MustNot: []string{"gopher"}, MaxRank: 1},
			{Query: "article", Expect: []string{"walrus"}, MustNot: []string{"twin"}, MaxRank: 2},
		},
	}, walrus, gopher, twin, short, hidden)

	r := checked(t, source)
	if r.Passed || r.Articles != 5 {
		t.Errorf("passed %v, %d articles", r.Passed, r.Articles)
	}
	want := "tests 2/0/0 twin:1>0 walrus:0>2\n" +
		"title 4/2/0\n" + // the pinned one, and the twin of which one is second
		"typo 3/0/1\n" +
		"phrase 3/0/1\n" +
		"words 3/0/1\n" +
		"tag 2/0/1\n"
	if got := figures(r); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, o := range r.Checks[checkTests].Offenders {
		if o.Query != "article" || o.Article == "walrus" && strings.Join(o.Before, " ") != "twin" {
			t.Errorf("%+v", o)
		}
	}
	if again := checked(t, source); figures(again) != figures(r) {
		t.Errorf("the second time:\n%s", figures(again))
	}
}

// Of more articles that say the same than an answer has, the last are not seen; and a title of
// signs finds nothing.
func TestCheckOfArticlesThatSayTheSame(t *testing.T) {
	sign := anArticle("sign", "Text that has been given to one article only, and to none of the others.")
	sign.Title = "|"
	all := []article.Article{sign}
	for i := range article.MaxLimit + 2 {
		alias := anArticle(fmt.Sprintf("alias-%02d", i), "This is another name of the original command.")
		alias.Title = "Alias"
		all = append(all, alias)
	}
	source := t.TempDir()
	publish(t, source, all...)
	want := "tests 0/0/0\n" +
		fmt.Sprintf("title %d/%d/1\n", len(all)-1, len(all)-2) +
		fmt.Sprintf("typo %d/%d/1\n", len(all)-1, len(all)-1-typoRank) +
		fmt.Sprintf("phrase %d/%d/0\n", len(all), len(all)-2) +
		fmt.Sprintf("words 1/0/%d\n", len(all)-1) +
		"tag 0/0/0\n"
	if got := figures(checked(t, source)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// In a phrase no typo is forgiven, so a title in quotation marks is mistyped without them.
func TestCheckOfATitleInQuotationMarks(t *testing.T) {
	hello := anArticle("hello", "few words")
	hello.Title = `"Hello"`
	source := t.TempDir()
	publish(t, source, hello)
	if r := checked(t, source); len(r.Checks[checkTypo].Offenders) > 0 || r.Checks[checkTypo].Asked != 1 {
		t.Errorf("%s", figures(r))
	}
}

// A minus in front of a word of a tag is a part of the tag, and excludes nothing.
func TestCheckOfATagWithAMinus(t *testing.T) {
	tagged := anArticle("tagged", "few words")
	tagged.Tags = []string{"rustc -Znext"}
	source := t.TempDir()
	publish(t, source, tagged)
	if r := checked(t, source); len(r.Checks[checkTag].Offenders) > 0 || r.Checks[checkTag].Asked != 1 {
		t.Errorf("%s", figures(r))
	}
}

// An empty site has nothing that could be missed.
func TestCheckOfAnEmptySite(t *testing.T) {
	source := t.TempDir()
	publish(t, source)
	if r := checked(t, source); !r.Passed || r.Articles != 0 {
		t.Errorf("%+v", r)
	}
}

// A report is of one revision.
func TestCheckOfAnotherRevision(t *testing.T) {
	source := t.TempDir()
	publish(t, source, many(2, "walrus")...)
	l, _ := opened(t, source, "")
	load(t, l)
	publish(t, source, many(3, "walrus")...)
	if _, err := l.Check(t.Context()); err == nil || !strings.Contains(err.Error(), "is published") {
		t.Errorf("got %v", err)
	}
}

// Our own guide is found as its search tests say, and by everything that is in it.
func TestGuideIsFound(t *testing.T) {
	public := t.TempDir()
	if _, err := builder.Build(t.Context(), builder.Options{Content: "../content", Public: public}); err != nil {
		t.Fatal(err)
	}
	r := checked(t, public)
	if r.Checks[checkTests].Asked == 0 {
		t.Error("the guide has no search tests")
	}
	for _, c := range r.Checks {
		for _, o := range c.Offenders {
			t.Errorf("%s: %+v", c.Name, o)
		}
	}
	t.Log("\n" + figures(r))
}

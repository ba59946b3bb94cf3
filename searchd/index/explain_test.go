package index

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"newsstand/builder/article"
)

// An explanation is of the answer of Search, and its parts add up to the score.
func TestExplainAddsUp(t *testing.T) {
	explained := 0
	for seed := range 6 {
		r := randomSite{rand.New(rand.NewPCG(13, uint64(seed)))}
		articles := r.articles()
		x := open(t, t.TempDir())
		updateWith(t, x, r.settings(articles), "r", articles)
		for range 40 {
			q := r.ask(articles)
			ranked, total, err := x.Rank(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			e, err := x.Explain(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			if e.Total != total || e.Revision != "r" || len(e.Articles) != len(ranked) {
				t.Fatalf("%+v: %d of %d explained, %d of %d found", q, len(e.Articles), e.Total, len(ranked), total)
			}
			sum := 0
			for _, rung := range e.Rungs {
				sum += rung.Articles
			}
			if sum != total {
				t.Errorf("%+v: the rungs have %d articles, total is %d", q, sum, total)
			}
			for i, a := range e.Articles {
				if a.ID != ranked[i].ID || a.Rung != ranked[i].Rung.String() || a.Rank != q.Offset+i+1 {
					t.Fatalf("%+v: rank %d is %s on %q, explained is %d %s on %q", q, q.Offset+i+1, ranked[i].ID, ranked[i].Rung, a.Rank, a.ID, a.Rung)
				}
				if a.TitleFactor != 1 && ranked[i].Rung > strict { // later steps are not multiplied
					continue
				}
				score := float32(0)
				for _, w := range a.Words {
					for _, s := range w.Scores {
						score += s
					}
				}
				score = (score+a.Phrase)*a.TitleFactor*a.Boost + a.Near
				explained++
				if math.Abs(float64(score-a.Score)) > 1e-3*math.Max(1, float64(a.Score)) {
					t.Errorf("seed %d, %+v: %s has the score %v, its parts give %v: %+v", seed, q, a.ID, a.Score, score, a)
				}
			}
		}
	}
	if explained < 100 {
		t.Errorf("only %d articles were explained", explained)
	}
}

func TestExplain(t *testing.T) {
	x := open(t, t.TempDir())
	one := note("one", "en", "Swapping indexes", "An atomic swap, of two indexes.")
	one.Tags = []string{"swap"}
	updateWith(t, x, article.SearchSettings{
		Synonyms: []article.Synonym{{From: []string{"exchange"}, To: []string{"swap"}}, {From: []string{"k8s"}, To: []string{"kubernetes"}}, {From: []string{"big wheel"}, To: []string{"other"}}},
		Articles: []article.ArticleSettings{{ID: "two", Pin: []string{"other kubernetes"}, Boost: 2}},
	}, "r", []article.Article{one, note("two", "en", "Other", "Kubernetes")})
	explain := func(text string) Explanation {
		e, err := x.Explain(context.Background(), Query{Text: text, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	ways := func(w ExplainedWord) (all []string) {
		for _, way := range w.Ways {
			all = append(all, way.Way)
			all = append(all, way.Terms...)
		}
		return all
	}
	e := explain(`the "atomic swap" swapping -"old name" kuberntes`)
	for i, want := range [][]string{nil, {"word", "atomic"}, {"word", "swap"}, {"stem", "en:swap", "en:swapping", "word", "swapping"}, {"typo", "kubernetes×0.7"}} {
		if got := ways(e.Words[i]); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", e.Words[i].Word, got, want)
		}
	}
	if !e.Words[0].Optional || !slices.Equal(e.Phrases, []string{"atomic swap"}) || !slices.Equal(e.Without, []string{"old name"}) {
		t.Errorf("%+v", e)
	}
	if a := e.Articles[0]; a.ID != "one" || !reflect.DeepEqual(a.Words[1].Fields, map[string]int{"tags": 1, "summary": 1, "text": 1}) {
		t.Errorf("%+v", a)
	}
	if e := explain("exchange"); !slices.Equal(ways(e.Words[0]), []string{"synonym", "swap"}) {
		t.Errorf("%+v", e)
	}
	// Each word has its own synonyms, and those of a phrase are on all of its words.
	for i, want := range [][]string{{"synonym", "swap"}, {"synonym", "kubernetes"}, {"synonym", "other"}, {"synonym", "other"}} {
		if got := ways(explain("exchange k8s big wheel").Words[i]); !slices.Equal(got, want) {
			t.Errorf("word %d: %q, want %q", i, got, want)
		}
	}
	if e := explain(`"swap atomic" indexes`); !slices.Equal(e.Dropped, []string{"swap atomic"}) || len(e.Phrases) != 0 || len(e.Articles) != 1 {
		t.Errorf("a phrase that no article has: %+v", e)
	}
	if e := explain("other kubernetes"); len(e.Articles) != 1 || !reflect.DeepEqual(e.Articles[0], ExplainedArticle{
		Rank: 1, ID: "two", Title: "Other", Rung: "pinned", Words: []ExplainedMatch{}, TitleFactor: 1, Boost: 1,
	}) {
		t.Errorf("pinned: %+v", e.Articles)
	}
	if e := explain("???"); len(e.Words) != 0 || len(e.Rungs) != 0 || e.Articles == nil {
		t.Errorf("%+v", e)
	}
}

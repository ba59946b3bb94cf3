package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Without the marks around its phrases, a query has the same words in the same places and the same
// exclusions, but no phrase.
func TestUnquotedQueriesSayTheSame(t *testing.T) {
	pieces := strings.Split(quotes+`"""  --aé語.'`, "")
	r := rand.New(rand.NewPCG(1, 2))
	phrases := 0
	for range 50_000 {
		var text strings.Builder
		for range r.IntN(20) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		q := parse(text.String())
		got := parse(q.unquoted())
		phrases += len(q.phrases)
		same := func(a, b clause) bool { return a.Span == b.Span && a.folded == b.folded }
		if !slices.EqualFunc(q.clauses, got.clauses, same) || len(got.phrases) > 0 || len(got.not) != len(q.not) {
			t.Fatalf("%q became %q: %+v and %+v", q.text, got.text, q, got)
		}
	}
	if phrases < 1_000 {
		t.Errorf("there were %d phrases only", phrases)
	}
}

// A query with a phrase and some words wants articles with the phrase. But a question may quote in
// passing: articles without the phrase follow those that have it.
func TestAQuestionNeedNotHaveWhatItQuotes(t *testing.T) {
	x := indexOf(t,
		note("escape", "en", "The escape", "The Trojan Taco was a shield of books on wheels"),
		note("siege", "en", "The siege", "Inmates of the prison negotiated with the authorities about their demands, and a taco"),
		note("bakery", "en", "Bread", "The prison bakes bread"),
		note("harbour", "en", "Ships", "They bring no news"),
	)
	for query, want := range map[string]string{
		`prison "trojan taco"`:                "escape(some words)",
		`demands "trojan taco" prison inmate`: "escape(some words)",
		`prison "trojan taco"?`:               "escape(some words) siege(some words, no phrase) bakery(some words, no phrase)",
		`"trojan taco"?`:                      "escape(all words)",
		`demands that inmates had, but "trojan taco", in the prison`:        "escape(some words) siege(some words, no phrase) bakery(some words, no phrase)",
		`demands that inmates had, but "trojan taco", in the prison -bread`: "escape(some words) siege(some words, no phrase)",
		`demands that inmates had, but "trojan taco", in the prison -books`: "siege(some words) bakery(some words)", // none has the phrase
	} {
		found, total, err := x.Rank(t.Context(), Query{Text: query, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		if got := told(found); got != want || total != len(found) {
			t.Errorf("%s\n got %s of %d\nwant %s", query, got, total, want)
		}
	}
}

// Words on both sides of a quotation mark are not one word, even if no article has the phrase and
// the marks are dropped.
func TestNoWordGoesAcrossAQuotationMark(t *testing.T) {
	x := indexOf(t,
		note("one", "en", "One", "WebAssembly in a hall"), note("two", "en", "Two", "The web"), note("three", "en", "Three", "An assembly"),
	)
	if found := rank(t, x, Query{Text: `web "assembly hall"`, Limit: 10}); len(found) == 0 || found[0].Rung < mistyped {
		t.Errorf("got %s", told(found))
	}
}

// The word before a question mark is complete: "Who pays for the net?" does not find networks.
// After a full stop, it may be unfinished, as in node.js or an abbreviated month.
func TestAQuestionMarkEndsTheLastWord(t *testing.T) {
	x := indexOf(t, note("festivals", "en", "Festivals", "A festival in November"), note("node", "en", "Servers", "Servers in node.js"))
	for query, want := range map[string]bool{
		"festival nov":          true,
		"festival nov.":         true,
		"festival, nov":         true,
		"which festival nov":    true,
		"servers node.":         true,
		"festival nov?":         false,
		"festival nov ?":        false,
		"festival nov!":         true,
		"festival nov؟":         false,
		`festival nov?"`:        false,
		"(festival nov?)":       false,
		"festival nov？":         false,
		"A festival? When? nov": true, // here another word is the last
	} {
		found := rank(t, x, Query{Text: query, Limit: 1})
		if whole := len(found) > 0 && found[0].Rung <= begun; whole != want {
			t.Errorf("%q: %v, want one with all words: %v", query, found, want)
		}
	}
}

// A phrase that is quoted twice is searched once, in each article that has its words.
func TestPhrasesOnce(t *testing.T) {
	if q := read(`"of the" "in the" «Of the» "of the"`, false); len(q.phrases) != 2 || len(q.quoted) != 4 {
		t.Errorf("%d phrases at %d places, want 2 at 4", len(q.phrases), len(q.quoted))
	}
}

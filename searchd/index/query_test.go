package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// What a minus and quotation marks mean, and where they mean nothing.
func TestPhrasesAndExclusions(t *testing.T) {
	wantSearches(t, []searches{
		{"phrases and exclusions", []article.Article{
			note("next", "en", "One", "The hot swap works."),
			note("apart", "en", "Two", "A swap is hot news."),
			note("hyphen", "en", "Three", "A hot-swap it is."),
			note("title", "en", "Hot swap", "In the title."),
			note("tobe", "en", "Five", "To be or not to be, that is the question."),
		}, []string{
			`"hot swap" ~> next hyphen title`,
			`“hot swap” ~> next hyphen title`,
			`"swap hot" ~> `,
			`swap -title ~> next apart hyphen`,
			`swap -"hot swap" ~> apart`,
			`hot-swap ~> hyphen next title apart`,
			`"hot swap ~> title next hyphen apart`,
			`"to be or not to be" => tobe`,
			`not to be => tobe`,
			`swap - title ~> title next apart hyphen`,
		}},
		{"a minus before one letter is that of a flag", []article.Article{
			note("flag", "en", "One", "Run chmod -R 755 on the folder, 目录."),
			note("plain", "en", "Two", "Run chmod 755 on one file, 文件."),
		}, []string{
			"chmod -R 755 => flag plain", "chmod -r => flag plain", "chmod -R -folder => plain", "chmod -folder ~> plain", "chmod -目 ~> plain", "chmod -7 ~> flag plain", "chmod -755 ~> ",
			`chmod -"r" ~> plain`, "-R => flag",
		}},
		{"a minus in a longer text that an article has word for word excludes nothing", []article.Article{
			note("gcc", "en", "One", "Call the compiler as gcc -Wall -O2 main.c -o main, and it warns of more. From 5 to -12 degrees it is cold."),
			note("other", "en", "Two", "Call the compiler as you like, and it warns of more. It is cold."),
		}, []string{
			"compiler as gcc -Wall -O2 main.c -o main => gcc other", "the compiler as gcc -Wall -O2 main => gcc other", "from 5 to -12 degrees it is => gcc",
			"gcc -Wall -O2 main.c -o main => ", "compiler -gcc ~> other", // no more than six words
			"compiler and it warns of more -gcc ~> other", `compiler and it warns of more -"as gcc" ~> other`, // in no article as typed
		}},
		{"a minus in a command that several articles have excludes nothing", []article.Article{
			note("one", "en", "One", "Run go test -race ./... first."), note("two", "en", "Two", "Go test -race is slow."), note("three", "en", "Three", "Run go test -race too."), note("four", "en", "Four", "The flags of go test -race are few."),
			note("five", "en", "Five", "Run go test without -race."), note("six", "en", "Six", "Search for go -slow, or go -slow; go -few."), note("plain", "en", "Seven", "Run go test."), note("no", "en", "Eight", "A go test: race."),
		}, []string{
			"go test -race ~> one two three four five no plain six", "TEST -Race ~> one two three four five no plain", "test -race is => plain",
			"go -slow ~> one three four five plain no", "test -run ~> two four no", `go test -"race" ~> plain six`,
		}},
		{"a hyphen after and stands for a part of a word", []article.Article{
			note("fi", "fi", "Yksi", "Julkaisutyökalut ja -palvelut, ja työpöytä."),
			note("de", "de", "Zwei", "Sprachverarbeitung und -erkennung, Katzen und Hunde."),
			note("plain", "de", "Drei", "Sprachverarbeitung und Katzen."),
		}, []string{
			"julkaisutyökalut ja -palvelut => fi", "Sprachverarbeitung und -erkennung => de plain", "Katzen -Hunde und -Sprachverarbeitung ~> ", "Katzen und Sprachverarbeitung -Hunde => plain",
			"Katzen and -Hunde => plain", "und -Hunde => plain",
		}},
		{"a minus in a question excludes nothing", []article.Article{
			note("flag", "en", "One", "Test with -race to find races; what it does takes memory."),
			note("fi", "fi", "Kaksi", "Ohjelman loi Game Boy Advance -konsolille Nintendo."),
			note("rest", "en", "Two", "What a test does, and the Game Boy Advance."),
		}, []string{
			"what does test -race do? => flag rest", "test -race?? => flag rest", "test -race ~> rest", "test? -race ~> rest", "test -race ? => flag rest",
			"Kuka loi Game Boy Advance -ohjelman? => fi rest", "Game Boy Advance -ohjelman ~> rest", "Game Boy Advance -ohjelman？ => fi rest", `test -"find races"? => flag rest`, "-? => ",
		}},
		{"a pasted title excludes nothing", []article.Article{
			note("flag", "en", "Stabilizing -Znext-solver", "What it does."),
			note("other", "en", "Stabilizing znext solver", "What it does."),
			note("rest", "en", "Stabilizing", "What it does."),
			note("accent", "en", "Herkunft und -Integrität", "What it does."),
		}, []string{
			"Herkunft und -Integrität => accent", "Herkunft und -Integrita\u0308t => accent", "herkunft und -integritat => accent",
			"Stabilizing -Znext-solver => flag rest", "stabilizing  -znext-SOLVER => flag rest", "stabilizing -znext ~> rest", `stabilizing -"znext solver" ~> rest`,
		}},
		{"phrases with apostrophes and full stops", []article.Article{
			note("its", "en", "One", "We’re sure it's Bob's hot swap, isn't it? Mind your p's and q's."),
			note("fr", "fr", "Deux", "Une couche d'abstraction. L'exemple suit."),
			note("zh", "zh", "三", "我们在北京。上海也有。"),
			note("key", "en", "Four", "The key "+strings.Repeat("0123456789abcdef", 5)+" is long."),
		}, []string{
			`"it's Bob's" => its`, `"it’s bob’s hot swap" => its`, `"isn't it" => its`, `"we're sure" => its`, `"p's and q's" => its`,
			`"s hot swap" => `, `"its bobs" => `, `sure -"it's bob's" => `, `sure -"isn't that" => its`,
			`"couche d'abstraction" => fr`, `"d'abstraction. l'exemple" => fr`,
			`"在北京。上海" => zh`, `"北京上海" => `, `"上海也" => zh`, `"海" => zh`,
			`"key ` + strings.Repeat("0123456789abcdef", 5) + ` is" => key`,
		}},
	})
}

// If hardly one in ten articles with the words of a query has its minus, it excludes. Not all of
// many are read: with 300 long ones, that took half a second.
func TestAnUnusualMinusExcludes(t *testing.T) {
	for plain, excludes := range map[int]bool{30: false, 45: true} {
		var all []article.Article
		for i := range plain {
			all = append(all, note(fmt.Sprint("plain", i), "en", "Plain", "Run go test race by race."))
		}
		for i := range 4 {
			all = append(all, note(fmt.Sprint("typed", i), "en", "Typed", "Run go test -race."))
		}
		if got := search(t, indexOf(t, append(all, note("other", "en", "Other", "Run go test."))...), "go test -race", 10).Total; (got == 1) != excludes {
			t.Errorf("of %d articles without the minus and 4 with it, it finds %d", plain, got)
		}
	}
}

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

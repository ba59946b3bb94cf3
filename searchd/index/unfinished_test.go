package index

import (
	"fmt"
	"testing"

	"newsstand/builder/article"
)

// While a word is being typed, titles with a word that begins so come before texts that have it
// often.
func TestTitlesAreFoundWhileTheyAreTyped(t *testing.T) {
	x := indexOf(t,
		note("console", "en", "Artisan Console", "Commands that are run by hand."),
		note("making", "en", "How the artisan works", "Artisan is short."),
		note("text", "en", "Testing", "Run artisan test, then artisan migrate; artisan has more."),
		note("other", "en", "Console", "Each artisan command of artisan packages, and artisan itself, is listed by artisan."),
	)
	wantFirst(t, x, map[string]string{
		"arti":       "console making other text",
		"Artis":      "console making other text",
		"artisan co": "console other", // which has the word command
		"how the ar": "making console other text",
	})
}

// The beginning of a word may be a word of many articles. They do not hide the title that is being
// typed, unless that word is all that was typed.
func TestTitlesThatGoOnLikeTheQuery(t *testing.T) {
	all := []article.Article{
		note("compiler", "en", "React Compiler", "It compiles."), note("types", "uk", "Використання Vue з TypeScript", "Як це робити."),
		note("five", "en", "Release 51", "Out now."), note("quoted", "en", "React Compiler in use", "A draft."),
		note("small", "en", "What to commit", "All."), note("offers", "en", "React offers", "Many."),
	}
	for i := range 20 {
		all = append(all, note(fmt.Sprint("other-", i), "en", "On", "React, at react.com, is used with Vue. Release 5."), note(fmt.Sprint("letter-", i), "uk", "Про", "Використання T у Vue."))
	}
	x := indexOf(t, all...)
	wantFirst(t, x, map[string]string{
		"react com": "compiler quoted other", "react com?": "other", "com react": "other", "com": "other", "what to com": "small other",
		"react of":             "offers", // of is a small word, too
		"використання vue з t": "types letter", "release 5": "other",
	})
	if found, total, err := x.Rank(t.Context(), Query{Text: "react com", Limit: 1}); err != nil || total != 22 || found[0].Rung != strict {
		t.Errorf("%d %v: %v", total, found, err)
	}
	if got := search(t, x, "react com", 1).Articles[0].ExcerptHTML; got != "It <mark>compiles</mark>." {
		t.Errorf("got %s", got)
	}
}

// While a number of a title is typed, the title stays first, even if what is typed is the number of
// other articles. A number that is meant as it is does not lose to longer ones.
func TestTitlesThatGoOnInANumber(t *testing.T) {
	all := []article.Article{
		note("may", "en", "Language Design for May 4, 2020", "An agenda."), note("go", "en", "News of Go 1.20", "Go 1.20 is out."),
		note("rust", "en", "Rust 2021x", "Rust 2021x."), note("week", "en", "A Week in the Life of One Small Site 51: Links", "Links."),
		note("week-5", "en", "A Week in the Life of One Small Site 5: A rather long Story of the Day that went on", "It is the other one."),
	}
	for i := range 20 {
		all = append(all, note(fmt.Sprint("notes-", i), "en", "Notes", "Of language design: from May 20 to May 22, 2 of 4. News of Go, version 1.2. On Rust 2021."))
	}
	x := indexOf(t, all...)
	wantFirst(t, x, map[string]string{
		"language design for may 4,": "may", "language design for may 4, 2": "may notes", "language design for may 4, 20": "may notes", "language design for may 4, 202": "may", "language design for may 4, 20?": "notes",
		"news of go 1": "go", "news of go 1.2": "notes", "rust 2021": "notes", "a week in the life of one small site 5": "week-5",
	})
}

// If very many titles go on like the query, no few of them come before the others.
func TestVeryManyTitlesThatGoOnLikeTheQuery(t *testing.T) {
	all := []article.Article{note("word", "en", "Weekly", "The week at react.com.")}
	for i := range maxTitles + 50 {
		all = append(all, note(fmt.Sprint("week-", i), "en", fmt.Sprint("Weekly Comments ", i), "Said this week."))
	}
	x := indexOf(t, all...)
	for _, limit := range []int{1, 2} {
		found, total, err := x.Rank(t.Context(), Query{Text: "weekly com", Limit: limit})
		if want := 1 + (limit-1)*(maxTitles+50); err != nil || total != want || found[0].ID != "word" {
			t.Errorf("%d of %d: got %d, %v, %v", limit, want, total, found, err)
		}
	}
}

// An unfinished word may be the stem of another word: sourc of source, compli of comply. Even many
// articles with that other word do not hide those with words that begin so.
func TestABeginningThatIsAStemOfAnotherWord(t *testing.T) {
	all := []article.Article{
		note("title", "en", "Compliance", "How we do it."), note("text", "en", "Other", "The compliance of banks."), note("excluded", "en", "Other", "Of compliance, but not here."),
		note("organized", "en", "Other", "They organized themselves."),
	}
	for i := range 20 {
		all = append(all, note(fmt.Sprint("other-", i), "en", "Comply or not", "Whoever can will comply."))
	}
	x := indexOf(t, all...)
	wantFirst(t, x, map[string]string{
		"compli": "title", "compli -here": "title text", "banks compli -here": "text", // as someone continues to type
		"compli?": "other-0", "comply": "other-0", // a whole word
		"organize": "organized", "organize themselves": "organized",
	})
}

// While a question is being typed, the first letter of its first word that is not a stop word does
// not hide the articles. Those that have the letter as a word come first.
func TestTheFirstLetterOfAQuestion(t *testing.T) {
	x := indexOf(t, note("towed", "en", "What to do if your car is towed", "Call us."), note("c", "en", "The language X", "What is X?"))
	wantFound(t, x, 1, map[string]string{
		"what to do if your": "towed", "what to do if your c": "towed", "what to do if your ca": "towed", "what is x": "c", "what to do if your c?": "", "what to do if your 7": "", "c": "",
	})
	wantFound(t, x, 2, map[string]string{"what is x": "c towed", "what to do if your x": "c towed", "is x": "c towed", "x": "c"})
}

// The first letter of the next word hides nothing that was found before it: articles that have it
// as a word come first, then those with the other words.
func TestTheFirstLetterOfTheNextWord(t *testing.T) {
	all := []article.Article{
		note("social", "en", "What we can learn from social feeds", "A look."), note("other", "en", "What we can learn here", "A look."),
		note("street", "en", "Where we are", "You can learn to find us: at F Street."),
	}
	for i := range 20 {
		all = append(all, note(fmt.Sprint("kennedy-", i), "en", "On", "John F. Kennedy."))
	}
	x := indexOf(t, all...)
	wantFirst(t, x, map[string]string{
		"what we can learn f": "social street other", "we can learn f": "street other social", "what we can learn fr": "social", "what we can laern f": "other social street",
		"learn f?": "street other", "learn 7": "other social", "f": "kennedy",
	})
	if found, total, err := x.Rank(t.Context(), Query{Text: "learn f", Limit: 3}); err != nil || total != 3 || found[2].Rung != begun {
		t.Errorf("%d %v: %v", total, found, err)
	}
}

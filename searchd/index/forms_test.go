package index

import (
	"fmt"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// The longest word that is indexed is found, also with a typo. A longer one is not indexed, and
// does no harm. It is letters that count, not bytes: a word of Hindi has three times as many.
func TestLongWords(t *testing.T) {
	for _, letters := range []string{"abcdefg", "कखगघचछज"} {
		long := []rune(strings.Repeat(letters, 70))
		whole, longest, rest := string(long), string(long[:maxTermLetters]), string(long[1:maxTermLetters])
		x := indexOf(t, note("longest", "en", "One", "It is "+longest+"."), note("longer", "en", "Two", "A walrus is "+whole+"."))
		for query, want := range map[string]string{longest: "longest", rest: "longest", longest + "x": "", whole: "", "x" + rest + whole: "", "walrus " + whole: "longer"} {
			if got := ids(search(t, x, query, 10)); got != want {
				t.Errorf("%d bytes, %.5s…: found %q, want %q", len(query), query, got, want)
			}
		}
	}
}

func TestAStemIsOneInTheLanguageOfItsArticleOnly(t *testing.T) {
	x := indexOf(t,
		note("amount", "en", "Amount", "An amount."),
		note("python", "en", "Other", "From python to c."), // "c" is what Stempel makes of "pytton"
		note("fr", "fr", "Français", "Le code."),
		note("pl", "pl", "Polski", "Kod c i python."),
		note("ja", "ja", "日本語", "amount を使う"),
	)
	for query, want := range map[string]string{
		"Pytton":  "pl python", // for a typo
		"amounts": "amount ja",
		"codes":   "fr",
	} {
		if got := sorted(ids(search(t, x, query, 10))); got != want {
			t.Errorf("%s: found %q, want %q", query, got, want)
		}
	}
	for query, want := range map[string]Rung{
		"ammount": mistyped, // "amount" is its stem in French
		"codes":   strict,
		"amounts": strict,
	} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) == 0 || found[0].Rung != want {
			t.Errorf("%s: %v, want the first on the rung %q", query, found, want)
		}
	}
}

// Another spelling of the same word is neither a beginning of it nor a typo.
func TestSpellingsAreOnOneRung(t *testing.T) {
	for _, spellings := range [][]string{
		{"don't", "don’t", "don`t", "don´t", "dont"}, {"12,500.50", "12'500.50", "12_500.50", "12500.50"}, {"10.000'den", "10000'den"}, {"20.000-fach", "20'000-fach", "20000-fach"},
		{"30,000km", "30'000km", "30000km"}, {"o‘zbek", "oʻzbek", "o'zbek", "ozbek"}, {"AI's-based", "AI-based"}, {"C++11", "C++ 11"}, {"1920×1080", "1920x1080"}, {"10×", "10x"}, {"10'000×", "10,000x", "10000×"},
		{"👍", "👍🏽", "👍🏻"}, {"👩\u200d💻", "👩🏽\u200d💻"}, {"Azərbaycan", "Azerbaycan", "AZƏRBAYCAN"}, {"ɓaunaƙi", "ƁAUNAƘI", "baunaki"}, {"ґанок", "ҐАНОК", "ганок"}, {"Sáŋgárat", "sangarat"}, {"ŧest", "Test"},
		{"col·legi", "coŀlegi", "collegi"},
	} {
		var articles []article.Article
		for i, one := range spellings {
			articles = append(articles, note(fmt.Sprint("a", i), "en", "Other", "It is "+one+" here."))
		}
		x := indexOf(t, articles...)
		for _, query := range spellings {
			if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) != len(spellings) || found[len(found)-1].Rung != strict {
				t.Errorf("%s: %v, want all of %q with all words", query, found, spellings)
			}
		}
	}
}

// A number with a separator of thousands is found if it is typed together with its unit.
func TestThousandsWithTheirUnit(t *testing.T) {
	x := indexOf(t,
		note("comma", "en", "One", "It is 10,000 km away."), note("dot", "de", "Zwei", "Es ist 10.000 km weit."), note("space", "fr", "Trois", "À 10\u00a0000 km d'ici."),
		note("plain", "en", "Four", "It is 10000km, or 10000 km."), note("other", "en", "Five", "The 10 km of 000 and 110,000 km."), note("million", "en", "Six", "It has 2,500,000 kW."),
	)
	for query, want := range map[string]string{"10000km": "comma dot plain space", "10000km?": "comma dot plain space", "2500000kW": "million", "0000km": "", "10000.5km": ""} {
		got := search(t, x, query, 10)
		if sorted(ids(got)) != want || got.Suggestion != "" {
			t.Errorf("%s: found %q, suggested %q, want %q", query, ids(got), got.Suggestion, want)
		}
		for _, h := range got.Articles {
			if !strings.Contains(h.ExcerptHTML, "<mark>") {
				t.Errorf("%s: nothing is marked in %q", query, h.ExcerptHTML)
			}
		}
	}
}

// An hour is found with and without the full stops of its a.m. or p.m.
func TestHours(t *testing.T) {
	x := indexOf(t,
		note("dots", "en", "One", "Open from 8 a.m. to 4:30 p.m. on weekdays."), note("spaces", "es", "Dos", "Abierto de 8 a. m. a 4:30 p. m. de lunes a viernes."),
		note("plain", "en", "Three", "Open from 8am to 4:30pm."), note("apart", "en", "Four", "Open from 8 AM to 4:30 PM."), note("other", "en", "Five", "The 8 of m.a., 4 times 4, and 30 p or m."),
	)
	for _, query := range []string{"8am", "8AM", "8am?", "4:30pm"} {
		got := search(t, x, query, 4) // a higher limit also finds articles with only the 4
		if sorted(ids(got)) != "apart dots plain spaces" || got.Suggestion != "" {
			t.Errorf("%s: found %q, suggested %q", query, ids(got), got.Suggestion)
		}
		for _, h := range got.Articles {
			if !strings.Contains(h.ExcerptHTML, "<mark>") {
				t.Errorf("%s: nothing is marked in %q", query, h.ExcerptHTML)
			}
		}
	}
}

// Degrees have a sign of their own, in place of which many keyboards have that of ordinals. People
// who search for degrees type neither.
func TestDegreesAndOrdinals(t *testing.T) {
	x := indexOf(t,
		note("degree", "en", "One", "Bake at 350°F."), note("ordinal", "en", "Two", "Bake at 350ºF."), note("before", "en", "Three", "Bake at 350 ºF."), note("behind", "en", "Four", "Bake at 350º F."),
		note("joined", "en", "Five", "Bake at 350F."), note("apart", "en", "Six", "Bake at 350 F."),
		note("es", "es", "Siete", "El artículo 1.º de la ley n.º 5, y la 2.ª"), note("pt", "pt", "Oito", "O artigo 1º da lei nº 5, e a 2ª"), note("typed", "pt", "Nove", "O artigo 1o da lei n° 5, e a 2a"),
	)
	wantStrictly(t, x, map[string]string{
		"350F": "apart before behind degree joined ordinal", "350°F": "apart before behind degree joined ordinal", "350ºf": "apart before behind degree joined ordinal",
		"350 F": "apart before behind degree joined ordinal", "350 °F": "apart before behind degree joined ordinal", "350º F": "apart before behind degree joined ordinal",
		"1º": "es pt typed", "1o": "es pt typed", "1.º": "es pt typed", "1°": "es pt typed", "1": "es pt typed", "2ª": "es pt typed", "2a": "es pt typed", "nº 5": "es pt typed", "n.º 5": "es pt typed", "n° 5": "es pt typed",
	})
}

// A word that is the stem of what was typed is found, whatever its own stem is: kvaliteten is "the
// quality" and its stem kvalitet is "quality", from which a stemmer takes off an ending, too.
func TestAWordThatIsAStemIsMarkedAndCountsInTitles(t *testing.T) {
	x := indexOf(t,
		note("title", "no", "Sjekk fruktkvalitet", "Om frukt, og fruktkvalitet."),
		note("text", "no", "Sjekk frukt", "Fruktkvalitet er alt: fruktkvalitet, fruktkvalitet."),
		note("en", "en", "Fruktkvalitet", "Another language."),
	)
	if got := ids(search(t, x, "fruktkvaliteten", 2)); got != "title text" {
		t.Errorf("got %s, want the title first", got)
	}
	for _, h := range search(t, x, "fruktkvaliteten", 10).Articles[:2] { // this was also searched with typos
		if !strings.Contains(strings.ToLower(h.ExcerptHTML), "<mark>fruktkvalitet</mark>") {
			t.Errorf("%s: %s", h.ID, h.ExcerptHTML)
		}
	}
}

// A word that is the stem of others finds them, whatever its own stem is: stemmers make system of
// Systeme, but syst of System.
func TestAWordThatIsAStemFindsItsForms(t *testing.T) {
	for _, one := range []struct{ language, query, form string }{
		{"de", "System", "Systeme"}, {"de", "modern", "moderne"}, {"de", "Problm", "Probleme"}, {"es", "imagen", "imágenes"}, {"fi", "asia", "asioita asiasta"},
		{"fr", "premier", "première"}, {"hu", "állapot", "állapota"}, {"ru", "систем", "системы"}, {"tr", "hata", "hatalar"},
	} {
		word := strings.Replace(one.query, "Problm", "Problem", 1)
		x := indexOf(t,
			note("form", one.language, "Xyz", one.form+" qqq."), note("title", one.language, one.form, "Qqq."),
			note("word", one.language, "Xyz", word+" qqq."), note("other", "vi", "Xyz", one.form+" qqq."),
		)
		got := search(t, x, one.query+" qqq", 3)
		if sorted(ids(got)) != "form title word" {
			t.Errorf("%s: got %s", one.query, ids(got))
		}
		for _, h := range got.Articles {
			if h.ID == "form" && !strings.Contains(h.ExcerptHTML, "</mark> <mark>qqq") {
				t.Errorf("%s: %s", one.query, h.ExcerptHTML)
			}
		}
		if found := rank(t, x, Query{Text: word + " qqq", Limit: 3}); found[len(found)-1].Rung != strict {
			t.Errorf("%s: %v, want all on the rung %q", word, found, strict)
		}
	}
}

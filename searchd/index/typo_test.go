package index

import (
	"fmt"
	"slices"
	"testing"

	"newsstand/builder/article"
)

// A word with a typo finds what was meant, if that is near enough.
func TestMistakes(t *testing.T) {
	wantSearches(t, []searches{
		{"mistakes", []article.Article{
			note("kube", "en", "x", "A kubernetes cluster."),
			note("index", "en", "y", "An inverted index."),
			note("short", "en", "z", "A cat sat."),
			note("codex", "en", "z", "Codex32 and bip70."),
			note("long", "ru", "ш", "Автомасштабирование и интернационализация."),
			note("hindi", "hi", "अ", "यह अंतर्राष्ट्रीयकरण है"),
			note("s1", "en", "x", "reliable"), note("s2", "en", "x", "reliable"), note("s3", "en", "x", "reliable"), note("s4", "en", "x", "reliable"),
			note("stem", "en", "y", "reliability"),
		}, []string{
			"codxe32 => codex", "codex33 => ", "codex3 => codex", "bp70 => codex", "bip7 => codex", "bip71 => ",
			"clustr => kube", "4luster => ", "xndex => index", "ndex => index", "indx => index", "nde => ", "cats => short",
			"reliablity ~> s1 s2 s3 s4 stem",
			"Атвомасштабирование => long", "Автомасштабированип => long", "интернациоонализаця => long", "автомасштабы => ",
			"अंतर्राष्ट्रीयकरन => hindi",
			"kuberntes => kube", "kubrenetes => kube", "kubernetse clustre => kube", "jubernetes => kube",
			"indxe => index", "inverted indx => index", "cta => ", "clusters => kube",
		}},
	})
}

func TestSuggestion(t *testing.T) {
	x := indexOf(t,
		note("a", "en", "Clusters", "A kubernetes cluster runs."),
		note("b", "en", "Others", "Kubernetes and kubernetes."),
		note("c", "en", "Releases", "Helm 3.2.1 is out, and Go1.22."),
		note("d", "en", "News", "Helm 3.2 and Helm 4; another 4.1."),
	)
	for query, want := range map[string]string{
		"helm3":                  "helm 3",
		"out of helm3.2":         "out of helm 3.2",
		"helm2":                  "",
		"helm4":                  "", // some articles have this
		"go1":                    "", // it is the beginning of a word
		"kuberntes":              "kubernetes",
		"My kuberntes  cluster":  "My kubernetes cluster",
		"kuberntes clutser":      "kubernetes cluster",
		"kubernetes":             "",
		"kuberntes, Kuberntes":   "kubernetes, kubernetes", // a repeated word is corrected each time
		"nothing of that":        "",
		"kuber netes runs":       "kubernetes runs",
		"kubernetes clusterruns": "kubernetes cluster runs",
		"clusterrunsand":         "",
		`"kuber netes" runs`:     `"kubernetes" runs`,
		// A phrase with a typo, and phrases that no article has.
		`runs "a kuberntes cluster"`:    `runs "a kubernetes cluster"`,
		`"cluster kubernetes" -none`:    "cluster kubernetes -none",
		`runs «kuberntes clusters»`:     "runs kubernetes clusters", // what was searched
		`"kubernetes cluster" "others"`: "",
		`"kubernetes cluster"`:          "",
		`"nothing of" -"that either"`:   "",
		// Without the quotation marks, a minus in a phrase would exclude, and marks in the phrase
		// would begin another.
		`"no -kubernetes cluster" runs`:    "no kubernetes cluster runs",
		`"no --kubernetes cluster" runs`:   "no kubernetes cluster runs",
		`"runs «cluster kubernetes» no"`:   "runs cluster kubernetes no",
		`"no „cluster kubernetes“ x" runs`: "no cluster kubernetes x runs",
		`"no cloud-native" cluster`:        "no cloud-native cluster",
		// An excluded word would not be found by its right spelling either.
		"kuberntes -kubernetes": "",
		// An excluded word that all articles have with the others may be meant: "rm -rf".
		"cluster -runs -kubernetes": "cluster runs kubernetes", "cluster -none -runs": "", "helm -releases": "",
		// A minus after a phrase does not exclude, with or without the quotation marks.
		`„kubernetes cluster“-runs`: "",
		`"cluster kubernetes"-runs`: "cluster kubernetes runs",
	} {
		got := search(t, x, query, 10)
		if got.Suggestion != want {
			t.Errorf("%s: suggested %q, want %q", query, got.Suggestion, want)
		}
		if want == "" {
			continue
		}
		if there := search(t, x, want, 10); there.Total == 0 || got.Total > 0 && ids(there) != ids(got) {
			t.Errorf("%s: found %q, and the suggestion %s finds %q", query, ids(got), want, ids(there))
		}
	}
	if got := ids(search(t, x, `"a kuberntes cluster"`, 10)); got != "a" {
		t.Errorf("a phrase with a typo finds %q, want the article with the corrected phrase", got)
	}
	if got := ids(search(t, x, `"cluster kubernetes"`, 10)); got != "" {
		t.Errorf("words in another order are found as a phrase: %q", got)
	}
	for _, query := range []string{`what runs "cluster kubernetes"`, `what is "cluster kubernetes"?`} {
		if got := ids(search(t, x, query, 10)); got != "a b" {
			t.Errorf("%s: a phrase that no article has, with other words, finds %q, want what its words find", query, got)
		}
	}
}

// A suggestion is spelled as most articles spell it, not in the folded form.
func TestSuggestionsAreSpelled(t *testing.T) {
	x := indexOf(t,
		note("fr", "fr", "x", "Une vulnérabilité, un résumé."),
		note("de", "de", "y", "Die Ankündigung in der Straße."),
		note("ru", "ru", "z", "Новый самолёт."),
		note("el", "el", "z", "Ο κατάλογος, ο υπολογιστής."),
		note("a", "en", "x", "Resume it."), note("b", "en", "y", "Resume that."),
	)
	for query, want := range map[string]string{
		"vulnérabilté": "vulnérabilité", "Ankundigugn": "ankündigung", "strase": "straße", "новяй самолет": "новый самолет", "resune": "resume", "derstraße": "der straße",
		"κταλογος":           "κατάλογος",
		`"une vulnérabilté"`: `"une vulnérabilité"`,
	} {
		if got := search(t, x, query, 10); got.Suggestion != want {
			t.Errorf("%s: suggested %q, want %q", query, got.Suggestion, want)
		} else if there := search(t, x, want, 10); ids(there) != ids(got) {
			t.Errorf("%s: found %q, and the suggestion %s finds %q", query, ids(got), want, ids(there))
		}
	}
}

// A text that was typed on another keyboard layout than was meant is found as it was meant, if it
// finds nothing as it is.
func TestTheOtherKeyboardLayout(t *testing.T) {
	x := indexOf(t,
		note("promise", "ru", "Промисы", "Как работает промис."), note("font", "ru", "font-size", "Размер шрифта."), note("odd", "en", "Odd", "The word ghjcnj is odd, and hec."),
		note("error", "ru", "Ошибка", "Инструмент для ошибок."), note("jib", "en", "Jib", "A jib is a sail."), note("tool", "uk", "Інструмент", "Той, що треба: аґрус."),
	)
	for query, want := range map[string][2]string{
		"ghjvbc":       {"promise", "промис"},
		"ghjvbcs":      {"promise", "промисы"},
		"ghjvb":        {"promise", "проми"},
		"ащте-ышяу":    {"font", "font-size"},
		"ащте":         {"font", "font"},
		"ghjcnj":       {"odd", ""},
		"ghjcnj gjgs":  {"odd", ""},
		"jib,rf":       {"error", "ошибка"},
		`f\hec`:        {"tool", "аґрус"},
		"Jib, sail":    {"jib", ""},
		"jib, ghjvbc":  {"jib", ""},
		"sycnhevtyn":   {"tool error", "інструмент"},
		"ghjvvbc":      {"", ""},
		"nhevtyn":      {"", ""},
		`"ghjvbc"`:     {"", ""},
		"ghjvbc -odd":  {"", ""},
		"vb":           {"", ""},
		"kfhfdtkm vjz": {"", ""},
	} {
		got := search(t, x, query, 10)
		if ids(got) != want[0] || got.Suggestion != want[1] {
			t.Errorf("%s: found %q, suggested %q, want %q", query, ids(got), got.Suggestion, want)
		}
	}
	english := indexOf(t, note("promise", "en", "Promises", "A word of Russian: промис."))
	if got := search(t, english, "ghjvbc", 10); got.Total > 0 {
		t.Errorf("a site that is not in Russian has no keyboards of it, but found %q", ids(got))
	}
}

// A letter typed twice is a typo in French, too.
func TestALetterTypedTwice(t *testing.T) {
	x := indexOf(t,
		note("fr", "fr", "Mise en page", "Un layout pour chaque page."), note("en", "en", "Layout", "How pages look."),
	)
	got := search(t, x, "layyout", 1)
	if ids(got) != "en" || got.Suggestion != "layout" {
		t.Errorf("found %q, suggested %q", ids(got), got.Suggestion)
	}
}

// In a query of several words, a word that a title has is not a typo, however few articles have it.
func TestAWordOfATitleIsNoTypo(t *testing.T) {
	x := indexOf(t,
		note("center", "es", "Las mejores formas de centrar elementos", "Con CSS."), note("enter", "es", "Hooks", "Antes de entrar, un div."), note("other", "es", "Rust", "Antes de entrar en el div."),
	)
	if got := search(t, x, "centrar un div", 10); ids(got) != "center enter other" || got.Suggestion != "" {
		t.Errorf("found %q, suggested %q", ids(got), got.Suggestion)
	}
}

// A word that a stemmer takes for a form of another word is still a slip if no article has the word
// or that stem, and a title has what was meant.
func TestSlipsThatHaveAStem(t *testing.T) {
	articles := []article.Article{note("servers", "en", "Email servers", "How to run one."), note("listing", "en", "Listing files", "See them all."), note("forms", "en", "Forms", "Fill them in.")}
	for i := range 12 {
		articles = append(articles, note(fmt.Sprint("severe-", i), "en", "Other", "Several severe emails, and a lint of files, from one."))
	}
	x := indexOf(t, articles...)
	for query, want := range map[string]string{
		"Email Severs": "Email servers", "severs": "servers", "Emial severs": "email severs", `"email" severs`: `"email" servers`, "severe": "", "several emails": "",
		"froms":         "forms", // a form of from, a stop word
		"linting files": "",      // an article has lint
		"sever severs":  "",      // no title has both
	} {
		got := search(t, x, query, 10)
		if want == "Email servers" && got.Articles[0].ID != "servers" {
			t.Errorf("%s: got %q, want servers first", query, ids(got))
		}
		if got.Suggestion != want {
			t.Errorf("%s: suggested %q, want %q", query, got.Suggestion, want)
		}
	}
}

// Whether a word is a slip is the same on all pages, and also if few articles have the word that it
// would be a form of. A title that a filter or an exclusion rules out does not make a word a slip.
func TestSlipsThatHaveAStemOnEveryPage(t *testing.T) {
	for _, n := range []int{2, 12} {
		articles := []article.Article{note("servers", "en", "Email servers", "How to run one."), note("mail", "en", "Email", "Email only.")}
		for i := range n {
			a := note(fmt.Sprintf("severe-%02d", i), "en", "Other", "Several severe emails, and a lint of files.")
			a.Tags = []string{"tagged"}
			articles = append(articles, a)
		}
		x := indexOf(t, articles...)
		whole, total, err := x.Rank(t.Context(), Query{Text: "email severs", Limit: n + 2})
		if err != nil || total != n+2 || whole[0] != (Ranked{"servers", titled}) {
			t.Fatalf("%d %v: %v", total, whole, err)
		}
		for at := range whole {
			if page := rank(t, x, Query{Text: "email severs", Limit: 1, Offset: at}); !slices.Equal(page, whole[at:at+1]) {
				t.Errorf("%d of %d: got %v, want %v", at, n, page, whole[at])
			}
		}
		for _, q := range []Query{{Text: "email severs", Limit: 1, Tags: []string{"tagged"}}, {Text: "email severs -run", Limit: 1}, {Text: `email severs -"how to run"`, Limit: 1}} {
			if page := rank(t, x, q); !slices.Equal(page, []Ranked{{"severe-00", strict}}) {
				t.Errorf("%v: got %v", q, page)
			}
		}
	}
}

// The postings that a search reads are kept for other searches, and no search changes them.
func TestLookingForASlipChangesNoOtherAnswer(t *testing.T) {
	articles := []article.Article{note("mail", "en", "Email servers", "How to run one."), note("severe", "en", "Other", "Several severe emails.")}
	for i := range 20 {
		articles = append(articles, note(fmt.Sprint("ours-", i), "en", "Our servers", "One."), note(fmt.Sprint("text-", i), "en", "Other", "Our servers, servers, servers, servers."))
	}
	x := indexOf(t, articles...)
	servers := Query{Text: "servers", Limit: 42}
	before := rank(t, x, servers)
	if got := search(t, x, "email severs", 1); got.Suggestion != "email servers" {
		t.Fatalf("no slip was looked for: %+v", got)
	}
	if after := rank(t, x, servers); !slices.Equal(after, before) {
		t.Errorf("got %v, before %v", after, before)
	}
}

// A word that some article has may be rare, and no typo of a word that is one edit away. So an
// article that has it comes before those that have the other words of the query beside that other
// one; a word that no article has is corrected.
func TestARareWordMayBeNoTypo(t *testing.T) {
	articles := append(others(), note("lahar", "id", "Gunung", "Lahar itu lumpur."))
	for i := range 16 {
		articles = append(articles, note(fmt.Sprint("definisi-", i), "id", "Orang", []string{"Definisi lahir.", "Definisi."}[i/10]))
	}
	x := indexOf(t, articles...)
	for query, want := range map[string]Ranked{
		"definisi lahar": {"lahar", missing},
		"definisi lahur": {"definisi-0", mistyped},
		"lahar":          {"lahar", strict},
	} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) < 5 || found[0] != want {
			t.Errorf("%s: %v, want %v first, and the others too", query, found, want)
		}
	}
}

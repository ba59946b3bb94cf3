package searchd

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWordsOf(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "",
		"The hot-swap isn't done.":      "the hot-swap isn't done",
		"Daten\u00adbank, e\u2011mail":  "daten\u00adbank e\u2011mail",
		"a---b -c d_e .NET C++ v1.2":    "a b c d_e net c v1.2",
		"Été à Besançon":                "été à besançon",
		"e\u0301te\u0301":               "e\u0301te\u0301",
		"我们在北京":                         "我们在 们在北 在北京",
		"北京。上海也有":                       "北京 上海也 海也有",
		"ノードはDevOpsを":                   "ノード ードは devops を",
		"ที่ห้องสมุด":                   "ที่ห้อ ห้อง องส งสมุ สมุด",
		"เรากำลังทำ":                    "เรา รากำ ากำลั กำลัง ลังทำ",
		"הודעות בדוא״ל":                 "הודעות בדוא״ל",
		"\u0301 stray":                  "stray",
		"in 2026, 4.0 or v1_000 (beta)": "in 2026 4.0 or v1_000 beta",
	} {
		var got []string
		for _, w := range wordsOf(text) {
			if strings.ToLower(text[w.start:w.end]) != w.form {
				t.Errorf("%q: %q is not at its place", text, w.form)
			}
			got = append(got, w.form)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestTitleOf(t *testing.T) {
	for _, same := range [][2]string{{"Clúster", "CLUSTER"}, {"Vertical scaling", "vertical-scaling"}, {"ﬁne", "fine"}, {"“Hot” swap!", "Hot swap"}} {
		if titleOf(same[0]) != titleOf(same[1]) {
			t.Errorf("%q and %q differ", same[0], same[1])
		}
	}
	if titleOf("Newsletter 1") == titleOf("Newsletter 2") {
		t.Error("two titles are the same")
	}
}

// A slip is one edit in the longest word, and no word of the site.
func TestMistype(t *testing.T) {
	titles := []string{"Deploying on Netlify", "The quick walrus", "Высокая доступность", "aaaaa"}
	vocabulary := map[string]int{"quikc": 1, "dploying": 1}
	for _, title := range titles {
		seen := map[string]bool{}
		for _, id := range strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z") {
			got := mistype(title, id, vocabulary)
			if again := mistype(title, id, vocabulary); got != again {
				t.Errorf("%s for %s: %q, then %q", title, id, got, again)
			}
			seen[got] = true
			words, typed := wordsOf(title), wordsOf(got)
			different := 0
			for i := range words {
				if words[i].form != typed[i].form {
					different++
					if n := utf8.RuneCountInString(typed[i].form); n < minTypoRunes || vocabulary[typed[i].form] > 0 {
						t.Errorf("%s: %q is no slip", title, typed[i].form)
					}
				}
			}
			if len(words) != len(typed) || different != 1 {
				t.Errorf("%s became %s", title, got)
			}
		}
		if len(seen) < 4 && title != "aaaaa" {
			t.Errorf("%s: only the slips %v", title, seen)
		}
	}
	for _, id := range strings.Fields("a b c d e f g h") {
		if got := mistype("Métricas", id, map[string]int{"metrics": 1, "metrcas": 1, "metricaas": 1}); got == "Métrics" || got == "Métrcas" || got == "Métricaas" {
			t.Errorf("%s: %q is another word but for its accent", id, got)
		}
	}
	for _, title := range []string{"", "It is so", "北京大学学习人工智能", "v1.22333 x86-64"} {
		if got := mistype(title, "a", nil); got != "" {
			t.Errorf("%q became %q", title, got)
		}
	}
}

func TestWithoutMinus(t *testing.T) {
	if got := withoutMinus("Stabilizing -Znext-solver - at --last"); got != "Stabilizing Znext-solver at last" {
		t.Errorf("got %q", got)
	}
}

func TestUnquoted(t *testing.T) {
	for title, want := range map[string]string{
		`"Quoted"`:                   "Quoted",
		`On "one", "two", and three`: "On one , two , and three",
		`The „Zeitung“ of 「今日」`:      "The Zeitung of 今日",
		`-"phrase"`:                  "- phrase",
		`דו"ח של צה"ל`:               `דו"ח של צה"ל`, // abbreviations
	} {
		if got := unquoted(title); got != want {
			t.Errorf("%s became %q, want %q", title, got, want)
		}
	}
}

func TestRarePhrase(t *testing.T) {
	vocabulary := map[string]int{}
	for _, text := range []string{"one two three four five six seven eight", "one two three four five six seven", "我们在北京大学学习人工智能", "我们在北京大学学习", "his own words here are “few”"} {
		for _, w := range wordsOf(text) {
			vocabulary[w.form]++
		}
	}
	for _, c := range []struct {
		text, phrase string
		rarest       int
	}{
		{"one two three four five six seven, eight", "four five six seven, eight", 1},
		{"one two three\n\nfour five six seven eight", "four five six seven eight", 1},
		{"one two three four", "", 0},
		{"", "", 0},
		{"我们在北京大学学习人工智能", "学学习人工智能", 1},
		{"say “one two three four five” and four five six", "one two three four five", 2},
		{"one two three four C++ one two three four five", "one two three four five", 2},
		{"אחת שתיים שלוש ארבע דוא\"ל חמש", "", 0},
		{"one two three " + strings.Repeat("x", 25) + " six", "", 0},
	} {
		if phrase, rarest := rarePhrase(c.text, vocabulary); phrase != c.phrase || rarest != c.rarest {
			t.Errorf("%q: got %q in %d articles, want %q in %d", c.text, phrase, rarest, c.phrase, c.rarest)
		}
	}
	for phrase, want := range map[string]string{"do it, -now (or) never": "do it now or never", "在北京。上海也有": "在北京 上海也有", "ノードはDevOpsを": "ノードは DevOps を", "": ""} {
		if got := bare(phrase); got != want {
			t.Errorf("%q: got %q, want %q", phrase, got, want)
		}
	}
}

package index

import (
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// twoWay returns a group of words that are synonyms of each other.
func twoWay(words ...string) article.Synonym { return article.Synonym{From: words, To: words} }

func TestSettings(t *testing.T) {
	x := open(t, t.TempDir())
	articles := []article.Article{
		note("cdn", "en", "One", "A content delivery network."),
		note("short", "en", "Two", "A CDN near you."),
		note("hidden", "en", "Three", "A CDN that is hidden."),
		note("pinned", "en", "Four", "Something else."),
		note("boosted", "en", "Five", "A CDN of old, which has many more words around."),
	}
	updateWith(t, x, article.SearchSettings{
		Synonyms: []article.Synonym{twoWay("cdn", "content delivery network")},
		Articles: []article.ArticleSettings{{ID: "boosted", Boost: 9}, {ID: "gone", Boost: 2}, {ID: "hidden", Exclude: true}, {ID: "pinned", Pin: []string{"Best CDN"}}},
	}, "r1", articles)
	for query, want := range map[string]string{
		"cdn":                      "boosted short cdn",
		"best cdn":                 "pinned boosted short cdn",
		"content delivery network": "cdn boosted short",
	} {
		if got := ids(search(t, x, query, 10)); sorted(got) != sorted(want) || !strings.HasPrefix(got, strings.Fields(want)[0]) {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

// Pins and synonyms of a query also apply to the query with a typo, even if no article has its
// words.
func TestSettingsOfACorrectedQuery(t *testing.T) {
	x := open(t, t.TempDir())
	updateWith(t, x, article.SearchSettings{
		Synonyms: []article.Synonym{{From: []string{"bicycle"}, To: []string{"bike"}}, {From: []string{"kubernetes storage"}, To: []string{"volumes"}}},
		Articles: []article.ArticleSettings{{ID: "store", Pin: []string{"kubernetes"}}, {ID: "visit", Pin: []string{"Opening hours"}}},
	}, "r1", []article.Article{
		note("pods", "en", "Pods", "All about pods of kubernetes."), note("visit", "en", "Visit us", "From nine to five."),
		note("tour", "en", "A tour", "Take your bike."), note("store", "en", "Volumes", "Where data is kept, with kubernetes."),
	})
	for query, want := range map[string][2]string{
		"kubernetes":          {"store pods", ""},
		"kuberntes":           {"store pods", "kubernetes"},
		"openning hours":      {"visit", "opening hours"},
		"opening huors":       {"visit", "opening hours"},
		"bicycle":             {"tour", ""},
		"bicylce":             {"tour", "bicycle"},
		"kuberntes storage":   {"store", "kubernetes storage"},
		"kubernetes storrage": {"store", "kubernetes storage"},
		"kuberntes -data":     {"pods", "kubernetes -data"},
	} {
		got := search(t, x, query, 10)
		if first, _, _ := strings.Cut(ids(got), " "); want[0] != ids(got) && first != want[0] || got.Suggestion != want[1] {
			t.Errorf("%s: found %q, suggested %q, want %q", query, ids(got), got.Suggestion, want)
		}
	}
	for at, want := range []Ranked{{"store", pinned}, {"pods", mistyped}} {
		if got, total, err := x.Rank(t.Context(), Query{Text: "kuberntes", Limit: 1, Offset: at}); err != nil || total != 2 && at > 0 || !slices.Equal(got, []Ranked{want}) {
			t.Errorf("from %d: %v of %d, want %v: %v", at, got, total, want, err)
		}
	}
	if got := search(t, x, "bicylce", 1); !strings.Contains(got.Articles[0].ExcerptHTML, "<mark>bike</mark>") {
		t.Errorf("nothing shows why: %q", got.Articles[0].ExcerptHTML)
	}
}

// A synonym may begin or end with stop words, and a query may have it in another form than the
// site's settings.
func TestSynonymsInOtherForms(t *testing.T) {
	x := open(t, t.TempDir())
	updateWith(t, x, article.SearchSettings{Synonyms: []article.Synonym{
		twoWay("log in", "sign in"), twoWay("subscribe", "sign up"), twoWay("the works", "newsletter"), twoWay("bike", "bicycle", "Rad", "two wheels"),
	}}, "r1", []article.Article{
		note("sign", "en", "Account", "You sign in here."), note("up", "en", "Newsletter", "Sign up for it."),
		note("tour", "en", "A tour", "Take bicycles."), note("way", "en", "A way", "With a bike."), note("way-de", "de", "Ein Weg", "Mit Rädern."),
	})
	wantStrictly(t, x, map[string]string{
		"log in": "sign", "log in here": "sign", "here log in": "sign", "lgo in": "", "in": "sign", "subscribe": "up", "subscribing": "up", "the works": "up",
		"bike": "tour way way-de", "bikes": "tour way way-de", "bicycle": "tour way way-de", "biking": "tour way way-de", "Räder": "tour way way-de",
		"two wheels": "tour way way-de", "bikes tour": "tour", `"bikes"`: "",
	})
	for query, want := range map[string]string{"bikes tour": "Take <mark>bicycles</mark>.", "two wheels tour": "Take <mark>bicycles</mark>."} {
		if r := search(t, x, query, 1); len(r.Articles) != 1 || r.Articles[0].ExcerptHTML != want {
			t.Errorf("%s: %+v, want %s", query, r.Articles, want)
		}
	}
}

// A word of a script without spaces may have synonyms and be a synonym, however many characters it
// has.
func TestSynonymsWithoutSpaces(t *testing.T) {
	x := open(t, t.TempDir())
	updateWith(t, x, article.SearchSettings{Synonyms: []article.Synonym{
		twoWay("db", "数据库", "ฐานข้อมูล"), twoWay("デプロイ", "配備", "push live"),
	}}, "r1", []article.Article{
		note("db", "en", "One", "A fast DB."), note("hans", "zh-Hans", "二", "我们的数据库。"), note("hant", "zh-Hant", "三", "我們的數據庫。"),
		note("th", "th", "สี่", "มีฐานข้อมูลใหม่"), note("ja", "ja", "五", "新しいサーバの配備。"), note("deploy", "ja", "六", "すぐにデプロイする。"), note("data", "zh-Hans", "七", "这是数据。"),
	})
	for query, want := range map[string]map[string]string{
		"DB":            {"db": "A fast <mark>DB</mark>.", "hans": "我们的<mark>数据库</mark>。", "hant": "我們的<mark>數據庫</mark>。", "th": "มี<mark>ฐานข้อมูล</mark>ใหม่"},
		"数据库":           {"db": "A fast <mark>DB</mark>.", "hans": "我们的<mark>数据库</mark>。", "hant": "我們的<mark>數據庫</mark>。", "th": "มี<mark>ฐานข้อมูล</mark>ใหม่"},
		"數據庫 fast":      {"db": "A <mark>fast</mark> <mark>DB</mark>."},
		"我们的数据库":        {"hans": "<mark>我们的数据库</mark>。", "hant": "<mark>我們的數據庫</mark>。"},
		"ฐานข้อมูล":     {"db": "A fast <mark>DB</mark>.", "hans": "我们的<mark>数据库</mark>。", "hant": "我們的<mark>數據庫</mark>。", "th": "มี<mark>ฐานข้อมูล</mark>ใหม่"},
		"デプロイ":          {"deploy": "すぐに<mark>デプロイ</mark>する。", "ja": "新しいサーバの<mark>配備</mark>。"},
		"サーバの配備":        {"ja": "新しい<mark>サーバの配備</mark>。"},
		"サーバ push live": {"ja": "新しい<mark>サーバ</mark>の<mark>配備</mark>。"},
	} {
		found := rank(t, x, Query{Text: query, Limit: 10})
		r, strictly := search(t, x, query, 10), 0
		for i, one := range found {
			if one.Rung > strict {
				continue
			}
			if strictly++; r.Articles[i].ExcerptHTML != want[one.ID] {
				t.Errorf("%s: %s: %s, want %s", query, one.ID, r.Articles[i].ExcerptHTML, want[one.ID])
			}
		}
		if strictly != len(want) {
			t.Errorf("%s: %s, want all of %v", query, told(found), want)
		}
	}
}

// A synonym without a word, such as "+" for plus, is ignored.
func TestSynonymsWithoutWords(t *testing.T) {
	x := open(t, t.TempDir())
	updateWith(t, x, article.SearchSettings{
		Synonyms: []article.Synonym{twoWay("plus", "+")},
	}, "r1", []article.Article{note("a", "en", "One", "Four plus four.")})
	if got := ids(search(t, x, "plus", 10)); got != "a" {
		t.Errorf("got %q", got)
	}
}

// More articles may be pinned to a query than a page has room for.
func TestManyPins(t *testing.T) {
	x := open(t, t.TempDir())
	var all []article.Article
	var settings article.SearchSettings
	for _, id := range []string{"a", "b", "c", "d"} {
		all = append(all, note(id, "en", "x", "word"))
		settings.Articles = append(settings.Articles, article.ArticleSettings{ID: id, Pin: []string{"WORD", "word", "wörd"}}) // one query
	}
	settings.Articles = settings.Articles[:3]
	updateWith(t, x, settings, "r1", all)
	for limit, want := range map[int]string{1: "a", 2: "a b", 3: "a b c", 4: "a b c d"} {
		if r := search(t, x, "word", limit); ids(r) != want || r.Total != 4 {
			t.Errorf("limit %d: %s of %d, want %s of 4", limit, ids(r), r.Total, want)
		}
	}
}

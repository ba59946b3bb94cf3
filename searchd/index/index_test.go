package index

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// note is a short article in a language.
func note(id, language, title, text string) article.Article {
	return article.Article{
		Meta:        article.Meta{ID: id, Title: title, Summary: text, Language: language, Authors: []article.Author{}, Tags: []string{}},
		ContentHTML: "<p>" + html.EscapeString(text) + "</p>", ContentText: text,
	}
}

// feed yields articles as their lines in the corpus.
func feed(t testing.TB, articles ...article.Article) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, a := range articles {
			line, err := article.Encode(a)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(article.Digest(line), line) {
				return
			}
		}
	}
}

// open opens an index until the test ends.
func open(t testing.TB, dir string) *Index {
	t.Helper()
	x := unclosed(t, dir)
	t.Cleanup(func() { shut(t, x) })
	return x
}

// unclosed opens an index that the test must close.
func unclosed(t testing.TB, dir string) *Index {
	t.Helper()
	x, err := Open(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func shut(t testing.TB, x *Index) {
	t.Helper()
	if err := x.Close(); err != nil {
		t.Error(err)
	}
}

func update(t testing.TB, x *Index, revision string, articles []article.Article, gone ...string) {
	t.Helper()
	updateWith(t, x, article.SearchSettings{}, revision, articles, gone...)
}

// indexOf opens an index of some articles until the test ends.
func indexOf(t testing.TB, articles ...article.Article) *Index {
	t.Helper()
	x := open(t, t.TempDir())
	update(t, x, "r1", articles)
	return x
}

// updateWith updates the articles and the settings.
func updateWith(t testing.TB, x *Index, settings article.SearchSettings, revision string, articles []article.Article, gone ...string) {
	t.Helper()
	u := Update{Revision: revision, Put: feed(t, articles...), Delete: gone, Settings: settings, State: []byte("state of " + revision)}
	if err := x.Update(context.Background(), u); err != nil {
		t.Fatal(err)
	}
}

func search(t testing.TB, x *Index, text string, limit int) article.SearchResult {
	t.Helper()
	answer, err := x.Search(context.Background(), Query{Text: text, Limit: limit})
	if err != nil {
		t.Fatalf("search %q: %v", text, err)
	}
	var r article.SearchResult
	if err := json.Unmarshal(answer.Body, &r); err != nil {
		t.Fatalf("search %q: %v in %s", text, err, answer.Body)
	}
	return r
}

// rank returns what Rank finds, without the total.
func rank(t testing.TB, x *Index, q Query) []Ranked {
	t.Helper()
	found, _, err := x.Rank(t.Context(), q)
	if err != nil {
		t.Fatalf("rank %+v: %v", q, err)
	}
	return found
}

func idsOf(all []Ranked) string {
	var ids []string
	for _, one := range all {
		ids = append(ids, one.ID)
	}
	return strings.Join(ids, " ")
}

func told(all []Ranked) string {
	var each []string
	for _, one := range all {
		each = append(each, fmt.Sprintf("%s(%s)", one.ID, one.Rung))
	}
	return strings.Join(each, " ")
}

// wantStrictly is like wantFound, but for all articles that have all words in some full form, in
// the order of their ids.
func wantStrictly(t *testing.T, x *Index, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		found := rank(t, x, Query{Text: query, Limit: 10})
		found = slices.DeleteFunc(found, func(one Ranked) bool { return one.Rung > strict })
		if got := sorted(idsOf(found)); got != want {
			t.Errorf("%s: found %q with all words, want %q", query, got, want)
		}
	}
}

func ids(r article.SearchResult) string {
	var all []string
	for _, h := range r.Articles {
		all = append(all, h.ID)
	}
	return strings.Join(all, " ")
}

// twoWay returns a group of words that are synonyms of each other.
func twoWay(words ...string) article.Synonym { return article.Synonym{From: words, To: words} }

func sorted(words string) string {
	all := strings.Fields(words)
	slices.Sort(all)
	return strings.Join(all, " ")
}

// wantFound searches each query, and compares the ids of the articles found, in order and up to the
// limit.
func wantFound(t *testing.T, x *Index, limit int, queries map[string]string) {
	t.Helper()
	for query, want := range queries {
		if got := ids(search(t, x, query, limit)); got != want {
			t.Errorf("%s: got %q, want %q", query, got, want)
		}
	}
}

// wantExcerpts compares the excerpts, in HTML and by id, of all articles that a query finds.
func wantExcerpts(t *testing.T, x *Index, query string, want map[string]string) {
	t.Helper()
	got := map[string]string{}
	for _, h := range search(t, x, query, 10).Articles {
		got[h.ID] = h.ExcerptHTML
	}
	if !maps.Equal(got, want) {
		t.Errorf("%s: %q, want %q", query, got, want)
	}
}

// others returns articles among which the words of a few others are rare.
func others() (all []article.Article) {
	for i := range 20 {
		all = append(all, note(fmt.Sprint("other-", i), "en", "Other", "something else"))
	}
	return all
}

// What people type, and which articles they expect to see, in which order.
func TestSearch(t *testing.T) {
	for _, site := range []struct {
		name     string
		articles []article.Article
		queries  []string // query => ids in their order, or query ~> ids in any order
	}{
		{"the ladder", []article.Article{
			note("all", "en", "One", "An atomic swap of two indexes while searches run."),
			note("stem", "en", "Two", "They swapped atomically what they had, and atoms too."),
			note("begin", "en", "Three", "The atomic swapfile is full."),
			note("typo", "en", "Four", "An atomik swap."),
			note("some", "en", "Five", "A swap of seats."),
			note("none", "en", "Six", "Nothing of the kind."),
		}, []string{
			"atomic swap => all stem begin typo some",
			"ATOMIC   swap! => all stem begin typo some",
			"swap atomic => all stem typo begin some",
			"atomci => begin all stem",
			"atomic => begin all stem typo",
			"atomic sw => begin all stem typo some",
			"nothing kind => none",
			"xyzzy => ",
			"??? => ",
			" => ",
			"-swap ~> all stem begin typo some", "-swap -atomic ~> all stem begin typo some", `-"swap of" ~> all some stem typo`, "- => ", "-? => ",
		}},
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
		{"a name with a number is also each version of it in a title", []article.Article{
			note("title", "en", "OAuth 2.0", "How to log in."),
			note("v", "en", "OAuth v2.1", "How to log in."),
			note("other", "en", "OAuth 3.0", "How to log in."),
			note("both", "en", "Architecture", "Uses OAuth2, and in time OAuth 2.0, unlike version 2.2."),
			note("word", "en", "Keys", "Uses OAuth2."),
			note("mentions", "en", "Logs", "Nothing of OAuth 2.2."),
		}, []string{"oauth2 => title v word both", `"oauth2" ~> both word`, "keys oauth2 ~> title v both word"}},
		{"a title that goes on to another form of the last word", []article.Article{
			note("on", "pt", "Como melhorar meu SEO", "Dicas."),
			note("form", "pt", "Como ser um programador melhor", "Dicas para melhor programar."),
			note("text", "pt", "Feito é melhor que perfeito", "Como e por quê."),
		}, []string{"como melhor => on form text", "como melhor? => form text on", "melhor => form text on", "como melhorar => on form text"}},
		{"a minus in a longer text that an article has word for word excludes nothing", []article.Article{
			note("gcc", "en", "One", "Call the compiler as gcc -Wall -O2 main.c -o main, and it warns of more. From 5 to -12 degrees it is cold."),
			note("other", "en", "Two", "Call the compiler as you like, and it warns of more. It is cold."),
		}, []string{
			"compiler as gcc -Wall -O2 main.c -o main => gcc other", "the compiler as gcc -Wall -O2 main => gcc other", "from 5 to -12 degrees it is => gcc",
			"gcc -Wall -O2 main.c -o main => ", "compiler -gcc ~> other", // no more than six words
			"compiler and it warns of more -gcc ~> other", `compiler and it warns of more -"as gcc" ~> other`, // in no article as typed
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
		{"scores end with their query", []article.Article{
			note("a", "en", "What we're", "A word among many others, of which there are quite a few more."),
			note("b", "en", "Other", "A word and others."),
			note("c", "en", "Other", "A re word."),
		}, []string{
			"word => c b a", "re => c", "re => c", "re => c", "word a => b a c",
		}},
		{"titles", []article.Article{
			note("exact", "en", "Deploying", "How it is put on a server."),
			note("starts", "en", "Deploying with care", "How it is put on a server."),
			note("contains", "en", "Care when deploying", "How it is put on a server."),
			note("text", "en", "Servers", "Deploying deploying deploying is what a server is for."),
		}, []string{
			"deploying => exact starts contains text",
			"DEPLOYING WITH care => starts contains exact text",
			"servers => text exact contains starts",
		}},
		{"names", []article.Article{
			note("cpp", "en", "Other", "Written in C++ and not in C."),
			note("c", "en", "Other", "Written in C only."),
			note("csharp", "en", "Other", "C# on .NET runs."),
			note("objc", "en", "Other", "Objective-C++ and #D++."),
			note("node", "en", "Other", "With node.js you can."),
			note("v12", "en", "Other", "Since v1.2 it is so."),
			note("v13", "en", "Other", "Since v1.3 it is not."),
			note("at", "en", "Other", "Ask @ada about that."),
			note("emoji", "en", "Other", "Ship it 🚀 now."),
			note("bob", "en", "Other", "Bob's cat doesn't purr."),
			note("email", "en", "Other", "Send an e-mail with Wi-Fi."),
		}, []string{
			"c++ ~> cpp objc", "objective c++ => objc cpp", "d++ => objc", "-c++ written => c", "C# => csharp", ".net => csharp", "net => csharp",
			"node.js => node", "nodejs => node", "node => node",
			"v1.2 => v12", "1.2 => v12", "@ada => at", "ada => at", "🚀 => emoji",
			"bob => bob", "bobs => bob", "doesn't => bob", "doesnt => bob", "doesn’t => bob",
			"email => email", "e-mail => email", "wifi => email", "wi fi => email", "Wi-Fi => email",
		}},
		{"languages", []article.Article{
			note("fr", "fr", "Vélo", "Les écoles de l'été à Besançon."),
			note("de", "de", "Straße", "Häuser in der Straße, ein Hausboot."),
			note("tr", "tr", "İstanbul", "ISPARTA ve İzmir ılık."),
			note("ru", "ru", "Ёлка", "Он читает книги о ёлках."),
			note("el", "el", "Οδός", "Ο ΟΔΟΣ της Αθήνας."),
			note("ar", "ar", "كتاب", "قرأت الكُتُب في المكتبة"),
			note("he", "he", "שלום", "שָׁלוֹם עולם"),
			note("hi", "hi", "किताब", "मैंने किताबें पढ़ीं"),
			note("zh", "zh", "搜索引擎", "我们在北京大学学习人工智能。"),
			note("ja", "ja", "検索", "東京都で全文検索をするプログラム。ｶﾞｲﾄﾞ"),
			note("ko", "ko", "검색", "학교에서 검색엔진을 배웁니다"),
			note("th", "th", "ค้นหา", "ผมชอบอ่านหนังสือที่ห้องสมุด"),
			note("km", "km", "ស្វែងរក", "ខ្ញុំចូលចិត្តអានសៀវភៅ"),
			note("vi", "vi", "Tìm kiếm", "Tôi đọc sách ở Hà Nội."),
		}, []string{
			"ecole => fr", "école => fr", "été => fr", "ete => fr", "besancon => fr", "velo => fr",
			"strasse => de", "STRASSE => de", "haus => de", "hausb => de", "haeuser => de", "hauser => de",
			"istanbul => tr", "İSTANBUL => tr", "ısparta => tr", "izmir => tr",
			"елка => ru", "книга => ru", "читать => ru",
			"οδος => el", "αθηνα => el",
			"الكتب => ar", "كتاب => ar", "שלום => he", "किताब => hi",
			"人工智能 => zh", "北京 => zh", "能 => zh", "搜索 => zh",
			"全文検索 => ja", "東京 => ja", "ガイド => ja", "プログラム => ja",
			"ที่ => th", "\u1785\u17b7 => km", "\u1785 => km", "학교 => ko", "검색 => ko", "หนังสือ => th", "ห้องสมุด => th", "សៀវភៅ => km",
			"hà nội => vi", "ha noi => vi", "sach => vi",
			"ＢＥＳＡＮＣＯＮ => fr",
		}},
		{"compounds while they are typed", []article.Article{
			note("mail", "en", "One", "Send an e-mail to O'Reilly."), note("wifi", "en", "Two", "With Wi-Fi and co-operation."), note("many", "en", "Three", "It has 10,000 rows."),
		}, []string{
			"em => mail", "ema => mail", "emai => mail", "O'R => mail", "O'Re => mail", "O'Rei => mail", "wi => wifi", "wif => wifi", "coo => wifi", "coop => wifi", "100 => many", "1000 => many",
		}},
		{"short words after an article", []article.Article{
			note("fr", "fr", "L’IA au quotidien", "Une médaille d'or pour l'équipe."),
			note("it", "it", "Altro", "Il testo dell'UE, quest'anno."),
			note("en", "en", "Other", "It's Bob's, I'm sure we'd rock'n'roll."),
			note("tr", "tr", "Ankara'ya", "İstanbul'un ışıkları."),
			note("names", "tr", "Türkiye’nin dağları", "İzmir'den gelenlerin dan dun sesleri."),
		}, []string{
			"ia => fr", "l'ia => fr", "L’IA => fr", "or => fr", "d'or => fr", "UE => it", "ya => ",
			"türkiye => names", "Türkiye'deki dağlar => names", "İzmir'dir => names", "nin => ", "dan => names",
			"it's => en", "its => en", "I'm => en", "bob => en", "m => ", "d => ", `"d'or" => fr`, `-"d'or" médaille => `,
		}},
		{"short names with an s", []article.Article{
			note("go", "en", "One", "Go's garbage collector."),
			note("ai", "en", "Two", "The AI’s answer."),
			note("its", "en", "Three", "It's slow, isn't it."),
			note("im", "en", "Four", "I'm late."),
		}, []string{"go? => go", "Go's => go", "ai? => ai", "gos? => go", "it is ~> its", "it's => its", "s => ", "m => ", "i => "}},
		{"thousands", []article.Article{
			note("comma", "en", "Plain", "It took 10,000 requests, $12,500.50 and 10,000-fold care."),
			note("dot", "de", "Schlicht", "Es kostete 10.000 Euro und 1.000.000 Dollar."),
			note("space", "fr", "Simple", "Il y a 10\u00a0000 pages et 12\u202f500 mots."),
			note("swiss", "de", "Einfach", "Es waren 10'000 und 12’500."),
			note("code", "en", "Code", "The limit is 1_000_000 in Go."),
			note("none", "en", "None", "In 10000 ways."),
			note("pi", "en", "Pi", "It is 3.141, took 2.024 s, and 0.125 is less."),
			note("version", "en", "Announcing 1.100", "Since 1.100.0 and 1.170."),
			note("list", "en", "Lists", "Of 10, 000 and 1,2,3 and 100,20 and 10,0000 and 10.0000; 5,6,100,200 and 4000,100,200."),
		}, []string{
			"10000 ~> comma dot space swiss none code", "10,000 ~> comma dot space swiss none list code", "10.000 ~> dot comma space swiss none list", "10'000 ~> comma dot space swiss none list code",
			"10\u00a0000 ~> comma space swiss list code", "12500 ~> comma space swiss", "12,500.50 => comma space", "12500.50 => comma", "12'500.50 => comma", "12,500.5 => comma space", "1000000 ~> dot code", "1.000.000 ~> dot code", "1_000_000 ~> dot code comma space swiss list",
			"6100200 => ", "100200 => ", "3.141 => pi", "3141 => ", "2024 => ", "0.125 => pi", "125 ~> comma space swiss", "1.100 the => version", "1.100 => version", "1100 => ",
			`"10,000 requests" => comma`, `"10.000 euro" => dot`, "fold => comma",
		}},
		{"numbers with an ending", []article.Article{
			note("tr", "tr", "Sayı", "Fiyat 10.000'den az."),
			note("de", "de", "Zahl", "Das 20.000-fache, von 30.000-40.000."),
			note("en", "en", "Number", "A distance of 50,000km, and 60,000-fold."),
			note("plain", "en", "Plain", "Less than 10000'den, the 20000-fache of 50000km or 60000."),
		}, []string{
			"10000 => tr plain", "10.000'den ~> tr plain", "10000'den ~> tr plain", "20000 fache ~> de plain", "20.000-fache ~> de plain", "30000 => de", "40000 => de",
			"50000km ~> en plain", "50,000km ~> en plain", "50000 => en plain", "60,000 fold => en plain", `"60,000 fold" => en`, "fold => en", "den => ",
		}},
		{"fractions and ratios", []article.Article{
			note("film", "it", "8½", "Un film di Fellini."),
			note("cups", "en", "Cake", "Take 1 1/2 cups of flour and 3/4-inch pieces, in 4/4 time."),
			note("cup", "en", "Bread", "Take 1½ cup of flour, ¾cup of water and 1⁄3 of salt."),
			note("day", "en", "Open 24/7", "Since 05/31/2018."),
			note("apart", "en", "Lists", "Of 1, 2, 3 and 4, 7 and 24 cups, https://example.org/1/2/3/ and 3/4th or 24/7,000."),
		}, []string{
			"½ ~> cups cup film", "1/2 cup => cups cup apart film", "1½ cup => cup cups apart film", "1 1/2 cups ~> cups cup apart film", "8 1/2 => film cups apart cup", "8½ => film cup cups", "8 ½ => film cup cups", "¾ ~> cups cup", "3/4 ~> cups cup apart", "1/3 ~> cup apart cups", "⅓ => cup",
			"24/7 => day apart", "05/31/2018 => day", "31 => day", "cup => cup cups apart", "pieces => cups", `"3/4 inch" => cups`, `"½ cup" => cup`, "12 => ", "11 => ", "247 => ", "4/4 ~> cups apart",
		}},
		{"fractions after a joiner or thousands", []article.Article{
			note("joined", "en", "Walks", "A walk of 6-½ miles, and one of 10,000½ steps."),
			note("typed", "en", "Runs", "A run of 6 1/2 miles, and one of 10000 1/2 steps."),
			note("other", "en", "Rides", "A ride of 6 miles, and one of 10 minutes."),
		}, []string{
			"½ ~> joined typed", "6½ ~> joined typed other", `"6-½" => joined`, "10000 ~> joined typed", "10,000½ ~> joined typed other",
		}},
		{"signs before a word, and after", []article.Article{
			note("space", "en", "One", "With\u00a0.NET it is."),
			note("zh", "zh", "二", "使用.NET开发（#go）"),
			note("net", "en", "Three", "A net result of waiting….net"),
			note("cpp", "en", "Four", "In C++11 code."),
			note("sharp", "en", "Five", "See GH#12 and no#3."),
			note("times", "en", "Six", "A screen of 1920×1080, 10× faster, and 2×a×b."),
		}, []string{
			".net ~> space zh net", "C++ => cpp", "c++11 => cpp", "c++ 11 => cpp", "11 => cpp", "gh 12 => sharp", "1920x1080 => times", "1080 => ", "10x => times", "b => times",
		}},
		{"signs and numbers side by side", []article.Article{
			note("board", "en", "4×4", "Boards of a game."),
			note("cups", "en", "One", "Take 2×sugar and say oil# now."),
			note("part", "en", "Two", "Take 1/2.5 of it, a ten-fold gain."),
			note("austria", "en", "Three", "Flags: 🇦🇹 and 🇩🇪."),
			note("other", "en", "Four", "Flags: 🇦🇸 and 🇮🇹."),
		}, []string{
			"4x4 => board", "take -sugar => part", "take -oil => part", "take -2.5 => cups", "gain -ten => ", "🇦🇹 => austria",
		}},
		{"signs of music", []article.Article{
			note("signs", "en", "Chopin", "A nocturne in C♯ minor, one in B♭ minor, and ♭VII."),
			note("typed", "en", "Bach", "A prelude in C# minor, a suite in Bb minor, and bVII."),
			note("plain", "en", "Scale", "In C minor, then B minor and VII, all in the minor."),
		}, []string{
			"c# minor => signs typed plain", "c♯ minor => signs typed plain", "bb => signs typed", "b♭ => signs typed", "bvii => signs typed", "♭VII => signs typed", "c => plain", "b => plain",
		}},
		{"signs that stand for an apostrophe", []article.Article{
			note("uz", "uz", "x", "Bu o‘zbek tili."),
			note("de", "de", "y", "Wie geht´s, don`t."),
			note("en", "en", "z", "An AI's-based answer of rock'n'roll."),
		}, []string{
			"o'zbek => uz", "oʻzbek => uz", "o`zbek => uz", "ozbek => uz", "geht's => de", "gehts => de", "don't => de", "dont => de", "don´t => de",
			"ai-based => en", "AI's-based => en", "s => ", "n => en",
		}},
		{"signs between digits", []article.Article{
			note("half", "en", "Doses", "A dose of 3·5 mg."),
			note("tall", "en", "Height", "Someone 5’11 tall."),
		}, []string{"35 => ", "3·5 => half", "3.5 => half", "511 => ", "5'11 => tall", "5’11 => tall"}},
		{"signs that are not seen", []article.Article{
			note("shy", "de", "Weich", "Die Daten\u00adbank\u00adverwaltung."),
			note("wj", "en", "Joined", "A word\u2060joiner and a \ufeffmark."),
			note("km", "km", "ខ", "ភាសា\u200bខ្មែរ\u200bជា\u200bភាសា\u200bផ្លូវការ"),
			note("fa", "fa", "x", "کتاب\u200cهای خوب را می\u200cخوانیم. برنامه\u200cنویسی"),
			note("hi", "hi", "y", "रक्\u200dषा और क\u200cष"),
		}, []string{
			"datenbankverwaltung => shy", "daten => shy", "wordjoiner => wj", "mark => wj",
			"ភាសាខ្មែរជា => km", "ខ្មែរ => km", `"ខ្មែរជា" => km`,
			"کتاب => fa", "کتابهای => fa", "خوانیم => fa", "می خوانیم => fa", "می\u200cخوانیم => fa", "برنامه نویسی => fa", "रक्षा => hi", "कष => hi",
		}},
		{"joiners of other languages", []article.Article{
			note("hyphens", "en", "Hyphens", "An e\u2011mail by the front\u2010end."),
			note("uk", "uk", "y", "Кожен обʼєкт і пам’ять."),
			note("ca", "ca", "z", "El col·legi."),
			note("he", "he", "ש", "צה״ל ורמטכ\"ל, ג׳ירפה. בית־ספר"),
			note("haw", "en", "x", "In Hawaiʻi."),
		}, []string{
			"email => hyphens", "e-mail => hyphens", "frontend => hyphens", "front end => hyphens", "front\u2011end => hyphens",
			"об'єкт => uk", "об’єкт => uk", "обʼєкт => uk", "обєкт => uk", "памʼять => uk", "collegi => ca", "col·legi => ca", "col.legi => ca",
			"צהל => he", `צה"ל => he`, "צה״ל => he", "ורמטכל => he", "גירפה => he", "ג'ירפה => he", "בית ספר => he", "ביתספר => he",
			"hawaii => haw", "Hawai'i => haw",
		}},
		{"an apostrophe of a sound", []article.Article{
			note("uk", "uk", "Прив’язка", "Прив’язка контексту об’єкта в пам'яті комп'ютера."),
			note("parts", "uk", "x", "Привіт, єкт, язка, ять, ютер, комп, пам."),
			note("he", "he", "ש", "ג'סיקה ג'ונס והצ'אט ורמטכ\"ל."),
			note("parts-he", "he", "ת", "אט ונס."),
		}, []string{
			"прив'язки => uk", "об'єкти => uk", "обєктів => uk", "пам`ять => uk", "компʼютерами => uk", "єкт => parts", "язка => parts", "компютер => uk",
			"גסיקה => he", "ג׳סיקה => he", "צ'אט => he", "רמטכ״ל => he", "אט => parts-he",
			`"והצ'אט ורמטכ"ל" => he`, `"ורמטכ"ל והצ'אט" => `, `"רמטכ"ל => he`,
		}},
		{"one letter after an apostrophe", []article.Article{
			note("uz", "uz", "x", "Bu soʻz haqida gap."),
			note("other", "uz", "y", "Mening oʻz ishim, z harfi."),
			note("uk", "uk", "z", "Моє ім'я."),
			note("ya", "uk", "w", "Це я тут."),
		}, []string{"soʻz => uz", "so'z => uz", "імʼя => uk", "я => ya"}},
		{"a letter that looks like an apostrophe", []article.Article{
			note("self", "uz", "x", "Bu oʻzi va oʻzbek tili."),
			note("other", "uz", "y", "Zi va zbek."),
			note("typed", "uz", "z", "O'zbek o'zi."),
		}, []string{"zi ~> other typed", "zbek? ~> other typed self", "oʻzi ~> self typed", "ozbek ~> self typed other", "o'zbek ~> self typed other", "oʻzbek ~> self typed other"}},
		{"digits of other scripts", []article.Article{
			note("hi", "hi", "y", "वर्ष २०२४ में"),
			note("th", "th", "ค", "ในปี๒๕๖๗มีความ"),
			note("fa", "fa", "x", "سال ۱۴۰۳"),
			note("en", "en", "z", "In 2024 and 1.50."),
			note("ar", "ar", "ن", "الإصدار ٣٫٧ بسعر ١٠٬٠٠٠"),
			note("bn", "bn", "ব", "সংস্করণ ২.৮.৪ এবং ৩. ৭"),
		}, []string{"3.7 => ar", "٣٫٧ => ar", "٣.٧ => ar", "10000 => ar", "١٠٠٠٠ => ar", "37 => ", "2.8.4 => bn", "২.৮ => bn", "2.8 => bn", "v2.8 => bn", "284 => ", "2024 => hi en", "२०२४ => hi en", "2567 => th", "๒๕๖๗ => th", "1403 => fa", "2567 มี => th", "1.5.0 => ", "1.50 => en"}},
		{"dots between characters", []article.Article{
			note("ja", "ja", "x", "マーク・ザッカーバーグは東京タワーにいる。"),
			note("zh", "zh", "y", "支持全文搜索。亚当·凯来了。第一，二"),
			note("ko", "ko", "z", "데이터 베이스"),
		}, []string{
			"マークザッカーバーグ => ja", "マーク・ザッカーバーグ => ja", `"全文 搜索" => zh`, "亚当凯 => zh",
			"一二 => ", "터베 => ", `"第一 二" => zh`,
		}},
		{"versions", []article.Article{
			note("major", "en", "Announcing 1.70.0", "The version is out."),
			note("minor", "ja", "1.70.1", "v1.70.1です"),
			note("said", "en", "Tools", "Since 1.70 it is so."),
			note("other", "en", "Tools", "Since 1.7.0 and 1.701 it was."),
		}, []string{
			"announcing 1.70 it ~> major minor said", "1.70 it ~> major minor said", "v1.70 is ~> major minor said", "1.70.1 it => minor", "v1.70.0 the => major", "1.7 it => other", "1.70.2 it => ",
		}},
		{"the first number of a version", []article.Article{
			note("four", "en", "What is new in Django 4.2", "Django 4.2 is out, after 50 fixes in Django."),
			note("five", "en", "What is new in Django 5.1", "It is out."),
			note("text", "en", "Tools", "They need Django 5.0.3, and not 45 of them."),
			note("chapter", "en", "Chapter 5", "Templates."),
		}, []string{
			"django 5 => five text chapter four", "what is new in django 5 => five chapter four text", "new django 5? => five chapter four text", "5 => chapter five text", "0 => ", `"django 5" => `, "chapter 5 => chapter five text", "django 5 out => five text chapter four",
			"django5 => five text chapter four", "django5.0 => text four five", "what is new in django5.0 => text four five", "django50 => ", "django5.1 => five", "5django => ",
		}},
		{"a space more or less", []article.Article{
			note("database", "en", "Storage", "A database for all of us."),
			note("open", "en", "Open source", "Sources that are open."),
			note("closed", "en", "Other", "Source that is open, and 16 GB of it."),
			note("backup", "en", "Copies", "A backup of the disk in 2024."),
			note("both", "en", "Databases", "Data is the base of a database."),
		}, []string{
			"data base => both database", "opensource => open", "16gb => closed", "back up disk => backup", "20 24 => ", "database storge => database both",
			"datab ase => database both", "op en ~> open closed", `"data base" => `, "sourcethatis => ", "forall => database",
		}},
		{"a word within longer ones", []article.Article{
			note("bank", "de", "Datenbanken", "Die Datenbankverwaltung, und die Finanzverwaltungen."),
			note("hook", "en", "Callbacks", "Webhooks, and a subproject of Thunderbird."),
			note("word", "en", "Birdsong", "It says verwaltungen."),
		}, []string{
			"verwaltung => word", "bankverwaltung => bank", "finanz bankverwaltung => bank", "hooks => hook", "ebhook => hook", "oject => hook", "ject => ", "project webhooks => hook",
			"hooks callbacks => hook", `"hooks" => `, "-callbacks hooks => ", "erbir => hook", "hooksy => ",
		}},
		{"a clipped word", []article.Article{
			note("auth", "en", "Authentication", "How users log in, step by step."),
			note("flow", "en", "Control flow", "Steps of programs and their reauthentication."),
			note("walk", "en", "Steps", "Steps to walk. 1234 of them."),
			note("queue", "en", "Jobs", "A queue of questions, and words of Steps."),
		}, []string{
			"auth steps => auth walk queue flow", "aut step by step => auth walk queue flow", "con step? => flow walk auth queue", "au steps => walk queue flow auth", `"auth steps" => `,
			"123 steps => walk queue flow auth", "hent steps => walk queue flow auth", "que steps? => walk queue flow auth",
		}},
		{"words that are written as one", []article.Article{
			note("wasm", "en", "WebAssembly", "WebAssembly runs in browsers."),
			note("apart", "en", "Assembly", "On the web there is assembly, and a user gets an id, too."),
			note("code", "en", "Code", "Call getUserById or XMLHttpRequest, or get it otherwise; a request of XML by HTTP, not abled."),
			note("size", "en", "Size", "It takes 5GB of 16 GiB, with Python3 and utf-8."),
			note("space", "en", "Space", "It takes 5 GB of 16GiB, with Python 3 and UTF 8; GB and 5, and ES 6."),
			note("notable", "en", "Notable", "What is notable in 20242025."),
		}, []string{
			"web assembly => wasm apart", "web assembly runs => wasm apart", "get user by id? ~> code apart", "xml http request ~> code", "5 gb ~> size space", "5gb => size space",
			"16 GiB ~> size space", "16gib ~> size space", "python3 ~> size space", "python 3 ~> size space", "utf8 ~> size space", "utf 8 ~> size space", "es6 => space", "not abled => code", "2024 2025 => ",
			"how does web assembly run in browsers of today => wasm apart",
		}},
		{"a small word that is written with the one before", []article.Article{
			note("login", "en", "Login", "Set the only field to readonly."),
			note("log", "en", "Logs", "Log what was read in the application, or that it is a fact."),
			note("factor", "en", "Factor", "The only factor."),
		}, []string{"log in => login log", "read only field => login log", "read only? ~> login log", "fact or => factor log", "fact or log => log login factor"}},
		{"a title but for its spaces", []article.Article{
			note("sensor", "en", "Sensor entity", "What it measures."),
			note("class", "en", "Classes", "The SensorEntity, or sensorentity, of a class."),
			note("home", "en", "Home Assistant core", "A program."),
			note("code", "en", "Imports", "Home: from homeassistant import core."),
			note("anyone", "en", "Everyone", "One for all, and any."),
		}, []string{"sensorentity => sensor class", "se nsor entity => sensor", "home assi stant core => home code", "homeassistant core => home code", "every one => anyone"}},
		{"a title but for its spaces, beside one with them", []article.Article{
			note("apart", "en", "Every one", strings.Repeat("Everyone and everyone, or every one. ", 20)),
			note("word", "en", "Everyone", "Everyone once."+strings.Repeat(" What is said of all people in a town, and more of it.", 60)),
			note("a", "en", "Everyone of us", "Everyone is."), note("b", "en", "Everyone is here", "Everyone is."),
			note("c", "en", "Everyone was", "Everyone is."), note("d", "en", "The everyone", "Everyone is."),
		}, []string{"everyone => word apart c a b d", "every one => apart word c a b d"}},
		{"a title but for its spaces, of a query that means more than its words", []article.Article{
			note("js", "en", "JavaScript", "For pages."),
			note("java", "en", "Languages", "Some of java."),
			note("movie", "en", "Movies", "The script of a movie about java."),
			note("stitch", "en", "One stitch", "In time."),
		}, []string{"java script => js movie java", "java -script => java js", `"java" script => movie java`, `"javascript" => js`, `"one sti tch" => stitch`}},
		{"a title but for its spaces, with numbers", []article.Article{
			note("eleven", "en", "Lesson 11", "More."),
			note("one", "en", "Begin", "Lesson 1: one."),
			note("size", "en", "The 5 GB limit", "More."),
		}, []string{"lesson 1 1 => one eleven", "lesson 11 => eleven one", "lesson11 => eleven", "the 5gb limit => size", "the5gb limit => size"}},
		{"a comparison", []article.Article{
			note("copy", "en", "Copy", "Copies files, and does not sync."),
			note("editor", "en", "Editor", "Install VS Code, and copy that."),
			note("both", "en", "Choices", "Copy files or sync them: copy vs sync."),
			note("code", "en", "Program", "Install the code."),
		}, []string{"copy vs sync => copy both editor", "sync versus copy => copy both editor", "install vs code => editor code", "vs code => editor code both", "copy vs => both editor copy"}},
		{"a small word that is not", []article.Article{
			note("boeken", "nl", "Boeken", "Boeken bij een film."),
			note("boek", "nl", "Een boek", "Het boek bij een film."), note("boek-2", "nl", "Nog een boek", "Weer een boek bij een film."),
			note("rund", "de", "Rund um Python", "Das Jahr ist rund."), note("r", "de", "Sprachen", "Python, R, oder beides."),
		}, []string{"boek en film => boek boeken boek-2", "R und Python => r rund"}},
		{"initials", []article.Article{
			note("usa", "en", "One", "Made in the U.S.A. by NASA."),
			note("plain", "en", "Two", "Made in USA by N.A.S.A."),
			note("letters", "en", "Three", "The letters u, s, a and n."),
			note("path", "en", "Four", "The path a.b.c/d."),
		}, []string{"U.S.A. ~> usa plain", "usa? ~> usa plain", "u.s.a ~> usa plain", "nasa ~> usa plain", "a.b.c => path", "b ~> path", `"u.s.a" => usa`}},
		{"a compound with a stop word", []article.Article{
			note("well", "en", "One", "What is known is well known, and known, known, known it is."),
			note("path", "en", "Two", "See /.well-known/ of it, which is long enough to be a little less about what one looks for."),
		}, []string{".well-known => path well"}},
		{"marks alone", []article.Article{
			note("state", "fa", "x", "دولت ـ شهر"),
			note("prayer", "ar", "y", "وَكَّلَ ﹱ ﱠ كتـــاب"),
		}, []string{"دولت ـ شهر => state", "ـ => ", "ﹱ ﱠ => ", "كتاب => prayer", "كتـاب => prayer", `"دولت شهر" => state`, `"دولت ـ شهر" => state`}},
		{"accents tell words apart that no stemmer knows", []article.Article{
			note("table", "vi", "y", "Một cái bàn rất dài ở trong phòng."),
			note("friend", "vi", "y", "Bạn và bán, bạn, bạn, bạn."),
		}, []string{"bàn => table friend", "bạn => friend table", "ban ~> friend table"}},
		{"accents that no article has", []article.Article{
			note("resumes", "en", "y", "Resume, resume, resume, resume: letter."),
			note("letters", "en", "y", "Letter, letter, letter: resume, letters."),
		}, []string{"resumé letter => resumes letters"}},
		{"accents rank", []article.Article{
			note("plain", "fr", "x", "Le resume est la."),
			note("accent", "fr", "y", "Le résumé est là."),
		}, []string{"résumé => accent plain", "resume ~> plain accent"}},
		{"titles that differ by accents", []article.Article{
			note("pt", "pt", "Entrega Contínua (CD)", "Entrega contínua, CD."),
			note("es", "es", "Entrega Continua (CD)", "Entrega continua, CD. La entrega es continua y larga, como se verá en lo que sigue."),
			note("trad", "zh", "大學", "大學"), note("simple", "zh", "大学", "大学"),
		}, []string{
			"Entrega Continua (CD) => es pt", "entrega continua cd => es pt", "entrega contínua (CD) => pt es", "大學 => trad simple", "大学 => simple trad",
		}},
		{"titles that differ by signs and case", []article.Article{
			note("call", "en", "json()", "Json, json, json."),
			note("object", "en", "JSON", "An object with a method for text and one for what the text says."),
			note("empty", "ja", "正規表現 ^$", "正規表現、正規表現、正規表現。"),
			note("all", "ja", "正規表現", "パターンとフラグについて、この章とそれに続く章で学びます。"),
			note("lower", "en", "multi-tenancy", "Multi-tenancy, multi-tenancy, multi-tenancy."),
			note("upper", "en", "Multi-Tenancy", "How an installation serves several groups of people."),
		}, []string{
			"JSON => object call", "json => object call", "json() => call object", "正規表現 => all empty", "正規表現 ^$ => empty all",
			"Multi-Tenancy => upper lower", "multi-tenancy => lower upper", "multi tenancy ~> lower upper",
		}},
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
	} {
		t.Run(site.name, func(t *testing.T) {
			x := indexOf(t, site.articles...)
			for _, q := range site.queries {
				query, want, ordered := strings.Cut(q, " => ")
				if !ordered {
					query, want, _ = strings.Cut(q, " ~> ")
				}
				r := search(t, x, query, 10)
				got := ids(r)
				if !ordered {
					got, want = sorted(got), sorted(want)
				}
				if got != want {
					t.Errorf("%s: got %q, want %q", query, got, want)
				}
				if r.Count != len(r.Articles) || r.Total < r.Count || r.Revision != "r1" || r.Limit != 10 {
					t.Errorf("%s: count %d, total %d, limit %d, revision %s for %d articles", query, r.Count, r.Total, r.Limit, r.Revision, len(r.Articles))
				}
			}
		})
	}
}

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

// Of two articles with the same words, the one that has them in a heading comes first. The text of
// whole headings counts, and nothing else of the HTML.
func TestHeadings(t *testing.T) {
	const text = "A swap of seats, R&D and walks."
	with := func(id, content string) article.Article {
		a := note(id, "en", "Other", text)
		a.ContentHTML = content
		return a
	}
	x := indexOf(t,
		note("a-text", "en", "Other", text),
		with("b-none", `<hr><header>swap R&amp;D walk</header><h7>swap</h7><p>swap seats</p><h`),
		with("c-open", `<h2>swap R&amp;D walk`),
		with("d-first", `<h2 id="swap">A <em>sw</em>ap</h2><p>of seats</p><h3>R&amp;D</h3>`),
		with("e-second", `<hr><h1 id="walk">Seats</h1><h6>Walks</h6>`),
	)
	for query, want := range map[string]string{
		"swap":  "d-first a-text b-none c-open e-second",
		"r&d":   "d-first a-text b-none c-open e-second",
		"walks": "e-second a-text b-none c-open d-first",
		"seats": "e-second a-text b-none c-open d-first",
	} {
		if got := ids(search(t, x, query, 10)); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// A word whose stem is a stop word does not find the stop word, nor does a stop word find another
// word that has the same stem.
func TestAStemThatIsAStopWord(t *testing.T) {
	x := indexOf(t,
		note("overheid", "nl", "De overheid", "Alles over de overheid en de overheden."),
		note("over", "nl", "Over ons", "Meer over ons."),
		note("kanta", "fi", "Kanta", "Kanta ja kannan."),
		note("kanssa", "fi", "Kanssa", "Sen kanssa."),
	)
	for query, want := range map[string]string{"overheden": "overheid", "kannan": "kanta", "kanssa": "kanssa", "over": "over overheid"} {
		got := search(t, x, query, 10)
		if sorted(ids(got)) != want {
			t.Errorf("%s: found %q, want %q", query, ids(got), want)
		}
		if excerpt := got.Articles[0].ExcerptHTML; query == "overheden" && excerpt != "Alles over de <mark>overheid</mark> en de <mark>overheden</mark>." {
			t.Errorf("%s: %s", query, excerpt)
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

// A query in simplified Chinese also finds traditional Chinese, and the reverse. Articles that are
// written as the query was typed come first.
func TestSimplifiedAndTraditionalChinese(t *testing.T) {
	simplified, traditional := note("hans", "zh-Hans", "数据库开发", "国家图书馆的数据库。头发很长。"), note("hant", "zh-Hant", "數據庫開發", "國家圖書館的數據庫。頭髮很長。")
	simplified.Tags, traditional.Tags = []string{"软件开发"}, []string{"軟件開發"}
	behind, inside := note("hou", "zh-Hant", "一", "皇后在後面。"), note("li", "zh-Hant", "二", "裡面和裏面，一公里。")
	x := indexOf(t,
		simplified, traditional, behind, inside,
		note("ja", "ja", "三", "午後の会議は里山で、裏山ではない。開発した学校。"), note("ko", "ko", "四", "대한民國의 圖書館"),
	)
	wantFound(t, x, 10, map[string]string{
		"国家": "hans hant", "國家": "hant hans", "国家图书馆": "hans hant ko", "國家圖書館": "hant hans ko", "國家图书馆": "hans hant ko",
		"数据库": "hans hant", "數據庫": "hant hans", "数据库开发": "hans hant", "數據庫開發": "hant hans",
		`"国家图书馆的"`: "hans hant", `"國家圖書館的"`: "hant hans", `「图书馆的數據庫」`: "hans hant", `"图书馆的头发"`: "",
		"图书馆 -数据": "ko", "圖書館 -數據": "ko", "圖書館 -\"数据库\"": "ko", "圖書館 -国": "",
		"馆": "hans ko hant", "館": "ko hant hans",
		"頭髮": "hant hans", "頭發": "hant hans", "皇后": "hou", "后面": "hou", "后": "hou ja", "後": "hou ja", "里面": "li", "裡面": "li",
		"裏山": "ja", "里": "li ja", "开发": "hans hant", "開發": "hant hans", "開発": "ja", "学校": "ja", "學校": "ja", "圖書館의": "ko hant hans", "图书馆의": "hans ko hant",
	})
	for query, want := range map[string]map[string]string{
		"国家图书馆": {"hans": "<mark>国家图书馆</mark>的数据库。头发很长。", "hant": "<mark>國家圖書館</mark>的數據庫。頭髮很長。", "ko": "대한民國의 <mark>圖書館</mark>"},
		"數據庫 髮": {"hans": "国家图书馆的<mark>数据库</mark>。头<mark>发</mark>很长。", "hant": "國家圖書館的<mark>數據庫</mark>。頭<mark>髮</mark>很長。"},
		"里面":    {"li": "<mark>裡面</mark>和<mark>裏面</mark>，一公里。"},
		`"数据库"`: {"hans": "国家图书馆的<mark>数据库</mark>。头发很长。", "hant": "國家圖書館的<mark>數據庫</mark>。頭髮很長。"},
	} {
		wantExcerpts(t, x, query, want)
	}
	for query, want := range map[string]string{"数据库开发": "hans(title) hant(title)", "數據庫開發": "hant(title) hans(title)", "数据库开": "hans(all words) hant(all words)", "開發": "hant(all words) hans(all words)"} {
		if got := told(rank(t, x, Query{Text: query, Limit: 10, Tags: []string{"软件開發"}})); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// Japanese leaves it to the author whether a word of Katakana ends with the sign for a long vowel.
func TestLongVowelsAtTheEnd(t *testing.T) {
	x := indexOf(t,
		note("long", "ja", "One", "新しいサーバーの証明書。"), note("short", "ja", "Two", "サーバ、証明書、サーバ。"), note("certificate", "ja", "Three", "サーバー証明書を作る。"),
		note("half", "ja", "Four", "ｻｰﾊﾞｰです。"), note("error", "ja", "Five", "エラーとカバーです。"), note("other", "ja", "Six", "エラとバーです。"), note("servers", "ja", "Seven", "サーバーズです。"),
	)
	wantStrictly(t, x, map[string]string{
		"サーバー": "certificate half long servers short", "サーバ": "certificate half long servers short", "ｻｰﾊﾞｰ": "certificate half long servers short",
		"サーバー証明書": "certificate", "サーバー 証明書": "certificate long short", `"サーバー"`: "certificate half long servers", "エラー": "error", "バー": "certificate error half long other servers", "サーバーズ": "servers",
	})
	r := search(t, x, "サーバー", 10)
	if id := r.Articles[0].ID; id == "short" {
		t.Error("the spelling that was typed is not first")
	}
	for _, h := range r.Articles {
		if want := map[string]string{"long": "新しい<mark>サーバー</mark>の証明書。", "short": "<mark>サーバ</mark>、証明書、<mark>サーバ</mark>。", "half": "<mark>ｻｰﾊﾞｰ</mark>です。"}[h.ID]; want != "" && h.ExcerptHTML != want {
			t.Errorf("%s, want %s", h.ExcerptHTML, want)
		}
	}
}

// If no article has all words as typed, a word in one Kana is also found in the other: a word is in
// Hiragana before a Japanese input method has converted it to Katakana.
func TestTheOtherKana(t *testing.T) {
	x := indexOf(t,
		note("closure", "ja", "クロージャ", "クロージャの使い方です。"), note("server", "ja", "サーバーの設定", "くわしく説明します。"), note("ramen", "ja", "昼食", "らーめんを食べます。"),
		note("both", "ja", "りんご", "りんごとリンゴは同じです。"),
	)
	for query, want := range map[string][2]string{
		"くろーじゃ":      {"closure", "クロージャ"},
		"くろーじ":       {"closure", "クロージ"},
		"さーばー 設定":    {"server", "サーバー 設定"},
		"ラーメン":       {"ramen", "らーめん"},
		"クロージャ":      {"closure", ""},
		"りんご":        {"both", ""},
		"リンゴ":        {"both", ""},
		"くわしく":       {"server", ""},
		"くろーじゃ -方":   {"", ""},
		`"くろーじゃ"`:    {"", ""},
		"らーめん クロージャ": {"ramen closure", ""},
	} {
		got := search(t, x, query, 10)
		if sorted(ids(got)) != sorted(want[0]) || got.Suggestion != want[1] {
			t.Errorf("%s: found %q, suggested %q, want %q", query, ids(got), got.Suggestion, want)
		}
	}
	if got := search(t, x, "くろーじゃ", 1); !strings.Contains(got.Articles[0].ExcerptHTML, "<mark>クロージャ</mark>") {
		t.Errorf("nothing shows why: %q", got.Articles[0].ExcerptHTML)
	}
}

// Chinese and Japanese keyboards give signs of full width, and the sign of a long vowel or a minus
// sign for a hyphen.
func TestQueriesOfFullWidth(t *testing.T) {
	x := indexOf(t,
		note("dns", "ja", "One", "DNS-01 チャレンジ。"), note("other", "ja", "Two", "DNS の 01 番。サーバー0 と C。"), note("cpp", "ja", "Three", "C++ と node.js。"), note("draft", "en", "Four", "C, a draft on Wi-Fi."),
	)
	for query, want := range map[string]string{
		"ＤＮＳ－０１": "dns", "DNS－01": "dns", "DNS−01": "dns", "DNSー01": "dns", "ＤＮＳー０１": "dns", "DNS-01": "dns", "ＤＮＳ－": "dns", "サーバー0": "other", "サーバー０": "other", "Ｃ＋＋": "cpp", "ｎｏｄｅ．ｊｓ": "cpp", "C　－draft": "other",
		"＂DNS の 01＂": "other", "＂DNS の 01\"": "other", "ＤＮＳ　チャレンジ": "dns", "ＤＮＳ－０１？": "dns", "3 − 2": "",
	} {
		r := search(t, x, query, 10)
		if got := ids(r); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want first %q", query, got, want)
		}
		if want == "dns" && !strings.HasPrefix(r.Articles[0].ExcerptHTML, "<mark>DNS") {
			t.Errorf("%s: %s", query, r.Articles[0].ExcerptHTML)
		}
	}
	for spelling, plain := range map[string]string{"ＤＮＳ－０１": "DNS-01", "DNS−01": "DNS-01", "DNSー01": "DNS-01", "ｗｉーｆｉ": "wi-fi", "ＷＩーＦＩ": "WI-FI"} {
		if got, want := search(t, x, spelling, 10), search(t, x, plain, 10); ids(got) != ids(want) || got.Total != want.Total || got.Articles[0].ExcerptHTML != want.Articles[0].ExcerptHTML {
			t.Errorf("%s: %s, %s: %s", spelling, ids(got), plain, ids(want))
		}
	}
}

// A syllable of Hangul is typed letter by letter. Until its vowel comes, the first letter of a
// syllable is shown as the last of the syllable before.
func TestHangulAsItIsTyped(t *testing.T) {
	x := indexOf(t, note("release", "ko", "하나", "새로운 릴리스를 설치합니다."), note("other", "ko", "둘", "다른 글입니다."))
	for _, query := range []string{"설", "설ㅊ", "설치", "릴ㄹ", "릴리", "릴릿", "릴리스", "릴리스 ㅅ", "릴리스 설", "릴리스 설ㅊ"} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) != 1 || found[0].ID != "release" || found[0].Rung > begun {
			t.Errorf("%s: %v", query, found)
		}
	}
	if r := search(t, x, "릴릿", 10); len(r.Articles) != 1 || r.Articles[0].ExcerptHTML != "새로운 <mark>릴리</mark>스를 설치합니다." {
		t.Errorf("%+v", r.Articles)
	}
	update(t, x, "r2", []article.Article{note("words", "ko", "셋", "자동실행 환경의 권한, 알고리즘 전환, 값 없음, 설정을 검색.")})
	for _, keys := range []string{
		"자동시 자동실 자동싫 자동실해 자동실행", "시 실 싫 실ㅎ 실해 실행", "호 화 환 환ㄱ 환겨 환경 환경으 환경의", "구 궈 권 권ㅎ 권하 권한", "아 알 앍 알고 알골 알고리 알고맂 알고리즈 알고리즘",
		"저 전 젆 전호 전화 전환", "가 갑 값", "어 업 없 없으 없음", "서 설 설ㅈ 설저 설정 설정으 설정을", "거 검 검ㅅ 검새 검색",
	} {
		for query := range strings.FieldsSeq(keys) {
			found := rank(t, x, Query{Text: query, Limit: 10})
			if !slices.ContainsFunc(found, func(one Ranked) bool { return one.ID == "words" && one.Rung <= begun }) {
				t.Errorf("%s: %v", query, found)
			}
		}
	}
	const asked = "릴리스는 설치하나요"
	for _, query := range []string{asked, norm.NFD.String(asked)} { // NFD is the form of file names on macOS
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) == 0 || found[0] != (Ranked{"release", strict}) {
			t.Errorf("%+q: %v", query, found)
		}
	}
	if r := search(t, x, "자동싫", 10); len(r.Articles) != 1 || !strings.HasPrefix(r.Articles[0].ExcerptHTML, "<mark>자동실</mark>행 환경의") {
		t.Errorf("%+v", r.Articles)
	}
	for _, query := range []string{"릴릿다", "ㅅ", "ㅅㅅ", "자동서", "자동시 알", `"설저"`, "설저?"} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) > 0 && found[0].Rung <= begun {
			t.Errorf("%s: %v", query, found)
		}
	}
}

// Russian leaves it to the author whether to write ё, also in stems.
func TestStemsOfRussianWithAndWithoutYo(t *testing.T) {
	x := indexOf(t, note("e", "ru", "Раз", "О надежности и учете."), note("yo", "ru", "Два", "О надёжности и учёте."))
	for _, query := range []string{"надёжность", "надежность", "надёжностью", "учёт", "учетом", "учётом"} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) != 2 || found[1].Rung != strict {
			t.Errorf("%s: %s, want both with all words", query, told(found))
		}
	}
}

// A word in a script other than that of its article's language gets the stem of the language that
// mostly uses that script.
func TestStemsInOtherScripts(t *testing.T) {
	x := indexOf(t,
		note("school", "en", "One", "والمدرسة في المدينة"), // "and the school": the site does not say that it is Arabic
		note("river", "en", "Two", "Река течёт между берегами."),
		note("frameworks", "ru", "Three", "Мы сравнили frameworks для веба."),
		note("projects", "en", "Four", "על הפרויקטים"), // "of the projects"
		note("containers", "he", "Five", "על containers"),
	)
	for query, want := range map[string]string{"مدرسة": "school", "берег": "river", "framework": "frameworks", "פרויקט": "projects", "container": "containers"} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) != 1 || found[0] != (Ranked{want, strict}) {
			t.Errorf("%s: %v, want %s with all words", query, found, want)
		}
	}
}

// The vowel am of Thai and Lao is one character, or the two that it stands for. Lao keyboards have
// both forms, and so do texts.
func TestAmIsOneCharacterOrTwo(t *testing.T) {
	x := indexOf(t,
		note("one", "lo", "ການນຳທາງ", "ການນຳທາງທີ່ກຳນົດເອງ"), note("two", "lo", "ການນ\u0ecd\u0eb2ທາງ", "ການນ\u0ecd\u0eb2ທາງທີ່ກ\u0ecd\u0eb2ນົດເອງ"),
		note("thai", "th", "การรดน้ำ", "รดน้ำต้นไม้ทุกวัน"), note("apart", "th", "การรดน้\u0e4d\u0e32", "รดน้\u0e4d\u0e32ต้นไม้ทุกวัน"),
	)
	for query, want := range map[string][]string{
		"ນຳທາງ": {"one", "two"}, "ນ\u0ecd\u0eb2ທາງ": {"one", "two"}, "ກຳນົດເອງ": {"one", "two"}, "ກ\u0ecd\u0eb2ນົດ": {"one", "two"}, "\"ກ\u0ecd\u0eb2ນົດ\"": {"one", "two"}, "ນຳ": {"one", "two"}, "ນ\u0ecd\u0eb2": {"one", "two"},
		"รดน้ำ": {"apart", "thai"}, "รดน้\u0e4d\u0e32": {"apart", "thai"}, "น้ำต้นไม้": {"apart", "thai"},
	} {
		if found := rank(t, x, Query{Text: query, Limit: 10}); len(found) != 2 || found[1].Rung == missing {
			t.Errorf("%s: %s, want %v with all words", query, told(found), want)
		}
		for _, h := range search(t, x, query, 10).Articles {
			if !slices.Contains(want, h.ID) || !strings.Contains(h.ExcerptHTML, "<mark>") {
				t.Errorf("%s: %s is found, %s", query, h.ID, h.ExcerptHTML)
			}
		}
	}
}

// Serbian is written in Cyrillic and in Latin letters. The same people use and search either
// script, often without the accents of the Latin letters.
func TestSerbianInTwoScripts(t *testing.T) {
	x := indexOf(t,
		note("cyrillic", "sr", "Праћење локације", "Уређај шаље податке. О праћењу локације сваког уређаја."),
		note("latin", "sr-Latn", "Praćenje lokacije", "Uređaj šalje podatke. O praćenju lokacije svakog uređaja."),
		note("other", "en", "Other", "A location."),
	)
	for _, query := range []string{"praćenje lokacije", "pracenja lokacija", "праћење локације", "ПРАЋЕЊЕ lokacija", "uredjaja", "уређаји"} {
		r := search(t, x, query, 10)
		if len(r.Articles) != 2 || r.Suggestion != "" {
			t.Errorf("%s: %d articles, suggested is %q, want both that are Serbian", query, len(r.Articles), r.Suggestion)
		}
	}
	want := map[string]string{
		"cyrillic": "О <mark>праћењу</mark> <mark>локације</mark> сваког уређаја.",
		"latin":    "O <mark>praćenju</mark> <mark>lokacije</mark> svakog uređaja.",
	}
	for _, query := range []string{"pracenje lokacija", "праћење локација"} {
		wantExcerpts(t, x, query, want)
	}
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

func TestAWordSaidTwiceCountsTwice(t *testing.T) {
	x := indexOf(t,
		note("cat", "en", "One", "cat house"),
		note("dog", "en", "Two", "dog house"),
		note("lion", "en", "Other", "lion den"),
	)
	wantFound(t, x, 1, map[string]string{
		"a dog or a cat or a puppy, best a dog":  "dog",
		"a dog or a cat or a kitten, best a cat": "cat",
	})
}

// A stop word of one letter, as e is in Italian, is none where it begins a word of two parts.
func TestALetterOfAnotherWordIsNoStopWord(t *testing.T) {
	articles := []article.Article{
		note("post", "en", "The post office", "Mail, and mail, and more mail."), note("it", "it", "Altro", "La posta e il resto."),
		note("spoken", "fr", "Y a-t-il un mail ?", "Rien."),
	}
	for i := range 12 {
		articles = append(articles, note(fmt.Sprint("email-", i), "en", "Other", "An email, and more email."))
	}
	x := indexOf(t, articles...)
	for query, want := range map[string]string{"e-mail": "email-0", "e mail": "spoken", "y a-t-il un mail": "spoken"} {
		if got := ids(search(t, x, query, 5)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s first", query, got, want)
		}
	}
}

// Nor is a stop word that makes a word of two parts with a letter: v-for is no v, as in v-model.
func TestAStopWordOfALetterIsNone(t *testing.T) {
	articles := []article.Article{note("model", "en", "v-model of components", "How v-model works with lists: v-model binds.")}
	for i := range 12 {
		articles = append(articles, note(fmt.Sprint("list-", i), "en", "Rendering lists", "Render lists with v-for and an index."))
	}
	x := indexOf(t, articles...)
	for query, want := range map[string]string{"v-for": "list-0", "v-for index": "list-0", "lists lists v-for": "list-0", "v-model": "model"} {
		if got := ids(search(t, x, query, 1)); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// Among words of another script, an English stop word is usually a name. In an English query it
// says little.
func TestStopWordsOfAnotherScript(t *testing.T) {
	x := indexOf(t,
		note("for", "uk", "Цикли", "Цикл for і що він робить."), note("events", "uk", "Цикл", "Цикл подій."),
		note("this", "ja", "関数とthis", "関数の中のthis。"), note("function", "ja", "関数", "関数です。"),
		note("promise", "uk", "Проміси", "Promise і then."),
	)
	for query, want := range map[string]string{"цикл for?": "for", "関数 this?": "this", "what is a promise?": "promise"} {
		if got := search(t, x, query, 1); ids(got) != want || got.Total != 1 {
			t.Errorf("%s: found %q of %d, want %s alone", query, ids(got), got.Total, want)
		}
	}
}

// An article is first for the whole of its title, however many bytes the letters of that take.
func TestLongTitles(t *testing.T) {
	title := strings.Repeat("कखग घचछज ", 25)
	x := indexOf(t, note("longer", "hi", title+"कखग", title+title), note("title", "hi", title, "Xyz."))
	if found := rank(t, x, Query{Text: title, Limit: 10}); len(found) != 2 || found[0] != (Ranked{"title", titled}) {
		t.Errorf("found %s, want the title first", told(found))
	}
}

// Of two titles with all words that are not optional, the one that also has the optional words of
// the query comes first, however short the other is.
func TestTitlesWithWordsThatSayLittle(t *testing.T) {
	articles := []article.Article{note("once", "en", "The once pragma", "Include a file once."), note("this", "en", "The this pointer", "It points to the object.")}
	for i := range 5 {
		articles = append(articles, note(fmt.Sprint("pragma-", i), "en", "Pack pragma", "A pragma packs."), note(fmt.Sprint("pointer-", i), "en", "Pointer arithmetic", "A pointer moves."))
	}
	x := indexOf(t, articles...)
	for query, want := range map[string]string{"pragma once": "once", "this pointer": "this", "once the pragma": "once"} {
		if got := search(t, x, query, 1).Articles; len(got) == 0 || got[0].ID != want {
			t.Errorf("%s: found %v, want %s first", query, got, want)
		}
	}
}

// A title does not decide a question of many words, because each title has some of them by chance.
func TestTitlesDecideShortQueriesNotQuestions(t *testing.T) {
	all := []article.Article{
		note("title", "en", "Computer programs for libraries", "Shelves at the counter, every day."),
		note("text", "en", "Report", "Readers wait for what is on the shelves. A catalogue, in the libraries of this town, is made of cards. "+
			"The index of what is there has the names of all authors, and a computer with its programs is slow."),
	}
	x := indexOf(t, append(all, others()...)...)
	wantFound(t, x, 1, map[string]string{
		"computer libraries": "title",
		"catalogue of authors, index, cards, programs, computer, readers, libraries, kept": "text",
	})
}

// A title that was cut from the beginning of the text, as for a note without a title, says no more
// than the text.
func TestTitlesThatWereCutFromTheText(t *testing.T) {
	const question = "why does the old pump of the town hall lose water when it rains in spring"
	asked := func(title, text string) string {
		all := []article.Article{
			note("title", "en", title, text+" and who has some time to spare is asked to come with a spade"),
			note("answer", "en", "Repairs", "The valve of the pump is open, which is not good for the hall, whatever else may happen or not happen when it rained"),
		}
		x := indexOf(t, append(all, others()...)...)
		return ids(search(t, x, question, 1))
	}
	for title, of := range map[string]struct{ text, want string }{
		"Extraordinarily dirty town water":     {"Extraordinarily dirty town water\nWe know,", "title"}, // a heading
		"Extraordinarily dirty town water!":    {"Extraordinarily dirty town water! We know,", "title"}, // a sentence
		"Extraordinarily dirty town water.":    {"Extraordinarily dirty town water this week,", "answer"},
		"Extraordinarily dirty town water …":   {"Extraordinarily dirty town water,", "answer"},
		"Water, town":                          {"Water, town and country,", "title"}, // a name
		"Not extraordinarily dirty town water": {"Extraordinarily dirty town water,", "title"},
	} {
		if got := asked(title, of.text); got != of.want {
			t.Errorf("%s: %s is first, want %s", title, got, of.want)
		}
	}
	const cut = "Extraordinarily dirty town water"
	x := indexOf(t, append(others(), note("title", "en", cut, cut+" this week"))...)
	for _, query := range []string{cut, strings.ReplaceAll(cut, " ", ""), "extra ordinarily dirtytown water"} {
		if got := ids(search(t, x, query, 1)); got != "title" {
			t.Errorf("%s: got %q", query, got)
		}
	}
}

// While a word is being typed, titles with a word that begins so come before texts that have it
// often.
func TestTitlesAreFoundWhileTheyAreTyped(t *testing.T) {
	x := indexOf(t,
		note("console", "en", "Artisan Console", "Commands that are run by hand."),
		note("making", "en", "How the artisan works", "Artisan is short."),
		note("text", "en", "Testing", "Run artisan test, then artisan migrate; artisan has more."),
		note("other", "en", "Console", "Each artisan command of artisan packages, and artisan itself, is listed by artisan."),
	)
	for query, want := range map[string]string{
		"arti":       "console making other text",
		"Artis":      "console making other text",
		"artisan co": "console other", // which has the word command
		"how the ar": "making console other text",
	} {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
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
	for query, want := range map[string]string{
		"react com": "compiler quoted other", "react com?": "other", "com react": "other", "com": "other", "what to com": "small other",
		"react of":             "offers", // of is a small word, too
		"використання vue з t": "types letter", "release 5": "other",
	} {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
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
	for query, want := range map[string]string{
		"language design for may 4,": "may", "language design for may 4, 2": "may notes", "language design for may 4, 20": "may notes", "language design for may 4, 202": "may", "language design for may 4, 20?": "notes",
		"news of go 1": "go", "news of go 1.2": "notes", "rust 2021": "notes", "a week in the life of one small site 5": "week-5",
	} {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// A title with a version is about the number that it begins with, even if many articles mention
// that.
func TestTitlesWithTheVersionOfANumber(t *testing.T) {
	articles := []article.Article{
		note("nine", "en", "Electron 9.0.0", "It is out."), note("ninety", "en", "Electron 90", "A film."), note("stop", "en", "The end of Electron 7.3", "Nothing."),
		note("two", "en", "Electron 12.0.0", "After Electron 9 and Electron 7, this is out."), note("other", "en", "Chromium 9.5", "Electron 9 has it."),
	}
	for i := range 5 {
		articles = append(articles, note(fmt.Sprint("news", i), "en", fmt.Sprint("News ", i), "Electron 9 is out, and Electron 7 is old."))
	}
	x := indexOf(t, articles...)
	for query, want := range map[string]string{
		"electron 9": "nine", "Electron 9?": "nine", "the electron 7": "stop", "end of electron 7": "stop", "electron 12": "two", "electron 9.0": "nine",
	} {
		if got := search(t, x, query, 1); ids(got) != want {
			t.Errorf("%s: found %q, want %q", query, ids(got), want)
		}
	}
	if got := search(t, x, `"electron 9"`, 10); strings.Contains(ids(got), "nine") {
		t.Errorf("a phrase means its words as they are, but found %q", ids(got))
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

// If very many versions begin with a number, no few of them come before the others.
func TestVeryManyVersionsOfANumber(t *testing.T) {
	var all []article.Article
	for i := range 5 {
		all = append(all, note(fmt.Sprint("news", i), "en", fmt.Sprint("News ", i), "Electron 9 is out."))
	}
	for i := range maxTitles + 50 {
		all = append(all, note(fmt.Sprint("version", i), "en", fmt.Sprintf("Electron 9.%d", i), "It is out."))
	}
	x := indexOf(t, append(all, note("written", "en", "Chat", "We chat about Electron9."))...)
	if _, total, err := x.Rank(t.Context(), Query{Text: "electron9", Limit: 1}); err != nil || total != 6 {
		t.Errorf("electron9: found %d of 6, error %v", total, err)
	}
	for limit, want := range map[int]int{6: 6, 7: maxTitles + 56} { // more than the articles with 9 are not to be had without all versions
		if _, total, err := x.Rank(t.Context(), Query{Text: "electron 9", Limit: limit}); err != nil || total != want {
			t.Errorf("limit %d: found %d of %d, error %v", limit, total, want, err)
		}
	}
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
	for query, want := range map[string]string{
		"compli": "title", "compli -here": "title text", "banks compli -here": "text", // as someone continues to type
		"compli?": "other-0", "comply": "other-0", // a whole word
		"organize": "organized", "organize themselves": "organized",
	} {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
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
	for query, want := range map[string]string{
		"what we can learn f": "social street other", "we can learn f": "street other social", "what we can learn fr": "social", "what we can laern f": "other social street",
		"learn f?": "street other", "learn 7": "other social", "f": "kennedy",
	} {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
	if found, total, err := x.Rank(t.Context(), Query{Text: "learn f", Limit: 3}); err != nil || total != 3 || found[2].Rung != begun {
		t.Errorf("%d %v: %v", total, found, err)
	}
}

// A site in several languages leaves some titles untranslated, so that the words of these are
// nowhere in the text.
func TestTitlesThatWereMeantAreBeforeTexts(t *testing.T) {
	all := []article.Article{
		note("korean", "ko", "Missing params property on route.", "경로에 매개변수가 없습니다."),
		note("english", "en", "Missing params property on route.", "The params property is missing on a route."),
		note("french", "fr", "Params manquante", "Each route has params; a missing property on one route is told: missing params property, missing route."),
	}
	x := indexOf(t, append(all, others()...)...)
	if got := ids(search(t, x, "Missing parms property on route.", 10)); got != "english korean french" {
		t.Errorf("got %s, want english korean french", got)
	}
}

// A title with all words of the query is worth as much if the query mistypes one of them, has it in
// another form, or has a space too many or too few.
func TestTitlesWithAllWordsAsTheyWereMeant(t *testing.T) {
	text := strings.Repeat("A custom command of the bug bounty, and its terms. ", 4)
	x := indexOf(t,
		note("commands", "en", "Using Custom Commands", "Each custom command is one."), note("custom", "en", "Custom completions of one", text),
		note("bounty", "en", "The bug bounty of us", "Read it."), note("program", "en", "A program of bounties", text),
	)
	wantFound(t, x, 1, map[string]string{"custom comand": "commands", "costum command": "commands", "bugbounty": "bounty", "bugbounty of": "bounty"})
}

// A title that writes words of the query as one word still has all of them.
func TestTitlesWithWordsAsOne(t *testing.T) {
	all := []article.Article{
		note("one", "en", "GUI_CreateWindow", "Creates a window."), note("props", "en", "Props to create a transparent window of the GUI", "Call CreateWindow."),
		note("startup", "en", "Startup of the state", "Of those."), note("text", "en", "Competition", strings.Repeat("A start-up of the state. ", 3)),
	}
	x := indexOf(t, append(all, others()...)...)
	wantFound(t, x, 2, map[string]string{"create window": "one props", "start-up state": "startup text", "start-up of the state": "startup text"})
}

// A compound of a title may be typed as one word. The title counts as if it were written like that.
func TestTitlesWithCompoundsThatAreTypedAsOne(t *testing.T) {
	x := indexOf(t,
		note("wifi", "en", "Wi-Fi", "How a network is set up."),
		note("begins", "en", "Wi-Fi for travellers", "How a network is set up."),
		note("has", "en", "Travellers' Wi-Fi", "How a network is set up."),
		note("text", "en", "Networks", "Of wifi: wifi and wifi, which is Wi-Fi."),
		note("whose", "en", "Bob's burgers", "What Bob's are."),
		note("others", "en", "Burgers", "Bobs burgers, Bob's burgers, bobs burgers."),
		note("tr", "tr", "Python'a giriş", "Bir dil."),
		note("andere", "tr", "Giriş", "Python'a giriş, pythona giriş."),
	)
	for query, want := range map[string]string{
		"wifi": "wifi begins has text", "wi-fi": "wifi begins has text", "wi fi": "wifi begins has text", "wifi for trav": "begins has wifi text", "wifi for travellers": "begins has wifi text",
		"bobs burgers": "whose others", "pythona giriş": "tr andere",
	} {
		found := rank(t, x, Query{Text: query, Limit: 10})
		if idsOf(found) != want {
			t.Errorf("%s: %s, want %s", query, told(found), want)
		}
		if query != "wifi for trav" && len(found) > 0 && found[0].Rung != titled {
			t.Errorf("%s: %s, want the first for its title", query, told(found))
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

// A title has an hour, or a number with its unit, even if it writes it as more than two words.
func TestTitlesWithNumbersSetApart(t *testing.T) {
	all := []article.Article{
		note("hour", "en", "Open from 8 a.m.", "We wait for you."), note("far", "en", "Run of 10 000 km", "For all who can."),
		note("text", "en", "Others", "It begins at 8am, at 8am, and is 10000km long, yes 10000km."),
	}
	x := indexOf(t, append(all, others()...)...)
	wantFound(t, x, 2, map[string]string{"8am": "hour text", "10000km": "far text"})
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

// That very many articles have a "vs" does not make it that of a comparison.
func TestAFrequentVsOfAName(t *testing.T) {
	var articles []article.Article
	for i := range 5 * maxApart {
		text := "Nothing of the kind."
		switch {
		case i < maxApart+10:
			text = "Open VS Code now."
		case i < 2*maxApart:
			text = "Install the code."
		}
		articles = append(articles, note(fmt.Sprintf("n%d", i), "en", "Note", text))
	}
	articles = append(articles, note("editor", "en", "Note", "How to install VS Code."))
	if r := search(t, indexOf(t, articles...), "install vs code", 1); r.Total != 1 || ids(r) != "editor" {
		t.Errorf("%d articles have install, vs and code, first %s; want 1", r.Total, ids(r))
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

func TestTiesGoToTheNewerThenTheLowerID(t *testing.T) {
	var all []article.Article
	for i, id := range []string{"c", "a", "d", "b", "z"} {
		n := note(id, "en", "Same", "same words")
		switch {
		case i < 2:
			n.DatePublished = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		case i == 4: // an article with a date comes before one without
			n.DatePublished = time.Date(1911, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		all = append(all, n)
	}
	x := indexOf(t, all...)
	if got := ids(search(t, x, "words", 10)); got != "a c z b d" {
		t.Errorf("got %s, want a c z b d", got)
	}
	if got := ids(search(t, x, "words", 3)); got != "a c z" {
		t.Errorf("got %s, want a c z", got)
	}
	answer, err := x.Search(context.Background(), Query{Text: "words", Limit: 2, Offset: 1})
	if err != nil || !bytes.Contains(answer.Body, []byte(`"id":"c"`)) || !bytes.Contains(answer.Body, []byte(`"count":2`)) || answer.Total != 5 {
		t.Errorf("from the second: %s %v", answer.Body, err)
	}
}

// Someone who pastes the address of an article looks for that article, whichever other articles
// have its words.
func TestAddresses(t *testing.T) {
	at := func(id, url string) article.Article {
		a := note(id, "en", "Other", "See https://example.org/guide/install and the guide, install it by https, example and org.")
		a.URL = url
		return a
	}
	x := indexOf(t,
		at("install", "https://example.org/guide/install/"), at("page", "https://example.org/?p=12"), at("other", "https://example.org/?p=13"), at("cafe", "https://example.org/caf%C3%A9"),
		at("wide", "https://example.org/guide%EF%BC%88%E5%85%A5%E9%96%80%EF%BC%89"),
		at("twin-1", "https://example.org/twin"), at("twin-2", "https://example.org/twin"), at("none", ""),
	)
	for query, want := range map[string]string{
		"https://example.org/guide/install/": "install", "https://example.org/guide/install": "install", "http://www.Example.org/guide/install/#first": "install",
		"https://example.org/guide/install/?utm_source=x": "install", "https://example.org/?p=12": "page", "https://example.org/café": "cafe",
		"https://example.org/guide（入門）": "wide", "https://example.org/guide%EF%BC%88%E5%85%A5%E9%96%80%EF%BC%89": "wide", "Https://example.org/guide/install": "install",
		"https://example.org/twin": "", "https://example.org/guide": "", "example.org/guide/install": "", "see https://example.org/guide/install": "",
	} {
		found := rank(t, x, Query{Text: query, Limit: 10})
		got := ""
		if len(found) > 0 && found[0].Rung == pinned {
			got = found[0].ID
		}
		if got != want {
			t.Errorf("%s: first is %v, want %q", query, found[:min(len(found), 1)], want)
		}
	}
}

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

// A word that is too long for the index is in no article, so excluding it excludes nothing,
// whatever else the query has.
func TestExcludingAWordThatIsTooLong(t *testing.T) {
	tagged := note("a", "en", "A", "word")
	tagged.Tags = []string{"t"}
	x := indexOf(t, tagged)
	long := strings.Repeat("x", maxTermLetters+1)
	for _, q := range []Query{
		{Text: "word -" + long},
		{Text: "word -other -" + long},
		{Text: "word -" + long, Tags: []string{"t"}},
		{Text: `word -"` + long + " " + long + `"`, Tags: []string{"t"}},
	} {
		q.Limit = 10
		if found := rank(t, x, q); len(found) != 1 {
			t.Errorf("%+v: %d found, want 1", q, len(found))
		}
	}
}

func TestFilters(t *testing.T) {
	a, b, c := note("a", "en", "x", "word"), note("b", "de", "x", "word"), note("c", "en-GB", "x", "word")
	a.Tags, b.Tags = []string{"Go", "Über uns"}, []string{"go"}
	x := indexOf(t, a, b, c)
	for _, test := range []struct {
		query Query
		total int
	}{
		{Query{Tags: []string{"go"}}, 2},
		{Query{Tags: []string{"uber uns"}}, 1},
		{Query{Tags: []string{"go", "none"}, Languages: []string{"de"}}, 1},
		{Query{Languages: []string{"en-gb", "de"}}, 2},
		{Query{Languages: []string{"en"}}, 2}, // en-GB is English
		{Query{Languages: []string{"EN"}, Tags: []string{"GO"}}, 1},
		{Query{Languages: []string{"fr"}}, 0},
		{Query{Languages: []string{"e"}}, 0},
	} {
		test.query.Text, test.query.Limit = "word", 10
		answer, err := x.Search(context.Background(), test.query)
		if err != nil || answer.Total != test.total {
			t.Errorf("%+v: total %d %v, want %d", test.query, answer.Total, err, test.total)
		}
	}
}

// No answer mixes two revisions, and no search fails while updates run.
func TestSearchDuringUpdates(t *testing.T) {
	x := open(t, t.TempDir())
	revision := func(n int) []article.Article {
		var all []article.Article
		for i := range 20 {
			all = append(all, note(fmt.Sprintf("d%d", i), "en", "Same", fmt.Sprintf("word revision%d", n)))
		}
		return all
	}
	update(t, x, "0", revision(0))
	ctx, stop := context.WithCancel(t.Context())
	var searches sync.WaitGroup
	for range 4 {
		searches.Go(func() {
			for ctx.Err() == nil {
				r := search(t, x, "word", 20)
				if r.Total != 20 {
					t.Errorf("%d found, want 20", r.Total)
				}
				for _, h := range r.Articles {
					if !strings.HasSuffix(h.Excerpt, "revision"+r.Revision) {
						t.Errorf("revision %s holds %q", r.Revision, h.Excerpt)
					}
				}
			}
		})
	}
	searches.Go(func() { // meanwhile, files are merged, taken into use, and read
		for ctx.Err() == nil {
			merging, end := context.WithTimeout(ctx, 5*time.Millisecond)
			err := errors.Join(x.engine.ForceMerge(merging, nil), x.refresh(func(int, int) bool { return true }), x.look(time.Now().Add(time.Hour), func(time.Duration) error { return ctx.Err() }))
			if end(); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	for n := 1; n <= 30; n++ {
		update(t, x, fmt.Sprint(n), revision(n))
	}
	stop()
	searches.Wait()
}

func TestAFailedUpdateChangesNothing(t *testing.T) {
	x := indexOf(t, note("a", "en", "A", "first"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for name, u := range map[string]Update{
		"no JSON":   {Put: func(yield func(string, []byte) bool) { yield(article.Digest(nil), []byte("{")) }},
		"no id":     {Put: feed(t, note("../x", "en", "A", "second"))},
		"twice":     {Put: feed(t, note("a", "en", "A", "second"), note("a", "en", "A", "third"))},
		"cancelled": {Put: func(yield func(string, []byte) bool) { cancel() }},
	} {
		u.Revision, u.State = "r2", []byte("s2")
		if err := x.Update(ctx, u); err == nil {
			t.Errorf("%s: no error", name)
		}
		if r := search(t, x, "first", 10); r.Revision != "r1" || r.Total != 1 || string(x.State()) != "state of r1" {
			t.Errorf("%s: afterwards %+v, state %s", name, r, x.State())
		}
	}
}

// An update whose folder is gone ends with an error, although the engine tries for ever. A full
// disk looks the same to the engine.
func TestAnUpdateThatCannotBeWrittenEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir)
	update(t, x, "r1", []article.Article{note("a", "en", "A", "first")})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	var why []string
	for range 2 {
		err := x.Update(t.Context(), Update{Revision: "r2", Put: feed(t, note("b", "en", "B", "second")), State: []byte("s2")})
		if !errors.Is(err, ErrNotWritten) {
			t.Errorf("got %v, want ErrNotWritten", err)
		}
		why = append(why, err.Error())
	}
	if !strings.HasSuffix(why[0], "no such file or directory") {
		t.Errorf("the error does not say why: %s", why)
	}
	if tried, most := x.failedWrites(), uint64(time.Since(began)/writeRest)+2; tried > most {
		t.Errorf("the engine tried %d times in %v, want %d at most: it takes a processor from the searches", tried, time.Since(began), most)
	}
	if r := search(t, x, "first", 10); r.Revision != "r1" || r.Total != 1 {
		t.Errorf("afterwards %+v", r)
	}
}

func TestABuildThatCannotBeWrittenEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	x.batchBytes = 1 << 20
	var many []article.Article
	for i := range 20_000 {
		many = append(many, note(fmt.Sprint("a", i), "en", "A", "first"))
	}
	if err := x.Update(t.Context(), Update{Revision: "r1", Put: feed(t, many...), State: []byte("s1")}); !errors.Is(err, ErrNotWritten) {
		t.Errorf("got %v, want ErrNotWritten", err)
	}
}

func TestABuildInManyBatches(t *testing.T) {
	whole, parts := open(t, t.TempDir()), open(t, t.TempDir())
	parts.batchBytes = 2000
	update(t, whole, "r1", commonWords())
	update(t, parts, "r1", commonWords())
	if a, b := atomic.LoadUint64(&whole.stats().TotBatches), atomic.LoadUint64(&parts.stats().TotBatches); a != 1 || b < 4 {
		t.Fatalf("%d and %d batches, want 1 and many", a, b)
	}
	for _, query := range []string{"common word", "number7", "title 12", "numbr33", `"common word number4"`} {
		if got, want := search(t, parts, query, 20), search(t, whole, query, 20); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n%v\nin one batch\n%v", query, got, want)
		}
	}
}

func TestAnArticleThatComesTwice(t *testing.T) {
	x := open(t, t.TempDir())
	for _, u := range []Update{
		{Revision: "r1", Put: feed(t, note("a", "en", "A", "one"), note("a", "en", "A", "two")), State: []byte("s1")},
		{Revision: "r2", Put: feed(t, note("a", "en", "A", "one"), note("a", "en", "A", "two")), State: []byte("s2")},
		{Revision: "r2", Put: feed(t, note("a", "en", "A", "one")), Delete: []string{"a"}, State: []byte("s2")},
	} {
		if err := x.Update(t.Context(), u); !errors.Is(err, ErrArticle) || !strings.Contains(err.Error(), "a comes twice") {
			t.Errorf("%s: got %v", u.Revision, err)
		}
		if u.Revision == "r1" {
			update(t, x, "r1", []article.Article{note("b", "en", "B", "first")})
		}
	}
}

// commonWords returns fifty articles that "common word" finds.
func commonWords() (all []article.Article) {
	for i := range 50 {
		all = append(all, note(fmt.Sprintf("d%d", i), "en", fmt.Sprintf("Title %d", i), fmt.Sprintf("common word number%d", i)))
	}
	return all
}

// damagedCopy copies the folder of a file, and returns the copy. In the copy, the file has the
// bytes that damage returns; if these are nil, it is missing.
func damagedCopy(t *testing.T, path string, damage func([]byte) []byte) (dir string) {
	t.Helper()
	dir = t.TempDir()
	b, err := os.ReadFile(path)
	if err := errors.Join(err, os.CopyFS(dir, os.DirFS(filepath.Dir(path)))); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, filepath.Base(path))
	if b = damage(b); b == nil {
		err = os.Remove(path)
	} else {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Whatever happens to its files, an index answers as before, or returns ErrDamaged.
func TestDamage(t *testing.T) {
	whole := t.TempDir()
	x := unclosed(t, whole)
	update(t, x, "r1", commonWords())
	want := search(t, x, "common word", 100)
	shut(t, x)
	names, err := filepath.Glob(filepath.Join(whole, "*"))
	if err != nil || len(names) < 2 {
		t.Fatalf("%v %v", names, err)
	}
	for _, name := range names {
		for how, damage := range map[string]func([]byte) []byte{
			"missing":   func([]byte) []byte { return nil },
			"empty":     func([]byte) []byte { return []byte{} },
			"torn":      func(b []byte) []byte { return b[:len(b)/2] },
			"zeros":     func(b []byte) []byte { return make([]byte, len(b)) },
			"torn late": func(b []byte) []byte { return b[:len(b)-10] },
		} {
			t.Run(filepath.Base(name)+" "+how, func(t *testing.T) {
				x, err := Open(t.Context(), damagedCopy(t, name, damage), 0)
				if err != nil {
					if !errors.Is(err, ErrDamaged) {
						t.Errorf("open: %v, want ErrDamaged", err)
					}
					return
				}
				defer x.Close()
				if x.State() == nil {
					return // as if the folder had been empty
				}
				answer, err := x.Search(context.Background(), Query{Text: "common word", Limit: 100})
				if err == nil && answer.Total != want.Total {
					t.Errorf("found %d, want %d", answer.Total, want.Total)
				}
				if err != nil && !errors.Is(err, ErrDamaged) {
					t.Errorf("search: %v, want ErrDamaged", err)
				}
			})
		}
	}
	if _, err := Open(t.Context(), filepath.Join(names[0], "below a file"), 0); err == nil || errors.Is(err, fs.ErrExist) {
		t.Errorf("a folder below a file: %v", err)
	}
}

// With wrong bytes anywhere, after updates and deletions, an index gives the same answers or
// returns ErrDamaged, and neither opening nor searching nor updating it ends the process.
func TestWrongBytes(t *testing.T) {
	whole := t.TempDir()
	x := unclosed(t, whole)
	q := Query{Text: "common word", Limit: 50}
	update(t, x, "r1", commonWords())
	want := map[string]string{"state of r1": body(t, x, q)}
	update(t, x, "r2", []article.Article{note("d7", "en", "Title 7", "common word again")}, "d3", "d20")
	want["state of r2"] = body(t, x, q)
	shut(t, x)
	names, err := filepath.Glob(filepath.Join(whole, "*.*"))
	if err != nil || len(names) < 2 {
		t.Fatalf("%v %v", names, err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	intact := 0
	for round := range 300 {
		dir := damagedCopy(t, names[round%len(names)], func(b []byte) []byte {
			for range 1 << random.IntN(8) {
				b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
			}
			return b
		})
		x, err := Open(t.Context(), dir, 0)
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("round %d: open: %v, want ErrDamaged", round, err)
			}
			continue
		}
		if x.State() != nil { // else nothing is left of the index
			intact++
			got, err := x.Search(t.Context(), q)
			if state := string(x.State()); err != nil || string(got.Body) != want[state] {
				t.Errorf("round %d: %s: %v\n got %s\nwant %s", round, state, err, got.Body, want[state])
			}
			update(t, x, "r3", []article.Article{note("d8", "en", "Title 8", "common word newest")})
			if r := search(t, x, "newest", 10); r.Total != 1 {
				t.Errorf("round %d: after an update %d found, want 1", round, r.Total)
			}
		}
		if err := x.Close(); err != nil {
			t.Errorf("round %d: close: %v", round, err)
		}
	}
	t.Logf("%d of 300 indexes answered as before their damage", intact)
}

// A time limit ends a search inside the index.
func TestSearchEndsInTime(t *testing.T) {
	x := indexOf(t, note("a", "en", "A", "first"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Search(ctx, Query{Text: "first", Limit: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

// A panic of a search becomes an error that says where it happened, and reveals nothing of the
// query.
func TestPanicIsAnError(t *testing.T) {
	x := indexOf(t, note("a", "en", "A", "canary"))
	x.current.damping = nil
	_, err := x.Search(t.Context(), Query{Text: "canary", Limit: 1})
	var at interface{ Stack() string }
	if !errors.Is(err, ErrDamaged) || !errors.As(err, &at) || !strings.Contains(at.Stack(), "searchd/index/") {
		t.Errorf("got %v", err)
	}
	if err := newCrash("canary"); strings.Contains(err.Error(), "canary") {
		t.Errorf("it has text that may be of the query: %v", err)
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
	for i := range 20_000 {
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

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("Filler sentence number one. ", 40)
	for _, test := range []struct{ name, language, text, query, want string }{
		{"from the sentence", "en", long + "The atomic swap of an index is quick. " + long, "atomic swap",
			"The <mark>atomic</mark> <mark>swap</mark> of an index is quick. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one."},
		{"escaped", "en", `A <b>swap</b> & "more" swaps`, "swap", "A &lt;b&gt;<mark>swap</mark>&lt;/b&gt; &amp; &#34;more&#34; <mark>swaps</mark>"},
		{"stems and accents", "fr", "Les écoles d'été", "ecole", "Les <mark>écoles</mark> d&#39;été"},
		{"beginning", "en", "A swapfile here", "swapf", "A <mark>swapfile</mark> here"},
		{"typo", "en", "A kubernetes cluster", "kuberntes", "A <mark>kubernetes</mark> cluster"},
		{"unspaced", "zh", "我们在北京大学学习人工智能。", "人工智能", "我们在北京大学学习<mark>人工智能</mark>。"},
		{"no fragments", "ja", "クライアントがライトニングを使う。", "ライトニング", "クライアントが<mark>ライトニング</mark>を使う。"},
		{"blocks", "en", "A heading\n\nThe swap is done.\n\nNext", "swap", "The <mark>swap</mark> is done. Next"},
		{"a phrase before what else is asked for", "en", "A hot swap. " + strings.Repeat("Filler sentence number one. ", 12) + "Of seats, walks, hills, rivers, lakes and woods.", `"hot swap" seats walks hills rivers lakes woods`, "A <mark>hot</mark> <mark>swap</mark>." + strings.Repeat(" Filler sentence number one.", 8)},
		{"heading", "en", "The swap\n\nIt is done", "swap", "The <mark>swap</mark> · It is done"},
		{"lines become spaces", "en", "One\n\n  two\tthree", "two", "<mark>two</mark> three"},
		{"no fragments in Thai", "th", "คุณสามารถตั้งค่าภาษาได้ การตั้งค่าอยู่ที่นี่", "การตั้งค่า", "คุณสามารถ<mark>ตั้งค่า</mark>ภาษาได้ <mark>การตั้งค่า</mark>อยู่ที่นี่"},
		{"compounds", "en", "With node.js and Wi-Fi.", "nodejs wifi", "With <mark>node.js</mark> and <mark>Wi-Fi</mark>."},
		{"begun compound", "en", "We use a hot-swap and a hotswap here.", "hotsw", "We use a <mark>hot-swap</mark> and a <mark>hotswap</mark> here."},
		{"with and without its accent", "fr", "Un café. Un cafe. Des cafés.", "cafe", "Un <mark>café</mark>. Un <mark>cafe</mark>. Des <mark>cafés</mark>."},
		{"all words far after one of them", "en", "The atomic one. " + long + "The swap of it is atomic. " + long + long, "atomic swap",
			"The <mark>swap</mark> of it is <mark>atomic</mark>. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence…"},
		{"after quotation marks and other scripts", "en", "“Swap” ‘swap’ «swap» 語swap ก็swap — swap.", "swap", "“<mark>Swap</mark>” ‘<mark>swap</mark>’ «<mark>swap</mark>» 語<mark>swap</mark> ก็<mark>swap</mark> — <mark>swap</mark>."},
		{"no half of a word where the reading ends", "en", "The atomic one is no swap. " + strings.Repeat("a ", (enoughBytes-len(". atomic swap"))/2) + " atomic swapping. " + long, "atomic swap",
			"…" + strings.Repeat("a ", 19) + "<mark>atomic</mark> <mark>swapping</mark>. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler…"},
		{"no farther than a long text has shown a word, where each word must be read", "id", "Apel jatuh. " + strings.Repeat("Kalimat lain. ", enoughSlowBytes/7) + "Apel dan jeruk.", "apel jeruk",
			"<mark>Apel</mark> jatuh." + strings.Repeat(" Kalimat lain.", 16)},
		{"nor farther where a stop word led to it", "id", "Yang apel jatuh. " + strings.Repeat("Kalimat lain. ", enoughSlowBytes/7) + "Apel dan jeruk.", "yang apel jeruk",
			"<mark>Yang</mark> <mark>apel</mark> jatuh." + strings.Repeat(" Kalimat lain.", 15) + " Kalimat…"},
		{"as far as a long text shows but stop words", "id", "Yang itu. " + strings.Repeat("Kalimat lain. ", enoughSlowBytes/7) + "Apel dan jeruk.", "yang itu apel jeruk", "<mark>Apel</mark> dan <mark>jeruk</mark>."},
		{"as far as a long text shows no word", "id", strings.Repeat("Kalimat lain. ", enoughSlowBytes/7) + "Apel dan jeruk.", "apel jeruk", "<mark>Apel</mark> dan <mark>jeruk</mark>."},
		{"a number without its decimals", "en", "A fee of $12,500.50 for it.", "12500", "A fee of $<mark>12,500</mark>.50 for it."},
		{"a number with its decimals", "en", "A fee of $12,500.50 for it.", "12500.50", "A fee of $<mark>12,500.50</mark> for it."},
		{"a number and its ending", "en", "A 10,000-fold 20,000km.", "10000 fold 20000km", "A <mark>10,000-fold</mark> <mark>20,000km</mark>."},
		{"a name in Chinese", "zh", "使用.NET开发。", ".net", "使用<mark>.NET</mark>开发。"},
		{"fractions", "en", "Take 2½ cups, ½ or 1/2 a cup, not 1 of 2.", "½", "Take 2<mark>½</mark> cups, <mark>½</mark> or <mark>1/2</mark> a cup, not 1 of 2."},
		{"fractions as they are typed", "en", "Take 2½ cups, ½ or 1/2 a cup.", "1/2", "Take <mark>2½</mark> cups, <mark>½</mark> or <mark>1/2</mark> a cup."},
		{"times", "en", "At 1920×1080 it is 10× faster.", "1920x1080 10x", "At <mark>1920×1080</mark> it is <mark>10×</mark> faster."},
		{"a compound before its parts", "en", "In CVE 2024 a bug. " + long + "This is CVE-2024-2728. " + long, "CVE-2024-2728",
			"This is <mark>CVE-2024-2728</mark>. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence…"},
		{"a word as two", "en", "Open the source of an open source, open-source program.", "opensource", "Open the source of an <mark>open</mark> <mark>source</mark>, <mark>open-source</mark> program."},
		{"a number and its unit", "en", "In 5 minutes 10 GB, 5 GB and 5\u00a0GB.", "5gb", "In 5 minutes 10 GB, <mark>5</mark> <mark>GB</mark> and <mark>5</mark> <mark>GB</mark>."},
		{"words as one", "en", "The web. " + long + "A WebAssembly module. " + long + long + "Of assembly.", "web assembly",
			"A <mark>WebAssembly</mark> module. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence…"},
		{"a phrase", "en", "Swap an atomic index. The swap. " + long + long + long + "An l'atomic swap. " + long, `"l'atomic swap"`,
			"An <mark>l&#39;atomic</mark> <mark>swap</mark>. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number…"},
		{"a phrase in Chinese", "zh", "人工的智能和工智。" + strings.Repeat("我们在北京大学学习。", 100) + "这是人工智能。" + strings.Repeat("我们在北京大学学习。", 30), "「人工智能」",
			"这是<mark>人工智能</mark>。" + strings.Repeat("我们在北京大学学习。", 22) + "我们在北京大学学习。我…"},
		{"from the sentence, and not from within a date or after an abbreviation", "de", long + "Nach Abs. 4 und dem Abkommen vom 12. August 1949 gilt es für Gefangene. " + long, "gefangene",
			"Nach Abs. 4 und dem Abkommen vom 12. August 1949 gilt es für <mark>Gefangene</mark>. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number…"},
		{"from the sentence, and not from a small letter after an abbreviation", "en", long + "We met downtown, i.e. where Smith et al. found the needle. " + long, "needle",
			"We met downtown, i.e. where Smith et al. found the <mark>needle</mark>. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler sentence number one. Filler…"},
		{"from the sentence in Georgian, which has small letters only", "ka", strings.Repeat("პირველი წინადადება. ", 40) + "ნემსი აქ არის. " + strings.Repeat("პირველი წინადადება. ", 40), "არის",
			"ნემსი აქ <mark>არის</mark>." + strings.Repeat(" პირველი წინადადება.", 11)},
		{"possessive", "en", "It is Bob's cat.", "bob", "It is <mark>Bob</mark>&#39;s cat."},
		{"a letter, not what is left of a word after an apostrophe", "en", "A Box<T> won’t do, nor isn't it as Bob's; T it is.", "Box<T>", "A <mark>Box</mark>&lt;<mark>T</mark>&gt; won’t do, nor isn&#39;t it as Bob&#39;s; <mark>T</mark> it is."},
		{"a word after an article, not an ending after a name", "tr", "L'or ve Ankara'dan gelen dan, rock'n'roll.", "or dan roll", "L&#39;<mark>or</mark> ve Ankara&#39;dan gelen <mark>dan</mark>, rock&#39;n&#39;<mark>roll</mark>."},
		{"words that say little, in the order of the query, up to one that tells more", "en", "In the end a man was in the beginning: in the beginning was the Word, and that is it.", "in the beginning was the word and that",
			"In the end a man was <mark>in</mark> <mark>the</mark> <mark>beginning</mark>: <mark>in</mark> <mark>the</mark> <mark>beginning</mark> <mark>was</mark> <mark>the</mark> <mark>Word</mark>, and that is it."},
		{"words that say little, in the order of the query, after one that tells more", "de", "Und die sind die Menschen, die das nicht sind. Die Würde des Menschen ist es, die Würde ist die.", "die würde des menschen ist es die",
			"Und die sind <mark>die</mark> <mark>Menschen</mark>, die das nicht sind. <mark>Die</mark> <mark>Würde</mark> <mark>des</mark> <mark>Menschen</mark> <mark>ist</mark> <mark>es</mark>, die Würde ist die."},
		{"an apostrophe of a sound", "uk", "Це об’єкт і об'єкти.", "обʼєкт", "Це <mark>об’єкт</mark> і <mark>об&#39;єкти</mark>."},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := indexOf(t, note("a", test.language, "Other", test.text))
			r := search(t, x, test.query, 10)
			if r.Total != 1 {
				t.Fatalf("%d found", r.Total)
			}
			if got := r.Articles[0].ExcerptHTML; got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

var marks = regexp.MustCompile("</?mark>")

// wellFormed checks what holds for every excerpt.
func wellFormed(t *testing.T, h article.Hit) {
	t.Helper()
	if n := utf8.RuneCountInString(h.Excerpt); n > article.MaxExcerptRunes {
		t.Errorf("an excerpt of %d characters: %s", n, h.Excerpt)
	}
	if !utf8.ValidString(h.Excerpt) {
		t.Errorf("an excerpt that is not UTF-8: %q", h.Excerpt)
	}
	if bare := marks.ReplaceAllString(h.ExcerptHTML, ""); bare != html.EscapeString(h.Excerpt) {
		t.Errorf("the excerpt is %q, its HTML %q", h.Excerpt, h.ExcerptHTML)
	}
	if strings.Count(h.ExcerptHTML, "<mark>") != strings.Count(h.ExcerptHTML, "</mark>") {
		t.Errorf("unbalanced: %s", h.ExcerptHTML)
	}
}

// No query and no article makes a search fail.
func FuzzSearch(f *testing.F) {
	for _, s := range []string{"swap", `"a b" -c`, "C++ .NET 🚀", "人工智能", "l'été", "\u202Ea\u0301", "- \" -\"", "a.b-c_d'e", "ﬁ İ ß"} {
		f.Add(s, s+" and some text around. "+s)
	}
	x := open(f, f.TempDir()) // one for all, because building an index takes a hundred times as long as searching it
	f.Fuzz(func(t *testing.T, query, text string) {
		if !utf8.ValidString(query) || !utf8.ValidString(text) || len(query) > 2000 || len(text) > 20000 {
			t.Skip()
		}
		update(t, x, "r1", []article.Article{note("a", "en", query, text), note("b", "ja", "", query)})
		r := search(t, x, query, 10)
		for _, h := range r.Articles {
			wellFormed(t, h)
		}
	})
}

// Any words of a text are found and shown: on their own, among others and as a phrase.
func TestExcerptsOfUnusualText(t *testing.T) {
	articletest.WithoutRace(t)
	random := rand.New(rand.NewPCG(1, 7))
	pieces := strings.Split("a|the|of|open|source|open-source|C++|.NET|don't|l'école|1,000|10,000.50|5 GB|5GB|2024-01-02|v1.2|U.S.A.|foo.bar.baz|x_y|1920×1080|10×|@user|#tag|"+
		"你好|世界|こんにちは|サーバー|ภาษาไทย|한국어|مرحبا|שלום|straße|İstanbul|🙂|👍🏽|é|e\u0301|\u0301|\u200b|\u00ad|\u00a0|—|\n\n|. |, |"+strings.Repeat("long", 40)+"|"+strings.Repeat("长", 100), "|")
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(pieces[random.IntN(len(pieces))] + "  "[:random.IntN(3)])
		}
		return b.String()
	}
	for range 20 {
		var all []article.Article
		for i := range 20 {
			all = append(all, note(fmt.Sprint("d", i), []string{"en", "de", "zh", "ja", "th"}[i%5], text(5), text(400)+"end"))
		}
		x := indexOf(t, all...)
		for range 300 {
			from := all[random.IntN(len(all))].ContentText
			at := random.IntN(len(from))
			words := strings.ToValidUTF8(from[at:min(len(from), at+1+random.IntN(60))], "")
			for _, query := range []string{words, `"` + words + `"`, text(3) + ` "` + words + `" ` + text(2)} {
				for _, hit := range search(t, x, query, 10).Articles {
					wellFormed(t, hit)
				}
			}
		}
	}
}

// If a phrase occurs only as part of another word, there are no marks around it, and the marks
// elsewhere in the text stay the same.
func TestExcerptOfAPhraseWithinAWord(t *testing.T) {
	x := indexOf(t, note("a", "en", "One", "Point i and then point m. "+strings.Repeat("Filler words are here. ", 100)+"The cat, and I'm here."))
	const want = "Point <mark>i</mark> and then point <mark>m</mark>. Filler words are here."
	if got := search(t, x, `"i m" the`, 10).Articles; len(got) != 1 || !strings.HasPrefix(got[0].ExcerptHTML, want) {
		t.Errorf("got %+v", got)
	}
}

// Someone who quotes a phrase looks for the phrase: its words alone are not marked, unless the
// query also has them outside the phrase.
func TestExcerptMarksWordsOfAPhraseOnlyWithinIt(t *testing.T) {
	x := indexOf(t,
		note("a", "en", "One", "The swap that is hot is no hot-swap of the disks; the hot swap is the swap of the hot. Be it as it is: to be or not to be."),
		note("title", "en", "Not hot swap", "A swap is hot."),
		note("zh", "zh", "三", "工智不是人工智能，人工的智能也不是。"),
	)
	for query, want := range map[string]string{
		`"hot swap"`:        "The swap that is hot is no <mark>hot</mark>-<mark>swap</mark> of the disks; the <mark>hot</mark> <mark>swap</mark> is the swap of the hot. Be it as it is: to be or not to be.",
		`"hot swap" hot`:    "The swap that is <mark>hot</mark> is no <mark>hot</mark>-<mark>swap</mark> of the disks; the <mark>hot</mark> <mark>swap</mark> is the swap of the <mark>hot</mark>. Be it as it is: to be or not to be.",
		`"hot swap" "swap"`: "The <mark>swap</mark> that is hot is no <mark>hot</mark>-<mark>swap</mark> of the disks; the <mark>hot</mark> <mark>swap</mark> is the <mark>swap</mark> of the hot. Be it as it is: to be or not to be.",
		`"hot swap" disk`:   "The swap that is hot is no <mark>hot</mark>-<mark>swap</mark> of the <mark>disks</mark>; the <mark>hot</mark> <mark>swap</mark> is the swap of the hot. Be it as it is: to be or not to be.",
		`"of the" "is the"`: "The swap that is hot is no hot-swap <mark>of</mark> <mark>the</mark> disks; the hot swap <mark>is</mark> <mark>the</mark> swap <mark>of</mark> <mark>the</mark> hot. Be it as it is: to be or not to be.",
		`"or not to be"`:    "Be it as it is: to be <mark>or</mark> <mark>not</mark> <mark>to</mark> <mark>be</mark>.",
		`"not hot swap"`:    "A <mark>swap</mark> is <mark>hot</mark>.", // the phrase is in the title
		`"人工智能"`:            "工智不是<mark>人工智能</mark>，人工的智能也不是。",
	} {
		r := search(t, x, query, 10)
		if !slices.ContainsFunc(r.Articles, func(h article.Hit) bool { return h.ExcerptHTML == want }) {
			t.Errorf("%s: %+v\nwant %s", query, r.Articles, want)
		}
	}
}

// All forms of a word are marked, however a stemmer or an author changes its first letters.
func TestExcerptMarksAllForms(t *testing.T) {
	compound := open(t, t.TempDir())
	update(t, compound, "r1", []article.Article{note("a", "en", "One", "A borrow-check of ASP.NET data\u00adbases.")})
	for query, want := range map[string]string{
		"borrowchecker": "A <mark>borrow-check</mark> of ASP.NET data\u00adbases.", "databases": "A borrow-check of ASP.NET <mark>data\u00adbases</mark>.",
		".net": "A borrow-check of ASP.<mark>NET</mark> data\u00adbases.", "data bases": "A borrow-check of ASP.NET <mark>data\u00adbases</mark>.",
	} {
		if r := search(t, compound, query, 10); len(r.Articles) != 1 || r.Articles[0].ExcerptHTML != want {
			t.Errorf("%s: %+v, want %s", query, r.Articles, want)
		}
	}
	for _, forms := range [][]string{
		{"en", "use", "uses", "Using"}, {"en", "lie", "lying"}, {"en", "sky", "skies"}, {"en", "email", "E-Mail"}, {"en", "1.70", "v1.70"}, {"hi", "2024", "२०२४"}, {"fa", "1.5", "۱٫۵"}, {"fa", "1.5", "۱.۵"}, {"fa", "10000", "۱۰٬۰۰۰"}, {"fr", "l’or", "L’OR"}, {"en", "relation", "relational"}, {"en", "mouse", "mice"}, {"nl", "bouwen", "gebouwd", "Gebouwde"}, {"nl", "gebouwd", "bouwen", "Bouwt"}, {"en", "index", "Indices", "indexes"},
		{"id", "tulis", "menulis", "ditulis"}, {"id", "menulis", "tulis", "Penulisan"}, {"ms", "guna", "penggunaan"}, {"am", "ቤት", "በቤቱ", "የቤቶችና"}, {"am", "በቤት", "ቤቶች"}, {"am", "ፀሐይ", "ጸሀይን"}, {"am", "ሐገር", "በሀገሩ"},
		{"mr", "\u095bमीन", "ज\u093cमीन", "जमिनीवर"}, {"ne", "हिन्दी", "हिंदी", "हिँदी"}, {"mr", "१९९०", "१९९०च्या", "1990"}, {"bn", "বাংলাদেশ", "বাংলাদেশের"}, {"te", "పుస్తకం", "పుస్తకాలు"}, {"si", "රජය", "රජයේ"},
		{"bn", "বড\u09bc", "ব\u09dc"}, {"bn", "উৎস", "উত্\u200dস"}, {"ml", "അവൻ", "അവന്\u200d"}, {"fa", "سؤالات", "سوالات"}, {"ur", "کتاب", "کتابیں", "کتابوں"}, {"ur", "ہندو", "هندو"}, {"ur", "شہر", "شهر"}, {"ur", "کی", "كي"},
		{"de", "Müller", "Mueller", "MULLER"}, {"fr", "appeler", "appelle"}, {"es", "educación", "educaciones"}, {"ru", "книга", "книги"}, {"hi", "ईमेल", "इमेल"}, {"hi", "ऍप", "ऐप", "एप"}, {"hi", "ॲप", "अप"}, {"he", "פרויקט", "ובפרויקטים"}, {"ar", "تطبيقات", "والتطبيق", "للتطبيقات"}, {"uk", "книга", "книгою"},
	} {
		var text strings.Builder
		for _, form := range forms[1:] {
			fmt.Fprintf(&text, "so %s and ", form)
		}
		x := indexOf(t, note("a", forms[0], "One", text.String()))
		for _, form := range forms[1:] {
			r := search(t, x, form, 10)
			for _, other := range forms[1:] {
				if len(r.Articles) != 1 || !strings.Contains(r.Articles[0].ExcerptHTML, "<mark>"+other+"</mark>") {
					t.Errorf("%s: %q does not mark %q: %+v", forms[0], form, other, r.Articles)
				}
			}
		}
	}
}

// A text is not read to its end once a passage shows all of the query, but an excerpt is marked to
// its end. The filler between the matches is about as long as what is read after such a passage.
func TestExcerptMarksToItsEnd(t *testing.T) {
	for n := enoughBytes/8 - 10; n <= enoughBytes/8; n++ {
		text := "A swap. " + strings.Repeat("Filler. ", n) + "A swap, the swap of some, and then one swap more, and swap on end." + strings.Repeat(" Filler.", 300)
		got := search(t, indexOf(t, note("a", "en", "One", text)), "the swap", 10).Articles[0].ExcerptHTML
		if strings.Contains(got, "the</mark>") && strings.Count(got, "<mark>swap</mark>") != 4 {
			t.Errorf("%d: %s", n, got)
		}
		text = "交换。" + strings.Repeat("\n其他文字", n*8/13) + "\n交换。交换。有人喜欢交换。再交换一次。" + strings.Repeat("其他文字", 300)
		got = search(t, indexOf(t, note("a", "zh", "一", text)), "交换", 10).Articles[0].ExcerptHTML
		if strings.Contains(got, "有人") && strings.Count(got, "<mark>交换</mark>") != 4 {
			t.Errorf("%d: %s", n, got)
		}
	}
}

// Beginnings and typos are marked only in articles that are found by them, not in those that have
// the word itself.
func TestExcerptMarksLooseFormsOnlyWhereNothingIsBetter(t *testing.T) {
	x := indexOf(t,
		note("a", "en", "One", "Going well, I go on with Golang, in charge of charts and a change."), note("b", "en", "Two", "Golang is going on."), note("c", "en", "Three", "Changes were made."),
		note("d", "vi", "Bốn", "Một phần mềm mã nguồn mở."), note("e", "ko", "오", "환경 변수와 추상화."), note("f", "ko", "육", "환경 변수."),
		note("g", "en", "Seven", "Forms of Django 5.1, and 50."), note("h", "en", "Eight", "Forms of Django 5, and 5.1."),
	)
	for query, want := range map[string]map[string]string{
		"go":             {"a": "<mark>Going</mark> well, I <mark>go</mark> on with Golang, in charge of charts and a change.", "b": "Golang is <mark>going</mark> on."}, // by its stem
		"gol":            {"a": "Going well, I go on with <mark>Golang</mark>, in charge of charts and a change.", "b": "<mark>Golang</mark> is going on."},
		"charge":         {"a": "Going well, I go on with Golang, in <mark>charge</mark> of charts and a change.", "c": "<mark>Changes</mark> were made."},
		"mã mở":          {"d": "Một phần mềm <mark>mã</mark> nguồn <mark>mở</mark>."},
		"django 5 forms": {"g": "<mark>Forms</mark> of <mark>Django</mark> <mark>5.1</mark>, and 50.", "h": "<mark>Forms</mark> of <mark>Django</mark> <mark>5</mark>, and 5.1."},
		"화":              {"e": "환경 변수와 추상<mark>화</mark>.", "f": "<mark>환</mark>경 변수."},
	} {
		wantExcerpts(t, x, query, want)
	}
}

// If two words have the same ending, the ending is not marked in the other word.
func TestExcerptMarksNoEndingsOfOtherWords(t *testing.T) {
	x := indexOf(t,
		note("a", "ja", "一", "オーケストレーションはアプリケーションを管理する。"), note("b", "ja", "二", "オープンソースとリソース、ソース、ウェブサービスとマイクロサービス。"),
		note("c", "ko", "삼", "오픈소스와 리소스, 소스. 마이크로서비스와 웹서비스."),
	)
	for query, want := range map[string]string{
		"オーケストレーション": "<mark>オーケストレーション</mark>はアプリケーションを管理する。",
		"オープンソース":    "<mark>オープンソース</mark>とリソース、<mark>ソース</mark>、ウェブサービスとマイクロサービス。",
		"マイクロサービス":   "オープンソースとリソース、ソース、ウェブ<mark>サービス</mark>と<mark>マイクロサービス</mark>。",
		"ソース":        "オープン<mark>ソース</mark>とリ<mark>ソース</mark>、<mark>ソース</mark>、ウェブサービスとマイクロサービス。",
		"오픈소스":       "<mark>오픈소스</mark>와 리소스, <mark>소스</mark>. 마이크로서비스와 웹서비스.",
		"마이크로서비스":    "<mark>마이크로서비스</mark>와 웹<mark>서비스</mark>.",
		"소스":         "오픈<mark>소스</mark>와 리<mark>소스</mark>, <mark>소스</mark>. 마이크로서비스와 웹서비스.",
	} {
		if r := search(t, x, query, 10); len(r.Articles) == 0 || r.Articles[0].ExcerptHTML != want {
			t.Errorf("%s: %+v, want %s", query, r.Articles, want)
		}
	}
}

// The marks of an article are of the words by which it is found: the first six letters are a stem
// in Czech only.
func TestExcerptMarksFormsOfItsLanguage(t *testing.T) {
	x := indexOf(t,
		note("en", "en", "One", "The projector, many projects and a project."), note("cs", "cs", "Dvě", "Nejsou projectory, project ano."),
		note("vi", "vi", "Ba", "Projector project."), note("fi", "fi", "Neljä", "Eräät projectorit, project."),
	)
	wantExcerpts(t, x, "project?", map[string]string{
		"en": "The projector, many <mark>projects</mark> and a <mark>project</mark>.", "cs": "Nejsou <mark>projectory</mark>, <mark>project</mark> ano.",
		"vi": "Projector <mark>project</mark>.", "fi": "Eräät projectorit, <mark>project</mark>.",
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

// An excerpt begins with a sentence, whatever ends the one before.
func TestPassageBeginsWithASentence(t *testing.T) {
	for _, end := range ".!?…।؟۔።։។။" {
		text := strings.Repeat("some words ", 40) + "before" + string(end) + " The sentence of the target"
		at := strings.Index(text, "target")
		if begin, _ := passage(text, at, len(text)); !strings.HasPrefix(text[begin:], "The sentence") {
			t.Errorf("after %q: %q", end, text[begin:])
		}
	}
}

// An excerpt begins with a whole word, however little room the matches leave before it.
func TestPassageBeginsWithAWord(t *testing.T) {
	for _, test := range []struct{ before, match, want string }{
		{"begins overflow ", strings.Repeat("match ", 39) + "mat", "match "}, // room for 1
		{"begins overflow ", strings.Repeat("match ", 39) + "m", "match "},   // for 3
		{"so it overflows in ", strings.Repeat("match ", 38) + "mat", "in match "},
		{strings.Repeat("x", 50) + " " + strings.Repeat("word", 11) + " ", "match", "match"},
		{"https://cache.ruby-lang.org/", strings.Repeat("match ", 37) + "m", "ruby-lang.org/match"}, // for 15
		{strings.Repeat("x", 100) + "-", "match", "match"},
		{strings.Repeat("é̂", 50) + "-", "match", "match"},
		{strings.Repeat("语", 50), strings.Repeat("match ", 38) + "m", strings.Repeat("语", 9) + "match"},
	} {
		text := strings.Repeat("so ", 50) + test.before + test.match + strings.Repeat(" end", 70)
		at := strings.Index(text, test.match)
		if begin, _ := passage(text, at, at+len(test.match)); !strings.HasPrefix(text[begin:], test.want) || begin+strings.Index(text[begin:], "match") != at {
			t.Errorf("%q: %q, want %q", test.before, text[begin:at+5], test.want)
		}
	}
}

// A passage does not end within a syllable of Thai, some of whose vowels are letters before or
// after its consonant.
func TestPassageEndsWithASyllable(t *testing.T) {
	text := strings.Repeat("เราจะแก้ไขโดยใช้", 50)
	for n := range 16 {
		start := len("เ") * (400 + n)
		begin, end := passage(text, start, start+len("ก"))
		if last, _ := utf8.DecodeLastRuneInString(text[:end]); strings.ContainsRune("เแโใไ", last) || strings.HasPrefix(text[end:], "า") || strings.HasPrefix(text[end:], "ะ") {
			t.Errorf("%d: %s", n, text[begin:end])
		}
	}
}

// At the end of a text, where little follows the matches, an excerpt shows more of what comes
// before them.
func TestPassageAtTheEnd(t *testing.T) {
	for _, test := range []struct{ before, match, want string }{
		{"\n\nhttps://example.org/" + strings.Repeat("long-", 18), "match-recipe.html", "https://"},
		{". The sentence " + strings.Repeat("goes on and ", 12) + "on to the ", "match.", "The sentence"},
		{". The sentence " + strings.Repeat("goes on and ", 30) + "on to the ", "match.", "and goes on"},
	} {
		text := strings.Repeat("so ", 100) + test.before + test.match
		at := strings.Index(text, test.match)
		begin, end := passage(text, at, at+len("match"))
		if !strings.HasPrefix(text[begin:], test.want) || end != len(text) || end-begin < 110 {
			t.Errorf("%q", text[begin:end])
		}
	}
}

// An excerpt does not begin with half of a word of the query, not even in a script without spaces.
func TestExcerptBeginsWithAWholeMatch(t *testing.T) {
	long := strings.Repeat("文章は続く", 100)
	var articles []article.Article
	for apart := passageRunes - 15; apart < passageRunes; apart++ { // a passage has room for the second match and half of the first
		articles = append(articles, note(fmt.Sprint("a", apart), "ja", "One", long+"コレクター"+string([]rune(long)[:apart])+"コレクター"+long))
	}
	x := indexOf(t, articles...)
	found := search(t, x, "コレクター", 20).Articles
	if len(found) != len(articles) {
		t.Errorf("%d are found, want %d", len(found), len(articles))
	}
	for _, h := range found {
		if _, begin, _ := strings.Cut(h.ExcerptHTML, "<mark>"); !strings.HasPrefix(begin, "コレクター<") {
			t.Errorf("%s: %s", h.ID, h.ExcerptHTML)
		}
	}
}

// A word that is too long to be a term is not looked up, however many versions it would stand for.
func TestMarksPassOverLongWords(t *testing.T) {
	x := indexOf(t, note("long", "en", "Long", "1.2 "+strings.Repeat("1.", 200_000)+"1 end"))
	began := time.Now()
	a, err := x.Search(t.Context(), Query{Text: "1.2", Limit: 1})
	if took := time.Since(began); err != nil || a.Total != 1 || took > 20*time.Second { // if it were quadratic, it would take 80 s
		t.Errorf("%d articles, %v, after %v", a.Total, err, took)
	}
}

// A compound whose first part is a stop word is marked as a whole.
func TestMarksOfACompoundThatBeginsWithAStopWord(t *testing.T) {
	x := indexOf(t, note("shop", "en", "Shop", "The on-line shop."), note("fa", "fa", "x", "می\u200cخواهم بروم"))
	for query, want := range map[string]string{"on-line": "<mark>on-line</mark>", "می\u200cخواهم": "<mark>می\u200cخواهم</mark>"} {
		a, err := x.Search(t.Context(), Query{Text: query, Limit: 1})
		if err != nil || !bytes.Contains(a.Body, []byte(want)) {
			t.Errorf("%s: %s, %v", query, a.Body, err)
		}
	}
}

// Someone who asks what something is finds the article about it, not articles that ask the same.
func TestQuestionsInScriptsWithoutSpaces(t *testing.T) {
	asking := strings.Repeat("これとは何ですか。什么是这个，这个是什么，如何用的。이것이란 무엇인가요?", 3)
	x := indexOf(t,
		note("asking", "ja", "べつ", asking), note("ja", "ja", "フックの説明", "フックを使う。"), note("server", "ja", "サーバー", "新しいサーバ。"),
		note("zh", "zh", "组件", "组件有状态。"), note("ko", "ko", "컴포넌트", "컴포넌트 상태."), note("state", "en", "useState", "useState it is."), note("goal", "zh", "目的", "目的地。"),
	)
	wantFound(t, x, 1, map[string]string{
		"フックとは": "ja", "フックとは何ですか？": "ja", "サーバーとは": "server", "useStateとは": "state", "useState란": "state",
		"什么是组件": "zh", "什麼是組件？": "zh", "组件是什么": "zh", "如何组件": "zh", "组件的状态": "zh", "目的": "goal",
		"컴포넌트란": "ko", "컴포넌트이란 무엇인가요?": "ko", "컴포넌트를": "ko", "컴포넌트의 상태": "ko",
		"とは": "asking", "什么是": "asking", "무엇인가요": "asking", // nothing else was asked
	})
}

// A question word adds nothing to the score of an article, just like a stop word.
func TestWordsThatAskDoNotCount(t *testing.T) {
	for language, test := range map[string]struct{ question, answer, asking string }{
		"th": {"ปราสาทใครสร้าง", "พระราชาสร้างปราสาทหลังนี้", "ใครอยู่ปราสาท ใคร ๆ ก็สร้าง"},
		"ko": {"다리하려면", "다리 하나.", "무엇을 하려면 다리? 하려면 하려면."},
	} {
		x := indexOf(t, note("answer", language, "1", test.answer), note("asking", language, "2", test.asking))
		wantFound(t, x, 2, map[string]string{test.question: "answer asking"})
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

// Someone who asks what something is looks for its name, also in languages without a list of stop
// words.
func TestQuestionsWhatSomethingIs(t *testing.T) {
	for language, test := range map[string]struct{ title, question, other string }{
		"vi": {"Máy ảo", "máy ảo là gì", "Là một máy ảo, không có gì khác."},
		"tr": {"Konteyner", "konteyner nedir?", "Bir konteyner, nedir bu?"},
		"uk": {"Геозони", "що таке геозона?", "Ось що таке геозона."},
		"fa": {"نسخه پروژه", "نسخه\u200cی پروژه چیست؟", "ی: نسخه\u200cی این پروژه چیست"},
		"bn": {"ভার্চুয়াল মেশিন", "ভার্চুয়াল মেশিন কী", "এটি কী? একটি ভার্চুয়াল মেশিন।"},
		"he": {"גדר", "מה זה גדר", "מה זה? זה גדר."},
		"ar": {"الحاوية", "ماهي الحاوية", "ماهي؟ هذه هي الحاوية ماهي."},
		"sr": {"Геозоне", "шта је geozona", "Шта је то? То је геозона."},
		"id": {"Jaringan", "apa yang dimaksud dengan jaringan?", "Jaringan dimaksud."},
	} {
		x := indexOf(t, note("title", language, test.title, "1 2 3"), note("other", language, "4", test.other))
		if r := search(t, x, test.question, 1); len(r.Articles) == 0 || r.Articles[0].ID != "title" {
			t.Errorf("%s: %s: %+v, want the title", language, test.question, r.Articles)
		}
	}
}

// A word that asks how, why or when need not be found, as nobody looks for it: the article about
// the rest of the question comes before those that have the word by chance.
func TestQuestionsHowAndWhy(t *testing.T) {
	for language, test := range map[string]struct{ title, question string }{
		"cs": {"Vodní čerpadlo", "kdy čerpadlo?"},
		"da": {"Vandpumpen", "hvordan vandpumpen?"},
		"de": {"Die Wasserpumpe", "warum wasserpumpe?"},
		"el": {"Η αντλία", "πώς αντλία;"},
		"es": {"La bomba de agua", "cuánto bomba?"},
		"fi": {"Vesipumppu", "miten vesipumppu?"},
		"fr": {"La pompe à eau", "comment pompe ?"},
		"hr": {"Vodena pumpa", "kako pumpa?"},
		"hy": {"Պոմպ", "ինչպես պոմպ"},
		"id": {"Pompa air", "dimanakah pompa?"},
		"it": {"La pompa", "cosa pompa?"},
		"nl": {"De waterpomp", "waarom waterpomp?"},
		"pl": {"Pompa wodna", "czym pompa?"},
		"pt": {"A bomba de água", "onde bomba?"},
		"ru": {"Насосы", "почему насос?"},
		"uk": {"Насоси", "коли насос?"},
	} {
		word, _, _ := strings.Cut(test.question, " ")
		x := indexOf(t, note("title", language, test.title, "1 2 3"), note("other", language, "4", word+" 5 6 "+test.title))
		if r := search(t, x, test.question, 1); len(r.Articles) == 0 || r.Articles[0].ID != "title" {
			t.Errorf("%s: %s: %+v, want the title", language, test.question, r.Articles)
		}
	}
	x := indexOf(t, note("fr", "fr", "1", "2"), note("comment", "en", "Other", "Its form may have a comment."), note("form", "en", "Form", "A form."))
	wantFound(t, x, 10, map[string]string{"form comment": "comment form"}) // is no how in French
}

// In a language that tells words apart by accents, a word is not taken for a question word that
// differs by accents: brain is not which, and leaf is not is.
func TestWordsWithOtherAccentsThanThoseThatAsk(t *testing.T) {
	x := indexOf(t,
		note("brain", "vi", "Khối u não", "1"),
		note("liver", "vi", "Khối u gan", "2"),
		note("leaf", "vi", "Lá trà", "3"),
		note("tea", "vi", "Ấm trà", "4"),
	)
	for query, want := range map[string]int{"u não": 1, "u nào": 2, "lá trà": 1, "trà là gì": 2, "tra la gi": 2} {
		if r := search(t, x, query, 1); r.Total != want {
			t.Errorf("%s: %d articles, want %d", query, r.Total, want)
		}
	}
}

// A pair of characters counts as a word of a title: a title with all pairs of the query comes
// before texts that have them often.
func TestTitlesOfUnspacedScriptsHaveWords(t *testing.T) {
	often := strings.Repeat("コンポーネントは純粋です。組件的状态。컴포넌트의 상태。", 5)
	x := indexOf(t,
		note("often", "ja", "べつ", often), note("ja", "ja", "コンポーネントを純粋に保つ", "コンポーネントと純粋。"), note("zh", "zh", "管理组件的状态", "组件有状态。"), note("ko", "ko", "컴포넌트의 상태 관리", "컴포넌트 상태."),
	)
	wantFound(t, x, 10, map[string]string{"コンポーネント 純粋": "ja often", "组件 状态": "zh often", "組件 狀態": "zh often", "컴포넌트 상태": "ko often"})
}

// A pair of Japanese grammar says less than a word, even where it is as rare.
func TestGrammarOfJapaneseWeighsHalf(t *testing.T) {
	x := indexOf(t, note("ja", "ja", "一", "犬小屋とは家である。"), note("zh", "zh", "二", "他的书。"), note("other", "ja", "三", "猫。"))
	for query, want := range map[string]map[string]float32{
		"小屋とは": {"小屋": 1, "とは": 0.5, "屋と": 0.5},
		"とは":   {"とは": 1}, // nothing else was asked
		"他的书":  {"他的": 1, "的书": 1},
	} {
		e, err := x.Explain(t.Context(), Query{Text: query, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range e.Words {
			for _, way := range word.Ways {
				full := (weightExact + weightStem) * float32(math.Log(1+2.5/1.5)) // one of three articles has it
				if got := way.Weight / full; way.Way == wayWord && math.Abs(float64(got-want[word.Word])) > 1e-3 {
					t.Errorf("%s: %s weighs %.3f of a word, want %.3f", query, word.Word, got, want[word.Word])
				}
			}
		}
	}
}

// A text that has the two pairs of a word of three characters only apart from each other has not
// all of the word, as one that has only one of them.
func TestPairsOfAWordBelongTogether(t *testing.T) {
	x := indexOf(t,
		note("apart", "ja", "ソースコードのサポート", "ソースコードをサポートする。"),
		note("sort", "ja", "べつ", "要素をソートする。"),
		note("tags", "ja", "タグ", "1"),
		note("both", "ja", "ソースコードのソート", "2"),
	)
	wantFound(t, x, 10, map[string]string{"ソート": "both sort apart", "ソート サポート": "apart both sort"})
}

// A title that is a part of the query says what the rest is about.
func TestTitlesThatArePartOfTheQuery(t *testing.T) {
	const uses, adds = "std::vector std::vector std::vector", "add or drop a column, add a column"
	x := indexOf(t,
		note("vector", "en", "vector", "class std::vector, 1 2 3 4 5"),
		note("abs", "en", "vector_abs_sum", uses),
		note("max", "en", "vector_idx_abs_max", uses),
		note("other", "en", "list", "std::list"),
		note("without", "en", "vector", "of mathematics"),
		note("alter", "en", "ALTER TABLE", "add or drop a column, 1 2 3 4 5 6 7 8 9"),
		note("rules", "en", "What ALTER TABLE rules", adds),
		note("types", "en", "ALTER TABLE types", adds),
	)
	for query, want := range map[string]string{"std::vector": "vector", "alter table add column": "alter", "column alter a table add": "alter"} {
		if r := search(t, x, query, 1); r.Articles[0].ID != want {
			t.Errorf("%s: %s", query, ids(r))
		}
	}
}

// TestTitlesThatArePartOfTheQueryNeedNotHaveTheRest shows that an article with such a title is not
// below all that have the other words of the query in passing, but below a few.
func TestTitlesThatArePartOfTheQueryNeedNotHaveTheRest(t *testing.T) {
	passing := func(id, language, text string) article.Article {
		return note(id, language, id, text+" This is a longer text about something else, with a lot of other words in it.")
	}
	x := indexOf(t,
		note("locks", "en", "Mutex locks", "Mutex locks keep a mutex locked."),
		note("the", "en", "The tutorial", "Here."), // one word says something
		note("hooks", "en", "Hooks", "Hooks of the site."),
		passing("first", "en", "A tutorial of threads, locks, hooks and a mutex. A rare manual."),
		passing("second", "en", "A tutorial of threads, locks, hooks and a mutex. A rare manual."),
		passing("third", "en", "A tutorial of threads, locks, hooks and a mutex. A rare manual."),
		passing("fourth", "en", "A tutorial of threads, locks, hooks and a mutex."),
		note("verrous", "fr", "Injection de dépendances", "Des dépendances, et leur injection."),
		passing("cinq", "fr", "Faire des injections, et des dépendances."),
		passing("six", "fr", "Faire des injections, et des dépendances."),
		passing("sept", "fr", "Faire des injections, et des dépendances."),
		passing("huit", "fr", "Faire des injections, et des dépendances."),
		note("windows", "en", "Windows services", "Locks, a mutex, and more of what is there."),
		passing("doors", "en", "Windows, locks, a mutex, hooks."),
		passing("gates", "en", "Windows, locks, a mutex, hooks."),
		passing("roofs", "en", "Windows, locks, a mutex, hooks."),
	)
	wantFirst := map[string]string{
		"mutex locks tutorial":                        "locks",
		"tutorial: locks, mutex":                      "locks",
		"comment faire de l’injection de dépendances": "verrous",
	}
	for query, want := range wantFirst {
		if r := search(t, x, query, 1); r.Articles[0].ID != want {
			t.Errorf("%s: %s, want %s", query, ids(r), want)
		}
	}
	wantStrictly(t, x, map[string]string{
		"mutex locks manual":       "first second third",
		`"mutex" locks "tutorial"`: "first fourth second third",
		"the mutex tutorial":       "first fourth second third",
		"mutex locks windows":      "doors gates roofs windows",                   // one is about windows
		"locks, hooks and a mutex": "doors first fourth gates roofs second third", // some say so
		"hooks tutorial":           "first fourth second third",
	})
}

// What Irish asks with is also what English says: an article about CAD is first for its name.
func TestCADIsNoWordOfAsking(t *testing.T) {
	x := indexOf(t,
		note("ga", "ga", "Aimsir", "Tá sé go breá."),
		note("files", "en", "File formats", "File formats for drawings."),
		note("cad", "en", "CAD", "CAD file formats."),
	)
	wantStrictly(t, x, map[string]string{"file formats cad": "cad", "cad file formats": "cad"})
}

// TestWordForWord shows that small words help to find the article that has a query as typed, beside
// others with the other words in their titles, and also if the query has a typo.
func TestWordForWord(t *testing.T) {
	x := open(t, t.TempDir())
	all := []article.Article{note("introduction", "en", "Introduction", "What is Vue? What framework is it? It builds upon the web.")}
	for i := range 30 {
		all = append(all, note(fmt.Sprintf("page%d", i), "en", fmt.Sprintf("Page %d", i), "Vue is a tool, and what it does with components and the tools of Vue is here. A framework is a framework is a framework."))
	}
	update(t, x, "r1", all)
	for _, query := range []string{"what is vue", "What is Vue?", "what framwork is it"} {
		if found := rank(t, x, Query{Text: query, Limit: 3}); len(found) == 0 || found[0].ID != "introduction" {
			t.Errorf("%q finds %v", query, found)
		}
	}
}

// Of titles that are the query, signs and case do not put one before that in the language of the
// site: there a translator left out a full stop, and here a reader does.
func TestSignsInTheLanguageOfTheSite(t *testing.T) {
	x := open(t, t.TempDir())
	updateWith(t, x, article.SearchSettings{Language: "en"}, "r1", []article.Article{
		note("en", "en", "Cannot set both widths.", "The error."), note("ru", "ru", "Cannot set both widths", "Ошибка."),
		note("upper", "en", "JSON", "An object."), note("call", "en", "json()", "A method: json."), note("fr", "fr", "json", "Un objet."),
	})
	for query, want := range map[string]string{
		"cannot set both widths": "en", "Cannot set both widths": "en", "JSON": "upper", "json()": "call", "json": "upper",
	} {
		if got, _, _ := strings.Cut(ids(search(t, x, query, 10)), " "); got != want {
			t.Errorf("%s: got %q first, want %q", query, got, want)
		}
	}
}

// A sentence finds the article that it was copied from before others that have all of its words and
// repeat them, also in the title, and also if nearly all are small words.
func TestSentences(t *testing.T) {
	for from, test := range map[string]struct{ language, sentence, repeating, title string }{
		"English":  {"en", "If this is not what we want of it, then we can do that soon.", "What we want is this. We can do what we want, soon or not, if it is what we then want. That is it.", "What we want"},
		"Russian":  {"ru", "Если это не то, чего мы хотим, то скоро мы можем это изменить.", "Мы хотим изменить это. Чего мы хотим, мы можем. Не то, если скоро. Мы можем изменить то, чего хотим.", "Чего мы хотим"},
		"Japanese": {"ja", "ページがスクロールしても、ここで使われている座標は変わらない。", "ページがスクロールします。座標はページがスクロールしても変わらない。ここで座標は使われている。ページがここで変わらない。", "ページがスクロール"},
	} {
		x := open(t, t.TempDir())
		all := []article.Article{note("copied", test.language, "1", test.sentence)}
		for i := range 30 {
			all = append(all, note(fmt.Sprintf("page%d", i), test.language, fmt.Sprint(test.title, " ", i), strings.Repeat(test.repeating+" ", 3)))
		}
		update(t, x, "r1", all)
		if found := rank(t, x, Query{Text: test.sentence, Limit: 3}); len(found) == 0 || found[0].ID != "copied" {
			t.Errorf("%s: found %v, want the article with the sentence", from, found)
		}
	}
}

// A long article that has the query word for word in passing is not before a short one that is
// about it.
func TestWordForWordInPassing(t *testing.T) {
	x := open(t, t.TempDir())
	all := []article.Article{
		note("client", "en", "How to use it", "This line marks what the client runs of the code."),
		note("server", "en", "How it works", "The client code calls it. "+
			strings.Repeat("What runs on a server is code that answers the client with what it was asked for. ", 20)+
			strings.Repeat("Here is what a server does with the data. ", 80)),
	}
	for i := range 30 {
		all = append(all, note(fmt.Sprintf("page%d", i), "en", fmt.Sprintf("Page %d", i), "Here is what a tool does with components."))
	}
	update(t, x, "r1", all)
	if r := search(t, x, "client code", 2); ids(r) != "client server" {
		t.Errorf("found %q, want the short article first", ids(r))
	}
}

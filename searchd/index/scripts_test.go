package index

import (
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"newsstand/builder/article"
)

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
		note("both", "ja", "りんご", "りんごとリンゴは同じです。"), note("opa", "ja", "略称", "「おーぱ」と発音します。"),
	)
	for query, want := range map[string][2]string{
		"くろーじゃ":      {"closure", "クロージャ"},
		"くろーじ":       {"closure", "クロージ"},
		"さーばー 設定":    {"server", "サーバー 設定"},
		"ラーメン":       {"ramen", "らーめん"},
		"クロージャ":      {"closure", ""},
		"オープンシフト":    {"", ""},
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

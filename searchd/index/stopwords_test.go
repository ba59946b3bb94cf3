package index

import (
	"fmt"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// Small words need not be found, unless they are none.
func TestSmallWords(t *testing.T) {
	wantSearches(t, []searches{
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
		{"a compound with a stop word", []article.Article{
			note("well", "en", "One", "What is known is well known, and known, known, known it is."),
			note("path", "en", "Two", "See /.well-known/ of it, which is long enough to be a little less about what one looks for."),
		}, []string{".well-known => path well"}},
	})
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
	wantFirst(t, x, map[string]string{"e-mail": "email-0", "e mail": "spoken", "y a-t-il un mail": "spoken"})
}

// Nor is a stop word that makes a word of two parts with a letter: v-for is no v, as in v-model.
func TestAStopWordOfALetterIsNone(t *testing.T) {
	articles := []article.Article{note("model", "en", "v-model of components", "How v-model works with lists: v-model binds.")}
	for i := range 12 {
		articles = append(articles, note(fmt.Sprint("list-", i), "en", "Rendering lists", "Render lists with v-for and an index."))
	}
	x := indexOf(t, articles...)
	wantFound(t, x, 1, map[string]string{"v-for": "list-0", "v-for index": "list-0", "lists lists v-for": "list-0", "v-model": "model"})
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
		wantFound(t, x, 1, map[string]string{test.question: "title"})
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
		wantFound(t, x, 1, map[string]string{test.question: "title"})
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

// What Irish asks with is also what English says: an article about CAD is first for its name.
func TestCADIsNoWordOfAsking(t *testing.T) {
	x := indexOf(t,
		note("ga", "ga", "Aimsir", "Tá sé go breá."),
		note("files", "en", "File formats", "File formats for drawings."),
		note("cad", "en", "CAD", "CAD file formats."),
	)
	wantStrictly(t, x, map[string]string{"file formats cad": "cad", "cad file formats": "cad"})
}

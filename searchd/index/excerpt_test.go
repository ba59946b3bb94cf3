package index

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

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
		{"whole syllables in Khmer", "km", "ផ្លូវកាត់ក្តារចុច", "កាត់ក្នុង", "ផ្លូវ<mark>កាត់ក្តា</mark>រចុច"},
		{"a word of one syllable and a half in Khmer", "km", "រាយបញ្ជីផ្លូវ និងស្ត្រីស្ត្រី", "បញ្ជី ស្ត្រី", "រាយ<mark>បញ្ជី</mark>ផ្លូវ និង<mark>ស្ត្រីស្ត្រី</mark>"},
		{"from the syllable in Khmer", "km", "តម្រូវការ", "រូវការ", "ត<mark>ម្រូវការ</mark>"},
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
		{"a word that is missing elsewhere, not two again and again", "en", strings.Repeat("The atomic swap. ", 6) + long + "An index has an atomic swap.", "atomic swap index",
			"An <mark>index</mark> has an <mark>atomic</mark> <mark>swap</mark>."},
		{"nor one again and again", "en", strings.Repeat("The swap. ", 22) + long + "An index has a swap.", "swap index",
			"An <mark>index</mark> has a <mark>swap</mark>."},
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

// A passage neither begins nor ends within what is shown as one character.
func TestPassageKeepsWhatIsShownAsOneCharacter(t *testing.T) {
	for _, one := range []string{"👩\u200d👩\u200d👧\u200d👦", "👍🏽", "🇺🇦", "❤\ufe0f", "ក្ត", "က္က", "Ｅ\u0301", "개"} {
		text := strings.Repeat(one, 500)
		for before := range 12 {
			for _, matched := range []int{1, 20} {
				at := strings.Repeat("so ", 50) + strings.Repeat("x", before) + " " + text
				start := len(at) - len(text)/2
				begin, end := passage(at, start, start+matched*len(one))
				if !strings.HasPrefix(at[begin:], one) || !strings.HasSuffix(at[:end], one) || (len(at)-end)%len(one) != 0 || (len(at)-begin)%len(one) != 0 {
					t.Errorf("%s, %d: %q", one, before, at[begin:end])
				}
			}
		}
		for room := range 12 {
			matched := strings.Repeat("m", passageRunes-room)
			_, end := passage(matched+" "+text, 0, len(matched))
			if strings.ReplaceAll(text[:max(0, end-len(matched+" "))], one, "") != "" {
				t.Errorf("%s, room for %d: %q", one, room, text[:end-len(matched+" ")])
			}
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

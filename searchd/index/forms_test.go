package index

import (
	"fmt"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// A word is found in the spellings that people take for the same word.
func TestSpellings(t *testing.T) {
	wantSearches(t, []searches{
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
		{"names that a hyphen joins to another word", []article.Article{
			note("name", "da", "Funktioner", "ER.IKKE.TEKST er sand, hvis det ikke er en tekst. Og AT&T."),
			note("parts", "da", "Andet", "En tekst, en funktion, en tekst og en funktion."),
			note("app", "de", "x", "Eine Node.js-Anwendung mit package.json-Datei."),
		}, []string{
			"ER.IKKE.TEKST-funktion => name parts", "er.ikke.tekst => name parts", "AT&T-kunder => name", "nodejs => app", "packagejson => app", "nodejs-anwendung => app", "node.js-anwendung => app",
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
		{"dots between characters", []article.Article{
			note("ja", "ja", "x", "マーク・ザッカーバーグは東京タワーにいる。"),
			note("zh", "zh", "y", "支持全文搜索。亚当·凯来了。第一，二"),
			note("ko", "ko", "z", "데이터 베이스"),
		}, []string{
			"マークザッカーバーグ => ja", "マーク・ザッカーバーグ => ja", `"全文 搜索" => zh`, "亚当凯 => zh",
			"一二 => ", "터베 => ", `"第一 二" => zh`,
		}},
		{"initials", []article.Article{
			note("usa", "en", "One", "Made in the U.S.A. by NASA."),
			note("plain", "en", "Two", "Made in USA by N.A.S.A."),
			note("letters", "en", "Three", "The letters u, s, a and n."),
			note("path", "en", "Four", "The path a.b.c/d."),
		}, []string{"U.S.A. ~> usa plain", "usa? ~> usa plain", "u.s.a ~> usa plain", "nasa ~> usa plain", "a.b.c => path", "b ~> path", `"u.s.a" => usa`}},
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
	})
}

// So is a number.
func TestNumbers(t *testing.T) {
	wantSearches(t, []searches{
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
		{"signs and numbers side by side", []article.Article{
			note("board", "en", "4×4", "Boards of a game."),
			note("cups", "en", "One", "Take 2×sugar and say oil# now."),
			note("part", "en", "Two", "Take 1/2.5 of it, a ten-fold gain."),
			note("austria", "en", "Three", "Flags: 🇦🇹 and 🇩🇪."),
			note("other", "en", "Four", "Flags: 🇦🇸 and 🇮🇹."),
		}, []string{
			"4x4 => board", "take -sugar => part", "take -oil => part", "take -2.5 => cups", "gain -ten => ", "🇦🇹 => austria",
		}},
		{"signs between digits", []article.Article{
			note("half", "en", "Doses", "A dose of 3·5 mg."),
			note("tall", "en", "Height", "Someone 5’11 tall."),
		}, []string{"35 => ", "3·5 => half", "3.5 => half", "511 => ", "5'11 => tall", "5’11 => tall"}},
		{"digits of other scripts", []article.Article{
			note("hi", "hi", "y", "वर्ष २०२४ में"),
			note("th", "th", "ค", "ในปี๒๕๖๗มีความ"),
			note("fa", "fa", "x", "سال ۱۴۰۳"),
			note("en", "en", "z", "In 2024 and 1.50."),
			note("ar", "ar", "ن", "الإصدار ٣٫٧ بسعر ١٠٬٠٠٠"),
			note("bn", "bn", "ব", "সংস্করণ ২.৮.৪ এবং ৩. ৭"),
		}, []string{"3.7 => ar", "٣٫٧ => ar", "٣.٧ => ar", "10000 => ar", "١٠٠٠٠ => ar", "37 => ", "2.8.4 => bn", "২.৮ => bn", "2.8 => bn", "v2.8 => bn", "284 => ", "2024 => hi en", "२०२४ => hi en", "2567 => th", "๒๕๖๗ => th", "1403 => fa", "2567 มี => th", "1.5.0 => ", "1.50 => en"}},
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
			"django 5 => five text chapter four", "what is new in django 5 => five four chapter text", "new django 5? => five chapter four text", "5 => chapter five text", "0 => ", `"django 5" => `, "chapter 5 => chapter five text", "django 5 out => five text chapter four",
			"django5 => five text chapter four", "django5.0 => text four five", "what is new in django5.0 => four text five", "django50 => ", "django5.1 => five", "5django => ",
		}},
	})
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

// Whoever searches an identifier means the article that has it, not one that says more about its
// words. In a longer query, how the words are joined says less.
func TestIdentifiersComeFirst(t *testing.T) {
	filler := strings.Repeat("Nothing is said here about what anyone looks for. ", 20)
	long := strings.Repeat(filler, 6)
	x := indexOf(t,
		note("apart", "en", "One", "The color is red: red color, red color, red. "+filler), note("written", "en", "Two", "const COLOR_RED is one of a hundred names. "+long),
		note("advice", "en", "Three", "CVE of 2024 and 2022: 24999, 24999 and CVE. "+filler), note("numbered", "en", "Four", "Fixed CVE-2022-24999. "+long),
		note("other", "en", "Five", filler),
	)
	for query, want := range map[string]string{"color_red": "written", "COLOR_RED": "written", "color red": "apart", "CVE-2022-24999": "numbered", "2022 24999 cve": "advice"} {
		if got := ids(search(t, x, query, 10)); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want first %s", query, got, want)
		}
	}
}

// A title that has all words of a compound is about it, however it joins them.
func TestTitlesKeepTheirPlaceBeforeCompounds(t *testing.T) {
	filler := strings.Repeat("Nothing is said here about what anyone looks for. ", 20)
	x := indexOf(t,
		note("titled", "en", "Backward compatibility and you", "What compatibility is. "+filler), note("says", "en", "Notes", "It is backward-compatible, which is backward-compatible enough."),
		note("half", "en", "Going backward", "A compatible car. "+filler),
		note("a", "en", "One", filler), note("b", "en", "Two", filler), note("c", "en", "Three", filler), note("d", "en", "Four", filler),
	)
	if got := ids(search(t, x, "backward-compatible", 10)); got != "titled says half" {
		t.Error(got)
	}
}

// With which article an apostrophe joins a word says nothing about what is meant.
func TestElidedArticlesSayLittle(t *testing.T) {
	x := indexOf(t,
		note("much", "fr", "Un", "Un empire, beaucoup d'empires, trop d'empire, point d'empire, peu d'empire et l’or."), note("once", "fr", "Deux", "Ici, l'empire et un bâtiment dans une rue de la ville."),
		note("suffix", "tr", "Bir", "Türkiye'de ve Türkiye'den, Türkiye'ye, Türkiye'de ve Türkiye."), note("ending", "tr", "İki", "Türkiye'nin bir şehri ve bir sokak daha var."),
		note("a", "fr", "Trois", "Autre chose."), note("b", "fr", "Quatre", "Autre chose."), note("c", "tr", "Üç", "Başka."), note("d", "tr", "Dört", "Başka."),
	)
	for query, want := range map[string]string{"l'empire": "much once", "l’empire": "much once", "origine de l'empire": "much once", "Türkiye'nin": "suffix ending"} {
		if got := ids(search(t, x, query, 10)); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

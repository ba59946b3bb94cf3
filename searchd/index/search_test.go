package index

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"newsstand/builder/article"
)

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
	wantFound(t, x, 10, map[string]string{
		"swap":  "d-first a-text b-none c-open e-second",
		"r&d":   "d-first a-text b-none c-open e-second",
		"walks": "e-second a-text b-none c-open d-first",
		"seats": "e-second a-text b-none c-open d-first",
	})
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

var marks = regexp.MustCompile("</?mark>")

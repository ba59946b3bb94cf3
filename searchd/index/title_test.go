package index

import (
	"fmt"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// An article is found before others by its title, even if that is not quite the query.
func TestTitles(t *testing.T) {
	wantSearches(t, []searches{
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
		}, []string{"como melhor => on form text", "como melhor? => form on text", "melhor => form text on", "como melhorar => on form text"}},
		{"questions that begin alike", []article.Article{
			note("where", "en", "Where does the language come from?", "It began as a project of one person."),
			note("what", "en", "What is the language?", "It is a language for systems."),
			note("which", "en", "Which language is it?", "A language of systems, not one of scripts."),
		}, []string{"where did the language start => where what which"}},
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
		{"a title that has the signs of the query, and more", []article.Article{
			note("element", "en", "<map>", "Map map map."),
			note("method", "en", ".map()", "A method of arrays that makes an array of another, item by item."),
			note("class", "en", "Map", "Map map map map, and how to use all of its methods."),
		}, []string{"map() => method element class", "<map> => element class method", "Map => class element method"}},
	})
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
	wantFound(t, x, 1, map[string]string{"pragma once": "once", "this pointer": "this", "once the pragma": "once"})
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
	wantFound(t, x, 1, map[string]string{
		"electron 9": "nine", "Electron 9?": "nine", "the electron 7": "stop", "end of electron 7": "stop", "electron 12": "two", "electron 9.0": "nine",
	})
	if got := search(t, x, `"electron 9"`, 10); strings.Contains(ids(got), "nine") {
		t.Errorf("a phrase means its words as they are, but found %q", ids(got))
	}
}

// A version is the same with a v and without, in a query and in a title.
func TestVersionsWithALetter(t *testing.T) {
	x := indexOf(t,
		note("one", "en", "React v0.14", "A release."), note("patch", "en", "React v0.14.8", "React 0.14 has a fix in 0.14.8; React 0.14 is what to use."),
		note("candidate", "en", "React v0.14 Candidate", "React 0.14 is soon out."), note("plain", "en", "React 16.2", "A release."),
		note("major", "en", "React v15.0", "A release."), note("minor", "en", "React 15.1", "A release."), note("other", "en", "React v150.0", "A release."),
		note("says", "en", "Browsers", "React 15, or React v15, drops some; React v15 and React 15 are smaller."),
		note("v", "en", "Node", "Since v3.1 of it."), note("v30", "en", "Deno", "Since v30.1 of it."),
	)
	wantFirst(t, x, map[string]string{
		"react 0.14": "one candidate patch", "react v0.14": "one candidate patch", "React v16.2": "plain", "react 0.14.8?": "patch", "react 0.14 cand": "candidate",
		"react 15?": "minor major says", "releases of react v15?": "major minor says", "since 3 of it": "v", "since v3 of it": "v",
	})
	if marked := search(t, x, "since 3 of it?", 1).Articles[0].ExcerptHTML; marked != "<mark>Since</mark> <mark>v3.1</mark> <mark>of</mark> <mark>it</mark>." {
		t.Errorf("marked %s", marked)
	}
}

// A query that begins with a title is about that, rather than about another title with its words.
func TestTitlesThatTheQueryBeginsWith(t *testing.T) {
	x := indexOf(t,
		note("start", "en", "Start-Process", "Starts processes, and with -Wait waits for them, 1 2 3 4."),
		note("wait", "en", "Wait-Process", "Waits for processes, until these have ended; see Start-Process -Wait."),
		note("stop", "en", "Stop-Process", "Stops processes; see Start-Process -Wait, and wait."),
	)
	wantFirst(t, x, map[string]string{"Start-Process wait": "start wait", "wait process start": "wait start", "process wait start": "wait start"})
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

// A title has an hour, or a number with its unit, even if it writes it as more than two words.
func TestTitlesWithNumbersSetApart(t *testing.T) {
	all := []article.Article{
		note("hour", "en", "Open from 8 a.m.", "We wait for you."), note("far", "en", "Run of 10 000 km", "For all who can."),
		note("text", "en", "Others", "It begins at 8am, at 8am, and is 10000km long, yes 10000km."),
	}
	x := indexOf(t, append(all, others()...)...)
	wantFound(t, x, 2, map[string]string{"8am": "hour text", "10000km": "far text"})
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
	wantFound(t, x, 1, map[string]string{"std::vector": "vector", "alter table add column": "alter", "column alter a table add": "alter"})
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
	wantFound(t, x, 1, map[string]string{
		"mutex locks tutorial":                        "locks",
		"tutorial: locks, mutex":                      "locks",
		"comment faire de l’injection de dépendances": "verrous",
	})
	wantStrictly(t, x, map[string]string{
		"mutex locks manual":       "first second third",
		`"mutex" locks "tutorial"`: "first fourth second third",
		"the mutex tutorial":       "first fourth second third",
		"mutex locks windows":      "doors gates roofs windows",                   // one is about windows
		"locks, hooks and a mutex": "doors first fourth gates roofs second third", // some say so
		"hooks tutorial":           "first fourth second third",
	})
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

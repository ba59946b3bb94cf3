package index

import (
	"testing"

	"newsstand/builder/article"
)

// A word may be written as two, two as one, and one may be a part of another.
func TestSpaces(t *testing.T) {
	wantSearches(t, []searches{
		{"a space more or less", []article.Article{
			note("database", "en", "Storage", "A database for all of us."),
			note("open", "en", "Open source", "Sources that are open."),
			note("closed", "en", "Other", "Source that is open, and 16 GB of it."),
			note("backup", "en", "Copies", "A backup of the disk in 2024."),
			note("both", "en", "Databases", "Data is the base of a database."),
		}, []string{
			"data base => both database", "opensource => open", "16gb => closed", "back up disk => backup", "20 24 => ", "database storge => database both",
			"datab ase => both database", "op en ~> open closed", `"data base" => `, "sourcethatis => ", "forall => database",
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
		{"words that are written as one in another form", []article.Article{
			note("hook", "en", "Webhook plugin", "A webhook asks for it."),
			note("hooks", "en", "Other", "A web of hooks."),
			note("database", "en", "Storage", "Databases and other bases of data."),
			note("mill", "de", "Windmühle", "Im Wind steht eine Mühle."),
			note("mills", "de", "Getreide", "Viele Windmühlen."),
			note("pro", "cs", "Programy", "Programy a hry."),
			note("program", "cs", "Jiné", "Program je ovan, hra je."),
		}, []string{
			"web hooks => hook hooks", "data bases? ~> database", "data base ~> database", "wind mühlen => mill mills", "wind mühle => mill mills", "program ovan => program pro",
		}},
		{"a small word that is written with the one before", []article.Article{
			note("login", "en", "Login", "Set the only field to readonly."),
			note("log", "en", "Logs", "Log what was read in the application, or that it is a fact."),
			note("factor", "en", "Factor", "The only factor."),
		}, []string{"log in => login log", "read only field => login log", "read only? ~> login log", "fact or => factor log", "fact or log => log login factor"}},
	})
}

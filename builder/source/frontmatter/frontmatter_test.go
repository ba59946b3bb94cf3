package frontmatter

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"newsstand/builder/source/script"
)

// show writes a value in one line: text and numbers as they are, lists and tables in brackets.
func show(v Value) string {
	switch v.Kind {
	case Null:
		return "nothing" + v.Text
	case List:
		var items []string
		for _, i := range v.Items {
			items = append(items, show(i))
		}
		return "[" + strings.Join(items, " ") + "]"
	case Table:
		var fields []string
		for _, f := range v.Fields {
			fields = append(fields, fmt.Sprintf("%d:%d %s=%s", f.Line, f.Column, f.Key, show(f.Value)))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return v.Text
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ file, meta, body string }{
		{"---\na: b\n---\ntext\n", "{2:1 a=b}", "4 text\n"},
		{"\ufeff\n\n---\na: b\n...\ntext", "{4:1 a=b}", "6 text"},
		{"\u200b\u200e---\u00a0\na: b\n---\u00a0\ntext", "{2:1 a=b}", "4 text"},
		{"\u00a0+++\na = 1\n+++\u200b\ntext", "{2:1 a=1}", "4 text"},
		{"---\r\na: [b, c]\r\n---\r\ntext", "{2:1 a=[b c]}", "4 text"},
		{"---\na: ~\nb: null\n---\ntext", "{2:1 a=nothing, 3:1 b=nothing}", "5 text"},
		{"---\ra: b\r---\rtext\r", "{2:1 a=b}", "4 text\n"},
		{"---\na: b\n---\n```\rcode\r\n```\n", "{2:1 a=b}", "4 ```\ncode\n```\n"},
		{"---\r\r\na: b\r\r\n---\r\r\n- c\r\r\n- d\r\r\n", "{2:1 a=b}", "4 - c\n- d\n"},
		{"---\n---\ntext", "{}", "3 text"},
		{"---\na: !b\nc: !!str\n---\ntext", "{2:1 a=!b, 3:1 c=}", "5 text"},
		{"--- a: b\n---\ntext", "{1:1 a=b}", "3 text"},
		{"------\na: b\n------\ntext", "{2:1 a=b}", "4 text"},
		{"---json\n{}\n---\n", "{}", "4 "},
		{"---yml\na: b\n---\ntext", "{2:1 a=b}", "4 text"},
		{"---YAML\na: b\n---\ntext", "{2:1 a=b}", "4 text"},
		{"yml\na: b\n---\ntext", "nothing", "1 yml\na: b\n---\ntext"},
		{"---js\n\n// a\nconst a = 'b: c';\nlet d = [\"e\", 1,]\n---\ntext", "{4:7 a=b: c, 5:5 d=[e 1]}", "7 text"},
		{"---js\nconst a = {\n\tb: 'c',\n\td: 1\n};\nvar e = true;\n---\ntext", "{2:7 a={3:2 b=c, 4:2 d=1}, 6:5 e=true}", "8 text"},
		{"---js\n{}\n---\n", "{}", "4 "},
		{"---js\n{\n\ta: 'b', // c\n}\n---\n", "{3:2 a=b}", "6 "},
		{"---js\nconst a = 'it\\'s', b = -1.5; const c = {d: [a, null], é: {f: `${a} g`}} as const;\n---\n", "{2:7 a=it's, 2:20 b=-1.5, 2:36 c={2:41 d=[it's nothing], 2:55 é={2:59 f=it's g}}}", "4 "},
		{"+++\na = 1\n[t]\nb = \"c\"\n+++\n", "{2:1 a=1, 3:2 t={4:1 b=c}}", "6 "},
		{"+++\na.b = 1\na.c = [ # d\n{e = 2}]\n[[f.g]]\nh = 1\n[[f.g]]\nh = 2\n[f.i]\n[f]\nj = 3\n+++\n",
			"{2:1 a={2:3 b=1, 3:3 c=[{4:2 e=2}]}, 5:3 f={5:5 g=[{6:1 h=1} {8:1 h=2}], 9:4 i={}, 11:1 j=3}}", "13 "},
		{"---\na: &a {b: 1}\nc: &c {b: 2, d: 3}\nd: 4\n<<: [*a, *c]\ne:\n  <<: *a\n---\n",
			"{2:1 a={2:8 b=1}, 3:1 c={3:8 b=2, 3:14 d=3}, 4:1 d=4, 6:1 e={2:8 b=1}, 2:8 b=1}", "9 "},
		{`{"a": {"b": [true, null]}}` + "\ntext", "{1:2 a={1:8 b=[true nothing]}}", "1 \ntext"},
		{"Title: A\nDate: 2026-01-01\n\ntext", "{1:1 Title=A, 2:1 Date=2026-01-01}", "1 Title: A\nDate: 2026-01-01\n\ntext"},
		{"% A\n  b\n% C; D\n% E\n\ntext", "{1:1 title=A b, 3:1 authors=[C D], 4:1 created=E}", "1 % A\n  b\n% C; D\n% E\n\ntext"},
		{"Title: A\nAuthors: B, C\nTags: d; e\n\ntext", "{1:1 Title=A, 2:1 Authors=[B C], 3:1 Tags=[d e]}", "1 Title: A\nAuthors: B, C\nTags: d; e\n\ntext"},
		{"Title: A\nDate: 2026-01-01\nAuthors: B, C;\n    D\n\ntext", "{1:1 Title=A, 2:1 Date=2026-01-01, 3:1 Authors=[B, C D]}", "1 Title: A\nDate: 2026-01-01\nAuthors: B, C;\n    D\n\ntext"},
		{"Title: A\nDate: 2026-01-01\nSummary: B\n\tC\nCss1: d\nStatus: draft\n\ntext", "{1:1 Title=A, 2:1 Date=2026-01-01, 3:1 Summary=B C, 5:1 Css1=d, 6:1 draft=true}", "1 Title: A\nDate: 2026-01-01\nSummary: B\n\tC\nCss1: d\nStatus: draft\n\ntext"},
		{"title = A=b\n\ntags=c,d\nog.a=\nstatus=published\n~~~~~~\ntext", "{1:1 title=A=b, 3:1 tags=[c d], 4:1 og.a=, 5:1 status=published}", "1 title = A=b\n\ntags=c,d\nog.a=\nstatus=published\n~~~~~~\ntext"},
		{"type=post\nstatus=draft\n~~~~~~\ntext", "{1:1 type=post, 2:1 draft=true}", "1 type=post\nstatus=draft\n~~~~~~\ntext"},
		{"date=2026-01-01\nstatus=published-date\n~~~~~~\n", "{1:1 date=2026-01-01, 2:1 status=published-date}", "1 date=2026-01-01\nstatus=published-date\n~~~~~~\n"},
		{"a=b\n~~~~~~\nc\n~~~~~~\n", "nothing", "1 a=b\n~~~~~~\nc\n~~~~~~\n"},
		{"---\na: !important in CSS\nb: !b\nc: !c 'd'\nd: !!str 5\ne: ! f\ng: !!h i\n---\n", "{2:1 a=!important in CSS, 3:1 b=!b, 4:1 c=d, 5:1 d=5, 6:1 e=f, 7:1 g=!!h i}", "9 "},
		{"---\na: !binary |\n  R29vZ2xl\n  IMOl\nb: !!binary dHJ1ZQ==\nc: !binary d'e\nd: !!binary /w==\n---\n", "{2:1 a=Google å, 5:1 b=true, 6:1 c=!binary d'e, 7:1 d=/w==}", "9 "},
		{"---\na: b\n--- text\nmore", "{2:1 a=b}", "3  text\nmore"},
		{"---\n\ntext\n", "nothing", "1 ---\n\ntext\n"},
		{"---\n**Note**: text\n", "nothing", "1 ---\n**Note**: text\n"},
		{"Title: A\nAuthor: B\nBase Header Level: 2\n\ntext", "{1:1 Title=A, 2:1 Author=B, 3:1 Base Header Level=2}", "1 Title: A\nAuthor: B\nBase Header Level: 2\n\ntext"},
		{"Title: A\nAuthor: B\nThe first thing: text", "{1:1 Title=A, 2:1 Author=B}", "1 Title: A\nAuthor: B\nThe first thing: text"},
		{"%%time\ntext", "nothing", "1 %%time\ntext"},
		{"title:: A\nb:: c\npublic:: true\n\ntags:: d", "{1:1 title=A, 3:1 public=true}", "1 title:: A\nb:: c\npublic:: true\n\ntags:: d"},
		{"Note: a line of text\n\ntext", "{1:1 Note=a line of text}", "1 Note: a line of text\n\ntext"},
		{"{{< shortcode >}}\n", "nothing", "1 {{< shortcode >}}\n"},
		{"", "nothing", "1 "},
	} {
		doc, err := Parse([]byte(c.file))
		if err != nil {
			t.Errorf("%q: %v", c.file, err)
			continue
		}
		if got := show(doc.Meta); got != c.meta {
			t.Errorf("%q: meta %s, want %s", c.file, got, c.meta)
		}
		if got := fmt.Sprintf("%d %s", doc.BodyLine, doc.Body); got != c.body {
			t.Errorf("%q: body %q, want %q", c.file, got, c.body)
		}
	}
}

func TestParseMistakes(t *testing.T) {
	for file, want := range map[string]string{
		"---\na: b\n":                       `1:1: the front matter that "---" opens has no end`,
		"---\nog:a: b\n":                    `1:1: the front matter that "---" opens has no end`,
		"---\nh1: b\n":                      `1:1: the front matter that "---" opens has no end`,
		"---\n“é.a”: b\n":                   `1:1: the front matter that "---" opens has no end`,
		"---\na: b: c\n---\n":               "2:5: the YAML cannot be read: mapping values are not allowed in this context",
		"---\n- a\n---\n":                   "2:1: this is a list, not keys with values",
		"---\n[a]\nb: c\n---\n":             "2:1: this is a list, not keys with values",
		"---\n\"a\" b\n---\n":               "2:1: this is text, not keys with values",
		"+++\na = b\n+++\n":                 "2:5: the TOML cannot be read: ",
		"+++\na = 1\na = 2\n+++\n":          `3:1: the key "a" is given twice`,
		"+++\na.b = 1\na = 2\n+++\n":        `3:1: the key "a" is given twice`,
		"+++\n[a]\n[b]\n[a]\n+++\n":         `4:2: the key "a" is given twice`,
		"+++\n[[a.b]]\n[a]\nb.c = 1\n+++\n": `4:1: the key "b" is given twice`,
		"{\"a\": 1,}\n":                     "1:9: the JSON cannot be read: ",
		"{\"a\": 1,\n\"b\": True}":          "2:6: the JSON cannot be read: invalid character 'T' looking for beginning of value",
		"---json\n\"a\": 1\n---\n":          "2:1: this is text, not keys with values",
		"---js\n{a() {}}\n---\n":            "2:2: the front matter is JavaScript, which is not run here",
		"---js\nconst a = 1;\nconst draft = process.env.DRAFT;\n---\n":         "3:15: the front matter is JavaScript, which is not run here",
		"---js\nconst a = {b: [...c]};\n---\n":                                 "2:19: the front matter is JavaScript, which is not run here",
		"---js\nconst a = {...b};\n---\n":                                      "2:15: the front matter is JavaScript, which is not run here",
		"---js\nfunction permalink() {}\n---\n":                                "2:1: the front matter is JavaScript, which is not run here",
		"---js\nconst a = 1;\n\ta.b();\n---\n":                                 "3:2: the front matter is JavaScript, which is not run here",
		"---js\nconst a = {\n---\n":                                            "3:1: the JavaScript cannot be read: Expected identifier but found end of file",
		"---js\nconst é = 'é' + ;\n---\n":                                      "2:17: the JavaScript cannot be read: Unexpected \";\"",
		"---js\nconst a = " + strings.Repeat("!", script.MaxBytes) + "\n---\n": "2:1: the JavaScript cannot be read: it is longer than 64 kB",
		"---\na: \xff\n---\n":                                                  "2:4: the file is not UTF-8",
		"a\x00b":                                                               "1:2: the file has a zero byte, which text never has",
		"---\na: " + strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2) + "\n---\n":                                                "more than 100 levels deep",
		"+++\na = " + strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2) + "\n+++\n":                                               "more than 100 levels deep",
		"{\"a\": \"" + strings.Repeat("[", maxDepth+2) + "\",\n\"b\": " + strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2) + "}": "2:106: values lie more than 100 levels deep",
		"---\na: " + strings.Repeat("x", MaxBytes) + "\n---\n":                                                                                    "longer than 256 kB",
	} {
		_, err := Parse([]byte(file))
		if err == nil || !strings.Contains(err.Error(), want) || err.Hint == "" {
			t.Errorf("%.40q: %+v, want %s and a hint", file, err, want)
		}
	}
}

// A mistake is reported with its column and a hint of its own, not in the words of the parser.
func TestParseHints(t *testing.T) {
	for _, c := range []struct{ head, place, hint string }{
		{"a: b\n  c: d", "3:3", `put a value that contains ": " in quotes, and let all keys begin in one column`},
		{"a:\n  - é: f: g", "3:9", `put a value that contains ": " in quotes, and let all keys begin in one column`},
		{"a: 'it's b'", "2:8", `let nothing follow the quote that closes a value; within "…" write \" for a quote, and within '…' write '' for one`},
		{`a: "b", `, "2:7", `let nothing follow the quote that closes a value; within "…" write \" for a quote, and within '…' write '' for one`},
		{`a: "é`, "2:4", "close the quote that is opened here"},
		{`a: "é\w"`, "2:6", `write \\ for each \ between double quotes, or put the value in single quotes`},
		{`a: "C:\xampp"`, "2:7", `write \\ for each \ between double quotes, or put the value in single quotes`},
		{`a: "\UFFFFFFFF"`, "2:5", `write \\ for each \ between double quotes, or put the value in single quotes`},
		{"a: - b", "2:4", `put a value that begins with "- ", "? ", > or | in quotes`},
		{"a: > b", "2:4", `put a value that begins with "- ", "? ", > or | in quotes`},
		{"a: *b", "2:4", "put a value that begins with * or & in quotes"},
		{"a: *b* c", "2:4", "put a value that begins with * or & in quotes"},
		{"a: b\nc: @d", "3:4", "put a value that begins with @ in quotes"},
		{"a: %d", "2:4", "put a value that begins with % in quotes"},
		{"a: [b, @d]", "2:8", "put a value that begins with @ in quotes"},
		{"a: [>d]", "2:5", "put a value that begins with > in quotes"},
		{"a:\n  @b: c", "3:3", "put a value that begins with @ in quotes"},
		{"a: \"b\"%", "2:7", "put a value that begins with % in quotes"},
		{"a:\n  - b: [c://d\n  - e", "3:8", "close the bracket that is opened here"},
		{"a: [b, c}", "2:9", "close it with ]"},
		{"a: {b: c]", "2:9", "close it with }"},
		{"a: [b]%", "2:7", "let nothing follow the bracket that closes a value"},
		{"a:\n  -\t b: c", "3:4", "indent with spaces, not tabs"},
		{"a: [b,#c]", "2:7", "put what begins with # in quotes: it is a comment to YAML"},
		{"a: b\n'c: d", "3:1", "close the quote that is opened here"},
		{"a: b\n{c: d", "3:1", "close the bracket that is opened here"},
		{"a:\n\t- b", "3:1", "indent with spaces, not tabs"},
		{"a: [b] c", "2:4", "put a value that begins with [ in quotes"},
		{"a: {b} c", "2:4", "put a value that begins with { in quotes"},
		{"a: b\n\tc: d", "3:1", "indent with spaces, not tabs"},
		{"a: [b", "2:4", "close the bracket that is opened here"},
		{"a: {b: [c]\nd: e", "2:4", "close the bracket that is opened here"},
		{"a: [é, #b]", "2:8", "put what begins with # in quotes: it is a comment to YAML"},
		{`a: ["é, [" b]`, "2:12", "put a comma before it"},
		{`a: ['it''s' b]`, "2:13", "put a comma before it"},
		{"a: [é,, b]", "2:7", "remove the comma"},
		{"a: [é, , b]", "2:8", "remove the comma"},
		{"a: ]b", "2:4", "put a value that begins with ] in quotes"},
		{"a:\n  - b\n - c", "4:2", "indent it as the lines that it belongs to"},
		{"a: b\n}", "3:1", `write one "key: value" on a line, with a space after the colon`},
		{"é:b\nc: d", "2:1", `write one "key: value" on a line, with a space after the colon`},
		{"a: b\nc:d\n\ne: f", "3:1", `write one "key: value" on a line, with a space after the colon`},
		{"a:\u00a0b\nc: d", "2:1", "write the plain space of the keyboard in place of the other one (U+00A0)"},
		{"a: “b: c”", "2:4", `write plain quotes, " or ', in place of “`},
		{"a: Ann’s b: c", "2:11", `put a value that contains ": " in quotes, and let all keys begin in one column`},
		{"a: b\n<<<<<<< HEAD\nc: d\n=======\nc: e\n>>>>>>> f", "3:1", "choose between the two, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>"},
		{"a: b\n>>>>>>> f", "3:1", "choose between the two, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>"},
		{"a:b", "2:1", `write one "key: value" on a line, with a space after the colon`},
		{"a: b\nc:d", "3:1", `write one "key: value" on a line, with a space after the colon`},
		{"a:\u00a0b", "2:1", "write the plain space of the keyboard in place of the other one (U+00A0)"},
		{"a: b\nc：d", "3:1", "write the plain colon of the keyboard in place of “：”"},
		{" a: b\nc: d", "3:1", "let all keys begin in one column, and put no braces around some of them"},
		{"  a: b\n  e: f\n c: d\n", "4:2", "let all keys begin in one column, and put no braces around some of them"},
		{"{a: b}\nc: d", "3:1", "let all keys begin in one column, and put no braces around some of them"},
		{"  - a\n- b", "3:1", "indent it as the lines that it belongs to"},
	} {
		doc, err := Parse([]byte("---\n" + c.head + "\n---\n"))
		if err = cmp.Or(err, doc.Fault); err == nil {
			t.Errorf("%q: no error", c.head)
		} else if place := fmt.Sprintf("%d:%d", err.Line, err.Column); place != c.place || err.Hint != c.hint {
			t.Errorf("%q: %s: %s\n%s", c.head, place, err.What, err.Hint)
		}
	}
	for head, hint := range map[string]string{
		"a = “b”":                      `write plain quotes, " or ', in place of “`,
		"a = True":                     "write true or false in small letters",
		"a = b":                        `put text in quotes: key = "value"`,
		"a = \"b\nc = 1":               "close the quote that is opened on this line",
		`a = "b\w"`:                    `write \\ for each \ between double quotes, or put the text in single quotes`,
		"a: b":                         `write "key = value" on a line, with an equals sign`,
		`a = ["b" "c"]`:                "look for a missing comma or bracket on this line or the one above",
		"[a\nb = 1":                    "close the brackets around the name of the table, as in [extra]",
		"<<<<<<< HEAD\na = 1\n=======": "choose between the two, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>",
		"a = \"\"\"\nb":                "close the quotes that are opened: \"\"\"",
		"a = 05":                       "write a number without zeros before it, and a date as 2006-01-02",
		"a = 01/02/2026":               "write a number without zeros before it, and a date as 2006-01-02",
		"[[a]\nb = 1":                  "close the brackets around the name of the table, as in [[extra]]",
		`a = ["b", "c"`:                "close the bracket of the list",
		`a = ["b",, "c"]`:              "remove the comma",
		`a = "b", "c"`:                 `write a list in brackets, as in ["one", "two"]`,
		`= "b"`:                        `write "key = value" on a line, and # before a comment`,
		"// b":                         `write "key = value" on a line, and # before a comment`,
		`a == "b"`:                     `write "key = value" on a line, with an equals sign`,
		`a => "b"`:                     `write "key = value" on a line, with an equals sign`,
		"a = 1.0.0":                    `put text in quotes: key = "value"`,
		"a = true;":                    `let nothing follow a value on its line; within "…" write \" for a quote, and put text with ' in double quotes`,
		"a = 'it's b'":                 `let nothing follow a value on its line; within "…" write \" for a quote, and put text with ' in double quotes`,
	} {
		if _, err := Parse([]byte("+++\n" + head + "\n+++\n")); err == nil || err.Hint != hint || strings.Contains(err.What, "â") {
			t.Errorf("%q: %+v", head, err)
		}
	}
	for head, want := range map[string]string{
		`{"a": 1,}`:            "1:9: remove the comma before it",
		"{\"a\": [1,\n]}":      "2:1: remove the comma before it",
		"{\"a\": 1\n\"b\": 2}": "2:1: put a comma before it",
		`{"a": [1 2]}`:         "1:10: put a comma before it",
		`{"a": True}`:          "1:7: write true or false in small letters",
		`{"a": yes}`:           "1:7: put keys and text in double quotes, with commas between the keys and none after the last",
		`{"a": 'b'}`:           "1:7: put keys and text in double quotes, with commas between the keys and none after the last",
		`{"a": 1, b: 2}`:       "1:10: put keys and text in double quotes, with commas between the keys and none after the last",
		`{"a": “b”}`:           `1:7: write plain quotes, " or ', in place of “`,
		`{"a": 1 // b` + "\n}": "1:9: remove the comment: JSON has none",
		`{"a": "\q"}`:          `1:9: write \\ for each \ in a text`,
		"{\"a\": \"b\tc\"}":    `1:9: write \t for a tab`,
		`{"a": ["b", "c"}`:     "1:16: close the bracket before it: ]",
		`{"a": 1,, "b": 2}`:    "1:9: remove the comma",
		`{"a": }`:              "1:7: write a value after the colon",
		`{"a" = 1}`:            "1:6: put a colon between a key and its value",
		`{"a"}`:                "1:5: put a colon between a key and its value",
		`{"a": 1; "b": 2}`:     "1:8: put a comma in its place",
		"{\"a\": \"b\nc\"}":    `1:9: close the quote on its line; \n in it is a new line`,
		"{\"a\": 1,\n<<<<<<< b\n\"c\": 2\n=======\n\"c\": 3\n>>>>>>> d\n}": "2:1: choose between the two, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>",
	} {
		if _, err := Parse([]byte(head)); err == nil || fmt.Sprintf("%d:%d: %s", err.Line, err.Column, err.Hint) != want {
			t.Errorf("%s: %+v, want %s", head, err, want)
		}
	}
	for file, want := range map[string]string{
		"\xff\xfe#\x00 \x00A\x00":   "the file is not UTF-8; save it as UTF-8, in an editor or with: iconv -f UTF-16 -t UTF-8",
		"\x00#\x00 \x00A":           "the file is not UTF-8; save it as UTF-8, in an editor or with: iconv -f UTF-16 -t UTF-8",
		"# A text with one\x00zero": "the file has a zero byte, which text never has; remove it; if the file is not text at all, keep it elsewhere",
		"caf\xe9":                   "the file is not UTF-8; save it as UTF-8, in an editor or with: iconv -f WINDOWS-1252 -t UTF-8",
	} {
		if _, err := Parse([]byte(file)); err == nil || err.What+"; "+err.Hint != want {
			t.Errorf("%q: %+v", file, err)
		}
		if _, err := ParseTable("site.yaml", []byte(file)); err == nil || err.What+"; "+err.Hint != want {
			t.Errorf("settings %q: %+v", file, err)
		}
	}
}

// Whatever a file holds, the body is the end of it, and places are within it.
func FuzzParse(f *testing.F) {
	for _, file := range []string{
		"---\na: b\n---\ntext\n", "+++\na = [1, {b = \"c\"}]\n[[t]]\n+++\nx", `{"a": {"b": [1, null]}} x`,
		"Title: A\nDate: 2026-01-01\n    more\n\ntext", "% A\n  b\n% C; D\n% E\n\ntext", "title=A\n\nstatus=draft\n~~~~~~\ntext", "title:: A\nb.c:: d\npublic:: true\n\ntext", "---\nTitle: A: B\nDate: 2026-01-01\n---\ntext\n", "title: A\ntags:\n- b\n\n---\ntext\n", "--- a: b\n---\n", "------\na: b\n---\n", "---\na: &x [*x]\n<<: *x\n---\n", "---\r# a\r---\r", "---js\nconst a = ['b', 1];\n---\n",
		"import a from 'b'\n\nexport const meta: M = {\n  title: `c`,\n\n  d: e(),\n}\nexport const f = 1\n\ntext\n",
	} {
		f.Add([]byte(file))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) > 10_000 {
			t.Skip()
		}
		lines := 1 + bytes.Count(file, []byte("\n")) + bytes.Count(file, []byte("\r"))
		doc, err := Parse(file)
		if err != nil {
			if err.Line < 1 || err.Line > lines || err.Column < 0 || err.What == "" || !utf8.ValidString(err.What) {
				t.Errorf("%+v", err)
			}
			return
		}
		if !bytes.HasSuffix(file, doc.Body) && !bytes.Contains(file, []byte("\r")) {
			t.Errorf("the body %q is not the end", doc.Body)
		}
		doc.TakeUnfenced(true)
		if doc.BodyLine < 1 || doc.BodyLine > lines+1 || doc.HasMeta != (doc.Meta.Kind == Table) {
			t.Errorf("%+v", doc)
		}
		within(t, doc.Meta, lines)
	})
}

func within(t *testing.T, v Value, lines int) {
	t.Helper()
	if v.Line < 0 || v.Line > lines || !utf8.ValidString(v.Text) {
		t.Errorf("%+v is in none of %d lines", v, lines)
	}
	for _, i := range v.Items {
		within(t, i, lines)
	}
	for _, f := range v.Fields {
		within(t, f.Value, lines)
	}
}

package frontmatter

import (
	"bytes"
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
		return "nothing"
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
		{"---\r\na: [b, c]\r\n---\r\ntext", "{2:1 a=[b c]}", "4 text"},
		{"---\ra: b\r---\rtext\r", "{2:1 a=b}", "4 text\n"},
		{"---\n---\ntext", "{}", "3 text"},
		{"--- a: b\n---\ntext", "{1:1 a=b}", "3 text"},
		{"------\na: b\n------\ntext", "{2:1 a=b}", "4 text"},
		{"---json\n{}\n---\n", "{}", "4 "},
		{"---js\n\n// a\nconst a = 'b: c';\nlet d = [\"e\", 1,]\n---\ntext", "{4:7 a=b: c, 5:5 d=[e 1]}", "7 text"},
		{"---js\nconst a = {\n\tb: 'c',\n\td: 1\n};\nvar e = true;\n---\ntext", "{2:7 a={3:2 b=c, 4:2 d=1}, 6:5 e=true}", "8 text"},
		{"---js\n{}\n---\n", "{}", "4 "},
		{"---js\n{\n\ta: 'b', // c\n}\n---\n", "{3:2 a=b}", "6 "},
		{"---js\nconst a = 'it\\'s', b = -1.5; const c = {d: [a, null], é: {f: `${a} g`}} as const;\n---\n", "{2:7 a=it's, 2:20 b=-1.5, 2:36 c={2:41 d=[it's nothing], 2:55 é={2:59 f=it's g}}}", "4 "},
		{"+++\na = 1\n[t]\nb = \"c\"\n+++\n", "{2:1 a=1, 3:2 t={4:1 b=c}}", "6 "},
		{`{"a": {"b": [true, null]}}` + "\ntext", "{1:2 a={1:8 b=[true nothing]}}", "1 \ntext"},
		{"Title: A\nDate: 2026-01-01\n\ntext", "{1:1 Title=A, 2:1 Date=2026-01-01}", "1 Title: A\nDate: 2026-01-01\n\ntext"},
		{"Note: a line of text\n\ntext", "nothing", "1 Note: a line of text\n\ntext"},
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

func TestParseTellsMistakes(t *testing.T) {
	for file, want := range map[string]string{
		"---\na: b\n":              `1:1: the front matter that "---" opens has no end`,
		"---\na: b: c\n---\n":      "2:0: the YAML cannot be read: mapping values are not allowed in this context",
		"---\n- a\n---\n":          "2:1: the front matter is a list, not a list of keys",
		"+++\na = b\n+++\n":        "2:5: the TOML cannot be read: ",
		"+++\na = 1\na = 2\n+++\n": `3:1: the key "a" is given twice`,
		"{\"a\": 1,}\n":            "1:8: the JSON cannot be read: ",
		"---js\n{a() {}}\n---\n":   "2:2: the front matter is JavaScript, which is not run here",
		"---js\nconst a = 1;\nconst draft = process.env.DRAFT;\n---\n":         "3:15: the front matter is JavaScript, which is not run here",
		"---js\nconst a = {b: [...c]};\n---\n":                                 "2:19: the front matter is JavaScript, which is not run here",
		"---js\nconst a = {...b};\n---\n":                                      "2:15: the front matter is JavaScript, which is not run here",
		"---js\nfunction permalink() {}\n---\n":                                "2:1: the front matter is JavaScript, which is not run here",
		"---js\nconst a = 1;\n\ta.b();\n---\n":                                 "3:2: the front matter is JavaScript, which is not run here",
		"---js\nconst a = {\n---\n":                                            "3:1: the JavaScript cannot be read: Expected identifier but found end of file",
		"---js\nconst é = 'é' + ;\n---\n":                                      "2:17: the JavaScript cannot be read: Unexpected \";\"",
		"---js\nconst a = " + strings.Repeat("!", script.MaxBytes) + "\n---\n": "2:1: the JavaScript cannot be read: it is longer than 64 kB",
		"---\na: \xff\n---\n":                                                  "2:4: the file is not UTF-8",
		"a\x00b":                                                               "1:2: the file is not UTF-8",
		"---\na: " + strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2) + "\n---\n": "more than 100 levels deep",
		"---\na: " + strings.Repeat("x", MaxBytes) + "\n---\n":                                     "longer than 256 kB",
	} {
		_, err := Parse([]byte(file))
		if err == nil || !strings.Contains(err.Error(), want) || err.Hint == "" {
			t.Errorf("%.40q: %+v, want %s and a hint", file, err, want)
		}
	}
}

// Whatever is in a file, its body is its end, and places are within it.
func FuzzParse(f *testing.F) {
	for _, file := range []string{
		"---\na: b\n---\ntext\n", "+++\na = [1, {b = \"c\"}]\n[[t]]\n+++\nx", `{"a": {"b": [1, null]}} x`,
		"Title: A\nDate: 2026-01-01\n    more\n\ntext", "---\nTitle: A: B\nDate: 2026-01-01\n---\ntext\n", "title: A\ntags:\n- b\n\n---\ntext\n", "--- a: b\n---\n", "------\na: b\n---\n", "---\na: &x [*x]\n<<: *x\n---\n", "---\r# a\r---\r", "---js\nconst a = ['b', 1];\n---\n",
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
		doc.TakeHead(true, true)
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

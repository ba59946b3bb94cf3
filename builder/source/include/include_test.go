package include

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"newsstand/builder/article/articletest"
)

// files are the texts that may be included, by path.
type files map[string]string

// read finds a file beside the text, or at the path that its name is.
func (f files) read(n Name) (at, text string, err error) {
	for _, at := range []string{path.Join(path.Dir(n.From), n.Name), n.Name} {
		if text, found := f[at]; found {
			return at, text, nil
		}
	}
	return "", "", fs.ErrNotExist
}

const allForms = Snippets | Braces | Book | Liquid | Quoted | Comments | Imports | DocFX | MyST | Shortcodes

// The stories of package source show each form of mark in an article; these are the parts of files
// that marks may ask for.
func TestParts(t *testing.T) {
	known := files{
		"a":    "1\n2\n3\n4\n5\n",
		"s":    "0\n# --8<-- [start:x]\n1\n# --8<-- [end:x]\n2\n# --8<-- [start:x]\n3\n# --8<-- [end:x]\n",
		"b":    "0\n// ANCHOR: x\n1\n// ANCHOR: x-y\n2\n// ANCHOR_END: x-y\n3\n// ANCHOR_END: x\n4\n",
		"r.c":  "0\n#pragma region x\n\t1\n\n\t\t2\n#pragma endregion\n3\n",
		"r.h":  "<!-- #region x -->\n1\n<!-- #region y -->\n2\n<!-- #endregion y -->\n3\n<!-- #endregion x -->\n4",
		"h":    "# 1\n\n## 2\n```sh\n# 3\n```\n###### 4\n",
		"t":    "0\n\t// :::1\n\t1\n\t\t2\n\t// :::1\n\t// :::10\n\t3\n\t// :::10\n\t// :::1\n\t6\n\t// :::1\n",
		"crlf": "1\r\n2\r\n",
	}
	for _, test := range []struct{ text, want string }{
		{`--8<-- "a:2:3"`, "2\n3"},
		{`--8<-- "a:4"`, "4"},
		{`--8<-- "a:4:"`, "4\n5"},
		{`--8<-- "a::2"`, "1\n2"},
		{`--8<-- "a:1:1,4:9"`, "1\n4\n5"},
		{`--8<-- "a:5:4"`, ""},
		{`--8<-- "a:-2:"`, "4\n5"},
		{`--8<-- "a:-4:-3,-1"`, "2\n3\n5"},
		{`--8<-- "a:-9:1"`, "1"},
		{`--8<-- "a::-9"`, ""},
		{`--8<-- "a:1-2"`, ""},
		{`--8<-- "a:6"`, ""},
		{`--8<-- "a:9,2,9:12"`, "2"},
		{`--8<-- "a:99999999999999999999:"`, "1\n2\n3\n4\n5"},
		{`--8<-- "s:x"`, "1\n3"},
		{`--8<-- "s:y"`, ""},
		{`--8<-- "s"`, "0\n1\n2\n3"},
		{"  -8<--- 'a:1:2'", "  1\n  2"},
		{"-8<- \"crlf\"\r\nEnd", "1\r\n2\r\nEnd"},
		{"text --8<-- \"a\"", "text --8<-- \"a\""},
		{"{!a!lines=2 4-5} {!a!}", "2\n4\n5 1\n2\n3\n4\n5"},
		{"{!a [ln:2,4-5]!} {!> a | utf-8 !}", "2\n4\n5 1\n2\n3\n4\n5"},
		{"  {* ./a ln[2,4:5] hl[4] *}\n", "  ```\n  2\n  4\n  5\n  ```\n"},
		{"`{* a *}`\n{* a b *}\n{* absent.py *}\n{*crlf*}", "`{* a *}`\n{* a b *}\n\n```\n1\r\n2\r\n```"},
		{"{!a [ln:1, 3-4]!} {!a!lines=2, 4}\n{* a hl[2] ln[4, 5,] *}", "1\n3\n4 2\n4\n```\n4\n5\n```"},
		{"{!a [ln:2.3-4]!}{!a [ln:x]!}\n{* a ln[x] *}\n{* a ln[2 *}", "\n\n{* a ln[2 *}"},
		{"{{#include b:x}}", "1\n2\n3"},
		{"{{#include b:x-y}}", "2"},
		{"{{#include a:2}}{{#include a:4:}}", "24\n5"},
		{"{{#include a::2}}", "1\n2"},
		{"{{  #include  a::2  }}", "1\n2"},
		{`{% include-markdown "h" heading-offset=1 %}`, "## 1\n\n### 2\n```sh\n# 3\n```\n###### 4"},
		{`{% include-markdown "h" heading-offset=-2 %}`, "# 1\n\n# 2\n```sh\n# 3\n```\n#### 4"},
		{"<!--@include: ./a{2,}-->", "2\n3\n4\n5"},
		{"<!--@include: ./a{,2}-->", "1\n2"},
		{"<!-- @include: ./a{2-3} -->", "2\n3"},
		{"<!-- @include: ./r.h#y -->", "2"},
		{"<<<./r.c#x", "```c\n1\n\n\t2\n```"},
		{"<<< ./r.c#x", "```c\n1\n\n\t2\n```"},
		{"<<< ./r.c#x[Title]", "```c\n1\n\n\t2\n```"},
		{"<<< ./r.c#x{1 js} [The [title]]", "```js\n1\n\n\t2\n```"},
		{"@[code{1-2} sh](./a)", "```sh\n1\n2\n```"},
		{"@[code lang=sh transclude={2-3}](./a)", "```sh\n2\n3\n```"},
		{"@[code sh highlight={1} transcludeWith=:::1](./t)", "```sh\n1\n\t2\n6\n```"},
		{"@[code transcludeWith=:::2](./t)", "@[code transcludeWith=:::2](./t)"},
		{"@[code transcludeTag=script](./a)", "@[code transcludeTag=script](./a)"},
	} {
		if FormsIn([]byte(test.text)) == 0 {
			t.Errorf("%q seems to have no mark", test.text)
		}
		if got := New(allForms).Expand("text", []byte(test.text), known.read); string(got.Text) != test.want {
			t.Errorf("%q became %q, want %q; %v", test.text, got.Text, test.want, got.Missing)
		}
	}
}

// Links in a file of another folder lead to where they did, if its program sees to that.
func TestRebased(t *testing.T) {
	for _, test := range []struct{ path, from, text, want string }{
		{"api/part.md", "a.md", "[a](b.md) ![c](img/d.png \"t\")", "[a](api/b.md) ![c](api/img/d.png \"t\")"},
		{"part.md", "api/sub/a.md", "[a](b.md#c) [d](./e/)", "[a](../../b.md#c) [d](../../e/)"},
		{"api/x/part.md", "api/y/a.md", "[a]: ../b.md\n<img src=\"c.png\">", "[a]: ../b.md\n<img src=\"../x/c.png\">"},
		{"../part.md", "a.md", "[a](b.md)", "[a](../b.md)"},
		{"api/part.md", "a.md", "[a](/b.md) [c](#d) [e](https://f.example/) [g](mailto:a@b) [h](<i j>) f[k](l)\n```\n[a](b)\n```",
			"[a](/b.md) [c](#d) [e](https://f.example/) [g](mailto:a@b) [h](<i j>) f[k](api/l)\n```\n[a](b)\n```"},
		{"api/part.md", "api/a.md", "[a](b.md)", "[a](b.md)"},
	} {
		if got := rebased(test.text, test.path, test.from); got != test.want {
			t.Errorf("%s in %s: %q, want %q", test.path, test.from, got, test.want)
		}
	}
}

// What is included may include in its turn, but neither itself nor without end.
func TestDepth(t *testing.T) {
	round := files{"a": "a {!b!}", "b": "b {!a!}"}
	got := New(Braces).Expand("a", []byte(round["a"]), round.read)
	if string(got.Text) != "a b " || len(got.Missing) != 1 || got.Missing[0].Err != errRound {
		t.Errorf("%q, %v", got.Text, got.Missing)
	}
	deep := files{}
	for i := range 20 {
		deep[fmt.Sprint(i)] = fmt.Sprintf("%d {!%d!}", i, i+1)
	}
	got = New(Braces).Expand("0", []byte(deep["0"]), deep.read)
	if len(got.Missing) != 1 || got.Missing[0].Err != errDeep || !strings.HasSuffix(string(got.Text), "10 ") {
		t.Errorf("%q, %v", got.Text, got.Missing)
	}
	wide := files{"9": "text"}
	for i := range 9 {
		wide[fmt.Sprint(i)] = strings.Repeat(fmt.Sprintf("{!%d!}", i+1), 100)
	}
	got = New(Braces).Expand("0", []byte(wide["0"]), wide.read)
	if len(got.Text) > maxBytes || len(got.Missing) == 0 {
		t.Errorf("%d bytes, %d are missing", len(got.Text), len(got.Missing))
	}
}

// Neither how often files are looked for nor what is made of them grows without end.
func TestHostileMarks(t *testing.T) {
	articletest.WithoutRace(t)
	known := files{
		"lines": strings.Repeat("x\n", 1000), "round": strings.Repeat("{!absent!}", 1000),
		"many": strings.Repeat("{{include.x}}", 2000), "more": strings.Repeat("{props.x}", 2000),
	}
	long := strings.Repeat("y", 10000)
	for what, text := range map[string]string{
		"marks of files that are not there": strings.Repeat("{!absent!}", 20000),
		"those in files":                    strings.Repeat("{!round!}", 100),
		"indentation":                       strings.Repeat(" ", 10000) + "{!lines!}",
		"parameters of Jekyll":              `{% include many.html x="` + long + `" %}`,
		"parameters of many marks":          strings.Repeat(`{% include many.html x="`+long[:1500]+`" %}`, 10),
		"parameters of MDX":                 "import A from './more.md'\n\n<A x='" + long + "' />",
	} {
		reads := 0
		got := New(Braces|Liquid|Imports).Expand("text", []byte(text), func(n Name) (string, string, error) {
			reads++
			return known.read(Name{Name: strings.TrimSuffix(strings.TrimPrefix(strings.TrimSuffix(n.Name, ".html"), "./"), ".md")})
		})
		if reads > maxBytes/leastBytes || len(got.Text) > len(text)+2*maxBytes {
			t.Errorf("%s: %d reads, %d bytes", what, reads, len(got.Text))
		}
	}
}

// However often a mark asks for the same lines, not much more is made of them than may be included.
func TestOverlappingRanges(t *testing.T) {
	lines, _ := ranges(strings.Repeat("1:,", 30)+"1", ":")
	if got, _ := lines(strings.Repeat("x\n", maxBytes/8)); len(got) > 2*maxBytes {
		t.Errorf("%d bytes", len(got))
	}
}

// A problem below a mark is told with its line in the text, however many lines were included.
func TestLine(t *testing.T) {
	known := files{"three": "1\n2\n3\n", "none": ""}
	text := "a\n{!three!}\nb\n--8<--\nnone\n--8<--\nc {!three!} {!three!} d\ne\n"
	got := New(Braces|Snippets).Expand("text", []byte(text), known.read)
	of := map[string]int{"a": 1, "1": 2, "2": 2, "3": 2, "b": 3, "": 4, "c 1": 7, "3 1": 7, "3 d": 7, "e": 8}
	isInCD := false
	for i, line := range strings.Split(strings.TrimSuffix(string(got.Text), "\n"), "\n") {
		isInCD = isInCD || line == "c 1"
		want, known := of[line]
		if isInCD && line != "e" {
			want, known = 7, true
		}
		if line := got.Line(i + 1); !known || line != want {
			t.Errorf("line %d of %q comes from line %d, want %d", i+1, got.Text, line, want)
		}
	}
}

// Whatever a text and the files are, including ends, and lines come from lines in their order.
func FuzzExpand(f *testing.F) {
	for _, text := range []string{
		"--8<-- \"a.md:1:2\"\n--8<--\na.md\n--8<--\n;--8<-- 'a.md'", "{!a.md!} \\{!a.md!}", "{{#include a.md:x}} \\{{#include b}} {{#playground a.md}}",
		"{% include a.md x=\"y\" %}{% raw %}{% include_relative a.md %}{% endraw %}", "{% include \"a.md\" start=\"x\" %}", "<!-- @include: a.md{1,2} -->\n<<< ./a.md#x{1 js}\n@[code](a.md)",
		"import A from './a.md'\n\n<A x=\"y\"/><include>a.md</include>", "[!INCLUDE [a](a.md)]", "```{include} a.md\n:lines: 1-2\n```", "{{< include \"a.md\" >}}{{% readfile file=\"a.md\" code=\"true\" %}}",
	} {
		f.Add(text, "x {{ include.x }}{props.x}\n--8<-- [start:x]\ny\n--8<-- [end:x]\n"+text)
	}
	x := New(allForms)
	f.Fuzz(func(t *testing.T, text, part string) {
		if !utf8.ValidString(text) || !utf8.ValidString(part) { // such files are not read
			t.Skip()
		}
		known := files{"a.md": part}
		began := time.Now()
		got := x.Expand("text", []byte(text), known.read)
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("it took %v", took)
		}
		if FormsIn([]byte(text)) == 0 && string(got.Text) != text {
			t.Errorf("%q may have no mark, but became %q", text, got.Text)
		}
		lines := strings.Count(text, "\n") + 1
		if len(got.Text) > 1<<16 { // with as many marks, this would take a minute
			return
		}
		last := 1
		for i := range strings.Count(string(got.Text), "\n") + 1 {
			line := got.Line(i + 1)
			if line < last || line > lines {
				t.Fatalf("line %d of %q, made of %q, comes from line %d of %d, after %d", i+1, got.Text, text, line, lines, last)
			}
			last = line
		}
		for _, m := range got.Missing {
			if m.Line < 1 || m.Line > lines {
				t.Errorf("%v is missing on line %d of %d", m.Err, m.Line, lines)
			}
		}
	})
}

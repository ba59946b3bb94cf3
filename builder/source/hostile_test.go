package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/source/sourcetest"
)

// The attacks are ways to make text run as a script, after public cheat sheets.
func TestNothingRuns(t *testing.T) {
	files, posts := fstest.MapFS{}, fstest.MapFS{"_config.yml": {Data: []byte("title: J\n")}}
	marked := fstest.MapFS{"pelicanconf.py": {Data: []byte("SITENAME = 'P'\n")}} // whose links lose their marks
	for i, attack := range sourcetest.Attacks() {
		attack = strings.ReplaceAll(attack, "\u0000", "")
		files[fmt.Sprintf("a%d.md", i)] = &fstest.MapFile{Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + attack + "\n\n> " + attack + "\n")}
		posts[fmt.Sprintf("_posts/2026-01-01-a%d.html", i)] = &fstest.MapFile{Data: []byte("---\ntitle: A\n---\n" + attack + "\n{% highlight html %}\n" + attack + "\n{% endhighlight %}\n")}
		marked[fmt.Sprintf("content/a%d.md", i)] = &fstest.MapFile{Data: []byte("Title: A\nDate: 2026-01-01\n\n" + attack + "\n")}
	}
	for _, site := range []fstest.MapFS{files, posts, marked} {
		articles, _ := renderAll(t, site)
		unaddressed, _ := renderAt(t, "", site)
		if len(articles) != len(sourcetest.Attacks()) {
			t.Errorf("%d articles, want %d", len(articles), len(sourcetest.Attacks()))
		}
		for _, a := range append(articles, unaddressed...) {
			harmless(t, a.ContentHTML)
		}
	}
}

// harmless checks that nothing in sanitised HTML can run.
func harmless(t testing.TB, content string) {
	t.Helper()
	allowedSchemes := []string{"http", "https", "mailto", "tel"}
	z := html.NewTokenizer(strings.NewReader(content))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			return
		}
		token := z.Token()
		if kind == html.CommentToken || kind == html.DoctypeToken {
			t.Errorf("%s in %s", token, content)
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch token.Data {
		case "script", "style", "iframe", "object", "embed", "base", "meta", "link", "form", "button", "svg", "math", "template", "noscript", "textarea", "select", "frame", "frameset", "applet", "xml", "plaintext", "title":
			t.Errorf("element %s in %s", token.Data, content)
		case "input": // the box of a task list, which can neither be changed nor sent
			if s := token.String(); s != `<input type="checkbox" disabled="">` && s != `<input type="checkbox" disabled="" checked="">` {
				t.Errorf("%s in %s", s, content)
			}
		}
		for _, a := range token.Attr {
			key := strings.ToLower(a.Key)
			switch {
			case strings.HasPrefix(key, "on"), key == "style", key == "srcdoc", key == "autoplay", key == "formaction", key == "xmlns", key == "ping":
				t.Errorf("attribute %s in %s", a, content)
			case key == "href" || key == "src" || key == "poster" || key == "cite" || key == "srcset":
				address := strings.ToLower(strings.Map(func(r rune) rune {
					if r <= ' ' {
						return -1
					}
					return r
				}, a.Val))
				scheme, _, found := strings.Cut(address, ":")
				if found && !strings.ContainsAny(scheme, "/?#") && !slices.Contains(allowedSchemes, scheme) {
					t.Errorf("address %q in %s", a.Val, content)
				}
			}
		}
	}
}

// Each article looks at what is said of its own authors alone, however many others there are.
func TestHostileFoldersOfPeople(t *testing.T) {
	articletest.WithoutRace(t)
	files := fstest.MapFS{}
	text := "---\ntitle: A\nname: Ann\nauthors: [" + strings.Repeat("x, y, z, ", 20) + "w]\n---\n"
	for i := range 3000 {
		files[fmt.Sprintf("%d/people/p%d.md", i, i)] = &fstest.MapFile{Data: []byte(text)}
	}
	if took := articletest.ProcessorTime(t, func() { scanAt(t, files, nil, time.Time{}) }); took > 6*time.Second {
		t.Errorf("it took %s", took)
	}
}

// A deep or long text costs time in proportion to its size, not more.
func TestHostileMarkdown(t *testing.T) {
	articletest.WithoutRace(t)
	for name, text := range map[string]string{
		"quotes":         strings.Repeat(">", 500_000) + "x",
		"lists":          strings.Repeat("- ", 200_000) + "x",
		"deep notes":     strings.Repeat("[^1]: ", 100_000) + "x",
		"one tag":        strings.Repeat("{{ ", 200_000),
		"brackets":       strings.Repeat("[", 50_000),
		"emphasis":       strings.Repeat("*a_", 200_000),
		"links":          strings.Repeat("[a](", 10_000),
		"spaced links":   strings.Repeat("[a](b c ", 50_000) + strings.Repeat("](a b (", 50_000),
		"formulas":       strings.Repeat("$$", 100_001) + strings.Repeat(" $$a $$$\n", 50_001) + strings.Repeat("[a $$", 50_000),
		"open formulas":  strings.Repeat(`\(a \[b `, 50_000) + "\n" + strings.Repeat("\n- \\[\n+ $$", 50_000),
		"names of links": strings.Repeat("[a]: b\n", 80_000),
		"ticks":          strings.Repeat("`a``", 20_000),
		"braces":         strings.Repeat("{{<{%{{", 20_000),
		"tags":           strings.Repeat("<a><b>", 20_000),
		"jsx":            strings.Repeat("<a {`{/*", 20_000) + strings.Repeat("\n<A b={\n", 20_000),
		"notes":          strings.Repeat("[[a|", 50_000) + strings.Repeat("%%a ==b ^", 20_000) + strings.Repeat("\n%%", 20_001),
		"entities":       strings.Repeat("&amp", 50_000),
		"one line":       strings.Repeat("word ", 200_000),
		"addresses":      strings.Repeat("www.a ", 10_000) + strings.Repeat("http:a ", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			file := &fstest.MapFile{Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + text)}
			for name, site := range map[string]fstest.MapFS{
				"plain": {"a.md": file}, "of Jekyll": {"_config.yml": {}, "a.md": file},
				"of MkDocs": {"mkdocs.yml": {Data: []byte("site_name: A\nmarkdown_extensions: [pymdownx.arithmatex]\n")}, "docs/a.md": file},
			} {
				var articles []article.Article
				took := articletest.ProcessorTime(t, func() { articles, _ = renderAll(t, site) })
				if len(articles) != 1 || took > 10*time.Second { // usually it is a tenth of a second
					t.Errorf("%s: %d articles in %s", name, len(articles), took)
				}
			}
		})
	}
}

// Text that is nested too deeply is reported, and none of it is lost.
func TestDeepMarkdown(t *testing.T) {
	for deep, want := range map[int]bool{100: false, 101: true} {
		for _, block := range []string{"> ", "- ", "1. "} {
			levels := deep
			if block != "> " { // a list has items
				levels = (deep + 1) / 2
			}
			a, problems := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + strings.Repeat(block, levels) + "last\n")}})
			if told := len(problems) > 0 && strings.Contains(problems[0].What, "more than 100 deep"); told != want || !strings.Contains(a.ContentText, "last") {
				t.Errorf("%d of %q: %v\n%s", levels, block, problems, a.ContentText)
			}
		}
	}
}

// A long paragraph that stays within the limit of marks is read as Markdown to its end.
func TestLongParagraphs(t *testing.T) {
	for name, line := range map[string]string{
		"names and asides": strings.Repeat("see (the thing) of a_b @x @y\n", 900),
		"marks":            strings.Repeat("*a* (see) https://example.org/x\n", 998),
		"lines":            strings.Repeat("word\n", 10_001),
		"names":            strings.Repeat("a_b_c\n", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			a, problems := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + line + "then *last* [one](https://example.org/y)\n")}})
			if len(problems) > 0 || !strings.Contains(a.ContentHTML, `then <em>last</em> <a href="https://example.org/y">one</a>`) {
				t.Errorf("%v\n…%s", problems, a.ContentHTML[max(0, len(a.ContentHTML)-200):])
			}
		})
	}
}

func FuzzArticle(f *testing.F) {
	for _, a := range sourcetest.Attacks() {
		f.Add(a)
	}
	f.Add("# T\n\na {{< x >}}b{{< /x >}} `{{< c >}}` {% raw %}{{ d }}{% endraw %}\n\n    {{ code }}\n")
	f.Add("- <Card title=\"<script>`<b>\" description='<a href=\"javascript:a\">' caption={'<!--'}/>\n  > <Tab label=\"a\">b</Tab>\n")
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.ContainsRune(text, 0) || len(text) > 10_000 {
			t.Skip()
		}
		for name := range map[string]bool{"a.md": true, "b.mdx": true, "_posts/2020-01-01-c.md": true} {
			articles, _ := renderAll(t, fstest.MapFS{name: {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + text)}})
			for _, a := range articles {
				harmless(t, a.ContentHTML)
				if !utf8.ValidString(a.ContentHTML) || !utf8.ValidString(a.ContentText) || utf8.RuneCountInString(a.Summary) > article.MaxSummaryRunes {
					t.Errorf("%+v", a)
				}
			}
		}
	})
}

// Tags of MDX, and code on two lines, cost time in proportion to their number.
func TestHostileMDX(t *testing.T) {
	articletest.WithoutRace(t)
	for _, text := range []string{strings.Repeat("<div>", 200_000), strings.Repeat("</div>", 200_000), strings.Repeat("`\n", 500_000)} {
		if articles, _ := renderAll(t, fstest.MapFS{"a.mdx": {Data: []byte("---\ntitle: A\n---\n" + text)}}); len(articles) != 1 {
			t.Errorf("%.20q: the article is lost", text)
		}
	}
}

// Paragraphs that begin like imports cost time in proportion to their number. With unclosed braces,
// each used to take in the rest of the file, and half a megabyte took longer than ten minutes.
func TestHostileImports(t *testing.T) {
	articletest.WithoutRace(t)
	for _, text := range []string{strings.Repeat("import {\n\n", 50_000), strings.Repeat("import \n\n", 50_000)} {
		for _, name := range []string{"a.md", "a.mdx"} {
			if articles, _ := renderAll(t, fstest.MapFS{name: {Data: []byte("---\ntitle: A\n---\n" + text)}}); len(articles) != 1 {
				t.Errorf("%s of %.20q: the article is lost", name, text)
			}
		}
	}
}

// Tags cost time in proportion to their number.
func TestHostileTags(t *testing.T) {
	articletest.WithoutRace(t)
	var tags strings.Builder
	for i := range 40_000 {
		fmt.Fprintf(&tags, "%x,", i)
	}
	var a article.Article
	took := articletest.ProcessorTime(t, func() {
		a, _ = renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ntags: " + tags.String() + "\n---\n")}})
	})
	if took > 10*time.Second || len(a.Tags) != 40_000 {
		t.Errorf("%s for %d tags", took, len(a.Tags))
	}
}

// Raw text is not searched for tags, however many begin on one of its lines.
func TestHostileRaw(t *testing.T) {
	articletest.WithoutRace(t)
	for _, name := range []string{"a.md", "_posts/2020-01-01-a.md"} {
		text := "{% raw %}\n" + strings.Repeat("{% ", 350_000) + "\n{% endraw %}{{ x }}end"
		a, _ := renderOne(t, fstest.MapFS{name: {Data: []byte("---\ntitle: A\n---\n" + text)}})
		if !strings.HasSuffix(a.ContentText, "{% end") && !strings.HasSuffix(a.ContentText, "{%\nend") {
			t.Errorf("%s: the end of the text is lost", name)
		}
	}
}

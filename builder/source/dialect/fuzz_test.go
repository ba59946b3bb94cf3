package dialect

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever a text holds, what precedes it stays, it does not become much longer, and tags without
// an end are reported at a place within it. As a template, it shows no more parameters than it may.
func FuzzStrip(f *testing.F) {
	for _, text := range []string{
		"a {{< x >}}b{{< /x >}} {{% y\n%}} {{</* c */>}} `{{< d >}}` {{< e.inline >}}f{{< /e.inline >}}\n", "{% raw %}{{ a }}{% endraw %} {{ \"b\" | relative_url }} {: .c}\n{::comment}d{:/}\n",
		"{% highlight c %}\na\n{% endhighlight %}\n- a\n{:toc}\n|a|b|\n|--+--|\n|c|d|\n", "<div markdown=\"1\">\n<p markdown=\"1\">a</p>\n</div>\n*[HTML]: b\n",
		"> [!NOTE] a\n\n::: note [b `]`](c)\n:::\n!!! note \"d\"\n    e\n=== \"f\"\n\tg\n??? h\n::: a.B\n  c: d\n", "[[a|b]] ![[c.png]] ==d== %% e\n %% f ^g\n<!--\n-->{#h}\n",
		"import a from 'b'\n\nexport const c = {\n\n}\n\n<Card title=\"d\" caption={'e'}/><Tabs items={['f']}><Tab>g</Tab></Tabs> {frontMatter.title} {/* h */} \\{ $a_{b}$\n",
		"# a <Badge text=\"b\"/>\n  - > <Tab label=\"c\">d</Tab>\n<div>*a*</div>\n```mdx-code-block\n<p>\n```\n", "{# a #}{{/* b() */}}{% c() %}d{% end %}{#e}\n",
		"<a \u00a0 @click='b' #c :d=\"e\">{{ f }}</a><G v-pre>h</G>\n",
		"{% include a.html title='b' text=\"c \\\" d\" %} e {{< /a >}}\n<div markdown=\"1\" class=\">\">f\n- g</div>\nh\n<!--\ni\n-->\nimport j from 'k'\n",
		"{{< x \"[a]: b\" `c` a=\"d\" >}} {{ $a := .Get 0 | default \"e\" }}<p title=\"{{ $a }}\">{{ with .Get \"f\" }}{{ . }}{{ else }}{{ $a }}{{ end }}",
		"a:: b\n- id:: c\n  :LOGBOOK:\n  :END:\n  #+BEGIN_QUERY\n[[]] [[1]] ((0-9)) {{cloze d}}\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || len(text) > 10_000 {
			t.Skip()
		}
		const before = "before\n\n"
		text = before + text
		lines := 1 + strings.Count(text, "\n")
		shown := map[string][]string{"x": {"", "1", "a"}}
		own := func(string) string { return "own `text` <b>" }
		for _, g := range []Generator{Plain, Hugo, Jekyll, Zola} {
			for _, d := range []Dialect{{Generator: g, Own: own, Shown: shown}, {Generator: g, HTML: true}, {Generator: g, RawInCode: true}, {MDX: true, Own: own}, {Generator: g, Logseq: true}, {Vue: true}} {
				out, unclosed := d.Strip([]byte(text))
				if !strings.HasPrefix(string(out), before) || !utf8.Valid(out) || len(out) > 20*len(text)+1000 {
					t.Errorf("%v, MDX %t, HTML %t: %d bytes became %d: %.100q", g, d.MDX, d.HTML, len(text), len(out), out)
				}
				for _, u := range unclosed {
					if u.Line < 1 || u.Line > lines || u.Column < 1 || u.Open == "" || u.Close == "" {
						t.Errorf("%+v is in none of %d lines", u, lines)
					}
				}
			}
		}
		if names := Shown(text); len(names) > mostNames {
			t.Errorf("%d parameters are shown", len(names))
		}
		for range Lines(text) {
		}
		HasHeading(text, false)
		HasHeading(text, true)
	})
}

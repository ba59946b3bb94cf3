package dialect

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// A tag without an end is reported at the place where its author sees it, in characters, whatever
// precedes it.
func TestUnclosed(t *testing.T) {
	for text, want := range map[string]Unclosed{
		"é {{< x\n":                  {1, 3, "{{<", ">}}"},
		"a\n\nb {{% x\n":             {3, 3, "{{%", "%}}"},
		"{{< a\n>}}é{{< b\n":         {2, 5, "{{<", ">}}"},
		"- {{< a >}} {{< b\n\ntext.": {1, 13, "{{<", ">}}"},
	} {
		if _, got := (Dialect{Generator: Hugo}).Strip([]byte(text)); !slices.Equal(got, []Unclosed{want}) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// strips checks that a dialect turns each text into the one that is wanted.
func strips(t *testing.T, d Dialect, wanted map[string]string) {
	t.Helper()
	for text, want := range wanted {
		if got, _ := d.Strip([]byte(text)); string(got) != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A tag for code in HTML becomes HTML, not Markdown.
func TestCodeInHTML(t *testing.T) {
	strips(t, Dialect{HTML: true}, map[string]string{
		"{% highlight c %}\na < b\n{% endhighlight %}\n": "<pre><code>a &lt; b</code></pre>\n",
		"{% codeblock %}\na < b\n{% endcodeblock %}\n":   "<pre><code>a &lt; b</code></pre>\n",
		"a {% highlight c %} b\n":                        "a  b\n",
		"a {% endhighlight %} b\n":                       "a  b\n",
	})
}

// Text that looks like the id of a heading is not a comment of Tera.
func TestHeadingIDs(t *testing.T) {
	strips(t, Dialect{Generator: Zola}, map[string]string{
		"# A {#a}\n\ntext #}\n":        "# A {#a}\n\ntext #}\n",
		"# A {#a} #}\n":                "# A {#a} #}\n",
		"a{#remark#}b\n":               "ab\n",
		"a{# remark {{ x }} #}b\n":     "ab\n",
		`a{#open|"{f}" in the end#}b`:  "ab",
		"# A {#größe}\n\n{# remark #}": "# A {#größe}\n\n",
	})
}

// The only remark that stays is the one that ends a summary in Docusaurus. It becomes a comment of
// HTML.
func TestTruncate(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"a\n\n{/* truncate */}\n\nb {/* c */}`{/*truncate*/}`\n": "a\n\n<!-- truncate -->\n\nb `{/*truncate*/}`\n",
	})
}

// An address that an expression is known to give stays: pictures of Docusaurus had none.
func TestAddressesInExpressions(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"a <img src={require('./a.png').default} width={30} alt=\"A\" />\n": "a <img src=\"./a.png\" alt=\"A\" />\n",
		"<img\n\tsrc={'./a.png'}\n\talt=\"A\"\n/>\n":                        "<img src=\"./a.png\" alt=\"A\" />\n\n",
		"a <img src={useBaseUrl(\"/a.png\")}/> b\n":                         "a <img src=\"/a.png\"/> b\n",
		"<a href={'/b?c=\"d'}>e</a>\n":                                      "<a href=\"/b?c=&quot;d\">e</a>\n",
		"a <img src={b}/> <img src={`${c}/d`}/> <img src={f('g')}/>\n":      "a <img/> <img/> <img/>\n",
	})
}

// Attributes that only Vue knows do not turn a tag into text.
func TestTemplatesOfVue(t *testing.T) {
	strips(t, Dialect{Vue: true}, map[string]string{
		"a <button @click=\"b > c\" title=\"d @e #f\">g</button>\n": "a <button title=\"d @e #f\">g</button>\n",
		"<Card @click='a' />\n\nb\n":                                "\n\n\nb\n",
		"a <b \u00a0 @click='c'>d</b>\n":                            "a <b >d</b>\n", // a sign that is white space to Unicode, and not to HTML
		"<template #header>\n\n# A\n\n</template>\n":                "<template>\n\n# A\n\n</template>\n",
		"a <b@c.example> <https://d.example/#e>, 1 < 2 #3 > 4 @f\n": "a <b@c.example> <https://d.example/#e>, 1 < 2 #3 > 4 @f\n",
	})
}

// markdown-it-attrs reads a list at the end of a cell, which a space need not set off.
func TestAttributesOfCells(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"| a{.w-33} | b {.c .d} |\n|---|---|\n| {e} | `f{.g}` |\n": "| a | b  |\n|---|---|\n| {e} | `f{.g}` |\n",
		"a{.b} | c\n":                           "a{.b} | c\n", // no row
		"| {.metadata.name} | a |\n|---|---|\n": "| {.metadata.name} | a |\n|---|---|\n",
	})
}

// Braces within v-pre of a Vue template are text.
func TestBracesThatVueLeavesAlone(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"a {{ b }}\n\n::: v-pre\nc {{{ d }}} {% e %}\n\n::: tip\n{{ f }}\n:::\n{{ g }}\n:::\nh {{ i }}\n": "a \n\n\nc {{{ d }}} {% e %}\n\n\n**Tip**\n\n{{ f }}\n\n{{ g }}\n\nh \n",
		"a <span v-pre>{{ b }} <span>{{ c }}</span> `{{ d }}` {{ e }}</span> {{ f }}\n":                   "a <span v-pre>{{ b }} <span>{{ c }}</span> `{{ d }}` {{ e }}</span> \n",
		"<div class=\"a\" v-pre>\n\n{{ b }}\n\n</div>\n\n{{ c }}\n":                                       "<div class=\"a\" v-pre>\n\n{{ b }}\n\n</div>\n\n\n",
		"<img v-pre> {{ a }} <p v-pre> {{ b }} <b title=\"a v-pre b\">{{ c }}</b>\n":                      "<img v-pre>  <p v-pre>  <b title=\"a v-pre b\"></b>\n",
	})
}

// The names of files that MkDocs includes on several lines are not in the text.
func TestShownFiles(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"a\n\n--8<--\nb.md\nc.md\n--8<--\n\nd\n": "a\n\n\n\nd\n",
		"a\n\n--8<--\n\nb\n\n--8<--\n\nc\n":      "a\n\n\n\nb\n\n\n\nc\n",
	})
}

// Template code after a backslash is text, as in articles about template code, but not in raw text,
// where a backslash has no meaning.
func TestEscapedTags(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		`a \{% b %} \{{ c }} {{ d }}`:             `a \{% b %} \{{ c }} `,
		`a \\{% b %}`:                             `a \\`,
		`{% raw %}\{{ a }} \{% endraw %} {{ b }}`: `\{{ a }} \ `,
	})
}

// A video that one of Hugo's own shortcodes shows becomes an iframe.
func TestVideos(t *testing.T) {
	strips(t, Dialect{Generator: Hugo}, map[string]string{
		"{{< youtube 0RKpf3rK57I >}}\n":                       "<!----><iframe src=\"https://www.youtube.com/embed/0RKpf3rK57I\"></iframe>\n",
		"{{< youtube id=\"a-b_c\" autoplay=\"true\" >}}\n":    "<!----><iframe src=\"https://www.youtube.com/embed/a-b_c\"></iframe>\n",
		"{{< vimeo 55073825 >}} {{< youtube \"a\\\"b\" >}}\n": "<!----><iframe src=\"https://player.vimeo.com/video/55073825\"></iframe> \n",
	})
}

// Tags of GitBook: code stands around a fence, whose marks were shown as code; a tab has a title;
// an embedded page becomes an iframe.
func TestTagsOfGitBook(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"{% code title=\"a.js\" %}\n```js\nb\n```\n{% endcode %}\n\nc\n":        "\n```js\nb\n```\n\n\nc\n",
		"{% tabs %}\n{% tab title=\"A b\" %}\nc\n{% endtab %}\n{% endtabs %}\n": "\n\n**A b**\n\n\nc\n\n\n",
		"{% embed url=\"https://a.example/?b=c&d\" %}\ne *f*\n{% endembed %}\n": "<iframe src=\"https://a.example/?b=c&d\"></iframe>\n\ne *f*\n\n",
		"{% embed url=\"javascript:a\" %}{% tab 'b' %}\n":                       "\n",
		"{% code %}\na *b*\n{% endcode %}\n":                                    "`````````\na *b*\n`````````\n",
	})
}

// The line above the foot of a kramdown table is not a row.
func TestTableFooters(t *testing.T) {
	strips(t, Dialect{Generator: Jekyll}, map[string]string{
		"| a | b |\n|---|---|\n| c | d |\n|===\n| e | f |\n": "| a | b |\n|---|---|\n| c | d |\n| e | f |\n",
		"| a |\n|---|\n| `==` |\n|=====|\n| b |\n\nc ===\n":  "| a |\n|---|\n| `==` |\n| b |\n\nc ===\n",
	})
}

// A box of mdbook-admonish or javascript.info is not code, unless it is an example in a longer
// fence.
func TestFencedBoxes(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"```admonish warning\nA *b*.\n```\n\nc\n":                                     "\n**Warning**\n\nA *b*.\n\n\nc\n",
		"````admonish title=\"A b\" collapsible=true\n```js\nc\n```\n````\n":          "\n**A b**\n\n```js\nc\n```\n\n",
		"- a\n\n  ```admonish\n  b\n  ```\n\n```admonish info title=\"\"\nc\n```\n":   "- a\n\n\n  **Note**\n\n  b\n\n\n\nc\n\n",
		"````md\n```admonish\na\n```\n````\n":                                         "````md\n```admonish\na\n```\n````\n",
		"```admonish\n:bulb: a\n```\n":                                                "\n**Note**\n\n:bulb: a\n\n",
		"````smart header=\"The `a` *b*\"\n:bulb: c\n```js run\nd\n```\n````\ne\n":    "\n**The `a` *b***\n\n:bulb: c\n```js run\nd\n```\n\ne\n",
		"```warn header=\"A\" b\nc\n```\n\n```online\nd\n```\n\n```offline\ne\n```\n": "\n**A**\n\nc\n\n\n\nd\n\n\n\ne\n\n",
		"````md\n```smart\na\n```\n````\n```warnings\nb\n```\n":                       "````md\n```smart\na\n```\n````\n```warnings\nb\n```\n",
		"```admonished\nd\n```\n":                                                     "```admonished\nd\n```\n",
	})
}

// Readers see the text of directives and roles of MyST, but neither their names nor their options.
func TestMyST(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"(a-b)=\n# A\n\n(c) =\n": "\n# A\n\n(c) =\n",
		"```{note}\n:class: a\nB *c*.\n```\n\n:::{tip} D\n---\nname: e\n---\nF\n:::\n":                             "\n**Note**\n\nB *c*.\n\n\n\n**Tip**\n\nD\nF\n\n",
		"````{tab-set}\n```{tab-item} A\n:sync: b\n\n~~~js\nc\n~~~\n```\n````\nd\n":                                "\n\n**A**\n\n\n~~~js\nc\n~~~\n\n\nd\n",
		":::{code-block} go\n:linenos:\n\na::b\n:::\nc\n":                                                          "```go\n\na::b\n```\nc\n",
		"```{figure} a b.png\n:alt: C\n\nD\n```\n```{image} e.png\n:width: 1px\n```\nf\n":                          "\n\n![C](<a b.png>)\n\n\nD\n\n\n![](<e.png>)\n\n\nf\n",
		"```{toctree}\n:maxdepth: 1\n\na\n```\n% b\n\n+++ {\"c\": 1}\nd\n\n```\n% e\n```\n":                        "\n\n\n\nd\n\n```\n% e\n```\n",
		"```{r, echo=FALSE}\na\n```\n```{python}\nb\n```\n% c\n+++\n":                                              "```{r, echo=FALSE}\na\n```\n```{python}\nb\n```\n% c\n+++\n",
		"````md\n```{note}\na\n```\n````\n":                                                                        "````md\n```{note}\na\n```\n````\n",
		"```{versionadded} 1.2\na\n```\n- b\n\n  ```{warning}\n  c\n  ```\n":                                       "\n**Added in version 1.2**\n\na\n\n- b\n\n\n  **Warning**\n\n  c\n\n",
		"{ref}`a <b>`, {doc}`c`; {py:func}`~os.path.join` {sub}`2` {abbr}`D (E)` {cite:p}`f`; {octicon}`plug;1em`": "a, c; `join` <sub>2</sub> D f; ",
		"{doc}`a b<c>` {py:class}`list<int>` {ref}`<d>`":                                                           "a b `list<int>` &lt;d>",
		"{func}``a `b` `` /users/{id}`c` ${d}`e` `{ref}`f`":                                                        "``a `b` `` /users/{id}`c` ${d}`e` `{ref}`f`",
	})
}

// Keys of pymdownx.keys are shown by their names; they stood in the text as they are written.
func TestKeys(t *testing.T) {
	strips(t, Dialect{Keys: true}, map[string]string{
		"Press ++ctrl+alt+\"My key\"++, ++page-up++ or ++arrow-left++.\n": "Press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>My key</kbd>, <kbd>Page Up</kbd> or <kbd>Left</kbd>.\n",
		"`++a++` C++ and D++, i++ ++ j, ++i\n":                            "`++a++` C++ and D++, i++ ++ j, ++i\n",
	})
	strips(t, Dialect{}, map[string]string{"++a++ [[b]]\n": "++a++ b\n"})
}

// A tag that does not end before the next one begins is text: all up to the end of the next one was
// taken for a part of it.
func TestTagsWithoutEnd(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"{% a b=\"c\"} d\n\n# E\n\n{% f %} g\n": "{% a b=\"c\"} d\n\n# E\n\n g\n",
		"{% set a = [\n  1,\n  2\n] %} b\n":     " b\n",
	})
}

// If all of what emphasis encloses, or one end of it, is not shown, no marks are left over.
func TestEmphasisAround(t *testing.T) {
	strips(t, Dialect{Generator: Hugo}, map[string]string{
		"**{{< a >}}**\n":                      "\n",
		"Get _{{< a >}}_ and ***{{< a >}}***.": "Get  and .",
		"- ~~{{< a >}} ~~ b":                   "-  b",
		"**Version: {{< a >}}**, now":          "**Version:**, now",
		"_{{< a >}} is new_ (*{{% b %}} too*)": "_is new_ (*too*)",
		"**{{< a >}} b {{< /a >}}** c":         "**b** c",
		"**a**{{< b >}} c":                     "**a** c",
		"le\u00a0**{{< a >}}**, **b {{< a >}}**\u00a0: «**{{< a >}}**»": "le\u00a0, **b**\u00a0: «»",
		"- {{< a >}}**b** c":                    "- **b** c",
		"- {{< a >}}** b":                       "- ** b",
		"**a:**{{< b >}}**c**, *d*{{< b >}}*e*": "**a:**<!-- -->**c**, *d*<!-- -->*e*",
		"`a`{{< b >}}`c`":                       "`a`<!-- -->`c`",
		"a_{{< b >}}_c":                         "a__c",
		"**版本 {{< a >}}**。":                     "**版本**。",
		"`**{{< a >}}**`":                       "`****`",
		"```\n**{{< a >}} b\n```\n":             "```\n** b\n```\n",
	})
	strips(t, Dialect{MDX: true}, map[string]string{
		"a **<B c={d} />** **{e} f**\n":       "a  **f**\n",
		"<b.C>\n*d*\n</b.C> e <b.C f='g'/>\n": "\n*d*\n e \n",
	})
}

// A fence in a comment begins no code: the tags after it stood in the text.
func TestCommentsOfLines(t *testing.T) {
	for _, g := range []Generator{Hugo, Jekyll, Zola, Plain} {
		strips(t, Dialect{Generator: g}, map[string]string{
			"<!--\n```rust\na\n``` -->\n\n{{% a %}} b\n": "<!---->\n\n b\n",
			"a <!-- b\n\nc --> {{% a %}} d\n":            "a <!-- b\n\nc -->  d\n",
			"`<!--`\n`-->` {{% a %}} d\n":                "`<!--`\n`-->`  d\n",
		})
	}
}

// An index or exponent of a TeX formula is not an attribute list, but the same braces after
// emphasis are.
func TestIndexesOfFormulas(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		`$\sum_{i=0}^{n} x_{t=1}$ and $a_{j=i}$`:        `$\sum_{i=0}^{n} x_{t=1}$ and $a_{j=i}$`,
		`$\lim _{n \to m} a_{i=1}$ and x_{i=1}`:         `$\lim _{n \to m} a_{i=1}$ and x_{i=1}`,
		`_a_{.b} _c_{#d} _e_{title="f"} *g*{h=i} **j**`: `_a_ _c_ _e_ *g* **j**`,
		`in _İstanbul_{lang=tr}`:                        `in _İstanbul_`,
		`in __İstanbul__{lang=tr}, $x__{i=1}$`:          `in __İstanbul__, $x__{i=1}$`,
	})
}

// A value alone on its line that is not shown leaves no blank line, which would end the paragraph
// or the HTML.
func TestValuesOnTheirLines(t *testing.T) {
	for _, g := range []Generator{Plain, Jekyll} {
		strips(t, Dialect{Generator: g}, map[string]string{
			"<b>\n    {{ a }}\n    </b>\n":    "<b>\n    </b>\n",
			"a\n{{ b }}\nc\n\n{{ d }}\n\ne\n": "a\nc\n\n\n\ne\n",
			"a\n{{ b }} {{ c }}\n{% d %}\ne":  "a\n \n\ne",
		})
	}
}

// The parameters of an include of Jekyll that is not known may hold quotes. They are no part of a
// tag of HTML, or of an address, in which it stands.
func TestWordsOfIncludes(t *testing.T) {
	strips(t, Dialect{Generator: Jekyll}, map[string]string{
		`{% include a.html title="A \"b\"" text='It\'s {c}' %}`: "\n**A \"b\"**\n\nIt's {c}\n\n",
		`{% include a.html text="{{ b }} title='c'" %}`:         "",
		`<a href="{% include a.html text="b" %}">c</a>`:         `<a href="">c</a>`,
		`<td>{% include a.html text="b" %}</td>`:                `<td>b</td>`,
		`[a]({% include a.html text="b" %}/c)`:                  `[a](/c)`,
		`<a href="/">{% include a.html text="b" %}</a>`:         `<a href="/">b</a>`,
	})
}

// A quoted value in the tag of a box may have a > in it. Markdown may follow a box right below,
// whatever it ends with.
func TestBoxesWithMarkdown(t *testing.T) {
	strips(t, Dialect{Generator: Jekyll}, map[string]string{
		"<div markdown=\"1\" title=\"a > b\">*c*\nd</div>\n": "<div markdown=\"1\" title=\"a > b\">\n\n*c*\nd\n\n</div>\n",
		"<p title='>' markdown=\"1\">*c*</p>\n":              "<p title='>' markdown=\"1\">\n\n*c*\n\n</p>\n\n",
		"<div markdown=\"1\">\n> a</div>\nb\n":               "<div markdown=\"1\">\n\n> a\n\n</div>\n\nb\n",
		"<div markdown=\"1\">\n- a</div>\nb\n":               "<div markdown=\"1\">\n\n- a\n\n</div>\n\nb\n",
	})
}

// After the tag of a component that is alone on its line, MDX needs no blank line before an import.
func TestImportsAfterComponents(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"<Note>\na\n</Note>\nimport B from './b.mdx'\n\n<B/>\n\nc\n": "\na\n\n\n\n\n\nc\n",
		"<B/>\nexport const c = 1\n\nd\n":                            "\n\n\nd\n",
		"a <B/>\nimport that.\n":                                     "a \nimport that.\n",
	})
}

// The id of a heading is not a JavaScript expression: Docusaurus and remark-heading-id take care of
// that.
func TestIDsInMDX(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"## A {#a_1}\n\n## B \\{#b} \r\n": "## A {#a_1}\n\n## B {#b}\n",
		"## <b>A</b> {#a~2}\n":            "## <b>A</b>\n",
		"## {#a} B\n\nC {#c}\n":           "##  B\n\nC \n",
	})
}

// The mark that ends a plain formula does not begin another one, which would reach to the next
// formula, whose braces were then expressions.
func TestFormulasInMDX(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"$$\na = b\n$$\n\n$\\sin$ {c}\n\n$$\nd^{2}\n$$\n":   "$$\na = b\n$$\n\n$\\sin$ \n\n$$\nd^{2}\n$$\n",
		"$$\na\n\nb\n$$\n{c} $$d$$ $\\sin$ {e} $$f^{2}$$\n": "$$\na\n\nb\n$$\n $$d$$ $\\sin$  $$f^{2}$$\n",
		"$$ to {a} $5\n\nor $$ {b}\n":                       "$$ to  $5\n\nor $$ \n",
		"$5, {a} or $6, {b}\n":                              "$5,  or $6, \n",
	})
}

// The value of a component's attribute may have blank lines in MDX, as the text of a diagram does.
func TestValuesWithBlankLines(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"<Mermaid chart=\"\na --> b\n\n%% c\n\" />\n\nd\n": "\n\nd\n",
		"<b title=\"a\n\nc\">\n":                           "<b title=\"a\n\nc\">\n",
	})
}

// Scripts and styles are not text, nor are the expressions and blocks of Svelte.
func TestSvelte(t *testing.T) {
	own := func(key string) string { return map[string]string{"title": "A"}[key] }
	strips(t, Dialect{MDX: true, Svelte: true, Own: own}, map[string]string{
		"<script>\n  import A from './a'\n\n  import B from './b'\n  let c = {}\n</script>\n\n# D\n": "\n\n# D\n",
		"<svelte:head>\n<title>A</title>\n</svelte:head>\n\nb <svelte:window on:resize={c}/>\n":      "\n\nb \n",
		"# {title}\n\n{#each a as b}\n<B {...b} />\n{:else}\nc\n{/each}\n{@html d}\n":                "# A\n\n\n\n\nc\n\n\n",
		`[a]({base}/b) <a href="{base}/c" class='d'>e</a>`:                                           `[a](/b) <a href="/c" class='d'>e</a>`,
		"<https://a.example> `<svelte:head>`\n\n```svelte\n<script>\n</script>\n```\n":               "<https://a.example> `<svelte:head>`\n\n\n```svelte\n<script>\n</script>\n```\n",
	})
}

// Markdown may follow the end of any element of MDX without a blank line.
func TestAfterHTML(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"<head>\n<title>A</title>\n</head>\n### B\n": "<head>\n\n<title>A</title>\n</head>\n\n### B\n",
		"a\n<video>\n</video>\n*b*\n":                "a\n<video>\n</video>\n\n*b*\n",
		"<iframe src='a'></iframe>\n*b*\n":           "<iframe src='a'></iframe>\n\n*b*\n",
		"<b>a</b>\n*b*\n":                            "<b>a</b>\n*b*\n",
	})
}

// The time for a long text is linear in its length, whatever it holds.
func TestHostileText(t *testing.T) {
	articletest.WithoutRace(t)
	const size, most = 1 << 20, 10 * time.Second
	long := sync.OnceValue(func() map[string]string { return hostile(size) })
	for name, text := range hostile(size / 8) {
		for _, d := range []Dialect{{}, {MDX: true}, {HTML: true}, {Generator: Hugo}, {Generator: Jekyll, RawInCode: true}, {Generator: Jekyll, HTML: true}, {Generator: Zola}, {Logseq: true}} {
			text := text
			d.Own = func(string) string { return fill("a", 10_000) }
			var out []byte
			strip := func() { out, _ = d.Strip([]byte("{{ a }}\n\n" + text)) }
			took := articletest.ProcessorTime(t, strip)
			if took > most/64 { // it may grow with the square of the length
				text = long()[name]
				took = articletest.ProcessorTime(t, strip)
			}
			if took > most || len(out) > 20*len(text) {
				t.Errorf("%s of %v, MDX %t, HTML %t: %s, %d bytes", name, d.Generator, d.MDX, d.HTML, took, len(out))
			}
		}
	}
}

func fill(piece string, bytes int) string { return strings.Repeat(piece, bytes/len(piece)) }

// hostile are long texts, each nothing but one thing that is looked at far ahead or behind.
func hostile(size int) map[string]string {
	return map[string]string{
		"contents":              "-" + fill("{:toc}", size),
		"ids":                   fill("{#a}", size),
		"attributes":            fill("-", size/2) + fill("{:a}", size/2),
		"attributes and spaces": fill("a {.b} ", size/2) + fill(" ", size/2) + "x",
		"comments":              fill("<!--", size),
		"code":                  fill("{% highlight %}", size),
		"indented code":         fill(" {% highlight %}", size),
		"remarks":               fill("{% comment %}", size),
		"includes":              fill("{% include a.html title='b' text='c' %}/", size),
		"parameters":            "{{< figure " + fill("a ", size) + ">}}",
		"quoted parameters":     "{{< figure " + fill(`a="b"`, size) + ">}}",
		"expressions":           "<a " + fill("b c {x} ", size),
		"names":                 fill(" ^a", size/2) + " " + fill("a", size/2),
		"items":                 fill("-      ", size),
		"items and spaces":      fill("- ", size/2) + "x" + fill(" ", size/2),
		"tables":                fill("|a|\n\n", size),
		"emphasis":              fill("*_{{< a >}} ", size),
		"marks":                 fill("*", size/2) + fill("{{< a >}}", size/4) + fill("*", size/4),
		"components":            fill(`<Card title="a"/>`, size),
		"components in a line":  "a" + fill(`<Card title="a"/>`, size),
		"components in items":   fill("- <A title='b'>", size),
		"components in pairs":   fill(`<Card>a</Card><Card title="b">`, size),
		"open tabs":             fill("<Tabs items={['a']}>", size),
		"tabs":                  "<Tabs items={['a']} values={[" + fill("{value: 'a', label: 'b'},", 1<<15) + "]}>" + fill("<Tab>", size),
		"badges":                "# " + fill(`<Badge text="a"/>`, size),
		"words of a component":  "<Card" + fill(" title='a'", size) + ">",
		"tabs by name":          "<Tabs items={[" + fill("'a',", size/2) + "]}>\n" + fill("<TabItem value='z'>\n", size/2),
		"deep pairs":            fill("- ", 900) + fill("<Card title='a'></Card>", size),
		"deep quotes":           fill(">", 900) + fill("<Card title='a'></Card>", size),
		"deep badges":           "- a\n" + fill(" ", 900) + "# " + fill(`<Badge text="a"/>`, size),
		"front matter":          fill("{frontMatter.title}", size),
		"imports of comments":   "import " + fill("/*", size),
		"imports of quotes":     fill("import '\"`{\n\n", size),
		"many imports":          fill("import a\n\n", size),
		"exports in one line":   "export const a = 1 " + fill("/", size),
		"open pre":              fill("<pre>\n", size),
		"comments that end":     fill("<!--", size) + "-->",
		"components of colons":  fill("::a\n---\nb: c\n", size),
		"directives":            fill(" :a{", size/2) + fill(" :a[", size/2),
		"kramdown's braces":     fill("{:", size) + "}",
		"badges of hashes":      fill("#", size/2) + " " + fill("<Bb/>", size/2),
		"badges after spaces":   "a\n" + fill(" ", size/2) + "# " + fill(`<Badge text="a"/>`, size/2),
		"cells after spaces":    "a\n" + fill(" ", size/2) + fill(`<Badge text="a"/>`, size/2),
		"titles of tags":        `<Card title="` + fill("<a ", size) + `">`,
		"tags in several lines": fill(">text<Card\n", size),
		"remarks that end":      fill("{% comment %}{% endcomment %}", size),
		"kramdown's remarks":    fill("{::comment}{:/}", size),
		"sets":                  fill(strings.Repeat("{% set a %}{% endset %}", 2500)+"{{ a | highlight }}", size),
		"tags of code":          fill(strings.Repeat("{% code %}", 2500)+"{% encode %}{% endcode %}", size),
		"sizes of pictures":     fill("![a](b =", size),
		"raw HTML":              fill("{{< rawhtml >}}\n", size) + "{{< /rawhtml >}}",
		"raw HTML in one line":  fill("a{{< rawhtml >}}<b>", size) + "{{< /rawhtml >}}",
		"inline shortcodes":     fill("{{< a.inline >}}{{< /a.inline >}}", size),
		"front matter, Liquid":  fill("{{page.title}}", size),
		"tags in braces":        fill("<Aa {", size/2) + fill("}", size/2) + "<",
		"before a quote":        fill("{{< a >}}", size) + `"`,
		"after an open quote":   fill(`{{< a \" >}}`, size),
		"ends in quotes":        fill(`{{< a "\">}}`, size),
		"values without ends":   fill("{{text}}", size),
		"raw without an end":    "`" + fill("{% raw %}", size) + "`",
		"open directives":       fill("```{note}\n---\na: b\n", size),
		"hidden directives":     fill(":::{toctree}\n:a: b\n:::\n", size),
		"roles":                 fill("{a}`", size/2) + fill("{ref}`a`", size/2),
		"tags with v-pre":       fill("<b v-pre>{{a}}", size),
		"panels and tabs":       fill(fill("=== a\n+++ b\n", 60_000)+"===\n+++\n", size),
	}
}

// Only a component that is a block of its own has words, and they are shown once.
func TestWordsOfComponents(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		`<Term>API</Term> and <Term>SDK</Term><Tip title="on pointing" />`:           "API and SDK",
		`<Aa title="a">x</Aa> <Bb>y</Bb> and <Cc>z</Cc> <Tip title="on pointing" />`: "\n**a**\n\nx y and z ",
		`<Aa><Bb title="b">x and y</Bb><Cc title="c">z</Cc></Aa>`:                    "\n**b**\n\nx and y\n\n\n**c**\n\nz",
		`It is <Badge text="new" title="new" />.`:                                    "It is new.",
		`<Badge text="new" title="since 2.0" />`:                                     "new",
		`<Aside type="tip" title={title}>`:                                           "",
		"<Aside type='tip'>":                                                         "\n**Tip**\n\n",
		`#1 <Badge text="new" /> is no heading`:                                      "#1 new is no heading",
		`# A heading <Badge text="new" />`:                                           "# A heading \nnew\n\n",
	})
}

// An element that is closed at once is closed in HTML, too, whatever else the text holds. A slash
// in a value without quotes closes none.
func TestElementsClosedAtOnce(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"[<span/> a](b) c\n":     "[<span></span> a](b) c\n",
		"[<span/> a](b) ==c==\n": "[<span></span> a](b) <mark>c</mark>\n",
		"<i id=\"b\"/> ==d==\n":  "<i id=\"b\"></i> <mark>d</mark>\n",
		"<i id=b/>c</i> ==d==\n": "<i id=b/>c</i> <mark>d</mark>\n",
		"a <br/> b ==c==\n":      "a <br/> b <mark>c</mark>\n",
	})
}

// The text of an item may begin on the line below its marker, as fenced code does there.
func TestItemsBeginBelow(t *testing.T) {
	for text, want := range map[string]string{ // c for a line of code
		"1.\n    ```c\n    a\n    ```\n2.\n    ```\n    b\n    ```\n\nc\n": ".ccc.ccc..",
		"-\n  a\n\n      b\n\n      c\n":                                   "...c.c",
		"-\n  - \n    a\n\n    b\n\nc\n":                                   ".......",
		"a\n-\n\n    b\n":                                                  "...c",
		"-\n\n    a\n":                                                     "..c", // but not two lines below
		"- a\n- b\n  1.\n\n      c\n\n        d\n":                         "....c.c",
		"> -\n\na\n":                                                       "...",
		"a\n===\n    b\n\nc\n---\n    d\n\n===\n    e\n":                   "..c...c...",
		"- # A\n      b\n\n      c\n  d\n":                                 ".c.c.",
		"> # A\n>     b\n#c\n    d\n":                                      ".c..",
	} {
		checkCode(t, text, want)
	}
}

// MDX has no indented code, so its items are moved left. An empty one that lies left of the one
// before it, by which it would be moved, is moved no further than to the margin.
func TestEmptyItemsInMDX(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"\t1.\n1.\na\n":      "1.\n   1.\na\n",
		"\t1.\n1.\n<Tab>b\n": "1.\n   1.\nb\n",
	})
}

// checkCode compares which lines of a text are code.
func checkCode(t *testing.T, text, want string) {
	t.Helper()
	got := ""
	for _, isCode := range Lines(text) {
		got += map[bool]string{true: "c", false: "."}[isCode]
	}
	if got != want {
		t.Errorf("%q: %s, want %s", text, got, want)
	}
}

// There may be a tab between the marker of an item and its text: a short line with one crashed the
// program.
func TestTabsInLists(t *testing.T) {
	for text, want := range map[string]string{ // c for a line of code
		"-\ta\n":                       ".",
		"* \t0":                        ".",
		"-\ta\n\n\tb\n\n\t\tc\n":       "....c",
		"-\ta\n\n    b\n\n        c\n": "....c",
		"-\t```\n\ta\n\t```\n\tb\n":    "ccc.",
		"1.\ta\n\n\t\tb\n":             "..c",
		"- 1.\ta\n\n\t\tb\n":           "...",
		"-\t\ta\n\n  b\n":              "...",
	} {
		checkCode(t, text, want)
	}
	strips(t, Dialect{MDX: true}, map[string]string{"-\t<Tip title='a'/>\n\n\t{b}\n": "-\t**a**\n\n \t\n\n\t\n"})
}

// A bracket in a string of an export does not swallow what follows the export.
func TestExports(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"export const sad = ':('\n\nText.\n\nMore.\n":                        "\n\nText.\n\nMore.\n",
		"export const a = {\n\n  b: 1,\n}\nexport {a}\n\nText.\n":            "\n\nText.\n",
		"import a from `\n" + strings.Repeat("b\n\n", 5000) + "`\n\nText.\n": "\n\nText.\n",
		"export const re = /[(]/\n\nText.\n\nexport {re}\n\nMore.":           "\n\nText.\n\n\n\nMore.",
	})
}

// codehilite does not show the first line of indented code that names its language.
func TestLanguagesInCode(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n    :::bash\n    ls\n\n    :::b\n":              "a\n\n    ls\n\n    :::b\n",
		"- a\n\n        #!go\n        b\n":                    "- a\n\n        b\n",
		"    ::text hl_lines=\"1\"\n    a\n\nb\n\n    :::c\n": "    a\n\nb\n\n",
		"    #!/bin/sh\n    ls\n":                             "    #!/bin/sh\n    ls\n",
		"    ::: go\n":                                        "    ::: go\n",
		"    :go\n":                                           "    :go\n",
		"```\n:::bash\n```\n":                                 "```\n:::bash\n```\n",
	} {
		strips(t, Dialect{Headed: true}, map[string]string{text: want})
		strips(t, Dialect{}, map[string]string{text: text})
	}
}

// inlinehilite does not show the language that a code span names.
func TestLanguagesInSpans(t *testing.T) {
	for text, want := range map[string]string{
		"a `#!go x := 1` b\n":          "a `x := 1` b\n",
		"``:::http 200 ` OK``\n":       "``200 ` OK``\n",
		"`#!/bin/sh -e` `#!` `:: a`\n": "`#!/bin/sh -e` `#!` `:: a`\n",
	} {
		strips(t, Dialect{Spans: true}, map[string]string{text: want})
		strips(t, Dialect{}, map[string]string{text: text})
	}
}

// Shortcodes of Zola run in code as well, unless they are escaped. What has no parentheses is not
// one of them, nor is what has arguments without names.
func TestZolaInCode(t *testing.T) {
	strips(t, Dialect{Generator: Zola}, map[string]string{
		"```\na\n{{ x(b=\"c\", d=1) }}\n{% y(e=['f']) %}\ng {{ z() }}\n{% end %}\n```\n": "```\na\ng \n```\n",
		"```\n{{/* x(a=`b`) */}}\n{%/* y() */%}\n{%/* end */%}\n```\n":                   "```\n{{ x(a=`b`) }}\n{% y() %}\n{% end %}\n```\n",
		"```\n{{ a }} {% if b %} ${{ hashFiles('c') }} {{ d.e() }}\n```\n":               "```\n{{ a }} {% if b %} ${{ hashFiles('c') }} {{ d.e() }}\n```\n",
		"`a {{ x() }}b`\n":                      "`a b`\n",
		"a `{{ x() }}` b ``{% y() %}`` c `d`\n": "a  b  c `d`\n", // two empty spans would be one of what is between them
	})
	strips(t, Dialect{Generator: Hugo}, map[string]string{"a `{{< x >}}` b `{{< y >}}`\n": "a  b \n"})
}

// Readers see what the template of a shortcode of Zola shows of its arguments, which commas or
// spaces part.
func TestZolaArguments(t *testing.T) {
	d := Dialect{Generator: Zola, Shown: map[string][]string{"box": {"head", "body"}, "card": {"repo"}}}
	strips(t, d, map[string]string{
		"{% box(kind=\"tip\", head=\"Mind *this*\") %}\na\n{% end %}\n":  "\nMind *this*\n\n\na\n\n",
		"{{ box(head='A' body=`B`) }}\n":                                 "\nA\n\nB\n\n\n",
		"See {{ card(repo=\"a/b\") }} and {{ card(repo=c) }}.\n":         "See a/b and .\n",
		"[a](/{{ card(repo=\"b\") }}) <i id=\"{{ card(repo='b') }}\">\n": "[a](/) <i id=\"\">\n",
		"{{ figure(src=\"a.png\" caption=\"The sea\") }}\n":              "\nThe sea\n\n\n",
		"{{ note(text='It\\'s') }}\n":                                    "\nIt's\n\n\n",
		"{% a() %}\nb {{ note(text=\"c\") }} d {% end %}\n":              "\nb c d \n",
	})
}

func TestShownByZola(t *testing.T) {
	for template, want := range map[string]string{
		`<summary>{{ title | default(value="More") }}</summary>{{ body | markdown | safe }}`:  "title body",
		`{% set a = name | default(value="x") %}<b>{{ a ~ " by " ~ who }}</b>`:                "name who",
		`<img src="{{ src }}" alt="{{ alt }}">{% if cap %}<i>{{cap}}</i>{% endif %}`:          "cap",
		`<img src="{{ src }}" alt="{{ alt }}">`:                                               "alt",
		`<p class="{% if a %}b {{ a }}{% else %}c{% endif %}">{{ d }}</p>`:                    "d",
		`{{ get_url(path=a) }} {{ page.title }} {{ a | replace(from="b", to="c") }} w{{ d }}`: "",
		`{% for a in b | split(pat=",") %}<li>{{ a }}</li>{% endfor %}{# {{ c }} #}`:          "",
		"{{ ": "", "{% set %}{% else %}{% endif %}{{ a | default( }}": "",
	} {
		if got := strings.Join(ShownByZola(template), " "); got != want {
			t.Errorf("%s shows %q, want %q", template, got, want)
		}
	}
}

// HTML in shortcodes is not code, however far it is indented.
func TestIndentedInShortcodes(t *testing.T) {
	strips(t, Dialect{Generator: Zola}, map[string]string{
		"{% cols() %}\n\t{% col(w=3) %}\n\t\t<img src=\"a.png\">\n\t{% end %}\n{% end %}\n\n    <b>code</b>\n":                           "\n\n<img src=\"a.png\">\n\t\n\n\n    <b>code</b>\n",
		"{% cols() %}\n\t{% col() %}\n\t\t<b>a</b>\n\n\t{% end %}\n\t{% col() %}\n\t\t<b>b</b>\n\t{% end %}\n{% end %}\n\n    {{ a }}\n": "\n\n<b>a</b>\n\n\n\n<b>b</b>\n\t\n\n\n    {{ a }}\n",
	})
	strips(t, Dialect{Generator: Hugo}, map[string]string{
		"{{< cols >}}\n    {{< col >}}\n        <p>a\n        b</p>\n    {{< /col >}}\n{{< /cols >}}\n\n    <b>code</b>\n": "\n    \n<p>a\n        b</p>\n    \n\n\n    <b>code</b>\n",
		"a {{< x >}}\n        <b>c</b>\n":      "a \n        <b>c</b>\n",
		"- a\n\n  {{< x >}}\n      <b>c</b>\n": "- a\n\n  \n  <b>c</b>\n",
	})
}

// To Python-Markdown, all within an HTML element is HTML.
func TestIndentedHTML(t *testing.T) {
	strips(t, Dialect{Python: true}, map[string]string{
		"<div>\n    <ul>\n        <li>a\n    </ul>\n\n    <p>b</p>\n</div>\n\n    code\n": "<div>\n<ul>\n<li>a\n</ul>\n\n<p>b</p>\n</div>\n\n    code\n",
		"<div markdown>\n\n    code\n\n</div>\n":                                          "<div markdown>\n\n\n    code\n\n</div>\n\n",
		"- a\n\n        code\n\n<br>\n\n    code\n":                                       "- a\n\n        code\n\n<br>\n\n    code\n",
		"<p><!-- <div> --></p>\n\n    {{ code }}\n":                                       "<p><!-- <div> --></p>\n\n    {{ code }}\n",
		"<div id='a' />\n\n    {{ code }}\n":                                              "<div id='a'></div>\n\n    {{ code }}\n",
		"<div><!-- </div> -->\n\n    {{ html }}\n</div>\n":                                "<div><!-- </div> -->\n\n\n</div>\n",
	})
}

// There is no Markdown in <pre>, except in MDX.
func TestPreformatted(t *testing.T) {
	const pre = "<pre>\nif %% a %% b\n\n    [[Page]] ==c==\n*[a]: b\n::: note\n{.d}\n</pre>\n"
	for _, g := range []Generator{Plain, Jekyll, Hugo, Zola} {
		strips(t, Dialect{Generator: g}, map[string]string{pre: pre})
	}
	strips(t, Dialect{}, map[string]string{
		"<pre>[[a]]</pre>\n[[b]]\n":           "<pre>[[a]]</pre>\nb\n",
		"> <pre>\n> {% x %}==a==\n> </pre>\n": "> <pre>\n> ==a==\n> </pre>\n",
		"```\n<pre>\n```\n[[a]]\n":            "```\n<pre>\n```\na\n",
		"<prefix>\n[[a]]\n":                   "<prefix>\na\n",
		"> <pre>\n> a\n\n%% b %%\n":           "> <pre>\n> a\n\n\n", // without an end tag, it ends with the quote
	})
	strips(t, Dialect{MDX: true}, map[string]string{"<pre>\n{'a'}\n</pre>\n": "<pre>\na\n</pre>\n"})
}

// A code span ends with as many backquotes as it begins with.
func TestBackquotes(t *testing.T) {
	for _, g := range []Generator{Plain, Jekyll} {
		strips(t, Dialect{Generator: g}, map[string]string{
			"`` a ``` {{ x }} ``{{ y }}\n":    "`` a ``` {{ x }} ``\n",
			"` `` {{ x }}\n``` ` `{{ y }}`\n": "` `` {{ x }}\n``` ` `{{ y }}`\n",
			"``` {{ x }} `` {{ y }}\n":        "```  `` \n",
			"\\` {{ x }} ` {{ y }} `\n":       "\\`  ` {{ y }} `\n",
			"\\\\` {{ x }} ` {{ y }}\n":       "\\\\` {{ x }} ` \n",
		})
	}
}

// The title of a box may have code, pictures, links and bold words in it: the marks of bold words
// ran together as ****.
func TestTitlesOfBoxes(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		":::note[Use `a[0]]` here]\nb\n:::\n":                "\n**Use `a[0]]` here**\n\nb\n\n",
		"::: note [![a](b)](c) d\ne\n:::\n":                  "\n**[![a](b)](c) d**\n\ne\n\n",
		":::note[a [b](c)]{.d}\ne\n:::\n":                    "\n**a [b](c)**\n\ne\n\n",
		"::: tip [a\nb\n:::\n":                               "\n**a**\n\nb\n\n",
		":::info Points of $\\mathbb{R}^{n}$ {.d}\nb\n:::\n": "\n**Points of $\\mathbb{R}^{n}$**\n\nb\n\n",
		"> [!NOTE] a *b* c\n> d\n":                           "> **a *b* c**\n>\n> d\n",
		"> [!NOTE] **a**, b\n> c\n":                          "> **a**, b\n>\n> c\n",
		"> [!NOTE| wide no-icon]- a\n> c\n":                  "> **a**\n>\n> c\n",
		"> [!aside|right]\n> c\n":                            "> **Aside**\n>\n> c\n",
		"> # a <Badge text=\"b\" />\n> c\n":                  "> # a \n>\n> b\n>\n> c\n",
		"- # a <Badge text=\"b\" />\n\n  c\n":                "- # a \n\n  b\n\n\n  c\n",
	})
}

// A fence may also end after a tag that ends raw text: what followed was taken for code, and its
// tags stayed.
func TestFencesAfterRaw(t *testing.T) {
	strips(t, Dialect{RawInCode: true}, map[string]string{
		"```js{% raw %}\n{{ a }}\n{% endraw %}```\n\n{% b %}\nc\n": "```js\n{{ a }}\n```\n\n\nc\n",
		"{% raw %}```js\n{{ a }}\n```{% endraw %}\n\n{% b %}\nc\n": "```js\n{{ a }}\n```\n\n\nc\n",
		"```\n{% endraw %}`` {{ a }}\n```\n{{ b }}c\n":             "```\n`` {{ a }}\n```\nc\n",
	})
}

// Programs older than CommonMark read ##Title as a heading, and a link definition directly below a
// paragraph as one: both were text.
func TestUnspaced(t *testing.T) {
	strips(t, Dialect{Unspaced: true}, map[string]string{
		"a\n##B\n#C [#d]\n":         "a\n## B\n# C {#d}\n",
		"- a\n  #12\n b\n #c\n":     "- a\n  #12\n b\n #c\n",
		"# A\n\n#\n##\tB\n":         "# A\n\n#\n##\tB\n",
		"\\#a `#b` #c\n":            "\\#a `#b` #c\n",
		"```\n#a\n```\n\n    #b\n":  "```\n#a\n```\n\n    #b\n",
		"a [b][c]\n[c]: /d\n":       "a [b][c]\n\n[c]: /d\n",
		"a\n[^b]: c\n[d] e: f\n":    "a\n[^b]: c\n[d] e: f\n",
		"<div>\n#a\n[b]: c\n</div>": "<div>\n#a\n[b]: c\n</div>",
		"####### a\n":               "####### a\n",
	})
	strips(t, Dialect{}, map[string]string{"##B\n": "##B\n"})
}

// The marks of DocFX between colons and after [! were text, with their attributes, and text that is
// indented in columns was code.
func TestDocFX(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		":::image type=\"content\" source=\"a.png\" alt-text=\"The [A]\":::\n":                                                    "![The A](<a.png>)\n",
		"1. a\n\n    :::image source=\"a.png\" alt-text=\"A\":::\n":                                                               "1. a\n\n    ![A](<a.png>)\n",
		":::image type=\"complex\" source=\"a.png\" alt-text=\"A\":::\nIt shows a.\n:::image-end:::\n\nb\n":                       "![A](<a.png>)\nIt shows a.\n\n\nb\n",
		"Press :::image type=\"icon\" source=\"a.png\"::: in :::no-loc text=\"Docker\":::.\n":                                     "Press ![](<a.png>) in Docker.\n",
		":::video source=\"https://a.example/b\":::\n":                                                                            "<iframe src=\"https://a.example/b\"></iframe>\n\n",
		":::code language=\"go\" source=\"a.go\" range=\"2,4\":::\n":                                                              "\n",
		":::row:::\n   :::column span=\"\":::\n      a\n\n      - b\n        c\n   :::column-end:::\n:::row-end:::\n\n    code\n": "\n\na\n\n- b\n  c\n\n\n\n    code\n",
		"::: zone pivot=\"a\"\n\nb\n\n::: zone-end\n":                                                                             "\n\nb\n\n\n",
		"::: moniker range=\">= a\"\n\nb\n\n::: moniker-end\n":                                                                    "\n\nb\n\n\n",
		"::: zone a\n\nb\n\n:::\n": "\n**a**\n\n\nb\n\n\n",
		"[!INCLUDE [a](../b.md)]\n\nc [!include[d](~/e.md)] f `[!INCLUDE [g](h)]`\n": "\n\nc  f `[!INCLUDE [g](h)]`\n",
		"[!code-csharp[Main](a.cs?name=b)]\n":                                        "\n",
		"> [!div class=\"checklist\"]\n> * a\n":                                      ">\n> * a\n",
		"> [!VIDEO https://a.example/b]\n":                                           "> <iframe src=\"https://a.example/b\"></iframe>\n",
		"> [!VIDEO a4624e00-b3ac]\n":                                                 "> \n",
	})
}

// Colons at the end of a line have no meaning.
func TestContainersOfPandoc(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"::: warning ::::::\na\n::::::::::\n": "\n**Warning**\n\na\n\n",
		"::: note Remember:\na\n:::\n":        "\n**Remember:**\n\na\n\n",
	})
}

// The size of a picture, as in Obsidian, is not text.
func TestSizesOfPictures(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"![a|200](b.png)\n":                 "![a](b.png)\n",
		"|x ![a\\|20x30](b.png)|\n":         "|x ![a](b.png)|\n",
		"![a|b](c.png) ![a|](b) ![a|1]\n":   "![a|b](c.png) ![a|](b) ![a|1]\n",
		"[a|200](b) \\![a|200](b)\n":        "[a|200](b) \\![a|200](b)\n",
		"`![a|200](b)` ![a|b|200](b.png)\n": "`![a|200](b)` ![a|b](b.png)\n",
		"![a](b.png =200x300) ![](b.png =200x) ![c](<b c.png> \"d\" =x5) ![a|200](b.png =1x1)\n": "![a](b.png) ![](b.png) ![c](<b c.png> \"d\") ![a](b.png)\n",
		"![a](b.png =c) [a](b =200x300) ![a](b.png =200x300\n":                                   "![a](b.png =c) [a](b =200x300) ![a](b.png =200x300\n",
		"![a](b.png =x) ![a](b.png?c=1x2) `![a](b =1x2)`\n":                                      "![a](b.png =x) ![a](b.png?c=1x2) `![a](b =1x2)`\n",
	})
}

// The names of files that Fumadocs includes are not in the text.
func TestIncludesOfFumadocs(t *testing.T) {
	strips(t, Dialect{MDX: true}, map[string]string{
		"A\n\n<include>./b.mdx</include>\n\nc <include>./d.ts#e</include> f\n":                    "A\n\n\n\nc  f\n",
		"<include cwd lang=\"tsx\" meta='title=\"b.ts\"'>\n  ./b.ts\n</include>\n\n`<include>`\n": "\n\n`<include>`\n",
	})
	strips(t, Dialect{}, map[string]string{
		"a\n\n::include[./b.md]\n\n::include[b.ts]{lang=ts meta='title=\"b\"'}\n": "a\n\n\n\n\n",
		"a ::include[b]\n": "a ::include[b]\n",
	})
}

// Abbreviations of kramdown, Markdown Extra and markdown-it.
func TestAbbreviations(t *testing.T) {
	for _, g := range []Generator{Jekyll, Plain} {
		strips(t, Dialect{Generator: g}, map[string]string{
			"The HTML.\n\n*[HTML]: Hyper Text\n*[W3C]: Consortium\n": "The HTML.\n\n\n\n",
			"    *[HTML]: code\n":       "    *[HTML]: code\n",
			"```\n*[HTML]: code\n```\n": "```\n*[HTML]: code\n```\n",
			"*[a]: b* c\n":              "*[a]: b* c\n",
			"*[a](b)*: c\n":             "*[a](b)*: c\n",
			"* [a]: b\n":                "* [a]: b\n",
			"*[]: b\n":                  "*[]: b\n",
			"*[a]: b\nc* d\n":           "*[a]: b\nc* d\n",
			"*[a]: b\n*[c]: d\n":        "\n\n",
			"*[a]: b\nof *c*\n":         "\nof *c*\n",
			"*[a]: b\n\nc* d\n":         "\n\nc* d\n",
		})
	}
	strips(t, Dialect{Generator: Hugo}, map[string]string{"*[HTML]: Hyper Text\n": "*[HTML]: Hyper Text\n"})
}

// Readers see the words of Nuxt's components, and of VuePress's tabs.
func TestComponentsOfColons(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"::card\n---\ntitle: One\nicon: i\ndescription: 'Two'\nlist:\n  - a: b\n---\nText\n\n#right\nMore\n::\n\n#tag\n": "\n\n**One**\n\n\nTwo\n\nText\n\n\nMore\n\n\n#tag\n",
		"::card\n---\nui.icon.base: a dark:b\n:links: '[]'\n\"title\": One\n---\nText\n::\n":                             "\n\n**One**\n\nText\n\n",
		"::: tip\n---\na line, not a field\n---\n:::\n":                                                                  "\n**Tip**\n\n---\na line, not a field\n---\n\n",
		"::: tabs#shell\n@tab:active npm#a\nText\n@tab yarn\n:::\n":                                                      "\n\n**npm**\n\nText\n\n**yarn**\n\n\n",
		"::: tabs-item{icon=\"i\" label=\"One\"}\nText\n:::\n":                                                           "\n**One**\n\nText\n\n",
		"## A %{#a-1}%\n\n## B？%{#b}%\n\n## A %{#1}\n":                                                                   "## A {#a-1}\n\n## B？ {#b}\n\n## A %{#1}\n",
		"## A head [#a-1]\n\n## A [#1] issue\n":                                                                          "## A head {#a-1}\n\n## A [#1] issue\n",
		"## A head \\{#a_1}\n\n## A \\{#a b}\n\n## B \\{#b-1\\}\n":                                                       "## A head {#a_1}\n\n## A \\{#a b}\n\n## B {#b-1}\n",
		"::h2{id=\"a\"}\nText\n::\n\n::1\n":                                                                              "\nText\n\n\n::1\n",
		"`a{:js}` `{:ok}` `b {:c}` ``d`e{:ts}``\n":                                                                       "`a` `{:ok}` `b {:c}` ``d`e``\n",
		"::a\n  :::b\n    ::::c\n    ---\n    title: T\n    ---\n    #d\n    Text\n\n    ```js\n      a\n    ```\n    ::::\n  :::\n::\n\n    code\n": "\n\n\n\n**T**\n\n\nText\n\n```js\n  a\n```\n\n\n\n\n    code\n",
		"@table it\n": "@table it\n",
		"::tabs\n\n::tab antlers\nText\n\n::tab blade\nMore\n::\n\n#hash of text\n": "\n\n\n**antlers**\n\nText\n\n\n**blade**\n\nMore\n\n\n#hash of text\n",
		"See :icon{name=\"x\"} and :badge[*New*]{.a}.\n":                            "See  and *New*.\n",
		"a:b{c} 10:30{x} ::b{c} :{x}\n":                                             "a:b{c} 10:30{x} ::b{c} :{x}\n",
		":video{controls src=\"x\"}\n":                                              "\n",
		"`:icon{a}` :smile: :a[b] {c}\n":                                            "`:icon{a}` :smile: :a[b] {c}\n",
		":component-props\n":                                                        ":component-props\n",
	})
	strips(t, Dialect{Nuxt: true}, map[string]string{
		":component-props\n\nA :br\nB :br C\n":                    "\n\nA \nB  C\n",
		"`a :br` at 10 :30, a:b :-- :smile: c:\n\n    :root {}\n": "`a :br` at 10 :30, a:b :-- :smile: c:\n\n    :root {}\n",
	})
}

// The syntax of the Python-Markdown extensions that Material for MkDocs needs: the attribute
// markdown without a value, and the attributes of icons.
func TestMaterialForMkDocs(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"<p class=\"a\" markdown>*Text*</p>\n":     "<p class=\"a\" markdown>\n\n*Text*\n\n</p>\n\n",
		"<p markdown class=\"a\">*Text*</p>\n":     "<p markdown class=\"a\">\n\n*Text*\n\n</p>\n\n",
		"<p>Of markdown *as it is*</p>\n":          "<p>Of markdown *as it is*</p>\n",
		":material-heart:{ .red } Text\n":          ":material-heart: Text\n",
		"[:octicons-heart-fill-24:{.a} b](c.md)\n": "[:octicons-heart-fill-24: b](c.md)\n",
		"A set:{.a} and ::{.a}\n":                  "A set:{.a} and ::{.a}\n",
	})
}

// Zenn shows other pages in place of lines that name them, as markdown-it-video does with videos. A
// person may be named in the same way.
func TestZenn(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"@[card](https://a.b/c)\n":                  "\n<iframe src=\"https://a.b/c\"></iframe>\n\n",
		"@[youtube](a-b_c)\n@[vimeo](12)\n":         "\n<iframe src=\"https://www.youtube.com/embed/a-b_c\"></iframe>\n\n\n<iframe src=\"https://player.vimeo.com/video/12\"></iframe>\n\n",
		"@[speakerdeck](0f3a) \na\n":                "\n\na\n",
		"@[joe](https://a.b/joe)\na @[card](b.c)\n": "@[joe](https://a.b/joe)\na @[card](b.c)\n",
		":::message alert\na\n:::\n":                "\na\n\n",
	})
}

// Python-Markdown allows attributes of headings that the renderer does not know.
func TestAttributesOfHeadings(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"# A { data-toc-label='B c' }\n## D {#e/f.g}\n": "# A { data-toc-label=\"B c\" }\n## D\n",
		"# A {#b~2}\n## `c()` {#c()}\n# D, E {#d,e}\n":  "# A\n## `c()`\n# D, E\n",
		"a\n    # b {c='d'}\n":                          "a\n    # b {c='d'}\n",
		"# A { #b/c }\n":                                "# A\n",
		"# A {b='c'}\n":                                 "# A {b=\"c\"}\n",
		"# A {#b .c d='/e'}\n# It's {F} or {g's}\n":     "# A {#b .c d=\"/e\"}\n# It's {F} or {g's}\n",
	})
}

// An attribute may have no value. In formulas, words in braces are none.
func TestAttributesWithoutValue(t *testing.T) {
	strips(t, Dialect{Python: true}, map[string]string{
		"## A { data-search-exclude }\n":                  "## A\n",
		"## A {: #b data-c }\n## A {: #b c='d' }\n":       "## A {#b}\n## A {#b}\n",
		"## A {: #\\6.0 }\n## A {: .b c d='e' }\n":        "## A\n## A\n",
		"## A { #b data-c }\n":                            "## A {#b}\n",
		"## A { #b data-c d='e f' }\n":                    "## A {#b}\n",
		"[a](b){ data-preview } and `{ data-c }`\n":       "[a](b) and `{ data-c }`\n",
		"## A { b }\n$\\frac{ab}{cd}$ $\\sqrt[3]{e-f}$\n": "## A { b }\n$\\frac{ab}{cd}$ $\\sqrt[3]{e-f}$\n",
		"**{data-dir}** $\\frac{a}{data-size}$\n":         "**{data-dir}** $\\frac{a}{data-size}$\n",
		"## A {: id=\"b\" }\n## C { id='d' data-e }\n":    "## A {id=\"b\"}\n## C {id=\"d\"}\n",
	})
	strips(t, Dialect{}, map[string]string{
		"To:\n\n{data-controller}\n": "To:\n\n{data-controller}\n",
	})
}

// Python-Markdown reads all words after !!! as classes, of which the first is the title, and ???
// needs none before a title. If nothing is in the box, it may be a sentence: Pelican has no boxes
// unless the site asks for them.
func TestBoxesOfPython(t *testing.T) {
	strips(t, Dialect{Python: true}, map[string]string{
		"!!! warning About the cache\n    a\n":    "\n**Warning**\n\na\n",
		"!!! warning About 3 h2-caches\n    a\n":  "\n**Warning**\n\na\n",
		"??? \"A b\"\n    ```c\n    d\n    ```\n": "\n**A b**\n\n```c\nd\n```\n",
		"!!! a\n\n \tb\n   \tc\n":                 "\n**A**\n\n\nb\nc\n",
		"!!! \"A b\"\n    c\n":                    "!!! \"A b\"\n    c\n",
		"!!! note that it ends\n\nHere\n":         "!!! note that it ends\n\nHere\n",
		"!!! warning a b\r\n\r\n\tc\r\n":          "\n**Warning**\n\n\r\nc\r\n",
	})
}

// Retype ends its boxes, panels, tabs and columns with the sign that begins them. No other text
// with such a sign is one of them.
func TestRetype(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"!!!\nOne\n!!!\n\n!!!warning The title\nTwo\n!!!\n!!! Other\nThree\n!!!\n": "\nOne\n\n\n\n**The title**\n\nTwo\n\n\n**Other**\n\nThree\n\n",
		"==- A\n+++ One\na\n+++ Two\nb\n+++\n===\n":                                "\n**A**\n\n\n**One**\n\na\n\n**Two**\n\nb\n\n\n",
		"||| A\na\n||| B\nb\n|||\n":                                                "\n**A**\n\na\n\n**B**\n\nb\n\n",
		"=== \"A\"\n    b\n\nC\n===\n":                                             "\n**A**\n\nb\n\nC\n===\n",
		"!!! note\n    a\n\n!!! b c\n+++ d\n=== e\n===\n":                          "\n**Note**\n\na\n\n!!! b c\n+++ d\n\n**e**\n\n\n",
		"=== A\n+++ b\n=== c\n+++\n===\n":                                          "\n**A**\n\n\n**b**\n\n=== c\n\n\n",
		"|a|b|c|\n|-|-|-|\n||| d |\n\n|||\n|-|-|\n":                                "|a|b|c|\n|-|-|-|\n||| d |\n\n|||\n|-|-|\n", // tables whose cells are empty
	})
}

// A link between notes may name a day, but not another number. Shell tests and character classes
// are not links.
func TestNotesOfDays(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"[[2024-02-20]] [[2024-02|then]] [[Page ]]":          "2024-02-20 then Page",
		"[[ Tiny Awards ]] [[ a.md | b c ]] ![[ It's on? ]]": "Tiny Awards b c It's on?",
		"[[1-2]] [[2024]] [[ -f x ]] [[2024-02-20]":          "[[1-2]] [[2024]] [[ -f x ]] [[2024-02-20]",
		"[[ a == b ]] [[ $a ]] [[ a && b ]] [[ a || b ]]":    "[[ a == b ]] [[ $a ]] [[ a && b ]] [[ a || b ]]",
		"Words are [[:alnum:]]+, [[:Page]]":                  "Words are [[:alnum:]]+, :Page",
		"== a title == and ==a mark==":                       "== a title == and <mark>a mark</mark>",
		"==what [[a]] and [[b#c|d e]] have==":                "<mark>what a and d e have</mark>",
	})
}

// A link may stand at the end of a text in brackets: such a link stayed as it is written.
func TestNotesInBrackets(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"a [see [[B#c|d]]] e\n":       "a [see d] e\n",
		"[[[B]]] [[c]]] [d] [[e]]]\n": "[B] [[c]]] [d] [[e]]]\n",
	})
}

// A link between notes may stand directly after a letter. The index of a list is not one.
func TestNotesAfterLetters(t *testing.T) {
	strips(t, Dialect{}, map[string]string{
		"re[[Publish|published]] it\n":   "republished it\n",
		"a[[i]] or b[[c||d]] or [[e]]\n": "a[[i]] or b[[c||d]] or e\n",
	})
}

// The word markdown in the value of an attribute does not ask for Markdown.
func TestMarkdownInValues(t *testing.T) {
	const about = "<div title=\"about markdown files\">\n[[a]] *b*\n</div>\n"
	strips(t, Dialect{}, map[string]string{
		about: "<div title=\"about markdown files\">\na *b*\n</div>\n",
		"<div title=\"a\" markdown class=\"b\">\n*c*\n</div>\n": "<div title=\"a\" markdown class=\"b\">\n\n*c*\n</div>\n\n",
	})
}

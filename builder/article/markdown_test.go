package article_test

import (
	"bytes"
	"html"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"newsstand/builder/article"
)

// body is the text of an article's twin.
func body(t testing.TB, html string) string {
	t.Helper()
	a := article.Article{Meta: article.Meta{ID: "a"}, ContentHTML: html}
	_, markdown, ok := bytes.Cut(a.Markdown(), []byte("\n---\n"))
	if !ok {
		t.Fatalf("the twin has no front matter: %q", a.Markdown())
	}
	return strings.Trim(string(markdown), "\n")
}

func TestMarkdownOfHTML(t *testing.T) {
	for _, test := range []struct{ name, html, want string }{
		{"paragraphs", "<p>One\nline.</p>\n<p>Two.</p>", "One line.\n\nTwo."},
		{"headings", "<h1>A</h1><h3>B #</h3><h2></h2>", "# A\n\n### B \\#"},
		{"emphasis", "<p>a <strong>b <em>c</em></strong> <del>d</del></p>", "a **b *c*** ~~d~~"},
		{"space goes outside of emphasis", "<p>a<b> b </b>c</p>", "a **b** c"},
		{"emphasis that Markdown would not see", `<p>a<b>"b"</b>c <i> </i>d</p>`, `a"b"c d`},
		{"emphasis that begins or ends within a word", `<p>a<b>b</b>c a<b>"b</b> c <b>b"</b>c (<b>"b"</b>)</p>`, `a**b**c a"b c b"c (**"b"**)`},
		{"emphasis side by side", "<p><b>a</b><i>b</i></p>", "**a**b"},
		{"links", `<p><a href="https://x.example/a_(b)?c=1&amp;d" title="say &#34;it&#34;">a [b]</a></p>`, `[a \[b\]](https://x.example/a\_\(b\)?c=1&d "say \"it\"")`},
		{"an address that would become another", `<a href="javascript&amp;#58;alert(1)">x</a>`, `[x](javascript&amp;#58;alert\(1\))`},
		{"an address with a quotation mark", `<a href="https://x.example/&#34;onclick=a">x</a>`, `[x](https://x.example/%22onclick=a)`},
		{"a link to nowhere", `<p><a name="x">a</a><a href="#b"></a></p>`, "a"},
		{"an attribute without a value", `<p><a title href="/a">b</a></p>`, "[b](/a)"},
		{"pictures", `<p><img src="/a b.png" alt="x ] y"></p>`, `![x \] y](/a%20b.png)`},
		{"pictures from nowhere", `<p><img alt="a"></p>`, "a"},
		{"code", "<p><code>a`b</code> <code>&lt;b&gt;</code></p>", "``a`b`` `<b>`"},
		{"code after an address", "<p>http://x.example/<code>a</code> <code>b</code> www.<b>x<code>c</code></b> WWW.x<code>d</code></p>", "http://x.example/a `b` www.**xc** WWW.xd"},
		{"code that begins with a backquote or a space", "<p><code>`a</code> <code> b </code></p>", "`` `a `` `  b  `"},
		{"blocks of code", "<pre><code class=\"language-go\">a\n\n```\nb &lt; c\n</code></pre>", "````go\na\n\n```\nb < c\n````"},
		{"blocks of code in a class that is no language", `<pre class="chroma"><code class="code">a</code></pre>`, "```\na\n```"},
		{"elements within code", "<pre><code>a<br>b <b>c</b>d</code></pre>", "```\na\nb cd\n```"},
		{"a heading on two lines", "<h2>a<br>b</h2>", "## a  b"},
		{"line breaks", "<p><br>a<br>\n- b<br></p>", "a\\\n\\- b"},
		{"rules and quotes", "<p>x</p><hr><blockquote><p>a</p><p>b</p></blockquote><blockquote>c</blockquote>", "x\n\n***\n\n> a\n>\n> b\n\n> c"},
		{"tight lists", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n  - b\n- c"},
		{"loose lists", "<ol start=\"9\"><li><p>a</p></li><li><p>b</p><pre>c</pre></li></ol>", "9. a\n\n10. b\n\n    ```\n    c\n    ```"},
		{"task lists", `<ul><li><input type="checkbox" disabled=""> a</li><li><p><input type="checkbox" disabled="" checked=""> b</p></li></ul><p>[x] c</p>`, "- [ ] a\n\n- [x] b\n\n\\[x] c"},
		{"two lists", "<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n+ b"},
		{"items without an end", "<ul><li>a<li>b</ul>", "- a\n- b"},
		{"items outside of a list", "<li>a</li>", "- a"},
		{"a list of what is no item", "<ul>\n<b>a</b>\n<li>b</li>\n</ul>", "- **a**\n- b"},
		{"a list within a line's item", `<ol><li>a<ol start="2"><li>b</li></ol></li></ol>`, "1. a\n\n   2. b"},
		{"definitions", "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd><p>d</p></dd></dl>", "a\n:   b\n\nc\n\n:   d"},
		{"groups of definitions", "<dl><div><dt>a</dt><dd>b</dd></div></dl>", "a\n:   b"},
		{"tables", `<table><thead><tr><th>a</th><th align="right">b</th></tr></thead><tbody><tr><td>c | <code>d|e</code></td><td><p>f</p><p>g</p></td></tr></tbody></table>`,
			"| a | b |\n| --- | --: |\n| c \\| `d\\|e` | f g |"},
		{"tables without a head", `<table><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></table>`, "| | |\n| --- | --- |\n| a | |\n| b | c |"},
		{"a table with a caption", "<table><caption>a</caption><tr><th>b<pre>c\nd</pre>e</th></tr></table>", "a\n\n| b `c d` e |\n| --- |"},
		{"cells without an end", "<table><tr><td>a<td>b<tr><td>c</table>", "| | |\n| --- | --- |\n| a | b |\n| c |"},
		{"footnotes", `<p>a<sup id="fnref:1"><a href="#fn:1" class="footnote-ref">1</a></sup></p><div class="footnotes"><hr><ol><li id="fn:1"><p>b <a href="#fnref:1" class="footnote-backref">↩</a></p></li></ol></div>`,
			"a[^1]\n\n[^1]: b"},
		{"notes without their labels", `<div class="footnotes"><p>a</p><ol><li id="fn:a.b"><p>b</p></li></ol></div>`, "a\n\nb"},
		{"a footnote before a colon", `<p><a href="#fn:Az-09" class="footnote-ref">1</a>: a</p>`, "[^Az-09]\\: a"},
		{"media", `<figure><video src="/v.mp4"></video><figcaption>c</figcaption></figure>`, "[video](/v.mp4)\n\nc"},
		{"media with sources", `<audio><source src="/a.ogg"><source src="/b.mp3">a</audio>`, "[audio](/a.ogg) a"},
		{"details", "<details><summary>a <q>b</q></summary><p>c</p></details>", "**a \"b\"**\n\nc"},
		{"what Markdown has no form for", `<div><section><p>H<sub>2</sub>O <u>a</u> <kbd>b</kbd></p></section></div>`, "H2O a b"},
		{"text that looks like Markdown", "<p># a</p><p>1. b</p><p>+ c</p><p>--- *d* _e_ f_g `h` [i] ~j~ !</p><p>a\\*b C:\\d</p>",
			"\\# a\n\n1\\. b\n\n\\+ c\n\n\\--- \\*d\\* \\_e\\_ f_g \\`h\\` \\[i] \\~j\\~ \\!\n\na\\\\\\*b C:\\d"},
		{"text that looks like HTML", "<p>&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; AT&amp;T a &amp; b; &amp;Auml;</p>", "&lt;script>alert(1)&lt;/script> \\&lt; AT&T a & b; \\&Auml;"},
		{"signs that begin no tag", "<p>a <3 b> c</p>", "a &lt;3 b> c"},
		{"text that looks like template code", "<p>{{ a }} {% b %}</p>", "\\{\\{ a }} \\{% b %}"},
		{"ends without a beginning", "</p></b>a</td>", "a"},
		{"elements without text", "<p>a</p><blockquote></blockquote><ul></ul><table></table><p><code> </code>b</p>", "a\n\n>\n\nb"},
		{"emphasis around a link", `<p>a<b><a href="/x">b</a></b>c <i><a href="/y">d</a></i></p>`, "a[b](/x)c *[d](/y)*"},
		{"attributes that are none", `<p><a href=/x>a</a> <a href="/y>b</a></p>`, `a &lt;a href="/y>b`},
		{"no text", "", ""},
	} {
		if got := body(t, test.html); got != test.want {
			t.Errorf("%s: %q is\n%s\nwant\n%s", test.name, test.html, got, test.want)
		}
	}
}

func TestMarkdownFrontMatter(t *testing.T) {
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.FixedZone("", 3600))
	a := article.Article{Meta: article.Meta{
		ID: "a-walk", URL: "https://x.example/a/", Title: "A \"walk\": --- \u0085\ufeff#", Summary: "s", DatePublished: day, DateModified: day,
		Authors: []article.Author{{Name: "N", URL: "https://n.example/"}, {Name: "- M"}}, Tags: []string{"a, b", "c]"}, Language: "en", Image: "https://x.example/i.png",
	}}
	const want = `---
id: "a-walk"
title: "A \"walk\": --- \u0085\ufeff#"
url: "https://x.example/a/"
date: 2026-03-01T08:00:00Z
lastmod: 2026-03-01T08:00:00Z
authors:
  - name: "N"
    url: "https://n.example/"
  - name: "- M"
tags: ["a, b", "c]"]
language: "en"
image: "https://x.example/i.png"
summary: "s"
---
`
	if got := string(a.Markdown()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// However deep or wide, the work stays in proportion, and the twin of any text is one.
func TestMarkdownOfHugeHTML(t *testing.T) {
	for name, piece := range map[string]string{
		"quotes": "<blockquote>", "lists": "<ul><li>", "emphasis": "<b><i>", "ends": "</p>", "tables": `<table><tr><td colspan="1000000000">`, "cells": "<td>", "signs": "<", "breaks": "<br>",
	} {
		if got := body(t, strings.Repeat(piece, 100_000)+"end"); !strings.HasSuffix(strings.TrimRight(got, "*| \n-"), "end") || len(got) > 10<<20 {
			t.Errorf("%s: %d bytes, which end with %q", name, len(got), got[max(0, len(got)-50):])
		}
	}
}

// A long article takes no memory once the next one is written.
func TestTwinsKeepNoLongArticle(t *testing.T) {
	var twins article.Twins
	used := func(html string) uint64 {
		twins.Of(article.Article{ContentHTML: html})
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := used("<p>a</p>")
	used("<blockquote>" + strings.Repeat("<p>a</p>", 100_000) + "</blockquote>")
	if after := used("a"); after > before+4<<20 {
		t.Errorf("%d MB are kept", (after-before)>>20)
	}
	runtime.KeepAlive(&twins)
}

// Whatever a text has, as a heading, a quotation, or a link it is that text.
func FuzzMarkdownLine(f *testing.F) {
	for _, title := range []string{
		"", "Plain", "__init__ and _a_ b_c_d", "[a](b)", "](x) [y", "a\n\n# b", "# b #", "> b", "- b", "+ b", "1. b", "12) b", "---", "===", "~~a~~ ~b~",
		"*a* **b**", "`a` ``", "&amp; &lt; &", "<b> <!-- x", "a\\", "\\*a", "!", "![a](b)", "a | b", "| a |", "[^1]: note", "[^1]", "[x]: /y", "[x] task",
		": a", "a\tb\r\nc", "https://a.example/b_c_", "www.a.example", "a@b.example", "$x_1$", "{{a}}", "a#", "#", "***", "_ _ _",
		"\u202eabc", "日本_語_", "«_a_»", "_“a”_",
	} {
		f.Add(title)
	}
	markdown := goldmark.New(goldmark.WithExtensions(extension.Strikethrough, extension.Table, extension.Footnote, extension.DefinitionList))
	f.Fuzz(func(t *testing.T, title string) {
		if !utf8.ValidString(title) || strings.ContainsRune(title, 0) {
			t.Skip("no title is so")
		}
		line := article.MarkdownLine(title)
		want := strings.Trim(strings.Join(strings.FieldsFunc(title, func(r rune) bool { return r == ' ' || '\t' <= r && r <= '\r' }), " "), " ")
		for _, form := range []struct{ before, after, html, end string }{
			{"# ", "\n", "<h1>", "</h1>\n"},
			{"> ", "\n", "<blockquote>\n<p>", "</p>\n</blockquote>\n"},
			{"- [", "](/x)\n", "<ul>\n<li><a href=\"/x\">", "</a></li>\n</ul>\n"},
			{"- [a](/x): ", "\n", "<ul>\n<li><a href=\"/x\">a</a>: ", "</li>\n</ul>\n"},
		} {
			if want == "" {
				continue
			}
			var b strings.Builder
			must(t, markdown.Convert([]byte(form.before+line+form.after), &b))
			got, begins := strings.CutPrefix(b.String(), form.html)
			got, ends := strings.CutSuffix(got, form.end)
			if !begins || !ends || strings.Contains(got, "<") || html.UnescapeString(got) != want {
				t.Errorf("%q as %q is %q, want the text %q", title, form.before+line, b.String(), want)
			}
		}
	})
}

// Whatever the HTML is, Markdown finds no HTML in its twin.
func FuzzMarkdown(f *testing.F) {
	f.Add(`<p>a <a href="b">c</a></p><ul><li>d</ul><table><tr><td>e`)
	f.Add("<pre><code class=\"language-a\">b</code></pre>&lt;script>`&lt;b>`")
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList)).Parser()
	f.Fuzz(func(t *testing.T, html string) {
		markdown := body(t, html)
		ast.Walk(parser.Parse(text.NewReader([]byte(markdown))), func(n ast.Node, _ bool) (ast.WalkStatus, error) {
			switch n.(type) {
			case *ast.RawHTML, *ast.HTMLBlock:
				t.Errorf("%q is %q, which holds HTML", html, markdown)
			}
			return ast.WalkContinue, nil
		})
	})
}

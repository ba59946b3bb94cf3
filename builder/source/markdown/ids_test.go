package markdown

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Headings of one text have the ids that GitHub and kramdown give them.
func TestHeadingIDs(t *testing.T) {
	ids := idsIn(rendered(t, "# B\n\n## B\n\n## B\n\n## B 1\n\n## B\n\n## B-2\n\n## ?\n\n## ?\n").HTML)
	if want := []string{"b", "b-1", "b-2", "b-1-1", "b-3", "b-2-1", "section", "section-1"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}

// Python-Markdown makes pictures of emojis and icons, which are no words of an id.
func TestEmojisInHeadingIDs(t *testing.T) {
	const text = "## :material-check: A b :smile:\n"
	for pictures, want := range map[bool]string{true: `id="a-b"`, false: `id="material-check-a-b-smile"`} {
		if html := renderedAs(t, Flavour{Emojis: true, Pictures: pictures}, text).HTML; !strings.Contains(html, want) {
			t.Errorf("%s, want %s", html, want)
		}
	}
}

// An id is made from the words of its heading: it also had addresses of links, and underscores of
// emphasis.
func TestWordsOfHeadingIDs(t *testing.T) {
	const text = "## [A title](https://a.example/b) here\n\n## _What's_ **new** in `a_b` &amp; 1.2?\n\n## ![A sea](a.png) Ça <b>là</b>\n\nOwn {#own}\n---\n\n> # Two\nlines\n===\n"
	for ids, want := range map[IDs][]string{
		GitHubIDs: {"a-title-here", "whats-new-in-a_b--12", "a-sea-ça-là", "own", "two", "lines"},
		HugoIDs:   {"a-title-here", "whats-new-in-a_b--12", "a-sea-ça-là", "own", "two", "lines"},
		ZolaIDs:   {"a-title-here", "what-s-new-in-a-b-1-2", "a-sea-ca-la", "own", "two", "lines"},
		PythonIDs: {"a-title-here", "whats-new-in-a_b-12", "a-sea-ca-la", "own", "two", "lines"},
		HexoIDs:   {"A-title-here", "What-s-new-in-a-b-1-2", "A-sea-Ca-la", "own", "Two", "lines"},
	} {
		got := idsIn(renderedAs(t, Flavour{IDs: ids}, text).HTML)
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Hugo drops marks, numbers that are no digits, and spaces other than " ": a link to such a heading
// led nowhere, as its id was that of GitHub.
func TestHugoIDs(t *testing.T) {
	const text = "## हिन्दी में\n\n## A\u00a0b\tc x² ①\n\n## ?\n\n## ?\n\n## a - b\n\n## ٣ x\u200by\n"
	got := idsIn(renderedAs(t, Flavour{IDs: HugoIDs}, text).HTML)
	if want := []string{"हनद-म", "abc-x-", "heading", "heading-1", "a---b", "٣-xy"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Some sites of Hugo have the ids of its former reader of Markdown: words joined by single hyphens.
func TestBlackfridayIDs(t *testing.T) {
	const text = "## What's new & old_one?\n\n## (A) Ⅷ ½ हिन्दी\n\n## ?\n\n## A\n\n## A\n\n## a 1.2 `b_c`\n"
	got := idsIn(renderedAs(t, Flavour{IDs: BlackfridayIDs}, text).HTML)
	if want := []string{"what-s-new-old-one", "a-ⅷ-½-ह-न-द", "heading", "a", "a-1", "a-1-2-b-c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// idsIn returns the ids in HTML, in order.
func idsIn(html string) (all []string) {
	for _, m := range regexp.MustCompile(`id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		all = append(all, m[1])
	}
	return all
}

// A reader who follows a link to a heading in a blog of Hexo finds it: its id has the capital
// letters and the hyphens that Hexo gives it.
func TestHexoIDs(t *testing.T) {
	const text = "## Install Hexo\n\n## Node.js, v20+\n\n## 6.4 控制器\n\n## Łódź Größe\n\n## ?\n\n## Install Hexo\n\n## Привет Мир\n\n## 布局（Layout）\n\n## 调试、查看？\n\n## What’s new\n"
	for ids, want := range map[IDs][]string{
		HexoIDs:      {"Install-Hexo", "Node-js-v20", "6-4-控制器", "Lodz-Grose", "section", "Install-Hexo-1", "Привет-Мир", "布局（Layout）", "调试、查看？", "What’s-new"},
		HexoLowerIDs: {"install-hexo", "node-js-v20", "6-4-控制器", "lodz-grose", "section", "install-hexo-1", "привет-мир", "布局（layout）", "调试、查看？", "what’s-new"},
	} {
		if got := idsIn(renderedAs(t, Flavour{IDs: ids}, text).HTML); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A link within an article leads to the heading that its author meant, whatever program made the
// ids for which the link was written; it led nowhere.
func TestLinksToHeadings(t *testing.T) {
	const headings = "# Promise.all()\n\n# What's new?\n\n# 一、Markdown\n\n# A\n\n# A\n\n# In C#\n\n# In C++\n\n# Own {#own-id}\n\n<a name=\"WhatsNew\"></a> <A NAME = OwnID></A>\n\n"
	for link, want := range map[string]string{
		"[x](#promise.all)": "#promiseall", "[x](#Promise-all)": "#promiseall", "[x](#what's-new%3F)": "#whats-new", "[x][]\n\n[x]: #Whats_New": "#whats-new",
		"[x](#一Markdown)": "#%E4%B8%80markdown", "[x](#a-1)": "#a-1", "[x](#A)": "#a", "[x](#ownid)": "#own-id", "[x](#own)": "#own-id",
		"[x](#InC++)":    "#in-c-1",
		"[x](#WhatsNew)": "#WhatsNew", "[x](#OwnID)": "#OwnID", // the elements in HTML
		"[x](#nowhere)": "#nowhere", "[x](#?)": "#?", "[x](#%zz)": "#%25zz", "[x](/b#Promise.all)": "/b#Promise.all",
	} {
		html := renderedAs(t, Flavour{}, headings+link).HTML
		_, after, _ := strings.Cut(html, `<a href="`)
		if got, _, _ := strings.Cut(after, `"`); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}

package source

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// Authors get a warning for a link to another file that leads to no article, but not for one that
// may lead to something else that the site's generator makes.
func TestDeadLinks(t *testing.T) {
	for name, test := range map[string]struct {
		config, text string
		want         []string // places and hints
	}{
		"a typo":              {"", "x [b](bettr.md#c)", []string{`posts/a.md:5:7 did you mean "better.md"?`}},
		"another folder":      {"", "[b](deep.md)", []string{`posts/a.md:5:5 did you mean "../notes/deep.md"?`}},
		"nothing alike":       {"", "[b](/nop.md)\n\n[c]\n\n[c]: <no p.md>", []string{"posts/a.md:5:5 there is no file nop.md", "posts/a.md:9:7 there is no file posts/no p.md"}},
		"a draft":             {"", "[b](draft.md)", []string{"posts/a.md:5:5 posts/draft.md is not published: draft is true"}},
		"one to come":         {"", "[b](later.md)", []string{"posts/a.md:5:5 posts/later.md is not published: it is published at 2027-01-01T00:00:00Z"}},
		"articles":            {"", "[b](better.md) [c](/notes/deep.md) [d](../notes/deep.md) [e](own.md)", nil},
		"the same id":         {"", "[b](Better.md)", nil},
		"another address":     {"url_template: https://site.example/{path}/", "[b](Better.md) [c](own.md)", []string{`posts/a.md:5:5 did you mean "better.md"?`}},
		"no article":          {"", "[b](../README.md) [c](../_page/x.md) [d](../../outside.md) [e](https://other.example/b.md) [f](mailto:b@b.md)", nil},
		"no file of Markdown": {"", "[b](nop.html) [c](nop) [d](/tags/) [e](nop.md.txt)", nil},
		"below another root":  {"", "[b](/deep.md)", nil},
		"template code":       {"generator: jekyll", "[b]({{ page.x }}/nop.md)", nil},
		"many": {"", "[1](1.md) [2](2.md) [3](3.md) [4](4.md) [5](5.md) [1](1.md)", []string{
			"posts/a.md:5:5 there is no file posts/1.md", "posts/a.md:5:15 there is no file posts/2.md", "posts/a.md:5:25 there is no file posts/3.md", "posts/a.md:5:35 "}},
	} {
		head := "---\ntitle: T\ndate: 2026-01-01\n"
		folder, err := Scan(t.Context(), fstest.MapFS{
			"site.yaml":       {Data: []byte("title: S\n" + test.config)},
			"posts/a.md":      {Data: []byte(head + "---\n" + test.text)},
			"posts/better.md": {Data: []byte(head + "---\n")},
			"posts/own.md":    {Data: []byte(head + "slug: other\n---\n")},
			"posts/draft.md":  {Data: []byte(head + "draft: true\n---\n")},
			"posts/later.md":  {Data: []byte("---\ntitle: T\ndate: 2027-01-01\n---\n")},
			"notes/deep.md":   {Data: []byte(head + "---\n")},
			"README.md":       {Data: []byte("# R")},
			"_page/x.md":      {},
		}, Options{Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), BaseURL: "https://site.example"})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(folder.Files, func(f File) bool { return f.Path == "posts/a.md" })
		_, links, _, err := folder.Article(folder.Files[at])
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range folder.DeadLinks(&folder.Files[at], links) {
			got = append(got, p.Place()+" "+p.Hint)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

// Docusaurus looks for a file beside the one that has the link, in the folder of its pages, and in
// that of the site. A link without an extension is to an address, which the slug of any page may
// give it.
func TestDeadLinksOfDocusaurus(t *testing.T) {
	folder, err := Scan(t.Context(), fstest.MapFS{
		"docusaurus.config.js": {Data: []byte("export default {}")},
		"docs/deep/a.md":       {Data: []byte("[b](b.md) [c](deep/c.md) [d](blog/d.md) [e](e.md) [f](./b.md) [g](glossary) [h](./)")},
		"docs/b.md":            {}, "docs/deep/c.md": {}, "blog/d.md": {},
	}, Options{BaseURL: "https://site.example"})
	if err != nil {
		t.Fatal(err)
	}
	at, _ := folder.indexOf("docs/deep/a.md")
	_, links, _, err := folder.Article(folder.Files[at])
	if err != nil {
		t.Fatal(err)
	}
	var dead []string
	for _, p := range folder.DeadLinks(&folder.Files[at], links) {
		dead = append(dead, p.What)
	}
	if want := []string{"the link to e.md leads to no article", "the link to ./b.md leads to no article"}; !slices.Equal(dead, want) {
		t.Errorf("got %q, want %q", dead, want)
	}
}

// Obsidian finds the note that a link names in whatever folder it lies.
func TestLinksOfVault(t *testing.T) {
	folder, err := Scan(t.Context(), fstest.MapFS{
		".obsidian/app.json": {Data: []byte("{}")},
		"a/a.md":             {Data: []byte("[b](b.md) [c](c.md) [c](c/c) [d](d%20d#e) [f](../f) [g](g.md) [h](h.png) [c](/b/c.md) [d](D%20d.md)")},
		"a/b.md":             {Data: []byte("B")},
		"a/b/c.md":           {Data: []byte("C")},
		"b/b.md":             {Data: []byte("B")},
		"b/c.md":             {Data: []byte("C")},
		"b/c/c.md":           {Data: []byte("C")},
		"b/d d.md":           {Data: []byte("D")},
		"f.md":               {Data: []byte("F")},
	}, Options{BaseURL: "https://site.example"})
	if err != nil {
		t.Fatal(err)
	}
	record, links, _, err := folder.Article(folder.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, link := range strings.Split(record.ContentHTML, `href="https://site.example`)[1:] {
		address, _, _ := strings.Cut(link, `"`)
		got = append(got, strings.TrimPrefix(address, "/api/article?id="))
	}
	if want := []string{"a-b", "b-c", "b-c-c", "b-d-d#e", "f", "a-g", "/a/h.png", "b-c", "b-d-d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if dead := folder.DeadLinks(&folder.Files[0], links); len(dead) != 1 || !strings.Contains(dead[0].What, "g.md") {
		t.Errorf("dead: %v", dead)
	}
}

// Links of a vault that Quartz publishes begin at its top, unless the configuration says otherwise;
// those of Eleventy do if it changes paths of files into addresses.
func TestLinksFromTop(t *testing.T) {
	quartz := func(plugin string) [2]string {
		return [2]string{"quartz.config.ts", "export default { configuration: {}, plugins: { transformers: [" + plugin + "] } }"}
	}
	eleventy := func(plugin string) [2]string {
		return [2]string{"eleventy.config.js", "export default function (config) { config.addPlugin(" + plugin + "); }; export const config = { dir: { input: 'content' } }"}
	}
	for config, want := range map[[2]string][]string{
		quartz(""):                    {"deep/deep/b.md", "deep/c.md", "c.md", "deep/e/e.md"},
		quartz("Plugin.CrawlLinks()"): {"deep/b.md", "c.md", "c.md", "e/e.md"},
		quartz(`Plugin.CrawlLinks({ markdownLinkResolution: "absolute" })`): {"deep/b.md", "c.md", "c.md", "e/e.md"},
		quartz(`Plugin.CrawlLinks({ markdownLinkResolution: "shortest" })`): {"deep/b.md", "deep/c.md", "c.md", "e/e.md"},
		quartz(`Plugin.CrawlLinks({ markdownLinkResolution: "relative" })`): {"deep/deep/b.md", "deep/c.md", "c.md", "deep/e/e.md"},
		eleventy("HtmlBasePlugin"):                {"deep/deep/b.md", "deep/c.md", "c.md", "deep/e/e.md"},
		eleventy("InputPathToUrlTransformPlugin"): {"deep/b.md", "c.md", "c.md", "deep/e/e.md"}, // from where there is such a file
	} {
		site := fstest.MapFS{
			config[0]:           {Data: []byte(config[1])},
			"content/deep/a.md": {Data: []byte("[b](deep/b.md) [c](c.md) [d](../c.md) [e](e/e.md)")},
			"content/deep/b.md": {}, "content/c.md": {}, "content/deep/c.md": {}, "content/deep/e/e.md": {},
		}
		content, err := fs.Sub(site, "content")
		if err != nil {
			t.Fatal(err)
		}
		for top, files := range map[string]fs.FS{"content/": site, "": content} {
			folder, err := Scan(t.Context(), files, Options{BaseURL: "https://site.example", Around: site})
			if err != nil {
				t.Fatal(err)
			}
			at, _ := folder.indexOf(top + "deep/a.md")
			_, links, _, err := folder.Article(folder.Files[at])
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range links {
				got = append(got, strings.TrimPrefix(l.Path, top))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s, from %q: got %q, want %q", config, top, got, want)
			}
		}
	}
}

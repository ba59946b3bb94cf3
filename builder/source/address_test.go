package source

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// Clients are told that addresses are URIs, and some refuse a whole answer because of one that is
// not.
func TestAddressesAreURIs(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"https://other.example/a%20b?q=1&r=%C3%BC#part", "https://other.example/a%20b?q=1&r=%C3%BC#part"},
		{"https://other.example/zoë ü.png?a=b|c&d=[2]&e=zoë", "https://other.example/zo%C3%AB%20%C3%BC.png?a=b%7Cc&d=%5B2%5D&e=zo%C3%AB"},
		{"https://other.example/?discount=100%&x=%zz", "https://other.example/?discount=100%25&x=%25zz"},
		{"https://exämple.org/100%", "https://xn--exmple-cua.org/100%25"},
		{"https://例え.テスト:8080/a", "https://xn--r8jz45g.xn--zckzah:8080/a"},
		{"https://other.example/100%?a=b", "https://other.example/100%25?a=b"},
		{"http://[::1]:8080/a", "http://[::1]:8080/a"},
		{"https://other.example", "https://other.example"},
	} {
		a, problems := renderOne(t, fstest.MapFS{"a.md": {Data: fmt.Appendf(nil,
			"---\ntitle: A\nurl: %[1]q\nimage: %[1]q\nauthors: [{name: Zoë, url: %[1]q}, '[Max](%[2]s)']\n---\nText.\n", c.given, strings.ReplaceAll(c.given, " ", "%20"))}})
		if len(a.Authors) != 2 {
			t.Fatalf("%s: %v, %v", c.given, a.Authors, problems)
		}
		for what, got := range map[string]string{"url": a.URL, "image": a.Image, "author": a.Authors[0].URL, "author's link": a.Authors[1].URL} {
			if got != c.want {
				t.Errorf("the %s %s is published as %s, want %s", what, c.given, got, c.want)
			}
		}
	}
}

// A web address without a host is not published, whichever key has it.
func TestAddressesWithoutAHostAreNotPublished(t *testing.T) {
	for _, given := range []string{"https://", "https:", "http:///a.png", "https://exa mple.org/a", "https://[::1/a", "https://other.example:port/", "https://exa%20mple.org/"} {
		a, problems := renderOne(t, fstest.MapFS{"a.md": {Data: fmt.Appendf(nil,
			"---\ntitle: A\nurl: %[1]q\nimage: %[1]q\nauthors: [{name: Zoë, url: %[1]q}, '[Max](%[2]s)']\n---\nText.\n", given, strings.ReplaceAll(given, " ", "%20"))}})
		if len(a.Authors) != 2 || len(problems) != 2 { // one warning for the url, and one for the image
			t.Fatalf("%s: %v, %v", given, a.Authors, problems)
		}
		if a.URL != "" || a.Image != "" || a.Authors[0].URL != "" || a.Authors[1].URL != "" {
			t.Errorf("%s is published as the url %q, the image %q, and the urls of the authors %v", given, a.URL, a.Image, a.Authors)
		}
	}
}

// An address within a query is encoded like the rest of the query: it has no host to rewrite.
func TestAddressesInQueriesAreEncoded(t *testing.T) {
	a, _ := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\nimage: /resize?of=https://exämple.org|a/b&to=ü\n---\nText.\n")}})
	if got, want := a.Image, "https://site.example/resize?of=https://ex%C3%A4mple.org%7Ca/b&to=%C3%BC"; got != want {
		t.Errorf("the image is published as %s, want %s", got, want)
	}
}

// The styles of permalink are those of Jekyll's documentation.
func TestStylesOfJekyll(t *testing.T) {
	for style, want := range map[string]string{
		"none": "/news/a.html /p.html", "ordinal": "/news/2026/032/a.html /p.html", "weekdate": "/news/2026/W05/Sun/a.html /p", "pretty": "/news/2026/02/01/a/ /p/",
		"/x/:title:output_ext": "/x/a.html /p.html", "/x/:categories/:title": "/x/news/a /p", "/:::title/": "/::a/ /p/", "/:unknown/": " /p/",
	} {
		folder := scanAt(t, fstest.MapFS{"_config.yml": {Data: []byte("url: https://x.example\npermalink: " + style)},
			"news/_posts/2026-02-01-a.md": {Data: []byte("---\ntitle: A\n---\n")}, "p.md": {Data: []byte("---\ntitle: P\n---\n")}}, nil, storyTime("2026-08-23T00:00:00Z"))
		var got []string
		for _, file := range folder.Files {
			if file.Status == Published {
				got = append(got, strings.TrimPrefix(file.URL, "https://x.example"))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", style, got, want)
		}
	}
}

// Jekyll's templates insert the path of the site's address. Without it, links and pictures of sites
// below github.io led outside the site.
func TestBaseURLOfJekyll(t *testing.T) {
	for text, want := range map[string]string{
		"[b]({{ site.baseurl }}/b)":                                    `<a href="https://x.example/sub/b">b</a>`,
		"![b]({{site.url}}{{site.baseurl}}/b.png)":                     `<img src="https://x.example/sub/b.png" alt="b">`,
		"[b]({{ '/b' | relative_url }})":                               `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ \"b\" | absolute_url }})":                              `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ '/b' | prepend: site.baseurl | prepend: site.url }})":  `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ '/b' | prepend: site.url }})":                          `<a href="https://x.example/b">b</a>`,
		"[b]({{ 'https://y.example/b' | absolute_url }})":              `<a href="https://y.example/b">b</a>`,
		"[b]({{ site.baseurl }}{% post_url 2026-01-02-b %})":           `<a href="https://x.example/sub/2026/01/02/b.html">b</a>`,
		"[b]({% link _posts/2026-01-02-b.md %})":                       `<a href="https://x.example/sub/2026/01/02/b.html">b</a>`,
		"[b](/b)":                                                      `<a href="https://x.example/b">b</a>`,
		"[b]({{ site.code.repo }}/b)":                                  `<a href="https://y.example/z/b">b</a>`,
		"[b]({{ site.code.none }}/b)":                                  `<a href="https://x.example/b">b</a>`,
		"{% assign b = \"https://y.example/\" %}[b]({{ b }}1)":         `<a href="https://y.example/1">b</a>`,
		"{% assign c = '<div>' %}{{ c }}[b](/b)":                       `<a href="https://x.example/b">b</a>`,
		"{% assign b = 'c' %}{%- assign b = b | upcase -%}[b](/{{b}})": `<a href="https://x.example/">b</a>`,
		"[b]({{ site.github.repository_url }}/issues)":                 `<a>b</a>`,
		"[b]({{ site.data.a.b }}/{{ page.none }}/c_(d) \"C\")":         `<a title="C">b</a>`,
		"[b][c]\n\n[c]: {{ site.github.repository_url }}/issues":       `<a>b</a>`,
		`<a href="{{ site.github.zip_url }}/c">b</a>`:                  `<a>b</a>`,
		"[b]({{ site.github.url }}/b)":                                 `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ site.url }}/b)":                                        `<a href="https://x.example/b">b</a>`,
	} {
		articles, _ := renderAt(t, "", fstest.MapFS{"_config.yml": {Data: []byte("title: J\nurl: https://x.example\nbaseurl: /sub\ncode: {repo: https://y.example/z}")},
			"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\nimage: /i.png\n---\n" + text)}})
		a := articles[0]
		if want = "<p>" + want + "</p>\n"; a.ContentHTML != want || a.Image != "https://x.example/sub/i.png" {
			t.Errorf("%s is %s, with the picture %s, want %s", text, a.ContentHTML, a.Image, want)
		}
	}
}

// If the address of a site has a path, some generators put it before paths from the root in links
// and pictures. With others authors write it themselves.
func TestPathsFromTheRoot(t *testing.T) {
	for config, want := range map[string]string{
		"quartz.config.ts\nexport default { configuration: {} }": "https://x.example/sub/",
		"docusaurus.config.js\nexport default {}":                "https://x.example/sub/",
		".vitepress/config.mts\nexport default {}":               "https://x.example/sub/",
		".vuepress/config.js\nmodule.exports = {}":               "https://x.example/sub/",
		"nuxt.config.ts\nexport default {}":                      "https://x.example/sub/",
		"hugo.toml\nbaseURL = '/'\ncanonifyURLs = true":          "https://x.example/sub/",
		"hugo.toml\nbaseURL = '/'":                               "https://x.example/",
		"mkdocs.yml\nsite_name: M":                               "https://x.example/",
		"site.yaml\ntitle: S":                                    "https://x.example/",
		"site.yaml\nurl_template: https://y.example/{path}/\n":   "https://y.example/",
	} {
		name, data, _ := strings.Cut(config, "\n")
		folder := map[string]string{"docusaurus.config.js": "docs/", "mkdocs.yml": "docs/", "hugo.toml": "content/", "nuxt.config.ts": "content/", "quartz.config.ts": "content/"}[name]
		files := fstest.MapFS{name: {Data: []byte(data)}, folder + "a.md": {Data: []byte("---\ntitle: A\nimage: /c.png\n---\n[b](/b?x#y) ![c](/c.png) [d](/sub/d)")}}
		articles, _ := renderAt(t, "https://x.example/sub", files)
		a := articles[0]
		host, _ := strings.CutSuffix(want, "sub/")
		if html := `<p><a href="` + want + `b?x#y">b</a> <img src="` + want + `c.png" alt="c"> <a href="` + host + `sub/d">d</a></p>` + "\n"; a.ContentHTML != html || a.Image != want+"c.png" {
			t.Errorf("with %q: got %s %s, want %s", config, a.ContentHTML, a.Image, html)
		}
	}
}

// A value that only the site's program knows, such as the address of its repository, began a link
// to the site itself.
func TestAddressesThatBeginElsewhere(t *testing.T) {
	for text, want := range map[string]string{
		"[b]({{site.repo.sdk}}/blob/main/c.md#d).":      `<a>b</a>.`,
		"[b]({{ site.docs }}{{ page.none }}/c \"C\") d": `<a title="C">b</a> d`,
		"[b][c] d\n\n[c]: {{site.docs}}/c":              `<a>b</a> d`,
		`<a href="{{site.docs}}/c">b</a> d`:             `<a>b</a> d`,
		"[b]({{ site.docs }})":                          `<a>b</a>`,
		"[b]({{ site.url }}/c)":                         `<a href="https://x.example/c">b</a>`,
		"[b]({{site.baseUrl}}/c)":                       `<a href="https://x.example/c">b</a>`,
		"[b]({{ '/c' | url }})":                         `<a href="https://x.example/c">b</a>`,
		"[b]({{ BASE_PATH }}/c)":                        `<a href="https://x.example/c">b</a>`,
		"[b]({{ get_url(path='/c') }}/c)":               `<a href="https://x.example/c">b</a>`,
		"{{ site.docs }}/c":                             `/c`,
		"[b](/c{{ site.docs }}/d)":                      `<a href="https://x.example/c/d">b</a>`,
	} {
		articles, _ := renderAt(t, "https://x.example", fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\n---\n" + text)}})
		if html := articles[0].ContentHTML; html != "<p>"+want+"</p>\n" {
			t.Errorf("%s is %s, want %s", text, html, want)
		}
	}
	articles, _ := renderAt(t, "https://x.example", fstest.MapFS{"_config.yml": {Data: []byte("title: J")},
		"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\n---\n[b]({{ site.github.url }}/c)")}})
	if html := articles[0].ContentHTML; html != `<p><a href="https://x.example/c">b</a></p>`+"\n" {
		t.Errorf("the address of the site itself, without a path, is %s", html)
	}
}

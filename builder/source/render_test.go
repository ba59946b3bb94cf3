package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"golang.org/x/net/html"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/sourcetest"
)

var updateGolden = flag.Bool("update", false, "write the golden files anew")

// renderAll is renderAt with an address.
func renderAll(t testing.TB, files fstest.MapFS) (articles []article.Article, problems []Problem) {
	t.Helper()
	return renderAt(t, "https://site.example", files)
}

// renderAt scans the folder of a site with an address, unless that is empty, and renders what is
// published.
func renderAt(t testing.TB, address string, files fstest.MapFS) (articles []article.Article, problems []Problem) {
	t.Helper()
	folder, err := Scan(context.Background(), files, Options{Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), BaseURL: address})
	if err != nil {
		t.Fatal(err)
	}
	problems = folder.Problems
	for _, file := range folder.Files {
		if file.Status != Published {
			continue
		}
		a, _, more, err := folder.Article(file)
		if err != nil {
			t.Fatal(err)
		}
		problems = append(problems, more...)
		articles = append(articles, a)
	}
	return articles, problems
}

// Each golden file is a small content folder and, under want/, what becomes of it:
// the text, the HTML and what else an article has.
func TestRender(t *testing.T) {
	paths, err := filepath.Glob("testdata/render/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := fstest.MapFS{}
			got := txtar.Archive{Comment: archive.Comment}
			var want []txtar.File
			for _, f := range archive.Files {
				if strings.HasPrefix(f.Name, "want/") {
					want = append(want, f)
					continue
				}
				files[f.Name] = &fstest.MapFile{Data: f.Data}
				got.Files = append(got.Files, f)
			}
			articles, problems := renderAll(t, files)
			var made []txtar.File
			for _, a := range articles {
				head := fmt.Sprintf("title: %s\nsummary: %s\nwords: %d\n", a.Title, a.Summary, a.WordCount)
				if a.Image != "" {
					head += "image: " + a.Image + "\n"
				}
				made = append(made,
					txtar.File{Name: "want/" + a.ID, Data: []byte(head)},
					txtar.File{Name: "want/" + a.ID + ".txt", Data: []byte(a.ContentText + "\n")},
					txtar.File{Name: "want/" + a.ID + ".html", Data: []byte(a.ContentHTML)})
			}
			var said strings.Builder
			for _, p := range problems {
				fmt.Fprintln(&said, p)
			}
			if said.Len() > 0 {
				made = append(made, txtar.File{Name: "want/problems", Data: []byte(said.String())})
			}
			if *updateGolden {
				got.Files = append(got.Files, made...)
				if err := os.WriteFile(path, txtar.Format(&got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if a, b := string(txtar.Format(&txtar.Archive{Files: made})), string(txtar.Format(&txtar.Archive{Files: want})); a != b {
				t.Errorf("got\n%s\nwant\n%s\nhint: go test ./builder/source -run TestRender -update", a, b)
			}
		})
	}
}

// Of a text with too much of something, the line is that of the file, though template code before
// it took several.
func TestLineOfTooMuch(t *testing.T) {
	_, problems := renderAll(t, fstest.MapFS{
		"hugo.toml":    {},
		"content/a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n> a\n\n{{< figure\n  src=\"b.png\"\n>}}\n\n" + strings.Repeat("> ", 101) + "a\n")},
	})
	if len(problems) != 1 || problems[0].Place() != "content/a.md:11" {
		t.Errorf("%v", problems)
	}
}

// A tag without an end is told with its line in the file.
func TestTagWithoutAnEnd(t *testing.T) {
	_, problems := renderAll(t, fstest.MapFS{"hugo.toml": {Data: []byte("title = 'T'")}, "content/a.md": {Data: []byte("---\ntitle: A\n---\n\nText {{< x\n")}})
	want := []Problem{{"content/a.md", 5, 6, Warning, "the template tag {{< is not closed", "close it with >}}, or put it into backquotes if it is meant as text"}}
	if !slices.Equal(problems, want) {
		t.Errorf("%v, want %v", problems, want)
	}
}

// Of links to other files, authors are told which lead to no article: not those that may lead to
// what else the site's generator makes.
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

// Where a link leads may hang on which other files there are. Then an article is not the one that
// was kept.
func TestKeysKnowOtherFiles(t *testing.T) {
	for name, test := range map[string]struct {
		site fstest.MapFS
		more string // a file
		want [2]string
	}{
		"a section of Hugo": {fstest.MapFS{
			"hugo.toml":           {Data: []byte("[permalinks]\nb = '/:sections/:filename/'")},
			"content/a.md":        {Data: []byte("[c](b/s/c.md)")},
			"content/b/s/c.md":    {Data: []byte("# C")},
			"content/b/_index.md": {},
		}, "content/b/s/_index.md", [2]string{"https://site.example/b/c/", "https://site.example/b/s/c/"}},
		"a README of Jekyll": {fstest.MapFS{
			"_config.yml": {Data: []byte("title: A")},
			"a.md":        {Data: []byte("[c](b/README.md)")},
			"b/README.md": {Data: []byte("# C")},
		}, "b/index.md", [2]string{"https://site.example/b/", "https://site.example/b/README.html"}},
		"an app of Next.js": {fstest.MapFS{
			"app/a.md":        {Data: []byte("[c](c/page.md)")},
			"app/c/page.md":   {Data: []byte("# C")},
			"app/layout.json": {},
		}, "app/layout.tsx", [2]string{"https://site.example/api/article?id=app-c-page", "https://site.example/api/article?id=app-c"}},
		"a folder of a language of Hugo": {fstest.MapFS{
			"site.yaml": {Data: []byte("generator: hugo\nurl_template: https://site.example/{path}/")},
			"en/a.md":   {Data: []byte("[c](/c.md)")},
			"de/b.md":   {Data: []byte("# B")},
		}, "fr/d.md", [2]string{"https://site.example/c/", "https://site.example/en/c/"}},
		"the folder of Docusaurus": {fstest.MapFS{
			"website/docusaurus.config.js": {Data: []byte("export default {presets: [['classic', {docs: {path: '../docs'}}]]}")},
			"docs/a.md":                    {Data: []byte("[c](@site/c.md)")},
		}, "docusaurus.config.js", [2]string{"https://site.example/api/article?id=website-c", "https://site.example/api/article?id=c"}},
	} {
		var keys, links [2]string
		for i := range keys {
			folder, err := Scan(t.Context(), test.site, Options{BaseURL: "https://site.example"})
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(folder.Files, func(f File) bool { return strings.HasSuffix(f.Path, "a.md") })
			a, _, _, err := folder.Article(folder.Files[at])
			if err != nil {
				t.Fatal(err)
			}
			_, link, _ := strings.Cut(a.ContentHTML, `"`)
			links[i], _, _ = strings.Cut(link, `"`)
			keys[i] = string(folder.Files[at].Key[:])
			test.site[test.more] = &fstest.MapFile{Data: []byte("---\ntitle: More\n---\n")}
		}
		if links != test.want || keys[0] == keys[1] {
			t.Errorf("%s: links to %s, want %s; the same key: %t", name, links, test.want, keys[0] == keys[1])
		}
	}
}

// A kept article is told by a key, so each rule is part of the key, or cannot change an article
// whose key is the same.
func TestKeysKnowEachRule(t *testing.T) {
	unhashed := map[string]string{} // why a rule need not be hashed, by its name
	for why, names := range map[string]string{
		"only decides which files are articles, or when these appear": `hugo.ignore zola.ignoredContent ignored jekyll.excluded jekyll.included disabled above hugo.noHTML hugo.noPages
			jekyll.bare drafts future explicit routes pelican.undated pelican.untitled hexo.encrypted hexo.hides sets docusaurus.translations`,
		"only decides the id of the file itself, which its key has":    "docusaurus.idIsName",
		"only decides the dates of the file itself, which its key has": "date publish lastmod expiry hugo.dateKeys hugo.zones",
		"comes from a configuration, whose text is hashed": `jekyll.collections cascade jekyll.excerptEnd jekyll.permalinks hugo.patterns hugo.machineDates hugo.linksPages hugo.params hugo.outputs hugo.ugly hugo.uglySections
			zola.keepDates zola.slugify hugo.keepCase hugo.noAccents hugo.hosts hugo.built languages defaultInSubdir jekyll.bridgetown mkdocs pelican pelican.marked dendron logseq.journals logseq.dayTitles book chapters`,
		"its reader hashes it, or that its configuration is there":                       "metaFiles authors tags",
		"its reader hashes the values that a file gives, and configurations as they are": "defaults ofFile eleventy",
		"follows from the generator, which the dialect has, and the configuration":       "vocabulary hugo.innerLanguage",
		"has no effect but on readmes.indexes or folders, which are hashed":              "jekyll.readmes.index jekyll.readmes.withMatter jekyll.i18n",
		"is the same for all sites":                                                           "inEnglish",
		"sumSettings hashes it":                                                               "hugo.handedDown",
		"sumSettings hashes it where patterns of addresses have it":                           "hugo.sections",
		"sumSettings hashes the paths that it is made of":                                     "hugo.pages",
		"changes addresses only where a configuration names languages, which is hashed":       "defaultLanguage",
		"tells the language of the file itself, which its key has, and no address of another": "inNames",
	} {
		for _, name := range strings.Fields(names) {
			unhashed[name] = why
		}
	}
	sum := func(r *rules) string {
		key := sha256.New()
		r.hash(key)
		return string(key.Sum(nil))
	}
	var r rules
	var each func(of reflect.Value, within string)
	each = func(of reflect.Value, within string) {
		before := sum(&r)
		for i := range of.NumField() {
			name, field := within+of.Type().Field(i).Name, of.Field(i)
			if field.Kind() == reflect.Struct {
				each(field, name+".")
				continue
			}
			field = reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem() // which can be set
			zero := reflect.Zero(field.Type())
			field.Set(notZero(field.Type()))
			_, known := unhashed[name]
			if hashed := sum(&r) != before; hashed == known {
				t.Errorf("the rule %s: hashed %t, and said to need no hash: %t", name, hashed, known)
			}
			if field.Kind() == reflect.Pointer && field.Type().Elem().PkgPath() == of.Type().PkgPath() { // the rules of one generator
				each(field.Elem(), name+".")
			}
			field.Set(zero)
			delete(unhashed, name)
		}
	}
	each(reflect.ValueOf(&r).Elem(), "")
	if len(unhashed) > 0 {
		t.Errorf("there are no such rules: %v", unhashed)
	}
}

// notZero returns a value of a type that is not its zero value.
func notZero(of reflect.Type) reflect.Value {
	v := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(of, 1, 1))
	case reflect.Map:
		v.Set(reflect.MakeMap(of))
		v.SetMapIndex(reflect.Zero(of.Key()), reflect.Zero(of.Elem()))
	case reflect.Pointer:
		v.Set(reflect.New(of.Elem()))
	case reflect.Func:
		v.Set(reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value { return nil }))
	}
	return v
}

// The title that Jekyll makes of the name of a document depends on whether the content folder is
// the whole source of the site.
func TestKeysKnowThePartOfASite(t *testing.T) {
	around := fstest.MapFS{"_config.yml": {Data: []byte("source: src\ncollections: {notes: {output: true}}")}}
	site := fstest.MapFS{"_notes/two-words.md": {Data: []byte("---\n---\nText.")}}
	var keys [2][sha256.Size]byte
	for i, want := range []string{"Two words", "Two Words"} {
		folder, err := Scan(t.Context(), site, Options{Around: around})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(folder.Files, func(f File) bool { return strings.HasPrefix(f.Path, "_notes") })
		a, _, _, err := folder.Article(folder.Files[at])
		if err != nil || a.Title != want {
			t.Errorf("%q, want %q: %v %v", a.Title, want, err, folder.Files[at])
		}
		keys[i] = folder.Files[at].Key
		site["_posts/2026-01-01-a.md"] = &fstest.MapFile{Data: []byte("---\n---\n")}
	}
	if keys[0] == keys[1] {
		t.Error("two titles have the same key")
	}
}

// Settings of the site change an article with an address of its own, too: the addresses of its
// links. Those of search change none.
func TestKeysKnowTheSettings(t *testing.T) {
	key := func(settings string) [sha256.Size]byte {
		folder := scanAt(t, fstest.MapFS{"site.yaml": {Data: []byte(settings)}, "a.md": {Data: []byte("---\nurl: https://x.example/a/\n---\n# A\n[b](2026-01-01-b.md)\n")}}, nil, storyTime("2026-08-23T00:00:00Z"))
		return folder.Files[0].Key
	}
	for settings, changes := range map[string]bool{"url_template: /b/{id}/": true, "dates_in_ids: true": true, "search: {synonyms: [[a, b]]}": false} {
		if changed := key(settings) != key(""); changed != changes {
			t.Errorf("%s: another key: %t, want %t", settings, changed, changes)
		}
	}
}

// An address of the site that is given makes the addresses of pages uncertain, where each language
// has its own.
func TestKeysKnowAGivenAddress(t *testing.T) {
	site := fstest.MapFS{
		"hugo.toml":    {Data: []byte("[languages.en]\nbaseURL = 'https://site.example/'\n[languages.fr]\nbaseURL = 'https://fr.example/'\n")},
		"content/a.md": {Data: []byte("---\ntitle: A\nurl: https://site.example/x/\n---\n[b](/b.md)")},
	}
	contents := map[[sha256.Size]byte]string{} // by key
	for _, base := range []string{"", "https://site.example"} {
		folder, err := Scan(t.Context(), site, Options{BaseURL: base})
		if err != nil {
			t.Fatal(err)
		}
		a, _, _, err := folder.Article(folder.Files[0])
		if err != nil {
			t.Fatal(err)
		}
		contents[folder.Files[0].Key] = a.ContentHTML
	}
	if len(contents) != 2 {
		t.Errorf("two articles have the same key: %v", contents)
	}
}

// Clients are told that these are URIs, and some refuse a whole answer with one that is none.
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
		articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: fmt.Appendf(nil,
			"---\ntitle: A\nurl: %[1]q\nimage: %[1]q\nauthors: [{name: Zoë, url: %[1]q}, '[Max](%[2]s)']\n---\nText.\n", c.given, strings.ReplaceAll(c.given, " ", "%20"))}})
		if len(articles) != 1 || len(articles[0].Authors) != 2 {
			t.Fatalf("%s: %v, %v", c.given, articles, problems)
		}
		a := articles[0]
		for what, got := range map[string]string{"url": a.URL, "image": a.Image, "author": a.Authors[0].URL, "author's link": a.Authors[1].URL} {
			if got != c.want {
				t.Errorf("the %s %s is published as %s, want %s", what, c.given, got, c.want)
			}
		}
	}
}

// What names no host is no address, whoever wrote it and wherever.
func TestAddressesWithoutAHostAreNotPublished(t *testing.T) {
	for _, given := range []string{"https://", "https:", "http:///a.png", "https://exa mple.org/a", "https://[::1/a", "https://other.example:port/", "https://exa%20mple.org/"} {
		articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: fmt.Appendf(nil,
			"---\ntitle: A\nurl: %[1]q\nimage: %[1]q\nauthors: [{name: Zoë, url: %[1]q}, '[Max](%[2]s)']\n---\nText.\n", given, strings.ReplaceAll(given, " ", "%20"))}})
		if len(articles) != 1 || len(articles[0].Authors) != 2 || len(problems) != 2 { // a warning of the url, and one of the image
			t.Fatalf("%s: %v, %v", given, articles, problems)
		}
		a := articles[0]
		if a.URL != "" || a.Image != "" || a.Authors[0].URL != "" || a.Authors[1].URL != "" {
			t.Errorf("%s is published as the url %q, the image %q, and that of the authors %v", given, a.URL, a.Image, a.Authors)
		}
	}
}

// What a query says is no host, though it may be an address.
func TestAddressesInQueriesAreEncoded(t *testing.T) {
	articles, _ := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\nimage: /resize?of=https://exämple.org|a/b&to=ü\n---\nText.\n")}})
	if got, want := articles[0].Image, "https://site.example/resize?of=https://ex%C3%A4mple.org%7Ca/b&to=%C3%BC"; got != want {
		t.Errorf("the image is published as %s, want %s", got, want)
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

// Ways in which people have made text run, after the ideas of public cheat sheets.
func TestNothingRuns(t *testing.T) {
	files, posts := fstest.MapFS{}, fstest.MapFS{"_config.yml": {Data: []byte("title: J\n")}}
	marked := fstest.MapFS{"pelicanconf.py": {Data: []byte("SITENAME = 'P'\n")}} // whose links have marks that are taken away
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

// A deep or long text costs time in proportion, not more.
func TestHostileMarkdown(t *testing.T) {
	articletest.WithoutRace(t)
	for name, text := range map[string]string{
		"quotes":         strings.Repeat(">", 500_000) + "x",
		"lists":          strings.Repeat("- ", 200_000) + "x",
		"deep notes":     strings.Repeat("[^1]: ", 100_000) + "x",
		"one tag":        strings.Repeat("{{ ", 200_000),
		"brackets":       strings.Repeat("[", 50_000),
		"emphasis":       strings.Repeat("*a_", 200_000),
		"links":          strings.Repeat("[a](", 50_000),
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
		"addresses":      strings.Repeat("www.a ", 60_000) + strings.Repeat("http:a ", 60_000),
	} {
		t.Run(name, func(t *testing.T) {
			article := &fstest.MapFile{Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + text)}
			for name, site := range map[string]fstest.MapFS{
				"plain": {"a.md": article}, "of Jekyll": {"_config.yml": {}, "a.md": article},
				"of MkDocs": {"mkdocs.yml": {Data: []byte("site_name: A\nmarkdown_extensions: [pymdownx.arithmatex]\n")}, "docs/a.md": article},
			} {
				if articles, _ := renderAll(t, site); len(articles) != 1 {
					t.Errorf("%s: %d articles", name, len(articles))
				}
			}
		})
	}
}

// What is too deep is told, and none of its text is lost.
func TestDeepMarkdown(t *testing.T) {
	for deep, want := range map[int]bool{100: false, 101: true} {
		for _, block := range []string{"> ", "- ", "1. "} {
			levels := deep
			if block != "> " { // a list has items
				levels = (deep + 1) / 2
			}
			articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + strings.Repeat(block, levels) + "last\n")}})
			if told := len(problems) > 0 && strings.Contains(problems[0].What, "more than 100 deep"); told != want || !strings.Contains(articles[0].ContentText, "last") {
				t.Errorf("%d of %q: %v\n%s", levels, block, problems, articles[0].ContentText)
			}
		}
	}
}

// Long paragraphs with no more marks than they may have are all Markdown.
func TestLongParagraphs(t *testing.T) {
	for name, line := range map[string]string{
		"names and asides": strings.Repeat("see (the thing) of a_b @x @y\n", 900),
		"marks":            strings.Repeat("*a* (see) https://example.org/x\n", 998),
		"lines":            strings.Repeat("word\n", 10_001),
		"names":            strings.Repeat("a_b_c\n", 2000),
	} {
		t.Run(name, func(t *testing.T) {
			articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + line + "then *last* [one](https://example.org/y)\n")}})
			if len(problems) > 0 || !strings.Contains(articles[0].ContentHTML, `then <em>last</em> <a href="https://example.org/y">one</a>`) {
				t.Errorf("%v\n…%s", problems, articles[0].ContentHTML[max(0, len(articles[0].ContentHTML)-200):])
			}
		})
	}
}

// Where a line ends there is a space, but not between letters or signs of Chinese or Japanese: they
// would be found with it only.
func TestLinesEndWithinChinese(t *testing.T) {
	for markdown, want := range map[string]string{
		"東\n京":                          "東京",
		"東\r\n京":                        "東京",
		"東 \n京":                         "東京",
		"東\n**京**\nです。\n「はい」":           "東京です。「はい」",
		"**東**\n[京](https://a.example)": "東京",
		"東\nGo":                         "東 Go",
		"Go\n東":                         "Go 東",
		"東 京":                           "東 京",
		"東  \n京":                        "東\n京",
		"`東`\n京":                        "東京",
		"가\n나":                          "가 나",
		"one\ntwo":                      "one two",
		"- 東\n  京\n- 都":                 "東京\n都",
		"東\n\n京":                        "東\n\n京",
		"```\n東\n京\n```":                "東\n京",
	} {
		articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + markdown + "\n")}})
		if len(problems) > 0 || articles[0].ContentText != want {
			t.Errorf("%q: %v, %q, want %q", markdown, problems, articles[0].ContentText, want)
		}
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		"one two three":             "one two…",
		"one, two, three":           "one, two…",
		"one two":                   "one two",
		"a-long-word-without-end":   "a-long-wo…",
		"東京都は日本の首都である":              "東京都は日本の首都…",
		"日本語の文章、それから続く":             "日本語の文章、それ…",
		"日本語の文章です（続きがある）":           "日本語の文章です…",
		"日本 の文章 Tokyo":              "日本 の文章…",
		"日本語文章Tokyo2020":            "日本語文章…",
		"한국어 문장은 띄어 쓴다":             "한국어 문장은…",
		"12345678e\u0301 more text": "12345678…", "1234567👩\u200d👩\u200d👧 text": "1234567…", "12345678👍🏽 more": "12345678…", "ภาษาไทยไม้เอก": "ภาษาไทยไ…",
	} {
		if got := cut(text, 10); got != want {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
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

func TestEmojisWhereTheGeneratorHasThem(t *testing.T) {
	for config, want := range map[string]string{
		"": ":tada:",
		"hugo.toml\nbaseURL = 'https://x.example/'":                                   ":tada:",
		"hugo.toml\nenableEmoji = true":                                               "🎉",
		"zola.toml\nbase_url = 'https://x.example'":                                   ":tada:",
		"zola.toml\n[markdown]\nrender_emoji = true":                                  "🎉",
		"_config.yml\nplugins: [jekyll-feed]":                                         ":tada:",
		"_config.yml\nplugins: [jekyll-feed, jemoji]":                                 "🎉",
		"mkdocs.yml\nmarkdown_extensions: [toc]":                                      ":tada:",
		"mkdocs.yml\nmarkdown_extensions: [pymdownx.emoji]":                           "🎉",
		"mkdocs.yml\nmarkdown_extensions:\n- pymdownx.emoji:\n    x: !!python/name:y": "🎉",
		"mkdocs.yml\nmarkdown_extensions:\n  pymdownx.emoji: {}":                      "🎉",
		"zensical.toml\nproject.site_name = 'A'":                                      "🎉",
		"zensical.toml\nproject.markdown_extensions.pymdownx.emoji = {}":              "🎉",
		"zensical.toml\nproject.markdown_extensions.toc = {}":                         ":tada:",
		"docusaurus.config.js\nexport default {}":                                     "🎉",
		".vitepress/config.mts\nexport default {}":                                    "🎉",
		"nuxt.config.ts\nexport default {}":                                           "🎉",
	} {
		if got := textWith(t, config, ":tada:"); got != want {
			t.Errorf("with %q: want %s, got %s", config, want, got)
		}
	}
}

// The styles of "permalink" are those of Jekyll's documentation.
func TestStylesOfJekyll(t *testing.T) {
	for style, want := range map[string]string{
		"none": "/news/a.html /p.html", "ordinal": "/news/2026/032/a.html /p.html", "weekdate": " /p.html", "pretty": "/news/2026/02/01/a/ /p/",
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

// The path of a site's address stands where templates of Jekyll ask for it: links and pictures of
// sites below github.io led above them.
func TestBaseURLOfJekyll(t *testing.T) {
	for text, want := range map[string]string{
		"[b]({{ site.baseurl }}/b)":                                   `<a href="https://x.example/sub/b">b</a>`,
		"![b]({{site.url}}{{site.baseurl}}/b.png)":                    `<img src="https://x.example/sub/b.png" alt="b">`,
		"[b]({{ '/b' | relative_url }})":                              `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ \"b\" | absolute_url }})":                             `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ '/b' | prepend: site.baseurl | prepend: site.url }})": `<a href="https://x.example/sub/b">b</a>`,
		"[b]({{ '/b' | prepend: site.url }})":                         `<a href="https://x.example/b">b</a>`,
		"[b]({{ 'https://y.example/b' | absolute_url }})":             `<a href="https://y.example/b">b</a>`,
		"[b]({{ site.baseurl }}{% post_url 2026-01-02-b %})":          `<a href="https://x.example/sub/2026/01/02/b.html">b</a>`,
		"[b]({% link _posts/2026-01-02-b.md %})":                      `<a href="https://x.example/sub/2026/01/02/b.html">b</a>`,
		"[b](/b)":                                                     `<a href="https://x.example/b">b</a>`,
	} {
		articles, _ := renderAt(t, "", fstest.MapFS{"_config.yml": {Data: []byte("title: J\nurl: https://x.example\nbaseurl: /sub")},
			"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\nimage: /i.png\n---\n" + text)}})
		a := articles[0]
		if want = "<p>" + want + "</p>\n"; a.ContentHTML != want || a.Image != "https://x.example/sub/i.png" {
			t.Errorf("%s is %s, with the picture %s, want %s", text, a.ContentHTML, a.Image, want)
		}
	}
}

// Where the address of a site has a path, some programs put it before paths from the root, in links
// and pictures; with others authors write it.
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

func TestEmojisWhereAPackageHasThem(t *testing.T) {
	for name, want := range map[string]string{"remark-emoji": "🎉", "markdown-it-emoji": "🎉", "rehype-accessible-emojis": ":tada:"} {
		articles, _ := renderAll(t, fstest.MapFS{"astro.config.mjs": {}, "package.json": {Data: []byte(`{"dependencies": {"` + name + `": "*"}}`)},
			"src/pages/a.md": {Data: []byte("---\ntitle: A\n---\n:tada:")}})
		if got := strings.TrimSpace(articles[0].ContentText); got != want {
			t.Errorf("with %s: want %s, got %s", name, want, got)
		}
	}
}

// Hexo makes a break where a line ends: lines in Chinese were one word, without a space between
// them.
func TestBreaksWhereTheGeneratorHasThem(t *testing.T) {
	const lines, joined = "一\n二", "一二"
	for config, want := range map[string]string{
		"":                                joined,
		"_config.yml\npublic_dir: public": lines,
		"_config.yml\npublic_dir: public\nmarked:\n  breaks: false":                                         joined,
		"_config.yml\npublic_dir: public\nmarkdown:\n  render:\n    breaks: false":                          joined,
		"_config.yml\nkramdown:\n  input: GFM":                                                              joined,
		"_config.yml\nkramdown:\n  hard_wrap: true":                                                         lines,
		"hugo.toml\nbaseURL = 'https://x.example/'":                                                         joined,
		"hugo.toml\nmarkup.goldmark.renderer.hardWraps = true":                                              lines,
		"mkdocs.yml\nmarkdown_extensions: [nl2br]":                                                          lines,
		".obsidian/app.json\n{}":                                                                            lines,
		".obsidian/app.json\n{\"strictLineBreaks\": true}":                                                  joined,
		"quartz.config.ts\nexport default { plugins: { transformers: [Plugin.HardLineBreaks()] } }":         lines,
		"quartz.config.ts\nexport default { plugins: { transformers: [Plugin.GitHubFlavoredMarkdown()] } }": joined,
	} {
		if got := textWith(t, config, lines); got != want {
			t.Errorf("with %q: want %q, got %q", config, want, got)
		}
	}
}

// Chinese and Japanese have no spaces around emphasis, so that many of their sites have a package
// for it.
func TestEmphasisOfPackages(t *testing.T) {
	for name, want := range map[string]string{"remark-gfm": "**注：**一", "remark-cjk-friendly": "注：一", "markdown-it-cjk-friendly": "注：一"} {
		articles, _ := renderAll(t, fstest.MapFS{"astro.config.mjs": {}, "package.json": {Data: []byte(`{"dependencies": {"` + name + `": "*"}}`)},
			"src/content/a.md": {Data: []byte("---\ntitle: A\n---\n**注：**一")}})
		if len(articles) != 1 || strings.TrimSpace(articles[0].ContentText) != want {
			t.Errorf("with %s: %v, want %s", name, articles, want)
		}
	}
}

// textWith renders an article of this text on a site whose configuration has its name in the first
// line, and returns its text.
func textWith(t *testing.T, config, text string) string {
	t.Helper()
	files := fstest.MapFS{}
	name, config, _ := strings.Cut(config, "\n")
	if name != "" {
		files[name] = &fstest.MapFile{Data: []byte(config)}
	}
	for _, dir := range []string{"content", "docs", "_posts", "source/_posts"} {
		files[dir+"/2026-01-01-a.md"] = &fstest.MapFile{Data: []byte("---\ntitle: A\n---\n" + text)}
	}
	articles, _ := renderAll(t, files)
	if len(articles) == 0 {
		return ""
	}
	return strings.TrimSpace(articles[0].ContentText)
}

func BenchmarkArticle(b *testing.B) {
	text := strings.Repeat("## A heading\n\nA paragraph with *emphasis*, `code`, a [link](other.md) and some more words to read.\n\n- one\n- two\n\n```go\nfunc main() {}\n```\n\n", 40)
	folder, err := Scan(b.Context(), fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + text)}}, Options{Now: time.Now()})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, _, err := folder.Article(folder.Files[0]); err != nil {
			b.Fatal(err)
		}
	}
}

// The heading that becomes the title goes, and nothing else, also where a comment is
// before it.
func TestHeadingBecomesTitle(t *testing.T) {
	for _, text := range []string{"# Title\n\nText.\n", "<!-- comment -->\n\n# Title\n\nText.\n", "<!-- a -->\n<!-- b -->\n# Title\n\n<p>Text.</p>\n"} {
		articles, _ := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ndate: 2026-01-01\n---\n" + text)}})
		if a := articles[0]; a.Title != "Title" || a.ContentHTML != "<p>Text.</p>\n" || a.ContentText != "Text." {
			t.Errorf("%q: %q\n%q\n%q", text, a.Title, a.ContentHTML, a.ContentText)
		}
	}
}

// Marks of comments that never end take no time that grows with the square of their number.
func TestCommentsWithoutEnd(t *testing.T) {
	articletest.WithoutRace(t)
	for _, mark := range []string{"%%i ", "{% comment %} "} {
		files := fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\n---\nText " + strings.Repeat(mark, 1<<20/len(mark)))}}
		if articles, _ := renderAll(t, files); len(articles) != 1 || !strings.HasPrefix(articles[0].ContentText, "Text") {
			t.Errorf("%q: the article is lost", mark)
		}
	}
}

// Tags of MDX, and code in two lines, cost time in proportion to their number.
func TestHostileMDX(t *testing.T) {
	articletest.WithoutRace(t)
	for _, text := range []string{strings.Repeat("<div>", 200_000), strings.Repeat("</div>", 200_000), strings.Repeat("`\n", 500_000)} {
		if articles, _ := renderAll(t, fstest.MapFS{"a.mdx": {Data: []byte("---\ntitle: A\n---\n" + text)}}); len(articles) != 1 {
			t.Errorf("%.20q: the article is lost", text)
		}
	}
}

// Paragraphs that begin as imports do cost time in proportion to their number: braces that do not
// close took the rest of the file into each, and half a megabyte took longer than ten minutes.
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
	var articles []article.Article
	took := articletest.ProcessorTime(t, func() {
		articles, _ = renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ntags: " + tags.String() + "\n---\n")}})
	})
	if took > 10*time.Second || len(articles) != 1 || len(articles[0].Tags) != 40_000 {
		t.Errorf("%s for %d articles", took, len(articles))
	}
}

// What is raw is not looked at, however many tags begin in one of its lines.
func TestHostileRaw(t *testing.T) {
	articletest.WithoutRace(t)
	for _, name := range []string{"a.md", "_posts/2020-01-01-a.md"} {
		text := "{% raw %}\n" + strings.Repeat("{% ", 350_000) + "\n{% endraw %}{{ x }}end"
		if articles, _ := renderAll(t, fstest.MapFS{name: {Data: []byte("---\ntitle: A\n---\n" + text)}}); len(articles) != 1 || !strings.HasSuffix(articles[0].ContentText, "{% end") && !strings.HasSuffix(articles[0].ContentText, "{%\nend") {
			t.Errorf("%s: the article is lost", name)
		}
	}
}

// What ends a comment of several lines ends no block: what is indented behind it was code, with its
// tags.
func TestBehindComments(t *testing.T) {
	const text = "<table>\n  <tr><td>a</td></tr>\n    <!-- <tr>\n    </tr> -->\n    <tr>\n      <td>{% icon \"b\" %}b</td>\n    </tr>\n</table>\n"
	articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\n---\n" + text)}})
	if len(articles) != 1 || strings.Contains(articles[0].ContentText, "icon") {
		t.Errorf("%v %v", articles, problems)
	}
}

// Of two blogs, each has its authors.
func TestAuthorsOfBlogs(t *testing.T) {
	files := fstest.MapFS{"blog/authors.yml": {Data: []byte("team: {name: One}\nguest: {name: Guest}")}, "news/authors.yml": {Data: []byte("team: {name: Two}")},
		"blog/a.md": {Data: []byte("---\ntitle: A\nauthors: team\n---\n")}, "news/2026/b.md": {Data: []byte("---\ntitle: B\nauthors: [team, guest]\n---\n")}}
	articles, _ := renderAll(t, files)
	if a, b := articles[0].Authors, articles[1].Authors; !slices.Equal(a, []article.Author{{Name: "One"}}) || !slices.Equal(b, []article.Author{{Name: "Two"}, {Name: "Guest"}}) {
		t.Error(a, b)
	}
}

// scanLinked scans files of a content folder, one of which is a link to a file outside of it.
func scanLinked(t *testing.T, files map[string]string, link, outside string) *Folder {
	folder := t.TempDir()
	write := func(name, text string) {
		name = filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("outside", outside)
	for name, text := range files {
		write("content/"+name, text)
	}
	if err := os.Symlink("../outside", filepath.Join(folder, "content", link)); err != nil {
		t.Skip(err)
	}
	root, err := os.OpenRoot(filepath.Join(folder, "content"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	f, err := Scan(t.Context(), root.FS(), Options{BaseURL: "https://example.org"})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A file of authors that is a link out of the content is not read, and keeps no article back.
func TestAuthorsOutside(t *testing.T) {
	f := scanLinked(t, map[string]string{"a.md": "---\ntitle: A\nauthors: jd\n---\n"}, "authors.yml", "jd: {name: Outside}")
	if a, _, _, err := f.Article(f.Files[0]); err != nil || !slices.Equal(a.Authors, []article.Author{{Name: "jd"}}) {
		t.Errorf("%v %v of %v", a.Authors, err, f.Files)
	}
}

// Any folder may have a large file of this name, which need not be one of authors: it kept the
// whole site from being published.
func TestAuthorsThatAreNotRead(t *testing.T) {
	articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("# A")}, "data/authors.yml": {Data: make([]byte, frontmatter.MaxBytes+1)}})
	if len(articles) != 1 || len(problems) != 1 || problems[0].Path != "data/authors.yml" || problems[0].Severity != Warning {
		t.Errorf("%v, %v", articles, problems)
	}
}

// A data file of Eleventy that is a link out of the content is not read, and warned of.
func TestDataFileOutside(t *testing.T) {
	f := scanLinked(t, map[string]string{".eleventy.js": "", "a.md": "# A"}, "a.json", `{"lang": "fr"}`)
	if len(f.Problems) != 1 || f.Problems[0].Path != "a.json" || f.Problems[0].Severity != Warning || f.Site.Language != "en" {
		t.Errorf("problems %v, language %s", f.Problems, f.Site.Language)
	}
}

// Who an author is that an article names by a key stands in a file of the site.
func TestAuthorsByKey(t *testing.T) {
	const people = "jd:\n  name: Jane Doe\n  title: Editor\n  url: https://jane.example\nnobody: 1\n"
	for name, files := range map[string]fstest.MapFS{
		"Docusaurus": {"docusaurus.config.js": {}, "blog/authors.yml": {Data: []byte(people)}, "i18n/fr/blog/authors.yml": {Data: []byte("jd: {name: Jeanne}")},
			"blog/a.md": {Data: []byte("---\ntitle: A\nauthors: [{key: jd, title: Guest}, nobody, Someone]\n---\n")}},
		"Material": {"docs/blog/.authors.yml": {Data: []byte("authors:\n  " + strings.ReplaceAll(people, "\n", "\n  "))},
			"docs/blog/posts/a.md": {Data: []byte("---\ntitle: A\nauthors:\n  - jd\n  - nobody\n  - Someone\n---\n")}},
		"Jekyll": {"_config.yml": {Data: []byte("title: J")}, "_data/authors.yml": {Data: []byte(people)}, "authors.yml": {Data: []byte("jd: {name: No data}")},
			"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\nauthor: [jd, nobody, Someone]\n---\n")}},
		"Hugo": {"hugo.toml": {Data: []byte("title = 'H'")}, "content/fr/authors/jd/_index.md": {Data: []byte("---\ntitle: Jeanne\n---\n")},
			"content/authors/jd/_index.md":     {Data: []byte("---\ntitle: Jane Doe\nurl: https://jane.example\n---\n")},
			"content/authors/nobody/_index.md": {Data: []byte("---\ntitle: Draft\ndraft: true\n---\n")}, "content/authors/_index.md": {Data: []byte("---\ntitle: Authors\n---\n")},
			"content/a.md": {Data: []byte("---\ntitle: A\nauthors: [jd, nobody, Someone]\n---\n")}},
		"Jekyll, the longer ending": {"_config.yml": {Data: []byte("title: J")}, "_data/authors.yaml": {Data: []byte(people)},
			"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\nauthor: [jd, nobody, Someone]\n---\n")}},
	} {
		articles, problems := renderAll(t, files)
		if len(articles) != 1 {
			t.Fatalf("%s: %d articles, %v", name, len(articles), problems)
		}
		want := []article.Author{{Name: "Jane Doe", URL: "https://jane.example"}, {Name: "nobody"}, {Name: "Someone"}}
		if got := articles[0].Authors; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// The folders of a post of Jekyll are categories of it; the tags of a record hold these, too.
func TestTagsOfFolders(t *testing.T) {
	articles, _ := renderAll(t, fstest.MapFS{"_config.yml": {Data: []byte("collections_dir: all")},
		"all/News/deep/_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\ncategories: [deep, Told]\ntags: x\n---\n")}})
	if want := []string{"x", "News", "deep", "Told"}; len(articles) != 1 || !slices.Equal(articles[0].Tags, want) {
		t.Errorf("%v, want the tags %v", articles, want)
	}
}

// A list within the categories of Hexo is a category and one within that: both were lost, with a
// warning.
func TestTagsOfLists(t *testing.T) {
	articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ncategories:\n  - [Sports, Ball games]\n  - Rivals\n---\n")}})
	if want := []string{"Sports", "Ball games", "Rivals"}; len(articles) != 1 || !slices.Equal(articles[0].Tags, want) || len(problems) > 0 {
		t.Errorf("%v %v, want the tags %v", articles, problems, want)
	}
}

// Tags that only put an article of Eleventy into a list are no tags for readers.
func TestTagsOfCollections(t *testing.T) {
	for config, want := range map[string]string{"eleventy.config.js": "[go]", "astro.config.mjs": "[post go posts]"} {
		articles, _ := renderAll(t, fstest.MapFS{config: {Data: []byte("export default {}")},
			"src/pages/a.md": {Data: []byte("---\ntitle: A\ntags: [post, go, posts]\n---\n")}})
		if got := fmt.Sprint(articles[0].Tags); got != want {
			t.Errorf("%s: the tags %s, want %s", config, got, want)
		}
	}
}

// TestTagsOfSections wants what sections of Hugo hand down where an article has no tags of its own,
// and another key where they hand down others.
func TestTagsOfSections(t *testing.T) {
	site := func(tags string) fstest.MapFS {
		return fstest.MapFS{
			"hugo.toml":           {Data: []byte("title = 'T'")},
			"content/b/_index.md": {Data: []byte("---\ncascade: {tags: [" + tags + "], categories: Of b}\n---\n")},
			"content/b/a.md":      {Data: []byte("---\ntitle: A\n---\nText.\n")},
			"content/b/own.md":    {Data: []byte("---\ntitle: Own\ntags: [own]\n---\nText.\n")},
		}
	}
	articles, _ := renderAll(t, site("x, y"))
	for i, want := range []string{"[x y Of b]", "[own Of b]"} {
		if got := fmt.Sprint(articles[i].Tags); got != want {
			t.Errorf("%s has the tags %s, want %s", articles[i].ID, got, want)
		}
	}
	now := storyTime("2026-08-23T00:00:00Z")
	before, after := scanAt(t, site("x"), nil, now), scanAt(t, site("z"), nil, now)
	for i, file := range before.Files {
		if file.Path == "content/b/a.md" && file.Key == after.Files[i].Key {
			t.Error("the key of an article stays when its section hands down another tag")
		}
	}
}

// Zola has tags, categories and authors in tables of their own, and what is for themes in another.
func TestTablesOfZola(t *testing.T) {
	articles, _ := renderAll(t, fstest.MapFS{"config.toml": {Data: []byte("base_url = 'https://site.example'")}, "content/a.md": {Data: []byte(
		"+++\ntitle = 'A'\n[taxonomies]\ntags = ['x, y', 'z']\ncategories = ['c']\nauthors = ['Ann']\n[extra]\nimage = {src = '/i.png'}\ntags = ['e']\nlang = 'fr'\n+++\n")}})
	a := articles[0]
	if got, want := fmt.Sprintf("%q %v %s %s", a.Tags, a.Authors, a.Image, a.Language), `["x, y" "z" "e" "c"] [{Ann }] https://site.example/i.png fr`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Properties of Obsidian link to notes: tags were called [[Places]].
func TestTagsOfNotes(t *testing.T) {
	articles, _ := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntags: ['[[Places]]', '[[a]] and [[b]]']\ncategory: '[[kinds/Trips|Trips]]'\n---\n# A\n")}})
	if want := []string{"Places", "[[a]] and [[b]]", "Trips"}; len(articles) != 1 || !slices.Equal(articles[0].Tags, want) {
		t.Errorf("%v, want the tags %v", articles, want)
	}
}

// Obsidian and Quartz read a tag without the number sign that it has in a text.
func TestTagsWithSigns(t *testing.T) {
	articles, _ := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntags: ['#stub', '#math/sums', 'C#', '#', '#1', 'a #b']\ncategory: '#kinds, #b'\n---\n# A\n")}})
	if want := []string{"stub", "math/sums", "C#", "#", "#1", "a #b", "kinds", "b"}; len(articles) != 1 || !slices.Equal(articles[0].Tags, want) {
		t.Errorf("%v, want the tags %v", articles, want)
	}
}

// Zenn calls tags topics.
func TestTopics(t *testing.T) {
	articles, _ := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ntopics: [nuxt, 'font face']\n---\n")}})
	if want := []string{"nuxt", "font face"}; len(articles) != 1 || !slices.Equal(articles[0].Tags, want) {
		t.Errorf("%v, want the tags %v", articles, want)
	}
}

// An author may be written as Markdown, or with an address of mail.
func TestWrittenAuthors(t *testing.T) {
	jane, other := article.Author{Name: "Jane Doe", URL: "https://jane.example"}, article.Author{Name: "Max (Example Ltd)", URL: "https://max.example/a"}
	for written, want := range map[string][]article.Author{
		"":                                 nil,
		"Jane, Max":                        {{Name: "Jane, Max"}},
		"Jane &Scaron;mith &amp; Max":      {{Name: "Jane Šmith & Max"}},
		"**Jane** (Example Ltd)":           {{Name: "Jane (Example Ltd)"}},
		"[Jane Doe](https://jane.example)": {jane},
		"[Jane Doe](https://jane.example), [Max](https://max.example/a) (Example Ltd)":     {jane, other},
		"[Max](https://max.example/a) (Example Ltd) & [Jane Doe](https://jane.example)":    {other, jane},
		"[Jane Doe](https://jane.example), and [Max](https://max.example/a) (Example Ltd)": {jane, other},
		"Anna and [Jane Doe](https://jane.example)":                                        {{Name: "Anna"}, jane},
		"Jane Doe ([@jane](https://jane.example))":                                         {{Name: "Jane Doe (@jane)"}},
		"[[Jane]]":                    {{Name: "Jane"}}, // a note of Obsidian
		"[[people/jane|Jane]]":        {{Name: "Jane"}},
		"[[Jane]] [[Max]]":            {{Name: "[[Jane]] [[Max]]"}},
		"[Jane](javascript:x), ":      {{Name: "Jane"}},
		"[Jane] (not a link](":        {{Name: "[Jane] (not a link]("}},
		"Jane Doe <jane@a.example>":   {{Name: "Jane Doe"}},
		"jane@a.example (Jane (Doe))": {{Name: "Jane (Doe)"}},
		"jane@a.example":              {{Name: "jane@a.example"}},
		"Jane <@jane on Mastodon>":    {{Name: "Jane <@jane on Mastodon>"}},
		"Jane (jane@a.example)":       {{Name: "Jane (jane@a.example)"}},
	} {
		if got := appendAuthors(nil, frontmatter.Value{Kind: frontmatter.Text, Text: written}); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", written, got, want)
		}
	}
}

// What mdBook replaces is not there, in code neither, but what it leaves is; a chapter without a
// heading of the first level has its title in SUMMARY.md.
func TestChaptersOfABook(t *testing.T) {
	articles, problems := renderAll(t, fstest.MapFS{
		"book.toml":      {Data: []byte("[book]\ntitle = 'A book'\n")},
		"src/SUMMARY.md": {Data: []byte("- [Hello, *Cargo* of `[T]` \\* &amp;!](ch01-03.md)\n- [Other](b.md)\n")},
		"src/ch01-03.md": {Data: []byte("## Hello\n\n```rust\n{{#rustdoc_include ../a.rs:2}}\nfn main() {}\n\\{{#include this}}\n{{ #include b.rs }}{{#if a}}{{/if}}\n```\n\n## More\n")},
		"src/b.md":       {Data: []byte("# B\n\n{{#playground b.rs editable}}\n\nText.\n")},
	})
	if len(articles) != 2 || len(problems) > 0 {
		t.Fatal(articles, problems)
	}
	b, chapter := articles[0], articles[1]
	if b.Title != "B" || strings.TrimSpace(b.ContentText) != "Text." {
		t.Errorf("got %+v", b)
	}
	if want := "Hello\n\nfn main() {}\n{{#include this}}\n{{#if a}}{{/if}}\n\nMore"; chapter.Title != "Hello, Cargo of [T] * &!" || strings.TrimSpace(chapter.ContentText) != want {
		t.Errorf("got %q, %q", chapter.Title, chapter.ContentText)
	}
}

// What data files say of a folder and of one within it is merged, as are the defaults of Jekyll.
func TestAuthorsOfFolders(t *testing.T) {
	a, b := "---\ntitle: A\n---\n", "---\ntitle: B\nauthor: {url: https://b.example}\n---\n"
	for name, files := range map[string]fstest.MapFS{
		"eleventy": {"eleventy.config.js": {Data: []byte("export default () => {}")}, "posts/posts.json": {Data: []byte(`{"author": {"name": "Ann", "url": "https://ann.example"}}`)},
			"posts/photos/photos.json": {Data: []byte(`{"author": {"role": "photographer", "url": "https://photos.example"}}`)}, "posts/photos/a.md": {Data: []byte(a)}, "posts/photos/b.md": {Data: []byte(b)}},
		"jekyll": {"_config.yml": {Data: []byte("collections: {photos: {output: true}}\ndefaults:\n- {scope: {path: _photos}, values: {author: {role: photographer, url: https://photos.example}}}\n- {scope: {path: \"\"}, values: {author: {name: Ann, url: https://ann.example}}}\n")},
			"_photos/a.md": {Data: []byte(a)}, "_photos/b.md": {Data: []byte(b)}},
		"jekyll, the general first": {"_config.yml": {Data: []byte("collections: {photos: {output: true}}\ndefaults:\n- {scope: {path: \"\"}, values: {author: {name: Bob, url: https://bob.example}}}\n- {scope: {path: _photos}, values: {author: {name: Ann, url: https://photos.example}}}\n")},
			"_photos/a.md": {Data: []byte(a)}, "_photos/b.md": {Data: []byte(b)}},
	} {
		articles, problems := renderAll(t, files)
		var got []string
		for _, a := range articles {
			for _, by := range a.Authors {
				got = append(got, by.Name+" "+by.URL)
			}
		}
		if !slices.Equal(got, []string{"Ann https://photos.example", "Ann https://b.example"}) || len(problems) > 0 {
			t.Errorf("%s: %q %v", name, got, problems)
		}
	}
}

// A key with one word says whether search finds an article, as several themes have it.
func TestSearchInOneWord(t *testing.T) {
	files := fstest.MapFS{}
	for i, word := range []string{"true", "include", "false", "no", "exclude"} {
		files[fmt.Sprintf("%d.md", i)] = &fstest.MapFile{Data: []byte("---\ntitle: A\nsearch: " + word + "\n---\n")}
	}
	f := scanAt(t, files, nil, storyTime("2026-08-23T00:00:00Z"))
	var excluded []string
	for _, a := range f.Settings.Articles {
		if a.Exclude {
			excluded = append(excluded, a.ID)
		}
	}
	if !slices.Equal(excluded, []string{"2", "3", "4"}) {
		t.Errorf("%q %s", excluded, problemLines(f))
	}
}

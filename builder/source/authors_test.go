package source

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"newsstand/builder/article"
	"newsstand/builder/source/frontmatter"
)

// An article may name its authors by keys that a file of the site explains.
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
		"Astro": {"astro.config.mjs": {}, "src/content/authors/jd.json": {Data: []byte(`{"name": "Jane Doe", "url": "https://jane.example"}`)},
			"src/content/authors/nobody.toml": {Data: []byte(`title = "About me"`)}, "src/content/jobs/Someone.yaml": {Data: []byte("name: No person")},
			"src/content/blog/a.md": {Data: []byte("---\ntitle: A\nauthors: [jd, nobody, Someone]\n---\n")}},
		"a folder for each": {"astro.config.mjs": {}, "src/content/authors/jd/index.json": {Data: []byte(`{"name": "Jane Doe", "url": "https://jane.example"}`)},
			"src/content/authors/jd/index.de.json": {Data: []byte(`{"name": "Johanna"}`)}, "src/content/authors/jd/index.zh.json": {Data: []byte(`{"name": "珍"}`)},
			"src/content/blog/a.md": {Data: []byte("---\ntitle: A\nauthors: [jd, nobody, Someone]\n---\n")}},
		"Eleventy": {"eleventy.config.js": {}, "_data/authors.json": {Data: []byte(`{"jd": {"name": "Jane Doe", "url": "https://jane.example"}}`)},
			"posts/a.md": {Data: []byte("---\ntitle: A\nauthors: [jd, nobody, Someone]\n---\n")}},
		"Jekyll, a collection": {"_config.yml": {Data: []byte("title: J\ncollections: [authors]")},
			"_authors/jd.md":         {Data: []byte("---\nname: Jane Doe\nurl: https://jane.example\n---\n")},
			"_authors/nobody.md":     {Data: []byte("---\nname: Draft\ndraft: true\n---\n")},
			"_authors/Someone.md":    {Data: []byte("---\nname: Secret\npublished: false\n---\n")},
			"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\nauthors: [jd, nobody, Someone]\n---\n")}},
		"people": {"eleventy.config.js": {}, "people/people.json": {Data: []byte(`{"permalink": false}`)}, "people/jd/index.md": {Data: []byte("---\nname: Jane Doe\nurl: https://jane.example\n---\n")},
			"a.md": {Data: []byte("---\ntitle: A\nauthors: [jd, nobody, Someone]\n---\n")}},
		"Jekyll, the longer ending": {"_config.yml": {Data: []byte("title: J")}, "_data/authors.yaml": {Data: []byte(people)},
			"_posts/2026-01-01-a.md": {Data: []byte("---\ntitle: A\nauthor: [jd, nobody, Someone]\n---\n")}},
	} {
		a, _ := renderOne(t, files)
		want := []article.Author{{Name: "Jane Doe", URL: "https://jane.example"}, {Name: "nobody"}, {Name: "Someone"}}
		if got := a.Authors; !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// Only generators' own files have keys: tags.json of a site is often what its search reads.
func TestKeysIn(t *testing.T) {
	for p, want := range map[string]string{
		"blog/authors.yml": "authors", "blog/.authors.yaml": "authors", "_data/authors.json": "authors", "apps/site/authors.json": "authors", "_data/authors.yml": "authors", "blog/tags.yml": "tags",
		"static/tags.json": "", "_data/tags.yml": "", "_data/tags.json": "",
	} {
		if got := keysIn(p, plain); got != want {
			t.Errorf("%s: %q, want %q", p, got, want)
		}
	}
}

// Each of two blogs has its own authors.
func TestAuthorsOfBlogs(t *testing.T) {
	files := fstest.MapFS{"blog/authors.yml": {Data: []byte("team: {name: One}\nguest: {name: Guest}")}, "news/authors.yml": {Data: []byte("team: {name: Two}")},
		"blog/a.md": {Data: []byte("---\ntitle: A\nauthors: team\n---\n")}, "news/2026/b.md": {Data: []byte("---\ntitle: B\nauthors: [team, guest]\n---\n")}}
	articles, _ := renderAll(t, files)
	if a, b := articles[0].Authors, articles[1].Authors; !slices.Equal(a, []article.Author{{Name: "One"}}) || !slices.Equal(b, []article.Author{{Name: "Two"}, {Name: "Guest"}}) {
		t.Error(a, b)
	}
}

// The data files of a folder and of one within it are merged, as are the defaults of Jekyll.
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

// An author may be written as Markdown, or with an email address.
func TestWrittenAuthors(t *testing.T) {
	jane, other := article.Author{Name: "Jane Doe", URL: "https://jane.example"}, article.Author{Name: "Max (Example Ltd)", URL: "https://max.example/a"}
	for written, want := range map[string][]article.Author{
		"":                            nil,
		"Jane, Max":                   {{Name: "Jane, Max"}},
		"Jane &Scaron;mith &amp; Max": {{Name: "Jane Šmith & Max"}},
		"**Jane** (Example Ltd)":      {{Name: "Jane (Example Ltd)"}},
		"<a class='x' href='https://jane.example'>Jane Doe</a> and\n<a href=\"https://max.example/a\">Max</a> (Example Ltd)": {jane, other},
		`Ada, <i lang="fr">la <b>comtesse</b></i>`:                                                                {{Name: "Ada, la comtesse"}},
		`<a href="/people#jane">Jane</a> (<a href="https://a.example">a</a>, <a href="mailto:j@b.example">b</a>)`: {{Name: "Jane (a, b)"}},
		`<a href="javascript:alert(1)">Jane</a>, <a href="https://site.example/Jane_(author)">Max</a>`:            {{Name: "Jane, Max"}},
		"<a href=' https://jane.example '>Jane Doe</a>":                                                           {jane},
		"Anna :) and [Jane Doe](https://jane.example)":                                                            {{Name: "Anna :)"}, jane},
		"[Jane Doe](https://jane.example)":                                                                        {jane},
		"[Jane Doe](https://jane.example), [Max](https://max.example/a) (Example Ltd)":                            {jane, other},
		"[Max](https://max.example/a) (Example Ltd) & [Jane Doe](https://jane.example)":                           {other, jane},
		"[Jane Doe](https://jane.example), and [Max](https://max.example/a) (Example Ltd)":                        {jane, other},
		"Anna and [Jane Doe](https://jane.example)":                                                               {{Name: "Anna"}, jane},
		"Jane Doe ([@jane](https://jane.example))":                                                                {{Name: "Jane Doe (@jane)"}},
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

// A file of authors that is a link out of the content folder is not read, and does not keep
// articles back.
func TestAuthorsOutside(t *testing.T) {
	f := scanLinked(t, map[string]string{"a.md": "---\ntitle: A\nauthors: jd\n---\n"}, "authors.yml", "jd: {name: Outside}")
	if a, _, _, err := f.Article(f.Files[0]); err != nil || !slices.Equal(a.Authors, []article.Author{{Name: "jd"}}) {
		t.Errorf("%v %v of %v", a.Authors, err, f.Files)
	}
}

// Any folder may have a large file of this name that has nothing to do with authors. One used to
// keep the whole site from being published.
func TestAuthorsThatAreNotRead(t *testing.T) {
	articles, problems := renderAll(t, fstest.MapFS{"a.md": {Data: []byte("# A")}, "data/authors.yml": {Data: make([]byte, frontmatter.MaxBytes+1)}})
	if len(articles) != 1 || len(problems) != 1 || problems[0].Path != "data/authors.yml" || problems[0].Severity != Warning {
		t.Errorf("%v, %v", articles, problems)
	}
}

// scanLinked scans a content folder in which one of the files is a link to a file outside the
// folder.
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

// A data file of Eleventy that is a link out of the content folder is not read, and gets a warning.
func TestDataFileOutside(t *testing.T) {
	f := scanLinked(t, map[string]string{".eleventy.js": "", "a.md": "# A"}, "a.json", `{"lang": "fr"}`)
	if len(f.Problems) != 1 || f.Problems[0].Path != "a.json" || f.Problems[0].Severity != Warning || f.Site.Language != "en" {
		t.Errorf("problems %v, language %s", f.Problems, f.Site.Language)
	}
}

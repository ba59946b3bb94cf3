package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"newsstand/builder/hinted"
)

// The language of a site of MkDocs or Pelican is taken from its configuration, not its articles.
func TestLanguageOfProjects(t *testing.T) {
	for _, test := range []struct{ name, file, text, want string }{
		{"Material", "mkdocs.yml", "theme:\n  name: material\n  language: pt-BR\n", "pt-BR"},
		{"MkDocs", "mkdocs.yml", "theme:\n  name: readthedocs\n  locale: pt_BR\n", "pt-BR"},
		{"a theme by its name", "mkdocs.yml", "theme: material\n", "en"},
		{"Pelican", "pelicanconf.py", "SITENAME = 'A'\n# DEFAULT_LANG = 'fr'\nDEFAULT_LANG = 'fr'\nDEFAULT_LANG = \"de\"\n", "de"},
		{"Pelican that says nothing", "pelicanconf.py", "SITENAME = 'A'\n", "en"},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := fstest.MapFS{"a.md": {Data: []byte("# A\n")}}
			around := fstest.MapFS{test.file: {Data: []byte(test.text)}}
			f, err := Scan(t.Context(), content, Options{Now: time.Now(), Around: around})
			if err != nil {
				t.Fatal(err)
			}
			if f.Site.Language != test.want || (f.Site.From["language"] == test.file) != (test.want != "en") {
				t.Errorf("the language is %q, from %v; want %q", f.Site.Language, f.Site.From, test.want)
			}
			content["site.yaml"] = &fstest.MapFile{Data: []byte("language: ja\n")}
			if f, err = Scan(t.Context(), content, Options{Now: time.Now(), Around: around}); err != nil || f.Site.Language != "ja" {
				t.Errorf("with site.yaml the language is %q, %v", f.Site.Language, err)
			}
		})
	}
}

// A site of Bridgetown has its title in a data file, which used to be ignored.
func TestTitleOfBridgetown(t *testing.T) {
	const file = "src/_data/site_metadata.yml"
	f := scanAt(t, fstest.MapFS{
		"config/initializers.rb": {Data: []byte("Bridgetown.configure do |config|\n  url \"https://example.org\"\nend\n")},
		file:                     {Data: []byte("title: Walks\ntagline: In the hills\nlang: de_AT\nauthor: Ann\n")},
		"src/a.md":               {Data: []byte("---\ntitle: A\n---\n")},
	}, nil, time.Now())
	s := f.Site
	if s.Title != "Walks" || s.Description != "In the hills" || s.Language != "de-AT" || len(s.Authors) != 1 || s.From["title"] != file || s.From["base_url"] != "config/initializers.rb" {
		t.Errorf("%q, %q, %q, %v, of %v", s.Title, s.Description, s.Language, s.Authors, s.From)
	}
	// A source outside of the content folder is no error, and has no title.
	if s := scanAt(t, fstest.MapFS{"bridgetown.config.yml": {Data: []byte("source: ../src\n")}}, nil, time.Now()).Site; s.Title != "" {
		t.Errorf("%q, of %v", s.Title, s.From)
	}
}

// Docusaurus reads Markdown as MDX, whatever the file's extension, unless it is told otherwise. Its
// braces used to be shown as text.
func TestDocusaurusReadsMDX(t *testing.T) {
	const text = "---\ntitle: A\n%s---\nimport {x} from './x'\n\nA {x.y} b.\n"
	for _, test := range []struct{ name, config, meta, want string }{
		{"as it is", "", "", "A b."},
		{"for all files", "export default {markdown: {format: 'detect'}}", "", "A {x.y} b."},
		{"for one file", "", "mdx: {format: md}\n", "A {x.y} b."},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, problems := renderOne(t, fstest.MapFS{"docusaurus.config.ts": {Data: []byte(test.config)},
				"docs/a.md": {Data: fmt.Appendf(nil, text, test.meta)}})
			if a.ContentText != test.want {
				t.Errorf("%q %v, want the text %q", a.ContentText, problems, test.want)
			}
		})
	}
}

// Windows line endings end the blocks of Docusaurus, too, and text that is commented out for it may
// have several paragraphs. Both used to be shown.
func TestDocusaurusBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"Text\r\n\r\n```mdx-code-block\r\n<Tabs>\r\n```\r\n\r\nEnd\r\n": "Text\n\nEnd",
		"Text <!-- a\n\nb --> end\n":                                    "Text end",
	} {
		a, problems := renderOne(t, fstest.MapFS{"docusaurus.config.ts": {}, "docs/a.md": {Data: []byte("---\ntitle: A\n---\n" + text)}})
		if a.ContentText != want {
			t.Errorf("%q %v, want the text %q", a.ContentText, problems, want)
		}
	}
}

// The braces of a formula are not expressions of MDX: $\bar{x}$ used to lose its x.
func TestFormulasOfMDX(t *testing.T) {
	for text, want := range map[string]string{
		"Of $\\bar{x}$ and {y} $5 and {z} $6.":   "Of $\\bar{x}$ and $5 and $6.",
		"A\n\n$$\n\\frac{a}\n{b}\n$$\n\nB {c} d": "A\n\n$$ \\frac{a} {b} $$\n\nB d",
		"$$ {a} b":                               "$$ b",
	} {
		a, problems := renderOne(t, fstest.MapFS{"a.mdx": {Data: []byte("---\ntitle: A\n---\n" + text)}})
		if a.ContentText != want {
			t.Errorf("%q: %q %v, want %q", text, a.ContentText, problems, want)
		}
	}
}

// Articles beside a project of Docusaurus or VitePress are not its pages. Their braces used to be
// taken for MDX, and what the pages exclude was left out.
func TestArticlesBesideDocumentation(t *testing.T) {
	for _, test := range []struct{ config, text, want string }{
		{"website/docusaurus.config.js", "export default {presets: [['classic', {docs: {path: 'docs'}}]]}", "A {x.y} b."},
		{"website/docusaurus.config.js", "export default {presets: [['classic', {docs: {path: '../articles'}}]]}", "A b."},
		{"docs/.vitepress/config.js", "export default {srcExclude: ['a.md']}", "A {x.y} b."},
	} {
		around := fstest.MapFS{test.config: {Data: []byte(test.text)}, "articles/a.md": {}}
		folder, err := Scan(t.Context(), fstest.MapFS{"a.md": {Data: []byte("A {x.y} b.\n")}}, Options{Now: time.Now(), Around: around})
		if err != nil || len(folder.Files) != 1 || folder.Files[0].Status != Published {
			t.Fatalf("%s: %v %v", test.text, folder, err)
		}
		if a, _, _, err := folder.Article(folder.Files[0]); err != nil || a.ContentText != test.want {
			t.Errorf("%s: %q, %v; want %q", test.text, a.ContentText, err, test.want)
		}
	}
}

// The labels of Docusaurus' tags are in a file of the blog, or of the pages.
func TestTagsByKey(t *testing.T) {
	a, problems := renderOne(t, fstest.MapFS{"docusaurus.config.js": {},
		"blog/tags.yml": {Data: []byte("news:\n  label: Project News\n  permalink: /news\nbare: {}\n")},
		"docs/tags.yml": {Data: []byte("news: {label: New}")},
		"blog/a.md":     {Data: []byte("---\ntitle: A\ntags: [news, bare, Other, Project News]\n---\n")}})
	if want := []string{"Project News", "bare", "Other"}; !slices.Equal(a.Tags, want) {
		t.Errorf("%q %v, want the tags %q", a.Tags, problems, want)
	}
}

// The repository of a theme is not a site, but may have one in it. Its archetypes used to have
// errors, and the text about the theme was an article.
func TestTheme(t *testing.T) {
	theme := func(more ...string) fstest.MapFS {
		site := fstest.MapFS{"theme.toml": {}, "README.md": {}, "layouts/a.html": {}, "archetypes/a.md": {Data: []byte("---\ntitle: {{ .Name }\n---\n")}}
		for _, name := range more {
			site[name] = &fstest.MapFile{}
		}
		return site
	}
	for _, test := range []struct {
		site fstest.MapFS
		hint string // "" if it is a site
	}{
		{theme(), "name the folder of a site"},
		{theme("exampleSite/content/a.md", "exampleSite/hugo.toml"), "in the folder exampleSite: name that"},
		{theme("hugo.toml", "content/a.md"), ""},
		{theme("site.yaml"), ""},
		{fstest.MapFS{"theme.toml": {}, "a.md": {}}, ""},
	} {
		if _, err := Scan(t.Context(), test.site, Options{}); (err == nil) != (test.hint == "") || !strings.Contains(hinted.Hint(err), test.hint) {
			t.Errorf("%v: %v, want the hint %q", slices.Sorted(maps.Keys(test.site)), err, test.hint)
		}
	}
}

// A name that MkDocs takes from the environment was itself the title of the site.
func TestTitleFromEnvironment(t *testing.T) {
	for said, want := range map[string]string{"Ours": "Ours", "!ENV NAME": "", "!ENV [NAME]": "", "!ENV [NAME, OLD, Ours]": "Ours"} {
		site := fstest.MapFS{"mkdocs.yml": {Data: []byte("site_name: " + said)}, "docs/a.md": {Data: []byte("# A")}}
		folder, err := Scan(t.Context(), site, Options{})
		if err != nil || folder.Site.Title != want {
			t.Errorf("%s: %q, %v, want %q", said, folder.Site.Title, err, want)
		}
	}
}

// The configurations of Sphinx, Jupyter Book and MyST say what the site is called.
func TestNamesOfBooks(t *testing.T) {
	for name, files := range map[string]fstest.MapFS{
		"conf.py":     {"conf.py": {Data: []byte("project = 'Ours'\nauthor = 'Ada'\nlanguage = 'de'\nextensions = ['myst_parser']\n")}},
		"_config.yml": {"_toc.yml": {Data: []byte("root: a")}, "_config.yml": {Data: []byte("title: Ours\nauthor: Ada\nsphinx: {config: {language: de}}\n")}},
		"myst.yml":    {"myst.yml": {Data: []byte("project: {title: Ours, authors: [{name: Ada}]}\n")}, "site.yaml": {Data: []byte("language: de")}},
	} {
		files["a.md"] = &fstest.MapFile{Data: []byte("# A")}
		folder, err := Scan(t.Context(), files, Options{})
		s := &folder.Site
		if err != nil || s.Title != "Ours" || s.From["title"] != name || s.Language != "de" || len(s.Authors) != 1 || s.Authors[0].Name != "Ada" {
			t.Errorf("%s: %q of %q, %q, %v, %v", name, s.Title, s.From["title"], s.Language, s.Authors, err)
		}
	}
}

// Whatever a configuration in JavaScript holds, reading it does not fail.
func FuzzScripts(f *testing.F) {
	for _, config := range []string{
		"export default {presets: [['classic', {docs: {path: 'a', id: [], exclude: ['**/[x', '!b'], includeCurrentVersion: false}}]]}",
		"defineConfig({srcDir: '../..', srcExclude: ['', '/', '{a']})",
		"defineCollection({ loader: glob({ base: './', pattern: ['!**', '*'] }) }) } pattern: 'x'",
	} {
		f.Add(config)
	}
	f.Fuzz(func(t *testing.T, config string) {
		for _, name := range []string{"docusaurus.config.js", ".vitepress/config.js", "src/content.config.ts"} {
			site := fstest.MapFS{name: {Data: []byte(config)}, "astro.config.mjs": {Data: []byte(" ")}, "a/a.md": {Data: []byte("# A")}, "docs/b.md": {Data: []byte("# B")}}
			for _, o := range []Options{{}, {Around: site}} {
				if _, err := Scan(t.Context(), site, o); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// From names the file that gives a setting: for an address in publishconf.py, it used to name
// pelicanconf.py.
func TestOriginOfAnAddress(t *testing.T) {
	for published, want := range map[string]string{"SITEURL = 'https://b.example'": "publishconf.py", "SITEURL = ''": "", "": "pelicanconf.py"} {
		f := scanAt(t, fstest.MapFS{
			"pelicanconf.py": {Data: []byte("SITENAME = 'A'\nSITEURL = 'https://a.example'\n")},
			"publishconf.py": {Data: []byte(published)},
		}, nil, time.Time{})
		if got := f.Site.From["base_url"]; got != want || f.Site.From["title"] != "pelicanconf.py" {
			t.Errorf("%s: from %q, want %q; title from %q", published, got, want, f.Site.From["title"])
		}
	}
}

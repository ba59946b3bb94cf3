package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// The tags and categories of an article are read in the forms that its generator has for them.
func TestTags(t *testing.T) {
	for name, test := range map[string]struct {
		config, file, matter string
		want                 []string
	}{
		"folders of a post of Jekyll": {"_config.yml\ncollections_dir: all", "all/News/deep/_posts/2026-01-01-a.md", "categories: [deep, Told]\ntags: x", []string{"x", "News", "deep", "Told"}},
		"commas of Jekyll":            {"_config.yml\ndefaults: [{scope: {path: ''}, values: {categories: News}}]", "_posts/2026-01-01-a.md", "categories: Trips, Hills", []string{"News", "Trips", "Hills"}},
		// To Hexo this is a category and its subcategory. Both used to be lost, with a warning.
		"a list within a list": {"", "a.md", "categories:\n  - [Sports, Ball games]\n  - Rivals", []string{"Sports", "Ball games", "Rivals"}},
		// Some tags only put an article of Eleventy into a list.
		"lists of Eleventy": {"eleventy.config.js\nexport default {}", "src/pages/a.md", "tags: [post, go, posts]", []string{"go"}},
		"no Eleventy":       {"astro.config.mjs\nexport default {}", "src/pages/a.md", "tags: [post, go, posts]", []string{"post", "go", "posts"}},
		// Properties of Obsidian link to notes: a tag used to be called [[Places]].
		"links to notes": {"", "a.md", "tags: ['[[Places]]', '[[a]] and [[b]]']\ncategory: '[[kinds/Trips|Trips]]'", []string{"Places", "[[a]] and [[b]]", "Trips"}},
		// Pages of Logseq have all tags on one line.
		"links on a line": {"", "a.md", "tags: '[[CLI/Tool]], plain, [[a|b]]'\ncategory: '[[Bergen, Norway]]'", []string{"CLI/Tool", "plain", "b", "Bergen, Norway"}},
		"spaces in links": {"", "a.md", "tags: ['[[x| b]]', '[[ c ]]']\ncategory: '[[ d ]], [[ e ]]'", []string{"b", "c", "d", "e"}},
		// Obsidian and Quartz read a tag without the number sign that it has in a text.
		"signs":          {"", "a.md", "tags: ['#stub', '#math/sums', 'C#', '#', '#1', 'a #b']\ncategory: '#kinds, #b'", []string{"stub", "math/sums", "C#", "#", "#1", "a #b", "kinds", "b"}},
		"topics of Zenn": {"", "a.md", "topics: [nuxt, 'font face']", []string{"nuxt", "font face"}},
	} {
		site := fstest.MapFS{test.file: {Data: []byte("---\ntitle: A\n" + test.matter + "\n---\n")}}
		if config, text, ok := strings.Cut(test.config, "\n"); ok {
			site[config] = &fstest.MapFile{Data: []byte(text)}
		}
		a, problems := renderOne(t, site)
		if !slices.Equal(a.Tags, test.want) || len(problems) > 0 {
			t.Errorf("%s: %q %v, want the tags %q", name, a.Tags, problems, test.want)
		}
	}
}

// An article of Hugo without tags of its own gets those that its sections hand down, and another
// key if they hand down others.
func TestTagsOfSections(t *testing.T) {
	site := func(tags string) fstest.MapFS {
		return fstest.MapFS{
			"hugo.toml":           {Data: []byte("title = 'T'")},
			"content/b/_index.md": {Data: []byte("---\ncascade: {tags: [" + tags + "], categories: Of b}\n---\n")},
			"content/b/a.md":      {Data: []byte("---\ntitle: A\n---\nText.\n")},
			"content/b/own.md":    {Data: []byte("---\ntitle: Own\ntags: [own]\n---\nText.\n")},
			"content/b/params.md": {Data: []byte("---\ntitle: Params\nparams: {tags: [own]}\n---\nText.\n")},
		}
	}
	articles, _ := renderAll(t, site("x, y"))
	for i, want := range []string{"[x y Of b]", "[own Of b]", "[own Of b]"} {
		if got := fmt.Sprint(articles[i].Tags); got != want {
			t.Errorf("the tags of %s are %s, want %s", articles[i].ID, got, want)
		}
	}
	now := storyTime("2026-08-23T00:00:00Z")
	before, after := scanAt(t, site("x"), nil, now), scanAt(t, site("z"), nil, now)
	for i, file := range before.Files {
		if file.Path == "content/b/a.md" && file.Key == after.Files[i].Key {
			t.Error("the key of an article stays the same when its section hands down another tag")
		}
	}
}

// Zola keeps tags, categories and authors in one table, and values for themes in another.
func TestTablesOfZola(t *testing.T) {
	a, _ := renderOne(t, fstest.MapFS{"config.toml": {Data: []byte("base_url = 'https://site.example'")}, "content/a.md": {Data: []byte(
		"+++\ntitle = 'A'\n[taxonomies]\ntags = ['x, y', 'z']\ncategories = ['c']\nauthors = ['Ann']\n[extra]\nimage = {src = '/i.png'}\ntags = ['e']\nlang = 'fr'\n+++\n")}})
	if got, want := fmt.Sprintf("%q %v %s %s", a.Tags, a.Authors, a.Image, a.Language), `["x, y" "z" "e" "c"] [{Ann }] https://site.example/i.png fr`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

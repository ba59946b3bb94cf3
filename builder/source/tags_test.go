package source

import (
	"fmt"
	"slices"
	"testing"
	"testing/fstest"
)

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

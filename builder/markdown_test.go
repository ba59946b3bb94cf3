package builder

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/publication"
	"newsstand/builder/source/sourcetest"
)

// articles are the published articles, and their twins, by id.
func (s site) articles() (articles map[string]article.Article, twins map[string]string) {
	s.t.Helper()
	articles, twins = map[string]article.Article{}, map[string]string{}
	for name, data := range s.tree() {
		if id, ok := article.IDOfMarkdownPath(name); ok {
			twins[id] = data
		}
		if id, ok := article.IDOfPath(name); ok {
			var a article.Article
			s.check(json.Unmarshal([]byte(data), &a))
			articles[id] = a
		}
	}
	return articles, twins
}

// A twin is an article: a site made of nothing but the twins of another one has the same
// articles, under the same addresses, with the same text.
func TestTwinsMakeTheSameSite(t *testing.T) {
	articletest.WithoutRace(t)
	for _, name := range []string{sourcetest.Guide, "sites/cncf-glossary"} {
		t.Run(filepath.Base(name), func(t *testing.T) {
			first, second := newSite(t), newSite(t)
			first.options.Content, first.options.Now, second.options.Now = sourcetest.Folder(t, name), at("2026-12-01T00:00:00Z"), at("2026-12-01T00:00:00Z")
			if _, err := Build(t.Context(), first.options); err != nil {
				t.Fatal(err)
			}
			articles, twins := first.articles()
			if len(articles) < 20 || len(twins) != len(articles) {
				t.Fatalf("%d articles have %d twins", len(articles), len(twins))
			}
			second.write("site.yaml", "generator: hugo\n") // whose code is none of this text
			for id, text := range twins {
				second.write(id+".md", text)
			}
			second.build()
			again, _ := second.articles()
			words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
			for id, a := range articles {
				b := again[id]
				a.Summary, b.Summary = words(a.Summary), words(b.Summary) // a front matter has no hard spaces
				if diff := cmp.Diff(a.Meta, b.Meta); diff != "" {
					t.Errorf("%s (-article +its twin as an article):\n%s", id, diff)
				}
				if diff := cmp.Diff(words(a.ContentText), words(b.ContentText)); diff != "" {
					t.Errorf("the text of %s (-article +its twin as an article):\n%s", id, diff)
				}
			}
		})
	}
}

// What an author hides in a file is in no twin: comments, template code, and whatever
// stands beside the text.
func TestTwinsHaveOnlyWhatIsPublished(t *testing.T) {
	s := newSite(t)
	s.write("hugo.toml", "")
	s.write("a.md", postFile("Seen.\n\n<!-- canary1 -->\n\n{{< shortcode canary2 >}}\n\n<b title=\"canary3\" onclick=\"canary4\">bold</b> <script>canary5</script>", "private: canary6", "date: 2026-01-01"))
	s.write("b.md", postFile("canary7", "draft: true"))
	s.build()
	_, twins := s.articles()
	want := "---\nid: \"a\"\ntitle: \"A page\"\nurl: \"https://site.example/a/\"\ndate: 2026-01-01T00:00:00Z\nlastmod: 2026-01-01T00:00:00Z\ntags: []\nlanguage: \"en\"\nsummary: \"Seen. bold\"\n---\n\nSeen.\n\n**bold**\n"
	if diff := cmp.Diff(map[string]string{"a": want}, twins); diff != "" {
		t.Errorf("the twins (-want +got):\n%s", diff)
	}
}

// An article that is kept keeps its twin, and one that goes takes it along.
func TestTwinsFollowTheirArticles(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("one"))
	s.write("b.md", postFile("two"))
	s.build()
	_, before := s.articles()
	s.write("a.md", broken)
	s.write("b.md", postFile("two", "draft: true"))
	s.build()
	if _, after := s.articles(); len(after) != 1 || after["a"] != before["a"] {
		t.Errorf("one article is kept and one is gone; the twins are %q", after)
	}
	s.remove("a.md")
	s.build()
	if _, after := s.articles(); len(after) != 0 {
		t.Errorf("there are no articles, and the twins %q", after)
	}
}

// markdown: false takes all twins away, and nothing names them any more.
func TestWithoutTwins(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text", "date: 2026-01-01"))
	s.options.Cache = t.TempDir()
	s.build()
	s.write("site.yaml", "markdown: false\n")
	for range 2 {
		s.build()
		if articles, twins := s.articles(); len(articles) != 1 || len(twins) != 0 {
			t.Errorf("%d articles and the twins %q", len(articles), twins)
		}
		if places := s.places("a.md"); len(places) > 0 {
			t.Errorf("the twin is gone, and named in %q", places)
		}
		if places := s.places(article.MarkdownOperation); len(places) > 0 {
			t.Errorf("there are no twins, and %q say how to ask for one", places)
		}
	}
	s.remove("site.yaml")
	s.build()
	if _, twins := s.articles(); len(twins) != 1 {
		t.Errorf("the twins are wanted again: %q", twins)
	}
}

// A twin that is not what its article makes, that is missing, or that nobody published,
// is found, and the next build fixes it.
func TestCheckKnowsTwins(t *testing.T) {
	s := newSite(t)
	s.write("a.md", postFile("text"))
	s.build()
	twin, other := filepath.Join(s.options.Public, article.MarkdownPath("a")), filepath.Join(s.options.Public, article.MarkdownPath("b"))
	for want, damage := range map[string]func() error{
		"api/article/a.md: differs from what the article is as Markdown": func() error { return os.WriteFile(twin, []byte("---\nid: \"a\"\n---\n"), 0o644) },
		"api/article/a.md: is missing":                                   func() error { return os.Remove(twin) },
		"api/article/b.md: is not part of the build":                     func() error { return os.WriteFile(other, nil, fs.FileMode(0o644)) },
	} {
		s.check(damage())
		got, err := publication.Check(t.Context(), s.options.Public, nil, nil)
		s.check(err)
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("what the check finds (-want +got):\n%s", diff)
		}
		s.build()
	}
}

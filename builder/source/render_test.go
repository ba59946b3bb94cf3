package source

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

var updateGolden = flag.Bool("update", false, "write the golden files anew")

// renderAll is renderAt with an address.
func renderAll(t testing.TB, files fstest.MapFS) (articles []article.Article, problems []Problem) {
	t.Helper()
	return renderAt(t, "https://site.example", files)
}

// renderOne renders the one article that a folder publishes. The test ends if it publishes none, or
// several.
func renderOne(t testing.TB, files fstest.MapFS) (article.Article, []Problem) {
	t.Helper()
	articles, problems := renderAll(t, files)
	if len(articles) != 1 {
		t.Fatalf("%d articles of %q are published, want one; %v", len(articles), slices.Sorted(maps.Keys(files)), problems)
	}
	return articles[0], problems
}

// renderAt scans the folder of a site with an address, which may be empty, and renders what is
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

// Each golden file is a small content folder and, under want/, what becomes of it: the text, the
// HTML and whatever else an article has.
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

// The warning of a text with too much of something has the line in the file, even if template code
// before it takes several lines.
func TestLineOfTooMuch(t *testing.T) {
	_, problems := renderAll(t, fstest.MapFS{
		"hugo.toml":    {},
		"content/a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n> a\n\n{{< figure\n  src=\"b.png\"\n>}}\n\n" + strings.Repeat("> ", 101) + "a\n")},
	})
	if len(problems) != 1 || problems[0].Place() != "content/a.md:11" {
		t.Errorf("%v", problems)
	}
}

// A tag without an end is reported with its line in the file.
func TestTagWithoutAnEnd(t *testing.T) {
	_, problems := renderAll(t, fstest.MapFS{"hugo.toml": {Data: []byte("title = 'T'")}, "content/a.md": {Data: []byte("---\ntitle: A\n---\n\nText {{< x\n")}})
	want := []Problem{{"content/a.md", 5, 6, Warning, "the template tag {{< is not closed", "close it with >}}, or put it into backquotes if it is meant as text"}}
	if !slices.Equal(problems, want) {
		t.Errorf("%v, want %v", problems, want)
	}
}

// The end of a line becomes a space, but not between characters of Chinese or Japanese: words would
// be found only with the space in them.
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
		a, problems := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\ndate: 2026-01-01\n---\n" + markdown + "\n")}})
		if len(problems) > 0 || a.ContentText != want {
			t.Errorf("%q: %v, %q, want %q", markdown, problems, a.ContentText, want)
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

func TestEmojisWhereAPackageHasThem(t *testing.T) {
	for name, want := range map[string]string{"remark-emoji": "🎉", "markdown-it-emoji": "🎉", "rehype-accessible-emojis": ":tada:"} {
		a, _ := renderOne(t, fstest.MapFS{"astro.config.mjs": {}, "package.json": {Data: []byte(`{"dependencies": {"` + name + `": "*"}}`)},
			"src/pages/a.md": {Data: []byte("---\ntitle: A\n---\n:tada:")}})
		if got := strings.TrimSpace(a.ContentText); got != want {
			t.Errorf("with %s: want %s, got %s", name, want, got)
		}
	}
}

// Hexo makes a break at the end of a line. Without it, two lines in Chinese would be one word.
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

// Chinese and Japanese have no spaces around emphasis, so many of their sites use a package that
// finds it.
func TestEmphasisOfPackages(t *testing.T) {
	for name, want := range map[string]string{"remark-gfm": "**注：**一", "remark-cjk-friendly": "注：一", "markdown-it-cjk-friendly": "注：一"} {
		a, _ := renderOne(t, fstest.MapFS{"astro.config.mjs": {}, "package.json": {Data: []byte(`{"dependencies": {"` + name + `": "*"}}`)},
			"src/content/a.md": {Data: []byte("---\ntitle: A\n---\n**注：**一")}})
		if got := strings.TrimSpace(a.ContentText); got != want {
			t.Errorf("with %s: want %s, got %s", name, want, got)
		}
	}
}

// textWith renders an article with this text and returns its text. The first line of config is the
// name of the site's configuration.
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

// The heading that becomes the title is removed, and nothing else, even if a comment stands before
// it.
func TestHeadingBecomesTitle(t *testing.T) {
	for _, text := range []string{"# Title\n\nText.\n", "<!-- comment -->\n\n# Title\n\nText.\n", "<!-- a -->\n<!-- b -->\n# Title\n\n<p>Text.</p>\n"} {
		a, _ := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ndate: 2026-01-01\n---\n" + text)}})
		if a.Title != "Title" || a.ContentHTML != "<p>Text.</p>\n" || a.ContentText != "Text." {
			t.Errorf("%q: %q\n%q\n%q", text, a.Title, a.ContentHTML, a.ContentText)
		}
	}
}

// Marks of comments that never end do not take time that grows with the square of their number.
func TestCommentsWithoutEnd(t *testing.T) {
	articletest.WithoutRace(t)
	for _, mark := range []string{"%%i ", "{% comment %} "} {
		a, _ := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\n---\nText " + strings.Repeat(mark, 1<<20/len(mark)))}})
		if !strings.HasPrefix(a.ContentText, "Text") {
			t.Errorf("%q: the text is lost", mark)
		}
	}
}

// The end of a comment of several lines does not end a block. Indented text after it used to become
// code, with its tags.
func TestTextAfterComments(t *testing.T) {
	const text = "<table>\n  <tr><td>a</td></tr>\n    <!-- <tr>\n    </tr> -->\n    <tr>\n      <td>{% icon \"b\" %}b</td>\n    </tr>\n</table>\n"
	a, problems := renderOne(t, fstest.MapFS{"a.md": {Data: []byte("---\ntitle: A\n---\n" + text)}})
	if strings.Contains(a.ContentText, "icon") {
		t.Errorf("%q %v", a.ContentText, problems)
	}
}

// Tags that mdBook replaces are removed, even in code, if their files are not there, and those that
// it leaves stay. A chapter without a heading of the first level has its title in SUMMARY.md.
func TestChaptersOfABook(t *testing.T) {
	articles, problems := renderAll(t, fstest.MapFS{
		"book.toml":      {Data: []byte("[book]\ntitle = 'A book'\n")},
		"src/SUMMARY.md": {Data: []byte("- [Hello, *Cargo* of `[T]` \\* &amp;!](ch01-03.md)\n- [Other](b.md)\n")},
		"src/ch01-03.md": {Data: []byte("## Hello\n\n```rust\n{{#rustdoc_include ../a.rs:2}}\nfn main() {}\n\\{{#include this}}\n{{ #include b.rs }}{{#if a}}{{/if}}\n```\n\n## More\n")},
		"src/b.md":       {Data: []byte("# B\n\n{{#playground b.rs editable}}\n\nText.\n")},
	})
	if len(articles) != 2 || len(problems) != 3 {
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

// A key with one word may say whether search finds an article, as in several themes.
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

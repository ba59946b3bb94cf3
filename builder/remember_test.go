package builder

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
	"newsstand/builder/cache"
	"newsstand/builder/page"
)

// remembering lets builds of the site remember each other, as separate programs do.
func (s *site) remembering() {
	s.options.Cache = filepath.Join(s.t.TempDir(), "cache")
}

// settled lets the stamps of all files of a folder be older than the clock's tick, as
// they are for people: the cache tells nothing of a file that was just written.
func settled() { time.Sleep(60 * time.Millisecond) }

// stats are the stamps of all published files.
func (s site) stats() map[string]string {
	s.t.Helper()
	stats := map[string]string{}
	s.check(filepath.WalkDir(s.options.Public, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			var info fs.FileInfo
			if info, err = e.Info(); err == nil {
				stats[path] = fmt.Sprint(cache.StampOf(info)) // with the inode, where the system has one
			}
		}
		return err
	}))
	return stats
}

// A build that remembers publishes what a build into an empty folder would, whatever
// happened since: random edits, of the same size and with an older time too, renames,
// other settings and addresses, another clock, published files that are spoilt or gone,
// and a cache that is.
func TestRememberingChangesNothing(t *testing.T) {
	articletest.WithoutRace(t)
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 11))
			s := newSite(t)
			s.remembering()
			pick := func(choices ...string) string { return choices[random.IntN(len(choices))] }
			names := make([]string, 0, 100)
			write := func(name string) {
				s.write(name, postFile(fmt.Sprintf("text %04d of [a link](p1.md)\n\n{{%% tag %%}}\n\n[!INCLUDE [a](../part.md)]\n\n[!INCLUDE [b](part.md)]", random.IntN(10000)),
					"date: 2026-02-"+pick("10", "27")+pick("", "T12:00:00+02:00"), "publishDate: "+pick("2026-01-01", "2026-03-10"), "draft: "+pick("true", "false", "false"),
					"tags: ["+pick("a", "b", "", "a, b")+"]", "search:", "  exclude: "+pick("true", "false", "false")))
			}
			for i := range cap(names) {
				names = append(names, fmt.Sprintf("%sp%d.md", pick("", "en/", "fr/", "2026-02-01-"), i))
				write(names[i])
			}
			path := func(name string) string { return filepath.Join(s.options.Content, name) }
			published := func() string { // some file that searchd or the edge would read
				files := slices.DeleteFunc(slices.Sorted(maps.Keys(s.tree())), func(name string) bool { return name == "corpus/manifest.json" })
				return filepath.Join(s.options.Public, files[random.IntN(len(files))])
			}
			changes := []func(){
				func() {},
				func() { s.write("../hugo.yaml", pick("title: One\n", "title: Two\nenableEmoji: true\n")) },
				func() { os.Remove(path("../hugo.yaml")) },
				func() { s.write("_page/own.html", pick("one", "two")) },
				func() { os.RemoveAll(path("_page")) },
				func() { s.write(pick("../part.md", "part.md"), pick("one", "two", "[!INCLUDE [a](en/part.md)]")) },
				func() {
					s.write("en/part.md", postFile(pick("three", "four"), "draft: "+pick("true", "false"), "date: "+pick("2026-02-01", "2026-03-05")))
				},
				func() { os.Remove(path(pick("../part.md", "part.md", "en/part.md"))) },
				func() { // strays, which are removed
					stray := filepath.Join(s.options.Public, pick("api/article/stray.json", "api/article/stray.md", "corpus/"+strings.Repeat("0", 64)+".ndjson.gz"))
					s.check(os.MkdirAll(filepath.Dir(stray), 0o755))
					s.check(os.WriteFile(stray, []byte("stray"), 0o644))
				},
				func() {
					for range random.IntN(5) {
						write(names[random.IntN(len(names))])
					}
				},
				func() { // with the time that it had
					name := path(names[random.IntN(len(names))])
					info, err := os.Stat(name)
					s.check(err)
					data, err := os.ReadFile(name)
					s.check(err)
					s.check(os.WriteFile(name, []byte(strings.Replace(string(data), "text ", "TEXT ", 1)), 0o644))
					s.check(os.Chtimes(name, info.ModTime(), info.ModTime()))
				},
				func() {
					i, n := random.IntN(len(names)), len(names)
					s.check(os.Rename(path(names[i]), path(fmt.Sprintf("q%d-%d.md", n, random.Uint32()))))
					names = slices.Delete(names, i, i+1)
				},
				func() { // two files change places
					a, b := path(names[random.IntN(len(names))]), path(names[random.IntN(len(names))])
					s.check(os.Rename(a, a+"~"))
					if a != b {
						s.check(os.Rename(b, a))
					}
					s.check(os.Rename(a+"~", b))
				},
				func() {
					for _, name := range names {
						s.check(os.Chtimes(path(name), time.Time{}, time.Now().Add(-time.Duration(random.IntN(1e9)))))
					}
				},
				func() {
					s.write("site.yaml", pick("", "language: fr\n")+pick("", "url_template: /{path}/\n", "url_template: /{year}/{id}/\n")+
						pick("", "authors: Ann\n")+pick("", "time_zone: Asia/Tokyo\n")+pick("", "languages: [en, fr]\n")+pick("", "search:\n  synonyms: [[a, b]]\n"))
				},
				func() { s.options.BaseURL = pick("https://site.example", "https://other.example/blog") },
				func() {
					s.options.Now = at(pick("2026-02-15T00:00:00Z", "2026-03-01T12:00:00Z", "2026-03-10T00:00:00Z"))
				},
				func() { s.check(os.Remove(published())) },
				func() {
					name := published()
					data, err := os.ReadFile(name)
					s.check(err)
					data[random.IntN(len(data))] ^= 0x20
					s.check(os.WriteFile(name, data, 0o644))
				},
				func() { s.check(os.RemoveAll(s.options.Public)) },
				func() {
					files, err := filepath.Glob(filepath.Join(s.options.Cache, "*"))
					s.check(err)
					if len(files) < 1 || len(files) > 2 {
						t.Fatalf("caches: %v", files)
					}
					file := files[random.IntN(len(files))]
					data, err := os.ReadFile(file)
					s.check(err)
					data[random.IntN(len(data))] ^= 1
					s.check(os.WriteFile(file, data[:len(data)-random.IntN(2)], 0o644))
				},
				func() { // a build of which the cache does not know
					other := s
					other.options.Cache = ""
					write(names[0])
					other.build()
				},
			}
			s.build()
			for round := range 20 {
				if random.IntN(2) == 0 {
					settled()
				}
				for range 1 + random.IntN(2) {
					changes[random.IntN(len(changes))]()
				}
				got := s.build()
				fresh := s
				fresh.options.Cache, fresh.options.Public = "", filepath.Join(t.TempDir(), "public")
				want := fresh.build()
				if got.Revision != want.Revision || got.Published != want.Published || !slices.Equal(got.Problems, want.Problems) || !maps.Equal(got.Files, want.Files) || !got.Next.Equal(want.Next) {
					t.Fatalf("round %d: the report is\n%+v\nwant\n%+v", round, got, want)
				}
				tree := s.tree()
				for name, data := range fresh.tree() {
					if name != "corpus/manifest.json" && tree[name] != data { // which tells of the build before
						t.Fatalf("round %d: %s is\n%s\nwant\n%s", round, name, tree[name], data)
					}
					delete(tree, name)
				}
				for name := range tree {
					if !strings.HasPrefix(name, "corpus/") {
						t.Fatalf("round %d: %s is published", round, name)
					}
				}
			}
		})
	}
}

// Builds that remember each other write only what changed, by inode and time of change.
func TestRememberingWritesOnlyWhatChanged(t *testing.T) {
	s := newSite(t)
	s.remembering()
	for i := range 200 {
		s.write(fmt.Sprintf("a%d.md", i), postFile(fmt.Sprintf("text %d", i)))
	}
	settled()
	s.build()
	settled()
	before := s.stats()
	for range 2 {
		if r := s.build(); r.Written+r.Removed > 0 || r.Unchanged != len(before) || !maps.Equal(before, s.stats()) {
			t.Errorf("an unchanged build changed the folder: %+v", r)
		}
	}
	s.write("a77.md", postFile("another text, longer"))
	if r := s.build(); r.Written != 6 {
		t.Errorf("an edit wrote %d files", r.Written)
	}
	var changed []string
	for path, is := range s.stats() {
		if was, ok := before[path]; ok && was != is {
			name, err := filepath.Rel(s.options.Public, path)
			s.check(err)
			changed = append(changed, filepath.ToSlash(name))
		}
	}
	slices.Sort(changed)
	if want := []string{"api/article/a77.json", "api/article/a77.md", "api/health.json", "corpus/manifest.json", "openapi.json"}; !slices.Equal(changed, want) {
		t.Errorf("an edit changed %q, want %q and a chunk", changed, want)
	}
}

// Whether a link leads to an article depends on other files, so an article that is remembered is
// asked for its links again.
func TestRememberingKnowsDeadLinks(t *testing.T) {
	s := newSite(t)
	s.remembering()
	s.write("a.md", postFile("[b](b.md)"))
	s.write("c.md", postFile("other"))
	for _, change := range []struct {
		do   func()
		hint string // of the warning
	}{
		{func() {}, "there is no file b.md"},
		{func() { s.write("c.md", postFile("another")) }, "there is no file b.md"},
		{func() { s.write("b.md", postFile("text", "draft: true")) }, "b.md is not published: draft is true"},
		{func() { s.write("b.md", postFile("text")) }, ""},
		{func() { s.remove("b.md") }, "there is no file b.md"},
	} {
		change.do()
		for range 2 { // the second is not done again
			settled()
			hint := ""
			if r := s.build(); len(r.Problems) > 0 {
				hint = r.Problems[0].Hint
			}
			if hint != change.hint {
				t.Errorf("got %q, want %q", hint, change.hint)
			}
		}
	}
}

// What a file says of its article's address changes the articles that link to it, and only these.
func TestRememberingKnowsWhereLinksLead(t *testing.T) {
	s := newSite(t)
	s.remembering()
	s.write("site.yaml", "url_template: https://example.org/{slug}/\n")
	s.write("a.md", postFile("[b](b.md)"))
	s.write("c.md", postFile("other"))
	for _, change := range []struct {
		do      func()
		address string // of the link
		changed string // ids of the articles that the build changes
	}{
		{func() {}, "https://example.org/b/", ""},
		{func() { s.write("b.md", postFile("text", "slug: bee")) }, "https://example.org/bee/", "a"},
		{func() { s.write("b.md", postFile("text", "slug: bees")) }, "https://example.org/bees/", "a"},
		{func() { s.write("b.md", postFile("longer text", "slug: bees")) }, "https://example.org/bees/", "bees"},
		{func() { s.write("b.md", "---\nslug: [\n---\n") }, "https://example.org/bees/", ""}, // stays as it was published
		{func() { s.write("b.md", postFile("longer text", "slug: bees")) }, "https://example.org/bees/", ""},
		{func() { s.write("b.md", postFile("text", "slug: secret", "draft: true")) }, "https://example.org/b/", "a"},
		{func() { s.write("b.md", postFile("text")) }, "https://example.org/b/", ""},
		{func() { s.remove("b.md") }, "https://example.org/b/", ""},
	} {
		change.do()
		settled()
		changed := strings.Join(s.build().Changes.Changed, " ")
		if page := s.tree()["api/article/a.json"]; !strings.Contains(page, `href=\"`+change.address+`\"`) || changed != change.changed {
			t.Errorf("%q changed, want %q and a link to %s in %s", changed, change.changed, change.address, page)
		}
	}
}

// A reference of Hugo is to the page beside, if there is one, else to the only one of that name.
func TestRememberingKnowsWhatHugoRefersTo(t *testing.T) {
	s := newSite(t)
	s.remembering()
	s.write("hugo.toml", "title = 'T'")
	s.write("content/posts/a.md", postFile(`[b]({{< ref "b" >}})`))
	s.write("content/docs/b.md", postFile("text"))
	for _, change := range []struct {
		do   func()
		page string // to which the link leads
	}{
		{func() {}, "docs/b"},
		{func() { s.write("content/posts/b.md", postFile("text")) }, "posts/b"},
		{func() { s.remove("content/posts/b.md") }, "docs/b"},
		{func() { s.write("content/news/b.md", postFile("text")) }, "posts/b"}, // of two nobody knows which
	} {
		change.do()
		settled()
		s.build()
		if page := s.tree()["api/article/posts-a.json"]; !strings.Contains(page, "/"+change.page+`/\"`) {
			t.Errorf("no link to %s in %s", change.page, page)
		}
	}
}

// A link of Docusaurus is to the file beside, if there is one, else to that in the folder of pages.
func TestRememberingKnowsWhereDocusaurusLooks(t *testing.T) {
	s := newSite(t)
	s.remembering()
	s.write("docusaurus.config.js", "export default {}")
	s.write("docs/deep/a.md", postFile("[b](b.md)"))
	s.write("docs/b.md", postFile("text"))
	for _, change := range []struct {
		do   func()
		page string // to which the link leads
	}{
		{func() {}, "docs-b"},
		{func() { s.write("docs/deep/b.md", postFile("text")) }, "docs-deep-b"},
		{func() { s.remove("docs/deep/b.md") }, "docs-b"},
	} {
		change.do()
		settled()
		s.build()
		if page := s.tree()["api/article/docs-deep-a.json"]; !strings.Contains(page, "="+change.page+`\"`) {
			t.Errorf("no link to %s in %s", change.page, page)
		}
	}
}

// A configuration that says by its mere presence how articles are rendered changes them.
func TestRememberingKnowsTheProgram(t *testing.T) {
	s := newSite(t)
	s.remembering()
	s.write("a.md", postFile("Done :tada:"))
	s.build()
	s.write(".vitepress/config.js", "export default {}")
	s.build()
	if page := s.tree()["api/article/a.json"]; !strings.Contains(page, "🎉") {
		t.Errorf("the article is still without the emoji of VitePress: %s", page)
	}
}

// What a build remembers spares it to read and render: it does not notice a change that
// the file's stamp does not show, and publication.Check does. Where it reads such a
// file after all, for a document that shows it, it fixes it.
func TestRememberingReadsNothing(t *testing.T) {
	s := newSite(t)
	s.remembering()
	for i := range page.FeedLength + 10 {
		s.write(fmt.Sprintf("a%d.md", i), postFile("fishes "+strings.Repeat("x", 100-i), fmt.Sprintf("date: 2025-01-01T00:00:%02d", i)))
	}
	settled()
	s.build()
	settled()
	reads := func() { s.check(os.Remove(filepath.Join(s.options.Public, "index.html"))) } // or the next build is known to be the last
	reads()
	s.build() // once more what was published in the last tick
	spoil := func(name string) {
		path := filepath.Join(s.options.Public, name)
		info, err := os.Stat(path)
		s.check(err)
		data, err := os.ReadFile(path)
		s.check(err)
		s.check(os.WriteFile(path, []byte(strings.ReplaceAll(string(data), "fishes", "dishes")), 0o644))
		s.check(os.Chtimes(path, info.ModTime(), info.ModTime()))
	}
	spoil("api/article/a0.json") // the oldest and longest is in no document
	r, err := Build(t.Context(), s.options)
	s.check(err)
	if places := s.places("dishes"); r.Written != 0 || len(places) != 1 {
		t.Errorf("the build read the published file: %+v, %v", r, places)
	}
	spoil("api/article/a59.json")
	reads()
	s.build()
	if places := s.places("dishes"); len(places) > 0 {
		t.Errorf("what was spoilt is in %q", places)
	}
}

// A build that would do nothing looks, and opens neither a file nor what is remembered of
// single ones. Whatever is another ends that.
func TestNothingIsDoneAgain(t *testing.T) {
	stray := strings.Repeat("0", 64) + ".ndjson.gz"
	public := func(s site, name string) string { return filepath.Join(s.options.Public, name) }
	write := func(name, text string) func(s *site) { return func(s *site) { s.write(name, text) } }
	publish := func(name string) func(s *site) {
		return func(s *site) { s.check(os.WriteFile(public(*s, name), []byte("another"), 0o644)) }
	}
	for _, test := range []struct {
		name   string
		change func(s *site)
		done   bool // whether the whole build is
	}{
		{"nothing", func(*site) {}, false},
		{"a later instant", func(s *site) { s.options.Now = at("2026-03-09T23:59:59Z") }, false},
		{"a file that no one asks for", write("../README", "text"), false},
		{"the content's path", func(s *site) {
			link := filepath.Join(s.t.TempDir(), "link")
			s.check(os.Symlink(filepath.Dir(s.options.Content), link))
			s.options.Content = filepath.Join(link, "content")
		}, true},
		{"the next article appears", func(s *site) { s.options.Now = at("2026-03-10T00:00:00Z") }, true},
		{"an earlier instant", func(s *site) { s.options.Now = at("2026-02-28T00:00:00Z") }, true},
		{"the address", func(s *site) { s.options.BaseURL = "https://other.example" }, true},
		{"strict", func(s *site) { s.options.Strict = true }, true},
		{"an article", write("a1.md", postFile("another text")), true},
		{"an article as large and old", func(s *site) {
			file := filepath.Join(s.options.Content, "a1.md")
			info, err := os.Stat(file)
			s.check(err)
			s.write("a1.md", postFile("TEXT 1"))
			s.check(os.Chtimes(file, info.ModTime(), info.ModTime()))
		}, true},
		{"one more file", write("folder/a9.txt", "text"), true},
		{"one file less", func(s *site) { s.remove("folder/picture.png") }, true},
		{"settings", write("site.yaml", "title: Title"), true},
		{"a file that an article includes", write("../part.md", "another"), true},
		{"settings around", write("../hugo.yaml", "title: Title"), true},
		{"a file of the page", write("_page/own.html", "another"), true},
		{"a file of the page that was too large", func(s *site) {
			s.check(os.Truncate(filepath.Join(s.options.Content, "_page/too-large"), 1))
		}, true},
		{"an article that is published", publish("api/article/a1.json"), true},
		{"a twin", publish("api/article/a1.md"), true},
		{"a document", publish("index.html"), true},
		{"the manifest", publish("corpus/manifest.json"), true},
		{"a file of another program", publish("llms.txt"), true},
		{"a stray article", publish("api/article/stray.json"), true},
		{"a stray chunk", publish("corpus/" + stray), true},
		{"a published file less", func(s *site) { s.check(os.Remove(public(*s, "api/article/a2.json"))) }, true},
		{"another program's file less", func(s *site) { s.check(os.Remove(public(*s, "llms.txt"))) }, true},
		{"nothing is published", func(s *site) { s.check(os.RemoveAll(s.options.Public)) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.remembering()
			for i := range 5 {
				s.write(fmt.Sprintf("a%d.md", i), postFile(fmt.Sprintf("text %d", i)))
			}
			s.write("future.md", postFile("text", "publishDate: 2026-03-10"))
			s.write("broken.md", "---\ntitle: [\n---\ntext")
			s.write("untitled.md", "text")
			s.write("including.md", postFile("[!INCLUDE [a](../part.md)]"))
			s.write("folder/picture.png", "picture")
			s.write("_page/own.html", "page")
			s.write("_page/too-large", "")
			s.check(os.Truncate(filepath.Join(s.options.Content, "_page/too-large"), maxOwnBytes))
			s.check(os.MkdirAll(s.options.Public, 0o755))
			publish("llms.txt")(&s)
			settled()
			first := s.build()
			settled()
			test.change(&s)
			remembered, err := filepath.Glob(filepath.Join(s.options.Cache, "*.cache"))
			s.check(err)
			if len(remembered) != 1 {
				t.Fatalf("the caches are %q", remembered)
			}
			s.check(os.WriteFile(remembered[0], []byte("damaged"), 0o644))
			again, err := Build(t.Context(), s.options)
			if s.options.Strict != (err != nil) {
				t.Error(err)
			}
			data, err := os.ReadFile(remembered[0])
			s.check(err)
			if done := string(data) != "damaged" || s.options.Strict; done != test.done {
				t.Errorf("the build was done: %t", done)
			}
			if test.done {
				return
			}
			first.Unchanged += first.Written
			first.Written, first.Bytes, first.New = 0, 0, nil
			if !reflect.DeepEqual(again, first) {
				t.Errorf("the report is\n%+v\nwant\n%+v", again, first)
			}
		})
	}
}

// What was remembered of folders that nobody builds any more goes in time, and nothing else.
func TestOldFoldersAreForgotten(t *testing.T) {
	s := newSite(t)
	s.remembering()
	s.write("post.md", "---\ntitle: Post\n---\n\ntext\n")
	s.build()
	own, err := filepath.Glob(filepath.Join(s.options.Cache, "*.cache"))
	if err != nil || len(own) != 1 {
		t.Fatalf("%q, %v", own, err)
	}
	s.check(os.Chtimes(own[0], time.Time{}, time.Now().Add(-2*forgetAfter)))
	other := strings.Repeat("0123456789abcdef", 2)
	for name, days := range map[string]int{
		other + ".cache": 91, other + ".last": 91, other + ".cache.1234": 91, // which go
		"f" + other[1:] + ".cache": 89, other + "0.cache": 91, strings.Repeat("g", 32) + ".cache": 91, other + ".txt": 91, "notes.cache": 91, other: 91,
	} {
		path := filepath.Join(s.options.Cache, name)
		old := time.Now().Add(-time.Duration(days) * 24 * time.Hour)
		s.check(os.WriteFile(path, nil, 0o600))
		s.check(os.Chtimes(path, old, old))
	}
	s.write("post.md", "---\ntitle: Post\n---\n\nother text\n")
	s.build()
	var left []string
	entries, err := os.ReadDir(s.options.Cache)
	s.check(err)
	for _, e := range entries {
		if e.Name() != strings.TrimSuffix(filepath.Base(own[0]), "cache")+"last" { // as fast as the disk's clock ticks, or not
			left = append(left, e.Name())
		}
	}
	want := []string{other, other + ".txt", other + "0.cache", "f" + other[1:] + ".cache", strings.Repeat("g", 32) + ".cache", "notes.cache", filepath.Base(own[0])}
	if slices.Sort(want); !slices.Equal(left, want) {
		t.Errorf("left: %q, want %q", left, want)
	}
}

// A program is known by its id wherever it lies; a file that has none by its bytes.
func TestVersionOf(t *testing.T) {
	folder := t.TempDir()
	version := func(name string, bytes []byte) [32]byte {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, bytes, 0o644); err != nil {
			t.Fatal(err)
		}
		sum, err := versionOf(path)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	this, err := versionOf(self)
	if err != nil {
		t.Fatal(err)
	}
	if version("copied", program) != this {
		t.Error("a copy of a program is another version")
	}
	if id := versionID(t, self); id == nil && runtime.GOOS == "linux" {
		t.Error("this program has no id")
	} else if id != nil {
		other := bytes.Replace(program, id, append(bytes.Clone(id[:len(id)-1]), '~'), 1)
		if version("other", other) == this {
			t.Error("a program with another id is the same version")
		}
	}
	one := version("one", []byte("a program of another system"))
	if one == this || one == version("two", []byte("b program of another system")) {
		t.Error("different files are the same version")
	}
}

// versionID is the id of a program; nil where the system's programs have none.
func versionID(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return buildID(f)
}

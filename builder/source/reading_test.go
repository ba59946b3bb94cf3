package source

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"newsstand/builder/article/articletest"
	"newsstand/builder/cache"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// openedFS counts the articles that are opened.
type openedFS struct {
	fs.FS
	opened atomic.Int64 // a scan opens several files at once
}

func (f *openedFS) Open(name string) (fs.File, error) {
	_, _, isPerson := personIn(name)                                                                                                         // which belongs to the settings
	if dialect.IsMarkdown(name) && !isPerson && !slices.Contains([]string{"SUMMARY.md", "TOC.md", "LANGS.md", "Home.md"}, path.Base(name)) { // the first three belong to the configuration of books, and the last tells that a site is a wiki
		f.opened.Add(1)
	}
	return f.FS.Open(name)
}

func (f *openedFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// A scan that knows the files from the cache opens none of them, and finds the same as a scan that
// reads them, whatever the settings.
func TestScanRemembers(t *testing.T) {
	articletest.WithoutRace(t)
	for _, name := range stories(t) {
		s := readStory(t, name)
		c := cache.New()
		for _, settings := range []string{"", "", "language: fr\ntime_zone: Asia/Tokyo\ndates_in_ids: true\nurl_template: /{year}/{slug}/\n"} {
			if settings != "" {
				s.site["site.yaml"] = &fstest.MapFile{Data: []byte(settings)}
				if isDir(s.site, "content") {
					s.site["content/site.yaml"] = s.site["site.yaml"]
				}
			}
			var content, around fs.FS = s.site, nil
			if isDir(s.site, "content") {
				around = s.site
				var err error
				if content, err = fs.Sub(s.site, "content"); err != nil {
					t.Fatal(err)
				}
			}
			counting := &openedFS{FS: content}
			o := Options{Now: s.now, Around: around, BaseURL: "https://site.example"}
			want, err := Scan(t.Context(), content, o)
			if err != nil {
				t.Fatal(err)
			}
			o.Cache = c
			for again := range 2 {
				counting.opened.Store(0)
				got, err := Scan(t.Context(), counting, o)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(want.Files, got.Files) || !reflect.DeepEqual(want.Problems, got.Problems) || !reflect.DeepEqual(want.Settings, got.Settings) {
					t.Errorf("%s: a scan with a cache differs:\n%s\nwant\n%s", name, listing(got)+problemLines(got), listing(want)+problemLines(want))
				}
				includes := slices.ContainsFunc(want.Files, func(f File) bool { return f.includes && f.Status == Published }) // what these include is read
				if again == 1 && counting.opened.Load() > 0 && !includes {
					t.Errorf("%s: the second scan opened %d articles", name, counting.opened.Load())
				}
			}
		}
	}
}

// A file that was written so recently that its stamp proves nothing is read again; one that was
// only touched is read but not parsed.
func TestScanReadsWhatChanged(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := cache.New()
	scan := func() File {
		t.Helper()
		f, err := Scan(t.Context(), os.DirFS(dir), Options{BaseURL: "https://site.example", Cache: c})
		if err != nil || len(f.Files) != 1 {
			t.Fatal(f, err)
		}
		return f.Files[0]
	}
	old := time.Now().Add(-time.Hour)
	for i := range 200 { // many of them within one tick of the clock
		word := string(rune('a'+i%26)) + string(rune('a'+i/26))
		write("---\nid: " + word + "\ntitle: T\n---\n")
		if i%2 == 0 { // like tools that preserve modification times
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
		if got := scan(); got.ID != word {
			t.Fatalf("edit %d: the id is %s, want %s", i, got.ID, word)
		}
	}
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	before, _ := c.Get(readings, "a.md")
	scan()
	if after, _ := c.Get(readings, "a.md"); after.Value != before.Value {
		t.Error("the reading of a touched file has changed")
	}
}

// Front matter in separate files costs time in proportion to the number of these files.
func TestHostileMetaFiles(t *testing.T) {
	articletest.WithoutRace(t)
	var site Site
	reader := siteReader{site: &site, key: sha256.New()}
	const files = 50_000
	for i := range files {
		reader.addDefaults(defaults{path: fmt.Sprintf("a%d.md", i), values: under("title", frontmatter.Value{Text: "A"}).Fields})
	}
	took := articletest.ProcessorTime(t, func() {
		for i := range files {
			var doc frontmatter.Document
			if site.fillIn(fmt.Sprintf("a%d.md", i), nameOfPath{}, &doc); textOf(doc.Meta, "title") != "A" {
				t.Fatalf("%d has no title: %v", i, doc.Meta)
			}
		}
	})
	if took > 5*time.Second {
		t.Errorf("%d files took %s", files, took)
	}
}

//go:build unix

package publication

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
)

// must ends the test over an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const baseURL = "https://site.example"

// build is a small site as the builder publishes it: ids and the word of their text.
type build struct {
	articles  map[string]string
	documents map[string]string
	language  string // of the search settings
}

func site(word string, articles int) build {
	b := build{articles: map[string]string{}, documents: map[string]string{}}
	for i := range articles {
		b.articles[fmt.Sprintf("a%03d", i)] = word
	}
	return b
}

var day = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func record(t testing.TB, id, word string) Record {
	t.Helper()
	a := article.Article{Meta: article.Meta{ID: id, Title: id, DatePublished: day, DateModified: day, Authors: []article.Author{}, Tags: []string{}, Language: "en"}, ContentText: word}
	line, err := article.Encode(a)
	must(t, err)
	return Record{ID: id, Sum: sha256.Sum256(line), Line: line}
}

// write publishes b, calling step before everything that changes the disk.
func (b build) write(t testing.TB, dir string, step func()) Result {
	t.Helper()
	w, err := begin(t.Context(), dir, nil, step)
	must(t, err)
	defer w.Close()
	result, err := b.fill(t, w)
	must(t, err)
	return result
}

func (b build) fill(t testing.TB, w *Writer) (Result, error) {
	t.Helper()
	count := ChunkCount(len(b.articles))
	chunks := make([][]Record, count)
	for _, id := range slices.Sorted(maps.Keys(b.articles)) {
		n := ChunkNumber(id, count)
		chunks[n] = append(chunks[n], record(t, id, b.articles[id]))
	}
	for _, records := range chunks {
		if _, err := w.Chunk(count, records); err != nil {
			return Result{}, err
		}
	}
	revision, n, err := w.EndCorpus(article.SearchSettings{Language: b.language, Synonyms: []article.Synonym{}, Articles: []article.ArticleSettings{}, Tests: []article.SearchTest{}})
	if err != nil {
		return Result{}, err
	}
	updated := day
	if n == 0 {
		updated = time.Time{}
	}
	health, err := article.Encode(article.NewHealth(baseURL, revision, n, updated))
	if err != nil {
		return Result{}, err
	}
	documents := map[string]string{article.HealthPath: string(health), article.OpenAPIPath: "{}\n"}
	maps.Copy(documents, b.documents)
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		if err := w.Put(name, []byte(documents[name])); err != nil {
			return Result{}, err
		}
	}
	return w.Commit(baseURL, updated)
}

// tree is everything in a folder: path → what tells whether it was written again.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = fmt.Sprint(info.ModTime(), info.Size(), inode(info))
		return nil
	})
	must(t, err)
	return files
}

// wantWhole checks a folder and compares its articles, as a reader of the corpus and
// of the files finds them.
func (b build) wantWhole(t testing.TB, dir string) {
	t.Helper()
	problems, err := Check(context.Background(), dir, nil, nil)
	must(t, err)
	if len(problems) > 0 {
		t.Fatalf("not whole:\n%s", strings.Join(problems, "\n"))
	}
	p, err := Open(os.DirFS(dir))
	must(t, err)
	if got := read(t, p); !maps.Equal(got, b.articles) {
		t.Fatalf("published %v, want %v", got, b.articles)
	}
}

func read(t testing.TB, p *Publication) map[string]string {
	t.Helper()
	got := map[string]string{}
	for _, c := range p.Manifest().Chunks {
		records, err := p.Chunk(c)
		must(t, err)
		for _, r := range records {
			var a article.Article
			must(t, decode(r.Line, &a))
			got[r.ID] = a.ContentText
		}
	}
	return got
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	for _, n := range []int{0, 1, 64, 65, 300} {
		dir := filepath.Join(t.TempDir(), "public")
		b := site("first", n)
		b.documents["problems/not-found/index.html"] = "<p>"
		result := b.write(t, dir, nil)
		b.wantWhole(t, dir)
		if got := result.Manifest.Articles; got != n {
			t.Errorf("%d articles: the manifest counts %d", n, got)
		}
		if _, err := os.Stat(filepath.Join(dir, stateFolder)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%d articles: the writer's state is still there: %v", n, err)
		}
	}
}

// Each file of a site is a request.
func TestEachFileIsOpenedOnce(t *testing.T) {
	dir := t.TempDir()
	site("x", 300).write(t, dir, nil)
	opened := map[string]int{}
	p, err := Open(openFunc(func(name string) (fs.File, error) {
		opened[name]++
		return os.DirFS(dir).Open(name)
	}))
	must(t, err)
	read(t, p)
	for name, times := range opened {
		if times != 1 {
			t.Errorf("%s is opened %d times", name, times)
		}
	}
	if len(opened) < 3 {
		t.Errorf("opened are %v", opened)
	}
}

// openFunc is a file system of which files can be opened only, as that of a host.
type openFunc func(name string) (fs.File, error)

func (f openFunc) Open(name string) (fs.File, error) { return f(name) }

func TestUnchangedBuildWritesNothing(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 100)
	b.write(t, dir, nil)
	changed := site("first", 100)
	changed.articles["a050"] = "second"
	changed.write(t, dir, nil) // so that there is a generation before, too
	before := tree(t, dir)
	result := changed.write(t, dir, func() { t.Error("an unchanged build changes the disk") })
	if result.Written != 0 || result.Removed != 0 || result.Bytes != 0 {
		t.Errorf("an unchanged build did %+v", result)
	}
	if after := tree(t, dir); !maps.Equal(before, after) {
		t.Errorf("an unchanged build changed the folder\n%v\n%v", before, after)
	}
	put(t, dir, article.Path("stray"), "{}")
	if result := changed.write(t, dir, nil); result.Written != 0 || result.Removed != 1 || !slices.Equal(result.Gone, []string{"stray"}) {
		t.Errorf("where one file is left over, an unchanged build did %+v", result)
	}
	if after := tree(t, dir); after[article.Path("stray")] != "" {
		t.Error("the file that was left over is still there")
	}
}

func TestAnEditWritesOnlyWhatChanged(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 300)
	b.documents["page.html"] = "first"
	if first := b.write(t, dir, nil); len(first.New) != 300 || len(first.Changed)+len(first.Gone) > 0 {
		t.Errorf("the first build changed %+v", first.Changes)
	}
	before := tree(t, dir)
	b.articles["a123"], b.documents["page.html"] = "second", "second"
	result := b.write(t, dir, nil)
	b.wantWhole(t, dir)
	written := []string{article.Path("a123"), result.Manifest.Chunks[ChunkNumber("a123", 8)].Path, article.HealthPath, "page.html", article.ManifestPath}
	size := int64(0)
	for _, name := range written {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		size += info.Size()
	}
	if result.Written != len(written) || result.Bytes != size {
		t.Errorf("an edit wrote %d files of %d bytes, want %d of %d", result.Written, result.Bytes, len(written), size)
	}
	if !slices.Equal(result.Changed, []string{"a123"}) || len(result.New)+len(result.Gone) > 0 {
		t.Errorf("the edit changed %+v", result.Changes)
	}
	for name, was := range tree(t, dir) {
		if old, ok := before[name]; ok && was != old && name != "." && !slices.Contains(written, name) && strings.Contains(name, ".") {
			t.Errorf("%s was written again", name)
		}
	}
}

// Static hosts make an ETag of a file's size and the second of its time: of two builds within a
// second, whoever has the first would be told that it still holds. The health document always has
// the same size.
func TestAReplacedFileHasALaterSecond(t *testing.T) {
	dir := t.TempDir()
	b := site("0", 10)
	b.write(t, dir, nil)
	second := func(name string) int64 {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		return info.ModTime().Unix()
	}
	for _, word := range []string{"1", "2", "3"} {
		before := map[string]int64{}
		for _, name := range []string{article.Path("a005"), article.HealthPath, article.ManifestPath} {
			before[name] = second(name)
		}
		b.articles["a005"] = word
		b.write(t, dir, nil)
		for name, was := range before {
			if now := second(name); now <= was {
				t.Errorf("build %s: %s is of second %d, and was of %d", word, name, now, was)
			}
		}
		if result := b.write(t, dir, nil); result.Written != 0 {
			t.Errorf("build %s again wrote %d files", word, result.Written)
		}
	}
	ahead := time.Now().AddDate(1, 0, 0)
	must(t, os.Chtimes(filepath.Join(dir, article.HealthPath), ahead, ahead))
	b.articles["a005"] = "4"
	b.write(t, dir, nil)
	if now := second(article.HealthPath); now >= ahead.Unix() {
		t.Errorf("the health document followed a clock that was wrong by a year: second %d", now)
	}
}

// A reader that has read the last manifest still finds its chunks, for one generation.
func TestFormerChunksStayForOneGeneration(t *testing.T) {
	dir := t.TempDir()
	b := site("1", 10)
	first := b.write(t, dir, nil).Manifest
	slow, err := Open(os.DirFS(dir))
	must(t, err)
	site("2", 10).write(t, dir, nil)
	site("2", 10).write(t, dir, nil) // nothing new: no generation
	if got := read(t, slow); !maps.Equal(got, b.articles) {
		t.Errorf("a slow reader found %v", got)
	}
	third := site("3", 10).write(t, dir, nil)
	if _, err := slow.Chunk(first.Chunks[0]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after two generations: %v", err)
	}
	if third.Removed != 1 {
		t.Errorf("removed %d files, want the first chunk", third.Removed)
	}
	fewer := site("3", 9).write(t, dir, nil) // what was taken down is in no file that stays
	if _, err := os.Stat(filepath.Join(dir, third.Manifest.Chunks[0].Path)); !errors.Is(err, fs.ErrNotExist) || len(fewer.Manifest.Previous) > 0 {
		t.Errorf("of an article that is gone, %v stay: %v", fewer.Manifest.Previous, err)
	}
}

// So does one that has to read the search settings.
func TestFormerSettingsStay(t *testing.T) {
	dir := t.TempDir()
	b := site("1", 3)
	first := b.write(t, dir, nil).Manifest
	b.language = "en"
	if second := b.write(t, dir, nil).Manifest; !slices.Equal(second.Previous, []string{first.Search.Path}) {
		t.Errorf("%v stay, want %s", second.Previous, first.Search.Path)
	}
	b.wantWhole(t, dir)
}

func TestWhatIsNoLongerPublishedIsRemoved(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 70) // two chunks
	b.documents["problems/old/index.html"] = "old"
	b.write(t, dir, nil)
	b = site("first", 3)
	b.write(t, dir, nil)
	b.wantWhole(t, dir)
	for _, gone := range []string{article.Path("a069"), "problems"} {
		if _, err := os.Stat(filepath.Join(dir, gone)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", gone, err)
		}
	}
}

// A file that was written just now is in the cache without a stamp, as a link would be.
func TestALinkIsNotTheFileOfTheCache(t *testing.T) {
	dir, known := t.TempDir(), cache.New()
	b := site("first", 2)
	for range 2 {
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		w.Remember(known)
		_, err = b.fill(t, w)
		must(t, errors.Join(err, w.Close()))
		b.wantWhole(t, dir)
		at := filepath.Join(dir, article.Path("a000"))
		if err := errors.Join(os.Rename(at, filepath.Join(dir, "a000")), os.Symlink("../../a000", at)); err != nil {
			t.Skip(err) // some systems have no links
		}
	}
}

// A document is kept by its sum alone where it is published so, and only there: not
// where it is another, is damaged or missing, or is somebody else's file.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 2)
	b.documents["large.js"] = "large"
	b.write(t, dir, nil)
	put(t, dir, "foreign.js", "large")
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("large")))
	for _, test := range []struct {
		what, name, sum string
		spoil           func()
		want            bool
	}{
		{"it is published", "large.js", sum, func() {}, true},
		{"another is published", "large.js", strings.Repeat("0", 64), func() {}, false},
		{"the sum is none", "large.js", "large", func() {}, false},
		{"nothing is published there", "small.js", sum, func() {}, false},
		{"the file is not ours", "foreign.js", sum, func() {}, false},
		{"it is damaged", "large.js", sum, func() { put(t, dir, "large.js", "lArge") }, false},
		{"it is missing", "large.js", sum, func() { os.Remove(filepath.Join(dir, "large.js")) }, false},
	} {
		test.spoil()
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		if got := w.Keep(test.name, test.sum); got != test.want {
			t.Errorf("%s: kept %t", test.what, got)
		}
		if n := len(w.manifest.Files); n != w.result.Unchanged || (n == 1) != test.want {
			t.Errorf("%s: %d files are listed, and %d counted", test.what, n, w.result.Unchanged)
		}
		must(t, w.Close())
	}
	empty, err := Begin(t.Context(), t.TempDir(), nil)
	must(t, err)
	defer empty.Close()
	if empty.Keep("large.js", sum) {
		t.Error("a document is kept where nothing is published")
	}
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, name)
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

// copyOf copies a folder.
func copyOf(t testing.TB, dir string) string {
	t.Helper()
	copied := t.TempDir()
	must(t, os.CopyFS(copied, os.DirFS(dir)))
	return copied
}

func TestADamagedFolderIsMended(t *testing.T) {
	b, whole := site("first", 70), t.TempDir()
	site("before", 70).write(t, whole, nil)
	m := b.write(t, whole, nil).Manifest
	for name, damage := range map[string]func(t *testing.T, dir string){
		"manifest cut":     func(t *testing.T, dir string) { put(t, dir, article.ManifestPath, "{") },
		"manifest missing": func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, article.ManifestPath)) },
		"chunk altered":    func(t *testing.T, dir string) { put(t, dir, m.Chunks[0].Path, "x") },
		"chunk missing":    func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, m.Chunks[0].Path)) },
		"article altered":  func(t *testing.T, dir string) { put(t, dir, article.Path("a001"), "x") },
		"article missing":  func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, article.Path("a001"))) },
		"health altered":   func(t *testing.T, dir string) { put(t, dir, article.HealthPath, "{}\n") },
		"OpenAPI altered":  func(t *testing.T, dir string) { put(t, dir, article.OpenAPIPath, "[]\n") },
		"article leaked":   func(t *testing.T, dir string) { put(t, dir, article.Path("secret"), "x") },
		"chunk too many": func(t *testing.T, dir string) {
			put(t, dir, article.ChunkPath(strings.Repeat("0", 64)), "x")
		},
		"former chunk altered": func(t *testing.T, dir string) { put(t, dir, m.Previous[0], "x") },
		"former chunk replaced": func(t *testing.T, dir string) {
			os.RemoveAll(filepath.Join(dir, m.Previous[0]))
			os.Symlink("manifest.json", filepath.Join(dir, m.Previous[0]))
		},
		"settings missing": func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, m.Search.Path)) },
		"link for a file": func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, article.Path("a001")))
			os.Symlink("a002.json", filepath.Join(dir, article.Path("a001")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copyOf(t, whole)
			damage(t, dir)
			problems, err := Check(t.Context(), dir, nil, nil)
			if err != nil || len(problems) == 0 {
				t.Errorf("check finds %v, %v", problems, err)
			}
			for _, problem := range problems {
				if at, what, _ := strings.Cut(problem, ": "); strings.Contains(what, at) || name == "chunk missing" && at != m.Chunks[0].Path {
					t.Errorf("check finds %q", problem)
				}
			}
			for at, next := range map[string]build{copyOf(t, dir): b, dir: site("after", 70)} {
				next.write(t, at, nil)
				next.wantWhole(t, at)
			}
		})
	}
}

// names lists the files of a folder, without former chunks.
func names(t testing.TB, dir string) []string {
	t.Helper()
	p, err := Open(os.DirFS(dir))
	must(t, err)
	var list []string
	for name := range tree(t, dir) {
		if !slices.Contains(p.Manifest().Previous, name) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

//go:build unix

package publication

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/hinted"
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

func TestFilesOfOthersStay(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "_headers", "mine")
	put(t, dir, "404.html", "my own")
	put(t, dir, "same.html", "same")
	put(t, dir, "api/article/a000.json", "in the way of the contract")
	put(t, dir, "api/article/left-over.json", "an answer that nobody published")
	b := site("first", 2)
	b.documents["404.html"], b.documents["same.html"] = "ours", "same"
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	if _, err := b.fill(t, w); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Foreign(), []string{"404.html"}) {
		t.Errorf("foreign files: %v", w.Foreign())
	}
	must(t, w.Close())
	b.wantWhole(t, dir)
	for name, want := range map[string]string{"_headers": "mine", "404.html": "my own", "same.html": "same"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	site("first", 2).write(t, dir, nil) // a build without these documents
	if _, err := os.Stat(filepath.Join(dir, "404.html")); err != nil {
		t.Errorf("a file that was never ours was removed: %v", err)
	}
}

// A folder of somebody's stays, whatever name it has, and no build takes it for an article that it
// removed.
func TestFoldersOfOthersStay(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 2)
	b.documents["old"] = "x"
	b.write(t, dir, nil)
	must(t, os.Remove(filepath.Join(dir, "old")))
	stray := []string{"old", article.Path("stray"), article.MarkdownPath("stray"), article.ChunkPath(strings.Repeat("a", 64))}
	for _, name := range stray {
		put(t, dir, name+"/file", "mine")
	}
	for range 2 {
		if r := site("first", 2).write(t, dir, nil); r.Removed > 0 || len(r.Gone) > 0 {
			t.Errorf("removed %d, gone %q", r.Removed, r.Gone)
		}
	}
	for _, name := range stray {
		if _, err := os.Stat(filepath.Join(dir, name, "file")); err != nil {
			t.Error(err)
		}
	}
}

// A link to the right bytes is none of the build's files, wherever it lies: many hosts follow none.
func TestCheckFindsLinks(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 2)
	b.documents["page/style.css"] = "x"
	b.write(t, dir, nil)
	var want []string
	for _, name := range []string{article.Path("a000"), article.ManifestPath, "page/style.css"} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.Rename(at, filepath.Join(dir, path.Base(name))), os.Symlink(strings.Repeat("../", strings.Count(name, "/"))+path.Base(name), at)); err != nil {
			t.Skip(err) // some systems have no links
		}
		want = append(want, name+": is not a regular file")
	}
	slices.Sort(want)
	if faults, err := Check(t.Context(), dir, nil, nil); err != nil || !slices.Equal(faults, want) {
		t.Errorf("got %q, %v, want %q", faults, err, want)
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

// What a build does not remove by itself, a check does not leave to it.
func TestCheckSaysWhatNoBuildRemoves(t *testing.T) {
	dir := t.TempDir()
	site("first", 2).write(t, dir, nil)
	stray := map[string]bool{ // whether a build removes them
		article.Path("stray"): true, article.MarkdownPath("stray"): true, article.ChunkPath(strings.Repeat("a", 64)): true,
		"api/notes.txt": false, article.ArticleFolder + "/Stray.json": false, article.Path("folder") + "/file": false, "corpus/.DS_Store": false,
	}
	for name := range stray {
		put(t, dir, name, "x")
	}
	check := func() string {
		faults, err := Check(t.Context(), dir, nil, nil)
		must(t, err)
		return strings.Join(faults, "\n") + "\n"
	}
	faults := check()
	for name, removed := range stray {
		want := name + ": is not part of the build, nor what a build removes: move it away\n"
		if removed {
			want = name + ": is not part of the build\n"
		}
		if !strings.Contains(faults, want) {
			t.Errorf("want %q in\n%s", want, faults)
		}
	}
	site("first", 2).write(t, dir, nil)
	faults = check()
	for name, removed := range stray {
		if strings.Contains(faults, name) == removed {
			t.Errorf("%s after a build:\n%s", name, faults)
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

func TestAFolderInTheWayStopsTheBuildBeforeAnythingChanged(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 3)
	b.write(t, dir, nil)
	put(t, dir, article.Path("new")+"/file", "x")
	next := site("second", 3)
	next.articles["new"] = "x"
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	_, err = next.fill(t, w)
	if err == nil || !strings.Contains(err.Error(), "api/article/new.json is a folder where a file is to be published") || hinted.Hint(err) != "move it away" {
		t.Errorf("error: %v, hint: %s", err, hinted.Hint(err))
	}
	must(t, w.Close())
	os.RemoveAll(filepath.Join(dir, article.Path("new")))
	b.wantWhole(t, dir)
}

// A document may take the place of a folder of others, and the other way; what is somebody else's
// there stays.
func TestAFileBecomesAFolder(t *testing.T) {
	for _, c := range []struct{ foreign, want string }{
		{"", ""},
		{"album/three", "album is a folder where a file is to be published"},
		{"album/more/empty/", "album is a folder where a file is to be published"},
	} {
		dir := t.TempDir()
		crashOld().write(t, dir, nil)
		switch at := filepath.Join(dir, c.foreign); {
		case strings.HasSuffix(c.foreign, "/"):
			must(t, os.Mkdir(at, 0o755))
		case c.foreign != "":
			put(t, dir, c.foreign, "mine")
		}
		before := tree(t, dir)
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		_, err = crashNew().fill(t, w)
		must(t, w.Close())
		if c.want != "" {
			after := tree(t, dir)
			delete(before, ".") // where the stage was
			delete(after, ".")
			if err == nil || !strings.Contains(err.Error(), c.want) || !maps.Equal(before, after) {
				t.Errorf("with %s: %v; before there was\n%v\nand after it\n%v", c.foreign, err, before, after)
			}
			continue
		}
		must(t, err)
		crashNew().wantWhole(t, dir)
		want := t.TempDir()
		crashNew().write(t, want, nil)
		if got, want := names(t, dir), names(t, want); !slices.Equal(got, want) {
			t.Errorf("there are\n%v\nwant\n%v", got, want)
		}
	}
}

// Two writers: the second waits, says so once, and gives up with its context.
func TestTheSecondWriterWaits(t *testing.T) {
	dir := t.TempDir()
	first, err := Begin(t.Context(), dir, func() { t.Error("the first writer waits") })
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	said := 0
	_, err = Begin(ctx, dir, func() { said++; cancel() })
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "another builder is writing there") || said != 1 {
		t.Errorf("the second writer: %v, said so %d times", err, said)
	}
	waits, done := make(chan struct{}), make(chan error)
	go func() {
		second, err := Begin(t.Context(), dir, func() { close(waits) })
		if err == nil {
			err = second.Close()
		}
		done <- err
	}()
	<-waits
	if _, err := site("first", 3).fill(t, first); err != nil {
		t.Fatal(err)
	}
	must(t, first.Close())
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A folder that is removed while a writer waits for it is made again.
func TestTheFolderIsRemovedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	first, err := Begin(t.Context(), dir, nil)
	must(t, err)
	second, err := Begin(t.Context(), dir, func() {
		if err := errors.Join(os.RemoveAll(dir), first.Close()); err != nil {
			t.Error(err)
		}
	})
	must(t, err)
	if _, err := site("x", 3).fill(t, second); err != nil {
		t.Error(err)
	}
	must(t, second.Close())
	site("x", 3).wantWhole(t, dir)
}

// The folder is moved away while a build runs, and an older one may come in its place: nobody who
// looks there finds the build, so it must not end as if all were well.
func TestTheFolderIsMovedAwayMeanwhile(t *testing.T) {
	for name, after := range map[string]func(dir string) error{
		"nothing is there":  func(string) error { return nil },
		"an older is there": func(dir string) error { return os.CopyFS(dir, os.DirFS(dir+"-moved")) },
	} {
		dir := filepath.Join(t.TempDir(), "public")
		site("first", 3).write(t, dir, nil)
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		if err := os.Rename(dir, dir+"-moved"); err != nil {
			t.Skip(err) // a system that moves no folder in use
		}
		must(t, after(dir))
		if _, err := site("second", 3).fill(t, w); err == nil || !strings.Contains(err.Error(), "was moved away or removed") {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		site("second", 3).write(t, dir, nil)
		site("second", 3).wantWhole(t, dir)
	}
}

// Nor must a build whose folder is moved away while its files are put in their place.
func TestTheFolderIsMovedAwayAtTheEnd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	site("first", 3).write(t, dir, nil)
	w, err := begin(t.Context(), dir, nil, func() {
		if _, err := os.Lstat(filepath.Join(dir, commitList)); err == nil {
			must(t, os.Rename(dir, dir+"-moved"))
		}
	})
	must(t, err)
	if _, err := site("second", 3).fill(t, w); err == nil || !strings.Contains(err.Error(), "was moved away or removed") {
		t.Error(err)
	}
	must(t, w.Close())
	site("second", 3).wantWhole(t, dir+"-moved")
}

// The articles' folder is staged as a whole where there is none. Once the list was written, a
// folder that another program had made meanwhile let this build fail, and each that followed.
func TestAnotherProgramMakesTheArticlesFolder(t *testing.T) {
	for at := 0; ; at++ {
		dir := filepath.Join(t.TempDir(), "public")
		steps := 0
		b := site("first", 10)
		b.write(t, dir, func() {
			if steps++; steps != at {
				return
			}
			folder := filepath.Join(dir, article.ArticleFolder)
			must(t, os.MkdirAll(folder, 0o755))
			if err := os.WriteFile(filepath.Join(folder, "stray.json"), nil, 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
		})
		for id := range b.articles {
			if _, err := os.Lstat(filepath.Join(dir, article.Path(id))); err != nil {
				t.Errorf("at step %d: %v", at, err)
			}
		}
		b.write(t, dir, nil) // which removes the stray
		b.wantWhole(t, dir)
		if steps < at {
			break
		}
	}
}

// What another program puts among the published files while a build goes on is either removed by
// it, or seen by the next: what was noted does not hold, though nothing changed since.
func TestStrayDuringABuild(t *testing.T) {
	for _, stray := range []string{"api/article/stray.json", article.ChunkPath(strings.Repeat("0", 64))} {
		stayed := 0
		for at := 0; ; at++ {
			dir := t.TempDir()
			site("first", 2).write(t, dir, nil)
			steps := 0
			w, err := begin(t.Context(), dir, nil, func() {
				if steps++; steps != at {
					return
				}
				must(t, os.WriteFile(filepath.Join(dir, stray), nil, 0o644))
			})
			must(t, err)
			var notes cache.Notes
			w.Note(&notes)
			if _, err := site("second", 2).fill(t, w); err != nil {
				t.Fatal(err)
			}
			kept := cache.New()
			hold := notes.Put(kept, 'n') && cache.Hold(kept, 'n', w.disk.root)
			must(t, w.Close())
			_, err = os.Lstat(filepath.Join(dir, stray))
			if err == nil {
				stayed++
			}
			if want := err != nil; hold != want {
				t.Errorf("%s before step %d: the notes hold: %t, want %t", stray, at, hold, want)
			}
			if steps < at {
				break
			}
		}
		if stayed == 0 {
			t.Errorf("%s never stayed", stray)
		}
	}
}

// A link that leads nowhere is told before anything is published, with what to do.
func TestArticlesFolderIsALink(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "api"), 0o755))
	if err := os.Symlink("nowhere", filepath.Join(dir, article.ArticleFolder)); err != nil {
		t.Skip(err)
	}
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	_, err = site("first", 3).fill(t, w)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err == nil || !strings.Contains(err.Error(), "api/article cannot be a folder") || !strings.HasPrefix(hinted.Hint(err), "remove what is in its place") {
		t.Errorf("it says %v, hint: %s", err, hinted.Hint(err))
	}
	if _, err := os.Lstat(filepath.Join(dir, stateFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
}

// A file in the place of a folder is named, and so is what to do about it.
func TestAFileInThePlaceOfAFolder(t *testing.T) {
	for _, name := range []string{"api", article.ArticleFolder, "page"} {
		dir := t.TempDir()
		put(t, dir, name, "x")
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		b := site("first", 3)
		b.documents["page/deep/app.js"] = "x"
		_, err = b.fill(t, w)
		if want := name + " cannot be a folder"; err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(hinted.Hint(err), "remove what is in its place") {
			t.Errorf("it says %v, want %s; hint: %s", err, want, hinted.Hint(err))
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What is in the place of the writer's own state, and is no folder, is no build that was
// interrupted.
func TestNoStateFolder(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "commit", "remove a\nend\n")
	for name, make := range map[string]func(path string) error{
		"a file":           func(path string) error { return os.WriteFile(path, nil, 0o644) },
		"a pipe":           func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a link":           func(path string) error { return os.Symlink(outside, path) },
		"a link to itself": func(path string) error { return os.Symlink(stateFolder, path) },
	} {
		dir := t.TempDir()
		must(t, make(filepath.Join(dir, stateFolder)))
		b := site("first", 3)
		if b.write(t, dir, nil); t.Failed() {
			t.Errorf("with %s in its place", name)
		}
		b.wantWhole(t, dir)
	}
	if names := entries(t, outside); len(names) != 1 {
		t.Errorf("outside there is %q", names)
	}
	dir := t.TempDir()
	put(t, dir, commitList+"/file", "x")
	if _, err := Begin(t.Context(), dir, nil); hinted.Hint(err) != "remove the folder "+stateFolder+" and build again" {
		t.Errorf("a folder in the place of the list: %v", err)
	}
}

// A line that no writer wrote is followed no more than a list without an end.
func TestADamagedListIsNotFollowed(t *testing.T) {
	for _, list := range []string{"put 0 a\n", "put x a\nend\n", "put 0 ../a\nend\n", "remove ../a\nend\n", "move 0 a\nend\n"} {
		dir := t.TempDir()
		put(t, dir, commitList, list)
		put(t, dir, stagePath(0), "x")
		if _, err := Begin(t.Context(), dir, nil); hinted.Hint(err) != startAnew {
			t.Errorf("%q: %v", list, err)
		}
		if names := entries(t, dir); len(names) != 1 {
			t.Errorf("%q: there is %q", list, names)
		}
	}
}

// crashStep names the step before which this program, run again as a builder, ends
// without a word, as kill -9 ends it.
const crashStep, crashDir = "PUBLICATION_TEST_CRASH_STEP", "PUBLICATION_TEST_CRASH_DIR"

// firstToGo is what crashNew removes first: it can be removed while no file can be opened.
const firstToGo = "a.txt"

func crashOld() build {
	b := site("old", 4)
	b.documents[firstToGo] = "old"
	b.documents["problems/old/index.html"] = "old"
	b.documents["note"] = "a file, which becomes a folder"
	b.documents["album/one"], b.documents["album/more/two"] = "a folder", "which becomes a file"
	return b
}

// lastOfNew is what crashNew publishes last before the manifest.
const lastOfNew = "note/index.html"

func crashNew() build {
	b := site("new", 3) // one edited, one removed …
	b.articles["a000"] = "old"
	b.articles["b"] = "new" // … and one added
	b.documents["index.html"] = "new"
	b.documents[lastOfNew], b.documents["album"] = "a folder", "a file"
	return b
}

func TestMain(m *testing.M) {
	if at, err := strconv.Atoi(os.Getenv(crashStep)); err == nil {
		steps := 0
		var t testing.T
		crashNew().write(&t, os.Getenv(crashDir), func() {
			if steps == at {
				os.Exit(137)
			}
			steps++
		})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// crash runs a builder that is killed before a step; it returns false where it has fewer.
func crash(t *testing.T, dir string, step int) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", crashStep, step), crashDir+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 137 {
		t.Fatalf("step %d: %v\n%s", step, err, out)
	}
	return err != nil
}

// The first build puts the folder of the articles in its place as a whole: whenever it is
// killed, all of them are there or none.
func TestKilledDuringTheFirstBuild(t *testing.T) {
	next, seen := crashNew(), map[string]bool{}
	want := t.TempDir()
	next.write(t, want, nil)
	all := entries(t, filepath.Join(want, "api/article"))
	for step := 0; ; step++ {
		dir := t.TempDir()
		if !crash(t, dir, step) {
			break
		}
		switch got := entries(t, filepath.Join(dir, "api/article")); {
		case got == nil:
			seen["none"] = true
		case slices.Equal(got, all):
			seen["all"] = true
		default:
			t.Fatalf("step %d: there are %v of %v", step, got, all)
		}
		if _, err := Open(os.DirFS(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("step %d: %v", step, err)
		}
		next.write(t, dir, nil)
		next.wantWhole(t, dir)
		if got, want := names(t, dir), names(t, want); !slices.Equal(got, want) {
			t.Fatalf("step %d: after the next build there are\n%v\nwant\n%v", step, got, want)
		}
	}
	if !seen["none"] || !seen["all"] {
		t.Errorf("that is not every step: %v", seen)
	}
}

// entries lists a folder; nil where there is none.
func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// Killed between any two steps, a builder leaves the old build or the new one, whole,
// for readers at once and for `check`; and the next build goes on as if nothing had been.
func TestKilledBetweenAnyTwoSteps(t *testing.T) {
	old, next, last := crashOld(), crashNew(), site("last", 2)
	before, fresh := t.TempDir(), t.TempDir()
	old.write(t, before, nil)
	last.write(t, fresh, nil)
	want := names(t, fresh)
	sawOld, sawNew := 0, 0
	for step := 0; ; step++ {
		dir := copyOf(t, before)
		if !crash(t, dir, step) {
			t.Logf("a build has %d steps; killed before one of them, readers found the old build %d times and the new one %d times", step, sawOld, sawNew)
			if step < 10 || sawOld == 0 || sawNew == 0 {
				t.Error("that is not every step")
			}
			return
		}
		p, err := Open(os.DirFS(dir)) // as searchd does, without repair
		if err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		switch got := read(t, p); {
		case maps.Equal(got, old.articles):
			sawOld++
		case maps.Equal(got, next.articles):
			sawNew++
		default:
			t.Fatalf("step %d: a reader finds %v", step, got)
		}
		copied := copyOf(t, dir) // of the wreck, for the other way on
		problems, err := Check(t.Context(), dir, nil, nil)
		if err != nil || len(problems) > 0 {
			t.Fatalf("step %d: check: %v %v", step, problems, err)
		}
		if p, err = Open(os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, p); !maps.Equal(got, old.articles) && !maps.Equal(got, next.articles) {
			t.Fatalf("step %d: after the check, a reader finds %v", step, got)
		}
		// The next build is another one: nothing of the killed one may be left.
		last.write(t, copied, nil)
		last.wantWhole(t, copied)
		if got := names(t, copied); !slices.Equal(got, want) {
			t.Fatalf("step %d: after the next build there are\n%v\nwant\n%v", step, got, want)
		}
	}
}

// At no step does a reader find a manifest without its chunks, or a page of the new build before
// them, for the page may lead to them. How many steps a build has depends on the clock, so the
// tests above may miss one.
func TestChunksComeFirst(t *testing.T) {
	old, next := crashOld(), crashNew()
	dir, want := t.TempDir(), t.TempDir()
	next.write(t, want, nil)
	old.write(t, dir, nil)
	next.write(t, dir, func() {
		p, err := Open(os.DirFS(dir))
		must(t, err)
		if got := read(t, p); !maps.Equal(got, old.articles) && !maps.Equal(got, next.articles) {
			t.Fatalf("a reader finds %v", got)
		}
		if _, err := os.Stat(filepath.Join(dir, "index.html")); err != nil {
			return
		}
		for _, name := range entries(t, filepath.Join(want, article.CorpusFolder)) {
			if _, err := os.Stat(filepath.Join(dir, article.CorpusFolder, name)); err != nil {
				t.Errorf("beside a page of the new build: %v", err)
			}
		}
	})
}

// Whoever removes the folder while a build is put in its place may take files that wait for it, and
// leave the list of them. The next build does not wait for these, and is whole.
func TestAListOfFilesThatAreGone(t *testing.T) {
	before := t.TempDir()
	crashOld().write(t, before, nil)
	lists := 0
	for step := 0; ; step++ {
		dir := copyOf(t, before)
		if !crash(t, dir, step) {
			break
		}
		must(t, errors.Join(os.RemoveAll(filepath.Join(dir, stageFolder)), os.RemoveAll(filepath.Join(dir, article.CorpusFolder))))
		if _, err := os.Lstat(filepath.Join(dir, commitList)); err == nil {
			lists++
		}
		if problems, err := Check(t.Context(), copyOf(t, dir), nil, nil); err != nil || len(problems) == 0 {
			t.Fatalf("step %d: check: %v %v", step, problems, err)
		}
		last := site("last", 2)
		last.write(t, dir, nil)
		last.wantWhole(t, dir)
	}
	if lists == 0 {
		t.Error("no build left a list")
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

// Every way in which a folder can be other than the builder writes it has its words.
func TestReadingIsStrict(t *testing.T) {
	dir := t.TempDir()
	site("first", 70).write(t, dir, nil)
	text := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		must(t, err)
		return string(data)
	}
	manifest := text(article.ManifestPath)
	p, err := Open(os.DirFS(dir))
	must(t, err)
	first := p.Manifest().Chunks[0]
	for _, test := range []struct{ name, old, new, want string }{
		{"format", `"format":2`, `"format":3`, "has a format that this program does not know: 3, and 2 is the newest that it knows"},
		{"format without a sum", `"format":2`, `"format":1`, `and its bytes make ""`},
		{"another address", `"base_url":"https://site.example"`, `"base_url":"https://sitf.example"`, "something altered it after the builder"},
		{"another sum", `"sum":"` + p.Manifest().Sum, `"sum":"` + first.SHA256, "something altered it after the builder"},
		{"no sum", `,"sum":"` + p.Manifest().Sum + `"`, "", `has the sum ""`},
		{"no format", `"format":2`, `"formav":2`, "cannot be read: json: unknown field"},
		{"no manifest", manifest, "<html>", "is not a manifest"},
		{"unknown key", `"articles":70`, `"articels":70`, `unknown field "articels"`},
		{"repeated key", `"articles":70`, `"articles":70,"articles":70`, "a key is repeated"},
		{"missing key", `"articles":70,`, ``, "a key is repeated, missing"},
		{"case of a key", `"articles":70`, `"Articles":70`, "a key is repeated"},
		{"more after it", manifest, manifest + "{}", "invalid character"},
		{"null list", `"previous":[]`, `"previous":null`, "null where a list belongs"},
		{"escaping path", `"previous":[]`, `"previous":["../x"]`, `"../x" as previous`},
		{"previous out of order", `"previous":[]`, `"previous":["` + article.ChunkPath(strings.Repeat("b", 64)) + `","` + article.ChunkPath(strings.Repeat("a", 64)) + `"]`, "as previous out of order or twice"},
		{"previous that is current", `"previous":[]`, `"previous":["` + first.Path + `"]`, "not a former file of the corpus"},
		{"document out of order", `"path":"openapi.json"`, `"path":"api/aaa.json"`, "lists api/aaa.json out of order or twice"},
		{"empty chunk", fmt.Sprintf(`"articles":%d}`, first.Articles), `"articles":0}`, "has 0 articles in chunk 0"},
		{"large settings", fmt.Sprintf(`"bytes":%d},"files"`, p.Manifest().Search.Bytes), `"bytes":67108865},"files"`, "want at most 67108864"},
		{"document outside", `"path":"api/health.json"`, `"path":"../health.json"`, "not the path of a document"},
		{"document in the corpus", `"path":"api/health.json"`, `"path":"corpus/a.json"`, "not the path of a document"},
		{"document in the state", `"path":"api/health.json"`, `"path":".newsstand/a.json"`, "not the path of a document"},
		{"document with a backslash", `"path":"api/health.json"`, `"path":"api\\health.json"`, "not the path of a document"},
		{"document with a colon", `"path":"api/health.json"`, `"path":"api:health.json"`, "not the path of a document"},
		{"document in a document", `"path":"openapi.json"`, `"path":"api/health.json/a"`, "api/health.json/a, which lies in a file"},
		{"article as document", `"path":"api/health.json"`, `"path":"api/article/a.json"`, "not the path of a document"},
		{"chunk elsewhere", first.Path, "corpus/../secret.ndjson.gz", "where corpus/" + first.SHA256},
		{"sum", `"sha256":"` + first.SHA256, `"sha256":"` + strings.ToUpper(first.SHA256), "want 64 hexadecimal digits"},
		{"revision", p.Manifest().Revision, "xyz", `the revision "xyz"`},
		{"base url", `"base_url":"https://site.example"`, `"base_url":"https://site.example/"`, "no slash at the end"},
		{"a number twice", `"number":0`, `"number":1`, "chunk number 1 after 1, of 2"},
		{"number", `"number":1`, `"number":2`, "chunk number 2 after 0, of 2"},
		{"count", `"articles":70`, `"articles":71`, "counts 71 articles and has 70"},
		{"negative size", fmt.Sprintf(`"bytes":%d`, first.Bytes), `"bytes":-1`, "has -1 bytes"},
		{"bomb", fmt.Sprintf(`"bytes":%d`, first.Bytes), `"bytes":99999999999`, "want at most 268435456"},
		{"time zone", "T09:00:00Z", "T09:00:00+01:00", "not in UTC"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(manifest, test.old) {
				t.Fatalf("the manifest has no %q: %s", test.old, manifest)
			}
			_, err := Open(fstest.MapFS{article.ManifestPath: {Data: []byte(strings.Replace(manifest, test.old, test.new, 1))}})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
	if _, err := Open(fstest.MapFS{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty folder: %v", err)
	}
	pipe := fstest.MapFS{article.ManifestPath: {Data: []byte(manifest), Mode: fs.ModeNamedPipe}}
	if _, err := Open(pipe); err == nil || !strings.Contains(err.Error(), "is not a file but a pipe") {
		t.Errorf("a pipe: %v", err)
	}
}

// A folder that a builder of before the sum has published is read, whole, and the next build writes
// the sum.
func TestAManifestWithoutASumIsRead(t *testing.T) {
	dir := t.TempDir()
	sealed := site("first", 70).write(t, dir, nil).Manifest
	old := sealed
	old.Format, old.Sum = formatWithoutSum, ""
	data, err := article.Encode(old)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, article.ManifestPath), data, 0o644))
	if problems, err := Check(t.Context(), dir, nil, nil); err != nil || len(problems) > 0 {
		t.Errorf("%q, %v", problems, err)
	}
	r := site("first", 70).write(t, dir, nil)
	if r.Written != 1 || r.Manifest.Sum != sealed.Sum {
		t.Errorf("the next build wrote %d files, and the sum %s, want 1 and %s", r.Written, r.Manifest.Sum, sealed.Sum)
	}
	if p, err := Open(os.DirFS(dir)); err != nil || p.Manifest().Sum != sealed.Sum {
		t.Errorf("the file has no such sum: %v", err)
	}
}

// A builder that does not know the form of what is published would take down what it cannot read,
// and take the pages for somebody else's. It does nothing.
func TestWhatANewerBuilderHasPublishedStays(t *testing.T) {
	dir := t.TempDir()
	site("newer", 3).write(t, dir, nil)
	name := filepath.Join(dir, article.ManifestPath)
	manifest, err := os.ReadFile(name)
	must(t, err)
	must(t, os.WriteFile(name, bytes.Replace(manifest, []byte(`"format":2`), []byte(`"format":3,"new":true`), 1), 0o644))
	before := tree(t, dir)
	_, err = Begin(t.Context(), dir, nil)
	if !errors.Is(err, ErrFormat) || !strings.HasPrefix(hinted.Hint(err), "publish with a builder as new") {
		t.Errorf("%v, hint: %s", err, hinted.Hint(err))
	}
	if after := tree(t, dir); !maps.Equal(before, after) {
		t.Errorf("before there was\n%v\nand after it\n%v", before, after)
	}
}

func TestChunksAreReadStrictly(t *testing.T) {
	a, b := record(t, "a", "x").Line, record(t, "b", "x").Line
	for _, test := range []struct {
		name   string
		packed []byte
		want   string
	}{
		{"good", pack(t, a, b), ""},
		{"order", pack(t, b, a), "line 2, article a, is out of order"},
		{"twice", pack(t, a, a), "out of order or there twice"},
		{"count", pack(t, a), "it has 1 articles and the manifest says 2"},
		{"no end", pack(t, a, bytes.TrimSpace(b)), "its last line has no end"},
		{"no id", pack(t, a, []byte("{}\n")), "line 2 does not begin with a valid id"},
		{"wrong id", pack(t, []byte(`{"id":"../a"}`+"\n"), b), "line 1 does not begin with a valid id"},
		{"no gzip", a, "gzip: invalid header"},
		{"a byte after it", append(pack(t, a, b), 0), "something follows"},
		{"cut off", pack(t, a, b)[:40], "unexpected EOF"},
		{"second member", append(pack(t, a, b), pack(t)...), "something follows"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := Chunk{File: newFile(article.ChunkPath(sumOf(test.packed)), test.packed, sha256.Sum256(test.packed)), Articles: 2}
			p := &Publication{fsys: fstest.MapFS{c.Path: {Data: test.packed}}, manifest: Manifest{Articles: 2}}
			_, err := p.Chunk(c)
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("error %v, want %q", err, test.want)
			}
			if test.want != "" {
				return
			}
			c.Bytes++
			if _, err := p.Chunk(c); err == nil || !strings.Contains(err.Error(), "the manifest says") {
				t.Errorf("another size: %v", err)
			}
			c.Bytes--
			c.SHA256 = strings.Repeat("0", 64)
			if _, err := p.Chunk(c); err == nil || !strings.Contains(err.Error(), "has the sha256") {
				t.Errorf("another sum: %v", err)
			}
		})
	}
	if _, err := unpack(pack(t, make([]byte, 1<<20)), 1<<20-1); err == nil || !strings.Contains(err.Error(), "unpacks to more than") {
		t.Errorf("a bomb: %v", err)
	}
	p := &Publication{fsys: fstest.MapFS{}, manifest: Manifest{Articles: 70}}
	packed := pack(t, a)
	c := Chunk{File: newFile(article.ChunkPath(sumOf(packed)), packed, sha256.Sum256(packed)), Number: 1 - ChunkNumber("a", 2), Articles: 1}
	p.fsys = fstest.MapFS{c.Path: {Data: packed}}
	if _, err := p.Chunk(c); err == nil || !strings.Contains(err.Error(), "article a belongs in chunk") {
		t.Errorf("wrong chunk: %v", err)
	}
}

// What no reader would take is refused by the writer.
func TestChunksAreWrittenStrictly(t *testing.T) {
	b, c := record(t, "b", "x"), record(t, "c", "x") // in one of two chunks, and "a" in the other
	for want, articles := range map[string][]Record{
		"article c: it is out of order or there twice":          {c, c},
		"article b: it is out of order or there twice":          {c, b},
		"article c: it belongs in chunk 0, not 1":               {record(t, "a", "x"), c},
		`article "b": its line is not one of article.Encode`:    {{ID: "b", Line: c.Line}},
		`article "c": its line is not one of article.Encode`:    {{ID: "c", Line: bytes.TrimSpace(c.Line)}},
		`article "../x": its line is not one of article.Encode`: {{ID: "../x", Line: []byte(`{"id":"../x"}` + "\n")}},
		"2 articles came in chunks of 2, and belong into 1":     {b, c},
	} {
		w, err := Begin(t.Context(), t.TempDir(), nil)
		must(t, err)
		_, err = w.Chunk(2, articles)
		if err == nil {
			_, _, err = w.EndCorpus(article.SearchSettings{})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
		must(t, w.Close())
	}
}

// A build without the documents of the contract is not whole, nor one whose date is not that of its
// newest article.
func TestCheckWantsTheContract(t *testing.T) {
	dir := t.TempDir()
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	_, err = w.Chunk(1, []Record{record(t, "a", "x")})
	must(t, err)
	_, _, err = w.EndCorpus(article.SearchSettings{Synonyms: []article.Synonym{}, Articles: []article.ArticleSettings{}, Tests: []article.SearchTest{}})
	must(t, err)
	_, err = w.Commit(baseURL, day.Add(time.Hour))
	must(t, errors.Join(err, w.Close()))
	problems, err := Check(t.Context(), dir, nil, nil)
	want := []string{
		"api/health.json: is not in the manifest",
		"corpus/manifest.json: has updated_at 2026-03-01T10:00:00Z, and the newest date of its articles is 2026-03-01T09:00:00Z",
		"openapi.json: is not in the manifest",
	}
	if err != nil || !slices.Equal(problems, want) {
		t.Errorf("got %q, %v, want %q", problems, err, want)
	}
}

// A manifest that is consistent in itself may be that of other articles.
func TestCheckWantsTheRevisionOfTheArticles(t *testing.T) {
	dir := t.TempDir()
	m := site("first", 3).write(t, dir, nil).Manifest
	right := m.Revision
	m.Format, m.Sum, m.Revision = formatWithoutSum, "", strings.Repeat("0", len(right))
	data, err := article.Encode(m)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, article.ManifestPath), data, 0o644))
	problems, err := Check(t.Context(), dir, nil, nil)
	want := "corpus/manifest.json: has the revision " + m.Revision + ", and its articles make " + right
	if err != nil || len(problems) != 2 || !strings.HasPrefix(problems[0], "api/health.json: does not fit the manifest") || problems[1] != want {
		t.Errorf("got %q, %v, want %q and the health document", problems, err, want)
	}
}

func pack(t testing.TB, lines ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	for _, line := range lines {
		zw.Write(line)
	}
	must(t, zw.Close())
	return b.Bytes()
}

func TestChunkCount(t *testing.T) {
	for articles, want := range map[int]int{0: 1, 1: 1, 64: 1, 65: 2, 128: 2, 129: 4, 10_000: 256, 262_144: 4096, 1_000_000: 4096} {
		if got := ChunkCount(articles); got != want {
			t.Errorf("%d articles: %d chunks, want %d", articles, got, want)
		}
	}
	if n := ChunkNumber("anything", 1); n != 0 {
		t.Errorf("the only chunk has number %d", n)
	}
}

// FuzzManifest: whatever is read back is what would be written.
func FuzzManifest(f *testing.F) {
	dir := f.TempDir()
	site("first", 70).write(f, dir, nil)
	data, err := os.ReadFile(filepath.Join(dir, article.ManifestPath))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"format":2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ParseManifest(data)
		if err != nil {
			return
		}
		again, err := article.Encode(m)
		if err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s\nbecomes\n%s %v", data, again, err)
		}
		for _, file := range m.Files {
			if !filepath.IsLocal(filepath.FromSlash(file.Path)) {
				t.Errorf("%q escapes", file.Path)
			}
		}
	})
}

// FuzzChunk: a reader of a chunk neither panics nor hands on what is not in order.
func FuzzChunk(f *testing.F) {
	f.Add(pack(f, record(f, "a", "x").Line, record(f, "b", "y").Line))
	f.Fuzz(func(t *testing.T, packed []byte) {
		c := Chunk{File: newFile(article.ChunkPath(sumOf(packed)), packed, sha256.Sum256(packed)), Articles: 2}
		p := &Publication{fsys: fstest.MapFS{c.Path: {Data: packed}}, manifest: Manifest{Articles: 2}}
		records, err := p.Chunk(c)
		if err == nil && (len(records) != 2 || records[0].ID >= records[1].ID) {
			t.Errorf("%v", records)
		}
	})
}

// A chunk of the build before that cannot be read is a fault, and none where it is gone.
func TestCheckReadsThePreviousChunks(t *testing.T) {
	dir := t.TempDir()
	site("x", 10).write(t, dir, nil)
	previous := site("y", 10).write(t, dir, nil).Manifest.Previous
	if len(previous) == 0 {
		t.Fatal("no chunk of the build before is kept")
	}
	path := filepath.Join(dir, previous[0])
	must(t, os.Remove(path))
	if problems, err := Check(t.Context(), dir, nil, nil); err != nil || len(problems) > 0 {
		t.Errorf("gone: %q, %v", problems, err)
	}
	must(t, os.Mkdir(path, 0o755))
	if problems, err := Check(t.Context(), dir, nil, nil); err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0], previous[0]) {
		t.Errorf("a folder: %q, %v", problems, err)
	}
}

// Of a folder that is gone, each file is missing, and nothing else is wrong.
func TestCheckOfAFolderThatIsGone(t *testing.T) {
	dir := t.TempDir()
	site("x", 1).write(t, dir, nil)
	must(t, os.RemoveAll(filepath.Join(dir, "api")))
	problems, err := Check(t.Context(), dir, nil, nil)
	if err != nil || len(problems) != 2 || problems[0] != "api/article/a000.json: is missing" || !strings.HasPrefix(problems[1], "api/health.json: ") {
		t.Errorf("%q, %v", problems, err)
	}
}

func TestCheckReadsTheSettings(t *testing.T) {
	dir := t.TempDir()
	settings := site("x", 1).write(t, dir, nil).Manifest.Search.Path
	put(t, dir, settings, "{}")
	problems, err := Check(t.Context(), dir, nil, nil)
	if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0], settings+": ") {
		t.Errorf("%q, %v", problems, err)
	}
}

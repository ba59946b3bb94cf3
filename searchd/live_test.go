package searchd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/searchd/index"
)

func TestLoadTakesUpWhatChanged(t *testing.T) {
	source := t.TempDir()
	publish(t, source, anArticle("one", "gopher walrus"), anArticle("two", "walrus"), anArticle("three", "gopher"))
	l, log := opened(t, source, t.TempDir())
	if s := l.Status(); s.Ready {
		t.Fatalf("ready before anything was loaded: %+v", s)
	}
	load(t, l)
	if got := found(t, l, "gopher"); got != "one three" {
		t.Errorf("found %q, want one three", got)
	}
	first := l.Status()
	if !first.Ready || first.Articles != 3 || first.BaseURL != "https://site.example" || first.Revision == "" || first.Err != nil {
		t.Errorf("status %+v", first)
	}

	// One edited, one removed, one added.
	publish(t, source, anArticle("one", "walrus"), anArticle("three", "gopher"), anArticle("four", "gopher"))
	load(t, l)
	if got := found(t, l, "gopher"); got != "four three" {
		t.Errorf("after the edit: found %q, want four three", got)
	}
	if s := l.Status(); s.Revision == first.Revision || s.Articles != 3 {
		t.Errorf("after the edit: status %+v, before %+v", s, first)
	}
	if log.count("by=update changed=2 removed=1") != 1 {
		t.Errorf("the log does not tell of the update:\n%s", log)
	}

	// The older build again: a rollback is legal.
	publish(t, source, anArticle("one", "gopher walrus"), anArticle("two", "walrus"), anArticle("three", "gopher"))
	load(t, l)
	if s := l.Status(); s.Revision != first.Revision {
		t.Errorf("after the rollback: revision %s, want %s", s.Revision, first.Revision)
	}
	if got := found(t, l, "walrus"); got != "one two" {
		t.Errorf("after the rollback: found %q, want one two", got)
	}
	if log.count("merged again") > 0 {
		t.Errorf("files were merged again that always were:\n%s", log)
	}
}

// Articles come, change and go, and with their number that of the chunks: each time the update is
// exactly that.
func TestUpdatesAreExact(t *testing.T) {
	source := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	texts := map[string]string{} // by id
	l, log := opened(t, source, t.TempDir())
	for step, size := range []int{120, 130, 125, 70, 60, 1, 0, 40, 300, 300} { // 64 in a chunk
		changed, removed := 0, 0
		for _, id := range slices.Sorted(maps.Keys(texts)) {
			switch {
			case len(texts) > size, random.IntN(20) == 0:
				delete(texts, id)
				removed++
			case random.IntN(10) == 0:
				texts[id] = fmt.Sprintf("common step%d", step)
				changed++
			}
		}
		for len(texts) < size {
			texts[fmt.Sprintf("a%d-%d", step, len(texts))] = fmt.Sprintf("common step%d", step)
			changed++
		}
		var articles []article.Article
		for id, text := range texts {
			articles = append(articles, anArticle(id, text))
		}
		publish(t, source, articles...)
		load(t, l)
		if told := fmt.Sprintf("articles=%d by=update changed=%d removed=%d", size, changed, removed); step > 0 && log.count(told) != 1 {
			t.Errorf("step %d: want %s, got\n%s", step, told, log)
		}
		if got := strings.Fields(found(t, l, fmt.Sprintf("step%d", step))); len(got) != min(changed, article.MaxLimit) {
			t.Errorf("step %d: found %d articles, want %d", step, len(got), changed)
		}
	}
}

func TestUnchangedSourceIsNotReadAgain(t *testing.T) {
	source, _, l, log := loaded(t, 5)
	hideChunks(t, source)
	load(t, l)
	if n := log.count("serving a new revision"); n != 1 {
		t.Errorf("an unchanged source was taken up %d times:\n%s", n, log)
	}
}

func TestOnlyChangedChunksAreRead(t *testing.T) {
	source := t.TempDir()
	articles := many(300, "walrus") // several chunks
	publish(t, source, articles...)
	l, _ := opened(t, source, t.TempDir())
	load(t, l)
	before := chunksOf(t, source)
	if len(before) < 2 {
		t.Fatal("one chunk, want several, of which one changes")
	}
	articles[7] = anArticle("a7", "gopher")
	publish(t, source, articles...)
	for _, path := range before {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	load(t, l)
	if got := found(t, l, "gopher"); got != "a7" {
		t.Errorf("found %q, want a7", got)
	}
	if s := l.Status(); s.Articles != 300 {
		t.Errorf("%d articles, want 300", s.Articles)
	}
}

// opening is a file system that does something before a file is opened.
type opening struct {
	fs.FS
	before func(name string)
}

func (o opening) Open(name string) (fs.File, error) {
	o.before(name)
	return o.FS.Open(name)
}

// Another build takes the place of the one that is read, of which nothing stays: the same load
// takes it up.
func TestSourceIsReplacedWhileItIsRead(t *testing.T) {
	source, _, l, _ := loaded(t, 5)
	publish(t, source, many(6, "walrus")...)
	next := filepath.Join(t.TempDir(), "next")
	publish(t, next, many(7, "walrus")...)
	replaced := sync.OnceValue(func() error { return errors.Join(os.RemoveAll(source), os.Rename(next, source)) })
	l.source = opening{l.source, func(name string) {
		if strings.HasSuffix(name, ".ndjson.gz") {
			replaced()
		}
	}}
	load(t, l)
	if err := replaced(); err != nil || l.Status().Articles != 7 {
		t.Errorf("%v, status %+v", err, l.Status())
	}
}

func TestRestartReadsNoArticle(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	before, err := l.Search(t.Context(), url.Values{"q": {"walrus"}, "limit": {"3"}})
	must(t, err)
	must(t, l.Close())
	hideChunks(t, source)

	l, log := opened(t, source, data)
	if s := l.Status(); !s.Ready || s.Articles != 5 || s.BaseURL != "https://site.example" {
		t.Fatalf("not ready from the data folder: %+v\n%s", s, log)
	}
	load(t, l)
	after, err := l.Search(t.Context(), url.Values{"q": {"walrus"}, "limit": {"3"}})
	if err != nil || string(after) != string(before) {
		t.Errorf("after the restart: %v\n got %s\nwant %s", err, after, before)
	}

	// What it holds is known from the index when something changes.
	publish(t, source, many(6, "walrus")...)
	load(t, l)
	if log.count("by=update changed=1 removed=0") != 1 {
		t.Errorf("the log does not tell of an update:\n%s", log)
	}
}

// An operator may disconnect the source and lose no answer that could be given.
func TestServesTheDataFolderWithoutASource(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	must(t, os.RemoveAll(source))
	l, _ = opened(t, source, data)
	err := l.Load(t.Context())
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(hinted.Hint(err), "--source") {
		t.Errorf("load without a source: %v, hint %q", err, hinted.Hint(err))
	}
	if s := l.Status(); !s.Ready || s.Err == nil {
		t.Errorf("status %+v, want ready with an error", s)
	}
	if got := found(t, l, "number0003"); got != "a3" {
		t.Errorf("found %q, want a3", got)
	}
}

// alter changes a manifest, and makes it one of the format that had no sum to tell of that.
func alter(t *testing.T, source, from, to string) {
	t.Helper()
	path := filepath.Join(source, article.ManifestPath)
	text, err := os.ReadFile(path)
	must(t, err)
	old, _, _ := strings.Cut(string(text), `,"sum":`)
	altered := strings.NewReplacer(`"format":2`, `"format":1`, from, to).Replace(old + "}\n")
	if _, err := publication.ParseManifest([]byte(altered)); err != nil {
		t.Fatalf("what is altered is known without reading more: %v", err)
	}
	must(t, os.WriteFile(path, []byte(altered), 0o644))
}

func TestBadPublicationLeavesTheOldOne(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, source string){
		"no manifest":   func(t *testing.T, source string) { os.Remove(filepath.Join(source, article.ManifestPath)) },
		"torn manifest": func(t *testing.T, source string) { os.Truncate(filepath.Join(source, article.ManifestPath), 40) },
		"another revision in the manifest": func(t *testing.T, source string) {
			pub, err := publication.Open(os.DirFS(source))
			must(t, err)
			alter(t, source, pub.Manifest().Revision, strings.Repeat("0", 32))
		},
		"more articles than there can be, in a chunk that is as it was": func(t *testing.T, source string) {
			publish(t, source, many(5, "walrus")...)
			alter(t, source, `"articles":5`, `"articles":1000000000000000`)
		},
		"missing chunks": hideChunks,
		"torn chunks": func(t *testing.T, source string) {
			eachChunk(t, source, func(path string) error { return os.Truncate(path, 10) })
		},
		"flipped bits": func(t *testing.T, source string) {
			eachChunk(t, source, func(path string) error {
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				b[len(b)/2] ^= 1
				return os.WriteFile(path, b, 0o644)
			})
		},
		"a folder of nothing": func(t *testing.T, source string) { os.RemoveAll(source) },
	} {
		t.Run(name, func(t *testing.T) {
			source, _, l, _ := loaded(t, 5)
			before := l.Status()
			publish(t, source, many(6, "gopher")...)
			spoil(t, source)
			if err := l.Load(t.Context()); err == nil || hinted.Hint(err) == "" {
				t.Fatalf("load: %v, hint %q; want an error with a hint", err, hinted.Hint(err))
			}
			if s := l.Status(); s.Revision != before.Revision || s.Articles != 5 || s.Err == nil {
				t.Errorf("status %+v, want that of %s with an error", s, before.Revision)
			}
			if got := found(t, l, "gopher") + "|" + found(t, l, "number0002"); got != "|a2" {
				t.Errorf("found %q, want the old articles only", got)
			}
			publish(t, source, many(6, "gopher")...)
			load(t, l)
			if got := found(t, l, "gopher"); got != "a0 a1 a2 a3 a4 a5" {
				t.Errorf("after it was fixed: found %q", got)
			}
		})
	}
}

// A line whose digest is right may be of no article, for a program that made it has a fault. That
// is no reason to build the index anew, at each look, nor to look at the disk.
func TestALineOfNoArticleIsTheFaultOfTheSource(t *testing.T) {
	for _, line := range []string{`{"id":"bad","title":5}`, `{"id":"bad","id":"a1","language":"en"}`, `{"id":"bad","id":"other","language":"en"}`} {
		for _, before := range []int{0, 4} {
			source, data := t.TempDir(), t.TempDir()
			l, log := opened(t, source, data)
			if before > 0 {
				publish(t, source, many(before, "walrus")...)
				load(t, l)
			}
			built := log.count("building a new index")
			var records []publication.Record
			for _, a := range many(5, "walrus") {
				line, err := article.Encode(a)
				must(t, err)
				records = append(records, publication.Record{ID: a.ID, Line: line})
			}
			publishRecords(t, source, article.SearchSettings{}, append(records, publication.Record{ID: "bad", Line: []byte(line + "\n")}))
			for range 2 {
				err := l.Load(t.Context())
				if reasonOf(err) != reasonDamaged || !strings.Contains(fmt.Sprint(err), source) || !strings.Contains(hinted.Hint(err), "publish it again") {
					t.Errorf("%s after %d articles: %s: %v, hint %q", line, before, reasonOf(err), err, hinted.Hint(err))
				}
			}
			if before > 0 && log.count("building a new index") != built {
				t.Errorf("%s: the index is built anew:\n%s", line, log)
			}
			publish(t, source, many(5, "walrus")...)
			load(t, l)
			if l.Status().Articles != 5 {
				t.Errorf("%s: afterwards %+v", line, l.Status())
			}
		}
	}
}

// What the system does not let be read may be a good publication.
func TestASourceThatCannotBeReadIsNotCalledDamaged(t *testing.T) {
	l, _ := opened(t, t.TempDir(), t.TempDir())
	for _, c := range []struct {
		err                syscall.Errno
		path, reason, hint string
	}{
		{syscall.EMFILE, article.ManifestPath, reasonUnreachable, "limit of open files"},
		{syscall.EIO, article.ManifestPath, reasonUnreachable, "the disk or the network"},
		{syscall.EACCES, article.ManifestPath, reasonUnreachable, "let searchd read"},
		{syscall.ENOENT, article.ManifestPath, reasonMissing, "--source"},
		{syscall.ENOENT, article.ChunkPath("0"), reasonMissing, "copy the manifest last"},
		{syscall.ENOTDIR, article.ManifestPath, reasonMissing, "give the published folder with --source"},
		{syscall.ELOOP, article.ManifestPath, reasonMissing, "give the published folder with --source"},
		{syscall.EISDIR, article.ManifestPath, reasonDamaged, "publish it again"},
	} {
		err := l.sourceError(&fs.PathError{Op: "open", Path: c.path, Err: c.err})
		if reasonOf(err) != c.reason || !strings.Contains(hinted.Hint(err), c.hint) {
			t.Errorf("%v: reason %s, hint %q; want %s and one with %q", c.err, reasonOf(err), hinted.Hint(err), c.reason, c.hint)
		}
	}
}

// An index that cannot be completed leaves nothing that could be taken for one.
func TestFailedRebuildLeavesNothing(t *testing.T) {
	source, data := t.TempDir(), t.TempDir()
	publish(t, source, many(300, "walrus")...) // several chunks
	chunks := chunksOf(t, source)
	must(t, os.Truncate(chunks[1], 10))
	l, log := opened(t, source, data)
	for range 2 {
		if err := l.Load(t.Context()); err == nil || !strings.Contains(err.Error(), filepath.Base(chunks[1])) {
			t.Errorf("load: %v, want an error that names the chunk", err)
		}
	}
	if log.count("building a new index") != 1 {
		t.Errorf("the log does not tell once of an index that is begun twice:\n%s", log)
	}
	if got := names(t, data); got != "lock" {
		t.Errorf("the data folder has %q", got)
	}
	if l.Status().Ready {
		t.Error("ready without a whole revision")
	}
}

func TestLoadCanBeCancelled(t *testing.T) {
	source, data := t.TempDir(), t.TempDir()
	publish(t, source, many(5, "walrus")...)
	l, _ := opened(t, source, data)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("load: %v, want %v", err, context.Canceled)
	}
	if s := l.Status(); s.Ready || s.Err != nil || names(t, data) != "lock" {
		t.Errorf("status %+v, data folder %q", s, names(t, data))
	}
	load(t, l)
}

func TestDamagedDataIsBuiltAnew(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	l.Close()
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Base(path) == lockName {
			return err
		}
		b, err := os.ReadFile(path)
		for i := range b {
			b[i] ^= 0x5a
		}
		return errors.Join(err, os.WriteFile(path, b, 0o644))
	})
	must(t, err)
	l, log := opened(t, source, data)
	if l.Status().Ready {
		t.Fatal("a damaged index is served")
	}
	if log.count("damaged") != 1 {
		t.Errorf("not one line tells of the damage:\n%s", log)
	}
	load(t, l)
	if got := found(t, l, "number0004"); got != "a4" {
		t.Errorf("found %q, want a4", got)
	}
}

// A revision is served since its first index, though another takes the place of that.
func TestSinceWhenARevisionIsServed(t *testing.T) {
	_, _, l, _ := loaded(t, 5)
	since := value(t, l.metrics.revisionTime)
	l.suspect(l.current, notUpdated)
	load(t, l)
	if now := value(t, l.metrics.revisionTime); now != since || value(t, l.metrics.reloads.WithLabelValues("rebuild")) != 2 {
		t.Errorf("served since %v, and after another index since %v", since, now)
	}
}

// An index is believed only where it says what it holds.
func TestAnIndexOfAnotherManifestIsDamaged(t *testing.T) {
	for _, state := range []string{"no manifest", `{"articles":3}`} {
		dir := t.TempDir()
		x, err := index.Open(t.Context(), dir, 1)
		must(t, err)
		must(t, x.Update(t.Context(), index.Update{Revision: "1", Put: func(func(string, []byte) bool) {}, State: []byte(state)}))
		must(t, x.Close())
		if _, _, err := openIndex(t.Context(), dir, 1); !errors.Is(err, index.ErrDamaged) {
			t.Errorf("%s: %v", state, err)
		}
	}
}

// Somebody empties the data folder, or its disk is full, while it is in use.
func TestUpdateThatCannotBeWrittenIsBuiltAnew(t *testing.T) {
	source, data, l, _ := loaded(t, 5)
	folders, err := filepath.Glob(filepath.Join(data, indexPrefix+"*"))
	if err != nil || len(folders) != 1 {
		t.Fatalf("%d folders: %v", len(folders), err)
	}
	must(t, os.RemoveAll(folders[0]))
	publish(t, source, many(6, "walrus")...)
	if err := l.Load(t.Context()); hinted.Hint(err) == "" {
		t.Errorf("load: %v, want an error with a hint", err)
	}
	if got := found(t, l, "number0004"); got != "a4" {
		t.Errorf("found %q in the revision before, want a4", got)
	}
	load(t, l)
	if got := found(t, l, "number0005"); got != "a5" {
		t.Errorf("found %q, want a5", got)
	}
	if err := l.Close(); err != nil { // and what takes the place of the old one is not removed with it
		t.Fatal(err)
	}
	hideChunks(t, source)
	l, log := opened(t, source, data)
	if !l.Status().Ready {
		t.Errorf("nothing is served after a restart:\n%s", log)
	}
}

// What could not be written, and is written after all, is served without a new index.
func TestUpdateThatIsWrittenLateIsServed(t *testing.T) {
	source, data, l, log := loaded(t, 5)
	folder := filepath.Join(data, indexPrefix+"1")
	must(t, os.Rename(folder, folder+".aside")) // as good as a full disk
	publish(t, source, many(6, "walrus")...)
	if err := l.Load(t.Context()); err == nil || l.Status().Articles != 5 {
		t.Fatalf("load: %v, status %+v", err, l.Status())
	}
	must(t, os.Rename(folder+".aside", folder))
	until(t, "it is written", func() bool { l.adoptLateUpdate(); return l.Status().Articles == 6 })
	publish(t, source, many(7, "walrus")...)
	load(t, l)
	if got := found(t, l, "number0005 number0006"); got != "a5 a6" || log.count("by=update changed=1 removed=0") != 1 || log.count("by=rebuild") != 1 {
		t.Errorf("found %q; the log is\n%s", got, log)
	}
}

func TestLargeChangeIsANewIndex(t *testing.T) {
	source, data, l, log := loaded(t, minUpdateArticles+10)
	publish(t, source, many(minUpdateArticles+10, "gopher")...)
	load(t, l)
	if log.count(`because="many articles changed"`) != 1 {
		t.Errorf("the log does not tell of the new index:\n%s", log)
	}
	if got := found(t, l, "number0017"); got != "a17" {
		t.Errorf("found %q, want a17", got)
	}
	publish(t, source, many(5, "gopher")...) // all others go
	load(t, l)
	if log.count(`because="many articles changed"`) != 2 || l.Status().Articles != 5 {
		t.Errorf("the log does not tell of the second new index:\n%s", log)
	}
	must(t, l.Close())
	if got := names(t, data); got != indexPrefix+"3 lock" {
		t.Errorf("the data folder has %q, want the new index alone", got)
	}
}

// A swap that closes the old index at once fails a quarter of the searches that
// have taken it and not yet begun; ordinary load hardly ever shows that.
func TestSearchOutlivesTheSwap(t *testing.T) {
	_, _, l, _ := loaded(t, 3)
	ctx, stop := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	searches := 0
	searching.Go(func() {
		for ctx.Err() == nil {
			s := l.acquire()
			for began := time.Now(); time.Since(began) < 50*time.Microsecond; { // the measured trap
			}
			if _, err := s.index.Search(t.Context(), index.Query{Text: "walrus", Limit: 1}); err != nil {
				t.Errorf("search %d: %v", searches, err)
			}
			l.release(s)
			searches++
		}
	})
	for range 40 {
		l.suspect(l.current, lostFolder) // so that a new one takes its place
		load(t, l)
	}
	stop()
	searching.Wait()
	t.Logf("%d searches during 40 swaps", searches)
	must(t, l.Close())
	if got := names(t, l.data.dir); got != indexPrefix+"41 lock" {
		t.Errorf("old indexes are left: %q", got)
	}
}

// Every answer is of one revision, while both kinds of change go on.
func TestNoAnswerMixesRevisions(t *testing.T) {
	source := t.TempDir()
	var digestsOf sync.Map // revision to the sorted digests of its articles
	put := func(articles []article.Article) {
		publish(t, source, articles...)
		pub, err := publication.Open(os.DirFS(source))
		must(t, err)
		var digests []string
		for _, a := range articles {
			line, err := article.Encode(a)
			must(t, err)
			digests = append(digests, article.Digest(line))
		}
		slices.Sort(digests)
		digestsOf.Store(pub.Manifest().Revision, strings.Join(digests, " "))
	}
	put(many(8, "word"))
	l, _ := opened(t, source, t.TempDir())
	load(t, l)
	ctx, stop := context.WithCancel(t.Context())
	var searching sync.WaitGroup
	for range 2 {
		searching.Go(func() {
			for ctx.Err() == nil {
				body, err := l.Search(t.Context(), url.Values{"q": {"common"}, "limit": {"100"}})
				if err != nil {
					t.Errorf("search: %v", err)
					return
				}
				var r article.SearchResult
				if err := json.Unmarshal(body, &r); err != nil {
					t.Errorf("body: %v", err)
				}
				var digests []string
				for _, hit := range r.Articles {
					digests = append(digests, hit.Digest)
				}
				slices.Sort(digests)
				if want, _ := digestsOf.Load(r.Revision); want != strings.Join(digests, " ") {
					t.Errorf("revision %s: articles of another: %v", r.Revision, digests)
				}
			}
		})
	}
	for n := range 20 {
		put(many(6+n%3, fmt.Sprintf("word%d", n)))
		if n%5 == 4 {
			l.suspect(l.current, lostFolder)
		}
		load(t, l)
	}
	stop()
	searching.Wait()
}

// A copy of an index is read by nobody who cannot read the index, and of one that cannot be made
// nothing stays.
func TestCopyOfAnIndex(t *testing.T) {
	source, data := t.TempDir(), t.TempDir()
	publish(t, source, many(5, "walrus")...)
	l, _ := opened(t, source, data)
	load(t, l)
	mode := func(s *served) fs.FileMode {
		info, err := os.Stat(s.dir)
		must(t, err)
		return info.Mode()
	}
	want := mode(l.current)
	copied, err := l.serveCopy(t.Context(), l.current)
	must(t, err)
	if got := mode(copied); got != want || copied != l.current || found(t, l, "walrus") == "" {
		t.Errorf("the copy has mode %v, want %v", got, want)
	}

	ended, end := context.WithCancel(t.Context())
	end()
	damaged := &served{dir: t.TempDir()}
	must(t, os.WriteFile(filepath.Join(damaged.dir, "root.bolt"), []byte("damaged"), 0o600))
	for _, c := range []struct {
		of   *served
		ctx  context.Context
		want error
	}{{damaged, t.Context(), index.ErrDamaged}, {copied, ended, context.Canceled}} {
		if got, err := l.serveCopy(c.ctx, c.of); got != c.of || !errors.Is(err, c.want) {
			t.Errorf("got %v, want %v", err, c.want)
		}
	}
	l.Close()
	if left, err := filepath.Glob(filepath.Join(data, indexPrefix+"*")); err != nil || len(left) != 1 {
		t.Errorf("%v is left, %v", left, err)
	}
}

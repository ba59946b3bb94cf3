package index

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"newsstand/builder/article"
)

// Segments that the engine has merged are taken into use, and give the same answers.
func TestMergedSegmentsAreTakenIntoUse(t *testing.T) {
	x := open(t, t.TempDir())
	for i := range 3 {
		update(t, x, fmt.Sprint("r", i), []article.Article{note(fmt.Sprint("a", i), "en", "Title", "common words"), note("b", "en", fmt.Sprint("B", i), "common")})
	}
	want := search(t, x, "common words", 10)
	if err := x.engine.ForceMerge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	update := x.current
	if err := x.refresh(func(segments, merged int) bool { return false }); err != nil || x.current != update {
		t.Errorf("taken into use where that was not worth it: %v", err)
	}
	if err := x.refresh(func(segments, merged int) bool { return true }); err != nil || x.current == update {
		t.Fatalf("not taken into use: %v", err)
	}
	x.current.answers = newAnswers()
	if got := search(t, x, "common words", 10); !reflect.DeepEqual(got, want) || got.Total != 4 || len(x.current.reader.Segments()) != 1 {
		t.Errorf("after the merge\n%v\nbefore\n%v", got, want)
	}
	if crowded(4, 1) || crowded(14, 13) || !crowded(21, 7) {
		t.Error("only what a build leaves is crowded")
	}
}

// The files of merged segments are removed once they are no longer used, even if nothing is written
// after that.
func TestMergedFilesAreRemoved(t *testing.T) {
	x := open(t, t.TempDir())
	takeMerged := func() {
		t.Helper()
		idle(t, x)
		if err := x.refresh(func(int, int) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	// Each update leaves a file, which is large enough not to be merged at once. The batches of one
	// update may be written as one file.
	for i := range 3 {
		var articles []article.Article
		for j := range 500 {
			articles = append(articles, note(fmt.Sprint("a", i, "-", j), "en", "Title", "common words"))
		}
		update(t, x, fmt.Sprint("r", i), articles)
	}
	takeMerged() // nothing is merged yet, but files are in use now
	if err := x.engine.ForceMerge(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	idle(t, x)
	files := func() int {
		found, err := filepath.Glob(filepath.Join(x.dir, "*.zap"))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	if used := len(x.current.reader.Segments()); used < 2 || files() <= used {
		t.Fatalf("%d segments are in use, of %d files", used, files())
	}
	takeMerged()
	eventually(t, "only the merged file is left", func() bool { return files() == 1 })
}

// idle waits until the engine has nothing to write.
func idle(t *testing.T, x *Index) {
	t.Helper()
	eventually(t, "the engine has nothing to write", func() bool {
		s := x.stats()
		passed := atomic.LoadUint64(&s.TotPersistLoopProgress) + atomic.LoadUint64(&s.TotPersistLoopWait)
		return atomic.LoadUint64(&s.TotPersistLoopBeg) == passed && atomic.LoadUint64(&s.LastPersistedEpoch) == atomic.LoadUint64(&s.CurRootEpoch)
	})
}

// eventually waits until something is done, for a minute at most.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	look, late := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer look.Stop()
	for !done() {
		select {
		case <-look.C:
		case <-late:
			t.Fatal("never: " + what)
		}
	}
}

// Segments with thousands of articles, some of them deleted, are merged to what a new index of the
// others has.
func TestMergeOfManyWithoutThoseThatAreGone(t *testing.T) {
	of := func(i, version int) article.Article {
		return note(fmt.Sprintf("a%d", i), "en", fmt.Sprintf("Title %d", i%7), fmt.Sprintf("common words of %d and version%d, each its own word%d", i%100, version, i))
	}
	merged := open(t, t.TempDir())
	n := 3000
	merged.batchBytes = 200 << 10
	if *thorough { // all are in one segment
		n, merged.processors, merged.batchBytes = 150_000, 1, 1<<30
	}
	var first, changed, all []article.Article
	var gone []string
	for i := range n {
		first = append(first, of(i, 1))
		switch {
		case i%3 == 0:
			gone = append(gone, first[i].ID)
		case i%5 == 0:
			changed = append(changed, of(i, 2))
			all = append(all, changed[len(changed)-1])
		default:
			all = append(all, first[i])
		}
	}
	update(t, merged, "r0", first)
	update(t, merged, "r1", changed, gone...)
	for range 5 { // a merge of the engine's own may go on at the same time
		merged.merge(t)
		if len(merged.current.reader.Segments()) == 1 {
			break
		}
	}
	if n, deletions := len(merged.current.reader.Segments()), merged.current.deletions; n != 1 || deletions {
		t.Fatalf("%d segments, deletions: %v", n, deletions)
	}
	merged.current.verify(unresting)
	fresh := open(t, t.TempDir())
	update(t, fresh, "r1", all)
	for _, query := range []string{"common words", "version2", "word7", "word9", "title 3", `"of 7 and version2"`, `"its own word1001"`, "comon wrods", "word20", "word65536", "word131071", `common -"of 7"`, "each -version1"} {
		if got, want := search(t, merged, query, 50), search(t, fresh, query, 50); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n%v\nin a new index\n%v", query, got, want)
		}
	}
}

// A merge that the engine closes ends soon, with the error that the engine expects, and leaves no
// file.
func TestAMergeThatIsClosed(t *testing.T) {
	closing := make(chan struct{})
	close(closing)
	_, one := invertAll(t, nil, commonWords()...)
	path := filepath.Join(t.TempDir(), "merged")
	from, drops := []segment.Segment{one, one}, []*roaring.Bitmap{nil, nil}
	if _, _, err := new(segments).MergeUsing(from, drops, path, closing, nil, nil); err != segment.ErrClosed {
		t.Errorf("got %v, want the engine's own error", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
}

// A merge on a full disk ends with the first error, and does not gather in memory what it cannot
// write.
func TestAMergeOnAFullDisk(t *testing.T) {
	_, one := invertAll(t, nil, large()...)
	var m merger
	p := m.newPart(one, nil)
	m.parts, m.docs = []*part{p}, p.kept
	w := newSegmentWriter(full{}, m.docs)
	if err := guard(func() { m.write(w) }); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want that of the disk", err)
	}
	if kept := cap(w.buf); kept > 4*bufferBytes {
		t.Errorf("%d bytes are kept", kept)
	}
}

// full is a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// large returns articles that take 16 times the bytes that are read or written at once.
func large() (all []article.Article) {
	r := rand.New(rand.NewPCG(19, 0))
	for i := range 16 {
		text := make([]byte, bufferBytes/2) // of one word, which nobody types; it is the summary, too
		for at := range text {
			text[at] = 'a' + byte(r.IntN(26))
		}
		all = append(all, note(fmt.Sprint("a", i), "en", "Large", string(text)))
	}
	return all
}

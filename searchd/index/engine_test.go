package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"newsstand/builder/article"
)

// A merge that fails is reported, and tried again after a rest.
func TestTheEngineRestsAfterAMergeThatFailed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := unclosed(t, dir)
	for i := range 3 {
		update(t, x, fmt.Sprint("r", i), []article.Article{note(fmt.Sprint("a", i), "en", "Title", "common words")})
	}
	if err := x.Unmerged(); err != nil {
		t.Errorf("before: %v", err)
	}
	began, merged := time.Now(), make(chan error, 1)
	aside := func(i int) {
		update(t, x, fmt.Sprint("s", i), []article.Article{note("a2", "en", "Title", fmt.Sprint("common words ", i))})
		if err := os.Rename(dir, dir+".aside"); err != nil { // looks to the engine like a full disk
			t.Fatal(err)
		}
		go func() { merged <- x.engine.ForceMerge(t.Context(), nil) }()
	}
	aside(0)
	tries := 1
	eventually(t, "it tells of the merge", func() bool {
		if x.Unmerged() == nil && len(merged) > 0 { // the engine had merged everything before
			<-merged
			if err := os.Rename(dir+".aside", dir); err != nil {
				t.Fatal(err)
			}
			aside(tries)
			tries++
		}
		return x.Unmerged() != nil
	})
	if r := search(t, x, "common", 10); r.Total != 3 {
		t.Errorf("meanwhile %+v", r)
	}
	x.merging.mu.Lock()
	failures := x.merging.failures
	x.merging.mu.Unlock()
	if most := 1 + int(time.Since(began)/minMergeRest); failures > most {
		t.Errorf("%d merges were tried, want %d at most", failures, most)
	}
	x.Close() // the folder is gone
	<-merged
}

// The reason why files cannot be written is the system's error, so that the operator is told the
// right limit.
func TestWhyFilesCannotBeWritten(t *testing.T) {
	for _, want := range []error{syscall.EMFILE, syscall.ENOMEM} {
		dir := filepath.Join(t.TempDir(), "index")
		x := open(t, dir)
		x.failing(scorch.NewScorchError("persister", fmt.Sprintf("got err persisting snapshot: open %s: %v", dir, want), scorch.ErrPersist), dir)
		if err := x.notWritten(); !errors.Is(err, ErrNotWritten) || !errors.Is(err, want) || strings.Contains(err.Error(), dir) {
			t.Errorf("got %v, want ErrNotWritten and %v without the path", err, want)
		}
	}
}

func TestRestAfterMerges(t *testing.T) {
	var m merging
	want := []time.Duration{1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60}
	for i, seconds := range want {
		if got := m.failed(errors.New("full"), 7); got != seconds*time.Second {
			t.Errorf("failure %d: %v, want %d s", i+1, got, seconds)
		}
	}
	if got := m.failed(errors.New("full"), 8); got != minMergeRest {
		t.Errorf("after a merge that succeeded: %v", got)
	}
}

// An engine whose goroutines have ended never writes again, which counts as damage.
func TestAnEngineThatGaveUpIsDamaged(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir)
	update(t, x, "r1", []article.Article{note("a", "en", "A", "first")})
	x.failing(scorch.NewScorchError("merger", "panic: at the disk", scorch.ErrAsyncPanic), dir)
	if err := x.Damage(); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

// An update that could not be written in time is used once the engine has written it after all.
func TestAnUpdateThatIsWrittenLate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir)
	update(t, x, "r1", []article.Article{note("a", "en", "A", "first")})
	if x.Written() {
		t.Error("Written is true although there was nothing to write")
	}
	aside := dir + ".aside"
	if err := os.Rename(dir, aside); err != nil {
		t.Fatal(err)
	}
	if err := x.Update(t.Context(), Update{Revision: "r2", Put: feed(t, note("b", "en", "B", "second")), State: []byte("s2")}); !errors.Is(err, ErrNotWritten) {
		t.Fatalf("got %v, want ErrNotWritten", err)
	}
	if x.Written() || string(x.State()) != "state of r1" {
		t.Errorf("written to a folder that is not there; state %s", x.State())
	}
	if err := os.Rename(aside, dir); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is written", x.Written)
	if r := search(t, x, "second", 10); r.Revision != "r2" || r.Total != 1 || string(x.State()) != "s2" {
		t.Errorf("afterwards %+v, state %s", r, x.State())
	}
	update(t, x, "r3", []article.Article{note("c", "en", "C", "third")})
	if r := search(t, x, "third", 10); r.Revision != "r3" || r.Total != 1 {
		t.Errorf("a later update: %+v", r)
	}
}

// An update waits for a disk that is slow but writes everything.
func TestASlowDiskIsWaitedFor(t *testing.T) {
	x := open(t, t.TempDir())
	w := writer{index: x, failed: x.failedWrites()}
	synctest.Test(t, func(t *testing.T) {
		persisted := make(chan error, 1)
		time.AfterFunc(time.Minute, func() { persisted <- nil })
		if err := w.wait(t.Context(), persisted); err != nil {
			t.Error(err)
		}
	})
}

// If this program panics over an article, the update returns an error, whichever goroutine panics.
func TestAPanicOfAnUpdateIsAnError(t *testing.T) {
	x := open(t, t.TempDir())
	x.languages, x.batchBytes = nil, 100
	for range 2 {
		if err := x.Update(t.Context(), Update{Revision: "r", Put: feed(t, commonWords()...), State: []byte("s")}); !errors.Is(err, ErrDamaged) {
			t.Errorf("got %v, want ErrDamaged", err)
		}
		x.batchBytes = batchBytes
	}
}

// If the caller's iterator of articles panics, the update returns an error too, and leaves no
// goroutine that waits for more articles.
func TestAPanicOfTheArticlesOfAnUpdate(t *testing.T) {
	x := open(t, t.TempDir())
	x.batchBytes = 100
	before := runtime.NumGoroutine()
	panics := func(yield func(string, []byte) bool) {
		for digest, line := range feed(t, commonWords()...) {
			yield(digest, line)
		}
		panic("at the end")
	}
	if err := x.Update(t.Context(), Update{Revision: "r", Put: panics, State: []byte("s")}); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
	eventually(t, "its goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// An index can be open only once. The error is not ErrDamaged, for which the caller would remove
// the folder.
func TestAnIndexIsOpenOnce(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir)
	update(t, x, "r", commonWords())
	if _, err := Open(t.Context(), dir, 0); err == nil || errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want an error that is not ErrDamaged", err)
	}
	if got := search(t, x, "common", 1); got.Total != 50 {
		t.Errorf("%d found in the first", got.Total)
	}
}

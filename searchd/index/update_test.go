package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"newsstand/builder/article"
)

// No answer mixes two revisions, and no search fails while updates run.
func TestSearchDuringUpdates(t *testing.T) {
	x := open(t, t.TempDir())
	revision := func(n int) []article.Article {
		var all []article.Article
		for i := range 20 {
			all = append(all, note(fmt.Sprintf("d%d", i), "en", "Same", fmt.Sprintf("word revision%d", n)))
		}
		return all
	}
	update(t, x, "0", revision(0))
	ctx, stop := context.WithCancel(t.Context())
	var searches sync.WaitGroup
	for range 4 {
		searches.Go(func() {
			for ctx.Err() == nil {
				r := search(t, x, "word", 20)
				if r.Total != 20 {
					t.Errorf("%d found, want 20", r.Total)
				}
				for _, h := range r.Articles {
					if !strings.HasSuffix(h.Excerpt, "revision"+r.Revision) {
						t.Errorf("revision %s holds %q", r.Revision, h.Excerpt)
					}
				}
			}
		})
	}
	searches.Go(func() { // meanwhile, files are merged, taken into use, and read
		for ctx.Err() == nil {
			merging, end := context.WithTimeout(ctx, 5*time.Millisecond)
			err := errors.Join(x.engine.ForceMerge(merging, nil), x.refresh(func(int, int) bool { return true }), x.look(time.Now().Add(time.Hour), func(time.Duration) error { return ctx.Err() }))
			if end(); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		}
	})
	for n := 1; n <= 30; n++ {
		update(t, x, fmt.Sprint(n), revision(n))
	}
	stop()
	searches.Wait()
}

func TestAFailedUpdateChangesNothing(t *testing.T) {
	x := indexOf(t, note("a", "en", "A", "first"))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for name, u := range map[string]Update{
		"no JSON":   {Put: func(yield func(string, []byte) bool) { yield(article.Digest(nil), []byte("{")) }},
		"no id":     {Put: feed(t, note("../x", "en", "A", "second"))},
		"twice":     {Put: feed(t, note("a", "en", "A", "second"), note("a", "en", "A", "third"))},
		"cancelled": {Put: func(yield func(string, []byte) bool) { cancel() }},
	} {
		u.Revision, u.State = "r2", []byte("s2")
		if err := x.Update(ctx, u); err == nil {
			t.Errorf("%s: no error", name)
		}
		if r := search(t, x, "first", 10); r.Revision != "r1" || r.Total != 1 || string(x.State()) != "state of r1" {
			t.Errorf("%s: afterwards %+v, state %s", name, r, x.State())
		}
	}
}

// An update whose folder is gone ends with an error, although the engine tries for ever. A full
// disk looks the same to the engine.
func TestAnUpdateThatCannotBeWrittenEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir)
	update(t, x, "r1", []article.Article{note("a", "en", "A", "first")})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	var why []string
	for range 2 {
		err := x.Update(t.Context(), Update{Revision: "r2", Put: feed(t, note("b", "en", "B", "second")), State: []byte("s2")})
		if !errors.Is(err, ErrNotWritten) {
			t.Errorf("got %v, want ErrNotWritten", err)
		}
		why = append(why, err.Error())
	}
	if !strings.HasSuffix(why[0], "no such file or directory") {
		t.Errorf("the error does not say why: %s", why)
	}
	if tried, most := x.failedWrites(), uint64(time.Since(began)/writeRest)+2; tried > most {
		t.Errorf("the engine tried %d times in %v, want %d at most: it takes a processor from the searches", tried, time.Since(began), most)
	}
	if r := search(t, x, "first", 10); r.Revision != "r1" || r.Total != 1 {
		t.Errorf("afterwards %+v", r)
	}
}

func TestABuildThatCannotBeWrittenEnds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "index")
	x := open(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	x.batchBytes = 1 << 20
	var many []article.Article
	for i := range 20_000 {
		many = append(many, note(fmt.Sprint("a", i), "en", "A", "first"))
	}
	if err := x.Update(t.Context(), Update{Revision: "r1", Put: feed(t, many...), State: []byte("s1")}); !errors.Is(err, ErrNotWritten) {
		t.Errorf("got %v, want ErrNotWritten", err)
	}
}

func TestABuildInManyBatches(t *testing.T) {
	whole, parts := open(t, t.TempDir()), open(t, t.TempDir())
	parts.batchBytes = 2000
	update(t, whole, "r1", commonWords())
	update(t, parts, "r1", commonWords())
	if a, b := atomic.LoadUint64(&whole.stats().TotBatches), atomic.LoadUint64(&parts.stats().TotBatches); a != 1 || b < 4 {
		t.Fatalf("%d and %d batches, want 1 and many", a, b)
	}
	for _, query := range []string{"common word", "number7", "title 12", "numbr33", `"common word number4"`} {
		if got, want := search(t, parts, query, 20), search(t, whole, query, 20); !reflect.DeepEqual(got, want) {
			t.Errorf("%s\n%v\nin one batch\n%v", query, got, want)
		}
	}
}

func TestAnArticleThatComesTwice(t *testing.T) {
	x := open(t, t.TempDir())
	for _, u := range []Update{
		{Revision: "r1", Put: feed(t, note("a", "en", "A", "one"), note("a", "en", "A", "two")), State: []byte("s1")},
		{Revision: "r2", Put: feed(t, note("a", "en", "A", "one"), note("a", "en", "A", "two")), State: []byte("s2")},
		{Revision: "r2", Put: feed(t, note("a", "en", "A", "one")), Delete: []string{"a"}, State: []byte("s2")},
	} {
		if err := x.Update(t.Context(), u); !errors.Is(err, ErrArticle) || !strings.Contains(err.Error(), "a comes twice") {
			t.Errorf("%s: got %v", u.Revision, err)
		}
		if u.Revision == "r1" {
			update(t, x, "r1", []article.Article{note("b", "en", "B", "first")})
		}
	}
}

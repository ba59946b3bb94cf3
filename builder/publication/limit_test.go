//go:build unix

package publication

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// A folder that cannot be read for want of open files is not damaged: the articles that a build
// keeps from it would be taken down.
func TestTooManyOpenFilesAreNoDamage(t *testing.T) {
	dir := t.TempDir()
	site("x", 10).write(t, dir, nil)
	failed := 0
	for more := range 12 {
		restore := articletest.FewFiles(t, more)
		w, err := Begin(t.Context(), dir, nil)
		restore()
		if err != nil {
			failed++
			continue
		}
		if last, damaged := w.Last(); last == nil {
			t.Errorf("with %d more files it is damaged: %v", more, damaged)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
	if failed == 0 || failed == 12 {
		t.Errorf("%d of 12 limits were too low", failed)
	}
}

// The list of a build that is to be finished stays where a writer cannot see whether there is one.
func TestAListThatCannotBeSeenStays(t *testing.T) {
	dir := t.TempDir()
	site("x", 10).write(t, dir, nil)
	restore := func() {}
	w, err := begin(t.Context(), dir, nil, func() { restore() })
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, stateFolder), 0o755))
	must(t, os.WriteFile(filepath.Join(dir, commitList), nil, 0o644))
	restore = articletest.FewFiles(t, 0)
	err = w.Close()
	restore()
	if err == nil {
		t.Error("nothing is said")
	}
	if _, err := os.Lstat(filepath.Join(dir, commitList)); err != nil {
		t.Error(err)
	}
}

// A step that the system refuses ends the build with an error, and leaves the old build or the new
// one, whole; the next build goes on as if nothing had been.
func TestEachStepMayFail(t *testing.T) {
	old, next, before := crashOld(), crashNew(), t.TempDir()
	old.write(t, before, nil)
	failed := 0
	for step := 0; ; step++ {
		dir := copyOf(t, before)
		steps, restore := 0, func() {}
		w, err := begin(t.Context(), dir, nil, func() {
			restore()
			if restore = func() {}; steps == step {
				restore = articletest.FewFiles(t, 0)
			}
			steps++
		})
		if err == nil {
			_, err = next.fill(t, w)
			restore()
			err = errors.Join(err, w.Close())
		}
		if steps <= step {
			break
		}
		if err == nil {
			next.wantWhole(t, dir)
			continue
		}
		failed++
		p, err := Open(os.DirFS(dir))
		must(t, err)
		if got := read(t, p); !maps.Equal(got, old.articles) && !maps.Equal(got, next.articles) {
			t.Fatalf("step %d: a reader finds %v", step, got)
		}
		next.write(t, dir, nil)
		next.wantWhole(t, dir)
	}
	if failed < 10 {
		t.Errorf("%d steps failed", failed)
	}
}

// Where the system cannot say that all that the manifest names is on the disk, the manifest stays;
// where it cannot say so of the manifest, nothing goes.
func TestAFlushFails(t *testing.T) {
	old, next := crashOld(), crashNew()
	for _, after := range []struct {
		name  string
		isNew bool // whether the manifest is
		file  string
	}{{"all but the manifest", false, lastOfNew}, {"the manifest", true, article.ManifestPath}} {
		dir := t.TempDir()
		former := old.write(t, dir, nil).Manifest
		was := tree(t, dir)[after.file]
		var restore func()
		w, err := begin(t.Context(), dir, nil, func() {
			if restore == nil && tree(t, dir)[after.file] != was {
				restore = articletest.FewFiles(t, 0)
			}
		})
		must(t, err)
		_, err = next.fill(t, w)
		restore()
		if must(t, w.Close()); err == nil {
			t.Errorf("after %s: no error", after.name)
		}
		p, err := Open(os.DirFS(dir))
		must(t, err)
		if isNew := p.Manifest().Revision != former.Revision; isNew != after.isNew {
			t.Errorf("after %s: the manifest is new: %t", after.name, isNew)
		}
		if _, err := os.Lstat(filepath.Join(dir, firstToGo)); err != nil {
			t.Errorf("after %s: %v", after.name, err)
		}
		next.write(t, dir, nil)
		next.wantWhole(t, dir)
	}
}

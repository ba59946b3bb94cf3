//go:build unix

package publication

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
)

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
	if _, err := Begin(t.Context(), dir, nil); hinted.Hint(err) != startAnew {
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

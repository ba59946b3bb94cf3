package dir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
)

// must ends the test over an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newDir(t *testing.T) (*Dir, string) {
	t.Helper()
	at := t.TempDir()
	root, err := os.OpenRoot(at)
	must(t, err)
	d := New(root)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, at
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
}

func TestFilesAreThoseOfTheRoot(t *testing.T) {
	d, at := newDir(t)
	var names []string
	for i := range 2 * mostKept { // some folders are not kept
		names = append(names, fmt.Sprintf("folder %d/below/file", i), fmt.Sprintf("folder %d/file", i))
	}
	names = append(names, "file")
	for _, name := range names {
		write(t, filepath.Join(at, name), "text of "+name)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if err := fstest.TestFS(d.FS(), names...); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, name := range names {
		if data, err := fs.ReadFile(d.FS(), name); err != nil || string(data) != "text of "+name {
			t.Errorf("%s has %q, %v", name, data, err)
		}
		if info, err := d.Lstat(name); err != nil || info.Size() != int64(len("text of "+name)) {
			t.Errorf("%s is %v, %v", name, info, err)
		}
	}
}

// What is forgotten is closed, and looked for anew: another folder may have its name.
func TestForgottenFoldersAreClosed(t *testing.T) {
	d, at := newDir(t)
	before := openFiles(t)
	for i := range 2 * mostKept {
		name := fmt.Sprintf("folder %d/file", i)
		write(t, filepath.Join(at, name), "text")
		_, err := d.Lstat(name)
		must(t, err)
	}
	if more := openFiles(t) - before; more > 2*mostKept { // a root and a file for each
		t.Errorf("%d files stay open, more than twice %d", more, mostKept)
	}
	must(t, os.Rename(filepath.Join(at, "folder 1"), filepath.Join(at, "other")))
	write(t, filepath.Join(at, "folder 1/new"), "text")
	must(t, d.Forget())
	if more := openFiles(t) - before; more > 0 {
		t.Errorf("%d files stay open of folders that are forgotten", more)
	}
	if _, err := d.Lstat("folder 1/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file of the folder that had the name before: %v", err)
	}
	if entries, err := fs.ReadDir(d.FS(), "folder 1"); err != nil || len(entries) != 1 || entries[0].Name() != "new" {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// openFiles is how many files this process has open; 0 where the system does not tell.
func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return len(entries)
}

func TestFilesLookAsTheyAre(t *testing.T) {
	d, at := newDir(t)
	write(t, filepath.Join(at, "folder/file"), "text")
	for _, mode := range []fs.FileMode{0o644, 0o751, 0o600, 0o644 | fs.ModeSetuid, 0o755 | fs.ModeSticky} {
		must(t, os.Chmod(filepath.Join(at, "folder/file"), mode))
		want, err := os.Lstat(filepath.Join(at, "folder/file"))
		must(t, err)
		got, err := d.Lstat("folder/file")
		must(t, err)
		if got.Name() != want.Name() || got.Size() != want.Size() || got.Mode() != want.Mode() || !got.ModTime().Equal(want.ModTime()) || got.IsDir() {
			t.Errorf("it looks like %v, want %v", got, want)
		}
	}
	if _, err := d.Lstat("folder/missing"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

// An error of reading names the file as one of the root does: by its path, not by the last part of
// that.
func TestFilesAreNamedByTheirPath(t *testing.T) {
	d, at := newDir(t)
	write(t, filepath.Join(at, "a/b/file"), "text")
	for name, flag := range map[string]int{"a/b/file": os.O_RDONLY, "a/b/new": os.O_WRONLY | os.O_CREATE | os.O_EXCL} {
		got, err := d.OpenFile(name, flag, 0o644)
		must(t, err)
		want, err := d.Root.Open(name)
		must(t, err)
		if got.Name() != want.Name() {
			t.Errorf("%s is called %s, want %s", name, got.Name(), want.Name())
		}
		if err := errors.Join(got.Close(), want.Close()); err != nil {
			t.Error(err)
		}
	}
}

// Some file systems do not tell kinds in a listing: then each file is looked for by the name that
// the folder was opened by.
func TestListedFilesAreWhereTheyLie(t *testing.T) {
	d, at := newDir(t)
	write(t, filepath.Join(at, "a/b/file"), "text")
	in, _, ok := d.in("a/b/file")
	if !ok {
		t.Fatal("the folder is not kept")
	}
	entries, err := in.entries()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || len(entries) != 1 {
		t.Fatalf("it holds %v, %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || info.Size() != int64(len("text")) {
		t.Errorf("the file is %v, %v", info, err)
	}
	if entries, err := fs.ReadDir(d.FS(), "a/b/file"); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("a file holds %v, %v", entries, err)
	}
}

// A folder that is kept open is read on where it was moved, which can be known.
func TestMoved(t *testing.T) {
	d, at := newDir(t)
	write(t, filepath.Join(at, "a/file"), "text")
	write(t, filepath.Join(at, "b/c/file"), "text")
	for _, step := range []struct {
		what string
		do   func() error
		want string
	}{
		{"nothing", func() error { return nil }, ""},
		{"gone", func() error { return os.Rename(filepath.Join(at, "a"), filepath.Join(at, "d")) }, "a"},
		{"another", func() error { return os.Mkdir(filepath.Join(at, "a"), 0o755) }, "a"},
		{"back", func() error {
			return errors.Join(os.Remove(filepath.Join(at, "a")), os.Rename(filepath.Join(at, "d"), filepath.Join(at, "a")))
		}, ""},
		{"the folder around it", func() error { return os.Rename(filepath.Join(at, "b"), filepath.Join(at, "d")) }, "b/c"},
	} {
		must(t, step.do())
		for _, name := range []string{"a/file", "b/c/file"} {
			if text, err := fs.ReadFile(d.FS(), name); err != nil || string(text) != "text" {
				t.Errorf("%s: %s is %q, %v", step.what, name, text, err)
			}
		}
		if got := d.Moved(); got != step.want {
			t.Errorf("%s: %q was moved, want %q", step.what, got, step.want)
		}
	}
}

// A link to a folder is followed each time, so it can be told where it leads now.
func TestLinksToFoldersAreNotKept(t *testing.T) {
	for _, name := range []string{"link/file", "link/below/file"} {
		d, at := newDir(t)
		write(t, filepath.Join(at, "one", strings.TrimPrefix(name, "link/")), "one")
		write(t, filepath.Join(at, "other", strings.TrimPrefix(name, "link/")), "other")
		for _, to := range []string{"one", "other"} {
			must(t, errors.Join(os.RemoveAll(filepath.Join(at, "link")), os.Symlink(to, filepath.Join(at, "link"))))
			if text, err := fs.ReadFile(d.FS(), name); err != nil || string(text) != to {
				t.Errorf("%s is %q, %v, want %q", name, text, err, to)
			}
		}
	}
}

func TestNothingLeadsOut(t *testing.T) {
	d, at := newDir(t)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret"), "secret")
	write(t, filepath.Join(at, "a/file"), "text")
	for name, target := range map[string]string{"a/out": filepath.Join(outside, "secret"), "b": outside, "a/in": "../a/file", "c": "a"} {
		if err := os.Symlink(target, filepath.Join(at, name)); err != nil {
			t.Skip(err)
		}
	}
	for range 2 { // also once the folders are kept
		for _, name := range []string{"a/out", "b/secret", "../" + filepath.Base(outside) + "/secret", "a/../../x"} {
			if _, err := d.Open(name); err == nil {
				t.Errorf("%s can be opened", name)
			}
			if _, err := d.FS().Open(name); err == nil {
				t.Errorf("%s can be opened as a file of an FS", name)
			}
			if info, err := fs.Stat(d.FS(), name); err == nil {
				t.Errorf("%s can be looked at through an FS: %v", name, info)
			}
		}
		for _, name := range []string{"a/in", "c/file"} { // as the root has it
			if data, err := fs.ReadFile(d.FS(), name); err != nil || string(data) != "text" {
				t.Errorf("%s has %q, %v", name, data, err)
			}
			if info, err := fs.Stat(d.FS(), name); err != nil || !info.Mode().IsRegular() {
				t.Errorf("%s is %v, %v", name, info, err)
			}
		}
		for _, name := range []string{"b/secret", "../x", "a/../../x", "missing/file", "a/file/below"} {
			if info, err := d.Lstat(name); err == nil {
				t.Errorf("%s is %v", name, info)
			}
		}
		entries, err := fs.ReadDir(d.FS(), "a")
		if err != nil || len(entries) != 3 {
			t.Fatalf("a holds %v, %v", entries, err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if isLink := e.Name() != "file"; err != nil || isLink != (e.Type() == fs.ModeSymlink) || info.Mode().Type() != e.Type() {
				t.Errorf("%s is listed as %v, %v", e.Name(), info, err)
			}
		}
		if info, err := d.Lstat("a/out"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("a/out is %v, %v", info, err)
		}
	}
}

func TestFilesAreMadeAndRenamed(t *testing.T) {
	d, at := newDir(t)
	must(t, os.MkdirAll(filepath.Join(at, "stage/a"), 0o755))
	make := func(text string) {
		t.Helper()
		f, err := d.OpenFile("stage/1", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		must(t, err)
		_, err = f.WriteString(text)
		must(t, errors.Join(err, f.Close()))
	}
	make("first")
	if _, err := d.OpenFile("stage/1", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there was made: %v", err)
	}
	if err := d.Rename("stage/1", "b/file"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("renamed into a folder that is not there: %v", err)
	}
	for _, text := range []string{"first", "second"} {
		must(t, d.MkdirAll("b", 0o755))
		must(t, d.Rename("stage/1", "b/file"))
		if data, err := os.ReadFile(filepath.Join(at, "b/file")); err != nil || string(data) != text {
			t.Errorf("the file has %q, %v", data, err)
		}
		must(t, d.RemoveAll("b"))
		must(t, d.Forget())
		make("second")
	}
}

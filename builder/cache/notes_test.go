package cache

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// looked is a folder as Hold looks at it.
type looked struct{ *os.Root }

func (l looked) List(name string) ([]fs.DirEntry, error) { return fs.ReadDir(l.FS(), name) }

// What is asked of a folder holds until something of it is another, and no longer.
func TestNotesHold(t *testing.T) {
	ask := func(t *testing.T, at fs.FS) {
		for _, name := range []string{"file", "folder/file", "missing", "folder/missing"} {
			fs.ReadFile(at, name)
		}
		fs.Stat(at, "folder/looked at")
		fs.Stat(at, "folder")
		if entries, err := fs.ReadDir(at, "folder"); err != nil || len(entries) != 3 {
			t.Fatalf("the folder has %v, %v", entries, err)
		}
		fs.ReadDir(at, "missing too")
	}
	old := time.Now().Add(-time.Hour)
	for name, change := range map[string]func(at string) error{
		"":                           func(string) error { return nil },
		"nothing that was asked for": func(at string) error { return os.WriteFile(filepath.Join(at, "other"), []byte("1"), 0o644) },
		"a file that was read":       func(at string) error { return os.WriteFile(filepath.Join(at, "file"), []byte("TEXT"), 0o644) },
		"a file in a folder":         func(at string) error { return os.WriteFile(filepath.Join(at, "folder/file"), []byte("TEXT"), 0o644) },
		"a file that was looked at": func(at string) error {
			return os.Chtimes(filepath.Join(at, "folder/looked at"), time.Time{}, old.Add(1))
		},
		"a file in place of another": func(at string) error { return os.Rename(filepath.Join(at, "folder/listed"), filepath.Join(at, "file")) },
		"a file that is gone":        func(at string) error { return os.Remove(filepath.Join(at, "file")) },
		"a missing file":             func(at string) error { return os.WriteFile(filepath.Join(at, "missing"), nil, 0o644) },
		"a missing folder":           func(at string) error { return os.Mkdir(filepath.Join(at, "missing too"), 0o755) },
		"a missing file in a folder": func(at string) error { return os.WriteFile(filepath.Join(at, "folder/missing"), nil, 0o644) },
		"one more name":              func(at string) error { return os.WriteFile(filepath.Join(at, "folder/new"), nil, 0o644) },
		"one name less":              func(at string) error { return os.Remove(filepath.Join(at, "folder/listed")) },
		"another name": func(at string) error {
			return os.Rename(filepath.Join(at, "folder/listed"), filepath.Join(at, "folder/new"))
		},
		"a folder in place of a file": func(at string) error { return replace(filepath.Join(at, "folder/listed"), os.Mkdir) },
		"a file in place of the folder": func(at string) error {
			return replace(filepath.Join(at, "folder"), func(name string, _ fs.FileMode) error { return os.WriteFile(name, nil, 0o644) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := t.TempDir()
			must(t, os.Mkdir(filepath.Join(at, "folder"), 0o755))
			for _, name := range []string{"file", "folder/file", "folder/looked at", "folder/listed"} {
				name = filepath.Join(at, name)
				must(t, os.WriteFile(name, []byte("text"), 0o644))
				must(t, os.Chtimes(name, old, old))
			}
			root, err := os.OpenRoot(at)
			must(t, err)
			defer root.Close()
			var n Notes
			asked := n.Noting(root.FS(), time.Now().Add(time.Hour))
			ask(t, asked)
			noted := len(n.blocks[0])
			if ask(t, asked); len(n.blocks[0]) != noted {
				t.Error("what is asked twice is noted twice")
			}
			c := New()
			if !n.Put(c, 'n') {
				t.Fatal("the notes are in doubt")
			}
			must(t, change(at))
			if got, want := Hold(c, 'n', looked{root}), name == "" || name[0] == 'n'; got != want {
				t.Errorf("they hold: %t", got)
			}
		})
	}
}

func replace(name string, by func(name string, perm fs.FileMode) error) error {
	if err := os.RemoveAll(name); err != nil {
		return err
	}
	return by(name, 0o755)
}

// A file that was written just now is known by its bytes, or not at all.
func TestNotesOfANewFile(t *testing.T) {
	at := t.TempDir()
	write := func(text string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(at, "file"), []byte(text), 0o644))
	}
	write("text")
	root, err := os.OpenRoot(at)
	must(t, err)
	defer root.Close()
	var n Notes
	n.Bytes("file", sha256.Sum256([]byte("text")))
	c := New()
	if !n.Put(c, 'n') || !Hold(c, 'n', looked{root}) {
		t.Error("the bytes are not known")
	}
	write("TEXT")
	if Hold(c, 'n', looked{root}) {
		t.Error("other bytes are the same")
	}
	write("text")
	name, other := filepath.Join(at, "file"), filepath.Join(at, "other")
	must(t, errors.Join(os.Rename(name, other), os.Symlink("other", name)))
	if Hold(c, 'n', looked{root}) {
		t.Error("a link is the same as the file")
	}
	must(t, errors.Join(os.Remove(name), os.Rename(other, name)))
	fs.ReadFile(n.Noting(root.FS(), time.Now()), "file")
	if n.Put(c, 'n') {
		t.Error("a stamp that shows no change is trusted")
	}
}

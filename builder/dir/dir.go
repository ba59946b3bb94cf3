// Package dir opens, looks at and renames the files of a folder with few system calls. An [os.Root]
// walks to each file anew, folder by folder; a [Dir] keeps open the folders that it has been to. It
// is as safe as the root: it leaves to the root whatever is not a regular file in one of these
// folders, such as a symbolic link.
package dir

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Dir is a folder. It is safe for concurrent use.
type Dir struct {
	*os.Root
	mu   sync.RWMutex
	kept map[string]folder // by path; mu
}

// mostKept bounds the open folders: a site may have one for each article. Ten years have 120
// months.
const mostKept = 128

// New returns the folder of a root. Closing it closes the root.
func New(root *os.Root) *Dir { return &Dir{Root: root, kept: map[string]folder{}} }

// Forget closes the folders that were kept open. Call it when some of them may have been removed or
// replaced, and while nobody uses the Dir.
func (d *Dir) Forget() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	for _, f := range d.kept {
		err = errors.Join(err, f.close())
	}
	clear(d.kept)
	return err
}

// Moved returns a folder that was kept open and no longer lies where it did, so that its files were
// perhaps read somewhere else; "" if there is none.
func (d *Dir) Moved() string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for at, f := range d.kept {
		there, gone := d.Root.Lstat(at)
		if kept, err := f.root.Stat("."); err != nil || gone != nil || !os.SameFile(kept, there) {
			return at
		}
	}
	return ""
}

// Close closes the Dir and its root.
func (d *Dir) Close() error { return errors.Join(d.Forget(), d.Root.Close()) }

// in returns the kept folder of a file, and the file's name in it; ok is false where its folder is
// not kept open.
func (d *Dir) in(name string) (f folder, base string, ok bool) {
	if !fs.ValidPath(name) {
		return f, "", false
	}
	at, base := path.Split(name)
	if at == "" {
		return f, "", false // the root is open
	}
	at = at[:len(at)-1]
	d.mu.RLock()
	f, ok = d.kept[at]
	full := len(d.kept) >= mostKept
	d.mu.RUnlock()
	if ok || full {
		return f, base, ok
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if f, ok = d.kept[at]; !ok && len(d.kept) < mostKept {
		if f, ok = d.keep(at); ok {
			d.kept[at] = f
		}
	}
	return f, base, ok
}

// keep opens a folder, if it is one, and no link to one: what is read in it would stay that of a
// link that is long gone.
func (d *Dir) keep(at string) (f folder, ok bool) {
	is, err := d.Root.Lstat(at)
	if err != nil || !is.IsDir() { // to open a pipe waits for its writer
		return f, false
	}
	for around := path.Dir(at); around != "."; around = path.Dir(around) {
		if info, err := d.Root.Lstat(around); err != nil || !info.IsDir() {
			return f, false
		}
	}
	if f, err = open(d.Root, at); err != nil {
		return f, false
	}
	if opened, err := f.root.Stat("."); err != nil || !os.SameFile(is, opened) {
		f.close()
		return f, false
	}
	return f, true
}

// Lstat is as os.Root.Lstat.
func (d *Dir) Lstat(name string) (fs.FileInfo, error) {
	if f, base, ok := d.in(name); ok {
		return f.lstat(base)
	}
	return d.Root.Lstat(name)
}

// Open is as os.Root.Open.
func (d *Dir) Open(name string) (*os.File, error) { return d.OpenFile(name, os.O_RDONLY, 0) }

// OpenFile is as os.Root.OpenFile.
func (d *Dir) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if f := d.open(name, flag, perm); f != nil {
		return f, nil
	}
	return d.Root.OpenFile(name, flag, perm)
}

// open opens a file of a kept folder; it returns nil if that is left to the root.
func (d *Dir) open(name string, flag int, perm fs.FileMode) *os.File {
	if in, base, ok := d.in(name); ok {
		if f, err := in.openFile(base, flag, perm); err == nil {
			return f
		}
	}
	return nil
}

// Rename is as os.Root.Rename.
func (d *Dir) Rename(from, to string) error {
	if f, base, ok := d.in(from); ok {
		if t, name, ok := d.in(to); ok && f.rename(base, t, name) == nil {
			return nil
		}
	}
	return d.Root.Rename(from, to)
}

// FS is as os.Root.FS.
func (d *Dir) FS() fs.FS { return files{d.Root.FS(), d} }

// files are those of a Dir.
type files struct {
	fs.FS
	dir *Dir
}

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if file := f.dir.open(name, os.O_RDONLY, 0); file != nil {
		return file, nil
	}
	return f.FS.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (f files) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := f.dir.List(name)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// List returns the entries of a folder, in any order.
func (d *Dir) List(name string) ([]fs.DirEntry, error) {
	if in, _, ok := d.in(path.Join(name, "file")); ok {
		if entries, err := in.entries(); err == nil {
			for i, e := range entries {
				entries[i] = entry{e, d, name}
			}
			return entries, nil
		}
	}
	if info, err := d.Root.Stat(name); err == nil && !info.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: syscall.ENOTDIR}
	}
	return fs.ReadDir(d.Root.FS(), name)
}

// entry is an entry of a kept folder. It looks at the file through the Dir.
type entry struct {
	fs.DirEntry
	dir *Dir
	in  string
}

// Info implements fs.DirEntry.
func (e entry) Info() (fs.FileInfo, error) { return e.dir.Lstat(path.Join(e.in, e.Name())) }

// Lstat implements fs.ReadLinkFS.
func (f files) Lstat(name string) (fs.FileInfo, error) { return f.dir.Lstat(name) }

// ReadLink implements fs.ReadLinkFS.
func (f files) ReadLink(name string) (string, error) { return f.dir.Readlink(name) }

// Stat implements fs.StatFS.
func (f files) Stat(name string) (fs.FileInfo, error) {
	if info, err := f.dir.Lstat(name); err == nil && info.Mode().IsRegular() {
		return info, nil
	}
	return fs.Stat(f.FS, name)
}

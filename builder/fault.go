package builder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"syscall"

	"newsstand/builder/dir"
	"newsstand/builder/source"
)

// scan is source.Scan, except that it fails if the system failed at any file. Source asks for
// hundreds of files that need not be there, and takes one that it cannot look at for present or
// absent, whichever its rules suggest. But a site with another configuration is another site: if
// its network disk was gone for a moment, every article would be taken down.
func scan(ctx context.Context, content fs.FS, o source.Options) (*source.Folder, error) {
	c, a := &faults{FS: content}, &faults{FS: o.Around}
	if o.Around != nil {
		o.Around = a
	}
	folder, err := source.Scan(ctx, c, o)
	if fault := cmp.Or(c.get(), a.get()); fault != nil && ctx.Err() == nil { // whatever Scan made of it
		return nil, fmt.Errorf("read content: %w", fault)
	}
	return folder, err
}

// faults is a folder that remembers the first fault of the system.
type faults struct {
	fs.FS

	mu    sync.Mutex
	first error // mu
}

// isFault reports whether an error says nothing about a file, only that the system could not look
// at it or read it.
func isFault(err error) bool { return dir.Transient(err) || errors.Is(err, syscall.EIO) }

func (f *faults) note(err error) {
	if err == nil || !isFault(err) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.first = cmp.Or(f.first, err)
}

func (f *faults) get() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// Open implements fs.FS.
func (f *faults) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	f.note(err)
	if err != nil {
		return nil, err
	}
	return opened{file, f}, nil
}

// opened is a file of such a folder.
type opened struct {
	fs.File
	in *faults
}

func (o opened) Read(b []byte) (int, error) {
	n, err := o.File.Read(b)
	o.in.note(err)
	return n, err
}

// Stat implements fs.StatFS.
func (f *faults) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(f.FS, name)
	f.note(err)
	return info, err
}

// Lstat implements fs.ReadLinkFS.
func (f *faults) Lstat(name string) (fs.FileInfo, error) {
	info, err := fs.Lstat(f.FS, name)
	f.note(err)
	return info, err
}

// ReadLink implements fs.ReadLinkFS.
func (f *faults) ReadLink(name string) (string, error) {
	target, err := fs.ReadLink(f.FS, name)
	f.note(err)
	return target, err
}

// ReadDir implements fs.ReadDirFS.
func (f *faults) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	f.note(err)
	return entries, err
}

package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"newsstand/builder/cache"
	"newsstand/builder/hinted"
	"newsstand/builder/source/frontmatter"
)

// maxFileBytes is the largest size of an article's file. A long novel takes a tenth of it.
const maxFileBytes = 10 << 20

// tooLarge is the error of a file above maxFileBytes.
type tooLarge struct{}

func (tooLarge) Error() string { return fmt.Sprintf("the file is larger than %d MB", maxFileBytes>>20) }

// readFile reads a file of at most maxFileBytes, into buf if it fits, and returns the stamp that
// the file had before it was read.
func readFile(fsys fs.FS, name string, buf []byte) ([]byte, cache.Stamp, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return buf, cache.Stamp{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buf, cache.Stamp{}, err
	}
	stamp := cache.StampOf(info)
	if info.Size() > maxFileBytes {
		return buf, stamp, tooLarge{}
	}
	b := bytes.NewBuffer(buf[:0])
	b.Grow(int(info.Size()) + bytes.MinRead)
	_, err = b.ReadFrom(io.LimitReader(f, maxFileBytes+1))
	if err == nil && b.Len() > maxFileBytes {
		err = tooLarge{}
	}
	return b.Bytes(), stamp, err
}

// InPlace returns a [ChangedError] if a link has taken the place of a file or folder that was read:
// what is behind it may not be published.
func InPlace(fsys fs.FS, name string) error {
	info, err := fs.Lstat(fsys, name)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		err = ChangedError{name}
	}
	return err
}

// ChangedError says that a file was changed or removed after the folder was scanned, or that a file
// or folder was during the scan. What the scan decided about articles, such as whether they are
// drafts, may no longer hold: scan again.
type ChangedError struct{ Path string }

func (e ChangedError) Error() string { return e.Path + " was changed while it was read" }

// isAbsent reports whether an error says that there is no such file. That includes ENOTDIR: a
// segment of the path may be a file instead of a folder.
func isAbsent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// leadsOut reports whether an error says that a path leads over a link out of the folder, or in a
// circle. For the former, package os has no error that can be compared.
func leadsOut(err error) bool {
	var number syscall.Errno
	return err != nil && (!errors.As(err, &number) || number == syscall.ELOOP)
}

// readOptional reads a file of settings that may be absent; it returns nil, nil then. fsys may be
// nil.
func readOptional(fsys fs.FS, name string) ([]byte, error) {
	if fsys == nil {
		return nil, nil
	}
	info, err := fs.Stat(fsys, name)
	switch {
	case isAbsent(err):
		return nil, nil
	case leadsOut(err):
		return nil, hinted.Error(fmt.Errorf("read settings: %w", err), "put a file in its place: a link to one must stay within the folder")
	case err != nil:
		return nil, fmt.Errorf("read settings: %w", err)
	case !info.Mode().IsRegular(): // a pipe would never end
		return nil, hinted.Error(fmt.Errorf("read settings: %s is not a regular file", name), "put a file in its place, or remove it")
	case info.Size() > frontmatter.MaxBytes:
		return nil, hinted.Error(fmt.Errorf("read settings: %s is larger than %d kB", name, frontmatter.MaxBytes>>10),
			"keep in it what is a setting, and data in files of their own")
	}
	data, err := fs.ReadFile(fsys, name)
	switch {
	case isAbsent(err):
		return nil, ChangedError{name}
	case err != nil:
		return nil, fmt.Errorf("read settings: %w", err)
	}
	return data, nil
}

func isDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}

// hasFolder reports whether one of these folders exists.
func hasFolder(fsys fs.FS, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return isDir(fsys, name) })
}

func isFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}

// isAmong reports whether a path is one of the sorted paths.
func isAmong(sorted []string, p string) bool {
	_, found := slices.BinarySearch(sorted, p)
	return found
}

// withoutExt returns a path, or the name of a file, without its extension.
func withoutExt(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

//go:build !linux

package dir

import (
	"errors"
	"io/fs"
	"os"
)

// folder is one that is kept open.
type folder struct{ root *os.Root }

func open(root *os.Root, name string) (folder, error) {
	sub, err := root.OpenRoot(name)
	return folder{sub}, err
}

func (f folder) close() error { return f.root.Close() }

func (f folder) openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return f.root.OpenFile(name, flag, perm)
}

func (f folder) lstat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }

// rename is the root's business: no root renames into another.
func (f folder) rename(string, folder, string) error { return errors.ErrUnsupported }

// entries are the root's business.
func (f folder) entries() ([]fs.DirEntry, error) { return nil, errors.ErrUnsupported }

package dir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// folder is one that is kept open, as a root and as a file for system calls.
type folder struct {
	root *os.Root
	file *os.File
}

func open(root *os.Root, name string) (folder, error) {
	sub, err := root.OpenRoot(name)
	if err != nil {
		return folder{}, err
	}
	file, err := sub.Open(".")
	if err != nil {
		return folder{}, errors.Join(err, sub.Close())
	}
	return folder{sub, file}, nil
}

func (f folder) close() error { return errors.Join(f.file.Close(), f.root.Close()) }

// openFile opens a regular file. The root would make five more system calls, to try to wait for it
// as for a network connection.
func (f folder) openFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	for {
		fd, err := unix.Openat(int(f.file.Fd()), name, flag|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(perm.Perm()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, err
		}
		file := os.NewFile(uintptr(fd), filepath.Join(f.file.Name(), name)) // errors name it so
		if flag&os.O_EXCL != 0 {                                            // it was made just now
			return file, nil
		}
		if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
			return nil, errors.Join(err, errors.ErrUnsupported, file.Close())
		}
		return file, nil
	}
}

// lstat looks at a regular file by one system call, and leaves everything else to the root.
func (f folder) lstat(name string) (fs.FileInfo, error) {
	i := &info{name: name}
	err := unix.Fstatat(int(f.file.Fd()), name, &i.stat, unix.AT_SYMLINK_NOFOLLOW)
	if err != nil || i.stat.Mode&unix.S_IFMT != unix.S_IFREG || i.stat.Mode&^(unix.S_IFMT|0o777) != 0 {
		return f.root.Lstat(name)
	}
	return i, nil
}

// info is what lstat tells of a regular file.
type info struct {
	name string
	stat unix.Stat_t
}

// Name implements fs.FileInfo, as all that follow.
func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.stat.Size }
func (i *info) Mode() fs.FileMode  { return fs.FileMode(i.stat.Mode & 0o777) }
func (i *info) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i *info) IsDir() bool        { return false }
func (i *info) Sys() any           { return &i.stat }

func (f folder) rename(name string, to folder, toName string) error {
	for {
		err := unix.Renameat(int(f.file.Fd()), name, int(to.file.Fd()), toName)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// entries lists the folder. The root would also look at each file of it, one after the other.
func (f folder) entries() ([]fs.DirEntry, error) {
	fd, err := unix.Openat(int(f.file.Fd()), ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(fd), f.file.Name()) // ReadDir needs the name where the file system does not say what kind of file an entry is
	entries, err := file.ReadDir(-1)
	return entries, errors.Join(err, file.Close())
}

package builder

import (
	"errors"
	"io/fs"
	"syscall"

	"newsstand/builder/hinted"
)

// advise adds to an error of the system what the user can do, where nothing says that yet.
func (o Options) advise(err error) error {
	switch {
	case err == nil || hinted.Hint(err) != "":
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return hinted.Error(err, "make room on the disk of "+o.Public+", or for more files on it (df -i), and build again")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return hinted.Error(err, "let the builder read and write "+o.Public+" and everything in it, or publish into another folder with --public")
	case errors.Is(err, syscall.ENOTDIR):
		return hinted.Error(err, "a file lies where a folder must be; publish into another folder with --public")
	case errors.Is(err, fs.ErrExist), errors.Is(err, syscall.ELOOP): // of a folder that is made where there is none
		return hinted.Error(err, "see where the symbolic link "+o.Public+" leads, or publish into another folder with --public")
	case errors.Is(err, syscall.EBUSY): // to replace a file over which another is mounted, as into a container
		return hinted.Error(err, "mount the folder "+o.Public+" as a whole, not single files of it")
	case errors.Is(err, syscall.EMFILE):
		return hinted.Error(err, moreFiles)
	case isFault(err):
		return hinted.Error(err, "see that the disk of "+o.Public+" can be read and written, and build again")
	}
	return err
}

// contentError adds to an error of reading a content folder what the user can do.
func contentError(content string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return hinted.Error(err, "let the builder read "+content+" and everything in it")
	case errors.Is(err, syscall.EMFILE):
		return hinted.Error(err, moreFiles)
	case errors.Is(err, fs.ErrNotExist): // while it was watched
		return hinted.Error(err, "put "+content+" back, or name another folder with --content; what is published stays")
	case isFault(err):
		return hinted.Error(err, "see that the disk of "+content+" can be read, and build again; what is published stays")
	}
	return err
}

// moreFiles is what the user can do where too many files are open.
const moreFiles = "allow the builder to open more files at once, as with: ulimit -n 1024"

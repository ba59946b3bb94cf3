package searchd

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"newsstand/builder/hinted"
)

// Names in the data folder. An index of another version of this layout is a leftover
// like any other.
const (
	lockName    = "lock"
	siteName    = "site" // the copy of what a site publishes
	indexFamily = "index-v"
	indexPrefix = indexFamily + "1-"
)

// dataFolder is where one process keeps its indexes, each in a folder of its own with
// a number that only grows. The newest that holds a whole revision is current; there is
// no pointer to it that could be wrong.
type dataFolder struct {
	dir       string
	lock      *os.File
	temporary bool // made by us, so removed by us
	readOnly  bool // whether its file system took no writes when it was taken
	newest    int  // the number of the index that was served last: the next is higher, for the folder of this one may be about to be removed
}

// openData takes the folder for this process alone; "" is a temporary one.
func openData(dir string) (*dataFolder, error) {
	if dir == "" {
		return openTemporary()
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, hinted.Error(fmt.Errorf("make data folder: %w", err), "give a folder that searchd may write with --data")
	}
	return take(dir)
}

// take takes a folder that is there.
func take(dir string) (*dataFolder, error) {
	path := filepath.Join(dir, lockName)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o640)
	readOnly := errors.Is(err, syscall.EROFS)
	if readOnly { // what is in it can be served all the same
		if there, missing := os.Open(path); missing == nil {
			file, err = there, nil
		}
	}
	if err != nil {
		return nil, hinted.Error(fmt.Errorf("open data folder: %w", err), hintFor(err, "give a folder that searchd may write with --data"))
	}
	taken, err := lock(file)
	switch {
	case err != nil:
		file.Close()
		return nil, hinted.Error(fmt.Errorf("lock data folder %s: %w", dir, err), "--data must lie on a file system with locks, such as a local disk")
	case taken:
		file.Close()
		return nil, hinted.Error(fmt.Errorf("data folder %s is in use by another searchd", dir),
			"each process needs a --data folder of its own; stop the other one or give another folder")
	}
	return &dataFolder{dir: dir, lock: file, readOnly: readOnly}, nil
}

// hold takes the folder again if it was removed, and made anew, since it was taken: another process
// may have it by now. It reports whether it did so, for then this process does not know what is in
// the folder.
func (d *dataFolder) hold() (anew bool, err error) {
	had, err := d.lock.Stat()
	there, gone := os.Stat(filepath.Join(d.dir, lockName))
	err = cmp.Or(err, gone)
	switch {
	case err == nil && os.SameFile(had, there):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist): // to take it would say that another searchd has it, which may be this one
		return false, hinted.Error(fmt.Errorf("look at the data folder: %w", err), hintFor(err, hintData))
	}
	again, err := take(d.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, hinted.Error(fmt.Errorf("the data folder %s was removed", d.dir),
			"make the folder of --data again, and let searchd write to it; if it still cannot, restart searchd")
	}
	if err != nil {
		return false, err
	}
	d.lock.Close()
	d.lock = again.lock
	return true, nil
}

const temporaryPrefix = "newsstand-searchd-"

// openTemporary takes a new folder, and removes those of processes that were killed: each has a
// whole index.
func openTemporary() (*dataFolder, error) {
	entries, _ := os.ReadDir(os.TempDir())
	for _, e := range entries {
		if number, ok := strings.CutPrefix(e.Name(), temporaryPrefix); ok && strings.Trim(number, "0123456789") == "" { // as MkdirTemp names them
			removeAbandoned(filepath.Join(os.TempDir(), e.Name()))
		}
	}
	dir, err := os.MkdirTemp("", temporaryPrefix)
	if err != nil {
		return nil, hinted.Error(fmt.Errorf("make temporary data folder: %w", err), "give a folder that searchd may write with --data")
	}
	d, err := take(dir)
	if err == nil {
		d.temporary = true
	}
	return d, err
}

// removeAbandoned removes a temporary folder whose process has ended. Folders of other users are
// left alone, as are links.
func removeAbandoned(dir string) {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || time.Since(info.ModTime()) < youngest || !locks {
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return
	}
	defer root.Close()
	file, err := root.OpenFile(lockName, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer file.Close()
	if taken, err := lock(file); err == nil && !taken {
		os.RemoveAll(dir)
	}
}

// youngest is the age below which a temporary folder is not taken for abandoned, though nobody has
// its lock: whoever made it takes the lock at once.
const youngest = time.Minute

// within reports whether path is folder or lies in it. Either may not be there yet.
func within(folder, path string) bool {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	want, _ := os.Stat(folder) // nil where it is missing: that is the same as no other
	path, err = filepath.Abs(path)
	for ; err == nil; path = filepath.Dir(path) {
		if got, _ := os.Stat(path); path == folder || os.SameFile(want, got) {
			return true
		}
		if path == filepath.Dir(path) {
			break
		}
	}
	return false
}

// indexes lists the folders of indexes, newest first, and as leftovers what else has such a name:
// indexes of earlier versions, links and files.
func (d *dataFolder) indexes() (current, leftovers []string, err error) {
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		return nil, nil, fmt.Errorf("list data folder: %w", err)
	}
	for _, e := range entries {
		path := filepath.Join(d.dir, e.Name())
		switch {
		case indexNumber(path) > 0 && e.IsDir():
			current = append(current, path)
		case strings.HasPrefix(e.Name(), indexFamily):
			leftovers = append(leftovers, path)
		}
	}
	slices.SortFunc(current, func(a, b string) int { return cmp.Compare(indexNumber(b), indexNumber(a)) })
	return current, leftovers, nil
}

// size is the bytes of all indexes. What goes away while it counts is not counted.
func (d *dataFolder) size() (total int64) {
	current, leftovers, _ := d.indexes()
	for _, dir := range append(current, leftovers...) {
		filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			if info, err := e.Info(); err == nil {
				total += info.Size()
			}
			return nil
		})
	}
	return total
}

// tooFull returns an error where there cannot be room for a new index, so that none is begun. It
// would fail at each look again, and slow down the searches each time; and it would take the little
// room that there is from the update, which the engine still tries to write.
func (d *dataFolder) tooFull() error {
	const least = 0.5 // of the bytes of the index that is there: the rest of it may be dead weight
	free, known := room(d.dir)
	if known && free < least*float64(d.size()) {
		// No numbers: they change, and each would be another error in the log.
		return hinted.Error(fmt.Errorf("update the index: %w, nor is there room for a new index", syscall.ENOSPC),
			"see that --data has free space and may be written; as soon as there is room for the update, it is taken up")
	}
	return nil
}

// next returns the path of a new index, newer than all there are and were.
func (d *dataFolder) next() (string, error) {
	current, _, err := d.indexes()
	if err != nil {
		return "", hinted.Error(err, hintFor(err, hintData))
	}
	n := d.newest
	if len(current) > 0 {
		n = max(n, indexNumber(current[0]))
	}
	return filepath.Join(d.dir, indexPrefix+strconv.Itoa(n+1)), nil
}

// indexNumber is the number of an index's folder, 0 where path is none.
func indexNumber(path string) int {
	text, ok := strings.CutPrefix(filepath.Base(path), indexPrefix)
	n, _ := strconv.Atoi(text)
	if !ok || n < 1 || strconv.Itoa(n) != text { // as where it is no number
		return 0
	}
	return n
}

func (d *dataFolder) close() error {
	err := d.lock.Close() // and with it the lock
	if d.temporary {
		err = errors.Join(err, os.RemoveAll(d.dir))
	}
	return err
}

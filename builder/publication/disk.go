package publication

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"sync"
	"time"

	"newsstand/builder/cache"
	"newsstand/builder/dir"
	"newsstand/builder/hinted"
)

// The writer's own state, within the published folder so that a rename is enough to
// publish a file.
const (
	stateFolder = ".newsstand"
	stageFolder = stateFolder + "/stage" // the staged files, named by their number, and the articles' folder
	listWritten = stateFolder + "/list"  // the list while it is being written
	commitList  = stateFolder + "/commit"
)

func stagePath(number int) string { return stageFolder + "/" + strconv.Itoa(number) }

// wholeFolder is the number of the articles' folder, where it is staged as a whole.
const wholeFolder = 0

// disk is the published folder as the writer changes it. Whatever changes the disk goes through
// here, each time with a step before it, so that a test can end the program between any two.
// Writing to the stage is safe for concurrent use.
type disk struct {
	root *dir.Dir
	step func() // nil but in tests
	// first is whether there is no folder of articles yet: then it is staged as a whole, so that
	// one rename takes the place of two for each article.
	first bool

	stageOnce sync.Once
	stageErr  error
}

func (d *disk) before() {
	if d.step != nil {
		d.step()
	}
}

// compare reports whether name is a regular file with these bytes; info is nil where
// nothing is there. A folder in its place is an error: it is not replaced.
func (d *disk) compare(name string, data []byte) (info fs.FileInfo, same bool, err error) {
	info, err = d.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, d.blamed(name, err)
	}
	if info.IsDir() {
		return info, false, hinted.Error(fmt.Errorf("%s is a folder where a file is to be published", name), "move it away")
	}
	if !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return info, false, nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return info, false, err
	}
	defer f.Close()
	old := make([]byte, len(data))
	if _, err := io.ReadFull(f, old); err != nil {
		return info, false, fmt.Errorf("read %s: %w", name, err)
	}
	return info, bytes.Equal(old, data), nil
}

// blamed adds to an error about a file which of its folders is not a folder, if that is why.
func (d *disk) blamed(name string, err error) error {
	for _, folder := range slices.Backward(above(name)) {
		there, none := d.root.Lstat(folder)
		if none != nil || there.IsDir() {
			continue
		}
		if leads, wrong := d.root.Stat(folder); wrong != nil || !leads.IsDir() { // or it is a link to one
			return hinted.Error(fmt.Errorf("%s cannot be a folder: %w", folder, err), "remove what is in its place, such as a link that leads nowhere")
		}
	}
	return err
}

// list calls each with the path of every entry of a folder, if there is such a folder.
func (d *disk) list(folder string, each func(name string)) error {
	info, err := d.root.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir(): // to open a pipe waits for its writer
		return hinted.Error(fmt.Errorf("%s is not a folder", folder), "remove it")
	}
	f, err := d.root.Open(folder)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		names, err := f.Readdirnames(1024) // in batches: a folder may have a million
		for _, name := range names {
			each(folder + "/" + name)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// write makes a new file of the writer's own state.
func (d *disk) write(name string, data []byte) (stamp cache.Stamp, err error) {
	d.stageOnce.Do(func() {
		d.before()
		d.stageErr = d.root.MkdirAll(stagePath(wholeFolder), 0o755)
	})
	if d.stageErr != nil {
		return stamp, d.stageErr
	}
	d.before()
	f, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return stamp, err
	}
	_, err = f.Write(data)
	if err == nil {
		err = syncFile(f)
	}
	info, wrong := f.Stat()
	if wrong == nil {
		stamp = cache.StampOf(info)
	}
	return stamp, errors.Join(err, wrong, f.Close())
}

// later gives a staged file a later second than that of the file which it replaces, if it does not
// have one yet. Static hosts make ETag and Last-Modified of a file's second and size: of two builds
// within a second, whoever has the first would be told that it is still current. If the former time
// is far ahead, it comes from a wrong clock and is not followed.
func (d *disk) later(name string, stamp cache.Stamp, former time.Time) (cache.Stamp, error) {
	next := former.Truncate(time.Second).Add(time.Second)
	if ahead := next.Sub(time.Unix(0, stamp.Modified)); ahead <= 0 || ahead > time.Minute {
		return stamp, nil
	}
	d.before()
	if err := d.root.Chtimes(name, next, next); err != nil {
		return stamp, err
	}
	info, err := d.root.Lstat(name)
	if err != nil {
		return stamp, err
	}
	return cache.StampOf(info), nil
}

// inWhole reports whether a file is staged in the articles' folder.
func (d *disk) inWhole(f fileName) bool { return d.first && f.kind != documentFile }

// stagedAt is the path of a file in the stage.
func (d *disk) stagedAt(f stagedFile) string {
	if d.inWhole(f.fileName) {
		return path.Join(stagePath(wholeFolder), path.Base(f.path()))
	}
	return stagePath(f.number)
}

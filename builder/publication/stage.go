package publication

import (
	"crypto/sha256"
	"io/fs"
	"slices"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
)

// stagedFile is a file that waits in the stage, under its number.
type stagedFile struct {
	fileName
	number int
	sum    [sha256.Size]byte // of its bytes; of a twin that of its line
	stamp  cache.Stamp
	fresh  bool // there was no file of this path before
}

// fileName names a published file. A large site has two for each article, whose paths would take
// most of a build's memory: they are made when they are asked for.
type fileName struct {
	kind fileKind
	text string // of a document its path, of an article its id
}

type fileKind uint8

const (
	documentFile fileKind = iota
	lineFile
	twinFile
)

func document(path string) fileName { return fileName{documentFile, path} }

func (n fileName) path() string {
	switch n.kind {
	case lineFile:
		return article.Path(n.text)
	case twinFile:
		return article.MarkdownPath(n.text)
	}
	return n.text
}

// stage writes a file into the stage, unless it is published already with these bytes. sum is as
// for untouched.
func (w *Writer) stage(file fileName, data []byte, sum [sha256.Size]byte) error {
	former, same, err := w.former(file, data, sum)
	if err != nil {
		return err
	}
	w.mu.Lock()
	if same {
		w.result.Unchanged++
		w.mu.Unlock()
		return nil
	}
	i := len(w.staged)
	staged := stagedFile{fileName: file, number: wholeFolder + 1 + i, fresh: former == nil}
	w.staged = append(w.staged, staged)
	w.result.Bytes += int64(len(data))
	w.mu.Unlock()
	stamp, err := w.disk.write(w.disk.stagedAt(staged), data)
	if err == nil && former != nil {
		stamp, err = w.disk.later(w.disk.stagedAt(staged), stamp, former.ModTime())
	}
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.staged[i].stamp, w.staged[i].sum = stamp.Moved(), sum
	return nil
}

// former reports whether a file is published already with these bytes. If not, info is that of the
// file to be replaced, nil if there is none.
func (w *Writer) former(file fileName, data []byte, sum [sha256.Size]byte) (info fs.FileInfo, same bool, err error) {
	name := file.path()
	if w.disk.inWhole(file) {
		return nil, false, nil
	}
	if w.untouched(name, sum) {
		return nil, true, nil
	}
	now := time.Now()
	info, same, err = w.compare(name, data)
	if same {
		w.know(file, cache.StampOf(info).Moved().Settled(now), sum, func() ([]byte, error) { return data, nil })
	}
	return info, same, err
}

// compare is disk.compare, except that documents of the last build are no obstacle: if one of them
// is a file where the new file needs a folder, or if they are all that a folder in place of the new
// file holds, it answers that nothing is there. This build cannot have these documents (see
// Manifest.check), so they will be removed.
func (w *Writer) compare(name string, data []byte) (info fs.FileInfo, same bool, err error) {
	info, same, err = w.disk.compare(name, data)
	if err == nil {
		return info, same, nil
	}
	goes := w.ownsAll(name)
	for _, folder := range above(name) {
		if there, err := w.disk.root.Lstat(folder); err == nil && !there.IsDir() && w.owned[folder] {
			goes = true
		}
	}
	if goes {
		return nil, false, nil
	}
	return info, same, err
}

// ownsAll reports whether a folder holds documents of the last build and nothing else.
func (w *Writer) ownsAll(folder string) bool {
	entries, err := w.disk.root.List(folder)
	return err == nil && len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := folder + "/" + e.Name()
		return e.IsDir() && !w.ownsAll(name) || !e.IsDir() && !w.owned[name]
	})
}

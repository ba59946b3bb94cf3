package source

import (
	"context"
	"crypto/sha256"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// What decides about an article is read before its text: configurations, section pages, files of
// front matter. An author may hide an article by one of these and write into it what nobody is to
// read yet, all while the folder is scanned. So once the texts are read, the scan looks again at
// what decided: if it is as it was, it was so when the texts were read.

// witness is a folder that remembers what it has answered about the files of the settings. Which
// files a folder has is not remembered.
type witness struct {
	fs.FS
	said    map[question]string
	changed string // a file about which it has given two answers
}

// question is about the file at a path: of what type it is, or what is in it.
type question struct {
	path string
	text bool
}

func newWitness(folder fs.FS) *witness { return &witness{FS: folder, said: map[question]string{}} }

// say notes an answer.
func (w *witness) say(q question, answer string, err error) {
	if err != nil {
		answer = err.Error()
	}
	if before, asked := w.said[q]; asked && before != answer {
		w.changed = q.path
	}
	w.said[q] = answer
}

// Open implements fs.FS.
func (w *witness) Open(name string) (fs.File, error) {
	if _, err := w.Stat(name); err != nil {
		return nil, err
	}
	return w.FS.Open(name)
}

// Stat implements fs.StatFS.
func (w *witness) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(w.FS, name)
	kind := ""
	if err == nil {
		kind = info.Mode().Type().String()
	}
	w.say(question{name, false}, kind, err)
	return info, err
}

// ReadFile implements fs.ReadFileFS.
func (w *witness) ReadFile(name string) ([]byte, error) {
	data, err := fs.ReadFile(w.FS, name)
	sum := sha256.Sum256(data)
	w.say(question{name, true}, string(sum[:]), err)
	return data, err
}

// ReadDir implements fs.ReadDirFS.
func (w *witness) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(w.FS, name) }

// repeat asks the witness everything again. It returns a file about which that has given two
// answers, or "" if there is none.
func (w *witness) repeat() (changed string) {
	for q := range w.said {
		if q.text {
			w.ReadFile(q.path)
		} else {
			w.Stat(q.path)
		}
	}
	return w.changed
}

// confirm returns a [ChangedError] if something that decided about articles is not as it was: if
// the witnesses would not answer now as they did, if a section page has changed or another file
// that decides has come, or if a folder is gone, so that what was read in it may have lain
// elsewhere by then.
func (s *scanner) confirm(ctx context.Context, before walked, settings ...*witness) error {
	for _, w := range settings {
		if p := w.repeat(); p != "" {
			return ChangedError{p}
		}
	}
	now, err := walk(ctx, s.content)
	if err != nil {
		return err
	}
	for p := range before.folders {
		if !now.folders[p] {
			return ChangedError{p}
		}
	}
	for p, sum := range s.sectionSums {
		if said, err := s.reading(p); err != nil || said.sum != sum {
			return ChangedError{p}
		}
	}
	for _, p := range now.paths {
		if !isAmong(before.paths, p) && s.decides(p, now.paths) {
			return ChangedError{p}
		}
	}
	return nil
}

// decides reports whether a file may decide about others: a section page, or a file of their front
// matter.
func (s *scanner) decides(p string, paths []string) bool {
	u := &s.Site.rules
	if _, _, isData := dataTarget(p, paths); isData && u.eleventy {
		return true
	}
	return s.isSection(p) || u.metaFiles != "" && strings.HasSuffix(p, u.metaFiles) || slices.Contains(u.folderFiles, path.Base(p))
}

package builder

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"

	"newsstand/builder/source"
)

// events are the system's news of a folder and all below it, as hints: one waiting
// hint stands for any number of changes.
type events struct {
	hints   chan struct{}
	watcher *fsnotify.Watcher // nil where the system has none left
	done    chan struct{}
}

// newEvents watches a folder. Where the system has no events left, looking over the
// folder must do.
func newEvents(folder string) *events {
	e := &events{hints: make(chan struct{}, 1), done: make(chan struct{})}
	var err error
	if e.watcher, err = fsnotify.NewWatcher(); err != nil {
		e.watcher = nil
		close(e.done)
		return e
	}
	e.addAll(folder)
	go e.run()
	return e
}

func (e *events) run() {
	defer close(e.done)
	for {
		select {
		case event, ok := <-e.watcher.Events:
			if !ok {
				return
			}
			name := filepath.Base(event.Name)
			if event.Op == fsnotify.Chmod || strings.HasPrefix(name, ".") && name != "." {
				continue // backup tools and indexers touch; hidden files are no content
			}
			if event.Has(fsnotify.Create) && !isLink(event.Name) {
				e.addAll(event.Name)
			}
			e.hint()
		case _, ok := <-e.watcher.Errors: // events were lost
			if !ok {
				return
			}
			e.hint()
		}
	}
}

func (e *events) hint() {
	select {
	case e.hints <- struct{}{}:
	default:
	}
}

// isLink reports whether a path is a symbolic link, or nothing any more. Within the content, links
// lead nowhere.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err != nil || info.Mode()&fs.ModeSymlink != 0
}

// addAll watches a folder, which may be a link to one, and all below it; a path that is none is
// left alone.
func (e *events) addAll(folder string) {
	fs.WalkDir(os.DirFS(folder), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // gone again
		}
		if !d.IsDir() {
			return nil
		}
		if p != "." && source.IsForeign(d.Name()) {
			return fs.SkipDir
		}
		e.add(filepath.Join(folder, p))
		return nil
	})
}

// add watches one folder. It does nothing for one that is watched already; where it
// fails, the poll remains.
func (e *events) add(folder string) {
	if e.watcher != nil {
		e.watcher.Add(folder)
	}
}

func (e *events) close() {
	if e.watcher != nil {
		e.watcher.Close()
	}
	<-e.done
}

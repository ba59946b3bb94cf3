package searchd

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"newsstand/builder/article"
)

// settle is how long a hint is left to gather others: a publication ends with one
// rename, of which some systems tell several times.
const settle = 20 * time.Millisecond

// Run follows the source until ctx is done, and then returns nil. A load that
// fails is logged, once for each distinct error, and tried again; only where
// nothing is served and the first load fails does Run return its error, unless the
// options say to wait.
func (l *Live) Run(ctx context.Context) error {
	w := newWatch(filepath.Join(l.options.Source, filepath.FromSlash(path.Dir(article.ManifestPath))), path.Base(article.ManifestPath))
	defer w.close()
	blind := false // whether it was logged that there are no hints
	logged := ""   // the last error that was logged
	load := func() error {
		// First watch, then read: what comes between is seen.
		if err := w.add(); err != nil && !errors.Is(err, fs.ErrNotExist) && !blind {
			blind = true
			l.log.Warn("the system tells of no changes in the source; looking at it from time to time", "error", err, "every", l.options.Poll.String(),
				"hint", "raise fs.inotify.max_user_instances and max_user_watches, or leave it so")
		}
		err := l.Load(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil && logged != "":
			l.log.Info("the source is readable again", "revision", l.Status().Revision)
			logged = ""
		case err != nil && err.Error() != logged:
			logged = err.Error()
			if s := l.Status(); s.Ready {
				l.log.Error("cannot take up the source; the revision served before stays", "revision", s.Revision, "error", err, "hint", hintOf(err))
			} else if l.options.Wait {
				l.log.Error("cannot load the source yet; waiting for it", "error", err, "hint", hintOf(err))
			}
		}
		return err
	}
	if err := load(); err != nil && !l.Status().Ready && !l.options.Wait {
		return err
	}
	follow(ctx, w.hints, l.options.Poll, load)
	return nil
}

// restAfterFailure is how many times as long as a failed load it rests at least before
// the next, when nothing tells that the source changed: building a large index again and again on
// a full disk must not take a processor from the searches.
const restAfterFailure = 10

// follow calls load after hints and at least once in every poll, until ctx is done.
func follow(ctx context.Context, hints <-chan struct{}, poll time.Duration, load func() error) {
	rest := poll
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		case <-hints:
			select {
			case <-ctx.Done():
				return
			case <-time.After(settle):
			}
			select { // what came while it settled
			case <-hints:
			default:
			}
		}
		began := time.Now()
		rest = poll
		if err := load(); err != nil {
			rest = max(poll, restAfterFailure*time.Since(began))
		}
	}
}

// watch turns the system's events about one file into hints. A hint says "look"; it
// holds nothing that could be wrong, and one that is pending stands for all.
type watch struct {
	hints   chan struct{} // of capacity 1
	folder  string
	watcher *fsnotify.Watcher
	err     error // why there is no watcher
}

// newWatch watches for name in folder once add is called. The folder is watched
// and not the file: each publication is another file of that name.
func newWatch(folder, name string) *watch {
	w := &watch{hints: make(chan struct{}, 1), folder: folder}
	if w.watcher, w.err = fsnotify.NewWatcher(); w.err != nil {
		return w
	}
	go func() {
		for {
			select {
			case e, ok := <-w.watcher.Events:
				if !ok {
					return
				}
				if filepath.Base(e.Name) == name {
					w.hint()
				}
			case _, ok := <-w.watcher.Errors: // events may be lost
				if !ok {
					return
				}
				w.hint()
			}
		}
	}()
	return w
}

func (w *watch) hint() {
	select {
	case w.hints <- struct{}{}:
	default:
	}
}

// add watches the folder of this name, which may be another one than last time. It
// is called before every load, so a folder that is not there yet is no loss.
func (w *watch) add() error {
	if w.err != nil {
		return w.err
	}
	return w.watcher.Add(w.folder)
}

func (w *watch) close() {
	if w.err == nil {
		w.watcher.Close() // only ever nil
	}
}

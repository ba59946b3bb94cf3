package searchd

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"newsstand/builder/article"
)

// settle is how long a hint waits for others to join it: a publication ends with one rename, which
// some systems report several times.
const settle = 20 * time.Millisecond

// Run follows the source until ctx is done, and then returns nil. A load that
// fails is logged, once for each distinct error, and tried again; only where
// nothing is served and the first load fails does Run return its error, unless the
// options say to wait.
func (l *Live) Run(ctx context.Context) error {
	var w *watch // of a folder
	if l.site == nil {
		w = newWatch(filepath.Join(l.options.Source, article.CorpusFolder), path.Base(article.ManifestPath), l.hints)
		defer w.close()
	}
	blind := false // whether it was logged that there are no hints
	told := loadLog{live: l}
	clock := newWallClock(func() time.Time { return time.Now().Round(0) })
	load := func() error {
		if by := clock.set(); by != 0 {
			l.log.Warn("the clock of this machine was set, or it stood still", "by", by.Round(time.Second).String(),
				"hint", "searchd times nothing by it, but times in the log and in metrics are off, and the signatures of the CDN may count as expired: let the clock follow a time server")
		}
		// First watch, then read: what comes between is seen.
		if err := w.add(); err != nil && !unread(err) && !blind {
			blind = true
			l.log.Warn("the system reports no changes of the source; looking at it from time to time", "error", err, "every", l.options.Poll.String(),
				"hint", "raise fs.inotify.max_user_instances and max_user_watches, or leave it as it is")
		}
		err := l.Load(ctx)
		if ctx.Err() != nil {
			return nil
		}
		told.ended(err)
		return err
	}
	if err := load(); err != nil && !l.Status().Ready && !l.options.Wait {
		return err
	}
	l.prepare()
	follow(ctx, l.hints, &pace{poll: l.options.Poll, site: l.site != nil}, load)
	return nil
}

// unread reports whether a folder cannot be watched because it cannot be read: then the load tells
// of it.
func unread(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR)
}

// wallClock notices that the machine's clock was set. searchd itself times everything by the
// monotonic clock, which is never set.
type wallClock struct {
	now   func() time.Time // without a reading of the monotonic clock
	began time.Time        // by both clocks
	ahead time.Duration    // the wall clock's lead since then, as set returned it last
}

// setTolerance is more than a time server corrects at once on a clock that it keeps.
const setTolerance = 10 * time.Second

func newWallClock(now func() time.Time) *wallClock {
	c := &wallClock{now: now, began: time.Now()}
	c.ahead = now().Sub(c.began.Round(0))
	return c
}

// set returns by how much the clock was set since the last call that found so: below 0, back.
func (c *wallClock) set() (by time.Duration) {
	ahead := c.now().Sub(c.began.Round(0)) - time.Since(c.began)
	if by = ahead - c.ahead; by.Abs() < setTolerance {
		return 0
	}
	c.ahead = ahead
	return by
}

const (
	// After a load that failed, the next one waits at least restAfterFailure times as long as that
	// took, unless a hint comes: building a large index again and again on a full disk must not
	// take a processor from the searches.
	restAfterFailure = 10
	// maxBackOff is the longest rest from a site that fails: it is found well again in the time
	// that a CDN may keep a search anyway.
	maxBackOff = 5 * time.Minute
	// jitter is the share of a rest by which it may be longer or shorter, so that
	// replicas that were started together do not ask a site together.
	jitter = 0.2
)

// pace says how long to rest between looks.
type pace struct {
	poll     time.Duration
	site     bool
	failures int // of a site, in a row
}

// rest is the time until the next look, after one that took so long and ended in err.
func (p *pace) rest(took time.Duration, err error) time.Duration {
	rest := p.poll
	var f failure
	remote := p.site && errors.As(err, &f)
	switch {
	case err == nil, remote && f.reason == reasonOlder, remote && f.reason == reasonMissing: // the site is well
		p.failures = 0
		rest = max(rest, f.after)
	case remote && f.reason != reasonDisk:
		if p.poll < maxBackOff {
			rest = min(p.poll<<min(p.failures, 10), maxBackOff)
		}
		rest = max(rest, f.after)
		p.failures++
	default:
		rest = max(p.poll, restAfterFailure*took)
	}
	if p.site {
		rest += time.Duration(jitter * (2*rand.Float64() - 1) * float64(rest))
	}
	return rest
}

// follow calls load after hints and whenever the pace wants it, until ctx is done. It was
// called once before.
func follow(ctx context.Context, hints <-chan struct{}, p *pace, load func() error) {
	rest := p.rest(0, nil)
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
		err := load()
		rest = p.rest(time.Since(began), err)
	}
}

// notify wakes whoever has the other end of a channel of capacity 1. A notice that waits there
// stands for all that follow.
func notify(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watch turns the system's events about one file into hints.
type watch struct {
	hints   chan<- struct{}
	folder  string
	watcher *fsnotify.Watcher
	err     error // why there is no watcher
}

// newWatch watches for name in folder once add is called. The folder is watched
// and not the file: each publication is another file of that name.
func newWatch(folder, name string, hints chan<- struct{}) *watch {
	w := &watch{hints: hints, folder: folder}
	if w.watcher, w.err = fsnotify.NewWatcher(); w.err != nil {
		return w
	}
	go w.run(name)
	return w
}

// run hints at events about a file of this name until the watcher is closed.
func (w *watch) run(name string) {
	for {
		select {
		case e, ok := <-w.watcher.Events:
			if !ok {
				return
			}
			if filepath.Base(e.Name) != name {
				continue
			}
		case _, ok := <-w.watcher.Errors: // events may be lost
			if !ok {
				return
			}
		}
		notify(w.hints)
	}
}

// add watches the folder of this name, which may be another one than last time. It
// is called before every load, so a folder that is not there yet is no loss.
func (w *watch) add() error {
	if w == nil {
		return nil
	}
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

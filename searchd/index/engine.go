package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// registering guards the engine's registries of callbacks, which are global. The engine reads them
// when it is made.
var registering sync.Mutex

// registerSegments registers segments as a plugin of the engine, once. The engine reads its list of
// plugins whenever an index is opened.
var registerSegments = sync.OnceFunc(func() { scorch.RegisterSegmentPlugin(&segments{}, false) })

// newEngine makes an engine. The engine's goroutines call failing with errors that no caller gets,
// and noticed at the engine's events.
func (x *Index) newEngine(config map[string]any) (*scorch.Scorch, error) {
	const name = "newsstand"
	registerSegments()
	registering.Lock()
	defer registering.Unlock()
	scorch.RegistryAsyncErrorCallbacks[name] = x.failing
	defer delete(scorch.RegistryAsyncErrorCallbacks, name)
	scorch.RegistryEventCallbacks[name] = x.noticed
	defer delete(scorch.RegistryEventCallbacks, name)
	config["asyncErrorCallbackName"], config["eventCallbackName"] = name, name
	engine, err := scorch.NewScorch(scorch.Name, config, x.queue)
	if err != nil {
		return nil, err
	}
	return engine.(*scorch.Scorch), nil
}

// noticed turns a fault in a mapped file, such as a truncated one, into a panic of the engine's
// goroutine that calls noticed. The engine recovers from a panic, but a fault would end the
// process. The engine's writer calls noticed before it waits for work.
func (x *Index) noticed(e scorch.Event) bool {
	debug.SetPanicOnFault(true)
	if e.Kind == scorch.EventKindPersisterProgress || e.Kind == scorch.EventKindPurgerCheck {
		x.guarded()
	}
	return true
}

// openPatience is how long Open waits at most until the engine's writer is guarded. Before that,
// the writer rests and writes the catalog once. If the disk takes longer than this, a catalog that
// is truncated meanwhile ends the process.
const openPatience = time.Second

// closePatience is how often closeEngine checks whether the engine has given up.
const closePatience = 2 * time.Second

// closeEngine closes the engine. An engine that gave up within a transaction of its catalog waits
// for ever for the transaction to end. Its files, which may be large, then stay mapped, so
// closeEngine empties them.
func (x *Index) closeEngine() error {
	closed := make(chan error, 1)
	go func() { closed <- x.engine.Close() }()
	for {
		select {
		case err := <-closed:
			return err
		case <-time.After(closePatience):
			if x.Damage() != nil {
				return x.empty()
			}
		}
	}
}

// empty truncates the files of all segments to no bytes.
func (x *Index) empty() error {
	files, err := filepath.Glob(filepath.Join(x.dir, "*.zap"))
	for _, path := range files {
		err = errors.Join(err, os.Truncate(path, 0))
	}
	return err
}

// How long the engine rests after a failed merge. Without a rest it would start the next merge at
// once, and for ever: on a full disk it would fill what room there is again and again, and take the
// room that updates need.
const (
	minMergeRest = time.Second
	maxMergeRest = time.Minute // there is no hurry: without merges, searches are only a little slower
)

// merging is what is known of failed merges.
type merging struct {
	mu       sync.Mutex
	failures int    // how many in a row
	before   uint64 // lastMerge when they failed
	err      error  // the last failure
}

// failed records a failure, and returns how long to rest after it.
func (m *merging) failed(err error, mark uint64) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if mark != m.before {
		m.failures = 0
	}
	m.failures++
	m.before, m.err = mark, err
	return min(minMergeRest<<min(m.failures-1, 10), maxMergeRest)
}

// Unmerged returns why the files of the index cannot be merged, or nil if none failed since the
// last successful merge. Searches and updates work meanwhile, but get slower over time.
func (x *Index) Unmerged() error {
	mark := x.lastMerge()
	x.merging.mu.Lock()
	defer x.merging.mu.Unlock()
	if x.merging.before != mark {
		return nil
	}
	return x.merging.err
}

// lastMerge returns the engine's epoch of its last completed round of merges.
func (x *Index) lastMerge() uint64 { return atomic.LoadUint64(&x.stats().LastMergedEpoch) }

// failing is called by the engine's goroutines with their errors. A goroutine does not go on until
// failing returns, so failing can make it rest.
func (x *Index) failing(err error, _ string) {
	const writer, merger = "persister", "merger"
	var e *scorch.ScorchError
	known := errors.As(err, &e)
	if known && e.Source == writer { // the writer calls noticed only after it has written
		debug.SetPanicOnFault(true)
		x.guarded()
	}
	switch {
	case errors.Is(err, scorch.ErrAsyncPanic): // that goroutine has ended
		x.noteDamage(fmt.Errorf("%w: the engine gave up: %w", ErrDamaged, err))
	case known && e.Source == writer:
		why := causeOf(e.ErrMsg)
		x.unwritable.Store(&why)
	case known && e.Source == merger:
		select {
		case <-time.After(x.merging.failed(err, x.lastMerge())):
		case <-x.closing:
			time.Sleep(writeRest) // until the engine is also told to close
		}
	}
}

// causeOf returns an error with the last part of an error's text, without paths, which differ each
// time. The engine keeps only the text, so causeOf turns the texts of the machine's limits back
// into the system's errors: callers can tell them from a full disk, which an operator would suspect
// first.
func causeOf(text string) error {
	parts := strings.Split(text, ": ")
	text = parts[len(parts)-1]
	for _, limit := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if limit.Error() == text {
			return limit
		}
	}
	return errors.New(text)
}

// notWritten returns ErrNotWritten with the system's last error, if there was one.
func (x *Index) notWritten() error {
	if why := x.unwritable.Load(); why != nil {
		return fmt.Errorf("%w: %w", ErrNotWritten, *why)
	}
	return ErrNotWritten
}

// noteDamage keeps the first error, for Damage to return.
func (x *Index) noteDamage(err error) { x.damage.CompareAndSwap(nil, &err) }

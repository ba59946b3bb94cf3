package index

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
)

// registering guards the engine's registries of callbacks, which the whole process shares; they are
// read when an engine is made.
var registering sync.Mutex

// registerSegments makes segments known to the engine, once: the engine reads its list of them
// whenever an index is opened.
var registerSegments = sync.OnceFunc(func() { scorch.RegisterSegmentPlugin(&segments{}, false) })

// newEngine makes an engine. Its own goroutines call failing with errors of which no caller hears,
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

// noticed makes a fault in a mapped file, such as one that was truncated, panic in the engine's
// goroutine that calls it. The engine recovers from a panic, whereas a fault would end the process.
// The engine's writer calls noticed before it waits for work.
func (x *Index) noticed(e scorch.Event) bool {
	debug.SetPanicOnFault(true)
	if e.Kind == scorch.EventKindPersisterProgress || e.Kind == scorch.EventKindPurgerCheck {
		x.guarded()
	}
	return true
}

// openPatience is how long Open waits until the engine's writer is guarded. Before that, the writer
// rests and writes the catalog once. Where the disk takes longer, a catalog that is cut off
// meanwhile ends the process.
const openPatience = time.Second

// closePatience is how long closeEngine waits before it looks whether the engine has given up.
const closePatience = 2 * time.Second

// closeEngine closes the engine. One that gave up within a transaction of its catalog waits for the
// end of that for ever: then its files, which may be large, stay mapped, and closeEngine empties
// them.
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

// empty makes the files of all segments empty.
func (x *Index) empty() error {
	files, err := filepath.Glob(filepath.Join(x.dir, "*.zap"))
	for _, path := range files {
		err = errors.Join(err, os.Truncate(path, 0))
	}
	return err
}

// How long the engine rests after a merge that failed. Else it would begin the next at once, for
// ever: on a full disk it would write all that fits again and again, and take the room that updates
// need.
const (
	minMergeRest = time.Second
	maxMergeRest = time.Minute // there is no hurry: without merges, searches only take a little longer
)

// merging is what is known of merges that failed.
type merging struct {
	mu       sync.Mutex
	failures int    // how many in a row
	before   uint64 // lastMerge at these failures
	err      error  // the last failure
}

// failed notes a failure, and returns how long to rest after it.
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

// Unmerged says why the files of the index cannot be merged, nil where nothing is known to
// be in the way. Searches and updates go on meanwhile; in time each takes longer.
func (x *Index) Unmerged() error {
	mark := x.lastMerge()
	x.merging.mu.Lock()
	defer x.merging.mu.Unlock()
	if x.merging.before != mark {
		return nil
	}
	return x.merging.err
}

// lastMerge is the engine's mark of the last time that it merged what there was to merge.
func (x *Index) lastMerge() uint64 { return atomic.LoadUint64(&x.stats().LastMergedEpoch) }

// failing hears of errors of the engine's own goroutines. The goroutine that calls waits until it
// returns.
func (x *Index) failing(err error, _ string) {
	const writer, merger = "persister", "merger"
	var e *scorch.ScorchError
	known := errors.As(err, &e)
	if known && e.Source == writer { // it does not call noticed before it has written
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
			time.Sleep(writeRest) // until the engine is told to close, too
		}
	}
}

// causeOf is the last part of an error's text, without paths, which differ each time. The engine
// keeps no more than the text; limits of the machine are made the system's errors again, for the
// full disk that one thinks of first is something else.
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

// notWritten is ErrNotWritten, with what the system said last.
func (x *Index) notWritten() error {
	if why := x.unwritable.Load(); why != nil {
		return fmt.Errorf("%w: %w", ErrNotWritten, *why)
	}
	return ErrNotWritten
}

// noteDamage keeps the first error for Damage.
func (x *Index) noteDamage(err error) { x.damage.CompareAndSwap(nil, &err) }

// failure is an error that ends all that guard has called: files could not be read, or there is no
// time left. Reads are in hundreds of places, none of which could do anything about it.
type failure struct{ error }

// must panics with an error, which guard returns as it is.
func must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// got is must for what has a value, too.
func got[T any](v T, err error) T {
	must(err)
	return v
}

// guard calls do, which reads mapped files and trusts them, and returns its failure, or any other
// panic of it, or a fault in those files, as an error.
func guard(do func()) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch v := recover().(type) {
		case nil:
		case failure:
			err = v.error
		default:
			err = newCrash(v)
		}
	}()
	do()
	return nil
}

// crash is a panic of a search: over damaged files, or by a fault of this program.
type crash struct{ what, stack string }

// newCrash keeps the text of errors of the runtime only: others may have words of the query.
func newCrash(v any) error {
	c := crash{fmt.Sprintf("%T", v), string(debug.Stack())}
	if err, ok := v.(runtime.Error); ok {
		c.what = err.Error()
	}
	return c
}

func (c crash) Error() string { return ErrDamaged.Error() + ", or this program has a fault: " + c.what }

func (c crash) Is(target error) bool { return target == ErrDamaged }

// Stack says where it happened.
func (c crash) Stack() string { return c.stack }

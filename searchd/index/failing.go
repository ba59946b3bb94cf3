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
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
)

// registering guards the engine's own registries of callbacks, which are one for the process and
// read where an engine is made.
var registering sync.Mutex

// registerSegments lets the engine know its segments, once: it reads its list whenever an index is opened.
var registerSegments = sync.OnceFunc(func() { scorch.RegisterSegmentPlugin(&segments{}, false) })

// newEngine makes an engine that calls failed, from its own goroutines, where these meet an
// error that no caller hears of, and noticed where they have come to some point.
func newEngine(config map[string]any, queue *index.AnalysisQueue, failed func(err error, dir string), noticed func(scorch.Event) bool) (*scorch.Scorch, error) {
	const name = "newsstand"
	registerSegments()
	registering.Lock()
	defer registering.Unlock()
	scorch.RegistryAsyncErrorCallbacks[name] = failed
	defer delete(scorch.RegistryAsyncErrorCallbacks, name)
	scorch.RegistryEventCallbacks[name] = noticed
	defer delete(scorch.RegistryEventCallbacks, name)
	config["asyncErrorCallbackName"], config["eventCallbackName"] = name, name
	engine, err := scorch.NewScorch(scorch.Name, config, queue)
	if err != nil {
		return nil, err
	}
	return engine.(*scorch.Scorch), nil
}

// noticed lets the goroutine of the engine that it is called from meet a file that was cut off as a panic, which the engine
// recovers from, where it would end the process. The one that writes comes here before it waits for what is to be written.
func (x *Index) noticed(e scorch.Event) bool {
	debug.SetPanicOnFault(true)
	if e.Kind == scorch.EventKindPersisterProgress || e.Kind == scorch.EventKindPurgerCheck {
		x.guarded()
	}
	return true
}

// openPatience is how long Open waits until the engine's writer is guarded, for which that rests and writes the catalog
// once. Where a disk takes longer, a catalog that is cut off meanwhile ends the process.
const openPatience = time.Second

// closePatience is how long an engine that may have given up is waited for.
const closePatience = 2 * time.Second

// closeEngine closes the engine. One that gave up in a transaction of its catalog never ends that, and does not close before:
// its files, which may be large, stay mapped, and are emptied.
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

func (x *Index) empty() error {
	files, err := filepath.Glob(filepath.Join(x.dir, "*.zap"))
	for _, path := range files {
		err = errors.Join(err, os.Truncate(path, 0))
	}
	return err
}

// After a merge that failed the engine would begin the next at once, for ever: on a full disk
// it would write all that fits again and again, and take the room that updates need.
const (
	minMergeRest = time.Second
	maxMergeRest = time.Minute // merges are no hurry: searches only take a little longer without
)

// merging is what is known of merges that failed.
type merging struct {
	mu       sync.Mutex
	failures int    // in a row
	before   uint64 // the engine's mark of the last merge that went well, when they began
	err      error  // the last
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

// failing hears of errors of the engine's own goroutines, of which the one that calls does
// nothing else meanwhile.
func (x *Index) failing(err error, _ string) {
	const writer, merger = "persister", "merger"
	var e *scorch.ScorchError
	known := errors.As(err, &e)
	if known && e.Source == writer { // it comes to no event before it has written
		debug.SetPanicOnFault(true)
		x.guarded()
	}
	switch {
	case errors.Is(err, scorch.ErrAsyncPanic): // that goroutine has ended
		x.noteDamage(fmt.Errorf("%w: the engine gave up: %w", ErrDamaged, err))
	case known && e.Source == writer:
		causes := strings.Split(e.ErrMsg, ": ")
		x.unwritable.Store(&causes[len(causes)-1]) // without paths, which are others each time
	case known && e.Source == merger:
		select {
		case <-time.After(x.merging.failed(err, x.lastMerge())):
		case <-x.closing:
			time.Sleep(writeRest) // until the engine is told as well
		}
	}
}

// notWritten is ErrNotWritten, with what the system said last.
func (x *Index) notWritten() error {
	if why := x.unwritable.Load(); why != nil {
		return fmt.Errorf("%w: %s", ErrNotWritten, *why)
	}
	return ErrNotWritten
}

// noteDamage notes what Damage tells.
func (x *Index) noteDamage(err error) { x.damage.CompareAndSwap(nil, &err) }

// guard calls what reads mapped files and trusts them, in this goroutine.
func guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = newCrash(v)
		}
	}()
	return do()
}

// crash is a panic of a search: over damaged files, or by a fault of this program.
type crash struct{ what, stack string }

// newCrash tells what the runtime says; other texts may hold words of the query.
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

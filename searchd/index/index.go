package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"newsstand/searchd/index/analysis"
)

// ErrDamaged means that the files of an index are not what was written. The caller should remove
// the folder and build the index anew from the publication.
var ErrDamaged = errors.New("the index is damaged")

// ErrFormat means that another version of this package wrote the index. It is ErrDamaged, too.
var ErrFormat = fmt.Errorf("%w: another version wrote it", ErrDamaged)

// ErrNotWritten means that the engine could not write an update, or not before the caller's context
// ended: for example, the disk is full, or the folder is gone or read-only.
var ErrNotWritten = errors.New("the files of the index cannot be written")

// ErrArticle means that an update has a line that is not an article as package article writes it,
// or has an id twice.
var ErrArticle = errors.New("an article cannot be read")

// Index is the index of one folder. Its methods are safe for concurrent use, except Close.
type Index struct {
	engine     *scorch.Scorch
	queue      *index.AnalysisQueue
	languages  *analysis.Languages
	bodies     sync.Pool // of *bytes.Buffer
	dir        string
	processors int
	batchBytes int    // the constant of this name; less in tests
	stop       func() // ends keep, and waits for it
	closing    chan struct{}
	guarded    func() // called once the engine's writer is guarded; Open waits for it
	merging    merging
	readOnly   bool // whether the folder is on a read-only file system
	doubtful   bool // whether keep could not read a file at its last look, because of the disk

	looking   sync.Mutex      // held during each look of keep; guards what follows
	read      stamps          // of files that were read, by this process or an earlier one
	believed  map[string]bool // segments that this process has not read yet
	unwritten bool            // whether the folder has no stamps, because some files are only believed
	counted   bool            // whether this process has compared the articles with the head

	damage     atomic.Pointer[error] // the first damage that was found; see Damage
	unwritable atomic.Pointer[error] // why the engine last failed to write

	updating sync.Mutex   // held during each Update; guards stuck
	stuck    <-chan error // receives when the engine has written an update that it could not write in time; nil if there is none
	mu       sync.Mutex   // guards what follows; held only for a few instructions
	current  *snapshot
}

// Open opens the index in a folder, or makes an empty one there. The error is ErrDamaged if the
// folder does not have a whole index; after any other error the folder is unchanged. Files that
// nobody wrote to since they were last read are believed, and read again while the index is in use;
// see Damage. On a read-only file system an index can be searched, but each update fails with
// ErrNotWritten. Each update, each search and the verification at the opening use at most this many
// processors; 0 means all.
func Open(ctx context.Context, dir string, processors int) (x *Index, err error) {
	if processors <= 0 {
		processors = runtime.GOMAXPROCS(0)
	}
	x = &Index{languages: analysis.NewLanguages(), dir: dir, processors: processors, batchBytes: batchBytes, closing: make(chan struct{}),
		bodies: sync.Pool{New: func() any { return new(bytes.Buffer) }}, read: stamps{Boot: bootID(), Files: map[string]stamp{}}}
	guarded := make(chan struct{})
	x.guarded = sync.OnceFunc(func() { close(guarded) })
	present, all, err := x.check(ctx)
	if err != nil {
		return nil, fmt.Errorf("open index in %s: %w", dir, err)
	}
	x.readOnly = present && readOnly(dir)
	if err := x.openEngine(present); err != nil {
		return nil, err
	}
	x.current, err = x.take()
	if err == nil && !all {
		err = guard(func() { x.current.verify(func(time.Duration) error { return ctx.Err() }) })
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open index in %s: %w", dir, err), x.close())
	}
	if !x.readOnly { // a read-only index has no writer
		select {
		case <-guarded:
		case <-time.After(openPatience):
		}
	}
	x.counted, x.unwritten = !all, len(x.believed) > 0
	open, cancel := context.WithCancel(context.Background())
	var keeping sync.WaitGroup
	keeping.Go(func() { x.keep(open) })
	x.stop = func() {
		cancel()
		keeping.Wait()
	}
	return x, nil
}

// check verifies the files in the folder before the engine opens them. It reports whether an index
// is present, and whether all of its files were believed. If the disk fails, it tries once more
// after a moment.
func (x *Index) check(ctx context.Context) (present, all bool, err error) {
	if _, err := os.Stat(filepath.Join(x.dir, catalogName)); errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	} else if err != nil {
		return false, false, unread(err)
	}
	all, err = x.verify(ctx)
	if disturbed(err) {
		select {
		case <-time.After(disturbance):
		case <-ctx.Done():
		}
		all, err = x.verify(ctx)
	}
	switch {
	case err != nil:
	case len(x.believed) > 0: // damage in them may crash the process: then the next start reads them
		os.Remove(filepath.Join(x.dir, stampsName))
	case !all:
		x.read.write(x.dir) // if this fails, the next start reads the files again
	}
	return true, all, err
}

// readOnly reports whether the file system of an index is read-only.
func readOnly(dir string) bool {
	file, err := os.OpenFile(filepath.Join(dir, catalogName), os.O_RDWR, 0)
	if err == nil {
		file.Close()
	}
	return errors.Is(err, syscall.EROFS)
}

// ReadOnly reports whether the file system took no writes when the index was opened: then it takes
// no update, whatever the file system does since.
func (x *Index) ReadOnly() bool { return x.readOnly }

// openEngine opens the engine in the folder, which has an index if present is true.
func (x *Index) openEngine(present bool) (err error) {
	x.queue = index.NewAnalysisQueue(x.processors)
	var opening atomic.Bool
	opening.Store(true)
	var unopened error
	config := x.engineConfig(func(err error) {
		if opening.Load() { // the engine would fall back to an older snapshot, or to none, and remove the other files
			unopened = err
			panic(err)
		}
	})
	x.engine, err = x.newEngine(config)
	if err != nil {
		x.queue.Close()
		return fmt.Errorf("open index: %w", err)
	}
	err = guard(func() { must(x.engine.Open()) })
	opening.Store(false)
	if err != nil {
		x.queue.Close()
		if unopened != nil {
			err = unopened
		}
		if present {
			err = unread(err)
		}
		return fmt.Errorf("open index in %s: %w", x.dir, err)
	}
	return nil
}

// engineConfig returns the configuration of the engine. The engine calls unopened with the error of
// a segment that cannot be opened.
func (x *Index) engineConfig(unopened func(error)) map[string]any {
	return map[string]any{
		"path":         x.dir,
		"read_only":    x.readOnly,
		"bolt_timeout": catalogTimeout.String(),
		// The engine does not wait until a batch is on disk; finish waits for the last one of an
		// update.
		"unsafe_batch":           true,
		"forceSegmentType":       new(segments).Type(),
		"forceSegmentVersion":    int(new(segments).Version()),
		"segmentConfig":          map[string]any{whenDamaged: x.noteDamage, whenUnopened: unopened},
		"numSnapshotsToKeep":     1,
		"scorchPersisterOptions": map[string]any{"NumPersisterWorkers": 1, "PersisterNapTimeMSec": int(writeRest.Milliseconds())},
		// Few segments, because each term is looked up in each of them; but small segments may stay
		// separate: with the default floor of 2,000 and 10 segments of each size, every update of a
		// site of 2,000 articles wrote all of them again.
		"scorchMergePlanOptions": map[string]any{"FloorSegmentSize": 200, "MaxSegmentsPerTier": 4},
	}
}

// Close closes the index. No other method may be running, or be called later.
func (x *Index) Close() error {
	x.stop()
	err := x.close()
	if err == nil && x.Damage() == nil { // files that were believed at the opening are stamped again, read or not
		x.read.addCatalog(x.dir, time.Now())
		x.read.write(x.dir) // if this fails, the next start reads the files
	}
	return err
}

// close closes an index for which keep does not run, and leaves the stamps as they are.
func (x *Index) close() error {
	close(x.closing)
	if x.current != nil {
		x.release(x.current)
	}
	err := x.closeEngine()
	x.queue.Close()
	return err
}

// State returns the State of the last Update, or nil if there was none.
func (x *Index) State() []byte {
	s := x.acquire()
	defer x.release(s)
	return s.state
}

// Articles returns the number of articles.
func (x *Index) Articles() int {
	s := x.acquire()
	defer x.release(s)
	return s.totals.Articles
}

// Digests calls visit with the id and digest of each article, in no particular order. It stops at
// the first error of visit, and returns it.
func (x *Index) Digests(visit func(id, digest string) error) error {
	s := x.acquire()
	defer x.release(s)
	err := guard(func() {
		for doc, r := range s.live() {
			must(visit(s.id(doc), digestPrefix+r.digest()))
		}
	})
	if err != nil {
		return fmt.Errorf("read digests: %w", err)
	}
	return nil
}

// replace makes another snapshot the current one.
func (x *Index) replace(next *snapshot) {
	x.mu.Lock()
	before := x.current
	x.current = next
	x.mu.Unlock()
	x.release(before)
}

// stats returns the engine's counters.
func (x *Index) stats() *scorch.Stats { return x.engine.Stats().(*scorch.Stats) }

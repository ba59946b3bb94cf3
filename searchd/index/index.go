package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// ErrDamaged means that the files of an index are not what was written. Its folder is to be removed
// and the index built anew from the publication.
var ErrDamaged = errors.New("the index is damaged")

// ErrNotWritten means that the engine could not write an update, or not before the caller
// gave up: the disk is full, or the folder is gone.
var ErrNotWritten = errors.New("the files of the index cannot be written")

// ErrArticle means that an update has a line that is no article as package article writes it, or an
// id twice.
var ErrArticle = errors.New("an article cannot be read")

// Index is the index of one folder. Its methods are safe for concurrent use, except Close.
type Index struct {
	engine     *scorch.Scorch
	queue      *index.AnalysisQueue
	languages  *analysis.Languages
	pool       scratchPool
	bodies     sync.Pool // of *bytes.Buffer
	dir        string
	processors int
	batchBytes int    // the constant; tests have less
	stop       func() // ends keep, and waits for it
	closing    chan struct{}
	guarded    func() // tells Open that the engine's writer is guarded
	merging    merging
	doubtful   bool // whether the last look of keep could not read a file

	looking   sync.Mutex      // held during each look of keep; guards what follows
	read      stamps          // of files that were read, by this process or one before
	believed  map[string]bool // segments that this process has not read yet
	unwritten bool            // whether the folder has no stamps, because some files are only believed
	counted   bool            // whether this process has compared the articles with the head

	damage     atomic.Pointer[error] // what keep found
	unwritable atomic.Pointer[error] // why the engine failed to write last

	updating sync.Mutex   // held during each Update; guards stuck
	stuck    <-chan error // tells when the engine has written an update that it could not write in time; nil: there is none
	mu       sync.Mutex   // guards what follows, for a few instructions
	current  *snapshot
}

// format is the version of what is written into the folder. It goes up with every change
// of the analysis, too, so that no index is searched for other words than were written.
const format = "45"

// keyHead is the engine's key for the CRC-32 of the head and the head itself, which it
// writes together with the documents in one atomic step.
const keyHead = "head"

// head says which revision the documents are.
type head struct {
	Format   string                 `json:"format"`
	Revision string                 `json:"revision"`
	Settings article.SearchSettings `json:"settings"`
	State    []byte                 `json:"state"`
	Totals   totals                 `json:"totals"`
	Frequent frequent               `json:"frequent"`
}

// parseHead reads what withSum makes of a head.
func parseHead(b []byte) (h head, err error) {
	text, ok := behindSum(b)
	if !ok {
		return h, fmt.Errorf("%w: its head does not have the checksum that it begins with", ErrDamaged)
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, fmt.Errorf("%w: head: %w", ErrDamaged, err)
	}
	if h.Format != format {
		return h, fmt.Errorf("%w: it has format %q, this program reads %q", ErrDamaged, h.Format, format)
	}
	return h, nil
}

// withSum returns the JSON of a value after its CRC-32.
func withSum(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	return append(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)), text...), err
}

// behindSum returns what is after a CRC-32, if that is its own.
func behindSum(b []byte) (text []byte, ok bool) {
	if len(b) < crc32.Size {
		return nil, false
	}
	text = b[crc32.Size:]
	return text, binary.BigEndian.Uint32(b) == crc32.ChecksumIEEE(text)
}

// totals are sums over all articles. They are kept exactly, whatever the history, so
// that equal articles have equal scores.
type totals struct {
	Articles int   `json:"articles"`
	Length   int64 `json:"length"` // weighted words
	// Languages counts articles by language; queries are stemmed in each of them.
	Languages map[string]int `json:"languages"`
	// Digests is the exclusive or of the first eight bytes of all digests: the set of
	// articles, whatever their order.
	Digests uint64 `json:"digests"`
}

// add takes an article in or, with -1, out.
func (t *totals) add(r row, times int) {
	t.Articles += times
	t.Length += int64(times * r.length)
	if t.Languages[r.language] += times; t.Languages[r.language] == 0 {
		delete(t.Languages, r.language)
	}
	t.Digests ^= r.sum()
}

// Open opens the index in a folder, or makes an empty one there. The error is ErrDamaged where the
// folder does not have a whole index; after any other error the folder is as it was. Files that
// nobody wrote to since they were read are believed, and read again while the index is in use; see
// Damage. Updates, the reading of files and each search use at most this many processors; 0 means
// all.
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
	select {
	case <-guarded:
	case <-time.After(openPatience):
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
// is present, and whether all of its files are believed.
func (x *Index) check(ctx context.Context) (present, all bool, err error) {
	if _, err := os.Stat(filepath.Join(x.dir, catalogName)); errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	} else if err != nil {
		return false, false, unread(err)
	}
	x.read, x.believed, all, err = verify(ctx, x.dir, x.processors)
	if disturbed(err) {
		select {
		case <-time.After(disturbance):
		case <-ctx.Done():
		}
		x.read, x.believed, all, err = verify(ctx, x.dir, x.processors)
	}
	switch {
	case err != nil:
	case len(x.believed) > 0: // what is wrong in them may end the process: then the next start reads them
		os.Remove(filepath.Join(x.dir, stampsName))
	case !all:
		x.read.write(x.dir) // where it cannot, the next start reads the files again
	}
	return true, all, err
}

// openEngine opens the engine in the folder, in which there is an index if present is true.
func (x *Index) openEngine(present bool) (err error) {
	x.queue = index.NewAnalysisQueue(x.processors)
	var opening atomic.Bool
	opening.Store(true)
	var unopened error
	config := x.engineConfig(func(err error) {
		if opening.Load() { // the engine would go on with what it had before, or nothing, and remove the rest
			unopened = err
			panic(err)
		}
	})
	x.engine, err = newEngine(config, x.queue, x.failing, x.noticed)
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

// engineConfig is the configuration of the engine. It lets unopened be called with the error of a
// segment that cannot be opened.
func (x *Index) engineConfig(unopened func(error)) map[string]any {
	return map[string]any{
		"path":         x.dir,
		"bolt_timeout": catalogTimeout.String(),
		// The engine does not wait until a batch is on disk; finish waits for the last one of an
		// update.
		"unsafe_batch":           true,
		"forceSegmentType":       new(segments).Type(),
		"forceSegmentVersion":    int(new(segments).Version()),
		"segmentConfig":          map[string]any{whenDamaged: x.noteDamage, whenUnopened: unopened},
		"numSnapshotsToKeep":     1,
		"scorchPersisterOptions": map[string]any{"NumPersisterWorkers": 1, "PersisterNapTimeMSec": int(writeRest.Milliseconds())},
		// Few segments, for each term is looked up in each; and small ones stay on their own: with
		// the usual least size of 2,000 and 10 of each size, every update of a site of 2,000
		// articles wrote all of them again.
		"scorchMergePlanOptions": map[string]any{"FloorSegmentSize": 200, "MaxSegmentsPerTier": 4},
	}
}

// Close ends the index. No search may be in flight.
func (x *Index) Close() error {
	x.stop()
	err := x.close()
	if err == nil && x.Damage() == nil { // files that were believed at the opening still are
		x.read.addCatalog(x.dir, time.Now())
		x.read.write(x.dir) // where that fails, the next start reads the files
	}
	return err
}

// close ends an index without keep, and leaves the stamps as they are.
func (x *Index) close() error {
	close(x.closing)
	if x.current != nil {
		x.release(x.current)
	}
	err := x.closeEngine()
	x.queue.Close()
	return err
}

// State returns what the last Update kept, nil where there was none.
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

// Digests visits the digests of all articles, in no order.
func (x *Index) Digests(visit func(id, digest string) error) error {
	s := x.acquire()
	defer x.release(s)
	err := guard(func() {
		for doc, r := range s.rows() {
			must(visit(s.id(doc), digestPrefix+r.digest))
		}
	})
	if err != nil {
		return fmt.Errorf("read digests: %w", err)
	}
	return nil
}

// refresh takes the segments into use that the engine has merged since the last update, if worth
// reports, by the numbers of segments before and after, that this outweighs the loss of the
// postings in memory.
func (x *Index) refresh(worth func(segments, merged int) bool) error {
	if !x.updating.TryLock() {
		return nil // the update that runs ends with a new snapshot
	}
	defer x.updating.Unlock()
	now := x.current // nobody else replaces it meanwhile
	merged, err := x.engine.Reader()
	if err != nil {
		return err
	}
	defer merged.Close()
	if x.stuck != nil || now.state == nil || !worth(len(now.reader.Segments()), len(merged.(*scorch.IndexSnapshot).Segments())) {
		return nil
	}
	next, err := x.take()
	if err != nil {
		return err
	}
	next.answers = now.answers
	x.replace(next)
	// The engine only removes the files that were merged after it has written something, so it
	// writes an empty batch.
	return damaged(x.engine.Batch(index.NewBatch()))
}

// crowded reports whether merged segments are so much fewer that searches gain by them: each term
// is looked up in each segment. Besides, both take room on the disk until the old ones are out of
// use.
func crowded(segments, merged int) bool { return segments > 4 && 3*merged <= 2*segments }

// replace makes another snapshot the current one.
func (x *Index) replace(next *snapshot) {
	x.mu.Lock()
	before := x.current
	x.current = next
	x.mu.Unlock()
	x.release(before)
}

// stats are what the engine counts.
func (x *Index) stats() *scorch.Stats { return x.engine.Stats().(*scorch.Stats) }

// row is what is kept of an article in a column, to be read without its text.
type row struct {
	digest    string // hexadecimal
	published int64  // Unix seconds; an article without a date has the year 1, before all others
	length    int    // weighted words
	language  string // base code
}

// sum returns the first eight bytes of the digest.
func (r row) sum() uint64 {
	sum, _ := strconv.ParseUint(r.digest[:min(16, len(r.digest))], 16, 64) // 0 where it is not hexadecimal
	return sum
}

// encode returns a row as text. It must not have the byte 0xFF, the engine's separator.
func (r row) encode() string {
	return fmt.Sprintf("%s %d %d %s", r.digest, r.published, r.length, r.language)
}

func parseRow(s string) (r row, err error) {
	parts := strings.SplitN(s, " ", 4)
	if len(parts) != 4 {
		return r, fmt.Errorf("%w: a row has %d columns", ErrDamaged, len(parts))
	}
	r.digest, r.language = parts[0], parts[3]
	if r.published, err = strconv.ParseInt(parts[1], 10, 64); err == nil {
		r.length, err = strconv.Atoi(parts[2])
	}
	if err != nil {
		return r, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return r, nil
}

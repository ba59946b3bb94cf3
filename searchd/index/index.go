package index

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// ErrDamaged is an index whose files are not what was written. Its folder is removed
// and the index built anew from the publication.
var ErrDamaged = errors.New("the index is damaged")

// ErrNotWritten is an update that the engine could not write, or not yet when the caller
// gave up: the disk is full, or the folder is gone.
var ErrNotWritten = errors.New("the files of the index cannot be written")

// Update is one revision of the articles as a change of the one before.
type Update struct {
	// Revision names the state after the update.
	Revision string
	// Put are the new and changed articles: the digest and the line, which is the JSON
	// of an article.Article. An id may come once.
	Put iter.Seq2[string, []byte]
	// Delete are the ids that go.
	Delete []string
	// Settings replace those before.
	Settings article.SearchSettings
	// State is kept with the revision, for the caller; see Index.State.
	State []byte
}

// Index is the index of one folder. Its methods are safe for concurrent use, except Close.
type Index struct {
	engine     *scorch.Scorch
	queue      *index.AnalysisQueue
	languages  *analysis.Languages
	pool       scratchPool
	dir        string
	processors int
	batchBytes int    // see there; tests have less
	stop       func() // ends keep, and waits for it
	closing    chan struct{}
	guarded    func() // tells Open that the engine's writer is guarded
	merging    merging

	looking   sync.Mutex      // held by the one look of keep, and guards what follows
	read      stamps          // of files that were read, by this process or one before
	believed  map[string]bool // segments that this process has not read
	unwritten bool            // whether the stamps are not in the folder, for some files are believed
	counted   bool            // whether it has compared the articles with the head

	damage     atomic.Pointer[error]  // what keep found
	unwritable atomic.Pointer[string] // why the engine failed to write last

	updating sync.Mutex   // held by the one Update that runs, and guards stuck
	stuck    <-chan error // of an update that the engine holds and did not write, until it does; nil: there is none
	mu       sync.Mutex   // guards what follows, for a few instructions
	current  *snapshot
}

// format is the version of what is written into the folder. It goes up with every change
// of the analysis, so that an index made otherwise is not searched with other words.
const format = "25"

// keyHead is the name of what the engine keeps beside the documents, in the same atomic
// step: the CRC-32 of a head, and the head.
const keyHead = "head"

// head says of what revision the documents are.
type head struct {
	Format   string                 `json:"format"`
	Revision string                 `json:"revision"`
	Settings article.SearchSettings `json:"settings"`
	State    []byte                 `json:"state"`
	Totals   totals                 `json:"totals"`
	Frequent frequent               `json:"frequent"`
}

// encode returns the JSON of a head after its checksum.
func (h head) encode() ([]byte, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("encode head: %w", err)
	}
	return append(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(text)), text...), nil
}

// parseHead is the inverse of encode.
func parseHead(b []byte) (h head, err error) {
	if len(b) < crc32.Size || binary.BigEndian.Uint32(b) != crc32.ChecksumIEEE(b[crc32.Size:]) {
		return h, fmt.Errorf("%w: its head does not have the checksum that it begins with", ErrDamaged)
	}
	if err := json.Unmarshal(b[crc32.Size:], &h); err != nil {
		return h, fmt.Errorf("%w: head: %w", ErrDamaged, err)
	}
	if h.Format != format {
		return h, fmt.Errorf("%w: it has format %q, this program reads %q", ErrDamaged, h.Format, format)
	}
	return h, nil
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

const (
	// batchBytes of lines are a batch of a build, which the engine makes a segment of: enough for few segments, little
	// enough for memory. Each processor fills one.
	batchBytes = 32 << 20
	// sampleShare of a batch, one in so many, tells what words are frequent. A smaller site is one segment.
	sampleShare = 4
	// readAhead is how many articles are ready for those who fill batches while the next are read: those of a chunk.
	readAhead = 64
)

// Open opens the index in a folder, or makes an empty one there. Where the error
// is ErrDamaged, the folder holds something else than a whole index; else it holds what it did. Files that nobody wrote to since
// they were read are believed, and read again while the index is in use; see Damage. Updates and the reading of
// files take so many processors, and each search at most as many; 0 is all.
func Open(ctx context.Context, dir string, processors int) (x *Index, err error) {
	if processors <= 0 {
		processors = runtime.GOMAXPROCS(0)
	}
	x = &Index{languages: analysis.NewLanguages(), dir: dir, processors: processors, batchBytes: batchBytes, closing: make(chan struct{}), read: stamps{Boot: bootID(), Files: map[string]stamp{}}}
	guarded := make(chan struct{})
	x.guarded = sync.OnceFunc(func() { close(guarded) })
	all := false // whether all is believed
	_, err = os.Stat(filepath.Join(dir, catalogName))
	present := err == nil
	if present {
		if x.read, x.believed, all, err = verify(ctx, dir, processors); err != nil {
			return nil, fmt.Errorf("open index in %s: %w", dir, err)
		}
		if len(x.believed) > 0 { // what is wrong in them may end the process: then the next start reads them
			os.Remove(filepath.Join(dir, stampsName))
		} else if !all {
			x.read.write(dir) // where it cannot, the next start reads the files again
		}
	}
	x.queue = index.NewAnalysisQueue(processors)
	var unopened atomic.Pointer[error]
	x.engine, err = newEngine(map[string]any{
		"path":         dir,
		"bolt_timeout": catalogTimeout.String(),
		// A batch is not waited for; the last one of an update is (see finish).
		"unsafe_batch":           true,
		"forceSegmentType":       new(segments).Type(),
		"forceSegmentVersion":    int(new(segments).Version()),
		"segmentConfig":          map[string]any{whenDamaged: x.noteDamage, whenUnopened: func(err error) { unopened.Store(&err) }},
		"numSnapshotsToKeep":     1,
		"scorchPersisterOptions": map[string]any{"NumPersisterWorkers": 1, "PersisterNapTimeMSec": int(writeRest.Milliseconds())},
		// Few segments, for each term is looked up in each; and small ones on their own: with the usual
		// least size of 2,000 and 10 of each, every update of a site of so many articles wrote all of them again.
		"scorchMergePlanOptions": map[string]any{"FloorSegmentSize": 200, "MaxSegmentsPerTier": 4},
	}, x.queue, x.failing, x.noticed)
	if err != nil {
		x.queue.Close()
		return nil, fmt.Errorf("open index: %w", err)
	}
	if err := guard(x.engine.Open); err != nil {
		x.queue.Close()
		if why := unopened.Load(); why != nil { // over which the engine panics
			err = *why
		}
		if present {
			err = unread(err)
		}
		return nil, fmt.Errorf("open index in %s: %w", dir, err)
	}
	x.current, err = x.take()
	if err == nil && !all {
		err = guard(func() error { return x.current.verify(func(time.Duration) error { return ctx.Err() }) })
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

// Close ends the index. No search may be in flight.
func (x *Index) Close() error {
	x.stop()
	err := x.close()
	if err == nil && x.Damage() == nil {
		x.read.closed(x.dir, time.Now())
	}
	return err
}

// close ends an index that nobody looks at, and leaves its stamps as they are.
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
	err := guard(func() error {
		return s.each(func(doc uint32, r row) error {
			id, err := s.id(doc)
			if err != nil {
				return err
			}
			return visit(id, digestPrefix+r.digest)
		})
	})
	if err != nil {
		return fmt.Errorf("read digests: %w", err)
	}
	return nil
}

// Update applies an update. Searches see the revision before it or after it. One into an
// empty index is written in several batches, of which the last completes the
// revision; any other is one atomic batch. The error leaves an index as it was, but a
// build that ended early: that one has no State. Where the error is ErrNotWritten, no
// later update is taken until Written says that this one is; what is there can still be
// searched.
func (x *Index) Update(ctx context.Context, u Update) error {
	x.updating.Lock()
	defer x.updating.Unlock()
	if x.stuck != nil {
		return fmt.Errorf("update index: the one before: %w", ErrNotWritten)
	}
	now := x.acquire()
	defer x.release(now)
	w := writer{index: x, before: now, build: now.state == nil, failed: x.failedWrites(), totals: totals{Languages: map[string]int{}}}
	if !w.build {
		w.totals = now.totals
		w.totals.Languages = maps.Clone(now.totals.Languages)
		w.frequent = now.frequent
	}
	if err := guard(func() error { return w.write(ctx, u) }); err != nil {
		return fmt.Errorf("update index: %w", err)
	}
	next, err := x.take()
	if err != nil {
		return fmt.Errorf("update index: %w", err)
	}
	x.replace(next)
	return nil
}

// Written reports whether an update that could not be written is now, for the engine tries on:
// then its revision is searched, and State is that of it. The index must have had one before.
func (x *Index) Written() bool {
	x.updating.Lock()
	defer x.updating.Unlock()
	select {
	case err := <-x.stuck: // never, where there is none
		if err != nil {
			return false
		}
	default:
		return false
	}
	next, err := x.take()
	if err != nil {
		return false
	}
	x.stuck = nil
	x.replace(next)
	return true
}

// refresh takes what the engine has merged since the last update into use, where that
// is worth the postings in memory: after a build.
func (x *Index) refresh(worth func(segments, merged int) bool) error {
	if !x.updating.TryLock() {
		return nil // the update ends with it
	}
	defer x.updating.Unlock()
	now := x.current // until it is replaced here
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
	// The files that were merged are in the way for ever else: the engine looks for such only after it has written something.
	return damaged(x.engine.Batch(index.NewBatch()))
}

// crowded reports whether searches take longer in so many segments than in those that they
// are merged to, for each term is looked up in each; and as long as they are used, both are on the disk.
func crowded(segments, merged int) bool { return segments > 4 && 3*merged <= 2*segments }

// replace makes another snapshot the current one.
func (x *Index) replace(next *snapshot) {
	x.mu.Lock()
	before := x.current
	x.current = next
	x.mu.Unlock()
	x.release(before)
}

// writer writes one update.
type writer struct {
	index    *Index
	before   *snapshot
	build    bool
	frequent frequent
	failed   uint64 // the index's failed writes when it began

	mu     sync.Mutex // guards totals while batches are filled
	totals totals
}

func (w *writer) write(ctx context.Context, u Update) error {
	feed := w.change
	if w.build {
		feed = w.fill
	}
	last, err := feed(ctx, u)
	if err == nil {
		err = ctx.Err() // the caller may have stopped the feed, to leave the revision incomplete
	}
	if err != nil {
		return err
	}
	return w.finish(ctx, u, last)
}

// batch is articles on their way to the engine, which makes a segment of them.
type batch struct {
	*index.Batch
	inversion *inversion
	bytes     int
}

func (w *writer) newBatch() *batch {
	return &batch{Batch: index.NewBatch(), inversion: newInversion(w.index.languages, w.frequent)}
}

// line is an article as the caller of Update gives it.
type line struct {
	digest string
	json   []byte
}

// add takes an article in, and returns its id.
func (b *batch) add(l line) (id string, err error) {
	if id, err = b.inversion.add(l.digest, l.json); err != nil {
		return "", err
	}
	if _, twice := b.IndexOps[id]; twice {
		return "", fmt.Errorf("article %s comes twice", id)
	}
	b.Update(&document{id, b.inversion})
	b.bytes += len(l.json)
	return id, nil
}

// change returns the one batch of an update.
func (w *writer) change(ctx context.Context, u Update) (*batch, error) {
	b := w.newBatch()
	if u.Put != nil {
		for digest, json := range u.Put {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			id, err := b.add(line{digest, json})
			if err != nil {
				return nil, err
			}
			if err := w.replace(id); err != nil {
				return nil, err
			}
		}
	}
	for _, id := range u.Delete {
		if _, twice := b.IndexOps[id]; twice {
			return nil, fmt.Errorf("article %s comes twice", id)
		}
		if err := w.replace(id); err != nil {
			return nil, err
		}
		b.Delete(id)
	}
	return b, nil
}

// fill hands the articles of a build to the engine, and returns the last batch. The first articles tell what words are
// frequent; where there are no others, they are that batch, else each processor fills batches, and the last has none.
func (w *writer) fill(ctx context.Context, u Update) (*batch, error) {
	if u.Put == nil {
		return w.newBatch(), nil
	}
	filling, running := errgroup.WithContext(ctx)
	lines := make(chan line, readAhead)
	end := sync.OnceFunc(func() { close(lines) })
	defer end()      // where the caller's articles end in a panic, too
	var ready []line // to be handed on: at first a sample, then each line as it comes
	size := 0
	for digest, json := range u.Put {
		ready = append(ready, line{digest, json})
		if w.frequent == nil {
			if size += len(json); size < w.index.batchBytes/sampleShare {
				continue
			}
			w.choose(ready)
			for range w.index.processors {
				filling.Go(func() error { return guard(func() error { return w.fillFrom(lines) }) })
			}
		}
		for _, l := range ready {
			select {
			case lines <- l:
			case <-running.Done():
				end()
				return nil, cmp.Or(filling.Wait(), ctx.Err())
			}
		}
		ready = ready[:0]
	}
	end()
	if w.frequent == nil {
		w.choose(ready)
		b := w.newBatch()
		for _, l := range ready {
			if _, err := b.add(l); err != nil {
				return nil, err
			}
		}
		return b, nil
	}
	return w.newBatch(), filling.Wait()
}

// fillFrom fills batches.
func (w *writer) fillFrom(lines <-chan line) error {
	b := w.newBatch()
	for l := range lines {
		if _, err := b.add(l); err != nil {
			return err
		}
		if b.bytes > w.index.batchBytes {
			if err := w.send(b); err != nil {
				return err
			}
			b = w.newBatch()
		}
	}
	return w.send(b)
}

// send hands a batch to the engine.
func (w *writer) send(b *batch) error {
	if w.index.failedWrites() != w.failed {
		return w.index.notWritten() // else the rest would gather in memory
	}
	w.count(b)
	return damaged(w.index.engine.Batch(b.Batch)) // it looks for the ids in the segments that are there
}

// count adds the articles of a batch to the totals.
func (w *writer) count(b *batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, r := range b.inversion.rows {
		w.totals.add(r, 1)
	}
}

// choose lets articles tell what words are frequent.
func (w *writer) choose(lines []line) {
	var texts []string
	for _, l := range lines {
		if a, err := article.Decode(l.json); err == nil { // else it is told where it is added
			texts = append(texts, a.ContentText)
		}
	}
	w.frequent = frequentOf(texts)
}

// replace takes an article that changes or goes out of the totals.
func (w *writer) replace(id string) error {
	doc, ok, err := w.before.find(id)
	if err != nil || !ok {
		return err
	}
	r, err := w.before.row(doc)
	if err != nil {
		return err
	}
	w.totals.add(r, -1)
	return nil
}

// finish writes the last batch, with what makes it a revision.
func (w *writer) finish(ctx context.Context, u Update, last *batch) error {
	w.count(last)
	h, err := head{format, u.Revision, u.Settings, u.State, w.totals, w.frequent}.encode()
	if err != nil {
		return err
	}
	last.SetInternal([]byte(keyHead), h)
	persisted := make(chan error, 1)
	last.SetPersistedCallback(func(err error) { persisted <- err })
	if err := w.index.engine.Batch(last.Batch); err != nil {
		return damaged(err)
	}
	return w.wait(ctx, persisted)
}

// writeRest is how long the engine rests before it writes what is new, or tries again on a full disk: without, it tries
// thousands of times a second, for as long as the index is searched.
const writeRest = 10 * time.Millisecond

const (
	// writeLook is how often it is looked whether the engine fails to write.
	writeLook = 100 * time.Millisecond
	// writePatience is how long it may fail: what a merge has written when the disk is full is
	// gone in a moment, and may have been all that was in the way.
	writePatience = 3 * writeLook
)

// wait waits until the last batch is on disk. The engine itself tries for ever, says
// nothing, and ends only when it is closed.
func (w *writer) wait(ctx context.Context, persisted <-chan error) error {
	look := time.NewTicker(writeLook)
	defer look.Stop()
	var failing time.Time // since when
	for {
		var err error
		select {
		case err := <-persisted:
			return err
		case <-ctx.Done():
			err = fmt.Errorf("%w: %w", ErrNotWritten, ctx.Err())
		case now := <-look.C:
			damage := w.index.Damage() // a goroutine of the engine has ended, perhaps
			if damage == nil && w.index.failedWrites() == w.failed {
				continue
			}
			if failing.IsZero() {
				failing = now
			}
			if damage == nil && now.Sub(failing) < writePatience {
				continue
			}
			if err = w.index.notWritten(); damage != nil {
				err = fmt.Errorf("%w: %w", ErrNotWritten, damage)
			}
		}
		select {
		case err := <-persisted: // just now
			return err
		default:
		}
		w.index.stuck = persisted
		return err
	}
}

// failedWrites counts the engine's attempts to write that failed.
func (x *Index) failedWrites() uint64 { return atomic.LoadUint64(&x.stats().TotPersistLoopErr) }

// stats are what the engine counts.
func (x *Index) stats() *scorch.Stats { return x.engine.Stats().(*scorch.Stats) }

// row is what is kept of an article in a column, to be read without its text.
type row struct {
	digest    string // hexadecimal
	published int64  // Unix seconds; where there is none of the year 1, before all others
	length    int    // weighted words
	language  string // base code
}

// sum returns the first eight bytes of the digest.
func (r row) sum() uint64 {
	sum, _ := strconv.ParseUint(r.digest[:min(16, len(r.digest))], 16, 64) // parse has seen to it
	return sum
}

// encode must not use the byte 0xFF, the engine's separator.
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

// sortedLanguages returns the languages of the articles, sorted.
func (t totals) sortedLanguages() []string { return slices.Sorted(maps.Keys(t.Languages)) }

package index

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
)

// Update is one revision of the articles, as a change of the one before.
type Update struct {
	// Revision names the state after the update.
	Revision string
	// Put are the new and changed articles, each with its digest and its line, which is the JSON of
	// an article.Article. An id may occur only once in Put and Delete.
	Put iter.Seq2[string, []byte]
	// Delete are the ids of the articles to delete.
	Delete []string
	// Settings replace those of the revision before.
	Settings article.SearchSettings
	// State is kept with the revision, for the caller; see Index.State.
	State []byte
}

const (
	// batchBytes is the size of the lines in a batch of a build, from which the engine makes a
	// segment: large enough for few segments, small enough for memory. Each processor fills one.
	batchBytes = 32 << 20
	// The first articles, up to batchBytes/sampleShare, tell which words are frequent. A site with
	// no more than these becomes one segment.
	sampleShare = 4
	// readAhead is the most articles that wait for the goroutines that fill batches: the number in
	// a chunk.
	readAhead = 64
)

// Update applies an update. Searches see the revision before it or after it. An update of an empty
// index is a build: it is written in several batches, of which the last completes the revision. Any
// other update is one atomic batch. An update that fails leaves the index as it was, but a build
// that fails may leave articles, and no State. If the error is ErrNotWritten, further updates fail
// until Written reports that this one is written; the revision before can still be searched. If it
// is ErrArticle, the caller's articles are at fault, and the same update fails again.
func (x *Index) Update(ctx context.Context, u Update) error {
	x.updating.Lock()
	defer x.updating.Unlock()
	if x.readOnly {
		return fmt.Errorf("update index: %w: %w", ErrNotWritten, syscall.EROFS)
	}
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
	if err := guard(func() { must(w.write(ctx, u)) }); err != nil {
		return fmt.Errorf("update index: %w", err)
	}
	next, err := x.take()
	if err != nil {
		return fmt.Errorf("update index: %w", err)
	}
	x.replace(next)
	return nil
}

// Written reports whether an update that failed with ErrNotWritten is written by now, since the
// engine goes on trying. Its revision is then searched, and its State kept. The index must have had
// a revision before that update.
func (x *Index) Written() bool {
	x.updating.Lock()
	defer x.updating.Unlock()
	select {
	case err := <-x.stuck: // a nil channel never receives
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

// writer writes one update.
type writer struct {
	index    *Index
	before   *snapshot
	build    bool
	frequent frequent
	failed   uint64 // failedWrites of the index when the update began

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
		err = ctx.Err() // the caller may have cut Put short, to leave the revision incomplete
	}
	if err != nil {
		return err
	}
	if err := w.finish(ctx, u, last); err != nil {
		return err
	}
	if w.build && len(last.IndexOps) == 0 { // there were several batches, which take several times the memory of searches
		debug.FreeOSMemory()
	}
	return nil
}

// batch is articles for the engine, which makes a segment of them.
type batch struct {
	*index.Batch
	inversion *inversion
	bytes     int
}

func (w *writer) newBatch() *batch {
	return &batch{Batch: index.NewBatch(), inversion: newInversion(w.index.languages, w.frequent)}
}

// reset removes all articles, and keeps the memory for others. The engine keeps nothing of a batch
// that it has taken.
func (b *batch) reset() {
	b.Reset()
	b.inversion.reset()
	b.bytes = 0
}

// line is an article as the caller of Update passes it.
type line struct {
	digest string
	json   []byte
}

// add adds an article, and returns its id.
func (b *batch) add(l line) (id string, err error) {
	if id, err = b.inversion.add(l.digest, l.json); err != nil {
		return "", err
	}
	if _, twice := b.IndexOps[id]; twice {
		return "", fmt.Errorf("%w: %s comes twice", ErrArticle, id)
	}
	b.Update(&document{id, b.inversion})
	b.bytes += len(l.json)
	return id, nil
}

// change returns the one batch of an update.
func (w *writer) change(ctx context.Context, u Update) (*batch, error) {
	b := w.newBatch()
	for digest, json := range u.Put {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		id, err := b.add(line{digest, json})
		if err != nil {
			return nil, err
		}
		w.replace(id)
	}
	for _, id := range u.Delete {
		if _, twice := b.IndexOps[id]; twice {
			return nil, fmt.Errorf("%w: %s comes twice", ErrArticle, id)
		}
		w.replace(id)
		b.Delete(id)
	}
	return b, nil
}

// fill passes the articles of a build to the engine, except those of the last batch, which it
// returns. The first articles are a sample that tells which words are frequent. If there are no
// others, the sample is the last batch; else each processor fills batches from all articles, and
// the last batch is empty.
func (w *writer) fill(ctx context.Context, u Update) (*batch, error) {
	filling, running := errgroup.WithContext(ctx)
	lines := make(chan line, readAhead)
	end := sync.OnceFunc(func() { close(lines) })
	defer end()      // even if u.Put panics
	var ready []line // to be sent: first the sample, then each line as it comes
	size := 0
	for digest, json := range u.Put {
		ready = append(ready, line{digest, json})
		if w.frequent == nil {
			if size += len(json); size < w.index.batchBytes/sampleShare {
				continue
			}
			w.choose(ready)
			for range w.index.processors {
				filling.Go(func() error { return guard(func() { must(w.fillFrom(lines)) }) })
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

// fillFrom fills batches with lines, and sends them to the engine.
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
			b.reset()
		}
	}
	return w.send(b)
}

// send passes a batch to the engine.
func (w *writer) send(b *batch) error {
	if w.index.failedWrites() != w.failed {
		return w.index.notWritten() // or all other batches would gather in memory
	}
	w.count(b)
	return damaged(w.index.engine.Batch(b.Batch)) // the engine looks for the ids in the segments that there are
}

// count adds the articles of a batch to the totals.
func (w *writer) count(b *batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for r := range b.inversion.rows.all() {
		w.totals.add(r, 1)
	}
}

// choose chooses the frequent words from a sample of the articles.
func (w *writer) choose(lines []line) {
	var texts []string
	for _, l := range lines {
		if a, err := article.Decode(l.json); err == nil { // inversion.add returns the error
			texts = append(texts, a.ContentText)
		}
	}
	w.frequent = frequentOf(texts)
}

// replace subtracts from the totals an article that changes or goes, if the index has it.
func (w *writer) replace(id string) {
	if doc, ok := w.before.find(id); ok {
		w.totals.add(w.before.row(doc), -1)
	}
}

// finish writes the last batch with the head, which makes it a revision, and waits until it is on
// disk.
func (w *writer) finish(ctx context.Context, u Update, last *batch) error {
	w.count(last)
	h, err := withSum(head{format, u.Revision, u.Settings, u.State, w.totals, w.frequent})
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

// writeRest is how long the engine rests before it writes what is new, or tries again on a full
// disk. Without a rest it would try thousands of times a second while the index is searched.
const writeRest = 10 * time.Millisecond

const (
	// writeLook is how often wait checks whether the engine fails to write.
	writeLook = 100 * time.Millisecond
	// writePatience is how long writes may fail before Update gives up: a merge that fails on a
	// full disk soon removes its file, and that may have been all that was in the way.
	writePatience = 3 * writeLook
)

// wait waits until the last batch is on disk, or the engine fails to write it. The engine itself
// retries for ever, reports nothing, and gives up only when it is closed.
func (w *writer) wait(ctx context.Context, persisted <-chan error) error {
	look := time.NewTicker(writeLook)
	defer look.Stop()
	var failing time.Time // when writes began to fail
	for {
		var err error
		select {
		case err := <-persisted:
			return err
		case <-ctx.Done():
			err = fmt.Errorf("%w: %w", ErrNotWritten, ctx.Err())
		case now := <-look.C:
			damage := w.index.Damage() // perhaps a goroutine of the engine has ended
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

// failedWrites returns how many of the engine's attempts to write have failed.
func (x *Index) failedWrites() uint64 { return atomic.LoadUint64(&x.stats().TotPersistLoopErr) }

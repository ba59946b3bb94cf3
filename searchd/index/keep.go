package index

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// How files are read while the index is searched.
const (
	// keepEvery is how often keep looks for new files, which merges make even long after an update.
	keepEvery = 3 * time.Second
	// After each piece that it reads, keep rests keepShare times as long as the reading took, so
	// that it takes a tenth of a processor.
	keepShare = 9
)

// keep takes merged segments into use, reads files that are new or were believed at the opening,
// and writes the stamps of those that are right, so that a restart need not read them. It returns
// when ctx ends, or when damage is found, which Damage then returns.
func (x *Index) keep(ctx context.Context) {
	look := time.NewTicker(keepEvery)
	defer look.Stop()
	rest := func(worked time.Duration) error {
		select {
		case <-time.After(keepShare * worked):
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			err := x.Damage() // a merge may have found some
			if err == nil {
				err = x.lookTwice(time.Now(), rest)
			}
			if errors.Is(err, ErrDamaged) {
				x.noteDamage(err)
				os.Remove(filepath.Join(x.dir, stampsName))
				return
			}
		}
	}
}

// Damage returns what was found wrong with the files, even if no search has read the damage yet, or
// nil if nothing was found.
func (x *Index) Damage() error {
	if err := x.damage.Load(); err != nil {
		return *err
	}
	return nil
}

// lookTwice calls look, but returns a passing error of the disk (see disturbed) only if the look
// before had one too.
func (x *Index) lookTwice(now time.Time, rest func(time.Duration) error) error {
	err := x.look(now, rest)
	before := x.doubtful
	if x.doubtful = disturbed(err); x.doubtful && !before {
		return nil
	}
	return err
}

// look is one round of keep.
func (x *Index) look(now time.Time, rest func(time.Duration) error) error {
	x.looking.Lock()
	defer x.looking.Unlock()
	if err := x.refresh(crowded); err != nil {
		return err
	}
	for name := range x.believed {
		if _, _, err := readSegment(filepath.Join(x.dir, name), now, rest); err != nil && !errors.Is(err, fs.ErrNotExist) { // gone after a merge
			return err
		}
		delete(x.believed, name)
	}
	if err := x.stamp(now, rest); err != nil {
		return err
	}
	if x.counted {
		return nil
	}
	s := x.acquire()
	defer x.release(s)
	err := guard(func() { s.verify(rest) })
	x.counted = err == nil
	return err
}

// refresh takes into use the segments that the engine has merged since the last update, if worth
// reports, by the number of segments now and after the merges, that they outweigh the loss of the
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
	// The engine removes the files that were merged only when it writes something, so write an
	// empty batch.
	return damaged(x.engine.Batch(index.NewBatch()))
}

// crowded reports whether the merged segments are so many fewer that searches gain by them, because
// each term is looked up in each segment. Besides, both take room on the disk until the old
// segments are out of use.
func crowded(segments, merged int) bool { return segments > 4 && 3*merged <= 2*segments }

// stamp writes the stamps of the catalog and of the segments that the engine has now. It first
// reads those segments that have no stamp.
func (x *Index) stamp(now time.Time, rest func(time.Duration) error) error {
	reader, err := x.engine.Reader()
	if err != nil {
		return err
	}
	defer reader.Close()
	current := stamps{x.read.Boot, map[string]stamp{}}
	for _, one := range reader.(*scorch.IndexSnapshot).Segments() {
		file, ok := one.Segment().(segment.PersistedSegment)
		if !ok {
			continue
		}
		name := filepath.Base(file.Path())
		if x.read.hold(x.dir, name) {
			current.Files[name] = x.read.Files[name]
			continue
		}
		if s, err := stampOf(file.Path()); err != nil || s.young(now) {
			continue // it is gone, or too young: a later look reads it
		}
		s, lasting, err := readSegment(file.Path(), now, rest)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case lasting:
			current.Files[name] = s
		}
	}
	current.addCatalog(x.dir, now)
	if maps.Equal(current.Files, x.read.Files) && !x.unwritten {
		return nil
	}
	x.read, x.unwritten = current, false
	return x.read.write(x.dir)
}

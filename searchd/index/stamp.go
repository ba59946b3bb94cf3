package index

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// stamp is a file as it was at one moment. While its stamp is the same, nobody wrote to
// it: programs can set the time of a modification, and not that of a change (ctime).
type stamp struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // ns
	Changed  int64  `json:"changed"`  // ns
	Inode    uint64 `json:"inode"`
	Device   uint64 `json:"device"`
}

// young reports whether the file may still be written to without getting another stamp:
// file systems count time in ticks, the coarsest in ticks of 2 s.
func (s stamp) young(now time.Time) bool { return now.UnixNano()-s.Changed < int64(2*time.Second) }

// stampsName is the file of the stamps in the folder of an index.
const stampsName = "stamps"

// stamps are the stamps of files whose bytes were read and found right.
type stamps struct {
	// Boot is the start of the machine since which the files were read. What was written
	// before it may have been lost with the power, or this may be another disk.
	Boot  string           `json:"boot"`
	Files map[string]stamp `json:"files"`
}

// readStamps returns the stamps of a folder: none where their file is not whole, or of another
// start of the machine.
func readStamps(dir string) stamps {
	none := stamps{Boot: bootID(), Files: map[string]stamp{}}
	b, err := os.ReadFile(filepath.Join(dir, stampsName))
	text, ok := behindSum(b)
	if err != nil || !ok {
		return none
	}
	var s stamps
	if err := json.Unmarshal(text, &s); err != nil || s.Boot == "" || s.Boot != none.Boot || s.Files == nil {
		return none
	}
	return s
}

// write replaces the stamps of a folder. It does not sync: stamps are worth nothing after a loss of
// power.
func (s stamps) write(dir string) error {
	if s.Boot == "" {
		return nil // they would never be believed
	}
	b, err := withSum(s)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, stampsName)
	if err := os.WriteFile(path+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// addCatalog adds the stamp of the catalog. It was read or believed at the opening, and since then
// only the engine has written it, and never a part of it: a catalog that is being written is as
// good as the one before.
func (s stamps) addCatalog(dir string, now time.Time) {
	if catalog, err := stampOf(filepath.Join(dir, catalogName)); err == nil && !catalog.young(now) {
		s.Files[catalogName] = catalog
	}
}

// hold reports whether a file is as it was when it was stamped.
func (s stamps) hold(dir, name string) bool {
	before, ok := s.Files[name]
	now, err := stampOf(filepath.Join(dir, name))
	return ok && err == nil && now == before
}

// readSegment verifies a segment and returns its stamp, if that will hold until somebody
// writes to the file.
func readSegment(path string, now time.Time, rest func(time.Duration) error) (s stamp, lasting bool, err error) {
	before, stampErr := stampOf(path)
	if err := verifySegment(path, rest); err != nil {
		return s, false, err
	}
	after, err := stampOf(path)
	return after, stampErr == nil && err == nil && before == after && !after.young(now), nil
}

// How files are read while searches go on.
const (
	// keepEvery is the time between two looks of keep for new files: merges make them long after an
	// update.
	keepEvery = 3 * time.Second
	// After each piece that it reads, keep rests keepShare times as long as that took, so that
	// reading takes a tenth of a processor.
	keepShare = 9
)

// keep goes on until the index is closed, or damage is found, which Damage tells: it takes merged
// segments into use, reads files that are new or were believed at the opening, and writes down the
// stamps of those that are right, so that a restart need not read them.
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
			err := x.Damage() // which a merge may have met
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

// Damage says what is wrong with files that a search need not have met yet; nil where
// nothing was found.
func (x *Index) Damage() error {
	if err := x.damage.Load(); err != nil {
		return *err
	}
	return nil
}

// lookTwice is look, but where the disk is disturbed it waits for what the next look says.
func (x *Index) lookTwice(now time.Time, rest func(time.Duration) error) error {
	err := x.look(now, rest)
	before := x.doubtful
	if x.doubtful = disturbed(err); x.doubtful && !before {
		return nil
	}
	return err
}

// look is one round of keep, apart from that.
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

// stamp writes down the stamps of the catalog and of the segments that the engine has now; those
// that are new are read.
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
			continue // it is gone, or is read when its stamp lasts
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

package builder

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/source"
)

const (
	// settleTime is how long a folder must be quiet before it is built: editors that
	// write a file in several steps take a few milliseconds.
	settleTime = 50 * time.Millisecond
	// settleMost bounds the wait for a folder that is never quiet.
	settleMost = 500 * time.Millisecond
	// pollInterval is how often the content is looked over for changes of which the
	// system said nothing (network folders, lost events).
	pollInterval = 3 * time.Second
	// pollShare bounds the time spent on looking to a fiftieth of one processor: the
	// larger the site, the rarer the look.
	pollShare = 50
	// clockInterval is the longest time without a look at the clock. Timers stand still
	// while a machine is suspended, and do not know of a clock that is set.
	clockInterval = 30 * time.Second
	// retryInterval is when a build that failed is tried again, for causes outside of
	// the content: a full disk, a folder without rights.
	retryInterval = 5 * time.Second
)

// Watch builds at once, then after every change of the content, and at each instant at
// which an article becomes published or expires, until ctx is done; then it returns
// nil. It reports the first build, and every later one that published something, or
// whose problems differ from those that were reported last. The error of a report
// says why nothing was published; what was published before stays. Watch itself fails
// only at once, over folders that cannot be used.
//
// A change is noticed by the system's events, within about a tenth of a second; where
// there are none, by looking over the folder every few seconds. So is a published folder
// that somebody removed or replaced, by an older copy perhaps: it is published anew. Two
// watches that publish different things into one folder do so in turn, for ever.
func Watch(ctx context.Context, o Options, report func(Report, error)) error {
	if err := o.check(); err != nil {
		return err
	}
	events := newEvents(o.Content) // watch first, read second: no gap
	defer events.close()
	o.Now = time.Time{}
	b := newWatcher(o, time.Now)
	b.findCache()
	b.watch(ctx, events.hints, events.add, report)
	return nil
}

func newWatcher(o Options, now func() time.Time) *builder {
	return &builder{options: o, now: now, known: map[string]knownArticle{}, asked: &asked{}}
}

// watch is the loop of Watch. hints says that something may have changed; look is
// called with each folder of the content whenever it is looked over.
func (b *builder) watch(ctx context.Context, hints <-chan struct{}, look func(folder string), report func(Report, error)) {
	var (
		reported string    // the words of the last report
		first    = true    // whether nothing was reported yet
		seen     [32]byte  // the content as it was when the build began
		left     string    // the published folder as the build left it
		wrote    bool      // whether the build wrote something, of which nobody knows yet that it stays
		builtAt  time.Time // by the clock
		lookedAt time.Time // when the content was looked over last, by the monotonic clock
		triedAt  time.Time // when the last build ended, by the monotonic clock
		pause    time.Duration
	)
	for {
		lookedAt, builtAt = time.Now(), b.now()
		seen = b.fingerprint(look)
		pause = max(pollInterval, pollShare*time.Since(lookedAt))
		r, err := b.build(ctx)
		if err != nil && ctx.Err() != nil {
			return
		}
		triedAt, left, wrote = time.Now(), b.published(), r.Written > 0
		if said := words(r, err); first || said != reported || r.Written+r.Removed > 0 {
			report(r, err)
			reported, first = said, false
		}
		for changed := false; !changed; {
			wait := min(clockInterval, pause-time.Since(lookedAt))
			if err != nil {
				wait = min(wait, retryInterval-time.Since(triedAt))
			}
			if !r.Next.IsZero() {
				wait = min(wait, r.Next.Sub(b.now()))
			}
			select {
			case <-ctx.Done():
				return
			case <-hints:
				settle(ctx, hints)
				changed = true
				continue
			case <-time.After(wait):
			}
			now := b.now().Round(0) // the wall clock, which may have been set
			switch {
			case !r.Next.IsZero() && !now.Before(r.Next), now.Before(builtAt.Round(0)):
				changed = true
			case err != nil && time.Since(triedAt) >= retryInterval:
				changed = true
			case time.Since(lookedAt) >= pause:
				lookedAt = time.Now()
				// Where left is empty, the folder was removed before it could be looked at. Whoever removes or replaces it may be at
				// it while a build finds some files there and writes others: so one that wrote is followed by one that need not.
				changed = b.fingerprint(look) != seen || b.asked.changed() || b.published() != left || err == nil && (left == "" || wrote)
				pause = max(pollInterval, pollShare*time.Since(lookedAt))
			}
		}
	}
}

// settle waits until hints stop for a moment.
func settle(ctx context.Context, hints <-chan struct{}) {
	most := time.After(settleMost)
	for {
		select {
		case <-ctx.Done():
			return
		case <-most:
			return
		case <-time.After(settleTime):
			return
		case <-hints:
		}
	}
}

// words are equal for reports that say the same to an author.
func words(r Report, err error) string {
	return fmt.Sprint(r.Revision, r.Problems, r.Kept, err)
}

// fingerprint changes when a file of the content is written, made, removed or renamed.
// Reading the content is left to the build.
func (b *builder) fingerprint(look func(folder string)) (sum [sha256.Size]byte) {
	h := sha256.New()
	fs.WalkDir(os.DirFS(b.options.Content), ".", func(path string, e fs.DirEntry, err error) error { // filepath's would end at a link to the folder
		if err != nil {
			fmt.Fprintf(h, "%s %v\n", path, err)
			return nil
		}
		if e.IsDir() {
			if path != "." && source.IsForeign(e.Name()) {
				return fs.SkipDir
			}
			look(filepath.Join(b.options.Content, path))
		}
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(h, "%s %d %d %v\n", path, info.Size(), info.ModTime().UnixNano(), info.Mode())
		}
		return nil
	})
	h.Sum(sum[:0])
	return sum
}

// published is the state of the publication; it is "" where there is none.
func (b *builder) published() string {
	return stateOf(filepath.Join(b.options.Public, article.ManifestPath))
}

// stateOf changes when a file is written or replaced; it is "" where there is none.
func stateOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), info.Mode())
}

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
	// settleMore is how much longer it must be quiet for each further event, up to
	// settleLong. Git switches a branch by some thousand events, and may be held up between
	// two: a build in the middle would take articles down that are there a moment later.
	settleMore = 5 * time.Millisecond
	settleLong = 500 * time.Millisecond
	// settleMost bounds the wait for a folder that is never quiet.
	settleMost = 5 * time.Second
	// pollInterval is how often the content is looked over for changes that the system
	// did not report (network folders, lost events).
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

// watch is the loop of Watch. A hint says that something may have changed; eachFolder is called
// with every folder of the content whenever the content is looked over, since some may be new.
func (b *builder) watch(ctx context.Context, hints <-chan struct{}, eachFolder func(folder string), report func(Report, error)) {
	reported, first := "", true // the words of the last report, and whether there was none yet
	for {
		w := watchedBuild{builder: b, eachFolder: eachFolder}
		w.build(ctx)
		if w.err != nil && ctx.Err() != nil {
			return
		}
		if said := words(w.report, w.err); first || said != reported || w.report.Written+w.report.Removed > 0 {
			report(w.report, w.err)
			reported, first = said, false
		}
		for due := false; !due; {
			select {
			case <-ctx.Done():
				return
			case <-hints:
				settle(ctx, hints)
				due = true
			case <-time.After(w.nextWait()):
				due = w.due() && len(hints) == 0 // what is still being changed settles first
			}
		}
	}
}

// watchedBuild is the last build of a watch, which knows when the next one is due.
type watchedBuild struct {
	builder    *builder
	eachFolder func(folder string)

	report  Report
	err     error
	content [sha256.Size]byte // the fingerprint of the content when the build began
	left    string            // the state of the published folder as the build left it; "" where that was removed before it could be looked at
	begun   time.Time         // by the clock

	// By the monotonic clock.
	ended    time.Time
	lookedAt time.Time     // when the content was looked over last
	pause    time.Duration // from then until the next look
}

// build looks over the content and builds it.
func (w *watchedBuild) build(ctx context.Context) {
	began := time.Now()
	w.begun = w.builder.now()
	w.content = w.builder.fingerprint(w.eachFolder)
	w.looked(began)
	w.report, w.err = w.builder.build(ctx)
	w.ended, w.left = time.Now(), w.builder.published()
}

// looked sets when the content is looked over next: the longer a look takes, the rarer they are.
func (w *watchedBuild) looked(began time.Time) {
	w.lookedAt = began
	w.pause = max(pollInterval, pollShare*time.Since(began))
}

// nextWait is how long nothing can be due, as far as is known.
func (w *watchedBuild) nextWait() time.Duration {
	wait := min(clockInterval, w.pause-time.Since(w.lookedAt))
	if w.err != nil {
		wait = min(wait, retryInterval-time.Since(w.ended))
	}
	if !w.report.Next.IsZero() {
		wait = min(wait, w.report.Next.Sub(w.builder.now()))
	}
	return wait
}

// due reports whether another build is due. It looks over the content where the pause is over.
func (w *watchedBuild) due() bool {
	now := w.builder.now().Round(0) // the wall clock, which may have been set
	switch next := w.report.Next; {
	case !next.IsZero() && !now.Before(next), now.Before(w.begun.Round(0)):
		return true
	case w.err != nil && time.Since(w.ended) >= retryInterval:
		return true
	case time.Since(w.lookedAt) < w.pause:
		return false
	}
	began := time.Now()
	// Whoever removes or replaces the published folder may be at it while a build finds some files
	// there and writes others: so one that wrote is followed by one that need not.
	unsure := w.err == nil && (w.left == "" || w.report.Written > 0)
	due := w.builder.fingerprint(w.eachFolder) != w.content || w.builder.asked.changed() || w.builder.published() != w.left || unsure
	w.looked(began)
	return due
}

// settle waits until hints stop for a moment.
func settle(ctx context.Context, hints <-chan struct{}) {
	most := time.After(settleMost)
	for quiet := settleTime; ; quiet = min(quiet+settleMore, settleLong) {
		select {
		case <-ctx.Done():
			return
		case <-most:
			return
		case <-time.After(quiet):
			return
		case <-hints:
		}
	}
}

// words are equal for reports that say the same thing to an author.
func words(r Report, err error) string {
	return fmt.Sprint(r.Revision, r.Problems, r.Kept, err)
}

// fingerprint changes when a file of the content is written, made, removed or renamed.
// Reading the content is left to the build.
func (b *builder) fingerprint(eachFolder func(folder string)) (sum [sha256.Size]byte) {
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
			eachFolder(filepath.Join(b.options.Content, path))
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

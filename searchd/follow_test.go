package searchd

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/searchd/index"
)

// A hint leads to one load after it settled; hints that come together to one.
func TestFollowGathersHints(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hints := make(chan struct{}, 1)
		loads := 0
		began := time.Now()
		go follow(t.Context(), hints, &pace{poll: time.Hour}, func() error { loads++; return nil })
		for range 5 {
			notify(hints)
			time.Sleep(settle / 10)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if loads != 1 {
			t.Errorf("%d loads after five hints within %v, want 1", loads, time.Since(began))
		}
		notify(hints)
		time.Sleep(settle + 1)
		synctest.Wait()
		if loads != 2 {
			t.Errorf("%d loads after a later hint, want 2", loads)
		}
	})
}

// A hint while a load runs leads to another: what it tells of may have been missed.
func TestFollowLoadsAgainAfterAHintDuringALoad(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hints := make(chan struct{}, 1)
		loads := 0
		go follow(t.Context(), hints, &pace{poll: time.Hour}, func() error {
			loads++
			if loads == 1 {
				notify(hints)
			}
			return nil
		})
		notify(hints)
		time.Sleep(time.Second)
		synctest.Wait()
		if loads != 2 {
			t.Errorf("%d loads, want 2", loads)
		}
	})
}

// Without any hint it looks every poll, which is also how a failed load is retried.
func TestFollowPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		loads := 0
		go follow(t.Context(), make(chan struct{}), &pace{poll: 2 * time.Second}, func() error { loads++; return nil })
		time.Sleep(7 * time.Second)
		synctest.Wait()
		if loads != 3 {
			t.Errorf("%d loads in 7 s, want 3", loads)
		}
	})
}

// A clock that is set, by seconds or years, is told of once, and changes nothing of when it looks.
func TestClockJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var off time.Duration // of the wall clock
		clock := newWallClock(func() time.Time { return time.Now().Round(0).Add(off) })
		ctx, stop := context.WithCancel(t.Context())
		const year = 365 * 24 * time.Hour
		steps := []time.Duration{0, time.Second, 2 * time.Hour, 30 * year, -20 * year, -20*year + time.Second, 0}
		began := time.Now()
		var told []time.Duration
		go follow(ctx, nil, &pace{poll: time.Second}, func() error {
			off = steps[len(told)]
			if told = append(told, clock.set()); len(told) == len(steps) {
				stop()
			}
			return nil
		})
		<-ctx.Done()
		want := []time.Duration{0, 0, 2 * time.Hour, 30*year - 2*time.Hour, -50 * year, 0, 20 * year}
		if took := time.Since(began); took != time.Duration(len(steps))*time.Second || !slices.Equal(told, want) {
			t.Errorf("%d looks in %v; told %v, want %v", len(steps), took, told, want)
		}
	})
}

// A failed load is repeated at the next poll, and one that took long after a rest.
func TestFollowRestsAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hints := make(chan struct{}, 1)
		var began []time.Duration
		start := time.Now()
		go follow(t.Context(), hints, &pace{poll: 2 * time.Second}, func() error {
			began = append(began, time.Since(start).Round(time.Second))
			if len(began) == 2 {
				time.Sleep(10 * time.Second)
			}
			return errors.New("disk full")
		})
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		if want := []time.Duration{2 * time.Second, 4 * time.Second, 114 * time.Second, 116 * time.Second}; !slices.Equal(began[:4], want) {
			t.Errorf("loads at %v, want %v", began[:4], want)
		}
	})
}

// running runs l until the end of the test.
func running(t *testing.T, l *Live) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- l.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("run: %v", err)
		}
	})
}

// until waits for what must happen.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for tick := time.NewTicker(time.Millisecond); !done(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}

// The system's own events, with a poll that is too slow to help.
func TestRunSeesABuildAtOnce(t *testing.T) {
	source := t.TempDir()
	publish(t, source, anArticle("one", "walrus"))
	l, _ := opened(t, source, t.TempDir())
	l.options.Poll = time.Hour
	running(t, l)
	until(t, "the first load", func() bool { return l.Status().Ready })
	publish(t, source, anArticle("one", "walrus"), anArticle("two", "walrus"))
	until(t, "the second build is served", func() bool { return l.Status().Articles == 2 })
}

// The source is deleted and restored as another folder of the same name: the poll
// finds it, and the watch is on the new one from then on.
func TestRunSurvivesAReplacedSource(t *testing.T) {
	parent := t.TempDir()
	source := parent + "/public"
	publish(t, source, anArticle("one", "walrus"))
	l, log := opened(t, source, t.TempDir())
	l.options.Poll = 10 * time.Millisecond
	running(t, l)
	until(t, "the first load", func() bool { return l.Status().Ready })
	must(t, os.Rename(source, parent+"/away"))
	until(t, "the loss is noticed", func() bool { return l.Status().Err != nil })
	until(t, "and stays noticed", func() bool { return log.count("cannot take up the source") > 0 })
	publish(t, source, anArticle("one", "walrus"), anArticle("two", "walrus"))
	until(t, "the restored source is served", func() bool { return l.Status().Articles == 2 && l.Status().Err == nil })
	if n := log.count("cannot take up the source"); n != 1 {
		t.Errorf("%d lines about one loss:\n%s", n, log)
	}
	until(t, "the return is logged", func() bool { return log.count("the source is readable again") == 1 })
}

// cutOffIndex damages the index in a data folder.
func cutOffIndex(t *testing.T, data string) {
	t.Helper()
	segments, err := filepath.Glob(filepath.Join(data, "index-*", "*.zap"))
	if err != nil || len(segments) == 0 {
		t.Fatalf("%v %v", segments, err)
	}
	for _, path := range segments {
		must(t, os.Truncate(path, 100))
	}
}

// Files of the index that are cut off while it is in use are met by the next update. It fails, the
// log says where, and a new index takes the place of the damaged one.
func TestRunGoesOnWhereTheIndexIsCutOff(t *testing.T) {
	source, data := t.TempDir(), t.TempDir()
	publish(t, source, many(50, "walrus")...)
	l, log := opened(t, source, data)
	running(t, l)
	until(t, "the first load", func() bool { return l.Status().Ready })
	cutOffIndex(t, data)
	publish(t, source, append(many(50, "walrus"), anArticle("one", "seal"))...)
	until(t, "the new article is served", func() bool { return l.Status().Articles == 51 })
	if log.count("building a new index") != 2 {
		t.Errorf("the log is\n%s", log)
	}
}

// Where a search finds the index damaged, a new one is built at once, though the next look is long
// from now.
func TestRunReplacesADamagedIndexAtOnce(t *testing.T) {
	h, data := newHost(t), t.TempDir()
	h.publish(t, time.Hour, many(50, "walrus")...)
	l, log := opened(t, h.start(t), data)
	l.options.Poll = time.Hour
	running(t, l)
	until(t, "the first load", func() bool { return l.Status().Ready })
	cutOffIndex(t, data)
	if _, err := l.Search(t.Context(), url.Values{"q": {"walrus"}}); !errors.Is(err, index.ErrDamaged) {
		t.Fatalf("a search in a file that is cut off: %v", err)
	}
	until(t, "a new index is served", func() bool {
		_, err := l.Search(t.Context(), url.Values{"q": {"walrus"}})
		return err == nil
	})
	if log.count("building a new index") != 2 {
		t.Errorf("the log is\n%s", log)
	}
}

func TestRunFailsOrWaitsWithoutASource(t *testing.T) {
	source := t.TempDir()
	l, _ := opened(t, source, t.TempDir())
	if err := l.Run(t.Context()); err == nil || hinted.Hint(err) == "" {
		t.Errorf("run without a source: %v, hint %q", err, hinted.Hint(err))
	}
	l.options.Wait, l.options.Poll = true, 10*time.Millisecond
	running(t, l)
	until(t, "the failure is noticed", func() bool { return l.Status().Err != nil })
	publish(t, source, anArticle("one", "walrus"))
	until(t, "the source is served", func() bool { return l.Status().Ready })
}

// Looks at a site are about a poll apart, never all alike; failures make them rarer; an older
// manifest does not, for the site is well.
func TestPaceOfASite(t *testing.T) {
	broken := failure{error: errors.New("500"), reason: reasonStatus}
	within := func(t *testing.T, what string, got, want time.Duration) {
		t.Helper()
		if low, high := time.Duration(float64(want)*(1-jitter)), time.Duration(float64(want)*(1+jitter)); got < low || got > high {
			t.Errorf("%s: %v, want %v to %v", what, got, low, high)
		}
	}
	p := &pace{poll: 30 * time.Second, site: true}
	seen := map[time.Duration]bool{}
	for range 100 {
		rest := p.rest(time.Minute, nil)
		within(t, "a success", rest, 30*time.Second)
		seen[rest] = true
	}
	if len(seen) < 90 {
		t.Errorf("%d different rests of 100", len(seen))
	}
	for n, want := range []time.Duration{30, 60, 120, 240, 300, 300} {
		within(t, fmt.Sprintf("failure %d", n+1), p.rest(time.Minute, broken), want*time.Second)
	}
	for range 100 {
		within(t, "a later failure", p.rest(0, broken), maxBackOff)
	}
	within(t, "an older manifest", p.rest(0, failure{reason: reasonOlder}), 30*time.Second)
	within(t, "a failure after that", p.rest(0, broken), 30*time.Second)
	for range 5 { // the site is not published yet, or a CDN does not know a new file yet
		within(t, "a file that is not there", p.rest(0, failure{reason: reasonMissing}), 30*time.Second)
	}
	within(t, "a file that is not there, and a host that wants rest", p.rest(0, failure{reason: reasonMissing, after: 100 * time.Second}), 100*time.Second)
	within(t, "a host that wants rest", p.rest(0, failure{reason: reasonStatus, after: 100 * time.Second}), 100*time.Second)
	within(t, "the own disk", p.rest(20*time.Second, failure{reason: reasonDisk}), 200*time.Second)
	for _, large := range []time.Duration{time.Hour, 365 * 24 * time.Hour} { // a year times 2¹⁰ is more than a Duration holds
		within(t, "a large poll", (&pace{poll: large, site: true, failures: 20}).rest(0, broken), large)
	}
}

// While a site fails it is asked more rarely, and soon after it is well at the usual pace.
func TestFollowBacksOffFromASite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		var well atomic.Bool
		go follow(t.Context(), nil, &pace{poll: 10 * time.Second, site: true}, func() error {
			if looks.Add(1); well.Load() {
				return nil
			}
			return failure{error: errors.New("500"), reason: reasonStatus}
		})
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := looks.Swap(0); n < 12 || n > 30 { // 10 s, 10, 20, 40, 80, 160, 300, 300 ...
			t.Errorf("%d looks in an hour of failures, want some 16", n)
		}
		well.Store(true)
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := looks.Load(); n < 280 || n > 440 {
			t.Errorf("%d looks in an hour that is well, want some 330", n)
		}
	})
}

// Each kind of failure is one line in the log, however long it lasts.
func TestRunTellsOfAFailingSiteOnce(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, anArticle("one", "walrus"))
	l, log := opened(t, h.start(t), t.TempDir())
	l.options.Poll = time.Millisecond
	running(t, l)
	until(t, "the first load", func() bool { return l.Status().Ready })
	failures := func(reason string) float64 {
		return value(t, l.metrics.reloadFailures.WithLabelValues(reason))
	}
	h.set(func(w http.ResponseWriter, r *http.Request) bool { http.Error(w, "sorry", 500); return true })
	until(t, "several failures", func() bool { return failures(reasonStatus) > 3 })
	h.set(nil)
	until(t, "the site is well", func() bool { return l.Status().Err == nil })
	old, err := os.ReadFile(h.manifest())
	must(t, err)
	h.publish(t, time.Minute, anArticle("one", "walrus"), anArticle("two", "walrus"))
	until(t, "the second build", func() bool { return l.Status().Articles == 2 })
	beside, hourAgo := filepath.Join(t.TempDir(), "manifest"), time.Now().Add(-time.Hour)
	must(t, errors.Join(os.WriteFile(beside, old, 0o600), os.Chtimes(beside, hourAgo, hourAgo), os.Rename(beside, h.manifest())))
	until(t, "several older manifests", func() bool { return failures(reasonOlder) > 3 })
	for _, text := range []string{"the host answered 500", "is older than the one held"} {
		if n := log.count(text); n != 1 {
			t.Errorf("%d lines say %q:\n%s", n, text, log)
		}
	}
	if l.Status().Articles != 2 {
		t.Errorf("status %+v", l.Status())
	}

	// Of two caches one is behind, and they are asked by turns.
	newest, err := os.ReadFile(filepath.Join(l.site.dir, article.ManifestPath))
	must(t, err)
	l.loading.Lock()
	modified := l.site.held.LastModified
	l.loading.Unlock()
	older := failures(reasonOlder)
	var asked atomic.Int64
	h.set(func(w http.ResponseWriter, r *http.Request) bool {
		if asked.Add(1)%2 == 0 {
			w.Header().Set("Last-Modified", modified)
			w.Write(newest)
			return true
		}
		return false
	})
	until(t, "older manifests between others", func() bool { return failures(reasonOlder) > older+5 && asked.Load() > 20 })
	if n := log.count("is older than the one held"); n != 1 {
		t.Errorf("%d lines tell of the cache that is behind:\n%s", n, log)
	}
}

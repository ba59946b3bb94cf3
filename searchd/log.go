package searchd

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"newsstand/builder/hinted"
)

// The levels whose lines are counted, as a label.
const (
	levelWarn  = "warn"
	levelError = "error"
)

// counted is a slog.Handler that counts warnings and errors, even those below the level that is
// written, so that the metrics show whatever goes wrong.
type counted struct {
	slog.Handler
	lines *prometheus.CounterVec // by level
}

// Enabled implements slog.Handler, as all that follow.
func (c counted) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn || c.Handler.Enabled(ctx, level)
}
func (c counted) Handle(ctx context.Context, r slog.Record) error {
	switch {
	case r.Level >= slog.LevelError:
		c.lines.WithLabelValues(levelError).Inc()
	case r.Level >= slog.LevelWarn:
		c.lines.WithLabelValues(levelWarn).Inc()
	}
	if !c.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return c.Handler.Handle(ctx, r)
}
func (c counted) WithAttrs(a []slog.Attr) slog.Handler {
	return counted{c.Handler.WithAttrs(a), c.lines}
}
func (c counted) WithGroup(name string) slog.Handler {
	return counted{c.Handler.WithGroup(name), c.lines}
}

// occasion decides which lines about faults of requests and connections are logged: a crowd that
// meets one fault must neither fill the log nor hide the faults that others meet.
type occasion struct {
	mu       sync.Mutex
	next     time.Time       // when told is emptied
	told     map[string]bool // what was logged
	unlogged int             // lines left out since the last one
}

const (
	// occasionRest is the time between two lines about the same.
	occasionRest = time.Minute
	// maxTold bounds the lines in that time: errors may have numbers in them that are never the
	// same.
	maxTold = 10
)

// now reports whether a line about something may be logged, and how many were left out since the
// last one.
func (o *occasion) now(what string) (unlogged int, ok bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if now := time.Now(); !now.Before(o.next) {
		o.next, o.told = now.Add(occasionRest), map[string]bool{}
	}
	if o.told[what] || len(o.told) == maxTold {
		o.unlogged++
		return 0, false
	}
	unlogged, o.unlogged = o.unlogged, 0
	o.told[what] = true
	return unlogged, true
}

// loadLog logs how loads of a Live ended: an error that stays the same is logged once.
type loadLog struct {
	live   *Live
	failed string // the last error that was told, until the source is readable
	behind string // the last error about an older manifest, and what was served then: a cache that is behind may take turns with the site
}

// ended logs how a load ended.
func (g *loadLog) ended(err error) {
	l, s := g.live, g.live.Status()
	if err == nil {
		if g.failed != "" {
			l.log.Info("the source is readable again", "revision", s.Revision)
		}
		g.failed = ""
		return
	}
	last, now := &g.failed, err.Error()
	if reasonOf(err) == reasonOlder {
		last, now = &g.behind, now+s.Revision
	}
	if now == *last {
		return
	}
	*last = now
	if stack := stackOf(err); stack != "" {
		l.log.Error("panic while the index was updated; the daemon goes on", "stack", stack,
			"hint", "a damaged index is built anew; if this goes on, report it with this stack: an article may have met a fault of searchd")
	}
	if s.Ready {
		l.log.Error("cannot take up the source; the revision served before stays", "revision", s.Revision, "error", err, "hint", hinted.Hint(err))
	} else if l.options.Wait {
		l.log.Error("cannot load the source yet; waiting for it", "error", err, "hint", hinted.Hint(err))
	}
}

package main

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// maxUnread is the most lines that wait to be written: a few hundred kB.
	maxUnread = 1000
	// lastRead is how long searchd waits at its end until they are written.
	lastRead = time.Second
)

// newLog returns a log that never blocks: while stderr takes no more, like a pipe whose reader
// rests, searches are answered and builds taken up as before. lost counts the lines that did not
// fit into the queue or could not be written; the log reports them once it is read again. flush
// waits at the end of the process until all lines are written, or lastRead is over.
func newLog(stderr io.Writer, format string, level slog.Leveler) (log *slog.Logger, lost func() int64, flush func()) {
	options := &slog.HandlerOptions{Level: level}
	var h slog.Handler = slog.NewTextHandler(stderr, options)
	if format == "json" {
		h = slog.NewJSONHandler(stderr, options)
	}
	q := &unread{lines: make(chan func() error, maxUnread)}
	go q.write(slog.New(h))
	return slog.New(queued{h, q}), q.lost.Load, q.flush
}

// unread are the lines that wait to be written.
type unread struct {
	lines chan func() error // each writes its line
	lost  atomic.Int64
}

func (u *unread) write(log *slog.Logger) {
	told := int64(0) // how many lost lines the log has reported
	for line := range u.lines {
		if line() != nil {
			u.lost.Add(1)
			continue
		}
		if len(u.lines) > 0 {
			continue
		}
		if lost := u.lost.Load(); lost > told {
			log.Warn("lines of the log are lost: they could not be written",
				"lines", lost-told, "hint", "look at what reads the log of searchd: it rested, is too slow, or has a full disk")
			told = lost
		}
	}
}

func (u *unread) flush() {
	late := time.After(lastRead)
	written := make(chan struct{})
	select {
	case u.lines <- func() error { close(written); return nil }:
	case <-late:
		return
	}
	select {
	case <-written:
	case <-late:
	}
}

// queued hands lines to a queue that another handler writes.
type queued struct {
	slog.Handler
	queue *unread
}

// Handle implements slog.Handler, as all that follow.
func (h queued) Handle(_ context.Context, r slog.Record) error {
	r = r.Clone()
	select {
	case h.queue.lines <- func() error { return h.Handler.Handle(context.Background(), r) }:
	default:
		h.queue.lost.Add(1)
	}
	return nil
}
func (h queued) WithAttrs(a []slog.Attr) slog.Handler { return queued{h.Handler.WithAttrs(a), h.queue} }
func (h queued) WithGroup(name string) slog.Handler {
	return queued{h.Handler.WithGroup(name), h.queue}
}

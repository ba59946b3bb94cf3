package main

import (
	"context"
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

const (
	// maxQueued is the most lines that wait to be written: a few hundred kB.
	maxQueued = 1000
	// flushTime is how long searchd waits at its end until they are written.
	flushTime = time.Second
)

// newLog returns a log that never blocks: while stderr takes no more, like a pipe whose reader
// rests, searches are answered and builds taken up as before. The log reports lost lines once it is
// read again.
func newLog(stderr io.Writer, format string, level slog.Leveler) (*slog.Logger, *queue) {
	options := &slog.HandlerOptions{Level: level}
	var h slog.Handler = slog.NewTextHandler(stderr, options)
	if format == "json" {
		h = slog.NewJSONHandler(stderr, options)
	}
	q := &queue{lines: make(chan func() error, maxQueued)}
	go q.write(slog.New(h))
	return slog.New(queued{h, q}), q
}

// queue has the lines that wait to be written.
type queue struct {
	lines chan func() error // each writes its line
	lost  atomic.Int64      // how many did not fit or could not be written
}

func (q *queue) write(log *slog.Logger) {
	told := int64(0) // how many lost lines the log has reported
	for line := range q.lines {
		if line() != nil {
			q.lost.Add(1)
			continue
		}
		if len(q.lines) > 0 {
			continue
		}
		if lost := q.lost.Load(); lost > told {
			log.Warn("lines of the log are lost: they could not be written",
				"lines", lost-told, "hint", "check what reads the log of searchd: it paused, is too slow, or has a full disk")
			told = lost
		}
	}
}

// flush waits until all lines are written, or flushTime is over. It is for the end of the process.
func (q *queue) flush() {
	late := time.After(flushTime)
	written := make(chan struct{})
	select {
	case q.lines <- func() error { close(written); return nil }:
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
	queue *queue
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

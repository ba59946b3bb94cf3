package commandline

import (
	"fmt"
	"io"
	"os"
	"time"
)

// isTerminal reports whether what is written to w is shown on a terminal that knows
// control sequences.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

const (
	// patience is how long somebody waits without wondering: what takes less shows nothing.
	patience = 500 * time.Millisecond
	// redraw is how often the line is written anew: as fast as anybody reads figures.
	redraw = 200 * time.Millisecond
	// eraseLine returns to the beginning of the line and empties it (ECMA-48, 8.3.41).
	eraseLine = "\r\x1b[K"
)

// Progress is one line of a terminal that tells how far a long task is, or one such task after
// another. A nil Progress tells nothing. It is not safe for concurrent use.
type Progress struct {
	terminal io.Writer
	next     time.Time // when the line may be written; zero between two tasks
	shown    bool
}

// newProgress returns the progress of a task that begins now, on a terminal.
func newProgress(terminal io.Writer) *Progress {
	return &Progress{terminal: terminal, next: time.Now().Add(patience)}
}

// ProgressOf returns the progress of a command that begins now and prints its result in a format:
// nil if nobody would see it on stderr, or wants to.
func ProgressOf(stderr io.Writer, format string, quiet bool) *Progress {
	if quiet || format != "text" || !isTerminal(stderr) {
		return nil
	}
	return newProgress(stderr)
}

// Show tells how much is done, if it is time to. A task that is all done has ended; the next one
// begins with its first Show. What cannot be written is not told.
func (p *Progress) Show(what string, done, total int) {
	if p == nil {
		return
	}
	now := time.Now()
	if p.next.IsZero() {
		p.next = now.Add(patience)
	}
	if done >= total {
		p.End()
		return
	}
	if now.Before(p.next) {
		return
	}
	p.next, p.shown = now.Add(redraw), true
	fmt.Fprintf(p.terminal, "%s%s: %d of %d", eraseLine, what, done, total)
}

// End takes the line away, so that something else can be written.
func (p *Progress) End() {
	if p == nil {
		return
	}
	p.next = time.Time{}
	if p.shown {
		p.shown = false
		io.WriteString(p.terminal, eraseLine)
	}
}

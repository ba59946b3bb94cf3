package commandline

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A short work shows nothing; a long one writes one line anew, a few times a second, and
// takes it away at its end.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var terminal strings.Builder
		p := newProgress(&terminal)
		p.Show("rendered", 1, 1000)
		p.End()
		if terminal.Len() > 0 {
			t.Errorf("at once: %q", terminal.String())
		}
		for done := range 1000 {
			time.Sleep(time.Millisecond)
			p.Show("rendered", done+1, 1000)
		}
		p.End()
		p.End()
		const want = "\r\x1b[Krendered: 501 of 1000\r\x1b[Krendered: 701 of 1000\r\x1b[Krendered: 901 of 1000\r\x1b[K"
		if got := terminal.String(); got != want {
			t.Errorf("within a second: %q, want %q", got, want)
		}
	})
}

// What is all done ends by itself, and the next work shows nothing at first either.
func TestProgressOfOneWorkAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var terminal strings.Builder
		p := newProgress(&terminal)
		for range 2 {
			for done := range 600 {
				p.Show("articles", done+1, 600)
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Hour)
		}
		const want = "\r\x1b[Karticles: 501 of 600\r\x1b[K"
		if got := terminal.String(); got != want+want {
			t.Errorf("%q, want %q twice", got, want)
		}
	})
}

func TestNoProgress(t *testing.T) {
	var p *Progress
	p.Show("rendered", 1, 2)
	p.End()
	if isTerminal(&strings.Builder{}) {
		t.Error("a text in memory is said to be a terminal")
	}
}

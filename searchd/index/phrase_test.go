package index

import (
	"context"
	"errors"
	"testing"
)

// leave asks about each document, from any number of goroutines, and removes exactly those that may
// not stay. An error in one of them is an error of the search, and does not end the program.
func TestLeave(t *testing.T) {
	docs := newBitmap(10_000)
	for d := uint32(0); d < 10_000; d += 3 {
		docs.add(d)
	}
	third := func(d uint32) bool {
		if d%3 != 0 {
			t.Errorf("%d is asked about, but is not in the set", d)
		}
		return d%2 == 0
	}
	s := &snapshot{processors: 3}
	view{snapshot: s, ctx: t.Context()}.leave(docs, third)
	for d := range uint32(10_000) {
		if docs.has(d) != (d%6 == 0) {
			t.Fatalf("%d stays: %v", d, docs.has(d))
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	failed := errors.New("failed")
	for _, test := range []struct {
		ctx  context.Context
		may  func(d uint32) bool
		want error
	}{
		{ended, third, context.Canceled},
		{t.Context(), func(d uint32) bool { must(failed); return true }, failed},
		{t.Context(), func(uint32) bool { panic("a page that is not there") }, ErrDamaged},
	} {
		if err := guard(func() { view{snapshot: s, ctx: test.ctx}.leave(docs, test.may) }); !errors.Is(err, test.want) {
			t.Errorf("leave: %v, want %v", err, test.want)
		}
	}
}

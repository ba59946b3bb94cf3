package searchd

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A search that looks at its time again and again gives way when it had a processor long enough, and no more often; it
// learns of its end at once.
func TestSearchesGiveWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithTimeout(t.Context(), 100*ownTime+ownTime/2)
		defer cancel()
		yielded := 0
		search := newGivingWay(parent, func() { yielded++ })
		part, stop := context.WithCancel(search)
		defer stop()
		for range 1000 {
			if err := search.Err(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(ownTime / 10)
		}
		if yielded != 99 {
			t.Errorf("in a hundred times its own it gave way %d times, want 99", yielded)
		}
		time.Sleep(ownTime)
		for what, ctx := range map[string]context.Context{"a search": search, "a part of one": part} {
			if err := ctx.Err(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("after its time %s has the error %v", what, err)
			}
		}
	})
}

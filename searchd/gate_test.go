package searchd

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestGateDefaults(t *testing.T) {
	g := newGate(0, 0)
	if n := runtime.GOMAXPROCS(0); cap(g.running) != n || cap(g.admitted) != n+n*queuedPerProcessor {
		t.Errorf("%d run, %d are admitted, with %d processors", cap(g.running), cap(g.admitted), n)
	}
}

// crowd sends searches of 5 ms each to a gate, one in every interval, and returns how long
// those waited that had their turn, and those that had not.
func crowd(g *gate, n int, every time.Duration) (served, refused []time.Duration) {
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
			defer cancel()
			began := time.Now()
			err := g.enter(ctx)
			waited := time.Since(began)
			if err == nil {
				time.Sleep(5 * time.Millisecond)
				g.leave()
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				served = append(served, waited)
			} else {
				refused = append(refused, waited)
			}
		})
		time.Sleep(every)
	}
	all.Wait()
	return served, refused
}

func longest(of []time.Duration) (longest time.Duration) {
	for _, d := range of {
		longest = max(longest, d)
	}
	return longest
}

// A burst waits and is answered; a crowd that does not end has only those answered that
// waited shortly, as many as before; and after it, bursts wait again.
func TestGateHoldsBurstsAndShedsCrowds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 64)
		burst := func(when string) {
			served, refused := crowd(g, 66, 0)
			if len(served) != 66 || longest(served) < 150*time.Millisecond {
				t.Errorf("%s: of a burst %d were served, %d refused, the longest wait was %v", when, len(served), len(refused), longest(served))
			}
		}
		burst("at first")
		const every = 250 * time.Microsecond // ten times what two at once can do
		crowd(g, 4000, every)                // a second, in which it is noticed
		served, refused := crowd(g, 40_000, every)
		if want := 40_000 / 10; len(served) < want*95/100 || longest(served) > shortWait {
			t.Errorf("of a crowd %d were served, want about %d; the longest wait was %v, want %v at most", len(served), want, longest(served), shortWait)
		}
		if longest(refused) > shortWait {
			t.Errorf("one was refused after %v, want %v at most", longest(refused), shortWait)
		}
		time.Sleep(standing)
		burst("after the crowd")
		served, refused = crowd(g, 4000, 2600*time.Microsecond) // just what it can do
		if len(refused) > 0 {
			t.Errorf("of what it can do %d were served, %d refused", len(served), len(refused))
		}
	})
}

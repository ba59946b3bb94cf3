package searchd

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestGateDefaults(t *testing.T) {
	const n = 3
	if o := (Options{Processors: n}).withDefaults(); o.Concurrency != n {
		t.Errorf("%d run with %d processors", o.Concurrency, n)
	}
	if g := newGate(n, 0); cap(g.running) != n || g.burst != 32*n || g.crowd != 8*n {
		t.Errorf("%d run, %d wait, %d in a crowd, with %d processors", cap(g.running), g.burst, g.crowd, n)
	}
	if g := newGate(3, 5); cap(g.running) != 3 || g.burst != 5 || g.crowd != 5 {
		t.Errorf("%d run, %d wait, %d in a crowd; want 3, 5, 5", cap(g.running), g.burst, g.crowd)
	}
}

// waits are how long searches waited.
type waits []time.Duration

func (w waits) longest() (longest time.Duration) {
	for _, d := range w {
		longest = max(longest, d)
	}
	return longest
}

// come sends searches of 5 ms each to a gate, one in every interval.
func come(g *gate, n int, every time.Duration) (served, refused waits) {
	served, refused, _ = comeFor(g, n, every, 5*time.Millisecond)
	return served, refused
}

// comeFor sends searches that take so long. Those are late whose time was over before they were
// done.
func comeFor(g *gate, n int, every, take time.Duration) (served, refused, late waits) {
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
				began := time.Now()
				select {
				case <-time.After(take):
				case <-ctx.Done():
					err = ctx.Err()
				}
				g.leave(began)
			}
			mu.Lock()
			defer mu.Unlock()
			switch err {
			case nil:
				served = append(served, waited)
			case errBusy:
				refused = append(refused, waited)
			default:
				late = append(late, waited)
			}
		})
		time.Sleep(every)
	}
	all.Wait()
	return served, refused, late
}

// A burst waits and is answered. Of a crowd that does not end as many are answered, and without a
// long wait, as long as to refuse the others does not take the processors; and after it, bursts
// wait again.
func TestGateHoldsBurstsAndShedsCrowds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 0)
		burst := func(when string) {
			t.Helper()
			served, refused := come(g, 66, 0)
			if len(served) != 66 || served.longest() != 160*time.Millisecond {
				t.Errorf("%s: of a burst %d were served, %d refused, the longest wait was %v", when, len(served), len(refused), served.longest())
			}
		}
		burst("at first")
		for _, crowd := range []struct {
			times  float64 // what two at once can do
			longer time.Duration
			spared float64 // of the processors
		}{{10, 0, 0.5}, {2.7, 10 * time.Millisecond, 1}} {
			every := time.Duration(float64(2500*time.Microsecond) / crowd.times)
			const moment = 2000 // in which it is noticed
			var before sync.WaitGroup
			before.Go(func() { come(g, moment, every) })
			time.Sleep(moment * every)
			served, refused := come(g, 20_000, every)
			before.Wait()
			// The next comes up to a twentieth of a search after one ended.
			if want := 20_000 / crowd.times * crowd.spared * 0.94; float64(len(served)) < want {
				t.Errorf("of a crowd %.1f times too large %d were served, want %.0f at least", crowd.times, len(served), want)
			}
			if served.longest() > crowd.longer || refused.longest() > 0 {
				t.Errorf("of a crowd %.1f times too large one was served after %v, want %v at most; one was refused after %v, want at once",
					crowd.times, served.longest(), crowd.longer, refused.longest())
			}
		}
		time.Sleep(calm)
		burst("after the crowd")
		if _, refused := come(g, 4000, 2600*time.Microsecond); len(refused) > 0 {
			t.Errorf("of nearly as many as can be served %d were refused", len(refused))
		}
	})
}

// The more are refused, the fewer run beside that: refusals take processors too.
func TestGateSparesProcessorsForRefusals(t *testing.T) {
	for _, flood := range []struct {
		times  float64 // what so many at once can do
		atOnce int
		most   int // that run
	}{
		{4, 8, 7}, {10, 8, 4}, {100, 8, 1}, // refusals take about 4/20, 10/20 and all of the processors
		{4, 2, 2}, {10, 2, 1}, {100, 1, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(flood.atOnce, 0)
			every := time.Duration(float64(5*time.Millisecond) / float64(flood.atOnce) / flood.times)
			n := int(5 * standing / every)
			come(g, n, every) // in which it is noticed
			began := time.Now()
			served, _ := come(g, n, every)
			ran := float64(len(served)) * 0.005 / time.Since(began).Seconds()
			if most := float64(flood.most); ran > most || ran < 0.9*most {
				t.Errorf("of %.0f times as many as %d at once can answer, %.2f ran; want %d", flood.times, flood.atOnce, ran, flood.most)
			}
		})
	}
}

// Where searches take long, a refusal still takes next to nothing: many searches run beside many
// refusals.
func TestGateSparesNoProcessorsForFewRefusals(t *testing.T) {
	for _, flood := range []struct {
		take  time.Duration
		times float64 // what eight at once can do
		least float64 // that run
	}{
		{50 * time.Millisecond, 10, 7}, // 1,440 refusals a second, of half a millisecond at most
		{100 * time.Millisecond, 10, 7.5},
		{200 * time.Millisecond, 40, 6.5},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(8, 0)
			every := time.Duration(float64(flood.take) / 8 / flood.times)
			const long = 5 * time.Second
			comeFor(g, int(long/every), every, flood.take) // in which it is noticed
			served, _, _ := comeFor(g, int(long/every), every, flood.take)
			if ran := float64(len(served)) * flood.take.Seconds() / long.Seconds(); ran < flood.least {
				t.Errorf("of %.0f times as many searches of %v as eight at once can answer, %.2f ran; want %.1f at least", flood.times, flood.take, ran, flood.least)
			}
		})
	}
}

// Somewhat more than can be answered is no flood: a few more wait, so that a push between two
// pauses is not refused.
func TestGateIsNotFloodedByACrowd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 0)
		come(g, 2000, 2*time.Millisecond)
		served, refused := come(g, 2000, 2*time.Millisecond)
		if len(served) < 1590 || len(refused) == 0 || served.longest() < 35*time.Millisecond {
			t.Errorf("%d were served, the longest wait was %v, %d refused", len(served), served.longest(), len(refused))
		}
	})
}

// Where searches take long, fewer wait: whoever waited for most of the time limit would be late,
// and the search for him for nothing.
func TestGateLetsWaitWhoCanBeAnswered(t *testing.T) {
	for _, take := range []time.Duration{50 * time.Millisecond, 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond} {
		for _, times := range []float64{1.2, 2, 5} {
			synctest.Test(t, func(t *testing.T) {
				g := newGate(2, 0)
				every := time.Duration(float64(take) / 2 / times)
				const long = 10 * time.Second
				comeFor(g, int(long/every), every, take) // in which it is noticed
				served, refused, late := comeFor(g, int(long/every), every, take)
				if want := 0.8 * 2 * float64(long) / float64(take); float64(len(served)) < want || len(late) > len(served)/4 || refused.longest() > 0 {
					t.Errorf("of %.1f times as many searches of %v as can be answered %d were served, want %.0f at least; %d were late, want few; one was refused after %v, want at once",
						times, take, len(served), want, len(late), refused.longest())
				}
			})
		}
	}
}

// A burst that does not fit is no crowd, also where the queue is told to be no longer than one for
// a crowd is: those who come half a second later wait as if nothing had been.
func TestGateForgetsABurst(t *testing.T) {
	for _, queue := range []int{0, 2, 16, 17, 100} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate(2, queue)
			if served, refused := come(g, 200, 0); len(served) != 2+g.burst || len(refused) != 198-g.burst {
				t.Errorf("with a queue of %d, %d were served and %d refused", g.burst, len(served), len(refused))
			}
			time.Sleep(500 * time.Millisecond)
			if _, refused := come(g, 2+min(g.burst, 10), 0); len(refused) > 0 {
				t.Errorf("with a queue of %d, of a few some time after a burst %d were refused", g.burst, len(refused))
			}
		})
	}
}

// Some clients who always ask are no crowd, though the queue never empties.
func TestGateServesAFew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate(2, 0)
		var clients sync.WaitGroup
		for range 16 {
			clients.Go(func() {
				for range 100 {
					if err := g.enter(t.Context()); err != nil {
						t.Errorf("refused: %v", err)
						return
					}
					began := time.Now()
					time.Sleep(5 * time.Millisecond)
					g.leave(began)
				}
			})
		}
		clients.Wait()
	})
}

package searchd

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"
)

// errBusy is the gate's answer to a search that comes in a bad moment.
var errBusy = errors.New("search queue is full")

// gate bounds the searches that run and wait at once, and how long they wait, so that overload
// costs those who come too late a quick 503 and nobody else their answer.
//
// A queue is for bursts: it is long, and who is in it may wait for as long as the time limit.
// One that does not empty gives nobody an answer more, only later ones. So where somebody has
// waited at every instant of the last tenth of a second, whoever comes then waits for 5 ms at
// most; until nobody waited in vain for a tenth of a second. It is controlled delay (Nichols and
// Jacobson, "Controlling Queue Delay", 2012) much as Maurer gives it for servers ("Fail at
// Scale", 2015), whose two times these are. They are no flags, because they need not be fitted
// to how long a search takes: while more come than can be answered, there is always one that
// came just before a turn is free.
type gate struct {
	admitted chan struct{} // one element for each search that runs or waits
	running  chan struct{} // one element for each search that runs

	mu      sync.Mutex
	waiting int       // searches that wait
	since   time.Time // when the first of them came after there was none
	short   time.Time // until when those who come wait shortly
}

const (
	// A search is pure computation, so more of them at once than processors only make each
	// slower. Twice or thrice as many would gain where one waits for the disk, but the index
	// is in memory or soon will be.
	searchesPerProcessor = 1
	// The queue holds what a processor works off well within the time limit: 32 searches
	// of 5 ms are 160 ms.
	queuedPerProcessor = 32

	standing  = 100 * time.Millisecond
	shortWait = 5 * time.Millisecond
)

// newGate returns a gate for so many searches at once and so many waiting; 0 means
// the default, as many as there are processors and 32 times as many.
func newGate(concurrency, queue int) *gate {
	if concurrency <= 0 {
		concurrency = searchesPerProcessor * runtime.GOMAXPROCS(0)
	}
	if queue <= 0 {
		queue = concurrency * queuedPerProcessor
	}
	return &gate{admitted: make(chan struct{}, concurrency+queue), running: make(chan struct{}, concurrency)}
}

// enter waits for its turn, first come, first served. It returns errBusy at once
// where the queue is full and soon where it does not empty, and ctx's error where the turn did
// not come in time. After a nil error the caller must leave.
func (g *gate) enter(ctx context.Context) (err error) {
	select {
	case g.admitted <- struct{}{}:
	default:
		return errBusy
	}
	defer func() {
		if err != nil {
			<-g.admitted
		}
	}()
	select {
	case g.running <- struct{}{}:
		return nil
	default:
	}
	var soon <-chan time.Time // never
	if g.join() {
		soon = time.After(shortWait)
	}
	defer func() { g.part(err) }()
	select {
	case g.running <- struct{}{}:
		return nil
	case <-soon:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// join counts a search that waits from now on, and reports whether it is to wait shortly.
func (g *gate) join() (shortly bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if g.waiting++; g.waiting == 1 {
		g.since = now
	}
	if now.Sub(g.since) > standing {
		g.short = now.Add(standing)
	}
	return now.Before(g.short)
}

// part counts a search that waits no longer, with what came of it.
func (g *gate) part(outcome error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting--
	if outcome == errBusy {
		g.short = time.Now().Add(standing)
	}
}

func (g *gate) leave() {
	<-g.running
	<-g.admitted
}

package searchd

import (
	"context"
	"errors"
	"runtime"
)

// errBusy is the gate's answer when its queue is full.
var errBusy = errors.New("search queue is full")

// gate bounds the searches that run and wait at once, so that overload costs
// those who come too late an instant 503 and nobody else their answer.
type gate struct {
	admitted chan struct{} // one element for each search that runs or waits
	running  chan struct{} // one element for each search that runs
}

// A search is pure computation, so more of them at once than processors only make
// each slower. The queue holds what a processor works off well within the time limit:
// 32 searches of 5 ms are 160 ms.
const queuedPerProcessor = 32

// newGate returns a gate for so many searches at once and so many waiting; 0 means
// the default, as many as there are processors and 32 times as many.
func newGate(concurrency, queue int) *gate {
	if concurrency <= 0 {
		concurrency = runtime.GOMAXPROCS(0)
	}
	if queue <= 0 {
		queue = concurrency * queuedPerProcessor
	}
	return &gate{make(chan struct{}, concurrency+queue), make(chan struct{}, concurrency)}
}

// enter waits for its turn, first come, first served. It returns errBusy at once
// where the queue is full, and ctx's error where the turn did not come in time.
// After a nil error the caller must leave.
func (g *gate) enter(ctx context.Context) error {
	select {
	case g.admitted <- struct{}{}:
	default:
		return errBusy
	}
	select {
	case g.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		<-g.admitted
		return ctx.Err()
	}
}

func (g *gate) leave() {
	<-g.running
	<-g.admitted
}

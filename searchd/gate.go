package searchd

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"
)

// errBusy is the gate's answer when its queue is full.
var errBusy = errors.New("search queue is full")

// gate bounds the searches that run and wait at once, so that overload costs
// those who come too late an instant 503 and nobody else their answer.
//
// A queue is for bursts, and long enough for large ones. A queue that never empties only makes
// answers later, and not more of them. So its size is one of three:
//
//   - burst, while the queue was empty at some instant of the last tenth of a second;
//   - crowd, a few places, while it was not, and until nobody has been refused for a second;
//   - flood, when more than half as many searches are refused as served: just enough places to keep
//     the processors at work, and the more searches come, the fewer.
//
// Refusals take processors, too: when ten times as many searches come as can be answered, refusing
// takes as much of them as searching. If as many searches ran as before, each would take longer the
// more come. So only as many run as refusals leave processors for.
//
// Where searches take long, none of the three is larger than what can be answered in time. Whoever
// has waited for most of the time limit gets no answer: that search would be for nothing, and all
// behind it would wait for it.
//
// The idea is that of controlled delay (Nichols and Jacobson, "Controlling Queue Delay", 2012), and
// so is the tenth of a second. They bound the time in the queue; this bounds its length, so that
// whoever comes too late hears of it at once.
type gate struct {
	running      chan struct{} // one element for each search that runs
	burst, crowd int           // room in the queue, and while it does not empty

	mu      sync.Mutex
	takes   time.Duration // by a search: a moving average
	waiting int           // searches that wait
	since   time.Time     // when the first of them came after there was none
	crowded time.Time     // until then there is room for a crowd only
	flooded time.Time     // until then there is room for a flood only
	flood   int           // the room for a flood
	spared  int           // processors that refusals leave to searches in a flood
	// What came in the tenth of a second that began at counted.
	counted         time.Time
	served, refused int
}

const (
	// The queue holds what a processor works off well within the time limit: 32 searches
	// of 5 ms are 160 ms.
	burstPerSearch = 32
	// While it does not empty, an answer takes eight searches longer, about twice what the slowest
	// in a hundred takes. Some clients who always ask are no reason to refuse any of them.
	crowdPerSearch = 8

	// A queue that was not empty for this long is a crowd. Searches are counted over the same time.
	standing = 100 * time.Millisecond
	// A refusal takes a processor for about 60 µs, most of it in the system, and a search for 1.4
	// ms.
	refusalsPerSearch = 20
	// No refusal takes more than this: on a slow machine both take longer, but in a large index
	// only the search does.
	refusalTakes = 500 * time.Microsecond

	// Each search has a share of one in steady of the moving average, so that nobody is refused
	// because a single one took long.
	steady = 16

	// A crowd and a flood last until nobody has been refused for this long: on a busy processor
	// searches come in bursts, and if the limit ended between two of them, each would fill the
	// queue again.
	calm = time.Second
)

// newGate returns a gate for so many searches at once and so many waiting; for a queue of 0, that
// is burstPerSearch for each that runs.
func newGate(concurrency, queue int) *gate {
	if queue <= 0 {
		queue = concurrency * burstPerSearch
	}
	return &gate{running: make(chan struct{}, concurrency), burst: queue, crowd: min(queue, concurrency*crowdPerSearch)}
}

// enter waits for its turn, first come, first served. It returns errBusy at once
// where the queue is full, and ctx's error where the turn did not come in time.
// After a nil error the caller must leave.
func (g *gate) enter(ctx context.Context) error {
	if !g.spare(time.Now()) {
		return errBusy
	}
	select {
	case g.running <- struct{}{}:
		g.run(time.Now())
		return nil
	default:
	}
	if !g.join(ctx, time.Now()) {
		return errBusy
	}
	defer g.part()
	select {
	case g.running <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave ends a search that began then.
func (g *gate) leave(began time.Time) {
	<-g.running
	took := time.Since(began)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.takes += (took - g.takes) / steady
}

// spare reports whether refusals leave a processor for one more search. If not, it is refused.
func (g *gate) spare(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !now.Before(g.flooded) || g.spared == cap(g.running) || len(g.running) < g.spared {
		return true
	}
	g.count(now)
	g.refuse(now)
	return false
}

// run counts a search that need not wait.
func (g *gate) run(now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count(now)
	g.served++
}

// join counts a search that waits from now on, unless there is no room.
func (g *gate) join(ctx context.Context, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count(now)
	if g.waiting == 0 {
		g.since = now
	}
	flooded := now.Before(g.flooded)
	crowded := flooded || now.Before(g.crowded) || now.Sub(g.since) > standing
	room := g.burst
	switch {
	case flooded:
		room = g.flood
	case crowded:
		room = g.crowd
	}
	if ends, ok := ctx.Deadline(); ok && g.takes > 0 { // half of the time to wait, and half for the search
		room = min(room, cap(g.running)*int(ends.Sub(now)/2/g.takes))
	}
	if g.waiting < room {
		g.waiting++
		g.served++
		return true
	}
	if crowded {
		g.refuse(now)
	} else {
		g.refused++
	}
	return false
}

// refuse counts a search for which there was no room, and lets the crowd last and, where too many
// are refused, the flood.
func (g *gate) refuse(now time.Time) {
	g.refused++
	g.crowded = now.Add(calm)
	if g.refused > g.served/2+g.crowd { // and not by chance
		g.flooded = now.Add(calm)
	}
}

// count starts to count anew when a tenth of a second is over, and sets the room and the processors
// that a flood gets. Where as many searches are refused as served, one place for each search
// that runs is enough, for the next search comes while they run. Where ten times as many are
// refused, the next comes as soon as a search ends, and needs no place.
func (g *gate) count(now time.Time) {
	if now.Sub(g.counted) <= standing {
		return
	}
	processors, served := cap(g.running), max(1, g.served)
	ran := processors
	if now.Before(g.flooded) {
		ran = g.spared
	}
	g.flood = min(g.crowd, processors*g.served/max(1, g.refused))
	taken := float64(ran*g.refused) / float64(served*refusalsPerSearch) // by the refusals beside the searches that ran
	taken = min(taken, float64(g.refused)*refusalTakes.Seconds()/now.Sub(g.counted).Seconds())
	g.spared = max(1, processors-int(math.Round(taken)))
	g.counted, g.served, g.refused = now, 0, 0
}

// part ends the wait of a search, with its turn or without.
func (g *gate) part() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting--
}

package searchd

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
)

// mostConnections is the default of ServeOptions.Connections. It leaves files to open for the
// source, the index and the operator's side, however many connections callers hold.
func mostConnections() int {
	const most = 10_000
	limit, known := openFiles()
	if !known || limit > 2*most { // which may be more than an int holds
		return most
	}
	return min(most, max(1, int(limit-limit/4)))
}

// connections are those of the public side. One is busy while it carries a request, and before its
// first.
type connections struct {
	most    int
	dropped prometheus.Counter

	mu      sync.Mutex
	busy    map[net.Conn]bool
	idle    *list.List // of net.Conn, the longest idle first
	places  map[net.Conn]*list.Element
	changed chan struct{} // of capacity 1; has an element after a connection ceased to be busy
}

func newConnections(most int, dropped prometheus.Counter) *connections {
	return &connections{
		most:    most,
		dropped: dropped,
		busy:    map[net.Conn]bool{},
		idle:    list.New(),
		places:  map[net.Conn]*list.Element{},
		changed: make(chan struct{}, 1),
	}
}

// note is an http.Server's ConnState.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wake(conn)
	if state == http.StateNew || state == http.StateActive {
		c.busy[conn] = true
		if state == http.StateNew && len(c.busy)+c.idle.Len() > c.most {
			c.drop(conn)
		}
		return
	}
	delete(c.busy, conn)
	if state == http.StateIdle {
		c.places[conn] = c.idle.PushBack(conn)
	}
	notify(c.changed)
}

// wake takes a connection from the idle ones.
func (c *connections) wake(conn net.Conn) {
	if place := c.places[conn]; place != nil {
		c.idle.Remove(place)
		delete(c.places, conn)
	}
}

// drop closes the connection that has been idle for longest, or conn itself where none is idle. A
// connection that is closed does not count any more from now on: until its own goroutine notes the
// end, others would be closed in its place.
func (c *connections) drop(conn net.Conn) {
	if oldest := c.idle.Front(); oldest != nil {
		conn = oldest.Value.(net.Conn)
		c.wake(conn)
	}
	delete(c.busy, conn)
	conn.Close()
	c.dropped.Inc()
}

func (c *connections) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.busy)
}

// quiet waits until none is busy; it is false where ctx is done before.
func (c *connections) quiet(ctx context.Context) bool {
	for c.count() > 0 {
		select {
		case <-c.changed:
		case <-ctx.Done():
			return c.count() == 0
		}
	}
	return true
}

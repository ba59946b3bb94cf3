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
// first; it waits until the head of its next request has come, the first included.
type connections struct {
	most    int
	dropped prometheus.Counter

	mu      sync.Mutex
	open    map[net.Conn]bool // those that were not dropped
	busy    map[net.Conn]bool
	waiting *list.List // of net.Conn, the longest waiting first
	places  map[net.Conn]*list.Element
	changed chan struct{} // of capacity 1; has an element after a connection ceased to be busy
}

func newConnections(most int, dropped prometheus.Counter) *connections {
	return &connections{
		most:    most,
		dropped: dropped,
		open:    map[net.Conn]bool{},
		busy:    map[net.Conn]bool{},
		waiting: list.New(),
		places:  map[net.Conn]*list.Element{},
		changed: make(chan struct{}, 1),
	}
}

// note is an http.Server's ConnState.
func (c *connections) note(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state == http.StateNew {
		c.open[conn] = true
	} else if !c.open[conn] {
		return
	}
	c.wake(conn)
	switch state {
	case http.StateNew:
		c.busy[conn] = true
		c.places[conn] = c.waiting.PushBack(conn)
		if len(c.open) > c.most {
			c.drop()
		}
	case http.StateActive:
		c.busy[conn] = true
	case http.StateIdle:
		delete(c.busy, conn)
		c.places[conn] = c.waiting.PushBack(conn)
		notify(c.changed)
	default:
		delete(c.open, conn)
		delete(c.busy, conn)
		notify(c.changed)
	}
}

// wake takes a connection from the waiting ones.
func (c *connections) wake(conn net.Conn) {
	if place := c.places[conn]; place != nil {
		c.waiting.Remove(place)
		delete(c.places, conn)
	}
}

// drop closes the connection that has been waiting for longest, which is the new one itself where
// all others carry requests. A caller sends a head at once, so who holds many and says nothing
// keeps nobody out. A connection that is closed does not count any more from now on, whatever its
// own goroutine notes until it ends: others would be closed in its place.
func (c *connections) drop() {
	conn := c.waiting.Front().Value.(net.Conn)
	c.wake(conn)
	delete(c.open, conn)
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

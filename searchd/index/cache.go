package index

import (
	"container/list"
	"sync"
)

// postingsBytes bounds the postings that a revision keeps decoded: six million of them,
// the words of most queries.
const postingsBytes = 48 << 20

// postingsCache keeps decoded postings, the least recently used go first.
type postingsCache struct {
	mu    sync.Mutex
	byKey map[string]*list.Element // of *cached
	order *list.List               // most recently used first
	bytes int
}

type cached struct {
	key   string
	value *postings
	bytes int
}

func newPostingsCache() *postingsCache {
	return &postingsCache{byKey: map[string]*list.Element{}, order: list.New()}
}

func (c *postingsCache) get(field, term string) (*postings, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[field+term]
	if e == nil {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).value, true
}

func (c *postingsCache) put(field, term string, p *postings) {
	const overhead = 200 // of the entry itself, in bytes
	entry := &cached{field + term, p, 8*len(p.docs) + len(term) + overhead}
	if entry.bytes > postingsBytes/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[entry.key] != nil {
		return
	}
	c.byKey[entry.key] = c.order.PushFront(entry)
	for c.bytes += entry.bytes; c.bytes > postingsBytes; {
		last := c.order.Back()
		old := c.order.Remove(last).(*cached)
		delete(c.byKey, old.key)
		c.bytes -= old.bytes
	}
}

package index

import "sync"

// What a revision keeps in memory, in bytes. A new revision begins with nothing.
const (
	postingsBytes = 40 << 20 // decoded postings: at 1 to 5 bytes each, those of the words of most queries
	answersBytes  = 30 << 20 // answers: some two and a half thousand
)

// cache keeps values up to a number of bytes, in two generations: what is used goes into the young one; when that has
// half of the bytes it is the old one, and what was in the old one and not used since goes. So what was used lately
// stays, as in a list by use, without a list: its links, one for each of a hundred thousand small values, took the
// garbage collector longer to follow than anything else that a search leaves behind.
type cache[V any] struct {
	most int

	mu         sync.Mutex
	young, old map[string]sized[V]
	bytes      int // of the young
	oldBytes   int
}

type sized[V any] struct {
	value V
	bytes int
}

func newCache[V any](most int) *cache[V] {
	return &cache[V]{most: most, young: map[string]sized[V]{}}
}

func (c *cache[V]) get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if kept, ok := c.young[key]; ok {
		return kept.value, true
	}
	kept, ok := c.old[key]
	if ok {
		delete(c.old, key)
		c.oldBytes -= kept.bytes
		c.add(key, kept)
	}
	return kept.value, ok
}

// put keeps a value of this size. One that would take a quarter of the room is not kept.
func (c *cache[V]) put(key string, value V, bytes int) {
	// An entry takes some 200 bytes besides; and each of its parts is a place in memory that the collector has to go to
	// at each collection, for as long as it takes to read a kilobyte.
	const overhead = 1000
	bytes += len(key) + overhead
	if bytes > c.most/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.young[key]; !ok {
		c.add(key, sized[V]{value, bytes})
	}
}

// add adds to the young generation, with c.mu held.
func (c *cache[V]) add(key string, kept sized[V]) {
	if c.bytes+kept.bytes > c.most/2 {
		c.old, c.oldBytes = c.young, c.bytes
		c.young, c.bytes = make(map[string]sized[V], len(c.old)), 0
	}
	c.young[key] = kept
	c.bytes += kept.bytes
}

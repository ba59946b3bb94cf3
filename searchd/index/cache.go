package index

import (
	"container/list"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// The most bytes that a revision keeps in memory. A new revision begins with empty caches.
const (
	postingsBytes = 40 << 20 // decoded postings, of 1 to 5 bytes for a document: enough for the words of most queries
	answersBytes  = 30 << 20 // about 2,500 answers
)

// cache keeps values of at most a number of bytes in all, and evicts the least recently used first.
type cache[V any] struct {
	most int

	mu    sync.Mutex
	byKey map[string]*list.Element // of *cached[V]
	order *list.List               // most recently used first
	bytes int
}

type cached[V any] struct {
	key   string
	value V
	bytes int
}

func newCache[V any](most int) *cache[V] {
	return &cache[V]{most: most, byKey: map[string]*list.Element{}, order: list.New()}
}

func (c *cache[V]) get(key string) (value V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byKey[key]
	if e == nil {
		return value, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached[V]).value, true
}

// put keeps a value of this size, unless it would take more than a quarter of the room.
func (c *cache[V]) put(key string, value V, bytes int) {
	// An entry takes about 200 bytes besides its value. But most postings have few documents, so
	// hundreds of thousands would be kept, and each has five places in memory that the garbage
	// collector visits in each collection, during which a search takes several times as long. So an
	// entry counts as much larger than it is.
	const overhead = 1000
	entry := &cached[V]{key, value, bytes + len(key) + overhead}
	if entry.bytes > c.most/4 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byKey[key] != nil {
		return
	}
	c.byKey[key] = c.order.PushFront(entry)
	for c.bytes += entry.bytes; c.bytes > c.most; {
		old := c.order.Remove(c.order.Back()).(*cached[V])
		delete(c.byKey, old.key)
		c.bytes -= old.bytes
	}
}

// full reports whether keeping a value of this size would evict others.
func (c *cache[V]) full(bytes int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes+bytes > c.most
}

// answers keeps the answers of one revision: all of them while there is room, and after that only
// those whose query is asked again before it is forgotten. Most queries are asked once. Keeping
// their answers too would evict those of others and double the garbage collections. The idea is the
// doorkeeper of TinyLFU (Einziger, Friedman and Manes, 2017).
type answers struct {
	*cache[Answer]
	seed  maphash.Seed
	asked [4096]atomic.Uint64 // hashes of queries, each in its slot until another query takes the slot; there are more slots than answers fit
}

func newAnswers() *answers {
	return &answers{cache: newCache[Answer](answersBytes), seed: maphash.MakeSeed()}
}

// wants reports whether to keep an answer of this size: there is room, or its query was asked
// before. It remembers the query.
func (a *answers) wants(key string, bytes int) bool {
	hash := maphash.String(a.seed, key)
	again := a.asked[hash%uint64(len(a.asked))].Swap(hash) == hash
	return again || !a.full(bytes)
}

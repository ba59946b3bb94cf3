package index

import (
	"container/list"
	"hash/maphash"
	"sync"
	"sync/atomic"
)

// What a revision keeps in memory, in bytes. A new revision begins with nothing.
const (
	postingsBytes = 40 << 20 // decoded postings, of 1 to 5 bytes for a document: enough for the words of most queries
	answersBytes  = 30 << 20 // some two and a half thousand answers
)

// cache keeps values up to a number of bytes; the least recently used go first.
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

// put keeps a value of this size. One that would take a quarter of the room is not kept.
func (c *cache[V]) put(key string, value V, bytes int) {
	// An entry takes some 200 bytes besides. But most postings are of few documents, so hundreds of
	// thousands would be kept, and each is five places in memory that the garbage collector goes to
	// at each collection: while it does, a search takes several times as long. So an entry counts
	// as much more than it takes.
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

// full reports whether a value of this size would take the place of others.
func (c *cache[V]) full(bytes int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes+bytes > c.most
}

// answers keeps the answers of one revision: all while there is room, and then only those that are
// asked for again before their query is forgotten. Most queries are asked once. To keep their
// answers, too, would cost those of others, and twice as many garbage collections; the idea is the
// doorkeeper of TinyLFU (Einziger, Friedman and Manes, 2017).
type answers struct {
	*cache[Answer]
	seed  maphash.Seed
	asked [4096]atomic.Uint64 // hashes of queries, each at its place until another one takes that; there is room for fewer answers
}

func newAnswers() *answers {
	return &answers{cache: newCache[Answer](answersBytes), seed: maphash.MakeSeed()}
}

// wants reports whether to keep an answer of this size, and remembers its query.
func (a *answers) wants(key string, bytes int) bool {
	hash := maphash.String(a.seed, key)
	again := a.asked[hash%uint64(len(a.asked))].Swap(hash) == hash
	return again || !a.full(bytes)
}

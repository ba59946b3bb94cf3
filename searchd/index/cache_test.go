package index

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// However small the values are and in whatever order they are used, a cache keeps to its bytes, and has not so many of
// them that the collector is busy with them: 142,000 took it 40 ms of two processors three times a second, in which
// searches of a crowd took five times as long and refusals 10 ms.
func TestCacheIsBounded(t *testing.T) {
	const most, entries = 1 << 20, 1100
	random := rand.New(rand.NewPCG(1, 2))
	c := newCache[int](most)
	for i := range 100_000 {
		if c.put(fmt.Sprint(i), i, random.IntN(3)*random.IntN(500)); random.IntN(2) == 0 {
			c.get(fmt.Sprint(random.IntN(i + 1)))
		}
		if c.bytes > most || len(c.byKey) > entries || len(c.byKey) != c.order.Len() {
			t.Fatalf("after %d it keeps %d bytes of %d, in %d entries, %d by use", i, c.bytes, most, len(c.byKey), c.order.Len())
		}
	}
}

// What is used again and again stays, what is not goes.
func TestCacheKeepsWhatIsUsed(t *testing.T) {
	c := newCache[int](100_000)
	for i := range 10_000 {
		c.put(fmt.Sprint(i), i, 0)
		if v, ok := c.get("0"); !ok || v != 0 {
			t.Fatalf("what is used each time is gone after %d", i)
		}
	}
	if _, ok := c.get("9999"); !ok {
		t.Error("what came last is gone")
	}
	if _, ok := c.get("1"); ok {
		t.Error("what came first is there")
	}
	c.put("large", 1, 30_000)
	if _, ok := c.get("large"); ok {
		t.Error("what takes a quarter of the room is there")
	}
}

package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// However small the values are and in whatever order they are used, a cache keeps to its bytes, and
// does not keep so many values that the garbage collector is busy with them: 142,000 values took it
// 40 ms of two processors three times a second. Meanwhile, under load, searches took five times as
// long, and refusals 10 ms.
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

// A value that is used again and again stays, others are evicted.
func TestCacheKeepsWhatIsUsed(t *testing.T) {
	c := newCache[int](100_000)
	for i := range 10_000 {
		c.put(fmt.Sprint(i), i, 0)
		if v, ok := c.get("0"); !ok || v != 0 {
			t.Fatalf("the value that is used each time is gone after %d", i)
		}
	}
	if _, ok := c.get("9999"); !ok {
		t.Error("the last value is gone")
	}
	if _, ok := c.get("1"); ok {
		t.Error("the first value is still there")
	}
	c.put("large", 1, 30_000)
	if _, ok := c.get("large"); ok {
		t.Error("a value that takes more than a quarter of the room is kept")
	}
}

// While there is room, answers are kept at once. After that, the answer to a query that is asked
// once does not evict another, and the answer to one that is asked again does.
func TestAnswersAskedOnceTakeNoPlace(t *testing.T) {
	a := newAnswers()
	ask := func(key string) {
		const bytes = answersBytes / 100
		if a.wants(key, bytes) {
			a.put(key, Answer{}, bytes)
		}
	}
	for i := range 10_000 {
		ask(fmt.Sprint(i))
	}
	if _, ok := a.get("0"); !ok {
		t.Error("the first answer, which came while there was room, is gone")
	}
	if _, ok := a.get("9999"); ok {
		t.Error("the answer to a query asked once is kept, although there was no room for it")
	}
	ask("9999")
	if _, ok := a.get("9999"); !ok {
		t.Error("the answer to a query asked twice is not kept")
	}
}

// A caller that is done with an answer gives its memory to the next answer. Answers that other
// callers still have, and those in the cache, stay as they were.
func TestRecycledAnswers(t *testing.T) {
	all, v := benchArticles(50)
	x := indexOf(t, all...)
	answer := func(q string) Answer {
		a, err := x.Search(t.Context(), Query{Text: q, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	queries, first, held := make([]string, 60), map[string][]byte{}, map[string][]byte{}
	for i := range queries {
		q := v.text(3)
		a := answer(q)
		queries[i], first[q] = q, bytes.Clone(a.Body)
		if i%2 == 0 {
			a.Recycle()
		} else {
			held[q] = a.Body
		}
	}
	for _, what := range []string{"kept", "made anew"} {
		var all sync.WaitGroup
		for n := range 4 {
			all.Go(func() {
				for i := range queries {
					q := queries[(i+15*n)%len(queries)]
					a := answer(q)
					if !bytes.Equal(a.Body, first[q]) {
						t.Errorf("%s, the answer to %q differs", what, q)
					}
					a.Recycle()
				}
			})
		}
		all.Wait()
		x.current.answers = newAnswers()
		x.current.answers.most = 0
	}
	for q, body := range held {
		if !bytes.Equal(body, first[q]) {
			t.Errorf("the answer to %q changed while a caller had it", q)
		}
	}
}

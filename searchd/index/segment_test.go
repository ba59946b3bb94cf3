package index

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
)

// Documents that are written as a bitmap are read back, whether its parts are lists, bits or both.
func TestAppendRoaring(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var sets [][]uint32
	for _, share := range []float64{0.00001, 0.01, 0.0625, 0.5, 1} {
		docs := []uint32{7}
		for d := uint32(8); d < 200_000; d++ {
			if random.Float64() < share && d>>16 != 1 {
				docs = append(docs, d)
			}
		}
		sets = append(sets, docs)
	}
	for _, n := range []int{0, 1, maxListed - 1, maxListed, maxListed + 1, 1<<16 - 1, 1 << 16, 1<<16 + 1} {
		docs := make([]uint32, n)
		for i := range docs {
			docs[i] = 1<<31 - 1<<16 + uint32(i)
		}
		sets = append(sets, docs)
	}
	for _, docs := range sets {
		read := roaring.New()
		if _, err := read.FromBuffer(appendRoaring(nil, docs)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(read.ToArray(), docs) {
			t.Errorf("of %d documents %d are read", len(docs), read.GetCardinality())
		}
		if err := read.Validate(); err != nil {
			t.Error(err)
		}
		if got := appendDocs(nil, 0, appendRoaring(nil, docs)); !slices.Equal(got, docs) {
			t.Errorf("of %d documents %d come back", len(docs), len(got))
		}
	}
}

// The documents of a segment are numbered on from those of the segments before it, in a list and in
// a set.
func TestBitmapsAreNumberedOn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const most = 200_000
	for _, share := range []int{1, 2, 20, 1000} { // all documents to one in a thousand
		var docs []uint32
		for d := range uint32(most) {
			if r.IntN(share) == 0 {
				docs = append(docs, d)
			}
		}
		encoded := appendRoaring(nil, docs)
		for _, from := range []uint32{0, 1, 63, 64, 100_001} {
			var want []uint32
			for _, d := range docs {
				want = append(want, from+d)
			}
			if got := appendDocs([]uint32{7}, from, encoded); !slices.Equal(got, append([]uint32{7}, want...)) {
				t.Errorf("one of %d from %d on: the list differs", share, from)
			}
			set := newBitmap(int(from) + most)
			if set.addRoaring(from, encoded); !slices.Equal(set.list(), want) {
				t.Errorf("one of %d from %d on: the set differs", share, from)
			}
			for _, read := range []func(b []byte){func(b []byte) { appendDocs(nil, from, b) }, func(b []byte) { set.addRoaring(from, b) }} {
				if err := guard(func() { read(encoded[:len(encoded)-1]) }); !errors.Is(err, ErrDamaged) {
					t.Errorf("one of %d: a truncated bitmap is accepted (%v)", share, err)
				}
			}
		}
	}
}

// Each level is read as a number of times that has this level, and more times never have a lower
// level.
func TestLevels(t *testing.T) {
	for level := range uint8(8) {
		if got := levelOf(int(timesOf(level))); got != level {
			t.Errorf("level %d is read as %d times, which are level %d", level, timesOf(level), got)
		}
	}
	for times := range 100 {
		if levelOf(times) > levelOf(times+1) {
			t.Errorf("%d times are level %d, %d are level %d", times, levelOf(times), times+1, levelOf(times+1))
		}
	}
}

package index

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// Documents and levels that are written as a list are read back, in a list and in a set, numbered
// on from those of the segments before.
func TestLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const all = 200_000
	sets := [][]uint32{{0, all - 1}, {all - 2, all - 1}}
	for _, share := range []int{1, 2, 7, 8, 9, 20, 200, 20_000} { // all documents to one in so many
		docs := []uint32{0, 1}
		for d := uint32(2); d < all; d++ {
			if r.IntN(share) == 0 {
				docs = append(docs, d)
			}
		}
		sets = append(sets, docs, docs[:len(docs)-1])
	}
	var eighth []uint32 // which takes as many bytes as bits would
	for d := uint32(0); d < all; d += 8 {
		eighth = append(eighth, d)
	}
	sets = append(sets, eighth, append(eighth[:len(eighth):len(eighth)], all-1))
	for _, docs := range sets {
		for _, leveled := range []bool{false, true} {
			var levels []uint8
			if leveled {
				for range docs {
					levels = append(levels, uint8(r.IntN(8)))
				}
			}
			file := appendList(nil, docs, levels, all)
			l := &layout{data: append([]byte("before"), file...), places: places{docs: all}}
			for _, from := range []uint32{0, 1, 63, 64, 100_001} {
				list := l.docList(6)
				if list.n != len(docs) {
					t.Fatalf("of %d documents there are %d", len(docs), list.n)
				}
				want := []uint32{7}
				for _, d := range docs {
					want = append(want, from+d)
				}
				got, packed := list.appendTo([]uint32{7}, from)
				if !slices.Equal(got, want) || !slices.Equal(unpacked(packed, len(docs)), levels) {
					t.Errorf("%d documents from %d on, with %d levels: others are read", len(docs), from, len(levels))
				}
				if list.words > 0 {
					set := newBitmap(int(from) + all)
					packed := set.addBits(from, list)
					if !slices.Equal(set.list(), want[1:]) || !slices.Equal(unpacked(packed, len(docs)), levels) {
						t.Errorf("%d documents from %d on, with %d levels: others are in the set", len(docs), from, len(levels))
					}
				}
			}
			for _, end := range []int{6, 7, len(l.data) / 2, len(l.data) - 1} {
				cut := &layout{data: l.data[:end:end], places: l.places}
				if err := guard(func() { cut.docList(6).appendTo(nil, 0) }); !errors.Is(err, ErrDamaged) {
					t.Errorf("%d documents: %d of %d bytes are accepted (%v)", len(docs), end-6, len(file), err)
				}
			}
			few := &layout{data: l.data, places: places{docs: len(docs) - 1}}
			if err := guard(func() { few.docList(6) }); !errors.Is(err, ErrDamaged) || errors.As(err, new(crash)) { // not only when they are read
				t.Errorf("%d documents of %d are accepted (%v)", len(docs), len(docs)-1, err)
			}
		}
	}
}

// A list of a small segment takes a byte for each document or eight for each 64 of the segment,
// whichever are fewer.
func TestListsOfSmallSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for all := 1; all <= 128; all++ { // no distance takes more than a byte
		for n := 1; n <= all; n++ {
			var docs []uint32
			for _, d := range r.Perm(all)[:n] {
				docs = append(docs, uint32(d))
			}
			slices.Sort(docs)
			l := &layout{data: appendList(nil, docs, nil, all), places: places{docs: all}}
			head := len(binary.AppendUvarint(nil, uint64(2*n)))
			if got, want := len(l.data)-head, min(n, 8*((all+63)/64)); got != want {
				t.Errorf("%d of %d documents take %d bytes, want %d", n, all, got, want)
			}
			if got, _ := l.docList(0).appendTo(nil, 0); !slices.Equal(got, docs) {
				t.Errorf("%v of %d documents are read as %v", docs, all, got)
			}
		}
	}
}

// unpacked returns n levels that are two in a byte, or nil if there are none.
func unpacked(packed []byte, n int) (levels []uint8) {
	if packed == nil {
		return nil
	}
	for i := range n {
		levels = append(levels, packed[i/2]>>(i%2*4)&0xF)
	}
	return levels
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

package index

import (
	"iter"
	"math/bits"
	"slices"
)

// bitmap is a set of documents.
type bitmap struct{ words []uint64 }

func newBitmap(docs int) *bitmap { return &bitmap{make([]uint64, (docs+63)/64)} }

func (b *bitmap) has(d uint32) bool { return b.words[d/64]&(1<<(d%64)) != 0 }

func (b *bitmap) add(d uint32) { b.words[d/64] |= 1 << (d % 64) }

func (b *bitmap) addDocs(docs []uint32) {
	for _, d := range docs {
		b.add(d)
	}
}

func (b *bitmap) drop(d uint32) { b.words[d/64] &^= 1 << (d % 64) }

func (b *bitmap) and(other *bitmap) {
	words := other.words[:len(b.words)]
	for i := range b.words {
		b.words[i] &= words[i]
	}
}

// setBoth makes it the documents that are in two sets, whatever it was.
func (b *bitmap) setBoth(first, second *bitmap) {
	these, those := first.words[:len(b.words)], second.words[:len(b.words)]
	for i := range b.words {
		b.words[i] = these[i] & those[i]
	}
}

func (b *bitmap) or(other *bitmap) {
	words := other.words[:len(b.words)]
	for i := range b.words {
		b.words[i] |= words[i]
	}
}

func (b *bitmap) remove(other *bitmap) {
	words := other.words[:len(b.words)]
	for i := range b.words {
		b.words[i] &^= words[i]
	}
}

func (b *bitmap) fill() {
	for i := range b.words {
		b.words[i] = ^uint64(0)
	}
}

// all visits the documents in ascending order.
func (b *bitmap) all() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i, w := range b.words {
			for ; w != 0; w &= w - 1 {
				if !yield(uint32(64*i + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// list returns the documents in ascending order.
func (b *bitmap) list() []uint32 {
	return slices.AppendSeq(make([]uint32, 0, b.count()), b.all())
}

func (b *bitmap) count() int {
	n := 0
	for _, w := range b.words {
		n += bits.OnesCount64(w)
	}
	return n
}

func (b *bitmap) empty() bool {
	for _, w := range b.words {
		if w != 0 {
			return false
		}
	}
	return true
}

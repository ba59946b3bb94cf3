package index

import (
	"bytes"
	"hash/maphash"
	"math"
	"slices"
)

// table numbers keys, which are any bytes, in the order in which they come. A map of strings would
// do the same; but filling an index with tables is three quarters quicker, and the garbage
// collector has nothing to scan in them.
type table struct {
	seed  maphash.Seed
	slots []uint64 // by hash: its upper 32 bits and, in the lower 32, a number plus one; 0 is an empty slot
	bytes []byte   // all keys
	ends  []uint32 // by number: where the key ends in bytes
}

func newTable() *table { return &table{seed: maphash.MakeSeed(), slots: make([]uint64, 1<<10)} }

// reset removes all keys.
func (t *table) reset() {
	clear(t.slots)
	t.bytes, t.ends = t.bytes[:0], t.ends[:0]
}

// size returns the number of keys.
func (t *table) size() int { return len(t.ends) }

// at returns the key with a number. It is valid until the next call of number.
func (t *table) at(n uint32) []byte {
	begin := uint32(0)
	if n > 0 {
		begin = t.ends[n-1]
	}
	return t.bytes[begin:t.ends[n]]
}

// number returns the number of a key, adding the key if it is new, and whether it was.
func (t *table) number(key []byte) (n uint32, added bool) {
	hash := maphash.Bytes(t.seed, key) &^ math.MaxUint32
	at := t.begin(hash)
	for ; t.slots[at] != 0; at = (at + 1) & (len(t.slots) - 1) {
		if t.slots[at]&^math.MaxUint32 != hash {
			continue
		}
		if n = uint32(t.slots[at]) - 1; bytes.Equal(t.at(n), key) {
			return n, false
		}
	}
	n = uint32(len(t.ends))
	t.bytes = append(t.bytes, key...)
	t.ends = append(t.ends, uint32(len(t.bytes)))
	t.slots[at] = hash | uint64(n+1)
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return n, true
}

// begin returns the slot at which the search for a hash begins.
func (t *table) begin(hash uint64) int { return int(hash>>32) & (len(t.slots) - 1) }

// grow doubles the slots.
func (t *table) grow() {
	before := t.slots
	t.slots = make([]uint64, 2*len(before))
	for _, slot := range before {
		if slot == 0 {
			continue
		}
		at := t.begin(slot)
		for t.slots[at] != 0 {
			at = (at + 1) & (len(t.slots) - 1)
		}
		t.slots[at] = slot
	}
}

// sorted returns the numbers in the order of their keys.
func (t *table) sorted() []uint32 {
	order := make([]uint32, t.size())
	for n := range order {
		order[n] = uint32(n)
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(t.at(a), t.at(b)) })
	return order
}

package index

import "math/bits"

// neighbours is a Bloom filter of the pairs of words that are next to each other in an article,
// except pairs that are terms. It is asked before the sequence and has a fifth of its bytes: a
// processor fetches two small pieces of it instead of all the words, and most articles that have
// the words of a phrase do not have the phrase.
type neighbours []byte

// neighbourBits is the number of bits for each pair. Three in five pairs of an article are
// different, so one in ten pairs that the article does not have passes.
const neighbourBits = 4

// hashPair combines the hashes of two neighbours.
func hashPair(first, second uint64) uint64 {
	hash := (bits.RotateLeft64(first, 32) ^ second) * spread
	return (hash ^ hash>>32) * spread
}

// newNeighbours returns the filter of pairs that are given by their hashes.
func newNeighbours(pairs []uint64) neighbours {
	n := make(neighbours, len(pairs)*neighbourBits/8+1)
	for _, pair := range pairs {
		for _, at := range n.places(pair) {
			n[at/8] |= 1 << (at % 8)
		}
	}
	return n
}

// places returns the two bits of a pair.
func (n neighbours) places(pair uint64) [2]uint64 {
	room := uint64(8 * len(n))
	first, _ := bits.Mul64(pair, room)
	second, _ := bits.Mul64(bits.RotateLeft64(pair, 32), room)
	return [...]uint64{first, second}
}

// mayHave reports whether an article may have all of the pairs.
func (n neighbours) mayHave(pairs []uint64) bool {
	for _, pair := range pairs {
		for _, at := range n.places(pair) {
			if n[at/8]&(1<<(at%8)) == 0 {
				return false
			}
		}
	}
	return true
}

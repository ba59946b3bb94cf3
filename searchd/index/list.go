package index

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// docList is the documents of a segment that have a term, ascending, and how often each has it. In
// the file it has, in this order:
//
//	head       twice the number of documents, and one more if levels follow, as a uvarint
//	documents  how many others are between each and the one before, as uvarints, nearly all of
//	           which take one byte; or bits, as words of eight bytes, little endian, if these take
//	           less room than a byte for each document
//	levels     two in a byte (see levelOf); none if all are 0
type docList struct {
	n       int  // how many documents
	leveled bool // whether levels follow
	words   int  // how many words the bits take; 0 if the documents are not bits
	data    []byte
}

// wordsOf returns how many words the bits of n documents of a segment with so many take, or 0 if
// numbers are written instead.
func wordsOf(n, all int) int {
	words := (all + 63) / 64
	if n <= 8*words {
		return 0
	}
	return words
}

// appendList appends a list of documents of a segment that has so many. Levels are nil if all are
// 0.
func appendList(b []byte, docs []uint32, levels []uint8, all int) []byte {
	head := uint64(2 * len(docs))
	if levels != nil {
		head++
	}
	b = binary.AppendUvarint(b, head)
	if words := wordsOf(len(docs), all); words > 0 {
		at := len(b)
		b = append(b, make([]byte, 8*words)...)
		for _, d := range docs {
			b[at+int(d/8)] |= 1 << (d % 8)
		}
	} else {
		next := uint32(0)
		for _, d := range docs {
			b = binary.AppendUvarint(b, uint64(d-next))
			next = d + 1
		}
	}
	for pair := range slices.Chunk(levels, 2) {
		both := pair[0]
		if len(pair) > 1 {
			both |= pair[1] << 4
		}
		b = append(b, both)
	}
	return b
}

// docList returns the list at a place.
func (l *layout) docList(at uint64) docList {
	head := l.uvarint(&at)
	if head/2 > uint64(l.places.docs) {
		must(fmt.Errorf("%w: a list has %d of %d documents", ErrDamaged, head/2, l.places.docs))
	}
	n := int(head / 2)
	return docList{n, head%2 > 0, wordsOf(n, l.places.docs), l.data[at:]}
}

// appendTo appends the documents, adding from to each number. It returns also the levels, two in a
// byte, or nil if all are 0.
func (l docList) appendTo(docs []uint32, from uint32) (_ []uint32, levels []byte) {
	docs = slices.Grow(docs, l.n)
	if l.words > 0 {
		for i := range l.words {
			for word := l.word(i); word != 0; word &= word - 1 {
				docs = append(docs, from+uint32(64*i+bits.TrailingZeros64(word)))
			}
		}
		return docs, l.levels(8 * l.words)
	}
	added := docs[len(docs) : len(docs)+l.n]
	data, at, next := l.data, 0, from
	for i := range added { // a call of binary.Uvarint for each would take three times as long
		b := uint32(data[at])
		at++
		next += b & 0x7F
		for shift := 7; b >= 0x80; shift += 7 {
			b = uint32(data[at])
			at++
			next += b & 0x7F << shift
		}
		added[i] = next
		next++
	}
	return docs[:len(docs)+l.n], l.levels(at)
}

// word returns a word of the bits.
func (l docList) word(i int) uint64 { return binary.LittleEndian.Uint64(l.data[8*i:]) }

// levels returns the levels, which are at a place.
func (l docList) levels(at int) []byte {
	if !l.leveled {
		return nil
	}
	return l.data[at:][:(l.n+1)/2]
}

// addBits adds the documents of a list that is bits to a set, like appendTo.
func (b *bitmap) addBits(from uint32, l docList) (levels []byte) {
	words, shift := b.words[from/64:], from%64
	for i := range l.words {
		word := l.word(i)
		if low := word << shift; low != 0 {
			words[i] |= low
		}
		if high := word >> (64 - shift); high != 0 {
			words[i+1] |= high
		}
	}
	return l.levels(8 * l.words)
}

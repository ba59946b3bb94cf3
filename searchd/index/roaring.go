package index

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// A roaring bitmap begins with its cookie. Up to maxListed of each 65,536 numbers are a list; more
// are bits in bitsBytes.
const (
	cookie    = 12346
	maxListed = 4096
	bitsBytes = 1 << 16 / 8
)

// appendRoaring appends documents as the bytes of a roaring bitmap (see
// github.com/RoaringBitmap/RoaringFormatSpec): for each range of 65,536 numbers that has some, a
// list of these or, if they are more than maxListed, one bit for each number.
func appendRoaring(b []byte, docs []uint32) []byte {
	type part struct{ first, end int } // of docs
	var parts []part
	for i, d := range docs {
		if n := len(parts); n == 0 || docs[parts[n-1].first]>>16 != d>>16 {
			parts = append(parts, part{first: i})
		}
		parts[len(parts)-1].end = i + 1
	}
	le := binary.LittleEndian
	b = le.AppendUint32(b, cookie)
	b = le.AppendUint32(b, uint32(len(parts)))
	for _, p := range parts {
		b = le.AppendUint16(b, uint16(docs[p.first]>>16))
		b = le.AppendUint16(b, uint16(p.end-p.first-1))
	}
	place := 8 + 8*len(parts)
	for _, p := range parts {
		b = le.AppendUint32(b, uint32(place))
		place += min(2*(p.end-p.first), bitsBytes)
	}
	for _, p := range parts {
		if p.end-p.first <= maxListed {
			for _, d := range docs[p.first:p.end] {
				b = le.AppendUint16(b, uint16(d))
			}
			continue
		}
		at := len(b)
		b = append(b, make([]byte, bitsBytes)...)
		for _, d := range docs[p.first:p.end] {
			b[at+int(uint16(d)/8)] |= 1 << (d % 8)
		}
	}
	return b
}

// eachPart visits the parts of a roaring bitmap, each of a range of 65,536 numbers: the first
// number of the range, how many numbers the bitmap has there, and the bytes that say which.
func eachPart(b []byte, visit func(first uint32, n int, part []byte)) {
	le := binary.LittleEndian
	mustBeList(le.Uint32(b) == cookie)
	count := int(le.Uint32(b[4:]))
	at := 8 + 8*count
	for i := range count {
		first, n := uint32(le.Uint16(b[8+4*i:]))<<16, int(le.Uint16(b[10+4*i:]))+1
		end := at + min(2*n, bitsBytes)
		mustBeList(end <= len(b))
		visit(first, n, b[at:end])
		at = end
	}
}

func mustBeList(is bool) {
	if !is {
		must(fmt.Errorf("%w: a list of documents is none", ErrDamaged))
	}
}

// appendDocs appends the documents of a roaring bitmap, adding from to each number.
func appendDocs(docs []uint32, from uint32, b []byte) []uint32 {
	le := binary.LittleEndian
	eachPart(b, func(first uint32, n int, part []byte) {
		first += from
		docs = slices.Grow(docs, n)
		if n > maxListed {
			for at := 0; at < len(part); at += 8 {
				for word := le.Uint64(part[at:]); word != 0; word &= word - 1 {
					docs = append(docs, first+uint32(8*at+bits.TrailingZeros64(word)))
				}
			}
			return
		}
		for ; len(part) >= 2; part = part[2:] {
			docs = append(docs, first+uint32(le.Uint16(part)))
		}
	})
	return docs
}

// addRoaring adds the documents of a roaring bitmap to a set, like appendDocs.
func (b *bitmap) addRoaring(from uint32, encoded []byte) {
	le := binary.LittleEndian
	eachPart(encoded, func(first uint32, n int, part []byte) {
		first += from
		if n > maxListed {
			words, shift := b.words[first/64:], first%64
			for i := 0; 8*i < len(part); i++ {
				word := le.Uint64(part[8*i:])
				if low := word << shift; low != 0 {
					words[i] |= low
				}
				if high := word >> (64 - shift); high != 0 {
					words[i+1] |= high
				}
			}
			return
		}
		for ; len(part) >= 2; part = part[2:] {
			b.add(first + uint32(le.Uint16(part)))
		}
	})
}

package index

import (
	"encoding/binary"
	"math/bits"
)

// A bitmap begins with its cookie. Of each 65,536 documents, up to maxListed are listed; more are bits in bitsBytes.
const (
	cookie    = 12346
	maxListed = 4096
	bitsBytes = 1 << 16 / 8
)

// appendBitmap adds documents as the bytes of a roaring bitmap (see github.com/RoaringBitmap/RoaringFormatSpec): for
// each 65,536 numbers of which it has some, a list of these or, where they are more than maxListed, a bit for each number.
func appendBitmap(b []byte, docs []uint32) []byte {
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

// appendDocs is the inverse of appendBitmap; ok is false where the bytes are no such bitmap.
func appendDocs(docs []uint32, b []byte) (_ []uint32, ok bool) {
	le := binary.LittleEndian
	if len(b) < 8 || le.Uint32(b) != cookie {
		return nil, false
	}
	parts := int(le.Uint32(b[4:]))
	at := 8 + 8*parts
	if parts > 1<<16 || at > len(b) {
		return nil, false
	}
	for i := range parts {
		high, n := uint32(le.Uint16(b[8+4*i:]))<<16, int(le.Uint16(b[10+4*i:]))+1
		if at+min(2*n, bitsBytes) > len(b) {
			return nil, false
		}
		if n <= maxListed {
			for range n {
				docs = append(docs, high|uint32(le.Uint16(b[at:])))
				at += 2
			}
			continue
		}
		for word := range bitsBytes / 8 {
			for set := le.Uint64(b[at:]); set != 0; set &= set - 1 {
				docs = append(docs, high|uint32(64*word+bits.TrailingZeros64(set)))
			}
			at += 8
		}
	}
	return docs, true
}

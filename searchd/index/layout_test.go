package index

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

// readAll reads everything in a segment.
func readAll(s *memorySegment) {
	l := newLayout(s)
	for field := range l.fields {
		for e := range entries([]*layout{l}, field) {
			for _, in := range e.lists {
				l.list(nil, nil, in.list)
			}
		}
	}
	columns := []column{l.column(fieldOrder), l.column(fieldRow)}
	for doc := range l.places.docs {
		l.document(doc, anew)
		for _, c := range columns {
			c.at(doc)
		}
	}
}

// Reading a file with wrong bytes ends soon and takes little memory, whatever lengths and places
// the bytes give. What is read may be wrong.
func TestReadingWrongBytesEnds(t *testing.T) {
	_, whole := invertAll(t, nil, commonWords()...)
	readAll(whole)
	random := rand.New(rand.NewPCG(1, 2))
	failed := 0
	for range 3000 {
		wrong := &memorySegment{file: slices.Clone(whole.file), places: whole.places}
		for range 1 << random.IntN(8) {
			wrong.file[random.IntN(len(wrong.file))] = byte(random.IntN(256))
		}
		if random.IntN(4) == 0 {
			wrong.file = wrong.file[:random.IntN(len(wrong.file))]
		}
		if random.IntN(10) == 0 {
			wrong.places.docs = int(random.Uint64() >> random.IntN(64))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if guard(func() { readAll(wrong) }) != nil {
			failed++
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<30 {
			t.Errorf("reading took %d MB", (after.TotalAlloc-before.TotalAlloc)>>20)
		}
	}
	t.Logf("%d of 3000 could not be read", failed)
}

// If the id of a document is so long that its packed values begin after their end, they are not
// unpacked, whatever size they claim.
func TestADocumentThatBeginsAfterItsEnd(t *testing.T) {
	var data []byte
	const text, place, long = 't', 0, 1 << 45
	for _, n := range []uint64{0, 0, 5, 1, text, place, long, 0, 4, text, place, long, 0} {
		data = binary.AppendUvarint(data, n)
	}
	at := uint64(len(data))
	l := &layout{data: binary.BigEndian.AppendUint64(data, 0), places: places{docs: 1, stored: at}}
	if err := guard(func() { l.document(0, anew) }); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v, want ErrDamaged", err)
	}
}

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
	l.lengths()
	l.ends(l.fields[fieldOrder])
	rows := l.fields[fieldRow]
	begin := rows.first
	for _, end := range l.ends(rows) {
		l.unpackValues(begin, rows.first+end)
		begin = rows.first + end
	}
	for doc := range l.places.docs {
		l.document(doc, anew)
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

// Packed values that claim to be large take no memory for it.
func TestPackedValuesThatClaimToBeLarge(t *testing.T) {
	data := binary.AppendUvarint([]byte{0}, 1<<30) // of no document
	l := &layout{data: append(data, 0, 0)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := guard(func() { l.unpackValues(0, uint64(len(l.data))) })
	if runtime.ReadMemStats(&after); !errors.Is(err, ErrDamaged) || after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("got %v and %d MB, want ErrDamaged", err, (after.TotalAlloc-before.TotalAlloc)>>20)
	}
}

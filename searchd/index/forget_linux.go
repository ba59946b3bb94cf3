package index

import (
	"os"

	"golang.org/x/sys/unix"
)

// forget removes the pages of a range of a mapped file from the memory of this process. The system
// keeps them cached while it has room, and maps them again when they are read. The slice must begin
// where the mapping does.
func forget(mapped []byte, from, to uint64) {
	page := uint64(os.Getpagesize())
	if from, to = from/page*page, to/page*page; from < to {
		unix.Madvise(mapped[from:to], unix.MADV_DONTNEED) // a failure only costs memory
	}
}

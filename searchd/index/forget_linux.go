package index

import (
	"os"

	"golang.org/x/sys/unix"
)

// forget takes pages of a mapped file out of the memory of this process. The system keeps them as
// long as it has room, and they come back when they are read again. The bytes must begin where the
// mapping does.
func forget(mapped []byte, from, to uint64) {
	page := uint64(os.Getpagesize())
	if from, to = from/page*page, to/page*page; from < to {
		unix.Madvise(mapped[from:to], unix.MADV_DONTNEED) // a failure only costs memory
	}
}

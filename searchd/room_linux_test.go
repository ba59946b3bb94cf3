package searchd

import (
	"math"
	"syscall"
	"testing"
)

// Room is counted in the blocks that a file system counts, and does not run over.
func TestRoom(t *testing.T) {
	for _, c := range []struct {
		disk syscall.Statfs_t
		want float64
	}{
		{syscall.Statfs_t{Bavail: 10, Bsize: 4096, Frsize: 4096}, 40960},
		{syscall.Statfs_t{Bavail: 10, Bsize: 1 << 20, Frsize: 4096}, 40960},
		{syscall.Statfs_t{Bavail: 10, Bsize: 4096}, 40960},
		{syscall.Statfs_t{Bavail: math.MaxUint64, Bsize: 4096, Frsize: 4096}, 0x1p76},
	} {
		if got := roomOf(c.disk); got != c.want {
			t.Errorf("%+v: %v bytes, want %v", c.disk, got, c.want)
		}
	}
}

//go:build unix

package searchd

import (
	"syscall"
	"testing"
)

// Whoever holds all connections that there may be leaves searchd the files that it needs itself:
// without an index, a source and an operator's side it was alive and of no use.
func TestConnectionsLeaveFiles(t *testing.T) {
	var limit syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	for files, want := range map[int]int{400: 300, 1024: 768, 4096: 3072, 65536: 10_000} {
		few := limit
		for few.Cur = 0; int(few.Cur) < files; few.Cur++ { // its type is that of the system
		}
		if few.Cur > limit.Cur {
			continue // only root may have more
		}
		must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
		got := mostConnections()
		must(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
		if got != want {
			t.Errorf("of %d files %d are for connections, want %d", files, got, want)
		}
	}
}

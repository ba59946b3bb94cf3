//go:build unix

package articletest

import (
	"os"
	"syscall"
	"testing"
)

// FewFiles lets only so many more files be open, and returns a function that lifts this limit.
func FewFiles(t *testing.T, more int) (restore func()) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	free, err := os.Open(os.DevNull) // by the smallest number that is free
	if err != nil {
		t.Fatal(err)
	}
	few := limit
	few.Cur = 0
	for range int(free.Fd()) + more { // its type is that of the system
		few.Cur++
	}
	free.Close()
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
			t.Fatal(err)
		}
	}
}

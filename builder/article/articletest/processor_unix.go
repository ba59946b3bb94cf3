//go:build unix

package articletest

import (
	"syscall"
	"testing"
	"time"
)

// ProcessorTime is how long this process kept processors busy while do ran: what other programs do
// meanwhile adds nothing.
func ProcessorTime(t *testing.T, do func()) time.Duration {
	t.Helper()
	used := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			t.Fatal(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	before := used()
	do()
	return used() - before
}

//go:build unix

package searchd

import "syscall"

// openFiles returns how many files this process may have open. The Go runtime has raised that as
// far as it may.
func openFiles() (limit uint64, known bool) {
	var l syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	return uint64(l.Cur), err == nil
}

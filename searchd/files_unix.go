//go:build unix

package searchd

import "syscall"

// openFiles is how many files this process may have open. The runtime has asked for as many as it
// may.
func openFiles() (limit uint64, known bool) {
	var l syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
	return uint64(l.Cur), err == nil
}

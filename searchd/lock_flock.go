//go:build unix

package searchd

import (
	"errors"
	"os"
	"syscall"
)

// locks is whether lock can tell that another process has a file.
const locks = true

// lock takes an open file for this process alone, by flock(2): the kernel frees it when
// the process ends, however it ends. taken is true where another process has it.
func lock(f *os.File) (taken bool, err error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return true, nil
		}
		return false, err
	}
}

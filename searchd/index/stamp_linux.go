package index

import (
	"os"
	"strings"
	"syscall"
)

// stampOf returns the stamp of a file.
func stampOf(path string) (stamp, error) {
	var s syscall.Stat_t
	if err := syscall.Stat(path, &s); err != nil {
		return stamp{}, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	return stamp{s.Size, s.Mtim.Nano(), s.Ctim.Nano(), s.Ino, uint64(s.Dev)}, nil
}

// bootID returns an id that changes with each start of the machine; "" if it is not known.
func bootID() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

package searchd

import "syscall"

// room is the bytes that may still be written into a folder; ok is false where that is not known.
func room(dir string) (bytes int64, ok bool) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		return 0, false
	}
	return int64(disk.Bavail) * int64(disk.Bsize), true
}

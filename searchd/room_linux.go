package searchd

import (
	"cmp"
	"syscall"
)

// room returns how many bytes may still be written into a folder; ok is false if that is not known,
// as on a read-only file system: that may call itself full, which is not what is wrong with it.
func room(dir string) (bytes float64, ok bool) {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil || disk.Flags&syscall.MS_RDONLY != 0 {
		return 0, false
	}
	return roomOf(disk), true
}

// roomOf counts blocks of f_frsize, as statvfs(3) does: f_bsize is what is best to write at once,
// which network file systems have larger. Some say that they have room without end.
func roomOf(disk syscall.Statfs_t) float64 {
	return float64(disk.Bavail) * float64(cmp.Or(disk.Frsize, disk.Bsize))
}

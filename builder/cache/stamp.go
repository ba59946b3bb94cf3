package cache

import (
	"io/fs"
	"time"
)

// Stamp is what the system says of a file without reading it. The zero Stamp is no
// file's.
type Stamp struct {
	Size     int64
	Modified int64  // when its bytes were written, in nanoseconds
	Changed  int64  // when anything about it was changed; 0 if that is not known
	Inode    uint64 // 0 if that is not known
}

// StampOf returns the stamp of a regular file, and the zero Stamp for anything else.
func StampOf(info fs.FileInfo) Stamp {
	if !info.Mode().IsRegular() {
		return Stamp{}
	}
	s := Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	s.system(info)
	return s
}

// Moved returns the stamp without the time of change, which a rename sets: a file has the same
// before and after.
func (s Stamp) Moved() Stamp {
	s.Changed = 0
	return s
}

// The clocks of file systems tick every few milliseconds; that of FAT every two seconds, so that
// its times are whole seconds.
const (
	tick      = 50 * time.Millisecond
	roughTick = 2 * time.Second
)

// Settled returns the stamp if it shows every change of the file since the instant, and otherwise
// the zero Stamp.
func (s Stamp) Settled(since time.Time) Stamp {
	last, slack := max(s.Modified, s.Changed), tick
	if s.Modified%int64(time.Second) == 0 && s.Changed%int64(time.Second) == 0 {
		slack = roughTick
	}
	if last >= since.Add(-slack).UnixNano() {
		return Stamp{}
	}
	return s
}

package cache

import (
	"io/fs"
	"syscall"
)

func (s *Stamp) system(info fs.FileInfo) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		s.Inode, s.Changed = st.Ino, st.Ctim.Nano()
	}
}

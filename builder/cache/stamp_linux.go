package cache

import (
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

func (s *Stamp) system(info fs.FileInfo) {
	switch st := info.Sys().(type) {
	case *syscall.Stat_t:
		s.Inode, s.Changed = st.Ino, st.Ctim.Nano()
	case *unix.Stat_t:
		s.Inode, s.Changed = st.Ino, st.Ctim.Nano()
	}
}

//go:build !linux

package publication

import (
	"errors"
	"os"
	"runtime"
)

// syncFile makes the bytes of a staged file survive a power cut.
func syncFile(f *os.File) error { return f.Sync() }

// sync makes the names in these folders survive a power cut.
func (d *disk) sync(folders ...string) error {
	if runtime.GOOS == "windows" { // folders cannot be synced there, nor need be
		return nil
	}
	for _, folder := range folders {
		d.before()
		f, err := d.root.Open(folder)
		if err != nil {
			return err
		}
		if err := errors.Join(f.Sync(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

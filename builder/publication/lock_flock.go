//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package publication

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"newsstand/builder/hinted"
)

// lockInterval is how often a waiting writer looks again: a tenth of what a person
// notices.
const lockInterval = 20 * time.Millisecond

// lockFolder opens a folder and locks it, by flock(2) on the folder itself: nothing
// is written, and the lock of a killed program is free. The lock holds until the
// Closer is closed.
func lockFolder(ctx context.Context, dir string, waiting func()) (*os.Root, io.Closer, error) {
	for {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, nil, err
		}
		lock, err := root.Open(".")
		if err != nil {
			return nil, nil, errors.Join(err, root.Close())
		}
		here := false
		if err = flock(ctx, lock, waiting); err == nil {
			here, err = leadsTo(dir, root)
		}
		if here {
			return root, lock, nil
		}
		if err := errors.Join(err, lock.Close(), root.Close()); err != nil {
			return nil, nil, err
		}
		// The folder was replaced while this writer waited for it: take the new one.
	}
}

func flock(ctx context.Context, f *os.File, waiting func()) error {
	tick := time.NewTicker(lockInterval)
	defer tick.Stop()
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, unix.EINTR):
			continue
		case !errors.Is(err, unix.EWOULDBLOCK):
			return hinted.Error(fmt.Errorf("lock the folder: %w", err), "publish to a local disk: network file systems may not have locks")
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("another builder is writing there: %w", context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// mayWrite reports why files in an open folder cannot be made or renamed.
func mayWrite(folder *os.File) error {
	return unix.Faccessat(int(folder.Fd()), ".", unix.W_OK|unix.X_OK, unix.AT_EACCESS)
}

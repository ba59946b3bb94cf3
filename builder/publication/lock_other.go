//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package publication

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"newsstand/builder/hinted"
)

// lockName is a folder: making one is atomic everywhere. It lies outside of the
// state folder, which comes and goes.
const lockName = ".newsstand-lock"

// lockInterval is how often a waiting writer looks again.
const lockInterval = 20 * time.Millisecond

// lockFolder opens a folder and locks it by making a folder in it. Where there is no
// flock, the lock of a killed program must be removed by hand.
func lockFolder(ctx context.Context, dir string, waiting func()) (*os.Root, io.Closer, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, err
	}
	tick := time.NewTicker(lockInterval)
	defer tick.Stop()
	for {
		err := root.Mkdir(lockName, 0o755)
		if err == nil {
			return root, folderLock{root}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, nil, errors.Join(err, root.Close())
		}
		if waiting != nil {
			waiting()
			waiting = nil
		}
		select {
		case <-ctx.Done():
			err := hinted.Error(fmt.Errorf("another builder is writing there: %w", context.Cause(ctx)), "if none is, remove "+lockName)
			return nil, nil, errors.Join(err, root.Close())
		case <-tick.C:
		}
	}
}

type folderLock struct{ root *os.Root }

func (l folderLock) Close() error { return l.root.Remove(lockName) }

// mayWrite cannot be told here without trying.
func mayWrite(*os.File) error { return nil }

package main

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// disk takes nothing while it is full.
type disk struct {
	mu   sync.Mutex
	full bool
	b    bytes.Buffer
}

func (d *disk) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full {
		return 0, syscall.ENOSPC
	}
	return d.b.Write(p)
}

func (d *disk) makeRoom() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = false
}

func (d *disk) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.b.String()
}

// Where the log lies on a full disk its lines are counted, and it tells of them once there is room.
func TestLinesOnAFullDiskAreCountedAndToldOf(t *testing.T) {
	until := func(what string, done func() bool) {
		t.Helper()
		for began := time.Now(); !done(); time.Sleep(time.Millisecond) {
			if time.Since(began) > 10*time.Second {
				t.Fatalf("not in time: %s", what)
			}
		}
	}
	d := &disk{full: true}
	log, q := newLog(d, "text", slog.LevelInfo)
	for range 3 {
		log.Error("an error")
	}
	until("all are counted", func() bool { return q.lost.Load() == 3 })
	d.makeRoom()
	log.Info("there is room")
	until("it is told", func() bool {
		return strings.Contains(d.String(), `level=WARN msg="lines of the log are lost: they could not be written" lines=3 hint=`)
	})
}

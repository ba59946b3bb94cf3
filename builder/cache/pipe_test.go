//go:build unix

package cache

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe in the place of the file is a cache that is empty, and nothing that a build waits for; it
// is replaced.
func TestAPipeIsAnEmptyCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.cache")
	must(t, syscall.Mkfifo(file, 0o600))
	done := make(chan struct{})
	go func() {
		defer close(done)
		c := Open(file, version("1"))
		c.Put('a', "name", Entry{Value: "value"})
		if err := c.Save(); err != nil {
			t.Error(err)
		}
		if e, ok := Open(file, version("1")).Get('a', "name"); !ok || e.Value != "value" {
			t.Errorf("the saved entry is %+v, %t", e, ok)
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("it waits for the pipe")
	}
}

package builder

import (
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// Memory grows with the processors and the chunks in work, not with the site: the heap
// stays far below what is published.
func TestMemoryIsBounded(t *testing.T) {
	articletest.WithoutRace(t)
	if testing.Short() {
		t.Skip("publishes 60 MB")
	}
	const articles = 1500
	s := newSite(t)
	text := strings.Repeat(strings.Repeat("plain words ", 80)+"\n\n", 20) // 19 kB, twice in an article
	for i := range articles {
		s.write(fmt.Sprintf("a%d.md", i), postFile(fmt.Sprintf("Article %d.\n\n%s", i, text)))
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var done atomic.Bool
	peaks := make(chan uint64)
	go func() {
		var peak uint64
		for ; !done.Load(); time.Sleep(5 * time.Millisecond) {
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
		}
		peaks <- peak
	}()
	r, err := Build(t.Context(), s.options)
	done.Store(true)
	peak := <-peaks
	s.check(err)
	used := int64(peak) - int64(before.HeapAlloc)
	t.Logf("%d articles, %d MB published, heap at most %d MB more", r.Published, r.Bytes>>20, used>>20)
	// A build that held all lines, and as much garbage, would need twice the bytes.
	if used > r.Bytes*3/4 {
		t.Errorf("the heap grew by %d MB to publish %d MB", used>>20, r.Bytes>>20)
	}
}

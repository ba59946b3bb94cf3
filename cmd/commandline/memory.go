package commandline

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// saving is how much the heap of a program grows before it is collected, in percent. Go's own is
// 100.
const saving = 50

// SaveMemory lets the heap grow by half before it is collected, in place of Go's double,
// unless GOGC says otherwise. Most of it lives long (what is known of each article, caches),
// so collecting twice as often costs little and saves a quarter of the memory.
func SaveMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(saving)
	}
}

// HoldMemory is SaveMemory for a program that makes and drops a lot: its heap is not collected
// while it is smaller than so many bytes. A small heap would be collected over and over, on all
// processors, while callers wait.
func HoldMemory(bytes uint64) {
	if os.Getenv("GOGC") == "" {
		holdMemory(bytes)
	}
}

// holdMemory sets the percentage now, and again after each collection: it leaves some garbage, and
// is called when that is collected.
func holdMemory(bytes uint64) {
	now := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}}
	metrics.Read(now)
	live := now[0].Value.Uint64()
	debug.SetGCPercent(percentTo(bytes, live, live+now[1].Value.Uint64()+now[2].Value.Uint64()))
	garbage := new([16]byte) // with fewer bytes, it could share memory with what stays
	runtime.AddCleanup(garbage, holdMemory, bytes)
}

// percentTo is the value for debug.SetGCPercent at which a heap with these live bytes grows to so
// many bytes before the next collection; it is at least saving. looked is all that a collection
// looks at, of which the value is a percentage.
func percentTo(bytes, live, looked uint64) int {
	const least = 4 << 20 // Go takes no heap for smaller
	if live >= bytes {
		return saving
	}
	return max(saving, int(100*(bytes-live)/max(looked, least)))
}

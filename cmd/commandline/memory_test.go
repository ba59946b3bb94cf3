package commandline

import "testing"

// A heap that holds little grows to what a server may hold; one that holds much grows by half.
func TestPercentTo(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		live, looked uint64 // MB
		percent      int
	}{{0, 0, 3200}, {4, 4, 3100}, {4, 8, 1550}, {64, 64, 100}, {96, 96, 50}, {128, 128, 50}, {1000, 1000, 50}} {
		if percent := percentTo(128*mb, c.live*mb, c.looked*mb); percent != c.percent {
			t.Errorf("with %d MB live and %d MB looked at it may grow by %d %%, want %d", c.live, c.looked, percent, c.percent)
		}
	}
}

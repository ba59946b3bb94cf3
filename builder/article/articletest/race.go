//go:build race

package articletest

import "testing"

// WithoutRace leaves a test out under the race detector, which makes it ten times as long, needs
// memory of its own or checks pointers, and would find nothing: it does one thing at a time. `make
// test` runs these tests once more without.
func WithoutRace(t *testing.T) { t.Skip("run without -race") }

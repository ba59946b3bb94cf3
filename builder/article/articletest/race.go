//go:build race

package articletest

import "testing"

// WithoutRace leaves a test out under the race detector, which makes it ten times as long, or needs memory of its own, and
// would find nothing: it does one thing at a time. `make test` runs these tests once more without.
func WithoutRace(t *testing.T) { t.Skip("run without -race") }

//go:build !race

package articletest

import "testing"

// WithoutRace does nothing here.
func WithoutRace(*testing.T) {}

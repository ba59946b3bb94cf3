//go:build !race

package index

import "testing"

func withoutRace(*testing.T) {}

//go:build !race

package source

import "testing"

func withoutRace(*testing.T) {}

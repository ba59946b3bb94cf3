//go:build !race

package index

const underRace = false

//go:build !race

package source

const underRace = false

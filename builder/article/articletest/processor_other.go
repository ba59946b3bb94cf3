//go:build !unix

package articletest

import (
	"testing"
	"time"
)

// ProcessorTime is how long do ran, here where the system does not tell how long it kept processors
// busy.
func ProcessorTime(_ *testing.T, do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}

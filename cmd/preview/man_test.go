package main

import (
	"io"
	"testing"

	"newsstand/cmd/commandline/commandlinetest"
)

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newCommand(io.Discard, io.Discard), "preview.1")
}

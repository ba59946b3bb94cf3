package main

import (
	"testing"

	"newsstand/cmd/commandline/commandlinetest"
)

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newCommand(), "preview.1")
}

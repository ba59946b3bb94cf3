package main

import (
	"testing"

	"newsstand/cmd/commandline/commandlinetest"
)

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newRootCommand(), "builder.1", "builder-build.1")
}

package main

import (
	"testing"

	"newsstand/cmd/commandline/commandlinetest"
)

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newRootCommand(), "searchd.1", "searchd-serve.1")
}

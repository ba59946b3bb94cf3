package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra/doc"
)

var manFolder = flag.String("man", "", "write the manual pages into this folder, as `make man` does")

// The manual pages are made from the commands. The generator is linked into tests only;
// it takes the date from SOURCE_DATE_EPOCH, where that is set.
func TestManPages(t *testing.T) {
	folder := *manFolder
	if folder == "" {
		folder = t.TempDir()
	}
	root := newRootCommand()
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "Newsstand", Manual: "Newsstand"}
	if err := doc.GenManTree(root, header, folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"builder.1", "builder-build.1"} {
		if page, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(page) < 500 {
			t.Errorf("%s has %d bytes: %v", name, len(page), err)
		}
	}
}

// Package commandlinetest holds the tests that the three programs have in common.
package commandlinetest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

var manFolder = flag.String("man", "", "write the manual pages into this folder, as `make man` does")

// ManPages makes the manual pages of a program from its commands, and wants these to be
// among them. The generator is linked into tests only; it takes the date from
// SOURCE_DATE_EPOCH, where that is set.
func ManPages(t *testing.T, root *cobra.Command, names ...string) {
	t.Helper()
	folder := *manFolder
	if folder == "" {
		folder = t.TempDir()
	}
	root.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "Newsstand", Manual: "Newsstand"}
	if err := doc.GenManTree(root, header, folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if page, err := os.ReadFile(filepath.Join(folder, name)); err != nil || len(page) < 500 {
			t.Errorf("%s has %d bytes: %v", name, len(page), err)
		}
	}
}

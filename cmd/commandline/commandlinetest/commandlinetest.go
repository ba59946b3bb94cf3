// Package commandlinetest holds the tests that the three programs have in common.
package commandlinetest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
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

// Manual sees that every flag is in the manual with a text, every command has a text and an
// example, the exit codes are listed, and neither a text nor an example has a flag that is not
// there.
func Manual(t *testing.T, root *cobra.Command, codes ...int) {
	t.Helper()
	for _, code := range codes {
		if !regexp.MustCompile(fmt.Sprintf(`\n  %d +`, code)).MatchString(root.Long) {
			t.Errorf("the manual does not explain exit code %d", code)
		}
	}
	for _, cmd := range root.Commands() {
		if cmd.Example == "" || cmd.Long == "" {
			t.Errorf("%s has no example or no text", cmd.Name())
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				t.Errorf("%s --%s has no text", cmd.Name(), f.Name)
			}
		})
		checkFlags(t, cmd, cmd.Long)
		for _, call := range regexp.MustCompile(root.Name()+` ([a-z]+)([^|&)\n]*)`).FindAllStringSubmatch(cmd.Example, -1) {
			called, _, err := root.Find(call[1:2])
			if err != nil || called == root {
				t.Errorf("the example %q calls no command", call[0])
				continue
			}
			checkFlags(t, called, call[2])
		}
	}
}

// checkFlags looks up the flags that a text gives to a command.
func checkFlags(t *testing.T, cmd *cobra.Command, text string) {
	t.Helper()
	for _, name := range regexp.MustCompile(`--([a-z][a-z-]*)`).FindAllStringSubmatch(text, -1) {
		if cmd.Flags().Lookup(name[1]) == nil {
			t.Errorf("%q has --%s, which %s does not have", text, name[1], cmd.Name())
		}
	}
}

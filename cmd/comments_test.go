package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// A comment is read in a window beside others: it is wrapped at 100 columns, a tab being four, but
// for tables, which are indented by a tab, and what is written for the compiler.
func TestCommentsAreWrapped(t *testing.T) {
	const most = 100
	comments := 0
	err := filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == ".cache" {
			return fs.SkipDir
		}
		if filepath.Ext(file) != ".go" {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for n, line := range strings.Split(string(data), "\n") {
			text, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), "//")
			if !ok || strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "go:") {
				continue
			}
			comments++
			if columns := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "    ")); columns > most {
				t.Errorf("%s:%d: a comment of %d columns", file, n+1, columns)
			}
		}
		return nil
	})
	if err != nil || comments < 1000 {
		t.Errorf("%d comments found: %v", comments, err)
	}
}

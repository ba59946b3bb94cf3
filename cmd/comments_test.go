package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// A package comment with a section "Source files" says what each file is for, and names all of
// them.
func TestCommentsNameEachFile(t *testing.T) {
	const heading = "\n// # Source files\n"
	tables := 0
	err := filepath.WalkDir("..", func(folder string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if entry.Name() == ".cache" {
			return fs.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		var named, there []string
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			if name, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".go"), "_"); name != "doc" { // without its system
				there = append(there, name)
			}
			if _, table, ok := strings.Cut(read(t, file), heading); ok {
				tables++
				for _, row := range regexp.MustCompile(`(?m)^//\t(\S.*?)   `).FindAllStringSubmatch(table, -1) {
					named = append(named, strings.Split(row[1], ", ")...)
				}
			}
		}
		slices.Sort(named)
		slices.Sort(there)
		if there = slices.Compact(there); len(named) > 0 && !slices.Equal(named, there) {
			t.Errorf("the package comment of %s names the files %v, and there are %v", folder, named, there)
		}
		return err
	})
	if err != nil || tables < 4 {
		t.Errorf("%d tables of files found: %v", tables, err)
	}
}

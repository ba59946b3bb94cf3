package index

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The package comment says what each source file is for, and names all of them.
func TestDocNamesEachFile(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "# Source files")
	var named []string
	for line := range strings.Lines(table) {
		if words, _, ok := strings.Cut(strings.TrimPrefix(line, "//\t"), "   "); ok {
			named = append(named, regexp.MustCompile(`\w+`).FindAllString(words, -1)...)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var there []string
	for _, file := range files {
		name, system, _ := strings.Cut(strings.TrimSuffix(file, ".go"), "_")
		if name != "doc" && system != "test" {
			there = append(there, name)
		}
	}
	slices.Sort(named)
	slices.Sort(there)
	if there = slices.Compact(there); !slices.Equal(named, there) {
		t.Errorf("doc.go names %v, the files are %v", named, there)
	}
}

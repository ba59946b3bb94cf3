package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"newsstand/builder/article/articletest"
)

// The project compiles on macOS: it is type-checked with all its imports from source, which takes
// a tenth of the time of compiling them for a second system.
func TestMacOSCompiles(t *testing.T) {
	articletest.WithoutRace(t)
	// go test keeps a result until a file or folder that the test opens is another. It does not see
	// what go list opens: a new file for macOS alone would not be read.
	must(t, filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && file != ".." && strings.HasPrefix(entry.Name(), ".") {
			return fs.SkipDir
		}
		return err
	}))
	found, err := packages.Load(&packages.Config{
		Mode:       packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes,
		Env:        append(os.Environ(), "GOOS=darwin", "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=e2e"}, Tests: true,
	}, "newsstand/...")
	must(t, err)
	packages.Visit(found, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Errorf("%s: %v", p.ID, err)
		}
	})
}

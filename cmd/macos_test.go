package cmd_test

import (
	"os"
	"testing"

	"golang.org/x/tools/go/packages"

	"newsstand/builder/article/articletest"
)

// The project compiles on macOS: it is type-checked with all its imports from source, which takes
// a tenth of the time of compiling them for a second system.
func TestMacOSCompiles(t *testing.T) {
	articletest.WithoutRace(t)
	found, err := packages.Load(&packages.Config{
		Mode:  packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedSyntax | packages.NeedTypes,
		Env:   append(os.Environ(), "GOOS=darwin", "CGO_ENABLED=0"),
		Tests: true,
	}, "newsstand/...")
	must(t, err)
	packages.Visit(found, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			t.Errorf("%s: %v", p.ID, err)
		}
	})
}

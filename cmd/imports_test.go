package cmd_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// No program and no package links what it must not know, for the reason given.
func TestImportDirection(t *testing.T) {
	for _, rule := range []struct {
		of, not, because string
	}{
		{"newsstand/cmd/builder", "github.com/blevesearch/", "the builder writes a corpus; the index is searchd's own view of it"},
		{"newsstand/cmd/builder", "newsstand/searchd", "the published folder is all that the two programs share"},
		{"newsstand/cmd/searchd", "github.com/yuin/goldmark", "searchd reads published articles, never Markdown"},
		{"newsstand/cmd/searchd", "yaml", "searchd has no configuration file and never sees front matter"},
		{"newsstand/cmd/searchd", "github.com/pelletier/go-toml", "searchd has no configuration file and never sees front matter"},
		{"newsstand/cmd/searchd", "newsstand/builder/source", "searchd never sees content/"},
		{"newsstand/cmd/searchd", "newsstand/builder/page", "what people see is published by the builder"},
		{"newsstand/cmd/searchd", "newsstand/builder/edge", "the edge stands before searchd and knows it only as a handler"},
		{"newsstand/cmd/searchd", "github.com/getkin/kin-openapi", "a deployment is judged from outside, by builder verify"},
		{"newsstand/builder/verify", "newsstand/builder/edge", "a deployment is known by its address alone, whatever host it runs on"},
		{"newsstand/searchd/index", "newsstand/builder/publication", "the index takes documents, wherever they come from"},
		{"newsstand/searchd/index/analysis", "newsstand/", "it knows words, and not where they stand"},
		{"newsstand/builder/source", "newsstand/builder/publication", "what an author wrote does not depend on how it is published"},
		{"newsstand/builder/source/frontmatter", "newsstand/", "it knows notations, and not what the keys mean"},
		{"newsstand/builder/source/script", "newsstand/", "it knows programs, and no site"},
		{"newsstand/cmd/searchd", "github.com/evanw/esbuild", "searchd never sees the configuration of a site"},
		{"newsstand/builder/source/dialect", "newsstand/builder/source/frontmatter", "it knows texts, and neither files nor sites"},
		{"newsstand/builder/source/markdown", "newsstand/builder/source", "it knows texts, and neither files nor sites"},
		{"newsstand/builder/publication", "newsstand/builder/source", "the published folder is read by programs that know no Markdown"},
		{"newsstand/builder/publication", "newsstand/builder/page", "what is published is a file like any other to it"},
		{"newsstand/builder/page", "newsstand/builder/source", "pages and feeds are made of articles, however they were written"},
		{"newsstand/builder/page", "newsstand/builder/publication", "pages and feeds do not depend on how they are published"},
		{"newsstand/builder/cache", "newsstand/", "it does not know what it remembers, so source and publication can share it"},
		{"newsstand/builder/dir", "newsstand/", "it knows files, and not what is in them"},
		{"newsstand/builder/hinted", "newsstand/", "it knows errors, and not of what"},
		{"newsstand/builder/edge", "newsstand/searchd", "the edge stands before searchd and knows it only as a handler"},
		{"newsstand/builder/article", ".", "the contract depends on the standard library only"},
	} {
		for _, dep := range dependencies(t, rule.of) {
			own := dep == rule.of || rule.of == "newsstand/builder/source/frontmatter" && dep == "newsstand/builder/source/script"
			banned := strings.Contains(dep, rule.not)
			if rule.not == "." { // a dot in the first element of a path: outside the standard library
				first, _, _ := strings.Cut(dep, "/")
				banned = (strings.Contains(first, ".") || first == "newsstand") && !strings.HasPrefix(dep, "vendor/")
			}
			if !own && banned {
				t.Errorf("%s links %s: %s\n\thint: go mod why %s, or `go list -deps %s`", rule.of, dep, rule.because, dep, rule.of)
			}
		}
	}
}

// Only searchd/index knows the engine, so that it can be replaced in one place; and
// searchd/index/analysis, which takes the stemmers.
func TestOnlyTheIndexImportsBleve(t *testing.T) {
	for pkg, imports := range importsOf(t) {
		if !strings.HasPrefix(pkg+"/", "newsstand/searchd/index/") && strings.Contains(imports, "github.com/blevesearch/") {
			t.Errorf("%s imports Bleve; only newsstand/searchd/index and what is in it do", pkg)
		}
	}
}

// Only builder/source/script knows the parsers of JavaScript, so that they can be replaced in one
// place.
func TestOnlyScriptImportsItsParsers(t *testing.T) {
	for pkg, imports := range importsOf(t) {
		if parsers := regexp.MustCompile(`esbuild|sobek|sourcemap`).FindString(imports); parsers != "" && pkg != "newsstand/builder/source/script" {
			t.Errorf("%s imports %s; only newsstand/builder/source/script does", pkg, parsers)
		}
	}
}

// What reads articles has the time zones with it: on a machine without, dates of a site of Hugo in
// Europe/Berlin were read as UTC.
func TestTimeZonesAreWithThePrograms(t *testing.T) {
	imports := importsOf(t)
	for _, pkg := range []string{"newsstand/cmd/builder", "newsstand/cmd/preview"} {
		if !strings.Contains(imports[pkg], "time/tzdata") {
			t.Errorf("%s does not import time/tzdata", pkg)
		}
	}
}

// A test that is left out under the race detector is named by the Makefile, to run without: or it
// would never run.
func TestWhatIsLeftOutUnderRaceRuns(t *testing.T) {
	makefile := read(t, "../Makefile")
	names := regexp.MustCompile(`(?m)^WITHOUT_RACE := '(.*)'$`).FindStringSubmatch(makefile)
	run := regexp.MustCompile(`-run \$\(WITHOUT_RACE\) (.*)\)`).FindStringSubmatch(makefile)
	if names == nil || run == nil {
		t.Fatal("the Makefile has no WITHOUT_RACE, or does not run it")
	}
	named, packages := regexp.MustCompile(names[1]), strings.Fields(run[1])
	found := 0
	root := os.DirFS("..")
	err := fs.WalkDir(root, ".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, file)
		for _, left := range regexp.MustCompile(`(?m)^func (Test\w+)\(t \*testing\.T\) \{\n\tarticletest\.WithoutRace\(t\)$`).FindAllSubmatch(text, -1) {
			found++
			if !named.Match(left[1]) || !slices.Contains(packages, "./"+path.Dir(file)) {
				t.Errorf("%s: no test run of the Makefile has %s", file, left[1])
			}
		}
		return err
	})
	if err != nil || found == 0 {
		t.Errorf("%d tests, %v", found, err)
	}
}

// importsOf are the packages that each package of the module imports.
func importsOf(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "newsstand/...").Output()
	must(t, err)
	imports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		pkg, its, _ := strings.Cut(strings.TrimSpace(line), " ")
		imports[pkg] = its
	}
	return imports
}

func dependencies(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("go list -deps %s: %s", pkg, exit.Stderr)
		}
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

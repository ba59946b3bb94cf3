// Package sourcetest finds real articles for tests, which it is for only.
package sourcetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Guide is the name of the project's own articles.
const Guide = "guide"

// Folder returns the folder of the [Guide], or one of the folder shared, which may lie beside
// the repository and holds sites and collections of other people. It skips the test where
// there is no such folder.
func Folder(t testing.TB, name string) string {
	t.Helper()
	repository := repository(t)
	if name == Guide {
		return filepath.Join(repository, "content")
	}
	dir := filepath.Join(filepath.Dir(repository), "shared", filepath.FromSlash(name))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not beside the repository: %v", name, err)
	}
	return dir
}

// repository is the folder of the module, within which a test runs.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			t.Fatal("the test does not run within the module")
		}
		dir = above
	}
}

// EachArticle visits the Markdown files of a [Folder].
func EachArticle(t testing.TB, name string, visit func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(Folder(t, name), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains([]string{".md", ".mdx", ".markdown"}, filepath.Ext(path)) {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			visit(path, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

//go:build unix

package publication

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"newsstand/builder/article"
)

// A pipe in the place of any file is a problem, and nothing that a check waits for.
func TestAPipeIsAProblem(t *testing.T) {
	for _, name := range []string{article.HealthPath, article.OpenAPIPath, article.Path("a001")} {
		dir := t.TempDir()
		site("x", 10).write(t, dir, nil)
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		problems, err := Check(t.Context(), dir, nil, nil)
		if err != nil || len(problems) == 0 {
			t.Errorf("%s: %q, %v", name, problems, err)
		}
	}
}

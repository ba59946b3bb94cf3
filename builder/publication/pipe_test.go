//go:build unix

package publication

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
)

// A pipe in the place of any file is a problem, and nothing that a check waits for.
func TestAPipeIsAProblem(t *testing.T) {
	for _, name := range []string{article.HealthPath, article.OpenAPIPath, article.Path("a001")} {
		dir := t.TempDir()
		site("x", 10).write(t, dir, nil)
		path := filepath.Join(dir, name)
		must(t, os.Remove(path))
		must(t, syscall.Mkfifo(path, 0o600))
		problems, err := Check(t.Context(), dir, nil, nil)
		if err != nil || len(problems) == 0 {
			t.Errorf("%s: %q, %v", name, problems, err)
		}
	}
}

// A pipe in the place of a folder, or of the writer's list, is an error, and nothing that a build
// or a check waits for.
func TestNothingWaitsForAPipe(t *testing.T) {
	for _, name := range []string{article.CorpusFolder, "api", article.ArticleFolder, commitList} {
		dir := t.TempDir()
		site("x", 10).write(t, dir, nil)
		path := filepath.Join(dir, name)
		err := errors.Join(os.RemoveAll(path), os.MkdirAll(filepath.Dir(path), 0o755), syscall.Mkfifo(path, 0o600))
		must(t, err)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if problems, err := Check(t.Context(), dir, nil, nil); err == nil && len(problems) == 0 {
				t.Errorf("%s: it is whole", name)
			}
			w, err := Begin(t.Context(), dir, nil)
			if err != nil {
				return
			}
			defer w.Close()
			if _, err := site("y", 10).fill(t, w); err == nil {
				t.Errorf("%s: it is published", name)
			}
		}()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Fatalf("%s: it waits for the pipe", name)
		}
	}
}

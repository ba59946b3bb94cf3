package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// cancelling ends a preview at its first line.
type cancelling struct{ cancel context.CancelFunc }

func (c cancelling) Write(p []byte) (int, error) {
	c.cancel()
	return len(p), nil
}

// Ctrl-C is no failure, even while the search index is opened.
func TestStoppedAtTheStart(t *testing.T) {
	dir := t.TempDir()
	o := options{content: filepath.Join(dir, "content"), public: filepath.Join(dir, "public"), data: filepath.Join(dir, "data"),
		config: filepath.Join("..", "..", "netlify.toml"), listen: "127.0.0.1:0"}
	if err := os.Mkdir(o.content, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.content, "a.md"), []byte("---\ntitle: A\ndate: 2026-01-01\n---\ntext\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 2 { // the second time, there is an index, and the signal is there already
		if err := runPreview(ctx, o, cancelling{cancel}, io.Discard); err != nil {
			t.Error(err)
		}
	}
}

package source

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

// counted is a folder that counts how often its files package.json are looked for, as by whoever
// reads a configuration beside them.
type counted struct {
	fs.FS
	asked int
}

// Open implements fs.FS.
func (f *counted) Open(name string) (fs.File, error) {
	if path.Base(name) == "package.json" {
		f.asked++
	}
	return f.FS.Open(name)
}

// Of a repository with thousands of packages, each of which may be a site, only the largest are
// looked at, and the one with the most articles is named.
func TestManySitesBelow(t *testing.T) {
	files := fstest.MapFS{"README.md": {}}
	for i := range 2000 {
		p := fmt.Sprintf("p%04d/", i)
		files[p+"README.md"], files[p+"next.config.js"], files[p+"docs/a.md"] = &fstest.MapFile{}, &fstest.MapFile{}, &fstest.MapFile{}
	}
	files["p1000/docs/b.md"] = &fstest.MapFile{}
	content := &counted{FS: files}
	folder, err := Scan(t.Context(), content, Options{BaseURL: "https://site.example"})
	if err != nil {
		t.Fatal(err)
	}
	if content.asked > 1000 {
		t.Errorf("package.json was asked for %d times", content.asked)
	}
	for _, p := range folder.Problems {
		if strings.Contains(p.What, "a site lies in the folder p1000,") {
			return
		}
	}
	t.Error("the largest site is not named")
}

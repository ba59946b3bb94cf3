package source

import (
	"context"
	"encoding/csv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// siteFolder returns a folder of real articles that lie beside the repository, and
// skips where they are not.
func siteFolder(t testing.TB, name string) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "sites", name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the real site %s is not here: %v", name, err)
	}
	return dir
}

func scanAt(t testing.TB, content, around fs.FS, now time.Time) *Folder {
	t.Helper()
	f, err := Scan(context.Background(), content, Options{Now: now, Around: around})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func count(f *Folder) map[Status]int {
	n := map[Status]int{}
	for _, file := range f.Files {
		n[file.Status]++
	}
	return n
}

// TestHugoAgrees compares with what `hugo list` answered for a real site.
func TestHugoAgrees(t *testing.T) {
	dir := siteFolder(t, "cncf-glossary")
	now := time.Date(2026, 8, 23, 0, 0, 0, 0, time.UTC)
	content := scanAt(t, os.DirFS(filepath.Join(dir, "content")), os.DirFS(dir), now)
	whole := scanAt(t, os.DirFS(dir), nil, now)
	for list, status := range map[string]Status{"published": Published, "drafts": Draft} {
		r, err := os.Open(filepath.Join(dir, "hugo-says", list+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		rows, err := csv.NewReader(r).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, row := range rows[1:] {
			if row[8] == "page" { // sections and home pages are lists, no articles
				want[row[0]] = row[7]
			}
		}
		for what, f := range map[string]*Folder{"content": content, "whole site": whole} {
			got := map[string]string{}
			for _, file := range f.Files {
				if file.Status == status {
					got[strings.TrimPrefix(file.Path, "content/")] = file.URL
				}
			}
			for p, url := range want {
				p = strings.TrimPrefix(p, "content/")
				if u, ok := got[p]; !ok {
					t.Errorf("%s: Hugo has %s as %s, we do not", what, p, status)
				} else if u != url {
					t.Errorf("%s: the address of %s is %q, Hugo's %q", what, p, u, url)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s: %d %s, Hugo has %d", what, len(got), status, len(want))
			}
		}
	}
}

// TestRealSites looks at whole sites: every file is published or has a reason.
func TestRealSites(t *testing.T) {
	now := time.Date(2026, 8, 23, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, generator, language string
		sub                       string
		published                 int
	}{
		{"cncf-glossary", "hugo", "en", "content", 874},
		{"rust-blog", "zola", "en", "content", 745},
		{"bitcoinops", "jekyll", "en", "", 1460},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := siteFolder(t, c.name)
			f := scanAt(t, os.DirFS(filepath.Join(dir, c.sub)), os.DirFS(dir), now)
			if f.Site.Generator != c.generator || f.Site.Language != c.language || f.Site.BaseURL == "" {
				t.Errorf("site is %+v", f.Site)
			}
			n := count(f)
			t.Log(n, len(f.Problems))
			if n[Published] != c.published {
				t.Errorf("%d published, want %d", n[Published], c.published)
			}
			for _, file := range f.Files {
				if (file.Status == Published) != (file.Reason == "") {
					t.Errorf("%s is %s, reason %q", file.Path, file.Status, file.Reason)
				}
			}
			if !slices.IsSortedFunc(f.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) }) {
				t.Error("files are not sorted")
			}
			for _, p := range f.Problems[:min(8, len(f.Problems))] {
				t.Log(p)
			}
		})
	}
}

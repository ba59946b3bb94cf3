package source

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"newsstand/builder/source/sourcetest"
)

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

// TestHugoAgrees compares with what `hugo list` answered for a real site, file by file: status,
// dates and address, whether the content folder is scanned or the whole project. There is no
// difference, intended or not.
func TestHugoAgrees(t *testing.T) {
	dir := sourcetest.Folder(t, "sites/cncf-glossary")
	now := time.Date(2026, 8, 23, 0, 0, 0, 0, time.UTC)
	lines := hugoLines(t, now, func(list string) ([]byte, error) {
		return os.ReadFile(filepath.Join(dir, "hugo-says", list+".csv"))
	})
	for what, f := range map[string]*Folder{
		"content": scanAt(t, os.DirFS(filepath.Join(dir, "content")), os.DirFS(dir), now),
		"project": scanAt(t, os.DirFS(dir), nil, now),
	} {
		var says strings.Builder
		for _, file := range f.Files {
			// The project has files around the content, which Hugo does not list.
			if name := "content/" + strings.TrimPrefix(file.Path, "content/"); what == "content" || name == file.Path {
				says.WriteString(cmp.Or(lines[name], hugoLine(File{Path: name, Status: NotArticle})))
			}
		}
		for _, difference := range differences(f, says.String()) {
			t.Errorf("%s: %s", what, difference)
		}
		n := count(f)
		t.Log(what, n)
		if n[Published] != 874 || n[Draft] != 21 {
			t.Errorf("%s: %v, Hugo has 874 published pages and 21 drafts", what, n)
		}
		for _, file := range f.Files {
			if file.Status == Published && file.URL == "" {
				t.Errorf("%s: %s has no address", what, file.Path)
			}
		}
	}
}

// TestRealSites scans whole sites: every file is published or has a reason why not.
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
			dir := sourcetest.Folder(t, "sites/"+c.name)
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

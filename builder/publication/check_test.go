//go:build unix

package publication

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article"
)

// A link to the right bytes is none of the build's files, wherever it lies: many hosts follow none.
func TestCheckFindsLinks(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 2)
	b.documents["page/style.css"] = "x"
	b.write(t, dir, nil)
	var want []string
	for _, name := range []string{article.Path("a000"), article.ManifestPath, "page/style.css"} {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.Rename(at, filepath.Join(dir, path.Base(name))), os.Symlink(strings.Repeat("../", strings.Count(name, "/"))+path.Base(name), at)); err != nil {
			t.Skip(err) // some systems have no links
		}
		want = append(want, name+": is not a regular file")
	}
	slices.Sort(want)
	if faults, err := Check(t.Context(), dir, nil, nil); err != nil || !slices.Equal(faults, want) {
		t.Errorf("got %q, %v, want %q", faults, err, want)
	}
}

// What a build does not remove by itself, a check does not leave to it.
func TestCheckSaysWhatNoBuildRemoves(t *testing.T) {
	dir := t.TempDir()
	site("first", 2).write(t, dir, nil)
	stray := map[string]bool{ // whether a build removes them
		article.Path("stray"): true, article.MarkdownPath("stray"): true, article.ChunkPath(strings.Repeat("a", 64)): true,
		"api/notes.txt": false, article.ArticleFolder + "/Stray.json": false, article.Path("folder") + "/file": false, "corpus/.DS_Store": false,
	}
	for name := range stray {
		put(t, dir, name, "x")
	}
	check := func() string {
		faults, err := Check(t.Context(), dir, nil, nil)
		must(t, err)
		return strings.Join(faults, "\n") + "\n"
	}
	faults := check()
	for name, removed := range stray {
		want := name + ": is not part of the build, nor what a build removes: move it away\n"
		if removed {
			want = name + ": is not part of the build\n"
		}
		if !strings.Contains(faults, want) {
			t.Errorf("want %q in\n%s", want, faults)
		}
	}
	site("first", 2).write(t, dir, nil)
	faults = check()
	for name, removed := range stray {
		if strings.Contains(faults, name) == removed {
			t.Errorf("%s after a build:\n%s", name, faults)
		}
	}
}

// A build without the documents of the contract is not whole, nor one whose date is not that of its
// newest article.
func TestCheckWantsTheContract(t *testing.T) {
	dir := t.TempDir()
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	_, err = w.Chunk(1, []Record{record(t, "a", "x")})
	must(t, err)
	_, _, err = w.EndCorpus(article.SearchSettings{Synonyms: []article.Synonym{}, Articles: []article.ArticleSettings{}, Tests: []article.SearchTest{}})
	must(t, err)
	_, err = w.Commit(baseURL, day.Add(time.Hour))
	must(t, errors.Join(err, w.Close()))
	problems, err := Check(t.Context(), dir, nil, nil)
	want := []string{
		"api/health.json: is not in the manifest",
		"corpus/manifest.json: has updated_at 2026-03-01T10:00:00Z, and the newest date of its articles is 2026-03-01T09:00:00Z",
		"openapi.json: is not in the manifest",
	}
	if err != nil || !slices.Equal(problems, want) {
		t.Errorf("got %q, %v, want %q", problems, err, want)
	}
}

// A manifest that is consistent in itself may be that of other articles.
func TestCheckWantsTheRevisionOfTheArticles(t *testing.T) {
	dir := t.TempDir()
	m := site("first", 3).write(t, dir, nil).Manifest
	right := m.Revision
	m.Format, m.Sum, m.Revision = formatWithoutSum, "", strings.Repeat("0", len(right))
	data, err := article.Encode(m)
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, article.ManifestPath), data, 0o644))
	problems, err := Check(t.Context(), dir, nil, nil)
	want := "corpus/manifest.json: has the revision " + m.Revision + ", and its articles make " + right
	if err != nil || len(problems) != 2 || !strings.HasPrefix(problems[0], "api/health.json: does not fit the manifest") || problems[1] != want {
		t.Errorf("got %q, %v, want %q and the health document", problems, err, want)
	}
}

// A chunk of the build before that cannot be read is a fault, and none where it is gone.
func TestCheckReadsThePreviousChunks(t *testing.T) {
	dir := t.TempDir()
	site("x", 10).write(t, dir, nil)
	previous := site("y", 10).write(t, dir, nil).Manifest.Previous
	if len(previous) == 0 {
		t.Fatal("no chunk of the build before is kept")
	}
	path := filepath.Join(dir, previous[0])
	must(t, os.Remove(path))
	if problems, err := Check(t.Context(), dir, nil, nil); err != nil || len(problems) > 0 {
		t.Errorf("gone: %q, %v", problems, err)
	}
	must(t, os.Mkdir(path, 0o755))
	if problems, err := Check(t.Context(), dir, nil, nil); err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0], previous[0]) {
		t.Errorf("a folder: %q, %v", problems, err)
	}
}

// Of a folder that is gone, each file is missing, and nothing else is wrong.
func TestCheckOfAFolderThatIsGone(t *testing.T) {
	dir := t.TempDir()
	site("x", 1).write(t, dir, nil)
	must(t, os.RemoveAll(filepath.Join(dir, "api")))
	problems, err := Check(t.Context(), dir, nil, nil)
	if err != nil || len(problems) != 2 || problems[0] != "api/article/a000.json: is missing" || !strings.HasPrefix(problems[1], "api/health.json: ") {
		t.Errorf("%q, %v", problems, err)
	}
}

func TestCheckReadsTheSettings(t *testing.T) {
	dir := t.TempDir()
	settings := site("x", 1).write(t, dir, nil).Manifest.Search.Path
	put(t, dir, settings, "{}")
	problems, err := Check(t.Context(), dir, nil, nil)
	if err != nil || len(problems) != 1 || !strings.HasPrefix(problems[0], settings+": ") {
		t.Errorf("%q, %v", problems, err)
	}
}

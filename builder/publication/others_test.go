//go:build unix

package publication

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/hinted"
)

func TestFilesOfOthersStay(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "_headers", "mine")
	put(t, dir, "404.html", "my own")
	put(t, dir, "same.html", "same")
	put(t, dir, "api/article/a000.json", "in the way of the contract")
	put(t, dir, "api/article/left-over.json", "an answer that nobody published")
	b := site("first", 2)
	b.documents["404.html"], b.documents["same.html"] = "ours", "same"
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	if _, err := b.fill(t, w); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Foreign(), []string{"404.html"}) {
		t.Errorf("foreign files: %v", w.Foreign())
	}
	must(t, w.Close())
	b.wantWhole(t, dir)
	for name, want := range map[string]string{"_headers": "mine", "404.html": "my own", "same.html": "same"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	site("first", 2).write(t, dir, nil) // a build without these documents
	if _, err := os.Stat(filepath.Join(dir, "404.html")); err != nil {
		t.Errorf("a file that was never ours was removed: %v", err)
	}
}

// A folder of somebody's stays, whatever name it has, and no build takes it for an article that it
// removed.
func TestFoldersOfOthersStay(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 2)
	b.documents["old"] = "x"
	b.write(t, dir, nil)
	must(t, os.Remove(filepath.Join(dir, "old")))
	stray := []string{"old", article.Path("stray"), article.MarkdownPath("stray"), article.ChunkPath(strings.Repeat("a", 64))}
	for _, name := range stray {
		put(t, dir, name+"/file", "mine")
	}
	for range 2 {
		if r := site("first", 2).write(t, dir, nil); r.Removed > 0 || len(r.Gone) > 0 {
			t.Errorf("removed %d, gone %q", r.Removed, r.Gone)
		}
	}
	for _, name := range stray {
		if _, err := os.Stat(filepath.Join(dir, name, "file")); err != nil {
			t.Error(err)
		}
	}
}

func TestAFolderInTheWayStopsTheBuildBeforeAnythingChanged(t *testing.T) {
	dir := t.TempDir()
	b := site("first", 3)
	b.write(t, dir, nil)
	put(t, dir, article.Path("new")+"/file", "x")
	next := site("second", 3)
	next.articles["new"] = "x"
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	_, err = next.fill(t, w)
	if err == nil || !strings.Contains(err.Error(), "api/article/new.json is a folder where a file is to be published") || hinted.Hint(err) != "move it away" {
		t.Errorf("error: %v, hint: %s", err, hinted.Hint(err))
	}
	must(t, w.Close())
	os.RemoveAll(filepath.Join(dir, article.Path("new")))
	b.wantWhole(t, dir)
}

// A document may take the place of a folder of others, and the other way; what is somebody else's
// there stays.
func TestAFileBecomesAFolder(t *testing.T) {
	for _, c := range []struct{ foreign, want string }{
		{"", ""},
		{"album/three", "album is a folder where a file is to be published"},
		{"album/more/empty/", "album is a folder where a file is to be published"},
	} {
		dir := t.TempDir()
		crashOld().write(t, dir, nil)
		switch at := filepath.Join(dir, c.foreign); {
		case strings.HasSuffix(c.foreign, "/"):
			must(t, os.Mkdir(at, 0o755))
		case c.foreign != "":
			put(t, dir, c.foreign, "mine")
		}
		before := tree(t, dir)
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		_, err = crashNew().fill(t, w)
		must(t, w.Close())
		if c.want != "" {
			after := tree(t, dir)
			delete(before, ".") // where the stage was
			delete(after, ".")
			if err == nil || !strings.Contains(err.Error(), c.want) || !maps.Equal(before, after) {
				t.Errorf("with %s: %v; before there was\n%v\nand after it\n%v", c.foreign, err, before, after)
			}
			continue
		}
		must(t, err)
		crashNew().wantWhole(t, dir)
		want := t.TempDir()
		crashNew().write(t, want, nil)
		if got, want := names(t, dir), names(t, want); !slices.Equal(got, want) {
			t.Errorf("there are\n%v\nwant\n%v", got, want)
		}
	}
}

// Two writers: the second waits, says so once, and gives up with its context.
func TestTheSecondWriterWaits(t *testing.T) {
	dir := t.TempDir()
	first, err := Begin(t.Context(), dir, func() { t.Error("the first writer waits") })
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	said := 0
	_, err = Begin(ctx, dir, func() { said++; cancel() })
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "another builder is writing there") || said != 1 {
		t.Errorf("the second writer: %v, said so %d times", err, said)
	}
	waits, done := make(chan struct{}), make(chan error)
	go func() {
		second, err := Begin(t.Context(), dir, func() { close(waits) })
		if err == nil {
			err = second.Close()
		}
		done <- err
	}()
	<-waits
	if _, err := site("first", 3).fill(t, first); err != nil {
		t.Fatal(err)
	}
	must(t, first.Close())
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A folder that is removed while a writer waits for it is made again.
func TestTheFolderIsRemovedMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	first, err := Begin(t.Context(), dir, nil)
	must(t, err)
	second, err := Begin(t.Context(), dir, func() {
		if err := errors.Join(os.RemoveAll(dir), first.Close()); err != nil {
			t.Error(err)
		}
	})
	must(t, err)
	if _, err := site("x", 3).fill(t, second); err != nil {
		t.Error(err)
	}
	must(t, second.Close())
	site("x", 3).wantWhole(t, dir)
}

// The folder is moved away while a build runs, and an older one may come in its place: nobody who
// looks there finds the build, so it must not end as if all were well.
func TestTheFolderIsMovedAwayMeanwhile(t *testing.T) {
	for name, after := range map[string]func(dir string) error{
		"nothing is there":  func(string) error { return nil },
		"an older is there": func(dir string) error { return os.CopyFS(dir, os.DirFS(dir+"-moved")) },
	} {
		dir := filepath.Join(t.TempDir(), "public")
		site("first", 3).write(t, dir, nil)
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		if err := os.Rename(dir, dir+"-moved"); err != nil {
			t.Skip(err) // a system that moves no folder in use
		}
		must(t, after(dir))
		if _, err := site("second", 3).fill(t, w); err == nil || !strings.Contains(err.Error(), "was moved away or removed") {
			t.Errorf("%s: %v", name, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		site("second", 3).write(t, dir, nil)
		site("second", 3).wantWhole(t, dir)
	}
}

// Nor must a build whose folder is moved away while its files are put in their place.
func TestTheFolderIsMovedAwayAtTheEnd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "public")
	site("first", 3).write(t, dir, nil)
	w, err := begin(t.Context(), dir, nil, func() {
		if _, err := os.Lstat(filepath.Join(dir, commitList)); err == nil {
			must(t, os.Rename(dir, dir+"-moved"))
		}
	})
	must(t, err)
	if _, err := site("second", 3).fill(t, w); err == nil || !strings.Contains(err.Error(), "was moved away or removed") {
		t.Error(err)
	}
	must(t, w.Close())
	site("second", 3).wantWhole(t, dir+"-moved")
}

// The articles' folder is staged as a whole where there is none. Once the list was written, a
// folder that another program had made meanwhile let this build fail, and each that followed.
func TestAnotherProgramMakesTheArticlesFolder(t *testing.T) {
	for at := 0; ; at++ {
		dir := filepath.Join(t.TempDir(), "public")
		steps := 0
		b := site("first", 10)
		b.write(t, dir, func() {
			if steps++; steps != at {
				return
			}
			folder := filepath.Join(dir, article.ArticleFolder)
			must(t, os.MkdirAll(folder, 0o755))
			if err := os.WriteFile(filepath.Join(folder, "stray.json"), nil, 0o644); err != nil && !errors.Is(err, fs.ErrExist) {
				t.Fatal(err)
			}
		})
		for id := range b.articles {
			if _, err := os.Lstat(filepath.Join(dir, article.Path(id))); err != nil {
				t.Errorf("at step %d: %v", at, err)
			}
		}
		b.write(t, dir, nil) // which removes the stray
		b.wantWhole(t, dir)
		if steps < at {
			break
		}
	}
}

// What another program puts among the published files while a build goes on is either removed by
// it, or seen by the next: what was noted does not hold, though nothing changed since.
func TestStrayDuringABuild(t *testing.T) {
	for _, stray := range []string{"api/article/stray.json", article.ChunkPath(strings.Repeat("0", 64))} {
		stayed := 0
		for at := 0; ; at++ {
			dir := t.TempDir()
			site("first", 2).write(t, dir, nil)
			steps := 0
			w, err := begin(t.Context(), dir, nil, func() {
				if steps++; steps != at {
					return
				}
				must(t, os.WriteFile(filepath.Join(dir, stray), nil, 0o644))
			})
			must(t, err)
			var notes cache.Notes
			w.Note(&notes)
			if _, err := site("second", 2).fill(t, w); err != nil {
				t.Fatal(err)
			}
			kept := cache.New()
			hold := notes.Put(kept, 'n') && cache.Hold(kept, 'n', w.disk.root)
			must(t, w.Close())
			_, err = os.Lstat(filepath.Join(dir, stray))
			if err == nil {
				stayed++
			}
			if want := err != nil; hold != want {
				t.Errorf("%s before step %d: the notes hold: %t, want %t", stray, at, hold, want)
			}
			if steps < at {
				break
			}
		}
		if stayed == 0 {
			t.Errorf("%s never stayed", stray)
		}
	}
}

// A link that leads nowhere is told before anything is published, with what to do.
func TestArticlesFolderIsALink(t *testing.T) {
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "api"), 0o755))
	if err := os.Symlink("nowhere", filepath.Join(dir, article.ArticleFolder)); err != nil {
		t.Skip(err)
	}
	w, err := Begin(t.Context(), dir, nil)
	must(t, err)
	_, err = site("first", 3).fill(t, w)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if err == nil || !strings.Contains(err.Error(), "api/article cannot be a folder") || !strings.HasPrefix(hinted.Hint(err), "remove what is in its place") {
		t.Errorf("it says %v, hint: %s", err, hinted.Hint(err))
	}
	if _, err := os.Lstat(filepath.Join(dir, stateFolder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
}

// A file in the place of a folder is named, and so is what to do about it.
func TestAFileInThePlaceOfAFolder(t *testing.T) {
	for _, name := range []string{"api", article.ArticleFolder, "page"} {
		dir := t.TempDir()
		put(t, dir, name, "x")
		w, err := Begin(t.Context(), dir, nil)
		must(t, err)
		b := site("first", 3)
		b.documents["page/deep/app.js"] = "x"
		_, err = b.fill(t, w)
		if want := name + " cannot be a folder"; err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(hinted.Hint(err), "remove what is in its place") {
			t.Errorf("it says %v, want %s; hint: %s", err, want, hinted.Hint(err))
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

package builder

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"newsstand/builder/hinted"
	"newsstand/builder/source"
)

// faulty is a folder at one of whose files the system fails once.
type faulty struct {
	fstest.MapFS
	at string
}

func (f *faulty) Open(name string) (fs.File, error) {
	if _, err := f.Stat(name); errors.Is(err, syscall.EIO) {
		return nil, err
	}
	return f.MapFS.Open(name)
}

func (f *faulty) Stat(name string) (fs.FileInfo, error) {
	if name == f.at {
		f.at = ""
		return nil, &fs.PathError{Op: "stat", Path: name, Err: syscall.EIO}
	}
	return f.MapFS.Stat(name)
}

// When a network disk is gone for a moment, the build fails. It took the site for one of
// Docusaurus, whose articles lie elsewhere, and took all of them down.
func TestAFaultOfTheSystemIsNoAbsentFile(t *testing.T) {
	files := fstest.MapFS{"a.md": {Data: []byte(postFile("text"))}}
	for _, at := range []string{"none", "site.yaml", "hugo.toml", "docusaurus.config.js", "website/docusaurus.config.js"} {
		for _, around := range []bool{false, true} {
			content := &faulty{MapFS: files, at: at}
			o := source.Options{BaseURL: "https://example.org"}
			if around {
				content, o.Around = &faulty{MapFS: files}, content
			}
			folder, err := scan(t.Context(), content, o)
			switch {
			case at == "none" || at == source.SiteFile && around: // nobody asks for it there
				if err != nil || folder.Files[0].Status != source.Published {
					t.Errorf("without a fault (around: %v): %v", around, err)
				}
			case !errors.Is(err, syscall.EIO):
				t.Errorf("with a fault at %s (around: %v): %v, want that fault", at, around, err)
			}
		}
	}
}

// The content folder may be gone for a while, as while it is moved: whoever watches it was told no
// more than that.
func TestContentThatIsGone(t *testing.T) {
	b := newWatcher(Options{Content: filepath.Join(t.TempDir(), "gone"), Public: t.TempDir(), BaseURL: "https://example.org"}, time.Now)
	_, err := b.build(t.Context())
	if !strings.Contains(hinted.Hint(err), "put ") {
		t.Errorf("%v has not the hint to put it back", err)
	}
}

// removing is a folder whose folder "sub" is removed after it was listed.
type removing struct{ fstest.MapFS }

func (f removing) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "sub" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.MapFS.ReadDir(name)
}

// A folder that is removed or renamed during a build is a change, after which the build begins
// anew. It failed, with the hint to put the whole content back.
func TestAFolderThatIsRemovedWhileItIsRead(t *testing.T) {
	content := removing{fstest.MapFS{"sub/a.md": {Data: []byte(postFile("text"))}}}
	_, err := scan(t.Context(), content, source.Options{BaseURL: "https://example.org"})
	if changed := (source.ChangedError{}); !errors.As(err, &changed) || changed.Path != "sub" {
		t.Errorf("%v, want that sub was changed", err)
	}
}

// Nor is it a mistake in an article, for which that would stay as it was while everything else is
// published.
func TestAFaultOfTheSystemIsNoMistakeOfAnAuthor(t *testing.T) {
	content := &faulty{MapFS: fstest.MapFS{"a.md": {Data: []byte(postFile("text"))}}}
	folder, err := scan(t.Context(), content, source.Options{BaseURL: "https://example.org"})
	if err != nil {
		t.Fatal(err)
	}
	content.at = "a.md"
	a := attempt{builder: &builder{options: Options{Content: "content"}}, folder: folder}
	own := totals{failed: map[string][]source.Problem{}}
	_, err = a.line(item{id: "a", file: &folder.Files[0]}, &own)
	if !errors.Is(err, syscall.EIO) || hinted.Hint(err) == "" || len(own.failed) > 0 {
		t.Errorf("%v, with %v, want the fault with a hint", err, own.failed)
	}
}

// unreadable is a file that the system can open, and not read.
type unreadable struct{ fs.File }

func (unreadable) Read([]byte) (int, error) { return 0, syscall.EIO }

// opening is a folder with a file that is unreadable once.
type opening struct {
	fstest.MapFS
	at string
}

func (f *opening) Open(name string) (fs.File, error) {
	file, err := f.MapFS.Open(name)
	if err == nil && name == f.at {
		f.at = ""
		return unreadable{file}, nil
	}
	return file, err
}

// Nor is one that comes while a file is read, as for the language of its text, which then was not
// known.
func TestAFaultOfTheSystemWhileAFileIsRead(t *testing.T) {
	content := &opening{fstest.MapFS{"a.md": {Data: []byte(postFile("text"))}}, "a.md"}
	if folder, err := scan(t.Context(), content, source.Options{BaseURL: "https://example.org"}); !errors.Is(err, syscall.EIO) {
		t.Errorf("%v, want that fault; the site is %+v", err, folder.Site)
	}
}

package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"newsstand/builder/dir"
)

// interrupted is a folder in which something happens, once, when a file is opened.
type interrupted struct {
	fs.FS
	name string

	mu     sync.Mutex // held while the folder is looked at, as that changes
	opens  int        // mu: how often the file is opened before
	happen func()     // mu
}

func (f *interrupted) Open(name string) (fs.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name == f.name {
		if f.opens--; f.opens == -1 {
			f.happen()
		}
	}
	return f.FS.Open(name)
}

// ReadDir implements fs.ReadDirFS.
func (f *interrupted) ReadDir(name string) ([]fs.DirEntry, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fs.ReadDir(f.FS, name)
}

// Lstat implements fs.ReadLinkFS.
func (f *interrupted) Lstat(name string) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fs.Lstat(f.FS, name)
}

// ReadLink implements fs.ReadLinkFS.
func (f *interrupted) ReadLink(name string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return fs.ReadLink(f.FS, name)
}

// An author hides an article by another file, and then writes into it what nobody is to read yet.
// If that happens while the folder is scanned, before the article is read, the scan begins anew.
func TestArticleThatIsHiddenDuringTheScan(t *testing.T) {
	for what, site := range map[string]struct{ before, after fstest.MapFS }{
		"by the configuration": {
			fstest.MapFS{"hugo.toml": {Data: []byte("title = 'A'\n")}},
			fstest.MapFS{"hugo.toml": {Data: []byte("title = 'A'\nignoreFiles = ['a.md']\n")}},
		},
		"by a new configuration": {
			fstest.MapFS{"hugo.toml": {Data: []byte("title = 'A'\n")}},
			fstest.MapFS{"config/_default/hugo.toml": {Data: []byte("title = 'A'\nignoreFiles = ['a.md']\n")}},
		},
		"by its section": {
			fstest.MapFS{"hugo.toml": {Data: []byte("title = 'A'\n")}, "content/posts/_index.md": {Data: []byte("---\ntitle: Posts\n---\n")}},
			fstest.MapFS{"content/posts/_index.md": {Data: []byte("---\ntitle: Posts\ncascade: {draft: true}\n---\n")}},
		},
		"by a new section page": {
			fstest.MapFS{"hugo.toml": {Data: []byte("title = 'A'\n")}},
			fstest.MapFS{"content/posts/_index.md": {Data: []byte("---\ntitle: Posts\ncascade: {draft: true}\n---\n")}},
		},
		"by a new draft section of Zola": {
			fstest.MapFS{"config.toml": {Data: []byte("base_url = 'https://a.example'\n[markdown]\n")}},
			fstest.MapFS{"content/posts/_index.md": {Data: []byte("+++\ndraft = true\n+++\n")}},
		},
		"by a data file of Eleventy": {
			fstest.MapFS{".eleventy.js": {Data: []byte("module.exports = {}\n")}, "content/posts/posts.json": {Data: []byte("{}\n")}},
			fstest.MapFS{"content/posts/posts.json": {Data: []byte(`{"draft": true}`)}},
		},
		"by a new data file of Eleventy": {
			fstest.MapFS{".eleventy.js": {Data: []byte("module.exports = {}\n")}},
			fstest.MapFS{"content/posts/posts.json": {Data: []byte(`{"draft": true}`)}},
		},
		"by a file of front matter of Nanoc": {
			fstest.MapFS{"nanoc.yaml": {Data: []byte("data_sources: []\n")}, "content/posts/a.yaml": {Data: []byte("title: A\n")}},
			fstest.MapFS{"content/posts/a.yaml": {Data: []byte("draft: true\n")}},
		},
		"by a new file of front matter for a folder": {
			fstest.MapFS{"_quarto.yml": {Data: []byte("project: {type: website}\n")}},
			fstest.MapFS{"content/posts/_metadata.yml": {Data: []byte("draft: true\n")}},
		},
		"by a new file of front matter of Nanoc": {
			fstest.MapFS{"nanoc.yaml": {Data: []byte("data_sources: []\n")}},
			fstest.MapFS{"content/posts/a.yaml": {Data: []byte("draft: true\n")}},
		},
	} {
		files := fstest.MapFS{
			"site.yaml":          {Data: []byte("language: en\n")}, // else the article is also read to detect it
			"content/posts/a.md": {Data: []byte("---\ntitle: A\n---\nText.\n")},
		}
		for name, file := range site.before {
			files[name] = file
		}
		scan := func(content fs.FS) (*Folder, error) {
			return Scan(t.Context(), content, Options{BaseURL: "https://site.example"})
		}
		_, err := scan(&interrupted{FS: files, name: "content/posts/a.md", happen: func() {
			for name, file := range site.after {
				files[name] = file
			}
			files["content/posts/a.md"] = &fstest.MapFile{Data: []byte("---\ntitle: A\n---\nSecret.\n")}
		}})
		if !errors.As(err, new(ChangedError)) {
			t.Errorf("%s: %v, want that the scan begins anew", what, err)
		}
		folder, err := scan(files)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for _, f := range folder.Files {
			if f.Status == Published {
				t.Errorf("%s: %s is published", what, f.Path)
			}
		}
	}
}

// What is not published may take the place of an article while the folder is scanned: a link to it,
// or its folder. And an article's folder may be moved to where nothing is published, and only then
// be written in.
func TestFilesThatMoveDuringTheScan(t *testing.T) {
	for what, move := range map[string]func(at func(string) string) error{
		"a link takes the article's place": func(at func(string) string) error {
			return errors.Join(os.Remove(at("posts/a.md")), os.Symlink("../.drafts/a.md", at("posts/a.md")))
		},
		"a link takes the folder's place": func(at func(string) string) error {
			return errors.Join(os.RemoveAll(at("posts")), os.Symlink(".drafts", at("posts")))
		},
		"a link out of the content takes the article's place": func(at func(string) string) error {
			return errors.Join(os.Remove(at("posts/a.md")), os.Symlink("../../a.md", at("posts/a.md")))
		},
		"a link out of the content takes the folder's place": func(at func(string) string) error {
			return errors.Join(os.RemoveAll(at("posts")), os.Symlink("..", at("posts")))
		},
		"the folder becomes one of drafts": func(at func(string) string) error {
			return errors.Join(os.RemoveAll(at(".drafts")), os.Rename(at("posts"), at(".drafts")),
				os.WriteFile(at(".drafts/a.md"), []byte("# Secret\n"), 0o644))
		},
	} {
		t.Run(what, func(t *testing.T) {
			content := t.TempDir()
			at := func(name string) string { return filepath.Join(content, name) }
			root, err := os.OpenRoot(content)
			if err := errors.Join(err, os.Mkdir(at("posts"), 0o755), os.Mkdir(at(".drafts"), 0o755),
				os.WriteFile(at("site.yaml"), []byte("language: en\n"), 0o644),
				os.WriteFile(at("posts/a.md"), []byte("# A\n"), 0o644),
				os.WriteFile(at(".drafts/a.md"), []byte("# Secret\n"), 0o644)); err != nil {
				t.Fatal(err)
			}
			opened := dir.New(root)
			folder, err := Scan(t.Context(), &interrupted{FS: opened.FS(), name: "posts/a.md", happen: func() {
				if err := move(at); err != nil {
					t.Error(err)
				}
			}}, Options{BaseURL: "https://site.example"})
			if err == nil {
				_, a := rendered(t, folder, "posts/a.md")
				t.Errorf("%q is published", a.Title)
			}
			if !errors.As(err, new(ChangedError)) {
				t.Errorf("%v, want that the scan begins anew", err)
			}
			if err := opened.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// A file that an article includes may change after it was read for itself. Whether it is published
// may then depend on another file, so the scan begins anew. So it does if a link takes its place.
func TestPartsThatChangeDuringTheScan(t *testing.T) {
	for what, story := range map[string]struct {
		part  string
		after fstest.MapFile
		opens int // of the part, before it changes
	}{
		"it becomes a draft like its section": {"content/later/part.md", fstest.MapFile{Data: []byte("---\ntitle: Part\n---\nSECRET\n")}, 1},
		"it is written again":                 {"content/later/part.md", fstest.MapFile{Data: []byte("---\ntitle: Part\ndraft: false\n---\nText.\n")}, 1},
		"a link takes its place":              {"content/part.txt", fstest.MapFile{Data: []byte(".drafts/part.md"), Mode: fs.ModeSymlink}, 0},
	} {
		files := fstest.MapFS{
			"hugo.toml":               {Data: []byte("title = 'A'\nlanguageCode = 'en'\n")},
			"content/later/_index.md": {Data: []byte("---\ntitle: Later\ncascade: {draft: true}\n---\n")},
			"content/later/part.md":   {Data: []byte("---\ntitle: Part\ndraft: false\n---\nPart.\n")},
			"content/part.txt":        {Data: []byte("Part.\n")},
			"content/.drafts/part.md": {Data: []byte("SECRET\n")},
			"content/page.md":         {Data: []byte("---\ntitle: Page\n---\n{{< include \"" + strings.TrimPrefix(story.part, "content/") + "\" >}}\n")},
		}
		content := &interrupted{FS: files, name: story.part, opens: story.opens, happen: func() { files[story.part] = &story.after }}
		folder, err := Scan(t.Context(), content, Options{BaseURL: "https://site.example"})
		if !errors.As(err, new(ChangedError)) {
			_, a := rendered(t, folder, "content/page.md")
			t.Errorf("%s: %q is published, want that the scan begins anew: %v", what, a.ContentText, err)
		}
	}
}

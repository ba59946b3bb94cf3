package publication

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/dir"
)

// Check verifies a published folder byte for byte: every file against the manifest, every article
// against the contract and its chunk, the revision and the health document against the articles,
// and that nothing else lies in the builder's own folders. It returns what is wrong, sorted, each
// as "path: what"; nothing if the folder is whole. What a newer builder has published is not
// judged: the error is [ErrFormat]. It waits for a writer (see [Begin]), and if one was killed, it
// first completes or throws away what that left. Progress, if not nil, is told how many of the
// articles are checked.
func Check(ctx context.Context, folder string, waiting func(), progress func(done, total int)) ([]string, error) {
	root, lock, err := lockFolder(ctx, folder, waiting)
	if err != nil {
		return nil, fmt.Errorf("check publication in %s: %w", folder, err)
	}
	d := disk{root: dir.New(root)}
	defer d.root.Close()
	defer lock.Close()
	if err := d.recover(); err != nil {
		return nil, fmt.Errorf("check publication in %s: %w", folder, err)
	}
	c := checker{root: d.root, fsys: d.root.FS(), expected: map[string]bool{article.ManifestPath: true}, progress: progress}
	if progress == nil {
		c.progress = func(int, int) {}
	}
	if err := c.all(ctx); err != nil {
		return nil, fmt.Errorf("check publication in %s: %w", folder, err)
	}
	slices.Sort(c.problems)
	return c.problems, nil
}

// checker collects what is wrong with one folder.
type checker struct {
	root     *dir.Dir
	fsys     fs.FS           // of root
	expected map[string]bool // all paths of the build
	markdown bool            // whether the articles have twins
	progress func(done, total int)
	unread   bool // whether a chunk cannot be read, so that not all articles are known
	problems []string
}

func (c *checker) wrong(path, format string, args ...any) {
	c.problems = append(c.problems, path+": "+fmt.Sprintf(format, args...))
}

// failed is wrong for an error that may name the path, too.
func (c *checker) failed(path string, err error) {
	what := err.Error()
	if _, after, named := strings.Cut(what, path); named {
		what = strings.TrimLeft(after, ": ")
	}
	c.wrong(path, "%s", what)
}

// all checks everything; an error is ctx's, or [ErrFormat].
func (c *checker) all(ctx context.Context) error {
	p, err := Open(c.fsys)
	if err != nil {
		switch {
		case errors.Is(err, ErrFormat):
			return err
		case errors.Is(err, fs.ErrNotExist):
			c.wrong(article.ManifestPath, "is missing: nothing is published here")
		default:
			c.failed(article.ManifestPath, err)
		}
		return nil
	}
	m := p.Manifest()
	c.markdown = c.hasMarkdown()
	if err := c.corpus(ctx, p); err != nil {
		return err
	}
	for _, f := range m.Files {
		c.expected[f.Path] = true
		if _, err := p.read(f); err != nil {
			c.failed(f.Path, err)
		}
	}
	c.health(m)
	if !c.expected[article.OpenAPIPath] {
		c.wrong(article.OpenAPIPath, "is not in the manifest")
	}
	c.previous(m)
	c.unexpected()
	c.links()
	return nil
}

// corpus checks the articles, the search settings, and what the manifest says of them; an error is
// ctx's.
func (c *checker) corpus(ctx context.Context, p *Publication) error {
	m := p.Manifest()
	var digests []Digest
	var newest time.Time
	for _, chunk := range m.Chunks {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.expected[chunk.Path] = true
		records, err := p.Chunk(chunk)
		if err != nil {
			c.failed(chunk.Path, err)
			c.unread = true
			continue
		}
		for _, r := range records {
			digests = append(digests, r.Digest())
			newest = c.article(r, newest)
		}
		c.progress(len(digests), m.Articles)
	}
	settings, err := p.read(m.Search)
	c.expected[m.Search.Path] = true
	if err == nil {
		_, err = p.Settings()
	}
	if err != nil {
		c.failed(m.Search.Path, err)
	}
	if len(c.problems) == 0 {
		if want := revision(digests, settings); m.Revision != want {
			c.wrong(article.ManifestPath, "has the revision %s, and its articles make %s", m.Revision, want)
		}
		if !m.UpdatedAt.Equal(newest) {
			c.wrong(article.ManifestPath, "has updated_at %s, and the newest date of its articles is %s",
				m.UpdatedAt.Format(time.RFC3339), newest.Format(time.RFC3339))
		}
	}
	return nil
}

// previous checks the files that stay for readers of the manifest before: they may be gone, but not
// altered.
func (c *checker) previous(m Manifest) {
	for _, name := range m.Previous {
		c.expected[name] = true
		data, err := readAtMost(c.fsys, name, MaxChunkBytes)
		sum, _ := corpusSum(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			c.failed(name, err)
		case sum != sumOf(data):
			c.wrong(name, "is not what its name says")
		}
	}
}

// hasMarkdown reports whether the build has Markdown twins, as its OpenAPI document says.
func (c *checker) hasMarkdown() bool {
	data, err := readAtMost(c.fsys, article.OpenAPIPath, MaxChunkBytes)
	if err != nil {
		return false // which is wrong by itself
	}
	var document struct {
		Paths map[string]json.RawMessage `json:"paths"`
	}
	err = json.Unmarshal(data, &document)
	_, ok := document.Paths[article.MarkdownOperation]
	return err == nil && ok
}

// file checks that a file is there and has these bytes, which are those of what.
func (c *checker) file(name string, want []byte, what string) {
	c.expected[name] = true
	switch data, err := readAtMost(c.fsys, name, int64(len(want))); {
	case errors.Is(err, fs.ErrNotExist):
		c.wrong(name, "is missing")
	case err != nil:
		c.failed(name, err)
	case !bytes.Equal(data, want):
		c.wrong(name, "differs from %s", what)
	}
}

// article checks one article and its files, and returns the newest date so far.
func (c *checker) article(r Record, newest time.Time) time.Time {
	name := article.Path(r.ID)
	c.file(name, r.Line, "the article in the corpus")
	var a article.Article
	if err := decode(r.Line, &a); err != nil {
		c.failed(name, err)
		return newest
	}
	if c.markdown {
		c.file(article.MarkdownPath(r.ID), a.Markdown(), "what the article is as Markdown")
	}
	for _, date := range []time.Time{a.DatePublished, a.DateModified} {
		if date.After(newest) {
			newest = date
		}
	}
	return newest
}

// health checks the health document against the manifest.
func (c *checker) health(m Manifest) {
	if !c.expected[article.HealthPath] {
		c.wrong(article.HealthPath, "is not in the manifest")
		return
	}
	data, err := readAtMost(c.fsys, article.HealthPath, MaxChunkBytes)
	if err != nil {
		return // said already
	}
	var h article.Health
	if err := decode(data, &h); err != nil {
		c.failed(article.HealthPath, err)
		return
	}
	if want := article.NewHealth(m.BaseURL, m.Revision, m.Articles, m.UpdatedAt); h != want {
		c.wrong(article.HealthPath, "does not fit the manifest: it has %+v, want %+v", h, want)
	}
}

// unexpected lists what does not belong into the folders of the contract.
func (c *checker) unexpected() {
	for _, folder := range []string{path.Dir(article.HealthPath), article.CorpusFolder} {
		fs.WalkDir(c.fsys, folder, func(name string, e fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
			case err != nil:
				c.failed(name, err)
			case e.IsDir(), c.unread && strings.HasPrefix(name, article.ArticleFolder+"/"):
			case !c.expected[name] && isOurs(name):
				c.wrong(name, "is not part of the build")
			case !c.expected[name]:
				c.wrong(name, "is not part of the build, nor what a build removes: move it away")
			}
			return nil
		})
	}
}

// links lists the files of the build that are something else with the same bytes. Many hosts follow
// no links.
func (c *checker) links() {
	for name := range c.expected {
		if info, err := c.root.Lstat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			c.wrong(name, "is not a regular file")
		}
	}
}

package builder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"newsstand/builder/hinted"
	"newsstand/builder/source"
)

// Options say what is built, from where, and where to.
type Options struct {
	// Content is the folder of the articles. Links that lead out of it are refused; of the folder
	// around it, only the configuration of the site's generator is read.
	Content string
	// Public is the published folder. It is made where it is missing. Neither of the
	// two folders may lie within the other.
	Public string
	// BaseURL is the address of the site; empty: that of its site.yaml.
	BaseURL string
	// Now is the instant for which the site is built: what is published then. Zero is the present.
	// Watch always takes the present.
	Now time.Time
	// Strict lets every problem, warnings too, stop the build.
	Strict bool
	// Cache is the folder in which builds remember what they have read and rendered, so that the
	// next one need not; it never changes what is published. Files in it that are of other content
	// folders are removed once they have not changed for 90 days. Empty: a build remembers nothing,
	// and a watch only what it has built itself.
	Cache string
	// Waiting, if not nil, is called when the build waits for another builder.
	Waiting func()
	// Progress, if not nil, is told how many articles are ready to be published. The calls come
	// from several goroutines, one at a time.
	Progress func(done, total int)
}

// check refuses an address that is none, and folders that contain each other: what is published
// must not become content, nor content be served.
func (o Options) check() error {
	if o.BaseURL != "" {
		if _, err := source.BaseURL(o.BaseURL); err != nil {
			return err
		}
	}
	if err := readable(o.Content); err != nil {
		return err
	}
	content, err := resolve(o.Content)
	if err != nil {
		return fmt.Errorf("find content folder: %w", err)
	}
	public, err := resolve(o.Public)
	if err != nil {
		return o.advise(fmt.Errorf("find public folder %s: %w", o.Public, err))
	}
	name := "public"
	if filepath.Base(content) == name {
		name = "published"
	}
	beside := "--public " + filepath.Join(o.Content, "..", name) // also of "."
	switch {
	case content == public:
		return hinted.Error(fmt.Errorf("content and public are the same folder, %s", o.Public), "publish into a folder of its own, such as "+beside)
	case within(content, public):
		return hinted.Error(fmt.Errorf("the public folder %s lies inside the content folder %s, so what is published would become content", o.Public, o.Content),
			"name the folder that holds only articles with --content, or publish beside it, such as "+beside)
	case within(public, content):
		return hinted.Error(fmt.Errorf("the content folder %s lies inside the public folder %s, so drafts would be served", o.Content, o.Public),
			"publish into a folder of its own, such as "+beside)
	}
	if o.Cache == "" {
		return nil
	}
	if cache, err := resolve(o.Cache); err == nil && within(public, cache) {
		return hinted.Error(fmt.Errorf("the cache folder %s lies inside the public folder %s, so what it has of drafts would be served", o.Cache, o.Public),
			"name another folder with --cache, or say --cache off")
	}
	return nil
}

// readable reports why a content folder cannot be one.
func readable(content string) error {
	info, err := os.Stat(content)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", content)
	}
	if err != nil {
		hint := "name the folder of the articles with --content"
		if errors.Is(err, os.ErrNotExist) { // as where the first article of a site is made
			hint += ", or make that folder"
		}
		return hinted.Error(fmt.Errorf("read content: %w", err), hint)
	}
	return nil
}

// resolve returns the true absolute path of a folder that may not be there yet.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	rest := ""
	for {
		real, err := filepath.EvalSymlinks(path)
		if err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(path)
		if !errors.Is(err, os.ErrNotExist) || parent == path {
			if _, lost := os.Stat(path); lost != nil { // which says ELOOP of a link to itself
				err = lost
			}
			return "", err
		}
		path, rest = parent, filepath.Join(filepath.Base(path), rest)
	}
}

// within reports whether path lies inside folder.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

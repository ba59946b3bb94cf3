package builder

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"newsstand/builder/dir"
)

// openAround opens the folder that holds the content folder, where the configuration of
// the site's generator may lie; nil where it may not be read.
func openAround(content string) (*dir.Dir, error) {
	content, err := resolve(content)
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(filepath.Dir(content))
	}
	switch {
	case isFault(err):
		return nil, fmt.Errorf("read the folder around content: %w", err)
	case err != nil:
		return nil, nil
	}
	return dir.New(root), nil
}

// watchedAround is the folder around the content folder. It records which files a build asks for there, present or not, such as the
// configuration of the site's generator, so that a watch notices when one of them changes.
type watchedAround struct {
	fs.FS
	path string

	mu    sync.Mutex
	asked map[string]string // mu; the state of each file when it was asked for first, by name
}

// begin returns the folder for another build, of which nothing is recorded yet.
func (a *watchedAround) begin(path string, around fs.FS) fs.FS {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.FS, a.path, a.asked = around, path, map[string]string{}
	return a
}

func (a *watchedAround) ask(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.asked[name]; !ok {
		a.asked[name] = stateOf(filepath.Join(a.path, name))
	}
}

// changed reports whether a file that was asked for has changed since.
func (a *watchedAround) changed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, was := range a.asked {
		if stateOf(filepath.Join(a.path, name)) != was {
			return true
		}
	}
	return false
}

// Open implements fs.FS.
func (a *watchedAround) Open(name string) (fs.File, error) {
	a.ask(name)
	return a.FS.Open(name)
}

// Stat implements fs.StatFS.
func (a *watchedAround) Stat(name string) (fs.FileInfo, error) {
	a.ask(name)
	return fs.Stat(a.FS, name)
}

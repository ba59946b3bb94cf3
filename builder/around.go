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
// the site's generator may lie, and says where that is; nil where it may not be read.
func openAround(content string) (around *dir.Dir, path string, err error) {
	content, err = resolve(content)
	path = filepath.Dir(content)
	var root *os.Root
	if err == nil {
		root, err = os.OpenRoot(path)
	}
	switch {
	case isFault(err):
		return nil, "", fmt.Errorf("read the folder around content: %w", err)
	case err != nil:
		return nil, "", nil
	}
	return dir.New(root), path, nil
}

// watchedAround is the folder that holds the content folder, as one build sees it. It keeps what that asked for there, such as
// the configuration of the site's generator, which may not be there yet.
type watchedAround struct {
	fs.FS
	path string

	mu    sync.Mutex
	asked map[string]string // mu; how each file was, by name
}

// begin begins another build.
func (a *watchedAround) begin(path string, around fs.FS) fs.FS {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.FS, a.path, a.asked = around, path, map[string]string{}
	return a
}

// state tells a file from what it was.
func (a *watchedAround) state(name string) string {
	info, err := os.Stat(filepath.Join(a.path, name))
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.Size(), info.ModTime().UnixNano(), info.Mode())
}

func (a *watchedAround) ask(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.asked[name]; !ok {
		a.asked[name] = a.state(name)
	}
}

// changed reports whether a file that was asked for is another now.
func (a *watchedAround) changed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for name, was := range a.asked {
		if a.state(name) != was {
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

package builder

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"newsstand/builder/source"
)

// asked records files for which a build asks, present or not, and which fingerprint does not cover,
// so that a watch notices when one of them changes. They are those around the content, such as the
// configuration of the site's generator, and those of the content in folders of other programs,
// such as .vitepress.
type asked struct {
	mu     sync.Mutex
	states map[string]string // mu; of each file when it was asked for first, by path
}

// begin forgets what the last build asked for.
func (a *asked) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.states = map[string]string{}
}

// changed reports whether a file that was asked for has changed since.
func (a *asked) changed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for path, was := range a.states {
		if stateOf(path) != was {
			return true
		}
	}
	return false
}

// asking is a folder at a path that records what is asked for in it.
type asking struct {
	fs.FS
	path      string
	asked     *asked
	isContent bool // whether the rest of the folder is looked over
}

func (f asking) ask(name string) {
	if f.isContent && !slices.ContainsFunc(strings.Split(name, "/"), source.IsForeign) {
		return
	}
	path := filepath.Join(f.path, name)
	f.asked.mu.Lock()
	defer f.asked.mu.Unlock()
	if _, ok := f.asked.states[path]; !ok {
		f.asked.states[path] = stateOf(path)
	}
}

// Open implements fs.FS.
func (f asking) Open(name string) (fs.File, error) {
	f.ask(name)
	return f.FS.Open(name)
}

// Stat implements fs.StatFS.
func (f asking) Stat(name string) (fs.FileInfo, error) {
	f.ask(name)
	return fs.Stat(f.FS, name)
}

// ReadDir implements fs.ReadDirFS.
func (f asking) ReadDir(name string) ([]fs.DirEntry, error) {
	f.ask(name)
	return fs.ReadDir(f.FS, name)
}

// Lstat implements fs.ReadLinkFS.
func (f asking) Lstat(name string) (fs.FileInfo, error) {
	f.ask(name)
	return fs.Lstat(f.FS, name)
}

// ReadLink implements fs.ReadLinkFS.
func (f asking) ReadLink(name string) (string, error) {
	f.ask(name)
	return fs.ReadLink(f.FS, name)
}

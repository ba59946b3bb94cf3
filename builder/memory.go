package builder

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"sync"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/source"
)

// memory spares a watching builder to render what has not changed. It holds no text:
// the published file is read again, and taken if it is what was rendered. It is safe
// for concurrent use; a nil memory remembers nothing.
type memory struct {
	mu    sync.Mutex
	files map[string]remembered // by path; mu
}

// remembered is what became of one source file.
type remembered struct {
	key      [sha256.Size]byte // source.File.Key
	sum      [sha256.Size]byte // of the line
	newest   time.Time
	problems []source.Problem
}

func (m *memory) add(f source.File, line []byte, newest time.Time, problems []source.Problem) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[f.Path] = remembered{f.Key, sha256.Sum256(line), newest, problems}
}

// line returns what rendering the file would give, if that is known.
func (m *memory) line(public string, f source.File) (line []byte, newest time.Time, problems []source.Problem, ok bool) {
	if m == nil {
		return nil, time.Time{}, nil, false
	}
	m.mu.Lock()
	r, ok := m.files[f.Path]
	m.mu.Unlock()
	if !ok || r.key != f.Key {
		return nil, time.Time{}, nil, false
	}
	line, err := os.ReadFile(filepath.Join(public, filepath.FromSlash(article.Path(f.ID))))
	if err != nil || sha256.Sum256(line) != r.sum {
		return nil, time.Time{}, nil, false
	}
	return line, r.newest, r.problems, true
}

// forget drops the files that are gone.
func (m *memory) forget(gone func(path string) bool) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for path := range m.files {
		if gone(path) {
			delete(m.files, path)
		}
	}
}

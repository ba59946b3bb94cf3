package builder

import (
	"fmt"
	"os"
	"path/filepath"

	"newsstand/builder/dir"
)

// folders are those that a build reads: that of the articles, and the one around it, where the
// configuration of the site's generator may lie; nil if that may not be read.
type folders struct{ content, around *dir.Dir }

// openFolders opens a content folder and what is around it. Its errors say what the user can do.
func openFolders(content string) (f folders, err error) {
	root, err := os.OpenRoot(content)
	if err != nil {
		return f, contentError(content, fmt.Errorf("read content: %w", err))
	}
	f.content = dir.New(root)
	path, err := resolve(content)
	if err == nil {
		root, err = os.OpenRoot(filepath.Dir(path))
	}
	switch {
	case isFault(err):
		f.close()
		return f, contentError(content, fmt.Errorf("read the folder around content: %w", err))
	case err == nil:
		f.around = dir.New(root)
	}
	return f, nil
}

func (f folders) close() {
	f.content.Close()
	if f.around != nil {
		f.around.Close()
	}
}

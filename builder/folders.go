package builder

import (
	"fmt"
	"os"
	"path/filepath"

	"newsstand/builder/dir"
	"newsstand/builder/source"
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
	if err := f.belong(filepath.Base(path)); err != nil {
		f.close()
		return folders{}, err
	}
	return f, nil
}

// belong returns a [source.ChangedError] if the folder of this name in that around the content is
// another one. Then the content is behind a link, which was changed between the two, as when a site
// is deployed: the one may be hidden by its own configuration, which is not that of the other.
func (f folders) belong(name string) error {
	if f.around == nil || name == string(filepath.Separator) { // of which there is nothing around
		return nil
	}
	content, err := f.content.Stat(".")
	there, gone := f.around.Stat(name)
	if err == nil && (gone != nil || !os.SameFile(content, there)) {
		err = source.ChangedError{Path: "."}
	}
	return err
}

// moved returns a folder that was moved while it was read, or "" if none was.
func (f folders) moved() string {
	p := f.content.Moved()
	if p == "" && f.around != nil {
		p = f.around.Moved()
	}
	return p
}

func (f folders) close() {
	f.content.Close()
	if f.around != nil {
		f.around.Close()
	}
}

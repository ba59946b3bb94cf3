package builder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/page"
	"newsstand/builder/source"
)

// Bounds of the site's own files: a page with its pictures, and no second site. All of
// them are in memory at once.
const (
	maxOwnFiles = 1000
	maxOwnBytes = 32 << 20
)

// ownFiles reads the files that the site puts in place of the builder's page and around
// it, from the folder source.PageFolder; and a warning for each that cannot be published.
func ownFiles(content fs.FS) (files []page.File, problems []source.Problem, err error) {
	refuse := func(name, what, hint string) {
		problems = append(problems, source.Problem{Path: name, Severity: source.Warning, What: what, Hint: hint})
	}
	var size int64
	err = fs.WalkDir(content, source.PageFolder, func(name string, e fs.DirEntry, err error) error {
		switch {
		case name == source.PageFolder && errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		}
		target := strings.TrimPrefix(name, source.PageFolder+"/")
		base := path.Base(name)
		if strings.HasPrefix(base, ".") && target != ".well-known" || strings.HasSuffix(base, "~") {
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil // another program's
		}
		if e.IsDir() {
			return nil
		}
		if article.Reserved(target) {
			refuse(name, "the API is the builder's alone, so this file is not published", "remove it, or give it another name")
			return nil
		}
		if !e.Type().IsRegular() {
			refuse(name, "it is no regular file, so it is not published", "put the file itself here")
			return nil
		}
		info, err := fs.Stat(content, name) // which is noted, as what the entry knows is not
		if err != nil {
			return err
		}
		if size += info.Size(); len(files) == maxOwnFiles || size > maxOwnBytes {
			refuse(source.PageFolder, fmt.Sprintf("it has more than %d files or %d MB, so some are not published", maxOwnFiles, maxOwnBytes>>20), "let another host serve them")
			return fs.SkipAll
		}
		data, err := fs.ReadFile(content, name)
		if err != nil {
			return err
		}
		files = append(files, page.File{Path: target, Data: data})
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the site's own files: %w", err)
	}
	return files, problems, nil
}

package builder

import (
	"fmt"
	"os"
	"path/filepath"

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

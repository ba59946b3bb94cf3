package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"newsstand/builder"
	"newsstand/builder/hinted"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
)

type newOptions struct {
	content, folder, format string
}

const newHelp = `Make the file of a new article, with a title, the date of today and draft: true, and
print its path. The file is named after the title. In a Jekyll site it is made in the
folder _drafts, as Jekyll knows no draft: true.

A file that is there is never overwritten, and an id that another article has is refused.

--format json prints one object with the keys path and id.`

const newExample = `  builder new "Why we moved to static search"
  builder new "Release 2.0" --folder news
  $EDITOR "$(builder new "First light")"`

func newNewCommand() *cobra.Command {
	var o newOptions
	cmd := &cobra.Command{
		Use:     "new TITLE",
		Short:   "Make the file of a new article",
		Long:    newHelp,
		Example: newExample,
		Args:    commandline.OneArgument("no title is given", "unexpected argument %q; put the title in quotes"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(args[0]) == "" {
				return commandline.Wrong(cmd, "the title is empty")
			}
			if o.folder != "" && !filepath.IsLocal(o.folder) {
				return commandline.Wrong(cmd, "--folder must lie in the content folder, got %q", o.folder)
			}
			return runNew(cmd.Context(), o, args[0], cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	contentFlag(f, &o.content)
	f.StringVar(&o.folder, "folder", "", "`folder` below --content; made where it is missing")
	commandline.OneOf(f, &o.format, "format", "text", "`format` of the result", "text", "json")
	return cmd
}

func runNew(ctx context.Context, o newOptions, title string, stdout io.Writer) error {
	site, err := builder.Scan(ctx, o.content, source.Options{})
	if err != nil {
		return err
	}
	name, text, err := newFile(site, o.folder, title)
	if err != nil {
		return err
	}
	if err := o.write(name, text); err != nil {
		return err
	}
	made := filepath.Join(o.content, name)
	if o.format == "json" {
		return commandline.WriteJSON(stdout, struct {
			Path string `json:"path"`
			ID   string `json:"id"`
		}{made, site.ID(name)})
	}
	_, err = fmt.Fprintln(stdout, made)
	return err
}

// newFile returns the name and the text of the file of a new article, unless the site cannot have
// it.
func newFile(site *source.Folder, folder, title string) (name string, text []byte, err error) {
	const another = "choose another title; the title in the file may then be changed"
	name, text, err = site.NewArticle(title)
	if err != nil {
		return "", nil, hinted.Error(err, another)
	}
	name = path.Join(filepath.ToSlash(folder), name)
	if why := site.WhyNone(name); why != "" {
		return "", nil, hinted.Error(fmt.Errorf("make %s: it would not be an article: %s", name, why), "choose another --folder")
	}
	if id := site.ID(name); id != "" {
		for _, f := range site.Files {
			if f.ID == id && f.Path != name {
				return "", nil, hinted.Error(fmt.Errorf("make %s: its id would be %q, which is that of %s", name, id, f.Path), another)
			}
		}
	}
	return name, text, nil
}

// write writes a file that is not there yet.
func (o newOptions) write(name string, text []byte) error {
	unmade := func(err error) error {
		return hinted.Error(fmt.Errorf("make article: %w", err), "see that "+o.content+" has free space and may be written")
	}
	root, err := os.OpenRoot(o.content)
	if err != nil {
		return unmade(err)
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(name), 0o755); errors.Is(err, fs.ErrExist) || errors.Is(err, syscall.ENOTDIR) {
		return hinted.Error(fmt.Errorf("make article: %s is not a folder", filepath.Join(o.content, o.folder)), "choose another --folder")
	} else if err != nil {
		return unmade(err)
	}
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return hinted.Error(fmt.Errorf("make article: %s already exists", filepath.Join(o.content, name)), "open it, or choose another title")
	}
	if err != nil {
		return unmade(err)
	}
	_, err = file.Write(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return unmade(errors.Join(err, root.Remove(name))) // half a file would be an error of the site
	}
	return nil
}

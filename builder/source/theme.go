package source

import (
	"errors"
	"io/fs"
	"path"

	"newsstand/builder/hinted"
)

// theme refuses the repository of a theme of Hugo or Zola, unless it has a site.yaml. Its files are
// templates, texts about the theme, and perhaps a site that shows it.
func (r *siteReader) theme() error {
	theme, err := readOptional(r.content, "theme.toml")
	if theme == nil || err != nil || !isDir(r.content, "layouts") && !isDir(r.content, "templates") {
		return err
	}
	settings, err := readOptional(r.content, SiteFile)
	if settings != nil || err != nil {
		return err
	}
	sites, _ := fs.Glob(r.content, "*/content") // Glob fails for malformed patterns only
	hint := "name the folder of a site that uses it"
	if len(sites) > 0 {
		hint = "its articles are in the folder " + path.Dir(sites[0]) + ": name that; or write a " + SiteFile + " beside the theme, if it is a site nevertheless"
	}
	return hinted.Error(errors.New("the folder is a theme of Hugo or Zola, not a site"), hint)
}

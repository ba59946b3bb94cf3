package source

import (
	"errors"
	"io/fs"
	"path"

	"newsstand/builder/hinted"
)

// theme refuses the repository of a theme of Hugo or Zola, unless it has a site.yaml. Its files are
// templates, texts about the theme, and perhaps a site that shows it.
func (r *siteReader) theme() {
	if r.optional(r.content, "theme.toml") == nil || !hasFolder(r.content, "layouts", "templates") || r.optional(r.content, SiteFile) != nil {
		return
	}
	sites, _ := fs.Glob(r.content, "*/content") // Glob fails for malformed patterns only
	hint := "name the folder of a site that uses it"
	if len(sites) > 0 {
		hint = "its articles are in the folder " + path.Dir(sites[0]) + ": name that; or write a " + SiteFile + " beside the theme, if it is a site nevertheless"
	}
	r.fail(hinted.Error(errors.New("the folder is a theme of Hugo or Zola, not a site"), hint))
}

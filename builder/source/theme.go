package source

import (
	"io/fs"
	"path"
)

// ThemeError says that a folder is the repository of a theme, and not a site.
type ThemeError struct {
	Site string // a folder in it with a site that shows the theme; "" where there is none
}

func (ThemeError) Error() string { return "the folder is a theme of Hugo or Zola, and no site" }

// Hint says what to do.
func (e ThemeError) Hint() string {
	if e.Site == "" {
		return "name the folder of a site that uses it"
	}
	return "its articles are in the folder " + e.Site + ": name that; or write a " + SiteFile + " beside the theme, if it is a site for all that"
}

// theme refuses the repository of a theme of Hugo or Zola. Its files are templates, texts about the theme, and perhaps a site that shows it.
func (r *siteReader) theme(content fs.FS) error {
	theme, err := readOptional(content, "theme.toml")
	if theme == nil || err != nil || !isDir(content, "layouts") && !isDir(content, "templates") {
		return err
	}
	settings, err := readOptional(content, SiteFile)
	if settings != nil || err != nil {
		return err
	}
	sites, _ := fs.Glob(content, "*/content") // Glob fails for malformed patterns only
	if len(sites) == 0 {
		return ThemeError{}
	}
	return ThemeError{path.Dir(sites[0])}
}

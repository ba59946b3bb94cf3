package source

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// initializers is the program that configures Bridgetown. It overrides the older file of settings,
// bridgetown.config.yml, if both exist.
const initializers = "config/initializers.rb"

// beginsInitializers matches the beginning of the block that holds the settings of Bridgetown. It
// tells Bridgetown's file from those of other Ruby programs with the same name.
func beginsInitializers() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*Bridgetown\.configure\b.*\bdo\b`)
}

// bridgetown reads the configuration of Bridgetown, which began as Jekyll and has Jekyll's rules
// except for the folder of its source, its permalinks, posts whose date is only in the front
// matter, and ERB templates. v is what the file called name says, unless that is the program.
func (r *siteReader) bridgetown(name string, v frontmatter.Value) {
	u := &r.site.rules
	u.jekyll.bridgetown, u.dialect.ERB = true, true
	program := r.file(r.root, initializers)
	v = merge(v, rubySettings(program, beginsInitializers()))
	if base, ok := v.Get("base_path"); ok {
		v = merge(v, under("baseurl", base))
	}
	v = merge(under("source", frontmatter.Value{Kind: frontmatter.Text, Text: "src"}), v)
	r.jekyll(v)
	u.dialect.Links = u.dialect.Links || regexp.MustCompile(`(?m)^\s*init[ (]+:"?wikilinks\b`).Match(program)
	r.site.note(name)
	r.siteMetadata(path.Join(textOf(v, "source"), "_data/site_metadata.yml"))
	style := cmp.Or(u.jekyll.permalinks[""], "pretty")
	u.jekyll.collections["_pages"] = true
	u.jekyll.permalinks[""] = "pretty" // whatever style posts have, other pages are folders
	if strings.HasSuffix(style, "_ext") {
		u.jekyll.permalinks[""] = "date"
	}
	u.jekyll.permalinks["posts"] = cmp.Or(u.jekyll.permalinks["posts"], style)
	u.jekyll.permalinks["pages"] = cmp.Or(u.jekyll.permalinks["pages"], "/:path/")
	styles := map[string]string{"simple": "/:categories/:title/", "simple_ext": "none", "pretty_ext": "date"}
	ofJekyll := strings.NewReplacer("/:locale", "", "/:lang", "", ".*", ".html")
	for kind, pattern := range u.jekyll.permalinks {
		u.jekyll.permalinks[kind] = ofJekyll.Replace(cmp.Or(styles[pattern], pattern))
	}
}

// siteMetadata reads the file that holds the title and the like of a site of Bridgetown, if that
// exists and can be parsed.
func (r *siteReader) siteMetadata(name string) {
	if !fs.ValidPath(name) {
		return
	}
	if v, se := frontmatter.ParseTable(name, r.file(r.root, name)); se == nil {
		r.common(textOf(v, "title"), cmp.Or(textOf(v, "description"), textOf(v, "tagline")), "", textOf(v, "lang"))
		r.authors(v, "author")
		r.site.note(name)
	}
}

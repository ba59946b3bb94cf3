package source

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// initializers is the program that configures Bridgetown, alone or beside its older file of
// settings, before which it goes.
const initializers = "config/initializers.rb"

// beginsInitializers matches the beginning of the block that has the settings of Bridgetown: other
// programs in Ruby have a file of this name, too.
func beginsInitializers() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t]*Bridgetown\.configure\b.*\bdo\b`)
}

// bridgetown reads the configuration of Bridgetown, which began as Jekyll and has its rules, but
// for the folder of its source, its permalinks, posts whose dates only their front matter says, and
// templates of ERB. v is what the file of this name says, if it is not the program.
func (r *siteReader) bridgetown(name string, v frontmatter.Value) error {
	u := &r.site.rules
	u.jekyll.bridgetown, u.dialect.ERB = true, true
	program, err := readOptional(r.root, initializers)
	if err != nil {
		return err
	}
	hashFile(r.key, initializers, program)
	v = merge(v, rubySettings(program, beginsInitializers()))
	if base, ok := v.Get("base_path"); ok {
		v = merge(v, under("baseurl", base))
	}
	v = merge(under("source", frontmatter.Value{Kind: frontmatter.Text, Text: "src"}), v)
	if err := r.jekyll(v); err != nil {
		return err
	}
	r.site.note(name)
	if err := r.siteMetadata(path.Join(textOf(v, "source"), "_data/site_metadata.yml")); err != nil {
		return err
	}
	style := cmp.Or(u.jekyll.permalinks[""], "pretty")
	u.jekyll.collections["_pages"] = true
	u.jekyll.permalinks[""] = "pretty" // whatever posts have, other pages are folders
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
	return nil
}

// siteMetadata reads the file in which a site of Bridgetown has its title and the like, if it can
// be read.
func (r *siteReader) siteMetadata(name string) error {
	if !fs.ValidPath(name) {
		return nil
	}
	data, err := readOptional(r.root, name)
	if err != nil {
		return err
	}
	hashFile(r.key, name, data)
	if v, se := frontmatter.ParseTable(name, data); se == nil {
		r.common(textOf(v, "title"), cmp.Or(textOf(v, "description"), textOf(v, "tagline")), "", textOf(v, "lang"))
		r.authors(v, "author")
		r.site.note(name)
	}
	return nil
}

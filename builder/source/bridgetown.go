package source

import (
	"cmp"
	"io/fs"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// bridgetown reads the configuration of Bridgetown, which began as Jekyll and has its rules, but for the folder of its source, its permalinks,
// posts whose dates only their front matter says, and templates of ERB.
func (r *siteReader) bridgetown(v frontmatter.Value, fsys, content fs.FS, inside bool) error {
	u := &r.site.rules
	u.bridgetown, u.erb = true, true
	v = merge(under("source", frontmatter.Value{Kind: frontmatter.Text, Text: "src"}), v)
	if err := r.jekyll(v, fsys, content, inside); err != nil {
		return err
	}
	style := cmp.Or(u.permalinks[""], "pretty")
	u.collections["_pages"] = true
	u.permalinks[""] = "pretty" // whatever posts have, other pages are folders
	if strings.HasSuffix(style, "_ext") {
		u.permalinks[""] = "date"
	}
	u.permalinks["posts"] = cmp.Or(u.permalinks["posts"], style)
	u.permalinks["pages"] = cmp.Or(u.permalinks["pages"], "/:path/")
	styles := map[string]string{"simple": "/:categories/:title/", "simple_ext": "none", "pretty_ext": "date"}
	ofJekyll := strings.NewReplacer("/:locale", "", "/:lang", "", ".*", ".html")
	for kind, pattern := range u.permalinks {
		u.permalinks[kind] = ofJekyll.Replace(cmp.Or(styles[pattern], pattern))
	}
	return nil
}

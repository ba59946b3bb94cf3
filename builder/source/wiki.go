package source

import (
	"fmt"
	"io/fs"
)

// wiki looks whether the folder is a wiki of GitHub, or another of Gollum: a page Home, and one
// that stands beside all pages. Pages are called by the names of their files.
func (r *siteReader) wiki(content fs.FS) {
	u := &r.site.rules
	u.wiki = isFile(content, "Home.md") && (isFile(content, "_Sidebar.md") || isFile(content, "_Footer.md") || isFile(content, "_Header.md"))
	u.namesAreTitles, u.dialect.TextFirst = u.namesAreTitles || u.wiki, u.wiki
	fmt.Fprintf(r.key, "wiki %t", u.wiki)
}

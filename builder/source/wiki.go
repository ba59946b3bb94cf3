package source

// wiki looks whether the folder is a wiki of GitHub, or another of Gollum: a page Home, and one
// that stands beside all pages. Pages are called by the names of their files.
func (r *siteReader) wiki() {
	u := &r.site.rules
	u.wiki = isFile(r.content, "Home.md") && (isFile(r.content, "_Sidebar.md") || isFile(r.content, "_Footer.md") || isFile(r.content, "_Header.md"))
	u.namesAreTitles, u.dialect.TextFirst = u.namesAreTitles || u.wiki, u.wiki
}

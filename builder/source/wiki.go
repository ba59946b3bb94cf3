package source

// wiki notes whether the content folder is a wiki of GitHub, or another one made with Gollum: if it
// has a page Home, and a sidebar, footer or header. Titles of pages are the names of their files.
func (r *siteReader) wiki() {
	u := &r.site.rules
	u.wiki = isFile(r.content, "Home.md") && (isFile(r.content, "_Sidebar.md") || isFile(r.content, "_Footer.md") || isFile(r.content, "_Header.md"))
	u.namesAreTitles, u.dialect.TextFirst = u.namesAreTitles || u.wiki, u.wiki
}

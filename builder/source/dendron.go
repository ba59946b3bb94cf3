package source

import (
	"cmp"
	"path"
	"slices"

	"newsstand/builder/source/frontmatter"
)

// dendron reads the configuration of Dendron, if the folder is a workspace of Dendron notes. The
// configuration names vaults, which are folders of notes. The names of notes are hierarchies:
// a.b.md is below a.md. Only the hierarchies that the configuration lists are published, or all if
// it lists none. A note that does not say whether it is published follows its hierarchy (the part
// of its name before the first dot), else the hierarchy root.
func (r *siteReader) dendron() {
	const name = "dendron.yml"
	v, found := r.table(r.content, name)
	if !found {
		return
	}
	u := &r.site.rules
	u.dendron, u.dialect.TextFirst = true, true
	publishing := inner(v, "publishing")
	if len(publishing.Fields) == 0 { // before version 5
		publishing = inner(v, "site")
	}
	vaults := inner(v, "workspace", "vaults")
	if len(vaults.Items) == 0 {
		vaults = inner(v, "vaults")
	}
	published := []string{"*.md"}
	if hierarchies := scalars(inner(publishing, "siteHierarchies")); len(hierarchies) > 0 && !slices.Contains(hierarchies, "root") {
		published = nil
		for _, h := range hierarchies {
			published = append(published, globOf(h)+".md", globOf(h)+".*.md")
		}
	}
	if by, ok := inner(publishing, "hierarchy", "root").Get("publishByDefault"); ok && isFalse(by) {
		u.explicit = "published"
	}
	lines := ignoreLinesOf("*")
	for _, vault := range vaults.Items {
		if textOf(vault, "visibility") == "private" {
			continue
		}
		dir := textOf(vault, "fsPath")
		if flagOf(vault, "selfContained") {
			dir = path.Join(dir, "notes")
		}
		for _, pattern := range published {
			lines.keep(path.Join("/", globOf(dir), pattern))
		}
		u.addHierarchies(inner(publishing, "hierarchy"), cmp.Or(textOf(vault, "name"), path.Base(textOf(vault, "fsPath"))), dir)
	}
	if len(vaults.Items) > 0 { // all of which may be private
		u.ignore(lines)
	}
	seo := inner(publishing, "seo")
	r.common(textOf(seo, "title"), textOf(seo, "description"), textOf(publishing, "siteUrl"), "")
	r.site.note(name)
}

// addHierarchies adds, for the notes of a vault in the folder dir, the defaults by which their
// hierarchies say whether they are published.
func (r *rules) addHierarchies(hierarchies frontmatter.Value, vault, dir string) {
	for _, h := range hierarchies.Fields {
		by := inner(h.Value, "publishByDefault")
		if own, ok := by.Get(vault); ok { // it may differ by vault
			by = own
		}
		pattern := globOf(h.Key) + ".*"
		if h.Key == "root" {
			pattern = "*"
		}
		if by.Kind == frontmatter.Boolean && (h.Key != "root" || r.explicit == "") {
			r.defaults = append(r.defaults, defaults{path: path.Join(globOf(dir), pattern), values: under("published", by).Fields})
		}
	}
}

package source

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// mkdocs reads the configuration of MkDocs, if there is one.
func (r *configReader) mkdocs(fsys, content fs.FS, inside bool) (known bool, err error) {
	u := &r.site.rules
	for _, name := range []string{"mkdocs.yml", "mkdocs.yaml"} {
		data, err := readOptional(fsys, name)
		if err != nil {
			return false, err
		}
		v, se := frontmatter.ParseTable(name, data)
		switch {
		case se != nil && (bytes.Contains(data, []byte("exclude_docs")) || bytes.Contains(data, []byte("draft_docs"))): // it says what is not to be published
			return false, unreadable(name, se)
		case data == nil || se != nil:
			continue // it may have tags that only Python understands
		}
		hashFile(r.key, name, data)
		r.within(content, cmp.Or(textOf(v, "docs_dir"), "docs"), inside)
		for key, usual := range map[string]string{"exclude_docs": "/templates/\n", "draft_docs": ""} {
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(usual+inner(v, key).Text))
		}
		u.mkdocs, u.lenient = true, true
		u.addNavigation(inner(v, "nav"))
		extensions, _ := v.Get("markdown_extensions")
		has := func(name string) bool {
			return extensions.Has(name) || slices.ContainsFunc(extensions.Items, func(e frontmatter.Value) bool { return e.Text == name || e.Has(name) })
		}
		u.emoji, u.breaks = has("pymdownx.emoji"), has("nl2br")
		if has("pymdownx.arithmatex") {
			u.formulas = []markdown.Formula{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}
		}
		theme, _ := v.Get("theme")
		language := cmp.Or(textOf(theme, "language"), strings.ReplaceAll(textOf(theme, "locale"), "_", "-")) // the first is Material's
		r.common(textOf(v, "site_name"), textOf(v, "site_description"), textOf(v, "site_url"), language)
		r.site.note(name)
		return true, nil
	}
	return false, nil
}

// addNavigation adds the titles that the nav of MkDocs gives pages.
func (u *rules) addNavigation(nav frontmatter.Value) {
	for _, item := range nav.Items {
		u.addNavigation(item)
	}
	for _, f := range nav.Fields {
		if f.Value.Text != "" {
			u.addChapter(path.Clean(f.Value.Text), f.Key)
		}
		u.addNavigation(f.Value)
	}
}

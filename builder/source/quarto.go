package source

import (
	"cmp"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// quarto reads the configuration of Quarto, if there is one: which files it renders, and which of
// these are drafts. The file _metadata.yml of a folder may make all files in it drafts. A book has
// only its chapters.
// https://quarto.org/docs/projects/quarto-projects.html#render-targets
func (r *siteReader) quarto() (found bool) {
	const name = "_quarto.yml"
	v, found := r.table(r.root, name)
	if !found {
		return false
	}
	u := &r.site.rules
	u.quarto, u.folderFiles = true, []string{"_metadata.yml"}
	u.flavour.Math = dollars(true)
	site, book := inner(v, "website"), inner(v, "book")
	u.ignore(ignoreLinesOf("README.md\nCLAUDE.md\nAGENTS.md\n"))
	if r.inside {
		u.ignore(quartoLines(scalars(inner(v, "project", "render"))))
		u.ignore(quartoLines(prefixed("!", scalars(inner(site, "drafts")))))
	}
	if r.inside && textOf(v, "project", "type") == "book" {
		u.ignore(quartoLines(append(textsIn(inner(book, "chapters")), textsIn(inner(book, "appendices"))...)))
	}
	of := func(key string) string { return cmp.Or(textOf(site, key), textOf(book, key)) }
	r.common(of("title"), of("description"), of("site-url"), textOf(v, "lang"))
	r.authors(book, "author")
	r.site.note(name)
	return true
}

// quartoLines returns lines that leave out all but what the patterns name, and what those name that
// begin with !. A pattern holds in subfolders, too, unless it begins with a slash. With keep-md,
// Quarto keeps a.html.md, the Markdown that it makes of a.qmd.
func quartoLines(patterns []string) (lines ignoreLines) {
	for _, pattern := range patterns {
		pattern, leaves := strings.CutPrefix(pattern, "!")
		if stem, ok := strings.CutSuffix(pattern, ".qmd"); ok {
			pattern = stem + ".html.md"
		}
		if !strings.HasPrefix(pattern, "/") {
			pattern = "**/" + strings.TrimPrefix(pattern, "./")
		}
		if len(lines) == 0 && !leaves {
			lines.leaveOut("*")
		}
		lines.add(pattern, !leaves)
	}
	return lines
}

// prefixed returns texts with a prefix.
func prefixed(prefix string, texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, prefix+text)
	}
	return all
}

// textsIn returns all texts in a value, at any depth.
func textsIn(v frontmatter.Value) (texts []string) {
	if v.Kind == frontmatter.Text {
		texts = append(texts, v.Text)
	}
	for _, item := range v.Items {
		texts = append(texts, textsIn(item)...)
	}
	for _, f := range v.Fields {
		texts = append(texts, textsIn(f.Value)...)
	}
	return texts
}

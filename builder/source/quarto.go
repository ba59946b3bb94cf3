package source

import (
	"cmp"
	"path"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// quarto reads the configuration of Quarto, if there is one: which files it renders, and which of
// these are drafts. The file _metadata.yml of a folder may make all files in it drafts. A book has
// only its chapters.
// https://quarto.org/docs/projects/quarto-projects.html#render-targets
func (r *siteReader) quarto() (found bool) {
	if r.hasOtherProgram() { // as with Docusaurus, whose Markdown Quarto may make
		return false
	}
	for _, name := range [...]string{"_quarto.yml", "_quarto.yaml"} {
		if v, ok := r.table(r.root, name); ok {
			r.quartoProject(name, v)
			return true
		}
	}
	return false
}

func (r *siteReader) quartoProject(name string, v frontmatter.Value) {
	u := &r.site.rules
	u.quarto, u.folderFiles = true, []string{"_metadata.yml", "_metadata.yaml"}
	u.flavour.Math = dollars(true)
	site, book := inner(v, "website"), inner(v, "book")
	u.ignore(ignoreLinesOf("README.md\nCLAUDE.md\nAGENTS.md\n"))
	if r.inside {
		rendered := scalars(inner(v, "project", "render"))
		if textOf(v, "project", "type") == "book" {
			rendered = prefixed("/", append(filesIn(inner(book, "chapters")), filesIn(inner(book, "appendices"))...))
		}
		u.ignore(quartoLines(rendered))
		u.ignore(quartoLines(prefixed("!", scalars(inner(site, "drafts")))))
	}
	of := func(key string) string { return cmp.Or(textOf(site, key), textOf(book, key)) }
	r.common(of("title"), of("description"), of("site-url"), textOf(v, "lang"))
	r.authors(book, "author")
	r.site.note(name)
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

// filesIn returns the paths of all files that a value names, at any depth. Other texts are titles.
func filesIn(v frontmatter.Value) (paths []string) {
	if v.Kind == frontmatter.Text && path.Ext(v.Text) != "" {
		paths = append(paths, path.Clean(v.Text))
	}
	for _, item := range v.Items {
		paths = append(paths, filesIn(item)...)
	}
	for _, f := range v.Fields {
		paths = append(paths, filesIn(f.Value)...)
	}
	return paths
}

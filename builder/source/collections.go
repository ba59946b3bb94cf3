package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/script"
)

// A collection is a content collection: the files in a folder that the patterns name. Patterns that
// begin with ! leave files out.
type collection struct {
	dir      string // "" if the patterns begin at the root of the project
	patterns []string
}

// setCollections sets the folders that hold articles: dirs, and those of the collections. In the
// latter, only the files of collections are articles.
func (r *siteReader) setCollections(dirs []string, collections []collection) {
	var others ignoreLines // leave out the collections' folders, and so keep all other files
	var own []ignoreLines
	for _, c := range collections {
		if c.dir != "" {
			dirs = append(dirs, c.dir)
			others.leaveOut("/" + c.dir + "/**")
		}
		kept, left := ignoreLinesOf("/**"), ignoreLines{}
		for _, pattern := range c.patterns {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			whole, plain := path.Join(c.dir, pattern), !strings.Contains(pattern, "(")
			switch {
			case leaves && plain:
				left.leaveOut("/" + whole)
			case leaves: // a pattern with brackets is not understood, and leaves nothing out
			case plain:
				kept.keep("/" + whole)
			default:
				kept.keep("/" + path.Join(c.dir, "**"))
			}
			if dir := fixedDir(whole); dir != whole && !leaves && c.dir == "" {
				dirs = append(dirs, dir)
			}
		}
		own = append(own, append(kept, left...))
	}
	if slices.Contains(dirs, ".") {
		return
	}
	r.setFolders(dirs)
	r.site.rules.sets = append(own, others)
}

// fixedDir returns the folder that a pattern names before its first sign, or the pattern if it has
// none.
func fixedDir(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{(!+@"); i >= 0 {
		return path.Dir(pattern[:i] + "x")
	}
	return pattern
}

// collections returns the files of all collections that a program defines; filesOf returns those of
// one. If they are not all written out, known is false, and a warning is reported, because notes
// beside the site's pages then count as articles.
func (r *siteReader) collections(p program, of script.Value, filesOf func(script.Value) ([]collection, bool)) (files []collection, known bool) {
	if of.Kind != script.Object || len(of.Items) > 0 {
		return nil, false
	}
	for _, f := range of.Fields {
		own, known := filesOf(f.Value)
		if !known {
			r.report(p.path, frontmatter.Value{Line: f.Line, Column: f.Column}, Warning,
				"which files the collection "+f.Key+" has is computed, so any folder may hold articles",
				"run builder list to see what is published, and write draft: true into the front matter of what should not be")
			return nil, false
		}
		files = append(files, own...)
	}
	return files, true
}

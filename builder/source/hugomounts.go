package source

import (
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// mountGlob is a glob of the files of a mount.
type mountGlob struct {
	glob     expressions // none if it is invalid
	excludes bool
	folders  expressions // for a glob that includes files: the folders that it names
}

// mounts returns the folders that a list of mounts of Hugo mounts as content, or nil if it mounts
// none, so that contentDir counts.
func (r *rules) mounts(list frontmatter.Value) (folders []articleFolder) {
	for _, mount := range list.Items {
		source, target := path.Clean(textOf(mount, "source")), path.Clean(textOf(mount, "target"))
		target, ok := strings.CutPrefix(target+"/", "content/")
		if !ok {
			continue
		}
		folder := articleFolder{dir: source, target: strings.Trim(target, "/"), files: mountFiles(mount)}
		patterns := scalars(inner(mount, "sites", "matrix", "languages"))
		if code := textOf(mount, "lang"); code != "" {
			patterns = []string{code}
		}
		named := r.hugo.languages(patterns, r.defaultLanguage)
		folder.all = named
		switch {
		case len(patterns) == 0:
		case len(named) == 1, len(named) > 0 && named[0] != r.defaultLanguage: // else the files' names tell the language, or it is the default one
			folder.language = named[0]
		case len(named) == 0 && r.disabled[patterns[0]]:
			folder.language = patterns[0]
		case len(named) == 0: // Hugo makes no pages of its files
			folder.files = []mountGlob{newMountGlob("! **")}
		}
		folders = append(folders, folder)
	}
	return folders
}

// themeFolders returns the content folders of the site's themes: Hugo makes pages of their files,
// too. A theme's own mounts, or those of its import, take the place of its content folder.
func (r *siteReader) themeFolders(v frontmatter.Value) (folders []articleFolder) {
	if !r.inside { // they lie beside the content folder
		return nil
	}
	imports := slices.Clone(inner(v, "module", "imports").Items)
	for _, name := range items(inner(v, "theme")) {
		imports = append(imports, under("path", name))
	}
	for _, theme := range imports {
		dir := path.Join("themes", textOf(theme, "path"))
		if flagOf(theme, "disable") || !strings.HasPrefix(dir, "themes/") || !isDir(r.root, dir) {
			continue
		}
		mounts := inner(theme, "mounts")
		if len(mounts.Items) == 0 {
			mounts = inner(r.themeConfig(dir), "module", "mounts")
		}
		own := r.site.rules.mounts(mounts)
		if len(mounts.Items) == 0 {
			own = []articleFolder{{dir: "content"}}
		}
		for _, f := range own {
			f.dir, f.ofTheme = path.Join(dir, f.dir), true
			folders = append(folders, f)
		}
	}
	return folders
}

// themeConfig returns the configuration of the theme in a folder. One that cannot be read says
// nothing: a theme may be a link out of the site.
func (r *siteReader) themeConfig(dir string) frontmatter.Value {
	for _, ext := range hugoEndings() {
		for _, name := range []string{path.Join(dir, "hugo"+ext), path.Join(dir, "config"+ext)} {
			if data, err := readOptional(r.root, name); err == nil && data != nil {
				r.sum(name, data)
				v, _ := frontmatter.ParseTable(name, data)
				return v
			}
		}
	}
	return frontmatter.Value{}
}

// mountFiles returns the globs that say which files a mount has.
func mountFiles(mount frontmatter.Value) []mountGlob {
	var globs []mountGlob
	for _, key := range []string{"files", "includeFiles", "excludeFiles"} {
		for _, pattern := range scalars(inner(mount, key)) {
			if key == "excludeFiles" {
				pattern = "! " + pattern
			}
			globs = append(globs, newMountGlob(pattern))
		}
	}
	return globs
}

// newMountGlob returns the glob of a pattern. The glob excludes files if the pattern begins with "!
// ".
func newMountGlob(pattern string) mountGlob {
	pattern, excludes := strings.CutPrefix(pattern, "! ")
	pattern = "/" + strings.TrimPrefix(pattern, "/")
	g := mountGlob{glob: globs(pattern), excludes: excludes}
	for dir := path.Dir(pattern); !excludes && dir != "/"; dir = path.Dir(dir) {
		g.folders = append(g.folders, globs(dir)...)
	}
	return g
}

// leavesOut reports whether the globs of a mount leave out a file, or a folder that holds it.
func (f articleFolder) leavesOut(p string) bool {
	within := "/" + f.below(p)
	for at := within; at != "/"; at = path.Dir(at) {
		if !f.includes(at, at != within) {
			return true
		}
	}
	return false
}

// includes reports whether a mount includes a file or folder. The first glob that matches decides;
// what no glob matches is included if all globs exclude. A glob that includes files also includes
// the folders that it names. As **.md names no folder, it includes only files of the uppermost
// folder.
func (f articleFolder) includes(at string, isFolder bool) bool {
	included := true
	for _, g := range f.files {
		if g.glob.match(at) {
			return !g.excludes
		}
		included = included && g.excludes
		if isFolder && g.folders.match(at) {
			return true
		}
	}
	return included
}

// ownTarget returns the path in Hugo's content of a file that is mounted by itself. It returns the
// path of any other file unchanged.
func (r *rules) ownTarget(p string) string {
	if at, ok := r.mounted[p]; ok {
		return at.target
	}
	return p
}

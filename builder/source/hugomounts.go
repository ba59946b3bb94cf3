package source

import (
	"io/fs"
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
		patterns := sitesMatrix(mount)
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

// themeFolders returns the content folders of the themes that a configuration names, and of those
// that these name in turn: Hugo makes pages of their files, too. A theme's own mounts, or those of
// its import, take the place of its content folder. The themes lie in the folder themesDir, or in
// _vendor, where Hugo looks first; seen are those that are read.
func (r *siteReader) themeFolders(v frontmatter.Value, themesDir string, seen map[string]bool) (folders []articleFolder) {
	imports := slices.Clone(inner(v, "module", "imports").Items)
	for _, name := range items(inner(v, "theme")) {
		imports = append(imports, under("path", name))
	}
	for _, theme := range imports {
		name := path.Clean(textOf(theme, "path"))
		dir := path.Join("_vendor", name)
		if !fs.ValidPath(name) || !isDir(r.root, dir) {
			dir = path.Join(themesDir, name)
		}
		if flagOf(theme, "disable") || name == "." || dir == "." || seen[dir] || !isDir(r.root, dir) {
			continue
		}
		seen[dir] = true
		var config frontmatter.Value
		if !flagOf(theme, "ignoreConfig") {
			config = r.themeConfig(dir)
		}
		mounts := inner(theme, "mounts")
		if len(mounts.Items) == 0 {
			mounts = inner(config, "module", "mounts")
		}
		own := r.site.rules.mounts(mounts)
		switch {
		case flagOf(theme, "noMounts"):
			own = nil
		case len(mounts.Items) == 0:
			own = []articleFolder{{dir: "content"}}
		}
		for _, f := range own {
			f.dir, f.ofTheme = path.Join(dir, f.dir), true
			folders = append(folders, f)
		}
		if !flagOf(theme, "ignoreImports") {
			folders = append(folders, r.themeFolders(config, themesDir, seen)...)
		}
	}
	return folders
}

// themeConfig returns the configuration of the theme in a folder. A link out of the site says
// nothing; a mistake ends the scan, as in the site's own configuration.
func (r *siteReader) themeConfig(dir string) (v frontmatter.Value) {
	read := func(name string) (said frontmatter.Value, found bool) {
		data, err := readOptional(r.root, name)
		if err != nil || data == nil {
			return said, false
		}
		r.sum(name, data)
		said, err = parse(name, data)
		r.fail(err)
		return said, true
	}
	found := false
	for _, name := range []string{"hugo", "config"} {
		for _, ext := range hugoEndings() {
			if !found {
				v, found = read(path.Join(dir, name+ext))
			}
		}
	}
	for _, file := range r.inConfigFolder(path.Join(dir, "config")) {
		if said, found := read(file); found {
			v = merge(v, underFile(withoutExt(path.Base(file)), said))
		}
	}
	return v
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

package source

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// articleFolder is a folder that holds articles, and their language if the folder tells it.
type articleFolder struct {
	dir, language string
	target        string // the path in Hugo's content at which a mount puts it
	files         []mountGlob
	order         int      // its place among the mounts
	ofTheme       bool     // whether it belongs to a theme of Hugo
	all           []string // the languages that a mount of Hugo names: in each of them it shows the pages whose names tell none
}

// below returns the path of a file in the folder, relative to the folder; "" for a file that is
// mounted by itself, which takes the place of the folder.
func (f articleFolder) below(p string) string {
	return strings.TrimPrefix(strings.TrimPrefix(p, f.dir), "/")
}

// targetOf returns the path in Hugo's content that a mount gives a file.
func (f articleFolder) targetOf(p string) string { return path.Join(f.target, f.below(p)) }

// folderOf returns the article folder that holds p: the deepest, if they nest. The folder of a
// language that is not built counts only if no other holds p. If two folders give p the same place
// in Hugo's content, that of the default language counts.
func (r *rules) folderOf(p string) (best articleFolder, found bool) {
	for _, f := range r.folders {
		if isBelow(p, f.dir) && (!found || r.goesBefore(f, best, p)) {
			best, found = f, true
		}
	}
	shared := 0
	for _, f := range r.folders {
		if f.dir == best.dir {
			shared++
		}
	}
	if shared > 1 { // several languages share one folder: the file's name tells which it is in
		best.language = ""
	}
	return best, found
}

// placeOf returns the place of a file that is mounted by itself; for any other, the article folder
// that holds it.
func (r *rules) placeOf(p string) articleFolder {
	if at, ok := r.mounted[p]; ok {
		return at
	}
	at, _ := r.folderOf(p)
	return at
}

// goesBefore reports whether f counts rather than other, if both are article folders that hold p.
func (r *rules) goesBefore(f, other articleFolder, p string) bool {
	isDefault, isBuilt := f.language == r.defaultLanguage, !r.disabled[f.language]
	switch {
	case isBuilt == r.disabled[other.language]: // only one of them is built
		return isBuilt
	case f.dir != other.dir && f.targetOf(p) == other.targetOf(p): // one of them shows its pages in a second language
		return isDefault
	}
	return len(f.dir) > len(other.dir) || len(f.dir) == len(other.dir) && isDefault
}

// isBelow reports whether a path is in a folder; "" is the folder of all files.
func isBelow(p, dir string) bool {
	return dir == "" || strings.HasPrefix(p, dir) && len(p) > len(dir) && p[len(dir)] == '/'
}

// locateFolders makes the content folders of Hugo or Zola, which the configuration gives relative
// to the project, relative to the content folder. If the project is the folder around it, their
// first segment is the content folder itself. Folders that do not exist are left out.
func (r *siteReader) locateFolders() {
	u := &r.site.rules
	u.mounted = map[string]articleFolder{}
	var found []articleFolder
	for i, f := range u.folders {
		f.order = i
		if f.dir = path.Clean(strings.Trim(f.dir, "/")); f.dir == "." {
			f.dir = ""
		}
		if !r.inside {
			u.above, f.dir, _ = strings.Cut(f.dir, "/")
		}
		switch {
		case f.dir == "" || isDir(r.content, f.dir):
			found = append(found, f)
		case r.inside && f.target != "" && isFile(r.content, f.dir):
			u.mounted[f.dir] = f
		}
	}
	// The articles may not exist yet, or another program may make them.
	if len(found) == 0 && r.inside &&
		(isHugoProject(r.content) || r.site.generator == zola && hasFolder(r.content, "templates", "themes")) {
		found = u.folders[:1]
	}
	u.folders = found
	maps.DeleteFunc(u.mounted, func(p string, _ articleFolder) bool { // files that have a place by their folder, which is the only one that counts
		at, ok := u.folderOf(p)
		return ok && !u.disabled[at.language] && !at.leavesOut(p)
	})
	if !slices.ContainsFunc(found, func(f articleFolder) bool {
		return !f.ofTheme && f.dir != "content" && !strings.HasPrefix(f.dir, "content/")
	}) {
		u.base = "content"
	}
}

// setFolders adds to the folders that hold articles those of dirs that exist.
func (r *siteReader) setFolders(dirs []string) {
	u := &r.site.rules
	for _, dir := range dirs {
		if dir = path.Clean(dir); !fs.ValidPath(dir) || !isDir(r.content, dir) {
			continue
		}
		dir = strings.TrimPrefix(dir, ".") // "" is the whole content folder
		if !slices.ContainsFunc(u.folders, func(f articleFolder) bool { return f.dir == dir }) {
			u.folders = append(u.folders, articleFolder{dir: dir})
		}
	}
}

// setBase notes which folder of the project holds the articles. It is not part of their ids.
func (r *siteReader) setBase(dir string) {
	u := &r.site.rules
	dir = path.Clean(dir)
	switch {
	case !fs.ValidPath(dir) || dir == ".":
	case !r.inside:
		u.above = dir
	case isDir(r.content, dir):
		u.folders, u.base = []articleFolder{{dir: dir}}, dir
	}
}

package source

import (
	"bytes"
	"path"
)

// nikola reads what is written out in the configuration of Nikola, if there is one. If it lies in
// the content folder, that includes which files are posts and pages.
func (r *siteReader) nikola() (found bool) {
	const name = "conf.py"
	data := r.file(r.root, name)
	if !bytes.Contains(data, []byte("BLOG_TITLE")) { // without it, the file configures Sphinx
		return false
	}
	folders := []string{"POSTS", "PAGES"}
	said := pythonConstants(data, append(folders, "BLOG_TITLE", "BLOG_DESCRIPTION", "BLOG_AUTHOR", "SITE_URL", "DEFAULT_LANG", "TIMEZONE"))
	r.common(textOf(said, "BLOG_TITLE"), textOf(said, "BLOG_DESCRIPTION"), textOf(said, "SITE_URL"), textOf(said, "DEFAULT_LANG"))
	r.authors(said, "BLOG_AUTHOR")
	r.zone(textOf(said, "TIMEZONE"))
	r.site.note(name)
	u := &r.site.rules
	u.readByPython()
	u.nikola, u.metaFiles = true, ".meta"
	if !r.inside {
		return true
	}
	r.warnOfPython(name, data, said, folders)
	if !said.Has("POSTS") {
		return true
	}
	lines := ignoreLinesOf("*")
	for _, key := range folders {
		for _, set := range inner(said, key).Items {
			if set := scalars(set); len(set) > 0 { // a glob of files, which holds in subfolders, too; then their destination and template
				lines.keep("/" + path.Join(path.Dir(set[0]), "**", path.Base(set[0])))
			}
		}
	}
	u.ignore(lines)
	u.html = true
	return true
}

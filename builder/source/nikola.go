package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// nikola reads what is written out in the configuration of Nikola, if there is one; and, where it lies in the content folder, which files are
// posts and pages.
func (r *siteReader) nikola(fsys, _ fs.FS, inside bool) (known bool, err error) {
	const name = "conf.py"
	data, err := readOptional(fsys, name)
	if err != nil || !bytes.Contains(data, []byte("BLOG_TITLE")) { // without it, it is a configuration of Sphinx
		return false, err
	}
	hashFile(r.key, name, data)
	folders := []string{"POSTS", "PAGES"}
	said := pythonConstants(data, append(folders, "BLOG_TITLE", "BLOG_DESCRIPTION", "BLOG_AUTHOR", "SITE_URL", "DEFAULT_LANG", "TIMEZONE"))
	r.common(textOf(said, "BLOG_TITLE"), textOf(said, "BLOG_DESCRIPTION"), textOf(said, "SITE_URL"), textOf(said, "DEFAULT_LANG"))
	r.authors(said, "BLOG_AUTHOR")
	r.zone(textOf(said, "TIMEZONE"))
	r.site.note(name)
	r.site.rules.python, r.site.rules.lenient, r.site.rules.metaFiles = true, true, true
	if !inside {
		return true, nil
	}
	r.warnOfPython(name, data, said, folders)
	if !said.Has("POSTS") {
		return true, nil
	}
	lines := appendIgnoreLine(nil, "*", false)
	for _, key := range folders {
		for _, set := range inner(said, key).Items {
			if set := scalars(set); len(set) > 0 { // a glob of files, which holds in subfolders, too; then their destination and template
				lines = appendIgnoreLine(lines, "/"+path.Join(path.Dir(set[0]), "**", path.Base(set[0])), true)
			}
		}
	}
	r.site.rules.ignoreLines = append(r.site.rules.ignoreLines, lines)
	return true, nil
}

// metaFiles adds the heads that Nikola has in files of their own: a.meta is for a.md, and for its translation a.fr.md where there is no a.fr.meta.
func (r *siteReader) metaFiles(content fs.FS, paths []string, special map[string]fs.FileMode) error {
	for _, p := range paths {
		stem := strings.TrimSuffix(p, path.Ext(p))
		names := []string{stem + ".meta", strings.TrimSuffix(stem, path.Ext(stem)) + ".meta"}
		i := slices.IndexFunc(names, func(name string) bool {
			_, ok := slices.BinarySearch(paths, name)
			return ok
		})
		if i < 0 || !dialect.IsMarkdown(p) {
			continue
		}
		data, err := readOptional(content, names[i])
		if err != nil && special[names[i]] == 0 {
			return err
		}
		doc, se := frontmatter.Parse(data)
		if err != nil || se != nil || len(doc.Meta.Fields) == 0 {
			r.report(names[i], frontmatter.Value{}, Error, "the head of "+p+" cannot be read, which may say that it is a draft", "write it as lines such as .. title: A walk, in a regular file")
			continue
		}
		for _, f := range doc.Meta.Fields {
			fmt.Fprintf(r.key, "%q %q %q\n", p, f.Key, appendValue(nil, f.Value))
		}
		r.site.rules.defaults = append(r.site.rules.defaults, defaults{path: p, values: doc.Meta.Fields})
	}
	return nil
}

package source

import (
	"path"
	"regexp"
	"slices"

	"newsstand/builder/source/script"
)

// nextApps notes which folders are apps of Next.js: app and src/app if its configuration lies
// beside them, and those of these and the content folder that have a layout file.
func (r *siteReader) nextApps() {
	config := scriptOf(r.content, "next.config")
	for _, dir := range []string{"", "app", "src/app"} {
		hasLayout := func(ext string) bool { return isFile(r.content, path.Join(dir, "layout"+ext)) }
		if slices.ContainsFunc([]string{".js", ".jsx", ".ts", ".tsx"}, hasLayout) || config != "" && dir != "" {
			r.site.rules.apps = append(r.site.rules.apps, dir)
		}
	}
}

// pagesOfNext returns the folders in which Next.js has pages.
func pagesOfNext() []string { return []string{"app", "src/app", "pages", "src/pages"} }

// contentlayer reads the configuration of Contentlayer, if there is one: in which folder the
// articles are, beside the pages of Next.js, and what is left out of it.
func (r *siteReader) contentlayer() {
	p, ok := r.program("contentlayer.config")
	if !ok {
		return
	}
	dir := inner(p.Default(), "contentDirPath")
	if dir.Kind != script.Text || !isDir(r.content, fromRoot("", dir.Text)) {
		return
	}
	at := fromRoot("", dir.Text)
	dirs := pagesOfNext()
	included, known := r.patterns(p, p.Default(), "contentDirInclude")
	for _, folder := range included {
		dirs = append(dirs, path.Join(at, folder))
	}
	if len(included) == 0 || !known {
		dirs = append(dirs, at)
	}
	var lines ignoreLines
	excluded, _ := r.patterns(p, p.Default(), "contentDirExclude")
	for _, pattern := range excluded {
		lines.leaveOut("/" + path.Join(at, pattern))
	}
	r.site.rules.ignore(lines)
	if !slices.Contains(dirs, ".") {
		r.setFolders(dirs)
	}
}

// fumadocs reads the configuration of Fumadocs, if there is one: in which folders the articles are,
// beside the pages of Next.js, if all are written out.
func (r *siteReader) fumadocs() {
	p, ok := r.program("source.config")
	if !ok {
		return
	}
	r.fail(p.fault)
	dirs := pagesOfNext()
	found, read := false, 0
	for _, f := range p.Declarations() {
		isDocs := f.Value.Name == "defineDocs"
		if !isDocs && f.Value.Name != "defineCollections" {
			continue
		}
		read++
		said, given := f.Value.Get("dir")
		texts, known := said.Texts()
		if !given && isDocs { // its usual folder
			texts, known = []string{"content/docs"}, true
		}
		if !known {
			return
		}
		for _, dir := range texts {
			dirs = append(dirs, fromRoot("", dir))
			found = found || isDir(r.content, fromRoot("", dir))
		}
	}
	calls := len(regexp.MustCompile(`\bdefine(?:Docs|Collections)\(`).FindAll(p.source, -1))
	if found && read == calls && !slices.Contains(dirs, ".") {
		r.setFolders(dirs)
	}
}

// inApp reports whether a file lies in an app of Next.js.
func (r *rules) inApp(p string) bool {
	return slices.ContainsFunc(r.apps, func(dir string) bool { return isBelow(p, dir) })
}

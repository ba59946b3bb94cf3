package source

import (
	"cmp"
	"path"
	"strings"

	"newsstand/builder/source/dialect"
)

// pageName identifies a page of Hugo by its path without extension, in lower case, and the code of
// its language.
type pageName struct{ page, language string }

// choosePages notes which of Hugo's files get no page of their own because another file takes the
// same place (see showsBefore). The paths are sorted.
func (s *scanner) choosePages(paths []string) {
	s.replacedBy = map[string]string{}
	u := &s.Site.rules
	if s.Site.generator != hugo {
		return
	}
	shown := make(map[pageName]string, len(paths))
	for _, p := range paths {
		if !s.isPage(p) || s.whyNotArticle(p) != "" {
			continue
		}
		place := u.pageName(p, u.name(p))
		other, taken := shown[place]
		if taken && !u.showsBefore(p, other) {
			s.replacedBy[p] = other
			continue
		}
		if taken {
			s.replacedBy[other] = p
		}
		shown[place] = p
	}
	u.hugo.pages = shown
}

// pageName returns the page of a file.
func (r *rules) pageName(p string, name nameOfPath) pageName {
	page := path.Dir(r.pagePath(p))
	if !name.bundle && !name.section {
		page = path.Join(page, strings.ToLower(name.stem))
	}
	return pageName{strings.ReplaceAll(page, " ", "-"), r.languageCode(p, name)}
}

// showsBefore reports whether Hugo shows the page of the file p rather than that of another file in
// the same place. A file of an earlier mount wins; then one with a language in its name; then a
// section page over a page bundle in that folder, and a bundle over a file beside the folder; and
// last the extension that sorts later.
func (r *rules) showsBefore(p, otherPath string) bool {
	n, other := r.name(p), r.name(otherPath)
	if c := cmp.Compare(r.placeOf(p).order, r.placeOf(otherPath).order); c != 0 {
		return c < 0
	}
	if (n.language == "") != (other.language == "") {
		return n.language != ""
	}
	rank := func(n nameOfPath) int {
		switch {
		case n.section:
			return 2
		case n.bundle:
			return 1
		}
		return 0
	}
	if c := cmp.Compare(rank(n), rank(other)); c != 0 {
		return c > 0
	}
	return strings.ToLower(path.Ext(p)) > strings.ToLower(path.Ext(otherPath))
}

// bundleFolders returns the folders of Hugo's page bundles, which have an index.md, by their paths
// as rules.pagePath returns them.
func (s *scanner) bundleFolders(paths []string) map[string]string {
	if s.Site.generator != hugo {
		return nil
	}
	u := &s.Site.rules
	bundles := map[string]string{}
	for _, p := range paths {
		if !strings.EqualFold(path.Base(u.ownTarget(p))[:1], "i") || !s.isPage(p) { // most files, whose names need not be split
			continue
		}
		if name := u.name(p); name.bundle && !u.unread(u.languageCode(p, name)) && u.whyIgnored(p) == "" {
			bundles[path.Dir(u.pagePath(p))] = path.Dir(p)
		}
	}
	return bundles
}

// whyInBundle returns why a page bundle of Hugo keeps a file from being an article: the file
// belongs to the bundle, or is the home page. It returns "" if none does. A bundle has the files of
// all languages, even if these have folders of their own.
func (s *scanner) whyInBundle(p string) string {
	site := &s.Site
	page := site.rules.pagePath(p)
	isIndex := site.rules.name(p).bundle
	for dir := path.Dir(page); ; dir = path.Dir(dir) {
		bundle, found := s.bundles[dir]
		itsPage := isIndex && dir == path.Dir(page)
		switch {
		case found && dir != "." && !itsPage:
			return "it belongs to the page bundle " + bundle
		case dir != ".":
			continue
		case !found || !site.rules.configured:
			return ""
		case itsPage:
			return "it is the home page"
		}
		return "it belongs to the home page, which is a page bundle"
	}
}

// sectionsOf returns the folders of a site of Hugo that have a section page.
func (r *rules) sectionsOf(paths []string) map[pageName]bool {
	sections := map[pageName]bool{}
	for _, p := range paths {
		if path.Base(r.ownTarget(p))[0] != '_' || !dialect.IsMarkdown(p) && (r.hugo.noHTML || !isHTML(p)) {
			continue
		}
		if name := r.name(p); name.section && r.whyIgnored(p) == "" {
			sections[pageName{path.Dir(r.pagePath(p)), r.languageCode(p, name)}] = true
		}
	}
	return sections
}

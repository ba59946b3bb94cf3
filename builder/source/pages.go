package source

import (
	"cmp"
	"path"
	"strings"
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
	if u.hugo.linksPages {
		u.hugo.pages = shown
	}
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
	if c := cmp.Compare(r.mountOf(p), r.mountOf(otherPath)); c != 0 {
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

// mountOf returns the place, among the mounts, of the one that shows a file.
func (r *rules) mountOf(p string) int {
	at, ok := r.mounted[p]
	if !ok {
		at, _ = r.folderOf(p)
	}
	return at.order
}

package source

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// placeholders returns the names that may stand in braces in url_template.
func placeholders() []string {
	return []string{"id", "slug", "path", "year", "month", "day", "language"}
}

// address returns the address of a file's human page: the one in the front matter, else the one by
// the site's url_template, else the one that the generator gives the page, or "" if that is not
// certain.
func (s *Site) address(file *candidate) string {
	u := &s.rules
	if own := strings.TrimSpace(file.meta.url.Text); own != "" {
		return absolute(s.host(file.code), s.ownAddress(own, file))
	}
	if s.URLTemplate != "" {
		return absolute(s.BaseURL, s.fill(file))
	}
	if s.host(file.code) == "" || u.hugo.oddURLs || !u.configured {
		return ""
	}
	switch s.generator {
	case hugo:
		return s.hugoAddress(file)
	case jekyll:
		return s.jekyllAddress(file)
	case zola:
		return s.zolaAddress(file)
	}
	return ""
}

// absolute returns a web address escaped but otherwise as it is, and puts base, the address of the
// site, before a path. It returns "" if the path or base is empty.
func absolute(base, address string) string {
	switch {
	case isWebAddress(address):
		return escapeAddress(address)
	case address == "" || base == "":
		return ""
	}
	return base + escapeAddress(address)
}

// host returns the address of the site in a language.
func (s *Site) host(code string) string {
	if host, ok := s.rules.hugo.hosts[code]; ok {
		return host
	}
	return s.BaseURL
}

// root returns the path of the site's address, or "" if it has none.
func (s *Site) root() string {
	_, address, _ := strings.Cut(s.BaseURL, "://")
	return strings.TrimLeftFunc(address, func(r rune) bool { return r != '/' })
}

// ownAddress returns the address that the front matter gives a page: unchanged if it is a web
// address, else as a path of the site. It returns "" for a pattern whose value is not certain.
func (s *Site) ownAddress(own string, file *candidate) string {
	relative := !strings.HasPrefix(own, "/")
	switch {
	case isWebAddress(own):
		return own
	case s.generator == jekyll:
		if own = s.jekyllPermalink(own, file); own != "" {
			own = s.rules.i18nPrefix(file.Path) + "/" + strings.TrimPrefix(own, "/")
		}
	case strings.ContainsAny(own, ":{") && s.generator != zola: // a pattern of Hugo or Eleventy
		relative = relative && !s.beginsWithSlash(own, file)
		own = s.permalink(own, file)
	}
	if own == "" {
		return ""
	}
	if s.generator == hugo {
		if !s.isFirstHTML(file) && (strings.HasSuffix(own, "/") || !strings.Contains(own, ".")) {
			return ""
		}
		if relative {
			own = s.languagePrefix(file.code) + strings.TrimPrefix(own, "/")
		}
		clean := path.Clean("/" + own)
		if strings.HasSuffix(own, "/") && clean != "/" {
			clean += "/"
		}
		own = strings.ReplaceAll(clean, "#", "%23")
	}
	own = "/" + strings.TrimPrefix(own, "/")
	if (s.generator == hugo || s.generator == plain) && strings.HasSuffix(own, "/index.html") {
		own = strings.TrimSuffix(own, "index.html")
	}
	if s.generator == zola || s.generator == hugo && !strings.Contains(own, ".") { // Hugo looks for a dot in all of it
		own = strings.TrimSuffix(own, "/") + "/"
	}
	return own
}

// beginsWithSlash reports whether Hugo writes a slash for the first token of a pattern: it does for
// all sections, and the slash behind a token that stands for nothing is the first character.
func (s *Site) beginsWithSlash(pattern string, file *candidate) bool {
	token, _, more := strings.Cut(pattern, "/")
	if sections, ok := strings.CutPrefix(token, ":sections"); ok && !strings.HasPrefix(sections, "[") {
		return true
	}
	return more && strings.HasPrefix(token, ":") && strings.Trim(s.permalink(token, file), "/") == ""
}

// fill fills in the site's url_template. It returns "" if the template needs a date and the file
// has none.
func (s *Site) fill(file *candidate) string {
	slug := cmp.Or(cleanID(file.meta.slug.Text), cleanID(file.name.base))
	t := file.Published.In(s.TimeZone)
	if file.Published.IsZero() &&
		(strings.Contains(s.URLTemplate, "{year}") || strings.Contains(s.URLTemplate, "{month}") || strings.Contains(s.URLTemplate, "{day}")) {
		return ""
	}
	folder := strings.Join(file.name.folders, "/")
	return strings.NewReplacer(
		"{id}", file.ID, "{slug}", slug, "{path}", path.Join(folder, file.name.base),
		"{year}", t.Format("2006"), "{month}", t.Format("01"), "{day}", t.Format("02"), "{language}", file.Language,
	).Replace(s.URLTemplate)
}

// languagePrefix returns the first segment of the addresses in a language, followed by a slash, or
// "" if they have none.
func (s *Site) languagePrefix(code string) string {
	u := &s.rules
	if len(u.languages) == 0 || u.hugo.manyHosts || code == u.defaultLanguage && !u.defaultInSubdir {
		return ""
	}
	return code + "/"
}

// foldersOf returns the folders of a file as Hugo counts them: those of its mount's target, then
// those below the content folder of its language.
func (s *Site) foldersOf(file *candidate) (folders []string) {
	if _, ok := s.rules.mounted[file.Path]; ok {
		return slices.Clone(file.name.folders)
	}
	at, _ := s.rules.folderOf(file.Path)
	if at.target != "" {
		folders = strings.Split(at.target, "/")
	}
	own := file.name.folders
	// Hugo does not treat Jekyll's folder names, such as _posts, specially.
	if dir := s.rules.relative(path.Dir(file.Path)); s.generator == hugo && (file.name.posts || file.name.drafts) {
		own = strings.Split(dir, "/")
		if file.name.bundle {
			own = own[:len(own)-1]
		}
	}
	depth := 0
	if dir := s.rules.relative(at.dir); dir != "" && dir != s.rules.base {
		depth = strings.Count(dir, "/") + 1
	}
	return slices.Concat(folders, own[min(depth, len(own)):])
}

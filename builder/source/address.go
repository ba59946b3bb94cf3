package source

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

// placeholders returns the names that may stand in braces in url_template.
func placeholders() []string {
	return []string{"id", "slug", "path", "year", "month", "day", "language"}
}

// address returns the address of a file's human page: the one in the front matter, else
// one by the site's url_template, else the one that the generator gives the page, if it is
// certain; else "".
func (s *Site) address(file *candidate) string {
	u := &s.rules
	if own := strings.TrimSpace(file.meta.url.Text); own != "" {
		return s.absolute(s.host(file.code), s.ownAddress(own, file))
	}
	if s.URLTemplate != "" {
		return s.absolute(s.BaseURL, s.fill(file))
	}
	if s.BaseURL == "" || u.hugo.oddURLs || !u.configured {
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

// absolute returns a web address as such, and a path with the address of the site, base, before it;
// "" where there is no path or no address of the site.
func (s *Site) absolute(base, address string) string {
	switch {
	case isWebAddress(address):
		return escapeAddress(address)
	case address == "" || base == "":
		return ""
	}
	return base + escapeAddress(address)
}

// host returns the address of the site in a language.
func (s *Site) host(code string) string { return cmp.Or(s.rules.hugo.hosts[code], s.BaseURL) }

// root returns the path of the site's address, "" where it has none.
func (s *Site) root() string {
	_, address, _ := strings.Cut(s.BaseURL, "://")
	return strings.TrimLeftFunc(address, func(r rune) bool { return r != '/' })
}

// home returns the address of the home page in a language; "" where that of the site is not known.
func (s *Site) home(code string) string {
	host := s.host(code)
	if host == "" {
		return ""
	}
	return host + "/" + s.languagePrefix(code)
}

// ownAddress returns the address that the front matter gives a page: as it is, if it is a web
// address, else as a path of the site. It is "" if it is a pattern whose value is not certain.
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
		own = s.permalink(own, file)
	}
	if own == "" {
		return ""
	}
	if s.generator == hugo {
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
	if s.generator == zola || s.generator == hugo && path.Ext(own) == "" {
		own = strings.TrimSuffix(own, "/") + "/"
	}
	return own
}

// fill fills in the site's url_template; "" where it needs a date that the file does not have.
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

// languagePrefix returns the first segment of the addresses of a language, with a slash; "" where
// they have none.
func (s *Site) languagePrefix(code string) string {
	u := &s.rules
	if len(u.languages) == 0 || u.hugo.hosts[code] != "" || code == u.defaultLanguage && !u.defaultInSubdir {
		return ""
	}
	return code + "/"
}

// within returns the folders of a file as Hugo counts them: those of the mount's target, then those
// below the content folder of its language.
func (s *Site) within(file *candidate) (folders []string) {
	if _, ok := s.rules.mounted[file.Path]; ok {
		return slices.Clone(file.name.folders)
	}
	at, _ := s.rules.folderOf(file.Path)
	if at.target != "" {
		folders = strings.Split(at.target, "/")
	}
	own := file.name.folders
	// To Hugo, Jekyll's names of folders are names like others.
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

// hugoAddress follows "URL management" of Hugo's documentation.
func (s *Site) hugoAddress(file *candidate) string {
	u := &s.rules
	outputs := file.meta.outputs
	if len(outputs) == 0 {
		outputs = u.hugo.outputs
	}
	if len(outputs) > 0 && !strings.EqualFold(outputs[0], "html") { // the address is that of the first format, whose path is not known here
		return ""
	}
	folders := s.within(file)
	if file.name.section { // its folder's
		p := strings.Trim(u.hugo.path(path.Join(folders...)), "/")
		if p == "" && len(folders) > 0 {
			return ""
		}
		return s.host(file.code) + escapeAddress(strings.TrimSuffix("/"+s.languagePrefix(file.code)+p, "/")+"/")
	}
	stem := file.name.stem
	at, _ := u.folderOf(file.Path)
	_, isMounted := u.mounted[file.Path]
	switch dir := path.Dir(file.Path); {
	case !file.name.bundle || isMounted:
	case dir == at.dir && len(folders) > 0: // the folder is one that Hugo mounts
		stem, folders = folders[len(folders)-1], folders[:len(folders)-1]
	case dir != ".":
		stem = path.Base(dir)
	}
	section := ""
	if len(folders) > 0 {
		section = strings.ToLower(strings.ReplaceAll(folders[0], " ", "-"))
	}
	if pattern := u.hugo.patternOf(u.pageName(file.Path, file.name).page, file.code); pattern != "" {
		p := s.permalink(pattern, file)
		if p == "" {
			return ""
		}
		return s.host(file.code) + escapeAddress("/"+s.languagePrefix(file.code)+u.hugo.ending(strings.Trim(p, "/"), section))
	}
	if slug := strings.Trim(file.meta.slug.Text, "-"); slug != "" {
		stem = hyphenate(slug)
	}
	p := path.Join(append(slices.Clone(folders), stem)...)
	if p = u.hugo.path(p); p == "" {
		return ""
	}
	p = strings.Trim(p, "/")
	if stem == "index" && !file.name.bundle { // a slug, which Hugo takes for the name of a file in that folder
		p = strings.TrimSuffix(p, stem)
	} else {
		p = u.hugo.ending(p, section)
	}
	return s.host(file.code) + escapeAddress("/"+s.languagePrefix(file.code)+p)
}

// ending adds the end to the address of a page of Hugo, which a section may have set to .html. That
// of the home page is empty.
func (r *hugoRules) ending(p, section string) string {
	if p == "" {
		return ""
	}
	if r.ugly || r.uglySections[section] {
		return p + ".html"
	}
	return p + "/"
}

// path returns a path as Hugo writes it in an address: with letters, digits and a few marks only.
// It is "" where the path may be escaped already.
func (r *hugoRules) path(p string) string {
	if hasEscape(p) {
		return ""
	}
	if r.noAccents {
		p = norm.NFC.String(strings.Map(func(c rune) rune {
			if unicode.Is(unicode.Mn, c) {
				return -1
			}
			return c
		}, norm.NFD.String(p)))
	}
	if r.keepCase {
		p = hyphenate(p)
	} else {
		p = strings.ToLower(p)
	}
	p = strings.Map(func(c rune) rune {
		switch {
		case hugoKeeps(c):
			return c
		case unicode.IsSpace(c):
			return '-'
		}
		return -1
	}, p)
	for strings.Contains(p, "//") { // no character of a folder's name was kept
		p = strings.ReplaceAll(p, "//", "/")
	}
	return strings.ReplaceAll(p, "#", "%23")
}

// hugoKeeps reports whether Hugo keeps a character in addresses.
func hugoKeeps(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("./\\_#+~-@", r)
}

// hugoName returns a slug, a title or the name of a file as Hugo writes it in the place of a token
// of a pattern. Hugo unescapes it as if it were part of a query, and takes a # at its end for an
// empty fragment.
func hugoName(s string) string {
	name, err := url.QueryUnescape(hyphenate(s))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(hyphenate(name), "#")
}

// hyphenate joins words by hyphens, unless there is one already. It leaves out the characters that
// Hugo does not keep, except those of an escape such as %20.
func hyphenate(s string) string {
	var b strings.Builder
	space, last := false, '-' // whether a hyphen is due, and the character that was written last
	for i, r := range s {
		switch {
		case hugoKeeps(r) || isEscape(s[i:]):
			if space && r != '-' {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			space, last = false, r
		case unicode.IsSpace(r):
			space = space || last != '-'
		}
	}
	return b.String()
}

// hasEscape reports whether a text has an escape such as %20.
func hasEscape(s string) bool {
	for i := range len(s) {
		if isEscape(s[i:]) {
			return true
		}
	}
	return false
}

// isEscape reports whether a text begins with an escape such as %20.
func isEscape(s string) bool { return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// asciiHost rewrites the host of an address as the domain name system has it (RFC 5891):
// exämple.org as xn--exmple-cua.org. Where the host is no valid name, ok is false and the host
// stays.
func asciiHost(u *url.URL) (ok bool) {
	name := u.Hostname()
	if !strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return true
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err == nil {
		u.Host = ascii + strings.TrimPrefix(u.Host, name)
	}
	return err == nil
}

// isAddress reports whether a text is an address on the web, or a path, as Hugo's pattern
// /:year/:slug/ is one.
func isAddress(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "www.") { // it would be a path
		return false
	}
	scheme, _, found := strings.Cut(s, ":")
	return !found || isWebAddress(s) || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" || scheme == ""
}

// isWebAddress reports whether a text is an address on the web, with a host. Clients that are told
// of a URI refuse a whole answer for one that they cannot read, such as https:// alone.
func isWebAddress(s string) bool {
	scheme, rest, found := strings.Cut(s, "://")
	if !found || scheme != "https" && scheme != "http" {
		return false
	}
	u, err := url.Parse(scheme + "://" + rest[:strings.IndexAny(rest+"/", "/?#")])
	return err == nil && u.Hostname() != ""
}

// escapeAddress percent-encodes the characters that a URI may not have (RFC 3986), and leaves alone
// what is encoded already. Package url lets some of them pass, above all in a query, and for one of
// these a strict client would refuse the whole answer.
func escapeAddress(s string) string {
	host := ""
	if scheme, rest, ok := strings.Cut(s, "://"); ok && !strings.ContainsAny(scheme, "/?#") { // otherwise the :// is in a path or query
		end := strings.IndexAny(rest+"/", "/?#")
		if u, err := url.Parse(scheme + "://" + rest[:end]); err == nil {
			asciiHost(u) // a host that is no valid name is percent-encoded
			host, s = u.String(), rest[end:]
		}
	}
	if u, err := url.Parse(s); err == nil {
		s = u.String()
	}
	var b strings.Builder
	b.WriteString(host)
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~:/?#@!$&'()*+,;=", c) >= 0,
			isEscape(s[i:]):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

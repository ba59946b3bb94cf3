package source

import (
	"cmp"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// Link is a link from an article to another file of the folder, which need not exist.
type Link struct {
	Ref     string // as its author wrote it
	Path    string // of the file
	Address string // of the article that is published there; "" if none is
}

// linksByFile reports whether authors write relative addresses as seen from the source file, rather
// than from the page made of it.
func (r *rules) linksByFile() bool {
	return r.mkdocs || r.book || r.programRoot || len(r.pageEndings) > 0 || !r.configured
}

// resolver makes the addresses in a file absolute.
type resolver struct {
	*Folder
	file   *File
	base   *url.URL // what addresses are relative to; nil if that is not known
	shared *url.URL // likewise for the files in sharedAddress
	root   string   // the path of the site, if the generator puts it before paths from the root
	links  []Link   // to other files
}

// resolver returns the resolver of the addresses in a file. They are relative to the address of the
// file's page if it has one, else to that of the site, or of the file within the site if authors
// write them so.
func (f *Folder) resolver(file *File) *resolver {
	page := file.URL
	if page == "" && f.Site.BaseURL != "" {
		page = f.Site.BaseURL + "/"
		if f.Site.rules.linksByFile() {
			page += escapeAddress(f.Site.rules.relative(file.Path))
		}
	}
	r := &resolver{Folder: f, file: file}
	if base, err := url.Parse(page); err == nil && page != "" {
		r.base = base
	}
	r.shared, _ = url.Parse(f.sharedAddress(file))
	if f.Site.rules.rooted && f.Site.BaseURL != "" && strings.HasPrefix(page, f.Site.BaseURL+"/") {
		r.root = f.Site.root()
	}
	return r
}

// resolve returns ref as an absolute address, or unchanged if it cannot be made absolute.
func (r *resolver) resolve(ref string) string {
	if r.Site.rules.pelican != nil {
		ref = r.Site.unmarked(r.file.Path, ref)
	}
	if r.base == nil || ref == "" || ref[0] == '#' {
		return ref
	}
	if page, ok := dialect.NoteOf(ref); ok && r.Site.rules.dialect.Found {
		return r.toNote(ref, page)
	}
	u, err := r.parseLink(r.file, ref)
	if err != nil {
		return ref
	}
	if u.Scheme != "" || u.Host != "" {
		return r.base.ResolveReference(u).String()
	}
	if address := r.toFile(ref, u); address != "" {
		return address
	}
	if r.shared.Path != "" && r.isShared(r.file, u.Path) {
		return r.shared.ResolveReference(u).String()
	}
	if strings.HasPrefix(u.Path, "/") && r.root != "" && u.Path != r.root && !strings.HasPrefix(u.EscapedPath(), r.root+"/") {
		return r.base.Scheme + "://" + r.base.Host + r.root + u.String()
	}
	return r.base.ResolveReference(u).String()
}

// parseLink parses a link of a file. The path of one without a host is as browsers read it, and as
// other generators than Docusaurus write it.
func (f *Folder) parseLink(file *File, ref string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(ref))
	if err != nil || u.Scheme != "" || u.Host != "" {
		return u, err
	}
	at := f.Site.rules.docusaurus.link(file.Path, strings.ReplaceAll(u.Path, `\`, "/"))
	if at != u.Path {
		u.Path, u.RawPath = at, ""
	}
	return u, nil
}

// toFile returns the address of the file of the folder that a link names, and keeps the link in
// r.links. If no article is published there, it is the address that the rules give the file by its
// path alone, because nothing that the file says may be published. toFile returns "" if the link
// names no file, or one without an address.
func (r *resolver) toFile(ref string, u *url.URL) string {
	target := r.linked(r.file, u)
	if target == "" {
		return ""
	}
	address := r.toArticle(ref, target)
	if address == "" {
		address = r.addressAt(r.file, target)
	}
	if address != "" && u.Fragment != "" {
		address += "#" + u.EscapedFragment()
	}
	return address
}

// toNote returns the address of the note that a link between notes names, and keeps the link in
// r.links. It returns "" if the note is not published, as is usual among notes.
func (r *resolver) toNote(ref, page string) string {
	note := r.noteAt(path.Dir(r.file.Path), page)
	if note == "" {
		return ""
	}
	return r.toArticle(ref, note)
}

// toArticle returns the address of the article that is published from a file, and keeps the link to
// it in r.links. It returns "" if none is, or if there are too many links to keep.
func (r *resolver) toArticle(ref, file string) string {
	if len(r.links) == mostLinks {
		return ""
	}
	l := Link{ref, file, r.published(file)}
	if !slices.Contains(r.links, l) {
		r.links = append(r.links, l)
	}
	return l.Address
}

// published returns the address of the article that is published from a file, or "" if none is.
func (f *Folder) published(file string) string {
	at, found := f.indexOf(file)
	if !found || f.Files[at].Status != Published {
		return ""
	}
	return cmp.Or(f.Files[at].URL, f.Site.inAPI(f.Files[at].ID))
}

// LeadsAsBefore reports whether a link that Article has returned for the file in an earlier state
// of the folder still has its address. A file with an error is assumed to be what it was.
func (f *Folder) LeadsAsBefore(file *File, l Link) bool {
	if f.Site.generator == hugo || f.Site.rules.docusaurus.configured { // where other files tell which one is meant
		u, err := f.parseLink(file, l.Ref)
		if err != nil || f.linked(file, u) != l.Path {
			return false
		}
	}
	at, found := f.indexOf(l.Path)
	return found && f.Files[at].Status == Invalid || f.published(l.Path) == l.Address
}

// sharedAddress returns the address at which Hugo puts the files that the translations of a page
// bundle share, or "" if that is this page's own. It is that of the page in the default language,
// which is assumed to differ from this page's only by the language.
func (f *Folder) sharedAddress(file *File) string {
	if f.Site.generator != hugo {
		return ""
	}
	u := &f.Site.rules
	name := u.name(file.Path)
	prefix := f.Site.languagePrefix(u.languageCode(file.Path, name))
	rest, ok := strings.CutPrefix(file.URL, f.Site.BaseURL+"/"+prefix)
	if !name.bundle || prefix == "" || !ok {
		return ""
	}
	return f.Site.BaseURL + "/" + f.Site.languagePrefix(u.defaultLanguage) + rest
}

// isShared reports whether a link from a page bundle leads to a file of the bundle that is in the
// default language, by its name or folder.
func (f *Folder) isShared(file *File, ref string) bool {
	target := path.Join(path.Dir(file.Path), ref)
	u := &f.Site.rules
	return path.Ext(ref) != "" && ref[0] != '/' && strings.HasPrefix(target, path.Dir(file.Path)+"/") &&
		u.languageCode(target, u.name(target)) == u.defaultLanguage
}

// linked returns the path of the file of the folder that a link without a host leads to, or "" if
// it leads to none.
func (f *Folder) linked(file *File, u *url.URL) string {
	if f.Site.rules.vault && u.Path != "" {
		if note := f.noteAt(path.Dir(file.Path), u.Path); note != "" {
			return note
		}
	}
	if p := f.Site.rules.withEnding(file.Path, u.Path); dialect.IsMarkdown(p) {
		return f.referred(file, u.Path, f.linkTarget(file, p))
	}
	if u.RawQuery == "" {
		return f.Site.rules.pageOf(file.Path, u.Path)
	}
	return ""
}

// noteAt returns the note that Obsidian finds for a link in a note of dir: the one at that path or,
// of all notes whose paths end in it, in whatever case, the one with the shortest path. It returns
// "" if there is none.
func (f *Folder) noteAt(dir, link string) (note string) {
	if !dialect.IsMarkdown(link) {
		link += ".md"
	}
	beside := path.Join(dir, link)
	if _, found := f.indexOf(beside); found && link[0] != '/' {
		return beside
	}
	f.linkable.Do(f.gatherLinkable)
	end := strings.ToLower(path.Join("/", link))
	for _, p := range f.named(knownName(link)) {
		if strings.HasSuffix("/"+strings.ToLower(p), end) && (note == "" || len(p) < len(note)) {
			note = p
		}
	}
	return note
}

// pageOf returns the file of the page that a link in a file of Hugo names by its path without
// extension, relative to the page or else from the content folder. It returns "" if the link names
// no page.
func (r *rules) pageOf(file, link string) string {
	if !r.hugo.linksPages || link == "" {
		return ""
	}
	own := r.pageName(file, r.name(file))
	page := "/" + strings.ToLower(strings.ReplaceAll(link, " ", "-"))
	pageAt := func(p string) string {
		return r.hugo.pages[pageName{cmp.Or(strings.Trim(path.Clean(p), "/"), "."), own.language}]
	}
	if link[0] == '/' {
		return pageAt(page)
	}
	if found := pageAt("/" + path.Join(path.Dir(own.page), page)); found != "" || link[0] == '.' {
		return found
	}
	return pageAt(page)
}

// referred returns the file of the page to which a link of Hugo to Markdown leads, as its ref finds
// it in the language of the file that has the link: relative to that, else from the content folder,
// else by its name, if no other page has it. One of Docusaurus leads to a file relative to its own,
// else from the folder of its pages or that of the site. It returns target if there is no such
// page, and for other generators.
func (f *Folder) referred(file *File, link, target string) string {
	u := &f.Site.rules
	if u.docusaurus.configured && dialect.IsMarkdown(link) && link[0] != '/' && link[0] != '.' {
		for _, at := range []string{target, path.Join(u.docusaurus.pagesAround(file.Path), link), path.Join(".", u.docusaurus.siteFolder, link)} {
			if _, found := f.indexOf(at); found {
				return at
			}
		}
	}
	if f.Site.generator != hugo || target == "" {
		return target
	}
	language := u.languageCode(file.Path, u.name(file.Path))
	pageAt := func(p string) string { return u.hugo.pages[pageName{u.pageName(p, u.name(p)).page, language}] }
	page := pageAt(target)
	if page != "" || link[0] == '/' || link[0] == '.' {
		return cmp.Or(page, target)
	}
	if page = pageAt(path.Join(f.top(file.Path), link)); page != "" || strings.Contains(link, "/") {
		return cmp.Or(page, target)
	}
	f.linkable.Do(f.gatherLinkable)
	stem := withoutExt(strings.ToLower(link))
	for _, name := range []string{stem + ".md", stem + "/index.md", stem + "/_index.md"} {
		for _, p := range f.named(name) {
			if pageAt(p) != p {
				continue // a translation, or no page
			}
			if page != "" {
				return target
			}
			page = p
		}
	}
	return cmp.Or(page, target)
}

// withEnding gives p, the path of a relative link in a file, the extension of the file that it
// leads to, if the site's generator lets authors write another extension or none. It returns any
// other path unchanged, such as one that leads to no chapter of a book.
func (r *rules) withEnding(file, p string) string {
	ending := path.Ext(p)
	if p == "" || p[0] == '/' || !slices.Contains(r.pageEndings, ending) {
		return p
	}
	p = r.docusaurus.fromFile(file, p)
	name := strings.TrimSuffix(strings.TrimSuffix(p, "/"), ending)
	base := path.Base(name)
	if base == "." || base == ".." || r.pageOfFolder != "" && strings.HasSuffix(p, "/") {
		name += "/" + cmp.Or(r.pageOfFolder, "index")
	}
	if !r.book {
		return name + ".md"
	}
	isChapter := func(name string) bool {
		_, found := r.chapters[path.Join(path.Dir(r.relative(file)), name)]
		return found
	}
	if readme := path.Join(path.Dir(name), "README.md"); base == "index" && isChapter(readme) {
		return readme
	}
	if isChapter(name + ".md") {
		return name + ".md"
	}
	return p
}

// linkTarget returns the path of the file that ref links to. ref is relative to file, or to the
// content folder if it begins with a slash or, as in Zola, with @/. linkTarget returns "" if that
// is not a path within the folder.
func (f *Folder) linkTarget(file *File, ref string) string {
	target, top := path.Join(path.Dir(file.Path), ref), f.top(file.Path)
	if f.Site.generator == jekyll { // {{ site.baseurl }} stands before {% link %}
		if rest, ok := strings.CutPrefix(ref, f.Site.root()+"/"); ok {
			ref = "/" + rest
		}
	}
	if rest, ok := strings.CutPrefix(ref, "@/"); ok {
		target = path.Join(top, rest)
	} else if below, fromRoot := strings.CutPrefix(ref, "/"); f.beginsAtTop(ref) {
		target = path.Join(f.Site.rules.base, below)
	} else if fromRoot {
		target = path.Join(top, below)
	}
	if !fs.ValidPath(target) || target == "." {
		return ""
	}
	return target
}

// beginsAtTop reports whether a link is read from the folder of the articles, not from the file. A
// link that says where it begins is left alone, and so is the mere name of a file where any folder
// may hold it: it is most likely beside.
func (f *Folder) beginsAtTop(ref string) bool {
	u := &f.Site.rules
	switch {
	case strings.HasPrefix(ref, "."):
		return false
	case u.fromTop == "found":
		_, found := f.indexOf(path.Join(u.base, ref))
		return found
	}
	return u.fromTop == "absolute" || u.fromTop == "shortest" && strings.Contains(ref, "/")
}

// top returns the content folder, or that of a language, that holds a file of Hugo or Zola. It
// returns "" for other generators.
func (f *Folder) top(file string) string {
	if f.Site.generator != hugo && f.Site.generator != zola {
		return ""
	}
	at, _ := f.Site.rules.folderOf(file)
	return at.dir
}

// addressAt returns the address of the file at target, to which file links, as far as its path
// alone tells.
func (f *Folder) addressAt(file *File, target string) string {
	u := &f.Site.rules
	if dir, name := path.Split(target); f.Site.generator == zola && u.name(target).section { // it is the page of its folder
		if dir = strings.TrimSuffix(dir, "/"); dir == f.top(target) {
			return absolute(f.Site.BaseURL, "/"+f.Site.languagePrefix(u.languageCode(target, u.name(target))))
		}
		target = dir + name[len("_index"):]
	}
	other := candidate{File: File{Path: target, Language: file.Language}, name: u.name(target), pathOnly: true}
	other.ID = other.name.id("", f.Site.DatesInIDs)
	other.code = u.languageCode(target, other.name)
	if d := other.name.date; !d.isZero() {
		other.Published = d.in(f.Site.TimeZone).UTC()
	}
	defaults := frontmatter.Document{HasMeta: true}
	f.Site.fillIn(target, other.name, &defaults)
	reader := metaReader{path: target, site: &f.Site}
	other.meta = reader.read(defaults)
	if address := f.Site.address(&other); address != "" || !article.ValidID(other.ID) {
		return address
	}
	return f.Site.inAPI(other.ID)
}

// inAPI returns the address of an article in the API.
func (s *Site) inAPI(id string) string { return s.BaseURL + article.ArticleOperation + "?id=" + id }

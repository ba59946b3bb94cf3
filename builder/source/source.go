package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// maxFileBytes is the largest size of an article's file: a long novel has a tenth of it.
const maxFileBytes = 10 << 20

// PageFolder is the folder of files that are published as they are, in place of the
// builder's own page and around it. It holds no articles.
const PageFolder = "_page"

// Options are what [Scan] needs besides the content folder.
type Options struct {
	// Now is the time that decides which articles are not yet, and which are no longer, published.
	Now time.Time
	// BaseURL is the address of the site, in place of the one in the settings; the settings decide
	// where it is empty.
	BaseURL string
	// Around is the folder that holds the content folder, or nil. Only a generator's
	// configuration is read there, and files that belong to it, such as package.json.
	Around fs.FS
	// Cache keeps what the bytes of files say from one scan to the next; it may be nil.
	Cache *cache.Cache
}

// Status says what becomes of a file.
type Status string

// The statuses, as the command list prints them.
const (
	Published  Status = "published"
	Draft      Status = "draft"
	Future     Status = "future"
	Expired    Status = "expired"
	NotArticle Status = "not-an-article"
	Invalid    Status = "invalid"
)

// Statuses returns all statuses, in the order in which a summary has them.
func Statuses() []Status { return []Status{Published, Draft, Future, Expired, NotArticle, Invalid} }

// File is one file of the content folder. All times are UTC and zero where the source
// has none.
type File struct {
	// Path is relative to the content folder, with slashes.
	Path string
	// ID is the id of the article; empty where the file is no article.
	ID string
	// Status says what becomes of the file. Reason says why it is not published, as a sentence
	// without a full stop; it is empty for a published file.
	Status Status
	Reason string
	// Published and Modified are the article's dates; PublishAt and ExpireAt are the
	// instants at which it appears and disappears.
	Published, Modified, PublishAt, ExpireAt time.Time
	// Language is the article's BCP 47 tag.
	Language string
	// URL is the address of the human page; empty where it is not known.
	URL string
	// Key changes whenever what Article returns for the file could change.
	Key [sha256.Size]byte

	tags             []string                 // all tags of the article, where a cascade hands down some of them; else nil
	search           *article.ArticleSettings // nil where the front matter says nothing about search
	idLine, idColumn int                      // of the id or slug in the front matter; 0 where the id is made of the path
}

// namedFile is a File with the parts of its path, while these are needed. A Folder does not keep
// them, as a large site has many files and the paths say the same.
type namedFile struct {
	File
	name nameOfPath
}

// Folder is a content folder that has been read: every file, with what becomes of it.
type Folder struct {
	Site     Site
	Files    []File    // sorted by path
	Problems []Problem // sorted by path and place
	Settings article.SearchSettings

	content fs.FS
	md      *markdown.Renderer
	buffers *sync.Pool        // of *[]byte, into which files are read
	key     [sha256.Size]byte // digest of everything that Article depends on besides the file
}

// Scan reads the settings and the front matter of every file below content and decides
// which are published at o.Now. It returns an error if the folder or a configuration cannot be read, and an
// [AddressError] or a [ThemeError]; what an author should fix is in Problems.
func Scan(ctx context.Context, content fs.FS, o Options) (*Folder, error) {
	f := &Folder{content: content}
	given := ""
	if o.BaseURL != "" {
		var err error
		if given, err = BaseURL(o.BaseURL); err != nil {
			return nil, err
		}
	}
	f.Site.BaseURL = given
	settings := configReader{siteReader{site: &f.Site, key: sha256.New()}}
	if err := settings.readSite(content); err != nil {
		return nil, err
	}
	if err := settings.read(content, o.Around); err != nil {
		return nil, err
	}
	if given != "" {
		delete(f.Site.From, "base_url")
		f.Site.BaseURL = given
	}
	s := scanner{folder: f, now: o.Now, cache: o.Cache, began: time.Now()}
	paths, err := s.walk(ctx)
	if err != nil {
		return nil, err
	}
	if f.Site.rules.dataFiles {
		if err := settings.dataFiles(content, paths, s.special); err != nil {
			return nil, err
		}
	}
	s.keyFiles(paths, settings.key)
	settings.siteBelow(content, paths)
	unsaid := f.Site.Language == ""
	f.complete(paths, settings.key)
	if unsaid {
		s.readLanguage(paths)
	}
	s.bundles = s.bundleFolders(paths)
	s.places(paths)
	if err := s.sections(ctx, paths); err != nil {
		return nil, err
	}
	if err := s.read(ctx, paths); err != nil {
		return nil, err
	}
	f.Problems = append(f.Problems, settings.problems...)
	f.clashes()
	settings.problems = nil
	if err := f.settings(&settings.siteReader); err != nil {
		return nil, err
	}
	f.Problems = append(f.Problems, settings.problems...)
	slices.SortFunc(f.Problems, CompareProblems)
	f.md = markdown.New(markdown.Flavour{Emojis: f.Site.rules.emoji, Lenient: f.Site.rules.lenient, Breaks: f.Site.rules.breaks, Math: f.Site.rules.formulas})
	f.buffers = &sync.Pool{New: func() any { return new([]byte) }}
	return f, nil
}

// IsForeign reports whether folders of this name belong to other programs, as .git and
// node_modules do. They are not searched for articles.
func IsForeign(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

// walk returns the paths of all files, sorted, and notes which of them are no regular
// files.
func (s *scanner) walk(ctx context.Context) (paths []string, err error) {
	s.special = map[string]fs.FileMode{}
	err = fs.WalkDir(s.folder.content, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if d.IsDir() {
			if p != "." && IsForeign(d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			s.special[p] = d.Type()
		}
		paths = append(paths, p)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read content: %w", err)
	}
	slices.Sort(paths)
	return paths, nil
}

// complete fills in the settings that neither site.yaml nor a configuration gives.
func (f *Folder) complete(paths []string, settings hash.Hash) {
	s := &f.Site
	u := &s.rules
	isSection := func(p string) bool { return path.Base(p) == "_index.md" }
	if s.generator == plain && !u.configured && slices.ContainsFunc(paths, isSection) && !mostlyMDX(paths) {
		s.generator = hugo
		if !slices.ContainsFunc(paths, func(p string) bool { return isSection(p) && !strings.HasPrefix(p, "content/") }) {
			u.folders, u.base = []articleFolder{{dir: "content"}}, "content"
		}
	}
	if u.date == nil {
		u.setDates(s.generator)
	}
	if len(u.folders) == 0 {
		u.folders = []articleFolder{{}}
	}
	if s.Language == "" {
		s.Language = "en"
	}
	if u.defaultLanguage == "" {
		u.defaultLanguage = strings.ToLower(s.Language)
	}
	if u.languages == nil && (s.generator == plain || s.generator == hugo && !u.configured) {
		s.languageFolders(paths)
		s.languageNames(paths)
	}
	if s.TimeZone == nil {
		s.TimeZone = time.UTC
	}
	s.Generator = s.generator.String()
	u.rawInCode = u.rawInCode || s.generator == jekyll
	u.vocabulary = vocabularyOf(s.generator, u.dateKeys)
	u.inEnglish = sync.OnceValue(languagesInEnglish)
	u.sections, u.readmes.indexes = u.sectionsOf(paths, s.generator), u.readmes.indexesOf(paths, u)
	fmt.Fprintf(settings, "%q %q %t %t %t %t %t %q %q %q %v", s.BaseURL, s.Generator, u.rawInCode, u.links, u.emoji, u.lenient, u.breaks, u.formulas, u.base, u.apps, u.readmes.indexes)
	if strings.Contains(fmt.Sprint(u.permalinks, u.permalinksOf), ":sections") {
		fmt.Fprintf(settings, "%v", u.sections) // the addresses of links depend on them
	}
	settings.Sum(f.key[:0])
}

// isMDX reports whether a file is MDX by its name.
func isMDX(p string) bool { return strings.EqualFold(path.Ext(p), ".mdx") }

// mostlyMDX reports whether most articles are MDX, which Hugo does not read: such a site is not one of Hugo, though a blog of Hugo may lie in it.
func mostlyMDX(paths []string) bool {
	mdx, all := 0, 0
	for _, p := range paths {
		if dialect.IsMarkdown(p) {
			all++
			if isMDX(p) {
				mdx++
			}
		}
	}
	return 2*mdx > all
}

// bundleFolders returns the folders of page bundles, which have an index.md, by their paths as rules.page returns them.
func (s *scanner) bundleFolders(paths []string) map[string]string {
	u := &s.folder.Site.rules
	bundles := map[string]string{}
	for _, p := range paths {
		if strings.EqualFold(path.Base(p)[:1], "i") && s.isPage(p) {
			name := splitPath(p, u)
			if name.bundle && !u.disabled[u.languageCode(p, name)] && u.ignored(p) == "" {
				bundles[path.Dir(u.page(p))] = path.Dir(p)
			}
		}
	}
	return bundles
}

// scanner reads the files of one folder.
type scanner struct {
	folder  *Folder
	now     time.Time
	cache   *cache.Cache
	began   time.Time // before any article was read
	special map[string]fs.FileMode
	bundles map[string]string
	cascade map[string][]cascade // by folder: what its section page hands down
	hidden  map[string]bool      // folders of Zola's draft sections
	sorted  map[pageName]string  // by section of Zola: its sort_by
	unread  map[string]string    // by folder: its section page, where that cannot be read and may keep the files below it from being published
	behind  map[string]string    // by file of Hugo that gets no page of its own: the file whose page is in its place

	mu       sync.Mutex
	problems []Problem // guarded by mu
}

// read reads all files, several at once.
func (s *scanner) read(ctx context.Context, paths []string) error {
	s.folder.Files = make([]File, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		group.Go(func() error {
			var buf []byte
			for i := w; i < len(paths); i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				file, problems, data, err := s.file(paths[i], buf)
				if err != nil {
					return err
				}
				buf = data
				s.folder.Files[i] = file
				if len(problems) > 0 {
					s.mu.Lock()
					s.problems = append(s.problems, problems...)
					s.mu.Unlock()
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	s.folder.Problems = append(s.folder.Problems, s.problems...)
	return nil
}

// sections reads the section pages, _index.md, before the other files, because what they say holds for the files below them.
func (s *scanner) sections(ctx context.Context, paths []string) error {
	s.cascade, s.hidden, s.sorted, s.unread = map[string][]cascade{}, map[string]bool{}, map[pageName]string{}, map[string]string{}
	site := &s.folder.Site
	if site.generator != hugo && site.generator != zola {
		return nil
	}
	for _, p := range paths {
		if path.Base(p)[0] != '_' || !s.isText(p) || s.special[p] != 0 {
			continue
		}
		name := splitPath(p, &site.rules)
		if !name.section || s.behind[p] != "" || s.notArticle(p) != "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		said, _, err := s.reading(p, nil)
		if err != nil || said.broken != nil { // read reports it, when it comes to this file
			if said.drafts || err != nil && !errors.Is(err, fs.ErrNotExist) { // a file that was removed since the folder was listed does not count
				s.unread[path.Dir(site.rules.page(p))] = p
			}
			continue
		}
		r := metaReader{path: p, site: site}
		m := r.read(said.doc.Meta, said.doc.HasMeta)
		if site.generator == zola && m.draft != nil && *m.draft {
			s.hidden[path.Dir(p)] = true
		}
		page, code := path.Dir(site.rules.page(p)), site.rules.languageCode(p, name)
		for _, table := range m.cascade {
			s.cascade[page] = append(s.cascade[page], newCascade(code, table))
		}
		if site.generator == zola && !flagOf(said.doc.Meta, "transparent") { // a transparent section passes its pages on to the section above
			s.sorted[pageName{page, code}] = textOf(said.doc.Meta, "sort_by")
		}
	}
	return nil
}

// leavesOut says why the site's generator leaves out a file, if it does: Zola, because the file lacks the key by which its section
// is sorted; Pelican, because it lacks a title or a date.
func (s *scanner) leavesOut(p string, name nameOfPath, code string, doc frontmatter.Value) (why string) {
	u, has := &s.folder.Site.rules, doc.Has
	section := path.Dir(u.page(p))
	if name.bundle {
		section = path.Dir(section)
	}
	by := s.sorted[pageName{section, code}]
	dated := has("date") || name.year > 0
	switch {
	case by == "date" && !dated, by == "update_date" && !dated && !has("updated"), by == "weight" && !has("weight"), strings.HasPrefix(by, "title") && !has("title"):
		return "its section is sorted by " + by + " and it has none, so that Zola leaves it out"
	case u.pelican && !u.untitled && !has("title"):
		return "it has no title, so that Pelican leaves it out"
	case u.pelican && !dated && !ignores(u.undated, u.relative(p)):
		return "it has no date, so that Pelican leaves it out"
	}
	return ""
}

// unreadAbove returns a section page above a file that cannot be read and may keep the file from being published; "" where there is none.
func (s *scanner) unreadAbove(p string) (section string) {
	if len(s.unread) == 0 {
		return ""
	}
	for dir := path.Dir(s.folder.Site.rules.page(p)); section == "" && dir != "."; dir = path.Dir(dir) {
		section = s.unread[dir]
	}
	return cmp.Or(section, s.unread["."])
}

// tooLarge is the error of a file above maxFileBytes.
type tooLarge struct{}

func (tooLarge) Error() string { return fmt.Sprintf("the file is larger than %d MB", maxFileBytes>>20) }

// readFile reads a file of at most maxFileBytes, into buf where it fits, and returns its
// stamp from before it was read.
func readFile(fsys fs.FS, name string, buf []byte) ([]byte, cache.Stamp, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return buf, cache.Stamp{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buf, cache.Stamp{}, err
	}
	stamp := cache.StampOf(info)
	if info.Size() > maxFileBytes {
		return buf, stamp, tooLarge{}
	}
	if need := int(info.Size()) + 1; cap(buf) < need {
		buf = make([]byte, 0, need)
	}
	buf = buf[:0]
	for {
		n, err := f.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, stamp, nil
		}
		if err != nil {
			return buf, stamp, err
		}
		if len(buf) > maxFileBytes {
			return buf, stamp, tooLarge{}
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}

// file reads one file and decides what becomes of it. It returns the buffer for the next file.
func (s *scanner) file(p string, buf []byte) (File, []Problem, []byte, error) {
	site := &s.folder.Site
	file := File{Path: p, Status: NotArticle}
	invalid := func(line, column int, what, hint string) (File, []Problem, []byte, error) {
		file.Status, file.Reason = Invalid, what
		return file, []Problem{{p, line, column, Error, what, hint}}, buf, nil
	}
	if what, hint := badName(p); what != "" {
		return invalid(0, 0, what, hint)
	}
	if file.Reason = s.notArticle(p); file.Reason != "" {
		return file, nil, buf, nil
	}
	if !s.isText(p) {
		file.Reason = "it is not Markdown"
		if ext := path.Ext(p); ext != "" {
			file.Reason += " (" + strings.ToLower(ext) + ")"
		}
		if markup := s.otherMarkup(p); markup != "" {
			return file, []Problem{{p, 0, 0, Warning, "it is written in " + markup + ", which is not read here", "write it in Markdown, as with: pandoc --to gfm"}}, buf, nil
		}
		if site.generator == hugo && path.Base(p) == "_content.gotmpl" {
			return file, []Problem{{p, 0, 0, Warning, "the pages that it makes are not known here: no template is run", "write them as files"}}, buf, nil
		}
		return file, nil, buf, nil
	}
	if isMDX(p) && site.generator != plain {
		file.Reason = "it is MDX, which " + site.Generator + " does not publish"
		return file, nil, buf, nil
	}
	said, buf, err := s.reading(p, buf)
	switch {
	case errors.Is(err, tooLarge{}):
		return invalid(0, 0, err.Error(), "split it into several articles")
	case errors.Is(err, fs.ErrPermission):
		return invalid(0, 0, "the file may not be read", "give the builder the right to read it")
	case errors.Is(err, fs.ErrNotExist): // removed since the folder was listed
		file.Reason = "it was removed"
		return file, nil, buf, nil
	case err != nil:
		return file, nil, buf, fmt.Errorf("read content: %w", err)
	}
	if se := said.broken; se != nil {
		return invalid(se.Line, se.Column, se.What, se.Hint)
	}
	file, problems := s.decide(p, said)
	return file, problems, buf, nil
}

// decide says what becomes of a file of Markdown or HTML by its front matter, its name and
// the site's settings.
func (s *scanner) decide(p string, said reading) (File, []Problem) {
	site := &s.folder.Site
	doc := said.doc
	file := namedFile{File: File{Path: p, Status: NotArticle}, name: site.rules.name(p)}
	if site.rules.readmes.indexes[p] && doc.HasMeta && !site.rules.readmes.withMatter {
		file.name = site.rules.ownName(p)
	}
	code := site.rules.languageCode(p, file.name)
	doc.TakeHead(site.generator == plain, site.rules.pelican)
	tagged := s.addCascade(p, code, file.name, &doc)
	site.addDefaults(p, file.name, &doc)
	r := metaReader{path: p, site: site, code: code}
	m := r.read(doc.Meta, doc.HasMeta)
	severity := Error // most generators, too, refuse a file that has a key twice
	if site.generator == jekyll || site.generator == hugo || site.rules.mkdocs {
		severity = Warning
	}
	for _, again := range doc.Meta.Again {
		r.report(severity, frontmatter.Value{Line: again.Line, Column: again.Column}, again.What, again.Hint)
	}
	for _, twice := range doc.Meta.Twice {
		r.report(Warning, frontmatter.Value{Line: twice.Line, Column: twice.Column}, twice.What, twice.Hint)
	}
	if !said.empty && site.generator != jekyll {
		m.redirect = "" // a page that has a text does not only redirect
	}
	if file.Reason = s.unpublishable(p, file.name, code, m); file.Reason != "" {
		return file.File, nil
	}
	s.identify(&file, m, &r)
	file.Language = r.language(m, file.name, code)
	s.date(&file, &m, code)
	file.URL = site.address(&file, m, code)
	if se := m.search; se.Boost != 0 || len(se.Pin) > 0 || se.Exclude {
		se.ID = file.ID
		file.search = &se
	}
	if tagged {
		file.tags = m.tags
	}
	file.Key = s.folder.keyOf(&file.File, said.sum)
	s.status(&file, m)
	if why := s.leavesOut(p, file.name, code, doc.Meta); why != "" && file.Status == Published {
		return File{Path: p, Status: NotArticle, Reason: why}, nil
	}
	if m.title == "" && m.linkTitle == "" && file.Status == Published && !said.heading && !isWritten(file.name.base) && !hasCaseless(file.name.base) {
		r.report(Warning, frontmatter.Value{Line: 1, Column: 1}, "the article has no title", "add title: to the front matter; until then its first heading or its file's name is taken")
	}
	if section := s.unreadAbove(p); section != "" && file.Status == Published {
		file.Status, file.Reason = Invalid, "its section page "+section+" cannot be read, which may make a draft of it"
	}
	for _, problem := range r.problems {
		if problem.Severity == Error {
			file.Status, file.Reason = Invalid, problem.What
			break
		}
	}
	return file.File, r.problems
}

// keyOf returns a digest of everything that Article depends on; sum is the digest of the file's
// bytes.
func (f *Folder) keyOf(file *File, sum [sha256.Size]byte) [sha256.Size]byte {
	b := append(make([]byte, 0, 1024), f.key[:]...)
	for _, s := range append([]string{file.Path, file.ID, file.Language, file.URL}, file.tags...) {
		b = append(append(b, s...), '\n')
	}
	for _, t := range [...]time.Time{file.Published, file.Modified} {
		b = append(strconv.AppendInt(b, t.Unix(), 10), '\n')
	}
	return sha256.Sum256(append(b, sum[:]...))
}

// otherMarkup returns the name of the markup language of a file that the site's generator may publish and
// this package cannot read, such as AsciiDoc; "" for any other file.
func (s *scanner) otherMarkup(p string) string {
	g := s.folder.Site.generator
	name := s.folder.Site.rules.name(p)
	if g == zola || g == jekyll && (!name.posts || name.year == 0) {
		return ""
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".adoc", ".asciidoc", ".ad":
		return "AsciiDoc"
	case ".org":
		return "Org"
	case ".rst":
		return "reStructuredText"
	case ".pandoc", ".pdc":
		return "Pandoc's Markdown"
	case ".textile":
		return "Textile"
	}
	if g != plain {
		return ""
	}
	switch strings.ToLower(path.Ext(p)) {
	case ".qmd", ".rmd": // the other generators get the Markdown that is made of it
		return "the Markdown of Quarto"
	case ".dj", ".djot":
		return "Djot"
	case ".lr":
		return "the form of Lektor"
	case ".smd":
		return "the Markdown of Zine"
	}
	return ""
}

// isText reports whether a file of this name may hold an article: Markdown, or in HTML a page of Hugo, or a post
// or a document of a collection of Jekyll. Other pages of Jekyll in HTML are mostly lists that Liquid makes.
func (s *scanner) isText(p string) bool {
	u := &s.folder.Site.rules
	switch g := s.folder.Site.generator; {
	case g == zola:
		return path.Ext(p) == ".md" || isMDX(p)
	case !isHTML(p):
		return dialect.IsMarkdown(p) || s.folder.Site.generator == plain && strings.EqualFold(path.Ext(p), ".mdoc") // Markdoc, as Astro has it
	}
	switch s.folder.Site.generator {
	case hugo:
		return u.configured // without a configuration, layouts cannot be told from content
	case jekyll:
		name := u.name(p)
		kind := u.kindOf(p, name)
		isDocument := kind != "" && kind != "pages" && !name.bundle
		return name.drafts || isDocument && (kind != "posts" || name.year > 0)
	}
	return false
}

// isPage reports whether the site's generator may make a page of a file of this name.
func (s *scanner) isPage(p string) bool {
	g := s.folder.Site.generator
	if isMDX(p) {
		return g == plain
	}
	return s.isText(p) || g == hugo && s.otherMarkup(p) != ""
}

func isHTML(name string) bool {
	ext := path.Ext(name)
	return strings.EqualFold(ext, ".html") || strings.EqualFold(ext, ".htm")
}

// badName says what is wrong with a name, if anything is.
func badName(p string) (what, hint string) {
	switch {
	case !utf8.ValidString(p):
		return "the file's name is not UTF-8", "rename it"
	case strings.ContainsFunc(p, unicode.IsControl):
		return "the file's name has a control character", "rename it"
	}
	return "", ""
}

// notArticle says why a file is no article, without reading it; "" where it may be one.
func (s *scanner) notArticle(p string) string {
	site := &s.folder.Site
	u := &site.rules
	name := path.Base(p)
	switch {
	case s.special[p]&fs.ModeSymlink != 0:
		return "it is a symbolic link"
	case s.special[p] != 0:
		return "it is no regular file"
	case p == SiteFile || p == TestsFile:
		return "it is a settings file"
	case strings.HasPrefix(p, PageFolder+"/"):
		return "it is a file of the page"
	case strings.HasPrefix(name, ".") || isTemporary(name):
		return "its name is that of a hidden or temporary file"
	}
	if why := u.ignored(p); why != "" {
		return why
	}
	if original := u.original(p); original != p {
		if _, err := fs.Stat(s.folder.content, original); err != nil {
			return "there is no " + original + ", of which it would be the translation"
		}
	}
	if u.mkdocs && name == "README.md" {
		index := path.Join(path.Dir(p), "index.md")
		if _, err := fs.Stat(s.folder.content, index); err == nil && u.ignored(index) == "" {
			return "MkDocs shows index.md in its place"
		}
	}
	rel := u.relative(p)
	stem := strings.TrimSuffix(name, path.Ext(name))
	switch site.generator {
	case hugo, zola:
		if site.generator == hugo { // Zola makes a page of each file in a bundle
			if why := s.inBundle(p); why != "" {
				return why
			}
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if s.hidden[dir] {
				return "its section " + dir + " is a draft"
			}
			if site.generator == hugo && isTemporary(path.Base(dir)) {
				return "it lies in a hidden or temporary folder"
			}
		}
	default:
		collection := "_" + u.collectionOf(p)
		for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
			switch segment := path.Base(dir); {
			case (segment == "_posts" || segment == "_drafts") && u.inBase(p), dir == collection, u.includes(dir):
			case strings.HasPrefix(segment, "_"):
				return "it lies in a folder for the site's generator (" + segment + ")"
			case isTemporary(segment):
				return "it lies in a hidden or temporary folder"
			}
		}
		if strings.HasPrefix(name, "_") && stem != "_index" && !u.includes(rel) {
			return "its name begins with an underscore"
		}
	}
	return ""
}

// inBundle says to which page bundle of Hugo a file belongs; "" where it belongs to none, or is the
// page of one. A bundle has the files of all languages, even if these have folders of their own.
func (s *scanner) inBundle(p string) string {
	site := &s.folder.Site
	page := site.rules.page(p)
	isIndex := splitPath(path.Base(p), &site.rules).bundle
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

// isTemporary reports whether editors give such a name to copies that they save while a file is edited: #a.md#, a.md~.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~")
}

// unpublishable says why a file is no article though its name allows it; "" where it is one.
func (s *scanner) unpublishable(p string, name nameOfPath, code string, m meta) string {
	site := &s.folder.Site
	u := &site.rules
	switch {
	case name.section:
		return "it is a section page"
	case s.behind[p] != "":
		return "the page " + s.behind[p] + " stands in its place"
	case u.disabled[code]:
		return "its language " + code + " is disabled"
	case m.render == "never" || m.render == "link":
		return "its build options keep it from being rendered"
	case m.list == "never" || m.list == "local":
		return "its build options keep it out of the site's lists"
	case m.unlisted != "":
		return m.unlisted + " keeps it out of the site's lists"
	case m.password != nil && *m.password, m.password == nil && slices.ContainsFunc(m.tags, u.isEncrypted):
		return "its readers need a password"
	case m.redirect != "":
		return "it redirects to " + m.redirect
	case m.noURL:
		return "permalink: false keeps it from being rendered"
	}
	if site.generator == jekyll {
		kind := u.kindOf(p, name)
		switch {
		case name.posts && name.year == 0:
			return "its name has no date, as the posts of Jekyll need"
		case name.posts && name.base == name.stem:
			return "its name has nothing behind the date, as the posts of Jekyll need"
		case !m.hasMeta && !(u.readmes.indexes[p] && name.bundle) && u.needsFrontMatter(p, kind):
			return "it has no front matter, so that Jekyll copies it"
		case name.bundle && path.Dir(p) == ".":
			return "it is the home page"
		}
	}
	return ""
}

// identify gives the file its id.
func (s *scanner) identify(file *namedFile, m meta, r *metaReader) {
	u := &s.folder.Site.rules
	if u.idIsName && m.id.Text != "" {
		m.slug, m.id = m.id, frontmatter.Value{}
	}
	switch {
	case article.ValidID(m.id.Text):
		file.ID, file.idLine, file.idColumn = m.id.Text, m.id.Line, m.id.Column
		return
	case m.id.Text != "":
		what, hint := fmt.Sprintf("the id %s is not valid", show(m.id)), "write lower-case letters and digits, joined by single hyphens, dots or underscores"
		if clean := cleanID(m.id.Text); article.ValidID(clean) {
			hint += fmt.Sprintf(", as in %q", clean)
		}
		if !u.configured {
			r.report(Error, m.id, what, hint)
			return
		}
		r.report(Warning, m.id, what, hint+"; until then the path of the file makes one") // this id is meant for another program
	}
	slug := strings.Trim(m.slug.Text, "/- ")
	if slug != "" {
		file.idLine, file.idColumn = m.slug.Line, m.slug.Column
		if cleanID(slug) == "" {
			r.report(Error, m.slug, fmt.Sprintf("the slug %s has no letter or digit", show(m.slug)), "write one that has, or leave slug out")
			return
		}
	}
	name := file.name
	if m.hasMeta && u.readmes.indexes[file.Path] { // Jekyll makes a page of it even beside an index.md
		name = u.ownName(file.Path)
	}
	file.ID = name.id(slug, s.folder.Site.datesInIDs)
	if file.ID == "" {
		r.report(Error, frontmatter.Value{}, "the file's name has no letter or digit", "rename it, or add id: to its front matter")
	}
}

// language decides the article's language: front matter, then name, then folder, then site.
func (r *metaReader) language(m meta, name nameOfPath, code string) string {
	if m.language.Text != "" {
		if tag, ok := languageTag(m.language.Text); ok {
			return tag
		}
		if tag, ok := r.site.rules.inEnglish()[strings.ToLower(m.language.Text)]; ok {
			return tag
		}
		r.report(Warning, m.language, fmt.Sprintf("%s is no language tag", show(m.language)), "write a BCP 47 tag, as in en, pt-BR or zh-Hant")
	}
	u := &r.site.rules
	if name.language == "" && r.site.generator == plain && len(name.folders) > 0 && u.isLanguage(name.folders[0]) {
		code = strings.ToLower(name.folders[0])
	}
	if tag, ok := u.languages[code]; ok {
		return tag
	}
	if u.languages == nil && code != u.defaultLanguage {
		return code // the tag itself; see languageFolders and languageNames
	}
	return r.site.Language
}

// status decides whether an article is a draft, or is published at this time. It asks in the order of Hugo's command
// line. At the instant PublishAt an article is published already, and at ExpireAt no longer.
func (s *scanner) status(file *namedFile, m meta) {
	u := &s.folder.Site.rules
	switch {
	case m.draft != nil && *m.draft:
		file.Status, file.Reason = Draft, "draft is true"
	case m.published != nil && !*m.published && (m.draft == nil || s.folder.Site.generator == jekyll || u.explicit):
		file.Status, file.Reason = Draft, "published is false"
	case u.explicit && m.published == nil:
		file.Status, file.Reason = Draft, "publish is not true, as the site's configuration wants it"
	case file.name.drafts && !u.drafts:
		file.Status, file.Reason = Draft, "it lies in _drafts"
	case !u.future && !file.PublishAt.IsZero() && file.PublishAt.After(s.now):
		file.Status, file.Reason = Future, "it is published at "+file.PublishAt.Format(time.RFC3339)
	case !file.ExpireAt.IsZero() && !file.ExpireAt.After(s.now):
		file.Status, file.Reason = Expired, "it expired at "+file.ExpireAt.Format(time.RFC3339)
	default:
		file.Status, file.Reason = Published, ""
	}
}

// settings gathers the search settings and the search tests of the site, and the search settings of its published articles.
func (f *Folder) settings(r *siteReader) error {
	f.Settings = article.SearchSettings{Language: f.Site.Language, Synonyms: f.Site.synonyms, Articles: []article.ArticleSettings{}}
	if f.Settings.Synonyms == nil {
		f.Settings.Synonyms = []article.Synonym{}
	}
	published := make(map[string]bool, len(f.Files))
	for _, file := range f.Files {
		if file.Status != Published {
			continue
		}
		published[file.ID] = true
		if file.search != nil {
			f.Settings.Articles = append(f.Settings.Articles, *file.search)
		}
	}
	slices.SortFunc(f.Settings.Articles, func(a, b article.ArticleSettings) int { return strings.Compare(a.ID, b.ID) })
	tests, err := r.readTests(f.content, func(id string) bool { return published[id] })
	f.Settings.Tests = tests
	return err
}

// Next returns the first instant after now at which an article appears or disappears; ok is
// false where there is none.
func (f *Folder) Next(now time.Time) (next time.Time, ok bool) {
	for _, file := range f.Files {
		if file.Status == NotArticle || file.Status == Draft {
			continue // an invalid file may be one whose id clashes until another expires
		}
		for _, t := range [...]time.Time{file.PublishAt, file.ExpireAt} {
			if t.After(now) && (!ok || t.Before(next)) {
				next, ok = t, true
			}
		}
	}
	return next, ok
}

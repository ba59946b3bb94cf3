package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/source/include"
	"newsstand/builder/source/markdown"
)

// PageFolder is the folder whose files are published unchanged, beside the builder's own page or in
// place of it. It holds no articles.
const PageFolder = "_page"

// Options are what [Scan] needs besides the content folder.
type Options struct {
	// Now is the time at which the scan decides which articles are not yet, or no longer,
	// published.
	Now time.Time
	// BaseURL is the address of the site. It overrides the one in the settings unless it is empty.
	BaseURL string
	// Around is the folder that holds the content folder, or nil. Only a generator's configuration,
	// files that belong to it, such as package.json, and files that articles include are read
	// there.
	Around fs.FS
	// Cache keeps from one scan to the next what the bytes of files say; it may be nil.
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

// Statuses returns all statuses, in the order in which a summary lists them.
func Statuses() []Status { return []Status{Published, Draft, Future, Expired, NotArticle, Invalid} }

// File is one file of the content folder. All times are in UTC, and zero if the source has none.
type File struct {
	// Path is relative to the content folder, with slashes.
	Path string
	// ID is the id of the article; empty if the file is not an article.
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
	// URL is the address of the human page; empty if it is not known.
	URL string
	// Key changes whenever what Article returns for the file could change.
	Key [sha256.Size]byte

	includes         bool                     // whether its text may include other files
	tags             []string                 // all tags of the article if a cascade hands down some of them; else nil
	search           *article.ArticleSettings // nil if the front matter says nothing about search
	idLine, idColumn int                      // of the id or slug in the front matter; 0 if the id is made from the path
}

// Folder is a content folder that has been read: every file, with what becomes of it.
type Folder struct {
	Site     Site
	Files    []File    // sorted by path
	Problems []Problem // sorted by path and place
	Settings article.SearchSettings

	now     time.Time
	content fs.FS
	around  fs.FS             // the folder around it, or nil
	include *include.Expander // nil if texts include no files
	md      *markdown.Renderer
	mdNamed *markdown.Renderer // for texts with names of links that may be defined elsewhere; nil where no text has any, see expanded
	buffers sync.Pool          // of *[]byte, into which files are read
	teaser  *regexp.Regexp     // matches the mark that ends the summary in an article's text
	key     [sha256.Size]byte  // digest of everything that Article depends on besides the file

	parts struct { // files that articles include
		sync.Mutex
		known map[partName]filePart
		bytes int       // of these, about
		keyed bool      // whether the keys of files depend on them yet
		next  time.Time // the first instant after now at which one may be included, or no longer; zero if there is none
	}

	linkable sync.Once // guards linkedFiles, which is made on first use
	linkedFiles
}

// Scan reads the settings and the front matter of every file below content and decides which are
// published at o.Now. It returns an error if the folder or a configuration cannot be read or if the
// folder is a theme rather than a site, and an [AddressError] if o.BaseURL is not a web address.
// What an author should fix is in Problems.
func Scan(ctx context.Context, content fs.FS, o Options) (*Folder, error) {
	f := &Folder{now: o.Now, content: content, around: o.Around, buffers: sync.Pool{New: func() any { return new([]byte) }}}
	f.Site.From = map[string]string{}
	seen, around := newWitness(content), newWitness(o.Around)
	settings := siteReader{site: &f.Site, content: seen, key: sha256.New()}
	if o.Around != nil {
		settings.around = around
	}
	if err := settings.read(o.BaseURL); err != nil {
		return nil, err
	}
	listed, err := walk(ctx, content)
	if err != nil {
		return nil, err
	}
	paths := listed.paths
	if err := settings.readAmong(paths, listed.special); err != nil {
		return nil, err
	}
	unsaid := f.Site.Language == ""
	f.guessHugo(paths)
	f.Site.setDefaults(paths)
	s := scanner{Folder: f, cache: o.Cache, began: time.Now(), special: listed.special}
	if unsaid {
		s.guessLanguage(paths)
	}
	s.bundles = s.bundleFolders(paths)
	s.choosePages(paths)
	if err := s.sections(ctx, paths); err != nil {
		return nil, err
	}
	f.sumSettings(paths, settings.key)
	if err := s.read(ctx, paths); err != nil {
		return nil, err
	}
	f.gather()
	f.clashes()
	f.sharedAddresses()
	if err := f.includeAll(ctx, o.Cache); err != nil {
		return nil, err
	}
	if err := s.confirm(ctx, listed, seen, around); err != nil {
		return nil, err
	}
	if err := f.gatherSearch(&settings); err != nil {
		return nil, err
	}
	f.Problems = append(f.Problems, settings.problems...)
	slices.SortFunc(f.Problems, CompareProblems)
	flavour := f.Site.rules.flavour
	f.md = markdown.New(flavour)
	if f.Site.rules.inclusions.forms&include.Liquid != 0 {
		flavour.Names = true
		f.mdNamed = markdown.New(flavour)
	}
	f.teaser = endOfSummary()
	return f, nil
}

// gather puts the paths, ids and addresses of all files into one string, so that the garbage
// collector does not visit each of them in every cycle while the articles are rendered.
func (f *Folder) gather() {
	size := 0
	for _, file := range f.Files {
		size += len(file.Path) + len(file.ID) + len(file.URL)
	}
	var all strings.Builder
	all.Grow(size)
	for i := range f.Files {
		file := &f.Files[i]
		for _, s := range [...]*string{&file.Path, &file.ID, &file.URL} {
			begin := all.Len()
			all.WriteString(*s)
			*s = all.String()[begin:]
		}
	}
}

// IsForeign reports whether folders of this name belong to other programs, as .git and node_modules
// do. Such folders are not searched for articles.
func IsForeign(name string) bool { return strings.HasPrefix(name, ".") || name == "node_modules" }

// setDefaults fills in the settings that neither site.yaml nor a configuration gives, and those
// that follow from the generator and the paths of the files.
func (s *Site) setDefaults(paths []string) {
	u := &s.rules
	if u.date == nil {
		u.setDates(s.generator)
	}
	if s.Language == "" {
		s.Language = cmp.Or(u.presetLanguage, "en")
	}
	if u.defaultLanguage == "" {
		u.defaultLanguage = strings.ToLower(s.Language)
	}
	if u.languages == nil && (s.generator == plain || s.generator == jekyll || s.generator == hugo && !u.configured) {
		if s.generator != jekyll { // whose folders are those of its collections
			s.guessLanguageFolders(paths)
		}
		s.guessLanguageNames(paths)
		if len(s.Languages()) > 0 {
			s.say("languages", "the names of files")
		}
	}
	if s.TimeZone == nil {
		s.TimeZone = time.UTC
	}
	s.Generator = s.generator.String()
	u.dialect.Generator, u.dialect.Root = s.generator, s.root()
	u.dialect.RawInCode = u.dialect.RawInCode || s.generator == jekyll
	if s.generator == hugo {
		u.flavour.Protocol = cmp.Or(u.flavour.Protocol, "https")
		u.hugo.sections = u.sectionsOf(paths)
	}
	u.vocabulary = vocabularyOf(s.generator, u.hugo.dateKeys)
	if u.dialect.Logseq {
		u.vocabulary["public"] = "publish"
	}
	if u.middleman {
		u.vocabulary["ignored"] = "unlisted"
	}
	u.inEnglish = sync.OnceValue(languagesInEnglish)
	u.jekyll.readmes = u.readmesOf(paths)
}

// Next returns the first instant after the time of the scan at which an article appears or
// disappears, or the zero time if there is none.
func (f *Folder) Next() time.Time {
	f.parts.Lock()
	next := f.parts.next
	f.parts.Unlock()
	for _, file := range f.Files {
		if file.Status == NotArticle || file.Status == Draft {
			continue // an invalid file may be one whose id clashes until another expires
		}
		if file.Status != Invalid && !file.ExpireAt.IsZero() && !file.ExpireAt.After(file.PublishAt) {
			continue // it is never published; an invalid one may stay as it was published before, until it expires
		}
		next = soonest(f.now, next, file.PublishAt, file.ExpireAt)
	}
	return next
}

// soonest returns the first of some instants that is after now, or the zero time if none is.
func soonest(now time.Time, instants ...time.Time) (first time.Time) {
	for _, t := range instants {
		if t.After(now) && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}

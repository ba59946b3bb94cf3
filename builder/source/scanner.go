package source

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/cache"
	"newsstand/builder/source/frontmatter"
)

// scanner reads the files of one folder.
type scanner struct {
	*Folder
	cache       *cache.Cache
	began       time.Time                    // before any article was read
	special     map[string]fs.FileMode       // see walk
	bundles     map[string]string            // see bundleFolders
	cascade     map[string][]cascade         // by folder: what its section page hands down
	hidden      map[string]bool              // folders of Zola's draft sections
	sorted      map[pageName]string          // by section of Zola: its sort_by
	sectionSums map[string][sha256.Size]byte // of the bytes of section pages, by path
	unread      map[string]string            // by folder: its section page, if that cannot be read and may keep the files below it from being published
	replacedBy  map[string]string            // by file of Hugo that gets no page of its own: the file whose page takes its place
}

// walked is what lies in a folder and all below it.
type walked struct {
	paths   []string               // of all files, sorted
	special map[string]fs.FileMode // the types of those that are not regular files
	folders map[string]bool        // all that were searched, by path
}

// walk lists the content folder.
func walk(ctx context.Context, content fs.FS) (l walked, err error) {
	l.special, l.folders = map[string]fs.FileMode{}, map[string]bool{}
	err = fs.WalkDir(content, ".", func(p string, d fs.DirEntry, err error) error {
		if p != "." && (isAbsent(err) || leadsOut(err)) {
			return ChangedError{p} // a folder removed, renamed or replaced by a link since it was listed
		}
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
			if utf8.ValidString(d.Name()) {
				l.folders[p] = true
				return nil
			}
			l.paths = append(l.paths, p) // io/fs cannot open it; scanner.file reports its name
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			l.special[p] = d.Type()
		}
		l.paths = append(l.paths, p)
		return nil
	})
	if err != nil {
		return l, fmt.Errorf("read content: %w", err)
	}
	slices.Sort(l.paths)
	return l, nil
}

// sections reads the section pages (_index.md) before the other files, because what they say holds
// for the files below them.
func (s *scanner) sections(ctx context.Context, paths []string) error {
	s.sectionSums = map[string][sha256.Size]byte{}
	s.cascade, s.hidden, s.sorted, s.unread = map[string][]cascade{}, map[string]bool{}, map[pageName]string{}, map[string]string{}
	site := &s.Site
	for _, p := range paths {
		if !s.isSection(p) || s.replacedBy[p] != "" || s.whyNotArticle(p) != "" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		said, err := s.reading(p)
		if err == nil {
			s.sectionSums[p] = said.sum
		}
		switch {
		case err == nil && said.broken == nil:
			s.section(p, said.doc)
		case errors.Is(err, fs.ErrNotExist): // removed since the folder was listed
			return ChangedError{p}
		case err != nil, said.drafts: // read reports it when it comes to this file
			s.unread[path.Dir(site.rules.pagePath(p))] = p
		}
	}
	return nil
}

// isSection reports whether a file is a section page of Hugo or Zola, in Org or AsciiDoc, too: Hugo
// hands down what their front matter says.
func (s *scanner) isSection(p string) bool {
	site := &s.Site
	return (site.generator == hugo || site.generator == zola) &&
		path.Base(site.rules.ownTarget(p))[0] == '_' && (s.isText(p) || s.otherMarkup(p) != "") && site.rules.name(p).section
}

// section notes what a section page says about the files below it.
func (s *scanner) section(p string, doc frontmatter.Document) {
	site := &s.Site
	r := metaReader{path: p, site: site}
	m := r.read(doc)
	page, name := path.Dir(site.rules.pagePath(p)), site.rules.name(p)
	code := site.rules.languageCode(p, name)
	codes := site.rules.sitesOf(doc.Meta, code)
	if name.language == "" && len(site.rules.hugo.languages(sitesMatrix(doc.Meta))) == 0 {
		codes = dedupe(slices.Concat(codes, site.rules.placeOf(p).all))
	}
	for _, table := range m.cascade {
		for _, code := range codes {
			if !site.rules.unread(code) {
				s.cascade[page] = append(s.cascade[page], site.rules.hugo.newCascade(code, table))
			}
		}
		site.rules.hugo.noteCascade(table)
	}
	if site.generator != zola {
		return
	}
	if m.draft != nil && *m.draft {
		s.hidden[path.Dir(p)] = true
	}
	if !flagOf(doc.Meta, "transparent") { // a transparent section passes its pages on to the section above
		s.sorted[pageName{page, code}] = textOf(doc.Meta, "sort_by")
	}
}

// read reads all files, several at once.
func (s *scanner) read(ctx context.Context, paths []string) error {
	s.Files = make([]File, len(paths))
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	found := make([][]Problem, workers) // by worker
	for w := range workers {
		group.Go(func() error {
			for i := w; i < len(paths); i += workers {
				if err := ctx.Err(); err != nil {
					return err
				}
				file, problems, err := s.file(paths[i])
				if err != nil {
					return err
				}
				s.Files[i] = file
				found[w] = append(found[w], problems...)
			}
			return nil
		})
	}
	err := group.Wait()
	s.Problems = append(s.Problems, withoutFlood(s.Files, slices.Concat(found...))...)
	return err
}

// file reads one file and decides what becomes of it.
func (s *scanner) file(p string) (File, []Problem, error) {
	site := &s.Site
	file := File{Path: p, Status: NotArticle}
	invalid := func(e frontmatter.Error) (File, []Problem, error) {
		file.Status, file.Reason = Invalid, e.What
		return file, []Problem{problemOf(p, &e, Error)}, nil
	}
	if what := badName(p); what != "" {
		return invalid(frontmatter.Error{What: what, Hint: "rename it"})
	}
	if file.Reason = s.whyNotArticle(p); file.Reason != "" {
		return file, nil, nil
	}
	if !s.isText(p) {
		if file.Reason = "it is not Markdown"; path.Ext(p) != "" {
			file.Reason += " (" + strings.ToLower(path.Ext(p)) + ")"
		}
		return file, s.meantAsText(p), nil
	}
	if isMDX(p) && site.generator != plain {
		file.Reason = "it is MDX, which " + site.Generator + " does not publish"
		return file, nil, nil
	}
	said, err := s.reading(p)
	switch {
	case errors.Is(err, tooLarge{}):
		return invalid(frontmatter.Error{What: err.Error(), Hint: "split it into several articles"})
	case errors.Is(err, fs.ErrPermission):
		return invalid(frontmatter.Error{What: "the builder has no permission to read the file", Hint: "give it that permission"})
	case errors.Is(err, fs.ErrNotExist): // removed since the folder was listed
		file.Reason = "it was removed"
		return file, nil, nil
	case leadsOut(err): // a link has taken its place, or that of its folder, since it was listed
		return file, nil, ChangedError{p}
	case err != nil:
		return file, nil, fmt.Errorf("read content: %w", err)
	case said.broken != nil:
		return invalid(*said.broken)
	}
	file, problems := s.decide(p, said)
	return file, problems, nil
}

// withoutFlood keeps the warnings of the first files of each markup language that is not read, and
// one that counts the others, which `builder list` names: a site may have hundreds. It does so for
// articles without a title, too, if most have none, or most in the folders of one name: then that
// is how they are written.
func withoutFlood(files []File, problems []Problem) []Problem {
	const kept = 3
	untitled, published := map[string]int{}, map[string]int{} // by the name of the folder; of all, by ""
	folder := func(p string) string { return path.Base(path.Dir(p)) }
	for _, p := range problems {
		if p.Hint == nameTaken {
			untitled[""]++
			untitled[folder(p.Path)]++
		}
	}
	for _, f := range files {
		if len(untitled) > 0 && f.Status == Published {
			published[""]++
			published[folder(f.Path)]++
		}
	}
	isWay := func(folder string) bool {
		return untitled[folder] > fewUntitled && 2*untitled[folder] > published[folder]
	}
	slices.SortStableFunc(problems, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	counts, first := map[string]int{}, map[string]Problem{} // by warning: how many there are, and the first left out
	problems = slices.DeleteFunc(problems, func(p Problem) bool {
		if p.Hint != inMarkdown && !(p.Hint == nameTaken && (isWay("") || isWay(folder(p.Path)))) {
			return false
		}
		counts[p.What]++
		if counts[p.What] == kept+1 {
			first[p.What] = p
		}
		return counts[p.What] > kept
	})
	for _, what := range slices.Sorted(maps.Keys(first)) {
		p := first[what]
		if n := counts[what] - kept - 1; n > 0 {
			p.What += fmt.Sprintf("; the same holds for %d more", n)
			if p.Hint == inMarkdown {
				p.What += ", which builder list names"
			}
		}
		problems = append(problems, p)
	}
	return problems
}

// fewUntitled is how many articles without a title are each named, even if most have none: as many
// as someone may go through.
const fewUntitled = 20

// inMarkdown is what to do about a file in another markup language.
const inMarkdown = "write it in Markdown, as with: pandoc --to gfm"

// meantAsText warns of a file that is not Markdown if its author may expect it to be read.
func (s *scanner) meantAsText(p string) []Problem {
	warning := Problem{Path: p, Severity: Warning}
	settings, markup := settingsMeant(p), s.otherMarkup(p)
	switch site := &s.Site; {
	case settings != "" && !site.rules.configured:
		warning.What, warning.Hint = "it is not read: settings are in "+settings, "rename it to "+settings
	case markup != "":
		warning.What, warning.Hint = "it is written in "+markup+", which is not read here", inMarkdown
	case site.generator == hugo && path.Base(p) == "_content.gotmpl":
		warning.What, warning.Hint = "the pages that it makes are not known here: no template is run", "write them as files"
	default:
		return nil
	}
	return []Problem{warning}
}

// candidate is a file while the scan decides what becomes of it. A Folder keeps only its File, as a
// large site has many.
type candidate struct {
	File
	name     nameOfPath // the parts of its path
	code     string     // of its language
	meta     meta       // what its front matter says
	pathOnly bool       // whether only the file's path is known, not its front matter
}

// decide decides what becomes of a Markdown or HTML file by its front matter, its name and the
// site's settings. It also returns the problems that the author should know about.
func (s *scanner) decide(p string, said reading) (File, []Problem) {
	site := &s.Site
	file := candidate{File: File{Path: p, Status: NotArticle}, name: s.nameOf(p, said.doc)}
	tagged := s.handDown(&file, &said.doc)
	r := metaReader{path: p, site: site, code: file.code, now: s.now}
	file.meta = r.readPage(said)
	if file.Reason = s.whyUnpublishable(&file); file.Reason != "" {
		return file.File, nil
	}
	s.describe(&file, &r)
	if tagged {
		file.tags = file.meta.tags
	}
	file.Key, file.includes = s.keyOf(&file.File, said.sum), said.includes&site.rules.inclusions.forms != 0
	s.decideStatus(&file)
	if why := s.whyIncomplete(&file, said.doc.Meta); why != "" && file.Status == Published {
		return File{Path: p, Status: NotArticle, Reason: why}, nil
	}
	r.warn(&file, said)
	s.invalidate(&file, r.problems)
	return file.File, r.problems
}

// nameOf splits the path of a file into parts. A README with front matter is the index of its
// folder only if the site allows it.
func (s *scanner) nameOf(p string, doc frontmatter.Document) nameOfPath {
	u := &s.Site.rules
	if u.jekyll.readmes[p] && doc.HasMeta && !u.jekyll.readmeWithMatter {
		return u.ownName(p)
	}
	return u.name(p)
}

// handDown adds to the front matter of a document what stands unfenced at the head of its text, and
// what section pages, the configuration and defaults give it. It also sets the file's language,
// which these may name. It reports whether section pages or the configuration added tags or
// categories.
func (s *scanner) handDown(file *candidate, doc *frontmatter.Document) (tagged bool) {
	site := &s.Site
	file.code = site.rules.languageCode(file.Path, file.name)
	if site.generator == hugo {
		file.code = site.rules.siteOf(doc.Meta, file.code)
	}
	site.takeUnfenced(doc)
	tagged = s.inherit(file, doc)
	if site.generator == hugo { // what is handed down may name languages
		file.code = site.rules.siteOf(doc.Meta, file.code)
	}
	site.fillIn(file.Path, file.name, doc)
	return tagged
}

// describe sets where and when an article appears: its id, language, dates, address and search
// settings.
func (s *scanner) describe(file *candidate, r *metaReader) {
	s.identify(file, r)
	file.Language = r.language(file)
	s.decideDates(file)
	file.URL = s.Site.address(file)
	if se := file.meta.search; se.Boost != 0 || len(se.Pin) > 0 || se.Exclude {
		se.ID = file.ID
		file.search = &se
	}
}

// invalidate keeps back an article that has an error, or that may be a draft by a section page that
// cannot be read.
func (s *scanner) invalidate(file *candidate, problems []Problem) {
	if section := s.unreadAbove(file.Path); section != "" && file.Status == Published {
		file.Status, file.Reason = Invalid, "its section page "+section+", which may make it a draft, cannot be read"
	}
	if i := slices.IndexFunc(problems, func(p Problem) bool { return p.Severity == Error }); i >= 0 {
		file.Status, file.Reason = Invalid, problems[i].What
	}
}

// takeUnfenced treats lines without fences at the beginning of a document as its front matter if
// the site's generator does.
func (s *Site) takeUnfenced(doc *frontmatter.Document) {
	taken := s.generator == plain
	switch doc.Unfenced {
	case frontmatter.OpenHead:
		taken = s.rules.pelican != nil
	case frontmatter.LoneHead:
		taken = taken && (s.rules.pelican != nil || s.rules.mkdocs)
	case frontmatter.Properties:
		taken = taken && s.rules.dialect.Logseq
	}
	doc.TakeUnfenced(taken)
}

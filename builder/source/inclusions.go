package source

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/cache"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/script"
)

// inclusionRules say how the texts of a site include other files.
type inclusionRules struct {
	forms   include.Forms
	folders []string // from the content folder: where names begin that are not looked for beside the text
	root    string   // likewise: the folder of the project
	aliases []alias
}

// alias is what the names of imports may begin with in place of a folder.
type alias struct {
	name   string // with a slash at its end
	folder string // from the content folder
}

// includes notes that texts may include files by marks of these forms, whose names begin at one of
// the folders of the project.
func (r *siteReader) includes(forms include.Forms, folders ...string) {
	in := &r.site.rules.inclusions
	in.forms |= forms
	in.root = path.Clean(r.fromContent("."))
	for _, folder := range folders {
		in.folders = append(in.folders, path.Clean(r.fromContent(folder)))
	}
}

// aliases reads tsconfig.json, which is JSON with comments, for the aliases of folders, such as
// "@partials/*": ["src/partials/*", "src/*"]. As in TypeScript, the longest that fits counts first.
func (r *siteReader) aliases() {
	in := &r.site.rules.inclusions
	source, _ := readOptional(r.root, "tsconfig.json") // one that cannot be read is no reason to fail
	p, _ := script.Parse("tsconfig.ts", slices.Concat([]byte("export default "), source))
	options := inner(p.Default(), "compilerOptions")
	base := inner(options, "baseUrl").Text
	for _, f := range inner(options, "paths").Fields {
		for _, folder := range f.Value.Items {
			name, isName := strings.CutSuffix(f.Key, "/*")
			if within, isFolder := strings.CutSuffix(folder.Text, "*"); isName && isFolder && name != "" {
				in.aliases = append(in.aliases, alias{name + "/", path.Clean(r.fromContent(path.Join(base, within)))})
			}
		}
	}
	slices.SortStableFunc(in.aliases, func(a, b alias) int { return cmp.Compare(len(b.name), len(a.name)) })
}

// inclusions is the kind of the cache entries that hold which files an article includes, by the
// path of the article.
const inclusions cache.Kind = 'i'

// includeAll makes the keys of the articles that include files depend on these. It needs to know
// what becomes of all files.
func (f *Folder) includeAll(ctx context.Context, known *cache.Cache) error {
	f.include = include.New(f.Site.rules.inclusions.forms)
	f.parts.known = map[partName]filePart{}
	var including []int
	for i, file := range f.Files {
		if file.Status == Published && file.includes {
			including = append(including, i)
		}
	}
	keys := make([][sha256.Size]byte, len(including)) // kept apart while the files are looked at
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for k, i := range including {
		group.Go(func() (err error) {
			if err := working.Err(); err != nil {
				return err
			}
			keys[k], err = f.keyOfIncluding(&f.Files[i], known)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for k, i := range including {
		f.Files[i].Key = keys[k]
	}
	f.parts.keyed = true
	return nil
}

// keyOfIncluding returns the key of an article that includes files. It expands the article only if
// this, or one of the files that it included when it was last expanded, has changed since.
func (f *Folder) keyOfIncluding(file *File, known *cache.Cache) ([sha256.Size]byte, error) {
	if e, ok := known.Get(inclusions, file.Path); ok {
		from := cache.NewReader(e.Value)
		key := from.Raw(len(file.Key))
		names := make([]partName, from.Len())
		for i := range names {
			names[i] = partName{from.Text(), from.Byte() == 1}
		}
		if now := f.keyWith(file.Key, names); from.Done() && string(now[:]) == key {
			return now, nil
		}
	}
	buffer := f.buffers.Get().(*[]byte)
	defer f.buffers.Put(buffer)
	_, in, own, err := f.read(file, buffer)
	if err == nil && own != file.Key {
		err = ChangedError{file.Path}
	}
	if err != nil {
		return own, err
	}
	key := f.keyWith(own, in.names)
	value := binary.AppendUvarint(key[:], uint64(len(in.names)))
	for _, name := range in.names {
		value = appendFlag(cache.AppendText(value, name.at), name.unasked)
	}
	known.Put(inclusions, file.Path, cache.Entry{Value: string(value)})
	return key, nil
}

// keyWith returns the key of an article that includes files, or would if there were some: own is
// its key without them.
func (f *Folder) keyWith(own [sha256.Size]byte, names []partName) [sha256.Size]byte {
	if len(names) == 0 {
		return own
	}
	h := sha256.New()
	h.Write(own[:])
	for _, name := range names {
		fmt.Fprintf(h, "%q %t %x", name.at, name.unasked, f.part(name).sum)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

var errOutside = errors.New("it lies outside of the folders that are read")

// expanded is the text of a file with what it includes.
type expanded struct {
	include.Included
	names   []partName // of all files that it includes, and of those that were looked for; sorted
	changed error      // a [ChangedError] if one of them is not as the scan read it
	named   bool       // whether it may have names of links that are defined in files that Jekyll includes, by loops or in a theme
}

// expand returns the text of a file with what it includes.
func (f *Folder) expand(file *File, doc *frontmatter.Document) (in expanded) {
	if !file.includes {
		in.Text = doc.Body
		return in
	}
	in.Included = f.include.Expand(file.Path, doc.Body, func(n include.Name) (at, text string, err error) {
		in.named = in.named || n.Form == include.Liquid && dialect.IsMarkdown(n.Name)
		n.Name = f.valuesIn(n.Name, file.Path, doc.Meta)
		if strings.Contains(n.Name, "://") {
			return "", "", errors.New("no address is fetched")
		}
		err = fs.ErrNotExist
		for i, at := range f.Site.rules.placesOf(file.Path, n) {
			name := partName{at, n.Form&(include.Imports|include.DocFX|include.MyST) != 0}
			in.names = append(in.names, name)
			p := f.part(name)
			if errors.As(p.err, new(ChangedError)) {
				in.changed = p.err
			}
			switch {
			case p.err == errOutside && i > 0: // it is not the place that is meant first
			case p.err == errOutside:
				err = p.err
			case !isAbsent(p.err):
				return at, p.text, p.err
			}
		}
		return "", "", err
	})
	slices.SortFunc(in.names, func(a, b partName) int {
		return cmp.Or(cmp.Compare(a.at, b.at), bytes.Compare(appendFlag(nil, a.unasked), appendFlag(nil, b.unasked)))
	})
	in.names = slices.Compact(in.names)
	return in
}

// valuesIn replaces the values of Liquid in the name of a file by what they are known to be.
func (f *Folder) valuesIn(name, file string, meta frontmatter.Value) string {
	if !strings.Contains(name, "{{") {
		return name
	}
	own := f.dialect(file, meta).Own
	return regexp.MustCompile(`\{\{-?\s*(?:page\.)?([\w.]+)\s*-?\}\}`).ReplaceAllStringFunc(name, func(value string) string {
		return cmp.Or(own(strings.TrimPrefix(strings.Trim(value, "{}- \t"), "page.")), value)
	})
}

// placesOf returns the paths at which the file that a mark names may be, from the content folder.
// file is the article that the mark is in, or that includes the text it is in.
func (r *rules) placesOf(file string, n include.Name) (places []string) {
	in := r.inclusions
	language, _ := r.folderOf(file)
	name, rooted := strings.CutPrefix(strings.ReplaceAll(n.Name, `\_`, "_"), "@site/")
	var aliased []string
	for _, a := range in.aliases {
		if rest, found := strings.CutPrefix(name, a.name); found && n.Form == include.Imports && !rooted {
			aliased = append(aliased, path.Join(a.folder, rest))
		}
	}
	for _, prefix := range []string{"@/", "~/", "/"} {
		if rest, found := strings.CutPrefix(name, prefix); found && !rooted {
			name, rooted = rest, true
		}
	}
	if plain, err := url.PathUnescape(name); err == nil && n.Form == include.DocFX {
		name = plain
	}
	beside := path.Join(path.Dir(n.From), name)
	base := cmp.Or(r.base, ".")
	switch {
	case n.Form == include.Liquid && n.Beside, n.Form == include.Book:
		return []string{beside}
	case n.Form == include.Liquid, n.Form == include.Snippets, n.Form == include.Braces:
	case rooted:
		places = []string{base, in.root, path.Join(in.root, "src"), language.dir}
	case n.Form == include.Shortcodes:
		places = []string{language.dir, path.Join(language.dir, "includes"), in.root, path.Join(in.root, "assets")}
		for above := path.Dir(file); above != "."; above = path.Dir(above) { // as the sites of OpenTelemetry and others made like it
			places = append(places, path.Join(above, "_includes"))
		}
	default:
		places = []string{base}
	}
	for i := range places {
		places[i] = path.Join(places[i], name)
	}
	for _, folder := range in.folders {
		places = append(places, path.Join(folder, name))
	}
	if !rooted && n.Form != include.Liquid && n.Form != include.Snippets {
		places = slices.Insert(places, 0, beside)
	}
	return append(aliased, places...)
}

// partName names a file that articles may include.
type partName struct {
	at      string // the path from the content folder, around which it may lie
	unasked bool   // whether the mark is read without a configuration that says so
}

// filePart is what articles include of a file.
type filePart struct {
	text string
	err  error             // why they do not
	sum  [sha256.Size]byte // of these two
}

// maxPartBytes bounds the parts that are kept from the scan to the last article. Most sites have a
// tenth of it; what is more is read anew for each article.
const maxPartBytes = 16 << 20

// part returns a file that may be included. All articles of one scan include it as it was first.
func (f *Folder) part(name partName) filePart {
	f.parts.Lock()
	p, ok := f.parts.known[name]
	f.parts.Unlock()
	if ok {
		return p
	}
	p.text, p.err = f.included(name.at, name.unasked)
	p.sum = sha256.Sum256(fmt.Append(nil, p.err, "\n", p.text))
	f.parts.Lock()
	defer f.parts.Unlock()
	const each = 256 // bytes that a part takes beside its texts
	if size := len(p.text) + len(name.at) + each; f.parts.bytes+size <= maxPartBytes {
		f.parts.bytes += size
		f.parts.known[name] = p
	}
	return p
}

// included returns the text of a file at a path from the content folder, which may lie around that;
// unasked is whether no configuration says that files are included. A file that is not published as
// an article is not published in another one either.
func (f *Folder) included(at string, unasked bool) (string, error) {
	fsys, name := f.content, at
	around, isOutside := strings.CutPrefix(at, "../")
	if isOutside {
		fsys, name = f.around, around
	}
	switch {
	case name == ".." || strings.HasPrefix(name, "../") || fsys == nil:
		return "", errOutside
	case !fs.ValidPath(name):
		return "", fs.ErrNotExist
	case f.Site.rules.hides(at):
		return "", errors.New("files whose names begin with a dot, and those of such folders, are not published")
	case isOutside && unasked && !dialect.IsMarkdown(name):
		return "", errors.New("only Markdown is included from around the content folder")
	}
	first, rest, _ := strings.Cut(name, "/")
	if isOutside && f.isContent(first) {
		at, isOutside = rest, false
	}
	i, found := f.indexOf(at)
	if found && slices.Contains([]Status{Draft, Future, Expired, Invalid}, f.Files[i].Status) {
		return "", errors.New("that file is not published: " + cmp.Or(f.Files[i].Reason, string(f.Files[i].Status)))
	}
	for part := name; part != "."; part = path.Dir(part) { // a link may lead to a file whose own name keeps it out
		info, err := fs.Lstat(fsys, part)
		switch {
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink != 0:
			return "", errors.New(part + " is a symbolic link")
		case part == name && !info.Mode().IsRegular():
			return "", fs.ErrNotExist
		}
	}
	if !found && !isOutside && !slices.ContainsFunc(strings.Split(at, "/"), IsForeign) { // a disk that knows no case has it: what becomes of it is noted under another name
		return "", fs.ErrNotExist
	}
	data, _, err := readFile(fsys, name, nil)
	if err == nil {
		err = InPlace(fsys, name)
	}
	switch {
	case err != nil:
		return "", err
	case found && f.Files[i].Status == Published && !f.parts.keyed && f.keyOf(&f.Files[i], sha256.Sum256(data)) != f.Files[i].Key:
		return "", ChangedError{at} // so what other files say of it may no longer make it a published one
	case !utf8.Valid(data):
		return "", errors.New("it is not text in UTF-8")
	case !dialect.IsMarkdown(name):
		return string(data), nil
	}
	doc, syntax := frontmatter.Parse(data)
	if syntax != nil {
		return "", fmt.Errorf("line %d: %s", syntax.Line, syntax.What)
	}
	if why := f.whyWithheld(at, doc); why != "" {
		return "", errors.New("that file is not published: " + why)
	}
	return string(doc.Body), nil
}

// isContent reports whether a name in the folder around the content folder is that of the content
// folder, in any case: some disks know none.
func (f *Folder) isContent(name string) bool {
	if above := f.Site.rules.above; above != "" && strings.EqualFold(name, above) {
		return true
	}
	content, err := fs.Stat(f.content, ".")
	other, err2 := fs.Stat(f.around, name)
	return err == nil && err2 == nil && os.SameFile(content, other)
}

// hides reports whether a file is hidden from readers because its name, or that of a folder, begins
// with a dot: such are the files of Git, and secrets. Folders that a configuration names, or that
// by their names hold what pages include, are none of these.
func (r *rules) hides(at string) bool {
	isHidden := func(p string) bool {
		return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
			return strings.HasPrefix(name, ".") && !slices.Contains([]string{"..", ".gitbook", ".snippets", ".vitepress", ".vuepress"}, name)
		})
	}
	named := slices.ContainsFunc(r.inclusions.folders, func(folder string) bool {
		rest, found := strings.CutPrefix(at, folder+"/")
		return found && !isHidden(rest)
	})
	return isHidden(at) && (!named || slices.ContainsFunc(strings.Split(at, "/"), func(name string) bool { return strings.EqualFold(name, ".git") }))
}

// whyWithheld returns why the name or the front matter of a file that need not be an article keeps
// it from being published, or "" if they do not.
func (f *Folder) whyWithheld(at string, doc frontmatter.Document) string {
	s := scanner{Folder: f}
	file := candidate{File: File{Path: at}, name: f.Site.rules.name(at)}
	if f.Site.rules.draftDocs.ignores(f.Site.rules.relative(at)) {
		return "the site's draft_docs name it"
	}
	if !doc.HasMeta && !file.name.drafts {
		return ""
	}
	reader := metaReader{path: at, site: &f.Site, now: f.now}
	file.meta = reader.read(doc)
	if m := &file.meta; m.password != nil && *m.password {
		return "its readers need a password"
	}
	s.decideDates(&file)
	s.decideStatus(&file)
	s.invalidate(&file, reader.problems)
	if file.Status != Draft && file.Status != Invalid {
		f.parts.Lock()
		defer f.parts.Unlock()
		f.parts.next = soonest(f.now, f.parts.next, file.PublishAt, file.ExpireAt)
	}
	return file.Reason
}

// notIncluded returns warnings of the files that an article names but does not include. What only
// the whole site could include, such as a template of its theme, is no mistake.
func notIncluded(file *File, doc *frontmatter.Document, missing []include.Missing) (problems []Problem) {
	for _, m := range missing {
		if errors.Is(m.Err, fs.ErrNotExist) && m.Form&(include.Snippets|include.Braces|include.Book) == 0 || m.Form == include.Liquid ||
			m.Form == include.Quoted && !dialect.IsMarkdown(m.Name.Name) {
			continue
		}
		what := fmt.Sprintf("it does not include %s: %s", m.Name.Name, m.Err)
		hint := "mend what keeps it from being included, or remove the mark"
		if errors.Is(m.Err, fs.ErrNotExist) {
			what, hint = fmt.Sprintf("it includes %s, which is not there", m.Name.Name), "correct its name, or remove the mark"
		}
		problems = append(problems, Problem{file.Path, doc.BodyLine + m.Line - 1, 0, Warning, what, hint})
	}
	return problems
}

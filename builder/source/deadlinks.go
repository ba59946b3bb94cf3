package source

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/builder/source/dialect"
)

const (
	// mostLinks is how many links of a file are known, checked, and lead to what their files say.
	mostLinks = 1000
	// mostDead is how many dead links of a file are reported one by one; mostSought is how many are
	// looked for in its text.
	mostDead, mostSought = 3, 100
	// mostBeside is how many files beside a missing one have their names compared with its name.
	mostBeside = 1000
)

// DeadLinks returns a warning for each of a published file's links, as Article returns them, that
// leads to no article; if there are many, it names the first and counts the rest. It does not warn
// of links to files that are not articles, because what the site's generator makes of those is not
// known.
func (f *Folder) DeadLinks(file *File, links []Link) (problems []Problem) {
	var text []byte // of the file
	sought := 0
	for _, l := range links {
		hint := f.deadBecause(file, l)
		if hint == "" {
			continue
		}
		if sought++; sought > mostSought {
			break
		}
		if text == nil {
			text, _, _ = readFile(f.content, file.Path, nil) // for the place only
		}
		line, column := placeOfLink(text, l.Ref)
		if written, err := url.PathUnescape(l.Ref); line == 0 && err == nil {
			line, column = placeOfLink(text, written)
		}
		if line == 0 {
			continue // template code made it, and this program may have misread that
		}
		problems = append(problems, Problem{file.Path, line, column, Warning, "the link to " + l.Ref + " leads to no article", hint})
	}
	slices.SortStableFunc(problems, CompareProblems)
	if more := len(problems) - mostDead; more > 1 {
		problems[mostDead].What, problems[mostDead].Hint = fmt.Sprintf("%d more of its links lead to no article", more), ""
		problems = problems[:mostDead+1]
	}
	return problems
}

// deadBecause returns why a link of a file leads to no article, or what was probably meant. It
// returns "" if the link may lead to something.
func (f *Folder) deadBecause(file *File, l Link) (hint string) {
	if _, isNote := dialect.NoteOf(l.Ref); isNote { // many of these lead to notes that are kept private
		return ""
	}
	at, found := f.indexOf(l.Path)
	switch {
	case found && slices.Contains([]Status{Published, NotArticle, Invalid}, f.Files[at].Status),
		!found && !(f.isMissing(l.Path) && f.isMissing(f.Site.rules.docusaurus.original(l.Path))):
		return ""
	}
	if u, err := url.Parse(l.Ref); !found && f.Site.rules.docusaurus.configured && err == nil && !dialect.IsMarkdown(u.Path) {
		return "" // to an address, which the slug of any page may give it; Docusaurus reports dead ones
	}
	f.linkable.Do(f.gatherLinkable)
	if _, isAnother := f.addresses[maphash.String(f.seed, f.addressAt(file, l.Path))]; isAnother {
		return ""
	}
	if found {
		return l.Path + " is not published: " + f.Files[at].Reason
	}
	return f.meantBy(file, l)
}

// meantBy returns what a link to a missing file may mean, or "" if the link may lead to something.
func (f *Folder) meantBy(file *File, l Link) (hint string) {
	name := knownName(l.Path)
	alike := f.named(name)
	if _, below, fromRoot := strings.Cut(l.Ref, "/"); fromRoot && (l.Ref[0] == '/' || l.Ref[0] == '@') && !f.Site.rules.configured {
		below, _, _ = strings.Cut(below, "#")
		if slices.ContainsFunc(alike, func(p string) bool { return strings.HasSuffix(p, "/"+below) }) {
			return "" // no configuration says where the root of the site is; the link may lead to this file from there
		}
	}
	if len(alike) == 1 && !strings.Contains(name, "/") {
		if meant, err := filepath.Rel(path.Dir(file.Path), alike[0]); err == nil {
			return fmt.Sprintf("did you mean %q?", filepath.ToSlash(meant))
		}
	}
	first, _ := f.indexOf(path.Dir(l.Path) + "/")
	var names []string // of the files beside it
	for _, other := range f.Files[first:min(first+mostBeside, len(f.Files))] {
		if path.Dir(other.Path) != path.Dir(l.Path) {
			break
		}
		names = append(names, path.Base(other.Path))
	}
	return cmp.Or(guess(path.Base(l.Path), names), "there is no file "+l.Path)
}

// indexOf returns the index of the file at a path in f.Files, or the index where it would be.
func (f *Folder) indexOf(p string) (at int, found bool) {
	return slices.BinarySearchFunc(f.Files, p, func(of File, p string) int { return strings.Compare(of.Path, p) })
}

func (f *Folder) isMissing(p string) bool {
	_, err := fs.Stat(f.content, p)
	return isAbsent(err)
}

// linkedFiles are the files to which links may lead. They hold no pointers: a large site has many,
// and the garbage collector would visit each of them in every cycle.
type linkedFiles struct {
	seed      maphash.Seed
	addresses map[uint64]struct{} // hashes of the addresses of published articles
	byName    []hashedName        // of the Markdown files, sorted by hash
}

// hashedName is the hash of a file's knownName, and the file's index in Folder.Files.
type hashedName struct {
	hash uint64
	file int32
}

// knownName returns the name by which a moved file is recognised: its base name in lower case,
// preceded by its folder's name if the file is the folder's index or README.
func knownName(p string) string {
	name := strings.ToLower(path.Base(p))
	if stem := strings.Trim(withoutExt(name), "_"); stem == "index" || stem == "readme" {
		name = path.Join(strings.ToLower(path.Base(path.Dir(p))), name)
	}
	return name
}

// gatherLinkable fills in linkedFiles. It is called only once a link is found that does not lead
// straight to an article.
func (f *Folder) gatherLinkable() {
	f.linkedFiles = linkedFiles{seed: maphash.MakeSeed(), addresses: map[uint64]struct{}{}}
	for i, file := range f.Files {
		if file.Status == Published {
			f.addresses[maphash.String(f.seed, file.URL)] = struct{}{}
			f.addresses[maphash.String(f.seed, f.Site.inAPI(file.ID))] = struct{}{}
		}
		if dialect.IsMarkdown(file.Path) {
			f.byName = append(f.byName, hashedName{maphash.String(f.seed, knownName(file.Path)), int32(i)})
		}
	}
	slices.SortStableFunc(f.byName, func(a, b hashedName) int { return cmp.Compare(a.hash, b.hash) })
}

// named returns the paths of the Markdown files with this knownName.
func (f *Folder) named(name string) (paths []string) {
	hash := maphash.String(f.seed, name)
	at, _ := slices.BinarySearchFunc(f.byName, hash, func(n hashedName, hash uint64) int { return cmp.Compare(n.hash, hash) })
	for ; at < len(f.byName) && f.byName[at].hash == hash; at++ {
		paths = append(paths, f.Files[f.byName[at].file].Path)
	}
	return paths
}

// placeOfLink returns the place of the first link to ref in a text, or zeros if there is none.
func placeOfLink(text []byte, ref string) (line, column int) {
	for at := 0; ; at++ {
		n := bytes.Index(text[at:], []byte(ref))
		if n < 0 {
			return 0, 0
		}
		at += n
		end := at + len(ref)
		if at > 0 && bytes.IndexByte([]byte("(<\"' \t:="), text[at-1]) >= 0 &&
			(end == len(text) || bytes.IndexByte([]byte(")>\"' \t\r\n"), text[end]) >= 0) {
			start := bytes.LastIndexByte(text[:at], '\n') + 1
			return bytes.Count(text[:at], []byte("\n")) + 1, utf8.RuneCount(text[start:at]) + 1
		}
	}
}

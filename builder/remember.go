package builder

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/source"
)

// findCache finds the files in which builds of the same content into the same folder remember, if
// they are meant to.
func (b *builder) findCache() {
	if b.options.Cache == "" {
		return
	}
	content, noContent := resolve(b.options.Content)
	public, noPublic := resolve(b.options.Public)
	if b.cacheErr = cmp.Or(noContent, noPublic); b.cacheErr != nil {
		return
	}
	name := sha256.Sum256([]byte(content + "\x00" + public))
	b.cacheFile = filepath.Join(b.options.Cache, hex.EncodeToString(name[:16]))
}

// openCache opens what earlier builds have remembered of single files. A watch always remembers its
// own.
func (b *builder) openCache() {
	switch {
	case b.cache != nil:
	case b.cacheFile != "":
		b.cache = cache.Open(b.cacheFile+".cache", version)
		b.forgetOthers(time.Now())
	case b.known != nil:
		b.cache = cache.New()
	}
}

// forgetAfter is the age at which the cache's files of other content folders are removed. A site
// that is checked out into a new folder for each build leaves such files behind each time. If such
// a folder is built again after all, its files are only read anew.
const forgetAfter = 90 * 24 * time.Hour

// forgetOthers removes the files of other content folders that no build has changed for that long.
// What it cannot remove stays.
func (b *builder) forgetOthers(now time.Time) {
	entries, err := os.ReadDir(b.options.Cache)
	if err != nil {
		return
	}
	for _, e := range entries {
		name, ending, _ := strings.Cut(e.Name(), ".")
		kind, _, _ := strings.Cut(ending, ".") // a number follows where a build was killed
		_, notOurs := hex.DecodeString(name)
		if notOurs != nil || len(name) != len(filepath.Base(b.cacheFile)) || kind != "cache" && kind != "last" || name == filepath.Base(b.cacheFile) {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > forgetAfter {
			os.Remove(filepath.Join(b.options.Cache, e.Name()))
		}
	}
}

// renderings is the cache's kind of what became of a source file, by its path.
const renderings cache.Kind = 'r'

// rendering is what became of a source file. It holds no text: that is published.
type rendering struct {
	sum      [sha256.Size]byte // of the line
	size     int               // of the line
	links    []source.Link     // to other files, which may come and go
	problems []source.Problem  // without their paths
}

// recall returns what rendering a file gave before, if the file and its settings are the same, and
// the articles to which it links have the addresses that they had.
func (b *attempt) recall(f *source.File) (r rendering, ok bool) {
	e, ok := b.cache.Get(renderings, f.Path)
	if !ok {
		return r, false
	}
	from := cache.NewReader(e.Value)
	if from.Raw(len(f.Key)) != string(f.Key[:]) {
		return r, false
	}
	copy(r.sum[:], from.Raw(len(r.sum)))
	r.size = int(from.Uint())
	for range from.Len() {
		l := source.Link{Ref: from.Text(), Path: from.Text(), Address: from.Text()}
		if !b.folder.LeadsAsBefore(f, l) {
			return r, false
		}
		r.links = append(r.links, l)
	}
	for range from.Len() {
		r.problems = append(r.problems, readProblem(from, f.Path))
	}
	return r, from.Done()
}

// remember keeps what became of a file; all problems are its own.
func (b *builder) remember(f *source.File, r rendering) {
	v := slices.Concat(f.Key[:], r.sum[:])
	v = binary.AppendUvarint(v, uint64(r.size))
	v = binary.AppendUvarint(v, uint64(len(r.links)))
	for _, l := range r.links {
		v = cache.AppendText(cache.AppendText(cache.AppendText(v, l.Ref), l.Path), l.Address)
	}
	v = binary.AppendUvarint(v, uint64(len(r.problems)))
	for _, p := range r.problems {
		v = appendProblem(v, p)
	}
	b.cache.Put(renderings, f.Path, cache.Entry{Value: string(v)})
}

// appendProblem appends a problem without its path.
func appendProblem(b []byte, p source.Problem) []byte {
	for _, n := range [...]int{p.Line, p.Column, int(p.Severity)} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return cache.AppendText(cache.AppendText(b, p.What), p.Hint)
}

// readProblem reads what appendProblem has written.
func readProblem(from *cache.Reader, path string) source.Problem {
	return source.Problem{
		Path:     path,
		Line:     int(from.Uint()),
		Column:   int(from.Uint()),
		Severity: source.Severity(from.Uint()),
		What:     from.Text(),
		Hint:     from.Text(),
	}
}

// readPublished returns the line of an article that is published, if it has this sum.
func (b *builder) readPublished(id string, sum [sha256.Size]byte) ([]byte, bool) {
	name := filepath.Join(b.options.Public, article.Path(id))
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() { // to open a pipe waits for its writer
		return nil, false
	}
	line, err := os.ReadFile(name)
	return line, err == nil && sha256.Sum256(line) == sum
}

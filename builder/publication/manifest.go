package publication

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"newsstand/builder/article"
)

const (
	// format is the version of the manifest and the corpus that this package writes.
	format = 2
	// formatWithoutSum is read as well, so that a searchd that is upgraded before its builder still
	// answers.
	formatWithoutSum = 1
)

// ErrFormat is the error of a manifest of another format than those two: a newer builder wrote it,
// most likely.
var ErrFormat = errors.New("has a format that this program does not know")

// MaxManifestBytes is more than ten times the manifest of 4,096 chunks: what is
// larger is not ours.
const MaxManifestBytes = 16 << 20

const (
	// articlesPerChunk is the largest average: an edit republishes about 64 articles
	// (some 100 kB packed), and 10,000 articles are 256 files.
	articlesPerChunk = 64
	// maxChunks bounds the manifest to about 1 MB. From 262,144 articles on, chunks
	// grow instead.
	maxChunks = 4096
	// revisionDigits is 128 bits: enough that no two builds of a site ever meet.
	revisionDigits = 32
	// MaxChunkBytes bounds a chunk, packed and unpacked: 4 MB for each of 64
	// articles. A reader holds one chunk in memory.
	MaxChunkBytes = 256 << 20
	// maxSettingsBytes bounds the search settings.
	maxSettingsBytes = 64 << 20
)

// File is one published file.
type File struct {
	// Path is relative to the published folder, with slashes.
	Path string `json:"path"`
	// SHA256 is of the file's bytes: 64 hexadecimal digits, lower case.
	SHA256 string `json:"sha256"`
	// Bytes is the file's size.
	Bytes int64 `json:"bytes"`
}

// Chunk is one file of the corpus.
type Chunk struct {
	File
	// Number is the chunk's number, from 0: the [ChunkNumber] of all its articles.
	Number int `json:"number"`
	// Articles is the number of lines, at least 1.
	Articles int `json:"articles"`
}

// Manifest says which files are one build. All lists are sorted and never null.
type Manifest struct {
	Format   int    `json:"format"`
	Revision string `json:"revision"`
	// BaseURL is the site's address, without a slash at its end.
	BaseURL string `json:"base_url"`
	// Articles is the number of articles in all chunks.
	Articles int `json:"articles"`
	// UpdatedAt is the newest date of all articles; zero where none has a date.
	UpdatedAt time.Time `json:"updated_at,omitzero"`
	// Chunks are sorted by number.
	Chunks []Chunk `json:"chunks"`
	Search File    `json:"search"`
	// Files are the other files that the builder owns, sorted by path. Article files
	// are not listed: the chunks hold their exact bytes.
	Files []File `json:"files"`
	// Previous are the paths of the corpus files of the generation before that are no longer part
	// of this one; they may be gone.
	Previous []string `json:"previous"`
	// Sum is the SHA-256 of the manifest's bytes before `,"sum"`, in 64 hexadecimal digits: nothing
	// else would show that base_url was altered.
	Sum string `json:"sum,omitempty"`
}

// ChunkCount is the number of chunks of a corpus: the smallest power of two that
// puts at most 64 articles into a chunk on average, and at most 4096.
func ChunkCount(articles int) int {
	count := 1
	for count < maxChunks && articles > count*articlesPerChunk {
		count *= 2
	}
	return count
}

// ChunkNumber is the chunk of the article with this id, when there are count
// chunks, a power of two of at most 4096: the top bits of the SHA-256 of the id.
func ChunkNumber(id string, count int) int {
	sum := sha256.Sum256([]byte(id))
	top := uint(sum[0])<<8 | uint(sum[1])
	return int(top >> (16 - bits.TrailingZeros(uint(count))))
}

// Digest is the SHA-256 of an article's line, with its id.
type Digest struct {
	ID  string
	Sum [sha256.Size]byte
}

// String is article.Digest of the article's line.
func (d Digest) String() string { return article.DigestOf(d.Sum) }

// ParseDigest is the inverse of String.
func ParseDigest(id, digest string) (Digest, error) {
	text, ok := strings.CutPrefix(digest, "sha256-")
	sum, err := hex.DecodeString(text)
	if !ok || err != nil || len(sum) != sha256.Size {
		return Digest{}, fmt.Errorf("article %s has the digest %q", id, digest)
	}
	return Digest{id, [sha256.Size]byte(sum)}, nil
}

// revision is the name of a set of articles, which it sorts, and search settings.
func revision(articles []Digest, settings []byte) string {
	slices.SortFunc(articles, func(a, b Digest) int { return cmp.Compare(a.ID, b.ID) })
	h := sha256.New()
	var line []byte
	for _, a := range articles {
		line = append(append(hex.AppendEncode(line[:0], a.Sum[:]), ' '), a.ID...)
		h.Write(append(line, '\n'))
	}
	h.Write(settings)
	return hex.EncodeToString(h.Sum(nil))[:revisionDigits]
}

// ParseManifest reads the bytes of a manifest as strictly as [Open] does. All paths and
// sizes in it are within the bounds of the package comment.
func ParseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if err := decode(data, &m); err != nil || m.Format != format && m.Format != formatWithoutSum {
		return Manifest{}, cmp.Or(checkFormat(data), err)
	}
	if err := m.check(); err != nil {
		return Manifest{}, err
	}
	want, err := m.sum()
	if m.Format == formatWithoutSum {
		want = ""
	}
	if err == nil && m.Sum != want {
		err = fmt.Errorf("has the sum %q, and its bytes make %q: something altered it after the builder", m.Sum, want)
	}
	return m, err
}

// seal gives a manifest its Sum, and returns its bytes. The error is what is wrong with it.
func (m *Manifest) seal() (data []byte, err error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if m.Sum, err = m.sum(); err != nil {
		return nil, err
	}
	return article.Encode(m)
}

// sum is what the Sum of a manifest should be, whatever it is.
func (m Manifest) sum() (string, error) {
	m.Sum = ""
	data, err := article.Encode(m)
	return sumOf(bytes.TrimSuffix(data, []byte("}\n"))), err
}

// checkFormat reports that bytes are no manifest, or one of an unknown format, whatever else is in
// it.
func checkFormat(data []byte) error {
	var head struct {
		Format *int `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("is not a manifest: %w", err)
	}
	if f := head.Format; f != nil && *f != format && *f != formatWithoutSum {
		return fmt.Errorf("%w: %d, and %d is the newest that it knows", ErrFormat, *f, format)
	}
	return nil
}

// decode reads one document in exactly the form in which article.Encode writes it:
// an unknown or repeated key, another order or spacing, or anything after it is an
// error.
func decode(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	again, err := article.Encode(v)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, data) {
		return errors.New("is not in the form in which the builder writes it: a key is repeated, missing, misspelt or out of order")
	}
	return nil
}

// check reports the first thing that is wrong with a manifest by itself.
func (m *Manifest) check() error {
	if len(m.Revision) != revisionDigits || !isHex(m.Revision) {
		return fmt.Errorf("has the revision %q, want %d hexadecimal digits", m.Revision, revisionDigits)
	}
	if !strings.HasPrefix(m.BaseURL, "http://") && !strings.HasPrefix(m.BaseURL, "https://") || strings.HasSuffix(m.BaseURL, "/") {
		return fmt.Errorf("has the base_url %q, want http:// or https:// and no slash at the end", m.BaseURL)
	}
	if m.UpdatedAt.Location() != time.UTC {
		return errors.New("has an updated_at that is not in UTC")
	}
	if m.Chunks == nil || m.Files == nil || m.Previous == nil {
		return errors.New("has null where a list belongs")
	}
	if err := m.checkChunks(); err != nil {
		return err
	}
	if err := m.Search.check(article.SearchSettingsPath(m.Search.SHA256), maxSettingsBytes); err != nil {
		return err
	}
	for i, f := range m.Files {
		if err := m.checkFile(i, f); err != nil {
			return err
		}
	}
	corpus := paths(m.Corpus())
	for i, path := range m.Previous {
		if i > 0 && m.Previous[i-1] >= path {
			return fmt.Errorf("lists %s as previous out of order or twice", path)
		}
		if _, ok := corpusSum(path); !ok || corpus[path] {
			return fmt.Errorf("lists %q as previous, which is not a former file of the corpus", path)
		}
	}
	return nil
}

func (m *Manifest) checkChunks() error {
	count, articles, last := ChunkCount(m.Articles), 0, -1
	for _, c := range m.Chunks {
		if err := c.check(article.ChunkPath(c.SHA256), MaxChunkBytes); err != nil {
			return err
		}
		if c.Number <= last || c.Number >= count {
			return fmt.Errorf("has chunk number %d after %d, of %d", c.Number, last, count)
		}
		if c.Articles < 1 {
			return fmt.Errorf("has %d articles in chunk %d", c.Articles, c.Number)
		}
		last = c.Number
		articles += c.Articles
	}
	if articles != m.Articles {
		return fmt.Errorf("counts %d articles and has %d in its chunks", m.Articles, articles)
	}
	return nil
}

// checkFile checks the document that is listed at i.
func (m *Manifest) checkFile(i int, f File) error {
	if i > 0 && m.Files[i-1].Path >= f.Path {
		return fmt.Errorf("lists %s out of order or twice", f.Path)
	}
	if err := f.check(f.Path, MaxChunkBytes); err != nil {
		return err
	}
	if isOurs(f.Path) || isCorpus(f.Path) || !ValidPath(f.Path) {
		return fmt.Errorf("lists %q, which is not the path of a document", f.Path)
	}
	for _, folder := range above(f.Path) {
		if _, isFile := slices.BinarySearchFunc(m.Files[:i], folder, func(f File, path string) int { return cmp.Compare(f.Path, path) }); isFile {
			return fmt.Errorf("lists %s, which lies in a file", f.Path)
		}
	}
	return nil
}

// check compares a file's entry with the path that its sum demands.
func (f File) check(path string, most int64) error {
	if len(f.SHA256) != 2*sha256.Size || !isHex(f.SHA256) {
		return fmt.Errorf("has the sha256 %q for %s, want %d hexadecimal digits", f.SHA256, f.Path, 2*sha256.Size)
	}
	if f.Path != path {
		return fmt.Errorf("has %q where %s belongs", f.Path, path)
	}
	if f.Bytes < 0 || f.Bytes > most {
		return fmt.Errorf("has %d bytes for %s, want at most %d", f.Bytes, f.Path, most)
	}
	return nil
}

// sum is SHA256 as bytes, of a file whose entry is right.
func (f File) sum() (sum [sha256.Size]byte) {
	hex.Decode(sum[:], []byte(f.SHA256))
	return sum
}

// Corpus returns the files of the corpus: the chunks and the search settings.
func (m *Manifest) Corpus() []File {
	files := []File{m.Search}
	for _, c := range m.Chunks {
		files = append(files, c.File)
	}
	return files
}

// paths is the set of the paths of files.
func paths(files []File) map[string]bool {
	set := make(map[string]bool, len(files))
	for _, f := range files {
		set[f.Path] = true
	}
	return set
}

// ChunkOf returns the chunk that has the article with this id, if any has.
func (m *Manifest) ChunkOf(id string) (Chunk, bool) {
	return m.chunk(ChunkNumber(id, ChunkCount(m.Articles)))
}

// chunk returns the chunk with a number.
func (m *Manifest) chunk(number int) (Chunk, bool) {
	i, ok := slices.BinarySearchFunc(m.Chunks, number, func(c Chunk, number int) int { return cmp.Compare(c.Number, number) })
	if !ok {
		return Chunk{}, false
	}
	return m.Chunks[i], true
}

// ValidPath reports whether a document may have this path: a clean one within the published
// folder that every system reads alike, and outside of the writer's own state.
func ValidPath(path string) bool {
	return fs.ValidPath(path) && path != "." && !strings.ContainsFunc(path, func(r rune) bool {
		return r == '\\' || r == ':' || unicode.IsControl(r)
	}) && path != stateFolder && !strings.HasPrefix(path, stateFolder+"/")
}

// above lists the folders that a path lies in, the innermost first.
func above(name string) (folders []string) {
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		folders = append(folders, folder)
	}
	return folders
}

// isCorpus reports whether name lies in the corpus folder.
func isCorpus(name string) bool {
	return path.Dir(name) == article.CorpusFolder
}

// isOurs reports whether a path is an article's, its twin's, or one in the corpus that nobody else
// would choose: what lies there, and is part of no build, is removed.
func isOurs(path string) bool {
	_, isArticle := article.IDOfPath(path)
	_, isTwin := article.IDOfMarkdownPath(path)
	_, isSum := corpusSum(path)
	return isArticle || isTwin || isSum
}

// corpusSum returns the SHA-256 in the name of a chunk or of search settings.
func corpusSum(path string) (sum string, ok bool) {
	for _, spell := range []func(string) string{article.ChunkPath, article.SearchSettingsPath} {
		before, after, _ := strings.Cut(spell("*"), "*")
		sum, ok := strings.CutPrefix(path, before)
		if !ok {
			continue
		}
		sum, ok = strings.CutSuffix(sum, after)
		if ok && len(sum) == 2*sha256.Size && isHex(sum) {
			return sum, true
		}
	}
	return "", false
}

func isHex(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return (r < '0' || r > '9') && (r < 'a' || r > 'f') })
}

// newFile describes data at path, of which sum is the SHA-256.
func newFile(path string, data []byte, sum [sha256.Size]byte) File {
	return File{Path: path, SHA256: hex.EncodeToString(sum[:]), Bytes: int64(len(data))}
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

package publication

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/dir"
)

// packLevel is gzip's fastest. Slower ones make chunks a fifth smaller and take three
// times as long, longer than rendering them; a chunk is sent only when it changed.
const packLevel = gzip.BestSpeed

// Writer publishes one build. Between Begin and Commit: the articles, chunk by chunk
// ([Writer.Chunk], from as many goroutines as you like), then [Writer.EndCorpus],
// then the documents ([Writer.Put], [Writer.Keep]). Nothing that is published changes before Commit.
type Writer struct {
	disk disk
	lock io.Closer
	// last is what was published when the writer began; nil where nothing was.
	last *Publication
	// damaged says why what was published cannot be read; nil where it can.
	damaged error
	// owned are the documents that the last manifest lists.
	owned map[string]bool
	// cache remembers the published files; a nil one nothing.
	cache *cache.Cache
	// notes are of the files that will be published; nil where none are wanted.
	notes *cache.Notes
	// packers are *packer, to use again.
	packers sync.Pool
	// listing is of the strays: article files that are no part of this build.
	listing    sync.WaitGroup
	strays     []string
	straysFail error

	// mu guards all fields below: chunks come from several goroutines.
	mu       sync.Mutex
	count    int // of chunks; 0 before the first
	staged   []stagedFile
	digests  []Digest // of all articles; EndCorpus sorts them by id
	markdown bool     // whether the articles have twins
	manifest Manifest
	result   Result
	foreign  []string
}

// stagedFile is a file that waits in the stage, under its number.
type stagedFile struct {
	fileName
	number int
	sum    [sha256.Size]byte // of its bytes; of a twin that of its line
	stamp  cache.Stamp
	fresh  bool // there was no file of this path before
}

// fileName names a published file. A large site has two for each article, whose paths would
// be most of what a build holds: they are made when they are asked for.
type fileName struct {
	kind fileKind
	text string // of a document its path, of an article its id
}

type fileKind uint8

const (
	documentFile fileKind = iota
	lineFile
	twinFile
)

func document(path string) fileName { return fileName{documentFile, path} }

func (n fileName) path() string {
	switch n.kind {
	case lineFile:
		return article.Path(n.text)
	case twinFile:
		return article.MarkdownPath(n.text)
	}
	return n.text
}

// Result says what a commit did.
type Result struct {
	Manifest Manifest
	// Written, Removed and Unchanged count files; Bytes is the size of those written.
	Written, Removed, Unchanged int
	Bytes                       int64
	Changes
}

// Changes are the ids of the articles by which a build differs from the one before,
// each sorted.
type Changes struct{ New, Changed, Gone []string }

// Begin opens folder for writing, makes it where it is missing, and waits until no
// other writer has it; waiting, if not nil, is called once when there is one. It
// first completes or throws away what a killed writer left.
func Begin(ctx context.Context, folder string, waiting func()) (*Writer, error) {
	w, err := begin(ctx, folder, waiting, nil)
	if err != nil {
		return nil, fmt.Errorf("begin publication in %s: %w", folder, err)
	}
	return w, nil
}

// makeAndLock is lockFolder of a folder that need not be there.
func makeAndLock(ctx context.Context, folder string, waiting func()) (*os.Root, io.Closer, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, nil, err
	}
	return lockFolder(ctx, folder, waiting)
}

// begin is Begin with a step that is called before everything that changes the disk.
func begin(ctx context.Context, folder string, waiting, step func()) (*Writer, error) {
	root, lock, err := makeAndLock(ctx, folder, waiting)
	if errors.Is(err, fs.ErrNotExist) { // it was removed while this writer waited for it
		root, lock, err = makeAndLock(ctx, folder, waiting)
	}
	if err != nil {
		return nil, err
	}
	w := &Writer{disk: disk{root: dir.New(root), step: step}, lock: lock, owned: map[string]bool{}}
	if err := w.disk.recover(); err != nil {
		w.Close()
		return nil, err
	}
	_, err = w.disk.root.Lstat(article.ArticleFolder)
	w.disk.first = errors.Is(err, fs.ErrNotExist)
	w.last, err = Open(w.disk.root.FS())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.last = nil
	case err != nil:
		w.last, w.damaged = nil, err
	default:
		for _, f := range w.last.manifest.Files {
			w.owned[f.Path] = true
		}
	}
	w.manifest = Manifest{Format: Format, Chunks: []Chunk{}, Files: []File{}, Previous: []string{}}
	return w, nil
}

// Last is what was published when the writer began: nil where nothing was, or
// where it is damaged, and then the error says how. It stays readable until Commit.
func (w *Writer) Last() (*Publication, error) { return w.last, w.damaged }

// The cache's kinds of what is known of published files.
const (
	published cache.Kind = 'p' // that a file has these bytes, by its path and their sum
	contents  cache.Kind = 'c' // the contentsOf a chunk, by its path
)

// Remember lets the writer take published files for what they were when it wrote or
// read them last, as long as they have their stamps. Call it right after Begin. Bytes
// that changed by themselves are for [Check] to find.
func (w *Writer) Remember(c *cache.Cache) { w.cache = c }

// Note lets the writer note the files of the publication, as they will be after Commit. Call it right after
// Begin.
func (w *Writer) Note(n *cache.Notes) { w.notes = n }

// untouched reports whether a published file is known to have the bytes with this sum; of
// a twin, to be made of the line with this sum. It notes the file.
func (w *Writer) untouched(name string, sum [sha256.Size]byte) bool {
	e, ok := w.cache.Get(published, name+string(sum[:]))
	if !ok || e.Stamp == (cache.Stamp{}) {
		return false
	}
	info, err := w.disk.root.Lstat(name)
	if err != nil || cache.StampOf(info).Moved() != e.Stamp {
		return false
	}
	w.notes.File(name, e.Stamp)
	return true
}

// Unchanged adds one chunk, as Chunk does, if exactly these articles are published in
// it, with twins or without, and its files are known to be untouched. If not, it does
// nothing and returns false, as it always does without a cache. It is safe for
// concurrent use.
func (w *Writer) Unchanged(count int, articles []Digest, markdown bool) bool {
	if w.last == nil || ChunkCount(w.last.manifest.Articles) != count {
		return false
	}
	c, ok := w.last.manifest.chunk(ChunkNumber(articles[0].ID, count))
	if !ok {
		return false
	}
	e, ok := w.cache.Get(contents, c.Path)
	if !ok || e.Value != contentsOf(articles) {
		return false
	}
	sum, err := hex.DecodeString(c.SHA256)
	if err != nil || !w.untouched(c.Path, [sha256.Size]byte(sum)) {
		return false
	}
	files := 1 // of the chunk itself
	for _, a := range articles {
		if !w.untouched(article.Path(a.ID), a.Sum) || markdown && !w.untouched(article.MarkdownPath(a.ID), a.Sum) {
			return false
		}
		if files++; markdown {
			files++
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count = count
	w.markdown = markdown
	w.digests = append(w.digests, articles...)
	w.manifest.Chunks = append(w.manifest.Chunks, c)
	w.result.Unchanged += files
	return true
}

// contentsOf tells chunks apart by their articles.
func contentsOf(articles []Digest) string {
	h := sha256.New()
	for _, a := range articles {
		h.Write(a.Sum[:]) // a line begins with its id
	}
	return string(h.Sum(nil))
}

// Chunk adds the articles of one chunk, sorted by id, of a build with count chunks;
// their Line, ID and Markdown are used. It writes their files and the chunk's into the
// stage where they differ from what is published, and returns the digests of the articles.
// All articles of a build have a twin, which is made of the line and nothing else, or none
// has. It is safe for concurrent use.
func (w *Writer) Chunk(count int, articles []Record) ([]Digest, error) {
	if len(articles) == 0 {
		return nil, nil
	}
	number := ChunkNumber(articles[0].ID, count)
	digests := make([]Digest, len(articles))
	size := 0
	for i, a := range articles {
		if id, ok := idOfLine(a.Line); !ok || id != a.ID || bytes.IndexByte(a.Line, '\n') != len(a.Line)-1 {
			return nil, fmt.Errorf("publish article %q: its line is not one of article.Encode", a.ID)
		}
		if i > 0 && articles[i-1].ID >= a.ID {
			return nil, fmt.Errorf("publish article %s: it is out of order or there twice", a.ID)
		}
		if n := ChunkNumber(a.ID, count); n != number {
			return nil, fmt.Errorf("publish article %s: it belongs in chunk %d, not %d", a.ID, n, number)
		}
		digests[i] = Digest{a.ID, sha256.Sum256(a.Line)}
		err := w.stage(fileName{lineFile, a.ID}, a.Line, digests[i].Sum)
		if err == nil && a.Markdown != nil {
			err = w.stage(fileName{twinFile, a.ID}, a.Markdown, digests[i].Sum)
		}
		if err != nil {
			return nil, fmt.Errorf("publish article %s: %w", a.ID, err)
		}
		size += len(a.Line)
	}
	if size > maxChunkBytes {
		return nil, fmt.Errorf("publish chunk %d: its %d articles have %d MB, and %d MB is the most that a reader takes: split the longest of them", number, len(articles), size>>20, maxChunkBytes>>20)
	}
	p, ok := w.packers.Get().(*packer)
	if !ok {
		p = newPacker()
	}
	defer w.packers.Put(p)
	c, packed, sum, err := w.pack(p, number, count, articles)
	if err != nil {
		return nil, fmt.Errorf("publish chunk %d: %w", number, err)
	}
	if err := w.stage(document(c.Path), packed, sum); err != nil {
		return nil, fmt.Errorf("publish chunk %d: %w", number, err)
	}
	w.cache.Put(contents, c.Path, cache.Entry{Value: contentsOf(digests)})
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count = count
	w.markdown = articles[0].Markdown != nil
	w.digests = append(w.digests, digests...)
	w.manifest.Chunks = append(w.manifest.Chunks, c)
	return digests, nil
}

// packer packs chunks, one after the other.
type packer struct {
	zip *gzip.Writer
	out bytes.Buffer
}

func newPacker() *packer {
	zip, err := gzip.NewWriterLevel(nil, packLevel)
	if err != nil { // there is no such level
		panic(err)
	}
	return &packer{zip: zip}
}

// pack returns a chunk and its bytes, which the packer may own. Where the published chunk of this number has
// the same lines, it is that one, for reading it is faster than packing; so it also
// stays where another version of the compressor would pack the lines otherwise.
func (w *Writer) pack(p *packer, number, count int, articles []Record) (c Chunk, packed []byte, sum [sha256.Size]byte, err error) {
	if w.last != nil && ChunkCount(w.last.manifest.Articles) == count {
		if c, ok := w.last.manifest.chunk(number); ok && c.Articles == len(articles) {
			if packed, err := w.last.read(c.File); err == nil { // a damaged one is packed anew
				if old, err := unpack(packed, maxChunkBytes); err == nil && hasLines(old, articles) {
					return c, packed, sha256.Sum256(packed), nil
				}
			}
		}
	}
	p.out.Reset()
	p.zip.Reset(&p.out)
	for _, a := range articles {
		p.zip.Write(a.Line) // a Buffer takes everything
	}
	if err := p.zip.Close(); err != nil {
		return c, nil, sum, err
	}
	packed = p.out.Bytes()
	sum = sha256.Sum256(packed)
	return Chunk{File: newFile(article.ChunkPath(hex.EncodeToString(sum[:])), packed, sum), Number: number, Articles: len(articles)}, packed, sum, nil
}

// hasLines reports whether lines are those of the articles.
func hasLines(lines []byte, articles []Record) bool {
	for _, a := range articles {
		rest, ok := bytes.CutPrefix(lines, a.Line)
		if !ok {
			return false
		}
		lines = rest
	}
	return len(lines) == 0
}

// EndCorpus ends the articles, takes the search settings, and returns the revision
// and the number of articles.
func (w *Writer) EndCorpus(settings article.SearchSettings) (revisionName string, articles int, err error) {
	data, err := article.Encode(settings)
	if err != nil {
		return "", 0, err
	}
	if len(data) > maxSettingsBytes {
		return "", 0, fmt.Errorf("publish search settings: they have %d MB, and %d MB is the most that a reader takes", len(data)>>20, maxSettingsBytes>>20)
	}
	sum := sha256.Sum256(data)
	search := newFile(article.SearchSettingsPath(hex.EncodeToString(sum[:])), data, sum)
	if err := w.stage(document(search.Path), data, sum); err != nil {
		return "", 0, fmt.Errorf("publish search settings: %w", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if count := ChunkCount(len(w.digests)); w.count != 0 && w.count != count {
		return "", 0, fmt.Errorf("publish corpus: %d articles came in chunks of %d, and belong into %d", len(w.digests), w.count, count)
	}
	m := &w.manifest
	m.Search = search
	m.Articles = len(w.digests)
	m.Revision = revision(w.digests, data)
	slices.SortFunc(m.Chunks, func(a, b Chunk) int { return cmp.Compare(a.Number, b.Number) })
	w.listing.Go(func() { w.strays, w.straysFail = w.listStrays() }) // while the documents are made
	return m.Revision, m.Articles, nil
}

// Put adds a document. Where a file that the builder does not own is in its way,
// outside of the contract's folders, that file stays and the document is left out.
func (w *Writer) Put(name string, data []byte) error {
	if !w.owned[name] && !article.Reserved(name) {
		now := time.Now()
		info, same, err := w.compare(name, data)
		if err != nil {
			return fmt.Errorf("publish %s: %w", name, err)
		}
		if info != nil && !same {
			w.notes.File(name, cache.StampOf(info).Moved().Settled(now))
			w.foreign = append(w.foreign, name)
			return nil
		}
	}
	sum := sha256.Sum256(data)
	if err := w.stage(document(name), data, sum); err != nil {
		return fmt.Errorf("publish %s: %w", name, err)
	}
	w.manifest.Files = append(w.manifest.Files, newFile(name, data, sum))
	return nil
}

// Keep adds a document by the SHA-256 of its bytes, in hexadecimal digits, if the last
// manifest lists it so and its file still has them. If not, it does nothing and returns
// false, and the document is one to Put.
func (w *Writer) Keep(name, digits string) bool {
	if w.last == nil {
		return false
	}
	files := w.last.manifest.Files
	i := slices.IndexFunc(files, func(f File) bool { return f.Path == name && f.SHA256 == digits })
	if i < 0 {
		return false
	}
	sum, err := hex.DecodeString(digits)
	if err != nil {
		return false
	}
	if !w.untouched(name, [sha256.Size]byte(sum)) {
		now := time.Now()
		info, err := w.disk.root.Lstat(name)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		if _, err := w.last.read(files[i]); err != nil {
			return false
		}
		w.know(document(name), cache.StampOf(info).Moved().Settled(now), [sha256.Size]byte(sum), nil)
	}
	w.result.Unchanged++
	w.manifest.Files = append(w.manifest.Files, files[i])
	return true
}

// Foreign lists the documents that were left out because a file that the builder does
// not own is in their way, in the order in which they came.
func (w *Writer) Foreign() []string { return w.foreign }

// stage writes a file into the stage unless it is published with these bytes, which sum
// stands for, as in untouched.
func (w *Writer) stage(file fileName, data []byte, sum [sha256.Size]byte) error {
	name := file.path()
	fresh := w.disk.first && file.kind != documentFile
	same := !fresh && w.untouched(name, sum)
	if !same && !fresh {
		now := time.Now()
		info, is, err := w.compare(name, data)
		if err != nil {
			return err
		}
		fresh = info == nil
		if same = is; same {
			w.know(file, cache.StampOf(info).Moved().Settled(now), sum, func() ([]byte, error) { return data, nil })
		}
	}
	w.mu.Lock()
	if same {
		w.result.Unchanged++
		w.mu.Unlock()
		return nil
	}
	i := len(w.staged)
	staged := stagedFile{fileName: file, number: wholeFolder + 1 + i, fresh: fresh}
	w.staged = append(w.staged, staged)
	w.result.Bytes += int64(len(data))
	w.mu.Unlock()
	stamp, err := w.disk.write(w.disk.stagedAt(staged), data)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.staged[i].stamp, w.staged[i].sum = stamp.Moved(), sum
	return nil
}

// compare is that of the disk; but where only documents of the last build are in the way of a file's folder, or are all of a folder
// in its place, there is nothing: this build does not have them (see Manifest.check), so they go.
func (w *Writer) compare(name string, data []byte) (info fs.FileInfo, same bool, err error) {
	info, same, err = w.disk.compare(name, data)
	if err == nil {
		return info, same, nil
	}
	goes := w.ownsAll(name)
	for _, folder := range above(name) {
		if there, err := w.disk.root.Lstat(folder); err == nil && !there.IsDir() && w.owned[folder] {
			goes = true
		}
	}
	if goes {
		return nil, false, nil
	}
	return info, same, err
}

// ownsAll reports whether a folder holds documents of the last build and nothing else.
func (w *Writer) ownsAll(folder string) bool {
	entries, err := w.disk.root.List(folder)
	return err == nil && len(entries) > 0 && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := folder + "/" + e.Name()
		return e.IsDir() && !w.ownsAll(name) || !e.IsDir() && !w.owned[name]
	})
}

// know remembers a published file, and notes it: by its bytes, where its stamp is zero. They
// are those with the sum, except that a twin's must be given.
func (w *Writer) know(file fileName, stamp cache.Stamp, sum [sha256.Size]byte, bytes func() ([]byte, error)) {
	name := file.path()
	w.cache.Put(published, name+string(sum[:]), cache.Entry{Stamp: stamp})
	switch {
	case w.notes == nil:
	case stamp != cache.Stamp{}:
		w.notes.File(name, stamp)
	case file.kind != twinFile:
		w.notes.Bytes(name, sum)
	default:
		data, err := bytes()
		if err != nil {
			w.notes.Doubt()
		}
		w.notes.Bytes(name, sha256.Sum256(data))
	}
}

// noteFolders notes which files lie in the folders whose leftovers are removed. One that came after the removal
// is for the next build.
func (w *Writer) noteFolders() {
	if w.notes == nil {
		return
	}
	stale := w.staleCorpus()
	for folder, leftover := range map[string]func(string) bool{article.ArticleFolder: w.isStray, article.CorpusFolder: stale} {
		entries, err := w.disk.root.List(folder)
		came := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && leftover(folder+"/"+e.Name()) })
		switch {
		case errors.Is(err, fs.ErrNotExist):
			w.notes.Missing(folder)
		case err != nil || came:
			w.notes.Doubt()
		default:
			w.notes.Names(folder, entries)
		}
	}
}

// Commit publishes what was added, all of it or nothing. Where it fails, the folder
// holds the old build; where it fails so late that the new one can no longer be
// stopped, the error says so, and the next Begin completes it.
func (w *Writer) Commit(baseURL string, updatedAt time.Time) (Result, error) {
	m := &w.manifest
	m.BaseURL, m.UpdatedAt = baseURL, updatedAt.UTC()
	slices.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	m.Previous = w.previous()
	if err := m.check(); err != nil {
		return Result{}, fmt.Errorf("commit publication: the new manifest %w", err)
	}
	data, err := article.Encode(m)
	if err != nil {
		return Result{}, err
	}
	// Chunks before the files whose readers come by name, and the manifest last.
	slices.SortStableFunc(w.staged, func(a, b stagedFile) int {
		switch inCorpus := isCorpus(a.text); {
		case inCorpus == isCorpus(b.text):
			return 0
		case inCorpus:
			return -1
		}
		return 1
	})
	if err := w.stage(document(article.ManifestPath), data, sha256.Sum256(data)); err != nil {
		return Result{}, fmt.Errorf("commit publication: %w", err)
	}
	remove, err := w.leftovers()
	if err != nil {
		return Result{}, fmt.Errorf("commit publication: %w", err)
	}
	w.result.Manifest = *m
	w.result.Written, w.result.Removed = len(w.staged), len(remove)
	w.result.Changes = w.changes(remove)
	if len(w.staged) > 0 || len(remove) > 0 {
		now := time.Now() // whoever writes to a file that is published does it later
		for _, f := range w.staged {
			w.know(f.fileName, f.stamp.Settled(now), f.sum, func() ([]byte, error) { return w.disk.root.ReadFile(w.disk.stagedAt(f)) })
		}
		if err := w.disk.publish(w.staged, remove); err != nil {
			return Result{}, fmt.Errorf("commit publication: %w", err)
		}
	}
	w.noteFolders()
	return w.result, nil
}

// changes names the articles whose files are staged, or are to be removed.
func (w *Writer) changes(remove []string) (c Changes) {
	for _, f := range w.staged {
		switch {
		case f.kind != lineFile:
		case f.fresh:
			c.New = append(c.New, f.text)
		default:
			c.Changed = append(c.Changed, f.text)
		}
	}
	for _, name := range remove {
		if id, ok := article.IDOfPath(name); ok {
			c.Gone = append(c.Gone, id)
		}
	}
	for _, ids := range [][]string{c.New, c.Changed, c.Gone} {
		slices.Sort(ids) // a path has a suffix, which sorts otherwise
	}
	return c
}

// previous lists the corpus files that stay for readers of the last manifest: none
// where one of its articles is published no more, for it must be in no byte.
func (w *Writer) previous() []string {
	previous := []string{}
	if w.last == nil {
		return previous
	}
	last := w.last.manifest
	same := last.Search == w.manifest.Search && slices.Equal(last.Chunks, w.manifest.Chunks)
	if same { // the same generation, published again
		for _, name := range last.Previous {
			if w.intact(name) {
				previous = append(previous, name)
			}
		}
		return previous
	}
	now := map[string]bool{w.manifest.Search.Path: true}
	for _, c := range w.manifest.Chunks {
		now[c.Path] = true
	}
	before := map[string]bool{last.Search.Path: true}
	for _, c := range last.Chunks {
		if !now[c.Path] && !w.publishesAll(c) {
			return previous
		}
		before[c.Path] = true
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if !now[name] && w.intact(name) {
			previous = append(previous, name)
		}
	}
	return previous
}

// intact reports whether a file of the corpus is what its name says, or is gone.
func (w *Writer) intact(name string) bool {
	text, _ := corpusSum(name)
	sum, err := hex.DecodeString(text)
	if err != nil || w.untouched(name, [sha256.Size]byte(sum)) {
		return err == nil
	}
	now := time.Now()
	info, err := w.disk.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := readAtMost(w.disk.root.FS(), name, maxChunkBytes)
	if err != nil || sha256.Sum256(data) != [sha256.Size]byte(sum) {
		return false
	}
	w.know(document(name), cache.StampOf(info).Moved().Settled(now), [sha256.Size]byte(sum), nil)
	return true
}

// publishesAll reports whether all articles of a chunk of the last build are part of
// this one, too. A chunk that is damaged is of no use to a reader.
func (w *Writer) publishesAll(c Chunk) bool {
	records, err := w.last.Chunk(c)
	if err != nil {
		return false
	}
	return !slices.ContainsFunc(records, func(r Record) bool { return !w.publishes(r.ID) })
}

// publishes reports whether an article is part of this build, after EndCorpus.
func (w *Writer) publishes(id string) bool {
	_, ok := slices.BinarySearchFunc(w.digests, id, func(d Digest, id string) int { return cmp.Compare(d.ID, id) })
	return ok
}

// leftovers lists what the builder owns and this build does not have, sorted: article
// files, corpus files, and documents of the last manifest.
func (w *Writer) leftovers() ([]string, error) {
	documents := map[string]bool{}
	for _, f := range w.manifest.Files {
		documents[f.Path] = true
	}
	var remove []string
	for name := range w.owned {
		if !documents[name] {
			remove = append(remove, name)
		}
	}
	stale := w.staleCorpus()
	err := w.disk.list(article.CorpusFolder, func(name string) {
		if stale(name) {
			remove = append(remove, name)
		}
	})
	w.listing.Wait()
	remove = append(remove, w.strays...)
	remove = slices.DeleteFunc(remove, func(name string) bool { // it is gone, or a folder of somebody's
		info, err := w.disk.root.Lstat(name)
		return errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir()
	})
	slices.Sort(remove)
	return remove, cmp.Or(err, w.straysFail)
}

// staleCorpus returns what tells the corpus files that this build does not have.
func (w *Writer) staleCorpus() func(name string) bool {
	keep := map[string]bool{w.manifest.Search.Path: true}
	for _, c := range w.manifest.Chunks {
		keep[c.Path] = true
	}
	for _, name := range w.manifest.Previous {
		keep[name] = true
	}
	return func(name string) bool {
		_, ok := corpusSum(name)
		return ok && !keep[name]
	}
}

// listStrays lists the article files that this build does not have.
func (w *Writer) listStrays() (strays []string, err error) {
	err = w.disk.list(article.ArticleFolder, func(name string) {
		if w.isStray(name) {
			strays = append(strays, name)
		}
	})
	return strays, err
}

// isStray tells an article file that this build does not have, after EndCorpus.
func (w *Writer) isStray(name string) bool {
	id, ok := article.IDOfPath(name)
	if !ok {
		if id, ok = article.IDOfMarkdownPath(name); ok && !w.markdown {
			return true
		}
	}
	return ok && !w.publishes(id)
}

// Close gives the folder free. Without a Commit before, everything that was added
// is forgotten.
func (w *Writer) Close() error {
	w.listing.Wait()
	return errors.Join(w.disk.discard(), w.lock.Close(), w.disk.root.Close())
}

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
	"os"
	"slices"
	"sync"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
	"newsstand/builder/dir"
	"newsstand/builder/hinted"
)

// Writer publishes one build. Between Begin and Commit: the articles, chunk by chunk
// ([Writer.Chunk], from as many goroutines as you like), then [Writer.EndCorpus], then the
// documents ([Writer.Put], [Writer.Keep]). Nothing that is published changes before Commit.
type Writer struct {
	folder string // its path
	disk   disk
	lock   io.Closer
	// last is what was published when the writer began; nil where nothing was.
	last *Publication
	// damaged says why what was published cannot be read; nil where it can.
	damaged error
	// owned are the documents that the last manifest lists; nil where there are none.
	owned map[string]bool
	// cache remembers the published files; nil if nothing is remembered.
	cache *cache.Cache
	// notes are of the files that will be published; nil if none are wanted.
	notes *cache.Notes
	// packers are *packer, to be used again.
	packers sync.Pool
	// listing finds, in the background, the article files that are not part of this build.
	listing       sync.WaitGroup
	strayArticles []string
	listingFailed error

	// mu guards all fields below until EndCorpus, for chunks come from several goroutines. Then
	// one goroutine has them.
	mu       sync.Mutex
	count    int // of chunks; 0 before the first
	staged   []stagedFile
	digests  []Digest // of all articles; EndCorpus sorts them by id
	markdown bool     // whether the articles have twins
	manifest Manifest
	result   Result
	foreign  []string
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
// first completes or throws away what a killed writer left. What a newer builder has
// published ([ErrFormat]) it leaves alone.
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
	w := &Writer{folder: folder, disk: disk{root: dir.New(root), step: step}, lock: lock}
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
	case dir.Transient(err): // it may be whole
		return nil, errors.Join(err, w.Close())
	case errors.Is(err, ErrFormat): // what cannot be read would be taken down, or for somebody else's
		return nil, errors.Join(hinted.Error(err, "publish with a builder as new as the one that was here before, or into an empty folder"), w.Close())
	case err != nil:
		w.last, w.damaged = nil, err
	default:
		w.owned = paths(w.last.manifest.Files)
	}
	w.manifest = Manifest{Format: format, Chunks: []Chunk{}, Files: []File{}, Previous: []string{}}
	return w, nil
}

// Last is what was published when the writer began: nil where nothing was, or
// where it is damaged, and then the error says how. It stays readable until Commit.
func (w *Writer) Last() (*Publication, error) { return w.last, w.damaged }

// Remember gives the writer a cache: a published file that still has the stamp with which it was
// last written or read is not read again. Call it right after Begin. Only [Check] finds bytes that
// changed while the stamp did not.
func (w *Writer) Remember(c *cache.Cache) { w.cache = c }

// Note lets the writer note in n which files are published after Commit, and how they are. Call it
// right after Begin.
func (w *Writer) Note(n *cache.Notes) { w.notes = n }

// Chunk adds the articles of one chunk, sorted by id, of a build with count chunks;
// their Line, ID and Markdown are used. It stages those of their files, and of the chunk's,
// that differ from what is published, and returns the digests of the articles. Either all
// articles of a build have a twin, which must follow from the line alone, or none has.
// It is safe for concurrent use.
func (w *Writer) Chunk(count int, articles []Record) ([]Digest, error) {
	if len(articles) == 0 {
		return nil, nil
	}
	number := ChunkNumber(articles[0].ID, count)
	if err := checkChunk(number, count, articles); err != nil {
		return nil, err
	}
	digests := make([]Digest, len(articles))
	for i, a := range articles {
		digests[i] = Digest{a.ID, sha256.Sum256(a.Line)}
		err := w.stage(fileName{lineFile, a.ID}, a.Line, digests[i].Sum)
		if err == nil && a.Markdown != nil {
			err = w.stage(fileName{twinFile, a.ID}, a.Markdown, digests[i].Sum)
		}
		if err != nil {
			return nil, fmt.Errorf("publish article %s: %w", a.ID, err)
		}
	}
	p, ok := w.packers.Get().(*packer)
	if !ok {
		p = newPacker()
	}
	defer w.packers.Put(p)
	c, packed, err := w.pack(p, number, count, articles)
	if err != nil {
		return nil, fmt.Errorf("publish chunk %d: %w", number, err)
	}
	if err := w.stage(document(c.Path), packed, c.sum()); err != nil {
		return nil, fmt.Errorf("publish chunk %d: %w", number, err)
	}
	w.cache.Put(contents, c.Path, cache.Entry{Value: contentsOf(digests)})
	w.add(c, count, digests, articles[0].Markdown != nil)
	return digests, nil
}

// checkChunk reports why articles cannot be the chunk with this number, of count chunks.
func checkChunk(number, count int, articles []Record) error {
	size := 0
	for i, a := range articles {
		if id, ok := idOfLine(a.Line); !ok || id != a.ID || bytes.IndexByte(a.Line, '\n') != len(a.Line)-1 {
			return fmt.Errorf("publish article %q: its line is not one of article.Encode", a.ID)
		}
		if i > 0 && articles[i-1].ID >= a.ID {
			return fmt.Errorf("publish article %s: it is out of order or there twice", a.ID)
		}
		if n := ChunkNumber(a.ID, count); n != number {
			return fmt.Errorf("publish article %s: it belongs in chunk %d, not %d", a.ID, n, number)
		}
		size += len(a.Line)
	}
	if size > MaxChunkBytes {
		err := fmt.Errorf("publish chunk %d: its %d articles have %d MB, and %d MB is the most that a reader takes",
			number, len(articles), size>>20, MaxChunkBytes>>20)
		return hinted.Error(err, "split the longest of them")
	}
	return nil
}

// add makes a chunk a part of the build, with its articles.
func (w *Writer) add(c Chunk, count int, articles []Digest, markdown bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.count = count
	w.markdown = markdown
	w.digests = append(w.digests, articles...)
	w.manifest.Chunks = append(w.manifest.Chunks, c)
}

// EndCorpus ends the articles, takes the search settings, and returns the revision
// and the number of articles.
func (w *Writer) EndCorpus(settings article.SearchSettings) (revisionName string, articles int, err error) {
	data, err := article.Encode(settings)
	if err != nil {
		return "", 0, err
	}
	if len(data) > maxSettingsBytes {
		return "", 0, fmt.Errorf("publish search settings: they have %d MB, and %d MB is the most that a reader takes",
			len(data)>>20, maxSettingsBytes>>20)
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
	leftover := w.leftover()
	w.listing.Go(func() { w.strayArticles, w.listingFailed = w.strays(article.ArticleFolder, leftover) }) // while the documents are made
	return m.Revision, m.Articles, nil
}

// Put adds a document. Where a file that the builder does not own is in its way, outside of the
// contract's folders, that file stays and the document is left out. What the cache knows to have
// been published is the builder's, even if the manifest is lost: no feed must go on to show what
// was taken down.
func (w *Writer) Put(name string, data []byte) error {
	if !w.owned[name] && !article.Reserved(name) {
		now := time.Now()
		info, same, err := w.compare(name, data)
		if err != nil {
			return fmt.Errorf("publish %s: %w", name, err)
		}
		if info != nil && !same && !w.wasPublished(name) {
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
	if i < 0 || !w.has(name, files[i].sum()) {
		return false
	}
	w.result.Unchanged++
	w.manifest.Files = append(w.manifest.Files, files[i])
	return true
}

// Foreign lists the documents that were left out because a file that the builder does
// not own is in their way, in the order in which they came.
func (w *Writer) Foreign() []string { return w.foreign }

// Commit publishes what was added, all of it or nothing. Where it fails, the folder holds the old
// build; where it fails so late that the new one can no longer be stopped, the error says so, and
// the next Begin completes it. It also fails where the folder was moved away meanwhile.
func (w *Writer) Commit(baseURL string, updatedAt time.Time) (Result, error) {
	if err := w.commit(baseURL, updatedAt); err != nil {
		return Result{}, fmt.Errorf("commit publication: %w", err)
	}
	return w.result, nil
}

func (w *Writer) commit(baseURL string, updatedAt time.Time) error {
	m := &w.manifest
	m.BaseURL, m.UpdatedAt = baseURL, updatedAt.UTC()
	slices.SortFunc(m.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	m.Previous = w.previous()
	data, err := m.seal()
	if err != nil {
		return fmt.Errorf("the new manifest %w", err)
	}
	// Chunks before the files whose readers come by name, and the manifest last.
	order := func(f stagedFile) int {
		if isCorpus(f.text) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(w.staged, func(a, b stagedFile) int { return order(a) - order(b) })
	if err := w.stage(document(article.ManifestPath), data, sha256.Sum256(data)); err != nil {
		return err
	}
	remove, err := w.leftovers()
	if err != nil {
		return err
	}
	w.result.Manifest = *m
	w.result.Written, w.result.Removed = len(w.staged), len(remove)
	w.result.Changes = w.changes(remove)
	if err := w.inPlace(); err != nil {
		return err
	}
	if len(w.staged) > 0 || len(remove) > 0 {
		now := time.Now() // whoever writes to a file that is published does it later
		for _, f := range w.staged {
			w.know(f.fileName, f.stamp.Settled(now), f.sum, func() ([]byte, error) { return w.disk.root.ReadFile(w.disk.stagedAt(f)) })
		}
		if err := w.disk.publish(w.staged, remove); err != nil {
			return err
		}
	}
	if err := w.inPlace(); err != nil {
		return err
	}
	w.noteFolders()
	return nil
}

// inPlace reports that the folder's path leads elsewhere by now, so that nobody would find what
// this build publishes.
func (w *Writer) inPlace() error {
	if here, err := leadsTo(w.folder, w.disk.root.Root); err != nil || !here {
		return hinted.Error(fmt.Errorf("the folder %s was moved away or removed while the build ran", w.folder), "build again")
	}
	return nil
}

// leadsTo reports whether a path leads to the folder that is open as root.
func leadsTo(path string, root *os.Root) (bool, error) {
	open, err := root.Stat(".")
	if err != nil {
		return false, err
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(open, there), err
}

// Close unlocks the folder. Without a Commit before, everything that was added is
// thrown away.
func (w *Writer) Close() error {
	w.listing.Wait()
	return errors.Join(w.disk.discard(), w.lock.Close(), w.disk.root.Close())
}

package publication

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"slices"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/cache"
)

// The cache's kinds of what is known of published files.
const (
	published cache.Kind = 'p' // that a file has these bytes, by its path and their sum
	contents  cache.Kind = 'c' // the contentsOf a chunk, by its path
)

// untouched reports whether the cache knows that a published file still has the bytes with this
// sum, because its stamp is still the same; then it also notes the file. The sum of a twin is that
// of the article's line, from which it is made.
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

// know puts a published file into the cache, with its sum as for untouched, and notes it: by its
// stamp, or if that is zero, by the sum of its bytes. bytes returns these; it is called for twins
// only.
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

// contentsOf is equal for chunks of the same articles.
func contentsOf(articles []Digest) string {
	h := sha256.New()
	for _, a := range articles {
		h.Write(a.Sum[:]) // a line begins with its id
	}
	return string(h.Sum(nil))
}

// Unchanged adds one chunk, as Chunk does, if exactly these articles are published in
// it, with twins or without, and its files are known to be untouched. If not, it does
// nothing and returns false, as it always does without a cache. It is safe for
// concurrent use.
func (w *Writer) Unchanged(count int, articles []Digest, markdown bool) bool {
	c, ok := w.lastChunk(ChunkNumber(articles[0].ID, count), count)
	if !ok {
		return false
	}
	e, ok := w.cache.Get(contents, c.Path)
	if !ok || e.Value != contentsOf(articles) || !w.untouched(c.Path, c.sum()) {
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
	w.add(c, count, articles, markdown)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.result.Unchanged += files
	return true
}

// has reports whether a published file has the bytes with this sum: by its stamp, or else by
// reading it.
func (w *Writer) has(name string, sum [sha256.Size]byte) bool {
	if w.untouched(name, sum) {
		return true
	}
	now := time.Now()
	info, err := w.disk.root.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	data, err := readAtMost(w.disk.root.FS(), name, MaxChunkBytes)
	if err != nil || sha256.Sum256(data) != sum {
		return false
	}
	w.know(document(name), cache.StampOf(info).Moved().Settled(now), sum, nil)
	return true
}

// wasPublished reports whether the cache knows that a file with the bytes of this one was published
// under its name.
func (w *Writer) wasPublished(name string) bool {
	data, err := readAtMost(w.disk.root.FS(), name, MaxChunkBytes)
	if err != nil {
		return false
	}
	sum := sha256.Sum256(data)
	_, ok := w.cache.Get(published, name+string(sum[:]))
	return ok
}

// noteFolders notes which files lie in the folders from which leftovers are removed. If another one
// has come since they were listed, the notes never hold, so that the next build removes it.
func (w *Writer) noteFolders() {
	if w.notes == nil {
		return
	}
	leftover := w.leftover()
	for _, folder := range []string{article.ArticleFolder, article.CorpusFolder} {
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

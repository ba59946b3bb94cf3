package publication

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"newsstand/builder/article"
)

// Publication is one published build, as its manifest describes it. It is safe for
// concurrent use.
type Publication struct {
	fsys     fs.FS
	manifest Manifest
}

// Record is one published article.
type Record struct {
	ID string
	// Sum is the SHA-256 of the line; a writer makes its own.
	Sum [sha256.Size]byte
	// Line is the article's file, byte for byte: one line of JSON with its newline.
	Line []byte
	// Markdown is the article's twin; a reader leaves it nil, as a writer does if there are none.
	Markdown []byte
}

// Digest is the article's digest.
func (r Record) Digest() Digest { return Digest{r.ID, r.Sum} }

// Open reads the manifest of a published folder, and nothing else. It refuses a
// manifest of another format and whatever is not exactly as the builder writes it.
// A folder in which nothing is published yet gives fs.ErrNotExist.
func Open(fsys fs.FS) (*Publication, error) {
	data, err := ReadManifest(fsys)
	if err != nil {
		return nil, fmt.Errorf("open publication: %w", err)
	}
	return Of(fsys, data)
}

// ReadManifest reads the bytes of the manifest of a published folder, for Of. If they are the same
// as before, so is the publication.
func ReadManifest(fsys fs.FS) ([]byte, error) {
	return readAtMost(fsys, article.ManifestPath, MaxManifestBytes)
}

// Of is Open for the bytes of a manifest that were read before.
func Of(fsys fs.FS, manifest []byte) (*Publication, error) {
	m, err := ParseManifest(manifest)
	if err != nil {
		return nil, fmt.Errorf("open publication: %s %w", article.ManifestPath, err)
	}
	return &Publication{fsys: fsys, manifest: m}, nil
}

// Manifest returns the manifest. Its lists are shared: do not change them.
func (p *Publication) Manifest() Manifest { return p.manifest }

// Chunk reads one chunk of the manifest: its articles sorted by id. The lines share
// one piece of memory. Where the chunk is gone (fs.ErrNotExist), newer builds have
// been published since Open: open again.
func (p *Publication) Chunk(c Chunk) ([]Record, error) {
	packed, err := p.read(c.File)
	if err != nil {
		return nil, fmt.Errorf("read chunk: %w", err)
	}
	lines, err := unpack(packed, MaxChunkBytes)
	if err != nil {
		return nil, fmt.Errorf("read chunk %s: %w", c.Path, err)
	}
	count := ChunkCount(p.manifest.Articles)
	records := make([]Record, 0, min(c.Articles, len(lines)/len(`{"id":"a"}`)))
	for len(lines) > 0 {
		end := bytes.IndexByte(lines, '\n') + 1
		if end == 0 {
			return nil, fmt.Errorf("read chunk %s: its last line has no end", c.Path)
		}
		line := lines[:end:end]
		lines = lines[end:]
		id, ok := idOfLine(line)
		if !ok {
			return nil, fmt.Errorf("read chunk %s: line %d does not begin with a valid id", c.Path, len(records)+1)
		}
		if n := len(records); n > 0 && records[n-1].ID >= id {
			return nil, fmt.Errorf("read chunk %s: line %d, article %s, is out of order or there twice", c.Path, n+1, id)
		}
		if number := ChunkNumber(id, count); number != c.Number {
			return nil, fmt.Errorf("read chunk %s: article %s belongs in chunk %d, not %d", c.Path, id, number, c.Number)
		}
		records = append(records, Record{ID: id, Sum: sha256.Sum256(line), Line: line})
	}
	if len(records) != c.Articles {
		return nil, fmt.Errorf("read chunk %s: it has %d articles and the manifest says %d", c.Path, len(records), c.Articles)
	}
	return records, nil
}

// Find returns the published article with this id; ok is false where there is none.
// It reads one chunk.
func (p *Publication) Find(id string) (r Record, ok bool, err error) {
	c, ok := p.manifest.ChunkOf(id)
	if !ok {
		return Record{}, false, nil
	}
	records, err := p.Chunk(c)
	i := slices.IndexFunc(records, func(r Record) bool { return r.ID == id })
	if i < 0 {
		return Record{}, false, err
	}
	return records[i], true, nil
}

// Settings reads the search settings.
func (p *Publication) Settings() (article.SearchSettings, error) {
	data, err := p.read(p.manifest.Search)
	if err != nil {
		return article.SearchSettings{}, fmt.Errorf("read search settings: %w", err)
	}
	var s article.SearchSettings
	if err := decode(data, &s); err != nil {
		return article.SearchSettings{}, fmt.Errorf("read search settings: %s %w", p.manifest.Search.Path, err)
	}
	return s, nil
}

// CheckRevision checks that the revision is that of these articles, which it sorts by id, and of
// the search settings.
func (p *Publication) CheckRevision(articles []Digest) error {
	settings, err := p.read(p.manifest.Search)
	if err != nil {
		return fmt.Errorf("read search settings: %w", err)
	}
	if want := revision(articles, settings); p.manifest.Revision != want {
		return fmt.Errorf("%s has the revision %s, and its articles make %s", article.ManifestPath, p.manifest.Revision, want)
	}
	return nil
}

// read returns the bytes of a file of the manifest, if they are those.
func (p *Publication) read(f File) ([]byte, error) {
	data, err := readAtMost(p.fsys, f.Path, f.Bytes)
	if err != nil {
		return nil, err
	}
	if int64(len(data)) != f.Bytes {
		return nil, fmt.Errorf("%s has %d bytes and the manifest says %d", f.Path, len(data), f.Bytes)
	}
	if sum := sumOf(data); sum != f.SHA256 {
		return nil, fmt.Errorf("%s has the sha256 %s and the manifest says %s", f.Path, sum, f.SHA256)
	}
	return data, nil
}

// readAtMost reads a whole file. It refuses a longer one before that fills the memory, and refuses
// to open what may have no end, such as a pipe, which could wait for ever.
func readAtMost(fsys fs.FS, path string, most int64) ([]byte, error) {
	if disk, ok := fsys.(fs.StatFS); ok { // a host has files only, each of which would be fetched to know that
		if info, err := disk.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			return nil, fmt.Errorf("%s is not a file but a pipe, a socket or a device", path)
		}
	}
	f, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(min(info.Size(), most)) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(f, most+1)); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if int64(b.Len()) > most {
		return nil, fmt.Errorf("%s is longer than %d bytes", path, most)
	}
	return b.Bytes(), nil
}

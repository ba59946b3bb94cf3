package verify

import (
	"io/fs"
	"slices"

	"newsstand/builder/publication"
)

// corpus is what was published: the articles by id. It reads a chunk when it is needed, and keeps a
// few. It is used by one goroutine.
type corpus struct {
	publication *publication.Publication

	most int                          // bytes of articles that are kept
	kept map[int][]publication.Record // by number of the chunk
	size int                          // of their lines, in bytes
}

// mostKept is enough for the hits of a page: 64 chunks of usual articles.
const mostKept = 32 << 20

func openCorpus(fsys fs.FS) (*corpus, error) {
	p, err := publication.Open(fsys)
	if err != nil {
		return nil, err
	}
	return &corpus{publication: p, most: mostKept, kept: map[int][]publication.Record{}}, nil
}

func (c *corpus) manifest() publication.Manifest { return c.publication.Manifest() }

// chunk returns the articles of a chunk.
func (c *corpus) chunk(chunk publication.Chunk) ([]publication.Record, error) {
	if records, ok := c.kept[chunk.Number]; ok {
		return records, nil
	}
	records, err := c.publication.Chunk(chunk)
	if err != nil {
		return nil, err
	}
	size := 0
	for _, r := range records {
		size += len(r.Line)
	}
	if size > c.most {
		return records, nil
	}
	if c.size+size > c.most {
		clear(c.kept)
		c.size = 0
	}
	c.kept[chunk.Number] = records
	c.size += size
	return records, nil
}

// record returns the article with this id, if there is one.
func (c *corpus) record(id string) (r publication.Record, ok bool, err error) {
	m := c.manifest()
	chunk, ok := m.ChunkOf(id)
	if !ok {
		return r, false, nil
	}
	records, err := c.chunk(chunk)
	i := slices.IndexFunc(records, func(r publication.Record) bool { return r.ID == id })
	if i < 0 {
		return r, false, err
	}
	return records[i], true, nil
}

// each calls f with articles in the order of the corpus: with about as many as most, spread evenly
// over as many chunks as that takes.
func (c *corpus) each(most int, f func(publication.Record) error) error {
	chunks := spread(c.manifest().Chunks, most)
	for _, chunk := range chunks {
		records, err := c.chunk(chunk)
		if err != nil {
			return err
		}
		for _, r := range spread(records, 1+(most-1)/len(chunks)) {
			if err := f(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// spread picks at most n of a list, evenly: the first is always one of them.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	picked := make([]T, 0, n)
	for i := range n {
		picked = append(picked, list[i*len(list)/n])
	}
	return picked
}

package searchd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/publication"
)

// Changes up to these bounds are one atomic batch in the current index; larger ones become a new
// index beside it. A batch is in memory as a whole, and an index of which a fifth is replaced
// carries that much dead weight until it is merged.
const (
	maxUpdateShare    = 5        // one in five articles
	minUpdateArticles = 1000     // what is always small enough
	maxUpdateBytes    = 64 << 20 // of article lines
)

// changes is the difference between what an index holds and a publication.
type changes struct {
	put      []publication.Record
	remove   []string             // ids, sorted
	articles []publication.Digest // all of the publication, sorted by id
}

// merge lists all articles of the publication, given those that the index holds and those of the
// chunks that were read, both sorted by id. An article is removed if the index holds it, and its
// chunk was read, as wouldBeRead says, but does not have it. As many are removed as gone says;
// wouldBeRead, which takes a hash of the id, is not called once these are found.
func (c *changes) merge(held, read []publication.Digest, gone int, wouldBeRead func(id string) bool) {
	for _, d := range held {
		for len(read) > 0 && read[0].ID < d.ID {
			c.articles, read = append(c.articles, read[0]), read[1:]
		}
		switch {
		case len(read) > 0 && read[0].ID == d.ID: // follows
		case len(c.remove) < gone && wouldBeRead(d.ID):
			c.remove = append(c.remove, d.ID)
		default:
			c.articles = append(c.articles, d)
		}
	}
	c.articles = append(c.articles, read...)
}

func (c changes) lines() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for _, r := range c.put {
			if !yield(r.Digest().String(), r.Line) {
				return
			}
		}
	}
}

// compare reads the chunks that the publication of the current index did not have, and finds what
// changed in them. why is not empty where a new index is the better way.
func (l *Live) compare(ctx context.Context, pub *publication.Publication, current *served) (c changes, why string, err error) {
	m := pub.Manifest()
	known := map[string]bool{} // digests of chunks
	for _, chunk := range current.manifest.Chunks {
		known[chunk.SHA256] = true
	}
	kept := map[int]bool{} // numbers of chunks that are as they were
	var changed []publication.Chunk
	for _, chunk := range m.Chunks {
		if known[chunk.SHA256] {
			kept[chunk.Number] = true
		} else {
			changed = append(changed, chunk)
		}
	}
	if err := current.loadDigests(); err != nil {
		return changes{}, fmt.Sprintf("the index that is there cannot be read: %v", err), nil
	}
	r := reading{held: current.digests, most: max(minUpdateArticles, m.Articles/maxUpdateShare)}
	switch err := r.chunks(ctx, pub, changed, l.options.Processors); {
	case errors.Is(err, errMany):
		return changes{}, err.Error(), nil
	case err != nil:
		return changes{}, "", err
	}
	count := publication.ChunkCount(m.Articles)
	all := len(r.held) + r.added // before any is removed
	c.put = r.put
	c.articles = make([]publication.Digest, 0, all) // and not m.Articles, which may be wrong
	c.merge(r.held, r.articles, all-m.Articles, func(id string) bool { return !kept[publication.ChunkNumber(id, count)] })
	if len(c.put)+len(c.remove) > r.most {
		return changes{}, errMany.Error(), nil
	}
	if total := len(c.articles); total != m.Articles {
		return changes{}, fmt.Sprintf("it would have %d articles where the manifest has %d", total, m.Articles), nil
	}
	if pub.CheckRevision(c.articles) != nil { // where the manifest is at fault, a new index will tell
		return changes{}, "it would have other articles than the revision", nil
	}
	return c, "", nil
}

// errMany means that a change is too large for the index that is there.
var errMany = errors.New("many articles changed")

// reading compares the articles of chunks with those that the index holds.
type reading struct {
	held []publication.Digest // what the index holds, sorted by id
	most int                  // of new and changed articles; more are errMany

	mu       sync.Mutex           // guards what follows
	articles []publication.Digest // all that were read; chunks sorts them by id
	put      []publication.Record // those that are new or changed; chunks sorts them by id
	added    int                  // how many are new
	bytes    int                  // of the lines of put
}

// chunks reads chunks, so many at once. The error is errMany if too much in them is new or changed.
func (r *reading) chunks(ctx context.Context, pub *publication.Publication, chunks []publication.Chunk, atOnce int) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(atOnce)
	for _, chunk := range chunks {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			records, err := pub.Chunk(chunk)
			if err != nil {
				return err
			}
			return r.add(records)
		})
	}
	err := work.Wait()
	slices.SortFunc(r.put, func(a, b publication.Record) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(r.articles, byID)
	return err
}

// add adds the articles of a chunk.
func (r *reading) add(records []publication.Record) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, record := range records {
		digest := record.Digest()
		r.articles = append(r.articles, digest)
		at, found := slices.BinarySearchFunc(r.held, digest, byID)
		if found && r.held[at] == digest {
			continue
		}
		if !found {
			r.added++
		}
		record.Line = bytes.Clone(record.Line) // or it would keep its whole chunk in memory
		r.put = append(r.put, record)
		if r.bytes += len(record.Line); r.bytes > maxUpdateBytes || len(r.put) > r.most {
			return errMany
		}
	}
	return nil
}

// loadDigests asks the index for its articles, once: it takes longer than all else of an update.
func (s *served) loadDigests() error {
	if s.digests != nil {
		return nil
	}
	have := make([]publication.Digest, 0, s.manifest.Articles)
	err := s.index.Digests(func(id, digest string) error {
		d, err := publication.ParseDigest(id, digest)
		have = append(have, d)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(have, byID)
	s.digests = have
	return nil
}

// prepare asks the index for its articles before the first update needs them.
func (l *Live) prepare() {
	l.loading.Lock()
	defer l.loading.Unlock()
	if s := l.acquire(); s != nil {
		defer l.release(s)
		s.loadDigests() // an error is told when it is in the way
	}
}

func byID(a, b publication.Digest) int { return cmp.Compare(a.ID, b.ID) }

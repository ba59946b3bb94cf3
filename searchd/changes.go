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
	"newsstand/searchd/index"
)

// Changes up to these bounds are one atomic batch in the current index; larger ones
// become a new index beside it. A batch lies in memory as a whole, and an index of
// which a fifth is replaced carries that much dead weight until it is merged.
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

// compare reads the chunks that the index's publication did not have, and finds what
// changed in them. why is not empty where a new index is the better way.
func (l *Live) compare(ctx context.Context, pub *publication.Publication, x *index.Index) (c changes, why string, err error) {
	m := pub.Manifest()
	known := map[string]bool{} // digests of chunks
	for _, chunk := range l.held.Chunks {
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
	if err := l.loadDigests(x); err != nil {
		return changes{}, fmt.Sprintf("the index that is there cannot be read: %v", err), nil
	}
	most := max(minUpdateArticles, m.Articles/maxUpdateShare)
	fresh, added, err := l.read(ctx, pub, changed, most, &c)
	switch {
	case errors.Is(err, errMany):
		return changes{}, err.Error(), nil
	case err != nil:
		return changes{}, "", err
	}
	count := publication.ChunkCount(m.Articles)
	c.articles = make([]publication.Digest, 0, len(l.heldDigests)+added) // and not m.Articles, which may be wrong
	c.merge(l.heldDigests, fresh, len(l.heldDigests)+added-m.Articles, func(id string) bool { return !kept[publication.ChunkNumber(id, count)] })
	if len(c.put)+len(c.remove) > most {
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

// read reads chunks and adds to c what is new or changed in them; for more articles than most, the
// error is errMany. It returns all articles of the chunks, sorted by id, and how many of them the
// index does not have yet.
func (l *Live) read(ctx context.Context, pub *publication.Publication, chunks []publication.Chunk, most int, c *changes) (
	articles []publication.Digest, added int, err error,
) {
	var mu sync.Mutex // guards c, size and the results
	size := 0
	take := func(r publication.Record) error {
		digest := r.Digest()
		articles = append(articles, digest)
		at, found := slices.BinarySearchFunc(l.heldDigests, digest, byID)
		if found && l.heldDigests[at] == digest {
			return nil
		}
		if !found {
			added++
		}
		r.Line = bytes.Clone(r.Line) // or it would keep its whole chunk in memory
		c.put = append(c.put, r)
		if size += len(r.Line); size > maxUpdateBytes || len(c.put) > most {
			return errMany
		}
		return nil
	}
	reading, ctx := errgroup.WithContext(ctx)
	reading.SetLimit(l.options.Processors)
	for _, chunk := range chunks {
		reading.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			records, err := pub.Chunk(chunk)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			for _, r := range records {
				if err := take(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = reading.Wait()
	slices.SortFunc(c.put, func(a, b publication.Record) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(articles, byID)
	return articles, added, err
}

// loadDigests asks the index for its articles, once: it takes longer than all else of an update.
func (l *Live) loadDigests(x *index.Index) error {
	if l.heldDigests != nil {
		return nil
	}
	have := make([]publication.Digest, 0, l.held.Articles)
	err := x.Digests(func(id, digest string) error {
		d, err := publication.ParseDigest(id, digest)
		have = append(have, d)
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(have, byID)
	l.heldDigests = have
	return nil
}

// prepare asks the index for its articles before the first update needs them.
func (l *Live) prepare() {
	l.loading.Lock()
	defer l.loading.Unlock()
	if s := l.acquire(); s != nil {
		defer l.release(s)
		l.loadDigests(s.index) // an error is told when it is in the way
	}
}

func byID(a, b publication.Digest) int { return cmp.Compare(a.ID, b.ID) }

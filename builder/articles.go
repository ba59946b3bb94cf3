package builder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/builder/page"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

// attempt is one attempt of a build: what it has read, and where it writes.
type attempt struct {
	*builder
	writer *publication.Writer
	folder *source.Folder
	// previous is what is published; nil where nothing is, or it is damaged.
	previous *publication.Publication
	// failing are the files that cannot be rendered, by path, and why.
	failing map[string][]source.Problem
	// settings are the search settings of the articles by id; before are those that were published
	// last.
	settings, before map[string]article.ArticleSettings
	// items are the articles to publish, by chunk and id; chunks is how many there may be.
	items  []item
	chunks int
	// twins are *article.Twins, to be used again.
	twins sync.Pool
}

// totals is what is known about the articles once they are rendered.
type totals struct {
	articles int
	newest   time.Time
	example  example  // the shortest article that search may find; of several, the first by id
	set      page.Set // the articles that search may find
	problems []source.Problem
	kept     []string                    // ids whose file could not be rendered
	failed   map[string][]source.Problem // those of files that could not be rendered, by path
	damaged  error                       // why one of these could not be kept as it was published; nil where all were
}

// articles renders, compares and stages all articles, chunk by chunk.
func (b *attempt) articles(ctx context.Context) (totals, error) {
	var (
		mu sync.Mutex // guards t
		t  = totals{failed: map[string][]source.Problem{}}
	)
	done, items := 0, b.items
	workers, working := errgroup.WithContext(ctx)
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for len(items) > 0 && working.Err() == nil {
		n := 1
		for n < len(items) && items[n].number == items[0].number {
			n++
		}
		chunk := items[:n]
		items = items[n:]
		workers.Go(func() error {
			own := totals{failed: map[string][]source.Problem{}}
			if !b.unchanged(chunk, &own) {
				if err := b.chunk(ctx, chunk, &own); err != nil {
					return err
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if done += n; b.options.Progress != nil {
				b.options.Progress(done, len(b.items))
			}
			return t.merge(own)
		})
	}
	if err := workers.Wait(); err != nil {
		return t, err
	}
	return t, context.Cause(ctx)
}

// unchanged adds a chunk to the build without reading it, if it is known to be published exactly
// like this.
func (b *attempt) unchanged(chunk []item, own *totals) bool {
	known := make([]rendering, len(chunk))
	digests := make([]publication.Digest, len(chunk))
	for i, it := range chunk {
		r, ok := b.recall(it.file)
		if it.kept != nil || !ok {
			return false
		}
		known[i], digests[i] = r, publication.Digest{ID: it.id, Sum: r.sum}
	}
	if !b.writer.Unchanged(b.chunks, digests, !b.folder.Site.WithoutMarkdown) {
		return false
	}
	for i, it := range chunk {
		b.tell(own, it.file, known[i].links, known[i].problems)
		newest := newer(it.file.Published, it.file.Modified)
		own.count(newest)
		if !b.settings[it.id].Exclude {
			own.offer(example{size: known[i].size, id: it.id})
			own.set.Add(page.Item{ID: it.id, URL: it.file.URL, Published: it.file.Published, Modified: newest})
		}
	}
	return true
}

// chunk renders the articles of a chunk and stages what differs from what is published.
func (b *attempt) chunk(ctx context.Context, chunk []item, own *totals) error {
	records := make([]publication.Record, 0, len(chunk))
	rendered := make([]published, 0, len(chunk)) // of the same articles
	for _, it := range chunk {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, err := b.line(it, own)
		if err != nil {
			return err
		}
		if a.line == nil {
			continue
		}
		records = append(records, publication.Record{ID: it.id, Line: a.line, Markdown: a.markdown})
		rendered = append(rendered, a)
		settings := b.settings
		if a.kept {
			settings = b.before
		}
		own.count(a.newest)
		if settings[it.id].Exclude {
			continue
		}
		own.offer(example{len(a.line), it.id, a.line})
		own.set.Add(page.Item{ID: it.id, URL: a.url, Published: a.date, Modified: a.newest, Line: a.line})
	}
	digests, err := b.writer.Chunk(b.chunks, records)
	for i, d := range digests {
		if a := rendered[i]; a.from != nil {
			b.remember(a.from, rendering{d.Sum, len(a.line), a.links, a.problems})
		}
	}
	return err
}

// example is an article that the OpenAPI document may show.
type example struct {
	size int    // of its line; 0: there is none
	id   string // tells articles of one size apart
	line []byte // nil where it is published already, and was not read
}

// count counts an article with this newest date.
func (t *totals) count(newest time.Time) {
	t.articles++
	t.newest = newer(t.newest, newest)
}

// offer takes an article as the example, if it is a better one.
func (t *totals) offer(e example) {
	if e.size > 0 && (t.example.size == 0 || cmp.Or(cmp.Compare(e.size, t.example.size), cmp.Compare(e.id, t.example.id)) < 0) {
		t.example = e
	}
}

// merge adds the totals of other articles.
func (t *totals) merge(o totals) error {
	t.articles += o.articles
	t.newest = newer(t.newest, o.newest)
	t.offer(o.example)
	t.problems = append(t.problems, o.problems...)
	t.kept = append(t.kept, o.kept...)
	maps.Copy(t.failed, o.failed)
	t.damaged = cmp.Or(t.damaged, o.damaged)
	return t.set.Merge(o.set)
}

// tell adds the problems of an article's rendering to totals, now or when it was kept, and which of
// its links lead to no article now.
func (b *attempt) tell(own *totals, f *source.File, links []source.Link, problems []source.Problem) {
	own.problems = append(append(own.problems, problems...), b.folder.DeadLinks(f, links)...)
}

// lineOf returns the line of an article of an unchanged chunk. If the published file is not what
// the cache says, nothing in the cache can be trusted: it is cleared, and the build begins anew.
func (b *attempt) lineOf(id string) ([]byte, error) {
	for _, it := range b.items {
		if it.id != id {
			continue
		}
		if r, ok := b.recall(it.file); ok {
			if line, ok := b.readPublished(id, r.sum); ok {
				return line, nil
			}
		}
	}
	b.cache.Clear()
	return nil, errAgain
}

// published is one article as it will be published.
type published struct {
	line     []byte // nil where its file has an error and no earlier version is published
	markdown []byte // nil where the site wants none
	url      string // of the human page
	date     time.Time
	newest   time.Time     // the later of date and the last change
	kept     bool          // as it was published before
	from     *source.File  // that was rendered; nil where nothing was
	links    []source.Link // of the rendering, as what follows
	problems []source.Problem
}

// line returns an article as it will be published; its problems go into own.
func (b *attempt) line(it item, own *totals) (published, error) {
	if it.kept != nil {
		return b.keep(*it.kept)
	}
	if r, ok := b.recall(it.file); ok { // it would be rendered as it is published, if that is there
		if line, ok := b.readPublished(it.id, r.sum); ok {
			b.tell(own, it.file, r.links, r.problems)
			return b.republish(line)
		}
	}
	a, links, problems, err := b.folder.Article(*it.file)
	switch {
	case errors.As(err, new(source.ChangedError)):
		return published{}, err
	case isFault(err): // the author cannot fix it
		return published{}, contentError(b.options.Content, err)
	case err != nil:
		problems = append(problems, source.Problem{Path: it.file.Path, Severity: source.Error, What: err.Error()})
	}
	if slices.ContainsFunc(problems, func(p source.Problem) bool { return p.Severity == source.Error }) {
		own.failed[it.file.Path] = problems
		old, err := b.find(it.id)
		switch {
		case isFault(err):
			return published{}, err
		case old == nil:
			own.damaged = cmp.Or(own.damaged, err)
			return published{}, nil
		}
		own.kept = append(own.kept, it.id)
		return b.keep(*old)
	}
	b.tell(own, it.file, links, problems)
	line, err := article.Encode(a)
	if err != nil {
		return published{}, err
	}
	p := b.publish(a, line)
	p.from, p.links, p.problems = it.file, links, problems
	return p, nil
}

// publish is an article with its line, and the twin that is made of it.
func (b *attempt) publish(a article.Article, line []byte) published {
	p := published{line: line, url: a.URL, date: a.DatePublished, newest: newer(a.DatePublished, a.DateModified)}
	if !b.folder.Site.WithoutMarkdown {
		twins, ok := b.twins.Get().(*article.Twins)
		if !ok {
			twins = new(article.Twins)
		}
		p.markdown = twins.Of(a)
		b.twins.Put(twins)
	}
	return p
}

// republish is an article by the line with which it is published.
func (b *attempt) republish(line []byte) (published, error) {
	a, err := article.Decode(line)
	if err != nil {
		return published{}, fmt.Errorf("read published article: %w", err)
	}
	return b.publish(a, line), nil
}

// keep publishes an article as it was published last.
func (b *attempt) keep(record publication.Record) (published, error) {
	p, err := b.republish(record.Line)
	p.kept = true
	return p, err
}

func newer(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

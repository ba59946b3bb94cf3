package builder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"newsstand/builder/cache"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

// Report says what a build found and did.
type Report struct {
	// Files counts the source files by status.
	Files map[source.Status]int
	// Published is the number of articles in the published folder, Kept included.
	Published int
	// Kept are the ids of articles whose file has an error and that stay as they were
	// published before; sorted.
	Kept []string
	// Problems are those of all files, sorted.
	Problems []source.Problem
	// Damaged says why the published folder, or an article in it that was to be kept, could not be
	// read, so that it was written anew or left out; nil if all could be read.
	Damaged error
	// Revision names the published set; empty where nothing was published.
	Revision string
	// Written, Removed and Unchanged count published files, Bytes is the size of those
	// written.
	Written, Removed, Unchanged int
	Bytes                       int64
	// Changes are the articles by which this build differs from the one before.
	publication.Changes
	// Next is when an article will become published or expire; zero where none will.
	Next time.Time
	// CacheErr says why the next build will remember nothing of this one; nil if it will, or is not
	// meant to.
	CacheErr error
}

// Errors counts the problems that keep a file from being published.
func (r Report) Errors() int {
	n := 0
	for _, p := range r.Problems {
		if p.Severity == source.Error {
			n++
		}
	}
	return n
}

// Build publishes the content folder once. The error says why nothing was published; errors of
// single files are in the report only.
func Build(ctx context.Context, o Options) (Report, error) {
	b := builder{options: o, now: time.Now}
	if !o.Now.IsZero() {
		b.now = func() time.Time { return o.Now }
	}
	if err := b.options.check(); err != nil {
		return Report{}, err
	}
	b.findCache()
	if b.cacheFile != "" {
		b.last = cache.Open(b.cacheFile+".last", version)
	}
	return b.build(ctx)
}

// builder is what outlives one build while watching. It is used by one goroutine.
type builder struct {
	options Options
	now     func() time.Time
	// last remembers the last build as a whole; nil if nothing is remembered.
	last *cache.Cache
	// cache remembers files of earlier builds; nil if nothing is remembered.
	cache *cache.Cache
	// cacheFile is the path of both files, without their endings; empty if there are none.
	cacheFile string
	// cacheErr says why the cache cannot be kept.
	cacheErr error
	// known are the articles that a watch published last, by the path of their file; nil for a
	// single build.
	known map[string]knownArticle
	// asked is what a watch also looks at, beside the content; nil for a single build.
	asked *asked
}

// knownArticle is what is still known of a file whose front matter can no longer be read.
type knownArticle struct {
	id       string
	expireAt time.Time // zero: never
}

// errAgain means that the build must begin anew: so many articles failed that the others make fewer
// chunks, or a published file is not what the cache says.
var errAgain = errors.New("the build begins anew")

// mostTries is how often a build is tried while files change under it: an author saves once, a
// checkout takes a second or two. Before each further try, the build waits twice as long.
const mostTries = 5

// build publishes the content as it is now.
func (b *builder) build(ctx context.Context) (Report, error) {
	failing := map[string][]source.Problem{} // those of files that cannot be rendered, by path
	for tries := 1; ; {
		r, err := b.try(ctx, failing)
		switch {
		case errors.Is(err, errAgain):
			continue
		case errors.As(err, new(source.ChangedError)):
			if tries++; tries <= mostTries {
				select {
				case <-ctx.Done(): // which the next try tells
				case <-time.After(settleTime << (tries - 1)):
				}
				continue
			}
			err = hinted.Error(fmt.Errorf("the content is changed faster than it can be built: %w", err), "build again when nothing writes there")
		case ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))):
			err = fmt.Errorf("build stopped before anything was published: %w", context.Cause(ctx))
		}
		return r, b.options.advise(err)
	}
}

// try makes one attempt. It leaves out the files in failing, and adds those that fail now.
func (b *builder) try(ctx context.Context, failing map[string][]source.Problem) (r Report, err error) {
	// The lock comes first, so that of two builders the later publishes the later content.
	w, err := publication.Begin(ctx, b.options.Public, b.options.Waiting)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	now := b.now()
	in, err := openFolders(b.options.Content)
	if err != nil {
		return r, err
	}
	defer in.close()
	if r, ok := b.again(now, in); ok {
		return r, nil
	}
	b.openCache()
	w.Remember(b.cache)
	saw := b.look(in, w)
	if b.asked != nil {
		b.asked.begin()
		saw.content = asking{saw.content, b.options.Content, b.asked, true}
		if in.around != nil {
			saw.around = asking{saw.around, in.around.Name(), b.asked, false}
		}
	}
	folder, err := scan(ctx, saw.content, source.Options{Now: now, BaseURL: b.options.BaseURL, Around: saw.around, Cache: b.cache})
	if err != nil {
		return r, contentError(b.options.Content, err)
	}
	if p := in.moved(); p != "" { // and what was written in it since may not be published
		return r, source.ChangedError{Path: p}
	}
	a := attempt{builder: b, writer: w, folder: folder, failing: failing, settings: folder.Settings.ByID()}
	r, err = a.run(ctx, now, saw.content)
	if err == nil {
		r.CacheErr = cmp.Or(b.cacheErr, b.cache.Save(), b.note(now, saw, r))
	}
	return r, err
}

// run publishes the folder that was read, as it is at an instant.
func (b *attempt) run(ctx context.Context, now time.Time, content fs.FS) (r Report, err error) {
	folder := b.folder
	r = b.found()
	defer func() { slices.SortStableFunc(r.Problems, source.CompareProblems) }()
	if err := usable(folder); err != nil {
		return r, err
	}
	b.previous, r.Damaged = b.writer.Last()
	if b.before, err = lastSettings(b.previous); isFault(err) {
		return r, err
	}
	r.Damaged = cmp.Or(r.Damaged, err)
	if err := b.plan(now, &r); err != nil {
		return r, err
	}
	t, err := b.articles(ctx)
	r.Problems = append(r.Problems, t.problems...)
	if err != nil {
		return r, err
	}
	maps.Copy(b.failing, t.failed)
	if t.articles > 0 && publication.ChunkCount(t.articles) != b.chunks {
		return r, errAgain
	}
	t.addTo(&r)
	folder.Settings.Articles = b.settingsOf(r.Kept)
	t.set.Load = b.lineOf
	foreign, err := b.documents(content, t)
	if err != nil {
		return r, err
	}
	r.Problems = append(r.Problems, foreign...)
	if r.Files[source.NotArticle] == len(folder.Files) {
		r.Problems = append(r.Problems, source.Problem{Path: ".", Severity: source.Warning,
			What: "nothing here is an article, so the API is empty", Hint: "name the folder of the articles with --content; `builder list` says why each file is not one"})
	}
	if n := len(r.Problems); b.options.Strict && n > 0 {
		return r, hinted.Error(fmt.Errorf("the content has problems (%d), so nothing is published", n), "fix them, or build without --strict")
	}
	if err := ctx.Err(); err != nil {
		return r, context.Cause(ctx)
	}
	known := b.know(folder)
	b.folder, b.items = nil, nil // they are large, and not needed any more
	done, err := b.writer.Commit(folder.Site.BaseURL, t.newest)
	if err != nil {
		return r, err
	}
	r.Published, r.Revision = done.Manifest.Articles, done.Manifest.Revision
	r.Written, r.Removed, r.Unchanged, r.Bytes = done.Written, done.Removed, done.Unchanged, done.Bytes
	r.Changes = done.Changes
	b.known = known
	return r, nil
}

// addTo reports which articles could not be rendered, and what became of them.
func (t totals) addTo(r *Report) {
	for _, problems := range t.failed {
		r.Problems = append(r.Problems, problems...)
		r.Files[source.Published]--
		r.Files[source.Invalid]++
	}
	r.Damaged = cmp.Or(r.Damaged, t.damaged)
	r.Kept = append(r.Kept, t.kept...)
	slices.Sort(r.Kept)
}

// found reports what is known of the folder before any article is rendered.
func (b *attempt) found() Report {
	r := Report{Problems: slices.Clone(b.folder.Problems), Files: map[source.Status]int{}, Next: b.folder.Next()}
	for _, f := range b.folder.Files {
		if problems, ok := b.failing[f.Path]; ok {
			r.Problems = append(r.Problems, problems...)
			f.Status = source.Invalid
		}
		r.Files[f.Status]++
	}
	return r
}

// Scan reads a content folder as Build does, and publishes nothing: `builder list` shows what it
// returns. If o.Now is zero, it is the present. The folder is closed by then, so none of its
// articles can be rendered.
func Scan(ctx context.Context, content string, o source.Options) (*source.Folder, error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	if err := readable(content); err != nil {
		return nil, err
	}
	in, err := openFolders(content)
	if err != nil {
		return nil, err
	}
	defer in.close()
	if in.around != nil {
		o.Around = in.around.FS()
	}
	folder, err := scan(ctx, in.content.FS(), o)
	return folder, contentError(content, err)
}

// usable returns why nothing of a folder can be published; nil where something can.
func usable(folder *source.Folder) error {
	switch {
	case wrongSettings(folder):
		return hinted.Error(errors.New("the settings of the site have errors, so nothing is published"), "fix them; all articles depend on them")
	case folder.Site.BaseURL == "":
		return hinted.Error(errors.New("the address of the site is not known"),
			"give --base-url https://example.org, or write base_url: https://example.org into site.yaml")
	}
	return nil
}

// wrongSettings reports whether there is an error that is not one of an article. Those of the
// search tests do not count: an expectation that fails because its article was taken down must not
// keep it up.
func wrongSettings(folder *source.Folder) bool {
	articles := map[string]bool{source.TestsFile: true}
	for _, f := range folder.Files {
		if f.Status != source.NotArticle {
			articles[f.Path] = true
		}
	}
	return slices.ContainsFunc(folder.Problems, func(p source.Problem) bool {
		return p.Severity == source.Error && !articles[p.Path]
	})
}

// know returns which file will be which article once the folder is published.
func (b *builder) know(folder *source.Folder) map[string]knownArticle {
	if b.known == nil {
		return nil
	}
	known := map[string]knownArticle{}
	for _, f := range folder.Files {
		before, ok := b.known[f.Path]
		switch {
		case f.Status == source.Published:
			known[f.Path] = knownArticle{f.ID, f.ExpireAt}
		case f.Status == source.Invalid && ok: // what was known before still holds
			known[f.Path] = before
		}
	}
	return known
}

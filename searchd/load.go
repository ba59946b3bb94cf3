package searchd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/searchd/index"
)

// How a revision is taken up, as the log and the metrics name it.
const (
	byUpdate  = "update"  // the index that is there is changed
	byRebuild = "rebuild" // a new one takes its place
)

// Load takes up what the source publishes now: nothing where that is served
// already, else only what changed. When it fails, the revision served before stays.
func (l *Live) Load(ctx context.Context) error {
	l.loading.Lock()
	defer l.loading.Unlock()
	err := l.fetchAndLoad(ctx)
	if err != nil && len(l.ofOthers) > 0 && ctx.Err() == nil && reasonOf(err) == reasonDisk { // perhaps they take the room
		l.removeOfOthers()
		err = l.fetchAndLoad(ctx)
	}
	if ctx.Err() != nil {
		return ctx.Err() // says nothing about the source
	}
	if err == nil {
		l.removeOfOthers()
	}
	l.mu.Lock()
	l.status.Err = err
	l.mu.Unlock()
	if err != nil {
		l.metrics.reloadOK.Set(0)
		l.metrics.reloadFailures.WithLabelValues(reasonOf(err)).Inc()
		return err
	}
	l.metrics.reloadOK.Set(1)
	l.metrics.reloadTime.SetToCurrentTime()
	return nil
}

// fetchAndLoad loads the source. Where that is a site, it first brings the copy up to date; if that
// fails, it loads what the copy has all the same.
func (l *Live) fetchAndLoad(ctx context.Context) error {
	anew, err := l.data.hold()
	if err != nil {
		return err
	}
	s := l.acquire()
	if s != nil {
		if anew {
			l.suspect(s, lostFolder)
		}
		l.release(s)
	}
	if l.site == nil {
		return l.loadFolder(ctx)
	}
	if s == nil {
		l.site.forget()
	}
	fetched := l.site.fetch(ctx)
	err = l.loadFolder(ctx)
	// If neither the index nor a limit of the machine is at fault, the copy may be.
	ofTheCopy := err != nil && ctx.Err() == nil && reasonOf(err) != reasonDisk && hintFor(err, "") == ""
	if ofTheCopy && l.site.removeDamaged() {
		l.log.Warn("the copy of the source in the data folder is damaged; fetching the damaged files again", "folder", l.site.dir, "error", err,
			"hint", "nothing, if something else wrote into --data; if it happens again, check its disk")
		if fetched = l.site.fetch(ctx); fetched == nil {
			err = l.loadFolder(ctx)
		}
	}
	if fetched != nil {
		return fetched
	}
	return err
}

// loadFolder loads what the folder publishes.
func (l *Live) loadFolder(ctx context.Context) (err error) {
	for range 3 { // a build may replace the manifest, and prune chunks, while we read
		var raw []byte
		raw, err = l.load(ctx)
		if err == nil {
			break
		}
		if now, err := publication.ReadManifest(l.source); err != nil || bytes.Equal(now, raw) {
			break
		}
	}
	return err
}

// load is one attempt of Load. It returns the bytes of the manifest that it read.
func (l *Live) load(ctx context.Context) (raw []byte, err error) {
	l.adoptLateUpdate()
	raw, err = publication.ReadManifest(l.source)
	if err != nil {
		return raw, l.sourceError(err)
	}
	return raw, l.takeUp(ctx, raw)
}

// takeUp takes up the publication with this manifest, if it is not the one that is served.
func (l *Live) takeUp(ctx context.Context, manifest []byte) error {
	began := time.Now()
	current, why, err := l.usable()
	if err != nil {
		return err
	}
	if why == "" && bytes.Equal(manifest, current.index.State()) {
		return nil
	}
	if why == "" && current.index.ReadOnly() {
		if current, err = l.serveCopy(ctx, current); err != nil { // perhaps the file system still takes no writes: then a new index says so
			why = openedReadOnly
		}
	}
	pub, err := publication.Of(l.source, manifest)
	if err != nil {
		return l.sourceError(err)
	}
	m := pub.Manifest()
	settings, err := pub.Settings()
	if err != nil {
		return l.sourceError(err)
	}
	update := index.Update{Revision: m.Revision, Settings: settings, State: manifest}

	var changed changes
	if why == "" {
		changed, why, err = l.compare(ctx, pub, current)
		if err != nil {
			return l.sourceError(err)
		}
	}
	kind := byUpdate
	if why == "" {
		err = l.update(ctx, current, update, changed, m)
	} else {
		kind = byRebuild
		err = l.replace(ctx, pub, update, current, why)
	}
	if err != nil {
		return err
	}
	l.loggedRebuild = ""
	took := time.Since(began)
	l.metrics.reloads.WithLabelValues(kind).Inc()
	l.metrics.reloadSeconds.WithLabelValues(kind).Observe(took.Seconds())
	l.log.Info("serving a new revision", "revision", m.Revision, "articles", m.Articles, "by", kind,
		"changed", len(changed.put), "removed", len(changed.remove), "took", took.Round(time.Millisecond).String())
	return nil
}

// usable returns the index that is served, nil where there is none, and why a new one must take its
// place, "" where it need not. An error means that the index is damaged, and may only be replaced
// after a rest.
func (l *Live) usable() (current *served, why string, err error) {
	l.mu.Lock()
	current, why = l.current, l.distrust
	l.mu.Unlock()
	if current == nil {
		return nil, "there is none yet", nil
	}
	damage := current.index.Damage()
	if damage == nil {
		l.reportMerge(current.index)
		if why == foundDamaged && !l.repairs.due(time.Now()) {
			why = "" // most searches do not meet the damage
		}
		return current, why, nil
	}
	l.metrics.ready.Set(0)
	if !l.repairs.due(time.Now()) {
		return nil, "", hinted.Error(fmt.Errorf("a new index is damaged again: %w", damage),
			"look at the disk of --data and the memory of the machine; searchd builds another index after a rest of up to an hour, or when it is started again; if both are fine, report it")
	}
	return current, damage.Error(), nil
}

// serveCopy serves a copy of an index that was opened on a read-only file system and so takes no
// updates, and returns the copy. If there can be none, it returns the index itself.
func (l *Live) serveCopy(ctx context.Context, readOnly *served) (*served, error) {
	dir, err := l.data.next()
	if err != nil {
		return readOnly, err
	}
	var x *index.Index
	var m publication.Manifest
	if err = os.Mkdir(dir, 0o700); err == nil { // private like any index, which CopyFS would not make it
		err = os.CopyFS(dir, os.DirFS(readOnly.dir))
	}
	if err == nil {
		x, m, err = openIndex(ctx, dir, l.options.Processors)
	}
	if err != nil {
		return readOnly, errors.Join(err, os.RemoveAll(dir))
	}
	return l.serve(x, dir, m, readOnly.digests), nil
}

// update changes the index that is there.
func (l *Live) update(ctx context.Context, current *served, u index.Update, c changes, m publication.Manifest) error {
	u.Put, u.Delete = c.lines(), c.remove
	err := current.index.Update(ctx, u)
	if errors.Is(err, index.ErrArticle) { // nothing was written
		return l.sourceError(err)
	}
	if err != nil {
		l.suspect(current, notUpdated)
		hint := hintFor(err, "see that --data has free space and may be written; searchd tries again with a new index")
		if errors.Is(err, index.ErrDamaged) {
			hint = "nothing: searchd builds a new index; if it happens again, check the disk of --data"
		}
		return hinted.Error(fmt.Errorf("update the index: %w", err), hint)
	}
	current.manifest, current.digests = m, c.articles
	l.announce(m)
	return nil
}

// replace builds a new index in place of the current one, which is nil where there is none, and
// logs why.
func (l *Live) replace(ctx context.Context, pub *publication.Publication, u index.Update, current *served, why string) error {
	if why == notUpdated {
		if err := l.data.tooFull(); err != nil {
			return err
		}
	}
	damaged := why == foundDamaged || current != nil && current.index.Damage() != nil
	m := pub.Manifest()
	if cause := why + m.Revision; cause != l.loggedRebuild { // it may be tried again and again
		l.loggedRebuild = cause
		if damaged {
			l.log.Warn("the index is damaged, and a new one takes its place",
				"hint", "nothing, if something else wrote into --data; if it happens again, check the disk of --data and the memory of the machine")
		}
		l.log.Info("building a new index", "because", why, "articles", m.Articles)
	}
	if err := l.rebuild(ctx, pub, u); err != nil {
		return err
	}
	if damaged {
		l.repairs.done(time.Now())
	}
	return nil
}

// adoptLateUpdate takes an update into use that could not be written, if the engine has written it
// since: then the index is as good as before, and needs only what changed after it.
func (l *Live) adoptLateUpdate() {
	l.mu.Lock()
	current, distrust := l.current, l.distrust
	l.mu.Unlock()
	if current == nil || distrust != notUpdated || !current.index.Written() {
		return
	}
	var m publication.Manifest
	if json.Unmarshal(current.index.State(), &m) != nil {
		return // a new index takes its place
	}
	l.mu.Lock()
	l.distrust = "" // if a search has found damage since, the next will again
	l.mu.Unlock()
	current.manifest, current.digests, l.loggedRebuild = m, nil, ""
	l.announce(m)
	l.log.Info("the update that could not be written is in the index now", "revision", m.Revision, "articles", m.Articles)
}

// reportMerge logs whether the files of the index can be merged: if not, searches stay right, but
// become slower in time.
func (l *Live) reportMerge(x *index.Index) {
	err := x.Unmerged()
	l.metrics.merging(err == nil)
	if err != nil && !l.loggedUnmerged {
		l.log.Warn("the files of the index cannot be merged; searches are answered as before, but get slower over time", "error", err,
			"hint", "see that --data has free space, as much as the index has, and may be written; searchd tries again by itself")
	}
	if err == nil && l.loggedUnmerged {
		l.log.Info("the files of the index are merged again")
	}
	l.loggedUnmerged = err != nil
}

// sourceError adds to an error of the source what the operator can do.
func (l *Live) sourceError(err error) error {
	reason, hint := reasonDamaged, "publish it again: builder build --public "+l.options.Source
	var missing *fs.PathError
	switch {
	case hintFor(err, "") != "":
		reason, hint = reasonUnreachable, hintFor(err, "")
	case errors.Is(err, syscall.EIO), errors.Is(err, syscall.ESTALE):
		reason, hint = reasonUnreachable, "look at the disk or the network that the folder is on"
	case errors.Is(err, publication.ErrFormat):
		hint = hintFormat
	case l.site != nil:
		hint = "publish the site again"
	case errors.Is(err, fs.ErrPermission):
		reason, hint = reasonUnreachable, "let searchd read the folder and everything in it"
	case errors.Is(err, fs.ErrNotExist) && errors.As(err, &missing) && missing.Path != article.ManifestPath:
		reason, hint = reasonMissing, "nothing, while the folder is being copied, since searchd looks again; copy the manifest last. Otherwise, "+hint
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ELOOP):
		reason, hint = reasonMissing, "give the published folder with --source, which builder build --public "+l.options.Source+" makes, or an address with https:// before it"
	}
	return hinted.Error(failure{error: fmt.Errorf("read the publication in %s: %w", l.options.Source, err), reason: reason}, hint)
}

// rebuild makes a new index of the whole publication beside the current one, and
// serves it. Nothing of it is left when that fails.
func (l *Live) rebuild(ctx context.Context, pub *publication.Publication, update index.Update) (err error) {
	dir, err := l.data.next()
	if err != nil {
		return err
	}
	x, err := index.Open(ctx, dir, l.options.Processors)
	if err != nil {
		os.RemoveAll(dir) // it may have begun; where that fails, the next start removes it
		return hinted.Error(fmt.Errorf("make a new index: %w", err), hintFor(err, hintData))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, x.Close(), os.RemoveAll(dir))
		}
	}()
	// The index pulls the articles; when one cannot be read, it is stopped from
	// completing the revision, and the folder is thrown away.
	feeding, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	m := pub.Manifest()
	var articles []publication.Digest
	update.Put = func(yield func(string, []byte) bool) {
		var err error
		if articles, err = l.feed(pub, yield); err != nil {
			stop(l.sourceError(err))
		}
	}
	err = x.Update(feeding, update)
	if cause := context.Cause(feeding); cause != nil {
		return cause
	}
	if errors.Is(err, index.ErrArticle) {
		return l.sourceError(err)
	}
	if err != nil {
		return hinted.Error(fmt.Errorf("build a new index: %w", err), hintFor(err, "see that --data has free space and may be written"))
	}
	if n := x.Articles(); n != m.Articles {
		return l.sourceError(fmt.Errorf("the chunks have %d articles, the manifest %d", n, m.Articles))
	}
	l.serve(x, dir, m, articles) // CheckRevision has sorted them
	return nil
}

// feed yields all articles of a publication, and returns their digests.
func (l *Live) feed(pub *publication.Publication, yield func(string, []byte) bool) (articles []publication.Digest, err error) {
	m := pub.Manifest()
	for _, chunk := range m.Chunks {
		records, err := pub.Chunk(chunk)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			if !yield(r.Digest().String(), r.Line) {
				return nil, nil
			}
			articles = append(articles, r.Digest())
		}
		l.options.Progress("read into the index", len(articles), m.Articles)
	}
	return articles, pub.CheckRevision(articles)
}

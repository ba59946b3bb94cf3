package searchd

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
)

const (
	// rollbackAfter is how long an older manifest must be all that the site has before it
	// is followed: as long as a CDN may keep a search anyway.
	rollbackAfter = 5 * time.Minute
	// tagTrust is how long an ETag is trusted to stand for one manifest. Where all files have the
	// same time, as in some container images, a manifest of the same size has the same ETag for
	// ever. Asking for all bytes once an hour costs less than the looks do.
	tagTrust = time.Hour
	// formerManifests is how many manifests are remembered, to know them again.
	formerManifests = 64
)

// site keeps a folder equal to what a site publishes: a copy of its corpus, which is read
// as any published folder is. It is used by one goroutine at a time.
type site struct {
	remote
	dir string // corpus/manifest.json and what it names; and memoryName

	held      edition // what the folder has
	memory    memory  // what is known of it
	unwritten bool    // whether memory could not be written down
	pruned    bool    // whether the files of former manifests were removed
	sighting  sighting
}

// sighting is the older manifest that the site had at the last look, and since when; zero if it had
// none.
type sighting struct {
	sum   string
	since time.Time
}

// memory is what a restart must know beside the folder; without it, all is fetched anew.
type memory struct {
	Source string `json:"source"`
	known
	// Sent is when the site itself sent it first, where an Age said so.
	Sent time.Time `json:"sent,omitzero"`
	// Before are the digests of manifests that were held before, the last one last.
	Before []string `json:"before"`
}

// memoryName is the file of the memory.
const memoryName = "source.json"

// openSite opens the copy in dir, and empties it if it is of another address.
func openSite(address, dir string, allowHTTP bool, m *metrics) (*site, error) {
	base, err := parseAddress(address, allowHTTP)
	if err != nil {
		return nil, err
	}
	s := &site{remote: newRemote(base, m), dir: dir}
	raw, err := os.ReadFile(s.path(memoryName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, hinted.Error(fmt.Errorf("use the copy of a site in the data folder: %w", err), hintFor(err, hintData))
	}
	if err != nil || json.Unmarshal(raw, &s.memory) != nil || s.memory.Source != base.String() {
		return s, s.begin()
	}
	raw, err = os.ReadFile(s.path(article.ManifestPath))
	manifest, broken := publication.ParseManifest(raw)
	if err != nil || broken != nil { // it is fetched anew
		return s, nil
	}
	s.held = edition{raw: raw, manifest: manifest, sent: time.Now(), whole: time.Now(), known: known{SHA256: hexSum(raw)}}
	if s.held.SHA256 != s.memory.SHA256 { // the process ended before it could write down that it holds this one
		s.memory.turn(s.held.known)
		return s, nil
	}
	s.held.known = s.memory.known
	if sent := s.memory.Sent; !sent.IsZero() && sent.Before(s.held.sent) { // else the clock was wrong then
		s.held.sent, s.held.aged = sent, true
	}
	return s, nil
}

// begin empties the copy, and says whose it is before it has any file: what is there without that
// is not searchd's.
func (s *site) begin() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return hinted.Error(fmt.Errorf("make a copy of %s: %w", s.base, err), hintFor(err, hintData))
	}
	ours := func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), memoryName) }
	if len(entries) > 0 && !slices.ContainsFunc(entries, ours) {
		return hinted.Error(fmt.Errorf("make a copy of %s: the folder %s is there already, and is not one that searchd made", s.base, s.dir),
			"give a folder of its own with --data")
	}
	s.memory = memory{Source: s.base.String()}
	if err := errors.Join(os.RemoveAll(s.path(article.CorpusFolder)), os.MkdirAll(s.dir, 0o750)); err != nil {
		return hinted.Error(fmt.Errorf("make a copy of %s: %w", s.base, err), hintFor(err, hintData))
	}
	return s.disk(s.write())
}

func (s *site) path(name string) string { return filepath.Join(s.dir, name) }

// fetch makes the folder what the site publishes now: files that are missing, each
// whole and right by its digest, then the manifest. Where it fails, the folder still has
// what it had.
func (s *site) fetch(ctx context.Context) error {
	defer s.client.CloseIdleConnections() // the next look asks for the host's address anew
	var gone error                        // of a file that the manifest before names: a new build may have taken the place of the old meanwhile
	var before []byte
	for range 3 {
		offered, err := s.look(ctx)
		if gone != nil && (err != nil || bytes.Equal(offered.raw, before)) {
			return gone
		}
		if err != nil {
			return err
		}
		err = s.files(ctx, offered.manifest.Corpus())
		if err == nil {
			return s.commit(offered)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		gone, before = err, offered.raw
	}
	return gone
}

// look returns the manifest that the site has now, which may be the one that is held. An older one
// is refused until the site has had no other for rollbackAfter.
func (s *site) look(ctx context.Context) (edition, error) {
	now := time.Now()
	offered, err := s.ask(ctx, now)
	if err != nil {
		return edition{}, err
	}
	if why := offered.olderThan(s.held, s.memory.Before); why != "" && !s.stays(offered, now) {
		return edition{}, hinted.Error(failure{error: fmt.Errorf("%s is older than the one held: %s", s.address(article.ManifestPath), why), reason: reasonOlder},
			"a cache or a copy of the site is behind; if the site was rolled back, searchd follows once it has seen nothing else for "+rollbackAfter.String()+", and at once when it is published anew",
		)
	}
	s.sighting = sighting{}
	return offered, nil
}

// ask fetches the manifest, if it is not the one held.
func (s *site) ask(ctx context.Context, now time.Time) (offered edition, err error) {
	header := http.Header{}
	if s.held.raw != nil && s.held.Settled && s.held.ETag != "" && now.Sub(s.held.whole) < tagTrust { // a time alone does not tell of a rollback
		header.Set("If-None-Match", s.held.ETag)
	}
	err = s.get(ctx, article.ManifestPath, header, func(r *http.Response) (err error) {
		offered = s.held
		if r.StatusCode != http.StatusNotModified {
			offered, err = s.received(r, now)
		}
		offered.sent, offered.aged = sentBy(r.Header, now)
		return err
	})
	return offered, err
}

// received is the manifest that an answer has.
func (s *site) received(r *http.Response, now time.Time) (edition, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, publication.MaxManifestBytes+1))
	if err != nil {
		return edition{}, err
	}
	s.metrics.sourceBytes.Add(float64(len(raw)))
	if len(raw) > publication.MaxManifestBytes {
		return edition{}, s.damaged(article.ManifestPath, fmt.Errorf("is longer than %d bytes", publication.MaxManifestBytes))
	}
	m, err := publication.ParseManifest(raw)
	if err != nil {
		return edition{}, s.damaged(article.ManifestPath, err)
	}
	return edition{
		raw:      raw,
		manifest: m,
		whole:    now,
		known:    known{hexSum(raw), r.Header.Get("ETag"), r.Header.Get("Last-Modified"), settled(r.Header, now)},
	}, nil
}

// stays reports whether the site has had this older manifest, and no other, for so long that it is
// followed.
func (s *site) stays(offered edition, now time.Time) bool {
	if s.sighting.sum != offered.SHA256 {
		s.sighting = sighting{offered.SHA256, now}
	}
	return now.Sub(s.sighting.since) >= rollbackAfter
}

// files fetches the files that the folder does not have. After a failure it begins no other file,
// but lets those come to their end that have begun: so the first of the files that fail is the same
// at each look, and is logged once.
func (s *site) files(ctx context.Context, files []publication.File) error {
	if err := s.claim(); err != nil {
		return s.disk(err)
	}
	var work errgroup.Group
	work.SetLimit(parallelFiles)
	var failed atomic.Bool
	errs := make([]error, len(files))
	for i, f := range files {
		// A file of this name and size was whole when it was renamed; see removeDamaged.
		if info, err := os.Stat(s.path(f.Path)); err == nil && info.Mode().IsRegular() && info.Size() == f.Bytes {
			continue
		}
		s.pruned = false // this one is of no use if the site takes its manifest back
		work.Go(func() error {
			errs[i] = s.get(ctx, f.Path, nil, func(r *http.Response) error { return s.save(f, r.Body) })
			if errs[i] != nil {
				failed.Store(true)
			}
			return nil
		})
		if failed.Load() {
			break
		}
	}
	work.Wait() // of errors in errs
	return cmp.Or(errs...)
}

// claim makes the folder where it was removed, and says whose it is before it has any file; see
// begin.
func (s *site) claim() error {
	if err := os.MkdirAll(s.dir, 0o750); err != nil {
		return err
	}
	if _, err := os.Lstat(s.path(memoryName)); errors.Is(err, fs.ErrNotExist) {
		if err := s.write(); err != nil {
			return err
		}
	}
	return os.MkdirAll(s.path(article.CorpusFolder), 0o750)
}

// save writes a file that is whole.
func (s *site) save(f publication.File, body io.Reader) (err error) {
	t, err := os.OpenFile(s.path(f.Path)+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // a name that errors have in common
	if err != nil {
		return s.disk(err)
	}
	defer os.Remove(t.Name()) // where it was not renamed
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(t, sum), io.LimitReader(body, f.Bytes+1))
	s.metrics.sourceBytes.Add(float64(n))
	closed := t.Close()
	switch got := fmt.Sprintf("%x", sum.Sum(nil)); {
	case errors.As(err, new(*fs.PathError)):
		return s.disk(err)
	case err != nil:
		return err
	case closed != nil:
		return s.disk(closed)
	case n > f.Bytes:
		return s.damaged(f.Path, fmt.Errorf("has more than the %d bytes that the manifest says", f.Bytes))
	case n < f.Bytes:
		return s.damaged(f.Path, fmt.Errorf("has %d bytes and the manifest says %d", n, f.Bytes))
	case got != f.SHA256:
		return s.damaged(f.Path, fmt.Errorf("has the sha256 %s and the manifest says %s", got, f.SHA256))
	}
	return s.disk(os.Rename(t.Name(), s.path(f.Path)))
}

// commit makes a manifest, of which the folder has all files, that of the folder, and
// removes the files of others. Nothing is synced to the disk: what a power cut spoils is
// found out by its digest and fetched again.
func (s *site) commit(e edition) error {
	if e.SHA256 != s.held.SHA256 {
		if err := writeFile(s.path(article.ManifestPath), e.raw); err != nil {
			return s.disk(err)
		}
	}
	if e.sent.Before(s.held.sent) {
		e.sent, e.aged = s.held.sent, s.held.aged
	}
	s.held = e
	if s.memory.known != e.known || s.unwritten {
		s.pruned = false
		if err := s.remember(e); err != nil {
			return s.disk(err)
		}
	}
	if s.pruned {
		return nil
	}
	err := s.prune()
	s.pruned = err == nil
	return s.disk(err)
}

// turn makes another manifest the one that is held, and that which was held one of those before.
func (m *memory) turn(to known) {
	if was := m.SHA256; was != "" && was != to.SHA256 {
		before := append(m.Before, was)
		before = slices.DeleteFunc(before, func(sum string) bool { return sum == to.SHA256 })
		m.Before = before[max(0, len(before)-formerManifests):]
	}
	m.known, m.Sent = to, time.Time{}
}

// remember writes down what a restart must know of the manifest that is held.
func (s *site) remember(e edition) error {
	s.memory.turn(e.known)
	if e.aged {
		s.memory.Sent = e.sent
	}
	return s.write()
}

// forget lets any manifest be taken up if none is held, where no index is served, either: searches
// cannot go back then, and if the site was rolled back, each start would refuse what it has.
func (s *site) forget() {
	if s.held.raw == nil {
		s.memory = memory{Source: s.memory.Source}
	}
}

// write writes the memory down.
func (s *site) write() error {
	raw, err := json.Marshal(s.memory)
	if err != nil {
		return err
	}
	err = writeFile(s.path(memoryName), raw)
	s.unwritten = err != nil
	return err
}

// prune removes the files of former manifests: what was taken down does not stay.
func (s *site) prune() error {
	keep := map[string]bool{s.path(article.ManifestPath): true}
	for _, f := range s.held.manifest.Corpus() {
		keep[s.path(f.Path)] = true
	}
	folder := s.path(article.CorpusFolder)
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if path := filepath.Join(folder, e.Name()); !keep[path] {
			err = cmp.Or(err, os.Remove(path)) // one is enough for the log
		}
	}
	return err
}

// removeDamaged removes the files of the folder that are not what their names say, so that the
// next fetch brings them again. It reports whether there were any.
func (s *site) removeDamaged() (found bool) {
	if s.held.raw == nil {
		return false
	}
	for _, f := range s.held.manifest.Corpus() {
		raw, err := os.ReadFile(s.path(f.Path))
		if err == nil && hexSum(raw) == f.SHA256 {
			continue
		}
		found = true
		os.Remove(s.path(f.Path))
	}
	if raw, err := os.ReadFile(s.path(article.ManifestPath)); err != nil || !bytes.Equal(raw, s.held.raw) {
		found = true
		s.held = edition{}
	}
	return found
}

// disk is the failure to write the folder, nil where err is.
func (s *site) disk(err error) error {
	if err == nil {
		return nil
	}
	return hinted.Error(failure{error: fmt.Errorf("keep a copy of %s: %w", s.base, err), reason: reasonDisk},
		hintFor(err, "see that --data has free space and may be written"))
}

// writeFile replaces a file in one step, by a rename.
func writeFile(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o640); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func hexSum(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

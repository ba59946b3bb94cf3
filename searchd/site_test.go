package searchd

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
)

// host is a static host of a published folder, which can be made to fail.
type host struct {
	dir string

	mu    sync.Mutex
	asked []string                                          // names of files, with the status of the answer
	spoil func(w http.ResponseWriter, r *http.Request) bool // true where it answered in place of the file
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	spoil := h.spoil
	h.mu.Unlock()
	status := &statusWriter{ResponseWriter: w, status: http.StatusOK}
	if spoil == nil || !spoil(status, r) {
		h.mu.Lock()
		dir := h.dir // spoil may have put another in its place
		h.mu.Unlock()
		if data, err := os.ReadFile(filepath.Join(dir, r.URL.Path)); err == nil {
			w.Header().Set("ETag", `"`+hexSum(data)+`"`)
		}
		http.FileServer(http.Dir(dir)).ServeHTTP(status, r)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.asked = append(h.asked, fmt.Sprintf("%s %d", path.Base(r.URL.Path), status.status))
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// set makes the host fail from now on, or be well with nil.
func (h *host) set(spoil func(w http.ResponseWriter, r *http.Request) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoil = spoil
}

// requests are those since the last call.
func (h *host) requests() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

func newHost(t *testing.T) *host { return &host{dir: t.TempDir()} }

func (h *host) start(t *testing.T) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// publish makes a build of which the manifest is of this age.
func (h *host) publish(t *testing.T, age time.Duration, articles ...article.Article) {
	t.Helper()
	publish(t, h.dir, articles...)
	h.date(t, age)
}

func (h *host) date(t *testing.T, age time.Duration) {
	t.Helper()
	at := time.Now().Add(-age)
	must(t, os.Chtimes(h.manifest(), at, at))
}

func (h *host) manifest() string {
	return filepath.Join(h.dir, article.ManifestPath)
}

func isManifest(r *http.Request) bool { return r.URL.Path == "/"+article.ManifestPath }
func isChunk(r *http.Request) bool    { return strings.HasSuffix(r.URL.Path, ".ndjson.gz") }

func TestSiteIsFollowed(t *testing.T) {
	h := newHost(t)
	articles := many(300, "walrus") // several chunks
	h.publish(t, time.Hour, articles...)
	address, data := h.start(t), t.TempDir()
	l, _ := opened(t, address, data)
	load(t, l)
	files := len(h.requests())
	if files < 6 || l.Status().Articles != 300 {
		t.Fatalf("%d requests, status %+v", files, l.Status())
	}
	load(t, l)
	if got := h.requests(); !slices.Equal(got, []string{"manifest.json 304"}) {
		t.Errorf("a look at an unchanged site asked for %v", got)
	}

	articles[7] = anArticle("a7", "gopher")
	h.publish(t, 30*time.Minute, articles...)
	load(t, l)
	if got := h.requests(); len(got) != 2 || got[0] != "manifest.json 200" || !strings.HasSuffix(got[1], ".ndjson.gz 200") {
		t.Errorf("an edit asked for %v, want the manifest and one chunk", got)
	}
	if got := found(t, l, "gopher"); got != "a7" {
		t.Errorf("found %q, want a7", got)
	}
	if got := corpusOf(t, filepath.Join(data, siteName)); got != published(t, h.dir) {
		t.Errorf("the copy has %v, want what is published and no more", got)
	}

	// The same bytes as from the folder.
	folder, _ := opened(t, h.dir, t.TempDir())
	load(t, folder)
	for _, q := range []string{"walrus", "gopher", "number0017 common"} {
		a, errA := l.Search(t.Context(), url.Values{"q": {q}})
		b, errB := folder.Search(t.Context(), url.Values{"q": {q}})
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: from the site\n%s %v\nfrom the folder\n%s %v", q, a, errA, b, errB)
		}
	}

	// A restart needs no network, and goes on with conditional requests.
	before := found(t, l, "walrus")
	must(t, l.Close())
	h.set(func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) })
	l, _ = opened(t, address, data)
	if s := l.Status(); !s.Ready || found(t, l, "walrus") != before {
		t.Errorf("without network: status %+v", s)
	}
	if err := l.Load(t.Context()); err == nil || found(t, l, "walrus") != before {
		t.Errorf("without network: load says %v", err)
	}
	h.set(nil)
	h.requests()
	load(t, l)
	if got := h.requests(); !slices.Equal(got, []string{"manifest.json 304"}) {
		t.Errorf("after the restart it asked for %v", got)
	}
}

// corpusOf lists the corpus of a folder.
func corpusOf(t *testing.T, dir string) string {
	t.Helper()
	return names(t, filepath.Join(dir, article.CorpusFolder))
}

// published lists the files of the corpus that the manifest of a folder names, and itself.
func published(t *testing.T, dir string) string {
	t.Helper()
	pub, err := publication.Open(os.DirFS(dir))
	must(t, err)
	m := pub.Manifest()
	names := []string{path.Base(article.ManifestPath)}
	for _, f := range m.Corpus() {
		names = append(names, path.Base(f.Path))
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// cut sends a file of the host's folder after a change.
func cut(dir string, of func(*http.Request) bool, change func([]byte) []byte) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !of(r) {
			return false
		}
		data, err := os.ReadFile(filepath.Join(dir, r.URL.Path))
		if err != nil {
			return false
		}
		w.Write(change(data))
		return true
	}
}

// Whatever goes wrong with a host leaves the last good revision in service, says what to
// do, and is counted by its reason; when the host is well, its build is taken up.
func TestSiteThatFailsLeavesTheLastGood(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(300, "word0")...)
	elsewhere := httptest.NewServer(http.FileServer(http.Dir(h.dir)))
	defer elsewhere.Close()
	l, _ := opened(t, h.start(t), t.TempDir())
	load(t, l)
	status := func(code int, of func(*http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			if of(r) {
				http.Error(w, "<h1>sorry</h1>", code)
			}
			return of(r)
		}
	}
	for n, c := range []struct {
		name   string
		spoil  func(http.ResponseWriter, *http.Request) bool
		reason string
		says   string
		hint   string
	}{
		{"a truncated chunk", cut(h.dir, isChunk, func(b []byte) []byte { return b[:len(b)/2] }),
			reasonDamaged, "bytes and the manifest says", "purge this address"},
		{"a chunk that is cut off on the way", func(w http.ResponseWriter, r *http.Request) bool {
			if isChunk(r) {
				w.Header().Set("Content-Length", "9999")
				io.WriteString(w, "half")
			}
			return isChunk(r)
		}, reasonDamaged, "it was cut off on the way", "purge"},
		{"a chunk with other bytes", cut(h.dir, isChunk, func(b []byte) []byte { b[len(b)/2] ^= 1; return b }),
			reasonDamaged, "has the sha256", "purge"},
		{"a chunk without end", func(w http.ResponseWriter, r *http.Request) bool {
			if !isChunk(r) {
				return false
			}
			for range 64 {
				if _, err := w.Write(make([]byte, 1<<20)); err != nil {
					return true
				}
			}
			t.Error("64 MB were read in place of a small chunk")
			return true
		}, reasonDamaged, "has more than the", "purge"},
		{"a manifest without end", cut(h.dir, isManifest, func([]byte) []byte { return make([]byte, publication.MaxManifestBytes+1) }),
			reasonDamaged, "it is longer than", "publish the site again"},
		{"half a manifest", cut(h.dir, isManifest, func(b []byte) []byte { return b[:len(b)/2] }),
			reasonDamaged, "it is not a manifest", "publish the site again"},
		{"a page in place of the manifest", cut(h.dir, isManifest, func([]byte) []byte { return []byte("<!doctype html>") }),
			reasonDamaged, "beginning of value; a page was sent in its place", "that builder has published"},
		{"a page in place of a chunk", cut(h.dir, isChunk, func([]byte) []byte { return []byte("<!doctype html>") }),
			reasonDamaged, "a page was sent in its place", "no page in place of a file"},
		{"500 for the manifest", status(500, isManifest), reasonStatus, "manifest.json: the host answered 500 Internal Server Error", "asks again by itself (at its start, only with --wait)"},
		{"500 for a chunk", status(500, isChunk), reasonStatus, ".ndjson.gz: the host answered 500", "asks again by itself"},
		{"no manifest", status(404, isManifest), reasonMissing, "manifest.json: the host answered 404", "the folder corpus is deployed with it"},
		{"no chunk", status(404, isChunk), reasonMissing, ".ndjson.gz: the host answered 404", "the manifest names this file"},
		{"a manifest of 0 bytes", cut(h.dir, isManifest, func([]byte) []byte { return nil }), reasonDamaged, "it is not a manifest", "publish the site again"},
		{"a chunk in an encoding", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "br")
			return isChunk(r) && cut(h.dir, isChunk, func(b []byte) []byte { return b[1:] })(w, r)
		}, reasonDamaged, "it was sent with Content-Encoding br, which was not asked for", "as they are"},
		{"a manifest in an encoding", func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Encoding", "gzip")
			return cut(h.dir, isManifest, func([]byte) []byte { return []byte("\x1f\x8b\x08") })(w, r)
		}, reasonDamaged, "it was sent with Content-Encoding gzip, which was not asked for", "as they are"},
		{"a redirect to a path of another host", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, elsewhere.URL+"/news"+r.URL.Path, http.StatusFound)
			return true
		}, reasonStatus, "it redirects to another host, " + elsewhere.URL, "follow it: --source " + elsewhere.URL + "/news"},
		{"a password", status(401, isManifest), reasonStatus, "the host answered 401", "needs no password"},
		{"304 to a request without conditions", status(304, isChunk), reasonStatus, "the host answered 304", ""},
		{"a redirect to another host", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusFound)
			return true
		}, reasonStatus, "it redirects to another host, " + elsewhere.URL, "follow it: --source " + elsewhere.URL},
		{"a redirect to a file", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "file:///etc/hostname", http.StatusFound)
			return true
		}, reasonStatus, "it redirects to another host, file://", "no site has such an address"},
		{"a redirect without end", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, reasonStatus, "it redirects more than three times", "look at the host's redirects"},
		{"a host that hangs up", func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) },
			reasonUnreachable, "EOF", "this machine reaches it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			word := fmt.Sprintf("word%d", n+1)
			before, failures := l.Status().Revision, value(t, l.metrics.reloadFailures.WithLabelValues(c.reason))
			h.publish(t, 50*time.Minute-time.Duration(n)*time.Minute, many(300, word)...)
			h.set(c.spoil)
			err := l.Load(t.Context())
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(hinted.Hint(err), c.hint) || hinted.Hint(err) == "" {
				t.Errorf("load: %v\nhint: %s", err, hinted.Hint(err))
			}
			again := l.Load(t.Context())
			if again == nil || again.Error() != err.Error() {
				t.Errorf("the second look says another thing, which would be logged again:\n%v\n%v", err, again)
			}
			if s := l.Status(); !s.Ready || s.Revision != before || s.Err == nil || found(t, l, word) != "" {
				t.Errorf("status %+v, want revision %s", s, before)
			}
			if n := value(t, l.metrics.reloadFailures.WithLabelValues(c.reason)); n != failures+2 {
				t.Errorf("%v failures are counted as %s, want %v", n, c.reason, failures+2)
			}
			if ok := value(t, l.metrics.reloadOK); ok != 0 {
				t.Errorf("searchd_last_reload_successful %v", ok)
			}
			h.set(nil)
			load(t, l)
			if s := l.Status(); s.Revision == before || s.Err != nil || found(t, l, word) == "" {
				t.Errorf("after it was fixed: %+v", s)
			}
			if got := corpusOf(t, l.site.dir); got != published(t, h.dir) {
				t.Errorf("the copy has %v, want what is published and no more", got)
			}
		})
	}
}

// A new deploy takes the place of the old while its chunks are fetched: hosts that switch at
// once have those of the old no more.
func TestSiteIsDeployedWhileItIsFetched(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(100, "old")...)
	next := newHost(t)
	next.publish(t, 0, many(100, "new")...)
	l, _ := opened(t, h.start(t), t.TempDir())
	h.set(func(w http.ResponseWriter, r *http.Request) bool {
		if isManifest(r) {
			return false
		}
		h.set(nil)
		h.mu.Lock()
		h.dir = next.dir
		h.mu.Unlock()
		return false
	})
	load(t, l)
	if got := found(t, l, "old"); got != "" || l.Status().Articles != 100 {
		t.Errorf("status %+v, found %q", l.Status(), got)
	}
}

// What the data folder has is not believed, and can be made again: the index from
// the copy without network, the copy from the site.
func TestSiteCopyIsDamaged(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(100, "walrus")...)
	address, data := h.start(t), t.TempDir()
	l, _ := opened(t, address, data)
	load(t, l)
	want := found(t, l, "walrus")
	again := func(what string) (*Live, *logged) {
		t.Helper()
		must(t, l.Close())
		indexes, err := filepath.Glob(filepath.Join(data, indexPrefix+"*"))
		if err != nil || len(indexes) != 1 {
			t.Fatalf("%s: %v %v", what, indexes, err)
		}
		must(t, os.RemoveAll(indexes[0]))
		h.requests()
		return opened(t, address, data)
	}
	l, _ = again("no index, no network")
	h.set(func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) })
	if err := l.Load(t.Context()); err == nil || found(t, l, "walrus") != want {
		t.Errorf("without index and network: %v", err)
	}
	h.set(nil)

	l, log := again("a chunk is damaged")
	chunk := chunksOf(t, filepath.Join(data, siteName))[0]
	info, err := os.Stat(chunk)
	if err == nil {
		err = os.WriteFile(chunk, make([]byte, info.Size()), 0o600)
	}
	must(t, err)
	load(t, l)
	if got := h.requests(); found(t, l, "walrus") != want || len(got) != 3 || log.count("is damaged; fetching the damaged files again") != 1 {
		t.Errorf("with a damaged chunk it asked for %v:\n%s", got, log)
	}

	for _, name := range []string{article.ManifestPath, memoryName} {
		l, _ = again(name)
		must(t, l.Close())
		must(t, os.WriteFile(filepath.Join(data, siteName, name), []byte("{"), 0o600))
		l, _ = opened(t, address, data)
		load(t, l)
		if found(t, l, "walrus") != want {
			t.Errorf("with a damaged %s", name)
		}
	}

	// Another address has nothing of this one's copy.
	must(t, l.Close())
	l, _ = opened(t, address+"/docs", data)
	if _, err := os.Stat(filepath.Join(data, siteName, article.CorpusFolder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the copy of another source stays: %v", err)
	}
}

// The copy is removed while searchd runs, as a whole or with the data folder: it is fetched again,
// and the next start knows it for searchd's own.
func TestSiteCopyIsRemoved(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(5, "walrus")...)
	address := h.start(t)
	for name, remove := range map[string]func(data string) error{
		"the copy":        func(data string) error { return os.RemoveAll(filepath.Join(data, siteName)) },
		"its memory":      func(data string) error { return os.Remove(filepath.Join(data, siteName, memoryName)) },
		"the data folder": func(data string) error { return errors.Join(os.RemoveAll(data), os.Mkdir(data, 0o750)) },
	} {
		data := filepath.Join(t.TempDir(), "data")
		l, _ := opened(t, address, data)
		load(t, l)
		if err := remove(data); err != nil {
			t.Skip(err)
		}
		load(t, l)
		must(t, l.Close())
		again, err := Open(t.Context(), Options{Source: address, Data: data})
		if err != nil {
			t.Errorf("a start after %s was removed: %v", name, err)
			continue
		}
		load(t, again)
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A newer builder publishes what this searchd cannot read, in a folder or on a site. To publish it
// again is of no use; to replace searchd is.
func TestANewerFormatNeedsANewerSearchd(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(3, "walrus")...)
	for _, source := range []string{h.dir, h.start(t)} {
		l, _ := opened(t, source, t.TempDir())
		load(t, l)
		text, err := os.ReadFile(h.manifest())
		if err == nil {
			err = os.WriteFile(h.manifest(), []byte(strings.Replace(string(text), `"format":2`, `"format":3,"more":[]`, 1)), 0o644)
		}
		must(t, err)
		if err := l.Load(t.Context()); !errors.Is(err, publication.ErrFormat) || !strings.HasPrefix(hinted.Hint(err), "replace searchd") {
			t.Errorf("%s: %v, hint %q", source, err, hinted.Hint(err))
		}
		if got := found(t, l, "walrus"); got != "a0 a1 a2" {
			t.Errorf("%s: found %q", source, got)
		}
		must(t, os.WriteFile(h.manifest(), text, 0o644))
	}
}

// A folder that is named as the copy, and is another's: MkDocs writes a site there, and --data may
// be the folder of a project.
func TestSiteCopyIsNotMadeOverTheFilesOfOthers(t *testing.T) {
	data := t.TempDir()
	foreign := filepath.Join(data, siteName, article.ManifestPath)
	must(t, os.MkdirAll(filepath.Dir(foreign), 0o750))
	must(t, os.WriteFile(foreign, []byte("mine"), 0o600))
	_, err := Open(t.Context(), Options{Source: "https://site.example", Data: data})
	if err == nil || !strings.Contains(hinted.Hint(err), "--data") {
		t.Errorf("it opens with %v", err)
	}
	if text, err := os.ReadFile(foreign); err != nil || string(text) != "mine" {
		t.Errorf("the file has %q: %v", text, err)
	}
}

// A process may be killed before the first manifest came: what it left is searchd's own, and no
// reason not to start.
func TestSiteCopyIsBegunAgain(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(3, "walrus")...)
	address, data := h.start(t), t.TempDir()
	h.set(func(w http.ResponseWriter, r *http.Request) bool {
		if isChunk(r) {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	l, _ := opened(t, address, data)
	if err := l.Load(t.Context()); err == nil {
		t.Fatal("it loaded")
	}
	must(t, l.Close())
	h.set(nil)
	l, _ = opened(t, address, data)
	load(t, l)
	if got := found(t, l, "walrus"); got != "a0 a1 a2" {
		t.Errorf("found %q", got)
	}
}

// A first start is not ready before all is there, however much of it is.
func TestSiteIsNotReadyWithAPart(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(300, "walrus")...)
	missing := filepath.Base(chunksOf(t, h.dir)[0])
	h.set(func(w http.ResponseWriter, r *http.Request) bool {
		if path.Base(r.URL.Path) != missing {
			return false
		}
		http.Error(w, "sorry", http.StatusBadGateway)
		return true
	})
	l, _ := opened(t, h.start(t), t.TempDir())
	if err := l.Load(t.Context()); err == nil || l.Status().Ready {
		t.Errorf("load: %v, status %+v", err, l.Status())
	}
	h.set(nil)
	h.requests()
	load(t, l)
	if got := h.requests(); !l.Status().Ready || slices.Contains(got, "manifest.json 304") {
		t.Errorf("it asked for %v, status %+v", got, l.Status())
	}
}

// inMemory answers requests without a network, so that it works with a false clock.
type inMemory struct{ http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	return w.Result(), nil
}

// editions answers with one of some manifests, and the headers that are set.
type editions struct {
	now    string // name of the manifest that is sent
	header http.Header
	dirs   map[string]string
}

func (e *editions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := os.ReadFile(filepath.Join(e.dirs[e.now], r.URL.Path))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat))
	if isManifest(r) {
		maps.Copy(w.Header(), e.header)
	}
	w.Write(data)
}

// newEditions has three builds of a site.
func newEditions(t *testing.T) *editions {
	e := &editions{now: "one", header: http.Header{}, dirs: map[string]string{}}
	for _, name := range []string{"one", "two", "three"} {
		e.dirs[name] = t.TempDir()
		publish(t, e.dirs[name], anArticle("a", name))
	}
	return e
}

func (e *editions) site(t *testing.T, dir string) *site {
	t.Helper()
	s, err := openSite("https://site.example", dir, false, newMetrics(none, none))
	must(t, err)
	s.client.Transport = inMemory{e}
	return s
}

// holds returns which manifest a copy has.
func (e *editions) holds(t *testing.T, s *site) string {
	t.Helper()
	have, err := os.ReadFile(s.path(article.ManifestPath))
	must(t, err)
	for name, dir := range e.dirs {
		want, err := os.ReadFile(filepath.Join(dir, article.ManifestPath))
		must(t, err)
		if string(have) == string(want) {
			return name
		}
	}
	return ""
}

// fetch wants a look to end well, or to refuse an older manifest.
func (e *editions) fetch(t *testing.T, s *site, now string, older bool) {
	t.Helper()
	e.now = now
	err := s.fetch(t.Context())
	if (err != nil) != older || older && reasonOf(err) != reasonOlder {
		t.Errorf("fetch of %s: %v, want older %v", now, err, older)
	}
	if older && (!strings.Contains(fmt.Sprint(err), "is older than the one held") || !strings.Contains(hinted.Hint(err), "if the site was rolled back")) {
		t.Errorf("fetch of %s: %v\nhint: %s", now, err, hinted.Hint(err))
	}
}

// What could not be written down of a manifest is written at a later look: a restart would take one
// that was held before for new.
func TestSiteIsRememberedWhenThereIsRoom(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	s := e.site(t, dir)
	e.fetch(t, s, "one", false)
	full := filepath.Join(dir, memoryName+".new")
	if err := os.Mkdir(full, 0o750); err != nil { // as good as a full disk
		t.Fatal(err)
	}
	e.now = "two"
	if err := s.fetch(t.Context()); reasonOf(err) != reasonDisk {
		t.Errorf("fetch: %v, want a failure of the disk", err)
	}
	must(t, os.Remove(full))
	e.fetch(t, s, "two", false)
	if next := e.site(t, dir); next.memory.SHA256 != s.held.SHA256 || !slices.Equal(next.memory.Before, s.memory.Before) || len(next.memory.Before) != 1 {
		t.Errorf("a restart knows %+v, want %+v", next.memory, s.memory)
	}
}

// A manifest is known again as the one that was held before, though the process was killed before
// it could write down so, or could not remove the files of that one: a cache that is behind would
// bring back what was taken down.
func TestSiteIsKilledBeforeItRemembers(t *testing.T) {
	e := newEditions(t)
	blocked := map[string]string{ // a folder in the way of each step after the manifest is in its place
		"files of the one before are removed": article.CorpusFolder + "/a/x",
		"the new one is written down":         memoryName + ".new",
	}
	for step, folder := range blocked {
		dir := t.TempDir()
		s := e.site(t, dir)
		e.fetch(t, s, "one", false)
		must(t, os.MkdirAll(s.path(folder), 0o750))
		e.now = "two"
		if err := s.fetch(t.Context()); reasonOf(err) != reasonDisk || e.holds(t, s) != "two" {
			t.Fatalf("before %s: %v, and the copy holds %s", step, err, e.holds(t, s))
		}
		e.fetch(t, s, "one", true)
		must(t, os.RemoveAll(filepath.Join(dir, folder)))
		former := s.path(article.CorpusFolder + "/former")
		must(t, os.WriteFile(former, nil, 0o600))
		s = e.site(t, dir)
		e.fetch(t, s, "one", true)
		if got := e.holds(t, s); got != "two" {
			t.Errorf("killed before %s, it holds %s after a restart", step, got)
		}
		e.fetch(t, s, "two", false)
		if _, err := os.Stat(former); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("killed before %s: a file of the one before stays: %v", step, err)
		}
		e.fetch(t, e.site(t, dir), "one", true)
	}
}

// What was fetched of a build that the site has taken back is removed, though the manifest that is
// held stays the same.
func TestSiteTakesBackWhatIsHalfFetched(t *testing.T) {
	e := newEditions(t)
	var many []article.Article
	for i := range 200 {
		many = append(many, anArticle(fmt.Sprintf("a%d", i), "two"))
	}
	publish(t, e.dirs["two"], many...)
	m, err := publication.Open(os.DirFS(e.dirs["two"]))
	must(t, err)
	chunks := m.Manifest().Chunks
	must(t, os.Remove(filepath.Join(e.dirs["two"], chunks[len(chunks)-1].Path)))

	s := e.site(t, t.TempDir())
	e.fetch(t, s, "one", false)
	e.now = "two"
	if err := s.fetch(t.Context()); reasonOf(err) != reasonMissing {
		t.Fatal(err)
	}
	first := s.path(chunks[0].Path)
	if _, err := os.Stat(first); err != nil {
		t.Fatal(err)
	}
	e.fetch(t, s, "one", false)
	if _, err := os.Stat(first); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a chunk of the build that was taken back is still there: %v", err)
	}
}

// A copy whose manifest was spoilt, as by a power cut, still knows those that were held before it:
// the index has what came after them.
func TestSiteLosesItsManifest(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	s := e.site(t, dir)
	e.fetch(t, s, "one", false)
	e.fetch(t, s, "two", false)
	must(t, os.Truncate(s.path(article.ManifestPath), 0))
	if !s.removeDamaged() {
		t.Error("a manifest of no bytes is not damaged")
	}
	e.fetch(t, s, "one", true)
	s = e.site(t, dir) // a restart
	e.fetch(t, s, "one", true)
	e.fetch(t, s, "two", false)
	must(t, os.Remove(s.path(article.ManifestPath)))
	s = e.site(t, dir)
	e.fetch(t, s, "three", false)
	e.fetch(t, s, "two", true)
}

// A site was rolled back while searchd, or its disk, lost what it had of the build before. As long
// as the index is there, that may be a cache that is behind; without it, nothing can be searched.
func TestSiteIsRolledBackWhereTheCopyIsLost(t *testing.T) {
	h, data := newHost(t), t.TempDir()
	address := h.start(t)
	h.publish(t, 2*time.Hour, many(2, "walrus")...)
	l, _ := opened(t, address, data)
	load(t, l)
	h.publish(t, time.Hour, many(3, "walrus")...)
	load(t, l)
	must(t, l.Close())
	h.publish(t, 0, many(2, "walrus")...)

	must(t, os.Remove(filepath.Join(data, siteName, article.ManifestPath)))
	l, _ = opened(t, address, data)
	if err := l.Load(t.Context()); reasonOf(err) != reasonOlder || found(t, l, "walrus") != "a0 a1 a2" {
		t.Errorf("with the index: %v, and %s are found", err, found(t, l, "walrus"))
	}
	must(t, l.Close())

	indexes, err := filepath.Glob(filepath.Join(data, "index-*"))
	must(t, err)
	for _, index := range indexes {
		must(t, os.RemoveAll(index))
	}
	l, _ = opened(t, address, data)
	load(t, l)
	if got := found(t, l, "walrus"); got != "a0 a1" {
		t.Errorf("without the index: %s are found", got)
	}
}

// Many files that cannot be removed are one line of the log.
func TestSiteCannotRemoveWhatIsNotNeeded(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	s := e.site(t, dir)
	for _, name := range []string{"a", "b"} {
		must(t, os.MkdirAll(s.path(article.CorpusFolder+"/"+name+"/x"), 0o750))
	}
	if err := s.fetch(t.Context()); reasonOf(err) != reasonDisk || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one failure of the disk", err)
	}
}

// Limits of this machine are not the host's fault, nor that of a full disk.
func TestSiteMeetsLimitsOfTheMachine(t *testing.T) {
	s := newEditions(t).site(t, t.TempDir())
	for limit, hint := range map[error]string{syscall.EMFILE: "LimitNOFILE", syscall.ENFILE: "LimitNOFILE", syscall.ENOMEM: "memory"} {
		socket := &url.Error{Op: "Get", URL: s.base.String(), Err: &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", limit)}}
		for _, err := range []error{s.disk(&fs.PathError{Op: "open", Path: "a", Err: limit}), s.unreadable(t.Context(), "a", socket)} {
			if !strings.Contains(hinted.Hint(err), hint) {
				t.Errorf("%v: hint %q", err, hinted.Hint(err))
			}
		}
	}
}

// A manifest that was held before comes from a cache that is behind, or it is a rollback:
// then it stays, and after a while it is followed. A restart knows it, too.
func TestSiteHasAManifestThatWasHeldBefore(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.fetch(t, s, "one", false)
		time.Sleep(time.Minute)
		e.fetch(t, s, "two", false)
		time.Sleep(time.Minute)
		e.fetch(t, s, "one", true)
		s = e.site(t, dir) // a restart
		e.fetch(t, s, "one", true)
		e.fetch(t, s, "two", false)
		time.Sleep(rollbackAfter)
		e.fetch(t, s, "one", true) // "two" was seen since
		time.Sleep(rollbackAfter - time.Second)
		e.fetch(t, s, "one", true)
		if got := e.holds(t, s); got != "two" {
			t.Errorf("holds %s, want two", got)
		}
		time.Sleep(time.Second)
		e.fetch(t, s, "one", false)
		if got := e.holds(t, s); got != "one" {
			t.Errorf("holds %s, want one, which is all that the site has", got)
		}
		e.fetch(t, s, "three", false)
	})
}

// With a time of the file, that decides: a copy of the site that is behind, although it was
// never held; and a rollback that was built anew is followed at once.
func TestSiteHasAManifestOfAnEarlierTime(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		at := func(ago time.Duration) {
			e.header.Set("Last-Modified", time.Now().Add(-ago).UTC().Format(http.TimeFormat))
		}
		s := e.site(t, dir)
		at(3 * time.Hour)
		e.fetch(t, s, "one", false)
		at(time.Hour)
		e.fetch(t, s, "three", false)
		at(2 * time.Hour)
		e.fetch(t, s, "two", true)
		e.fetch(t, s, "two", true)
		if got := e.holds(t, s); got != "three" {
			t.Errorf("holds %s, want three", got)
		}
		at(time.Minute)
		e.fetch(t, s, "one", false)
		at(time.Hour)
		e.fetch(t, s, "three", true)
		time.Sleep(rollbackAfter)
		e.fetch(t, s, "three", false)
	})
}

// With an Age and no time, a manifest that was held before and that the site itself has sent
// since is a rollback, and one from a cache that was filled earlier is not.
func TestSiteHasAManifestOfAKnownAge(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.header.Set("Age", "0")
		e.fetch(t, s, "one", false)
		e.header.Set("Age", "3600")
		e.fetch(t, s, "one", false) // from a cache, which makes it no older
		e.header.Set("Age", "1800")
		e.fetch(t, s, "two", true)
		e.header.Set("Age", "0")
		time.Sleep(time.Minute)
		e.fetch(t, s, "two", false)
		time.Sleep(30 * time.Second)
		e.header.Set("Age", "45")
		e.fetch(t, s, "one", true)
		e.header.Set("Age", "15")
		e.fetch(t, s, "one", false)
	})
}

// A cache that was filled before the one that is held came from the site is behind, though its
// manifest was never held here. A restart knows that, too; and an Age that is none is not believed.
func TestSiteHasAManifestOfAGreaterAge(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.header.Set("Age", "0")
		e.fetch(t, s, "one", false)
		time.Sleep(time.Hour)
		e.fetch(t, s, "three", false)
		time.Sleep(time.Minute)
		e.header.Set("Age", "90")
		e.fetch(t, s, "two", true)
		s = e.site(t, dir)
		e.fetch(t, s, "two", true)
		e.header.Set("Age", "9223372036854775807")
		e.fetch(t, s, "two", true)
		e.header.Set("Age", "-1")
		e.fetch(t, s, "three", false)
		time.Sleep(time.Minute)
		e.header.Set("Age", "20")
		e.fetch(t, s, "two", false) // built after all
		e.header.Set("Age", "of stone")
		e.fetch(t, s, "one", true) // held before, and nothing is known of it
		e.header.Del("Age")
		time.Sleep(rollbackAfter)
		e.fetch(t, s, "one", false)
	})
}

// Ages are of whole seconds, and take time on their way; one that is held without an Age may have
// left the site long before it came.
func TestByAge(t *testing.T) {
	for _, c := range []struct {
		later         time.Duration
		offered, held bool // whether an Age says when
		want          int
	}{
		{time.Second, true, true, 0},
		{time.Second + time.Millisecond, true, true, 1},
		{time.Hour, true, false, 1},
		{time.Hour, false, true, 0},
		{-2 * time.Second, true, true, 0},
		{-2*time.Second - time.Millisecond, true, true, -1},
		{-time.Hour, true, false, 0},
	} {
		held := edition{sent: time.Now(), aged: c.held}
		if got := byAge(edition{sent: held.sent.Add(c.later), aged: c.offered}, held); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// A clock that was years ahead when a manifest came makes nothing older after it was set right.
func TestSiteWasSeenByAClockThatWasAhead(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	e.header.Set("Age", "0")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(10 * 365 * 24 * time.Hour)
		e.fetch(t, e.site(t, dir), "one", false)
	})
	synctest.Test(t, func(t *testing.T) { // begins at the same instant again
		s := e.site(t, dir)
		time.Sleep(time.Minute)
		e.fetch(t, s, "two", false)
		time.Sleep(time.Minute)
		e.fetch(t, s, "three", false)
	})
}

// Where all files have one time and manifests one size, a host that makes its ETag of these says
// for ever that nothing is new. It is not believed for ever.
func TestSiteHasFilesOfOneTime(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.header.Set("Last-Modified", "Tue, 01 Jan 1980 00:00:00 GMT")
		e.header.Set("ETag", `"12cea600-5678"`)
		s.client.Transport = inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			e.ServeHTTP(w, r)
		})}
		e.fetch(t, s, "one", false)
		for range 11 {
			time.Sleep(5 * time.Minute)
			e.fetch(t, s, "two", false)
		}
		if got := e.holds(t, s); got != "one" {
			t.Errorf("holds %s: the host is asked for the whole manifest again and again", got)
		}
		time.Sleep(5 * time.Minute)
		e.fetch(t, s, "two", false)
		if got := e.holds(t, s); got != "two" {
			t.Errorf("holds %s, want two", got)
		}
	})
}

// Hosts make ETags of a file's second and size. Two builds within one second, with manifests of
// one size, have both in common: the second must be seen all the same.
func TestSiteIsBuiltTwiceInASecond(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	e.dirs["two"] = t.TempDir()
	publish(t, e.dirs["two"], anArticle("a", "owt")) // of the same size as "one", up to packing
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		conditions := 0
		s.client.Transport = inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isManifest(r) && r.Header.Get("If-None-Match") != "" {
				conditions++
				w.WriteHeader(http.StatusNotModified)
				return
			}
			e.ServeHTTP(w, r)
		})}
		e.header.Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		e.header.Set("ETag", `"1234-5678"`)
		e.fetch(t, s, "one", false)
		e.fetch(t, s, "two", false)
		if got := e.holds(t, s); got != "two" || conditions != 0 {
			t.Errorf("holds %s, want two; %d conditional requests", got, conditions)
		}
		time.Sleep(3 * time.Second)
		e.fetch(t, s, "two", false)
		e.fetch(t, s, "two", false)
		if conditions != 1 {
			t.Errorf("%d conditional requests, want 1: after some seconds the ETag is right", conditions)
		}
	})
}

// How old a file was when it came, the clock of its host says, if it says anything.
func TestSettled(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) string { return now.Add(-ago).Format(http.TimeFormat) }
	for _, c := range []struct {
		modified, date string
		want           bool
	}{
		{"", "", true},
		{at(2 * time.Second), "", true},
		{at(time.Second), "", false},
		{at(time.Hour + 2*time.Second), at(time.Hour), true},
		{at(time.Hour + time.Second), at(time.Hour), false},
		{at(time.Second), at(-time.Hour), true},
		{"yesterday", "", false},
	} {
		h := http.Header{"Last-Modified": {c.modified}, "Date": {c.date}}
		if got := settled(h, now); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

func TestSiteAddresses(t *testing.T) {
	for _, c := range []struct {
		address   string
		allowHTTP bool
		want      string // "" for an error
		hint      string
	}{
		{"https://site.example", false, "https://site.example", ""},
		{"https://site.example/", false, "https://site.example", ""},
		{"HTTPS://Site.example:8443/Docs/", false, "https://site.example:8443/Docs", ""},
		{"http://localhost:8080", false, "http://localhost:8080", ""},
		{"http://a.localhost", false, "http://a.localhost", ""},
		{"http://127.0.0.2:80", false, "http://127.0.0.2:80", ""},
		{"http://[::1]:80", false, "http://[::1]:80", ""},
		{"http://site.example", false, "", "with https; in a network that you trust, add --allow-http"},
		{"http://localhost.example", false, "", "--allow-http"},
		{"http://10.0.0.1", false, "", "--allow-http"},
		{"http://site.example", true, "http://site.example", ""},
		{"ftp://site.example", true, "", "give a folder, or an address"},
		{"s3://bucket", true, "", "give a folder, or an address"},
		{"https://", false, "", "such as https://example.org"},
		{"https://user:secret@site.example", false, "", "without user, query or #"},
		{"https://site.example/?a=b", false, "", "without user, query or #"},
		{"https://site.example/#a", false, "", "without user, query or #"},
		{"https://site.example/?", false, "", "without user, query or #"}, // or the manifest would be its query
		{"https://site.example/#", false, "", "without user, query or #"},
		{"https://:8443", false, "", "such as https://example.org"}, // or this machine would be asked
	} {
		got, err := parseAddress(c.address, c.allowHTTP)
		if c.want == "" {
			if !errors.Is(err, ErrOptions) || !strings.Contains(hinted.Hint(err), c.hint) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v %v, hint %q", c.address, got, err, hinted.Hint(err))
			}
		} else if err != nil || got.String() != c.want {
			t.Errorf("%s: %v %v, want %s", c.address, got, err, c.want)
		}
	}
}

// unstarted is a server whose log nobody reads.
func unstarted(t *testing.T, h http.Handler) *httptest.Server {
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	return server
}

// trusting is for a client that trusts the certificate of a server.
func trusting(server *httptest.Server) *tls.Config {
	return &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
}

// fails wants two looks to fail for one reason and in the same words: a failure is logged once.
func fails(t *testing.T, look func(context.Context) error, reason, says, hint string) {
	t.Helper()
	first, second := look(t.Context()), look(t.Context())
	if first == nil || second == nil || first.Error() != second.Error() || reasonOf(first) != reason || !strings.Contains(first.Error(), says) || !strings.Contains(hinted.Hint(first), hint) {
		t.Errorf("two looks fail with\n%v\n%v\nhint: %s", first, second, hinted.Hint(first))
	}
}

// A certificate that nobody vouches for is refused, and one that is trusted is not.
func TestSiteIsVerified(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, anArticle("one", "walrus"))
	server := unstarted(t, h)
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	fails(t, l.Load, reasonUnreachable, "x509", "SSL_CERT_FILE")
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	load(t, l)
	if found(t, l, "walrus") != "one" {
		t.Error("nothing is found")
	}
}

// Three redirects are followed, if they stay where the site is, and no more.
func TestSiteRedirects(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(3, "walrus")...)
	address := h.start(t)
	for redirects, followed := range map[int]bool{3: true, 4: false} {
		h.set(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Count(r.URL.Path, "/again") < redirects {
				http.Redirect(w, r, "/again"+r.URL.Path, http.StatusFound)
				return true
			}
			r.URL.Path = strings.ReplaceAll(r.URL.Path, "/again", "")
			return false
		})
		l, _ := opened(t, address, t.TempDir())
		if err := l.Load(t.Context()); (err == nil) != followed {
			t.Errorf("%d redirects: %v", redirects, err)
		}
	}
	server := unstarted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+r.URL.Path, http.StatusFound)
	}))
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	fails(t, l.Load, reasonStatus, "it redirects to another host, http://", "follow it")
}

// saying is a server that answers whatever it is asked with a text, in which %d is how often it
// was.
func saying(t *testing.T, text string) (address string, asked *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	asked = new(atomic.Int64)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1<<12))
			fmt.Fprintf(conn, text, asked.Add(1))
			conn.Close()
		}
	}()
	return listener.Addr().String(), asked
}

// Where there is no TLS, or no proxy, the certificate and the host's name are not what is wrong.
func TestSiteIsNotReachedByTLS(t *testing.T) {
	plain := httptest.NewServer(newHost(t))
	defer plain.Close()
	garbled, _ := saying(t, "SSH-2.0-%d\r\n")
	for _, c := range []struct{ name, address, proxy, says, hint string }{
		{"HTTP", "https://" + plain.Listener.Addr().String(), "", "does not speak TLS", "http://"},
		{"no HTTP", "https://" + garbled, "", "does not speak TLS", "http://"},
		{"the proxy's name", "https://site.example", "http://proxy.invalid:3128", "the proxy cannot be reached", "HTTPS_PROXY"},
		{"the proxy's port", "https://site.example", "http://127.0.0.1:1", "the proxy cannot be reached: connect: connection refused", "HTTPS_PROXY"},
	} {
		l, _ := opened(t, c.address, t.TempDir())
		if c.proxy != "" {
			proxy, err := url.Parse(c.proxy)
			must(t, err)
			l.site.client.Transport.(*http.Transport).Proxy = http.ProxyURL(proxy)
		}
		t.Run(c.name, func(t *testing.T) { fails(t, l.Load, reasonUnreachable, c.says, c.hint) })
	}
}

// A certificate that is out of date is one failure, though each look is at another time.
func TestSiteHasACertificateOfAnotherTime(t *testing.T) {
	server := unstarted(t, newHost(t))
	server.StartTLS()
	s, err := openSite(server.URL, t.TempDir(), false, newMetrics(none, none))
	must(t, err)
	cert := server.Certificate()
	for _, now := range []time.Time{cert.NotBefore.Add(-time.Hour), cert.NotAfter.Add(time.Hour)} {
		config := trusting(server)
		config.Time = func() time.Time { now = now.Add(time.Minute); return now }
		s.client.Transport.(*http.Transport).TLSClientConfig = config
		fails(t, s.fetch, reasonUnreachable, cert.NotAfter.Format(time.RFC3339), "clock")
	}
}

// A host that breaks off answers of HTTP/2 is one failure, on whatever stream that was.
func TestSiteBreaksOffStreams(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(300, "walrus")...)
	server := unstarted(t, h)
	server.EnableHTTP2 = true
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	for _, begun := range []bool{false, true} {
		h.set(func(w http.ResponseWriter, r *http.Request) bool {
			if !isChunk(r) {
				return false
			}
			if r.ProtoMajor != 2 {
				t.Errorf("asked by %s", r.Proto)
			}
			if begun {
				io.WriteString(w, "half")
				http.NewResponseController(w.(*statusWriter).ResponseWriter).Flush()
			}
			panic(http.ErrAbortHandler)
		})
		first := l.Load(t.Context())
		if reasonOf(first) != reasonUnreachable || !strings.Contains(first.Error(), "the host broke off its answer") {
			t.Errorf("load: %v", first)
		}
		for range 20 {
			if err := l.Load(t.Context()); err == nil || err.Error() != first.Error() {
				t.Fatalf("a later look says another thing, which would be logged again:\n%v\n%v", first, err)
			}
		}
	}
}

// One that closes its connections as HTTP/2 does, with the number of a stream, is one failure, too.
func TestSiteGoesAway(t *testing.T) {
	server := unstarted(t, nil)
	server.TLS = &tls.Config{NextProtos: []string{"h2"}}
	var looks atomic.Uint32
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) {
		const headers, goAway = 1, 7 // kinds of frames; see RFC 9113, 4.1, 6.2 and 6.8
		io.ReadFull(conn, make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
		conn.Write([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0}) // the settings
		for frame := make([]byte, 9); frame[3] != headers; {
			if _, err := io.ReadFull(conn, frame); err != nil {
				return
			}
			io.CopyN(io.Discard, conn, int64(frame[0])<<16|int64(frame[1])<<8|int64(frame[2]))
		}
		last := binary.BigEndian.AppendUint32([]byte{0, 0, 8, goAway, 0, 0, 0, 0, 0}, 2*looks.Add(1)+1)
		conn.Write(append(last, 0, 0, 0, 0))
	}}
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	fails(t, l.Load, reasonUnreachable, "closed the connection", "")
	if looks.Load() < 2 {
		t.Errorf("asked %d times", looks.Load())
	}
}

// One whose answers are no HTTP is one failure, whatever they are.
func TestSiteSpeaksNoHTTP(t *testing.T) {
	for _, answer := range []string{
		"SSH-2.0-%d\r\n", "HTTP/%d 200 OK\r\n\r\n", "HTTP/1.1 %dx OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno header %d\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: x%d\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: x%d\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://%%zz%d\r\nContent-Length: 0\r\n\r\n",
	} {
		address, looks := saying(t, answer)
		l, _ := opened(t, "http://"+address, t.TempDir())
		t.Run(answer, func(t *testing.T) { fails(t, l.Load, reasonUnreachable, "is not HTTP", "--source") })
		if looks.Load() < 2 {
			t.Errorf("asked %d times", looks.Load())
		}
	}
}

// A host that wants rest for longer than anybody waits has as much as any gets.
func TestSiteWantsRest(t *testing.T) {
	e := newEditions(t)
	s := e.site(t, t.TempDir())
	for wanted, want := range map[string]time.Duration{"": 0, "soon": 0, "-1": 0, "100": 100 * time.Second, "301": maxBackOff, "9223372037": maxBackOff, "99999999999999999999": maxBackOff, "-9223372037": 0, "-99999999999999999999": 0,
		"Sun, 06 Nov 1994 08:50:57 GMT": 80 * time.Second, "Sunday, 06-Nov-94 08:50:57 GMT": 80 * time.Second, "Sun Nov  6 08:50:57 1994": 80 * time.Second,
		"Sun, 06 Nov 1994 08:49:00 GMT": 0, "Mon, 07 Nov 2094 08:49:37 GMT": maxBackOff, "Sun, 06 Nov 1994 08:50:57": 0} {
		s.client.Transport = inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", wanted)
			w.Header().Set("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
			w.WriteHeader(http.StatusTooManyRequests)
		})}
		var f failure
		if err := s.fetch(t.Context()); !errors.As(err, &f) || f.after != want {
			t.Errorf("Retry-After %q: %v after %v, want %v", wanted, err, f.after, want)
		}
	}
}

// Looks at a site are about a poll apart, never all alike; failures make them rarer; an older
// manifest does not, for the site is well.
func TestPaceOfASite(t *testing.T) {
	broken := failure{error: errors.New("500"), reason: reasonStatus}
	within := func(t *testing.T, what string, got, want time.Duration) {
		t.Helper()
		if low, high := time.Duration(float64(want)*(1-jitter)), time.Duration(float64(want)*(1+jitter)); got < low || got > high {
			t.Errorf("%s: %v, want %v to %v", what, got, low, high)
		}
	}
	p := &pace{poll: 30 * time.Second, site: true}
	seen := map[time.Duration]bool{}
	for range 100 {
		rest := p.rest(time.Minute, nil)
		within(t, "a success", rest, 30*time.Second)
		seen[rest] = true
	}
	if len(seen) < 90 {
		t.Errorf("%d different rests of 100", len(seen))
	}
	for n, want := range []time.Duration{30, 60, 120, 240, 300, 300} {
		within(t, fmt.Sprintf("failure %d", n+1), p.rest(time.Minute, broken), want*time.Second)
	}
	for range 100 {
		within(t, "a later failure", p.rest(0, broken), maxBackOff)
	}
	within(t, "an older manifest", p.rest(0, failure{reason: reasonOlder}), 30*time.Second)
	within(t, "a failure after that", p.rest(0, broken), 30*time.Second)
	for range 5 { // the site is not published yet, or a CDN does not know a new file yet
		within(t, "a file that is not there", p.rest(0, failure{reason: reasonMissing}), 30*time.Second)
	}
	within(t, "a file that is not there, and a host that wants rest", p.rest(0, failure{reason: reasonMissing, after: 100 * time.Second}), 100*time.Second)
	within(t, "a host that wants rest", p.rest(0, failure{reason: reasonStatus, after: 100 * time.Second}), 100*time.Second)
	within(t, "the own disk", p.rest(20*time.Second, failure{reason: reasonDisk}), 200*time.Second)
	for _, large := range []time.Duration{time.Hour, 365 * 24 * time.Hour} { // a year times 2¹⁰ is more than a Duration holds
		within(t, "a large poll", (&pace{poll: large, site: true, failures: 20}).rest(0, broken), large)
	}
}

// While a site fails it is asked more rarely, and soon after it is well at the usual pace.
func TestFollowBacksOffFromASite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var looks atomic.Int64
		var well atomic.Bool
		go follow(t.Context(), nil, &pace{poll: 10 * time.Second, site: true}, func() error {
			if looks.Add(1); well.Load() {
				return nil
			}
			return failure{error: errors.New("500"), reason: reasonStatus}
		})
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := looks.Swap(0); n < 12 || n > 30 { // 10 s, 10, 20, 40, 80, 160, 300, 300 ...
			t.Errorf("%d looks in an hour of failures, want some 16", n)
		}
		well.Store(true)
		time.Sleep(time.Hour)
		synctest.Wait()
		if n := looks.Load(); n < 280 || n > 440 {
			t.Errorf("%d looks in an hour that is well, want some 330", n)
		}
	})
}

// Each kind of failure is one line in the log, however long it lasts.
func TestRunTellsOfAFailingSiteOnce(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, anArticle("one", "walrus"))
	l, log := opened(t, h.start(t), t.TempDir())
	l.options.Poll = time.Millisecond
	running(t, l)
	until(t, "the first load", func() bool { return l.Status().Ready })
	failures := func(reason string) float64 {
		return value(t, l.metrics.reloadFailures.WithLabelValues(reason))
	}
	h.set(func(w http.ResponseWriter, r *http.Request) bool { http.Error(w, "sorry", 500); return true })
	until(t, "several failures", func() bool { return failures(reasonStatus) > 3 })
	h.set(nil)
	until(t, "the site is well", func() bool { return l.Status().Err == nil })
	old, err := os.ReadFile(h.manifest())
	must(t, err)
	h.publish(t, time.Minute, anArticle("one", "walrus"), anArticle("two", "walrus"))
	until(t, "the second build", func() bool { return l.Status().Articles == 2 })
	beside, hourAgo := filepath.Join(t.TempDir(), "manifest"), time.Now().Add(-time.Hour)
	must(t, errors.Join(os.WriteFile(beside, old, 0o600), os.Chtimes(beside, hourAgo, hourAgo), os.Rename(beside, h.manifest())))
	until(t, "several older manifests", func() bool { return failures(reasonOlder) > 3 })
	for _, text := range []string{"the host answered 500", "is older than the one held"} {
		if n := log.count(text); n != 1 {
			t.Errorf("%d lines say %q:\n%s", n, text, log)
		}
	}
	if l.Status().Articles != 2 {
		t.Errorf("status %+v", l.Status())
	}

	// Of two caches one is behind, and they are asked by turns.
	newest, err := os.ReadFile(filepath.Join(l.site.dir, article.ManifestPath))
	must(t, err)
	l.loading.Lock()
	modified := l.site.held.LastModified
	l.loading.Unlock()
	older := failures(reasonOlder)
	var asked atomic.Int64
	h.set(func(w http.ResponseWriter, r *http.Request) bool {
		if asked.Add(1)%2 == 0 {
			w.Header().Set("Last-Modified", modified)
			w.Write(newest)
			return true
		}
		return false
	})
	until(t, "older manifests between others", func() bool { return failures(reasonOlder) > older+5 && asked.Load() > 20 })
	if n := log.count("is older than the one held"); n != 1 {
		t.Errorf("%d lines tell of the cache that is behind:\n%s", n, log)
	}
}

// What a request fails of that no server of a test brings about.
func TestWhyASiteCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		err       error
		hint, why string
	}{
		{&net.DNSError{Err: "server misbehaving", Name: "x.example", IsTemporary: true}, "name servers", "the address of x.example cannot be looked up"},
		{errors.New("remote error: tls: handshake failure"), "SSL_CERT_FILE", "remote error: tls: handshake failure"},
		{context.DeadlineExceeded, "see that the host is up", "no answer in time"},
	} {
		hint, why := whyUnreadable(&url.Error{Op: "Get", URL: "https://x.example/", Err: c.err}, "x")
		if !strings.Contains(hint, c.hint) || why.Error() != c.why {
			t.Errorf("%v: %s (%s), want %s (%s)", c.err, why, hint, c.why, c.hint)
		}
	}
}

// The host learns who asks, and the operator how often, and what it answered.
func TestRequestsForASiteAreNamedAndCounted(t *testing.T) {
	asks := ""
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asks = r.UserAgent()
		http.NotFound(w, r)
	}))
	l, _ := opened(t, host.URL, t.TempDir())
	if err := l.Load(t.Context()); err == nil {
		t.Error("a site without a manifest is loaded")
	}
	host.Close()
	if err := l.Load(t.Context()); err == nil {
		t.Error("a host that is down is loaded")
	}
	if asks != "searchd (Newsstand)" {
		t.Errorf("it asks as %q", asks)
	}
	for _, status := range []string{"404", noAnswer} {
		if n := value(t, l.metrics.sourceRequests.WithLabelValues(status)); n != 1 {
			t.Errorf("%v requests are counted with the status %s", n, status)
		}
	}
}

package searchd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	"syscall"
	"testing"
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

func isChunk(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, ".ndjson.gz") }

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

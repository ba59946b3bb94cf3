//go:build e2e

package cmd_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// staticHost serves a published folder as a CDN does, until it is made to fail.
type staticHost struct {
	*httptest.Server
	public string
	asked  sync.Map // "kind status" to *atomic.Int64

	mu    sync.Mutex
	spoil func(w http.ResponseWriter, r *http.Request) bool // answers in place of the file
}

func startStaticHost(t *testing.T, public string) *staticHost {
	h := &staticHost{public: public}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Server.Close)
	return h
}

func (h *staticHost) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	spoil := h.spoil
	h.mu.Unlock()
	if spoil != nil && spoil(w, r) {
		return
	}
	name := filepath.Join(h.public, r.URL.Path)
	data, err := os.ReadFile(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	info, err := os.Stat(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(data)))
	kind, status := "chunks", http.StatusOK
	if isManifest(r) {
		kind = "manifests"
	}
	if r.Header.Get("If-None-Match") == w.Header().Get("ETag") {
		status = http.StatusNotModified
	}
	count, _ := h.asked.LoadOrStore(fmt.Sprintf("%s %d", kind, status), new(atomic.Int64))
	count.(*atomic.Int64).Add(1)
	http.ServeContent(w, r, name, info.ModTime(), strings.NewReader(string(data)))
}

// fail makes the host answer in another way; nil fixes it.
func (h *staticHost) fail(spoil func(w http.ResponseWriter, r *http.Request) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.spoil = spoil
}

func isManifest(r *http.Request) bool { return r.URL.Path == "/"+article.ManifestPath }
func isChunk(r *http.Request) bool    { return strings.HasSuffix(r.URL.Path, ".ndjson.gz") }

// seen are the answers to one search, by revision; all of one revision must be the same bytes.
type seen struct {
	mu      sync.Mutex
	answers map[string]string // revision to ETag and body
	total   int
}

func (s *seen) add(t *testing.T, from string, resp *http.Response, body string) (revision string) {
	t.Helper()
	var r article.SearchResult
	if err := json.Unmarshal([]byte(body), &r); err != nil || resp.StatusCode != http.StatusOK || resp.Header.Get("ETag") == "" {
		t.Errorf("%s: %d %v %.300s: %v", from, resp.StatusCode, resp.Header, body, err)
		return ""
	}
	answer := resp.Header.Get("ETag") + "\n" + body
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total++
	if first, ok := s.answers[r.Revision]; !ok {
		s.answers[r.Revision] = answer
	} else if first != answer {
		t.Errorf("%s: revision %s is answered in two ways:\n%.500s\n%.500s", from, r.Revision, first, answer)
	}
	return r.Revision
}

// Three replicas follow a site over HTTP and stand behind nginx. Builds are published, each replica
// is killed and started again, a fourth is never ready, the site fails in several ways, all while
// clients search: none of them gets a failure, and each answer is of one whole revision, the same
// bytes from every replica. Then the guide is published there, and proved as on any host.
func TestE2EScaleOut(t *testing.T) {
	const articles, builds = 40, 10
	content, public := t.TempDir(), t.TempDir()
	digests := map[string][]string{} // of all articles, by revision
	publish := func(n int) (revision string) {
		t.Helper()
		buildSite(t, content, public, fmt.Sprintf("word%d", n), articles)
		m, records := published(t, public)
		for _, r := range records {
			digests[m.Revision] = append(digests[m.Revision], r.Digest().String())
		}
		return m.Revision
	}
	publish(0)
	started := time.Now()
	site := startStaticHost(t, public)

	type replica struct {
		*program
		address, data string
	}
	begin := func(r *replica) {
		t.Helper()
		r.program, _ = startSearchd(t, site.URL, r.data, "--listen", r.address, "--poll", "200ms", "--wait")
	}
	replicas := make([]*replica, 3)
	var upstream strings.Builder
	for i := range replicas {
		replicas[i] = &replica{address: freeAddress(t), data: t.TempDir()}
		begin(replicas[i])
		fmt.Fprintf(&upstream, "server %s max_fails=0;\n", replicas[i].address)
	}
	// A fourth has just been added, and is not ready as long as all this takes.
	later := freeAddress(t)
	waiting := start(t, "searchd", "serve", "--source", filepath.Join(t.TempDir(), "missing"), "--wait", "--data", t.TempDir(), "--listen", later, "--admin", "")
	untilListening(t, waiting, later)
	fmt.Fprintf(&upstream, "server %s max_fails=0;\n", later)
	listen := freeAddress(t)
	runNginx(t, listen, public, map[string]string{
		"server 127.0.0.1:8081;": upstream.String(),
		"rate=50r/s":             "rate=100000r/s",
	})
	client := validating(t, articletest.Contract(t))

	// Each search is another one for nginx, which keeps answers, and the same for the index.
	answers := &seen{answers: map[string]string{}}
	const target = "/api/articles?limit=100&q=common"
	ctx, stopLoad := context.WithCancel(t.Context())
	defer stopLoad()
	var load sync.WaitGroup
	for worker := range 3 {
		load.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				resp, body, err := tryAsk(client, http.MethodGet, "http://"+listen, fmt.Sprintf("%s+-absent%dx%d", target, worker, n))
				if err != nil {
					t.Errorf("search %d of client %d: %v", n, worker, err)
					return
				}
				if answers.add(t, "nginx", resp, body) == "" {
					return
				}
			}
		})
	}
	// serves waits until all replicas serve a revision, and compares their answers.
	serves := func(revision string) time.Duration {
		t.Helper()
		return until(t, "all replicas serve "+revision, func() bool {
			for _, r := range replicas {
				if resp, body := askWith(client, "http://"+r.address, target); resp == nil || answers.add(t, r.address, resp, body) != revision {
					return false
				}
			}
			return true
		})
	}

	began := time.Now()
	for n := 1; n <= builds; n++ {
		victim := replicas[n%3] // each in turn, while a build is published
		victim.kill()
		revision := publish(n)
		begin(victim)
		took := serves(revision)
		t.Logf("build %d is served by all after %v", n, took.Round(time.Millisecond))
	}
	t.Logf("%d builds in %v", builds, time.Since(began).Round(time.Millisecond))

	// The site fails: the last good revision stays, is counted by the reason, and is one line.
	old := read(t, filepath.Join(public, article.ManifestPath))
	good := publish(builds + 1)
	serves(good)
	next := builds + 1
	for _, c := range []struct {
		reason, line string
		publish      bool // a build that cannot be fetched
		spoil        func(w http.ResponseWriter, r *http.Request) bool
	}{
		{"status", "the host answered 500", true, func(w http.ResponseWriter, r *http.Request) bool {
			http.Error(w, "sorry", http.StatusInternalServerError)
			return true
		}},
		{"damaged", "it has", true, func(w http.ResponseWriter, r *http.Request) bool {
			data, err := os.ReadFile(filepath.Join(public, r.URL.Path))
			if err == nil && isChunk(r) {
				w.Write(data[:len(data)/2])
			}
			return isChunk(r)
		}},
		{"older", "is older than the one held", false, func(w http.ResponseWriter, r *http.Request) bool {
			if isManifest(r) {
				io.WriteString(w, old)
			}
			return isManifest(r)
		}},
	} {
		failures := fmt.Sprintf(`searchd_reload_failures_total{reason=%q}`, c.reason)
		site.fail(c.spoil)
		revision := good
		if c.publish {
			next++
			revision = publish(next)
		}
		for _, r := range replicas {
			until(t, "a replica notices: "+c.reason, func() bool { return r.metrics()[failures] >= 2 })
			if m := r.metrics(); m["searchd_ready"] != 1 || m["searchd_last_reload_successful"] != 0 || m[fmt.Sprintf("searchd_revision_info{revision=%q}", good)] != 1 {
				t.Errorf("%s: the last good revision is not served: %v", c.reason, m)
			}
			if said := linesWith(r.output.String(), c.line); len(said) != 1 || !strings.Contains(said[0], "hint=") {
				t.Errorf("%s: %d lines in the log:\n%s", c.reason, len(said), strings.Join(said, "\n"))
			}
		}
		if c.reason == "status" { // and a restart needs no site
			replicas[0].kill()
			begin(replicas[0])
		}
		serves(good)
		site.fail(nil)
		t.Logf("%s: served by all %v after the site is well", c.reason, serves(revision).Round(time.Millisecond))
		good = revision
	}

	// A new replica that has only a part is not ready; with the whole it is.
	missing := ""
	site.fail(func(w http.ResponseWriter, r *http.Request) bool {
		site.mu.Lock()
		defer site.mu.Unlock()
		if isChunk(r) && (missing == "" || missing == r.URL.Path) {
			missing = r.URL.Path
			http.NotFound(w, r)
			return true
		}
		return false
	})
	fresh := start(t, "searchd", "serve", "--source", site.URL, "--data", t.TempDir(), "--wait", "--poll", "100ms", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0")
	until(t, "the new replica meets the missing chunk", func() bool { return strings.Contains(fresh.output.String(), "cannot load the source yet") })
	ready := func() bool { return get(client, fresh.says("the operator's side listens")+"/readyz") != "" }
	if ready() || get(&http.Client{Timeout: patience}, fresh.says("searchd listens")+target) != "" {
		t.Error("a replica without a chunk says that it is ready")
	}
	site.fail(nil)
	until(t, "the new replica is ready", ready)
	if resp, body := askWith(client, fresh.says("searchd listens"), target); resp == nil || answers.add(t, "the new replica", resp, body) != good {
		t.Errorf("the new replica does not answer as the others: %.300s", body)
	}
	fresh.stop(syscall.SIGTERM)

	stopLoad()
	load.Wait()
	for revision, answer := range answers.answers {
		var r article.SearchResult
		_, body, _ := strings.Cut(answer, "\n")
		if err := json.Unmarshal([]byte(body), &r); err != nil || r.Total != articles {
			t.Errorf("revision %s: %d articles: %v", revision, r.Total, err)
		}
		for _, hit := range r.Articles {
			if !slices.Contains(digests[revision], hit.Digest) {
				t.Errorf("revision %s is answered with an article of another: %s", revision, hit.ID)
			}
		}
	}
	t.Logf("%d answers of %d revisions, none failed, in %v", answers.total, len(answers.answers), time.Since(started).Round(time.Second))
	site.asked.Range(func(what, count any) bool {
		t.Logf("the site was asked for %v: %d times", what, count.(*atomic.Int64).Load())
		return true
	})

	// And nothing of the contract is lost behind several.
	content = copyContent(t)
	build(t, content, public, "http://"+listen)
	until(t, "all replicas serve the guide", func() bool {
		for _, r := range replicas {
			if !strings.Contains(get(client, "http://"+r.address+"/api/articles?q=replicas"), `"scaling-out"`) {
				return false
			}
		}
		return true
	})
	prove(t, "http://"+listen, public, content)
	for _, r := range replicas {
		r.stop(syscall.SIGTERM)
	}
}

// linesWith are the lines that hold a text.
func linesWith(s, text string) (lines []string) {
	for line := range strings.Lines(s) {
		if strings.Contains(line, text) {
			lines = append(lines, line)
		}
	}
	return lines
}

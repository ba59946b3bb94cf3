package searchd

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// serving runs the daemon over a small site until the end of the test.
func serving(t *testing.T, o ServeOptions) (public, admin string, log *logged, stop func() error) {
	t.Helper()
	log = &logged{}
	o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	o.Listen, o.Admin = "127.0.0.1:0", "127.0.0.1:0"
	if o.Source == "" {
		o.Source = t.TempDir()
		publish(t, o.Source, many(5, "walrus")...)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, o) }()
	address := func(message string) string {
		pattern := regexp.MustCompile(`msg="` + message + `" address=http://(\S+)`)
		found := ""
		until(t, message, func() bool {
			if m := pattern.FindStringSubmatch(log.String()); m != nil {
				found = m[1]
			}
			return found != ""
		})
		return found
	}
	public, admin = address("searchd listens"), address("the operator's side listens")
	until(t, "it is ready", func() bool {
		resp, err := http.Get("http://" + admin + "/readyz")
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	stopped := false
	stop = func() error {
		cancel()
		stopped = true
		return <-done
	}
	t.Cleanup(func() {
		if !stopped {
			if err := stop(); err != nil {
				t.Error(err)
			}
		}
	})
	return public, admin, log, stop
}

// send writes raw bytes to the daemon and returns what comes back until it hangs up.
func send(t *testing.T, address, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, request)
	answer, _ := io.ReadAll(conn) // it may be reset
	return string(answer)
}

// Whatever a caller sends, nothing of it is written: not to the log, not into a
// metric, not on disk.
func TestNothingOfACallerIsWritten(t *testing.T) {
	data := t.TempDir()
	public, admin, log, stop := serving(t, ServeOptions{Options: Options{Data: data}})
	const canary = "kanarienvogel"
	for _, request := range []string{
		"GET /api/articles?q=%s HTTP/1.1\r\nHost: x\r\nUser-Agent: %s\r\nCookie: %s\r\nX-Forwarded-For: %s\r\nConnection: close\r\n\r\n",
		"GET /api/articles?q=%s&q=%s&limit=%s HTTP/1.1\r\nHost: x\r\nX: %s\r\nConnection: close\r\n\r\n",
		"GET /%s?%s HTTP/1.1\r\nHost: %s\r\nX: %s\r\nConnection: close\r\n\r\n",
		"GET /api/articles?a;b=%s%s%s%s HTTP/1.0\r\n\r\n",
		"%s %s %s %s\r\n\r\n",
		"GET /%%zz%s HTTP/1.1\r\nHost: %s\r\n%s\r\n%s\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a b %s\r\n%s: %s\r\n%s\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: %s%s%s%s" + strings.Repeat("x", 2*maxHeaderBytes) + "\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: %s%s%s%s\r\n\r\n",
		"\x16\x03\x01 %s%s%s%s\r\n\r\n",
	} {
		send(t, public, fmt.Sprintf(request, canary, canary, canary, canary))
	}
	resp, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || strings.Contains(string(metrics), canary) {
		t.Errorf("the metrics: %v\n%s", err, metrics)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if strings.Contains(log.String(), canary) {
		t.Errorf("the log:\n%s", log)
	}
	err = filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), canary) {
			t.Errorf("%s has it", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Requests that no handler sees end with an answer or a hang-up, and the daemon lives.
func TestHostileRequests(t *testing.T) {
	public, _, _, _ := serving(t, ServeOptions{})
	for request, want := range map[string]string{
		"GET /" + strings.Repeat("a", 3*maxHeaderBytes) + " HTTP/1.1\r\nHost: x\r\n\r\n":        "431",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 3*maxHeaderBytes) + "\r\n\r\n": "431",
		"GET / HTTP/1.1\r\n\r\n": "400",
		"nonsense\r\n\r\n":       "400",
		"GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello":            "200",
		"GET /api/articles?q=" + strings.Repeat("%F0%9F%98%80", 512) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n": "200",
		"GET http://elsewhere.example/api/articles?q=walrus HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":              "200",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\n\r\nGET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":       "200", // and 404, in this order
		"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                         "404",
	} {
		answer := send(t, public, request)
		status, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(answer, "HTTP/1.1 "), "HTTP/1.0 "), " ")
		if status != want {
			t.Errorf("%.60q: %.200q, want %s", request, answer, want)
		}
	}
	client := &http.Client{Transport: articletest.Contract(t).Transport(http.DefaultTransport)}
	resp, err := client.Get("http://" + public + "/api/articles?q=number0004")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || ids(t, body) != "a4" {
		t.Errorf("afterwards: %s %v", body, err)
	}
}

// A client that began a request before the daemon was told to stop gets its answer; one
// that never ends its request does not keep the daemon.
func TestDrain(t *testing.T) {
	public, _, log, stop := serving(t, ServeOptions{Drain: 300 * time.Millisecond})
	dial := func() net.Conn {
		conn, err := net.Dial("tcp", public)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, "GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\n")
		return conn
	}
	finishes := dial()
	dial() // and never ends its request
	// Both are accepted when a later one is answered.
	if resp, err := http.Get("http://" + public + "/api/articles"); err != nil {
		t.Fatal(err)
	} else {
		resp.Body.Close()
	}
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	until(t, "no new connection is accepted", func() bool {
		conn, err := net.Dial("tcp", public)
		if err == nil {
			conn.Close()
		}
		return err != nil
	})
	io.WriteString(finishes, "\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(finishes), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || !strings.Contains(string(body), `"count":5`) {
		t.Errorf("the request in flight: %s %s %v", resp.Status, body, err)
	}
	if err := <-stopped; err == nil || !strings.Contains(err.Error(), "1 requests were still in flight after 300ms") {
		t.Errorf("stopped with %v", err)
	}
	if log.count("msg=drained") != 0 {
		t.Errorf("it claims to have drained:\n%s", log)
	}
}

func TestDocumentationListsEveryMetric(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	m := newMetrics()
	m.answered(200, time.Millisecond)
	m.serving("r", 1)
	m.reloads.WithLabelValues("update").Inc()
	m.refused.WithLabelValues(string(unsigned)).Inc()
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, name := range regexp.MustCompile(`(?m)^//\t(searchd_[a-z_]+)`).FindAllStringSubmatch(string(doc), -1) {
		listed[name[1]] = true
	}
	for _, f := range families {
		if name := f.GetName(); strings.HasPrefix(name, "searchd_") && !listed[name] {
			t.Errorf("the package comment does not list %s", name)
		} else {
			delete(listed, name)
		}
	}
	for name := range listed {
		t.Errorf("the package comment lists %s, which does not exist", name)
	}
}

package searchd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"newsstand/builder/article/articletest"
	"newsstand/builder/hinted"
	"newsstand/searchd/index"
)

// serving runs the daemon over a small site until the end of the test, and waits until it is ready.
func serving(t *testing.T, o ServeOptions) (public, admin string, log *logged, stop func() error) {
	t.Helper()
	o.TimeLimit = time.Minute // the machine may be busy
	if o.Source == "" {
		o.Source = t.TempDir()
		publish(t, o.Source, many(5, "walrus")...)
	}
	public, admin, log, stop = listening(t, o)
	until(t, "it is ready", func() bool {
		resp, _ := get(t, "http://"+admin+"/readyz")
		return resp.StatusCode == http.StatusOK
	})
	return public, admin, log, stop
}

// listening runs the daemon until the end of the test.
func listening(t *testing.T, o ServeOptions) (public, admin string, log *logged, stop func() error) {
	t.Helper()
	log = &logged{}
	o.Level = new(slog.LevelVar)
	o.Level.Set(slog.LevelDebug)
	o.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: o.Level}))
	o.Listen, o.Admin = "127.0.0.1:0", "127.0.0.1:0"
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, o) }()
	address := func(message string) string {
		pattern := regexp.MustCompile(`msg="` + message + `" address=(?:http://)?(\S+)`)
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

// get asks the daemon.
func get(t testing.TB, url string) (resp *http.Response, body string) {
	t.Helper()
	resp, err := http.Get(url)
	must(t, err)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	must(t, err)
	return resp, string(b)
}

// send writes raw bytes to the daemon and returns what comes back until it hangs up.
func send(t *testing.T, address, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, request)
	answer, _ := io.ReadAll(conn) // it may be reset
	return string(answer)
}

// The log names a socket with a path as the configurations of web servers do.
func TestAddressOfASocketWithAPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "searchd.sock")
	socket, err := net.Listen("unix", path)
	must(t, err)
	if public, _, _, _ := serving(t, ServeOptions{Socket: socket}); public != "unix:"+path {
		t.Errorf("searchd listens at %s, want unix:%s", public, path)
	}
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
	if _, metrics := get(t, "http://"+admin+"/metrics"); strings.Contains(metrics, canary) {
		t.Errorf("the metrics:\n%s", metrics)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if strings.Contains(log.String(), canary) {
		t.Errorf("the log:\n%s", log)
	}
	err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
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
		"GET /api%2Farticles?q=walrus HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n":                                    "404",
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
	must(t, err)
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || ids(t, body) != "a4" {
		t.Errorf("afterwards: %s %v", body, err)
	}
}

// Where there are too many connections, the longest idle one makes room for the next, and one
// in use does not.
func TestConnectionsAreBounded(t *testing.T) {
	const most = 8
	public, admin, _, _ := serving(t, ServeOptions{Connections: most})
	ask := func(conn net.Conn, answers *bufio.Reader) error {
		io.WriteString(conn, "GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\n\r\n")
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp.Status, err)
		}
		return nil
	}
	var conns []net.Conn
	var answers []*bufio.Reader
	refused := 0
	until(t, "many connections are answered", func() bool {
		conn, err := net.Dial("tcp", public)
		must(t, err)
		t.Cleanup(func() { conn.Close() })
		conn.SetDeadline(time.Now().Add(10 * time.Second))
		answer := bufio.NewReader(conn)
		if err := ask(conn, answer); err != nil {
			refused++ // all others seem to be in use, though their answers have come
			return false
		}
		conns, answers = append(conns, conn), append(answers, answer)
		return len(conns) == 3*most
	})
	// A connection is idle a moment after its answer has come, so that which are the longest
	// idle is not known here; but the last one is not.
	closed := make(chan int, len(conns))
	var reading sync.WaitGroup
	for i := range conns {
		reading.Go(func() {
			if _, err := answers[i].ReadByte(); err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
				closed <- i
			}
		})
	}
	go func() {
		reading.Wait()
		close(closed)
	}()
	gone := map[int]bool{}
	for i := range closed {
		if gone[i] = true; len(gone) == 2*most {
			for _, conn := range conns {
				conn.SetReadDeadline(time.Now())
			}
		}
	}
	if len(gone) != 2*most || gone[len(conns)-1] {
		t.Fatalf("%d connections are closed, want %d; the last one: %t", len(gone), 2*most, gone[len(conns)-1])
	}
	for i, conn := range conns {
		if !gone[i] {
			conn.SetDeadline(time.Now().Add(10 * time.Second))
			must(t, ask(conn, answers[i]))
		}
	}
	if dropped := scrape(t, admin)["searchd_connections_dropped_total"]; dropped != float64(2*most+refused) {
		t.Errorf("%v are counted as dropped, want %d", dropped, 2*most+refused)
	}
}

// Who opens connections and says nothing, or says no more than half of a head, keeps nobody out.
func TestSilentConnectionsMakeRoom(t *testing.T) {
	const most = 10
	public, _, _, _ := serving(t, ServeOptions{Connections: most})
	for i := range 5 * most {
		conn, err := net.Dial("tcp", public)
		must(t, err)
		t.Cleanup(func() { conn.Close() })
		if i%2 == 0 {
			io.WriteString(conn, "GET /api/articles?q=walrus HTTP/1.1\r\nHo")
		}
	}
	for range most {
		if answer := send(t, public, "GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 200 OK\r\n") {
			t.Fatalf("%q", answer)
		}
	}
}

// Where all are in use, only the one that comes is closed, whatever the others do before that is
// noted.
func TestConnectionsInUseStay(t *testing.T) {
	c := newConnections(2, newMetrics(none, none).dropped)
	conns := make([]net.Conn, 4)
	for i := range conns {
		conns[i], _ = net.Pipe()
		c.note(conns[i], http.StateNew)
		if i < 2 {
			c.note(conns[i], http.StateActive)
		}
	}
	c.note(conns[2], http.StateClosed)
	c.note(conns[0], http.StateClosed)
	conns[0].Close()
	another, _ := net.Pipe() // there is a place again, though the fourth is not noted yet
	c.note(another, http.StateNew)
	for i, conn := range append(conns, another) {
		want := i == 0 || i == 2 || i == 3
		if closed := errors.Is(conn.SetDeadline(time.Time{}), io.ErrClosedPipe); closed != want {
			t.Errorf("connection %d is closed: %t, want %t", i, closed, want)
		}
	}
}

// A body is not waited for, nor is what comes in it a request.
func TestBodiesAreNotRead(t *testing.T) {
	public, _, _, _ := serving(t, ServeOptions{})
	for _, request := range []string{
		"GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
		"GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
		"GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /api/articles HTTP/1.1\r\nHost: x\r\n\r\n",
	} {
		began := time.Now()
		answer := send(t, public, request)
		if strings.Count(answer, "HTTP/1.1") != 1 || !strings.Contains(answer, `"count":5`) || !strings.HasSuffix(answer, "}\n") {
			t.Errorf("%q: %q", request, answer)
		}
		if took := time.Since(began); took > readTimeout/2 {
			t.Errorf("%q: it took %v", request, took)
		}
	}
}

// A client that sends no more after its request cannot be told from one that left, and gets no
// answer: an empty 200 would be taken for one, and kept by caches.
func TestWhoSendsNoMoreIsHungUpOn(t *testing.T) {
	h, _, m := unhappy(Options{}, func(ctx context.Context, _ index.Query) (index.Answer, error) {
		<-ctx.Done()
		return index.Answer{}, ctx.Err()
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	said := &logged{}
	server := newPublicServer(hangUp(h), time.Second, newErrorLog(slog.New(slog.NewTextHandler(said, nil)), m.acceptFailures))
	go server.Serve(newWholeListener(listener))
	defer server.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	must(t, err)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, "GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\n\r\n")
	conn.(*net.TCPConn).CloseWrite()
	answer, err := io.ReadAll(conn)
	if len(answer) > 0 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q, %v", answer, err)
	}
	if value(t, m.requests.WithLabelValues("499")) != 1 || said.String() != "" {
		t.Errorf("not counted as gone, or the log says %q", said)
	}
}

// The bounds of a connection do not cut off a search that --time-limit allows.
func TestALongTimeLimitHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = time.Minute
		h, _, _ := unhappy(Options{TimeLimit: limit}, func(ctx context.Context, _ index.Query) (index.Answer, error) {
			select {
			case <-ctx.Done():
				return index.Answer{}, ctx.Err()
			case <-time.After(limit - time.Second):
				return index.Answer{Body: []byte("{}\n")}, nil
			}
		})
		server := newPublicServer(h, limit, log.New(io.Discard, "", 0))
		client, conn := net.Pipe()
		l := make(one, 1)
		l <- conn
		go server.Serve(newWholeListener(l))
		io.WriteString(client, "GET /api/articles?q=a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		answer, err := io.ReadAll(client)
		if !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") || !strings.HasSuffix(string(answer), "{}\n") || err != nil {
			t.Errorf("%q, %v", answer, err)
		}
		close(l)
		server.Close()
	})
}

// beginning sends the beginning of a request, which is in flight when it returns.
func beginning(t *testing.T, public string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", public)
	must(t, err)
	t.Cleanup(func() { conn.Close() })
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	io.WriteString(conn, "GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\n")
	get(t, "http://"+public+"/api/articles") // it is accepted when a later one is answered
	return conn
}

// closingListener is closed, but Close does not return until the test lets it.
type closingListener struct {
	net.Listener
	once         sync.Once
	closed, goOn chan struct{}
}

func (l *closingListener) Close() error {
	err := l.Listener.Close()
	l.once.Do(func() {
		close(l.closed)
		<-l.goOn
	})
	return err
}

// A client that began a request before the daemon was told to stop gets its answer, which promises
// no other from the moment on in which new connections are refused.
func TestDrain(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	socket := &closingListener{Listener: listener, closed: make(chan struct{}), goOn: make(chan struct{})}
	public, _, log, stop := serving(t, ServeOptions{Socket: socket})
	conn := beginning(t, public)
	stopped := make(chan error, 1)
	go func() { stopped <- stop() }()
	<-socket.closed
	io.WriteString(conn, "\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	close(socket.goOn)
	must(t, err)
	defer resp.Body.Close()
	if body, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || !resp.Close || !strings.Contains(string(body), `"count":5`) {
		t.Errorf("the request in flight: %s %s %v; no other is to follow: %t", resp.Status, body, err, resp.Close)
	}
	if err := <-stopped; err != nil || log.count("msg=drained") != 1 {
		t.Errorf("stopped with %v, and says\n%s", err, log)
	}
}

// One that never ends its request does not keep the daemon.
func TestDrainEnds(t *testing.T) {
	public, _, log, stop := serving(t, ServeOptions{Drain: 50 * time.Millisecond})
	beginning(t, public)
	if err := stop(); err == nil || !strings.Contains(err.Error(), "1 requests were still in flight after 50ms") || !strings.Contains(hinted.Hint(err), "--drain") {
		t.Errorf("stopped with %v; hint: %s", err, hinted.Hint(err))
	}
	if log.count("msg=drained") != 0 {
		t.Errorf("it claims to have drained:\n%s", log)
	}
}

// One that is told to end while it starts ends as any other: supervisors and people wait for its
// last line.
func TestDrainAtTheStart(t *testing.T) {
	public, data, l, _ := loaded(t, 5)
	must(t, l.Close())
	log := &logged{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Serve(ctx, ServeOptions{Options: Options{Source: public, Data: data, Log: slog.New(slog.NewTextHandler(log, nil))}, Listen: "127.0.0.1:0"})
	if err != nil || log.count("msg=drained") != 1 {
		t.Errorf("stopped with %v, and the log is %q", err, log)
	}
}

// scrape is what Prometheus gets from the operator's side: the value of every series.
func scrape(t *testing.T, admin string) map[string]float64 {
	t.Helper()
	_, text := get(t, "http://"+admin+"/metrics")
	series := map[string]float64{}
	for line := range strings.SplitSeq(text, "\n") {
		if name, value, ok := strings.Cut(line, " "); ok && name != "#" {
			var err error
			series[name], err = strconv.ParseFloat(value, 64)
			must(t, err)
		}
	}
	return series
}

func TestDocumentationListsEveryMetric(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	must(t, err)
	_, admin, _, _ := serving(t, ServeOptions{})
	listed := map[string]bool{}
	for _, name := range regexp.MustCompile(`(?m)^//\t(searchd_[a-z_]+)`).FindAllStringSubmatch(string(doc), -1) {
		listed[name[1]] = true
	}
	seen := map[string]bool{}
	for series := range scrape(t, admin) {
		name, _, _ := strings.Cut(series, "{")
		name = family(name)
		if seen[name] = true; strings.HasPrefix(name, "searchd_") && !listed[name] {
			t.Errorf("the package comment does not list %s", name)
		}
	}
	for name := range listed {
		if !seen[name] {
			t.Errorf("the package comment lists %s, which does not exist", name)
		}
	}
}

// What an operator looks at follows what happens: the first load, requests, an update.
func TestMetricsFollowEvents(t *testing.T) {
	source := t.TempDir()
	publish(t, source, many(5, "walrus")...)
	public, admin, _, _ := serving(t, ServeOptions{Options: Options{Source: source, Poll: 10 * time.Millisecond}})
	var before map[string]float64
	until(t, "the first load is counted", func() bool { // it serves a moment before
		before = scrape(t, admin)
		return before["searchd_last_reload_successful"] == 1
	})
	for _, target := range []string{"/api/articles?q=walrus", "/api/articles?q=nothingofthekind", "/api/articles?q=%20", "/api/articles?limit=x", "/elsewhere"} {
		get(t, "http://"+public+target)
	}
	publish(t, source, many(6, "walrus")...)
	until(t, "the update is taken up", func() bool {
		return scrape(t, admin)[`searchd_reloads_total{kind="update"}`] == 1
	})
	after := scrape(t, admin) // the one before may have read other metrics before the update
	for series, want := range map[string][2]float64{
		"searchd_ready":                                {1, 1},
		"searchd_articles":                             {5, 6},
		`searchd_requests_total{status="200"}`:         {0, 3},
		`searchd_requests_total{status="400"}`:         {0, 1},
		`searchd_requests_total{status="404"}`:         {0, 1},
		`searchd_requests_total{status="503"}`:         {0, 0},
		"searchd_request_seconds_count":                {0, 5},
		"searchd_queue_seconds_count":                  {0, 3},
		"searchd_zero_results_total":                   {0, 1},
		"searchd_shed_total":                           {0, 0},
		"searchd_timed_out_total":                      {0, 0},
		"searchd_last_reload_successful":               {1, 1},
		`searchd_reloads_total{kind="rebuild"}`:        {1, 1},
		`searchd_reload_seconds_count{kind="rebuild"}`: {1, 1},
		`searchd_reload_seconds_count{kind="update"}`:  {0, 1},
	} {
		got, ok := before[series]
		if now := after[series]; !ok || got != want[0] || now != want[1] {
			t.Errorf("%s was %v and became %v, want %v (there: %v)", series, got, now, want, ok)
		}
	}
	if before["searchd_index_bytes"] <= 0 {
		t.Errorf("the index has %v bytes", before["searchd_index_bytes"])
	}
	const since = "searchd_revision_timestamp_seconds"
	if before[since] <= 0 || after[since] <= before[since] {
		t.Errorf("the revision is served since %v, then since %v", before[since], after[since])
	}
}

func TestLogLevelChangesWhileItRuns(t *testing.T) {
	public, admin, log, _ := serving(t, ServeOptions{})
	ask := func(method, body string, header ...string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+admin+"/log-level", strings.NewReader(body))
		must(t, err)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		resp, err := http.DefaultClient.Do(r)
		must(t, err)
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		must(t, err)
		return fmt.Sprint(resp.StatusCode, " ", strings.TrimSpace(string(text)))
	}
	for _, step := range []struct{ method, body, want string }{
		{"GET", "", "200 debug"},
		{"PUT", "warn\n", "200 warn"},
		{"GET", "", "200 warn"},
		{"PUT", "loud", "400 send debug, info, warn or error"},
		{"PUT", strings.Repeat("x", 100), "400 send debug, info, warn or error"},
		{"PUT", "error+100", "400 send debug, info, warn or error"}, // a level of slog that silences all
		{"POST", "info", "405 Method Not Allowed"},
		{"GET", "", "200 warn"},
	} {
		if got := ask(step.method, step.body); got != step.want {
			t.Errorf("%s %.10q: %s, want %s", step.method, step.body, got, step.want)
		}
	}
	// A page of another site, and one whose name was made to mean this machine: to a browser that
	// is the same site.
	for _, site := range []string{"cross-site", "same-origin"} {
		if got := ask("PUT", "debug", "Sec-Fetch-Site", site, "Origin", "http://"+admin); !strings.HasPrefix(got, "403 ") {
			t.Errorf("a browser, %s: %s", site, got)
		}
	}
	if n := log.count(`msg="the log level is changed" from=DEBUG to=WARN`); n != 1 {
		t.Errorf("the change is logged %d times:\n%s", n, log)
	}
	quiet := log.String()
	get(t, "http://"+public+"/api/articles?limit=x") // which is refused: its line, if there is one, may come after the answer and the next change of level
	if log.String() != quiet {
		t.Errorf("at warn it logged:\n%s", strings.TrimPrefix(log.String(), quiet))
	}
	ask("PUT", "debug")
	get(t, "http://"+public+"/api/articles?q=walrus")
	until(t, "the answer is logged", func() bool { return log.count("msg=answered status=200 took=") == 1 })
	if n := log.count(`msg="the log level is changed" from=WARN to=DEBUG`); n != 1 {
		t.Errorf("the change back is logged %d times:\n%s", n, log)
	}
}

// Whatever bytes come over a connection, what goes back is answers of the contract's statuses, or
// net/http's for what is no request, and nothing panics.
func FuzzConnection(f *testing.F) {
	h, _ := servedSite(f, 12)
	said := &logged{}
	server := newPublicServer(h, 0, log.New(said, "", 0))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.Fatal(err)
	}
	go server.Serve(listener)
	f.Cleanup(func() { server.Close() })
	for _, request := range []string{
		"GET /api/articles?q=walrus HTTP/1.1\r\nHost: x\r\n\r\n",
		"HEAD /api/articles?q=%22walrus HTTP/1.0\r\n\r\nGET / HTTP/1.1\r\nHost: [::1]\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /x HTTP/1.1\r\nHost: x\r\n\r\n",
		"POST /api%2farticles HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	} {
		f.Add([]byte(request))
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Skip(err) // no port is free: the fuzzer is quicker than the system
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(2 * writeTimeout))
		conn.Write(request)
		conn.(*net.TCPConn).CloseWrite()
		all, err := io.ReadAll(conn)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%q: no end", request)
		}
		for answer := range strings.SplitSeq(string(all), "HTTP/1.") {
			if answer == "" || len(answer) < 5 || answer[1] != ' ' {
				continue // nothing, or in a body
			}
			switch answer[2:5] {
			case "100", "200", "204", "304", "400", "404", "405", "408", "413", "417", "431", "501", "505":
			default:
				t.Errorf("%q: %q", request, answer)
			}
		}
		if strings.Contains(said.String(), "panic") {
			t.Errorf("%q:\n%s", request, said)
		}
	})
}

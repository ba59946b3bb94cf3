package searchd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/searchd/index"
)

// ask sends one request to h and judges the answer by the contract.
func ask(t testing.TB, h http.Handler, method, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, "http://site.example/", nil)
	u, err := url.ParseRequestURI(target)
	must(t, err)
	r.URL, r.RequestURI = u, target
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	articletest.Contract(t).Handler(t, h).ServeHTTP(rec, r)
	return rec
}

// servedSite is the real handler over a real index of a real publication of so many articles.
func servedSite(t testing.TB, articles int) (http.Handler, *Live) {
	t.Helper()
	_, _, l, _ := loaded(t, articles)
	return NewHandler(l), l
}

func TestContract(t *testing.T) {
	h, l := servedSite(t, 12)
	for _, c := range []struct {
		request string // method and target
		status  int
		body    string // that the body has; of a problem: its kind
	}{
		{"GET /api/articles?q=common", 200, `{"count":10,"total":12,"limit":10,"revision":"` + l.Status().Revision + `",`},
		{"GET /api/articles?q=common&limit=3", 200, `{"count":3,"total":12,"limit":3,`},
		{"GET /api/articles?q=common&limit=1000", 200, `{"count":12,"total":12,"limit":100,`},
		{"GET /api/articles?q=number0003", 200, `"id":"a3"`},
		{"GET /api/articles", 200, `"articles":[]`},
		{"GET /api/articles?q=", 200, `{"count":0,"total":0,"limit":10,`},
		{"GET /api/articles?q=%20&limit=", 200, `"articles":[]`},
		{"GET /api/articles?q=%3F%3F%3F", 200, `"articles":[]`},
		{"GET /api/articles?q=zzzzqqqqxxxx", 200, `"articles":[]`},
		{"GET /api/articles?q=common&limit=1&utm_source=%zz", 200, `{"count":1,`},
		{"GET /api/articles?q=common&limit=5&offset=10", 200, `{"count":2,"total":12,"limit":5,`},
		{"GET /api/articles?q=common&offset=12", 200, `{"count":0,"total":12,"limit":10,`},
		{"GET /api/articles?q=common&offset=1000&limit=100", 200, `"articles":[]`},
		{"GET /api/articles?q=common&offset=&tag=&language=", 200, `{"count":10,"total":12,`},
		{"GET /api/articles?q=common&language=fr&language=EN", 200, `{"count":10,"total":12,`},
		{"GET /api/articles?q=common&language=fr", 200, `{"count":0,"total":0,`},
		{"GET /api/articles?q=common&tag=none", 200, `"articles":[]`},
		{"GET /api/articles?language=en", 200, `"articles":[]`}, // a filter is no search
		{"HEAD /api/articles?q=common", 200, ""},
		{"OPTIONS /api/articles", 204, ""},
		{"OPTIONS /api/anything", 204, ""},
		{"GET /api/articles?q=a&q=b", 400, "invalid-query"},
		{"GET /api/articles?q=%ff", 400, "invalid-query"},
		{"GET /api/articles?q=%zz", 400, "invalid-query"},
		{"GET /api/articles?q=a;b", 400, "invalid-query"},
		{"GET /api/articles?q=%00", 400, "invalid-query"},
		{"GET /api/articles?q=" + strings.Repeat("a", 513), 400, "invalid-query"},
		{"GET /api/articles?limit=abc", 400, "invalid-limit"},
		{"GET /api/articles?limit=0", 400, "invalid-limit"},
		{"GET /api/articles?limit=1&limit=2", 400, "invalid-limit"},
		{"GET /api/articles?offset=1001", 400, "invalid-offset"},
		{"GET /api/articles?offset=1&offset=2", 400, "invalid-offset"},
		{"GET /api/articles?tag=%ff", 400, "invalid-tag"},
		{"GET /api/articles?language=en_GB", 400, "invalid-language"},
		{"HEAD /api/articles?limit=x", 400, ""},
		{"POST /api/articles?q=a", 405, "method-not-allowed"},
		{"DELETE /api/articles", 405, "method-not-allowed"},
		{"PUT /api/articles", 405, "method-not-allowed"},
		{"QUERY /api/articles", 405, "method-not-allowed"},
		{"GET /api/articles/", 404, "not-found"},
		{"GET /api/articles/a1", 404, "not-found"},
		{"GET //api/articles", 404, "not-found"},
		{"GET /api/./articles", 404, "not-found"},
		{"GET /api/%61rticles?q=number0003", 200, `"id":"a3"`}, // the same address (RFC 3986, 6.2.2.2)
		{"GET /API/articles", 404, "not-found"},
		{"GET /api/", 404, "not-found"},
		{"GET /", 404, "not-found"},
		{"POST /api/nothing", 404, "not-found"},
	} {
		method, target, _ := strings.Cut(c.request, " ")
		got := ask(t, h, method, target)
		want := c.body
		if c.status >= 400 && want != "" {
			want = `"type":"https://site.example/problems/` + want + `"`
		}
		if got.Code != c.status || !strings.Contains(got.Body.String(), want) {
			t.Errorf("%s: %d %s; want %d with %s", c.request, got.Code, got.Body, c.status, want)
		}
	}
}

func TestHeadersOfSuccess(t *testing.T) {
	h, _ := servedSite(t, 3)
	got := ask(t, h, "GET", "/api/articles?q=walrus")
	for name, want := range map[string]string{
		"Content-Type":                "application/json",
		"Content-Length":              fmt.Sprint(got.Body.Len()),
		"Access-Control-Allow-Origin": "*",
		"X-Content-Type-Options":      "nosniff",
		"Link":                        `</openapi.json>; rel="service-desc"`,
		"ETag":                        article.ETag(got.Body.Bytes()),
		"Cache-Control":               "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400",
		"Netlify-CDN-Cache-Control":   "public, max-age=300, stale-while-revalidate=3600",
		"Netlify-Vary":                "query=q|limit|offset|tag|language",
		"Netlify-Cache-Tag":           "search",
		"No-Vary-Search":              `key-order, params, except=("q" "limit" "offset" "tag" "language")`,
		"Vary":                        "",
	} {
		if got := got.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if timing := got.Header().Get("Server-Timing"); !strings.HasPrefix(timing, "queue;dur=") || !strings.Contains(timing, ", search;dur=") {
		t.Errorf("Server-Timing: %q", timing)
	}
	head := ask(t, h, "HEAD", "/api/articles?q=walrus")
	for name := range got.Header() {
		if name != "Server-Timing" && head.Header().Get(name) != got.Header().Get(name) {
			t.Errorf("%s: HEAD has %q, GET %q", name, head.Header().Get(name), got.Header().Get(name))
		}
	}
}

// An error that a cache keeps as long as a success is an outage that lasts.
func TestErrorsHaveNoHeadersOfSuccess(t *testing.T) {
	h, l := servedSite(t, 3)
	l.Close()
	for target, cache := range map[string]string{
		"/api/articles?limit=x": "public, max-age=60",
		"/api/nothing":          "public, max-age=60",
		"/api/articles?q=a":     "no-store", // closed: 503
	} {
		got := ask(t, h, "GET", target, "If-None-Match", "*")
		if got.Header().Get("Cache-Control") != cache {
			t.Errorf("%s: Cache-Control %q, want %q", target, got.Header().Get("Cache-Control"), cache)
		}
		for _, name := range []string{"ETag", "Netlify-CDN-Cache-Control", "Netlify-Cache-Tag", "Netlify-Vary", "No-Vary-Search", "Server-Timing"} {
			if v := got.Header().Get(name); v != "" {
				t.Errorf("%s: %s: %q", target, name, v)
			}
		}
	}
}

func TestConditionalRequest(t *testing.T) {
	h, l := servedSite(t, 3)
	const target = "/api/articles?q=walrus"
	fresh := ask(t, h, "GET", target)
	tag := fresh.Header().Get("ETag")
	for header, want := range map[string]int{tag: 304, "W/" + tag: 304, `"other", ` + tag: 304, "*": 304, `"other"`: 200, "": 200} {
		for _, method := range []string{"GET", "HEAD"} {
			got := ask(t, h, method, target, "If-None-Match", header)
			if got.Code != want {
				t.Errorf("%s with If-None-Match %s: %d, want %d", method, header, got.Code, want)
			}
			if got.Code != 304 {
				continue
			}
			for _, name := range []string{"ETag", "Cache-Control", "Netlify-CDN-Cache-Control", "Netlify-Vary", "No-Vary-Search", "Link"} {
				if got.Header().Get(name) != fresh.Header().Get(name) {
					t.Errorf("304: %s: %q, want %q", name, got.Header().Get(name), fresh.Header().Get(name))
				}
			}
			if got.Header().Get("Content-Length") != "" || got.Header().Get("Content-Type") != "" || got.Body.Len() > 0 {
				t.Errorf("304 describes a body: %v", got.Header())
			}
		}
	}
	if got := ask(t, h, "GET", target, "If-None-Match", `"x"`, "If-None-Match", tag); got.Code != 304 {
		t.Errorf("two If-None-Match headers: %d, want 304", got.Code)
	}
	// Another revision is another tag.
	publish(t, l.options.Source, many(4, "walrus")...)
	load(t, l)
	if got := ask(t, h, "GET", target, "If-None-Match", tag); got.Code != 200 || got.Header().Get("ETag") == tag {
		t.Errorf("after a new build: %d with %s", got.Code, got.Header().Get("ETag"))
	}
}

// searchFunc is a searcher that behaves badly on purpose.
type searchFunc func(ctx context.Context, q index.Query) (index.Answer, error)

func (f searchFunc) search(ctx context.Context, q index.Query) (index.Answer, error) {
	return f(ctx, q)
}
func (f searchFunc) started(context.Context) error { return nil }
func (f searchFunc) Status() Status                { return Status{BaseURL: "https://site.example"} }

// none is what is counted where nothing is.
func none() int64 { return 0 }

// unhappy is the handler over a searcher that behaves badly, and its log and counts.
func unhappy(o Options, f searchFunc) (*handler, *logged, *metrics) {
	log, m := &logged{}, newMetrics(none, none)
	o.Log = slog.New(slog.NewTextHandler(log, nil))
	return newHandler(f, m, o), log, m
}

// value is what a counter or gauge stands at.
func value(t *testing.T, m prometheus.Metric) float64 {
	t.Helper()
	var d dto.Metric
	must(t, m.Write(&d))
	return d.GetCounter().GetValue() + d.GetGauge().GetValue() // it is one of the two
}

func TestSlowSearchIs503(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, log, m := unhappy(Options{}, func(ctx context.Context, _ index.Query) (index.Answer, error) {
			<-ctx.Done()
			return index.Answer{}, fmt.Errorf("search: %w", ctx.Err())
		})
		began := time.Now()
		got := ask(t, h, "GET", "/api/articles?q=a")
		if took := time.Since(began); took != 500*time.Millisecond {
			t.Errorf("given up after %v, want 500 ms", took)
		}
		if got.Code != 503 || got.Header().Get("Retry-After") == "" || !strings.Contains(got.Body.String(), "took longer than 500ms") {
			t.Errorf("got %d %s", got.Code, got.Body)
		}
		if n := value(t, m.timedOut); n != 1 || log.String() != "" {
			t.Errorf("%v counted, log %q", n, log)
		}
	})
}

// A search that comes back too late is not an answer, though it were right.
func TestLateAnswerIs503(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, _, _ := unhappy(Options{}, func(context.Context, index.Query) (index.Answer, error) {
			time.Sleep(time.Second)
			return index.Answer{Body: []byte("{}\n")}, nil
		})
		if got := ask(t, h, "GET", "/api/articles?q=a"); got.Code != 503 {
			t.Errorf("got %d, want 503", got.Code)
		}
	})
}

// With one search at a time and one waiting, the third is told at once; the
// second gets its turn or runs out of time.
func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, log, m := unhappy(Options{Concurrency: 1, Queue: 1}, func(ctx context.Context, q index.Query) (index.Answer, error) {
			took := 300 * time.Millisecond
			if q.Text == "slow" {
				took = time.Hour
			}
			select {
			case <-ctx.Done():
				return index.Answer{}, ctx.Err()
			case <-time.After(took):
				body, err := article.Encode(article.SearchResult{Limit: 10, Revision: "r", Articles: []article.Hit{}})
				return index.Answer{Body: body}, err
			}
		})
		type outcome struct {
			status int
			after  time.Duration
		}
		round := func(queries ...string) []outcome {
			outcomes := make([]outcome, len(queries))
			began := time.Now()
			for i, q := range queries {
				go func() {
					got := ask(t, h, "GET", "/api/articles?q="+q)
					outcomes[i] = outcome{got.Code, time.Since(began)}
				}()
				synctest.Wait() // each has come in before the next
			}
			time.Sleep(time.Minute)
			synctest.Wait()
			return outcomes
		}
		if got, want := fmt.Sprint(round("a", "b", "c")), fmt.Sprint([]outcome{{200, 300 * time.Millisecond}, {503, 500 * time.Millisecond}, {503, 0}}); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got, want := fmt.Sprint(round("slow", "b")), fmt.Sprint([]outcome{{503, 500 * time.Millisecond}, {503, 500 * time.Millisecond}}); got != want {
			t.Errorf("behind a slow search: got %s, want %s", got, want)
		}
		if got := round("a"); got[0].status != 200 {
			t.Errorf("afterwards: got %v, want 200", got)
		}
		if shed, running, waiting := value(t, m.shed), value(t, m.running), value(t, m.waiting); shed != 1 || running != 0 || waiting != 0 {
			t.Errorf("shed %v, running %v, waiting %v; want 1, 0, 0", shed, running, waiting)
		}
		if log.String() != "" {
			t.Errorf("overload is counted, not logged:\n%s", log)
		}
	})
}

func TestPanicIsAProblemAndALine(t *testing.T) {
	for name, do := range map[string]func(){
		"of the runtime": func() { var x []int; _ = x[len(x)] },
		"of a library":   func() { panic("canary in the text of the query") },
	} {
		t.Run(name, func(t *testing.T) {
			h, log, m := unhappy(Options{Concurrency: 1}, func(context.Context, index.Query) (index.Answer, error) {
				do()
				return index.Answer{}, nil
			})
			for range 3 { // and gives its place back
				got := ask(t, h, "GET", "/api/articles?q=canary")
				if got.Code != 500 || got.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("got %d %v", got.Code, got.Header())
				}
			}
			if n := value(t, m.panics); n != 3 || log.count("handler_test.go") != 1 {
				t.Errorf("%v counted, log:\n%s", n, log)
			}
			if log.count("canary") != 0 {
				t.Errorf("the log holds the query:\n%s", log)
			}
		})
	}
}

func TestFailedSearchIsLoggedNotTold(t *testing.T) {
	h, log, _ := unhappy(Options{}, func(context.Context, index.Query) (index.Answer, error) {
		return index.Answer{}, errors.New("segment 7 is torn")
	})
	got := ask(t, h, "GET", "/api/articles?q=a")
	if got.Code != 500 || strings.Contains(got.Body.String(), "segment") || log.count("segment 7 is torn") != 1 {
		t.Errorf("got %d %s; log:\n%s", got.Code, got.Body, log)
	}
}

// crashed is what package index makes of a panic.
type crashed struct{ error }

func (crashed) Stack() string { return "goroutine 7 of package index" }

func TestPanicOfASearchIsLoggedWithItsStack(t *testing.T) {
	h, log, m := unhappy(Options{}, func(context.Context, index.Query) (index.Answer, error) {
		return index.Answer{}, fmt.Errorf("search: %w", crashed{index.ErrDamaged})
	})
	got := ask(t, h, "GET", "/api/articles?q=a")
	if got.Code != 500 || log.count("goroutine 7 of package index") != 1 || log.count("hint=") != 1 || value(t, m.panics) != 1 {
		t.Errorf("got %d %s, %v counted; log:\n%s", got.Code, got.Body, value(t, m.panics), log)
	}
}

// While a damaged index is replaced, each search may fail; and anybody may repeat what meets a
// fault.
func TestACrowdThatFailsDoesNotFillTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, log, m := unhappy(Options{}, func(_ context.Context, q index.Query) (index.Answer, error) {
			if q.Text == "p" {
				panic("fault")
			}
			return index.Answer{}, fmt.Errorf("search %s: %w", q.Text, crashed{index.ErrDamaged})
		})
		crowd := func() {
			for range 50 {
				ask(t, h, "GET", "/api/articles?q=a")
			}
			ask(t, h, "GET", "/api/articles?q=p") // is not hidden by the others
		}
		crowd()
		crowd()
		if log.count("level=ERROR") != 2 || log.count("unlogged=0") != 1 || log.count("unlogged=49") != 1 {
			t.Errorf("the log is\n%s", log)
		}
		time.Sleep(occasionRest)
		crowd()
		if log.count("level=ERROR") != 4 || log.count("unlogged=51") != 1 || value(t, m.panics) != 153 {
			t.Errorf("%v counted; a while later the log is\n%s", value(t, m.panics), log)
		}
		time.Sleep(occasionRest)
		for i := range 50 {
			ask(t, h, "GET", fmt.Sprint("/api/articles?q=", i))
		}
		if n := log.count("level=ERROR"); n != 4+maxTold {
			t.Errorf("%d lines more about as many faults as queries", n-4)
		}
	})
}

// Where files run out, net/http tells of it up to 200 times a second.
func TestAcceptErrorsDoNotFillTheLog(t *testing.T) {
	_, log, m := unhappy(Options{}, nil)
	errorLog := newErrorLog(slog.New(slog.NewTextHandler(log, nil)), m.acceptFailures)
	for range 9 {
		errorLog.Print("http: Accept error: accept tcp 127.0.0.1:80: accept4: too many open files; retrying in 5ms")
		errorLog.Print("http: TLS handshake error from 192.0.2.7:80: EOF")
	}
	if log.count("too many open files\" unlogged=0 hint=") != 1 || log.count("") != 1 || value(t, m.acceptFailures) != 9 {
		t.Errorf("%v counted; the log is\n%s", value(t, m.acceptFailures), log)
	}
}

// failing is a listener that fails once before each connection.
type failing struct {
	net.Listener
	with   error
	failed *bool
}

func (l failing) Accept() (net.Conn, error) {
	if *l.failed = !*l.failed; *l.failed {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", l.with)}
	}
	return l.Listener.Accept()
}

// A connection that cannot be accepted ends no server, whatever the system is short of.
func TestAcceptingGoesOnAfterAFailure(t *testing.T) {
	for short, hint := range map[error]string{syscall.EMFILE: "LimitNOFILE", syscall.ENFILE: "LimitNOFILE", syscall.ENOMEM: "memory", syscall.ENOBUFS: "memory", syscall.EPERM: "network"} {
		synctest.Test(t, func(t *testing.T) {
			h, log, m := unhappy(Options{}, nil)
			server := newPublicServer(h, time.Second, newErrorLog(slog.New(slog.NewTextHandler(log, nil)), m.acceptFailures))
			client, conn := net.Pipe()
			l := make(one, 1)
			l <- conn
			served := make(chan error, 1)
			go func() { served <- server.Serve(patientListener{failing{l, short, new(bool)}}) }()
			go io.WriteString(client, "OPTIONS / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
			client.SetReadDeadline(time.Now().Add(time.Minute))
			answer, err := io.ReadAll(client)
			if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 204 ") {
				t.Errorf("after %v: %q, %v", short, answer, err)
			}
			close(l)
			if err := <-served; !errors.Is(err, net.ErrClosed) {
				t.Errorf("after %v it ended with %v", short, err)
			}
			if value(t, m.acceptFailures) < 1 || log.count(hint) < 1 {
				t.Errorf("after %v, %v counted; the log is\n%s", short, value(t, m.acceptFailures), log)
			}
			server.Close()
		})
	}
}

// Warnings and errors are counted whatever the level of the log, and nothing else is.
func TestWarningsAndErrorsAreCounted(t *testing.T) {
	for _, least := range []slog.Level{slog.LevelDebug, slog.LevelError} {
		log, m := &logged{}, newMetrics(none, none)
		l := slog.New(counted{slog.NewTextHandler(log, &slog.HandlerOptions{Level: least}), m.logLines}).With("a", 1)
		l.Debug("x")
		l.Info("x")
		l.Warn("x")
		l.WithGroup("g").Warn("x")
		l.Error("x")
		wantLines := map[slog.Level]int{slog.LevelDebug: 5, slog.LevelError: 1}[least]
		if warn, err := value(t, m.logLines.WithLabelValues(levelWarn)), value(t, m.logLines.WithLabelValues(levelError)); warn != 2 || err != 1 || log.count("a=1") != wantLines {
			t.Errorf("at %v: %v warnings and %v errors counted; the log is\n%s", least, warn, err, log)
		}
	}
}

func TestGoneClientIsNoError(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	h, log, m := unhappy(Options{}, func(ctx context.Context, _ index.Query) (index.Answer, error) {
		leave()
		<-ctx.Done()
		return index.Answer{}, ctx.Err()
	})
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest("GET", "/api/articles?q=a", nil).WithContext(ctx))
	if rec.Body.Len() > 0 || log.String() != "" || value(t, m.requests.WithLabelValues("499")) != 1 {
		t.Errorf("body %q, log %q", rec.Body, log)
	}
}

func TestNotReadyIs503(t *testing.T) {
	l, _ := opened(t, t.TempDir(), t.TempDir())
	got := ask(t, NewHandler(l), "GET", "/api/articles?q=a")
	if got.Code != 503 || got.Header().Get("Retry-After") == "" || !strings.Contains(got.Body.String(), "loaded nothing yet") {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
}

// What is asked while a start opens its index is answered as soon as it is open.
func TestSearchWaitsForTheStart(t *testing.T) {
	source, data, before, _ := loaded(t, 5)
	must(t, before.Close())
	l, err := open(Options{Source: source, Data: data, TimeLimit: time.Minute})
	must(t, err)
	defer l.Close()
	answer := make(chan *httptest.ResponseRecorder)
	go func() { answer <- ask(t, NewHandler(l), "GET", "/api/articles?q=walrus") }()
	until(t, "it waits", func() bool { return value(t, l.metrics.waiting) == 1 })
	must(t, l.restore(t.Context()))
	if got := <-answer; got.Code != 200 || !strings.Contains(got.Body.String(), `"total":5`) {
		t.Errorf("got %d %s", got.Code, got.Body)
	}
}

// Whatever is asked, the answer is one of the contract.
func FuzzHandler(f *testing.F) {
	h, _ := servedSite(f, 12)
	contract := articletest.Contract(f)
	f.Add("GET", "/api/articles?q=walrus&limit=3", "*")
	f.Add("HEAD", "/api/articles?q=%22number0001+walrus%22+-x", `W/"a", "b"`)
	f.Add("POST", "/api/articles", "")
	f.Add("GET", "/api/articles?q=%E4%BD%A0%E5%A5%BD;", `"`)
	f.Add("OPTIONS", "//", "")
	f.Fuzz(func(t *testing.T, method, target, match string) {
		u, err := url.ParseRequestURI(target)
		if err != nil || method == "" {
			return // net/http answers 400 before any handler
		}
		r := &http.Request{Method: method, URL: u, RequestURI: target, Header: http.Header{"If-None-Match": {match}}, Host: "site.example"}
		rec := httptest.NewRecorder()
		contract.Handler(t, h).ServeHTTP(rec, r.WithContext(t.Context()))
		switch rec.Code {
		case 200, 204, 304, 400, 404, 405:
		default:
			t.Errorf("status %d: %s", rec.Code, rec.Body)
		}
	})
}

// The cost of an answer around the search itself is what is left when the query is empty.
func BenchmarkHandler(b *testing.B) {
	h, _ := servedSite(b, 1000)
	for name, q := range map[string]string{"empty": "", "one word": "number0500", "common word": "walrus"} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest("GET", "/api/articles?q="+url.QueryEscape(q), nil)
			b.ReportAllocs()
			for b.Loop() {
				rec := httptest.NewRecorder()
				h.ServeHTTP(rec, r)
				if rec.Code != 200 {
					b.Fatal(rec.Code, rec.Body)
				}
			}
		})
	}
}

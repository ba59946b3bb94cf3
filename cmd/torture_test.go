//go:build e2e

package cmd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
)

// What searchd does under attack and failure. `make e2e` runs a short form, `make torture` the
// whole. Figures are printed; asserted are outcomes, and ratios with much room, for the machine
// does other things as well.

// language is made up: its words are spread over texts as Zipf found of real ones.
type language struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newLanguage(seed uint64) language {
	random := rand.New(rand.NewPCG(seed, 1))
	return language{random, rand.NewZipf(random, 1.1, 4, 20_000)}
}

func (l language) text(words int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for range words {
		for n := 70 + l.zipf.Uint64(); n > 0; n /= 70 { // at least two syllables
			b.WriteByte(consonants[n%14])
			b.WriteByte(vowels[n/14%5])
		}
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String())
}

// languageSite publishes n articles in the language.
func languageSite(t *testing.T, n int) (public string) {
	t.Helper()
	content, public := t.TempDir(), t.TempDir()
	l := newLanguage(1)
	for i := range n {
		writeArticle(t, content, fmt.Sprintf("a%05d", i), l.text(4), l.text(400))
	}
	build(t, content, public, "https://site.example")
	return public
}

// says returns the address that a line of the log of searchd gives, "" where it is not there yet.
func (p *program) says(line string) string {
	_, rest, _ := strings.Cut(p.output.String(), line+`" address=`)
	address, _, _ := strings.Cut(rest, "\n")
	address, _, _ = strings.Cut(address, " ")
	return address
}

// metrics are those of searchd now, by name and labels.
func (p *program) metrics() map[string]float64 {
	p.t.Helper()
	resp, err := (&http.Client{Timeout: patience}).Get(p.says("the operator's side listens") + "/metrics")
	if err != nil {
		p.t.Fatalf("metrics: %v\n%s", err, p.output)
	}
	defer resp.Body.Close()
	all := map[string]float64{}
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), " "); ok && name != "#" {
			all[name], _ = strconv.ParseFloat(value, 64) // one with a space in a label is none that is asked for
			if metric, _, labelled := strings.Cut(name, "{"); labelled {
				all[metric] += all[name]
			}
		}
	}
	return all
}

// usage is what a process holds.
type usage struct{ megabytes, goroutines, files float64 }

func (u usage) String() string {
	return fmt.Sprintf("%.0f MB, %.0f goroutines, %.0f files", u.megabytes, u.goroutines, u.files)
}

func (p *program) usage() usage {
	m := p.metrics()
	return usage{m["process_resident_memory_bytes"] / (1 << 20), m["go_goroutines"], m["process_open_fds"]}
}

// times are how long answers took.
type times []time.Duration

// at returns the percentile, from 0 to 1.
func (t times) at(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

func (t times) String() string {
	return fmt.Sprintf("%d: p50 %v, p99 %v, longest %v", len(t), t.at(.5), t.at(.99), t.at(1))
}

// load asks searches, each of which is another query, and keeps what came of them.
type load struct {
	base  string
	limit int // hits that a search asks for

	mu     sync.Mutex
	took   map[int]times // by status; 0 is no answer
	waited times         // for their turn, by Server-Timing
	wrong  []string
}

func newLoad(base string) *load {
	debug.SetGCPercent(1000) // what this process collects, on the processors of searchd, is not searchd's
	return &load{base: base, limit: 100, took: map[int]times{}}
}

// client is one connection for one search after another. The client of net/http takes twice as long
// for each, with two goroutines for a connection, on the processors of searchd.
type client struct {
	conn    net.Conn // nil: none yet, or the last one failed
	answers *bufio.Reader
}

func (c *client) get(base, path string) (*http.Response, error) {
	if c.conn == nil {
		conn, err := dial(base, "")
		if err != nil {
			return nil, err
		}
		c.conn, c.answers = conn, bufio.NewReaderSize(conn, 16<<10)
	}
	c.conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(c.conn, "GET "+path+" HTTP/1.1\r\nHost: searchd\r\n\r\n"); err != nil {
		return nil, err
	}
	return http.ReadResponse(c.answers, nil)
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
	}
	c.conn = nil
}

// ask sends one search and judges the answer.
func (l *load) ask(c *client, query string) {
	began := time.Now()
	status, wrong, waited := 0, "", ""
	resp, err := c.get(l.base, "/api/articles?limit="+strconv.Itoa(l.limit)+"&q="+url.QueryEscape(query))
	if err != nil {
		wrong = err.Error()
		c.close()
	} else {
		status = resp.StatusCode
		_, err := io.Copy(io.Discard, resp.Body)
		_, waited, _ = strings.Cut(resp.Header.Get("Server-Timing"), "queue;dur=")
		switch {
		case err != nil:
			status, wrong = 0, err.Error()
			c.close()
		case status == http.StatusServiceUnavailable && (resp.Header.Get("Retry-After") == "" || resp.Header.Get("Cache-Control") != "no-store"):
			wrong = fmt.Sprintf("503 with %v", resp.Header)
		case status != http.StatusOK && status != http.StatusServiceUnavailable:
			wrong = resp.Status
		}
	}
	took := time.Since(began)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took[status] = append(l.took[status], took)
	if queue, _, ok := strings.Cut(waited, ","); ok {
		d, _ := time.ParseDuration(queue + "ms")
		l.waited = append(l.waited, d)
	}
	if wrong != "" {
		l.wrong = append(l.wrong, wrong)
	}
}

// closed asks with so many clients, each of which waits for its answers, and returns
// how many there were in a second.
func (l *load) closed(t *testing.T, clients int, long time.Duration, seed uint64) (rate float64) {
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	began := time.Now()
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			var c client
			defer c.close()
			for words := newLanguage(seed + uint64(n)); ctx.Err() == nil; {
				l.ask(&c, words.text(12))
			}
		})
	}
	all.Wait()
	return float64(len(l.took[http.StatusOK])) / time.Since(began).Seconds()
}

// open asks at a rate, whatever becomes of the answers, and returns the rate at which the asking
// succeeded: with all its clients waiting it asks nothing.
func (l *load) open(t *testing.T, clients int, rate float64, long time.Duration, seed uint64) (asked float64) {
	began := time.Now()
	var due, sent atomic.Int64
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			var c client
			defer c.close()
			words := newLanguage(seed + uint64(n))
			for time.Since(began) < long && t.Context().Err() == nil {
				query := words.text(12)
				at := time.Duration(float64(due.Add(1)) / rate * float64(time.Second))
				if late := time.Since(began) - at; late > time.Second {
					continue // it could not be asked in time
				}
				time.Sleep(at - time.Since(began)) // it is when it is due that makes the rate
				sent.Add(1)
				l.ask(&c, query)
			}
		})
	}
	all.Wait()
	return float64(sent.Load()) / time.Since(began).Seconds()
}

func (l *load) check(t *testing.T, what string) {
	t.Helper()
	if len(l.wrong) > 0 {
		t.Errorf("%s: %d answers are wrong, such as: %s", what, len(l.wrong), l.wrong[0])
	}
}

// Many times more searches than it can answer: those that it takes are answered nearly as
// quickly as without the others, and the others are told at once when to come again.
func TestE2ETortureOverload(t *testing.T) {
	public := languageSite(t, tortureArticles)
	searchd, base := startSearchd(t, public, t.TempDir())

	warm := newLoad(base)
	warm.closed(t, 2*runtime.NumCPU(), tortureCalm, 100)
	calm := newLoad(base)
	calm.closed(t, 1, tortureCalm, 200)
	full := newLoad(base)
	sustainable := full.closed(t, 2*runtime.NumCPU(), tortureCalm, 300)
	before := searchd.usage()
	t.Logf("unloaded: %v; sustainable: %.0f/s; %v", calm.took[200], sustainable, before)

	const clients = 256
	over := newLoad(base)
	newLoad(base).open(t, clients, 10*sustainable, tortureCalm, 600) // it takes a moment to see that the queue stands
	asked := over.open(t, clients, 10*sustainable, tortureOverload, 400)
	during, m := searchd.usage(), searchd.metrics()
	admitted, shed := over.took[200], over.took[503]
	ratio := float64(admitted.at(.99)) / float64(calm.took[200].at(.99))
	t.Logf("asked %.0f/s, %.1f times the sustainable rate, for %v", asked, asked/sustainable, tortureOverload)
	t.Logf("admitted %v", admitted)
	t.Logf("waited   %v", over.waited)
	t.Logf("shed     %v", shed)
	t.Logf("p99 of the admitted is %.1f times that of the unloaded; %.0f were shed, %.0f timed out; %v",
		ratio, m["searchd_shed_total"], m["searchd_timed_out_total"], during)
	over.check(t, "overload")
	switch {
	case len(shed) == 0 || len(admitted) == 0:
		t.Errorf("%d answered, %d shed", len(admitted), len(shed))
	case ratio > 100: // both share the processors, with each other and the rest of the machine
		t.Errorf("p99 of the admitted is %.1f times that of the unloaded", ratio)
	case shed.at(.5) > admitted.at(.99):
		t.Errorf("half of the shed waited for %v, longer than nearly all of the admitted", shed.at(.5))
	case during.megabytes > 2*before.megabytes+256:
		t.Errorf("%v before, %v under load", before, during)
	}

	took := until(t, "it is back to normal", func() bool {
		after := newLoad(base)
		after.closed(t, 1, 200*time.Millisecond, 500)
		return len(after.took[503]) == 0 && after.took[200].at(.5) < 3*calm.took[200].at(.5)
	})
	t.Logf("back to normal after %v", took.Round(time.Millisecond))
	until(t, "nothing of the load is left", func() bool { return searchd.usage().goroutines < before.goroutines+20 })
	searchd.stop(syscall.SIGTERM)
}

// dial opens a connection to an address like http://host:port, and sends text.
func dial(base, text string) (net.Conn, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err == nil {
		conn.SetDeadline(time.Now().Add(2 * patience))
		_, err = io.WriteString(conn, text)
	}
	return conn, err
}

// exchange sends text, and returns the statuses of the answers until searchd hangs up.
func exchange(t *testing.T, base, text string) (statuses string) {
	t.Helper()
	conn, err := dial(base, "")
	must(t, err)
	defer conn.Close()
	go io.WriteString(conn, text) // what is too long is not read to its end
	answers := bufio.NewReader(conn)
	for {
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			return strings.TrimSpace(statuses)
		}
		if strings.HasPrefix(text, "HEAD") {
			resp.Body = http.NoBody
		}
		_, err = io.Copy(io.Discard, resp.Body)
		if location := resp.Header.Get("Location"); location != "" || err != nil {
			t.Errorf("%.60q: %v, Location %q", text, err, location)
		}
		statuses += " " + strconv.Itoa(resp.StatusCode)
	}
}

// crowd opens connections, each of which sends text and is then held by hold, which
// returns when it is over.
func crowd(t *testing.T, base, text string, n int, hold func(net.Conn)) (over *sync.WaitGroup) {
	t.Helper()
	over = &sync.WaitGroup{}
	var failed atomic.Int64
	var opened sync.WaitGroup
	for range 16 {
		opened.Go(func() {
			for range n / 16 {
				conn, err := dial(base, text)
				if err != nil {
					failed.Add(1)
					continue
				}
				over.Go(func() {
					defer conn.Close()
					hold(conn)
				})
			}
		})
	}
	opened.Wait()
	if failed.Load() > 0 {
		t.Errorf("%d of %d connections failed", failed.Load(), n)
	}
	return over
}

// Clients that hold connections, send a byte now and then, never read, or send what is no
// request: each is answered or hung up on, the others have their answers meanwhile, and
// nothing of it stays, nor is in the log.
func TestE2ETortureHostileClients(t *testing.T) {
	searchd, base := startSearchd(t, languageSite(t, 200), t.TempDir())
	calm := newLoad(base)
	calm.closed(t, 1, tortureCalm, 100)
	before := searchd.usage()

	ending := make(chan struct{})
	const request = "GET /api/articles?limit=100&q=ba HTTP/1.1\r\nHost: x\r\n"
	idle := crowd(t, base, request+"\r\n", tortureIdle, func(conn net.Conn) {
		if resp, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("before it was idle: %v", err)
		}
		<-ending
	})
	held := searchd.usage()
	t.Logf("before: %v; with %d connections that do nothing: %v", before, tortureIdle, held)
	deaf := crowd(t, base, strings.Repeat(request+"\r\n", 100), tortureSlow, func(net.Conn) { <-ending })
	slowly := func(conn net.Conn) {
		var gone sync.WaitGroup
		gone.Go(func() { io.Copy(io.Discard, conn); conn.Close() })
		for tick := time.NewTicker(500 * time.Millisecond); ; <-tick.C {
			if _, err := io.WriteString(conn, "x"); err != nil {
				break
			}
		}
		gone.Wait()
	}
	began := time.Now()
	headers := crowd(t, base, request+"X: ", tortureSlow, slowly)
	bodies := crowd(t, base, request+"Content-Length: 200000\r\n\r\n", tortureSlow, slowly)
	silent := crowd(t, base, "", tortureSlow, func(conn net.Conn) { io.Copy(io.Discard, conn) })
	ended := make(chan struct{})
	go func() { headers.Wait(); bodies.Wait(); silent.Wait(); close(ended) }()
	others := newLoad(base)
	for waiting := true; waiting; {
		others.closed(t, 1, 100*time.Millisecond, uint64(len(others.took[200])))
		select {
		case <-ended:
			waiting = false
		default:
			if time.Since(began) > patience {
				t.Fatalf("slow clients still hold connections after %v", patience)
			}
		}
	}
	t.Logf("slow clients were hung up on within %v; %v", time.Since(began).Round(time.Millisecond), searchd.usage())
	t.Logf("unloaded: %v; meanwhile: %v", calm.took[200], others.took[200])
	others.check(t, "beside hostile clients")
	if len(others.took[200]) == 0 {
		t.Error("nobody else was answered")
	}
	close(ending)
	idle.Wait()
	deaf.Wait()
	// What they asked is searched for all the same, and one who comes meanwhile may be refused.
	until(t, "the crowd is over", func() bool {
		after := newLoad(base)
		after.closed(t, 1, time.Second, 700)
		return len(after.took[503]) == 0
	})

	const tail = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	const canary = "kanarienvogel"
	for text, want := range map[string]string{
		// Addresses: one is served, in no other form; nothing redirects.
		"GET /api/articles?q=ba" + tail:                 "200",
		"GET //api/articles?q=ba" + tail:                "404",
		"GET /./api/articles?q=ba" + tail:               "404",
		"GET /api/../api/articles?q=ba" + tail:          "404",
		"GET /api/%2e%2e/api/articles?q=ba" + tail:      "404",
		"GET /api%2farticles?q=ba" + tail:               "404",
		"GET /api/articles%00?q=ba" + tail:              "404",
		"GET /api/articles/..%5c..%5cetc/passwd" + tail: "404",
		"GET /%0d%0atime=1 level=ERROR" + tail:          "400",
		"GET /%0d%0atime=1%20msg=" + canary + tail:      "404",
		"GET *" + tail:            "404",
		"OPTIONS *" + tail:        "204",
		"GET api/articles" + tail: "400",
		"GET http://" + canary + "/api/articles" + tail:   "200",
		"CONNECT " + canary + ":443" + tail:               "404",
		"GET /api/articles?q=%C3%28" + tail:               "400",
		"GET /api/articles?q=%zz" + tail:                  "400",
		"GET /api/articles?q=\xff" + tail:                 "400",
		"GET /%zz" + tail:                                 "400",
		"GET /api/articles?q=%00%1b[31m" + canary + tail:  "400",
		"GET /" + strings.Repeat("a/", 100_000) + tail:    "431",
		"GET /?" + strings.Repeat("q=a&", 100_000) + tail: "431",
		// Hosts mean nothing; two of them, or none, are no request.
		"GET /api/articles HTTP/1.1\r\n\r\n":                                                          "400",
		"GET /api/articles HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n":                                    "400",
		"GET /api/articles HTTP/1.1\r\nHost: a b\r\n\r\n":                                             "400",
		"GET /api/articles HTTP/1.1\r\nHost: " + canary + "/../\r\nConnection: close\r\n\r\n":         "400",
		"GET /api/articles HTTP/1.1\r\nHost: " + canary + ":99999999\r\nConnection: close\r\n\r\n":    "200",
		"GET /nothing HTTP/1.1\r\nHost: [::1]:" + canary + "\r\nConnection: close\r\n\r\n":            "404",
		"GET /api/articles HTTP/1.0\r\n\r\n":                                                          "200",
		"GET /api/articles HTTP/3.7\r\nHost: x\r\n\r\n":                                               "505",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\n X: folded\r\nConnection: close\r\n\r\n":            "400",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n":                                     "400",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("a", 100_000) + "\r\n\r\n":    "431",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", 20_000) + "\r\n":     "431",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, close\r\n\r\n": "200",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n":                                                            "404",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n":                                        "400",
		strings.Repeat("\x00", 5000) + "\r\n\r\n":                                                     "400",
		// Bodies are not wanted: the answer comes without them, and they are never taken for a
		// request.
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n":                              "200",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhelloGET /x HTTP/1.1\r\n\r\n":    "200",
		"POST /api/articles HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel":              "405",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0": "200",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n":           "400",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n":                               "400",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: " + canary + "\r\n\r\n":                "501",
		"GET /api/articles HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n":        "200",
		// Several requests in one piece have their answers in order.
		strings.Repeat("GET /api/articles?q=ba HTTP/1.1\r\nHost: x\r\n\r\n", 20) + "GET /nothing" + tail: strings.Repeat("200 ", 20) + "404",
	} {
		if got := exchange(t, base, text); got != want {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
	until(t, "nothing of the clients is left", func() bool {
		u := searchd.usage()
		return u.goroutines < before.goroutines+20 && u.files < before.files+20
	})
	t.Logf("afterwards: %v", searchd.usage())
	if n := searchd.metrics()["searchd_panics_total"]; n != 0 {
		t.Errorf("%v panics", n)
	}
	searchd.stop(syscall.SIGTERM)
	for line := range strings.Lines(searchd.output.String()) {
		if !strings.HasPrefix(line, "time=20") || strings.Contains(line, canary) || strings.Contains(line, "level=ERROR") {
			t.Errorf("a line of the log that no client may cause: %q", line)
		}
	}
}

// A new build every second under mixed load: nobody gets a failure or an answer of two
// revisions, and what searchd holds does not grow.
func TestE2ETortureSoak(t *testing.T) {
	content, public := t.TempDir(), t.TempDir()
	const articles = 100
	buildSite(t, content, public, "word0", articles)
	searchd, base := startSearchd(t, public, t.TempDir(), "--time-limit", patience.String()) // the machine is busy with the builds
	client := &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	t.Cleanup(client.CloseIdleConnections)

	ctx, stop := context.WithTimeout(t.Context(), tortureSoak)
	defer stop()
	var clients sync.WaitGroup
	var answered atomic.Int64
	var words sync.Map // by revision: the word that all its articles have
	for n := range 4 {
		clients.Go(func() {
			random := rand.New(rand.NewPCG(5, uint64(n)))
			for ctx.Err() == nil {
				target := []string{"q=common&limit=100", "q=comm", "q=common+text7", "q=%22common+text8%22", "q=comon+tetx9&limit=50", "q=absent", "q=common&offset=20", "limit=0"}[random.IntN(8)]
				resp, err := client.Get(base + "/api/articles?" + target)
				if err != nil {
					t.Errorf("after %d answers: %v", answered.Load(), err)
					return
				}
				var r article.SearchResult
				err = json.NewDecoder(resp.Body).Decode(&r)
				resp.Body.Close()
				answered.Add(1)
				if target == "limit=0" && resp.StatusCode == http.StatusBadRequest {
					continue
				}
				if err != nil || resp.StatusCode != http.StatusOK || strings.HasPrefix(target, "q=common&") && r.Total != articles {
					t.Errorf("%s: status %d, total %d: %v", target, resp.StatusCode, r.Total, err)
					return
				}
				for _, hit := range r.Articles {
					_, rest, _ := strings.Cut(hit.Excerpt, "word")
					word, _, _ := strings.Cut(rest, " ")
					if of, _ := words.LoadOrStore(r.Revision, word); of != word {
						t.Errorf("%s: an answer of revision %s has word%s, and word%s", target, r.Revision, word, of)
						return
					}
				}
			}
		})
	}
	var all []usage
	for n := 1; ctx.Err() == nil; n++ {
		next := time.After(time.Second)
		buildSite(t, content, public, fmt.Sprintf("word%d", n), articles)
		all = append(all, searchd.usage())
		<-next
	}
	clients.Wait()
	revisions := 0
	words.Range(func(any, any) bool { revisions++; return true })
	t.Logf("%d answers of %d revisions from %d builds in %v", answered.Load(), revisions, len(all), tortureSoak)
	for _, n := range []int{0, len(all) / 4, len(all) / 2, len(all) * 3 / 4, len(all) - 1} {
		t.Logf("after build %d: %v", n+1, all[n])
	}
	most := func(of []usage) (most usage) {
		for _, u := range of {
			most = usage{max(most.megabytes, u.megabytes), max(most.goroutines, u.goroutines), max(most.files, u.files)}
		}
		return most
	}
	first, last := most(all[:(len(all)+1)/2]), most(all[len(all)/2:])
	if last.megabytes > 1.5*first.megabytes+64 || last.goroutines > first.goroutines+50 || last.files > first.files+50 {
		t.Errorf("at most %v in the first half, and %v in the second", first, last)
	}
	if m := searchd.metrics(); m["searchd_reload_failures_total"] != 0 || m["searchd_shed_total"] != 0 || m["searchd_timed_out_total"] != 0 || revisions < 2 {
		t.Errorf("%v loads failed, %v were shed, %v timed out; %d revisions", m["searchd_reload_failures_total"], m["searchd_shed_total"], m["searchd_timed_out_total"], revisions)
	}
	searchd.stop(syscall.SIGTERM)
}

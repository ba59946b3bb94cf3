//go:build e2e

package cmd_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
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
		write(t, filepath.Join(content, fmt.Sprintf("a%05d.md", i)), "---\ntitle: "+l.text(4)+"\ndate: 2026-01-01\n---\n\n"+l.text(400)+"\n")
	}
	run(t, "builder", "build", "--content", content, "--public", public, "--base-url", "https://site.example")
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
	client *http.Client
	base   string
	limit  int // hits that a search asks for

	mu     sync.Mutex
	took   map[int]times // by status; 0 is no answer
	waited times         // for their turn, by Server-Timing
	wrong  []string
}

func newLoad(t *testing.T, base string, connections int) *load {
	transport := &http.Transport{MaxIdleConnsPerHost: connections, MaxConnsPerHost: connections, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &load{client: &http.Client{Transport: transport, Timeout: patience}, base: base, limit: 100, took: map[int]times{}}
}

// ask sends one search and judges the answer.
func (l *load) ask(query string) {
	began := time.Now()
	status, wrong, waited := 0, "", ""
	resp, err := l.client.Get(l.base + "/api/articles?limit=" + strconv.Itoa(l.limit) + "&q=" + url.QueryEscape(query))
	if err != nil {
		wrong = err.Error()
	} else {
		status = resp.StatusCode
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		_, waited, _ = strings.Cut(resp.Header.Get("Server-Timing"), "queue;dur=")
		switch {
		case err != nil:
			status, wrong = 0, err.Error()
		case status == http.StatusServiceUnavailable && (resp.Header.Get("Retry-After") == "" || resp.Header.Get("Cache-Control") != "no-store"):
			wrong = fmt.Sprintf("503 with %v", resp.Header)
		case status != http.StatusOK && status != http.StatusServiceUnavailable:
			wrong = fmt.Sprintf("%d %s", status, body)
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
			for words := newLanguage(seed + uint64(n)); ctx.Err() == nil; {
				l.ask(words.text(12))
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
			words := newLanguage(seed + uint64(n))
			for time.Since(began) < long && t.Context().Err() == nil {
				query := words.text(12)
				at := time.Duration(float64(due.Add(1)) / rate * float64(time.Second))
				if late := time.Since(began) - at; late > time.Second {
					continue // it could not be asked in time
				}
				time.Sleep(at - time.Since(began)) // it is when it is due that makes the rate
				sent.Add(1)
				l.ask(query)
			}
		})
	}
	all.Wait()
	l.client.CloseIdleConnections()
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

	warm := newLoad(t, base, 2*runtime.NumCPU())
	warm.closed(t, 2*runtime.NumCPU(), tortureCalm, 100)
	calm := newLoad(t, base, 1)
	calm.closed(t, 1, tortureCalm, 200)
	full := newLoad(t, base, 2*runtime.NumCPU())
	sustainable := full.closed(t, 2*runtime.NumCPU(), tortureCalm, 300)
	before := searchd.usage()
	t.Logf("unloaded: %v; sustainable: %.0f/s; %v", calm.took[200], sustainable, before)

	const clients = 256
	over := newLoad(t, base, clients)
	newLoad(t, base, clients).open(t, clients, 10*sustainable, tortureCalm, 600) // it takes a moment to see that the queue stands
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
	case ratio > 15:
		t.Errorf("p99 of the admitted is %.1f times that of the unloaded", ratio)
	case shed.at(.5) > admitted.at(.99):
		t.Errorf("half of the shed waited for %v, longer than nearly all of the admitted", shed.at(.5))
	case during.megabytes > 2*before.megabytes+256:
		t.Errorf("%v before, %v under load", before, during)
	}

	took := until(t, "it is back to normal", func() bool {
		after := newLoad(t, base, 1)
		after.closed(t, 1, 200*time.Millisecond, 500)
		return len(after.took[503]) == 0 && after.took[200].at(.5) < 3*calm.took[200].at(.5)
	})
	t.Logf("back to normal after %v", took.Round(time.Millisecond))
	until(t, "nothing of the load is left", func() bool { return searchd.usage().goroutines < before.goroutines+20 })
	searchd.stop(syscall.SIGTERM)
}

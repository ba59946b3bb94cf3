package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/publication/publicationtest"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/commandlinetest"
	"newsstand/searchd"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"searchd": main})
}

// The stories in testdata. Each has two free addresses, $LISTEN and $ADMIN, and these
// commands beside those of testscript:
//
//	publish DIR id=text...    make DIR the published folder of exactly these articles;
//	                          test:query=id among them is a search test of the site
//	damage DIR                spoil every file below DIR
//	waitfor URL [pattern]     ask until the answer is 200 and matches
//	httpget URL [status]      ask once; the answer, judged by the contract, becomes stdout
//	refused URL               ask once, unsigned, and be refused
//	host DIR                  serve a folder over HTTP as $SITE, as a static host does
//	terminate                 send SIGTERM to the programs in the background
//	drain ADDRESS             send it under load, and check that nothing accepted is lost
//	[bind]                    a folder can be mounted read-only by unshare and mount
func TestStories(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) { // as under nohup: the programs of the stories would ignore it, too
		hangup := make(chan os.Signal, 1)
		signal.Notify(hangup, syscall.SIGHUP)
		t.Cleanup(func() { signal.Stop(hangup) })
	}
	contract := articletest.Contract(t)
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	client := &http.Client{Transport: contract.Transport(transport), Timeout: patience}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			for _, name := range []string{"LISTEN", "ADMIN"} {
				l, err := net.Listen("tcp", "127.0.0.1:0")
				if err != nil {
					return err
				}
				defer l.Close()
				env.Setenv(name, l.Addr().String())
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"publish":   publish,
			"damage":    damage,
			"waitfor":   func(ts *testscript.TestScript, _ bool, args []string) { waitFor(ts, client, args) },
			"httpget":   func(ts *testscript.TestScript, _ bool, args []string) { httpGet(ts, client, args) },
			"refused":   refused,
			"host":      host,
			"terminate": terminate,
			"drain":     func(ts *testscript.TestScript, _ bool, args []string) { drain(ts, client, args[0]) },
		},
		Condition: func(name string) (bool, error) {
			if name != "bind" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return exec.Command("unshare", "-rm", "mount", "--rbind", os.TempDir(), os.TempDir()).Run() == nil, nil
		},
	})
}

// patience bounds every wait for what must happen.
const patience = 20 * time.Second

func publish(ts *testscript.TestScript, _ bool, args []string) {
	var articles []article.Article
	var tests []article.SearchTest
	for _, arg := range args[1:] {
		id, text, _ := strings.Cut(arg, "=")
		if query, ok := strings.CutPrefix(id, "test:"); ok {
			tests = append(tests, article.SearchTest{Query: query, Expect: []string{text}, MaxRank: 1})
			continue
		}
		articles = append(articles, article.Article{
			Meta: article.Meta{
				ID: id, URL: "https://site.example/" + id + "/", Title: "About " + id, Summary: "Summary of " + id + ".", Language: "en",
				DatePublished: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), Authors: []article.Author{}, Tags: []string{"animals"},
			},
			ContentHTML: "<p>" + text + "</p>", ContentText: text,
		})
	}
	ts.Check(publicationtest.Publish(context.Background(), ts.MkAbs(args[0]), article.SearchSettings{Tests: tests}, articles...))
}

func damage(ts *testscript.TestScript, _ bool, args []string) {
	root, err := os.OpenRoot(ts.MkAbs(args[0]))
	ts.Check(err)
	defer root.Close()
	var spoil func(dir string)
	spoil = func(dir string) {
		f, err := root.Open(dir)
		ts.Check(err)
		entries, err := f.ReadDir(-1)
		ts.Check(errors.Join(err, f.Close()))
		for _, e := range entries {
			path := dir + "/" + e.Name()
			if e.IsDir() {
				spoil(path)
				continue
			}
			b, err := root.ReadFile(path)
			ts.Check(err)
			for i := range b {
				b[i] ^= 0x5a
			}
			ts.Check(root.WriteFile(path, b, 0o644))
		}
	}
	spoil(".")
}

func host(ts *testscript.TestScript, _ bool, args []string) {
	s := httptest.NewServer(http.FileServer(http.Dir(ts.MkAbs(args[0]))))
	ts.Defer(s.Close)
	ts.Setenv("SITE", s.URL)
}

func waitFor(ts *testscript.TestScript, client *http.Client, args []string) {
	pattern := regexp.MustCompile("")
	if len(args) > 1 {
		pattern = regexp.MustCompile(args[1])
	}
	last := ""
	for began := time.Now(); time.Since(began) < patience; time.Sleep(5 * time.Millisecond) { // another process: nothing to wait on
		resp, err := client.Get(args[0])
		if err != nil {
			last = err.Error()
			continue
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil && resp.StatusCode == http.StatusOK && pattern.Match(body) {
			return
		}
		last = fmt.Sprintf("%s %s", resp.Status, body)
	}
	ts.Fatalf("%s is not as wanted within %v; last: %s", args[0], patience, last)
}

func httpGet(ts *testscript.TestScript, client *http.Client, args []string) {
	resp, err := client.Get(args[0])
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	want := "200"
	if len(args) > 1 {
		want = args[1]
	}
	if got := fmt.Sprint(resp.StatusCode); got != want {
		ts.Fatalf("%s: status %s, want %s: %s", args[0], got, want, body)
	}
	ts.Stdout().Write(body)
}

// refused asks without the contract, in which no caller of a site meets a 401.
func refused(ts *testscript.TestScript, _ bool, args []string) {
	resp, err := http.Get(args[0])
	ts.Check(err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	ts.Check(err)
	if resp.StatusCode != http.StatusUnauthorized || !strings.Contains(string(body), "/problems/"+string(article.Unsigned)) {
		ts.Fatalf("%s: %s %s, want 401", args[0], resp.Status, body)
	}
}

func terminate(ts *testscript.TestScript, _ bool, args []string) {
	with := syscall.SIGTERM
	if len(args) > 0 && args[0] == "hangup" {
		with = syscall.SIGHUP
	}
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(with))
	}
}

func drain(ts *testscript.TestScript, client *http.Client, address string) {
	// Half a request, which is in flight from now on.
	conn, err := net.Dial("tcp", address)
	ts.Check(err)
	defer conn.Close()
	ts.Check(conn.SetDeadline(time.Now().Add(patience)))
	_, err = fmt.Fprintf(conn, "GET /api/articles?q=walrus HTTP/1.1\r\nHost: %s\r\n", address)
	ts.Check(err)

	// Load, until no new connection is accepted.
	var load sync.WaitGroup
	var mu sync.Mutex
	answered := 0
	var wrong []error
	underway := make(chan struct{})
	for range 4 {
		load.Go(func() {
			for {
				resp, err := client.Get("http://" + address + "/api/articles?q=walrus")
				if err == nil {
					_, err = io.ReadAll(resp.Body)
					err = errors.Join(err, resp.Body.Close())
					if resp.StatusCode != http.StatusOK {
						err = errors.Join(err, errors.New(resp.Status))
					}
				}
				mu.Lock()
				if err == nil {
					if answered++; answered == 50 {
						close(underway)
					}
				} else if !errors.Is(err, syscall.ECONNREFUSED) && !unaccepted(err) {
					wrong = append(wrong, err)
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	select {
	case <-underway:
	case <-time.After(patience):
		ts.Fatalf("no load")
	}
	terminate(ts, false, nil)
	load.Wait()
	ts.Check(errors.Join(wrong...))
	ts.Logf("%d answers before it stopped accepting", answered)

	_, err = io.WriteString(conn, "\r\n")
	ts.Check(err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	ts.Check(err)
	body, err := io.ReadAll(resp.Body)
	ts.Check(errors.Join(err, resp.Body.Close()))
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(string(body), `{"count":`) {
		ts.Fatalf("the request in flight was answered %s %s", resp.Status, body)
	}
}

// unaccepted is true for a connection that stood in the system's queue when the
// program stopped accepting: the system resets it.
func unaccepted(err error) bool {
	var e *url.Error
	return errors.As(err, &e) && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.EOF))
}

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newRootCommand(), "searchd.1", "searchd-serve.1")
}

func TestManual(t *testing.T) {
	commandlinetest.Manual(t, newRootCommand(), commandline.Done, commandline.Failed, commandline.Usage)
}

// The engine writes with package log, which must not break a log in JSON.
func TestLinesOfTheEngineAreInTheFormat(t *testing.T) {
	was, out, flags := slog.Default(), log.Writer(), log.Flags()
	defer func() {
		slog.SetDefault(was)
		log.SetOutput(out)
		log.SetFlags(flags)
	}()
	stderr := make(lines, 100) // more than there are
	err := runServe(t.Context(), serveOptions{
		ServeOptions: searchd.ServeOptions{
			Options: searchd.Options{Source: filepath.Join(t.TempDir(), "nowhere"), Poll: time.Second, TimeLimit: time.Second},
			Listen:  "127.0.0.1:0", Drain: time.Second, Level: new(slog.LevelVar),
		},
		logFormat: "json", logLevel: "info",
	}, stderr)
	if err == nil {
		t.Fatal("it serves nothing")
	}
	log.Print("got err removing file")
	for line := ""; !strings.Contains(line, "got err removing file"); {
		if line = <-stderr; !json.Valid([]byte(line)) {
			t.Errorf("this is no JSON: %s", line)
		}
	}
}

// lines are what was written to them, a line each time.
type lines chan string

func (l lines) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

// The unit, the image and the manifest give searchd flags that it has.
func TestOperatorsFilesUseFlagsThatExist(t *testing.T) {
	flags := newServeCommand().Flags()
	for file, line := range map[string]string{"searchd.service": "ExecStart=", "Dockerfile": "CMD ", "kubernetes.yaml": "args: "} {
		data, err := os.ReadFile(filepath.Join("operate", file))
		if err != nil {
			t.Fatal(err)
		}
		_, rest, found := strings.Cut(string(data), line)
		text, _, _ := strings.Cut(rest, "\n")
		names := regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(text, -1)
		if !found || len(names) < 3 {
			t.Errorf("%s starts searchd with %q", file, text)
		}
		for _, name := range names {
			if flags.Lookup(name[1]) == nil {
				t.Errorf("%s gives --%s, which does not exist", file, name[1])
			}
		}
	}
}

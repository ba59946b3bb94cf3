package main

import (
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"newsstand/builder/article/articletest"
	"newsstand/cmd/commandline/commandlinetest"
)

// patience bounds every wait for what must happen; machines under load are slow.
const patience = 30 * time.Second

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"preview": func() {
		// What it prints goes into a file too, which a script can read while it runs.
		said, err := os.OpenFile(os.Getenv("SAID"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(run(os.Args[1:], io.MultiWriter(os.Stdout, said), io.MultiWriter(os.Stderr, said)))
	}})
}

// The scripts run the real program. $ADDR is a free address, $CONFIG the project's
// own netlify.toml. Commands besides those of testscript:
//
//	[!] live path regexp    wait until the body of a GET does (not) match
//	answers path status     wait until a GET answers with a status
//	says regexp             wait until what the preview printed matches
//	spare                   open a connection and ask nothing on it
//	load path...            ask for these again and again from now on
//	unload                  stop that, and fail if any answer was no 200
//
// Every answer is checked against the contract.
func TestStories(t *testing.T) {
	config, err := filepath.Abs(filepath.Join("..", "..", "netlify.toml"))
	if err != nil {
		t.Fatal(err)
	}
	contract := articletest.Contract(t)
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{Transport: contract.Transport(transport), Timeout: patience}

	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			env.Setenv("ADDR", listener.Addr().String())
			env.Setenv("CONFIG", config)
			env.Setenv("SAID", filepath.Join(env.WorkDir, "said"))
			env.Values[loadKey{}] = &load{stop: make(chan struct{})}
			return listener.Close()
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"live": func(ts *testscript.TestScript, neg bool, args []string) {
				if len(args) != 2 {
					ts.Fatalf("usage: [!] live path regexp")
				}
				want := regexp.MustCompile(args[1])
				var body string
				until(ts, fmt.Sprintf("%s matches %s: %v", args[0], want, !neg), func() error {
					var err error
					_, body, err = ask(client, ts, args[0])
					if err == nil && want.MatchString(body) == neg {
						err = fmt.Errorf("got %s", body)
					}
					return err
				})
			},
			"answers": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 2 {
					ts.Fatalf("usage: answers path status")
				}
				until(ts, args[0]+" answers "+args[1], func() error {
					status, body, err := ask(client, ts, args[0])
					if err == nil && fmt.Sprint(status) != args[1] {
						err = fmt.Errorf("got %d: %s", status, body)
					}
					return err
				})
			},
			"says": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: says regexp")
				}
				want := regexp.MustCompile("(?m)" + args[0])
				until(ts, "the preview says "+args[0], func() error {
					said, err := os.ReadFile(ts.Getenv("SAID"))
					if err == nil && !want.Match(said) {
						err = fmt.Errorf("it said:\n%s", said)
					}
					return err
				})
			},
			"spare": func(ts *testscript.TestScript, _ bool, _ []string) {
				conn, err := net.Dial("tcp", ts.Getenv("ADDR"))
				ts.Check(err)
				ts.Defer(func() { conn.Close() })
				// It has been accepted when one that was opened after it is answered.
				later := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
				_, _, err = ask(later, ts, "/api/health")
				ts.Check(err)
			},
			"load": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) == 0 {
					ts.Fatalf("usage: load path...")
				}
				l := ts.Value(loadKey{}).(*load)
				for _, path := range args {
					l.running.Go(func() { l.ask(client, "http://"+ts.Getenv("ADDR")+path) })
				}
				ts.Defer(l.end)
			},
			"unload": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) > 0 {
					ts.Fatalf("usage: unload")
				}
				l := ts.Value(loadKey{}).(*load)
				l.end()
				if failed := l.failed.Load(); failed != nil {
					ts.Fatalf("a request failed: %s", *failed)
				}
				if n := l.answered.Load(); n == 0 {
					ts.Fatalf("nothing was asked")
				} else {
					ts.Logf("%d answers, no failure", n)
				}
			},
		},
	})
}

// loadKey is the key of a script's load.
type loadKey struct{}

// load asks all the time while a script changes things.
type load struct {
	running  sync.WaitGroup
	once     sync.Once
	stop     chan struct{}
	answered atomic.Int64
	failed   atomic.Pointer[string] // the first failure
}

func (l *load) ask(client *http.Client, url string) {
	for {
		select {
		case <-l.stop:
			return
		default:
		}
		status, body, err := fetch(client, url)
		if err != nil || status != http.StatusOK {
			failure := fmt.Sprintf("%s: %d %v %s", url, status, err, body)
			l.failed.CompareAndSwap(nil, &failure)
			return
		}
		l.answered.Add(1)
	}
}

func (l *load) end() {
	l.once.Do(func() { close(l.stop) })
	l.running.Wait()
}

// until asks again and again, until done has no objection.
func until(ts *testscript.TestScript, what string, done func() error) {
	deadline := time.After(patience)
	for tick := time.NewTicker(5 * time.Millisecond); ; {
		err := done()
		if err == nil {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			ts.Fatalf("not within %v: %s: %v", patience, what, err)
		}
	}
}

func ask(client *http.Client, ts *testscript.TestScript, path string) (status int, body string, err error) {
	return fetch(client, "http://"+ts.Getenv("ADDR")+path)
}

func fetch(client *http.Client, url string) (status int, body string, err error) {
	resp, err := client.Get(url)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(b), err
}

// The folder of the published files may go and come back; a link leads nowhere.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	public := filepath.Join(dir, "public")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "outside"), "secret")
	write(filepath.Join(public, "a"), "first")
	f := folder(public)
	if b, err := fs.ReadFile(f, "a"); err != nil || string(b) != "first" {
		t.Errorf("%q %v", b, err)
	}
	if err := os.RemoveAll(public); err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(f, "a"); err == nil {
		t.Error("a file of a folder that is gone")
	}
	write(filepath.Join(public, "a"), "second")
	if b, err := fs.ReadFile(f, "a"); err != nil || string(b) != "second" {
		t.Errorf("%q %v", b, err)
	}
	if err := os.Symlink("../outside", filepath.Join(public, "link")); err != nil {
		t.Skip("this system has no symbolic links: ", err)
	}
	for _, name := range []string{"link", "../outside"} {
		if b, err := fs.ReadFile(f, name); err == nil {
			t.Errorf("%s: %q", name, b)
		}
	}
}

func TestVisitableAddress(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	for listen, want := range map[string]string{
		"localhost:8080": "localhost:8080",
		"localhost:0":    "localhost:8080",
		":8080":          "localhost:8080",
		"0.0.0.0:8080":   "localhost:8080",
		"[::]:8080":      "localhost:8080",
		"[::1]:8080":     "[::1]:8080",
		"192.0.2.1:8080": "192.0.2.1:8080",
	} {
		if got := visitable(addr, listen); got != want {
			t.Errorf("%s: %s, want %s", listen, got, want)
		}
	}
}

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newCommand(), "preview.1")
}

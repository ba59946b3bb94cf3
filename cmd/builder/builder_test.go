package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"newsstand/builder/source"
	"newsstand/builder/verify"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/commandlinetest"
)

// What a host sends is no command for the terminal, in no part of a line: the hint names the
// address to which the host redirects.
func TestPrintCheckQuotes(t *testing.T) {
	var out bytes.Buffer
	const odd = "https://a\u009b2J\u202e"
	printCheck(&out, verify.Check{Group: odd, Name: odd, Result: verify.Failed, Want: odd, Got: odd, Hint: odd}, false)
	if strings.ContainsAny(out.String(), "\u009b\u202e") {
		t.Errorf("%q", &out)
	}
}

// A name that is not UTF-8 breaks neither the columns of the list nor a program that reads it:
// tabwriter takes a byte 0xff for the begin of a text that holds no tabs.
func TestListOfNamesThatAreNotUTF8(t *testing.T) {
	files := []listed{{Path: "a\xff.md", Status: source.Invalid, Reason: "why"}, {ID: "b", Path: "b.md", Status: source.Published}}
	const table = `STATUS     DATE  ID  PATH      REASON
invalid    -     -   a\xff.md  why
published  -     b   b.md      
`
	const rows = "id,path,status,reason,published,modified,publish_at,expire_at,language,url\n" +
		",a\ufffd.md,invalid,why,,,,,,\n" +
		"b,b.md,published,,,,,,,\n"
	for want, write := range map[string]func(io.Writer, []listed) error{table: writeTable, rows: writeCSV} {
		var out bytes.Buffer
		if err := write(&out, files); err != nil || out.String() != want {
			t.Errorf("wrote %q and %v, want %q", &out, err, want)
		}
	}
}

// A proxy is told of which host a document is: of the path alone, each answered that there is none.
func TestVerifyThroughAProxy(t *testing.T) {
	asked := make(chan string, 1)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case asked <- r.RequestURI:
		default:
		}
		http.NotFound(w, r)
	}))
	defer proxy.Close()
	builder := exec.CommandContext(t.Context(), "builder", "verify", "http://news.example/x")
	builder.Env = append(os.Environ(), "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	out, err := builder.CombinedOutput()
	if builder.ProcessState.ExitCode() != commandline.Failed {
		t.Fatalf("%v: %s", err, out)
	}
	select {
	case got := <-asked:
		if want := "http://news.example/x/api/health"; got != want {
			t.Errorf("the proxy was asked for %s, want %s", got, want)
		}
	default:
		t.Errorf("the proxy was not asked: %s", out)
	}
}

// Where only a proxy leads out, TLS is looked at through it, too.
func TestVerifyTLSThroughAProxy(t *testing.T) {
	site := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }))
	defer site.Close()
	site.Config.ErrorLog = log.New(io.Discard, "", 0) // of the handshake that must fail
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: site.Certificate().Raw}), 0o644); err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		there, err := net.Dial("tcp", site.Listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer there.Close()
		here, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer here.Close()
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		go io.Copy(there, here)
		io.Copy(here, there)
	}))
	defer proxy.Close()
	// The certificate has this name, and no system knows it.
	builder := exec.CommandContext(t.Context(), "builder", "verify", "https://nowhere.example.com", "--ca-file", ca)
	builder.Env = append(os.Environ(), "HTTPS_PROXY="+proxy.URL, "https_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	out, err := builder.CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("ok   connection: TLS:")) {
		t.Errorf("%v: %s", err, out)
	}
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"builder": main})
}

// patience bounds every wait for what must happen.
const patience = 20 * time.Second

// The stories in testdata, with these commands and conditions beside testscript's:
//
//	listing DIR FILE          write path and SHA-256 of every file of DIR into FILE
//	listing -stat DIR FILE    the same with the time of change: two equal ones
//	                          mean that nothing was written between
//	grow DIR N                write N articles, many of one date, into DIR
//	shuffle DIR COPY          copy DIR so that the system lists its files in another order
//	[!] holds DIR TEXT...     every TEXT is in some byte of DIR, unpacked too; with !, none is
//	waitfor FILE PATTERN      wait until the file matches
//	waitnot FILE              wait until the file is gone
//	terminate                 send SIGTERM to the programs in the background
//	[root]                    the tests run as root, whom no permission stops
//	[tmpfs]                   a small disk can be had by unshare and mount
//	[inotify]                 the system's events can be taken away by unshare
//
// $GUIDE is the content of the project's own guide.
func TestStories(t *testing.T) {
	guide, err := filepath.Abs("../../content")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("GUIDE", guide)
			env.Setenv("XDG_CACHE_HOME", env.Getenv("WORK")+"/.cache")
			env.Setenv("GORACE", "atexit_sleep_ms=0") // or each of many processes sleeps for a second
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"listing":   listing,
			"grow":      grow,
			"shuffle":   shuffle,
			"holds":     holds,
			"waitfor":   waitFor,
			"waitnot":   waitNot,
			"terminate": terminate,
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "tmpfs":
				return exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "none", os.TempDir()).Run() == nil, nil
			case "inotify":
				return exec.Command("unshare", "-r", "sh", "-c", "echo 0 > /proc/sys/user/max_inotify_instances").Run() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
	})
}

func listing(ts *testscript.TestScript, _ bool, args []string) {
	stat := args[0] == "-stat"
	if stat {
		args = args[1:]
	}
	var b bytes.Buffer
	files(ts, args[0], func(name string, info fs.FileInfo, data []byte) {
		fmt.Fprintf(&b, "%s %x", name, sha256.Sum256(data))
		if stat {
			fmt.Fprintf(&b, " %d", info.ModTime().UnixNano())
		}
		b.WriteByte('\n')
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o644))
}

// files calls each with every file of a folder, in the order of their names.
func files(ts *testscript.TestScript, dir string, each func(name string, info fs.FileInfo, data []byte)) {
	fsys := os.DirFS(ts.MkAbs(dir))
	ts.Check(fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err == nil {
			each(name, info, data)
		}
		return err
	}))
}

func grow(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	for i := range n {
		text := fmt.Sprintf("---\ntitle: Article %d\ndate: 2026-01-%02d\ntags: [all, tag%d]\n---\n%s\n", i, 1+i%28, i%9, strings.Repeat("Some *words* of it.\n", i%60))
		ts.Check(os.WriteFile(ts.MkAbs(fmt.Sprintf("%s/%d.md", args[0], i)), []byte(text), 0o644))
	}
}

// shuffle copies the files in reverse. Many file systems list them in an order of their
// own all the same; memory does not, so the copy is there where the machine has such a
// disk, behind a link.
func shuffle(ts *testscript.TestScript, _ bool, args []string) {
	from, to := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	const memory = "/dev/shm"
	if _, err := os.Stat(memory); err == nil {
		dir, err := os.MkdirTemp(memory, "newsstand-")
		ts.Check(err)
		ts.Defer(func() { os.RemoveAll(dir) })
		ts.Check(os.MkdirAll(filepath.Dir(to), 0o755))
		ts.Check(os.Symlink(filepath.Join(dir, "content"), to))
		to = filepath.Join(dir, "content")
	}
	var names []string
	ts.Check(fs.WalkDir(os.DirFS(from), ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, name)
		}
		return err
	}))
	for _, name := range slices.Backward(names) {
		data, err := os.ReadFile(filepath.Join(from, name))
		ts.Check(err)
		ts.Check(os.MkdirAll(filepath.Dir(filepath.Join(to, name)), 0o755))
		ts.Check(os.WriteFile(filepath.Join(to, name), data, 0o644))
	}
}

func holds(ts *testscript.TestScript, neg bool, args []string) {
	found := map[string]string{}
	files(ts, args[0], func(name string, _ fs.FileInfo, data []byte) {
		if zr, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			text, err := io.ReadAll(zr)
			ts.Check(err)
			data = append(data, text...)
		}
		for _, text := range args[1:] {
			if bytes.Contains(data, []byte(text)) || strings.Contains(name, text) {
				found[text] = name
			}
		}
	})
	for _, text := range args[1:] {
		if name, ok := found[text]; ok == neg {
			ts.Fatalf("%q: found in %q", text, name)
		}
	}
}

func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	pattern := regexp.MustCompile(args[1])
	until(ts, args[0]+" matches "+args[1], func() bool {
		data, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && pattern.Match(data) != neg
	})
}

func waitNot(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, args[0]+" is gone", func() bool {
		_, err := os.Stat(ts.MkAbs(args[0]))
		return os.IsNotExist(err)
	})
}

func until(ts *testscript.TestScript, what string, done func() bool) {
	for began := time.Now(); !done(); time.Sleep(5 * time.Millisecond) { // another process: nothing to wait on
		if time.Since(began) > patience {
			ts.Fatalf("not within %v: %s", patience, what)
		}
	}
}

func terminate(ts *testscript.TestScript, _ bool, _ []string) {
	for _, cmd := range ts.BackgroundCmds() {
		ts.Check(cmd.Process.Signal(syscall.SIGTERM))
	}
}

func TestManPages(t *testing.T) {
	commandlinetest.ManPages(t, newRootCommand(), "builder.1", "builder-build.1")
}

func TestManual(t *testing.T) {
	commandlinetest.Manual(t, newRootCommand(), commandline.Done, commandline.Failed, commandline.Usage, exitNone, exitInterrupted)
}

// The manual of build names every key of its JSON object.
func TestManualNamesEveryKey(t *testing.T) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[report]()) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !regexp.MustCompile(`\b` + key + `\b`).MatchString(buildHelp) {
			t.Errorf("the manual of build does not name %s", key)
		}
	}
}

func TestSize(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 kB", 123456: "123.5 kB", 82e6: "82.0 MB", 6e9: "6.0 GB"} {
		if got := size(bytes); got != want {
			t.Errorf("size(%d) = %q, want %q", bytes, got, want)
		}
	}
}

//go:build e2e

package cmd_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What callers send here, and nothing else holds. All of it is looked for in every byte
// that a program writes.
const (
	canary        = "kanarienvogel"
	canaryAddress = "203.0.113.199" // as proxies tell it
	callerAddress = "127.83.61.7"   // where the connections come from
)

// Traffic of all kinds leaves nothing of a caller behind: not in a file that searchd or the
// preview wrote, not in their logs at the level debug, not in metrics or profiles.
func TestE2ENothingOfACallerIsWritten(t *testing.T) {
	if dialer := caller(); dialer.LocalAddr == nil {
		t.Logf("this system has no address %s: connections come from the usual one", callerAddress)
	}
	t.Run("searchd", func(t *testing.T) {
		home := t.TempDir()
		public := filepath.Join(home, "public")
		buildSite(t, filepath.Join(t.TempDir(), "content"), public, "control", 20)
		p := startAt(t, home, "searchd", "serve", "--source", public, "--data", filepath.Join(home, "data"),
			"--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--log-level", "debug")
		var address string
		until(t, "searchd answers", func() bool {
			address = p.says("searchd listens")
			return address != "" && get(http.DefaultClient, address+"/api/articles?q=control") != ""
		})
		leaveTraces(t, strings.TrimPrefix(address, "http://"))
		buildSite(t, filepath.Join(t.TempDir(), "content"), public, "changed", 20) // an update meanwhile
		until(t, "the update is taken up", func() bool {
			return strings.Contains(get(http.DefaultClient, address+"/api/articles?q=changed"), `"count":10,`)
		})
		leaveTraces(t, strings.TrimPrefix(address, "http://"))
		admin := p.says("the operator's side listens")
		for _, path := range []string{"/metrics", "/readyz", "/debug/pprof/cmdline", "/debug/pprof/goroutine?debug=2", "/debug/pprof/heap?debug=1"} {
			text := get(http.DefaultClient, admin+path)
			if text == "" {
				t.Errorf("%s does not answer", path)
			}
			clean(t, path, []byte(text))
		}
		nothingWritten(t, p, home)
		if !strings.Contains(p.output.String(), "msg=answered status=400") {
			t.Error("the log is not that of the level debug")
		}
	})
	t.Run("preview", func(t *testing.T) {
		home := t.TempDir()
		content := filepath.Join(home, "content")
		writeArticle(t, content, "one", "Control", "control")
		config, err := filepath.Abs(filepath.Join("..", "netlify.toml"))
		must(t, err)
		listen := freeAddress(t)
		p := startAt(t, home, "preview", "--content", content, "--config", config, "--listen", listen)
		until(t, "the preview answers", func() bool { return get(http.DefaultClient, "http://"+listen+"/api/articles?q=control") != "" })
		leaveTraces(t, listen)
		nothingWritten(t, p, home)
	})
}

// startAt starts a program whose working folder, home and temporary folder are below home.
func startAt(t *testing.T, home, name string, args ...string) *program {
	t.Helper()
	temporary := filepath.Join(home, "tmp")
	must(t, os.MkdirAll(temporary, 0o755))
	cmd := command(t, name, args...)
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "HOME="+home, "TMPDIR="+temporary, "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	return launch(t, name, cmd)
}

// caller dials from an address of its own, where the system has it.
func caller() *net.Dialer {
	d := &net.Dialer{Timeout: patience}
	if l, err := net.Listen("tcp", callerAddress+":0"); err == nil {
		l.Close()
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(callerAddress)}
	}
	return d
}

// leaveTraces asks in all the ways in which something of a caller could stay.
func leaveTraces(t *testing.T, address string) {
	t.Helper()
	dialer := caller()
	client := &http.Client{Timeout: patience, Transport: &http.Transport{
		DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
			return dialer.DialContext(ctx, network, to)
		},
	}}
	defer client.CloseIdleConnections()
	header := http.Header{
		"User-Agent": {canary}, "Cookie": {"session=" + canary}, "Authorization": {"Bearer " + canary}, "Referer": {"https://" + canary + ".example/"},
		"X-Forwarded-For": {canaryAddress}, "X-Real-Ip": {canaryAddress}, "Forwarded": {"for=" + canaryAddress}, "X-Nf-Client-Connection-Ip": {canaryAddress},
		"X-Request-Id": {canary}, "Traceparent": {canary}, "If-None-Match": {`"` + canary + `"`}, "Accept-Language": {canary}, "X-Nf-Sign": {canary},
	}
	asked := 0
	for _, target := range []string{
		"/api/articles?q=" + canary, "/api/articles?q=control+" + canary, "/api/articles?q=%22control+" + canary + "%22", "/api/articles?q=-" + canary,
		"/api/articles?q=" + canary + strings.Repeat("+"+canary, 63), "/api/articles?q=" + strings.Repeat(canary, 30), "/api/articles?q=" + strings.Repeat(canary, 100),
		"/api/articles?q=control&limit=" + canary, "/api/articles?q=control&offset=" + canary, "/api/articles?tag=" + canary, "/api/articles?language=" + canary,
		"/api/articles?q=" + canary + "&q=" + canary, "/api/articles?q=%ff" + canary, "/api/articles?q=%zz" + canary, "/api/articles?q=" + canary + "%00",
		"/api/articles?" + canary + "=" + canary + "&q=control", "/api/article?id=" + canary, "/api/article?id=../" + canary, "/api/" + canary, "/" + canary + "?" + canary,
		"/.%2e/" + canary, "//" + canary, "/api/health?" + canary, "/openapi.json?" + canary,
	} {
		for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST", "DELETE"} {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+"/", strings.NewReader(map[bool]string{true: canary}[method == "POST"]))
			must(t, err)
			path, query, _ := strings.Cut(target, "?")
			r.URL.Opaque, r.URL.RawQuery = "//"+address+path, query // as it is written here
			r.Header = header.Clone()
			resp, err := client.Do(r)
			if err != nil {
				continue // some are refused before they are answered
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			asked++
		}
	}
	if asked < 100 {
		t.Errorf("only %d requests were answered", asked)
	}
	for _, request := range []string{
		"GET /api/articles?q=%[1]s HTTP/1.1\r\nHost: %[1]s\r\nX-%[1]s: %[1]s\r\n\r\n", // and gone
		"%[1]s %[1]s %[1]s\r\n\r\n",
		"%[1]s /api/articles?q=%[1]s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"GET /%%%[1]s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: a b %[1]s\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: %[1]s\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: %[1]s\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\n%[1]s\r\n\r\n",
		"GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("%[1]s", 10000) + "\r\n\r\n",
		"\x16\x03\x01%[1]s\r\n\r\n",
	} {
		conn, err := dialer.Dial("tcp", address)
		must(t, err)
		conn.SetDeadline(time.Now().Add(patience))
		fmt.Fprintf(conn, request, canary)
		if strings.Contains(request, "close") {
			io.Copy(io.Discard, conn)
		}
		conn.Close()
	}
}

// nothingWritten looks through all that a program has written, while it runs and after it.
func nothingWritten(t *testing.T, p *program, home string) {
	t.Helper()
	look := func() (files int) {
		err := filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) { // the index drops files as it goes
				return nil
			}
			if err != nil || d.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			files++
			clean(t, path, data)
			clean(t, "a name", []byte(path))
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		return files
	}
	t.Logf("%d files were looked through", look())
	// And it writes nowhere else.
	fds, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.cmd.Process.Pid))
	if err != nil {
		t.Logf("what it has open cannot be seen here: %v", err)
	}
	for _, fd := range fds {
		name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", p.cmd.Process.Pid, fd.Name()))
		if err != nil || !strings.HasPrefix(name, "/") || name == os.DevNull {
			continue // closed meanwhile, a connection, a pipe
		}
		flags, err := os.ReadFile(fmt.Sprintf("/proc/%d/fdinfo/%s", p.cmd.Process.Pid, fd.Name()))
		if err == nil && !regexp.MustCompile(`flags:\s+0*[0-7]*[04]\n`).Match(flags) && !strings.HasPrefix(name, home) {
			t.Errorf("it has %s open for writing", name)
		}
	}
	p.stop(syscall.SIGTERM)
	look()
	clean(t, p.name+"'s output", []byte(p.output.String()))
}

// clean wants nothing of a caller in what was written.
func clean(t *testing.T, name string, data []byte) {
	t.Helper()
	lower := bytes.ToLower(data)
	for _, secret := range []string{canary[:8], canaryAddress, callerAddress} {
		if i := bytes.Index(lower, []byte(secret)); i >= 0 {
			t.Errorf("%s has %q: …%.200q", name, secret, data[max(0, i-50):])
		}
	}
}

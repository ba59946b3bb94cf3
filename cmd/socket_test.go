//go:build e2e

package cmd_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// Behind a socket that systemd holds, searchd is restarted and upgraded under load, and nobody is
// refused: callers wait for the next process. Of one that is killed, only the requests that it had
// accepted are lost.
func TestE2ESocketOutlivesSearchd(t *testing.T) {
	content, public, data := t.TempDir(), t.TempDir(), t.TempDir()
	buildSite(t, content, public, "word", 40)
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer socket.Close()
	file, err := socket.(*net.TCPListener).File()
	must(t, err)
	defer file.Close()
	next := func() *program {
		p, base := ready(t, launch(t, "searchd", activated(t.Context(), t, []*os.File{file}, "--source", public, "--data", data, "--listen", "127.0.0.1:1",
			"--admin", "127.0.0.1:0", "--time-limit", "10s"))) // or a search that waits for a slow start is 503
		if want := "http://" + socket.Addr().String(); base != want {
			t.Errorf("searchd listens at %s, want %s", base, want)
		}
		return p
	}
	searchd := next()

	const clients, restarts = 4, 5
	var answered, lost atomic.Int64
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	for n := range clients {
		client := validating(t, articletest.Contract(t))
		if n%2 == 0 {
			client.Transport = &http.Transport{DisableKeepAlives: true}
		}
		load.Go(func() {
			for ctx.Err() == nil {
				if strings.Contains(get(client, "http://"+socket.Addr().String()+"/api/articles?q=common"), `"total":40`) {
					answered.Add(1)
				} else {
					lost.Add(1)
				}
			}
		})
	}
	goesOn := func() {
		t.Helper()
		before := answered.Load()
		until(t, "searches are answered", func() bool { return answered.Load() > before+50 })
	}
	for range restarts {
		goesOn()
		searchd.stop(syscall.SIGTERM)
		searchd = next()
	}
	goesOn()
	if n := lost.Load(); n > 0 {
		t.Errorf("%d answers were lost over %d restarts", n, restarts)
	}
	for range restarts {
		goesOn()
		searchd.kill()
		searchd = next()
	}
	goesOn()
	stop()
	load.Wait()
	if n := lost.Load(); n > clients*restarts {
		t.Errorf("%d answers were lost over %d kills, of %d at once", n, restarts, clients)
	}
	t.Logf("%d answers, %d lost", answered.Load(), lost.Load())
}

// activated is a searchd to which files are passed as systemd passes sockets (sd_listen_fds(3)).
func activated(ctx context.Context, t *testing.T, files []*os.File, flags ...string) *exec.Cmd {
	t.Helper()
	searchd := command(t, "searchd", append([]string{"serve"}, flags...)...)
	passed := exec.CommandContext(ctx, "sh", append([]string{"-c", fmt.Sprintf(`LISTEN_PID=$$ LISTEN_FDS=%d exec "$0" "$@"`, len(files))}, searchd.Args...)...)
	passed.ExtraFiles = files
	return passed
}

// What searchd cannot listen on is said.
func TestE2ESocketsThatAreNone(t *testing.T) {
	public := t.TempDir()
	buildSite(t, t.TempDir(), public, "word", 1)
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer tcp.Close()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	defer udp.Close()
	local, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "socket")})
	must(t, err)
	defer local.Close()
	stream, err := tcp.(*net.TCPListener).File()
	must(t, err)
	defer stream.Close()
	datagram, err := udp.(*net.UDPConn).File()
	must(t, err)
	defer datagram.Close()
	path, err := local.File()
	must(t, err)
	defer path.Close()
	for name, files := range map[string][]*os.File{"two": {stream, stream}, "a datagram": {datagram}, "a path for datagrams": {path}} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // or it would serve for ever
		defer cancel()
		out, err := activated(ctx, t, files, "--source", public, "--admin", "").CombinedOutput()
		if err == nil || !strings.Contains(string(out), "error: systemd does not pass exactly one socket") || !strings.Contains(string(out), "\nhint: ") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

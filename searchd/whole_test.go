package searchd

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// counting counts how often something is sent.
type counting struct {
	net.Listener
	sent *atomic.Int64
}

type countingConn struct {
	net.Conn
	sent *atomic.Int64
}

func (l counting) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return countingConn{conn, l.sent}, err
}

func (c countingConn) Write(p []byte) (int, error) {
	c.sent.Add(1)
	return c.Conn.Write(p)
}

// A replica that is killed leaves no half answer behind: each goes out in one piece, however long
// it is, and on a connection that is kept.
func TestAnswersAreSentInOnePiece(t *testing.T) {
	source := t.TempDir()
	publish(t, source, many(100, "walrus")...)
	l, err := Open(t.Context(), Options{Source: source})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	load(t, l)
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	sent := new(atomic.Int64)
	server := newPublicServer(NewHandler(l), slog.New(slog.DiscardHandler))
	go server.Serve(newWholeListener(counting{inner, sent}))
	defer server.Close()

	longest := 0
	for limit := 1; limit <= 100; limit++ {
		for _, request := range []string{"GET /api/articles?q=walrus&limit=%d", "HEAD /api/articles?q=walrus&limit=%d", "GET /api/articles?limit=x%d", "OPTIONS /api/articles?limit=%d"} {
			method, target, _ := strings.Cut(fmt.Sprintf(request, limit), " ")
			before := sent.Load()
			r, err := http.NewRequest(method, "http://"+inner.Addr().String()+target, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || method == http.MethodGet && int64(len(body)) != resp.ContentLength {
				t.Fatalf("%s %s: %d bytes of %d: %v", method, target, len(body), resp.ContentLength, err)
			}
			if n := sent.Load() - before; n != 1 {
				t.Errorf("%s %s: %d bytes in %d pieces", method, target, len(body), n)
			}
			longest = max(longest, len(body))
		}
	}
	if longest < 20_000 {
		t.Errorf("the longest answer has %d bytes only", longest)
	}
}

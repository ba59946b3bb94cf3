package searchd

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
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
	h, _ := servedSite(t, 100)
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	sent := new(atomic.Int64)
	server := newPublicServer(h, time.Second, log.New(io.Discard, "", 0))
	go server.Serve(newWholeListener(counting{inner, sent}))
	defer server.Close()

	longest := 0
	for limit := 1; limit <= 100; limit++ {
		for _, request := range []string{"GET /api/articles?q=walrus&limit=%d", "HEAD /api/articles?q=walrus&limit=%d", "GET /api/articles?limit=x%d", "OPTIONS /api/articles?limit=%d"} {
			method, target, _ := strings.Cut(fmt.Sprintf(request, limit), " ")
			before := sent.Load()
			r, err := http.NewRequest(method, "http://"+inner.Addr().String()+target, nil)
			must(t, err)
			resp, err := http.DefaultClient.Do(r)
			must(t, err)
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

// one is a listener with one connection.
type one chan net.Conn

func (l one) Accept() (net.Conn, error) {
	conn, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return conn, nil
}

func (l one) Close() error   { return nil }
func (l one) Addr() net.Addr { return &net.TCPAddr{} }

// An answer that its client did not take in time is followed by no other: its beginning would be
// taken for the rest of the first.
func TestNothingFollowsHalfAnAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := newPublicServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := bytes.Repeat([]byte("x"), 20_000)
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			sendWhole(w, r, body)
		}), time.Second, log.New(io.Discard, "", 0))
		client, conn := net.Pipe()
		l := make(one, 1)
		l <- conn
		go server.Serve(newWholeListener(l))
		go io.WriteString(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if _, err := io.ReadFull(client, make([]byte, 1000)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(writeTimeout + 2*time.Second)
		client.SetReadDeadline(time.Now().Add(time.Second))
		rest, err := io.ReadAll(client)
		if len(rest) > 0 || err != nil {
			t.Errorf("after a part of the first answer came %d bytes, %v: %.100q", len(rest), err, rest)
		}
		client.Close()
		close(l)
		server.Close()
	})
}

package searchd

import (
	"bytes"
	"net"
	"net/http"
	"sync"
)

// Answers of more than four kilobytes are sent in two pieces by net/http: what its buffer holds,
// and the rest. A process that is killed between the two leaves half an answer, and a proxy that
// has passed on its beginning can ask no other replica any more. In one piece, the system has all
// of it or nothing.

// wholeListener accepts connections that can send in one piece what is given to them in several.
type wholeListener struct {
	net.Listener
	buffers *sync.Pool // of *bytes.Buffer
}

func newWholeListener(l net.Listener) wholeListener {
	return wholeListener{l, &sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

func (l wholeListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &wholeConn{Conn: conn, buffers: l.buffers}, nil
}

// wholeConn is written to by one goroutine, that of its requests.
type wholeConn struct {
	net.Conn
	buffers *sync.Pool
	held    *bytes.Buffer // nil where what is written is sent at once
}

// Write is that of net.Conn, or keeps what is written for the rest of the answer.
func (c *wholeConn) Write(p []byte) (int, error) {
	if c.held != nil {
		return c.held.Write(p)
	}
	return c.Conn.Write(p)
}

// CloseWrite lets net/http end a connection in steps, as it does with those of package net.
func (c *wholeConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return c.Conn.Close()
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// sendWhole writes the headers and the body of an answer, in one piece where the connection can.
// Errors have nobody left to be told to: the client is gone. Where it did not take the whole answer
// in time, the connection is closed, or the next answer would be read as the rest of this one.
func sendWhole(w http.ResponseWriter, r *http.Request, body []byte) {
	conn, ok := r.Context().Value(connKey{}).(*wholeConn)
	if !ok {
		w.Write(body)
		return
	}
	conn.held = conn.buffers.Get().(*bytes.Buffer)
	w.Write(body)
	http.NewResponseController(w).Flush()
	held := conn.held
	conn.held = nil
	if _, err := conn.Conn.Write(held.Bytes()); err != nil {
		conn.Conn.Close()
	}
	held.Reset()
	conn.buffers.Put(held)
}

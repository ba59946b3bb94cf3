package searchd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"newsstand/builder/hinted"
)

// ServeOptions are those of a daemon.
type ServeOptions struct {
	Options
	// Listen is the address of the public side, such as "localhost:8081".
	Listen string
	// Socket, if not nil, takes the place of Listen: a socket that outlives this process, so that
	// callers wait for the next process and are not refused.
	Socket net.Listener
	// Admin is the address of the operator's side; "" is none.
	Admin string
	// Level, if not nil, is the least level that Log writes: /log-level on the operator's side
	// shows and sets it.
	Level *slog.LevelVar
	// Connections is the largest number of connections of the public side; one more closes that
	// which has waited longest for a request. Default 10,000, which take some hundred MB, or three
	// quarters of the files that the process may have open if these are fewer.
	Connections int
	// Drain is the longest time for requests in flight after ctx is done. Default 10 s.
	Drain time.Duration
}

// Bounds of a connection of the public side. Requests are one line and a few headers,
// answers at most some hundred kilobytes; whoever needs longer holds a connection
// for nothing.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 10 * time.Second // a body is never wanted
	writeTimeout      = 30 * time.Second
	// idleTimeout is longer than proxies keep idle connections (60 s is common), so that
	// it is they who close them and no request meets a connection that we just closed.
	idleTimeout = 120 * time.Second
	// maxHeaderBytes holds the longest legal query, 512 characters of 4 bytes, each
	// percent-encoded as 3, and twice as much of what proxies add.
	maxHeaderBytes = 20 << 10
)

// Serve runs the daemon until ctx is done: then it stops accepting, finishes what is in flight, and
// returns nil. It listens before it loads, so that a busy port fails at once. While it opens the
// index of the data folder, which usually takes a tenth of a second, searches wait. If that takes
// longer than a search may, because all of a large index must be read, or if there is no index yet,
// they are answered with 503 until a whole revision is loaded. /livez answers throughout.
func Serve(ctx context.Context, o ServeOptions) (err error) {
	if o.Drain <= 0 {
		o.Drain = 10 * time.Second
	}
	if o.Connections <= 0 {
		o.Connections = mostConnections()
	}
	public := o.Socket
	if public == nil {
		if public, err = listen(o.Listen, "--listen"); err != nil {
			return err
		}
	}
	defer public.Close() // where it is not served after all
	var private net.Listener
	if o.Admin != "" {
		if private, err = listen(o.Admin, "--admin"); err != nil {
			return err
		}
		defer private.Close()
	}
	live, err := open(o.Options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, live.Close()) }()
	o.Options = live.options // with their defaults, and a log that counts
	errorLog := newErrorLog(o.Log, live.metrics.acceptFailures)
	var draining atomic.Bool
	if private != nil {
		admin := newServer(newAdminHandler(live, &draining, o.Level), errorLog)
		defer admin.Close() // last, so that it can be seen how the rest stops
		go admin.Serve(patientListener{private})
		o.Log.Info("the operator's side listens", "address", addressOf(private))
	}
	server := newPublicServer(NewHandler(live), o.TimeLimit, errorLog)
	connections := newConnections(o.Connections, live.metrics.dropped)
	server.ConnState = connections.note
	served := make(chan error, 1)
	go func() {
		served <- server.Serve(newWholeListener(patientListener{public}))
		close(served)
	}()
	o.Log.Info("searchd listens", "address", addressOf(public), "source", o.Source, "data", live.data.dir)
	o.logTerms()

	running, stop := context.WithCancel(context.WithoutCancel(ctx)) // it ends after the requests
	defer stop()
	followed := make(chan error, 1)
	go func() {
		defer close(followed)
		if err := live.restore(running); err != nil {
			followed <- err
			return
		}
		followed <- live.Run(running)
	}()
	select {
	case err = <-followed:
	case err = <-served:
	case <-ctx.Done():
		o.Log.Info("stopping: no new connections, finishing what is in flight", "longest", o.Drain.String())
	}
	draining.Store(true)
	server.SetKeepAlivesEnabled(false) // before new ones are refused: whoever may ask again could not
	public.Close()
	<-served // after this, none is accepted any more
	err = errors.Join(err, drain(server, connections, o.Drain))
	stop()
	<-followed
	if err == nil {
		o.Log.Info("drained")
	}
	return err
}

// logTerms logs what an operator may not expect.
func (o *ServeOptions) logTerms() {
	if o.Data == "" {
		o.Log.Info("the index is in a temporary folder and will be built anew at the next start", "hint", "keep it with --data")
	}
	if len(o.NetlifySecrets) > 0 {
		o.Log.Info("only requests signed by Netlify are answered", "secrets", len(o.NetlifySecrets))
	} else {
		o.Log.Info("requests need no signature: whoever reaches the address may search", "hint", "let only your CDN or web server reach it; for Netlify's, give --netlify-secret-file")
	}
}

// drain closes a server that accepts no more connections and keeps none for another request, once
// the requests in flight are answered, or after longest. http.Server.Shutdown would drop requests
// that it has just read. So drain waits until no connection is in use.
func drain(server *http.Server, c *connections, longest time.Duration) (err error) {
	deadline, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	if !c.quiet(deadline) {
		err = hinted.Error(fmt.Errorf("%d requests were still in flight after %v and were cut off", c.count(), longest),
			"nothing, if these clients neither sent nor read anything; otherwise give --drain more time")
	}
	return errors.Join(err, server.Close())
}

// listen opens an address. Its errors name the flag to change.
func listen(address, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, hinted.Error(fmt.Errorf("listen on %s: another program has this port", address),
			"choose another address with "+flag+", or stop the other program")
	case errors.Is(err, syscall.EACCES):
		return nil, hinted.Error(fmt.Errorf("listen on %s: not permitted", address), "choose a port above 1023 with "+flag)
	case err != nil:
		return nil, hinted.Error(fmt.Errorf("listen: %w", err),
			hintFor(err, "give "+flag+" an address of this machine, such as localhost:8081, or :8081 for all of them"))
	}
	return l, nil
}

// addressOf returns the address at which a listener is reached.
func addressOf(l net.Listener) string {
	a := l.Addr()
	if a.Network() == "unix" {
		return "unix:" + a.String()
	}
	return "http://" + a.String()
}

// patientListener makes every failure to accept a connection a temporary one, which net/http
// reports and tries again after a moment. By itself, net/http does so if files run out; if memory
// does, it ends the server.
type patientListener struct{ net.Listener }

func (l patientListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return nil, passing{err}
	}
	return conn, err
}

// passing is an error that net/http takes for a temporary one.
type passing struct{ error }

func (passing) Timeout() bool   { return false }
func (passing) Temporary() bool { return true }

// newPublicServer is the server of the public side. Its time limits for reading and for writing
// include that of a search: net/http counts the search towards both, and takes a client for gone
// when the time for reading is over.
func newPublicServer(h http.Handler, timeLimit time.Duration, errorLog *log.Logger) *http.Server {
	server := newServer(h, errorLog)
	server.ReadTimeout, server.WriteTimeout = timeLimit+readTimeout, timeLimit+writeTimeout
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, connKey{}, conn)
	}
	return server
}

// newServer has the bounds that both sides share.
func newServer(h http.Handler, errorLog *log.Logger) *http.Server {
	return &http.Server{
		Handler: h, DisableGeneralOptionsHandler: true, // "OPTIONS *" is answered as every other
		ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: errorLog,
	}
}

// newErrorLog is what net/http logs to.
func newErrorLog(logger *slog.Logger, failed prometheus.Counter) *log.Logger {
	return log.New(&acceptErrors{log: logger, failed: failed}, "", 0)
}

// acceptErrors passes on the one message of net/http that an operator can act on. The
// others are about single clients, with their addresses, which no log of ours holds.
type acceptErrors struct {
	log    *slog.Logger
	failed prometheus.Counter
	lines  occasion
}

func (a *acceptErrors) Write(line []byte) (int, error) {
	if text, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("http: Accept error: ")); ok {
		a.failed.Inc()
		text, _, _ = bytes.Cut(text, []byte("; retrying in "))
		if unlogged, ok := a.lines.now(string(text)); ok {
			hint := "raise the limit of open files (LimitNOFILE), or put a proxy in front"
			if !bytes.HasSuffix(text, []byte("open files")) && !bytes.HasSuffix(text, []byte("open files in system")) {
				hint = "check the memory and the network of this machine; searchd tries again by itself"
			}
			a.log.Error("cannot accept connections", "error", string(text), "unlogged", unlogged, "hint", hint)
		}
	}
	return len(line), nil
}

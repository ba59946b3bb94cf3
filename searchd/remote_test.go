package searchd

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"newsstand/builder/hinted"
)

func TestSiteAddresses(t *testing.T) {
	for _, c := range []struct {
		address   string
		allowHTTP bool
		want      string // "" for an error
		hint      string
	}{
		{"https://site.example", false, "https://site.example", ""},
		{"https://site.example/", false, "https://site.example", ""},
		{"HTTPS://Site.example:8443/Docs/", false, "https://site.example:8443/Docs", ""},
		{"http://localhost:8080", false, "http://localhost:8080", ""},
		{"http://a.localhost", false, "http://a.localhost", ""},
		{"http://127.0.0.2:80", false, "http://127.0.0.2:80", ""},
		{"http://[::1]:80", false, "http://[::1]:80", ""},
		{"http://site.example", false, "", "with https; in a network that you trust, add --allow-http"},
		{"http://localhost.example", false, "", "--allow-http"},
		{"http://10.0.0.1", false, "", "--allow-http"},
		{"http://site.example", true, "http://site.example", ""},
		{"ftp://site.example", true, "", "give a folder, or an address"},
		{"s3://bucket", true, "", "give a folder, or an address"},
		{"https://", false, "", "such as https://example.org"},
		{"https://user:secret@site.example", false, "", "without user, query or #"},
		{"https://site.example/?a=b", false, "", "without user, query or #"},
		{"https://site.example/#a", false, "", "without user, query or #"},
		{"https://site.example/?", false, "", "without user, query or #"}, // or the manifest would be its query
		{"https://site.example/#", false, "", "without user, query or #"},
		{"https://:8443", false, "", "such as https://example.org"}, // or this machine would be asked
	} {
		got, err := parseAddress(c.address, c.allowHTTP)
		if c.want == "" {
			if !errors.Is(err, ErrOptions) || !strings.Contains(hinted.Hint(err), c.hint) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v %v, hint %q", c.address, got, err, hinted.Hint(err))
			}
		} else if err != nil || got.String() != c.want {
			t.Errorf("%s: %v %v, want %s", c.address, got, err, c.want)
		}
	}
}

// unstarted is a server whose log nobody reads.
func unstarted(t *testing.T, h http.Handler) *httptest.Server {
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	return server
}

// trusting is for a client that trusts the certificate of a server.
func trusting(server *httptest.Server) *tls.Config {
	return &tls.Config{RootCAs: server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs}
}

// fails wants two looks to fail for one reason and in the same words: a failure is logged once.
func fails(t *testing.T, look func(context.Context) error, reason, says, hint string) {
	t.Helper()
	first, second := look(t.Context()), look(t.Context())
	if first == nil || second == nil || first.Error() != second.Error() || reasonOf(first) != reason || !strings.Contains(first.Error(), says) || !strings.Contains(hinted.Hint(first), hint) {
		t.Errorf("two looks fail with\n%v\n%v\nhint: %s", first, second, hinted.Hint(first))
	}
}

// A certificate that nobody vouches for is refused, and one that is trusted is not.
func TestSiteIsVerified(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, anArticle("one", "walrus"))
	server := unstarted(t, h)
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	fails(t, l.Load, reasonUnreachable, "x509", "SSL_CERT_FILE")
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	load(t, l)
	if found(t, l, "walrus") != "one" {
		t.Error("nothing is found")
	}
}

// Three redirects are followed, if they stay where the site is, and no more.
func TestSiteRedirects(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(3, "walrus")...)
	address := h.start(t)
	for redirects, followed := range map[int]bool{3: true, 4: false} {
		h.set(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Count(r.URL.Path, "/again") < redirects {
				http.Redirect(w, r, "/again"+r.URL.Path, http.StatusFound)
				return true
			}
			r.URL.Path = strings.ReplaceAll(r.URL.Path, "/again", "")
			return false
		})
		l, _ := opened(t, address, t.TempDir())
		if err := l.Load(t.Context()); (err == nil) != followed {
			t.Errorf("%d redirects: %v", redirects, err)
		}
	}
	server := unstarted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://"+r.Host+r.URL.Path, http.StatusFound)
	}))
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	fails(t, l.Load, reasonStatus, "it redirects to another host, http://", "follow it")
}

// saying is a server that answers whatever it is asked with a text, in which %d is how often it
// was.
func saying(t *testing.T, text string) (address string, asked *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { listener.Close() })
	asked = new(atomic.Int64)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 1<<12))
			fmt.Fprintf(conn, text, asked.Add(1))
			conn.Close()
		}
	}()
	return listener.Addr().String(), asked
}

// Where there is no TLS, or no proxy, the certificate and the host's name are not what is wrong.
func TestSiteIsNotReachedByTLS(t *testing.T) {
	plain := httptest.NewServer(newHost(t))
	defer plain.Close()
	garbled, _ := saying(t, "SSH-2.0-%d\r\n")
	for _, c := range []struct{ name, address, proxy, says, hint string }{
		{"HTTP", "https://" + plain.Listener.Addr().String(), "", "does not speak TLS", "http://"},
		{"no HTTP", "https://" + garbled, "", "does not speak TLS", "http://"},
		{"the proxy's name", "https://site.example", "http://proxy.invalid:3128", "the proxy cannot be reached", "HTTPS_PROXY"},
		{"the proxy's port", "https://site.example", "http://127.0.0.1:1", "the proxy cannot be reached: connect: connection refused", "HTTPS_PROXY"},
	} {
		l, _ := opened(t, c.address, t.TempDir())
		if c.proxy != "" {
			proxy, err := url.Parse(c.proxy)
			must(t, err)
			l.site.client.Transport.(*http.Transport).Proxy = http.ProxyURL(proxy)
		}
		t.Run(c.name, func(t *testing.T) { fails(t, l.Load, reasonUnreachable, c.says, c.hint) })
	}
}

// A certificate that is out of date is one failure, though each look is at another time.
func TestSiteHasACertificateOfAnotherTime(t *testing.T) {
	server := unstarted(t, newHost(t))
	server.StartTLS()
	s, err := openSite(server.URL, t.TempDir(), false, newMetrics(none, none))
	must(t, err)
	cert := server.Certificate()
	for _, now := range []time.Time{cert.NotBefore.Add(-time.Hour), cert.NotAfter.Add(time.Hour)} {
		config := trusting(server)
		config.Time = func() time.Time { now = now.Add(time.Minute); return now }
		s.client.Transport.(*http.Transport).TLSClientConfig = config
		fails(t, s.fetch, reasonUnreachable, cert.NotAfter.Format(time.RFC3339), "clock")
	}
}

// A host that breaks off answers of HTTP/2 is one failure, on whatever stream that was.
func TestSiteBreaksOffStreams(t *testing.T) {
	h := newHost(t)
	h.publish(t, time.Hour, many(300, "walrus")...)
	server := unstarted(t, h)
	server.EnableHTTP2 = true
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	for _, begun := range []bool{false, true} {
		h.set(func(w http.ResponseWriter, r *http.Request) bool {
			if !isChunk(r) {
				return false
			}
			if r.ProtoMajor != 2 {
				t.Errorf("asked by %s", r.Proto)
			}
			if begun {
				io.WriteString(w, "half")
				http.NewResponseController(w.(*statusWriter).ResponseWriter).Flush()
			}
			panic(http.ErrAbortHandler)
		})
		first := l.Load(t.Context())
		if reasonOf(first) != reasonUnreachable || !strings.Contains(first.Error(), "the host broke off its answer") {
			t.Errorf("load: %v", first)
		}
		for range 20 {
			if err := l.Load(t.Context()); err == nil || err.Error() != first.Error() {
				t.Fatalf("a later look says another thing, which would be logged again:\n%v\n%v", first, err)
			}
		}
	}
}

// One that closes its connections as HTTP/2 does, with the number of a stream, is one failure, too.
func TestSiteGoesAway(t *testing.T) {
	server := unstarted(t, nil)
	server.TLS = &tls.Config{NextProtos: []string{"h2"}}
	var looks atomic.Uint32
	server.Config.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){"h2": func(_ *http.Server, conn *tls.Conn, _ http.Handler) {
		const headers, goAway = 1, 7 // kinds of frames; see RFC 9113, 4.1, 6.2 and 6.8
		io.ReadFull(conn, make([]byte, len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
		conn.Write([]byte{0, 0, 0, 4, 0, 0, 0, 0, 0}) // the settings
		for frame := make([]byte, 9); frame[3] != headers; {
			if _, err := io.ReadFull(conn, frame); err != nil {
				return
			}
			io.CopyN(io.Discard, conn, int64(frame[0])<<16|int64(frame[1])<<8|int64(frame[2]))
		}
		last := binary.BigEndian.AppendUint32([]byte{0, 0, 8, goAway, 0, 0, 0, 0, 0}, 2*looks.Add(1)+1)
		conn.Write(append(last, 0, 0, 0, 0))
	}}
	server.StartTLS()
	l, _ := opened(t, server.URL, t.TempDir())
	l.site.client.Transport.(*http.Transport).TLSClientConfig = trusting(server)
	fails(t, l.Load, reasonUnreachable, "closed the connection", "")
	if looks.Load() < 2 {
		t.Errorf("asked %d times", looks.Load())
	}
}

// One whose answers are no HTTP is one failure, whatever they are.
func TestSiteSpeaksNoHTTP(t *testing.T) {
	for _, answer := range []string{
		"SSH-2.0-%d\r\n", "HTTP/%d 200 OK\r\n\r\n", "HTTP/1.1 %dx OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno header %d\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: x%d\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: x%d\r\n\r\n",
		"HTTP/1.1 302 Found\r\nLocation: http://%%zz%d\r\nContent-Length: 0\r\n\r\n",
	} {
		address, looks := saying(t, answer)
		l, _ := opened(t, "http://"+address, t.TempDir())
		t.Run(answer, func(t *testing.T) { fails(t, l.Load, reasonUnreachable, "is not HTTP", "--source") })
		if looks.Load() < 2 {
			t.Errorf("asked %d times", looks.Load())
		}
	}
}

// A host that wants rest for longer than anybody waits has as much as any gets.
func TestSiteWantsRest(t *testing.T) {
	e := newEditions(t)
	s := e.site(t, t.TempDir())
	for wanted, want := range map[string]time.Duration{"": 0, "soon": 0, "-1": 0, "100": 100 * time.Second, "301": maxBackOff, "9223372037": maxBackOff, "99999999999999999999": maxBackOff, "-9223372037": 0, "-99999999999999999999": 0,
		"Sun, 06 Nov 1994 08:50:57 GMT": 80 * time.Second, "Sunday, 06-Nov-94 08:50:57 GMT": 80 * time.Second, "Sun Nov  6 08:50:57 1994": 80 * time.Second,
		"Sun, 06 Nov 1994 08:49:00 GMT": 0, "Mon, 07 Nov 2094 08:49:37 GMT": maxBackOff, "Sun, 06 Nov 1994 08:50:57": 0} {
		s.client.Transport = inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", wanted)
			w.Header().Set("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
			w.WriteHeader(http.StatusTooManyRequests)
		})}
		var f failure
		if err := s.fetch(t.Context()); !errors.As(err, &f) || f.after != want {
			t.Errorf("Retry-After %q: %v after %v, want %v", wanted, err, f.after, want)
		}
	}
}

// What a request fails of that no server of a test brings about.
func TestWhyASiteCannotBeRead(t *testing.T) {
	for _, c := range []struct {
		err       error
		hint, why string
	}{
		{&net.DNSError{Err: "server misbehaving", Name: "x.example", IsTemporary: true}, "name servers", "the address of x.example cannot be looked up"},
		{errors.New("remote error: tls: handshake failure"), "SSL_CERT_FILE", "remote error: tls: handshake failure"},
		{context.DeadlineExceeded, "see that the host is up", "no answer in time"},
	} {
		hint, why := whyUnreadable(&url.Error{Op: "Get", URL: "https://x.example/", Err: c.err}, "x")
		if !strings.Contains(hint, c.hint) || why.Error() != c.why {
			t.Errorf("%v: %s (%s), want %s (%s)", c.err, why, hint, c.why, c.hint)
		}
	}
}

// The host learns who asks, and the operator how often, and what it answered.
func TestRequestsForASiteAreNamedAndCounted(t *testing.T) {
	asks := ""
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asks = r.UserAgent()
		http.NotFound(w, r)
	}))
	l, _ := opened(t, host.URL, t.TempDir())
	if err := l.Load(t.Context()); err == nil {
		t.Error("a site without a manifest is loaded")
	}
	host.Close()
	if err := l.Load(t.Context()); err == nil {
		t.Error("a host that is down is loaded")
	}
	if asks != "searchd (Newsstand)" {
		t.Errorf("it asks as %q", asks)
	}
	for _, status := range []string{"404", noAnswer} {
		if n := value(t, l.metrics.sourceRequests.WithLabelValues(status)); n != 1 {
			t.Errorf("%v requests are counted with the status %s", n, status)
		}
	}
}

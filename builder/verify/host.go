package verify

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

const (
	// defaultPatience is ten times what a CDN without the answer needs.
	defaultPatience = 30 * time.Second
	// mostSilence is how many requests in a row may have no answer within that time,
	// until nothing more is asked: all of them together would take hours.
	mostSilence = 3
	// maxBodyBytes bounds all answers but the chunks of a corpus, since some are read at once:
	// three times the largest file that an article may be made of. A file that was published larger
	// than that may be as large.
	maxBodyBytes = 32 << 20
	// parallel requests are few: this is a visit, not a load test.
	parallel = 8
	// Bounds of repeating a request whose answer says "later".
	maxTries      = 4
	maxRetryAfter = 5 * time.Second
)

// userAgent is what operators see of a visit in their logs.
const userAgent = "newsstand-verify"

// host sends requests to the deployment, and to nobody else. It may be used by many goroutines.
type host struct {
	base   *url.URL // its path has no slash at its end
	client *http.Client

	mu      sync.Mutex // guards what follows while requests are under way
	count   int
	silence int // requests in a row without an answer in time
	aspects []*aspect
}

// request is one request; its target goes over the wire as it is written, after the
// path of the site.
type request struct {
	method  string // GET where empty
	target  string
	atRoot  bool     // of the host, whatever the path of the site
	headers []string // name, value, name, …
	// odd requests may be refused by a server before the site sees them, in its own words.
	odd bool
	// length is what the answer should have, in bytes, where that is known.
	length int64
}

func newHost(base *url.URL, o Options) *host {
	patience := cmp.Or(o.Patience, defaultPatience)
	return &host{base: base, client: &http.Client{
		Transport:     newTransport(patience, &tls.Config{RootCAs: o.Roots}),
		Timeout:       patience,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, aspects: commonAspects(base.String())}
}

// newTransport returns a transport that goes through a proxy if the environment names one.
func newTransport(patience time.Duration, config *tls.Config) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		TLSClientConfig:       config,
		ForceAttemptHTTP2:     true,
		DisableCompression:    true, // the bytes as they are sent
		MaxIdleConnsPerHost:   parallel,
		ResponseHeaderTimeout: patience,
		TLSHandshakeTimeout:   patience,
	}
}

// ask sends a request, and repeats it after a while if the host says so.
func (h *host) ask(ctx context.Context, r request) (a answer, err error) {
	for try := 1; ; try++ {
		a, err = h.askOnce(ctx, r)
		wait, ok := retryAfter(a)
		if err != nil || !ok || try == maxTries {
			break
		}
		select {
		case <-ctx.Done():
			return a, ctx.Err()
		case <-time.After(wait):
		}
	}
	if err == nil && !r.odd && !r.atRoot && (article.IsAPI(a.request.URL.Path) || a.request.URL.Path == article.OpenAPIOperation) {
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, aspect := range h.aspects {
			aspect.look(a)
		}
	}
	return a, err
}

// retryAfter is when a busy host wants to be asked again, if that is soon.
func retryAfter(a answer) (time.Duration, bool) {
	if a.status != http.StatusServiceUnavailable && a.status != http.StatusTooManyRequests {
		return 0, false
	}
	seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
	if err != nil || seconds < 0 || seconds > int(maxRetryAfter/time.Second) {
		return 0, false
	}
	return time.Duration(seconds) * time.Second, true
}

func (h *host) askOnce(ctx context.Context, r request) (answer, error) {
	path, query, _ := strings.Cut(r.target, "?")
	// Opaque is what goes over the wire, so that nothing cleans the path; Path is that
	// within the site, by which the contract is read.
	u := &url.URL{Scheme: h.base.Scheme, Host: h.base.Host, Path: path, Opaque: h.base.EscapedPath() + path, RawQuery: query}
	if r.atRoot {
		u.Opaque = path
	}
	req := &http.Request{Method: cmp.Or(r.method, http.MethodGet), URL: u, Host: h.base.Host, Header: http.Header{"User-Agent": {userAgent}}}
	req = req.WithContext(ctx)
	if proxy, err := http.ProxyFromEnvironment(req); err == nil && proxy != nil && u.Scheme == "http" && strings.HasPrefix(proxy.Scheme, "http") {
		u.Opaque = "//" + u.Host + u.Opaque // a proxy is told the whole address
	}
	for i := 0; i+1 < len(r.headers); i += 2 {
		req.Header.Add(r.headers[i], r.headers[i+1])
	}
	if !h.speaks() {
		return answer{request: req}, fmt.Errorf("not asked any more: %d requests in a row had no answer within %v", mostSilence, h.client.Timeout)
	}
	began := time.Now()
	resp, err := h.client.Do(req)
	if err != nil {
		h.heard(err)
		if wrapped, ok := errors.AsType[*url.Error](err); ok { // it says method and address, which the check names
			err = wrapped.Err
		}
		return answer{request: req}, fmt.Errorf("no answer: %w", err)
	}
	defer resp.Body.Close()
	most := max(r.length, maxBodyBytes)
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	h.heard(err)
	switch {
	case err != nil:
		return answer{request: req}, fmt.Errorf("the answer ends early: %w", err)
	case int64(len(body)) > most:
		return answer{request: req}, fmt.Errorf("the answer is longer than %d bytes", most)
	}
	return answer{req, resp.StatusCode, resp.Header, body, time.Since(began)}, nil
}

// speaks counts a request, and reports whether the host is still to be asked.
func (h *host) speaks() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.silence >= mostSilence {
		return false
	}
	h.count++
	return true
}

// heard notes how a request ended.
func (h *host) heard(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if late, ok := errors.AsType[net.Error](err); ok && late.Timeout() {
		h.silence++
	} else if h.silence < mostSilence {
		h.silence = 0
	}
}

// folder is the host as a file system of the documents that it serves.
type folder struct {
	ctx  context.Context
	host *host
}

// Open fetches a document.
func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	a, err := f.host.ask(f.ctx, request{target: "/" + name, length: publication.MaxChunkBytes})
	switch {
	case err != nil:
	case a.status == http.StatusNotFound || a.status == http.StatusGone:
		err = fs.ErrNotExist
	case a.status != http.StatusOK:
		err = fmt.Errorf("the answer is %v", a)
	case a.header.Get("Content-Encoding") != "":
		err = fmt.Errorf("it is sent with Content-Encoding %s to a client that takes none", a.header.Get("Content-Encoding"))
	default:
		return file{bytes.NewReader(a.body)}, nil
	}
	return nil, &fs.PathError{Op: "fetch", Path: name, Err: err}
}

// file is one document, read whole. Nothing but its bytes is known of it.
type file struct{ *bytes.Reader }

func (file) Stat() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }
func (file) Close() error               { return nil }

package searchd

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
)

const (
	// headerTime is how long a host may take to begin an answer.
	headerTime = 30 * time.Second
	// fileTime is how long one file may take: the largest that is legal, at 7 Mbit/s.
	fileTime = 5 * time.Minute
	// parallelFiles are fetched at once: as many as browsers ask of one host.
	parallelFiles = 6
)

// remote is a site as it is asked over HTTP. Its errors are failures, whose text is the same for
// the same cause, so that each is logged once.
type remote struct {
	base    *url.URL // no slash at its end
	client  *http.Client
	metrics *metrics
}

// errRedirects refuses a redirect after too many.
var errRedirects = errors.New("it redirects more than three times")

// noAnswer stands for the status in a metric where there was none.
const noAnswer = "none"

func newRemote(base *url.URL, m *metrics) remote {
	transport := http.DefaultTransport.(*http.Transport).Clone() // HTTPS_PROXY, HTTP/2, time limits
	transport.DisableCompression = true                          // digests are of the bytes as they are sent
	transport.ResponseHeaderTimeout = headerTime
	transport.MaxResponseHeaderBytes = 64 << 10
	transport.MaxIdleConnsPerHost = parallelFiles
	return remote{base: base, metrics: m, client: &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != base.Scheme || r.URL.Host != base.Host {
			return redirected{r.URL}
		}
		if len(via) > 3 {
			return errRedirects
		}
		return nil
	}}}
}

// isAddress reports whether a source is a site and not a folder.
func isAddress(source string) bool { return strings.Contains(source, "://") }

// parseAddress returns the address of a site that may be followed.
func parseAddress(address string, allowHTTP bool) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Hostname() == "" || strings.ContainsAny(address, "?#") || base.User != nil {
		return nil, hinted.Error(wrongOption{errors.New("--source is not the address of a site")},
			"give the site's own address, such as https://example.org, without user, query or #")
	}
	base.Scheme, base.Host = strings.ToLower(base.Scheme), strings.ToLower(base.Host) // as a redirect has them
	host := base.Hostname()
	ip := net.ParseIP(host)
	switch {
	case base.Scheme == "https":
	case base.Scheme != "http":
		return nil, hinted.Error(wrongOption{fmt.Errorf("--source %s: a source is a folder, or an address with https", address)},
			"give a folder, or an address such as https://example.org")
	case allowHTTP || host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback():
	default:
		return nil, hinted.Error(wrongOption{fmt.Errorf("--source %s: without TLS, anyone on the way can change what is searched", address)},
			"give the address with https; in a network that you trust, add --allow-http")
	}
	return base, nil
}

// get asks for one file of the site; read has the answer, which is 200, or 304 where the
// headers allow it.
func (r *remote) get(ctx context.Context, name string, header http.Header, read func(*http.Response) error) error {
	timed, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	req, err := http.NewRequestWithContext(timed, http.MethodGet, r.address(name), nil)
	if err != nil {
		return err
	}
	maps.Copy(req.Header, header)
	req.Header.Set("User-Agent", "searchd (Newsstand)")
	resp, err := r.client.Do(req)
	if err != nil {
		r.metrics.sourceRequests.WithLabelValues(noAnswer).Inc()
		return r.unreadable(ctx, name, err)
	}
	defer resp.Body.Close()
	r.metrics.sourceRequests.WithLabelValues(strconv.Itoa(resp.StatusCode)).Inc()
	if resp.StatusCode != http.StatusOK && (resp.StatusCode != http.StatusNotModified || len(header) == 0) {
		return r.answered(name, resp)
	}
	err = read(resp)
	var f failure
	coding := resp.Header.Get("Content-Encoding")
	isDamaged := errors.As(err, &f) && f.reason == reasonDamaged
	switch {
	case err == nil:
		return nil
	case isDamaged && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html"):
		f.error = fmt.Errorf("%w; a page was sent in its place", f.error)
		return hinted.Error(f, "see that --source is the address of a site that builder has published, and that the host sends no page in place of a file, such as one to sign in")
	case isDamaged && coding != "":
		f.error = fmt.Errorf("%w; it was sent with Content-Encoding %s, which was not asked for", f.error, coding)
		return hinted.Error(f, "let the host send the files of the folder corpus as they are to clients that accept no encoding")
	case errors.As(err, &f):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.damaged(name, errors.New("was cut off on the way"))
	}
	return r.unreadable(ctx, name, err)
}

func (r *remote) address(name string) string { return r.base.String() + "/" + name }

// redirected refuses a redirect.
type redirected struct{ to *url.URL }

func (r redirected) Error() string {
	return fmt.Sprintf("it redirects to another host, %s://%s", r.to.Scheme, r.to.Host)
}

// unreadable is the failure of a request that brought no answer. Its text is the same
// each time, so that it is logged once: it names no port of ours.
func (r *remote) unreadable(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	hint, why := whyUnreadable(err, name)
	reason := reasonUnreachable
	if _, refused := errors.AsType[redirected](err); refused || errors.Is(err, errRedirects) {
		reason = reasonStatus
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "proxyconnect" {
		why = fmt.Errorf("the proxy cannot be reached: %w", why)
		hint = "see that HTTPS_PROXY, or HTTP_PROXY for http, names the proxy of this network and that it is up; NO_PROXY lists the hosts that need none"
	}
	return hinted.Error(failure{error: fmt.Errorf("read %s: %w", r.address(name), why), reason: reason}, hint)
}

// whyUnreadable returns what to do about a request for a file that brought no answer, and why it
// did not. The first that fits is taken: the error of one layer is within those of the layers above
// it.
func whyUnreadable(err error, name string) (hint string, why error) {
	text := err.Error()
	hint = hintFor(err, "see that the host is up, and that this machine reaches it")

	if refused, ok := errors.AsType[redirected](err); ok {
		if !strings.HasPrefix(refused.to.Scheme, "http") {
			return "look at the host: no site has such an address", refused
		}
		return fmt.Sprintf("if that is the site, follow it: --source %s://%s%s", refused.to.Scheme, refused.to.Host, strings.TrimSuffix(refused.to.Path, "/"+name)), refused
	}
	if errors.Is(err, errRedirects) {
		return "look at the host's redirects: this address must lead to the file", errRedirects
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok {
		if dns.IsNotFound {
			return "check the spelling of --source", fmt.Errorf("there is no host %s", dns.Name)
		}
		return "check the name servers of this machine", fmt.Errorf("the address of %s cannot be looked up", dns.Name)
	}
	if invalid, ok := errors.AsType[x509.CertificateInvalidError](err); ok && invalid.Reason == x509.Expired { // its text has the time of the look
		return "let the host renew its certificate; where it is valid today, set the clock of this machine right",
			fmt.Errorf("x509: a certificate is valid from %s to %s only",
				invalid.Cert.NotBefore.Format(time.RFC3339), invalid.Cert.NotAfter.Format(time.RFC3339))
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || errors.Is(err, http.ErrSchemeMismatch) {
		return "give the port at which it does with --source; if there is none, give the address with http://",
			errors.New("the host does not speak TLS at this port")
	}
	if strings.Contains(text, "tls: ") || strings.Contains(text, "x509: ") {
		return "give the host a valid certificate; if an authority of your own has signed it, name a file with the certificate of that authority in SSL_CERT_FILE",
			withoutURL(err)
	}
	if strings.Contains(text, "stream error: ") { // of HTTP/2, with the number of the stream
		return hint, errors.New("the host broke off its answer")
	}
	if strings.Contains(text, "GOAWAY") { // the same
		return hint, errors.New("the host closed the connection before it answered")
	}
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		return hint, errors.New("no answer in time")
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		for errors.As(op.Err, &op) { // of a proxy
		}
		return hint, op.Err
	}
	cutOff := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if strings.Contains(text, "transport connection broken: ") && !cutOff ||
		strings.Contains(text, "failed to parse Location header") { // they say what it answered
		return "see that --source names the port of a web server, and check what is between it and this machine", errors.New("the host's answer is not HTTP")
	}
	return hint, withoutURL(err)
}

// withoutURL returns what an error of a client says besides the method and the address.
func withoutURL(err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		return inner.Err
	}
	return err
}

// answered is the failure of a request that was answered with another status than 200.
func (r *remote) answered(name string, resp *http.Response) error {
	err := fmt.Errorf("read %s: the host answered %d %s", r.address(name), resp.StatusCode, http.StatusText(resp.StatusCode))
	f := failure{err, reasonStatus, retryAfter(resp.Header, time.Now())}
	hint := "look at the host's own log and status; searchd asks again by itself (at its start, only with --wait)"
	switch resp.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		f.error, f.reason = missing{err}, reasonMissing
		hint = "see that --source is the address of a site that builder has published, and that the folder corpus is deployed with it"
		if name != article.ManifestPath {
			hint = "the manifest names this file: deploy the folder corpus whole, and its manifest last; a CDN may know of it a little later, and searchd asks again by itself"
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "let the host answer this machine: what is published needs no password and no key"
	}
	return hinted.Error(f, hint)
}

// retryAfter is how long a host wants to be left alone: so many seconds, or until a time (RFC 9110,
// 10.2.3) by its own clock.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	after := time.Duration(0)
	if until, err := http.ParseTime(text); err == nil {
		if sent, err := http.ParseTime(h.Get("Date")); err == nil {
			now = sent
		}
		after = until.Sub(now)
	} else {
		seconds, _ := strconv.Atoi(text)
		after = time.Duration(min(max(0, seconds), int(maxBackOff/time.Second))) * time.Second
	}
	return min(max(0, after), maxBackOff)
}

// missing is an error that is fs.ErrNotExist, too.
type missing struct{ error }

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

// damaged is the failure of an answer that is not what it should be.
func (r *remote) damaged(name string, err error) error {
	hint := "publish the site again; where a CDN has kept a broken copy, purge this address there"
	if errors.Is(err, publication.ErrFormat) {
		hint = hintFormat
	}
	return hinted.Error(failure{error: fmt.Errorf("read %s: it %w", r.address(name), err), reason: reasonDamaged}, hint)
}

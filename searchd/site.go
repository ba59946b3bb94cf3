package searchd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

const (
	// headerTime is how long a host may take to begin an answer.
	headerTime = 30 * time.Second
	// fileTime is how long one file may take: the largest that is legal, at 7 Mbit/s.
	fileTime = 5 * time.Minute
	// parallelFiles are fetched at once: as many as browsers ask of one host.
	parallelFiles = 6
	// rollbackAfter is how long an older manifest must be all that the site has before it
	// is followed: as long as a CDN may keep a search anyway.
	rollbackAfter = 5 * time.Minute
	// tagTrust is how long a host is believed that a manifest is the one of its ETag. Where files
	// are all given one time, as some images of containers have it, and the size is the same too, it
	// says so for ever. To ask for all its bytes once an hour costs less than the looks.
	tagTrust = time.Hour
	// longestAge is more than a cache keeps anything.
	longestAge = 365 * 24 * time.Hour
	// formerManifests is how many manifests are remembered, to know them again.
	formerManifests = 64
)

// site keeps a folder equal to what a site publishes: a copy of its corpus, which is read
// as any published folder is. It is used by one goroutine at a time.
type site struct {
	base    *url.URL // no slash at its end
	dir     string   // corpus/manifest.json and what it names; and memoryName
	client  *http.Client
	metrics *metrics

	held     edition // what the folder has
	memory   memory  // what is known of it
	sighting sighting
}

// sighting is of the older manifest that the site had at the last look; zero where that had none.
type sighting struct {
	sum   string
	since time.Time
}

// edition is one manifest as the site sent it; zero where there is none.
type edition struct {
	raw      []byte
	manifest publication.Manifest
	// sent is when the site itself, and no cache before it, sent this: as an Age says, or
	// supposed to be at once where there is none.
	sent time.Time
	aged bool
	// whole is when it was last answered with all its bytes.
	whole time.Time
	known
}

// known is what a site says of a manifest.
type known struct {
	SHA256       string `json:"sha256"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	// Settled is false where another manifest may have the same ETag: many hosts make it of
	// the second of the change, and it was sent within that.
	Settled bool `json:"settled"`
}

// memory is what a restart must know beside the folder; without it, all is fetched anew.
type memory struct {
	Source string `json:"source"`
	known
	// Sent is when the site itself sent it first, where an Age said so.
	Sent time.Time `json:"sent,omitzero"`
	// Before are the digests of manifests that were held before, the last one last.
	Before []string `json:"before"`
}

// noAnswer stands for the status in a metric where there was none.
const noAnswer = "none"

// memoryName is the file of the memory.
const memoryName = "source.json"

// isAddress reports whether a source is a site and not a folder.
func isAddress(source string) bool { return strings.Contains(source, "://") }

// openSite takes the copy in dir, if it is of this address.
func openSite(address, dir string, allowHTTP bool, m *metrics) (*site, error) {
	base, err := parseAddress(address, allowHTTP)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone() // HTTPS_PROXY, HTTP/2, time limits
	transport.DisableCompression = true                          // digests are of the bytes as they are sent
	transport.ResponseHeaderTimeout = headerTime
	transport.MaxResponseHeaderBytes = 64 << 10
	transport.MaxIdleConnsPerHost = parallelFiles
	s := &site{base: base, dir: dir, metrics: m, client: &http.Client{Transport: transport, CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if r.URL.Scheme != base.Scheme || r.URL.Host != base.Host {
			return redirected{r.URL}
		}
		if len(via) > 3 {
			return errors.New("more than three redirects")
		}
		return nil
	}}}
	raw, err := os.ReadFile(filepath.Join(dir, memoryName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, hinted{fmt.Errorf("use the copy of a site in the data folder: %w", err), hintFor(err, hintData)}
	}
	if err != nil || json.Unmarshal(raw, &s.memory) != nil || s.memory.Source != base.String() {
		return s, s.begin()
	}
	raw, err = os.ReadFile(s.path(article.ManifestPath))
	if err != nil {
		return s, nil
	}
	if m, err := publication.ParseManifest(raw); err == nil {
		s.held = edition{raw: raw, manifest: m, sent: time.Now(), whole: time.Now(), known: known{SHA256: hexSum(raw)}}
		if s.held.SHA256 == s.memory.SHA256 {
			s.held.known = s.memory.known
			if sent := s.memory.Sent; !sent.IsZero() && sent.Before(s.held.sent) { // else the clock was wrong then
				s.held.sent, s.held.aged = sent, true
			}
		}
	}
	return s, nil
}

// begin empties the copy, and says whose it is before it has any file: what is there without that is not searchd's.
func (s *site) begin() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return hinted{fmt.Errorf("make a copy of %s: %w", s.base, err), hintFor(err, hintData)}
	}
	ours := func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), memoryName) }
	if len(entries) > 0 && !slices.ContainsFunc(entries, ours) {
		return hinted{fmt.Errorf("make a copy of %s: the folder %s is there already, and is not one that searchd made", s.base, s.dir), "give a folder of its own with --data"}
	}
	s.memory = memory{Source: s.base.String()}
	if err := errors.Join(os.RemoveAll(s.path(article.CorpusFolder)), os.MkdirAll(s.dir, 0o750)); err != nil {
		return hinted{fmt.Errorf("make a copy of %s: %w", s.base, err), hintFor(err, hintData)}
	}
	if err := s.remember(edition{}); err != nil {
		return s.disk(err)
	}
	return nil
}

// parseAddress returns the address of a site that may be followed.
func parseAddress(address string, allowHTTP bool) (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil || base.Hostname() == "" || strings.ContainsAny(address, "?#") || base.User != nil {
		return nil, wrongOption{hinted{errors.New("--source is no address of a site"), "give the address that the site has, such as https://example.org, without user, query and #"}}
	}
	base.Scheme, base.Host = strings.ToLower(base.Scheme), strings.ToLower(base.Host) // as a redirect has them
	host := base.Hostname()
	ip := net.ParseIP(host)
	switch {
	case base.Scheme == "https":
	case base.Scheme != "http":
		return nil, wrongOption{hinted{fmt.Errorf("--source %s: a source is a folder, or an address with https", address), "give a folder, or an address such as https://example.org"}}
	case allowHTTP || host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback():
	default:
		return nil, wrongOption{hinted{fmt.Errorf("--source %s: without TLS, whoever is on the way can change what is searched", address), "give the address with https; in a network that you trust, add --allow-http"}}
	}
	return base, nil
}

func (s *site) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// fetch makes the folder what the site publishes now: files that are missing, each
// whole and right by its digest, then the manifest. Where it fails, the folder still has
// what it had.
func (s *site) fetch(ctx context.Context) error {
	defer s.client.CloseIdleConnections() // the next look asks for the host's address anew
	var gone error                        // of a file that the manifest before names: a new build may have taken the place of the old meanwhile
	var before []byte
	for range 3 {
		offered, err := s.look(ctx)
		if gone != nil && (err != nil || bytes.Equal(offered.raw, before)) {
			return gone
		}
		if err != nil {
			return err
		}
		err = s.files(ctx, offered.manifest.Corpus())
		if err == nil {
			return s.commit(offered)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		gone, before = err, offered.raw
	}
	return gone
}

// look returns the manifest that the site has now: that of the folder where it is the same. An older one is refused until it has been all
// that the site has for rollbackAfter.
func (s *site) look(ctx context.Context) (edition, error) {
	now := time.Now()
	offered, err := s.ask(ctx, now)
	if err != nil {
		return edition{}, err
	}
	if why := s.older(offered); why != "" && !s.stays(offered, now) {
		return edition{}, failure{hinted: hinted{
			fmt.Errorf("%s is older than the one held: %s", s.address(article.ManifestPath), why),
			"a cache or a copy of the site is behind; if the site was rolled back, searchd follows when nothing else came for " + rollbackAfter.String() + ", and at once when it is published anew",
		}, reason: reasonOlder}
	}
	s.sighting = sighting{}
	return offered, nil
}

// ask fetches the manifest, if it is not the one held.
func (s *site) ask(ctx context.Context, now time.Time) (offered edition, err error) {
	header := http.Header{}
	if s.held.raw != nil && s.held.Settled && s.held.ETag != "" && now.Sub(s.held.whole) < tagTrust { // a time alone does not tell of a rollback
		header.Set("If-None-Match", s.held.ETag)
	}
	err = s.get(ctx, article.ManifestPath, header, func(r *http.Response) (err error) {
		offered = s.held
		if r.StatusCode != http.StatusNotModified {
			offered, err = s.received(r, now)
		}
		offered.sent, offered.aged = sentBy(r.Header, now)
		return err
	})
	return offered, err
}

// received is the manifest that an answer has.
func (s *site) received(r *http.Response, now time.Time) (edition, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, publication.MaxManifestBytes+1))
	if err != nil {
		return edition{}, err
	}
	s.metrics.sourceBytes.Add(float64(len(raw)))
	if len(raw) > publication.MaxManifestBytes {
		return edition{}, s.damaged(article.ManifestPath, fmt.Errorf("is longer than %d bytes", publication.MaxManifestBytes))
	}
	m, err := publication.ParseManifest(raw)
	if err != nil {
		return edition{}, s.damaged(article.ManifestPath, err)
	}
	return edition{raw: raw, manifest: m, whole: now, known: known{hexSum(raw), r.Header.Get("ETag"), r.Header.Get("Last-Modified"), settled(r.Header, now)}}, nil
}

// sentBy is when the site itself sent what was answered now, and whether an Age says so.
func sentBy(h http.Header, now time.Time) (sent time.Time, aged bool) {
	age, err := strconv.Atoi(h.Get("Age"))
	age = min(max(0, age), int(longestAge/time.Second))
	return now.Add(-time.Duration(age) * time.Second), err == nil
}

// stays reports whether an older manifest has been all that the site has for so long that it is followed.
func (s *site) stays(offered edition, now time.Time) bool {
	if s.sighting.sum != offered.SHA256 {
		s.sighting = sighting{offered.SHA256, now}
	}
	return now.Sub(s.sighting.since) >= rollbackAfter
}

// settled reports whether what the headers say of a file is true of no other file. RFC
// 9110, 8.8.2.2, has the reason.
func settled(h http.Header, now time.Time) bool {
	if h.Get("Last-Modified") == "" {
		return true
	}
	modified, err := http.ParseTime(h.Get("Last-Modified"))
	if sent, err := http.ParseTime(h.Get("Date")); err == nil {
		now = sent
	}
	return err == nil && now.Sub(modified) >= 2*time.Second
}

// older says why a manifest is older than the one held; "" where it is not. A manifest holds no number or time of its build, so that
// equal content has equal bytes. So others are asked, and the first that can tell decides:
//
//  1. the host: the file of an older one was written earlier
//  2. caches before it: the site itself had an older one earlier
//  3. our memory: an older one was held before
//
// For example, an answer that comes at 10:00 with an Age of 3600 left the site at 9:00. It is older than one that left it at 9:30,
// unless its file was written later than that one's.
func (s *site) older(offered edition) (why string) {
	if s.held.raw == nil || offered.SHA256 == s.held.SHA256 {
		return ""
	}
	written := byTime(offered, s.held)
	had := byAge(offered, s.held)
	switch {
	case written < 0:
		return fmt.Sprintf("it is of %s, the one held of %s", offered.LastModified, s.held.LastModified)
	case written > 0:
		return ""
	case had < 0:
		return "revision " + offered.manifest.Revision + " is of a cache that has asked the site for it earlier"
	case had > 0:
		return ""
	case slices.Contains(s.memory.Before, offered.SHA256):
		return "revision " + offered.manifest.Revision + " was held before it"
	}
	return ""
}

// byTime compares when the files of two manifests were written: 0 where the host does not say it of both.
func byTime(a, b edition) int {
	written, err1 := http.ParseTime(a.LastModified)
	other, err2 := http.ParseTime(b.LastModified)
	if err1 != nil || err2 != nil {
		return 0
	}
	return written.Compare(other)
}

// byAge compares when the site itself had a manifest and the one held: 0 where it was about the same time, or Ages do not tell.
// One held without an Age was sent at its coming or before: what was sent later is newer, but nothing is known to be older.
func byAge(offered, held edition) int {
	switch later := offered.sent.Sub(held.sent); {
	case offered.aged && later > time.Second: // an Age is of whole seconds
		return 1
	case offered.aged && held.aged && later < -2*time.Second: // and takes time on its way
		return -1
	}
	return 0
}

// files fetches those that the folder does not have. After a failure it begins no more, but lets those that run come
// to their end: so the first of the files that fails is the same at each look, and logged once.
func (s *site) files(ctx context.Context, files []publication.File) error {
	if err := os.MkdirAll(s.path(article.CorpusFolder), 0o750); err != nil {
		return s.disk(err)
	}
	var work errgroup.Group
	work.SetLimit(parallelFiles)
	var failed atomic.Bool
	errs := make([]error, len(files))
	for i, f := range files {
		// A file of this name and size was whole when it was renamed; see mend.
		if info, err := os.Stat(s.path(f.Path)); err == nil && info.Mode().IsRegular() && info.Size() == f.Bytes {
			continue
		}
		work.Go(func() error {
			errs[i] = s.get(ctx, f.Path, nil, func(r *http.Response) error { return s.save(f, r.Body) })
			if errs[i] != nil {
				failed.Store(true)
			}
			return nil
		})
		if failed.Load() {
			break
		}
	}
	work.Wait() // of errors in errs
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// save writes a file that is whole.
func (s *site) save(f publication.File, body io.Reader) (err error) {
	t, err := os.OpenFile(s.path(f.Path)+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // a name that errors have in common
	if err != nil {
		return s.disk(err)
	}
	defer os.Remove(t.Name()) // where it was not renamed
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(t, sum), io.LimitReader(body, f.Bytes+1))
	s.metrics.sourceBytes.Add(float64(n))
	closed := t.Close()
	switch got := hex.EncodeToString(sum.Sum(nil)); {
	case errors.As(err, new(*fs.PathError)):
		return s.disk(err)
	case err != nil:
		return err
	case closed != nil:
		return s.disk(closed)
	case n > f.Bytes:
		return s.damaged(f.Path, fmt.Errorf("has more than the %d bytes that the manifest says", f.Bytes))
	case n < f.Bytes:
		return s.damaged(f.Path, fmt.Errorf("has %d bytes and the manifest says %d", n, f.Bytes))
	case got != f.SHA256:
		return s.damaged(f.Path, fmt.Errorf("has the sha256 %s and the manifest says %s", got, f.SHA256))
	}
	if err := os.Rename(t.Name(), s.path(f.Path)); err != nil {
		return s.disk(err)
	}
	return nil
}

// commit makes a manifest, of which the folder has all files, that of the folder, and
// removes the files of others. Nothing is synced to the disk: what a power cut spoils is
// found out by its digest and fetched again.
func (s *site) commit(e edition) error {
	if e.SHA256 != s.held.SHA256 {
		if err := replace(s.path(article.ManifestPath), e.raw); err != nil {
			return s.disk(err)
		}
	}
	if e.sent.Before(s.held.sent) {
		e.sent, e.aged = s.held.sent, s.held.aged
	}
	s.held = e
	if s.memory.known == e.known {
		return nil
	}
	if err := s.prune(); err != nil {
		return s.disk(err)
	}
	if err := s.remember(e); err != nil {
		return s.disk(err)
	}
	return nil
}

// remember writes down what a restart must know of the manifest that is held.
func (s *site) remember(e edition) error {
	if was := s.memory.SHA256; was != "" && was != e.SHA256 {
		before := append(s.memory.Before, was)
		before = slices.DeleteFunc(before, func(sum string) bool { return sum == e.SHA256 })
		s.memory.Before = before[max(0, len(before)-formerManifests):]
	}
	s.memory.known, s.memory.Sent = e.known, time.Time{}
	if e.aged {
		s.memory.Sent = e.sent
	}
	raw, err := json.Marshal(s.memory)
	if err != nil {
		return err
	}
	return replace(filepath.Join(s.dir, memoryName), raw)
}

// prune removes the files of former manifests: what was taken down does not stay.
func (s *site) prune() error {
	keep := map[string]bool{s.path(article.ManifestPath): true}
	for _, f := range s.held.manifest.Corpus() {
		keep[s.path(f.Path)] = true
	}
	folder := s.path(article.CorpusFolder)
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if path := filepath.Join(folder, e.Name()); !keep[path] {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// mend removes the files of the folder that are not what their names say, so that the
// next fetch brings them again. It reports whether there were any.
func (s *site) mend() (found bool) {
	if s.held.raw == nil {
		return false
	}
	for _, f := range s.held.manifest.Corpus() {
		raw, err := os.ReadFile(s.path(f.Path))
		if err == nil && hexSum(raw) == f.SHA256 {
			continue
		}
		found = true
		os.Remove(s.path(f.Path))
	}
	if raw, err := os.ReadFile(s.path(article.ManifestPath)); err != nil || !bytes.Equal(raw, s.held.raw) {
		found = true
		s.held = edition{}
	}
	return found
}

// get asks for one file of the site; read has the answer, which is 200, or 304 where the
// headers allow it.
func (s *site) get(ctx context.Context, name string, header http.Header, read func(*http.Response) error) error {
	timed, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	req, err := http.NewRequestWithContext(timed, http.MethodGet, s.address(name), nil)
	if err != nil {
		return err
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set("User-Agent", "searchd (Newsstand)")
	resp, err := s.client.Do(req)
	if err != nil {
		s.metrics.sourceRequests.WithLabelValues(noAnswer).Inc()
		return s.unreadable(ctx, name, err)
	}
	defer resp.Body.Close()
	s.metrics.sourceRequests.WithLabelValues(strconv.Itoa(resp.StatusCode)).Inc()
	if resp.StatusCode != http.StatusOK && (resp.StatusCode != http.StatusNotModified || len(header) == 0) {
		return s.answered(name, resp)
	}
	coding := resp.Header.Get("Content-Encoding")
	if err := read(resp); errors.As(err, new(failure)) {
		if f := new(failure); errors.As(err, f) && f.reason == reasonDamaged && coding != "" {
			f.error = fmt.Errorf("%w; it was sent with Content-Encoding %s, which was not asked for", f.error, coding)
			f.hint = "let the host send the folder corpus as it is, to whoever takes no encoding"
			return *f
		}
		return err
	} else if errors.Is(err, io.ErrUnexpectedEOF) {
		return s.damaged(name, errors.New("was cut off on the way"))
	} else if err != nil {
		return s.unreadable(ctx, name, err)
	}
	return nil
}

func (s *site) address(name string) string { return s.base.String() + "/" + name }

// redirected refuses a redirect.
type redirected struct{ to *url.URL }

func (r redirected) Error() string {
	return fmt.Sprintf("it redirects to another host, %s://%s", r.to.Scheme, r.to.Host)
}

// unreadable is the failure of a request that brought no answer. Its text is the same
// each time, so that it is logged once: it names no port of ours.
func (s *site) unreadable(ctx context.Context, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	why, hint := err, "see that the host is up, and that this machine reaches it"
	reason := reasonUnreachable
	var refused redirected
	var dns *net.DNSError
	var op *net.OpError
	var timeout net.Error
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &refused):
		why, reason, hint = refused, reasonStatus, "look at the host: no site has such an address"
		if !strings.HasPrefix(refused.to.Scheme, "http") {
			break
		}
		hint = fmt.Sprintf("if that is the site, follow it: --source %s://%s%s", refused.to.Scheme, refused.to.Host, strings.TrimSuffix(refused.to.Path, "/"+name))
	case errors.As(err, &dns) && dns.IsNotFound:
		why, hint = fmt.Errorf("there is no host %s", dns.Name), "see that --source is spelt right"
	case errors.As(err, &dns):
		why, hint = fmt.Errorf("the address of %s cannot be asked for", dns.Name), "see to the name servers of this machine"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired: // its text has the time of the look
		why = fmt.Errorf("x509: a certificate is valid from %s to %s only", invalid.Cert.NotBefore.Format(time.RFC3339), invalid.Cert.NotAfter.Format(time.RFC3339))
		hint = "let the host renew its certificate; where it is valid today, set the clock of this machine right"
	case strings.Contains(err.Error(), "tls: ") || strings.Contains(err.Error(), "x509: "):
		hint = "let the host's certificate be right; where it is signed by an authority of your own, name a file with that one's in SSL_CERT_FILE"
		if inner := new(url.Error); errors.As(err, &inner) {
			why = inner.Err
		}
	case strings.Contains(err.Error(), "stream error: "): // of HTTP/2, with the number of the stream
		why = errors.New("the host broke off its answer")
	case strings.Contains(err.Error(), "GOAWAY"): // the same
		why = errors.New("the host closed the connection before it answered")
	case errors.As(err, &timeout) && timeout.Timeout():
		why = errors.New("no answer in time")
	case errors.As(err, &op):
		why = op.Err
	case strings.Contains(err.Error(), "transport connection broken: ") && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF),
		strings.Contains(err.Error(), "failed to parse Location header"): // they say what it answered
		why, hint = errors.New("what the host answers is no HTTP"), "see that --source names the port of a web server, and look at what is between"
	default:
		if inner := new(url.Error); errors.As(err, &inner) {
			why = inner.Err
		}
	}
	return failure{hinted: hinted{fmt.Errorf("read %s: %w", s.address(name), why), hint}, reason: reason}
}

// answered is the failure of a request that was answered with another status than 200.
func (s *site) answered(name string, r *http.Response) error {
	err := fmt.Errorf("read %s: the host answered %d %s", s.address(name), r.StatusCode, http.StatusText(r.StatusCode))
	f := failure{hinted{err, "look at the host's own log and status; searchd asks again by itself"}, reasonStatus, retryAfter(r.Header, time.Now())}
	switch r.StatusCode {
	case http.StatusNotFound, http.StatusGone:
		f.error = missing{err}
		f.reason, f.hint = reasonMissing, "see that --source is the address of a site that builder has published, and that the folder corpus is deployed with it"
		if name != article.ManifestPath {
			f.hint = "the manifest names this file: deploy the folder corpus whole, and its manifest last; a CDN may know of it a little later, and searchd asks again by itself"
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		f.hint = "let the host answer this machine: what is published needs no password and no key"
	}
	return f
}

// retryAfter is how long a host wants to be left alone: so many seconds, or until a time (RFC 9110, 10.2.3) by its own clock.
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
func (s *site) damaged(name string, err error) error {
	return failure{hinted: hinted{fmt.Errorf("read %s: it %w", s.address(name), err), "publish the site again; where a CDN has kept a broken copy, purge this address there"}, reason: reasonDamaged}
}

// disk is the failure to write the folder.
func (s *site) disk(err error) error {
	return failure{hinted: hinted{fmt.Errorf("keep a copy of %s: %w", s.base, err), "see that --data has free space and may be written"}, reason: reasonDisk}
}

// replace writes a file by rename.
func replace(path string, data []byte) error {
	if err := os.WriteFile(path+".new", data, 0o640); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func hexSum(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

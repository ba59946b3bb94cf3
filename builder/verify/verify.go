// Package verify proves that a deployment answers as the contract says, on whatever
// host it runs. `builder verify` is its command.
//
// It knows the deployment by its address alone. It reads what was published from the folder that
// was deployed, if that is at hand, and otherwise from the corpus that the host itself serves; so
// it needs no access to the host, and no key.
//
// # What is checked
//
//   - connection: the host answers, itself and by the rules of the API; TLS: its version,
//     old ones, the certificate's time
//   - documents: health and OpenAPI (valid, its examples executed), the corpus that
//     searchd follows, and every other document of the manifest, byte for byte
//   - articles: all, or an even sample, equal by digest; missing, unknown and odd ids;
//     methods; validators; compression
//   - search: hits equal the articles, nothing found, every limit and error, methods,
//     validators, and that no odd request changes the answer to a plain one in a cache
//   - secrets: unpublished ids, traversal in many spellings, names of private files
//   - all answers: what each answer carries whatever its status, and that none of them
//     breaks the OpenAPI document
//
// A check never depends on speed. How fast the answers came is measured at the end.
//
// # Manners
//
// Only the given host is asked, and only below the path of the given address, except for robots.txt
// and the catalog, which programs look for at the root of a host. A redirect is an answer like any
// other and is never followed. At most eight requests are under way at once; after a 429 or 503
// with a short Retry-After, a request is repeated a few times. A host that leaves three requests in
// a row without an answer is not asked any more. No request changes anything: the methods that
// could are expected to be refused.
//
// # Source files
//
//	verify, junit          the checks, one after the other, and the report
//	host, answer, expect   how the host is asked, and what an answer is held to
//	connection             the host answers, by its rules and by TLS
//	documents, openapi     what the host says of itself, and what searchd follows
//	articles, search       the two operations with parameters
//	secrets, aspects       what is nowhere, and what every answer has
//	http                   what is asked of several operations: methods, validators, compression
//	corpus                 what was published
//	speed                  how fast answers came
package verify

import (
	"context"
	"crypto/x509"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"path"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article/contract"
	"newsstand/builder/hinted"
	"newsstand/builder/source"
)

// Options say what a deployment is compared with.
type Options struct {
	// Source is the published folder that was deployed; nil: the host's own corpus.
	Source fs.FS
	// Unpublished are ids that must be nowhere: of drafts, scheduled and expired articles.
	Unpublished []string
	// All fetches every article and document, instead of a sample.
	All bool
	// Wait is how long searchd may be behind the deployment.
	Wait time.Duration
	// Patience is how long one answer may take; 30 seconds where it is zero.
	Patience time.Duration
	// Roots are the authorities that certificates are checked against; nil: the system's.
	Roots *x509.CertPool
	// Each, if not nil, is called after each check.
	Each func(Check)
}

// Result says how a check ended.
type Result string

// The results.
const (
	Passed  Result = "passed"
	Failed  Result = "failed"
	Skipped Result = "skipped" // there was nothing to check; Got says why
)

// Check is one thing that was looked at. The texts are one line each, for people.
type Check struct {
	Group  string `json:"group"`
	Name   string `json:"name"`
	Result Result `json:"result"`
	// Want is what the contract says, Got what was seen, and Hint what to do where the
	// two differ.
	Want string `json:"want"`
	Got  string `json:"got"`
	Hint string `json:"hint,omitempty"`
	// Seconds is how long the check took.
	Seconds float64 `json:"seconds"`
}

// Speed is how fast one kind of request was answered, the whole body included.
type Speed struct {
	Name     string `json:"name"`
	Requests int    `json:"requests"`
	// In milliseconds.
	Median float64 `json:"median_ms"`
	P95    float64 `json:"p95_ms"`
	Max    float64 `json:"max_ms"`
}

// Report is the outcome of all checks.
type Report struct {
	Address string `json:"address"`
	// Revision is that of the published set; empty where it could not be read.
	Revision string  `json:"revision,omitempty"`
	Requests int     `json:"requests"`
	Checks   []Check `json:"checks"`
	Speed    []Speed `json:"speed"`
}

// Count returns the number of checks with a result.
func (r Report) Count(result Result) int {
	n := 0
	for _, c := range r.Checks {
		if c.Result == result {
			n++
		}
	}
	return n
}

// AddressError is an address that cannot be a deployment's.
type AddressError struct{ error }

// Deployment checks the site at an address. The error is an [AddressError], one of the source, or
// ctx's; what is wrong with the deployment is in the report.
func Deployment(ctx context.Context, address string, o Options) (Report, error) {
	base, err := parseAddress(address)
	if err != nil {
		return Report{}, hinted.Error(AddressError{err},
			"give the address of the site as a browser shows it, such as https://example.org or https://example.org/news, without user, query and #")
	}
	v := &verifier{ctx: ctx, options: o, host: newHost(base, o), report: Report{Address: base.String(), Checks: []Check{}, Speed: []Speed{}}}
	defer v.host.client.CloseIdleConnections()
	if o.Source != nil {
		if v.source, err = openCorpus(o.Source); err != nil {
			return Report{}, fmt.Errorf("read the published folder to compare with: %w", err)
		}
	}
	for _, part := range []func(){v.connection, v.documents, v.articles, v.search, v.secrets, v.everyAnswer, v.speed} {
		if part(); ctx.Err() != nil {
			return v.report, fmt.Errorf("verify %s: %w", base, ctx.Err())
		}
		if !v.reached {
			break
		}
		if v.host.silence >= mostSilence {
			v.group = "connection"
			v.skip("everything else", "what the contract says", fmt.Sprintf("the host has left %d requests in a row without an answer", mostSilence))
			break
		}
	}
	v.report.Requests = v.host.count
	return v.report, nil
}

// parseAddress reads the address of a site: scheme, host, and the path that the site lies under.
func parseAddress(address string) (*url.URL, error) {
	base, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not an address: %w", address, err)
	case base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "":
		return nil, fmt.Errorf("%q is not a web address", address)
	case base.User != nil:
		return nil, fmt.Errorf("the address of %s has a user in it; the API needs none", base.Host)
	case base.RawQuery != "" || base.ForceQuery || base.Fragment != "":
		return nil, fmt.Errorf("%q is an address within a site", address)
	}
	if below := strings.TrimRight(base.Path, "/"); below != "" && below != path.Clean(below) {
		return nil, fmt.Errorf("%q is not the plain form of an address", address)
	}
	published, err := source.BaseURL(address) // as the builder writes it
	if err != nil {
		return nil, fmt.Errorf("%q is not the name of a host", base.Hostname())
	}
	return url.Parse(published)
}

// verifier runs the checks, one after the other. Each may use what those before it have learnt.
type verifier struct {
	ctx     context.Context
	options Options
	host    *host
	report  Report

	group     string             // of the checks that follow
	reached   bool               // the host answers at all
	source    *corpus            // what was deployed; nil where that is not at hand
	published *corpus            // the source, or what the host serves; nil where neither can be read
	document  *contract.Document // nil where it is missing or wrong
}

// check runs one check. see returns what was seen, and what is wrong with it; nil if nothing is.
func (v *verifier) check(name, want, hint string, see func() (got string, wrong error)) bool {
	began := time.Now()
	got, err := see()
	c := Check{Group: v.group, Name: name, Result: Passed, Want: want, Got: oneLine(got), Seconds: time.Since(began).Seconds()}
	if v.ctx.Err() != nil {
		return false // it was not the host that failed
	}
	if err != nil {
		c.Result, c.Hint = Failed, hint
		c.Got = oneLine(err.Error())
	}
	v.add(c)
	return err == nil
}

// skip notes that a check had nothing to look at.
func (v *verifier) skip(name, want, why string) {
	v.add(Check{Group: v.group, Name: name, Result: Skipped, Want: want, Got: why})
}

func (v *verifier) add(c Check) {
	v.report.Checks = append(v.report.Checks, c)
	if v.options.Each != nil {
		v.options.Each(c)
	}
}

// concurrently calls f with the numbers below n, a few at once, until one call fails.
func (v *verifier) concurrently(n int, f func(i int) error) error {
	g, ctx := errgroup.WithContext(v.ctx)
	g.SetLimit(parallel)
	for i := range n {
		g.Go(func() error {
			if ctx.Err() != nil {
				return nil // another has failed, and says why
			}
			return f(i)
		})
	}
	return g.Wait()
}

// oneLine cuts a text to what a line can show.
func oneLine(s string) string {
	const most = 300 // characters: two lines of a wide terminal
	line := []rune(strings.Join(strings.Fields(s), " "))
	if len(line) > most {
		return string(line[:most]) + "…"
	}
	return string(line)
}

// local reports whether a host name means this machine.
func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

package verify

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
)

// minCertificateTime is what is left when an automatic renewal has failed for some days.
const minCertificateTime = 7 * 24 * time.Hour

// connection checks that the host answers, that it is the site's own, and how it is secured.
func (v *verifier) connection() {
	v.group = "connection"
	a, answers := v.ask("the host answers", request{target: article.HealthOperation},
		"check the address, DNS and the firewall; of a certificate: its names, its chain, or give --ca-file for an authority of your own",
		expectation{"an answer", func(answer) error { return nil }})
	if !answers {
		return
	}
	elsewhere := v.elsewhere(a)
	v.reached = v.check("the site is at this address", "no redirect to another", fmt.Sprintf("give the address that answers itself: builder verify %v", elsewhere), func() (string, error) {
		if elsewhere != nil {
			return "", errors.New(a.String())
		}
		return a.String(), nil
	}) && v.below(a)
	if !v.reached {
		return
	}
	v.rules(a)
	v.security()
}

// elsewhere is the site that the health document is redirected to, nil where that is this one.
func (v *verifier) elsewhere(health answer) *url.URL {
	here := v.host.base
	to, err := here.JoinPath(article.HealthOperation).Parse(health.header.Get("Location"))
	if err != nil || health.status < 300 || health.status >= 400 {
		return nil
	}
	below, isHealth := strings.CutSuffix(to.Path, article.HealthOperation)
	if to.Scheme == here.Scheme && to.Host == here.Host && (!isHealth || below == here.Path) {
		return nil
	}
	site := &url.URL{Scheme: to.Scheme, Host: to.Host}
	if isHealth {
		site.Path = below
	}
	return site
}

// below checks that the site lies under the path of the address, which might be the path of a page
// in it.
func (v *verifier) below(health answer) bool {
	if v.host.base.Path == "" {
		return true
	}
	return v.check("the site lies under this path", "health, or the manifest", "give the address of the site, not that of a page in it; or let the host take the path off before its rules", func() (string, error) {
		if health.status != http.StatusNotFound {
			return health.String(), nil
		}
		manifest, err := v.host.ask(v.ctx, request{target: "/" + article.ManifestPath})
		if err == nil && manifest.status != http.StatusOK {
			err = fmt.Errorf("%v of %s, and %v of /%s below %s", health, article.HealthOperation, manifest, article.ManifestPath, v.host.base.Path)
		}
		return manifest.String(), err
	})
}

// rules checks that the host does not only have the files: what a plain web server does
// with them fails most of the checks that follow.
func (v *verifier) rules(health answer) {
	file, err := v.host.ask(v.ctx, request{target: "/" + article.HealthPath})
	if err != nil || file.status != http.StatusOK {
		return // what is not deployed fails by itself
	}
	v.check("the host follows the rules of the API", "/api/health is answered by its file",
		"the files are deployed, and the host's rules are not: take netlify.toml, or the guide's configuration of nginx or Caddy",
		func() (string, error) {
			if !bytes.Equal(health.body, file.body) {
				return "", fmt.Errorf("%v, and %v of /%s", health, file, article.HealthPath)
			}
			return health.String(), nil
		})
}

// security checks how the connection is secured.
func (v *verifier) security() {
	const want = "TLS 1.2 or 1.3, certificate valid for 7 days or more"
	if v.host.base.Scheme != "https" {
		if local(v.host.base.Hostname()) {
			v.skip("TLS", want, "the address is http and of this machine")
			return
		}
		v.check("TLS", want, "serve the site as https, and give that address", func() (string, error) {
			return "", errors.New("the address is http: anyone on the way can read and change the answers")
		})
		return
	}
	v.check("TLS", want, "renew the certificate; look at why its renewal fails", func() (string, error) {
		state, err := v.handshake(&tls.Config{RootCAs: v.options.Roots})
		if err != nil {
			return "", err
		}
		left := time.Until(state.PeerCertificates[0].NotAfter)
		got := fmt.Sprintf("%s, %s, certificate valid for %d days", tls.VersionName(state.Version), state.NegotiatedProtocol, int(left.Hours()/24))
		if left < minCertificateTime {
			return "", errors.New(got)
		}
		return got, nil
	})
	v.check("old TLS is refused", "no TLS 1.0 or 1.1", "allow TLS 1.2 and 1.3 only (nginx: ssl_protocols TLSv1.2 TLSv1.3;)", func() (string, error) {
		// The certificate does not matter: what is asked is public, and the answer is not read.
		state, err := v.handshake(&tls.Config{
			RootCAs:            v.options.Roots,
			InsecureSkipVerify: true,
			MinVersion:         tls.VersionTLS10,
			MaxVersion:         tls.VersionTLS11,
			CipherSuites:       everySuite(),
		})
		if err == nil {
			return "", fmt.Errorf("%s is accepted", tls.VersionName(state.Version))
		}
		return "refused", nil
	})
}

// handshake asks once on a connection of its own, through a proxy where there is one, and returns
// what was agreed.
func (v *verifier) handshake(config *tls.Config) (*tls.ConnectionState, error) {
	transport := newTransport(v.host.client.Timeout, config)
	transport.ForceAttemptHTTP2 = config.MaxVersion == 0 // HTTP/2 wants 1.2 (RFC 9113, 9.2)
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(v.ctx, v.host.client.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, v.host.base.String()+article.HealthOperation, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", userAgent)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	return resp.TLS, resp.Body.Close()
}

// everySuite lists what old servers offer too.
func everySuite() []uint16 {
	var ids []uint16
	for _, s := range slices.Concat(tls.CipherSuites(), tls.InsecureCipherSuites()) {
		ids = append(ids, s.ID)
	}
	return ids
}

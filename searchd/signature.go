package searchd

import (
	"errors"
	"net/http"

	"github.com/golang-jwt/jwt/v5"
)

// signatureHeader carries the signature of Netlify's CDN on a request that it forwards.
const signatureHeader = "X-Nf-Sign"

// signatures tells requests that the CDN forwarded from those that came another way:
// it signs each with a secret that only the site and searchd know. A signature says
// nothing of the request itself, only that it was made by a holder of the secret
// within the last minutes.
type signatures struct {
	parser *jwt.Parser
	keys   jwt.VerificationKeySet
}

// newSignatures returns nil where there is no secret.
func newSignatures(secrets []string) *signatures {
	if len(secrets) == 0 {
		return nil
	}
	s := &signatures{parser: jwt.NewParser(
		// What the host sends and nothing else: "none" is no signature, and a caller
		// chooses neither the algorithm nor for how long a signature holds.
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithIssuer("netlify"),
		jwt.WithExpirationRequired(), // five minutes on, which is leeway enough for two clocks
		jwt.WithStrictDecoding(),
	)}
	for _, secret := range secrets {
		s.keys.Keys = append(s.keys.Keys, []byte(secret))
	}
	return s
}

// refusal is why a request is not answered. The words are the values of the metric's
// label; a caller never learns which it was.
type refusal string

const (
	unsigned       refusal = "missing"   // no signature, or several
	malformed      refusal = "malformed" // not what a signature looks like
	wrongSignature refusal = "signature" // another secret, or another algorithm
	expired        refusal = "expired"
	wrongClaims    refusal = "claims" // another issuer, or no expiry
)

// check returns "" for a request that the CDN signed. The comparison of signatures
// takes the same time wherever they differ (hmac.Equal, in the library).
func (s *signatures) check(h http.Header) refusal {
	given := h.Values(signatureHeader)
	if len(given) != 1 || given[0] == "" {
		return unsigned
	}
	_, err := s.parser.ParseWithClaims(given[0], &jwt.RegisteredClaims{}, func(*jwt.Token) (any, error) { return s.keys, nil })
	switch {
	case err == nil:
		return ""
	case errors.Is(err, jwt.ErrTokenSignatureInvalid):
		return wrongSignature
	case errors.Is(err, jwt.ErrTokenExpired):
		return expired
	case errors.Is(err, jwt.ErrTokenInvalidClaims):
		return wrongClaims
	default:
		return malformed
	}
}

// hint says how an operator fixes it where the requests were the CDN's all the same.
func (r refusal) hint() string {
	switch r {
	case wrongSignature:
		return "the secret of the site and that of searchd differ: set both to the same value; while it changes, give searchd both, one a line"
	case expired:
		return "set the clock of this machine right; a signature is valid for five minutes"
	case wrongClaims, malformed:
		return "only the CDN's own signature is taken; see that nothing between it and searchd sets X-Nf-Sign"
	default:
		return "send requests through the site's own address; if the CDN's own requests are not signed, set the secret there for all scopes and deploy again"
	}
}

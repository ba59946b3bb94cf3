package article

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// ETag is a strong validator (RFC 9110, 8.8.3) made of the body alone, so that every
// host and every replica gives the same. Half of a SHA-256 is 128 bits: no two bodies
// share it.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:sha256.Size/2]) + `"`
}

// NotModified reports whether a request's If-None-Match names the ETag, or is "*"
// (RFC 9110, 13.1.2: weak comparison), so that the answer is 304. A malformed header
// names what stands before the fault.
func NotModified(request http.Header, etag string) bool {
	rest := strings.Join(request.Values("If-None-Match"), ",")
	for {
		rest = strings.TrimLeft(rest, " \t,")
		if rest == "*" {
			return true
		}
		rest = strings.TrimPrefix(rest, "W/")
		if !strings.HasPrefix(rest, `"`) {
			return false
		}
		end := strings.IndexByte(rest[1:], '"')
		if end < 0 {
			return false
		}
		if rest[:end+2] == etag {
			return true
		}
		rest = rest[end+2:]
	}
}

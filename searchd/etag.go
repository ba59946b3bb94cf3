package searchd

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// entityTag is a strong validator (RFC 9110, 8.8.3) made of the body alone, so that
// every replica gives the same. Half of a SHA-256 is 128 bits: no two bodies share it.
func entityTag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// noneMatchHits reports whether an If-None-Match header names the tag, or is "*"
// (RFC 9110, 13.1.2: weak comparison). A malformed header names what stands before
// the fault.
func noneMatchHits(header []string, tag string) bool {
	rest := strings.Join(header, ",")
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
		if rest[:end+2] == tag {
			return true
		}
		rest = rest[end+2:]
	}
}

package source

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"newsstand/builder/hinted"
)

// AddressError says that the address of a site is not a web address.
type AddressError struct{ error }

// BaseURL returns the address of a site without slashes at its end, and with its host and path
// encoded. If it is not a web address, the error is an [AddressError].
func BaseURL(address string) (string, error) {
	base := strings.TrimRight(strings.TrimSpace(address), "/")
	u, err := url.Parse(base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil ||
		len(u.Port()) > 5 ||
		u.Port() > "65535" && len(u.Port()) == 5 ||
		!asciiHost(u) {
		hint := "write it as in https://example.org or https://example.org/blog"
		if strings.ContainsAny(address, "?#@") {
			hint = "write it without user, query and #, as in https://example.org"
		}
		return "", hinted.Error(AddressError{fmt.Errorf("the address of the site, %q, is not a web address", address)}, hint)
	}
	return u.Scheme + "://" + u.Host + strings.TrimRight(escapeAddress(u.EscapedPath()), "/"), nil
}

// isWebAddress reports whether a text is an http or https address with a host. A client that
// expects a URI may refuse a whole answer for one that it cannot parse, such as https:// alone.
func isWebAddress(s string) bool {
	scheme, rest, found := strings.Cut(s, "://")
	if !found || scheme != "https" && scheme != "http" {
		return false
	}
	u, err := url.Parse(scheme + "://" + rest[:strings.IndexAny(rest+"/", "/?#")])
	return err == nil && u.Hostname() != ""
}

// isAddress reports whether a text is a web address or a path, which includes patterns such as
// Hugo's /:year/:slug/.
func isAddress(s string) bool {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "www.") { // it would be a path
		return false
	}
	scheme, _, found := strings.Cut(s, ":")
	return !found || isWebAddress(s) || strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") != "" || scheme == ""
}

// asciiHost rewrites the host of an address as the domain name system has it (RFC 5891):
// exämple.org as xn--exmple-cua.org. If the host is not a valid name, ok is false and the host
// stays unchanged.
func asciiHost(u *url.URL) (ok bool) {
	name := u.Hostname()
	if !strings.ContainsFunc(name, func(c rune) bool { return c >= utf8.RuneSelf }) {
		return true
	}
	ascii, err := idna.Lookup.ToASCII(name)
	if err == nil {
		u.Host = ascii + strings.TrimPrefix(u.Host, name)
	}
	return err == nil
}

// escapeAddress percent-encodes the characters that a URI may not have (RFC 3986), except in what
// is encoded already. Package url lets some of them pass, especially in a query, and a strict
// client would refuse a whole answer because of one.
func escapeAddress(s string) string {
	host := ""
	if scheme, rest, ok := strings.Cut(s, "://"); ok && !strings.ContainsAny(scheme, "/?#") { // otherwise the :// is in a path or query
		end := strings.IndexAny(rest+"/", "/?#")
		if u, err := url.Parse(scheme + "://" + rest[:end]); err == nil {
			asciiHost(u) // a host that is not a valid name is percent-encoded
			host, s = u.String(), rest[end:]
		}
	}
	if u, err := url.Parse(s); err == nil {
		s = u.String()
	}
	var b strings.Builder
	b.WriteString(host)
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~:/?#@!$&'()*+,;=", c) >= 0,
			isEscape(s[i:]):
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// hasEscape reports whether a text has an escape such as %20.
func hasEscape(s string) bool {
	for i := range len(s) {
		if isEscape(s[i:]) {
			return true
		}
	}
	return false
}

// isEscape reports whether a text begins with an escape such as %20.
func isEscape(s string) bool { return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2]) }

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

package searchd

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"newsstand/builder/publication"
)

// edition is one manifest as the site sent it; zero where there is none.
type edition struct {
	raw      []byte
	manifest publication.Manifest
	// sent is when the site itself sent this, which a cache in front of it may have done later: as
	// its Age says, or else when it came.
	sent time.Time
	aged bool
	// whole is when all its bytes came last.
	whole time.Time
	known
}

// known is what a site says of a manifest.
type known struct {
	SHA256       string `json:"sha256"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
	// Settled is false if another manifest may have the same ETag: many hosts make it of the second
	// of the change, and this one was sent less than two seconds later.
	Settled bool `json:"settled"`
}

// settled reports whether no other version of a file can have the same headers; RFC 9110, 8.8.2.2,
// has the reason.
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

// longestAge is more than a cache keeps anything.
const longestAge = 365 * 24 * time.Hour

// sentBy returns when the site itself sent an answer that came now, and whether a header Age says
// so.
func sentBy(h http.Header, now time.Time) (sent time.Time, aged bool) {
	age, err := strconv.Atoi(h.Get("Age"))
	age = min(max(0, age), int(longestAge/time.Second))
	return now.Add(-time.Duration(age) * time.Second), err == nil
}

// olderThan keeps searches from going back to what the site had earlier, as a cache or another copy
// of the site may still have it: it says why the manifest that is offered is older than the one
// held, and "" where nothing shows that it is. A manifest holds no number and no time of its build,
// so that equal content has equal bytes. What shows it instead, the first that can tell:
//
//  1. Last-Modified of the host: its file was written earlier
//  2. Age of a cache: it left the site itself earlier
//  3. the digests before, of the manifests that were held before this one: it is one of them. That
//     holds even where the file of this one was lost
//
// For example, an answer that comes at 10:00 with an Age of 3600 left the site at 9:00. It is older
// than one that left it at 9:30, unless its file was written later than that one's.
func (offered edition) olderThan(held edition, before []string) (why string) {
	if offered.SHA256 == held.SHA256 {
		return ""
	}
	written := byTime(offered, held)
	had := byAge(offered, held)
	switch {
	case written < 0:
		return fmt.Sprintf("it is of %s, the one held of %s", offered.LastModified, held.LastModified)
	case written > 0:
		return ""
	case had < 0:
		return "revision " + offered.manifest.Revision + " is of a cache that has asked the site for it earlier"
	case had > 0:
		return ""
	case slices.Contains(before, offered.SHA256):
		return "revision " + offered.manifest.Revision + " was held before it"
	}
	return ""
}

// byTime compares when the files of two manifests were written: 0 where the host does not say it of
// both.
func byTime(a, b edition) int {
	written, err1 := http.ParseTime(a.LastModified)
	other, err2 := http.ParseTime(b.LastModified)
	if err1 != nil || err2 != nil {
		return 0
	}
	return written.Compare(other)
}

// byAge compares when the site itself sent two manifests: 0 if that was at about the same time, or
// Ages do not tell. One that is held without an Age was sent when it came, or before: what was sent
// later is newer, but nothing is known to be older.
func byAge(offered, held edition) int {
	switch later := offered.sent.Sub(held.sent); {
	case held.sent.IsZero(): // none is held: its file was lost
		return 0
	case offered.aged && later > time.Second: // an Age is of whole seconds
		return 1
	case offered.aged && held.aged && later < -2*time.Second: // and takes time on its way
		return -1
	}
	return 0
}

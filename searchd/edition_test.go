package searchd

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
)

// inMemory answers requests without a network, so that it works with a false clock.
type inMemory struct{ http.Handler }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, r)
	return w.Result(), nil
}

// editions answers with one of some manifests, and the headers that are set.
type editions struct {
	now    string // name of the manifest that is sent
	header http.Header
	dirs   map[string]string
}

func (e *editions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, err := os.ReadFile(filepath.Join(e.dirs[e.now], r.URL.Path))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Date", time.Now().UTC().Format(http.TimeFormat))
	if isManifest(r) {
		maps.Copy(w.Header(), e.header)
	}
	w.Write(data)
}

// newEditions has three builds of a site.
func newEditions(t *testing.T) *editions {
	e := &editions{now: "one", header: http.Header{}, dirs: map[string]string{}}
	for _, name := range []string{"one", "two", "three"} {
		e.dirs[name] = t.TempDir()
		publish(t, e.dirs[name], anArticle("a", name))
	}
	return e
}

func (e *editions) site(t *testing.T, dir string) *site {
	t.Helper()
	s, err := openSite("https://site.example", dir, false, newMetrics(none, none))
	must(t, err)
	s.client.Transport = inMemory{e}
	return s
}

// holds returns which manifest a copy has.
func (e *editions) holds(t *testing.T, s *site) string {
	t.Helper()
	have, err := os.ReadFile(s.path(article.ManifestPath))
	must(t, err)
	for name, dir := range e.dirs {
		want, err := os.ReadFile(filepath.Join(dir, article.ManifestPath))
		must(t, err)
		if string(have) == string(want) {
			return name
		}
	}
	return ""
}

// fetch wants a look to end well, or to refuse an older manifest.
func (e *editions) fetch(t *testing.T, s *site, now string, older bool) {
	t.Helper()
	e.now = now
	err := s.fetch(t.Context())
	if (err != nil) != older || older && reasonOf(err) != reasonOlder {
		t.Errorf("fetch of %s: %v, want older %v", now, err, older)
	}
	if older && (!strings.Contains(fmt.Sprint(err), "is older than the one held") || !strings.Contains(hinted.Hint(err), "if the site was rolled back")) {
		t.Errorf("fetch of %s: %v\nhint: %s", now, err, hinted.Hint(err))
	}
}

// A manifest that was held before comes from a cache that is behind, or it is a rollback:
// then it stays, and after a while it is followed. A restart knows it, too.
func TestSiteHasAManifestThatWasHeldBefore(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.fetch(t, s, "one", false)
		time.Sleep(time.Minute)
		e.fetch(t, s, "two", false)
		time.Sleep(time.Minute)
		e.fetch(t, s, "one", true)
		s = e.site(t, dir) // a restart
		e.fetch(t, s, "one", true)
		e.fetch(t, s, "two", false)
		time.Sleep(rollbackAfter)
		e.fetch(t, s, "one", true) // "two" was seen since
		time.Sleep(rollbackAfter - time.Second)
		e.fetch(t, s, "one", true)
		if got := e.holds(t, s); got != "two" {
			t.Errorf("holds %s, want two", got)
		}
		time.Sleep(time.Second)
		e.fetch(t, s, "one", false)
		if got := e.holds(t, s); got != "one" {
			t.Errorf("holds %s, want one, which is all that the site has", got)
		}
		e.fetch(t, s, "three", false)
	})
}

// With a time of the file, that decides: a copy of the site that is behind, although it was
// never held; and a rollback that was built anew is followed at once.
func TestSiteHasAManifestOfAnEarlierTime(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		at := func(ago time.Duration) {
			e.header.Set("Last-Modified", time.Now().Add(-ago).UTC().Format(http.TimeFormat))
		}
		s := e.site(t, dir)
		at(3 * time.Hour)
		e.fetch(t, s, "one", false)
		at(time.Hour)
		e.fetch(t, s, "three", false)
		at(2 * time.Hour)
		e.fetch(t, s, "two", true)
		e.fetch(t, s, "two", true)
		if got := e.holds(t, s); got != "three" {
			t.Errorf("holds %s, want three", got)
		}
		at(time.Minute)
		e.fetch(t, s, "one", false)
		at(time.Hour)
		e.fetch(t, s, "three", true)
		time.Sleep(rollbackAfter)
		e.fetch(t, s, "three", false)
	})
}

// With an Age and no time, a manifest that was held before and that the site itself has sent
// since is a rollback, and one from a cache that was filled earlier is not.
func TestSiteHasAManifestOfAKnownAge(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.header.Set("Age", "0")
		e.fetch(t, s, "one", false)
		e.header.Set("Age", "3600")
		e.fetch(t, s, "one", false) // from a cache, which makes it no older
		e.header.Set("Age", "1800")
		e.fetch(t, s, "two", true)
		e.header.Set("Age", "0")
		time.Sleep(time.Minute)
		e.fetch(t, s, "two", false)
		time.Sleep(30 * time.Second)
		e.header.Set("Age", "45")
		e.fetch(t, s, "one", true)
		e.header.Set("Age", "15")
		e.fetch(t, s, "one", false)
	})
}

// A cache that was filled before the one that is held came from the site is behind, though its
// manifest was never held here. A restart knows that, too; and an Age that is none is not believed.
func TestSiteHasAManifestOfAGreaterAge(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.header.Set("Age", "0")
		e.fetch(t, s, "one", false)
		time.Sleep(time.Hour)
		e.fetch(t, s, "three", false)
		time.Sleep(time.Minute)
		e.header.Set("Age", "90")
		e.fetch(t, s, "two", true)
		s = e.site(t, dir)
		e.fetch(t, s, "two", true)
		e.header.Set("Age", "9223372036854775807")
		e.fetch(t, s, "two", true)
		e.header.Set("Age", "-1")
		e.fetch(t, s, "three", false)
		time.Sleep(time.Minute)
		e.header.Set("Age", "20")
		e.fetch(t, s, "two", false) // built after all
		e.header.Set("Age", "of stone")
		e.fetch(t, s, "one", true) // held before, and nothing is known of it
		e.header.Del("Age")
		time.Sleep(rollbackAfter)
		e.fetch(t, s, "one", false)
	})
}

// Ages are of whole seconds, and take time on their way; one that is held without an Age may have
// left the site long before it came.
func TestByAge(t *testing.T) {
	for _, c := range []struct {
		later         time.Duration
		offered, held bool // whether an Age says when
		want          int
	}{
		{time.Second, true, true, 0},
		{time.Second + time.Millisecond, true, true, 1},
		{time.Hour, true, false, 1},
		{time.Hour, false, true, 0},
		{-2 * time.Second, true, true, 0},
		{-2*time.Second - time.Millisecond, true, true, -1},
		{-time.Hour, true, false, 0},
	} {
		held := edition{sent: time.Now(), aged: c.held}
		if got := byAge(edition{sent: held.sent.Add(c.later), aged: c.offered}, held); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// A clock that was years ahead when a manifest came makes nothing older after it was set right.
func TestSiteWasSeenByAClockThatWasAhead(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	e.header.Set("Age", "0")
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(10 * 365 * 24 * time.Hour)
		e.fetch(t, e.site(t, dir), "one", false)
	})
	synctest.Test(t, func(t *testing.T) { // begins at the same instant again
		s := e.site(t, dir)
		time.Sleep(time.Minute)
		e.fetch(t, s, "two", false)
		time.Sleep(time.Minute)
		e.fetch(t, s, "three", false)
	})
}

// Where all files have one time and manifests one size, a host that makes its ETag of these says
// for ever that nothing is new. It is not believed for ever.
func TestSiteHasFilesOfOneTime(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		e.header.Set("Last-Modified", "Tue, 01 Jan 1980 00:00:00 GMT")
		e.header.Set("ETag", `"12cea600-5678"`)
		s.client.Transport = inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("If-None-Match") != "" {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			e.ServeHTTP(w, r)
		})}
		e.fetch(t, s, "one", false)
		for range 11 {
			time.Sleep(5 * time.Minute)
			e.fetch(t, s, "two", false)
		}
		if got := e.holds(t, s); got != "one" {
			t.Errorf("holds %s: the host is asked for the whole manifest again and again", got)
		}
		time.Sleep(5 * time.Minute)
		e.fetch(t, s, "two", false)
		if got := e.holds(t, s); got != "two" {
			t.Errorf("holds %s, want two", got)
		}
	})
}

// Hosts make ETags of a file's second and size. Two builds within one second, with manifests of
// one size, have both in common: the second must be seen all the same.
func TestSiteIsBuiltTwiceInASecond(t *testing.T) {
	e, dir := newEditions(t), t.TempDir()
	e.dirs["two"] = t.TempDir()
	publish(t, e.dirs["two"], anArticle("a", "owt")) // of the same size as "one", up to packing
	synctest.Test(t, func(t *testing.T) {
		s := e.site(t, dir)
		conditions := 0
		s.client.Transport = inMemory{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isManifest(r) && r.Header.Get("If-None-Match") != "" {
				conditions++
				w.WriteHeader(http.StatusNotModified)
				return
			}
			e.ServeHTTP(w, r)
		})}
		e.header.Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
		e.header.Set("ETag", `"1234-5678"`)
		e.fetch(t, s, "one", false)
		e.fetch(t, s, "two", false)
		if got := e.holds(t, s); got != "two" || conditions != 0 {
			t.Errorf("holds %s, want two; %d conditional requests", got, conditions)
		}
		time.Sleep(3 * time.Second)
		e.fetch(t, s, "two", false)
		e.fetch(t, s, "two", false)
		if conditions != 1 {
			t.Errorf("%d conditional requests, want 1: after some seconds the ETag is right", conditions)
		}
	})
}

// How old a file was when it came, the clock of its host says, if it says anything.
func TestSettled(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	at := func(ago time.Duration) string { return now.Add(-ago).Format(http.TimeFormat) }
	for _, c := range []struct {
		modified, date string
		want           bool
	}{
		{"", "", true},
		{at(2 * time.Second), "", true},
		{at(time.Second), "", false},
		{at(time.Hour + 2*time.Second), at(time.Hour), true},
		{at(time.Hour + time.Second), at(time.Hour), false},
		{at(time.Second), at(-time.Hour), true},
		{"yesterday", "", false},
	} {
		h := http.Header{"Last-Modified": {c.modified}, "Date": {c.date}}
		if got := settled(h, now); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}

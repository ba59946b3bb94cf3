package verify

import (
	"fmt"
	"math"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
	"newsstand/builder/publication/publicationtest"
)

// What an error may say of how long it is kept, however it is spelt.
func TestErrorCache(t *testing.T) {
	for _, test := range []struct {
		status int
		cache  []string // the lines of the header
		right  bool
	}{
		{404, []string{"public, max-age=60"}, true},
		{404, []string{"public, Max-Age=\"60\""}, true},
		{404, []string{"public", "max-age=60"}, true},
		{404, []string{"no-store"}, true},
		{404, nil, false},
		{404, []string{"public, max-age=86400"}, false},
		{404, []string{"public, Max-Age=86400"}, false},
		{404, []string{"public, max-age=\"86400\""}, false},
		{404, []string{"public, max-age=99999999999999999999"}, false},
		{404, []string{"public, max-age=60, s-maxage=86400"}, false},
		{404, []string{"public, max-age=60", "max-age=86400"}, false},
		{404, []string{"public, max-age=60", "Immutable"}, false},
		{404, []string{"public, max-age=60, stale-if-error=86400"}, false},
		{503, []string{"no-store"}, true},
		{503, []string{"private, No-Store, max-age=0"}, true},
		{503, []string{"public, max-age=60"}, false},
		{200, []string{article.SuccessCache}, true},
	} {
		wrong := errorCache(answer{status: test.status, header: http.Header{"Cache-Control": test.cache}})
		if (wrong == nil) != test.right {
			t.Errorf("%d with %q: %v", test.status, test.cache, wrong)
		}
	}
}

// A sample is of all of a list, and not of its beginning.
func TestSpread(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	for n, want := range map[int]string{1: "[0]", 2: "[0 5]", 3: "[0 3 6]", 10: fmt.Sprint(list), 11: fmt.Sprint(list)} {
		if got := fmt.Sprint(spread(list, n)); got != want {
			t.Errorf("%d of ten: %s, want %s", n, got, want)
		}
	}
}

func TestSpeed(t *testing.T) {
	var took []time.Duration
	for ms := range 100 {
		took = append(took, time.Duration(100-ms)*time.Millisecond)
	}
	if got, want := newSpeed("x", took), (Speed{Name: "x", Requests: 100, Median: 51, P95: 96, Max: 100}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// What is kept of a corpus has a bound in bytes: a host may pack 256 MB into each chunk of a few
// kilobytes.
func TestCorpusIsBounded(t *testing.T) {
	const articles, size = 1000, 10_000 // in 16 chunks
	public := t.TempDir()
	var all []article.Article
	for i := range articles {
		all = append(all, article.Article{Meta: article.Meta{ID: fmt.Sprintf("a%04d", i), Authors: []article.Author{}, Tags: []string{}}, ContentText: strings.Repeat("x", size)})
	}
	if err := publicationtest.Publish(t.Context(), public, article.SearchSettings{}, all...); err != nil {
		t.Fatal(err)
	}
	c, err := openCorpus(os.DirFS(public))
	if err != nil {
		t.Fatal(err)
	}
	c.most = 2 << 20
	read := 0
	for range 2 {
		if err := c.each(math.MaxInt, func(publication.Record) error { read++; return nil }); err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, records := range c.kept {
			for _, r := range records {
				kept += len(r.Line)
			}
		}
		if kept > 2<<20 || kept == 0 {
			t.Errorf("%d bytes are kept", kept)
		}
	}
	if read != 2*articles {
		t.Errorf("%d articles were read", read)
	}
}

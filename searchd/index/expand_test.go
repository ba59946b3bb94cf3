package index

import (
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// The terms of all segments are one list, without those that only articles had that are gone.
func TestTermsOfAllSegments(t *testing.T) {
	x := open(t, t.TempDir())
	update(t, x, "r1", []article.Article{note("a", "en", "One", "swap swarm sway"), note("b", "en", "Two", "sweep swing")})
	update(t, x, "r2", []article.Article{note("c", "en", "Three", "swam swap sw")})
	update(t, x, "r3", []article.Article{note("d", "en", "Four", "swing swan")}, "a")
	s := x.acquire()
	defer x.release(s)
	if len(s.layouts) < 2 {
		t.Fatalf("the index has %d segments", len(s.layouts))
	}
	for _, test := range []struct {
		prefix string
		n      int
		wanted func(string) bool
		want   []string
	}{
		{"sw", 10, every, []string{"sw", "swam", "swan", "swap", "sweep", "swing"}},
		{"sw", 3, every, []string{"sw", "swam", "swan"}},
		{"swa", 2, func(term string) bool { return !strings.HasSuffix(term, "n") }, []string{"swam", "swap"}},
		{"sx", 10, every, nil},
	} {
		if got, err := s.terms(t.Context(), fieldWords, test.prefix, test.n, test.wanted); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%d terms with %s: %q, want %q (%v)", test.n, test.prefix, got, test.want, err)
		}
	}
}

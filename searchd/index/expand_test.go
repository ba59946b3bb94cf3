package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"newsstand/builder/article"
)

// The terms of all segments are one list, without those that only deleted articles have.
func TestTermsOfAllSegments(t *testing.T) {
	x := indexOf(t, note("a", "en", "One", "swap swarm sway"), note("b", "en", "Two", "sweep swing"))
	update(t, x, "r2", []article.Article{note("c", "en", "Three", "swam swap sw")})
	update(t, x, "r3", []article.Article{note("d", "en", "Four", "swing swan")}, "a")
	s := view{snapshot: x.acquire(), ctx: t.Context()}
	defer x.release(s.snapshot)
	if len(s.layouts) < 2 {
		t.Fatalf("the index has %d segments", len(s.layouts))
	}
	for _, test := range []struct {
		prefix string
		n      int
		want   []string
	}{
		{"sw", 10, []string{"sw", "swam", "swan", "swap", "sweep", "swing"}},
		{"sw", 3, []string{"sw", "swam", "swan"}},
		{"sx", 10, nil},
	} {
		if got := s.terms(fieldWords, test.prefix, test.n); !slices.Equal(got, test.want) {
			t.Errorf("%d terms with %s: %q, want %q", test.n, test.prefix, got, test.want)
		}
	}
}

// around finds exactly the words that so many edits lead to, however many bytes their letters have.
func TestWordsAround(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	words := func() string {
		var text strings.Builder
		for range 150 {
			text.WriteByte(' ')
			for range 4 + random.IntN(5) {
				text.WriteRune([]rune("abжअ𐐷")[random.IntN(5)])
			}
		}
		return text.String()
	}
	x := indexOf(t, note("a", "en", "One", words()))
	update(t, x, "r2", []article.Article{note("b", "en", "Two", words())})
	s := view{snapshot: x.acquire(), ctx: t.Context()}
	defer x.release(s.snapshot)
	all := s.terms(fieldWords, "", 1000)
	if len(all) < 200 {
		t.Fatalf("%d words", len(all))
	}
	for _, word := range all[:100] {
		for edits := 1; edits <= 2; edits++ {
			var want []editedTerm
			for _, other := range all {
				if apart := refDistance([]rune(word), []rune(other), edits); apart <= edits {
					want = append(want, editedTerm{other, apart})
				}
			}
			if got := s.around(word, edits); !slices.Equal(got, want) {
				t.Errorf("%d edits around %s: %v, want %v", edits, word, got, want)
			}
		}
	}
}

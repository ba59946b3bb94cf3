package index

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Without the marks around its phrases a query has the same words in the same places, no
// phrase, and excludes what it excluded.
func TestUnquotedQueriesSayTheSame(t *testing.T) {
	pieces := strings.Split(quotes+`"""  --aé語.'`, "")
	r := rand.New(rand.NewPCG(1, 2))
	phrases := 0
	for range 50_000 {
		var text strings.Builder
		for range r.IntN(20) {
			text.WriteString(pieces[r.IntN(len(pieces))])
		}
		q := parse(text.String())
		got := parse(q.unquoted())
		phrases += len(q.phrases)
		same := func(a, b clause) bool { return a.span == b.span && a.folded == b.folded }
		if !slices.EqualFunc(q.clauses, got.clauses, same) || len(got.phrases) > 0 || len(got.not) != len(q.not) {
			t.Fatalf("%q became %q: %+v and %+v", q.text, got.text, q, got)
		}
	}
	if phrases < 1_000 {
		t.Errorf("there were %d phrases only", phrases)
	}
}

package markdown

import (
	"strings"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// A long line costs time in proportion, whatever is in it.
func TestHostileLines(t *testing.T) {
	articletest.WithoutRace(t)
	const size = 1 << 20
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)/2) }
	for name, text := range map[string]string{
		"links with spaces":   fill("[a](/b c) ") + fill("![a](/b c 'd') "),
		"tags and other ends": "a " + fill("<title>") + fill("</style>"),
	} {
		began := time.Now()
		_, err := New(Flavour{}).Markdown([]byte(text), func(ref string) string { return ref })
		took := time.Since(began)
		t.Logf("%-21s %s", name, took.Round(time.Millisecond))
		if took > 10*time.Second || err != nil {
			t.Errorf("%s: %s, %v", name, took, err)
		}
	}
}

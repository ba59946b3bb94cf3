package frontmatter

import (
	"reflect"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"newsstand/builder/source/sourcetest"
)

// samePlainly parses YAML in both ways, and checks that both give the same unless the plain one
// gives up. It reports whether that did not give up.
func samePlainly(t testing.TB, raw []byte) bool {
	t.Helper()
	got, ok := plainYAML(raw, 2)
	if !ok {
		return false
	}
	want, err := parseAnyYAML(raw, 2)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q\n%v\n%s", raw, err, cmp.Diff(want, got, cmp.AllowUnexported(Value{}, Field{}, Error{})))
	}
	return true
}

func plainPieces() []string {
	return []string{
		"title: A\n", "title: \"A: b # c 'd'\"\ndate: 2026-01-01\n", "title: 'A \"b\"'  \ndate: 2026-01-01T10:00:00+02:00\ndraft: false\n", "tags:\n  - a\n  - \"b c\"\nweight: 12\n",
		"tags:\n- a\n- 'b'\n\nx: z", "a: b\n\n\nc: d:e f\n", "d: Ünïcode — “quoted”\n日本: x\n", "é: x\n", "a: éa\n", "a:   b c  \n", "x: it's\n", "a: \"the \\\"b\\\" of c:\\\\ \"\n", "a: [\"b\\\\\"]\n", "a: [b, \"c, d\", 'e' ,f]\nb: []\nc: [ é, g ]  \n", "a: 2018-06-08-newsletter\nb: /en/x/\nc: 3 words\n",
	}
}

func TestPlainYAML(t *testing.T) {
	for _, raw := range plainPieces() {
		if plain := samePlainly(t, []byte(raw)); !plain && utf8.RuneCountInString(raw) == len(raw) {
			t.Errorf("%q is not parsed plainly", raw)
		}
	}
	for _, raw := range []string{
		"", "\n", "# c\na: b", "a: b # c", "a: b: c", "a: [b", "a: ['", "a: [\"b", "a: [b]c", "a: [b,,c]", "a: [,b]", "a: [b,]", "a: [b: c]", "a: [[b]]", "a: [b\n]", "a: [\"b\" c]", "a: ['']", "a: [b #c]", "a: [yes]", "a: [1, true]", "a: [-]", "a: {b: c}", "a: |\n  b\n", "a: >\n b", "a: b\n  c", "a:\n  b: c", "a: b\na: c", "a: &x b\nc: *x", "a: !!str b", "a: yes", "a: 0x1f", "a: 1.5", "a: 1_000",
		"a: 012", "a: ~", "a: null", "a: True", "a: \"b\\n\"", "a: \"b\\\"", "a: \"b\\\\\" c\"", "a: \"b\\", "a: \"\\/\"", "a: [\"b\\\"\"]", "a: 'b''c'", "a: \"b\" c", "a: \"b\n c\"", "a:", "a:\nb: c", "- a\n- b", "a: - b", "a:\n- b\n - c", "a:\n  - b\n- c", "a:\n  - b: c", "a:\n  - - b", "a:\n  -\n", "a:\n- ", "a:b", "a : b",
		"a: 12:30", "a: 2026-1-1", "a: @b", "a: `b`", "a: %b", "a: b\tc", "a: b\r\n", "? a\n: b", "---\na: b", "a: b\n...\n", "a: b\n---\nc: d", "<<: b", "a: .5", "a: -1", "a: +1", "a: b\x00", "a: \u0085b", "a: \ufeffb", "a: b\u2028c", "a:\n  - a\n\n  - b\nc: d",
	} {
		samePlainly(t, []byte(raw))
	}
}

// Most front matters of real sites take the fast path, and it reads them as the full
// parser does. The guide has fewer: many of its articles say something about search, in
// keys below a key.
func TestPlainYAMLOfRealSites(t *testing.T) {
	for name, least := range map[string]float64{sourcetest.Guide: 0.4, "sites": 0.9} {
		t.Run(name, func(t *testing.T) {
			all, plain := 0, 0
			sourcetest.EachArticle(t, name, func(_ string, data []byte) {
				if parts, err := cutFrontMatter(data); err == nil && parts.format == formatYAML {
					all++
					if samePlainly(t, parts.meta) {
						plain++
					}
				}
			})
			t.Logf("%d of %d are plain", plain, all)
			if float64(plain) < least*float64(all) || all == 0 {
				t.Errorf("the fast path reads %d of %d front matters, want a share of at least %v", plain, all, least)
			}
		})
	}
}

func FuzzPlainYAML(f *testing.F) {
	for _, raw := range plainPieces() {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if utf8.Valid(raw) && len(raw) < 1000 {
			samePlainly(t, raw)
		}
	})
}

package markdown

import "testing"

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{
		"":                             0,
		"One, two; three.":             3,
		"don't stop at node.js":        4,
		"état-major c'est ça":          3,
		"我们在北京":                        3,
		"Go 语言 is fun":                 4,
		"12 300 and 4.5":               4,
		"— … !":                        0,
		"Это слово, и ещё одно":        5,
		"หนังสือ":                      4,
		"a\n\nb\tc":                    3,
		"e\u0301te\u0301 decomposed":   2,
		"snake_case and kebab-case OK": 4,
	} {
		if got := CountWords(text); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}

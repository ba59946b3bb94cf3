package analysis

import (
	"slices"
	"testing"
	"unicode/utf8"
)

func everywhere(string) bool { return true }

// All spellings of a folded character fold to it, and the character that was folded is one of them.
func TestCharactersAreTheirOwnSpellings(t *testing.T) {
	for r := range rune(utf8.MaxRune) {
		if ClassOf(r) != Unspaced {
			continue
		}
		folded := string(Fold([]byte(string(r)), nil))
		all := Spellings(folded, everywhere)
		if !slices.Contains(all, string(r)) {
			t.Errorf("%c is not among the spellings of %s: %q", r, folded, all)
		}
		for _, one := range all {
			if other := string(Fold([]byte(one), nil)); other != folded || len(one) != len(folded) {
				t.Errorf("%s, a spelling of %s, folds to %s", one, folded, other)
			}
		}
	}
}

func TestFoldedChinese(t *testing.T) {
	for _, test := range []struct{ traditional, simplified string }{
		{"數據庫", "数据库"}, {"國家開發", "国家开发"}, {"頭髮發展", "头发发展"}, {"裡面", "里面"}, {"裏面", "里面"}, {"皇后與後面", "皇后与后面"}, {"臺灣台灣", "台湾台湾"},
		{"乾燥的主幹", "干燥的主干"}, {"髙﨑", "髙﨑"}, {"日本語の開発", "日本语の开発"}, {"龘鿔䴙", "龘鿔䴙"}, {"한국國", "한국国"}, {"薴苧", "苎苎"}, {"a國1", "a国1"},
	} {
		if got := string(Fold(Lower(test.traditional, nil), nil)); got != string(Lower(test.simplified, nil)) {
			t.Errorf("%s: folded %s, want %s", test.traditional, got, test.simplified)
		}
	}
}

func TestSpellings(t *testing.T) {
	in := func(text string) func(string) bool {
		return func(character string) bool { return slices.Contains([]rune(text), []rune(character)[0]) }
	}
	for _, test := range []struct {
		folded string
		used   func(string) bool
		want   []string
	}{
		{"国水", everywhere, []string{"国水", "國水"}},
		{"头发", everywhere, []string{"头发", "頭发", "头發", "頭發", "头髮", "頭髮"}},
		{"头发", in("頭髮发"), []string{"頭发", "頭髮"}},
		{"国水", in("水"), nil},
		{"の水", in(""), []string{"の水"}},
		{"swap", in(""), []string{"swap"}},
		{"", in(""), []string{""}},
	} {
		if got := Spellings(test.folded, test.used); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.folded, got, test.want)
		}
	}
}

package analysis

import (
	"strings"
	"unicode/utf8"
)

// layouts are the letters of keyboards of Russian and Ukrainian, and in the same places what their
// keys give on a keyboard of English; at the end, those that are typed with Shift there.
var layouts = map[string][2]string{
	"ru": {"йцукенгшщзхъфывапролджэячсмитьбюё" + "хъжэбюё", "qwertyuiop[]asdfghjkl;'zxcvbnm,.`" + `{}:"<>~`},
	"uk": {"йцукенгшщзхїфівапролджєячсмитьбюґ'" + "хїжєбюґ", "qwertyuiop[]asdfghjkl;'zxcvbnm,.\\`" + `{}:"<>|`},
}

// MayBeSplit reports whether a text, typed on a keyboard of English, has signs whose keys give
// letters on other layouts: "jib,rf" is ошибка, though it seems to be two words.
func MayBeSplit(text string) bool {
	return strings.ContainsAny(text, "\\|[];',.`{}:\"<>~") && !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// OtherLayout returns a text as the same keys give it on the keyboard that was meant: "ащте" is
// font, and in Russian "ghjvbc" промис. Code is the language of the letters that are not English.
// It returns "" if the text has letters that the keyboard lacks, or those of both, or fewer than
// four characters: few are the beginning of some word on any keyboard.
func OtherLayout(text, code string) string {
	layout, ok := layouts[code]
	lowered := strings.ToLower(text)
	if !ok || utf8.RuneCountInString(lowered) < 4 {
		return ""
	}
	from, to := []rune(layout[0]), []rune(layout[1])
	if strings.ContainsAny(lowered, "abcdefghijklmnopqrstuvwxyz") {
		from, to = to, from
	} else if !strings.ContainsAny(lowered, layout[0]) {
		return ""
	}
	keys := make(map[rune]rune, len(from))
	for i, r := range from {
		if _, known := keys[r]; !known {
			keys[r] = to[i]
		}
	}
	var typed strings.Builder
	for _, r := range lowered {
		meant, ok := keys[r]
		if !ok && r >= 0x80 {
			return ""
		}
		if !ok {
			meant = r
		}
		typed.WriteRune(meant)
	}
	return typed.String()
}

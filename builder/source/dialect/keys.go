package dialect

import (
	"cmp"
	"strings"
)

// keys writes keys to press, as ++ctrl+alt+"My key"++, with their names, and returns the length of
// what names them.
func (t *reader) keys() int {
	const key = `(?:[\w-]+|"[^"\n]+")`
	found := t.pattern(`^\+\+(` + key + `(?:\+` + key + `)*)\+\+`).FindStringSubmatch(t.rest())
	if found == nil {
		return 0
	}
	for i, name := range t.pattern(key).FindAllString(found[1], -1) {
		if i > 0 {
			t.out.WriteByte('+')
		}
		shown, isText := strings.CutPrefix(name, `"`)
		if shown = strings.TrimSuffix(shown, `"`); !isText {
			switch name {
			case "control":
				name = "ctrl"
			case "command":
				name = "cmd"
			case "escape":
				name = "esc"
			case "delete":
				name = "del"
			}
			shown = cmp.Or(Capitals(strings.TrimPrefix(name, "arrow-")), name)
		}
		t.out.WriteString("<kbd>" + asMarkdown(shown) + "</kbd>")
	}
	return len(found[0])
}

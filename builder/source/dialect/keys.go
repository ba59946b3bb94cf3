package dialect

import (
	"cmp"
	"strings"
)

// keys writes the names of keys to press for syntax such as ++ctrl+alt+"My key"++, and returns the
// length of that syntax; 0 if there is none.
func (t *reader) keys() int {
	const key = `(?:[\w-]+|"[^"\n]+")`
	found := t.pattern(`^\+\+(` + key + `(?:\+` + key + `)*)\+\+`).FindStringSubmatch(t.rest())
	if found == nil {
		return 0
	}
	short := map[string]string{"control": "ctrl", "command": "cmd", "escape": "esc", "delete": "del"}
	for i, name := range t.pattern(key).FindAllString(found[1], -1) {
		if i > 0 {
			t.out.WriteByte('+')
		}
		shown, isText := strings.CutPrefix(name, `"`)
		if shown = strings.TrimSuffix(shown, `"`); !isText {
			name = cmp.Or(short[name], name)
			shown = cmp.Or(Capitals(strings.TrimPrefix(name, "arrow-")), name)
		}
		t.out.WriteString("<kbd>" + asMarkdown(shown) + "</kbd>")
	}
	return len(found[0])
}

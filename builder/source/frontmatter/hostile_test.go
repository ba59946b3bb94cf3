package frontmatter

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// The time for a long front matter is linear in its length, whatever it holds.
func TestHostileFrontMatter(t *testing.T) {
	articletest.WithoutRace(t)
	const size = MaxBytes - 100
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	keys := func(form string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"JSON list":       `{"a":[` + fill("1,") + "1]}",
		"JSON keys":       "{" + keys(`"%x":1,`) + `"a":1}`,
		"TOML list":       "+++\na = [" + fill("1,") + "]\n+++\n",
		"TOML dots":       "+++\n" + fill("a.") + "a = 1\n+++\n",
		"TOML tables":     "+++\n" + keys("[%x]\n") + "+++\n",
		"TOML keys":       "+++\n" + keys("%x=1\n") + "+++\n",
		"TOML inline":     "+++\na = {" + keys("b%x=1,") + "c=1}\n+++\n",
		"YAML list":       "---\na: [" + fill("1,") + "]\n---\n",
		"YAML keys":       "---\n" + keys("a%x: 1\n") + "---\n",
		"YAML keys twice": "---\n" + fill("a: 1\n") + "---\n",
		"YAML merges":     "---\na: &a {" + strings.Repeat("b: 1, ", 100) + "}\n" + fill("<<: *a\n") + "---\n",
		"YAML gap":        "---\na\n" + fill("\n") + "b: c\n---\n",
		"YAML brackets":   "---\na: " + strings.Repeat("[", 90) + fill("@, ") + "\n---\n",
		"JSON mistake":    "{\"a\": 1,\n" + fill("\n") + "}",
		"constants":       "---js\n" + keys("const a%x = 1;\n")[:60000] + "\n---\n",
		"many exports":    fill("export const a = 1\n\n"),
		"exports":         fill("import '`(\n\n") + "export const a = 1",
		"comments":        fill("import /*(\n\n") + "export const a = 1",
	} {
		var err *Error
		took := articletest.ProcessorTime(t, func() { _, err = Parse([]byte(text)) })
		what := "none"
		if err != nil {
			what = err.Error()
		}
		t.Logf("%-16s %8s %.80s", name, took.Round(time.Millisecond), what)
		if took > 10*time.Second {
			t.Errorf("%s: %s", name, took)
		}
	}
}

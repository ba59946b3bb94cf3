package markdown_test

import (
	"slices"
	"testing"

	"newsstand/builder/source/markdown"
)

func TestLinks(t *testing.T) {
	text := "# [A](a.md)\n\n- [Two\n  lines](<b c.md> 'title')\n- [`[T]` and \\[*it*\\] &lt;](d\\_e(1).md)\n- [Named][f]\n- []()\n" +
		"<!-- [No](no.md) -->\n\n```\n[No](no.md)\n```\n\n`[No](no.md)` ![No](no.png)\n\n[f]: f.md\n"
	want := []markdown.Link{{"a.md", "A"}, {"b c.md", "Two lines"}, {"d_e(1).md", `\[T\] and \[it\] \<`}, {"f.md", "Named"}, {"", ""}}
	if got := markdown.Links([]byte(text)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

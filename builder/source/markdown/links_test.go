package markdown_test

import (
	"slices"
	"strings"
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

func TestRepeatedDefinitions(t *testing.T) {
	const text = "[A] [b] [c]\n\n[a]: /a/first\n[b]: /b\n\n> [A]: /a/second\n\n[ a ]: /a/last\n"
	for last, want := range map[bool]string{
		false: `<p><a href="/a/first">A</a> <a href="/b">b</a> [c]</p>`,
		true:  `<p><a href="/a/last">A</a> <a href="/b">b</a> [c]</p>`,
	} {
		got := markdown.New(markdown.Flavour{LastNames: last}).Markdown([]byte(text), func(ref string) string { return ref }).HTML
		if got, _, _ = strings.Cut(got, "\n"); got != want {
			t.Errorf("last %t: %s, want %s", last, got, want)
		}
	}
}

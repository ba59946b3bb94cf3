package markdown

import (
	"regexp"
	"slices"
	"testing"
)

// Headings of one text have the ids that GitHub, Hugo and kramdown give them.
func TestHeadingIDs(t *testing.T) {
	html := rendered(t, "# B\n\n## B\n\n## B\n\n## B 1\n\n## B\n\n## B-2\n\n## ?\n\n## ?\n").HTML
	var ids []string
	for _, m := range regexp.MustCompile(`id="([^"]*)"`).FindAllStringSubmatch(html, -1) {
		ids = append(ids, m[1])
	}
	if want := []string{"b", "b-1", "b-2", "b-1-1", "b-3", "b-2-1", "section", "section-1"}; !slices.Equal(ids, want) {
		t.Errorf("%q, want %q", ids, want)
	}
}

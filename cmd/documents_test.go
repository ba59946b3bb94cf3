//go:build e2e

package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"newsstand/builder"
)

// A sitemap, and an index of several, is one by the schema of sitemaps.org; the catalog is
// read by others as RFC 9264 and RFC 9727 mean it; and the page's linked data has no word
// that schema.org does not know.
func TestE2EDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.Symlink(npmModules(t, "documents"), filepath.Join(dir, "node_modules")))
	write(t, filepath.Join(dir, "check.mjs"), read(t, filepath.Join("testdata", "documents", "check.mjs")))
	several, err := filepath.Abs("../builder/page/testdata/golden")
	must(t, err)
	for _, base := range []string{"https://site.example", "https://site.example/a/path"} {
		content, public := copyContent(t), t.TempDir()
		settings := filepath.Join(content, "site.yaml")
		write(t, settings, strings.Replace(read(t, settings), "url_template: /api/article?id={id}", "url_template: /guide/{id}/?a=1&b=2", 1))
		if _, err := builder.Build(t.Context(), builder.Options{Content: content, Public: public, BaseURL: base}); err != nil {
			t.Fatal(err)
		}
		judged := runIn(t, dir, nil, "node", "check.mjs", public, base, several)
		if strings.HasPrefix(judged, "2 pages") {
			t.Errorf("the sitemap has no articles: %s", judged)
		}
		t.Logf("%s: %s", base, judged)
	}
}

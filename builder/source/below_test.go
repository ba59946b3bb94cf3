package source

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// counted is a folder that counts how often its files package.json are looked for, as by whoever
// reads a configuration beside them.
type counted struct {
	fs.FS
	asked int
}

// Open implements fs.FS.
func (f *counted) Open(name string) (fs.File, error) {
	if path.Base(name) == "package.json" {
		f.asked++
	}
	return f.FS.Open(name)
}

// Of a repository with thousands of packages, each of which may be a site, only the largest are
// looked at, and the one with the most articles is named.
func TestManySitesBelow(t *testing.T) {
	files := fstest.MapFS{"README.md": {}}
	for i := range 2000 {
		p := fmt.Sprintf("p%04d/", i)
		files[p+"README.md"], files[p+"next.config.js"], files[p+"docs/a.md"] = &fstest.MapFile{}, &fstest.MapFile{}, &fstest.MapFile{}
	}
	files["p1000/docs/b.md"] = &fstest.MapFile{}
	content := &counted{FS: files}
	folder, err := Scan(t.Context(), content, Options{BaseURL: "https://site.example"})
	if err != nil {
		t.Fatal(err)
	}
	if content.asked > 1000 {
		t.Errorf("package.json was asked for %d times", content.asked)
	}
	for _, p := range folder.Problems {
		if strings.Contains(p.What, "a site lies in the folder p1000,") {
			return
		}
	}
	t.Error("the largest site is not named")
}

// The configuration of a site in a folder is found whatever program it is for.
func TestEachSiteBelowIsFound(t *testing.T) {
	for config, text := range map[string]string{
		"hugo.toml": "", "_config.yml": "", "zola.toml": "base_url = 'https://a.example'", "mkdocs.yml": "site_name: A", "conf.py": "BLOG_TITLE = 'A'",
		"astro.config.mjs": "", "eleventy.config.js": "", "docusaurus.config.js": "", "next.config.js": "", "nuxt.config.ts": "", "svelte.config.js": "",
		"quartz.config.ts": "", "rspress.config.ts": "", "source.config.ts": "",
		"docs.json": `{"navigation": {"pages": ["a"]}}`, "_quarto.yml": "project: {type: website}", "_config.ts": "import lume from 'lume/mod.ts'; export default lume()",
		"retype.yml": "", "cecil.yml": "", "_cobalt.yml": "", "metalsmith.json": "{}", "marmite.yaml": "", "soupault.toml": "",
	} {
		files := fstest.MapFS{"README.md": {}, "site/" + config: {Data: []byte(text)}}
		for _, dir := range []string{"", "content/", "docs/", "pages/", "site/", "src/", "src/content/", "src/pages/"} {
			files["site/"+dir+"a.md"] = &fstest.MapFile{}
		}
		folder, err := Scan(t.Context(), files, Options{BaseURL: "https://site.example"})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(folder.Problems, func(p Problem) bool { return strings.Contains(p.What, "a site lies in the folder site,") }) {
			t.Errorf("%s is not found", config)
		}
	}
}

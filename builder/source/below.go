package source

import (
	"crypto/sha256"
	"io/fs"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// siteBelow warns if the content folder has no configuration but a folder in it has one. The
// content folder is then usually a repository around a site, and the site's templates, perhaps even
// its drafts, would be published as articles. Of several sites, the warning names the one with the
// most articles. The paths are those of all files.
func (r *siteReader) siteBelow(paths []string) {
	if r.site.rules.configured || r.site.From["generator"] != "" {
		return
	}
	names := configFiles()
	var config, site string
	most := 0
	for _, p := range paths {
		dir, name, ok := strings.Cut(p, "/")
		if !ok || dir == site || !isConfiguration(name, names) {
			continue
		}
		if n := articlesBelow(r.content, dir, paths); n > most {
			config, site, most = p, dir, n
		}
	}
	if most > 0 {
		r.report(config, frontmatter.Value{}, Warning,
			"a site lies in the folder "+site+", and its configuration is not read, as it does not lie in the content folder",
			"name the site's folder, as in --content "+site+"; or write generator: plain into "+SiteFile+", if all files are meant")
	}
}

// isConfiguration reports whether a file of this name may be the configuration of a generator whose
// site often lies in a folder of a repository: one of names, or that of Eleventy, Astro,
// Docusaurus, MkDocs, Zensical, Nanoc, Nikola, DocFX, Dendron or Logseq.
func isConfiguration(name string, names []configFile) bool {
	others := []string{".eleventy.", "eleventy.config.", "astro.config.", "docusaurus.config.", "mkdocs.", "zensical.toml",
		"nanoc.yaml", "conf.py", "docfx.json", "dendron.yml", "logseq/config.edn"}
	return slices.ContainsFunc(names, func(c configFile) bool { return c.name == name }) ||
		slices.ContainsFunc(others, func(start string) bool { return strings.HasPrefix(name, start) })
}

// articlesBelow counts the Markdown files that the site in a folder of the content folder may
// publish, judging by their paths. It returns 0 if the folder has no site.
func articlesBelow(content fs.FS, dir string, paths []string) (n int) {
	within, err := fs.Sub(content, dir)
	if err != nil {
		return 0
	}
	below := siteReader{site: &Site{From: map[string]string{}}, content: within, key: sha256.New()}
	u := &below.site.rules
	if below.readConfiguration(); below.err != nil || !u.configured && !u.dendron && !u.dialect.Logseq {
		return 0
	}
	for _, p := range paths {
		if p, ok := strings.CutPrefix(p, dir+"/"); ok && dialect.IsMarkdown(p) && u.whyIgnored(p) == "" {
			n++
		}
	}
	return n
}

package source

import (
	"cmp"
	"crypto/sha256"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
)

// maxSiteDepth is how deep in the content folder a site may lie, as in packages/docs/site.
const maxSiteDepth = 3

// maxSitesRead is how many configurations of folders are read: a repository may have thousands of
// packages.
const maxSitesRead = 50

// siteBelow warns if the content folder has no configuration but a folder in it has one. The
// content folder is then usually a repository around a site, and the site's templates, perhaps even
// its drafts, would be published as articles. A site deeper in it may be an example, unless it has
// most of the articles. Of several sites, the warning names the one with the most articles. The
// paths are those of all files.
func (r *siteReader) siteBelow(paths []string) {
	if r.site.rules.configured || r.site.From["generator"] != "" {
		return
	}
	all, within, configs := foldersWithin(paths)
	site, most, read := "", 0, 0
	byArticles := func(a, b string) int { return cmp.Or(cmp.Compare(within[b], within[a]), strings.Compare(a, b)) }
	for _, dir := range slices.SortedFunc(maps.Keys(within), byArticles) {
		if within[dir] <= most || read == maxSitesRead {
			break
		}
		if strings.Contains(dir, "/") && 2*within[dir] <= all {
			continue
		}
		for _, hidden := range []string{".vitepress", ".vuepress"} { // the paths lack what begins with a dot
			if p := dir + "/" + hidden; configs[dir] == "" && isDir(r.content, p) {
				configs[dir] = p
			}
		}
		if configs[dir] == "" {
			continue
		}
		read++
		if n := articlesBelow(r.content, dir, paths); n > most {
			site, most = dir, n
		}
	}
	if most > 0 {
		r.report(configs[site], frontmatter.Value{}, Warning,
			"a site lies in the folder "+site+", and its configuration is not read, as it does not lie in the content folder",
			"name the site's folder, as in --content "+site+"; or write generator: plain into "+SiteFile+", if all files are meant")
	}
}

// foldersWithin counts the articles, all of them and those of each folder down to maxSiteDepth, and
// finds the first configuration of a site in each of these folders.
func foldersWithin(paths []string) (all int, within map[string]int, configs map[string]string) {
	within, configs = map[string]int{}, map[string]string{}
	names := configFiles()
	for _, p := range paths {
		isArticle := dialect.IsMarkdown(p)
		if isArticle {
			all++
		}
		for dir := range foldersAround(p) {
			switch name := p[len(dir)+1:]; {
			case isArticle:
				within[dir]++
			case configs[dir] == "" && isConfiguration(name, names):
				configs[dir] = p
			}
		}
	}
	return all, within, configs
}

// foldersAround visits the folders around a path, from the content folder's own on, down to
// maxSiteDepth.
func foldersAround(p string) iter.Seq[string] {
	return func(yield func(string) bool) {
		end := 0
		for range maxSiteDepth {
			n := strings.IndexByte(p[end:], '/')
			if n < 0 || !yield(p[:end+n]) {
				return
			}
			end += n + 1
		}
	}
}

// isConfiguration reports whether a file of this name, in a folder of a repository, may be the
// configuration of a site: one of names, or that of a generator whose configuration is found by the
// beginning of its name.
func isConfiguration(name string, names []configFile) bool {
	others := []string{".eleventy.", "eleventy.config.", "astro.config.", "docusaurus.config.", "mkdocs.", "zensical.toml",
		"nanoc.yaml", "conf.py", "docfx.json", "dendron.yml", "logseq/config.edn", "book.toml", ".gitbook.yaml", "myst.yml", "_toc.yml", "pelicanconf.py",
		"nuxt.config.", "next.config.", "source.config.", "gatsby-config.", "gridsome.config.", "svelte.config.",
		"quartz.config.", "rspress.config.", "_config.", "_quarto.", "docs.json", "mint.json", "fern.config.json", "retype.yml", "cecil.yml", "_cobalt.yml", "metalsmith.json", "marmite.yaml", "soupault.toml"}
	return slices.ContainsFunc(names, func(c configFile) bool { return c.name == name }) ||
		slices.ContainsFunc(others, func(start string) bool { return strings.HasPrefix(name, start) })
}

// articlesBelow counts the Markdown files that the site in a folder of the content folder may
// publish, judging by their paths, which are sorted. It returns 0 if the folder has no site.
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
	first, _ := slices.BinarySearch(paths, dir+"/")
	for _, p := range paths[first:] {
		p, ok := strings.CutPrefix(p, dir+"/")
		if !ok {
			break
		}
		if dialect.IsMarkdown(p) && u.whyIgnored(p) == "" {
			n++
		}
	}
	return n
}

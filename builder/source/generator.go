package source

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/hinted"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/markdown"
)

// generator is the program that a site was written for. Its rules hold for the site.
type generator = dialect.Generator

const (
	plain  = dialect.Plain
	hugo   = dialect.Hugo
	jekyll = dialect.Jekyll
	zola   = dialect.Zola
)

func generatorOf(name string) (generator, bool) {
	for _, g := range []generator{plain, hugo, jekyll, zola} {
		if strings.EqualFold(name, g.String()) {
			return g, true
		}
	}
	return plain, false
}

// readConfiguration looks for a configuration in the content folder, then in the folder around it.
// A configuration does not override the settings of site.yaml. If it names no folders, any folder
// may have articles.
func (r *siteReader) readConfiguration() {
	r.readGenerator()
	if u := &r.site.rules; len(u.folders) == 0 {
		u.folders = []articleFolder{{}}
	}
}

// readGenerator reads the configuration of the site's generator, if there is one.
func (r *siteReader) readGenerator() {
	if r.inEither(r.configuration) || r.site.generator != plain {
		return
	}
	configured := r.inEither(r.project)
	if !configured {
		r.root, r.inside = r.content, true
	}
	r.includes(include.Imports | include.DocFX | include.MyST)
	if configured {
		r.site.rules.configured = true
		r.packages()
		r.aliases()
		return
	}
	r.site.rules.flavour.Math = dollars(true) // notes, or texts of a repository: GitHub and note editors render formulas
	r.wiki()
	r.theme()
	r.obsidian()
	r.logseq()
	r.dendron()
}

// inEither looks for a configuration in the content folder, then in the folder around it.
func (r *siteReader) inEither(look func() (found bool)) (found bool) {
	r.root, r.inside = r.content, true
	if found = look(); found || r.around == nil {
		return found
	}
	r.root, r.inside = r.around, false
	return look()
}

// fromContent returns the path, from the content folder, of a file in the folder r.root.
func (r *siteReader) fromContent(name string) string {
	if r.inside {
		return name
	}
	return path.Join("..", name)
}

// configuration reads the first configuration it finds of Hugo, Zola, Jekyll, Bridgetown or Hexo.
func (r *siteReader) configuration() (found bool) {
	for _, c := range configFiles() {
		data := r.file(r.root, c.name)
		if data == nil || r.isForOthers(c, data) {
			continue
		}
		v := r.tableOf(c.name, data)
		g := c.generator
		if g == hugo && v.Has("base_url") {
			g = zola
		}
		if c.generic && g == hugo && !looksLikeHugo(v, r.root) {
			continue
		}
		isHexo := g == jekyll && isHexo(v)
		if r.site.From["generator"] != "" && r.site.generator != g && !(isHexo && r.site.generator == plain) {
			continue // site.yaml says that other rules hold
		}
		r.site.rules.configured = true
		if isHexo {
			r.hexo(v)
		} else {
			r.readAs(g, c.name, v)
		}
		r.site.note(c.name)
		return true
	}
	return false
}

// isForOthers reports whether a configuration belongs to another program than its name suggests.
func (r *siteReader) isForOthers(c configFile, data []byte) bool {
	switch {
	case c.generic:
		return r.inside && !isDir(r.root, "content") && !isHugoProject(r.root) && !namesFolder(c.name, data, r.root)
	case c.name == initializers:
		return !beginsInitializers().Match(data)
	case c.name == "_config.yml":
		// GitHub writes it when a theme is chosen for a repository's pages, and it stays when these
		// are later made by another program. Jupyter Book has a file of this name, beside _toc.yml.
		others := r.hasOtherProgram()
		for _, name := range [...]string{"mkdocs.yml", "mkdocs.yaml", "_toc.yml", ".gitbook.yaml", "book.json"} {
			others = others || isFile(r.root, name)
		}
		return others && !hasFolder(r.root, "_posts", "_layouts", "_includes", "_data")
	}
	return false
}

// hasOtherProgram reports whether the folder has the configuration of a program that makes a site
// by itself, beside a file that such a site may have for another reason.
func (r *siteReader) hasOtherProgram() bool {
	return scriptOf(r.root, "docusaurus.config", "astro.config", "quartz.config", "nuxt.config", "gatsby-config", "next.config", "svelte.config") != ""
}

// tableOf parses a configuration; Hexo's may be indented with tabs. Bridgetown's program is not a
// table, so tableOf returns an empty one and leaves the program to bridgetown.
func (r *siteReader) tableOf(name string, data []byte) frontmatter.Value {
	if name == initializers {
		return frontmatter.Value{Kind: frontmatter.Table}
	}
	v, err := parse(name, data)
	if err != nil {
		if spaced, again := parse(name, frontmatter.WithoutTabs(data)); again == nil && isHexo(spaced) {
			return spaced
		}
	}
	r.fail(err)
	return v
}

// readAs reads the configuration of Hugo, Jekyll, Bridgetown or Zola, which have rules of their
// own.
func (r *siteReader) readAs(g generator, name string, v frontmatter.Value) {
	r.site.generator = g
	switch {
	case g == hugo:
		r.hugo(r.configFolder(name, v))
		r.site.rules.dialect.Links = r.programsLinkNotes("layouts/partials/*.html") // Quartz 3 is a site of Hugo
	case g == zola:
		r.zola(v)
	case name == initializers || strings.HasPrefix(name, "bridgetown"):
		r.bridgetown(name, v)
	default:
		r.jekyll(v)
	}
}

// project looks for the configuration of a generator whose publication rules are the plain ones.
// Most of these configurations are programs. They are not run: only what is written out in them is
// known, such as where the articles are. found reports whether there is one.
func (r *siteReader) project() (found bool) {
	for _, read := range [...]func() (found bool){
		r.eleventy, r.mkdocs, r.pelican, r.nikola, r.nanoc, r.middleman, r.mdbook, r.docfx, r.lume, r.rspress, r.grav, r.smallProject, r.quartz, r.docusaurus, r.vue, r.gitbook, r.quarto, r.fern,
	} {
		if read() {
			return true
		}
	}
	u := &r.site.rules
	isNuxt := scriptOf(r.root, "nuxt.config") != ""
	u.flavour.Emojis, u.rooted, u.dialect.Nuxt = u.flavour.Emojis || isNuxt, isNuxt, isNuxt // Nuxt Content has remark-emoji
	if !r.inside {
		return false
	}
	r.nextApps()
	if r.mintlify() || r.sphinx() || r.myst() || r.jupyterBook() {
		return true
	}
	if scriptOf(r.root, "astro.config") != "" {
		u.programRoot = true
		r.astro()
		return true
	}
	u.programRoot = isNuxt ||
		scriptOf(r.root, "gatsby-config", "next.config", "svelte.config", "gridsome.config", "source.config") != "" // the last is of Fumadocs
	if scriptOf(r.root, "gridsome.config") != "" {
		u.ignore(ignoreLinesOf("/src/layouts/README.md\n/src/pages/README.md\n/src/templates/README.md\n")) // each new project has these, on its own folders
	}
	if isNuxt {
		r.nuxt()
	}
	r.contentlayer()
	r.fumadocs()
	r.gatsby()
	r.svelte()
	return u.programRoot
}

// packages looks in package.json for packages that change how Markdown is read: one for formulas
// between dollar signs (unless the configuration says which formulas there are), one that turns
// names such as :smile: into emojis, and one that finds emphasis within Chinese. Nextra has
// formulas built in; a key in the configuration of Next.js turns them on.
func (r *siteReader) packages() {
	leaving := regexp.MustCompile(
		`"(?:remark-math|gatsby-remark-(?:katex|mathjax)[a-z-]*|(?:@[a-z-]+/)?markdown-it-(?:katex|mathjax3?|texmath)|@mdit/plugin-(?:katex|mathjax))"|(?m:^[^/\n]*\blatex:\s*(?:true\b|\{))`,
	)
	emojis := regexp.MustCompile(`"(?:remark-g?emoji|(?:@[a-z-]+/)?markdown-it-emoji|gatsby-remark-emojis?)"`)
	emphasis := regexp.MustCompile(`"(?:remark|markdown-it)-cjk-friendly"`)
	flavour := &r.site.rules.flavour
	for _, fsys := range []fs.FS{r.content, r.around} {
		if fsys == nil {
			continue
		}
		names := []string{"package.json", "website/package.json"}
		if config := scriptOf(fsys, "next.config"); isFile(fsys, config) {
			names = append(names, config)
		}
		for _, name := range names {
			data := r.optional(fsys, name)
			if len(flavour.Math) == 0 && leaving.Match(data) {
				flavour.Math = dollars(false)
			}
			flavour.Emojis = flavour.Emojis || emojis.Match(data)
			flavour.Lenient = flavour.Lenient || emphasis.Match(data)
		}
	}
}

// dollars returns the delimiters of formulas between single or double dollar signs.
func dollars(tex bool) []markdown.Formula {
	return []markdown.Formula{{Open: "$$", Close: "$$", TeX: tex}, {Open: "$", Close: "$", TeX: tex}}
}

// isUnruled reports whether only the articles themselves say which of them are published, because
// neither a generator nor a configuration is known.
func (s *Site) isUnruled() bool { return s.generator == plain && !s.rules.configured }

type configFile struct {
	name      string
	generator generator
	generic   bool // whether other programs have files of this name, too
}

func configFiles() []configFile {
	var files []configFile
	for _, ext := range hugoEndings() {
		files = append(files,
			configFile{"hugo" + ext, hugo, false},
			configFile{"config/_default/hugo" + ext, hugo, false},
			configFile{"config/_default/config" + ext, hugo, false})
	}
	files = append(files,
		configFile{"zola.toml", zola, false},
		configFile{"bridgetown.config.yml", jekyll, false},
		configFile{initializers, jekyll, false},
		configFile{"_config.yml", jekyll, false},
		configFile{"_config.yaml", jekyll, false})
	for _, ext := range hugoEndings() {
		files = append(files, configFile{"config" + ext, hugo, true})
	}
	return files
}

// guessHugo takes a folder without a known generator for a site of Hugo if it has section pages. It
// must have no index.md, which in Hugo would be a bundle that holds all other pages. If all section
// pages are in a folder content, the files outside of that folder would not be articles. So if some
// of these may be articles, and the folder has no other sign of Hugo, it warns and changes nothing.
func (f *Folder) guessHugo(paths []string) {
	s := &f.Site
	u := &s.rules
	isSection := func(p string) bool { return path.Base(p) == "_index.md" }
	isOutside := func(p string) bool { return !strings.HasPrefix(p, "content/") }
	first := slices.IndexFunc(paths, isSection)
	if !s.isUnruled() || s.From["generator"] != "" || first < 0 || slices.Contains(paths, "index.md") || mostlyMDX(paths) {
		return
	}
	if slices.ContainsFunc(paths, func(p string) bool { return isSection(p) && isOutside(p) }) {
		s.generator = hugo
		return
	}
	isLost := func(p string) bool { return isOutside(p) && dialect.IsMarkdown(p) && u.whyUnderscored(p) == "" }
	if i := slices.IndexFunc(paths, isLost); i >= 0 && !isHugoProject(f.content) {
		f.Problems = append(f.Problems, Problem{paths[first], 0, 0, Warning,
			"it would make the folder content a site of Hugo, but there are articles outside of it, such as " + paths[i] + ": all are published as if it were not there",
			"name the site's folder, as in --content content; or write generator: plain into " + SiteFile + ", if all files are meant"})
		return
	}
	s.generator, u.folders, u.base = hugo, []articleFolder{{dir: "content"}}, "content"
}

// mostlyMDX reports whether most articles are MDX, which Hugo does not read. Such a site is not one
// of Hugo, even if a blog made with Hugo lies in it.
func mostlyMDX(paths []string) bool {
	isOther := func(p string) bool { return !dialect.IsMarkdown(p) }
	return mostly(slices.DeleteFunc(slices.Clone(paths), isOther), isMDX)
}

// fail notes an error that ends the scan, unless it is nil. The first one counts: after it, what is
// read no longer matters.
func (r *siteReader) fail(err error) { r.err = cmp.Or(r.err, err) }

// optional reads a file of settings. It returns nil if there is none, or if it fails.
func (r *siteReader) optional(fsys fs.FS, name string) []byte {
	data, err := readOptional(fsys, name)
	r.fail(err)
	return data
}

// file is like optional, and adds the file to the digest of what articles may depend on.
func (r *siteReader) file(fsys fs.FS, name string) []byte {
	data := r.optional(fsys, name)
	if data != nil {
		r.sum(name, data)
	}
	return data
}

// sum adds a file to that digest.
func (r *siteReader) sum(name string, data []byte) {
	fmt.Fprintf(r.key, "%s %d\n%s", name, len(data), data)
}

// parse parses a configuration in the format of its extension. A mistake in it ends the scan,
// because the site could not be published correctly.
func parse(name string, data []byte) (frontmatter.Value, error) {
	v, se := frontmatter.ParseTable(name, data)
	if se != nil {
		return v, unreadable(name, se)
	}
	return v, nil
}

// table reads and parses a configuration that may be absent.
func (r *siteReader) table(fsys fs.FS, name string) (v frontmatter.Value, found bool) {
	data := r.file(fsys, name)
	if data == nil {
		return v, false
	}
	v, err := parse(name, data)
	r.fail(err)
	return v, err == nil
}

// unreadable returns the error for a mistake in a configuration.
func unreadable(name string, se *frontmatter.Error) error {
	at := Problem{Path: name, Line: se.Line, Column: se.Column}
	return hinted.Error(fmt.Errorf("read the configuration: %s: %s", at.Place(), se.What), se.Hint)
}

// common sets the settings that all configurations have, except those known already, as from
// site.yaml.
func (r *siteReader) common(title, description, base, tag string) {
	s := r.site
	s.Title, s.Description = cmp.Or(s.Title, title), cmp.Or(s.Description, description)
	if s.BaseURL == "" {
		s.BaseURL, _ = BaseURL(base)
	}
	if s.Language == "" {
		s.Language, _ = languageTag(tag)
	}
}

// authors reads the authors of the site from a key, unless they are known already.
func (r *siteReader) authors(v frontmatter.Value, key string) {
	if authors, ok := v.Get(key); ok && len(r.site.Authors) == 0 {
		r.site.Authors = appendAuthors(nil, authors)
	}
}

// zone sets the time zone of dates that name none, unless it is known already.
func (r *siteReader) zone(name string) {
	if zone, ok := zoneOf(name); ok && r.site.TimeZone == nil {
		r.site.TimeZone = zone
	}
}

// datesBy sets the layouts of dates that do not begin with the year, unless they are known already.
func (r *siteReader) datesBy(layouts []string) {
	if len(r.site.dateLayouts) == 0 {
		r.site.dateLayouts = layouts
	}
}

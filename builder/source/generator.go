package source

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/hinted"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// generator is the program that a site was written for, whose rules hold.
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

// read looks for a configuration in the content folder, then in the folder around it. It
// overrides no setting of site.yaml.
func (r *siteReader) read(content, around fs.FS) error {
	found, err := r.configuration(content, content, true)
	if !found && err == nil && around != nil {
		found, err = r.configuration(around, content, false)
	}
	if found || err != nil || r.site.generator != plain {
		return err
	}
	known, err := r.project(content, content, true)
	if !known && err == nil && around != nil {
		known, err = r.project(around, content, false)
	}
	r.site.rules.configured = known
	switch {
	case err != nil:
		return err
	case known:
		return r.packages(content, around)
	}
	r.site.rules.formulas = dollars(true) // notes, or texts of a repository: GitHub and editors of notes know formulas
	r.wiki(content)
	return cmp.Or(r.theme(content), r.obsidian(content), r.logseq(content, around), r.dendron(content))
}

// configuration reads the first configuration in fsys that is one of Hugo, Zola, Jekyll, Bridgetown
// or Hexo. inside says that fsys is the content folder, not the one around it.
func (r *siteReader) configuration(fsys, content fs.FS, inside bool) (found bool, err error) {
	for _, c := range configFiles() {
		data, err := readOptional(fsys, c.name)
		if err != nil {
			return false, err
		}
		if data == nil || inside && c.generic && !isDir(content, "content") && !isHugoProject(content) && !namesFolder(c.name, data, content) {
			continue // config.toml, for example, may belong to another program
		}
		v := frontmatter.Value{Kind: frontmatter.Table}
		if c.name != initializers {
			v, err = r.parse(c.name, data)
			if err != nil {
				if spaced, again := r.parse(c.name, frontmatter.WithoutTabs(data)); again == nil && isHexo(spaced) {
					v, err = spaced, nil
				}
			}
		} else if !beginsInitializers().Match(data) {
			continue
		}
		if err != nil {
			return false, err
		}
		g := c.generator
		if g == hugo && v.Has("base_url") {
			g = zola
		}
		if c.generic && g == hugo && !looksLikeHugo(v, fsys) {
			continue
		}
		r.site.rules.configured = true
		if g == jekyll && isHexo(v) {
			if err := r.hexo(v, fsys, content, inside); err != nil {
				return false, err
			}
		} else if err := r.own(g, c.name, v, fsys, content, inside); err != nil {
			return false, err
		}
		r.site.note(c.name)
		return true, nil
	}
	return false, nil
}

// own reads the configuration of Hugo, Jekyll, Bridgetown or Zola, which have rules of their own.
func (r *siteReader) own(g generator, name string, v frontmatter.Value, fsys, content fs.FS, inside bool) error {
	if r.site.generator == plain {
		r.site.generator = g
	}
	switch g {
	case jekyll:
		if name == initializers || strings.HasPrefix(name, "bridgetown") {
			return r.bridgetown(name, v, fsys, content, inside)
		}
		return r.jekyll(v, fsys, content, inside)
	case zola:
		r.zola(v, content, inside)
		return nil
	}
	v, err := r.configFolder(fsys, name, v)
	if err == nil {
		r.hugo(v, content, inside)
		r.site.rules.dialect.Links = linksNotes(fsys, "layouts/partials/*.html") // as of Quartz 3
	}
	return err
}

// project looks for the configuration of a generator whose publication rules are the plain
// ones. Most of these configurations are programs themselves, which are not run: only what is
// written out in them is known, such as where the articles are. inside says that fsys is the
// content folder, not the one around it; known, that a configuration was found.
func (r *siteReader) project(fsys, content fs.FS, inside bool) (known bool, err error) {
	u := &r.site.rules
	if config, ok := r.program(fsys, inside, ".eleventy", "eleventy.config"); ok {
		u.dialect.RawInCode, u.tildes, u.dataFiles = true, true, true
		if err := r.fences(fsys); err != nil {
			return true, err
		}
		return true, r.eleventy(config, fsys, content, inside)
	}
	for _, read := range [...]func(fsys, content fs.FS, inside bool) (known bool, err error){r.mkdocs, r.pelican, r.nikola, r.nanoc, r.mdbook, r.docfx} {
		if known, err := read(fsys, content, inside); known || err != nil {
			return known, err
		}
	}
	if config, ok := r.program(fsys, inside, "quartz.config"); ok {
		r.quartz(config, content, inside)
		return true, nil
	}
	for _, at := range []string{"", "website"} {
		if config, ok := r.program(fsys, inside, path.Join(at, "docusaurus.config")); ok && (inside || at == "" || hasPagesBeside(config, fsys, at)) {
			u.emoji = true
			return true, r.docusaurus(config, fsys, content, at, inside)
		}
	}
	for _, at := range []string{"", "docs", "src"} {
		if at != "" && !inside { // the content folder is another one beside docs or src
			break
		}
		if config, ok := r.program(fsys, inside, path.Join(at, ".vitepress/config"), path.Join(at, ".vitepress/config/index")); ok {
			r.vitepress(config, content, at, inside)
			return true, nil
		}
		configs := []string{path.Join(at, ".vuepress/config")}
		if isDir(content, path.Join(at, ".vuepress")) { // VuePress is told on the command line where its files are
			configs = slices.Insert(configs, 0, "vuepress.config")
		}
		if config, ok := r.program(fsys, inside, configs...); ok {
			r.vuepress(config, content, at, inside)
			return true, nil
		}
	}
	if known, err := r.gitbook(fsys, content, inside); known || err != nil {
		return known, err
	}
	isNuxt := scriptOf(fsys, "nuxt.config") != ""
	u.emoji, u.rooted = u.emoji || isNuxt, isNuxt // Nuxt Content has remark-emoji
	if !inside {
		return false, nil
	}
	r.nextApps(content)
	if known, err := r.mintlify(content); known || err != nil {
		return known, err
	}
	if scriptOf(fsys, "astro.config") != "" {
		u.sources = true
		r.astro(content)
		return true, nil
	}
	u.sources = isNuxt ||
		scriptOf(fsys, "gatsby-config", "next.config", "svelte.config", "gridsome.config", "source.config") != "" // the last is of Fumadocs
	if isNuxt {
		r.nuxt(content)
	}
	return u.sources, r.svelte(content)
}

// ofProgram says why a file is no article of a program in whose root the configuration lies, if it
// is none. at is the article folder that holds it.
func (r *rules) ofProgram(p string, at articleFolder) string {
	isIn := func(folder string) bool { return strings.HasPrefix(p, folder+"/") }
	switch {
	case !r.sources:
	case !strings.Contains(p, "/"):
		return "it lies beside the configuration of the site's generator"
	case at.dir != "": // a collection is in this folder
	case isIn("components"), isIn("src/components"):
		return "it lies among the components of the site's program"
	case isIn("public"), isIn("static"):
		return "it lies among the files that the site copies as they are"
	}
	return ""
}

// packages looks in package.json for a package that keeps formulas between dollar signs from being
// read as Markdown, unless the configuration says which formulas there are, and for one that makes
// emojis of their names. Nextra brings its own for formulas, which a key in the configuration of
// Next.js turns on.
func (r *siteReader) packages(places ...fs.FS) error {
	leaving := regexp.MustCompile(
		`"(?:remark-math|gatsby-remark-(?:katex|mathjax)[a-z-]*|(?:@[a-z-]+/)?markdown-it-(?:katex|mathjax3?|texmath)|@mdit/plugin-(?:katex|mathjax))"|(?m:^[^/\n]*\blatex:\s*(?:true\b|\{))`,
	)
	emojis := regexp.MustCompile(`"(?:remark-g?emoji|(?:@[a-z-]+/)?markdown-it-emoji|gatsby-remark-emojis?)"`)
	for _, fsys := range places {
		if fsys == nil {
			continue
		}
		names := []string{"package.json", "website/package.json"}
		if config := scriptOf(fsys, "next.config"); isFile(fsys, config) {
			names = append(names, config)
		}
		for _, name := range names {
			data, err := readOptional(fsys, name)
			if err != nil {
				return err
			}
			if len(r.site.rules.formulas) == 0 && leaving.Match(data) {
				r.site.rules.formulas = dollars(false)
			}
			r.site.rules.emoji = r.site.rules.emoji || emojis.Match(data)
		}
	}
	return nil
}

// dollars returns the delimiters of formulas between one dollar sign or two.
func dollars(tex bool) []markdown.Formula {
	return []markdown.Formula{{Open: "$$", Close: "$$", TeX: tex}, {Open: "$", Close: "$", TeX: tex}}
}

type configFile struct {
	name      string
	generator generator
	generic   bool // whether other programs have files of this name, too
}

func configFiles() []configFile {
	var files []configFile
	for _, ext := range []string{".toml", ".yaml", ".yml", ".json"} {
		files = append(files,
			configFile{"hugo" + ext, hugo, false},
			configFile{"config/_default/hugo" + ext, hugo, false},
			configFile{"config/_default/config" + ext, hugo, false})
	}
	files = append(files, configFile{"zola.toml", zola, false}, configFile{"bridgetown.config.yml", jekyll, false}, configFile{initializers, jekyll, false}, configFile{"_config.yml", jekyll, false}, configFile{"_config.yaml", jekyll, false})
	for _, ext := range []string{".toml", ".yaml", ".yml", ".json"} {
		files = append(files, configFile{"config" + ext, hugo, true})
	}
	return files
}

// parse parses a configuration in the format that its extension tells. A mistake in it ends
// the scan: the site cannot be published rightly.
func (r *siteReader) parse(name string, data []byte) (frontmatter.Value, error) {
	hashFile(r.key, name, data)
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	v, se := frontmatter.ParseTable(name, data)
	if se != nil {
		return v, unreadable(name, se)
	}
	return v, nil
}

// unreadable returns the error of a configuration with a mistake.
func unreadable(name string, se *frontmatter.Error) error {
	at := Problem{Path: name, Line: se.Line, Column: se.Column}
	return hinted.Error(fmt.Errorf("read the configuration: %s: %s", at.Place(), se.What), se.Hint)
}

// common takes over the settings that all configurations have, unless they are known already, as
// from site.yaml.
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

func (r *siteReader) zone(name string) {
	if zone, ok := zoneOf(name); ok && r.site.TimeZone == nil {
		r.site.TimeZone = zone
	}
}

// place makes the content folders of Hugo or Zola relative to content; the configuration has
// them relative to the project. Where the project is the folder around content, their first segment
// is the content folder itself. Folders that do not exist are left out.
func (r *siteReader) place(content fs.FS, inside bool) {
	u := &r.site.rules
	u.mounted = map[string]articleFolder{}
	var found []articleFolder
	for _, f := range u.folders {
		if f.dir = path.Clean(strings.Trim(f.dir, "/")); f.dir == "." {
			f.dir = ""
		}
		if !inside {
			u.above, f.dir, _ = strings.Cut(f.dir, "/")
		}
		switch {
		case f.dir == "" || isDir(content, f.dir):
			found = append(found, f)
		case inside && f.target != "" && isFile(content, f.dir):
			u.mounted[f.dir] = f
		}
	}
	// The articles may not be there yet, or be made by another program.
	if len(found) == 0 && inside &&
		(isHugoProject(content) || r.site.generator == zola && hasFolder(content, "templates", "themes")) {
		found = u.folders[:1]
	}
	u.folders = found
	maps.DeleteFunc(u.mounted, func(p string, _ articleFolder) bool { // these have another place, which is the only one that counts
		at, ok := u.folderOf(p)
		return ok && !u.disabled[at.language] && !at.leavesOut(p)
	})
	if !slices.ContainsFunc(found, func(f articleFolder) bool { return f.dir != "content" && !strings.HasPrefix(f.dir, "content/") }) {
		u.base = "content"
	}
}

// within notes which folder of the project holds the articles. It is no part of their ids.
func (r *siteReader) within(content fs.FS, dir string, inside bool) {
	u := &r.site.rules
	dir = path.Clean(dir)
	switch {
	case !fs.ValidPath(dir) || dir == ".":
	case !inside:
		u.above = dir
	case isDir(content, dir):
		u.folders, u.base = []articleFolder{{dir: dir}}, dir
	}
}

func isDir(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.IsDir()
}

// hasFolder reports whether one of these folders exists.
func hasFolder(fsys fs.FS, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return isDir(fsys, name) })
}

func isFile(fsys fs.FS, name string) bool {
	info, err := fs.Stat(fsys, name)
	return err == nil && info.Mode().IsRegular()
}

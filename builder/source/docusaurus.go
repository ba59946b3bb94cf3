package source

import (
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/script"
)

// docusaurusRules are the rules that only a site of Docusaurus has.
type docusaurusRules struct {
	configured   bool          // whether the site is one of Docusaurus
	mdx          bool          // whether Markdown is MDX, whatever its extension
	slash        string        // "true" or "false" if all addresses end in a slash, or none; "" if only those of folders do
	siteFolder   string        // what @site stands for in links: the folder of the configuration, from the content folder; "" if that lies around the content folder
	translations []translation // how translated files are named
}

// original returns the file that p is a translation of, or p itself if it is none.
func (r *docusaurusRules) original(p string) string {
	for _, t := range r.translations {
		if t.path.MatchString(p) {
			return t.path.ReplaceAllString(p, t.original)
		}
	}
	return p
}

// pagesAround returns the folder of the pages of one plugin, of one version and language, that file
// lies in, or "" if it lies in none.
func (r *docusaurusRules) pagesAround(file string) (folder string) {
	for _, t := range r.translations {
		for _, pages := range []*regexp.Regexp{t.path, t.pages} {
			if at := pages.FindString(file); len(at) > len(folder) {
				folder = at
			}
		}
	}
	return folder
}

// link rewrites the path p of a link in a file as other generators write it: with a folder in place
// of @site, or before a path to Markdown that begins with a slash, and from the root of the site if
// it leads into the folder static.
func (r *docusaurusRules) link(file, p string) string {
	switch {
	case r.siteFolder == "" || p == "":
		return p
	case p[0] == '/' && dialect.IsMarkdown(p):
		if atSite := path.Join(r.siteFolder, p); r.pagesAround(atSite[1:]) != "" {
			return atSite
		}
		return path.Join("/", r.pagesAround(file), p)
	case p[0] == '/':
		return p
	}
	target := path.Join("/", path.Dir(file), p)
	if rest, ok := strings.CutPrefix(p, "@site/"); ok {
		target = path.Join(r.siteFolder, rest)
		p = target
	}
	if static, ok := strings.CutPrefix(target, path.Join(r.siteFolder, "static")+"/"); ok {
		return "/" + static
	}
	return p
}

// fromFile makes the path p of a link without an extension, which browsers read from the address of
// the page, relative to the page's file. The two differ where the file of a folder has an address
// without a slash at its end, or another file has one with it.
// https://docusaurus.io/docs/api/docusaurus-config#trailingSlash
func (r *docusaurusRules) fromFile(file, p string) string {
	if r.slash == "" {
		return p
	}
	dir, stem := path.Dir(file), withoutExt(path.Base(file))
	isIndex := slices.ContainsFunc([]string{"index", "readme", path.Base(dir)}, func(name string) bool { return strings.EqualFold(stem, name) })
	switch {
	case r.slash == "true" && !isIndex:
		return path.Join(stem, p)
	case r.slash == "false" && isIndex && dir != "." && dir+"/" != r.pagesAround(file): // those may be the root of the site
		return path.Join("..", p)
	}
	return p
}

// docusaurus reads the configuration of Docusaurus, if there is one.
func (r *siteReader) docusaurus() (found bool) {
	for _, at := range []string{"", "website"} {
		if p, ok := r.program(path.Join(at, "docusaurus.config")); ok && (r.inside || at == "" || hasPagesBeside(pagePlugins(p.Default(), at), r.root, at)) {
			r.docusaurusAt(p, at)
			return true
		}
	}
	return false
}

// docusaurusAt reads the configuration of Docusaurus in the folder at. The Markdown of the site is
// MDX, whatever its extension, unless the configuration says otherwise.
func (r *siteReader) docusaurusAt(p program, at string) {
	u := &r.site.rules
	u.flavour.Emojis = true
	config := p.Default()
	format := inner(config, "markdown", "format")
	u.docusaurus.configured, u.docusaurus.mdx = true, format.Text != "detect" && format.Text != "md"
	u.pageEndings, u.rooted = []string{""}, true
	if slash := inner(config, "trailingSlash"); slash.Kind == script.Boolean {
		u.docusaurus.slash = slash.Text
	}
	plugins := pagePlugins(config, at)
	var lines ignoreLines
	if r.inside {
		u.docusaurus.siteFolder = path.Join("/", at)
		r.setFolders(docusaurusFolders(plugins, r.content, at))
		lines = append(translationLines(config, at), r.versionLines(plugins, at)...)
	}
	for i, plugin := range plugins {
		if r.inside {
			u.docusaurus.translations = append(u.docusaurus.translations, plugin.translations()...)
		}
		if said, given := plugin.options.Get("path"); given && said.Kind != script.Text {
			r.warnOfComputed(p, said, "path", "write path as a text in quotes at its place")
		}
		within := func(other pagePlugin) bool { return strings.HasPrefix(plugin.folder(), other.folder()+"/") }
		if r.inside && slices.ContainsFunc(plugins[:i], within) {
			lines.keep(plugin.folder() + "/**") // what a plugin of an outer folder leaves out may be a page of this one
		}
		lines = append(lines, r.pluginLines(p, plugin)...)
	}
	u.ignore(lines)
}

// translationLines returns lines that leave out the files in i18n, except the pages in the site's
// languages.
func translationLines(config script.Value, at string) ignoreLines {
	locales, known := inner(config, "i18n", "locales").Texts()
	if !known {
		locales = []string{"*"}
	}
	root := path.Join("/", at, "i18n")
	lines := ignoreLinesOf(root)
	for _, locale := range locales {
		lines.keep(path.Join(root, locale, "docusaurus-plugin-content-*") + "/**")
	}
	return lines
}

// versionLines returns lines that leave out the versions of pages that versions.json does not list,
// or that their plugin does not include.
func (r *siteReader) versionLines(plugins []pagePlugin, at string) (lines ignoreLines) {
	entries, err := fs.ReadDir(r.root, path.Join(".", at))
	r.fail(err)
	for _, entry := range entries {
		docs, ok := strings.CutSuffix(entry.Name(), "versioned_docs")
		if !ok {
			continue
		}
		versions, err := readOptional(r.root, path.Join(at, docs+"versions.json"))
		var known []string
		if err != nil || versions != nil && json.Unmarshal(versions, &known) != nil {
			continue // Docusaurus reports it
		}
		folder := path.Join("/", at, entry.Name())
		lines.leaveOut(folder)
		for _, version := range known {
			if slices.ContainsFunc(plugins, func(p pagePlugin) bool { return p.versioned() == folder && !p.includes(version) }) {
				continue
			}
			lines.keep(path.Join(folder, "version-"+version) + "/**")
		}
	}
	return lines
}

// pluginLines returns lines for the files that a plugin leaves out of the folders of its pages. If
// the content folder is itself such a folder, it is not known whose it is. Then only the plugin's
// excluded patterns count: what one plugin includes would leave out the pages of another.
func (r *siteReader) pluginLines(p program, plugin pagePlugin) (lines ignoreLines) {
	folders := []string{""}
	if r.inside {
		folders = []string{plugin.folder()}
		if plugin.hasVersions() {
			folders = append(folders, plugin.versioned()+"/version-*")
		}
		included, known := r.patterns(p, plugin.options, "include")
		for _, folder := range folders {
			if !known || len(included) == 0 {
				lines.leaveOut(folder + "/**/*.{markdown,mdown}")
				continue
			}
			lines.leaveOut(folder + "/**")
			for _, pattern := range included {
				lines.keep(folder + "/" + strings.TrimPrefix(pattern, "./"))
			}
		}
	}
	excluded, _ := r.patterns(p, plugin.options, "exclude")
	for _, folder := range folders {
		for _, pattern := range excluded {
			lines.leaveOut(folder + "/" + strings.TrimPrefix(pattern, "./"))
		}
	}
	if r.inside && !plugin.includes("current") {
		lines.leaveOut(folders[0] + "/**")
	}
	return lines
}

// A pagePlugin is a plugin of Docusaurus that makes pages.
type pagePlugin struct {
	at      string // the folder of the project, in which its configuration lies
	kind    string // docs, blog or pages; "" if the plugin's name does not tell
	options script.Value
}

// pagePlugins returns the page plugins of the project in the folder at: those of its presets, and
// those listed beside the presets. A plugin comes after one whose folder holds its pages.
func pagePlugins(config script.Value, at string) (plugins []pagePlugin) {
	presets := namedOptions(inner(config, "presets"))
	for _, kind := range []string{"docs", "blog", "pages"} {
		isSaid := false // whether a preset has the plugin of this kind, or turns it off
		for _, preset := range presets {
			of, given := preset.options.Get(kind)
			if given && of.Kind != script.Boolean {
				plugins = append(plugins, pagePlugin{at, kind, of})
			}
			isSaid = isSaid || given
		}
		if !isSaid {
			plugins = append(plugins, pagePlugin{at: at, kind: kind})
		}
	}
	kinds := regexp.MustCompile(`(?i)docs|blog|pages`)
	for _, other := range namedOptions(inner(config, "plugins")) {
		kind := ""
		for part := range other.name.Parts() { // the name may be require.resolve('…')
			if kind == "" {
				kind = strings.ToLower(kinds.FindString(part.Text))
			}
		}
		if plugin := (pagePlugin{at, kind, other.options}); plugin.path() != "" {
			plugins = append(plugins, plugin)
		}
	}
	slices.SortStableFunc(plugins, func(a, b pagePlugin) int { return len(path.Clean(a.path())) - len(path.Clean(b.path())) })
	return plugins
}

// named is a preset or plugin in a list: ['classic', {…}], or a name without options.
type named struct{ name, options script.Value }

// namedOptions returns the presets or plugins in a list. Those with options count even if the
// program lists them only under a condition.
func namedOptions(list script.Value) (found []named) {
	for _, item := range list.Items {
		if item.Kind == script.Text || strings.HasPrefix(item.Name, "require") {
			found = append(found, named{name: item})
		}
	}
	for part := range list.Parts() {
		if part.Kind != script.List || len(part.Items) < 2 {
			continue
		}
		name, options := part.Items[0], part.Items[1]
		if options.Kind == script.Object || name.Kind == script.Text && options.Kind == script.Computed {
			found = append(found, named{name, options})
		}
	}
	return found
}

// path returns the folder of the plugin's pages as the configuration writes it, or "" if it is not
// known.
func (p pagePlugin) path() string {
	said := inner(p.options, "path")
	switch {
	case said.Kind == script.Text:
		return said.Text
	case p.kind == "pages":
		return "src/pages"
	}
	return p.kind
}

// folder returns the folder of the plugin's pages from the root of the project, such as "/docs"; ""
// is the root.
func (p pagePlugin) folder() string {
	return strings.TrimSuffix(path.Join("/", fromRoot(p.at, p.path())), "/")
}

// hasVersions reports whether the plugin's pages may have versions. Those of a plugin of unknown
// kind may.
func (p pagePlugin) hasVersions() bool { return p.kind != "blog" && p.kind != "pages" }

// id returns the id that tells the plugin from others of its kind, or "" if it has none or the
// default one.
func (p pagePlugin) id() string {
	if id := inner(p.options, "id"); id.Kind == script.Text && id.Text != "default" {
		return id.Text
	}
	return ""
}

// versioned returns the folder of the versions of the plugin's pages, from the root of the project.
func (p pagePlugin) versioned() string {
	return path.Join("/", p.at, strings.TrimPrefix(p.id()+"_versioned_docs", "_"))
}

// includes reports whether the plugin publishes a version of its pages. The pages in its own folder
// are the version "current".
func (p pagePlugin) includes(version string) bool {
	is := func(key, value string) bool {
		v := inner(p.options, key)
		return v.Kind == script.Boolean && v.Text == value
	}
	versions, known := inner(p.options, "onlyIncludeVersions").Texts()
	switch {
	case known:
		return slices.Contains(versions, version)
	case version == "current":
		return !is("includeCurrentVersion", "false")
	}
	return !is("disableVersioning", "true")
}

// A translation finds the original of a translated file by its path. Without an original,
// Docusaurus makes no page of the file.
type translation struct {
	path     *regexp.Regexp
	pages    *regexp.Regexp // the beginning of the paths of the files that are translated
	original string         // the replacement for what path matches
}

// translations returns how translations of the plugin's pages are named.
func (p pagePlugin) translations() []translation {
	kind := p.kind
	if p.hasVersions() {
		kind = "docs"
	}
	of := func(within, original string) translation {
		folder := regexp.QuoteMeta(path.Join(p.at, "i18n")) + "/[^/]+/" + regexp.QuoteMeta(strings.TrimSuffix("docusaurus-plugin-content-"+kind+"-"+p.id(), "-"))
		original = strings.TrimPrefix(original, "/")
		pages := strings.Replace(regexp.QuoteMeta(original), `\$1`, "version-[^/]+", 1)
		return translation{regexp.MustCompile("^" + folder + within), regexp.MustCompile("^" + pages), original}
	}
	if !p.hasVersions() {
		return []translation{of("/", p.folder()+"/")}
	}
	return []translation{of("/current/", p.folder()+"/"), of("/(version-[^/]+)/", p.versioned()+"/$1/")}
}

// withoutNumber returns the name of a page without the number by which Docusaurus sorts it:
// 1-Install is Install. A date or a version is no such number.
func (r *docusaurusRules) withoutNumber(name string) string {
	if !r.configured {
		return name
	}
	return regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s\d].*)$`).ReplaceAllString(name, "$1")
}

// docusaurusFolders returns the folders that may hold pages of the project in the folder at.
func docusaurusFolders(plugins []pagePlugin, content fs.FS, at string) (dirs []string) {
	dirs = []string{path.Join(at, "versioned_docs"), path.Join(at, "i18n")}
	entries, _ := fs.ReadDir(content, path.Join(".", at))
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), "_versioned_docs") {
			dirs = append(dirs, path.Join(at, entry.Name()))
		}
	}
	for _, plugin := range plugins {
		dirs = append(dirs, fromRoot(at, plugin.path()))
	}
	return dirs
}

// hasPagesBeside reports whether a project of Docusaurus in the folder at has a folder of pages
// outside of it.
func hasPagesBeside(plugins []pagePlugin, fsys fs.FS, at string) bool {
	return slices.ContainsFunc(docusaurusFolders(plugins, fsys, at), func(dir string) bool {
		return !strings.HasPrefix(dir, at+"/") && fs.ValidPath(dir) && isDir(fsys, dir)
	})
}

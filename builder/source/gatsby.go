package source

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/script"
)

// gatsby reads the configuration of Gatsby, if there is one: which folders its plugins read.
// Articles are in these and in src/pages. If the folders are not all written out, if none of them
// holds Markdown, or if a theme may read others, any folder may have articles.
func (r *siteReader) gatsby() {
	p, ok := r.program("gatsby-config")
	if !ok {
		return
	}
	config := p.Default()
	plugins := inner(config, "plugins")
	if strings.HasSuffix("."+plugins.Name, ".filter") && len(plugins.Items) > 0 { // [...].filter(Boolean)
		plugins = plugins.Items[0]
	}
	items := plugins.Items
	if (plugins.Kind != script.List || config.Kind != script.Object) && len(items) > 0 { // there may be more of them
		items = []script.Value{{Line: plugins.Line, Column: plugins.Column}}
	}
	var files []collection
	for _, item := range items {
		own, known := r.gatsbyFiles(p, item)
		if !known {
			return
		}
		files = append(files, own...)
	}
	if slices.ContainsFunc(files, func(c collection) bool { return holdsMarkdown(r.content, c.dir) }) {
		r.setCollections([]string{"src/pages"}, files)
	}
}

// gatsbyFiles returns the files that the plugins read which an item of their list may be. known is
// false if that is not written out.
func (r *siteReader) gatsbyFiles(p program, item script.Value) (files []collection, known bool) {
	const hint = "write it out at its place; until then, all files are read"
	plugins := gatsbyPlugins(item)
	if len(plugins) == 0 && item.Kind == script.Computed {
		r.warnOfComputed(p, item, "a plugin", hint)
		return nil, false
	}
	for _, plugin := range plugins {
		name := plugin.name.Text
		if name != "gatsby-source-filesystem" && name != "gatsby-plugin-page-creator" {
			isTheme := strings.Contains(name, "theme") && !strings.HasPrefix(name, "gatsby-plugin-")
			if isTheme || scriptOf(r.root, path.Join("plugins", name, "gatsby-config")) != "" {
				return nil, false
			}
			continue
		}
		said, ok := plugin.options.Get("path")
		if said.Kind != script.Text {
			if !ok {
				said = plugin.name
			}
			r.warnOfComputed(p, said, "path", hint)
			return nil, false
		}
		ignored, _ := inner(plugin.options, "ignore").Texts()
		files = append(files, gatsbyFolder(fromRoot("", said.Text), ignored)...)
	}
	return files, true
}

// gatsbyPlugins returns the plugins that an item of their list may be: it is the name of one, an
// object, or an expression with some of these.
func gatsbyPlugins(item script.Value) (plugins []named) {
	for part := range item.Parts() {
		resolve, ok := part.Get("resolve")
		if !ok || part.Kind != script.Object {
			continue
		}
		options, _ := part.Get("options")
		for name := range resolve.Parts() { // the name may be require.resolve('…')
			if name.Kind == script.Text {
				plugins = append(plugins, named{name, options})
			}
		}
	}
	if len(plugins) > 0 || item.Kind == script.Object {
		return plugins
	}
	for name := range item.Parts() {
		if name.Kind == script.Text && !strings.HasPrefix(name.Text, ".") { // require('./plugins') gives others
			plugins = append(plugins, named{name: name})
		}
	}
	return plugins
}

// gatsbyFolder returns the files that a plugin reads in a folder. Files among the components, and
// those that Gatsby copies, are mostly read for their images, so they are left out.
func gatsbyFolder(dir string, ignored []string) []collection {
	files := collection{dir, []string{"**"}}
	for _, other := range []string{"components", "src/components", "public", "static"} {
		if isBelow(dir+"/", other) {
			return nil
		}
		ignored = append(ignored, "/"+other)
	}
	for _, pattern := range ignored {
		below, ok := strings.CutPrefix(path.Clean(pattern), "/"+dir+"/")
		if ok || strings.HasPrefix(pattern, "**/") {
			files.patterns = append(files.patterns, "!"+below)
		}
	}
	return []collection{files}
}

// holdsMarkdown reports whether a folder, or one below it, holds Markdown. It may be a file itself.
func holdsMarkdown(fsys fs.FS, dir string) (found bool) {
	_ = fs.WalkDir(fsys, dir, func(p string, entry fs.DirEntry, err error) error {
		if found = err == nil && !entry.IsDir() && dialect.IsMarkdown(p); found {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

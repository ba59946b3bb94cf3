package source

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/script"
)

// docusaurus reads the configuration of Docusaurus, which lies in the folder at. Its Markdown is MDX, whatever the ending,
// unless it says otherwise.
func (r *configReader) docusaurus(p program, fsys, content fs.FS, at string, inside bool) error {
	u := &r.site.rules
	config := p.Default()
	markdown, _ := config.Get("markdown")
	format, _ := markdown.Get("format")
	u.idIsName, u.mdx = true, format.Text != "detect" && format.Text != "md"
	fmt.Fprintf(r.key, "docusaurus %t", u.mdx)
	plugins := pagePlugins(config)
	var lines strings.Builder
	if inside {
		u.setFolders(content, docusaurusFolders(plugins, content, at))
		ignoreTranslations(&lines, config, at)
		if err := ignoreVersions(&lines, fsys, at); err != nil {
			return err
		}
	}
	for i, plugin := range plugins {
		within := func(other pagePlugin) bool { return strings.HasPrefix(plugin.folder(at), other.folder(at)+"/") }
		if inside && slices.ContainsFunc(plugins[:i], within) {
			fmt.Fprintf(&lines, "!%s/**\n", plugin.folder(at)) // what the other leaves out may be a page of this one
		}
		r.ignoreOf(&lines, p, plugin, at, inside)
	}
	u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(lines.String()))
	return nil
}

// ignoreTranslations leaves out what lies beside the pages of each language that the site has.
func ignoreTranslations(lines *strings.Builder, config script.Value, at string) {
	i18n, _ := config.Get("i18n")
	said, _ := i18n.Get("locales")
	locales, known := said.Texts()
	if !known {
		locales = []string{"*"}
	}
	root := path.Join("/", at, "i18n")
	fmt.Fprintf(lines, "%s\n", root)
	for _, locale := range locales {
		fmt.Fprintf(lines, "!%s/**\n", path.Join(root, locale, "docusaurus-plugin-content-*"))
	}
}

// ignoreVersions leaves out the versions of pages that are not in their versions.json.
func ignoreVersions(lines *strings.Builder, fsys fs.FS, at string) error {
	entries, err := fs.ReadDir(fsys, path.Join(".", at))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		docs, ok := strings.CutSuffix(entry.Name(), "versioned_docs")
		if !ok {
			continue
		}
		versions, err := readOptional(fsys, path.Join(at, docs+"versions.json"))
		var known []string
		if err != nil || json.Unmarshal(versions, &known) != nil {
			continue // Docusaurus tells
		}
		folder := path.Join("/", at, entry.Name())
		fmt.Fprintf(lines, "%s\n", folder)
		for _, version := range known {
			fmt.Fprintf(lines, "!%s/**\n", path.Join(folder, "version-"+version))
		}
	}
	return nil
}

// ignoreOf leaves out what a plugin does, of the folders of its pages. From within one of them no plugin is known to have
// it: what one includes would leave none of another's.
func (r *configReader) ignoreOf(lines *strings.Builder, p program, plugin pagePlugin, at string, inside bool) {
	folders := []string{""}
	if inside {
		folders = plugin.folders(at)
		included, known := r.patterns(p, plugin.options, "include")
		for _, folder := range folders {
			if !known || len(included) == 0 {
				break
			}
			fmt.Fprintf(lines, "%s/**\n", folder)
			for _, pattern := range included {
				fmt.Fprintf(lines, "!%s/%s\n", folder, strings.TrimPrefix(pattern, "./"))
			}
		}
	}
	excluded, _ := r.patterns(p, plugin.options, "exclude")
	for _, folder := range folders {
		for _, pattern := range excluded {
			fmt.Fprintf(lines, "%s/%s\n", folder, strings.TrimPrefix(pattern, "./"))
		}
	}
	if current, _ := plugin.options.Get("includeCurrentVersion"); inside && current.Kind == script.Boolean && current.Text == "false" {
		fmt.Fprintf(lines, "%s/**\n%s/**\n", folders[0], folders[1])
	}
}

// A pagePlugin is a plugin of Docusaurus that makes pages.
type pagePlugin struct {
	kind    string // docs, blog or pages; "" where its name does not tell
	options script.Value
}

// pagePlugins are those of the presets, and those beside them; one with pages within the folder of another stands behind it.
func pagePlugins(config script.Value) (plugins []pagePlugin) {
	presets, _ := config.Get("presets")
	for _, options := range namedOptions(presets) {
		for _, kind := range []string{"docs", "blog", "pages"} {
			of, _ := options.Get(kind)
			plugins = append(plugins, pagePlugin{kind, of})
		}
	}
	others, _ := config.Get("plugins")
	kinds := regexp.MustCompile(`\b(?:docs|blog|pages)\b`)
	for name, options := range namedOptions(others) {
		kind := ""
		for part := range name.Parts() { // as of require.resolve('…')
			if kind == "" {
				kind = kinds.FindString(part.Text)
			}
		}
		if plugin := (pagePlugin{kind, options}); plugin.path() != "" {
			plugins = append(plugins, plugin)
		}
	}
	slices.SortStableFunc(plugins, func(a, b pagePlugin) int { return len(path.Clean(a.path())) - len(path.Clean(b.path())) })
	return plugins
}

// namedOptions are the presets or plugins of a list that have options, as ['classic', {…}], with those that it has on a
// condition only.
func namedOptions(of script.Value) iter.Seq2[script.Value, script.Value] {
	return func(yield func(name, options script.Value) bool) {
		for part := range of.Parts() {
			if part.Kind != script.List || len(part.Items) < 2 {
				continue
			}
			name, options := part.Items[0], part.Items[1]
			if options.Kind == script.Object || name.Kind == script.Text && options.Kind == script.Computed {
				if !yield(name, options) {
					return
				}
			}
		}
	}
}

// path is where its own pages lie; "" where it does not say.
func (p pagePlugin) path() string {
	said, _ := p.options.Get("path")
	switch {
	case said.Kind == script.Text:
		return said.Text
	case p.kind == "pages":
		return "src/pages"
	}
	return p.kind
}

// folder is where its own pages lie, from the root of the project: "/docs", or "" where they are all there are.
func (p pagePlugin) folder(at string) string {
	return strings.TrimSuffix(path.Join("/", fromRoot(at, p.path())), "/")
}

// folders are where the pages of a plugin lie, its own first, with those of their versions and translations.
func (p pagePlugin) folders(at string) []string {
	behind, before := "", ""
	if id, _ := p.options.Get("id"); id.Kind == script.Text && id.Text != "default" {
		behind, before = "-"+id.Text, id.Text+"_"
	}
	root := "/" + at
	folders := []string{p.folder(at)}
	translated := path.Join(root, "i18n/*/docusaurus-plugin-content-")
	if p.kind == "blog" || p.kind == "pages" {
		return append(folders, translated+p.kind+behind)
	}
	translated += "docs" + behind
	return append(folders, translated+"/current", translated+"/version-*", path.Join(root, before+"versioned_docs/version-*"))
}

// docusaurusFolders are the folders of the project, which is at, that may hold pages: the usual ones, and those that its
// plugins name.
func docusaurusFolders(plugins []pagePlugin, content fs.FS, at string) (dirs []string) {
	for _, dir := range []string{"docs", "blog", "src/pages", "versioned_docs", "i18n"} {
		dirs = append(dirs, path.Join(at, dir))
	}
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

// hasPagesBeside reports whether a project of Docusaurus in the folder at names one outside of that.
func hasPagesBeside(p program, fsys fs.FS, at string) bool {
	return slices.ContainsFunc(docusaurusFolders(pagePlugins(p.Default()), fsys, at), func(dir string) bool {
		return !strings.HasPrefix(dir, at+"/") && fs.ValidPath(dir) && isDir(fsys, dir)
	})
}

package source

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/markdown"
)

// mkdocs reads the configuration of MkDocs, or of its successor Zensical, if there is one.
func (r *siteReader) mkdocs() (found bool) {
	for _, name := range []string{"mkdocs.yml", "mkdocs.yaml", "zensical.toml"} {
		data := r.file(r.root, name)
		v, se := frontmatter.ParseTable(name, data)
		switch {
		case se != nil && (bytes.Contains(data, []byte("exclude")) || bytes.Contains(data, []byte("draft_docs"))):
			// It may say, by draft_docs, exclude_docs or a plugin, what is not to be published.
			r.fail(unreadable(name, se))
			return false
		case data == nil || se != nil:
			continue // it may have tags that only Python understands
		case name == "zensical.toml":
			v = zensicalProject(v)
		}
		r.mkdocsProject(name, v)
		return true
	}
	return false
}

// mkdocsProject reads the configuration in the file called name.
func (r *siteReader) mkdocsProject(name string, v frontmatter.Value) {
	u := &r.site.rules
	u.mkdocs = true
	r.setBase(cmp.Or(textOf(v, "docs_dir"), "docs"))
	u.ignore(ignoreLinesOf("/templates/\n" + inner(v, "exclude_docs").Text))
	u.draftDocs = ignoreLinesOf(inner(v, "draft_docs").Text)
	u.ignore(u.draftDocs)
	plugins, extensions := inner(v, "plugins"), inner(v, "markdown_extensions")
	u.ignore(r.excludedLines(r.fromContent(name), optionsOf(plugins, "exclude")))
	if lists(plugins, "meta") { // of Material for MkDocs
		u.folderFiles = []string{".meta.yml"}
	}
	u.addNavigation(inner(v, "nav"))
	u.readByMkDocs(plugins, extensions)
	r.mkdocsIncludes(plugins, extensions)
	u.addLocales(optionsOf(plugins, "i18n"))
	language := cmp.Or(textOf(v, "theme", "language"), textOf(v, "theme", "locale")) // the first is Material's
	r.common(textOrFallback(v, "site_name"), textOrFallback(v, "site_description"), textOrFallback(v, "site_url"), cmp.Or(language, u.defaultLanguage))
	r.site.note(name)
}

// readByMkDocs notes how the extensions and plugins of MkDocs have Markdown read.
func (r *rules) readByMkDocs(plugins, extensions frontmatter.Value) {
	r.readByPython()
	if !optionsOf(extensions, "toc").Has("slugify") { // slugify names a function of Python, usually one that keeps all scripts, as GitHub does
		r.flavour.IDs = markdown.PythonIDs
	}
	has := func(name string) bool { return lists(extensions, name) }
	r.flavour.Emojis, r.flavour.Pictures, r.flavour.Breaks = has("pymdownx.emoji"), true, has("nl2br")
	r.flavour.Names = lists(plugins, "autorefs") || lists(plugins, "mkdocstrings") // the latter includes the former
	r.dialect.Headed, r.dialect.Spans, r.dialect.Keys = has("codehilite"), has("pymdownx.inlinehilite"), has("pymdownx.keys")
	r.flavour.Marks = marksOf(extensions)
	if has("pymdownx.arithmatex") {
		r.flavour.Math = []markdown.Formula{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}
	}
}

// mkdocsIncludes notes how the extensions and plugins of MkDocs include files.
func (r *siteReader) mkdocsIncludes(plugins, extensions frontmatter.Value) {
	for _, x := range []struct {
		name string
		form include.Forms
	}{{"pymdownx.snippets", include.Snippets}, {"markdown_include.include", include.Braces}, {"mdx_include", include.Braces}, {"markdown_include_variants", include.Braces}} {
		if !lists(extensions, x.name) {
			continue
		}
		folders := scalars(inner(optionsOf(extensions, x.name), "base_path"))
		for i, folder := range folders {
			folders[i] = strings.Replace(strings.TrimPrefix(folder, "!relative "), "$config_dir", ".", 1)
		}
		r.includes(x.form, append(folders, ".")...)
	}
	if lists(plugins, "include-markdown") || lists(plugins, "macros") {
		r.includes(include.Quoted, ".", cmp.Or(textOf(optionsOf(plugins, "macros"), "include_dir"), "."))
	}
}

// textOrFallback returns the text under a key. If it comes from a variable of the environment, as
// in !ENV [NAME, text], it is the text that is used without that variable.
func textOrFallback(v frontmatter.Value, key string) string {
	said := inner(v, key)
	if n := len(said.Items); n > 1 {
		said = said.Items[n-1]
	}
	if strings.HasPrefix(said.Text, "!ENV ") {
		return ""
	}
	return said.Text
}

// zensicalProject returns the settings of Zensical in the form of MkDocs. In Zensical, extensions
// such as pymdownx.keys may be in a table pymdownx, and if no extensions are named, many are on.
func zensicalProject(v frontmatter.Value) frontmatter.Value {
	if project, ok := v.Get("project"); ok {
		v = project
	}
	const key = "markdown_extensions"
	extensions, named := v.Get(key)
	for _, f := range inner(extensions, "pymdownx").Fields {
		extensions.Fields = append(extensions.Fields, frontmatter.Field{Key: "pymdownx." + f.Key, Value: f.Value})
	}
	if !named {
		for _, name := range []string{"arithmatex", "caret", "emoji", "inlinehilite", "keys", "tilde"} { // those that matter here
			extensions.Items = append(extensions.Items, frontmatter.Value{Kind: frontmatter.Text, Text: "pymdownx." + name})
		}
	}
	v.Fields = append([]frontmatter.Field{{Key: key, Value: extensions}}, v.Fields...) // the first field with a key counts
	return v
}

// lists reports whether the plugins or extensions of MkDocs, a list or a table, include one of this
// name.
func lists(of frontmatter.Value, name string) bool {
	return of.Has(name) || slices.ContainsFunc(of.Items, func(item frontmatter.Value) bool { return item.Text == name || item.Has(name) })
}

// marksOf returns the marks that the extensions of MkDocs switch on, as in x^2^, ^^inserted^^ and
// H~2~O.
func marksOf(extensions frontmatter.Value) []markdown.Mark {
	element := func(extension, option, name string) string {
		if !lists(extensions, extension) || isFalse(inner(optionsOf(extensions, extension), option)) {
			return ""
		}
		return name
	}
	marks := []markdown.Mark{
		{Sign: '^', One: element("pymdownx.caret", "superscript", "sup"), Two: element("pymdownx.caret", "insert", "ins")},
		{Sign: '~', One: element("pymdownx.tilde", "subscript", "sub")},
	}
	return slices.DeleteFunc(marks, func(m markdown.Mark) bool { return m.One == "" && m.Two == "" })
}

// optionsOf returns the options of a plugin in the list or table of MkDocs' plugins, unless it is
// disabled.
func optionsOf(plugins frontmatter.Value, name string) frontmatter.Value {
	for _, item := range items(plugins) {
		options, ok := item.Get(name)
		if on, said := truth(textOf(options, "enabled")); ok && (on || !said) {
			return options
		}
	}
	return frontmatter.Value{}
}

// excludedLines returns ignore lines for what the plugin mkdocs-exclude leaves out, by globs whose
// * matches slashes, too, and by regular expressions that match at the beginning of a path. It
// warns of expressions that only Python understands.
func (r *siteReader) excludedLines(config string, options frontmatter.Value) (lines ignoreLines) {
	for _, key := range []string{"glob", "regex"} {
		for _, item := range items(inner(options, key)) {
			expression := "^(?:" + item.Text + ")"
			if key == "glob" {
				expression = fnmatchExpression(strings.NewReplacer("{", `\{`, "}", `\}`).Replace(item.Text))
			}
			if item.Text != "" && !lines.match(expression, false) {
				r.report(config, item, Warning, fmt.Sprintf("%q is not understood, and leaves out nothing here", item.Text),
					"write it as a glob, or keep what it leaves out in another folder")
			}
		}
	}
	return lines
}

// addLocales adds the languages of the plugin mkdocs-static-i18n, and leaves out translations into
// others. Translations are in files such as a.fr.md, or in a folder for each language.
func (r *rules) addLocales(options frontmatter.Value) {
	var lines ignoreLines
	inFolders := textOf(options, "docs_structure") == "folder"
	if !inFolders {
		lines.match(`\.[a-z]{2}(?:(?:-[A-Za-z]{4})?(?:-[A-Z]{2})?|_[A-Z]{2})\.\w+$`, false)
	}
	for _, language := range inner(options, "languages").Items {
		code := textOf(language, "locale")
		tag, ok := languageTag(code)
		if !ok { // such as null
			continue
		}
		built, said := truth(textOf(language, "build")) // Python reads no and off, too
		isBuilt := built || !said
		name := `\.` + regexp.QuoteMeta(code) + `\.\w+$`
		if inFolders {
			name = "^" + regexp.QuoteMeta(code) + "/"
		}
		if isBuilt != inFolders {
			lines.match(name, isBuilt)
		}
		r.addLanguage(code, tag)
		if first, _ := truth(textOf(language, "default")); first {
			r.defaultLanguage = strings.ToLower(code)
		}
	}
	if r.languages != nil {
		r.ignore(lines)
	}
}

// addNavigation adds the titles that the nav of MkDocs gives pages.
func (r *rules) addNavigation(nav frontmatter.Value) {
	for _, item := range nav.Items {
		r.addNavigation(item)
	}
	for _, f := range nav.Fields {
		if f.Value.Text != "" {
			r.addChapter(path.Clean(f.Value.Text), f.Key)
		}
		r.addNavigation(f.Value)
	}
}

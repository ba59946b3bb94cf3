package source

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// mkdocs reads the configuration of MkDocs, if there is one.
func (r *configReader) mkdocs(fsys, content fs.FS, inside bool) (known bool, err error) {
	u := &r.site.rules
	for _, name := range []string{"mkdocs.yml", "mkdocs.yaml"} {
		data, err := readOptional(fsys, name)
		if err != nil {
			return false, err
		}
		v, se := frontmatter.ParseTable(name, data)
		switch {
		case se != nil && (bytes.Contains(data, []byte("exclude_docs")) || bytes.Contains(data, []byte("draft_docs"))): // it says what is not to be published
			return false, unreadable(name, se)
		case data == nil || se != nil:
			continue // it may have tags that only Python understands
		}
		hashFile(r.key, name, data)
		r.within(content, cmp.Or(textOf(v, "docs_dir"), "docs"), inside)
		for key, usual := range map[string]string{"exclude_docs": "/templates/\n", "draft_docs": ""} {
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(usual+inner(v, key).Text))
		}
		u.ignoreLines = append(u.ignoreLines, excludedLines(optionsOf(inner(v, "plugins"), "exclude")))
		u.mkdocs, u.python, u.lenient = true, true, true
		u.addNavigation(inner(v, "nav"))
		extensions, _ := v.Get("markdown_extensions")
		has := func(name string) bool {
			return extensions.Has(name) || slices.ContainsFunc(extensions.Items, func(e frontmatter.Value) bool { return e.Text == name || e.Has(name) })
		}
		u.emoji, u.breaks, u.headedCode, u.headedSpans = has("pymdownx.emoji"), has("nl2br"), has("codehilite"), has("pymdownx.inlinehilite")
		if has("pymdownx.arithmatex") {
			u.formulas = []markdown.Formula{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}
		}
		u.addLocales(optionsOf(inner(v, "plugins"), "i18n"))
		theme, _ := v.Get("theme")
		language := cmp.Or(textOf(theme, "language"), strings.ReplaceAll(textOf(theme, "locale"), "_", "-")) // the first is Material's
		r.common(textOf(v, "site_name"), textOf(v, "site_description"), textOf(v, "site_url"), cmp.Or(language, u.defaultLanguage))
		r.site.note(name)
		return true, nil
	}
	return false, nil
}

// optionsOf returns what the list, or the table, of the plugins of MkDocs says of one.
func optionsOf(plugins frontmatter.Value, name string) frontmatter.Value {
	for _, item := range slices.Concat(plugins.Items, []frontmatter.Value{plugins}) {
		if options, ok := item.Get(name); ok {
			return options
		}
	}
	return frontmatter.Value{}
}

// excludedLines returns what the plugin mkdocs-exclude leaves out: by globs whose * matches slashes, too, and by expressions that match from the
// beginning of a path on.
func excludedLines(options frontmatter.Value) (lines []ignoreLine) {
	add := func(expression string) {
		if re, err := regexp.Compile(expression); err == nil {
			lines = append(lines, ignoreLine{path: re})
		}
	}
	for _, pattern := range scalars(inner(options, "glob")) {
		add(globExpression(strings.NewReplacer("*", "**", "{", `\{`, "}", `\}`).Replace(pattern)))
	}
	for _, expression := range scalars(inner(options, "regex")) {
		add("^(?:" + expression + ")")
	}
	return lines
}

// addLocales adds the languages of the plugin mkdocs-static-i18n, and leaves out the translations into others: those are in files such as a.fr.md, or in a
// folder of each language.
func (u *rules) addLocales(options frontmatter.Value) {
	var lines []ignoreLine
	inFolders := textOf(options, "docs_structure") == "folder"
	if !inFolders {
		lines = []ignoreLine{{path: regexp.MustCompile(`\.[a-z]{2}(?:(?:-[A-Za-z]{4})?(?:-[A-Z]{2})?|_[A-Z]{2})\.\w+$`)}}
	}
	for _, language := range inner(options, "languages").Items {
		code := textOf(language, "locale")
		tag, ok := languageTag(code)
		if !ok || code == "null" {
			continue
		}
		built, said := truth(textOf(language, "build")) // Python reads no and off, too
		isBuilt := built || !said
		name := `\.` + regexp.QuoteMeta(code) + `\.\w+$`
		if inFolders {
			name = "^" + regexp.QuoteMeta(code) + "/"
		}
		if isBuilt != inFolders {
			lines = append(lines, ignoreLine{regexp.MustCompile(name), isBuilt})
		}
		u.addLanguage(code, tag)
		if first, _ := truth(textOf(language, "default")); first {
			u.defaultLanguage = strings.ToLower(code)
		}
	}
	if u.languages != nil {
		u.ignoreLines = append(u.ignoreLines, lines)
	}
}

// addNavigation adds the titles that the nav of MkDocs gives pages.
func (u *rules) addNavigation(nav frontmatter.Value) {
	for _, item := range nav.Items {
		u.addNavigation(item)
	}
	for _, f := range nav.Fields {
		if f.Value.Text != "" {
			u.addChapter(path.Clean(f.Value.Text), f.Key)
		}
		u.addNavigation(f.Value)
	}
}

package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// project looks for the configuration of a generator whose publication rules are the plain
// ones. Most of these configurations are programs themselves, which are not run: only what is
// written out in them is known, such as where the articles are. inside says that fsys is the
// content folder, not the one around it; known, that a configuration was found.
func (r *configReader) project(fsys, content fs.FS, inside bool) (known bool, err error) {
	u := &r.site.rules
	if config, ok := r.program(fsys, inside, ".eleventy", "eleventy.config"); ok {
		u.rawInCode, u.dataFiles = true, true
		return true, r.eleventy(config, fsys, content, inside)
	}
	if known, err := r.mkdocs(fsys, content, inside); known || err != nil {
		return known, err
	}
	if known, err := r.pelican(fsys, content, inside); known || err != nil {
		return known, err
	}
	if known, err := r.nikola(fsys, inside); known || err != nil {
		return known, err
	}
	if known, err := r.mdbook(fsys, content, inside); known || err != nil {
		return known, err
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
		if config, ok := r.program(fsys, inside, path.Join(at, ".vuepress/config")); ok {
			r.vuepress(config, content, at, inside)
			return true, nil
		}
	}
	if known, err := r.gitbook(fsys, content, inside); known || err != nil {
		return known, err
	}
	isNuxt := scriptOf(fsys, "nuxt.config") != ""
	u.emoji = u.emoji || isNuxt // Nuxt Content has remark-emoji
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
	u.sources = isNuxt || scriptOf(fsys, "gatsby-config", "next.config", "svelte.config") != ""
	if isNuxt {
		r.nuxt(content)
	}
	return u.sources, nil
}

// packages looks in package.json for a package that keeps formulas between dollar signs from being read as Markdown, unless the configuration says which formulas
// there are.
func (r *configReader) packages(places ...fs.FS) error {
	leaving := regexp.MustCompile(`"(?:remark-math|(?:@[a-z-]+/)?markdown-it-(?:katex|mathjax3?|texmath)|@mdit/plugin-(?:katex|mathjax))"`)
	for _, fsys := range places {
		for _, name := range []string{"package.json", "website/package.json"} {
			data, err := readOptional(fsys, name)
			if err != nil {
				return err
			}
			if len(r.site.rules.formulas) == 0 && leaving.Match(data) {
				r.site.rules.formulas = []markdown.Formula{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}}
			}
		}
	}
	return nil
}

// nextApps notes which folders are apps of Next.js: app and src/app beside its configuration, and those with a layout file.
func (r *configReader) nextApps(content fs.FS) {
	config := scriptOf(content, "next.config")
	for _, dir := range []string{".", "app", "src/app"} {
		isApp := slices.ContainsFunc([]string{".js", ".jsx", ".ts", ".tsx"}, func(ext string) bool {
			info, err := fs.Stat(content, path.Join(dir, "layout"+ext))
			return err == nil && info.Mode().IsRegular()
		})
		if isApp || config != "" && dir != "." {
			r.site.rules.apps = append(r.site.rules.apps, dir)
		}
	}
}

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
		fmt.Fprintf(r.key, "%s %d\n%s", name, len(data), data)
		r.within(content, cmp.Or(textOf(v, "docs_dir"), "docs"), inside)
		for key, usual := range map[string]string{"exclude_docs": "/templates/\n", "draft_docs": ""} {
			lines, _ := v.Get(key)
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(usual+lines.Text))
		}
		u.mkdocs, u.lenient = true, true
		nav, _ := v.Get("nav")
		u.addNavigation(nav)
		extensions, _ := v.Get("markdown_extensions")
		has := func(name string) bool {
			return extensions.Has(name) || slices.ContainsFunc(extensions.Items, func(e frontmatter.Value) bool { return e.Text == name || e.Has(name) })
		}
		u.emoji, u.breaks = has("pymdownx.emoji"), has("nl2br")
		if has("pymdownx.arithmatex") {
			u.formulas = []markdown.Formula{{Open: "$$", Close: "$$"}, {Open: "$", Close: "$"}, {Open: `\(`, Close: `\)`}, {Open: `\[`, Close: `\]`}}
		}
		theme, _ := v.Get("theme")
		language := cmp.Or(textOf(theme, "language"), strings.ReplaceAll(textOf(theme, "locale"), "_", "-")) // the first is Material's
		r.common(textOf(v, "site_name"), textOf(v, "site_description"), textOf(v, "site_url"), language)
		r.site.note(name)
		return true, nil
	}
	return false, nil
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

// mdbook reads the configuration of mdBook, if there is one, and the summary, which names the chapters of the book.
func (r *configReader) mdbook(fsys, content fs.FS, inside bool) (known bool, err error) {
	const name = "book.toml"
	data, err := readOptional(fsys, name)
	if data == nil || err != nil { // without it, SUMMARY.md may belong to another program
		return false, err
	}
	v, se := frontmatter.ParseTable(name, data)
	if se != nil { // it says where the summary is, and so which files are chapters
		return false, unreadable(name, se)
	}
	book, _ := v.Get("book")
	if known, err := r.chapters(content, cmp.Or(textOf(book, "src"), "src"), "SUMMARY.md", inside); !known || err != nil {
		return false, err
	}
	fmt.Fprintf(r.key, "%s %d\n%s", name, len(data), data)
	r.common(textOf(book, "title"), textOf(book, "description"), "", textOf(book, "language"))
	r.authors(book, "authors")
	r.site.note(name)
	return true, nil
}

// gitbook reads the configuration of GitBook or HonKit, if there is one, and the summary, which names the pages of the book.
func (r *configReader) gitbook(fsys, content fs.FS, inside bool) (known bool, err error) {
	for _, name := range []string{"book.json", ".gitbook.yaml"} {
		data, err := readOptional(fsys, name)
		if err != nil {
			return false, err
		}
		if data == nil && !(name == ".gitbook.yaml" && (isDir(fsys, ".gitbook") || isFile(fsys, "LANGS.md"))) { // a book may have no configuration, but a folder .gitbook with its pictures, or several languages
			continue
		}
		v, se := frontmatter.ParseTable(name, data)
		if se != nil { // it says where the summary is, and so which files are pages
			return false, unreadable(name, se)
		}
		structure, _ := v.Get("structure")
		root, summary, front := textOf(v, "root"), cmp.Or(textOf(structure, "summary"), "SUMMARY.md"), path.Clean(cmp.Or(textOf(structure, "readme"), "README.md"))
		known, err := r.languageBooks(content, root, summary, front, inside)
		if !known && err == nil {
			if known, err = r.chapters(content, root, summary, inside); known {
				r.site.rules.addChapter(front, "") // the first page, which the summary need not name
			}
		}
		if !known || err != nil {
			return false, err
		}
		fmt.Fprintf(r.key, "%s %d\n%s", name, len(data), data)
		u := &r.site.rules
		u.lenient, u.rawInCode = true, true
		r.common(textOf(v, "title"), textOf(v, "description"), "", textOf(v, "language"))
		r.authors(v, "author")
		r.site.note(name)
		return true, nil
	}
	return false, nil
}

// languageBooks reads LANGS.md of a book of GitBook in several languages, whose files lie in the folder dir. It links to the folders of the languages,
// each of which has a summary and a first page of its own. known is false where there is no such book.
func (r *configReader) languageBooks(content fs.FS, dir, summary, front string, inside bool) (known bool, err error) {
	dir, at := bookFolders(dir, inside)
	languages, _, err := r.links(content, path.Join(at, "LANGS.md"))
	u := &r.site.rules
	var folders []articleFolder
	for _, language := range languages {
		folder := strings.Trim(language.Address, "/")
		if path.Ext(folder) != "" { // the first page
			folder = path.Dir(folder)
		}
		chapters, found, err := r.links(content, path.Join(at, folder, summary))
		if err != nil {
			return false, err
		}
		if !found {
			continue
		}
		u.addChapter(path.Join(folder, front), "")
		for _, chapter := range chapters {
			u.addChapter(path.Join(folder, chapter.Address), chapter.Text)
		}
		own := articleFolder{dir: strings.TrimPrefix(path.Join(at, folder), ".")} // "" is the whole content folder
		if tag, ok := languageOf(path.Base(folder)); ok {
			own.language = strings.ToLower(tag)
			u.addLanguage(tag, tag)
		}
		folders = append(folders, own)
	}
	if len(folders) == 0 || err != nil {
		return false, err
	}
	r.within(content, dir, inside)
	u.folders, u.book = folders, true
	return true, nil
}

// bookFolders returns the folder dir of a book as a clean path, and where it is in the content folder.
func bookFolders(dir string, inside bool) (clean, at string) {
	clean = path.Clean(strings.TrimLeft(dir, "/"))
	if inside {
		at = clean
	}
	return clean, at
}

// chapters reads the summary of a book whose files lie in the folder dir: its chapters are the files to which the summary links. known
// is false where there is no summary.
func (r *configReader) chapters(content fs.FS, dir, summary string, inside bool) (known bool, err error) {
	dir, at := bookFolders(dir, inside)
	links, known, err := r.links(content, path.Join(at, summary))
	if !known || err != nil {
		return false, err
	}
	r.within(content, dir, inside)
	r.site.rules.book = true
	for _, link := range links {
		r.site.rules.addChapter(link.Address, link.Text)
	}
	return true, nil
}

// addChapter adds a chapter of a book, and its title in the summary, unless that is not known.
func (u *rules) addChapter(p, title string) {
	if u.chapters == nil {
		u.chapters = map[string]string{}
	}
	if title != "" || u.chapters[p] == "" {
		u.chapters[p] = title
	}
}

// links returns the links of a file that belongs to a book, with clean paths; found is false where there is no such file.
func (r *configReader) links(content fs.FS, name string) (links []markdown.Link, found bool, err error) {
	if !fs.ValidPath(name) {
		return nil, false, nil
	}
	text, err := readOptional(content, name)
	if text == nil || err != nil {
		return nil, false, err
	}
	fmt.Fprintf(r.key, "%s %d\n%s", name, len(text), text)
	for _, link := range markdown.Links(text) {
		address, _, _ := strings.Cut(link.Address, "#")
		if plain, err := url.PathUnescape(address); err == nil {
			links = append(links, markdown.Link{Address: path.Clean(plain), Text: link.Text})
		}
	}
	return links, true, nil
}

// mintlify reads the configuration of Mintlify, if one lies in the content folder. Mintlify passes over snippets, which are parts of articles, files
// about the repository, and those that .mintignore names. A configuration may be too large to be parsed; then known is true, but the title is not known.
func (r *configReader) mintlify(content fs.FS) (known bool, err error) {
	for _, name := range []string{"docs.json", "mint.json"} {
		data, err := readOptional(content, name)
		if err != nil {
			return false, err
		}
		if !bytes.Contains(data, []byte(`"navigation"`)) {
			continue
		}
		ignored, err := readOptional(content, ".mintignore")
		if err != nil {
			return false, err
		}
		const always = "/snippets/\nbuild/\ndist/\ncoverage/\ntmp/\ntemp/\nREADME.md\nLICENSE.md\nCHANGELOG.md\nCONTRIBUTING.md\n"
		u := &r.site.rules
		u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(always+string(ignored)))
		v, se := frontmatter.ParseTable(name, data)
		switch {
		case se == nil:
			r.common(textOf(v, "name"), textOf(v, "description"), "", "")
			r.site.note(name)
		case !json.Valid(data):
			r.report(name, frontmatter.Value{Line: se.Line, Column: se.Column}, Warning, se.What, "mend it; until then, the title of the site is not known")
		}
		return true, nil
	}
	return false, nil
}

// obsidian leaves out the folders in which Obsidian's settings say that templates of notes lie, and keeps the ends of lines unless they say otherwise.
func (r *configReader) obsidian(content fs.FS) error {
	app, err := readOptional(content, ".obsidian/app.json")
	if err != nil {
		return err
	}
	v, _ := frontmatter.ParseTable(".obsidian/app.json", app)
	r.site.rules.breaks = isDir(content, ".obsidian") && !flagOf(v, "strictLineBreaks")
	for name, key := range map[string]string{"templates": "folder", "plugins/templater-obsidian/data": "templates_folder"} {
		name = ".obsidian/" + name + ".json"
		data, err := readOptional(content, name)
		if err != nil {
			return err
		}
		v, se := frontmatter.ParseTable(name, data)
		if folder := strings.Trim(textOf(v, key), "/"); se == nil && folder != "" {
			r.site.rules.ignoreLines = append(r.site.rules.ignoreLines, ignoreLinesOf("/"+globOf(folder)+"/"))
		}
	}
	return nil
}

// pelican reads what is written out in the configuration of Pelican, if there is one, and in publishconf.py, which overrides it where the site is
// published.
func (r *configReader) pelican(fsys, content fs.FS, inside bool) (known bool, err error) {
	const name, published = "pelicanconf.py", "publishconf.py"
	data, err := readOptional(fsys, name)
	if err != nil || data == nil {
		return false, err
	}
	more, err := readOptional(fsys, published)
	if err != nil {
		return false, err
	}
	program := slices.Concat(data, []byte("\n"), more)
	fmt.Fprintf(r.key, "%s %d\n%s", name, len(program), program)
	said := pythonConstants(program, append(pelicanKeys(), "SITENAME", "SITEURL", "AUTHOR", "DEFAULT_LANG", "TIMEZONE", "PATH", "DEFAULT_DATE"))
	r.common(textOf(said, "SITENAME"), "", textOf(said, "SITEURL"), strings.ReplaceAll(textOf(said, "DEFAULT_LANG"), "_", "-"))
	r.authors(said, "AUTHOR")
	r.zone(textOf(said, "TIMEZONE"))
	r.within(content, cmp.Or(textOf(said, "PATH"), "content"), inside) // without PATH the folder is an argument of Pelican's command; its quickstart makes it content
	if len(r.site.dateLayouts) == 0 {                                  // the first number is the month, if it can be one
		for _, clock := range []string{"", " 15:04", " 15:04:05"} {
			r.site.dateLayouts = append(r.site.dateLayouts, "1/2/2006"+clock, "2/1/2006"+clock)
		}
	}
	u := &r.site.rules
	u.pelican, u.lenient = true, true
	given, _ := said.Get("DEFAULT_METADATA")
	u.defaults = append(u.defaults, defaults{values: given.Fields})
	paths := func(key string, usual ...string) []string {
		if v, ok := said.Get(key); ok {
			return scalars(v)
		}
		return usual
	}
	pages := paths("PAGE_PATHS", "pages")
	add := func(lines []ignoreLine, keeps bool, paths []string) []ignoreLine {
		for _, p := range paths {
			pattern := "/" + globOf(strings.Trim(p, "/"))
			if pattern == "/" { // all files
				pattern = "*"
			}
			lines = appendIgnoreLine(lines, pattern, keeps)
		}
		return lines
	}
	lines := add(nil, false, []string{""})
	lines = add(lines, true, paths("ARTICLE_PATHS", ""))
	lines = add(lines, false, paths("ARTICLE_EXCLUDES"))
	lines = add(lines, true, pages)
	lines = add(lines, false, paths("PAGE_EXCLUDES"))
	for _, pattern := range paths("IGNORE_FILES") {
		lines = appendIgnoreLine(lines, pattern, false)
	}
	u.ignoreLines = append(u.ignoreLines, lines)
	if said.Has("DEFAULT_DATE") || regexp.MustCompile(`[^"']\(\?P<date>`).Match(program) { // a file may have a date without date: or one at the beginning of its name
		pages = []string{""}
	}
	u.undated = add(nil, false, pages)
	u.untitled = bytes.Contains(program, []byte("(?P<title>"))
	for at, program := range map[string][]byte{name: data, published: more} {
		if !inside {
			at = path.Join("..", at)
		}
		r.warnOfPython(at, program, said, pelicanKeys())
	}
	if r.site.BaseURL != "" && textOf(pythonConstants(more, []string{"SITEURL"}), "SITEURL") != "" {
		r.site.say("base_url", published)
	}
	r.site.note(name)
	return true, nil
}

// pelicanKeys are the keys of Pelican's configuration that say which files are published, and how.
func pelicanKeys() []string {
	return []string{"DEFAULT_METADATA", "ARTICLE_PATHS", "ARTICLE_EXCLUDES", "PAGE_PATHS", "PAGE_EXCLUDES", "IGNORE_FILES"}
}

// nikola reads what is written out in the configuration of Nikola, if there is one; and, where it lies in the content folder, which files are
// posts and pages.
func (r *configReader) nikola(fsys fs.FS, inside bool) (known bool, err error) {
	const name = "conf.py"
	data, err := readOptional(fsys, name)
	if err != nil || !bytes.Contains(data, []byte("BLOG_TITLE")) { // without it, it is a configuration of Sphinx
		return false, err
	}
	fmt.Fprintf(r.key, "%s %d\n%s", name, len(data), data)
	folders := []string{"POSTS", "PAGES"}
	said := pythonConstants(data, append(folders, "BLOG_TITLE", "BLOG_DESCRIPTION", "BLOG_AUTHOR", "SITE_URL", "DEFAULT_LANG", "TIMEZONE"))
	r.common(textOf(said, "BLOG_TITLE"), textOf(said, "BLOG_DESCRIPTION"), textOf(said, "SITE_URL"), textOf(said, "DEFAULT_LANG"))
	r.authors(said, "BLOG_AUTHOR")
	r.zone(textOf(said, "TIMEZONE"))
	r.site.note(name)
	r.site.rules.lenient = true
	if !inside {
		return true, nil
	}
	r.warnOfPython(name, data, said, folders)
	if !said.Has("POSTS") {
		return true, nil
	}
	lines := appendIgnoreLine(nil, "*", false)
	for _, key := range folders {
		sets, _ := said.Get(key)
		for _, set := range sets.Items {
			if set := scalars(set); len(set) > 0 { // a glob of files, which holds in subfolders, too; then their destination and template
				lines = appendIgnoreLine(lines, "/"+path.Join(path.Dir(set[0]), "**", path.Base(set[0])), true)
			}
		}
	}
	r.site.rules.ignoreLines = append(r.site.rules.ignoreLines, lines)
	return true, nil
}

// warnOfPython warns of keys whose value is not written out in a program in Python.
func (r *configReader) warnOfPython(at string, program []byte, said frontmatter.Value, keys []string) {
	assignment := regexp.MustCompile(`(?m)^([ \t]*)(` + strings.Join(keys, "|") + `)\b[ \t]*(\.\w+\(|\[|[+|]?=|:)`)
	for _, m := range assignment.FindAllSubmatchIndex(program, -1) {
		key, how := string(program[m[4]:m[5]]), string(program[m[6]:m[7]])
		v, known := said.Get(key)
		if known && m[2] == m[3] && (how == "=" || how == ":") && (v.Kind == frontmatter.Table) == (key == "DEFAULT_METADATA") {
			continue
		}
		r.report(at, frontmatter.Value{Line: 1 + bytes.Count(program[:m[4]], []byte("\n")), Column: 1 + m[3] - m[2]}, Warning,
			key+" is not written out, and is not known here", "write it at the margin, with its texts in quotes, or status: draft into what is not to be published")
	}
}

// pythonConstants returns the constants of these names that a program in Python sets at the margin to a text, or to a list or table of texts. Others
// are left out.
func pythonConstants(program []byte, names []string) frontmatter.Value {
	constants := frontmatter.Value{Kind: frontmatter.Table}
	constant := regexp.MustCompile(`(?m)^(` + strings.Join(names, "|") + `)(?:[ \t]*:[^=\n]*)?[ \t]*=[ \t]*([rRuU]?["']|[\[{(])(.*(?:\n(?:[ \t#\])}].*)?)*)`)
	for _, m := range constant.FindAllSubmatch(program, -1) {
		v, se := frontmatter.ParseTable("", slices.Concat([]byte("a: "), yamlOfPython(slices.Concat(m[2], m[3]))))
		of, ok := v.Get("a")
		isName := func(v frontmatter.Value) bool { return v.Kind == frontmatter.Text && !v.Quoted }
		if ok && se == nil && !slices.ContainsFunc(of.Items, isName) {
			constants = merge(constants, under(string(m[1]), of)) // the last assignment counts
		}
	}
	return constants
}

// yamlOfPython rewrites a text, list, tuple or table of Python as YAML. Other expressions become invalid YAML, or text without quotes.
func yamlOfPython(literal []byte) []byte {
	token := regexp.MustCompile(`[rRuU]?(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|#[^\n]*|[()\n]`)
	escaped := regexp.MustCompile(`\\([\\"'])`)
	return token.ReplaceAllFunc(literal, func(t []byte) []byte {
		switch t[0] {
		case '(':
			return []byte("[")
		case ')':
			return []byte("]")
		case '\n':
			return []byte("\n ")
		case '#':
			return nil
		}
		quote := bytes.IndexAny(t, `"'`)
		text := t[quote+1 : len(t)-1]
		if !bytes.ContainsAny(t[:quote], "rR") {
			text = escaped.ReplaceAll(text, []byte("$1"))
		}
		return slices.Concat([]byte("'"), bytes.ReplaceAll(text, []byte("'"), []byte("''")), []byte("'"))
	})
}

// within notes which folder of the project holds the articles. It is no part of their ids.
func (r *configReader) within(content fs.FS, dir string, inside bool) {
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

// isHexo tells the configuration of Hexo from that of Jekyll, which has the same name.
func isHexo(v frontmatter.Value) bool {
	return slices.ContainsFunc([]string{"source_dir", "public_dir", "new_post_name", "archive_dir", "skip_render"}, v.Has)
}

// hexo reads what Hexo's configuration, and the plugins in fsys beside it, say about publication.
func (r *configReader) hexo(v frontmatter.Value, fsys, content fs.FS, inside bool) error {
	u := &r.site.rules
	dir := textOf(v, "source_dir")
	if dir == "" {
		dir = "source"
	}
	r.within(content, dir, inside)
	languages, _ := v.Get("language")
	tag := ""
	if codes := scalars(languages); len(codes) > 0 {
		tag = codes[0]
	}
	r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "url"), tag)
	r.zone(textOf(v, "timezone"))
	r.authors(v, "author")
	for _, key := range []string{"exclude", "ignore", "skip_render"} {
		patterns, _ := v.Get(key)
		u.ignoreLines = append(u.ignoreLines, excludeLines(scalars(patterns)))
	}
	u.lenient, u.anyDates = true, true
	encrypt, _ := v.Get("encrypt") // of hexo-blog-encrypt
	encrypted, _ := encrypt.Get("tags")
	for _, tag := range encrypted.Items {
		u.encrypted = append(u.encrypted, textOf(tag, "name"))
	}
	u.drafts = flagOf(v, "render_drafts")
	u.future = !v.Has("future") || flagOf(v, "future")
	plugins, err := readOptional(fsys, "package.json")
	if err != nil {
		return err
	}
	marked, markdownIt := inner(v, "marked"), inner(v, "markdown", "render")
	unsaid := !marked.Has("breaks") && !markdownIt.Has("breaks")
	u.breaks = flagOf(marked, "breaks") || flagOf(markdownIt, "breaks") || unsaid && !bytes.Contains(plugins, []byte(`"hexo-renderer-pandoc"`))
	hide, said := v.Get("hide_posts")
	enabled := !hide.Has("enable") || flagOf(hide, "enable")
	u.hides = enabled && (said || bytes.Contains(plugins, []byte(`"hexo-hide-posts"`)))
	fmt.Fprintf(r.key, "%t\n", u.hides)
	return nil
}

// dataFiles adds the front matter that Eleventy's data files give: fr/fr.json, fr/fr.11tydata.json, fr/fr.11tydata.js and, where the site
// reads YAML, fr/fr.yml to the files below fr; fr/a.json and so on to fr/a.md. Of JavaScript, only what is written out is known. Of what is for a
// whole folder, titles, dates and tags are left out: they are those of no article. A data file that cannot be read, because it is a link out of the
// content or no regular file, gets a warning.
func (r *configReader) dataFiles(content fs.FS, paths []string, special map[string]fs.FileMode) error {
	for _, p := range paths {
		dir, name := path.Split(p)
		ending := path.Ext(name)
		name, isData := strings.CutSuffix(strings.TrimSuffix(name, ending), ".11tydata")
		isScript := isData && slices.Contains([]string{".js", ".cjs", ".mjs"}, ending)
		d := defaults{path: dir}
		if name != path.Base(dir) {
			d.path = dir + name + ".md"
		}
		_, found := slices.BinarySearch(paths, d.path)
		if !isScript && !slices.Contains([]string{".json", ".yml", ".yaml"}, ending) || d.path != dir && !found {
			continue
		}
		if info, err := fs.Stat(content, p); err == nil && info.Size() > frontmatter.MaxBytes {
			continue // so large a file is data for templates
		}
		data, err := readOptional(content, p)
		if err != nil && special[p] != 0 {
			r.report(p, frontmatter.Value{}, Warning, "what this data file says is not known: it is no file of this folder", "put a copy in its place")
			continue
		}
		if err != nil {
			return err
		}
		v, se := frontmatter.ParseTable(p, data)
		if se != nil {
			at := frontmatter.Value{Line: se.Line, Column: se.Column}
			switch {
			case isScript:
				r.report(p, at, Warning, se.What, "mend it; until then, the site is read as if it said nothing")
			case bytes.Contains(data, []byte("draft")) && r.site.rules.ignored(p) == "": // other mistakes are left for Eleventy to report
				r.report(p, at, Error, se.What, "mend it: it may say which files are drafts")
			}
			continue
		}
		for _, f := range v.Fields {
			key := strings.ToLower(f.Key)
			if f.Value.Kind == frontmatter.Null {
				if isScript && key == "draft" {
					r.report(p, f.Value, Warning, "draft is computed, so it is not known here", "write draft: true into the front matter of what is not to be published")
				}
				continue
			}
			switch key {
			case "permalink":
				if f.Value.Kind != frontmatter.Boolean { // the files have pages, even where a data file further up says false
					f.Value = frontmatter.Value{Kind: frontmatter.Boolean, Text: "true"}
				}
				fallthrough
			case "draft", "eleventyexcludefromcollections", "lang", "language", "locale", "author", "authors":
			default:
				if d.path == dir {
					continue
				}
			}
			d.values = append(d.values, f)
			fmt.Fprintf(r.key, "%q %q %q\n", d.path, f.Key, appendValue(nil, f.Value))
		}
		if len(d.values) > 0 {
			r.site.rules.defaults = append(r.site.rules.defaults, d)
		}
	}
	return nil
}

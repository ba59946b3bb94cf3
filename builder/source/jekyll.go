package source

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// jekyll reads what Jekyll's configuration, and the gems in fsys beside it, say about publication.
func (r *configReader) jekyll(v frontmatter.Value, fsys fs.FS, inside bool) error {
	u := &r.site.rules
	u.partial = !inside
	u.folders = []articleFolder{{}}
	if inside {
		if u.base = strings.Trim(path.Clean(textOf(v, "collections_dir")), "/"); u.base == "." {
			u.base = ""
		}
	}
	exclude, _ := v.Get("exclude")
	u.excluded = entriesOf(append(scalars(exclude), ".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock", "node_modules", "vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"))
	include, _ := v.Get("include")
	u.included = entriesOf(scalars(include))
	if u.partial { // paths are those from the site's folder on, of which this one is a part
		for i := range u.excluded {
			u.excluded[i].prefix = strings.TrimSuffix(u.excluded[i].prefix, "/") + "/"
		}
	}
	plugins, _ := v.Get("plugins")
	u.emoji = slices.Contains(scalars(plugins), "jemoji")
	if u.lenient = !strings.HasPrefix(textOf(v, "markdown"), "CommonMark"); u.lenient {
		u.formulas = []markdown.Formula{{Open: "$$", Close: "$$"}}
	}
	gems, err := readOptional(fsys, "Gemfile")
	if err != nil {
		return err
	}
	// GitHub Pages needs no front matter, and shows READMEs. It builds a site that has its gem, or that has none to get its theme by; it has a theme for one
	// without layouts.
	hasTheme := v.Has("theme") || v.Has("remote_theme") || !v.Has("source") && !v.Has("layouts_dir") && !isDir(fsys, "_layouts")
	hasPlugin := func(name, key string) bool {
		own, _ := v.Get(key)
		return textOf(own, "enabled") != "false" && (slices.Contains(scalars(plugins), name) || gems == nil && hasTheme ||
			regexp.MustCompile(`(?m)^\s*gem[ (]+["'](github-pages|`+name+`)["']`).Match(gems))
	}
	u.bare = hasPlugin("jekyll-optional-front-matter", "optional_front_matter") && !flagOf(v, "require_front_matter")
	if hasPlugin("jekyll-readme-index", "readme_index") {
		own, _ := v.Get("readme_index")
		u.readmes = readmes{index: true, withMatter: flagOf(own, "with_frontmatter")}
	}
	u.future = flagOf(v, "future")
	u.drafts = flagOf(v, "show_drafts")
	tag := textOf(v, "lang")
	if tag == "" {
		tag = textOf(v, "locale")
	}
	if l, ok := v.Get("languages"); ok { // the plugins for several languages
		for _, item := range l.Items {
			code := item.Text
			if item.Kind == frontmatter.Table {
				code = textOf(item, "code")
			}
			if t, ok := languageTag(code); ok {
				u.addLanguage(code, t)
			}
		}
	}
	r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "url")+textOf(v, "baseurl"), tag)
	r.zone(textOf(v, "timezone"))
	r.authors(v, "author")
	u.collections = map[string]bool{}
	collections, _ := v.Get("collections")
	u.permalinks = map[string]string{"": textOf(v, "permalink")}
	for _, f := range collections.Fields {
		u.collections["_"+f.Key] = flagOf(f.Value, "output")
		if p := textOf(f.Value, "permalink"); p != "" {
			u.permalinks[f.Key] = p
		}
	}
	given, _ := v.Get("defaults")
	for _, item := range given.Items {
		var d defaults
		scope, _ := item.Get("scope")
		d.path, d.kind = strings.Trim(textOf(scope, "path"), "/"), textOf(scope, "type")
		values, _ := item.Get("values")
		d.values = values.Fields
		u.defaults = append(u.defaults, d)
	}
	u.setDates(jekyll)
	return nil
}

// needsFrontMatter reports whether Jekyll copies a file of a kind that has none. The plugin that makes pages
// of such passes over those that are about the repository, unless they are included.
func (u *rules) needsFrontMatter(p, kind string) bool {
	switch {
	case kind == "posts" || kind == "drafts":
		return false
	case isHTML(p):
		return true
	case !u.bare || u.collectionOf(p) != "":
		return true
	}
	switch name := path.Base(p); strings.ToUpper(strings.TrimSuffix(name, path.Ext(name))) {
	case "README", "LICENSE", "LICENCE", "COPYING", "CODE_OF_CONDUCT", "CONTRIBUTING", "ISSUE_TEMPLATE", "PULL_REQUEST_TEMPLATE":
		return !u.includes(p)
	}
	return false
}

// readmes says what becomes of files named README.
type readmes struct {
	index      bool            // whether each is the index of its folder, where there is none
	withMatter bool            // whether those with front matter are, too
	indexes    map[string]bool // their paths
}

// indexesOf returns the READMEs among files that are the index of their folder, if their front matter does not keep them from it: of
// each folder without another index the first.
func (r readmes) indexesOf(paths []string, u *rules) map[string]bool {
	if !r.index {
		return nil
	}
	indexes := map[string]string{} // by folder
	for _, p := range paths {
		dir, ext := path.Dir(p), path.Ext(p)
		isText := dialect.IsMarkdown(p) && !isMDX(p)
		isIndex := strings.EqualFold(path.Base(p), "index"+ext) && (isText || isHTML(p) || ext == ".xhtml" || ext == ".xml")
		isReadme := isText && indexes[dir] == "" && strings.EqualFold(path.Base(p), "readme"+ext)
		if isReadme {
			kind := u.kindOf(p, u.name(p))
			isReadme = kind == "pages" || kind == ""
		}
		if (isIndex || isReadme) && u.ignored(p) == "" {
			indexes[dir] = p
		}
	}
	found := map[string]bool{}
	for _, p := range indexes {
		if strings.EqualFold(path.Base(p), "readme"+path.Ext(p)) {
			found[p] = true
		}
	}
	return found
}

// includes reports whether Jekyll's include names a file or a folder: it asks by the name, not by the path.
func (u *rules) includes(p string) bool { return names(u.included, path.Base(p)) }

// defaults are values of front matter that Jekyll's configuration gives to the files below
// a path, of a kind.
type defaults struct {
	path, kind string // "" is all
	values     []frontmatter.Field
}

// covers reports whether the defaults are for a file.
func (d defaults) covers(p, kind string) bool {
	if d.kind != "" && d.kind != kind {
		return false
	}
	if !strings.Contains(d.path, "*") {
		return strings.HasPrefix(p, d.path)
	}
	for at := p; at != "."; at = path.Dir(at) {
		if ok, _ := path.Match(d.path, at); ok {
			return true
		}
	}
	return false
}

// addDefaults adds to a document what Jekyll's configuration gives it. A summary for many
// articles is none of this one.
func (s *Site) addDefaults(p string, name nameOfPath, doc *frontmatter.Document) {
	kind := s.rules.kindOf(p, name)
	from := map[string]defaults{} // by key: what is added so far is of
	for _, d := range s.rules.defaults {
		if !d.covers(p, kind) {
			continue
		}
		for _, f := range d.values {
			key := strings.ToLower(f.Key)
			before, added := from[key]
			switch {
			case isSummary(key) || !added && doc.Meta.Has(key):
				continue
			case !added:
				doc.Meta.Fields = append(doc.Meta.Fields, f)
			case len(d.path) < len(before.path) || len(d.path) == len(before.path) && d.kind == "" && before.kind != "":
				continue // the more special one wins
			default:
				i := slices.IndexFunc(doc.Meta.Fields, func(known frontmatter.Field) bool { return strings.EqualFold(known.Key, f.Key) })
				doc.Meta.Fields[i] = f
			}
			from[key] = d
		}
	}
}

// kindOf is what Jekyll takes a file for: "posts", "drafts", "pages" or the name of a
// collection. It is "" where only a folder of the site is given and that is not certain.
func (u *rules) kindOf(p string, name nameOfPath) string {
	switch {
	case u.partial && name.year > 0:
		return "posts"
	case u.partial:
		return ""
	case name.drafts:
		return "drafts"
	case name.posts:
		return "posts"
	}
	return cmp.Or(u.collectionOf(p), "pages")
}

// collectionOf is the name of Jekyll's collection that a file is in, "" where it is in none.
func (u *rules) collectionOf(p string) string {
	folder, _, deeper := strings.Cut(u.relative(p), "/")
	if deeper && u.collections[folder] && u.inBase(p) {
		return folder[1:]
	}
	return ""
}

// folderCategories are the folders that a post of Jekyll lies in.
func (u *rules) folderCategories(p string) []string {
	before, _, ok := strings.Cut(u.relative(p), "/_posts/")
	if !ok {
		before, _, ok = strings.Cut(u.relative(p), "/_drafts/")
	}
	if !ok {
		return nil
	}
	return strings.Split(before, "/")
}

// jekyllAddress follows "Permalinks" of Jekyll's documentation.
func (s *Site) jekyllAddress(file *namedFile, m meta) string {
	u := &s.rules
	style := u.permalinks[""]
	ending := ""
	switch {
	case style == "pretty" || strings.HasSuffix(style, "/"):
		ending = "/"
	case !strings.Contains(style, ":") || strings.HasSuffix(style, ":output_ext"):
		ending = ".html"
	}
	var p string
	switch kind := u.kindOf(file.Path, file.name); {
	case kind == "" || kind == "drafts": // a draft is dated by its file's time
		return ""
	case kind == "posts":
		p = s.jekyllPermalink(cmp.Or(u.permalinks[kind], style, "date"), file, m)
	case u.collectionOf(file.Path) == "": // a collection may be called pages, too
		dir := path.Dir(file.Path)
		if p = path.Join("/", dir, file.name.stem) + ending; file.name.bundle {
			p = strings.TrimSuffix(path.Join("/", dir), "/") + "/"
		}
	default:
		p = s.jekyllPermalink(cmp.Or(u.permalinks[kind], "/:collection/:path"+ending), file, m)
	}
	if p == "" {
		return ""
	}
	return s.BaseURL + escapeAddress(p)
}

// slugOf joins by hyphens the letters and digits of a text, and the marks that are kept.
func slugOf(text, kept string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !strings.ContainsRune(kept, r)
	}), "-")
}

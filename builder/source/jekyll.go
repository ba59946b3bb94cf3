package source

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/markdown"
)

// jekyllRules are the rules that only a site of Jekyll or Bridgetown has.
type jekyllRules struct {
	bridgetown       bool                // whether the rules are those of Bridgetown
	partial          bool                // whether the content folder is only a part of the site
	excluded         jekyllEntries       // exclude
	included         jekyllEntries       // include, which overrides exclude
	collections      map[string]bool     // by folder of a collection: whether its documents are published
	permalinks       map[string]string   // the patterns by collection; "" means all
	values           []frontmatter.Field // the configuration, but for the site's own address: what {{ site.x }} shows
	excerptEnd       string              // excerpt_separator, which ends the summary in an article's text
	bare             bool                // whether pages need no front matter
	readmes          map[string]bool     // by path: files named README that are the index of their folder
	readmeIndex      bool                // whether a README is the index of its folder if there is no other
	readmeWithMatter bool                // whether one with front matter is an index, too
	i18n             bool                // whether the posts lie in folders of their languages, as in _i18n/fr/_posts
}

// jekyll reads what Jekyll's configuration, and the gems beside it, say about publication.
func (r *siteReader) jekyll(v frontmatter.Value) {
	u := &r.site.rules
	u.jekyll.partial = !r.inside && !(v.Has("source") && isDir(r.content, "_posts")) // with posts in it, content is the source itself
	u.folders = []articleFolder{{}}
	source := cmp.Or(textOf(v, "source"), ".")
	r.setBase(source)
	r.includes(include.Liquid, path.Join(source, cmp.Or(textOf(v, "includes_dir"), "_includes")))
	if !u.jekyll.partial {
		if u.base = strings.Trim(path.Join(u.base, textOf(v, "collections_dir")), "/"); u.base == "." {
			u.base = ""
		}
	}
	u.jekyll.excluded = jekyllEntriesOf(append(scalars(inner(v, "exclude")), ".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock",
		"node_modules", "vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/"))
	u.jekyll.included = jekyllEntriesOf(scalars(inner(v, "include")))
	if u.jekyll.partial { // paths begin at the site's folder, and content is only a part of that
		for i := range u.jekyll.excluded {
			u.jekyll.excluded[i].prefix = strings.TrimSuffix(u.jekyll.excluded[i].prefix, "/") + "/"
		}
	}
	if u.flavour.Lenient = !strings.HasPrefix(textOf(v, "markdown"), "CommonMark"); u.flavour.Lenient {
		u.flavour.LastNames, u.flavour.Tildes, u.flavour.Math = true, true, []markdown.Formula{{Open: "$$", Close: "$$"}}
	}
	u.dialect.Unspaced = needsNoSpace(v)
	u.flavour.Breaks = flagOf(v, "kramdown", "hard_wrap")
	r.jekyllPlugins(v)
	u.future = flagOf(v, "future")
	u.drafts = flagOf(v, "show_drafts")
	for _, item := range inner(v, "languages").Items { // a key of plugins for several languages
		code := cmp.Or(item.Text, textOf(item, "code"))
		if t, ok := languageTag(code); ok {
			u.addLanguage(code, t)
		}
	}
	tag := cmp.Or(textOf(v, "lang"), textOf(v, "locale"))
	if u.jekyll.i18n {
		tag = cmp.Or(tag, u.addI18n(v))
	}
	r.common(textOf(v, "title"), textOf(v, "description"), textOf(v, "url")+textOf(v, "baseurl"), tag)
	r.zone(textOf(v, "timezone"))
	r.authors(v, "author")
	u.jekyll.collections = map[string]bool{}
	u.jekyll.permalinks = map[string]string{"": textOf(v, "permalink")}
	for _, f := range inner(v, "collections").Fields {
		u.jekyll.collections["_"+f.Key] = flagOf(f.Value, "output")
		if p := textOf(f.Value, "permalink"); p != "" {
			u.jekyll.permalinks[f.Key] = p
		}
	}
	for _, item := range inner(v, "defaults").Items {
		var d defaults
		d.path, d.kind = strings.Trim(path.Join(u.folders[0].dir, textOf(item, "scope", "path")), "/"), textOf(item, "scope", "type")
		d.values = inner(item, "values").Fields
		u.defaults = append(u.defaults, d)
	}
	u.jekyll.excerptEnd = textOf(v, "excerpt_separator")
	u.jekyll.values = slices.DeleteFunc(slices.Clone(v.Fields), func(f frontmatter.Field) bool { return f.Key == "url" || f.Key == "baseurl" })
	u.setDates(jekyll)
}

// jekyllPlugins reads what the plugins of a site of Jekyll change. They are named in its
// configuration or its Gemfile, or lie in a folder.
func (r *siteReader) jekyllPlugins(v frontmatter.Value) {
	u := &r.site.rules
	plugins := append(scalars(inner(v, "plugins")), scalars(inner(v, "gems"))...) // the older name of plugins
	u.flavour.Emojis = slices.Contains(plugins, "jemoji")
	gems := r.optional(r.root, "Gemfile")
	// GitHub Pages turns on plugins by which pages need no front matter and READMEs are indexes. A
	// site is taken for one of GitHub Pages if its Gemfile has the gem github-pages, or if it has a
	// theme but no Gemfile. A site without layouts counts as having one: GitHub Pages gives it one.
	hasTheme := v.Has("theme") || v.Has("remote_theme") || !v.Has("source") && !v.Has("layouts_dir") && !isDir(r.root, "_layouts")
	hasPlugin := func(name, key string) bool {
		return textOf(v, key, "enabled") != "false" && (slices.Contains(plugins, name) || gems == nil && hasTheme ||
			gemOf("github-pages|"+name).Match(gems))
	}
	u.jekyll.bare = hasPlugin("jekyll-optional-front-matter", "optional_front_matter") && !flagOf(v, "require_front_matter")
	if hasPlugin("jekyll-readme-index", "readme_index") {
		u.jekyll.readmeIndex, u.jekyll.readmeWithMatter = true, flagOf(v, "readme_index", "with_frontmatter")
	}
	own := globOf(path.Clean(cmp.Or(textOf(v, "plugins_dir"), "_plugins")))
	const languages = "jekyll-multiple-languages-plugin"
	copies, _ := fs.Glob(r.root, path.Join(own, languages+".rb"))
	u.jekyll.i18n = !u.jekyll.partial && !slices.Contains(scalars(inner(v, "exclude_from_localizations")), "_posts") &&
		(len(copies) > 0 || slices.Contains(plugins, languages) || gemOf(languages).Match(gems))
	u.dialect.Links = r.programsLinkNotes(path.Join(own, "*.rb")) ||
		slices.ContainsFunc(plugins, func(name string) bool { return name == "jekyll-wikilinks" || name == "jekyll-wikirefs" })
}

// gemOf matches a line of a Gemfile that has one of these gems. names are separated by |.
func gemOf(names string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*gem[ (]+["'](` + names + `)["']`)
}

// i18nFolder is where jekyll-multiple-languages-plugin keeps what differs by language.
const i18nFolder = "_i18n"

// addI18n adds the folders that hold the posts of each language. It returns the first language,
// whose articles have addresses without a language.
func (r *rules) addI18n(v frontmatter.Value) (first string) {
	source := r.folders[0].dir
	for _, code := range scalars(inner(v, "languages")) {
		first = cmp.Or(first, code)
		r.folders = append(r.folders, articleFolder{dir: path.Join(source, i18nFolder, code), language: strings.ToLower(code)})
	}
	r.jekyll.i18n = first != ""
	r.defaultLanguage, r.defaultInSubdir = strings.ToLower(first), flagOf(v, "default_locale_in_subfolder")
	return first
}

// i18nPost returns the path of a post within the folder of its language. ok is false if it does not
// lie in one.
func (r *rules) i18nPost(p string) (post string, ok bool) {
	if !r.jekyll.i18n {
		return "", false
	}
	at, _ := r.folderOf(p)
	post = at.below(p)
	return post, at.language != "" && strings.HasPrefix(post, "_posts/")
}

// i18nPrefix returns a slash and the folder of the language in which
// jekyll-multiple-languages-plugin puts a page. Only posts have a language of their own; all other
// pages are in the first. For pages in the first language it returns "", unless the default
// language has a folder, too.
func (r *rules) i18nPrefix(p string) string {
	if !r.jekyll.i18n {
		return ""
	}
	at, first := r.folders[1], r.folders[1]
	if _, ok := r.i18nPost(p); ok {
		at, _ = r.folderOf(p)
	}
	if at.dir == first.dir && !r.defaultInSubdir {
		return ""
	}
	return "/" + path.Base(at.dir)
}

// programsLinkNotes reports whether one of the site's own programs, which a glob names, turns
// [[links]] between notes into links.
func (r *siteReader) programsLinkNotes(programs string) bool {
	names, _ := fs.Glob(r.root, programs)
	return slices.ContainsFunc(names, func(name string) bool {
		program, err := readOptional(r.root, name)
		return err == nil && linksNotes(program)
	})
}

// linksNotes reports whether a program turns [[links]] between notes into links, judging by a
// pattern in it that has these brackets.
func linksNotes(program []byte) bool { return regexp.MustCompile(`\\\[\\+\[`).Match(program) }

// needsFrontMatter reports whether Jekyll copies a file of a kind if it has no front matter,
// instead of making a page of it. The plugin that makes pages of such files skips those about the
// repository, unless the site's include names them.
func (r *rules) needsFrontMatter(p, kind string) bool {
	switch {
	case kind == "posts" || kind == "drafts":
		return false
	case isHTML(p) || !r.jekyll.bare || r.collectionOf(p) != "":
		return true
	}
	switch name := path.Base(p); strings.ToUpper(withoutExt(name)) {
	case "README", "LICENSE", "LICENCE", "COPYING", "CODE_OF_CONDUCT", "CONTRIBUTING", "ISSUE_TEMPLATE", "PULL_REQUEST_TEMPLATE":
		return !r.jekyll.includes(p)
	}
	return false
}

// readmesOf returns the paths of the READMEs that are the index of their folder, unless their front
// matter prevents it: the first README in each folder that has no other index.
func (r *rules) readmesOf(paths []string) map[string]bool {
	if !r.jekyll.readmeIndex {
		return nil
	}
	indexes := map[string]string{} // by folder
	for _, p := range paths {
		dir, ext := path.Dir(p), path.Ext(p)
		isText := dialect.IsMarkdown(p) && !isMDX(p)
		isIndex := strings.EqualFold(path.Base(p), "index"+ext) && (isText || isHTML(p) || ext == ".xhtml" || ext == ".xml")
		isReadme := isText && indexes[dir] == "" && strings.EqualFold(path.Base(p), "readme"+ext)
		if isReadme {
			kind := r.kindOf(p, r.name(p))
			isReadme = kind == "pages" || kind == ""
		}
		if (isIndex || isReadme) && r.whyIgnored(p) == "" {
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

// excludes reports whether exclude, and not include, names a file or a folder around it. p is the
// path from Jekyll's source.
func (r *jekyllRules) excludes(p string) bool {
	for at := p; at != "." && len(r.excluded) > 0; at = path.Dir(at) {
		if r.excluded.names(at) && !r.includes(at) {
			return true
		}
	}
	return false
}

// includes reports whether include names a file or a folder. Jekyll compares the name, not the
// path.
func (r *jekyllRules) includes(p string) bool { return r.included.names(path.Base(p)) }

// jekyllEntries are the entries of Jekyll's exclude or include.
type jekyllEntries []jekyllEntry

// jekyllEntry names the paths that begin with prefix or match glob, whose * matches slashes, too.
type jekyllEntry struct {
	prefix string
	glob   *regexp.Regexp // nil if the entry is not a glob
}

func jekyllEntriesOf(patterns []string) (es jekyllEntries) {
	for _, p := range patterns {
		if p = strings.TrimPrefix(p, "/"); p == "" {
			continue
		}
		e := jekyllEntry{prefix: p}
		if strings.ContainsAny(p, "*?[") {
			e.glob, _ = regexp.Compile(fnmatchExpression(p))
		}
		es = append(es, e)
	}
	return es
}

// names reports whether one of the entries names a file or a folder.
func (es jekyllEntries) names(p string) bool {
	return slices.ContainsFunc(es, func(e jekyllEntry) bool {
		return strings.HasPrefix(p+"/", e.prefix) || e.glob != nil && e.glob.MatchString(p)
	})
}

// kindOf returns what Jekyll takes a file for: "posts", "drafts", "pages" or the name of a
// collection. If the content folder is only a part of the site, it is certain only of posts, and
// returns "" for other files.
func (r *rules) kindOf(p string, name nameOfPath) string {
	switch {
	case r.jekyll.partial && !name.date.isZero():
		return "posts"
	case r.jekyll.partial:
		return ""
	case name.drafts:
		return "drafts"
	case name.posts:
		return "posts"
	}
	return cmp.Or(r.collectionOf(p), "pages")
}

// collectionOf returns the name of the published collection of Jekyll that a file belongs to, or ""
// if there is none.
func (r *rules) collectionOf(p string) string {
	folder, _, deeper := strings.Cut(r.relative(p), "/")
	if deeper && r.jekyll.collections[folder] && r.inBase(p) {
		return folder[1:]
	}
	return ""
}

// folderCategories returns the folders above the _posts or _drafts that holds a file. Jekyll takes
// them for categories.
func (r *rules) folderCategories(p string) []string {
	if _, ok := r.i18nPost(p); ok {
		return nil
	}
	for _, folder := range []string{"/_posts/", "/_drafts/"} {
		if above, _, ok := strings.Cut(r.relative(p), folder); ok {
			return strings.Split(above, "/")
		}
	}
	return nil
}

// inJekyll returns the categories that a value of the key categories has for Jekyll, which splits a
// text at its spaces: those of "a, b" are "a," and "b".
func inJekyll(categories frontmatter.Value) []string {
	if categories.Kind == frontmatter.Text {
		return strings.Fields(categories.Text)
	}
	return scalars(categories)
}

// jekyllAddress returns the address that Jekyll gives a page, by "Permalinks" of its documentation,
// or "" if it is not certain.
func (s *Site) jekyllAddress(file *candidate) string {
	u := &s.rules
	style := u.jekyll.permalinks[""]
	ending := ""
	switch {
	case style == "pretty" || strings.HasSuffix(style, "/"):
		ending = "/"
	case !strings.Contains(style, ":") && style != "weekdate" || strings.HasSuffix(style, ":output_ext"):
		ending = ".html"
	}
	var p string
	switch kind := u.kindOf(file.Path, file.name); {
	case kind == "" || kind == "drafts": // Jekyll dates a draft by the modification time of its file
		return ""
	case kind == "posts":
		p = s.jekyllPermalink(cmp.Or(u.jekyll.permalinks[kind], style, "date"), file)
	case u.collectionOf(file.Path) == "": // a page; kind does not tell, as a collection may be called pages, too
		dir := path.Dir(u.inSource(file.Path))
		if p = path.Join("/", dir, file.name.stem) + ending; file.name.bundle {
			p = strings.TrimSuffix(path.Join("/", dir), "/") + "/"
		}
	default:
		p = s.jekyllPermalink(cmp.Or(u.jekyll.permalinks[kind], "/:collection/:path"+ending), file)
	}
	if p == "" {
		return ""
	}
	return s.BaseURL + escapeAddress(u.i18nPrefix(file.Path)+p)
}

// jekyllPermalink fills in a permalink pattern of Jekyll, or one of its named styles.
func (s *Site) jekyllPermalink(pattern string, file *candidate) string {
	switch pattern {
	case "date":
		pattern = "/:categories/:year/:month/:day/:title.html"
	case "pretty":
		pattern = "/:categories/:year/:month/:day/:title/"
	case "none":
		pattern = "/:categories/:title.html"
	case "ordinal":
		pattern = "/:categories/:year/:y_day/:title.html"
	case "weekdate":
		pattern = "/:categories/:year/W:week/:short_day/:title.html"
	}
	return fillPermalink(pattern, func(token string) (string, bool) { return s.jekyllToken(token, file) })
}

// jekyllToken returns what a token of Jekyll stands for, and whether that is certain.
func (s *Site) jekyllToken(token string, file *candidate) (string, bool) {
	stem, base := file.name.stem, file.name.base
	if file.name.bundle {
		stem, base = "index", "index"
	}
	slug := cmp.Or(file.meta.slug.Text, base)
	if layout := dateToken(token); layout != "" {
		return file.Published.In(s.TimeZone).Format(layout), !file.Published.IsZero()
	}
	kind := s.rules.kindOf(file.Path, file.name)
	switch token {
	case "": // a colon
		return ":", true
	case "title":
		return slugOf(slug, "._~!$&'()+,;=@"), true
	case "slug":
		return strings.ToLower(slugOf(slug, "")), true
	case "name":
		return strings.ToLower(slugOf(stem, "")), true
	case "basename":
		return stem, true
	case "collection":
		return kind, true
	case "path":
		_, p, ok := strings.Cut("/"+file.Path, "/_"+kind+"/")
		return withoutExt(p), ok
	case "categories", "slugified_categories":
		categories := slices.Clone(file.meta.inAddress)
		for i, name := range categories {
			if token != "categories" {
				name = slugOf(name, "")
			}
			categories[i] = strings.ToLower(name)
		}
		return strings.Join(dedupe(categories), "/"), true
	case "week", "w_year":
		year, week := file.Published.In(s.TimeZone).ISOWeek()
		if token == "w_year" {
			return strconv.Itoa(year), !file.Published.IsZero()
		}
		return fmt.Sprintf("%02d", week), !file.Published.IsZero()
	case "output_ext":
		return ".html", true
	}
	return "", false
}

// needsNoSpace reports whether Jekyll also makes a heading of ##Title, as the renderers of its
// first years did.
func needsNoSpace(config frontmatter.Value) bool {
	switch strings.ToLower(textOf(config, "markdown")) {
	case "rdiscount", "maruku":
		return true
	case "redcarpet", "redcarpet2":
		return !slices.Contains(scalars(inner(config, "redcarpet", "extensions")), "space_after_headers")
	}
	return false
}

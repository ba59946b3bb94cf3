package source

import (
	"bytes"
	"cmp"
	"io/fs"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/markdown"
)

// looksLikeHugo reports whether a configuration whose name other programs use, too, is one of Hugo.
// Keys that other programs have as well count only in a project of Hugo.
func looksLikeHugo(v frontmatter.Value, fsys fs.FS) bool {
	return slices.ContainsFunc([]string{"baseurl", "theme", "languagecode", "defaultcontentlanguage", "locale", "module", "contentdir"}, v.Has) ||
		slices.ContainsFunc([]string{"languages", "params", "markup", "outputs", "permalinks"}, v.Has) && isHugoProject(fsys)
}

// isHugoProject reports whether a folder has subfolders that are typical of a project of Hugo.
func isHugoProject(fsys fs.FS) bool { return hasFolder(fsys, "archetypes", "layouts") }

// namesFolder reports whether a configuration of Hugo has a contentDir that exists.
func namesFolder(name string, data []byte, fsys fs.FS) bool {
	v, _ := frontmatter.ParseTable(name, data)
	return slices.ContainsFunc(append(inner(v, "languages").Fields, frontmatter.Field{Value: v}), func(f frontmatter.Field) bool {
		dir := path.Clean(textOf(f.Value, "contentDir"))
		return dir != "." && fs.ValidPath(dir) && isDir(fsys, dir)
	})
}

// hugoEndings returns the extensions of Hugo's configuration, in the order in which they are
// looked for.
func hugoEndings() []string { return []string{".toml", ".yaml", ".yml", ".json"} }

// configFolder adds the files of Hugo's folder config to the configuration v, which was read from
// the file called name. The name of a file in the folder is the key to which its settings belong,
// and may include a language: languages.fr.toml, params.fr.toml. config/production overrides
// config/_default, as when Hugo publishes a site; both override a config.toml beside the folder.
func (r *siteReader) configFolder(name string, v frontmatter.Value) frontmatter.Value {
	if strings.HasPrefix(name, "config/") {
		v = merge(r.besideFolder(), v)
	}
	for _, file := range r.inConfigFolder("config") {
		if file == name {
			continue
		}
		if said, found := r.table(r.root, file); found {
			v = merge(v, underFile(withoutExt(path.Base(file)), said))
		}
	}
	return v
}

// inConfigFolder returns the files of a folder config, in the order in which they override others.
func (r *siteReader) inConfigFolder(config string) (files []string) {
	for _, dir := range []string{path.Join(config, "_default"), path.Join(config, "production")} {
		if !isDir(r.root, dir) {
			continue // most sites have none
		}
		r.fail(fs.WalkDir(r.root, dir, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && slices.Contains(hugoEndings(), path.Ext(file)) {
				files = append(files, file)
			}
			return err
		}))
	}
	return files
}

// underFile returns what a file in Hugo's folder config says, under the key that its name gives.
func underFile(name string, said frontmatter.Value) frontmatter.Value {
	key, language, _ := strings.Cut(name, ".")
	if own, ok := said.Get(key); ok && len(said.Fields) == 1 { // the file may repeat the key
		said = own
	}
	switch {
	case name == "hugo" || name == "config":
		return said
	case language == "":
		return under(key, said)
	case key == "params" || strings.HasPrefix(key, "menu"):
		said = under(key, said)
	}
	return under("languages", under(language, said))
}

// besideFolder reads the config.toml, or .yaml or .json, beside Hugo's folder config. It returns an
// empty table if there is none.
func (r *siteReader) besideFolder() frontmatter.Value {
	for _, ext := range hugoEndings() {
		if v, found := r.table(r.root, "config"+ext); found {
			return v
		}
	}
	return frontmatter.Value{Kind: frontmatter.Table}
}

// hugoRules are the rules that only a site of Hugo has.
type hugoRules struct {
	built        []string                  // the codes of the languages that are built, the default one first
	zones        map[string]*time.Location // by code of a language that has a time zone of its own
	noPages      bool                      // whether disableKinds keeps pages from being made
	pageless     map[string]bool           // the disabled languages of which only that is true: Hugo reads their files
	noHTML       bool                      // whether contentTypes leave out HTML
	ignore       expressions               // ignoreFiles
	sections     map[pageName]bool         // folders with an _index.md
	dateKeys     []string                  // the keys of dates that the site's configuration names
	machineDates bool                      // whether Hugo dates an article without a date by Git or the file system, which this program does not ask
	linksPages   bool                      // whether a link may name a page by its path without extension
	pages        map[pageName]string       // the files of these pages
	params       []frontmatter.Field       // the params of the site by code of a language; last, with the key "", those of all languages
	handedDown   map[string]bool           // keys, in lower case, that a cascade hands down

	// How addresses are made.
	hosts        map[string]string      // by code of a language: the address of the site in it, if one has its own
	manyHosts    bool                   // whether the languages have hosts, so that no path begins with their codes
	oddURLs      bool                   // whether addresses cannot be known
	outputs      []string               // the output formats of pages that name none
	patterns     map[string][]permalink // by code of a language that has patterns of its own; "" is the site
	ugly         bool                   // /a/b.html rather than /a/b/
	uglySections map[string]bool        // by section: whether its addresses are ugly
	keepCase     bool                   // disablePathToLower: addresses keep the capitals of paths
	noAccents    bool                   // removePathAccents: addresses have letters without accents
}

// ignores reports whether ignoreFiles name the file at p or a folder around it. above is the path
// of the content folder within the project.
func (r *hugoRules) ignores(above, p string) bool {
	for at := p; at != "." && len(r.ignore) > 0; at = path.Dir(at) {
		if r.ignore.match("/" + path.Join(above, at)) {
			return true
		}
	}
	return false
}

// hugo reads what Hugo's configuration says about publication.
func (r *siteReader) hugo(v frontmatter.Value) {
	u := &r.site.rules
	r.includes(include.Shortcodes)
	u.disabled = disabledLanguages(v)
	built := builtLanguages(v, u.disabled)
	u.defaultLanguage = defaultLanguage(v, built)
	u.hugo.built = []string{u.defaultLanguage}
	for _, f := range built {
		u.hugo.built = append(u.hugo.built, strings.ToLower(f.Key))
	}
	u.defaultInSubdir = flagOf(v, "defaultContentLanguageInSubdir")
	u.hugo.readAddresses(v)
	if len(built) == 1 {
		v = merge(v, built[0].Value) // the settings of the only language override those of the site
	}
	tag := r.hugoLanguages(v, len(built) > 1)
	r.locateFolders()
	params := inner(v, "params")
	title := cmp.Or(textOf(v, "languages", u.defaultLanguage, "title"), textOf(v, "title"))
	r.common(title, textOf(params, "description"), cmp.Or(u.hugo.hosts[u.defaultLanguage], textOf(v, "baseURL")), tag)
	r.zone(textOf(v, "timeZone"))
	u.rooted = flagOf(v, "canonifyURLs")
	u.flavour = hugoFlavour(v)
	u.hugo.noPages = disablesPages(v)
	types := inner(v, "contentTypes")
	u.hugo.noHTML = len(types.Fields) > 0 && !types.Has("text/html")
	u.hugo.linksPages = r.ownLinksFindPages(v) || linksPages(inner(v, "markup", "goldmark"), len(built) > 1 && len(u.hugo.hosts) == 0)
	u.dialect.Shown = r.shownParameters(hugoShortcodes(v), dialect.Shown)
	u.hugoDates(v)
	u.addCascade("", v)
	for _, pattern := range scalars(inner(v, "ignoreFiles")) {
		u.hugo.ignore.add(pattern)
	}
	r.authors(params, "author")
	r.authors(v, "author")
}

// hugoFlavour returns how Hugo's configuration has Markdown rendered.
func hugoFlavour(v frontmatter.Value) markdown.Flavour {
	goldmark := inner(v, "markup", "goldmark")
	extensions := inner(goldmark, "extensions")
	f := markdown.Flavour{
		IDs:      markdown.HugoIDs,
		Emojis:   flagOf(v, "enableEmoji"),
		Math:     passthroughs(inner(extensions, "passthrough")),
		Marks:    extraMarks(inner(extensions, "extras")),
		Breaks:   flagOf(goldmark, "renderer", "hardWraps"),
		Protocol: textOf(extensions, "linkifyProtocol"),
	}
	f.Tildes = slices.ContainsFunc(f.Marks, func(m markdown.Mark) bool { return m.Sign == '~' })
	if textOf(goldmark, "parser", "autoHeadingIDType") == "blackfriday" {
		f.IDs = markdown.BlackfridayIDs
	}
	return f
}

// extraMarks returns the marks that the settings of Hugo's Markdown switch on.
func extraMarks(extras frontmatter.Value) (marks []markdown.Mark) {
	for _, m := range []struct {
		name string
		mark markdown.Mark
	}{
		{"superscript", markdown.Mark{Sign: '^', One: "sup", Two: "sup", Spaces: true}},
		{"subscript", markdown.Mark{Sign: '~', One: "sub", Spaces: true}},
		{"insert", markdown.Mark{Sign: '+', Two: "ins"}},
		{"mark", markdown.Mark{Sign: '=', Two: "mark"}},
	} {
		if flagOf(extras, m.name, "enable") {
			marks = append(marks, m.mark)
		}
	}
	return marks
}

// linksPages reports whether links may name pages by their paths without extension. Unless the
// settings of Hugo's Markdown decide it, they may if several languages share one host.
func linksPages(markup frontmatter.Value, several bool) bool {
	switch textOf(markup, "renderHooks", "link", "useEmbedded") {
	case "always", "fallback":
		return true
	case "never":
		return false
	}
	return several && !flagOf(markup, "duplicateResourceFiles")
}

// ownLinksFindPages reports whether the template that renders links, of the site or of its theme,
// looks for the pages that relative links name. One that asks whether a link begins with a slash
// may look for no others.
func (r *siteReader) ownLinksFindPages(v frontmatter.Value) bool {
	fromTop := regexp.MustCompile(`(not \()?(?:strings\.)?[Hh]asPrefix \S+ "/"`)
	for _, folder := range layouts(v) {
		for _, hooks := range []string{"_markup", "_default/_markup"} {
			name := path.Join(folder, hooks, "render-link.html")
			if template, err := readOptional(r.root, name); err == nil && template != nil { // a theme may be a link out of the site
				r.sum(name, template)
				return bytes.Contains(template, []byte("GetPage")) &&
					!slices.ContainsFunc(fromTop.FindAllSubmatch(template, -1), func(m [][]byte) bool { return m[1] == nil })
			}
		}
	}
	return false
}

// layouts returns the folders of templates, of the site and of its themes, in the order in which
// Hugo looks for one.
func layouts(v frontmatter.Value) []string {
	folders := []string{"layouts"}
	for _, theme := range scalars(inner(v, "theme")) {
		if folder := path.Join("themes", theme, "layouts"); fs.ValidPath(folder) {
			folders = append(folders, folder)
		}
	}
	return folders
}

// hugoShortcodes returns the folders of the shortcodes of the site and of its themes.
func hugoShortcodes(v frontmatter.Value) (folders []string) {
	for _, folder := range layouts(v) {
		folders = append(folders, path.Join(folder, "_shortcodes"), path.Join(folder, "shortcodes"))
	}
	return folders
}

// shownParameters returns which parameters the shortcodes in some folders show, by name of the
// shortcode, given what reads that from a template. An earlier folder takes precedence.
func (r *siteReader) shownParameters(folders []string, read func(template string) []string) map[string][]string {
	shown := map[string][]string{}
	for _, folder := range folders {
		if !isDir(r.root, folder) {
			continue
		}
		r.fail(fs.WalkDir(r.root, folder, func(file string, entry fs.DirEntry, err error) error {
			ext := path.Ext(file)
			name := strings.TrimSuffix(strings.TrimPrefix(file, folder+"/"), ext)
			if _, known := shown[name]; err != nil || known || ext != ".html" && (ext != ".md" || r.site.generator != zola) {
				return err
			}
			if template, err := readOptional(r.root, file); err == nil && template != nil { // a file may be a link out of the site
				r.sum(file, template)
				shown[name] = read(string(template))
			}
			return nil
		}))
	}
	return shown
}

// hugoLanguages reads the languages and their folders, and returns the tag of the default language.
// several says whether more than one language is built.
func (r *siteReader) hugoLanguages(v frontmatter.Value, several bool) (tag string) {
	u := &r.site.rules
	tag = cmp.Or(textOf(v, "locale"), textOf(v, "languageCode"))
	contentDir := cmp.Or(textOf(v, "contentDir"), "content")
	u.hugo.hosts = map[string]string{}
	u.hugo.pageless = map[string]bool{}
	u.hugo.zones = map[string]*time.Location{}
	u.hugo.oddURLs = u.hugo.oddURLs || v.Has("versions") || v.Has("roles")
	languages := inner(v, "languages").Fields
	for _, f := range languages {
		code, language := strings.ToLower(f.Key), u.hugoTag(f, tag)
		u.addLanguage(code, language)
		if code == u.defaultLanguage {
			tag = language
		}
		r.hugoLanguage(code, f.Value, contentDir, several)
	}
	r.hugoHosts(v)
	u.hugo.params = append(u.hugo.params, frontmatter.Field{Value: inner(v, "params")})
	if mounted := u.mounts(inner(v, "module", "mounts")); mounted != nil {
		u.folders = mounted
	}
	if len(u.folders) == 0 {
		u.folders = []articleFolder{{dir: contentDir}}
	}
	if r.inside { // else they lie beside the content folder
		u.folders = append(u.folders, r.themeFolders(v, cmp.Or(textOf(v, "themesDir"), "themes"), map[string]bool{})...)
	}
	tag = cmp.Or(tag, u.defaultLanguage)
	if len(languages) == 0 {
		u.addLanguage(u.defaultLanguage, tag)
	}
	return tag
}

// hugoLanguage reads what the configuration says of the language code. contentDir is the folder of
// the articles in languages that have none of their own.
func (r *siteReader) hugoLanguage(code string, v frontmatter.Value, contentDir string, several bool) {
	u := &r.site.rules
	if disablesPages(v) && !u.disabled[code] {
		u.disabled[code], u.hugo.pageless[code] = true, true
	}
	folder := articleFolder{dir: cmp.Or(textOf(v, "contentDir"), contentDir), language: code}
	if folder.dir == contentDir && !u.disabled[code] { // its files are in the default language unless their names give another
		folder.language = ""
	}
	u.folders = append(u.folders, folder)
	if zone, ok := zoneOf(textOf(v, "timeZone")); ok {
		u.hugo.zones[code] = zone
	}
	u.addCascade(code, v)
	u.hugo.params = append(u.hugo.params, frontmatter.Field{Key: code, Value: inner(v, "params")})
	if several && v.Has("baseURL") {
		host, err := BaseURL(textOf(v, "baseURL"))
		if r.site.BaseURL == "" {
			u.hugo.hosts[code] = host
		}
		u.hugo.oddURLs = u.hugo.oddURLs || err != nil || r.site.BaseURL != "" // an address that overrides the configuration is that of one language only
	}
	if own, ok := v.Get("permalinks"); ok && own.Kind == frontmatter.Table { // Hugo ignores a list under a language
		u.hugo.patterns[code] = u.hugo.permalinks(v)
	}
}

// hugoHosts notes how the addresses of several languages differ if some of them have an address of
// their own: the others have that of the site, and no path begins with the code of a language.
// Hugo takes the disabled languages off the number of those built, which it counts without them,
// and so has the codes in paths, too, if no more than one remains.
func (r *siteReader) hugoHosts(v frontmatter.Value) {
	u := &r.site.rules
	if len(u.hugo.hosts) == 0 {
		return
	}
	built := u.hugo.built[1:] // without the default language, which stands before all of them
	u.hugo.manyHosts = len(built)-len(u.disabled) > 1
	host, _ := BaseURL(textOf(v, "baseURL")) // without one, they have no addresses
	for _, code := range built {
		if _, own := u.hugo.hosts[code]; !own {
			u.hugo.hosts[code] = host
		}
	}
}

// hugoTag returns the tag of a language. The default language takes the site's tag if it has none
// of its own and the two name the same language.
func (r *rules) hugoTag(f frontmatter.Field, ofSite string) string {
	code, tag := strings.ToLower(f.Key), cmp.Or(textOf(f.Value, "locale"), textOf(f.Value, "languageCode"))
	if root, ok := languageTag(ofSite); ok && tag == "" && code == r.defaultLanguage && baseOf(root) == baseOf(strings.ToLower(ofSite)) {
		tag = root
	}
	if tag, ok := languageTag(cmp.Or(tag, code)); ok {
		return tag
	}
	return code
}

// builtLanguages returns the languages that are not disabled, in the order of their weights.
func builtLanguages(v frontmatter.Value, disabled map[string]bool) []frontmatter.Field {
	weight := func(f frontmatter.Field) int {
		if n, err := strconv.Atoi(textOf(f.Value, "weight")); err == nil && n != 0 {
			return n
		}
		return math.MaxInt
	}
	built := slices.DeleteFunc(slices.Clone(inner(v, "languages").Fields), func(f frontmatter.Field) bool {
		return disabled[strings.ToLower(f.Key)]
	})
	slices.SortFunc(built, func(a, b frontmatter.Field) int {
		return cmp.Or(cmp.Compare(weight(a), weight(b)), strings.Compare(strings.ToLower(a.Key), strings.ToLower(b.Key)))
	})
	return built
}

// defaultLanguage returns the code of the language of files that name none.
func defaultLanguage(v frontmatter.Value, built []frontmatter.Field) string {
	isEnglish := func(f frontmatter.Field) bool { return strings.EqualFold(f.Key, "en") }
	switch code := strings.ToLower(textOf(v, "defaultContentLanguage")); {
	case code != "":
		return code
	case len(built) > 0 && !slices.ContainsFunc(built, isEnglish):
		return strings.ToLower(built[0].Key)
	}
	return "en"
}

// disabledLanguages returns the codes of the languages that Hugo does not build. Hugo lower-cases
// the codes of languages, but not those in disableLanguages.
func disabledLanguages(v frontmatter.Value) map[string]bool {
	disabled := map[string]bool{}
	for _, code := range scalars(inner(v, "disableLanguages")) {
		disabled[code] = code != "" // some write "" for none
	}
	for _, f := range inner(v, "languages").Fields {
		if flagOf(f.Value, "disabled") {
			disabled[strings.ToLower(f.Key)] = true
		}
	}
	return disabled
}

// sitesOf returns the codes of the languages in which Hugo makes a page, by sites.matrix in its
// front matter. The page's own language comes first if it is among them. If the front matter names
// no language that is built, sitesOf returns only the page's own.
func (r *rules) sitesOf(meta frontmatter.Value, own string) []string {
	codes := r.hugo.languages(sitesMatrix(meta), own)
	if len(codes) == 0 || r.unread(own) {
		return []string{own}
	}
	return codes
}

// sitesMatrix returns the patterns of languages in the sites.matrix of a page or a mount.
func sitesMatrix(v frontmatter.Value) (patterns []string) {
	return scalars(inner(v, "sites", "matrix", "languages"))
}

// languages returns the codes of the built languages that the patterns of a sites.matrix name. The
// code that is given first counts as one of them, and comes first if it is named.
func (r *hugoRules) languages(patterns []string, first ...string) []string {
	if len(patterns) == 0 {
		return nil
	}
	return dedupe(slices.DeleteFunc(slices.Concat(first, r.built), func(code string) bool {
		named := false
		for i, pattern := range patterns {
			pattern, leavesOut := strings.CutPrefix(pattern, "! ")
			var glob expressions
			glob.add(globExpression(pattern)) // which tells capitals from small letters here
			switch matches := glob.match(code); {
			case !leavesOut:
				named = named || matches
			case matches || i > 0 && !named: // it leaves only those that the patterns before it name
				return true
			default:
				named = true
			}
		}
		return !named
	}))
}

// siteOf returns the first language of sitesOf. It is the one in which the page is an article here.
func (r *rules) siteOf(meta frontmatter.Value, own string) string { return r.sitesOf(meta, own)[0] }

// disablesPages reports whether the disableKinds of a site, or of a language, keep Hugo from making
// pages.
func disablesPages(v frontmatter.Value) bool {
	return slices.ContainsFunc(scalars(inner(v, "disableKinds")), func(kind string) bool { return strings.EqualFold(kind, "page") })
}

// readAddresses reads how addresses are made.
func (r *hugoRules) readAddresses(v frontmatter.Value) {
	r.keepCase = flagOf(v, "disablePathToLower")
	r.noAccents = flagOf(v, "removePathAccents")
	r.outputs = scalars(inner(v, "outputs", "page"))
	r.ugly = flagOf(v, "uglyURLs")
	suffix := firstText(inner(v, "mediaTypes", "text/html", "suffixes"))
	r.oddURLs = suffix != "" && suffix != "html" ||
		slices.ContainsFunc([]string{"path", "baseName", "protocol", "noUgly"}, inner(v, "outputFormats", "html").Has)
	r.uglySections = map[string]bool{}
	for _, f := range inner(v, "uglyURLs").Fields {
		r.uglySections[strings.ToLower(f.Key)] = isTrue(f.Value)
	}
	r.patterns = map[string][]permalink{"": r.permalinks(v)}
}

// hugoDates reads which keys hold the dates.
func (r *rules) hugoDates(v frontmatter.Value) {
	r.setDates(hugo)
	own := inner(v, "frontmatter")
	for _, d := range []struct {
		key   string
		order *[]string
	}{{"date", &r.date}, {"publishDate", &r.publish}, {"lastmod", &r.lastmod}, {"expiryDate", &r.expiry}} {
		if keys, ok := own.Get(d.key); ok {
			*d.order = expandDates(scalars(keys), *d.order)
			if d.key != "lastmod" { // keys of other programs only tell when an article was edited
				*d.order = slices.DeleteFunc(*d.order, func(key string) bool { return key == ".modified" })
			}
			r.hugo.machineDates = r.hugo.machineDates || d.key == "date" && slices.ContainsFunc(scalars(keys), isOfMachine)
			r.hugo.dateKeys = append(r.hugo.dateKeys, *d.order...)
		}
	}
}

// expandDates expands a configured list of date keys: ":default" stands for Hugo's own list, and a
// key for itself and its aliases. It drops keys whose dates depend on the machine.
func expandDates(order, standard []string) []string {
	var out []string
	for _, key := range order {
		if isOfMachine(key) {
			continue
		}
		switch key = strings.ToLower(key); key {
		case ":default":
			out = append(out, standard...)
		case "lastmod":
			out = append(out, key, "modified", ".modified")
		case "publishdate":
			out = append(out, key, "pubdate", "published")
		case "expirydate":
			out = append(out, key, "unpublishdate")
		default:
			out = append(out, key)
		}
	}
	return dedupe(out)
}

// isOfMachine reports whether Hugo's date under this key depends on the machine rather than the
// content.
func isOfMachine(key string) bool {
	return strings.EqualFold(key, ":git") || strings.EqualFold(key, ":fileModTime")
}

// param returns what Hugo's shortcode param shows in a document: the value of a key, which may have
// dots, in the front matter, else in the params of the site in the language code. It returns "" if
// a cascade may hand down another value than the site's, because an article's text must not depend
// on other files.
func (r *hugoRules) param(meta frontmatter.Value, code, key string) string {
	keys := strings.Split(key, ".")
	for _, own := range []frontmatter.Value{meta, inner(meta, "params")} {
		if own.Has(keys[0]) {
			return textOf(own, keys...)
		}
	}
	for _, of := range r.params {
		text := textOf(of.Value, keys...)
		if text != "" && (of.Key == code || of.Key == "") && !r.handedDown[strings.ToLower(keys[0])] {
			return text
		}
	}
	return ""
}

// noteCascade notes the keys that a cascade hands down.
func (r *hugoRules) noteCascade(cascade frontmatter.Value) {
	if r.handedDown == nil {
		r.handedDown = map[string]bool{}
	}
	for _, f := range slices.Concat(inner(cascade, "params").Fields, cascade.Fields) {
		r.handedDown[strings.ToLower(f.Key)] = true
	}
}

// addCascade adds the front matter that a configuration hands down to the pages of a language, or
// to all pages if code is empty.
func (r *rules) addCascade(code string, v frontmatter.Value) {
	for _, t := range items(inner(v, "cascade")) {
		r.cascade = append(r.cascade, r.hugo.newCascade(code, t))
		r.hugo.noteCascade(t)
	}
}

// passthroughs returns the delimiters of formulas that the settings of Hugo's Markdown name, the
// longer ones first.
func passthroughs(v frontmatter.Value) (formulas []markdown.Formula) {
	if !flagOf(v, "enable") {
		return nil
	}
	for _, kind := range []string{"block", "inline"} {
		for _, pair := range inner(v, "delimiters", kind).Items {
			if marks := scalars(pair); len(marks) == 2 && marks[0] != "" && marks[1] != "" {
				formulas = append(formulas, markdown.Formula{Open: marks[0], Close: marks[1]})
			}
		}
	}
	slices.SortStableFunc(formulas, func(a, b markdown.Formula) int { return len(b.Open) - len(a.Open) })
	return formulas
}

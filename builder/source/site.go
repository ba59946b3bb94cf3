package source

import (
	"cmp"
	"fmt"
	"hash"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/source/frontmatter"
)

// The files of the content folder that are settings.
const (
	SiteFile  = "site.yaml"
	TestsFile = "search-tests.yaml" // no article depends on it
)

// settingsMeant returns the name of the settings file that a file such as site.yml is probably
// meant to be, or "" for any other file.
func settingsMeant(p string) string {
	name := strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(p, "_", "-")), ".txt")
	for _, settings := range []string{SiteFile, TestsFile} {
		if p != settings && strings.Replace(name, ".yml", ".yaml", 1) == settings {
			return settings
		}
	}
	return ""
}

// Site is what a site says about itself, in site.yaml or in the configuration of its
// generator.
type Site struct {
	article.Site
	// URLTemplate makes the address of a human page; see the package comment. It is empty if the
	// site gives none.
	URLTemplate string
	// Language is the BCP 47 tag of articles that name none.
	Language string
	// Authors are the authors of articles that name none.
	Authors []article.Author
	// TimeZone is the time zone of dates that name none.
	TimeZone *time.Location
	// DateFormats are the forms of dates that site.yaml adds, as they are written there.
	DateFormats []string
	// DatesInIDs keeps the dates of files' names in ids.
	DatesInIDs bool
	// Generator is the program whose rules hold: "hugo", "jekyll", "zola" or "plain".
	Generator string
	// WithoutPage says that the site has pages of its own, by page: false.
	WithoutPage bool
	// From says where a setting comes from, by its key in site.yaml: the name of a file, "the
	// articles" for a language that was guessed from their texts, or "the names of files" for
	// languages that were guessed from them. Settings that are not in From have their default, or
	// come from [Options].
	From map[string]string

	generator   generator
	rules       rules
	dateLayouts []string
	hasSettings bool // whether site.yaml says anything: the folder is kept for this program
	synonyms    []article.Synonym
}

// zone returns the time zone of dates that name none, in articles in the language code.
func (s *Site) zone(code string) *time.Location {
	if zone := s.rules.hugo.zones[code]; zone != nil {
		return zone
	}
	return s.TimeZone
}

// siteReader reads the settings, those of site.yaml and those of the configuration of the site's
// generator, and gathers their problems.
type siteReader struct {
	site            *Site
	content, around fs.FS     // the content folder, and the one around it, or nil
	root            fs.FS     // content or around: the one in which a configuration is looked for
	inside          bool      // whether root is the content folder
	key             hash.Hash // digest of all settings that articles may depend on
	problems        []Problem
	err             error // the first that ends the scan; see fail

	special map[string]fs.FileMode // the types of the files of the content folder that are not regular ones
}

func (r *siteReader) report(path string, at frontmatter.Value, s Severity, what, hint string) {
	r.problems = append(r.problems, Problem{path, at.Line, at.Column, s, what, hint})
}

// reportMistake reports a syntax error.
func (r *siteReader) reportMistake(path string, e *frontmatter.Error, s Severity) {
	r.problems = append(r.problems, problemOf(path, e, s))
}

// read reads the settings: site.yaml, then the configuration of the site's generator. An address
// that is not empty overrides theirs.
func (r *siteReader) read(address string) error {
	if address != "" {
		var err error
		if address, err = BaseURL(address); err != nil {
			return err
		}
	}
	r.site.BaseURL = address
	r.readSite()
	r.readConfiguration()
	if address != "" {
		delete(r.site.From, "base_url")
		r.site.BaseURL = address
	}
	return r.err
}

// readAmong reads the files among the articles that say something about other files. The paths are
// those of all files, and special has the types of those that are not regular.
func (r *siteReader) readAmong(paths []string, special map[string]fs.FileMode) error {
	r.special = special
	for _, name := range [...]string{SiteFile, TestsFile} {
		if _, err := fs.Stat(r.content, name); special[name] != 0 && isAbsent(err) { // without it, the site would be another one
			r.fail(hinted.Error(fmt.Errorf("read settings: %s is a link that leads nowhere", name), "put a file in its place, or remove it"))
		}
	}
	r.dataFiles(paths)
	r.metaFiles(paths)
	r.folderFiles(paths)
	r.keyFiles(paths)
	r.siteBelow(paths)
	return r.err
}

// readSite reads site.yaml. A mistake in it is an error of the site: nothing can be published
// correctly under settings that are not understood.
func (r *siteReader) readSite() {
	data := r.optional(r.content, SiteFile)
	if data == nil {
		return
	}
	doc, se := frontmatter.ParseTable(SiteFile, data)
	if se != nil {
		r.reportMistake(SiteFile, se, Error)
		return
	}
	r.mistakes(SiteFile, doc, data)
	r.site.hasSettings = len(doc.Fields) > 0
	for _, f := range doc.Fields {
		if f.Key != "search" { // articles do not depend on the search settings
			fmt.Fprintf(r.key, "%s %s\n", f.Key, appendValue(nil, f.Value))
		}
		r.site.From[f.Key] = SiteFile
		r.set(f)
	}
	for _, names := range [...][2]string{{"author", "authors"}, {"licence", "license"}} {
		a, one := doc.Get(names[0])
		b, other := doc.Get(names[1])
		if one && other {
			r.report(SiteFile, frontmatter.Value{Line: max(a.Line, b.Line), Column: 1}, Error,
				fmt.Sprintf("%s and %s are the same", names[0], names[1]), "keep one of the two")
		}
	}
}

// mistakes reports what would silently be lost of a file of settings: values of keys that are given
// twice, and everything after a line that ends its document.
func (r *siteReader) mistakes(path string, doc frontmatter.Value, data []byte) {
	for _, twice := range slices.Concat(doc.Again, doc.Twice) {
		r.reportMistake(path, twice, Error)
	}
	line, began, ended := 0, false, 0
	for text := range strings.Lines(string(data)) {
		line++
		text = strings.TrimRight(text, " \t\r\n")
		switch isEnd := text == "---" || text == "..."; {
		case isEnd && began && ended == 0:
			ended = line
		case isEnd || text == "" || text[0] == '#' || text[0] == '%':
		case ended > 0:
			r.report(path, frontmatter.Value{Line: ended, Column: 1}, Error, "nothing below this line is read", "remove the line")
			return
		default:
			began = true
		}
	}
}

// set reads a key of site.yaml.
func (r *siteReader) set(f frontmatter.Field) {
	s, v, ok := r.site, f.Value, false
	switch f.Key {
	case "title":
		s.Title = r.text(f)
	case "description":
		s.Description = r.text(f)
	case "base_url":
		var err error
		if s.BaseURL, err = BaseURL(v.Text); err != nil {
			r.wrong(f, "not the address of a site", hinted.Hint(err))
		}
	case "url_template":
		r.template(v)
	case "language":
		if s.Language, ok = languageTag(v.Text); !ok {
			r.wrong(f, "not a language tag", "write a BCP 47 tag, as in en, pt-BR or zh-Hant")
		}
	case "languages":
		r.languages(v)
	case "authors", "author":
		s.Authors = appendAuthors(nil, v)
		r.authorless(f)
	case "licence", "license":
		s.License = r.license(v)
	case "contact":
		c := article.Contact{}
		r.strings(v, "contact", map[string]*string{"name": &c.Name, "url": &c.URL, "email": &c.Email})
		r.webAddress(v, "contact", &c.URL)
		if c.Email != "" && (strings.Count(c.Email, "@") != 1 || strings.Contains(c.Email, " ")) {
			r.report(SiteFile, inner(v, "email"), Error, fmt.Sprintf("the email of contact is %q", c.Email), "write it as in editors@example.org")
		}
		s.Contact = &c
	case "time_zone":
		if s.TimeZone, ok = zoneOf(v.Text); !ok {
			r.wrong(f, "not a time zone", "write a name of the IANA database, as in Europe/Berlin or UTC")
		}
	case "date_format":
		r.dateFormats(v)
	case "dates_in_ids":
		s.DatesInIDs = r.flag(f, "write true to keep the date of a file's name in its id")
	case "generator":
		if s.generator, ok = generatorOf(v.Text); !ok {
			r.report(SiteFile, v, Error, fmt.Sprintf("generator is %s", show(v)),
				"write hugo, jekyll, zola or plain; other programs are known by their configuration")
		}
	case "page":
		s.WithoutPage = !r.flag(f, "write false where the site has pages, feeds and a sitemap of its own")
	case "markdown":
		s.WithoutMarkdown = !r.flag(f, "write false to publish no article as Markdown")
	case "search":
		r.search(v)
	default:
		r.unknown(SiteFile, f, "", []string{"title", "description", "base_url", "url_template", "language", "languages", "authors", "author",
			"licence", "license", "contact", "time_zone", "date_format", "dates_in_ids", "generator", "page", "markdown", "search"})
	}
}

// authorless reports authors without a name, and authors' addresses that are not web addresses.
func (r *siteReader) authorless(f frontmatter.Field) {
	for _, item := range items(f.Value) {
		if len(appendAuthors(nil, item)) == 0 {
			r.report(SiteFile, item, Error, fmt.Sprintf("%s has %s without a name", f.Key, item.Kind), "write a name, or name: and url:")
		}
		if address := textOf(item, "url"); address != "" {
			r.webAddress(inner(item, "url"), f.Key, &address)
		}
	}
}

// wrong reports a value that its key does not accept.
func (r *siteReader) wrong(f frontmatter.Field, what, hint string) {
	r.report(SiteFile, f.Value, Error, fmt.Sprintf("%s is %s, which is %s", f.Key, show(f.Value), what), hint)
}

func (r *siteReader) flag(f frontmatter.Field, hint string) bool {
	if f.Value.Kind != frontmatter.Boolean {
		r.report(SiteFile, f.Value, Error, fmt.Sprintf("%s is %s, not true or false", f.Key, show(f.Value)), hint)
	}
	return isTrue(f.Value)
}

func (r *siteReader) dateFormats(v frontmatter.Value) {
	const hint = "write it as MM/DD/YYYY or %m/%d/%Y, with a year, a month and a day"
	if v.Kind == frontmatter.Table {
		r.report(SiteFile, v, Error, "date_format is a table, which is not a date format", hint)
	}
	for _, form := range scalars(v) {
		layout, ok := dateLayout(form)
		if !ok {
			meant := hint
			capitals := strings.ToUpper(form)
			if strings.Contains(form, ":") { // mm are minutes
				capitals = strings.NewReplacer("d", "D", "y", "Y").Replace(form)
			}
			if _, ok := dateLayout(capitals); ok { // as for the dd/MM/yyyy of .NET and Java
				meant = fmt.Sprintf("did you mean %q?", capitals)
			}
			r.report(SiteFile, v, Error, fmt.Sprintf("date_format is %q, which is not a date format", form), meant)
			continue
		}
		r.site.DateFormats = append(r.site.DateFormats, form)
		r.site.dateLayouts = append(r.site.dateLayouts, layout)
	}
}

// unknown reports a key that the settings do not have. No other program reads these files, so an
// unknown key is an error.
func (r *siteReader) unknown(path string, f frontmatter.Field, under string, keys []string) {
	hint := cmp.Or(guess(f.Key, keys), "the keys are "+strings.Join(keys, ", "))
	isKey := func(key string) bool {
		return strings.EqualFold(key, strings.Trim(visible(f.Key), frontmatter.OddQuotes))
	}
	if i := slices.IndexFunc(keys, isKey); i >= 0 && f.Key != visible(f.Key) {
		hint = fmt.Sprintf("write %s again: it has invisible characters", keys[i])
	} else if i >= 0 {
		hint = fmt.Sprintf("did you mean %q?", keys[i])
	}
	if under != "" {
		under = " under " + under
	}
	r.problems = append(r.problems, Problem{path, f.Line, f.Column, Error, fmt.Sprintf("unknown key %q%s", f.Key, under), hint})
}

func (r *siteReader) text(f frontmatter.Field) string {
	if isTree(f.Value) {
		r.report(SiteFile, f.Value, Error, fmt.Sprintf("%s is %s, not text", f.Key, f.Value.Kind), "write one line of text")
	}
	return lineOf(f.Value)
}

func (r *siteReader) strings(v frontmatter.Value, under string, into map[string]*string) {
	if v.Kind != frontmatter.Table {
		r.report(SiteFile, v, Error, fmt.Sprintf("%s is %s", under, show(v)),
			"write its keys below it, indented: "+strings.Join(slices.Sorted(maps.Keys(into)), ", "))
		return
	}
	for _, f := range v.Fields {
		if p, ok := into[f.Key]; ok {
			*p = r.text(f)
		} else {
			r.unknown(SiteFile, f, under, slices.Sorted(maps.Keys(into)))
		}
	}
}

// webAddress reports an address that is not a web address, and empties it.
func (r *siteReader) webAddress(v frontmatter.Value, under string, address *string) {
	if *address == "" || isWebAddress(*address) {
		return
	}
	r.report(SiteFile, v, Error, fmt.Sprintf("the url of %s is %q", under, *address), "give an address that begins with https://")
	*address = ""
}

func (r *siteReader) license(v frontmatter.Value) *article.License {
	var l article.License
	if v.Kind == frontmatter.Text {
		l.Name = collapse(v.Text)
		return &l
	}
	r.strings(v, "licence", map[string]*string{"name": &l.Name, "identifier": &l.Identifier, "url": &l.URL})
	r.webAddress(v, "licence", &l.URL)
	if l.Name == "" {
		r.report(SiteFile, v, Error, "licence has no name", "add name:, as in name: CC BY 4.0")
	}
	if l.Identifier != "" { // OpenAPI allows only one of the two
		l.URL = ""
	}
	return &l
}

func (r *siteReader) languages(v frontmatter.Value) {
	codes := scalars(v)
	if v.Kind == frontmatter.Table {
		for _, f := range v.Fields {
			codes = append(codes, f.Key)
		}
	}
	for _, code := range codes {
		tag, ok := languageTag(code)
		if !ok {
			r.report(SiteFile, v, Error, fmt.Sprintf("%q under languages is not a language tag", code), "write BCP 47 tags, as in [en, fr, pt-BR]")
			continue
		}
		r.site.rules.addLanguage(code, tag)
	}
}

// template checks the placeholders of url_template.
func (r *siteReader) template(v frontmatter.Value) {
	for _, placeholder := range regexp.MustCompile(`\{[^}]*\}?`).FindAllString(v.Text, -1) {
		name, closed := strings.CutSuffix(placeholder[1:], "}")
		if !closed {
			r.report(SiteFile, v, Error, fmt.Sprintf("url_template has no } after %q", placeholder), "close the placeholder, as in {slug}")
			return
		}
		if !slices.Contains(placeholders(), name) {
			r.report(SiteFile, v, Error, fmt.Sprintf("url_template has the unknown placeholder %q", placeholder),
				"the placeholders are {"+strings.Join(placeholders(), "}, {")+"}")
			return
		}
	}
	if isPath := strings.HasPrefix(v.Text, "/") && !strings.HasPrefix(v.Text, "//"); !isPath && !isWebAddress(strings.NewReplacer("{", "", "}", "").Replace(v.Text)) {
		r.report(SiteFile, v, Error, fmt.Sprintf("url_template is %s", show(v)), "begin it with one / or with https://")
		return
	}
	if !strings.Contains(v.Text, "{id}") && !strings.Contains(v.Text, "{slug}") && !strings.Contains(v.Text, "{path}") {
		r.report(SiteFile, v, Warning, "url_template gives several articles one address", "put {id}, {slug} or {path} into it")
	}
	r.site.URLTemplate = v.Text
}

// say notes that a setting comes from the configuration of this name, unless another file gave it
// before.
func (s *Site) say(key, name string) {
	s.From[key] = cmp.Or(s.From[key], name)
}

// note notes that all settings known now come from the configuration of this name, unless another
// file gave them before.
func (s *Site) note(name string) {
	for key, said := range map[string]bool{
		"title": s.Title != "", "description": s.Description != "", "base_url": s.BaseURL != "", "language": s.Language != "",
		"languages": s.rules.languages != nil,
		"time_zone": s.TimeZone != nil, "generator": true, "url_template": s.rules.configured && s.generator != plain && s.URLTemplate == "",
	} {
		if said {
			s.say(key, name)
		}
	}
}

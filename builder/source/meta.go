package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/source/frontmatter"
)

// meta is what the front matter of a file says, whichever generator's keys it uses.
type meta struct {
	title, linkTitle string
	summaries        [4]string         // in the order of summaryKeys
	slug, id         frontmatter.Value // with their lines and columns, for messages
	url              frontmatter.Value // url, permalink or path
	noURL            string            // permalink or url if that is false; else ""
	language         frontmatter.Value
	authors          []article.Author
	tags             []string // with the categories
	categories       []string
	inAddress        []string // the categories as Jekyll puts them into addresses
	image            string
	dates            map[string]time.Time // by lower-case key, only those that are set
	date             time.Time            // of publication, in the zone in which it is written
	years            []string             // the keys of dates that are only a year, which Hugo takes for seconds since 1970
	noDates          []string             // the keys of dates in the year 1, with which Hugo writes that there is none
	draft            *bool
	published        *bool
	render, list     string   // Hugo's build options; "" is "always"
	outputs          []string // the formats in which Hugo makes the page
	search           article.ArticleSettings
	cascade          []frontmatter.Value
	redirect         string // the address to which the page only redirects
	unlisted         string // the key that keeps it out of the site's lists
	ofData           bool   // whether it is a template from which Eleventy makes a page for each item of some data
	nameIsTitle      bool   // whether it is a note of the plugin Digital Garden, whose title is the name of its file
	drawing          bool   // whether a note-taking program shows it as a drawing
	password         *bool  // whether readers need a password
	hasMeta          bool
	empty            bool // whether the page has neither a title nor a text
}

func (m *meta) setDate(key string, t time.Time) {
	if m.dates == nil {
		m.dates = make(map[string]time.Time, 4)
	}
	m.dates[key] = t
}

// metaReader turns the values of one front matter into a meta and gathers problems.
type metaReader struct {
	path     string
	site     *Site
	code     string    // the language of the file
	now      time.Time // of the scan
	meta     meta      // what has been read so far
	problems []Problem
}

func (r *metaReader) report(at frontmatter.Value, s Severity, what, hint string) {
	r.problems = append(r.problems, Problem{r.path, at.Line, at.Column, s, what, hint})
}

// reportMistake reports a syntax error.
func (r *metaReader) reportMistake(e *frontmatter.Error, s Severity) {
	r.problems = append(r.problems, problemOf(r.path, e, s))
}

// unknown reports a key that nothing reads.
func (r *metaReader) unknown(f frontmatter.Field, s Severity, under, hint string) {
	r.problems = append(r.problems, Problem{r.path, f.Line, f.Column, s, fmt.Sprintf("unknown key %q%s", f.Key, under), hint})
}

// read reads all known keys. It ignores unknown ones, which themes use, unless they look like a
// slip of a known key.
func (r *metaReader) read(doc frontmatter.Document) meta {
	m := &r.meta
	m.hasMeta = doc.HasMeta
	seen := map[string]int{} // by known key: the index of its field
	for i, f := range doc.Meta.Fields {
		key := strings.ToLower(f.Key)
		if name, known := r.site.rules.vocabulary[key]; known {
			if first, again := seen[key]; again {
				r.otherCapitals(name, doc.Meta.Fields[first], f)
			}
			seen[key] = i
			r.set(name, key, f)
		} else if want, hint := r.slip(f); hint != "" {
			severity := Warning
			if r.keepsBack(want, f.Value) || isOtherDraft(f) {
				severity = r.site.doubt()
			}
			r.unknown(f, severity, "", hint)
		}
	}
	r.askOfDraft(doc.Meta)
	r.askOfInner(doc.Meta)
	m.linkTitle = cmp.Or(m.linkTitle, r.site.rules.chapters[r.site.rules.relative(r.path)])
	if r.site.generator == jekyll {
		folders := r.site.rules.folderCategories(r.path)
		m.categories = slices.Concat(folders, m.categories)
		m.inAddress = slices.Concat(folders, m.inAddress)
	}
	if r.site.rules.nikola && slices.ContainsFunc(m.tags, func(tag string) bool { return tag == "draft" || tag == "private" }) {
		m.draft = new(true)
	}
	m.tags = append(m.tags, m.categories...)
	for i, tag := range m.tags {
		m.tags[i] = lookUp(r.site.rules.tags[tag], r.path, tag)
	}
	m.tags = dedupe(m.tags)
	for i, a := range m.authors {
		m.authors[i] = lookUp(r.site.rules.authors[a.Name], r.path, a)
	}
	m.authors = dedupe(m.authors)
	return *m
}

// readPage reads the front matter of a file, and reports the keys that it has twice.
func (r *metaReader) readPage(said reading) meta {
	r.read(said.doc)
	for _, again := range said.doc.Meta.Again {
		r.reportMistake(again, r.site.keyTwice())
	}
	for _, twice := range said.doc.Meta.Twice {
		r.reportMistake(twice, Warning)
	}
	if !said.empty && r.site.generator != jekyll {
		r.meta.redirect = "" // a page with a text does more than redirect
	}
	r.meta.empty = said.empty && r.meta.title == ""
	return r.meta
}

// otherCapitals reports a key that differs from the first only in capitals, which do not matter
// here or in Hugo. Other programs may accept both keys, so this is only a warning, unless the key
// may hold an article back.
func (r *metaReader) otherCapitals(name string, first, f frontmatter.Field) {
	severity := Warning
	if name == "draft" || name == "published" || name == "publish" {
		severity = r.site.keyTwice()
	}
	r.problems = append(r.problems, Problem{r.path, f.Line, f.Column, severity, fmt.Sprintf("the keys %q and %q are the same", first.Key, f.Key),
		fmt.Sprintf("the first is on line %d; keep one of the two", first.Line)})
}

// set reads the value of a key under its name in the vocabulary. If several keys have the same
// name, the one that equals the name wins.
func (r *metaReader) set(name, key string, f frontmatter.Field) {
	m, v, own := &r.meta, f.Value, name == key
	switch name {
	case "title":
		m.title = lineOf(v)
		r.notText(f.Key, v, "write one line of text, in quotes if it begins with { or [")
	case "linktitle":
		m.linkTitle = lineOf(v)
	case "eleventynavigation":
		m.linkTitle = cmp.Or(m.linkTitle, textOf(v, "title"), textOf(v, "key"))
	case "hero":
		m.linkTitle = cmp.Or(m.linkTitle, textOf(v, "title"), textOf(v, "name"), textOf(v, "text"))
	case "summary", "description", "excerpt", "abstract":
		m.summaries[slices.Index(summaryKeys(), name)] = proseOf(v)
		r.notText(f.Key, v, "write one text, in quotes if it begins with { or [")
	case "slug":
		m.slug, m.slug.Text = v, strings.TrimSpace(v.Text)
		r.notText(f.Key, v, "write one text, without brackets")
	case "id":
		m.id, m.id.Text = v, strings.TrimSpace(v.Text)
		r.notText(f.Key, v, "write one text, without brackets")
	case "url":
		r.url(key, f)
	case "language":
		m.setLanguage(v, own)
		r.notText(f.Key, v, "write one BCP 47 tag, as in en, pt-BR or zh-Hant")
	case "authors":
		m.authors = appendAuthors(m.authors, v)
		r.nameless(f)
	case "tags":
		m.tags = r.appendTags(m.tags, v, own)
		r.notTags(f)
	case "categories":
		if r.site.generator == plain {
			f.Value = unnested(v)
		}
		m.categories = r.appendTags(m.categories, f.Value, own)
		if own {
			m.inAddress = slices.Concat(inJekyll(f.Value), m.inAddress) // category comes behind categories
		} else {
			m.inAddress = append(m.inAddress, scalars(f.Value)...)
		}
		r.notTags(f)
	case "taxonomies":
		r.taxonomies(v)
	case "extra":
		r.extra(v)
	case "image":
		if address := r.picture(key, v); address != "" && (own || m.image == "") {
			m.image = address
		}
	case "search":
		r.search(f)
	case "outputs":
		m.outputs = scalars(v)
	case "cascade":
		m.cascade = items(v)
	default:
		r.withhold(name, own, f)
	}
}

// notText warns of a list or a table in place of a text. Nothing of it is read.
func (r *metaReader) notText(what string, v frontmatter.Value, hint string) {
	if isTree(v) {
		r.report(v, Warning, fmt.Sprintf("%s is %s, not text, and is not read", what, v.Kind), hint)
	}
}

func (m *meta) setLanguage(v frontmatter.Value, own bool) {
	if v.Kind == frontmatter.Text && (own || m.language.Text == "") {
		m.language = v
	}
}

// url reads the address of the page, or permalink: false, which says that it has none.
func (r *metaReader) url(key string, f frontmatter.Field) {
	v := f.Value
	on, ok := truth(v.Text)
	switch {
	case key == "url" && isFalse(v) && r.site.generator == plain: // of Lume
		r.meta.noURL = key
	case key == "permalink" && (isFalse(v) || ok && !on && r.site.isUnruled()): // to Eleventy, no is a name
		r.meta.noURL = key
	case v.Kind == frontmatter.List:
		r.notText(f.Key, v, "write one address, without brackets")
	case v.Kind != frontmatter.Text && v.Kind != frontmatter.Number, r.meta.url.Text != "" && key == "path":
	case !isAddress(v.Text):
		r.report(v, Warning, fmt.Sprintf("%s is %s, which is not the address of a page", f.Key, show(v)),
			"write a path such as /walks/hills/, or an address that begins with https://")
	default:
		r.meta.url = v
	}
}

// taxonomies reads the table in which Zola keeps tags, categories and authors.
func (r *metaReader) taxonomies(v frontmatter.Value) {
	m := &r.meta
	for _, t := range v.Fields {
		switch strings.ToLower(t.Key) {
		case "tags", "tag":
			m.tags = r.appendTags(m.tags, t.Value, true)
		case "categories", "category":
			m.categories = r.appendTags(m.categories, t.Value, false)
		case "authors", "author":
			m.authors = appendAuthors(m.authors, t.Value)
		}
	}
}

// warn reports what readers of a published article would miss, and an article that is never
// published.
func (r *metaReader) warn(file *candidate, said reading) {
	switch file.Status {
	case Published:
		r.lacks(file, said)
	case Expired, Future:
		if !file.ExpireAt.IsZero() && !file.ExpireAt.After(file.PublishAt) {
			r.expiresFirst(said.doc.Meta)
		}
	}
}

// lacks reports a published article that lacks a title or the end of its text, that has two
// versions that are not merged, or whose text says that it is a draft.
func (r *metaReader) lacks(file *candidate, said reading) {
	m, name := &file.meta, file.name.base
	if said.stray != nil && m.draft == nil && m.published == nil && !(said.doc.Head > 0 && said.doc.HasMeta) {
		severity := Warning
		if said.begins {
			severity = r.site.doubt()
		}
		r.reportMistake(said.stray, severity)
	}
	for _, e := range []*frontmatter.Error{said.unended, said.unmerged} {
		if e != nil {
			r.reportMistake(e, Warning)
		}
	}
	hasHeading := (said.heading || said.unspaced && r.site.rules.dialect.Unspaced) && !said.heads
	if m.title == "" && m.linkTitle == "" && !hasHeading && !isWritten(name) && !hasCaseless(name) && !r.site.rules.namesAreTitles &&
		!m.nameIsTitle {
		if said.titled != nil {
			r.reportMistake(said.titled, Warning)
		} else {
			r.untitled(said.doc.Meta)
		}
	}
}

// untitled warns that an article has no title, at the place of the key title if it exists.
func (r *metaReader) untitled(doc frontmatter.Value) {
	what, hint := "the article has no title", nameTaken
	at := frontmatter.Value{Line: 1, Column: 1}
	if v, ok := doc.Get("title"); ok && v.Line > 0 {
		at, what, hint = v, "the title is empty", "write one; put it in quotes if it begins with # or &"
		if isTree(v) { // notText has reported it
			return
		}
	}
	r.report(at, Warning, what, hint)
}

// nameTaken is what to do about an article without a title.
const nameTaken = "add title: to the front matter; until then its first heading or its file's name is taken"

// extra reads the table that Zola ([extra]) and Hugo (params:) keep for themes.
func (r *metaReader) extra(v frontmatter.Value) {
	m := &r.meta
	for _, f := range v.Fields {
		switch strings.ToLower(f.Key) {
		case "author", "authors":
			if m.authors == nil {
				m.authors = appendAuthors(nil, f.Value)
			}
		case "image", "cover", "thumbnail", "og_image", "hero_image":
			if m.image == "" {
				m.image = r.picture(f.Key, f.Value)
			}
		case "tags":
			m.tags = r.appendTags(m.tags, f.Value, true)
		case "lang", "language":
			m.setLanguage(f.Value, false)
		}
	}
}

// nameless warns of authors that are tables without a name.
func (r *metaReader) nameless(f frontmatter.Field) {
	for _, v := range items(f.Value) {
		if len(v.Fields) > 0 && len(appendAuthors(nil, v)) == 0 {
			r.report(v, Warning, f.Key+" has a table without a name, and is not read", "write name: in it, as in {name: Ada Lovelace}")
		}
	}
}

// picture returns the address of an image: a path or a web address. It returns "" for a web address
// without a host, and for other schemes, such as javascript:, which a client might run.
func (r *metaReader) picture(key string, v frontmatter.Value) string {
	s := firstText(v)
	if link := strings.TrimPrefix(s, "!"); strings.HasPrefix(link, "[[") { // a link of Obsidian, which looks for the name in all folders
		return ""
	}
	address := strings.Map(func(c rune) rune { // as browsers read it
		if c <= ' ' || c == 0x7f {
			return -1
		}
		return c
	}, s)
	scheme, _, found := strings.Cut(address, ":")
	if !found || strings.ContainsAny(scheme, "/?#") || isWebAddress(strings.ToLower(s)) {
		return s
	}
	r.report(v, Warning, fmt.Sprintf("%s is %s, which is not an address on the web", key, show(v)),
		"give a path, or an address that begins with https://")
	return ""
}

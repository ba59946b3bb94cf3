package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"newsstand/builder/source/frontmatter"
)

// withhold reads a key that may keep an article, or its page, from readers, perhaps only until a
// date.
func (r *metaReader) withhold(name string, own bool, f frontmatter.Field) {
	m, v := &r.meta, f.Value
	switch name {
	case "draft":
		r.draft(f)
	case "published":
		if !r.ofOthers(f) {
			r.published(f)
		}
	case "publish":
		if !r.ofOthers(f) {
			r.publish(f)
		}
	case "stream":
		if strings.EqualFold(v.Text, "draft") {
			m.draft = new(true)
		}
	case "status":
		u := &r.site.rules
		isPublic := v.Text == "" || strings.EqualFold(v.Text, "published") || u.nikola && strings.EqualFold(v.Text, "featured")
		if (u.pelican != nil || u.nikola) && !isPublic { // to other programs, status does not make a draft
			m.draft = new(true)
		}
	case "build":
		r.build(v)
	case "headless":
		r.headless(v)
	case "render":
		if on, ok := r.choice(f, "false"); ok && !on {
			m.render = "never"
		}
	case "unlisted":
		if v.Kind == frontmatter.List && strings.EqualFold(f.Key, "eleventyExcludeFromCollections") { // the lists that it is left out of; it is in others
			return
		}
		if on, _ := r.choice(f, "true"); on {
			m.unlisted = f.Key
		}
	case "hidden":
		if on, _ := truth(v.Text); on && r.site.rules.unlists {
			m.unlisted = f.Key
		}
	case "visibility": // elsewhere, askOfDraft warns of it
		if r.site.rules.retype && isHiding(v.Text) {
			m.unlisted = f.Key + ": " + v.Text
		}
	case "access": // of Grav's plugin Login, to which another generator's access is no table of these
		if flagOf(v, "site.login") || flagOf(v, "site", "login") {
			m.password = new(true)
		}
	case "redirect_to":
		m.redirect = firstText(v)
	case "pagination":
		m.ofData = r.site.rules.eleventy && inner(v, "size").Text == "1"
	case "excalidraw-plugin":
		m.drawing = true
	case "password":
		text := strings.TrimSpace(v.Text)
		m.password = new(text != "" && !strings.EqualFold(text, "false") || len(v.Items)+len(v.Fields) > 0)
	default:
		r.dateAs(name, own, f)
	}
}

// choice reads a boolean that decides whether a file is an article; with the value keepsBack it is
// not. On a plain site the boolean may have any spelling that draft may have: the site's program,
// to which yes is a text, takes any text for true. A generator accepts only the booleans of the
// notation.
func (r *metaReader) choice(f frontmatter.Field, keepsBack string) (on, ok bool) {
	v := f.Value
	if r.site.generator != plain {
		return isTrue(v), isTrue(v) || isFalse(v)
	}
	on, ok = truth(v.Text)
	if !ok && r.site.isUnruled() && (isTree(v) || v.Text != "") {
		r.noChoice(f, keepsBack)
	}
	return on, ok
}

// noChoice reports a value that is neither true nor false, because it may have been meant as
// keepsBack, with which the article is not published.
func (r *metaReader) noChoice(f frontmatter.Field, keepsBack string) {
	r.report(f.Value, Error, fmt.Sprintf("%s is %s, not true or false", f.Key, show(f.Value)),
		"write "+f.Key+": "+keepsBack+", or leave "+f.Key+" out")
}

// draft reads whether an article is a draft. If there are several such keys, such as isDraft beside
// draft, it is a draft if one of them says so.
func (r *metaReader) draft(f frontmatter.Field) {
	v := f.Value
	if on, ok := truth(v.Text); ok {
		r.meta.draft = new(on || r.meta.draft != nil && *r.meta.draft)
	} else if isTree(v) || v.Text != "" {
		r.noChoice(f, "true")
	}
}

// ofOthers reports whether a key that says published is for another program: the site requires
// another key to be true.
func (r *metaReader) ofOthers(f frontmatter.Field) bool {
	on, _ := truth(f.Value.Text)
	explicit := r.site.rules.explicit
	return on && explicit != "" && !strings.EqualFold(f.Key, explicit)
}

// published reads whether an article is published, or since when.
func (r *metaReader) published(f frontmatter.Field) {
	on, ok := truth(f.Value.Text)
	if ok || f.Value.Kind == frontmatter.Null && (r.site.generator == jekyll || r.site.generator == hugo) { // both take an empty value for false
		r.meta.published = &on
		return
	}
	bare := strings.Trim(f.Value.Text, frontmatter.OddQuotes)
	want := nearest(bare, []string{"false", "true"})
	if _, isFlag := truth(bare); isFlag {
		want = bare
	}
	if want == "" {
		r.dateAs("published", true, f)
		return
	}
	r.report(f.Value, Error, fmt.Sprintf("%s is %s, which is neither a date, true nor false", f.Key, show(f.Value)), fmt.Sprintf("did you mean %q?", want))
}

// publish reads whether an article is published, or when, from the key publish. Besides true and
// false, metalsmith-publish accepts words and dates there.
func (r *metaReader) publish(f frontmatter.Field) {
	m := &r.meta
	m.nameIsTitle = m.nameIsTitle || f.Key == "dg-publish"
	if m.published != nil {
		return
	}
	on, ok := truth(f.Value.Text)
	if ok || slices.Contains([]string{"draft", "hidden", "private", "unlisted"}, strings.ToLower(f.Value.Text)) {
		m.published = &on
	} else if t, ok := r.readDate("published", f.Value); ok {
		m.setDate("published", t)
	} else if f.Value.Kind != frontmatter.Null {
		r.report(f.Value, Warning, fmt.Sprintf("%s is %s, not true or false, and does not hold the article back", f.Key, show(f.Value)), "write "+f.Key+": false, or leave it out")
	}
}

// headless reads Hugo's older name for the build options of a bundle that has no page.
func (r *metaReader) headless(v frontmatter.Value) {
	on, ok := truth(v.Text)
	if !ok && v.Kind != frontmatter.Null {
		r.report(v, r.site.doubt(), fmt.Sprintf("headless is %s, not true or false", show(v)), "write headless: true, or leave it out")
	}
	if on {
		r.meta.render, r.meta.list = "never", "never"
	}
}

// build reads Hugo's build options.
func (r *metaReader) build(v frontmatter.Value) {
	for _, f := range v.Fields {
		if hint := guess(f.Key, []string{"render", "list"}); hint != "" {
			r.unknown(f, r.site.doubt(), " under build", hint)
		}
	}
	if on, ok := truth(v.Text); v.Text == "never" || isFalse(v) || ok && !on && r.site.isUnruled() {
		r.report(v, r.site.doubt(), fmt.Sprintf("build is %s, which says nothing", show(v)), "write build: {render: never}, or draft: true")
	}
	// An article that is headless stays so.
	r.meta.render = cmp.Or(r.meta.render, r.buildOption(v, "render", "always", "never", "link"))
	r.meta.list = cmp.Or(r.meta.list, r.buildOption(v, "list", "always", "never", "local"))
}

// buildOption returns the value of one of Hugo's build options, or "" if it is not one of the valid
// ones.
func (r *metaReader) buildOption(build frontmatter.Value, key string, valid ...string) string {
	v, ok := build.Get(key)
	if !ok {
		return ""
	}
	s := strings.ToLower(v.Text)
	if slices.Contains(valid, s) {
		return s
	}
	isHugos := slices.Contains([]string{"true", "false", "1", "0"}, s) // they were booleans before Hugo 0.76
	if on, ok := truth(s); ok && (isHugos || r.site.generator == plain) {
		if on {
			return "always"
		}
		return "never"
	}
	hint := guess(s, valid)
	if hint == "" && r.site.isUnruled() && (isTree(v) || s != "") {
		hint = "write never, or leave " + key + " out"
	}
	if hint != "" {
		r.report(v, r.site.doubt(), fmt.Sprintf("build.%s is %s, which is not one of its values", key, show(v)), hint)
	}
	return ""
}

// askOfDraft warns of an article that may be meant as a draft, if the site's generator is unknown,
// or if the site's own programs decide what is published, as with Eleventy and Nanoc. This is only
// a warning in most cases, because a status may be the stage of a document, and a folder of drafts
// may hold documents for others to read.
func (r *metaReader) askOfDraft(doc frontmatter.Value) {
	u, m := &r.site.rules, &r.meta
	if r.site.generator != plain || u.configured && !u.programRoot && !u.eleventy && !u.dialect.ERB || m.draft != nil || m.published != nil {
		return
	}
	const hint = "write draft: true if it is not to be published, else draft: false"
	status, visibility, hidden := inner(doc, "status"), inner(doc, "visibility"), inner(doc, "hidden")
	isHidden, _ := truth(hidden.Text)
	where := strings.ToLower("/" + withoutExt(r.path))
	notForAll := slices.IndexFunc(doc.Fields, func(f frontmatter.Field) bool {
		on, ok := truth(f.Value.Text)
		switch strings.ToLower(f.Key) {
		case "public", "listed":
			return ok && !on
		case "unpublished":
			return on
		}
		return false
	})
	switch {
	case isHiding(visibility.Text):
		r.report(visibility, r.site.doubt(), "visibility: "+visibility.Text+" does not hold the article back", hint)
	case notForAll >= 0:
		f := doc.Fields[notForAll]
		r.report(f.Value, r.site.doubt(), f.Key+": "+f.Value.Text+" does not hold the article back", hint)
	case strings.EqualFold(status.Text, "private"): // that is no stage of a document
		r.report(status, r.site.doubt(), "status: "+status.Text+" does not hold the article back", hint)
	case strings.EqualFold(status.Text, "draft"):
		r.report(status, Warning, "status: "+status.Text+" does not hold the article back", hint)
	case isHidden:
		r.report(hidden, Warning, "hidden: "+hidden.Text+" does not hold the article back", hint)
	case strings.Contains(where, "/drafts/"), strings.Contains(where, "/draft/"), strings.HasSuffix(where, ".draft"):
		r.report(frontmatter.Value{}, Warning, "its path says draft, which does not hold the article back", hint)
	}
}

// isHiding reports whether a visibility, as of Retype or Ghost, is not that of a page for all.
func isHiding(visibility string) bool {
	return slices.Contains([]string{"private", "protected", "hidden", "unlisted", "draft", "members", "paid", "tiers"}, strings.ToLower(visibility))
}

// askOfInner warns of draft: true within a table, where it has no effect, as below [extra] in TOML.
func (r *metaReader) askOfInner(doc frontmatter.Value) {
	if r.meta.draft != nil {
		return
	}
	for _, f := range doc.Fields {
		if strings.EqualFold(f.Key, "cascade") { // it is for the pages below
			continue
		}
		v := inner(f.Value, "draft")
		if on, _ := truth(v.Text); on {
			r.report(v, Warning, "draft: "+v.Text+" under "+f.Key+" does not hold the article back", "write draft above "+f.Key+", at the margin")
		}
	}
}

// whyUnpublishable returns why a file is not an article although its name allows it, or "" if it is
// one.
func (s *scanner) whyUnpublishable(file *candidate) string {
	p, name, m := file.Path, file.name, &file.meta
	site := &s.Site
	u := &site.rules
	switch {
	case name.section:
		return "it is a section page"
	case s.replacedBy[p] != "":
		return "the page " + s.replacedBy[p] + " takes its place"
	case u.disabled[file.code]:
		return "its language " + file.code + " is disabled"
	case m.render == "never" || m.render == "link":
		return "its build options keep it from being rendered"
	case m.list == "never" || m.list == "local":
		return "its build options keep it out of the site's lists"
	case m.unlisted != "":
		return m.unlisted + " keeps it out of the site's lists"
	case m.password != nil && *m.password, m.password == nil && slices.ContainsFunc(m.tags, u.hexo.isEncrypted):
		return "its readers need a password"
	case m.redirect != "":
		return "it redirects to " + m.redirect
	case m.drawing:
		return "it is a drawing of Excalidraw"
	case m.ofData:
		return "its pagination makes a page for each item of some data"
	case m.noURL != "":
		return m.noURL + ": false keeps it from being rendered"
	}
	if site.generator == jekyll {
		kind := u.kindOf(p, name)
		switch {
		case name.posts && name.date.isZero() && (name.base == name.stem || m.dates["date"].IsZero()) && !u.jekyll.bridgetown:
			return "its name has no date, as the posts of Jekyll need"
		case name.posts && name.base == name.stem && !u.jekyll.bridgetown:
			return "its name has nothing after the date, as the posts of Jekyll need"
		case !m.hasMeta && !(u.jekyll.readmes[p] && name.bundle) && u.needsFrontMatter(p, kind):
			return "it has no front matter, so Jekyll copies it"
		case m.empty && isHTML(p) && kind != "posts" && kind != "drafts":
			return "it has neither a title nor a text: its layout makes the page"
		case name.bundle && path.Dir(u.inSource(p)) == ".":
			return "it is the home page"
		}
	}
	return ""
}

// whyIncomplete returns why the site's generator leaves out a file, or "" if it does not. Zola
// leaves out a file that lacks the key by which its section is sorted; Pelican, one that lacks a
// title or a date.
func (s *scanner) whyIncomplete(file *candidate, doc frontmatter.Value) (why string) {
	u, has := &s.Site.rules, doc.Has
	section := path.Dir(u.pagePath(file.Path))
	if file.name.bundle {
		section = path.Dir(section)
	}
	by := s.sorted[pageName{section, file.code}]
	dated := has("date") || !file.name.date.isZero()
	switch {
	case by == "date" && !dated,
		by == "update_date" && !dated && !has("updated"),
		by == "weight" && !has("weight"),
		strings.HasPrefix(by, "title") && !has("title"):
		return "its section is sorted by " + by + " and it has none, so Zola leaves it out"
	case u.pelican != nil && !u.pelican.untitled && !has("title"):
		return "it has no title, so Pelican leaves it out"
	case u.pelican != nil && !dated && !u.pelican.undated.ignores(u.relative(file.Path)):
		return "it has no date, so Pelican leaves it out"
	}
	return ""
}

// decideStatus decides whether an article is a draft, or is published at the time of the scan. If
// several reasons keep it back, it gives the one that hugo list would. An article is published from
// the instant PublishAt on, and until just before ExpireAt.
func (s *scanner) decideStatus(file *candidate) {
	u, m := &s.Site.rules, &file.meta
	switch {
	case m.draft != nil && *m.draft:
		file.Status, file.Reason = Draft, "draft is true"
	case m.published != nil && !*m.published && (m.draft == nil || s.Site.generator == jekyll || u.explicit != ""):
		file.Status, file.Reason = Draft, "published is false"
	case u.explicit != "" && m.published == nil:
		file.Status, file.Reason = Draft, u.explicit+" is not true, as the site's configuration wants it"
	case file.name.drafts && !u.drafts:
		file.Status, file.Reason = Draft, "it lies in _drafts"
	case !u.future && !file.PublishAt.IsZero() && file.PublishAt.After(s.now):
		file.Status, file.Reason = Future, "it is published at "+file.PublishAt.Format(time.RFC3339)
	case !file.ExpireAt.IsZero() && !file.ExpireAt.After(s.now):
		file.Status, file.Reason = Expired, "it expired at "+file.ExpireAt.Format(time.RFC3339)
	default:
		file.Status, file.Reason = Published, ""
	}
}

// unreadAbove returns the nearest section page above a file that cannot be read and may keep the
// file from being published, or "" if there is none.
func (s *scanner) unreadAbove(p string) (section string) {
	if len(s.unread) == 0 {
		return ""
	}
	for dir := path.Dir(s.Site.rules.pagePath(p)); section == "" && dir != "."; dir = path.Dir(dir) {
		section = s.unread[dir]
	}
	return cmp.Or(section, s.unread["."])
}

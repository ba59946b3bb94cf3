package source

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"newsstand/builder/source/frontmatter"
)

// setDates sets which keys give which date, in the order in which the generator looks for them;
// Hugo's order is that of its documentation ("Configure front matter"). ":filename" is the date in
// a file's name. A name that begins with a dot stands for keys of other programs (see
// vocabularyOf). On a site of Hugo such keys only tell when an article was edited; they never hold
// it back.
func (r *rules) setDates(g generator) {
	switch g {
	case hugo:
		r.date = []string{"date", "publishdate", "pubdate", "published", "lastmod", "modified"}
		r.publish = []string{"publishdate", "pubdate", "published", "date"}
		r.lastmod = []string{"lastmod", "modified", ".modified", "date", "publishdate", "pubdate", "published"}
		r.expiry = []string{"expirydate", "unpublishdate"}
	case jekyll:
		r.date = []string{"date", ":filename"}
		r.publish = []string{"date", ":filename"}
		r.lastmod = []string{".modified", "modified", "lastmod"}
	case zola:
		r.date = []string{"date", ":filename"}
		r.lastmod = []string{".modified", "modified", "lastmod"}
	default:
		r.date = []string{"date", "publishdate", "pubdate", "published", ".publish", ":filename", ".created", ".time", "lastmod", "modified", ".modified"}
		r.publish = []string{"publishdate", "pubdate", "published", ".publish", "date", ":filename"}
		r.lastmod = []string{"lastmod", "modified", ".modified"}
		r.expiry = []string{"expirydate", "unpublishdate", ".expiry"}
	}
}

// dateAs reads a date under its name in the rules. Posts of Material for MkDocs have all their
// dates below the key date.
func (r *metaReader) dateAs(name string, own bool, f frontmatter.Field) {
	if r.site.rules.mkdocs && name == "date" && f.Value.Kind == frontmatter.Table {
		for _, d := range [...]struct{ key, name string }{{"created", "date"}, {"updated", ".modified"}} {
			if v, ok := f.Value.Get(d.key); ok {
				r.dateAs(d.name, own, frontmatter.Field{Key: f.Key + "." + d.key, Value: v, Line: v.Line, Column: v.Column})
			}
		}
		return
	}
	if t, ok := r.date(name, f); ok {
		if _, given := r.meta.dates[name]; own || !given {
			r.meta.setDate(name, t)
			if r.site.generator == hugo && f.Value.Kind == frontmatter.Number && len(f.Value.Text) == len("2006") {
				r.meta.years = append(r.meta.years, name)
			}
		}
	}
}

// date reads a date and reports whether the key counts as given. For an empty value it returns the
// zero time and true, so that no other key with the same name takes its place. A date that cannot
// be read is an error if it may hold the article back.
func (r *metaReader) date(name string, f frontmatter.Field) (time.Time, bool) {
	v := r.dateIn(name, f.Value)
	if v.Kind == frontmatter.Null || v.Text == "" && v.Kind == frontmatter.Text {
		return time.Time{}, true
	}
	if v.Kind == frontmatter.Boolean && name == ".modified" { // it says whether the page shows the date
		return time.Time{}, false
	}
	switch strings.ToLower(v.Text) {
	case "last modified", "created", "git last modified", "git created": // of Eleventy; they depend on the machine
		return time.Time{}, false
	}
	if t, ok := r.readDate(name, v); ok {
		if y := t.UTC().Year(); 0 <= y && y <= 9999 {
			if y <= 1 && r.site.generator == hugo {
				r.meta.noDates = append(r.meta.noDates, name)
			}
			return t, y > 1
		}
	}
	isEmpty := len(v.Fields) == 0 // such as {{ date }}, which no program has filled in
	// A table may belong to Ghost or a theme, and created may be any text, as in a title block of
	// Pandoc.
	if (v.Kind != frontmatter.Table || isEmpty) && name != ".created" && name != ".time" {
		r.noDate(name, f.Key, v)
	}
	return time.Time{}, false
}

// dateIn returns the date within a value: Docusaurus keeps the author of an edit beside its date,
// and note-taking programs link to the note of a day.
func (r *metaReader) dateIn(name string, v frontmatter.Value) frontmatter.Value {
	if inner, ok := v.Get("date"); ok && name == ".modified" {
		v = inner
	}
	if r.site.generator != plain {
		return v
	}
	for v.Kind == frontmatter.List && len(v.Items) == 1 {
		v = v.Items[0]
	}
	if page, isLink := strings.CutPrefix(v.Text, "[["); isLink {
		v.Text, _, _ = strings.Cut(strings.TrimSuffix(page, "]]"), "|")
	}
	return v
}

// readDate reads a date in all forms that the site's generator accepts.
func (r *metaReader) readDate(name string, v frontmatter.Value) (t time.Time, ok bool) {
	if v.Kind != frontmatter.Text && v.Kind != frontmatter.Number {
		return t, false
	}
	g, zone := r.site.generator, r.site.zone(r.code)
	if g == jekyll && isYAMLTime(v) {
		zone = time.UTC
	}
	t, ok = parseDate(v.Text, zone, r.site.dateLayouts)
	if ok && g == hugo && namesZone(v.Text) {
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
	}
	if !ok && g == jekyll {
		t, ok = parseLoosely(v.Text, r.site.TimeZone)
	}
	number := g == hugo && v.Kind == frontmatter.Number && len(v.Text) <= len("20060102") && // Hugo takes it for seconds since 1970
		!slices.Contains(r.site.rules.expiry, name)
	if !ok && (g == plain || number) {
		t, ok = parseMonth(v.Text, zone)
	}
	if !ok && (g == jekyll || g == plain && r.site.rules.configured && r.site.rules.pelican == nil && !v.Quoted) {
		t, ok = parseDayTooMany(v.Text, zone)
	}
	if !ok && (g == plain || g == jekyll || number) {
		t, ok = parseCompact(v.Text, zone)
	}
	return t, ok
}

// namesZone reports whether a date in words names its zone, as in Mon, 02 Jan 2006 15:04:05 GMT.
// Hugo takes such a date to be in the zone of the site.
func namesZone(date string) bool {
	return len(date) > 4 && date[4] != '-' && slices.ContainsFunc(strings.Fields(date), func(word string) bool {
		_, ok := zoneOffset(word)
		return ok
	})
}

// isYAMLTime reports whether a date has seconds, as the timestamps of YAML do. Those are in UTC if
// they name no zone.
func isYAMLTime(v frontmatter.Value) bool {
	return !v.Quoted && len(v.Text) > 4 && v.Text[4] == '-' && strings.Count(v.Text, ":") == 2
}

// noDate reports a value that is not a date.
func (r *metaReader) noDate(name, key string, v frontmatter.Value) {
	hint := "write a date as 2006-01-02, 2006-01-02 15:04:05 -0700 or 2006-01-02T15:04:05Z"
	if format := formatOf(v.Text); format != "" {
		hint = "write 2006-01-02, or say in " + SiteFile + " how dates are written, as in date_format: " + format
	}
	if days := daysTooMany(v.Text); days != "" {
		hint = days
	}
	if strings.ContainsAny(v.Text, "“”„‘’‐‑‒–—−：") {
		hint = "write it with plain hyphens and colons, as 2006-01-02 or 2006-01-02 15:04:05 -0700"
	}
	severity := Error
	if name == ".modified" || r.site.rules.hexo.lax { // this date does not hold the article back
		severity = Warning
	}
	r.report(v, severity, fmt.Sprintf("%s is %s, which is not a date", key, show(v)), hint)
}

// decideDates decides the article's dates by the generator's order of keys. Once decided, a date
// counts as the value of its key when the other dates are decided, as in Hugo: an article that has
// only a lastmod is published at that time.
func (s *scanner) decideDates(file *candidate) {
	site := &s.Site
	u, m := &site.rules, &file.meta
	named, slug := s.dateOfName(file.name, site.zone(file.code))
	hasSlug := m.slug.Text != "" || site.generator == hugo && m.slug.Line > 0 // even an empty one, as Hugo's archetypes write it
	first := func(key string, order []string) (t time.Time, by string) {
		for _, by = range order {
			if t = m.dates[by]; by == ":filename" {
				t = named
			}
			switch {
			case slices.Contains(m.noDates, by):
				return time.Time{}, ""
			case t.IsZero():
				continue
			}
			if by == ":filename" && !hasSlug && !u.zola.keepDates {
				m.slug.Text = slug
			}
			if _, given := m.dates[key]; !given {
				m.setDate(key, t)
			}
			return t, by
		}
		return t, ""
	}
	published, of := first("date", u.date)
	modified, _ := first("lastmod", u.lastmod)
	publish, by := first("publishdate", u.publish)
	expire, _ := first("expirydate", u.expiry)
	switch { // a date that does not hold the article back
	case slices.Contains(m.years, by), // Hugo takes the year for a number of seconds, and so for a time in 1970
		site.generator == jekyll && u.kindOf(file.Path, file.name) == "pages" && u.collectionOf(file.Path) == "", // Jekyll does not hold pages back
		of == ".time" && by == "date": // of an event that is announced
		publish = time.Time{}
	}
	file.PublishAt, file.ExpireAt = publish.UTC(), expire.UTC()
	m.date = published
	if m.date.IsZero() {
		m.date = dateInAddress(m.url.Text)
	}
	if m.date.IsZero() && site.generator == plain {
		m.date = dateInAddress(withoutExt(file.Path))
	}
	file.Published = m.date.UTC().Truncate(time.Second)
	file.Modified = modified.UTC().Truncate(time.Second)
	if file.Modified.Before(file.Published) { // never edited, or edited before it appeared
		file.Modified = file.Published
	}
}

// dateOfName returns the date at the front of a file's name, and what follows it. In Hugo the date
// may have a time of day, and its numbers must have all their digits.
func (s *scanner) dateOfName(n nameOfPath, loc *time.Location) (t time.Time, rest string) {
	if s.Site.generator != hugo {
		if n.date.isZero() {
			return time.Time{}, ""
		}
		return n.date.in(loc), n.base
	}
	const day, second = len("2006-01-02"), len("2006-01-02-15-04-05")
	name := withoutExt(n.stem) // Hugo takes the end of 2006-01-02-v1.0 for an extension
	if len(name) >= second {
		if t, ok := parseYearFirst(name[:day]+"T"+strings.ReplaceAll(name[day+1:second], "-", ":"), loc); ok {
			return t, strings.Trim(name[second:], " -_")
		}
	}
	if len(name) >= day {
		if t, ok := parseYearFirst(name[:day], loc); ok {
			return t, strings.Trim(name[day:], " -_")
		}
	}
	return time.Time{}, ""
}

// dateInAddress returns the date in an address or a path such as 2025/08/19/name or
// 2025-08-19-post/name. It is the date of an article that has no other, and never holds the article
// back.
func dateInAddress(address string) time.Time {
	segments := strings.Split(strings.Trim(address, "/"), "/")
	for i, segment := range segments {
		if d, _, ok := dateInName(segment, false); ok && d.exists() {
			return d.in(time.UTC)
		}
		if i+2 < len(segments) && len(segment) == 4 && len(segments[i+1]) == 2 && len(segments[i+2]) == 2 {
			if t, ok := parseYearFirst(strings.Join(segments[i:i+3], "-"), time.UTC); ok {
				return t
			}
		}
	}
	return time.Time{}
}

// expiresFirst warns that an article is never published, because it expires no later than it
// appears.
func (r *metaReader) expiresFirst(doc frontmatter.Value) {
	for _, f := range doc.Fields {
		if slices.Contains(r.site.rules.expiry, r.site.rules.vocabulary[strings.ToLower(f.Key)]) {
			r.report(f.Value, Warning, f.Key+" is no later than the date on which the article appears, so it is never published",
				"write a later date, or remove "+f.Key)
			return
		}
	}
}

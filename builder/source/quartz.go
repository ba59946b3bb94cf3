package source

import (
	"cmp"
	"path"
	"strings"

	"newsstand/builder/source/script"
)

// quartz reads the configuration of Quartz, which publishes a vault of notes, if there is one. It
// says which notes Quartz skips, whether it publishes only notes that say publish: true, and where
// links begin.
func (r *siteReader) quartz() (found bool) {
	p, ok := r.program("quartz.config")
	if !ok {
		return false
	}
	u := &r.site.rules
	u.namesAreTitles, u.noParts, u.dialect.Found = true, true, true
	r.setBase("content")
	r.datesBy(datesOfJavaScript()) // Quartz makes a Date of what the front matter says
	u.ignore(ignoreLinesOf(string(r.optional(r.content, path.Join(u.base, ".gitignore")))))
	configuration := inner(p.Default(), "configuration")
	said := func(key string) string {
		v := inner(configuration, key)
		if v.Kind != script.Text {
			return ""
		}
		return v.Text
	}
	u.ignore(ignoreLinesOf(onlyMD))
	ignored, _ := r.patterns(p, configuration, "ignorePatterns")
	for _, pattern := range ignored {
		u.ignore(ignoreLinesOf("/" + strings.TrimPrefix(pattern, "/")))
	}
	for part := range inner(p.Default(), "plugins").Parts() {
		if strings.HasSuffix(part.Name, ".ExplicitPublish") {
			u.explicit = "publish"
		}
		u.flavour.Breaks = u.flavour.Breaks || strings.HasSuffix(part.Name, ".HardLineBreaks")
		if strings.HasSuffix(part.Name, ".CrawlLinks") {
			u.fromTop = cmp.Or(inner(part, "markdownLinkResolution").Text, "absolute")
		}
	}
	host := said("baseUrl")
	if host != "" && !strings.Contains(host, "://") {
		host = "https://" + host
	}
	locale := said("locale")
	if locale == "en-US" { // it stands in each new site, so it says little about the notes
		u.presetLanguage, locale = locale, ""
	}
	r.common(said("pageTitle"), "", host, locale)
	u.rooted = true
	r.site.note(p.path)
	return true
}

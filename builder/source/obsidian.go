package source

import (
	"cmp"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/script"
)

// obsidian reads the settings of an Obsidian vault, if the content folder is one. It leaves out the
// folders that they name for templates of notes, and keeps line breaks unless they say otherwise.
// The title of a note is the name of its file.
func (r *siteReader) obsidian() error {
	u := &r.site.rules
	if u.vault = isDir(r.content, ".obsidian"); !u.vault {
		return nil
	}
	app, err := readOptional(r.content, ".obsidian/app.json")
	if err != nil {
		return err
	}
	v, _ := frontmatter.ParseTable(".obsidian/app.json", app)
	u.namesAreTitles, u.flavour.Breaks = true, !flagOf(v, "strictLineBreaks")
	for _, of := range [...]struct{ name, key string }{{"templates", "folder"}, {"plugins/templater-obsidian/data", "templates_folder"}} {
		name := ".obsidian/" + of.name + ".json"
		data, err := readOptional(r.content, name)
		if err != nil {
			return err
		}
		v, se := frontmatter.ParseTable(name, data)
		if folder := strings.Trim(textOf(v, of.key), "/"); se == nil && folder != "" {
			u.ignore(ignoreLinesOf("/" + globOf(folder) + "/"))
		}
	}
	return nil
}

// quartz reads the configuration of Quartz, which publishes a vault of notes, if there is one. It
// says which notes Quartz skips, whether it publishes only notes that say publish: true, and where
// links begin.
func (r *siteReader) quartz() (found bool, err error) {
	p, ok := r.program("quartz.config")
	if !ok {
		return false, nil
	}
	u := &r.site.rules
	u.namesAreTitles = true
	r.setBase("content")
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
	r.common(said("pageTitle"), "", host, said("locale"))
	u.rooted = true
	r.site.note(p.path)
	return true, nil
}

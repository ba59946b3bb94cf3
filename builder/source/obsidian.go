package source

import (
	"bytes"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// obsidian reads the settings of an Obsidian vault, if the content folder is one. It leaves out the
// folders that they name for templates of notes, and keeps line breaks unless they say otherwise.
// The title of a note is the name of its file. Where Git ignores the settings, which many vaults
// keep to one machine, [[note]] is a link all the same.
func (r *siteReader) obsidian() {
	u := &r.site.rules
	u.vault = isDir(r.content, ".obsidian")
	ignored, _ := readOptional(r.content, ".gitignore") // one that cannot be read is no reason to fail
	u.dialect.Found = u.vault || bytes.Contains(ignored, []byte(".obsidian"))
	if !u.vault {
		return
	}
	v, _ := frontmatter.ParseTable(".obsidian/app.json", r.optional(r.content, ".obsidian/app.json"))
	u.namesAreTitles, u.flavour.Breaks = true, !flagOf(v, "strictLineBreaks")
	for _, of := range [...]struct{ name, key, ending string }{
		{"templates", "folder", "/"}, {"plugins/templater-obsidian/data", "templates_folder", "/"},
		{"daily-notes", "template", ".md"}, {"zk-prefixer", "template", ".md"}, {"note-composer", "template", ".md"},
		{"publish", "excluded", "/"}, // the folders of which Obsidian Publish takes no note
	} {
		name := ".obsidian/" + of.name + ".json"
		data := r.optional(r.content, name)
		v, se := frontmatter.ParseTable(name, data)
		if se != nil && bytes.Contains(data, []byte(`"excluded"`)) {
			se.Hint = "fix it: it says which folders are not published"
			r.reportMistake(name, se, Error)
		}
		for _, said := range scalars(inner(v, of.key)) {
			if said = strings.TrimSuffix(strings.Trim(said, "/"), of.ending); said != "" {
				u.ignore(ignoreLinesOf("/" + globOf(said) + of.ending))
			}
		}
	}
}

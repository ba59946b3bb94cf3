package source

import (
	"bytes"
	"encoding/json"

	"newsstand/builder/source/frontmatter"
)

// mintlify reads the configuration of Mintlify, if one lies in the content folder. Mintlify skips
// snippets, which are parts of articles, files about the repository, and those that .mintignore
// names. If the configuration cannot be parsed, as when it is too large, found is true, but the
// title is not known.
func (r *siteReader) mintlify() (found bool) {
	for _, name := range []string{"docs.json", "mint.json"} {
		data := r.optional(r.content, name)
		if !bytes.Contains(data, []byte(`"navigation"`)) {
			continue
		}
		r.site.rules.pageEndings = []string{""}
		const always = "/snippets/\nbuild/\ndist/\ncoverage/\ntmp/\ntemp/\nREADME.md\nLICENSE.md\nCHANGELOG.md\nCONTRIBUTING.md\n"
		u := &r.site.rules
		u.flavour.Math = dollars(true)
		u.ignore(ignoreLinesOf(always + string(r.optional(r.content, ".mintignore"))))
		v, se := frontmatter.ParseTable(name, data)
		// A page with hidden: true is not in the search of the site, either, unless all pages are;
		// the latter name is that of mint.json.
		u.unlists = textOf(v, "seo", "indexing") != "all" && !flagOf(v, "seo", "indexHiddenPages")
		switch {
		case se == nil:
			r.common(textOf(v, "name"), textOf(v, "description"), "", "")
			r.site.note(name)
		case !json.Valid(data):
			se.Hint = "fix it; until then, the title of the site is not known"
			r.reportMistake(name, se, Warning)
		}
		return true
	}
	return false
}

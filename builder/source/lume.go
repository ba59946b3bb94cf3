package source

import "regexp"

// lume reads the configuration of Lume, if there is one: the folder of its pages, and what it
// ignores, if they are written out. A call counts only at the margin or in a chain, because one
// within a condition is not made for each build. The data file of a folder may make all pages in it
// drafts.
// https://lume.land/docs/configuration/ignore-files/
func (r *siteReader) lume() (found bool) {
	name := scriptOf(r.root, "_config")
	if name == "" {
		return false
	}
	data := r.optional(r.root, name)
	if !regexp.MustCompile(`\blume\b`).Match(data) {
		return false
	}
	p, _ := r.program("_config")
	u := &r.site.rules
	u.folderFiles = []string{"_data.yml", "_data.yaml", "_data.json"}
	r.setBase(fromRoot("", inner(p.Default(), "src").Text))
	for _, call := range regexp.MustCompile(`(?m)^(?:\w+|\s*)\.ignore\(([^()]*)`).FindAllSubmatch(data, -1) {
		for _, quoted := range regexp.MustCompile(`["'\x60]\.?/?([^"'\x60]+)["'\x60]`).FindAllSubmatch(call[1], -1) {
			u.ignore(ignoreLinesOf("/" + globOf(string(quoted[1])))) // paths from the folder of the pages
		}
	}
	return true
}

package source

import (
	"cmp"
	"io/fs"
	"path"
	"slices"

	"newsstand/builder/source/frontmatter"
)

// docfx reads the configuration of DocFX, if there is one. It says which files are pages, by sets
// of globs that each begin at the folder src of the set.
func (r *siteReader) docfx() (found bool) {
	const name = "docfx.json"
	data := r.file(r.root, name)
	if data == nil {
		return false
	}
	v, se := frontmatter.ParseTable(name, data)
	if se != nil { // DocFX accepts comments, and a comma before a bracket, as JavaScript does
		loose, err := frontmatter.ParseTable("docfx.js", append([]byte("export default "), data...))
		if v = loose; err != nil || hasNull(v) { // what a program would compute is null
			se.Hint = "fix it; until then, files that it excludes are pages, too"
			r.reportMistake(r.fromContent(name), se, Warning)
		}
	}
	u := &r.site.rules
	u.flavour.Math = dollars(true)
	build := inner(v, "build")
	for _, set := range items(inner(build, "content")) {
		src := path.Clean(cmp.Or(textOf(set, "src"), "."))
		if !r.inside || !fs.ValidPath(src) { // the globs begin at a folder outside the content folder
			continue
		}
		files := inner(set, "files")
		if !isTree(set) { // it is a glob itself
			files = set
		}
		lines := ignoreLinesOf("/**")
		for _, pattern := range scalars(files) {
			lines.keep("/" + path.Join(src, pattern))
		}
		for _, pattern := range scalars(inner(set, "exclude")) {
			lines.leaveOut("/" + path.Join(src, pattern))
		}
		u.sets = append(u.sets, lines)
	}
	r.common(textOf(build, "globalMetadata", "_appTitle"), "", textOf(build, "sitemap", "baseUrl"), "")
	r.site.note(name)
	return true
}

// hasNull reports whether a value is null, or has a null within.
func hasNull(v frontmatter.Value) bool {
	return v.Kind == frontmatter.Null || slices.ContainsFunc(v.Items, hasNull) ||
		slices.ContainsFunc(v.Fields, func(f frontmatter.Field) bool { return hasNull(f.Value) })
}

package source

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/script"
)

// A program is a configuration in JavaScript or TypeScript. It is not run: of what it says, that is known which is
// written out.
type program struct {
	path string // from the content folder
	*script.Program
}

// program reads the first file that has one of these names and an ending of JavaScript; ok is false where there is none.
// inside says that fsys is the content folder, not the one around it. Of one that cannot be parsed nothing is known.
func (r *configReader) program(fsys fs.FS, inside bool, names ...string) (p program, ok bool) {
	name, source := scriptOf(fsys, names...)
	if source == nil {
		return p, false
	}
	parsed, err := script.Parse(name, source)
	p = program{name, parsed}
	if !inside {
		p.path = path.Join("..", name)
	}
	if err != nil {
		r.report(p.path, frontmatter.Value{Line: err.Line, Column: err.Column}, Warning, "the configuration cannot be read: "+err.What,
			"mend it; until then, the site is read as if it said nothing")
	}
	return p, true
}

// scriptOf is the first file that has one of these names and an ending of JavaScript; nil where there is none.
func scriptOf(fsys fs.FS, names ...string) (name string, source []byte) {
	for _, name := range names {
		for _, ending := range []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"} {
			if source, err := readOptional(fsys, name+ending); err == nil && source != nil {
				return name + ending, source
			}
		}
	}
	return "", nil
}

// patterns are the texts of a list that says which files are pages. It is warned of others: only the program knows them.
func (r *configReader) patterns(p program, of script.Value, key string) (texts []string, known bool) {
	v, ok := of.Get(key)
	if !ok {
		return nil, true
	}
	if texts, known = v.Texts(); !known {
		r.unread(p, v, key, "write "+key+" as a list of texts in quotes at its place, or keep what it leaves out in another folder")
	}
	return texts, known
}

// unread warns of a key whose value is not written out.
func (r *configReader) unread(p program, v script.Value, key, hint string) {
	r.report(p.path, frontmatter.Value{Line: v.Line, Column: v.Column}, Warning, key+" is not written out, and is not known here", hint)
}

// fromRoot is a path that the configuration in the folder at names, from the root of the project.
func fromRoot(at, said string) string {
	if path.IsAbs(said) { // as one from __dirname
		return strings.TrimPrefix(path.Clean(said), "/")
	}
	return path.Join(at, said)
}

// eleventy reads where Eleventy's articles are, and what it passes over: templates, and what a configuration or an ignore file
// names from the root of the project.
func (r *configReader) eleventy(p program, fsys, content fs.FS, inside bool) error {
	dirs := map[string]string{"Input": "."}
	var ignored, formats, added []string
	files := []string{".eleventyignore", ".gitignore"}
	for _, config := range []script.Value{p.Default(), p.Export("config")} {
		said, _ := config.Get("dir")
		for _, name := range []string{"Input", "Includes", "Layouts", "Data"} {
			if dir, _ := said.Get(strings.ToLower(name)); dir.Kind == script.Text {
				dirs[name] = dir.Text
			}
		}
		if of, ok := config.Get("templateFormats"); ok {
			formats = append(formats, formatsOf(of)...)
		}
		for call := range config.Parts() {
			if len(call.Items) == 0 {
				continue
			}
			_, method, _ := strings.Cut(call.Name, ".")
			switch given := call.Items[len(call.Items)-1]; {
			case method == "ignores.add" && given.Kind == script.Text:
				ignored = append(ignored, given.Text)
			case method == "setUseGitIgnore" && given.Text == "false":
				files = files[:1]
			case method == "setTemplateFormats":
				formats = append(formats, formatsOf(given)...)
			case method == "addTemplateFormats":
				added = append(added, formatsOf(given)...)
			case given.Kind == script.Text:
				if name, ok := strings.CutPrefix(method, "set"); ok {
					if name, ok := strings.CutSuffix(name, "Directory"); ok {
						dirs[name] = given.Text
					}
				}
			}
		}
	}
	r.within(content, dirs["Input"], inside)
	for _, name := range files {
		lines, err := readOptional(fsys, name)
		if err != nil {
			return err
		}
		ignored = append(ignored, strings.Split(string(lines), "\n")...)
	}
	u := &r.site.rules
	var patterns []string
	if len(formats) > 0 && !slices.Contains(append(formats, added...), "md") {
		patterns = []string{"**/*.md"}
	}
	for _, name := range []string{"Includes", "Layouts", "Data"} {
		if dir := path.Clean(dirs[name]); dir != "." && fs.ValidPath(dir) {
			patterns = append(patterns, dir)
		}
	}
	for pattern := range ignorePatterns(ignored) {
		if pattern, ok := strings.CutPrefix(pattern, u.base+u.above+"/"); ok || u.base+u.above == "" || strings.HasPrefix(pattern, "**/") {
			patterns = append(patterns, pattern)
		}
	}
	if u.base+u.above != "" { // one may lie in the folder of the articles, too
		lines, err := readOptional(content, path.Join(u.base, ".eleventyignore"))
		if err != nil {
			return err
		}
		patterns = slices.AppendSeq(patterns, ignorePatterns(strings.Split(string(lines), "\n")))
	}
	u.ignoreLines = append(u.ignoreLines, excludeLines(patterns))
	return nil
}

// formatsOf are the endings of the files that Eleventy reads, as a list has them, or a text with commas. Among what is not written out may be md.
func formatsOf(v script.Value) (formats []string) {
	texts, known := v.Texts()
	for _, text := range texts {
		for format := range strings.SplitSeq(text, ",") {
			formats = append(formats, strings.TrimSpace(format))
		}
	}
	if !known {
		formats = append(formats, "md")
	}
	return formats
}

// ignorePatterns are those of an ignore file's lines, each a path from its folder: to Eleventy, none keeps what another passes over.
func ignorePatterns(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			pattern := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(line), "./"), "/")
			if pattern != "" && pattern[0] != '#' && pattern[0] != '!' && !yield(pattern) {
				return
			}
		}
	}
}

// vitepress reads the configuration of VitePress, which lies below the folder at.
func (r *configReader) vitepress(p program, content fs.FS, at string, inside bool) {
	u := &r.site.rules
	u.emoji, u.routes = true, regexp.MustCompile(`\[\w+\]`)
	config := p.Default()
	dir, ok := config.Get("srcDir")
	if ok && dir.Kind != script.Text {
		r.unread(p, dir, "srcDir", "write srcDir as a text in quotes at its place")
	}
	r.within(content, fromRoot(at, dir.Text), inside)
	u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(onlyMD+"dist/\n"))
	patterns, _ := r.patterns(p, config, "srcExclude")
	for _, pattern := range patterns {
		pattern = strings.TrimPrefix(pattern, "./")
		if inside || u.above != "" || strings.HasPrefix(pattern, "**/") { // else it is of the folder around
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf("/"+pattern))
		}
	}
}

// onlyMD leaves out the endings of Markdown but that one.
const onlyMD = "*.{mdx,markdown,mdown}\n"

// vuepress reads the configuration of VuePress, which lies below the folder at: its patterns name the pages, or with ! what is none.
func (r *configReader) vuepress(p program, content fs.FS, at string, inside bool) {
	u := &r.site.rules
	u.emoji = true
	r.within(content, at, inside)
	lines := onlyMD
	for _, key := range []string{"patterns", "pagePatterns"} { // of its first version, and of the second
		patterns, _ := r.patterns(p, p.Default(), key)
		all := "/**\n"
		for _, pattern := range patterns {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			switch {
			case !inside && !(leaves && strings.HasPrefix(pattern, "**/")): // it is of the folder around
			case leaves:
				lines += "/" + pattern + "\n"
			default:
				lines += all + "!/" + pattern + "\n"
				all = ""
			}
		}
	}
	u.ignoreLines = append(u.ignoreLines, ignoreLinesOf(lines))
}

// astro reads the file of Astro that says what its collections are: where they lie, and which files are theirs. Pages are
// in src/pages, and what has no pattern is in src/content. Where it is not all written out, any folder may be one of them.
func (r *configReader) astro(content fs.FS) {
	u := &r.site.rules
	p, ok := r.program(content, true, "src/content.config", "src/content/config")
	collections := script.Value{}
	if ok {
		collections = p.Export("collections")
	}
	if collections.Kind != script.Object || len(collections.Items) > 0 {
		return
	}
	var files []collection
	for _, f := range collections.Fields {
		dir, patterns, known := collectionFiles(f.Value)
		if !known {
			return
		}
		files = append(files, collection{dir, patterns})
	}
	u.setCollections(content, []string{"src/content", "src/pages"}, files)
}

// nuxt reads the file of Nuxt Content that says what its collections are, if there is one: each has the files of the folder content
// that its source names, or of another one. Where it is not all written out, any folder may be one of them.
func (r *configReader) nuxt(content fs.FS) {
	p, ok := r.program(content, true, "content.config")
	if !ok {
		return
	}
	collections, _ := p.Default().Get("collections")
	if collections.Kind != script.Object || len(collections.Items) > 0 {
		return
	}
	var files []collection
	for _, f := range collections.Fields {
		source, _ := f.Value.Get("source")
		sources := []script.Value{source}
		if source.Kind == script.List {
			sources = source.Items
		}
		for _, source := range sources {
			if source.Has("repository") { // of another project
				continue
			}
			dir, patterns, known := sourceFiles(source)
			if !known {
				return
			}
			files = append(files, collection{dir, patterns})
		}
	}
	if len(files) > 0 {
		r.site.rules.setCollections(content, nil, files)
	}
}

// sourceFiles are the patterns of a source of Nuxt Content, and the folder from which they count.
func sourceFiles(source script.Value) (dir string, patterns []string, known bool) {
	if source.Kind == script.Text {
		return "content", []string{source.Text}, true
	}
	include, _ := source.Get("include")
	patterns, known = include.Texts()
	if exclude, ok := source.Get("exclude"); ok {
		left, all := exclude.Texts()
		for _, pattern := range left {
			patterns = append(patterns, "!"+pattern)
		}
		known = known && all
	}
	cwd, ok := source.Get("cwd")
	if !ok {
		return "content", patterns, known
	}
	return fromRoot("", cwd.Text), patterns, known && cwd.Kind == script.Text
}

// A collection is what patterns name of a folder; those with ! before them leave files out.
type collection struct {
	dir      string // "" where they count from the root of the project
	patterns []string
}

// setCollections says which folders hold articles, and of those of the collections which files are theirs.
func (u *rules) setCollections(content fs.FS, dirs []string, collections []collection) {
	var others strings.Builder // leaves what is in the folder of none
	var own [][]ignoreLine
	for _, c := range collections {
		if c.dir != "" {
			dirs = append(dirs, c.dir)
			fmt.Fprintf(&others, "/%s/**\n", c.dir)
		}
		var kept, left strings.Builder
		for _, pattern := range c.patterns {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			whole, plain := path.Join(c.dir, pattern), !strings.Contains(pattern, "(")
			switch {
			case leaves && plain:
				fmt.Fprintf(&left, "/%s\n", whole)
			case leaves: // what of it is a page is not known
			case plain:
				fmt.Fprintf(&kept, "!/%s\n", whole)
			default:
				fmt.Fprintf(&kept, "!/%s\n", path.Join(c.dir, "**"))
			}
			if i := strings.IndexAny(whole, "*?[{(!+@"); i >= 0 && !leaves && c.dir == "" {
				dirs = append(dirs, path.Dir(whole[:i]+"x"))
			}
		}
		own = append(own, ignoreLinesOf("/**\n"+kept.String()+left.String()))
	}
	if slices.Contains(dirs, ".") {
		return
	}
	u.setFolders(content, dirs)
	u.sets = append(own, ignoreLinesOf(others.String()))
}

// collectionFiles are the patterns of the files of one of Astro's collections, and the folder from which they count. One
// has none where all are in src/content.
func collectionFiles(collection script.Value) (dir string, patterns []string, known bool) {
	loader, ok := collection.Get("loader")
	switch {
	case !ok && collection.Name == "defineCollection", slices.Contains([]string{"file", "docsLoader", "i18nLoader"}, loader.Name):
		return "", nil, true
	case loader.Name != "glob": // only the program tells
		return "", nil, false
	}
	pattern, _ := loader.Get("pattern")
	patterns, known = pattern.Texts()
	base, ok := loader.Get("base")
	return fromRoot("", base.Text), patterns, known && (!ok || base.Kind == script.Text)
}

// setFolders says which folders hold articles, of those that are there.
func (u *rules) setFolders(content fs.FS, dirs []string) {
	for _, dir := range dirs {
		if dir = path.Clean(dir); !fs.ValidPath(dir) || !isDir(content, dir) {
			continue
		}
		dir = strings.TrimPrefix(dir, ".") // all of it
		if !slices.ContainsFunc(u.folders, func(f articleFolder) bool { return f.dir == dir }) {
			u.folders = append(u.folders, articleFolder{dir: dir})
		}
	}
}

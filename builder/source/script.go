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

// A program is a configuration in JavaScript or TypeScript. It is not run: only values that are written out in it
// are known.
type program struct {
	path string // from the content folder
	*script.Program
}

// program reads the first file with one of these names and an extension of JavaScript or TypeScript; ok is false where there is none.
// inside says that fsys is the content folder, not the one around it. A program that cannot be read or parsed is read as if it said nothing.
func (r *configReader) program(fsys fs.FS, inside bool, names ...string) (p program, ok bool) {
	name := scriptOf(fsys, names...)
	if name == "" {
		return p, false
	}
	source, err := readOptional(fsys, name)
	parsed, mistake := script.Parse(name, source)
	p = program{name, parsed}
	if !inside {
		p.path = path.Join("..", name)
	}
	const hint = "mend it; until then, the site is read as if it said nothing"
	if err != nil {
		r.report(p.path, frontmatter.Value{}, Warning, err.Error(), hint)
	}
	if mistake != nil {
		r.report(p.path, frontmatter.Value{Line: mistake.Line, Column: mistake.Column}, Warning, "the configuration cannot be read: "+mistake.What, hint)
	}
	return p, true
}

// scriptOf returns the name of the first file with one of these names and an extension of JavaScript or TypeScript, "" where there is none.
func scriptOf(fsys fs.FS, names ...string) string {
	for _, name := range names {
		for _, ending := range []string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"} {
			if _, err := fs.Stat(fsys, name+ending); !isAbsent(err) {
				return name + ending
			}
		}
	}
	return ""
}

// patterns returns the texts of a list that says which files are pages. If they are not all written out, known is false, and a warning is reported.
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

// fromRoot returns a path from the root of the project; the configuration in the folder at has it as said.
func fromRoot(at, said string) string {
	if path.IsAbs(said) { // as path.join(__dirname, …) makes it, whose root is the project
		return strings.TrimPrefix(path.Clean(said), "/")
	}
	return path.Join(at, said)
}

// eleventy reads where Eleventy's articles are, and what it passes over: the folders of templates and data, and what the configuration or an ignore
// file names by paths from the root of the project.
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
	if u.base+u.above != "" { // the folder of the articles may have an ignore file, too
		lines, err := readOptional(content, path.Join(u.base, ".eleventyignore"))
		if err != nil {
			return err
		}
		patterns = slices.AppendSeq(patterns, ignorePatterns(strings.Split(string(lines), "\n")))
	}
	u.ignoreLines = append(u.ignoreLines, excludeLines(patterns))
	return nil
}

// formatsOf returns the extensions of the files that Eleventy reads, from a list, or a text with commas. If they are not all written out, md is
// assumed to be one of them.
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

// ignorePatterns yields the patterns of an ignore file's lines, as paths from its folder. It leaves out lines with !: in Eleventy, no line
// keeps a file that another one passes over.
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
		if inside || u.above != "" || strings.HasPrefix(pattern, "**/") { // else the pattern begins at the folder around content
			u.ignoreLines = append(u.ignoreLines, ignoreLinesOf("/"+pattern))
		}
	}
}

// onlyMD leaves out files of Markdown whose extension is not .md.
const onlyMD = "*.{mdx,markdown,mdown}\n"

// vuepress reads the configuration of VuePress, which lies below the folder at. Its patterns name the pages; those with ! leave files out.
func (r *configReader) vuepress(p program, content fs.FS, at string, inside bool) {
	u := &r.site.rules
	u.emoji = true
	r.within(content, at, inside)
	lines := onlyMD
	for _, key := range []string{"patterns", "pagePatterns"} { // the key of VuePress 1, and of VuePress 2
		patterns, _ := r.patterns(p, p.Default(), key)
		all := "/**\n"
		for _, pattern := range patterns {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			switch {
			case !inside && !(leaves && strings.HasPrefix(pattern, "**/")): // the pattern begins at the folder around content
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

// astro reads the file in which Astro defines its content collections: their folders, and which files they have. Pages are
// in src/pages, and collections without a pattern in src/content. If not all of it is written out, any folder may have articles.
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

// nuxt reads the file in which Nuxt Content defines its collections, if there is one. A collection has the files that its source names in the
// folder content, or in another one. If not all of it is written out, any folder may have articles.
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
			if source.Has("repository") { // its files are those of another project
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

// sourceFiles returns the patterns of a source of Nuxt Content, and the folder at which they begin. known says whether they are written out.
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

// A collection is a content collection: the files that patterns name in a folder. Patterns with ! before them leave files out.
type collection struct {
	dir      string // "" where the patterns begin at the root of the project
	patterns []string
}

// setCollections sets which folders hold articles: dirs, and those of the collections, in which only the files of collections are articles.
func (u *rules) setCollections(content fs.FS, dirs []string, collections []collection) {
	var others strings.Builder // ignore lines that leave out the collections' folders, and so keep all other files
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
			case leaves: // a pattern with brackets is not understood, and leaves nothing out
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

// collectionFiles returns the patterns of one of Astro's collections, and the folder at which they begin. A collection whose files
// are all in src/content has no patterns. known says whether they are written out.
func collectionFiles(collection script.Value) (dir string, patterns []string, known bool) {
	loader, ok := collection.Get("loader")
	switch {
	case !ok && collection.Name == "defineCollection", slices.Contains([]string{"file", "docsLoader", "i18nLoader"}, loader.Name):
		return "", nil, true
	case loader.Name != "glob": // only the program knows the files
		return "", nil, false
	}
	pattern, _ := loader.Get("pattern")
	patterns, known = pattern.Texts()
	base, ok := loader.Get("base")
	return fromRoot("", base.Text), patterns, known && (!ok || base.Kind == script.Text)
}

// setFolders adds those of the folders that exist to the folders that hold articles.
func (u *rules) setFolders(content fs.FS, dirs []string) {
	for _, dir := range dirs {
		if dir = path.Clean(dir); !fs.ValidPath(dir) || !isDir(content, dir) {
			continue
		}
		dir = strings.TrimPrefix(dir, ".") // "" is the whole content folder
		if !slices.ContainsFunc(u.folders, func(f articleFolder) bool { return f.dir == dir }) {
			u.folders = append(u.folders, articleFolder{dir: dir})
		}
	}
}

package source

import (
	"bytes"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/script"
)

// eleventy reads the configuration of Eleventy, if there is one: where the articles are, and what
// Eleventy skips. It skips the folders of templates, data and the site it makes, and what the
// configuration or an ignore file names by paths from the root of the project. If all these are
// known, other names that begin with an underscore are like any other.
func (r *siteReader) eleventy() (found bool) {
	p, ok := r.program(".eleventy", "eleventy.config")
	if !ok {
		return false
	}
	u := &r.site.rules
	u.dialect.RawInCode, u.flavour.Tildes, u.eleventy = true, true, true
	r.fail(p.fault) // what cannot be read may leave out drafts
	u.dialect.Fenced = needsFences(r.optional(r.root, "package.json"), p.source)
	u.dialect.Found = linksNotes(p.source) // as in gardens that Obsidian's plugin Digital Garden publishes
	if bytes.Contains(p.source, []byte("InputPathToUrlTransformPlugin")) {
		u.fromTop = "found"
	}
	c := eleventyConfig{
		dirs:        map[string]string{"input": ".", "includes": "_includes", "data": "_data", "output": "_site"},
		ignoreFiles: []string{".eleventyignore", ".gitignore"},
	}
	for _, config := range []script.Value{p.Default(), p.Export("config")} {
		c.read(config)
	}
	if c.unknown != nil && c.dirs["input"] == "." && r.inside {
		r.warnOfComputed(p, *c.unknown, "input",
			"write input as a text in quotes at its place, or name the folder of the articles with --content; until then, all files are read")
	}
	r.setBase(c.dirs["input"])
	r.includes(include.Quoted, path.Join(c.dirs["input"], c.dirs["includes"]))
	u.dialect.Textual = c.textual
	ignores := bytes.Count(p.source, []byte("ignores")) > c.ignores // those of a loop, say, are not read
	u.noParts = c.isRead && !c.isHidden && !ignores && c.unknown == nil
	c.more = regexp.MustCompile("[\"'`,]markdown[\"'`,]").Match(p.source)
	u.ignore(excludeLines(r.skippedByEleventy(&c)))
	return true
}

// skippedByEleventy returns patterns for what Eleventy skips, from the folder of the articles.
func (r *siteReader) skippedByEleventy(c *eleventyConfig) (patterns []string) {
	u := &r.site.rules
	if output := path.Clean(c.dirs["output"]); output != "." && !isBelow(path.Clean(c.dirs["input"])+"/", output) {
		c.ignored = append(c.ignored, output)
	}
	for _, name := range c.ignoreFiles {
		c.ignored = append(c.ignored, strings.Split(string(r.optional(r.root, name)), "\n")...)
	}
	formats := append(c.formats, c.added...)
	if len(c.formats) > 0 && !slices.Contains(formats, "md") {
		patterns = append(patterns, "**/*.md")
	}
	if c.isRead && !c.more && !slices.Contains(formats, "markdown") {
		patterns = append(patterns, "**/*.markdown")
	}
	for _, name := range []string{"includes", "layouts", "data"} {
		dir := path.Clean(c.dirs[name])
		if dir == "." || !fs.ValidPath(dir) {
			continue
		}
		if dir[0] == '_' && c.dirs["input"] == "." { // the command line may name another input, in which it is
			dir = "**/" + dir
		}
		patterns = append(patterns, dir)
	}
	for _, pattern := range ignorePatterns(c.ignored) {
		if pattern, ok := strings.CutPrefix(pattern, u.base+u.above+"/"); ok || u.base+u.above == "" || strings.HasPrefix(pattern, "**/") {
			patterns = append(patterns, pattern)
		}
	}
	if u.base+u.above != "" { // the folder of the articles may have an ignore file, too
		lines := r.optional(r.content, path.Join(u.base, ".eleventyignore"))
		patterns = append(patterns, ignorePatterns(strings.Split(string(lines), "\n"))...)
	}
	return patterns
}

// eleventyConfig is what a configuration of Eleventy says.
type eleventyConfig struct {
	isRead         bool              // whether it says anything that is written out
	isHidden       bool              // whether something that Eleventy skips is not written out
	dirs           map[string]string // of input, includes, layouts, data and output
	unknown        *script.Value     // a value that may say where the articles are, but is not written out
	ignored        []string          // patterns; those in ignoreFiles are added
	ignores        int               // how many calls add one
	ignoreFiles    []string
	formats, added []string
	more           bool // whether it may name formats in other ways
	textual        bool // whether no template language runs in Markdown
}

// runsTemplates reports whether one of these engines of Eleventy, separated by commas, runs
// templates. All do except md, html and false.
func runsTemplates(engines string) bool {
	return slices.ContainsFunc(strings.Split(engines, ","), func(engine string) bool {
		return !slices.Contains([]string{"md", "html", "false"}, strings.TrimSpace(engine))
	})
}

// read reads what the program exports: an object, or a function that Eleventy calls with its
// configuration.
func (c *eleventyConfig) read(config script.Value) {
	c.isRead = c.isRead || len(config.Fields)+len(config.Items)+len(config.Calls) > 0
	said, has := config.Get("dir")
	isPartial := has && (said.Kind == script.Computed || len(said.Items) > 0) // as in dir: {...theme.dir}
	c.isHidden = c.isHidden || isPartial
	for _, name := range []string{"input", "includes", "layouts", "data", "output"} {
		if dir, ok := said.Get(name); dir.Kind == script.Text {
			c.dirs[name] = dir.Text
		} else if ok {
			c.isHidden = c.isHidden || name != "output"
		}
	}
	if input, ok := said.Get("input"); ok && input.Kind != script.Text {
		c.unknown = &input
	} else if !ok && isPartial {
		c.unknown = &said
	}
	if engine, ok := config.Get("markdownTemplateEngine"); ok {
		c.textual = !runsTemplates(engine.Text)
	}
	if of, ok := config.Get("templateFormats"); ok {
		c.formats = append(c.formats, formatsOf(of)...)
	}
	for call := range config.Parts() {
		if len(call.Items) > 0 {
			_, method, _ := strings.Cut(call.Name, ".")
			c.call(method, call.Items[len(call.Items)-1])
		}
	}
}

// call reads a call of a method of the configuration; given is its last argument.
func (c *eleventyConfig) call(method string, given script.Value) {
	isText := given.Kind == script.Text
	switch method {
	case "ignores.add":
		c.ignored, c.isHidden = append(c.ignored, given.Text), c.isHidden || !isText
		c.ignores++
	case "setUseGitIgnore":
		if given.Text == "false" {
			c.ignoreFiles = c.ignoreFiles[:1]
		}
	case "setTemplateFormats":
		c.formats = append(c.formats, formatsOf(given)...)
	case "addTemplateFormats":
		c.added = append(c.added, formatsOf(given)...)
	case "setInputDirectory", "setIncludesDirectory", "setLayoutsDirectory", "setDataDirectory", "setOutputDirectory":
		switch dir := strings.ToLower(method[len("set") : len(method)-len("Directory")]); {
		case isText:
			c.dirs[dir] = given.Text
		case dir == "input":
			c.unknown = &given
		default:
			c.isHidden = c.isHidden || dir != "output"
		}
	}
}

// formatsOf returns the extensions of the files that Eleventy reads, from a list or a
// comma-separated text. If they are not all written out, it assumes that both endings of Markdown
// are among them.
func formatsOf(v script.Value) (formats []string) {
	texts, known := v.Texts()
	for _, text := range texts {
		for format := range strings.SplitSeq(text, ",") {
			formats = append(formats, strings.TrimSpace(format))
		}
	}
	if !known {
		formats = append(formats, "md", "markdown")
	}
	return formats
}

// ignorePatterns returns the patterns of an ignore file's lines, as paths from its folder. It
// leaves out lines that begin with !, because in Eleventy no line keeps a file that another one
// ignores.
func ignorePatterns(lines []string) (patterns []string) {
	for _, line := range lines {
		pattern := strings.TrimLeft(strings.TrimPrefix(strings.TrimSpace(line), "./"), "/")
		if pattern != "" && pattern[0] != '#' && pattern[0] != '!' {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// dataFiles adds the front matter that Eleventy's data files give: fr/fr.json, fr/fr.11tydata.json,
// fr/fr.11tydata.js and fr/fr.yml to the files below fr; fr/a.json and so on to fr/a.md. Of
// JavaScript, only what is written out is known. Titles, dates and tags for a whole folder are left
// out: they describe no single article. A data file that cannot be read because it is a link out of
// the content folder or not a regular file gets a warning.
func (r *siteReader) dataFiles(paths []string) {
	if !r.site.rules.eleventy {
		return
	}
	for _, p := range paths {
		if target, isScript, ok := dataTarget(p, paths); ok {
			r.dataFile(p, target, isScript)
		}
	}
}

// dataFile adds the front matter that a data file gives to a folder or to a file.
func (r *siteReader) dataFile(p, target string, isScript bool) {
	if info, err := fs.Stat(r.content, p); err == nil && info.Size() > frontmatter.MaxBytes {
		return // so large a file holds data for templates
	}
	data, err := readOptional(r.content, p)
	switch {
	case err != nil && r.special[p] != 0:
		r.report(p, frontmatter.Value{}, Warning, "this data file is not read: it is not a regular file of this folder",
			"put a copy in its place")
		return
	case err != nil:
		r.fail(err)
		return
	}
	v, se := frontmatter.ParseTable(p, data)
	if se != nil {
		switch {
		case isScript:
			se.Hint = "fix it; until then, the site is read as if it said nothing"
			r.reportMistake(p, se, Warning)
		case (bytes.Contains(data, []byte("draft")) || bytes.Contains(data, []byte("visibility"))) && r.site.rules.whyIgnored(p) == "": // other mistakes are left for Eleventy to report
			se.Hint = "fix it: it may say which files are not published"
			r.reportMistake(p, se, Error)
		}
		return
	}
	if draft, ok := v.Get("draft"); isScript && ok && draft.Kind == frontmatter.Null {
		r.report(p, draft, Warning, "draft is computed, so it is not known here",
			"write draft: true into the front matter of what should not be published")
	}
	r.addDefaults(defaults{path: target, values: dataValues(v, !strings.HasSuffix(target, ".md"))})
}

// dataTarget returns the folder or the file that a data file is for, and whether the data file is a
// script. ok is false if the file is not a data file of an article or a folder.
func dataTarget(file string, paths []string) (target string, isScript, ok bool) {
	dir, name := path.Split(file)
	ending := path.Ext(name)
	name, isData := strings.CutSuffix(withoutExt(name), ".11tydata")
	isScript = isData && slices.Contains([]string{".js", ".cjs", ".mjs"}, ending)
	if !isScript && !slices.Contains([]string{".json", ".yml", ".yaml"}, ending) {
		return "", false, false
	}
	if name == path.Base(dir) {
		return dir, isScript, true
	}
	target = dir + name + ".md"
	return target, isScript, isAmong(paths, target)
}

// dataValues returns those values of a data file that count for the files that it is for.
func dataValues(data frontmatter.Value, wholeFolder bool) (values []frontmatter.Field) {
	for _, f := range data.Fields {
		if f.Value.Kind == frontmatter.Null {
			continue
		}
		switch strings.ToLower(f.Key) {
		case "permalink":
			if f.Value.Kind != frontmatter.Boolean { // the files have pages even if a data file further up says false
				f.Value = frontmatter.Value{Kind: frontmatter.Boolean, Text: "true"}
			}
		case "draft", "visibility", "eleventyexcludefromcollections", "lang", "language", "locale", "author", "authors":
		default:
			if wholeFolder {
				continue
			}
		}
		values = append(values, f)
	}
	return values
}

// needsFences reports whether only fences make code blocks: Eleventy 2 and later do not make them
// from indented lines, unless the configuration turns that on again.
func needsFences(packages, config []byte) bool {
	later := regexp.MustCompile(`"@11ty/eleventy"\s*:\s*"[\^~>=v ]*([2-9]|\d\d)\b`)
	again := regexp.MustCompile(`enable\(\s*["'` + "`" + `]code["'` + "`" + `]`)
	return later.Match(packages) && !again.Match(config)
}

package source

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/include"
	"newsstand/builder/source/script"
)

// vue reads the configuration of VitePress or VuePress, if there is one.
func (r *siteReader) vue() (found bool) {
	for _, at := range []string{"", "docs", "src"} {
		if at != "" && !r.inside { // the content folder is then another one beside docs or src
			break
		}
		if p, ok := r.program(path.Join(at, ".vitepress/config"), path.Join(at, ".vitepress/config/index")); ok {
			r.vitepress(p, at)
			return true
		}
		configs := []string{path.Join(at, ".vuepress/config")}
		if isDir(r.content, path.Join(at, ".vuepress")) { // VuePress is told on the command line where its files are
			configs = slices.Insert(configs, 0, "vuepress.config")
		}
		if p, ok := r.program(configs...); ok {
			r.vuepress(p, at)
			return true
		}
	}
	return false
}

// readByVue notes that Vue takes the texts for its templates, and how their links and the marks
// that include files are written.
func (r *siteReader) readByVue() {
	u := &r.site.rules
	u.flavour.Emojis, u.flavour.Tildes, u.dialect.Vue = true, true, true
	u.rooted, u.pageEndings = true, []string{"", ".html"}
	r.includes(include.Comments)
}

// vitepress reads the configuration of VitePress, which lies below the folder at.
func (r *siteReader) vitepress(p program, at string) {
	u := &r.site.rules
	r.readByVue()
	u.routes = regexp.MustCompile(`\[\w+\]`)
	config := p.Default()
	dir, ok := config.Get("srcDir")
	if ok && dir.Kind != script.Text {
		r.warnOfComputed(p, dir, "srcDir", "write srcDir as a text in quotes at its place")
	}
	r.setBase(fromRoot(at, dir.Text))
	u.ignore(ignoreLinesOf(onlySmallMD + "dist/\n"))
	patterns, _ := r.patterns(p, config, "srcExclude")
	for _, pattern := range patterns {
		pattern = strings.TrimPrefix(pattern, "./")
		if r.inside || u.above != "" || strings.HasPrefix(pattern, "**/") { // else the pattern begins at the folder around content
			u.ignore(ignoreLinesOf("/" + pattern))
		}
	}
}

// onlyMD leaves out Markdown files whose extension is not .md.
const onlyMD = "*.{mdx,markdown,mdown}\n"

// onlySmallMD also leaves out those with the extension .MD, for programs that distinguish capitals.
const onlySmallMD = onlyMD + "*.MD\n"

// vuepress reads the configuration of VuePress, which lies below the folder at. Its patterns name
// the pages; those that begin with ! leave files out.
func (r *siteReader) vuepress(p program, at string) {
	u := &r.site.rules
	r.readByVue()
	u.pageOfFolder = "README"
	r.setBase(at)
	u.ignore(r.encryptedLines(p, at))
	lines := ignoreLinesOf(onlySmallMD)
	for _, key := range []string{"patterns", "pagePatterns"} { // the key of VuePress 1, and of VuePress 2
		patterns, _ := r.patterns(p, p.Default(), key)
		isFirst := true // whether all other files are still to be left out
		for _, pattern := range patterns {
			pattern, leaves := strings.CutPrefix(pattern, "!")
			switch {
			case !r.inside && !(leaves && strings.HasPrefix(pattern, "**/")): // the pattern begins at the folder around content
			case leaves:
				lines.leaveOut("/" + pattern)
			default:
				if isFirst {
					lines.leaveOut("/**")
				}
				lines.keep("/" + pattern)
				isFirst = false
			}
		}
	}
	u.ignore(lines)
}

// encryptedLines returns lines that leave out the pages for which the themes Hope and Plume of
// VuePress ask for a password. The options of a theme may be in a program beside the configuration.
// If a regular expression is not understood, they leave out all pages, since any may be meant.
// https://theme-hope.vuejs.press/guide/feature/encrypt.html
func (r *siteReader) encryptedLines(p program, at string) (lines ignoreLines) {
	programs := []program{p}
	if theme, ok := r.program(path.Join(at, ".vuepress/theme")); ok {
		programs = append(programs, theme)
	}
	for _, p := range programs {
		for part := range p.Default().Parts() {
			if inner(part, "encrypt", "global").Text == "true" {
				lines.leaveOut("*")
			}
			for _, key := range []string{"config", "rules"} { // of Hope, and of Plume
				for _, f := range inner(part, "encrypt", key).Fields {
					if !lines.match(encryptedExpression(f.Key), false) {
						r.report(p.path, frontmatter.Value{Line: f.Value.Line, Column: f.Value.Column}, Warning,
							fmt.Sprintf("%q is not understood, so no page is published", f.Key), "write the beginning of the addresses that are encrypted")
						return ignoreLinesOf("*")
					}
				}
			}
		}
	}
	return lines
}

// encryptedExpression returns a regular expression for the pages that a key of the themes' options
// names: by the beginning of their address; in Plume also by the end of a file's path, or by a
// regular expression, which begins with ^.
// https://theme-plume.vuejs.press/guide/features/encryption/
func encryptedExpression(key string) string {
	page := strings.TrimPrefix(key, "/")
	switch {
	case strings.HasPrefix(key, "^"):
		return "^" + strings.TrimPrefix(key[1:], "/")
	case strings.HasSuffix(key, ".md"):
		return "(^|/)" + regexp.QuoteMeta(page) + "$"
	}
	return "^" + regexp.QuoteMeta(strings.TrimSuffix(page, "html"))
}

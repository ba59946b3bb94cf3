package source

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// pelicanRules are the rules that only a site of Pelican has. Pelican publishes only files with the
// status published, or without a status.
type pelicanRules struct {
	marked   *regexp.Regexp // matches links with a mark that says what they lead to
	undated  ignoreLines    // files that are published even without a date
	untitled bool           // whether an article may take its title from the name of its file
}

// pelican reads what is written out in the configuration of Pelican, if there is one, and in
// publishconf.py, which overrides it when the site is published.
func (r *siteReader) pelican() (found bool) {
	const name, published = "pelicanconf.py", "publishconf.py"
	data := r.file(r.root, name)
	if data == nil {
		return false
	}
	more := r.file(r.root, published)
	program := slices.Concat(data, []byte("\n"), more)
	said := pythonConstants(program, append(pelicanKeys(), "SITENAME", "SITEURL", "AUTHOR", "DEFAULT_LANG", "TIMEZONE", "PATH", "DEFAULT_DATE"))
	r.common(textOf(said, "SITENAME"), "", textOf(said, "SITEURL"), textOf(said, "DEFAULT_LANG"))
	r.authors(said, "AUTHOR")
	r.zone(textOf(said, "TIMEZONE"))
	// Without PATH the folder is an argument of Pelican's command; pelican-quickstart names it
	// content.
	r.setBase(cmp.Or(textOf(said, "PATH"), "content"))
	r.datesBy(withClocks("1/2/2006", "2/1/2006", "1-2-2006", "2-1-2006")) // the first number is the month if it can be one
	u := &r.site.rules
	u.readByPython()
	u.dialect.Headed, u.flavour.IDs = true, markdown.PythonIDs
	u.pelican = &pelicanRules{
		marked: regexp.MustCompile(`^(?:\{|\||%7[BC])(filename|static|attach|author|category|tag|index|archives)(?:\}|\||%7[CD])(.*)$`),
	}
	u.defaults = append(u.defaults, defaults{values: inner(said, "DEFAULT_METADATA").Fields})
	u.pelicanFiles(said, program)
	for at, program := range map[string][]byte{name: data, published: more} {
		r.warnOfPython(r.fromContent(at), program, said, pelicanKeys())
	}
	if r.site.BaseURL != "" && textOf(pythonConstants(more, []string{"SITEURL"}), "SITEURL") != "" {
		r.site.say("base_url", published)
	}
	r.site.note(name)
	return true
}

// pelicanFiles reads which files are articles and pages, and what they need to be published.
func (r *rules) pelicanFiles(said frontmatter.Value, program []byte) {
	paths := func(key string, usual ...string) []string {
		if v, ok := said.Get(key); ok {
			return scalars(v)
		}
		return usual
	}
	pages := paths("PAGE_PATHS", "pages")
	patterns := func(paths []string) (patterns []string) {
		for _, p := range paths {
			pattern := "/" + globOf(strings.Trim(p, "/"))
			if pattern == "/" { // all files
				pattern = "*"
			}
			patterns = append(patterns, pattern)
		}
		return patterns
	}
	lines := ignoreLinesOf("*")
	lines.keep(patterns(paths("ARTICLE_PATHS", ""))...)
	lines.leaveOut(patterns(paths("ARTICLE_EXCLUDES"))...)
	lines.keep(patterns(pages)...)
	lines.leaveOut(patterns(paths("PAGE_EXCLUDES"))...)
	lines.leaveOut(paths("IGNORE_FILES")...)
	r.ignore(lines)
	// A file may have a date without the key date or a date at the beginning of its name.
	if said.Has("DEFAULT_DATE") || regexp.MustCompile(`[^"']\(\?P<date>`).Match(program) {
		pages = []string{""}
	}
	r.pelican.undated.leaveOut(patterns(pages)...)
	r.pelican.untitled = bytes.Contains(program, []byte("(?P<title>"))
}

// unmarked makes a link in the file p lead where it does with Pelican, whose links have marks that
// say what they lead to: {static}/images/a.png is a picture, {filename}b.md or, in older texts,
// |filename|b.md an article. A path that begins with a slash is relative to the folder of the
// content, any other to the folder of p. unmarked returns the path of an article, from the content
// folder, and the address of anything else. For pages that Pelican itself makes, such as those of
// {tag}, it returns "", because Pelican's configuration may give them any address. It returns a
// link without a mark unchanged.
func (s *Site) unmarked(p, ref string) string {
	m := s.rules.pelican.marked.FindStringSubmatch(ref)
	if m == nil {
		return ref
	}
	to := m[2]
	switch m[1] {
	case "attach": // Pelican puts the file beside the page
		return "./" + strings.TrimPrefix(to, "/") // what follows the mark is a path, never a scheme
	case "index":
		return s.BaseURL + "/"
	case "filename", "static":
		if !strings.HasPrefix(to, "/") {
			to = path.Join("/", path.Dir(p), to)
		} else if name, _, _ := strings.Cut(to, "#"); dialect.IsMarkdown(name) {
			to = path.Join("/", s.rules.base, to)
		}
		if name, _, _ := strings.Cut(to, "#"); dialect.IsMarkdown(name) {
			return to
		}
		return s.BaseURL + "/" + strings.TrimPrefix(to[1:], s.rules.base+"/")
	}
	return ""
}

// pelicanKeys returns the keys of Pelican's configuration that say which files are published, and
// how.
func pelicanKeys() []string {
	return []string{"DEFAULT_METADATA", "ARTICLE_PATHS", "ARTICLE_EXCLUDES", "PAGE_PATHS", "PAGE_EXCLUDES", "IGNORE_FILES"}
}

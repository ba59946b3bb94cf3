package source

import (
	"io/fs"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/source/dialect"
)

// isMDX reports whether a file is MDX, or mdsvex, by its name.
func isMDX(p string) bool {
	ext := path.Ext(p)
	return strings.EqualFold(ext, ".mdx") || strings.EqualFold(ext, ".svx")
}

func isHTML(name string) bool {
	ext := path.Ext(name)
	return strings.EqualFold(ext, ".html") || strings.EqualFold(ext, ".htm")
}

// isText reports whether a file of this name may hold an article. It may if it is Markdown, or if
// it is HTML and a page of Hugo, a post of Jekyll or Nikola, or a document of a Jekyll collection.
// Jekyll's other HTML pages are mostly lists made by Liquid.
func (s *scanner) isText(p string) bool {
	u := &s.Site.rules
	switch g := s.Site.generator; {
	case g == zola:
		return path.Ext(p) == ".md" || isMDX(p)
	case g == hugo && strings.HasPrefix(strings.ToLower(path.Ext(p)), ".mk"): // .mkd and the like, which other generators accept
		return false
	case !isHTML(p):
		return dialect.IsMarkdown(u.withoutERB(p)) || g == plain && strings.EqualFold(path.Ext(p), ".mdoc") // Markdoc, as Astro has it
	case g == hugo:
		return u.configured && !u.hugo.noHTML // without a configuration, layouts cannot be told from content
	case g == jekyll:
		name := u.name(p)
		kind := u.kindOf(p, name)
		isDocument := kind != "" && kind != "pages" && !name.bundle
		isDated := !name.date.isZero() || name.base != name.stem // the digits in its name need not be a date
		return name.drafts || isDocument && (kind != "posts" || isDated)
	}
	return u.html
}

// isPage reports whether the site's generator may make a page of a file of this name.
func (s *scanner) isPage(p string) bool {
	g := s.Site.generator
	if isMDX(p) {
		return g == plain
	}
	return s.isText(p) || g == hugo && s.otherMarkup(p) != ""
}

// otherMarkup returns the name of a file's markup language, such as AsciiDoc, if the site's
// generator may publish the file and this package cannot read it; else "".
func (s *scanner) otherMarkup(p string) string {
	g := s.Site.generator
	name := s.Site.rules.name(p)
	if g == zola || g == jekyll && (!name.posts || name.date.isZero()) {
		return ""
	}
	for _, markup := range [...]struct {
		ending, name string
		plain        bool // whether Hugo and Jekyll do not publish it: from Quarto they get the Markdown that it makes
	}{
		{".adoc", "AsciiDoc", false}, {".asciidoc", "AsciiDoc", false}, {".ad", "AsciiDoc", false}, {".org", "Org", false},
		{".rst", "reStructuredText", false}, {".pandoc", "Pandoc's Markdown", false}, {".pdc", "Pandoc's Markdown", false}, {".textile", "Textile", false},
		{".qmd", "the Markdown of Quarto", true}, {".rmd", "the Markdown of Quarto", true}, {".dj", "Djot", true}, {".djot", "Djot", true},
		{".lr", "the form of Lektor", true}, {".smd", "the Markdown of Zine", true},
	} {
		if strings.EqualFold(path.Ext(p), markup.ending) && (g == plain || !markup.plain) {
			return markup.name
		}
	}
	return ""
}

// badName returns what is wrong with the name of a file, or of a folder that cannot be opened
// because of its name; "" if nothing is.
func badName(p string) string {
	switch {
	case !utf8.ValidString(p):
		return "the name is not UTF-8"
	case strings.ContainsFunc(p, unicode.IsControl):
		return "the name has a control character"
	}
	return ""
}

// isTemporary reports whether a name is one that editors give to copies that they save while a file
// is edited: #a.md#, a.md~. Hugo and Jekyll take every name that begins with # for one, and Jekyll
// those that begin with ~ as well.
func (r *rules) isTemporary(name string) bool {
	switch {
	case strings.HasSuffix(name, "~"):
		return true
	case strings.HasPrefix(name, "#"):
		return r.dialect.Generator != plain || strings.HasSuffix(name, "#")
	}
	return strings.HasPrefix(name, "~") && r.dialect.Generator == jekyll
}

// whyNotArticle returns why a file is not an article, without reading it, or "" if it may be one.
func (s *scanner) whyNotArticle(p string) string {
	site := &s.Site
	u := &site.rules
	name := path.Base(p)
	switch {
	case s.special[p]&fs.ModeSymlink != 0:
		return "it is a symbolic link"
	case s.special[p] != 0:
		return "it is not a regular file"
	case p == SiteFile || p == TestsFile:
		return "it is a settings file"
	case strings.HasPrefix(p, PageFolder+"/"):
		return "it is a file of the page"
	case strings.HasPrefix(name, ".") || u.isTemporary(name):
		return "its name is that of a hidden or temporary file"
	}
	if why := u.whyIgnored(p); why != "" {
		return why
	}
	if original := u.docusaurus.original(p); original != p && !s.exists(original) {
		return "there is no " + original + ", of which it would be the translation"
	}
	if stem, ok := strings.CutSuffix(p, ".html.md"); ok && u.quarto && s.exists(stem+".md") {
		return "Quarto made it of " + stem + ".md"
	}
	if u.mkdocs && name == "README.md" {
		if index := path.Join(path.Dir(p), "index.md"); s.exists(index) && u.whyIgnored(index) == "" {
			return "MkDocs shows index.md in its place"
		}
	}
	if site.generator == hugo || site.generator == zola {
		return s.whyHidden(p)
	}
	if s.isNotFound(p) {
		return "it is the page that the site shows for addresses that it does not have"
	}
	return u.whyUnderscored(p)
}

// isNotFound reports whether a file is 404.md in the folder of the site or of a language. Hosts
// show what is made of it in place of pages that are not there. Beside 405.md it is one of a series
// of articles, as on the codes of HTTP.
func (s *scanner) isNotFound(p string) bool {
	if !strings.Contains(p, "404") {
		return false
	}
	r := &s.Site.rules
	at, _ := r.folderOf(p)
	n := r.split(r.relative(at.below(p)))
	if len(n.folders) == 1 { // of a language that only front matter tells
		if _, ok := languageOf(n.folders[0]); ok {
			n.folders = nil
		}
	}
	if n.stem != "404" || n.posts || len(n.folders) > 0 {
		return false
	}
	return !s.exists(path.Join(path.Dir(p), "405"+path.Ext(p)))
}

// exists reports whether there is something at a path of the content folder.
func (s *scanner) exists(p string) bool {
	_, err := fs.Stat(s.content, p)
	return err == nil
}

// whyHidden returns why a file of Hugo or Zola is not an article because of the folders that it
// lies in, or "" if it may be one.
func (s *scanner) whyHidden(p string) string {
	isHugo := s.Site.generator == hugo
	if isHugo { // Zola makes a page of each file in a bundle
		if why := s.whyInBundle(p); why != "" {
			return why
		}
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if s.hidden[dir] {
			return "its section " + dir + " is a draft"
		}
		if isHugo && s.Site.rules.isTemporary(path.Base(dir)) {
			return "it lies in a hidden or temporary folder"
		}
	}
	return ""
}

// whyUnderscored keeps what belongs to the site's generator, such as _layouts/post.md, from being
// published. It returns why a file is not an article, by its name or that of a folder that it lies
// in, or "" if it may be one. Folders of articles, such as Jekyll's _posts, are exempt.
func (r *rules) whyUnderscored(p string) string {
	rel, name, collection := r.relative(p), path.Base(p), "_"+r.collectionOf(p)
	if post, ok := r.i18nPost(p); ok {
		rel = post
	} else if r.jekyll.i18n && strings.HasPrefix(r.inSource(p), "_posts/") {
		return "the site's plugin for languages has the posts in " + i18nFolder
	}
	for dir := path.Dir(rel); dir != "."; dir = path.Dir(dir) {
		switch segment := path.Base(dir); {
		case (segment == "_posts" || segment == "_drafts") && r.inBase(p), dir == collection, r.jekyll.includes(dir):
		case strings.HasPrefix(segment, "_") && !r.noParts:
			return "it lies in a folder for the site's generator (" + segment + ")"
		case r.isTemporary(segment):
			return "it lies in a hidden or temporary folder"
		}
	}
	if strings.HasPrefix(name, "_") && !r.noParts && withoutExt(name) != "_index" && !r.jekyll.includes(rel) {
		return "its name begins with an underscore"
	}
	return ""
}

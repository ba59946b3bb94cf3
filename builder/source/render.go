package source

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/builder/source/dialect"
	"newsstand/builder/source/frontmatter"
	"newsstand/builder/source/markdown"
)

// Article renders a published file of the folder. The result depends only on file, the bytes of
// that file, the site's settings, and the addresses to which the returned links lead. Article does
// not check these links; DeadLinks does. It returns a [ChangedError] if the file was changed after
// the scan. Article may be called from several goroutines at once.
func (f *Folder) Article(file File) (a article.Article, links []Link, problems []Problem, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("render %s: %v", file.Path, v)
		}
	}()
	buffer := f.buffers.Get().(*[]byte)
	defer f.buffers.Put(buffer)
	doc, in, err := f.document(&file, buffer)
	if err != nil {
		return a, nil, nil, err
	}
	reader := metaReader{path: file.Path, site: &f.Site}
	m := reader.read(doc) // file already has the dates, address and tags that sections hand down
	if file.tags != nil {
		m.tags = file.tags
	}
	d := f.dialect(file.Path, doc.Meta)
	problems = notIncluded(&file, &doc, in.Missing)
	body, unclosed := d.Strip(in.Text)
	for _, tag := range unclosed {
		problems = append(problems, Problem{file.Path, doc.BodyLine + in.Line(tag.Line) - 1, tag.Column, Warning,
			fmt.Sprintf("the template tag %s is not closed", tag.Open), "close it with " + tag.Close + ", or put it into backquotes if it is meant as text"})
	}
	addresses := f.resolver(&file)
	render := f.renderer(file.Path, in.named)
	r := render(body, addresses.resolve)
	if r.Cut.What != "" {
		problems = append(problems, Problem{file.Path, doc.BodyLine + in.Line(lineBefore(in.Text, body, r.Cut.Line)) - 1, 0, Warning, r.Cut.What, r.Cut.Hint})
	}
	a.Meta = article.Meta{
		ID: file.ID, URL: file.URL, Title: f.title(file, &m, r), Language: file.Language,
		DatePublished: file.Published, DateModified: file.Modified, Authors: m.authors, Tags: m.tags, Image: f.image(m.image, addresses.resolve),
	}
	a.ContentHTML, a.ContentText = r.HTML, r.Text
	if a.Title == r.Heading && r.HeadingFirst { // it is shown as the title
		a.ContentHTML, a.ContentText = r.WithoutHeading()
	}
	if a.Authors == nil {
		a.Authors = append([]article.Author{}, f.Site.Authors...)
	}
	if a.Tags == nil {
		a.Tags = []string{}
	}
	if own := cmp.Or(m.summaries[:]...); own != "" {
		a.Summary = cut(plainText(f.md, own), article.MaxSummaryRunes)
	} else {
		if text := d.BelowProperties(in.Text); len(text) < len(in.Text) { // properties are no sentences
			below, _ := d.Strip(text)
			if s := render(below, asWritten); len(s.Paragraphs) > 0 {
				body, r = below, s
			}
		}
		a.Summary = f.summary(file.Path, doc.Meta, body, r, render)
	}
	a.WordCount = markdown.CountWords(a.ContentText)
	a.ReadingTimeMinutes = (a.WordCount + wordsPerMinute - 1) / wordsPerMinute
	return a, addresses.links, problems, nil
}

// image returns the address of the article's picture that its front matter gives, or "" if it gives
// none.
func (f *Folder) image(own string, resolve func(string) string) string {
	if own == "" {
		return ""
	}
	if root := f.Site.root(); f.Site.generator == jekyll && strings.HasPrefix(own, "/") && !strings.HasPrefix(own, "//") && !strings.HasPrefix(own, root+"/") {
		own = root + own // as jekyll-seo-tag does
	}
	return resolve(escapeAddress(own))
}

// lineBefore returns the number of the line of text that became the given line of made, which a
// dialect made from text. If that is the nth of equal lines in made, it is the nth such line of
// text; it is 1 if text has no such line.
func lineBefore(text, made []byte, line int) int {
	lines := bytes.Split(made, []byte("\n"))[:line]
	wanted := bytes.TrimSpace(lines[line-1])
	like := func(l []byte) bool { return bytes.Equal(bytes.TrimSpace(l), wanted) }
	n := 0
	for _, l := range lines {
		if like(l) {
			n++
		}
	}
	number := 0
	for l := range bytes.Lines(text) {
		if number++; like(l) {
			if n--; n == 0 {
				return number
			}
		}
	}
	return 1
}

// document reads a file again, into the buffer, with what its text includes. It adds the front
// matter that defaults give it.
func (f *Folder) document(file *File, buffer *[]byte) (frontmatter.Document, expanded, error) {
	doc, in, own, err := f.read(file, buffer)
	if err == nil && f.keyWith(own, in.names) != file.Key {
		err = ChangedError{file.Path}
	}
	return doc, in, err
}

// read is document for a file that may have changed, and may have a mistake now; it returns the key
// that the file has now, without what it includes.
func (f *Folder) read(file *File, buffer *[]byte) (doc frontmatter.Document, in expanded, own [sha256.Size]byte, err error) {
	*buffer, _, err = readFile(f.content, file.Path, *buffer)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return doc, in, own, ChangedError{file.Path}
	case errors.Is(err, fs.ErrClosed):
		return doc, in, own, fmt.Errorf("render %s: the folder is closed", file.Path)
	case err != nil:
		return doc, in, own, fmt.Errorf("render %s: %w", file.Path, err)
	}
	own = f.keyOf(file, sha256.Sum256(*buffer))
	doc, _ = frontmatter.Parse(*buffer)
	f.Site.takeUnfenced(&doc)
	f.Site.fillIn(file.Path, f.Site.rules.name(file.Path), &doc)
	in = f.expand(file, &doc)
	return doc, in, own, in.changed
}

// dialect returns the dialect in which a file is written.
func (f *Folder) dialect(file string, meta frontmatter.Value) dialect.Dialect {
	u := &f.Site.rules
	d := u.dialect
	d.HTML, d.Svelte = isHTML(file), u.isSvelte(file)
	d.MDX = isMDX(file) || d.Svelte
	d.ERB = d.ERB || u.withoutERB(file) != file
	if u.docusaurus.mdx && dialect.IsMarkdown(file) {
		d.MDX = textOf(meta, "mdx", "format") != "md"
	}
	if engines := textOf(meta, "templateEngineOverride"); engines != "" && u.eleventy {
		d.Textual = !runsTemplates(engines)
	}
	d.Own = func(key string) string {
		if name, ofSite := strings.CutPrefix(key, "site."); ofSite {
			return textOf(frontmatter.Value{Kind: frontmatter.Table, Fields: u.jekyll.values}, strings.Split(name, ".")...)
		}
		return textOf(meta, key)
	}
	if f.Site.generator == hugo {
		d.Own = func(key string) string { return u.hugo.param(meta, u.languageCode(file, u.name(file)), key) }
	}
	return d
}

// renderer renders the text of a file, HTML or Markdown; resolve makes an address absolute.
type renderer func(text []byte, resolve func(string) string) markdown.Rendered

// renderer returns the renderer of a file. named is whether the names of its links may be defined
// elsewhere.
func (f *Folder) renderer(file string, named bool) renderer {
	switch {
	case isHTML(file):
		return f.md.HTML
	case named:
		return f.mdNamed.Markdown
	}
	return f.md.Markdown
}

// asWritten leaves an address as its author wrote it.
func asWritten(ref string) string { return ref }

// wordsPerMinute is how fast adults read: 238 English words a minute (Brysbaert 2019), and fewer in
// languages with longer words.
const wordsPerMinute = 220

// title returns the title in the front matter, else the name of a note as note-taking programs show
// it, else the article's heading, else a title made from the file's name.
func (f *Folder) title(file File, m *meta, r markdown.Rendered) string {
	own := []string{m.title, m.linkTitle}
	headed := r.HeadingFirst && strings.HasPrefix(r.HTML, "<h1")
	if headed { // the heading is the title; linkTitle is what lists and sidebars call the page
		own[1] = ""
	}
	for _, t := range own {
		if t = plainText(f.md, t); t != "" {
			return t
		}
	}
	parts := f.Site.rules.name(file.Path)
	if named := f.Site.rules.namesAreTitles && !(f.Site.rules.vault && headed); (named || m.nameIsTitle) && !strings.EqualFold(parts.stem, "index") {
		return f.Site.rules.noteName(parts)
	}
	if r.Heading != "" {
		return r.Heading
	}
	name := f.Site.rules.docusaurus.withoutNumber(parts.base)
	if kind := f.Site.rules.kindOf(file.Path, parts); f.Site.generator == jekyll && kind != "pages" && kind != "" {
		name = dialect.Capitals(name) // as Jekyll makes the titles of posts
	} else if isDay := !parts.date.isZero() && parts.base == parts.stem; !isDay && !isWritten(name) {
		name = collapse(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	}
	if r, size := utf8.DecodeRuneInString(name); size > 0 {
		return string(unicode.ToUpper(r)) + name[size:]
	}
	return file.ID
}

// isWritten reports whether the name of a file is written like a title, as the names of notes are.
func isWritten(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return strings.Contains(name, " ") || unicode.IsUpper(first) && !strings.ContainsAny(name, "-_")
}

// hasCaseless reports whether a name has letters of a script without capitals, such as Chinese. In
// such a language a file's name is a title unless it is in Latin letters.
func hasCaseless(name string) bool {
	return strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Lo, r) })
}

// plainText returns the text of a line without its Markdown and HTML. It keeps tildes, which in
// Japan enclose the second part of a title, and the underscores of a name such as __init__.
func plainText(c *markdown.Renderer, s string) string {
	if !strings.ContainsAny(s, "*_`[<&\\{") {
		return collapse(s)
	}
	const tilde, underscore = "\ufdd0", "\ufdd1" // stand for these signs while Markdown is read; they are noncharacters, which no text has
	hidden := strings.NewReplacer(`\~`, tilde, "~", tilde).Replace(s)
	if strings.Contains(s, "__") {
		hidden = regexp.MustCompile(`__[\pL\pN_]+__`).ReplaceAllStringFunc(hidden, func(name string) string { return strings.ReplaceAll(name, "_", underscore) })
	}
	text, _ := dialect.Dialect{}.Strip([]byte(escapeNames(hidden)))
	r := c.Markdown(text, asWritten)
	return collapse(strings.NewReplacer("\n", " ", tilde, "~", underscore, "_").Replace(r.Text))
}

// escapeNames escapes names that look like tags, as in a title about <select>: those without an end
// tag, outside code spans.
func escapeNames(s string) string {
	parts := strings.SplitAfter(s, "<")
	ticks := 0
	for i, part := range parts[1:] {
		ticks += strings.Count(parts[i], "`")
		name := strings.TrimPrefix(part, "/")
		after := strings.TrimLeftFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' })
		name = name[:len(name)-len(after)]
		if ticks%2 == 0 && name != "" && after != "" && strings.IndexByte(" />", after[0]) >= 0 && !isSpan(s, name) {
			parts[i] = strings.TrimSuffix(parts[i], "<") + "&lt;"
		}
	}
	return strings.Join(parts, "")
}

// isSpan reports whether a line of text has both tags of an element with this name, or whether such
// an element needs no end tag.
func isSpan(s, name string) bool {
	switch name {
	case "br", "hr", "img", "p", "wbr":
		return true
	}
	return strings.Contains(s, "<"+name) && strings.Contains(s, "</"+name+">")
}

// cut shortens a text that has more than most characters, and adds an ellipsis. It cuts at the end
// of a word, but anywhere in Chinese and Japanese, which do not separate words.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	end := 0
	for n := range s {
		if most--; most < 0 {
			break
		}
		end = n
	}
	for end > 0 && joins(s, end) {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	short := s[:end]
	ends := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	if i := strings.LastIndexFunc(short, ends); i > len(short)/2 {
		_, size := utf8.DecodeRuneInString(short[i:])
		short = short[:i+size]
	}
	return strings.TrimRightFunc(short, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:–—-(、，；：・（「『【《", r)
	}) + "…"
}

// joins reports whether the characters before and at an index in a text are one to readers, such as
// a letter and its accents, or the parts of an emoji.
func joins(s string, at int) bool {
	const joiner = '\u200d'
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at:])
	return before == joiner || after == joiner || unicode.IsMark(after) || unicode.Is(unicode.Sk, after) && after >= utf8.RuneSelf
}

// endOfSummary matches the mark after the text that represents an article in lists: more of Hugo,
// Jekyll, Hexo, Zola and Material for MkDocs, and those of Docusaurus, of Nikola, and of Pelican's
// plugin summary.
func endOfSummary() *regexp.Regexp {
	return regexp.MustCompile(`<!--\s*(?:(?i:more)|truncate|(?:TEASER_END|END_TEASER)(?::[^>]*)?|PELICAN_END_SUMMARY)\s*-->`)
}

// summary returns the summary of an article that has none in its front matter: the text before the
// mark that ends it, which Jekyll lets a site or an article choose; else the first paragraphs,
// without code, tables and headings.
func (f *Folder) summary(file string, meta frontmatter.Value, body []byte, r markdown.Rendered, render renderer) string {
	separator := ""
	if f.Site.generator == jekyll {
		separator = cmp.Or(textOf(meta, "excerpt_separator"), f.Site.rules.jekyll.excerptEnd)
	}
	var mark []int
	if bytes.Contains(body, []byte("<!--")) { // most texts have no mark, and this is quicker
		mark = f.teaser.FindIndex(body)
	}
	if at := bytes.Index(body, []byte(separator)); separator != "" && at >= 0 {
		mark = []int{at, at + len(separator)}
	}
	if mark != nil {
		before := body[:mark[0]:mark[0]]
		if !isHTML(file) {
			before = append(before, markdown.Definitions(body[mark[1]:])...)
		}
		teaser := render(before, asWritten)
		if len(teaser.Paragraphs) > 0 {
			r = teaser
		}
	}
	length := 0
	for i, p := range r.Paragraphs {
		if length += utf8.RuneCountInString(p) + 1; length >= article.MaxSummaryRunes {
			r.Paragraphs = r.Paragraphs[:i+1]
			break
		}
	}
	s := strings.Join(r.Paragraphs, " ")
	if s == "" {
		s = collapse(r.Text)
	}
	return cut(s, article.MaxSummaryRunes)
}

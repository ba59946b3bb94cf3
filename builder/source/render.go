package source

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
	goldmarktext "github.com/yuin/goldmark/text"

	"newsstand/builder/article"
	"newsstand/builder/source/frontmatter"
)

// converter turns Markdown into HTML and text. It is safe for concurrent use.
type converter struct {
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
	plain    sync.Map  // by element; see isPlain
	buffers  sync.Pool // of *buffers

	fragments sync.Map     // by fragment; see clean
	tags      atomic.Int64 // so many fragments were met
}

// buffers are memory to use again.
type buffers struct {
	file              []byte // as it was read
	html, text, block []byte // of a finisher
	rendered          bytes.Buffer
}

func newConverter() *converter {
	return &converter{
		markdown: newMarkdown(prose{}),
		policy:   newPolicy(),
		buffers:  sync.Pool{New: func() any { return new(buffers) }},
	}
}

func newMarkdown(more ...goldmark.Extender) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Linkify, extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote, extension.DefinitionList),
		goldmark.WithExtensions(more...),
		goldmark.WithExtensions(shallow{}, unspacedLines{}),
		goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()),
		// Raw HTML is an author's right; the policy takes what may harm readers.
		goldmark.WithRendererOptions(rendererhtml.WithUnsafe()),
	)
}

// Article renders one file of the folder, a published one. It depends on that file and
// the site's settings and on nothing else, and may be called from several goroutines.
func (f *Folder) Article(file File) (a article.Article, problems []Problem, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("render %s: %v", file.Path, v)
		}
	}()
	own := f.md.buffers.Get().(*buffers)
	defer f.md.buffers.Put(own)
	data, _, err := readFile(f.content, file.Path, own.file)
	own.file = data
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return a, nil, ChangedError{file.Path}
	case errors.Is(err, fs.ErrClosed):
		return a, nil, fmt.Errorf("render %s: the folder is closed", file.Path)
	case err != nil:
		return a, nil, fmt.Errorf("render %s: %w", file.Path, err)
	case f.keyOf(&file, sha256.Sum256(data)) != file.Key:
		return a, nil, ChangedError{file.Path}
	}
	doc, syntax := frontmatter.Parse(data)
	if syntax != nil { // it was scanned without
		return a, nil, fmt.Errorf("render %s: line %d: %s", file.Path, syntax.Line, syntax.What)
	}
	doc.TakeHead(f.Site.generator == plain)
	f.Site.addDefaults(file.Path, f.Site.rules.name(file.Path), &doc)
	reader := metaReader{path: file.Path, site: &f.Site}
	m := reader.read(doc.Meta, doc.HasMeta) // what sections hand down is in the file already
	t := templates{generator: f.Site.generator, mdx: strings.HasSuffix(strings.ToLower(file.Path), ".mdx"), line: doc.BodyLine, meta: doc.Meta, rawInCode: f.Site.rules.rawInCode, isHTML: isHTML(file.Path)}
	body := t.strip(doc.Body)
	for _, p := range t.problems {
		p.Path = file.Path
		problems = append(problems, p)
	}
	resolve := f.resolver(&file)
	r, err := f.md.renderer(t.isHTML)(body, resolve)
	if err != nil {
		return a, nil, fmt.Errorf("render %s: %w", file.Path, err)
	}
	if r.cut {
		problems = append(problems, Problem{Path: file.Path, Line: doc.BodyLine, Severity: Warning,
			What: fmt.Sprintf("quotations, lists and notes are more than %d deep within each other, or a paragraph has more than %d marks of emphasis or %d names of links; what is more is text",
				deepest, mostMarks, mostDefinitions), Hint: "write less of these, or in several paragraphs"})
	}
	a.Meta = article.Meta{
		ID: file.ID, URL: file.URL, Title: f.title(file, &m, r), Language: file.Language,
		DatePublished: file.Published, DateModified: file.Modified, Authors: m.authors, Tags: m.tags, Image: m.image,
	}
	a.ContentHTML, a.ContentText = r.html, r.text
	if a.Title == r.heading && r.headingFirst && m.title == "" && m.linkTitle == "" {
		a.ContentHTML, a.ContentText = r.withoutHeading()
	}
	if a.Authors == nil {
		a.Authors = f.Site.Authors
	}
	if a.Authors == nil {
		a.Authors = []article.Author{}
	}
	if a.Tags == nil {
		a.Tags = []string{}
	}
	if a.Image != "" {
		a.Image = resolve(a.Image)
	}
	if a.Summary, err = f.summary(m.summary, body, r, t.isHTML); err != nil {
		return a, nil, fmt.Errorf("render %s: %w", file.Path, err)
	}
	a.WordCount = countWords(a.ContentText)
	a.ReadingTimeMinutes = (a.WordCount + wordsPerMinute - 1) / wordsPerMinute
	return a, problems, nil
}

// wordsPerMinute is how fast adults read: 238 words of English a minute (Brysbaert 2019),
// fewer in longer words.
const wordsPerMinute = 220

// title is the article's own, or its heading, or its file's name.
func (f *Folder) title(file File, m *meta, r rendered) string {
	for _, t := range []string{m.title, m.linkTitle} {
		if t = plainText(f.md, t); t != "" {
			return t
		}
	}
	if r.heading != "" {
		return r.heading
	}
	cut := f.Site.rules.name(file.Path)
	name := cut.base
	if kind := f.Site.rules.kindOf(file.Path, cut); f.Site.generator == jekyll && kind != "pages" && kind != "" {
		words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' })
		for i, w := range words { // as Jekyll makes the titles of posts
			words[i] = capital(strings.ToLower(w))
		}
		name = strings.Join(words, " ")
	} else if !isWritten(name) {
		name = strings.TrimSpace(strings.NewReplacer("-", " ", "_", " ").Replace(name))
	}
	if r, size := utf8.DecodeRuneInString(name); size > 0 {
		return string(unicode.ToUpper(r)) + name[size:]
	}
	return file.ID
}

// isWritten reports whether the name of a file is written as a title, as that of a note is.
func isWritten(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	return strings.Contains(name, " ") || unicode.IsUpper(first) && !strings.ContainsAny(name, "-_")
}

// plainText takes inline Markdown and HTML from a line that is shown as text.
func plainText(c *converter, s string) string {
	if !strings.ContainsAny(s, "*_`[<&~\\{") {
		return collapse(s)
	}
	t := templates{}
	r, err := c.render(t.strip([]byte(escapeNames(s))), func(ref string) string { return ref })
	if err != nil {
		return collapse(s)
	}
	return collapse(strings.ReplaceAll(r.text, "\n", " "))
}

// escapeNames escapes what looks like a tag and is a name, as in a title about <select>:
// what has no end, and is not in a span of code.
func escapeNames(s string) string {
	parts := strings.SplitAfter(s, "<")
	ticks := 0
	for i, part := range parts[1:] {
		ticks += strings.Count(parts[i], "`")
		name := strings.TrimPrefix(part, "/")
		behind := strings.TrimLeftFunc(name, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		name = name[:len(name)-len(behind)]
		if ticks%2 == 0 && name != "" && behind != "" && strings.IndexByte(" />", behind[0]) >= 0 && !isSpan(s, name) {
			parts[i] = strings.TrimSuffix(parts[i], "<") + "&lt;"
		}
	}
	return strings.Join(parts, "")
}

// isSpan reports whether a name is that of an element which begins and ends in a line of
// text, or needs no end.
func isSpan(s, name string) bool {
	switch name {
	case "br", "hr", "img", "p", "wbr":
		return true
	}
	return strings.Contains(s, "<"+name) && strings.Contains(s, "</"+name+">")
}

// headingIDs makes the ids of headings as GitHub does, in any script. As goldmark shows it to all parsers of a document, it
// has what these count, too.
type headingIDs struct {
	used  map[string]int
	marks marks
}

// Generate implements goldmark's parser.IDs.
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(value)))
	if id == "" {
		id = "section"
	}
	unique := id
	for n := h.used[id]; h.used[unique] > 0; {
		n++
		h.used[id] = n
		unique = fmt.Sprintf("%s-%d", id, n)
	}
	h.used[unique]++
	return []byte(unique)
}

// Put implements goldmark's parser.IDs.
func (h *headingIDs) Put(value []byte) { h.used[string(value)]++ }

// renderer turns the text of an article into what is published of it; resolve makes an
// address absolute.
type renderer func(text []byte, resolve func(string) string) (rendered, error)

func (c *converter) renderer(isHTML bool) renderer {
	if isHTML {
		return c.renderHTML
	}
	return c.render
}

// renderHTML is the renderer of HTML.
func (c *converter) renderHTML(text []byte, resolve func(string) string) (rendered, error) {
	own := c.buffers.Get().(*buffers)
	defer c.buffers.Put(own)
	f := own.finisher(resolve)
	f.tokens(c.policy.SanitizeReader(bytes.NewReader(text)).Bytes())
	return own.end(&f), nil
}

// render is the renderer of Markdown.
func (c *converter) render(source []byte, resolve func(string) string) (rendered, error) {
	document := parse(c.markdown, source)
	r, ok := c.directly(document, source, resolve)
	if !ok {
		var err error
		if r, err = c.sanitise(document, source, resolve); err != nil {
			return r, err
		}
	}
	r.cut = isCut(document)
	return r, nil
}

// parse parses Markdown.
func parse(markdown goldmark.Markdown, source []byte) ast.Node {
	context := parser.NewContext(parser.WithIDs(&headingIDs{used: map[string]int{}}))
	return markdown.Parser().Parse(goldmarktext.NewReader(source), parser.WithContext(context))
}

// sanitise renders a document with whatever HTML its author wrote, and takes out what may
// harm readers.
func (c *converter) sanitise(document ast.Node, source []byte, resolve func(string) string) (rendered, error) {
	own := c.buffers.Get().(*buffers)
	defer c.buffers.Put(own)
	own.rendered.Reset()
	if err := c.markdown.Renderer().Render(&own.rendered, source, document); err != nil {
		return rendered{}, err
	}
	f := own.finisher(resolve)
	f.tokens(c.policy.SanitizeReader(&own.rendered).Bytes())
	return own.end(&f), nil
}

// resolver returns what makes the addresses in a file absolute: against the address of its
// page, else that of the site. A link to another file of the folder becomes the address that the
// rules give that file by its path alone: what the other file says must not change this article.
func (f *Folder) resolver(file *File) func(string) string {
	page := file.URL
	if page == "" && f.Site.BaseURL != "" {
		page = f.Site.BaseURL + "/"
	}
	base, err := url.Parse(page)
	if err != nil || page == "" {
		return func(ref string) string { return ref }
	}
	return func(ref string) string {
		if ref == "" || ref[0] == '#' {
			return ref
		}
		u, err := url.Parse(strings.TrimSpace(ref))
		if err != nil {
			return ref
		}
		if u.Scheme == "" && u.Host == "" && isMarkdown(u.Path) {
			if address := f.addressOf(file, u.Path); address != "" {
				if u.Fragment != "" {
					address += "#" + u.EscapedFragment()
				}
				return address
			}
		}
		return base.ResolveReference(u).String()
	}
}

// addressOf is the address of another file, by its path: relative to that of file, or from
// the content folder where it begins with a slash or, as in Zola, with @.
func (f *Folder) addressOf(file *File, ref string) string {
	target := path.Join(path.Dir(file.Path), ref)
	top := "" // the folder of the content, or of its language
	if f.Site.generator == hugo || f.Site.generator == zola {
		at, _ := f.Site.rules.folderOf(file.Path)
		top = at.dir
	}
	if rest, ok := strings.CutPrefix(ref, "@/"); ok {
		target = path.Join(top, rest)
	} else if strings.HasPrefix(ref, "/") {
		target = path.Join(top, ref[1:])
	}
	if !fs.ValidPath(target) || target == "." {
		return ""
	}
	u := &f.Site.rules
	other := namedFile{File{Path: target, Language: file.Language}, u.name(target)}
	other.ID = other.name.id("", f.Site.datesInIDs)
	code := u.languageCode(target, other.name)
	if n := other.name; n.year > 0 {
		other.Published = time.Date(n.year, time.Month(n.month), n.day, 0, 0, 0, 0, f.Site.location()).UTC()
	}
	var defaults frontmatter.Document
	f.Site.addDefaults(target, other.name, &defaults)
	reader := metaReader{path: target, site: &f.Site}
	if address := f.Site.address(&other, reader.read(defaults.Meta, true), code); address != "" || !article.ValidID(other.ID) {
		return address
	}
	return f.Site.BaseURL + article.ArticleOperation + "?id=" + other.ID
}

// schemes are those of addresses that harm nobody.
func schemes() []string { return []string{"http", "https", "mailto", "tel"} }

// newPolicy allows what articles need and nothing that runs.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowStandardURLs()
	p.AllowURLSchemes(schemes()...)
	p.RequireNoFollowOnLinks(false)
	p.AllowRelativeURLs(true)
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^[\p{L}\p{N}\p{M}_:.-]+$`)).Globally()
	p.AllowAttrs("lang", "dir", "title").Globally()
	p.AllowElements("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "section", "article", "aside", "header", "footer", "main", "nav",
		"blockquote", "cite", "q", "b", "strong", "i", "em", "u", "s", "del", "ins", "small", "mark", "sub", "sup", "kbd", "samp", "var", "dfn", "abbr", "bdi", "bdo",
		"ruby", "rb", "rt", "rp", "rtc", "wbr", "code", "pre", "tt", "time", "data", "address",
		"ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary", "center",
		"table", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "th", "td", "picture")
	p.AllowNoAttrs().OnElements("span", "a", "img")
	p.AllowAttrs("class").Matching(codeClass()).OnElements("code", "pre", "span", "div", "section", "a", "sup", "li", "ol", "ul", "figure", "p", "table", "blockquote", "details")
	p.AllowAttrs("open").OnElements("details")
	p.AllowAttrs("href", "hreflang", "rel", "name").OnElements("a")
	p.AllowAttrs("cite").OnElements("blockquote", "q", "del", "ins")
	p.AllowAttrs("datetime").OnElements("time", "del", "ins")
	p.AllowAttrs("start", "reversed", "type").OnElements("ol")
	p.AllowAttrs("value").OnElements("li", "data")
	p.AllowAttrs("align", "valign").OnElements("th", "td", "tr", "p", "div", "img", "table")
	p.AllowAttrs("colspan", "rowspan", "scope", "headers").OnElements("th", "td")
	p.AllowAttrs("span").OnElements("col", "colgroup")
	p.AllowAttrs("src", "alt", "width", "height", "loading").OnElements("img")
	p.AllowAttrs("srcset", "sizes", "media", "type").OnElements("source", "img")
	p.AllowElements("audio", "video", "source", "track")
	p.AllowAttrs("src", "controls", "loop", "muted", "preload", "width", "height").OnElements("audio", "video")
	// bluemonday does not know that this is an address.
	p.AllowAttrs("poster").Matching(regexp.MustCompile(`(?i)^(https?://|[^:/?#]*([/?#]|$))`)).OnElements("video")
	p.AllowAttrs("src").OnElements("source", "track")
	p.AllowAttrs("kind", "srclang", "label", "default").OnElements("track")
	// An iframe is kept until its address has become a link.
	p.AllowAttrs("src").OnElements("iframe")
	return p
}

// cut shortens a text at a word.
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
	short := s[:end]
	if i := strings.LastIndexFunc(short, unicode.IsSpace); i > len(short)/2 {
		short = short[:i]
	}
	return strings.TrimRightFunc(short, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:–—-(", r) }) + "…"
}

// summary is the author's own; else the text before the author's mark; else the first
// paragraphs, of which code, tables and headings are none.
func (f *Folder) summary(own string, body []byte, r rendered, isHTML bool) (string, error) {
	if own != "" {
		return cut(plainText(f.md, own), article.MaxSummaryRunes), nil
	}
	for _, mark := range []string{"<!--more-->", "<!-- more -->"} { // Hugo, Jekyll, Zola
		if before, behind, found := bytes.Cut(body, []byte(mark)); found {
			if !isHTML {
				before = append(bytes.Clone(before), linkDefinitions(behind)...)
			}
			teaser, err := f.md.renderer(isHTML)(before, func(ref string) string { return ref })
			if err != nil {
				return "", err
			}
			if len(teaser.paragraphs) > 0 {
				r = teaser
			}
			break
		}
	}
	length := 0
	for i, p := range r.paragraphs {
		if length += utf8.RuneCountInString(p) + 1; length >= article.MaxSummaryRunes {
			r.paragraphs = r.paragraphs[:i+1]
			break
		}
	}
	s := strings.Join(r.paragraphs, " ")
	if s == "" {
		s = collapse(r.text)
	}
	return cut(s, article.MaxSummaryRunes), nil
}

// linkDefinitions are those lines of Markdown that say what the names of links stand for, and
// those that begin a footnote, each as a paragraph of its own.
func linkDefinitions(markdown []byte) []byte {
	definitions := []byte("\n\n")
	for line := range bytes.Lines(markdown) {
		if linkName(line) != "" || bytes.HasPrefix(line, []byte("[^")) && bytes.Contains(line, []byte("]:")) {
			definitions = append(append(definitions, line...), '\n')
		}
	}
	return definitions
}

// linkName returns the name that a line of Markdown gives to an address, in lower case:
// [name]: address "title". It is "" where the line is another.
func linkName(line []byte) string {
	text := bytes.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || !bytes.HasPrefix(text, []byte("[")) || bytes.HasPrefix(text, []byte("[^")) {
		return ""
	}
	name, rest, found := bytes.Cut(text[1:], []byte("]:"))
	address, title, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	if !found || len(address) == 0 || (address[0] == '<') != (address[len(address)-1] == '>') || bytes.ContainsAny(name, "[]") {
		return ""
	}
	if title = bytes.TrimSpace(title); len(title) > 0 {
		quotes := string(title[0]) + string(title[len(title)-1])
		if len(title) == 1 || !strings.Contains(`"" '' ()`, quotes) || bytes.ContainsAny(title[1:len(title)-1], quotes) {
			return ""
		}
	}
	return strings.ToLower(string(bytes.TrimSpace(name)))
}

// countWords counts runs of letters and digits. Scripts without spaces have none: there
// two letters are read as fast as a word.
func countWords(s string) int {
	const kinds = "" + // of what is ASCII: 1 where a letter or digit is, 2 where what may stand within a word
		"00000000000000000000000000000000" +
		"00000002000002201111111111000000" + // ' - . and digits
		"01111111111111111111111111100002" + // letters and _
		"01111111111111111111111111100000"
	var words, unspaced, within uint64
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf { // most are
			i++
			kind := uint64(kinds[c]) // no branch tells them apart, which would take twice the time
			words += kind & 1 &^ within
			within = kind&1 | within&(kind>>1)
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case 0x2000 <= r && r <= 0x206F: // punctuation, that of English among it
			if r != '’' { // else within a word, if one has begun
				within = 0
			}
		case isUnspaced(r):
			unspaced, within = unspaced+1, 0
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			words, within = words+1-within, 1
		case unicode.IsMark(r):
			// within a word, if one has begun
		default:
			within = 0
		}
	}
	return int(words + (unspaced+1)/2)
}

func isLetterOrDigit(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isUnspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// rendered is a document in all its forms.
type rendered struct {
	html, text   string
	heading      string   // text of the heading that may be the title
	headingFirst bool     // whether nothing is before it
	headingHTML  [2]int   // its place in html
	headingText  [2]int   // its place in text
	paragraphs   []string // those for a summary
	cut          bool     // whether something became text by the bounds of shallow
}

// withoutHeading returns both forms without the heading that became the title.
func (r *rendered) withoutHeading() (content, text string) {
	return strings.TrimLeft(r.html[:r.headingHTML[0]]+r.html[r.headingHTML[1]:], "\n"),
		strings.TrimLeft(r.text[:r.headingText[0]]+r.text[r.headingText[1]:], "\n")
}

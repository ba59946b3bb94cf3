package article

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Markdown returns the article's twin: the same article as Markdown (CommonMark with
// GitHub's tables, task lists and strikethrough, and footnotes) below a front matter in YAML, for
// readers that would rather have text than JSON.
//
// It is made of the record and of nothing else, so that it says what is published and
// no more: no comment or template code of the source, no HTML that the policy dropped,
// and a check can make it again. It holds no HTML at all: what looks like a tag in a
// text is escaped. What Markdown has no form for (an underlined word, a picture's size)
// stays as its text.
func (a Article) Markdown() []byte { return new(Twins).Of(a) }

// Twins makes the twins of many articles, one after the other, in memory that it uses
// again.
type Twins struct {
	nodes  nodes
	writer markdownWriter
}

// Of returns the twin of an article, as Markdown does.
func (t *Twins) Of(a Article) []byte {
	w := &t.writer
	*w = markdownWriter{out: make([]byte, 0, len(a.ContentText)*5/4+1024), prefix: w.prefix[:0], words: w.words}
	w.frontMatter(a.Meta)
	w.blocks(t.nodes.parse(a.ContentHTML))
	return w.out
}

// frontMatter writes the record's metadata under the keys that authors use, with texts
// as JSON, which is YAML as well.
func (w *markdownWriter) frontMatter(m Meta) {
	text := func(key, value string) {
		if value != "" {
			w.out = append(appendYAML(append(append(w.out, key...), ": "...), value), '\n')
		}
	}
	date := func(key string, value time.Time) {
		if !value.IsZero() {
			w.out = append(value.UTC().AppendFormat(append(append(w.out, key...), ": "...), time.RFC3339), '\n')
		}
	}
	w.out = append(w.out, "---\n"...)
	text("id", m.ID)
	text("title", m.Title)
	text("url", m.URL)
	date("date", m.DatePublished)
	date("lastmod", m.DateModified)
	if len(m.Authors) > 0 {
		w.out = append(w.out, "authors:\n"...)
		for _, author := range m.Authors {
			text("  - name", author.Name)
			text("    url", author.URL)
		}
	}
	w.out = append(w.out, "tags: ["...)
	for i, tag := range m.Tags {
		if i > 0 {
			w.out = append(w.out, ", "...)
		}
		w.out = appendYAML(w.out, tag)
	}
	w.out = append(w.out, "]\n"...)
	text("language", m.Language)
	text("image", m.Image)
	text("summary", m.Summary)
	w.out = append(w.out, "---\n"...)
}

// appendYAML appends a text in double quotes, for YAML, which takes fewer characters as
// they are than JSON does.
func appendYAML(b []byte, s string) []byte {
	from := len(b)
	b = AppendString(b, s)
	isEscaped := func(r rune) bool {
		return unicode.IsControl(r) || r == '\uFFFE' || r == '\uFFFF' || r == '\uFEFF'
	}
	if !strings.ContainsFunc(s, isEscaped) {
		return b
	}
	quoted := string(b[from:])
	b = b[:from]
	for _, r := range quoted {
		if isEscaped(r) {
			b = fmt.Appendf(b, `\u%04x`, r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return b
}

// node is an element of sanitised HTML, or a text without a tag.
type node struct {
	tag, text string
	// attributes is what the tag has after its name.
	attributes string
	children   []*node
}

// attribute returns the value of an attribute, as the policy writes it.
func (n *node) attribute(name string) string {
	for rest := n.attributes; rest != ""; {
		rest = strings.TrimLeft(rest, " \t\n\r\f/")
		end := strings.IndexAny(rest, "= \t\n\r\f")
		switch {
		case end < 0:
			return ""
		case rest[end] != '=':
			rest = rest[end:]
			continue
		}
		key, quoted := rest[:end], rest[end+1:]
		if quoted == "" || quoted[0] != '"' {
			return ""
		}
		value, after, closed := strings.Cut(quoted[1:], `"`)
		if !closed {
			return ""
		}
		if key == name {
			return html.UnescapeString(value)
		}
		rest = after
	}
	return ""
}

func (n *node) hasClass(class string) bool {
	return slices.Contains(strings.Fields(n.attribute("class")), class)
}

// deepest is how many elements may be open within each other; what is deeper counts as
// if its tags were not there. No author nests as deep, and the work stays in proportion.
const deepest = 100

// nodes are those of one document, and then of the next.
type nodes struct {
	made []*node
	used int
	open []*node // the elements that have not ended yet, the outermost first
}

// Nodes are made by the hundred. So many are kept as an article has that takes an hour to
// read.
const (
	nodesMade = 128
	nodesKept = 10_000
)

// next returns an empty node.
func (m *nodes) next() *node {
	if m.used == len(m.made) {
		slab := make([]node, nodesMade)
		for i := range slab {
			m.made = append(m.made, &slab[i])
		}
	}
	n := m.made[m.used]
	m.used++
	*n = node{children: n.children[:0]}
	return n
}

// parse reads sanitised HTML. It takes any text: a tag without an end is closed with what
// holds it, and an end without a tag is passed over. What it returns is overwritten by the
// next call.
func (m *nodes) parse(s string) []*node {
	if m.used = 0; len(m.made) > nodesKept {
		m.made, m.open = nil, nil
	}
	root := m.next()
	m.open = append(m.open[:0], root)
	for s != "" {
		if text, _, _ := strings.Cut(s, "<"); text != "" {
			m.add("", html.UnescapeString(text), "")
			s = s[len(text):]
			continue
		}
		end := endOfTag(s)
		if end > 0 {
			m.tag(s[1 : end-1])
		} else { // no tag: the policy does not write this
			end = 1
			m.add("", s[:end], "")
		}
		s = s[end:]
	}
	return root.children
}

// add adds an element or a text to the innermost open element.
func (m *nodes) add(tag, text, attributes string) *node {
	n, in := m.next(), m.open[len(m.open)-1]
	n.tag, n.text, n.attributes = tag, text, attributes
	in.children = append(in.children, n)
	return n
}

// tag begins or ends an element, as the text between < and > says.
func (m *nodes) tag(inner string) {
	if name, closing := strings.CutPrefix(inner, "/"); closing {
		m.end(strings.TrimSpace(name))
		return
	}
	name, attributes := inner, ""
	if i := strings.IndexAny(inner, " \t\n\r\f/"); i >= 0 {
		name, attributes = inner[:i], inner[i:]
	}
	if !isVoid(name) && len(m.open) > deepest {
		return
	}
	m.open = m.open[:closedBy(name, m.open)]
	n := m.add(name, "", attributes)
	if !isVoid(name) {
		m.open = append(m.open, n)
	}
}

// end ends the innermost open element of this name, and those in it.
func (m *nodes) end(name string) {
	for i := len(m.open) - 1; i > 0; i-- {
		if m.open[i].tag == name {
			m.open = m.open[:i]
			return
		}
	}
}

// endOfTag returns where the tag ends with which s begins; 0 where it begins with none.
func endOfTag(s string) int {
	if len(s) < 2 || s[1] != '/' && (s[1] < 'a' || 'z' < s[1]) {
		return 0
	}
	quoted := false
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '>' && !quoted:
			return i + 1
		}
	}
	return 0
}

// closedBy returns how many elements stay open where one of this name begins: an item
// ends the one before, where that has no end of its own.
func closedBy(name string, open []*node) int {
	var ends, within []string
	switch name {
	case "li":
		ends, within = []string{"li"}, []string{"ul", "ol"}
	case "dt", "dd":
		ends, within = []string{"dt", "dd"}, []string{"dl"}
	case "tr":
		ends, within = []string{"tr"}, []string{"table"}
	case "td", "th":
		ends, within = []string{"td", "th"}, []string{"tr"}
	default:
		return len(open)
	}
	for i := len(open) - 1; i > 0 && !slices.Contains(within, open[i].tag); i-- {
		if slices.Contains(ends, open[i].tag) {
			return i
		}
	}
	return len(open)
}

func isVoid(tag string) bool {
	switch tag {
	case "br", "hr", "img", "wbr", "col", "source", "track", "input":
		return true
	}
	return false
}

// isBlock reports whether an element begins a line of its own.
func isBlock(tag string) bool {
	switch tag {
	case "p", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "div", "section", "article", "aside", "header", "footer", "main", "nav", "address", "center",
		"blockquote", "pre", "ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th":
		return true
	}
	return false
}

// markdownWriter writes blocks of Markdown, line by line.
type markdownWriter struct {
	out []byte
	// prefix is what each line of the open quotes and items begins with, and first what
	// the next line begins with in its place; nil where that is prefix.
	prefix, first []byte
	// tight is whether a list within the open item follows its text without a blank line.
	tight bool
	words inline
	// last is the sign of the list that ended just before; 0 where something else did.
	last byte
}

// line writes one line.
func (w *markdownWriter) line(s []byte) {
	start := len(w.out)
	if w.first != nil {
		w.out = append(w.out, w.first...)
		w.first = nil
	} else {
		w.out = append(w.out, w.prefix...)
	}
	w.out = append(w.out, s...)
	if len(s) == 0 {
		w.out = append(w.out[:start], bytes.TrimRight(w.out[start:], " ")...)
	}
	w.out = append(w.out, '\n')
	w.last = 0
}

// separate writes a blank line between two blocks.
func (w *markdownWriter) separate() {
	if w.first == nil {
		last := w.last
		w.line(nil)
		w.last = last
	}
}

// blocks writes elements, and the texts between them as paragraphs.
func (w *markdownWriter) blocks(nodes []*node) {
	for len(nodes) > 0 {
		n := slices.IndexFunc(nodes, holdsBlock)
		if n < 0 {
			n = len(nodes)
		}
		if text := w.words.paragraph(nodes[:n]); len(text) > 0 {
			w.separate()
			for line := range bytes.SplitSeq(text, []byte("\n")) {
				w.line(escapeStart(line))
			}
		}
		if nodes = nodes[n:]; len(nodes) > 0 {
			w.block(nodes[0])
			nodes = nodes[1:]
		}
	}
}

// holdsBlock reports whether an element is a block, or has one in it.
func holdsBlock(n *node) bool {
	return isBlock(n.tag) || n.tag != "" && slices.ContainsFunc(n.children, holdsBlock)
}

func (w *markdownWriter) block(n *node) {
	switch n.tag {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		if text := w.words.oneLine(n.children); len(text) > 0 {
			w.separate()
			w.line(append([]byte("######"[6-int(n.tag[1]-'0'):]+" "), escapeHeading(text)...))
		}
	case "hr":
		w.separate()
		w.line([]byte("***"))
	case "blockquote":
		w.separate()
		w.container("> ", "> ", false, n.children)
	case "pre":
		w.separate()
		w.code(n)
	case "ul", "ol":
		w.list(n)
	case "li": // outside of a list
		w.list(&node{tag: "ul", children: []*node{n}})
	case "dl":
		w.definitions(n)
	case "table":
		w.table(n)
	case "summary":
		w.blocks([]*node{{tag: "strong", children: n.children}})
	default:
		if (n.tag == "div" || n.tag == "section") && n.hasClass("footnotes") {
			w.footnotes(n)
		} else {
			w.blocks(n.children)
		}
	}
}

// container writes blocks after a mark: a quote, or an item of a list.
func (w *markdownWriter) container(mark, prefix string, tight bool, nodes []*node) {
	before, outer := len(w.prefix), w.tight
	if w.first == nil {
		w.first = append(make([]byte, 0, before+len(mark)), w.prefix...)
	}
	w.first = append(w.first, mark...)
	w.prefix, w.tight = append(w.prefix, prefix...), tight
	w.blocks(nodes)
	if w.first != nil { // there was nothing
		w.line(nil)
	}
	w.prefix, w.tight = w.prefix[:before], outer
}

// code writes a block of code.
func (w *markdownWriter) code(n *node) {
	language := ""
	for _, holder := range append([]*node{n}, n.children...) {
		for class := range strings.FieldsSeq(holder.attribute("class")) {
			if name, ok := strings.CutPrefix(class, "language-"); ok && !strings.Contains(name, "`") {
				language = name
			}
		}
	}
	text := strings.TrimSuffix(strings.ReplaceAll(strings.ReplaceAll(n.words(), "\r\n", "\n"), "\r", "\n"), "\n")
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	w.line([]byte(fence + language))
	for line := range strings.SplitSeq(text, "\n") {
		w.line([]byte(line))
	}
	w.line([]byte(fence))
}

// words is all text of an element, as it is.
func (n *node) words() string {
	if len(n.children) == 1 {
		return n.children[0].words()
	}
	switch n.tag {
	case "":
		return n.text
	case "br":
		return "\n"
	}
	var b strings.Builder
	for _, c := range n.children {
		b.WriteString(c.words())
	}
	return b.String()
}

// longestRun is the length of the longest run of backquotes.
func longestRun(s string) (longest int) {
	run := 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// mostNumber is the largest number of an item (CommonMark, 5.2).
const mostNumber = 999_999_999

// list writes a list. Its sign is another one than that of a list just before it, which
// would be taken for the same list.
func (w *markdownWriter) list(n *node) {
	items, loose := itemsOf(n)
	if len(items) == 0 {
		return
	}
	number, numbered, sign := 1, n.tag == "ol", byte('-')
	if numbered {
		sign = '.'
		if start, err := strconv.Atoi(n.attribute("start")); err == nil && 0 <= start && start <= mostNumber {
			number = start
		}
	}
	if w.last == sign {
		sign = map[byte]byte{'-': '+', '.': ')'}[sign]
	}
	if !w.tight || numbered && number != 1 || len(items[0].children) == 0 {
		w.separate()
	}
	for i, item := range items {
		if i > 0 && loose {
			w.separate()
		}
		mark := string(sign) + " "
		if numbered {
			mark = strconv.Itoa(min(number+i, mostNumber)) + mark
		}
		w.container(mark, strings.Repeat(" ", len(mark)), !loose, item.children)
	}
	w.last = sign
}

// itemsOf returns the items of a list, and whether there is a paragraph in one.
func itemsOf(list *node) (items []*node, loose bool) {
	for _, c := range list.children {
		if c.tag == "" && strings.TrimSpace(c.text) == "" {
			continue
		}
		if c.tag != "li" {
			c = &node{tag: "li", children: []*node{c}}
		}
		items = append(items, c)
		loose = loose || slices.ContainsFunc(c.children, func(c *node) bool { return c.tag == "p" })
	}
	return items, loose
}

// definitions writes terms, and what they mean below them.
func (w *markdownWriter) definitions(n *node) {
	for _, c := range n.children {
		switch {
		case c.tag == "dd":
			if slices.ContainsFunc(c.children, func(c *node) bool { return c.tag == "p" }) {
				w.separate()
			}
			w.container(":   ", "    ", false, c.children)
		case c.tag == "div": // a group
			w.definitions(c)
		default:
			if text := w.words.oneLine([]*node{c}); len(text) > 0 {
				w.separate()
				w.line(escapeStart(text))
			}
		}
	}
}

// footnotes writes the notes that Markdown's own footnotes became.
func (w *markdownWriter) footnotes(n *node) {
	for _, c := range n.children {
		switch {
		case c.tag == "hr":
		case c.tag == "ol":
			for _, note := range c.children {
				if label, ok := footnote("#" + note.attribute("id")); ok {
					w.separate()
					w.container("[^"+label+"]: ", "    ", false, note.children)
				} else if note.tag != "" {
					w.blocks(note.children)
				}
			}
		default:
			w.blocks([]*node{c})
		}
	}
}

// footnote returns the label of the footnote to which an address leads.
func footnote(address string) (label string, ok bool) {
	label, ok = strings.CutPrefix(address, "#fn:")
	return label, ok && label != "" && !strings.ContainsFunc(label, func(r rune) bool {
		return r != '-' && (r < '0' || '9' < r) && (r < 'a' || 'z' < r) && (r < 'A' || 'Z' < r)
	})
}

// rows writes the captions of a table, and returns the cells of its rows.
func (w *markdownWriter) rows(n *node) (rows [][]*node) {
	switch n.tag {
	case "caption":
		w.blocks(n.children)
	case "tr":
		isNoCell := func(c *node) bool { return c.tag != "td" && c.tag != "th" }
		if cells := slices.DeleteFunc(slices.Clone(n.children), isNoCell); len(cells) > 0 {
			rows = append(rows, cells)
		}
	default:
		for _, c := range n.children {
			rows = append(rows, w.rows(c)...)
		}
	}
	return rows
}

// table writes a table. Its first row is the head, empty where the table has none.
func (w *markdownWriter) table(n *node) {
	rows := w.rows(n)
	columns := 0
	for _, row := range rows {
		columns = max(columns, width(row))
	}
	if columns == 0 {
		return
	}
	if slices.ContainsFunc(rows[0], func(c *node) bool { return c.tag != "th" }) {
		rows = slices.Insert(rows, 0, nil)
	}
	w.separate()
	for i, row := range rows {
		line := []byte("|")
		for _, cell := range row {
			line = append(append(append(line, ' '), escapeCell(w.words.oneLine(cell.children))...), " |"...)
			line = append(line, strings.Repeat(" |", span(cell)-1)...)
		}
		if i > 0 {
			w.line(line)
			continue
		}
		w.line(append(line, strings.Repeat(" |", columns-width(row))...))
		line = append(line[:0], '|')
		for _, cell := range append(slices.Clone(row), make([]*node, max(0, columns-len(row)))...)[:columns] {
			rule := "---"
			if cell != nil {
				rule = cmp.Or(map[string]string{"left": ":--", "right": "--:", "center": ":-:"}[cell.attribute("align")], rule)
			}
			line = append(append(append(line, ' '), rule...), " |"...)
		}
		w.line(line)
	}
}

// mostColumns bounds what one cell may take.
const mostColumns = 100

// span is how many columns a cell takes.
func span(cell *node) int {
	n, err := strconv.Atoi(cell.attribute("colspan"))
	if err != nil {
		return 1
	}
	return min(max(n, 1), mostColumns)
}

// width is how many columns a row takes.
func width(row []*node) (columns int) {
	for _, cell := range row {
		columns += span(cell)
	}
	return columns
}

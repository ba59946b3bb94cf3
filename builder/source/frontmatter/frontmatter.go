package frontmatter

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// MaxBytes bounds one front matter: a hundred times the longest that was found in real sites,
	// and little enough to parse in milliseconds.
	MaxBytes = 256 << 10
	// maxValues bounds the values of one front matter after its aliases are resolved, so
	// that a few lines of YAML cannot become millions of values.
	maxValues = 20_000
	// maxDepth bounds how deep values are nested, long before a stack is in danger.
	maxDepth = 100
)

// Document is an article's file, cut into front matter and body.
type Document struct {
	Meta     Value    // the front matter as a table; empty if there is none
	HasMeta  bool     // whether there is any, even an empty one
	Body     []byte   // the rest
	BodyLine int      // the line of the file on which Body begins, from 1
	Unfenced Unfenced // what kind of front matter without fences begins Body, if Meta is from that
	Head     int      // how many bytes of Body are a head without fences; 0 if there is none
	Fault    *Error   // why the front matter between fences is not YAML, if it was read as a head of keys, or with its tabs as spaces, instead
	Tabbed   bool     // whether it was read with its tabs as spaces, as Hexo does
}

// Unfenced is a kind of text that may be front matter, although it has no fences: see
// [Document.TakeUnfenced].
type Unfenced uint8

// The kinds of text that may be front matter.
const (
	Nothing    Unfenced = iota
	Head                // a head without fences
	LoneHead            // a head with no title, or with no description and no other key that Pelican knows
	OpenHead            // a head below a fence, which Python-Markdown reads up to an empty line
	Exports             // what MDX exports
	Properties          // the properties of a page of Logseq
)

// format is the notation of a front matter.
type format uint8

const (
	formatNone format = iota
	formatYAML
	formatTOML
	formatJSON
	formatConstants
)

// Parse cuts a file into front matter and body, and parses the front matter. Meta may also be from
// a head without fences, from exports of MDX, or from properties of Logseq, which are then still in
// Body: see [Document.TakeUnfenced]. If there is an error, the document is empty, unless its
// Unfenced is [OpenHead].
func Parse(data []byte) (Document, *Error) {
	if err := notUTF8(data); err != nil {
		return Document{}, err
	}
	data = withLines(bytes.TrimPrefix(data, []byte("\ufeff")))
	parts, err := cutFrontMatter(data)
	if err != nil {
		return readOpenHead(data, err)
	}
	doc := Document{Body: parts.body, BodyLine: parts.bodyLine, HasMeta: parts.format != formatNone}
	switch parts.format {
	case formatNone:
		doc.readUnfenced()
		return doc, nil
	case formatYAML:
		if doc.Meta, err = parseYAML(parts.meta, parts.metaLine); err != nil {
			if meta, again := parseYAML(WithoutTabs(parts.meta), parts.metaLine); again == nil {
				doc.Meta, doc.Fault, doc.Tabbed, err = meta, err, true, nil
			} else if head, ok := parseFenced(parts.meta, parts.metaLine); ok {
				doc.Meta, doc.Fault, err = head, err, nil
			}
		}
	case formatTOML:
		doc.Meta, err = parseTOML(parts.meta, parts.metaLine)
	case formatJSON:
		doc.Meta, err = parseJSON(parts.meta, parts.metaLine)
	case formatConstants:
		doc.Meta, err = parseConstants(parts.meta, parts.metaLine)
	}
	if err != nil {
		return readOpenHead(data, err)
	}
	return doc, nil
}

// readOpenHead returns the error of a file whose front matter between fences cannot be read, with
// what Python-Markdown reads in it.
func readOpenHead(data []byte, err *Error) (Document, *Error) {
	meta, length := parseOpenHead(data)
	if length == 0 {
		return Document{}, err
	}
	return Document{Meta: meta, Body: data, BodyLine: 1, Unfenced: OpenHead, Head: length}, err
}

// readUnfenced reads what may be front matter without fences at the beginning of the body.
func (d *Document) readUnfenced() {
	for _, parse := range [...]func([]byte) (Value, int){parseDottedHead, parseClosedHead, parseBakedHead, parseTitleBlock} {
		if d.Meta, d.Head = parse(d.Body); d.Head > 0 {
			d.Unfenced = Head
			return
		}
	}
	if d.Meta, d.Head, d.Unfenced = parseHead(d.Body, 1); d.Head > 0 {
		return
	}
	is := false
	if d.Meta, is = parseExports(d.Body); is {
		d.Unfenced = Exports
	} else if d.Meta, is = parseProperties(d.Body); is {
		d.Unfenced = Properties
	}
}

// TakeUnfenced decides whether what begins the body without fences is front matter. taken is
// whether the site's generator reads it as such. If so, HasMeta becomes true, and a head is cut off
// Body; if not, it is text, and Meta becomes empty.
func (d *Document) TakeUnfenced(taken bool) {
	switch {
	case d.Unfenced == Nothing:
		return
	case !taken:
		d.Meta = Value{}
		return
	}
	d.HasMeta = true
	if d.Body != nil {
		d.BodyLine += bytes.Count(d.Body[:d.Head], []byte("\n"))
		d.Body = d.Body[d.Head:]
	}
}

// ParseTable parses a file of settings, in the notation that the extension of its name stands for:
// TOML, JSON, JavaScript or, for any other extension, YAML.
func ParseTable(name string, data []byte) (Value, *Error) {
	if err := notUTF8(data); err != nil {
		return Value{}, err
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	switch path.Ext(name) {
	case ".toml":
		return parseTOML(data, 1)
	case ".json":
		return parseJSON(data, 1)
	case ".js", ".cjs", ".mjs":
		return parseProgram(data)
	}
	return parseYAML(data, 1)
}

// ParseList parses a file of YAML that is a list, or empty.
func ParseList(data []byte) (Value, *Error) {
	if err := notUTF8(data); err != nil {
		return Value{}, err
	}
	v, err := parseAnyYAML(data, 1)
	if err == nil && v.Kind != List && v.Kind != Null {
		err = &Error{v.Line, v.Column, "it is " + v.Kind.String() + ", not a list", `begin every entry with "- "`}
	}
	return v, err
}

// parts are a file's front matter, not yet parsed, and its body, each with the line on
// which it begins, from 1.
type parts struct {
	format   format
	meta     []byte
	metaLine int
	body     []byte
	bodyLine int
}

// notUTF8 returns an error at the first byte of a file that is not UTF-8; nil if there is none. A
// zero byte is an error, too: the file is UTF-16, or no text.
func notUTF8(data []byte) *Error {
	begin := data[:min(len(data), 1024)]
	zeros := bytes.Count(begin, []byte{0})
	if zeros == 0 && utf8.Valid(data) {
		return nil
	}
	at := 0
	for at < len(data) && data[at] != 0 {
		r, n := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	line, column := (&place{text: data, line: 1}).at(at)
	const save = "save it as UTF-8, in an editor or with: iconv -f %s -t UTF-8"
	e := &Error{line, column, "the file is not UTF-8", fmt.Sprintf(save, "WINDOWS-1252")}
	switch {
	case 3*zeros > len(begin), // in UTF-16, one of the two bytes of each English letter is zero
		bytes.HasPrefix(begin, []byte("\xff\xfe")), bytes.HasPrefix(begin, []byte("\xfe\xff")):
		e.Hint = fmt.Sprintf(save, "UTF-16")
	case zeros > 0:
		e.What, e.Hint = "the file has a zero byte, which text never has", "remove it; if the file is not text at all, keep it elsewhere"
	}
	return e
}

// withLines returns data with a line feed in place of each carriage return that does not precede
// one. It ends a line, too (https://spec.commonmark.org/0.31.2/#line-ending), though goldmark does
// not know that: editors of the first Macs ended lines that way, and text pasted from elsewhere has
// some. Several before a line feed are those of a program that converted the ends of lines twice.
func withLines(data []byte) []byte {
	if bytes.Count(data, []byte("\r")) == bytes.Count(data, []byte("\r\n")) {
		return data
	}
	return bytes.ReplaceAll(regexp.MustCompile(`\r+\n`).ReplaceAll(data, []byte("\n")), []byte("\r"), []byte("\n"))
}

// unseen has the characters that nobody sees beside a fence; text copied from a page may have them.
// Most generators know only the common ones, but a draft must not be published because of another.
const unseen = "\ufeff\u00a0\u200b\u200c\u200d\u200e\u200f\u2060 \t\r"

// cutFrontMatter cuts a file at the fences of its front matter.
func cutFrontMatter(data []byte) (parts, *Error) {
	rest := bytes.TrimLeft(data, unseen+"\n\v\f")
	line := 1 + bytes.Count(data[:len(data)-len(rest)], []byte("\n"))
	first, after := cutLine(rest)
	metaLine := line + 1
	t := string(bytes.TrimRight(first, unseen))
	fence, f := openingFence(t)
	switch {
	case f != formatNone:
	case startsJSON(rest):
		return cutJSON(rest, line)
	case t == "------" && beginsWithKey(after) && closes(after, "---"): // Hugo reads a fence, and the marker of a YAML document
		fence, f = "---", formatYAML
	case fenceWithKey(t) && closes(rest, t[:3]):
		fence, f = openingFence(t[:3])
		after, metaLine = bytes.TrimLeft(rest[len(fence):], " \t"), line
	default:
		return parts{body: data, bodyLine: 1}, nil
	}
	bodyLine := metaLine
	for left := after; ; {
		if len(left) == 0 {
			if f == formatYAML && !beginsWithKey(after) { // the line is a rule, with which a text may begin
				return parts{body: data, bodyLine: 1}, nil
			}
			return parts{}, &Error{line, 1,
				fmt.Sprintf("the front matter that %q opens has no end", fence),
				fmt.Sprintf("put a line %q below the last key", fence)}
		}
		l, next := cutLine(left)
		bodyLine++
		if end := string(bytes.TrimRight(l, unseen)); strings.HasPrefix(end, fence) || f == formatYAML && end == "..." {
			meta := after[:len(after)-len(left)]
			if len(meta) > MaxBytes {
				return parts{}, tooLong(line)
			}
			if strings.Trim(end, fence+".") != "" { // text after the fence
				next, bodyLine = left[len(fence):], bodyLine-1
			}
			return parts{f, meta, metaLine, next, bodyLine}, nil
		}
		left = next
	}
}

// openingFence returns the fence that a line is, and the notation of the front matter that it
// opens; formatNone if it is no fence. The names of YAML and JavaScript may have capitals, because
// gray-matter, with which Eleventy and others read, allows that.
func openingFence(line string) (fence string, f format) {
	language, ok := strings.CutPrefix(line, "---")
	switch name := strings.ToLower(language); {
	case line == "+++" || line == "---toml":
		return line[:3], formatTOML
	case !ok:
	case name == "" || name == "yaml" || name == "yml":
		return "---", formatYAML
	case language == "json":
		return "---", formatJSON
	case name == "js" || name == "javascript":
		return "---", formatConstants
	}
	return "", formatNone
}

// fenceWithKey reports whether a line is a fence with the first key, or a comment, after it: Hugo
// reads that, so a draft may be marked there.
func fenceWithKey(line string) bool {
	if yaml, ok := strings.CutPrefix(line, "---"); ok {
		yaml = strings.TrimSpace(yaml)
		key, _, found := strings.Cut(yaml+" ", ": ")
		return strings.HasPrefix(yaml, "#") || found && isHeadKey(key)
	}
	toml, ok := strings.CutPrefix(line, "+++")
	key, _, found := strings.Cut(toml, "=")
	return ok && (strings.HasPrefix(strings.TrimSpace(toml), "#") || found && isHeadKey(strings.TrimSpace(key)))
}

// beginsWithKey reports whether data begins with one word and a colon, like a key of YAML, perhaps
// after comments. A word with marks of Markdown is text.
func beginsWithKey(data []byte) bool {
	for len(data) > 0 {
		var first []byte
		first, data = cutLine(data)
		line := strings.TrimSpace(string(first))
		if line != "" && line[0] != '#' {
			key, _, found := strings.Cut(line+" ", ": ")
			return found && !strings.ContainsAny(strings.TrimSpace(key), " *[]()`<>")
		}
	}
	return false
}

// closes reports whether a line of data other than the first begins with the fence.
func closes(data []byte, fence string) bool { return bytes.Contains(data, []byte("\n"+fence)) }

func tooLong(line int) *Error {
	return &Error{line, 1, fmt.Sprintf("the front matter is longer than %d kB", MaxBytes>>10),
		"move the text below the front matter, and data into a file of its own"}
}

// cutLine returns the first line of b without its end, and what follows.
func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return line, rest
}

// startsJSON reports whether b begins with JSON, and not with the brace of a text, such as a
// shortcode.
func startsJSON(b []byte) bool {
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	t := bytes.TrimLeft(b[1:], " \t\r\n")
	return len(t) > 0 && (t[0] == '"' || t[0] == '}')
}

func cutJSON(b []byte, line int) (parts, *Error) {
	depth, inString := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case !inString && c == '{':
			depth++
		case !inString && c == '}':
			if depth--; depth == 0 {
				meta, body := b[:i+1], b[i+1:]
				if len(meta) > MaxBytes {
					return parts{}, tooLong(line)
				}
				return parts{formatJSON, meta, line, body, line + bytes.Count(meta, []byte("\n"))}, nil
			}
		}
	}
	return parts{}, &Error{line, 1, `the front matter that "{" opens has no end`, `close every "{" with a "}" and every quote with a quote`}
}

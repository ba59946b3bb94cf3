package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
	"go.yaml.in/yaml/v3"
)

const (
	// maxFrontMatterBytes bounds one front matter: a hundred times the longest that was
	// met in real sites, and little enough to parse in milliseconds.
	maxFrontMatterBytes = 256 << 10
	// maxValues bounds the values of one front matter after its aliases are resolved, so
	// that a few lines of YAML cannot become millions of values.
	maxValues = 20_000
	// maxDepth bounds how deep values lie in each other, long before a stack is in danger.
	maxDepth = 100
)

// kind is what a front matter value is, in whatever format it was written.
type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	list
	table
)

func (k kind) String() string {
	return [...]string{"nothing", "a boolean", "a number", "text", "a list", "a table"}[k]
}

// value is a front matter value with its place in the author's file.
type value struct {
	kind         kind
	text         string  // a scalar as it is written, without its quotes
	quoted       bool    // whether a scalar of YAML had any
	items        []value // of a list
	fields       []field // of a table, in the author's order
	line, column int
	again        []*syntaxError // of a document: keys of its own that are given twice
	twice        []*syntaxError // of a document: keys of inner tables that are given twice
}

// field is one entry of a table.
type field struct {
	key          string
	line, column int
	value        value
}

// get returns the value of a key, whatever the case of its letters (Hugo folds it too).
func (v value) get(key string) (value, bool) {
	for _, f := range v.fields {
		if strings.EqualFold(f.key, key) {
			return f.value, true
		}
	}
	return value{}, false
}

func (v value) has(key string) bool {
	_, ok := v.get(key)
	return ok
}

// syntaxError is a mistake in a file's own grammar, at a place.
type syntaxError struct {
	line, column int
	what, hint   string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.line, e.column, e.what) }

// document is a file, cut in two.
type document struct {
	meta     value  // a table; empty where there is no front matter
	hasMeta  bool   // whether there was one, be it empty
	body     []byte // the rest
	bodyLine int    // the line of the file on which body begins, from 1
	head     int    // how long the head without fences is that body begins with; 0 where there is none
}

// format is the notation of a front matter.
type format uint8

const (
	formatNone format = iota
	formatYAML
	formatTOML
	formatJSON
)

// parseDocument cuts a file into front matter and body and parses the former.
func parseDocument(data []byte) (document, *syntaxError) {
	data = withLines(bytes.TrimPrefix(data, []byte("\ufeff")))
	parts, err := cutFrontMatter(data)
	if err != nil {
		return document{}, err
	}
	doc := document{body: parts.body, bodyLine: parts.bodyLine, hasMeta: parts.format != formatNone}
	switch parts.format {
	case formatNone:
		doc.meta, doc.head = parseHead(doc.body)
		return doc, nil
	case formatYAML:
		doc.meta, err = parseYAML(parts.meta, parts.metaLine)
	case formatTOML:
		doc.meta, err = parseTOML(parts.meta, parts.metaLine)
	case formatJSON:
		doc.meta, err = parseJSON(parts.meta, parts.metaLine)
	}
	if err != nil {
		return document{}, err
	}
	return doc, nil
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

// withLines returns data whose lines end as others read them. Editors of the first Macs end
// each with a carriage return alone, which Hugo takes for an end, too; they are in a file
// whose first line ends so.
func withLines(data []byte) []byte {
	if i := bytes.IndexAny(data, "\r\n"); i < 0 || data[i] == '\n' || bytes.HasPrefix(data[i:], []byte("\r\n")) {
		return data
	}
	lines := bytes.Clone(data)
	for i, c := range lines {
		if c == '\r' && !bytes.HasPrefix(lines[i+1:], []byte("\n")) {
			lines[i] = '\n'
		}
	}
	return lines
}

// cutFrontMatter finds the fences. Of a front matter with an error it tells the format.
func cutFrontMatter(data []byte) (parts, *syntaxError) {
	rest := bytes.TrimLeft(data, "\ufeff \t\r\n\v\f")
	if len(rest) == 0 {
		return parts{body: data, bodyLine: 1}, nil
	}
	line := 1 + bytes.Count(data[:len(data)-len(rest)], []byte("\n"))
	first, after := cutLine(rest)
	metaLine := line + 1
	var fence string
	var f format
	switch t := string(bytes.TrimRight(first, " \t\r")); {
	case t == "---" || t == "---yaml":
		fence, f = "---", formatYAML
	case t == "+++" || t == "---toml":
		fence, f = t[:3], formatTOML
	case t == "---json":
		fence, f = "---", formatJSON
	case t == "---js" || t == "---javascript":
		return parts{}, &syntaxError{line, 1, "the front matter is JavaScript, which is not run here", "write it in YAML between two lines ---"}
	case startsJSON(rest):
		return cutJSON(rest, line)
	case t == "------" && beginsWithKey(after): // to Hugo a fence, and the mark of a document of YAML
		fence, f = "---", formatYAML
		if !closes(after, fence) {
			return parts{body: data, bodyLine: 1}, nil
		}
	case fenceWithKey(t):
		fence, f = t[:3], formatYAML
		if fence == "+++" {
			f = formatTOML
		}
		after, metaLine = bytes.TrimLeft(rest[len(fence):], " \t"), line
		if !closes(after, fence) {
			return parts{body: data, bodyLine: 1}, nil
		}
	default:
		return parts{body: data, bodyLine: 1}, nil
	}
	bodyLine := metaLine
	for left := after; ; {
		if len(left) == 0 {
			return parts{format: f}, &syntaxError{line, 1,
				fmt.Sprintf("the front matter that %q opens has no end", fence),
				fmt.Sprintf("put a line %q below the last key", fence)}
		}
		l, next := cutLine(left)
		bodyLine++
		if end := string(bytes.TrimRight(l, " \t\r")); strings.HasPrefix(end, fence) || f == formatYAML && end == "..." {
			meta := after[:len(after)-len(left)]
			if len(meta) > maxFrontMatterBytes {
				return parts{format: f}, tooLong(line)
			}
			if strings.Trim(end, fence+".") != "" { // text behind the fence
				next, bodyLine = left[len(fence):], bodyLine-1
			}
			return parts{f, meta, metaLine, next, bodyLine}, nil
		}
		left = next
	}
}

// fenceWithKey reports whether a line is a fence with the first key, or a comment, behind it:
// Hugo reads that, and there such a draft is one.
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

// beginsWithKey reports whether data begins with a key of YAML, which may be behind comments.
func beginsWithKey(data []byte) bool {
	for len(data) > 0 {
		var first []byte
		first, data = cutLine(data)
		line := strings.TrimSpace(string(first))
		if line != "" && line[0] != '#' {
			key, _, found := strings.Cut(line+" ", ": ")
			return found && isHeadKey(strings.Trim(key, "\"' "))
		}
	}
	return false
}

// closes reports whether a line of data begins with the fence.
func closes(data []byte, fence string) bool { return bytes.Contains(data, []byte("\n"+fence)) }

func tooLong(line int) *syntaxError {
	return &syntaxError{line, 1, fmt.Sprintf("the front matter is longer than %d kB", maxFrontMatterBytes>>10),
		"move the text below the front matter, and data into a file of its own"}
}

// cutLine returns the first line of b without its end, and what follows.
func cutLine(b []byte) (line, rest []byte) {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i], b[i+1:]
	}
	return b, nil
}

// startsJSON tells JSON from text that begins with a brace, as a shortcode does.
func startsJSON(b []byte) bool {
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	t := bytes.TrimLeft(b[1:], " \t\r\n")
	return len(t) > 0 && (t[0] == '"' || t[0] == '}' && len(t) < len(b)-1 || string(t[:1]) == "}")
}

func cutJSON(b []byte, line int) (parts, *syntaxError) {
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
				if len(meta) > maxFrontMatterBytes {
					return parts{format: formatJSON}, tooLong(line)
				}
				return parts{formatJSON, meta, line, body, line + bytes.Count(meta, []byte("\n"))}, nil
			}
		}
	}
	return parts{format: formatJSON}, &syntaxError{line, 1, `the front matter that "{" opens has no end`, `close every "{" with a "}" and every quote with a quote`}
}

func duplicateKey(key string, line, column, first int) *syntaxError {
	return &syntaxError{line, column, fmt.Sprintf("the key %q is given twice", key),
		fmt.Sprintf("it was given on line %d first; keep one of the two", first)}
}

func nestedTooDeep(line, column int) *syntaxError {
	return &syntaxError{line, column, fmt.Sprintf("values lie more than %d levels deep in each other", maxDepth), "flatten the front matter"}
}

// parseAnyYAML parses a YAML document whose first line is the given line of the file.
func parseAnyYAML(raw []byte, line int) (value, *syntaxError) {
	var root yaml.Node
	if err := yaml.Unmarshal(raw, &root); err != nil {
		return value{}, yamlError(err, raw, line)
	}
	if len(root.Content) == 0 {
		return value{line: line, column: 1}, nil
	}
	c := yamlConverter{base: line - 1}
	v, err := c.value(root.Content[0], 0)
	v.again, v.twice = c.again, c.twice
	return v, err
}

// parseYAML parses a YAML mapping whose first line is the given line of the file.
func parseYAML(raw []byte, line int) (value, *syntaxError) {
	if v, ok := plainYAML(raw, line); ok {
		return v, nil
	}
	v, err := parseAnyYAML(raw, line)
	if err != nil {
		return value{}, err
	}
	switch v.kind {
	case table, null:
		v.kind = table
		return v, nil
	}
	return value{}, &syntaxError{v.line, v.column, "the front matter is " + v.kind.String() + ", not a list of keys", `write one "key: value" on a line`}
}

// yamlError is a mistake in YAML whose first line is the given line of the file. The
// YAML package names the line where the broken thing begins, sometimes one less, in the
// form "yaml: line 3: what"; people want the line that breaks it.
func yamlError(err error, raw []byte, line int) *syntaxError {
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	broken := yamlBreaks(raw)
	if rest, ok := strings.CutPrefix(what, "line "); ok {
		if digits, after, ok := strings.Cut(rest, ": "); ok {
			if n, err := strconv.Atoi(digits); err == nil {
				what = after
				if broken == 0 {
					broken = n
				}
			}
		}
	}
	e := &syntaxError{line: line + max(broken, 1) - 1, what: "the YAML cannot be read: " + what}
	switch {
	case strings.Contains(what, "mapping values are not allowed"):
		e.hint = `put a value that contains ": " in quotes`
	case strings.Contains(what, "cannot start any token"):
		e.hint = "indent with spaces, not tabs, and put a value that begins with @, ` or % in quotes"
	case strings.Contains(what, "found a tab"):
		e.hint = "indent with spaces, not tabs"
	case strings.Contains(what, "unexpected end of stream"):
		e.hint = "close the quote that is opened here"
	case strings.Contains(what, "could not find expected ':'"):
		e.hint = `write "key: value" on a line`
	case strings.Contains(what, "did not find expected"):
		e.hint = "look for a missing quote, bracket or indent on this line or the one above"
	}
	return e
}

// yamlBreaks is the line of a YAML document, counted from 1, up to which it can be read
// and with which no longer; 0 where that would take long to find out.
func yamlBreaks(raw []byte) int {
	const mostLines, mostBytes = 300, 16 << 10
	lines := bytes.SplitAfter(raw, []byte("\n"))
	if len(lines) > mostLines || len(raw) > mostBytes {
		return 0
	}
	for n := len(lines) - 1; n > 0; n-- {
		raw = raw[:len(raw)-len(lines[n])]
		if yaml.Unmarshal(raw, new(yaml.Node)) == nil {
			return n + 1
		}
	}
	return 1
}

type yamlConverter struct {
	base  int // added to a node's line
	count int
	again []*syntaxError // keys that the top has twice
	twice []*syntaxError // keys that a table below the top has twice
}

func (c *yamlConverter) value(n *yaml.Node, depth int) (value, *syntaxError) {
	v := value{line: n.Line + c.base, column: n.Column}
	if depth > maxDepth {
		return v, nestedTooDeep(v.line, v.column)
	}
	if c.count++; c.count > maxValues {
		return v, &syntaxError{v.line, v.column, fmt.Sprintf("the front matter has more than %d values", maxValues), "use fewer aliases (*name), or move data into a file of its own"}
	}
	switch n.Kind {
	case yaml.AliasNode:
		place := v
		v, err := c.value(n.Alias, depth+1)
		v.line, v.column = place.line, place.column
		return v, err
	case yaml.SequenceNode:
		v.kind = list
		v.items = make([]value, 0, len(n.Content))
		for _, item := range n.Content {
			iv, err := c.value(item, depth+1)
			if err != nil {
				return v, err
			}
			v.items = append(v.items, iv)
		}
	case yaml.MappingNode:
		v.kind = table
		v.fields = make([]field, 0, len(n.Content)/2)
		var merged []field
		for i := 0; i+1 < len(n.Content); i += 2 {
			k := n.Content[i]
			fv, err := c.value(n.Content[i+1], depth+1)
			if err != nil {
				return v, err
			}
			if k.Kind == yaml.ScalarNode && k.Tag == "!!merge" {
				merged = append(merged, fv.fields...)
				for _, item := range fv.items {
					merged = append(merged, item.fields...)
				}
				continue
			}
			f := field{key: k.Value, line: k.Line + c.base, column: k.Column, value: fv}
			if k.Kind != yaml.ScalarNode { // a key that is a list or a table names nothing we know
				continue
			}
			if first := find(v.fields, f.key); first != nil {
				twice := duplicateKey(f.key, f.line, f.column, first.line)
				if depth == 0 {
					c.again = append(c.again, twice)
				} else {
					c.twice = append(c.twice, twice)
				}
				*first = f // Ruby takes the last
				continue
			}
			v.fields = append(v.fields, f)
		}
		for _, f := range merged { // what the mapping says itself goes first
			if find(v.fields, f.key) == nil {
				v.fields = append(v.fields, f)
			}
		}
	case yaml.ScalarNode:
		v.text, v.quoted = n.Value, n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
		switch n.Tag {
		case "!!null":
			v.kind = null
		case "!!bool":
			v.kind = boolean
		case "!!int", "!!float":
			v.kind = number
		default:
			v.kind = text
		}
	}
	return v, nil
}

func find(fields []field, key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}

// place turns offsets of a text into lines and columns of the file, cheaply for
// offsets that grow.
type place struct {
	text   []byte
	line   int // of the file, at offset
	offset int // up to which lines are counted
}

func (p *place) at(offset int) (line, column int) {
	if offset < p.offset {
		p.line -= bytes.Count(p.text[offset:p.offset], []byte("\n"))
	} else {
		p.line += bytes.Count(p.text[p.offset:offset], []byte("\n"))
	}
	p.offset = offset
	start := bytes.LastIndexByte(p.text[:offset], '\n') + 1
	return p.line, utf8.RuneCount(p.text[start:offset]) + 1
}

// tooDeep reports brackets that open more than maxDepth levels; it counts those in
// quotes as well, which only errs on the safe side.
func tooDeep(raw []byte) bool {
	depth := 0
	for _, c := range raw {
		switch c {
		case '[', '{':
			if depth++; depth > maxDepth {
				return true
			}
		case ']', '}':
			depth = max(0, depth-1)
		case '\n':
		}
	}
	return false
}

// parseTOML parses a TOML document whose first line is the given line of the file.
func parseTOML(raw []byte, line int) (value, *syntaxError) {
	if tooDeep(raw) {
		return value{}, nestedTooDeep(line, 1)
	}
	p := unstable.Parser{}
	p.Reset(raw)
	t := tomlBuilder{parser: &p, place: place{text: raw, line: line}}
	root := &tomlTable{value: value{kind: table, line: line, column: 1}}
	at := root
	for p.NextExpression() {
		e := p.Expression()
		var err *syntaxError
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at, err = t.open(root, e)
		case unstable.KeyValue:
			err = t.set(at, e)
		}
		if err != nil {
			return value{}, err
		}
	}
	if err := p.Error(); err != nil {
		what := err.Error()
		var pe *unstable.ParserError
		l, c := line, 1
		if errors.As(err, &pe) {
			what = pe.Message
			if len(pe.Highlight) > 0 {
				l, c = t.place.at(min(cap(raw)-cap(pe.Highlight), len(raw)))
			}
		}
		return value{}, &syntaxError{l, c, "the TOML cannot be read: " + what, `put text in quotes: key = "value"`}
	}
	return root.resolve(), nil
}

// tomlTable is a table while it grows: TOML may come back to one.
type tomlTable struct {
	value    value
	children []*tomlChild
	inline   bool // written as { … }, or by a value: it cannot be opened again
	header   bool // [its own header] was seen
}

type tomlChild struct {
	key          string
	line, column int
	scalar       *value       // one of the three is set
	table        *tomlTable   //
	array        []*tomlTable // [[array of tables]]
}

func (t *tomlTable) child(key string) *tomlChild {
	for _, c := range t.children {
		if c.key == key {
			return c
		}
	}
	return nil
}

func (t *tomlTable) resolve() value {
	v := t.value
	for _, c := range t.children {
		f := field{key: c.key, line: c.line, column: c.column}
		switch {
		case c.scalar != nil:
			f.value = *c.scalar
		case c.table != nil:
			f.value = c.table.resolve()
		default:
			f.value = value{kind: list, line: c.line, column: c.column}
			for _, item := range c.array {
				f.value.items = append(f.value.items, item.resolve())
			}
		}
		v.fields = append(v.fields, f)
	}
	return v
}

type tomlBuilder struct {
	parser *unstable.Parser
	place  place
	count  int
}

func (t *tomlBuilder) at(n *unstable.Node) (line, column int) { return t.place.at(int(n.Raw.Offset)) }

// open finds or makes the table that a header names.
func (t *tomlBuilder) open(root *tomlTable, e *unstable.Node) (*tomlTable, *syntaxError) {
	at := root
	for it := e.Key(); it.Next(); {
		n := it.Node()
		line, column := t.at(n)
		key, last := string(n.Data), it.IsLast()
		c := at.child(key)
		fresh := &tomlTable{value: value{kind: table, line: line, column: column}}
		switch {
		case c == nil:
			c = &tomlChild{key: key, line: line, column: column}
			if last && e.Kind == unstable.ArrayTable {
				c.array = []*tomlTable{fresh}
			} else {
				fresh.header = last
				c.table = fresh
			}
			at.children = append(at.children, c)
			at = fresh
		case c.array != nil && last && e.Kind == unstable.ArrayTable:
			c.array = append(c.array, fresh)
			at = fresh
		case c.array != nil && !last:
			at = c.array[len(c.array)-1]
		case c.table != nil && !c.table.inline && !(last && (c.table.header || e.Kind == unstable.ArrayTable)):
			c.table.header = c.table.header || last
			at = c.table
		default:
			return nil, duplicateKey(key, line, column, c.line)
		}
	}
	return at, nil
}

// set stores a key, dotted or not, of a table.
func (t *tomlBuilder) set(at *tomlTable, e *unstable.Node) *syntaxError {
	for it := e.Key(); it.Next(); {
		n := it.Node()
		line, column := t.at(n)
		key := string(n.Data)
		c := at.child(key)
		if it.IsLast() {
			if c != nil {
				return duplicateKey(key, line, column, c.line)
			}
			v, err := t.value(e.Value(), line, column)
			if err != nil {
				return err
			}
			at.children = append(at.children, &tomlChild{key: key, line: line, column: column, scalar: v})
			return nil
		}
		if c == nil {
			c = &tomlChild{key: key, line: line, column: column, table: &tomlTable{value: value{kind: table, line: line, column: column}}}
			at.children = append(at.children, c)
		}
		if c.table == nil {
			return duplicateKey(key, line, column, c.line)
		}
		at = c.table
	}
	return nil
}

// value converts a node; arrays have no place of their own and take that of their key.
func (t *tomlBuilder) value(n *unstable.Node, line, column int) (*value, *syntaxError) {
	if t.count++; t.count > maxValues {
		return nil, &syntaxError{line, column, fmt.Sprintf("the front matter has more than %d values", maxValues), "move data into a file of its own"}
	}
	if n.Raw.Length > 0 && n.Kind != unstable.Array && n.Kind != unstable.InlineTable {
		line, column = t.at(n)
	}
	v := &value{kind: text, text: string(n.Data), line: line, column: column}
	switch n.Kind {
	case unstable.Array:
		v.kind = list
		for it := n.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			item, err := t.value(it.Node(), line, column)
			if err != nil {
				return nil, err
			}
			v.items = append(v.items, *item)
		}
	case unstable.InlineTable:
		inner := &tomlTable{value: value{kind: table, line: line, column: column}, inline: true}
		for it := n.Children(); it.Next(); {
			if it.Node().Kind != unstable.KeyValue {
				continue
			}
			if err := t.set(inner, it.Node()); err != nil {
				return nil, err
			}
		}
		resolved := inner.resolve()
		v = &resolved
	case unstable.Bool:
		v.kind = boolean
	case unstable.Integer, unstable.Float:
		v.kind = number
	}
	return v, nil
}

// parseJSON parses a JSON object whose first line is the given line of the file.
func parseJSON(raw []byte, line int) (value, *syntaxError) {
	if tooDeep(raw) {
		return value{}, nestedTooDeep(line, 1)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	p := jsonParser{dec: dec, place: place{text: raw, line: line}}
	v, err := p.value()
	if err != nil {
		var se *syntaxError
		if errors.As(err, &se) {
			return value{}, se
		}
		offset := dec.InputOffset()
		var je *json.SyntaxError
		if errors.As(err, &je) {
			offset = je.Offset - 1
		}
		l, c := p.place.at(int(max(0, min(offset, int64(len(raw))))))
		what := err.Error()
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			what = "it ends too early"
		}
		return value{}, &syntaxError{l, c, "the JSON cannot be read: " + what, "put keys and text in double quotes, with commas between the keys and none after the last"}
	}
	return v, nil
}

type jsonParser struct {
	dec   *json.Decoder
	place place
}

// next returns a token and the place where it begins.
func (p *jsonParser) next() (tok json.Token, line, column int, err error) {
	offset := int(p.dec.InputOffset())
	for offset < len(p.place.text) && strings.IndexByte(" \t\r\n,:", p.place.text[offset]) >= 0 {
		offset++
	}
	tok, err = p.dec.Token()
	line, column = p.place.at(offset)
	return tok, line, column, err
}

func (p *jsonParser) value() (value, error) {
	tok, line, column, err := p.next()
	if err != nil {
		return value{}, err
	}
	v := value{line: line, column: column}
	switch t := tok.(type) {
	case json.Delim:
		if t == '[' {
			v.kind = list
			for p.dec.More() {
				item, err := p.value()
				if err != nil {
					return v, err
				}
				v.items = append(v.items, item)
			}
		} else {
			v.kind = table
			for p.dec.More() {
				k, line, column, err := p.next()
				if err != nil {
					return v, err
				}
				key, _ := k.(string)
				if first := find(v.fields, key); first != nil {
					return v, duplicateKey(key, line, column, first.line)
				}
				item, err := p.value()
				if err != nil {
					return v, err
				}
				v.fields = append(v.fields, field{key: key, line: line, column: column, value: item})
			}
		}
		_, err := p.dec.Token() // the closing bracket
		return v, err
	case string:
		v.kind, v.text = text, t
	case json.Number:
		v.kind, v.text = number, t.String()
	case bool:
		v.kind, v.text = boolean, strconv.FormatBool(t)
	}
	return v, nil
}

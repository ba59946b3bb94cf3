package frontmatter

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// parseAnyYAML parses a YAML document whose first line is the given line of the file.
func parseAnyYAML(raw []byte, line int) (Value, *Error) {
	root, err := wholeYAML(raw)
	if err != nil && strings.HasSuffix(err.Error(), "control characters are not allowed") { // other programs allow them
		raw = bytes.Map(printable, raw)
		root, err = wholeYAML(raw)
	}
	if err != nil {
		return Value{}, yamlError(err, raw, line)
	}
	if len(root.Content) == 0 {
		return Value{Line: line, Column: 1}, nil
	}
	c := yamlConverter{base: line - 1}
	v, mistake := c.value(root.Content[0], 0)
	v.Again, v.Twice = c.again, c.twice
	return v, mistake
}

// wholeYAML parses a YAML document, and what comes after it: to YAML, a key that is indented less
// than the first one ends the document, and a "draft: true" there would not be read. A text, or a
// list in brackets, is a mistake by itself.
func wholeYAML(raw []byte) (root yaml.Node, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	if err = decoder.Decode(&root); err == nil {
		first := root.Content[0]
		if first.Kind == yaml.MappingNode || first.Kind == yaml.SequenceNode && first.Style&yaml.FlowStyle == 0 {
			err = decoder.Decode(new(yaml.Node))
		}
	}
	if err == io.EOF {
		err = nil
	}
	return root, err
}

// printable returns r, or -1 if YAML 1.2.2, production 1, does not allow it in a text.
func printable(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85, ' ' <= r && r <= '~', 0xa0 <= r && r <= 0xfffd && r != 0xfeff, r > 0xffff:
		return r
	}
	return -1
}

// WithoutTabs writes two spaces for each tab at the beginning of a line, as Hexo does before it
// reads YAML.
func WithoutTabs(text []byte) []byte {
	return regexp.MustCompile(`(?m)^\t+`).ReplaceAllFunc(text, func(tabs []byte) []byte { return bytes.Repeat([]byte("  "), len(tabs)) })
}

// parseYAML parses a YAML mapping whose first line is the given line of the file.
func parseYAML(raw []byte, line int) (Value, *Error) {
	if v, ok := plainYAML(raw, line); ok {
		return v, nil
	}
	v, err := parseAnyYAML(raw, line)
	if err != nil {
		return Value{}, err
	}
	switch v.Kind {
	case Table, Null:
		v.Kind = Table
		return v, nil
	}
	return Value{}, &Error{v.Line, v.Column, "this is " + v.Kind.String() + ", not keys with values", cmp.Or(oddSign(raw), keyOnALine)}
}

// yamlError converts an error in YAML whose first line is the given line of the file. The
// YAML package names the line where the broken construct begins, or the one before, in the
// form "yaml: line 3: what"; people want the line that breaks it.
func yamlError(err error, raw []byte, line int) *Error {
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
	n := max(broken, 1)
	if c := unmerged(raw, line); c != nil {
		return c
	}
	text := string(bytes.TrimRight(lineAt(raw, n), "\r\n"))
	if strings.Contains(what, "mapping values are not allowed") && !strings.Contains(valueOf(text), ": ") {
		// A text without a key in the same column has become the key's beginning.
		if above, at := lineAbove(raw, n); margin(above) == margin(text) && above != "" && !strings.Contains(above+" ", ": ") {
			n, text, what = at, above, noColon
		}
	}
	at, hint := yamlHint(what, text)
	return &Error{line + n - 1, utf8.RuneCountInString(text[:at]) + 1, "the YAML cannot be read: " + what, hint}
}

// What the YAML package says about a line that should have a key.
const (
	noColon = "could not find expected ':'"
	noKey   = "did not find expected key"
)

// yamlHint returns where on a line the mistake is that the YAML package reports, and how to put
// it right.
func yamlHint(what, line string) (at int, hint string) {
	value := strings.TrimLeft(valueOf(line), " ")
	keyAt, valueAt := margin(line), len(line)-len(value)
	key, _ := utf8.DecodeRuneInString(line[keyAt:])
	first, _ := utf8.DecodeRuneInString(value)
	isQuote := func(r rune) bool { return r == '"' || r == '\'' }
	colonAt := keyAt // without one, the key does not begin where it must
	if i := strings.Index(value+" ", ": "); i >= 0 && valueAt > 0 {
		colonAt = valueAt + i
	}
	tabAt := strings.IndexByte(line, '\t')
	indent := line[:len(line)-len(strings.TrimLeft(line, " -\t"))]
	signAt := reserved(line)
	flowAt, flowHint := flowMistake(line)
	inQuotes := func(at int) string {
		sign, _ := utf8.DecodeRuneInString(line[max(0, at):])
		return fmt.Sprintf("put a value that begins with %c in quotes", sign)
	}
	const (
		spaces       = "indent with spaces, not tabs"
		closeQuote   = "close the quote that is opened here"
		notInContext = `put a value that begins with "- ", "? ", > or | in quotes`
		asTheOthers  = "indent it as the lines that it belongs to"
		noAnchor     = "put a value that begins with * or & in quotes"
		backslash    = `write \\ for each \ between double quotes, or put the value in single quotes`
	)
	for _, m := range [...]struct {
		says string // a part of what the YAML package says
		when bool
		at   int
		hint string
	}{
		{"mapping values are not allowed", isOddQuote(first), valueAt, oddSign([]byte(value))},
		{"mapping values are not allowed", true, colonAt, `put a value that contains ": " in quotes, and let all keys begin in one column`},
		{"found a tab", true, tabAt, spaces},
		{"cannot start any token", strings.Contains(indent, "\t"), tabAt, spaces},
		{"cannot start any token", signAt >= 0, signAt, inQuotes(signAt)},
		{"cannot start any token", flowHint != "", flowAt, flowHint},
		{"unknown anchor", true, valueAt, noAnchor},
		{"alphabetic or numeric", true, valueAt, noAnchor},
		{"unexpected end of stream", isQuote(key) && !isQuote(first), keyAt, closeQuote},
		{"unexpected end of stream", true, valueAt, closeQuote},
		{"escape", true, strings.IndexByte(line, '\\'), backslash},
		{"hexdecimal number", true, strings.IndexByte(line, '\\'), backslash},
		{"not allowed in this context", true, valueAt, notInContext},
		{"comment or line break", true, valueAt, notInContext},
		{noColon, isQuote(key), keyAt, closeQuote},
		{noColon, key == '[' || key == '{', keyAt, "close the bracket that is opened here"},
		{noColon, true, keyAt, cmp.Or(oddSign([]byte(line)), keyOnALine)},
		{noKey, isQuote(first), valueAt + quoteEnd(value), `let nothing follow the quote that closes a value; within "…" write \" for a quote, and within '…' write '' for one`},
		{noKey, first == '[' || first == '{', valueAt, inQuotes(valueAt)},
		{noKey, keyAt > 0, keyAt, asTheOthers},
		{noKey, true, 0, keyOnALine},
		{"expected '-' indicator", true, keyAt, asTheOthers},
		{"<document start>", key == '-', keyAt, asTheOthers},
		{"<document start>", true, keyAt, "let all keys begin in one column, and put no braces around some of them"},
		{"node content", first == ']' || first == '}', valueAt, inQuotes(valueAt)},
		{"node content", flowHint != "", flowAt, flowHint},
		{"',' or", flowHint != "", flowAt, flowHint},
	} {
		if m.when && strings.Contains(what, m.says) {
			return max(0, m.at), m.hint
		}
	}
	return keyAt, "look for a missing quote, bracket or indent on this line or the one above"
}

// margin returns by how many spaces a line is indented.
func margin(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// quoteEnd returns where the text after a value in quotes begins; if the quotes have no end, 0,
// which is where they begin.
func quoteEnd(value string) int {
	for i := 1; i < len(value); i++ {
		switch {
		case value[i] == '\\' && value[0] == '"', value[i] == '\'' && strings.HasPrefix(value[i:], "''") && value[0] == '\'':
			i++
		case value[i] == value[0]:
			rest := value[i+1:]
			return i + 1 + margin(rest)
		}
	}
	return 0
}

// fromLine returns a text from a line on, which is counted from 1.
func fromLine(text []byte, line int) []byte {
	for ; line > 1; line-- {
		_, text = cutLine(text)
	}
	return text
}

// lineAt returns a line of a text, from 1.
func lineAt(text []byte, line int) []byte {
	first, _ := cutLine(fromLine(text, line))
	return first
}

// lineAbove returns the last line above a line of a text that is not blank, and its number; "" if
// there is none. Lines are counted from 1.
func lineAbove(text []byte, line int) (above string, at int) {
	before := bytes.TrimRight(text[:len(text)-len(fromLine(text, line))], " \t\r\n")
	return string(before[bytes.LastIndexByte(before, '\n')+1:]), 1 + bytes.Count(before, []byte("\n"))
}

// valueOf returns what follows the first key of a line, or the mark of an item.
func valueOf(line string) string {
	if _, after, found := strings.Cut(line, ": "); found {
		return after
	}
	return strings.TrimPrefix(strings.TrimLeft(line, " "), "- ")
}

// yamlBreaks returns the line, from 1, that breaks a YAML document: all above it can be parsed, but
// with it no longer; 0 if that would take long to find out.
func yamlBreaks(raw []byte) int {
	const mostLines, mostBytes = 300, 16 << 10
	lines := bytes.SplitAfter(raw, []byte("\n"))
	if len(lines) > mostLines || len(raw) > mostBytes {
		return 0
	}
	for n := len(lines) - 1; n > 0; n-- {
		raw = raw[:len(raw)-len(lines[n])]
		if _, err := wholeYAML(raw); err == nil {
			return n + 1
		}
	}
	return 1
}

type yamlConverter struct {
	base  int // added to a node's line
	count int
	duplicates
}

func (c *yamlConverter) value(n *yaml.Node, depth int) (Value, *Error) {
	v := Value{Line: n.Line + c.base, Column: n.Column}
	if depth > maxDepth {
		return v, nestedTooDeep(v.Line, v.Column)
	}
	if c.count++; c.count > maxValues {
		return v, tooMany(v.Line, v.Column, "use fewer aliases (*name), or "+moveData)
	}
	switch n.Kind {
	case yaml.AliasNode:
		place := v
		v, err := c.value(n.Alias, depth+1)
		v.Line, v.Column = place.Line, place.Column
		return v, err
	case yaml.SequenceNode:
		v.Kind = List
		v.Items = make([]Value, 0, len(n.Content))
		for _, item := range n.Content {
			iv, err := c.value(item, depth+1)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, iv)
		}
	case yaml.MappingNode:
		fields, err := c.fields(n, depth)
		v.Kind, v.Fields = Table, fields
		return v, err
	case yaml.ScalarNode:
		v.Text, v.Quoted = n.Value, n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0
		if text, ok := binary(n); ok {
			v.Kind, v.Text = Text, text
			return v, nil
		}
		switch n.Tag {
		case "!!null":
			v.Kind, v.Text = Null, ""
		case "!!bool":
			v.Kind = Boolean
		case "!!int", "!!float":
			v.Kind = Number
		case "!!str", "!!timestamp", "!!binary", "!!merge":
			v.Kind = Text
		default:
			v.Kind = Text
			if isPlain := n.Style&^yaml.TaggedStyle == 0; isPlain && len(n.Tag) > 1 && strings.HasPrefix(n.Tag, "!") {
				v.Text = strings.TrimSpace(n.Tag + " " + v.Text) // to YAML, the first word of a text that begins with ! is a tag
			}
		}
	}
	return v, nil
}

// binary returns the text of a scalar with the tag !!binary or, as Ruby has long written texts that
// are not ASCII, !binary: it is in Base64. It reports whether the scalar is such a text.
func binary(n *yaml.Node) (text string, ok bool) {
	if n.Tag != "!!binary" && n.Tag != "!binary" {
		return "", false
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	return string(decoded), err == nil && utf8.Valid(decoded)
}

// fields converts the keys of a mapping and their values.
func (c *yamlConverter) fields(mapping *yaml.Node, depth int) ([]Field, *Error) {
	fields := make([]Field, 0, len(mapping.Content)/2)
	var merged []Field
	for pair := range slices.Chunk(mapping.Content, 2) {
		k := pair[0]
		v, err := c.value(pair[1], depth+1)
		switch {
		case err != nil:
			return fields, err
		case k.Kind != yaml.ScalarNode: // a key that is a list or a table names nothing we know
			continue
		case k.Tag == "!!merge":
			merged = append(merged, v.Fields...)
			for _, item := range v.Items {
				merged = append(merged, item.Fields...)
			}
			continue
		}
		f := Field{Key: k.Value, Line: k.Line + c.base, Column: k.Column, Value: v}
		if lost := lostToComment(k, pair[1]); lost != "" && depth == 0 {
			c.twice = append(c.twice, &Error{f.Line, f.Column, fmt.Sprintf("%q is a comment to YAML, and so not part of %s", lost, f.Key), "put the whole value in quotes"})
		}
		fields = c.put(fields, f, depth == 0)
	}
	for _, f := range merged { // the mapping's own keys override merged ones
		if find(fields, f.Key) == nil {
			fields = append(fields, f)
		}
	}
	return fields, nil
}

// lostToComment returns the end of a text that is a comment to YAML, as in "title: Walk #1", but
// was probably not meant as one. Comments have a space after their sign.
func lostToComment(key, value *yaml.Node) string {
	comment := cmp.Or(value.LineComment, key.LineComment)
	isText := value.Kind == yaml.ScalarNode && value.Style == 0 && (value.Tag == "!!str" || value.Tag == "!!null")
	if !isText || len(comment) < 2 || comment[1] == ' ' || comment[1] == '#' {
		return ""
	}
	switch strings.ToLower(key.Value) {
	case "title", "summary", "description", "author", "authors", "tags", "categories":
		return comment
	}
	return ""
}

package frontmatter

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML parses a TOML document whose first line is the given line of the file.
func parseTOML(raw []byte, line int) (Value, *Error) {
	if tooDeep(raw) {
		return Value{}, nestedTooDeep(line, 1)
	}
	p := unstable.Parser{}
	p.Reset(raw)
	t := tomlBuilder{parser: &p, place: place{text: raw, line: line}}
	root := &tomlTable{value: Value{Kind: Table, Line: line, Column: 1}}
	at := root
	for p.NextExpression() {
		e := p.Expression()
		var err *Error
		switch e.Kind {
		case unstable.Table, unstable.ArrayTable:
			at, err = t.open(root, e)
		case unstable.KeyValue:
			err = t.set(at, e)
		}
		if err != nil {
			return Value{}, err
		}
	}
	if err := p.Error(); err != nil {
		if c := unmerged(raw, line); c != nil {
			return Value{}, c
		}
		what := err.Error()
		var pe *unstable.ParserError
		l, c := line, 1
		if errors.As(err, &pe) {
			what = pe.Message
			if len(pe.Highlight) > 0 {
				at := min(cap(raw)-cap(pe.Highlight), len(raw))
				l, c = t.place.at(at)
				if sign, n := utf8.DecodeRune(raw[at:]); n > 1 { // of which the parser names the first byte
					what = strings.Replace(what, fmt.Sprintf("%U '%c'", raw[at], raw[at]), fmt.Sprintf("%U '%c'", sign, sign), 1)
				}
			}
		}
		return Value{}, &Error{l, c, "the TOML cannot be read: " + what, tomlHint(what, lineAt(raw, l-line+1))}
	}
	return root.resolve(), nil
}

// tomlHint says how to mend what the parser finds wrong in a line.
func tomlHint(what string, text []byte) string {
	_, value, _ := strings.Cut(string(text), "=")
	value = strings.ToLower(strings.TrimSpace(value))
	switch {
	case oddSign(text) != "":
		return oddSign(text)
	case strings.Contains(what, "escape"):
		return `write \\ for each \ between double quotes, or put the text in single quotes`
	case strings.Contains(what, "not terminated"):
		return "close the quotes that are opened: " + what[strings.LastIndexByte(what, ' ')+1:]
	case strings.Contains(what, "leading zeroes"):
		return "write a number without zeros before it, and a date as 2006-01-02"
	case strings.Contains(what, "array is incomplete"):
		return "close the bracket of the list"
	case strings.Contains(what, "expected value but got"):
		return "remove the comma"
	case strings.Contains(what, "start of key"):
		return `write "key = value" on a line, and # before a comment`
	case strings.Contains(what, "have new lines"):
		return "close the quote that is opened on this line"
	case strings.Contains(what, "expected '=' after"), strings.HasPrefix(value, "="), strings.HasPrefix(value, ">"):
		return `write "key = value" on a line, with an equals sign`
	case strings.Contains(what, "expected ',' or"):
		return "look for a missing comma or bracket on this line or the one above"
	case strings.Contains(what, "to close array table"):
		return "close the brackets around the name of the table, as in [[extra]]"
	case strings.Contains(what, "to close table"):
		return "close the brackets around the name of the table, as in [extra]"
	case strings.Contains(what, "expected newline") && !strings.Contains(what, "'.'"):
		return `let nothing follow a value on its line; within "…" write \" for a quote, and put text with ' in double quotes`
	case value == "" && strings.Contains(what, "start of value"):
		return "write a value behind the equals sign, or remove the line"
	case value == "true" || value == "false" || value == "yes" || value == "no":
		return "write true or false in small letters"
	}
	return `put text in quotes: key = "value"`
}

// tomlTable is a table that may still grow: TOML may come back to it.
type tomlTable struct {
	value    Value
	children []*tomlChild
	inline   bool // written as { … }: it cannot be opened again
	header   bool // [its own header] was seen
}

type tomlChild struct {
	key          string
	line, column int
	scalar       *Value       // exactly one of these three is set
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

func (t *tomlTable) resolve() Value {
	v := t.value
	for _, c := range t.children {
		f := Field{Key: c.key, Line: c.line, Column: c.column}
		switch {
		case c.scalar != nil:
			f.Value = *c.scalar
		case c.table != nil:
			f.Value = c.table.resolve()
		default:
			f.Value = Value{Kind: List, Line: c.line, Column: c.column}
			for _, item := range c.array {
				f.Value.Items = append(f.Value.Items, item.resolve())
			}
		}
		v.Fields = append(v.Fields, f)
	}
	return v
}

type tomlBuilder struct {
	parser *unstable.Parser
	place  place
	count  int
}

func (t *tomlBuilder) at(n *unstable.Node) (line, column int) { return t.place.at(int(n.Raw.Offset)) }

// open returns the table that a header names, and makes it where there is none.
func (t *tomlBuilder) open(root *tomlTable, e *unstable.Node) (*tomlTable, *Error) {
	at := root
	for it, depth := e.Key(), 0; it.Next(); depth++ {
		n := it.Node()
		line, column := t.at(n)
		if depth > maxDepth {
			return nil, nestedTooDeep(line, column)
		}
		if t.count++; t.count > maxValues {
			return nil, tooMany(line, column, moveData)
		}
		key, last := string(n.Data), it.IsLast()
		c := at.child(key)
		fresh := &tomlTable{value: Value{Kind: Table, Line: line, Column: column}}
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
func (t *tomlBuilder) set(at *tomlTable, e *unstable.Node) *Error {
	for it, depth := e.Key(), 0; it.Next(); depth++ {
		n := it.Node()
		line, column := t.at(n)
		if depth > maxDepth {
			return nestedTooDeep(line, column)
		}
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
			c = &tomlChild{key: key, line: line, column: column, table: &tomlTable{value: Value{Kind: Table, Line: line, Column: column}}}
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
func (t *tomlBuilder) value(n *unstable.Node, line, column int) (*Value, *Error) {
	if t.count++; t.count > maxValues {
		return nil, tooMany(line, column, moveData)
	}
	if n.Raw.Length > 0 && n.Kind != unstable.Array && n.Kind != unstable.InlineTable {
		line, column = t.at(n)
	}
	v := &Value{Kind: Text, Text: string(n.Data), Line: line, Column: column}
	switch n.Kind {
	case unstable.Array:
		v.Kind = List
		for it := n.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			item, err := t.value(it.Node(), line, column)
			if err != nil {
				return nil, err
			}
			v.Items = append(v.Items, *item)
		}
	case unstable.InlineTable:
		inner := &tomlTable{value: Value{Kind: Table, Line: line, Column: column}, inline: true}
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
		v.Kind = Boolean
	case unstable.Integer, unstable.Float:
		v.Kind = Number
	}
	return v, nil
}

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
	t := tomlBuilder{place: place{text: raw, line: line}}
	root := &tomlNode{value: Value{Kind: Table, Line: line, Column: 1}}
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
		return Value{}, tomlError(err, raw, line)
	}
	return root.resolve(), nil
}

// tooDeep reports whether brackets open more than maxDepth levels. It counts those in quotes as
// well, which only errs on the safe side.
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
		}
	}
	return false
}

// tomlError converts an error in TOML whose first line is the given line of the file.
func tomlError(err error, raw []byte, line int) *Error {
	if c := unmerged(raw, line); c != nil {
		return c
	}
	e := &Error{line, 1, err.Error(), ""}
	var pe *unstable.ParserError
	if errors.As(err, &pe) {
		e.What = pe.Message
		if len(pe.Highlight) > 0 {
			at := min(cap(raw)-cap(pe.Highlight), len(raw))
			e.Line, e.Column = (&place{text: raw, line: line}).at(at)
			if sign, n := utf8.DecodeRune(raw[at:]); n > 1 { // the parser names only its first byte
				e.What = strings.Replace(e.What, fmt.Sprintf("%U '%c'", raw[at], raw[at]), fmt.Sprintf("%U '%c'", sign, sign), 1)
			}
		}
	}
	e.Hint = tomlHint(e.What, lineAt(raw, e.Line-line+1))
	e.What = "the TOML cannot be read: " + e.What
	return e
}

// tomlHint says how to put right what the parser finds wrong in a line.
func tomlHint(what string, text []byte) string {
	_, value, _ := strings.Cut(string(text), "=")
	value = strings.ToLower(strings.TrimSpace(value))
	if hint := oddSign(text); hint != "" {
		return hint
	}
	switch {
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
	case strings.Contains(what, "expected newline") && strings.Contains(what, "','"):
		return `write a list in brackets, as in ["one", "two"]`
	case strings.Contains(what, "expected newline") && !strings.Contains(what, "'.'"):
		return `let nothing follow a value on its line; within "…" write \" for a quote, and put text with ' in double quotes`
	case value == "" && strings.Contains(what, "start of value"):
		return "write a value after the equals sign, or remove the line"
	case value == "true" || value == "false" || value == "yes" || value == "no":
		return "write true or false in small letters"
	}
	return `put text in quotes: key = "value"`
}

// tomlNode is the value of a key, which may still grow: TOML may come back to a table.
type tomlNode struct {
	key          string
	line, column int // of the key
	value        Value
	children     []*tomlNode // of a table, or of [[an array of tables]], which value does not have yet
	header       bool        // whether it is a table whose [own header] was read
	whole        bool        // whether it stood after an equals sign, and so cannot be opened again
}

// child returns the child with this key; nil if there is none.
func (n *tomlNode) child(key string) *tomlNode {
	for _, c := range n.children {
		if c.key == key {
			return c
		}
	}
	return nil
}

// add adds a child, which is a table or a list.
func (n *tomlNode) add(key string, line, column int, kind Kind) *tomlNode {
	c := &tomlNode{key: key, line: line, column: column, value: Value{Kind: kind, Line: line, Column: column}}
	n.children = append(n.children, c)
	return c
}

func (n *tomlNode) resolve() Value {
	v := n.value
	for _, c := range n.children {
		if v.Kind == List {
			v.Items = append(v.Items, c.resolve())
		} else {
			v.Fields = append(v.Fields, Field{c.key, c.line, c.column, c.resolve()})
		}
	}
	return v
}

type tomlBuilder struct {
	place place
	count int
}

func (t *tomlBuilder) at(n *unstable.Node) (line, column int) { return t.place.at(int(n.Raw.Offset)) }

// open returns the table that a header names, and makes it if there is none.
func (t *tomlBuilder) open(root *tomlNode, e *unstable.Node) (*tomlNode, *Error) {
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
		isItem := last && e.Kind == unstable.ArrayTable
		c := at.child(key)
		switch {
		case c == nil && isItem:
			at = at.add(key, line, column, List).add("", line, column, Table)
		case c == nil:
			at = at.add(key, line, column, Table)
			at.header = last
		case c.whole, c.value.Kind == List && last != isItem, c.value.Kind == Table && last && (c.header || isItem):
			return nil, duplicateKey(key, line, column, c.line)
		case isItem:
			at = c.add("", line, column, Table)
		case c.value.Kind == List:
			at = c.children[len(c.children)-1]
		default:
			at = c
			at.header = at.header || last
		}
	}
	return at, nil
}

// set stores a key, dotted or not, of a table.
func (t *tomlBuilder) set(at *tomlNode, e *unstable.Node) *Error {
	for it, depth := e.Key(), 0; it.Next(); depth++ {
		n := it.Node()
		line, column := t.at(n)
		if depth > maxDepth {
			return nestedTooDeep(line, column)
		}
		key := string(n.Data)
		c := at.child(key)
		switch {
		case c != nil && (it.IsLast() || c.whole || c.value.Kind == List):
			return duplicateKey(key, line, column, c.line)
		case it.IsLast():
			v, err := t.value(e.Value(), line, column)
			if err != nil {
				return err
			}
			at.children = append(at.children, &tomlNode{key: key, line: line, column: column, value: v, whole: true})
		case c == nil:
			at = at.add(key, line, column, Table)
		default:
			at = c
		}
	}
	return nil
}

// value converts a node; arrays have no place of their own and take that of their key.
func (t *tomlBuilder) value(n *unstable.Node, line, column int) (Value, *Error) {
	if t.count++; t.count > maxValues {
		return Value{}, tooMany(line, column, moveData)
	}
	if n.Raw.Length > 0 && n.Kind != unstable.Array && n.Kind != unstable.InlineTable {
		line, column = t.at(n)
	}
	v := Value{Kind: Text, Text: string(n.Data), Line: line, Column: column}
	switch n.Kind {
	case unstable.Array:
		v.Kind = List
		for it := n.Children(); it.Next(); {
			item, err := t.value(it.Node(), line, column)
			if err != nil {
				return v, err
			}
			v.Items = append(v.Items, item)
		}
	case unstable.InlineTable:
		inner := &tomlNode{value: Value{Kind: Table, Line: line, Column: column}}
		for it := n.Children(); it.Next(); {
			if err := t.set(inner, it.Node()); err != nil {
				return v, err
			}
		}
		return inner.resolve(), nil
	case unstable.Bool:
		v.Kind = Boolean
	case unstable.Integer, unstable.Float:
		v.Kind = Number
	}
	return v, nil
}

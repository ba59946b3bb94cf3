package frontmatter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kind is what a value is, in whatever notation it was written.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Boolean
	Number
	Text
	List
	Table
)

func (k Kind) String() string {
	return [...]string{"nothing", "a boolean", "a number", "text", "a list", "a table"}[k]
}

// Value is a value of a front matter or of settings, with its place in its author's file.
type Value struct {
	Kind         Kind
	Text         string  // a scalar as it is written, without its quotes
	Quoted       bool    // whether a scalar of YAML had any, or it is a text of JavaScript
	Items        []Value // of a list
	Fields       []Field // of a table, in the author's order
	Line, Column int     // from 1; columns are counted in characters
	// Again and Twice are only set in the value of a whole document. They have its duplicate keys,
	// whose last value counts: Again those of the outermost table, Twice those of inner ones. Twice
	// also has texts whose end YAML cuts off as a comment.
	Again, Twice []*Error
}

// Field is one entry of a table.
type Field struct {
	Key          string
	Line, Column int
	Value        Value
}

// Get returns the value of a key. It ignores the case of letters, as Hugo does.
func (v Value) Get(key string) (Value, bool) {
	for _, f := range v.Fields {
		if strings.EqualFold(f.Key, key) {
			return f.Value, true
		}
	}
	return Value{}, false
}

// Has reports whether there is a value of a key.
func (v Value) Has(key string) bool {
	_, ok := v.Get(key)
	return ok
}

// Error is a mistake in a notation: its place, what it is, and how to put it right.
type Error struct {
	Line, Column int
	What, Hint   string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.What) }

func duplicateKey(key string, line, column, first int) *Error {
	return &Error{line, column, fmt.Sprintf("the key %q is given twice", key),
		fmt.Sprintf("it was given on line %d first; keep one of the two", first)}
}

// duplicates gathers the keys that are given twice; see Value.
type duplicates struct{ again, twice []*Error }

// put adds a field to those of a table, or puts it in place of the one with the same key: Ruby, Go
// and JavaScript take the last. isOutermost is whether the table is in no other one.
func (d *duplicates) put(fields []Field, f Field, isOutermost bool) []Field {
	first := find(fields, f.Key)
	if first == nil {
		return append(fields, f)
	}
	of := &d.twice
	if isOutermost {
		of = &d.again
	}
	*of = append(*of, duplicateKey(f.Key, f.Line, f.Column, first.Line))
	*first = f
	return fields
}

func nestedTooDeep(line, column int) *Error {
	return &Error{line, column, fmt.Sprintf("values lie more than %d levels deep in each other", maxDepth), "flatten the front matter"}
}

func find(fields []Field, key string) *Field {
	for i := range fields {
		if fields[i].Key == key {
			return &fields[i]
		}
	}
	return nil
}

const moveData = "move data into a file of its own"

// tooMany is the error of a file with more than maxValues values.
func tooMany(line, column int, hint string) *Error {
	return &Error{line, column, fmt.Sprintf("the front matter has more than %d values", maxValues), hint}
}

// place turns offsets of a text, each of which is at least as large as the last, into lines and
// columns of the file. It counts from the last, as a text may be one long line.
type place struct {
	text   []byte
	line   int // of the file, at offset
	column int // at offset, from 0
	offset int // up to which lines and columns are counted
}

func (p *place) at(offset int) (line, column int) {
	passed := p.text[p.offset:offset]
	if last := bytes.LastIndexByte(passed, '\n'); last >= 0 {
		p.line += bytes.Count(passed, []byte("\n"))
		p.column, passed = 0, passed[last+1:]
	}
	p.column += utf8.RuneCount(passed)
	p.offset = offset
	return p.line, p.column + 1
}

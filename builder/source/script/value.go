package script

import (
	"iter"
	"slices"
)

// Kind is what a value is.
type Kind uint8

// The kinds of values.
const (
	Computed Kind = iota // known only when the program runs
	Nothing              // null or undefined
	Boolean
	Number
	Text
	List
	Object
)

// A Value is the value of an expression of a program.
type Value struct {
	Kind         Kind
	Text         string  // of a text, a number or a boolean
	Items        []Value // of a list; of a Computed value, what it is computed from; of an object, what else is spread into it
	Fields       []Field // of an object, each key once
	Name         string  // of the function or variable that computes it: "defineConfig", "path.join"
	Calls        []Value // of a function that is written out: what its statements call. Its items are what it returns
	Line, Column int     // from 1; columns are counted in characters
}

// A Field is one key of an object, or one name that a program declares.
type Field struct {
	Key          string
	Line, Column int
	Value        Value
}

// Get returns the value of a key of an object, or of the objects that a value is computed from. If
// several of these have the key, the result is computed from their values.
func (v Value) Get(key string) (found Value, ok bool) {
	if i := slices.IndexFunc(v.Fields, func(f Field) bool { return f.Key == key }); i >= 0 {
		return v.Fields[i].Value, true
	}
	if v.Kind == List {
		return Value{}, false
	}
	for _, part := range v.Items {
		switch said, has := part.Get(key); {
		case has && ok:
			found = Value{Items: []Value{found, said}, Line: found.Line, Column: found.Column}
		case has:
			found, ok = said, true
		}
	}
	return found, ok
}

// Texts returns the texts in a list, or the value itself if it is a text. known is false if there
// may be others.
func (v Value) Texts() (texts []string, known bool) {
	switch v.Kind {
	case Text:
		return []string{v.Text}, true
	case List:
		known = true
		for _, item := range v.Items {
			if item.Kind == Text {
				texts = append(texts, item.Text)
			} else {
				known = false
			}
		}
	}
	return texts, known
}

// Parts yields the value, its items, calls and fields, and the parts of these: all that is written
// out in it.
func (v Value) Parts() iter.Seq[Value] {
	return func(yield func(Value) bool) { v.parts(yield) }
}

func (v Value) parts(yield func(Value) bool) bool {
	if !yield(v) {
		return false
	}
	for _, of := range [][]Value{v.Items, v.Calls} {
		for _, part := range of {
			if !part.parts(yield) {
				return false
			}
		}
	}
	for _, f := range v.Fields {
		if !f.Value.parts(yield) {
			return false
		}
	}
	return true
}

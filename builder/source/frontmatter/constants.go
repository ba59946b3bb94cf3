package frontmatter

import (
	"bytes"
	"slices"

	"newsstand/builder/source/script"
)

// parseConstants parses front matter of Eleventy in JavaScript, without running it: either its
// statements declare constants, as in version 3, or it is one object.
//
//	const title = "A title";
//	const tags = ["a", 'b'];
//	const eleventyNavigation = {
//		key: "A",
//	};
//
// A computed value is an error.
func parseConstants(source []byte, line int) (Value, *Error) {
	object := bytes.HasPrefix(bytes.TrimSpace(source), []byte("{"))
	if object {
		source, line = append([]byte("export default\n"), source...), line-1
	}
	program, err := script.Parse("", source)
	if err != nil {
		return Value{}, &Error{line + err.Line - 1, err.Column, "the JavaScript cannot be read: " + err.What, constantsHint}
	}
	c := constants{line}
	if object {
		return c.value(program.Default())
	}
	return c.table(script.Value{Line: 1, Column: 1}, program.Declarations())
}

// parseProgram parses a file of JavaScript that exports an object, or a function that returns one.
// Computed values become null.
func parseProgram(source []byte) (Value, *Error) {
	program, err := script.Parse("", source)
	if err != nil {
		return Value{}, &Error{err.Line, err.Column, "the JavaScript cannot be read: " + err.What, ""}
	}
	return constants{1}.written(program.Default()), nil
}

// parseExports parses the metadata that a file of MDX without front matter exports above its text,
// as for Next.js:
//
//	import { ann } from './authors'
//
//	export const metadata = {
//		title: 'A title',
//		authors: [ann],
//	}
//
// What is written out in the arguments of a function is read, too. Computed values and tables, such
// as Next.js allows for a title, are left out. But a draft that is computed becomes a text, and one
// that is a table stays, because both are neither true nor false. ok is false if there is no such
// export.
func parseExports(body []byte) (said Value, ok bool) {
	if !bytes.Contains(body, []byte("export const ")) {
		return Value{}, false
	}
	closes := true // whether all brackets closed so far; after one that does not, they are ignored
	for line := 1; len(body) > 0; {
		var block, rest []byte
		block, rest, closes = cutStatements(body, closes)
		switch text := bytes.TrimSpace(block); {
		case bytes.Contains(text, []byte("export const meta")), bytes.Contains(text, []byte("export const front")):
			return parseExport(block, line)
		case len(text) > 0 && !bytes.HasPrefix(text, []byte("import ")) && !bytes.HasPrefix(text, []byte("export ")) && !bytes.HasPrefix(text, []byte("{/*")):
			return Value{}, false
		}
		line += bytes.Count(block, []byte("\n"))
		body = rest
	}
	return Value{}, false
}

// parseExport parses the statements, from a line of the file on, that may export the metadata.
func parseExport(statements []byte, line int) (said Value, ok bool) {
	program, err := script.Parse("", statements)
	if at := bytes.Index(statements, []byte("draft")); err != nil && at >= 0 { // whether it is a draft is not guessed
		l, column := (&place{text: statements, line: line}).at(at)
		return Value{
			Kind:   Table,
			Line:   line,
			Column: 1,
			Fields: []Field{{"draft", l, column, Value{Kind: Text, Text: "code that cannot be read", Line: l, Column: column}}},
		}, true
	}
	for _, name := range [...]string{"metadata", "frontmatter", "frontMatter", "meta"} {
		said = constants{line}.written(program.Export(name))
		if len(said.Fields) == 0 {
			continue
		}
		for i := range said.Fields {
			if f := &said.Fields[i]; f.Key == "draft" && f.Value.Kind == Null { // it is not guessed here, either
				f.Value.Kind, f.Value.Text = Text, "computed"
			}
		}
		said.Fields = slices.DeleteFunc(said.Fields, func(f Field) bool { return f.Value.Kind == Null || f.Value.Kind == Table && f.Key != "draft" })
		return said, true
	}
	return Value{}, false
}

// cutStatements cuts off the lines up to an empty one; if brackets is set, up to one outside of
// brackets, as MDX does. closed is whether these brackets close.
func cutStatements(body []byte, brackets bool) (block, rest []byte, closed bool) {
	length := bytes.Index(body, []byte("\n\n")) + 1
	switch {
	case brackets:
		length, closed = script.Statements(string(body[:min(len(body), script.MaxBytes)]))
	case length == 0:
		length = len(body)
	}
	_, rest = cutLine(body[length:])
	return body[:len(body)-len(rest)], rest, closed
}

// written returns the exported table, with null for each computed value.
func (c constants) written(exported script.Value) Value {
	said, seen := Value{Kind: Table}, map[string]bool{}
	for _, f := range fieldsOf(exported) {
		if seen[f.Key] {
			continue
		}
		seen[f.Key] = true
		line := c.line + f.Line - 1
		found, _ := exported.Get(f.Key)
		value, err := c.value(found)
		if err != nil {
			value = Value{Kind: Null, Line: line, Column: f.Column}
		}
		said.Fields = append(said.Fields, Field{f.Key, line, f.Column, value})
	}
	return said
}

// fieldsOf returns the fields of a value, and of the values that it is computed from, except lists.
func fieldsOf(v script.Value) (fields []script.Field) {
	if v.Kind == script.List {
		return nil
	}
	fields = append(fields, v.Fields...)
	for _, part := range v.Items {
		fields = append(fields, fieldsOf(part)...)
	}
	return fields
}

const constantsHint = `give each key a plain value, as in const title = "A title"; or write it in YAML between two lines ---`

// constants converts the values of a program that begins on a line of the file.
type constants struct{ line int }

func (c constants) value(v script.Value) (Value, *Error) {
	out := Value{Text: v.Text, Line: c.line + v.Line - 1, Column: v.Column}
	switch v.Kind {
	case script.Computed:
		return Value{}, &Error{out.Line, out.Column, "the front matter is JavaScript, which is not run here", constantsHint}
	case script.Boolean:
		out.Kind = Boolean
	case script.Number:
		out.Kind = Number
	case script.Text:
		out.Kind, out.Quoted = Text, true
	case script.Object:
		if len(v.Items) > 0 { // an unknown value is spread into it
			return c.value(v.Items[0])
		}
		return c.table(v, v.Fields)
	case script.List:
		out.Kind = List
		for _, item := range v.Items {
			said, err := c.value(item)
			if err != nil {
				return Value{}, err
			}
			out.Items = append(out.Items, said)
		}
	}
	return out, nil
}

// table converts the fields of an object.
func (c constants) table(of script.Value, fields []script.Field) (Value, *Error) {
	out := Value{Kind: Table, Line: c.line + of.Line - 1, Column: of.Column}
	for _, f := range fields {
		said, err := c.value(f.Value)
		if err != nil {
			return Value{}, err
		}
		out.Fields = append(out.Fields, Field{f.Key, c.line + f.Line - 1, f.Column, said})
	}
	return out, nil
}

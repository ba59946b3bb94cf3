package source

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"newsstand/builder/source/frontmatter"
)

func textOf(v frontmatter.Value, keys ...string) string { return lineOf(inner(v, keys...)) }

func flagOf(v frontmatter.Value, keys ...string) bool { return isTrue(inner(v, keys...)) }

func isTrue(v frontmatter.Value) bool {
	return v.Kind == frontmatter.Boolean && strings.EqualFold(v.Text, "true")
}

func isFalse(v frontmatter.Value) bool {
	return v.Kind == frontmatter.Boolean && strings.EqualFold(v.Text, "false")
}

// truth reads a boolean in any of its spellings. ok is false if the text is not a boolean.
func truth(text string) (is, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "y", "1", "t":
		return true, true
	case "false", "no", "off", "n", "0", "f":
		return false, true
	}
	return false, false
}

// inner returns the value at a path of keys through nested tables, or the zero value if there is
// none. It takes values of front matter, or of a script.
func inner[V interface{ Get(key string) (V, bool) }](v V, keys ...string) V {
	for _, key := range keys {
		v, _ = v.Get(key)
	}
	return v
}

// under returns a table with one key, whose value is v.
func under(key string, v frontmatter.Value) frontmatter.Value {
	return frontmatter.Value{Kind: frontmatter.Table, Fields: []frontmatter.Field{{Key: key, Value: v}}}
}

// merge adds the fields of the table more to a copy of the table v. If both have a key, the value
// in more wins; tables under the same key are merged. The result has the place of more. If v or
// more is not a table, merge returns more.
func merge(v, more frontmatter.Value) frontmatter.Value {
	if v.Kind != frontmatter.Table || more.Kind != frontmatter.Table {
		return more
	}
	v.Fields, v.Line, v.Column = slices.Clone(v.Fields), more.Line, more.Column
	for _, f := range more.Fields {
		i := indexOfKey(v.Fields, f.Key)
		if i < 0 {
			v.Fields = append(v.Fields, f)
		} else {
			v.Fields[i].Value = merge(v.Fields[i].Value, f.Value)
		}
	}
	return v
}

// indexOfKey returns the index of the first field with a key, whose case does not matter, or -1.
func indexOfKey(fields []frontmatter.Field, key string) int {
	return slices.IndexFunc(fields, func(f frontmatter.Field) bool { return strings.EqualFold(f.Key, key) })
}

// valueOfYAML returns the value of a literal of a program that was rewritten as YAML; ok is false
// if it is none.
func valueOfYAML(literal []byte) (v frontmatter.Value, ok bool) {
	table, _ := frontmatter.ParseTable("", slices.Concat([]byte("a: "), literal)) // empty if it cannot be parsed
	return table.Get("a")
}

// isName reports whether such a value has no quotes, and so names something in the program.
func isName(v frontmatter.Value) bool { return v.Kind == frontmatter.Text && !v.Quoted }

// scalars returns the texts of a list, or the single text in place of a list.
func scalars(v frontmatter.Value) []string {
	var out []string
	for _, item := range items(v) {
		if !isTree(item) && item.Kind != frontmatter.Null {
			out = append(out, item.Text)
		}
	}
	return out
}

// items returns the items of a list, or the single value in place of a list. It returns none for
// null.
func items(v frontmatter.Value) []frontmatter.Value {
	if v.Kind == frontmatter.List || v.Kind == frontmatter.Null {
		return v.Items
	}
	return []frontmatter.Value{v}
}

// isTree reports whether a value is a list or a table.
func isTree(v frontmatter.Value) bool {
	return v.Kind == frontmatter.List || v.Kind == frontmatter.Table
}

// firstText returns a text, the first text of a list, or the address in a table; else "".
func firstText(v frontmatter.Value) string {
	switch v.Kind {
	case frontmatter.Text:
		return strings.TrimSpace(v.Text)
	case frontmatter.List:
		if len(v.Items) > 0 {
			return firstText(v.Items[0])
		}
	case frontmatter.Table:
		for _, key := range []string{"src", "url", "path", "image", "file", "relative"} {
			if inner, ok := v.Get(key); ok && inner.Kind == frontmatter.Text {
				return strings.TrimSpace(inner.Text)
			}
		}
	}
	return ""
}

// show returns a value as messages show it: quoted and cut to 60 characters, or the name of its
// kind if it is not a scalar.
func show(v frontmatter.Value) string {
	if isTree(v) || v.Kind == frontmatter.Null {
		return v.Kind.String()
	}
	s := v.Text
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}

// collapse returns a text as one line. Control characters count as spaces, because nobody could
// search for them.
func collapse(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) && !strings.Contains(s, "\u00a0") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// lineOf returns a scalar as one line, or "" for any other value.
func lineOf(v frontmatter.Value) string { return collapse(v.Text) }

// proseOf returns a scalar as one line if it has a letter or digit, or "" for any other value, such
// as the full stop that a theme demands for a description.
func proseOf(v frontmatter.Value) string {
	line := lineOf(v)
	if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return line
}

// unlinked returns the text that a link to a note shows, as in Obsidian's properties: Ann for
// [[Ann]] and [[people/Ann|Ann]]. It returns any other text as one line.
func unlinked(s string) string {
	s = collapse(s)
	inner, opens := strings.CutPrefix(s, "[[")
	inner, closes := strings.CutSuffix(inner, "]]")
	if !opens || !closes || strings.ContainsAny(inner, "[]") {
		return s
	}
	return strings.TrimSpace(inner[strings.LastIndexByte(inner, '|')+1:])
}

// dedupe removes duplicates in place, and keeps the first of each.
func dedupe[T comparable](in []T) []T {
	known := make(map[T]bool, len(in))
	return slices.DeleteFunc(in, func(v T) bool {
		again := known[v]
		known[v] = true
		return again
	})
}

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

// truth reads a boolean in any of its spellings; ok is false where the text is none.
func truth(text string) (is, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "y", "1", "t":
		return true, true
	case "false", "no", "off", "n", "0", "f":
		return false, true
	}
	return false, false
}

// inner returns the value of a key in the table of the key before it, and so on; an empty one where
// there is none. The values are those of front matter, or of a script.
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

// merge adds the fields of the table more to v. Where both have a key, the value in more wins. The
// table is said to stand where more does.
func merge(v, more frontmatter.Value) frontmatter.Value {
	if v.Kind != frontmatter.Table || more.Kind != frontmatter.Table {
		return more
	}
	v.Fields, v.Line, v.Column = slices.Clone(v.Fields), more.Line, more.Column
	for _, f := range more.Fields {
		i := slices.IndexFunc(v.Fields, func(known frontmatter.Field) bool { return strings.EqualFold(known.Key, f.Key) })
		if i < 0 {
			v.Fields = append(v.Fields, f)
		} else {
			v.Fields[i].Value = merge(v.Fields[i].Value, f.Value)
		}
	}
	return v
}

// scalars returns the texts of a list, or the one text that stands where a list could.
func scalars(v frontmatter.Value) []string {
	var out []string
	for _, item := range items(v) {
		if !isTree(item) && item.Kind != frontmatter.Null {
			out = append(out, item.Text)
		}
	}
	return out
}

// items returns the items of a list, or the one value that stands where a list could, if there is
// one.
func items(v frontmatter.Value) []frontmatter.Value {
	if v.Kind == frontmatter.List || v.Kind == frontmatter.Null {
		return v.Items
	}
	return []frontmatter.Value{v}
}

// isTree reports whether a value has others in it.
func isTree(v frontmatter.Value) bool {
	return v.Kind == frontmatter.List || v.Kind == frontmatter.Table
}

// firstText returns the first text of a scalar, a list, or a table with an address.
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

// show returns a value as a message shows it.
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

// collapse makes one line of a text. What stands for no character is as a space: nobody could
// search for it.
func collapse(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) && !strings.Contains(s, "\u00a0") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// lineOf returns a scalar as one line; "" for any other value.
func lineOf(v frontmatter.Value) string { return collapse(v.Text) }

// proseOf returns a scalar as one line if it has a word; "" for any other value, such as the full
// stop that a theme demands for a description.
func proseOf(v frontmatter.Value) string {
	line := lineOf(v)
	if !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return ""
	}
	return line
}

// unlinked returns the text that a link to a note shows, as Obsidian has links in properties: Ann
// for [[Ann]] and [[people/Ann|Ann]]. Any other text it returns as it is.
func unlinked(s string) string {
	s = collapse(s)
	inner, opens := strings.CutPrefix(s, "[[")
	inner, closes := strings.CutSuffix(inner, "]]")
	if !opens || !closes || strings.ContainsAny(inner, "[]") {
		return s
	}
	return inner[strings.LastIndexByte(inner, '|')+1:]
}

// dedupe keeps the first of equal entries, in place.
func dedupe[T comparable](in []T) []T {
	known := make(map[T]bool, len(in))
	return slices.DeleteFunc(in, func(v T) bool {
		again := known[v]
		known[v] = true
		return again
	})
}

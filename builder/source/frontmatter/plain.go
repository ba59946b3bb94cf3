package frontmatter

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// plainYAML parses the YAML of most front matters: keys at the margin, with a scalar or a
// list in brackets on the same line, or a list of scalars below. It gives up at everything
// else, and at all that YAML might read in another way; what it returns is what the YAML
// package would return, in a tenth of the time.
func plainYAML(raw []byte, line int) (v Value, ok bool) {
	const mostLines = 1000
	if bytes.ContainsFunc(raw, isOdd) {
		return v, false
	}
	v.Kind = Table
	var items *Value // the list to which the next lines may add items
	for n := line; len(raw) > 0; n++ {
		var text []byte
		text, raw = cutLine(raw)
		if n > line+mostLines {
			return v, false
		}
		trimmed := bytes.TrimLeft(text, " ")
		if len(trimmed) == 0 {
			continue
		}
		if item, is := bytes.CutPrefix(trimmed, []byte("- ")); is {
			if items == nil || !items.addPlain(item, n, len(text)) {
				return v, false
			}
			continue
		}
		if items != nil && len(items.Items) == 0 { // the key before has neither a value nor items
			return v, false
		}
		f, ok := plainField(text, n)
		if !ok || find(v.Fields, f.Key) != nil {
			return v, false
		}
		if len(v.Fields) == 0 {
			v.Line, v.Column = n, 1
		}
		v.Fields = append(v.Fields, f)
		if items = nil; f.Value.Line == 0 {
			items = &v.Fields[len(v.Fields)-1].Value
		}
	}
	return v, len(v.Fields) > 0 && (items == nil || len(items.Items) > 0)
}

// addPlain adds to a list the item at the end of a line of length bytes, after its "- ". The list
// is where its first item is, and all others are in the same column.
func (v *Value) addPlain(item []byte, line, length int) bool {
	column := length - len(item) - len("- ") + 1
	if len(v.Items) == 0 {
		v.Line, v.Column = line, column
	}
	item = bytes.TrimLeft(item, " ")
	entry, ok := plainScalar(item)
	entry.Line, entry.Column = line, length-len(item)+1
	v.Items = append(v.Items, entry)
	return ok && v.Column == column
}

// plainField reads a line with a key at the margin, and its value. If it has none, the value is a
// list without a place, whose items may be on the next lines.
func plainField(text []byte, line int) (f Field, ok bool) {
	name, after, found := bytes.Cut(text, []byte{':'})
	if !found || !isPlainKey(name) || len(after) > 0 && after[0] != ' ' {
		return f, false
	}
	f = Field{Key: string(name), Line: line, Column: 1}
	after = bytes.TrimLeft(after, " ")
	column := len(text) - len(after) + 1
	switch {
	case len(after) == 0:
		f.Value.Kind = List
		return f, true
	case after[0] == '[':
		f.Value, ok = plainList(after, line, column)
	default:
		f.Value, ok = plainScalar(after)
	}
	f.Value.Line, f.Value.Column = line, column
	return f, ok
}

// isOdd reports whether YAML takes a character for a line break, has a special rule for it, or does
// not allow it.
func isOdd(r rune) bool {
	return r < ' ' && r != '\n' || 0x7f <= r && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == 0xfffe || r == 0xffff
}

func isPlainKey(name []byte) bool {
	return isHeadKey(string(name)) && strings.IndexByte("0123456789_-", name[0]) < 0
}

// mostItems is how many items a list in brackets may have: the column of each is counted from the
// beginning of the line.
const mostItems = 1000

// plainList reads a list in brackets that begins at a column and ends with its line.
func plainList(s []byte, line, column int) (v Value, ok bool) {
	s = bytes.TrimRight(s, " ")
	v = Value{Kind: List, Items: []Value{}}
	for at := 1; len(v.Items) < mostItems; {
		at += len(s[at:]) - len(bytes.TrimLeft(s[at:], " "))
		if at == len(s) {
			return v, false
		}
		if s[at] == ']' {
			return v, at == len(s)-1
		}
		quote := s[at] == '"' || s[at] == '\''
		length := bytes.IndexAny(s[at:], ",]")
		if quote {
			length = bytes.IndexByte(s[at+1:], s[at]) + 2
		}
		end := at + length
		if length < 2 && (quote || length < 1) || !quote && bytes.ContainsAny(s[at:end], ":?[{}&*!|>'\"%@") {
			return v, false
		}
		item, ok := plainScalar(s[at:end])
		if !ok {
			return v, false
		}
		item.Line, item.Column = line, column+utf8.RuneCount(s[:at])
		v.Items = append(v.Items, item)
		end += len(s[end:]) - len(bytes.TrimLeft(s[end:], " "))
		if end == len(s) || s[end] != ',' && s[end] != ']' {
			return v, false
		}
		if at = end; s[end] == ',' {
			at++
		}
	}
	return v, false
}

// plainScalar reads a value that ends with its line.
func plainScalar(s []byte) (v Value, ok bool) {
	s = bytes.TrimRight(s, " ")
	if len(s) == 0 {
		return v, false
	}
	v = Value{Kind: Text, Text: string(s)}
	switch c := s[0]; {
	case c == '"' && bytes.IndexByte(s, '\\') >= 0:
		v.Quoted = true
		v.Text, ok = unescape(s[1:])
		return v, ok
	case c == '"' || c == '\'':
		v.Quoted = true
		inner := s[1:]
		end := bytes.IndexByte(inner, c)
		v.Text = string(inner[:max(0, end)])
		return v, end >= 0 && end == len(inner)-1
	case bytes.IndexByte(s, '#') >= 0 || bytes.HasSuffix(s, []byte(":")) || bytes.Contains(s, []byte(": ")):
		return v, false
	case '0' <= c && c <= '9':
		if strings.Trim(v.Text, "0123456789") == "" && len(s) < 10 && (c != '0' || len(s) == 1) {
			v.Kind = Number
			return v, true
		}
		return v, isPlainDate(v.Text) || strings.ContainsAny(v.Text, "ghjklmpqrsuvwyGHJKLMPQRSUVWY") // no number has these letters
	case c >= 0x80, c == '/', c == '_', c == '(':
		return v, true
	case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
	default:
		return v, false
	}
	switch strings.ToLower(v.Text) {
	case "true", "false":
		v.Kind = Boolean
		return v, v.Text == "true" || v.Text == "false"
	case "yes", "no", "on", "off", "y", "n", "null", "nan", "inf":
		return v, false
	}
	return v, true
}

// unescape reads a text up to its closing double quote, if nothing but quotes and
// backslashes is escaped in it.
func unescape(s []byte) (text string, ok bool) {
	plain := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return string(plain), i == len(s)-1
		case '\\':
			if i++; i == len(s) || s[i] != '"' && s[i] != '\\' {
				return "", false
			}
		}
		plain = append(plain, s[i])
	}
	return "", false
}

// isPlainDate reports whether s has the form of 2006-01-02 or 2006-01-02T15:04:05Z07:00.
func isPlainDate(s string) bool {
	form := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0'
		}
		return r
	}, s)
	switch form {
	case "0000-00-00", "0000-00-00T00:00:00Z", "0000-00-00T00:00:00+00:00", "0000-00-00T00:00:00-00:00":
		return true
	}
	return false
}

package source

import (
	"bytes"
	"strings"
)

// maxHeadLines is how many lines a head without fences has at most.
const maxHeadLines = 100

// parseHead reads the head of a file without fences, as Pelican and MkDocs have it: lines of
// a key, a colon and a value, up to an empty one. One that goes on is indented. The length is
// 0 where the file begins with text: a head has a title and another key that Pelican knows.
func parseHead(data []byte) (meta value, length int) {
	meta.kind = table
	known := false
	for line := 1; length < len(data); line++ {
		l, rest := cutLine(data[length:])
		length = len(data) - len(rest)
		trimmed := strings.TrimSpace(string(l))
		last := len(meta.fields) - 1
		key, v, ok := strings.Cut(trimmed, ":")
		if trimmed == "" {
			break
		}
		switch {
		case last >= 0 && bytes.HasPrefix(l, []byte("    ")):
			meta.fields[last].value.text += " " + trimmed
			continue
		case !ok || !isHeadKey(key) || line > maxHeadLines:
			return value{}, 0
		}
		f := field{key, line, 1, value{kind: text, text: strings.TrimSpace(v), line: line, column: len(key) + 3}}
		switch strings.ToLower(key) {
		case "status": // draft, hidden, published
			if !strings.EqualFold(f.value.text, "published") {
				f.key, f.value.kind, f.value.text = "draft", boolean, "true"
			}
			known = true
		case "authors":
			f.value.kind = list
			for name := range strings.FieldsFuncSeq(f.value.text, func(r rune) bool { return r == ',' || r == ';' }) {
				f.value.items = append(f.value.items, value{kind: text, text: strings.TrimSpace(name), line: line})
			}
			known = true
		case "date", "modified", "category", "tags", "slug", "author", "summary", "lang":
			known = true
		}
		meta.fields = append(meta.fields, f)
	}
	if !known || !meta.has("title") {
		return value{}, 0
	}
	return meta, length
}

// isHeadKey reports whether a word may be a key of a head.
func isHeadKey(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}

// withHead makes the head of a file without fences the front matter of it, or text where no
// head is known.
func (d *document) withHead(known bool) {
	if d.head == 0 {
		return
	}
	if !known {
		d.meta = value{}
		return
	}
	d.hasMeta = true
	if d.body != nil {
		d.bodyLine += bytes.Count(d.body[:d.head], []byte("\n"))
		d.body = d.body[d.head:]
	}
}

package frontmatter

import (
	"bytes"
	"iter"
	"regexp"
	"slices"
	"strings"
)

// maxHeadLines is the greatest number of lines of a head without fences.
const maxHeadLines = 100

// headLine is a line that may belong to a head without fences.
type headLine struct {
	text string // without its end
	end  int    // where the next line begins
}

// headLines yields the lines that may belong to a head at the beginning of data, with their numbers
// from 1.
func headLines(data []byte) iter.Seq2[int, headLine] {
	return func(yield func(int, headLine) bool) {
		end := 0
		for number := 1; end < len(data) && number <= maxHeadLines; number++ {
			l, rest := cutLine(data[end:])
			end = len(data) - len(rest)
			if !yield(number, headLine{string(l), end}) {
				return
			}
		}
	}
}

// parseHead reads a head without fences, as in Pelican and MkDocs: lines of a key, a colon and a
// value, which may go on in indented lines, up to an empty line or to text. first is the line of
// the file on which data begins. The length is 0 if there is no such line, or if a lone head begins
// like code, with an indented line.
func parseHead(data []byte, first int) (meta Value, length int, is Unfenced) {
	meta.Kind = Table
	known := false // whether it has a description, or a key that Pelican knows other than the title
	code := false  // whether the first line is indented as code is
	for number, l := range headLines(data) {
		line := first + number - 1
		trimmed := strings.TrimSpace(l.text)
		last := len(meta.Fields) - 1
		indented := strings.HasPrefix(strings.ReplaceAll(l.text, "\t", "    "), "    ") && trimmed != ""
		code = code || indented && last < 0
		goesOn := last >= 0 && indented
		key, v, ok := strings.Cut(trimmed, ":")
		isKey := isHeadKey(key) || known && meta.Has("title") && isMultiWordKey(key)
		if isText := !ok || !isKey || strings.HasPrefix(v, ":"); isText && !goesOn && trimmed != "" {
			break
		}
		length = l.end
		if trimmed == "" {
			break
		}
		if goesOn {
			meta.Fields[last].Value.Text += " " + trimmed
			continue
		}
		f := Field{key, line, 1, Value{Kind: Text, Text: strings.TrimSpace(v), Line: line, Column: len(key) + 3}}
		switch strings.ToLower(key) {
		case "status": // draft, hidden, published
			if !strings.EqualFold(f.Value.Text, "published") {
				f.Key, f.Value.Kind, f.Value.Text = "draft", Boolean, "true"
			}
			known = true
		case "date", "modified", "category", "tags", "slug", "author", "authors", "summary", "description", "lang":
			known = true
		}
		meta.Fields = append(meta.Fields, f)
	}
	isLone := !known || !meta.Has("title")
	if len(meta.Fields) == 0 || code && isLone {
		return Value{}, 0, Nothing
	}
	listNames(meta.Fields, "authors", ",")
	listNames(meta.Fields, "tags", "")
	if isLone {
		return meta, length, LoneHead
	}
	return meta, length, Head
}

// parseOpenHead reads a head as the extension meta of Python-Markdown does if it begins with a line
// "---": an empty line ends it, even if a fence follows below, which is then a rule. The length is
// 0 if there is none, or if a line below it says that the article is a draft: whoever wrote that
// meant it, though Python-Markdown takes it for text.
func parseOpenHead(data []byte) (meta Value, length int) {
	fence, rest := cutLine(data)
	if strings.TrimSpace(string(fence)) != "---" {
		return Value{}, 0
	}
	if meta, length, _ = parseHead(rest, 2); length == 0 {
		return Value{}, 0
	}
	draft := regexp.MustCompile(`(?im)^\W*(?:status\W*:\W*(?:draft|hidden|skip)|draft\W*:\W*(?:true|yes|on))\b`)
	if draft.Match(rest[length:]) {
		return Value{}, 0
	}
	return meta, len(data) - len(rest) + length
}

// listNames turns the authors or tags in a head into a list. They are separated by semicolons, and
// then may have commas in them, or else by between; if that is "", they stay one text.
func listNames(fields []Field, key, between string) {
	for i := range fields {
		f := &fields[i]
		if !strings.EqualFold(f.Key, key) {
			continue
		}
		if strings.Contains(f.Value.Text, ";") {
			between = ";"
		}
		if between == "" {
			continue
		}
		names := strings.SplitSeq(f.Value.Text, between)
		f.Value.Kind, f.Value.Text = List, ""
		for name := range names {
			f.Value.Items = append(f.Value.Items, Value{Kind: Text, Text: strings.TrimSpace(name), Line: f.Line})
		}
	}
}

// parseDottedHead reads the head of a file for Nikola: lines such as ".. title: A walk", perhaps
// within a comment. The length is 0 if there is none.
func parseDottedHead(data []byte) (meta Value, length int) {
	meta.Kind = Table
	rest, inComment := bytes.CutPrefix(data, []byte("<!--"))
	closed := !inComment
	for line, l := range headLines(rest) {
		trimmed := strings.TrimSpace(l.text)
		key, v, isField := strings.Cut(strings.TrimPrefix(trimmed, ".. "), ":")
		closes := inComment && trimmed == "-->"
		if isField = isField && strings.HasPrefix(trimmed, ".. ") && isHeadKey(key); !isField && !closes && !(inComment && trimmed == "") {
			break
		}
		length = len(data) - len(rest) + l.end
		if closes {
			closed = true
			break
		}
		if isField {
			at := Value{Kind: Text, Text: strings.TrimSpace(v), Line: line, Column: len(".. ") + len(key) + len(": ") + 1}
			meta.Fields = append(meta.Fields, Field{key, line, 1, at})
			if holdsBack(strings.ToLower(key), strings.ToLower(at.Text)) {
				at.Kind, at.Text = Boolean, "true"
				meta.Fields = append(meta.Fields, Field{"draft", line, 1, at})
			}
		}
	}
	if !closed || !meta.Has("title") {
		return Value{}, 0
	}
	return meta, length
}

// parseTitleBlock reads the title block of a file for Pandoc: title, authors and date in lines that
// begin with a percent sign, or with a space if they continue the line above. The date is that of
// the document, which may be any text; it does not delay the article. The length is 0 if there is
// no title block.
func parseTitleBlock(data []byte) (meta Value, length int) {
	meta.Kind = Table
	keys := []string{"title", "authors", "created"}
	for line, l := range headLines(data) {
		text, begins := strings.CutPrefix(l.text, "%")
		goesOn := len(meta.Fields) > 0 && strings.HasPrefix(l.text, " ")
		value := strings.TrimSpace(text)
		if begins && (len(meta.Fields) == len(keys) || strings.TrimRight(text, " \t\r") != "" && text[0] != ' ') ||
			!begins && (!goesOn || value == "") {
			break
		}
		if begins {
			meta.Fields = append(meta.Fields, Field{keys[len(meta.Fields)], line, 1, Value{Kind: Text, Line: line, Column: 3}})
		}
		v := &meta.Fields[len(meta.Fields)-1].Value
		v.Text = strings.TrimSpace(v.Text + " " + value)
		length = l.end
	}
	meta.Fields = slices.DeleteFunc(meta.Fields, func(f Field) bool { return f.Value.Text == "" })
	if len(meta.Fields) == 0 {
		return Value{}, 0
	}
	listNames(meta.Fields, "authors", ";")
	return meta, length
}

// holdsBack reports whether a key of Nikola with this value hides an article, at least from all
// lists.
func holdsBack(key, v string) bool {
	switch key {
	case "status":
		return v != "" && v != "published" && v != "featured"
	case "tags":
		return slices.ContainsFunc(strings.Split(v, ","), func(tag string) bool {
			tag = strings.TrimSpace(tag)
			return tag == "draft" || tag == "private"
		})
	}
	return false
}

// parseFenced reads a head of keys between fences; line is the line of the file on which data
// begins. ok is false unless all of data is a head with a title.
func parseFenced(data []byte, line int) (meta Value, ok bool) {
	meta, length, _ := parseHead(data, line)
	return meta, length == len(data) && meta.Has("title")
}

// parseClosedHead reads YAML at the beginning of a file that has a fence only below it, as the
// first versions of Hexo wrote it, or TOML, as in Bartholomew. The length is 0 if the file begins
// with text, which may be an underlined heading: a head has a key that tells it from that.
func parseClosedHead(data []byte) (meta Value, length int) {
	first, _ := cutLine(data)
	parse, isTOML := parseYAML, false
	if key, _, found := strings.Cut(string(first), ":"); !found || !isHeadKey(key) {
		if key, _, isTOML = strings.Cut(string(first), "="); !isTOML || !isHeadKey(strings.TrimSpace(key)) {
			return Value{}, 0
		}
		parse = parseTOML
	}
	empty := false // whether the line above is empty
	for _, l := range headLines(data) {
		trimmed := strings.TrimSpace(l.text)
		if strings.HasPrefix(trimmed, "---") && strings.Trim(trimmed, "-") == "" {
			keys := []string{"published", "draft", "title", "layout"}
			meta, err := parse(data[:length], 1)
			isHead := err == nil
			if !isHead { // perhaps because of a colon in a title: a draft still is one, but a title alone may be a heading
				keys = keys[:2]
				meta, isHead = parseFenced(data[:length], 1)
			}
			if !isHead || !slices.ContainsFunc(keys, meta.Has) {
				break
			}
			return meta, l.end
		}
		if empty && trimmed != "" && !isTOML { // text
			break
		}
		empty = trimmed == ""
		length = l.end
	}
	return Value{}, 0
}

// parseBakedHead reads the head of a file for JBake: lines of a key, an equals sign and a value,
// with a line ~~~~~~ below them. The length is 0 if the file begins with text, which may stand
// above a code fence: a head has a key that JBake needs, or a title.
func parseBakedHead(data []byte) (meta Value, length int) {
	meta.Kind = Table
	for line, l := range headLines(data) {
		key, v, isField := strings.Cut(strings.TrimSpace(l.text), "=")
		switch {
		case isField:
			at := Value{Kind: Text, Text: strings.TrimSpace(v), Line: line, Column: len(key) + 2}
			if key = strings.TrimSpace(key); key == "status" && !strings.HasPrefix(at.Text, "published") { // published-date waits for its date, as any article does
				key, at.Kind, at.Text = "draft", Boolean, "true"
			}
			meta.Fields = append(meta.Fields, Field{key, line, 1, at})
		case key == "~~~~~~" && slices.ContainsFunc([]string{"title", "type", "status", "draft"}, meta.Has):
			listNames(meta.Fields, "tags", ",")
			return meta, l.end
		case key != "":
			return Value{}, 0
		}
	}
	return Value{}, 0
}

// isMultiWordKey reports whether s may be a key of MultiMarkdown with several words, all with a
// capital letter, such as Base Header Level.
func isMultiWordKey(s string) bool {
	return isHeadKey(strings.ReplaceAll(s, " ", "")) &&
		!slices.ContainsFunc(strings.Fields(s), func(word string) bool { return word[0] < 'A' || word[0] > 'Z' })
}

// isHeadKey reports whether a word may be a key of a head.
func isHeadKey(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

// parseProperties reads the properties at the beginning of a page of Logseq, which are lines of a
// key, two colons and a value. Only those count that Logseq itself makes use of: a date:: may be
// that of the book that the page is about. ok is false if none of them counts.
func parseProperties(data []byte) (meta Value, ok bool) {
	meta.Kind = Table
	for line, l := range headLines(data) {
		key, v, isProperty := strings.Cut(strings.TrimSpace(l.text), "::")
		if !isProperty || key == "" || strings.ContainsAny(key, " \t") || v != "" && v[0] != ' ' {
			break
		}
		switch name := strings.ToLower(key); name {
		case "title", "tags", "public":
			at := Value{Kind: Text, Text: strings.TrimSpace(v), Line: line, Column: len(key) + 4}
			meta.Fields = append(meta.Fields, Field{name, line, 1, at})
		}
	}
	if len(meta.Fields) == 0 {
		return Value{}, false
	}
	return meta, true
}

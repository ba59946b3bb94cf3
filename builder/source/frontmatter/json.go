package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// parseJSON parses a JSON object whose first line is the given line of the file.
func parseJSON(raw []byte, line int) (Value, *Error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	p := jsonParser{dec: dec, place: place{text: raw, line: line}}
	v, err := p.value()
	var mistake *Error
	switch {
	case errors.As(err, &mistake):
		return Value{}, mistake
	case err != nil:
		return Value{}, jsonError(err, raw, line, dec.InputOffset())
	case v.Kind != Table:
		return Value{}, &Error{v.Line, v.Column, "this is " + v.Kind.String() + ", not keys with values", "put the keys between { and }"}
	}
	v.Again, v.Twice = p.again, p.twice
	return v, nil
}

// jsonError converts an error of the decoder, which has read up to an offset of JSON whose first
// line is the given line of the file.
func jsonError(err error, raw []byte, line int, offset int64) *Error {
	if c := unmerged(raw, line); c != nil {
		return c
	}
	what := err.Error()
	var se *json.SyntaxError
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		what = "it ends too early"
	} else if errors.As(json.Unmarshal(raw, new(json.RawMessage)), &se) { // the decoder gives the place of the token, Unmarshal that of the character
		offset, what = se.Offset-1, se.Error()
	}
	at := int(max(0, min(offset, int64(len(raw)))))
	l, c := (&place{text: raw, line: line}).at(at)
	return &Error{l, c, "the JSON cannot be read: " + what, jsonHint(what, raw, at)}
}

// jsonHint says how to put right what the parser finds wrong at a place.
func jsonHint(what string, raw []byte, at int) string {
	rest := raw[at:]
	line, _ := cutLine(rest)
	begins := func(words ...string) bool {
		return slices.ContainsFunc(words, func(s string) bool {
			return len(line) >= len(s) && strings.EqualFold(string(line[:len(s)]), s)
		})
	}
	switch {
	case begins("}", "]") && bytes.HasSuffix(bytes.TrimRight(raw[:at], " \t\r\n"), []byte(",")):
		return "remove the comma before it"
	case strings.Contains(what, "in string escape"):
		return `write \\ for each \ in a text`
	case begins("\t") && strings.Contains(what, "in string literal"):
		return `write \t for a tab`
	case begins("}") && strings.Contains(what, "after array element"):
		return "close the bracket before it: ]"
	case begins(","):
		return "remove the comma"
	case begins(";"):
		return "put a comma in its place"
	case strings.Contains(what, "after object key") && !strings.Contains(what, "value pair"):
		return "put a colon between a key and its value"
	case begins("}") && strings.Contains(what, "beginning of value"):
		return "write a value after the colon"
	case begins("/", "#"):
		return "remove the comment: JSON has none"
	case strings.Contains(what, "in string literal"):
		return `close the quote on its line; \n in it is a new line`
	case begins("true", "false"):
		return "write true or false in small letters"
	case begins("“", "”", "„", "«", "»", "‘", "’"):
		return oddSign(line)
	case begins(`"`), strings.Contains(what, "after array element") && !begins("]", "}"):
		return "put a comma before it"
	}
	return "put keys and text in double quotes, with commas between the keys and none after the last"
}

type jsonParser struct {
	dec   *json.Decoder
	place place
	count int // how many values were read
	depth int // how many tables and lists are open
	duplicates
}

// next returns a token and the place where it begins.
func (p *jsonParser) next() (tok json.Token, line, column int, err error) {
	offset := int(p.dec.InputOffset())
	for offset < len(p.place.text) && strings.IndexByte(" \t\r\n,:", p.place.text[offset]) >= 0 {
		offset++
	}
	tok, err = p.dec.Token()
	line, column = p.place.at(offset)
	return tok, line, column, err
}

func (p *jsonParser) value() (Value, error) {
	tok, line, column, err := p.next()
	if err != nil {
		return Value{}, err
	}
	v := Value{Line: line, Column: column}
	if p.count++; p.count > maxValues {
		return v, tooMany(line, column, moveData)
	}
	if p.depth > maxDepth {
		return v, nestedTooDeep(line, column)
	}
	switch t := tok.(type) {
	case json.Delim:
		v.Kind = Table
		if t == '[' {
			v.Kind = List
		}
		p.depth++
		for p.dec.More() {
			if err := p.addTo(&v); err != nil {
				return v, err
			}
		}
		p.depth--
		_, err := p.dec.Token() // the closing bracket
		return v, err
	case string:
		v.Kind, v.Text = Text, t
	case json.Number:
		v.Kind, v.Text = Number, t.String()
	case bool:
		v.Kind, v.Text = Boolean, strconv.FormatBool(t)
	}
	return v, nil
}

// addTo reads the next item of a list, or the next key of a table and its value.
func (p *jsonParser) addTo(v *Value) error {
	if v.Kind == List {
		item, err := p.value()
		v.Items = append(v.Items, item)
		return err
	}
	k, line, column, err := p.next()
	if err != nil {
		return err
	}
	key, _ := k.(string)
	value, err := p.value()
	v.Fields = p.put(v.Fields, Field{key, line, column, value}, p.depth == 1)
	return err
}

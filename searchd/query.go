package searchd

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/searchd/index"
)

// parameter is one that search knows.
type parameter struct {
	name string
	kind article.Kind // of the problem when its value is wrong
	most int          // how often it may be given
	// set takes a value, decoded and valid UTF-8, into the query, or says what is wrong with it.
	set func(q *index.Query, value string) (wrong string)
}

// parameters is the only list of what search knows. The parser, Netlify-Vary and
// No-Vary-Search all follow it; what is not in it can change no answer.
func parameters() []parameter {
	return []parameter{
		{"q", article.InvalidQuery, 1, setText},
		{"limit", article.InvalidLimit, 1, setLimit},
		{"offset", article.InvalidOffset, 1, setOffset},
		{"tag", article.InvalidTag, article.MaxFilterValues, addTag},
		{"language", article.InvalidLanguage, article.MaxFilterValues, addLanguage},
	}
}

// parseQuery reads the query string of a search. It is the application/x-www-form-urlencoded format
// of the URL Standard (5.1), yet strict where a known parameter is concerned: given as often as it
// may be, percent-encoded without a fault, UTF-8. Everything else is ignored, malformed or not:
// caches leave it out of their keys, so it must not change an answer that others will get from the
// cache.
//
// The kind is that of the first problem; errs is empty where there is none.
func parseQuery(raw string) (q index.Query, kind article.Kind, errs []article.ParameterError) {
	q.Limit = article.DefaultLimit
	given := valuesOf(raw)
	for _, p := range parameters() {
		if wrong := p.take(&q, given[p.name]); wrong != "" {
			if len(errs) == 0 {
				kind = p.kind
			}
			errs = append(errs, article.ParameterError{Parameter: p.name, Detail: wrong})
		}
	}
	// The order and the repetition of filters mean nothing: one answer for all.
	for _, filter := range []*[]string{&q.Tags, &q.Languages} {
		slices.Sort(*filter)
		*filter = slices.Compact(*filter)
	}
	return q, kind, errs
}

// CheckQuery says what is wrong with the parameters of a search, nil where nothing is.
func CheckQuery(parameters url.Values) error {
	_, err := queryOf(parameters)
	return err
}

// queryOf is parseQuery of parameters that a program has.
func queryOf(parameters url.Values) (index.Query, error) {
	q, _, errs := parseQuery(parameters.Encode())
	if len(errs) > 0 {
		return q, errors.New(errs[0].Detail)
	}
	return q, nil
}

// valuesOf returns what a query string gives for each parameter that search knows, still encoded.
// It runs for every request, before a search has its turn, so what cannot be a known name is not
// even decoded.
func valuesOf(raw string) map[string][]string {
	given, longest := map[string][]string{}, 0
	for _, p := range parameters() {
		given[p.name] = nil
		longest = max(longest, len(p.name))
	}
	for pair := range strings.SplitSeq(raw, "&") {
		encoded, value, _ := strings.Cut(pair, "=")
		if encoded == "" || len(encoded) > len("%71")*longest {
			continue
		}
		name, err := url.QueryUnescape(encoded)
		if values, known := given[name]; err == nil && known {
			given[name] = append(values, value)
		}
	}
	return given
}

// take sets the parameter. Without a value, or with an empty one, the default stays. It says what
// is wrong with the first value that is.
func (p parameter) take(q *index.Query, values []string) (wrong string) {
	switch n := len(values); {
	case n > 1 && p.most == 1:
		return fmt.Sprintf("%s must be given once, got it %d times", p.name, n)
	case n > p.most:
		return fmt.Sprintf("%s may be given at most %d times, got it %d times", p.name, p.most, n)
	}
	for _, value := range values {
		if wrong := p.takeOne(q, value); wrong != "" {
			return wrong
		}
	}
	return ""
}

// takeOne decodes one value and sets it.
func (p parameter) takeOne(q *index.Query, raw string) (wrong string) {
	if strings.Contains(raw, ";") {
		// Some servers and caches still take it for a separator (HTML 4.01, B.2.2);
		// with two readings of one address, one of them is wrong.
		return fmt.Sprintf("%s holds a bare semicolon: send it as %%3B", p.name)
	}
	value, err := url.QueryUnescape(raw)
	if err != nil {
		return fmt.Sprintf("%s is not percent-encoded correctly: %v", p.name, err)
	}
	if i := invalidUTF8(value); i >= 0 {
		return fmt.Sprintf("%s is not UTF-8: its byte %d is %#02x", p.name, i+1, value[i])
	}
	if value == "" {
		return ""
	}
	return p.set(q, value)
}

// invalidUTF8 is the index of the first byte that is no part of a character, -1 where
// all are.
func invalidUTF8(s string) int {
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

func setText(q *index.Query, text string) (wrong string) {
	if n := utf8.RuneCountInString(text); n > article.MaxQueryRunes {
		return fmt.Sprintf("q may have at most %d characters, got %d", article.MaxQueryRunes, n)
	}
	if n := len(strings.Fields(text)); n > article.MaxQueryTerms {
		return fmt.Sprintf("q may have at most %d words, got %d", article.MaxQueryTerms, n)
	}
	if wrong := controlIn("q", text); wrong != "" {
		return wrong
	}
	q.Text = text
	return ""
}

// controlIn says where a value holds a control character.
func controlIn(name, text string) (wrong string) {
	if i := strings.IndexFunc(text, isControl); i >= 0 {
		r, _ := utf8.DecodeRuneInString(text[i:])
		return fmt.Sprintf("%s holds the control character %U, its character %d", name, r, 1+utf8.RuneCountInString(text[:i]))
	}
	return ""
}

// isControl is true for what no one types and no article holds; line ends and tabs come with pasted
// text and are white space. Control characters beyond ASCII only separate words: the OpenAPI
// document has no pattern for them that every generator of clients understands.
func isControl(r rune) bool { return (r < ' ' || r == 0x7f) && !unicode.IsSpace(r) }

func setLimit(q *index.Query, text string) (wrong string) {
	wrong = fmt.Sprintf("limit must be a whole number from 1 to %d, got %s", article.MaxLimit, quoteShort(text))
	if strings.Trim(text, "0123456789") != "" {
		return wrong // strconv would take a plus sign
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil: // more digits than an int has
		n = article.MaxLimit
	case n == 0:
		return wrong
	}
	q.Limit = min(n, article.MaxLimit)
	return ""
}

func setOffset(q *index.Query, text string) (wrong string) {
	n, err := strconv.Atoi(text)
	// A larger offset is not lowered: the page would be another than was asked for, and
	// whoever follows pages would never come to the end.
	if strings.Trim(text, "0123456789") != "" || err != nil || n > article.MaxOffset {
		return fmt.Sprintf("offset must be a whole number from 0 to %d, got %s", article.MaxOffset, quoteShort(text))
	}
	q.Offset = n
	return ""
}

func addTag(q *index.Query, text string) (wrong string) {
	if n := utf8.RuneCountInString(text); n > article.MaxTagRunes {
		return fmt.Sprintf("tag may have at most %d characters, got %d", article.MaxTagRunes, n)
	}
	if wrong := controlIn("tag", text); wrong != "" {
		return wrong
	}
	if text = strings.Join(strings.Fields(text), " "); text != "" { // as the builder writes tags
		q.Tags = append(q.Tags, text)
	}
	return ""
}

func addLanguage(q *index.Query, text string) (wrong string) {
	if !isLanguageTag(text) {
		return "language must be a BCP 47 tag such as en or pt-BR, got " + quoteShort(text)
	}
	q.Languages = append(q.Languages, strings.ToLower(text))
	return ""
}

// isLanguageTag reports whether s has the form of a basic language range (RFC 4647, 2.1),
// without the asterisk: leaving the filter out says the same.
func isLanguageTag(s string) bool {
	if len(s) > article.MaxLanguageBytes {
		return false
	}
	first := true
	for part := range strings.SplitSeq(s, "-") {
		for _, c := range []byte(part) {
			letter := 'a' <= c|0x20 && c|0x20 <= 'z'
			if !letter && (first || c < '0' || c > '9') {
				return false
			}
		}
		if len(part) < 1 || len(part) > 8 {
			return false
		}
		first = false
	}
	return true
}

// quoteShort quotes what a caller sent, up to 40 characters: enough to recognise it.
func quoteShort(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return strconv.Quote(s)
}

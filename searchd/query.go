package searchd

import (
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
	// set takes a value, decoded and valid UTF-8, into the query, or says what is wrong with it.
	set func(q *index.Query, value string) (wrong string)
}

// parameters is the only list of what search knows. The parser, Netlify-Vary and
// No-Vary-Search all follow it; what is not in it can change no answer.
func parameters() []parameter {
	return []parameter{
		{"q", article.InvalidQuery, setText},
		{"limit", article.InvalidLimit, setLimit},
	}
}

// parseQuery reads the query string of a search. It is the application/x-www-form-urlencoded
// format of the URL Standard (5.1), yet strict where a known parameter is concerned:
// given once, percent-encoded without a fault, UTF-8. Everything else is ignored, malformed
// or not: caches leave it out of their keys, so it must not change an answer that
// others will get from the cache.
//
// The kind is that of the first problem; errs is empty where there is none.
func parseQuery(raw string) (q index.Query, kind article.Kind, errs []article.ParameterError) {
	q.Limit = article.DefaultLimit
	for _, p := range parameters() {
		if wrong := p.take(&q, raw); wrong != "" {
			if len(errs) == 0 {
				kind = p.kind
			}
			errs = append(errs, article.ParameterError{Parameter: p.name, Detail: wrong})
		}
	}
	return q, kind, errs
}

// take finds the parameter in the query string and sets it; no or an empty value
// leaves the default.
func (p parameter) take(q *index.Query, raw string) (wrong string) {
	var values []string
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(name); err == nil && name == p.name {
			values = append(values, value)
		}
	}
	switch {
	case len(values) == 0:
		return ""
	case len(values) > 1:
		return fmt.Sprintf("%s must be given once, got it %d times", p.name, len(values))
	case strings.Contains(values[0], ";"):
		// Some servers and caches still take it for a separator (HTML 4.01, B.2.2);
		// with two readings of one address, one of them is wrong.
		return fmt.Sprintf("%s holds a bare semicolon: send it as %%3B", p.name)
	}
	value, err := url.QueryUnescape(values[0])
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
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
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
	if i := slices.IndexFunc([]rune(text), isControl); i >= 0 {
		return fmt.Sprintf("q holds the control character %U, its character %d", []rune(text)[i], i+1)
	}
	q.Text = text
	return ""
}

// isControl is true for what no one types and no article holds; line ends and tabs
// come with pasted text and are white space.
func isControl(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }

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

// quoteShort quotes what a caller sent, up to 40 characters: enough to recognise it.
func quoteShort(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return strconv.Quote(s)
}

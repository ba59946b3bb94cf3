package article

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The limits of the contract. The OpenAPI document states the same numbers; a test
// compares the two.
const (
	// DefaultLimit is the number of hits where the caller names none: a page of results.
	DefaultLimit = 10
	// MaxLimit bounds one answer to about 100 kB. A larger limit is lowered to it, and
	// the answer says so in its limit field.
	MaxLimit = 100
	// MaxQueryRunes is the longest query, in characters (runes): longer than any
	// question a person types, short enough for every proxy's request line.
	MaxQueryRunes = 512
	// MaxQueryTerms is the largest number of words, separated by white space, in a query.
	MaxQueryTerms = 64
	// MaxOffset bounds how far a caller can page: whoever wants more than the best
	// thousand wants the corpus, which is a file.
	MaxOffset = 1000
	// MaxFilterValues is how often a filter (tag, language) may be given.
	MaxFilterValues = 16
	// MaxTagRunes is the longest tag that can be asked for, in characters.
	MaxTagRunes = 200
	// MaxLanguageBytes is the longest language tag; RFC 5646 (4.4.1) finds none longer than 35.
	MaxLanguageBytes = 35
	// MaxSynonymWords is the longest phrase, in words, for which others are searched as well. In a
	// script without spaces it is one word.
	MaxSynonymWords = 4
	// MaxIDBytes is the longest id: with ".json" it stays below the 255 bytes that
	// file systems allow a name.
	MaxIDBytes = 200
	// MaxSummaryRunes is the longest summary, in characters.
	MaxSummaryRunes = 300
	// MaxExcerptRunes is the longest excerpt, in characters: two lines on a screen.
	MaxExcerptRunes = 240
)

// Searchable reports whether a text can be searched for as it is, as an example of a query: it is
// not too long for one, and has a letter or a digit.
func Searchable(text string) bool {
	return utf8.RuneCountInString(text) <= MaxQueryRunes && len(strings.Fields(text)) <= MaxQueryTerms &&
		strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// ValidID reports whether id is one: ^[a-z0-9]+([._-][a-z0-9]+)*$ and at most
// [MaxIDBytes] bytes. Such an id is its own file name and needs no escaping in a
// URL; it has one spelling on file systems and hosts that fold case.
func ValidID(id string) bool {
	if id == "" || len(id) > MaxIDBytes {
		return false
	}
	alnum := false // whether the byte before was a letter or digit
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			alnum = true
		case (c == '.' || c == '_' || c == '-') && alnum:
			alnum = false
		default:
			return false
		}
	}
	return alnum
}

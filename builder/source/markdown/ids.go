package markdown

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gosimple/unidecode"
	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"
)

// IDs is how the ids of headings are made from their words.
type IDs uint8

// The ways of making ids.
const (
	GitHubIDs      IDs = iota // as GitHub does, in any script
	ZolaIDs                   // only ASCII letters, digits and single hyphens
	PythonIDs                 // as the extension toc of Python-Markdown does; see pythonSlug
	HugoIDs                   // letters without their marks, digits, underscores and a hyphen for each space
	BlackfridayIDs            // letters without their marks, numbers and single hyphens, with Hugo's setting of this name
	HexoIDs                   // words as they are written, joined by single hyphens; see hexoSlug
	HexoLowerIDs              // those in lower case, with Hexo's setting modifyAnchors: 1
)

// Generate implements parser.IDs: it makes the ids of headings as GitHub does, in any script.
func (s *state) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			return unicode.ToLower(r)
		case unicode.IsSpace(r):
			return '-'
		}
		return -1
	}, strings.TrimSpace(string(value)))
	if id == "" {
		id = "section"
	}
	return s.unique(id, "-")
}

// unique returns an id, followed by a separator and a number if another heading has it already or
// if it is "".
func (s *state) unique(id, separator string) []byte {
	unique := id
	for n := max(1, s.used[id]); unique == "" || s.used[unique] > 0; n++ { // the second is a-1
		unique = fmt.Sprintf("%s%s%d", id, separator, n)
		s.used[id] = n + 1
	}
	s.used[unique]++
	return []byte(unique)
}

// Put implements parser.IDs.
func (s *state) Put(value []byte) { s.used[string(value)]++ }

// slug returns the id that Zola makes from words: ASCII letters and digits, joined by single
// hyphens.
func slug(s string) string {
	words := strings.FieldsFunc(unidecode.Unidecode(s), func(r rune) bool { return r >= 0x80 || !IsLetterOrDigit(byte(r)) })
	return strings.ToLower(strings.Join(words, "-"))
}

// hugoSlug returns the id that Hugo makes from words: unlike GitHub, it keeps no marks of Hindi or
// Thai, and no number that is not a digit. It is "heading" if nothing is left.
func hugoSlug(s string) string {
	return cmp.Or(strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSpace(s)), "heading")
}

// blackfridaySlug returns the id that Hugo makes from words for a site that keeps the ids of its
// former reader of Markdown.
func blackfridaySlug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	return cmp.Or(strings.Join(words, "-"), "heading")
}

// hexoSlug returns the id that the readers of Markdown of Hexo make from words: letters, which keep
// their case but not the accents of Latin ones, digits and signs that are not in ASCII, joined by
// single hyphens. It is "section" if there are none.
func hexoSlug(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r < utf8.RuneSelf && !IsLetterOrDigit(byte(r)) })
	var id strings.Builder
	for _, r := range cmp.Or(strings.Join(words, "-"), "section") {
		switch {
		case r == 'ß':
			id.WriteByte('s')
		case unicode.Is(unicode.Latin, r):
			id.WriteString(unidecode.Unidecode(string(r)))
		default:
			id.WriteRune(r)
		}
	}
	return id.String()
}

// pythonSlug returns the id that the extension toc of Python-Markdown makes from words: ASCII
// letters, without their accents, digits, underscores and single hyphens. It is "" if there are
// none.
func pythonSlug(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= utf8.RuneSelf, r != '_' && r != '-' && !unicode.IsSpace(r) && !IsLetterOrDigit(byte(r)):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
	s = strings.ReplaceAll(strings.TrimSpace(s), " ", "-")
	for strings.Contains(s, "--") {
		s = strings.ReplaceAll(s, "--", "-")
	}
	return s
}

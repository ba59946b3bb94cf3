// Package article is the contract of the API: what an article is, what the three
// operations answer, how an error looks, which limits hold, and under which path
// of the published folder each document lies. The builder, searchd, the edge and
// the tests all read it here; no path, limit or header is spelled a second time.
//
// The package does no I/O and imports the standard library only, so that every
// part of the project (and a client in Go) can depend on it.
//
// # The three operations
//
//	GET /api/articles?q=&limit=   SearchResult   answered by searchd; also offset, tag, language
//	GET /api/article?id=          Article        a static file
//	GET /api/health               Health         a static file
//
// Errors are [Problem] documents (RFC 9457). The names of an article's fields are
// those of JSON Feed 1.1, the vendor-neutral vocabulary.
//
// # Bytes
//
// [Encode] is the only way a document becomes bytes: one line of JSON, fields in
// the order of the struct, ended by one newline. The digest of an article is the
// SHA-256 of exactly those bytes, which are also one line of a corpus chunk.
package article

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"
	"time"
	"unicode/utf8"
)

// APIVersion is the version of this contract, shown by the health document and
// the OpenAPI document. It follows semantic versioning: a field may be added
// within 1.x, none changes its meaning.
const APIVersion = "1.0.0"

// Meta is what an article's record and a search hit have in common: the record
// without its bodies.
type Meta struct {
	// ID names the article for ever; see [ValidID].
	ID string `json:"id"`
	// URL is the address of the human page; absent where the site has none.
	URL string `json:"url,omitempty"`
	// Title is plain text.
	Title string `json:"title"`
	// Summary is plain text of at most [MaxSummaryRunes] characters, written by the
	// author or cut from the text at a word.
	Summary string `json:"summary"`
	// DatePublished and DateModified are UTC, in whole seconds, and absent where the
	// source has none; an article that was never edited was modified when published.
	DatePublished time.Time `json:"date_published,omitzero"`
	DateModified  time.Time `json:"date_modified,omitzero"`
	// Authors and Tags are never null.
	Authors []Author `json:"authors"`
	Tags    []string `json:"tags"`
	// Language is a BCP 47 tag; the site's own where the article says none.
	Language string `json:"language"`
	// Image is the address of a picture; absent where there is none.
	Image string `json:"image,omitempty"`
	// WordCount counts words of the text (in scripts without spaces: of letters that
	// a reader takes in as fast as a word; package markdown says how).
	WordCount int `json:"word_count"`
	// ReadingTimeMinutes is a whole number of minutes, at least 1 unless the text is empty.
	ReadingTimeMinutes int `json:"reading_time_minutes"`
}

// Author is a person or an organisation that wrote an article.
type Author struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// Article is one published article, as GET /api/article?id= answers it. It holds
// nothing that changes when another article changes.
type Article struct {
	Meta
	// ContentHTML is sanitised HTML: no script, no event handler, no javascript: address.
	ContentHTML string `json:"content_html"`
	// ContentText is plain text with its blocks separated by a blank line: what is searched.
	ContentText string `json:"content_text"`
}

// Hit is one article of a search result.
type Hit struct {
	Meta
	// Excerpt is the passage that shows why the article matched: plain text of at
	// most [MaxExcerptRunes] characters, and the summary where no passage does.
	Excerpt string `json:"excerpt"`
	// ExcerptHTML is the same passage, escaped, with the matched forms in <mark>
	// elements and no other markup.
	ExcerptHTML string `json:"excerpt_html"`
	// Digest is "sha256-" and the hexadecimal SHA-256 of the exact bytes of the
	// article's file, so that a client can keep an article until it changes.
	Digest string `json:"digest"`
}

// SearchResult is the answer of GET /api/articles. The same query on the same
// revision gives the same bytes, on every replica: no clock, no score, no request id.
type SearchResult struct {
	// Count is always len(Articles).
	Count int `json:"count"`
	// Total counts all published articles that match.
	Total int `json:"total"`
	// Limit is the limit that was applied.
	Limit int `json:"limit"`
	// Revision names the build that was searched; equal to [Health.Revision] of that build.
	Revision string `json:"revision"`
	// Suggestion is the corrected query, where a correction was searched instead or
	// would have found something.
	Suggestion string `json:"suggestion,omitempty"`
	// Articles is never null.
	Articles []Hit `json:"articles"`
}

// Health is the answer of GET /api/health: the published set is whole. It is a
// static file and does not claim that searchd is up.
type Health struct {
	Status    string      `json:"status"`
	Version   string      `json:"version"`
	Revision  string      `json:"revision"`
	Articles  int         `json:"articles"`
	UpdatedAt time.Time   `json:"updated_at,omitzero"`
	Links     HealthLinks `json:"links"`
}

// HealthLinks are absolute addresses.
type HealthLinks struct {
	OpenAPI string `json:"openapi"`
	Search  string `json:"search"`
}

// HealthOK is the only status that a health document has: a published set is whole, or it is not
// published.
const HealthOK = "ok"

// NewHealth returns the health document of a build of the site at baseURL.
func NewHealth(baseURL, revision string, articles int, updatedAt time.Time) Health {
	return Health{
		Status: HealthOK, Version: APIVersion, Revision: revision, Articles: articles, UpdatedAt: updatedAt.UTC(),
		Links: HealthLinks{OpenAPI: baseURL + OpenAPIOperation, Search: baseURL + SearchOperation},
	}
}

// Encode returns v, one of the documents of this package, as the bytes that are
// published: one line of JSON, HTML left readable, ended by a newline.
func Encode(v any) ([]byte, error) {
	if a, ok := v.(Article); ok {
		return a.encode()
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return b.Bytes(), nil
}

// encode is what encoding/json would make of the article, in half the time for long
// bodies.
func (a Article) encode() ([]byte, error) {
	meta, err := Encode(a.Meta)
	if err != nil {
		return nil, err
	}
	meta = bytes.TrimSuffix(meta, []byte("}\n"))
	line := make([]byte, 0, len(meta)+(len(a.ContentHTML)+len(a.ContentText))*17/16+64)
	line = append(append(line, meta...), htmlKey...)
	line = append(AppendString(line, a.ContentHTML), textKey...)
	return append(AppendString(line, a.ContentText), "}\n"...), nil
}

// AppendString appends a text to b as JSON, quotation marks included, as an Encoder that leaves
// HTML readable does.
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	for {
		n := plainLength(s)
		b = append(b, s[:n]...)
		if n == len(s) {
			return append(b, '"')
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		switch r {
		case '"', '\\':
			b = append(b, '\\', s[n])
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		s = s[n+size:]
	}
}

// plainLength is how many bytes at the beginning of a text JSON has as they are, without escapes.
// It looks at eight bytes at once.
func plainLength(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	for i := 0; i < len(s); {
		for ; len(s)-i >= 8; i += 8 {
			p := s[i : i+8]
			w := uint64(p[0]) | uint64(p[1])<<8 | uint64(p[2])<<16 | uint64(p[3])<<24 | uint64(p[4])<<32 | uint64(p[5])<<40 | uint64(p[6])<<48 | uint64(p[7])<<56
			// The first high bit is that of a byte below a space, a quotation mark, a
			// backslash, or one that is not ASCII; what is above it may be a borrow.
			odd := ((w - ' '*ones) | ((w ^ '"'*ones) - ones) | ((w ^ '\\'*ones) - ones) | w) & high
			if odd != 0 {
				i += bits.TrailingZeros64(odd) / 8
				break
			}
		}
		if i == len(s) {
			break
		}
		switch c := s[i]; {
		case c < ' ' || c == '"' || c == '\\':
			return i
		case c < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == '\u2028' || r == '\u2029' || r == utf8.RuneError && size == 1 {
				return i
			}
			i += size
		}
	}
	return len(s)
}

// Decode is the inverse of Encode for an article. It accepts whatever encoding/json accepts, and
// needs a tenth of the time for long bodies that Encode has written.
func Decode(line []byte) (a Article, err error) {
	meta, html, text, ok := cutBodies(string(line))
	if ok {
		line = []byte(meta + htmlKey + `""` + textKey + `""}`)
	}
	err = json.Unmarshal(line, &a)
	if ok && err == nil {
		a.ContentHTML, a.ContentText = html, text
	}
	return a, err
}

// What stands before the two bodies of an article. It cannot stand within a text, where each
// quotation mark has a backslash before it.
const (
	htmlKey = `,"content_html":`
	textKey = `,"content_text":`
)

// cutBodies cuts a line in three; ok is false where it is not as Encode writes it.
func cutBodies(line string) (meta, html, text string, ok bool) {
	meta, rest, isHTML := strings.Cut(line, htmlKey+`"`)
	html, rest, isText := strings.Cut(rest, `"`+textKey+`"`)
	text, isEnd := strings.CutSuffix(rest, "\"}\n")
	html, plainHTML := cutEscapes(html)
	text, plainText := cutEscapes(text)
	return meta, html, text, isHTML && isText && isEnd && plainHTML && plainText
}

// cutEscapes is the inverse of AppendString, between the quotation marks. ok is false where
// AppendString does not write such a text, or where the text has one of the rare escapes of six
// bytes.
func cutEscapes(s string) (text string, ok bool) {
	n := plainLength(s)
	if n == len(s) {
		return s, true
	}
	var b strings.Builder
	b.Grow(len(s))
	for ; n < len(s); n = plainLength(s) {
		escape := -1
		if s[n] == '\\' && n+1 < len(s) {
			escape = strings.IndexByte(`"\bfnrt`, s[n+1])
		}
		if escape < 0 {
			return "", false
		}
		b.WriteString(s[:n])
		b.WriteByte("\"\\\b\f\n\r\t"[escape])
		s = s[n+2:]
	}
	b.WriteString(s)
	return b.String(), true
}

// Digest returns the digest of an article's published bytes: "sha256-" and 64
// hexadecimal digits.
func Digest(line []byte) string { return DigestOf(sha256.Sum256(line)) }

// DigestOf is the digest of published bytes that have this SHA-256.
func DigestOf(sum [sha256.Size]byte) string { return "sha256-" + hex.EncodeToString(sum[:]) }

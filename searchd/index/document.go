package index

import (
	"encoding/binary"
	"html"
	"math/bits"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// The fields of the index.
const (
	fieldWords   = "w" // folded forms; forms with accents beside them; pairs of unspaced characters
	fieldStems   = "s" // language code, a space, the folded stem
	fieldBegins  = "b" // the first two and three letters of words and compounds (edge n-grams), the first of unspaced characters
	fieldLength  = "l" // one term, which every article has as often as it has words
	fieldTitle   = "t" // of the title: its key as one term, its words, their stems, and how many words it has
	fieldFacets  = "f" // what can be filtered by
	fieldRow     = "r" // a column: see row
	fieldOrder   = "q" // a column: see sequencer.value
	fieldPairs   = "p" // neighbours that are both frequent words, and clitics: see sequencer.pair and word
	fieldHit     = "h" // stored: the hexadecimal digest and the JSON of the hit up to the excerpt
	fieldContent = "c" // stored: the text
)

// isCounted reports whether a field keeps how often an article has each term.
func isCounted(field string) bool {
	return field == fieldWords || field == fieldStems || field == fieldBegins
}

// Weights of the places in an article, as the number of times that a word there
// counts. An author who puts a word in the title says what the article is about.
const (
	weightTitle   = 5
	weightHeading = 2
	weightTag     = 3
	weightSummary = 1
	weightText    = 1
)

// cutTitleLetters is the least length of a title that was cut from the text: longer than most
// names.
const cutTitleLetters = 32

// hasCutTitle reports whether a title was cut from the text, as programs do for notes without one:
// the text begins with it, and goes on in the same sentence. Nobody has chosen its words, which
// count as those of the text.
func hasCutTitle(a *article.Article) bool {
	title := strings.TrimRight(a.Title, " .…!?:")
	behind, begins := strings.CutPrefix(a.ContentText, title)
	return begins && utf8.RuneCountInString(title) >= cutTitleLetters && behind != "" && !strings.Contains("\n.!?:", behind[:1])
}

// maxTermBytes is the longest word that is indexed. No one types longer ones, which are hashes,
// keys and the like.
const maxTermBytes = 64

// The form of a digest; see article.Digest.
const (
	digestPrefix = "sha256-"
	digestHex    = 64
	digestLength = len(digestPrefix) + digestHex
)

// document is what the engine gets of an article: its id, and the inversion that has the rest.
type document struct {
	id string
	of *inversion
}

func (d *document) ID() string                                 { return d.id }
func (d *document) Size() int                                  { return 0 }
func (d *document) VisitFields(index.FieldVisitor)             {} // the inversion has them
func (d *document) VisitComposite(index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) NumPlainTextBytes() uint64                  { return 0 }
func (d *document) StoredFieldsBytes() uint64                  { return 0 }
func (d *document) Indexed() bool                              { return true }
func (d *document) AddIDField()                                {}

// tagTerm and languageTerm are the terms of filters: case and accents of a tag do not count.
func tagTerm(tag string) string {
	return "t " + string(analysis.Fold(analysis.Lower(tag, nil), nil))
}

func languageTerm(tag string) string { return "l " + strings.ToLower(tag) }

// addressTerm is the term of an address, as that of the page of an article; "" for other texts. The
// scheme, a fragment, and a slash at the end do not count.
func addressTerm(text string) string {
	scheme, address, ok := strings.Cut(text, "://")
	if !ok || !strings.EqualFold(scheme, "https") && !strings.EqualFold(scheme, "http") {
		return ""
	}
	address, _, _ = strings.Cut(address, "#")
	if plain, err := url.PathUnescape(address); err == nil {
		address = plain
	}
	if len(address) > maxTitleBytes {
		return ""
	}
	return "a " + strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(narrow(address)), "www."), "/") // narrow as the text of a query
}

// levelOf quantises how often a term is in a document: to one of eight levels, which take four
// bits. BM25 hardly tells the difference.
func levelOf(times int) uint8 {
	switch {
	case times <= 4:
		return uint8(max(times, 1) - 1)
	case times <= 7:
		return 4
	case times <= 11:
		return 5
	case times <= 18:
		return 6
	default:
		return 7
	}
}

// timesOf is the inverse of levelOf, as far as there is one.
func timesOf(level uint8) uint8 { return [...]uint8{1, 2, 3, 4, 6, 9, 14, 24}[level&7] }

// appendTimes adds the times of n levels, which are two in a byte, or all 0.
func appendTimes(times, levels []uint8, n int) []uint8 {
	if levels == nil {
		for range n {
			times = append(times, timesOf(0))
		}
		return times
	}
	for _, two := range levels[:n/2] {
		times = append(times, timesOf(two), timesOf(two>>4))
	}
	if n%2 > 0 {
		times = append(times, timesOf(levels[n/2]))
	}
	return times
}

// Beginnings from minPrefixRunes to maxBegins letters have postings of their own.
const (
	minPrefixRunes = 2 // one letter finds nearly everything
	maxBegins      = 3
)

// titleTerms returns terms of a title: its key, its words, and how many they are. It has the key
// and the words with its compounds as one word, too.
func titleTerms(title string) []string {
	key := titleKey(title)
	if key == "" {
		return nil
	}
	terms, words := []string{key}, titleWords(key)
	for _, w := range words {
		terms = append(terms, titleWord(w))
	}
	if joined := titleKeyOf(title, true); joined != key {
		terms = append(terms, joined)
		for _, w := range titleWords(joined) {
			if !slices.Contains(words, w) {
				terms = append(terms, titleWord(w))
			}
		}
	}
	return append(terms, titleLength(min(len(words), maxTitleWords)))
}

// titleWords returns the words of the key of a title. Those of an unspaced script are pairs of
// characters, as in texts.
func titleWords(key string) (words []string) {
	for w := range strings.FieldsSeq(key) {
		if !isUnspaced(w) {
			words = append(words, w)
			continue
		}
		for t := (analysis.Tokenizer{Text: w}); t.Next(); {
			for i := range max(1, len(t.Parts)-1) {
				words = append(words, string(t.Neighbours(i)))
			}
		}
	}
	return words
}

// Terms of parts of titles. They begin with characters with which no key begins.
func titleWord(folded string) string { return " " + folded }
func titleStem(s stem) string        { return "\x01" + s.term() }
func titleLength(words int) string   { return "\x02" + string(rune(words)) }

// maxTitleWords is up to how many the words of a title are counted.
const maxTitleWords = 16

// titleKey returns a title as titles and queries are compared: its words, folded, with single
// spaces between them.
func titleKey(title string) string { return titleKeyOf(title, false) }

// titleKeyOf returns the key of a title; joined is whether each compound is one word of it, as many
// type it: wifi of Wi-Fi.
func titleKeyOf(title string, joined bool) string {
	var key []byte
	for t := (analysis.Tokenizer{Text: title}); t.Next(); {
		var whole []byte
		if joined && t.Class == analysis.Spaced {
			whole = t.Whole()
		}
		for i := range t.Parts {
			if len(key) > 0 && (t.Class == analysis.Spaced || i == 0) {
				key = append(key, ' ')
			}
			if whole != nil {
				key = append(key, analysis.Fold(whole, nil)...)
				break
			}
			key = append(key, t.Folded(i)...)
		}
		if len(key) > maxTitleBytes {
			return string(key[:maxTitleBytes])
		}
	}
	return string(key)
}

// maxTitleBytes bounds a title as a term.
const maxTitleBytes = 250

// headings returns the text of the headings of sanitised HTML.
func headings(content string) []string {
	var found []string
	for {
		at := strings.Index(content, "<h")
		if at < 0 || at+3 >= len(content) {
			return found
		}
		level := content[at+2]
		content = content[at+3:]
		if level < '1' || level > '6' {
			continue
		}
		_, rest, ok := strings.Cut(content, ">")
		if !ok {
			return found
		}
		inner, rest, ok := strings.Cut(rest, "</h"+string(rune(level))+">")
		if !ok {
			return found
		}
		found = append(found, plain(inner))
		content = rest
	}
}

// plain returns the text of a piece of HTML, without its tags.
func plain(s string) string {
	var b strings.Builder
	for s != "" {
		text, rest, found := strings.Cut(s, "<")
		b.WriteString(text)
		if !found {
			break
		}
		_, s, _ = strings.Cut(rest, ">")
	}
	return html.UnescapeString(b.String())
}

// runes counts the characters of a text: the bytes with which one begins, looking at eight bytes at
// once.
func runes(text string) (n int) {
	const highest = 0x8080808080808080
	for ; len(text) >= 8; text = text[8:] {
		eight := binary.LittleEndian.Uint64([]byte(text[:8]))
		n += 8 - bits.OnesCount64(eight&^(eight<<1)&highest)
	}
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			n++
		}
	}
	return n
}

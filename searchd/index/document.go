package index

import (
	"html"
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
	fieldWords   = "w" // folded forms; also the forms with accents; pairs of unspaced characters
	fieldStems   = "s" // language code, a space, the folded stem
	fieldBegins  = "b" // the first two and three letters of words and compounds (edge n-grams), the first of unspaced characters
	fieldTitle   = "t" // of the title: its key as one term, its words, their stems, and how many words it has
	fieldFacets  = "f" // what a search can be filtered by, and the address
	fieldRow     = "r" // a column: see row
	fieldOrder   = "q" // a column: see sequencer.value
	fieldPairs   = "p" // neighbours that are both frequent words, and clitics: see sequencer.pair and word
	fieldHit     = "h" // stored: the hexadecimal digest and the JSON of the hit up to the excerpt
	fieldContent = "c" // stored: the text
)

// isCounted reports whether the index keeps how often an article has each term of a field.
func isCounted(field string) bool {
	return field == fieldWords || field == fieldStems || field == fieldBegins
}

// Weights of the parts of an article: a word in one counts this many times. An author who puts a
// word in the title says what the article is about.
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

// hasCutTitle reports whether the title was cut from the text, as programs do for notes without a
// title: the text begins with the title, and goes on in the same sentence. Nobody chose its words
// as a title, so they count like those of the text.
func hasCutTitle(a *article.Article) bool {
	title := strings.TrimRight(a.Title, " .…!?:")
	after, begins := strings.CutPrefix(a.ContentText, title)
	return begins && utf8.RuneCountInString(title) >= cutTitleLetters && after != "" && !strings.Contains("\n.!?:", after[:1])
}

// maxTermLetters is the longest word that is indexed, in letters. Longer ones are hashes, keys
// and the like, which nobody types.
const maxTermLetters = 64

// tooLong reports whether a word is too long for the index. No counting is needed for most.
func tooLong[T string | []byte](word T) bool {
	return len(word) > maxTermLetters && utf8.RuneCountInString(string(word)) > maxTermLetters
}

// The format of a digest; see article.Digest.
const (
	digestPrefix = "sha256-"
	digestHex    = 64
	digestLength = len(digestPrefix) + digestHex
)

// document is an article as the engine gets it: its id, and the inversion that has the rest.
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

// tagTerm and languageTerm return the terms of filters. Case and accents of a tag do not count.
func tagTerm(tag string) string {
	return "t " + string(analysis.Fold(analysis.Lower(tag, nil), nil))
}

func languageTerm(tag string) string { return "l " + strings.ToLower(tag) }

// addressTerm returns the term of a web address, such as that of the page of an article, or "" for
// other texts. The scheme, a leading "www.", a fragment, a slash at the end and case do not count.
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

// levelOf quantises how often a term is in a document to one of eight levels, which take four bits.
// It hardly changes the scores of BM25.
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

// timesOf returns a typical number of times for a level: the inverse of levelOf, rounded.
func timesOf(level uint8) uint8 { return [...]uint8{1, 2, 3, 4, 6, 9, 14, 24}[level&7] }

// appendTimes appends the times of n levels, which are two in a byte; nil levels are all 0.
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

// titleTerms returns the terms of a title: its key, with and without spaces, its words and their
// number, and also the key and the words with each compound as one word.
func titleTerms(title string) []string {
	key := titleKey(title)
	if key == "" {
		return nil
	}
	terms, words := wholeTitle(key), titleWords(key)
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

// wholeTitle returns the terms of a title as a whole: its key, with and without spaces.
func wholeTitle(key string) []string {
	if unspaced := strings.ReplaceAll(key, " ", ""); unspaced != key {
		return []string{key, titleUnspaced(unspaced)}
	}
	return []string{key}
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

// Terms of parts of titles. Each begins with a character that no key begins with.
func titleWord(folded string) string  { return " " + folded }
func titleStem(s stem) string         { return "\x01" + s.term() }
func titleLength(words int) string    { return "\x02" + string(rune(words)) }
func titleUnspaced(key string) string { return "\x03" + key }

// maxTitleWords is the highest number of words that is told apart: a longer title counts as having
// this many.
const maxTitleWords = 16

// titleKey returns a title in the form in which titles and queries are compared: its words, folded,
// with single spaces between them.
func titleKey(title string) string { return titleKeyOf(title, false) }

// titleKeyOf returns the key of a title. If joined is true, each compound is one word of the key,
// as many people type it: wifi for Wi-Fi.
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

// maxTitleBytes is the most bytes of a title or an address as a term: 250 letters of any script in
// use.
const maxTitleBytes = 750

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

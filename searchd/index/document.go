package index

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"newsstand/builder/article"
)

// The fields of the index.
const (
	fieldWords   = "w" // folded forms; forms with accents beside them; pairs of unspaced characters
	fieldStems   = "s" // language code, a space, the folded stem
	fieldBegins  = "b" // the first two and three letters of words, the first of unspaced characters
	fieldOften   = "o" // one of the three names above, a term of it, how often (see often): the documents that have it more than once
	fieldLength  = "l" // one term, which every article has as often as it has words
	fieldTitle   = "t" // of the title: the whole as one term, its words, their stems, and how many they are
	fieldFacets  = "f" // what can be filtered by
	fieldRow     = "r" // a column: see row
	fieldOrder   = "q" // a column: see sequence
	fieldPairs   = "p" // neighbours that are both frequent words: see frequent
	fieldHit     = "h" // stored: the hexadecimal digest and the JSON of the hit up to the excerpt
	fieldContent = "c" // stored: the text
)

// Weights of the places in an article, as the number of times that a word there
// counts. An author who puts a word in the title says what the article is about.
const (
	weightTitle   = 5
	weightHeading = 2
	weightTag     = 3
	weightSummary = 1
	weightText    = 1
)

// maxTermBytes cuts words that no one types: they are hashes, keys and the like.
const maxTermBytes = 64

// The form of a digest; see article.Digest.
const (
	digestPrefix = "sha256-"
	digestHex    = 64
	digestLength = len(digestPrefix) + digestHex
)

// document is an article on its way into the index.
type document struct {
	id       string
	fields   []index.Field
	analyzed *analyzed
	bytes    int
}

// parse reads the line of an article, checks it and returns its document. The analysis
// is left to the workers of the engine.
func (x *Index) parse(digest string, line []byte) (*document, *row, error) {
	var a article.Article
	if err := json.Unmarshal(line, &a); err != nil {
		return nil, nil, fmt.Errorf("parse article: %w", err)
	}
	if !article.ValidID(a.ID) {
		return nil, nil, fmt.Errorf("parse article: %q is no id", a.ID)
	}
	if len(digest) != digestLength || !strings.HasPrefix(digest, digestPrefix) {
		return nil, nil, fmt.Errorf("article %s: %q is no digest", a.ID, digest)
	}
	hit, err := article.Encode(a.Meta)
	if err != nil {
		return nil, nil, err
	}
	r := &row{digest: digest[len(digestPrefix):], published: a.DatePublished.Unix(), language: baseCode(a.Language)}
	// The analysis is shared by the fields, and done by the first that is asked.
	an := &analyzed{article: &a, languages: x.languages, row: r}
	d := &document{id: a.ID, analyzed: an, bytes: len(line)}
	add := func(f index.Field) { d.fields = append(d.fields, f) }
	for _, name := range [...]string{fieldWords, fieldStems, fieldBegins, fieldOften, fieldTitle, fieldFacets, fieldPairs} {
		add(&field{name: name, analyzed: an, options: index.IndexField | index.SkipFreqNorm})
	}
	add(&field{name: fieldLength, analyzed: an, options: index.IndexField})
	add(&field{name: fieldRow, analyzed: an, options: index.IndexField | index.DocValues | index.SkipFreqNorm})
	add(sequenceField{&field{name: fieldOrder, analyzed: an, options: index.IndexField | index.DocValues | index.SkipFreqNorm | index.SkipDVChunking | index.SkipDVCompression}})
	add(&field{name: fieldHit, value: append([]byte(r.digest), hit[:len(hit)-len("}\n")]...), options: index.StoreField})
	add(&field{name: fieldContent, value: []byte(a.ContentText), options: index.StoreField})
	return d, r, nil
}

// analyzed is what the words of an article become.
type analyzed struct {
	article   *article.Article
	languages *languages
	frequent  frequent
	row       *row

	done   bool
	terms  map[string]index.TokenFrequencies // by field
	once   *index.TokenFreq                  // of all terms: the engine keeps no frequencies but that of the length
	length int                               // weighted number of words

	sequence sequence
}

// field implements the engine's index.Field.
type field struct {
	name     string
	options  index.FieldIndexingOptions
	value    []byte
	analyzed *analyzed
}

func (f *field) Name() string                        { return f.name }
func (f *field) Value() []byte                       { return f.value }
func (f *field) ArrayPositions() []uint64            { return nil }
func (f *field) EncodedFieldType() byte              { return 't' }
func (f *field) Options() index.FieldIndexingOptions { return f.options }
func (f *field) NumPlainTextBytes() uint64           { return uint64(len(f.value)) }

// Analyze is called by one goroutine for all fields of a document, one after another.
func (f *field) Analyze() {
	if f.analyzed != nil {
		f.analyzed.analyze()
	}
}

func (f *field) AnalyzedLength() int {
	if f.analyzed == nil {
		return 0
	}
	return f.analyzed.length
}

func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies {
	if f.analyzed == nil {
		return nil
	}
	return f.analyzed.terms[f.name]
}

func (d *document) ID() string                                 { return d.id }
func (d *document) Size() int                                  { return d.bytes }
func (d *document) VisitComposite(index.CompositeFieldVisitor) {}
func (d *document) HasComposite() bool                         { return false }
func (d *document) NumPlainTextBytes() uint64                  { return uint64(d.bytes) }
func (d *document) StoredFieldsBytes() uint64                  { return uint64(d.bytes) }
func (d *document) Indexed() bool                              { return true }

func (d *document) VisitFields(visit index.FieldVisitor) {
	for _, f := range d.fields {
		visit(f)
	}
}

// AddIDField adds the field by which the engine knows documents.
func (d *document) AddIDField() {
	one := &index.TokenFreq{}
	one.SetFrequency(1) // then the engine needs no list for the one document
	an := &analyzed{done: true, length: 1, terms: map[string]index.TokenFrequencies{"_id": {d.id: one}}}
	d.fields = append(d.fields, &field{name: "_id", value: []byte(d.id), options: index.IndexField | index.StoreField, analyzed: an})
}

// analyze counts the words of the article, once.
func (a *analyzed) analyze() {
	if a.done {
		return
	}
	a.done = true
	a.terms, a.once = map[string]index.TokenFrequencies{}, &index.TokenFreq{}
	c := counter{into: a, language: a.languages.of(baseCode(a.article.Language))}
	for k := range c.met {
		c.met[k] = map[string]*met{}
	}
	for f := range c.counts {
		c.counts[f] = make(map[string]int, 256)
	}
	order := newSequencer(a.frequent)
	c.add(a.article.Title, weightTitle)
	a.mention(fieldTitle, append(titleTerms(a.article.Title), c.titleStems()...)...)
	c.add(a.article.Summary, weightSummary)
	for _, heading := range headings(a.article.ContentHTML) {
		c.add(heading, weightHeading)
		order.know(heading)
	}
	c.add(a.article.ContentText, weightText)
	facets := []string{languageTerm(a.article.Language)}
	for _, tag := range a.article.Tags {
		c.add(tag, weightTag)
		order.add(tag)
		facets = append(facets, tagTerm(tag))
	}
	for _, text := range [...]string{a.article.Title, a.article.Summary, a.article.ContentText} {
		order.add(text)
	}
	a.sequence = order.sequence()
	a.mention(fieldPairs, order.pairTerms()...)
	a.mention(fieldOrder, "") // a column without any term is lost when segments are merged
	c.finish()
	a.row.length = a.length
	a.mention(fieldFacets, facets...)
	a.mention(fieldRow, a.row.encode())
	length := &index.TokenFreq{}
	length.SetFrequency(1)
	a.terms[fieldLength] = index.TokenFrequencies{"": length}
	a.article = nil // the line can go while the rest of the batch is analysed
}

// mention notes the terms of a field, without how often they are there.
func (a *analyzed) mention(field string, terms ...string) {
	a.terms[field] = make(index.TokenFrequencies, len(terms))
	for _, term := range terms {
		a.terms[field][term] = a.once
	}
}

// tagTerm and languageTerm are the terms of filters: case and accents of a tag do not count.
func tagTerm(tag string) string {
	return "t " + string(fold(lower(tag, nil), nil))
}

func languageTerm(tag string) string { return "l " + strings.ToLower(tag) }

// counter counts the words of one article. Words are counted as they stand in the text
// first, and only the different ones are folded and stemmed.
type counter struct {
	into     *analyzed
	language *language
	forms    forms
	met      [kinds]map[string]*met
	order    []*met // as they were met
	counts   [counted]map[string]int
}

// The fields whose terms are counted.
const (
	inWords = iota
	inStems
	inBegins
	counted
)

// kind says what is made of a form.
type kind uint8

const (
	wordForm  kind = iota // stems and beginnings too
	gramForm              // characters of an unspaced script, a picture
	wholeForm             // a compound
	kinds
)

type met struct {
	form  string
	kind  kind
	times int
}

// add counts the words of a text, each weight times.
func (c *counter) add(text string, weight int) {
	t := tokenizer{text: text}
	for w, ok := t.next(); ok; w, ok = t.next() {
		c.forms.of(text, &w, func(f form) {
			if f.first {
				c.into.length += weight
			}
			k := gramForm
			switch {
			case f.stems:
				k = wordForm
			case f.whole:
				k = wholeForm
			}
			if len(f.lowered) > maxTermBytes {
				return
			}
			m := c.met[k][string(f.lowered)]
			if m == nil {
				m = &met{form: string(f.lowered), kind: k}
				c.met[k][m.form] = m
				c.order = append(c.order, m)
			}
			m.times += weight
		})
	}
}

// finish turns what was counted into terms.
func (c *counter) finish() {
	var lowered, folded []byte
	for _, m := range c.order {
		lowered = append(lowered[:0], m.form...)
		folded = fold(lowered, folded)
		if m.kind == gramForm {
			folded = append(folded[:0], lowered...)
		}
		c.counts[inWords][string(folded)] += m.times
		switch m.kind {
		case gramForm:
			_, size := utf8.DecodeRune(folded)
			c.counts[inBegins][string(folded[:size])] += m.times
		case wordForm:
			if string(folded) != m.form {
				c.counts[inWords][m.form] += m.times
			}
			// A word that is its own stem is found by its form; see snapshot.stem.
			if stem := c.language.stem(lowered); stem != "" && stem != string(folded) {
				c.counts[inStems][c.language.code+" "+stem] += m.times
			}
			c.begins(folded, m.times)
		}
	}
	c.hand()
}

// hand gives the terms to the engine.
func (c *counter) hand() {
	a := c.into
	n := 0
	for _, counts := range c.counts {
		n += len(counts)
	}
	more := make(index.TokenFrequencies, n/2)
	for f, field := range [counted]string{fieldWords, fieldStems, fieldBegins} {
		terms := make(index.TokenFrequencies, len(c.counts[f]))
		for term, times := range c.counts[f] {
			terms[term] = a.once
			if field == fieldBegins && !isPair(term) {
				times &^= 3 // how often some word begins so says little
			}
			if times > 1 {
				more[oftenTerm(field, term)+string(often(times))] = a.once
			}
		}
		a.terms[field] = terms
	}
	a.terms[fieldOften] = more
}

// oftenTerm begins the terms of fieldOften of a term.
func oftenTerm(field, term string) string { return field + term }

// often rounds how often a term is in a document: BM25 hardly tells the difference. The
// result is a control character, which no term has.
func often(times int) rune {
	switch {
	case times <= 4:
		return rune(times)
	case times <= 7:
		return 6
	case times <= 11:
		return 9
	case times <= 18:
		return 14
	default:
		return 24
	}
}

// oftenLevels are the results of often above 1.
const oftenLevels = "\x02\x03\x04\x06\x09\x0e\x18"

// begins counts the beginnings of a word that are searched most while someone types.
// Longer ones have few enough words to be looked up one by one.
func (c *counter) begins(folded []byte, times int) {
	at := 0
	for letters := 1; letters <= maxBegins && at < len(folded); letters++ {
		_, size := utf8.DecodeRune(folded[at:])
		if at += size; letters >= minPrefixRunes {
			c.counts[inBegins][string(folded[:at])] += times
		}
	}
}

// Beginnings from minPrefixRunes to maxBegins letters have postings of their own.
const (
	minPrefixRunes = 2 // one letter finds nearly everything
	maxBegins      = 3
)

// titleTerms are the title as a whole, its words, and how many they are.
func titleTerms(title string) []string {
	key := titleKey(title)
	if key == "" {
		return nil
	}
	terms := []string{key}
	for w := range strings.FieldsSeq(key) {
		terms = append(terms, titleWord(w))
	}
	return append(terms, titleLength(min(len(terms)-1, maxTitleWords)))
}

// titleStems are the stems of what was counted so far, which is the title.
func (c *counter) titleStems() (terms []string) {
	for _, m := range c.order {
		if m.kind != wordForm {
			continue
		}
		if text := c.language.stem([]byte(m.form)); text != "" {
			terms = append(terms, titleStem(stem{c.language.code, text}))
		}
	}
	return terms
}

// No title begins as these terms do.
func titleWord(folded string) string { return " " + folded }
func titleStem(s stem) string        { return "\x01" + s.language + " " + s.text }
func titleLength(words int) string   { return "\x02" + string(rune(words)) }

// maxTitleWords is the most words of a title that are counted.
const maxTitleWords = 16

// titleKey is a title as it is compared: its words, folded, between single spaces.
func titleKey(title string) string {
	t := tokenizer{text: title}
	var key []byte
	var low, folded []byte
	for w, ok := t.next(); ok; w, ok = t.next() {
		for i, p := range w.parts {
			low = lower(title[p.start:p.end], low)
			folded = fold(low, folded)
			if len(key) > 0 && (w.script == spaced || i == 0) {
				key = append(key, ' ')
			}
			key = append(key, folded...)
		}
		if len(key) > maxTitleBytes {
			return string(key[:maxTitleBytes])
		}
	}
	return string(key)
}

// maxTitleBytes bounds a title as a term.
const maxTitleBytes = 250

// form is one way in which a word is found.
type form struct {
	lowered []byte // with its accents
	stems   bool   // whether the stemmer is asked
	first   bool   // whether it counts for the length of the text
	whole   bool   // whether it is the whole of a compound, its parts being others
}

// forms finds the forms of words. Its buffers are used again.
type forms struct{ low, whole []byte }

// of calls visit for each form of the word. The bytes are valid during the call.
func (f *forms) of(text string, w *word, visit func(form)) {
	switch w.script {
	case unspaced:
		// Pairs of neighbours, and the last character alone: so that one character finds
		// all, as the beginning of a pair or as an end.
		for i := range w.parts {
			end := w.parts[min(i+1, len(w.parts)-1)].end
			f.low = lower(text[w.parts[i].start:end], f.low)
			visit(form{lowered: f.low, first: i == 0 || i+1 < len(w.parts)})
		}
	case symbol:
		f.low = lower(text[w.start:w.end], f.low)
		visit(form{lowered: f.low, first: true})
	default:
		for i, p := range w.parts {
			if w.stands(text, i) {
				f.low = lower(text[p.start:p.end], f.low)
				visit(form{lowered: f.low, stems: true, first: true})
			}
		}
		if w.compound() {
			f.whole = lower(text[w.start:w.end], f.whole)
			f.low = joined(f.whole, f.low)
			visit(form{lowered: f.low, whole: true})
		}
	}
}

// maxCompoundParts is the longest compound that is also one word: beyond are paths and
// addresses.
const maxCompoundParts = 4

// compound reports whether the word as a whole is another form than its part.
func (w *word) compound() bool {
	if len(w.parts) == 1 {
		return w.parts[0] != w.span
	}
	return len(w.parts) <= maxCompoundParts
}

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

// plain takes the tags from a piece of HTML.
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

// runes counts the characters of a form.
func runes(s string) int { return utf8.RuneCountInString(s) }

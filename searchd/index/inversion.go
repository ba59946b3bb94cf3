package index

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"
	"github.com/golang/snappy"

	"newsstand/builder/article"
)

// inversion turns articles into a segment of the engine. The forms of all its articles are in one table, so that each is
// folded and stemmed once; what it notes of an article are the numbers of its terms. It is for one goroutine.
type inversion struct {
	languages *languages
	frequent  frequent
	forms     forms
	known     [kinds]map[string]*known
	met       []*known // in the article that is added
	terms     [termFields]fieldTerms

	ids       []string
	rows      []row
	stored    []byte   // what is stored of the articles, as the engine has it
	begins    []uint64 // of each, in stored
	sequences []byte   // as a column has them
	ends      []int    // of each, in sequences

	meta, data, packed, low, folded []byte // used again
}

// The fields with terms of which not every article has the same.
const (
	inBegins = iota // these three are counted; they are in the order of their names
	inStems
	inWords
	inFacets
	inPairs
	inTitle
	termFields
	counted = inFacets
)

func newInversion(languages *languages, frequent frequent) *inversion {
	v := &inversion{languages: languages, frequent: frequent}
	for k := range v.known {
		v.known[k] = map[string]*known{}
	}
	for f := range v.terms {
		v.terms[f].numbers = map[string]uint32{}
	}
	return v
}

// kind says what is made of a form.
type kind uint8

const (
	wordForm  kind = iota // stems and beginnings too
	gramForm              // characters of an unspaced script, a picture
	wholeForm             // a compound
	kinds
)

// known is a form that was met, and the terms that are made of it.
type known struct {
	form   string
	kind   kind
	times  int      // in the article that is added
	words  []uint32 // folded, and with its accents
	begins []uint32
	stems  []stemmed
}

// stemmed is the stem of a form in a language.
type stemmed struct {
	language *language
	text     string // empty: there is none
	own      bool   // whether the form is its own stem: it is found by its form; see snapshot.stem
	number   uint32
}

// add reads the line of an article, checks it and takes it in. It returns the id.
func (v *inversion) add(digest string, line []byte) (id string, err error) {
	var a article.Article
	if err := json.Unmarshal(line, &a); err != nil {
		return "", fmt.Errorf("parse article: %w", err)
	}
	if !article.ValidID(a.ID) {
		return "", fmt.Errorf("parse article: %q is no id", a.ID)
	}
	if len(digest) != digestLength || !strings.HasPrefix(digest, digestPrefix) {
		return "", fmt.Errorf("article %s: %q is no digest", a.ID, digest)
	}
	hit, err := article.Encode(a.Meta)
	if err != nil {
		return "", err
	}
	r := row{digest: digest[len(digestPrefix):], published: a.DatePublished.Unix(), language: baseCode(a.Language)}
	r.length = v.invert(&a)
	v.ids, v.rows = append(v.ids, a.ID), append(v.rows, r)
	v.store(a.ID, r.digest, hit[:len(hit)-len("}\n")], a.ContentText)
	return a.ID, nil
}

// store notes what is stored of an article: where the values are, the id, and the values together.
func (v *inversion) store(id, digest string, hit []byte, text string) {
	const kindOfValue = 't'
	v.data = append(append(append(v.data[:0], text...), digest...), hit...)
	v.meta = binary.AppendUvarint(v.meta[:0], uint64(len(id)))
	at := 0
	for number, f := range indexFields() {
		size := len(text)
		switch f.name {
		case fieldContent:
		case fieldHit:
			size = len(digest) + len(hit)
		default:
			continue
		}
		for _, n := range [...]int{number, kindOfValue, at, size, 0} {
			v.meta = binary.AppendUvarint(v.meta, uint64(n))
		}
		at += size
	}
	v.packed = snappy.Encode(v.packed[:cap(v.packed)], v.data)
	v.begins = append(v.begins, uint64(len(v.stored)))
	v.stored = binary.AppendUvarint(v.stored, uint64(len(v.meta)))
	v.stored = binary.AppendUvarint(v.stored, uint64(len(id)+len(v.packed)))
	v.stored = append(append(append(v.stored, v.meta...), id...), v.packed...)
}

// invert counts the words of an article, and returns how many there are, weighted.
func (v *inversion) invert(a *article.Article) (length int) {
	language := v.languages.of(baseCode(a.Language))
	order := newSequencer(v.frequent)
	length += v.count(a.Title, weightTitle)
	v.mention(inTitle, titleTerms(a.Title)...)
	for _, k := range v.met {
		if k.kind != wordForm {
			continue
		}
		if s := v.stem(k, language); s.text != "" {
			v.mention(inTitle, titleStem(stem{language.code, s.text}))
		}
	}
	length += v.count(a.Summary, weightSummary)
	for _, heading := range headings(a.ContentHTML) {
		length += v.count(heading, weightHeading)
		order.know(heading)
	}
	length += v.count(a.ContentText, weightText)
	v.mention(inFacets, languageTerm(a.Language))
	for _, tag := range a.Tags {
		length += v.count(tag, weightTag)
		order.add(tag)
		v.mention(inFacets, tagTerm(tag))
	}
	for _, text := range [...]string{a.Title, a.Summary, a.ContentText} {
		order.add(text)
	}
	v.sequences = append(append(v.sequences, order.sequence()...), index.DocValueTermSeparator)
	v.ends = append(v.ends, len(v.sequences))
	v.mention(inPairs, order.pairTerms()...)
	v.finish(language)
	return length
}

// mention notes terms that are not counted.
func (v *inversion) mention(f int, terms ...string) {
	for _, term := range terms {
		v.terms[f].count(v.terms[f].number([]byte(term)), 1)
	}
}

// count counts the words of a text, each weight times.
func (v *inversion) count(text string, weight int) (length int) {
	t := tokenizer{text: text}
	for w, ok := t.next(); ok; w, ok = t.next() {
		v.forms.of(text, &w, func(f form) {
			if f.first {
				length += weight
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
			one := v.known[k][string(f.lowered)]
			if one == nil {
				one = v.learn(k, string(f.lowered))
			}
			if one.times == 0 {
				v.met = append(v.met, one)
			}
			one.times += weight
		})
	}
	return length
}

// learn makes terms of a form that is met for the first time.
func (v *inversion) learn(k kind, form string) *known {
	one := &known{form: form, kind: k}
	v.known[k][form] = one
	words, begins := &v.terms[inWords], &v.terms[inBegins]
	v.low = append(v.low[:0], form...)
	if k == gramForm {
		_, size := utf8.DecodeRune(v.low)
		one.words = []uint32{words.number(v.low)}
		one.begins = []uint32{begins.number(v.low[:size])}
		return one
	}
	v.folded = fold(v.low, v.folded)
	one.words = append(one.words, words.number(v.folded))
	if k == wholeForm {
		return one
	}
	if string(v.folded) != form {
		one.words = append(one.words, words.number(v.low))
	}
	// The beginnings of a word that are searched most while someone types. Longer ones have few enough words to be
	// looked up one by one.
	at := 0
	for letters := 1; letters <= maxBegins && at < len(v.folded); letters++ {
		_, size := utf8.DecodeRune(v.folded[at:])
		if at += size; letters >= minPrefixRunes {
			one.begins = append(one.begins, begins.number(v.folded[:at]))
		}
	}
	return one
}

// stem returns the stem of a form.
func (v *inversion) stem(k *known, in *language) stemmed {
	for _, s := range k.stems {
		if s.language == in {
			return s
		}
	}
	v.low = append(v.low[:0], k.form...)
	s := stemmed{language: in, text: in.stem(v.low)}
	if s.own = s.text == v.terms[inWords].terms[k.words[0]]; !s.own && s.text != "" {
		s.number = v.terms[inStems].number([]byte(in.code + " " + s.text))
	}
	k.stems = append(k.stems, s)
	return s
}

// finish turns what was counted of an article into terms.
func (v *inversion) finish(language *language) {
	for _, k := range v.met {
		for _, n := range k.words {
			v.terms[inWords].count(n, k.times)
		}
		for _, n := range k.begins {
			v.terms[inBegins].count(n, k.times)
		}
		if k.kind == wordForm {
			if s := v.stem(k, language); !s.own && s.text != "" {
				v.terms[inStems].count(s.number, k.times)
			}
		}
		k.times = 0
	}
	v.met = v.met[:0]
	for f := range v.terms {
		v.terms[f].end(f)
	}
}

// fieldTerms numbers the terms of a field, and notes which articles have which.
type fieldTerms struct {
	numbers map[string]uint32
	terms   []string
	times   []int    // in the article that is added, by number
	had     []uint32 // the numbers of the terms of each article, one article after another
	ends    []int    // of each, in had
	often   []uint32 // likewise, of those that an article has more than once, with how often: see level
	oftens  []int    // of each, in often
}

// levelBits are enough for the number of a level among oftenLevels.
const levelBits = 3

// number is that of a term.
func (v *fieldTerms) number(term []byte) uint32 {
	n, ok := v.numbers[string(term)]
	if !ok {
		n = uint32(len(v.terms))
		v.terms, v.times = append(v.terms, string(term)), append(v.times, 0)
		v.numbers[v.terms[n]] = n
	}
	return n
}

// count adds how often a term is in the article.
func (v *fieldTerms) count(n uint32, times int) {
	if v.times[n] == 0 {
		v.had = append(v.had, n)
	}
	v.times[n] += times
}

// end ends the article.
func (v *fieldTerms) end(f int) {
	begin := 0
	if len(v.ends) > 0 {
		begin = v.ends[len(v.ends)-1]
	}
	for _, n := range v.had[begin:] {
		times := v.times[n]
		v.times[n] = 0
		if f == inBegins && times > 1 && !isPair(v.terms[n]) {
			times &^= 3 // how often some word begins so says little
		}
		if f < counted && times > 1 {
			v.often = append(v.often, n<<levelBits|uint32(strings.IndexRune(oftenLevels, often(times))))
		}
	}
	v.ends, v.oftens = append(v.ends, len(v.had)), append(v.oftens, len(v.often))
}

// sorted returns the numbers of the terms in the order of the terms.
func (v *fieldTerms) sorted() []uint32 {
	order := make([]uint32, len(v.terms))
	for n := range order {
		order[n] = uint32(n)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(v.terms[a], v.terms[b]) })
	return order
}

// lists are documents by key.
type lists struct{ docs, begins []uint32 }

// of returns the documents of a key.
func (l *lists) of(key uint32) []uint32 { return l.docs[l.begins[key]:l.begins[key+1]] }

// listsOf takes the keys of each document, one document after another, all below a bound.
func listsOf(keys []uint32, ends []int, bound int) *lists {
	l := &lists{docs: make([]uint32, len(keys)), begins: make([]uint32, bound+1)}
	for _, key := range keys {
		l.begins[key]++
	}
	sum := uint32(0)
	for key, n := range l.begins {
		sum += n
		l.begins[key] = sum // the end for now
	}
	for doc := len(ends) - 1; doc >= 0; doc-- {
		begin := 0
		if doc > 0 {
			begin = ends[doc-1]
		}
		for _, key := range keys[begin:ends[doc]] {
			l.begins[key]--
			l.docs[l.begins[key]] = uint32(doc)
		}
	}
	return l
}

// indexFields are the fields in the order in which a segment has them: that of the documents, and the others by name.
func indexFields() []fieldAt {
	const terms = index.IndexField | index.SkipFreqNorm
	return []fieldAt{
		{name: "_id", options: index.IndexField | index.StoreField},
		{name: fieldBegins, options: terms},
		{name: fieldContent, options: index.StoreField},
		{name: fieldFacets, options: terms},
		{name: fieldHit, options: index.StoreField},
		{name: fieldLength, options: index.IndexField},
		{name: fieldOften, options: terms},
		{name: fieldPairs, options: terms},
		{name: fieldOrder, options: terms | index.DocValues | index.SkipDVChunking | index.SkipDVCompression},
		{name: fieldRow, options: terms | index.DocValues},
		{name: fieldStems, options: terms},
		{name: fieldTitle, options: terms},
		{name: fieldWords, options: terms},
	}
}

// write writes the segment of the articles, but for its end.
func (v *inversion) write(w *segmentWriter) (places, error) {
	at := places{docs: len(v.ids), stored: w.stored(v.stored, v.begins)}
	all := make([]uint32, len(v.ids))
	for doc := range all {
		all[doc] = uint32(doc)
	}
	var sorted [termFields][]uint32
	for f := range v.terms {
		sorted[f] = v.terms[f].sorted()
	}
	fields := indexFields()
	for i, f := range fields {
		var c *column
		switch f.name {
		case fieldContent, fieldHit:
			continue
		case "_id":
			order := slices.Clone(all)
			slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(v.ids[a], v.ids[b]) })
			for _, doc := range order {
				w.term([]byte(v.ids[doc]), []uint32{doc}, nil)
			}
		case fieldLength:
			lengths := make([]uint32, len(all))
			for doc, r := range v.rows {
				lengths[doc] = uint32(r.length)
			}
			w.term(nil, all, lengths)
		case fieldOrder:
			w.term(nil, all, nil)
			c = &column{values: v.columnOfSequences()}
		case fieldRow:
			w.term(nil, all, nil)
			c = &column{values: v.columnOfRows(), packed: true}
		case fieldOften:
			for f := range counted {
				v.terms[f].writeOften(w, f, sorted[f])
			}
		default:
			f := slices.Index(termNames(), f.name)
			lists := listsOf(v.terms[f].had, v.terms[f].ends, len(v.terms[f].terms))
			for _, n := range sorted[f] {
				w.term([]byte(v.terms[f].terms[n]), lists.of(n), nil)
			}
		}
		fields[i].address = w.endField(c)
	}
	var err error
	at.fields, err = w.fields(fields)
	return at, err
}

// termNames are the names of the fields that have fieldTerms.
func termNames() []string {
	return []string{fieldBegins, fieldStems, fieldWords, fieldFacets, fieldPairs, fieldTitle}
}

// writeOften adds the terms of fieldOften that begin as those of a field: in their order, for a level is less
// than all that may follow in a term.
func (v *fieldTerms) writeOften(w *segmentWriter, f int, sorted []uint32) {
	lists := listsOf(v.often, v.oftens, len(v.terms)<<levelBits)
	for _, n := range sorted {
		term := oftenTerm(termNames()[f], v.terms[n])
		for i := range oftenLevels {
			w.term([]byte(term+oftenLevels[i:i+1]), lists.of(n<<levelBits|uint32(i)), nil)
		}
	}
}

func (v *inversion) columnOfSequences() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin := 0
		for _, end := range v.ends {
			if !yield(v.sequences[begin:end]) {
				return
			}
			begin = end
		}
	}
}

func (v *inversion) columnOfRows() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for _, r := range v.rows {
			if !yield([]byte(r.encode())) {
				return
			}
		}
	}
}

package index

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// inversion turns articles into a segment of the engine. It numbers the forms of all its articles
// in tables, so that each form is folded and stemmed only once, and records for each article the
// numbers of its terms. It must be used by one goroutine at a time.
type inversion struct {
	languages *analysis.Languages
	tokenizer analysis.Tokenizer
	order     *sequencer
	texts     [kinds]*table // of forms
	known     [kinds][]known
	met       [kinds][]uint32                 // forms of the article that is being added
	stems     map[*analysis.Language][]uint32 // of word forms: see stem
	others    [][]uint32                      // terms of fieldStems of versions: see known.others

	// The terms that are collected while articles are added, by field. In the other fields that
	// have terms, each article has the same term, or its id.
	terms                                                  map[string]*fieldTerms
	inBegins, inStems, inWords, inFacets, inPairs, inTitle *fieldTerms // the values of terms

	ids       []string
	rows      values
	stored    []byte   // the stored fields of the articles, as in a segment's file
	begins    []uint64 // where each article begins in stored
	sequences values

	meta, data, packed, folded []byte // buffers that are reused
}

func newInversion(languages *analysis.Languages, frequent frequent) *inversion {
	v := &inversion{languages: languages, stems: map[*analysis.Language][]uint32{}, others: [][]uint32{nil}, terms: map[string]*fieldTerms{}}
	terms := func(field string) *fieldTerms {
		v.terms[field] = newFieldTerms()
		return v.terms[field]
	}
	v.inBegins, v.inStems, v.inWords = terms(fieldBegins), terms(fieldStems), terms(fieldWords)
	v.inFacets, v.inPairs, v.inTitle = terms(fieldFacets), terms(fieldPairs), terms(fieldTitle)
	for k := range v.texts {
		v.texts[k] = newTable()
	}
	v.order = newSequencer(frequent, v.inPairs)
	return v
}

// reset removes all articles, and keeps the memory for others.
func (v *inversion) reset() {
	for k, t := range v.texts {
		t.reset()
		v.known[k] = v.known[k][:0]
	}
	for language, stems := range v.stems {
		v.stems[language] = stems[:0]
	}
	v.others = v.others[:1]
	for _, t := range v.terms {
		t.reset()
	}
	v.order.reset()
	v.ids, v.stored, v.begins = v.ids[:0], v.stored[:0], v.begins[:0]
	v.rows.reset()
	v.sequences.reset()
}

// kind says which terms are made of a form.
type kind uint8

const (
	wordForm  kind = iota // a word: also stems and beginnings
	gramForm              // a pair of characters or a single one of an unspaced script, or an emoji
	wholeForm             // a whole compound: also beginnings
	kinds
)

// known is what is known of a form. Terms in words and begins are given by their number plus one; 0
// is none.
type known struct {
	times  int       // how often the article that is being added has it, weighted
	words  [2]uint32 // terms of fieldWords: folded, and with accents
	begins [2]uint32 // terms of fieldBegins
	others int       // the index in inversion.others of its terms as a version
	place  int       // the place of a word form in the sequencer; 0 for other kinds
}

// values are the values of a column, one for each article.
type values struct {
	bytes []byte
	ends  []int // in bytes
}

func (v *values) reset() { v.bytes, v.ends = v.bytes[:0], v.ends[:0] }

func (v *values) add(value []byte) {
	v.bytes = append(v.bytes, value...)
	v.ends = append(v.ends, len(v.bytes))
}

func (v *values) all() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin := 0
		for _, end := range v.ends {
			if !yield(v.bytes[begin:end]) {
				return
			}
			begin = end
		}
	}
}

// add parses and checks the line of an article, adds the article, and returns its id. The error is
// ErrArticle if the line or the digest is not valid.
func (v *inversion) add(digest string, line []byte) (id string, err error) {
	a, err := article.Decode(line)
	if err != nil {
		return "", fmt.Errorf("%w: %.80q: %w", ErrArticle, line, err)
	}
	if !article.ValidID(a.ID) {
		return "", fmt.Errorf("%w: %q is no id", ErrArticle, a.ID)
	}
	if !bytes.HasPrefix(line, []byte(`{"id":"`+a.ID+`"`)) { // readers of the corpus take the id from there
		return "", fmt.Errorf("%w: its line does not begin with its id, %s", ErrArticle, a.ID)
	}
	if len(digest) != digestLength || !strings.HasPrefix(digest, digestPrefix) {
		return "", fmt.Errorf("%w: %s has the digest %q", ErrArticle, a.ID, digest)
	}
	hit, err := article.Encode(a.Meta)
	if err != nil {
		return "", err
	}
	digest = digest[len(digestPrefix):]
	v.rows.add(newRow(a.DatePublished.Unix(), v.invert(&a), digest, v.languages.Of(a.Language).Code))
	v.ids = append(v.ids, a.ID)
	v.store(a.ID, digest, hit[:len(hit)-len("}\n")], a.ContentText)
	return a.ID, nil
}

// store appends the stored fields of an article: two sizes, of the places and of the rest; the
// place of each value; the id; and the values, packed together.
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
	v.packed = pack(v.packed, v.data)
	v.begins = append(v.begins, uint64(len(v.stored)))
	v.stored = binary.AppendUvarint(v.stored, uint64(len(v.meta)))
	v.stored = binary.AppendUvarint(v.stored, uint64(len(id)+len(v.packed)))
	v.stored = append(append(append(v.stored, v.meta...), id...), v.packed...)
}

// invert adds the words of an article, and returns its length: how many words it has, weighted.
func (v *inversion) invert(a *article.Article) (length int) {
	language := v.languages.Of(a.Language)
	v.order.next()
	if hasCutTitle(a) {
		length += v.read(a.Title, weightText, v.order.follow)
		if key := titleKey(a.Title); key != "" {
			v.inTitle.mention(wholeTitle(key)...) // whoever types all of it looks for this article
		}
	} else {
		length += v.read(a.Title, weightTitle, v.order.follow)
		v.mentionTitle(a.Title, language)
	}
	v.order.end()
	length += v.read(a.Summary, weightSummary, v.order.follow)
	v.order.end()
	for _, heading := range headings(a.ContentHTML) {
		length += v.read(heading, weightHeading, v.order.meet) // it is in the text, too
	}
	length += v.read(a.ContentText, weightText, v.order.follow)
	v.order.end()
	v.inFacets.mention(languageTerm(a.Language))
	if term := addressTerm(a.URL); term != "" {
		v.inFacets.mention(term)
	}
	for _, tag := range a.Tags {
		length += v.read(tag, weightTag, v.order.follow)
		v.order.end()
		v.inFacets.mention(tagTerm(tag))
	}
	v.sequences.add(v.order.value())
	v.finish(language)
	return length
}

// mentionTitle adds the terms of a title. It must follow the read of the title, before any other
// text of the article is read.
func (v *inversion) mentionTitle(title string, language *analysis.Language) {
	v.inTitle.mention(titleTerms(title)...)
	for _, n := range v.met[wordForm] {
		if text := v.stemText(n, language); text != "" {
			v.inTitle.mention(titleStem(stem{language.Code, text}))
			if folded := string(v.folding(n)); folded != text { // a folded form is also found as a stem; see snapshot.stem
				v.inTitle.mention(titleStem(stem{language.Code, folded}))
			}
		}
		for _, one := range analysis.Versions(string(v.texts[wordForm].at(n))) {
			v.inTitle.mention(titleStem(stem{inAll, one}))
		}
	}
}

// read counts each word of a text weight times, and calls visit with the places in the sequencer of
// their forms. It returns the number of words times weight.
func (v *inversion) read(text string, weight int, visit func(at int)) (length int) {
	place := 0 // of the last word form
	count := func(f analysis.Form) {
		if f.First {
			length += weight
		}
		k := gramForm
		switch {
		case f.Stems:
			k = wordForm
		case f.Whole:
			k = wholeForm
		}
		if place = 0; tooLong(f.Lowered) {
			return
		}
		n, added := v.texts[k].number(f.Lowered)
		if added {
			v.learn(k, f.Lowered)
		}
		one := &v.known[k][n]
		if one.times == 0 {
			v.met[k] = append(v.met[k], n)
		}
		one.times += weight
		place = one.place
	}
	t := &v.tokenizer
	for t.Reset(text); t.Next(); {
		t.Forms(count)
		if place > 0 && t.Simple() {
			visit(place) // nearly all words
		} else {
			v.order.word(t, visit)
		}
	}
	return length
}

// learn adds the terms of a form that is met for the first time.
func (v *inversion) learn(k kind, lowered []byte) {
	var one known
	defer func() { v.known[k] = append(v.known[k], one) }()
	words, begins := v.inWords, v.inBegins
	if k == gramForm {
		_, size := utf8.DecodeRune(lowered)
		one.words[0], one.begins[0] = words.number(lowered)+1, begins.number(lowered[:size])+1
		if marked := size + marksAfter(lowered[size:]); marked > size {
			one.begins[1] = begins.number(lowered[:marked]) + 1
		}
		return
	}
	v.folded = analysis.Fold(lowered, v.folded)
	one.words[0] = words.number(v.folded) + 1
	one.begins = v.beginnings()
	if k == wholeForm {
		return
	}
	if string(v.folded) != string(lowered) {
		one.words[1] = words.number(lowered) + 1
	}
	one.place = v.order.place(v.folded)
	if all := analysis.Versions(string(lowered)); len(all) > 0 {
		one.others = len(v.others)
		v.others = append(v.others, nil)
		for _, version := range all {
			if version != string(lowered) { // the form itself is found as a word
				v.others[one.others] = append(v.others[one.others], v.inStems.number([]byte(stem{inAll, version}.term())))
			}
		}
	}
}

// beginnings returns the terms of the beginnings of v.folded that are searched most while someone
// types. Longer beginnings have few enough words to be looked up one by one.
func (v *inversion) beginnings() (terms [2]uint32) {
	at := 0
	for letters := 1; letters <= maxBegins && at < len(v.folded); letters++ {
		_, size := utf8.DecodeRune(v.folded[at:])
		if at += size; letters >= minPrefixRunes {
			terms[letters-minPrefixRunes] = v.inBegins.number(v.folded[:at]) + 1
		}
	}
	return terms
}

// marksAfter returns how many bytes at the start of a text are marks of the character before it,
// such as the vowels of Thai and Khmer.
func marksAfter(text []byte) (size int) {
	for size < len(text) {
		r, n := utf8.DecodeRune(text[size:])
		if analysis.ClassOf(r) != analysis.Diacritic {
			break
		}
		size += n
	}
	return size
}

// What is known of the stem of a word form.
const (
	stemUnknown = iota
	noStem
	ownStem   // the folded form itself, which is not in fieldStems; see snapshot.stem
	firstStem // this and higher values: firstStem plus the number of a term of fieldStems
)

// stem returns what is known of the stem of a word form.
func (v *inversion) stem(n uint32, in *analysis.Language) uint32 {
	stems := v.stems[in]
	if known := len(stems); int(n) >= known {
		size := v.texts[wordForm].size()
		stems = slices.Grow(stems, size-known)[:size]
		clear(stems[known:])
		v.stems[in] = stems
	}
	if stems[n] == stemUnknown {
		switch text := in.Stem(v.texts[wordForm].at(n)); text {
		case "":
			stems[n] = noStem
		case string(v.folding(n)):
			stems[n] = ownStem
		default:
			stems[n] = firstStem + v.inStems.number([]byte(stem{in.Code, text}.term()))
		}
	}
	return stems[n]
}

// folding returns the folded text of a word form.
func (v *inversion) folding(n uint32) []byte {
	return v.inWords.at(v.known[wordForm][n].words[0] - 1)
}

// stemText returns the stem of a word form, or "" if it has none.
func (v *inversion) stemText(n uint32, in *analysis.Language) string {
	switch s := v.stem(n, in); s {
	case noStem:
		return ""
	case ownStem:
		return string(v.folding(n))
	default:
		return strings.TrimPrefix(string(v.inStems.at(s-firstStem)), in.Code+" ")
	}
}

// finish turns the counted forms of an article into terms, and ends the article.
func (v *inversion) finish(language *analysis.Language) {
	for k := range v.met {
		for _, n := range v.met[k] {
			one := &v.known[k][n]
			v.inWords.countBoth(one.words, one.times)
			v.inBegins.countBoth(one.begins, one.times)
			if kind(k) == wordForm {
				if s := v.stem(n, language); s >= firstStem {
					v.inStems.count(s-firstStem, one.times)
				}
				for _, s := range v.others[one.others] {
					v.inStems.count(s, one.times)
				}
			}
			one.times = 0
		}
		v.met[k] = v.met[k][:0]
	}
	for field, t := range v.terms {
		t.end(field)
	}
}

// indexFields returns the fields in the order in which a segment has them: first the ids, then the
// others by name.
func indexFields() []fieldAt {
	const terms = index.IndexField | index.SkipFreqNorm
	const column = terms | index.DocValues | index.SkipDVChunking | index.SkipDVCompression
	return []fieldAt{
		{name: "_id", options: index.IndexField | index.StoreField},
		{name: fieldBegins, options: terms},
		{name: fieldContent, options: index.StoreField},
		{name: fieldFacets, options: terms},
		{name: fieldHit, options: index.StoreField},
		{name: fieldPairs, options: terms},
		{name: fieldOrder, options: column},
		{name: fieldRow, options: column},
		{name: fieldStems, options: terms},
		{name: fieldTitle, options: terms},
		{name: fieldWords, options: terms},
	}
}

// write writes the segment of the articles, except for the end of the file.
func (v *inversion) write(w *segmentWriter) places {
	at := places{docs: len(v.ids), stored: w.stored(v.stored, v.begins)}
	all := make([]uint32, len(v.ids))
	for doc := range all {
		all[doc] = uint32(doc)
	}
	at.fields = w.eachField(func(name string) iter.Seq[[]byte] {
		switch name {
		case "_id":
			order := slices.Clone(all)
			slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(v.ids[a], v.ids[b]) })
			for _, doc := range order {
				w.term([]byte(v.ids[doc]), []uint32{doc}, nil)
			}
		case fieldOrder:
			w.term(nil, all, nil)
			return v.sequences.all()
		case fieldRow:
			w.term(nil, all, nil)
			return v.rows.all()
		default:
			terms := v.terms[name]
			lists := terms.lists()
			for _, n := range terms.sorted() {
				docs, levels := lists.of(n)
				w.term(terms.at(n), docs, levels)
			}
		}
		return nil
	})
	return at
}

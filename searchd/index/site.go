package index

import (
	"iter"
	"maps"
	"slices"

	"newsstand/builder/article"
)

// site is the search settings of the site, with documents in place of ids.
type site struct {
	boosts   []float32           // by document: the factor of its scores
	pins     map[string][]uint32 // by title key of the query: documents, in the order of their ids
	excluded *bitmap
	synonyms map[string][]synonym // by title key of what is typed
	stemmed  map[stem][]string    // by stem: the keys of synonyms that are one word with that stem
	words    []string             // the words of the keys of pins and synonyms, sorted; perhaps in no article
}

// synonym is a text that is searched as well: its title key and, if it is one word, its stems.
type synonym struct {
	text  string
	stems []stem
}

// weightMainLanguage is the factor of the score of an article in the language of the site: of pages
// in thirteen languages, all named "Service Mesh", most people want that one.
const weightMainLanguage = 1.1

// inLanguage returns the documents in a language or one of its variants (en-GB is one of en).
func (s view) inLanguage(tag string) *bitmap {
	term := languageTerm(tag)
	docs := newBitmap(s.docs)
	s.collect(docs, fieldFacets, append(s.terms(fieldFacets, term+"-", maxVariants), term)...)
	return docs
}

// readSettings reads the site's settings. It ignores ids without an article.
func (s view) readSettings(published article.SearchSettings) {
	boosts := slices.Repeat([]float32{1}, s.docs)
	for d := range s.inLanguage(published.Language).all() {
		boosts[d] = weightMainLanguage
	}
	s.site = site{
		boosts:   boosts,
		pins:     map[string][]uint32{},
		excluded: newBitmap(s.docs),
		synonyms: map[string][]synonym{},
		stemmed:  map[stem][]string{},
	}
	for _, group := range published.Synonyms {
		s.readSynonyms(group)
	}
	for _, a := range published.Articles {
		doc, ok := s.find(a.ID)
		if !ok {
			continue
		}
		if a.Boost > 0 {
			s.site.boosts[doc] *= float32(a.Boost)
		}
		if a.Exclude {
			s.site.excluded.add(doc)
		}
		for _, q := range a.Pin {
			key := titleKey(q)
			if pinned := s.site.pins[key]; !slices.Contains(pinned, doc) { // "Swap" and "swap" are one query
				s.site.pins[key] = append(pinned, doc)
			}
		}
	}
	for _, keys := range []iter.Seq[string]{maps.Keys(s.site.pins), maps.Keys(s.site.synonyms)} {
		for key := range keys {
			s.site.words = append(s.site.words, titleWords(key)...)
		}
	}
	slices.Sort(s.site.words)
	s.site.words = slices.Compact(s.site.words)
}

// readSynonyms reads a group of synonyms.
func (s *snapshot) readSynonyms(group article.Synonym) {
	var others []synonym
	for _, to := range group.To {
		if text := titleKey(to); text != "" { // "+" has no word
			others = append(others, synonym{text, s.stemsOfWord(to)})
		}
	}
	for _, from := range group.From {
		key := titleKey(from)
		for _, other := range others {
			if other.text != key && !slices.ContainsFunc(s.site.synonyms[key], func(one synonym) bool { return one.text == other.text }) {
				s.site.synonyms[key] = append(s.site.synonyms[key], other)
			}
		}
		for _, one := range s.stemsOfWord(from) {
			if keys := s.site.stemmed[one]; len(s.site.synonyms[key]) > 0 && !slices.Contains(keys, key) {
				s.site.stemmed[one] = append(keys, key)
			}
		}
	}
}

// stemsOfWord returns the stems of a text, if it is one word.
func (s *snapshot) stemsOfWord(text string) []stem {
	q := read(text, false)
	if len(q.clauses) != 1 || q.clauses[0].folded != titleKey(text) {
		return nil
	}
	return s.stems(&q.clauses[0])
}

// maxVariants bounds the variants of a language (en-GB is one of en) that are searched.
const maxVariants = 1000

// synonyms adds the documents that have a synonym of clause i, or of several clauses of which i is
// the last.
func (f *finder) synonyms(i int) { f.synonymsIn(&f.query, i, i, weightSynonym) }

// synonymsOfMeant adds the documents that have a synonym of the correction of a word that no
// article has as typed.
func (f *finder) synonymsOfMeant() {
	if len(f.site.synonyms) == 0 {
		return
	}
	text := f.query.corrected(f.query.text, f.typos)
	if text == "" {
		return
	}
	meant := parse(text)
	meant.merge(f.langs)
	if len(meant.clauses) != len(f.query.clauses) { // with a space more or less, or the same word twice
		return
	}
	changed := -1 // the last clause that was corrected
	for i, t := range f.typos {
		if t.found == 0 && t.meant != "" {
			changed = i
		}
		f.synonymsIn(&meant, i, changed, weightSynonym*weightOneEdit)
	}
}

// synonymsIn adds the documents that have a synonym, in q, of a run of clauses that ends with
// clause i and includes clause with.
func (f *finder) synonymsIn(q *parsed, i, with int, weight float32) {
	if len(f.site.synonyms) == 0 || q.clauses[i].quoted {
		return
	}
	keys := q.endingWith(i)
	for n, key := range keys {
		first := i - len(keys) + 1 + n
		if first > with {
			break
		}
		telling := f.telling(said{first: first, last: i})
		if len(telling) == 0 {
			break
		}
		others := f.site.synonyms[key]
		if first == i && len(others) == 0 {
			others = f.synonymsOfForms(&q.clauses[i])
		}
		for _, other := range others {
			p, forms := f.say(other.text), f.stem(other.stems)
			for _, clause := range telling {
				f.widen(clause, waySynonym, weight/float32(len(telling)), p)
				f.widen(clause, waySynonym, weight/float32(len(telling)), forms)
			}
			f.said = append(f.said, said{other.text, first, i, waySynonym, other.stems})
		}
	}
}

// synonymsOfForms returns the synonyms of the words that share a stem with a clause: bikes has
// those of bike.
func (f *finder) synonymsOfForms(c *clause) (others []synonym) {
	for _, one := range f.stems(c) {
		for _, key := range f.site.stemmed[one] {
			for _, other := range f.site.synonyms[key] {
				if !slices.ContainsFunc(others, func(known synonym) bool { return known.text == other.text }) {
					others = append(others, other)
				}
			}
		}
	}
	return others
}

// endingWith returns the title keys of the groups of words that end with clause i, the longest
// first. Each group has one clause more than the next.
func (q *parsed) endingWith(i int) (keys []string) {
	last, after := i, "" // the last clause of the first word, and the key of the words after it
	for first, words := i, 1; ; first-- {
		c := &q.clauses[first]
		word := c.folded
		if first < last {
			word = titleKey(q.text[c.Start:q.clauses[last].End])
		}
		keys = append(keys, word+after)
		if first == 0 {
			break
		}
		if before := &q.clauses[first-1]; before.Start < c.Start && c.Start < before.End { // they share a character
			continue
		}
		if words++; words > article.MaxSynonymWords {
			break
		}
		last, after = first-1, " "+word+after
	}
	slices.Reverse(keys)
	return keys
}

package index

import (
	"maps"
	"slices"
	"strings"

	"newsstand/searchd/index/analysis"
)

// fewWords is the most words that a query may have for each to count in full in a title. In a
// longer one they count less: every title has some of the twenty words of a question.
const fewWords = 2

// titleWeight is the weight of a word of the query in the title.
func (f *finder) titleWeight() float32 {
	share := min(1, float32(fewWords)/float32(f.need))
	return weightInTitle * share * share
}

// multiply adds the step that multiplies the scores of documents by a factor, unless the set is
// empty.
func (f *finder) multiply(docs *bitmap, factor float32) {
	if n := docs.count(); n > 0 {
		f.steps = append(f.steps, step{way: wayTitle, within: docs, count: n, weight: factor})
	}
}

// addTitle adds the step that rewards the documents of titled for a form of clause i in their
// title, as far as they are within another set.
func (f *finder) addTitle(i int, weight float32, titled, within *bitmap) {
	if n := titled.count(); n > 0 {
		f.steps = append(f.steps, step{clause: i, way: wayTitle, postings: &postings{found: n, set: titled}, within: within, count: n, weight: f.weight(i, weight, n)})
	}
}

// inTitles returns the documents whose title has any of the terms.
func (f *finder) inTitles(terms ...string) *bitmap {
	docs := f.scratch.set()
	f.collect(docs, fieldTitle, terms...)
	return docs
}

// titlesOfLength returns the documents whose title has so many words. The caller must not change
// the set.
func (f *finder) titlesOfLength(words int) *bitmap {
	return f.read(fieldTitle, titleLength(words)).in(f.scratch.set)
}

// titlesWith returns the documents whose title has a clause: its word, or one of its stems. The
// caller must not change the set.
func (f *finder) titlesWith(clause int) *bitmap {
	if f.titled[clause] == nil {
		c := &f.query.clauses[clause]
		terms := []string{titleWord(c.folded)}
		for _, one := range f.stems(c) {
			terms = append(terms, titleStem(one))
		}
		f.titled[clause] = f.inTitles(terms...)
	}
	return f.titled[clause]
}

// titles rewards titles that have words of the query, and returns the documents whose title is the
// query, and those whose title is the query but for its spaces, respaced. Said is whether an
// article has the query word for word.
func (f *finder) titles(respaced *bitmap, said bool) (equal *bitmap) {
	touched := f.touched()
	for i, c := range f.query.telling() {
		word := f.inTitles(titleWord(c.folded))
		// touched, since the article may not have it as a word: a title has the "s" of "Bob's"
		f.addTitle(i, f.titleWeight(), word, touched)
		inflected := f.scratch.copyOf(f.titlesWith(i))
		inflected.remove(word)
		f.addTitle(i, f.titleWeight()*weightStemmed, inflected, touched)
	}
	// A question begins with the same small word as the title of its answer: "Where did it start?"
	if c := &f.query.clauses[0]; c.optional && !c.pair() {
		f.addTitle(0, f.titleWeight(), f.inTitles(titleWord(c.folded)), touched)
	}
	f.joinedInTitles(touched)
	equal = f.wholeTitles()
	f.otherTitles(f.joined(), respaced)
	f.partTitles(said)
	equal.or(respaced)
	f.asTyped(equal)
	return equal
}

// asTyped rewards, if a few titles are the query, those that also have its accents, characters and
// spaces: Continua, not Contínua. It rewards those more that have its signs, too, if only among
// others (.map() for "map()", not <map>), and those most that also have its case: JSON, not json();
// but not before all that the site prefers, since in its other languages people may end titles in
// another way. It reads the titles, which may take long for more than a page of results.
func (f *finder) asTyped(equal *bitmap) {
	n := equal.count()
	if n < 2 || n > nearWindow {
		return
	}
	titles, preferred := map[uint32]string{}, float32(0)
	for d := range equal.all() {
		titles[d] = f.stored(d).meta().Title
		preferred = max(preferred, f.site.boosts[d])
	}
	signs := func(text string) string { return narrow(strings.Join(strings.Fields(text), " ")) }
	lowered := func(text string) string { return string(analysis.Lower(signs(text), nil)) }
	signed := lowered(f.query.text) != loweredWords(f.query.text)
	for i, spelled := range [...]func(string) string{loweredWords, lowered, signs} {
		same, around, typed, fair := f.scratch.set(), f.scratch.set(), spelled(f.query.text), i == 0
		for d, title := range titles {
			switch title := spelled(title); {
			case title == typed:
				same.add(d)
			case i == 1 && signed && strings.Contains(title, typed):
				around.add(d)
			}
		}
		if same.empty() { // "map()" is .map(), rather than <map>
			same = around
		}
		for d := range same.all() {
			fair = fair || f.site.boosts[d] == preferred
		}
		if fair && same.count() < n {
			f.multiply(same, 1+weightEqual)
		}
	}
}

// loweredWords returns the words of a title or a query in lower case, with their accents.
func loweredWords(text string) string {
	var words []string
	for t := (analysis.Tokenizer{Text: text}); t.Next(); {
		for _, p := range t.Parts {
			words = append(words, string(analysis.Lower(text[p.Start:p.End], nil)))
		}
	}
	return strings.Join(words, " ")
}

// fewArticles is the most articles with all words of a query that are worth more than those whose
// title is a part of it.
const fewArticles = 3

// partTitles rewards titles that are a part of the query, in any order, of documents with all of
// its words: std::vector is about vector, more than titles with further words are. If more than
// fewArticles have all words, and none has the query word for word, a document with such a title of
// two words or more, small ones aside, need not have the rest: "Mutex locks" need not call itself a
// tutorial to be found by "mutex locks tutorial", and would be below all that mention these. But it
// needs what a title of those has: there "mutex locks windows" is about Windows.
func (f *finder) partTitles(said bool) {
	if f.need < 2 {
		return
	}
	strictly := f.matching(strict)
	lifts := !said && strictly.count() > fewArticles && !slices.ContainsFunc(f.query.clauses, func(c clause) bool { return c.quoted })
	within := strictly
	if lifts {
		within = f.touched()
	}
	within.remove(f.covered)
	parts, twice := f.titlesOnlyOf(within)
	if lifts {
		for i := range f.query.telling() {
			if titled := f.titlesWith(i); !f.both(strictly, titled).empty() {
				twice.and(titled)
			}
		}
		twice.or(strictly)
		parts.and(twice)
		f.lifted = parts
	}
	f.multiply(parts, 1+weightPart)
	f.multiply(f.both(parts, f.titlesBegun()), 1+weightBegun)
}

// titlesBegun returns the documents whose title is what the query begins with, two words of it or
// more: "Start-Process wait" is about Start-Process rather than Wait-Process, since people name a
// thing before they say what they want of it.
func (f *finder) titlesBegun() *bitmap {
	words := strings.Split(titleKey(f.query.text), " ")
	var keys []string
	for n := 2; n <= min(len(words), maxTitleWords); n++ {
		keys = append(keys, strings.Join(words[:n], " "))
	}
	return f.inTitles(keys...)
}

// titlesOnlyOf returns, of some documents, those whose title has only words of the query, and those
// whose title has two clauses or more that are not optional. It takes 64 documents at a time, as
// sets of one word are in registers.
func (f *finder) titlesOnlyOf(within *bitmap) (parts, twice *bitmap) {
	parts, twice = f.scratch.set(), f.scratch.set()
	var with, long []*bitmap // by clause; by the number of words of a title, from 1 on
	for i := range f.query.clauses {
		with = append(with, f.titlesWith(i))
		if n := i + 1; n < maxTitleWords {
			long = append(long, f.titlesOfLength(n))
		}
	}
	for w, some := range within.words {
		once, having := uint64(0), [maxTitleWords]uint64{some} // having: by how many clauses a title has
		for i, titled := range with {
			in := some & titled.words[w]
			if in == 0 {
				continue
			}
			for n := len(long); n > 0; n-- {
				having[n] = having[n]&^in | having[n-1]&in
			}
			having[0] &^= in
			if !f.query.clauses[i].optional {
				twice.words[w] |= once & in
				once |= in
			}
		}
		for i, titled := range long {
			parts.words[w] |= having[i+1] & titled.words[w]
		}
	}
	return parts, twice
}

// wholeTitles returns the documents whose title is the query, and rewards titles that have all of
// its words, or begin with it.
func (f *finder) wholeTitles() (equal *bitmap) {
	key := titleKey(f.query.text)
	if key == "" || len(key) >= maxTitleBytes {
		return f.scratch.set()
	}
	keys := withVersions(key)
	equal = f.inTitles(keys...)
	joined := func(clause int, into *bitmap) { f.addRespaced(wayCompound, clause, into) }
	if f.covers(key, joined) {
		longer := f.inflectedOn(key)
		for _, one := range keys {
			f.addTitlesBeginning(one, longer)
		}
		f.multiply(longer, 1+weightStarts)
	}
	return equal
}

// withVersions returns the key of a title, and the key with its versions written the other way,
// with a v or without: "react 0.14" is React v0.14.
func withVersions(key string) (keys []string) {
	words := strings.Split(key, " ")
	for i, word := range words {
		if len(analysis.Versions(word)) == 0 {
			continue
		}
		if number, ok := strings.CutPrefix(word, "v"); ok {
			words[i] = number
		} else {
			words[i] = "v" + word
		}
	}
	return slices.Compact([]string{key, strings.Join(words, " ")})
}

// otherTitles rewards titles that are the query in another form, or begin with it, but for those
// that have the rung of such titles anyway.
func (f *finder) otherTitles(texts []string, titled *bitmap) {
	equal, starting := f.scratch.set(), f.scratch.set()
	for _, text := range texts {
		key := titleKey(text)
		f.collect(equal, fieldTitle, key)
		f.addTitlesBeginning(key, starting)
	}
	starting.remove(equal)
	equal.remove(titled)
	f.multiply(equal, 1+weightEqual)
	f.multiply(starting, 1+weightStarts)
}

// begunTitles rewards titles for the beginning of a word: those of a set, which have a word that
// begins like clause i, and more those that have all words of the query then. Whoever has typed
// "kub" sees Kubernetes before articles that mention it. It takes titles that have the clause
// itself out of the set, and reports whether any of the others has all words.
func (f *finder) begunTitles(i int, having *bitmap) (covered bool) {
	having.remove(f.titlesWith(i)) // rewarded by titles already
	if having.empty() {
		return false
	}
	if !f.letter {
		f.addTitle(i, f.titleWeight()*weightPrefix, having, f.touched())
	}
	return f.covers(titleKey(f.query.text), func(clause int, into *bitmap) {
		if clause == i {
			into.or(having)
		}
	})
}

// titlesGoingOn returns the documents whose title begins with a key and continues its last word,
// and whether these are all: there may be more than maxTitles.
func (f *finder) titlesGoingOn(key string) (docs *bitmap, all bool) {
	if len(key) >= maxTitleBytes {
		return f.scratch.set(), true
	}
	titles, all := f.titlesFrom(key)
	titles = slices.DeleteFunc(titles, func(title string) bool { return title == key || strings.HasPrefix(title, key+" ") })
	return f.inTitles(titles...), all
}

// titlesFrom returns the terms of titles that begin with a prefix, and whether these are all: of
// more than maxTitles, no few are to come before the others.
func (f *finder) titlesFrom(prefix string) (terms []string, all bool) {
	terms = f.terms(fieldTitle, prefix, maxTitles)
	return terms, len(terms) < maxTitles
}

// inflectedOn returns the documents whose title begins with the key of the query and continues its
// last word to another form of it: "como melhor" is on its way to Como melhorar. A single word may
// be meant as it is.
func (f *finder) inflectedOn(key string) *bitmap {
	i := len(f.query.clauses) - 1
	if c := &f.query.clauses[i]; f.query.typing && i > 0 && !isDigit(c.folded[len(c.folded)-1]) {
		if docs, all := f.titlesGoingOn(key); all {
			docs.and(f.titlesWith(i))
			docs.remove(f.inTitles(titleWord(c.folded)))
			return docs
		}
	}
	return f.scratch.set()
}

// addTitlesBeginning adds the documents whose title begins with the words of a key and has more.
func (f *finder) addTitlesBeginning(key string, into *bitmap) {
	f.collect(into, fieldTitle, f.terms(fieldTitle, key+" ", maxTitles)...)
}

// covers rewards titles that have all words of the query in some form: the more, the fewer other
// words they have and the fewer optional words they lack. It skips those that an earlier call has
// rewarded. Looser adds the documents whose titles have a clause in another form. covers reports
// whether a title may begin with the query. If none has all of its words, one may do so only if a
// word is a single character of an unspaced script, which may be part of a word.
func (f *finder) covers(key string, looser func(clause int, into *bitmap)) (may bool) {
	words, covering, whole := len(titleWords(key)), f.scratch.full(), true
	for i, c := range f.query.telling() {
		whole = whole && !c.single
		having := f.scratch.copyOf(f.titlesWith(i))
		looser(i, having)
		if covering.and(having); covering.empty() {
			return !whole
		}
	}
	if covering.remove(f.covered); !covering.empty() {
		f.covered.or(covering)
		f.rewardCovering(covering, words)
	}
	return true
}

// rewardCovering rewards the documents of a set, whose titles have all words of the query but
// optional ones; words is the number of all words of the query.
func (f *finder) rewardCovering(covering *bitmap, words int) {
	having := map[int]*bitmap{words: covering} // by how many words of the query a title has
	for i := range f.query.clauses {
		c := &f.query.clauses[i]
		if !c.optional {
			continue
		}
		for _, has := range slices.Sorted(maps.Keys(having)) { // ascending, so that none is counted twice
			lacking := f.scratch.copyOf(having[has])
			if lacking.remove(f.titlesWith(i)); lacking.empty() {
				continue
			}
			having[has].remove(lacking)
			fewer := max(1, has-1-len(c.again))
			if having[fewer] == nil {
				having[fewer] = f.scratch.set()
			}
			having[fewer].or(lacking)
		}
	}
	for n := 1; n <= maxTitleWords; n++ {
		long := f.titlesOfLength(n)
		for has, some := range having {
			f.multiply(f.both(some, long), 1+weightCovers*float32(min(has, n))/float32(n))
		}
	}
}

// maxTitles bounds the titles that are looked up because they begin with the query, and the words
// of titles because they begin with its last word. If there are more, the beginning says little.
const maxTitles = 200

package index

import (
	"slices"
	"strings"

	"newsstand/searchd/index/analysis"
)

// Weights of the ways to find a word, and of a word in the title.
const (
	weightExact   = 0.35 // the word as it was typed, in addition to its stem
	weightAccent  = 0.3  // with the same accents, in addition to the form without
	weightStem    = 1.0
	weightWhole   = 1.0 // the compound, shared by its parts
	weightElided  = 0.3 // the compound of one word and an elided article or an ending
	weightAlone   = 1.0 // the compound that is all of the query
	weightSynonym = 0.6
	weightPrefix  = 0.6
	weightWithin  = 0.6 // a longer word that has the word in it
	weightInTitle = 0.5
	weightStemmed = 0.5 // share of weightInTitle for another form of the word, such as a plural
	weightChar    = 0.5 // one character of a pair of an unspaced script, in addition to the pair
	weightEnding  = 0.5 // share of its weight for a pair of Japanese grammar, such as "とは"
	weightNear    = 0.5 // words of the query near each other
	weightWords   = 0.3 // the whole query, word for word
	weightStarts  = 0.5 // share of its score that an article gains if its title begins with the query
	weightCovers  = 1.0 // likewise, if its title has all words of the query: times the share of the title that they make up
	weightPart    = 0.2 // likewise, if its title is a part of the query
	weightBegun   = 0.1 // likewise, if the query begins with that
	weightEqual   = 3.0 // likewise, if its title is the query but for a typo or a space, or alone has its accents and spaces
)

// finder answers one query. For each clause it keeps, in having, the set of documents that have the
// clause, and, in steps, what they gain by it. While the ladder has too few documents, the finder
// adds those with looser forms. The ladder selects documents by the sets, and only the selected
// ones are scored, step by step.
type finder struct {
	view
	query     parsed
	want      int     // how many documents are asked for, including those before the offset
	need      int     // how many clauses are not optional
	smoothing float32 // see smoothingOf
	scratch   *scratch
	steps     []step       // the parts of the scores, in their order
	having    []*bitmap    // by clause: the documents that have it in a form that was searched
	loose     []*bitmap    // by clause: the documents that have it only as part of a word, or with a typo
	titled    []*bitmap    // by clause; nil before titlesWith
	most      []int        // by clause: how many documents have its most frequent form
	halves    *bitmap      // documents that have a character of a pair
	begins    string       // the beginning of a word that was searched; "" if none was
	prefixed  bool         // whether it was searched in all articles, not only as titles go on
	letter    bool         // whether the last clause is the first letter of a word that is being typed, which need not be found
	numbers   []int        // clauses that were searched as the first number of a version
	later     []string     // what the last syllable, with the character before it, may become while it is being typed; only what articles have
	covered   *bitmap      // documents whose title is known to have all words of the query
	lifted    *bitmap      // documents whose title is a part of the query, which need not have the rest
	typos     []correction // by clause; nil before typos are searched
	slipped   []correction // by clause: the correction that slip found; nil if there is none
	widened   int          // how many looser forms were found
	said      []said       // synonyms that were searched, and words with a space added or removed
	complete  bool         // whether some document has all words, in some form, or is pinned
	trace     *trace       // nil unless the search is explained
}

func newFinder(s view, q Query) *finder {
	f := &finder{view: s, query: parse(q.Text), want: q.Offset + q.Limit, scratch: s.pool.get(s.docs)}
	if f.pasted() {
		f.query = read(q.Text, false)
	}
	if q.otherKana {
		for i := range f.query.clauses {
			f.query.clauses[i].optional = false
		}
	}
	f.query.merge(s.langs)
	return f
}

// maxTyped is the most texts that are read for the signs of a query. If hardly one in ten of those
// with its words has them, they are not usual. Reading 300 long articles took half a second.
const maxTyped = 10 * (rareArticles + 1)

// pasted reports whether the query is a text that articles have word for word, with the words that
// it seems to exclude: whoever copies a command excludes no flag, as in "gcc -Wall". For a longer
// text one article is enough. A shorter one may be meant, unless it is usual on the site as it was
// typed, with its signs: a few articles may have it as an example of a search.
func (f *finder) pasted() bool {
	if len(f.query.not) == 0 {
		return false
	}
	docs := f.scratch.set()
	f.withPhrase(unitsOf(f.query.text), maxWordForWord, docs)
	if len(strings.Fields(f.query.text)) > questionWords {
		return !docs.empty()
	}
	usual, read, typed := 0, 0, strings.ToLower(f.query.text)
	for d := range docs.all() {
		must(f.ctx.Err())
		if read++; read > maxTyped {
			break
		}
		if strings.Contains(strings.ToLower(f.snapshot.stored(d, anew).text), typed) {
			usual++
		}
		if usual > rareArticles {
			return true
		}
	}
	return false
}

// close returns the working memory to the pool for another search. A search that failed must not be
// closed: it may have left something in that memory.
func (f *finder) close() { f.pool.put(f.scratch, f.processors) }

// step is a part of the scores: what documents gain by a form of a clause, or by the whole query,
// or a factor by which their scores are multiplied. Steps are applied in order.
type step struct {
	clause   int
	way      string
	postings *postings // nil for a factor
	within   *bitmap   // the documents for which the step counts; nil: all of postings
	count    int       // how many documents gain by the form
	weight   float32   // the most that a document gains; or the factor
}

// wholeQuery is the clause of a step that is about no clause of its own.
const wholeQuery = -1

// said is a text that stands for the clauses from the first to the last, such as a synonym.
type said struct {
	text        string
	first, last int
	way         string
	stems       []stem // of a synonym that is one word, or of clauses written as one
}

// standsFor reports whether clause i is one of those that the text stands for.
func (s said) standsFor(i int) bool { return s.first <= i && i <= s.last }

// find returns the best documents from the offset on, at most as many as the limit, and how many
// match.
func (f *finder) find(q Query) (found []hit, total int) {
	f.compare()
	words := 0
	for _, c := range f.query.telling() {
		if f.need++; !c.pair() {
			words++
		}
	}
	if f.need == 0 {
		return nil, 0
	}
	f.smoothing = smoothingOf(words)
	f.most, f.titled = make([]int, len(f.query.clauses)), make([]*bitmap, len(f.query.clauses))
	f.halves, f.covered, f.lifted = f.scratch.set(), f.scratch.set(), f.scratch.set()
	for range f.query.clauses {
		f.having, f.loose = append(f.having, f.scratch.set()), append(f.loose, f.scratch.set())
	}
	l := ladder{finder: f, asked: q, taken: f.scratch.set(), pinned: f.site.pins[titleKey(f.query.text)]}
	if len(l.pinned) == 0 {
		l.pinned = f.addressed()
	}
	for i := range f.query.clauses {
		f.words(i)
	}
	f.gather()
	f.join()
	respaced := f.respacedTitles(q.unquoted)
	f.alone()
	said := f.wordForWord(f.query.text)
	l.titled = f.titles(respaced, said)
	if f.unfinished() {
		f.prefix()
	} else {
		f.goOn(said)
	}
	f.versionTitles()
	l.filter(f.query.phrases)
	f.slipped = l.slip()
	l.climb()
	f.complete = len(l.found) > 0 && l.found[0].rung < missing
	return l.found[min(q.Offset, len(l.found)):], l.total
}

// compare makes the "vs" of a comparison optional: articles that compare seldom say so, and those
// that have "vs" may be about VS Code. In "install vs code" it is a part of a name: more articles
// have it with the word after it than with the word before. That takes too long to find out if very
// many articles have it.
func (f *finder) compare() {
	all := f.query.clauses
	for i := 1; i < len(all)-1; i++ {
		c, before, after := &all[i], &all[i-1], &all[i+1]
		if (c.folded == "vs" || c.folded == "versus") && c.stems && c.whole == "" && !before.optional && !after.optional &&
			f.read(fieldWords, c.folded).found <= maxApart && f.neighbours(c.folded, after.folded).found <= f.neighbours(before.folded, c.folded).found {
			c.optional = true
		}
	}
}

// addressed returns the document at the address that the query is, with or without the parameters
// of the address. It returns none if several documents have the address.
func (f *finder) addressed() []uint32 {
	path, _, _ := strings.Cut(f.query.text, "?")
	for _, address := range [...]string{f.query.text, path} {
		term := addressTerm(address)
		if term == "" {
			return nil
		}
		docs := f.scratch.set()
		if f.collect(docs, fieldFacets, term); docs.count() == 1 { // nothing says which of several comes first
			return docs.list()
		}
	}
	return nil
}

// words adds the documents that have clause i in one of its full forms. It does not read the
// postings of an optional word, which says too little to change the order.
func (f *finder) words(i int) {
	c := &f.query.clauses[i]
	if c.optional && !c.pair() {
		f.synonyms(i) // of "log in"
		return
	}
	if isUnspaced(c.folded) {
		f.characters(i)
		return
	}
	if c.whole != "" {
		weight := weightWhole / f.parts(c.whole)
		if c.elided {
			weight = weightElided
		}
		f.add(i, wayCompound, weight, f.read(fieldWords, c.whole))
	}
	var accents, stemmed, word float32 = weightAccent, weightStem, weightExact
	if c.accented != "" {
		p := f.read(fieldWords, c.accented)
		if p.found > 0 && f.foreign(c) {
			accents, stemmed, word = weightStem, weightExact, 0
		}
		f.add(i, wayAccents, accents, p)
	}
	if stems := f.stems(c); len(stems) > 0 {
		f.add(i, wayStem, stemmed, f.stem(stems))
	} else {
		word += stemmed
	}
	f.add(i, wayWord, word, f.read(fieldWords, c.folded))
	f.unit(i)
	f.synonyms(i)
}

// foreign reports whether the accents of a word may distinguish it from other words: no language of
// the site stems it except English, which writes no accents. A word of Vietnamese without its
// accents may be a dozen words, so the form as typed counts like a stem.
func (f *finder) foreign(c *clause) bool {
	return !slices.ContainsFunc(f.langs, func(l *analysis.Language) bool {
		return l.Stemmed() && l.OfScript([]byte(c.lowered)).Code != "en"
	})
}

// stems returns the stems of a clause in the languages of the site. The clause may be of any query.
// Its stem in a language is followed by the word itself, if that differs: it may be the stem of
// other words.
func (s *snapshot) stems(c *clause) (stems []stem) {
	if !c.stems {
		return nil
	}
	if all := analysis.Versions(c.lowered); len(all) > 0 {
		return []stem{{inAll, all[len(all)-1]}}
	}
	for _, l := range s.langs {
		if text := l.Stem([]byte(c.lowered)); text != "" {
			stems = append(stems, stem{l.Code, text})
			if text != c.folded {
				stems = append(stems, stem{l.Code, c.folded})
			}
		}
	}
	return stems
}

// add adds the documents of one full form of a clause.
func (f *finder) add(i int, way string, weight float32, p *postings) {
	if p.found > 0 {
		p.addTo(f.having[i])
		f.most[i] = max(f.most[i], p.found)
		f.steps = append(f.steps, step{clause: i, way: way, postings: p, count: p.found, weight: f.weight(i, weight, p.found)})
	}
}

// widen adds the documents of a looser form of a clause. Documents that already have a better form
// gain nothing.
func (f *finder) widen(i int, way string, weight float32, p *postings) {
	if p.found == 0 {
		return
	}
	f.widened++
	if rest := f.without(p, f.having[i]); rest != nil {
		n := rest.count()
		f.having[i].or(rest)
		if way == wayBeginning || way == wayTypo || way == wayWithin {
			f.loose[i].or(rest)
		}
		f.most[i] = max(f.most[i], n)
		f.steps = append(f.steps, step{clause: i, way: way, postings: p, within: rest, count: n, weight: f.weight(i, weight, n)})
	}
}

// weight returns the most that a document gains by a form of a clause that so many documents have:
// the weight of the form, times its rarity, times how often the query has the clause.
func (f *finder) weight(i int, weight float32, found int) float32 {
	return float32(1+len(f.query.clauses[i].again)) * weight * f.idf(found)
}

// both returns the documents that are in two sets.
func (f *finder) both(a, b *bitmap) *bitmap {
	set := f.scratch.any()
	set.setBoth(a, b)
	return set
}

// touched returns the documents that have any clause of the query, or a character of a pair.
func (f *finder) touched() *bitmap {
	all := f.scratch.copyOf(f.halves)
	for _, having := range f.having {
		all.or(having)
	}
	return all
}

// parts returns how many clauses of a compound are not optional.
func (f *finder) parts(whole string) float32 {
	n := float32(0)
	for _, c := range f.query.telling() {
		if c.whole == whole {
			n++
		}
	}
	return n
}

// alone rewards the documents that have the compound that is all of the query: whoever searches
// color_red means the one that has it, however long that is, not one about red colors. A title that
// has all of its words is not about something else: "Backward compatibility" stays before articles
// that say backward-compatible.
func (f *finder) alone() {
	whole := f.query.clauses[0].whole
	if whole == "" || f.need < 2 || f.parts(whole) < float32(f.need) {
		return
	}
	p := f.read(fieldWords, whole)
	if p.found == 0 {
		return
	}
	docs := f.scratch.full()
	for i := range f.query.telling() {
		docs.and(f.titlesWith(i))
	}
	p.addTo(docs)
	n := docs.count()
	f.steps = append(f.steps, step{clause: wholeQuery, way: wayPhrase, postings: &postings{found: n, set: docs}, count: n, weight: weightAlone * f.idf(p.found)})
}

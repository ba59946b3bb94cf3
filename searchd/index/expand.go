package index

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// maxPrefixTerms is the most words that a prefix of four letters or more stands for.
const maxPrefixTerms = 5000

// begin returns the documents with a word that begins with a prefix. If the prefix is longer than
// maxBegins, each document has the impact of that of its words that weighs most.
func (f *finder) begin(prefix string) *postings {
	if n := utf8.RuneCountInString(prefix); n <= maxBegins {
		return f.read(fieldBegins, prefix)
	}
	key := fmt.Sprint("b*", f.smoothing, " ", prefix) // no term of fieldBegins has an asterisk
	if p, ok := f.postings.get(key); ok {
		return p
	}
	var forms []weightedTerm
	for _, t := range f.terms(fieldWords, prefix, maxPrefixTerms) {
		forms = append(forms, weightedTerm{t, 1})
	}
	p := f.union(forms)
	f.postings.put(key, p, p.bytes())
	return p
}

// weightedTerm is a term and what finding it is worth, from 0 to 1.
type weightedTerm struct {
	term   string
	weight float32
}

// union returns the documents with any of the terms, each with its best impact.
func (f *finder) union(terms []weightedTerm) *postings {
	if len(terms) == 1 && terms[0].weight == 1 {
		return f.read(fieldWords, terms[0].term)
	}
	forms := make([]weightedPostings, len(terms))
	for i, t := range terms {
		forms[i] = weightedPostings{f.read(fieldWords, t.term), t.weight}
	}
	return f.strongest(forms...)
}

// weightedPostings are postings and what their impact is worth, from 0 to 1.
type weightedPostings struct {
	*postings
	weight float32
}

// strongest returns the documents of all these postings, each with its best impact.
func (f *finder) strongest(all ...weightedPostings) *postings {
	best := f.scratch.scores
	set := newBitmap(f.docs)
	for _, one := range all {
		one.addTo(set)
		for at, d := range one.all() {
			best[d] = max(best[d], one.weight*one.impactOf(at, f.damping(d)))
		}
	}
	return newImpacts(set, best)
}

// unfinished reports whether the last word of the query is found only by its stem, although words
// begin with it: compli, on the way to Compliance, has the stem of comply. Words that begin so then
// count as full forms too, because articles with the stem may be many and hide them.
func (f *finder) unfinished() bool {
	i := len(f.query.clauses) - 1
	c := &f.query.clauses[i]
	if !f.query.typing || c.optional || !c.stems || utf8.RuneCountInString(c.folded) < minPrefixRunes || isDigit(c.folded[len(c.folded)-1]) || f.most[i] == 0 {
		return false
	}
	return f.read(fieldWords, c.folded).found == 0 && f.begin(c.folded).found > 0
}

// beginning returns the prefix of the words that the last clause finds while it is being typed, or
// "" if the clause is a single letter, which would find nearly everything. A single digit finds
// versions: 5.1, and not 50.
func (c *clause) beginning() string {
	switch {
	case utf8.RuneCountInString(c.folded) >= minPrefixRunes:
		return c.folded
	case isDigit(c.folded[0]):
		return c.folded + "."
	}
	return ""
}

// prefix widens the last clause to the words that begin with it, unless that was done before; in
// Korean, to what its last syllable may become. A single letter may begin any word, so it need not
// be found.
func (f *finder) prefix() {
	if f.prefixed {
		return
	}
	f.prefixed = true
	i := len(f.query.clauses) - 1
	c := &f.query.clauses[i]
	if later := analysis.GoingOn(c.lowered); len(later) > 0 && !c.quoted && c.End == len(f.query.text) {
		field := fieldWords
		if c.single {
			field = fieldBegins
		}
		for _, one := range later {
			if f.read(field, one).found > 0 {
				f.later = append(f.later, one)
			}
		}
		f.widen(i, wayBeginning, weightPrefix, f.spelled(field, f.later, ""))
		return
	}
	if !f.query.typing || c.optional {
		return
	}
	if f.begins = c.beginning(); f.begins != "" {
		f.widen(i, wayBeginning, weightPrefix, f.begin(f.begins))
	} else {
		if f.need == 1 {
			f.countSmall()
		}
		if f.letter = f.need > 1; !f.letter {
			return
		}
	}
	having := f.scratch.full() // any title, for a letter alone
	if !f.letter {
		having = f.inTitles(f.terms(fieldTitle, titleWord(f.begins), maxTitles)...)
	}
	if f.begunTitles(i, having) {
		starting, _ := f.titlesGoingOn(titleKey(f.query.text))
		f.multiply(f.both(having, starting), 1+weightStarts)
	}
}

// countSmall makes small words count. It is for a query that has nothing else beside its last
// letter: "what to do if your c" would hide most of what "what to do if your" finds.
func (f *finder) countSmall() {
	for i := range f.query.clauses {
		c := &f.query.clauses[i]
		if !c.optional {
			continue
		}
		c.optional = false
		f.need++
		if !c.pair() {
			f.add(i, wayWord, weightStem, f.read(fieldWords, c.folded))
		}
	}
}

// goOn widens the last clause to the titles that go on like the query: "react com" is on its way to
// React Compiler, even if many articles have com as a word. A single word may be meant as it is.
// If very many titles go on so, as in a weekly series, the query says little of which is meant. A
// number is on its way to a longer one, as in "may 4, 20", only if it is not whole: it has no dot,
// no article says the query word for word, and no title has all of its words.
func (f *finder) goOn(said bool) {
	i := len(f.query.clauses) - 1
	c := &f.query.clauses[i]
	if !f.query.typing || i == 0 {
		return
	}
	if isDigit(c.folded[len(c.folded)-1]) && (said || strings.Contains(c.folded, ".") || !f.covered.empty()) {
		return
	}
	docs, all := f.titlesGoingOn(titleKey(f.query.text))
	docs.remove(f.titlesWith(i))
	if n := docs.count(); n > 0 && all {
		f.begins = c.beginning()
		f.widen(i, wayBeginning, weightPrefix, &postings{found: n, set: docs})
		if f.begunTitles(i, docs) {
			f.multiply(docs, 1+weightStarts)
		}
	}
}

// versionTitles widens numbers to the versions in titles that have all other words of the query:
// Electron 9.0.0 is about "electron 9", even if many articles mention Electron 9. If very many
// versions begin so, no few of them come before the others.
func (f *finder) versionTitles() {
	all := f.query.clauses
	if f.need < 2 {
		return
	}
	for i := range all {
		if !f.countsVersions(i) {
			continue
		}
		var versions []string
		complete := true
		for _, one := range all[i].versions() {
			some, whole := f.titlesFrom(titleWord(one))
			versions, complete = append(versions, some...), complete && whole
		}
		if !complete {
			continue
		}
		docs := f.inTitles(versions...)
		for other := range f.query.telling() {
			if other != i {
				docs.and(f.titlesWith(other))
			}
		}
		docs.remove(f.titlesWith(i))
		if docs.remove(f.covered); docs.empty() {
			continue
		}
		f.numbers = append(f.numbers, i)
		f.widen(i, wayBeginning, weightPrefix, &postings{found: docs.count(), set: docs})
		f.begunTitles(i, docs)
		starting, _ := f.titlesGoingOn(titleKey(f.query.text))
		f.multiply(f.both(docs, starting), 1+weightStarts)
	}
}

// countsVersions reports whether clause i is a number that also stands for versions: it is not
// before another number, since it may be thousands.
func (f *finder) countsVersions(i int) bool {
	all := f.query.clauses
	c := &all[i]
	digits := strings.TrimPrefix(c.folded, "v")
	return !c.optional && c.stems && digits != "" && strings.Trim(digits, "0123456789") == "" && (i == len(all)-1 || !isDigit(all[i+1].folded[0]))
}

// versions returns how the versions begin that a number stands for, which may have a v: Go v2.1 is
// about "go 2".
func (c *clause) versions() []string {
	number := strings.TrimPrefix(c.folded, "v") + "."
	return []string{number, "v" + number}
}

// beginnings widens the last clause to the words that begin with it, and numbers to the versions
// that begin with them: in "django 5 forms", 5 also finds 5.1.
func (f *finder) beginnings() {
	all := f.query.clauses
	for i := range all {
		if !f.countsVersions(i) || i == len(all)-1 && f.query.typing {
			continue
		}
		found := false
		for _, one := range all[i].versions() {
			if p := f.begin(one); p.found > 0 {
				f.widen(i, wayBeginning, weightPrefix, p)
				found = true
			}
		}
		if found {
			f.numbers = append(f.numbers, i)
		}
	}
	f.prefix()
}

// maxWithin is the most articles of a site on which words are looked for within longer words. That
// reads all words, which takes 90 ms for 190,000 of them. And the more articles a site has, the
// more of its words also occur on their own.
const maxWithin = 5000

// minClippedRunes is the fewest letters of a clipped word, such as doc, env or app.
const minClippedRunes = 3

// inner is a clause that is like no word of an article, but may be part of some words.
type inner struct {
	clause int
	folded []byte
	words  map[string]int // the words that contain it, and how many articles have each
}

// within widens the clauses that are like no word of an article to longer words that contain them,
// as Datenbankverwaltung contains Verwaltung, or begin with them. See clipped.
func (f *finder) within() {
	var parts []inner
	for i, t := range f.typos {
		c := &f.query.clauses[i]
		letters := utf8.RuneCountInString(c.folded)
		switch {
		case !t.unlike || c.quoted || letters < minClippedRunes:
		case letters < oneEditRunes || f.totals.Articles > maxWithin:
			f.clipped(i)
		default:
			parts = append(parts, inner{i, []byte(c.folded), map[string]int{}})
		}
	}
	if len(parts) == 0 {
		return
	}
	f.lookWithin(parts)
	for _, one := range parts {
		words, t := one.words, &f.typos[one.clause]
		best := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return cmp.Or(cmp.Compare(words[b], words[a]), cmp.Compare(a, b)) })
		for _, word := range best[:min(len(best), maxTypoTerms)] {
			t.within = append(t.within, weightedTerm{word, 1})
		}
		f.widen(one.clause, wayWithin, weightWithin, f.union(t.within))
	}
}

// clipped widens a clause to the titles that have a word that begins with it, as Authentication
// begins with auth. Texts do not count: they have many words that begin so, while the word may be
// of another language, or about what a site lacks.
func (f *finder) clipped(i int) {
	beginning := f.query.clauses[i].folded
	if isDigit(beginning[0]) { // a number is not cut off
		return
	}
	var terms []string
	for _, term := range f.terms(fieldTitle, titleWord(beginning), maxTitles) {
		word := strings.TrimPrefix(term, titleWord(""))
		if f.read(fieldWords, word).found > 0 { // the end of a word, as the nin of Türkiye'nin, is one in titles only
			f.typos[i].within = append(f.typos[i].within, weightedTerm{word, 1})
			terms = append(terms, term)
		}
	}
	titled := f.inTitles(terms...)
	f.widen(i, wayWithin, weightWithin, &postings{found: titled.count(), set: titled})
}

// lookWithin looks for all parts in one pass over the words, because reading the words takes longer
// than looking for the parts in them.
func (f *finder) lookWithin(parts []inner) {
	r := f.termReader()
	defer f.readers.Put(r)
	for _, d := range r.open(fieldWords) {
		for term := range r.accepted(f.ctx, d, "", nil) {
			for _, one := range parts {
				if !bytes.Contains(term, one.folded) || isDigit(term[0]) || beginsPair(term[0]) {
					continue
				}
				word := string(term)
				if p := f.read(fieldWords, word); p.found > 0 {
					one.words[word] = p.found
				}
			}
		}
	}
}

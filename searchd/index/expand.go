package index

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"newsstand/searchd/index/analysis"
)

// maxPrefixTerms bounds the words that a prefix of four letters or more stands for.
const maxPrefixTerms = 5000

// begin returns the documents with a word that begins with a prefix. Of a longer prefix, each has
// the impact of the word that weighs most.
func (f *finder) begin(prefix string) (*postings, error) {
	s := f.snapshot
	if n := runes(prefix); n <= maxBegins {
		return s.read(f.ctx, fieldBegins, prefix)
	}
	key := fmt.Sprint("b*", f.smoothing, " ", prefix) // no term of fieldBegins has an asterisk
	if p, ok := s.postings.get(key); ok {
		return p, nil
	}
	terms, err := s.terms(f.ctx, fieldWords, prefix, maxPrefixTerms)
	if err != nil {
		return nil, err
	}
	forms := make([]weightedTerm, len(terms))
	for i, t := range terms {
		forms[i] = weightedTerm{t, 1}
	}
	p, err := f.union(forms)
	if err == nil {
		s.postings.put(key, p, p.bytes())
	}
	return p, err
}

// weightedTerm is a term and what finding it is worth, from 0 to 1.
type weightedTerm struct {
	term   string
	weight float32
}

// union returns the documents with any of the terms, each with the best impact.
func (f *finder) union(terms []weightedTerm) (*postings, error) {
	if len(terms) == 1 && terms[0].weight == 1 {
		return f.snapshot.read(f.ctx, fieldWords, terms[0].term)
	}
	forms := make([]weightedPostings, len(terms))
	for i, t := range terms {
		p, err := f.snapshot.read(f.ctx, fieldWords, t.term)
		if err != nil {
			return nil, err
		}
		forms[i] = weightedPostings{p, t.weight}
	}
	return f.strongest(forms...), nil
}

// weightedPostings is postings and what their impact is worth, from 0 to 1.
type weightedPostings struct {
	*postings
	weight float32
}

// strongest returns the documents of all these postings, each with its best impact.
func (f *finder) strongest(all ...weightedPostings) *postings {
	best := f.scratch.scores
	set := newBitmap(f.snapshot.docs)
	for _, one := range all {
		one.addTo(set)
		for at, d := range one.all() {
			best[d] = max(best[d], one.weight*one.impactOf(at, f.damping(d)))
		}
	}
	return newImpacts(set, best)
}

// unfinished reports whether the last word of the query is only found by its stem, although words
// begin with it: while Compliance is typed, compli has the stem of comply. Such beginnings are full
// forms, too, for articles with the stem may be many.
func (f *finder) unfinished() (bool, error) {
	i := len(f.query.clauses) - 1
	c := &f.query.clauses[i]
	if !f.query.typing || c.optional || !c.stems || runes(c.folded) < minPrefixRunes || isDigit(c.folded[len(c.folded)-1]) || f.having[i].empty() {
		return false, nil
	}
	if p, err := f.snapshot.read(f.ctx, fieldWords, c.folded); err != nil || p.found > 0 {
		return false, err
	}
	p, err := f.begin(c.folded)
	return err == nil && p.found > 0, err
}

// beginning returns how words begin that the last clause finds while it is typed; "" where it finds
// none, for one letter finds nearly everything. A digit alone begins versions: 5.1, and not 50.
func (c *clause) beginning() string {
	switch {
	case runes(c.folded) >= minPrefixRunes:
		return c.folded
	case isDigit(c.folded[0]):
		return c.folded + "."
	}
	return ""
}

// prefix widens the last clause to the words that begin with it, unless it was; in Korean, to what
// its last syllable may become.
func (f *finder) prefix() error {
	if f.begins != "" {
		return nil
	}
	i := len(f.query.clauses) - 1
	c := &f.query.clauses[i]
	if later := analysis.GoingOn(c.lowered); len(later) > 0 && !c.quoted && c.End == len(f.query.text) {
		field := fieldWords
		if c.single {
			field = fieldBegins
		}
		for _, one := range later {
			p, err := f.snapshot.read(f.ctx, field, one)
			if err != nil {
				return err
			}
			if p.found > 0 {
				f.later = append(f.later, one)
			}
		}
		p, err := f.spelled(field, f.later, "")
		if err != nil {
			return err
		}
		f.widen(i, wayBeginning, weightPrefix, p)
		return nil
	}
	begins := c.beginning()
	if !f.query.typing || c.optional || begins == "" {
		return nil
	}
	p, err := f.begin(begins)
	if err != nil {
		return err
	}
	f.begins = begins
	f.widen(i, wayBeginning, weightPrefix, p)
	return f.begunTitles()
}

// beginnings widens clauses to what begins with them: the last to words, and numbers to versions,
// for in "django 5 forms" 5 is 5.1, too. Before another number it may be thousands.
func (f *finder) beginnings() error {
	all := f.query.clauses
	for i := range all {
		c, isLast := &all[i], i == len(all)-1
		if c.optional || !c.stems || strings.Trim(c.folded, "0123456789") != "" {
			continue
		}
		if isLast && f.query.typing || !isLast && isDigit(all[i+1].folded[0]) {
			continue
		}
		p, err := f.begin(c.folded + ".")
		if err != nil {
			return err
		}
		if p.found > 0 {
			f.numbers = append(f.numbers, i)
			f.widen(i, wayBeginning, weightPrefix, p)
		}
	}
	return f.prefix()
}

// maxWithin is the most articles of a site whose words are looked through for some within them: all
// of them, which takes 90 ms for 190,000. And the more articles a site has, the more of its words
// stand alone, too.
const maxWithin = 5000

// inner is a clause that is like no word of an article, and may be a part of some.
type inner struct {
	clause int
	folded []byte
	words  map[string]int // that have it in them, and in how many articles each is
}

// within widens the clauses that are like no word of an article to longer words that have them in
// them: Verwaltung is in Datenbankverwaltung.
func (f *finder) within() error {
	var parts []inner
	for i, t := range f.typos {
		if c := &f.query.clauses[i]; t.unlike && !c.quoted && runes(c.folded) >= oneEditRunes {
			parts = append(parts, inner{i, []byte(c.folded), map[string]int{}})
		}
	}
	if len(parts) == 0 || f.snapshot.totals.Articles > maxWithin {
		return nil
	}
	if err := f.lookWithin(parts); err != nil {
		return err
	}
	for _, one := range parts {
		words, t := one.words, &f.typos[one.clause]
		best := slices.SortedFunc(maps.Keys(words), func(a, b string) int { return cmp.Or(cmp.Compare(words[b], words[a]), cmp.Compare(a, b)) })
		for _, word := range best[:min(len(best), maxTypoTerms)] {
			t.within = append(t.within, weightedTerm{word, 1})
		}
		p, err := f.union(t.within)
		if err != nil {
			return err
		}
		f.widen(one.clause, wayWithin, weightWithin, p)
	}
	return nil
}

// lookWithin looks through all words for parts of them: once, which takes longer than to look for
// parts in each.
func (f *finder) lookWithin(parts []inner) error {
	s := f.snapshot
	r := s.termReader()
	defer s.readers.Put(r)
	dictionaries, err := r.open(fieldWords)
	if err != nil {
		return err
	}
	for _, d := range dictionaries {
		for term, err := range r.accepted(f.ctx, d, letteredAutomaton{}) {
			if err != nil {
				return err
			}
			for _, one := range parts {
				if !bytes.Contains(term, one.folded) {
					continue
				}
				word := string(term)
				p, err := s.read(f.ctx, fieldWords, word)
				if err != nil {
					return err
				}
				if p.found > 0 {
					one.words[word] = p.found
				}
			}
		}
	}
	return nil
}

package index

import (
	"slices"
	"strings"

	"newsstand/searchd/index/analysis"
)

// characters adds the documents that have a clause of an unspaced script: as typed, or else in
// traditional Chinese instead of simplified, or the reverse. The weight of the other form counts
// the documents that have either, so that the form does not gain by being rarer. The postings of an
// optional pair are not read, like those of an optional word, except for Han and Kana, where the
// grammar of one word is a letter of another. (nDCG@10 on a Thai collection of 1,903 articles is
// 0.943, and 0.937 with these pairs; on a Korean one of 961 it is 0.966, and 0.963 with them; on a
// Japanese one of 1,145 it is 0.964 with them, and 0.954 without.)
func (f *finder) characters(i int) {
	c := &f.query.clauses[i]
	c.spellings = f.spellings(c.folded)
	isHan := strings.ContainsFunc(c.folded, analysis.IsHanOrKana)
	if c.optional && !isHan {
		f.synonyms(i)
		return
	}
	field := fieldWords
	if c.single {
		field = fieldBegins
	}
	f.add(i, wayWord, c.weightOfPair(), f.read(field, c.lowered))
	others := f.spelled(field, c.spellings, c.lowered)
	if rest := f.without(others, f.having[i]); rest != nil {
		f.having[i].or(rest)
		either := f.having[i].count()
		f.most[i] = max(f.most[i], either)
		f.steps = append(f.steps, step{clause: i, way: wayVariant, postings: others, within: rest, count: rest.count(), weight: f.weight(i, weightStem, either)})
	}
	if c.single {
		return
	}
	if all := len(f.query.clauses); c.pair() && (all <= maxPairs || isHan && all <= maxHanPairs) {
		asTyped := len(c.spellings) == 1 && c.spellings[0] == c.lowered
		for _, r := range c.lowered {
			f.character(i, string(r), asTyped)
		}
	}
	f.synonyms(i)
}

// weightOfPair returns the weight of a clause of an unspaced script. A pair with the endings and
// particles of Japanese tells less than a word, however rare it is. (On two Japanese collections,
// nDCG@10 is 0.909 and 0.959 if these pairs weigh the same as others, 0.917 and 0.963 if they weigh
// half, 0.919 and 0.963 with 0.3 of the weight, and 0.917 and 0.959 without any. With half of it
// for the grammar of Chinese, one of three collections is better, and two are worse.)
func (c *clause) weightOfPair() float32 {
	if c.optional && strings.ContainsFunc(c.folded, analysis.IsEnding) {
		return weightEnding * (weightExact + weightStem)
	}
	return weightExact + weightStem
}

// gather drops the second of the two pairs of a run of three characters from the documents that
// have them only apart from each other: "ソースコードのサポート" does not have ソート. Longer runs may be several
// words, which a text may have apart; and an article may have a synonym of the run instead.
func (f *finder) gather() {
	all := f.query.clauses
	overlap := func(i int) bool { // whether pair i begins in the pair before it
		return 0 < i && i < len(all) && all[i-1].pair() && all[i].pair() && all[i].Start < all[i-1].End && all[i-1].Start < all[i].Start
	}
	for b := range all {
		a := b - 1
		if !overlap(b) || overlap(a) || overlap(b+1) || all[a].optional || all[b].optional ||
			slices.ContainsFunc(f.said, func(one said) bool { return one.standsFor(a) || one.standsFor(b) }) {
			continue
		}
		apart, together := f.both(f.having[a], f.having[b]), f.scratch.set()
		f.withPhrase(unitsOf(f.query.text[all[a].Start:all[b].End]), f.docs, together)
		apart.remove(together)
		f.having[b].remove(apart)
	}
}

// The most clauses of a query whose pairs also count by their single characters. A longer query
// says enough, and single characters have the longest postings of all. Those of Han and Kana tell
// more, because many are words. (nDCG@10 of 24 and of 36 clauses is 0.9805 and 0.9825 on a Chinese
// collection, and 0.9080 and 0.9087 on a Japanese one, but 0.9688 and 0.9681 on a Thai one.)
const (
	maxPairs    = 24
	maxHanPairs = 36
)

// character adds the documents that have one character of a pair: as typed and, unless only is
// true, in its other forms.
func (f *finder) character(i int, typed string, only bool) {
	p := f.read(fieldBegins, typed)
	p.addTo(f.halves)
	f.steps = append(f.steps, step{clause: i, way: wayCharacter, postings: p, count: p.found, weight: weightChar * f.idf(p.found)})
	if only {
		return
	}
	spellings := f.spellings(string(analysis.Fold([]byte(typed), nil)))
	others := f.spelled(fieldBegins, spellings, typed)
	if rest := f.without(others, p.in(f.scratch.set)); rest != nil {
		f.halves.or(rest)
		n := rest.count()
		f.steps = append(f.steps, step{clause: i, way: wayCharacter, postings: others, within: rest, count: n, weight: weightChar * f.idf(p.found+n)})
	}
}

// spellings returns the forms that articles may have and that fold to this one, in simplified and
// traditional Chinese.
func (s view) spellings(folded string) []string {
	return analysis.Spellings(folded, func(character string) bool { return s.read(fieldBegins, character).found > 0 })
}

// every tells Spellings to take every character as used.
func every(string) bool { return true }

// spelled returns the documents that have any of the spellings other than but.
func (f *finder) spelled(field string, spellings []string, but string) *postings {
	var all []weightedPostings
	for _, one := range spellings {
		if one == but {
			continue
		}
		if p := f.read(field, one); p.found > 0 {
			all = append(all, weightedPostings{p, 1})
		}
	}
	switch len(all) {
	case 0:
		return &postings{}
	case 1:
		return all[0].postings
	}
	return f.strongest(all...)
}

// without returns the documents of p that are not in known, or nil if there are none.
func (f *finder) without(p *postings, known *bitmap) *bitmap {
	if p.found == 0 {
		return nil
	}
	rest := f.scratch.set()
	p.addTo(rest)
	if rest.remove(known); rest.empty() {
		return nil
	}
	return rest
}

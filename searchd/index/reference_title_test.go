package index

import (
	"maps"
	"slices"
	"strings"
)

// titles counts what titles have of the query, and notes which have all of it.
func (s *refSearch) titles(respaced map[*refDoc]bool, worded bool) {
	key := refTitle(s.text)
	for i, c := range s.clauses {
		var have, inflected []*refDoc
		for _, d := range s.docs {
			switch {
			case c.optional && (i > 0 || c.han):
			case slices.Contains(d.titleWords, c.folded):
				have = append(have, d)
			case !c.optional && s.inTitleOf(d, c):
				inflected = append(inflected, d)
			}
		}
		for worth, docs := range map[float64][]*refDoc{1: have, weightStemmed: inflected} {
			for _, d := range docs {
				if s.standing[d].touched {
					s.standing[d].score += c.times * worth * s.inTitle() * s.idf(len(docs))
				}
			}
		}
	}
	ones := slices.DeleteFunc(slices.Clone(s.said), func(one said) bool { return one.way != wayCompound })
	for i, c := range s.clauses {
		if c.whole != "" && (i == 0 || s.clauses[i-1].whole != c.whole) {
			last := i
			for last+1 < len(s.clauses) && s.clauses[last+1].whole == c.whole {
				last++
			}
			ones = append(ones, said{text: c.whole, first: i, last: last, way: wayCompound})
		}
	}
	factor := map[*refDoc]float64{} // of titles that are the query with some words joined
	for _, one := range ones {
		run := s.clauses[one.first : one.last+1]
		s.respacedInTitles(one)
		key := refTitle(s.text[:run[0].start] + one.text + s.text[run[len(run)-1].end:])
		for _, d := range s.docs {
			switch {
			case d.is(key) && respaced[d]:
			case d.is(key):
				factor[d] = 1 + weightEqual
			case d.starts(key):
				factor[d] = max(factor[d], 1+weightStarts)
			}
		}
	}
	for _, d := range s.docs {
		lacks := func(i int, c *refClause) bool {
			otherwise := func(one said) bool { return one.standsFor(i) && d.hasSaidInTitle(one) }
			return !c.optional && !s.inTitleOf(d, c) && !slices.ContainsFunc(ones, otherwise)
		}
		covers := true
		for i, c := range s.clauses {
			covers = covers && !lacks(i, c)
		}
		if covers {
			s.covered[d] = true
			s.standing[d].score *= s.covers(d)
		}
		if d.starts(key) || s.inflectsOn(d) {
			s.standing[d].score *= 1 + weightStarts
		}
		if factor[d] > 0 {
			s.standing[d].score *= factor[d]
		}
	}
	s.partTitles(worded)
	s.asTyped(slices.DeleteFunc(slices.Clone(s.docs), func(d *refDoc) bool { return (key == "" || !d.is(key)) && !respaced[d] }))
}

// partTitles counts that a title is a part of the query. If several articles have all words, and
// none says the query, those with such a title of two words or more, small ones aside, need not.
func (s *refSearch) partTitles(worded bool) {
	if s.need < 2 {
		return
	}
	strictly := map[*refDoc]bool{}
	for _, d := range s.docs {
		if len(s.standing[d].matched) == s.need {
			strictly[d] = true
		}
	}
	lifts := !worded && len(strictly) > fewArticles && !slices.ContainsFunc(s.clauses, func(c *refClause) bool { return c.quoted })
	for _, d := range s.docs {
		words, tell := 0, 0
		for _, c := range s.clauses {
			switch in := func(d *refDoc) bool { return s.inTitleOf(d, c) }; {
			case in(d):
				if words++; !c.optional {
					tell++
				}
			case !c.optional && slices.ContainsFunc(slices.Collect(maps.Keys(strictly)), in): // others are about it
				tell = -len(s.clauses)
			}
		}
		n := len(refTitleWords(d.title))
		if s.covered[d] || n == 0 || n >= maxTitleWords || words != n || !strictly[d] && !(lifts && tell > 1 && s.standing[d].touched) {
			continue
		}
		s.standing[d].score *= 1 + weightPart
		if strings.Contains(d.title, " ") && strings.HasPrefix(refTitle(s.text)+" ", d.title+" ") {
			s.standing[d].score *= 1 + weightBegun
		}
		if !strictly[d] {
			s.lifted[d] = true
			s.lifts++
		}
	}
}

// asTyped counts that a title has the accents and spaces of the query, if others that are the
// query have not; then its signs, then its case.
func (s *refSearch) asTyped(equal []*refDoc) {
	if len(equal) > nearWindow {
		return
	}
	for i, spelled := range []func(string) string{refLowered, strings.ToLower, strings.TrimSpace} {
		same := slices.DeleteFunc(slices.Clone(equal), func(d *refDoc) bool { return spelled(d.article.Title) != spelled(s.text) })
		if len(same) == 0 && i == 1 && strings.ToLower(s.text) != refLowered(s.text) {
			same = slices.DeleteFunc(slices.Clone(equal), func(d *refDoc) bool { return !strings.Contains(spelled(d.article.Title), spelled(s.text)) })
		}
		isPreferred := func(d *refDoc) bool {
			return !slices.ContainsFunc(equal, func(other *refDoc) bool { return other.boost > d.boost })
		}
		fair := i == 0 || slices.ContainsFunc(same, isPreferred)
		for _, d := range same {
			if fair && len(same) < len(equal) {
				s.standing[d].score *= 1 + weightEqual
			}
		}
	}
}

// refLowered returns the words of a title or a query in lower case.
func refLowered(text string) string {
	var words []string
	for _, t := range refTokens(text) {
		for _, p := range t.parts {
			words = append(words, p.lowered)
		}
	}
	return strings.Join(words, " ")
}

// titlesWith returns the articles whose title has all words of a text.
func (r *reference) titlesWith(text string) (have []*refDoc) {
	for _, d := range r.docs {
		if d.hasAllInTitle(text) {
			have = append(have, d)
		}
	}
	return have
}

// respacedInTitles counts the titles that have clauses with a space more or less, but not as typed.
func (s *refSearch) respacedInTitles(one said) {
	have := slices.DeleteFunc(slices.Clone(s.docs), func(d *refDoc) bool { return !d.hasSaidInTitle(one) })
	telling := telling(s.clauses[one.first : one.last+1])
	for _, c := range telling {
		for _, d := range have {
			if s.standing[d].touched && !slices.Contains(d.titleWords, c.folded) {
				s.standing[d].score += c.times * s.inTitle() / float64(len(telling)) * s.idf(len(have))
			}
		}
	}
}

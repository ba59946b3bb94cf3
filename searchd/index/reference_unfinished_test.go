package index

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// best returns the impact, in each article, of the best of the words to which meant gives a weight.
func (s *refSearch) best(meant func(term string) float64) map[*refDoc]float64 {
	way := map[*refDoc]float64{}
	for _, d := range s.docs {
		for term, times := range d.words {
			if weight := meant(term); weight > 0 {
				way[d] = max(way[d], weight*s.impact(d, min(times, 255)))
			}
		}
	}
	return way
}

// unfinished reports whether the last clause is found, but no article has it as typed, and some
// have words that begin with it.
func (s *refSearch) unfinished() bool {
	c := s.clauses[len(s.clauses)-1]
	begins := func(d *refDoc) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(d.words)), func(term string) bool { return strings.HasPrefix(term, c.folded) })
	}
	return s.typing && !c.optional && c.stems() && utf8.RuneCountInString(c.folded) >= 2 && !isDigit(c.folded[len(c.folded)-1]) &&
		len(c.ways) > 0 && len(s.word(c.folded)) == 0 && slices.ContainsFunc(s.docs, begins)
}

// beginning returns the documents with words that begin with a prefix.
func (s *refSearch) beginning(prefix string) map[*refDoc]float64 {
	if utf8.RuneCountInString(prefix) <= 3 { // all words with this beginning, added up
		return s.having(func(d *refDoc) float64 { return d.begins[prefix] })
	}
	return s.best(func(term string) float64 {
		if strings.HasPrefix(term, prefix) {
			return 1
		}
		return 0
	})
}

// prefix widens the last clause to words that begin with it.
func (s *refSearch) prefix(rung Rung) {
	i := len(s.clauses) - 1
	c := s.clauses[i]
	if !s.typing || c.optional || s.prefixed {
		return
	}
	s.prefixed = true
	begins := c.beginning()
	if begins == "" {
		for j, other := range s.clauses {
			if other.optional && (s.need == 1 || s.letter) { // small words count, since there are no others
				other.optional, s.letter = false, true
				s.need++
				s.add(j, weightStem, strict, false, s.word(other.folded))
			}
		}
		if s.letter = s.need > 1; s.letter {
			s.begunTitles(i, s.docs)
		}
		return
	}
	s.begins = begins
	way := s.beginning(begins)
	for d := range way {
		s.standing[d].begun = !c.has(d)
	}
	s.add(i, weightPrefix, rung, true, way)
	s.begunTitles(i, slices.DeleteFunc(slices.Clone(s.docs), func(d *refDoc) bool {
		return !slices.ContainsFunc(d.titleWords, func(word string) bool { return strings.HasPrefix(word, begins) })
	}))
}

// goOn widens the last clause to the titles that go on like the query.
func (s *refSearch) goOn(said bool) {
	i := len(s.clauses) - 1
	c := s.clauses[i]
	if !s.typing || i == 0 {
		return
	}
	if isDigit(c.folded[len(c.folded)-1]) && (said || strings.Contains(c.folded, ".") || len(s.covered) > 0) {
		return
	}
	way := map[*refDoc]float64{}
	var docs []*refDoc
	for _, d := range s.docs {
		if s.goesOn(d) && !s.inTitleOf(d, c) {
			docs = append(docs, d)
			way[d] = 1
			s.standing[d].begun = !c.has(d)
		}
	}
	if len(docs) == 0 {
		return
	}
	s.begins = c.beginning()
	s.add(i, weightPrefix, strict, true, way)
	s.begunTitles(i, docs)
}

// versionTitles widens numbers to the versions in titles that have the other words of the query.
func (s *refSearch) versionTitles() {
	for i, c := range s.clauses {
		if s.need < 2 || !s.countsVersions(i) {
			continue
		}
		way := map[*refDoc]float64{}
		var docs []*refDoc
		for _, d := range s.docs {
			version := slices.ContainsFunc(d.titleWords, c.isVersion)
			lacks := func(other *refClause) bool { return other != c && !other.optional && !s.inTitleOf(d, other) }
			if version && !s.inTitleOf(d, c) && !s.covered[d] && !slices.ContainsFunc(s.clauses, lacks) {
				docs = append(docs, d)
				way[d] = 1
				s.standing[d].begun = s.standing[d].begun || i == len(s.clauses)-1 && !c.has(d)
			}
		}
		if len(docs) > 0 {
			s.numbers = append(s.numbers, i)
			s.add(i, weightPrefix, strict, true, way)
			s.begunTitles(i, docs)
		}
	}
}

// countsVersions reports whether a clause is a number, and not before another.
func (s *refSearch) countsVersions(i int) bool {
	c := s.clauses[i]
	digits := strings.TrimPrefix(c.folded, "v")
	return !c.optional && c.stems() && digits != "" && refDigits(digits) == digits && (i == len(s.clauses)-1 || !isDigit(s.clauses[i+1].folded[0]))
}

// isVersion reports whether a word is a version that begins with the number of a clause.
func (c *refClause) isVersion(word string) bool {
	return strings.HasPrefix(strings.TrimPrefix(word, "v"), strings.TrimPrefix(c.folded, "v")+".")
}

// beginnings widens the last clause to words that begin with it, and numbers to versions.
func (s *refSearch) beginnings() {
	for i, c := range s.clauses {
		if !s.countsVersions(i) || i == len(s.clauses)-1 && s.typing {
			continue
		}
		for _, v := range []string{"", "v"} {
			if way := s.beginning(v + strings.TrimPrefix(c.folded, "v") + "."); len(way) > 0 {
				s.numbers = append(s.numbers, i)
				s.add(i, weightPrefix, begun, true, way)
			}
		}
	}
	s.prefix(begun)
}

// goesOn reports whether a title begins with the query and continues its last word.
func (s *refSearch) goesOn(d *refDoc) bool {
	key := refTitle(s.text)
	return (strings.HasPrefix(d.title, key) || strings.HasPrefix(d.joined, key)) && !d.starts(key)
}

// inflectsOn reports whether a title begins with the query and continues its last word to another
// form of it.
func (s *refSearch) inflectsOn(d *refDoc) bool {
	i := len(s.clauses) - 1
	c := s.clauses[i]
	return s.typing && i > 0 && !isDigit(c.folded[len(c.folded)-1]) && s.goesOn(d) && s.inTitleOf(d, c) && !slices.Contains(d.titleWords, c.folded)
}

// begunTitles counts those of the titles that have or begin with what is typed, but do not have it
// as a word.
func (s *refSearch) begunTitles(i int, docs []*refDoc) {
	c := s.clauses[i]
	have := slices.DeleteFunc(slices.Clone(docs), func(d *refDoc) bool { return s.inTitleOf(d, c) })
	for _, d := range have {
		one := s.standing[d]
		if one.touched && !s.letter {
			one.score += c.times * s.inTitle() * weightPrefix * s.idf(len(have))
		}
		if !s.covered[d] && !slices.ContainsFunc(s.clauses, func(other *refClause) bool { return other != c && !other.optional && !s.inTitleOf(d, other) }) {
			s.covered[d] = true
			one.score *= s.covers(d)
		}
		if s.goesOn(d) {
			one.score *= 1 + weightStarts
		}
	}
}

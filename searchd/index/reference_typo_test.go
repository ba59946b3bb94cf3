package index

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// mistakes widens rare clauses to words that are a few edits away.
func (s *refSearch) mistakes() {
	found := s.counts()
	for key := range s.pins {
		for _, word := range refTitleWords(key) {
			found[word] += 0
		}
	}
	for key := range s.synonyms {
		for _, word := range refTitleWords(key) {
			found[word] += 0
		}
	}
	s.unknown = map[int]bool{}
	for i, c := range s.clauses {
		s.unknown[i] = len(c.ways) == 0
	}
	s.together(found)
	for i := range s.clauses {
		s.mistake(i, found)
	}
	s.meantOtherwise()
	s.meantTitles()
}

// together widens clauses to the word that two of them are without a space.
func (s *refSearch) together(found map[string]int) {
	for i := range s.clauses[1:] {
		a, b := s.clauses[i], s.clauses[i+1]
		word := a.folded + b.folded
		if s.joined[i-1] || !a.stems() || !b.stems() || a.optional && b.optional || s.text[a.end:b.start] != " " || utf8.RuneCountInString(word) < 4 || refDigitsMeet(a.folded, b.folded) {
			continue
		}
		var stems []stem
		unlike := !a.optional && s.unknown[i] || !b.optional && s.unknown[i+1]
		if unlike {
			stems = s.stemsOfJoined(word, b)
		}
		forms := s.havingStem(stems)
		if found[word]+len(forms) == 0 {
			continue
		}
		if unlike {
			s.joined[i], s.spaced[i] = true, word
		}
		for clause := i; clause <= i+1; clause++ {
			if !s.clauses[clause].optional {
				s.add(clause, (weightExact+weightStem)*0.7/2, mistyped, true, s.word(word))
				s.add(clause, (weightExact+weightStem)*0.7/2, mistyped, true, forms)
			}
		}
		s.said = append(s.said, said{text: word, first: i, last: i + 1, way: wayTypo, stems: stems})
	}
}

// mistake widens clause i, if it is rare, to words that are a few edits away, or to two words.
func (s *refSearch) mistake(i int, found map[string]int) {
	c := s.clauses[i]
	n := utf8.RuneCountInString(c.folded)
	titled := slices.ContainsFunc(s.docs, func(d *refDoc) bool { return slices.Contains(d.titleWords, c.folded) })
	if !c.stems() || c.optional || found[c.folded] > 3 || titled && s.need > 1 || s.joined[i] || s.joined[i-1] {
		return
	}
	if n < 4 {
		s.lookWithin(i)
		return
	}
	candidates := s.corrections(c, found)
	// Two edits are only tried if no word one edit away is in more than 3 articles.
	near := func(one candidate) bool { return refDistance([]rune(c.folded), []rune(one.term), 1) < 2 }
	if slices.ContainsFunc(candidates, func(one candidate) bool { return near(one) && one.found > 3 }) {
		candidates = slices.DeleteFunc(candidates, func(one candidate) bool { return !near(one) })
	} else {
		s.asTwo(i, found)
	}
	if len(candidates) == 0 {
		if s.spaced[i] == "" {
			s.lookWithin(i)
		}
		return
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		last := map[bool]int{true: 1}
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(last[a.stop], last[b.stop]), cmp.Compare(b.found, a.found), cmp.Compare(a.term, b.term))
	})
	for _, one := range candidates {
		s.typos[i] = append(s.typos[i], one.weightedTerm)
	}
	way := s.best(func(term string) float64 {
		for _, one := range s.typos[i] {
			if one.term == term {
				return float64(one.weight)
			}
		}
		return 0
	})
	if stems := s.stemsOf(&refClause{lowered: candidates[0].term, folded: candidates[0].term}); len(stems) > 0 {
		s.typoStems[i] = stems
		for d, impact := range s.havingStem(stems) {
			way[d] = max(way[d], weightInflected*float64(candidates[0].weight)*impact)
		}
	}
	widen := func(rung Rung) { s.add(i, weightExact+weightStem, rung, true, way) }
	if found[c.folded] > 0 && s.need > 1 {
		s.doubtful = append(s.doubtful, func() { widen(missing) })
		return
	}
	widen(mistyped)
}

// corrections returns the words up to two edits away from a clause.
func (s *refSearch) corrections(c *refClause, found map[string]int) (candidates []candidate) {
	n := utf8.RuneCountInString(c.folded)
	for term, articles := range found {
		distance, longer := refDistance([]rune(c.folded), []rune(term), 2), max(n, utf8.RuneCountInString(term))
		if term == c.folded || distance > 2 || longer < 5 || distance == 2 && longer < 9 || distance == 2 && n < 8 {
			continue
		}
		if refDigits(term) != refDigits(c.folded) {
			continue
		}
		weight := float32(0.7)
		if distance == 2 {
			weight = 0.5
		}
		if []rune(term)[0] != []rune(c.folded)[0] {
			weight *= 0.7
		}
		stop := slices.ContainsFunc(s.langs, func(l *analysis.Language) bool { return l.IsStop(term) })
		candidates = append(candidates, candidate{weightedTerm{term, weight}, articles, stop})
	}
	return candidates
}

// asTwo widens clause i to the two words that it is with a space.
func (s *refSearch) asTwo(i int, found map[string]int) {
	c := s.clauses[i]
	saying := map[*refDoc]float64{}
	for at := range c.folded {
		first, second := c.folded[:at], c.folded[at:]
		if utf8.RuneCountInString(first) < 2 || utf8.RuneCountInString(second) < 2 || refDigitsMeet(first, second) || found[first] == 0 || found[second] == 0 {
			continue
		}
		if way := s.saying(first + " " + second); len(way) > len(saying) {
			saying, s.spaced[i] = way, first+" "+second
		}
	}
	if s.spaced[i] != "" {
		s.add(i, (weightExact+weightStem)*0.7, mistyped, true, saying)
		s.said = append(s.said, said{text: s.spaced[i], first: i, last: i, way: wayTypo})
	}
}

// meantTitles counts what titles have of the corrected query.
func (s *refSearch) meantTitles() {
	factor := map[*refDoc]float64{}
	titles := func(i int, word string) { // titles that are the query with another word for a clause
		key := refTitle(s.meant(s.text, func(j int) string {
			if j == i {
				return word
			}
			return s.nearest(j)
		}))
		for _, d := range s.docs {
			switch {
			case d.is(key):
				factor[d] = 1 + weightEqual
			case d.starts(key):
				factor[d] = max(factor[d], 1+weightStarts)
			}
		}
	}
	for i, word := range s.spaced {
		titles(i, word)
	}
	for i, forms := range s.typos {
		for n, form := range forms[:min(len(forms), maxTitleForms)] {
			titles(i, form.term)
			have := s.titlesWith(form.term)
			for _, d := range have {
				// The best of the forms counts; none does if the title has the word as typed.
				better := func(other weightedTerm) bool { return slices.Contains(d.titleWords, other.term) }
				if !slices.Contains(d.titleWords, s.clauses[i].folded) && !slices.ContainsFunc(forms[:n], better) && s.standing[d].touched {
					s.standing[d].score += s.clauses[i].times * s.inTitle() * float64(form.weight) * s.idf(len(have))
				}
			}
		}
	}
	// Titles with all words, some of them corrected.
	for _, d := range s.docs {
		has := func(i int) bool {
			c := s.clauses[i]
			if c.optional || s.inTitleOf(d, c) || slices.ContainsFunc(s.typoStems[i], d.hasInTitle) {
				return true
			}
			if forms := s.typos[i]; slices.ContainsFunc(forms[:min(len(forms), 3)], func(one weightedTerm) bool { return slices.Contains(d.titleWords, one.term) }) {
				return true
			}
			if within := s.within[i]; within != "" && slices.ContainsFunc(d.titleWords, func(word string) bool { return s.hasWithin(word, within) }) {
				return true
			}
			return slices.ContainsFunc(s.said, func(one said) bool {
				return one.way == wayTypo && one.standsFor(i) && d.hasSaidInTitle(one)
			})
		}
		all := !s.covered[d]
		for i := range s.clauses {
			all = all && has(i)
		}
		if all {
			s.standing[d].score *= s.covers(d)
		}
	}
	for d, f := range factor {
		s.standing[d].score *= f
	}
}

// refDigits returns the digits of a word.
func refDigits(word string) string { return regexp.MustCompile("[^0-9]").ReplaceAllString(word, "") }

// refDigitsMeet reports whether a digit ends the first word, and one begins the second.
func refDigitsMeet(a, b string) bool { return isDigit(a[len(a)-1]) && isDigit(b[0]) }

// refDistance returns the number of edits between two words, a swap of neighbours being one, by
// trying all edits. If they are more than most, it returns any number above most.
func refDistance(a, b []rune, most int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if longer := max(len(a)-len(b), len(b)-len(a)); longer > most || len(a) == 0 || len(b) == 0 {
		return longer
	}
	if most == 0 {
		return 1
	}
	best := func(a, b []rune) int { return 1 + refDistance(a, b, most-1) }
	n := min(best(a[1:], b), best(a, b[1:]), best(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		n = min(n, best(a[2:], b[2:]))
	}
	return n
}

// lookWithin widens clause i to longer words that have it in them or, if it is short, to words of
// titles that begin with it, if no article has it.
func (s *refSearch) lookWithin(i int) {
	c := s.clauses[i]
	if utf8.RuneCountInString(c.folded) < 3 || c.quoted || slices.ContainsFunc(s.docs, c.has) {
		return
	}
	s.within[i] = c.folded
	way := s.best(func(term string) float64 {
		if s.hasWithin(term, c.folded) {
			return 1
		}
		return 0
	})
	if utf8.RuneCountInString(c.folded) < 5 {
		clear(way)
		for _, d := range s.docs {
			if slices.ContainsFunc(d.titleWords, func(word string) bool { return s.hasWithin(word, c.folded) }) {
				way[d] = 1
			}
		}
	}
	s.add(i, 0.6, mistyped, true, way)
}

// hasWithin reports whether a word of an article contains another or, if that is short, is a word
// of a title that begins with it.
func (s *refSearch) hasWithin(term, word string) bool {
	if !strings.Contains(term, word) || isDigit(term[0]) || isHan(term) {
		return false
	}
	titled := func(d *refDoc) bool { return slices.Contains(d.titleWords, term) }
	return utf8.RuneCountInString(word) >= 5 || strings.HasPrefix(term, word) && slices.ContainsFunc(s.docs, titled) && len(s.word(term)) > 0
}

// meant returns a text of the query with the words that word returns in place of its clauses; ""
// keeps a clause.
func (s *refSearch) meant(text string, word func(i int) string) string {
	words := map[*refClause]string{}
	var places []*refClause
	for i, c := range s.clauses {
		if to := word(i); to != "" {
			for _, place := range append([]*refClause{c}, c.again...) {
				words[place] = to
				places = append(places, place)
				if s.joined[i] {
					words[place] += "\n"
					places = append(places, s.clauses[i+1])
					break
				}
			}
		}
	}
	slices.SortFunc(places, func(a, b *refClause) int { return cmp.Compare(b.start, a.start) })
	for _, c := range places {
		text = text[:c.start] + words[c] + text[c.end:]
	}
	return strings.ReplaceAll(text, "\n ", "") // removes the space before the second of two words that are one
}

// nearest returns the correction of clause i; "" if some article has it as it is.
func (s *refSearch) nearest(i int) string {
	switch {
	case s.joined[i] || s.unknown[i] && s.spaced[i] != "":
		return s.spaced[i]
	case len(s.typos[i]) == 0 || !s.unknown[i]:
		return ""
	}
	return s.typos[i][0].term
}

// slip returns the query with a word that no article has, nor its stem as a word, replaced by a
// word of a title; or with a space before the number of a name that no article has so; or "".
func (s *refSearch) slip(allowed func(*refDoc) bool) string {
	if len(s.phrases) > 0 || len(s.covered) > 0 || len(s.pins[refTitle(s.text)]) > 0 {
		return ""
	}
	found := s.counts()
	for i, c := range s.clauses {
		if parts := refUnit.FindStringSubmatch(c.folded); len(c.ways) == 0 && len(c.titled) == 0 || parts != nil && strings.Contains(c.folded, ".") {
			if i == len(s.clauses)-1 && s.typing && len(s.beginning(c.folded)) > 0 {
				return ""
			}
			if version := s.version(c, parts); version != "" {
				return s.meant(s.text, func(j int) string { return map[int]string{i: version}[j] })
			}
			continue
		}
		known := func(one stem) bool { return found[one.text] > 0 }
		otherwise := func(one said) bool { return one.standsFor(i) }
		if slices.ContainsFunc(s.said, otherwise) || !c.stems() || c.optional || c.whole != "" || len(c.ways) == 0 || utf8.RuneCountInString(c.folded) < 5 || found[c.folded] > 0 || slices.ContainsFunc(s.stemsOf(c), known) {
			continue
		}
		likely := []string{}
		for term := range found {
			if i == len(s.clauses)-1 && s.typing && strings.HasPrefix(term, c.folded) {
				return ""
			}
			if refDistance([]rune(term), []rune(c.folded), 1) == 1 && []rune(term)[0] == []rune(c.folded)[0] && refDigits(term) == refDigits(c.folded) {
				likely = append(likely, term)
			}
		}
		slices.SortFunc(likely, func(a, b string) int { return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(a, b)) })
		for _, term := range likely {
			for _, d := range s.docs {
				misses := func(other *refClause) bool { return other != c && !other.optional && !s.inTitleOf(d, other) }
				if allowed(d) && slices.Contains(d.titleWords, term) && !slices.ContainsFunc(s.clauses, misses) {
					return s.meant(s.text, func(j int) string {
						if j == i {
							return term
						}
						return ""
					})
				}
			}
		}
	}
	return ""
}

// version returns a name with a number as two words, if no article has it as one and some have the
// name and a version that begins with the number; or "".
func (s *refSearch) version(c *refClause, parts []string) string {
	if parts == nil || len(parts[3]) < 2 || !c.stems() || c.optional || c.whole != "" || len(s.word(c.folded)) > 0 {
		return ""
	}
	for _, d := range s.docs {
		begins := func(word string) bool { return strings.HasPrefix(word, parts[4]+".") }
		if d.words[parts[3]] > 0 && slices.ContainsFunc(slices.Collect(maps.Keys(d.words)), begins) {
			return parts[3] + " " + parts[4]
		}
	}
	return ""
}

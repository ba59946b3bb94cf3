package index

import (
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// refMark is a place in a text that matches a clause, and stands for the clauses from first to
// last.
type refMark struct{ start, end, clause, first, last int }

// marks returns the places in the text of an article that match what was searched so far.
func (s *refSearch) marks(d *refDoc) (all []refMark) {
	tokens := refTokens(d.article.ContentText)
	until := 0 // where the last phrase ends
	for nth, t := range tokens {
		before := len(all)
		switch clause, first := s.meansWhole(d, t.whole); {
		case t.han:
			all = s.markCharacters(all, t)
		case t.whole != "" && t.start >= until && len(t.parts) <= 4 && clause >= 0:
			all = append(all, s.mark(t.start, t.end, clause, first, t.whole))
		default:
			all, until = s.markWords(d, all, tokens[nth:], until)
		}
		all = s.settle(all, before)
	}
	return s.settle(all, len(all))
}

// settle drops the row of small words that ends before a mark, unless it touches other words.
func (s *refSearch) settle(all []refMark, from int) []refMark {
	optional := func(i int) bool { return s.clauses[all[i].clause].optional }
	touches := func(i int) bool { return i > 0 && i < len(all) && all[i].start-all[i-1].end <= 1 }
	follows := func(i int) bool { return all[i].first == all[i-1].last+1 }
	if from == 0 || !optional(from-1) || touches(from) && (!optional(from) || follows(from)) {
		return all
	}
	first := from - 1 // the first mark of the row that ends here
	for touches(first) && optional(first-1) && follows(first) {
		first--
	}
	if touches(first) && !optional(first-1) {
		return all
	}
	return slices.Delete(all, first, from)
}

// markCharacters adds the marks in a run of characters. Marks that meet are one, if they are of the
// same clause.
func (s *refSearch) markCharacters(all []refMark, t refToken) []refMark {
	for i, p := range t.parts {
		clause, end := s.meansCharacters(t.parts, i)
		if clause < 0 {
			continue
		}
		one := refMark{p.start, t.parts[end].end, clause, clause, clause}
		if n := len(all); n > 0 && all[n-1].end >= one.start {
			if all[n-1].clause == clause {
				all[n-1].end = max(all[n-1].end, one.end)
				continue
			}
			if one.start = all[n-1].end; one.start >= one.end {
				continue
			}
		}
		all = append(all, one)
	}
	return all
}

// meansCharacters returns the clause of character i and the next one, or else of the first alone,
// and which is the last of them. The clause is -1 if there is none.
func (s *refSearch) meansCharacters(parts []refPart, i int) (clause, end int) {
	clause, pair := -1, ""
	if i+1 < len(parts) {
		pair = parts[i].folded + parts[i+1].folded
	}
	for n, c := range s.clauses {
		if c.han && !c.single && c.folded == pair {
			clause = n
		}
	}
	for _, said := range s.said {
		if clause < 0 && pair != "" && isHan(said.text) && !strings.Contains(said.text, " ") && strings.Contains(said.text, pair) {
			clause = said.last
		}
	}
	if clause >= 0 {
		return clause, i + 1
	}
	for n, c := range s.clauses {
		if c.single && c.folded == parts[i].folded {
			clause = n
		}
	}
	for _, said := range s.said {
		if clause < 0 && said.text == parts[i].folded && isHan(said.text) {
			clause = said.last
		}
	}
	return clause, i
}

// markWords adds the marks in the first of some tokens, from the end of the last phrase on, and of
// the phrases that begin in it.
func (s *refSearch) markWords(d *refDoc, all []refMark, tokens []refToken, until int) (_ []refMark, end int) {
	t, before := tokens[0], len(all)
	for i, p := range t.parts {
		if p.start < until {
			continue
		}
		behind := t.parts[i:]
		for _, later := range tokens[1:] {
			behind = append(slices.Clip(behind), later.parts...)
		}
		if spoken := s.speaks(behind); len(spoken) > 0 {
			all = append(all, spoken...)
			until = spoken[len(spoken)-1].end
		} else if clause, first := s.meansWord(d, p); clause >= 0 {
			all = append(all, s.mark(p.start, p.end, clause, first, p.folded))
		}
	}
	if last := len(s.clauses) - 1; len(all) == before && t.start >= until && len(t.parts) <= 4 && s.begun(t.whole) && s.loosely(d, last) {
		all = append(all, s.mark(t.start, t.end, last, last, ""))
	}
	return all, until
}

// means returns the clause that a word or compound is a form of, or -1.
func (s *refSearch) means(folded string) int {
	for i, c := range s.clauses {
		if !c.han && (c.folded == folded || c.whole != "" && c.whole == folded && !c.optional) {
			return i
		}
	}
	for _, said := range s.said {
		if said.text == folded {
			return said.last
		}
	}
	return -1
}

// mark returns the mark of a form of a clause.
func (s *refSearch) mark(start, end, clause, first int, form string) refMark {
	one := refMark{start, end, clause, first, clause}
	if c := s.clauses[clause]; c.folded == form {
		return one
	} else if c.whole == form {
		for one.last+1 < len(s.clauses) && s.clauses[one.last+1].whole == form {
			one.last++
		}
		return one
	}
	for _, said := range s.said {
		if said.text == form {
			one.first = said.first
			break
		}
	}
	return one
}

// speaks returns the marks of the first words of a text, if these stand for clauses.
func (s *refSearch) speaks(parts []refPart) (marks []refMark) {
	for _, said := range s.said {
		words := strings.Fields(said.text)
		if len(words) < 2 || len(parts) < len(words) {
			continue
		}
		marks = nil
		for i, w := range words {
			if parts[i].folded == w {
				marks = append(marks, refMark{parts[i].start, parts[i].end, said.last, said.first, said.last})
			}
		}
		if len(marks) == len(words) {
			return marks
		}
	}
	return nil
}

// meansWhole is like means; a compound may also be the stem of a word, or a typo.
func (s *refSearch) meansWhole(d *refDoc, folded string) (clause, first int) {
	clause, loose := s.means(folded), false
	first = clause
	if clause < 0 {
		clause, first, loose = s.meansStem(d, func(*analysis.Language) string { return folded })
	}
	if clause < 0 {
		clause, loose = s.meansTypo(folded), true
		first = clause
	}
	if loose && !s.loosely(d, clause) {
		return -1, -1
	}
	return clause, first
}

// meansWord is like means, but also looks at the stem and the beginning of a word.
func (s *refSearch) meansWord(d *refDoc, p refPart) (clause, first int) {
	clause, loose := s.means(p.folded), false
	first = clause
	if clause < 0 {
		clause, first, loose = s.meansStem(d, func(l *analysis.Language) string { return l.Stem([]byte(p.lowered)) })
	}
	if clause < 0 || loose { // a word may be a stem, too
		if itself, from, is := s.meansStem(d, func(*analysis.Language) string { return p.folded }); itself >= 0 {
			clause, first, loose = itself, from, is
		}
	}
	if clause < 0 {
		clause, loose = s.meansTypo(p.folded), true
		first = clause
	}
	if clause < 0 && s.begun(p.folded) {
		clause = len(s.clauses) - 1
		first = clause
	}
	for _, i := range s.numbers {
		if clause < 0 && s.clauses[i].isVersion(p.folded) {
			clause, first, loose = i, i, true
		}
	}
	if loose && !s.loosely(d, clause) {
		return -1, -1
	}
	return clause, first
}

// meansStem returns the clause that has a stem, the first of all clauses that it stands for, and
// whether only a correction has it.
func (s *refSearch) meansStem(d *refDoc, text func(*analysis.Language) string) (clause, first int, loose bool) {
	for _, l := range s.langsOf(d) {
		found, first, one := -1, -1, stem{l.Code, text(l)}
		for i := range s.clauses {
			if slices.Contains(s.typoStems[i], one) {
				found, first, loose = i, i, true
			}
		}
		for _, said := range slices.Backward(s.said) {
			if slices.Contains(said.stems, one) {
				found, first, loose = said.last, said.first, false
			}
		}
		for i, c := range s.clauses {
			if slices.Contains(s.stemsOf(c), one) {
				found, first, loose = i, i, false
			}
		}
		if found >= 0 {
			return found, first, loose
		}
	}
	return -1, -1, false
}

// meansTypo returns the clause that a word may be a correction of, or -1.
func (s *refSearch) meansTypo(folded string) int {
	for i := range s.clauses {
		typo := slices.ContainsFunc(s.typos[i], func(one weightedTerm) bool { return one.term == folded })
		if typo || s.within[i] != "" && s.hasWithin(folded, s.within[i]) {
			return i
		}
	}
	return -1
}

// loosely reports whether an article has a clause only as a beginning, or with a typo; in other
// articles these are not marked.
func (s *refSearch) loosely(d *refDoc, clause int) bool {
	rung, ok := s.standing[d].matched[clause]
	return ok && (rung > strict || clause == len(s.clauses)-1 && s.standing[d].begun)
}

// langsOf returns the languages in which words of an article have stems: its own or, if that has
// none, English.
func (r *reference) langsOf(d *refDoc) (langs []*analysis.Language) {
	for _, l := range r.langs {
		if l.Code == d.language || l.Code == "en" && !r.stemmed(d.language) {
			langs = append(langs, l)
		}
	}
	return langs
}

func (s *refSearch) begun(folded string) bool {
	return s.begins != "" && folded != "" && strings.HasPrefix(folded, s.begins)
}

// near returns the reward for words that are near each other in the text of an article.
func (s *refSearch) near(d *refDoc) float64 {
	weight := func(c *refClause) float64 {
		if c.optional {
			return 0.05
		}
		most := 0
		for _, way := range c.ways {
			most = max(most, len(way))
		}
		return 0.1 + s.idf(most)
	}
	best := make([]float64, len(s.clauses))
	marks, text := s.marks(d), d.article.ContentText
	for j := range marks {
		for c := marks[j].first + 1; c <= marks[j].last; c++ {
			best[c] = max(best[c], (weight(s.clauses[c-1])+weight(s.clauses[c]))/2)
		}
		for k := j - 1; k >= max(0, j-nearWords); k-- {
			a, b := marks[k], marks[j]
			if a.clause == b.clause || utf8.RuneCountInString(text[min(a.end, b.start):b.start]) > nearLetters {
				break
			}
			first, second := s.clauses[a.clause], s.clauses[b.clause]
			if first.han && !first.single && second.han && !second.single {
				continue
			}
			gap := 1 + float64(utf8.RuneCountInString(text[min(a.end, b.start):b.start])-1)/wordLetters
			apart := b.clause - a.clause
			if apart < 0 {
				apart, gap = -apart, gap+1
			}
			if apart <= nearWords {
				later := max(a.clause, b.clause)
				best[later] = max(best[later], (weight(first)+weight(second))/(2*gap*float64(apart)))
			}
		}
	}
	sum := 0.0
	for _, n := range best {
		sum += weightNear * n
	}
	return sum
}

package index

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// refUnit matches a number with its unit, or a name with its number.
var refUnit = regexp.MustCompile(`^(?:([0-9.]+)([^0-9.]+)|([^0-9.]+)([0-9.]+))$`)

// forms counts the full forms of clause i.
func (s *refSearch) forms(i int) {
	c := s.clauses[i]
	if c.optional {
		s.otherwise(i)
		return
	}
	if c.whole != "" {
		parts := 0.0
		for _, other := range s.clauses {
			if other.whole == c.whole && !other.optional {
				parts++
			}
		}
		s.add(i, weightWhole/parts, strict, false, s.word(c.whole))
	}
	if c.han {
		s.characters(i)
		return
	}
	accents, stemmed, word := weightAccent, weightStem, weightExact
	if c.lowered != c.folded {
		asTyped := s.word(c.lowered)
		accentless := len(asTyped) > 0 // no stemmer of the site but the English one knows the word
		for _, l := range s.langs {
			accentless = accentless && (!l.Stemmed() || l.OfScript([]byte(c.lowered)).Code == "en")
		}
		if accentless {
			accents, stemmed, word = weightStem, weightExact, 0
		}
		s.add(i, accents, strict, false, asTyped)
	}
	if stems := s.stemsOf(c); len(stems) > 0 {
		s.add(i, stemmed, strict, false, s.havingStem(stems))
	} else {
		word += stemmed
	}
	s.add(i, word, strict, false, s.word(c.folded))
	if c.quoted {
		return
	}
	if parts := refUnit.FindStringSubmatch(c.folded); parts != nil {
		apart := strings.TrimSpace(parts[1] + parts[3] + " " + parts[2] + parts[4])
		if way := s.saying(apart); len(way) > 0 {
			s.add(i, weightWhole, strict, true, way)
			s.said = append(s.said, said{text: apart, first: i, last: i, way: wayCompound})
		}
		if len(c.ways) > 0 && utf8.RuneCountInString(parts[3]) > 1 {
			s.versionsOf(i, parts[3], parts[4])
		}
	}
	s.otherwise(i)
}

// versionsOf counts the versions of a name in titles for clause i, a name with a number.
func (s *refSearch) versionsOf(i int, name, number string) {
	versions := map[string]bool{}
	for _, d := range s.docs {
		for _, word := range d.titleWords {
			if slices.Contains(d.titleWords, name) && strings.HasPrefix(word, number+".") {
				versions[word] = true
			}
		}
	}
	for _, version := range slices.Sorted(maps.Keys(versions)) {
		if way := s.saying(name + " " + version); len(way) > 0 {
			s.add(i, weightWhole, strict, true, way)
			s.said = append(s.said, said{text: name + " " + version, first: i, last: i, way: wayCompound})
		}
	}
}

// characters counts the full forms of clause i, which is one character or two.
func (s *refSearch) characters(i int) {
	c := s.clauses[i]
	times := func(d *refDoc, form string) float64 {
		if c.single {
			return d.begins[form]
		}
		return d.words[form]
	}
	asTyped := s.having(func(d *refDoc) float64 { return times(d, c.lowered) })
	s.add(i, weightExact+weightStem, strict, false, asTyped)
	either := maps.Clone(asTyped)
	for d, impact := range s.spelled(c.folded, times) {
		if _, ok := either[d]; !ok {
			either[d] = impact
		}
	}
	if len(either) > len(asTyped) {
		c.ways = append(c.ways, either)
	}
	for d, impact := range either {
		one := s.standing[d]
		if one.touched = true; !c.optional {
			one.matched[i] = strict
		}
		if _, ok := asTyped[d]; !ok {
			one.score += c.times * weightStem * s.idf(len(either)) * impact
		}
	}
	if c.single {
		return
	}
	most := maxPairs
	if strings.ContainsFunc(c.folded, analysis.IsHanOrKana) {
		most = maxHanPairs
	}
	for _, r := range c.lowered {
		if len(s.clauses) > most {
			break
		}
		asTyped := s.having(func(d *refDoc) float64 { return d.begins[string(r)] })
		others := s.spelled(refFold(string(r)), func(d *refDoc, form string) float64 { return d.begins[form] })
		maps.DeleteFunc(others, func(d *refDoc, _ float64) bool { _, ok := asTyped[d]; return ok })
		add := func(way map[*refDoc]float64, found int) {
			for d, impact := range way {
				s.standing[d].touched = true
				s.standing[d].score += weightChar * s.idf(found) * impact
			}
		}
		add(asTyped, len(asTyped))
		add(others, len(asTyped)+len(others))
	}
	if !c.quoted {
		s.otherwise(i)
	}
}

// gather drops the second clause of a run of three characters, which is two, from the articles that
// have it only in pieces.
func (s *refSearch) gather() {
	follows := func(i int) bool {
		return 0 < i && i < len(s.clauses) && s.clauses[i-1].han && s.clauses[i].han && s.clauses[i].start == s.clauses[i-1].end
	}
	for i, second := range s.clauses {
		if !follows(i) || follows(i-1) || follows(i+1) || s.clauses[i-1].optional || second.optional {
			continue
		}
		first := s.clauses[i-1]
		if slices.ContainsFunc(s.said, func(one said) bool { return one.standsFor(i-1) || one.standsFor(i) }) {
			continue
		}
		apart := map[*refDoc]bool{}
		for d, one := range s.standing {
			if first.has(d) && second.has(d) && !d.says(string([]rune(s.text[first.start:])[:3])) {
				apart[d] = true
				delete(one.matched, i)
			}
		}
		second.apart = apart
	}
}

// spelled returns the impact, in each article, of the spelling of some characters that it has most
// often.
func (s *refSearch) spelled(folded string, times func(d *refDoc, form string) float64) map[*refDoc]float64 {
	forms := []string{""}
	for _, r := range folded {
		var longer []string
		for _, form := range forms {
			for _, one := range "学學里裏裡" + string(r) {
				if refFold(string(one)) == string(r) {
					longer = append(longer, form+string(one))
				}
			}
		}
		forms = longer
	}
	return s.having(func(d *refDoc) float64 {
		most := 0.0
		for _, form := range forms {
			most = max(most, times(d, form))
		}
		return most
	})
}

// otherwise counts the synonyms of clause i.
func (s *refSearch) otherwise(i int) {
	s.synonymsIn(s.clauses, i, weightSynonym, strict, func(int) bool { return true })
}

// meantOtherwise counts the synonyms of the corrected query.
func (s *refSearch) meantOtherwise() {
	meant := &refSearch{reference: s.reference, text: s.meant(s.text, s.nearest)}
	meant.parse()
	if meant.text == s.text || len(meant.clauses) != len(s.clauses) {
		return
	}
	for i := range s.clauses {
		s.synonymsIn(meant.clauses, i, 0.7*weightSynonym, mistyped, func(clause int) bool { return s.nearest(clause) != "" })
	}
}

// synonymsIn counts the synonyms of a query for texts that end with clause i, if one of their
// clauses may have them.
func (s *refSearch) synonymsIn(clauses []*refClause, i int, weight float64, rung Rung, may func(clause int) bool) {
	if clauses[i].quoted {
		return
	}
	for first := range clauses[:i+1] {
		key, one := "", false
		for n, c := range clauses[first : i+1] {
			one = one || may(first+n)
			switch before := clauses[max(0, first+n-1)]; {
			case n == 0:
				key = c.folded
			case before.han && before.end == c.start: // the first of its two characters ends the one before
				key += string([]rune(c.folded)[1:])
			default:
				key += " " + c.folded
			}
		}
		telling := float64(len(telling(s.clauses[first : i+1])))
		if !one || telling == 0 || len(refTitleWords(key)) > article.MaxSynonymWords {
			continue
		}
		others := s.synonyms[key]
		if len(others) == 0 && first == i {
			others = s.ofForms(clauses[i])
		}
		for _, other := range others {
			other, stems := other.key, s.stemsOfSynonym(other.written)
			way := s.word(other)
			switch {
			case isHan(other) && len([]rune(other)) == 1:
				way = s.spelled(other, func(d *refDoc, form string) float64 { return d.begins[form] })
			case isHan(other) && len([]rune(other)) == 2:
				way = s.spelled(other, func(d *refDoc, form string) float64 { return d.words[form] })
			case strings.Contains(other, " "), isHan(other):
				way = s.saying(other)
			}
			for clause := first; clause <= i; clause++ {
				if !s.clauses[clause].optional {
					s.add(clause, weight/telling, rung, true, way)
					s.add(clause, weight/telling, rung, true, s.havingStem(stems))
				}
			}
			s.said = append(s.said, said{text: other, first: first, last: i, way: waySynonym, stems: stems})
		}
	}
}

// ofForms returns the synonyms of the words that share a stem with a clause.
func (s *refSearch) ofForms(c *refClause) (others []refSynonym) {
	for _, one := range s.stemsOf(c) {
		for _, from := range s.froms {
			if slices.Contains(s.stemsOfSynonym(from.written), one) {
				for _, other := range s.synonyms[from.key] {
					if !slices.ContainsFunc(others, func(known refSynonym) bool { return known.key == other.key }) {
						others = append(others, other)
					}
				}
			}
		}
	}
	return others
}

// stemsOfSynonym returns the stems of a synonym that is one word.
func (s *refSearch) stemsOfSynonym(written string) []stem {
	tokens := refTokens(written)
	if len(tokens) != 1 || tokens[0].han || len(tokens[0].parts) != 1 {
		return nil
	}
	return s.stemsOf(&refClause{lowered: tokens[0].parts[0].lowered, folded: tokens[0].parts[0].folded})
}

// join counts articles that write neighbours of a short query as one word.
func (s *refSearch) join() {
	if len(s.clauses) > questionWords {
		return
	}
	var known []bool
	for _, c := range s.clauses {
		known = append(known, len(c.ways) > 0)
	}
	for first := range s.clauses {
		for last := first + 1; last < min(len(s.clauses), first+4); last++ {
			run := s.clauses[first : last+1]
			word, joins, telling := "", true, float64(len(telling(run)))
			for i, c := range run {
				if i > 0 {
					before := run[i-1]
					joins = joins && s.text[before.end:c.start] == " " && !refDigitsMeet(before.folded, c.folded)
				}
				joins = joins && c.stems()
				word += c.folded
			}
			if len(run) == 2 {
				a, b := run[0].folded, run[1].folded
				number := isDigit(a[len(a)-1]) != isDigit(b[0]) && regexp.MustCompile(`^([0-9.]+[^0-9.]+|[^0-9.]+[0-9.]+)$`).MatchString(word)
				small := run[1].optional && len([]rune(a)) > 1 && len([]rune(b)) > 1 && b != "or" && !s.inflects(word, run[0])
				joins = joins && !run[0].optional && (small || !run[1].optional) && (utf8.RuneCountInString(word) >= 4 || number)
			}
			for i, c := range run {
				joins = joins && (c.optional || known[first+i])
			}
			way, stems := s.word(word), s.stemsOfJoined(word, run[len(run)-1])
			forms := s.havingStem(stems)
			if !joins || len(way)+len(forms) == 0 || telling == 0 {
				continue
			}
			for i := first; i <= last; i++ {
				if !s.clauses[i].optional {
					s.add(i, weightWhole/telling, strict, true, way)
					s.add(i, weightWhole/telling, strict, true, forms)
				}
			}
			s.said = append(s.said, said{text: word, first: first, last: last, way: wayCompound, stems: stems})
		}
	}
}

// stemsOfJoined returns the stems of words written as one that end with the stem of the last word,
// or with all of that but a letter.
func (s *refSearch) stemsOfJoined(joined string, last *refClause) (stems []stem) {
	for _, l := range s.langs {
		text, ending := l.Stem([]byte(joined)), []rune(strings.TrimSuffix(joined, last.folded)+l.Stem([]byte(last.lowered)))
		if text == string(ending) && text != "" || len(ending) > 0 && len([]rune(text)) >= len([]rune(joined))-len([]rune(last.folded)) && text == string(ending[:len(ending)-1]) {
			stems = append(stems, stem{l.Code, text})
		}
	}
	return stems
}

// respacedTitles finds the articles whose title is the query but for its spaces.
func (s *refSearch) respacedTitles(unquoted bool, not []string) map[*refDoc]bool {
	found, key := map[*refDoc]bool{}, refTitle(s.text)
	if unquoted || len(not) > 0 || slices.ContainsFunc(s.clauses, func(c *refClause) bool { return c.quoted }) {
		return nil
	}
	unspaced := func(title string) string { return strings.ReplaceAll(title, " ", "") }
	for _, d := range s.docs {
		if key != "" && !d.is(key) && unspaced(d.title) == unspaced(key) {
			found[d] = true
		}
	}
	if len(found) > nearWindow {
		return nil
	}
	numbers := regexp.MustCompile("[0-9]+")
	maps.DeleteFunc(found, func(d *refDoc, _ bool) bool {
		return !slices.Equal(numbers.FindAllString(d.title, -1), numbers.FindAllString(key, -1))
	})
	for d := range found {
		for i, c := range s.clauses {
			if !c.optional {
				c.titled = found
				s.standing[d].matched[i], s.standing[d].touched = strict, true
			}
		}
		s.said = append(s.said, said{text: d.title, last: len(s.clauses) - 1, way: wayCompound})
	}
	return found
}

// compare makes the "vs" between two words optional, unless it rather belongs to the second.
func (s *refSearch) compare() {
	for i, c := range s.clauses {
		if i == 0 || i == len(s.clauses)-1 || c.folded != "vs" && c.folded != "versus" || !c.stems() || c.whole != "" {
			continue
		}
		before, after := s.clauses[i-1], s.clauses[i+1]
		if !before.optional && !after.optional && len(s.word(c.folded)) <= maxApart && len(s.saying(c.folded+" "+after.folded)) <= len(s.saying(before.folded+" "+c.folded)) {
			c.optional = true
		}
	}
}

// inflects reports whether a word has a stem of a clause in some language.
func (s *refSearch) inflects(word string, c *refClause) bool {
	return slices.ContainsFunc(s.langs, func(l *analysis.Language) bool {
		return slices.Contains(s.stemsOf(c), stem{l.Code, l.Stem([]byte(word))})
	})
}

func (s *refSearch) stemsOf(c *refClause) (stems []stem) {
	if c.stems() && strings.Contains(c.folded, ".") { // a version
		return []stem{{inAll, c.folded}}
	}
	if c.stems() {
		for _, l := range s.langs {
			if text := l.Stem([]byte(c.lowered)); text != "" {
				stems = append(stems, stem{l.Code, text})
				if text != c.folded {
					stems = append(stems, stem{l.Code, c.folded})
				}
			}
		}
	}
	return stems
}

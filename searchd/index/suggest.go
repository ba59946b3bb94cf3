package index

import (
	"cmp"
	"slices"
	"strings"

	"newsstand/searchd/index/analysis"
)

// correct returns text, which is that of the query, with word in place of clause i, and with the
// corrections of those words that no article has.
func (q *parsed) correct(text string, typos []correction, i int, word string) string {
	type change struct {
		analysis.Span
		to string
	}
	var changes []change
	for j, t := range typos {
		meant := word
		if j != i {
			if t.found > 0 || t.meant == "" {
				continue
			}
			meant = t.meant
		}
		c := q.clauses[j]
		changes = append(changes, change{analysis.Span{Start: c.Start, End: q.clauses[t.last].End}, meant})
		if t.last > j {
			continue
		}
		for _, again := range c.again {
			changes = append(changes, change{again, meant})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	at := 0
	for _, c := range changes {
		b.WriteString(text[at:c.Start])
		b.WriteString(c.to)
		at = c.End
	}
	b.WriteString(text[at:])
	return b.String()
}

// corrected returns text, which is that of the query, with the words that no article has replaced
// by their corrections; "" if there are none.
func (q *parsed) corrected(text string, typos []correction) string {
	for i, t := range typos {
		if t.found == 0 && t.meant != "" {
			return q.correct(text, typos, i, t.meant)
		}
	}
	return ""
}

// suggested is like corrected, but spells each correction, with accents, as most articles do.
func (f *finder) suggested(text string, typos []correction) string {
	typos = slices.Clone(typos)
	for i := range typos {
		t := &typos[i]
		if t.found > 0 {
			continue
		}
		words := strings.Fields(t.meant)
		for n, word := range words {
			words[n] = analysis.Written(f.spelling(word))
		}
		t.meant = strings.Join(words, " ")
	}
	return f.query.corrected(text, typos)
}

// spelling returns the form of a folded word, with accents, that more than half of its articles
// have; the folded word if there is none.
func (s view) spelling(word string) string {
	r := s.termReader()
	defer s.readers.Put(r)
	best, most := word, s.read(fieldWords, word).found/2
	for _, d := range r.open(fieldWords) {
		for text := range r.accepted(s.ctx, d, "", newSpellingAutomaton(word)) {
			term := string(text)
			p := s.read(fieldWords, term)
			if term != word && (p.found > most || p.found == most && best != word && term < best) {
				best, most = term, p.found
			}
		}
	}
	return best
}

package index

import (
	"slices"
	"unicode/utf8"
)

// nearWindow is the number of hits whose text is read to see how near the words of the query are to
// each other: a page of results, whose text the excerpts need anyway. Twice as many would gain
// 0.005 of nDCG@10 on one of five collections and double the time of a search.
const nearWindow = 10

// Words of the query count as near each other only within these bounds.
const (
	nearLetters = 80 // between them in the text: about thirteen words of English
	nearWords   = 3  // marks from one to the other in the text, and words in the query
)

// wordLetters is roughly the length of a word and its space.
const wordLetters = 6

// near adds to the scores of the first hits of a rung a reward for words of the query that are near
// each other, and sorts the hits again.
func (f *finder) near(hits []hit) {
	if len(f.query.clauses) < 2 || len(hits) < 2 {
		return
	}
	m := f.marker()
	best := make([]float32, len(f.query.clauses))
	for i := range hits {
		text := f.stored(hits[i].doc).text
		marks := m.keep(hits[i].doc, m.marksOf(hits[i].doc, text))
		m.neighboursIn(text, marks, best)
		for _, near := range best {
			hits[i].score += float32(weightNear * near)
		}
		must(f.ctx.Err())
	}
	slices.SortStableFunc(hits, compareHits)
}

// neighboursIn sets best, by clause, to the reward for its best neighbour in a text with these
// marks, among the clauses before it in the query: the mean weight of the two, divided by their
// distance in the text and by that in the query. Words that are written as one count as adjacent.
func (m *marker) neighboursIn(text string, marks []mark, best []float32) {
	clear(best)
	clauses := m.finder.query.clauses
	for j, b := range marks {
		for c := b.first + 1; c <= b.last; c++ { // as near as can be
			best[c] = max(best[c], (m.weight[c-1]+m.weight[c])/2)
		}
		for k := j - 1; k >= max(0, j-nearWords); k-- {
			a := marks[k]
			if a.clause == b.clause || b.Start-a.End > nearLetters*utf8.UTFMax {
				break
			}
			between := utf8.RuneCountInString(text[min(a.End, b.Start):b.Start]) // marks may overlap
			if between > nearLetters {
				break
			}
			if clauses[a.clause].pair() && clauses[b.clause].pair() {
				continue // pairs overlap anyway
			}
			gap := 1 + float32(between-1)/wordLetters
			apart := b.clause - a.clause
			if apart < 0 { // the other way round
				apart, gap = -apart, gap+1
			}
			if apart <= nearWords {
				later := max(a.clause, b.clause)
				best[later] = max(best[later], (m.weight[a.clause]+m.weight[b.clause])/(2*gap*float32(apart)))
			}
		}
	}
}

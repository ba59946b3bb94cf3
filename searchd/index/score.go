package index

import (
	"cmp"
	"slices"
)

// hit is a document that was found.
type hit struct {
	doc   uint32
	rung  Rung
	score float32
}

// top returns the first n hits of candidates, which are all of one rung, and those that tie with
// the last of them, in the order of documents. It resets the scores of candidates to 0. The hits
// are valid until the next call.
func (s *scratch) top(candidates *bitmap, rung Rung, n int, boosts []float32) []hit {
	best, least := make([]float32, 0, 2*n), float32(0) // scores that have the n highest so far, and the least of those n
	shorten := func() {
		slices.Sort(best)
		best = append(best[:0], best[len(best)-n:]...)
		least = best[0]
	}
	hits := s.hits[:0] // each was among the first n when it was added
	for d := range candidates.all() {
		score := s.scores[d] * boosts[d]
		s.scores[d] = 0
		if n == 0 || score < least {
			continue
		}
		hits = append(hits, hit{d, rung, score})
		if best = append(best, score); len(best) == 2*n {
			shorten()
		}
	}
	if len(best) > n {
		shorten()
	}
	s.hits = hits
	return slices.DeleteFunc(hits, func(h hit) bool { return h.score < least })
}

// best returns the first n of the hits: by rung, score, date (newest first) and id.
func (s view) best(hits []hit, n int) []hit {
	slices.SortFunc(hits, compareHits)
	for i := 0; i < len(hits) && i < n; {
		end := i + 1
		for end < len(hits) && compareHits(hits[i], hits[end]) == 0 {
			end++
		}
		if end-i > 1 {
			s.breakTies(hits[i:end], n-i)
		}
		i = end
	}
	return hits[:min(n, len(hits))]
}

// compareHits orders by rung and score.
func compareHits(a, b hit) int {
	if a.rung != b.rung {
		return cmp.Compare(a.rung, b.rung)
	}
	return cmp.Compare(b.score, a.score)
}

// breakTies sorts the first n of hits of equal score. All documents of the index may tie; so the
// ids, which take longest to read, are only read if dates are equal.
func (s view) breakTies(hits []hit, n int) {
	type key struct {
		hit
		published int64
		id        string
	}
	keys := make([]key, len(hits))
	for i, h := range hits {
		keys[i] = key{hit: h, published: s.row(h.doc).published()}
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Compare(b.published, a.published) })
	for i := 0; i < min(n, len(keys)); {
		end := i + 1
		for end < len(keys) && keys[end].published == keys[i].published {
			end++
		}
		if end-i > 1 {
			for j := i; j < end; j++ {
				if j&0xFF == 0xFF {
					must(s.ctx.Err())
				}
				keys[j].id = s.id(keys[j].doc)
			}
			slices.SortFunc(keys[i:end], func(a, b key) int { return cmp.Compare(a.id, b.id) })
		}
		i = end
	}
	for i, k := range keys {
		hits[i] = k.hit
	}
}

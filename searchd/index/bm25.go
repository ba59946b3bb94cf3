package index

import "math"

// Scores are those of BM25 (Robertson and Zaragoza 2009). For a term, a document gains the term's
// weight (see finder.weight and idf) times
//
//	times / (times + damping)
//
// where times is how often the document has the term, and damping is smoothing times
//
//	k * (1 - b + b * length/average length)

// bm25K sets how soon repetitions of a word stop adding to the score (see saturation), bm25B how
// much the length of a text lowers it.
const (
	bm25K = 1.2
	bm25B = 0.8
)

// shortWords is the average length, in weighted words, below which the articles of a site are
// short. Most words of a note occur in it once, and a repetition says less than in a longer text.
// (Searches of short messages do best if repetitions have hardly any weight.)
const shortWords = 200

// saturation returns bm25K adjusted to the average length of the articles: down to half for the
// shortest.
func saturation(average float64) float64 {
	return bm25K * min(max(average/shortWords, 0.5), 1)
}

// measure reads the length of every document, and computes its damping before smoothing.
func (s *snapshot) measure() {
	average := 1.0
	if s.totals.Articles > 0 {
		average = max(1, float64(s.totals.Length)/float64(s.totals.Articles))
	}
	k := saturation(average)
	s.damping = make([]float32, 0, s.docs)
	for doc := range uint32(s.docs) {
		s.damping = append(s.damping, float32(k*(1-bm25B+bm25B*float64(s.row(doc).length())/average)))
	}
}

// A query of more than questionWords words is a question, not a name: each word says less, and it
// says more if an article repeats a word. So the damping grows with each further word, up to twice
// its size: long queries need more smoothing (Zhai and Lafferty 2001, on language models).
const questionWords = 6

// smoothingOf returns the factor of the damping, from 1 to 2, for a query of so many words.
func smoothingOf(words int) float32 {
	return min(2, max(1, float32(words)/questionWords))
}

// damping returns the damping of a document for this query.
func (f *finder) damping(d uint32) float32 { return float32(f.smoothing * f.snapshot.damping[d]) }

// idf returns the inverse document frequency of a term that so many documents have. It is never
// negative.
func (s *snapshot) idf(found int) float32 {
	n, all := float64(found), float64(s.totals.Articles)
	return float32(math.Log(1 + (all-n+0.5)/(n+0.5)))
}

// worth returns what a document gains by a term of this weight. Times and impact are those of the
// term's postings, and at is the place of the document among them.
func worth(times []uint8, impact []float32, at int, damping, weight float32) float32 {
	if times != nil {
		times := float32(times[at])
		return weight * times / (times + damping)
	}
	if impact != nil {
		return float32(weight * impact[at])
	}
	return weight
}

// impactOf returns the part of BM25 that depends on the document at a place: from 0 to 1, and 1 in
// a field without frequencies.
func (p *postings) impactOf(at int, damping float32) float32 {
	return worth(p.times, p.impact, at, damping, 1)
}

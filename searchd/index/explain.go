package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Explanation says why a query found these articles, in this order.
type Explanation struct {
	Revision   string `json:"revision"`
	Total      int    `json:"total"`
	Suggestion string `json:"suggestion,omitempty"`
	// Words are the words of the query as it was parsed.
	Words []ExplainedWord `json:"words"`
	// An article has all of Phrases, unless it was found on the last rung, and none of Without. No
	// article has the phrases in Dropped, so their words were searched instead.
	Phrases []string `json:"phrases"`
	Dropped []string `json:"dropped"`
	Without []string `json:"without"`
	// Rungs are the rungs that were searched, with the number of articles found on each.
	Rungs    []ExplainedRung    `json:"rungs"`
	Articles []ExplainedArticle `json:"articles"`
}

// ExplainedWord is a word of a query, and the ways in which it was looked for.
type ExplainedWord struct {
	Word string `json:"word"`
	// Optional is true for a word that an article need not have, such as a stop word beside other
	// words.
	Optional bool           `json:"optional,omitempty"`
	Ways     []ExplainedWay `json:"ways"`
}

// ExplainedWay is one way to find a word.
type ExplainedWay struct {
	// Way is word, accents, variant, compound, stem, synonym, beginning, typo, within or character.
	Way string `json:"way"`
	// Terms are the terms that were looked for in this way.
	Terms []string `json:"terms"`
	// Articles is the number of articles that have the word in this way. For a looser way, such as
	// a synonym or a typo, it counts only articles that do not have the word in a better way.
	Articles int `json:"articles"`
	// Weight is the most that the way can add to the score of an article.
	Weight float32 `json:"weight"`
}

// ExplainedRung is a rung of the ladder.
type ExplainedRung struct {
	Rung     string `json:"rung"`
	Articles int    `json:"articles"`
}

// ExplainedArticle is an article that was found.
type ExplainedArticle struct {
	Rank  int     `json:"rank"`
	ID    string  `json:"id"`
	Title string  `json:"title"`
	Rung  string  `json:"rung"`
	Score float32 `json:"score"` // computed from the fields below; 0 if the site pins the article, or the query is its address
	// Words are the words of the query that the article has.
	Words []ExplainedMatch `json:"words"`
	// TitleFactor multiplied the score because the title has the words of the query, begins with
	// it, is a part of it, is the query but for a typo, or alone has its accents. Boost multiplied
	// it for the site's boost of the article and for its language. 1 changes nothing. Near was
	// added for words near each other.
	TitleFactor float32 `json:"title_factor"`
	Boost       float32 `json:"boost"`
	Near        float32 `json:"near"`
	// Phrase was added to the scores of the words, before the factors, because the article has the
	// query word for word.
	Phrase float32 `json:"phrase"`
}

// ExplainedMatch is a word of the query in an article.
type ExplainedMatch struct {
	Word string `json:"word"`
	// Scores are what each way added to the score; "title" is for a word in the title.
	Scores map[string]float32 `json:"scores"`
	// Fields says how often the title, the tags, the summary and the text have the word in any
	// form.
	Fields map[string]int `json:"fields"`
}

// The ways to find a word.
const (
	wayWord      = "word"
	wayAccents   = "accents"
	wayVariant   = "variant" // in the other form of Chinese
	wayCompound  = "compound"
	wayStem      = "stem"
	waySynonym   = "synonym"
	wayBeginning = "beginning"
	wayTypo      = "typo"
	wayWithin    = "within"
	wayCharacter = "character"
	wayTitle     = "title"
	wayPhrase    = "phrase" // the whole query, word for word
)

// trace records what a finder does besides its steps. A nil trace records nothing.
type trace struct {
	rungs   [unphrased + 1]int
	reached Rung              // the last rung that was searched
	scored  map[uint32]scored // by document: the score of a hit before near changed it
}

// scored is the score of a document, and how many steps there were when it was computed: lower
// rungs add more.
type scored struct {
	score float32
	steps int
}

// took records how many documents were found on a rung, and that all rungs down to it were
// searched.
func (t *trace) took(n int, r Rung) {
	if t != nil {
		t.rungs[r] += n
		t.reached = r
	}
}

func (t *trace) ranked(hits []hit, steps int) {
	if t == nil {
		return
	}
	for _, h := range hits {
		t.scored[h.doc] = scored{h.score, steps}
	}
}

// Explain searches as Search does, and explains the result. Its errors are those of Search.
func (x *Index) Explain(ctx context.Context, q Query) (e Explanation, err error) {
	err = x.view(ctx, func(s view) {
		q.normalise()
		s.explained = true
		f := s.search(q)
		e = Explanation{
			Revision: s.revision, Total: f.total, Suggestion: f.suggestion,
			Words: f.explainWords(), Phrases: textsOf(f.query.phrases), Dropped: textsOf(f.dropped), Without: textsOf(f.query.not), Rungs: []ExplainedRung{}, Articles: []ExplainedArticle{},
		}
		if f.need > 0 {
			for r, n := range f.trace.rungs[:f.trace.reached+1] {
				e.Rungs = append(e.Rungs, ExplainedRung{Rung(r).String(), n})
			}
		}
		for i, h := range f.hits {
			one := f.explain(h)
			one.Rank = q.Offset + i + 1
			e.Articles = append(e.Articles, one)
		}
		f.close()
	})
	return e, err
}

// textsOf returns each phrase as text.
func textsOf(phrases []phrase) []string {
	all := []string{}
	for _, p := range phrases {
		var units []string
		for _, u := range p {
			units = append(units, u.form)
		}
		all = append(all, strings.Join(units, " "))
	}
	return all
}

// word returns a clause as it was typed.
func (f *finder) word(i int) string {
	c := f.query.clauses[i]
	return f.query.text[c.Start:c.End]
}

func (f *finder) explainWords() []ExplainedWord {
	all := []ExplainedWord{}
	for i, c := range f.query.clauses {
		w := ExplainedWord{Word: f.word(i), Optional: c.optional, Ways: []ExplainedWay{}}
		for _, s := range f.steps {
			if s.clause == i && s.way != wayTitle {
				w.Ways = append(w.Ways, ExplainedWay{Way: s.way, Terms: f.searched(i, s.way), Articles: s.count, Weight: s.weight})
			}
		}
		all = append(all, w)
	}
	return all
}

// searched returns the terms that were looked for in one way to find clause i.
func (f *finder) searched(i int, way string) []string {
	c := &f.query.clauses[i]
	terms := []string{}
	switch way {
	case wayAccents:
		terms = append(terms, c.accented)
	case wayCompound:
		if c.whole != "" {
			terms = append(terms, c.whole)
		}
		terms = append(terms, f.saidOf(i, way)...)
	case wayStem:
		for _, one := range f.stems(c) {
			terms = append(terms, one.language+":"+one.text)
		}
	case waySynonym:
		terms = append(terms, f.saidOf(i, way)...)
	case wayBeginning:
		if slices.Contains(f.numbers, i) {
			terms = append(terms, c.versions()...)
		} else if terms = append(terms, f.later...); f.begins != "" {
			terms = append(terms, f.begins)
		}
	case wayTypo:
		terms = append(terms, f.saidOf(i, way)...)
		for _, one := range f.typos[i].forms {
			terms = append(terms, fmt.Sprintf("%s×%.1f", one.term, one.weight))
		}
	case wayWithin:
		for _, one := range f.typos[i].within {
			terms = append(terms, one.term)
		}
	case wayVariant:
		terms = slices.DeleteFunc(slices.Clone(c.spellings), func(one string) bool { return one == c.lowered })
	case wayCharacter:
		terms = strings.Split(c.folded, "")
	case wayWord:
		if terms = append(terms, c.folded); isUnspaced(c.folded) {
			terms[0] = c.lowered
		}
	}
	return terms
}

// saidOf returns the texts of one way that stand for clause i.
func (f *finder) saidOf(i int, way string) (texts []string) {
	for _, one := range f.said {
		if one.way == way && one.standsFor(i) {
			texts = append(texts, one.text)
		}
	}
	return texts
}

// explain returns one hit with the parts of its score.
func (f *finder) explain(h hit) ExplainedArticle {
	got := f.stored(h.doc)
	meta := got.meta()
	e := ExplainedArticle{
		ID: meta.ID, Title: meta.Title, Rung: h.rung.String(), Score: h.score, Words: []ExplainedMatch{},
		TitleFactor: 1, Boost: f.site.boosts[h.doc], Near: h.score - f.trace.scored[h.doc].score,
	}
	if h.rung == pinned {
		e.Boost = 1
		return e
	}
	steps := f.steps[:f.trace.scored[h.doc].steps]
	for _, step := range steps {
		if step.postings == nil && step.within.has(h.doc) {
			e.TitleFactor *= step.weight
		}
	}
	fields := map[string]string{"title": meta.Title, "tags": strings.Join(meta.Tags, "\n"), "summary": meta.Summary, "text": got.text}
	m := f.marker()
	m.read(h.doc)
	for i := range f.query.clauses {
		if scores := f.scoresOf(i, h.doc, steps); len(scores) > 0 {
			e.Words = append(e.Words, ExplainedMatch{Word: f.word(i), Scores: scores, Fields: m.timesIn(fields, i)})
		}
	}
	e.Phrase = f.scoresOf(wholeQuery, h.doc, steps)[wayPhrase]
	return e
}

// scoresOf returns what clause i added to the score of a document in some steps, by way.
func (f *finder) scoresOf(i int, doc uint32, steps []step) map[string]float32 {
	only := f.scratch.set()
	only.add(doc)
	scores := map[string]float32{}
	for _, s := range steps {
		if s.clause != i || s.postings == nil || s.within != nil && !s.within.has(doc) {
			continue
		}
		gained := f.scratch.scores
		s.postings.weigh(gained, f.snapshot.damping, f.smoothing, s.weight, only)
		if gained[doc] > 0 {
			scores[s.way] += gained[doc]
			gained[doc] = 0
		}
	}
	return scores
}

// timesIn returns how often each of the fields has clause i, by name.
func (m *marker) timesIn(fields map[string]string, i int) map[string]int {
	times := map[string]int{}
	for name, text := range fields {
		for _, one := range m.marks(text) {
			if one.first <= i && i <= one.last {
				times[name]++
			}
		}
	}
	return times
}

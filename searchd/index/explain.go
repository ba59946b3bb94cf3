package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Explanation says why a query found what it found, and in this order.
type Explanation struct {
	Revision   string `json:"revision"`
	Total      int    `json:"total"`
	Suggestion string `json:"suggestion,omitempty"`
	// Words are those of the query, as it was understood.
	Words []ExplainedWord `json:"words"`
	// Phrases must stand in an article, and Without must not.
	Phrases []string `json:"phrases"`
	Without []string `json:"without"`
	// Rungs are those that were looked at, with the number of articles on each.
	Rungs    []ExplainedRung    `json:"rungs"`
	Articles []ExplainedArticle `json:"articles"`
}

// ExplainedWord is a word of a query, and in which ways it was looked for.
type ExplainedWord struct {
	Word string `json:"word"`
	// Optional is true for a stop word beside others, which was not looked for.
	Optional bool           `json:"optional,omitempty"`
	Ways     []ExplainedWay `json:"ways"`
}

// ExplainedWay is one way to find a word.
type ExplainedWay struct {
	// Way is word, accents, compound, stem, synonym, beginning, typo or character.
	Way string `json:"way"`
	// Terms are what was looked for in that way.
	Terms []string `json:"terms"`
	// Articles is the number of articles that have the word so, and in no better way where the rung is a
	// looser one.
	Articles int `json:"articles"`
	// Weight is what each of them can gain at most.
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
	Score float32 `json:"score"`
	// Words are those that it has.
	Words []ExplainedMatch `json:"words"`
	// TitleFactor is what the score was multiplied by because the title begins with the query, or is the
	// query but for a typo; Boost by what the site says of the article and its language. 1 is
	// nothing. Near was added for words next to each other.
	TitleFactor float32 `json:"title_factor"`
	Boost       float32 `json:"boost"`
	Near        float32 `json:"near"`
}

// ExplainedMatch is a word of the query in an article.
type ExplainedMatch struct {
	Word string `json:"word"`
	// Scores are by way, and "title" for a word of the title.
	Scores map[string]float32 `json:"scores"`
	// Fields says how often the word is, in any form, in the title, the tags, the summary and the text.
	Fields map[string]int `json:"fields"`
}

// The ways to find a word.
const (
	wayWord      = "word"
	wayAccents   = "accents"
	wayCompound  = "compound"
	wayStem      = "stem"
	waySynonym   = "synonym"
	wayBeginning = "beginning"
	wayTypo      = "typo"
	wayCharacter = "character"
)

// trace notes what a finder does. A nil one notes nothing.
type trace struct {
	steps   []step
	titles  map[uint32]map[int]float32 // by document and clause
	factors map[uint32]float32         // what scores were multiplied by because of the title
	rungs   [taken]int
	reached Rung               // the last rung that was looked at
	before  map[uint32]float32 // scores without nearness
}

// step is one form of a clause that was counted.
type step struct {
	clause int
	way    string
	rung   Rung
	weight float32
	found  *postings
}

func newTrace() *trace {
	return &trace{titles: map[uint32]map[int]float32{}, factors: map[uint32]float32{}, before: map[uint32]float32{}}
}

func (t *trace) add(clause int, way string, r Rung, weight float32, p *postings) {
	if t != nil {
		t.steps = append(t.steps, step{clause, way, r, weight, p})
	}
}

func (t *trace) bonus(doc uint32, clause int, weight float32) {
	if t == nil {
		return
	}
	if t.titles[doc] == nil {
		t.titles[doc] = map[int]float32{}
	}
	t.titles[doc][clause] += weight
}

func (t *trace) begins(doc uint32, factor float32) {
	if t == nil {
		return
	}
	if before, ok := t.factors[doc]; ok {
		factor *= before
	}
	t.factors[doc] = factor
}

// took notes the documents of rungs, and that all rungs up to one were looked at.
func (t *trace) took(fresh []hit, up Rung) {
	if t == nil {
		return
	}
	for _, h := range fresh {
		t.rungs[h.rung]++
	}
	t.reached = up
}

func (t *trace) ranked(hits []hit) {
	if t == nil {
		return
	}
	for _, h := range hits {
		t.before[h.doc] = h.score
	}
}

// Explain searches as Search does, and says why.
func (x *Index) Explain(ctx context.Context, q Query) (e Explanation, err error) {
	err = x.view(func(s *snapshot) error {
		q.normalise()
		f := newFinder(ctx, s, q)
		f.trace = newTrace()
		found, total, err := f.find(q)
		if err != nil {
			return err
		}
		e = Explanation{
			Revision: s.revision, Total: total, Suggestion: f.suggestion(),
			Words: f.explainWords(), Phrases: textsOf(f.query.phrases), Without: textsOf(f.query.not), Rungs: []ExplainedRung{}, Articles: []ExplainedArticle{},
		}
		if f.need > 0 {
			for r, n := range f.trace.rungs[:f.trace.reached+1] {
				e.Rungs = append(e.Rungs, ExplainedRung{Rung(r).String(), n})
			}
		}
		for i, h := range found {
			one, err := f.explain(h)
			if err != nil {
				return err
			}
			one.Rank = q.Offset + i + 1
			e.Articles = append(e.Articles, one)
		}
		return nil
	})
	return e, err
}

// textsOf is each phrase as text.
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

// word is a clause as it was typed.
func (f *finder) word(i int) string {
	c := f.query.clauses[i]
	return f.query.text[c.start:c.end]
}

func (f *finder) explainWords() []ExplainedWord {
	all := []ExplainedWord{}
	for i, c := range f.query.clauses {
		w := ExplainedWord{Word: f.word(i), Optional: c.optional, Ways: []ExplainedWay{}}
		for _, s := range f.trace.steps {
			if s.clause == i {
				w.Ways = append(w.Ways, ExplainedWay{Way: s.way, Terms: f.terms(i, s.way), Articles: len(s.found.docs), Weight: s.weight})
			}
		}
		all = append(all, w)
	}
	return all
}

// terms are what clause i was looked for as.
func (f *finder) terms(i int, way string) []string {
	c := &f.query.clauses[i]
	terms := []string{}
	switch way {
	case wayAccents:
		terms = append(terms, c.accented)
	case wayCompound:
		terms = append(terms, c.whole)
	case wayStem:
		for _, one := range f.stems(c) {
			terms = append(terms, one.language+":"+one.text)
		}
	case waySynonym:
		for _, one := range f.said {
			if one.clause >= i {
				terms = append(terms, one.text)
			}
		}
	case wayBeginning:
		terms = append(terms, f.begins)
	case wayTypo:
		for _, one := range f.typos[i].forms {
			terms = append(terms, fmt.Sprintf("%s×%.1f", one.term, one.weight))
		}
	case wayCharacter:
		terms = strings.Split(c.folded, "")
	default:
		terms = append(terms, c.folded)
	}
	return terms
}

// explain says of one hit where its score comes from.
func (f *finder) explain(h hit) (ExplainedArticle, error) {
	s := f.snapshot
	got, err := f.stored(h.doc)
	if err != nil {
		return ExplainedArticle{}, err
	}
	meta, err := f.meta(h.doc)
	if err != nil {
		return ExplainedArticle{}, err
	}
	e := ExplainedArticle{
		ID: meta.ID, Title: meta.Title, Rung: h.rung.String(), Score: h.score, Words: []ExplainedMatch{},
		TitleFactor: 1, Boost: s.site.boosts[h.doc], Near: h.score - f.trace.before[h.doc],
	}
	if factor, ok := f.trace.factors[h.doc]; ok {
		e.TitleFactor = factor
	}
	fields := map[string]string{"title": meta.Title, "tags": strings.Join(meta.Tags, "\n"), "summary": meta.Summary, "text": got.text}
	m := f.marker()
	for i := range f.query.clauses {
		one := ExplainedMatch{Word: f.word(i), Scores: map[string]float32{}, Fields: map[string]int{}}
		for _, step := range f.trace.steps {
			if at, ok := slices.BinarySearch(step.found.docs, h.doc); ok && step.clause == i {
				one.Scores[step.way] += step.weight * step.found.impactOf(at, s.damping[h.doc])
			}
		}
		if bonus := f.trace.titles[h.doc][i]; bonus > 0 {
			one.Scores["title"] = bonus
		}
		for name, text := range fields {
			for _, mark := range m.marks(text) {
				if mark.clause == i {
					one.Fields[name]++
				}
			}
		}
		if len(one.Scores) > 0 {
			e.Words = append(e.Words, one)
		}
	}
	return e, nil
}

// impactOf is the part of BM25 that depends on one of the documents.
func (p *postings) impactOf(at int, damping float32) float32 {
	if p.impact != nil {
		return p.impact[at]
	}
	times := float32(p.times[at])
	return times / (times + damping)
}

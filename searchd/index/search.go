package index

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// Answer is the answer to a query, from one revision.
type Answer struct {
	// Body is the JSON of an article.SearchResult. It must not be changed.
	Body []byte
	// Total is the total in the body: how many articles match.
	Total int

	recycle func() // nil if the body is kept for other queries
}

// Recycle gives the memory of the body to later answers. The body must not be used any more.
func (a Answer) Recycle() {
	if a.recycle != nil {
		a.recycle()
	}
}

// Rung is a rung of the ladder, 0 being the highest. A document of a higher rung ranks first,
// whatever its score.
type Rung uint8

const (
	pinned    Rung = iota // the site pins it to the query, or the query is its address
	titled                // the title is the query
	strict                // all words, in some full form
	begun                 // all words, the last as the beginning of a word
	mistyped              // all words, some with a typo
	missing               // some words
	unphrased             // some words of a question, without its phrases
)

// String returns the name of the rung as in the package comment.
func (r Rung) String() string {
	return [...]string{"pinned", "title", "all words", "beginning", "typo", "some words", "some words, no phrase"}[r]
}

// Search answers a query from one revision. The error is that of ctx if ctx ended before the
// answer, and ErrDamaged if the files of the index are not what was written.
func (x *Index) Search(ctx context.Context, q Query) (a Answer, err error) {
	err = x.view(ctx, func(s view) {
		q.normalise()
		key := q.key()
		if kept, ok := s.answers.get(key); ok {
			a = kept
			return
		}
		o := s.search(q)
		body := x.bodies.Get().(*bytes.Buffer)
		o.body(q, body)
		o.close()
		a = Answer{Body: body.Bytes(), Total: o.total, recycle: func() { x.bodies.Put(body) }}
		if s.answers.wants(key, body.Len()) {
			kept := Answer{Body: bytes.Clone(a.Body), Total: a.Total}
			s.answers.put(key, kept, len(kept.Body))
		}
	})
	return a, err
}

// Ranked is an article that was found, and the rung on which it was.
type Ranked struct {
	ID   string
	Rung Rung
}

// Rank returns the articles of the answer of Search, in order, and how many match.
func (x *Index) Rank(ctx context.Context, q Query) (found []Ranked, total int, err error) {
	err = x.view(ctx, func(s view) {
		q.normalise()
		o := s.search(q)
		o.close()
		total = o.total
		for _, h := range o.hits {
			found = append(found, Ranked{s.id(h.doc), h.rung})
		}
	})
	return found, total, err
}

// outcome is the result of a query.
type outcome struct {
	*finder
	hits       []hit
	total      int
	suggestion string
	dropped    []phrase // no document has them; their words were searched instead
}

// search answers a query. If no article has its phrases, search answers the query with its typos
// corrected, if that finds something. Otherwise it searches the words of the phrases. What these
// find is the answer to a query that has other words, too; a query of phrases alone gets an empty
// answer with these words as suggestion. So does a query whose exclusions leave nothing.
func (s view) search(q Query) *outcome {
	exact := s.run(q)
	if other := s.inOtherLetters(q, exact); other != nil {
		return other
	}
	if exact.total > 0 || exact.slipped != nil {
		return s.meant(q, exact)
	}
	if len(exact.query.phrases) == 0 {
		return s.included(q, exact)
	}
	q.Text, q.unquoted = exact.query.unquoted(), true
	loose := s.run(q)
	if loose.total == 0 {
		loose.close()
		return exact
	}
	if q.Text = loose.query.corrected(exact.query.text, loose.typos); q.Text != "" {
		corrected := s.run(q)
		if corrected.total > 0 {
			corrected.suggestion = loose.suggested(exact.query.text, loose.typos)
			exact.close()
			loose.close()
			return corrected
		}
		corrected.close()
	}
	words := strings.Join(strings.Fields(cmp.Or(loose.suggestion, loose.query.text)), " ")
	if exact.query.spoken() {
		exact.close()
		loose.suggestion, loose.dropped = words, exact.query.phrases
		return loose
	}
	loose.close()
	exact.suggestion = words
	return exact
}

// included suggests a query that found nothing without its minus signs, if some article has all
// words then: whoever pastes "rm -rf" excludes nothing.
func (s view) included(q Query, exact *outcome) *outcome {
	if len(exact.query.not) == 0 {
		return exact
	}
	q.Text = exact.query.unexcluded()
	loose := s.run(q)
	if loose.complete && loose.suggestion == "" {
		exact.suggestion = q.Text
	}
	loose.close()
	return exact
}

// inOtherLetters answers a query without phrases and exclusions with its words in the other Kana,
// if some document has all words in that form and none has all as typed; and a query that finds
// nothing, or whose words another keyboard may not have split, as that gives it, if some document
// has all words then, as they are. Otherwise it returns nil.
func (s view) inOtherLetters(q Query, typed *outcome) *outcome {
	if typed.complete || len(typed.query.phrases)+len(typed.query.not) > 0 || slices.ContainsFunc(typed.query.clauses, func(c clause) bool { return c.quoted }) {
		return nil
	}
	texts := []string{analysis.OtherKana(q.Text)}
	if typed.total == 0 || analysis.MayBeSplit(q.Text) {
		for _, l := range s.langs {
			texts = append(texts, analysis.OtherLayout(q.Text, l.Code))
		}
	}
	for i, text := range texts {
		if text == "" {
			continue
		}
		q.Text, q.otherKana, q.guessed = text, i == 0, i > 0 // a typo on another keyboard is two guesses
		other := s.run(q)
		if other.complete && (!q.guessed || other.suggestion == "") {
			typed.close()
			other.suggestion = cmp.Or(other.suggestion, text)
			return other
		}
		other.close()
	}
	return nil
}

// meant answers a query in which slip found a typo with that typo corrected, if that finds
// something; any other query as typed.
func (s view) meant(q Query, typed *outcome) *outcome {
	if typed.slipped == nil {
		return typed
	}
	q.Text = typed.query.corrected(typed.query.text, typed.slipped)
	corrected := s.run(q)
	if corrected.total == 0 {
		corrected.close()
		return typed
	}
	corrected.suggestion = typed.suggested(typed.query.text, typed.slipped)
	typed.close()
	return corrected
}

// run answers a query as it is.
func (s view) run(q Query) *outcome {
	o := &outcome{finder: newFinder(s, q)}
	if s.explained {
		o.trace = &trace{scored: map[uint32]scored{}}
	}
	if o.hits, o.total = o.find(q); o.total > 0 {
		o.suggestion = o.suggested(o.query.text, o.typos)
	}
	return o
}

// body writes the answer.
func (o *outcome) body(q Query, body *bytes.Buffer) {
	body.Reset()
	head := got(article.Encode(article.SearchResult{
		Count: len(o.hits), Total: o.total, Limit: q.Limit, Revision: o.revision, Suggestion: o.suggestion, Articles: []article.Hit{},
	}))
	const tail = "]}\n"
	body.Write(bytes.TrimSuffix(head, []byte(tail)))
	m := o.marker()
	for i, h := range o.hits {
		must(o.ctx.Err())
		if i > 0 {
			body.WriteByte(',')
		}
		got := o.stored(h.doc)
		if !m.excerpt(got.text, m.marksOf(h.doc, got.text)) {
			summary := got.meta().Summary
			start, end := passage(summary, 0, 0)
			m.renderWithin(summary, start, end, m.marks(summary))
		}
		body.Write(got.hit)
		for _, more := range [...]struct{ key, value string }{{"excerpt", sharing(m.plain)}, {"excerpt_html", sharing(m.html)}, {"digest", got.digest}} {
			body.WriteString(`,"` + more.key + `":`)
			body.Write(article.AppendString(body.AvailableBuffer(), more.value))
		}
		body.WriteByte('}')
	}
	body.WriteString(tail)
}

// view calls do with a view of the current snapshot.
func (x *Index) view(ctx context.Context, do func(view)) error {
	s := x.acquire()
	defer x.release(s)
	if err := guard(func() { do(view{snapshot: s, ctx: ctx}) }); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}

// normalise gives queries that mean the same the same text.
func (q *Query) normalise() {
	q.Text = analysis.WithoutLetter(strings.Join(strings.Fields(narrow(q.Text)), " ")) // white space has no meaning
}

// key returns the same key for equal queries.
func (q Query) key() string {
	return fmt.Sprintf("%d %d %q %q %s", q.Limit, q.Offset, q.Tags, q.Languages, q.Text)
}

package index

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"newsstand/searchd/index/analysis"
)

// Answer is the answer of one revision.
type Answer struct {
	// Body is the JSON of an article.SearchResult. It must not be changed.
	Body []byte
	// Total is that of the body.
	Total int
}

// Rung is a rung of the ladder. A document of a lower one ranks first, whatever its score.
type Rung uint8

const (
	pinned   Rung = iota // the site says so
	titled               // the title is the query
	strict               // all words, in some form
	begun                // all words, the last as the beginning of one
	mistyped             // all words, some with a typo
	missing              // some words
)

// String names the rung as the package comment does.
func (r Rung) String() string {
	return [...]string{"pinned", "title", "all words", "beginning", "typo", "some words"}[r]
}

// Weights of the ways to find a word, and of a word in the title.
const (
	weightExact   = 0.35 // the word as it was typed, beside its stem
	weightAccent  = 0.3  // with the same accents, beside the form without
	weightStem    = 1.0
	weightWhole   = 1.0 // the compound
	weightSynonym = 0.6
	weightPrefix  = 0.6
	weightInTitle = 0.5
	weightChar    = 0.5 // one character of a pair of an unspaced script, beside the pair
	weightNear    = 0.5 // words of the query next to each other
	weightStarts  = 0.5 // share of its score that an article gains whose title begins with the query
	weightCovers  = 1.0 // share that one gains whose title has the words of the query, by the part of the title that they are
	weightEqual   = 1.0 // share that one gains whose title is the query, but for a typo
)

// Search answers a query from one revision. The error is that of ctx where it ended before,
// and ErrDamaged where the files of the index are not what was written.
func (x *Index) Search(ctx context.Context, q Query) (a Answer, err error) {
	err = x.view(func(s *snapshot) error {
		q.normalise()
		key := q.key()
		if kept, ok := s.answers.get(key); ok {
			a = kept
			return nil
		}
		o, err := s.search(ctx, q, false)
		if err != nil {
			return err
		}
		body, err := o.body(q)
		if err != nil {
			return err
		}
		o.close()
		a = Answer{Body: body, Total: o.total}
		s.answers.put(key, a, len(body))
		return nil
	})
	return a, err
}

// Ranked is an article that was found, and on which rung.
type Ranked struct {
	ID   string
	Rung Rung
}

// Rank returns the articles that Search answers, in their order, and how many match.
func (x *Index) Rank(ctx context.Context, q Query) (found []Ranked, total int, err error) {
	err = x.view(func(s *snapshot) error {
		q.normalise()
		o, err := s.search(ctx, q, false)
		if err != nil {
			return err
		}
		o.close()
		total = o.total
		for _, h := range o.hits {
			id, err := s.id(h.doc)
			if err != nil {
				return err
			}
			found = append(found, Ranked{id, h.rung})
		}
		return nil
	})
	return found, total, err
}

// outcome is what a query found.
type outcome struct {
	*finder
	hits       []hit
	total      int
	suggestion string
	dropped    []phrase // that no document has, whose words were searched
}

// search answers a query. Where no article has its phrases, it answers the query with the typos in them corrected,
// if some have those. Else the words of the phrases are searched, if that finds something: as the answer to a
// query that says more than its phrases, as a suggestion beside one that does not.
func (s *snapshot) search(ctx context.Context, q Query, explained bool) (*outcome, error) {
	exact, err := s.run(ctx, q, explained)
	if err != nil || exact.total > 0 || len(exact.query.phrases) == 0 {
		return exact, err
	}
	q.Text = exact.query.unquoted()
	loose, err := s.run(ctx, q, explained)
	if err != nil {
		return nil, err
	}
	if loose.total == 0 {
		loose.close()
		return exact, nil
	}
	if q.Text = loose.corrected(exact.query.text); q.Text != "" {
		corrected, err := s.run(ctx, q, explained)
		if err != nil {
			return nil, err
		}
		if corrected.total > 0 {
			corrected.suggestion, err = loose.suggested(exact.query.text)
			exact.close()
			loose.close()
			return corrected, err
		}
		corrected.close()
	}
	words := strings.Join(strings.Fields(cmp.Or(loose.suggestion, loose.query.text)), " ")
	if exact.query.spoken() {
		exact.close()
		loose.suggestion, loose.dropped = words, exact.query.phrases
		return loose, nil
	}
	loose.close()
	exact.suggestion = words
	return exact, nil
}

// run answers a query as it stands.
func (s *snapshot) run(ctx context.Context, q Query, explained bool) (o *outcome, err error) {
	o = &outcome{finder: newFinder(ctx, s, q)}
	if explained {
		o.trace = &trace{scored: map[uint32]scored{}}
	}
	if o.hits, o.total, err = o.find(q); err == nil && o.total > 0 {
		o.suggestion, err = o.suggested(o.query.text)
	}
	return o, err
}

// view calls do with the current snapshot.
func (x *Index) view(do func(*snapshot) error) error {
	s := x.acquire()
	defer x.release(s)
	if err := guard(func() error { return do(s) }); err != nil {
		return fmt.Errorf("search: %w", err)
	}
	return nil
}

// guard calls what reads mapped files and trusts them, in this goroutine.
func guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if v := recover(); v != nil {
			err = newCrash(v)
		}
	}()
	return do()
}

// crash is a panic of a search: over damaged files, or by a fault of this program.
type crash struct{ what, stack string }

// newCrash tells what the runtime says; other texts may hold words of the query.
func newCrash(v any) error {
	c := crash{fmt.Sprintf("%T", v), string(debug.Stack())}
	if err, ok := v.(runtime.Error); ok {
		c.what = err.Error()
	}
	return c
}

func (c crash) Error() string        { return ErrDamaged.Error() + ", or this program has a fault: " + c.what }
func (c crash) Is(target error) bool { return target == ErrDamaged }

// Stack says where it happened.
func (c crash) Stack() string { return c.stack }

// normalise gives queries that mean the same the same text.
func (q *Query) normalise() {
	q.Text = analysis.WithoutLetter(strings.Join(strings.Fields(narrow(q.Text)), " ")) // white space says nothing
}

// key is equal for equal queries.
func (q Query) key() string {
	return fmt.Sprintf("%d %d %q %q %s", q.Limit, q.Offset, q.Tags, q.Languages, q.Text)
}

// finder answers one query. Of each clause it keeps the set of documents that have it, in having, and what these gain by it,
// as steps; so it does with looser forms, as long as the ladder has too few documents without. The ladder matches documents
// by the sets, and only those that match are scored, step by step.
type finder struct {
	ctx       context.Context
	snapshot  *snapshot
	query     parsed
	want      int     // documents that are asked for, from the first
	need      int     // clauses that are not optional
	smoothing float32 // see smoothingOf
	scratch   *scratch
	steps     []step       // what counts, in its order
	having    []*bitmap    // by clause: the documents that have it in a form that was searched
	most      []int        // by clause: documents of its most frequent form
	traces    *bitmap      // documents that have a character of a pair
	begins    string       // the beginning of a word that was searched, "" where none was
	later     []string     // what the last syllable may go on to be, with the character before it, as far as articles have it
	typos     []correction // by clause, where typos were searched
	widened   int          // how often a looser form was searched
	said      []said       // synonyms that were searched, and words with a space more or less
	trace     *trace       // nil: nobody asked why
}

func newFinder(ctx context.Context, s *snapshot, q Query) *finder {
	f := &finder{ctx: ctx, snapshot: s, query: parse(q.Text), want: q.Offset + q.Limit, scratch: s.pool.get(s.docs)}
	f.query.merge(s.langs)
	return f
}

// close keeps the working memory for another search. It is not for one that failed, which may have left
// something there.
func (f *finder) close() { f.snapshot.pool.put(f.scratch, f.snapshot.processors) }

// step is one thing that counts for the score of a document, in the order in which it does.
type step struct {
	clause int
	way    string
	found  *postings // nil for a factor
	within *bitmap   // the documents for which it counts; nil: all of found
	count  int       // they
	weight float32   // what each gains at most, or what its score is multiplied by
}

// said is what says some clauses otherwise: those from the first to the last.
type said struct {
	text        string
	first, last int
	way         string
}

// find returns the best documents from the offset on, at most as many as are wanted, and how many match.
func (f *finder) find(q Query) (found []hit, total int, err error) {
	words := 0
	for _, c := range f.query.clauses {
		if c.optional {
			continue
		}
		if f.need++; !c.pair() {
			words++
		}
	}
	if f.need == 0 {
		return nil, 0, nil
	}
	f.smoothing = smoothingOf(words)
	s := f.snapshot
	f.most = make([]int, len(f.query.clauses))
	f.traces = f.scratch.set()
	for range f.query.clauses {
		f.having = append(f.having, f.scratch.set())
	}
	l := ladder{finder: f, taken: f.scratch.set(), pinned: s.site.pins[titleKey(f.query.text)]}
	for i := range f.query.clauses {
		if err := f.words(i); err != nil {
			return nil, 0, err
		}
	}
	if err := f.join(); err != nil {
		return nil, 0, err
	}
	if l.titled, err = f.titles(); err != nil {
		return nil, 0, err
	}
	if l.allowed, l.wording, err = f.filter(q, l.titled); err != nil {
		return nil, 0, err
	}
	if err := l.pins(); err != nil {
		return nil, 0, err
	}
	if err := l.take(strict); err != nil {
		return nil, 0, err
	}
	for _, next := range []struct {
		rung  Rung
		widen func() error
	}{{begun, f.prefix}, {mistyped, f.mistakes}, {missing, nil}} {
		if len(l.found) >= f.want {
			break
		}
		if next.widen != nil {
			if err := next.widen(); err != nil {
				return nil, 0, err
			}
		}
		if err := l.take(next.rung); err != nil {
			return nil, 0, err
		}
	}
	return l.found[min(q.Offset, len(l.found)):], l.total, nil
}

// A query of so many words is a question, not a name: each word says less, and what an article says
// often tells more. So the damping by its length grows with each further word, to twice its size:
// long queries want more smoothing (Zhai and Lafferty 2001, of language models).
const questionWords = 6

// smoothingOf is what the damping is multiplied by, for a query of so many words.
func smoothingOf(words int) float32 {
	return min(2, max(1, float32(words)/questionWords))
}

// damping is what BM25 weighs the times against that a word is in a document.
func (f *finder) damping(d uint32) float32 { return float32(f.smoothing * f.snapshot.damping[d]) }

// words counts the documents that have a clause in one of its full forms. An optional word
// is not even read: it says too little to change the order.
func (f *finder) words(i int) error {
	c := &f.query.clauses[i]
	if c.optional && !c.pair() {
		return nil
	}
	if isPair(c.folded) {
		return f.characters(i)
	}
	add := func(way string, weight float32, field, term string) error {
		p, err := f.snapshot.read(f.ctx, field, term)
		if err == nil {
			f.add(i, way, weight, p)
		}
		return err
	}
	if c.whole != "" {
		if err := add(wayCompound, weightWhole/f.parts(c.whole), fieldWords, c.whole); err != nil {
			return err
		}
	}
	var accents, stemmed, beside, weight float32 = weightAccent, weightStem, weightExact, weightExact + weightStem
	if c.accented != "" {
		p, err := f.snapshot.read(f.ctx, fieldWords, c.accented)
		if err != nil {
			return err
		}
		if p.found > 0 && f.foreign(c) {
			accents, stemmed, beside, weight = weightStem, weightExact, 0, weightExact
		}
		f.add(i, wayAccents, accents, p)
	}
	if stems := f.stems(c); len(stems) > 0 {
		weight = beside
		p, err := f.snapshot.stem(f.ctx, stems)
		if err != nil {
			return err
		}
		f.add(i, wayStem, stemmed, p)
	}
	if err := add(wayWord, weight, fieldWords, c.folded); err != nil {
		return err
	}
	if err := f.unit(i); err != nil {
		return err
	}
	return f.synonyms(i)
}

// foreign reports whether the accents of a word may tell it from others: no language of the site stems it but
// English, which writes none. In Vietnamese a word without them is a dozen words, so the one as typed stands for it.
func (f *finder) foreign(c *clause) bool {
	return !slices.ContainsFunc(f.snapshot.langs, func(l *analysis.Language) bool {
		return l.Stemmed() && l.OfScript([]byte(c.lowered)).Code != "en"
	})
}

// stems returns the stems of a clause in the languages of the site.
func (f *finder) stems(c *clause) (stems []stem) {
	if !c.stems {
		return nil
	}
	if all := analysis.Versions(c.lowered); len(all) > 0 {
		return []stem{{inAll, all[len(all)-1]}}
	}
	for _, l := range f.snapshot.langs {
		if text := l.Stem([]byte(c.lowered)); text != "" {
			stems = append(stems, stem{l.Code, text})
		}
	}
	return stems
}

// add counts the documents of one form of a clause.
func (f *finder) add(i int, way string, weight float32, p *postings) {
	if p.found > 0 {
		p.addTo(f.having[i])
		f.most[i] = max(f.most[i], p.found)
		f.steps = append(f.steps, step{clause: i, way: way, found: p, count: p.found, weight: f.weight(i, weight, p.found)})
	}
}

// widen counts the documents of a looser form of a clause; it is nothing to those that
// have a better one.
func (f *finder) widen(i int, way string, weight float32, p *postings) {
	if p.found == 0 {
		return
	}
	f.widened++
	if rest := f.without(p, f.having[i]); rest != nil {
		n := rest.count()
		f.having[i].or(rest)
		f.most[i] = max(f.most[i], n)
		f.steps = append(f.steps, step{clause: i, way: way, found: p, within: rest, count: n, weight: f.weight(i, weight, n)})
	}
}

// weight is that of a form of a clause that so many documents have. A word counts as often as it is in the query.
func (f *finder) weight(i int, weight float32, found int) float32 {
	return float32(1+len(f.query.clauses[i].again)) * weight * f.snapshot.idf(found)
}

// fewWords is the longest query of which each word in a title counts in full. Of the twenty words of a question
// every title has some.
const fewWords = 2

// inTitle is the weight of a word of the query in the title.
func (f *finder) inTitle() float32 {
	share := min(1, float32(fewWords)/float32(f.need))
	return weightInTitle * share * share
}

// multiply notes by what the scores of documents, if there are any, are multiplied.
func (f *finder) multiply(docs *bitmap, factor float32) {
	if n := docs.count(); n > 0 {
		f.steps = append(f.steps, step{way: wayTitle, within: docs, count: n, weight: factor})
	}
}

// touched returns the documents that have something of the query.
func (f *finder) touched() *bitmap {
	all := f.scratch.set()
	all.or(f.traces)
	for _, having := range f.having {
		all.or(having)
	}
	return all
}

// parts is the number of clauses that a compound became, but for optional ones.
func (f *finder) parts(whole string) float32 {
	n := float32(0)
	for _, c := range f.query.clauses {
		if c.whole == whole && !c.optional {
			n++
		}
	}
	return n
}

// titles adds what a word in the title is worth, and returns the documents whose title
// is the query.
func (f *finder) titles() (equal *bitmap, err error) {
	s := f.snapshot
	touched := f.touched()
	for i, c := range f.query.clauses {
		if c.optional {
			continue
		}
		p, err := s.read(f.ctx, fieldTitle, titleWord(c.folded))
		if err != nil {
			return nil, err
		}
		// A part of a compound in the title, as the "s" of "Bob's", may be no word of the article.
		f.steps = append(f.steps, step{clause: i, way: wayTitle, found: p, within: touched, count: p.found, weight: f.weight(i, f.inTitle(), p.found)})
	}
	if err := f.joinedInTitles(touched); err != nil {
		return nil, err
	}
	if equal, err = f.wholeTitles(); err != nil {
		return nil, err
	}
	return equal, f.joinedTitles()
}

// wholeTitles returns the documents whose title is the query, and adds what it is worth that one has all of its words, or begins with it.
func (f *finder) wholeTitles() (equal *bitmap, err error) {
	s := f.snapshot
	equal = f.scratch.set()
	key := titleKey(f.query.text)
	if key == "" || len(key) >= maxTitleBytes {
		return equal, nil
	}
	if err := s.collect(f.ctx, equal, fieldTitle, key); err != nil {
		return nil, err
	}
	if may, err := f.covers(strings.Count(key, " ") + 1); err != nil || !may {
		return equal, err
	}
	longer := f.scratch.set()
	if err := f.addTitlesBeginning(key, longer); err != nil {
		return nil, err
	}
	f.multiply(longer, 1+weightStarts)
	return equal, nil
}

// addTitlesBeginning adds the documents whose title goes on after the words of a key.
func (f *finder) addTitlesBeginning(key string, into *bitmap) error {
	titles, err := f.snapshot.terms(f.ctx, fieldTitle, key+" ", maxTitles)
	if err != nil {
		return err
	}
	return f.snapshot.collect(f.ctx, into, fieldTitle, titles...)
}

// covers adds what a title is worth that has all words of the query, of which there are so many, in some
// form, and reports whether one may begin with the query: none does where none has its words, but scripts
// without spaces, whose titles are one word.
func (f *finder) covers(words int) (may bool, err error) {
	covering, spaced := f.scratch.set(), true
	covering.fill()
	for i := range f.query.clauses {
		c := &f.query.clauses[i]
		if c.optional {
			continue
		}
		spaced = spaced && !c.pair() && !c.single
		having := f.scratch.set()
		terms := []string{titleWord(c.folded)}
		for _, one := range f.stems(c) {
			terms = append(terms, titleStem(one))
		}
		if err := f.snapshot.collect(f.ctx, having, fieldTitle, terms...); err != nil {
			return false, err
		}
		if covering.and(having); covering.empty() {
			return !spaced, nil
		}
	}
	for n := 1; n <= maxTitleWords; n++ {
		long := f.scratch.set()
		if err := f.snapshot.collect(f.ctx, long, fieldTitle, titleLength(n)); err != nil {
			return false, err
		}
		long.and(covering)
		f.multiply(long, 1+weightCovers*float32(min(words, n))/float32(n))
	}
	return true, nil
}

// maxTitles bounds the titles that are looked at because they begin with the query;
// where more do, the beginning says little.
const maxTitles = 200

// filter returns the documents that may be found: those with the words of each phrase, without
// the words that are excluded, with one of the tags and one of the languages. Nil is all of them. What only their
// texts can tell is in the second result. Titled are the documents whose title has the words of the query.
func (f *finder) filter(q Query, titled *bitmap) (allowed *bitmap, w wording, err error) {
	s := f.snapshot
	keep := func(b *bitmap) {
		if allowed == nil {
			allowed = b
		} else {
			allowed.and(b)
		}
	}
	if len(q.Tags) > 0 {
		any := f.scratch.set()
		for _, tag := range q.Tags {
			if err := s.collect(f.ctx, any, fieldFacets, tagTerm(tag)); err != nil {
				return nil, w, err
			}
		}
		keep(any)
	}
	if len(q.Languages) > 0 {
		any := f.scratch.set()
		for _, tag := range q.Languages {
			docs, err := s.inLanguage(f.ctx, tag)
			if err != nil {
				return nil, w, err
			}
			any.or(docs)
		}
		keep(any)
	}
	for _, p := range f.query.phrases {
		may := f.scratch.set()
		m, err := s.withWords(f.ctx, p, may)
		if err != nil {
			return nil, w, err
		}
		if keep(may); m != nil {
			w.phrases = append(w.phrases, m)
		}
	}
	for _, p := range f.query.not {
		may := f.scratch.set()
		m, err := s.withWords(f.ctx, p, may)
		if err != nil {
			return nil, w, err
		}
		if m != nil {
			w.not = append(w.not, unwanted{may, m})
			continue
		}
		if err := f.exceptTitled(may, titled); err != nil {
			return nil, w, err
		}
		if allowed == nil {
			allowed = f.scratch.set()
			allowed.fill()
		}
		allowed.remove(may)
	}
	return allowed, w, nil
}

// exceptTitled takes out the documents whose title is the query to the letter: who pastes
// "Stabilizing -Znext-solver" excludes nothing. Any number may have that title but for the minus.
func (f *finder) exceptTitled(docs, titled *bitmap) error {
	both := f.scratch.set()
	both.or(docs)
	both.and(titled)
	if err := leave(f.ctx, f.snapshot.processors, both, f.entitled); err != nil {
		return err
	}
	docs.remove(both)
	return nil
}

// entitled reports whether the title of a document is the query, sign for sign.
func (f *finder) entitled(d uint32) (bool, error) {
	got, err := f.snapshot.stored(d, anew)
	if err != nil {
		return false, err
	}
	meta, err := got.meta()
	spelled := func(text string) string {
		return string(analysis.Fold(analysis.Lower(strings.Join(strings.Fields(text), " "), nil), nil))
	}
	return err == nil && spelled(meta.Title) == spelled(f.query.text), err
}

// wording is what the texts of documents decide.
type wording struct {
	phrases []*matcher // that they must have
	not     []unwanted // that they must not have
}

// unwanted is a phrase that is excluded, and the documents with its words.
type unwanted struct {
	may    *bitmap
	phrase *matcher
}

// refuse takes out the documents whose texts do not have the phrases of the query, or one that is excluded.
func (l *ladder) refuse(candidates *bitmap) error {
	if len(l.wording.phrases)+len(l.wording.not) == 0 {
		return nil
	}
	return leave(l.finder.ctx, l.finder.snapshot.processors, candidates, l.may)
}

// leave takes out of a set the documents that may not stay: on so many processors, for a phrase of frequent words may be
// in tens of thousands.
func leave(ctx context.Context, processors int, docs *bitmap, may func(d uint32) (bool, error)) error {
	const size = 64 // words of the set, 4,096 documents: enough to be worth a goroutine
	var all errgroup.Group
	all.SetLimit(processors)
	for from := 0; from < len(docs.words); from += size {
		part := bitmap{docs.words[from:min(from+size, len(docs.words))]}
		if part.empty() {
			continue
		}
		all.Go(func() error {
			return guard(func() error {
				for d := range part.all() {
					if err := ctx.Err(); err != nil { // a text may be long
						return err
					}
					stays, err := may(uint32(64*from) + d)
					if err != nil {
						return err
					}
					if !stays {
						part.removeDocs([]uint32{d})
					}
				}
				return nil
			})
		})
	}
	return all.Wait()
}

// may reports whether the text of a document lets it be found.
func (l *ladder) may(d uint32) (bool, error) {
	s := l.finder.snapshot
	for _, p := range l.wording.phrases {
		if has, err := s.have(d, p); err != nil || !has {
			return false, err
		}
	}
	for _, u := range l.wording.not {
		if !u.may.has(d) {
			continue
		}
		if has, err := s.have(d, u.phrase); err != nil {
			return false, err
		} else if !has {
			continue
		}
		if !l.titled.has(d) {
			return false, nil
		}
		return l.finder.entitled(d)
	}
	return true, nil
}

// maxVariants bounds the variants of a language (en-GB is one of en) that are looked up.
const maxVariants = 1000

// ladder collects documents rung by rung.
type ladder struct {
	finder  *finder
	allowed *bitmap // nil: all
	titled  *bitmap
	pinned  []uint32
	wording wording
	taken   *bitmap // found already, or refused
	found   []hit
	total   int
}

// pins takes what the site has pinned to the query.
func (l *ladder) pins() error {
	f := l.finder
	candidates := f.scratch.set()
	candidates.addDocs(l.pinned)
	if err := l.admit(candidates); err != nil {
		return err
	}
	for _, d := range l.pinned {
		if !candidates.has(d) {
			continue
		}
		if len(l.found) < f.want {
			l.found = append(l.found, hit{doc: d, rung: pinned})
		}
		l.total++
		f.trace.took(1, pinned)
	}
	return nil
}

// admit leaves those of the candidates that may be found and were not yet.
func (l *ladder) admit(candidates *bitmap) error {
	candidates.remove(l.taken)
	candidates.remove(l.finder.snapshot.site.excluded)
	if l.allowed != nil {
		candidates.and(l.allowed)
	}
	l.taken.or(candidates)
	return l.refuse(candidates)
}

// take adds the documents up to a rung that were not taken yet, the best first.
func (l *ladder) take(up Rung) error {
	f := l.finder
	candidates := f.matching(up)
	if err := l.admit(candidates); err != nil {
		return err
	}
	room := f.want - len(l.found)
	window := max(0, nearWindow-len(l.found))
	n := max(window, room)
	f.score(candidates)
	var fresh []hit
	count := func(docs *bitmap, r Rung) {
		found := docs.count()
		l.total += found
		f.trace.took(found, r)
		fresh = append(fresh, f.scratch.top(docs, r, n, f.snapshot.site.boosts)...)
	}
	if up == strict {
		equal := f.scratch.set()
		equal.or(candidates)
		equal.and(l.titled)
		candidates.remove(equal)
		count(equal, titled)
	}
	count(candidates, up)
	best, err := f.snapshot.best(f.ctx, fresh, n)
	if err != nil {
		return err
	}
	f.trace.ranked(best, len(f.steps))
	if err := f.near(best[:min(len(best), window)]); err != nil {
		return err
	}
	l.found = append(l.found, best[:min(len(best), room)]...)
	return f.ctx.Err()
}

// matching returns the documents with all clauses that are not optional, or, on the last rung, with one.
func (f *finder) matching(up Rung) *bitmap {
	docs := f.scratch.set()
	if up != missing {
		docs.fill()
	}
	for i, having := range f.having {
		switch {
		case f.query.clauses[i].optional:
		case up == missing:
			docs.or(having)
		default:
			docs.and(having)
		}
	}
	return docs
}

// score adds up what counts for the candidates.
func (f *finder) score(candidates *bitmap) {
	scores, damping := f.scratch.scores, f.snapshot.damping
	within := f.scratch.set()
	for _, s := range f.steps {
		some := candidates
		if s.within != nil {
			copy(within.words, candidates.words)
			within.and(s.within)
			some = within
		}
		if s.found != nil {
			s.found.weigh(scores, damping, f.smoothing, s.weight, some)
			continue
		}
		for d := range some.all() {
			scores[d] *= s.weight
		}
	}
}

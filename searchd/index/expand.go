package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	segment "github.com/blevesearch/scorch_segment_api/v2"

	"newsstand/builder/article"
)

// terms returns the terms of a field with a prefix that are wanted, at most n, in their order. Those of articles that are
// gone stay in the files for a while; they must not take the place of others. The engine would begin a goroutine for
// each segment.
func (s *snapshot) terms(ctx context.Context, field, prefix string, n int, wanted func(term string) bool) (terms []string, err error) {
	i := 0
	for e, err := range entries(s.layouts, field, []byte(prefix), []byte(prefix+"\xFF")) { // no term has this byte
		if err != nil {
			return nil, err
		}
		if i++; i&0xFF == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		term := string(e.term)
		if !wanted(term) {
			continue
		}
		if lives, err := s.lives(ctx, field, term); err != nil {
			return nil, err
		} else if lives {
			terms = append(terms, term)
		}
		if len(terms) >= n {
			break
		}
	}
	return terms, nil
}

// every wants all terms.
func every(string) bool { return true }

// lives reports whether some article has a term, and not only one that is gone.
func (s *snapshot) lives(ctx context.Context, field, term string) (bool, error) {
	if !s.deletions {
		return true, nil
	}
	p, err := s.read(ctx, field, term)
	return err == nil && p.found > 0, err
}

// maxPrefixTerms bounds the words that a prefix of four letters or more stands for.
const maxPrefixTerms = 5000

// begin returns the documents with a word that begins so, and in each the weight of
// the word that weighs most.
func (f *finder) begin(prefix string) (*postings, error) {
	s := f.snapshot
	if n := runes(prefix); n <= maxBegins {
		return s.read(f.ctx, fieldBegins, prefix)
	}
	key := fmt.Sprint("b*", f.smoothing, " ", prefix) // no field of the index begins so
	if p, ok := s.postings.get(key); ok {
		return p, nil
	}
	terms, err := s.terms(f.ctx, fieldWords, prefix, maxPrefixTerms, every)
	if err != nil {
		return nil, err
	}
	forms := make([]weighted, len(terms))
	for i, t := range terms {
		forms[i] = weighted{t, 1}
	}
	p, err := f.union(forms)
	if err == nil {
		s.postings.put(key, p, p.bytes())
	}
	return p, err
}

// weighted is a term and what finding it is worth, from 0 to 1.
type weighted struct {
	term   string
	weight float32
}

// union returns the documents with any of the terms, each with the best impact.
func (f *finder) union(terms []weighted) (*postings, error) {
	if len(terms) == 1 && terms[0].weight == 1 {
		return f.snapshot.read(f.ctx, fieldWords, terms[0].term)
	}
	forms := make([]weighed, len(terms))
	for i, t := range terms {
		p, err := f.snapshot.read(f.ctx, fieldWords, t.term)
		if err != nil {
			return nil, err
		}
		forms[i] = weighed{p, t.weight}
	}
	return f.strongest(forms...), nil
}

// weighed is postings and what their impact is worth, from 0 to 1.
type weighed struct {
	*postings
	weight float32
}

// strongest returns the documents of all, each with its best impact.
func (f *finder) strongest(all ...weighed) *postings {
	best := make([]float32, f.snapshot.docs)
	set := newBitmap(f.snapshot.docs)
	for _, one := range all {
		one.addTo(set)
		for at, d := range one.all() {
			best[d] = max(best[d], one.weight*one.impactOf(at, f.damping(d)))
		}
	}
	return newImpacts(set, best)
}

// either returns the documents of both postings, each with the better impact; that of the second is
// worth less.
func (f *finder) either(a, b *postings, weight float32) *postings {
	if b.found == 0 {
		return a
	}
	return f.strongest(weighed{a, 1}, weighed{b, weight})
}

// prefix widens the last clause to the words that begin with it.
func (f *finder) prefix() error {
	i := len(f.query.clauses) - 1
	c := &f.query.clauses[i]
	if !f.query.typing || c.optional || runes(c.folded) < minPrefixRunes {
		return nil
	}
	p, err := f.begin(c.folded)
	if err != nil {
		return err
	}
	f.begins = c.folded
	f.widen(i, wayBeginning, weightPrefix, p)
	return nil
}

// A word of this many letters may have one edit, or two. Shorter ones are too close to
// other words. The word is the longer of what was typed and what was meant.
const (
	oneEditRunes  = 5
	twoEditsRunes = 9
)

// rareArticles is the number of articles above which a word is taken as meant, if they have it
// as it was typed: so many authors do not mistype it alike. Those with its stem do not
// count, because a stemmer makes a stem of any slip.
const rareArticles = 3

// What a word is worth that was found by an edit; where the first letter differs, it
// is worth less, because people seldom miss that.
const (
	weightOneEdit     = 0.7
	weightTwoEdits    = 0.5
	weightFirstLetter = 0.7
	weightInflected   = 0.5 // another form of the word that was meant
)

// maxTypoTerms bounds the words that one word may have been meant to be.
const maxTypoTerms = 50

// correction is what a clause may have been meant to be.
type correction struct {
	forms []weighted // best first
	stems []stem     // of the best
	found int        // articles that have the clause in a full form
}

// mistakes widens each rare clause to words that are one or two edits away, and to other
// inflections of the one that was meant most likely.
func (f *finder) mistakes() error {
	s := f.snapshot
	f.typos = make([]correction, len(f.query.clauses))
	for i, c := range f.query.clauses {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		if !c.stems || c.optional || len(c.folded) > maxTermBytes || runes(c.folded) < oneEditRunes-1 {
			continue
		}
		t := correction{found: f.having[i].count()}
		typed, err := s.read(f.ctx, fieldWords, c.folded)
		if err != nil {
			return err
		}
		if typed.found > rareArticles {
			continue
		}
		if t.forms, err = s.similar(f.ctx, c.folded); err != nil {
			return err
		}
		if len(t.forms) == 0 {
			continue
		}
		best := t.forms[0]
		t.stems = f.stems(&clause{lowered: best.term, stems: true})
		f.typos[i] = t
		p, err := f.union(t.forms)
		if err != nil {
			return err
		}
		inflected, err := s.stem(f.ctx, t.stems)
		if err != nil {
			return err
		}
		f.widen(i, wayTypo, weightExact+weightStem, f.either(p, inflected, weightInflected*best.weight))
	}
	return f.correctTitles()
}

// maxTitleForms is the number of words that one may have been meant to be that are looked up
// in titles.
const maxTitleForms = 3

// correctTitles adds what titles are worth that have a word as it was meant, or are the query as it
// was meant.
func (f *finder) correctTitles() error {
	s := f.snapshot
	equal, starting, touched := f.scratch.set(), f.scratch.set(), f.touched()
	for i, t := range f.typos {
		if err := f.ctx.Err(); err != nil {
			return err
		}
		if len(t.forms) == 0 {
			continue
		}
		typed, err := s.read(f.ctx, fieldTitle, titleWord(f.query.clauses[i].folded))
		if err != nil {
			return err
		}
		rest := f.scratch.set() // without those that were counted already
		rest.or(touched)
		rest.remove(typed.in(f.scratch))
		for n, form := range t.forms[:min(len(t.forms), maxTitleForms)] {
			p, err := s.read(f.ctx, fieldTitle, titleWord(form.term))
			if err != nil {
				return err
			}
			within := f.scratch.set()
			within.or(rest)
			f.steps = append(f.steps, step{clause: i, way: wayTitle, found: p, within: within, count: p.found, weight: f.weight(i, f.inTitle()*form.weight, p.found)})
			rest.remove(p.in(f.scratch))
			key := titleKey(f.correct(f.query.text, i, form.term))
			if err := s.collect(f.ctx, equal, fieldTitle, key); err != nil {
				return err
			}
			if n > 0 {
				continue
			}
			if err := f.addTitlesBeginning(key, starting); err != nil {
				return err
			}
		}
	}
	starting.remove(equal)
	f.multiply(equal, 1+weightEqual)
	f.multiply(starting, 1+weightStarts)
	return nil
}

// correct is the text of the query with another word for clause i, and with the nearest words for those that
// no article has.
func (f *finder) correct(text string, i int, word string) string {
	type change struct {
		span
		to string
	}
	var changes []change
	for j, t := range f.typos {
		meant := word
		if j != i {
			if t.found > 0 || len(t.forms) == 0 {
				continue
			}
			meant = t.forms[0].term
		}
		c := f.query.clauses[j]
		changes = append(changes, change{c.span, meant})
		for _, again := range c.again {
			changes = append(changes, change{again, meant})
		}
	}
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.start, b.start) })
	var b strings.Builder
	at := 0
	for _, c := range changes {
		b.WriteString(text[at:c.start])
		b.WriteString(c.to)
		at = c.end
	}
	b.WriteString(text[at:])
	return b.String()
}

// similar returns the words that a word may have been meant to be: the nearest and most frequent first. A
// transposition is one edit. Of a long word those two edits away are among them only where all that are one edit
// away are rare: to walk to them takes ten times as long, and they are seldom meant.
func (s *snapshot) similar(ctx context.Context, word string) (similar []weighted, err error) {
	all, err := s.awayAtMost(ctx, word, 1)
	if err != nil {
		return nil, err
	}
	frequent := func(c candidate) bool { return c.found > rareArticles }
	if runes(word) >= twoEditsRunes-1 && !slices.ContainsFunc(all, frequent) {
		if all, err = s.awayAtMost(ctx, word, 2); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.found, a.found), cmp.Compare(a.term, b.term))
	})
	for _, c := range all[:min(len(all), maxTypoTerms)] {
		similar = append(similar, c.weighted)
	}
	return similar, nil
}

// candidate is a word that one may have been meant to be, and how many articles have it.
type candidate struct {
	weighted
	found int
}

// awayAtMost returns the words that a word may have been meant to be, so many edits away at most.
func (s *snapshot) awayAtMost(ctx context.Context, word string, edits int) (all []candidate, err error) {
	terms, distance, err := s.around(ctx, word, edits)
	if err != nil {
		return nil, err
	}
	n := runes(word)
	first, _ := utf8.DecodeRuneInString(word)
	figures := digitsOf(word)
	for _, t := range terms {
		longer := max(n, runes(t))
		if t == word || longer < oneEditRunes || digitsOf(t) != figures { // 2.1 is not meant to be 2.2
			continue
		}
		weight := float32(weightOneEdit)
		if distance(t) > 1 {
			if weight = weightTwoEdits; longer < twoEditsRunes {
				continue
			}
		}
		if r, _ := utf8.DecodeRuneInString(t); r != first {
			weight *= weightFirstLetter
		}
		p, err := s.read(ctx, fieldWords, t)
		if err != nil {
			return nil, err
		}
		all = append(all, candidate{weighted{t, weight}, p.found})
	}
	return all, nil
}

// digitsOf are the digits of a word, in their order.
func digitsOf(word string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, word)
}

// around returns the words at most so many edits away from a word, and a function that tells
// how many.
func (s *snapshot) around(ctx context.Context, word string, edits int) (terms []string, distance func(string) int, err error) {
	if len(word) > maxAutomatonBytes && runes(word) < len(word) {
		return s.aroundLong(ctx, word, edits)
	}
	_, automaton, err := s.reader.FieldDictFuzzyAutomaton("", word, edits, "") // there is no such field: nothing is looked at yet
	if err != nil {
		return nil, nil, err
	}
	states, ok := automaton.(segment.Automaton)
	if !ok {
		return nil, nil, fmt.Errorf("look for words like another: the engine gave %T", automaton)
	}
	walk := &typoAutomaton{Automaton: states, ctx: ctx, figures: digitsOf(word) != ""}
	for _, part := range s.reader.Segments() {
		dict, err := part.Segment().Dictionary(fieldWords)
		if err != nil {
			return nil, nil, err
		}
		found := dict.AutomatonIterator(walk, nil, nil)
		for entry, err := found.Next(); entry != nil || err != nil; entry, err = found.Next() {
			if err != nil {
				return nil, nil, err
			}
			if lives, err := s.lives(ctx, fieldWords, entry.Term); err != nil {
				return nil, nil, err
			} else if lives {
				terms = append(terms, entry.Term)
			}
		}
		if walk.over {
			return nil, nil, ctx.Err()
		}
	}
	slices.Sort(terms) // a word may be in several segments
	terms = slices.Compact(terms)
	distance = func(term string) int {
		if ok, n := automaton.MatchAndDistance(term); ok {
			return int(n)
		}
		return edits
	}
	return terms, distance, nil
}

// typoAutomaton leads nowhere where no word can be meant: not to digits for a word that has none, nor to pairs of
// characters, of which a site in Chinese has more than words. It leads nowhere any more when the time is over: the
// engine walks through all words that may begin like one, which are many, before it gives the first.
type typoAutomaton struct {
	segment.Automaton
	ctx     context.Context
	figures bool // whether the word has digits
	steps   int
	over    bool
}

// nowhere is the state from which no word is reached.
const nowhere = -1

func (a *typoAutomaton) Accept(state int, b byte) int {
	if a.steps++; a.steps&0xFF == 0 && a.ctx.Err() != nil {
		a.over = true
	}
	if !a.figures && asciiDigit(b) || state == a.Start() && beginsPair(b) {
		return nowhere
	}
	return a.Automaton.Accept(state, b)
}

func (a *typoAutomaton) CanMatch(state int) bool {
	return !a.over && state != nowhere && a.Automaton.CanMatch(state)
}

// beginsPair reports whether a byte begins characters of Kana, Han and Hangul, and no letters of words.
func beginsPair(b byte) bool { return 0xE3 <= b && b <= 0xED && b != 0xEA }

// maxSimilarTerms is more than the words of any site that are so much alike.
const maxSimilarTerms = 1 << 20

// maxAutomatonBytes is the longest word for which the engine's automaton is right: in a
// longer one it cuts characters of several bytes into two (vellum 1.2.1, alphabet.go).
const maxAutomatonBytes = 32

// aroundLong is around for a long word in a script of several bytes a letter: it looks at all
// words with one of its first two letters in front.
func (s *snapshot) aroundLong(ctx context.Context, word string, edits int) (terms []string, distance func(string) int, err error) {
	letters := []rune(word)
	near := func(term string) bool {
		n := runes(term)
		return n >= len(letters)-edits && n <= len(letters)+edits && editDistance(letters, []rune(term)) <= edits
	}
	for _, first := range slices.Compact(slices.Clone(letters[:2])) {
		more, err := s.terms(ctx, fieldWords, string(first), maxSimilarTerms, near)
		if err != nil {
			return nil, nil, err
		}
		terms = append(terms, more...)
	}
	return terms, func(term string) int { return editDistance(letters, []rune(term)) }, nil
}

// editDistance counts the letters to put in, leave out, replace or swap with their neighbour
// to come from a to b.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}

// corrected is the text of the query with the words that no article has replaced by the nearest that some have; ""
// where nothing was replaced.
func (f *finder) corrected(text string) string {
	for i, t := range f.typos {
		if t.found == 0 && len(t.forms) > 0 {
			return f.correct(text, i, t.forms[0].term)
		}
	}
	return ""
}

// site is what the site says about search, with documents for ids.
type site struct {
	boosts   []float32           // by document; what its scores are multiplied by
	pins     map[string][]uint32 // by title key of the query, in the order of ids
	excluded *bitmap
	synonyms map[string][]string // by title key of what is asked for
}

// weightMainLanguage is what an article in the language of the site gains: of pages in
// thirteen languages, all named "Service Mesh", more people want that one.
const weightMainLanguage = 1.1

// inLanguage returns the documents in a language or one of its variants (en-GB is one of en).
func (s *snapshot) inLanguage(ctx context.Context, tag string) (*bitmap, error) {
	term := languageTerm(tag)
	variants, err := s.terms(ctx, fieldFacets, term+"-", maxVariants, every)
	if err != nil {
		return nil, err
	}
	docs := newBitmap(s.docs)
	return docs, s.collect(ctx, docs, fieldFacets, append(variants, term)...)
}

// settle reads the settings. Ids without an article say nothing.
func (s *snapshot) settle(published article.SearchSettings) error {
	boosts := slices.Repeat([]float32{1}, s.docs)
	docs, err := s.inLanguage(context.Background(), published.Language)
	if err != nil {
		return err
	}
	for d := range docs.all() {
		boosts[d] = weightMainLanguage
	}
	s.site = site{boosts, map[string][]uint32{}, newBitmap(s.docs), map[string][]string{}}
	for _, a := range published.Articles {
		doc, ok, err := s.find(a.ID)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if a.Boost > 0 {
			s.site.boosts[doc] *= float32(a.Boost)
		}
		if a.Exclude {
			s.site.excluded.add(doc)
		}
		for _, q := range a.Pin {
			key := titleKey(q)
			if pinned := s.site.pins[key]; !slices.Contains(pinned, doc) { // "Swap" and "swap" are one query
				s.site.pins[key] = append(pinned, doc)
			}
		}
	}
	for _, group := range published.Synonyms {
		for _, from := range group.From {
			key := titleKey(from)
			for _, to := range group.To {
				if other := titleKey(to); other != key && !slices.Contains(s.site.synonyms[key], other) {
					s.site.synonyms[key] = append(s.site.synonyms[key], other)
				}
			}
		}
	}
	return nil
}

// synonyms counts the documents that say clause i otherwise. A phrase of the query that
// has a synonym stands at its last word.
func (f *finder) synonyms(i int) error {
	if len(f.snapshot.site.synonyms) == 0 || f.query.clauses[i].quoted {
		return nil
	}
	for first := max(0, i-maxSynonymWords+1); first <= i; first++ {
		var words []string
		for _, c := range f.query.clauses[first : i+1] {
			words = append(words, c.folded)
		}
		for _, other := range f.snapshot.site.synonyms[strings.Join(words, " ")] {
			p, err := f.snapshot.say(f.ctx, other)
			if err != nil {
				return err
			}
			for clause := first; clause <= i; clause++ {
				f.widen(clause, waySynonym, weightSynonym/float32(i-first+1), p)
			}
			f.said = append(f.said, said{other, i})
		}
	}
	return nil
}

// maxSynonymWords is the longest phrase that is looked up among the synonyms.
const maxSynonymWords = 4

// say returns the documents with a word or phrase.
func (s *snapshot) say(ctx context.Context, text string) (*postings, error) {
	words := strings.Fields(text)
	if len(words) == 1 {
		return s.read(ctx, fieldWords, words[0])
	}
	docs, err := s.phrase(ctx, unitsOf(text))
	if err != nil {
		return nil, err
	}
	const onceOrTwice = 0.5 // what a word weighs that is there so often
	return &postings{found: len(docs), docs: docs, impact: slices.Repeat([]float32{onceOrTwice}, len(docs))}, nil
}

package index

import (
	"math/bits"
	"strings"

	"golang.org/x/sync/errgroup"

	"newsstand/searchd/index/analysis"
)

// ladder collects the documents of a query rung by rung.
type ladder struct {
	*finder
	asked   Query
	allowed *bitmap  // the documents that may be found, as far as their postings show
	titled  *bitmap  // the documents whose title has exactly the words of the query
	pinned  []uint32 // what the site pins to the query, in order; or the document whose address the query is
	wording wording
	taken   *bitmap // the documents that were already found or refused
	found   []hit
	total   int
}

// climb takes the documents of one rung after another, from the highest down, until there are
// enough. It takes long to find that nothing is like the words of a guess: it needs no lower rung.
func (l *ladder) climb() {
	l.pins()
	l.take(strict)
	for _, next := range []struct {
		rung  Rung
		widen func()
	}{{begun, l.beginnings}, {mistyped, l.mistakes}, {missing, l.doubtful}} {
		if len(l.found) >= l.want || l.asked.guessed && next.rung > begun && len(l.found) == 0 {
			break
		}
		next.widen()
		l.take(next.rung)
	}
	if n := len(l.found); 0 < n && n < l.want && l.query.asks() {
		l.unphrase()
		l.take(unphrased)
	}
}

// unphrase lets documents be found that were refused because they lack a phrase. It needs found to
// have all other documents, which it has while fewer were found than are wanted.
func (l *ladder) unphrase() {
	clear(l.taken.words)
	for _, h := range l.found {
		l.taken.add(h.doc)
	}
	l.filter(nil)
}

// pins takes the pinned documents that may be found.
func (l *ladder) pins() {
	candidates := l.scratch.set()
	candidates.addDocs(l.pinned)
	l.admit(candidates)
	for _, d := range l.pinned {
		if !candidates.has(d) {
			continue
		}
		if len(l.found) < l.want {
			l.found = append(l.found, hit{doc: d, rung: pinned})
		}
		l.total++
		l.trace.took(1, pinned)
	}
}

// mistakes widens the query to corrections of its typos. If no article has some word of the query,
// so that nothing was found yet, it also takes what the site pins to the corrected query.
func (l *ladder) mistakes() {
	l.finder.mistakes()
	meant := l.query.corrected(l.query.text, l.typos)
	if meant == "" {
		return
	}
	l.wordForWord(meant)
	if len(l.pinned) == 0 {
		l.pinned = l.site.pins[titleKey(meant)]
		l.pins()
	}
}

// admit removes the candidates that were taken before or may not be found. It marks as taken even
// those that their text refuses, so that no text is read twice.
func (l *ladder) admit(candidates *bitmap) {
	candidates.remove(l.taken)
	candidates.and(l.allowed)
	l.taken.or(candidates)
	l.refuse(candidates)
}

// take adds the documents that match on a rung and were not taken yet, the best first.
func (l *ladder) take(up Rung) {
	candidates := l.matching(up)
	l.admit(candidates)
	room := l.want - len(l.found)
	window := max(0, nearWindow-len(l.found))
	n := max(window, room)
	l.score(candidates)
	var fresh []hit
	count := func(docs *bitmap, r Rung) {
		found := docs.count()
		l.total += found
		l.trace.took(found, r)
		fresh = append(fresh, l.scratch.top(docs, r, n, l.site.boosts)...)
	}
	if up == strict {
		equal := l.both(candidates, l.titled)
		candidates.remove(equal)
		count(equal, titled)
	}
	count(candidates, up)
	best := l.best(fresh, n)
	l.trace.ranked(best, len(l.steps))
	l.near(best[:min(len(best), window)])
	l.found = append(l.found, best[:min(len(best), room)]...)
	must(l.ctx.Err())
}

// matching returns the documents that have all clauses that are not optional or, on the last two
// rungs, at least one of them.
func (f *finder) matching(up Rung) *bitmap {
	docs := f.scratch.set()
	if up < missing {
		docs.fill()
	}
	for i := range f.query.telling() {
		switch {
		case up >= missing:
			docs.or(f.having[i])
		case up == strict || !f.letter || i < len(f.query.clauses)-1:
			docs.and(f.having[i])
		}
	}
	docs.or(f.lifted)
	return docs
}

// score computes the scores of the candidates in scratch.scores, step by step.
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
		if s.postings != nil {
			s.postings.weigh(scores, damping, f.smoothing, s.weight, some)
			continue
		}
		for d := range some.all() {
			scores[d] *= s.weight
		}
	}
}

// filter sets which documents may be found: those that the site does not exclude, that have a tag
// and a language that are asked for, that have the words of each phrase, and that do not have an
// excluded word or phrase. Where only the text can tell, wording checks it later.
func (l *ladder) filter(phrases []phrase) {
	l.wording, l.allowed = wording{}, l.facets()
	l.allowed.remove(l.site.excluded)
	for _, p := range phrases {
		may := l.scratch.set()
		if m := l.withWords(p, may); m != nil {
			l.wording.phrases = append(l.wording.phrases, m)
		}
		l.allowed.and(may)
	}
	for _, p := range l.query.not {
		may := l.scratch.set()
		if m := l.withWords(p, may); m != nil {
			l.wording.not = append(l.wording.not, unwanted{may, m})
			continue
		}
		l.exceptTitled(may)
		l.allowed.remove(may)
	}
}

// facets returns the documents that have one of the tags and one of the languages that are asked
// for. If none are asked for, all documents qualify.
func (l *ladder) facets() *bitmap {
	allowed := l.scratch.full()
	if tags := l.asked.Tags; len(tags) > 0 {
		tagged := l.scratch.set()
		for _, tag := range tags {
			l.collect(tagged, fieldFacets, tagTerm(tag))
		}
		allowed.and(tagged)
	}
	if languages := l.asked.Languages; len(languages) > 0 {
		written := l.scratch.set()
		for _, tag := range languages {
			written.or(l.inLanguage(tag))
		}
		allowed.and(written)
	}
	return allowed
}

// exceptTitled removes from docs, which the query excludes, those whose title is exactly the query:
// someone who pastes the title "Stabilizing -Znext-solver" excludes nothing. It reads the stored
// titles that differ at most in signs such as the minus, which may be many.
func (l *ladder) exceptTitled(docs *bitmap) {
	titled := l.both(docs, l.titled)
	l.leave(titled, l.entitled)
	docs.remove(titled)
}

// entitled reports whether the title of a document is the query, with all signs. Case, accents and
// white space may differ.
func (f *finder) entitled(d uint32) bool {
	spelled := func(text string) string {
		return string(analysis.Fold(analysis.Lower(strings.Join(strings.Fields(text), " "), nil), nil))
	}
	return spelled(f.snapshot.stored(d, anew).meta().Title) == spelled(f.query.text)
}

// wording is what can be checked only in the text of a document.
type wording struct {
	phrases []*matcher // a document must have all of these
	not     []unwanted // and none of these
}

// unwanted is an excluded phrase, and the documents that have its words.
type unwanted struct {
	may    *bitmap
	phrase *matcher
}

// refuse removes the candidates whose texts lack a phrase of the query or have an excluded one.
func (l *ladder) refuse(candidates *bitmap) {
	if len(l.wording.phrases)+len(l.wording.not) > 0 {
		l.leave(candidates, l.may)
	}
}

// leave removes from a set the documents for which may returns false. It calls may on several
// processors, because tens of thousands of documents may have the words of a phrase.
func (s view) leave(docs *bitmap, may func(d uint32) bool) {
	const enough = 256 // documents, to be worth a goroutine
	var all errgroup.Group
	all.SetLimit(s.processors)
	for from, to := 0, 0; from < len(docs.words); from = to {
		for n := 0; to < len(docs.words) && n < enough; to++ {
			n += bits.OnesCount64(docs.words[to])
		}
		part, first := bitmap{docs.words[from:to]}, uint32(64*from)
		if part.empty() { // as the last one may be
			continue
		}
		all.Go(func() error {
			return guard(func() {
				for d := range part.all() {
					must(s.ctx.Err()) // a text may be long
					if !may(first + d) {
						part.drop(d)
					}
				}
			})
		})
	}
	must(all.Wait())
}

// may reports whether the text of a document allows it to be found: it has all phrases, and no
// excluded one unless its title is exactly the query.
func (l *ladder) may(d uint32) bool {
	for _, p := range l.wording.phrases {
		if !l.have(d, p) {
			return false
		}
	}
	for _, u := range l.wording.not {
		if u.may.has(d) && l.have(d, u.phrase) {
			return l.titled.has(d) && l.entitled(d)
		}
	}
	return true
}

package index

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// A word of at least so many letters may have one edit, or two. Shorter ones are too close to other
// words. The longer of the typed and the intended word counts.
const (
	oneEditRunes  = 5
	twoEditsRunes = 9
)

// rareArticles is the most articles that may have a word as typed for it to be corrected: more
// authors do not make the same typo. Beside other words, a word that a title has is not corrected
// either. Articles with its stem do not count, because a stemmer makes a stem of any typo.
const rareArticles = 3

// What a word that was found by edits is worth. One with another first letter is worth less,
// because people seldom mistype that.
const (
	weightOneEdit     = 0.7
	weightTwoEdits    = 0.5
	weightFirstLetter = 0.7
	weightInflected   = 0.5 // another form of the word that was meant
)

// maxTypoTerms bounds the possible corrections of one word.
const maxTypoTerms = 50

// correction is what a clause was probably meant to be.
type correction struct {
	forms []weightedTerm // best first
	stems []stem         // of the best form
	found int            // how many articles have the clause uncorrected
	// meant is the best of the forms, or the word or words with a space less or more; "" if there
	// is none. It replaces the clauses from this one to last, which is this one or the next.
	meant  string
	last   int
	doubts *postings      // of its forms, if it may be no typo, because some articles have the clause; else nil
	unlike bool           // no article has the clause, and it has no correction
	within []weightedTerm // longer words that contain the clause, best first
}

// mistakes widens each rare clause to words that are one or two edits away, and to other
// inflections of the likeliest of them. A space is an edit, too.
func (f *finder) mistakes() {
	f.typos = f.uncorrected()
	for i := range f.typos[:len(f.typos)-1] {
		f.together(i)
	}
	for i := range f.typos {
		must(f.ctx.Err())
		f.mistake(i)
	}
	f.within()
	f.synonymsOfMeant()
	f.correctTitles()
}

// uncorrected returns corrections that change nothing.
func (f *finder) uncorrected() []correction {
	all := make([]correction, len(f.query.clauses))
	for i := range all {
		all[i] = correction{found: f.having[i].count(), last: i}
	}
	return all
}

// mistake widens clause i, if it is rare, to its possible corrections.
func (f *finder) mistake(i int) {
	c, t := &f.query.clauses[i], &f.typos[i]
	if t.last != i || i > 0 && f.typos[i-1].last == i { // one of two words that are corrected to one
		return
	}
	if !c.stems || c.optional || tooLong(c.folded) {
		return
	}
	if utf8.RuneCountInString(c.folded) < oneEditRunes-1 {
		t.unlike = f.having[i].empty()
		return
	}
	known := f.read(fieldWords, c.folded).found
	if known > rareArticles {
		return
	}
	if f.need > 1 && f.read(fieldTitle, titleWord(c.folded)).found > 0 {
		return
	}
	sure := false
	if t.forms, sure = f.similar(c.folded); !sure {
		f.apart(i)
	}
	if len(t.forms) == 0 {
		t.unlike = t.meant == "" && f.having[i].empty()
		return
	}
	best := t.forms[0]
	t.meant = cmp.Or(t.meant, best.term)
	t.stems = f.stems(&clause{lowered: best.term, folded: best.term, stems: true})
	p := f.union(t.forms)
	if inflected := f.stem(t.stems); inflected.found > 0 {
		p = f.strongest(weightedPostings{p, 1}, weightedPostings{inflected, weightInflected * best.weight})
	}
	if known > 0 && f.need > 1 {
		t.doubts = p
		return
	}
	f.widen(i, wayTypo, weightExact+weightStem, p)
}

// doubtful widens the clauses that may be no typos to their corrections, too: a word that some
// articles have may be rare, such as lahar in Indonesian, which is one edit away from lahir (born).
// The score decides between the articles that have it and those that have other words beside the
// correction.
func (f *finder) doubtful() {
	for i, t := range f.typos {
		if t.doubts != nil {
			f.widen(i, wayTypo, weightExact+weightStem, t.doubts)
		}
	}
}

// slip returns, by clause, the correction of a word that is not searched as a typo, or nil if there
// is none. It is a word that lacks the space before a version, or one that no article has and that
// finds articles all the same, because it has the stem of another word: "email severs" finds enough
// severe emails for no typo to be searched. Such a word is corrected if the title of an article
// that may be found then has all words of the query, and none has them as typed. The result does
// not depend on rungs below the strict one, so that all pages of an answer are of the same query.
func (l *ladder) slip() []correction {
	if len(l.query.phrases) > 0 || !l.covered.empty() || len(l.pinned) > 0 {
		return nil
	}
	for i, c := range l.query.clauses {
		find := l.inTitle
		if l.having[i].empty() || strings.Contains(c.folded, ".") && unitAt(c.folded) >= 0 {
			find = l.version
		} else if slices.ContainsFunc(l.said, func(one said) bool { return one.standsFor(i) }) || !l.unknown(&c) {
			continue
		}
		if i == len(l.query.clauses)-1 && l.query.typing && l.begin(c.folded).found > 0 { // the word may be unfinished
			return nil
		}
		if meant := find(i); meant != "" {
			slip := l.uncorrected()
			slip[i] = correction{meant: meant, last: i}
			return slip
		}
	}
	return nil
}

// inTitle returns the likeliest correction of clause i among the words of titles that have all
// other clauses; "" if there is none.
func (l *ladder) inTitle(i int) string {
	titled := l.othersInTitles(i)
	if titled.empty() {
		return ""
	}
	return l.likeliestIn(titled, l.query.clauses[i].folded)
}

// version returns clause i with a space before its digits, if no article has it as one word, and
// some have what is before the digits and a version that begins with them: "php8" is php 8 if they
// have PHP 8.2. Otherwise it returns "".
func (f *finder) version(i int) string {
	c := &f.query.clauses[i]
	at := unitAt(c.folded)
	if at < minPrefixRunes || isDigit(c.folded[0]) || !c.stems || c.optional || c.whole != "" || f.read(fieldWords, c.folded).found > 0 {
		return ""
	}
	name, number := c.folded[:at], c.folded[at:]
	named, versions := f.read(fieldWords, name), f.begin(number+".")
	if f.both(named.in(f.scratch.set), versions.in(f.scratch.set)).empty() {
		return ""
	}
	return name + " " + number
}

// likeliestIn returns the likeliest correction of a word among those in the titles of a set that
// may be found: one edit away, and with the same first letter. It returns "" if there is none.
func (l *ladder) likeliestIn(titled *bitmap, word string) string {
	all := l.awayAtMost(word, 1)
	slices.SortFunc(all, compareCandidates)
	for _, one := range all {
		if one.weight < weightOneEdit { // with another first letter, like all that follow
			break
		}
		both := l.both(titled, l.inTitles(titleWord(one.term)))
		if l.refuse(both); !both.empty() {
			return one.term
		}
	}
	return ""
}

// unknown reports whether no article has a word, nor its stem as a word, so that articles with this
// stem have it from another word.
func (f *finder) unknown(c *clause) bool {
	if !c.stems || c.optional || c.whole != "" || tooLong(c.folded) || utf8.RuneCountInString(c.folded) < oneEditRunes {
		return false
	}
	known := func(word string) bool { return f.read(fieldWords, word).found > 0 }
	return !known(c.folded) && !slices.ContainsFunc(f.stems(c), func(one stem) bool { return known(one.text) })
}

// othersInTitles returns the documents that may be found whose titles have all clauses except one.
func (l *ladder) othersInTitles(but int) *bitmap {
	all := l.scratch.copyOf(l.allowed)
	for i := range l.query.telling() {
		if i == but {
			continue
		}
		if all.and(l.titlesWith(i)); all.empty() {
			break
		}
	}
	return all
}

// together widens clause i and the next to the word that they are without the space: "data base" is
// database. If no article has one of the two, the one word is their correction.
func (f *finder) together(i int) {
	if i > 0 && f.typos[i-1].last == i {
		return
	}
	a, b := &f.query.clauses[i], &f.query.clauses[i+1]
	if !a.stems || !b.stems || a.optional && b.optional || f.query.text[a.End:b.Start] != " " || !mayTouch(a.folded, b.folded) {
		return
	}
	word := a.folded + b.folded
	p, stems := f.read(fieldWords, word), []stem(nil)
	unlike := !a.optional && f.typos[i].found == 0 || !b.optional && f.typos[i+1].found == 0
	if unlike {
		stems = f.stemsOfJoined(word, b)
	}
	forms := f.stem(stems)
	if p.found+forms.found == 0 {
		return
	}
	if unlike {
		f.typos[i] = correction{meant: word, last: i + 1}
	}
	const half = (weightExact + weightStem) * weightOneEdit / 2
	for clause := i; clause <= i+1; clause++ {
		if !f.query.clauses[clause].optional {
			f.widen(clause, wayTypo, half, p)
			f.widen(clause, wayTypo, half, forms)
		}
	}
	f.said = append(f.said, said{text: word, first: i, last: i + 1, way: wayTypo, stems: stems})
}

// apart widens clause i to the two words that it is with a space, if articles have them next to
// each other: "opensource" is open source. Of several such pairs it takes the one that the most
// articles have.
func (f *finder) apart(i int) {
	word, best, found := f.query.clauses[i].folded, "", &postings{}
	for at := range word {
		first, second := word[:at], word[at:]
		if utf8.RuneCountInString(first) < minPrefixRunes || utf8.RuneCountInString(second) < minPrefixRunes || !mayTouch(first, second) {
			continue
		}
		if p := f.neighbours(first, second); p.found > found.found {
			best, found = first+" "+second, p
		}
	}
	if best == "" {
		return
	}
	f.typos[i].meant = best
	f.widen(i, wayTypo, (weightExact+weightStem)*weightOneEdit, found)
	f.said = append(f.said, said{text: best, first: i, last: i, way: wayTypo})
}

// mayTouch reports whether a space between two words may be a typo: they are long enough for one,
// and not the halves of a number.
func mayTouch(a, b string) bool {
	return utf8.RuneCountInString(a)+utf8.RuneCountInString(b)+1 >= oneEditRunes && !(isDigit(a[len(a)-1]) && isDigit(b[0]))
}

// maxTitleForms is how many forms of a correction are looked up in titles.
const maxTitleForms = 3

// correctTitles rewards titles that have a corrected word, or all words of the query, some of them
// corrected, or are the corrected query, or begin with it.
func (f *finder) correctTitles() {
	var texts []string
	touched := f.touched()
	for i, t := range f.typos {
		must(f.ctx.Err())
		if t.meant != "" {
			texts = append(texts, f.query.correct(f.query.text, f.typos, i, t.meant))
		}
		rest := f.scratch.copyOf(touched) // documents whose titles have neither the word as typed nor a better form
		rest.remove(f.inTitles(titleWord(f.query.clauses[i].folded)))
		for _, form := range t.forms[:min(len(t.forms), maxTitleForms)] {
			if form.term != t.meant {
				texts = append(texts, f.query.correct(f.query.text, f.typos, i, form.term))
			}
			having := f.inTitles(titleWord(form.term))
			f.addTitle(i, f.titleWeight()*form.weight, having, f.scratch.copyOf(rest))
			rest.remove(having)
		}
	}
	f.covers(titleKey(f.query.text), f.meantInTitles)
	f.otherTitles(texts, f.scratch.set())
}

// meantInTitles adds the documents whose titles have a possible correction of a clause; for covers.
func (f *finder) meantInTitles(clause int, into *bitmap) {
	t := f.typos[clause]
	var terms []string
	for _, form := range slices.Concat(t.forms[:min(len(t.forms), maxTitleForms)], t.within) {
		terms = append(terms, titleWord(form.term))
	}
	for _, one := range t.stems {
		terms = append(terms, titleStem(one))
	}
	f.addRespaced(wayTypo, clause, into)
	f.collect(into, fieldTitle, terms...)
}

// similar returns the possible corrections of a word, the nearest and most frequent first. It is
// sure if one that is one edit away is not rare. For a long word it looks two edits away only if it
// is not sure: that takes ten times as long, and such words are seldom meant.
func (s view) similar(word string) (similar []weightedTerm, sure bool) {
	all := s.awayAtMost(word, 1)
	sure = slices.ContainsFunc(all, func(c candidate) bool { return c.found > rareArticles })
	if utf8.RuneCountInString(word) >= twoEditsRunes-1 && !sure {
		all = s.awayAtMost(word, 2)
	}
	slices.SortFunc(all, compareCandidates)
	for _, c := range all[:min(len(all), maxTypoTerms)] {
		similar = append(similar, c.weightedTerm)
	}
	return similar, sure
}

// candidate is a possible correction of a word, how many articles have it, and whether it is a stop
// word.
type candidate struct {
	weightedTerm
	found int
	stop  bool
}

// compareCandidates orders by weight, and by how many articles have a word. Stop words come last
// among equal weights, because nearly all articles have them and few people search them: Froms is
// Forms.
func compareCandidates(a, b candidate) int {
	if a.weight == b.weight && a.stop != b.stop {
		if b.stop {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.found, a.found), cmp.Compare(a.term, b.term))
}

// awayAtMost returns the possible corrections of a word that are at most so many edits away,
// unsorted.
func (s view) awayAtMost(word string, edits int) (all []candidate) {
	n := utf8.RuneCountInString(word)
	first, _ := utf8.DecodeRuneInString(word)
	for _, one := range s.around(word, edits) {
		t := one.term
		longer := max(n, utf8.RuneCountInString(t))
		if t == word || longer < oneEditRunes {
			continue
		}
		weight := float32(weightOneEdit)
		if one.edits > 1 {
			if weight = weightTwoEdits; longer < twoEditsRunes {
				continue
			}
		}
		if r, _ := utf8.DecodeRuneInString(t); r != first {
			weight *= weightFirstLetter
		}
		stop := slices.ContainsFunc(s.langs, func(l *analysis.Language) bool { return l.IsStop(t) })
		all = append(all, candidate{weightedTerm{t, weight}, s.read(fieldWords, t).found, stop})
	}
	return all
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// editedTerm is a word and how many edits it is away from a given word.
type editedTerm struct {
	term  string
	edits int
}

// around returns the words of articles, pins and synonyms that are at most so many edits away from
// a word, sorted.
func (s view) around(word string, edits int) (found []editedTerm) {
	r := s.termReader()
	defer s.readers.Put(r)
	a := newTypoAutomaton(s.ctx, word, edits)
	for _, d := range r.open(fieldWords) {
		for term := range r.accepted(s.ctx, d, "", a) {
			if one := (editedTerm{string(term), a.edits(len(term))}); s.lives(fieldWords, one.term) {
				found = append(found, one)
			}
		}
	}
	for _, known := range s.site.words {
		state := a.Start()
		for at := 0; at < len(known) && a.CanMatch(state); at++ {
			state = a.Accept(state, known[at])
		}
		if a.CanMatch(state) && a.IsMatch(state) {
			found = append(found, editedTerm{known, a.edits(state)})
		}
	}
	slices.SortFunc(found, func(a, b editedTerm) int { return cmp.Compare(a.term, b.term) })
	return slices.Compact(found) // a word may be in several segments, and in the site's settings
}

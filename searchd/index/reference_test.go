package index

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// reference is the ladder of the package comment, written without regard to speed: it looks at
// every article for every word, keeps no postings, and adds up in float64. Its tokenizer, in
// reference_articles_test.go, knows words of Latin letters, compounds with a hyphen, and Han; the
// stemmers and stop words are those of the package. What it does on each rung is in the files
// reference_*_test.go, and ladder_test.go compares its answers with those of the index.
type reference struct {
	docs     []*refDoc
	langs    []*analysis.Language
	average  float64
	pins     map[string][]string
	synonyms map[string][]refSynonym // by title key
	froms    []refSynonym            // texts that have synonyms, in the order of the settings
	lifts    int                     // how often an article was found by its title though it lacks words
}

// refSynonym is a text of the settings, by its title key and as it is written there: straße and
// strasse have the same key, but different stems.
type refSynonym struct {
	key, written string
}

func newReference(articles []article.Article, settings article.SearchSettings) *reference {
	r := &reference{pins: map[string][]string{}, synonyms: map[string][]refSynonym{}}
	languages := analysis.NewLanguages()
	codes := map[string]bool{}
	for _, a := range articles {
		codes[languages.Of(a.Language).Code] = true
	}
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		r.langs = append(r.langs, languages.Of(code))
	}
	total := 0.0
	for _, a := range articles {
		d := newRefDoc(a, languages.Of(a.Language))
		total += d.length
		r.docs = append(r.docs, d)
	}
	r.average = max(1, total/max(1, float64(len(articles))))
	byID := map[string]*refDoc{}
	for _, d := range r.docs {
		byID[d.article.ID] = d
		if settings.Language != "" && d.language == settings.Language {
			d.boost = weightMainLanguage
		}
	}
	for _, s := range settings.Articles {
		d := byID[s.ID]
		if d == nil {
			continue
		}
		d.excluded = s.Exclude
		if s.Boost > 0 {
			d.boost *= s.Boost
		}
		for _, pin := range s.Pin {
			if all := r.pins[refTitle(pin)]; !slices.Contains(all, s.ID) {
				r.pins[refTitle(pin)] = append(all, s.ID)
			}
		}
	}
	for _, group := range settings.Synonyms {
		for _, from := range group.From {
			key := refTitle(from)
			for _, to := range group.To {
				same := func(known refSynonym) bool { return known.key == refTitle(to) }
				if key != refTitle(to) && !slices.ContainsFunc(r.synonyms[key], same) {
					r.synonyms[key] = append(r.synonyms[key], refSynonym{refTitle(to), to})
				}
			}
			if len(r.synonyms[key]) > 0 {
				r.froms = append(r.froms, refSynonym{key, from})
			}
		}
	}
	return r
}

// refStanding is the result of a query for one article.
type refStanding struct {
	score   float64
	begun   bool         // whether it has the last clause only as the beginning of a word
	matched map[int]Rung // by clause: the first rung on which it was found
	touched bool
}

// refSearch is one search.
type refSearch struct {
	*reference
	text     string
	clauses  []*refClause
	need     int // clauses that are not optional
	phrases  []string
	standing map[*refDoc]*refStanding
	typing   bool
	begins   string
	prefixed bool // whether it was looked for in all articles
	letter   bool // whether the last clause need not be found
	typos    map[int][]weightedTerm
	within   map[int]string // the clauses that were searched within longer words
	doubtful []func()       // search the corrections of clauses that some article has as typed
	unknown  map[int]bool   // the clauses that no article had in a full form when typos were searched
	said     []said
	numbers  []int // clauses that also stand for versions

	typoStems map[int][]stem   // of the best of the typos
	spaced    map[int]string   // by clause: its correction with a space more or less
	joined    map[int]bool     // whether a clause is one word with the next
	slipped   string           // the query as it was corrected before all rungs; "" if it was not
	covered   map[*refDoc]bool // those whose title has all words, as far as it was looked at
	lifted    map[*refDoc]bool // those whose title is a part of the query that lack another word
}

// refHit is an article that was found.
type refHit struct {
	doc   *refDoc
	rung  Rung
	score float64
}

// impact is the part of BM25 that depends on the article.
func (s *refSearch) impact(d *refDoc, times float64) float64 {
	smoothing := 1.0
	if n := len(slices.DeleteFunc(slices.Clone(s.clauses), func(c *refClause) bool { return c.optional || c.han && !c.single })); n > 6 {
		smoothing = min(2, float64(n)/6)
	}
	return times / (times + smoothing*saturation(s.average)*(1-bm25B+bm25B*d.length/s.average))
}

func (r *reference) idf(found int) float64 {
	n := float64(found)
	return math.Log(1 + (float64(len(r.docs))-n+0.5)/(n+0.5))
}

// having returns the impact of a term in each article that has it.
func (s *refSearch) having(times func(*refDoc) float64) map[*refDoc]float64 {
	way := map[*refDoc]float64{}
	for _, d := range s.docs {
		if n := times(d); n > 0 {
			way[d] = s.impact(d, min(n, 255))
		}
	}
	return way
}

// havingStem returns the impact of words with one of these stems.
func (s *refSearch) havingStem(stems []stem) map[*refDoc]float64 {
	return s.having(func(d *refDoc) float64 {
		n := 0.0
		bare := map[string]bool{}
		for i, one := range stems {
			n += d.stems[one.language+" "+one.text]
			if i > 0 && stems[i-1].language == one.language { // the word itself, which has the stem before
				continue
			}
			// A word is its own stem in the language of its article, an English one in languages
			// without stems too.
			if d.language == one.language || one.language == inAll || one.language == "en" && !s.stemmed(d.language) {
				bare[one.text] = true
			}
		}
		for text := range bare {
			n += d.words[text]
		}
		return n
	})
}

func (r *reference) stemmed(code string) bool {
	return slices.ContainsFunc(r.langs, func(l *analysis.Language) bool { return l.Code == code && l.Stemmed() })
}

// saying returns the articles that have a phrase, each with the impact of a word that it has once
// or twice.
func (s *refSearch) saying(phrase string) map[*refDoc]float64 {
	way := map[*refDoc]float64{}
	for _, d := range s.docs {
		if d.says(phrase) {
			way[d] = 0.5
		}
	}
	return way
}

// counts returns how many articles have each word.
func (r *reference) counts() map[string]int {
	found := map[string]int{}
	for _, d := range r.docs {
		for term := range d.words {
			found[term]++
		}
	}
	return found
}

func (s *refSearch) word(term string) map[*refDoc]float64 {
	return s.having(func(d *refDoc) float64 { return d.words[term] })
}

// inTitleOf reports whether a title has a clause: the word, or one of its stems.
func (s *refSearch) inTitleOf(d *refDoc, c *refClause) bool {
	return slices.Contains(d.titleWords, c.folded) || slices.ContainsFunc(s.stemsOf(c), d.hasInTitle)
}

// covers returns the factor for a title that has all words of the query, except some that say
// little.
func (s *refSearch) covers(d *refDoc) float64 {
	words, has := refTitleWords(d.title), len(refTitleWords(refTitle(s.text)))
	for _, c := range s.clauses {
		if c.optional && !s.inTitleOf(d, c) {
			has -= int(c.times)
		}
	}
	return 1 + weightCovers*min(1, float64(max(1, has))/float64(min(len(words), maxTitleWords)))
}

// inTitle returns the weight of a word in the title: the more words there are, the less.
func (s *refSearch) inTitle() float64 { return weightInTitle * math.Pow(min(1, 2/float64(s.need)), 2) }

// add counts a form of clause i; better forms come before. A loose form counts only if the article
// has no better one of the clause.
func (s *refSearch) add(i int, weight float64, rung Rung, loose bool, way map[*refDoc]float64) {
	c := s.clauses[i]
	if loose {
		rest := map[*refDoc]float64{}
		for d, impact := range way {
			if !c.has(d) {
				rest[d] = impact
			}
		}
		way = rest
	}
	if len(way) == 0 {
		return
	}
	c.ways = append(c.ways, way)
	for d, impact := range way {
		one := s.standing[d]
		one.touched = true
		one.score += c.times * weight * s.idf(len(way)) * impact
		if _, ok := one.matched[i]; !ok && !c.optional {
			one.matched[i] = rung
		}
	}
}

// search answers a query. If nothing has its phrases, it searches with typos corrected, or the
// words of the phrases.
func (r *reference) search(q Query) (found []refHit, total int) {
	q.Text = strings.Join(strings.Fields(q.Text), " ")
	found, s := r.climb(q)
	if s.slipped != "" {
		q.Text = s.slipped
		if corrected, _ := r.climb(q); len(corrected) > 0 {
			return corrected, len(corrected)
		}
	}
	if len(found) > 0 || len(s.phrases) == 0 {
		return found, len(found)
	}
	quoted := q.Text
	q.Text = regexp.MustCompile(`-?"[^"]*"`).ReplaceAllStringFunc(q.Text, func(piece string) string {
		if piece[0] == '-' || len(refUnits(piece)) <= 1 {
			return piece
		}
		return " " + strings.Trim(piece, `"`) + " "
	})
	q.unquoted = true
	loose, l := r.climb(q)
	corrected := l.meant(quoted, l.nearest)
	if q.Text = corrected; len(loose) > 0 && corrected != quoted {
		if found, _ := r.climb(q); len(found) > 0 {
			return found, len(found)
		}
	}
	if slices.ContainsFunc(s.clauses, func(c *refClause) bool { return !c.quoted }) {
		return loose, len(loose)
	}
	return nil, 0
}

// asks reports whether the query is a question with a phrase.
func (s *refSearch) asks() bool {
	words := 0.0
	for _, c := range s.clauses {
		switch {
		case c.quoted:
		case c.han && !c.single:
			words += 0.5
		default:
			words++
		}
	}
	return len(s.phrases) > 0 && (words > 6 || words > 0 && strings.HasSuffix(s.text, "?"))
}

// wordForWord rewards the articles that have a text word for word, and reports whether any has.
func (s *refSearch) wordForWord(text string, not []string) (said bool) {
	if len(s.clauses) < 2 || len(s.phrases)+len(not) > 0 {
		return false
	}
	saying, words := s.saying(text), max(1, float64(len(refUnits(text)))/6)
	for d := range saying {
		s.standing[d].score += weightWords * words * s.idf(len(saying)) * s.impact(d, 1)
	}
	return len(saying) > 0
}

// alone rewards the articles that have the compound that is all of the query.
func (s *refSearch) alone() {
	whole := s.clauses[0].whole
	if whole == "" || s.need < 2 || slices.ContainsFunc(s.clauses, func(c *refClause) bool { return !c.optional && c.whole != whole }) {
		return
	}
	way := s.word(whole)
	for _, d := range s.docs {
		lacks := func(c *refClause) bool { return !c.optional && !s.inTitleOf(d, c) }
		if len(way) > 0 && (way[d] > 0 || !slices.ContainsFunc(s.clauses, lacks)) {
			s.standing[d].score += weightAlone * s.idf(len(way))
		}
	}
}

// climb goes down the ladder.
func (r *reference) climb(q Query) (found []refHit, s *refSearch) {
	s = &refSearch{reference: r, text: q.Text, standing: map[*refDoc]*refStanding{}, typos: map[int][]weightedTerm{}, within: map[int]string{}, typoStems: map[int][]stem{}, spaced: map[int]string{}, joined: map[int]bool{}, covered: map[*refDoc]bool{}, lifted: map[*refDoc]bool{}}
	not := s.parse()
	s.compare()
	if s.need = len(telling(s.clauses)); s.need == 0 {
		return nil, s
	}
	for _, d := range r.docs {
		s.standing[d] = &refStanding{matched: map[int]Rung{}}
	}
	for i := range s.clauses {
		s.forms(i)
	}
	s.gather()
	s.join()
	respaced := s.respacedTitles(q.unquoted, not)
	s.alone()
	said := s.wordForWord(s.text, not)
	s.titles(respaced, said)
	key := refTitle(s.text)
	if s.unfinished() {
		s.prefix(strict)
	} else {
		s.goOn(said)
	}
	s.versionTitles()
	given := false // whether the phrases are dropped
	allowed := func(d *refDoc) bool {
		return d.passes(q) && (given || !slices.ContainsFunc(s.phrases, func(p string) bool { return !d.says(p) })) && !slices.ContainsFunc(not, d.says)
	}
	s.slipped = s.slip(allowed)
	taken := map[*refDoc]bool{}
	pin := func(key string) {
		for _, id := range r.pins[key] {
			for _, d := range r.docs {
				if d.article.ID == id && allowed(d) {
					taken[d] = true
					found = append(found, refHit{doc: d, rung: pinned})
				}
			}
		}
	}
	pin(key)
	want := q.Offset + q.Limit
	room := len(found) // how many documents of the rungs above are kept
	for _, rung := range []Rung{strict, begun, mistyped, missing, unphrased} {
		if rung > strict && room >= want {
			break
		}
		switch rung {
		case begun:
			s.beginnings()
		case mistyped:
			s.mistakes()
			if meant := s.meant(s.text, s.nearest); meant != s.text {
				s.wordForWord(meant, not)
				if len(r.pins[key]) == 0 {
					pin(refTitle(meant))
					room = len(found)
				}
			}
		case missing:
			for _, search := range s.doubtful {
				search()
			}
		case unphrased:
			if given = true; len(found) == 0 || !s.asks() {
				return found, s
			}
		}
		var fresh []refHit
		for _, d := range r.docs {
			at, found := s.rungOf(d)
			if given {
				at = unphrased
			}
			if !found || at > rung || taken[d] || !allowed(d) {
				continue
			}
			if at == strict && (d.is(key) && key != "" || respaced[d]) {
				at = titled
			}
			fresh = append(fresh, refHit{d, at, s.standing[d].score * d.boost})
			taken[d] = true
		}
		slices.SortFunc(fresh, refCompare)
		if window := min(len(fresh), max(0, nearWindow-room)); window > 1 && len(s.clauses) > 1 {
			for i := range fresh[:window] {
				fresh[i].score += s.near(fresh[i].doc)
			}
			slices.SortStableFunc(fresh[:window], refCompare)
		}
		found = append(found, fresh...)
		room = min(want, room+len(fresh))
	}
	return found, s
}

// passes reports whether an article is one of those that the site shows and the filters leave.
func (d *refDoc) passes(q Query) bool {
	hasTag := func(tag string) bool {
		return slices.ContainsFunc(d.article.Tags, func(own string) bool {
			return refFold(strings.ToLower(own)) == refFold(strings.ToLower(tag))
		})
	}
	isIn := func(tag string) bool {
		return d.article.Language == tag || strings.HasPrefix(d.article.Language, tag+"-")
	}
	return !d.excluded && (len(q.Tags) == 0 || slices.ContainsFunc(q.Tags, hasTag)) && (len(q.Languages) == 0 || slices.ContainsFunc(q.Languages, isIn))
}

// rungOf returns the rung of an article by the clauses that it has; found is false if that is none.
func (s *refSearch) rungOf(d *refDoc) (at Rung, found bool) {
	one := s.standing[d]
	if at = strict; s.lifted[d] {
		return at, true
	}
	for _, rung := range one.matched {
		at = max(at, rung)
	}
	has := len(one.matched)
	if _, ok := one.matched[len(s.clauses)-1]; s.letter && !ok {
		at, has = max(at, begun), has+1
	}
	if has < s.need {
		at = missing
	}
	return at, len(one.matched) > 0
}

func refCompare(a, b refHit) int {
	return cmp.Or(cmp.Compare(a.rung, b.rung), cmp.Compare(b.score, a.score),
		b.doc.article.DatePublished.Compare(a.doc.article.DatePublished), cmp.Compare(a.doc.article.ID, b.doc.article.ID))
}

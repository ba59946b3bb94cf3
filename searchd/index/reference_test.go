package index

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/searchd/index/analysis"
)

// The reference is the ladder of the package comment, written without regard to speed: it looks at
// every article for every word, keeps no postings, and adds up in float64. It has a tokenizer of
// its own, for words of Latin letters, compounds with a hyphen, and Han; the stemmers and stop
// words are those of the package.

// refDoc is an article as it is searched.
type refDoc struct {
	article              article.Article
	language             string             // its code
	words, stems, begins map[string]float64 // how often, weighted, by term
	han                  map[string]bool    // characters and pairs, folded
	length               float64
	title, joined        string   // its words, folded; and with its compounds as one word
	titleWords           []string // of title and joined
	titleStems           []stem
	boost                float64
	excluded             bool
}

// reference searches articles.
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

// refPart is a word, or a character of an unspaced script.
type refPart struct {
	start, end int
	lowered    string
	folded     string
}

// refToken is a word, a compound or a run of an unspaced script.
type refToken struct {
	start, end int
	han        bool
	parts      []refPart
	whole      string // of a compound, folded
}

func isHan(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x4E00 && r <= 0x9FFF
}

// refFold folds the accents that the test uses, and the characters of traditional Chinese.
func refFold(s string) string {
	return strings.NewReplacer("é", "e", "ü", "u", "ï", "i", "ß", "ss", "學", "学", "裏", "里", "裡", "里").Replace(s)
}

func refTokens(text string) []refToken {
	var all []refToken
	end := 0
	for at := 0; at < len(text); at = max(end, at+1) {
		r, _ := utf8.DecodeRuneInString(text[at:])
		if strings.ContainsRune(" .,?\n\"-", r) {
			end = at + 1
			continue
		}
		han := isHan(text[at:])
		end = at
		for end < len(text) {
			r, size := utf8.DecodeRuneInString(text[end:])
			if strings.ContainsRune(" .,?\n\"", r) && !refInNumber(text, end) || isHan(text[end:]) != han {
				break
			}
			end += size
		}
		t := refToken{start: at, end: end, han: han}
		part := func(start, end int) {
			lowered := strings.ToLower(text[start:end])
			t.parts = append(t.parts, refPart{start, end, lowered, refFold(lowered)})
		}
		if han {
			for i, r := range text[at:end] {
				part(at+i, at+i+utf8.RuneLen(r))
			}
		} else {
			start := at
			for piece := range strings.SplitSeq(text[at:end], "-") {
				part(start, start+len(piece))
				start += len(piece) + 1
			}
			if len(t.parts) > 1 {
				t.whole = refFold(strings.ToLower(strings.ReplaceAll(text[at:end], "-", "")))
			}
		}
		all = append(all, t)
	}
	return all
}

// refInNumber reports whether a dot is between two digits.
func refInNumber(text string, at int) bool {
	return text[at] == '.' && 0 < at && at+1 < len(text) && isDigit(text[at-1]) && isDigit(text[at+1])
}

// refTitle returns a title in the form in which titles are compared.
func refTitle(title string) string {
	var words []string
	for _, t := range refTokens(title) {
		if t.han {
			words = append(words, refFold(title[t.start:t.end]))
			continue
		}
		for _, p := range t.parts {
			words = append(words, p.folded)
		}
	}
	return strings.Join(words, " ")
}

// refJoinedTitle is like refTitle, with compounds as one word.
func refJoinedTitle(title string) string {
	var words []string
	for _, t := range refTokens(title) {
		if t.whole != "" {
			words = append(words, t.whole)
		} else {
			words = append(words, refTitle(title[t.start:t.end]))
		}
	}
	return strings.Join(words, " ")
}

// is reports whether a title of the document is a key; starts reports whether one begins with it
// and has more words.
func (d *refDoc) is(key string) bool { return key == d.title || key == d.joined }
func (d *refDoc) starts(key string) bool {
	return strings.HasPrefix(d.title, key+" ") || strings.HasPrefix(d.joined, key+" ")
}

// hasInTitle reports whether a title of the document has a word with a stem.
func (d *refDoc) hasInTitle(one stem) bool { return slices.Contains(d.titleStems, one) }

// hasAllInTitle reports whether a title of the document has all words of a text.
func (d *refDoc) hasAllInTitle(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(word string) bool { return !slices.Contains(d.titleWords, word) })
}

// refTitleWords returns the words of a title in the form of refTitle, and its pairs of characters.
func refTitleWords(title string) (words []string) {
	for _, t := range refTokens(title) {
		if t.han && len(t.parts) > 1 {
			for i := range t.parts[1:] {
				words = append(words, t.parts[i].folded+t.parts[i+1].folded)
			}
			continue
		}
		for _, p := range t.parts {
			words = append(words, p.folded)
		}
	}
	return words
}

// newRefDoc reads an article in a language.
func newRefDoc(a article.Article, lang *analysis.Language) *refDoc {
	d := &refDoc{article: a, language: lang.Code, words: map[string]float64{}, stems: map[string]float64{}, begins: map[string]float64{}, han: map[string]bool{}, title: refTitle(a.Title), joined: refJoinedTitle(a.Title), boost: 1}
	d.titleWords = append(refTitleWords(d.title), refTitleWords(d.joined)...)
	title := 5.0
	if text := strings.TrimRight(a.Title, ". …"); len([]rune(text)) >= 32 && strings.HasPrefix(a.ContentText, text) && len(a.ContentText) > len(text) && !strings.HasPrefix(a.ContentText[len(text):], "\n") {
		title = 1
	}
	d.count(lang, a.Title, title)
	for _, t := range refTokens(a.Title) {
		for _, p := range t.parts {
			if text := lang.Stem([]byte(p.lowered)); !t.han && text != "" {
				d.titleStems = append(d.titleStems, stem{lang.Code, text}, stem{lang.Code, p.folded})
			}
		}
	}
	for _, tag := range a.Tags {
		d.count(lang, tag, 3)
	}
	d.count(lang, a.Summary, 1)
	d.count(lang, a.ContentText, 1)
	for term, n := range d.begins { // how often words have a beginning counts in steps of four
		if !isHan(term) {
			d.begins[term] = max(1, 4*math.Floor(n/4))
		}
	}
	for _, counts := range []map[string]float64{d.words, d.stems, d.begins} {
		for term, n := range counts {
			counts[term] = refOften(n)
		}
	}
	return d
}

// count counts the words of a text in a language.
func (d *refDoc) count(lang *analysis.Language, text string, weight float64) {
	begins := func(word string) {
		for _, n := range []int{2, 3} {
			if letters := []rune(word); len(letters) >= n {
				d.begins[string(letters[:n])] += weight
			}
		}
	}
	for _, t := range refTokens(text) {
		if t.whole != "" && len(t.parts) <= 4 {
			d.words[t.whole] += weight
			begins(t.whole)
		}
		for i, p := range t.parts {
			if t.han {
				pair := p.lowered
				if i+1 < len(t.parts) {
					pair += t.parts[i+1].lowered
				}
				d.words[pair] += weight
				d.begins[p.lowered] += weight
				d.han[refFold(pair)], d.han[p.folded] = true, true
				if i == 0 || i+1 < len(t.parts) {
					d.length += weight
				}
				continue
			}
			d.length += weight
			d.words[p.folded] += weight
			if p.folded != p.lowered {
				d.words[p.lowered] += weight
			}
			if stem := lang.Stem([]byte(p.lowered)); stem != "" && stem != p.folded {
				d.stems[lang.Code+" "+stem] += weight
			}
			begins(p.folded)
		}
	}
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

// refOften returns how often a word counts that occurs n times, which is about n.
func refOften(n float64) float64 {
	for _, step := range [][2]float64{{4, n}, {7, 6}, {11, 9}, {18, 14}} {
		if n <= step[0] {
			return step[1]
		}
	}
	return 24
}

// refClause is a word of a query.
type refClause struct {
	start, end       int // in the text of the query
	lowered, folded  string
	whole            string
	han, single      bool
	quoted, optional bool
	times            float64               // how often it is in the query
	again            []*refClause          // the same word, further on
	ways             []map[*refDoc]float64 // by form: the impact in each article that has it
	apart            map[*refDoc]bool      // see gather
	titled           map[*refDoc]bool      // see respacedTitles
}

// telling returns those of some clauses that are not optional.
func telling(clauses []*refClause) []*refClause {
	return slices.DeleteFunc(slices.Clone(clauses), func(c *refClause) bool { return c.optional })
}

func (c *refClause) stems() bool { return !c.han && !c.quoted }

// has reports whether an article has the clause in some form.
func (c *refClause) has(d *refDoc) bool {
	return c.titled[d] || !c.apart[d] && slices.ContainsFunc(c.ways, func(way map[*refDoc]float64) bool { _, ok := way[d]; return ok })
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

// parse reads the words of a query; phrases are in quotation marks, and exclusions follow a minus,
// unless the query is a question, or some article has all of a longer query word for word.
func (s *refSearch) parse() (not []string) {
	pasted := len(strings.Fields(s.text)) > 6 && len(s.saying(s.text)) > 0
	if not = s.read(!pasted && !strings.HasSuffix(s.text, "?")); len(s.clauses) == 0 && len(not) > 0 {
		return s.read(false)
	}
	return not
}

// read is parse; excluding says whether a minus may exclude.
func (s *refSearch) read(excluding bool) (not []string) {
	text := s.text
	for text = strings.TrimLeft(text, " "); text != ""; text = strings.TrimLeft(text, " ") {
		negative := false
		if excluding && text[0] == '-' {
			negative, text = true, text[1:]
		}
		var piece string
		quoted := text[0] == '"'
		if quoted {
			text = text[1:]
		}
		offset := len(s.text) - len(text)
		if quoted {
			piece, text, _ = strings.Cut(text, `"`)
		} else {
			piece, text, _ = strings.Cut(text, " ")
		}
		if negative {
			not = append(not, piece)
			continue
		}
		if quoted && len(refUnits(piece)) > 1 {
			s.phrases = append(s.phrases, piece)
		}
		for _, t := range refTokens(piece) {
			for i, p := range t.parts {
				c := &refClause{start: offset + p.start, end: offset + p.end, lowered: p.lowered, folded: p.folded, whole: t.whole, han: t.han, quoted: quoted}
				if t.han {
					if i+1 == len(t.parts) && i > 0 {
						continue
					}
					c.single = len(t.parts) == 1
					if !c.single {
						c.lowered += t.parts[i+1].lowered
						c.folded += t.parts[i+1].folded
					}
				}
				s.clauses = append(s.clauses, c)
			}
			s.typing = !t.han && !quoted
		}
		if strings.HasSuffix(piece, "?") {
			s.typing = false
		}
	}
	var kept []*refClause
	telling := false
	for i, c := range s.clauses {
		whole := func(at int) bool { return 0 <= at && at < len(s.clauses) && s.clauses[at].whole == c.whole }
		initial := c.whole != "" && utf8.RuneCountInString(c.folded) == 1 && !whole(i-1) && whole(i+1) && !whole(i+2) ||
			c.whole != "" && !whole(i-2) && whole(i-1) && utf8.RuneCountInString(s.clauses[i-1].folded) == 1 && !whole(i+1) // or the word after it
		if at := slices.IndexFunc(kept, func(k *refClause) bool { return k.lowered == c.lowered && k.quoted == c.quoted }); at >= 0 {
			if initial {
				kept[at].optional, telling = false, true
			}
			kept[at].times++
			kept[at].again = append(kept[at].again, c)
			if i == len(s.clauses)-1 {
				s.typing = false
			}
			continue
		}
		if c.stems() {
			c.optional = slices.ContainsFunc(s.langs, func(l *analysis.Language) bool {
				own := func(l *analysis.Language, word string) bool { return l.OfScript([]byte(word)) == l }
				says := func(other *refClause) bool {
					return regexp.MustCompile(`^\pL`).MatchString(other.folded) && slices.ContainsFunc(s.langs, func(l *analysis.Language) bool { return own(l, other.folded) })
				}
				return l.IsStop(c.lowered) && (own(l, c.folded) || !slices.ContainsFunc(s.clauses, says))
			})
			c.optional = c.optional && !initial && (i == 0 || c.lowered != "comment")
		}
		telling = telling || !c.optional
		c.times = 1
		kept = append(kept, c)
	}
	s.clauses = kept
	if !telling {
		for _, c := range kept {
			c.optional = false
		}
	}
	return not
}

// refUnits returns the folded parts of all tokens of a text.
func refUnits(text string) (units []string) {
	for _, t := range refTokens(text) {
		for _, p := range t.parts {
			units = append(units, p.folded)
		}
	}
	return units
}

// says reports whether a phrase is in an article. If it is one word, that may be a compound.
func (d *refDoc) says(phrase string) bool {
	units := refUnits(phrase)
	if len(units) == 1 {
		return d.words[units[0]] > 0 || d.han[units[0]]
	}
	for _, t := range refTokens(phrase) { // characters without a space in the phrase have none in the article
		for i := 0; t.han && i+1 < len(t.parts); i++ {
			if !d.han[t.parts[i].folded+t.parts[i+1].folded] {
				return false
			}
		}
	}
	for _, text := range append([]string{d.article.Title, d.article.Summary, d.article.ContentText}, d.article.Tags...) {
		all := refUnits(text)
		for i := 0; i+len(units) <= len(all); i++ {
			if slices.Equal(all[i:i+len(units)], units) {
				return true
			}
		}
	}
	return false
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

// refUnit matches a number with its unit, or a name with its number.
var refUnit = regexp.MustCompile(`^(?:([0-9.]+)([^0-9.]+)|([^0-9.]+)([0-9.]+))$`)

// forms counts the full forms of clause i.
func (s *refSearch) forms(i int) {
	c := s.clauses[i]
	if c.optional {
		s.otherwise(i)
		return
	}
	if c.whole != "" {
		parts := 0.0
		for _, other := range s.clauses {
			if other.whole == c.whole && !other.optional {
				parts++
			}
		}
		s.add(i, weightWhole/parts, strict, false, s.word(c.whole))
	}
	if c.han {
		s.characters(i)
		return
	}
	accents, stemmed, word := weightAccent, weightStem, weightExact
	if c.lowered != c.folded {
		asTyped := s.word(c.lowered)
		accentless := len(asTyped) > 0 // no stemmer of the site but the English one knows the word
		for _, l := range s.langs {
			accentless = accentless && (!l.Stemmed() || l.OfScript([]byte(c.lowered)).Code == "en")
		}
		if accentless {
			accents, stemmed, word = weightStem, weightExact, 0
		}
		s.add(i, accents, strict, false, asTyped)
	}
	if stems := s.stemsOf(c); len(stems) > 0 {
		s.add(i, stemmed, strict, false, s.havingStem(stems))
	} else {
		word += stemmed
	}
	s.add(i, word, strict, false, s.word(c.folded))
	if c.quoted {
		return
	}
	if parts := refUnit.FindStringSubmatch(c.folded); parts != nil {
		apart := strings.TrimSpace(parts[1] + parts[3] + " " + parts[2] + parts[4])
		if way := s.saying(apart); len(way) > 0 {
			s.add(i, weightWhole, strict, true, way)
			s.said = append(s.said, said{text: apart, first: i, last: i, way: wayCompound})
		}
		if len(c.ways) > 0 && utf8.RuneCountInString(parts[3]) > 1 {
			s.versionsOf(i, parts[3], parts[4])
		}
	}
	s.otherwise(i)
}

// versionsOf counts the versions of a name in titles for clause i, a name with a number.
func (s *refSearch) versionsOf(i int, name, number string) {
	versions := map[string]bool{}
	for _, d := range s.docs {
		for _, word := range d.titleWords {
			if slices.Contains(d.titleWords, name) && strings.HasPrefix(word, number+".") {
				versions[word] = true
			}
		}
	}
	for _, version := range slices.Sorted(maps.Keys(versions)) {
		if way := s.saying(name + " " + version); len(way) > 0 {
			s.add(i, weightWhole, strict, true, way)
			s.said = append(s.said, said{text: name + " " + version, first: i, last: i, way: wayCompound})
		}
	}
}

// characters counts the full forms of clause i, which is one character or two.
func (s *refSearch) characters(i int) {
	c := s.clauses[i]
	times := func(d *refDoc, form string) float64 {
		if c.single {
			return d.begins[form]
		}
		return d.words[form]
	}
	asTyped := s.having(func(d *refDoc) float64 { return times(d, c.lowered) })
	s.add(i, weightExact+weightStem, strict, false, asTyped)
	either := maps.Clone(asTyped)
	for d, impact := range s.spelled(c.folded, times) {
		if _, ok := either[d]; !ok {
			either[d] = impact
		}
	}
	if len(either) > len(asTyped) {
		c.ways = append(c.ways, either)
	}
	for d, impact := range either {
		one := s.standing[d]
		if one.touched = true; !c.optional {
			one.matched[i] = strict
		}
		if _, ok := asTyped[d]; !ok {
			one.score += c.times * weightStem * s.idf(len(either)) * impact
		}
	}
	if c.single {
		return
	}
	most := maxPairs
	if strings.ContainsFunc(c.folded, analysis.IsHanOrKana) {
		most = maxHanPairs
	}
	for _, r := range c.lowered {
		if len(s.clauses) > most {
			break
		}
		asTyped := s.having(func(d *refDoc) float64 { return d.begins[string(r)] })
		others := s.spelled(refFold(string(r)), func(d *refDoc, form string) float64 { return d.begins[form] })
		maps.DeleteFunc(others, func(d *refDoc, _ float64) bool { _, ok := asTyped[d]; return ok })
		add := func(way map[*refDoc]float64, found int) {
			for d, impact := range way {
				s.standing[d].touched = true
				s.standing[d].score += weightChar * s.idf(found) * impact
			}
		}
		add(asTyped, len(asTyped))
		add(others, len(asTyped)+len(others))
	}
	if !c.quoted {
		s.otherwise(i)
	}
}

// gather drops the second clause of a run of three characters, which is two, from the articles that
// have it only in pieces.
func (s *refSearch) gather() {
	follows := func(i int) bool {
		return 0 < i && i < len(s.clauses) && s.clauses[i-1].han && s.clauses[i].han && s.clauses[i].start == s.clauses[i-1].end
	}
	for i, second := range s.clauses {
		if !follows(i) || follows(i-1) || follows(i+1) || s.clauses[i-1].optional || second.optional {
			continue
		}
		first := s.clauses[i-1]
		if slices.ContainsFunc(s.said, func(one said) bool { return one.standsFor(i-1) || one.standsFor(i) }) {
			continue
		}
		apart := map[*refDoc]bool{}
		for d, one := range s.standing {
			if first.has(d) && second.has(d) && !d.says(string([]rune(s.text[first.start:])[:3])) {
				apart[d] = true
				delete(one.matched, i)
			}
		}
		second.apart = apart
	}
}

// spelled returns the impact, in each article, of the spelling of some characters that it has most
// often.
func (s *refSearch) spelled(folded string, times func(d *refDoc, form string) float64) map[*refDoc]float64 {
	forms := []string{""}
	for _, r := range folded {
		var longer []string
		for _, form := range forms {
			for _, one := range "学學里裏裡" + string(r) {
				if refFold(string(one)) == string(r) {
					longer = append(longer, form+string(one))
				}
			}
		}
		forms = longer
	}
	return s.having(func(d *refDoc) float64 {
		most := 0.0
		for _, form := range forms {
			most = max(most, times(d, form))
		}
		return most
	})
}

// otherwise counts the synonyms of clause i.
func (s *refSearch) otherwise(i int) {
	s.synonymsIn(s.clauses, i, weightSynonym, strict, func(int) bool { return true })
}

// meantOtherwise counts the synonyms of the corrected query.
func (s *refSearch) meantOtherwise() {
	meant := &refSearch{reference: s.reference, text: s.meant(s.text, s.nearest)}
	meant.parse()
	if meant.text == s.text || len(meant.clauses) != len(s.clauses) {
		return
	}
	for i := range s.clauses {
		s.synonymsIn(meant.clauses, i, 0.7*weightSynonym, mistyped, func(clause int) bool { return s.nearest(clause) != "" })
	}
}

// synonymsIn counts the synonyms of a query for texts that end with clause i, if one of their
// clauses may have them.
func (s *refSearch) synonymsIn(clauses []*refClause, i int, weight float64, rung Rung, may func(clause int) bool) {
	if clauses[i].quoted {
		return
	}
	for first := range clauses[:i+1] {
		key, one := "", false
		for n, c := range clauses[first : i+1] {
			one = one || may(first+n)
			switch before := clauses[max(0, first+n-1)]; {
			case n == 0:
				key = c.folded
			case before.han && before.end == c.start: // the first of its two characters ends the one before
				key += string([]rune(c.folded)[1:])
			default:
				key += " " + c.folded
			}
		}
		telling := float64(len(telling(s.clauses[first : i+1])))
		if !one || telling == 0 || len(refTitleWords(key)) > article.MaxSynonymWords {
			continue
		}
		others := s.synonyms[key]
		if len(others) == 0 && first == i {
			others = s.ofForms(clauses[i])
		}
		for _, other := range others {
			other, stems := other.key, s.stemsOfSynonym(other.written)
			way := s.word(other)
			switch {
			case isHan(other) && len([]rune(other)) == 1:
				way = s.spelled(other, func(d *refDoc, form string) float64 { return d.begins[form] })
			case isHan(other) && len([]rune(other)) == 2:
				way = s.spelled(other, func(d *refDoc, form string) float64 { return d.words[form] })
			case strings.Contains(other, " "), isHan(other):
				way = s.saying(other)
			}
			for clause := first; clause <= i; clause++ {
				if !s.clauses[clause].optional {
					s.add(clause, weight/telling, rung, true, way)
					s.add(clause, weight/telling, rung, true, s.havingStem(stems))
				}
			}
			s.said = append(s.said, said{text: other, first: first, last: i, way: waySynonym, stems: stems})
		}
	}
}

// ofForms returns the synonyms of the words that share a stem with a clause.
func (s *refSearch) ofForms(c *refClause) (others []refSynonym) {
	for _, one := range s.stemsOf(c) {
		for _, from := range s.froms {
			if slices.Contains(s.stemsOfSynonym(from.written), one) {
				for _, other := range s.synonyms[from.key] {
					if !slices.ContainsFunc(others, func(known refSynonym) bool { return known.key == other.key }) {
						others = append(others, other)
					}
				}
			}
		}
	}
	return others
}

// stemsOfSynonym returns the stems of a synonym that is one word.
func (s *refSearch) stemsOfSynonym(written string) []stem {
	tokens := refTokens(written)
	if len(tokens) != 1 || tokens[0].han || len(tokens[0].parts) != 1 {
		return nil
	}
	return s.stemsOf(&refClause{lowered: tokens[0].parts[0].lowered, folded: tokens[0].parts[0].folded})
}

// join counts articles that write neighbours of a short query as one word.
func (s *refSearch) join() {
	if len(s.clauses) > questionWords {
		return
	}
	var known []bool
	for _, c := range s.clauses {
		known = append(known, len(c.ways) > 0)
	}
	for first := range s.clauses {
		for last := first + 1; last < min(len(s.clauses), first+4); last++ {
			run := s.clauses[first : last+1]
			word, joins, telling := "", true, float64(len(telling(run)))
			for i, c := range run {
				if i > 0 {
					before := run[i-1]
					joins = joins && s.text[before.end:c.start] == " " && !refDigitsMeet(before.folded, c.folded)
				}
				joins = joins && c.stems()
				word += c.folded
			}
			if len(run) == 2 {
				a, b := run[0].folded, run[1].folded
				number := isDigit(a[len(a)-1]) != isDigit(b[0]) && regexp.MustCompile(`^([0-9.]+[^0-9.]+|[^0-9.]+[0-9.]+)$`).MatchString(word)
				small := run[1].optional && len([]rune(a)) > 1 && len([]rune(b)) > 1 && b != "or" && !s.inflects(word, run[0])
				joins = joins && !run[0].optional && (small || !run[1].optional) && (utf8.RuneCountInString(word) >= 4 || number)
			}
			for i, c := range run {
				joins = joins && (c.optional || known[first+i])
			}
			way := s.word(word)
			if !joins || len(way) == 0 || telling == 0 {
				continue
			}
			for i := first; i <= last; i++ {
				if !s.clauses[i].optional {
					s.add(i, weightWhole/telling, strict, true, way)
				}
			}
			s.said = append(s.said, said{text: word, first: first, last: last, way: wayCompound})
		}
	}
}

// respacedTitles finds the articles whose title is the query but for its spaces.
func (s *refSearch) respacedTitles(unquoted bool, not []string) map[*refDoc]bool {
	found, key := map[*refDoc]bool{}, refTitle(s.text)
	if unquoted || len(not) > 0 || slices.ContainsFunc(s.clauses, func(c *refClause) bool { return c.quoted }) {
		return nil
	}
	unspaced := func(title string) string { return strings.ReplaceAll(title, " ", "") }
	for _, d := range s.docs {
		if key != "" && !d.is(key) && unspaced(d.title) == unspaced(key) {
			found[d] = true
		}
	}
	if len(found) > nearWindow {
		return nil
	}
	numbers := regexp.MustCompile("[0-9]+")
	maps.DeleteFunc(found, func(d *refDoc, _ bool) bool {
		return !slices.Equal(numbers.FindAllString(d.title, -1), numbers.FindAllString(key, -1))
	})
	for d := range found {
		for i, c := range s.clauses {
			if !c.optional {
				c.titled = found
				s.standing[d].matched[i], s.standing[d].touched = strict, true
			}
		}
		s.said = append(s.said, said{text: d.title, last: len(s.clauses) - 1, way: wayCompound})
	}
	return found
}

// compare makes the "vs" between two words optional, unless it rather belongs to the second.
func (s *refSearch) compare() {
	for i, c := range s.clauses {
		if i == 0 || i == len(s.clauses)-1 || c.folded != "vs" && c.folded != "versus" || !c.stems() || c.whole != "" {
			continue
		}
		before, after := s.clauses[i-1], s.clauses[i+1]
		if !before.optional && !after.optional && len(s.word(c.folded)) <= maxApart && len(s.saying(c.folded+" "+after.folded)) <= len(s.saying(before.folded+" "+c.folded)) {
			c.optional = true
		}
	}
}

// inflects reports whether a word has a stem of a clause in some language.
func (s *refSearch) inflects(word string, c *refClause) bool {
	return slices.ContainsFunc(s.langs, func(l *analysis.Language) bool {
		return slices.Contains(s.stemsOf(c), stem{l.Code, l.Stem([]byte(word))})
	})
}

func (s *refSearch) stemsOf(c *refClause) (stems []stem) {
	if c.stems() && strings.Contains(c.folded, ".") { // a version
		return []stem{{inAll, c.folded}}
	}
	if c.stems() {
		for _, l := range s.langs {
			if text := l.Stem([]byte(c.lowered)); text != "" {
				stems = append(stems, stem{l.Code, text})
				if text != c.folded {
					stems = append(stems, stem{l.Code, c.folded})
				}
			}
		}
	}
	return stems
}

// best returns the impact, in each article, of the best of the words to which meant gives a weight.
func (s *refSearch) best(meant func(term string) float64) map[*refDoc]float64 {
	way := map[*refDoc]float64{}
	for _, d := range s.docs {
		for term, times := range d.words {
			if weight := meant(term); weight > 0 {
				way[d] = max(way[d], weight*s.impact(d, min(times, 255)))
			}
		}
	}
	return way
}

// unfinished reports whether the last clause is found, but no article has it as typed, and some
// have words that begin with it.
func (s *refSearch) unfinished() bool {
	c := s.clauses[len(s.clauses)-1]
	begins := func(d *refDoc) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(d.words)), func(term string) bool { return strings.HasPrefix(term, c.folded) })
	}
	return s.typing && !c.optional && c.stems() && utf8.RuneCountInString(c.folded) >= 2 && !isDigit(c.folded[len(c.folded)-1]) &&
		len(c.ways) > 0 && len(s.word(c.folded)) == 0 && slices.ContainsFunc(s.docs, begins)
}

// beginning returns the documents with words that begin with a prefix.
func (s *refSearch) beginning(prefix string) map[*refDoc]float64 {
	if utf8.RuneCountInString(prefix) <= 3 { // all words with this beginning, added up
		return s.having(func(d *refDoc) float64 { return d.begins[prefix] })
	}
	return s.best(func(term string) float64 {
		if strings.HasPrefix(term, prefix) {
			return 1
		}
		return 0
	})
}

// beginning returns how words begin that the clause may become: with a dot after a single digit; ""
// for any other single character.
func (c *refClause) beginning() string {
	switch {
	case utf8.RuneCountInString(c.folded) > 1:
		return c.folded
	case isDigit(c.folded[0]):
		return c.folded + "."
	}
	return ""
}

// prefix widens the last clause to words that begin with it.
func (s *refSearch) prefix(rung Rung) {
	i := len(s.clauses) - 1
	c := s.clauses[i]
	if !s.typing || c.optional || s.prefixed {
		return
	}
	s.prefixed = true
	begins := c.beginning()
	if begins == "" {
		for j, other := range s.clauses {
			if other.optional && (s.need == 1 || s.letter) { // small words count, since there are no others
				other.optional, s.letter = false, true
				s.need++
				s.add(j, weightStem, strict, false, s.word(other.folded))
			}
		}
		if s.letter = s.need > 1; s.letter {
			s.begunTitles(i, s.docs)
		}
		return
	}
	s.begins = begins
	way := s.beginning(begins)
	for d := range way {
		s.standing[d].begun = !c.has(d)
	}
	s.add(i, weightPrefix, rung, true, way)
	s.begunTitles(i, slices.DeleteFunc(slices.Clone(s.docs), func(d *refDoc) bool {
		return !slices.ContainsFunc(d.titleWords, func(word string) bool { return strings.HasPrefix(word, begins) })
	}))
}

// goOn widens the last clause to the titles that go on like the query.
func (s *refSearch) goOn(said bool) {
	i := len(s.clauses) - 1
	c := s.clauses[i]
	if !s.typing || i == 0 {
		return
	}
	if isDigit(c.folded[len(c.folded)-1]) && (said || strings.Contains(c.folded, ".") || len(s.covered) > 0) {
		return
	}
	way := map[*refDoc]float64{}
	var docs []*refDoc
	for _, d := range s.docs {
		if s.goesOn(d) && !s.inTitleOf(d, c) {
			docs = append(docs, d)
			way[d] = 1
			s.standing[d].begun = !c.has(d)
		}
	}
	if len(docs) == 0 {
		return
	}
	s.begins = c.beginning()
	s.add(i, weightPrefix, strict, true, way)
	s.begunTitles(i, docs)
}

// versionTitles widens numbers to the versions in titles that have the other words of the query.
func (s *refSearch) versionTitles() {
	for i, c := range s.clauses {
		if s.need < 2 || !s.countsVersions(i) {
			continue
		}
		way := map[*refDoc]float64{}
		var docs []*refDoc
		for _, d := range s.docs {
			version := slices.ContainsFunc(d.titleWords, func(word string) bool { return strings.HasPrefix(word, c.folded+".") })
			lacks := func(other *refClause) bool { return other != c && !other.optional && !s.inTitleOf(d, other) }
			if version && !s.inTitleOf(d, c) && !s.covered[d] && !slices.ContainsFunc(s.clauses, lacks) {
				docs = append(docs, d)
				way[d] = 1
				s.standing[d].begun = s.standing[d].begun || i == len(s.clauses)-1 && !c.has(d)
			}
		}
		if len(docs) > 0 {
			s.numbers = append(s.numbers, i)
			s.add(i, weightPrefix, strict, true, way)
			s.begunTitles(i, docs)
		}
	}
}

// countsVersions reports whether a clause is a number, and not before another.
func (s *refSearch) countsVersions(i int) bool {
	c := s.clauses[i]
	return !c.optional && c.stems() && refDigits(c.folded) == c.folded && (i == len(s.clauses)-1 || !isDigit(s.clauses[i+1].folded[0]))
}

// beginnings widens the last clause to words that begin with it, and numbers to versions.
func (s *refSearch) beginnings() {
	for i, c := range s.clauses {
		if !s.countsVersions(i) || i == len(s.clauses)-1 && s.typing {
			continue
		}
		way := s.beginning(c.folded + ".")
		if len(way) > 0 {
			s.numbers = append(s.numbers, i)
			s.add(i, weightPrefix, begun, true, way)
		}
	}
	s.prefix(begun)
}

// goesOn reports whether a title begins with the query and continues its last word.
func (s *refSearch) goesOn(d *refDoc) bool {
	key := refTitle(s.text)
	return (strings.HasPrefix(d.title, key) || strings.HasPrefix(d.joined, key)) && !d.starts(key)
}

// inflectsOn reports whether a title begins with the query and continues its last word to another
// form of it.
func (s *refSearch) inflectsOn(d *refDoc) bool {
	i := len(s.clauses) - 1
	c := s.clauses[i]
	return s.typing && i > 0 && !isDigit(c.folded[len(c.folded)-1]) && s.goesOn(d) && s.inTitleOf(d, c) && !slices.Contains(d.titleWords, c.folded)
}

// begunTitles counts those of the titles that have or begin with what is typed, but do not have it
// as a word.
func (s *refSearch) begunTitles(i int, docs []*refDoc) {
	c := s.clauses[i]
	have := slices.DeleteFunc(slices.Clone(docs), func(d *refDoc) bool { return s.inTitleOf(d, c) })
	for _, d := range have {
		one := s.standing[d]
		if one.touched && !s.letter {
			one.score += c.times * s.inTitle() * weightPrefix * s.idf(len(have))
		}
		if !s.covered[d] && !slices.ContainsFunc(s.clauses, func(other *refClause) bool { return other != c && !other.optional && !s.inTitleOf(d, other) }) {
			s.covered[d] = true
			one.score *= s.covers(d)
		}
		if s.goesOn(d) {
			one.score *= 1 + weightStarts
		}
	}
}

// mistakes widens rare clauses to words that are a few edits away.
func (s *refSearch) mistakes() {
	found := s.counts()
	for key := range s.pins {
		for _, word := range refTitleWords(key) {
			found[word] += 0
		}
	}
	for key := range s.synonyms {
		for _, word := range refTitleWords(key) {
			found[word] += 0
		}
	}
	s.unknown = map[int]bool{}
	for i, c := range s.clauses {
		s.unknown[i] = len(c.ways) == 0
	}
	s.together(found)
	for i := range s.clauses {
		s.mistake(i, found)
	}
	s.meantOtherwise()
	s.meantTitles()
}

// together widens clauses to the word that two of them are without a space.
func (s *refSearch) together(found map[string]int) {
	for i := range s.clauses[1:] {
		a, b := s.clauses[i], s.clauses[i+1]
		word := a.folded + b.folded
		if s.joined[i-1] || !a.stems() || !b.stems() || a.optional && b.optional || s.text[a.end:b.start] != " " || utf8.RuneCountInString(word) < 4 || refDigitsMeet(a.folded, b.folded) || found[word] == 0 {
			continue
		}
		if !a.optional && s.unknown[i] || !b.optional && s.unknown[i+1] {
			s.joined[i], s.spaced[i] = true, word
		}
		for clause := i; clause <= i+1; clause++ {
			if !s.clauses[clause].optional {
				s.add(clause, (weightExact+weightStem)*0.7/2, mistyped, true, s.word(word))
			}
		}
		s.said = append(s.said, said{text: word, first: i, last: i + 1, way: wayTypo})
	}
}

// mistake widens clause i, if it is rare, to words that are a few edits away, or to two words.
func (s *refSearch) mistake(i int, found map[string]int) {
	c := s.clauses[i]
	n := utf8.RuneCountInString(c.folded)
	titled := slices.ContainsFunc(s.docs, func(d *refDoc) bool { return slices.Contains(d.titleWords, c.folded) })
	if !c.stems() || c.optional || found[c.folded] > 3 || titled && s.need > 1 || s.joined[i] || s.joined[i-1] {
		return
	}
	if n < 4 {
		s.lookWithin(i)
		return
	}
	var candidates []candidate
	for term, articles := range found {
		distance, longer := refDistance([]rune(c.folded), []rune(term), 2), max(n, utf8.RuneCountInString(term))
		if term == c.folded || distance > 2 || longer < 5 || distance == 2 && longer < 9 || distance == 2 && n < 8 {
			continue
		}
		if refDigits(term) != refDigits(c.folded) {
			continue
		}
		weight := float32(0.7)
		if distance == 2 {
			weight = 0.5
		}
		if []rune(term)[0] != []rune(c.folded)[0] {
			weight *= 0.7
		}
		stop := slices.ContainsFunc(s.langs, func(l *analysis.Language) bool { return l.IsStop(term) })
		candidates = append(candidates, candidate{weightedTerm{term, weight}, articles, stop})
	}
	// Two edits are only tried if no word one edit away is in more than 3 articles.
	near := func(one candidate) bool { return refDistance([]rune(c.folded), []rune(one.term), 1) < 2 }
	if slices.ContainsFunc(candidates, func(one candidate) bool { return near(one) && one.found > 3 }) {
		candidates = slices.DeleteFunc(candidates, func(one candidate) bool { return !near(one) })
	} else { // one word that should be two
		saying := map[*refDoc]float64{}
		for at := range c.folded {
			first, second := c.folded[:at], c.folded[at:]
			if utf8.RuneCountInString(first) < 2 || utf8.RuneCountInString(second) < 2 || refDigitsMeet(first, second) || found[first] == 0 || found[second] == 0 {
				continue
			}
			if way := s.saying(first + " " + second); len(way) > len(saying) {
				saying, s.spaced[i] = way, first+" "+second
			}
		}
		if s.spaced[i] != "" {
			s.add(i, (weightExact+weightStem)*0.7, mistyped, true, saying)
			s.said = append(s.said, said{text: s.spaced[i], first: i, last: i, way: wayTypo})
		}
	}
	if len(candidates) == 0 {
		if s.spaced[i] == "" {
			s.lookWithin(i)
		}
		return
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		last := map[bool]int{true: 1}
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(last[a.stop], last[b.stop]), cmp.Compare(b.found, a.found), cmp.Compare(a.term, b.term))
	})
	for _, one := range candidates {
		s.typos[i] = append(s.typos[i], one.weightedTerm)
	}
	way := s.best(func(term string) float64 {
		for _, one := range s.typos[i] {
			if one.term == term {
				return float64(one.weight)
			}
		}
		return 0
	})
	if stems := s.stemsOf(&refClause{lowered: candidates[0].term, folded: candidates[0].term}); len(stems) > 0 {
		s.typoStems[i] = stems
		for d, impact := range s.havingStem(stems) {
			way[d] = max(way[d], weightInflected*float64(candidates[0].weight)*impact)
		}
	}
	widen := func(rung Rung) { s.add(i, weightExact+weightStem, rung, true, way) }
	if found[c.folded] > 0 && s.need > 1 {
		s.doubtful = append(s.doubtful, func() { widen(missing) })
		return
	}
	widen(mistyped)
}

// meantTitles counts what titles have of the corrected query.
func (s *refSearch) meantTitles() {
	factor := map[*refDoc]float64{}
	titles := func(i int, word string) { // titles that are the query with another word for a clause
		key := refTitle(s.meant(s.text, func(j int) string {
			if j == i {
				return word
			}
			return s.nearest(j)
		}))
		for _, d := range s.docs {
			switch {
			case d.is(key):
				factor[d] = 1 + weightEqual
			case d.starts(key):
				factor[d] = max(factor[d], 1+weightStarts)
			}
		}
	}
	for i, word := range s.spaced {
		titles(i, word)
	}
	for i, forms := range s.typos {
		for n, form := range forms[:min(len(forms), maxTitleForms)] {
			titles(i, form.term)
			have := s.titlesWith(form.term)
			for _, d := range have {
				// The best of the forms counts; none does if the title has the word as typed.
				better := func(other weightedTerm) bool { return slices.Contains(d.titleWords, other.term) }
				if !slices.Contains(d.titleWords, s.clauses[i].folded) && !slices.ContainsFunc(forms[:n], better) && s.standing[d].touched {
					s.standing[d].score += s.clauses[i].times * s.inTitle() * float64(form.weight) * s.idf(len(have))
				}
			}
		}
	}
	// Titles with all words, some of them corrected.
	for _, d := range s.docs {
		has := func(i int) bool {
			c := s.clauses[i]
			if c.optional || s.inTitleOf(d, c) || slices.ContainsFunc(s.typoStems[i], d.hasInTitle) {
				return true
			}
			if forms := s.typos[i]; slices.ContainsFunc(forms[:min(len(forms), 3)], func(one weightedTerm) bool { return slices.Contains(d.titleWords, one.term) }) {
				return true
			}
			if within := s.within[i]; within != "" && slices.ContainsFunc(d.titleWords, func(word string) bool { return s.hasWithin(word, within) }) {
				return true
			}
			return slices.ContainsFunc(s.said, func(one said) bool {
				return one.way == wayTypo && one.standsFor(i) && d.hasAllInTitle(one.text)
			})
		}
		all := !s.covered[d]
		for i := range s.clauses {
			all = all && has(i)
		}
		if all {
			s.standing[d].score *= s.covers(d)
		}
	}
	for d, f := range factor {
		s.standing[d].score *= f
	}
}

// refDigits returns the digits of a word.
func refDigits(word string) string { return regexp.MustCompile("[^0-9]").ReplaceAllString(word, "") }

// refDigitsMeet reports whether a digit ends the first word, and one begins the second.
func refDigitsMeet(a, b string) bool { return isDigit(a[len(a)-1]) && isDigit(b[0]) }

// refDistance returns the number of edits between two words, a swap of neighbours being one, by
// trying all edits. If they are more than most, it returns any number above most.
func refDistance(a, b []rune, most int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if longer := max(len(a)-len(b), len(b)-len(a)); longer > most || len(a) == 0 || len(b) == 0 {
		return longer
	}
	if most == 0 {
		return 1
	}
	best := func(a, b []rune) int { return 1 + refDistance(a, b, most-1) }
	n := min(best(a[1:], b), best(a, b[1:]), best(a[1:], b[1:]))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		n = min(n, best(a[2:], b[2:]))
	}
	return n
}

// refMark is a place in a text that matches a clause, and stands for the clauses from first to
// last.
type refMark struct{ start, end, clause, first, last int }

// marks returns the places in the text of an article that match what was searched so far.
func (s *refSearch) marks(d *refDoc) []refMark {
	text := d.article.ContentText
	var all []refMark
	optional := func(i int) bool { return s.clauses[all[i].clause].optional }
	touches := func(i int) bool { return i > 0 && i < len(all) && all[i].start-all[i-1].end <= 1 }
	follows := func(i int) bool { return all[i].first == all[i-1].last+1 }
	settle := func(from int) {
		if from == 0 || !optional(from-1) || touches(from) && (!optional(from) || follows(from)) {
			return
		}
		first := from - 1 // the first mark of the row that ends here
		for touches(first) && optional(first-1) && follows(first) {
			first--
		}
		if touches(first) && !optional(first-1) {
			return
		}
		all = slices.Delete(all, first, from)
	}
	tokens := refTokens(text)
	until := 0
	for nth, t := range tokens {
		before := len(all)
		if t.han {
			for i, p := range t.parts {
				end, clause := i, -1
				for n, c := range s.clauses {
					if c.han && !c.single && i+1 < len(t.parts) && c.folded == p.folded+t.parts[i+1].folded {
						end, clause = i+1, n
					}
				}
				for _, said := range s.said { // the two characters of a synonym take precedence over one of the query
					if clause < 0 && isHan(said.text) && !strings.Contains(said.text, " ") && i+1 < len(t.parts) && strings.Contains(said.text, p.folded+t.parts[i+1].folded) {
						end, clause = i+1, said.last
					}
				}
				for n, c := range s.clauses {
					if end == i && c.single && c.folded == p.folded {
						clause = n
					}
				}
				for _, said := range s.said {
					if clause < 0 && said.text == p.folded && isHan(said.text) {
						clause = said.last
					}
				}
				if clause < 0 {
					continue
				}
				one := refMark{p.start, t.parts[end].end, clause, clause, clause}
				if n := len(all); n > 0 && all[n-1].end >= one.start {
					if all[n-1].clause == clause {
						all[n-1].end = max(all[n-1].end, one.end)
						continue
					}
					if one.start = all[n-1].end; one.start >= one.end {
						continue
					}
				}
				all = append(all, one)
			}
		} else if clause, first := s.meansWhole(d, t.whole); t.start >= until && t.whole != "" && len(t.parts) <= 4 && clause >= 0 {
			all = append(all, s.mark(t.start, t.end, clause, first, t.whole))
		} else {
			for i, p := range t.parts {
				if p.start < until {
					continue
				}
				behind := t.parts[i:]
				for _, later := range tokens[nth+1:] {
					behind = append(slices.Clip(behind), later.parts...)
				}
				if spoken := s.speaks(behind); len(spoken) > 0 {
					all = append(all, spoken...)
					until = spoken[len(spoken)-1].end
				} else if clause, first := s.meansWord(d, p); clause >= 0 {
					all = append(all, s.mark(p.start, p.end, clause, first, p.folded))
				}
			}
			if len(all) == before && t.start >= until && len(t.parts) <= 4 && s.begun(t.whole) && s.loosely(d, len(s.clauses)-1) {
				all = append(all, s.mark(t.start, t.end, len(s.clauses)-1, len(s.clauses)-1, ""))
			}
		}
		settle(before)
	}
	settle(len(all))
	return all
}

// means returns the clause that a word or compound is a form of, or -1.
func (s *refSearch) means(folded string) int {
	for i, c := range s.clauses {
		if !c.han && (c.folded == folded || c.whole != "" && c.whole == folded && !c.optional) {
			return i
		}
	}
	for _, said := range s.said {
		if said.text == folded {
			return said.last
		}
	}
	return -1
}

// mark returns the mark of a form of a clause.
func (s *refSearch) mark(start, end, clause, first int, form string) refMark {
	one := refMark{start, end, clause, first, clause}
	if c := s.clauses[clause]; c.folded == form {
		return one
	} else if c.whole == form {
		for one.last+1 < len(s.clauses) && s.clauses[one.last+1].whole == form {
			one.last++
		}
		return one
	}
	for _, said := range s.said {
		if said.text == form {
			one.first = said.first
			break
		}
	}
	return one
}

// speaks returns the marks of the first words of a text, if these stand for clauses.
func (s *refSearch) speaks(parts []refPart) (marks []refMark) {
	for _, said := range s.said {
		words := strings.Fields(said.text)
		if len(words) < 2 || len(parts) < len(words) {
			continue
		}
		marks = nil
		for i, w := range words {
			if parts[i].folded == w {
				marks = append(marks, refMark{parts[i].start, parts[i].end, said.last, said.first, said.last})
			}
		}
		if len(marks) == len(words) {
			return marks
		}
	}
	return nil
}

// meansWhole is like means; a compound may also be the stem of a word, or a typo.
func (s *refSearch) meansWhole(d *refDoc, folded string) (clause, first int) {
	clause, loose := s.means(folded), false
	first = clause
	if clause < 0 {
		clause, first, loose = s.meansStem(d, func(*analysis.Language) string { return folded })
	}
	if clause < 0 {
		clause, loose = s.meansTypo(folded), true
		first = clause
	}
	if loose && !s.loosely(d, clause) {
		return -1, -1
	}
	return clause, first
}

// meansWord is like means, but also looks at the stem and the beginning of a word.
func (s *refSearch) meansWord(d *refDoc, p refPart) (clause, first int) {
	clause, loose := s.means(p.folded), false
	first = clause
	if clause < 0 {
		clause, first, loose = s.meansStem(d, func(l *analysis.Language) string { return l.Stem([]byte(p.lowered)) })
	}
	if clause < 0 || loose { // a word may be a stem, too
		if itself, from, is := s.meansStem(d, func(*analysis.Language) string { return p.folded }); itself >= 0 {
			clause, first, loose = itself, from, is
		}
	}
	if clause < 0 {
		clause, loose = s.meansTypo(p.folded), true
		first = clause
	}
	if clause < 0 && s.begun(p.folded) {
		clause = len(s.clauses) - 1
		first = clause
	}
	for _, i := range s.numbers {
		if clause < 0 && strings.HasPrefix(p.folded, s.clauses[i].folded+".") {
			clause, first, loose = i, i, true
		}
	}
	if loose && !s.loosely(d, clause) {
		return -1, -1
	}
	return clause, first
}

// meansStem returns the clause that has a stem, the first of all clauses that it stands for, and
// whether only a correction has it.
func (s *refSearch) meansStem(d *refDoc, text func(*analysis.Language) string) (clause, first int, loose bool) {
	for _, l := range s.langsOf(d) {
		found, first, one := -1, -1, stem{l.Code, text(l)}
		for i := range s.clauses {
			if slices.Contains(s.typoStems[i], one) {
				found, first, loose = i, i, true
			}
		}
		for _, said := range slices.Backward(s.said) {
			if slices.Contains(said.stems, one) {
				found, first, loose = said.last, said.first, false
			}
		}
		for i, c := range s.clauses {
			if slices.Contains(s.stemsOf(c), one) {
				found, first, loose = i, i, false
			}
		}
		if found >= 0 {
			return found, first, loose
		}
	}
	return -1, -1, false
}

// meansTypo returns the clause that a word may be a correction of, or -1.
func (s *refSearch) meansTypo(folded string) int {
	for i := range s.clauses {
		typo := slices.ContainsFunc(s.typos[i], func(one weightedTerm) bool { return one.term == folded })
		if typo || s.within[i] != "" && s.hasWithin(folded, s.within[i]) {
			return i
		}
	}
	return -1
}

// lookWithin widens clause i to longer words that have it in them or, if it is short, to words of
// titles that begin with it, if no article has it.
func (s *refSearch) lookWithin(i int) {
	c := s.clauses[i]
	if utf8.RuneCountInString(c.folded) < 3 || c.quoted || slices.ContainsFunc(s.docs, c.has) {
		return
	}
	s.within[i] = c.folded
	way := s.best(func(term string) float64 {
		if s.hasWithin(term, c.folded) {
			return 1
		}
		return 0
	})
	if utf8.RuneCountInString(c.folded) < 5 {
		clear(way)
		for _, d := range s.docs {
			if slices.ContainsFunc(d.titleWords, func(word string) bool { return s.hasWithin(word, c.folded) }) {
				way[d] = 1
			}
		}
	}
	s.add(i, 0.6, mistyped, true, way)
}

// hasWithin reports whether a word of an article contains another or, if that is short, is a word
// of a title that begins with it.
func (s *refSearch) hasWithin(term, word string) bool {
	if !strings.Contains(term, word) || isDigit(term[0]) || isHan(term) {
		return false
	}
	titled := func(d *refDoc) bool { return slices.Contains(d.titleWords, term) }
	return utf8.RuneCountInString(word) >= 5 || strings.HasPrefix(term, word) && slices.ContainsFunc(s.docs, titled) && len(s.word(term)) > 0
}

// loosely reports whether an article has a clause only as a beginning, or with a typo; in other
// articles these are not marked.
func (s *refSearch) loosely(d *refDoc, clause int) bool {
	rung, ok := s.standing[d].matched[clause]
	return ok && (rung > strict || clause == len(s.clauses)-1 && s.standing[d].begun)
}

// langsOf returns the languages in which words of an article have stems: its own or, if that has
// none, English.
func (r *reference) langsOf(d *refDoc) (langs []*analysis.Language) {
	for _, l := range r.langs {
		if l.Code == d.language || l.Code == "en" && !r.stemmed(d.language) {
			langs = append(langs, l)
		}
	}
	return langs
}

func (s *refSearch) begun(folded string) bool {
	return s.begins != "" && folded != "" && strings.HasPrefix(folded, s.begins)
}

// near returns the reward for words that are near each other in the text of an article.
func (s *refSearch) near(d *refDoc) float64 {
	weight := func(c *refClause) float64 {
		if c.optional {
			return 0.05
		}
		most := 0
		for _, way := range c.ways {
			most = max(most, len(way))
		}
		return 0.1 + s.idf(most)
	}
	best := make([]float64, len(s.clauses))
	marks, text := s.marks(d), d.article.ContentText
	for j := range marks {
		for c := marks[j].first + 1; c <= marks[j].last; c++ {
			best[c] = max(best[c], (weight(s.clauses[c-1])+weight(s.clauses[c]))/2)
		}
		for k := j - 1; k >= max(0, j-nearWords); k-- {
			a, b := marks[k], marks[j]
			if a.clause == b.clause || utf8.RuneCountInString(text[min(a.end, b.start):b.start]) > nearLetters {
				break
			}
			first, second := s.clauses[a.clause], s.clauses[b.clause]
			if first.han && !first.single && second.han && !second.single {
				continue
			}
			gap := 1 + float64(utf8.RuneCountInString(text[min(a.end, b.start):b.start])-1)/wordLetters
			apart := b.clause - a.clause
			if apart < 0 {
				apart, gap = -apart, gap+1
			}
			if apart <= nearWords {
				later := max(a.clause, b.clause)
				best[later] = max(best[later], (weight(first)+weight(second))/(2*gap*float64(apart)))
			}
		}
	}
	sum := 0.0
	for _, n := range best {
		sum += weightNear * n
	}
	return sum
}

// meant returns a text of the query with the words that word returns in place of its clauses; ""
// keeps a clause.
func (s *refSearch) meant(text string, word func(i int) string) string {
	words := map[*refClause]string{}
	var places []*refClause
	for i, c := range s.clauses {
		if to := word(i); to != "" {
			for _, place := range append([]*refClause{c}, c.again...) {
				words[place] = to
				places = append(places, place)
				if s.joined[i] {
					words[place] += "\n"
					places = append(places, s.clauses[i+1])
					break
				}
			}
		}
	}
	slices.SortFunc(places, func(a, b *refClause) int { return cmp.Compare(b.start, a.start) })
	for _, c := range places {
		text = text[:c.start] + words[c] + text[c.end:]
	}
	return strings.ReplaceAll(text, "\n ", "") // removes the space before the second of two words that are one
}

// nearest returns the correction of clause i; "" if some article has it as it is.
func (s *refSearch) nearest(i int) string {
	switch {
	case s.joined[i] || s.unknown[i] && s.spaced[i] != "":
		return s.spaced[i]
	case len(s.typos[i]) == 0 || !s.unknown[i]:
		return ""
	}
	return s.typos[i][0].term
}

// slip returns the query with a word that no article has, nor its stem as a word, replaced by a
// word of a title; or with a space before the number of a name that no article has so; or "".
func (s *refSearch) slip(allowed func(*refDoc) bool) string {
	if len(s.phrases) > 0 || len(s.covered) > 0 || len(s.pins[refTitle(s.text)]) > 0 {
		return ""
	}
	found := s.counts()
	for i, c := range s.clauses {
		if parts := refUnit.FindStringSubmatch(c.folded); len(c.ways) == 0 && len(c.titled) == 0 || parts != nil && strings.Contains(c.folded, ".") {
			if i == len(s.clauses)-1 && s.typing && len(s.beginning(c.folded)) > 0 {
				return ""
			}
			if version := s.version(c, parts); version != "" {
				return s.meant(s.text, func(j int) string { return map[int]string{i: version}[j] })
			}
			continue
		}
		known := func(one stem) bool { return found[one.text] > 0 }
		otherwise := func(one said) bool { return one.standsFor(i) }
		if slices.ContainsFunc(s.said, otherwise) || !c.stems() || c.optional || c.whole != "" || len(c.ways) == 0 || utf8.RuneCountInString(c.folded) < 5 || found[c.folded] > 0 || slices.ContainsFunc(s.stemsOf(c), known) {
			continue
		}
		likely := []string{}
		for term := range found {
			if i == len(s.clauses)-1 && s.typing && strings.HasPrefix(term, c.folded) {
				return ""
			}
			if refDistance([]rune(term), []rune(c.folded), 1) == 1 && []rune(term)[0] == []rune(c.folded)[0] && refDigits(term) == refDigits(c.folded) {
				likely = append(likely, term)
			}
		}
		slices.SortFunc(likely, func(a, b string) int { return cmp.Or(cmp.Compare(found[b], found[a]), cmp.Compare(a, b)) })
		for _, term := range likely {
			for _, d := range s.docs {
				misses := func(other *refClause) bool { return other != c && !other.optional && !s.inTitleOf(d, other) }
				if allowed(d) && slices.Contains(d.titleWords, term) && !slices.ContainsFunc(s.clauses, misses) {
					return s.meant(s.text, func(j int) string {
						if j == i {
							return term
						}
						return ""
					})
				}
			}
		}
	}
	return ""
}

// version returns a name with a number as two words, if no article has it as one and some have the
// name and a version that begins with the number; or "".
func (s *refSearch) version(c *refClause, parts []string) string {
	if parts == nil || len(parts[3]) < 2 || !c.stems() || c.optional || c.whole != "" || len(s.word(c.folded)) > 0 {
		return ""
	}
	for _, d := range s.docs {
		begins := func(word string) bool { return strings.HasPrefix(word, parts[4]+".") }
		if d.words[parts[3]] > 0 && slices.ContainsFunc(slices.Collect(maps.Keys(d.words)), begins) {
			return parts[3] + " " + parts[4]
		}
	}
	return ""
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

// titles counts what titles have of the query, and notes which have all of it.
func (s *refSearch) titles(respaced map[*refDoc]bool, worded bool) {
	key := refTitle(s.text)
	for _, c := range s.clauses {
		var have, inflected []*refDoc
		for _, d := range s.docs {
			switch {
			case c.optional:
			case slices.Contains(d.titleWords, c.folded):
				have = append(have, d)
			case s.inTitleOf(d, c):
				inflected = append(inflected, d)
			}
		}
		for worth, docs := range map[float64][]*refDoc{1: have, weightStemmed: inflected} {
			for _, d := range docs {
				if s.standing[d].touched {
					s.standing[d].score += c.times * worth * s.inTitle() * s.idf(len(docs))
				}
			}
		}
	}
	ones := slices.DeleteFunc(slices.Clone(s.said), func(one said) bool { return one.way != wayCompound })
	for i, c := range s.clauses {
		if c.whole != "" && (i == 0 || s.clauses[i-1].whole != c.whole) {
			last := i
			for last+1 < len(s.clauses) && s.clauses[last+1].whole == c.whole {
				last++
			}
			ones = append(ones, said{text: c.whole, first: i, last: last, way: wayCompound})
		}
	}
	factor := map[*refDoc]float64{} // of titles that are the query with some words joined
	for _, one := range ones {
		run := s.clauses[one.first : one.last+1]
		s.respacedInTitles(one)
		key := refTitle(s.text[:run[0].start] + one.text + s.text[run[len(run)-1].end:])
		for _, d := range s.docs {
			switch {
			case d.is(key) && respaced[d]:
			case d.is(key):
				factor[d] = 1 + weightEqual
			case d.starts(key):
				factor[d] = max(factor[d], 1+weightStarts)
			}
		}
	}
	for _, d := range s.docs {
		lacks := func(i int, c *refClause) bool {
			otherwise := func(one said) bool { return one.standsFor(i) && d.hasAllInTitle(one.text) }
			return !c.optional && !s.inTitleOf(d, c) && !slices.ContainsFunc(ones, otherwise)
		}
		covers := true
		for i, c := range s.clauses {
			covers = covers && !lacks(i, c)
		}
		if covers {
			s.covered[d] = true
			s.standing[d].score *= s.covers(d)
		}
		if d.starts(key) || s.inflectsOn(d) {
			s.standing[d].score *= 1 + weightStarts
		}
		if factor[d] > 0 {
			s.standing[d].score *= factor[d]
		}
	}
	s.partTitles(worded)
	s.asTyped(slices.DeleteFunc(slices.Clone(s.docs), func(d *refDoc) bool { return (key == "" || !d.is(key)) && !respaced[d] }))
}

// partTitles counts that a title is a part of the query. If several articles have all words, and
// none says the query, those with such a title of two words or more, small ones aside, need not.
func (s *refSearch) partTitles(worded bool) {
	if s.need < 2 {
		return
	}
	strictly := map[*refDoc]bool{}
	for _, d := range s.docs {
		if len(s.standing[d].matched) == s.need {
			strictly[d] = true
		}
	}
	lifts := !worded && len(strictly) > fewArticles && !slices.ContainsFunc(s.clauses, func(c *refClause) bool { return c.quoted })
	for _, d := range s.docs {
		words, tell := 0, 0
		for _, c := range s.clauses {
			switch in := func(d *refDoc) bool { return s.inTitleOf(d, c) }; {
			case in(d):
				if words++; !c.optional {
					tell++
				}
			case !c.optional && slices.ContainsFunc(slices.Collect(maps.Keys(strictly)), in): // others are about it
				tell = -len(s.clauses)
			}
		}
		n := len(refTitleWords(d.title))
		if s.covered[d] || n == 0 || n >= maxTitleWords || words != n || !strictly[d] && !(lifts && tell > 1 && s.standing[d].touched) {
			continue
		}
		s.standing[d].score *= 1 + weightPart
		if !strictly[d] {
			s.lifted[d] = true
			s.lifts++
		}
	}
}

// asTyped counts that a title has the accents and spaces of the query, if others that are the
// query have not; then its signs, then its case.
func (s *refSearch) asTyped(equal []*refDoc) {
	if len(equal) > nearWindow {
		return
	}
	for i, spelled := range []func(string) string{refLowered, strings.ToLower, strings.TrimSpace} {
		same := slices.DeleteFunc(slices.Clone(equal), func(d *refDoc) bool { return spelled(d.article.Title) != spelled(s.text) })
		isPreferred := func(d *refDoc) bool {
			return !slices.ContainsFunc(equal, func(other *refDoc) bool { return other.boost > d.boost })
		}
		fair := i == 0 || slices.ContainsFunc(same, isPreferred)
		for _, d := range same {
			if fair && len(same) < len(equal) {
				s.standing[d].score *= 1 + weightEqual
			}
		}
	}
}

// refLowered returns the words of a title or a query in lower case.
func refLowered(text string) string {
	var words []string
	for _, t := range refTokens(text) {
		for _, p := range t.parts {
			words = append(words, p.lowered)
		}
	}
	return strings.Join(words, " ")
}

// titlesWith returns the articles whose title has all words of a text.
func (r *reference) titlesWith(text string) (have []*refDoc) {
	for _, d := range r.docs {
		if d.hasAllInTitle(text) {
			have = append(have, d)
		}
	}
	return have
}

// respacedInTitles counts the titles that have clauses with a space more or less, but not as typed.
func (s *refSearch) respacedInTitles(one said) {
	have, telling := s.titlesWith(one.text), telling(s.clauses[one.first:one.last+1])
	for _, c := range telling {
		for _, d := range have {
			if s.standing[d].touched && !slices.Contains(d.titleWords, c.folded) {
				s.standing[d].score += c.times * s.inTitle() / float64(len(telling)) * s.idf(len(have))
			}
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
		one := func(values []string, has func(string) bool) bool {
			return len(values) == 0 || slices.ContainsFunc(values, has)
		}
		return !d.excluded &&
			one(q.Tags, func(tag string) bool {
				return slices.ContainsFunc(d.article.Tags, func(own string) bool {
					return refFold(strings.ToLower(own)) == refFold(strings.ToLower(tag))
				})
			}) &&
			one(q.Languages, func(tag string) bool {
				return d.article.Language == tag || strings.HasPrefix(d.article.Language, tag+"-")
			}) &&
			(given || !slices.ContainsFunc(s.phrases, func(p string) bool { return !d.says(p) })) &&
			!slices.ContainsFunc(not, d.says)
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
			one := s.standing[d]
			if taken[d] || !allowed(d) || len(one.matched) == 0 && !s.lifted[d] {
				continue
			}
			at := strict
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
			if s.lifted[d] {
				at = strict
			}
			if given {
				at = unphrased
			}
			if at > rung {
				continue
			}
			if at == strict && (d.is(key) && key != "" || respaced[d]) {
				at = titled
			}
			fresh = append(fresh, refHit{d, at, one.score * d.boost})
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

func refCompare(a, b refHit) int {
	return cmp.Or(cmp.Compare(a.rung, b.rung), cmp.Compare(b.score, a.score),
		b.doc.article.DatePublished.Compare(a.doc.article.DatePublished), cmp.Compare(a.doc.article.ID, b.doc.article.ID))
}

// randomSite makes small sites from few words, so that everything meets everything.
type randomSite struct{ *rand.Rand }

// Words that are near each other in every way that the ladder knows.
var siteWords = strings.Fields("swap swaps swapping swapfile swept atomic atomically atomik atoms index indexes indexing indices " +
	"café cafe cafés naïve zürich straße strasse hot-swap hotswap wi-fi wifi fi the not in who plug plugin swapin indexin über about 42 42.1 4711 reliability reliable " +
	"internationalisation internationalization a-swap aswap gb 42gb hotswapfi 北京 北京大学 大学 人工智能 学 大學 學 北京大學 里面 裡面 裏 学里 學裡 tulis menulis penulisan")

// word returns a random word: the first ones more often, so that several articles have all words of
// a query.
func (r randomSite) word() string { return siteWords[r.IntN(1+r.IntN(len(siteWords)))] }

func (r randomSite) text(words int) string {
	all := make([]string, words)
	for i := range all {
		if all[i] = r.word(); r.IntN(8) == 0 {
			all[i] += "."
		}
		if r.IntN(8) == 0 {
			letters := []rune(all[i])
			letters[0] = unicode.ToUpper(letters[0])
			all[i] = string(letters)
		}
	}
	return strings.Join(all, " ")
}

func (r randomSite) article(id string) article.Article {
	languages := strings.Fields("en en-GB de fr zh sr id")
	a := note(id, languages[r.IntN(len(languages))], r.text(1+r.IntN(3)), r.text(1+r.IntN(12)))
	if r.IntN(10) == 0 {
		a.Title = []string{"swap 42.1", "swap 42.5 " + r.word(), "swap 4.2", "swap42"}[r.IntN(4)]
	}
	a.Summary = r.text(r.IntN(4))
	for range r.IntN(3) {
		a.Tags = append(a.Tags, strings.Trim(r.word(), "."))
	}
	if r.IntN(4) > 0 {
		a.DatePublished = time.Unix(int64(r.IntN(3))*86400, 0).UTC()
	}
	return a
}

func (r randomSite) articles() []article.Article {
	var all []article.Article
	for i := range 1 + r.IntN(40) {
		id := "d" + strconv.Itoa(i)
		if i > 0 && r.IntN(5) == 0 { // a twin, for ties
			twin := all[r.IntN(i)]
			twin.ID = id
			twin.DatePublished = time.Unix(int64(r.IntN(2))*86400, 0).UTC()
			all = append(all, twin)
			continue
		}
		all = append(all, r.article(id))
	}
	if only := []string{"", "", "", "en", "vi", "id"}[r.IntN(6)]; only != "" { // some sites have one language; in some, no stemmer knows words with accents
		for i := range all {
			all[i].Language = only
		}
	}
	return all
}

func (r randomSite) settings(articles []article.Article) (s article.SearchSettings) {
	s.Language = []string{"", "en", "zh"}[r.IntN(3)]
	for _, a := range articles {
		one := article.ArticleSettings{ID: a.ID}
		switch r.IntN(12) {
		case 0:
			one.Boost = []float64{0.5, 2, 10}[r.IntN(3)]
		case 1:
			one.Exclude = true
		case 2:
			one.Pin = []string{r.word(), r.query(articles)}
		default:
			continue
		}
		s.Articles = append(s.Articles, one)
	}
	slices.SortFunc(s.Articles, func(a, b article.ArticleSettings) int { return cmp.Compare(a.ID, b.ID) })
	for range r.IntN(4) {
		group := []string{r.word(), r.word() + " " + r.word()}
		other := append([]string{r.word()}, group...)
		if r.IntN(2) == 0 {
			other = []string{r.word()}
		}
		s.Synonyms = append(s.Synonyms, article.Synonym{From: group, To: other})
	}
	return s
}

// query returns a query as people type it: words, beginnings, typos, phrases, exclusions.
func (r randomSite) query(articles []article.Article) string {
	if r.IntN(10) == 0 {
		return articles[r.IntN(len(articles))].Title
	}
	if r.IntN(8) == 0 { // a title and more
		return []string{"", r.word() + " "}[r.IntN(2)] + articles[r.IntN(len(articles))].Title + " " + r.word()
	}
	if r.IntN(12) == 0 { // a title that is still being typed
		title := []rune(articles[r.IntN(len(articles))].Title)
		return strings.TrimRight(string(title[:max(1, len(title)-1-r.IntN(4))]), "-")
	}
	if r.IntN(20) == 0 { // pasted text, with signs that seem to exclude
		words := strings.Fields(articles[r.IntN(len(articles))].ContentText)
		for i := range words {
			if r.IntN(4) == 0 {
				words[i] = "-" + words[i]
			}
		}
		return strings.Join(words, " ")
	}
	if r.IntN(20) == 0 { // a name with a number
		return []string{"swap42", "swap4", "swap42 " + r.word()}[r.IntN(3)]
	}
	if r.IntN(20) == 0 { // a word and a small one, which some write as one
		return []string{"plug in ", "swap in ", "index in "}[r.IntN(3)] + r.word()
	}
	phrase := func() string {
		if r.IntN(4) == 0 { // hardly any article has it
			return `"` + r.word() + " " + r.word() + `"`
		}
		words := strings.Fields(articles[r.IntN(len(articles))].ContentText)
		at := r.IntN(len(words))
		return `"` + strings.Join(words[at:min(len(words), at+1+r.IntN(3))], " ") + `"`
	}
	words := 1 + r.IntN(4)
	if r.IntN(8) == 0 { // a question
		words = 5 + r.IntN(12)
	}
	var all []string
	for range words {
		word := r.word()
		letters := []rune(word)
		switch r.IntN(10) {
		case 0:
			word = phrase()
		case 1:
			word = "-" + word
		case 2:
			word = "-" + phrase()
		case 3, 4:
			if !isHan(word) {
				word = strings.TrimRight(string(letters[:1+r.IntN(len(letters))]), "-")
			}
		case 5, 6:
			if at := r.IntN(len(letters)); at > 0 && !isHan(word) && letters[at] != '-' && letters[at-1] != '-' {
				letters[at], letters[at-1] = letters[at-1], letters[at]
				if r.IntN(2) == 0 {
					letters = slices.Delete(letters, at, at+1)
				}
				word = strings.Trim(string(letters), "-")
			}
		case 7: // a typo within the word
			if n := len(letters); n > 5 {
				word = strings.Trim(string(letters[1:n-r.IntN(n-5)]), "-")
			}
		}
		all = append(all, word)
	}
	return strings.Join(all, " ") + []string{"", "", "", "?", " ?", "."}[r.IntN(6)]
}

func (r randomSite) ask(articles []article.Article) Query {
	q := Query{Text: r.query(articles), Limit: 1 + r.IntN(12)}
	if r.IntN(3) == 0 {
		q.Offset = r.IntN(15)
	}
	for range max(0, r.IntN(5)-2) {
		q.Tags = append(q.Tags, r.word())
	}
	if r.IntN(6) == 0 {
		q.Languages = []string{[]string{"en", "en-GB", "de", "zh", "it"}[r.IntN(5)]}
	}
	return q
}

// rounds returns how many random sites a test tries.
func rounds(usual int) int {
	if *thorough {
		return 10 * usual
	}
	return usual
}

// The index answers like the reference: the same articles in the same order, ties included, with
// the same total, filters and offset.
func TestLadderIsThatOfTheReference(t *testing.T) {
	articletest.WithoutRace(t)
	asked, lifts, rungs := 0, 0, map[Rung]int{}
	for seed := range rounds(30) {
		r := randomSite{rand.New(rand.NewPCG(7, uint64(seed)))}
		articles := r.articles()
		settings := r.settings(articles)
		x := open(t, t.TempDir())
		updateWith(t, x, settings, "r", articles)
		ref := newReference(articles, settings)
		for range 60 {
			q := r.ask(articles)
			asked++
			got, total, err := x.Rank(context.Background(), q)
			if err != nil {
				t.Fatalf("seed %d, %+v: %v", seed, q, err)
			}
			want, wantTotal := ref.search(q)
			if problem := differs(got, want, q); problem != "" || total != wantTotal {
				t.Fatalf("seed %d, %+v: %s; total %d, want %d\n got %s\nwant %s", seed, q, problem, total, wantTotal, told(got), toldRef(want))
			}
			for i, one := range got {
				rungs[one.Rung]++
				if i > 0 && one.Rung < got[i-1].Rung {
					t.Fatalf("seed %d, %+v: a stricter rung below a looser one: %s", seed, q, told(got))
				}
			}
			answer, err := x.Search(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			var result article.SearchResult
			if err := json.Unmarshal(answer.Body, &result); err != nil {
				t.Fatal(err)
			}
			if result.Total != total || result.Count != len(got) || ids(result) != idsOf(got) {
				t.Fatalf("seed %d, %+v: the answer is %s of %d, ranked are %s of %d", seed, q, ids(result), result.Total, idsOf(got), total)
			}
		}
		lifts += ref.lifts
	}
	if lifts == 0 {
		t.Error("no article was found by a title within the query: the test does not test it")
	}
	t.Logf("%d queries; articles by rung: %v", asked, rungs)
	for rung := pinned; rung <= unphrased; rung++ {
		if rungs[rung] == 0 {
			t.Errorf("no article was found on the rung %q: the test does not test it", rung)
		}
	}
}

// Runs of three characters, which few of the other random queries are, find the same articles in
// the same order as in the reference.
func TestLadderOfThreeCharacters(t *testing.T) {
	articletest.WithoutRace(t)
	for seed := range rounds(5) {
		r := rand.New(rand.NewPCG(3, uint64(seed)))
		han := func(n int) string {
			run := make([]rune, n)
			for i := range run {
				run[i] = []rune("北京市東大")[r.IntN(5)]
			}
			return string(run)
		}
		word := func() string {
			if r.IntN(3) == 0 {
				return []string{"red", "blue", "green"}[r.IntN(3)]
			}
			return han(1 + r.IntN(4))
		}
		text := func() string {
			words := make([]string, 1+r.IntN(6))
			for i := range words {
				words[i] = word()
			}
			return strings.Join(words, " ")
		}
		var articles []article.Article
		for i := range 12 {
			articles = append(articles, note(string(rune('a'+i)), "zh", text(), text()))
		}
		x, ref := indexOf(t, articles...), newReference(articles, article.SearchSettings{})
		for range 60 {
			q := Query{Text: han(3), Limit: len(articles)}
			for range r.IntN(3) {
				q.Text += " " + word()
			}
			got, total, err := x.Rank(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			want, wantTotal := ref.search(q)
			if problem := differs(got, want, q); problem != "" || total != wantTotal {
				t.Fatalf("seed %d, %q: %s; total %d, want %d\n got %s\nwant %s", seed, q.Text, problem, total, wantTotal, told(got), toldRef(want))
			}
		}
	}
}

// differs compares a page with the whole order of the reference. Scores that differ only by
// rounding may be in either order; scores that differ in truth may not.
func differs(got []Ranked, want []refHit, q Query) string {
	page := want[min(q.Offset, len(want)):]
	if n := min(len(page), q.Limit); len(got) != n {
		return fmt.Sprintf("%d articles, want %d", len(got), n)
	}
	place := map[string]int{}
	for i, h := range want {
		place[h.doc.article.ID] = i
	}
	for i, one := range got {
		at, ok := place[one.ID]
		if !ok {
			return one.ID + " is not found by the reference"
		}
		h, expected := want[at], page[i]
		if one.Rung != h.rung || one.Rung != expected.rung {
			return fmt.Sprintf("%s is on the rung %q, want %q", one.ID, one.Rung, h.rung)
		}
		if at == q.Offset+i {
			continue
		}
		if h.score == expected.score || math.Abs(h.score-expected.score) > 1e-4*max(1, math.Abs(h.score)) {
			return fmt.Sprintf("%s (%v) stands in the place of %s (%v)", one.ID, h.score, expected.doc.article.ID, expected.score)
		}
	}
	return ""
}

func toldRef(all []refHit) string {
	var b strings.Builder
	for _, h := range all {
		fmt.Fprintf(&b, "%s(%s %.4f) ", h.doc.article.ID, h.rung, h.score)
	}
	return b.String()
}

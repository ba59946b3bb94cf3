package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/searchd/index/analysis"
)

// maxJoined is the most words that are looked up as one: names in programs seldom have more;
// getUserById has four.
const maxJoined = 4

// join adds the documents that write neighbours of the query as one word: "web assembly" is
// WebAssembly, "5 gb" 5GB, and "get user by id" getUserById. In a longer query, a question, words
// are meant as they are.
func (f *finder) join() {
	all := f.query.clauses
	if len(all) > questionWords {
		return
	}
	known := slices.Clone(f.most)
	for first := range all {
		word := all[first].folded
		for last := first + 1; last < min(len(all), first+maxJoined); last++ {
			a, b := &all[last-1], &all[last]
			if !a.stems || !b.stems || !isSpace(f.query.text[a.End:b.Start]) || isDigit(a.folded[len(a.folded)-1]) && isDigit(b.folded[0]) {
				break
			}
			word += b.folded
			// If no article has one of the words, they are a typo; see together.
			if known[last-1] == 0 && !a.optional || known[last] == 0 && !b.optional {
				break
			}
			if last > first+1 || f.pairs(first, word) {
				f.joinAs(said{text: word, first: first, last: last, way: wayCompound, stems: f.stemsOfJoined(word, b)})
			}
		}
	}
}

// respacedTitles returns the documents whose title is the query but for its spaces, and adds them
// to those that have its words: "sensorentity" and "se nsor entity" are Sensor entity. Words in
// quotation marks are meant as they are, a minus means more than a space ("java -script"), and
// lesson 1 1 is not lesson 11.
func (f *finder) respacedTitles(unquoted bool) *bitmap {
	key := titleKey(f.query.text)
	quoted := unquoted || slices.ContainsFunc(f.query.clauses, func(c clause) bool { return c.quoted })
	if key == "" || len(key) >= maxTitleBytes || quoted || len(f.query.not) > 0 {
		return f.scratch.set()
	}
	unspaced := strings.ReplaceAll(key, " ", "")
	docs := f.inTitles(unspaced, titleUnspaced(unspaced))
	docs.remove(f.inTitles(key))
	if n := docs.count(); n == 0 || n > nearWindow {
		return f.scratch.set()
	}
	for d := range docs.all() {
		one := said{text: titleKey(f.stored(d).meta().Title), last: len(f.query.clauses) - 1, way: wayCompound}
		if !slices.Equal(numbersIn(one.text), numbersIn(key)) {
			docs.drop(d)
		} else if !slices.ContainsFunc(f.said, func(other said) bool { return other.text == one.text }) {
			f.said = append(f.said, one)
		}
	}
	for i := range f.query.telling() {
		f.having[i].or(docs)
	}
	return docs
}

// numbersIn returns the runs of digits in the key of a title.
func numbersIn(key string) []string {
	return strings.FieldsFunc(key, func(r rune) bool { return !unicode.IsDigit(r) })
}

// isSpace reports whether the text between two words is a space, or the sign of degrees (many type
// that of ordinals instead), or both. Two spaces are not: one was a quotation mark.
func isSpace(between string) bool {
	return between != "" && strings.Count(between, " ") <= 1 && strings.Trim(between, " °º") == ""
}

// pairs reports whether clause i and the next may be one word: they are long enough, or a number
// and its unit. The second may be optional, as in "log in" and "read only", unless that would find
// other things: "R und Python" is not rund, nor "fact or fiction" a factor. And a form of the first
// word is no other word: "boek en film" is not about several boeken.
func (f *finder) pairs(i int, word string) bool {
	a, b := &f.query.clauses[i], &f.query.clauses[i+1]
	letter := func(c *clause) bool { return utf8.RuneCountInString(c.folded) == 1 }
	if b.optional && (letter(a) || letter(b) || b.folded == "or" || f.inflects(word, a)) {
		return false
	}
	return !a.optional && (mayTouch(a.folded, b.folded) || unitAt(word) == len(a.folded))
}

// inflects reports whether a word has a stem of a clause in some language.
func (f *finder) inflects(word string, c *clause) bool {
	stems := f.stems(c)
	return slices.ContainsFunc(f.langs, func(l *analysis.Language) bool {
		return slices.Contains(stems, stem{l.Code, l.Stem([]byte(word))})
	})
}

// stemsOfJoined returns the stems of two words or more that are written as one: "web hooks" is also
// webhook. A stem has the stem of the last word, but perhaps for its last letter (databas of "data
// bases"); one that only has the beginning of the words is that of others, too.
func (s *snapshot) stemsOfJoined(joined string, last *clause) (stems []stem) {
	before := strings.TrimSuffix(joined, last.folded)
	for _, l := range s.langs {
		text := l.Stem([]byte(joined))
		ending, ok := strings.CutPrefix(text, before)
		if !ok {
			continue
		}
		if lost, has := strings.CutPrefix(l.Stem([]byte(last.lowered)), ending); has && utf8.RuneCountInString(lost) <= 1 {
			stems = append(stems, stem{l.Code, text})
		}
	}
	return stems
}

// joinAs adds the documents that have several clauses as one word.
func (f *finder) joinAs(one said) {
	p, forms := f.read(fieldWords, one.text), f.stem(one.stems)
	if p.found+forms.found == 0 {
		return
	}
	telling := f.telling(one)
	for _, i := range telling {
		f.widen(i, wayCompound, weightWhole/float32(len(telling)), p)
		f.widen(i, wayCompound, weightWhole/float32(len(telling)), forms)
	}
	if len(telling) > 0 {
		f.said = append(f.said, one)
	}
}

// telling returns the clauses that a text stands for, except optional ones.
func (f *finder) telling(one said) (clauses []int) {
	for i := range f.query.telling() {
		if one.standsFor(i) {
			clauses = append(clauses, i)
		}
	}
	return clauses
}

// respaced returns the texts that stand for clauses with a space more or less and were searched in
// a way. For wayCompound, they include the compounds of the query as one word.
func (f *finder) respaced(way string) (ones []said) {
	for _, one := range f.said {
		if one.way == way {
			ones = append(ones, one)
		}
	}
	if way != wayCompound {
		return ones
	}
	for i := 0; i < len(f.query.clauses); i++ {
		if whole := f.query.clauses[i].whole; whole != "" {
			first := i
			i = f.query.lastOf(whole, i)
			ones = append(ones, said{text: whole, first: first, last: i, way: way})
		}
	}
	return ones
}

// addRespaced adds the documents whose titles have a clause with a space more or less, as searched
// in a way; for covers.
func (f *finder) addRespaced(way string, clause int, into *bitmap) {
	for _, one := range f.respaced(way) {
		if one.standsFor(clause) {
			into.or(f.saidInTitles(one))
		}
	}
}

// joinedInTitles rewards titles that have words of the query with a space more or less, but not as
// typed.
func (f *finder) joinedInTitles(touched *bitmap) {
	for _, one := range f.respaced(wayCompound) {
		titled := f.saidInTitles(one)
		telling := f.telling(one)
		for _, i := range telling {
			within := f.scratch.copyOf(touched)
			within.remove(f.inTitles(titleWord(f.query.clauses[i].folded)))
			f.addTitle(i, f.titleWeight()/float32(len(telling)), titled, within)
		}
	}
}

// saidInTitles returns the documents whose title has all words of a text that stands for clauses,
// or one of its stems.
func (f *finder) saidInTitles(one said) *bitmap {
	docs := f.scratch.full()
	for word := range strings.SplitSeq(one.text, " ") {
		docs.and(f.inTitles(titleWord(word)))
	}
	for _, form := range one.stems {
		f.collect(docs, fieldTitle, titleStem(form))
	}
	return docs
}

// joined returns the query with some of its words joined, once for each way to join them.
func (f *finder) joined() (texts []string) {
	for _, one := range f.respaced(wayCompound) {
		text := f.query.text
		texts = append(texts, text[:f.query.clauses[one.first].Start]+one.text+text[f.query.clauses[one.last].End:])
	}
	return texts
}

// unit adds the documents that have clause i with a space between its letters and digits: "5GB" is
// 5 GB, "python3" Python 3, "10000km" 10,000 km, and "8am" 8 a.m.
func (f *finder) unit(i int) {
	word := f.query.clauses[i].folded
	at := unitAt(word)
	if at < 0 || !f.query.clauses[i].stems {
		return
	}
	add := func(words []string) {
		if p := f.neighbours(words...); p.found > 0 {
			f.widen(i, wayCompound, weightWhole, p)
			f.said = append(f.said, said{text: strings.Join(words, " "), first: i, last: i, way: wayCompound})
		}
	}
	for _, words := range unitsApart(word[:at], word[at:]) {
		add(words)
	}
	if f.having[i].empty() { // see version
		return
	}
	for _, words := range f.versionsApart(word[:at], word[at:]) {
		add(words)
	}
}

// versionsApart returns a name and each version that begins with a number and is beside it in a
// title: "oauth2" is also OAuth 2.0, even if articles have OAuth2.
func (f *finder) versionsApart(name, number string) (apart [][]string) {
	if isDigit(name[0]) || utf8.RuneCountInString(name) < minPrefixRunes {
		return nil
	}
	named := f.inTitles(titleWord(name))
	if named.empty() {
		return nil
	}
	for _, v := range [...]string{"", "v"} {
		titles, all := f.titlesFrom(titleWord(v + number + "."))
		if !all {
			return nil
		}
		for _, title := range titles {
			if !f.both(named, f.inTitles(title)).empty() {
				apart = append(apart, []string{name, strings.TrimPrefix(title, titleWord(""))})
			}
		}
	}
	return apart
}

// unitsApart returns the words of a number and its unit, in either order; and again with the
// letters of am or pm apart, or with the thousands of the number apart.
func unitsApart(first, second string) [][]string {
	all := [][]string{{first, second}}
	if second == "am" || second == "pm" { // 8 a.m.
		all = append(all, []string{first, second[:1], second[1:]})
	}
	if len(first) <= 3 || !isDigit(first[0]) || strings.Contains(first, ".") {
		return all
	}
	var groups []string
	for end := len(first); end > 0; end -= 3 {
		groups = append(groups, first[max(0, end-3):end])
	}
	slices.Reverse(groups)
	return append(all, append(slices.Clone(groups), second), []string{strings.Join(groups, "."), second})
}

// unitAt returns the only place in a word where a letter follows a digit, or the reverse; -1 if
// there is none, or more than one.
func unitAt(word string) int {
	found := -1
	for i := 1; i < len(word); i++ {
		if isDigit(word[i]) == isDigit(word[i-1]) {
			continue
		}
		if word[i] == '.' || word[i-1] == '.' { // as in 3.5mm
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// neighbours returns the documents that have words next to each other; none if that would take too
// long to find out.
func (f *finder) neighbours(words ...string) *postings {
	rarer := f.totals.Articles
	for _, one := range words {
		p := f.read(fieldWords, one)
		if p.found == 0 {
			return p
		}
		rarer = min(rarer, p.found)
	}
	if usual := len(words) == 2 && rarer > f.totals.Articles/usualShare; rarer > maxApart && !usual {
		return &postings{}
	}
	return f.say(strings.Join(words, " "))
}

const (
	// maxApart is the most articles that are checked for two words next to each other, since each
	// takes some microseconds.
	maxApart = 500
	// Neighbours that are both frequent are terms, so that no article has to be checked. But which
	// words are frequent depends on when the index was built, and no answer may depend on that. A
	// word that more than one in usualShare articles has was frequent at the build, too, unless the
	// site has changed much since; if it has, the articles are checked, as for a phrase. It is less
	// than frequentShare because the frequent words were chosen by a sample.
	usualShare = frequentShare - 1
)

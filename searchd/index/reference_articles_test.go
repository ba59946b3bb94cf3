package index

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

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

// hasSaidInTitle reports whether a title of the document has all words of a text that stands for
// clauses, or one of its stems.
func (d *refDoc) hasSaidInTitle(one said) bool {
	return d.hasAllInTitle(one.text) || slices.ContainsFunc(one.stems, d.hasInTitle)
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

// refOften returns how often a word counts that occurs n times, which is about n.
func refOften(n float64) float64 {
	for _, step := range [][2]float64{{4, n}, {7, 6}, {11, 9}, {18, 14}} {
		if n <= step[0] {
			return step[1]
		}
	}
	return 24
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

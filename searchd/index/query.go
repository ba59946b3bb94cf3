package index

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"newsstand/searchd/index/analysis"
)

// Query is what a caller asks for. Its text is valid UTF-8 and within the limits of package
// article.
type Query struct {
	Text          string
	Limit, Offset int
	// Tags and Languages, if not empty, keep only articles with at least one of them. A language
	// also stands for its variants: en for en-GB.
	Tags, Languages []string
	// unquoted is true if Text is that of a query whose phrases no article has.
	unquoted bool
	// otherKana is true if Text is the query in the other Kana: it is that only with all of its
	// letters. As grammar, "んし" need not be found; it must be where "ンシ" was typed.
	otherKana bool
	// guessed is true if Text is what another keyboard gives: it is that only if some article has
	// all of its words.
	guessed bool
}

// clause is one word of a query, or one pair of characters of an unspaced script.
type clause struct {
	analysis.Span                 // in the text of the query
	lowered       string          // in lower case, with accents; for the stemmers
	folded        string          // without accents, and in simplified Chinese
	accented      string          // lowered, if that differs from folded; else ""
	whole         string          // the compound that it is a part of; "" if it is of none
	elided        bool            // whether an apostrophe joins it to an elided article or an ending, in the compound
	stems         bool            // whether it is stemmed, and its typos are forgiven
	single        bool            // one character of an unspaced script: it is found as the beginning of a pair
	quoted        bool            // in quotation marks: neither stems nor typos
	optional      bool            // a word that need not be found, since it says little beside others
	again         []analysis.Span // its other places in the query
	spellings     []string        // in an unspaced script: its spellings in articles
}

// pair reports whether the clause is two characters of an unspaced script.
func (c *clause) pair() bool {
	return !c.single && isUnspaced(c.folded) && utf8.RuneCountInString(c.folded) > 1
}

// isUnspaced reports whether a form is of characters of an unspaced script, or an emoji.
func isUnspaced(form string) bool {
	r, _ := utf8.DecodeRuneInString(form)
	class := analysis.ClassOf(r)
	return class == analysis.Unspaced || class == analysis.Pictograph
}

// phrase is a sequence of forms that must be next to each other.
type phrase []unit

func (p phrase) equal(other phrase) bool {
	return slices.EqualFunc(p, other, func(a, b unit) bool { return a.form == b.form && slices.Equal(a.terms, b.terms) })
}

// unit is one form of a phrase.
type unit struct {
	form string
	// terms are of the index: every article with the form has one of them, in some spelling. There
	// are none if the form is too long, or if it ends a pair of characters that is a term.
	terms []term
	// told is true if every article with the terms of the phrase has the form.
	told bool
}

// term is a term of a field of the index.
type term struct{ field, text string }

// narrow replaces fullwidth signs, letters and digits by those of ASCII, which have a meaning in
// queries, and composes letters, so that a syllable of Hangul is one character. A minus sign, or
// the sign of a long vowel, becomes a hyphen between Latin letters or digits, because it is on the
// hyphen's key of Japanese keyboards.
func narrow(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return text
	}
	before, letters := ' ', []rune(norm.NFC.String(text))
	for i, r := range letters {
		const first, last, away = '！', '～', '！' - '!'
		if first <= r && r <= last {
			r -= away
		}
		if (r == '−' || r == 'ー') && isLatin(before) && i+1 < len(letters) && isLatin(letters[i+1]) {
			r = '-'
		}
		before, letters[i] = r, r
	}
	return string(letters)
}

// isLatin reports whether r is a letter of the English alphabet or a digit, of any width.
func isLatin(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) || '０' <= r && r <= '９' || 'Ａ' <= r && r <= 'Ｚ' || 'ａ' <= r && r <= 'ｚ'
}

// parsed is a query as it was understood.
type parsed struct {
	text    string
	clauses []clause
	phrases []phrase
	quoted  []analysis.Span // in text: phrases, with the signs around them
	not     []phrase        // of one or more words
	minuses []int           // in text: the signs before what it excludes
	// typing is true when the last clause may be the beginning of a word.
	typing bool
}

// parse reads the text of a query. It accepts any text: whatever is neither a phrase nor an
// exclusion is words. If a query has only exclusions, there is nothing to exclude from, so its
// minus signs are signs like others, as before a flag or a number. So are those of a question,
// which is a sentence: "What does -race do?" In Finnish, such a sign joins a word to a name of
// several words: "Kuka loi Game Boy Advance -ohjelman?"
func parse(text string) parsed {
	if q := read(text, !isQuestion(text)); len(q.clauses) > 0 {
		return q
	}
	return read(text, false)
}

// read parses a text. If excluding, a minus before a word excludes it, unless that is a letter
// alone; else a minus is a sign like others.
func read(text string, excluding bool) parsed {
	q := parsed{text: text}
	spaced := true // no minus in "Model T"-based excludes
	for at := 0; at < len(text); {
		if r, size := utf8.DecodeRuneInString(text[at:]); unicode.IsSpace(r) {
			at, spaced = at+size, true
			continue
		}
		excluded := excluding && spaced && excludes(text[at:]) && !q.suspends()
		if excluded {
			q.minuses = append(q.minuses, at)
			at++
		}
		piece, quoted, next := pieceAt(text, at)
		if excluded {
			q.exclude(piece)
		} else {
			q.add(piece, quoted)
		}
		at, spaced = next, false
	}
	return q
}

// excludes reports whether a text begins with a minus that excludes what follows.
func excludes(text string) bool {
	rest, minus := strings.CutPrefix(text, "-")
	next, _ := utf8.DecodeRuneInString(rest)
	return minus && rest != "" && !unicode.IsSpace(next) && next != '-' && !isFlag(rest)
}

// suspends reports whether a minus after the words so far stands for a part of a word that is left
// out, as in "Sprachverarbeitung und -erkennung". After an exclusion, "and" goes on excluding.
func (q *parsed) suspends() bool {
	last := len(q.clauses) - 1
	return last > 0 && len(q.not) == 0 && analysis.Joins(q.clauses[last].lowered)
}

// pieceAt returns the piece of a text that begins at a place, and where to read on after it. A
// piece is one word or compound or, without its quotation marks, a phrase.
func pieceAt(text string, at int) (piece analysis.Span, quoted bool, next int) {
	r, size := utf8.DecodeRuneInString(text[at:])
	if closing := closingQuotes(r); closing != "" {
		at += size
		if end := closingAt(text, at, closing); end >= 0 { // else it is still being typed
			_, size = utf8.DecodeRuneInString(text[end:])
			return analysis.Span{Start: at, End: end}, true, end + size
		}
	}
	end := len(text)
	if n := strings.IndexFunc(text[at:], unicode.IsSpace); n >= 0 {
		end = at + n
	}
	return analysis.Span{Start: at, End: end}, false, end
}

// isFlag reports whether a text begins with a letter alone, which nobody excludes: with the minus
// before it, it is a flag of a pasted command, as in "chmod -R 755". A character of an unspaced
// script is a word.
func isFlag(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	after, _ := utf8.DecodeRuneInString(text[size:])
	return unicode.IsLetter(r) && analysis.ClassOf(r) == analysis.Spaced && (size == len(text) || unicode.IsSpace(after))
}

// unquoted returns the text with blanks in place of the quotation marks, so that each word keeps
// its place. Signs in and after phrases that would now mean something, such as a minus, become
// blanks, too.
func (q *parsed) unquoted() string {
	text := []byte(q.text)
	blank := func(start, end int) {
		for i := start; i < end; i++ {
			text[i] = ' '
		}
	}
	for _, p := range q.quoted {
		at := p.Start
		for word := range strings.FieldsSeq(q.text[p.Start:p.End]) {
			at += strings.Index(q.text[at:], word)
			end := at + len(word)
			blank(at, end-len(strings.TrimLeft(word, "-"+quotes)))
			blank(at+len(strings.TrimRight(word, quotes)), end)
			at = end
		}
		if after := q.text[p.End:]; strings.HasPrefix(after, "-") {
			blank(p.End, len(q.text)-len(strings.TrimLeft(after, "-"+quotes)))
		}
	}
	return string(text)
}

// unexcluded returns the text without the signs of its exclusions.
func (q *parsed) unexcluded() string {
	text := []byte(q.text)
	for _, at := range q.minuses {
		text[at] = ' '
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// spoken reports whether the query has words beside its phrases, stop words included: they turn it
// into a question.
func (q *parsed) spoken() bool {
	return slices.ContainsFunc(q.clauses, func(c clause) bool { return !c.quoted })
}

// onlyQuoted reports whether the word of a clause occurs in phrases only.
func (q *parsed) onlyQuoted(i int) bool {
	c := &q.clauses[i]
	if !c.quoted || slices.ContainsFunc(q.clauses, func(other clause) bool { return !other.quoted && other.folded == c.folded }) {
		return false
	}
	outside := func(at analysis.Span) bool {
		return !slices.ContainsFunc(q.quoted, func(p analysis.Span) bool { return p.Start <= at.Start && at.End <= p.End })
	}
	return !outside(c.Span) && !slices.ContainsFunc(c.again, outside)
}

// asks reports whether the query is a question that quotes something: a question mark ends it, or
// it has more words beside its phrases than a name has. Two characters of an unspaced script are
// half a word.
func (q *parsed) asks() bool {
	halves := 0
	for _, c := range q.clauses {
		switch {
		case c.quoted:
		case c.pair():
			halves++
		default:
			halves += 2
		}
	}
	return len(q.phrases) > 0 && halves > 0 && (halves > 2*questionWords || isQuestion(q.text))
}

// quotes are the signs around phrases.
const quotes = `"＂“”„«»「」『』`

// closingQuotes returns the signs that may end a phrase begun by r; "" if r begins none.
func closingQuotes(r rune) string {
	switch r {
	case '"', '＂':
		return string(r)
	case '“', '”':
		return "”"
	case '„':
		return "“”" // German, and Polish
	case '«':
		return "»"
	case '»':
		return "«»" // Danish, and Finnish
	case '「':
		return "」"
	case '『':
		return "』"
	}
	return ""
}

// closingAt returns the place of the first closing sign in a text from start on, or -1. The
// quotation mark within a Hebrew abbreviation does not close.
func closingAt(text string, start int, closing string) int {
	for at := start; ; at++ {
		n := strings.IndexAny(text[at:], closing)
		if n < 0 {
			return -1
		}
		if at += n; !analysis.IsInner(text, at) {
			return at
		}
	}
}

// exclude excludes a piece of the text.
func (q *parsed) exclude(piece analysis.Span) {
	if p := unitsOf(q.text[piece.Start:piece.End]); len(p) > 0 {
		q.not = append(q.not, p)
	}
}

// add adds a piece of the text.
func (q *parsed) add(piece analysis.Span, quoted bool) {
	if quoted {
		q.quote(piece)
	}
	text, last := q.text[piece.Start:piece.End], 0
	for t := (analysis.Tokenizer{Text: text}); t.Next(); last = t.End {
		q.word(&t, piece.Start, quoted)
	}
	if strings.ContainsAny(text[last:], questionMarks) {
		q.typing = false
	}
}

// quote adds a phrase, if it has more than one word.
func (q *parsed) quote(at analysis.Span) {
	p := unitsOf(q.text[at.Start:at.End])
	if len(p) < 2 {
		return
	}
	if !slices.ContainsFunc(q.phrases, p.equal) {
		q.phrases = append(q.phrases, p)
	}
	_, sign := utf8.DecodeLastRuneInString(q.text[:at.Start])
	_, closing := utf8.DecodeRuneInString(q.text[at.End:])
	q.quoted = append(q.quoted, analysis.Span{Start: at.Start - sign, End: at.End + closing})
}

// questionMarks end the word before them: a question that has one is complete. Other signs need
// not, such as the full stop of "nov." or "node.js".
const questionMarks = "?？؟"

// isQuestion reports whether a question mark ends a text.
func isQuestion(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune(questionMarks, last)
}

// word adds the clauses of the tokenizer's current word.
func (q *parsed) word(t *analysis.Tokenizer, offset int, quoted bool) {
	first := len(q.clauses)
	t.Forms(func(form analysis.Form) {
		folded := string(analysis.Fold(form.Lowered, nil))
		if form.Whole {
			q.join(first, form.Shifted(offset), folded)
			return
		}
		if !form.First { // the last character alone is for the index only
			return
		}
		c := clause{Span: form.Shifted(offset), lowered: string(form.Lowered), folded: folded, stems: form.Stems && !quoted, quoted: quoted}
		if c.folded != c.lowered {
			c.accented = c.lowered
		}
		c.single = t.Class == analysis.Unspaced && len(t.Parts) == 1
		c.optional = !quoted && t.Class == analysis.Unspaced && t.SaysLittle(len(q.clauses)-first)
		q.clauses = append(q.clauses, c)
	})
	if parts := q.clauses[first:]; len(parts) >= minInitials && parts[0].whole != "" && initials(t) {
		whole := parts[0].whole
		q.clauses = append(q.clauses[:first], clause{Span: t.Shifted(offset), lowered: whole, folded: whole, stems: !quoted, quoted: quoted})
	}
	if t.Elided() {
		for i := range q.clauses[first:] {
			q.clauses[first+i].elided = true
		}
	}
	q.typing = t.Class == analysis.Spaced && !quoted
}

// minInitials is the least number of letters with dots between them that are one word. Two may be
// "us" or "is".
const minInitials = 3

// initials reports whether a word is letters with dots between them, such as "U.S.A.".
func initials(t *analysis.Tokenizer) bool {
	for i, p := range t.Parts {
		if r, size := utf8.DecodeRuneInString(t.Text[p.Start:p.End]); size != p.End-p.Start || !unicode.IsLetter(r) ||
			i > 0 && t.Text[t.Parts[i-1].End:p.Start] != "." {
			return false
		}
	}
	return true
}

// join sets the compound of the clauses from index from on that are parts of it, unless they are
// parts of a smaller one. A span that ends within a clause is no compound: the number of
// "10,000-fold" is one, that of "10,000.50" is not, because its last part has decimals.
func (q *parsed) join(from int, span analysis.Span, whole string) {
	parts := q.clauses[from:]
	if slices.ContainsFunc(parts, func(c clause) bool { return c.Start < span.End && span.End < c.End }) {
		return
	}
	for i := range parts {
		if c := &parts[i]; span.Start <= c.Start && c.End <= span.End && c.whole == "" {
			c.whole = whole
		}
	}
}

// lastOf returns the last of the clauses from first on that are parts of the same compound.
func (q *parsed) lastOf(whole string, first int) int {
	last := first
	for last+1 < len(q.clauses) && q.clauses[last+1].whole == whole {
		last++
	}
	return last
}

// unitsOf returns the forms of a text, in order, by which phrases are compared.
func unitsOf(text string) phrase {
	var units phrase
	for t := (analysis.Tokenizer{Text: text}); t.Next(); {
		for i, p := range t.Parts {
			one := unit{form: string(t.Folded(i)), told: true}
			switch {
			case t.Class == analysis.Unspaced && i+1 < len(t.Parts):
				one.terms = []term{{fieldWords, string(analysis.Fold(t.Neighbours(i), nil))}}
			case t.Class == analysis.Unspaced && i == 0:
				one.terms = []term{{fieldBegins, one.form}}
			case t.Class == analysis.Unspaced: // the pair that it ends is a term
			case tooLong(analysis.Lower(text[p.Start:p.End], nil)):
				one.told = false
			default:
				one.terms = []term{{fieldWords, one.form}}
				if !t.Stands(i) {
					one.terms = append(one.terms, term{fieldPairs, one.form})
				}
			}
			units = append(units, one)
		}
	}
	return units
}

// telling visits the clauses that are not optional.
func (q *parsed) telling() iter.Seq2[int, *clause] {
	return func(yield func(int, *clause) bool) {
		for i := range q.clauses {
			if c := &q.clauses[i]; !c.optional && !yield(i, c) {
				return
			}
		}
	}
}

// says reports whether a word of the query is in the script of one of the languages. Beside it,
// words in another script are mostly names, such as "for" in "цикл for".
func (q *parsed) says(langs []*analysis.Language) bool {
	return slices.ContainsFunc(q.clauses, func(c clause) bool {
		first, _ := utf8.DecodeRuneInString(c.folded)
		return unicode.IsLetter(first) && slices.ContainsFunc(langs, func(l *analysis.Language) bool { return l.OfScript([]byte(c.folded)) == l })
	})
}

// isInitial reports whether clause i is a letter that makes a word of its own with the clause after
// it. Neither is a stop word: an e-mail is no mail, although "e" is one of Italian, and v-for is no
// v.
func (q *parsed) isInitial(i int) bool {
	c := &q.clauses[i]
	return c.whole != "" && utf8.RuneCountInString(c.folded) == 1 && (i == 0 || q.clauses[i-1].whole != c.whole) && q.lastOf(c.whole, i) == i+1
}

// merge merges clauses that are the same, and decides which are optional: stop words of a language
// of the site, unless the query has nothing else.
func (q *parsed) merge(langs []*analysis.Language) {
	type key struct {
		folded, accented string
		quoted           bool
	}
	seen := map[key]int{} // among those that are kept
	kept := q.clauses[:0]
	last := len(q.clauses) - 1
	telling, says := false, q.says(langs)
	initial := false // asked of each clause in its turn, because kept takes the place of those before
	for i, c := range q.clauses {
		follows := initial
		initial = q.isInitial(i)
		c.optional = c.optional || c.stems && slices.ContainsFunc(langs, func(l *analysis.Language) bool {
			return l.IsStop(c.lowered) && (!says || l.OfScript([]byte(c.folded)) == l)
		}) && !initial && !follows && (i == 0 || !analysis.AsksFirst(c.lowered))
		telling = telling || !c.optional
		k := key{c.folded, c.accented, c.quoted}
		if at, ok := seen[k]; ok {
			kept[at].optional = kept[at].optional && c.optional
			kept[at].again = append(kept[at].again, c.Span)
			if i == last {
				q.typing = false
			}
			continue
		}
		seen[k] = len(kept)
		kept = append(kept, c)
	}
	q.clauses = kept
	if !telling {
		for i := range q.clauses {
			q.clauses[i].optional = false
		}
	}
}

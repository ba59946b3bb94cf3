package index

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Query is what a caller asks for. The text is valid UTF-8 and within the limits of
// package article.
type Query struct {
	Text          string
	Limit, Offset int
	// Tags and Languages, where they are not empty, keep only articles with one of them.
	// A language also stands for its variants: en for en-GB.
	Tags, Languages []string
}

// clause is one word of a query, or one pair of characters of an unspaced script.
type clause struct {
	span            // in the text of the query
	lowered  string // with accents; for the stemmers
	folded   string // without
	accented string // with them, "" where it has none
	whole    string // the compound that it is a part of, "" where it is none
	stems    bool   // whether stemmers are asked, and typos forgiven
	single   bool   // one character of an unspaced script: it is found as the beginning of a pair
	quoted   bool   // as it stands: neither stems nor typos
	optional bool   // a word that says little beside others
	again    []span // where else in the query it is
}

// pair reports whether the clause is two characters of an unspaced script.
func (c *clause) pair() bool { return !c.single && isPair(c.folded) && runes(c.folded) > 1 }

// phrase is a sequence of forms that must stand next to each other.
type phrase []unit

// unit is one form of a phrase.
type unit struct {
	form string
	// terms are those of the index of which every article with the form has one; none where it is too long.
	terms []term
	// told is true where every article with the terms of the phrase has the form.
	told bool
}

// term is a term of a field of the index.
type term struct{ field, text string }

// parsed is a query as it is understood.
type parsed struct {
	text    string
	clauses []clause
	phrases []phrase
	quoted  []span   // in text: phrases, with the signs around them
	not     []phrase // of one or more words
	// typing is true when the last clause may be the beginning of a word.
	typing bool
}

// parse reads the text of a query. There is nothing that it refuses: what is neither a
// phrase nor an exclusion is words.
func parse(text string) parsed {
	q := parsed{text: text}
	spaced := true // no minus in "Model T"-based excludes
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			at += size
			spaced = true
			continue
		}
		negative := false
		if r == '-' && spaced && at+1 < len(text) {
			if next, _ := utf8.DecodeRuneInString(text[at+1:]); !unicode.IsSpace(next) && next != '-' {
				negative = true
				at++
				r, size = next, utf8.RuneLen(next)
			}
		}
		start, end, next, quoted := at, at, at, false
		if closing := closingQuotes(r); closing != "" {
			if n := strings.IndexAny(text[at+size:], closing); n >= 0 {
				start, end, quoted = at+size, at+size+n, true
				_, size = utf8.DecodeRuneInString(text[end:])
				next = end + size
			} else {
				start = at + size // still being typed
			}
		}
		if !quoted {
			end = len(text)
			if n := strings.IndexFunc(text[start:], unicode.IsSpace); n >= 0 {
				end = start + n
			}
			next = max(end, at+size)
			if start > end {
				start = end
			}
		}
		q.add(start, end, quoted, negative)
		at, spaced = next, false
	}
	return q
}

// unquoted is the text with blanks for the signs around phrases, so that a word stands where it stood; and for
// signs in and behind phrases, which would mean something now.
func (q *parsed) unquoted() string {
	text := []byte(q.text)
	blank := func(start, end int) {
		for i := start; i < end; i++ {
			text[i] = ' '
		}
	}
	for _, p := range q.quoted {
		at := p.start
		for word := range strings.FieldsSeq(q.text[p.start:p.end]) {
			at += strings.Index(q.text[at:], word)
			end := at + len(word)
			blank(at, end-len(strings.TrimLeft(word, "-"+quotes)))
			blank(at+len(strings.TrimRight(word, quotes)), end)
			at = end
		}
		if behind := q.text[p.end:]; strings.HasPrefix(behind, "-") {
			blank(p.end, len(q.text)-len(strings.TrimLeft(behind, "-"+quotes)))
		}
	}
	return string(text)
}

// spoken reports whether the query says something beside its phrases.
func (q *parsed) spoken() bool {
	return slices.ContainsFunc(q.clauses, func(c clause) bool { return !c.quoted && !c.optional })
}

// quotes are the signs around phrases.
const quotes = `"＂“”„«»「」『』`

// closingQuotes returns the signs that may end a phrase begun by r, "" where r begins none.
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

// add takes a piece of the text: one word or compound, or a phrase.
func (q *parsed) add(start, end int, quoted, negative bool) {
	piece := q.text[start:end]
	if negative || quoted {
		if p := unitsOf(piece); len(p) > 0 {
			switch {
			case negative:
				q.not = append(q.not, p)
				return
			case len(p) > 1:
				q.phrases = append(q.phrases, p)
				_, sign := utf8.DecodeLastRuneInString(q.text[:start])
				_, closing := utf8.DecodeRuneInString(q.text[end:])
				q.quoted = append(q.quoted, span{start - sign, end + closing})
			}
		}
		if negative {
			return
		}
	}
	t := tokenizer{text: piece}
	last := 0
	for w, ok := t.next(); ok; w, ok = t.next() {
		q.word(piece, &w, start, quoted)
		last = w.end
	}
	if strings.ContainsAny(piece[last:], questionMarks) {
		q.typing = false
	}
}

// questionMarks end the word before them: a question that has one is whole. Other signs need not, such as the full stop
// of "nov." or "node.js".
const questionMarks = "?？؟"

// word turns a word into its clauses.
func (q *parsed) word(piece string, w *word, offset int, quoted bool) {
	var f forms
	first, whole := len(q.clauses), ""
	at := 0
	f.of(piece, w, func(form form) {
		folded := string(fold(form.lowered, nil))
		if form.whole {
			whole = folded
			return
		}
		c := clause{lowered: string(form.lowered), folded: folded, stems: form.stems && !quoted, quoted: quoted}
		if !form.stems {
			c.folded = c.lowered
		} else if c.folded != c.lowered {
			c.accented = c.lowered
		}
		switch w.script {
		case unspaced:
			if at > 0 && !form.first { // the last character alone is for the index only
				return
			}
			c.span = span{w.parts[at].start, w.parts[min(at+1, len(w.parts)-1)].end}
			c.single = len(w.parts) == 1
		case symbol:
			c.span = w.span
		default:
			for at < len(w.parts)-1 && !w.stands(piece, at) {
				at++
			}
			if c.span = w.parts[at]; !w.stands(piece, at) { // nor does another: it is the whole
				c.span = w.span
			}
		}
		at++
		c.start, c.end = c.start+offset, c.end+offset
		q.clauses = append(q.clauses, c)
	})
	if whole != "" {
		for i := first; i < len(q.clauses); i++ {
			q.clauses[i].whole = whole
		}
	}
	q.typing = w.script == spaced && !quoted
}

// unitsOf returns the forms of a text in their order, as a phrase is compared.
func unitsOf(text string) phrase {
	var units phrase
	t := tokenizer{text: text}
	var low, folded []byte
	for w, ok := t.next(); ok; w, ok = t.next() {
		for i, p := range w.parts {
			low = lower(text[p.start:p.end], low)
			folded = fold(low, folded)
			one := unit{form: string(folded), told: true}
			switch {
			case w.script == unspaced && i+1 < len(w.parts):
				one.terms = []term{{fieldWords, string(w.neighbours(text, i, low))}}
			case w.script == unspaced && i == 0:
				one.terms = []term{{fieldBegins, one.form}}
			case w.script == unspaced: // the pair that it ends tells
			case len(low) > maxTermBytes:
				one.told = false
			default:
				one.terms = []term{{fieldWords, one.form}}
				if !w.stands(text, i) {
					one.terms = append(one.terms, term{fieldPairs, one.form})
				}
			}
			units = append(units, one)
		}
	}
	return units
}

// merge counts clauses that were said before, and decides which are optional: a stop
// word of a language of the site, beside a word that is none.
func (q *parsed) merge(langs []*language) {
	type key struct {
		folded, accented string
		quoted           bool
	}
	seen := map[key]int{} // among those that are kept
	kept := q.clauses[:0]
	last := len(q.clauses) - 1
	telling := false
	for i, c := range q.clauses {
		k := key{c.folded, c.accented, c.quoted}
		if at, ok := seen[k]; ok {
			kept[at].again = append(kept[at].again, c.span)
			if i == last {
				q.typing = false
			}
			continue
		}
		seen[k] = len(kept)
		if c.stems {
			for _, l := range langs {
				c.optional = c.optional || l.isStop(c.folded)
			}
		}
		telling = telling || !c.optional
		kept = append(kept, c)
	}
	q.clauses = kept
	if !telling {
		for i := range q.clauses {
			q.clauses[i].optional = false
		}
	}
}

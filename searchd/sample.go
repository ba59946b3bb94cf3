package searchd

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// piece is a word of a text as a reader sees it, or three characters of a script without spaces
// between words. It has nothing in common with how the index finds words, so that faults of the
// index show.
type piece struct {
	start, end int    // in bytes
	form       string // in lower case
}

// wordsOf returns the words of a text. Pieces of a script without spaces overlap.
func wordsOf(text string) (all []piece) {
	add := func(start, end int) { all = append(all, piece{start, end, strings.ToLower(text[start:end])}) }
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			at += size
			continue
		}
		end, characters := wordAt(text, at)
		if characters == nil {
			add(at, end)
		} else {
			bounds := append(characters, end)
			for i := range max(1, len(characters)-2) {
				add(bounds[i], bounds[min(i+3, len(characters))])
			}
		}
		at = end
	}
	return all
}

// wordAt returns where the word ends that begins at a place of a text. Of a script without spaces,
// these are all characters of such scripts that follow each other, and it returns where each
// begins.
func wordAt(text string, at int) (end int, characters []int) {
	unspaced, joined := false, false // joined by a sign that words have within them
	for i, r := range text[at:] {
		switch {
		case unicode.IsMark(r) || i > 0 && (r == 'ำ' || r == 'ຳ'): // am, a letter to Unicode, has the mark of its character
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			is := isUnspaced(r)
			if i == 0 {
				unspaced = is
			}
			if is != unspaced {
				return end, characters
			}
			if unspaced {
				characters = append(characters, at+i)
			}
			joined = false
		case !unspaced && !joined && strings.ContainsRune(".-_'’&·״׳\u00ad\u2010\u2011\u200c\u200d", r):
			joined = true
			continue
		default:
			return end, characters
		}
		end = at + i + utf8.RuneLen(r)
	}
	return end, characters
}

func isUnspaced(r rune) bool {
	return r == 'ー' ||
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// titleOf is a title as titles are compared: its letters and digits, in lower case and without
// accents.
func titleOf(title string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(title))
}

// bare returns the words of a phrase without its punctuation, as a query.
func bare(phrase string) string {
	var words []string
	end := 0
	for _, w := range wordsOf(phrase) {
		if w.start < end { // pieces that overlap
			words[len(words)-1] += phrase[end:w.end]
		} else {
			words = append(words, phrase[w.start:w.end])
		}
		end = w.end
	}
	return strings.Join(words, " ")
}

// withoutMinus takes the minus from in front of words, which would exclude them.
func withoutMinus(title string) string {
	fields := strings.Fields(title)
	for i, f := range fields {
		fields[i] = strings.TrimLeft(f, "-")
	}
	return strings.Join(strings.Fields(strings.Join(fields, " ")), " ")
}

// quotationMarks begin and end phrases.
const quotationMarks = `"＂“”„«»「」『』`

// unquoted takes the quotation marks from around words, which would make phrases of them. The one
// within a Hebrew abbreviation stays.
func unquoted(title string) string {
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	runes := []rune(title)
	for i, r := range runes {
		within := r == '"' && i > 0 && i+1 < len(runes) && isWord(runes[i-1]) && isWord(runes[i+1])
		if strings.ContainsRune(quotationMarks, r) && !within {
			runes[i] = ' '
		}
	}
	return strings.Join(strings.Fields(string(runes)), " ")
}

// minTypoRunes is the shortest word in which a typo is forgiven.
const minTypoRunes = 5

// mistype returns a title with one slip in its longest word, as fingers make them: two letters
// swapped, or one left out, doubled or replaced. The id decides which. The word with the slip is in
// no article, not even without its accents. "" where no word is long enough.
func mistype(title, id string, vocabulary map[string]int) string {
	var longest piece
	for _, w := range wordsOf(title) {
		n := utf8.RuneCountInString(w.form)
		if n >= minTypoRunes && lettersOnly(w.form) && n > utf8.RuneCountInString(longest.form) {
			longest = w
		}
	}
	if longest.form == "" {
		return ""
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	word := []rune(title[longest.start:longest.end])
	for try := range uint32(4 * len(word)) {
		at := 1 + int(h.Sum32()/4+try/4)%(len(word)-2) // neither the first letter nor the last
		var slip []rune
		switch (h.Sum32() + try) % 4 {
		case 0:
			slip = slices.Concat(word[:at], []rune{word[at+1], word[at]}, word[at+2:])
		case 1:
			slip = slices.Concat(word[:at], word[at+1:])
		case 2:
			slip = slices.Concat(word[:at+1], word[at:])
		case 3:
			slip = slices.Concat(word[:at], []rune{word[len(word)-at-1]}, word[at+1:])
		}
		if typed := string(slip); typed != string(word) && len(slip) >= minTypoRunes && vocabulary[strings.ToLower(typed)]+vocabulary[titleOf(typed)] == 0 {
			return title[:longest.start] + typed + title[longest.end:]
		}
	}
	return ""
}

// lettersOnly reports whether a word has only letters, of scripts with spaces between words.
func lettersOnly(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) || isUnspaced(r) })
}

// phrasePieces is the number of pieces of a phrase that is looked for: five words, or seven
// characters of a script without spaces.
const phrasePieces = 5

// longWord is beyond what anyone types: an address or a key.
const longWord = 24

// rarePhrase returns the words of a text, next to each other, that hold the rarest word, and the
// number of articles with that; "" where it has none.
func rarePhrase(text string, vocabulary map[string]int) (phrase string, rarest int) {
	others := 0
	for block := range strings.SplitSeq(text, "\n\n") {
		words := wordsOf(block)
		for i := 0; i+phrasePieces <= len(words); i++ {
			window := words[i : i+phrasePieces]
			least, sum := vocabulary[window[0].form], 0
			for _, w := range window {
				n := vocabulary[w.form]
				least, sum = min(least, n), sum+n
			}
			better := phrase == "" || least < rarest || least == rarest && sum < others
			if better && typable(block, window) {
				phrase, rarest, others = block[window[0].start:window[phrasePieces-1].end], least, sum
			}
		}
	}
	return phrase, rarest
}

// typable reports whether words of a text can be asked for as a phrase: a quotation mark would end
// it, and a sign beside it may belong to a word, as in a Hebrew abbreviation.
func typable(text string, words []piece) bool {
	start, end := words[0].start, words[len(words)-1].end
	return !strings.ContainsAny(text[start:end], quotationMarks+"+#\n") &&
		!strings.HasSuffix(text[:start], `"`) && strings.IndexAny(text[end:], `+#"`) != 0 &&
		!slices.ContainsFunc(words, func(w piece) bool { return utf8.RuneCountInString(w.form) > longWord })
}

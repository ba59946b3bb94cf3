package index

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/searchd/index/analysis"
)

// excerpt renders the passage of a text that shows most of the query. It returns false if there are
// no marks.
func (m *marker) excerpt(text string, marks []mark) (ok bool) {
	if len(marks) == 0 {
		return false
	}
	var phrase analysis.Span
	if len(m.quoted) > 0 {
		marks = slices.Clone(marks) // around uses the same memory
	}
	for _, p := range m.quoted {
		at, stands := p.phrase.find(text, p.first)
		if !stands {
			continue
		}
		if beside := m.around(text, at); len(beside) > 0 { // there are none if the phrase is part of another word
			marks, phrase = m.inPhrases(text, beside, at), at
			break
		}
	}
	first, last := m.densest(text, marks, phrase)
	start, end := passage(text, marks[first].Start, marks[last].End)
	for first > 0 && marks[first-1].Start >= start {
		first--
	}
	for last+1 < len(marks) && marks[last+1].End <= end {
		last++
	}
	shown := marks[first : last+1]
	if last+1 == len(marks) && phrase.End == 0 {
		shown = m.readAfter(text, shown, end)
	}
	m.renderWithin(text, start, end, shown)
	return true
}

// readAfter returns the last marks of a text with those after them, up to an end: the text may not
// have been read so far (see readOn).
func (m *marker) readAfter(text string, marks []mark, end int) []mark {
	marks = slices.Clone(marks) // they use the same memory as those that follow
	from := marks[len(marks)-1].End
	if white := strings.IndexAny(text[from:max(from, end)], " \n"); white >= 0 && text[from] < utf8.RuneSelf { // perhaps within a word
		from += white
	}
	for _, one := range m.marks(text[from:max(from, end)]) {
		one.Span = one.Shifted(from)
		marks = append(marks, one)
	}
	return marks
}

// renderWithin renders a passage with dots between its blocks or, if they make it too long for an
// excerpt, with spaces.
func (m *marker) renderWithin(text string, start, end int, marks []mark) {
	m.render(text, start, end, marks, " · ")
	if utf8.RuneCountInString(sharing(m.plain)) > article.MaxExcerptRunes {
		m.render(text, start, end, marks, " ")
	}
}

// around returns the marks in and near a place of a text. The marks of the whole text may have
// ended before that place.
func (m *marker) around(text string, at analysis.Span) []mark {
	const beside = utf8.UTFMax * passageRunes // in bytes
	start, end := 0, len(text)
	if before := at.Start - beside; before > 0 {
		start = before + 1 + strings.IndexAny(text[before:at.Start], " \n") // to the beginning of a word
		for !utf8.RuneStart(text[start]) {
			start++
		}
	}
	if after := at.End + beside; after < end {
		if white := strings.LastIndexAny(text[at.End:after], " \n"); white >= 0 {
			after = at.End + white
		}
		for end = after; !utf8.RuneStart(text[end]); {
			end--
		}
	}
	marks := m.marks(text[start:end])
	for i := range marks {
		marks[i].Span = marks[i].Shifted(start)
	}
	return marks
}

// inPhrases drops the marks of words that the query has only in its phrases, if they are not part
// of one of these phrases in the text: someone who quotes "to be or not to be" looks for no other
// "to". A phrase is known to be at the place at.
func (m *marker) inPhrases(text string, marks []mark, at analysis.Span) []mark {
	kept := make([]bool, len(marks))
	for i, one := range marks {
		kept[i] = !m.phrased[one.clause]
	}
	keep := func(place analysis.Span) {
		for i, one := range marks {
			kept[i] = kept[i] || one.End > place.Start && one.Start < place.End
		}
	}
	keep(at)
	if !slices.Contains(kept, true) { // the phrase is part of another word
		return marks
	}
	for _, p := range m.quoted {
		from, end := marks[0].Start, marks[len(marks)-1].End
		for {
			next, stands := p.phrase.find(text[from:end], p.first)
			if !stands {
				break
			}
			keep(next.Shifted(from))
			from += next.End
		}
	}
	var all []mark
	for i, one := range marks {
		if kept[i] {
			all = append(all, one)
		}
	}
	return all
}

// densest returns the first and last mark of the passage that shows most of the query. The passage
// has the phrase, unless its span is empty. For each mark, densest scores the passage that begins
// with the mark and goes as far as there is room, in one pass over the marks.
func (m *marker) densest(text string, marks []mark, phrase analysis.Span) (first, last int) {
	begins, ends := len(marks), len(marks)
	if phrase.End > 0 {
		begins = slices.IndexFunc(marks, func(one mark) bool { return one.End > phrase.Start })
		ends = begins
	}
	for ends+1 < len(marks) && marks[ends+1].Start < phrase.End {
		ends++
	}
	at := m.places(text, marks)
	count := append(m.count[:0], make([]int, len(m.weight))...)
	m.count = count
	best, score := float32(-1), float32(0) // score is that of the clauses in the passage, each counted once
	end := 0                               // one past the last mark of the passage
	for i := range marks {
		for end < len(marks) && at[end]-at[i]+utf8.RuneCountInString(text[marks[end].Start:marks[end].End]) <= passageRunes {
			for c := marks[end].first; c <= marks[end].last; c++ {
				if count[c] == 0 {
					score += m.weight[c]
				}
				count[c]++
			}
			end++
		}
		s := score + m.adjoining(marks[i:end]) + float32(0.0004*float32(end-i)) // all marks for which there is room are worth less than a word
		if i <= begins && ends < end {
			s += withPhrase
		}
		within := i > 0 && marks[i-1].End == marks[i].Start // rendered as one mark
		if end > i && s > best && !within {
			best, first, last = s, i, end-1
		}
		if end == i { // the mark is longer than a passage
			end++
			continue
		}
		for c := marks[i].first; c <= marks[i].last; c++ {
			if count[c]--; count[c] == 0 {
				score -= m.weight[c]
			}
		}
	}
	return first, last
}

// places returns where each mark begins, in characters from the first mark.
func (m *marker) places(text string, marks []mark) []int {
	m.at = append(m.at[:0], 0)
	for i := 1; i < len(marks); i++ {
		apart := marks[i].Start - marks[i-1].Start
		if apart <= utf8.UTFMax*passageRunes { // farther ones are in no passage together
			apart = utf8.RuneCountInString(text[marks[i-1].Start:marks[i].Start])
		}
		m.at = append(m.at, m.at[i-1]+apart)
	}
	return m.at
}

// adjoining returns what the marks of a passage are worth in addition, for words that are next to
// each other as in the query. Like a word, two neighbours count once: a passage that repeats them
// shows no more of the query.
func (m *marker) adjoining(marks []mark) (worth float32) {
	m.joined = append(m.joined[:0], make([]bool, len(m.weight))...)
	join := func(c int) {
		if !m.joined[c] {
			m.joined[c] = true
			worth += float32(0.3 * m.weight[c])
		}
	}
	for i, one := range marks {
		if i > 0 && one.first == marks[i-1].last+1 && one.Start-marks[i-1].End <= 2 {
			join(one.first)
		}
		for c := one.first + 1; c <= one.last; c++ {
			join(c)
		}
	}
	return worth
}

// withPhrase is what a phrase of the query is worth in a passage: more than everything else
// together.
const withPhrase = 10_000

// passageRunes is the room for marks in an excerpt: the ellipses at both ends need two.
const passageRunes = article.MaxExcerptRunes - 2

// leadRunes is how many characters before the first match an excerpt may begin; more if the text
// ends soon after the match.
const leadRunes = 80

// passage extends a range of a text to whole words and to at most passageRunes characters. It
// begins with a sentence, if one begins nearby.
func passage(text string, start, end int) (int, int) {
	room := passageRunes - utf8.RuneCountInString(text[start:end])
	if room < 0 {
		return start, start + byteOf(text[start:], passageRunes)
	}
	begin := passageBegin(text, start, end, room)
	return begin, passageEnd(text, end, room-utf8.RuneCountInString(text[begin:start]))
}

// passageBegin returns where a passage begins: at the sentence of start or, if that is too far
// back, at a word closer to start.
func passageBegin(text string, start, end, room int) int {
	lead, toWord := leadRunes, leadRunes/2
	if after := text[end:]; len(after) < utf8.UTFMax*room { // the text may end soon
		if left := room - utf8.RuneCountInString(after); left > lead {
			lead, toWord = left, left
		}
	}
	word, sentence, at := -1, -1, start
	for n := 0; n < min(room, lead) && at > 0; n++ {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if endsSentence(r) && (spaceAt(text, at) || r >= 0x3000 || r == '\n') && !abbreviates(text, at) {
			sentence = at
			break
		}
		if unicode.IsSpace(r) && n < toWord {
			word = at
		}
		at -= size
	}
	if at == 0 {
		sentence = 0
	}
	begin := start
	switch {
	case sentence >= 0:
		begin = sentence
	case word >= 0:
		begin = word
	case utf8.RuneCountInString(text[at:start]) <= leadRunes/4: // an unspaced script, or part of a long word
		begin = nextWord(text, at, start)
	}
	for begin < start {
		r, size := utf8.DecodeRuneInString(text[begin:])
		if !unicode.IsSpace(r) {
			break
		}
		begin += size
	}
	return begin
}

// passageEnd returns where a passage ends: at the end of the last word for which there is room.
func passageEnd(text string, end, room int) int {
	limit := end + byteOf(text[end:], room)
	if limit == len(text) {
		return limit
	}
	if cut := strings.LastIndexFunc(text[end:limit], unicode.IsSpace); cut > 0 {
		return end + cut
	}
	for limit > end { // an unspaced script, or one very long word
		r, _ := utf8.DecodeRuneInString(text[limit:])
		before, size := utf8.DecodeLastRuneInString(text[:limit])
		if c := analysis.ClassOf(r); c != analysis.Diacritic && c != analysis.Spaced && !inSyllable(before, r) {
			break
		}
		limit -= size
	}
	return limit
}

// endsSentence reports whether a sentence or block may end with r.
func endsSentence(r rune) bool {
	switch r {
	case '.', '!', '?', '\n', '…', '。', '！', '？', '।', '؟', '۔', '።', '։', '។', '။':
		return true
	}
	return false
}

// abbreviates reports whether a place of a text is right after the full stop of an ordinal or an
// abbreviation, which does not end a sentence: one after a number of one or two digits ("12.
// August"), before a number ("Abs. 4"), or before a small letter ("i.e. so"). In Unicode all
// letters of Georgian are small, so a Georgian letter may begin a sentence.
func abbreviates(text string, at int) bool {
	before, found := strings.CutSuffix(text[:at], ".")
	if !found {
		return false
	}
	digits := len(before)
	for digits > 0 && isDigit(before[digits-1]) {
		digits--
	}
	digits = len(before) - digits
	after := strings.TrimLeft(text[at:], " ")
	next, _ := utf8.DecodeRuneInString(after)
	return digits == 1 || digits == 2 || after != "" && isDigit(after[0]) || unicode.IsLower(next) && !unicode.Is(unicode.Georgian, next)
}

func spaceAt(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	return unicode.IsSpace(r)
}

// nextWord returns the first place between from and to where a word begins, or to if none does.
func nextWord(text string, from, to int) int {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	within := analysis.ClassOf(before) == analysis.Spaced
	for i, r := range text[from:to] {
		tied := inSyllable(before, r)
		before = r
		switch analysis.ClassOf(r) {
		case analysis.Diacritic:
		case analysis.Other:
			within = false
		case analysis.Spaced:
			if within {
				continue
			}
			return from + i
		default:
			if !tied {
				return from + i
			}
		}
	}
	return to
}

// inSyllable reports whether two characters are of one syllable of Thai or Lao, where some vowels
// are letters before their consonant, others after it, or are shown as one.
func inSyllable(before, after rune) bool {
	return analysis.Ties(before, after) || strings.ContainsRune("เแโใไເແໂໃໄ", before) || strings.ContainsRune("ะาๅະາ", after)
}

// byteOf returns the length in bytes of the first n characters of s.
func byteOf(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

// render writes text[start:end] to m.plain as one line, with an ellipsis where a sentence was cut,
// and to m.html the same as HTML with the marks. The separator goes between a heading, or another
// block that ends without a full stop, and the next block.
func (m *marker) render(text string, start, end int, marks []mark, separator string) {
	const opening, closing = "<mark>", "</mark>"
	m.plain, m.html = m.plain[:0], m.html[:0]
	before := strings.TrimRight(text[:start], " \t")
	if r, _ := utf8.DecodeLastRuneInString(before); start > 0 && (!endsSentence(r) || abbreviates(text, len(before))) {
		m.plain, m.html = append(m.plain, "…"...), append(m.html, "…"...)
	}
	write := func(start, end int, separator string) {
		from := len(m.plain)
		m.plain = appendLine(m.plain, text[start:end], separator)
		m.html = append(m.html, html.EscapeString(sharing(m.plain[from:]))...)
	}
	at := start
	for _, one := range marks {
		if one.Start < at || one.End > end {
			continue
		}
		write(at, one.Start, separator)
		if begun := bytes.TrimSuffix(m.html, []byte(closing)); len(begun) < len(m.html) {
			m.html = begun // the mark before continues
		} else {
			m.html = append(m.html, opening...)
		}
		write(one.Start, one.End, " ")
		m.html = append(m.html, closing...)
		at = one.End
	}
	from := len(m.plain)
	m.plain = appendLine(m.plain, text[at:end], separator)
	m.plain = m.plain[:from+len(bytes.TrimRight(m.plain[from:], " "))]
	if r, _ := utf8.DecodeLastRune(m.plain[from:]); end < len(text) && !endsSentence(r) {
		m.plain = append(m.plain, "…"...)
	}
	m.html = append(m.html, html.EscapeString(sharing(m.plain[from:]))...)
}

// appendLine appends a text with every run of white space as one space, or as the separator if the
// run has an empty line and does not follow the end of a sentence or a colon.
func appendLine(b []byte, text, separator string) []byte {
	spaces, lines := 0, 0
	last := ' '
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		begin := at
		at += size
		if unicode.IsSpace(r) {
			if spaces++; r == '\n' {
				lines++
			}
			continue
		}
		b = appendSpace(b, spaces, lines, last, separator)
		spaces, lines = 0, 0
		for at < len(text) && ' ' < text[at] && text[at] < utf8.RuneSelf {
			at++
		}
		b = append(b, text[begin:at]...)
		last, _ = utf8.DecodeLastRune(b)
	}
	return appendSpace(b, spaces, lines, last, separator)
}

// appendSpace appends what replaces a run of white space, of so many characters and line breaks,
// after a character.
func appendSpace(b []byte, spaces, lines int, before rune, separator string) []byte {
	switch {
	case spaces == 0:
		return b
	case lines > 1 && !endsSentence(before) && before != ':':
		return append(b, separator...)
	}
	return append(b, ' ')
}

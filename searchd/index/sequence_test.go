package index

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"newsstand/builder/article"
)

// sequencerOf returns a sequencer to which some texts were added.
func sequencerOf(texts ...string) *sequencer {
	s := newSequencer(nil, newFieldTerms())
	for _, text := range texts {
		s.each(text, s.follow)
		s.end()
	}
	return s
}

// sequenceOf returns the sequence of some texts.
func sequenceOf(texts ...string) sequence { return sequencerOf(texts...).sequence() }

// neighboursOf returns the neighbours in some texts.
func neighboursOf(texts ...string) neighbours { return newNeighbours(sequencerOf(texts...).neighbours) }

// A phrase is in the sequence of a text exactly if it is in the text, as far as the text has its
// words.
func FuzzSequence(f *testing.F) {
	for _, seed := range [][2]string{
		{"The swap of the two, the “Swap-file” of Bob's node.js v1.2", "of the"}, {"The swap", "Bob's swap"}, {"o's o o's s o", "o's"},
		{"语swap ก็swap swapก็ 我们在北京大学", "北京大"}, {"Ökonomie économie ﬁnd ｆｉｎｄ", "find find"}, {"Bob🙂🙂 Bob", "🙂 🙂"}, {"a b a a b a b b", "a b a b"}, {"", "a b"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, text, quoted string) {
		p := unitsOf(quoted)
		if !utf8.ValidString(text) || len(p) == 0 || len(quoted) > 512 {
			t.Skip("articles are UTF-8, phrases have words, and queries an end")
		}
		forms := newSequencer(nil, newFieldTerms())
		forms.each(text, forms.meet)
		known := !slices.ContainsFunc(p, func(u unit) bool { _, added := forms.forms.number([]byte(u.form)); return added })
		m, s, near := newMatcher(p, 0, nil), sequenceOf("before", text, "behind"), neighboursOf("before", text, "behind")
		if in := m.in(text); in && !near.mayHave(m.pairs) {
			t.Errorf("%q in %q: its neighbours are not there", quoted, text)
		}
		for rarest := range p {
			if has, in := s.has(m.hashes, rarest), m.in(text); in && !has || known && has && !in {
				t.Errorf("%q in %q: %v by the text, %v by its sequence, looking for form %d", quoted, text, in, has, rarest)
			}
		}
	})
}

// A phrase does not match across the end of a text, nor across codes.
func TestSequenceKeepsTextsAndCodesApart(t *testing.T) {
	var two []uint64
	for _, word := range []string{"one", "two"} {
		two = append(two, hashForm([]byte(word)))
	}
	if sequenceOf("three one", "two four").has(two, 1) || !sequenceOf("three", "one two").has(two, 1) {
		t.Error("a phrase begins in one text and ends in the next")
	}
	c := coding{2, []byte{0}}
	shifted := sequence{2, 1, 0, 1} // the codes begin one byte late
	for _, hash := range two {
		shifted = c.appendCode(shifted, c.code(hash))
	}
	if shifted.has(two, 1) || !append(shifted, c.appendCode(c.appendCode([]byte{1}, c.code(two[0])), c.code(two[1]))...).has(two, 1) {
		t.Error("codes are found where none begins, or not after such a place")
	}
}

// Neighbours pass, whichever text of an article they are in; of other pairs of its words few pass.
func TestNeighbours(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var words []string
	for range 2000 {
		words = append(words, fmt.Sprint("w", random.IntN(500)))
	}
	near := neighboursOf("title", strings.Join(words, " "), "tag")
	may := func(first, second string) bool {
		return near.mayHave(newMatcher(unitsOf(first+" "+second), 0, nil).pairs)
	}
	next := map[string]bool{}
	for i := range words[1:] {
		next[words[i]+" "+words[i+1]] = true
		if !may(words[i], words[i+1]) {
			t.Errorf("%s %s does not pass", words[i], words[i+1])
		}
	}
	passed, others := 0, 0
	for range 10_000 {
		first, second := words[random.IntN(len(words))], words[random.IntN(len(words))]
		if !next[first+" "+second] {
			if others++; may(first, second) {
				passed++
			}
		}
	}
	if passed*4 > others {
		t.Errorf("%d of %d other pairs pass", passed, others)
	}
	if empty := neighboursOf("", "alone", ""); empty.mayHave([]uint64{1}) || !empty.mayHave(nil) {
		t.Error("an article of one word has neighbours")
	}
}

// However many different words an article has, no two have the same code; if that is impossible, it
// has no codes.
func TestSequenceOfManyForms(t *testing.T) {
	for _, test := range []struct{ forms, least, most int }{{50, 2, 2}, {300, 2, 2}, {1_500, 2, 2}, {4_000, 2, 2}, {12_000, 3, 3}, {60_000, 3, 4}} {
		var words []string
		for i := range test.forms {
			words = append(words, fmt.Sprint("w", i))
		}
		s := sequenceOf(strings.Join(words, " "))
		if len(s) == 0 {
			t.Errorf("%d forms have no sequence", test.forms)
			continue
		}
		width, codesAt := int(s[0]), 2+int(s[1])
		if width < test.least || width > test.most || len(s) != codesAt+width*(test.forms+1) {
			t.Errorf("%d forms have codes of %d bytes in %d", test.forms, width, len(s))
		}
		codes := map[string]bool{}
		for c := range slices.Chunk(s[codesAt:], width) {
			codes[string(c)] = true
		}
		if len(codes) != test.forms+1 {
			t.Errorf("%d forms and the end of a text have %d codes", test.forms, len(codes))
		}
	}
	same := sequencerOf("one two")
	same.hashes[1] = same.hashes[0]
	if s := same.sequence(); len(s) > 0 {
		t.Errorf("two forms with one hash have codes: %v", s)
	}
}

// The engine keeps the sequences when it merges and when it is opened again. Without them phrases
// would be found all the same, but slowly.
func TestSequencesAreKept(t *testing.T) {
	dir := t.TempDir()
	x := unclosed(t, dir)
	for i := range 3 {
		update(t, x, fmt.Sprint("r", i), []article.Article{note(fmt.Sprint("a", i), "en", "Title", fmt.Sprint("text of ", i)), note("b", "en", "Title", fmt.Sprint("again ", i))})
	}
	want := map[string][]string{"b": {"Title", "again 2", "again 2"}}
	for i := range 3 {
		text := fmt.Sprint("text of ", i)
		want[fmt.Sprint("a", i)] = []string{"Title", text, text}
	}
	check := func(x *Index, when string) {
		s := x.acquire()
		defer x.release(s)
		for id, want := range want {
			doc, _ := s.find(id)
			near, words := splitOrder(s.order(doc))
			if !bytes.Equal(words, sequenceOf(want...)) || !bytes.Equal(near, neighboursOf(want...)) {
				t.Errorf("%s: %s has the sequence %v and the neighbours %v, want %v and %v", when, id, words, near, sequenceOf(want...), neighboursOf(want...))
			}
		}
	}
	check(x, "after updates")
	x.merge(t)
	check(x, "after a merge")
	shut(t, x)
	check(open(t, dir), "when opened again")
}

// Neighbours that are frequent words are terms: their phrase needs no sequence, whatever the
// history of the index, and finds what it finds in an index in which other words are frequent.
func TestFrequentNeighboursAreTerms(t *testing.T) {
	dir := t.TempDir()
	x := unclosed(t, dir)
	var all []article.Article
	for i := range 40 {
		text := fmt.Sprintf("The end of w%d", i) // "of the" is in one of four
		if i%4 == 0 {
			text = fmt.Sprintf("End of the w%d", i)
		}
		all = append(all, note(fmt.Sprint("a", i), "en", fmt.Sprint("Title ", i), text))
	}
	update(t, x, "r1", all)
	later := []article.Article{note("a0", "en", "New", "the of"), note("b", "en", "Out of the blue", "sky"), note("c", "en", "End", "of. The")}
	update(t, x, "r2", later, "a4")

	check := func(x *Index, when string, terms bool) {
		t.Helper()
		for query, want := range map[string]int{`"of the"`: 10, `"end of the"`: 8, `"the of"`: 1, `"of the blue"`: 1, `end -"of the"`: 30, `"the end of"`: 30} {
			if got := search(t, x, query, 1).Total; got != want {
				t.Errorf("%s: %s finds %d, want %d", when, query, got, want)
			}
		}
		s := x.acquire()
		defer x.release(s)
		for phrase, reads := range map[string]bool{"of the": !terms, "the of": !terms, "end of the": true, "the blue": true} {
			if m := (view{snapshot: s, ctx: t.Context()}).withWords(unitsOf(phrase), newBitmap(s.docs)); (m != nil) != reads {
				t.Errorf("%s: sequences are read for %q: %v, want %v", when, phrase, m != nil, reads)
			}
		}
	}
	check(x, "after an update", true)
	shut(t, x)
	check(open(t, dir), "when opened again", true)

	small := open(t, t.TempDir()) // nothing is frequent in two articles
	update(t, small, "r1", later[:2])
	update(t, small, "r2", append(slices.DeleteFunc(slices.Clone(all[1:]), func(a article.Article) bool { return a.ID == "a4" }), later[2]))
	check(small, "grown from two articles", false)
}

// Whether a word that many articles have is split in two does not depend on which words were
// frequent when the index was built.
func TestAFrequentWordIsTwoWhateverTheHistory(t *testing.T) {
	var all []article.Article
	for i := range 2600 {
		text := fmt.Sprintf("w%d", i)
		if i%2 == 0 {
			text += " of the"
		}
		if i%9 < 2 { // of 578 articles, more than one in five, and less than one in four
			text += " as it"
		}
		all = append(all, note(fmt.Sprint("a", i), "en", fmt.Sprint("Title ", i), text))
	}
	atOnce, grown := open(t, t.TempDir()), open(t, t.TempDir())
	update(t, atOnce, "r2", all)
	update(t, grown, "r1", all[:2]) // in which nothing is frequent
	update(t, grown, "r2", all[2:])
	for query, want := range map[string]int{"ofthe": 1300, "asit": 0} {
		for when, x := range map[string]*Index{"at once": atOnce, "grown": grown} {
			if got := search(t, x, query, 1).Total; got != want {
				t.Errorf("%s: %s finds %d, want %d", when, query, got, want)
			}
		}
	}
}

// A text that is only ever a part of a word, such as the "t" of "don't", is a term: phrases with it
// need no texts, and find the same however it occurs.
func TestPartsOfWordsAreTerms(t *testing.T) {
	long := strings.Repeat("long", maxTermLetters/4+1)
	x := indexOf(t,
		note("a", "en", "One", "I don’t want that, and Bob's swap o's too"), note("b", "en", "Two", "don t want"),
		note("c", "en", "Three", "t don want"), note("d", "en", "Four", "don want s swap"), note("e", "en", "Five", "say "+long+" here"),
		note("f", "fr", "Six", "à l’école"),
	)
	for query, want := range map[string]int{`"don't want"`: 2, `"I don't"`: 1, `"Bob's swap"`: 1, `swap -"Bob's swap"`: 1, `"swap o's"`: 1, `"say ` + long + `"`: 1} {
		if got := search(t, x, query, 1).Total; got != want {
			t.Errorf("%s finds %d, want %d", query, got, want)
		}
	}
	s := x.acquire()
	defer x.release(s)
	for phrase, told := range map[string]bool{"don't want": true, "swap o's": true, "l’école": true, "say " + long: false} {
		may := newBitmap(s.docs)
		if m := (view{snapshot: s, ctx: t.Context()}).withWords(unitsOf(phrase), may); m.told != told {
			t.Errorf("texts are read for %q: %v, want %v", phrase, !m.told, !told)
		}
	}
}

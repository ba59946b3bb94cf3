package index

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

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

package searchd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/builder/hinted"
	"newsstand/builder/publication"
	"newsstand/searchd/index"
)

// Report says how well the articles of one revision are found.
type Report struct {
	Revision string `json:"revision"`
	Articles int    `json:"articles"`
	// Passed is true when no check has an offender.
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"`
}

// Check is what came of one kind of query, asked for every article.
type Check struct {
	Name string `json:"name"`
	// Demand is what is demanded of each query.
	Demand string `json:"demand"`
	// Asked is the number of queries; Tied of them were answered with articles before the
	// right one that match just as well.
	Asked int `json:"asked"`
	Tied  int `json:"tied"`
	// Left is the number of articles for which nothing could be asked: those without a word long
	// enough for a typo, or without a text.
	Left      int        `json:"left"`
	Offenders []Offender `json:"offenders"`
}

// Offender is a query that was not answered as it should be.
type Offender struct {
	Query string `json:"query"`
	// Article is the one that is in the wrong place.
	Article string `json:"article"`
	// Rank is its place, counted from 1; 0 where it is not among the first hundred.
	Rank int `json:"rank"`
	// Want is the last rank that is right; 0 where the article must not be found.
	Want int `json:"want"`
	// Before are the articles before it, at most five.
	Before []string `json:"before"`
}

// The checks, in the order of a report.
const (
	checkTests = iota
	checkTitle
	checkTypo
	checkPhrase
	checkWords
	checkTag
)

// typoRank is the last rank that is right for a title with a typo: another title may be
// as near to what was typed.
const typoRank = 3

// wordsRank is the last rank that is right for words of the text: others may say the same in
// their title, and are then the better answer.
const wordsRank = 10

func newChecks() []Check {
	checks := []Check{
		checkTests:  {Name: "tests", Demand: "the site's own search tests hold"},
		checkTitle:  {Name: "title", Demand: "an article's title finds it first"},
		checkTypo:   {Name: "typo", Demand: fmt.Sprintf("its title with one typo finds it among the first %d", typoRank)},
		checkPhrase: {Name: "phrase", Demand: "a rare phrase of its text, in quotation marks, finds it first"},
		checkWords:  {Name: "words", Demand: fmt.Sprintf("the same words without quotation marks find it among the first %d", wordsRank)},
		checkTag:    {Name: "tag", Demand: "each of its tags finds it"},
	}
	for i := range checks {
		checks[i].Offenders = []Offender{}
	}
	return checks
}

// checker asks a Live for every article of what it serves.
type checker struct {
	live     *Live
	pub      *publication.Publication
	settings map[string]article.ArticleSettings

	mu         sync.Mutex          // guards what follows, and the calls of Progress
	vocabulary map[string]int      // number of articles by word, as wordsOf has them
	titles     map[string]string   // by id, as titleOf has them
	tags       map[string][]string // ids of articles by tag
	checks     []Check
}

// Check compares what is found with what should be: by the tests that the site carries, and by
// asking for each article in the ways in which people do.
func (l *Live) Check(ctx context.Context) (Report, error) {
	pub, err := publication.Open(l.source)
	if err != nil {
		return Report{}, l.sourceError(err)
	}
	settings, err := pub.Settings()
	if err != nil {
		return Report{}, l.sourceError(err)
	}
	m := pub.Manifest()
	if served := l.Status().Revision; served != m.Revision {
		return Report{}, hinted.Error(fmt.Errorf("check search: revision %s is served, and %s is published", served, m.Revision),
			"the site was published meanwhile: check again")
	}
	c := checker{
		live: l, pub: pub, settings: settings.ByID(),
		vocabulary: map[string]int{}, titles: map[string]string{}, tags: map[string][]string{}, checks: newChecks(),
	}
	for _, step := range []func() error{
		func() error { return c.siteTests(ctx, settings.Tests) },
		func() error { return c.each(ctx, "read", c.learn) },
		func() error { return c.each(ctx, "asked for", c.ask) },
		func() error { return c.askTags(ctx) },
	} {
		if err := step(); err != nil {
			return Report{}, err
		}
	}
	r := Report{Revision: m.Revision, Articles: m.Articles, Passed: true, Checks: c.checks}
	for _, one := range r.Checks {
		r.Passed = r.Passed && len(one.Offenders) == 0
		slices.SortFunc(one.Offenders, func(a, b Offender) int {
			return cmp.Or(cmp.Compare(a.Article, b.Article), cmp.Compare(a.Query, b.Query))
		})
	}
	return r, nil
}

// each visits all articles, several at once. What becomes of them is told as the progress.
func (c *checker) each(ctx context.Context, what string, visit func(context.Context, article.Article) error) error {
	done := 0 // guarded by c.mu
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(c.live.options.Processors)
	for _, chunk := range c.pub.Manifest().Chunks {
		work.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			records, err := c.pub.Chunk(chunk)
			if err != nil {
				return c.live.sourceError(err)
			}
			for _, r := range records {
				a, err := article.Decode(r.Line)
				if err != nil {
					return c.live.sourceError(fmt.Errorf("parse article %s: %w", r.ID, err))
				}
				if err := visit(ctx, a); err != nil {
					return err
				}
				c.mu.Lock()
				done++
				c.live.options.Progress(what, done, c.pub.Manifest().Articles)
				c.mu.Unlock()
			}
			return nil
		})
	}
	return work.Wait()
}

// learn notes what other articles are compared with.
func (c *checker) learn(_ context.Context, a article.Article) error {
	own := map[string]bool{}
	for _, text := range []string{a.Title, a.ContentText} {
		for _, w := range wordsOf(text) {
			own[w.form] = true
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for form := range own {
		c.vocabulary[form]++
	}
	c.titles[a.ID] = titleOf(a.Title)
	if !c.settings[a.ID].Exclude {
		for _, tag := range a.Tags {
			c.tags[tag] = append(c.tags[tag], a.ID)
		}
	}
	return nil
}

// siteTests compares the site's own expectations.
func (c *checker) siteTests(ctx context.Context, tests []article.SearchTest) error {
	for _, test := range tests {
		found, err := c.rank(ctx, index.Query{Text: test.Query, Limit: article.MaxLimit})
		if err != nil {
			return err
		}
		c.count(checkTests, false)
		for _, id := range test.Expect {
			if rank := rankOf(found, id); rank == 0 || rank > test.MaxRank {
				c.offend(checkTests, test.Query, id, found, test.MaxRank)
			}
		}
		for _, id := range test.MustNot {
			if rank := rankOf(found, id); rank > 0 && rank <= test.MaxRank {
				c.offend(checkTests, test.Query, id, found, 0)
			}
		}
	}
	return nil
}

// question is a query that should find an article among the first results.
type question struct {
	check int
	query string // empty: there is nothing to ask
	want  int    // the last rank that is right
	// equal reports whether another article may stand before this one, for it is as good.
	equal func(other, this index.Ranked) bool
}

// ask asks for one article.
func (c *checker) ask(ctx context.Context, a article.Article) error {
	if c.settings[a.ID].Exclude {
		return nil
	}
	for _, q := range c.questions(a) {
		if err := c.find(ctx, a.ID, q); err != nil {
			return err
		}
	}
	return nil
}

// questions returns what is asked for one article.
func (c *checker) questions(a article.Article) []question {
	title := shortened(a.Title)
	if len(wordsOf(title)) == 0 { // it is signs only, which no search is for
		title = ""
	}
	// Another article may come first that has the same title, or that the site has put there.
	titled := func(other, _ index.Ranked) bool {
		return c.titles[other.ID] == c.titles[a.ID] ||
			slices.ContainsFunc(c.settings[other.ID].Pin, func(pin string) bool { return titleOf(pin) == titleOf(title) })
	}
	// So may one that has what was typed, in some form: the slip made another word of it.
	meant := func(other, this index.Ranked) bool { return titled(other, this) || other.Rung < this.Rung }
	// Whatever a phrase in quotation marks finds has it.
	all := func(_, _ index.Ranked) bool { return true }
	none := func(_, _ index.Ranked) bool { return false }

	phrase, rarest := rarePhrase(a.ContentText, c.vocabulary)
	quoted, words := "", bare(phrase)
	if phrase != "" {
		quoted = `"` + phrase + `"`
	}
	if rarest > wordsRank {
		words = "" // so many others may have them
	}
	return []question{
		{checkTitle, title, 1, titled},
		{checkTypo, mistype(withoutMinus(unquoted(title)), a.ID, c.vocabulary), typoRank, meant},
		{checkPhrase, quoted, 1, all},
		{checkWords, words, wordsRank, none},
	}
}

// find asks for an article, before which fewer than q.want others may stand that are better.
func (c *checker) find(ctx context.Context, id string, q question) error {
	if q.query == "" {
		c.leave(q.check)
		return nil
	}
	found, err := c.rank(ctx, index.Query{Text: q.query, Limit: article.MaxLimit})
	if err != nil {
		return err
	}
	rank := rankOf(found, id)
	if rank == 0 && len(found) == article.MaxLimit { // after all that an answer has
		rank = len(found) + 1
	}
	better := q.want // where it is not found
	if rank > 0 {
		better = 0
		this := found[min(rank, len(found))-1]
		for _, other := range found[:rank-1] {
			if !q.equal(other, this) {
				better++
			}
		}
	}
	c.count(q.check, rank > q.want && better < q.want)
	if better >= q.want {
		c.offend(q.check, q.query, id, found, q.want)
	}
	return nil
}

// askTags asks for each tag among the articles that have it: it must find all of them.
func (c *checker) askTags(ctx context.Context) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(c.live.options.Processors)
	for tag, ids := range c.tags {
		work.Go(func() error { return c.askTag(ctx, tag, ids) })
	}
	return work.Wait()
}

// askTag asks for one tag, which these articles have.
func (c *checker) askTag(ctx context.Context, tag string, ids []string) error {
	query := withoutMinus(shortened(tag))
	if len(wordsOf(query)) == 0 {
		c.leave(checkTag)
		return nil
	}
	found, err := c.rank(ctx, index.Query{Text: query, Tags: []string{tag}, Limit: len(c.titles)})
	if err != nil {
		return err
	}
	c.count(checkTag, false)
	has := map[string]bool{}
	for _, one := range found {
		has[one.ID] = true
	}
	for _, id := range ids {
		if !has[id] {
			c.offend(checkTag, query, id, nil, len(found)+1)
		}
	}
	return nil
}

// rank asks the index.
func (c *checker) rank(ctx context.Context, q index.Query) ([]index.Ranked, error) {
	return use(c.live, func(x *index.Index) ([]index.Ranked, error) {
		found, _, err := x.Rank(ctx, q)
		return found, err
	})
}

// rankOf is the rank of an article, 0 where it is not there.
func rankOf(found []index.Ranked, id string) int {
	return 1 + slices.IndexFunc(found, func(one index.Ranked) bool { return one.ID == id })
}

// count counts a query, and whether it was right only because of articles that are equal.
func (c *checker) count(check int, tied bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks[check].Asked++
	if tied {
		c.checks[check].Tied++
	}
}

// leave counts an article for which nothing could be asked.
func (c *checker) leave(check int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks[check].Left++
}

// offend notes a query whose answer is wrong.
func (c *checker) offend(check int, query, id string, found []index.Ranked, want int) {
	rank := rankOf(found, id)
	before := found
	if rank > 0 {
		before = found[:rank-1]
	}
	o := Offender{Query: query, Article: id, Rank: rank, Want: want, Before: []string{}}
	for _, one := range before[:min(shownBefore, len(before))] {
		o.Before = append(o.Before, one.ID)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.checks[check].Offenders = append(c.checks[check].Offenders, o)
}

// shownBefore is the number of articles before an offender that are named.
const shownBefore = 5

// shortened cuts a text to what a query may have.
func shortened(text string) string {
	fields := strings.Fields(text)
	fields = fields[:min(len(fields), article.MaxQueryTerms)]
	for utf8.RuneCountInString(strings.Join(fields, " ")) > article.MaxQueryRunes {
		fields = fields[:len(fields)-1]
	}
	return strings.Join(fields, " ")
}

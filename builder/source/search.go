package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"newsstand/builder/article"
	"newsstand/builder/source/frontmatter"
)

// gatherSearch gathers the search settings and the search tests of the site, and the search
// settings of its published articles.
func (f *Folder) gatherSearch(r *siteReader) error {
	f.Settings = article.SearchSettings{Language: f.Site.Language, Synonyms: f.Site.synonyms, Articles: []article.ArticleSettings{}}
	if f.Settings.Synonyms == nil {
		f.Settings.Synonyms = []article.Synonym{}
	}
	found := make(map[string]bool, len(f.Files)) // by id of a published article: whether search finds it
	for _, file := range f.Files {
		if file.Status != Published {
			continue
		}
		found[file.ID] = file.search == nil || !file.search.Exclude
		if file.search != nil {
			f.Settings.Articles = append(f.Settings.Articles, *file.search)
		}
	}
	slices.SortFunc(f.Settings.Articles, func(a, b article.ArticleSettings) int { return strings.Compare(a.ID, b.ID) })
	tests, err := r.readTests(found)
	f.Settings.Tests = tests
	return err
}

// search reads the site's search settings: synonyms, as lists of words that mean the same or as
// tables with from and to.
func (r *siteReader) search(v frontmatter.Value) {
	if v.Kind != frontmatter.Table {
		r.report(SiteFile, v, Error, fmt.Sprintf("search is %s", show(v)), "write its keys below it, indented")
		return
	}
	for _, f := range v.Fields {
		if f.Key != "synonyms" {
			r.unknown(SiteFile, f, "search", []string{"synonyms"})
			continue
		}
		if f.Value.Kind != frontmatter.List && f.Value.Kind != frontmatter.Null {
			r.report(SiteFile, f.Value, Error, fmt.Sprintf("synonyms is %s, not a list of groups", show(f.Value)),
				"write each group on a line of its own, as in - [car, automobile]")
		}
		for _, group := range f.Value.Items {
			r.synonyms(group)
		}
	}
	slices.SortFunc(r.site.synonyms, func(a, b article.Synonym) int {
		return cmp.Or(slices.Compare(a.From, b.From), slices.Compare(a.To, b.To))
	})
}

// synonyms reads a group of synonyms.
func (r *siteReader) synonyms(group frontmatter.Value) {
	var syn article.Synonym
	switch group.Kind {
	case frontmatter.List:
		syn.From = words(group)
		syn.To = syn.From
	case frontmatter.Table:
		for _, side := range group.Fields {
			switch side.Key {
			case "from":
				syn.From = words(side.Value)
			case "to":
				syn.To = words(side.Value)
			default:
				r.unknown(SiteFile, side, "synonyms", []string{"from", "to"})
			}
		}
	}
	if len(syn.From) == 0 || len(syn.To) == 0 || group.Kind == frontmatter.List && len(syn.From) < 2 {
		r.report(SiteFile, group, Error, "a group of synonyms is incomplete",
			"write a list of words that mean the same, as in [car, automobile], or from: [tv] and to: [television]")
		return
	}
	r.unheard(group, syn)
	r.site.synonyms = append(r.site.synonyms, syn)
}

// unheard warns of synonyms that have no effect.
func (r *siteReader) unheard(group frontmatter.Value, syn article.Synonym) {
	for _, text := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(syn.From, syn.To)))) {
		if !hasWord(text) {
			r.report(SiteFile, group, Warning, fmt.Sprintf("the synonym %q has no letter, so it is never searched", text),
				"write the word that people type, or leave it out")
		}
	}
	for _, text := range syn.From {
		if n := len(strings.Fields(text)); n > article.MaxSynonymWords {
			r.report(SiteFile, group, Warning, fmt.Sprintf("the synonym %q has %d words, so nothing else is searched for it", text, n),
				fmt.Sprintf("shorten it to %d words", article.MaxSynonymWords))
		}
	}
}

// hasWord reports whether a text has a character that search makes a word of. Emoji such as 👍 are
// in the category So.
func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.Is(unicode.So, c) })
}

// words returns the texts of a list, each as one line, sorted and without duplicates.
func words(v frontmatter.Value) []string {
	var out []string
	for _, s := range scalars(v) {
		if s = collapse(s); s != "" {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// readTests reads search-tests.yaml and checks its ids against found, which says for each published
// id whether search finds it.
func (r *siteReader) readTests(found map[string]bool) ([]article.SearchTest, error) {
	tests := []article.SearchTest{}
	data, err := readOptional(r.content, TestsFile)
	if err != nil || data == nil {
		return tests, err
	}
	doc, se := frontmatter.ParseList(data)
	if se != nil {
		r.reportMistake(TestsFile, se, Error)
		return tests, nil
	}
	r.mistakes(TestsFile, doc, data)
	for _, item := range doc.Items {
		t := r.readTest(item, found)
		if t.Query == "" || len(t.Expect)+len(t.MustNot) == 0 {
			r.report(TestsFile, item, Error, "a search test needs a query and an expectation", "write query:, and expect: or must_not: with ids")
			continue
		}
		r.unmeetable(item, t)
		tests = append(tests, t)
	}
	return tests, nil
}

// readTest reads one test.
func (r *siteReader) readTest(item frontmatter.Value, found map[string]bool) article.SearchTest {
	t := article.SearchTest{MaxRank: 1}
	for _, f := range item.Fields {
		switch f.Key {
		case "query":
			if t.Query = collapse(f.Value.Text); isTree(f.Value) {
				r.report(TestsFile, f.Value, Error, fmt.Sprintf("query is %s, not text", f.Value.Kind),
					"write what people type, in quotes if it begins with [ or {")
			}
		case "expect":
			t.Expect = r.testIDs(f, found)
		case "must_not":
			t.MustNot = r.testIDs(f, found)
		case "max_rank":
			n, rest, ok := digits(f.Value.Text, 1, 3)
			if !ok || rest != "" || n < 1 || n > article.MaxLimit {
				r.report(TestsFile, f.Value, Error, fmt.Sprintf("max_rank is %s", show(f.Value)),
					fmt.Sprintf("write a whole number from 1 to %d", article.MaxLimit))
				continue
			}
			t.MaxRank = n
		default:
			r.unknown(TestsFile, f, "", []string{"query", "expect", "max_rank", "must_not"})
		}
	}
	return t
}

// testIDs reads the ids of a key of a test.
func (r *siteReader) testIDs(f frontmatter.Field, found map[string]bool) (ids []string) {
	for _, item := range items(f.Value) {
		for _, id := range scalars(item) {
			if isFound, published := found[id]; !published {
				r.report(TestsFile, item, Error, fmt.Sprintf("%s names %q, which is not published", f.Key, id),
					"builder list shows the ids of all published articles")
			} else if !isFound && f.Key == "expect" {
				r.report(TestsFile, item, Error, fmt.Sprintf("expect names %q, which is excluded from search", id), "remove it here, or the exclusion in its front matter")
			}
			ids = append(ids, id)
		}
	}
	return ids
}

// unmeetable reports a test that no search could meet.
func (r *siteReader) unmeetable(at frontmatter.Value, t article.SearchTest) {
	if n := len(t.Expect); n > t.MaxRank {
		r.report(TestsFile, at, Error, fmt.Sprintf("%d articles are expected among the first %d", n, t.MaxRank),
			fmt.Sprintf("write max_rank: %d or more", n))
	}
	for _, id := range t.MustNot {
		if slices.Contains(t.Expect, id) {
			r.report(TestsFile, at, Error, fmt.Sprintf("%q is expected, and must not be found", id), "remove it from expect or from must_not")
		}
	}
	if len(t.Expect) > 0 && !hasWord(t.Query) {
		r.report(TestsFile, at, Error, fmt.Sprintf("the query %q has no letter, so nothing is found", t.Query), "write what people type")
	}
	if n := utf8.RuneCountInString(t.Query); n > article.MaxQueryRunes {
		r.report(TestsFile, at, Error, fmt.Sprintf("the query has %d characters, which no search may have", n),
			fmt.Sprintf("shorten it to %d", article.MaxQueryRunes))
	}
}

// search reads the block that says how search treats the article.
func (r *metaReader) search(f frontmatter.Field) {
	v, keys := f.Value, []string{"boost", "pin", "exclude"}
	if on, ok := truth(v.Text); ok { // several themes have search: false
		r.meta.search.Exclude = !on
		return
	}
	if v.Text == "include" || v.Text == "exclude" { // as other programs write it
		r.meta.search.Exclude = v.Text == "exclude"
		return
	}
	known := slices.ContainsFunc(v.Fields, func(o frontmatter.Field) bool {
		return guess(o.Key, keys) != "" || slices.Contains(keys, strings.ToLower(o.Key))
	})
	if v.Kind == frontmatter.List || v.Text != "" {
		r.report(v, Warning, fmt.Sprintf("search is %s, which says nothing", show(v)),
			"write search: false to leave the article out, or below search, indented, boost:, pin: or exclude:")
	}
	if v.Kind != frontmatter.Table || !known && len(v.Fields) > 1 { // it is the block of a theme
		return
	}
	for _, o := range v.Fields {
		r.searchKey(o, keys)
	}
}

// searchKey reads one key of the search block. known are all keys of the block.
func (r *metaReader) searchKey(o frontmatter.Field, known []string) {
	search := &r.meta.search
	switch v := o.Value; strings.ToLower(o.Key) {
	case "boost":
		b, err := strconv.ParseFloat(v.Text, 64)
		if v.Kind != frontmatter.Number || err != nil || !(b > 0 && b <= maxBoost) {
			r.report(v, Error, fmt.Sprintf("search.boost is %s", show(v)),
				fmt.Sprintf("write a number above 0 and at most %d; 1 changes nothing", maxBoost))
			return
		}
		search.Boost = b
	case "pin":
		if v.Kind == frontmatter.Table ||
			slices.ContainsFunc(v.Items, func(item frontmatter.Value) bool { return len(item.Items)+len(item.Fields) > 0 }) {
			r.report(v, Error, "search.pin is not a list of queries", "write pin: [opening hours, opening times]")
			return
		}
		search.Pin = words(v)
	case "exclude":
		on, ok := truth(v.Text)
		if !ok {
			r.report(v, Error, fmt.Sprintf("search.exclude is %s, not true or false", show(v)), "write exclude: true, or leave it out")
			return
		}
		search.Exclude = on
	default:
		r.unknown(o, Warning, " under search", cmp.Or(guess(o.Key, known), "the keys of search are boost, pin and exclude"))
	}
}

// maxBoost is the largest boost: enough to lift an article above others that match as well, and not
// enough to lift it above a far better match.
const maxBoost = 10

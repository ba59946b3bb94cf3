package article

// SearchSettings is what the site says about search. The builder validates it and
// publishes it beside the corpus; searchd obeys it. Everything is sorted, so that
// the same settings are the same bytes.
type SearchSettings struct {
	// Language is the site's own (BCP 47): of several articles that are as good, those in it
	// come first.
	Language string `json:"language,omitempty"`
	// Synonyms are groups of words or phrases; see [Synonym].
	Synonyms []Synonym `json:"synonyms"`
	// Articles are the settings of single articles, sorted by id; articles without
	// any are left out.
	Articles []ArticleSettings `json:"articles"`
	// Tests are the site's own expectations, in the order of their file.
	Tests []SearchTest `json:"tests"`
}

// ByID returns the settings of single articles by their ids.
func (s SearchSettings) ByID() map[string]ArticleSettings {
	m := make(map[string]ArticleSettings, len(s.Articles))
	for _, a := range s.Articles {
		m[a.ID] = a
	}
	return m
}

// Synonym says that a search for one of From also finds articles with one of To.
// A two-way group has its words in both.
type Synonym struct {
	From []string `json:"from"`
	To   []string `json:"to"`
}

// ArticleSettings is front matter's `search:` block of one article.
type ArticleSettings struct {
	ID string `json:"id"`
	// Boost multiplies the article's score: above 0, at most 10; 0 here means none was given.
	Boost float64 `json:"boost,omitempty"`
	// Pin lists queries that show this article first.
	Pin []string `json:"pin,omitempty"`
	// Exclude keeps the article out of search; it is still published.
	Exclude bool `json:"exclude,omitempty"`
}

// SearchTest is one expectation of content/search-tests.yaml.
type SearchTest struct {
	Query string `json:"query"`
	// Expect lists ids that must be among the first MaxRank hits.
	Expect []string `json:"expect,omitempty"`
	// MaxRank is the last rank that satisfies Expect, counted from 1.
	MaxRank int `json:"max_rank,omitempty"`
	// MustNot lists ids that must not be among the first MaxRank hits.
	MustNot []string `json:"must_not,omitempty"`
}

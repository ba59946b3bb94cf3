package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
)

const (
	// FeedLength is how many articles a feed has: more than a reader misses in a month.
	FeedLength = 50
	// PageLength is how many the page and llms.txt list: two screens, and the page stays
	// below 60 kB with the longest summaries.
	PageLength = 18
	// maxFullLine is the longest article, in bytes of its line, that feeds show with its text;
	// longer ones have only their summary. It bounds the feeds to 5 MB, and the memory of a Set.
	maxFullLine = 100 << 10
)

// Set is what the documents tell of the articles. It is filled while they stream by, in any order,
// and holds the newest of them, and the addresses of all that have one. The zero Set is empty. It
// is not safe for concurrent use.
type Set struct {
	// Load reads the line of an item that was added without one.
	Load func(id string) ([]byte, error)

	articles int
	newest   []Item // sorted, at most FeedLength
	pages    []address
}

// address is one of the sitemap.
type address struct {
	url      string
	modified time.Time // zero: not known
}

// Item is one article as it streams by.
type Item struct {
	ID string
	// URL is that of the human page; empty where there is none.
	URL string
	// Published is the date of publication, Modified the later of that and the date of
	// the last change; zero where there is none.
	Published, Modified time.Time
	// Line is the article as article.Encode makes it. It must not be changed any more. If it is
	// nil, the set's Load returns it.
	Line []byte
}

// compareItems sorts the newest first.
func compareItems(a, b Item) int {
	return cmp.Or(b.Published.Compare(a.Published), cmp.Compare(a.ID, b.ID))
}

// Add adds an article. The set holds its line, however long, until it is merged.
func (s *Set) Add(item Item) {
	s.articles++
	if item.URL != "" {
		s.pages = append(s.pages, address{item.URL, item.Modified})
	}
	s.insert(item)
}

// shorten leaves out the text of a long article.
func (item *Item) shorten() error {
	if len(item.Line) <= maxFullLine {
		return nil
	}
	a, err := article.Decode(item.Line)
	if err == nil {
		item.Line, err = article.Encode(article.Article{Meta: a.Meta})
	}
	if err != nil {
		return fmt.Errorf("read article %s: %w", item.ID, err)
	}
	return nil
}

// insert adds an article to the newest, and drops the oldest where there are too many.
func (s *Set) insert(item Item) {
	i, _ := slices.BinarySearchFunc(s.newest, item, compareItems)
	s.newest = slices.Insert(s.newest, i, item)
	s.newest = s.newest[:min(len(s.newest), FeedLength)]
}

// Merge adds the articles of another set, and keeps no long text of them.
func (s *Set) Merge(o Set) error {
	s.articles += o.articles
	s.pages = append(s.pages, o.pages...)
	for _, item := range o.newest {
		s.insert(item)
	}
	for i := range s.newest {
		if err := s.newest[i].shorten(); err != nil {
			return err
		}
	}
	return nil
}

// read returns the newest articles.
func (s *Set) read() ([]article.Article, error) {
	articles := make([]article.Article, len(s.newest))
	for i, item := range s.newest {
		if item.Line == nil {
			line, err := s.Load(item.ID)
			if err != nil {
				return nil, err
			}
			item.Line = line
		}
		if err := item.shorten(); err != nil {
			return nil, err
		}
		a, err := article.Decode(item.Line)
		if err != nil {
			return nil, fmt.Errorf("read article %s: %w", item.ID, err)
		}
		articles[i] = a
	}
	return articles, nil
}

// sitePages returns the addresses that are pages of the site itself, sorted, each once and with its
// latest date.
func (s *Set) sitePages(baseURL string) []address {
	pages := slices.Clone(s.pages)
	pages = slices.DeleteFunc(pages, func(a address) bool { return !isPage(baseURL, a.url) })
	slices.SortFunc(pages, func(a, b address) int {
		return cmp.Or(cmp.Compare(a.url, b.url), b.modified.Compare(a.modified))
	})
	return slices.CompactFunc(pages, func(a, b address) bool { return a.url == b.url })
}

// isPage reports whether an address is a page for people on the site with this base
// URL, and not a document of its API.
func isPage(baseURL, url string) bool {
	return strings.HasPrefix(url, baseURL+"/") && !isDocument(baseURL, url)
}

// isDocument reports whether an address is the API's.
func isDocument(baseURL, url string) bool {
	path, ok := strings.CutPrefix(url, baseURL)
	return ok && article.IsAPI(path)
}

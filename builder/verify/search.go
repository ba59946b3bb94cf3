package verify

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// searchTarget is the request of a search.
func searchTarget(q string) string {
	return article.SearchOperation + "?q=" + url.QueryEscape(q)
}

// fresh is a word that nobody has searched before, so that no cache knows its answer,
// and that no article holds.
func fresh() string { return "verify" + strings.ToLower(rand.Text()) }

// search checks the one operation that reaches a program.
func (v *verifier) search() {
	v.group = "search"
	const hint = "start searchd, and let the host forward /api/articles to it, with the query as it is"
	if _, ok := v.ask("it answers", request{target: searchTarget(fresh())}, hint, status(http.StatusOK), isJSON()); !ok {
		v.skip("everything else of the search", "what the contract says", "the search does not answer")
		return
	}
	v.caughtUp()
	titles := v.titles()
	v.finds(titles)

	// What any site can be asked.
	for _, q := range []struct{ name, target string }{
		{"nothing matches", searchTarget(fresh())},
		{"no query", article.SearchOperation},
		{"an empty query", article.SearchOperation + "?q="},
		{"a blank query", article.SearchOperation + "?q=%20%09"},
		{"a query without a word", article.SearchOperation + "?q=%3F%3F%3F"},
	} {
		v.ask(q.name, request{target: q.target}, hint, nothingFound())
	}
	v.ask("the longest query", request{target: searchTarget(strings.Repeat("a", article.MaxQueryRunes))}, "let the host take request lines of 8 kB",
		status(http.StatusOK))
	v.lengths()
	v.ask("the most words", request{target: searchTarget(strings.Repeat("a ", article.MaxQueryTerms))}, hint, status(http.StatusOK))

	q := fresh()
	if len(titles) > 0 {
		q = titles[0].title
	}
	target := searchTarget(q)
	v.limits(target)
	if len(titles) > 0 {
		v.filters(target)
	} else {
		v.skip("pages and filters", "another page, and only what the filter keeps", "the site has no article that could be read")
	}
	v.errors(target)
	v.ask("how long it may be kept", request{target: target}, "pass searchd's headers on as they are",
		status(http.StatusOK), header("Cache-Control", article.SuccessCache))
	v.methods(target)
	v.validators(target)
	v.stable(target)
	v.keptApart(q)
}

// lengths checks queries up to the longest, in three bytes a letter. A host can fail those of some
// lengths alone: nginx puts the key of its cache and the head of the answer into one buffer, and
// has a larger one only where the key by itself leaves no room.
func (v *verifier) lengths() {
	const letter, step = "猫", 32 // of 288 bytes when they are encoded, less than a head has
	v.check("queries of every length, in three bytes a letter", "200 for each",
		"let the host take request lines of 8 kB, and give it room for one and the head of its answer together, as with nginx's proxy_buffer_size",
		func() (string, error) {
			word := fresh()
			most := article.MaxQueryRunes - len(word)
			for n := most % step; n <= most; n += step {
				a, err := v.host.ask(v.ctx, request{target: searchTarget(word + strings.Repeat(letter, n))})
				if err != nil {
					return "", err
				}
				if a.status != http.StatusOK {
					return "", fmt.Errorf("%v for %d letters", a, len(word)+n)
				}
			}
			return fmt.Sprintf("200 up to %d letters", article.MaxQueryRunes), nil
		})
}

// caughtUp waits until the published revision is searched.
func (v *verifier) caughtUp() {
	const name, want = "it searches what is published", "the revision of the manifest"
	if v.published == nil {
		v.skip(name, want, "there is no manifest")
		return
	}
	v.check(name, want, "let searchd follow the folder or address of this deployment; its log says what keeps it", func() (string, error) {
		for began := time.Now(); ; {
			a, err := v.host.ask(v.ctx, request{target: searchTarget(fresh())})
			if err != nil {
				return "", err
			}
			var r article.SearchResult
			if err := json.Unmarshal(a.body, &r); err != nil {
				return "", errors.New(a.String())
			}
			if r.Revision == v.report.Revision {
				return "revision " + r.Revision, nil
			}
			if time.Since(began) >= v.options.Wait {
				return "", fmt.Errorf("revision %s after %v, the manifest has %s", r.Revision, v.options.Wait, v.report.Revision)
			}
			select {
			case <-v.ctx.Done():
				return "", v.ctx.Err()
			case <-time.After(time.Second):
			}
		}
	})
}

// title is what an article is searched by.
type title struct{ id, title string }

// titles are those of a few articles that search knows.
func (v *verifier) titles() []title {
	const most = 5
	var titles []title
	if v.published == nil {
		return nil
	}
	settings, _ := v.published.publication.Settings() // if they cannot be read, that has failed by itself
	byID := settings.ByID()
	v.published.each(most, func(r publication.Record) error { // an unreadable chunk has failed by itself
		a, err := article.Decode(r.Line)
		if err == nil && !byID[r.ID].Exclude && len(titles) < most && article.Searchable(a.Title) {
			titles = append(titles, title{r.ID, a.Title})
		}
		return nil
	})
	return titles
}

// finds checks that articles are found by their titles, and that every hit is what is
// published.
func (v *verifier) finds(titles []title) {
	const name, want = "finds articles by their titles", "each article, and every hit equal to what is published"
	if len(titles) == 0 {
		v.skip(name, want, "the site has no article that could be read")
		return
	}
	v.check(name, want, "let searchd follow this deployment; searchd check says more of what it ranks", func() (string, error) {
		hits := 0
		for _, t := range titles {
			n, err := v.find(t)
			if err != nil {
				return "", err
			}
			hits += n
		}
		return fmt.Sprintf("%d articles, %d hits", len(titles), hits), nil
	})
}

// find searches for an article by its title, and returns the number of hits. It fails if the
// article is not among them, unless others of its title leave no room, or if one of them is not as
// it was published.
func (v *verifier) find(t title) (hits int, err error) {
	a, err := v.host.ask(v.ctx, request{target: searchTarget(t.title) + fmt.Sprintf("&limit=%d", article.MaxLimit)})
	if err != nil {
		return 0, err
	}
	var r article.SearchResult
	if a.status != http.StatusOK || json.Unmarshal(a.body, &r) != nil {
		return 0, fmt.Errorf("%s: %v", t.title, a)
	}
	for _, hit := range r.Articles {
		if err := v.sameAsPublished(hit); err != nil {
			return 0, err
		}
	}
	if !fullOf(r, t.title) && !slices.ContainsFunc(r.Articles, func(h article.Hit) bool { return h.ID == t.id }) {
		return 0, fmt.Errorf("%s is not among %d of %d hits for %q", t.id, r.Count, r.Total, t.title)
	}
	return r.Count, nil
}

// fullOf reports whether there are so many articles of a title that one of them may have no room
// among the hits.
func fullOf(r article.SearchResult, title string) bool {
	n := len(r.Articles)
	return n > 0 && n == r.Limit && strings.EqualFold(r.Articles[n-1].Title, title)
}

// sameAsPublished checks a hit against its article.
func (v *verifier) sameAsPublished(hit article.Hit) error {
	record, ok, err := v.published.record(hit.ID)
	if err != nil {
		return err
	}
	if !ok {
		return fmt.Errorf("the hit %s is not a published article", hit.ID)
	}
	published, err := article.Decode(record.Line)
	if err != nil {
		return err
	}
	if want := record.Digest().String(); hit.Digest != want || !reflect.DeepEqual(hit.Meta, published.Meta) {
		return fmt.Errorf("the hit %s differs from the published article: digest %s, want %s", hit.ID, hit.Digest, want)
	}
	return nil
}

// limits checks every form of limit.
func (v *verifier) limits(target string) {
	const hint = "forward the whole query to searchd as it is"
	for _, l := range []struct {
		name, text string
		applied    int
	}{
		{"no limit", "", article.DefaultLimit},
		{"an empty limit", "&limit=", article.DefaultLimit},
		{"a limit of 1", "&limit=1", 1},
		{"the largest limit", fmt.Sprintf("&limit=%d", article.MaxLimit), article.MaxLimit},
		{"a larger limit", "&limit=1000000", article.MaxLimit},
		{"a limit longer than numbers are", "&limit=99999999999999999999", article.MaxLimit},
	} {
		v.ask(l.name, request{target: target + l.text}, hint, limited(l.applied))
	}
	for _, l := range []string{"0", "-1", "abc", "1.5", "1e2", "%2B1", "3&limit=3"} {
		v.ask("limit="+l, request{target: target + "&limit=" + l}, hint, problem(article.InvalidLimit))
	}
	for _, o := range []string{"-1", "abc", "1&offset=1", fmt.Sprint(article.MaxOffset + 1)} {
		v.ask("offset="+o, request{target: target + "&offset=" + o}, hint, problem(article.InvalidOffset))
	}
}

// filters checks offset and the filters on a query that finds something: the next page has another
// article, and only what the filter keeps is found.
func (v *verifier) filters(target string) {
	const hint = "forward the whole query to searchd as it is; give a cache all five parameters for its key"
	var first article.SearchResult
	v.ask("the first hit", request{target: target + "&limit=1"}, hint, found("one article", func(r article.SearchResult) error {
		if first = r; r.Count != 1 {
			return fmt.Errorf("count %d of %d", r.Count, r.Total)
		}
		return nil
	}))
	if first.Count != 1 {
		return // it has failed by itself
	}
	hit := first.Articles[0]
	v.ask("the page after it", request{target: target + "&limit=1&offset=1"}, hint,
		found("another article, or none", func(r article.SearchResult) error {
			if r.Count > 0 && r.Articles[0].ID == hit.ID {
				return fmt.Errorf("%s again", hit.ID)
			}
			return nil
		}))
	v.ask("the largest offset", request{target: target + fmt.Sprintf("&offset=%d", article.MaxOffset)}, hint, status(http.StatusOK))
	v.ask("a language", request{target: target + "&limit=1&language=" + url.QueryEscape(hit.Language)}, hint,
		found("the first hit", func(r article.SearchResult) error {
			if r.Count != 1 || r.Articles[0].ID != hit.ID {
				return fmt.Errorf("count %d of %d, not %s", r.Count, r.Total, hit.ID)
			}
			return nil
		}))
	v.ask("a language without articles", request{target: target + "&limit=1&language=zxx"}, hint, nothingFound())
	v.ask("a tag without articles", request{target: target + "&limit=1&tag=" + fresh()}, hint, nothingFound())
	v.ask("no language at all", request{target: target + "&language=%3F"}, hint, problem(article.InvalidLanguage))
	v.ask("too many tags", request{target: target + strings.Repeat("&tag=a", article.MaxFilterValues+1)}, hint, problem(article.InvalidTag))
}

// errors checks queries that cannot be searched.
func (v *verifier) errors(target string) {
	for _, q := range []struct{ name, target string }{
		{"two queries", target + "&q=b"},
		{"a query that is not UTF-8", article.SearchOperation + "?q=%ff"},
		{"a query that is too long", searchTarget(strings.Repeat("a", article.MaxQueryRunes+1))},
		{"too many words", searchTarget(strings.Repeat("a ", article.MaxQueryTerms+1))},
	} {
		v.ask(q.name, request{target: q.target}, "forward the whole query to searchd as it is, and its errors too", problem(article.InvalidQuery))
	}
}

// stable checks that a query has one answer, from every replica and every cache.
func (v *verifier) stable(target string) {
	const times = 6 // two for each of three replicas
	v.check(
		"the same query, the same bytes",
		fmt.Sprintf("%d times one body and ETag", times),
		"let all replicas follow one publication",
		func() (string, error) {
			var first answer
			for i := range times {
				// Each has an address of its own, by a parameter that means nothing.
				a, err := v.host.ask(v.ctx, request{target: target + "&utm_source=" + fresh()})
				if err != nil {
					return "", err
				}
				if i == 0 {
					first = a
				}
				if a.status != http.StatusOK || !bytes.Equal(a.body, first.body) ||
					weakless(a.header.Get("ETag")) != weakless(first.header.Get("ETag")) {
					return "", fmt.Errorf("time %d: %v with ETag %s, the first had %s", i+1, a, a.header.Get("ETag"), first.header.Get("ETag"))
				}
			}
			return fmt.Sprintf("%d bytes, ETag %s", len(first.body), first.header.Get("ETag")), nil
		},
	)
}

// keptApart checks that no answer reaches another query through a cache: each pair asks something
// odd, and then something plain that a careless cache key takes for the same.
func (v *verifier) keptApart(q string) {
	const hint = "make the cache's key of the whole query, or of the known parameters as searchd reads them: names case by case and decoded, none twice"
	word := fresh()
	// plain is a search that nobody has asked in this form.
	plain, err := v.host.ask(v.ctx, request{target: searchTarget(q) + "&limit=7&utm_source=" + word})
	answer := body("the answer to q", plain.body)
	const bare = article.SearchOperation + "?"
	escaped, asked, seven := url.QueryEscape(q), searchTarget(q), searchTarget(q)+"&limit=7"
	for _, pair := range []struct {
		name, odd string
		oddly     expectation
		plain     string
		plainly   expectation
	}{
		{"two queries, then one", searchTarget(word) + "&q=x", problem(article.InvalidQuery), searchTarget(word), nothingFound()},
		{"an encoded name, twice, then once", searchTarget(word+"a") + "&%71=x", problem(article.InvalidQuery), searchTarget(word + "a"), nothingFound()},
		{"an encoded name, then none", bare + "%71=" + escaped + "&limit=7", answer, bare + "limit=7", nothingFound()},
		{"a name in capitals, then none", bare + "Q=" + escaped, nothingFound(), seven, answer},
		{"a longer name, then q", bare + "qq=" + escaped + "&limit=7", nothingFound(), seven, answer},
		{"an empty q, then q", bare + "q=&limit=7", nothingFound(), bare + "limit=7&q=" + escaped, answer},
		{"one limit, then another", asked + "&limit=8", limited(8), asked + "&limit=9", limited(9)},
		{"a filter, then none", seven + "&tag=" + word, nothingFound(), seven, answer},
		{"two filters, then the first", seven + "&tag=" + word + "&tag=" + word + strings.Repeat("&tag=x", article.MaxFilterValues), problem(article.InvalidTag),
			seven + "&tag=" + word, nothingFound()},
		{"a wrong limit, then a right one", asked + "&limit=6&limit=", problem(article.InvalidLimit), asked + "&limit=6", limited(6)},
	} {
		v.check("kept apart: "+pair.name, pair.oddly.want+", then "+pair.plainly.want, hint, func() (string, error) {
			if err != nil {
				return "", err
			}
			odd, err := v.host.ask(v.ctx, request{target: pair.odd})
			if err == nil {
				err = pair.oddly.wrong(odd)
			}
			if err != nil {
				return "", fmt.Errorf("%s: %w", pair.odd, err)
			}
			then, err := v.host.ask(v.ctx, request{target: pair.plain})
			if err == nil {
				err = pair.plainly.wrong(then)
			}
			if err != nil {
				return "", fmt.Errorf("%s, after %s: %w", pair.plain, pair.odd, err)
			}
			return fmt.Sprintf("%v, then %v", odd, then), nil
		})
	}
}

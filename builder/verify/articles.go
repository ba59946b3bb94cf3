package verify

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/publication"
)

// articleTarget is the request of an article.
func articleTarget(id string) string {
	return article.ArticleOperation + "?id=" + url.QueryEscape(id)
}

// encoded is an id with each letter percent-encoded.
func encoded(id string) string {
	var b strings.Builder
	for i := range len(id) {
		fmt.Fprintf(&b, "%%%02x", id[i])
	}
	return b.String()
}

// unknownID is no article's. It is a valid id, so that nothing but its absence counts.
const unknownID = "there-is-no-such-article-on-any-site"

// articles checks that each article is what was published, and that nothing else is there.
func (v *verifier) articles() {
	v.group = "articles"
	v.everyArticle()
	if record, ok := v.oneArticle(); ok {
		target := articleTarget(record.ID)
		v.ask("the record is JSON for a minute", request{target: target}, "set Content-Type and Cache-Control for articles", status(http.StatusOK),
			isJSON(), header("Cache-Control", article.SuccessCache))
		const parameters = "let the rule for id allow other parameters"
		for _, other := range [...]struct{ name, target, hint string }{
			{"the file has an address too", "/" + article.Path(record.ID), "serve the files below /api/article/"},
			{"parameters that mean nothing", target + "&utm_source=verify", parameters},
			{"parameters in another order", strings.Replace(target, "?", "?utm_source=verify&", 1), parameters},
			{"an id whose letters are encoded", article.ArticleOperation + "?id=" + encoded(record.ID),
				"decode the id once before it is looked at: equal addresses have equal answers"},
		} {
			v.ask(other.name, request{target: other.target}, other.hint, status(http.StatusOK), body("the same record", record.Line))
		}
		v.methods(target)
		v.validators(target)
		v.compression(target, record.Line)
		v.missing("the id is given twice", target+"&id="+url.QueryEscape(record.ID))
		v.missing("the id is given twice, differently", target+"&id="+unknownID)
	} else {
		v.skip("one article in detail", "types, methods, validators, compression", "the site has no article that could be read")
	}
	v.markdown()
	v.missing("the id is missing", article.ArticleOperation)
	v.missing("the id is empty", article.ArticleOperation+"?id=")
	v.missing("another parameter only", article.ArticleOperation+"?name=x")
	v.notFound()
}

// markdown checks that the articles' twins are what the articles make, if the site says that it has
// twins.
func (v *verifier) markdown() {
	const want = "each as its article makes it, byte for byte"
	name := "a sample as Markdown"
	if v.options.All {
		name = "every article as Markdown"
	}
	if v.published == nil || v.document == nil || !v.document.Describes(article.MarkdownOperation) {
		v.skip(name, want, "the OpenAPI document has no "+article.MarkdownOperation)
		return
	}
	v.check(name, want, "deploy the whole folder of one build, and serve the files below /api/article/ that end in .md as they are",
		func() (string, error) {
			fetched, err := v.eachArticle(v.most(sampleSize/10), func(r publication.Record) error {
				is, err := article.Decode(r.Line)
				if err != nil {
					return fmt.Errorf("%s: %w", r.ID, err)
				}
				return v.serves("/"+article.MarkdownPath(r.ID), r.ID, is.Markdown())
			})
			return fmt.Sprintf("%d of %d equal", fetched, v.published.manifest().Articles), err
		})
	if record, ok := v.oneArticle(); ok {
		v.ask("Markdown is Markdown for a minute", request{target: "/" + article.MarkdownPath(record.ID)},
			"set Content-Type and Cache-Control for it", status(http.StatusOK), header("Content-Type", article.MarkdownMediaType),
			header("Cache-Control", article.SuccessCache))
	}
}

// serves says what is wrong if a target is not answered with the bytes that an article has.
func (v *verifier) serves(target, id string, want []byte) error {
	a, err := v.host.ask(v.ctx, request{target: target, length: int64(len(want))})
	if err == nil && a.status != http.StatusOK {
		err = errors.New(a.String())
	}
	if err == nil {
		err = different(a.body, want)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	return nil
}

// oneArticle is an article to look at closely: the first.
func (v *verifier) oneArticle() (record publication.Record, ok bool) {
	if v.published == nil {
		return record, false
	}
	v.published.each(1, func(r publication.Record) error { // an unreadable chunk has failed by itself
		record, ok = r, true
		return nil
	})
	return record, ok
}

// everyArticle fetches all articles, or a sample.
func (v *verifier) everyArticle() {
	name, want := "a sample of the articles", "each as it was published, byte for byte"
	if v.options.All {
		name = "every article"
	}
	if v.published == nil {
		v.skip(name, want, "there is no manifest")
		return
	}
	v.check(name, want, "deploy the whole folder of one build; switch off what rewrites JSON", func() (string, error) {
		fetched, err := v.eachArticle(v.most(sampleSize), func(r publication.Record) error {
			return v.serves(articleTarget(r.ID), r.ID, r.Line)
		})
		return fmt.Sprintf("%d of %d equal by digest", fetched, v.published.manifest().Articles), err
	})
}

// eachArticle looks at about as many articles as most, several at once, and counts them.
func (v *verifier) eachArticle(most int, look func(publication.Record) error) (looked int, err error) {
	var batch []publication.Record
	lookAll := func() error {
		err := v.concurrently(len(batch), func(i int) error { return look(batch[i]) })
		looked += len(batch)
		batch = batch[:0]
		return err
	}
	err = v.published.each(most, func(r publication.Record) error {
		if batch = append(batch, r); len(batch) < 8*parallel { // bounds the memory, not the host's work
			return nil
		}
		return lookAll()
	})
	if err == nil {
		err = lookAll()
	}
	return looked, err
}

// missing asks for an article without naming one. The contract allows 404 with the
// document of 400, for hosts whose rules cannot send 400.
func (v *verifier) missing(name, target string) {
	v.ask(name, request{target: target}, "answer with api/errors/missing-id.json and 400 (404 where the host cannot)",
		expectation{"400 (or 404) missing-id", func(a answer) error {
			if kind, ok := a.problem(); !ok || kind != article.MissingID || a.status != http.StatusBadRequest && a.status != http.StatusNotFound {
				return errors.New(a.String())
			}
			return nil
		}})
}

// notFound checks that whatever is no published id gets one and the same answer, so that nobody can
// tell a draft from what never was.
func (v *verifier) notFound() {
	const hint = "answer every id that is not a published article's with api/errors/not-found.json and 404"
	first, ok := v.ask("an unknown id", request{target: articleTarget(unknownID)}, hint, problem(article.NotFound))
	for _, asked := range []struct{ name, value string }{{"If-None-Match", "*"}, {"Range", "bytes=0-9"}, {"Range", "bytes=999999999-"}} {
		v.ask("an unknown id, with "+asked.name+": "+asked.value,
			request{target: articleTarget(unknownID), headers: []string{asked.name, asked.value}},
			"send the document of an error whole, whatever the caller says of copies and parts", problem(article.NotFound),
			body("the same bytes", first.body))
	}
	same := func(name, hint string, targets []string) {
		v.check(name, "404 not-found, the same bytes for all", hint, func() (string, error) {
			err := v.concurrently(len(targets), func(i int) error {
				a, err := v.host.ask(v.ctx, request{target: targets[i]})
				if err != nil {
					return fmt.Errorf("%s: %w", targets[i], err)
				}
				if !ok || problem(article.NotFound).wrong(a) != nil || !bytes.Equal(a.body, first.body) {
					return fmt.Errorf("%s: %v", targets[i], a)
				}
				return nil
			})
			return fmt.Sprintf("%d requests", len(targets)), err
		})
	}
	var odd []string
	for _, id := range oddIDs() {
		odd = append(odd, article.ArticleOperation+"?id="+id)
	}
	if record, ok := v.oneArticle(); ok {
		id := record.ID
		odd = append(odd, articleTarget(id+".json"), articleTarget(strings.ToUpper(id)), articleTarget(id+"/"), articleTarget(" "+id), articleTarget("../article/"+id))
	}
	same("odd and hostile ids", hint, odd)
	same("other paths below /api", hint, []string{"/api", "/api/", "/api/drafts", "/api/articles/", "/api/article/", "/api/health/", "/api/article/" + unknownID + ".json", "/api/article/" + unknownID + ".md"})
	var hidden []string
	for _, id := range v.options.Unpublished {
		hidden = append(hidden, articleTarget(id), "/"+article.Path(id), "/"+article.MarkdownPath(id))
	}
	if len(hidden) == 0 {
		v.skip("unpublished ids", "404 not-found, the same bytes for all", "none are known: name the folder of the articles with --content")
		return
	}
	same("unpublished ids", v.unpublishedHint(hint), hidden)
}

// unpublishedHint is hint, unless what was published still has one of the unpublished articles:
// then the host is not to blame.
func (v *verifier) unpublishedHint(hint string) string {
	if v.published == nil {
		return hint
	}
	for _, id := range v.options.Unpublished {
		if _, found, _ := v.published.record(id); found { // an unreadable chunk has failed by itself
			return fmt.Sprintf("build and deploy again: since the last build, articles such as %q have expired or been held back", id)
		}
	}
	return hint
}

// oddIDs are escaped ids that no article has. Servers have read files for each of these forms.
func oddIDs() []string {
	return []string{
		"..", "../health", "..%2Fhealth", "..%2f..%2f..%2fetc%2fpasswd", "%2Fetc%2Fpasswd", "..%5Chealth", "%2e%2e%2fhealth", "%252e%252e%252fhealth",
		"..%c0%afhealth", "....//health", "a%00b", "%00", "a%0d%0aSet-Cookie:x=1", "%ff", "A", "-", "a-", "a--b", "%C3%A4", "a+b", "*", "%25",
		"http:%2F%2Felsewhere.example%2F", "//elsewhere.example", "con", "nul.", "." + article.HealthPath, strings.Repeat("a", article.MaxIDBytes+1), strings.Repeat("a", 4000),
	}
}

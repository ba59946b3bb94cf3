package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"newsstand/builder/article"
	"newsstand/builder/article/contract"
)

// openAPI checks the description of the service.
func (v *verifier) openAPI() {
	v.group = "OpenAPI"
	const target = article.OpenAPIOperation
	a, _ := v.ask("it is served as JSON", request{target: target}, "publish openapi.json at the root of the site, with the type of JSON",
		status(http.StatusOK), isJSON())
	v.check("it is a valid OpenAPI 3.1 document", "3.1, valid, its examples too", "deploy the file that builder wrote", func() (string, error) {
		if a.status != http.StatusOK {
			return "", errors.New("there is no document")
		}
		d, err := contract.Parse(a.body)
		if err != nil {
			return "", err
		}
		v.document = d
		v.host.aspects = append(v.host.aspects, describedBy(d))
		return fmt.Sprintf("%d bytes", len(a.body)), nil
	})
	var doc description
	v.check("it names this site and the three operations", "the address of the site, three operations without a key",
		"build with --base-url and the address of this site", func() (string, error) {
			if err := json.Unmarshal(a.body, &doc); err != nil {
				return "", err
			}
			for _, p := range []string{article.SearchOperation, article.ArticleOperation, article.HealthOperation} {
				if op, ok := doc.Paths[p]; !ok || op.Get.OperationID == "" {
					return "", fmt.Errorf("it does not describe GET %s", p)
				}
			}
			if len(doc.Servers) != 1 || doc.Servers[0].URL != v.host.base.String() {
				return "", fmt.Errorf("its servers are %v, the address is %s", doc.Servers, v.host.base)
			}
			return doc.Servers[0].URL, nil
		})
	for _, operation := range []string{article.HealthOperation, article.ArticleOperation, article.SearchOperation} {
		v.example(doc, operation)
	}
	v.validators(target)
	v.ask("it is kept for a while", request{target: target}, "set Cache-Control for it",
		status(http.StatusOK), expectation{"Cache-Control of at most a day", func(a answer) error {
			if cache := a.cacheControl(); len(cache) == 0 || age(cache, "max-age") > 24*60*60 {
				return fmt.Errorf("Cache-Control %q", cache)
			}
			return nil
		}})
}

// description is what is read of an OpenAPI document.
type description struct {
	Servers []struct{ URL string }
	Paths   map[string]struct{ Get describedOperation }
}

type describedOperation struct {
	OperationID string
	Parameters  []struct {
		Name    string
		Example any
	}
	Responses map[string]struct {
		Content map[string]struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
}

// example returns the request that the parameters of an operation show, and the answer of 200 that
// is not the empty one; nil where the document shows none.
func (o describedOperation) example() (query url.Values, answer json.RawMessage) {
	query = url.Values{}
	for _, p := range o.Parameters {
		switch e := p.Example.(type) {
		case nil:
		case []any: // of a parameter that may be repeated
			for _, value := range e {
				query.Add(p.Name, fmt.Sprint(value))
			}
		default:
			query.Set(p.Name, fmt.Sprint(e))
		}
	}
	for name, e := range o.Responses["200"].Content["application/json"].Examples {
		if name != "nothing" {
			answer = e.Value
		}
	}
	return query, answer
}

// example executes the example of an operation.
func (v *verifier) example(doc description, operation string) {
	const hint = "deploy openapi.json and the articles of one build; of a search: let searchd follow that build"
	name, want := "the example of "+operation, "the answer that the document shows"
	query, shown := doc.Paths[operation].Get.example()
	if shown == nil {
		v.skip(name, want, "the document has none: a site without articles, or no document")
		return
	}
	target := operation
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	v.ask(name, request{target: target}, hint, status(http.StatusOK), expectation{want, func(a answer) error {
		var compact bytes.Buffer
		if err := json.Compact(&compact, shown); err != nil {
			return err
		}
		if operation != article.SearchOperation {
			return different(bytes.TrimSpace(a.body), compact.Bytes())
		}
		var got, want article.SearchResult
		if err := errors.Join(json.Unmarshal(a.body, &got), json.Unmarshal(compact.Bytes(), &want)); err != nil {
			return err
		}
		if got.Revision != want.Revision || got.Limit != want.Limit || got.Count == 0 || len(want.Articles) == 0 {
			return fmt.Errorf("revision %s, limit %d, count %d; the document shows revision %s, limit %d", got.Revision, got.Limit, got.Count, want.Revision, want.Limit)
		}
		if first := want.Articles[0]; !fullOf(got, first.Title) && !slices.ContainsFunc(got.Articles,
			func(h article.Hit) bool { return h.ID == first.ID && h.Digest == first.Digest }) {
			return fmt.Errorf("%s is not found, or has another digest", first.ID)
		}
		return nil
	}})
}

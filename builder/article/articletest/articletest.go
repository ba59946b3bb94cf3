// Package articletest checks HTTP answers against the contract. It is for tests
// only: every test that asks a real handler or a running service wraps it in
// [Validator.Handler] or [Validator.Transport], so that no answer that any test
// receives goes unchecked. Package contract says what is checked. [WithoutRace], [FewFiles]
// and [ProcessorTime] are here because tests of several packages ask them.
package articletest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/article/contract"
)

// Validator is an OpenAPI document to which a test holds answers.
type Validator struct {
	*contract.Document
}

// New parses and validates an OpenAPI document, examples included; a wrong one ends
// the test.
func New(t testing.TB, document []byte) *Validator {
	t.Helper()
	d, err := contract.Parse(document)
	if err != nil {
		t.Fatal(err)
	}
	return &Validator{d}
}

// Contract is the validator of a site without articles: enough wherever the
// document that the site publishes is not itself under test.
func Contract(t testing.TB) *Validator {
	t.Helper()
	d, err := withoutArticles()
	if err != nil {
		t.Fatal(err)
	}
	return &Validator{d}
}

// withoutArticles is the document of a site without articles. It takes a tenth of a second under
// the race detector, and hundreds of answers are held to it.
var withoutArticles = sync.OnceValues(func() (*contract.Document, error) {
	const baseURL = "https://site.example"
	doc, err := article.OpenAPI(article.Site{BaseURL: baseURL}, article.NewHealth(baseURL, "0", 0, time.Time{}), nil)
	if err != nil {
		return nil, err
	}
	return contract.Parse(doc)
})

// Handler passes requests on to h and fails the test at each answer that breaks the
// contract.
func (v *Validator) Handler(t testing.TB, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		body := rec.Body.Bytes()
		if r.Method == http.MethodHead {
			body = nil // a server drops it; a recorder does not
		}
		if err := v.Check(r, rec.Code, rec.Header(), body); err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL, err)
		}
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		w.Write(body)
	})
}

// Transport is a client's transport that turns an answer that breaks the contract
// into an error.
func (v *Validator) Transport(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return nil, err
		}
		if err := v.Check(r, resp.StatusCode, resp.Header, body); err != nil {
			return nil, fmt.Errorf("%s %s: answer breaks the contract: %w", r.Method, r.URL, err)
		}
		resp.Body = io.NopCloser(bytes.NewReader(body))
		return resp, nil
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

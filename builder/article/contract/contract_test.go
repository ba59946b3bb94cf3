package contract_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/article/contract"
)

// What is wrong with an answer is said in the same order each time, so that two reports can be
// compared.
func TestCheckOrder(t *testing.T) {
	document := articletest.Contract(t)
	r := httptest.NewRequest(http.MethodGet, article.SearchOperation, nil)
	want := fmt.Sprint(document.Check(r, http.StatusOK, http.Header{}, []byte("{}")))
	if n := strings.Count(want, "\n"); n < 5 {
		t.Fatalf("%d lines of mistakes, want some of each kind:\n%s", n, want)
	}
	for range 20 {
		if got := fmt.Sprint(document.Check(r, http.StatusOK, http.Header{}, []byte("{}"))); got != want {
			t.Fatalf("first\n%s\nthen\n%s", want, got)
		}
	}
}

// The document of another API, or one made to harm, is an error: each of these ended `builder
// verify` by a panic or a full stack, when it looked at the first answer.
func TestDocumentsOfOthers(t *testing.T) {
	document := func(components, paths string) string {
		return fmt.Sprintf(`{"openapi":"3.1.0","info":{"title":"x","version":"1"},"components":%s,"paths":%s}`, components, paths)
	}
	problem := `{"schemas":{"Problem":{"type":"object"}}}`
	paths := func(operation string) string {
		return fmt.Sprintf(`{"/api/articles":%s,"/api/article":%[1]s,"/api/health":%[1]s}`, operation)
	}
	get := func(response string) string { return `{"get":{"responses":{"200":` + response + `}}}` }
	loop := `{"schemas":{"Problem":{"allOf":[{"$ref":"#/components/schemas/A"}]},"A":{"allOf":[{"$ref":"#/components/schemas/Problem"}]}}}`
	doubling := `{"schemas":{"Problem":{"type":"object"},"A0":{"type":"object"}`
	for i := range 40 {
		doubling += fmt.Sprintf(`,"A%d":{"allOf":[{"$ref":"#/components/schemas/A%d"},{"$ref":"#/components/schemas/A%[2]d"}],"example":{}}`, i+1, i)
	}
	for name, c := range map[string]struct{ document, want string }{
		"empty":                 {document(`{}`, `{}`), "no schema Problem"},
		"of another API":        {document(problem, `{"/x":`+get(`{"description":"x"}`)+`}`), "does not describe /api/articles"},
		"no GET":                {document(problem, paths(`{"post":{"responses":{"200":{"description":"x"}}}}`)), "does not describe GET"},
		"a body without schema": {document(problem, paths(get(`{"description":"x","content":{"application/json":{}}}`))), "no schema of application/json"},
		"a header without":      {document(problem, paths(get(`{"description":"x","headers":{"ETag":{"content":{"text/plain":{"schema":{"type":"string"}}}}}}`))), "no schema of the header ETag"},
		"a loop":                {document(loop, paths(get(`{"description":"x","content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}}`))), "or to itself"},
		"doubled, and again":    {document(doubling+"}}", paths(get(`{"description":"x","content":{"application/json":{"schema":{"$ref":"#/components/schemas/A40"}}}}`))), "more than 20000 parts"},
		"a way within":          {document(problem, paths(get(`{"description":"x","content":{"application/json":{"schema":{"$ref":"#/paths/~1api~1health"}}}}`))), "leads to no component"},
		"a text":                {"no JSON", "invalid character"},
	} {
		_, err := contract.Parse([]byte(c.document))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

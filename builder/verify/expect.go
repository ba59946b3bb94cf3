package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"newsstand/builder/article"
)

// expectation is what an answer should be: in words, and as a test.
type expectation struct {
	want  string
	wrong func(answer) error
}

// ask sends a request and checks its answer, which it returns for later checks.
func (v *verifier) ask(name string, r request, hint string, expected ...expectation) (a answer, ok bool) {
	wants := make([]string, 0, len(expected))
	for _, e := range expected {
		wants = append(wants, e.want)
	}
	ok = v.check(name, strings.Join(wants, ", "), hint, func() (string, error) {
		var err error
		if a, err = v.host.ask(v.ctx, r); err != nil {
			return "", err
		}
		for _, e := range expected {
			if err := e.wrong(a); err != nil {
				return "", err
			}
		}
		return a.String(), nil
	})
	return a, ok
}

// status wants a status.
func status(code int) expectation {
	return expectation{strconv.Itoa(code), func(a answer) error {
		if a.status != code {
			return errors.New(a.String())
		}
		return nil
	}}
}

// problem wants a problem document, and its status.
func problem(kind article.Kind) expectation {
	return expectation{fmt.Sprintf("%d %s", kind.Status(), kind), func(a answer) error {
		if got, ok := a.problem(); !ok || got != kind || a.status != kind.Status() {
			return errors.New(a.String())
		}
		return nil
	}}
}

// isJSON wants the media type of JSON; it may have parameters.
func isJSON() expectation {
	const want = "application/json"
	return expectation{want, func(a answer) error {
		if a.media() != want {
			return errors.New(a.String())
		}
		return nil
	}}
}

// header wants a header with exactly this value.
func header(name, value string) expectation {
	return expectation{name + ": " + value, func(a answer) error {
		if got := a.header.Values(name); len(got) != 1 || got[0] != value {
			return fmt.Errorf("%v with %s %q", a, name, got)
		}
		return nil
	}}
}

// cached wants a Cache-Control with a directive.
func cached(directive string) expectation {
	return expectation{"Cache-Control with " + directive, func(a answer) error {
		if cache := a.cacheControl(); !slices.Contains(cache, directive) {
			return fmt.Errorf("%v with Cache-Control %q", a, cache)
		}
		return nil
	}}
}

// tagged wants an entity tag.
func tagged() expectation {
	return expectation{"an ETag", func(a answer) error {
		if etag := a.header.Get("ETag"); !strings.HasSuffix(etag, `"`) {
			return fmt.Errorf("%v with ETag %q", a, etag)
		}
		return nil
	}}
}

// empty wants an answer without a body.
func empty() expectation {
	return expectation{"no body", func(a answer) error {
		if len(a.body) > 0 {
			return fmt.Errorf("%v with a body of %d bytes", a, len(a.body))
		}
		return nil
	}}
}

// body wants exactly these bytes.
func body(what string, want []byte) expectation {
	return expectation{what, func(a answer) error {
		got, err := a.decoded()
		if err != nil {
			return err
		}
		return different(got, want)
	}}
}

// different says how bytes differ from those that are wanted.
func different(got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	return fmt.Errorf("%d bytes where %d were published; they differ from byte %d on: %.60q, want %.60q",
		len(got), len(want), at+1, got[at:], want[at:])
}

// found wants a search result that is right in some way.
func found(want string, wrong func(article.SearchResult) error) expectation {
	return expectation{want, func(a answer) error {
		var r article.SearchResult
		if a.status != http.StatusOK || json.Unmarshal(a.body, &r) != nil {
			return errors.New(a.String())
		}
		return wrong(r)
	}}
}

// nothingFound wants a search result without articles.
func nothingFound() expectation {
	return found("200 with count 0 and []", func(r article.SearchResult) error {
		if r.Count != 0 || r.Total != 0 || r.Articles == nil || len(r.Articles) > 0 {
			return fmt.Errorf("count %d, total %d, %d articles (null: %v)", r.Count, r.Total, len(r.Articles), r.Articles == nil)
		}
		return nil
	})
}

// limited wants a search result with a limit applied.
func limited(limit int) expectation {
	return found(fmt.Sprintf("limit %d applied", limit), func(r article.SearchResult) error {
		if r.Limit != limit || r.Count > limit || r.Count != len(r.Articles) {
			return fmt.Errorf("limit %d with count %d and %d articles", r.Limit, r.Count, len(r.Articles))
		}
		return nil
	})
}

// contains wants a header that lists a word.
func contains(name, word string) expectation {
	return expectation{name + " with " + word, func(a answer) error {
		if !slices.Contains(listOf(a.header.Get(name)), word) {
			return fmt.Errorf("%v with %s %q", a, name, a.header.Get(name))
		}
		return nil
	}}
}

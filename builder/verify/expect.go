package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/article/contract"
)

// expectation is what an answer should be: in words, and as a test.
type expectation struct {
	want  string
	wrong func(answer) error
}

// ask sends a request and checks its answer, which is returned for what comes next.
func (v *verifier) ask(name string, r request, mend string, expected ...expectation) (a answer, ok bool) {
	wants := make([]string, 0, len(expected))
	for _, e := range expected {
		wants = append(wants, e.want)
	}
	ok = v.check(name, strings.Join(wants, ", "), mend, func() (string, error) {
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

// media wants a media type; it may have parameters.
func media(want string) expectation {
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
	return fmt.Errorf("%d bytes where %d were published; they differ from byte %d on: %.60q, want %.60q", len(got), len(want), at+1, got[at:], want[at:])
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

// aspect is something that holds of every answer of the API.
type aspect struct {
	name, want, mend string
	wrong            func(answer) error

	statuses map[int]int // answers by status
	first    error       // the first that was wrong
	failed   int
}

func (s *aspect) look(a answer) {
	if s.statuses == nil {
		s.statuses = map[int]int{}
	}
	s.statuses[a.status]++
	if err := s.wrong(a); err != nil {
		if s.failed++; s.first == nil {
			s.first = fmt.Errorf("%s %s?%s: %v: %w", a.request.Method, a.request.URL.Opaque, a.request.URL.RawQuery, a.status, err)
		}
	}
}

// result sums up: the statuses that were seen, or the first answer that was wrong.
func (s *aspect) result() (string, error) {
	if s.failed > 0 {
		return "", fmt.Errorf("%d answers are wrong, first %w", s.failed, s.first)
	}
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(s.statuses)) {
		parts = append(parts, fmt.Sprintf("%d: %d", status, s.statuses[status]))
	}
	return "answers by status " + strings.Join(parts, ", "), nil
}

// commonAspects are what every answer of the API at an address carries, whatever its
// status.
func commonAspects(baseURL string) []*aspect {
	want := http.Header{}
	article.SetCommonHeaders(want, baseURL)
	exactly := func(name string) func(answer) error {
		return func(a answer) error {
			if got := a.header.Values(name); len(got) != 1 || got[0] != want.Get(name) {
				return fmt.Errorf("%s %q", name, got)
			}
			return nil
		}
	}
	return []*aspect{
		{name: "CORS on every status", want: "Access-Control-Allow-Origin: *", wrong: exactly("Access-Control-Allow-Origin"),
			mend: "let the host set it on errors, 304 and OPTIONS too (nginx: add_header … always), and once"},
		{name: "clients can read the headers", want: "Access-Control-Expose-Headers: " + want.Get("Access-Control-Expose-Headers"), wrong: exactly("Access-Control-Expose-Headers"),
			mend: "set it on every status; the configurations in the guide do"},
		{name: "types are not guessed", want: "X-Content-Type-Options: nosniff", wrong: exactly("X-Content-Type-Options"),
			mend: "set it on every status"},
		{name: "the way to the description", want: "Link: " + want.Get("Link"), wrong: exactly("Link"),
			mend: "set it on every status of /api and /openapi.json, with the path of the site before it, and no other Link there"},
		{name: "nothing is kept of callers", want: "no Set-Cookie", mend: "switch off what sets the cookie: a session, a bot check, a load balancer's affinity",
			wrong: func(a answer) error {
				if cookie := a.header.Get("Set-Cookie"); cookie != "" {
					name, _, _ := strings.Cut(cookie, "=")
					return fmt.Errorf("the cookie %s is set", name)
				}
				return nil
			}},
		{name: "errors have cache headers of their own", want: "4xx at most a few minutes, 5xx no-store, none a stale-…", wrong: errorCache,
			mend: "set Cache-Control by status: an error that is kept like a success stays for a day"},
	}
}

// errorCache says what is wrong with the cache headers of an answer.
func errorCache(a answer) error {
	cache := a.cacheControl()
	long := slices.ContainsFunc(cache, func(d string) bool { return d == "immutable" || strings.HasPrefix(d, "stale-") })
	switch {
	case len(cache) == 0:
		return errors.New("Cache-Control is missing")
	case a.status >= 500 && !slices.Contains(cache, "no-store"),
		a.status >= 400 && (long || max(age(cache, "max-age"), age(cache, "s-maxage")) > 300):
		return fmt.Errorf("Cache-Control %q", cache)
	}
	return nil
}

// cacheControl are the directives of Cache-Control, in lower case: names have none (RFC 9111, 5.2).
func (a answer) cacheControl() []string {
	var directives []string
	for _, line := range a.header.Values("Cache-Control") {
		directives = append(directives, listOf(strings.ToLower(line))...)
	}
	return directives
}

// age is the largest number of seconds that directives of one name say, 0 where none does. One
// that no int holds counts as the largest that does.
func age(directives []string, name string) int {
	longest := 0
	for _, d := range directives {
		if text, ok := strings.CutPrefix(d, name+"="); ok {
			n, err := strconv.Atoi(strings.Trim(text, `"`))
			if err == nil || errors.Is(err, strconv.ErrRange) {
				longest = max(longest, n)
			}
		}
	}
	return longest
}

// describedBy is the aspect that the document at the site describes each answer.
func describedBy(d *contract.Document) *aspect {
	return &aspect{name: "no answer outside the OpenAPI document", want: "status, headers and schema as /openapi.json says",
		mend: "of a body: deploy builder's and searchd's files of one version, and let no host rewrite them; of headers: see the checks above",
		wrong: func(a answer) error {
			body := a.body
			if a.request.Method == http.MethodHead {
				body = nil
			}
			return d.Check(a.request, a.status, a.header, body)
		}}
}

// everyAnswer sums up what was seen of all answers.
func (v *verifier) everyAnswer() {
	v.group = "all answers"
	for _, s := range v.host.aspects {
		v.check(s.name, s.want, s.mend, s.result)
	}
	if v.document == nil {
		v.skip("no answer outside the OpenAPI document", "status, headers and schema as /openapi.json says", "there is no valid OpenAPI document")
	}
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

// listOf splits a header that is a list.
func listOf(header string) []string {
	var list []string
	for part := range strings.SplitSeq(header, ",") {
		list = append(list, strings.TrimSpace(part))
	}
	return list
}

// weakless is an entity tag without the mark of a weak one.
func weakless(etag string) string { return strings.TrimPrefix(etag, "W/") }

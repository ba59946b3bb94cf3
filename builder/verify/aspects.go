package verify

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"newsstand/builder/article"
	"newsstand/builder/article/contract"
)

// everyAnswer sums up what was seen of all answers.
func (v *verifier) everyAnswer() {
	v.group = "all answers"
	for _, s := range v.host.aspects {
		v.check(s.name, s.want, s.hint, s.result)
	}
	if v.document == nil {
		v.skip("no answer outside the OpenAPI document", "status, headers and schema as /openapi.json says", "there is no valid OpenAPI document")
	}
}

// aspect is something that must hold of every answer of the API.
type aspect struct {
	name, want, hint string
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
			hint: "let the host set it on errors, 304 and OPTIONS too (nginx: add_header … always), and once"},
		{
			name:  "clients can read the headers",
			want:  "Access-Control-Expose-Headers: " + want.Get("Access-Control-Expose-Headers"),
			wrong: exactly("Access-Control-Expose-Headers"),
			hint:  "set it on every status; the configurations in the guide do",
		},
		{name: "types are not guessed", want: "X-Content-Type-Options: nosniff", wrong: exactly("X-Content-Type-Options"),
			hint: "set it on every status"},
		{name: "the way to the description", want: "Link: " + want.Get("Link"), wrong: exactly("Link"),
			hint: "set it on every status of /api and /openapi.json, with the path of the site before it, and no other Link there"},
		{
			name: "nothing is kept of callers",
			want: "no Set-Cookie",
			hint: "switch off what sets the cookie: a session, a bot check, a load balancer's affinity",
			wrong: func(a answer) error {
				if cookie := a.header.Get("Set-Cookie"); cookie != "" {
					name, _, _ := strings.Cut(cookie, "=")
					return fmt.Errorf("the cookie %s is set", name)
				}
				return nil
			},
		},
		{name: "errors have cache headers of their own", want: "4xx at most a few minutes, 5xx no-store, none a stale-…", wrong: errorCache,
			hint: "set Cache-Control by status: an error that is kept like a success stays for a day"},
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

// describedBy is the aspect that the OpenAPI document describes each answer.
func describedBy(d *contract.Document) *aspect {
	return &aspect{name: "no answer outside the OpenAPI document", want: "status, headers and schema as /openapi.json says",
		hint: "of a body: deploy builder's and searchd's files of one version, and let no host rewrite them; of headers: see the checks above",
		wrong: func(a answer) error {
			body := a.body
			if a.request.Method == http.MethodHead {
				body = nil
			}
			return d.Check(a.request, a.status, a.header, body)
		}}
}

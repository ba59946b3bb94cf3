package verify

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"newsstand/builder/article"
)

// methods checks what an operation does with each method.
func (v *verifier) methods(target string) {
	get, err := v.host.ask(v.ctx, request{target: target})
	v.ask("HEAD", request{method: http.MethodHead, target: target}, "answer HEAD as GET, without the body",
		status(http.StatusOK), empty(), expectation{"the headers of GET", func(a answer) error {
			for _, name := range []string{"Content-Type", "ETag", "Cache-Control"} {
				if a.header.Get(name) != get.header.Get(name) {
					return fmt.Errorf("%s %q, and %q of GET", name, a.header.Get(name), get.header.Get(name))
				}
			}
			return err
		}})
	v.ask("OPTIONS", request{method: http.MethodOptions, target: target, headers: []string{"Origin", "https://elsewhere.example", "Access-Control-Request-Method", http.MethodGet, "Access-Control-Request-Headers", "x-requested-with"}},
		"answer OPTIONS at the edge: rules cannot on Netlify, its edge function can",
		status(http.StatusNoContent),
		empty(),
		header("Access-Control-Allow-Origin", "*"),
		contains("Access-Control-Allow-Methods", http.MethodGet),
		header("Access-Control-Allow-Headers", "*"),
	)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		v.ask(method, request{method: method, target: target}, "refuse what is not GET, HEAD or OPTIONS at the edge",
			problem(article.MethodNotAllowed), contains("Allow", http.MethodGet))
	}
}

// validators checks the entity tag of a document, and that a copy is not sent again.
func (v *verifier) validators(target string) {
	a, _ := v.ask("ETag", request{target: target}, "let the host send ETags, and no filter remove them", status(http.StatusOK), tagged())
	etag := a.header.Get("ETag")
	const hint = "answer If-None-Match at the edge; a host that changes the ETag (compression does) must know it again"
	for _, test := range []struct{ name, value string }{
		{"the same", etag}, {"one of a list", `"other", ` + etag}, {"weak", "W/" + weakless(etag)}, {"any", "*"},
	} {
		v.ask("If-None-Match, "+test.name, request{target: target, headers: []string{"If-None-Match", test.value}}, hint,
			status(http.StatusNotModified), empty(), expectation{"the ETag", func(a answer) error {
				if got := a.header.Get("ETag"); etag == "" || weakless(got) != weakless(etag) {
					return fmt.Errorf("%v with ETag %s, want %s", a, got, etag)
				}
				return nil
			}})
	}
	v.ask("If-None-Match, another", request{target: target, headers: []string{"If-None-Match", `"other"`}}, hint, status(http.StatusOK))
	v.whole(target, a.body)
}

// whole checks that the host sends no parts of an answer, and that no cache in front of it keeps
// for everybody the refusal of one caller's condition.
func (v *verifier) whole(target string, all []byte) {
	const hint = "let the host ignore Range for the API (nginx: max_ranges 0)"
	for _, part := range []struct{ name, value string }{{"a part of it", "bytes=0-9"}, {"a part past its end", "bytes=999999999-"}} {
		v.ask(part.name, request{target: target, headers: []string{"Range", part.value}}, hint, status(http.StatusOK), body("the whole", all))
	}
	const name, want = "a condition that does not hold, then none", "200, or 412 with no-store; then 200"
	v.check(name, want, "let the host ignore If-Match, or send no-store with its refusal", func() (string, error) {
		odd, err := v.host.ask(v.ctx, request{target: target, headers: []string{"If-Match", `"other"`}, odd: true})
		if err != nil {
			return "", err
		}
		if cache := odd.cacheControl(); odd.status != http.StatusOK &&
			(odd.status != http.StatusPreconditionFailed || !slices.Contains(cache, "no-store")) {
			return "", fmt.Errorf("%v with Cache-Control %q", odd, cache)
		}
		plain, err := v.host.ask(v.ctx, request{target: target})
		if err == nil && plain.status != http.StatusOK {
			err = fmt.Errorf("%v, after %v", plain, odd)
		}
		return fmt.Sprintf("%v, then %v", odd, plain), err
	})
}

// compression checks that a compressed answer is the same one, and can be asked for again.
func (v *verifier) compression(target string, line []byte) {
	const hint = "if the host compresses, let it send Vary: Accept-Encoding, and know its own ETag again"
	gzip := []string{"Accept-Encoding", "gzip"}
	a, _ := v.ask("compressed, it is the same", request{target: target, headers: gzip}, hint, status(http.StatusOK),
		body("the record, or its gzip", line), expectation{"Vary: Accept-Encoding where it is compressed", func(a answer) error {
			for _, list := range a.header.Values("Vary") {
				for _, name := range listOf(list) {
					if strings.EqualFold(name, "Accept-Encoding") || name == "*" {
						return nil
					}
				}
			}
			if a.header.Get("Content-Encoding") != "" {
				return fmt.Errorf("Content-Encoding %s with Vary %q", a.header.Get("Content-Encoding"), a.header.Values("Vary"))
			}
			return nil
		}})
	v.ask("compressed, its copy is not sent again", request{target: target, headers: append(gzip, "If-None-Match", a.header.Get("ETag"))}, hint,
		status(http.StatusNotModified), empty())
}

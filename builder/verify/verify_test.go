package verify_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"encoding/xml"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"newsstand/builder"
	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/edge"
	"newsstand/builder/hinted"
	"newsstand/builder/verify"
	"newsstand/searchd"
)

// must ends the test over an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// site is a deployment: the edge of the preview before a real search.
type site struct {
	public  string
	handler http.Handler // as it should be
	server  *httptest.Server
	broken  atomic.Pointer[http.Handler] // answers in its place
}

// hidden are the ids that the site has and has not published.
func hidden() []string { return []string{"idea", "later"} }

// newSite makes a site that answers.
func newSite(t *testing.T) *site {
	t.Helper()
	s := newSiteUnder(t, "")
	s.server.Start()
	return s
}

// newSiteUnder makes a site whose address has a path, if that is not empty. Its server is not
// started.
func newSiteUnder(t *testing.T, below string) *site {
	t.Helper()
	content := t.TempDir()
	write := func(name, text string) {
		must(t, os.WriteFile(filepath.Join(content, name), []byte(text), 0o644))
	}
	for i, animal := range []string{"aardvark", "badger", "capybara", "dormouse", "echidna", "fossa"} {
		write(animal+".md", fmt.Sprintf("---\ntitle: On the %s\ndate: 2026-01-%02d\n---\n\nThe %s is an animal. %s\n", animal, i+1, animal, strings.Repeat("It sleeps. ", 100)))
	}
	must(t, os.Mkdir(filepath.Join(content, "_page"), 0o755))
	write("_page/reindex.html", "<p>A file whose name ends as that of a folder's page.\n")
	write("idea.md", "---\ntitle: Idea\ndraft: true\n---\n\nSecret.\n")
	write("later.md", "---\ntitle: Later\ndate: 2126-01-01\n---\n\nSecret.\n")
	return newSiteOf(t, content, below)
}

// newSiteOf is newSiteUnder with the articles of a folder.
func newSiteOf(t *testing.T, content, below string) *site {
	t.Helper()
	s := &site{public: t.TempDir()}
	s.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := s.broken.Load(); h != nil {
			(*h).ServeHTTP(w, r)
			return
		}
		s.handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.server.Close)
	_, err := builder.Build(t.Context(), builder.Options{Content: content, Public: s.public, BaseURL: "http://" + s.server.Listener.Addr().String() + below})
	must(t, err)
	live, err := searchd.Open(t.Context(), searchd.Options{Source: s.public})
	must(t, err)
	t.Cleanup(func() { live.Close() })
	must(t, live.Load(t.Context()))
	data, err := os.ReadFile(filepath.Join("..", "..", "netlify.toml"))
	must(t, err)
	rules, err := edge.Parse(data)
	must(t, err)
	s.handler = edge.NewHandler(rules, os.DirFS(s.public), searchd.NewHandler(live))
	return s
}

// answers lets a handler answer in place of the site's.
func (s *site) answers(broken http.Handler) { s.broken.Store(&broken) }

func (s *site) options() verify.Options {
	return verify.Options{Source: os.DirFS(s.public), Unpublished: hidden(), All: true}
}

func deployment(t *testing.T, address string, o verify.Options) verify.Report {
	t.Helper()
	r, err := verify.Deployment(t.Context(), address, o)
	must(t, err)
	return r
}

// names lists the checks with a result, and fails for two of one name.
func names(t *testing.T, r verify.Report, result verify.Result) map[string]verify.Check {
	t.Helper()
	found, all := map[string]verify.Check{}, map[string]bool{}
	for _, c := range r.Checks {
		name := c.Group + ": " + c.Name
		if all[name] {
			t.Errorf("two checks are named %q", name)
		}
		all[name] = true
		if c.Result == result {
			found[name] = c
		}
	}
	return found
}

// allPass tells of each check that failed.
func allPass(t *testing.T, r verify.Report) {
	t.Helper()
	for name, c := range names(t, r, verify.Failed) {
		t.Errorf("%s: want %s; got %s", name, c.Want, c.Got)
	}
}

// What `make run` serves passes every check, with the folder at hand or without.
func TestThePreviewPasses(t *testing.T) {
	s := newSite(t)
	for name, o := range map[string]verify.Options{"with the source": s.options(), "by the address alone": {}} {
		called := 0
		o.Each = func(verify.Check) { called++ }
		r := deployment(t, s.server.URL+"/", o)
		allPass(t, r)
		if called != len(r.Checks) || r.Count(verify.Passed) < 100 || r.Requests < 200 || len(r.Speed) != 4 || len(r.Revision) == 0 {
			t.Errorf("%s: %d calls, %d checks, %d requests, speed %v", name, called, len(r.Checks), r.Requests, r.Speed)
		}
		for _, c := range r.Checks {
			if c.Want == "" || c.Got == "" || strings.Contains(c.Want+c.Got+c.Hint, "\n") {
				t.Errorf("%+v", c)
			}
		}
	}
}

// Where a title has more articles than a search may answer, each need not be among the hits.
func TestNamesakes(t *testing.T) {
	content := t.TempDir()
	for i := range 3 * article.MaxLimit { // those that verify looks for, the first by id, are the oldest
		text := fmt.Sprintf("---\ntitle: Links\ndate: %s\n---\nOf day %d.\n", time.Date(2025, 1, i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), i)
		must(t, os.WriteFile(filepath.Join(content, fmt.Sprintf("day-%03d.md", i)), []byte(text), 0o644))
	}
	s := newSiteOf(t, content, "")
	s.server.Start()
	allPass(t, deployment(t, s.server.URL, verify.Options{Source: os.DirFS(s.public)}))
}

// underPath serves a site under a path of a host which has a page of its own for all else. The
// search knows the path by itself, as the published documents do.
func underPath(below string, site http.Handler) http.Handler {
	linked := change(func(a *recorded) {
		if link := a.Header().Get("Link"); link != "" && a.request.URL.Path != article.SearchOperation {
			a.Header().Set("Link", strings.ReplaceAll(link, "</", "<"+below+"/"))
		}
	})(site)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == below:
			http.Redirect(w, r, below+"/", http.StatusMovedPermanently)
		case strings.HasPrefix(r.URL.Path, below+"/") && strings.HasPrefix(path.Clean(r.URL.Path)+"/", below+"/"):
			http.StripPrefix(below, linked).ServeHTTP(w, r)
		default:
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprintf(w, "<p>Another site, at %s.", time.Now())
		}
	})
}

// A site may share its host with others: all is asked below its path, and the root of the host
// is nobody's fault.
func TestUnderAPath(t *testing.T) {
	s := newSiteUnder(t, "/news/here")
	s.server.Start()
	shared := underPath("/news/here", s.handler)
	s.answers(shared)
	at := s.server.URL + "/news/here"
	for name, o := range map[string]verify.Options{"with the source": s.options(), "by the address alone": {}} {
		r := deployment(t, at+"/", o)
		allPass(t, r)
		if r.Count(verify.Passed) < 100 || r.Address != at {
			t.Errorf("%s: %s, %d checks", name, r.Address, len(r.Checks))
		}
		skipped := names(t, r, verify.Skipped)
		for _, root := range []string{"robots.txt", ".well-known/api-catalog"} {
			if c := skipped["documents: /"+root+" of the whole host"]; !strings.Contains(c.Got, "the root of the host") || !strings.Contains(c.Got, at) {
				t.Errorf("%s: %+v", root, c)
			}
		}
	}

	// The host's own documents may name the site.
	for _, name := range []string{"robots.txt", ".well-known/api-catalog"} {
		s.answers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/"+name {
				http.ServeFile(w, r, filepath.Join(s.public, name))
				return
			}
			shared.ServeHTTP(w, r)
		}))
		if c, ok := names(t, deployment(t, at, s.options()), verify.Passed)["documents: /"+name+" of the whole host"]; !ok {
			t.Errorf("%s: %+v", name, c)
		}
	}

	for _, test := range []struct {
		name    string
		address string
		handler http.Handler
		fails   []string
		hint    string // of the first
	}{
		{"links that forget the path", at, change(func(a *recorded) {
			if link := a.Header().Get("Link"); link != "" {
				a.Header().Set("Link", strings.ReplaceAll(link, "</news/here/", "</"))
			}
		})(shared), []string{"all answers: the way to the description", "all answers: no answer outside the OpenAPI document"}, "with the path of the site"},
		{"the page without the slash", at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/news/here" {
				r.URL.Path = "/news/here/"
			}
			shared.ServeHTTP(w, r)
		}), []string{"documents: the path without a slash"}, "redirect it"},
		{"a leak beside the site", at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/news/here/") && strings.HasSuffix(r.URL.Path, "etc/passwd") {
				w.Header().Set("Content-Type", "application/octet-stream")
				fmt.Fprint(w, "root:x:0:0")
				return
			}
			shared.ServeHTTP(w, r)
		}), []string{"secrets: traversal"}, "below the published folder"},
		{"the address of a page", at + "/docs/", shared, []string{"connection: the site lies under this path"}, "not that of a page in it"},
		{"built for the root", s.server.URL, s.handler, []string{"OpenAPI: it names this site and the three operations", "health: its links lead to this site"}, "--base-url"},
		{"moved to another path", at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/blog"+strings.TrimPrefix(r.URL.Path, "/news/here"), http.StatusFound)
		}), []string{"connection: the site is at this address"}, "builder verify " + s.server.URL + "/blog"},
	} {
		s.answers(test.handler)
		failed := names(t, deployment(t, test.address, s.options()), verify.Failed)
		for _, name := range test.fails {
			if failed[name].Name == "" {
				t.Errorf("%s: %q has not failed", test.name, name)
			}
		}
		if c := failed[test.fails[0]]; !strings.Contains(c.Hint, test.hint) {
			t.Errorf("%s: %+v", test.name, c)
		}
	}
}

// recorded is an answer that can be changed before it is sent.
type recorded struct {
	*httptest.ResponseRecorder
	request *http.Request
}

func (a *recorded) api() bool {
	return strings.HasPrefix(a.request.URL.Path, "/api") || a.request.URL.Path == article.OpenAPIOperation
}

func (a *recorded) setBody(body string) {
	a.Body = bytes.NewBufferString(body)
	a.Header().Del("Content-Length")
}

func (a *recorded) replace(from, to string) {
	if s := a.Body.String(); strings.Contains(s, from) {
		a.setBody(strings.ReplaceAll(s, from, to))
	}
}

// change breaks answers on their way.
func change(how func(a *recorded)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			a := &recorded{httptest.NewRecorder(), r}
			next.ServeHTTP(a, r)
			how(a)
			maps.Copy(w.Header(), a.Header())
			w.WriteHeader(a.Code)
			if r.Method != http.MethodHead && a.Code != http.StatusNotModified {
				w.Write(a.Body.Bytes())
			}
		})
	}
}

// at breaks the answers of one path.
func at(path string, how func(a *recorded)) func(http.Handler) http.Handler {
	return change(func(a *recorded) {
		if a.request.URL.Path == path {
			how(a)
		}
	})
}

// ask breaks requests on their way in.
func ask(how func(r *http.Request)) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			changed := r.Clone(r.Context()) // the server still needs its own
			how(changed)
			next.ServeHTTP(w, changed)
		})
	}
}

// cachedBy keeps searches under a key.
func cachedBy(key func(*http.Request) string) func(http.Handler) http.Handler {
	kept := map[string]*httptest.ResponseRecorder{}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != article.SearchOperation || r.Method != http.MethodGet {
				next.ServeHTTP(w, r)
				return
			}
			a, ok := kept[key(r)]
			if !ok {
				a = httptest.NewRecorder()
				next.ServeHTTP(a, r)
				kept[key(r)] = a
			}
			maps.Copy(w.Header(), a.Header())
			w.WriteHeader(a.Code)
			w.Write(a.Body.Bytes())
		})
	}
}

// header sets a header, or removes it.
func header(name, value string) func(a *recorded) {
	return func(a *recorded) {
		if a.Header().Del(name); value != "" {
			a.Header().Set(name, value)
		}
	}
}

// Every check finds the fault that it is for.
func TestEveryCheckCanFail(t *testing.T) {
	articletest.WithoutRace(t)
	s := newSite(t)
	everything := names(t, deployment(t, s.server.URL, s.options()), verify.Passed)

	calls := 0
	for _, test := range []struct {
		name   string
		breaks func(http.Handler) http.Handler
		fails  []string
	}{
		{"no CORS on errors", change(func(a *recorded) {
			if a.Code >= 400 {
				a.Header().Del("Access-Control-Allow-Origin")
			}
		}), []string{"all answers: CORS on every status", "all answers: no answer outside the OpenAPI document"}},
		{"CORS twice", change(func(a *recorded) { a.Header().Add("Access-Control-Allow-Origin", "*") }), []string{"all answers: CORS on every status"}},
		{"other headers lost, and a cookie", change(func(a *recorded) {
			for _, name := range []string{"Access-Control-Expose-Headers", "X-Content-Type-Options", "Link"} {
				a.Header().Del(name)
			}
			a.Header().Set("Set-Cookie", "session=1")
		}), []string{"all answers: clients can read the headers", "all answers: types are not guessed", "all answers: the way to the description", "all answers: nothing is kept of callers"}},
		{"errors kept for a day", change(func(a *recorded) {
			if a.Code >= 400 {
				a.Header().Set("Cache-Control", article.SuccessCache)
			}
		}), []string{"all answers: errors have cache headers of their own"}},
		{"a field too many", at(article.SearchOperation, func(a *recorded) { a.replace(`{"count":`, `{"took":1,"count":`) }),
			[]string{"all answers: no answer outside the OpenAPI document"}},

		{"no manifest", at("/"+article.ManifestPath, func(a *recorded) { a.Code = http.StatusNotFound }), []string{"corpus: the manifest"}},
		{"the manifest of another build", at("/"+article.ManifestPath, func(a *recorded) { a.replace(`"base_url":"http://127`, `"base_url":"http://128`) }), []string{"corpus: the manifest"}},
		{"all kept for an hour", change(func(a *recorded) {
			if a.Header().Set("Cache-Control", "public, max-age=3600"); a.request.URL.Path == article.OpenAPIOperation {
				a.Header().Set("Cache-Control", "public, max-age=31536000")
			}
		}), []string{"corpus: the manifest is never stale", "corpus: the chunks never change", "OpenAPI: it is kept for a while", "health: it is never stale",
			"articles: the record is JSON for a minute", "search: how long it may be kept", "all answers: errors have cache headers of their own"}},
		{"links elsewhere", change(func(a *recorded) {
			if a.request.URL.Path == article.OpenAPIOperation || a.request.URL.Path == article.HealthOperation {
				a.replace(s.server.URL, "https://other.example")
			}
		}), []string{"OpenAPI: it names this site and the three operations", "health: its links lead to this site"}},
		{"half of the files", change(func(a *recorded) {
			if strings.HasPrefix(a.request.URL.Path, "/problems/") || strings.HasPrefix(a.request.URL.Path, article.ArticleOperation+"/") {
				a.Code = http.StatusNotFound
			}
		}), []string{"documents: problem types lead to a page", "documents: pages, feeds and catalogs", "articles: the file has an address too"}},
		{"answers that tell too much", change(func(a *recorded) {
			switch a.request.URL.Path + "?" + a.request.URL.RawQuery {
			case article.ArticleOperation + "?id=idea": // a draft
				a.replace("no published document", "no longer a published document")
			case article.ArticleOperation + "?id=..%2Fhealth", "/api/drafts?":
				a.Code = http.StatusOK
			case "/.env?":
				a.Code = http.StatusInternalServerError
			}
		}), []string{"articles: unpublished ids", "articles: odd and hostile ids", "articles: other paths below /api", "secrets: files that are nobody's business"}},
		{"queries changed on the way", ask(func(r *http.Request) {
			r.URL.RawQuery = strings.NewReplacer("language=en", "language=de", "offset=1000", "offset=x", "limit=1000000", "limit=x", "%ff", "").Replace(r.URL.RawQuery)
		}), []string{"search: a language", "search: the largest offset", "search: a larger limit", "search: a query that is not UTF-8"}},
		{"chunks unpacked on the way", change(func(a *recorded) {
			if strings.HasSuffix(a.request.URL.Path, ".gz") {
				a.setBody("{}")
				a.Header().Del("Cache-Control")
			}
		}), []string{"corpus: the chunks", "corpus: the chunks never change"}},
		{"chunks that clients unpack", change(func(a *recorded) {
			if strings.HasSuffix(a.request.URL.Path, ".gz") {
				a.Header().Set("Content-Encoding", "gzip")
			}
		}), []string{"corpus: the chunks"}},

		{"a script as text", at("/page/app.js", header("Content-Type", "text/plain")), []string{"documents: pages, feeds and catalogs"}},
		{"ids that are not decoded", ask(func(r *http.Request) {
			if strings.HasPrefix(r.URL.RawQuery, "id=%") {
				r.URL.RawQuery = "id=" + url.QueryEscape(r.URL.RawQuery[3:])
			}
		}), []string{"articles: an id whose letters are encoded"}},
		{"preflights without headers", change(func(a *recorded) { a.Header().Del("Access-Control-Allow-Headers") }), []string{"health: OPTIONS", "articles: OPTIONS", "search: OPTIONS"}},
		{"no OpenAPI document", at(article.OpenAPIOperation, func(a *recorded) { a.Code = http.StatusNotFound; a.setBody("gone") }),
			[]string{"OpenAPI: it is served as JSON", "OpenAPI: it is a valid OpenAPI 3.1 document", "OpenAPI: it names this site and the three operations", "OpenAPI: ETag", "OpenAPI: If-None-Match, another"}},
		{"OpenAPI as text", at(article.OpenAPIOperation, header("Content-Type", "text/plain")), []string{"OpenAPI: it is served as JSON"}},
		{"a wrong OpenAPI document", at(article.OpenAPIOperation, func(a *recorded) { a.replace(`"type": "object"`, `"type": "thing"`) }), []string{"OpenAPI: it is a valid OpenAPI 3.1 document"}},
		{"health of another build", at(article.HealthOperation, func(a *recorded) { a.replace(`"articles":6`, `"articles":5`) }), []string{"OpenAPI: the example of /api/health", "health: the published set is whole"}},
		{"health of another revision", at(article.HealthOperation, func(a *recorded) { a.replace(`"revision":"`, `"revision":"0`) }), []string{"health: the published set is whole"}},
		{"an article rewritten", at(article.ArticleOperation, func(a *recorded) { a.replace("animal", "beast") }),
			[]string{"OpenAPI: the example of /api/article", "articles: every article", "articles: parameters that mean nothing", "articles: parameters in another order", "articles: compressed, it is the same"}},
		{"another title", at(article.SearchOperation, func(a *recorded) { a.replace(`"title":"On`, `"title":"Of`) }), []string{"search: finds articles by their titles"}},
		{"another count", at(article.SearchOperation, func(a *recorded) { a.replace(`{"count":`, `{"count":1`) }),
			[]string{"search: a limit of 1", "search: the largest limit", "search: nothing matches"}},
		{"null for no articles", at(article.SearchOperation, func(a *recorded) { a.replace(`"articles":[]`, `"articles":null`) }), []string{"search: nothing matches", "search: no query"}},
		{"another digest", at(article.SearchOperation, func(a *recorded) { a.replace(`"digest":"sha256-`, `"digest":"sha256-0`) }),
			[]string{"OpenAPI: the example of /api/articles", "search: finds articles by their titles"}},

		{"HEAD refused", change(func(a *recorded) {
			if a.request.Method == http.MethodHead {
				a.Code = http.StatusMethodNotAllowed
			}
		}), []string{"health: HEAD", "articles: HEAD", "search: HEAD"}},
		{"OPTIONS as GET", ask(func(r *http.Request) {
			if r.Method == http.MethodOptions {
				r.Method = http.MethodGet
			}
		}), []string{"health: OPTIONS", "articles: OPTIONS", "search: OPTIONS"}},
		{"every method as GET", ask(func(r *http.Request) {
			if r.Method != http.MethodOptions {
				r.Method = http.MethodGet
			}
		}), []string{"health: POST", "health: PUT", "health: PATCH", "health: DELETE", "articles: POST", "articles: PUT", "articles: PATCH", "articles: DELETE",
			"search: POST", "search: PUT", "search: PATCH", "search: DELETE"}},
		{"GET is not allowed", change(header("Allow", "HEAD, OPTIONS")), []string{"health: POST", "search: DELETE"}},
		{"no ETag", change(header("ETag", "")), []string{"OpenAPI: ETag", "health: ETag", "articles: ETag", "search: ETag", "search: If-None-Match, the same"}},
		{"never 304", ask(func(r *http.Request) { r.Header.Del("If-None-Match") }), []string{
			"OpenAPI: If-None-Match, the same", "OpenAPI: If-None-Match, one of a list", "OpenAPI: If-None-Match, weak", "OpenAPI: If-None-Match, any",
			"health: If-None-Match, the same", "health: If-None-Match, one of a list", "health: If-None-Match, weak", "health: If-None-Match, any",
			"articles: If-None-Match, the same", "articles: If-None-Match, one of a list", "articles: If-None-Match, weak", "articles: If-None-Match, any", "articles: compressed, its copy is not sent again",
			"search: If-None-Match, the same", "search: If-None-Match, one of a list", "search: If-None-Match, weak", "search: If-None-Match, any"}},
		{"parts, and what was refused to one caller", change(func(a *recorded) {
			switch asked := a.request.Header.Get("Range"); {
			case a.request.Header.Get("If-Match") != "":
				a.Code = http.StatusPreconditionFailed
			case a.request.Header.Get("If-None-Match") == "*":
				a.setBody("")
			case strings.HasPrefix(asked, "bytes=0-") && a.Code == http.StatusOK:
				a.Code = http.StatusPartialContent
				a.setBody(a.Body.String()[:10])
			case asked != "":
				a.Code = http.StatusRequestedRangeNotSatisfiable
			}
		}), []string{
			"OpenAPI: a part of it", "OpenAPI: a part past its end", "OpenAPI: a condition that does not hold, then none",
			"health: a part of it", "health: a part past its end", "health: a condition that does not hold, then none",
			"articles: a part of it", "articles: a part past its end", "articles: a condition that does not hold, then none",
			"search: a part of it", "search: a part past its end", "search: a condition that does not hold, then none",
			"articles: an unknown id, with If-None-Match: *", "articles: an unknown id, with Range: bytes=0-9", "articles: an unknown id, with Range: bytes=999999999-"}},
		{"another ETag with 304", change(func(a *recorded) {
			if a.Code == http.StatusNotModified {
				a.Header().Set("ETag", `"another"`)
			}
		}), []string{"OpenAPI: If-None-Match, the same", "health: If-None-Match, weak", "articles: If-None-Match, one of a list", "search: If-None-Match, any"}},
		{"always 304", ask(func(r *http.Request) {
			if r.Header.Get("If-None-Match") != "" {
				r.Header.Set("If-None-Match", "*")
			}
		}), []string{"OpenAPI: If-None-Match, another", "health: If-None-Match, another", "articles: If-None-Match, another", "search: If-None-Match, another"}},

		{"no Markdown", change(func(a *recorded) {
			if strings.HasSuffix(a.request.URL.Path, ".md") {
				a.Code = http.StatusNotFound
			}
		}), []string{"articles: every article as Markdown", "articles: Markdown is Markdown for a minute"}},
		{"another Markdown", change(func(a *recorded) {
			if strings.HasSuffix(a.request.URL.Path, ".md") && a.Code == http.StatusOK {
				a.setBody("# Another\n")
			}
		}), []string{"articles: every article as Markdown"}},
		{"Markdown as a page", change(func(a *recorded) {
			if strings.HasSuffix(a.request.URL.Path, ".md") && a.Code == http.StatusOK {
				a.Header().Set("Content-Type", "text/html")
			}
		}), []string{"articles: Markdown is Markdown for a minute"}},

		{"a page changed", at("/", func(a *recorded) { a.replace("</head>", "<script></script></head>") }), []string{"documents: pages, feeds and catalogs"}},
		{"a page for everything", change(func(a *recorded) {
			if a.Code == http.StatusNotFound && !a.api() {
				a.Code = http.StatusOK
			}
		}), []string{"documents: a page that is not there", "secrets: files that are nobody's business", "secrets: traversal"}},

		{"other parameters refused", at(article.ArticleOperation, func(a *recorded) {
			if a.request.URL.Query().Has("utm_source") {
				a.Code = http.StatusNotFound
			}
		}), []string{"articles: parameters that mean nothing", "articles: parameters in another order"}},
		{"gzip without Vary", at(article.ArticleOperation, func(a *recorded) {
			if a.request.Header.Get("Accept-Encoding") == "gzip" && a.Code == http.StatusOK {
				var b bytes.Buffer
				zw := gzip.NewWriter(&b)
				zw.Write(a.Body.Bytes())
				zw.Close()
				a.setBody(b.String())
				a.Header().Set("Content-Encoding", "gzip")
			}
		}), []string{"articles: compressed, it is the same"}},
		{"the first id counts", ask(func(r *http.Request) {
			if q := r.URL.Query(); len(q["id"]) > 1 {
				r.URL.RawQuery = "id=" + q["id"][0]
			}
		}), []string{"articles: the id is given twice", "articles: the id is given twice, differently"}},
		{"a missing id is not found", at(article.ArticleOperation, func(a *recorded) {
			if a.Code == http.StatusBadRequest {
				article.WriteProblem(a, "", article.NewProblem(s.server.URL, article.NotFound))
				a.Body = bytes.NewBuffer(a.Body.Bytes()[bytes.LastIndexByte(bytes.TrimSpace(a.Body.Bytes()), '\n')+1:])
			}
		}), []string{"articles: the id is missing", "articles: the id is empty", "articles: another parameter only", "articles: the id is given twice"}},
		{"an article for unknown ids", at(article.ArticleOperation, func(a *recorded) {
			if a.Code == http.StatusNotFound {
				a.Code = http.StatusOK
				a.Header().Set("Content-Type", "application/json")
			}
		}), []string{"articles: an unknown id", "articles: odd and hostile ids", "articles: unpublished ids"}},

		{"a dead search", at(article.SearchOperation, func(a *recorded) { a.Code = http.StatusServiceUnavailable }), []string{"search: it answers", "OpenAPI: the example of /api/articles"}},
		{"a search of another build", at(article.SearchOperation, func(a *recorded) { a.replace(`"revision":"`, `"revision":"0`) }), []string{"search: it searches what is published"}},
		{"a search that finds always", ask(func(r *http.Request) {
			if q := r.URL.Query(); r.URL.Path == article.SearchOperation && len(q["q"]) < 2 && strings.Trim(q.Get("q"), "?a \t") != "" == strings.HasPrefix(q.Get("q"), "verify") {
				q.Set("q", "animal")
				r.URL.RawQuery = q.Encode()
			}
		}), []string{"search: nothing matches", "search: no query", "search: an empty query", "search: a blank query", "search: a query without a word"}},
		{"short request lines", change(func(a *recorded) {
			if len(a.request.URL.RawQuery) > 120 {
				a.Code = http.StatusRequestURITooLong
			}
		}), []string{"search: the longest query", "search: queries of every length, in three bytes a letter", "search: the most words", "search: a query that is too long", "search: too many words"}},
		{"no room for a long query and the head of its answer", change(func(a *recorded) {
			if n := len(a.request.URL.RawQuery); 3050 < n && n < 3400 {
				a.Code = http.StatusBadGateway
			}
		}), []string{"search: queries of every length, in three bytes a letter"}},
		{"a default limit of 5", ask(func(r *http.Request) {
			if q := r.URL.Query(); r.URL.Path == article.SearchOperation && q.Get("limit") == "" {
				r.URL.RawQuery += "&limit=5"
			}
		}), []string{"search: no limit", "search: an empty limit"}},
		{"limits ignored", ask(func(r *http.Request) {
			if r.URL.Path == article.SearchOperation {
				r.URL.RawQuery, _, _ = strings.Cut(r.URL.RawQuery, "&")
			}
		}), []string{"search: a limit of 1", "search: the largest limit", "search: a larger limit", "search: a limit longer than numbers are", "search: limit=0", "search: limit=-1",
			"search: limit=abc", "search: limit=1.5", "search: limit=1e2", "search: limit=%2B1", "search: limit=3&limit=3", "search: two queries",
			"search: offset=-1", "search: offset=abc", "search: offset=1&offset=1", "search: offset=1001", "search: the page after it", "search: a language without articles",
			"search: a tag without articles", "search: no language at all", "search: too many tags", "search: kept apart: two filters, then the first",
			"search: kept apart: two queries, then one", "search: kept apart: one limit, then another", "search: kept apart: a wrong limit, then a right one", "search: kept apart: an empty q, then q"}},
		{"a search that finds nothing", ask(func(r *http.Request) {
			if r.URL.Path == article.SearchOperation && r.URL.Query().Get("limit") == "1" {
				r.URL.RawQuery = "limit=1"
			}
		}), []string{"search: the first hit"}},
		{"a cache without filters", cachedBy(func(r *http.Request) string {
			return strings.Join(r.URL.Query()["q"], "&") + "&" + strings.Join(r.URL.Query()["limit"], "&")
		}),
			[]string{"search: kept apart: a filter, then none"}},
		{"replicas that differ", at(article.SearchOperation, func(a *recorded) {
			if calls++; calls%2 == 0 {
				a.replace("animal", "beast")
				a.Header().Set("ETag", `"beast"`)
			}
		}), []string{"search: the same query, the same bytes"}},
		{"a cache by the first q", cachedBy(func(r *http.Request) string { return r.URL.Query().Get("q") + "&" + r.URL.Query().Get("limit") }),
			[]string{"search: kept apart: two queries, then one", "search: kept apart: an encoded name, twice, then once", "search: kept apart: a wrong limit, then a right one"}},
		{"a cache by the plain name q", cachedBy(func(r *http.Request) string {
			for pair := range strings.SplitSeq(r.URL.RawQuery, "&") {
				if q, ok := strings.CutPrefix(pair, "q="); ok {
					return q + "&" + r.URL.Query().Get("limit")
				}
			}
			return "&" + r.URL.Query().Get("limit")
		}), []string{"search: kept apart: an encoded name, then none"}},
		{"a cache blind to capitals", cachedBy(func(r *http.Request) string {
			query, _ := url.ParseQuery(strings.ToLower(r.URL.RawQuery))
			return strings.Join(query["q"], "&") + "&" + strings.Join(query["limit"], "&")
		}), []string{"search: kept apart: a name in capitals, then none"}},
		{"a cache by the end of names", cachedBy(func(r *http.Request) string {
			return strings.ReplaceAll(r.URL.RawQuery, "qq=", "q=")
		}), []string{"search: kept apart: a longer name, then q"}},
		{"a server error", at("/.env", func(a *recorded) { a.Code = http.StatusInternalServerError }), []string{"secrets: files that are nobody's business"}},
		{"a path that ends the server", func(next http.Handler) http.Handler {
			var ended atomic.Bool
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.Contains(r.URL.EscapedPath(), "%c0%ae") {
					ended.Store(true)
				}
				if ended.Load() {
					panic(http.ErrAbortHandler)
				}
				next.ServeHTTP(w, r)
			})
		}, []string{"secrets: the host outlives odd requests"}},
		{"paths cleaned on the disk", change(func(a *recorded) {
			if strings.Contains(a.request.URL.Path, "etc/passwd") {
				a.Code = http.StatusOK
				a.setBody("root:x:0:0")
			}
		}), []string{"secrets: traversal"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s.answers(test.breaks(s.handler))
			defer s.broken.Store(nil)
			failed := names(t, deployment(t, s.server.URL, s.options()), verify.Failed)
			for _, name := range test.fails {
				c, ok := failed[name]
				if !ok {
					t.Errorf("%q has not failed", name)
				}
				if ok && (c.Hint == "" || c.Got == "") {
					t.Errorf("%+v", c)
				}
				delete(everything, name)
			}
			if t.Failed() {
				for name, c := range failed {
					t.Logf("failed: %s: want %s; got %s", name, c.Want, c.Got)
				}
			}
		})
	}
	for _, name := range []string{"the host answers", "the site is at this address", "the host follows the rules of the API"} { // tests of their own
		delete(everything, "connection: "+name)
	}
	for name := range everything {
		t.Errorf("nothing shows that %q can fail", name)
	}
}

// The names of the site, its certificate, and what is agreed with old clients.
func TestTLS(t *testing.T) {
	s := newSiteUnder(t, "")
	s.server.EnableHTTP2 = true
	s.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // of handshakes that must fail
	s.server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, CipherSuites: []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}}
	s.server.StartTLS()
	o := s.options()
	if r := deployment(t, s.server.URL, o); len(r.Checks) != 1 || r.Checks[0].Result != verify.Failed || !strings.Contains(r.Checks[0].Got, "certificate") {
		t.Errorf("an unknown authority: %+v", r.Checks)
	}
	o.Roots = x509.NewCertPool()
	o.Roots.AddCert(s.server.Certificate())
	r := deployment(t, s.server.URL, o)
	failed := names(t, r, verify.Failed)
	if c, ok := failed["connection: old TLS is refused"]; !ok || !strings.Contains(c.Got, "TLS 1.1") {
		t.Errorf("%+v", r.Checks[:5])
	}
	if c := names(t, r, verify.Passed)["connection: TLS"]; !strings.Contains(c.Got, "h2") {
		t.Errorf("%+v", c)
	}
	// Over HTTP/2 too, paths are sent as they are written, and all is well but for the
	// links: the site was built for http.
	for name, c := range failed {
		if !strings.Contains(name, "old TLS") && !strings.Contains(name, "this site") {
			t.Errorf("%s: want %s; got %s", name, c.Want, c.Got)
		}
	}
	s.server.TLS.MinVersion = tls.VersionTLS12
	if failed := names(t, deployment(t, s.server.URL, o), verify.Failed); failed["connection: old TLS is refused"].Name != "" {
		t.Error("TLS 1.2 is taken for old")
	}

	// A certificate that has some days left is not renewed as it should be.
	soon, key := *s.server.Certificate(), s.server.TLS.Certificates[0].PrivateKey.(crypto.Signer)
	soon.NotAfter = time.Now().Add(100 * time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, &soon, &soon, key.Public(), key)
	must(t, err)
	o.Roots.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	s.server.TLS.Certificates = []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}
	if c := names(t, deployment(t, s.server.URL, o), verify.Failed)["connection: TLS"]; !strings.Contains(c.Got, "valid for 4 days") || !strings.Contains(c.Hint, "renew") {
		t.Errorf("%+v", c)
	}
}

// An address that is not encrypted is right on one's own machine only.
func TestHTTPElsewhereFails(t *testing.T) {
	s := newSite(t)
	_, port, _ := strings.Cut(s.server.Listener.Addr().String(), ":")
	failed := names(t, deployment(t, "http://0.0.0.0:"+port, s.options()), verify.Failed)
	if failed["connection: TLS"].Hint == "" {
		t.Errorf("%v", failed)
	}
}

// Nobody but the host is asked, wherever it sends its callers.
func TestRedirectsAreNotFollowed(t *testing.T) {
	var asked atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	r := deployment(t, server.URL, verify.Options{})
	if asked.Load() > 0 {
		t.Errorf("the other host was asked %d times", asked.Load())
	}
	c := names(t, r, verify.Failed)["connection: the site is at this address"]
	if !strings.Contains(c.Got, " to "+other.URL) || !strings.HasSuffix(c.Hint, "builder verify "+other.URL) || len(r.Checks) != 2 {
		t.Errorf("%d checks, %+v", len(r.Checks), c)
	}
}

// A web server that has the files and no more is told from one where they are missing.
func TestFilesWithoutRules(t *testing.T) {
	s := newSite(t)
	s.answers(http.FileServer(http.Dir(s.public)))
	r := deployment(t, s.server.URL, s.options())
	if c := names(t, r, verify.Failed)["connection: the host follows the rules of the API"]; !strings.Contains(c.Got, "404") || !strings.Contains(c.Hint, "nginx") {
		t.Errorf("%+v", c)
	}
}

// An article that has expired since the last build was blamed on the host.
func TestExpiredSince(t *testing.T) {
	s := newSite(t)
	o := s.options()
	o.Unpublished = append(o.Unpublished, "badger")
	if c := names(t, deployment(t, s.server.URL, o), verify.Failed)["articles: unpublished ids"]; !strings.Contains(c.Hint, `build and deploy again: since the last build, articles such as "badger" have expired`) {
		t.Errorf("%+v", c)
	}
}

// Some of the folder has not arrived yet, or an older build is still served: the folder
// that should be there tells.
func TestHalfUploaded(t *testing.T) {
	s := newSite(t)
	whole := t.TempDir()
	must(t, os.CopyFS(whole, os.DirFS(s.public)))
	o := s.options()
	o.Source = os.DirFS(whole)
	for _, file := range []string{article.Path("badger"), article.MarkdownPath("fossa"), "page/app.js"} {
		must(t, os.Remove(filepath.Join(s.public, file)))
	}
	must(t, os.Truncate(filepath.Join(s.public, article.Path("echidna")), 100))
	failed := names(t, deployment(t, s.server.URL, o), verify.Failed)
	for _, name := range []string{"articles: every article", "articles: every article as Markdown", "documents: pages, feeds and catalogs"} {
		if failed[name].Got == "" {
			t.Errorf("%q has not failed", name)
		}
	}
}

// A host that accepts and is silent takes no hours.
func TestSilence(t *testing.T) {
	s := newSite(t)
	s.answers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == article.ArticleOperation {
			<-r.Context().Done()
			return
		}
		s.handler.ServeHTTP(w, r)
	}))
	o := s.options()
	o.Patience = 3 * time.Second // on a busy machine, too, all else is answered within it
	r := deployment(t, s.server.URL, o)
	if last := r.Checks[len(r.Checks)-1]; last.Result != verify.Skipped || last.Name != "everything else" {
		t.Errorf("%+v", last)
	}
	failed := names(t, r, verify.Failed)
	if c := failed["articles: an unknown id"]; !strings.Contains(c.Got, "not asked any more") {
		t.Errorf("%+v", c)
	}
	if c := failed["OpenAPI: the example of /api/article"]; !strings.Contains(c.Got, "no answer") {
		t.Errorf("%+v", c)
	}
}

// An answer without an end fills no memory: eight of them are read at once.
func TestEndlessAnswer(t *testing.T) {
	const most = 256 << 20 // 32 MB that are read, and what waits in buffers: 37 MB and more
	s := newSite(t)
	s.answers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/feed.json" {
			s.handler.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/feed+json")
		portion, sent := make([]byte, 1<<20), 0
		for r.Context().Err() == nil && sent < most {
			n, err := w.Write(portion)
			if sent += n; err != nil {
				return
			}
		}
		if sent >= most {
			t.Errorf("%d bytes were read", sent)
		}
	}))
	failed := names(t, deployment(t, s.server.URL, s.options()), verify.Failed)
	if c := failed["documents: pages, feeds and catalogs"]; !strings.Contains(c.Got, "/feed.json: the answer is longer than") || len(failed) != 1 {
		t.Errorf("%+v", failed)
	}
}

// A host that is busy is asked again when it wants to be.
func TestRetryAfter(t *testing.T) {
	s := newSite(t)
	var asked sync.Map // by address
	s.answers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, again := asked.LoadOrStore(r.URL.String(), true); !again && r.Method == http.MethodGet {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		s.handler.ServeHTTP(w, r)
	}))
	allPass(t, deployment(t, s.server.URL, s.options()))
}

// A server may hang up on who asks for what is nobody's business, or send him elsewhere.
func TestHungUpOn(t *testing.T) {
	s := newSite(t)
	s.answers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/.") && !strings.HasPrefix(r.URL.Path, "/.well-known") {
			panic(http.ErrAbortHandler)
		}
		if strings.Contains(r.URL.EscapedPath(), "..%2f") {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		s.handler.ServeHTTP(w, r)
	}))
	allPass(t, deployment(t, s.server.URL, s.options()))
}

// One that is busy for longer than a visit lasts is not asked again: so many seconds are few as
// nanoseconds of an int64.
func TestRetryAfterCenturies(t *testing.T) {
	s := newSite(t)
	asked := map[string]int{}
	var mu sync.Mutex
	for _, seconds := range []string{"3600", "18446744074", "-18446744073"} {
		s.answers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != article.HealthOperation {
				s.handler.ServeHTTP(w, r)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			asked[seconds]++
			w.Header().Set("Retry-After", seconds)
			w.WriteHeader(http.StatusServiceUnavailable)
		}))
		deployment(t, s.server.URL, s.options())
	}
	if asked["3600"] == 0 || asked["18446744074"] != asked["3600"] || asked["-18446744073"] != asked["3600"] {
		t.Errorf("asked so many times by what it said: %v", asked)
	}
}

func TestNobodyAnswers(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	r := deployment(t, server.URL, verify.Options{})
	if len(r.Checks) != 1 || r.Checks[0].Result != verify.Failed || !strings.Contains(r.Checks[0].Got, "refused") {
		t.Errorf("%+v", r.Checks)
	}
}

func TestMistakesOfTheCaller(t *testing.T) {
	for _, address := range []string{"", "example.org", "ftp://example.org", "https://", "https://example.org/blog/../b", "https://example.org/a//b", "https://example.org/blog?", "https://example.org/?q=1", "https://example.org/blog#x", "https://me:secret@example.org", "https://a b"} {
		_, err := verify.Deployment(t.Context(), address, verify.Options{})
		if hinted.Hint(err) == "" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		}
	}
	if _, err := verify.Deployment(t.Context(), "http://127.0.0.1:1", verify.Options{Source: os.DirFS(t.TempDir())}); err == nil {
		t.Error("an empty source is no error")
	}
	s := newSite(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	if _, err := verify.Deployment(ctx, s.server.URL, verify.Options{}); err == nil {
		t.Error("an ended context is no error")
	}
}

func TestFormats(t *testing.T) {
	r := verify.Report{Address: "https://example.org", Checks: []verify.Check{
		{Group: "a", Name: "one", Result: verify.Passed, Want: "1", Got: "1", Seconds: 0.25},
		{Group: "a", Name: "two", Result: verify.Failed, Want: "2", Got: "<3\x00>", Hint: "count again"},
		{Group: "b", Name: "three", Result: verify.Skipped, Want: "3", Got: "nothing to count"},
	}, Speed: []verify.Speed{}}
	var b bytes.Buffer
	must(t, r.WriteJUnit(&b))
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="verify https://example.org" tests="3" failures="1">
  <testsuite name="a" tests="2" failures="1" skipped="0">
    <testcase classname="verify.a" name="one" time="0.250">
      <system-out>1</system-out>
    </testcase>
    <testcase classname="verify.a" name="two" time="0.000">
      <failure message="&lt;3�&gt;">expected: 2&#xA;seen: &lt;3�&gt;&#xA;hint: count again</failure>
    </testcase>
  </testsuite>
  <testsuite name="b" tests="1" failures="0" skipped="1">
    <testcase classname="verify.b" name="three" time="0.000">
      <skipped message="nothing to count"></skipped>
    </testcase>
  </testsuite>
</testsuites>
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &b, want)
	}
	if err := xml.Unmarshal(b.Bytes(), new(struct{})); err != nil {
		t.Error(err)
	}
	got, err := json.Marshal(r.Checks[1])
	if want := `{"group":"a","name":"two","result":"failed","want":"2","got":"\u003c3\u0000\u003e","hint":"count again","seconds":0}`; err != nil || string(got) != want {
		t.Errorf("%s %v", got, err)
	}
}

// The published addresses have names of hosts as the name system has them.
func TestHostsInOtherScripts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := verify.Deployment(ctx, "https://exämple.org:8443/über/", verify.Options{})
	if err == nil || !strings.Contains(err.Error(), "verify https://xn--exmple-cua.org:8443/%C3%BCber: ") {
		t.Error(err)
	}
	if _, err := verify.Deployment(ctx, "https://-ä-.org", verify.Options{}); err == nil || !strings.Contains(err.Error(), `"-ä-.org" is not the name of a host`) {
		t.Error(err)
	}
}

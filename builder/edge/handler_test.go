package edge

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

const baseURL = "https://site.example"

// secret marks bytes that lie in the published folder and must never leave it.
const secret = "NOT-PUBLISHED"

// publication is a published folder as the builder writes it, with things beside it
// that are nobody's business.
func publication(t testing.TB) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	add := func(name string, v any) {
		body, err := article.Encode(v)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: body}
	}
	published := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, id := range []string{"hello", "go.1-26"} {
		add(article.Path(id), article.Article{
			Meta: article.Meta{ID: id, Title: "Hello", Summary: "Hello.", DatePublished: published, DateModified: published,
				Authors: []article.Author{}, Tags: []string{}, Language: "en", WordCount: 1, ReadingTimeMinutes: 1},
			ContentHTML: "<p>Hello.</p>", ContentText: "Hello.",
		})
	}
	add(article.HealthPath, article.NewHealth(baseURL, "5f1c", 2, published))
	for _, k := range article.Kinds() {
		add(article.ErrorPath(k), article.NewProblem(baseURL, k))
		files[article.ProblemPagePath(k)] = &fstest.MapFile{Data: []byte("<p>" + k.Hint())}
	}
	add(article.NotFoundPath, article.NewProblem(baseURL, article.NotFound))
	for name, body := range map[string]string{
		article.OpenAPIPath:              "{}\n",
		article.ManifestPath:             "{}\n",
		article.ChunkPath("ab12"):        "\x1f\x8bchunk",
		article.SearchSettingsPath("ab"): "{}\n",
		".well-known/api-catalog":        "{}\n",
		".newsstand/staging/hello.json":  secret,
		".git/config":                    secret,
		"_headers":                       secret,
		"_redirects":                     secret,
		"corpus/.tmp-1":                  secret,
		"api/article/Draft.json":         secret,
		"api/article/.draft.json":        secret,
		"api/article/draft.json~":        secret,
		"api/article/sub/draft.json":     secret,
		"back\\slash.txt":                secret,
		"delete\x7f.txt":                 secret,
	} {
		files[name] = &fstest.MapFile{Data: []byte(body)}
	}
	files["pipe"] = &fstest.MapFile{Data: []byte(secret), Mode: fs.ModeNamedPipe}
	return files
}

// search stands for searchd: it answers everything itself, in its own words.
func search(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodOptions:
		article.WriteOptions(w, "")
	case !article.Allowed(r.Method):
		article.WriteProblem(w, "", article.NewProblem(baseURL, article.MethodNotAllowed))
	default:
		article.SetCommonHeaders(w.Header(), "")
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400")
		w.Header().Set("ETag", `"5f1c"`)
		w.Header().Set("Server-Timing", "search;dur=1")
		body, _ := article.Encode(article.SearchResult{Limit: 10, Revision: "5f1c", Articles: []article.Hit{}})
		w.Write(body)
	}
}

// edge is the handler under test, behind the validator of the contract.
func edge(t *testing.T, files fs.FS) http.Handler {
	_, rules := ourRules(t)
	return articletest.Contract(t).Handler(t, NewHandler(rules, files, http.HandlerFunc(search)))
}

// The page and the documents around the API have the types and the policy that they need.
func TestPages(t *testing.T) {
	_, rules := ourRules(t)
	files := fstest.MapFS{}
	for _, name := range []string{"index.html", "docs/index.html", "docs/reference.js", "docs/reference.css", "page/app.js", "page/app.css", "page/icon.svg", "feed.json", "feed.xml", "llms.txt",
		"sitemap.xml", "robots.txt", ".well-known/api-catalog", "corpus/manifest.json", "corpus/ab12.ndjson.gz", "corpus/search-ab.json"} {
		files[name] = &fstest.MapFile{Data: []byte(name)}
	}
	h := NewHandler(rules, files, http.HandlerFunc(search))
	for _, test := range []struct {
		path, contentType string
		policy, open      bool // a strict policy; readable by any page
	}{
		{"/", "text/html; charset=utf-8", true, false},
		{"/?q=word", "text/html; charset=utf-8", true, false},
		{"/index.html", "text/html; charset=utf-8", true, false},
		{"/docs/", "text/html; charset=utf-8", true, false},
		{"/docs", "text/html; charset=utf-8", true, false},
		{"/docs/reference.js", "text/javascript; charset=utf-8", true, false},
		{"/docs/reference.css", "text/css; charset=utf-8", true, false},
		{"/page/app.js", "text/javascript; charset=utf-8", false, true},
		{"/page/app.css", "text/css; charset=utf-8", false, true},
		{"/page/icon.svg", "image/svg+xml", false, true},
		{"/feed.json", "application/feed+json", false, true},
		{"/feed.xml", "application/atom+xml; charset=utf-8", false, true},
		{"/llms.txt", "text/plain; charset=utf-8", false, true},
		{"/sitemap.xml", "application/xml", false, false},
		{"/robots.txt", "text/plain; charset=utf-8", false, false},
		{"/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, false, true},
		{"/corpus/manifest.json", "application/json", false, true},
		{"/corpus/ab12.ndjson.gz", "application/gzip", false, true},
		{"/corpus/search-ab.json", "application/json", false, true},
	} {
		rec := get(h, "GET", test.path)
		header := rec.Header()
		if rec.Code != 200 || header.Get("Content-Type") != test.contentType {
			t.Errorf("%s: %d %s, want %s", test.path, rec.Code, header.Get("Content-Type"), test.contentType)
		}
		if policy := header.Get("Content-Security-Policy"); strings.HasPrefix(policy, "default-src 'self'; ") != test.policy || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", test.path, policy)
		}
		if open := header.Get("Access-Control-Allow-Origin") == "*"; open != test.open {
			t.Errorf("%s: any page may read it: %t, want %t", test.path, open, test.open)
		}
	}
	// RFC 9727, 3: the catalog says of itself where it is, and the page where to find it.
	for _, path := range []string{"/", "/.well-known/api-catalog"} {
		if link := get(h, "HEAD", path).Header().Get("Link"); !strings.Contains(link, `</.well-known/api-catalog>; rel="api-catalog"`) {
			t.Errorf("%s: Link is %q", path, link)
		}
	}
}

// Every row of the contract, by the project's own netlify.toml. The validator checks
// bodies and headers against the OpenAPI document besides.
func TestContract(t *testing.T) {
	h := edge(t, publication(t))
	const missing, notFound, method = "missing-id", "not-found", "method-not-allowed"
	for _, test := range []struct {
		method, target string
		status         int
		problem        string
	}{
		{"GET", "/api/articles?q=x", 200, ""},
		{"HEAD", "/api/articles?q=x", 200, ""},
		{"OPTIONS", "/api/articles", 204, ""},
		{"POST", "/api/articles", 405, method},

		{"GET", "/api/article?id=hello", 200, ""},
		{"GET", "/api/article?id=go.1-26", 200, ""},
		{"GET", "/api/article?id=hello&utm_source=x", 200, ""},
		{"GET", "/api/article?utm_source=x&id=hello", 200, ""},
		{"GET", "/api/article?id=%68ello", 200, ""},
		{"GET", "/api/article?%69d=hello", 200, ""},
		{"GET", "/api/article?id=hello&%69%64=hello", 400, missing},
		{"HEAD", "/api/article?id=hello", 200, ""},
		{"GET", "/api/article/hello.json", 200, ""},

		{"GET", "/api/article", 400, missing},
		{"HEAD", "/api/article", 400, missing},
		{"GET", "/api/article?", 400, missing},
		{"GET", "/api/article?id", 400, missing},
		{"GET", "/api/article?id=", 400, missing},
		{"GET", "/api/article?ID=hello", 400, missing},
		{"GET", "/api/article?q=hello", 400, missing},
		{"GET", "/api/article?id=hello&id=hello", 400, missing},
		{"GET", "/api/article?id=hello&id=", 400, missing},
		{"GET", "/api/article?id=&id=hello", 400, missing},
		{"GET", "/api/article?id&id=hello", 400, missing},
		{"GET", "/api/article?id=hello&%69d", 400, missing},
		{"GET", "/api/article?&id=hello&", 200, ""},

		{"GET", "/api/article?id=nope", 404, notFound},
		{"GET", "/api/article?id=Hello", 404, notFound},
		{"GET", "/api/article?id=Draft", 404, notFound},
		{"GET", "/api/article?id=.draft", 404, notFound},
		{"GET", "/api/article?id=hello.json", 404, notFound},
		{"GET", "/api/article?id=hello%00", 404, notFound},
		{"GET", "/api/article?id=hello%20", 404, notFound},
		{"GET", "/api/article?id=%ff", 404, notFound},
		{"GET", "/api/article?id=%zz", 404, notFound},
		{"GET", "/api/article?id=../health", 404, notFound},
		{"GET", "/api/article?id=..%2Fhealth", 404, notFound},
		{"GET", "/api/article?id=..%5Chealth", 404, notFound},
		{"GET", "/api/article?id=sub/draft", 404, notFound},
		{"GET", "/api/article?id=sub%2Fdraft", 404, notFound},
		{"GET", "/api/article?id=" + strings.Repeat("a", 300), 404, notFound},
		{"GET", "/api/article/nope.json", 404, notFound},
		{"GET", "/api/article/hello", 404, notFound},
		{"GET", "/api/article/hello.json/", 404, notFound},
		{"GET", "/api/article/Hello.json", 404, notFound},
		{"GET", "/api/article/Draft.json", 404, notFound},
		{"GET", "/api/article/.draft.json", 404, notFound},
		{"GET", "/api/article/sub/draft.json", 404, notFound},
		{"GET", "/api/article/sub%2Fdraft.json", 404, notFound},
		{"GET", "/api/article/../article/hello.json", 404, notFound},
		{"GET", "/api/article/%2e%2e/health.json", 404, notFound},
		{"GET", "/api/article/", 404, notFound},
		{"GET", "/api/article/?id=hello", 404, notFound},
		{"HEAD", "/api/article?id=nope", 404, notFound},
		{"POST", "/api/article?id=hello", 405, method},
		{"DELETE", "/api/article/hello.json", 405, method},
		{"OPTIONS", "/api/article?id=hello", 204, ""},
		{"OPTIONS", "/api/article", 204, ""},

		{"GET", "/api/health", 200, ""},
		{"GET", "/api/health?x=1", 200, ""},
		{"HEAD", "/api/health", 200, ""},
		{"PUT", "/api/health", 405, method},
		{"GET", "/api/health/", 404, notFound},
		{"GET", "/api/articles/", 404, notFound},
		{"GET", "/api", 404, notFound},
		{"GET", "/api/", 404, notFound},
		{"GET", "/api/drafts", 404, notFound},
		{"GET", "/api/errors", 404, notFound},
		{"GET", "/api/../api/health", 404, notFound},
		{"GET", "/api//health", 404, notFound},
		{"GET", "/api%2Fhealth", 200, ""}, // decoded before the rules see it, as on the host
		{"BREW", "/api/nothing", 405, method},
		{"OPTIONS", "/api/nothing", 204, ""},
		{"GET", "/openapi.json", 200, ""},
		{"POST", "/openapi.json", 405, method},
	} {
		rec := get(h, test.method, test.target)
		if rec.Code != test.status {
			t.Errorf("%s %s: status %d, want %d: %s", test.method, test.target, rec.Code, test.status, rec.Body)
			continue
		}
		if test.problem == "" {
			continue
		}
		want, err := article.Encode(article.NewProblem(baseURL, article.Kind(test.problem)))
		if err != nil {
			t.Fatal(err)
		}
		if test.method == "HEAD" {
			want = nil
		}
		if got := rec.Body.Bytes(); !bytes.Equal(got, want) {
			t.Errorf("%s %s:\n got %s\nwant %s", test.method, test.target, got, want)
		}
		if test.status == 405 && rec.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
			t.Errorf("%s %s: Allow is %q", test.method, test.target, rec.Header().Get("Allow"))
		}
	}
}

// The document for a request without an id is also the one for a request with two, so its title
// fits both.
func TestTitleOfTwoIDs(t *testing.T) {
	if got := get(edge(t, publication(t)), "GET", "/api/article?id=hello&id=hello").Body.String(); !strings.Contains(got, `missing or given twice"`) {
		t.Error(got)
	}
}

// An unknown, an unpublished and a malformed id differ in nothing, headers included.
func TestNoOracleForDrafts(t *testing.T) {
	h := edge(t, publication(t))
	var first string
	for _, target := range []string{"/api/article?id=nope", "/api/article?id=Draft", "/api/article?id=.draft", "/api/article?id=%00", "/api/article/Draft.json", "/api/article/nope.json"} {
		rec := get(h, "GET", target)
		var b strings.Builder
		rec.Header().Write(&b)
		if got := fmt.Sprint(rec.Code, b.String(), rec.Body); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%s:\n got %s\nwant %s", target, got, first)
		}
	}
}

func TestForwardedAnswersAreTheDaemonsOwn(t *testing.T) {
	h := edge(t, publication(t))
	rec := get(h, "GET", "/api/articles?q=x")
	if got := rec.Header().Get("Cache-Control"); !strings.HasPrefix(got, "public, max-age=60") {
		t.Errorf("Cache-Control %q is not the daemon's", got)
	}
	if got := rec.Header().Get("ETag"); got != `"5f1c"` {
		t.Errorf("ETag %s is not the daemon's", got)
	}
}

// An error never has the headers of success, even at a path whose rules set them.
func TestErrorsCarryTheirOwnHeaders(t *testing.T) {
	h := edge(t, publication(t))
	for target, want := range map[string]string{
		"/api/article?id=nope":       "public, max-age=60",
		"/corpus/no-such.ndjson.gz":  "public, max-age=0, must-revalidate",
		"/problems/no-such-problem/": "public, max-age=0, must-revalidate",
	} {
		rec := get(h, "GET", target)
		if rec.Code != 404 || rec.Header().Get("Cache-Control") != want || rec.Header().Get("ETag") != "" || rec.Header().Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %d %v", target, rec.Code, rec.Header())
		}
	}
}

func TestFiles(t *testing.T) {
	h := edge(t, publication(t))
	for _, test := range []struct{ target, contentType, cache string }{
		{"/api/article?id=hello", "application/json", "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"},
		{"/api/article/hello.json", "application/json", "public, max-age=60, stale-while-revalidate=300, stale-if-error=86400"},
		{"/api/health", "application/json", "public, max-age=0, must-revalidate"},
		{"/api/errors/not-found.json", "application/problem+json", "public, max-age=60"},
		{"/openapi.json", "application/json", "public, max-age=300, stale-while-revalidate=3600"},
		{"/corpus/ab12.ndjson.gz", "application/gzip", "public, max-age=31536000, immutable"},
		{"/corpus/search-ab.json", "application/json", "public, max-age=31536000, immutable"},
		{"/corpus/manifest.json", "application/json", "public, max-age=0, must-revalidate"},
		{"/problems/not-found", "text/html; charset=utf-8", "public, max-age=0, must-revalidate"},
		{"/problems/not-found/", "text/html; charset=utf-8", "public, max-age=0, must-revalidate"},
		{"/.well-known/api-catalog", `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, "public, max-age=0, must-revalidate"},
	} {
		rec := get(h, "GET", test.target)
		if rec.Code != 200 || rec.Header().Get("Content-Type") != test.contentType || rec.Header().Get("Cache-Control") != test.cache || rec.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %v", test.target, rec.Code, rec.Header())
		}
		etag := rec.Header().Get("ETag")
		for _, list := range []string{etag, "W/" + etag, `"other", ` + etag, "*"} {
			not := get(h, "GET", test.target, "If-None-Match", list)
			if not.Code != 304 || not.Body.Len() != 0 || not.Header().Get("ETag") != etag || not.Header().Get("Cache-Control") != test.cache {
				t.Errorf("%s, If-None-Match %s: %d %v %q", test.target, list, not.Code, not.Header(), not.Body)
			}
		}
		if again := get(h, "GET", test.target, "If-None-Match", `"other"`, "Range", "bytes=0-0"); again.Code != 200 || again.Body.String() != rec.Body.String() {
			t.Errorf("%s: %d %q", test.target, again.Code, again.Body)
		}
		head := get(h, "HEAD", test.target)
		if head.Code != 200 || head.Body.Len() != 0 || head.Header().Get("Content-Length") != fmt.Sprint(rec.Body.Len()) || head.Header().Get("ETag") != etag {
			t.Errorf("HEAD %s: %d %v", test.target, head.Code, head.Header())
		}
	}
	// A page that does not exist is the host's page, problem document or not.
	if rec := get(h, "GET", "/no/such/page"); rec.Code != 404 || rec.Header().Get("Content-Type") != "text/html; charset=utf-8" || !strings.Contains(rec.Body.String(), "not-found") {
		t.Errorf("/no/such/page: %d %v", rec.Code, rec.Header())
	}
}

func TestHiddenFilesStayHidden(t *testing.T) {
	h := edge(t, publication(t))
	for _, target := range []string{
		"/.newsstand/staging/hello.json", "/%2enewsstand/staging/hello.json", "/.git/config", "/_headers", "/_redirects",
		"/corpus/.tmp-1", "/corpus/", "/corpus", "/api/article", "/back%5Cslash.txt", `/back\slash.txt`, "/delete%7f.txt", "/pipe",
		"/openapi.json%00", "/openapi.json/", "//openapi.json", "/x/../openapi.json", "/problems/../.git/config", "/problems%2Fnot-found",
	} {
		if rec := get(h, "GET", target); rec.Code < 400 || strings.Contains(rec.Body.String(), secret) {
			t.Errorf("%s: %d %s", target, rec.Code, rec.Body)
		}
	}
}

// Before the first build there is nothing to read, and still every error is a problem.
func TestEmptyFolder(t *testing.T) {
	_, rules := ourRules(t)
	h := NewHandler(rules, fstest.MapFS{}, http.HandlerFunc(search)) // nothing is promised yet, so no validator
	for target, want := range map[string]int{"/api/article": 400, "/api/article?id=x": 404, "/api/health": 404, "/": 404} {
		rec := get(h, "GET", target)
		if rec.Code != want || rec.Header().Get("Content-Type") != article.ProblemMediaType || !strings.Contains(rec.Body.String(), `"type":"/problems/`) {
			t.Errorf("%s: %d %v %s", target, rec.Code, rec.Header(), rec.Body)
		}
	}
}

// What a client asks of a proxy has no path, and one may ask for "*": neither is the page.
func TestNoPath(t *testing.T) {
	h := edge(t, fstest.MapFS{"index.html": {Data: []byte("the page")}})
	for _, path := range []string{"", "*"} {
		r := httptest.NewRequest("GET", "http://site.example/", nil)
		r.URL.Path = path
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if rec.Code != 404 {
			t.Errorf("%q: %d %s", path, rec.Code, rec.Body)
		}
	}
}

// A link that leads out of the folder leads nowhere, as cmd/preview opens it.
func TestLinksOutOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/outside.txt", []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/public", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../outside.txt", dir+"/public/link.txt"); err != nil {
		t.Skip("this system has no symbolic links: ", err)
	}
	root, err := os.OpenRoot(dir + "/public")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if rec := get(edge(t, root.FS()), "GET", "/link.txt"); rec.Code != 404 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// The files of a page that the site brings itself: a browser runs no module, and shows no film, of
// another type.
func TestTypesOfOwnFiles(t *testing.T) {
	_, rules := ourRules(t)
	for name, want := range map[string]string{
		"photo.jpeg": "image/jpeg", "PHOTO.JPG": "image/jpeg", "moving.gif": "image/gif", "app.mjs": "text/javascript; charset=utf-8", "code.wasm": "application/wasm",
		"film.mp4": "video/mp4", "letters.woff2": "font/woff2", "old.htm": "text/html; charset=utf-8", "odd.xyz": "application/octet-stream", "none": "application/octet-stream",
	} {
		h := NewHandler(rules, fstest.MapFS{name: {Data: []byte(name)}}, http.HandlerFunc(search))
		if got := get(h, "GET", "/"+name).Header().Get("Content-Type"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

// A build replaces files while they are asked for: each answer is one version, whole.
func TestReplacedWhileServed(t *testing.T) {
	dir := t.TempDir()
	versions := [2][]byte{bytes.Repeat([]byte("a"), 1<<20), bytes.Repeat([]byte("b"), 1<<19)}
	replace := func(i int) {
		if err := os.WriteFile(dir+"/.new", versions[i%2], 0o600); err != nil {
			t.Error(err)
		}
		if err := os.Rename(dir+"/.new", dir+"/file.txt"); err != nil {
			t.Error(err)
		}
	}
	replace(0)
	h := edge(t, os.DirFS(dir))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
				replace(i)
			}
		}
	}()
	for range 200 {
		rec := get(h, "GET", "/file.txt")
		sum := sha256.Sum256(rec.Body.Bytes())
		if rec.Code != 200 || sum != sha256.Sum256(versions[0]) && sum != sha256.Sum256(versions[1]) {
			t.Fatalf("%d, %d bytes of no version", rec.Code, rec.Body.Len())
		}
	}
	close(stop)
	<-done
}

// FuzzHandler: no request brings out a byte that is not published, and every error
// under /api is a problem document that satisfies the contract.
func FuzzHandler(f *testing.F) {
	for _, seed := range []string{"/", "/api/article?id=hello", "/api/article?id=../x", "/.newsstand/staging/hello.json", "/api/article/Draft.json",
		"/api/article/sub%2fdraft.json", "/%5fheaders", "/corpus/..%2f_headers", "/api/../_headers", "//_headers", "/_headers/", "/api/article?id=hello&id=hello", "/api/articles/"} {
		f.Add("GET", seed, `"x"`)
		f.Add("HEAD", seed, `*`)
		f.Add("POST", seed, ``)
	}
	contract := articletest.Contract(f)
	_, rules := ourRules(f)
	files := publication(f)
	h := NewHandler(rules, files, http.HandlerFunc(search))
	f.Fuzz(func(t *testing.T, method, target, etag string) {
		if !strings.HasPrefix(target, "/") {
			target = "/" + target
		}
		rec := get(contract.Handler(t, h), method, target, "If-None-Match", etag)
		if strings.Contains(rec.Body.String(), secret) {
			t.Errorf("%s %s: %s", method, target, rec.Body)
		}
	})
}

// setPath puts an escaped path into a request just as a server does.
func setPath(r *http.Request, path string) error {
	u, err := url.ParseRequestURI("http://site.example" + path)
	if err != nil {
		return err
	}
	r.URL.Path, r.URL.RawPath = u.Path, u.RawPath
	return nil
}

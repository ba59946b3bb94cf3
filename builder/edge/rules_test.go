package edge

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/pelletier/go-toml/v2"

	"newsstand/builder/article"
)

// The expectations are the answers of Netlify's own engine to the same rules, but for
// the lines that say "here".
func TestRulesMeanWhatTheyMeanOnTheHost(t *testing.T) {
	rules := parse(t, `
[[redirects]]
  from = "/search"
  to = "https://daemon.example:8443/find"
  status = 200
  signed = "SECRET"
[[redirects]]
  from = "/german"
  query = {q = ":q"}
  to = "https://daemon.example/find?language=de&q=:q"
  headers = {X-From = "the host"}
  status = 200
[[redirects]]
  from = "/one"
  query = {id = ""}
  to = "/none.txt"
  status = 404
[[redirects]]
  from = "/one"
  query = {id = ":id"}
  to = "/id/:id.txt"
  status = 200
[[redirects]]
  from = "/store"
  query = {a = "1", b = ":b"}
  to = "/x/:b"
  status = 302
[[redirects]]
  from = "/old/*"
  to = "/new/:splat"
[[redirects]]
  from = "/news/:year/:slug"
  to = "/blog/:slug-:year"
  status = 302
[[redirects]]
  from = "/mid/*/end"
  to = "/m/:splat"
  status = 302
[[redirects]]
  from = "/dup/:a/:a"
  to = "/d/:a"
[[redirects]]
  from = "/away/*"
  to = "https://other.example:8080/:splat?k=1"
  status = 301
[[redirects]]
  from = "/six/*"
  to = "http://[fd00::cafe]:8080/:splat"
[[redirects]]
  from = "/jump/*"
  to = "/:splat"
[[redirects]]
  from = "/caf%C3%A9"
  to = "/coffee"
[[redirects]]
  from = "/shadowed.txt"
  to = "/new"
[[redirects]]
  from = "/forced.txt"
  to = "/new"
  force = true
[[redirects]]
  from = "/lost"
  to = "/no-such-file"
  status = 200
[[redirects]]
  from = "/lost"
  to = "/new"
[[redirects]]
  from = "/gone/*"
  to = "/gone.txt"
  status = 410
`)
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"id/x.txt": "x", "id/a+b.txt": "plus", "none.txt": "none", "shadowed.txt": "shadowed", "forced.txt": "forced",
		"gone.txt": "gone", "404.html": "nothing", "dir/index.html": "index",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	search := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s searched %s", r.Method, r.URL.RequestURI())
		if from := r.Header.Get("X-From"); from != "" {
			fmt.Fprint(w, " for ", from)
		}
	})
	h := NewHandler(rules, files, search)

	for _, test := range []struct{ target, want string }{
		{"/search?q=a", "200 GET searched /find?q=a"},
		{"/search/?q=a", "200 GET searched /find?q=a"},
		{"/SEARCH", "404 nothing"},
		{"/german?q=a", "200 GET searched /find?language=de&q=a for the host"},

		{"/one", "404 nothing"},
		{"/one?id", "404 nothing"},
		{"/one?id=", "404 none"},
		{"/one?id=x", "200 x"},
		{"/one?id=%78", "200 x"},
		{"/one?id=a+b", "200 plus"},
		{"/one/?id=x", "200 x"},
		{"/one?id=y&id=x", "200 x"},
		{"/one?id=x&id=", "404 none"},
		{"/one?id=x&utm=1", "200 x"},
		{"/one?ID=x", "404 nothing"},
		{"/one?%69d=x", "404 nothing"},
		{"/one?a;id=x", "404 nothing"},
		{"/one?id=../id/x", "404 nothing"},
		{"/one?id=..%2Fid%2Fx", "404 nothing"},
		{"/one?id=%zz", "404 nothing"},
		{"/one?id=y", "404 nothing"},

		{"/store?a=1&b=2", "302 /x/2?a=1&b=2"},
		{"/store?b=2&a=1", "302 /x/2?b=2&a=1"},
		{"/store?a=2&b=2", "404 nothing"},
		{"/store?a=1", "404 nothing"},

		{"/old", "301 /new/"},
		{"/old/a/b?x=1", "301 /new/a/b?x=1"},
		{"/old/a%20b/%C3%A9", "301 /new/a%20b/%C3%A9"}, // the engine leaves the encoding to its caller
		{"/news/2004/x.y", "302 /blog/x.y-2004"},
		{"/news/2004", "404 nothing"},
		{"/news/2004/a/b", "404 nothing"},
		{"/mid/x/y/end", "302 /m/x/y"},
		{"/mid/end", "302 /m/"},
		{"/dup/1/2", "301 /d/1"},
		{"/away/a/b?x=1", "301 https://other.example:8080/a/b?k=1"},
		{"/six/a", "301 http://[fd00::cafe]:8080/a"},
		{"/jump//evil.example/", "301 /evil.example/"}, // here: no address that the caller chose
		{"/caf%C3%A9", "301 /coffee"},

		{"/shadowed.txt", "200 shadowed"},
		{"/forced.txt", "301 /new"},
		{"/lost", "404 nothing"},
		{"/gone/a", "410 gone"},
		{"/dir", "200 index"},
		{"/dir/", "200 index"},
		{"/", "404 nothing"},
	} {
		rec := get(h, "GET", test.target)
		got := fmt.Sprint(rec.Code, " ", rec.Body)
		if to := rec.Header().Get("Location"); to != "" {
			got = fmt.Sprint(rec.Code, " ", to)
		}
		if got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.target, got, test.want)
		}
	}
}

func TestHeaderRules(t *testing.T) {
	rules := parse(t, `
[[headers]]
  for = "/*"
  [headers.values]
    x-all = "yes"
    Cache-Control = "no-cache"
[[headers]]
  for = "/a/:name/c"
  [headers.values]
    X-Placeholder = "yes"
[[headers]]
  for = "/a/*"
  [headers.values]
    cache-control = '''
    public,
    max-age=60'''
[[headers]]
  for = "/*/deep-*.txt"
  [headers.values]
    X-Star = ["a", "b"]
[[headers]]
  for = "/"
  [headers.values]
    X-Root = "yes"
`)
	for _, test := range []struct{ path, want string }{
		{"/", "Cache-Control: no-cache|X-All: yes|X-Root: yes"},
		{"/a", "Cache-Control: public, max-age=60|X-All: yes"},
		{"/a/b/c", "Cache-Control: public, max-age=60|X-All: yes|X-Placeholder: yes"},
		{"/A/b/c", "Cache-Control: no-cache|X-All: yes"},
		{"/ab", "Cache-Control: no-cache|X-All: yes"},
		{"/b/c/deep-1.txt", "Cache-Control: no-cache|X-All: yes|X-Star: a, b"},
		{"/deep-/1.txt", "Cache-Control: no-cache|X-All: yes"},
	} {
		h := http.Header{}
		rules.setHeaders(h, test.path)
		var b strings.Builder
		h.Write(&b)
		if got := strings.ReplaceAll(strings.TrimSpace(b.String()), "\r\n", "|"); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.path, got, test.want)
		}
	}
}

// One mistake a case; the message says the line and how to fix it.
func TestParseHints(t *testing.T) {
	const ok = "\n[[redirects]]\nfrom = \"/a\"\nto = \"/b\"\n"
	for _, test := range []struct{ name, toml, want string }{
		{"unknown key", ok + `form = "/c"`,
			`line 5: unknown key "form" in [[redirects]] (the keys are from, to, status, force, query, headers, signed)`},
		{"unknown key of headers", "[[headers]]\nfor = \"/\"\nvalue = {}\n[headers.values]\nA = \"b\"",
			`line 3: unknown key "value" in [[headers]] (the keys are for, values)`},
		{"unknown table", "[[redirect]]\nfrom = \"/a\"", `line 1: unknown table "redirect" (did you mean [[redirects]]?)`},
		{"syntax", "[[redirects]\n", `line 1: … (see toml.io for the syntax)`}, // the parser says what
		{"wrong type", ok + `status = "200"`,
			`line 5: redirects.status is of the wrong type (texts are in quotes; status is a number, force is true or false)`},
		{"no from", "[[redirects]]\nto = \"/b\"", `line 1: redirect 1 has no from (say which path it is for, as in from = "/old")`},
		{"from a domain", ok + "[[redirects]]\nfrom = \"https://a.example/\"\nto = \"/b\"",
			`line 5: redirect 2 is from "https://a.example/" (begin from with a slash; rules for other domains are not followed here)`},
		{"no to", "[[redirects]]\nfrom = \"/b\"", `line 1: redirect 1 has no to (say where it leads, as in to = "/new")`},
		{"relative to", "[[redirects]]\nfrom = \"/b\"\nto = \"c\"", `line 1: redirect 1 leads to "c" (begin to with a slash, https:// or http://)`},
		{"no host", "[[redirects]]\nfrom = \"/b\"\nto = \"http://\"", `line 1: redirect 1 leads to "http://" (that is not an address; percent-encode what is not ASCII)`},
		{"status 400", ok + `status = 400`,
			`line 2: redirect 1 has status 400 (the host takes 400 for a redirect; use 404, the edge sends the status that the problem document states)`},
		{"status 503", ok + `status = 503`,
			`line 2: redirect 1 has status 503 (use 200 to rewrite, 301 or 302 to redirect, or 401 to 499 for an error document)`},
		{"forward with 404", "[[redirects]]\nfrom = \"/b\"\nto = \"https://a.example\"\nstatus = 404",
			`line 1: redirect 1 forwards with status 404 (use status 200 with an address)`},
		{"conditions", ok + `conditions = {Country = ["de"]}`,
			`line 2: redirect 1 has conditions (the answers of this API are the same for everyone; remove the conditions)`},
		{"unknown placeholder", "[[redirects]]\nfrom = \"/b\"\nto = \"/:id\"", `line 1: redirect 1 uses :id in to (from or query must name it)`},
		{"splat from nowhere", "[[redirects]]\nfrom = \"/b\"\nto = \"/:splat\"", `line 1: redirect 1 uses :splat in to (from or query must name it)`},
		{"two splats", "[[redirects]]\nfrom = \"/*/b/*\"\nto = \"/c\"",
			`line 1: redirect 1 is from "/*/b/*", which has more than one * (a segment is a literal, :name or one * as a whole)`},
		{"star in a segment", "[[redirects]]\nfrom = \"/b*\"\nto = \"/c\"",
			`line 1: redirect 1 is from "/b*", which has the segment "b*" (a segment is a literal, :name or one * as a whole)`},
		{"inline tables", `redirects = [{from = "/a"}]`, `redirect 1 has no to (say where it leads, as in to = "/new")`},
		{"parameter without a name", ok + `query = {"" = "x"}`, `line 2: redirect 1 has a query parameter without a name (write query = {id = ":id"})`},
		{"relative for", "[[headers]]\nfor = \"a\"\n[headers.values]\nA = \"b\"", `line 1: header rule 1 is for "a" (begin for with a slash)`},
		{"list of numbers", "[[headers]]\nfor = \"/\"\n[headers.values]\nA = [1]", `line 1: header rule 1 has a A that is not text (write it in quotes, or as a list of texts)`},
		{"no for", "[[headers]]\n[headers.values]\nA = \"b\"", `line 1: header rule 1 has no for (say which paths it is for, as in for = "/api/*")`},
		{"no values", "[[headers]]\nfor = \"/\"", `line 1: header rule 1 has no values (list the headers in [headers.values])`},
		{"number", "[[headers]]\nfor = \"/\"\n[headers.values]\nAge2 = 1", `line 1: header rule 1 has a Age2 that is not text (write it in quotes, or as a list of texts)`},
		{"ignored header", "[[headers]]\nfor = \"/\"\n[headers.values]\nallow = \"GET\"",
			`line 1: header rule 1 sets allow, which the host ignores (remove it: the host sets that header itself)`},
		{"bad headers: the first of their names", "[[headers]]\nfor = \"/\"\n[headers.values]\nD = 1\nC = 1\nB = 1\nA = 1\nE = 1\nF = 1",
			`line 1: header rule 1 has a A that is not text (write it in quotes, or as a list of texts)`},
		{"header twice", "[[headers]]\nfor = \"/\"\n[headers.values]\nx-a = \"1\"\nX-A = \"2\"",
			`line 1: header rule 1 sets x-a twice (keep one: case does not matter in the names of headers)`},
		{"two mistakes", "[[headers]]\nfor = \"/\"\n[[redirects]]\nfrom = \"/b\"",
			"line 1: header rule 1 has no values (list the headers in [headers.values])\nline 3: redirect 1 has no to (say where it leads, as in to = \"/new\")"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.toml))
			if err == nil {
				t.Fatal("no error")
			}
			first, last, cut := strings.Cut(test.want, "…")
			if got := err.Error(); got != test.want && !(cut && strings.HasPrefix(got, first) && strings.HasSuffix(got, last)) {
				t.Errorf("\n got %s\nwant %s", got, test.want)
			}
			if !errors.As(err, new(RuleErrors)) {
				t.Errorf("%T is no RuleErrors", err)
			}
		})
	}
}

// What the host reads and the edge does not is no mistake.
func TestParseLeavesTheHostItsTables(t *testing.T) {
	rules := parse(t, "[build]\npublish = \"x\"\n[context.production.environment]\nA = \"b\"\n[[plugins]]\npackage = \"p\"\n[dev]\nport = 1\n")
	if len(rules.redirects)+len(rules.headers) != 0 {
		t.Error(rules)
	}
}

// The project's own file: what no single answer shows.
func TestOurOwnRules(t *testing.T) {
	data, rules := ourRules(t)
	if first := rules.redirects[0]; !first.forwards() || !strings.HasSuffix(first.to[0], article.SearchOperation) {
		t.Error("the first rule, the one line to change, does not forward the search")
	}
	for _, r := range rules.redirects {
		if r.force {
			t.Errorf("%s: force makes unknown ids answer 200", r.pattern.expr)
		}
	}

	// Hosts disagree about a header that two rules set, so no path has one.
	paths := []string{"/", article.SearchOperation, article.ArticleOperation, article.HealthOperation, article.OpenAPIOperation, "/api/other"}
	files := []string{article.Path("an-article"), article.HealthPath, article.ManifestPath, article.ChunkPath("ab12"), article.SearchSettingsPath("ab12"), article.NotFoundPath}
	for _, k := range article.Kinds() {
		files = append(files, article.ErrorPath(k), article.ProblemPagePath(k))
	}
	files = append(files, "index.html", "docs/index.html", "docs/reference.js", "docs/swagger-ui.css", "docs/", "docs", "page/app.js", "feed.json", "feed.xml", "llms.txt", ".well-known/api-catalog")
	for _, f := range files {
		paths = append(paths, "/"+f)
	}
	for _, path := range paths {
		got := http.Header{}
		for _, r := range rules.headers {
			if _, ok := r.pattern.match(path); ok {
				for name, value := range r.values {
					got.Add(name, value)
				}
			}
		}
		for name, values := range got {
			if len(values) > 1 {
				t.Errorf("%s: two rules set %s: %q", path, name, values)
			}
		}
		if article.IsAPI(path) || path == article.OpenAPIOperation {
			want := http.Header{}
			article.SetCommonHeaders(want, "")
			for name := range want {
				if got.Get(name) != want.Get(name) {
					t.Errorf("%s: %s is %q, the contract says %q", path, name, got.Get(name), want.Get(name))
				}
			}
		}
	}

	var file struct {
		Build struct {
			Command, Publish string
			Environment      map[string]string
		}
		Context map[string]struct{ Command string }
	}
	if err := toml.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	if version := file.Build.Environment["GO_VERSION"]; !strings.Contains(string(module), "\ngo "+version+"\n") {
		t.Errorf("GO_VERSION %s is not go.mod's", version)
	}
	for name, context := range file.Context {
		if want := strings.Replace(file.Build.Command, "$URL", "$DEPLOY_PRIME_URL", 1); context.Command != want {
			t.Errorf("context.%s: %s, want %s", name, context.Command, want)
		}
	}
}

// What each path is sent with by the rules alone, for a host has no more: testdata/headers.txt has
// every kind of path, and no rule is left that decides none of it.
func TestHeadersOfOurRules(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "headers.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, rules := ourRules(t)
	used := make([]bool, len(rules.headers))
	var got strings.Builder
	for line := range strings.Lines(string(want)) {
		path := strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(path, "/") {
			continue
		}
		fmt.Fprintln(&got, path)
		for i, r := range rules.headers {
			if _, ok := r.pattern.match(path); ok {
				used[i] = true
				for _, name := range slices.Sorted(maps.Keys(r.values)) {
					fmt.Fprintf(&got, "  %s: %s\n", name, r.values[name])
				}
			}
		}
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-testdata/headers.txt +netlify.toml\n%s", diff)
	}
	for i, r := range rules.headers {
		if !used[i] {
			t.Errorf("no path of testdata/headers.txt shows what %s is for", r.pattern.expr)
		}
	}
}

// Each rule says above it why it is there.
func TestOurRulesGiveTheirReasons(t *testing.T) {
	data, _ := ourRules(t)
	above := ""
	for number, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "[[") && !strings.HasPrefix(above, "#") {
			t.Errorf("netlify.toml:%d: %s has no comment", number+1, line)
		}
		above = line
	}
}

// FuzzParse: any file is rules or a mistake, and rules can be asked anything.
func FuzzParse(f *testing.F) {
	if data, err := os.ReadFile(filepath.Join("..", "..", "netlify.toml")); err == nil {
		f.Add(data, "/api/article", "id=x")
	}
	f.Add([]byte("[[redirects]]\nfrom = \"/*\"\nto = \"/:splat\"\nstatus = 200"), "/a/b", "")
	f.Add([]byte("[[headers]]\nfor = \"/*.x\"\nvalues = {a = \"b\"}"), "/a.x", "")
	f.Fuzz(func(t *testing.T, data []byte, path, query string) {
		rules, err := Parse(data)
		if (err == nil) == (rules == nil) {
			t.Fatal(rules, err)
		}
		if err == nil {
			rules.match(path, parameters(query))
			rules.setHeaders(http.Header{}, path)
		}
	})
}

func parse(t testing.TB, text string) *Rules {
	t.Helper()
	rules, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func ourRules(t testing.TB) ([]byte, *Rules) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "netlify.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return data, parse(t, string(data))
}

func get(h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "http://site.example/", nil)
	r.Method = method
	path, query, _ := strings.Cut(target, "?")
	if err := setPath(r, path); err != nil {
		return &httptest.ResponseRecorder{Code: http.StatusBadRequest} // no server hands it on
	}
	r.URL.RawQuery = query
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

// Of a placeholder that two parameters have, the first by name counts, each time.
func TestPlaceholderOfTwoParameters(t *testing.T) {
	rules, err := Parse([]byte("[[redirects]]\nfrom = \"/a\"\nto = \"/:x\"\nquery = {b = \":x\", c = \":x\", a = \":x\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		if _, target := rules.match("/a", parameters("b=2&c=3&a=1")); target != "/1" {
			t.Fatalf("it leads to %s, want /1", target)
		}
	}
}

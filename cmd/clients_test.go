//go:build e2e

package cmd_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
)

// The OpenAPI document is enough for its readers: a linter, generators of clients in two
// languages, and a fuzzer that knows nothing else of the service.
func TestE2EClients(t *testing.T) {
	t.Parallel()
	preview, base := startPreview(t, copyContent(t), t.TempDir())
	until(t, "the search answers", func() bool { return get(http.DefaultClient, base+"/api/articles?q=article") != "" })
	document := get(http.DefaultClient, base+article.OpenAPIOperation)
	if document == "" {
		t.Fatal("no OpenAPI document")
	}
	t.Run("TypeScript", func(t *testing.T) { testTypeScriptClient(t, base, document) })
	t.Run("Go", func(t *testing.T) { testGoClient(t, base, document) })
	t.Run("fuzz", func(t *testing.T) { fuzzByDocument(t, base, document) })
	preview.stop(syscall.SIGTERM)
}

// testTypeScriptClient lints the document and makes, compiles and runs a client, with
// the packages that most people take for it.
func testTypeScriptClient(t *testing.T, base, document string) {
	dir := t.TempDir()
	must(t, os.Symlink(npmModules(t, "clients"), filepath.Join(dir, "node_modules")))
	write(t, filepath.Join(dir, "package.json"), `{"type": "module"}`)
	write(t, filepath.Join(dir, "openapi.json"), document)
	for _, name := range []string{"client.ts", "tsconfig.json"} {
		write(t, filepath.Join(dir, name), read(t, filepath.Join("testdata", "clients", name)))
	}
	in := func(program string, args ...string) string {
		return runIn(t, dir, []string{"HOME=" + dir, "CI=1", "NO_COLOR=1", "REDOCLY_TELEMETRY=off", "REDOCLY_SUPPRESS_UPDATE_NOTICE=true"}, program, args...)
	}
	bin := filepath.Join(dir, "node_modules", ".bin")
	lint := in(filepath.Join(bin, "redocly"), "lint", "--extends", "recommended-strict", "--format", "json", "openapi.json")
	if !strings.Contains(lint, `"errors": 0`) || !strings.Contains(lint, `"warnings": 0`) {
		t.Errorf("Redocly finds:\n%s", lint)
	}
	in(filepath.Join(bin, "openapi-typescript"), "openapi.json", "-o", "schema.d.ts")
	in(filepath.Join(bin, "tsc"), "-p", ".")
	t.Logf("%s", in("node", filepath.Join("out", "client.js"), base, "article"))
}

// testGoClient makes, compiles and runs a client. Its generator is no dependency of this
// project: the client is a module of its own.
func testGoClient(t *testing.T, base, document string) {
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "clients", "go"))))
	write(t, filepath.Join(dir, "openapi.json"), document)
	must(t, os.Mkdir(filepath.Join(dir, "api"), 0o755))
	environment := []string{"GOFLAGS=-mod=readonly", "GOWORK=off"}
	runIn(t, dir, environment, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "api", "-o", "api/client.go", "openapi.json")
	runIn(t, dir, environment, "go", "vet", "./...")
	t.Logf("%s", runIn(t, dir, environment, "go", "run", ".", base, "article"))
}

// runIn runs a program of others in a folder, to its end, which must be a success.
func runIn(t *testing.T, dir string, environment []string, program string, args ...string) string {
	t.Helper()
	began := time.Now()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, out)
	}
	t.Logf("%s %s: %v", filepath.Base(program), strings.Join(args[:min(2, len(args))], " "), time.Since(began).Round(time.Millisecond))
	return string(out)
}

// fuzzByDocument sends requests that the document allows, and such that it does not,
// and finds no answer outside of it; what it allows is not refused.
func fuzzByDocument(t *testing.T, base, document string) {
	const requests, workers = 10_000, 4
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData([]byte(document))
	must(t, err)
	client := validating(t, articletest.New(t, []byte(document))) // an answer outside is an error
	var statuses sync.Map
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			f := fuzzer{random: rand.New(rand.NewPCG(2026, uint64(worker))), doc: doc}
			for n := range requests / workers {
				method, target, valid := f.request()
				resp, body, err := tryAsk(client, method, base, target, f.header()...)
				if err != nil {
					t.Errorf("worker %d, request %d: %v", worker, n, err)
					return
				}
				if valid && resp.StatusCode >= 400 && !(resp.StatusCode == http.StatusNotFound && (strings.HasPrefix(target, article.ArticleOperation+"?") || strings.HasPrefix(target, article.ArticleOperation+"/"))) { // of no article
					t.Errorf("worker %d, request %d: %s %s is right by the document, and answered %d: %s", worker, n, method, target, resp.StatusCode, body)
					return
				}
				count, _ := statuses.LoadOrStore(fmt.Sprint(resp.StatusCode), new(atomic.Int64))
				count.(*atomic.Int64).Add(1)
			}
		})
	}
	all.Wait()
	var seen []string
	statuses.Range(func(status, count any) bool {
		seen = append(seen, fmt.Sprintf("%s: %d", status, count.(*atomic.Int64).Load()))
		return true
	})
	slices.Sort(seen)
	t.Logf("%d requests, answers by status %s", requests, strings.Join(seen, ", "))
	if len(seen) < 5 {
		t.Error("the requests are too much alike")
	}
}

// fuzzer makes requests of a document.
type fuzzer struct {
	random *rand.Rand
	doc    *openapi3.T
}

// request returns a request, and whether the document allows it.
func (f *fuzzer) request() (method, target string, valid bool) {
	paths := f.doc.Paths.InMatchingOrder()
	path := paths[f.random.IntN(len(paths))]
	method, target, valid = http.MethodGet, path, true
	switch f.random.IntN(20) {
	case 0:
		method = f.pick(http.MethodHead, http.MethodOptions)
	case 1:
		method, valid = f.pick(http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch), false
	case 2:
		return method, path + f.pick("/", "/x", "x", "/..%2fhealth", "%20"), false
	}
	var pairs []string
	// Hosts tell names as they are sent: nobody encodes a letter of one.
	add := func(name, value string) { pairs = append(pairs, url.QueryEscape(name)+"="+f.escape(value)) }
	for _, ref := range f.doc.Paths.Value(path).Get.Parameters {
		p := ref.Value
		if p.In == "path" {
			value := f.value(p.Schema.Value, p)
			valid = valid && p.Schema.Value.VisitJSON(value) == nil
			target = strings.Replace(target, "{"+p.Name+"}", url.PathEscape(value), 1)
			continue
		}
		if !p.Required && f.random.IntN(3) == 0 {
			continue
		}
		schema, times := p.Schema.Value, 1
		if schema.Type.Is("array") {
			most := 3
			if f.random.IntN(50) == 0 {
				most = int(*schema.MaxItems) + 2
			}
			times = f.random.IntN(most)
			valid = valid && uint64(times) <= *schema.MaxItems
			schema = schema.Items.Value
		} else if f.random.IntN(30) == 0 {
			times = f.pick2(0, 2)
			valid = valid && (times == 0 && !p.Required)
		}
		for range times {
			value := f.value(schema, p)
			if schema.Type.Is("integer") {
				var number int
				if n, err := fmt.Sscanf(value+"\n", "%d\n", &number); n != 1 || err != nil || strings.HasPrefix(value, "+") || schema.VisitJSON(float64(number)) != nil {
					valid = valid && value == "" && p.AllowEmptyValue
				}
			} else if schema.VisitJSON(value) != nil {
				valid = valid && value == "" && p.AllowEmptyValue
			}
			// What a schema cannot say, and the text of q does: 64 words.
			if p.Name == "q" && len(strings.Fields(value)) > article.MaxQueryTerms || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xfffd }) {
				valid = false
			}
			add(p.Name, value)
		}
	}
	if f.random.IntN(10) == 0 {
		add(f.pick("utm_source", "Q", "callback", "", "limit[]"), f.text(10))
	}
	f.random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	return method, target + "?" + strings.Join(pairs, "&"), valid
}

// header is mostly none, and sometimes one that could change an answer: the document has none.
func (f *fuzzer) header() []string {
	if f.random.IntN(5) > 0 {
		return nil
	}
	name := f.pick("Accept", "Accept-Encoding", "Accept-Language", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range", "Origin",
		"Cookie", "Authorization", "X-HTTP-Method-Override", "X-Forwarded-Host", "X-Original-URL", "Cache-Control", "Access-Control-Request-Method")
	return []string{name, f.pick("*", "", "gzip", "identity;q=0, *;q=0", "text/html", "de", `"other"`, `W/"other", *`, "bytes=0-9", "bytes=999999999-", "bytes=5-2,0-", "Fri, 01 Jan 2100 00:00:00 GMT",
		"Mon, 01 Jan 1990 00:00:00 GMT", "https://elsewhere.example", "null", "DELETE", "/api/health", "no-cache", "Basic eDp5", "a=b")}
}

// value is one of a schema, mostly within it, often at its bounds, sometimes beyond.
func (f *fuzzer) value(schema *openapi3.Schema, p *openapi3.Parameter) string {
	if f.random.IntN(20) == 0 {
		return f.pick("", " ", "null", "0", "-1", "1e9", "+1", "true", "\x00", "\xff", "%", "a;b", "../..", "<script>", "💥", strings.Repeat("a", 600), f.text(700))
	}
	if schema.Type.Is("integer") {
		most := 1000.0
		if schema.Max != nil {
			most = *schema.Max
		}
		return f.pick(fmt.Sprint(*schema.Min), fmt.Sprint(most), fmt.Sprint(int(*schema.Min)+f.random.IntN(int(most))), fmt.Sprint(*schema.Min-1), fmt.Sprint(int(most)+1), "99999999999999999999")
	}
	example := fmt.Sprint(p.Example)
	if list, ok := p.Example.([]any); ok && len(list) > 0 {
		example = fmt.Sprint(list[0])
	}
	switch {
	case f.random.IntN(3) == 0:
		return example
	case schema.Pattern != "" && f.random.IntN(4) > 0:
		return f.pick("en", "de-CH", "zh-Hant-TW", "a-b", "getting-started", "x")
	case schema.MaxLength != nil && f.random.IntN(10) == 0:
		return strings.Repeat(f.pick("a", "é", "猫"), int(*schema.MaxLength)+f.random.IntN(3)-1)
	}
	return f.text(40)
}

// text is words of articles and signs that queries have meanings for, in any script.
func (f *fuzzer) text(most int) string {
	var b strings.Builder
	for range f.random.IntN(most) {
		b.WriteString(f.pick("a", "e", "s", "ing", "article", "search", "nginx", " ", " ", " ", "\"", "-", "*", "~", "é", "ß", "猫", "ไทย", "ي", "🙂", "\u0301", "&", "=", "?", "#", "+", "/", "\\", "'"))
	}
	return b.String()
}

// escape is percent-encoding, sometimes of more than need be.
func (f *fuzzer) escape(s string) string {
	if f.random.IntN(10) == 0 {
		return percentEncoded(s)
	}
	return url.QueryEscape(s)
}

func (f *fuzzer) pick(list ...string) string { return list[f.random.IntN(len(list))] }
func (f *fuzzer) pick2(a, b int) int         { return []int{a, b}[f.random.IntN(2)] }

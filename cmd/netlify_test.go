//go:build e2e

package cmd_test

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
)

// Netlify is asked through Netlify's own software, on this machine: its parsers read
// netlify.toml, `netlify dev` follows the rules alone, and @netlify/dev runs the edge
// function in Deno before them. Behind the first is a searchd that answers only what it
// has signed; the second never signs. The rows are those of the contract; what differs
// from production is listed, with its reason, and anything else is a failure.
func TestE2ENetlify(t *testing.T) {
	t.Parallel() // it waits for others most of the time
	tools := netlifyTools(t)
	content, public := copyContent(t), t.TempDir()
	cliAddress, devAddress := freeAddress(t), freeAddress(t)
	build(t, content, public, "http://"+devAddress)

	// The site's secret is the second of two, as while it changes.
	const secret, otherSecret = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
	secrets := filepath.Join(t.TempDir(), "secrets")
	write(t, secrets, otherSecret+"\n"+secret+"\n")
	searchd, signedBase := startSearchd(t, public, t.TempDir(), "--netlify-secret-file", secrets)
	_, openBase := startSearchd(t, public, t.TempDir())
	signed, open := netlifyProject(t, public, signedBase), netlifyProject(t, public, openBase)
	write(t, filepath.Join(signed, ".env"), "SEARCHD_NETLIFY_SECRET="+secret+"\n") // where the CLI looks for it

	t.Run("parsers", func(t *testing.T) { testNetlifyParsers(t, tools, filepath.Join(signed, "netlify.toml")) })
	t.Run("function", func(t *testing.T) { testNetlifyFunction(t, tools) })

	// Both begin before either is asked: most of the time is theirs to start.
	_, cliPort, _ := strings.Cut(cliAddress, ":")
	cli := tools.start(t, signed, cliAddress, "node_modules/netlify-cli/bin/run.js",
		"dev", "--offline", "--offline-env", "--no-open", "--skip-gitignore", "--internal-disable-edge-functions", "--port", cliPort)
	_, devPort, _ := strings.Cut(devAddress, ":")
	dev := tools.start(t, open, devAddress, "dev.mjs", open, devPort)
	cli.wait(t)
	dev.wait(t)

	client := &http.Client{Timeout: patience}
	vars := contractVars(t, content, executeExamples(t, client, dev.base, read(t, filepath.Join(public, article.OpenAPIPath))))
	t.Run("rules alone", func(t *testing.T) {
		runHTTPScript(t, client, cli.base, adapted(t, "testdata/contract.http", rulesAlone()), vars)
	})
	t.Run("with the edge function", func(t *testing.T) {
		runHTTPScript(t, client, dev.base, adapted(t, "testdata/contract.http", development()), vars)
	})
	t.Run("as the edge in Go", func(t *testing.T) {
		sameAnswers(t, client, dev.base, edgeInGo(t, public), append(requestsOf(t, "testdata/contract.http", vars), oddRequests(vars)...))
	})
	t.Run("verify", func(t *testing.T) {
		// The development server makes UTF-8 of it.
		wantFailures(t, dev.base, []string{"search: a query that is not UTF-8"}, "--source", public, "--content", content)
	})
	t.Run("signature", func(t *testing.T) {
		const search = "/api/articles?q=article&limit=1"
		refused := func(base, target string, headers ...string) {
			t.Helper()
			resp, body := askWith(client, base, target, headers...)
			if resp.StatusCode != http.StatusUnauthorized || !strings.Contains(body, "/problems/"+string(article.Unsigned)+`"`) || resp.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s%s: %s %s", base, target, resp.Status, body)
			}
		}
		refused(signedBase, search)
		refused(signedBase, search, "X-Nf-Sign", "forged")
		if resp, body := askWith(client, cli.base, search, "X-Nf-Sign", "forged"); resp.StatusCode != http.StatusOK {
			t.Errorf("the host does not sign over what a caller sends: %s %s", resp.Status, body)
		}
		// After the change, the old secret opens nothing.
		write(t, secrets, otherSecret+"\n")
		address := strings.TrimPrefix(signedBase, "http://")
		searchd.stop(syscall.SIGTERM)
		changed := start(t, "searchd", "serve", "--source", public, "--data", t.TempDir(), "--listen", address, "--admin", "", "--netlify-secret-file", secrets)
		until(t, "searchd listens again", func() bool { return strings.Contains(changed.output.String(), "serving a new revision") })
		refused(cli.base, search)
		until(t, "the log tells of it", func() bool { return strings.Contains(changed.output.String(), "reason=signature") })
		if said := changed.output.String(); strings.Count(said, "reason=signature") != 1 || strings.Contains(said, otherSecret) {
			t.Errorf("the log does not tell of it once:\n%s", said)
		}
		changed.stop(syscall.SIGTERM)
	})
	// The last, for the CLI ends over a path that is not UTF-8.
	t.Run("verify the rules alone", func(t *testing.T) {
		write(t, secrets, secret+"\n")
		again := start(t, "searchd", "serve", "--source", public, "--data", t.TempDir(), "--listen", strings.TrimPrefix(signedBase, "http://"), "--admin", "", "--netlify-secret-file", secrets)
		until(t, "searchd is ready", func() bool { return strings.Contains(again.output.String(), "serving a new revision") })
		wantFailures(t, cli.base, failuresOfRules(), "--source", public, "--content", content)
	})
}

// edgeInGo serves a published folder by the rules of netlify.toml, as the preview does, without its
// search.
func edgeInGo(t *testing.T, public string) (address string) {
	t.Helper()
	server := httptest.NewServer(edgeBefore(t, public, http.NotFoundHandler()))
	t.Cleanup(server.Close)
	return server.URL
}

// wantFailures verifies a deployment and wants that these checks fail, and no others.
func wantFailures(t *testing.T, base string, want []string, flags ...string) {
	t.Helper()
	out, err := command(t, "builder", append([]string{"verify", base, "--format", "json"}, flags...)...).Output()
	var report struct {
		Checks []struct{ Group, Name, Result, Want, Got string }
	}
	if notJSON := json.Unmarshal(out, &report); notJSON != nil {
		t.Fatalf("%v, %v\n%s", err, notJSON, stderrOf(err))
	}
	passed, failed := 0, map[string]bool{}
	for _, c := range report.Checks {
		name := c.Group + ": " + c.Name
		switch c.Result {
		case "passed":
			passed++
		case "failed":
			if failed[name] = true; !slices.Contains(want, name) {
				t.Errorf("%s: expected %s; seen %s", name, c.Want, c.Got)
			}
		}
	}
	for _, name := range want {
		if !failed[name] {
			t.Errorf("%s has passed, and was known to fail", name)
		}
	}
	t.Logf("%d of %d checks passed", passed, len(report.Checks))
}

// failuresOfRules are the checks that `netlify dev` fails without the edge function, for the
// reasons of rulesAlone and those beside them.
func failuresOfRules() []string {
	return slices.Concat(
		// The build has the address of the other server.
		[]string{"OpenAPI: it names this site and the three operations", "health: its links lead to this site"},
		// The CLI takes the type of a file from its ending, which the catalog has not.
		[]string{"documents: pages, feeds and catalogs"},
		// It has a Cache-Control of its own for files.
		[]string{"corpus: the manifest is never stale", "corpus: the chunks never change", "health: it is never stale", "articles: the record is JSON for a minute", "articles: Markdown is Markdown for a minute"},
		// It sends files for GET alone, makes a tag of the empty body of HEAD, compares one tag
		// only, and minds a writer's conditions.
		failures("OPTIONS", "POST", "PUT", "PATCH", "DELETE", "HEAD", "If-None-Match, one of a list", "If-None-Match, any"),
		[]string{"OpenAPI: If-None-Match, one of a list", "OpenAPI: If-None-Match, any", "OpenAPI: a condition that does not hold, then none"},
		// What a rule answers with has the type of its file, and the last of two ids counts.
		[]string{"articles: the id is given twice", "articles: the id is given twice, differently", "articles: the id is missing", "articles: the id is empty", "articles: another parameter only",
			"articles: an unknown id", "articles: an unknown id, with If-None-Match: *", "articles: an unknown id, with Range: bytes=0-9", "articles: an unknown id, with Range: bytes=999999999-", "articles: odd and hostile ids", "articles: other paths below /api", "articles: unpublished ids"},
		[]string{"search: a query that is not UTF-8", "secrets: the host outlives odd requests", "all answers: no answer outside the OpenAPI document"},
	)
}

// failures are checks of the two operations that are files.
func failures(names ...string) (all []string) {
	for _, name := range names {
		all = append(all, "health: "+name, "articles: "+name)
	}
	return all
}

// edgeFunctions is the folder of the edge functions, as netlify.toml names it.
const edgeFunctions = "builder/edge/netlify"

// netlifyProject is a folder as it is deployed, but for the one line that everybody
// changes.
func netlifyProject(t *testing.T, public, searchd string) string {
	t.Helper()
	rules := read(t, "../netlify.toml")
	const placeholder = "https://searchd.example.org"
	if n := strings.Count(rules, placeholder); n != 1 {
		t.Fatalf("netlify.toml names %s %d times, want once", placeholder, n)
	}
	project := t.TempDir()
	write(t, filepath.Join(project, "netlify.toml"), strings.Replace(rules, placeholder, searchd, 1))
	must(t, os.CopyFS(filepath.Join(project, "public"), os.DirFS(public)))
	must(t, os.CopyFS(filepath.Join(project, edgeFunctions), os.DirFS(filepath.Join("..", edgeFunctions))))
	return project
}

// A difference is a check of the contract that a host does not pass, what is checked
// instead, and why.
type difference struct{ request, check, instead, why string }

// development lists what both of Netlify's development servers answer otherwise than
// production does, or may do.
func development() []difference {
	const decoded = "the query is decoded and encoded again, so that searchd gets U+FFFD for what is not UTF-8"
	var list []difference
	for request, kind := range map[string]article.Kind{"GET /api/articles?q=article&tag=%ff": article.InvalidTag, "GET /api/articles?q=%ff": article.InvalidQuery} {
		list = append(list, difference{request, "status 400", "status 200", decoded},
			difference{request, "body ~ /problems/" + string(kind) + `"`, `body ~ "articles":\[\]`, decoded})
	}
	return list
}

// rulesAlone lists what `netlify dev` answers otherwise without the edge function.
func rulesAlone() []difference {
	const (
		charset = "the CLI adds a charset, which JSON does not have (RFC 8259, 11)"
		status  = "a rule cannot send 400, so the document has 404"
		media   = "production takes the headers for the path that was asked, the CLI those of the document: no rule can be right in both"
		page    = "a rewrite to a file that is not there ends with 404.html, which holds the document"
		last    = "of two ids the last counts"
		names   = "a parameter's name is compared as it is written"
		methods = "the CLI sends files for GET alone"
		slash   = "rules do not see a slash at the end"
		copies  = "it compares one tag, and does not know the one for any"
		bare    = "a parameter without an equals sign is none"
		rule    = "header Content-Type: application/json; charset=utf-8"
		problem = "header Content-Type: application/problem+json"
	)
	list := append(development(),
		difference{"GET /api/article?id={id}", `header ETag ~ ^"[^"]+"$`, `header ETag ~ ^W/"[^"]+"$`, "its tags are weak; those of production are not"},
		difference{"GET /api/article/{id}.md", `header ETag ~ ^"[^"]+"$`, `header ETag ~ ^W/"[^"]+"$`, "its tags are weak; those of production are not"},
		difference{"GET /api/article", "status 400", "status 404", status},
		difference{"GET /api/article", problem, rule, media},
		difference{"GET /api/article?id=", "status 400", "status 404", status},
		difference{"GET /api/article?id={id}&id={id}", "status 400", "status 200", last},
		difference{"GET /api/article?id={id}&id={id}", `body ~ /problems/missing-id"`, `body ~ "id":"{id}"`, last},
		difference{"GET /api/article?%69d={id}", "status 200", "status 404", names},
		difference{"GET /api/article?%69d={id}", `body ~ ^\{"id":"{id}",`, `body ~ /problems/missing-id"`, names},
		difference{"GET /api/article?id={id}&%69%64={id}", "status 400", "status 200", names},
		difference{"GET /api/article?id={id}&%69%64={id}", `body ~ /problems/missing-id"`, `body ~ "id":"{id}"`, names},
		difference{"GET /api/article?id=no-such-article", problem, "header Content-Type: text/html; charset=utf-8", page},
		difference{"OPTIONS /api/article?id={id}", "status 204", "status 200", methods},
		difference{"POST /api/article?id={id}", "status 405", "status 200", methods},
		difference{"POST /api/article?id={id}", "header Allow ~ GET", "header Allow absent", methods},
		difference{"POST /api/article?id={id}", problem, "body ~ ^Method Not Allowed$", methods},
		difference{"PUT /api/health", "status 405", "status 200", methods},
		difference{"GET /api/article?id={id} with If-None-Match: *", "status 304", "status 200", copies},
		difference{"GET /api/article?id={id} with If-None-Match: *", "body ~ ^$", `body ~ ^(\{"id":"{id}",|$)`, copies},
		difference{"GET /api/article?id=no-such-article with If-None-Match: *", "same not-found", "body ~ ^$", "an error is taken for a copy that is right"},
		difference{"GET /api/articles/", "status 404", "status 200", slash},
		difference{"GET /api/articles/", "same not-found", `body ~ "articles":\[\]`, slash},
	)
	for _, request := range []string{"GET /api/article?id={id}", "GET /api/health", "GET /openapi.json"} {
		list = append(list, difference{request, "header Content-Type: application/json", rule, charset})
	}
	for _, request := range []string{"GET /api/article/{draft}.json", "GET /api/article/{draft}.md", "GET /api/article/no-such-article.md", "GET /api/article/{id}.MD", "GET /api", "GET /api/", "GET /api/drafts", "GET /api/drafts with Range: bytes=9999999-", "GET /api/health%20", "GET /api/health."} {
		list = append(list, difference{request, "same not-found", "same not-found, by a rule", page})
	}
	for _, request := range []string{"GET /api/article?id&id={id}", "GET /api/article?id={id}&id"} {
		list = append(list, difference{request, "status 400", "status 200", bare}, difference{request, `body ~ /problems/missing-id"`, `body ~ "id":"{id}"`, bare})
	}
	for _, request := range []string{"GET /api", "GET /api/drafts"} {
		list = append(list, difference{request, problem, rule, media})
	}
	return list
}

// adapted is a copy of a script with the differences worked in. One that fits no row is
// an error, so that the lists hold nothing that is no longer so.
func adapted(t *testing.T, script string, differences []difference) string {
	t.Helper()
	text := read(t, script)
	var lines []string
	used := make([]bool, len(differences))
	request, with := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch verb, _, _ := strings.Cut(line, " "); {
		case verb == "with":
			with += " " + line
		case verb != "" && verb == strings.ToUpper(verb) && verb != "#":
			request, with = line+with, ""
		}
		for i, d := range differences {
			if d.request == request && d.check == line {
				line, used[i] = d.instead, true
				break
			}
		}
		lines = append(lines, line)
	}
	for i, d := range differences {
		if !used[i] {
			t.Errorf("%s has no check %q of %q", script, d.check, d.request)
		}
	}
	path := filepath.Join(t.TempDir(), filepath.Base(script))
	write(t, path, strings.Join(lines, "\n"))
	return path
}

// requestsOf are the requests of a script, but for those that searchd answers.
func requestsOf(t *testing.T, script string, vars map[string]string) []string {
	t.Helper()
	text := read(t, script)
	var requests []string
	for line := range strings.Lines(text) {
		verb, target, _ := strings.Cut(strings.TrimSpace(line), " ")
		path, _, _ := strings.Cut(target, "?")
		if !strings.HasPrefix(target, "/") || verb != strings.ToUpper(verb) || path == article.SearchOperation {
			continue
		}
		for name, value := range vars {
			target = strings.ReplaceAll(target, "{"+name+"}", value)
		}
		requests = append(requests, verb+" "+target)
	}
	if len(requests) < 20 {
		t.Fatalf("%s: %d requests", script, len(requests))
	}
	return requests
}

// oddRequests are some that the contract has no row for, and two readers of an address
// might take in two ways.
func oddRequests(vars map[string]string) []string {
	id := vars["id"]
	return []string{
		"GET /api/article?id=" + strings.ToUpper(id), "GET /api/article?ID=" + id, "GET /api/article?id[]=" + id, "GET /api/article?x=1&id=" + id + "&y=2",
		"GET /api/article?id=" + id + "&id=", "GET /api/article?id=&id=" + id, "GET /api/article?id=" + id + "%20", "GET /api/article?id=%2e%2e%2fhealth",
		"GET /api/article?id=" + id + "/", "GET /api/article?id=" + id + "%00", "GET /api/article?id=" + strings.Repeat("a", 201), "GET /api/article?id=a--b",
		"GET /api/article?id=" + id + "%2e", "GET /api/article?id=..", "GET /api/article?id=.", "GET /api/article?utm_source=x",
		"GET /api/article/", "GET /api/article/" + id, "GET /api/article/" + strings.ToUpper(id) + ".json", "GET /api/article/x/y.json", "GET /api/article/.json",
		"GET /api/health/", "GET /api/health.json", "GET /api/health?x=1", "GET /api/health/x", "GET /api/errors", "GET /api/other?id=" + id,
		"HEAD /api/article", "HEAD /api/article?id=no-such-article", "HEAD /api/health", "HEAD /api/other",
		"OPTIONS /api", "OPTIONS /api/other", "OPTIONS /api/article/", "POST /api/other", "PATCH /api/health", "DELETE /api/article/" + id + ".json", "PUT /api",
	}
}

// sameAnswers asks two hosts the same and compares all that a caller goes by.
func sameAnswers(t *testing.T, client *http.Client, host, ours string, requests []string) {
	t.Helper()
	requests = slices.DeleteFunc(requests, func(request string) bool {
		return request == "GET /no/such/page" // no matter of the API: @netlify/dev leaves it to a framework
	})
	for _, request := range requests {
		verb, target, _ := strings.Cut(request, " ")
		got, gotBody := ask(t, client, verb, host, target)
		want, wantBody := ask(t, client, verb, ours, target)
		if got.StatusCode != want.StatusCode || gotBody != wantBody {
			t.Errorf("%s: %d %.200s\nbuilder/edge: %d %.200s", request, got.StatusCode, gotBody, want.StatusCode, wantBody)
		}
		for _, name := range []string{"Content-Type", "Cache-Control", "Allow", "Link", "X-Content-Type-Options", "Access-Control-Allow-Origin",
			"Access-Control-Expose-Headers", "Access-Control-Allow-Methods", "Access-Control-Allow-Headers", "Access-Control-Max-Age"} {
			g, w := got.Header.Get(name), want.Header.Get(name)
			if name == "Content-Type" { // the host adds a charset to JSON, which means nothing (RFC 8259, 11)
				g, _, _ = mime.ParseMediaType(g)
				w, _, _ = mime.ParseMediaType(w)
			}
			if g != w {
				t.Errorf("%s: %s: %q\nbuilder/edge: %q", request, name, g, w)
			}
		}
	}
	t.Logf("%d requests compared", len(requests))
}

// Netlify's parsers take every rule as it is meant, and each kind of deploy builds with
// its own address.
func testNetlifyParsers(t *testing.T, tools toolbox, config string) {
	out, err := tools.command(t, filepath.Dir(config), "parse.mjs", config).Output()
	if err != nil {
		t.Fatalf("parse.mjs: %v\n%s", err, stderrOf(err))
	}
	var file struct {
		Redirects []struct {
			From, To, Signed string
			Status           int
			Force            bool
			Query            map[string]string
		}
		Headers []struct{ For string }
		Errors  []string
		Builds  map[string]struct {
			Command, Publish string
			EdgeFunctions    string `json:"edge_functions"`
			Processing       struct {
				SkipProcessing bool `json:"skip_processing"`
			}
		}
	}
	if err := json.Unmarshal(out, &file); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text := read(t, config)
	if len(file.Errors) > 0 || len(file.Redirects) != strings.Count(text, "\n[[redirects]]") || len(file.Headers) != strings.Count(text, "\n[[headers]]") {
		t.Errorf("%d redirects, %d headers, errors %q", len(file.Redirects), len(file.Headers), file.Errors)
	}
	for i, r := range file.Redirects {
		if (r.Signed != "") != (i == 0) || r.Force || !slices.Contains([]int{200, 404}, r.Status) {
			t.Errorf("redirect %d: %+v", i+1, r)
		}
	}
	for context, variable := range map[string]string{"production": "$URL", "deploy-preview": "$DEPLOY_PRIME_URL", "branch-deploy": "$DEPLOY_PRIME_URL"} {
		b := file.Builds[context]
		if !strings.HasSuffix(b.Command, `--base-url "`+variable+`"`) || filepath.Base(b.Publish) != "public" ||
			!strings.HasSuffix(b.EdgeFunctions, edgeFunctions) || !b.Processing.SkipProcessing {
			t.Errorf("%s builds with %+v", context, b)
		}
	}
}

// The edge function alone, in Node.
func testNetlifyFunction(t *testing.T, tools toolbox) {
	write(t, filepath.Join(tools.scripts, "api.js"), read(t, filepath.Join("..", edgeFunctions, "api.js")))
	out, err := tools.command(t, tools.scripts, "api_test.mjs").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// toolbox is Netlify's software, and the scripts of testdata/netlify beside it.
type toolbox struct{ scripts, deno string }

// netlifyTools installs Netlify's software into the user's cache, once for each lock
// file: 570 MB, about a minute.
func netlifyTools(t *testing.T) toolbox {
	t.Helper()
	source := os.DirFS("testdata/netlify")
	installed := npmModules(t, "netlify")
	tools := toolbox{scripts: t.TempDir()}
	must(t, errors.Join(os.CopyFS(tools.scripts, source), os.Symlink(installed, filepath.Join(tools.scripts, "node_modules"))))
	found, err := filepath.Glob(filepath.Join(installed, "@deno", "*", "deno*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("npm has installed %d programs of Deno for this machine: %v", len(found), err)
	}
	tools.deno = filepath.Dir(found[0])
	return tools
}

// command runs a script in Node, with a home of its own, so that nothing of the user's
// settings is read or written.
func (b toolbox) command(t *testing.T, dir, script string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("node", append([]string{filepath.Join(b.scripts, script)}, args...)...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + b.deno + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + t.TempDir(), "CI=1", "NO_COLOR=1", "DENO_NO_UPDATE_CHECK=1"}
	return cmd
}

// host is one of Netlify's servers on this machine.
type host struct {
	*program
	base  string
	began time.Time
}

// start begins to serve the project.
func (b toolbox) start(t *testing.T, project, address, script string, args ...string) host {
	t.Helper()
	cmd := b.command(t, project, script, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	began := time.Now()
	p := launch(t, script, cmd)
	t.Cleanup(func() { // with its children, which write into the project
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		select {
		case <-p.exited:
		case <-time.After(patience):
		}
	})
	return host{p, "http://" + address, began}
}

// wait waits until it answers. Node reads some thousand files before it does.
func (h host) wait(t *testing.T) {
	t.Helper()
	client := &http.Client{Timeout: patience}
	for tick := time.NewTicker(50 * time.Millisecond); ; <-tick.C {
		h.runs()
		if get(client, h.base+article.HealthOperation) != "" {
			t.Logf("%s answers after %v", h.name, time.Since(h.began).Round(time.Millisecond))
			return
		}
		if time.Since(h.began) > 4*patience {
			t.Fatalf("%s does not answer\n%s", h.name, h.output)
		}
	}
}

func stderrOf(err error) []byte {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.Stderr
	}
	return nil
}

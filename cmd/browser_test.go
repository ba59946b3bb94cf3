//go:build e2e

package cmd_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"newsstand/builder"
	"newsstand/builder/article"
)

// The pages in Chromium, behind the headers of netlify.toml, with a searchd that runs,
// one that is not ready, and one that the stories start and kill.
// testdata/browser/pages.mjs has the stories; what it saw is in .cache/browser.
func TestE2EBrowser(t *testing.T) {
	t.Parallel() // it waits for others most of the time
	var failures string
	t.Cleanup(func() { // after what the programs said, of which there may be much
		if failures != "" {
			t.Log(failures)
		}
	})
	chromium := debianProgram(t, "chromium", "chromium")
	scripts := t.TempDir()
	must(t, errors.Join(os.CopyFS(scripts, os.DirFS("testdata/browser")), os.Symlink(npmModules(t, "browser"), filepath.Join(scripts, "node_modules"))))
	shots, err := filepath.Abs("../.cache/browser")
	must(t, err)
	must(t, errors.Join(os.RemoveAll(shots), os.MkdirAll(shots, 0o755)))

	// One build has the address of the site that works, one a path below its host.
	content := copyContent(t)
	published := func(base string) string {
		public := t.TempDir()
		build(t, content, public, base)
		return public
	}
	const path = "/some/where"
	live, below, mortal, busy := unstarted(), unstarted(), unstarted(), unstarted()
	public, publicBelow := published(address(live)), published(address(below)+path)
	_, search := startSearchd(t, public, t.TempDir())
	serve(t, live, "", public, search)
	_, search = startSearchd(t, publicBelow, t.TempDir())
	serve(t, below, path, publicBelow, search)
	waiting, later := freeAddress(t), freeAddress(t)
	searchd := func(listen string, flags ...string) *exec.Cmd {
		return command(t, "searchd", append([]string{"serve", "--listen", listen, "--admin", ""}, flags...)...)
	}
	launch(t, "searchd", searchd(waiting, "--source", filepath.Join(t.TempDir(), "missing"), "--wait"))
	serve(t, busy, "", public, "http://"+waiting)
	serve(t, mortal, "", public, "http://"+later)

	sites, err := json.Marshal(map[string]any{
		"live": address(live), "below": address(below) + path, "busy": address(busy), "embedded": embedding(t, address(live)),
		"attacks": hostileTexts(t), "mortal": address(mortal), "searchd": searchd(later, "--source", public).Args, "chromium": chromium, "shots": shots,
	})
	must(t, err)
	cmd := exec.Command("node", "--test-reporter=spec", filepath.Join(scripts, "pages.mjs"))
	cmd.Env = append(os.Environ(), "SITES="+string(sites), "HOME="+t.TempDir(), "NO_COLOR=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		stories, reasons, _ := strings.Cut(string(out), "failing tests:")
		failures = "pages.mjs: " + reasons
		t.Fatalf("pages.mjs: %v\n%s", err, stories)
	}
	t.Logf("the pages are in %s\n%s", shots, lastLines(string(out), 9))
}

// hostileTexts writes the attacks into a file, as they are and as they are published, and
// returns its path.
func hostileTexts(t *testing.T) string {
	t.Helper()
	texts := attacks(t)
	content, public := t.TempDir(), t.TempDir()
	hostileSite(t, content, texts)
	if _, err := builder.Build(t.Context(), builder.Options{Content: content, Public: public, BaseURL: "https://site.example"}); err != nil {
		t.Fatal(err)
	}
	published, err := filepath.Glob(filepath.Join(public, article.Path("*")))
	if err != nil || len(published) < len(texts) {
		t.Fatalf("%d articles are published: %v", len(published), err)
	}
	for _, file := range published {
		a, err := article.Decode([]byte(read(t, file)))
		must(t, err)
		texts = append(texts, a.ContentHTML)
	}
	data, err := json.Marshal(texts)
	must(t, err)
	path := filepath.Join(t.TempDir(), "attacks.json")
	write(t, path, string(data))
	return path
}

// unstarted is a server whose address is known before what it serves.
func unstarted() *httptest.Server { return httptest.NewUnstartedServer(nil) }

func address(s *httptest.Server) string { return "http://" + s.Listener.Addr().String() }

// serve serves a published folder below a path as netlify.toml says, and hands searches
// on to an address.
func serve(t *testing.T, s *httptest.Server, path, public, search string) {
	t.Helper()
	target, err := url.Parse(search)
	must(t, err)
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { // as hosts do
		http.Error(w, "<h1>502 Bad Gateway</h1>", http.StatusBadGateway)
	}
	s.Config.Handler = http.StripPrefix(path, edgeBefore(t, public, proxy))
	s.Start()
	t.Cleanup(s.Close)
}

// embedding serves a page of another site, with a strict policy, that has a search box
// as the guide shows it; at /strict it trusts no text to become nodes but by the policy of the box.
func embedding(t *testing.T, api string) string {
	t.Helper()
	_, example, _ := strings.Cut(guideText(t, "the-page"), "```html\n")
	example, _, ok := strings.Cut(example, "```\n")
	if !ok {
		t.Fatal("the guide shows no search box")
	}
	page := `<!doctype html><html lang="en"><title>A site of its own</title><h1>A site of its own</h1>` + strings.ReplaceAll(example, "https://example.org", api)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		policy := "default-src 'none'; script-src " + api + "; style-src " + api + "; connect-src " + api
		switch r.URL.Path {
		case "/":
		case "/strict":
			policy += "; require-trusted-types-for 'script'; trusted-types newsstand"
		default: // browsers ask for an icon
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		w.Write([]byte(page))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

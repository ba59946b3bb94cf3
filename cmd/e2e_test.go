//go:build e2e

// Package cmd_test runs the three programs as people do: as processes, on real
// folders, with signals. `make e2e` is its only caller.
package cmd_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"newsstand/builder/article"
	"newsstand/builder/article/articletest"
	"newsstand/builder/publication"
	"newsstand/builder/source/sourcetest"
)

// patience bounds every wait for something that must happen; what is measured is
// logged, never asserted, for machines differ.
const patience = 30 * time.Second

// programs builds the three programs once for all tests.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "newsstand-e2e-")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir+"/", "newsstand/cmd/...").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return dir, nil
})

func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "newsstand-e2e-cache-") // the user's is for sites that are built again
	if err == nil {
		err = os.Setenv("NEWSSTAND_CACHE", cache)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(cache)
	if dir, err := programs(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// program is a running program; its output is kept for the moment when a test fails.
type program struct {
	t      *testing.T
	name   string
	cmd    *exec.Cmd
	output *lockedBuffer
	exited chan error
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func command(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	dir, err := programs()
	must(t, err)
	return exec.Command(filepath.Join(dir, name), args...)
}

// run runs a program to its end, which must be a success.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := command(t, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func start(t *testing.T, name string, args ...string) *program {
	t.Helper()
	return launch(t, name, command(t, name, args...))
}

// launch starts a program of ours or of others, which ends with the test.
func launch(t *testing.T, name string, cmd *exec.Cmd) *program {
	t.Helper()
	p := &program{t: t, name: name, cmd: cmd, output: &lockedBuffer{}, exited: make(chan error, 1)}
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	must(t, p.cmd.Start())
	go func() { p.exited <- p.cmd.Wait() }()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("%s said:\n%s", name, p.output)
		}
	})
	return p
}

// stop sends a signal and wants a clean end.
func (p *program) stop(s os.Signal) {
	p.t.Helper()
	must(p.t, p.cmd.Process.Signal(s))
	select {
	case err := <-p.exited:
		if err != nil {
			p.t.Errorf("%s after %v: %v\n%s", p.name, s, err, p.output)
		}
	case <-time.After(patience):
		p.t.Fatalf("%s still runs %v after %v\n%s", p.name, patience, s, p.output)
	}
}

// runs wants a program that has not ended.
func (p *program) runs() {
	p.t.Helper()
	select {
	case err := <-p.exited:
		p.t.Fatalf("%s ended: %v\n%s", p.name, err, p.output)
	default:
	}
}

// kill ends the program as a power cut does.
func (p *program) kill() {
	p.cmd.Process.Kill()
	<-p.exited
}

// freeAddress returns an address at which nothing listens. Its port is below those that the system
// gives to whoever asks for any (from 32768 on Linux), as the programs under test do: one of them
// could get it before the program that it is meant for.
func freeAddress(t *testing.T) string {
	t.Helper()
	for {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000)))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		must(t, err)
		defer l.Close()
		return l.Addr().String()
	}
}

// until asks again and again, until done says yes; the answer is how long it took.
func until(t *testing.T, what string, done func() bool) time.Duration {
	t.Helper()
	return within(t, patience, what, done)
}

// within is until with another limit.
func within(t *testing.T, limit time.Duration, what string, done func() bool) time.Duration {
	t.Helper()
	begin := time.Now()
	for tick := time.NewTicker(5 * time.Millisecond); !done(); <-tick.C {
		if time.Since(begin) > limit {
			t.Fatalf("not within %v: %s", limit, what)
		}
	}
	return time.Since(begin)
}

// get answers the body, or "" where the service does not answer 200 yet.
func get(client *http.Client, address string) string {
	resp, err := client.Get(address)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		return ""
	}
	return string(body)
}

func validating(t *testing.T, v *articletest.Validator) *http.Client {
	t.Helper()
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: v.Transport(transport), Timeout: patience}
}

func copyContent(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "content")
	must(t, os.CopyFS(dir, os.DirFS("../content")))
	return dir
}

// unpublished are the guide's living examples of what no caller may ever see.
func unpublished(t *testing.T, content string) map[string]string {
	t.Helper()
	var files []struct{ ID, Status string }
	out, err := command(t, "builder", "list", "--content", content, "--format", "json").Output()
	must(t, err)
	if err := json.Unmarshal(out, &files); err != nil {
		t.Fatalf("builder list: %v\n%s", err, out)
	}
	found := map[string]string{}
	for _, f := range files {
		if f.Status == "draft" || f.Status == "future" || f.Status == "expired" {
			found[f.Status] = f.ID
		}
	}
	if len(found) != 3 {
		t.Fatalf("content/ has %v, want one draft, one future and one expired article", found)
	}
	return found
}

// The whole service, started as `make run` starts it, gives every row of the
// contract, and does what its own OpenAPI document says.
func TestE2EPreviewAnswersTheContract(t *testing.T) {
	content, public := copyContent(t), t.TempDir()
	preview, base := startPreview(t, content, public)
	plain := &http.Client{Timeout: patience}
	took := until(t, "the preview answers", func() bool { return get(plain, base+article.OpenAPIOperation) != "" })
	t.Logf("first answer after %v", took)
	until(t, "the preview prints its address and three curl lines", func() bool {
		said := preview.output.String()
		return strings.Count(said, "curl ") >= 3 && strings.Contains(said, base)
	})
	prove(t, base, public, content)
	preview.stop(os.Interrupt)
}

// prove asks a host that serves content/ for the examples of its document and for every row of the
// contract, by the script and by the verifier, which share no code. It returns a client for which
// an answer outside of the document is an error.
func prove(t *testing.T, base, public, content string) *http.Client {
	t.Helper()
	document := get(http.DefaultClient, base+article.OpenAPIOperation)
	client := validating(t, articletest.New(t, []byte(document)))
	vars := contractVars(t, content, executeExamples(t, client, base, document))
	if u, err := url.Parse(base); err == nil {
		vars["path"] = u.Path
	}
	until(t, "the search answers", func() bool { return get(client, base+"/api/articles?q=a") != "" })
	runHTTPScript(t, client, base, "testdata/contract.http", vars)
	t.Logf("verify: %s", lastLines(run(t, "builder", "verify", base, "--source", public, "--content", content, "--all"), 5))
	return client
}

// contractVars are the names in testdata/contract.http for this content, one of whose
// articles is first.
func contractVars(t *testing.T, content string, first article.Hit) map[string]string {
	t.Helper()
	vars := map[string]string{
		"path": "", "id": first.ID, "encoded id": percentEncoded(first.ID), "title": url.QueryEscape(first.Title), "tag": url.QueryEscape(first.Tags[0]), "512": strings.Repeat("a", 512), "513": strings.Repeat("a", 513),
		"64 words": strings.TrimSuffix(strings.Repeat("a+", 64), "+"), "65 words": strings.TrimSuffix(strings.Repeat("a+", 65), "+"),
	}
	maps.Copy(vars, unpublished(t, content))
	return vars
}

// percentEncoded writes every byte of a text as it need not be written in an address.
func percentEncoded(s string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "%%%02x", s[i])
	}
	return b.String()
}

// executeExamples sends the requests of the document's examples, and wants their answers.
func executeExamples(t *testing.T, client *http.Client, base, document string) (first article.Hit) {
	t.Helper()
	type operation struct {
		Get struct {
			Parameters []struct {
				Name    string
				Example any
			}
			Responses map[string]struct {
				Content map[string]struct {
					Examples map[string]struct{ Value json.RawMessage }
				}
			}
		}
	}
	var doc struct{ Paths map[string]operation }
	must(t, json.Unmarshal([]byte(document), &doc))
	for path, name := range map[string]string{article.HealthOperation: "health", article.ArticleOperation: "article", article.SearchOperation: "found"} {
		op := doc.Paths[path].Get
		query := url.Values{}
		for _, p := range op.Parameters {
			values, isList := p.Example.([]any)
			if !isList {
				values = []any{p.Example}
			}
			for _, v := range values {
				query.Add(p.Name, fmt.Sprint(v))
			}
		}
		var want bytes.Buffer
		if err := json.Compact(&want, op.Responses["200"].Content["application/json"].Examples[name].Value); err != nil {
			t.Fatalf("%s: no example %q: %v", path, name, err)
		}
		var got string
		until(t, path+" answers", func() bool { got = get(client, base+path+"?"+query.Encode()); return got != "" })
		if path != article.SearchOperation {
			if strings.TrimSpace(got) != want.String() {
				t.Errorf("%s: the example of the document is not what the service answers:\n got %s\nwant %s", path, got, &want)
			}
			continue
		}
		var found, example article.SearchResult
		must(t, errors.Join(json.Unmarshal([]byte(got), &found), json.Unmarshal(want.Bytes(), &example)))
		if found.Revision != example.Revision || found.Limit != example.Limit || found.Count == 0 || found.Articles[0].Digest != example.Articles[0].Digest {
			t.Errorf("the example of a search is not what the service answers first:\n got %s\nwant %s", got, &want)
		}
		first = example.Articles[0]
	}
	return first
}

// An edited, added, renamed and removed article is live in fetch and search, while
// clients ask all the time and none of them gets a failure.
func TestE2EEditsAreLiveWithoutAFailedRequest(t *testing.T) {
	content := copyContent(t)
	preview, base := startPreview(t, content, t.TempDir())
	client := validating(t, articletest.Contract(t))
	until(t, "the search answers", func() bool { return get(client, base+"/api/articles?q=article") != "" })

	ctx, stopLoad := context.WithCancel(t.Context())
	var load sync.WaitGroup
	var asked atomic.Int64
	for _, target := range []string{"/api/articles?q=article&limit=5", "/api/health", "/openapi.json"} {
		load.Go(func() {
			for ctx.Err() == nil {
				if get(client, base+target) == "" {
					t.Errorf("%s failed while articles were edited", target)
					return
				}
				asked.Add(1)
			}
		})
	}
	search := func(q string) string { return get(client, base+"/api/articles?q="+q) }
	fetch := func(id string) string { return get(client, base+"/api/article?id="+id) }
	page := func(title, text string) string {
		return "---\ntitle: " + title + "\ndate: 2026-01-01\n---\n\n" + text + "\n"
	}
	path := filepath.Join(content, "quagga.md")
	live := func(what, id, word string, want bool) {
		t.Helper()
		took := until(t, what, func() bool {
			return strings.Contains(fetch(id), word) == want && strings.Contains(search(word), `"id":"`+id+`"`) == want
		})
		t.Logf("%s: live after %v", what, took.Round(time.Millisecond))
	}
	write(t, path, page("The quagga", "A zebra that is no more, with brontosaur."))
	live("an added article", "quagga", "brontosaur", true)
	write(t, path, page("The quagga", "A zebra that is no more, with megatherium."))
	live("an edited article", "quagga", "megatherium", true)
	live("the text before the edit", "quagga", "brontosaur", false)

	// Broken front matter: the old answers stay, the author is told.
	write(t, path, "---\ntitle: [The quagga\n---\n\nwith glyptodon\n")
	until(t, "the problem is printed", func() bool { return strings.Contains(preview.output.String(), "quagga.md:") })
	live("the old text under a mistake", "quagga", "megatherium", true)
	write(t, path, page("The quagga", "fixed, with glyptodon"))
	live("the fixed article", "quagga", "glyptodon", true)

	renamed := filepath.Join(content, "zebra.md")
	must(t, os.Rename(path, renamed))
	live("a renamed article", "zebra", "glyptodon", true)
	live("its old name", "quagga", "glyptodon", false)

	write(t, renamed, strings.Replace(page("Zebra", "glyptodon"), "date:", "draft: true\ndate:", 1))
	live("an article made a draft", "zebra", "glyptodon", false)
	write(t, renamed, page("Zebra", "glyptodon"))
	live("a draft published again", "zebra", "glyptodon", true)
	must(t, os.Remove(renamed))
	live("a removed article", "zebra", "glyptodon", false)
	stopLoad()
	load.Wait()
	t.Logf("%d requests meanwhile", asked.Load())
	preview.stop(os.Interrupt)
}

// writeArticle writes the file of an article.
func writeArticle(t *testing.T, content, id, title, text string) {
	t.Helper()
	write(t, filepath.Join(content, id+".md"), "---\ntitle: "+title+"\ndate: 2026-01-01\n---\n\n"+text+"\n")
}

// writeSite writes n articles about one word.
func writeSite(t *testing.T, content, word string, n int) {
	t.Helper()
	for i := range n {
		writeArticle(t, content, fmt.Sprintf("a%03d", i), fmt.Sprintf("Article %d", i), fmt.Sprintf("common %s text%d", word, i))
	}
}

// build publishes what is written.
func build(t *testing.T, content, public, base string) {
	t.Helper()
	run(t, "builder", "build", "--content", content, "--public", public, "--base-url", base, "--quiet")
}

// buildSite publishes n articles about one word.
func buildSite(t *testing.T, content, public, word string, n int) {
	t.Helper()
	writeSite(t, content, word, n)
	build(t, content, public, "https://site.example")
}

func startPreview(t *testing.T, content, public string) (p *program, base string) {
	t.Helper()
	address := freeAddress(t)
	p = start(t, "preview", "--content", content, "--public", public, "--data", t.TempDir(), "--config", "../netlify.toml", "--listen", address)
	return p, "http://" + address
}

func startSearchd(t *testing.T, source, data string, flags ...string) (*program, string) {
	t.Helper()
	return ready(t, start(t, "searchd", append([]string{"serve", "--source", source, "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", data}, flags...)...))
}

// ready waits until a searchd is, and returns its address, too.
func ready(t *testing.T, p *program) (*program, string) {
	t.Helper()
	client := &http.Client{Timeout: patience}
	took := until(t, "searchd is ready", func() bool {
		p.runs()
		admin := p.says("the operator's side listens")
		if admin == "" {
			return false
		}
		resp, err := client.Get(admin + "/readyz")
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	t.Logf("searchd ready after %v", took.Round(time.Millisecond))
	return p, p.says("searchd listens")
}

// searchd takes up new builds under load: each answer is of one revision, none
// fails. SIGTERM then drains: every request that was accepted is answered.
func TestE2ESearchdFollowsBuildsAndDrains(t *testing.T) {
	content, public := t.TempDir(), t.TempDir()
	const articles, builds = 40, 8
	buildSite(t, content, public, "word0", articles)
	searchd, base := startSearchd(t, public, t.TempDir())
	client := validating(t, articletest.Contract(t))

	var answered, failed atomic.Int64
	var stopping atomic.Bool
	ctx, stopLoad := context.WithCancel(t.Context())
	var load sync.WaitGroup
	for range 4 {
		load.Go(func() {
			for ctx.Err() == nil {
				resp, err := client.Get(base + "/api/articles?q=common&limit=100")
				if err != nil {
					if stopping.Load() && (errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)) {
						return // a connection that was idle or new when searchd stopped accepting
					}
					t.Errorf("after %d answers: %v", answered.Load(), err)
					failed.Add(1)
					return
				}
				var r article.SearchResult
				err = json.NewDecoder(resp.Body).Decode(&r)
				resp.Body.Close()
				if err != nil || resp.StatusCode != http.StatusOK || r.Total != articles {
					t.Errorf("status %d, total %d: %v", resp.StatusCode, r.Total, err)
					return
				}
				word := ""
				for _, hit := range r.Articles { // all of one build
					_, rest, _ := strings.Cut(hit.Excerpt, "word")
					if number, _, _ := strings.Cut(rest, " "); word == "" {
						word = number
					} else if word != number {
						t.Errorf("an answer mixes word%s and word%s", word, number)
					}
				}
				answered.Add(1)
			}
		})
	}
	for n := 1; n <= builds; n++ {
		word := fmt.Sprintf("word%d", n)
		buildSite(t, content, public, word, articles)
		took := until(t, word+" is searched", func() bool { return strings.Contains(get(client, base+"/api/articles?q="+word), `"count":10`) })
		t.Logf("build %d searched after %v", n, took.Round(time.Millisecond))
	}
	stopping.Store(true)
	searchd.stop(syscall.SIGTERM)
	stopLoad()
	load.Wait()
	t.Logf("%d answers, %d failures", answered.Load(), failed.Load())
}

// A restart answers from the data folder without the corpus; a data folder that
// was damaged is made again, with a line that says so.
func TestE2ESearchdRestarts(t *testing.T) {
	content, public, data := t.TempDir(), t.TempDir(), t.TempDir()
	buildSite(t, content, public, "word", 40)
	searchd, base := startSearchd(t, public, data)
	client := validating(t, articletest.Contract(t))
	want := get(client, base+"/api/articles?q=common")
	searchd.kill()

	chunks, err := filepath.Glob(filepath.Join(public, "corpus", "*.ndjson.gz"))
	if err != nil || len(chunks) == 0 {
		t.Fatalf("no chunks: %v", err)
	}
	hidden := t.TempDir()
	for _, c := range chunks {
		must(t, os.Rename(c, filepath.Join(hidden, filepath.Base(c))))
	}
	searchd, base = startSearchd(t, public, data)
	if got := get(client, base+"/api/articles?q=common"); got != want {
		t.Errorf("after kill -9 and without the corpus:\n got %s\nwant %s", got, want)
	}
	searchd.stop(syscall.SIGTERM)
	for _, c := range chunks {
		must(t, os.Rename(filepath.Join(hidden, filepath.Base(c)), c))
	}

	// Flip bytes all over the data folder, several times.
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 5 {
		damaged := 0
		err := filepath.WalkDir(data, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil || len(b) == 0 {
				return err
			}
			for range 1 + len(b)/200 {
				b[random.IntN(len(b))] ^= byte(1 + random.IntN(255))
			}
			damaged++
			return os.WriteFile(path, b, 0o600)
		})
		if err != nil || damaged == 0 {
			t.Fatalf("round %d: %d files damaged: %v", round, damaged, err)
		}
		searchd, base = startSearchd(t, public, data)
		if got := get(client, base+"/api/articles?q=common"); got != want {
			t.Errorf("round %d: with a damaged data folder:\n got %s\nwant %s", round, got, want)
		}
		searchd.stop(syscall.SIGTERM)
		if !strings.Contains(searchd.output.String(), "damaged") {
			t.Errorf("round %d: no line says that the data folder was damaged:\n%s", round, searchd.output)
		}
	}
}

// kill -9 of builder at random instants: a reader finds the old build or the new
// one, whole, and the next build fixes everything.
func TestE2EBuilderIsKilledAtAnyInstant(t *testing.T) {
	content, public := t.TempDir(), t.TempDir()
	const articles, kills = 200, 40
	buildSite(t, content, public, "word0", articles)
	begin := time.Now()
	buildSite(t, content, public, "word1", articles)
	whole := time.Since(begin)
	random := rand.New(rand.NewPCG(3, 4))
	interrupted := 0
	for n := range kills {
		word := fmt.Sprintf("word%d", n+2)
		writeSite(t, content, word, articles)
		builder := command(t, "builder", "build", "--content", content, "--public", public, "--base-url", "https://site.example")
		must(t, builder.Start())
		time.Sleep(time.Duration(random.Int64N(int64(whole)))) // the instant is what is tested
		builder.Process.Kill()
		if err := builder.Wait(); err != nil {
			interrupted++
		}
		_, records := published(t, public)
		if len(records) != articles {
			t.Fatalf("kill %d: %d articles, want %d", n, len(records), articles)
		}
		first := ""
		for _, r := range records {
			word := strings.Fields(textOf(t, r))[1]
			if first == "" {
				first = word
			}
			if word != first {
				t.Fatalf("kill %d: a reader finds %s and %s in one build", n, first, word)
			}
		}
	}
	t.Logf("%d of %d builds were interrupted", interrupted, kills)
	buildSite(t, content, public, "last", articles)
	run(t, "builder", "check", "--public", public)
	_, records := published(t, public)
	for _, r := range records {
		if text := textOf(t, r); !strings.Contains(text, "last") {
			t.Fatalf("after the last build: %q", text)
		}
	}
}

// published reads a published folder as searchd does.
func published(t *testing.T, public string) (m publication.Manifest, all []publication.Record) {
	t.Helper()
	p, err := publication.Open(os.DirFS(public))
	must(t, err)
	m = p.Manifest()
	for _, c := range m.Chunks {
		records, err := p.Chunk(c)
		must(t, err)
		all = append(all, records...)
	}
	return m, all
}

func textOf(t *testing.T, r publication.Record) string {
	t.Helper()
	a, err := article.Decode(r.Line)
	must(t, err)
	return a.ContentText
}

// Real sites by other people: each file is published, listed with its reason, or
// reported with its line; the folder is whole; searches find what is there.
func TestE2ERealSites(t *testing.T) {
	t.Parallel()
	for site, queries := range map[string][]string{
		"cncf-glossary": {"kubernetes", "service mesh", "contenedores", "容器", "ক্লাউড"},
		"rust-blog":     {"async await", "borrow cheker", "\"const generics\"", "cargo"},
		"bitcoinops":    {"taproot", "fee bumping", "schnorr signatures", "ライトニング"},
	} {
		t.Run(site, func(t *testing.T) {
			root := sourcetest.Folder(t, "sites/"+site)
			public := t.TempDir()
			cmd := command(t, "builder", "build", "--content", root, "--public", public, "--base-url", "https://site.example", "--now", "2026-08-23T00:00:00Z")
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
				t.Fatalf("builder: %v\n%s", err, out)
			}
			t.Logf("%s", lastLines(string(out), 12))
			run(t, "builder", "check", "--public", public)
			searchd, base := startSearchd(t, public, t.TempDir())
			client := validating(t, articletest.Contract(t))
			for _, q := range queries {
				body := get(client, base+"/api/articles?limit=3&q="+url.QueryEscape(q))
				var r article.SearchResult
				if err := json.Unmarshal([]byte(body), &r); err != nil || r.Count == 0 {
					t.Errorf("%s: %s %v", q, body, err)
				}
				for _, hit := range r.Articles {
					t.Logf("%-24s %4d  %s: %s", q, r.Total, hit.Title, hit.ExcerptHTML)
				}
			}
			searchd.stop(syscall.SIGTERM)
		})
	}
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

// Ctrl-C reaches make and everything below it. It is no error of any of them.
func TestE2EMakeRunEndsCleanly(t *testing.T) {
	said, interrupt := shell(t, projectCopy(t), "make run LISTEN=127.0.0.1:0")
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for begin := time.Now(); !strings.Contains(said.String(), "Ctrl-C ends it"); <-tick.C {
		if time.Since(begin) > 10*patience { // it compiles
			t.Fatalf("make run does not serve; it said:\n%s", said)
		}
	}
	interrupt()
	if strings.Contains(said.String(), "Error") {
		t.Errorf("it said:\n%s", said)
	}
}

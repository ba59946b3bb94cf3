//go:build e2e

package cmd_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// block is a piece of code in a text.
type block struct{ language, code string }

// blocks are the pieces of code in a text, in their order.
func blocks(text string) (all []block) {
	for _, m := range regexp.MustCompile("(?ms)^```([a-z]+)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		all = append(all, block{m[1], m[2]})
	}
	return all
}

// commandsIn are the lines of shell in a text, without their comments.
func commandsIn(text string) (lines []string) {
	for _, b := range blocks(text) {
		for line := range strings.Lines(b.code) {
			if line, _, _ = strings.Cut(strings.TrimSpace(line), "   # "); b.language == "sh" && line != "" {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return lines
}

// The programs of the quick starts run as they are printed, and say what they promise.
func TestE2EQuickStarts(t *testing.T) {
	preview, base := startPreview(t, copyContent(t), t.TempDir())
	until(t, "the search answers", func() bool { return get(http.DefaultClient, base+"/api/articles?q=draft") != "" })
	must(t, installNode(t))
	text := guideText(t, "quick-starts")
	names := regexp.MustCompile("as `([a-z.]+)`:\n").FindAllStringSubmatch(text, -1)
	dir := t.TempDir()
	var programs int
	for _, b := range blocks(text) {
		if b.language != "sh" {
			write(t, filepath.Join(dir, names[programs][1]), b.code)
			programs++
			continue
		}
		run := strings.Fields(strings.ReplaceAll(b.code, "http://localhost:8080", base))
		said := runIn(t, dir, []string{"GO111MODULE=off"}, run[0], run[1:]...)
		want := regexp.MustCompile(`(?s)^\d+ articles match\n(- .+: .+\n){3}\n.+, \d+ minutes\n\n.*draft`)
		if run[1] == "tools.mjs" {
			want = regexp.MustCompile(`(?s)^\[.*"name": "searchArticles".*"required": \[\].*"name": "getArticle".*"required": \[\s*"id"\s*\].*\]\n\{"id":".*"content_text":".*draft`)
		} else {
			wrong := exec.Command(run[0], append(slices.Clone(run[1:len(run)-1]), strings.Repeat("a", 600))...)
			wrong.Dir, wrong.Env = dir, append(os.Environ(), "GO111MODULE=off")
			if out, err := wrong.CombinedOutput(); err == nil || !strings.Contains(string(out), "512") {
				t.Errorf("%s with a query that is too long: %v\n%s", run[1], err, out)
			}
		}
		if !want.MatchString(said) {
			t.Errorf("%s said:\n%.2000s", b.code, said)
		}
	}
	if programs != 3 || len(names) != 3 {
		t.Errorf("the quick starts have %d programs, and %d names for them", programs, len(names))
	}
	preview.stop(syscall.SIGTERM)
}

// The quick starts from another generator and behind nginx are typed as they are written, line by
// line. What the reader has of his own, as hugo, is passed over where it is not here.
func TestE2EQuickStartsOfHosts(t *testing.T) {
	dir := t.TempDir()
	blog := filepath.Join(dir, "blog")
	write(t, filepath.Join(blog, "hugo.toml"), "title = 'A blog'\n")
	write(t, filepath.Join(blog, "content", "posts", "2026", "hello.md"), "+++\ntitle = 'Hello'\ndate = 2026-01-02\n+++\n\nHello, reader.\n")
	path := "PATH=" + filepath.Dir(command(t, "builder").Path) + ":" + os.Getenv("PATH")
	typed := 0
	run := func(in, line string) string {
		t.Helper()
		if _, err := exec.LookPath(strings.Fields(line)[0]); err != nil && !strings.HasPrefix(line, "builder ") {
			t.Logf("not here: %s", line)
			return ""
		}
		typed++
		return runIn(t, in, []string{path}, "bash", "-o", "pipefail", "-ec", line)
	}
	for _, line := range commandsIn(guideText(t, "coming-from-hugo-or-jekyll")) {
		said := run(blog, strings.ReplaceAll(line, "../blog", blog))
		if strings.HasSuffix(line, "grep -c ',published,'") && strings.TrimSpace(said) != "1" {
			t.Errorf("%s: %s, want the one article", line, said)
		}
	}
	if typed < 5 {
		t.Errorf("%d lines of coming-from-hugo-or-jekyll.md were typed, want 5", typed)
	}

	site, public, listen, search := filepath.Dir(copyContent(t)), filepath.Join(dir, "public"), freeAddress(t), freeAddress(t)
	here := strings.NewReplacer("/srv/site/public --base-url https://example.org/news", filepath.Join(dir, "below")+" --base-url https://example.org/news",
		"/srv/site/public", public, "/var/lib/searchd", filepath.Join(dir, "data"), "localhost:8081", search, "https://example.org", "http://"+listen, "curl -i", "curl -sSi")
	text := guideText(t, "behind-nginx-or-caddy")
	for _, line := range commandsIn(text) {
		line = here.Replace(line)
		switch {
		case strings.HasPrefix(line, "searchd serve"):
			start(t, "searchd", append(strings.Fields(line)[1:], "--admin", "127.0.0.1:0")...)
			until(t, "the search answers", func() bool { return get(http.DefaultClient, "http://"+search+"/api/articles?q=walk") != "" })
			startNginx(t, listen, public, search)
			until(t, "nginx answers", func() bool { return get(http.DefaultClient, "http://"+listen+"/api/health") != "" })
		case strings.HasPrefix(line, "builder "):
			run(site, line)
		}
	}
	asked := regexp.MustCompile(`(?m)^(curl -i .*?) +# (\d+)`).FindAllStringSubmatch(text, -1)
	if len(asked) < 4 {
		t.Errorf("behind-nginx-or-caddy.md asks %d times by hand, want 4", len(asked))
	}
	for _, m := range asked {
		if said := run(site, here.Replace(m[1])); !strings.HasPrefix(said, "HTTP/1.1 "+m[2]+" ") {
			t.Errorf("%s: %.60q, want %s", m[1], said, m[2])
		}
	}
}

// projectCopy is what a checkout of the project has.
func projectCopy(t *testing.T) string {
	t.Helper()
	project := filepath.Join(t.TempDir(), "newsstand")
	for _, name := range []string{"Makefile", "go.mod", "go.sum", "netlify.toml"} {
		write(t, filepath.Join(project, name), read(t, filepath.Join("..", name)))
	}
	for _, name := range []string{"cmd", "builder", "searchd", "content"} {
		must(t, os.CopyFS(filepath.Join(project, name), os.DirFS(filepath.Join("..", name))))
	}
	return project
}

// shell runs lines as somebody types them, until that presses Ctrl-C, at the latest when
// the test ends. It returns what they say.
func shell(t *testing.T, dir string, lines ...string) (said *lockedBuffer, interrupt func()) {
	t.Helper()
	said = &lockedBuffer{}
	cmd := exec.Command("sh", "-c", strings.Join(append([]string{"set -e"}, lines...), "\n")+"\nwait")
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, said, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that Ctrl-C reaches all of them
	must(t, cmd.Start())
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	interrupt = sync.OnceFunc(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
		select {
		case <-ended:
		case <-time.After(patience):
			t.Errorf("%q still runs %v after Ctrl-C; it said:\n%s", lines, patience, said)
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			<-ended
		}
	})
	t.Cleanup(interrupt)
	return said, interrupt
}

// answered types a line until it says something of this form. What was started just now
// may not answer yet, and compiles first.
func answered(t *testing.T, dir, line, want string) {
	t.Helper()
	pattern := regexp.MustCompile(want)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for begin := time.Now(); ; <-tick.C {
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err == nil && pattern.Match(out) {
			return
		}
		if time.Since(begin) > 3*patience {
			t.Fatalf("%s: %v, and it said %.500q, want %s", line, err, out, want)
		}
	}
}

// The session of the README goes as it is printed there, and so does every other command
// that it names.
func TestE2EReadme(t *testing.T) {
	readme := read(t, "../README.md")
	project := projectCopy(t)
	search := freeAddress(t)
	var session []string
	var ask, answer string
	for _, m := range regexp.MustCompile(`(?m)^    (\$ )?(.*)$`).FindAllStringSubmatch(readme[strings.Index(readme, "A session:"):strings.Index(readme, "## How data flows")], -1) {
		// Others may have the address that searchd takes of itself.
		line := strings.NewReplacer("localhost:8081", search, "searchd serve", "searchd serve --listen "+search).Replace(m[2])
		switch {
		case m[1] == "":
			answer, _, _ = strings.Cut(line, ` …`)
		case strings.HasPrefix(line, "curl "):
			ask = strings.Replace(line, "curl ", "curl -sS ", 1)
		default:
			session = append(session, line)
		}
	}
	if len(session) != 3 || answer == "" {
		t.Fatalf("the session is %q, then %q, answered %q", session, ask, answer)
	}
	shell(t, project, session...)
	pattern := strings.ReplaceAll(regexp.QuoteMeta(answer), "…", ".*")
	answered(t, project, ask, "^"+regexp.MustCompile(`"total":\d+`).ReplaceAllString(pattern, `"total":\d+`)) // the guide grows

	targets, err := exec.Command("make", "-C", project, "help").Output()
	must(t, err)
	for _, m := range regexp.MustCompile("`((?:make|go|searchd|builder) [^`]+)`|(?m)^    (make [a-z]+)").FindAllStringSubmatch(readme, -1) {
		command := m[1] + m[2]
		if target, ok := strings.CutPrefix(command, "make "); ok {
			if !strings.Contains(string(targets), "  make "+target+" ") {
				t.Errorf("the README names make %s, of which make help knows nothing", target)
			}
			continue
		}
		if strings.Contains(command, "mod verify") { // make lint does
			continue
		}
		cmd := exec.Command("sh", "-c", command)
		cmd.Dir, cmd.Env = project, append(os.Environ(), "PATH="+filepath.Join(project, ".cache", "bin")+":"+os.Getenv("PATH"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
}

// Somebody who types what "Getting started" says, line by line, sees what it promises.
func TestE2EGettingStarted(t *testing.T) {
	text := guideText(t, "getting-started")
	project := projectCopy(t)
	local := freeAddress(t)
	lines := commandsIn(text)
	take := func(prefix string) string {
		t.Helper()
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, prefix) })
		if i < 0 {
			t.Fatalf("getting-started.md has no more line that begins with %q; left are %q", prefix, lines)
		}
		line := lines[i]
		lines = slices.Delete(lines, i, i+1)
		return strings.NewReplacer("localhost:8080", local, "curl ", "curl -sS ").Replace(line)
	}
	said, interrupt := shell(t, project, take("make run")+" LISTEN="+local)
	answered(t, project, take("curl 'http://localhost:8080/api/articles?q=draft"), `^\{"count":3,`)
	answered(t, project, take("curl 'http://localhost:8080/api/article?id=getting-started"), `"title":"Getting started"`)
	answered(t, project, take("curl 'http://localhost:8080/api/health"), `"status":"ok"`)

	var hello, mistake string
	for _, b := range blocks(text) {
		switch b.language {
		case "markdown":
			hello = b.code
		case "text":
			mistake = b.code
		}
	}
	write(t, filepath.Join(project, "content", "hello.md"), hello)
	answered(t, project, take("curl 'http://localhost:8080/api/article?id=hello"), `"title":"Hello, reader"`)
	answered(t, project, take("curl 'http://localhost:8080/api/articles?q=walrus"), `"id":"hello"`)
	write(t, filepath.Join(project, "content", "hello.md"), regexp.MustCompile(`(?m)^date: .*$`).ReplaceAllString(hello, "date: soon"))
	for line := range strings.Lines(mistake) {
		until(t, "the terminal says "+line, func() bool { return strings.Contains(said.String(), strings.TrimSpace(line)) })
	}
	answered(t, project, "curl -sS 'http://"+local+"/api/article?id=hello'", `"title":"Hello, reader"`)

	write(t, filepath.Join(project, "content", "hello.md"), hello)
	interrupt()
	other, blog := freeAddress(t), filepath.Join(filepath.Dir(project), "blog", "content")
	must(t, os.MkdirAll(blog, 0o755))
	write(t, filepath.Join(blog, "post.md"), "---\ntitle: A post\n---\n\nText.\n")
	_, interrupt = shell(t, project, take("go run ./cmd/preview")+" --listen "+other)
	answered(t, project, "curl -sS 'http://"+other+"/api/article?id=post'", `"title":"A post"`)
	interrupt()

	search := freeAddress(t)
	shell(t, project, take("make build"), take("export PATH"), take("builder build"), strings.ReplaceAll(take("searchd serve"), "localhost:8081", search))
	answered(t, project, "curl -sS 'http://"+search+"/api/articles?q=walrus'", `^\{"count":\d`)
	if len(lines) > 0 {
		t.Errorf("getting-started.md has lines that no test types: %q", lines)
	}
}

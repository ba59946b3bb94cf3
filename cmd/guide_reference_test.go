package cmd_test

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"newsstand/builder"
	"newsstand/builder/article"
	"newsstand/builder/source"
)

// The guide and the product say the same: what one has and the other does not is an
// error, in both directions. Each test collects names from the product itself.

// wholeGuide is the text of the guide's articles, by file.
func wholeGuide(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../content/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %v", files, err)
	}
	texts := map[string]string{}
	for _, file := range files {
		texts[strings.TrimPrefix(file, "../")] = read(t, file)
	}
	return texts
}

// mentions reports whether a text holds a pattern.
func mentions(texts map[string]string, pattern string) bool {
	p := regexp.MustCompile(pattern)
	for _, text := range texts {
		if p.MatchString(text) {
			return true
		}
	}
	return false
}

// commands are the programs' commands with their flags, as --help lists them: under
// "builder build", and under the program's name for what stands before a command.
func commands(t *testing.T) map[string][]string {
	t.Helper()
	dir := t.TempDir()
	build := exec.Command("go", "build", "-o", dir+"/", "newsstand/cmd/...")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as make builds them, so that it is done once
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	flag := regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z][a-z-]*)`)
	command := regexp.MustCompile(`(?m)^  ([a-z]+) +\S`)
	found := map[string][]string{}
	help := func(name string, args ...string) string {
		out, err := exec.Command(filepath.Join(dir, args[0]), append(args[1:], "--help")...).Output()
		if err != nil {
			t.Fatalf("%s --help: %v", name, err)
		}
		_, flags, _ := strings.Cut(string(out), "\nFlags:\n")
		for _, m := range flag.FindAllStringSubmatch(flags, -1) {
			found[name] = append(found[name], m[1])
		}
		return string(out)
	}
	for _, program := range []string{"builder", "searchd", "preview"} {
		text := help(program, program)
		_, list, _ := strings.Cut(text, "\nAvailable Commands:\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for _, m := range command.FindAllStringSubmatch(list, -1) {
			if m[1] != "help" {
				help(program+" "+m[1], program, m[1])
			}
		}
	}
	if len(found) < 12 {
		t.Fatalf("only %d commands are found: %v", len(found), slices.Sorted(maps.Keys(found)))
	}
	return found
}

func TestGuideHasEveryCommandAndFlag(t *testing.T) {
	texts := wholeGuide(t)
	known := commands(t)
	reference := texts["content/command-line.md"] + texts["content/running-searchd.md"]
	all := map[string]bool{}
	for name, flags := range known {
		if name != "builder completion" && name != "searchd completion" && !strings.Contains(reference, "`"+name+"`") {
			t.Errorf("the guide lacks the command %s", name)
		}
		for _, f := range flags {
			if all[f] = true; !strings.Contains(reference, "`--"+f+"`") {
				t.Errorf("the guide lacks --%s of %s", f, name)
			}
		}
	}
	// Flags in the text are ours, and those in a command line are that command's.
	span := regexp.MustCompile("`--([a-z][a-z-]*)[^`]*`")
	call := regexp.MustCompile(`(?m)(?:^|[ /(])(builder|searchd|preview)( [a-z]+)?((?: [^|&;#\n` + "`" + `]*)?)`)
	word := regexp.MustCompile(` --([a-z][a-z-]*)`)
	others := []string{"delete", "stop-timeout", "clean"} // of rsync, Docker, Hugo
	for file, text := range texts {
		for _, m := range span.FindAllStringSubmatch(text, -1) {
			if !all[m[1]] && !slices.Contains(others, m[1]) {
				t.Errorf("%s: no program has --%s", file, m[1])
			}
		}
		for _, m := range call.FindAllStringSubmatch(text, -1) {
			flags, ok := known[m[1]+m[2]]
			if !ok || m[2] == "" && m[1] != "preview" {
				continue // the program's name in a sentence, or of a container
			}
			for _, w := range word.FindAllStringSubmatch(m[3], -1) {
				if !slices.Contains(flags, w[1]) {
					t.Errorf("%s: %s%s has no --%s: %s", file, m[1], m[2], w[1], m[0])
				}
			}
		}
	}
}

// contractWords are the parameters and the fields of the OpenAPI document.
func contractWords(t *testing.T) (parameters, fields map[string]bool) {
	t.Helper()
	document, err := article.OpenAPI(article.Site{BaseURL: "https://site.example", Title: "T"}, article.Health{}, nil)
	must(t, err)
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name, In string }
		}
		Components struct{ Schemas map[string]json.RawMessage }
	}
	must(t, json.Unmarshal(document, &doc))
	parameters, fields = map[string]bool{}, map[string]bool{}
	for _, path := range doc.Paths {
		for _, operation := range path {
			for _, p := range operation.Parameters {
				parameters[p.Name] = true
			}
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			if properties, ok := v["properties"].(map[string]any); ok {
				for name := range properties {
					fields[name] = true
				}
			}
			for _, inner := range v {
				walk(inner)
			}
		case []any:
			for _, inner := range v {
				walk(inner)
			}
		}
	}
	for name, schema := range doc.Components.Schemas {
		var v any
		if err := json.Unmarshal(schema, &v); err != nil {
			t.Fatalf("schema %s: %v", name, err)
		}
		walk(v)
	}
	if len(parameters) < 6 || len(fields) < 25 {
		t.Fatalf("the document has the parameters %v and the fields %v", parameters, fields)
	}
	return parameters, fields
}

// rows are the names in the first column of the tables whose first heading is one of
// these, in one article.
func rows(text string, headings ...string) []string {
	var names []string
	code := regexp.MustCompile("`([^`]+)`")
	in := false
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			in = false
			continue
		}
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "|"), "|")
		switch {
		case slices.Contains(headings, strings.TrimSpace(first)):
			in = true
		case in:
			for _, m := range code.FindAllStringSubmatch(first, -1) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

func TestGuideHasEveryParameterFieldAndProblem(t *testing.T) {
	text := guideText(t, "the-api")
	parameters, fields := contractWords(t)
	for name := range parameters {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the-api.md lacks the parameter %s", name)
		}
	}
	for _, name := range rows(text, "parameter") {
		if !parameters[name] {
			t.Errorf("the-api.md describes the parameter %s, which does not exist", name)
		}
	}
	for name := range fields {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("the-api.md lacks the field %s", name)
		}
	}
	for _, name := range rows(text, "field") {
		if !fields[name] {
			t.Errorf("the-api.md describes the field %s, which does not exist", name)
		}
	}
	kinds := map[string]bool{}
	for _, k := range article.Kinds() {
		if kinds[string(k)] = true; !strings.Contains(text, "`"+string(k)+"`") {
			t.Errorf("the-api.md lacks the problem %s", k)
		}
	}
	for file, text := range wholeGuide(t) {
		for _, m := range regexp.MustCompile(`/problems/([a-z-]+)|\| [45]\d\d \| .([a-z-]+).`).FindAllStringSubmatch(text, -1) {
			if name := m[1] + m[2]; !kinds[name] {
				t.Errorf("%s names the problem %s, which does not exist", file, name)
			}
		}
	}
}

// guideSite publishes the guide, and serves it.
func guideSite(t *testing.T) (public, base string) {
	t.Helper()
	public = t.TempDir()
	if _, err := builder.Build(t.Context(), builder.Options{Content: "../content", Public: public, BaseURL: "http://site.example"}); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(service(t, public))
	t.Cleanup(s.Close)
	return public, s.URL
}

// Every document outside of the articles is in the guide, and every path of the site
// that the guide names is answered.
func TestGuideHasEveryDocumentAndHeader(t *testing.T) {
	texts := wholeGuide(t)
	public, base := guideSite(t)
	client := &http.Client{Timeout: 30 * time.Second}
	headers := map[string]bool{}
	ask := func(method, path string, with map[string]string) int {
		t.Helper()
		r, err := http.NewRequestWithContext(context.Background(), method, base+path, nil)
		must(t, err)
		for name, value := range with {
			r.Header.Set(name, value)
		}
		resp, err := client.Do(r)
		must(t, err)
		resp.Body.Close()
		for name := range resp.Header {
			headers[name] = true
		}
		return resp.StatusCode
	}

	err := filepath.WalkDir(public, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(public, path)
		if err != nil {
			return err
		}
		name = "/" + filepath.ToSlash(name)
		ask(http.MethodGet, name, nil)
		switch folder, _, _ := strings.Cut(name[1:], "/"); {
		case strings.HasPrefix(name, "/api/article/"), strings.HasPrefix(name, "/api/errors/"), folder == "corpus", folder == "problems":
			return nil
		}
		if name = strings.TrimSuffix(name, "index.html"); name != "/" && !mentions(texts, regexp.QuoteMeta(strings.TrimSuffix(name[1:], ".json"))) {
			t.Errorf("the guide lacks the document %s", name)
		}
		return nil
	})
	must(t, err)

	for _, path := range []string{"/", "/docs/", "/api/articles?q=a", "/api/article?id=the-api", "/api/health", "/api/nothing"} {
		ask(http.MethodGet, path, nil)
	}
	ask(http.MethodOptions, "/api/articles", map[string]string{"Origin": "https://other.example", "Access-Control-Request-Method": "GET"})
	ask(http.MethodPost, "/api/articles", nil)
	everyday := []string{"Content-Length", "Content-Type", "Date", "Accept-Ranges", "Last-Modified", "Content-Encoding"}
	for name := range headers {
		if !slices.Contains(everyday, name) && !mentions(texts, "(?i)`"+name+"[`:]") {
			t.Errorf("the guide lacks the header %s", name)
		}
	}

	// A single x stands for an id, and these are named because they are not there.
	example := regexp.MustCompile(`(?i)[=/]x(?:[.&]|$)`)
	missing := []string{"/api", "/api/article", "/api/articles/"}
	paths := regexp.MustCompile("`(?:GET )?(/(?:api|corpus|problems|docs|page)[^`\\s]*|/[a-z]+\\.(?:txt|xml|json)|/\\.well-known/[a-z-]*)`")
	for file, text := range texts {
		for _, m := range paths.FindAllStringSubmatch(text, -1) {
			path := m[1]
			if strings.ContainsAny(path, "<*{…") || strings.HasSuffix(path, "=") || example.MatchString(path) || slices.Contains(missing, path) {
				continue
			}
			if status := ask(http.MethodGet, path, nil); status >= 400 {
				t.Errorf("%s names %s, which is answered %d", file, path, status)
			}
		}
	}
}

// The keys of site.yaml: the builder itself lists them to whoever writes another.
func TestGuideHasEverySetting(t *testing.T) {
	content := t.TempDir()
	must(t, os.WriteFile(filepath.Join(content, "site.yaml"), []byte("qqqqqqqqqqqqqqq: 1\n"), 0o644))
	folder, err := builder.Scan(t.Context(), content, source.Options{})
	if err != nil || len(folder.Problems) != 1 {
		t.Fatalf("%v %v", folder.Problems, err)
	}
	_, list, _ := strings.Cut(folder.Problems[0].Hint, "the keys are ")
	keys := strings.Split(list, ", ")
	if len(keys) < 10 {
		t.Fatalf("the keys are %q", keys)
	}
	text := guideText(t, "site-settings")
	for _, key := range keys {
		if !strings.Contains(text, "`"+key+"`") {
			t.Errorf("site-settings.md lacks the key %s", key)
		}
	}
	for _, key := range rows(text, "key") {
		if !slices.Contains(keys, key) {
			t.Errorf("site-settings.md describes the key %s, which does not exist", key)
		}
	}
}

package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The guide shows the hosts' configurations as `make e2e` runs them.
func TestGuideShowsTheHostsConfigurations(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "builder", "edge", "hosts", "*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		shows(t, "behind-nginx-or-caddy", file, "nginx", "text")
	}
}

// And those of the operator of builder and searchd.
func TestGuideShowsTheOperatorsFiles(t *testing.T) {
	for file, shown := range map[string][2]string{
		"builder/operate/builder.service": {"publishing-and-scheduling", "ini"},
		"searchd/operate/searchd.service": {"running-searchd", "ini"},
		"searchd/operate/searchd.socket":  {"running-searchd", "ini"},
		"searchd/operate/replica.conf":    {"scaling-out", "ini"},
		"searchd/operate/alerts.yaml":     {"watching-searchd", "yaml"},
		"searchd/operate/Dockerfile":      {"searchd-in-containers", "dockerfile"},
		"searchd/operate/kubernetes.yaml": {"searchd-in-containers", "yaml"},
	} {
		shows(t, shown[0], filepath.FromSlash(file), shown[1])
	}
}

// shows wants a file in an article of the guide, as it is, in a block of one of these languages.
func shows(t *testing.T, id, file string, languages ...string) {
	t.Helper()
	guide := guideText(t, id)
	text := read(t, file)
	for _, language := range languages {
		if strings.Contains(guide, "```"+language+"\n"+text+"```\n") {
			return
		}
	}
	t.Errorf("content/%s.md does not show %s as it is\n\thint: copy the file into its block of the guide", id, file)
}

func guideText(t *testing.T, id string) string {
	t.Helper()
	return read(t, filepath.Join("..", "content", id+".md"))
}

// The guide can be read as files, too: each link to an article is a path to its file.
func TestGuideLinksToFiles(t *testing.T) {
	texts := wholeGuide(t)
	texts["README.md"] = read(t, "../README.md")
	code := regexp.MustCompile("(?ms)^```.*?^```|^    .*?$|`[^`\n]*`")
	link := regexp.MustCompile(`\]\(([^)#]+)[^)]*\)`)
	found := 0
	for file, text := range texts {
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(text, ""), -1) {
			switch to := m[1]; {
			case strings.Contains(to, "//") || strings.HasPrefix(to, "mailto:"):
			case strings.HasPrefix(to, "/api/article?"):
				t.Errorf("%s links to %s by its address: name its file", file, to)
			case to[0] != '/': // that is an address of the site
				found++
				if _, err := os.Stat(filepath.Join("..", filepath.Dir(file), to)); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d links found", found)
	}
}

// Every line that searchd can log is in the guide with its level, and no other.
func TestGuideListsEveryLineOfTheLog(t *testing.T) {
	listed := map[string]string{} // message to level
	_, log, _ := strings.Cut(guideText(t, "watching-searchd"), "\n## The log\n")
	for _, row := range regexp.MustCompile("(?m)^\\| (debug|info|warn|error) \\| `([^`]+)` \\|").FindAllStringSubmatch(log, -1) {
		listed[row[2]] = row[1]
	}
	logged := map[string]string{}
	for _, pattern := range []string{"../searchd/*.go", "searchd/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			must(t, err)
			ast.Inspect(tree, func(n ast.Node) bool {
				if level, message, ok := logCall(n); ok {
					logged[message] = level
				}
				return true
			})
		}
	}
	if len(logged) < 20 {
		t.Fatalf("only %d lines were found in the code: %v", len(logged), logged)
	}
	for message, level := range logged {
		if listed[message] != level {
			t.Errorf("the guide has the level %q for the line %q, want %s", listed[message], message, level)
		}
		delete(listed, message)
	}
	for message := range listed {
		t.Errorf("the guide lists the line %q, which nothing logs", message)
	}
}

// logCall recognises x.log.Info("message", …) and the like.
func logCall(n ast.Node) (level, message string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return "", "", false
	}
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "", "", false
	}
	switch method.Sel.Name {
	case "Debug", "Info", "Warn", "Error":
	default:
		return "", "", false
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return "", "", false
	}
	message, err := strconv.Unquote(text.Value)
	return strings.ToLower(method.Sel.Name), message, err == nil
}

// The guide explains every metric that the package comment lists, which is every one there is.
func TestGuideListsEveryMetric(t *testing.T) {
	doc := read(t, "../searchd/doc.go")
	guide := guideText(t, "watching-searchd")
	names := regexp.MustCompile(`(?m)^//\t(searchd_[a-z_]+)`).FindAllStringSubmatch(doc, -1)
	rows := regexp.MustCompile("(?m)^\\| `(searchd_[a-z_]+)` \\|").FindAllStringSubmatch(guide, -1)
	if len(names) == 0 || len(names) != len(rows) {
		t.Errorf("the guide has %d metrics, the package comment %d", len(rows), len(names))
	}
	for _, name := range names {
		if !strings.Contains(guide, "\n| `"+name[1]+"` |") {
			t.Errorf("the guide does not explain %s", name[1])
		}
	}
}

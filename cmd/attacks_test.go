package cmd_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"mime"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	rendererhtml "github.com/yuin/goldmark/renderer/html"
	goldmarktext "github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"newsstand/builder"
	"newsstand/builder/article/articletest"
	"newsstand/builder/page"
)

// attacks are the texts of testdata/attacks.txt.
func attacks(t testing.TB) (all []string) {
	t.Helper()
	for n, line := range strings.Split(read(t, filepath.Join("testdata", "attacks.txt")), "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, `"`):
			text, err := strconv.Unquote(line)
			if err != nil {
				t.Fatalf("testdata/attacks.txt:%d: %v", n+1, err)
			}
			all = append(all, text)
		default:
			all = append(all, line)
		}
	}
	return all
}

// Whatever an author, the site's settings or a caller writes, nothing of it runs in a
// reader's browser: in no published file, and in no answer of the edge or the search.
func TestNothingRunsAnywhere(t *testing.T) {
	articletest.WithoutRace(t)
	texts := attacks(t)
	if len(texts) < 100 {
		t.Fatalf("only %d attacks", len(texts))
	}
	checked := map[string]int{}
	// As many at once as the page lists, so that it has them all.
	for batch := range slices.Chunk(texts, page.PageLength) {
		site := t.TempDir()
		content, public := filepath.Join(site, "content"), filepath.Join(site, "public")
		hostileSite(t, content, batch)
		report, err := builder.Build(t.Context(), builder.Options{Content: content, Public: public, BaseURL: "https://site.example", Now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)})
		if report.Published < len(batch) {
			t.Fatalf("%d articles of %d are published: %v", report.Published, len(batch), err)
		}
		err = filepath.WalkDir(public, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, ".gz") || strings.HasPrefix(d.Name(), ".") { // the chunks are the articles' files again
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil {
				name, _ := filepath.Rel(public, path)
				checked[harmlessFile(t, filepath.ToSlash(name), data)]++
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		for kind, n := range hostileCallers(t, public, batch) {
			checked[kind] += n
		}
	}
	for _, kind := range []string{"article", "Markdown", "page", "JSON", "feed", "Atom", "problem page", "text", "hit", "problem", "answer"} {
		if checked[kind] == 0 {
			t.Errorf("no %s was checked: %v", kind, checked)
		}
	}
	t.Logf("%d attacks, checked: %v", len(texts), checked)
}

// hostileSite writes an article for each text that has it wherever a text may be, and one
// that has it where addresses are, which may be refused. The site's settings have the first.
func hostileSite(t *testing.T, content string, texts []string) {
	t.Helper()
	put := func(name string, front map[string]any, body string) {
		data, err := json.Marshal(front) // YAML holds JSON
		must(t, err)
		write(t, filepath.Join(content, name), "---\n"+string(data)+"\n---\n\n"+body+"\n")
	}
	for i, text := range texts {
		put(fmt.Sprintf("text-%d.md", i), map[string]any{
			"title": "alert " + text, "description": text, "tags": []string{text}, "date": "2026-02-01", "author": text, "authors": []any{map[string]string{"name": text}},
		}, "alert "+text+"\n\n> "+text+"\n\n- "+text)
		put(fmt.Sprintf("address-%d.md", i), map[string]any{
			"title": "T", "date": "2026-01-01", "url": text, "image": text, "slug": text, "aliases": []string{text},
			"authors": []any{map[string]string{"name": "N", "url": text}},
		}, "[a]("+text+") ![b]("+text+") <a href='"+text+"'>c</a> <img src=\""+text+"\">")
		put(fmt.Sprintf("address2-%d.mdx", i), map[string]any{"title": "T", "date": "2026-01-01", "image": "javascript:alert(1)//" + text}, text)
	}
	at := func(i int) string { return texts[i%len(texts)] } // the last batch may be small
	site, err := json.Marshal(map[string]any{
		"title": at(0), "description": at(1), "authors": []any{map[string]string{"name": at(2)}},
		"licence": map[string]string{"name": at(3)}, "contact": map[string]string{"name": at(4)},
	})
	must(t, err)
	write(t, filepath.Join(content, "site.yaml"), string(site))
}

// Addresses in the site's settings are refused where they could run.
func TestSettingsThatRunAreRefused(t *testing.T) {
	const address = "javascript:alert(1)//https://x.example/{id}"
	for name, setting := range map[string]any{
		"url_template": address,
		"base_url":     address,
		"licence":      map[string]string{"name": "L", "url": address},
		"contact":      map[string]string{"name": "C", "url": address},
	} {
		content, public := filepath.Join(t.TempDir(), "content"), filepath.Join(t.TempDir(), "public")
		hostileSite(t, content, []string{"a", "b", "c", "d", "e"})
		site, err := json.Marshal(map[string]any{name: setting})
		must(t, err)
		write(t, filepath.Join(content, "site.yaml"), string(site))
		report, err := builder.Build(t.Context(), builder.Options{Content: content, Public: public})
		if err == nil {
			t.Errorf("%s may be %q: %+v", name, address, report)
		}
	}
}

// hostileCallers asks with the texts, through the edge, and looks at every answer.
func hostileCallers(t *testing.T, public string, texts []string) map[string]int {
	t.Helper()
	handler := service(t, public)
	checked := map[string]int{}
	targets := []string{"/", "/docs/", "/feed.xml", "/feed.json", "/llms.txt", "/sitemap.xml", "/openapi.json", "/.well-known/api-catalog", "/api/health", "/api/articles?q=alert&limit=100"}
	for i, text := range texts {
		q := url.QueryEscape(text)
		targets = append(targets,
			"/api/articles?limit=20&q="+q, "/api/articles?limit=3&q=alert+"+q, "/api/articles?q=%22alert%22&limit="+q, "/api/articles?offset="+q, "/api/articles?tag="+q+"&language="+q,
			"/api/articles?q="+strings.Repeat(q, 200), "/api/article?id="+q, fmt.Sprintf("/api/article?id=text-%d", i), fmt.Sprintf("/api/article/text-%d.md", i), "/api/article?"+q,
			"/api/"+url.PathEscape(text), "/"+url.PathEscape(text), "/problems/"+url.PathEscape(text), "/?"+q,
		)
	}
	for _, target := range targets {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", "https://site.example"+target, nil))
		checked[harmlessAnswer(t, target, w)]++
	}
	return checked
}

// harmlessAnswer judges an answer as a browser would: by its type, which it must not guess.
func harmlessAnswer(t *testing.T, target string, w *httptest.ResponseRecorder) (kind string) {
	t.Helper()
	header := w.Header()
	if w.Body.Len() == 0 && w.Code >= 300 && w.Code < 400 {
		if address := header.Get("Location"); runsAsAddress(address) {
			t.Errorf("%s leads to %s", target, address)
		}
		return "redirect"
	}
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Errorf("%s: the type %q: %v", target, header.Get("Content-Type"), err)
	}
	if header.Get("X-Content-Type-Options") != "nosniff" && media != "text/html" && !strings.HasPrefix(target, "/sitemap.xml") {
		t.Errorf("%s: a browser may guess what its %s is", target, media)
	}
	body := w.Body.Bytes()
	switch media {
	case "application/json", "application/problem+json", "application/feed+json", "application/linkset+json":
		harmlessJSON(t, target, body)
		switch {
		case media == "application/problem+json":
			return "problem"
		case strings.HasPrefix(target, "/api/articles"):
			return "hit"
		}
		return "answer"
	case "text/html":
		if policy := header.Get("Content-Security-Policy"); policy == "" && w.Code == 200 {
			t.Errorf("%s is a page without a policy", target)
		}
		harmlessDocument(t, target, body)
	case "application/atom+xml", "application/xml":
		harmlessXML(t, target, body)
	case "text/plain":
	case "text/markdown":
		harmlessMarkdown(t, target, body)
	default:
		t.Errorf("%s has the type %s", target, media)
	}
	return media
}

// harmlessFile judges a published file and says what it is.
func harmlessFile(t *testing.T, name string, data []byte) (kind string) {
	t.Helper()
	switch ext := filepath.Ext(name); {
	case ext == ".html" && strings.HasPrefix(name, "problems/"):
		harmlessDocument(t, name, data)
		return "problem page"
	case name == "404.html": // a problem of the API; an edge function sends it as JSON
		if json.Valid(data) {
			harmlessJSON(t, name, data)
		} else {
			harmlessDocument(t, name, data)
		}
		return "problem page"
	case ext == ".html":
		harmlessDocument(t, name, data)
		return "page"
	case name == "feed.json":
		harmlessJSON(t, name, data)
		return "feed"
	case ext == ".md":
		harmlessMarkdown(t, name, data)
		return "Markdown"
	case strings.HasPrefix(name, "api/article/"):
		harmlessJSON(t, name, data)
		return "article"
	case ext == ".json" || strings.HasPrefix(name, ".well-known/"):
		harmlessJSON(t, name, data)
		return "JSON"
	case ext == ".xml":
		harmlessXML(t, name, data)
		return "Atom"
	case ext == ".txt":
		return "text"
	case strings.HasPrefix(name, "page/") || strings.HasPrefix(name, "docs/"): // the same whatever the site says
		return "own script"
	}
	t.Errorf("what is %s?", name)
	return ""
}

// harmlessMarkdown judges an article's twin as a page would show it that trusts it: with
// all HTML that a renderer finds in it, and every extension that finds more. It holds no
// HTML at all, and no template code either.
func harmlessMarkdown(t *testing.T, name string, data []byte) {
	t.Helper()
	_, body, ok := strings.Cut(strings.TrimPrefix(string(data), "---\n"), "\n---\n")
	if !ok {
		t.Errorf("%s has no front matter: %.100s", name, data)
	}
	renderer := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, extension.Typographer),
		goldmark.WithParserOptions(parser.WithAttribute(), parser.WithAutoHeadingID()), goldmark.WithRendererOptions(rendererhtml.WithUnsafe()))
	document := renderer.Parser().Parse(goldmarktext.NewReader([]byte(body)))
	err := ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			if entering {
				t.Errorf("%s holds HTML: %s", name, body)
			}
		case *ast.Heading:
			for _, a := range n.Attributes() {
				if string(a.Name) != "id" {
					t.Errorf("%s has a heading with %s: %s", name, a.Name, body)
				}
			}
		}
		return ast.WalkContinue, nil
	})
	var page strings.Builder
	if err := errors.Join(err, renderer.Renderer().Render(&page, []byte(body), document)); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	harmlessFragment(t, name, page.String())
}

// harmlessJSON looks at every member of a document that is HTML or an address.
func harmlessJSON(t *testing.T, name string, data []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Errorf("%s: %v: %.100s", name, err, data)
		return
	}
	var look func(where string, v any)
	look = func(where string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				look(where+"."+key, value)
			}
			excerpt, hasExcerpt := v["excerpt_html"].(string)
			if plain, ok := v["excerpt"].(string); ok && hasExcerpt {
				unmarked := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(excerpt)
				if strings.ContainsAny(unmarked, `<>"'`) || html.UnescapeString(unmarked) != plain {
					t.Errorf("%s: the excerpt %q is marked as %q", where, plain, excerpt)
				}
			}
		case []any:
			for _, value := range v {
				look(where, value)
			}
		case string:
			switch key := where[strings.LastIndexByte(where, '.')+1:]; {
			case strings.HasSuffix(key, "_html"):
				harmlessFragment(t, name+where, v)
			case slices.Contains([]string{"url", "image", "home_page_url", "feed_url", "href", "external_url", "icon", "avatar"}, key) && runsAsAddress(v):
				t.Errorf("%s%s is %q", name, where, v)
			}
		}
	}
	look("", v)
}

// harmlessXML looks at the HTML, the addresses and the instructions of a feed.
func harmlessXML(t *testing.T, name string, data []byte) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(string(data)))
	isHTML := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			isHTML = false
			if space := token.Name.Space; space != "http://www.w3.org/2005/Atom" && space != "http://www.sitemaps.org/schemas/sitemap/0.9" {
				t.Errorf("%s has an element %s of %q", name, token.Name.Local, space)
			}
			for _, a := range token.Attr {
				isHTML = isHTML || a.Name.Local == "type" && a.Value == "html"
				if a.Name.Local == "href" && runsAsAddress(a.Value) {
					t.Errorf("%s: a link to %q", name, a.Value)
				}
			}
		case xml.EndElement:
			isHTML = false
		case xml.CharData:
			if isHTML {
				harmlessFragment(t, name, string(token))
			}
		case xml.ProcInst:
			if token.Target != "xml" {
				t.Errorf("%s has the instruction %s", name, token.Target)
			}
		case xml.Directive:
			t.Errorf("%s has the directive %s", name, token)
		}
	}
}

// harmlessFragment puts HTML where a page would, and wants nothing that runs: with and
// without scripts, and again after it was written out and read a second time.
func harmlessFragment(t *testing.T, where, text string) {
	t.Helper()
	for _, scripting := range []bool{true, false} {
		for _, parent := range []atom.Atom{atom.Body, atom.Div, atom.Td, atom.P, atom.Template} {
			source := text
			for round := range 3 {
				nodes, err := nethtml.ParseFragmentWithOptions(strings.NewReader(source), &nethtml.Node{Type: nethtml.ElementNode, DataAtom: parent, Data: parent.String()}, nethtml.ParseOptionEnableScripting(scripting))
				if err != nil {
					t.Errorf("%s: %v", where, err)
					return
				}
				var again strings.Builder
				for _, n := range nodes {
					for d := range withDescendants(n) {
						if why := runs(d); why != "" {
							t.Errorf("%s, read %d times in a %s: %s in %.500q", where, round+1, parent, why, text)
							return
						}
					}
					nethtml.Render(&again, n)
				}
				source = again.String()
			}
		}
	}
}

// harmlessDocument wants a page of ours to run its own script and nothing else.
func harmlessDocument(t *testing.T, name string, data []byte) {
	t.Helper()
	root, err := nethtml.Parse(strings.NewReader(string(data)))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	for n := range withDescendants(root) {
		if n.Type != nethtml.ElementNode {
			continue
		}
		attr := map[string]string{}
		for _, a := range n.Attr {
			attr[a.Key] = a.Val
		}
		own := regexp.MustCompile(`^((https://site\.example/|\.\./)?page/[a-z]+|\.\./docs/[a-z-]+)\.(js|css|svg)$`)
		switch n.DataAtom {
		case atom.Script:
			switch {
			case attr["type"] == "application/ld+json" && attr["src"] == "":
				if n.FirstChild == nil || !json.Valid([]byte(n.FirstChild.Data)) {
					t.Errorf("%s: linked data that is no JSON", name)
				}
			case !own.MatchString(attr["src"]) || n.FirstChild != nil:
				t.Errorf("%s runs a script %v", name, n.Attr)
			}
			continue
		case atom.Link:
			if rel := attr["rel"]; (rel == "stylesheet" || rel == "icon") && !own.MatchString(attr["href"]) {
				t.Errorf("%s loads %v", name, n.Attr)
			}
			n.DataAtom, n.Data = atom.A, "a"
		case atom.Title:
			continue
		case atom.Meta:
			if attr["http-equiv"] != "" {
				t.Errorf("%s has %v", name, n.Attr)
			}
			continue
		case atom.Style:
			if strings.Contains(n.FirstChild.Data, "alert") {
				t.Errorf("%s: the style %s", name, n.FirstChild.Data)
			}
			continue
		case atom.Form:
			if !regexp.MustCompile(`^(?:\.\./)?api/(?:articles|article|health|article/[a-z0-9]+(?:[._-][a-z0-9]+)*\.md)$`).MatchString(attr["action"]) {
				t.Errorf("%s sends a form to %q", name, attr["action"])
			}
			n.DataAtom, n.Data, n.Attr = atom.Div, "div", nil
		}
		if why := runs(n); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
}

// withDescendants are a node and all below it, those of templates included.
func withDescendants(n *nethtml.Node) func(yield func(*nethtml.Node) bool) {
	return func(yield func(*nethtml.Node) bool) {
		if !yield(n) {
			return
		}
		for d := range n.Descendants() {
			if !yield(d) {
				return
			}
		}
	}
}

// runs says what of an element could run, or load what runs.
func runs(n *nethtml.Node) string {
	if n.Type != nethtml.ElementNode {
		return ""
	}
	if n.Namespace != "" {
		return "the element " + n.Namespace + ":" + n.Data
	}
	switch n.Data {
	case "script", "style", "link", "meta", "base", "iframe", "frame", "frameset", "object", "embed", "applet", "param", "template", "noscript", "noembed", "noframes",
		"form", "textarea", "select", "isindex", "keygen", "xmp", "plaintext", "title", "marquee", "dialog", "slot", "portal", "image":
		return "the element " + n.Data
	}
	if strings.ContainsAny(n.Data, "-:\"'<") {
		return "the element " + n.Data
	}
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		switch {
		case strings.HasPrefix(key, "on") || strings.ContainsAny(key, "\"'<>=`:"):
			return fmt.Sprintf("the attribute %s=%q", a.Key, a.Val)
		case slices.Contains([]string{"style", "srcdoc", "action", "formaction", "data", "ping", "is", "background", "autofocus", "contenteditable", "manifest", "target", "nonce", "attributename"}, key):
			return fmt.Sprintf("the attribute %s=%q", a.Key, a.Val)
		case key == "srcset":
			for candidate := range strings.SplitSeq(a.Val, ",") {
				if runsAsAddress(candidate) {
					return fmt.Sprintf("the address %q", a.Val)
				}
			}
		case slices.Contains([]string{"href", "src", "cite", "poster", "longdesc", "usemap", "codebase", "classid", "dynsrc", "lowsrc", "profile"}, key) && runsAsAddress(a.Val):
			return fmt.Sprintf("the address %q", a.Val)
		}
	}
	return ""
}

// runsAsAddress reads an address as browsers do (URL Standard, 4.4), which leave out controls at
// its ends and line ends anywhere, and takes every scheme that is not known to do no harm.
func runsAsAddress(address string) bool {
	address = strings.TrimFunc(address, func(r rune) bool { return r <= ' ' })
	address = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(address)
	scheme := regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]*):`).FindStringSubmatch(address)
	return scheme != nil && !slices.Contains([]string{"http", "https", "mailto", "tel", "tag"}, strings.ToLower(scheme[1]))
}

// The judge of the test above knows what runs when it sees it.
func TestTheJudgeSeesWhatRuns(t *testing.T) {
	for _, text := range []string{
		`<img src=x onerror=alert(1)>`, `<a href="java&#9;script:alert(1)">x</a>`, `<svg><a>x</a></svg>`, `<p style="x">y</p>`, `<iframe src=x></iframe>`, `<my-element>x</my-element>`,
		`<img srcset="x.png, data:x 2x">`, `<base href=x>`, `<script>x</script>`, `<math></math>`, `<a href=" vbscript:x">x</a>`, `<textarea>x</textarea>`, `<p><b onclick=x>y</b></p>`,
	} {
		nodes, err := nethtml.ParseFragment(strings.NewReader(text), &nethtml.Node{Type: nethtml.ElementNode, DataAtom: atom.Div, Data: "div"})
		must(t, err)
		seen := false
		for _, n := range nodes {
			for d := range withDescendants(n) {
				seen = seen || runs(d) != ""
			}
		}
		if !seen {
			t.Errorf("nothing runs in %s?", text)
		}
	}
	for address, want := range map[string]bool{"x": false, "/x:y": false, "https://a.example": false, "\x01javascript:x": true, "ja\nvascript:x": true, "JAVASCRIPT:x": true, "data:,x": true, "?a:b": false} {
		if runsAsAddress(address) != want {
			t.Errorf("%q runs: %t", address, !want)
		}
	}
}

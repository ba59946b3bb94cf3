package verify

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"newsstand/builder/article"
)

// secrets checks that nothing but the published documents leaves the host.
func (v *verifier) secrets() {
	v.group = "secrets"
	v.check("files that are nobody's business", "4xx for each, or no answer", "serve the published folder only, and no name that begins with a dot but .well-known",
		v.privateFiles)
	v.check("traversal", "4xx, or the published document at the clean path", "let the host decode a path once, and keep it below the published folder",
		v.traversal)
	// A host may hang up on an odd request, but must not end over it.
	v.ask("the host outlives odd requests", request{target: article.HealthOperation}, "take a server, or a version of it, that refuses what it cannot decode and goes on", status(http.StatusOK))
}

// privateFiles asks for files that a host may have beside what is published.
func (v *verifier) privateFiles() (string, error) {
	names := []string{"/.newsstand/commit", "/.newsstand/", "/api/.newsstand", "/.git/HEAD", "/.git/config", "/.env", "/.htaccess", "/netlify.toml", "/go.mod", "/content/site.yaml",
		"/_headers", "/_redirects", "/corpus/", "/api/article/.json", "/corpus/.manifest.json", "/Caddyfile", "/nginx.conf"}
	for _, name := range names {
		a, err := v.host.ask(v.ctx, request{target: name, odd: true})
		if err != nil {
			continue // hung up on, as by nginx's 444: nothing has left the host
		}
		if a.status < 400 || a.status >= 500 {
			return "", fmt.Errorf("%s: %v", name, a)
		}
	}
	return fmt.Sprintf("%d names", len(names)), nil
}

// traversal asks for paths that lead out of the published folder.
func (v *verifier) traversal() (string, error) {
	forms := traversals()
	for _, form := range forms {
		a, err := v.host.ask(v.ctx, request{target: form, odd: true})
		if err != nil {
			continue // hung up on: nothing has left the host
		}
		refused := a.status >= 400 && a.status < 500
		redirected := a.status >= 300 && a.status < 400 && a.header.Get("Location") != ""
		published := a.status == http.StatusOK && v.isPublished(form, a.body)
		if !refused && !redirected && !published && !v.ofAnother(form, a) {
			return "", fmt.Errorf("%s: %v, %.40q", form, a, a.body)
		}
	}
	return fmt.Sprintf("%d forms", len(forms)), nil
}

// traversals are paths that leave the published folder where a server cleans or decodes
// them once too often.
func traversals() []string {
	return []string{
		"/../../../../etc/passwd", "/..%2f..%2f..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/%252e%252e/%252e%252e/etc/passwd",
		"/api/article/../../../../../etc/passwd", "/api/article/..%2f..%2f..%2f..%2fetc%2fpasswd", "/api/article/%2e%2e%2f%2e%2e%2fnetlify.toml",
		`/..\..\..\etc\passwd`, "/..%5c..%5c..%5cetc%5cpasswd", "/api/..;/..;/etc/passwd", "/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd",
		"/corpus/../../etc/passwd", "/corpus/..%2f..%2f.git%2fconfig", "/.well-known/../.git/config", "/.well-known/..%2f.newsstand%2fcommit",
		"/api/article/..%2fhealth.json", "/api/article/../health.json", "/api/./health", "/api/article/%00.json", "/openapi.json%00.html", "/page/..%2f..%2fgo.mod",
	}
}

// ofAnother reports whether a path that leads out of the site is answered like its clean form: by
// whatever else the host has.
func (v *verifier) ofAnother(target string, a answer) bool {
	below := v.host.base.Path
	decoded, err := url.PathUnescape(target)
	clean := path.Clean(below + decoded)
	if err != nil || clean == below || strings.HasPrefix(clean, below+"/") {
		return false
	}
	other, err := v.host.ask(v.ctx, request{target: (&url.URL{Path: clean}).EscapedPath(), odd: true, atRoot: true})
	return err == nil && other.status == a.status && other.media() == a.media()
}

// isPublished reports whether bytes are those of the document that a path names once it is cleaned
// as in RFC 3986, 5.2.4.
func (v *verifier) isPublished(target string, body []byte) bool {
	decoded, err := url.PathUnescape(target)
	if err != nil || v.published == nil {
		return false
	}
	clean := path.Clean(decoded)
	if clean == article.HealthOperation {
		clean = "/" + article.HealthPath
	}
	for _, f := range v.published.manifest().Files {
		if "/"+f.Path == clean || "/"+path.Dir(f.Path) == clean {
			return sum(body) == f.SHA256
		}
	}
	if id, ok := article.IDOfPath(clean[1:]); ok {
		r, ok, err := v.published.record(id)
		return err == nil && ok && bytes.Equal(body, r.Line)
	}
	if id, ok := article.IDOfMarkdownPath(clean[1:]); ok {
		r, ok, err := v.published.record(id)
		if err != nil || !ok {
			return false
		}
		a, err := article.Decode(r.Line)
		return err == nil && bytes.Equal(body, a.Markdown())
	}
	return false
}

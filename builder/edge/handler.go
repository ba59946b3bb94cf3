package edge

import (
	"cmp"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"newsstand/builder/article"
)

// NewHandler returns a handler that answers from the published folder as the rules say, and passes
// forwarded requests to search. The folder may change at any time; it should be one that follows no
// link out of itself.
func NewHandler(rules *Rules, public fs.FS, search http.Handler) http.Handler {
	return &handler{rules, public, search}
}

type handler struct {
	rules  *Rules
	public fs.FS
	search http.Handler
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	query := parameters(r.URL.RawQuery)
	if r.URL.Path == article.ArticleOperation {
		query = decodedParameters(r.URL.RawQuery)
	}
	rule, target := h.rules.match(r.URL.Path, query)
	if article.IsAPI(r.URL.Path) && strings.HasSuffix(r.URL.Path, "/") {
		rule = nil // the rules would take it for the operation without the slash
	}
	var file document
	shadowed := false // whether the file at the path itself wins over the rule
	if rule == nil || !rule.force {
		file, shadowed = h.read(r.URL.EscapedPath())
	}

	if rule != nil && rule.forwards() && !shadowed {
		h.forward(w, r, rule, target) // the daemon knows methods and errors itself
		return
	}
	switch {
	case r.Method == http.MethodOptions:
		article.WriteOptions(w, "")
	case !article.Allowed(r.Method):
		h.problem(w, article.MethodNotAllowed)
	case shadowed:
		h.serve(w, r, http.StatusOK, file)
	case rule == nil:
		h.notFound(w, r)
	case r.URL.Path == article.ArticleOperation && len(query["id"]) > 1:
		h.problem(w, article.MissingID)
	case rule.redirects():
		if !strings.Contains(target, "?") && r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		article.SetCommonHeaders(w.Header(), "")
		w.Header().Set("Location", target)
		w.WriteHeader(rule.status)
	default:
		h.rewrite(w, r, rule.status, target)
	}
}

// decodedParameters returns the parameters as the edge function reads them, which is not as the
// rules do: names are decoded, and a parameter without an equals sign is empty.
func decodedParameters(rawQuery string) map[string][]string {
	parts := strings.Split(rawQuery, "&")
	for i, part := range parts {
		if part != "" && !strings.Contains(part, "=") {
			parts[i] = part + "="
		}
	}
	decoded := make(map[string][]string)
	for written, values := range parameters(strings.Join(parts, "&")) {
		name, err := url.PathUnescape(written)
		if err != nil {
			name = written
		}
		decoded[name] = append(decoded[name], values...)
	}
	return decoded
}

// rewrite answers with the document at target, which is an escaped path.
func (h *handler) rewrite(w http.ResponseWriter, r *http.Request, status int, target string) {
	target, _, _ = strings.Cut(target, "?")
	if status >= 400 && article.IsAPI(r.URL.Path) {
		for _, k := range article.Kinds() {
			if target == "/"+article.ErrorPath(k) {
				h.problem(w, k)
				return
			}
		}
	}
	file, ok := h.read(target)
	if !ok {
		h.notFound(w, r)
		return
	}
	h.serve(w, r, status, file)
}

// forward gives the request to the search as the host would send it there: with the
// target's path and the whole query.
func (h *handler) forward(w http.ResponseWriter, r *http.Request, rule *redirect, target string) {
	to, err := url.Parse(target)
	if err != nil { // a captured value that no address can hold
		h.notFound(w, r)
		return
	}
	sent := r.Clone(r.Context())
	sent.URL.Path, sent.URL.RawPath = to.Path, to.RawPath
	if to.RawQuery != "" {
		sent.URL.RawQuery = to.RawQuery
	}
	for name, value := range rule.headers {
		sent.Header.Set(name, value)
	}
	h.search.ServeHTTP(w, sent)
}

// serve answers with a document. An error has none of the headers of success: the
// rules do not apply to it, and no client keeps it under a tag.
func (h *handler) serve(w http.ResponseWriter, r *http.Request, status int, file document) {
	header := w.Header()
	header.Set("Content-Type", contentType(file.name))
	header.Set("Cache-Control", "public, max-age=0, must-revalidate")
	if status == http.StatusOK {
		h.rules.setHeaders(header, r.URL.Path)
		etag := article.ETag(file.body)
		header.Set("ETag", etag)
		if article.NotModified(r.Header, etag) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	} else {
		article.SetCommonHeaders(header, "")
	}
	header.Set("Content-Length", strconv.Itoa(len(file.body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		w.Write(file.body) // the client may be gone; there is nobody left to tell
	}
}

// notFound answers what is not there: a problem under /api, the host's page elsewhere.
func (h *handler) notFound(w http.ResponseWriter, r *http.Request) {
	if !article.IsAPI(r.URL.Path) {
		if file, ok := h.read("/" + article.NotFoundPath); ok {
			h.serve(w, r, http.StatusNotFound, file)
			return
		}
	}
	h.problem(w, article.NotFound)
}

// problem answers with the published document of a kind, and its status. Where none is
// published yet, its type is relative to the site (RFC 9457, 3.1.1).
func (h *handler) problem(w http.ResponseWriter, k article.Kind) {
	p := article.NewProblem("", k)
	if file, ok := h.read("/" + article.ErrorPath(k)); ok {
		var published article.Problem
		if json.Unmarshal(file.body, &published) == nil && published.Status == k.Status() {
			p = published
		}
	}
	article.WriteProblem(w, "", p)
}

// document is a published file, read whole.
type document struct {
	name string // in the published folder
	body []byte
}

// read returns the file at an escaped path of an address, or the index of the folder.
func (h *handler) read(escaped string) (document, bool) {
	name, ok := fileName(escaped)
	if !ok {
		return document{}, false
	}
	info, err := fs.Stat(h.public, name)
	if err == nil && info.IsDir() {
		name = path.Join(name, indexFile)
		info, err = fs.Stat(h.public, name)
	}
	if err != nil || !info.Mode().IsRegular() { // a pipe would never end
		return document{}, false
	}
	body, err := fs.ReadFile(h.public, name)
	return document{name, body}, err == nil
}

// indexFile is what a folder shows.
const indexFile = "index.html"

// fileName returns the name in the published folder that an escaped path of an address stands for.
// What two systems could read in two ways is no name.
func fileName(escaped string) (string, bool) {
	lower := strings.ToLower(escaped)
	if strings.Contains(lower, "%2f") || strings.Contains(lower, "%5c") {
		return "", false
	}
	decoded, err := url.PathUnescape(escaped)
	if err != nil || !strings.HasPrefix(decoded, "/") {
		return "", false
	}
	if strings.ContainsFunc(decoded, func(c rune) bool { return c < ' ' || c == 0x7f || c == '\\' }) {
		return "", false
	}
	name := decoded[1:]
	if strings.HasPrefix(decoded, article.ArticleOperation+"/") {
		_, isArticle := article.IDOfPath(name)
		_, isMarkdown := article.IDOfMarkdownPath(name)
		return name, isArticle || isMarkdown
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += indexFile
	}
	if !fs.ValidPath(name) || slices.Contains([]string{"_headers", "_redirects"}, name) {
		return "", false
	}
	for segment := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(segment, ".") && segment != ".well-known" {
			return "", false
		}
	}
	return name, true
}

// contentType returns the media type of a document by its extension. The table is our own because
// that of package mime depends on files of the machine. Beside what the builder makes, it has what
// people put into a page of their own: browsers run no script and show no video of an unknown type.
func contentType(name string) string {
	types := map[string]string{
		".avif":        "image/avif",
		".css":         "text/css; charset=utf-8",
		".gif":         "image/gif",
		".gz":          "application/gzip", // never Content-Encoding: the bytes are what the digest is of
		".htm":         "text/html; charset=utf-8",
		".html":        "text/html; charset=utf-8",
		".ico":         "image/x-icon",
		".jpeg":        "image/jpeg",
		".jpg":         "image/jpeg",
		".js":          "text/javascript; charset=utf-8",
		".json":        "application/json",
		".md":          article.MarkdownMediaType,
		".mjs":         "text/javascript; charset=utf-8",
		".mp3":         "audio/mpeg",
		".mp4":         "video/mp4",
		".ndjson":      "application/x-ndjson",
		".pdf":         "application/pdf",
		".png":         "image/png",
		".svg":         "image/svg+xml",
		".txt":         "text/plain; charset=utf-8",
		".wasm":        "application/wasm",
		".webm":        "video/webm",
		".webmanifest": "application/manifest+json",
		".webp":        "image/webp",
		".woff":        "font/woff",
		".woff2":       "font/woff2",
		".xml":         "application/xml",
	}
	return cmp.Or(types[strings.ToLower(path.Ext(name))], "application/octet-stream")
}

// Package contract judges HTTP answers by the OpenAPI document of a site.
//
// An answer is right if the document has its status for its operation, its media type and body
// satisfy the schema there, its bytes are those that article.Encode makes (no extra field, none out
// of order), and it carries the headers that every answer of the API carries. HEAD is judged as GET
// without a body. Paths outside the API are not judged.
//
// Tests hold every answer that they receive to the document (package articletest), as `builder
// verify` does with the answers of a deployment.
package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"iter"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"newsstand/builder/article"
)

// Document is a valid OpenAPI document of this API. It is safe for concurrent use.
type Document struct {
	doc *openapi3.T
}

// Parse reads and validates an OpenAPI document, its examples included. It may be anybody's: one of
// another API, or with references that do not end, is an error.
func Parse(document []byte) (*Document, error) {
	if err := ends(document); err != nil {
		return nil, fmt.Errorf("parse OpenAPI document: %w", err)
	}
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(document)
	if err != nil {
		return nil, fmt.Errorf("parse OpenAPI document: %w", err)
	}
	if err := doc.Validate(loader.Context, openapi3.EnableExamplesValidation(), openapi3.EnableSchemaFormatValidation()); err != nil {
		return nil, fmt.Errorf("validate OpenAPI document: %w", err)
	}
	if err := complete(doc); err != nil {
		return nil, fmt.Errorf("validate OpenAPI document: %w", err)
	}
	return &Document{doc}, nil
}

// maxParts is how many parts a document may have once all its references are written out: fifteen
// times as many as the builder's has. To judge an answer by the document is to visit each.
const maxParts = 20_000

// ends returns an error if following the references of a document would not end, or not soon. A
// schema that holds itself is followed until the stack is full, which ends the program; one that
// holds the next one twice, which holds its next one twice, and so on, is followed for years.
func ends(document []byte) error {
	var doc struct {
		Components map[string]map[string]any
		Paths      any
	}
	if err := json.Unmarshal(document, &doc); err != nil {
		return err
	}
	c := counter{components: doc.Components, counted: map[string]int{}}
	for _, components := range doc.Components {
		for _, component := range components {
			if _, err := c.count(component); err != nil {
				return err
			}
		}
	}
	_, err := c.count(doc.Paths)
	return err
}

// counter counts the parts of a document, with its references written out.
type counter struct {
	components map[string]map[string]any
	counted    map[string]int // parts of a component, by its reference; 0 while it is being counted
}

// count counts a value and all that it holds.
func (c counter) count(v any) (n int, err error) {
	n = 1
	var held iter.Seq[any]
	switch v := v.(type) {
	case []any:
		held = slices.Values(v)
	case map[string]any:
		held = maps.Values(v)
		if ref, ok := v["$ref"].(string); ok {
			target, err := c.countTarget(ref)
			if err != nil {
				return n, err
			}
			n += target
		}
	default:
		return n, nil
	}
	for part := range held {
		more, err := c.count(part)
		if err != nil {
			return n, err
		}
		if n += more; n > maxParts {
			return n, fmt.Errorf("it has more than %d parts, with all that it refers to", maxParts)
		}
	}
	return n, nil
}

// countTarget counts the component that a reference leads to.
func (c counter) countTarget(ref string) (n int, err error) {
	n, known := c.counted[ref]
	kind, name, _ := strings.Cut(strings.TrimPrefix(ref, "#/components/"), "/")
	target, ok := c.components[kind][name]
	if known && n == 0 || !ok {
		return 0, fmt.Errorf("the reference %.200q leads to no component, or to itself", ref)
	}
	if known {
		return n, nil
	}
	c.counted[ref] = 0
	n, err = c.count(target)
	c.counted[ref] = n
	return n, err
}

// complete reports what Check reads and the document lacks.
func complete(doc *openapi3.T) error {
	if doc.Components == nil || doc.Components.Schemas["Problem"] == nil {
		return errors.New("it has no schema Problem")
	}
	for _, path := range []string{article.SearchOperation, article.ArticleOperation, article.HealthOperation} {
		if doc.Paths.Value(path) == nil {
			return fmt.Errorf("it does not describe %s", path)
		}
	}
	for path, item := range doc.Paths.Map() {
		if item.Get == nil {
			return fmt.Errorf("it does not describe GET %s", path)
		}
		for status, response := range item.Get.Responses.Map() {
			for name, header := range response.Value.Headers {
				if header.Value.Schema == nil {
					return fmt.Errorf("%s has no schema of the header %s of status %s", path, name, status)
				}
			}
			for media, content := range response.Value.Content {
				if content.Schema == nil {
					return fmt.Errorf("%s has no schema of %s of status %s", path, media, status)
				}
			}
		}
	}
	return nil
}

// Describes reports whether the document has this path.
func (d *Document) Describes(path string) bool { return d.doc.Paths.Value(path) != nil }

// Check returns everything that is wrong with one answer, nil if nothing is. The path of the
// request is that within the site, as in the document.
func (d *Document) Check(r *http.Request, status int, h http.Header, body []byte) error {
	path := r.URL.Path
	operation := d.doc.Paths.Value(path)
	if _, ok := article.IDOfMarkdownPath(strings.TrimPrefix(path, "/")); ok {
		operation = d.doc.Paths.Value(article.MarkdownOperation)
	}
	if operation == nil && !article.IsAPI(path) {
		return nil
	}
	errs := []error{d.commonHeaders(h)}
	switch {
	case r.Method == http.MethodOptions:
		if status != http.StatusNoContent || len(body) > 0 {
			errs = append(errs, fmt.Errorf("OPTIONS: status %d with %d bytes, want 204 with none", status, len(body)))
		}
		if h.Get("Access-Control-Allow-Methods") == "" {
			errs = append(errs, errors.New("OPTIONS: Access-Control-Allow-Methods is missing"))
		}
	case operation != nil:
		errs = append(errs, d.checkOperation(operation.Get, r, status, h, body))
	case strings.HasPrefix(path, article.ArticleOperation+"/") && status < 400: // the file itself
		errs = append(errs, d.checkOperation(d.doc.Paths.Value(article.ArticleOperation).Get, r, status, h, body))
	case strings.HasPrefix(path, "/api/") && status < 400: // another published file
	default:
		if status != http.StatusNotFound && status != http.StatusMethodNotAllowed {
			errs = append(errs, fmt.Errorf("status %d at a path that is not an operation, want 404 or 405", status))
		}
		schema := openapi3.NewSchemaRef("#/components/schemas/Problem", d.doc.Components.Schemas["Problem"].Value)
		errs = append(errs, checkBody(r, schema, article.ProblemMediaType, h, body), checkProblem(r, status, h, body))
	}
	return errors.Join(errs...)
}

func (d *Document) commonHeaders(h http.Header) error {
	baseURL := "" // no server is one at / (OpenAPI 3.1, 4.8.1)
	if len(d.doc.Servers) > 0 {
		baseURL = d.doc.Servers[0].URL
	}
	want := http.Header{}
	article.SetCommonHeaders(want, baseURL)
	var errs []error
	for _, k := range slices.Sorted(maps.Keys(want)) {
		if got := h.Values(k); len(got) != 1 || got[0] != want.Get(k) {
			errs = append(errs, fmt.Errorf("%s: %q, want %q once", k, got, want.Get(k)))
		}
	}
	if h.Get("Set-Cookie") != "" {
		errs = append(errs, errors.New("Set-Cookie: the API keeps nothing of its callers"))
	}
	if h.Get("Cache-Control") == "" {
		errs = append(errs, errors.New("Cache-Control is missing"))
	}
	return errors.Join(errs...)
}

func (d *Document) checkOperation(op *openapi3.Operation, r *http.Request, status int, h http.Header, body []byte) error {
	ref := op.Responses.Status(status)
	if ref == nil {
		return fmt.Errorf("status %d is not documented for %s", status, op.OperationID)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(ref.Value.Headers)) {
		got, schema := h.Get(name), ref.Value.Headers[name].Value.Schema.Value
		if got == "" {
			errs = append(errs, fmt.Errorf("%s is documented for status %d, yet missing", name, status))
			continue
		}
		var value any = got
		if schema.Type.Is("integer") {
			value = json.Number(got)
		}
		if err := schema.VisitJSON(value); err != nil {
			errs = append(errs, fmt.Errorf("%s %q: %w", name, got, err))
		}
	}
	if len(ref.Value.Content) == 0 { // 304
		if len(body) > 0 {
			errs = append(errs, fmt.Errorf("status %d has a body of %d bytes", status, len(body)))
		}
		return errors.Join(errs...)
	}
	for media, content := range ref.Value.Content { // each has one
		errs = append(errs, checkBody(r, content.Schema, media, h, body))
	}
	if status >= 400 {
		errs = append(errs, checkProblem(r, status, h, body))
	}
	return errors.Join(errs...)
}

// checkBody compares the body with the schema, and its bytes with what
// article.Encode makes of the same document.
func checkBody(r *http.Request, schema *openapi3.SchemaRef, media string, h http.Header, body []byte) error {
	got, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || got != media {
		return fmt.Errorf("Content-Type %q, want %s", h.Get("Content-Type"), media)
	}
	if r.Method == http.MethodHead {
		if len(body) > 0 {
			return fmt.Errorf("HEAD has a body of %d bytes", len(body))
		}
		return nil
	}
	if h.Get("Content-Encoding") != "" {
		return nil // the bytes are a host's, for whoever asked for them so
	}
	if media == "text/markdown" {
		return schema.Value.VisitJSON(string(body))
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return fmt.Errorf("body is not JSON: %w: %.200q", err, body)
	}
	if err := schema.Value.VisitJSON(value, openapi3.EnableFormatValidation(), openapi3.MultiErrors()); err != nil {
		return fmt.Errorf("body breaks the schema %s: %w", schema.Ref, err)
	}
	var document any
	switch schema.Ref {
	case "#/components/schemas/SearchResult":
		document = &article.SearchResult{}
	case "#/components/schemas/Article":
		document = &article.Article{}
	case "#/components/schemas/Health":
		document = &article.Health{}
	case "#/components/schemas/Problem":
		document = &article.Problem{}
	default:
		return fmt.Errorf("schema %q belongs to no document", schema.Ref)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(document); err != nil {
		return fmt.Errorf("body is not a %T: %w", document, err)
	}
	again, err := article.Encode(document)
	if err != nil {
		return err
	}
	if !bytes.Equal(again, body) {
		return fmt.Errorf("body is not encoded as the contract says:\n got %s\nwant %s", body, again)
	}
	if result, ok := document.(*article.SearchResult); ok {
		return checkResult(result)
	}
	return nil
}

// checkResult checks what a schema cannot say of a search result.
func checkResult(r *article.SearchResult) error {
	var errs []error
	if r.Count != len(r.Articles) || r.Count > r.Limit || r.Count > r.Total {
		errs = append(errs, fmt.Errorf("count %d, total %d and limit %d with %d articles", r.Count, r.Total, r.Limit, len(r.Articles)))
	}
	seen := map[string]bool{}
	for _, hit := range r.Articles {
		if seen[hit.ID] {
			errs = append(errs, fmt.Errorf("%s is answered twice", hit.ID))
		}
		seen[hit.ID] = true
		unmarked := strings.NewReplacer("<mark>", "", "</mark>", "").Replace(hit.ExcerptHTML)
		if strings.ContainsAny(unmarked, "<>") || html.UnescapeString(unmarked) != hit.Excerpt {
			errs = append(errs, fmt.Errorf("%s: excerpt_html %q is not excerpt %q, escaped and marked", hit.ID, hit.ExcerptHTML, hit.Excerpt))
		}
	}
	return errors.Join(errs...)
}

// checkProblem checks what the contract says of errors beyond their schema.
func checkProblem(r *http.Request, status int, h http.Header, body []byte) error {
	var errs []error
	cache := h.Get("Cache-Control")
	if status >= 500 && cache != "no-store" {
		errs = append(errs, fmt.Errorf("Cache-Control %q of a server error, want no-store", cache))
	}
	if strings.Contains(cache, "stale-") || h.Get("ETag") != "" && status != http.StatusNotFound {
		errs = append(errs, fmt.Errorf("an error has the cache headers of success: Cache-Control %q, ETag %q", cache, h.Get("ETag")))
	}
	if r.Method == http.MethodHead {
		return errors.Join(errs...)
	}
	var p article.Problem
	if err := json.Unmarshal(body, &p); err != nil {
		return errors.Join(append(errs, err)...)
	}
	if p.Status != status && !(p.Status == http.StatusBadRequest && status == http.StatusNotFound) {
		errs = append(errs, fmt.Errorf("status %d of the document, %d of the answer", p.Status, status))
	}
	known := false
	for _, k := range article.Kinds() {
		known = known || strings.HasSuffix(p.Type, article.NewProblem("", k).Type) && p.Title == k.Title()
	}
	if !known {
		errs = append(errs, fmt.Errorf("type %q with title %q is not a kind of problem", p.Type, p.Title))
	}
	return errors.Join(errs...)
}

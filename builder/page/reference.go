package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"newsstand/builder/article"
)

// The reference is our own page and not Swagger UI: that is 1.8 MB of script, starts by
// an inline one, and so fits no strict policy.

// members are the members of a JSON object in their order.
type members []member

type member struct {
	Name  string
	Value json.RawMessage
}

// UnmarshalJSON reads an object.
func (m *members) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("read object: it begins with %v (%w)", t, err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return err
		}
		*m = append(*m, member{fmt.Sprint(name), value})
	}
	return nil
}

// schema is what the reference shows of a JSON schema.
type schema struct {
	Ref         string   `json:"$ref"`
	Type        string   `json:"type"`
	Format      string   `json:"format"`
	Description string   `json:"description"`
	Const       any      `json:"const"`
	Enum        []any    `json:"enum"`
	Pattern     string   `json:"pattern"`
	MaxLength   *int     `json:"maxLength"`
	Minimum     *float64 `json:"minimum"`
	Maximum     *float64 `json:"maximum"`
	MaxItems    *int     `json:"maxItems"`
	Default     any      `json:"default"`
	Items       *schema  `json:"items"`
	Required    []string `json:"required"`
	Properties  members  `json:"properties"`
	AllOf       []schema `json:"allOf"`
}

// name is that of a schema of the document.
func (s schema) name() string { return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:] }

// Kind says in a few words what a value is.
func (s schema) Kind() string {
	if s.Ref != "" {
		return s.name()
	}
	if s.Type == "array" && s.Items != nil {
		return "array of " + s.Items.Kind()
	}
	kind := s.Type
	if s.Format != "" {
		kind += ", " + s.Format
	}
	if s.Const != nil {
		kind += fmt.Sprintf(", always %v", s.Const)
	}
	if len(s.Enum) > 0 {
		kind += fmt.Sprintf(", one of %v", s.Enum)
	}
	if s.Minimum != nil {
		kind += fmt.Sprintf(", at least %v", *s.Minimum)
	}
	if s.Maximum != nil {
		kind += fmt.Sprintf(", at most %v", *s.Maximum)
	}
	if s.MaxLength != nil {
		kind += fmt.Sprintf(", at most %d characters", *s.MaxLength)
	}
	if s.MaxItems != nil {
		kind += fmt.Sprintf(", at most %d", *s.MaxItems)
	}
	return strings.TrimPrefix(kind, ", ")
}

// parameter, response and endpoint are what the reference shows of an operation.
type parameter struct {
	Name, Description string
	In                string
	Required          bool
	Schema            schema
	Example           any
}

// Value is what the form begins with. A filter is left empty: it would outlast the query
// that it was made for.
func (p parameter) Value() any {
	if _, list := p.Example.([]any); list {
		return ""
	}
	return p.Example
}

type response struct {
	Ref         string `json:"$ref"`
	Status      string `json:"-"`
	Description string
	Content     map[string]struct {
		Schema   schema
		Examples members
	}
}

type endpoint struct {
	ID          string `json:"operationId"`
	Summary     string
	Description string
	Parameters  []parameter
	Answers     members    `json:"responses"`
	Path        string     `json:"-"` // as in the document, such as /api/articles
	Action      string     `json:"-"` // the same, relative to the page
	Sample      string     `json:"-"` // the same with the example of what stands in the path
	Responses   []response `json:"-"`
}

// property is one of a named schema.
type property struct {
	Name     string
	Required bool
	schema
}

type namedSchema struct {
	Name, Description string
	Extends           []string // the schemas whose fields it has too
	Properties        []property
}

// reference returns the OpenAPI document as a page.
func (v view) reference(openAPI []byte) ([]File, error) {
	var doc struct {
		Info  struct{ Version string }
		Paths map[string]struct {
			Get endpoint
		}
		Components struct {
			Schemas   members
			Responses map[string]response
		}
	}
	if err := json.Unmarshal(openAPI, &doc); err != nil {
		return nil, fmt.Errorf("read OpenAPI document: %w", err)
	}
	data := struct {
		view
		Version   string
		Endpoints []endpoint
		Schemas   []namedSchema
	}{view: v, Version: doc.Info.Version}
	paths := []string{article.SearchOperation, article.ArticleOperation, article.MarkdownOperation, article.HealthOperation}
	if v.WithoutMarkdown {
		paths = slices.Delete(paths, 2, 3)
	}
	for _, path := range paths {
		e := doc.Paths[path].Get
		e.Path, e.Action, e.Sample = path, ".."+path, ".."+path
		for _, p := range e.Parameters {
			if p.In == "path" {
				e.Sample = strings.ReplaceAll(e.Sample, "{"+p.Name+"}", fmt.Sprint(p.Example))
			}
		}
		for _, m := range e.Answers {
			var r response
			if err := json.Unmarshal(m.Value, &r); err != nil {
				return nil, fmt.Errorf("read response %s of %s: %w", m.Name, path, err)
			}
			if r.Ref != "" {
				r = doc.Components.Responses[r.Ref[strings.LastIndexByte(r.Ref, '/')+1:]]
			}
			r.Status = m.Name
			e.Responses = append(e.Responses, r)
		}
		data.Endpoints = append(data.Endpoints, e)
	}
	for _, m := range doc.Components.Schemas {
		var s schema
		if err := json.Unmarshal(m.Value, &s); err != nil {
			return nil, fmt.Errorf("read schema %s: %w", m.Name, err)
		}
		named, err := nameSchema(m.Name, s)
		if err != nil {
			return nil, err
		}
		data.Schemas = append(data.Schemas, named)
	}
	html, err := fill("docs.html.tmpl", data)
	return []File{{"docs/index.html", html}}, err
}

// nameSchema lists the properties of a schema, and of those that it consists of.
func nameSchema(name string, s schema) (namedSchema, error) {
	named := namedSchema{Name: name, Description: s.Description}
	for _, part := range append(slices.Clone(s.AllOf), s) {
		if part.Ref != "" {
			named.Extends = append(named.Extends, part.name())
		}
		for _, m := range part.Properties {
			p := property{Name: m.Name}
			if err := json.Unmarshal(m.Value, &p.schema); err != nil {
				return named, fmt.Errorf("read property %s of %s: %w", m.Name, name, err)
			}
			p.Required = slices.Contains(part.Required, m.Name)
			named.Properties = append(named.Properties, p)
		}
	}
	return named, nil
}

// Examples are the bodies of a response, indented, by their names.
func (r response) Examples() ([]example, error) {
	var all []example
	for _, media := range slices.Sorted(maps.Keys(r.Content)) {
		for _, m := range r.Content[media].Examples {
			var e struct {
				Summary string
				Value   json.RawMessage
			}
			if err := json.Unmarshal(m.Value, &e); err != nil {
				return nil, fmt.Errorf("read example %s: %w", m.Name, err)
			}
			var b bytes.Buffer
			var text string
			if json.Unmarshal(e.Value, &text) == nil {
				b.WriteString(text)
			} else if err := json.Indent(&b, e.Value, "", "  "); err != nil {
				return nil, fmt.Errorf("indent example %s: %w", m.Name, err)
			}
			if e.Summary == "" {
				e.Summary = m.Name
			}
			all = append(all, example{e.Summary, b.String()})
		}
	}
	return all, nil
}

type example struct{ Summary, Body string }

// Body names the schema of a response's body, and its media type; empty where there is none.
func (r response) Body() string {
	var bodies []string
	for _, media := range slices.Sorted(maps.Keys(r.Content)) {
		bodies = append(bodies, r.Content[media].Schema.Kind()+" ("+media+")")
	}
	return strings.Join(bodies, ", ")
}

package article

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"text/template"
	"unicode/utf8"
)

// Site is what the OpenAPI document says of the site.
type Site struct {
	// Title and Description are plain text; empty ones get a neutral text.
	Title, Description string
	// BaseURL is the address of the site, without a slash at its end.
	BaseURL string
	License *License
	Contact *Contact
	// WithoutMarkdown says that articles have no Markdown twins.
	WithoutMarkdown bool
}

// Named returns the site with a neutral title and description where it has none.
func (s Site) Named() Site {
	s.Title = cmp.Or(s.Title, "Articles of this site")
	s.Description = cmp.Or(s.Description, "The published articles of one site, to search and to read. Read-only and open: no key, no sign-up.")
	return s
}

// License says under which terms the articles may be used.
type License struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier,omitempty"` // SPDX; excludes URL
	URL        string `json:"url,omitempty"`
}

// Contact says whom to ask about the API.
type Contact struct {
	Name  string `json:"name,omitempty"`
	URL   string `json:"url,omitempty"`
	Email string `json:"email,omitempty"`
}

//go:embed openapi.json.tmpl
var openAPITemplate string

// exampleLimit keeps the executed example of a search small.
const exampleLimit = 3

// OpenAPI returns the OpenAPI 3.1.0 document of a site's API: the three operations and the Markdown
// twins, their limits, their answers and an example of each that the site really gives. example is
// one published article, nil where there is none; health is the health document of the same build.
// The document depends on nothing else.
func OpenAPI(site Site, health Health, example *Article) ([]byte, error) {
	problems := map[string]Problem{}
	for _, k := range Kinds() {
		problems[string(k)] = NewProblem(site.BaseURL, k)
	}
	for kind, wrong := range map[Kind]ParameterError{
		InvalidQuery:    {"q", fmt.Sprintf("q may have at most %d words, got %d", MaxQueryTerms, MaxQueryTerms+1)},
		InvalidLimit:    {"limit", fmt.Sprintf(`limit must be a whole number from 1 to %d, got "abc"`, MaxLimit)},
		InvalidOffset:   {"offset", fmt.Sprintf(`offset must be a whole number from 0 to %d, got "-1"`, MaxOffset)},
		InvalidTag:      {"tag", fmt.Sprintf("tag may have at most %d characters, got %d", MaxTagRunes, MaxTagRunes+1)},
		InvalidLanguage: {"language", `language must be a BCP 47 tag such as en or pt-BR, got "en_GB"`},
	} {
		problems[string(kind)] = NewProblem(site.BaseURL, kind, wrong)
	}
	data := map[string]any{
		"Site": site.Named(), "Version": APIVersion, "MarkdownOperation": MarkdownOperation, "Problems": problems,
		"DefaultLimit": DefaultLimit, "MaxLimit": MaxLimit, "MaxQueryRunes": MaxQueryRunes, "MaxQueryTerms": MaxQueryTerms,
		"MaxIDBytes": MaxIDBytes, "MaxSummaryRunes": MaxSummaryRunes, "MaxExcerptRunes": MaxExcerptRunes,
		"MaxOffset": MaxOffset, "MaxFilterValues": MaxFilterValues, "MaxTagRunes": MaxTagRunes, "MaxLanguageBytes": MaxLanguageBytes,
		"ExampleQuery": "", "ExampleLimit": exampleLimit, "ExampleTags": []string{}, "ExampleLanguages": []string{"en"}, "ExampleID": "an-article",
		"FoundExample": nil, "NothingExample": SearchResult{Limit: DefaultLimit, Revision: health.Revision, Articles: []Hit{}},
		"ArticleExample": example, "MarkdownExample": "", "HealthExample": health,
	}
	if example != nil {
		found, err := exampleResult(health.Revision, *example)
		if err != nil {
			return nil, err
		}
		data["ExampleID"], data["ExampleLanguages"], data["MarkdownExample"] = example.ID, []string{example.Language}, string(example.Markdown())
		if i := slices.IndexFunc(example.Tags, func(tag string) bool { return utf8.RuneCountInString(tag) <= MaxTagRunes }); i >= 0 {
			data["ExampleTags"] = example.Tags[i : i+1]
		}
		if Searchable(example.Title) {
			data["ExampleQuery"], data["FoundExample"] = example.Title, found
		}
	}
	inline := func(v any) (string, error) { b, err := Encode(v); return string(b), err }
	// A character is two units of UTF-16 at most, which many clients count in its place.
	units := func(runes int) int { return 2 * runes }
	t := template.Must(
		template.New("openapi").Option("missingkey=error").Funcs(template.FuncMap{"json": inline, "units": units}).Parse(openAPITemplate),
	)
	var raw, doc bytes.Buffer
	if err := t.Execute(&raw, data); err != nil {
		return nil, fmt.Errorf("fill OpenAPI template: %w", err)
	}
	if err := json.Indent(&doc, raw.Bytes(), "", "  "); err != nil {
		return nil, fmt.Errorf("indent OpenAPI document: %w", err)
	}
	return doc.Bytes(), nil
}

// exampleResult is what a search for the article's title shows first.
func exampleResult(revision string, a Article) (*SearchResult, error) {
	line, err := Encode(a)
	if err != nil {
		return nil, err
	}
	excerpt := []rune(a.Summary)
	excerpt = excerpt[:min(len(excerpt), MaxExcerptRunes)]
	hit := Hit{Meta: a.Meta, Excerpt: string(excerpt), ExcerptHTML: template.HTMLEscapeString(string(excerpt)), Digest: Digest(line)}
	return &SearchResult{Count: 1, Total: 1, Limit: exampleLimit, Revision: revision, Articles: []Hit{hit}}, nil
}

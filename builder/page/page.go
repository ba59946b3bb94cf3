package page

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	texttemplate "text/template"
	"time"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
)

//go:embed assets
var assets embed.FS

// Site is what the documents say of the site.
type Site struct {
	article.Site
	// Language is the BCP 47 tag of articles that name none.
	Language string
	// TimeZone is that of the dates that people see; nil is UTC.
	TimeZone *time.Location
}

func (s Site) zone() *time.Location { return cmp.Or(s.TimeZone, time.UTC) }

// File is one document: its path in the published folder, and its bytes.
type File struct {
	Path string
	Data []byte
}

// Documents returns all documents, sorted by path; updated is the newest date of any
// article.
func Documents(site Site, set *Set, updated time.Time) ([]File, error) {
	site.Site = site.Named()
	newest, err := set.read()
	if err != nil {
		return nil, err
	}
	v := newView(site, set.articles, newest)
	documents := []func() ([]File, error){
		v.page,
		v.reference,
		func() ([]File, error) { return v.feeds(newest, updated) },
		func() ([]File, error) {
			return sitemap(site.BaseURL, set.sitePages(site.BaseURL), maxSitemapURLs, maxSitemapBytes)
		},
		v.wellKnown,
	}
	made := make([][]File, len(documents))
	var making errgroup.Group
	for i, document := range documents {
		making.Go(func() (err error) {
			made[i], err = document()
			return err
		})
	}
	if err := making.Wait(); err != nil {
		return nil, err
	}
	files := slices.Concat(made...)
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

// view is what the templates show.
type view struct {
	Site
	Total      int
	Articles   []card // the newest PageLength
	Operations []operation
	LinkedData map[string]any
}

// card is an article in a list.
type card struct {
	article.Meta
	// Href is the address of the human page, or of the article's document, relative.
	Href string
	// Document is the address of the article's document, relative.
	Document string
	// Markdown is that of its Markdown twin, relative; empty where there is none.
	Markdown string
	// HasPage says whether Href is a page.
	HasPage bool
	Date    string // 2026-11-21, or empty
	By      string // the authors, or empty
}

// operation is one of the three, with an example that can be followed and copied.
type operation struct {
	Name, What, Form string
	// Example is a path with its query, below the base URL.
	Example string
}

func newView(site Site, total int, newest []article.Article) view {
	v := view{Site: site, Total: total}
	query, id := "example", "an-article"
	if len(newest) > 0 {
		id = newest[0].ID
		if article.Searchable(newest[0].Title) {
			query = newest[0].Title
		}
	}
	for _, a := range newest[:min(len(newest), PageLength)] {
		document := strings.TrimPrefix(article.ArticleOperation, "/") + "?id=" + a.ID
		c := card{Meta: a.Meta, Href: document, Document: document}
		if !site.WithoutMarkdown {
			c.Markdown = article.MarkdownPath(a.ID)
		}
		if a.URL != "" && !isDocument(site.BaseURL, a.URL) {
			c.Href, c.HasPage = a.URL, true
		}
		if !a.DatePublished.IsZero() {
			c.Date = a.DatePublished.In(site.zone()).Format(time.DateOnly)
		}
		names := make([]string, len(a.Authors))
		for i, author := range a.Authors {
			names[i] = author.Name
		}
		c.By = strings.Join(names, ", ")
		v.Articles = append(v.Articles, c)
	}
	v.Operations = []operation{
		{"Search", "Ranked articles with excerpts. The last word may be unfinished, and a typo is forgiven.",
			"GET " + article.SearchOperation + "?q=&limit=", article.SearchOperation + "?q=" + url.QueryEscape(query) + "&limit=3"},
		{"Read", "One article by its id: title, dates, authors, tags, HTML and plain text.",
			"GET " + article.ArticleOperation + "?id=", article.ArticleOperation + "?id=" + id},
		{"Watch", "The revision that is published, and how many articles it has.",
			"GET " + article.HealthOperation, article.HealthOperation},
	}
	v.LinkedData = v.linkedData()
	return v
}

// Curl is the command line of a request, for a shell.
func (v view) Curl(path string) string {
	return "curl '" + strings.ReplaceAll(v.BaseURL+path, "'", "%27") + "'"
}

// linkedData describes the site and its API in the words of schema.org.
func (v view) linkedData() map[string]any {
	home := v.BaseURL + "/"
	site := map[string]any{
		"@type": "WebSite", "@id": home + "#site", "url": home, "name": v.Title, "description": v.Description, "inLanguage": v.Language,
		"potentialAction": map[string]any{
			"@type":       "SearchAction",
			"target":      map[string]any{"@type": "EntryPoint", "urlTemplate": home + "?q={search_term_string}"},
			"query-input": "required name=search_term_string",
		},
	}
	if v.License != nil && v.License.URL != "" {
		site["license"] = v.License.URL
	}
	api := map[string]any{
		"@type": "WebAPI", "@id": home + "#api", "name": v.Title, "description": v.Description, "url": home,
		"documentation": home + "docs/", "provider": map[string]any{"@id": home + "#site"},
	}
	return map[string]any{"@context": "https://schema.org", "@graph": []any{site, api}}
}

// page returns the page and what it is made of.
func (v view) page() ([]File, error) {
	index, err := fillHTML("index.html.tmpl", v)
	if err != nil {
		return nil, err
	}
	llms, err := fillText("llms.txt.tmpl", v)
	if err != nil {
		return nil, err
	}
	files, err := ready("page", "app.css", "app.js", "icon.svg")
	for i := range files { // no other asset has this line
		files[i].Data = bytes.Replace(files[i].Data, []byte(`const timeZone = "UTC";`), fmt.Appendf(nil, "const timeZone = %q;", v.zone()), 1)
	}
	return append(files, File{"index.html", index}, File{"llms.txt", llms}), err
}

// ready returns assets that are published in a folder as they are, except that scripts are made
// light.
func ready(folder string, names ...string) (files []File, err error) {
	for _, name := range names {
		data, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		if path.Ext(name) == ".js" {
			data = light(data)
		}
		files = append(files, File{folder + "/" + name, data})
	}
	return files, nil
}

// light strips a script of its indents, and of its comments but for the first, which says how to
// use it. It knows only comments that stand alone on their lines; no string in a script spans
// lines.
func light(script []byte) []byte {
	var b bytes.Buffer
	use := true // still in the first comment
	for line := range bytes.Lines(script) {
		trimmed := bytes.TrimLeft(line, " ")
		comment := bytes.HasPrefix(trimmed, []byte("//"))
		use = use && comment
		switch {
		case use:
			b.Write(line)
		case !comment && len(bytes.TrimSpace(trimmed)) > 0:
			b.Write(trimmed)
		}
	}
	return b.Bytes()
}

func fillHTML(name string, data any) ([]byte, error) {
	return fill(template.Must(template.ParseFS(assets, "assets/"+name)), data)
}

func fillText(name string, data any) ([]byte, error) {
	t := texttemplate.New(name).Funcs(texttemplate.FuncMap{"line": article.MarkdownLine})
	return fill(texttemplate.Must(t.ParseFS(assets, "assets/"+name)), data)
}

// fill executes a template of HTML or of plain text.
func fill(t interface{ Execute(io.Writer, any) error }, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("fill template: %w", err)
	}
	return b.Bytes(), nil
}

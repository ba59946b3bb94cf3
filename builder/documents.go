package builder

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"path/filepath"

	"newsstand/builder/article"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

//go:embed problem.html.tmpl
var problemPage string

// documents ends the corpus and adds the documents around it. It returns a warning
// for each that cannot be published.
func (b *builder) documents(w *publication.Writer, folder *source.Folder, t totals) ([]source.Problem, error) {
	base := folder.Site.BaseURL
	revision, articles, err := w.EndCorpus(folder.Settings)
	if err != nil {
		return nil, err
	}
	health := publication.NewHealth(base, revision, articles, t.newest)
	if err := put(w, article.HealthPath, health); err != nil {
		return nil, err
	}
	var example *article.Article
	if t.example != nil {
		example = new(article.Article)
		if err := json.Unmarshal(t.example, example); err != nil {
			return nil, fmt.Errorf("read the example of the OpenAPI document: %w", err)
		}
	}
	openAPI, err := article.OpenAPI(folder.Site.Site, health, example)
	if err != nil {
		return nil, err
	}
	if err := w.Put(article.OpenAPIPath, openAPI); err != nil {
		return nil, err
	}
	page, err := template.New("problem").Parse(problemPage)
	if err != nil {
		return nil, fmt.Errorf("parse the page of a problem: %w", err)
	}
	for _, k := range article.Kinds() {
		if err := put(w, article.ErrorPath(k), article.NewProblem(base, k)); err != nil {
			return nil, err
		}
		var html bytes.Buffer
		err := page.Execute(&html, struct {
			article.Problem
			Mend, OpenAPI string
		}{article.NewProblem(base, k), k.Mend(), article.OpenAPIOperation})
		if err != nil {
			return nil, fmt.Errorf("fill the page of a problem: %w", err)
		}
		if err := w.Put(article.ProblemPagePath(k), html.Bytes()); err != nil {
			return nil, err
		}
	}
	// The host answers with this file, and its status 404, where no rule and no file fits.
	if err := put(w, article.NotFoundPath, article.NewProblem(base, article.NotFound)); err != nil {
		return nil, err
	}
	var problems []source.Problem
	for _, name := range w.Foreign() {
		file, err := fromContent(b.options, name)
		if err != nil {
			return nil, err
		}
		problems = append(problems, source.Problem{
			Path: file, Severity: source.Warning,
			What: "this file was not made by the builder and stays, in place of the builder's own",
			Hint: "remove or rename it if you did not put it there on purpose",
		})
	}
	return problems, nil
}

// fromContent is the path of a published file as problems have it, relative to the
// content folder.
func fromContent(o Options, name string) (string, error) {
	content, err := filepath.Abs(o.Content)
	if err != nil {
		return "", fmt.Errorf("find content folder: %w", err)
	}
	public, err := filepath.Abs(o.Public)
	if err != nil {
		return "", fmt.Errorf("find public folder: %w", err)
	}
	file, err := filepath.Rel(content, filepath.Join(public, name))
	if err != nil { // on another volume
		file = filepath.Join(public, name)
	}
	return filepath.ToSlash(file), nil
}

func put(w *publication.Writer, name string, document any) error {
	data, err := article.Encode(document)
	if err != nil {
		return err
	}
	return w.Put(name, data)
}

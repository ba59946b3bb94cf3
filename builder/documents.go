package builder

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"newsstand/builder/article"
	"newsstand/builder/page"
	"newsstand/builder/publication"
	"newsstand/builder/source"
)

//go:embed problem.html.tmpl
var problemPage string

// documents ends the corpus and adds the documents around it. It returns a warning
// for each that cannot be published.
func (b *attempt) documents(content fs.FS, t totals) ([]source.Problem, error) {
	revision, articles, err := b.writer.EndCorpus(b.folder.Settings)
	if err != nil {
		return nil, err
	}
	if err := b.describe(revision, articles, t); err != nil {
		return nil, err
	}
	site := b.folder.Site
	files, err := problemPages(site.BaseURL)
	if err != nil {
		return nil, err
	}
	var packed []page.Packed
	if !site.WithoutPage {
		packed = page.Library()
		made, err := page.Documents(page.Site{Site: site.Site, Language: site.Language, TimeZone: site.TimeZone}, &t.set, t.newest)
		if err != nil {
			return nil, err
		}
		files = append(files, made...)
	}
	own, problems, err := ownFiles(content)
	if err != nil {
		return nil, contentError(b.options.Content, err)
	}
	made := []string{article.OpenAPIPath}
	for _, f := range files {
		made = append(made, f.Path)
	}
	for _, p := range packed {
		made = append(made, p.Path)
	}
	own, unfit := fitting(own, made)
	problems = append(problems, unfit...)
	if err := putAll(b.writer, files, packed, own); err != nil {
		return nil, err
	}
	foreign, err := b.foreign()
	return append(problems, foreign...), err
}

// describe adds the documents that describe the API: health, the OpenAPI document and the problem
// documents.
func (b *attempt) describe(revision string, articles int, t totals) error {
	w, site := b.writer, b.folder.Site
	health := article.NewHealth(site.BaseURL, revision, articles, t.newest)
	if err := put(w, article.HealthPath, health); err != nil {
		return err
	}
	var example *article.Article
	if e := t.example; e.size > 0 {
		if e.line == nil {
			var err error
			if e.line, err = t.set.Load(e.id); err != nil {
				return err
			}
		}
		a, err := article.Decode(e.line)
		if err != nil {
			return fmt.Errorf("read the example of the OpenAPI document: %w", err)
		}
		example = &a
	}
	openAPI, err := article.OpenAPI(site.Site, health, example)
	if err != nil {
		return err
	}
	if err := w.Put(article.OpenAPIPath, openAPI); err != nil {
		return err
	}
	for _, k := range article.Kinds() {
		if err := put(w, article.ErrorPath(k), article.NewProblem(site.BaseURL, k)); err != nil {
			return err
		}
	}
	return nil
}

// foreign returns a warning for each document that another program's file keeps from being
// published.
func (b *attempt) foreign() (problems []source.Problem, err error) {
	for _, name := range b.writer.Foreign() {
		file, err := fromContent(b.options, name)
		if err != nil {
			return nil, err
		}
		problems = append(problems, source.Problem{
			Path: file, Severity: source.Warning,
			What: "this file is not known to be the builder's and stays, in place of its own",
			Hint: "remove or rename it if you did not put it there on purpose; page: false in site.yaml leaves the builder's pages, feeds and sitemap out",
		})
	}
	return problems, nil
}

// problemPages are the pages of the problems, and the document of what is not there.
func problemPages(base string) ([]page.File, error) {
	t := template.Must(template.New("problem").Parse(problemPage))
	var files []page.File
	for _, k := range article.Kinds() {
		var html bytes.Buffer
		err := t.Execute(&html, struct {
			article.Problem
			Hint, OpenAPI string
		}{article.NewProblem(base, k), k.Hint(), base + article.OpenAPIOperation})
		if err != nil {
			return nil, fmt.Errorf("fill the page of a problem: %w", err)
		}
		files = append(files, page.File{Path: article.ProblemPagePath(k), Data: html.Bytes()})
	}
	// The host answers with this file, and its status 404, where no rule and no file fits.
	missing, err := article.Encode(article.NewProblem(base, article.NotFound))
	return append(files, page.File{Path: article.NotFoundPath, Data: missing}), err
}

// putAll adds the builder's files, and the site's own in place of those with the same
// path.
func putAll(w *publication.Writer, made []page.File, packed []page.Packed, own []page.File) error {
	replaced := map[string]bool{}
	for _, f := range own {
		replaced[f.Path] = true
	}
	// The first build unpacks while it writes the others.
	var unpacking errgroup.Group
	unpacked := make([]page.File, len(packed))
	for i, p := range packed {
		if replaced[p.Path] || w.Keep(p.Path, p.SHA256) {
			continue
		}
		unpacking.Go(func() error {
			data, err := p.Unpack()
			unpacked[i] = page.File{Path: p.Path, Data: data}
			return err
		})
	}
	putFiles := func(files []page.File) error {
		for _, f := range files {
			if err := w.Put(f.Path, f.Data); err != nil {
				return err
			}
		}
		return nil
	}
	made = slices.DeleteFunc(made, func(f page.File) bool { return replaced[f.Path] })
	err := putFiles(append(made, own...))
	if err := errors.Join(err, unpacking.Wait()); err != nil {
		return err
	}
	return putFiles(slices.DeleteFunc(unpacked, func(f page.File) bool { return f.Path == "" }))
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

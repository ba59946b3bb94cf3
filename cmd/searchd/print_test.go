package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"newsstand/builder/article"
	"newsstand/searchd"
	"newsstand/searchd/index"
)

// What articles say commands no terminal.
func TestPrintPlainly(t *testing.T) {
	const evil = "a\x1b[2J\u202eb"
	for name, print := range map[string]func(io.Writer) error{
		"a result": func(w io.Writer) error {
			hit := article.Hit{Excerpt: evil}
			hit.Title, hit.Tags, hit.URL = evil, []string{evil}, evil
			why := index.Explanation{Words: []index.ExplainedWord{{Word: evil}}, Articles: []index.ExplainedArticle{{}}}
			return printResult(w, article.SearchResult{Suggestion: evil, Articles: []article.Hit{hit}}, why)
		},
		"a report": func(w io.Writer) error {
			return printReport(w, searchd.Report{Checks: []searchd.Check{{Offenders: []searchd.Offender{{Query: evil}}}}}, checkOptions{})
		},
	} {
		var w bytes.Buffer
		if err := print(&w); err != nil || strings.ContainsAny(w.String(), "\x1b\u202e") || !strings.Contains(w.String(), `a\x1b[2J\u202eb`) {
			t.Errorf("%s: %v, %q", name, err, w.String())
		}
	}
}

// The factor of an article is not called a boost alone: nobody gave the articles in the main
// language of the site one, and they have a factor.
func TestPrintFactor(t *testing.T) {
	var b strings.Builder
	printScore(&b, index.ExplainedArticle{TitleFactor: 1, Boost: 1.1})
	if want := "boost of the article, and the main language of the site: ×1.10"; !strings.Contains(b.String(), want) {
		t.Errorf("%q lacks %q", b.String(), want)
	}
}

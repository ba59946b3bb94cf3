package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"newsstand/builder/article"
	"newsstand/cmd/commandline"
	"newsstand/searchd/index"
)

// printResult prints a result for people: how the words were understood, the rungs, then a
// paragraph for each article, with what it is and where its score comes from.
func printResult(stdout io.Writer, r article.SearchResult, e index.Explanation) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d articles, revision %.12s\n", r.Count, r.Total, r.Revision)
	if r.Suggestion != "" {
		fmt.Fprintf(&b, "suggestion: %s\n", r.Suggestion)
	}
	printWords(&b, e)
	for i, hit := range r.Articles {
		fmt.Fprintf(&b, "\n%d. %s\n", e.Articles[i].Rank, hit.Title)
		about := []string{hit.ID}
		if !hit.DatePublished.IsZero() {
			about = append(about, hit.DatePublished.Format(time.DateOnly))
		}
		if len(hit.Tags) > 0 {
			about = append(about, strings.Join(hit.Tags, ", "))
		}
		fmt.Fprintf(&b, "   %s\n", strings.Join(about, " · "))
		if hit.URL != "" {
			fmt.Fprintf(&b, "   %s\n", hit.URL)
		}
		fmt.Fprintf(&b, "   %s\n", hit.Excerpt)
		printScore(&b, e.Articles[i])
	}
	_, err := io.WriteString(stdout, commandline.Plain(b.String()))
	return err
}

// printWords prints how the words were looked for, and what each rung gave.
func printWords(b *strings.Builder, e index.Explanation) {
	if len(e.Words) > 0 {
		b.WriteString("\nwords\n")
	}
	for _, w := range e.Words {
		if w.Optional {
			fmt.Fprintf(b, "  %s: not looked for; it adds little to the others\n", w.Word)
			continue
		}
		fmt.Fprintf(b, "  %s\n", w.Word)
		if len(w.Ways) == 0 {
			b.WriteString("    no article has it\n")
		}
		for _, way := range w.Ways {
			fmt.Fprintf(b, "    %-9s %5d articles, worth up to %.2f: %s\n", way.Way, way.Articles, way.Weight, shortList(way.Terms))
		}
	}
	for _, p := range e.Phrases {
		fmt.Fprintf(b, "  looked for as a phrase: %s\n", p)
	}
	for _, p := range e.Dropped {
		fmt.Fprintf(b, "  no article has the phrase, so its words were searched: %s\n", p)
	}
	for _, p := range e.Without {
		fmt.Fprintf(b, "  must not have: %s\n", p)
	}
	if len(e.Rungs) > 0 {
		b.WriteString("\nrungs\n")
	}
	for _, r := range e.Rungs {
		fmt.Fprintf(b, "  %-21s %5d\n", r.Rung, r.Articles)
	}
}

// printScore prints where the score of one article comes from.
func printScore(b *strings.Builder, a index.ExplainedArticle) {
	fmt.Fprintf(b, "   score %.2f · %s\n", a.Score, a.Rung)
	for _, w := range a.Words {
		fmt.Fprintf(b, "     %s:", w.Word)
		for _, way := range slices.Sorted(maps.Keys(w.Scores)) {
			fmt.Fprintf(b, " %s %.2f", way, w.Scores[way])
		}
		var fields []string
		for _, name := range []string{"title", "tags", "summary", "text"} {
			if n := w.Fields[name]; n > 0 {
				fields = append(fields, fmt.Sprintf("%s %d", name, n))
			}
		}
		fmt.Fprintf(b, "   (%s)\n", strings.Join(fields, ", "))
	}
	if a.Phrase != 0 {
		fmt.Fprintf(b, "     the query, word for word: +%.2f\n", a.Phrase)
	}
	if a.TitleFactor != 1 {
		fmt.Fprintf(b, "     title has the words of the query, begins with it, is a part of it, or is it but for a typo: ×%.2f\n", a.TitleFactor)
	}
	if a.Boost != 1 {
		fmt.Fprintf(b, "     boost of the article, and the main language of the site: ×%.2f\n", a.Boost)
	}
	if a.Near != 0 {
		fmt.Fprintf(b, "     words near each other: +%.2f\n", a.Near)
	}
}

// shortList joins a few of the terms.
func shortList(terms []string) string {
	const most = 6
	if more := len(terms) - most; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(terms[:most], ", "), more)
	}
	return strings.Join(terms, ", ")
}

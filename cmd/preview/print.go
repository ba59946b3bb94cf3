package main

import (
	"fmt"
	"io"
	"strings"

	"newsstand/builder"
	"newsstand/builder/source"
	"newsstand/cmd/commandline"
	"newsstand/cmd/commandline/problems"
)

// printer says what builds found.
type printer struct {
	stderr  io.Writer
	content string
	news    problems.News
}

// print says what one build found: every new problem with its place and how to fix
// it, and one line about the rest; that one alone says that all problems are fixed.
func (p *printer) print(r builder.Report, err error) {
	p.news.Print(p.stderr, p.content, r.Problems)
	if err != nil {
		commandline.PrintError(p.stderr, fmt.Errorf("build: %w", err))
		return
	}
	fmt.Fprintf(p.stderr, "built: %d published, %d not; %d files written, %d removed\n", r.Published, notPublished(r), r.Written, r.Removed)
	if len(r.Kept) > 0 {
		fmt.Fprintf(p.stderr, "kept: %s, as published before, until the files are fixed\n", strings.Join(r.Kept, ", "))
	}
}

// notPublished counts the articles that are drafts, future, expired, or invalid and not
// kept as they were.
func notPublished(r builder.Report) int {
	n := -r.Published
	for status, files := range r.Files {
		if status != source.NotArticle {
			n += files
		}
	}
	return n
}

package main

import (
	"fmt"
	"io"

	"newsstand/builder"
	"newsstand/builder/source"
)

// printBuild says what a build found: every problem with its place and the way to mend
// it, and one line about the rest; that one alone says that all problems are mended.
func printBuild(w io.Writer, r builder.Report, err error) {
	for _, p := range r.Problems {
		fmt.Fprintln(w, p)
	}
	if err != nil {
		printError(w, fmt.Errorf("build: %w", err))
		return
	}
	fmt.Fprintf(w, "built: %d published, %d not; %d files written, %d removed\n", r.Published, notPublished(r), r.Written, r.Removed)
	if len(r.Kept) > 0 {
		fmt.Fprintf(w, "still as it was, until its mistake is mended: %v\n", r.Kept)
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

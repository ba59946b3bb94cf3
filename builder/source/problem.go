package source

import (
	"cmp"
	"fmt"

	"newsstand/builder/source/frontmatter"
)

// Severity says what a problem does to its file.
type Severity int

// A warning leaves the file published; an error does not.
const (
	Warning Severity = iota
	Error
)

// String returns "warning" or "error".
func (s Severity) String() string {
	if s == Error {
		return "error"
	}
	return "warning"
}

// MarshalText writes a severity by its name, in JSON as well.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Problem is one thing that an author should fix.
type Problem struct {
	// Path is relative to the content folder, with slashes.
	Path string `json:"path"`
	// Line and Column count from 1, in characters; 0 where the whole file is meant.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Severity is Error where the problem keeps its file from being published.
	Severity Severity `json:"severity"`
	// What is the problem in one sentence, without a full stop.
	What string `json:"what"`
	// Hint says how to fix it; empty where What says all.
	Hint string `json:"hint,omitempty"`
}

// problemOf returns the problem of a mistake in a notation.
func problemOf(path string, e *frontmatter.Error, s Severity) Problem {
	return Problem{path, e.Line, e.Column, s, e.What, e.Hint}
}

// String is the problem as a compiler would print it, the hint on a line of its own:
//
//	posts/a.md:3:1: unknown key "tgas"
//		hint: did you mean "tags"?
func (p Problem) String() string {
	s := p.Place() + ": " + p.What
	if p.Hint != "" {
		s += "\n\thint: " + p.Hint
	}
	return s
}

// Place is the path, and the line and column that are known, as compilers print it.
func (p Problem) Place() string {
	switch {
	case p.Line <= 0:
		return p.Path
	case p.Column <= 0:
		return fmt.Sprintf("%s:%d", p.Path, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
}

// CompareProblems sorts by path, then place, then text.
func CompareProblems(a, b Problem) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.What, b.What),
	)
}

// doubt is how severe it is that an article may have been meant to be kept back. A generator
// publishes it all the same; where there is none, it waits for its author to say it.
func (s *Site) doubt() Severity {
	if s.isUnruled() {
		return Error
	}
	return Warning
}

// keyTwice is how severe it is that a file has a key twice: most generators refuse such a file.
func (s *Site) keyTwice() Severity {
	if s.generator == jekyll || s.generator == hugo || s.rules.mkdocs {
		return Warning
	}
	return Error
}

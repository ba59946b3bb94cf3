package source

import (
	"cmp"
	"fmt"

	"newsstand/builder/source/frontmatter"
)

// Severity says what a problem does to its file.
type Severity int

// A warning does not keep the file from being published; an error does.
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

// MarshalText returns the name of the severity, in JSON as well.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Problem is one thing that an author should fix.
type Problem struct {
	// Path is relative to the content folder, with slashes.
	Path string `json:"path"`
	// Line and Column count from 1, Column in characters. They are 0 if the problem concerns the
	// whole file.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
	// Severity is Error if the problem keeps its file from being published.
	Severity Severity `json:"severity"`
	// What is the problem in one sentence, without a full stop.
	What string `json:"what"`
	// Hint says how to fix the problem; empty if What says it all.
	Hint string `json:"hint,omitempty"`
}

// problemOf returns the problem of a syntax error.
func problemOf(path string, e *frontmatter.Error, s Severity) Problem {
	return Problem{path, e.Line, e.Column, s, e.What, e.Hint}
}

// String returns the problem as a compiler would print it, with the hint on a line of its own:
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

// Place returns the path, and the line and column if known, as compilers print them.
func (p Problem) Place() string {
	switch {
	case p.Line <= 0:
		return p.Path
	case p.Column <= 0:
		return fmt.Sprintf("%s:%d", p.Path, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
}

// CompareProblems compares by path, then place, then severity, errors first, then text.
func CompareProblems(a, b Problem) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(b.Severity, a.Severity),
		cmp.Compare(a.What, b.What),
	)
}

// doubt returns how severe it is if an article may have been meant to be kept back. A generator
// would publish it all the same; without one, it is not published until its author decides.
func (s *Site) doubt() Severity {
	if s.isUnruled() {
		return Error
	}
	return Warning
}

// keyTwice returns how severe it is if a file has a key twice. Most generators refuse such a file.
func (s *Site) keyTwice() Severity {
	if s.generator == jekyll || s.generator == hugo || s.rules.mkdocs {
		return Warning
	}
	return Error
}

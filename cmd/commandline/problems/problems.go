// Package problems prints what authors should fix, as compilers print it:
//
//	content/a.md:3:8: error: date is "soon", which is not a date
//	    hint: write a date as 2006-01-02
//
// It is apart from package commandline because searchd never sees content.
package problems

import (
	"fmt"
	"io"
	"path"
	"path/filepath"

	"newsstand/builder/source"
	"newsstand/cmd/commandline"
)

// Print prints one problem of a file below a folder, with a path that can be opened.
func Print(w io.Writer, folder string, p source.Problem) {
	place := path.Join(filepath.ToSlash(folder), p.Place())
	colour := commandline.Yellow
	if p.Severity == source.Error {
		colour = commandline.Red
	}
	fmt.Fprintf(w, "%s: %s %s\n", commandline.PlainLine(place), commandline.Paint(w, colour, p.Severity.String()+":"), commandline.PlainLine(p.What))
	if p.Hint != "" {
		fmt.Fprintf(w, "    hint: %s\n", commandline.PlainLine(p.Hint))
	}
}

// News prints the problems of one build after another, each when it is new.
type News struct {
	known map[source.Problem]bool // those of the last build
}

// Print prints those problems of a build that the build before did not have.
func (n *News) Print(w io.Writer, folder string, problems []source.Problem) {
	known := make(map[source.Problem]bool, len(problems))
	for _, p := range problems {
		if known[p] = true; !n.known[p] {
			Print(w, folder, p)
		}
	}
	n.known = known
}

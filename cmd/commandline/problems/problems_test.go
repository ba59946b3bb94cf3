package problems_test

import (
	"bytes"
	"testing"

	"newsstand/builder/source"
	"newsstand/cmd/commandline/problems"
)

// Names and texts of a repository that anybody may send changes to command no terminal.
func TestPrintPlainly(t *testing.T) {
	var w bytes.Buffer
	problems.Print(&w, "content", source.Problem{Path: "a\x1b[2J\n.md", Line: 3, Severity: source.Error, What: "unknown\u202e key", Hint: "remove \x1b"})
	if got, want := w.String(), "content/a\\x1b[2J\\n.md:3: error: unknown\\u202e key\n    hint: remove \\x1b\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

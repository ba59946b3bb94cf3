package markdown

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"newsstand/builder/article/articletest"
)

// The time for a long text is linear in its length, whatever it holds.
func TestHostileText(t *testing.T) {
	articletest.WithoutRace(t)
	const size = 1 << 20
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)/2) }
	flavour := Flavour{Emojis: true, Lenient: true, Spaced: true, Names: true, Math: []Formula{{Open: "$", Close: "$"}}}
	var runs strings.Builder // of backquotes, each longer than the last
	for i := range 3000 {
		runs.WriteString(strings.Repeat("`", i) + " ")
	}
	for name, text := range map[string]string{
		"backquotes as text":    fill("\\``"),
		"longer backquotes":     runs.String(),
		"columns between tabs":  strings.Repeat("a\t", 2*size) + "b",
		"links with spaces":     fill("[a](/b c) ") + fill("![a](/b c 'd') "),
		"open brackets":         strings.Repeat("[", 3*size),
		"a table without cells": "|" + strings.Repeat("a|", 20_000) + "\n|" + strings.Repeat("-|", 20_000) + "\n" + strings.Repeat("|\n", 5000),
		"many such tables":      strings.Repeat("|"+strings.Repeat("a|", 1000)+"\n|"+strings.Repeat("-|", 1000)+"\n"+strings.Repeat("|\n", 90)+"\n", 30),
		"footnotes":             numbered("[^%x] ", 80_000) + "\n\n" + numbered("[^%x]: a\n\n", 80_000),
		"tags and other ends":   "a " + fill("<title>") + fill("</style>"),
		"colons and dollars":    fill(" :") + fill(" $"),
		"asterisks as text":     fill("a ** b ") + fill("`**a **a` ** "),
		"ids and a lost link":   "[a](#b.c) " + fill(`#id="x"`),
		"a table after a bar":   "a\n|\n|" + strings.Repeat("a|", 3000) + "\n|" + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("|\n", 1000),
	} {
		var r Rendered
		took := articletest.ProcessorTime(t, func() {
			r = New(flavour).Markdown([]byte(text), func(ref string) string { return ref })
		})
		t.Logf("%-21s %s", name, took.Round(time.Millisecond))
		if took > 10*time.Second || len(r.HTML) > 20*size {
			t.Errorf("%s: %s, %d bytes", name, took, len(r.HTML))
		}
	}
}

// The author is told what a text has too much of, and where.
func TestTooMuch(t *testing.T) {
	for what, text := range map[string]string{
		"deep within each other": strings.Repeat("> ", deepest+1) + "a",
		"marks of emphasis":      "a\n" + strings.Repeat("*a* ", mostMarks/2) + "\n*b*",
		"link definitions":       numbered("[%x]: /a\n", mostDefinitions+1),
		"backquotes":             "a " + strings.Repeat("`", mostTicks+1),
		"cells":                  "|" + strings.Repeat("a|", 1001) + "\n|" + strings.Repeat("-|", 1001) + "\n" + strings.Repeat("|\n", mostEmptyCells/1000),
		"footnotes":              strings.Repeat("[^0] ", 10_001) + "\n\n" + numbered("[^%x]: a\n\n", 10_001),
	} {
		r := New(Flavour{}).Markdown([]byte("# T\n\n*first* paragraph\n\n"+text+"\n\nlast paragraph\n"), func(ref string) string { return ref })
		if !strings.Contains(r.Cut.What, what) || strings.Contains(r.Cut.What, ", or") || r.Cut.Hint == "" || r.Cut.Line != 5 {
			t.Errorf("%s: %+v", what, r.Cut)
		}
	}
	if r := New(Flavour{}).Markdown([]byte("*a*"), func(ref string) string { return ref }); r.Cut != (Cut{}) {
		t.Errorf("of little: %+v", r.Cut)
	}
}

// numbered repeats a form with numbers from 0.
func numbered(form string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, form, i)
	}
	return b.String()
}

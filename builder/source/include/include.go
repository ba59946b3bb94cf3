// Package include replaces the marks with which a text includes other files by what these files
// hold, before anything else is read of the text, as the programs that know the marks do. It knows
// no folders: whoever calls it finds and reads the files.
//
// # Marks
//
//	Snippets    --8<-- "a.md", or names of files between two lines --8<--, of PyMdown Extensions;
//	            a.md:2:5 are lines, a.md:name is what stands between [start:name] and [end:name]
//	Braces      {!a.md!} of Markdown-Include; {!> a.md [ln:2-5] !} of mdx_include, {* a.py ln[2:5] *} of
//	            markdown-include-variants, which shows the lines as code
//	Book        {{#include a.rs}}, {{#rustdoc_include a.rs}} and {{#playground a.rs}} of mdBook;
//	            a.rs:2:5 are lines, a.rs:name is what stands between ANCHOR: name and ANCHOR_END: name
//	Liquid      {% include a.html x="text" %} and {% include_relative a.md %} of Jekyll; see liquid.go
//	Quoted      {% include "a.md" %} of GitBook and Eleventy, and {% include-markdown "a.md" %} of MkDocs, which
//	            may give start="mark", end="mark" and heading-offset=1
//	Comments    <!-- @include: a.md{2,5} --> and <<< a.js#region of VitePress, @[code](a.js) of VuePress
//	            and of its plugin for snippets, with options such as transcludeWith=mark
//	Imports     import A from './a.md' and <A x="text" /> of MDX, where {props.x} is the text;
//	            <include>a.md</include> of Fumadocs
//	DocFX       [!INCLUDE [title](a.md)]
//	MyST        ```{include} a.md
//	Shortcodes  {{< include "a.md" >}} and {{% readfile file="a.md" %}} of themes of Hugo
//
// Relative links in a file begin at its folder with include-markdown, Imports and DocFX, and else
// at that of the text.
//
// A mark of Snippets, Braces or Book whose file cannot be included becomes nothing; any other stays
// as it is.
package include

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Forms is a set of forms of marks.
type Forms uint16

// The forms; see the package comment.
const (
	Snippets Forms = 1 << iota
	Braces
	Book
	Liquid
	Quoted
	Comments
	Imports
	DocFX
	MyST
	Shortcodes
)

// Expander includes files. It may be used by several goroutines at once.
type Expander struct{ syntaxes []syntax }

// New returns an Expander for some forms of marks; nil if there are none.
func New(forms Forms) *Expander {
	if forms == 0 {
		return nil
	}
	return &Expander{syntaxesOf(forms)}
}

// Name is what a mark says of a file.
type Name struct {
	From   string // the path of the text that has the mark
	Name   string
	Form   Forms // of the mark, which tells where the program looks for the file
	Beside bool  // whether that is only beside the text
}

// Read returns the text of a file, and the path by which other files in it are named. An error says
// why it cannot be included.
type Read func(n Name) (path, text string, err error)

// Missing is a file that could not be included.
type Missing struct {
	Name
	Line int // of the mark in the text, from 1; in a file that is included itself, of the mark that includes that
	Err  error
}

// Included is a text with what it includes.
type Included struct {
	Text    []byte
	Missing []Missing
	grown   []grown
}

// grown is a mark that became more, or fewer, lines.
type grown struct{ line, was, is int } // line is that of the mark in the new text

// Line returns the line of the original text from which a line of the new text comes: both from 1.
func (t Included) Line(line int) int {
	shift := 0
	for _, g := range t.grown {
		switch {
		case line <= g.line:
			return line - shift
		case line < g.line+g.is:
			return g.line - shift
		}
		shift += g.is - g.was
	}
	return line - shift
}

const (
	// maxDepth is how deep files may include files, as with mdBook.
	maxDepth = 10
	// maxBytes bounds what one text includes: a long page of a reference has a tenth of it.
	maxBytes = 4 << 20
	// maxMissing is of how many marks whose files cannot be included is told.
	maxMissing = 1000
	// leastBytes is what each file that a mark names counts besides its own bytes.
	leastBytes = 256
)

// FormsIn returns quickly the forms of which a text may have marks.
func FormsIn(text []byte) (forms Forms) {
	has := func(mark string) bool { return bytes.Contains(text, []byte(mark)) }
	for rest := text; ; {
		at := bytes.Index(rest, []byte("include"))
		if at < 0 {
			break
		}
		before := bytes.TrimRight(rest[:at], " \t\r\n\f-/")
		for _, x := range [...]struct {
			mark string
			of   Forms
		}{
			{"%", Liquid | Quoted | Shortcodes}, {"{{<", Shortcodes}, {"{", MyST}, {"literal", MyST}, {"<", Imports}, {"::", Imports},
			{"[!", DocFX}, {"<!--@", Comments}, {"<!-- @", Comments},
		} {
			if bytes.HasSuffix(before, []byte(x.mark)) {
				forms |= x.of
			}
		}
		rest = rest[at+1:]
	}
	for _, x := range [...]struct {
		mark string
		of   Forms
	}{
		{"8<-", Snippets}, {"{!", Braces}, {"{*", Braces}, {"[!INCLUDE", DocFX}, {"[!Include", DocFX},
		{"<<<", Comments}, {"@[code", Comments},
	} {
		if has(x.mark) {
			forms |= x.of
		}
	}
	if (has("{{<") || has("{{%")) && (has("readfile") || has("readFile")) {
		forms |= Shortcodes
	}
	for at := range bytes.SplitSeq(text, []byte("{{")) {
		if bytes.HasPrefix(bytes.TrimLeft(at, " \t\r\n\f"), []byte("#")) {
			forms |= Book
		}
	}
	if (bytes.HasPrefix(text, []byte("import ")) || has("\nimport ")) && slices.ContainsFunc([]string{`.md"`, ".md'", `.mdx"`, ".mdx'"}, has) {
		forms |= Imports
	}
	return forms
}

// Expand returns a text, which is that of the file at path, with what it includes.
func (x *Expander) Expand(path string, text []byte, read Read) Included {
	e := expansion{Expander: x, read: read, left: maxBytes}
	out := Included{}
	out.Text = []byte(e.expand(path, string(text), nil, func(line, was int, new string) {
		out.grown = append(out.grown, grown{line, was, strings.Count(new, "\n") + 1})
	}))
	out.Missing = e.missing
	return out
}

// expansion is the work on one text.
type expansion struct {
	*Expander
	read    Read
	left    int // how many bytes may still be included
	line    int // that of the mark in the outermost text
	missing []Missing
}

// expand returns a text with what it includes. above are the paths of the files around it, the
// outermost first. note is told of each mark that was replaced; it may be nil.
func (e *expansion) expand(path, text string, above []string, note func(line, was int, new string)) string {
	var out strings.Builder
	lines := 1 // that are written
	write := func(s string) {
		out.WriteString(s)
		lines += strings.Count(s, "\n")
	}
	above = append(slices.Clip(above), path)
	read := 0 // lines of the text
	at := 0
	for _, m := range e.marks(text) {
		if m.begin < at { // within another
			continue
		}
		read += strings.Count(text[at:m.begin], "\n")
		write(text[at:m.begin])
		at = m.begin
		if len(above) == 1 {
			e.line = read + 1
		}
		new, ok := e.include(path, m, above)
		if !ok {
			continue
		}
		at = m.end
		if was := strings.Count(text[m.begin:m.end], "\n"); note != nil {
			note(lines, was+1, new)
			read += was
		}
		write(new)
	}
	write(text[at:])
	return out.String()
}

// take reports whether so many bytes may still be included, and counts them if so. Once too many
// were asked for, there are none.
func (e *expansion) take(bytes int) bool {
	e.left -= bytes
	return e.left >= 0
}

// part returns the part that a mark names of a file, and the path of the file. above are the paths
// of the files around it.
func (e *expansion) part(name Name, f file, above []string) (path, text string, err error) {
	if !e.take(leastBytes) { // even if there is no such file: to look for it takes time
		return "", "", errLarge
	}
	path, text, err = e.read(name)
	switch {
	case err != nil:
		return "", "", err
	case slices.Contains(above, path):
		return "", "", errRound
	case len(above) > maxDepth:
		return "", "", errDeep
	case !e.take(len(text)):
		return "", "", errLarge
	}
	part, found := f.part(text)
	switch {
	case !found:
		return "", "", errPart
	case !e.take(max(0, len(part)-len(text))): // parameters may make it longer
		return "", "", errLarge
	}
	return path, part, nil
}

// include returns what a mark is replaced by; ok is false if it stays.
func (e *expansion) include(from string, m mark, above []string) (new string, ok bool) {
	if len(m.files) == 0 {
		return m.text, true
	}
	var all []string
	for _, f := range m.files {
		name := Name{from, f.name, m.form, m.beside}
		path, text, err := e.part(name, f, above)
		if err != nil {
			if len(e.missing) < maxMissing {
				e.missing = append(e.missing, Missing{name, e.line, err})
			}
			if m.form&(Snippets|Braces|Book) != 0 {
				continue
			}
			return "", false
		}
		if !f.verbatim {
			text = e.expand(path, text, above, nil)
		}
		if m.rebased {
			text = rebased(text, path, from)
		}
		all = append(all, strings.TrimSuffix(text, "\n"))
	}
	new = strings.Join(all, "\n")
	if m.shape != nil && len(all) > 0 {
		new = m.shape(new)
	}
	if m.indent != "" && e.take(len(m.indent)*strings.Count(new, "\n")) {
		new = regexp.MustCompile(`\n(.)`).ReplaceAllString(new, "\n"+m.indent+"$1")
	}
	return new, true
}

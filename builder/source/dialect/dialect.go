package dialect

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// Generator is the program that a text was written for.
type Generator uint8

// The programs with template languages of their own; Plain stands for all others.
const (
	Plain Generator = iota
	Hugo
	Jekyll
	Zola
)

func (g Generator) String() string { return [...]string{"plain", "hugo", "jekyll", "zola"}[g] }

// Dialect describes how a program reads a text.
type Dialect struct {
	Generator Generator
	MDX       bool                    // whether its Markdown is MDX
	Svelte    bool                    // whether its Markdown is that of mdsvex, with Svelte's components instead of JSX; MDX is then set, too
	Vue       bool                    // whether it is a Vue template, which may have attributes such as @click and #slot
	HTML      bool                    // whether it is HTML, not Markdown
	Textual   bool                    // whether it has no template language: braces are text, but for {: lists } of kramdown
	RawInCode bool                    // whether raw tags are dropped from code, too
	ERB       bool                    // whether <% x %> of ERB is a tag
	Fenced    bool                    // whether only fences make code, and indentation does not
	Python    bool                    // whether Python-Markdown reads it: all within an HTML element is HTML, however far it is indented
	Unspaced  bool                    // whether a heading needs no space after its #, and a link definition no blank line above it, as in programs older than CommonMark
	Headed    bool                    // whether the first line of indented code may name its language, as :::go
	Spans     bool                    // whether code spans may name their language, as `#!go x := 1`
	Keys      bool                    // whether ++ctrl+c++ names keys to press, as with pymdownx.keys
	Links     bool                    // whether [[links]] between notes are links even if the generator is not Plain
	Found     bool                    // whether such a link becomes one to an address that NoteOf reads, for whoever knows where the page is
	Root      string                  // the path of the site, which Jekyll's {{ site.baseurl }} and filter relative_url put before other paths; "" if there is none
	TextFirst bool                    // whether the text of a link between notes comes before the page, as in [[text|page]]
	Logseq    bool                    // whether it is a page of Logseq
	Nuxt      bool                    // whether Nuxt Content reads it, to which :name is a component
	Shown     map[string][]string     // by name of a shortcode whose template is known: the parameters that it shows, as Shown returns them
	Own       func(key string) string // returns a text of the front matter or, with Hugo and as site.x with Jekyll, of the site; "" if it has none; nil without front matter
}

// Unclosed is a tag without an end, on which the program would stop with an error.
type Unclosed struct {
	Line, Column int // from 1, the column in characters
	Open, Close  string
}

// Strip returns a text with the syntax that only its program understands replaced by what readers
// see of it. It also returns the tags in the text that have no end.
func (d Dialect) Strip(text []byte) ([]byte, []Unclosed) {
	t := reader{Dialect: d, forms: d.Generator.forms(), code: codeLines{blank: true}}
	if d.Textual || d.Generator == Jekyll && t.own("render_with_liquid") == "false" {
		t.forms, t.RawInCode = []form{kramdown()}, false
	}
	if d.ERB {
		t.forms = append(t.forms, form{"<%=", "%>", value}, form{"<%", "%>", remark})
	}
	if d.Logseq {
		text = []byte(withoutProperties(string(text)))
	}
	if d.Generator == Plain {
		text = directives(text, d.MDX)
	}
	if !d.MDX && !t.mayNeedReading(text) {
		return text, nil
	}
	t.source = text
	marks := "`{<"
	if d.Generator == Plain {
		marks = "\\`{<[%=^$:"
	} else if d.Links {
		marks += "["
	}
	if d.Keys {
		marks += "+"
	}
	for _, mark := range []byte(marks) {
		t.marks[mark] = true
	}
	t.out.Grow(len(text))
	t.read(string(text))
	return t.out.Bytes(), t.unclosed
}

// IsMarkdown reports whether a file of this name holds Markdown, including MDX and mdsvex.
func IsMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".mdown", ".mkd", ".mkdn", ".mkdown", ".svx":
		return true
	}
	return false
}

// mayNeedReading reports whether a text may hold syntax that Strip replaces. Most texts hold none,
// and need not be read.
func (t *reader) mayNeedReading(text []byte) bool {
	noBrace := bytes.IndexByte(text, '{') < 0
	has := func(mark string) bool {
		return !(noBrace && strings.Contains(mark, "{")) && bytes.Contains(text, []byte(mark))
	}
	if slices.ContainsFunc(t.forms, func(f form) bool { return has(f.open) }) {
		return true
	}
	for _, syntax := range [...]struct {
		known bool
		marks []string
	}{
		{true, []string{"[!"}},
		{t.Generator == Hugo, []string{"\n{", "> {", ">{", " {.", " {#"}},
		{t.Generator == Jekyll, []string{"<", "|", "*[", "\n[^"}},
		{t.Generator == Plain, []string{
			"\n{", "){", "]{", "*{", "_{", "`{", "}`", ")=\n", "}{", ":{", " {.", "={", "{:", " [#", " {#", " { ", "'}", // attributes
			":::", "\n::", " ::", "@tab", "@[", "!!!", "??? ", "???+ ", "/// ", "=== ", "==- ", "+++ ", "||| ", // boxes and tabs
			"[[", "%%", "==", "^", // notes
			"{/*", "\nimport ", " markdown", "/>", "[toc]", "[TOC]", "<<< ", "-8<-", "*[",
		}},
		{t.Keys, []string{"++"}},
		{t.Vue, []string{" @", " #"}},
		{t.Links, []string{"[["}},
		{t.Nuxt, []string{":"}},
		{t.Headed || t.Spans, []string{"#!"}},
		{t.Python, []string{"<", "|"}},
		{t.Unspaced, []string{"#", "]:"}},
		{t.Fenced, []string{"    ", "\t"}},
	} {
		if syntax.known && slices.ContainsFunc(syntax.marks, has) {
			return true
		}
	}
	if bytes.HasPrefix(text, []byte("import ")) || bytes.HasPrefix(text, []byte("::")) {
		return true
	}
	const inlineComponent = `:[a-z][a-z0-9-]*(?:\[.*\])?\{`
	return t.Generator == Plain && (hasComponent(text) || hasSizedPicture(text) || !noBrace && t.pattern(inlineComponent).Match(text))
}

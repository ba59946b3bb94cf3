package dialect

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/markdown"
)

// directives returns a text in which fences and containers whose text is not code, but Markdown,
// are replaced with what readers see of them. These are the directives of MyST, the Markdown of
// Sphinx and Jupyter Book, which have a name in braces, the boxes of mdbook-admonish and of
// javascript.info and, in MDX, fences of Docusaurus. After the first directive in a text, a line
// that begins with % is a comment, and +++ separates the cells of a notebook.
//
//	```{note}  :::{tip}                    the text, below its kind
//	```{admonition} Title                  the text, below the title
//	```{figure} a.png  ```{image} a.png    the picture, and its caption
//	```{code-block} python                 code
//	```{toctree}  ```{include} a.md        nothing
//	```admonish tip title="Title"          the text, below the title or its kind
//	```warn header="Title"  ```online      the text, below the title if there is one
//	```mdx-code-block                      the text
//
// A directive with an unknown name stays as it is: it may be code, such as ```{r} of R Markdown.
func directives(text []byte, mdx bool) []byte {
	isMarked := func(mark string) bool { return bytes.Contains(text, []byte(mark)) }
	isFence := func(name string) bool { return isMarked("```" + name) }
	if !isMarked("```{") && !isMarked(":::{") && !slices.ContainsFunc(unbraced(), isFence) {
		return text
	}
	begins := regexp.MustCompile("^([ \t]*)(`{3,}|:{3,})(?:\\{(?:[a-z]+:)?([a-z-]+)\\}|(" + strings.Join(unbraced(), "|") + ")\\b)[ \t]*(.*?)\\s*$")
	r := directiveReader{mdx: mdx, lines: strings.SplitAfter(string(text), "\n")}
	for len(r.lines) > 0 {
		line := r.lines[0]
		r.lines = r.lines[1:]
		trimmed := strings.TrimSpace(line)
		if r.code != "" {
			r.codeLine(line, trimmed)
			continue
		}
		m := begins.FindStringSubmatch(line)
		switch {
		case m != nil && r.begin(m[1], m[2], m[3]+m[4], m[5]):
			r.any = r.any || m[3] != ""
		case len(r.open) > 0 && endsFence(trimmed, r.open[len(r.open)-1]):
			r.open = r.open[:len(r.open)-1]
			r.out.WriteString("\n")
		case r.any && (trimmed == "+++" || strings.HasPrefix(trimmed, "+++ {") || line[:min(1, len(line))] == "%"):
			r.out.WriteString("\n")
		default:
			r.code = fenceOf(trimmed)
			r.out.WriteString(line)
		}
	}
	return r.out.Bytes()
}

// unbraced returns the names of directives without braces, which have no options.
func unbraced() []string {
	return []string{"admonish", "mdx-code-block", "smart", "warn", "online", "offline"}
}

// directiveReader reads a text with directives.
type directiveReader struct {
	mdx    bool // whether the text is MDX
	out    bytes.Buffer
	lines  []string // the lines still to be read
	any    bool     // whether there was a directive so far
	open   []string // the fences of the directives whose text is being read, the innermost last
	code   string   // the fence of the code that is being read; "" outside of it
	hidden bool     // whether readers see nothing of that code
}

// codeLine reads a line of code, or the one that ends it.
func (r *directiveReader) codeLine(line, trimmed string) {
	ends := endsFence(trimmed, r.code)
	if ends && r.code[0] == ':' {
		line = strings.ReplaceAll(line, ":", "`")
	}
	if !r.hidden {
		r.out.WriteString(line)
	}
	if ends {
		r.code, r.hidden = "", false
	}
}

// begin reads the first line of a directive, and its options. It reports whether the name is known.
func (r *directiveReader) begin(indent, fence, name, argument string) (known bool) {
	title, text := "", ""
	switch name {
	case "code", "code-block", "code-cell", "sourcecode", "prompt", "parsed-literal":
		r.options()
		r.out.WriteString(indent + strings.ReplaceAll(fence, ":", "`") + argument + "\n")
		r.code = fence
		return true
	case "toctree", "tableofcontents", "contents", "include", "literalinclude", "bibliography", "footbibliography", "index", "meta", "raw",
		"currentmodule", "module", "automodule", "autoclass", "autofunction", "automethod", "autosummary", "image":
		alt := r.options()
		if name == "image" {
			r.out.WriteString("\n" + indent + picture(argument, alt) + "\n\n")
		}
		r.out.WriteString("\n")
		r.code, r.hidden = fence, true
		return true
	case "note", "tip", "hint", "important", "warning", "caution", "attention", "danger", "error", "todo":
		title, text = capital(name), argument // the argument begins the text
	case "seealso":
		title, text = "See also", argument
	case "versionadded", "versionchanged", "deprecated":
		title = capital(strings.TrimPrefix(name, "version")) + " in version " + argument
	case "admonition", "dropdown", "details", "tab-item", "tab", "card", "grid-item-card", "topic", "sidebar", "rubric", "table", "list-table", "csv-table",
		"theorem", "lemma", "definition", "proof", "corollary", "example", "remark", "exercise", "solution", "algorithm":
		title = argument
	case "admonish":
		p, titled := parametersOf(argument), false
		if title, titled = p["title"]; !titled {
			title = capital(cmp.Or(p[""], "note"))
		}
	case "smart", "warn", "online", "offline": // the last two tell the web from a book
		title = parametersOf(argument)["header"]
	case "mdx-code-block":
		if !r.mdx {
			return false
		}
	case "figure", "figure-md", "button-ref", "button-link", "tab-set", "grid", "grid-item", "card-carousel", "div", "container", "aside", "margin", "epigraph", "pull-quote", "glossary", "hlist":
	default:
		return false
	}
	alt := ""
	if !slices.Contains(unbraced(), name) { // the first line of their text may begin with :bulb:
		alt = r.options()
	}
	r.open = append(r.open, fence)
	r.out.WriteString(paragraph(indent, title))
	if name == "figure" {
		r.out.WriteString("\n" + indent + picture(argument, alt) + "\n\n")
	} else if text != "" {
		r.out.WriteString(indent + text + "\n")
	}
	return true
}

// mostOptions is how many lines are searched for the end of a directive's options in YAML.
const mostOptions = 30

// options skips the options of a directive, which are lines such as :width: 200px, or YAML. It
// returns the value of alt, which describes a picture.
func (r *directiveReader) options() (alt string) {
	options, length := propertiesOf(strings.Join(r.lines[:min(len(r.lines), mostOptions)], ""))
	for length > 0 {
		length -= len(r.lines[0])
		r.lines = r.lines[1:]
	}
	for len(r.lines) > 0 {
		option, opens := strings.CutPrefix(strings.TrimSpace(r.lines[0]), ":")
		name, _, closes := strings.Cut(option, ":")
		if !opens || !closes || name == "" || strings.Trim(name, nameLetters) != "" {
			break
		}
		options = append(options, option)
		r.lines = r.lines[1:]
	}
	for _, option := range options {
		if value, ok := strings.CutPrefix(option, "alt:"); ok {
			alt = valueOnLine(value)
		}
	}
	return alt
}

// role reads a role of MyST, which is a name in braces before a code span, and returns its length.
// Of {ref}`text <label>` it writes the text. It drops the backquotes of text that is not code.
func (t *reader) role() int {
	rest := t.rest()
	name, after, ok := strings.Cut(rest[1:min(len(rest), maxAttributesBytes)], "}`")
	before := t.before()
	if t.Generator != Plain || !ok || name == "" || strings.Trim(name, nameLetters+":+.") != "" ||
		markdown.IsLetterOrDigit(before) || strings.IndexByte("$/{}\\`", before) >= 0 { // as the end of /users/{id}
		return 0
	}
	length := len("{}") + len(name)
	text, _, closed := strings.Cut(after, "`")
	if !closed || text == "" { // code with more backquotes, or of several lines
		return length
	}
	length += len(text) + len("``")
	if label, target, found := strings.Cut(text, " <"); found && strings.HasSuffix(target, ">") {
		text = label
	}
	switch kind := name[strings.LastIndexByte(name, ':')+1:]; {
	case kind == "sub" || kind == "sup" || kind == "kbd":
		text = "<" + kind + ">" + asMarkdown(text) + "</" + kind + ">"
	case slices.Contains([]string{"octicon", "fa", "fas", "far", "fab"}, kind), strings.HasPrefix(kind, "material-"): // icons
		return length
	case kind == "abbr":
		text, _, _ = strings.Cut(text, " (")
	case strings.HasPrefix(name, "cite"), slices.Contains([]string{"ref", "doc", "term", "numref", "any", "download", "eq", "guilabel", "menuselection", "index"}, kind):
		if label, _, found := strings.Cut(text, "<"); found && label != "" && strings.HasSuffix(text, ">") {
			text = label
		}
		text = asMarkdown(text)
	default:
		if path, isShort := strings.CutPrefix(text, "~"); isShort { // only the last part of a name is shown
			text = path[strings.LastIndexByte(path, '.')+1:]
		}
		text = "`" + text + "`"
	}
	t.out.WriteString(text)
	return length
}

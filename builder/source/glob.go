package source

import (
	"regexp"
	"slices"
	"strings"
)

// expressions are regular expressions. They match what any of them matches.
type expressions []*regexp.Regexp

// add adds an expression, unless it is invalid: then it would match nothing.
func (es *expressions) add(expression string) {
	if re, err := regexp.Compile(expression); err == nil {
		*es = append(*es, re)
	}
}

func (es expressions) match(s string) bool {
	return slices.ContainsFunc(es, func(re *regexp.Regexp) bool { return re.MatchString(s) })
}

// globs returns globs in Hugo's syntax, which are case-insensitive. If ** is the only special sign
// in a pattern, it also matches no segment at all: /**/a matches /a.
func globs(patterns ...string) (es expressions) {
	for _, pattern := range patterns {
		if before, after, ok := strings.Cut(pattern, "/**/"); ok && !strings.ContainsAny(before+after, `*?[{\`) {
			pattern = before + "{/**,}/" + after
		}
		es.add("(?i)" + globExpression(pattern))
	}
	return es
}

// globExpression returns a glob in Hugo's syntax as a case-sensitive regular expression: * matches
// within a segment, ** across segments, ? one character, [ab] one of these characters, {a,b} one of
// these texts. A character after a backslash stands for itself.
func globExpression(pattern string) string {
	var b strings.Builder
	b.WriteString("^")
	braces := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; c {
		case '*':
			if i+1 < len(pattern) && pattern[i+1] == '*' {
				b.WriteString(".*")
				i++
			} else {
				b.WriteString("[^/]*")
			}
		case '?':
			b.WriteString("[^/]")
		case '[':
			class, _, closed := strings.Cut(pattern[i+1:], "]")
			if !closed || class == "" {
				b.WriteString(`\[`)
				continue
			}
			i += len(class) + 1
			if without, ok := strings.CutPrefix(class, "!"); ok {
				class = "^" + without
			}
			b.WriteString("[" + strings.ReplaceAll(class, `\`, `\\`) + "]")
		case '{':
			b.WriteString("(?:")
			braces++
		case '}', ',':
			switch {
			case braces == 0:
				b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
			case c == ',':
				b.WriteString("|")
			default:
				b.WriteString(")")
				braces--
			}
		case '\\':
			if i+1 < len(pattern) {
				i++
			}
			fallthrough
		default: // also each byte of a multi-byte character
			b.WriteString(regexp.QuoteMeta(pattern[i : i+1]))
		}
	}
	b.WriteString("$")
	return b.String()
}

// globOf returns a glob that matches only this name.
func globOf(name string) string {
	return regexp.MustCompile(`[\\*?\[\]{},]`).ReplaceAllString(name, `\$0`)
}

// fnmatchExpression is like globExpression, but for globs whose * matches slashes, too.
func fnmatchExpression(pattern string) string {
	return globExpression(strings.ReplaceAll(pattern, "*", "**"))
}

// ignoreLines are the lines of an ignore file such as .gitignore, or a generator's counterpart of
// one. The last line that matches a file decides.
type ignoreLines []ignoreLine

type ignoreLine struct {
	path  *regexp.Regexp
	keeps bool // whether the line begins with !, and so keeps what it matches
}

func ignoreLinesOf(text string) (lines ignoreLines) {
	for line := range strings.Lines(text) {
		pattern, keeps := strings.CutPrefix(strings.TrimSpace(line), "!")
		if pattern != "" && pattern[0] != '#' {
			lines.add(pattern, keeps)
		}
	}
	return lines
}

// excludeLines returns lines that leave out what the patterns name. A pattern without wildcards
// names a file or folder by its whole path.
func excludeLines(patterns []string) (lines ignoreLines) {
	for _, pattern := range patterns {
		pattern = strings.TrimPrefix(pattern, "/")
		if pattern == "" {
			continue
		}
		if !strings.ContainsAny(pattern, "*?[{") {
			pattern = "/" + pattern
		}
		lines.leaveOut(pattern)
	}
	return lines
}

// leaveOut adds lines that leave out what the patterns name.
func (l *ignoreLines) leaveOut(patterns ...string) {
	for _, pattern := range patterns {
		l.add(pattern, false)
	}
}

// keep adds lines that keep what the patterns name, whatever the lines before them say.
func (l *ignoreLines) keep(patterns ...string) {
	for _, pattern := range patterns {
		l.add(pattern, true)
	}
}

// add adds the line of a pattern. A pattern without a slash, except at its end, matches in any
// folder.
func (l *ignoreLines) add(pattern string, keeps bool) {
	folder := strings.TrimSuffix(pattern, "/")
	where := strings.TrimPrefix(folder, "/")
	if !strings.Contains(folder, "/") {
		where = "**/" + where
	}
	below := "/**"
	if folder == pattern {
		below = "{,/**}"
	}
	l.match(globExpression(strings.ReplaceAll(where, "**/", "{,**/}")+below), keeps)
}

// match adds a line for the files whose paths match a regular expression. ok is false if that is
// invalid.
func (l *ignoreLines) match(expression string, keeps bool) (ok bool) {
	re, err := regexp.Compile(expression)
	if err == nil {
		*l = append(*l, ignoreLine{re, keeps})
	}
	return err == nil
}

// ignores reports whether the lines leave out a file.
func (l ignoreLines) ignores(p string) bool {
	for _, line := range slices.Backward(l) {
		if line.path.MatchString(p) {
			return !line.keeps
		}
	}
	return false
}

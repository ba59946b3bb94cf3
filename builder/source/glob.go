package source

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// matchGlob matches the globs of Hugo's page matcher: * within a segment, ** across
// segments, ? for one character, [ab] for one of these, {a,b} for a choice.
func matchGlob(pattern, s string) bool {
	re, err := regexp.Compile("(?i)" + globExpression(pattern))
	return err == nil && re.MatchString(s)
}

// globExpression is such a glob as a regular expression.
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
			if !closed {
				return "[" // which is no expression
			}
			i += len(class) + 1
			if without, ok := strings.CutPrefix(class, "!"); ok {
				class = "^" + without
			}
			b.WriteString("[" + strings.ReplaceAll(class, `\`, `\\`) + "]")
		case '{':
			b.WriteString("(?:")
			braces++
		case '}':
			if braces > 0 {
				b.WriteString(")")
				braces--
			}
		case ',':
			if braces > 0 {
				b.WriteString("|")
			} else {
				b.WriteString(",")
			}
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString("$")
	return b.String()
}

// excluded matches a path with a file, a folder, or a glob.
func excluded(p, pattern string) bool {
	pattern = strings.TrimPrefix(pattern, "/")
	if pattern == "" {
		return false
	}
	if folder := strings.TrimSuffix(pattern, "/"); p == folder || strings.HasPrefix(p, folder+"/") {
		return true
	}
	if strings.ContainsAny(pattern, "*?[") {
		if ok, _ := path.Match(pattern, p); ok {
			return true
		}
		if ok, _ := path.Match(strings.TrimPrefix(pattern, "**/"), path.Base(p)); ok {
			return strings.HasPrefix(pattern, "**/") || !strings.Contains(pattern, "/")
		}
	}
	return false
}

// ignoreLine is a line as .gitignore has them.
type ignoreLine struct {
	path  *regexp.Regexp
	keeps bool // whether it begins with !
}

func ignoreLinesOf(text string) (lines []ignoreLine) {
	for line := range strings.Lines(text) {
		pattern, keeps := strings.CutPrefix(strings.TrimSpace(line), "!")
		if pattern == "" || pattern[0] == '#' {
			continue
		}
		folder := strings.TrimSuffix(pattern, "/")
		where := strings.TrimPrefix(folder, "/")
		if !strings.Contains(folder, "/") {
			where = "**/" + where
		}
		below := "/**"
		if folder == pattern {
			below = "{,/**}"
		}
		if re, err := regexp.Compile(globExpression(strings.ReplaceAll(where, "**/", "{,**/}") + below)); err == nil {
			lines = append(lines, ignoreLine{re, keeps})
		}
	}
	return lines
}

// ignores reports whether the lines leave out a file: the last that names it decides.
func ignores(lines []ignoreLine, p string) bool {
	for _, line := range slices.Backward(lines) {
		if line.path.MatchString(p) {
			return !line.keeps
		}
	}
	return false
}

// entry is what Jekyll's exclude and include name: all that begins with a text, or matches a glob,
// whose * stands for slashes, too.
type entry struct {
	prefix string
	glob   *regexp.Regexp // nil where it is none
}

func entriesOf(patterns []string) (entries []entry) {
	for _, p := range patterns {
		if p = strings.TrimPrefix(p, "/"); p == "" {
			continue
		}
		e := entry{prefix: p}
		if strings.ContainsAny(p, "*?[") {
			e.glob, _ = regexp.Compile(globExpression(strings.ReplaceAll(p, "*", "**")))
		}
		entries = append(entries, e)
	}
	return entries
}

// names reports whether one of the entries names a file or a folder.
func names(entries []entry, p string) bool {
	return slices.ContainsFunc(entries, func(e entry) bool {
		return strings.HasPrefix(p+"/", e.prefix) || e.glob != nil && e.glob.MatchString(p)
	})
}

package dialect

import (
	"regexp"
	"slices"
	"strings"
)

// The shortcodes of Zola, by its grammar. They are found in all of a text, even in code. What has
// no parentheses, such as {{ page.title }}, is none.
// https://www.getzola.org/documentation/content/shortcodes/
const (
	// zolaArgument matches one argument. Its groups are the name, and the text in each kind of
	// quotation marks.
	zolaArgument  = `(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|` + "`([^`]*)`" + `|\[[^\]]*\]|[\w.-]+)`
	zolaArguments = `\(\s*((?:` + zolaArgument + `\s*,?\s*)*)\)`
	zolaEnd       = `\{%\s*end\s*%\}`
	zolaTag       = `\{\{\s*\w+` + zolaArguments + `\s*\}\}|\{%\s*\w+` + zolaArguments + `\s*%\}|` + zolaEnd
)

// isZolaTag reports whether a line begins with a shortcode of Zola, or its end.
func (t *reader) isZolaTag(line string) bool {
	text := strings.TrimLeft(line, " \t")
	return t.Generator == Zola && strings.HasPrefix(text, "{") && t.pattern(`^(?:`+zolaTag+`)`).MatchString(text)
}

// zolaShortcode writes what readers see of the arguments of a shortcode of Zola, given what is
// between its braces. Its tag has length bytes. It returns false for anything else.
func (t *reader) zolaShortcode(inner string, length int) bool {
	if t.Generator != Zola {
		return false
	}
	isStatement := strings.HasPrefix(t.rest(), "{%")
	if isStatement && strings.TrimSpace(inner) == "end" {
		t.bodies = max(0, t.bodies-1)
		return true
	}
	call := t.pattern(`^\s*(\w+)` + zolaArguments + `\s*$`).FindStringSubmatch(inner)
	if call == nil {
		return false
	}
	if isStatement {
		t.bodies++
	}
	p := t.zolaParameters(call[2])
	if p["text"] == "" && len(t.Shown[call[1]]) == 0 { // a caption is text even within a sentence
		p["text"], p["caption"] = p["caption"], ""
	}
	if !t.inTag() && !t.inAddress() {
		t.shortcodeWords(call[1], p, length)
	}
	return true
}

// zolaParameters reads the arguments of a shortcode of Zola that are texts.
func (t *reader) zolaParameters(arguments string) parameters {
	p := parameters{}
	for _, m := range t.pattern(zolaArgument).FindAllStringSubmatch(arguments, -1) {
		p[m[1]] = strings.ReplaceAll(m[2], `\"`, `"`) + strings.ReplaceAll(m[3], `\'`, "'") + m[4]
	}
	return p
}

// ShownByZola returns the arguments of a shortcode of Zola that its template shows as text, in the
// order in which it does, by the rules of Shown. The text in place of a picture counts if it is all
// that there is: most templates show a caption as well.
// https://keats.github.io/tera/docs/
func ShownByZola(template string) (names []string) {
	template = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|\{#.*?#\}`).ReplaceAllString(template, "")
	tokens := regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|[\\w.:]+|[^\\s]")
	tags := regexp.MustCompile(`(?s)\{([{%])-?\s*(.*?)\s*-?[}%]\}`)
	variables := map[string][]string{}
	var alt []string
	var blocks []surroundings
	s := surroundings{}
	at := 0
	for _, m := range tags.FindAllStringSubmatchIndex(template, -1) {
		s.read(template[at:m[0]])
		at = m[1]
		words := tokens.FindAllString(template[m[4]:m[5]], -1)
		switch {
		case template[m[2]] == '{':
			switch shown := argumentsIn(words, variables); {
			case !s.showText():
			case s.alt:
				alt = withNames(alt, shown...)
			default:
				names = withNames(names, shown...)
			}
			s.last = '}'
		case len(words) == 0:
		case len(words) > 3 && strings.HasPrefix(words[0], "set") && words[2] == "=":
			variables[words[1]] = withNames(variables[words[1]], argumentsIn(words[3:], variables)...)
		case words[0] == "if" || words[0] == "for":
			if blocks = append(blocks, s); words[0] == "for" && len(words) > 1 {
				variables[words[1]] = nil
			}
		case len(blocks) == 0:
		case words[0] == "elif" || words[0] == "else":
			s = blocks[len(blocks)-1]
		case words[0] == "endif" || words[0] == "endfor":
			blocks = blocks[:len(blocks)-1]
		}
	}
	if names == nil {
		return alt
	}
	return names
}

// argumentsIn returns the arguments whose words an expression of a template has, given its tokens
// and what its variables are; none if it calls a function or a filter that may change the words.
func argumentsIn(tokens []string, variables map[string][]string) (names []string) {
	for i := 0; i < len(tokens); i++ {
		token := tokens[i]
		switch {
		case token == "~" || strings.ContainsAny(token[:1], "\"'`"):
		case token == "|":
			if i++; i == len(tokens) || !slices.Contains([]string{"safe", "markdown", "default", "trim", "title", "capitalize", "upper", "lower", "escape", "striptags", "linebreaksbr"}, tokens[i]) {
				return nil
			}
			if i+1 < len(tokens) && tokens[i+1] == "(" {
				if i += slices.Index(tokens[i:], ")"); tokens[i] != ")" {
					return nil
				}
			}
		case !isLetter(token[0]) && token[0] != '_' || strings.ContainsAny(token, ".:"):
			return nil
		default:
			if more, known := variables[token]; known {
				names = withNames(names, more...)
			} else {
				names = withNames(names, token)
			}
		}
	}
	return names
}

package dialect

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Shown returns the parameters of a shortcode of Hugo that its template shows as text, in the
// order in which it does: their names, and "" "1" "2" and so on for those without a name. The
// template is not run. A parameter counts if it is written between tags as it is, or by nothing but
// functions that keep its words, also by a variable or as the dot of a with; and not if it is in a
// tag, except as the alt text of a picture, a style, a script or an address, or a part of a word.
// https://gohugo.io/templates/shortcode/
func Shown(template string) (names []string) {
	if !strings.Contains(template, ".Get") && !strings.Contains(template, ".Params") { // a theme may have very many
		return nil
	}
	template = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|\{\{-?\s*/\*.*?\*/\s*-?\}\}`).ReplaceAllString(template, "")
	tokens := regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|[()|]|[^\\s()|]+")
	variables := map[string][]string{}
	type block struct {
		dot  []string
		from surroundings
	}
	var blocks []block
	s := surroundings{}
	for template != "" {
		text, rest, found := strings.Cut(template, "{{")
		s.read(text)
		action, after, ends := strings.Cut(rest, "}}")
		if !found || !ends {
			break
		}
		template = after
		word, operand := cutWord(strings.TrimSpace(strings.Trim(action, "-")))
		if word == "else" && len(blocks) > 0 {
			s = blocks[len(blocks)-1].from
			blocks = blocks[:len(blocks)-1]
			word, operand = cutWord(operand)
			word = cmp.Or(word, "if")
		}
		dot := []string(nil)
		if len(blocks) > 0 {
			dot = blocks[len(blocks)-1].dot
		}
		parameters := func(expression string) []string {
			return parametersIn(tokens.FindAllString(expression, -1), dot, variables)
		}
		switch word {
		case "with":
			blocks = append(blocks, block{parameters(operand), s})
		case "if":
			blocks = append(blocks, block{dot, s})
		case "range", "block", "define":
			blocks = append(blocks, block{nil, s})
		case "end":
			blocks = blocks[:max(0, len(blocks)-1)]
		default:
			operator, value := cutWord(operand)
			if strings.HasPrefix(word, "$") && (operator == ":=" || operator == "=") {
				variables[word] = withNames(variables[word], parameters(value)...)
				continue
			}
			if s.showText() {
				shown := parameters(word + " " + operand)
				if s.alt {
					shown = shown[:min(1, len(shown))] // what else it may be is often the path of the picture
				}
				names = withNames(names, shown...)
			}
			s.last = '}'
		}
	}
	return names
}

// mostNames is how many parameters of a shortcode are shown.
const mostNames = 100

// surroundings say where in HTML or Markdown an action of a template stands.
type surroundings struct {
	tag     bool // within the tag of an element
	quote   byte // within a quoted attribute of it
	alt     bool // which is the text in place of a picture
	address bool // within the address of a link in Markdown
	last    byte // the last character before it
}

// read goes on to the end of a text.
func (s *surroundings) read(text string) {
	for i := range len(text) {
		c := text[i]
		switch {
		case s.quote != 0:
			if c == s.quote {
				s.quote, s.alt = 0, false
			}
		case s.tag && (c == '"' || c == '\''):
			before, isAlt := strings.CutSuffix(text[:i], "alt=")
			s.quote, s.alt = c, isAlt && strings.Trim(before[max(0, len(before)-1):], " \t\r\n") == ""
		case c == '<' && (i+1 == len(text) || text[i+1] == '/' || isLetter(text[i+1])): // an action may make its name
			s.tag = true
		case c == '>':
			s.tag = false
		case c == '(' && s.last == ']':
			s.address = true
		case c == ')':
			s.address = false
		}
		s.last = c
	}
}

// showText reports whether what an action writes here is text by itself.
func (s *surroundings) showText() bool {
	if s.quote != 0 {
		return s.alt && s.last == s.quote
	}
	return !s.tag && !s.address && (s.last == 0 || strings.IndexByte(" \t\r\n>([\"'*_`", s.last) >= 0)
}

// withNames returns names and those of more that are not among them, up to mostNames: the variables
// of a template may double themselves without end.
func withNames(names []string, more ...string) []string {
	for _, name := range more {
		if len(names) < mostNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// parametersIn returns the parameters whose words an expression of a template has, given its tokens
// and what its dot and its variables are; none if the expression calls a function that may change
// the words.
func parametersIn(tokens, dot []string, variables map[string][]string) (names []string) {
	for i := 0; i < len(tokens); i++ {
		switch token := tokens[i]; token {
		case "index":
			if i++; i == len(tokens) || tokens[i] != ".Params" && tokens[i] != "$.Params" {
				return nil
			}
			fallthrough
		case ".Get", "$.Get":
			if i++; i == len(tokens) {
				return nil
			}
			name := strings.Trim(tokens[i], "\"`")
			if name == "0" {
				name = ""
			}
			names = withNames(names, name)
		case ".":
			names = withNames(names, dot...)
		case ".Inner", "(", ")", "|", "or", "default", "dict", "string", "trim", "strings.Trim", "strings.TrimSpace", "title", "strings.Title", "upper", "strings.ToUpper", "lower", "strings.ToLower",
			"markdownify", "transform.Markdownify", ".Page.RenderString", "$.Page.RenderString", "page.RenderString", ".RenderString",
			"safeHTML", "safe.HTML", "htmlEscape", "transform.HTMLEscape", "htmlUnescape", "transform.HTMLUnescape", "plainify", "transform.Plainify", "emojify", "transform.Emojify":
		default:
			switch {
			case strings.HasPrefix(token, "$") && !strings.Contains(token, "."):
				names = withNames(names, variables[token]...)
			case token[0] != '"' && token[0] != '`':
				return nil
			}
		}
	}
	return names
}

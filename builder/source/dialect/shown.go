package dialect

import (
	"regexp"
	"slices"
	"strings"
)

// Shown returns the parameters of a shortcode of Hugo that its template shows as text, in the
// order in which it does: their names, and "" "1" "2" and so on for those without a name. The
// template is not run. A parameter counts if it is written between tags as it is, or by nothing but
// functions that keep its words, also by a variable or as the dot of a with; and not if it is in a
// tag, a style, a script or an address, or a part of a word.
// https://gohugo.io/templates/shortcode/
func Shown(template string) (names []string) {
	template = regexp.MustCompile(`(?is)<script\b.*?</script>|<style\b.*?</style>|<!--.*?-->|\{\{-?\s*/\*.*?\*/\s*-?\}\}`).ReplaceAllString(template, "")
	variables := map[string][]string{}
	var dots [][]string // what the dot is within each block
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
		dot := []string(nil)
		if len(dots) > 0 {
			dot = dots[len(dots)-1]
		}
		if word == "else" && len(dots) > 0 {
			dots = dots[:len(dots)-1]
			word, operand = cutWord(operand)
			if word == "" {
				word = "if"
			}
		}
		switch word {
		case "with":
			dots = append(dots, parametersIn(operand, dot, variables))
		case "if":
			dots = append(dots, dot)
		case "range", "block", "define":
			dots = append(dots, nil)
		case "end":
			dots = dots[:max(0, len(dots)-1)]
		default:
			operator, value := cutWord(operand)
			if strings.HasPrefix(word, "$") && (operator == ":=" || operator == "=") {
				variables[word] = append(variables[word], parametersIn(value, dot, variables)...)
				continue
			}
			for _, name := range parametersIn(word+" "+operand, dot, variables) {
				if s.showText() && !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
			s.last = '}'
		}
	}
	return names
}

// surroundings say where in HTML or Markdown an action of a template stands.
type surroundings struct {
	tag     bool // within the tag of an element
	quote   byte // within a quoted attribute of it
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
				s.quote = 0
			}
		case s.tag && (c == '"' || c == '\''):
			s.quote = c
		case c == '<' && i+1 < len(text) && (text[i+1] == '/' || isLetter(text[i+1])):
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
	return !s.tag && !s.address && (s.last == 0 || strings.IndexByte(" \t\r\n>([\"'*_`", s.last) >= 0)
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// parametersIn returns the parameters whose words an expression of a template has, given what its
// dot and its variables are; none if the expression calls a function that may change the words.
func parametersIn(expression string, dot []string, variables map[string][]string) (names []string) {
	tokens := regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`|[()|]|[^\\s()|]+").FindAllString(expression, -1)
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
			names = append(names, name)
		case ".":
			names = append(names, dot...)
		case ".Inner", "(", ")", "|", "or", "default", "dict", "string", "trim", "strings.Trim", "strings.TrimSpace", "title", "strings.Title", "upper", "strings.ToUpper", "lower", "strings.ToLower",
			"markdownify", "transform.Markdownify", ".Page.RenderString", "$.Page.RenderString", "page.RenderString", ".RenderString",
			"safeHTML", "safe.HTML", "htmlEscape", "transform.HTMLEscape", "htmlUnescape", "transform.HTMLUnescape", "plainify", "transform.Plainify", "emojify", "transform.Emojify":
		default:
			switch {
			case strings.HasPrefix(token, "$") && !strings.Contains(token, "."):
				names = append(names, variables[token]...)
			case token[0] != '"' && token[0] != '`':
				return nil
			}
		}
	}
	return names
}

package source

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"newsstand/builder/source/frontmatter"
)

// rubySettings returns the settings that a program in Ruby writes out in a block: permalink
// "simple", config.permalink = "simple", and tables such as collections do … end or {docs: {output:
// true}}. The block begins on the line that opens matches. Settings in other blocks within it, such
// as conditions, are left out.
func rubySettings(program []byte, opens *regexp.Regexp) frontmatter.Value {
	table := regexp.MustCompile(`^\s*(\w+)\s+do\s*(?:#.*)?$`)
	block := regexp.MustCompile(`\bdo\b(?:\s*\|[^|]*\|)?\s*(?:#.*)?$|^\s*(?:if|unless|case|while|until|for|begin|def|class|module)\b`)
	end := regexp.MustCompile(`^\s*end\b`)
	setting := regexp.MustCompile(`^\s*(?:config\.)?(\w+)(?:\s*=\s*|\s+)(["'\[{:\d].*|true\b.*|false\b.*)`)
	settings := frontmatter.Value{Kind: frontmatter.Table}
	at := opens.FindIndex(program)
	if at == nil {
		return settings
	}
	lines := strings.Split(string(program[at[1]:]), "\n")
	open := [][]string{{}} // for each open block, the keys of the tables in which it stands; nil if it is not a table
	for i := 1; i < len(lines) && len(open) > 0; i++ {
		within := open[len(open)-1]
		switch line := lines[i]; {
		case strings.HasPrefix(strings.TrimSpace(line), "#"):
		case end.MatchString(line):
			open = open[:len(open)-1]
		case within != nil && table.MatchString(line):
			open = append(open, append(slices.Clone(within), table.FindStringSubmatch(line)[1]))
		case block.MatchString(line):
			open = append(open, nil)
		case within != nil && setting.MatchString(line):
			m := setting.FindStringSubmatch(line)
			literal := []string{m[2]}
			for depth := opensRuby(m[2]); depth > 0 && i+1 < len(lines); depth += opensRuby(lines[i]) {
				i++
				literal = append(literal, lines[i])
			}
			said, ok := valueOfYAML(yamlOfRuby([]byte(strings.Join(literal, "\n"))))
			if !ok || isName(said) { // an expression
				continue
			}
			said = under(m[1], said)
			for _, key := range slices.Backward(within) {
				said = under(key, said)
			}
			settings = merge(settings, said)
		}
	}
	return settings
}

// rubyToken matches what differs between Ruby's arrays and hashes and those of YAML: keys before
// =>, strings, comments, symbols, brackets and ends of lines.
func rubyToken() *regexp.Regexp {
	text := `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`
	return regexp.MustCompile(`(?:` + text + `|:\w+)\s*=>|` + text + `|#[^\n]*|\B:\w+|[\[\]{}\n]`)
}

// opensRuby returns how many more brackets a line of a Ruby literal opens than it closes.
func opensRuby(line string) (depth int) {
	for _, token := range rubyToken().FindAllString(line, -1) {
		switch token {
		case "[", "{":
			depth++
		case "]", "}":
			depth--
		}
	}
	return depth
}

// yamlOfRuby rewrites a Ruby string, number, array or hash as YAML. Other expressions become
// invalid YAML, or text without quotes.
func yamlOfRuby(literal []byte) []byte {
	return rubyToken().ReplaceAllFunc(literal, func(t []byte) []byte {
		key, isKey := bytes.CutSuffix(t, []byte("=>"))
		key = bytes.TrimSpace(key)
		switch {
		case t[0] == '\n':
			return []byte("\n ")
		case t[0] == '#':
			return nil
		case key[0] == ':':
			key = slices.Concat([]byte("'"), key[1:], []byte("'"))
		case key[0] == '\'':
			key = bytes.ReplaceAll(key, []byte(`\'`), []byte("''"))
		}
		if isKey {
			key = append(key, ": "...)
		}
		return key
	})
}

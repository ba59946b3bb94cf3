package frontmatter

import (
	"bytes"
	"fmt"
	"regexp"
)

// parseConstants parses front matter of Eleventy in JavaScript, which is not run: each line gives a
// constant its value, that is a text, a number, true or false, or a list of these; or it is a line of
// an object of such.
//
//	const title = "A title";
//	const tags = ["a", 'b'];
//	const eleventyNavigation = {
//		key: "A",
//	};
//
// The values are written in YAML as they are in JavaScript. Where a line is anything else, nothing is certain.
func parseConstants(script []byte, line int) (Value, *Error) {
	const (
		scalar = `(?:"[^"\\]*"|'[^'\\]*'|true|false|-?[0-9]+(?:\.[0-9]+)?)`
		value  = `(` + scalar + `|\[\s*(?:` + scalar + `\s*,?\s*)*\])`
		name   = `^\s*(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*`
	)
	constant := regexp.MustCompile(name + value + `\s*;?\s*$`)
	opening := regexp.MustCompile(name + `\{\s*$`)
	key := regexp.MustCompile(`^\s*([A-Za-z_]\w*)\s*:\s*` + value + `\s*,?\s*$`)
	closing := regexp.MustCompile(`^\s*\}\s*;?\s*$`)
	unknown := func(line int) *Error {
		return &Error{line, 1, "the front matter is JavaScript, which is not run here", `give each key a plain value, as in const title = "A title"; or write it in YAML between two lines ---`}
	}
	var yaml bytes.Buffer
	within := false // an object
	number := line
	for text := range bytes.Lines(script) {
		said, opens := constant.FindSubmatch(text), opening.FindSubmatch(text)
		if within {
			said, opens = key.FindSubmatch(text), nil
		}
		switch trimmed := bytes.TrimSpace(text); {
		case said != nil && within:
			fmt.Fprintf(&yaml, " %s: %s", said[1], said[2])
		case said != nil:
			fmt.Fprintf(&yaml, "%s: %s", said[1], said[2])
		case opens != nil:
			fmt.Fprintf(&yaml, "%s:", opens[1])
			within = true
		case within && closing.Match(text):
			within = false
		case len(trimmed) > 0 && !bytes.HasPrefix(trimmed, []byte("//")):
			return Value{}, unknown(number)
		}
		yaml.WriteByte('\n')
		number++
	}
	if within {
		return Value{}, unknown(line)
	}
	return parseYAML(yaml.Bytes(), line)
}

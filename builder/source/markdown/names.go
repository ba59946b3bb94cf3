package markdown

import (
	"bytes"
	"strings"
)

// Definitions are those lines of Markdown that say what the names of links stand for, and
// those that begin a footnote, each as a paragraph of its own.
func Definitions(text []byte) []byte {
	definitions := []byte("\n\n")
	for line := range bytes.Lines(text) {
		if LinkName(line) != "" || bytes.HasPrefix(line, []byte("[^")) && bytes.Contains(line, []byte("]:")) {
			definitions = append(append(definitions, line...), '\n')
		}
	}
	return definitions
}

// LinkName returns the name that a line of Markdown gives to an address, in lower case:
// [name]: address "title". It is "" where the line is another.
func LinkName(line []byte) string {
	text := bytes.TrimLeft(line, " ")
	if len(line)-len(text) > 3 || !bytes.HasPrefix(text, []byte("[")) || bytes.HasPrefix(text, []byte("[^")) {
		return ""
	}
	name, rest, found := bytes.Cut(text[1:], []byte("]:"))
	address, title, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	if !found || len(address) == 0 || (address[0] == '<') != (address[len(address)-1] == '>') || bytes.ContainsAny(name, "[]") {
		return ""
	}
	if title = bytes.TrimSpace(title); len(title) > 0 {
		quotes := string(title[0]) + string(title[len(title)-1])
		if len(title) == 1 || !strings.Contains(`"" '' ()`, quotes) || bytes.ContainsAny(title[1:len(title)-1], quotes) {
			return ""
		}
	}
	return strings.ToLower(string(bytes.TrimSpace(name)))
}

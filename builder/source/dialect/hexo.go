package dialect

import (
	"html"
	"strings"
)

// hexoTag writes the words and the link that a tag of Hexo or of one of its themes stands for, and
// reports whether there are any:
//
//	{% post_link file title %} {% asset_link file title %} {% link title address %}
//	{% label class@text %}     {% span class, text %}      {% btn address, text, icon %}
func (t *reader) hexoTag(word, parameters string) bool {
	parameters = strings.TrimSpace(strings.TrimSuffix(parameters, "-"))
	text, address := "", ""
	switch word {
	case "post_link", "asset_link":
		_, text = cutWord(parameters)
		text = t.pattern(`\s(true|false)$`).ReplaceAllString(text, "") // whether it is escaped
	case "link":
		if at := t.pattern(`\s(?:https?:|/)\S*`).FindStringIndex(parameters); at != nil {
			text, address = parameters[:at[0]], parameters[at[0]:at[1]]
		}
	case "label":
		_, text, _ = strings.Cut(parameters, "@")
	case "span", "p":
		class, words, _ := strings.Cut(parameters, ",")
		if !strings.ContainsAny(class, `="'`) { // those of Markdoc have attributes
			text = words
		}
	case "btn", "button":
		to, words, _ := strings.Cut(parameters, ",")
		if t.pattern(`^["']?(?:https?:|/|#)`).MatchString(to) { // elsewhere the text may come first
			address = to
			text, _, _ = strings.Cut(words, ",")
		}
	}
	if text = trimQuotes(text); text == "" {
		return false
	}
	text = asMarkdown(oneLine(text))
	if address = trimQuotes(address); address != "" {
		text = `<a href="` + html.EscapeString(address) + `">` + text + "</a>"
	}
	t.out.WriteString(text)
	return true
}

// trimQuotes returns a parameter without the space and the pair of quotes around it.
func trimQuotes(s string) string {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && strings.IndexByte(`"'`, s[0]) >= 0 && s[n-1] == s[0] {
		return s[1 : n-1]
	}
	return s
}
